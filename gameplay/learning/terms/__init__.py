"""Training of linear evaluations of named terms: logistic regression, TD-leaf, SPSA."""
