"""Showing: boards, panels, tables. All of rich is here."""
