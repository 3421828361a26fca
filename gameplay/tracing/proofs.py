"""Names of search events in textbook terms, with the sentences that prove them.

All values are from the view of MAX, the side to move at the root: a search stops at beta at a MAX node and at
alpha at a MIN node. A bound follows from values found elsewhere in the tree, so the sentences state where.
"""

from dataclasses import dataclass

from gameplay.plural import plural

PRUNED = {
    "late": ("late move pruning", "a quiet move that comes so late is seldom worth a look near the leaves"),
    "futility": ("futility pruning", "near the leaves a quiet move cannot make up for the evaluation"),
    "exchange": ("exchange (SEE)", "it loses material when both sides have taken all they can there"),
    "delta": ("delta pruning", "even with all that it takes it stays outside the window"),
    "plausible": ("forward pruning", "only the most plausible moves are searched, not this one or the rest"),
    "standout": (
        "standout",
        "by its evaluation another move is better by more than the margin, and searched alone",
    ),
    "another may reply": ("pass", "the reply is left to another opponent"),
}
EXTENDED = {
    "singular": ("singular extension", "all other moves are worse by a margin: it is searched a ply deeper"),
    "threat": ("check extension", "it gives check or threatens: it is searched a ply deeper"),
}
REDUCED = {
    "late move": ("late-move reduction", "it comes late in the order: it is searched less deep first"),
    "no table move": ("reduction", "the table knows no move here: a ply less, the next visit will find one"),
}
ENTERED = {
    "null move": ("null move", "the mover passes: is the position good enough all the same?"),
    "singular": ("singular extension?", "the same position without this move, half as deep"),
    "verified": ("verification", "the same position again, with a move: was the null move right?"),
    "secondary": ("secondary search", "the end of the line that was chosen, a few plies deeper"),
}

ORDERED = {  # why a move is tried first
    "table move": ("table move", "the table knows it as the best move here from an earlier search"),
    "last line": ("last line", "it is on the principal variation of the iteration before"),
    "iteration": ("last best move", "the iteration before found it best"),
    "hint": ("hint", "the game puts it first, as chess does the capture of the most valuable piece"),
    "killer": ("killer move", "it cut off elsewhere at this ply"),
    "countermove": ("countermove", "elsewhere it refuted the same move of the opponent"),
    "history": ("history", "its cutoffs elsewhere count most, deep ones more"),
    "evaluation": ("evaluation", "the position after it has the best evaluation for the player to move"),
    "lot": ("random order", "the order is random"),
}


@dataclass(frozen=True)
class Place:
    """Where a bound was found: a player's choice above the node."""

    word: str  # the move that has this value already
    up: int  # plies above the node


def cutoff(maximizing: bool, value: str, bound: str, place: Place | None, otherwise: str) -> tuple[str, str]:
    """A beta cutoff at a MAX node or an alpha cutoff at a MIN node, and why it is right.

    `value` is what the mover has here, `bound` what the other side has elsewhere, at `place`; if there is no
    such place, `otherwise` says why the window ends there.
    """
    name = "beta cutoff" if maximizing else "alpha cutoff"
    if place is not None:
        where = f"by {place.word}, {plural(place.up, 'ply', 'plies')} up"
        if place.up > 1:
            name = f"deep {name}"
        if maximizing:
            return name, f"MAX can already get {value} here; MIN can hold MAX to {bound} elsewhere ({where})"
        return name, f"MIN can already hold MAX to {value} here; MAX has {bound} elsewhere ({where})"
    has = f"MAX can already get {value} here" if maximizing else f"MIN can already hold MAX to {value} here"
    return name, f"{has}, and {otherwise}"


def window_end(bound: str, narrow: bool, asked: bool, maximizing: bool, means: bool) -> str:
    """Why a window ends at a bound that no player has elsewhere. `means`: of expectations, whose window is
    at first the range of payoffs.
    """
    if asked and means:
        return f"no player gets {'more' if maximizing else 'less'} than {bound} in this game"
    if asked:
        return f"the aspiration window ends at {bound}: the root is searched again with a wider one"
    if narrow:
        least = "at least" if maximizing else "at most"
        return f"the null window asks no more than whether it is {least} {bound}"
    return f"the window ends at {bound}"


def stop(why: str, role: str, value: str, bound: str, stored: str) -> tuple[str, str]:
    """The name and the proof of a cut that no move made. `known`: exact, lower or upper, what the table has.

    `value` and `bound` are words for values, as for `cutoff`; the bound is that of the mover.
    """
    maximizing = role != "MIN"
    beyond = f"{'at least' if maximizing else 'at most'} {bound}, which is enough"
    other = "the other side will not let it come to this"
    proofs = {
        "table": (
            f"table {stored}",
            {
                "exact": f"the table knows the position from before: it is worth {value}",
                "lower": f"the table knows that it is worth {value} or more: enough for this window",
                "upper": f"the table knows that it is worth {value} or less: enough for this window",
            }.get(stored, ""),
        ),
        "stand pat": (
            "stand pat",
            f"{role} need not play a noisy move: the evaluation says {value}, {beyond}",
        ),
        "mate distance": ("mate distance", "no line from here is shorter than a win that is sure already"),
        "threshold": (
            "reverse futility pruning",
            f"the evaluation says {value}, so far beyond {bound} that no quiet move will bring it back",
        ),
        "max threshold": (
            "maximum threshold",
            f"the evaluation, {value}, exceeds max_threshold: MAX as good as has won; no move is searched",
        ),
        "min threshold": (
            "minimum threshold",
            f"the evaluation, {value}, is below min_threshold: MIN as good as has won; no move is searched",
        ),
        "null move": ("null-move cutoff", f"even if {role} passes it is {value}, {beyond}: {other}"),
        "multi-cut": (
            "multi-cut",
            f"even without the best move it is {value}, {beyond}: several moves are good enough",
        ),
        "repetition": ("repetition", "the position came about before, on this line or in the game: a draw"),
        "star1 alpha": (
            "Star1 alpha cutoff",
            f"were all outcomes left the best possible, the mean would be {value} at most; "
            f"MAX has {bound} elsewhere",
        ),
        "star1 beta": (
            "Star1 beta cutoff",
            f"were all outcomes left the worst possible, the mean would be {value} at least; "
            f"MIN can hold MAX to {bound} elsewhere",
        ),
        "star2 alpha": (
            "Star2 alpha cutoff",
            f"by the moves of MIN probed so far, and were all other outcomes the best possible, the mean "
            f"would be {value} at most; MAX has {bound} elsewhere",
        ),
        "star2 beta": (
            "Star2 beta cutoff",
            f"by the moves of MAX probed so far, and were all other outcomes the worst possible, the mean "
            f"would be {value} at least; MIN can hold MAX to {bound} elsewhere",
        ),
        "probed": ("Star2 probe", "one move is enough for a bound; the rest may follow"),
        "nothing to gain": ("nothing to gain", f"no more can be got than {value}: no move is better"),
        "shallow": (
            "shallow pruning",
            f"{role} has {value} already, and who chose this position gets less here than from another move",
        ),
    }
    return proofs.get(why, (why, ""))
