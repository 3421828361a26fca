"""MyST Markdown from texts of the program: docstrings, help, words of options.

In these texts single backticks are code, indented lines are to be kept as they are, and nothing else has a
meaning: what Markdown would understand is escaped.
"""

import re
from collections.abc import Iterable, Mapping
from textwrap import dedent

_SPECIAL = re.compile(r"([\\*_\[\]<>#{}|~$])")
_MARKER = re.compile(r"^(\d+)([.)] )|^([-+=:])")


def prose(text: str) -> str:
    """A text in one or more lines, without paragraphs."""
    parts = re.split(r"(`[^`]+`)", text)
    escaped = "".join(part if n % 2 else _SPECIAL.sub(r"\\\1", part) for n, part in enumerate(parts))
    lines = (
        _MARKER.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", line)
        for line in escaped.split("\n")
    )
    return "\n".join(line.strip() for line in lines)


def paragraphs(text: str) -> str:
    """A docstring: lines that are indented, with empty lines between them, are blocks of text."""
    parts = re.findall(r"(?:^ .*\n|(?<=\n)\n+(?= ))+|(?:^[^ \n].*\n)+", text.strip("\n") + "\n", re.MULTILINE)
    return "\n\n".join(
        fence(dedent(part.strip("\n")), "text") if part.lstrip("\n").startswith(" ") else prose(part.strip())
        for part in parts
    )


def fence(text: str, language: str) -> str:
    """A block of text or code."""
    return f"```{language}\n{text.rstrip()}\n```"


def code(text: str) -> str:
    """Text within a line that is typed as it stands."""
    return f"`{text}`" if text else ""


def definitions(rows: Iterable[tuple[str, str]]) -> str:
    """Terms, each in Markdown, with their definitions of one or more paragraphs."""
    return "\n\n".join(
        f"{term}\n: " + "\n".join(f"  {line}" if line else "" for line in text.split("\n")).lstrip()
        for term, text in rows
    )


def bullets(rows: Mapping[str, str]) -> str:
    """Values and what each means."""
    return "\n".join(f"- {code(name)}: {' '.join(prose(words).split())}" for name, words in rows.items())


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table; its cells are Markdown in one line."""
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def toctree(names: Iterable[str], caption: str = "") -> str:
    """The pages below an index, which only the sidebar lists."""
    options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
    return "\n".join(["```{toctree}", *options, "", *names, "```"])


def page(title: str, *parts: str) -> str:
    """A page; empty parts are left out."""
    return "\n\n".join([f"# {title}", *(part for part in parts if part)]) + "\n"
