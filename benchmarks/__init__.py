"""Benchmarks against other projects, measured in one run: `python -m benchmarks [SECTION ...]`."""
