"""`gameplay run report`: the results of a run, on the terminal or as a page."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common.options import REPORT, RUN, STORE, json_option
from gameplay.cli.common.running import supervise
from gameplay.cli.common.width import echo_err
from gameplay.errors import BadInput

if TYPE_CHECKING:
    from gameplay.runs.plan import Plan
    from gameplay.runs.played import MatchGame
    from gameplay.runs.summary import Summary


@click.command(short_help="Show the results of a run, or write a page")
@click.argument("run", metavar="RUN|FILE", type=RUN)
@click.option("--html", type=REPORT, help="Write a page for a browser to FILE, replacing it.")
@json_option("the figures")
@STORE
def command(run: str, html: Path | None, as_json: bool, store: Path | None) -> None:
    """Show the results of RUN: verdict, cross table, ratings, the course of its SPRT, faults.

    RUN is a stored run (`last`: the newest); FILE is one that `gameplay run export` or `selfplay --out`
    wrote. With --html every game can be stepped through; the page is one self-contained file.

    \b
    gameplay run report last
    gameplay run report games.jsonl --html report.html
    """
    summary, games = read_run(run, store)
    if html is not None:
        from gameplay import file_io

        text = _page(summary, games)
        file_io.write(html, [text.encode()])
        echo_err(f"{html}: {len(text.encode()) / 1000:,.0f} kB")
    if as_json:
        import json

        click.echo(json.dumps(summary.as_dict()))
    elif html is None:
        from gameplay.display.reports import crosstable
        from gameplay.display.theme import detect_theme

        crosstable.show(detect_theme(), summary)


def read_run(word: str, store: Path | None) -> "tuple[Summary, list[MatchGame]]":
    """Return the results of a run, in the store or in a file, and its games to replay.

    Raises Usage or BadInput.
    """
    from gameplay.file_io import no_file
    from gameplay.runs.plan import decode
    from gameplay.runs.played import from_store

    path = Path(word)
    if path.suffix in (".jsonl", ".json") or path.is_file():
        if not path.is_file():
            raise BadInput(no_file(path))
        return _read_file(path)
    from gameplay.store.runs import Store

    supervise(store, word)
    with Store(store, make=False) as kept:
        stored = kept.run(word)
        facts = [("run", stored.id), ("begun", stored.created), ("version", stored.code)]
        summary = _summary(stored.title, decode(stored.plan), stored.state, stored.verdict, facts)
        return _add_games(summary, map(from_store, kept.games(stored.id)))


def _read_file(path: Path) -> "tuple[Summary, list[MatchGame]]":
    from gameplay.file_io import content
    from gameplay.runs.plan import decode
    from gameplay.runs.played import from_store
    from gameplay.store import jsonl

    whole, _ = jsonl.complete_lines(content(path))
    header, kept = jsonl.read(whole, str(path))
    facts = [("run", header.id), ("begun", header.created), ("version", header.code), ("file", path.name)]
    plan = decode(bytes(header.plan))
    summary = _summary(header.title, plan, header.state, header.verdict, facts)
    return _add_games(summary, map(from_store, kept))


def _add_games(summary: "Summary", games: "Iterable[MatchGame]") -> "tuple[Summary, list[MatchGame]]":
    """Add the games to the summary; returns it with the games to replay, at most MAX_GAMES."""
    from gameplay.display.pages.run import MAX_GAMES

    shown: list[MatchGame] = []
    for game in games:
        summary.add(game)
        if game.record is not None and len(shown) < MAX_GAMES:
            shown.append(game)
    return summary, shown


def _summary(title: str, plan: "Plan", state: str, verdict: str, facts: list[tuple[str, str]]) -> "Summary":
    from gameplay import registry
    from gameplay.position import side_names
    from gameplay.runs.summary import Summary, points_of

    game = registry.game(plan.game)
    position = game.new()
    planned = plan.games if plan.form == "match" else None
    limits = {str(plan.limit(entry) or plan.clock_of(entry)) for entry in plan.players}
    played = [
        ("form", plan.form),
        ("limits", "; ".join(sorted(filter(None, limits)))),
        ("seed", str(plan.seed)),
    ]
    names = [entry.name for entry in plan.players]
    whom = " against ".join(names) if len(names) == 2 else f"{plan.form} of {len(names)} players"
    return Summary(
        title=f"{game.name}: {title or whom}",
        game=game.name if "/" in game.spec else game.spec,
        players=names,
        specs={entry.name: entry.player for entry in plan.players},
        sides=side_names(position),
        points=points_of(position),
        planned=planned,
        state={"open": "not finished"}.get(state, state)
        + (f": {verdict}" if verdict and plan.sprt is None else ""),
        sprt=plan.sprt,
        plan=plan,
        facts=[fact for fact in [*played, *facts] if fact[1]],
    )


def _page(summary: "Summary", games: "list[MatchGame]") -> str:
    from gameplay import registry
    from gameplay.display.pages.run import page
    from gameplay.runs.frames import frames, stage

    pictures: list[tuple[MatchGame, dict[str, Any]]] = []
    played = None
    for game in games:
        assert game.record is not None
        played = registry.game(game.record.game)
        try:
            pictures.append((game, frames(played, game.record, game.times)))
        except BadInput as error:
            raise BadInput(f"pair {game.pair + 1}, game {game.leg + 1} cannot be drawn: {error}") from None
    return page(summary, stage(played) if played is not None else None, pictures)
