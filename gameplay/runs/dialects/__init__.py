"""Other programs' ways to ask for a match, as plans of ours."""
