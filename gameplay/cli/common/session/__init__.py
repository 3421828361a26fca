"""The game session of `play`: its seating, commands, listeners, start menu and analysis mode."""
