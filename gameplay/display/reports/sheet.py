"""A sheet of questions with its key: as text, or as a page to print, the key on sheets of its own."""

import textwrap
from collections.abc import Sequence

from gameplay.display.pages.document import paper
from gameplay.display.pages.markup import escape
from gameplay.display.pages.tree_svg import STYLE, svg
from gameplay.display.terminal import question as shown
from gameplay.training.quiz import Question

WIDTH = 78
PRINTED = (
    ".question { break-inside: avoid; margin: 1.4rem 0; }\n"
    ".question svg { max-width: 100%; width: auto; }\n"
    ".answer { border-bottom: 1px solid var(--rule); min-height: 2rem; max-width: 32rem; }\n"
    ".key { break-before: page; }\n"
    "pre { font-size: 0.85rem; }\n"
)


def text(questions: Sequence[Question], title: str) -> str:
    """The sheet, and behind it the key."""
    lines = [title, "=" * len(title), ""]
    for number, one in enumerate(questions, 1):
        lines += [*_wrapped(f"{number}. {one.asks}"), ""]
        lines += [f"   {line}".rstrip() for line in shown.picture(one, False)]
        lines += ["", "   Answer: " + "_" * 40, "", ""]
    lines += ["\f" + "Key", "===", ""]
    for number, one in enumerate(questions, 1):
        lines += [f"{number}. {one.kind}: {one.answer}", ""]
        lines += [f"   {part}" for line in shown.explanation(one) for part in _folded(line)]
        lines.append("")
    return "\n".join(lines)


def html(questions: Sequence[Question], title: str) -> str:
    """The page: trees are drawn, in the key with windows, values, and what was cut off."""
    asked, key = [], []
    for number, one in enumerate(questions, 1):
        head = f"<h2>{number}. {escape(one.kind)}</h2>"
        if one.game:
            drawn = f"<pre>{escape(chr(10).join(shown.picture(one, True)))}</pre>"
        else:
            drawn = svg(shown.twig(one), f"the tree of question {number}", style=False, mark=f"q{number}-")
        asks = f'<p>{escape(one.asks)}</p>{drawn}<p class="answer">Answer:</p>'
        asked.append(f'<section class="question">{head}{asks}</section>')
        why = f"<pre>{escape(chr(10).join(shown.explanation(one)))}</pre>"
        if not one.game:
            note = f"<p>{escape(one.note)}</p>" if one.note else ""
            whole = svg(
                shown.solved(one), f"the search of question {number}", style=False, mark=f"k{number}-"
            )
            why = whole + note
        answer = f"<h3>{number}. {escape(one.kind)}: {escape(str(one.answer))}</h3>"
        key.append(f'<section class="question">{answer}{why}</section>')
    parts = [f"<h1>{escape(title)}</h1>", *asked, '<div class="key"><h1>Key</h1>', *key, "</div>"]
    return paper(title, parts, PRINTED + STYLE)


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH, subsequent_indent="   ", break_on_hyphens=False)


def _folded(line: str) -> list[str]:
    """A line of a search, folded below its indentation."""
    stem = len(line) - len(line.lstrip("| "))
    return textwrap.wrap(line, WIDTH - 3, subsequent_indent=line[:stem] + "  ", drop_whitespace=True) or [""]
