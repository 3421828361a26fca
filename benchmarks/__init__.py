"""Benchmarks of gameplay and of other projects, in the same run: `python -m benchmarks [SECTION ...]`."""
