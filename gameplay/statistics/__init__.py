"""What many games prove: ratings, tests, guards against fooling oneself."""
