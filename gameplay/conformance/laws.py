"""The laws of the contract in words, how to fix a violation, and the result of a check."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, cast

from gameplay.conformance.observation import Observation
from gameplay.value import MAX_EVAL

# law: (what holds in every game, how to fix a game where it does not)
LAWS = {
    "facts": (
        "the class gives the number of players and a name for each side, or no names; phase() is the number "
        "of one of its phases, if it names any",
        "set players, zero_sum, chance, hidden, sides, aliases, phases, unit, quiet_margin, stake, low, high "
        "consistently; imperfect information needs an infoset(player) and a determinize(player, rng)",
    ),
    "parameters": (
        "every parameter of the constructor can be given as text",
        "give each parameter a default that is a number, a text, True or False",
    ),
    "turn": (
        "turn is a player from 0 up, or CHANCE during a game whose class has chance = True",
        "set self.turn in make(), also for the move that ends the game; leave no CHANCE behind at the end",
    ),
    "moves": (
        "moves() is a list of distinct integers from 0 up, and never empty while outcome() is None",
        "number the moves from 0; where no move is possible, make a pass a move or end the game in outcome()",
    ),
    "outcome": (
        "outcome() is None or one payoff a player; they sum to 0 with zero_sum, and differ with drawless",
        "return a tuple of as many numbers as players; set zero_sum = False if they need not sum to 0",
    ),
    "bounds": (
        "every payoff is from low to high, and their sum at most total; so is every value of evaluate_for(), "
        "in unit, unless it is evaluate()",
        "set low, high and total to what the rules allow, or leave them out; keep evaluations within them",
    ),
    "chances": (
        "at a chance position chances() has one probability per move, none negative, and they sum to 1",
        "return from chances() a list as long as moves(), in the same order",
    ),
    "key": (
        "key() is made of ints, floats, strings, bytes, None and tuples of them; infoset() can be hashed",
        "convert lists to tuples and sets to sorted tuples; or leave key() out: the default is correct",
    ),
    "diagram": (
        "diagram() is one line of text, and equal diagrams have the same player to move",
        "write the whole board and the player to move into it; or leave diagram() out",
    ),
    "futures": (
        "equal keys mean equal futures: player to move, moves, outcome, evaluation, diagram and next keys",
        "put everything that the rest of the game depends on into key(), with the player to move",
    ),
    "infoset": (
        "positions with equal infosets for the player to move have the same moves",
        "put everything that the player sees into infoset(player), with all that their moves depend on",
    ),
    "determinize": (
        "determinize(player, rng) samples a position with the same infoset for that player, and equal seeds "
        "of rng give equal positions",
        "sample only what infoset(player) does not contain, use rng for every random choice, and share no "
        "list or dict with the original",
    ),
    "worlds": (
        "determinize(player, rng) samples every consistent position with its probability, where hidden "
        "choices of other players are equally likely; equal seeds give the same",
        "use rng for every random choice, and sample a whole deal at once: to sample its parts one by one, "
        "weight each by the number of its continuations",
    ),
    "recall": (
        "with perfect_recall infoset(player) contains all that the player knew and chose at earlier moves",
        "put a player's own moves and all they have seen into infoset(player), in order; or set it to False",
    ),
    "views": (
        "during a game, positions with equal infosets have equal board(viewer), show(viewer), news() and "
        "move words",
        "draw and describe only what infoset(viewer) contains, other hands as BACK, and in news() what all "
        "players know; viewer None sees everything",
    ),
    "shown": (
        "infoset(player) contains no more than the player was shown: equal views and visible moves from the "
        "start give equal infosets",
        "remove from infoset(player) what board(player), show(player) and the words of visible moves do not "
        "show; or show it",
    ),
    "sees": (
        "the infoset of a player who sees a move identifies it",
        "return True from sees(player, move) only if infoset(player) after the move identifies it",
    ),
    "noisy": (
        "noisy() is a subset of moves(), without duplicates",
        "return from noisy() only moves that moves() returns at the same position",
    ),
    "policies": (
        "policy_moves(policy) is a non-empty subset of moves(), without duplicates, for each of policies",
        "return from policy_moves(policy) only moves that moves() returns, or all of them",
    ),
    "evaluate": (
        f"evaluate() and evaluate_for() are integers from {-MAX_EVAL} to {MAX_EVAL}; in zero-sum games for "
        "two evaluate_for(player) is evaluate() from the player's view",
        "round the value with int(); leave wins to outcome(); leave evaluate_for() out in zero-sum games for "
        "two: the default is correct",
    ),
    "cost": (
        "cost(move) of every legal move of a puzzle is an integer from 1 up",
        "let every move cost at least 1; multiply all costs if some are fractions",
    ),
    "estimate": (
        "estimate() is an integer from 0 up and never more than the cost of a solution: it is 0 at a goal",
        "count no move twice; of several admissible estimates take the maximum, not the sum",
    ),
    "consistent": (
        "a move reduces a consistent estimate() by at most its cost",
        "correct the estimate, or list it in heuristics as Heuristic(name, words, consistent=False)",
    ),
    "words": (
        "parse(format(move)) is the move, format() is one word, and parse() refuses others with IllegalMove",
        "give each move its own word without spaces; in parse() raise gameplay.errors.IllegalMove",
    ),
    "asking": (
        "methods other than make() and unmake() do not change the position",
        "change the position in make() and unmake() only; return new lists, not the position's own",
    ),
    "unmake": (
        "unmake() restores the position as it was before make()",
        "undo in unmake() all that make() changes; or delete unmake() and put @undoable on make()",
    ),
    "replay": (
        "the same moves lead to the same position",
        "use no randomness in the rules: dice and deals are moves, made while turn is CHANCE",
    ),
    "text": (
        "setup(text()) restores the position",
        "write the whole position in text(); or leave text() and setup() out: the moves are stored",
    ),
    "board": (
        "board() is None, or a Board of rows of equal length with a label each, whose moves are legal",
        "count rows from the top and columns from the left, from 0, and leave moves empty at the end",
    ),
    "apart": (
        "two positions share no mutable state",
        "make lists and dicts in __init__, not in the class or as a default argument",
    ),
    "prints": (
        "the game's code prints nothing",
        "return text from __str__(), format() and text(); the program prints it",
    ),
    "ends": (
        "the game ends, unless it is a puzzle",
        "let outcome() end the game; if nothing else does, limit its length",
    ),
    "raises": ("the game's code raises no exception on legal moves", "see the line of the file named above"),
    "returns": ("each call returns in time", "look for an infinite loop"),
}

FAULTS = ("raises", "returns")  # the code failed, rather than the rules


@dataclass(frozen=True)
class Break:
    """A broken law: what was observed, and the moves that lead there."""

    laws: ClassVar[Mapping[str, tuple[str, str]]] = LAWS

    law: str
    seen: str
    moves: tuple[str, ...]  # as words, for `--moves`
    drawing: str  # the position before it happened

    @property
    def statement(self) -> str:
        """The law in a sentence."""
        return self.laws[self.law][0]

    @property
    def fix(self) -> str:
        """The remedy in a sentence."""
        return self.laws[self.law][1]


class Findings:
    """The result of a check: the `broken` laws; those in `faults` mean that the code failed."""

    faults: ClassVar[tuple[str, ...]] = FAULTS
    broken: Sequence[Break]

    @property
    def faulty(self) -> bool:
        """True if the code failed: an exception or a timeout rather than wrong rules."""
        return any(violation.law in self.faults for violation in self.broken)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        broken = [
            asdict(violation) | {"statement": violation.statement, "fix": violation.fix}
            for violation in self.broken
        ]
        return asdict(cast("Any", self)) | {"broken": broken}


@dataclass(frozen=True)
class Untested:
    """A law that was not tested, or only in part, and the reason."""

    law: str
    reason: str


@dataclass(frozen=True)
class Conformance(Findings):
    """The result of a check. `broken` has one entry per law, the shortest example first.

    `untested` lists laws that apply to the game and could not be tested; `warnings` suggest mistakes that
    break no law.
    """

    game: str
    seed: int
    plays: int  # random games played
    finished: int  # ... to their end
    positions: int  # looked at, repetitions included
    keys: int  # distinct ones
    longest: int  # moves of the longest play
    branching: float  # legal moves at a position that is not over, on average
    observed: Observation
    warnings: list[str]
    untested: list[Untested]
    broken: list[Break]
