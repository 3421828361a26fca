"""Matches of several games: rules, forms and scoresheets."""
