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

from gameplay.cli.common.options import (
    FILE,
    SECONDS,
    Drawing,
    OptionValue,
    drawing_options,
    game_argument,
    json_option,
    position_option,
    split_moves,
)
from gameplay.cli.common.unsaved import try_save
from gameplay.errors import Unfinished

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.knowledge.knowledge import Knowledge
    from gameplay.matches.match import Match
    from gameplay.options import Kind
    from gameplay.search.engine import Engine
    from gameplay.store.solutions import Solution
    from gameplay.suites.solving import MoveSolved


def _table_kind() -> "Kind":
    from gameplay.engines.perfect import Perfect

    return Perfect.kind("table")


@click.command(short_help="Solve a position: the exact value of every move")
@game_argument()
@position_option("Solve this position [the start].")
@click.option("--moves", metavar="MOVES", default="", help='Make these moves first: "4 4 3".')
@click.option("--time", "seconds", type=SECONDS, help="Time limit in seconds [none].")
@click.option(
    "--table",
    type=OptionValue(_table_kind, "128MB", "SIZE"),
    default="128MB",
    help="Size of the transposition table, such as 1GB [128MB].",
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
@drawing_options("Print one move per line, each as soon as it is solved.")
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
    from gameplay.api.solving import check_solvable, known_sources, stored_solution
    from gameplay.capabilities import HasDoubleDummy
    from gameplay.matches.match import match_without_players

    chosen_game = registry.game(game)
    match = match_without_players(chosen_game, position, split_moves(moves))
    engine, _ = registry.engine(f"perfect:table={table}")
    theme = drawing.theme(plain=as_json)
    if isinstance(match.position, HasDoubleDummy):
        from gameplay.cli.common.double_dummy import solve

        return solve(match, seconds, engine.table_bits - 1, theme, as_json)
    check_solvable(match, engine)
    solution = stored_solution(match, again)
    if not as_json:
        _print_heading(match, theme)
    sources = known_sources(chosen_game, engine, folder, not no_book)
    rows, stopped = _solve(match, engine, sources, seconds, solution, theme, as_json)
    if as_json:
        _print_json(match, rows, stopped)
    else:
        _print_result(match, rows)
    if stopped == "interrupted":
        raise KeyboardInterrupt
    return 0 if stopped == "solved" else Unfinished.status


def _solve(
    match: "Match",
    engine: "Engine",
    sources: "list[Knowledge]",
    seconds: float | None,
    solution: "Solution",
    theme: "Theme",
    quiet: bool,
) -> "tuple[list[MoveSolved], str]":
    """Solve what `solution` lacks, storing each move; the moves, and how the search ended."""
    from gameplay.api.solving import solve_stored
    from gameplay.display.reports.solving import SolvingShown
    from gameplay.store import solutions

    with SolvingShown(match, theme, quiet=quiet) as shown:
        rows, stopped = solve_stored(
            match,
            engine,
            sources,
            seconds,
            solution,
            lambda changed: try_save(solutions.write, changed),
            shown.show,
            shown.done,
        )
        shown.finish(rows)
    return rows, stopped


def _print_heading(match: "Match", theme: "Theme") -> None:
    """Print the position to solve; with the board for people."""
    from gameplay.display.board.drawing import draw, largest

    board = match.board() if theme.interactive else None
    if board is not None:
        theme.console.print(draw(board, theme, largest(board, theme.console.width, 14, theme)))
    click.echo(f"{match.game.spec}: {match.side(match.position.turn)} to move")


def _print_result(match: "Match", rows: "list[MoveSolved]") -> None:
    from gameplay.display.reports import solving as picture

    value = picture.verdict(match, rows)
    click.echo(f"\nvalue   {value or 'not known yet'}")
    if effort := picture.format_effort(rows):
        click.echo(f"effort  {effort}")
    unsolved = sum(row.value is None for row in rows)
    if unsolved:
        click.echo(f"left    {unsolved} of {len(rows)} moves; the same command continues")


def _print_json(match: "Match", rows: "list[MoveSolved]", stopped: str) -> None:
    import json

    from gameplay.display.reports import solving as picture
    from gameplay.suites.solving import rank_moves
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
                "text": None if row.value is None else picture.format_value(match, row.value),
                "line": list(row.line),
                "nodes": row.nodes,
                "seconds": row.seconds,
                "kept": row.kept,
            }
            for row in rank_moves(rows)
        ],
        "stopped": stopped,
        "nodes": sum(row.nodes for row in rows),
        "seconds": sum(row.seconds for row in rows),
    }
    click.echo(json.dumps(document))
