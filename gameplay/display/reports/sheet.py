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
    whole = sum(question.answer.marks for question in questions)
    head = f"Name: {'_' * 28}  Date: {'_' * 12}  Marks: {'_' * 5} / {whole}"
    lines = [title, "=" * len(title), "", head, ""]
    for number, question in enumerate(questions, 1):
        lines += [*_wrap(f"{number}. ({_format_marks(question)}) {question.text}"), ""]
        lines += [f"   {line}".rstrip() for line in shown.picture(question, False)]
        lines += ["", *_blanks(question), "", ""]
    lines += ["\f" + "Key", "===", ""]
    for number, question in enumerate(questions, 1):
        lines += [f"{number}. {question.kind}: {question.answer}", ""]
        lines += [f"   {part}" for line in shown.explanation(question) for part in _wrap_explanation(line)]
        lines.append("")
    return "\n".join(lines)


def html(questions: Sequence[Question], title: str) -> str:
    """The page: trees are drawn, in the key with windows, values, and what was cut off."""
    sections, key = [], []
    for number, question in enumerate(questions, 1):
        kind, marks = escape(question.kind.capitalize()), _format_marks(question)
        head = f'<h2>{number}. {kind} <span class="marks">{marks}</span></h2>'
        if question.data is None or question.game:
            drawn = f"<pre>{escape(chr(10).join(shown.picture(question, True)))}</pre>"
        else:
            drawn = svg(
                shown.question_tree(question),
                f"the tree of question {number}",
                style=False,
                mark=f"q{number}-",
            )
        blanks = "".join(f'<p class="answer">{escape(line)}</p>' for line in _blank_labels(question))
        body = f"<p>{escape(question.text)}</p>{drawn}{blanks}"
        sections.append(f'<section class="question">{head}{body}</section>')
        why = f"<pre>{escape(chr(10).join(shown.explanation(question)))}</pre>"
        if question.data is not None and not question.game:
            note = f"<p>{escape(question.note)}</p>" if question.note else ""
            whole = svg(
                shown.searched_tree(question),
                f"the search of question {number}",
                style=False,
                mark=f"k{number}-",
            )
            why = whole + note
        answer = f"<h3>{number}. {kind}: {escape(str(question.answer))}</h3>"
        key.append(f'<section class="question">{answer}{why}</section>')
    whole_marks = sum(question.answer.marks for question in questions)
    head = (
        '<p class="head"><span class="line">Name:</span><span class="line">Date:</span>'
        f"<span>Marks: ______ / {whole_marks}</span></p>"
    )
    parts = [f"<h1>{escape(title)}</h1>", head, *sections, '<div class="key"><h1>Key</h1>', *key, "</div>"]
    return paper(title, parts, PRINT_STYLE + STYLE)


def _format_marks(question: Question) -> str:
    return plural(question.answer.marks, "mark")


def _blank_labels(question: Question) -> list[str]:
    """The labels of the blanks: one for each node of a window question, else a single one."""
    if question.answer.form == WINDOWS:
        return [f"{name}: alpha = ____________  beta = ____________" for name in question.answer.names]
    return ["Answer:"]


def _blanks(question: Question) -> list[str]:
    """The blanks of a question as text."""
    windows = question.answer.form == WINDOWS
    return [f"   {line}{'' if windows else ' ' + '_' * 40}" for line in _blank_labels(question)]


def _wrap(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH, subsequent_indent="   ", break_on_hyphens=False)


def _wrap_explanation(line: str) -> list[str]:
    """A line of a search, folded below its indentation."""
    stem = len(line) - len(line.lstrip("| "))
    return textwrap.wrap(line, WIDTH - 3, subsequent_indent=line[:stem] + "  ", drop_whitespace=True) or [""]
