"""`gameplay openings`: the names of openings, what they begin with, and the board of one.

`--json` prints one document: {"game", "openings": [{"code", "name", "moves"}, ...]}.
"""

import textwrap
import unicodedata
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from gameplay.cli.common.options import GAME, Drawing, drawing_options, json_option
from gameplay.cli.common.width import columns
from gameplay.errors import Usage

if TYPE_CHECKING:
    from gameplay.knowledge.books.names import OpeningName
    from gameplay.registry import Game

MIN_MOVES_WIDTH = 32  # columns for the moves beside the name


@click.command(short_help="List the names of openings")
@click.argument("game", type=GAME)
@click.argument("words", nargs=-1, metavar="[WORDS]...")
@click.option("--moves", metavar="MOVES", default="", help='List those that these moves lead to: "e4 c5".')
@drawing_options("Plain lines instead of a drawing.")
@json_option("the list")
def command(game: str, words: tuple[str, ...], moves: str, drawing: Drawing, as_json: bool) -> int:
    """List the named openings of GAME (chess or othello).

    WORDS select openings by name, or by the beginning of a code of chess, as B90 or B9. Without WORDS and
    --moves it lists the families, each with its codes and its number of named variations. The board is drawn
    if one opening matches.

    \b
    gameplay openings chess
    gameplay openings chess najdorf
    gameplay openings chess C65
    gameplay openings othello --moves "f5 d6 c3"
    """
    from gameplay import registry
    from gameplay.errors import Unfinished
    from gameplay.knowledge.books import names

    chosen_game = registry.game(game)
    every = names.catalogue(chosen_game.cls)
    if not every:
        others = " or ".join(names.games())
        raise Usage(f"the openings of {chosen_game.name} have no names; expected {others}")
    chosen = [one for one in every if _matches(one, words)]
    if moves:
        keys = _passes_through(chosen_game, moves)
        chosen = [one for one in chosen if keys(one)]
    if as_json:
        import json

        rows = [{"code": one.code, "name": one.name, "moves": " ".join(one.moves)} for one in chosen]
        click.echo(json.dumps({"game": chosen_game.spec, "openings": rows}, ensure_ascii=False))
        return 0
    if not chosen:
        wanted = f"is called {' '.join(words)}" if words else "has a name"
        more = f" after {moves}" if moves else _hint(chosen_game, words)
        message = f"no opening of {chosen_game.name} {wanted}{more}"
        if words:
            raise Usage(message if more else f"{message}. Try: gameplay openings {chosen_game.name}")
        click.echo(message)
        return Unfinished.status
    if not words and not moves:
        _families(chosen)
        return 0
    meant = [one for one in chosen if len(chosen) == 1 or _normalize(one.name) == _normalize(" ".join(words))]
    if len(meant) == 1:
        _show_opening(chosen_game, meant[0], drawing)
        chosen.remove(meant[0])
    if chosen:
        _list(chosen, after=bool(meant))
    return 0


def _hint(game: "Game", words: tuple[str, ...]) -> str:
    """The command to type if the words are moves and not a name."""
    from gameplay.errors import BadInput
    from gameplay.matches.match import match_without_players

    try:
        match_without_players(game, words=" ".join(words).replace(",", " ").split())
    except BadInput:
        return ""
    return f'; those that these moves lead to: --moves "{" ".join(words)}"'


def _matches(one: "OpeningName", words: tuple[str, ...]) -> bool:
    """True if the name contains each word, or the code begins with it."""
    name = _normalize(one.name)
    return all(_normalize(word) in name or (one.code and one.code.startswith(word.upper())) for word in words)


def _normalize(text: str) -> str:
    """Lower case without accents and apostrophes."""
    letters = unicodedata.normalize("NFD", text.lower())
    return "".join(letter for letter in letters if letter.isalnum() or letter == " ")


def _passes_through(game: "Game", moves: str) -> Callable[["OpeningName"], bool]:
    """Return a predicate that is true for openings that reach the position after these moves.

    Raises BadInput for an illegal move.
    """
    from gameplay.knowledge.books.names import key
    from gameplay.matches.match import match_without_players

    words = moves.replace(",", " ").split()
    match = match_without_players(game, words=words)
    wanted, plies = key(match.position), len(match.turns)

    def leads(one: "OpeningName") -> bool:
        if len(one.moves) < plies:
            return False
        position = game.new()
        for word in one.moves[:plies]:
            position.make(position.parse(word))
        return key(position) == wanted

    return leads


def _families(chosen: "list[OpeningName]") -> None:
    """Print each family with its codes, its number of named positions and its shortest line."""
    families: dict[str, list[OpeningName]] = {}
    for one in chosen:
        families.setdefault(one.family, []).append(one)
    wide, width = max(map(len, families)), columns()
    for name, those in families.items():
        codes = sorted({one.code for one in those if one.code})
        span = codes[0] + (f"-{codes[-1]}" if len(codes) > 1 else "") if codes else ""
        shortest = min(those, key=lambda one: len(one.moves))
        head = f"{span:<8}" if span else ""
        line = f"{head}{name:<{wide}} {len(those):>4}  {' '.join(shortest.moves)}"
        click.echo(line[: width - 1] if width else line)


def _list(chosen: "list[OpeningName]", after: bool) -> None:
    """Print openings, a line each; on a narrow terminal with the moves below the name."""
    if after:
        click.echo()
    wide = max(len(str(one)) for one in chosen)
    width = columns()
    for one in chosen:
        if width and wide + MIN_MOVES_WIDTH > width:
            click.echo(str(one))
            click.echo(
                textwrap.fill(" ".join(one.moves), width, initial_indent="    ", subsequent_indent="    ")
            )
        else:
            click.echo(f"{one!s:<{wide}}  {' '.join(one.moves)}")


def _show_opening(game: "Game", one: "OpeningName", drawing: Drawing) -> None:
    """Print an opening with its board, and the command to play it."""
    from gameplay.cli.common.advice import command_line
    from gameplay.display.board.drawing import draw, largest
    from gameplay.display.terminal.line import board_text
    from gameplay.matches.match import match_without_players

    match = match_without_players(game, words=one.moves)
    click.echo(f"{one}\n{' '.join(one.moves)}\n")
    board = match.board()
    assert board is not None  # games with named openings have one
    theme = drawing.theme()
    if drawing.plain:
        click.echo(board_text(board))
    else:
        theme.console.print(draw(board, theme, largest(board, theme.console.width, 24, theme)))
    words = " ".join(one.moves)
    click.echo(f"\nplay it: {command_line('play', game.spec, '--moves', words)}")
