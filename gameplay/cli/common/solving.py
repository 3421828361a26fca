"""Solves puzzle instances with one engine or several: `selfplay` and `match` of single-player games."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from gameplay.errors import Mismatch, Unfinished, Usage

if TYPE_CHECKING:
    from gameplay.registry import Game
    from gameplay.search.limit import Limit


def solve(game: "Game", specs: Sequence[str], count: int, seed: int, limit: "Limit", as_json: bool) -> int:
    """Solve `count` random instances, seeded from `seed` on; nothing is stored.

    Returns the exit status: 3 if two engines prove different costs, 4 if an instance is left unsolved.
    """
    from gameplay import registry

    if count < 1:
        raise Usage(f"--games is {count}; expected a number from 1 up. Try: --games 10")
    if game.with_seed(seed, again=True) is game:
        count = 1  # all seeds give the same instance
    engines = []
    for spec in specs:
        engine, limits = registry.engine(spec)
        engine.check(game.new())
        engines.append((engine, engine.combine_limits(limits, limit)))
    names = [str(engine) for engine, _ in engines]
    if not as_json:
        click.echo(f"{game.spec}, solved by {', '.join(names)}\n")
        engine_column = f"  {'engine':<{max(map(len, names))}}" if len(names) > 1 else ""
        click.echo(f"{'seed':>6}{engine_column} {'length':>7} {'nodes':>16} {'expanded':>16} {'seconds':>9}")
    rows: list[dict[str, Any]] = []
    for number in range(seed, seed + count):
        for name, (engine, limits) in zip(names, engines, strict=True):
            report = engine.search(game.with_seed(number, again=True).new(), limits)
            if report.stopped == "interrupted":
                raise KeyboardInterrupt
            length = len(report.pv) if report.exact and report.pv else None
            row = {"seed": number, "length": length, "cost": -report.value if length else None}
            row |= {"nodes": report.nodes, "expanded": report.expanded, "seconds": report.seconds}
            rows.append(({"engine": name} if len(names) > 1 else {}) | row | {"stopped": report.stopped})
            if not as_json:
                _print_row(rows[-1], max(map(len, names)))
    if as_json:
        click.echo(json.dumps(_document(game, names, rows), indent=2))
    elif len(names) == 1:
        _print_totals(rows)
    else:
        _print_comparison(names, rows)
    return _exit_status(rows)


def _print_row(row: dict[str, Any], width: int) -> None:
    engine_column = f"  {row['engine']:<{width}}" if "engine" in row else ""
    length = str(row["length"]) if row["length"] else "-"
    reason = "" if row["length"] else f"  {row['stopped']}"
    click.echo(
        f"{row['seed']:>6}{engine_column} {length:>7} {row['nodes']:>16,} {row['expanded']:>16,} "
        f"{row['seconds']:>9.2f}{reason}"
    )


def _totals(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    solved = sum(row["length"] is not None for row in rows)
    return {"solved": solved} | {name: sum(row[name] for row in rows) for name in ("nodes", "seconds")}


def _document(game: "Game", names: Sequence[str], rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    if len(names) == 1:
        return {"game": game.spec, "engine": names[0], "games": rows} | _totals(rows)
    rows_of = {name: [row for row in rows if row["engine"] == name] for name in names}
    return {"game": game.spec, "engines": {name: _totals(rows_of[name]) for name in names}, "games": rows}


def _print_totals(rows: Sequence[dict[str, Any]]) -> None:
    """Print the result of one engine."""
    totals, lengths = _totals(rows), [row["length"] for row in rows if row["length"]]
    click.echo(f"\nsolved   {totals['solved']} of {len(rows)}")
    if lengths:
        mean_length = sum(lengths) / len(lengths)
        click.echo(f"length   {mean_length:.2f} on average, {min(lengths)} to {max(lengths)}")
    speed = totals["nodes"] / max(totals["seconds"], 1e-9) / 1e6
    click.echo(f"nodes    {totals['nodes']:,} in {totals['seconds']:.1f} s, {speed:.1f} million a second")


def _print_comparison(names: Sequence[str], rows: Sequence[dict[str, Any]]) -> None:
    """Print the results of several engines, whose solutions are all cheapest paths."""
    width = max(map(len, names))
    click.echo(f"\n{'engine':<{width}} {'solved':>10} {'nodes':>16} {'seconds':>9}")
    for name in names:
        engine_rows = [row for row in rows if row["engine"] == name]
        totals = _totals(engine_rows)
        solved = f"{totals['solved']} of {len(engine_rows)}"
        click.echo(f"{name:<{width}} {solved:>10} {totals['nodes']:>16,} {totals['seconds']:>9.2f}")
    if difference := _find_difference(rows):
        click.echo(
            f"\nTheir costs differ for seed {difference[0]['seed']}: at least one is not a shortest path."
        )
    else:
        click.echo("\nEach solution is proven optimal; all engines agree.")


def _find_difference(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Two proven solutions of one instance with different costs."""
    reference: dict[int, dict[str, Any]] = {}
    for row in rows:
        if row["cost"] is not None and reference.setdefault(row["seed"], row)["cost"] != row["cost"]:
            return [reference[row["seed"]], row]
    return []


def _exit_status(rows: Sequence[dict[str, Any]]) -> int:
    if _find_difference(rows):
        return Mismatch.status
    return 0 if all(row["length"] for row in rows) else Unfinished.status
