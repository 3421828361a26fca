"""Training of Othello's `patterns`: games of self-play, the fit to them, and corrections by search."""
