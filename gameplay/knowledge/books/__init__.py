"""Opening books: files, books in memory, names of openings."""
