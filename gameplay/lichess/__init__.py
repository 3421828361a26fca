"""Games on lichess.org: its Board API for people, its Bot API for engines, over the standard library."""
