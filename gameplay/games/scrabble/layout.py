"""Constants shared by the Scrabble modules; compiled ones use the header `layout.pxd`."""

SIDE = 15
AREA = 225
CENTRE = 112
RACK = 7
KINDS = 27  # of tiles: the blank is 0, A is 1
BLANK = 32  # flag of a blank, added to its letter
UNIT = 100  # the value of a point
LINES = 30  # rows and columns
HELD = 14400  # hash codes: 64 for each cell, by tile; from HELD on by kind and number of tiles on a rack
MOVING = 15264  # ... from MOVING on by side to move and number of scoreless turns
SCORELESS_LIMIT = 6  # scoreless turns that end a game of two
FAR = 10000  # infinity, in points
SOLO_RACK = 4  # largest rack solved alone after a scoreless turn
FIRST = 5379617  # the first play; below it C(34, 7) exchanges of up to seven of 27 kinds, and the challenge
