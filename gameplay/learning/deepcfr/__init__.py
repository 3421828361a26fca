"""Deep CFR: sampled traversals, reservoirs of samples, networks instead of tables, a run in a folder."""
