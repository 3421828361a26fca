"""Players at other addresses, one file a protocol."""
