"""Extensive-form games: counterfactual regret minimization, strategies, best responses."""
