"""The profile of a game: random games and engines' side by side, bars, and a ladder of skill."""

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gameplay.display.reports import plot
from gameplay.display.reports.review import fit_table
from gameplay.statistics.interval import NoRating
from gameplay.statistics.rating import Rating, rate

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.statistics.interval import Estimate
    from gameplay.statistics.knuth import TreeSize
    from gameplay.suites.profiling import GamesPlayed, Profile

MAX_BARS = 16  # bars of a chart
MAX_WIDTH = 80
FACTOR_ERROR = 0.25  # standard error from which it is printed as a factor
DOMINATED_ERROR = 0.9  # ... from which a single sample makes up most of the estimate


def report(profile: "Profile", theme: "Theme", width: int) -> str:
    """Return the whole profile as text and bars of at most `width` columns."""
    wide = min(width, MAX_WIDTH)
    parts = [*_wrap(head(profile), wide), ""]
    if profile.random.games or profile.matches.games:
        parts += [*fit_table(_rows(profile), ["", "random games", "engines' games"], wide), ""]
    parts += [line for fact in size_sentences(profile) for line in _wrap(fact, wide)]
    if profile.rungs and profile.matches.games:
        parts += ["", f"gain of twice the {profile.unit}", ""]
        parts += fit_table(_ladder(profile), [profile.unit, "games", "score", "Elo"], wide, words=(0,))
    best = profile.matches if profile.matches.games else profile.random
    if best.games:
        whose = f"games of {profile.engine}" if best is profile.matches else "random games"
        parts += ["", *_wrap(f"moves to choose from by ply, {whose}", wide), ""]
        parts += plot.bar_lines(_branching_bars(best.branching), wide, theme.unicode)
        parts += ["", *_wrap(f"plies of a game, {whose}", wide), ""]
        parts += plot.bar_lines(_length_bars(best), wide, theme.unicode)
    if profile.notes:
        parts.append("")
        parts += [line for note in profile.notes for line in _wrap(f"note: {note}", wide)]
    return "\n".join(parts)


def head(profile: "Profile") -> str:
    """The heading: the games that were played, with limits and seed."""
    text = f"{profile.game}: {profile.random.games:,} random games"
    if profile.matches.games:
        text += f", {profile.matches.games:,} of {profile.engine}"
    if profile.rungs:
        low, high = profile.rungs[0].limit, 2 * profile.rungs[-1].limit
        text += f" with {low:,} to {high:,} {profile.unit} a move"
    return f"{text}, seed {profile.seed}"


def size_sentences(profile: "Profile") -> list[str]:
    """Sentences on the size of the game: lines of play, nodes, positions."""
    lines = []
    if profile.lines is not None and profile.nodes is not None:
        lines.append(
            f"lines of play: {format_size(profile.lines)}; "
            f"nodes of the whole tree: {format_size(profile.nodes)}"
        )
    if profile.positions is not None:
        lines.append(f"positions: {profile.positions:,}, all counted")
    elif profile.states is not None:
        lines.append(
            f"positions: at most {format_size(profile.states)}; transpositions other than by an "
            "exchange of moves are counted separately"
        )
    return lines


def format_size(size: "TreeSize") -> str:
    """Format an estimate: `about 255,000 (standard error 2%)`, `about 10^27.1 (within a factor of about 3)`.

    The factor is two standard errors on the logarithmic scale.
    """
    if math.isinf(size.error):
        error = ""
    elif size.error >= DOMINATED_ERROR:
        error = " (rough: one random game dominates it)"
    elif size.error >= FACTOR_ERROR:
        error = f" (within a factor of about {math.exp(2 * size.error):.0f})"
    else:
        error = f" (standard error {size.error:.0%})"
    if size.log10 < 6:
        figure = float(f"{10**size.log10:.2e}")
        return f"about {figure:,.0f}{error}"
    return f"about 10^{size.log10:.1f}{error}"


def _format_tree(tree: "Estimate | None") -> str:
    return f"10^{tree.mean:.1f} [10^{tree.low:.1f}, 10^{tree.high:.1f}]" if tree else "-"


def pooled_rating(profile: "Profile") -> Rating | str:
    """The mean gain of a doubling, over the games of all rungs."""
    counts = [sum(column) for column in zip(*(rung.tally.pairs for rung in profile.rungs), strict=True)]
    try:
        return rate(counts)
    except NoRating as reason:
        return str(reason)


def _rows(profile: "Profile") -> list[list[str]]:
    both = (profile.random, profile.matches)
    rows = [["games", *(f"{profile.games:,}" for profile in both)]]
    rows.append(["plies, mean", *(_format_if_played(profile, f"{profile.length:.1f}") for profile in both)])
    spans = (f"{min(profile.lengths, default=0)} to {max(profile.lengths, default=0)}" for profile in both)
    rows.append(
        [
            "... fewest, most",
            *(_format_if_played(profile, span) for profile, span in zip(both, spans, strict=True)),
        ]
    )
    rows.append(
        ["moves to choose from", *(_format_if_played(profile, f"{profile.width:.1f}") for profile in both)]
    )
    rows.append(
        ["game tree, b^m", *(_format_if_played(profile, _format_tree(profile.tree)) for profile in both)]
    )
    rows.append(["first player scores", *(_format_score(profile) for profile in both)])
    rows.append(
        [
            "draws",
            *(_format_if_played(profile, f"{profile.draws / max(1, profile.games):.1%}") for profile in both),
        ]
    )
    if profile.leads:
        rows.append(["lead changes a game", "", f"{sum(profile.leads) / len(profile.leads):.2f}"])
    if profile.decided:
        share = sum(profile.decided) / len(profile.decided)
        rows.append(["decided, if won, after", "", f"{share:.0%} of a game"])
    return rows


def _format_if_played(played: "GamesPlayed", text: str) -> str:
    return text if played.games else "-"


def _format_score(played: "GamesPlayed") -> str:
    if not played.games:
        return "-"
    mean, low, high = (100 * end for end in played.score)
    bounds = "bounds " if set(played.points) == {0.5} else ""  # equal results have no interval
    return f"{mean:.1f} % {bounds}[{low:.0f}, {high:.0f}]"


def _ladder(profile: "Profile") -> list[list[str]]:
    rows = []
    for rung in profile.rungs:
        games = rung.tally.total
        score = f"{rung.tally.points / games:.1%}" if games else "-"
        limits = f"{2 * rung.limit:,} against {rung.limit:,}"
        rows.append([limits, str(games), score, _format_rating(rung.rating)])
    games = sum(rung.tally.total for rung in profile.rungs)
    points = sum(rung.tally.points for rung in profile.rungs)
    rows.append(
        [
            "a doubling",
            str(games),
            f"{points / games:.1%}" if games else "-",
            _format_rating(pooled_rating(profile)),
        ]
    )
    return rows


def _format_rating(rating: Rating | str) -> str:
    return "none" if isinstance(rating, str) else str(rating)


def _branching_bars(branching: Sequence[float]) -> list[tuple[str, float]]:
    """Mean branching factors over ranges of plies, in at most MAX_BARS rows."""
    step = max(1, -(-len(branching) // MAX_BARS))
    groups = []
    for first in range(0, len(branching), step):
        part = [count for count in branching[first : first + step] if count]
        name = f"{first + 1}" if step == 1 else f"{first + 1}-{min(first + step, len(branching))}"
        groups.append((name, sum(part) / len(part) if part else 0.0))
    return groups


def _length_bars(played: "GamesPlayed") -> list[tuple[str, float]]:
    low, high = min(played.lengths), max(played.lengths)
    step = max(1, -(-(high - low + 1) // MAX_BARS))
    rows = []
    for first in range(low, high + 1, step):
        many = sum(played.lengths[length] for length in range(first, first + step))
        rows.append((f"{first}" if step == 1 else f"{first}-{min(first + step - 1, high)}", float(many)))
    return rows


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False, subsequent_indent="  ")


def document(profile: "Profile") -> dict[str, Any]:
    """The profile as plain data; None for unknown figures."""
    doubling = pooled_rating(profile) if profile.rungs else ""
    return {
        "game": profile.game,
        "seed": profile.seed,
        "players": profile.players,
        "random": _played_games_document(profile.random),
        "engine": profile.engine or None,
        "unit": profile.unit,
        "games": _played_games_document(profile.matches),
        "leads": sum(profile.leads) / len(profile.leads) if profile.leads else None,
        "decided": sum(profile.decided) / len(profile.decided) if profile.decided else None,
        "ladder": [
            {"limit": rung.limit, "pairs": rung.tally.pairs, "games": rung.tally.total} | _elo(rung.rating)
            for rung in profile.rungs
        ],
        "doubling": _elo(doubling),
        "lines": profile.lines and profile.lines.as_dict(),
        "nodes": profile.nodes and profile.nodes.as_dict(),
        "positions": profile.positions,
        "states": profile.states and profile.states.as_dict(),
        "notes": profile.notes,
    }


def _elo(rating: Rating | str) -> dict[str, Any]:
    """The rating; or why there is none."""
    return (
        {"rating": None, "why": rating}
        if isinstance(rating, str)
        else {"rating": rating.as_dict(), "why": ""}
    )


def _played_games_document(played: "GamesPlayed") -> dict[str, Any] | None:
    if not played.games:
        return None
    mean, low, high = played.score
    tree = played.tree
    return {
        "games": played.games,
        "plies": played.length,
        "lengths": dict(sorted(played.lengths.items())),
        "width": played.width,
        "branching": played.branching,
        "tree": tree and {"log10": tree.mean, "low": tree.low, "high": tree.high},
        "first": {"score": mean, "low": low, "high": high},
        "draws": played.draws,
    }
