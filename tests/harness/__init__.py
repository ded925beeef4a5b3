"""The parts of tests/run.py: one file for each kind of test, and what they share."""
