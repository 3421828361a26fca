"""N-tuple networks: evaluations that sum table entries, indexed by the contents of cells."""
