"""AlphaZero with n-tuples: self-play searches, the learner, a run in a folder."""
