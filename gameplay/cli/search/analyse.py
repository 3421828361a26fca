"""`gameplay analyse`: search one position with several engines, side by side.

`--json` prints one document; values are on the scale of `gameplay.value`, from the view of `turn`:

    game, position, made [word, ...], turn, unit (one of what people count, on that scale)
    engines    [{spec, search, unfinished, text, move, pv, candidates, and every figure of a Report}, ...];
               {spec, search, unfinished, fault} of one that cannot play the game, or failed
    equal      true or false where theory makes values equal, else null; theory: the same in a sentence
"""

import textwrap
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common.options import (
    LINES,
    Drawing,
    check_distinct,
    drawing_options,
    game_argument,
    json_option,
    limit_options,
    position_option,
)
from gameplay.cli.common.tracing import CHANCE_SEED, match_to_search
from gameplay.cli.common.width import echo_error
from gameplay.errors import Mismatch, Usage

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.matches.match import Match
    from gameplay.search.limit import Limit
    from gameplay.suites.analysis import Agreement, Opinion


@click.command(short_help="Search one position with several engines")
@game_argument()
@position_option("Search this position [the start].")
@click.option("--moves", metavar="MOVES", default="", help='Make these moves first: "4 4 3".')
@CHANCE_SEED
@click.option(
    "--engines",
    metavar="A,B,...",
    help="Compare these engines: minimax,alphabeta:order=killer [the game's default engine].",
)
@limit_options(
    "Search depth limit in plies.", "Node limit of a search.", "Time limit of a search, in seconds."
)
@click.option("--multipv", type=LINES, default=1, help="Show the N best lines of one engine [1].")
@drawing_options("Print one fact per line, and nothing before a search is done.")
@json_option("all of it")
def command(
    game: str,
    position: str,
    moves: str,
    seed: int | None,
    engines: str | None,
    limit: "Limit",
    multipv: int,
    drawing: Drawing,
    as_json: bool,
) -> int:
    """Search one position of GAME with one engine or several, and compare the results.

    \b
    gameplay analyse connect4 --engines minimax,alphabeta,iterative --depth 6
    gameplay analyse chess --depth 8 --multipv 3
    gameplay analyse othello --engines iterative,selective --time 2 --json

    An engine can have its own limit (minimax:depth=4) beside the common ones, and tables to probe
    (selective:tables=FOLDER). Where theory says that the values of the engines are equal, the last line
    checks it; if they differ, the exit status is 3. If an engine cannot play the game or keep the limit,
    the reason is printed first, the others are searched and the exit status is 2; if one fails, it is 5.
    Ctrl-C ends the search in progress and skips the others.
    """
    from gameplay import registry
    from gameplay.api.tracing import check_decision
    from gameplay.specs import parse_list
    from gameplay.suites import analysis

    chosen_game = registry.game(game)
    match = match_to_search(chosen_game, position, moves, seed)
    specs = [registry.default_engine(match.position).name] if engines is None else parse_list(engines)
    if not specs:
        raise Usage("--engines names no engine. Try: --engines minimax,alphabeta")
    check_distinct("--engines", specs)
    if multipv > 1 and len(specs) > 1:
        raise Usage(
            f"--multipv is for one engine, and --engines names {len(specs)}. Try: --engines {specs[0]}"
        )
    if match.over():
        raise Usage("the game is over: there is nothing to search")
    match.moves()  # so that errors of the game are not attributed to an engine
    opinions = analysis.collect_opinions(specs, chosen_game, match.position, limit.with_(multipv=multipv))
    if any(opinion.fault is None for opinion in opinions):
        check_decision(match)
    refused = [opinion.fault for opinion in opinions if opinion.fault is not None]
    for fault in refused:  # before the first search, which may take long
        echo_error(fault)
    theme = drawing.theme(plain=as_json)
    opinions = _search(match, opinions, theme, quiet=as_json)
    agreement = analysis.agreement(opinions)
    if as_json:
        _print_json(match, opinions, agreement)
    elif agreement is not None:
        width = theme.console.size.width if theme.interactive else 10_000
        click.echo(textwrap.fill(str(agreement), width, break_on_hyphens=False))
    faults = [opinion.fault for opinion in opinions if opinion.fault is not None]
    if len(faults) == len(opinions) and not refused:
        raise faults[0]
    for fault in faults:
        if fault not in refused:
            echo_error(fault)
    if any(opinion.fault is None and not _finished(opinion) for opinion in opinions):
        raise KeyboardInterrupt
    if faults:
        return faults[0].status
    return Mismatch.status if agreement is not None and not agreement.equal else 0


def _finished(opinion: "Opinion") -> bool:
    return opinion.report is not None and opinion.report.stopped != "interrupted"


def _search(match: "Match", opinions: "list[Opinion]", theme: "Theme", quiet: bool) -> "list[Opinion]":
    """Run the engines in turn and show their reports."""
    from gameplay.display.reports.analysis import Shown
    from gameplay.suites import analysis

    with Shown(match, theme, quiet) as display:
        for number, opinion in enumerate(opinions):
            if opinion.fault is not None:
                continue

            def watch(update: "Opinion", number: int = number) -> None:
                opinions[number] = update
                display.show(opinions)

            result = analysis.search(opinion, match.replica(), watch)
            opinions[number] = result
            display.show(opinions, result if result.report is not None else None)
            if result.fault is None and not _finished(result):
                break
    return opinions


def _print_json(match: "Match", opinions: "list[Opinion]", agreement: "Agreement | None") -> None:
    import json

    from gameplay.display.reports.analysis import facts
    from gameplay.tracing.documents import place

    rows = []
    for opinion in opinions:
        opinion_facts = facts(match, opinion)
        row: dict[str, Any] = {
            "spec": opinion.spec,
            "search": opinion_facts["search"],
            "unfinished": opinion.unfinished,
        }
        if opinion.fault is not None:
            row["fault"] = str(opinion.fault)
        if opinion.report is not None:
            report = opinion.report.as_dict()
            candidates = [
                candidate | {"move": match.spell([candidate["move"]])[0], "pv": match.spell(candidate["pv"])}
                for candidate in report["candidates"]
            ]
            words = {"pv": match.spell(opinion.report.pv), "candidates": candidates}
            row |= report | words | {"move": opinion_facts["move"] or None, "text": opinion_facts["value"]}
        rows.append(row)
    document = {
        **place(match),
        "turn": match.side(match.position.turn),
        "unit": match.position.unit,
        "engines": rows,
        "equal": None if agreement is None else agreement.equal,
        "theory": None if agreement is None else str(agreement),
    }
    click.echo(json.dumps(document))
