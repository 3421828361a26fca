"""A run as one page to open, keep and send: nothing is fetched, and only its own script may run.

Figures are drawn as SVG and told in tables beside; every game can be stepped through on a drawn board.
"""

import json
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from gameplay import __version__
from gameplay.display import chart
from gameplay.runs.played import Played
from gameplay.runs.summary import Summary
from gameplay.statistics.joint import Ratings
from gameplay.statistics.mean import Mean
from gameplay.statistics.rating import Rating

GAMES = 1_000  # that can be stepped through; a page of more would be slow to open
ROWS = 200  # of a table


def page(
    summary: Summary, stage: dict[str, Any] | None, pictures: Sequence[tuple[Played, dict[str, Any]]]
) -> str:
    """The whole page. `stage` and `pictures` as `runs.frames` gives them, of the games to step through."""
    style, script = _file("page.css"), _file("page.js")
    policy = f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'"
    parts = [
        _head(summary),
        _cross(summary),
        _ratings(summary),
        _test(summary),
        _games(pictures, summary.counted),
        _openings(summary),
        _lengths(summary),
        _work(summary),
        _faults(summary),
        _claims(summary),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(summary.title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(filter(None, parts))
        + f'\n</main>\n<p class="dim">Made by gameplay {escape(__version__)}.</p>\n'
        + f'<script type="application/json" id="games">{_data(summary, stage, pictures)}</script>\n'
        + f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _file(name: str) -> str:
    return "\n" + Path(__file__).with_name(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _data(
    summary: Summary, stage: dict[str, Any] | None, pictures: Sequence[tuple[Played, dict[str, Any]]]
) -> str:
    guesses = sorted(
        abs(ply[2]) for _, drawn in pictures for ply in drawn["plies"] if ply[2] and abs(ply[2]) < 900_000
    )
    games = [
        {
            "names": game.names,
            "opening": game.opening,
            "score": _score(game),
            "ended": f"{_score(game)}, {ENDS.get(game.termination, game.termination)}.",
            **drawn,
        }
        for game, drawn in pictures
    ]
    scale = guesses[len(guesses) // 2] if guesses else 1
    data = {"stage": stage, "sides": list(summary.sides), "scale": scale, "games": games}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


ENDS = {
    "rules": "by the rules",
    "resign": "adjudicated as a win",
    "draw": "adjudicated as a draw",
    "exact": "adjudicated by a solver",
    "plies": "adjudicated as a draw by its length",
    "crash": "lost by a crash",
    "hang": "lost by not answering",
    "time_forfeit": "lost on time",
    "illegal_move": "lost by an illegal move",
    "protocol_error": "lost by breaking the protocol",
    "void": "not counted",
}


def _score(game: Played) -> str:
    if not game.payoffs:
        return "no result"
    if len(game.payoffs) == 2:
        first, second = game.payoffs
        return "1-0" if first > second else "0-1" if first < second else "1/2-1/2"
    return " : ".join(f"{pay:g}" for pay in game.payoffs)


# -- sections -----------------------------------------------------------------------------------------


def _section(title: str, *parts: str) -> str:
    return f"<section>\n<h2>{escape(title)}</h2>\n" + "\n".join(parts) + "\n</section>"


def _table(
    caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], text: Sequence[int] = ()
) -> str:
    """A table whose first column names the row. `text`: columns that hold words, from 0.

    It scrolls sideways where it is too wide, by keyboard too; the page's script says so then.
    """
    head = "".join(
        f'<th scope="col"{_as_text(n in text or not n)}>{escape(head)}</th>' for n, head in enumerate(heads)
    )
    lines = []
    for row in rows[:ROWS]:
        cells = "".join(
            f"<td{_as_text(n in text)}>{escape(cell if n in text else _kept_together(cell))}</td>"
            for n, cell in enumerate(row[1:], 1)
        )
        lines.append(f'<tr><th scope="row">{escape(row[0])}</th>{cells}</tr>')
    more = f'<p class="dim">and {len(rows) - ROWS} more</p>' if len(rows) > ROWS else ""
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(caption)}">'
        f"<table><caption><span>{escape(caption)}</span></caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>" + "\n".join(lines) + f"</tbody></table></div>{more}"
    )


def _kept_together(figures: str) -> str:
    """Figures that are parted after a comma only."""
    return figures.replace(" ", "\u00a0").replace(",\u00a0", ", ")


def _as_text(text: bool) -> str:
    return ' class="words"' if text else ""


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


def counts(found: Sequence[int]) -> str:
    """Losses, draws and wins as `+12 =3 -5, 67.5 %`."""
    lost, drawn, won = found
    games = lost + drawn + won
    return f"+{won} ={drawn} -{lost}, {100 * (won + drawn / 2) / games:.1f} %" if games else ""


def met(summary: Summary) -> str:
    """What is counted where players are compared two by two."""
    return "games" if len(summary.sides) <= 2 else "pairings"


def gained(summary: Summary, name: str) -> str:
    """What a player got of a game on average: `+0.31 [+0.22, +0.40]`; "" where it cannot be told."""
    found = summary.gains(name)
    return str(found).replace(" a game", "") if isinstance(found, Mean) else ""


def against(summary: Summary) -> str:
    """The heading of a cross table."""
    each = len(summary.sides) - 1
    many = f"; each game is {each} pairings for everybody in it" if each > 1 else ""
    return f"Points of the player in the row, of the {met(summary)} with the one in the column{many}"


def _cross(summary: Summary) -> str:
    if not summary.counted:
        return ""
    players = summary.order
    parts = []
    if len(players) > 2:
        rows = []
        for number, one in enumerate(players, 1):
            met = [summary.tally(one, other).games for other in players]
            together = [sum(column) for column in zip(*met, strict=True)]
            rows.append([f"{number}. {one}", *map(counts, met), counts(together)])
        heads = ["", *(f"against {i}" for i in range(1, len(players) + 1)), "together"]
        title = "Wins +, draws =, losses - and score of the player in the row"
        title += "" if len(summary.sides) <= 2 else f", {against(summary).partition(', ')[2]}"
        parts.append(_table(title, heads, rows))
    rows = []
    for one in players:
        seats = [summary.by_seat(one, seat) for seat in range(len(summary.sides))]
        rows.append([one, counts(summary.together(one)), *map(counts, seats)])
    heads = ["", "together", *(f"as {side}" for side in summary.sides)]
    parts.append(_table("By the seat: wins +, draws =, losses - and score", heads, rows))
    return _section("Results", *parts)


def _ratings(summary: Summary) -> str:
    if not summary.counted:
        return ""
    table, rating = summary.table, summary.rating
    if not isinstance(table, Ratings):
        return _section("Ratings", f"<p>None: {escape(str(table))}.</p>")
    rows = [[s.name, str(s), f"{s.points:g}", str(s.games)] for s in table.standings]
    parts = [
        chart.ratings(table.standings),
        _table("Elo to the average of all, with 95 % error bars", ["", "Elo", "points", met(summary)], rows),
    ]
    if isinstance(rating, Rating):
        sentence = f"From {sum(summary.duel.pairs):,} pairs: {rating.sentence(*summary.players)}."
        parts.append(f"<p>{escape(sentence)}</p>")
    if summary.points:
        caption = (
            f"{summary.points.capitalize()} a game on average, with the 95 % interval by {summary.group}s"
        )
        gains = [[name, gained(summary, name)] for name in summary.order]
        parts.append(_table(caption, ["", f"{summary.points} a game"], gains))
    return _section("Ratings", *parts)


def _test(summary: Summary) -> str:
    test = summary.test
    if test is None:
        return ""
    return _section("The test (SPRT)", chart.course(summary.course, test), f"<p>{escape(str(test))}.</p>")


def _openings(summary: Summary) -> str:
    if not summary.openings:
        return ""
    rows = [[text, str(count), f"{total:g}"] for text, count, total in summary.openings]
    first = summary.players[0] if len(summary.players) == 2 else "the player listed first"
    table = _table(f"Points of {first}", ["opening", "games", "points"], rows)
    unfold = " open" if len(rows) <= 20 else ""
    folded = f"<details{unfold}><summary>{len(rows)} openings</summary>{table}</details>"
    return _section("Openings", folded)


def _lengths(summary: Summary) -> str:
    if not summary.lengths:
        return ""
    games = sum(summary.lengths.values())
    average = sum(length * count for length, count in summary.lengths.items()) / games
    sentence = f"{average:.1f} plies on average, {min(summary.lengths)} to {max(summary.lengths)}."
    return _section("Lengths", chart.lengths(summary.lengths), f"<p>{sentence}</p>")


def _work(summary: Summary) -> str:
    timed = any(work.takes for work in summary.work.values())
    rows = []
    for name, work in summary.work.items():
        if work.moves:
            row = [name, f"{work.moves:,}", f"{work.nodes / work.moves:,.0f}"]
            if timed:
                nps = f"{work.nps:,.0f}" if work.nps else ""
                row += [nps, f"{work.seconds:.1f} s", seconds(work.usual), seconds(work.longest)]
            rows.append(row)
    if not rows:
        return ""
    heads = ["", "moves", "nodes a move", "nodes a second", "time", "usual move", "longest move"]
    none = "" if timed else "<p>Times were not kept.</p>"
    return _section("Time", _table("What the players spent", heads[: len(rows[0])], rows), none)


def seconds(took: float) -> str:
    """`3 ms`, `1.25 s`."""
    return f"{1000 * took:.1f} ms" if took < 1 else f"{took:.2f} s"


def _faults(summary: Summary) -> str:
    if not summary.faults:
        return _section("Faults", "<p>None.</p>")
    rows = [
        [
            f"{summary.group} {game.pair + 1}, game {game.leg + 1}, attempt {game.attempt}",
            game.offender or "this machine",
            game.termination,
            game.state.replace("_", " "),
            game.fault,
        ]
        for game in summary.faults
    ]
    heads = ["game", "who", "what", "the game is", "in words"]
    return _section("Faults", _table("Games that did not end as usual", heads, rows, text=(1, 2, 3, 4)))


def _claims(summary: Summary) -> str:
    if not summary.claims:
        return ""
    rows = [[f"{summary.group} {game.pair + 1}, game {game.leg + 1}", game.claim] for game in summary.claims]
    caption = "Games of which a program claimed another result"
    return _section("Claims against the rules", _table(caption, ["game", "in words"], rows, text=(1,)))


def _games(pictures: Sequence[tuple[Played, dict[str, Any]]], counted: int) -> str:
    if not pictures:
        return ""
    part = f"<p class='dim'>{len(pictures):,} of {counted:,} games.</p>" if len(pictures) < counted else ""
    buttons = "".join(
        f'<button type="button" id="{name}" aria-label="{label}">{sign}</button>'
        for name, label, sign in (
            ("first", "to the start", "|&lt;"),
            ("back", "a ply back", "&lt;"),
            ("next", "a ply on", "&gt;"),
            ("last", "to the end", "&gt;|"),
        )
    )
    return _section(
        "Games",
        part,
        '<div class="row"><button type="button" id="before" aria-label="the game before">&lt;&lt;</button>'
        '<select id="game" aria-label="which game"></select>'
        '<button type="button" id="after" aria-label="the next game">&gt;&gt;</button></div>',
        '<div class="viewer"><div><p id="who" class="dim"></p><div id="board"></div>'
        f'<div class="row">{buttons}</div>'
        '<input id="ply" type="range" min="0" max="0" value="0" aria-label="ply">'
        '</div><div><p id="said" role="status" aria-live="polite"></p><div id="curve"></div>'
        '<ol id="moves"></ol></div></div>',
        '<p class="dim help">Keys: left and right a ply, Home and End, p and n another game. On a screen to '
        "touch: swipe over the board. Outlined: the last move; double outline: the winning line.</p>"
        "<noscript><p>The games are drawn by a script, and scripts are switched off here.</p></noscript>",
    )
