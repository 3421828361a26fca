"""Commands that build what engines look up or learn."""
