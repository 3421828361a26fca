"""The functions that `gameplay` offers to programs; its names are listed in `gameplay.__all__`."""
