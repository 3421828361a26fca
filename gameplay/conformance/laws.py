"""The laws of the contract in words, and what is said when one is broken."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, cast

from gameplay.conformance.observation import Observation
from gameplay.value import GUESS

# law: (what holds in every game, how to mend one where it does not)
LAWS = {
    "facts": (
        "the class says how many players there are, and names as many sides or none; phase() is the number "
        "of one of its phases, where it names any",
        "set players, zero_sum, chance, hidden, sides, aliases, phases, unit, swing, stake, low and high so "
        "that they agree; imperfect information needs an infoset(player) and a determinize(player, rng)",
    ),
    "parameters": (
        "every parameter of the constructor can be given as text",
        "give each parameter a default that is a number, a text, True or False",
    ),
    "turn": (
        "turn is a player from 0 up, or CHANCE while the game goes on in a class with chance = True",
        "set self.turn in make(), also for the move that ends the game; leave no CHANCE behind at the end",
    ),
    "moves": (
        "moves() is a list of distinct whole numbers from 0 up, and never empty while outcome() is None",
        "number the moves from 0; where no move is possible, make a pass a move or end the game in outcome()",
    ),
    "outcome": (
        "outcome() is None or one payoff a player; they sum to 0 with zero_sum, and differ with drawless",
        "return a tuple of as many numbers as players; set zero_sum = False if they need not sum to 0",
    ),
    "bounds": (
        "no payoff is less than low or more than high, nor all of them together more than total; no guess of "
        "evaluate_for() either, in unit, save where it is evaluate()",
        "set low, high and total to what the rules allow, or leave them out; keep guesses within them",
    ),
    "chances": (
        "at a chance position there is one probability a move, none negative, and they sum to 1",
        "return from chances() a list as long as moves(), in the same order",
    ),
    "key": (
        "key() is made of ints, floats, strings, bytes, None and tuples of them; infoset() can be hashed",
        "turn lists into tuples, sets into sorted tuples; or leave key() out, the default is right",
    ),
    "diagram": (
        "diagram() is one line of text, and the same player is on turn wherever it is the same",
        "write into it all that lies on the board and who moves; or leave diagram() out",
    ),
    "futures": (
        "equal keys mean equal futures: the same mover, moves, outcome, guess, diagram and following keys",
        "put everything into key() that the rest of the game depends on, whose turn it is among it",
    ),
    "infoset": (
        "a mover has the same moves wherever their infoset is the same",
        "put everything into infoset(player) that the player sees, all that decides their moves among it",
    ),
    "determinize": (
        "determinize(player, rng) draws a position with the same infoset for that player, and equal seeds of "
        "rng draw equal positions",
        "draw only what infoset(player) does not contain, from rng alone, and share no list or dict with the "
        "original",
    ),
    "worlds": (
        "determinize(player, rng) draws every position that fits, as often as chance brings it about, what "
        "others chose unseen counting as if all their choices were alike; equal seeds draw the same",
        "draw from rng alone, and whole deals or ways to play rather than one thing after the other, unless "
        "each is drawn by the number of ways to go on from it",
    ),
    "recall": (
        "with perfect_recall infoset(player) holds all that they knew and chose when they moved",
        "put a player's own moves and all they have seen into infoset(player), in order; or leave it False",
    ),
    "views": (
        "while a game is in progress board(viewer), show(viewer), news() and the mover's words are the same "
        "wherever the infoset is",
        "draw and describe only what infoset(viewer) holds, other hands as BACK, and in news() what all "
        "players know; viewer None sees everything",
    ),
    "shown": (
        "infoset(player) contains no more than the player was shown: it is the same wherever all views and "
        "moves that they saw from the start on are the same",
        "leave out of infoset(player) what board(player), show(player) and the words of the moves they saw "
        "do not show; or show it",
    ),
    "sees": (
        "who sees a move knows it by its infoset too",
        "return True from sees(player, move) only if infoset(player) after the move identifies it",
    ),
    "noisy": (
        "noisy() gives some of moves(), none twice",
        "return from noisy() only moves that moves() gives at the same position",
    ),
    "policies": (
        "policy_moves(policy) gives some of moves(), at least one, none twice, for each of policies",
        "return from policy_moves(policy) only moves that moves() gives, or all of them",
    ),
    "evaluate": (
        f"evaluate() and evaluate_for() are whole numbers from {-GUESS} to {GUESS}; for two whose gains "
        "cancel evaluate_for(player) is evaluate() from the player's view",
        "round the guess with int(); wins are not for evaluate() but for outcome(); leave evaluate_for() out "
        "in games for two whose gains cancel, the default is right",
    ),
    "cost": (
        "cost(move) of every legal move of a puzzle is a whole number from 1 up",
        "let every move cost at least 1; multiply all costs if some are fractions",
    ),
    "estimate": (
        "estimate() is a whole number from 0 up, never more than the rest of the way costs, so 0 at a goal",
        "count no move twice; where unsure, take the greatest of several estimates that hold, not their sum",
    ),
    "consistent": (
        "a move makes a consistent estimate() less by its cost at most",
        "mend the estimate, or list it in heuristics as Heuristic(name, words, consistent=False)",
    ),
    "words": (
        "parse(format(move)) is the move, format() is one word, and parse() refuses others with IllegalMove",
        "give each move its own word without spaces; in parse() raise gameplay.errors.IllegalMove",
    ),
    "asking": (
        "asking a position anything does not change it",
        "change the position in make() and unmake() only; return new lists, not the position's own",
    ),
    "unmake": (
        "unmake() brings everything back as it was before make()",
        "undo in unmake() all that make() changes; or delete unmake() and put @undoable on make()",
    ),
    "replay": (
        "the same moves lead to the same position",
        "use no randomness in the rules: dice and deals are moves, made while turn is CHANCE",
    ),
    "text": (
        "setup(text()) brings the position back",
        "write all of the position in text(); or leave text() and setup() out: the moves are stored",
    ),
    "board": (
        "board() is None or a Board of even rows with a label each, and points at legal moves only",
        "count rows from the top and columns from the left, from 0, and leave moves empty at the end",
    ),
    "apart": (
        "two positions share nothing that changes",
        "make lists and dicts in __init__, not in the class or as a default argument",
    ),
    "prints": (
        "the game's code prints nothing",
        "return words from __str__(), format() and text(); the program prints them",
    ),
    "ends": (
        "the game comes to an end, unless it is a puzzle",
        "let outcome() end the game, by a limit on its length if by nothing else",
    ),
    "raises": ("the game's code raises nothing on legal moves", "see the line of the file named above"),
    "returns": ("each call comes back in time", "look for a loop that never ends"),
}

FAULTS = ("raises", "returns")  # the code failed, rather than the rules


@dataclass(frozen=True)
class Break:
    """A broken law: what was seen, and the moves that lead there."""

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
    def mend(self) -> str:
        """How to mend it, in a sentence."""
        return self.laws[self.law][1]


class Findings:
    """What a check came to: `broken` laws, of which `faults` say that code failed."""

    faults: ClassVar[tuple[str, ...]] = FAULTS
    broken: Sequence[Break]

    @property
    def faulty(self) -> bool:
        """True if code failed: a game's, rather than its rules; an engine's, so that it would lose a game."""
        return any(each.law in self.faults for each in self.broken)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        broken = [asdict(each) | {"statement": each.statement, "mend": each.mend} for each in self.broken]
        return asdict(cast("Any", self)) | {"broken": broken}


@dataclass(frozen=True)
class Untested:
    """A law that was not tested, or in part, and the reason."""

    law: str
    reason: str


@dataclass(frozen=True)
class Conformance(Findings):
    """The result of a check. `broken` has one entry per law, the shortest example first.

    `untested` lists laws that apply to the game and could not be tested, `warnings` what is no broken law but
    suggests a mistake.
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
