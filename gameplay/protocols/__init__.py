"""Engine protocols, client and server sides."""
