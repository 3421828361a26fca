"""Learning what a network adds to the evaluation of chess, from games of the engine against itself."""
