"""What lectures show, counted again: one lesson a file."""
