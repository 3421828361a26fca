"""The tree of a search as one self-contained HTML page: it fetches nothing, and only its own script may run.

It has the tree twice: as a picture that can be zoomed, and as a list of branches for the keyboard and for
screen readers. The node selected in either is described beside it, with the board.
"""

from collections.abc import Callable
from typing import Any

from gameplay import __version__
from gameplay.display.pages.markup import digest, embedded, escape, source
from gameplay.display.pages.tree_svg import svg
from gameplay.display.reports.growth import Twig
from gameplay.display.reports.tree import words

Drawn = Callable[[Twig], str]  # the position at a node, in characters


def page(twig: Twig, title: str, notes: list[str], drawn: Drawn) -> str:
    """The whole page. `notes`: what is to know of the tree, in sentences."""
    style, script = source("tree.css"), source("tree.js")
    policy = f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)}; base-uri 'none'"
    nodes: list[dict[str, Any]] = []
    outline = _branch(twig, nodes, -1, 1, drawn)
    said = "".join(f"<p>{escape(note)}</p>\n" for note in notes)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n{said}{CONTROLS}"
        '<div class="sides"><section aria-label="The node"><h2 id="name">Node</h2>'
        '<div id="facts" aria-live="polite"></div><pre id="board" aria-label="Position"></pre></section>\n'
        '<section aria-label="Branches"><h2>Branches</h2>\n'
        f'<ul role="tree" aria-label="Branches of the tree">\n{outline}</ul></section></div>\n'
        '<section aria-label="Picture"><h2>Picture</h2>'
        f'<p class="dim">{escape(_legend(twig))}</p>'
        f'<div id="picture" tabindex="0" role="region" aria-label="Picture of the tree, scrolls">'
        f"{svg(twig, title, style=False)}</div></section>\n"
        f'</main>\n<p class="dim">Made by gameplay {escape(__version__)}.</p>\n'
        f'<script type="application/json" id="nodes">{embedded(nodes)}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


LEGEND = "Triangles up are MAX, down MIN, circles chance, squares leaves. Dashed and grey: not searched."
EACH = (
    "Squares with a name are decisions of that player ({}), circles chance, squares without one leaves. "
    "Dashed and grey: not searched."
)
PROVING = (
    "Squares are OR nodes, where the side moves that is to be shown to win, circles AND nodes, with their "
    "proof and disproof numbers; ✓ is proved, ✗ disproved. Grey: not expanded. "
    "Dashed and grey: not searched, since another move decides."
)
CONTROLS = (
    '<div class="row" role="toolbar" aria-label="Steps">'
    + "".join(
        f'<button type="button" id="{name}">{text}</button>'
        for name, text in (
            ("first", "Start"),
            ("back", "Back"),
            ("next", "Step"),
            ("cut", "Next cut"),
            ("fold", "Collapse"),
            ("all", "Expand all"),
            ("smaller", "Zoom out"),
            ("larger", "Zoom in"),
        )
    )
    + "</div>\n"
)


def _legend(twig: Twig) -> str:
    """What the shapes mean that are in the picture."""
    if twig.proving:
        return PROVING
    nodes, players = [twig], dict[str, str]()
    for one in nodes:
        nodes += one.twigs
        if one.kind == "player":
            players[one.role] = one.kind
    return EACH.format(", ".join(players)) if players else LEGEND


def _branch(twig: Twig, nodes: list[dict[str, Any]], parent: int, level: int, drawn: Drawn) -> str:
    """A node of the list of branches, and what the script is to know of it, in the order of the search."""
    number = len(nodes)
    facts = [twig.pruned] if twig.pruned else [words(twig), *twig.facts]
    if twig.below:
        facts.append(f"not drawn: {twig.below:,} below it")
    cut = bool(twig.cut) or any(one.pruned for one in twig.twigs)
    nodes.append({"up": parent, "name": twig.word, "facts": facts, "cut": cut, "board": drawn(twig)})
    inner = "".join(_branch(one, nodes, number, level + 1, drawn) for one in twig.twigs)
    group = f'\n<ul role="group">{inner}</ul>' if inner else ""
    folded = ' aria-expanded="true"' if inner else ""
    grey = ' class="pruned"' if twig.pruned else ""
    first = "0" if parent < 0 else "-1"
    return (
        f'<li role="treeitem" id="b{number}" tabindex="{first}" aria-level="{level}" '
        f'aria-selected="false"{folded}{grey}>'
        f"<span>{escape(words(twig))}</span>{group}</li>\n"
    )
