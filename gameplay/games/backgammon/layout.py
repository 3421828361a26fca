"""The numbers of backgammon: the layout of a position and of a move, and the stages of a turn.

Each player counts the points from their own side, so that their men go from 24 down to 1 and off; what is
point p to one is point 25 - p to the other. The whole position is 64 small numbers, `state`:

    0        men that player 0 has borne off      26 + 0 ... 25    the same of player 1
    1-24     their men on each point              52, 53    the higher and the lower die, 0: not rolled
    25       their men on the bar                 54        who rolls, or has rolled
                                                  55        the stage of the turn
    56       the cube, as a power of two          58, 59    points in the match
    57       who has it, 2: neither               60        1: this is the Crawford game
    61       what the winner gets, or is offered: 1, 2 or 3 cubes; 0: not over
    62       who has won                          63        `turn`

A turn is one move, the points that its men leave in the order in which they go:

    bits 0-4, 5-9, 10-14, 15-19    where the first, second, third and fourth man moved starts: 25 the bar,
                                   0 there is none
    bit 20                         the lower die is played first, not the higher one

A pass is 0. Of turns that lead to the same position there is one. Rolls and cube actions have their own bits:

    bit 21                         a roll: bits 0-2 the first die, bits 3-5 the second; the higher one first,
                                   but in the opening roll first that of player 0, then that of player 1
    bit 22                         bits 0-3: roll 0, double 1, take 2, drop 3, accept 4, decline 5; the offer
                                   to give up: 9, a gammon 10, a backgammon 11

The modules of backgammon import all of it; compiled ones take it from the header `layout.pxd`.
"""

MEN = 15  # of a side
HIGHEST = 6  # the cube goes to 64
POINT = 1000  # `unit`
SLOTS = 1024  # of the table of positions that a list of moves has found

# -- places in `state`, and how many -------------------------------------------------------------

BAR, OTHER = 25, 26
HIGH, LOW, MOVER, STAGE, CUBE, OWNER, SCORE = range(52, 59)
CRAWFORD, POINTS, WINNER, TURN, SIZE = range(60, 65)

# -- stages --------------------------------------------------------------------------------------

OPENING = 0  # each rolls one die
ROLLING = 1
PLAY = 2
OFFER = 3  # the mover may double before rolling
ANSWER = 4  # the other side takes or drops
RESIGNED = 5  # the mover offers to give up; the other side accepts or declines
OVER = 6
GIVEN = 7  # over: given up

# -- moves ---------------------------------------------------------------------------------------

LATER, ROLLED, SAID = 1 << 20, 1 << 21, 1 << 22
ROLL, DOUBLE, TAKE, DROP, ACCEPT, DECLINE = range(6)
RESIGN = 8  # and how many cubes
