"""The directive `recording`: a recording of the terminal (`play --record`), with the player of asciinema.

The recording is part of the page, so that it plays from files, too. Only pages with one load the player.
"""

import json
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

PLAYER = "third_party/asciinema/asciinema-player.min.js", "recordings.js"
STYLE = "third_party/asciinema/asciinema-player.css"


class recording(nodes.General, nodes.Element):
    """A recording; `content` is its file."""


class Recording(Directive):
    """```{recording} PATH```: a file below docs."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        env = self.state.document.settings.env
        _, path = env.relfn2path(self.arguments[0])
        env.note_dependency(path)
        with open(path, encoding="utf-8") as file:
            return [recording(content=file.read())]


def visit_html(translator: Any, node: recording) -> None:
    """A box that the script fills."""
    data = json.dumps(node["content"]).replace("<", "\\u003c")
    translator.body.append(f'<div class="recording"><script type="application/json">{data}</script></div>\n')
    raise nodes.SkipNode


def skip(translator: Any, node: recording) -> None:
    """Nothing in man pages."""
    raise nodes.SkipNode


def load_player(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Have a page with recordings load the player."""
    if doctree is not None and next(doctree.findall(recording), None) is not None:
        app.add_css_file(STYLE)
        for script in PLAYER:
            app.add_js_file(script)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_node(recording, html=(visit_html, None), man=(skip, None), text=(skip, None))
    app.add_directive("recording", Recording)
    app.connect("html-page-context", load_player)
    return {"parallel_read_safe": True}
