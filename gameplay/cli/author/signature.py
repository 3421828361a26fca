"""`gameplay signature`: the signature of the search, a sum of nodes that any change of behaviour changes."""

from pathlib import Path

import click

SIGNATURE = Path(__file__).parents[2] / "conformance" / "signature.toml"


@click.command(short_help="Print the signature of the search: nodes of fixed searches")
@click.option("--check", is_flag=True, help="Compare with the stored signature.")
@click.option("--update", is_flag=True, help="Store this signature.")
def command(check: bool, update: bool) -> None:
    """Search fixed positions with every engine and print the sum of nodes: the signature.

    The signature is the same on every machine and in both builds; only a change of the search may change it.
    With --check the searches that differ from the stored signature are listed, with exit status 3.
    """
    from gameplay.conformance import signature
    from gameplay.errors import Mismatch, Usage

    if check and update:
        raise Usage("--check compares and --update replaces; expected one of them. Try: leave --update out")
    measured = signature.measure()
    total = sum(measured.values())
    if update:
        signature.save(SIGNATURE, measured)
        click.echo(f"{SIGNATURE.name}: {total} nodes in {len(measured)} searches")
        return
    if check:
        differences = signature.differences(signature.load(SIGNATURE), measured)
        for line in differences:
            click.echo(line)
        if differences:
            raise Mismatch(f"{len(differences)} searches differ; if intended: gameplay signature --update")
    else:
        for name, nodes in measured.items():
            click.echo(f"{nodes:>12}  {name}")
    click.echo(f"signature {total}")
