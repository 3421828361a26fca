"""Our work beside others', measured in one run: `python -m benchmarks`, or some of its sections by name."""
