"""Training of a network that corrects the evaluation of chess, from self-play games."""
