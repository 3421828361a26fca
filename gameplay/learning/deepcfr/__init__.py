"""Deep CFR: sampled traversals, memories of samples, networks in place of tables, a run in a folder."""
