"""Learning: what fits the weights of evaluations, `python -m gameplay.learning.othello --out FILE.toml`."""
