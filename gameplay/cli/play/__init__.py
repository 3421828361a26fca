"""Commands that play, and list what can be played."""
