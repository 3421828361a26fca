"""Commands that measure engines and games."""
