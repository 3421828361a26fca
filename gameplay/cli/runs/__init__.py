"""Commands on runs: matches and tournaments that are saved while they are played."""
