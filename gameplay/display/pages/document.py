"""Self-contained HTML pages: one file without external resources, in which only its own script may run.

Pages consist of sections, tables, and games that can be replayed on a board. A game of the data is the result
of `runs.frames.frames`, with

    names, score, ended    the players, the score, and the result as a sentence
    opening                number of opening moves
    curve, signs, comments of a review: the first player's expected points after each move, the mark of each
                           move, and its comment; without them, the values that the players reported are shown
"""

from collections.abc import Sequence
from typing import Any

from gameplay import __version__
from gameplay.display.pages.markup import digest, embed_json, escape, source

MAX_ROWS = 200  # of a table


def document(title: str, parts: Sequence[str], data: dict[str, Any]) -> str:
    """The whole page. data: read by its script: `stage`, `sides`, `scale` and `games`."""
    script = source("page.js")
    scripts = (
        f'<script type="application/json" id="games">{embed_json(data)}</script>\n<script>{script}</script>\n'
    )
    shown = list(filter(None, parts))
    return _page(title, shown, source("page.css"), f"script-src {digest(script)}; ", scripts)


def paper(title: str, parts: Sequence[str], style: str = "") -> str:
    """A page to print, without a script. style: added to the page's style."""
    return _page(title, parts, source("page.css") + style)


def _page(title: str, parts: Sequence[str], style: str, sources: str = "", scripts: str = "") -> str:
    policy = f"default-src 'none'; style-src {digest(style)}; {sources}base-uri 'none'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(parts)
        + f'\n</main>\n<p class="dim">Made by gameplay {escape(__version__)}.</p>\n'
        + f"{scripts}</body>\n</html>\n"
    )


def section(title: str, *parts: str) -> str:
    return f"<section>\n<h2>{escape(title)}</h2>\n" + "\n".join(parts) + "\n</section>"


def table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], text: Sequence[int] = ()) -> str:
    """A table whose first column names the row. text: indices of columns with text.

    A wide table scrolls sideways, also by keyboard.
    """
    head = "".join(
        f'<th scope="col"{_text_class(n in text or not n)}>{escape(head)}</th>'
        for n, head in enumerate(heads)
    )
    lines = []
    for row in rows[:MAX_ROWS]:
        cells = "".join(
            f"<td{_text_class(n in text)}>{escape(cell if n in text else _keep_together(cell))}</td>"
            for n, cell in enumerate(row[1:], 1)
        )
        lines.append(f'<tr><th scope="row">{escape(row[0])}</th>{cells}</tr>')
    more = f'<p class="dim">and {len(rows) - MAX_ROWS} more</p>' if len(rows) > MAX_ROWS else ""
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(caption)}">'
        f"<table><caption><span>{escape(caption)}</span></caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>" + "\n".join(lines) + f"</tbody></table></div>{more}"
    )


def _keep_together(figures: str) -> str:
    """Replace spaces so that figures only break after a comma."""
    return figures.replace(" ", "\u00a0").replace(",\u00a0", ", ")


def _text_class(text: bool) -> str:
    return ' class="words"' if text else ""


def viewer(shown: int, counted: int) -> str:
    """The viewer of `shown` games out of `counted`."""
    part = f"<p class='dim'>{shown:,} of {counted:,} games.</p>" if shown < counted else ""
    buttons = "".join(
        f'<button type="button" id="{name}" aria-label="{label}">{sign}</button>'
        for name, label, sign in (
            ("first", "to the start", "|&lt;"),
            ("back", "a ply back", "&lt;"),
            ("next", "a ply on", "&gt;"),
            ("last", "to the end", "&gt;|"),
        )
    )
    return section(
        "Games",
        part,
        '<div class="row"><button type="button" id="before" aria-label="the game before">&lt;&lt;</button>'
        '<select id="game" aria-label="which game"></select>'
        '<button type="button" id="after" aria-label="the next game">&gt;&gt;</button></div>',
        '<div class="viewer"><div><p id="who" class="dim"></p><div id="board"></div>'
        f'<div class="row">{buttons}</div>'
        '<input id="ply" type="range" min="0" max="0" value="0" aria-label="ply">'
        '</div><div><p id="said" role="status" aria-live="polite"></p><div id="curve"></div>'
        '<ol id="moves"></ol></div></div>',
        '<p class="dim help">Keys: left and right a ply, Home and End, p and n another game. On a screen to '
        "touch: swipe over the board. Outlined: the last move; double outline: the winning line.</p>"
        "<noscript><p>The games are drawn by a script, and scripts are switched off here.</p></noscript>",
    )
