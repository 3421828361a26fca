"""Prints what OpenSpiel offers."""
