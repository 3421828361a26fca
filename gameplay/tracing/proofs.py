"""The textbook names of search events, each with a sentence of justification.

All values are from the view of MAX, the side to move at the root: MAX nodes are cut off at beta, MIN nodes at
alpha. A bound follows from values elsewhere in the tree, so the sentences state where.
"""

from dataclasses import dataclass

from gameplay.plural import plural

PRUNED = {
    "late": ("late move pruning", "near the leaves a quiet move so late in the order is seldom the best"),
    "futility": ("futility pruning", "near the leaves a quiet move cannot raise the evaluation enough"),
    "exchange": ("exchange (SEE)", "it loses material in the exchange on its square"),
    "delta": ("delta pruning", "even with the value of the capture it stays outside the window"),
    "plausible": ("forward pruning", "only the most plausible moves are searched, not this one or the rest"),
    "standout": (
        "standout",
        "the evaluation of another move is better by more than the margin: only that one is searched",
    ),
    "another may reply": ("pass", "the reply is left to another opponent"),
}
EXTENDED = {
    "singular": ("singular extension", "all other moves are worse by a margin: it is searched a ply deeper"),
    "threat": ("check extension", "it gives check or threatens: it is searched a ply deeper"),
}
REDUCED = {
    "late move": ("late-move reduction", "it is late in the order: a reduced depth first"),
    "no table move": ("reduction", "no table move here: one ply less, the next visit will have one"),
}
ENTERED = {
    "null move": ("null move", "the mover passes: is the position still good enough?"),
    "singular": ("singular extension?", "the same position without this move, at half the depth"),
    "verified": ("verification", "the same position without the null move: is the cutoff right?"),
    "secondary": ("secondary search", "the end of the chosen line, a few plies deeper"),
}

ORDERED = {  # why a move is tried first
    "table move": ("table move", "it is the best move of an earlier search, from the transposition table"),
    "last line": ("last line", "it is on the principal variation of the previous iteration"),
    "iteration": ("last best move", "it was the best move of the previous iteration"),
    "hint": ("hint", "the game puts it first, as chess does the capture of the most valuable piece"),
    "killer": ("killer move", "it caused a cutoff elsewhere at this ply"),
    "countermove": ("countermove", "elsewhere it refuted the opponent's last move"),
    "history": ("history", "it has the highest count of cutoffs elsewhere, weighted by depth"),
    "evaluation": ("evaluation", "the position after it has the best evaluation for the player to move"),
    "lot": ("random order", "the order is random"),
}


@dataclass(frozen=True)
class Place:
    """The origin of a bound: a player's choice at an ancestor."""

    word: str  # the move with that value
    up: int  # plies between the ancestor and the node


def cutoff(maximizing: bool, value: str, bound: str, place: Place | None, otherwise: str) -> tuple[str, str]:
    """The name of a beta cutoff at a MAX node or an alpha cutoff at a MIN node, and its justification.

    `value` is the mover's value here, `bound` the other side's value at `place`; without a place, `otherwise`
    explains the window bound.
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


def window_end(bound: str, narrow: bool, is_root_bound: bool, maximizing: bool, means: bool) -> str:
    """The reason for a window bound that is not a player's value elsewhere.

    is_root_bound: a bound of the root's window. means: values are expectations, and the root's window is the
    range of payoffs.
    """
    if is_root_bound and means:
        return f"no player gets {'more' if maximizing else 'less'} than {bound} in this game"
    if is_root_bound:
        return f"the aspiration window ends at {bound}: the root is searched again with a wider one"
    if narrow:
        least = "at least" if maximizing else "at most"
        return f"the null window only tests whether it is {least} {bound}"
    return f"the window ends at {bound}"


def stop(why: str, role: str, value: str, bound: str, stored: str) -> tuple[str, str]:
    """The name and justification of a cutoff not caused by a move. `stored`: the table's bound: exact, ...

    `value` and `bound` are values as text, as for `cutoff`; `bound` is the mover's.
    """
    maximizing = role != "MIN"
    beyond = f"{'at least' if maximizing else 'at most'} {bound}, which is enough"
    other = "the opponent will avoid this position"
    proofs = {
        "table": (
            f"table {stored}",
            {
                "exact": f"the transposition table has the exact value {value}",
                "lower": f"the transposition table has the lower bound {value}: enough for this window",
                "upper": f"the transposition table has the upper bound {value}: enough for this window",
            }.get(stored, ""),
        ),
        "stand pat": (
            "stand pat",
            f"{role} need not play a noisy move: the evaluation is {value}, {beyond}",
        ),
        "mate distance": ("mate distance", "no line from here is shorter than a win already found"),
        "threshold": (
            "reverse futility pruning",
            f"the evaluation, {value}, is so far beyond {bound} that no quiet move will bring it back",
        ),
        "max threshold": (
            "maximum threshold",
            f"the evaluation, {value}, exceeds max_threshold: MAX has practically won; no move is searched",
        ),
        "min threshold": (
            "minimum threshold",
            f"the evaluation, {value}, is below min_threshold: MIN has practically won; no move is searched",
        ),
        "null move": ("null-move cutoff", f"even if {role} passes the value is {value}, {beyond}: {other}"),
        "multi-cut": (
            "multi-cut",
            f"even without the best move the value is {value}, {beyond}: several moves are good enough",
        ),
        "repetition": ("repetition", "the position occurred before, on this line or in the game: a draw"),
        "star1 alpha": (
            "Star1 alpha cutoff",
            f"if all remaining outcomes were the best possible, the mean would be {value} at most; "
            f"MAX has {bound} elsewhere",
        ),
        "star1 beta": (
            "Star1 beta cutoff",
            f"if all remaining outcomes were the worst possible, the mean would be {value} at least; "
            f"MIN can hold MAX to {bound} elsewhere",
        ),
        "star2 alpha": (
            "Star2 alpha cutoff",
            f"by the moves of MIN probed so far, with all other outcomes the best possible, the mean "
            f"would be {value} at most; MAX has {bound} elsewhere",
        ),
        "star2 beta": (
            "Star2 beta cutoff",
            f"by the moves of MAX probed so far, with all other outcomes the worst possible, the mean "
            f"would be {value} at least; MIN can hold MAX to {bound} elsewhere",
        ),
        "probed": ("Star2 probe", "one move gives a bound; the others may be searched later"),
        "nothing to gain": ("nothing to gain", f"{value} is the best possible value: no move is better"),
        "shallow": (
            "shallow pruning",
            f"{role} already has {value}, so the player who chose this position gets less here than "
            "elsewhere",
        ),
    }
    return proofs.get(why, (why, ""))
