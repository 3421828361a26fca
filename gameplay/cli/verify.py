"""`gameplay verify`: play every game of a kept series again and find what differs."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli import STATUSES
from gameplay.errors import BadInput, GameplayError, Mismatch

if TYPE_CHECKING:
    from gameplay.matches.series import Series
    from gameplay.store.series import Line


@click.command(epilog=STATUSES, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--quick", is_flag=True, help="Check moves and results only; search nothing again.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Games at a time (default: all cores).")
def command(file: Path, quick: bool, jobs: int | None) -> None:
    """Replay every game of FILE, which `selfplay --out FILE` wrote.

    Checks that each game is the one its header schedules, that its moves are legal and its result is right,
    and, by playing it again, that the engines choose the same moves after the same number of nodes. Games
    that were limited by time are not searched again.
    """
    from gameplay import __version__
    from gameplay.cli.selfplay import cores, scheduled
    from gameplay.matches import series as matches
    from gameplay.store import series as store

    header, raw = store.read(file)
    lines = list(store.decoded(file, raw))
    if len(lines) > header.games:
        raise BadInput(f"{file} holds {len(lines)} games, and its header schedules {header.games}")
    series = scheduled(header)
    search = not quick and not matches.timed(series)
    wrong: dict[int, str] = {}
    for number, line in enumerate(lines):
        difference = replayed(series, number, line)
        if difference:
            wrong[number] = difference
    if search:
        left = [number for number in range(len(lines)) if number not in wrong]
        workers = min(jobs or cores(), max(1, len(left)))
        with closing(matches.play(series, left, workers, store.game_line)) as games:
            for game in games:
                if game.kept != raw[game.number]:
                    again = next(store.decoded(file, [game.kept]))
                    wrong[game.number] = searched(lines[game.number], again)
    for number in sorted(wrong):
        click.echo(f"{file}, line {number + 2}: {wrong[number]}")
    if wrong:
        hint = "" if header.version == __version__ else f" (they were played by gameplay {header.version})"
        raise Mismatch(f"{len(wrong)} of {len(lines)} games differ{hint}")
    what = "moves, results and node counts" if search else "moves and results"
    if not quick and not search:
        what += " (limited by time, so not searched again)"
    part = "" if len(lines) == header.games else f" of {header.games} scheduled"
    click.echo(f"{file}: {len(lines)} games{part}: {what} are as recorded")


def replayed(series: "Series", number: int, line: "Line") -> str:
    """What is wrong with a game by the rules and by the schedule; empty if nothing is."""
    from gameplay import registry
    from gameplay.matches.match import Match, seed_of
    from gameplay.players.nobody import Nobody

    pair, leg = divmod(number, 2)
    if (line.pair, line.leg) != (pair, leg):
        return f"pair {line.pair}, leg {line.leg}, where pair {pair}, leg {leg} is due"
    opening = series.openings[pair]
    words = tuple(line.words)
    due: list[tuple[str, Any, Any]] = [
        ("game", line.game, series.game),
        ("players", line.players, [series.engines[leg], series.engines[1 - leg]]),
        ("seed", line.seed, seed_of(series.seed, pair)),
        ("start", line.start, opening.start),
        ("opening", words[: len(opening.moves)], opening.moves),
    ]
    for what, found, right in due:
        if found != right:
            return f"{what} is {_plain(found)}, and the header makes it {_plain(right)}"
    try:
        match = Match(registry.game(series.game), [Nobody(), Nobody()], line.start, words)
    except GameplayError as error:
        return str(error)
    if not match.over():
        return f"the game is not over after its {len(words)} moves"
    assert match.payoffs is not None
    if line.result is None or tuple(line.result) != match.payoffs:
        return f"result {_plain(line.result)}, and by the rules {_plain(match.payoffs)}"
    return ""


def searched(line: "Line", again: "Line") -> str:
    """Where a game differs from the same game played again."""
    for number, (old, new) in enumerate(zip(line.moves, again.moves, strict=False), 1):
        for what in ("move", "player", "nodes", "value", "depth"):
            mine, other = getattr(old, what), getattr(new, what)
            if mine != other:
                at = f"move {number}" if what == "move" else f"{what} of move {number}"
                return f"{at} is {_plain(mine)}, and played again {_plain(other)}"
    if len(line.moves) != len(again.moves):
        return f"{len(line.moves)} moves, and played again {len(again.moves)}"
    return "the record differs from that of the game played again"


def _plain(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value)) or "nothing"
    return "nothing" if value is None else str(value)
