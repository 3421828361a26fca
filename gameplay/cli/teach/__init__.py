"""Commands for learners and teachers."""
