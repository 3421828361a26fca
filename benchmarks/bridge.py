"""Bridge: double-dummy solving compared with DDS, and play by `pimc` compared with the solver's results.

`python -m benchmarks bridge` solves the 1,000 deals of tests/answers, all strains and declarers, each with an
empty table, on one core and in CPU time; DDS runs through endplay in a separate environment, in the same run.
`bridge:count=50` solves the first 50.

`bridge:only=play` plays the first 200 of them in the contracts that the system bids: `pimc` against players
who follow rules of thumb, once as declarer and once in defence. `sims=20` is its number of sampled deals.
"""

import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median

from rich.table import Table

from benchmarks import environment, timing
from benchmarks.progress import progress
from gameplay.engines.pimc import Pimc
from gameplay.games.bridge.game import parse_deal
from gameplay.games.bridge.solver import BridgeSolver, cells
from gameplay.registry import game
from gameplay.search.limit import Limit

FOLDER = Path(__file__).parent
DEALS = FOLDER.parent / "tests" / "answers" / "bridge.txt"
STRAINS = (4, 3, 2, 1, 0)  # in the order of the file
SMALLEST = ({"count": "1"}, {"only": "play", "count": "2", "sims": "1"})
MOST = 3  # times the time of DDS
GOAL = 1


def deals(count: int) -> list[tuple[str, str]]:
    """The deals, and the tricks of each declarer in each strain."""
    rows = [line for line in DEALS.read_text().splitlines() if not line.startswith("#")]
    return [(f"N:{deal}", digits) for deal, _, digits in (row.rpartition(" ") for row in rows[:count])]


def ours(rows: list[tuple[str, str]]) -> tuple[list[float], int, float]:
    """CPU seconds of each deal, how many tables differ from the file, and the mean of the tricks begun."""
    solver, spent, wrong = BridgeSolver(21), [], 0
    progress.say(f"solving {len(rows):,} deals")
    for number, (deal, digits) in enumerate(rows):
        progress.count(number, len(rows), "deals solved")
        hands = [cells(hand) for hand in parse_deal(deal)]
        began = time.process_time()
        table = solver.table(hands)
        spent.append(time.process_time() - began)
        wrong += "".join(f"{tricks:x}" for strain in STRAINS for tricks in table[strain]) != digits
    return spent, wrong, solver.nodes / len(rows)


def theirs(rows: list[tuple[str, str]]) -> tuple[list[float], int]:
    """The same of DDS; empty where it cannot be installed."""
    if why := environment.install(["endplay"]).get("endplay"):
        print(f"DDS is left out: {why}", file=sys.stderr)
        return [], 0
    command = [str(environment.scripts() / "python"), str(FOLDER / "peer_bridge.py")]
    text = "".join(f"{deal}\n" for deal, _ in rows)
    answer = environment.run(command, f"DDS on {len(rows):,} deals", text=text)
    found = [line.split() for line in answer.splitlines()]
    wrong = sum(digits != known for (_, digits), (_, known) in zip(found, rows, strict=True))
    return [float(seconds) for seconds, _ in found], wrong


def played(deal: str, digits: str, number: int, simulations: int) -> tuple[list[int], list[float]] | None:
    """Tricks of the declarer beyond those with all cards open, and the score; None: all pass.

    Three times: all by rules of thumb, the declarer by `pimc`, and the defence by `pimc`. Who is vulnerable
    and who deals goes round.
    """
    spec = f"bridge:dealer={'NESW'[number % 4]},vulnerable={('none', 'ns', 'ew', 'both')[number // 4 % 4]}"
    tricks, scores = [], []
    for by_search in ((), (0,), (1,)):
        position, rng = game(spec).new(deal), random.Random(number)
        while (advice := position.advice()) is not None:
            position.make(advice[0])
        contract = position.state.contract
        if contract is None:
            return None
        side = contract.declarer % 2
        while position.outcome() is None:
            card = position.rule_of_thumb()
            if (position.turn - side) % 2 in by_search:
                view = position.determinize(position.turn, rng)
                card = Pimc(seed=number).search(view, Limit(simulations=simulations)).move
            position.make(card)
        open_cards = int(digits[4 * STRAINS.index(contract.strain) + contract.declarer], 16)
        tricks.append(position.state.tricks[side] - open_cards)
        scores.append(position.outcome()[side])
    return tricks, scores


def interval(figures: list[float]) -> str:
    """A mean and its 95 % interval."""
    return timing.interval(figures, "+.2f")


def plays(count: int, simulations: int) -> Table:
    """Deals played by `pimc` and by rules of thumb."""
    rows = []
    progress.say(f"playing {count:,} deals three times")
    for number, (deal, digits) in enumerate(deals(count)):
        progress.count(number, count, "deals played")
        if (found := played(deal, digits, number, simulations)) is not None:
            rows.append(found)
    table = Table(
        title=f"Bridge, {len(rows)} deals played, pimc with {simulations} deals", title_style="bold"
    )
    for name in ("declarer", "defence", "tricks beyond open cards", "points gained by pimc"):
        table.add_column(name, justify="left" if name in ("declarer", "defence") else "right")
    for number, (declarer, defence) in enumerate((("thumb", "thumb"), ("pimc", "thumb"), ("thumb", "pimc"))):
        beyond = [float(tricks[number]) for tricks, _ in rows]
        sign = -1 if defence == "pimc" else 1
        gain = [sign * (scores[number] - scores[0]) for _, scores in rows]
        table.add_row(declarer, defence, interval(beyond), interval(gain) if number else "")
    return table


def tables(count: str = "", only: str = "", sims: str = "20") -> Iterator[Table]:
    """All deals, by both; or the play."""
    if only == "play":
        yield plays(int(count or 200), int(sims))
        return
    timing.pin()
    rows = deals(int(count or 1000))
    table = Table(title="Bridge, all 20 results of a deal: CPU time", title_style="bold")
    for name in ("", "deals", "wrong", "tricks begun", "mean", "median", "longest"):
        table.add_column(name, justify="left" if not name else "right")
    peer, differ = theirs(rows)
    spent, wrong, nodes = ours(rows)
    for name, times, missed, begun in (("ours", spent, wrong, f"{nodes:,.0f}"), ("DDS", peer, differ, "")):
        if times:
            figures = [f"{1000 * figure(times):,.0f} ms" for figure in (mean, median, max)]
            table.add_row(name, str(len(times)), str(missed), begun, *figures)
    if peer:
        ratio = mean(spent) / mean(peer)
        table.caption = (
            f"ours / DDS {ratio:.2f}: at most {MOST} {timing.verdict(ratio <= MOST)}, "
            f"at most {GOAL} {timing.verdict(ratio <= GOAL)}"
        )
    yield table
    timing.unpin()
