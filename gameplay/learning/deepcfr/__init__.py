"""Deep CFR: sampled traversals, memories of what they find, networks in place of tables, a run in a folder."""
