"""The steps of a search, passed to a callable: `engine.search(..., trace=callable)`.

Each step is a `TraceEvent`. A node opens with `enter` and closes with `leave`, nodes nest, and every other
event belongs to the innermost open node. Windows and values are from the view of the node's mover.

    enter      a position is reached: the move, the player on turn, the ply, the window
    leave      its value; `why` is its kind: exact, lower (bound), upper (bound), empty if the search was
               stopped
    table      the table has the position: `why` as for leave; a cut follows if the entry suffices
    known      a book, endgame tables or the game's solver have its value
    evaluate   the static evaluation is the value; `stand pat`: in quiescence search, the value of all quiet
               moves
    cut        the remaining moves are not searched: `why` is the reason
    extend     a move is searched deeper: singular, threat
    reduce     a move is searched less deep, by `value` plies
    skip       a move is pruned: `why` is the technique
    order      this move is searched first; `why` is the reason: table move, last line (the principal
               variation of the last iteration), hint, killer, countermove, history (its `value`), evaluation
               (its `value`), lot; no event if the moves are in generated order

A node is entered by a move, with an empty `why`, or without a move:

    null move   the mover has passed
    singular    the same position again, at the same ply, with `move` left out
    verified    the same position again, at the same ply, to verify a null-move cutoff
    aspiration  the root again, in a wider window
    secondary   the end of `line` is searched deeper, or the root again without the move that failed there

Expectations are floats, and so are their windows. At chance nodes they are from the view of MAX, who moves at
the root, and these reasons for a cut follow the outcome that caused it:

    star1 alpha      even if all remaining outcomes had the maximum value, the mean would not exceed alpha
    star1 beta       even if all remaining outcomes had the minimum value, the mean would reach beta
    star2 alpha      the same, with the bounds from probed replies of MIN
    star2 beta       the same, with the bounds from probed moves of MAX
    probed           at an outcome: one move was searched, for a bound; the others may follow later
    nothing to gain  a player already has the maximum payoff

In searches for any number of players `values` holds the value of each player (maxn), or windows and values
are from the view of the root's mover only (paranoid, brs).

Single-agent searches (dfid, idastar, astar) emit these instead. A `value` is a lower bound of a path's cost,
its cost so far plus the estimate; dfid counts moves. If the search was not stopped, `report.expanded` is the
number of `expand` events without a reason, and `report.nodes` that of `generate` events, plus the root.

    threshold  the cost limit of paths from now on
    expand     the moves of a position are generated. Its parent is the last position expanded one ply
               above, except in astar, which switches between paths and numbers positions: `node`. In astar
               a goal has the reason `goal` and no moves
    generate   one of these moves. `goal`: it reaches a goal; `threshold`: it exceeds the limit; `cheaper`,
               `dearer`: it leads to a position that was reached before

Monte Carlo tree search (mcts) reports its four phases, simulation by simulation. Here `mover` is the player
who made `move`, -1 for chance, and `value` that player's payoff, in the game's `unit`, 0 for chance:

    select     a move is chosen, to `ply`: with its `visits` so far and their mean, `value`; `beta` is its
               score, UCB1 for payoffs from 0 to 1 plus the terms of options. `why`: untried, lot (random).
               `children` are the candidates, each with its visits, its mean as a payoff from 0 to 1 and its
               score, inf if it was not tried, -inf if it is proved to be no better than another, with PUCT
               also its prior; `numbers` are the visits N of their node and c
    expand     `value` moves are added to a leaf; one of them is selected next
    simulate   the result of the simulation for each player is `values`, after the moves `line` of a playout,
               or by `why`: end of the game, proven, evaluation, search; mixed if the evaluation and the
               playout have equal weights
    backup     from there back to the root (ply 0), node by node: its `visits` now and their mean, `value`.
               `proven`: its value is exact, and `values` holds each player's payoff
    trim       the tree was full: the moves of positions with fewer than `visits` visits were removed

A simulation that was stopped has no `backup`.

Proof-number search (pns) reports these. `numbers` are the proof number and the disproof number, inf if no
number of leaves suffices; `depth` is an upper bound of the plies of a proof, 0 if unknown. A node is entered
each time the search reaches it, its moves are generated each time, and the root is entered once per question.
`report.nodes` is the number of `generate` events, plus the root.

    question   whether `mover` can force a win
    enter      the most-proving child of a node: `numbers` are its thresholds, `beta` is the least number of
               its siblings
    generate   a move, to `ply`, with the numbers of the position after it, where `mover` moves. `why`:
               mobility (the initial numbers, by the number of moves; empty: 1 and 1), table, this way (the
               table, valid for this path only), known, repetition, end of the game
    cut        `decided`: the last move decides the node, and the others are not generated; `too deep`: at
               the maximum depth, which counts as no win
    leave      the numbers that are backed up. `why`: proven, disproven, this way (proven or disproven for
               this path only), threshold: one of the numbers has reached its threshold

If a search is stopped, only the root has a `leave`, with its last numbers and without a reason.

Without a trace the cost is one branch per move.
"""

from typing import NamedTuple

EVENTS = (
    *("enter", "leave", "table", "known", "evaluate", "cut", "extend", "reduce", "skip"),
    *("threshold", "expand", "generate"),
    *("select", "simulate", "backup", "trim", "question", "order"),
)
ENTER, LEAVE, TABLE, KNOWN, EVALUATE, CUT, EXTEND, REDUCE, SKIP, NEW_THRESHOLD, EXPAND, GENERATE = range(12)
SELECT, SIMULATE, BACKUP, TRIM, QUESTION, ORDER = range(12, 18)

BOUNDS = ("", "exact", "lower", "upper")

REASONS = (
    *("", "beta", "table", "stand pat", "mate distance", "threshold", "null move", "multi-cut"),
    *("another thread", "singular", "threat", "late move", "no table move", "late", "futility"),
    *("exchange", "delta", "plausible", "repetition", "end of the game"),
    *("star1 alpha", "star1 beta", "star2 alpha", "star2 beta", "probed", "nothing to gain"),
    *("shallow", "another may reply", "goal", "cheaper", "dearer"),
    *("untried", "lot", "proven", "evaluation", "mixed", "search"),
    *("aspiration", "secondary", "verified"),
    *("mobility", "this way", "known", "decided", "too deep", "disproven"),
    *("table move", "last line", "hint", "killer", "countermove", "history"),
    *("max threshold", "min threshold", "standout"),
)
BETA, BY_TABLE, STAND_PAT, MATE_DISTANCE, THRESHOLD, NULL_MOVE, MULTI_CUT = range(1, 8)
OTHER_THREAD, SINGULAR, THREAT, LATE_MOVE, NO_TABLE_MOVE, LATE, FUTILITY = range(8, 15)
EXCHANGE, DELTA, PLAUSIBLE, REPETITION, GAME_END = range(15, 20)
STAR1_ALPHA, STAR1_BETA, STAR2_ALPHA, STAR2_BETA, PROBED, NOTHING_TO_GAIN = range(20, 26)
SHALLOW, NO_REPLY, GOAL, CHEAPER, DEARER = range(26, 31)
UNTRIED, RANDOM_CHOICE, PROVEN, EVALUATION, MIXED, SEARCH = range(31, 37)
ASPIRATION, SECONDARY, VERIFIED = range(37, 40)
MOBILITY, PATH_DEPENDENT, IS_KNOWN, DECIDED, TOO_DEEP, DISPROVEN = range(40, 46)
TABLE_MOVE, LAST_LINE, HINT, KILLER_MOVE, COUNTERMOVE, HISTORY = range(46, 52)
MAX_THRESHOLD, MIN_THRESHOLD, STANDOUT = range(52, 55)


class TraceEvent(NamedTuple):
    """One step of a search. Fields that an event does not use are 0, `move` -1, `why` empty."""

    what: str  # one of EVENTS
    ply: int  # from the root, 0
    move: int = -1  # enter, leave: the move that led here (-1: none, see above); else the event's move
    mover: int = 0  # the player on turn at the node
    depth: int = 0  # remaining plies
    alpha: float = 0
    beta: float = 0
    value: float = 0
    why: str = ""
    values: tuple[float, ...] = ()  # by player
    node: int = -1  # astar: the number of the position
    visits: int = 0  # mcts: simulations
    line: tuple[int, ...] = ()  # simulate: the moves of a playout; enter, secondary: those from the root
    numbers: tuple[float, ...] = ()  # pns: proof and disproof number, or their thresholds; select: N and c
    # select: move, visits, mean, score, and with PUCT the prior
    children: tuple[tuple[int, int, float, float, *tuple[float, ...]], ...] = ()
