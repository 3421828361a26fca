"""Reports of searches, with every option of every engine, compared with stored ones.

That values are right is proved elsewhere. How a search gets there (nodes, looks into the table, cutoffs,
lines) has no truth outside: where it differs and should, GAMEPLAY_SCREENS=write stores it again. The
signature holds longer searches, their nodes alone.
"""

import re
from collections.abc import Iterator
from functools import partial
from hashlib import blake2b
from typing import Any

from gameplay import Limit, registry
from gameplay.errors import Usage
from gameplay.search.engine import Engine
from gameplay.search.report import Report
from gameplay.search.trace import TraceEvent
from tests.support.engine_options import ITALIAN, TRACED
from tests.support.golden import golden

KNIGHTS = "8/8/1p1k4/p1p2p2/P1P2P2/1PNK4/8/2n5 w - - 0 1"
# Where each engine searches, and how far: a depth, or simulations. All options are tried at the first place.
PLACES: dict[str, tuple[tuple[str, str, int], ...]] = {
    "alphabeta": (("checkers", "", 3), ("connect4", "445", 3), ("nim", "", 2)),
    "astar": (("puzzle15:rows=3,columns=3", "1 4 2 3 7 5 6 0 8", 0),),
    "brs": (("connect4:players=3", "445", 3),),
    "cfr:iterations=10": (("kuhn", "K J", 0),),
    "dfid": (("puzzle15:rows=3,columns=3", "1 4 2 3 7 5 6 0 8", 0),),
    "expectiminimax": (("pig:goal=8", "", 3), ("tictactoe", "5", 2)),
    "expectiminimax:prune=star2": (("pig:goal=8", "", 3), ("tictactoe", "5", 3)),
    "idastar": (("puzzle15:rows=3,columns=3", "1 4 2 3 7 5 6 0 8", 0),),
    "ismcts": (("leduc", "Ks Qh", 40), ("liars-dice:players=3,dice=1,faces=3", "1 2 3", 30)),
    "iterative:table=16KB": (("othello", "", 3), ("connect4", "44", 3), ("chess", KNIGHTS, 2)),
    "maxn": (("connect4:players=3", "445", 2), ("tictactoe:players=3", "b1 a2", 2)),
    "mcts:memory=1MB": (("connect4", "4455", 40), ("go:size=3", "", 30), ("tictactoe", "5", 30)),
    "miximax": (("holdem", "Ah Kd 7c 2h raise6", 1),),
    "minimax": (("connect4", "445", 2), ("nim", "", 2)),
    "paranoid": (("connect4:players=3", "445", 3),),
    "perfect:table=1MB": (("connect4:columns=4,rows=4", "23232", 0), ("nim:heaps=1+2+3", "", 0)),
    "pimc": (("leduc", "Ks Qh", 3),),
    "pns:table=1MB": (("connect4:columns=4,rows=4", "2323233", 0), ("othello:size=4", "", 0)),
    "quiescence:table=16KB": (("connect4", "445", 2), ("chess", KNIGHTS, 2)),
    "random": (("tictactoe", "", 0),),
    "rollout:moves=3": (("scrabble:words=tests/answers/few_words.txt", "A A B E I O T C D E E F G N", 9),),
    "selective:table=16KB": (("chess", KNIGHTS, 4), ("chess", ITALIAN, 2), ("othello", "", 3)),
}
KIWI = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ENDED = (
    ("maxn:prune=off", "backgammon", "31 8/5;6/5 65", 0),
    ("paranoid", "pig:players=3,goal=5", "", 0),
    ("perfect:table=1MB", "connect4:columns=4,rows=4", "2323233", 0),
    ("quiescence:table=16KB,order=evaluation", "chess", KIWI, 0),
    ("selective:table=64KB", "chess", KIWI, 0),
)
STOPS = (11, 47, 160)  # nodes
OTHERWISE = ("file", "memory", "reuse", "threads")  # options that a search of this size cannot show
# Of options that are neither on or off nor one of a few words.
NUMBERS = {
    "alliance": ("1+2",),
    "c": ("0.5",),
    "fpu": ("0.5",),
    "iterations": ("5",),
    "multipv": ("3",),
    "plausible": ("4",),
    "plies": ("0", "1"),
    "rave": ("20",),
    "resign": ("0.3",),
    "secondary": ("2",),
    "seed": ("7",),
    "skill": ("50",),
    "table": ("16KB", "off"),
    "weight": ("3",),
    "widen": ("2",),
}


def variants(spec: str, alone: bool) -> Iterator[str]:
    """The engine itself and, unless `alone`, variants with one option changed."""
    name, _, given = spec.partition(":")
    cls = registry.engine_class(name)
    yield spec
    if alone:
        return
    for option, field in cls.options().items():
        if (
            option in OTHERWISE
            or (option in given and option != "table")
            or (option == "seed" and "order" in cls.options())
        ):
            continue
        words = NUMBERS.get(option) or cls.values(option)
        if isinstance(field.default, bool):
            words = ("off" if field.default else "on",)
        for word in words:
            if word not in (field.default, "search:N") and f"{option}={word}" not in given:
                others = [part for part in given.split(",") if part and not part.startswith(f"{option}=")]
                yield f"{name}:{','.join([*others, f'{option}={word}'])}"
    if cls.anytime:
        yield f"{spec}{',' if given else ':'}multipv=3"


def scaled_limit(engine: Engine, limit: Limit, far: int) -> Limit:
    """This number of simulations or plies; 0: to the end, for which no limit would mean a second."""
    if not far:
        return limit.with_(seconds=10**6) if engine.anytime else limit
    return limit.with_(simulations=far) if engine.simulates else limit.with_(depth=far)


def report_facts(position: Any, report: Report) -> str:
    """The facts of a report that are the same on every machine, at any time. Plays its line."""
    facts: dict[str, Any] = {
        "value": round(report.value, 9),
        "each": tuple(round(value, 9) for value in report.values),
        "error": round(report.error, 9),
        "depth": f"{report.depth}/{report.seldepth}",
        "visits": report.visits,
        "nodes": report.nodes,
        "expanded": report.expanded,
        "reopened": report.reopened,
        "thresholds": report.thresholds,
        "table": report.probes and f"{report.hits}/{report.probes}",
        "cuts": report.cutoffs and f"{report.first_cutoffs}/{report.cutoffs}",
        "stars": report.star1_cuts and f"{report.star1_cuts}+{report.star2_cuts}",
        "proof": report.claimant is not None and f"{report.claimant} {report.proof}/{report.disproof}",
        "visited": [f"{position.format(entry.move)} {entry.visits}" for entry in report.visited],
        "others": [
            f"{position.format(candidate.move)} {candidate.value:.9g} {candidate.bound} {candidate.visits}"
            for candidate in report.candidates[1:4]
        ],
    }
    parts = [f"{what} {fact}" for what, fact in facts.items() if fact or what == "value"]
    parts += [report.bound, *["exact"] * report.exact, report.source, report.stopped]
    line = []
    for move in report.pv[: 1 if position.hidden else None]:  # what is hidden was drawn by the search
        line.append(position.format(move))
        position.make(move)
    return ", ".join([" ".join(line) or "no move", *parts])


def test_reports_equal_the_stored_ones() -> None:
    rows = []
    for base, places in PLACES.items():
        for place, (game, text, far) in enumerate(places):
            rows.append(f"{game} {text}".strip())
            values = set()  # of searches with minimax's value at this depth
            for spec in variants(base, place > 0):
                position = registry.game(game).new(text)
                try:
                    engine, limit = registry.engine(spec)
                    report = engine.search(position, scaled_limit(engine, limit, far))
                    if engine.theorem == "minimax" and not re.search("eval=|threshold=", spec):
                        values.add(report.value)
                    line = report_facts(position, report)
                except Usage as refusal:
                    line = str(refusal)
                rows.append(f"    {spec}: {line}")
            assert len(values) <= 1, "no option changes the value"
    golden("reports", "\n".join(rows) + "\n")


def test_traces_of_searches_equal_the_stored_ones() -> None:
    rows = []
    for spec, game, text, far in TRACED:
        position = registry.game(game).new(text)
        engine, limit = registry.engine(spec)
        limit = scaled_limit(engine, limit, far)
        events: dict[str, list[str]] = {}
        report = engine.search(position, limit, trace=partial(keep, events))
        if report.nodes < 500:  # a trace changes nothing
            untraced = registry.engine(spec)[0].search(position, limit)
            assert (untraced.value, untraced.nodes) == (report.value, report.nodes)
        rows.append(f"{spec}, {game} {text}".strip() + f": {report_facts(position, report)}")
        for what, them in events.items():
            digest = blake2b("\n".join(them).encode(), digest_size=4).hexdigest()
            rows.append(f"    {what:<10} {len(them):>6} {digest}")
    golden("searches_traced", "\n".join(rows) + "\n")


def test_reports_of_stopped_searches_equal_the_stored_ones() -> None:
    """After this number of nodes, anywhere in the tree: unfinished nodes are neither counted nor reported."""
    rows = []
    for spec, game, text, _ in (*TRACED, *ENDED):
        position, (engine, _) = registry.game(game).new(text), registry.engine(spec)
        before = str(position)
        rows.append(f"{spec}, {game} {text}".strip())
        for nodes in STOPS:
            events: dict[str, list[str]] = {}
            listen = None if spec.startswith("perfect") else partial(keep, events)
            report = engine.search(position, Limit(nodes=nodes), trace=listen)
            assert str(position) == before
            digest = blake2b(repr(events).encode(), digest_size=4).hexdigest()
            rows.append(f"    {report_facts(registry.game(game).new(text), report)}, events {digest}")
    golden("searches_stopped", "\n".join(rows) + "\n")


def keep(events: dict[str, list[str]], event: TraceEvent) -> None:
    """An event among those of its kind.

    Python and C may differ in a number's last figures, its type and whether zero is below zero.
    """
    facts = [
        [f"{element + 0:.9g}" for part in fact for element in (part if isinstance(part, tuple) else (part,))]
        if isinstance(fact, tuple)
        else fact
        if isinstance(fact, str)
        else f"{fact + 0:.9g}"
        for fact in event
    ]
    events.setdefault(event.what, []).append(f"{facts}")


def test_every_engine_reports() -> None:
    assert {*registry.engine_names()} - {"strategy"} == {spec.partition(":")[0] for spec in PLACES}
