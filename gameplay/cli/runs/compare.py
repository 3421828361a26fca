"""`gameplay run compare`: two runs of the same openings beside each other, game by game.

`--json` prints one document; all from the view of each run's first player:

    runs         [{run, player, points, games}, ...]    of the games that both have
    pairs                                               complete in both
    difference   {score, low, high, los, measured}      of a game's points, the second run's less the first's;
                                                        measured: false if all pairs differ alike, so that
                                                        there are bounds and no interval
    better, equal, worse                                pairs that brought the second run more, as much, less
    alike                                               games that are the same move for move
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common.options import RUN, STORE, json_option
from gameplay.cli.common.running import supervise
from gameplay.errors import Usage

if TYPE_CHECKING:
    from gameplay.store.runs import Run, Store

# Fields of a plan that must be alike.
COMPARED_FIELDS = ("game", "form", "games", "seed", "openings", "adjudicate")


@click.command(short_help="Compare two runs from the same openings")
@click.argument("one", type=RUN)
@click.argument("other", type=RUN)
@STORE
@json_option()
def command(one: str, other: str, store: Path | None, as_json: bool) -> None:
    """Compare the results of the first players of two runs, ONE and OTHER, from the same openings.

    Two versions of an engine that each met the same opponent are compared pair by pair, so that the
    advantage of an opening cancels out. Both runs must have been played from the same openings with the same
    seed.
    """
    import json

    from gameplay.store.runs import Store

    supervise(store, one, other)
    with Store(store, make=False) as kept:
        runs = (kept.run(one), kept.run(other))
        document = compare(kept, runs)
    if as_json:
        click.echo(json.dumps(document))
        return
    for run in document["runs"]:
        share = 100 * run["points"] / run["games"]
        click.echo(
            f"{run['run']}: {run['player']} has {run['points']:g} of {run['games']} points, {share:.1f} %"
        )
    difference = document["difference"]
    mean_gain, low, high, los = (100 * difference[key] for key in ("score", "low", "high", "los"))
    pairs = document["pairs"]
    noun = "pair" if pairs == 1 else "pairs"
    gain = f"second run minus the first: {mean_gain:+.1f} % of the points"
    if difference["measured"]:
        click.echo(f"{gain} [{low:+.1f}, {high:+.1f}]")
        click.echo(f"95 % interval from {pairs} {noun}; positive: {los:.1f} % sure")
    else:
        equality_note = "" if pairs == 1 else ", all with the same difference"
        click.echo(f"{gain}, between {low:+.1f} and {high:+.1f}")
        click.echo(f"bounds from {pairs} {noun}{equality_note}; positive: {los:.1f} % sure")
    click.echo(
        f"pairs: {document['better']} better, {document['equal']} equal, {document['worse']} worse; "
        f"{document['alike']} of {2 * pairs} games are identical"
    )


def compare(store: "Store", runs: tuple["Run", "Run"]) -> dict[str, Any]:
    """Return the document described above. Raises Usage if the runs cannot be compared."""
    from gameplay.runs.plan import decode
    from gameplay.statistics.interval import estimate

    plans = [decode(run.plan) for run in runs]
    for plan, run in zip(plans, runs, strict=True):
        if plan.form != "match" or len(plan.players) != 2:
            raise Usage(
                f"{run.id} is not a match of two players; expected one. Try: {store.command('status')}"
            )
    for field in COMPARED_FIELDS:
        own, other_value = (getattr(plan, field) for plan in plans)
        if own != other_value:
            raise Usage(
                f"the runs differ in {field} ({_format_field(own)} and {_format_field(other_value)}): "
                "they cannot be compared"
            )
    pairs = [_pairs(store, run) for run in runs]
    common = sorted(pairs[0].keys() & pairs[1].keys())
    if not common:
        raise Usage("the runs have no complete pair of games in common")
    for pair in common:
        if pairs[0][pair][1] != pairs[1][pair][1]:
            raise Usage(f"pair {pair} began from different openings in the two runs; expected the same")
    gains = [(pairs[1][pair][0] - pairs[0][pair][0]) / 2 for pair in common]
    gain = estimate(gains, span=(-1.0, 1.0))
    return {
        "runs": [
            {
                "run": run.id,
                "player": plan.players[0].name,
                "points": sum(own[pair][0] for pair in common),
                "games": 2 * len(common),
            }
            for run, plan, own in zip(runs, plans, pairs, strict=True)
        ],
        "pairs": len(common),
        "difference": {
            "score": round(gain.mean, 6),
            "low": round(gain.low, 6),
            "high": round(gain.high, 6),
            "los": round(gain.los, 6),
            "measured": len(set(gains)) > 1,
        },
        "better": sum(gain > 0 for gain in gains),
        "equal": sum(gain == 0 for gain in gains),
        "worse": sum(gain < 0 for gain in gains),
        "alike": sum(len(set(pairs[0][pair][2].items()) & set(pairs[1][pair][2].items())) for pair in common),
    }


Start = tuple[str, list[str]]  # a position as text, and the moves from it


def _pairs(store: "Store", run: "Run") -> "dict[int, tuple[float, Start, dict[int, str]]]":
    """The complete pairs: points of the first player, start positions, and moves by leg."""
    import json

    from gameplay.store.jsonl import COUNTED

    points: dict[int, float] = {}
    starts: dict[int, Start] = {}
    moves: dict[int, dict[int, str]] = {}
    for game in store.games(run.id, COUNTED):
        job = json.loads(bytes(game.job))
        points[game.pair] = points.get(game.pair, 0.0) + (game.points or 0.0)
        starts[game.pair] = (job.get("start", ""), job.get("moves", []))
        moves.setdefault(game.pair, {})[game.leg] = game.trail
    return {pair: (points[pair], starts[pair], trails) for pair, trails in moves.items() if len(trails) == 2}


def _format_field(value: object) -> str:
    import msgspec

    return msgspec.json.encode(value).decode() if not isinstance(value, str) else value
