"""N-tuples: evaluations that are sums of table entries, looked up by the contents of cells."""
