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

Expectations are floats, and so are their windows. Where chance moves they are from the view of MAX, who moves
at the root, and these reasons for a cut come with the outcome after which it was made:

    star1 alpha      were all outcomes left the best possible, the mean would still not exceed alpha
    star1 beta       were all outcomes left the worst possible, the mean would still reach beta
    star2 alpha      the same, by the replies of MIN that were probed
    star2 beta       the same, by the moves of MAX that were probed
    probed           at an outcome: one move was searched, for a bound, and the rest may follow later
    nothing to gain  one of the players has all that the game can give already

In searches for any number of players `values` has what each of them gets (maxn), or windows and values are
from the view of the root's mover alone (paranoid, brs).

Single-agent searches (dfid, idastar, astar) emit these instead. A `value` is a lower bound of a path's cost,
its cost so far plus the estimate; dfid counts moves. If the search was not stopped, `report.expanded` is the
number of `expand` events without a reason, and `report.nodes` that of `generate` events, plus the root.

    threshold  the cost limit of paths from now on
    expand     the moves of a position are generated. Its parent is the last one that was expanded a ply
               above; but astar jumps between paths, and numbers positions: `node`. A goal, there, has the
               reason `goal`, and no moves
    generate   one of these moves. `goal`: it reaches one; `threshold`: it is beyond that; `cheaper`,
               `dearer`: it leads to a position that was met before

Monte Carlo tree search (mcts) reports its four phases, simulation by simulation. Here `mover` is the player
who made `move`, -1 for chance, and `value` that player's payoff, in the game's `unit`, 0 for chance:

    select     a move is chosen, to `ply`: with its `visits` so far and their mean, `value`; `beta` is what
               was compared, UCB1 for payoffs from 0 to 1 and what options add. `why`: untried, lot.
               `children` are the moves that were compared, each with its visits, its mean as a payoff from 0
               to 1 and what was compared, inf if it was not tried, -inf if it is proved to be no better than
               another, with PUCT also the probability by the policy; `numbers` are the visits N of their node
               and c
    expand     a leaf gets its moves, `value` of them, and one of them is selected next
    simulate   each player gets `values`, after the moves `line` of a playout, or as `why` says: end of the
               game, proven, evaluation, search; mixed where the evaluation counts as much as the playout
    backup     from there back to the root (ply 0), node by node: its `visits` now and their mean, `value`.
               `proven`: its value is exact, and `values` holds each player's payoff
    trim       the tree was full: positions visited less often than `visits` have lost their moves

A simulation that was stopped has no `backup`.

Proof-number search (pns) reports these. `numbers` are the proof number and the disproof number, inf where no
number of leaves suffices; `depth` is an upper bound of the plies of a proof, 0 if unknown. A node is entered
each time the search reaches it, its moves are generated each time, and the root is entered once a question.
`report.nodes` is the number of `generate` events, plus the root.

    question   is it `mover` who can force a win?
    enter      a node has the least left, of those that its parent chooses from: `numbers` are its thresholds,
               `beta` is the least number of the others there
    generate   a move, to `ply`, with the numbers of the position after it, where `mover` moves. `why`:
               mobility (first numbers, as many as there are moves; empty: 1 and 1), table, this way (the
               table, but of this way alone), known, repetition, end of the game
    cut        `decided`: the last of the moves settles the node, and others are not generated; `too deep`:
               the search goes no deeper, which counts as no win
    leave      the numbers that are backed up. `why`: proven, disproven, this way (the same, but not where the
               position is reached in another way), threshold: one of the numbers has reached its own

Of a search that is stopped only the root is left, with what its numbers were last, and without a reason.

Without a trace the cost is one branch a move.
"""

from typing import NamedTuple

EVENTS = (
    *("enter", "leave", "table", "known", "evaluate", "cut", "extend", "reduce", "skip"),
    *("threshold", "expand", "generate"),
    *("select", "simulate", "backup", "trim", "question", "order"),
)
ENTER, LEAVE, TABLE, KNOWN, EVALUATE, CUT, EXTEND, REDUCE, SKIP, RISE, EXPAND, GENERATE = range(12)
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
UNTRIED, LOT, PROVEN, EVALUATION, MIXED, SEARCH = range(31, 37)
ASPIRATION, SECONDARY, VERIFIED = range(37, 40)
MOBILITY, THIS_WAY, IS_KNOWN, DECIDED, TOO_DEEP, DISPROVEN = range(40, 46)
TABLE_MOVE, LAST_LINE, HINT, KILLER_MOVE, COUNTERMOVE, HISTORY = range(46, 52)
MAX_THRESHOLD, MIN_THRESHOLD, STANDOUT = range(52, 55)


class TraceEvent(NamedTuple):
    """One step of a search. Fields that an event does not use are 0, `move` -1, `why` empty."""

    what: str  # one of EVENTS
    ply: int  # from the root, 0
    move: int = -1  # enter, leave: the move that led here (-1: none, see above); else the one meant
    mover: int = 0  # who moves at the node
    depth: int = 0  # plies to go
    alpha: float = 0
    beta: float = 0
    value: float = 0
    why: str = ""
    values: tuple[float, ...] = ()  # what each player gets
    node: int = -1  # astar: which of the positions that it keeps
    visits: int = 0  # mcts: simulations
    line: tuple[int, ...] = ()  # simulate: the moves of a playout; enter, secondary: those from the root
    numbers: tuple[float, ...] = ()  # pns: proof and disproof number, or their thresholds; select: N and c
    # select: move, visits, mean, compared, and with PUCT the probability by the policy
    children: tuple[tuple[int, int, float, float, *tuple[float, ...]], ...] = ()
