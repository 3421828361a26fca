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
from gameplay.cli.common.width import columns, echo_wrapped
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
@click.option(
    "--game", type=GAME, default="", help="Ask about positions of GAME; tree: about random trees [both]."
)
@click.option("--count", type=COUNT, help=f"Ask N questions [{DEFAULT_COUNT}].")
@click.option("--seed", type=Integer(min=0), help="Seed of the questions [a new one].")
@click.option("--sheet", type=COUNT, help="Print a sheet of N questions and its key, without a session.")
@click.option("-o", "--out", type=TARGET, help="Write the sheet to a new FILE: .txt, or .html to print.")
@drawing_options("Draw trees and boards in plain characters.")
@json_option("the questions and their answers")
def command(
    kinds: str,
    level: int,
    game: str,
    count: int | None,
    seed: int | None,
    sheet: int | None,
    out: Path | None,
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

    selected_kinds = [word.strip().lower() for word in kinds.split(",") if word.strip()]
    for kind in selected_kinds:
        if kind not in quiz.KINDS:
            from gameplay.errors import unknown_name

            raise Usage(unknown_name("kind of question", kind, quiz.KINDS))
    if out is not None and sheet is None:
        raise Usage("--out writes a sheet: add --sheet N")
    if out is not None and out.suffix.lower() not in (".txt", ".html"):
        raise Usage(f"--out {out}: end it in .txt or .html")
    if sheet is not None and count is not None:
        raise Usage("--sheet N is the number of questions: leave out --count")
    if seed is None:
        from random import randrange

        seed = randrange(1_000_000)
    questions = quiz.make_series(seed, level, sheet or count or DEFAULT_COUNT, selected_kinds, game)
    if as_json:
        _print_json(list(questions), seed, level, game)
    elif sheet is not None:
        _write_sheet(list(questions), f"Questions of level {level}, seed {seed}", out)
    else:
        _ask(questions, count or DEFAULT_COUNT, f"level {level}, seed {seed}", drawing.theme())


def today() -> date:
    """The date of the answers."""
    return date.today()


def _ask(questions: "Iterable[Question]", count: int, title: str, theme: "Theme") -> None:
    """Ask the questions in turn, storing each answer immediately."""
    from gameplay.display.terminal import question as question_display
    from gameplay.errors import Unfinished
    from gameplay.training import scores

    score_file = scores.load()
    right_count = answered = 0
    ended = False
    for number, question in enumerate(questions, 1):
        if number > 1:
            click.echo()
        _print_line(f"question {number} of {count}: {question.kind}, {title}", theme)
        click.echo()
        for line in question_display.picture(question, theme.unicode and theme.interactive):
            if question.game or question.rows:
                _print_line(line, theme)
            else:  # a tree, which is not wrapped
                click.echo(line)
        click.echo()
        _print_line(question.text, theme)
        grade = _read_answer(question, theme)
        if grade is None or grade == "":
            ended = grade is None
            break
        if grade == "skip":
            _print_line(f"the answer is {question.answer}", theme)
            continue
        answered += 1
        right_count += grade == "right"
        score_file.add(today().isoformat(), question.kind, question.level, grade == "right")
        try_save(scores.save, score_file)
        if grade == "right":
            click.echo(f"right: {question.answer}")
        else:
            _print_line(f"no, it is {question.answer}:", theme)
            click.echo("")
            for line in question_display.explanation(question):
                _print_line(f"  {line}", theme)
    if answered:
        click.echo(f"\nright: {right_count} of {answered}")
    if ended:
        raise Unfinished("the answers ended before the questions did")


def _read_answer(question: "Question", theme: "Theme") -> str | None:
    """`right`, `wrong` or `skip`; "" for `quit`, None at the end of input. Invalid answers are rejected."""
    from gameplay.errors import BadInput

    while True:
        if sys.stdin.isatty():
            prompt = f"{question.answer.hint} (skip, quit) >"
            if len(prompt) >= (columns() or len(prompt) + 1):
                echo_wrapped(prompt.removesuffix(" >"))
                prompt = ">"
            click.echo(f"{prompt} ", nl=False)
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
            return "right" if question.answer.grade(word) else "wrong"
        except BadInput as error:
            _print_line(str(error), theme)


def _print_line(line: str, theme: "Theme") -> None:
    """Print a line, wrapped to the terminal's width with its indentation."""
    import textwrap

    width = max(20, min(100, theme.console.width)) if theme.interactive else 100
    indent = line[: len(line) - len(line.lstrip("| "))]
    parts = textwrap.wrap(line, width, subsequent_indent=indent + "  " * bool(indent), break_on_hyphens=False)
    click.echo("\n".join(parts))


def _write_sheet(questions: "list[Question]", title: str, out: Path | None) -> None:
    from gameplay import file_io
    from gameplay.display.reports import sheet

    if out is None:
        front, key = sheet.text(questions, title).split("\f")
        click.echo(front, nl=False)
        terminal(sys.stdout).write("\f")
        click.echo(key)
        return
    write = sheet.html if out.suffix.lower() == ".html" else sheet.text
    file_io.write(out, [write(questions, title).encode()])
    click.echo(f"{out}: {plural(len(questions), 'question')} and the key")


def _print_json(questions: "list[Question]", seed: int, level: int, game: str) -> None:
    import json
    import math

    def to_json(value: Any) -> Any:
        return None if isinstance(value, float) and math.isinf(value) else value

    rows = [
        {
            "kind": question.kind,
            "level": question.level,
            "game": question.game,
            "moves": question.words,
            "tree": question.data,
            "asks": "\n".join([question.text, *question.rows]),
            "form": question.answer.form,
            "answer": [to_json(value) for value in question.answer.right],
            "names": question.answer.names,
        }
        for question in questions
    ]
    click.echo(json.dumps({"seed": seed, "level": level, "game": game, "questions": rows}))
