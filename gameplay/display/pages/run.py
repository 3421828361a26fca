"""A run as one self-contained HTML page: it fetches nothing, and only its own script may run.

Figures are drawn as SVG, with their data in tables; every game can be replayed on a board.
"""

from collections.abc import Sequence
from typing import Any

from gameplay.display.pages import chart
from gameplay.display.pages.document import document, section, table, viewer
from gameplay.display.pages.markup import escape
from gameplay.runs.faults import ENDS, MACHINE, format_fault_counts
from gameplay.runs.played import MatchGame
from gameplay.runs.summary import Summary
from gameplay.statistics.joint import Ratings
from gameplay.statistics.mean import Mean
from gameplay.statistics.rating import Rating
from gameplay.value import format_payoff

MAX_GAMES = 1_000  # games that can be replayed on a page; more would be slow to open


def page(
    summary: Summary, stage: dict[str, Any] | None, pictures: Sequence[tuple[MatchGame, dict[str, Any]]]
) -> str:
    """Return the whole page. `stage` and `pictures`: of the games to replay, from `runs.frames`."""
    parts = [
        _head(summary),
        _results(summary),
        _ratings(summary),
        _test(summary),
        _games(pictures, summary.counted),
        _openings(summary),
        _lengths(summary),
        _work(summary),
        _faults(summary),
        _claims(summary),
    ]
    return document(summary.title, parts, _data(summary, stage, pictures))


def _data(
    summary: Summary, stage: dict[str, Any] | None, pictures: Sequence[tuple[MatchGame, dict[str, Any]]]
) -> dict[str, Any]:
    guesses = sorted(
        abs(ply[2]) for _, drawn in pictures for ply in drawn["plies"] if ply[2] and abs(ply[2]) < 900_000
    )
    games = [
        {
            "names": game.names,
            "opening": game.opening,
            "score": _format_score(game),
            "ended": f"{_format_score(game)}, {ENDS.get(game.termination, game.termination)}.",
            **drawn,
        }
        for game, drawn in pictures
    ]
    scale = guesses[len(guesses) // 2] if guesses else 1
    return {"stage": stage, "sides": list(summary.sides), "scale": scale, "games": games}


def _format_score(game: MatchGame) -> str:
    if not game.payoffs:
        return "no result"
    if len(game.payoffs) == 2:
        first, second = game.payoffs
        return "1-0" if first > second else "0-1" if first < second else "1/2-1/2"
    return " : ".join(format_payoff(pay) for pay in game.payoffs)


# -- sections -----------------------------------------------------------------------------------------


def _head(summary: Summary) -> str:
    games = f"{summary.counted:,}"
    if summary.planned is not None:
        games += f" of {summary.planned:,}"
    facts = [("game", summary.game)]
    for number, name in enumerate(summary.players, 1):
        spec = summary.specs.get(name, name)
        facts.append((f"player {number}", name if spec == name else f"{name}: {spec}"))
    facts += [("games", games + (f", {summary.state}" if summary.state else "")), *summary.facts]
    listed = "\n".join(f"<dt>{escape(key)}</dt><dd>{escape(text)}</dd>" for key, text in facts)
    warned = "".join(f'<p class="warning">Beware: {escape(str(guard))}.</p>\n' for guard in summary.warnings)
    return (
        f'<header>\n<h1>{escape(summary.title)}</h1>\n<p class="verdict">{escape(summary.verdict)}</p>\n'
        f"{warned}<dl>\n{listed}\n</dl>\n</header>"
    )


def format_counts(results: Sequence[int]) -> str:
    """Format (losses, draws, wins) as `+12 =3 -5, 67.5 %`."""
    lost, drawn, won = results
    games = lost + drawn + won
    return f"+{won} ={drawn} -{lost}, {100 * (won + drawn / 2) / games:.1f} %" if games else ""


def counted_noun(summary: Summary) -> str:
    """The noun for results counted between pairs of players: games, or pairings with more than two seats."""
    return "games" if len(summary.sides) <= 2 else "pairings"


def format_gain(summary: Summary, name: str) -> str:
    """The mean payoff of a player per game: `+0.31 [+0.22, +0.40]`; "" if it is not available."""
    gains = summary.mean_payoff(name)
    return str(gains).replace(" a game", "") if isinstance(gains, Mean) else ""


def cross_table_heading(summary: Summary) -> str:
    """The heading of a cross table."""
    each = len(summary.sides) - 1
    many = f"; each game is {each} pairings for each of its players" if each > 1 else ""
    return f"Points of the player in the row, of the {counted_noun(summary)} with the one in the column{many}"


def _results(summary: Summary) -> str:
    if not summary.counted:
        return ""
    players = summary.order
    parts = []
    if len(players) > 2:
        rows = []
        for number, row_player in enumerate(players, 1):
            met = [summary.tally(row_player, other).games for other in players]
            together = [sum(column) for column in zip(*met, strict=True)]
            rows.append([f"{number}. {row_player}", *map(format_counts, met), format_counts(together)])
        heads = ["", *(f"against {i}" for i in range(1, len(players) + 1)), "together"]
        title = "Wins +, draws =, losses - and score of the player in the row"
        title += "" if len(summary.sides) <= 2 else f", {cross_table_heading(summary).partition(', ')[2]}"
        parts.append(table(title, heads, rows))
    rows = []
    for player in players:
        seats = [summary.seat_results(player, seat) for seat in range(len(summary.sides))]
        rows.append([player, format_counts(summary.total_results(player)), *map(format_counts, seats)])
    heads = ["", "together", *(f"as {side}" for side in summary.sides)]
    parts.append(table("By the seat: wins +, draws =, losses - and score", heads, rows))
    return section("Results", *parts)


def _ratings(summary: Summary) -> str:
    if not summary.counted:
        return ""
    ratings, rating = summary.table, summary.rating
    if not isinstance(ratings, Ratings):
        return section("Ratings", f"<p>None: {escape(str(ratings))}.</p>")
    rows = [[s.name, str(s), f"{s.points:g}", str(s.games)] for s in ratings.standings]
    spread = f" ({ratings.spread})" if ratings.spread else ""
    parts = [
        chart.rating_intervals(ratings.standings, ratings.scale),
        table(
            f"Elo with 95 % intervals{spread}; {ratings.scale}",
            ["", "Elo", "points", counted_noun(summary)],
            rows,
        ),
    ]
    if isinstance(rating, Rating):
        sentence = f"{rating.sentence(*summary.players)}; {rating.basis(sum(summary.match_tally.pairs))}."
        parts.append(f"<p>{escape(sentence)}</p>")
    if summary.points:
        caption = (
            f"{summary.points.capitalize()} a game on average, with the 95 % interval by {summary.group}s"
        )
        gains = [[name, format_gain(summary, name)] for name in summary.order]
        parts.append(table(caption, ["", f"{summary.points} a game"], gains))
    return section("Ratings", *parts)


def _test(summary: Summary) -> str:
    test = summary.sprt_verdict
    if test is None:
        return ""
    return section(
        "The test (SPRT)", chart.sprt_course(summary.llr_curve, test), f"<p>{escape(str(test))}.</p>"
    )


def _openings(summary: Summary) -> str:
    if not summary.openings:
        return ""
    rows = [[text, str(count), f"{total:g}"] for text, count, total in summary.openings]
    first = summary.players[0] if len(summary.players) == 2 else "the player listed first"
    points = table(f"Points of {first}", ["opening", "games", "points"], rows)
    unfold = " open" if len(rows) <= 20 else ""
    folded = f"<details{unfold}><summary>{len(rows)} openings</summary>{points}</details>"
    return section("Openings", folded)


def _lengths(summary: Summary) -> str:
    if not summary.lengths:
        return ""
    games = sum(summary.lengths.values())
    average = sum(length * count for length, count in summary.lengths.items()) / games
    sentence = f"{average:.1f} plies on average, {min(summary.lengths)} to {max(summary.lengths)}."
    return section("Lengths", chart.length_histogram(summary.lengths), f"<p>{sentence}</p>")


def _work(summary: Summary) -> str:
    timed = any(work.move_times for work in summary.work.values())
    rows = []
    for name, work in summary.work.items():
        if work.moves:
            row = [name, f"{work.moves:,}", f"{work.nodes / work.moves:,.0f}"]
            if timed:
                nps = f"{work.nps:,.0f}" if work.nps else ""
                row += [
                    nps,
                    f"{work.seconds:.1f} s",
                    format_seconds(work.median_time),
                    format_seconds(work.longest_time),
                ]
            rows.append(row)
    if not rows:
        return ""
    heads = ["", "moves", "nodes a move", "nodes a second", "time", "usual move", "longest move"]
    none = "" if timed else "<p>Times were not kept.</p>"
    return section("Time", table("What the players spent", heads[: len(rows[0])], rows), none)


def format_seconds(took: float) -> str:
    """`3 ms`, `1.25 s`."""
    return f"{1000 * took:.1f} ms" if took < 1 else f"{took:.2f} s"


def _faults(summary: Summary) -> str:
    if not summary.faults:
        return section("Faults", "<p>None.</p>")
    rows = [
        [
            f"{summary.group} {game.pair + 1}, game {game.leg + 1}, attempt {game.attempt}",
            game.offender or MACHINE,
            game.termination,
            game.state.replace("_", " "),
            game.fault,
        ]
        for game in summary.faults
    ]
    heads = ["game", "who", "what", "the game is", "in words"]
    return section(
        "Faults",
        f"<p>{escape(format_fault_counts(summary.fault_counts))}.</p>",
        table("Games that did not end as usual", heads, rows, text=(1, 2, 3, 4)),
    )


def _claims(summary: Summary) -> str:
    if not summary.claims:
        return ""
    rows = [[f"{summary.group} {game.pair + 1}, game {game.leg + 1}", game.claim] for game in summary.claims]
    caption = "Games of which a program claimed another result"
    return section("Claims against the rules", table(caption, ["game", "in words"], rows, text=(1,)))


def _games(pictures: Sequence[tuple[MatchGame, dict[str, Any]]], counted: int) -> str:
    if not pictures:
        return ""
    return viewer(len(pictures), counted)
