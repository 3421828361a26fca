"""Solving from Python; shared with `gameplay solve`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gameplay import registry
from gameplay import value as scale
from gameplay.api.arguments import check_arguments
from gameplay.api.games import GameLike, game, game_at
from gameplay.board import Displayed
from gameplay.errors import Usage
from gameplay.knowledge.tables.tables import TABLES, open_folder
from gameplay.matches.match import Match, match_without_players
from gameplay.players.knowledge import default_knowledge
from gameplay.position import AbstractPosition
from gameplay.registry import Game, open_knowledge
from gameplay.store import solutions
from gameplay.store.paths import data_folder
from gameplay.suites.solving import MoveSolved, rank_moves
from gameplay.suites.solving import solve as solve_moves

if TYPE_CHECKING:
    from gameplay.knowledge.knowledge import Knowledge
    from gameplay.search.engine import Engine


@dataclass(frozen=True)
class SolvedGame(Displayed):
    """A solved position. Values are from the mover's view, on the scale of `gameplay.value`."""

    game: str
    turn: int  # the player to move, from 0
    side: str  # the name of that side
    unit: int  # one point of a payoff on the scale of values
    value: int | None  # of the position; None: not every move is solved
    moves: tuple[MoveSolved, ...]  # best first, unsolved ones last
    stopped: str  # solved, time or interrupted

    @property
    def best(self) -> MoveSolved | None:
        """A best move; None: not every move is solved."""
        return self.moves[0] if self.value is not None else None

    @property
    def line(self) -> tuple[str, ...]:
        """The line of perfect play, in words; empty if not every move is solved."""
        return self.best.line if self.best is not None else ()

    @property
    def text(self) -> str:
        """The value in words: "win in 5" (plies), "draw", "+3"; "" if not every move is solved."""
        return "" if self.value is None else scale.format_value(self.value, True, self.unit)

    @property
    def nodes(self) -> int:
        """Positions visited for all moves."""
        return sum(solved.nodes for solved in self.moves)

    @property
    def seconds(self) -> float:
        """Seconds for all moves."""
        return sum(solved.seconds for solved in self.moves)


@check_arguments
def solve(
    position: GameLike | AbstractPosition,
    *,
    moves: Sequence[str] = (),
    start: str = "",
    seconds: float | None = None,
    table: str = "16MB",
    tables: str | Path | None = None,
    books: bool = True,
    store: bool = False,
    watch: Callable[[list[MoveSolved]], object] | None = None,
) -> SolvedGame:
    """Compute the exact value of a position and of each of its moves, like `gameplay solve`.

    `position`: a position, or a game with `start`, a position in its notation ["": the standard start].
    `moves`, formatted, are made first. `seconds` limits the time (over 0); `table`: the size of the
    transposition table; `tables`: a folder of endgame tables; `books` False ignores opening books.
    `store` True continues from stored results, shared with the command, and stores new ones.
    `watch` is called with all moves while one is being solved. Ctrl-C raises KeyboardInterrupt.

    Raises Usage for a game with chance or imperfect information, a puzzle, and a game that is over, BadInput
    for a wrong position or move.
    """
    if seconds is not None and not seconds > 0:
        raise Usage(f"seconds must be more than 0, not {seconds:g}")
    given = position if isinstance(position, AbstractPosition) else None
    if given is not None and (start or store):
        raise Usage("start and store are for a game that is named; leave them out for a position")
    chosen = game(position) if not isinstance(position, AbstractPosition) else game_at(position)
    match = match_without_players(chosen, start, moves)
    engine, _ = registry.engine(f"perfect:table={table}")
    check_solvable(match, engine)
    solution = stored_solution(match, again=False) if store else solutions.Solution(game=chosen.spec)
    sources = known_sources(chosen, engine, None if tables is None else Path(tables), books)
    save = solutions.write if store else None
    rows, stopped = solve_stored(match, engine, sources, seconds, solution, save, watch)
    if stopped == "interrupted":
        raise KeyboardInterrupt
    return result(match, rows, stopped)


def result(match: Match, rows: list[MoveSolved], stopped: str) -> SolvedGame:
    """The result of solving the moves in `rows`."""
    values = [row.value for row in rows if row.value is not None]
    turn = match.position.turn
    return SolvedGame(
        game=match.game.spec,
        turn=turn,
        side=match.side(turn),
        unit=match.position.unit,
        value=max(values) if len(values) == len(rows) else None,
        moves=tuple(rank_moves(rows)),
        stopped=stopped,
    )


def check_solvable(match: Match, engine: "Engine") -> None:
    """Raises Usage if no line of play proves a value of the position."""
    game, position = match.game.spec, match.position
    if position.hidden:
        raise Usage(
            f"solve requires a game of perfect information; {game} has imperfect information. "
            "Try: gameplay exploit kuhn"
        )
    if position.players == 1:
        raise Usage(f"solve requires two players; {game} is a puzzle. Try: gameplay selfplay {game}")
    if position.chance:
        raise Usage(
            f"solve requires a game without chance; {game} has chance nodes. "
            f"Try: gameplay analyse {game} --seed 1"
        )
    registry.check_engine(engine, position)
    if match.over():
        raise Usage("the game is over: there is nothing to solve")


def stored_solution(match: Match, again: bool) -> solutions.Solution:
    """The stored solution of the position; with `again`, an empty one."""
    text: str | None = match.call_game("text()", match.position.text)
    if text is None:  # the position is defined by its moves only
        text = f"{match.start} {' '.join(match.words())}".strip()
    if again:
        return solutions.Solution(game=match.game.spec, position=text)
    return solutions.read(match.game.spec, text)


def known_sources(game: Game, engine: "Engine", folder: Path | None, books: bool) -> "list[Knowledge]":
    """The knowledge to probe: the bundled book, and the tables in `folder` or, if built, the default one."""
    paths = default_knowledge(engine, game) if books else {}
    place = tables_folder(game, folder)
    if folder is not None or (place.is_dir() and open_folder(place, game).files):
        paths[TABLES] = str(place)
    return [open_knowledge(name, path, game) for name, path in paths.items()]


def tables_folder(game: Game, folder: Path | None) -> Path:
    """The folder of a game's tables: `folder` if given, else the default."""
    return data_folder() / "tables" / str(game.name) if folder is None else folder.absolute()


def solve_stored(
    match: Match,
    engine: "Engine",
    sources: "list[Knowledge]",
    seconds: float | None,
    solution: solutions.Solution,
    save: Callable[[solutions.Solution], object] | None,
    watch: Callable[[list[MoveSolved]], object] | None,
    done: Callable[[MoveSolved], object] | None = None,
) -> tuple[list[MoveSolved], str]:
    """Solve the moves missing from `solution`, saving after each; return all moves and how it ended."""

    def known(word: str) -> MoveSolved | None:
        solved = solution.moves.get(word)
        if solved is None:
            return None
        return MoveSolved(word, solved.value, tuple(solved.line), solved.nodes, solved.seconds, kept=True)

    def keep(row: MoveSolved) -> None:
        assert row.value is not None
        solution.moves[row.word] = solutions.SolvedMove(row.value, list(row.line), row.nodes, row.seconds)
        if save is not None:
            save(solution)
        if done is not None:
            done(row)

    return solve_moves(match, engine, sources, seconds, known, watch or (lambda rows: None), keep)
