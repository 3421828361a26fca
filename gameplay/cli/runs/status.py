"""`gameplay run status`: the stored runs, and the state of one of them.

`--json` prints one document; of one run, everything from the view of its first player:

    run, title, game, form, state, verdict, created, code    state: open, playing, finished, stopped, failed
    counted, scheduled, void, after_stop, quarantined         games; scheduled grows with knockout and Swiss
    players      [{name, wins, draws, losses}, ...]           the first player's line first
                 where payoffs count as points also points, of a game on average: {mean, low, high, los,
                 groups}, or null while too few pairs are complete
    seats        [{name, seat, wins, draws, losses}, ...]
    pairs        pairs that brought the first player 0, 1/2, 1, 3/2, 2 points; of a match of two, else null
    sprt         {llr, lower, upper, decision, model, ...}; or null
    terminations, repeats, plies, seconds
    faults       [{player, fault, games}, ...]; player "" where no player was at fault
    troubles     [{pair, leg, attempt, state, termination, offender, fault}, ...]
    claims       the same of counted games in which a program claimed another result than the rules give
    go_on        the command that resumes it, or null

Without RUN: {"store": FILE, "runs": [{run, title, players, game, state, counted, scheduled, score,
created}, ...]}.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay import file_io
from gameplay.cli.common.advice import command_line
from gameplay.cli.common.options import RUN, STORE, json_option
from gameplay.cli.common.running import supervise
from gameplay.cli.common.width import columns, echo_wrapped
from gameplay.visible import one_line

if TYPE_CHECKING:
    from gameplay.registry import Game
    from gameplay.runs.standing import Standing
    from gameplay.runs.summary import Summary
    from gameplay.store.runs import Run, Store

    Results = list[tuple[int, int, list[str], list[float]]]


@click.command(short_help="List the runs, or show the state of one")
@click.argument("run", required=False, type=RUN)
@STORE
@json_option()
def command(run: str | None, store: Path | None, as_json: bool) -> None:
    """List the runs, the newest first, or show the state of RUN (`last`: the newest).

    Name a run by its id, an unambiguous beginning of it, its last syllables, or its title.
    """
    import json

    from gameplay.store.runs import Store, default_path

    if run is None and store is None and not file_io.present(default_path()):
        if as_json:
            click.echo(json.dumps({"store": str(default_path()), "runs": []}))
        else:
            echo_wrapped(NO_RUNS)
        return
    supervise(store, *([] if run is None else [run]))
    with Store(store, make=False) as opened_store:
        if run is not None:
            document = _run_document(opened_store, opened_store.run(run))
            if as_json:
                click.echo(json.dumps(document))
            for line in () if as_json else _document_lines(document, store):
                echo_wrapped(one_line(line), INSET)
            return
        lines = [_run_row(opened_store, listed_run) for listed_run in opened_store.runs()]
        if as_json:
            click.echo(json.dumps({"store": str(opened_store.path), "runs": lines}))
        elif not lines:
            echo_wrapped(NO_RUNS)
        else:
            _print_list(lines, opened_store.command("status", "RUN"))
        opened_store.check()


INSET = 10  # columns of the names of facts
MIN_NAMES_WIDTH = 16  # columns of the players' names; with fewer a run takes several lines

NO_RUNS = "No runs are stored yet. Begin one: gameplay match iterative alphabeta --game connect4"


def state_of(store: "Store", run: "Run") -> str:
    """The state of a run in a word: `playing` while a process plays it."""
    return "playing" if store.lock_owner(run.id) else run.state


def current_standing(run: "Run", results: "Results") -> "Standing | None":
    """The state of the run by its results; None if its game or a player no longer exists."""
    from gameplay.errors import GameplayError
    from gameplay.runs.plan import decode
    from gameplay.runs.schedule import Schedule
    from gameplay.runs.standing import Standing

    try:
        standing = Standing(Schedule(decode(run.plan)))
        for pair, leg, _, payoffs in results:
            standing.add(pair, leg, payoffs)
        standing.extend_pairs()
    except (GameplayError, IndexError):
        return None
    return standing


def summarize(names: list[str], results: "Results", game: "Game | None" = None) -> "Summary":
    """A summary of the results; the game is needed only to report its points."""
    from gameplay.position import side_names
    from gameplay.runs.played import MatchGame
    from gameplay.runs.summary import Summary, points_of

    summary = Summary(names)
    if game is not None:
        position = game.new()
        summary.sides = side_names(position)
        summary.points = points_of(position)
    for pair, leg, seated, payoffs in results:
        summary.add(MatchGame(pair, leg, tuple(seated), tuple(payoffs), "", None))
    return summary


def _count_scheduled(standing: "Standing | None") -> int | None:
    """The number of scheduled games of the run; None if unknown."""
    return None if standing is None else sum(pair.legs for pair in standing.pairs)


def _run_row(store: "Store", run: "Run") -> dict[str, Any]:
    from gameplay.errors import GameplayError
    from gameplay.runs.plan import decode
    from gameplay.store import run_queries

    try:
        plan = decode(run.plan)
        names, game = [entry.name for entry in plan.players], plan.game
        results = run_queries.results(store, run.id)
    except GameplayError:  # list a run with an error, too
        names, game, results = ["?"], "?", []
    losses, draws, wins = summarize(names, results).total_results(names[0])
    games = losses + draws + wins
    return {
        "run": run.id,
        "title": run.title,
        "players": names,
        "game": game,
        "state": state_of(store, run),
        "counted": run_queries.count_states(store, run.id)["counted"],
        "scheduled": _count_scheduled(current_standing(run, results)),
        "score": (wins + draws / 2) / games if games else None,
        "created": run.created,
    }


def _print_list(lines: list[dict[str, Any]], example: str) -> None:
    """Print the runs, and the command that shows one of them."""
    rows = [["run", "state", "games", "score", "begun (UTC)", "players"]]
    for line in lines:
        score = "" if line["score"] is None else f"{100 * line['score']:.1f} %"
        start_time = line["created"][:16].replace("T", " ")
        title = f" ({line['title']})" if line["title"] else ""
        row = [
            line["run"],
            line["state"],
            _format_progress(line),
            score,
            start_time,
            ", ".join(line["players"]) + title,
        ]
        rows.append([one_line(cell) for cell in row])
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    players = sum(widths) + 2 * len(widths)  # where the column of players begins
    if 0 < columns() < players + MIN_NAMES_WIDTH:  # a run in several lines, without heads
        for name, state, games, score, start_time, names in rows[1:]:
            click.echo(f"{name}  {state}")
            echo_wrapped(
                "  " + ", ".join(filter(None, [f"{games} games", score, f"begun {start_time} UTC"])), 2
            )
            echo_wrapped(f"  {names}", 2)
    else:
        for row in rows:
            cells = [f"{cell:<{width}}" for cell, width in zip(row[:5], widths, strict=True)]
            echo_wrapped("  ".join([*cells, row[5]]).rstrip(), players)
    click.echo()
    echo_wrapped(f"The score is that of the first player. One of them: {example}")


def _format_progress(line: dict[str, Any]) -> str:
    scheduled = line["scheduled"]
    return f"{line['counted']:,}" if scheduled is None else f"{line['counted']:,} of {scheduled:,}"


def _run_document(store: "Store", run: "Run") -> dict[str, Any]:
    from gameplay.runs.faults import fault_counts
    from gameplay.runs.plan import decode
    from gameplay.store import run_queries

    plan = decode(run.plan)
    state = state_of(store, run)
    failed_games = run_queries.failed_games(store, run.id)
    results = run_queries.results(store, run.id)
    progress = current_standing(run, results)
    names = [entrant.name for entrant in plan.players]
    summary = summarize(names, results, None if progress is None else progress.schedule.game)
    verdict = progress.verdict if progress is not None else None
    seated = {name for name, _ in summary.results}
    pairs = summary.complete_tally.pairs if len(plan.players) == 2 else None
    average, longest, seconds = run_queries.game_lengths(store, run.id)
    is_resumable = state in ("open", "stopped", "failed")
    return {
        "run": run.id,
        "title": run.title,
        "game": plan.game,
        "form": plan.form,
        "state": state,
        "verdict": run.verdict,
        "created": run.created,
        "code": run.code,
        **run_queries.count_states(store, run.id),
        "scheduled": _count_scheduled(progress),
        "players": [
            {"name": name}
            | _counts_document(summary.total_results(name))
            | ({"points": gains} if summary.points else {})
            for name, gains in zip(summary.players, summary.mean_payoffs or names, strict=True)
            if name in seated
        ],
        "seats": [
            {"name": name, "seat": seat} | _counts_document(counts)
            for (name, seat), counts in summary.results.items()
        ],
        "pairs": pairs,
        "sprt": {**verdict.as_dict(), "words": str(verdict)} if verdict is not None else None,
        "terminations": run_queries.count_terminations(store, run.id),
        "repeats": run_queries.count_repeats(store, run.id),
        "plies": round(average, 1),
        "longest": longest,
        "seconds": round(seconds, 3),
        "faults": [
            count.as_dict() for count in fault_counts((t.offender, t.termination) for t in failed_games)
        ],
        "troubles": [vars(failed_game) for failed_game in failed_games],
        "claims": [vars(claim) for claim in run_queries.disputed_games(store, run.id)],
        "notes": [{"at": time, "text": text} for time, text in store.notes(run.id)],
        "owner": str(store.lock_owner(run.id) or ""),
        "go_on": command_line("gameplay", "run", "resume", run.id) if is_resumable else None,
    }


def _counts_document(counts: list[int]) -> dict[str, int]:
    losses, draws, wins = counts
    return {"wins": wins, "draws": draws, "losses": losses}


def _format_fault(failed_game: dict[str, Any]) -> str:
    """The fault, prefixed with the player unless the message begins with that name."""
    player_name = failed_game["offender"]
    fault = str(failed_game["fault"]).partition("\n")[0]  # the other lines are what the program wrote
    return fault if not player_name or fault.startswith(player_name) else f"{player_name}: {fault}"


def _document_lines(document: dict[str, Any], store: Path | None) -> list[str]:
    """Format the document, one fact per line."""
    import shlex
    from collections import Counter

    from gameplay.runs.faults import ENDS, FaultCount, format_fault_counts
    from gameplay.statistics.mean import Mean

    title = f" ({document['title']})" if document["title"] else ""
    lines = [
        f"{document['run']}{title}: {document['game']}, {document['form']}, "
        f"begun {document['created']} by gameplay {document['code']}"
    ]
    state = "not finished" if document["state"] == "open" else document["state"]
    if document["owner"]:
        state += f" by {document['owner']}"
    verdict = f": {document['verdict']}" if document["verdict"] else ""
    lines.append(f"state     {state}, {_format_progress({**document})} games{verdict}")
    for number, score in enumerate(document["players"]):
        games = score["wins"] + score["draws"] + score["losses"]
        share = 100 * (score["wins"] + score["draws"] / 2) / games
        lines.append(
            f"{'score' if number == 0 else '':<9} {score['name']}: "
            f"{score['wins']} won, {score['draws']} drawn, {score['losses']} lost, {share:.1f} %"
            + (f"; {Mean(**score['points'])}" if score.get("points") else "")
        )
        if len(document["players"]) == 2:
            break
    if document["pairs"]:
        counts = zip(("0", "0.5", "1", "1.5", "2"), document["pairs"], strict=True)
        first_name = document["players"][0]["name"] if document["players"] else "the first player"
        pairs = "  ".join(f"{points}: {count}" for points, count in counts)
        lines.append(f"pairs     {pairs}  (pentanomial: pairs by the points of {first_name})")
    if document["sprt"]:
        lines.append(f"SPRT      {document['sprt']['words']}")
    if document["counted"]:
        repeats = f", {document['repeats']} repeat another" if document["repeats"] else ""
        lines.append(
            f"length    {document['plies']} plies on average, {document['longest']} at most{repeats}"
        )
        ends_text = ", ".join(
            f"{count} {ENDS.get(word, word)}" for word, count in document["terminations"].items()
        )
        lines.append(f"ends      {ends_text}; {document['seconds']:.1f} s of play")
    lines.append(f"faults    {format_fault_counts(FaultCount(**count) for count in document['faults'])}")
    lines += [
        f"          pair {t['pair']}, leg {t['leg']}: {_format_fault(t)}" for t in document["troubles"][-3:]
    ]
    if document["claims"]:
        claim_counts = Counter(claim["offender"] for claim in document["claims"])
        names = ", ".join(f"{name}: {count}" for name, count in sorted(claim_counts.items()))
        lines.append(f"claims    that contradict the rules (ignored): {names}")
        lines += [
            f"          pair {c['pair']}, leg {c['leg']}: {c['fault']}" for c in document["claims"][-3:]
        ]
    for state in ("void", "after_stop", "quarantined"):
        if document[state]:
            lines.append(f"{'':<9} {document[state]} {state.replace('_', ' ')}, not counted")
    lines += [f"note      {note['at']} {note['text']}" for note in document["notes"]]
    if document["go_on"]:
        store_option = "" if store is None else f" --store {shlex.quote(str(store))}"
        lines.append(f"resume    {document['go_on']}{store_option}")
    return lines
