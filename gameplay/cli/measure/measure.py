"""`gameplay measure`: the effort of engines at each depth on the same positions, compared with theory.

`--json` prints one document; counts are sums over the positions:

    game, positions [{start, moves: [word, ...]}, ...]
    levels     [{depth, engines, theory, equal}, ...]
    engines    [{spec, depth, nodes, leaves, evaluations, probes, hits, hit_share, cutoffs, first_cutoffs,
               first_share, branching, seconds, values: [one a position, for its mover], exact}, ...]; leaves
               and evaluations are null if a search was too large to be traced
    theory     {depth, b, counted, full, minimum, random}, of leaves; null if it does not apply
    equal      [{engines, theorem, depth, equal, differing: [number of a position, ...]}, ...]
"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gameplay.cli.common.options import (
    COUNT,
    GAME,
    REPORT,
    SOURCE,
    Drawing,
    Integer,
    check_distinct,
    drawing_options,
    json_option,
    split_moves,
)
from gameplay.cli.common.progress_line import ProgressLine
from gameplay.cli.common.width import echo_err
from gameplay.errors import BadInput, Mismatch, Usage
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition
    from gameplay.registry import Game
    from gameplay.runs.openings import Opening
    from gameplay.suites.measuring import Iteration

# Defaults:
POSITIONS = 5  # random positions
MAX_DEPTH = 6  # plies
MAX_NODES = 2_000_000  # nodes of a search
PIPE_WIDTH = 10_000  # columns without a terminal


@click.command(short_help="Measure engines on the same positions, depth by depth")
@click.argument("game", type=GAME)
@click.option(
    "--engines",
    metavar="A,B,...",
    help="Engines and options to measure: minimax,alphabeta:order=killer [all that have minimax's value].",
)
@click.option(
    "--ablate", metavar="ENGINE", help="Measure ENGINE, then ENGINE without each of its techniques in turn."
)
@click.option(
    "--positions",
    type=SOURCE,
    metavar="N|FILE",
    help=f"Number of random positions, or a file of positions [{POSITIONS}].",
)
@click.option("--position", metavar="TEXT", help='Measure this one position; "" is the start.')
@click.option("--moves", metavar="MOVES", help='Measure the position after these moves: "4 4 3".')
@click.option("--seed", type=Integer(min=0), default=0, help="Seed of the random positions [0].")
@click.option("--depth", metavar="N|N-N", default=f"1-{MAX_DEPTH}", help=f"Depths in plies [1-{MAX_DEPTH}].")
@click.option(
    "--nodes",
    type=COUNT,
    default=MAX_NODES,
    help=f"Skip an engine where it would search more nodes a position [{MAX_NODES:,}].",
)
@click.option("--svg", type=REPORT, help="Also draw nodes over depth to FILE, replacing it.")
@drawing_options("Print tables only, without curves and progress.")
@json_option("all of it")
def command(
    game: str,
    engines: str | None,
    ablate: str | None,
    positions: str | None,
    position: str | None,
    moves: str | None,
    seed: int,
    depth: str,
    nodes: int,
    svg: Path | None,
    drawing: Drawing,
    as_json: bool,
) -> int:
    """Search the same positions of GAME with several engines, depth by depth, and show the cost of each.

    \b
    gameplay measure connect4 --engines minimax,alphabeta,iterative --depth 1-7
    gameplay measure chess --ablate iterative --depth 4-5 --svg chess.svg
    gameplay measure othello --positions o.txt --engines iterative,alphabeta

    Figures are means over the positions: nodes, leaves (positions below which nothing was searched),
    evaluations, hits in the transposition table, cutoffs by the first move tried, the effective branching
    factor and time. Beside them: b^d, the fewest leaves that can prove the value, b^(3d/4). Where theory says
    that values are equal, a line says whether they are; if not, the exit status is 3.
    """
    from gameplay import registry
    from gameplay.display.pages import chart
    from gameplay.display.reports import measures
    from gameplay.suites import measuring

    if engines is not None and ablate is not None:
        raise Usage(
            "--ablate and --engines both choose the engines; expected one of them. Try: leave --engines out"
        )
    if positions is not None and not (position is None and moves is None):
        raise Usage(
            "--positions names several positions, and --position and --moves name one; "
            "expected one of the two. Try: leave --positions out"
        )
    chosen_game = registry.game(game)
    depths = _parse_depths(depth)
    openings = _select_positions(chosen_game, positions, position, moves, seed)
    positions_to_search = [_position_after(chosen_game, opening) for opening in openings]
    specs = _parse_engines(engines, ablate, positions_to_search[0])
    theme = drawing.theme(plain=as_json)
    width = theme.console.size.width if theme.interactive else PIPE_WIDTH
    progress_line = ProgressLine(theme.interactive and not drawing.plain)

    levels = []
    for level in measuring.measure(specs, positions_to_search, depths, nodes, progress_line):
        levels.append(level)
        if not as_json:
            progress_line.end()
            gap = "" if len(levels) == 1 else "\n"
            click.echo(gap + measures.level_table(level, width, positions_to_search[0].unit))
    if as_json:
        _print_json(chosen_game.spec, openings, levels)
    else:
        _print_end(
            specs, levels, depths, nodes, "" if drawing.plain else measures.picture(levels, theme, width)
        )
    if svg is not None and levels:
        curves = chart.growth_curves(
            measures.curves(levels), "nodes a position over depth", measures.THEORY_CURVES
        )
        chart.write_svg(svg, curves)
    has_mismatch = any(equality.differing for level in levels for equality in level.equalities)
    return Mismatch.status if has_mismatch else 0


def _print_json(game: str, openings: "list[Opening]", levels: "list[Iteration]") -> None:
    """Print the document that the head of this file describes."""
    import json

    from gameplay.display.reports import measures

    positions = [{"start": opening.start, "moves": [*opening.moves]} for opening in openings]
    click.echo(json.dumps({"game": game, "positions": positions, "levels": measures.document(levels)}))


def _parse_depths(text: str) -> range:
    """Depths: `6` means 1 to 6, `4-6` means 4 to 6."""
    first_text, dash, last_text = text.partition("-")
    if not first_text.isdecimal() or (dash and not last_text.isdecimal()):
        raise Usage(f"--depth is '{text}'; expected a number of plies or a range. Try: --depth 4-6")
    low, high = (int(first_text), int(last_text)) if dash else (1, int(first_text))
    if not 1 <= low <= high <= 99:
        raise Usage(f"--depth is '{text}'; expected 1 to 99 plies in ascending order. Try: --depth 4-6")
    return range(low, high + 1)


def _select_positions(
    game: "Game", positions: str | None, position: str | None, moves: str | None, seed: int
) -> "list[Opening]":
    from gameplay import file_io
    from gameplay.runs import openings

    if not (position is None and moves is None):
        return [openings.Opening(position or "", tuple(split_moves(moves or "")))]
    if positions is None or positions.isdecimal():
        count = POSITIONS if positions is None else int(positions)
        if not count:
            raise Usage("--positions is 0; expected a number from 1 up, or a file")
        return _random_positions(game, count, seed)
    if not Path(positions).is_file():
        raise BadInput(f"--positions is a number or a file, and {file_io.no_file(positions)}")
    result = openings.read(game, openings.read_lines(positions), positions)
    if not result.openings:
        raise BadInput(f"{positions} holds no position that can be searched. Try: --positions {POSITIONS}")
    for note in result.notes:
        echo_err(f"{note}: left out")
    return result.openings


def _random_positions(game: "Game", count: int, seed: int) -> "list[Opening]":
    """Random positions, none of them a chance node."""
    from dataclasses import replace
    from random import Random

    from gameplay.matches.random_moves import random_move
    from gameplay.position import CHANCE
    from gameplay.runs import openings
    from gameplay.search.seeds import seed_of

    sample = openings.draw_openings(game, count, seed, 2 if game.new().chance else None, fewer=True)
    if len(sample) < count:
        echo_err(f"{game.name}: only {plural(len(sample), 'position')} found")
    rng = Random(seed_of(seed, "positions", count))
    for number, opening in enumerate(sample):
        match = openings.match_after(game, opening)
        while match.position.turn == CHANCE and match.position.outcome() is None:
            word = match.position.format(random_move(match.position, rng))
            opening = sample[number] = replace(opening, moves=(*opening.moves, word))
            match = openings.match_after(game, opening)
    return sample


def _position_after(game: "Game", opening: "Opening") -> "AbstractPosition":
    """The position after an opening. Raises Usage if the game is over or it is chance's turn."""
    from gameplay.position import CHANCE
    from gameplay.runs import openings
    from gameplay.search.session import chance_turn_message

    match = openings.match_after(game, opening)
    if match.over():
        raise Usage("the game is over: there is nothing to search")
    position = match.replica()
    if position.turn == CHANCE:
        raise Usage(chance_turn_message(position))
    return position


def _parse_engines(engines: str | None, ablate: str | None, position: "AbstractPosition") -> list[str]:
    from gameplay.specs import parse_list
    from gameplay.suites import measuring

    if ablate is not None:
        return measuring.ablations(ablate)
    if engines is None:
        return measuring.default_engines(position)
    specs = parse_list(engines)
    if not specs:
        raise Usage("--engines names no engine. Try: --engines minimax,alphabeta")
    check_distinct("--engines", specs)
    return specs


def _print_end(
    specs: list[str], levels: "list[Iteration]", depths: range, max_nodes: int, picture: str
) -> None:
    """Print which engines were skipped at which depth, and the curves."""
    deepest = {effort.spec: level.depth for level in levels for effort in level.efforts}
    for spec in specs:
        if deepest[spec] < depths[-1]:
            reason = f"{deepest[spec] + 1} plies would take more than {max_nodes:,} nodes a position"
            click.echo(f"{spec} is left out from there: {reason} (--nodes)")
    if picture:
        click.echo(f"\nnodes a position over depth\n\n{picture}")
