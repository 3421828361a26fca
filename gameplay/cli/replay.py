"""`replay`: step through a game that was kept."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gameplay.cli._options import COUNT, FILE, Drawing, drawing_options
from gameplay.errors import BadInput

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.matches.match import Match, Turn
    from gameplay.store.record import Record


@click.command(short_help="Step through a game that was kept")
@click.argument("file", type=FILE)
@click.option("--game", "number", type=COUNT, metavar="N", help="Game N of a file of many [1].")
@drawing_options("Print all of it, one fact a line.")
def command(file: Path, number: int | None, drawing: Drawing) -> None:
    """Step through the game in FILE: a saved game (`last`: the newest), or one that `selfplay --out` wrote.

    FILE may also be of another program: chess in .pgn, checkers in .pdn, Othello transcripts in .txt.

    On a terminal: right or space forward, left back, home and end, q leaves. Else all moves are printed.
    """
    import sys

    from gameplay import registry
    from gameplay.matches.match import Match
    from gameplay.players.nobody import Nobody
    from gameplay.store import saved
    from gameplay.store.record import restore

    if str(file) == "last" and not file.exists():
        kept = saved.saved()
        if not kept:
            raise BadInput(f"no game is saved yet in {saved.folder()}")
        file = kept[0].path
    record = saved.read(file, number, registry.game)
    game = registry.game(record.game)
    seats = [Nobody(spec) for spec in record.players]
    match = Match(game, seats, record.start, record.words, record.seed)
    restore(match, record)
    match.revealed = record.result is not None
    turns = list(match.turns)
    match.undo(len(turns))
    theme = drawing.theme()
    if theme.interactive:
        _step_through(match, turns, theme, record)
        return
    from gameplay.display.line import Teller
    from gameplay.matches.match import Event

    teller = Teller(theme, sys.stdout)
    teller.match = match
    teller(Event("begin"))
    for _ in turns:
        match.redo()
        teller(Event("move", match.turns[-1]))
    _end(match, record)
    teller(Event("end"))


def _end(match: "Match", record: "Record") -> None:
    """The end as it was recorded, where the rules did not make it."""
    if not match.over() and record.result is not None:
        match.payoffs, match.reason = tuple(record.result), record.reason


def _step_through(match: "Match", turns: "list[Turn]", theme: "Theme", record: "Record") -> None:
    from gameplay.display.prompt import browse
    from gameplay.display.screen import Screen

    screen = Screen(theme)
    screen.match = match

    def go(ply: int) -> str:
        """Show the game after `ply` moves."""
        match.undo(len(match.turns) - ply)
        match.redo(ply - len(match.turns))
        if ply == len(turns):
            _end(match, record)
        screen.look(ply - 1)
        where = f"move {ply} of {len(turns)}"
        if match.over():
            from gameplay.display.panel import result

            return f"{where}; {result(match)}"
        return where

    browse(screen, len(turns), go)
