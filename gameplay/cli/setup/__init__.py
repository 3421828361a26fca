"""Commands for settings and the installation."""
