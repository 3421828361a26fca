"""Small neural networks: evaluations and strategies that are learned, without any other library."""
