"""Integer codes of backgammon: the layout of a position and of a move, and the stages of a turn.

Each player counts the points from their own side: checkers move from 24 down to 1 and off. Point p of one
player is point 25 - p of the other. The position is 64 small integers, `state`:

    0        checkers of player 0 borne off       26 + 0 ... 25    the same of player 1
    1-24     ... on each point                    52, 53    the higher and the lower die; 0: not rolled
    25       ... on the bar                       54        the player on roll
                                                  55        the stage of the turn
    56       the cube, as a power of two          58, 59    the match score
    57       its owner; 2: centred                60        1: this is the Crawford game
    61       the result in cubes, won or offered by a resignation: 1, 2 or 3; 0: none
    62       the winner                           63        `turn`

A move is a whole play, as the starting points of its checkers in order:

    bits 0-4, 5-9, 10-14, 15-19    the start of the first to fourth step; 25: the bar, 0: no step
    bit 20                         the lower die is played first

A pass is 0. Of the plays that lead to the same position one is generated. Rolls and cube actions:

    bit 21                         a roll: bits 0-2 the first die, bits 3-5 the second; the higher one first,
                                   but in the opening roll that of player 0 first
    bit 22                         bits 0-3: roll 0, double 1, take 2, drop 3, accept 4, decline 5; resign a
                                   single game 9, a gammon 10, a backgammon 11

The modules of backgammon import all names; compiled ones use the header `layout.pxd`.
"""

CHECKERS = 15  # of a side
HIGHEST = 6  # log2 of the highest cube, 64
POINT = 1000  # the value of a point, `unit`
SLOTS = 1024  # of the hash table for duplicate positions in move generation

# -- indices in `state`, and its length -------------------------------------------------------------

BAR, OTHER = 25, 26
HIGH, LOW, MOVER, STAGE, CUBE, OWNER, SCORE = range(52, 59)
CRAWFORD, POINTS, WINNER, TURN, SIZE = range(60, 65)

# -- stages --------------------------------------------------------------------------------------

OPENING = 0  # each rolls one die
ROLLING = 1
PLAY = 2
OFFER = 3  # the player on roll may double
ANSWER = 4  # the opponent takes or drops
RESIGNED = 5  # the mover resigns; the opponent accepts or declines
OVER = 6
GIVEN = 7  # over: resigned

# -- moves ---------------------------------------------------------------------------------------

LATER, ROLLED, ACTION = 1 << 20, 1 << 21, 1 << 22
ROLL, DOUBLE, TAKE, DROP, ACCEPT, DECLINE = range(6)
RESIGN = 8  # plus the number of cubes: 1 to 3
