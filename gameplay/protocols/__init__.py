"""Protocols for talking to external engines, as client and as server."""
