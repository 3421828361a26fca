"""`gameplay openings`: the names of openings, what they begin with, and the board of one.

`--json` prints one document: {"game", "openings": [{"code", "name", "moves"}, ...]}.
"""

import re
import textwrap
import unicodedata
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from gameplay.cli.common.options import GAME, Drawing, drawing_options, json_option, split_moves
from gameplay.cli.common.width import columns
from gameplay.errors import Usage, closest

if TYPE_CHECKING:
    from gameplay.knowledge.books.names import OpeningName
    from gameplay.registry import Game

NAME_WORD = re.compile(r"[^\W\d_][\w'-]{2,}")
NAME_CUTOFF = 0.75  # minimum similarity of a word to a suggested one, see errors.CUTOFF
MIN_MOVES_WIDTH = 32  # columns for the moves beside the name


@click.command(short_help="List the names of openings")
@click.argument("game", type=GAME)
@click.argument("words", nargs=-1, metavar="[WORDS]...")
@click.option("--moves", metavar="MOVES", default="", help='List those that these moves lead to: "e4 c5".')
@drawing_options("Plain lines instead of a drawing.")
@json_option("the list")
def command(game: str, words: tuple[str, ...], moves: str, drawing: Drawing, as_json: bool) -> int:
    """List the named openings of GAME (chess or othello).

    WORDS select openings by name, or by the beginning of an ECO code, such as B90 or B9. Without WORDS and
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
    all_openings = names.catalogue(chosen_game.cls)
    if not all_openings:
        games_with_names = " or ".join(names.games())
        raise Usage(f"the openings of {chosen_game.name} have no names; expected {games_with_names}")
    openings = [opening for opening in all_openings if _matches(opening, words)]
    if moves:
        keys = _passes_through(chosen_game, moves)
        openings = [opening for opening in openings if keys(opening)]
    if as_json:
        import json

        rows = [
            {"code": opening.code, "name": opening.name, "moves": " ".join(opening.moves)}
            for opening in openings
        ]
        click.echo(json.dumps({"game": chosen_game.spec, "openings": rows}, ensure_ascii=False))
        return 0
    if not openings:
        condition = f"is called {' '.join(words)}" if words else "has a name"
        hint = _hint(chosen_game, (*moves.split(), *words)) if words else ""
        if not hint:
            hint = f" after {moves}" if moves else _nearest(words, all_openings)
        message = f"no opening of {chosen_game.name} {condition}{hint}"
        if words:
            raise Usage(message if hint else f"{message}. Try: gameplay openings {chosen_game.name}")
        click.echo(message)
        return Unfinished.status
    if not words and not moves:
        _print_families(openings)
        return 0
    exact_matches = [
        opening
        for opening in openings
        if len(openings) == 1 or _normalize(opening.name) == _normalize(" ".join(words))
    ]
    if len(exact_matches) == 1:
        _show_opening(chosen_game, exact_matches[0], drawing)
        openings.remove(exact_matches[0])
    if openings:
        _print_openings(openings, after=bool(exact_matches))
    return 0


def _hint(game: "Game", words: tuple[str, ...]) -> str:
    """The command to type if the words are moves and not a name."""
    from gameplay.errors import BadInput
    from gameplay.matches.match import match_without_players

    try:
        match_without_players(game, words=split_moves(" ".join(words)))
    except BadInput:
        return ""
    return f'; those that these moves lead to: --moves "{" ".join(words)}"'


def _nearest(words: tuple[str, ...], openings: "Sequence[OpeningName]") -> str:
    """`; did you mean 'x'?` with the words of names that are closest to misspelled ones."""
    names = {_normalize(word): word for opening in openings for word in NAME_WORD.findall(opening.name)}
    wrong = [word for word in words if _normalize(word) not in names]
    close = {word: names.get(closest(_normalize(word), names, NAME_CUTOFF), "") for word in wrong}
    if not wrong or not all(close.values()):
        return ""
    return f"; did you mean '{' '.join(close.get(word, word) for word in words)}'?"


def _matches(opening: "OpeningName", words: tuple[str, ...]) -> bool:
    """True if the name contains each word, or the code begins with it."""
    name = _normalize(opening.name)
    return all(
        _normalize(word) in name or (opening.code and opening.code.startswith(word.upper())) for word in words
    )


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

    words = split_moves(moves)
    match = match_without_players(game, words=words)
    target, plies = key(match.position), len(match.turns)

    def leads(opening: "OpeningName") -> bool:
        if len(opening.moves) < plies:
            return False
        position = game.new()
        for word in opening.moves[:plies]:
            position.make(position.parse(word))
        return key(position) == target

    return leads


def _print_families(openings: "list[OpeningName]") -> None:
    """Print each family with its codes, its number of named positions and its shortest line."""
    families: dict[str, list[OpeningName]] = {}
    for opening in openings:
        families.setdefault(opening.family, []).append(opening)
    name_width, width = max(map(len, families)), columns()
    for name, members in families.items():
        codes = sorted({opening.code for opening in members if opening.code})
        span = codes[0] + (f"-{codes[-1]}" if len(codes) > 1 else "") if codes else ""
        shortest = min(members, key=lambda opening: len(opening.moves))
        head = f"{span:<8}" if span else ""
        line = f"{head}{name:<{name_width}} {len(members):>4}  {' '.join(shortest.moves)}"
        click.echo(line[: width - 1] if width else line)


def _print_openings(openings: "list[OpeningName]", after: bool) -> None:
    """Print openings, a line each; on a narrow terminal with the moves below the name."""
    if after:
        click.echo()
    name_width = max(len(str(opening)) for opening in openings)
    width = columns()
    is_narrow = bool(width) and name_width + MIN_MOVES_WIDTH > width
    for opening in openings:
        moves = " ".join(opening.moves)
        if is_narrow:
            click.echo(_fold(str(opening), 0, 2, width))
            click.echo(_fold(moves, 4, 4, width))
        else:
            line = f"{opening!s:<{name_width}}  {moves}"
            click.echo(_fold(line, 0, name_width + 2, width) if width else line)


def _fold(text: str, first: int, rest: int, width: int) -> str:
    """The text in lines of at most `width` columns, indented by `first` and `rest`."""
    if len(text) + first <= width:
        return " " * first + text
    return textwrap.fill(text, width, initial_indent=" " * first, subsequent_indent=" " * rest)


def _show_opening(game: "Game", opening: "OpeningName", drawing: Drawing) -> None:
    """Print an opening with its board, and the command to play it."""
    from gameplay.cli.common.advice import command_line
    from gameplay.display.board.drawing import draw, largest
    from gameplay.display.terminal.line import board_text
    from gameplay.matches.match import match_without_players

    match = match_without_players(game, words=opening.moves)
    click.echo(f"{opening}\n{' '.join(opening.moves)}\n")
    board = match.board()
    assert board is not None  # games with named openings have one
    theme = drawing.theme()
    if drawing.plain:
        click.echo(board_text(board))
    else:
        theme.console.print(draw(board, theme, largest(board, theme.console.width, 24, theme)))
    words = " ".join(opening.moves)
    click.echo(f"\nplay it: {command_line('play', game.spec, '--moves', words)}")
