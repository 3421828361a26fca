"""Lists saved games, prints one, and steps through its moves."""

import shutil
import textwrap
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import click

from gameplay import value as scale
from gameplay.cli.common.advice import command_line
from gameplay.cli.common.width import columns, echo_err
from gameplay.errors import GameplayError
from gameplay.plural import plural
from gameplay.visible import one_line

# Other lines of the list: the count of older games, a blank line, the folder, two hints, the prompt.
FOOTER_LINES = 6

if TYPE_CHECKING:
    from gameplay.display.terminal.line import PlainOutput
    from gameplay.display.theme import Theme
    from gameplay.matches.match import Match
    from gameplay.players.player import Turn
    from gameplay.store.record import Record
    from gameplay.store.saved import Damaged, Saved


def show_list(as_json: bool = False, show_all: bool = False) -> None:
    """Print the saved games, numbered from the newest, which comes last.

    On a terminal only as many as fit into the window, unless `show_all`.
    """
    from gameplay.store import saved

    games, damaged = saved.scan_folder()
    if as_json:
        import json

        click.echo(json.dumps(_list_document(games, damaged)))
    elif not games and not damaged:
        click.echo(f"No games are saved yet; folder: {saved.folder()}")
    else:
        click.echo("\n".join(_list_lines(games, damaged, show_all)))


def _list_document(games: "Sequence[Saved]", damaged: "Sequence[Damaged]") -> dict[str, Any]:
    from gameplay.store import saved

    game_rows = [
        {
            "number": number,
            "name": saved_game.name,
            "file": str(saved_game.path),
            "game": saved_game.record.game,
            "players": saved_game.record.display_names,
            "date": saved_game.date,
            "moves": len(saved_game.record.moves),
            "unfinished": saved_game.unfinished,
            "stands": describe_result(saved_game.record),
        }
        for number, saved_game in enumerate(games, 1)
    ]
    damaged_rows = [{"file": str(file.path), "reason": file.reason} for file in damaged]
    return {"folder": str(saved.folder()), "games": game_rows, "damaged": damaged_rows}


def _list_lines(games: "Sequence[Saved]", damaged: "Sequence[Damaged]", show_all: bool) -> list[str]:
    from gameplay.store import saved

    width = columns()
    rows = _game_lines(games, width)
    shown = rows if show_all or not width else _fit_newest(rows, len(damaged))
    lines = []
    if older := len(rows) - len(shown):
        lines.append(
            f"{plural(older, 'older game')}: {command_line('gameplay', 'games', '--saved', '--all')}"
        )
    lines += [*shown, *(one_line(str(file)) for file in damaged)]
    lines += ["", f"Folder: {saved.folder()}"]
    if games:
        lines.append(f"Step through one: {command_line('gameplay', 'replay', 'N')}")
    if any(game.unfinished for game in games):
        lines.append(f"Resume one: {command_line('play', '--resume', 'N')}")
    return lines


def _game_lines(games: "Sequence[Saved]", width: int) -> list[str]:
    """The games in columns, the newest last; lines longer than `width` (0: any) are wrapped."""
    rows = [
        [
            str(number),
            saved_game.date,
            saved_game.record.game,
            _format_players(saved_game.record),
            _count_moves(saved_game.record),
            describe_standing(saved_game),
        ]
        for number, saved_game in reversed(list(enumerate(games, 1)))
    ]
    rows = [[one_line(cell) for cell in row] for row in rows]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(6)]
    lines: list[str] = []
    for row in rows:
        number, *cells = (
            cell.rjust(wide) if column in (0, 4) else cell.ljust(wide)
            for column, (cell, wide) in enumerate(zip(row, widths, strict=True))
        )
        line = "  ".join([number, *cells]).rstrip()
        indent = " " * (len(number) + 2)
        lines.append(textwrap.fill(line, width, subsequent_indent=indent) if 0 < width < len(line) else line)
    return lines


def _fit_newest(games: list[str], lines_below: int) -> list[str]:
    """The last games that fit into the window above `lines_below` other lines."""
    remaining_lines = shutil.get_terminal_size().lines - lines_below - FOOTER_LINES
    if sum(1 + game.count("\n") for game in games) <= remaining_lines:
        return games
    newest: list[str] = []
    for game in reversed(games):
        remaining_lines -= 1 + game.count("\n")
        if newest and remaining_lines < 0:
            break
        newest.insert(0, game)
    return newest


def note_damaged(damaged: "Sequence[Damaged]") -> None:
    """Print the number of damaged saved games that are skipped, and the command that lists them."""
    if damaged:
        noun = "1 saved game is" if len(damaged) == 1 else f"{len(damaged)} saved games are"
        echo_err(f"{noun} damaged and left out: {command_line('gameplay', 'games', '--saved')}")


def note_reviews(damaged: "Sequence[Damaged]") -> None:
    """Print the number of damaged reviews that are skipped, and the first of them."""
    if damaged:
        noun = "1 stored review is" if len(damaged) == 1 else f"{len(damaged)} stored reviews are"
        prefix = "" if len(damaged) == 1 else "first "
        echo_err(one_line(f"{noun} damaged and left out: {prefix}{damaged[0].path} ({damaged[0].reason})"))


def _format_players(record: "Record") -> str:
    return " - ".join(record.display_names)


def _count_moves(record: "Record") -> str:
    """The moves of the players, without deals and rolls."""
    from gameplay.position import CHANCE

    return plural(sum(move.player != CHANCE for move in record.moves), "move")


def describe_result(record: "Record") -> str:
    """The state or result of a saved game: `unfinished`, `white won`, `draw: agreed`."""
    if record.result is None:
        return "unfinished"
    result = record.result
    early_end = {"resigned": "resigned", "time": "lost on time"}.get(record.reason)
    if len(result) != 2 or result[0] != -result[1]:
        return ", ".join(
            f"{_side(record.game, seat)} {scale.format_payoff(payoff)}" for seat, payoff in enumerate(result)
        )
    if not result[0]:
        return f"draw {record.reason}" if record.reason in ("agreed", "claimed") else "draw"
    winner = 0 if result[0] > 0 else 1
    margin = f" by {scale.format_payoff(result[winner])}" if result[winner] != 1 and not early_end else ""
    return f"{_side(record.game, winner)} won{margin}" + (
        f", {_side(record.game, 1 - winner)} {early_end}" if early_end else ""
    )


def describe_standing(saved_game: "Saved") -> str:
    """As `describe_result`, with the game's number in its match: `x won; game 2 of games:5, in progress`."""
    text, sheet = describe_result(saved_game.record), saved_game.record.match
    if sheet is None:
        return text
    goes_on = ", in progress" if saved_game.unfinished and saved_game.record.result is not None else ""
    return f"{text}; game {len(sheet.played) + 1} of {sheet.form}{goes_on}"


@cache
def _side(spec: str, seat: int) -> str:
    """The name of a seat; its number if the game no longer exists."""
    from gameplay import registry
    from gameplay.position import side

    try:
        return side(registry.game(spec).new(), seat)
    except GameplayError:
        return f"player {seat + 1}"


def open_match(record: "Record") -> "tuple[Match, list[Turn]]":
    """The match of a record, at its start, and its turns."""
    from gameplay import registry
    from gameplay.matches.match import Match
    from gameplay.players.empty_seat import EmptySeat
    from gameplay.store.record import restore

    names = record.names or [""] * len(record.players)
    seats = [EmptySeat(spec, name) for spec, name in zip(record.players, names, strict=True)]
    match = Match(registry.game(record.game), seats, record.start, record.words, record.seed)
    restore(match, record)
    match.revealed = record.result is not None
    turns = list(match.turns)
    match.rewind(len(turns))
    return match, turns


def set_result(match: "Match", record: "Record") -> None:
    """Set the recorded result, if it does not follow from the rules or the players agreed on another."""
    if record.result is not None and (not match.over() or record.reason not in ("", "rules")):
        match.payoffs, match.reason = tuple(record.result), record.reason


def step_through(record: "Record", theme: "Theme", ply: int = 0) -> tuple[str, int] | None:
    """Show a record on a terminal, from the position after `ply` moves.

    Returns None, or how the user continues the game (`engine`, `same`) and the ply.
    """
    from gameplay.display.terminal.replay import Replay
    from gameplay.display.terminal.screen import Screen
    from gameplay.training import stored_reviews

    match, turns = open_match(record)
    screen = Screen(theme)
    screen.match, screen.accepts_commands = match, False
    damaged: list[Damaged] = []
    review = stored_reviews.latest(record, damaged.append)
    remarks = [move.remark for move in record.moves]
    replay = Replay(screen, turns, lambda: set_result(match, record), ply, review=review, remarks=remarks)
    notes = [*record.warnings, *(f"review {damaged_review}" for damaged_review in damaged)]
    replay.error = "; ".join(f"note: {note}" for note in notes)
    return replay.run()


def print_game(record: "Record", output: "PlainOutput", ply: int | None = None) -> None:
    """Print the moves of a record up to `ply`, one per line, and the command to play on from there."""
    from gameplay.display.terminal import panel
    from gameplay.matches.match import Event

    match, turns = open_match(record)
    output.match = match
    output(Event("begin"))
    for move in record.moves[:ply]:
        match.redo()
        output(Event("move", match.turns[-1]))
        if move.remark:
            output.fact(f"comment: {move.remark}")
    if ply is None or ply == len(turns):
        set_result(match, record)
        output(Event("end"))
    else:
        people = panel.human_viewers(match)
        if len(people) < 2:
            output.position(match.view(*people))
        if not people:
            output.write(f"play on from here: {_play_command(record, ply)}")


def _play_command(record: "Record", ply: int) -> str:
    """The command that begins a game after `ply` moves of a record."""
    start = ["--position", record.start] if record.start else []
    moves = ["--moves", " ".join(record.words[:ply])] if ply else []
    return command_line("play", record.game, *start, *moves)


def document(record: "Record", ply: int | None = None) -> str:
    """The record as JSON, cut after `ply` moves, with the sides' names and the last position as text."""
    import msgspec

    from gameplay.display.terminal.stream import document

    match, turns = open_match(record)
    match.redo(len(turns) if ply is None else ply)
    cut = msgspec.structs.replace(record, moves=record.moves[:ply])
    if ply is None or ply == len(turns):
        set_result(match, record)
    else:
        cut.result, cut.reason = None, ""
    match.over()
    return msgspec.json.encode(document(match, msgspec.to_builtins(cut, enc_hook=str))).decode()
