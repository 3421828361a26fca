"""The methods of `gameplay learn`, one file each."""
