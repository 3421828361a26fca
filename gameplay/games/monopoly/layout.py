"""Integer codes of Monopoly: the layout of a position's state, phases, moves, squares and cards.

    state 0 CASH      of each player (6)          104 HOUSES, HOTELS left in the bank
          6 PLACE     their squares, 0 to 39      106 DECK      cards left in each deck, as bits (2)
         12 CELL      0: not in jail; 1 to 3: in  108 JAIL_CARD holder of each deck's jail card, from 1 (2)
                      jail, before that roll     110 MOVER     the player on turn
         18 OUT       0: plays; 1: bankrupt       111 PHASE     the pending decision, NEXT the one after
                      first, 2: second, ...                     all debts, TURN who decides
         24 OWNER     of each square, from 1;     114 DOUBLES   rolled in a row, ROLLED the dice
                      0: unowned (40)             116 ROUND     from 0
         64 LEVEL     -1 mortgaged, 0 bare, 1     117 ...       actions since the roll; an
                      to 4 houses, 5 a hotel (40)               auction; an offer; debts to be settled

    move  bits 0 to 4 the kind, the rest the square, amount, card or dice

The modules of Monopoly import all names; compiled ones use the header `layout.pxd`.
"""

MAX_PLAYERS = 6  # players
BANK = -1  # as a creditor

# -- the state -------------------------------------------------------------------------------

CASH, PLACE, CELL, OUT, OWNER, LEVEL, HOUSES, HOTELS, DECK, JAIL_CARD = (
    0,
    6,
    12,
    18,
    24,
    64,
    104,
    105,
    106,
    108,
)
MOVER, PHASE, NEXT, TURN, DOUBLES, ROLLED, ROUND = range(110, 117)
RAISED = 117  # properties sold or mortgaged since the roll, as bits
SPENT = 118  # ... built on or redeemed
OFFERED = 119  # 0: no trade yet in this turn; 1: a property was asked for, 2: and one in return chosen
LOT = 120  # the square being auctioned
BID = 121
BIDDER = 122  # from 1; 0: no bidder yet
BIDDERS = 123  # the players who have not passed, as bits
SALE = 124  # properties that the bank has yet to auction, as bits
WANTED = 125  # the square asked for
GIVEN = 126  # ... and the one offered for it, from 1; 0: none
EXTRA = 127  # ... and money on top, below 0: asked for
PILE = 128  # the deck to draw from
DEBTS = 129  # their number, followed by debtor, creditor and amount of each
DEBT = 130
MAX_DEBTS = 16
SIZE = 180

# -- phases: 0 to 2 chance, to 9 decisions of players, then automatic ones ----------------------

ROLLING, DRAWING, ROLL_FOR_UTILITY, JAILED, BUYING, BIDDING, RAISING, MANAGING, TRADING, ANSWERING = range(10)
OVER, MOVING, ENDING = range(10, 13)

# -- moves ---------------------------------------------------------------------------------

DICE, CARD, ROLL, PAY, USE, BUY, AUCTION, BIDS, PASS, BUILD, SELL = range(11)
MORTGAGE, REDEEM, WANT, GIVE, MONEY, ACCEPT, REFUSE, END = range(11, 19)
BID_STEPS = 5  # steps of a bid
MONEY_STEPS = 10  # ... and a trade
NOTHING = 63  # no property in return, as the argument of GIVE
EVEN = 1 << 12  # a trade without money, as the argument of MONEY

# -- squares and cards ---------------------------------------------------------------------

STREET, STATION, UTILITY, START, FORTUNE, FUND, TAX, PRISON, PARK, ARREST = range(10)
GAIN, EACH, TO, NEAREST, BACK, GO_TO_JAIL, FREE, REPAIRS = range(8)  # effects of cards
ALL = 0xFFFF  # the cards of a deck
