"""What a position looks worth. Every file is the evaluation of one game."""
