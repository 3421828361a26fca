"""Learning the weights of an evaluation that is a sum of named terms: regression, TD-leaf, SPSA."""
