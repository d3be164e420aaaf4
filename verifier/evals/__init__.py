"""Benchmarks: one file each, and its line in `table.py`."""
