"""Pseudocode beside a trace: each step has a line, and the lines follow each other as the code allows."""

import re
from functools import cache
from typing import Any

import pytest

from gameplay import Limit, registry
from gameplay.api.tracing import follower
from gameplay.tracing.pseudocode import FOLDER, PLAIN, CodePointer, Pseudocode, pseudocode
from gameplay.tracing.trace import TraceStep
from tests.support.commands import run_printed
from tests.support.paths import TESTS

PIG = str(TESTS / "examples" / "games" / "pig.py") + ":goal=4,faces=2"
SEARCHES = [
    ("minimax", "tree:lecture", "", Limit(depth=9, nodes=5_000)),
    ("minimax", "tictactoe", "b2 a1 c2", Limit(depth=3)),
    ("alphabeta", "tree:lecture", "", Limit(depth=9)),
    ("alphabeta:fail=hard", "tictactoe", "b2 a1 c2", Limit(depth=3)),
    *(
        (spec, "tictactoe", "b2 a1", Limit(depth=4))
        for spec in (
            "alphabeta:table=1MB",
            "alphabeta:order=killer",
            "alphabeta:max_threshold=2,min_threshold=1",
            "alphabeta:standout=1,table=1MB",
            "minimax:max_threshold=2,min_threshold=1",
            "iterative:pvs=off,aspiration=off",
        )
    ),
    ("expectiminimax", "tree:chance", "", Limit(depth=9, nodes=5_000)),
    ("expectiminimax", "pig", "", Limit(depth=2)),
    ("expectiminimax:table=1MB", "pig", "", Limit(depth=3)),
    *(
        (f"expectiminimax:prune=star{n}{option}", game, text, Limit(depth=depth, nodes=100_000))
        for n in "12"
        for option, game, text, depth in (
            ("", "tree:chance", "", 9),
            ("", "tictactoe", "b2 a1 c2 a3 c1", 2),
            ("", PIG, "", 4),
            (",table=1MB", PIG, "", 4),
        )
    ),
    ("maxn", "tree:three-players", "", Limit(depth=9, nodes=5_000)),
    ("maxn", "nim:heaps=1+2,players=3", "", Limit(depth=9)),
    ("maxn", "tictactoe", "b2 a1 c2", Limit(depth=4)),
    ("maxn:table=1MB", "nim:heaps=2+2,players=3", "", Limit(depth=9)),
    ("maxn", "pig:players=3,goal=6", "", Limit(depth=1)),
    ("iterative:pvs=off,aspiration=off,table=off", "tree:lecture", "", Limit(depth=9)),
    ("pns:mobility=off,weak=off", "tree:and-or", "", Limit(nodes=400)),
    ("pns", "tictactoe", "b2 a1 c2 a2", Limit(nodes=2_000)),
    ("pns", "connect4:columns=4,rows=4", "", Limit(depth=3)),
    ("mcts", "tictactoe", "b2 a1 c2", Limit(simulations=40)),
    ("mcts", "pig", "", Limit(simulations=20)),
    ("idastar", "puzzle15:rows=2,columns=3", "2 5 4 1 3 0", Limit(nodes=2_000)),
]
RARE = {"trim"}  # labels that no search here reaches: the memory of a tree is full

# In one call of a recursive function: what may come next, `call` is a call that has returned.
MOVES_BEGIN = {"standout", "loop", "call"}
STARS = {"star1.alpha", "star1.beta", "star2.alpha", "star2.beta"}
NEXT = {
    "deepen": {"table", "table.cut"} | MOVES_BEGIN,
    "enter": {"leaf", "above", "below", "nothing", "table", "table.cut"} | MOVES_BEGIN,
    "table": {"table.cut"} | MOVES_BEGIN,
    "standout": {"standout", "loop", "call"},
    "loop": {"call"},
    "call": {"call", "window", "cut", "return"} | STARS,
    "window": {"call", "cut", "return"},
    "cut": {"return"},
    "probe": {"probe.leaf", "probe.table", "probe.call", "probed"},
    "probe.table": {"probe.call", "probed"},
    "probe.call": {"probe.max", "probe.min", "probed"},
    "probe.max": {"probed"},
    "probe.min": {"probed"},
}
PNS = {
    "enter": {"too.deep", "generate"},
    "too.deep": {"disproved"},
    "generate": {"generate", "decided", "call", "proved", "disproved", "threshold"},
    "decided": {"proved", "disproved"},
    "call": {"call", "proved", "disproved", "threshold"},
}
# Events at which a call returns.
LEAVES = {"leaf", "return", "table.cut", "above", "below", "nothing", "probe.leaf", "probed"} | STARS
SELECTED = {"select", "untried", "lot"}
UCT = {
    "": {"simulation"},
    "simulation": {*SELECTED, "expand", "simulate"},
    **{label: {*SELECTED, "expand", "simulate"} for label in SELECTED},
    "expand": SELECTED,
    "simulate": {"backup"},
    "backup": {"backup", "simulation", "trim"},
}
MOVES = {"generate", "beyond", "goal", "expand", "threshold"}
IDASTAR = {"": {"threshold"}, "threshold": {"expand"}, **dict.fromkeys(MOVES - {"threshold"}, MOVES)}


@cache
def trace_lines(
    spec: str, game: str, text: str, limit: Limit
) -> tuple[Pseudocode, list[tuple[TraceStep, str]]]:
    """The pseudocode, and each step with the label of its line."""
    engine = registry.engine(spec)[0]
    code = pseudocode(engine)
    assert code is not None
    pointer, lines = CodePointer(code), []

    def show(step: TraceStep) -> None:
        line = pointer(step)
        lines.append((step, "" if line is None else code.labels[line]))

    def start() -> Any:
        return registry.game(game).new(text)

    engine.search(start(), limit, trace=follower(engine, start(), show, 8))
    return code, lines


@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: f"{search[0]} {search[1]}")
def test_lines_are_a_possible_execution(search: tuple[str, str, str, Limit]) -> None:
    _, steps = trace_lines(*search)
    assert len(steps) > 10 and all(label for _, label in steps)
    if search[0] in ("mcts", "idastar"):
        graph, before = UCT if search[0] == "mcts" else IDASTAR, ""
        for _, label in steps:
            assert label in graph[before]
            before = label
        return
    if search[0].startswith("pns"):
        check_calls_of_pns(steps)
        return
    calls: list[str] = []
    for step, label in steps:
        kind = label if label.startswith(("table", "star", "probe")) else label.rpartition(".")[2]
        if kind in ("enter", "deepen", "probe"):
            assert (kind == "deepen") == (search[0].startswith("iterative") and not calls)
            calls.append(kind)
            continue
        assert step.what != "leave" or kind in LEAVES
        if step.what == "leave":
            if kind != calls[-1]:  # a leaf, or a table value, was there already
                assert kind in NEXT[calls[-1]], (calls[-1], kind)
            calls.pop()
            if calls:
                call = "probe.call" if calls[-1].startswith("probe") else "call"
                assert call in NEXT[calls[-1]], (calls[-1], call)
                calls[-1] = call
        else:
            assert kind in NEXT[calls[-1]], (calls[-1], kind)
            calls[-1] = kind
        role = label.partition(".")[0]
        if role in ("max", "min", "chance"):
            assert role.upper() == step.role.upper()
    assert not calls


def check_calls_of_pns(steps: list[tuple[TraceStep, str]]) -> None:
    """Each call returns a number 0 as proved or disproved, and other numbers at a threshold."""
    calls: list[tuple[str, tuple[float, ...]]] = []
    for step, label in steps:
        if label in ("question", "enter"):
            assert (label == "question") <= (not calls)
            calls += [("enter", step.numbers)] if label == "enter" else []
            continue
        before, most = calls[-1]
        assert label in PNS[before], (before, label)
        calls[-1] = label, most
        if step.what != "leave":
            continue
        proof, disproof = step.numbers
        assert (label == "proved", label == "disproved") == (proof == 0, disproof == 0)
        assert label != "threshold" or proof >= most[0] or disproof >= most[1]
        calls.pop()
        if calls:
            assert "call" in PNS[calls[-1][0]]
            calls[-1] = "call", calls[-1][1]
    assert not calls


def test_pseudocode_line_matches_the_step() -> None:
    for spec, game, text, limit in SEARCHES:
        code, steps = trace_lines(spec, game, text, limit)
        for step, label in steps:
            line = code.lines[code.numbers[label]]
            if step.what == "window":
                assert f"{step.why} := m" in line and (step.why == "alpha") == (step.role == "MAX")
            elif step.what == "cut" and step.why == "beta":
                assert "alpha >= beta" in line and step.name.split()[-2] in line
            elif step.what == "cut" and step.why.startswith("star"):
                assert f"({step.name.removesuffix('off')})" in line
            elif step.why == "standout":
                assert "skipped" in line
            elif step.what == "cut" and step.why.endswith("threshold"):
                assert step.why.replace(" ", "_") in code.lines[code.numbers[label] - 1]
            elif label.endswith("return") and spec.startswith(("minimax", "expecti")) and "star" not in spec:
                expected = {"MAX": "largest", "MIN": "smallest", "chance": "sum of p(o)"}[step.role]
                assert expected in line
                block = [line for line in code.lines[: code.numbers[label]] if "moves at node" in line][-1]
                assert block.strip() == f"if {step.role} moves at node:"


def test_star2_probes_the_reported_successors() -> None:
    """A node with the line of PROBE has one move and ends with a probe, or is a leaf; others do not."""
    ends = []
    for spec, game, text, limit in SEARCHES:
        nodes: list[list[str]] = []  # of each open node what happened there
        for step, label in trace_lines(spec, game, text, limit)[1] if "star2" in spec else ():
            if step.what == "enter":
                del nodes[step.level :]
                if nodes:
                    nodes[-1].append("move")
                nodes.append([label])
            elif step.what == "cut":
                nodes[-1].append(step.why)
            elif step.what == "leave":
                began, *rest = nodes.pop()
                assert (began == "probe") == (label in ("probed", "probe.leaf")) == ("probed" in rest) or (
                    (began, label, rest) == ("probe", "probe.leaf", [])
                )
                ends += [(label, *rest)] if began == "probe" else []
    assert set(ends) == {("probe.leaf",), ("probed", "probed"), ("probed", "move", "probed")}, set(ends)


def test_every_label_is_reached_and_every_line_fits() -> None:
    reached: dict[str, set[str]] = {}
    for search in SEARCHES:
        code, steps = trace_lines(*search)
        reached.setdefault(code.title, set()).update(label for _, label in steps)
        assert max(map(len, code.lines)) <= 54
        assert len({label for label in code.labels if label}) == sum(map(bool, code.labels))
    assert {file.stem for file in FOLDER.glob("*.pseudo")} == set(PLAIN)
    for name in PLAIN:
        title, *rows = (FOLDER / f"{name}.pseudo").read_text().splitlines()
        labels = set(re.findall(r"^([a-z.0-9]+)(?![\w!=])", "\n".join(rows), re.M))
        assert labels - reached[title] <= RARE, name


@pytest.mark.once
def test_conditions_choose_the_lines_of_the_options() -> None:
    def text(spec: str) -> str:
        code = pseudocode(registry.engine(spec)[0])
        return "" if code is None else "\n".join(code.lines)

    assert "table" not in text("alphabeta") and "the table has an entry" in text("alphabeta:table=1MB")
    assert "edge of the window" in text("alphabeta:fail=hard") and "edge" not in text("alphabeta")
    assert "is enough" in text("maxn") and "is enough" not in text("maxn:prune=off")
    assert not text("selective") and not text("iterative")
    assert "PROBE" in text("expectiminimax:prune=star2") and "STAR1" in text("expectiminimax:prune=star1")
    assert "threshold" not in text("minimax") and "max_threshold" in text("minimax:max_threshold=3")
    assert "min_threshold" not in text("minimax:max_threshold=3") and "standout" not in text("alphabeta")


@pytest.mark.once
def test_trace_prints_the_number_of_each_line(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_printed(capsys, "trace", "tree:lecture", "--engine", "alphabeta", "--pseudocode")
    code = pseudocode(registry.engine("alphabeta")[0])
    assert status == 0 and code is not None
    for number, line in enumerate(code.lines, 1):
        assert f"\n{number:>2}  {line}\n" in out

    def code_line(what: str) -> str:
        number = int(re.search(rf"^ ?(\d+)  (?:\| )*{what}", out, re.M)[1])
        return code.lines[number - 1].strip()

    assert code_line("search, depth") == "AB(node, depth, alpha, beta):"
    assert code_line("1: leaf") == "return its payoff, or its evaluation"
    assert code_line("at the root: alpha") == "alpha := max(alpha, v)"
    assert code_line("at 1: beta") == "beta := min(beta, v)"
    assert (
        code_line("alpha cutoff").endswith("leave the loop (alpha cut)")
        and code_line("root = ") == "return best"
    )
    for words, refusal in (
        (
            ("chess", "--engine", "selective"),
            "selective has no pseudocode; expected one of: minimax, alphabeta",
        ),
        (("tree:lecture", "--json"), "--pseudocode prints lines of text, and --json prints objects"),
    ):
        status, out, error = run_printed(capsys, "trace", *words, "--pseudocode")
        assert (status, out) == (2, "") and refusal in " ".join(error.split())
