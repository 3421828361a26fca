"""Signature tables (Samuel 1967): recorded moves as samples, the counting of tables, a run in a folder."""
