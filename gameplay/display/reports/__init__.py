"""Results as text: tables, curves, trees."""
