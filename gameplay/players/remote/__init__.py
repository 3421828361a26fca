"""External programs other than local players: players at network addresses, and analysis engines."""
