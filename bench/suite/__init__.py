"""The benchmarks of bench/run: a module a group, and what they share."""
