"""A sheet of questions with its key: as text, or as a page to print, the key on sheets of its own."""

import textwrap
from collections.abc import Sequence

from gameplay.display.pages.document import paper
from gameplay.display.pages.markup import escape
from gameplay.display.pages.tree_svg import STYLE, svg
from gameplay.display.terminal import question as shown
from gameplay.plural import plural
from gameplay.training.answer import WINDOWS
from gameplay.training.question import Question

WIDTH = 78
PRINT_STYLE = (
    ".question { break-inside: avoid; margin: 1.4rem 0; }\n"
    ".question svg { max-width: 100%; width: auto; }\n"
    ".answer { border-bottom: 1px solid var(--rule); min-height: 2rem; max-width: 32rem; }\n"
    ".key { break-before: page; }\n"
    ".head { display: flex; gap: 2rem; }\n"
    ".head .line { flex: 1; border-bottom: 1px solid var(--rule); }\n"
    ".marks { font-size: 0.9rem; font-weight: normal; float: right; }\n"
    "pre { font-size: 0.85rem; overflow: visible; white-space: pre-wrap; }\n"
)


def text(questions: Sequence[Question], title: str) -> str:
    """The sheet, and behind it the key."""
    whole = sum(one.answer.marks for one in questions)
    head = f"Name: {'_' * 28}  Date: {'_' * 12}  Marks: {'_' * 5} / {whole}"
    lines = [title, "=" * len(title), "", head, ""]
    for number, one in enumerate(questions, 1):
        lines += [*_wrap(f"{number}. ({_format_marks(one)}) {one.asks}"), ""]
        lines += [f"   {line}".rstrip() for line in shown.picture(one, False)]
        lines += ["", *_blanks(one), "", ""]
    lines += ["\f" + "Key", "===", ""]
    for number, one in enumerate(questions, 1):
        lines += [f"{number}. {one.kind}: {one.answer}", ""]
        lines += [f"   {part}" for line in shown.explanation(one) for part in _wrap_explanation(line)]
        lines.append("")
    return "\n".join(lines)


def html(questions: Sequence[Question], title: str) -> str:
    """The page: trees are drawn, in the key with windows, values, and what was cut off."""
    asked, key = [], []
    for number, one in enumerate(questions, 1):
        kind, marks = escape(one.kind.capitalize()), _format_marks(one)
        head = f'<h2>{number}. {kind} <span class="marks">{marks}</span></h2>'
        if one.data is None or one.game:
            drawn = f"<pre>{escape(chr(10).join(shown.picture(one, True)))}</pre>"
        else:
            drawn = svg(
                shown.question_tree(one), f"the tree of question {number}", style=False, mark=f"q{number}-"
            )
        blanks = "".join(f'<p class="answer">{escape(line)}</p>' for line in _blank_labels(one))
        asks = f"<p>{escape(one.asks)}</p>{drawn}{blanks}"
        asked.append(f'<section class="question">{head}{asks}</section>')
        why = f"<pre>{escape(chr(10).join(shown.explanation(one)))}</pre>"
        if one.data is not None and not one.game:
            note = f"<p>{escape(one.note)}</p>" if one.note else ""
            whole = svg(
                shown.searched_tree(one), f"the search of question {number}", style=False, mark=f"k{number}-"
            )
            why = whole + note
        answer = f"<h3>{number}. {kind}: {escape(str(one.answer))}</h3>"
        key.append(f'<section class="question">{answer}{why}</section>')
    whole_marks = sum(one.answer.marks for one in questions)
    head = (
        '<p class="head"><span class="line">Name:</span><span class="line">Date:</span>'
        f"<span>Marks: ______ / {whole_marks}</span></p>"
    )
    parts = [f"<h1>{escape(title)}</h1>", head, *asked, '<div class="key"><h1>Key</h1>', *key, "</div>"]
    return paper(title, parts, PRINT_STYLE + STYLE)


def _format_marks(one: Question) -> str:
    return plural(one.answer.marks, "mark")


def _blank_labels(one: Question) -> list[str]:
    """The label of each blank: one for each node of a window question, else one."""
    if one.answer.form == WINDOWS:
        return [f"{name}: alpha = ____________  beta = ____________" for name in one.answer.names]
    return ["Answer:"]


def _blanks(one: Question) -> list[str]:
    """The blanks of a question as text."""
    windows = one.answer.form == WINDOWS
    return [f"   {line}{'' if windows else ' ' + '_' * 40}" for line in _blank_labels(one)]


def _wrap(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH, subsequent_indent="   ", break_on_hyphens=False)


def _wrap_explanation(line: str) -> list[str]:
    """A line of a search, folded below its indentation."""
    stem = len(line) - len(line.lstrip("| "))
    return textwrap.wrap(line, WIDTH - 3, subsequent_indent=line[:stem] + "  ", drop_whitespace=True) or [""]
