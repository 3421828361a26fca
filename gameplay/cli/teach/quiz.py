"""`gameplay quiz`: questions about searches, graded by the engines; or a sheet of them with its key.

`--json` prints one document

    seed, level, game
    questions           [{"kind", "level", "game", "moves", "tree", "asks", "form", "answer", "names"}, ...]

in which `tree` is what a tree file holds, null where there is none, and `form` is number, window, vector,
windows, one or all; ends of a window that are infinite are null. Where there is no game and no tree, `asks`
is followed by the numbers that it is about.
"""

import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common.options import COUNT, GAME, TARGET, Drawing, Integer, drawing_options, json_option
from gameplay.cli.common.unsaved import try_save
from gameplay.errors import Usage
from gameplay.plural import plural
from gameplay.visible import terminal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gameplay.display.theme import Theme
    from gameplay.training.question import Question

DEFAULT_COUNT = 10


@click.command(short_help="Predict what a search does, and be graded")
@click.option(
    "--kind",
    "kinds",
    metavar="A,B,...",
    default="",
    help="Kinds of questions: value, move, cut, window, visits, quiescence, bounds, expectation, vector,"
    " killer, ucb [all].",
)
@click.option("--level", type=click.IntRange(1, 5), default=2, metavar="1-5", help="How hard they are [2].")
@click.option("--game", type=GAME, default="", help="Ask of positions of GAME; tree: of random trees [both].")
@click.option("--count", type=COUNT, help=f"Ask N questions [{DEFAULT_COUNT}].")
@click.option("--seed", type=Integer(min=0), help="Seed of the questions [a new one].")
@click.option("--sheet", type=COUNT, help="Print a sheet of N questions and its key; ask none.")
@click.option("-o", "--output", type=TARGET, help="Write the sheet to FILE: .txt, or .html to print.")
@drawing_options("Draw trees and boards in plain characters.")
@json_option("the questions and their answers")
def command(
    kinds: str,
    level: int,
    game: str,
    count: int | None,
    seed: int | None,
    sheet: int | None,
    output: Path | None,
    drawing: Drawing,
    as_json: bool,
) -> None:
    """Predict what a search does. Each answer is graded, and a wrong one explained by the search.

    \b
    gameplay quiz
    gameplay quiz --kind cut,window --level 3 --seed 7
    gameplay quiz --game chess --kind move
    gameplay quiz --sheet 12 --seed 7 -o sheet.html

    \b
    value        the value of a tree        move    the move that an engine plays
    cut          branches that are pruned   window  alpha and beta at a node
    visits       leaves that are visited    bounds  fill in alpha and beta
    killer       the killer move            ucb     UCB1 of moves
    expectation  values of chance nodes     vector  payoffs of max^n
    quiescence   where it changes a value

    Trees are random; positions come from games of partly random moves. Type the answer, `skip` or `quit`. The
    same seed asks the same questions. Without a terminal, answers are read line by line; the exit status is 4
    if they end before the questions do. `gameplay stats` shows your results.
    """
    from gameplay.training import quiz

    chosen = [word.strip().lower() for word in kinds.split(",") if word.strip()]
    for kind in chosen:
        if kind not in quiz.KINDS:
            from gameplay.errors import unknown

            raise Usage(unknown("kind of question", kind, quiz.KINDS))
    if output is not None and sheet is None:
        raise Usage("-o writes a sheet: add --sheet N")
    if output is not None and output.suffix.lower() not in (".txt", ".html"):
        raise Usage(f"-o {output}: end it in .txt or .html")
    if sheet is not None and count is not None:
        raise Usage("--sheet N is the number of questions: leave out --count")
    if seed is None:
        from random import randrange

        seed = randrange(1_000_000)
    asked = quiz.make_series(seed, level, sheet or count or DEFAULT_COUNT, chosen, game)
    if as_json:
        _print_json(list(asked), seed, level, game)
    elif sheet is not None:
        _sheet(list(asked), f"Questions of level {level}, seed {seed}", output)
    else:
        _ask(asked, count or DEFAULT_COUNT, f"level {level}, seed {seed}", drawing.theme())


def today() -> date:
    """The day to which answers count."""
    return date.today()


def _ask(asked: "Iterable[Question]", count: int, title: str, theme: "Theme") -> None:
    """Ask them one after the other; each answer is kept at once."""
    from gameplay.display.terminal import question as shown
    from gameplay.errors import Unfinished
    from gameplay.training import scores

    held = scores.load()
    right = done = 0
    ended = False
    for number, one in enumerate(asked, 1):
        if number > 1:
            click.echo()
        _print_line(f"question {number} of {count}: {one.kind}, {title}", theme)
        click.echo()
        for line in shown.picture(one, theme.unicode and theme.interactive):
            if one.game or one.rows:
                _print_line(line, theme)
            else:  # a tree, which is not folded
                click.echo(line)
        click.echo()
        _print_line(one.asks, theme)
        good = _read_answer(one, theme)
        if good is None or good == "":
            ended = good is None
            break
        if good == "skip":
            _print_line(f"the answer is {one.answer}", theme)
            continue
        done += 1
        right += good == "right"
        held.add(today().isoformat(), one.kind, one.level, good == "right")
        try_save(scores.save, held)
        if good == "right":
            click.echo(f"right: {one.answer}")
        else:
            _print_line(f"no, it is {one.answer}:", theme)
            click.echo("")
            for line in shown.explanation(one):
                _print_line(f"  {line}", theme)
    if done:
        click.echo(f"\nright: {right} of {done}")
    if ended:
        raise Unfinished("the answers ended before the questions did")


def _read_answer(one: "Question", theme: "Theme") -> str | None:
    """`right`, `wrong` or `skip`; "" for `quit`, None at the end of input. Invalid answers are rejected."""
    from gameplay.errors import BadInput

    while True:
        if sys.stdin.isatty():
            click.echo(f"{one.answer.hint} (skip, quit) > ", nl=False)
        line = sys.stdin.readline()
        word = line.strip()
        if not line:
            return None
        if word.lower() in ("quit", "q", "exit"):
            return ""
        if word.lower() == "skip":
            return "skip"
        if not word:
            continue
        try:
            return "right" if one.answer.grade(word) else "wrong"
        except BadInput as error:
            _print_line(str(error), theme)


def _print_line(line: str, theme: "Theme") -> None:
    """A line, folded at the terminal's width below its own indentation."""
    import textwrap

    width = max(20, min(100, theme.console.width)) if theme.interactive else 100
    indent = line[: len(line) - len(line.lstrip("| "))]
    parts = textwrap.wrap(line, width, subsequent_indent=indent + "  " * bool(indent), break_on_hyphens=False)
    click.echo("\n".join(parts))


def _sheet(asked: "list[Question]", title: str, output: Path | None) -> None:
    from gameplay.display.reports import sheet
    from gameplay.errors import BadInput

    if output is None:
        questions, key = sheet.text(asked, title).split("\f")
        click.echo(questions, nl=False)
        terminal(sys.stdout).write("\f")
        click.echo(key)
        return
    made = sheet.html(asked, title) if output.suffix.lower() == ".html" else sheet.text(asked, title)
    try:
        output.write_text(made, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{output}: {error.strerror}") from None
    click.echo(f"{output}: {plural(len(asked), 'question')} and the key")


def _print_json(asked: "list[Question]", seed: int, level: int, game: str) -> None:
    import json
    import math

    def plain(value: Any) -> Any:
        return None if isinstance(value, float) and math.isinf(value) else value

    rows = [
        {
            "kind": one.kind,
            "level": one.level,
            "game": one.game,
            "moves": one.words,
            "tree": one.data,
            "asks": "\n".join([one.asks, *one.rows]),
            "form": one.answer.form,
            "answer": [plain(value) for value in one.answer.right],
            "names": one.answer.names,
        }
        for one in asked
    ]
    click.echo(json.dumps({"seed": seed, "level": level, "game": game, "questions": rows}))
