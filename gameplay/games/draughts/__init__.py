"""International draughts and its relatives with flying kings: rules, notation, evaluation."""
