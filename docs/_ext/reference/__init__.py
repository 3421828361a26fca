"""A Sphinx extension that writes the pages of the reference from the program itself.

Before Sphinx looks for sources, `write` puts a page for each command, engine and game, and pages on formats
of records, TOML files, protocols and the library, into folders below docs/reference that git ignores. A page
that has not changed is left as it is, so that only changed pages are built again.
"""

import re
from pathlib import Path
from typing import Any

from reference import commands, engines, files, games, library, toml_files

FOLDERS = {
    "commands": commands.pages,
    "engines": engines.pages,
    "games": games.pages,
    "files": files.formats,
    "toml": toml_files.toml_files,
    "protocols": files.protocols,
    "python": library.pages,
}


def write(root: Path) -> None:
    """Write all pages below `root`, and delete pages of what is no longer there."""
    for folder, pages in FOLDERS.items():
        (root / folder).mkdir(parents=True, exist_ok=True)
        texts = pages()
        for name, text in texts.items():
            path = root / folder / f"{name}.md"
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")
        for path in (root / folder).glob("*.md"):
            if path.stem not in texts:
                path.unlink()


def man_pages(author: str) -> list[tuple[str, str, str, str, int]]:
    """The setting of that name: a man page for each command."""
    return [
        (f"reference/commands/{name}", f"gameplay-{name}", summary, author, 1)
        for name, summary in commands.summaries().items()
    ]


def unlink_outside(app: Any, document: str, source: list[str]) -> None:
    """Links to files outside docs become their text: the site has no page for them."""
    root = Path(app.srcdir).resolve()

    def text(link: re.Match[str]) -> str:
        target = (root / document).parent / link[2]
        return link[0] if target.resolve().is_relative_to(root) else link[1]

    source[0] = re.sub(r"\[([^\]]+)\]\((\.\./[^)#]*)\)", text, source[0])


def setup(app: Any) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("builder-inited", lambda app: write(Path(app.srcdir) / "reference"))
    app.connect("source-read", unlink_outside)
    return {"version": "1", "parallel_read_safe": True}
