"""The corpus's patterns, by family."""
