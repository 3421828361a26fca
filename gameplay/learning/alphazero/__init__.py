"""AlphaZero with n-tuples: searches, learning, runs in folders."""
