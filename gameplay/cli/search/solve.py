"""`gameplay solve`: the exact value of a position and of each of its moves, and the perfect line.

`--json` prints one document; values are on the scale of `gameplay.value`, from the view of `turn`:

    game, position, made [word, ...], turn, unit
    value      of the position; null where not every move is solved
    text       the same in words
    moves      [{move, value, text, line [word, ...], nodes, seconds, kept}, ...], the best first
    stopped    solved, time or interrupted
    nodes, seconds
"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gameplay.cli.common.options import FILE, Drawing, drawing_options, game_argument, json_option
from gameplay.cli.common.unsaved import attempt
from gameplay.errors import Unfinished, Usage

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.knowledge.knowledge import Knowledge
    from gameplay.matches.match import Match
    from gameplay.registry import Game
    from gameplay.search.engine import Engine
    from gameplay.store.solutions import Solution
    from gameplay.suites.solving import MoveSolved


@click.command(short_help="Solve a position: the exact value of every move")
@game_argument()
@click.option("--position", metavar="TEXT", default="", help="Solve this position [the start].")
@click.option("--moves", metavar="MOVES", default="", help='Make these moves first: "4 4 3".')
@click.option("--time", "seconds", type=float, metavar="SECONDS", help="Time limit in seconds [none].")
@click.option(
    "--table", metavar="SIZE", default="128MB", help="Size of the transposition table, as 1GB [128MB]."
)
@click.option(
    "--tables",
    "folder",
    type=FILE,
    metavar="FOLDER",
    help="Endgame tables to probe [those in your data folder, see gameplay table].",
)
@click.option("--no-book", is_flag=True, help="Do not probe the opening book that comes with the program.")
@click.option("--again", is_flag=True, help="Ignore stored solutions and solve again.")
@drawing_options("Print one move a line, each as soon as it is solved.")
@json_option("all of it")
def command(
    game: str,
    position: str,
    moves: str,
    seconds: float | None,
    table: str,
    folder: Path | None,
    no_book: bool,
    again: bool,
    drawing: Drawing,
    as_json: bool,
) -> int:
    """Solve a position of GAME: the exact value of every move, and the line of best play after it.

    GAME is a game of perfect information for two players, without chance; or bridge.

    \b
    gameplay solve tictactoe
    gameplay solve connect4 --moves "4 4 4 4 4 2"
    gameplay solve othello:size=4

    Solutions are stored move by move: after Ctrl-C the same command continues with the next move, and stored
    values are printed at once. For a deal of bridge it prints the tricks that each declarer takes in each
    strain with all cards open; once the auction is over, the tricks after each card. The exit status is 4 if
    the time ends before every move is solved.
    """
    from gameplay import registry
    from gameplay.capabilities import HasDoubleDummy
    from gameplay.matches.match import unplayed

    if seconds is not None and not seconds > 0:
        raise Usage(f"--time is more than 0 seconds, not {seconds:g}")
    chosen_game = registry.game(game)
    match = unplayed(chosen_game, position, moves.replace(",", " ").split())
    engine, _ = registry.engine(f"perfect:table={table}")
    theme = drawing.theme(plain=as_json)
    if isinstance(match.position, HasDoubleDummy):
        from gameplay.cli.common.double_dummy import solve

        return solve(match, seconds, engine.table_bits - 1, theme, as_json)
    _check(match)
    registry.fit(engine, match.position)
    if match.over():
        raise Usage("the game is over: there is nothing to solve")
    solution = _stored(match, again)
    if not as_json:
        _introduce(match, theme)
    sources = _sources(chosen_game, engine, folder, no_book)
    rows, stopped = _solved(match, engine, sources, seconds, solution, theme, as_json)
    if as_json:
        _print(match, rows, stopped)
    else:
        _conclude(match, rows)
    if stopped == "interrupted":
        raise KeyboardInterrupt
    return 0 if stopped == "solved" else Unfinished.status


def _check(match: "Match") -> None:
    """Raises Usage if no line of play proves a value of the game."""
    game, position = match.game.spec, match.position
    if position.hidden:
        raise Usage(
            f"solve requires a game of perfect information; {game} has hidden information. Small games of "
            "that kind: gameplay exploit kuhn"
        )
    if position.players == 1:
        raise Usage(f"solve requires two players; {game} is a puzzle. Try: gameplay selfplay {game}")
    if position.chance:
        raise Usage(
            f"solve requires a game without chance; {game} has chance nodes. Expected values: "
            f"gameplay analyse {game}"
        )


def _stored(match: "Match", again: bool) -> "Solution":
    """What is stored of the solution of the position; with `again`, an empty solution."""
    from gameplay.store import solutions

    text: str | None = match.ask("text()", match.position.text)
    if text is None:  # the position is defined by its moves only
        text = f"{match.start} {' '.join(match.words())}".strip()
    if again:
        return solutions.Solution(game=match.game.spec, position=text)
    return solutions.read(match.game.spec, text)


def _solved(
    match: "Match",
    engine: "Engine",
    sources: "list[Knowledge]",
    seconds: float | None,
    solution: "Solution",
    theme: "Theme",
    quiet: bool,
) -> "tuple[list[MoveSolved], str]":
    """Solve what `solution` lacks, storing each move; the moves, and how the search ended."""
    from gameplay.display.reports.solving import SolvingShown
    from gameplay.store import solutions
    from gameplay.suites.solving import MoveSolved, solve

    def known(word: str) -> MoveSolved | None:
        one = solution.moves.get(word)
        if one is None:
            return None
        return MoveSolved(word, one.value, tuple(one.line), one.nodes, one.seconds, kept=True)

    with SolvingShown(match, theme, quiet=quiet) as shown:

        def done(row: MoveSolved) -> None:
            assert row.value is not None
            solution.moves[row.word] = solutions.KeptMove(row.value, list(row.line), row.nodes, row.seconds)
            attempt(solutions.write, solution)
            shown.done(row)

        rows, stopped = solve(match, engine, sources, seconds, known, shown.show, done)
        shown.finish(rows)
    return rows, stopped


def _introduce(match: "Match", theme: "Theme") -> None:
    """What is to be solved; with the board for people."""
    from gameplay.display.board.drawing import draw, largest

    board = match.board() if theme.interactive else None
    if board is not None:
        theme.console.print(draw(board, theme, largest(board, theme.console.width, 14, theme)))
    click.echo(f"{match.game.spec}: {match.side(match.position.turn)} to move")


def _sources(game: "Game", engine: "Engine", folder: Path | None, no_book: bool) -> "list[Knowledge]":
    """What to ask: the book that comes along, and tables in a folder that was named, or that were built."""
    from gameplay.cli.common.tables import folder_of
    from gameplay.knowledge.tables.tables import TABLES, shelf_of
    from gameplay.players.knowledge import opened, unasked

    paths = {} if no_book else unasked(engine, game)
    place = folder_of(game, folder)
    if folder is not None or (place.is_dir() and shelf_of(place, game).files):
        paths[TABLES] = str(place)
    return [opened(name, path, game) for name, path in paths.items()]


def _conclude(match: "Match", rows: "list[MoveSolved]") -> None:
    from gameplay.display.reports import solving as picture

    value = picture.verdict(match, rows)
    click.echo(f"\nvalue   {value or 'not known yet'}")
    if effort := picture.effort(rows):
        click.echo(f"effort  {effort}")
    unsolved = sum(row.value is None for row in rows)
    if unsolved:
        click.echo(f"left    {unsolved} of {len(rows)} moves; the same command goes on with them")


def _print(match: "Match", rows: "list[MoveSolved]", stopped: str) -> None:
    import json

    from gameplay.display.reports import solving as picture
    from gameplay.suites.solving import ranked
    from gameplay.tracing.documents import place

    values = [row.value for row in rows if row.value is not None]
    whole = len(values) == len(rows)
    document = {
        **place(match),
        "turn": match.side(match.position.turn),
        "unit": match.position.unit,
        "value": max(values) if whole else None,
        "text": picture.verdict(match, rows) if whole else None,
        "moves": [
            {
                "move": row.word,
                "value": row.value,
                "text": None if row.value is None else picture.value_text(match, row.value),
                "line": list(row.line),
                "nodes": row.nodes,
                "seconds": row.seconds,
                "kept": row.kept,
            }
            for row in ranked(rows)
        ],
        "stopped": stopped,
        "nodes": sum(row.nodes for row in rows),
        "seconds": sum(row.seconds for row in rows),
    }
    click.echo(json.dumps(document))
