"""Commands that serve other programs by a protocol."""
