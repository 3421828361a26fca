"""`gameplay profile`: figures that characterize a game.

`--json` prints one document

    game, seed, players
    random, games    {"games", "plies", "lengths": {PLIES: GAMES}, "width", "branching": [by ply], "draws",
                     "tree": {"log10", "low", "high"}, "first": {"score", "low", "high"}} of random games and
                     of the engine's; null without any
    engine, unit     who played, and what was limited: nodes or simulations
    leads, decided   how often the lead changed a game; the share of a won game after which it was decided
    ladder           [{"limit", "pairs", "games", "rating", "why"}, ...]: twice the limit against it
    doubling         {"rating", "why"} of all rungs together
    lines, nodes     {"log10", "error"}: estimates of the lines of play, and of the nodes of the tree
    positions        how many there are, if they were counted; else `states`, an estimate from above
    notes            remarks, in sentences
"""

from pathlib import Path

import click

from gameplay.cli.common.options import (
    COUNT,
    REPORT,
    Drawing,
    Integer,
    Real,
    cores,
    drawing_options,
    game_argument,
    jobs_option,
    json_option,
)
from gameplay.cli.common.progress_line import ProgressLine
from gameplay.cli.common.width import columns

SECONDS = 120.0


@click.command(short_help="Profile a game: length, branching, balance, skill, size")
@game_argument()
@click.option(
    "--time",
    "seconds",
    type=Real("SECONDS", 0, min_open=True),
    default=SECONDS,
    help=f"Take no longer than this [{SECONDS:.0f}].",
)
@click.option("--pairs", type=COUNT, default=20, help="Pairs of games for each doubling of the nodes [20].")
@click.option("--seed", type=Integer(min=0), default=1, help="Seed of all random choices [1].")
@jobs_option()
@click.option("--svg", type=REPORT, help="Also draw moves by ply and lengths of games to FILE, replacing it.")
@drawing_options("Print the profile only, without progress.")
@json_option("the profile")
def command(
    game: str,
    seconds: float,
    pairs: int,
    seed: int,
    jobs: int | None,
    svg: Path | None,
    drawing: Drawing,
    as_json: bool,
) -> None:
    """Measure the properties of GAME: length, branching factor, advantage of the first move, share of draws,
    changes of the lead, gain of twice as many nodes, and number of positions.

    \b
    gameplay profile connect4
    gameplay profile ./sticks.py --time 30
    gameplay profile othello --pairs 50 --time 280 --svg othello.svg

    Random games come first; then positions are counted or estimated; then the default engine plays with
    twice the nodes against itself, in pairs with the seats exchanged. When the time is over, or at Ctrl-C,
    it prints the figures so far. Given enough time, the same seed gives the same figures.
    """
    import json
    import time

    from gameplay import registry
    from gameplay.display.pages import chart
    from gameplay.display.reports import profile as shown
    from gameplay.suites import profiling

    chosen_game = registry.game(game)
    profile = profiling.empty_profile(chosen_game, seed, game)
    theme = drawing.theme(plain=as_json)
    progress_line = ProgressLine(not drawing.plain)

    def watch(words: str) -> None:
        progress_line(f"Ctrl-C: stop; {words}")

    stopped = False
    try:
        profiling.profile(profile, chosen_game, time.monotonic() + seconds, pairs, jobs or cores(), watch)
    except KeyboardInterrupt:
        stopped = True
    finally:
        progress_line.end()
    if as_json:
        click.echo(json.dumps(shown.document(profile)))
    else:
        width = columns(shown.MAX_WIDTH)
        click.echo(shown.report(profile, theme, width))
    if svg is not None and profile.random.games:
        chart.write_svg(svg, chart.profile_charts(profile))
    if stopped:
        raise KeyboardInterrupt
