"""Boards: drawing, colours, large pieces."""
