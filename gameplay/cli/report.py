"""`gameplay report`: what a run came to, on the terminal or as a page."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli import STATUSES
from gameplay.cli.status import STORE, run_names
from gameplay.errors import BadInput

if TYPE_CHECKING:
    from gameplay.runs.plan import Plan
    from gameplay.runs.summary import Played, Summary
    from gameplay.store.lines import Kept


@click.command(
    short_help="What a run came to, on the terminal or as a page",
    epilog=STATUSES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.argument("run", metavar="RUN|FILE", shell_complete=run_names)
@click.option(
    "--html", type=click.Path(path_type=Path), metavar="FILE", help="Write a page to open in a browser."
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON document.")
@STORE
def command(run: str, html: Path | None, as_json: bool, store: Path | None) -> None:
    """Tell what RUN came to: verdict, cross table, ratings, the course of its test, faults.

    RUN is a run that is kept (`last`: the newest), or a FILE of `gameplay export` or `selfplay --out`. With
    --html every game can be stepped through; the page is one file that needs nothing else.

    \b
    gameplay report last
    gameplay report games.jsonl --html report.html
    """
    summary = read(run, store)
    if html is not None:
        text = _page(summary)
        html.write_text(text, encoding="utf-8")
        click.echo(f"{html}: {len(text.encode()) / 1000:,.0f} kB", err=True)
    if as_json:
        click.echo(json.dumps(summary.as_dict()))
    elif html is None:
        from gameplay.display import crosstable
        from gameplay.display.theme import decide

        crosstable.show(decide(), summary)


def read(word: str, store: Path | None) -> "Summary":
    """The summary of a run in the store, or in a file. Raises Usage or BadInput."""
    path = Path(word)
    if path.suffix in (".jsonl", ".json") or path.is_file():
        if not path.is_file():
            raise BadInput(f"there is no file {path}")
        first = path.open("rb").readline()
        return _exported(path) if first.startswith(b'{"runs"') else _series(path)
    from gameplay.runs.plan import decode
    from gameplay.store.runs import Store

    with Store(store, make=False) as kept:
        found = kept.run(word)
        games = [_game(game) for game in kept.games(found.id)]
        facts = [("run", found.id), ("begun", found.created), ("version", found.code)]
        plan = decode(found.plan)
        return _summary(found.title, plan, games, found.state, found.verdict, facts)


def _exported(path: Path) -> "Summary":
    from gameplay.runs.plan import decode
    from gameplay.store import lines

    whole, _ = lines.whole(path.read_bytes())
    header, kept = lines.read(whole, str(path))
    games = [_game(game) for game in kept]
    facts = [("run", header.id), ("begun", header.created), ("version", header.code), ("file", path.name)]
    return _summary(header.title, decode(bytes(header.plan)), games, header.state, header.verdict, facts)


def _game(kept: "Kept") -> "Played":
    from gameplay.runs.summary import Played

    job = json.loads(bytes(kept.job))
    return Played(
        pair=kept.pair,
        leg=kept.leg,
        names=tuple(kept.names),
        payoffs=tuple(kept.payoffs),
        termination=kept.termination,
        record=kept.read(),
        opening=len(job.get("moves", ())),
        state=kept.state,
        attempt=kept.attempt,
        offender=kept.offender,
        fault=kept.fault,
        times=tuple(kept.times),
        seconds=kept.seconds,
    )


def _summary(
    title: str, plan: "Plan", games: list["Played"], state: str, verdict: str, facts: list[tuple[str, str]]
) -> "Summary":
    from gameplay import registry
    from gameplay.position import side
    from gameplay.runs.summary import Summary

    game = registry.game(plan.game)
    position = game.new()
    planned = plan.games if plan.form == "match" else None
    limits = {str(plan.limit(entry) or plan.clock_of(entry)) for entry in plan.players}
    told = [
        ("form", plan.form),
        ("limits", "; ".join(sorted(filter(None, limits)))),
        ("seed", str(plan.seed)),
    ]
    names = [entry.name for entry in plan.players]
    told_of = " against ".join(names) if len(names) == 2 else f"{plan.form} of {len(names)} players"
    return Summary(
        title=f"{game.name}: {title or told_of}",
        game=game.name if "/" in game.spec else game.spec,
        players=names,
        specs={entry.name: entry.player for entry in plan.players},
        sides=[side(position, seat) for seat in range(position.players)],
        games=games,
        planned=planned,
        state={"open": "not finished"}.get(state, state)
        + (f": {verdict}" if verdict and plan.sprt is None else ""),
        sprt=plan.sprt,
        facts=[fact for fact in [*told, *facts] if fact[1]],
    )


def _series(path: Path) -> "Summary":
    """The summary of a file of `selfplay --out`."""
    from gameplay import registry
    from gameplay.position import side
    from gameplay.runs.plan import unique
    from gameplay.runs.summary import Played, Summary
    from gameplay.store import series

    header, raw = series.read(path)
    players = unique([header.first, header.second])
    plies = header.openings if isinstance(header.openings, int) else 0
    games = [
        Played(
            pair=line.pair,
            leg=line.leg,
            names=(players[line.leg], players[1 - line.leg]),
            payoffs=tuple(line.result or ()),
            termination=line.reason,
            record=line,
            opening=plies,
        )
        for line in series.decoded(path, raw)
    ]
    game = registry.game(header.game)
    position = game.new()
    name = game.name if "/" in game.spec else game.spec
    return Summary(
        title=f"{name}: {header.first} against {header.second}",
        game=name,
        players=players,
        specs={},
        sides=[side(position, 0), side(position, 1)],
        games=games,
        planned=header.games,
        facts=[("seed", str(header.seed)), ("version", header.version), ("file", path.name)],
    )


def _page(summary: "Summary") -> str:
    from gameplay import registry
    from gameplay.display.page import GAMES, page
    from gameplay.runs.frames import frames, stage

    pictures: list[tuple[Any, dict[str, Any]]] = []
    shown = [game for game in summary.games if game.record is not None][:GAMES]
    found = None
    for game in shown:
        assert game.record is not None
        found = registry.game(game.record.game)
        try:
            pictures.append((game, frames(found, game.record, game.times)))
        except BadInput as error:
            raise BadInput(f"pair {game.pair + 1}, game {game.leg + 1} cannot be drawn: {error}") from None
    return page(summary, stage(found) if found is not None else None, pictures)
