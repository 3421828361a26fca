"""Statistics of matches: ratings, intervals, sequential tests, guards against false conclusions."""
