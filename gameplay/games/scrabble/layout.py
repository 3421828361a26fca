"""The numbers of Scrabble that its compiled modules share; they take them from the header `layout.pxd`."""

SIDE = 15
AREA = 225
CENTRE = 112
RACK = 7
KINDS = 27  # of tiles: the blank is 0, A is 1
BLANK = 32  # what is added to the letter of a blank
UNIT = 100  # of a point
LINES = 30  # rows and columns
FIRST = 5379617  # the first play; below it C(34, 7) exchanges of up to seven of 27 kinds, and the challenge
