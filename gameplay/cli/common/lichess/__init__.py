"""What the commands of `gameplay lichess` share."""
