"""What all games of draughts share: squares, pieces with the positions before, drawing, FEN."""
