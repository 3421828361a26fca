"""Bridge: double-dummy solving compared with DDS, and card play of `pimc` compared with double-dummy results.

`python -m benchmarks bridge` solves the 1,000 deals of tests/answers for all strains and declarers, each deal
with an empty table, on one core, in CPU time. DDS (through endplay) solves the same deals in the same run.
`bridge:count=50` solves the first 50.

`bridge:only=play` plays the first 200 deals in the contracts that the bidding system reaches: `pimc` against
players that follow rules of thumb, once as declarer and once as defender. `sims=20` sets its number of
sampled deals.
"""

import random
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median

from rich.table import Table

from benchmarks import environment, timing
from benchmarks.progress import progress
from gameplay.engines.pimc import Pimc
from gameplay.errors import Usage
from gameplay.games.bridge.game import parse_deal
from gameplay.games.bridge.solver import BridgeSolver, cells
from gameplay.registry import game
from gameplay.search.limit import Limit

FOLDER = Path(__file__).parent
DEALS = FOLDER.parent / "tests" / "answers" / "bridge.txt"
STRAINS = (4, 3, 2, 1, 0)  # in the order of the file
SMALLEST = ({"count": "1"}, {"only": "play", "count": "2", "sims": "1"})
GOALS = (3, 1)  # mean time divided by that of DDS, at most


def deals(count: int) -> list[tuple[str, str]]:
    """The first deals, each with the tricks of each declarer in each strain, a hexadecimal digit each."""
    rows = [line for line in DEALS.read_text().splitlines() if not line.startswith("#")]
    return [(f"N:{deal}", digits) for deal, _, digits in (row.rpartition(" ") for row in rows[:count])]


def measure(rows: list[tuple[str, str]]) -> tuple[list[float], int, float]:
    """CPU seconds of each deal, number of deals with a wrong result, and mean number of tricks started."""
    solver, times, wrong = BridgeSolver(21), [], 0
    progress.show(f"solving {len(rows):,} deals")
    for number, (deal, digits) in enumerate(rows):
        progress.count(number, len(rows), "deals solved")
        hands = [cells(hand) for hand in parse_deal(deal)]
        start = time.process_time()
        table = solver.table(hands)
        times.append(time.process_time() - start)
        wrong += "".join(f"{tricks:x}" for strain in STRAINS for tricks in table[strain]) != digits
    return times, wrong, solver.nodes / len(rows)


def measure_dds(rows: list[tuple[str, str]]) -> tuple[list[float], int]:
    """CPU seconds of each deal by DDS and number of wrong results; an empty list if it is missing."""
    if reason := environment.install(["endplay"]).get("endplay"):
        environment.report_missing({"DDS": reason})
        return [], 0
    text = "".join(f"{deal}\n" for deal, _ in rows)
    output = environment.run_peer("peer_bridge.py", name=f"DDS on {len(rows):,} deals", text=text)
    results = [line.split() for line in output.splitlines()]
    wrong = sum(digits != expected for (_, digits), (_, expected) in zip(results, rows, strict=True))
    return [float(seconds) for seconds, _ in results], wrong


def play_deal(deal: str, digits: str, number: int, simulations: int) -> tuple[list[int], list[float]] | None:
    """Declarer's tricks beyond the double-dummy result, and declarer's score; None if all players pass.

    The deal is played three times: all players by rules of thumb, then declarer by `pimc`, then the defenders
    by `pimc`. Dealer and vulnerability rotate with `number`.
    """
    spec = f"bridge:dealer={'NESW'[number % 4]},vulnerable={('none', 'ns', 'ew', 'both')[number // 4 % 4]}"
    tricks, scores = [], []
    for searching_sides in ((), (0,), (1,)):
        position, rng = game(spec).new(deal), random.Random(number)
        while (advice := position.advice()) is not None:
            position.make(advice[0])
        contract = position.state.contract
        if contract is None:
            return None
        side = contract.declarer % 2
        while position.outcome() is None:
            card = position.rule_of_thumb()
            if (position.turn - side) % 2 in searching_sides:
                view = position.determinize(position.turn, rng)
                card = Pimc(seed=number).search(view, Limit(simulations=simulations)).move
            position.make(card)
        double_dummy = int(digits[4 * STRAINS.index(contract.strain) + contract.declarer], 16)
        tricks.append(position.state.tricks[side] - double_dummy)
        scores.append(position.outcome()[side])
    return tricks, scores


def format_mean(values: list[float]) -> str:
    """Mean and 95 % interval."""
    return timing.format_interval(values, "+.2f")


def play_table(count: int, simulations: int) -> Table:
    """Deals played by `pimc` and by rules of thumb."""
    rows = []
    progress.show(f"playing {count:,} deals, three times each")
    for number, (deal, digits) in enumerate(deals(count)):
        progress.count(number, count, "deals played")
        if (result := play_deal(deal, digits, number, simulations)) is not None:
            rows.append(result)
    table = Table(
        title=f"Bridge: card play on {len(rows)} deals, pimc with {simulations} samples, 95 % intervals",
        title_style="bold",
    )
    for heading in ("declarer", "defenders", "tricks - double dummy", "points gained by pimc"):
        table.add_column(heading, justify="left" if heading in ("declarer", "defenders") else "right")
    for number, (declarer, defenders) in enumerate(
        (("thumb", "thumb"), ("pimc", "thumb"), ("thumb", "pimc"))
    ):
        differences = [float(tricks[number]) for tricks, _ in rows]
        sign = -1 if defenders == "pimc" else 1
        gains = [sign * (scores[number] - scores[0]) for _, scores in rows]
        table.add_row(declarer, defenders, format_mean(differences), format_mean(gains) if number else "")
    return table


def tables(count: str = "", only: str = "", sims: str = "20") -> Iterator[Table]:
    """Double-dummy solving of `count` deals; with only=play, their card play with `sims` sampled deals."""
    if only not in ("", "play"):
        raise Usage(f"only must be play, not '{only}'")
    if only == "play":
        yield play_table(int(count or 200), int(sims))
        return
    timing.pin()
    rows = deals(int(count or 1000))
    table = Table(title="Bridge: double-dummy tables (20 results a deal), CPU time", title_style="bold")
    for heading in ("program", "deals", "wrong", "tricks started", "mean ms", "median ms", "max ms"):
        table.add_column(heading, justify="left" if heading == "program" else "right")
    dds_times, dds_wrong = measure_dds(rows)
    times, wrong, nodes = measure(rows)
    for program, seconds, errors, started in (
        ("gameplay", times, wrong, f"{nodes:,.0f}"),
        ("DDS", dds_times, dds_wrong, ""),
    ):
        if seconds:
            summary = [f"{1000 * statistic(seconds):,.0f}" for statistic in (mean, median, max)]
            table.add_row(program, str(len(seconds)), str(errors), started, *summary)
    if dds_times:
        ratio = mean(times) / mean(dds_times)
        goals = ", ".join(f"at most {goal}: {timing.verdict(ratio <= goal)}" for goal in GOALS)
        table.caption = f"mean time gameplay / DDS {ratio:.2f}; {goals}"
    yield table
    timing.unpin()
