"""What commands share: options, runs, saved games, the session at the terminal."""
