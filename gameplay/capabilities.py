"""What only some games offer, one protocol each: what the game defines, and which command or screen uses it.

A game offers a capability by defining its members; it need not derive from the protocol. Test a position
with `isinstance(position, HasTerritory)`, and a class with `isinstance(game.cls, HasRecordFormat)`. Such a
test takes tens of microseconds, so a search makes none. What every game has, with a default where it
defines nothing, is in `gameplay.position`; what compiled games define for engines is in `gameplay.kernel`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MethodType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, runtime_checkable

import msgspec

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random


Solved = TypeVar("Solved", contravariant=True)  # the positions of a game that its solver values


class StopSignal(Protocol):
    """A stop signal that a game's solver polls: the `Control` of a search, or any other object with it."""

    def expired(self) -> bool:
        """True if the solver must stop."""
        ...


class HasSides(Protocol):
    """An object whose players have names: a position, the tree of a game. See `gameplay.position.side`."""

    @property
    def players(self) -> int: ...

    @property
    def sides(self) -> tuple[str, ...]: ...


# -- of an evaluation -------------------------------------------------------------------------------


@runtime_checkable
class HasPolicy(Protocol):
    """An evaluation that may have been learned with a policy: `mcts` then selects by PUCT."""

    def policy(self, position: object) -> Any:
        """The `gameplay.search.policy.PolicyEstimator` for a position; None: it has none."""
        ...


@runtime_checkable
class PolicyLookup(Protocol):
    """A policy for positions, such as learned tables."""

    def of(self, position: object) -> tuple[float, dict[int, float]]:
        """The expected result of the first player, -1 to 1, and the probability of each legal move."""
        ...


# -- of a position ----------------------------------------------------------------------------------


@runtime_checkable
class HasParts(Protocol):
    """An evaluation that is a sum of others (chess)."""

    def parts(self, position: Any) -> "Mapping[str, int]":  # Any: a position of its game
        """The summands of `evaluate`, by name, from the mover's view."""
        ...


class DealSolver(Protocol[Solved]):
    """Values the moves of positions with all open: see `Position.dealt_solver`."""

    @property
    def nodes(self) -> int:
        """All positions that it visited."""
        ...

    def values(self, position: Solved, node_limit: int) -> Mapping[int, float] | None:
        """The value of each move for the mover, in `unit`.

        None if a stop request or `node_limit` visited positions (0: any number) ended it.
        """
        ...

    def facts(self) -> str:
        """Additional facts about the moves, for reports."""
        ...

    def words(self, move: int) -> str:
        """The result of a move in the last position, in words."""
        ...


class ModelSearch(Protocol):
    """Values the moves of a position by a model of what the others do."""

    @property
    def nodes(self) -> int:
        """All positions that it visited."""
        ...

    def moves(self) -> Sequence[int]:
        """The moves to value where none are named."""
        ...

    def values(self, moves: Sequence[int], sample: int, node_limit: int) -> Mapping[int, float] | None:
        """The value of each of these moves for the mover, in points, in one sample of the hidden information.

        Samples are numbered from 1, and a number is the same sample each time; 0 is a quick estimate instead.
        None if a stop request or `node_limit` visited positions (0: any number) ended it.
        """
        ...


@runtime_checkable
class HasModel(Protocol):
    """A game of imperfect information with a model of its players: the engine `miximax` (hold'em)."""

    def model_search(self, control: StopSignal | None, seed: int) -> ModelSearch:
        """The search of this position, which sees no more than the player on turn; `control` ends it."""
        ...


@runtime_checkable
class HasMeasuredModel(HasModel, Protocol):
    """The model has been measured: `miximax` may be the default engine (heads-up no-limit hold'em)."""

    @property
    def model_measured(self) -> bool:
        """True if matches showed that `miximax` wins with it."""
        ...


@runtime_checkable
class HasSolver(Protocol):
    """A game that may have a solver of its own: compiled games, see `Kernel.solver`."""

    def solver(self, size: int) -> Any:  # Any: solvers are of `search`, above this module
        """A `gameplay.search.solver.Solver` with 2**size entries; None where it does not apply."""


class DoubleDummySolver(Protocol):
    """Solves deals of bridge."""

    control: StopSignal | None

    @property
    def nodes(self) -> int:
        """Tricks visited so far."""
        ...


class ParContract(Protocol):
    """A contract that makes par."""

    @property
    def bid(self) -> str:
        """Level and strain: 4S."""
        ...

    @property
    def declarer(self) -> int: ...


class ParResult(Protocol):
    """Par of a deal."""

    @property
    def score(self) -> int:
        """The score of the first pair."""
        ...

    @property
    def contracts(self) -> Sequence[tuple[ParContract, int]]:
        """The contracts, each with its tricks over or, below 0, under."""
        ...


@runtime_checkable
class HasMarks(Protocol):
    """A compiled game with more to see than `Kernel.read_cells` writes: castling, a pass (chess, go)."""

    mark_names: tuple[str, ...]

    def cell_marks(self) -> tuple[int, ...]:
        """For each of `mark_names` its cells as bits, the first cell the lowest, in the order of cells."""
        ...


@runtime_checkable
class HasBreakdown(Protocol):
    """The score of a finished game is a sum that can be shown: area and komi (go)."""

    def breakdown(self) -> Sequence[str]:
        """The summands of the score, a line a side."""


class TerritoryEstimate(Protocol):
    """An estimate of territory."""

    owned: dict[tuple[int, int], int]  # cell of the board, by row and column -> the player who owns it
    lead: float  # of the first player, in points


@runtime_checkable
class HasTerritory(Protocol):
    """Territory can be estimated while the game is in progress: command `territory` at the board (go)."""

    def territory(self) -> TerritoryEstimate:
        """The likely owner of each point at the end."""
        ...

    def ownership(self, playouts: int = 200, seed: int = 0) -> Mapping[int, float]:
        """The mean owner of each point at the end of playouts, by number: from 1, always player 0, to -1."""
        ...


@runtime_checkable
class HasDeadStones(Protocol):
    """The players agree on dead stones after the game: command `dead` at the board (go)."""

    def chains(self) -> Sequence[tuple[int, ...]]:
        """The chains of stones, each as the numbers of its points."""
        ...

    def dead_chains(self) -> Sequence[tuple[int, ...]]:
        """The chains that are estimated to be dead."""
        ...

    def owner(self, point: int) -> int:
        """The player whose stone is on a point."""
        ...

    def point_number(self, text: str) -> int:
        """The number of the point that `text` names. Raises IllegalMove."""
        ...

    def lead_without(self, points: set[int]) -> float:
        """The lead of the first player, in points, without the stones on `points`."""
        ...


@runtime_checkable
class IsExplicitTree(Protocol):
    """A position of a tree given node by node: its drawing lists the payoffs of all leaves (tree)."""

    title: str
    root: object


@runtime_checkable
class HasClaims(Protocol):
    """Draws that a player must claim: command `draw` at the board, and the line on the result (chess)."""

    def claim(self) -> str:
        """The reason for which the side to move may claim a draw; "" if there is none."""
        ...


@runtime_checkable
class HasBidding(Protocol):
    """Calls with a meaning in a bidding system: commands `why`, `auction` (bridge)."""

    @property
    def calling(self) -> bool:
        """True if the next move is a call."""
        ...

    def meaning(self, move: int) -> str:
        """The meaning of a legal move in this position; "" if it has none."""
        ...

    def auction(self) -> list[str]:
        """The calls so far, each with its meaning; then the system that gives them."""
        ...


@runtime_checkable
class HasTricks(Protocol):
    """Cards are played in tricks: command `trick` at the table (bridge, hearts)."""

    def last_trick(self) -> str:
        """The last complete trick of the deal, who led and who took it; "" before there is one."""
        ...


class Beginning(NamedTuple):
    """A way in which a game can begin, as an answer in the start menu."""

    options: dict[str, str]  # parameters of the game
    name: str
    words: str  # what it means


@runtime_checkable
class HasBeginnings(Protocol):
    """Begins in one of several ways: the start menu offers them; the default is the first."""

    beginning: str  # the question
    beginnings: Sequence[Beginning]


@runtime_checkable
class PlacesPieces(Protocol):
    """Players place pieces before the first move: command `auto` at the board (battleship, stratego)."""

    def random_placements(self, rng: "Random") -> Sequence[int]:
        """Moves of the player on turn that place all their pieces left at random; [] if none are left."""
        ...


@runtime_checkable
class HasSetups(Protocol):
    """Whole set-ups are placed by name, and players can save their own: command `setup` (stratego)."""

    @property
    def setup_kind(self) -> str:
        """The kind of set-ups: those of one kind share a file."""
        ...

    @property
    def setup_names(self) -> Sequence[str]:
        """The set-ups that the game has itself."""
        ...

    def setup_rows(self, player: int) -> list[str]:
        """A player's set-up: rows from the player's back row on; [] until it is complete."""
        ...

    def setups_in(self, path: "Path") -> Mapping[str, list[str]]:
        """The set-ups of a file by name. Raises BadInput, OSError."""
        ...

    def setup_moves(self, rows: Sequence[str]) -> list[int]:
        """Moves of the player on turn that place a set-up; [] where it is too late. Raises BadInput."""
        ...


@runtime_checkable
class ChoosesInSecret(Protocol):
    """Players choose what no other player sees yet, and may choose again: `undo` is free then (hearts).

    `in_turn`: they choose one by one in turn, and see nothing of what the others chose in between.
    """

    in_turn: bool

    @property
    def choosing(self) -> bool:
        """True while the player on turn chooses so, and learns nothing from it."""
        ...


@runtime_checkable
class PublishesHidden(Protocol):
    """Something of a move is known to players who do not see it: how many tiles are exchanged."""

    def public_report(self) -> str:
        """The public facts of the last move, a sentence with its player; "" if only that it was made."""
        ...


@runtime_checkable
class OrdersMoves(Protocol):
    """Moves have an order of their own in lists, where that of their names misleads (bridge, hearts)."""

    def in_order(self, moves: Sequence[int]) -> list[int]:
        """The moves as players list them."""
        ...


@runtime_checkable
class ExplainsMoves(Protocol):
    """Errors of typed moves give the reason, which `parse` of every position requests (othello, nim, pig)."""

    def why_illegal(self, text: str) -> str:
        """Why `text` is not a legal move here, a clause: `column 4 is full`; "" if it is not like a move.

        It depends only on information of the player to move."""
        ...


@runtime_checkable
class HasDoubleDummy(Protocol):
    """A deal that can be solved with all cards open: `gameplay solve` (bridge)."""

    declarer: int | None  # of the contract; None before the play
    declaring: bool  # in the play: the declarer's side plays the next card

    def new_solver(self, bits: int) -> DoubleDummySolver:
        """A solver with a table of 2**bits entries; it counts `nodes` and stops by its `control`."""
        ...

    def first_strains(self, solver: DoubleDummySolver) -> Iterator[tuple[int, list[int] | None]]:
        """Each strain, and the tricks of each declarer from the first trick; None if `solver` was stopped."""
        ...

    def double_dummy(self, solver: DoubleDummySolver) -> Iterator[tuple[int, int | None]]:
        """In the play: each legal card, and the declarer's tricks after it; None if `solver` was stopped."""
        ...

    def par(self, tricks: Sequence[Sequence[int]]) -> ParResult:
        """Par of the deal, from the tricks of each declarer by strain: `score` and `contracts`."""
        ...


class PieceCounts(NamedTuple):
    """The pieces of one kind in a quotient of both sides' material."""

    piece: str
    counts: tuple[int, int]  # by player
    value: float  # of one


@runtime_checkable
class HasTermReader(Protocol):
    """All terms of a linear evaluation can be counted in one pass (checkers, chess, othello)."""

    def term_reader(self, evaluation: Any) -> Any:  # Any: of `position` and `terms`, above this module
        """A `gameplay.terms.reader.TermReader` for one of its evaluations; None: there is none."""
        ...


@runtime_checkable
class HasQuotient(Protocol):
    """An evaluation may divide one side's material by the other's: `gameplay show --terms` (chess)."""

    def quotient(self) -> tuple[PieceCounts, ...]:
        """The piece counts that the evaluation in use divides; empty if it does not divide."""
        ...


@runtime_checkable
class HasNetworkInputs(Protocol):
    """The game describes positions to neural networks by more than cells: `gameplay learn --network`."""

    def network_inputs(self) -> Any:
        """The `gameplay.games.shared.network_inputs.NetworkInputs` for positions of this class."""
        ...


@runtime_checkable
class HasBearoff(Protocol):
    """Checkers are borne off as in backgammon: `gameplay table` and the option `bearoff` (backgammon)."""

    on_roll: int  # the player whose roll is next or was last
    cube: int  # 0: no doubling cube
    match: int  # the points that it is played for; 0: no match

    def checkers(self, player: int) -> Sequence[int]:
        """A player's checkers: borne off, on the points 1 to 24 as the player counts them, on the bar."""
        ...

    def lay_out(self, own_home: Sequence[int], opponent_home: Sequence[int]) -> None:
        """Set up checkers on the points 1 to 6 of player 0, who is to roll, and of player 1."""
        ...


@runtime_checkable
class GoBoard(Protocol):
    """Go with its parameters: `gameplay gtp` and `katago`, GTP engines and KataGo as players (go)."""

    columns: int
    rows: int
    komi: float
    rules: str
    ko: str
    suicide: bool
    handicap: int
    unit: int
    scored: bool

    def stones(self) -> Sequence[Sequence[str]]:
        """The board in rows from the top: "X" for Black, "O" for White, "" for an empty point."""
        ...


@runtime_checkable
class OthelloBoard(Protocol):
    """Othello, in the text of GGF: NBoard engines as players (othello)."""

    size: int  # squares a side; NBoard has 8

    def disc(self, y: int, x: int) -> str:
        """The disc on a square: "X" for Black, "O" for White, "" for none."""
        ...


@runtime_checkable
class PlaysDraughts(Protocol):
    """Draughts on numbered squares: PDN files, and programs that speak Hub or DXP (checkers, draughts)."""

    @property
    def game_type(self) -> str:
        """The GameType of PDN: its number, who begins, columns and rows, notation: `20,W,10,10,N2,0`."""
        ...

    def fen(self) -> str:
        """The pieces and the side to move, without the past: `B:W18,24,K10:B12,K22`."""
        ...

    def squares(self) -> str:
        """A letter for each square in the order of their numbers: w, b men, W, B kings, e empty."""
        ...

    def route(self, move: int) -> tuple[int, int, tuple[int, ...]]:
        """The start and end square of a legal move and the squares of the captured pieces, as numbers."""
        ...


@runtime_checkable
class HasNullMove(Protocol):
    """A move can be left to the other side though the rules do not: traces of null moves (compiled games)."""

    def make_null(self) -> bool:
        """Leave the move to the other side; False if that proves nothing."""
        ...

    def unmake_null(self) -> None:
        """Take that back."""
        ...


class PuzzleDatabase(Protocol):
    """A pattern database of a puzzle, which may not be built yet."""

    name: str
    size: int  # in bytes
    path: "Path"

    def load(self) -> None:
        """Map the file into memory. Raises Usage if it is not built, BadInput if it is damaged."""
        ...

    def build(self, progress: Callable[[int, int], object]) -> None:
        """Compute the database and write its file; `progress(done, total)` is called now and then."""
        ...


@runtime_checkable
class HasPatternDatabases(Protocol):
    """A puzzle with pattern databases: `gameplay patterns`, and the heuristic of hints (puzzle15)."""

    def databases(self) -> Mapping[str, PuzzleDatabase]:
        """The databases by name, the default first."""
        ...

    def database(self, name: str = "") -> PuzzleDatabase:
        """The database of this name, or the default one. Raises Usage."""
        ...

    def built_heuristics(self) -> list[str]:
        """The heuristics whose databases are built, the fastest to load first."""
        ...


@runtime_checkable
class HasLevels(Protocol):
    """A game with levels other than the usual ones: players `level:N`, and `gameplay levels` (tictactoe)."""

    @property
    def levels(self) -> Sequence[tuple[int | None, float]] | None:
        """The plies searched and the error rate of each level, see `gameplay.players.level.LEVELS`.

        Empty or None with these parameters: the usual levels; None: not those measured for this game either.
        """
        ...


@runtime_checkable
class PlayersResign(Protocol):
    """Players resign a lost game rather than play it out: default of the option `resign` of mcts (go)."""

    given_up: bool


# -- of a class -------------------------------------------------------------------------------------


@runtime_checkable
class HasRecordFormat(Protocol):
    """A standard file format for its records: `gameplay run export`, saving and loading, openings of runs."""

    records: str  # the suffix: ".pgn"


@runtime_checkable
class HasExportFormats(Protocol):
    """Custom formats for games of a run: `gameplay run export`."""

    export_formats: Mapping[str, Callable[[Any, Any], str]]  # suffix -> write(header, kept), text of one game


@runtime_checkable
class ForPlayers(Protocol):
    """Other numbers of players need another class: parameter `players` (connect4, tictactoe)."""

    for_players: Callable[[int], type]  # the class for a number of players


@runtime_checkable
class Bounded(Protocol):
    """A compiled game: its fixed-size data holds only some values of its parameters.

    `fits` has the signature of the constructor, which compiled classes do not expose; the registry uses the
    pure Python class where it returns False.
    """

    fits: Callable[..., bool]  # True if the compiled class can hold a game with these parameters


# -- beside a game ----------------------------------------------------------------------------------


class Ending(msgspec.Struct, frozen=True):
    """Endgame positions of one material, or equally near to the end of the game."""

    name: str  # as players type it; with the oracle `tables` the name of a table: KRvK
    words: str  # king and rook against king
    draw: Callable[["Random"], str]  # a random position as text, which the game may refuse with BadInput
    holds: bool = False  # drawn positions are set too: the mover must hold the draw
    offered: bool = True  # set without being named
    pieces: int = 0  # with the oracle `bearoff`: maximum number of checkers of a side
    level: Callable[[str], int] | None = None  # of a position, where it is known without its values
    levels: tuple[int, ...] = (1, 2, 3, 4, 5)  # those of which there are positions


class Endgames(msgspec.Struct, frozen=True):
    """The endgames of a game that can be trained: `ENDGAMES` in games/NAME/endgames.py.

    `oracle`: the source of values, of `gameplay.training.oracles.ORACLES`. `levels`: the greatest difficulty
    of a position of the levels 1 to 4, see `gameplay.training.endgames`. `win`: the name of a win with its
    distance: mate in 9. `spec`: the game with its parameters; "": the usual one. `nodes`: node limit of
    the solver for a position; positions beyond it are not set. `idle`: the move that changes nothing
    where nothing is left to gain, such as a pass, as it is typed; "": there is none.
    """

    oracle: str
    endings: tuple[Ending, ...]
    levels: tuple[int, int, int, int] = (4, 9, 15, 23)
    win: str = "win"
    spec: str = ""
    nodes: int = 400_000
    idle: str = ""


def record_suffix(game: type) -> str:
    """The suffix of the standard file format of a game's class: ".pgn"; "" if it has none."""
    return game.records if isinstance(game, HasRecordFormat) else ""


class MakesMoves(Protocol):
    """An object on which moves are made: a position."""

    def make(self, move: int) -> None: ...


UNCHECKED: dict[object, Callable[..., None]] = {}  # by a `make` that checks: without the check


def unchecked(position: MakesMoves) -> Callable[[int], None]:
    """The `make` of a position, without the check of `gameplay.games.shared.legality`: for searches."""
    plain = UNCHECKED.get(type(position).make)
    return position.make if plain is None else MethodType(plain, position)
