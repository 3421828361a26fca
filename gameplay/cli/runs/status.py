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
    with Store(store, make=False) as kept:
        if run is not None:
            document = _run_document(kept, kept.run(run))
            if as_json:
                click.echo(json.dumps(document))
            for line in () if as_json else _document_lines(document, store):
                echo_wrapped(one_line(line), INSET)
            return
        lines = [_run_row(kept, one) for one in kept.runs()]
        if as_json:
            click.echo(json.dumps({"store": str(kept.path), "runs": lines}))
        elif not lines:
            echo_wrapped(NO_RUNS)
        else:
            _print_list(lines)
        kept.check()


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
    from gameplay.position import side
    from gameplay.runs.played import MatchGame
    from gameplay.runs.summary import Summary, points_of

    summary = Summary(names)
    if game is not None:
        position = game.new()
        summary.sides = [side(position, seat) for seat in range(position.players)]
        summary.points = points_of(position)
    for pair, leg, seated, payoffs in results:
        summary.add(MatchGame(pair, leg, tuple(seated), tuple(payoffs), "", None))
    return summary


def _count_scheduled(standing: "Standing | None") -> int | None:
    """The number of games of the run, as far as it is known."""
    return None if standing is None else sum(pair.legs for pair in standing.pairs)


def _run_row(store: "Store", run: "Run") -> dict[str, Any]:
    from gameplay.errors import GameplayError
    from gameplay.runs.plan import decode
    from gameplay.store import run_queries

    try:
        plan = decode(run.plan)
        names, game = [entry.name for entry in plan.players], plan.game
        results = run_queries.results(store, run.id)
    except GameplayError:  # that of one run must not hide the others
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


def _print_list(lines: list[dict[str, Any]]) -> None:
    rows = [["run", "state", "games", "score", "begun (UTC)", "players"]]
    for line in lines:
        score = "" if line["score"] is None else f"{100 * line['score']:.1f} %"
        begun = line["created"][:16].replace("T", " ")
        title = f" ({line['title']})" if line["title"] else ""
        row = [
            line["run"],
            line["state"],
            _format_progress(line),
            score,
            begun,
            ", ".join(line["players"]) + title,
        ]
        rows.append([one_line(cell) for cell in row])
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    players = sum(widths) + 2 * len(widths)  # where the column of players begins
    if 0 < columns() < players + MIN_NAMES_WIDTH:  # a run in several lines, without heads
        for name, state, games, score, begun, names in rows[1:]:
            click.echo(f"{name}  {state}")
            echo_wrapped("  " + ", ".join(filter(None, [f"{games} games", score, f"begun {begun} UTC"])), 2)
            echo_wrapped(f"  {names}", 2)
    else:
        for row in rows:
            cells = [f"{cell:<{width}}" for cell, width in zip(row[:5], widths, strict=True)]
            echo_wrapped("  ".join([*cells, row[5]]).rstrip(), players)
    click.echo()
    echo_wrapped("The score is that of the first player. One of them: gameplay run status RUN")


def _format_progress(line: dict[str, Any]) -> str:
    due = line["scheduled"]
    return f"{line['counted']:,}" if due is None else f"{line['counted']:,} of {due:,}"


def _run_document(store: "Store", run: "Run") -> dict[str, Any]:
    from gameplay.runs.faults import fault_counts
    from gameplay.runs.plan import decode
    from gameplay.store import run_queries

    plan = decode(run.plan)
    state = state_of(store, run)
    troubles = run_queries.failed_games(store, run.id)
    results = run_queries.results(store, run.id)
    progress = current_standing(run, results)
    names = [entrant.name for entrant in plan.players]
    counted = summarize(names, results, None if progress is None else progress.schedule.game)
    verdict = progress.verdict if progress is not None else None
    seated = {name for name, _ in counted.results}
    pairs = counted.complete_tally.pairs if len(plan.players) == 2 else None
    average, longest, seconds = run_queries.game_lengths(store, run.id)
    goes_on = state in ("open", "stopped", "failed")
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
            | _counts_document(counted.total_results(name))
            | ({"points": gains} if counted.points else {})
            for name, gains in zip(counted.players, counted.mean_payoffs or names, strict=True)
            if name in seated
        ],
        "seats": [
            {"name": name, "seat": seat} | _counts_document(counts)
            for (name, seat), counts in counted.results.items()
        ],
        "pairs": pairs,
        "sprt": {**verdict.as_dict(), "words": str(verdict)} if verdict is not None else None,
        "terminations": run_queries.count_terminations(store, run.id),
        "repeats": run_queries.count_repeats(store, run.id),
        "plies": round(average, 1),
        "longest": longest,
        "seconds": round(seconds, 3),
        "faults": [count.as_dict() for count in fault_counts((t.offender, t.termination) for t in troubles)],
        "troubles": [vars(trouble) for trouble in troubles],
        "claims": [vars(claim) for claim in run_queries.disputed_games(store, run.id)],
        "notes": [{"at": at, "text": text} for at, text in store.notes(run.id)],
        "owner": str(store.lock_owner(run.id) or ""),
        "go_on": command_line("gameplay", "run", "resume", run.id) if goes_on else None,
    }


def _counts_document(counts: list[int]) -> dict[str, int]:
    losses, draws, wins = counts
    return {"wins": wins, "draws": draws, "losses": losses}


def _format_fault(trouble: dict[str, Any]) -> str:
    """The fault, prefixed with the player unless the message begins with that name."""
    offender, fault = trouble["offender"], str(trouble["fault"])
    return fault if not offender or fault.startswith(offender) else f"{offender}: {fault}"


def _document_lines(one: dict[str, Any], store: Path | None) -> list[str]:
    """Format the document, one fact a line."""
    import shlex
    from collections import Counter

    from gameplay.runs.faults import ENDS, FaultCount, format_fault_counts
    from gameplay.statistics.mean import Mean

    title = f" ({one['title']})" if one["title"] else ""
    lines = [
        f"{one['run']}{title}: {one['game']}, {one['form']}, begun {one['created']} by gameplay {one['code']}"
    ]
    state = "not finished" if one["state"] == "open" else one["state"]
    if one["owner"]:
        state += f" by {one['owner']}"
    verdict = f": {one['verdict']}" if one["verdict"] else ""
    lines.append(f"state     {state}, {_format_progress({**one})} games{verdict}")
    for number, score in enumerate(one["players"]):
        games = score["wins"] + score["draws"] + score["losses"]
        share = 100 * (score["wins"] + score["draws"] / 2) / games
        lines.append(
            f"{'score' if number == 0 else '':<9} {score['name']}: "
            f"{score['wins']} won, {score['draws']} drawn, {score['losses']} lost, {share:.1f} %"
            + (f"; {Mean(**score['points'])}" if score.get("points") else "")
        )
        if len(one["players"]) == 2:
            break
    if one["pairs"]:
        counts = zip(("0", "0.5", "1", "1.5", "2"), one["pairs"], strict=True)
        first = one["players"][0]["name"] if one["players"] else "the first player"
        pairs = "  ".join(f"{points}: {count}" for points, count in counts)
        lines.append(f"pairs     {pairs}  (pentanomial: pairs by the points of {first})")
    if one["sprt"]:
        lines.append(f"SPRT      {one['sprt']['words']}")
    if one["counted"]:
        repeats = f", {one['repeats']} repeat another" if one["repeats"] else ""
        lines.append(f"length    {one['plies']} plies on average, {one['longest']} at most{repeats}")
        ends = ", ".join(f"{count} {ENDS.get(word, word)}" for word, count in one["terminations"].items())
        lines.append(f"ends      {ends}; {one['seconds']:.1f} s of play")
    lines.append(f"faults    {format_fault_counts(FaultCount(**count) for count in one['faults'])}")
    lines += [f"          pair {t['pair']}, leg {t['leg']}: {_format_fault(t)}" for t in one["troubles"][-3:]]
    if one["claims"]:
        who = Counter(claim["offender"] for claim in one["claims"])
        names = ", ".join(f"{name}: {count}" for name, count in sorted(who.items()))
        lines.append(f"claims    that contradict the rules (ignored): {names}")
        lines += [f"          pair {c['pair']}, leg {c['leg']}: {c['fault']}" for c in one["claims"][-3:]]
    for state in ("void", "after_stop", "quarantined"):
        if one[state]:
            lines.append(f"{'':<9} {one[state]} {state.replace('_', ' ')}, not counted")
    lines += [f"note      {note['at']} {note['text']}" for note in one["notes"]]
    if one["go_on"]:
        where = "" if store is None else f" --store {shlex.quote(str(store))}"
        lines.append(f"resume    {one['go_on']}{where}")
    return lines
