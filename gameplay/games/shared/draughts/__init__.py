"""Shared by all draughts games: squares, pieces, history, drawing, FEN."""
