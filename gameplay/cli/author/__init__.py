"""Commands for authors of games, engines and files."""
