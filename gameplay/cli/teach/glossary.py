"""`gameplay glossary`: the terms used in panels, reports and help."""

from textwrap import wrap

import click

from gameplay.cli.common.options import json_option
from gameplay.cli.common.width import columns

WIDTH = 80  # columns of a line at most
INSET = 26  # columns of the names


@click.command(short_help="Explain the terms in panels, reports and help")
@click.argument("word", nargs=-1)
@json_option("the words")
def command(word: tuple[str, ...], as_json: bool) -> None:
    """Explain a term of panels, reports and help: ply, seldepth, beta cutoff, LLR, ... (default: all).

    \b
    gameplay glossary nps
    gameplay glossary null move
    """
    from gameplay.glossary import TERMS, definition

    if as_json:
        import json

        rows = [{"word": name, "also": also, "meaning": text} for name, also, text in TERMS]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    width = min(WIDTH, columns(WIDTH))
    if word:
        click.echo("\n".join(wrap(definition(" ".join(word)), width)))
        return
    for name, _, text in TERMS:
        head = f"{name:<{INSET}}" if len(name) < INSET else f"{name} "
        click.echo("\n".join(wrap(text, width, initial_indent=head, subsequent_indent=" " * INSET)))
