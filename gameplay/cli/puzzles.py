"""`gameplay puzzles`: the mistakes of one's own games, to be solved until they are not made any more.

`--list --json` prints one document: {"file", "today", "puzzles": [{...}, ...]}, each as
`gameplay.lessons.practice.Exercise` keeps it.
"""

import sys
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli._options import COUNT, GAME, Drawing, drawing_options, json_option

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.lessons.practice import Exercise, Practice
    from gameplay.matches.match import Match


@click.command(short_help="Practise on the mistakes of your own games")
@click.option("--game", type=GAME, default="", metavar="GAME", help="Ask puzzles of one game only.")
@click.option("--count", type=COUNT, default=10, metavar="N", help="Ask N puzzles at most [10].")
@click.option("--list", "listed", is_flag=True, help="List all puzzles and when they are due, and ask none.")
@drawing_options("Draw boards in plain characters.")
@json_option("the list")
def command(game: str, count: int, listed: bool, drawing: Drawing, as_json: bool) -> None:
    """Solve positions in which a move was missed in a reviewed game and one move alone is good.

    \b
    gameplay review last
    gameplay puzzles
    gameplay puzzles --game chess --count 5
    gameplay puzzles --list

    Mistakes of people become puzzles; where a file does not tell who is a person, those of both sides. Type
    the move; `hint` tells what was played and what refutes it, `skip` goes on, `quit` ends. What is solved
    comes back after 1 day, 6 days and then ever later (SM-2), what is missed tomorrow.
    """
    from gameplay import registry
    from gameplay.lessons import practice

    if game:
        registry.game(game)  # a name that there is
    found = practice.load()
    new = _gathered(found)
    if as_json or listed:
        _list(found, game, as_json)
        return
    if new:
        click.echo(f"{new} new puzzle{'' if new == 1 else 's'} from your reviewed games")
    asked = practice.due(found, today(), game)[:count]
    if not asked:
        click.echo(_nothing(found, game))
        return
    _ask(found, asked, drawing.theme())


def today() -> date:
    """The day by which puzzles are due."""
    return date.today()


def _gathered(found: "Practice") -> int:
    """Make puzzles of the mistakes that are new; how many there are. Ctrl-C leaves the rest for later."""
    from gameplay.cli._aside import Aside
    from gameplay.lessons import practice

    aside = Aside()
    before = len(found.exercises)
    try:
        practice.gather(found, lambda number: aside(f"Ctrl-C: later; mistake {number} of reviewed games"))
    except KeyboardInterrupt:
        pass
    finally:
        aside.end()
    return len(found.exercises) - before


def _nothing(found: "Practice", game: str) -> str:
    from gameplay.cli._advice import typed
    from gameplay.lessons import kept

    known = [one for one in found.exercises if not game or one.game.partition(":")[0] == game]
    if not known:
        of = f" of {game}" if game else ""
        if any(not game or one.game.partition(":")[0] == game for one in kept.every()):
            return f"there are no puzzles{of} yet: in your reviewed games no mistake left one good move alone"
        return f"there are no puzzles{of} yet; review your games first: {typed('gameplay', 'review', 'last')}"
    return f"nothing is due today; the next puzzle comes on {min(one.due for one in known)}"


def _list(found: "Practice", game: str, as_json: bool) -> None:
    from gameplay.lessons import practice

    chosen = [one for one in found.exercises if not game or one.game.partition(":")[0] == game]
    if as_json:
        import msgspec

        document = {"file": str(practice.path()), "today": today().isoformat(), "puzzles": chosen}
        click.echo(msgspec.json.encode(document).decode())
        return
    from gameplay.display.review import table

    if not chosen:
        click.echo(_nothing(found, game))
        return
    rows = [
        [one.due or "new", one.game.partition(":")[0], f"{one.asked - one.wrong} of {one.asked}", one.source]
        for one in sorted(chosen, key=lambda one: one.due)
    ]
    click.echo("\n".join(table(rows, ["due", "game", "solved", "from"], words=(0, 1, 3))))


# -- asking -------------------------------------------------------------------------------------


def _ask(found: "Practice", asked: "list[Exercise]", theme: "Theme") -> None:
    """Ask them one after the other; what is answered is kept at once."""
    from gameplay.lessons import practice

    solved = done = 0
    for number, one in enumerate(asked, 1):
        match = _match(one)
        click.echo(f"\npuzzle {number} of {len(asked)}: {one.game.partition(':')[0]}, from {one.source}")
        _draw(match, theme)
        quality = _answered(one, match)
        if quality is None:
            break
        if quality:
            done += 1
            solved += quality == practice.AT_ONCE
            practice.graded(one, quality, today())
            practice.save(found)
            click.echo(f"it comes back on {one.due}")
    if done:
        click.echo(f"\nsolved at once: {solved} of {done}")


def _match(one: "Exercise") -> "Match":
    from gameplay import registry
    from gameplay.matches.match import Match
    from gameplay.players.nobody import Nobody

    return Match(registry.game(one.game), [Nobody("human"), Nobody("human")], one.start, one.words)


def _draw(match: "Match", theme: "Theme") -> None:
    from gameplay.display.line import lines

    board: Any = match.board()
    if board is None:
        click.echo(match.show())
    elif not theme.interactive:
        click.echo(lines(board))
    else:
        from gameplay.display.board import draw, largest

        theme.console.print(draw(board, theme, largest(board, theme.console.width, 20, theme)))


def _answered(one: "Exercise", match: "Match") -> int | None:
    """The quality of an answer, see SM-2; 0: it was skipped; None: no more."""
    from gameplay.errors import IllegalMove
    from gameplay.lessons.practice import AT_ONCE, LATER, NEVER

    position = match.position
    right = position.parse(one.right)
    quality = AT_ONCE
    while True:
        if sys.stdin.isatty():
            click.echo(f"{match.side(position.turn)} to move (hint, skip, quit) > ", nl=False)
        line = sys.stdin.readline()
        word = line.strip()
        if not line or word.lower() in ("quit", "q", "exit"):
            return None
        if word.lower() == "skip":
            click.echo(_solution(one))
            return 0
        if word.lower() == "hint":
            quality = min(quality, LATER)
            begins = f"; the right one begins with {one.right[0]}" if len(one.right) > 2 else ""
            click.echo(f"{one.missed} was played{_refuted(one)}{begins}")
            continue
        if not word:
            continue
        try:
            move = position.parse(word)
        except IllegalMove as error:
            click.echo(str(error))
            continue
        if move == right:
            click.echo(f"right: {' '.join(one.line)}")
            return quality
        if quality != AT_ONCE or word == one.missed:
            wrong = f"that is what was played{_refuted(one)}" if word == one.missed else "no"
            if quality != AT_ONCE:
                click.echo(f"{wrong}; {_solution(one)}")
                return NEVER
            click.echo(f"{wrong}; try once more")
        else:
            click.echo("no, there is a better move; try once more")
        quality = LATER


def _refuted(one: "Exercise") -> str:
    return f", answered by {' '.join(one.answer[:4])}" if one.answer else ""


def _solution(one: "Exercise") -> str:
    return f"the move is {' '.join(one.line)}"
