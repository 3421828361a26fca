"""`gameplay glossary`: what the words mean that panels, reports and help use."""

from textwrap import wrap

import click

from gameplay.cli.common.options import json_option


@click.command(short_help="Explain the terms in panels, reports and help")
@click.argument("word", nargs=-1)
@json_option("the words")
def command(word: tuple[str, ...], as_json: bool) -> None:
    """Explain a term of panels, reports and help: ply, seldepth, beta cutoff, LLR, ... (default: all).

    \b
    gameplay glossary nps
    gameplay glossary null move
    """
    from gameplay.glossary import WORDS, meaning

    if as_json:
        import json

        rows = [{"word": name, "also": also, "meaning": text} for name, also, text in WORDS]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    elif word:
        click.echo("\n".join(wrap(meaning(" ".join(word)), 80)))
    else:
        for name, _, text in WORDS:
            head = f"{name:<26}" if len(name) < 26 else f"{name} "
            click.echo("\n".join(wrap(text, 80, initial_indent=head, subsequent_indent=" " * 26)))
