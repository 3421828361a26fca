"""Games as environments for reinforcement learning: PettingZoo, Gymnasium, and many games stepped at once."""
