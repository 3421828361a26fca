"""What is known without a search: opening books, endgame tables."""
