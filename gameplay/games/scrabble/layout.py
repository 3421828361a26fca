"""The numbers of Scrabble that its compiled modules share; they take them from the header `layout.pxd`."""

SIDE = 15
AREA = 225
CENTRE = 112
RACK = 7
KINDS = 27  # of tiles: the blank is 0, A is 1
BLANK = 32  # what is added to the letter of a blank
UNIT = 100  # of a point
LINES = 30  # rows and columns
HELD = 14400  # codes of tiles on cells, 64 each; then of so many tiles on a rack
MOVING = 15264  # ... then of the side to move, and the number of scoreless turns
CALM = 6  # turns without points after which it is over
FAR = 10000  # points that no player can gain
SOLO = 4  # tiles that are tried alone after a turn without points
FIRST = 5379617  # the first play; below it C(34, 7) exchanges of up to seven of 27 kinds, and the challenge
