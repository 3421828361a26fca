"""Training of evaluation weights, for example `python -m gameplay.learning.othello --out FILE.toml`."""
