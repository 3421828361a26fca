"""The tree of a search: complete, cut with a note, drawn in four ways, and stepped through on a terminal."""

import math
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from gameplay import Limit, registry
from gameplay.api.tracing import follower
from gameplay.display.pages import tree_page
from gameplay.display.pages.tree_svg import STYLE, svg
from gameplay.display.reports import tree as lines_of
from gameplay.display.reports.drawn_tree import DrawnNode, count_omitted, prune_to_size
from gameplay.display.terminal.screen import Screen
from gameplay.display.terminal.stepping import TraceRows, TraceStepper
from gameplay.display.theme import detect_theme
from gameplay.tracing.replay import replay_steps
from gameplay.tracing.trace import TraceStep
from gameplay.tracing.tree import SearchTreeBuilder, TracedNode
from tests.support.commands import gameplay
from tests.support.golden import golden

pytestmark = pytest.mark.once

LECTURE = "tree:lecture"


def build_tree(
    spec: str,
    game: str,
    text: str,
    limit: Limit,
    most: int = 10**6,
    alone: bool = True,
    drawn: int | None = None,
) -> Any:
    """The last tree of a search, the position at its root, and the report."""
    engine, _ = registry.engine(spec)
    game_class = registry.game(game)
    grove = SearchTreeBuilder(most, alone, drawn)
    report = engine.search(
        game_class.new(text), limit, trace=follower(engine, game_class.new(text), grove, 40)
    )
    return grove, game_class.new(text), report


def shape(node: TracedNode) -> list[Any]:
    return [node.entered.word, *(shape(child) for child in node.children)]


def test_the_tree_of_minimax_is_the_game() -> None:
    grove, position, report = build_tree("minimax", "tictactoe", "b2 a1 c2", Limit(depth=3))

    def walk(left: int) -> list[Any]:
        results: list[Any] = []
        if position.outcome() is None and left:
            for move in position.moves():
                word = position.format(move)
                position.make(move)
                results.append([word, *walk(left - 1)])
                position.unmake()
        return results

    assert shape(grove.roots[-1])[1:] == walk(3)
    assert sum(1 for _ in grove.roots[-1].everything()) == report.nodes


def test_pruned_and_searched_moves_are_all_moves() -> None:
    grove, position, _ = build_tree("alphabeta", "tictactoe", "b2 a1 c2", Limit(depth=4))
    cuts = 0
    for node in grove.roots[-1].everything():
        if not node.children:
            continue
        with replay_steps(position, node.line()):
            words = [position.format(move) for move in position.moves()]
        searched, pruned = (
            [child.entered.word for child in node.children],
            [word for word, _ in node.pruned()],
        )
        assert searched + pruned == words
        cuts += bool(pruned)
    assert cuts > 10 and position.text() == registry.game("tictactoe").new("b2 a1 c2").text()


@pytest.mark.parametrize(
    ("spec", "game", "text", "limit"),
    [
        ("selective:secondary=2", "chess", "", Limit(depth=5)),
        ("mcts", "connect4", "", Limit(simulations=60)),
        ("idastar", "puzzle15:rows=3,columns=3", "1 4 2 3 5 8 6 7 0", Limit()),
        ("astar", "puzzle15:rows=3,columns=3", "3 1 2 7 5 4 0 6 8", Limit(nodes=200)),
        ("expectiminimax:prune=star2", "pig", "", Limit(depth=2)),
        ("brs", "chinese_checkers:players=3", "", Limit(depth=1)),
        ("pns", "connect4:columns=4,rows=4", "2233", Limit(nodes=500)),
    ],
)
def test_every_node_of_every_engine_is_reachable(spec: str, game: str, text: str, limit: Limit) -> None:
    grove, position, report = build_tree(spec, game, text, limit)
    before = position.text()
    root = grove.roots[-1]
    count = 0
    for node in root.everything():
        with replay_steps(position, node.line()) as last:
            assert node is root or node.entered.why or last is not None
        count += 1
    assert position.text() == before and 1 < count <= report.nodes + 1
    if spec == "mcts":
        assert root.left.visits == 60 and sum(child.left.visits for child in root.children) >= 59


@pytest.mark.parametrize("spec", ["idastar", "dfid"])
def test_path_tree_is_that_of_the_search_that_found_it(spec: str) -> None:
    """Not the tree of the previous threshold; and the search was not stopped."""
    game = registry.game("puzzle15:rows=2,columns=2,seed=3").new()
    grove, _, report = build_tree(spec, "puzzle15:rows=2,columns=2,seed=3", game.text(), Limit())
    root = [root for root in grove.roots if root.left is not None][-1]
    assert root is grove.roots[-1] and root.left is root.entered
    (goal,) = [node for node in root.everything() if node.entered.why == "goal"]
    assert [step.word for step in goal.line() if step.word] == ["left", "up"]
    assert root.entered.value == goal.entered.value == -report.value == 2


def test_a_large_tree_is_cut_honestly() -> None:
    grove, _, report = build_tree("alphabeta", "connect4", "4 4", Limit(depth=4))
    for most in (3, 50, 200, 10**6):
        drawn = prune_to_size(grove.roots[-1], most, 1)
        assert count_searched(drawn) + count_omitted(drawn) == report.nodes
        assert drawn.count() <= max(most, 60)
    kept, _, _ = build_tree("alphabeta", "connect4", "4 4", Limit(depth=4), most=100)
    drawn = prune_to_size(kept.roots[-1], 10**6, 1)
    assert count_searched(drawn) == 100 and count_omitted(drawn) == report.nodes - 100


@pytest.mark.parametrize("spec", ["minimax", "iterative", "mcts", "pns", "expectiminimax"])
@pytest.mark.parametrize("most", [3, 40, 300])
def test_a_tree_grown_for_a_picture_gives_the_same_picture(spec: str, most: int) -> None:
    game, limit = ("pig", Limit(depth=3)) if spec == "expectiminimax" else ("tictactoe", Limit(nodes=4_000))
    whole, _, _ = build_tree(spec, game, "", limit)
    small, _, _ = build_tree(spec, game, "", limit, drawn=most)
    first, second = (prune_to_size(grove.roots[-1], most, 1) for grove in (whole, small))
    assert drawing(first) == drawing(second) and count_omitted(first) == count_omitted(second)
    kept = [sum(1 for _ in grove.roots[-1].everything()) for grove in (whole, small)]
    assert kept[1] <= max(most, kept[0] if spec in ("mcts", "pns") else 0)


def drawing(drawn: DrawnNode) -> list[Any]:
    """The drawing of a tree."""
    return [fields(drawn), *map(drawing, drawn.children)]


@pytest.mark.parametrize("spec", ["pns", "pns:weak=off"])
def test_numbers_in_the_picture_are_those_of_the_nodes_below(spec: str) -> None:
    """Each node counts once, however often it was visited; also if only a part of the tree is stored."""
    for most in (10**6, 30):
        grove, _, report = build_tree(spec, "connect4:columns=4,rows=4", "22331", Limit(nodes=3_000), most)
        assert report.stopped == "proven"
        inner = again = 0
        for node in grove.roots[-1].everything():
            if not node.children or node.hidden or node.left.what == "generate":  # known by the table since
                continue
            numbers = [child.left.numbers for child in node.children]
            least = int(node.entered.role == "AND")
            least_number = min(pair[least] for pair in numbers)
            others = [pair[1 - least] for pair in numbers if pair[1 - least]]
            two = max(others, default=1) + len(others) - 1 if spec == "pns" else sum(others)
            assert node.left.numbers == ((least_number, two), (two, least_number))[least]
            assert node.entered.word or "win?" in node.entered.name
            inner += 1
            again += node.visits > 1
        assert inner > 3 and (again > 5 or most == 30)
    assert sum(1 for _ in grove.roots[-1].everything()) == 30


def test_proof_numbers_in_all_four_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("tree", "tictactoe", "--moves", "b2 a1 c2 a2", "--engine", "pns")
    assert gameplay(*words, "--plain") == 0
    out = capsys.readouterr().out
    assert "does o win? AND x = pn inf, dn 0, disproved" in out and out.isascii()
    assert "c1 AND x = pn 3, dn 1, not expanded" in out and "b3: not searched (decided)" in out
    assert out.endswith("all 34 nodes are drawn; the second question, after the answer no to the first\n")
    for name in ("tree.svg", "tree.dot", "tree.html"):
        assert gameplay(*words, "-o", tmp_path / name) == 0
    picture = ElementTree.parse(tmp_path / "tree.svg").getroot()
    groups = [
        element.get("class", "") for element in picture.iter() if element.get("class", "").startswith("node")
    ]
    for state, count in (("proved", 4), ("disproved", 14), ("open", 8), ("pruned", 8)):
        assert groups.count(f"node {state}") == count
        if state != "pruned":
            assert (tmp_path / "tree.html").read_text().count(f'class="node {state}"') == count
    text = (tmp_path / "tree.svg").read_text()
    assert text.count("✓") == 4 and text.count("✗") == 14
    graph = (tmp_path / "tree.dot").read_text()
    assert graph.count("peripheries=2") == 4 and graph.count("\\ndisproved") == 14
    assert "Squares are OR nodes" in (tmp_path / "tree.html").read_text()
    assert gameplay("tree", "tictactoe", "--engine", "pns", "--nodes", "60") == 0
    out = capsys.readouterr().out
    assert (
        out.count(", stopped within") == 1
        and "does x win? OR x = pn " in out
        and out.endswith("; the search was stopped: nodes\n")
    )


def count_searched(drawn: DrawnNode) -> int:
    return (not drawn.pruned) + sum(count_searched(child) for child in drawn.children)


def test_lecture_tree_in_all_four_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gameplay("tree", LECTURE, "--engine", "alphabeta") == 0
    out = capsys.readouterr().out
    assert "2 MIN [+3, +inf] = ≤ +2, alpha cutoff" in out and "3: not searched (alpha cutoff)" in out
    assert gameplay("tree", LECTURE, "--engine", "alphabeta", "--ascii") == 0
    assert capsys.readouterr().out.isascii()
    assert gameplay("tree", LECTURE, "--engine", "alphabeta", "--plain", "--color", "always") == 0
    out = capsys.readouterr().out
    assert out.isascii() and "\x1b" not in out
    for name in ("tree.svg", "tree.dot", "tree.html"):
        assert gameplay("tree", LECTURE, "--engine", "alphabeta", "-o", tmp_path / name) == 0
        assert "all 13 nodes are drawn" in capsys.readouterr().out
    picture = ElementTree.parse(tmp_path / "tree.svg").getroot()
    groups = [element for element in picture.iter() if element.get("class", "").startswith("node")]
    assert len(groups) == 13 and sum("pruned" in group.get("class", "") for group in groups) == 2
    assert "MIN can already hold MAX to +2 here" in (tmp_path / "tree.svg").read_text()
    graph = (tmp_path / "tree.dot").read_text()
    assert graph.count(" -> ") == 12 and graph.count("style=dashed") == 2
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg", tmp_path / "tree.dot"], check=True, capture_output=True)


def test_nodes_of_the_picture_do_not_touch() -> None:
    grove, _, _ = build_tree("alphabeta", "tictactoe", "b2 a1 c2", Limit(depth=3))
    text = svg(prune_to_size(grove.roots[-1], 1000, 1), "t")
    places = [
        (float(x), float(y)) for x, y in re.findall(r'<rect class="shape[^>]* x="(\d+)" y="(\d+)"', text)
    ]
    assert len(places) > 50
    rows: dict[float, list[float]] = {}
    for x, y in places:
        rows.setdefault(y, []).append(x)
    # A node is 22 wide.
    assert all(
        b - a >= 30 for row in rows.values() for a, b in zip(sorted(row), sorted(row)[1:], strict=False)
    )


# -- on a terminal ---------------------------------------------------------------------------------------


def stepping(spec: str, game: str, text: str, limit: Limit) -> TraceStepper:
    engine, _ = registry.engine(spec)
    game_class = registry.game(game)
    rows = TraceRows(game_class.new(text).unit)
    engine.search(game_class.new(text), limit, trace=follower(engine, game_class.new(text), rows, 8))
    rows.lines.close()
    return TraceStepper(
        Screen(detect_theme("never", plain=True)), "t", rows.rows, game_class.new(text), spec == "astar"
    )


def test_a_search_is_stepped_through() -> None:
    stepper = stepping("alphabeta", "tictactoe", "b2 a1 c2", Limit(depth=3))
    assert len(stepper.rows) == len(stepper.shown) > 100
    for width, height in ((40, 20), (80, 24), (160, 50)):
        lines, _ = stepper.frame(width, height)
        assert len(lines) <= height
    stepper.seek(1, stepper.is_cut, "cut")
    assert "cutoff" in stepper.rows[stepper.at].text and stepper.at > 0
    first = stepper.at
    stepper.seek(1, stepper.is_cut, "cut")
    stepper.seek(-1, stepper.is_cut, "cut")
    assert stepper.at == first
    lines, _ = stepper.frame(100, 30)
    assert any("elsewhere" in line for line in lines)
    words = [step.word for step in stepper.path(stepper.at)]
    stepper.typing = "/" + " ".join(words)
    stepper.go_to(0)
    stepper.submit()
    assert [step.word for step in stepper.path(stepper.at)] == words
    count = len(stepper.shown)
    stepper.toggle_fold()
    assert len(stepper.shown) < count and stepper.at in stepper.shown
    stepper.go_to(stepper.at + 1)
    assert len(stepper.shown) == count, "what is gone to is opened"
    stepper.typing = "g50"
    stepper.submit()
    assert stepper.rows[stepper.at].step.node == 50
    stepper.typing = "g99999"
    stepper.submit()
    assert "there is no node 99999" in stepper.error and stepper.rows[stepper.at].step.node == 50
    stepper.seek(1, lambda number: False, "move")
    assert stepper.error == "there is no move from here on"
    stepper.step(10**6)
    assert stepper.at == len(stepper.rows) - 1


def test_jumping_leaves_collapsed_nodes_collapsed() -> None:
    """Only the ancestors of the target are expanded."""
    stepper = stepping("alphabeta", "tictactoe", "b2 a1 c2", Limit(depth=3))
    starts = [
        n for n, row in enumerate(stepper.rows) if row.step.what == "enter" and row.step.level in (1, 2)
    ]
    outer = next(n for n in starts if stepper.rows[n].step.level == 1)
    inner = next(
        n for n in starts if n > outer and stepper.rows[n].step.level == 2 and stepper._last_line(n) > n
    )
    for number in (inner, outer):
        stepper.go_to(number)
        stepper.toggle_fold()
    assert stepper.folded == {inner, outer} and inner not in stepper.shown
    stepper.go_to(inner)
    assert stepper.folded == {inner} and inner in stepper.shown and inner + 1 not in stepper.shown
    stepper.go_to(inner + 1)
    assert stepper.folded == set()


def test_the_board_beside_the_lines_is_that_of_the_line() -> None:
    stepper = stepping("selective", "chess", "", Limit(depth=5))
    start = stepper.position.text()
    passed = [
        n for n, row in enumerate(stepper.rows) if row.step.why == "null move" and row.step.what == "enter"
    ]
    for number in [*passed[:3], len(stepper.rows) // 2, len(stepper.rows) - 1]:
        stepper.at = number
        board, _ = stepper.board()
        assert board is not None and stepper.position.text() == start


def test_astar_steps_change_the_path_and_the_board() -> None:
    spec, text = "puzzle15:rows=3,columns=3", "3 1 2 7 5 4 0 6 8"
    stepper = stepping("astar", spec, text, Limit(nodes=2_000))
    game = registry.game(spec)
    assert stepper.rows[1].text == "| start: expanded, at least 8" and stepper.rows[2].step.word == "up"
    leaps = 0
    for number, row in enumerate(stepper.rows):
        if row.step.what == "threshold":
            continue
        own = game.new(text)
        words = [step.word for step in stepper.path(number)]
        last = None
        for word in words:
            last = own.parse(word)
            own.make(last)
        assert len(words) == row.step.level and (not words or words[-1] == row.step.word)
        stepper.at = number
        assert stepper.board()[0] == own.board(None, last)
        leaps += row.step.what == "expand" and stepper.rows[number - 1].step.level > row.step.level + 1
    assert leaps > 5 and row.step.why == "goal", "the last line is the goal"
    assert str(own) == str(game.new("0 1 2 3 4 5 6 7 8"))
    stepper.go_to(1)
    stepper.toggle_fold()
    assert stepper.rows[stepper.shown[2]].step.what == "expand", "what was generated is hidden, no more"


def test_each_line_of_proof_numbers_is_shown_at_its_position() -> None:
    stepper = stepping("pns", "tictactoe", "b2 a1", Limit(nodes=400))
    for number, row in enumerate(stepper.rows):
        words = [step.word for step in stepper.path(number)]
        assert len(words) == row.step.level
        assert row.step.what == "cut" or not words or words[-1] == row.step.word
    stepper.seek(
        1, lambda n: stepper.rows[n].step.what == "generate" and stepper.rows[n].step.level == 2, "move"
    )
    assert "initial numbers" in stepper.rows[stepper.at].text
    stepper.toggle_fold()
    assert stepper.rows[stepper.at].step.what == "enter" and stepper.rows[stepper.at].step.level == 1
    assert stepper.rows[stepper.shown[stepper.shown.index(stepper.at) + 1]].step.level == 1
    lines, _ = stepper.frame(100, 30)
    assert any("b1 AND until pn " in line for line in lines)


def test_node_descriptions() -> None:
    assert lines_of.format_node(
        DrawnNode("a", "MAX", window="[0, 1]", value="≥ +1", cut="beta cutoff", below=3)
    ) == ("a MAX [0, 1] = ≥ +1, beta cutoff; 3 below")


def test_a_narrow_picture_wraps_labels_beside_the_branches() -> None:
    leaf = DrawnNode("c", value="+14", window="[+3, +14]")
    deep = DrawnNode("b", "MIN", window="[+3, +inf]", value="≤ +2", cut="alpha cutoff", children=[leaf])
    root = DrawnNode("root", "MAX", value="+3", children=[deep, DrawnNode("d", pruned="alpha cutoff: so")])
    assert lines_of.picture(root, True, 30).plain.splitlines() == [
        "root MAX = +3",
        "├─ b MIN [+3, +inf] = ≤ +2,",
        "│  │  alpha cutoff",
        "│  └─ c leaf [+3, +14] = +14",
        "└─ d: not searched (alpha",
        "     cutoff)",
    ]
    assert lines_of.picture(root, False, 16).plain.splitlines()[1:4] == [
        "|- b MIN [+3, +inf] = <= +2, alpha cutoff",
        "|  `- c leaf [+3, +14] = +14",
        "`- d: not searched (alpha cutoff)",
    ], "too narrow: left to the terminal"


def by_hand() -> dict[str, DrawnNode]:
    """Trees with all features of a drawing."""
    pruned = DrawnNode("d", pruned="alpha cutoff: MIN can hold MAX to +2 here")
    leaf = DrawnNode("a", "MIN", "0.5", "[-1, +1]", "+3", ["transposition table: <2>"])
    many = DrawnNode("b", "MIN", "0.25", "[-1, +1]", "≥ +2", ["alpha cutoff: so"], "alpha cutoff", below=1234)
    deep = DrawnNode("e f", "chance", window="[+2, +3]", value="≤ +1.5", below=2, children=[leaf, many])
    usual = DrawnNode(
        "root",
        "MAX",
        window="[0, +inf]",
        value="+3",
        children=[deep, DrawnNode("c", "A", value="1", below=1), pruned],
    )
    alone = DrawnNode("root", "MAX", value="+1")
    inner = [
        DrawnNode(
            "a", "OR x", value="pn 0, dn inf", facts=["3 visits"], state="proved", proving=True, below=12
        ),
        DrawnNode(
            "b",
            "OR x",
            value="pn inf, dn 0",
            state="disproved",
            proving=True,
            children=[DrawnNode("c", "AND o", proving=True)],
        ),
        DrawnNode("d", "AND o", value="pn 3, dn 1", state="not expanded", proving=True),
        DrawnNode("e", "AND o", value="pn 2, dn 2", state="stopped within", proving=True, below=3),
        DrawnNode("f", pruned="decided: a settles it"),
    ]
    numbers = DrawnNode(
        'does "x" win?', "AND o", value="pn 1, dn 2", proving=True, cut="too deep", children=inner
    )
    return {"a tree <of> all & sundry": usual, "one node": alone, "numbers": numbers}


def test_drawn_tree_equals_the_reported_tree() -> None:
    """As lines, for Graphviz, as a picture and as a page without its styles and script."""
    log = []
    for title, drawn in by_hand().items():
        log += [
            f"-- {title}",
            lines_of.picture(drawn, True).plain,
            lines_of.picture(drawn, False).plain,
        ]
        dim = [
            (span.start, span.end, str(span.style))
            for span in lines_of.picture(drawn, True).spans
            if span.style
        ]
        log += [
            str(dim),
            f"{drawn.count()} drawn, {count_omitted(drawn)} not",
            lines_of.dot(drawn, title),
        ]
        log += [
            svg(drawn, title, mark="q").replace(STYLE, "STYLE"),
            svg(drawn, title, style=False),
        ]
        page = tree_page.page(drawn, title, ["one <note>", "another"], lambda node: f"[{node.word}]")
        outline = re.search(r'(?s)<details id="branches">(.*?)</details>', page)
        assert outline is not None
        log += [outline[1], *re.findall(r'(?s)<script type="application/json".*?</script>', page)]
    text = "\n".join(log)
    golden("drawn_trees", re.sub(r"'sha256-[^']*'", "HASH", text))


# -- a node in words -----------------------------------------------------------------------------------


def make_step(what: str, level: int = 1, **more: Any) -> TraceStep:
    return TraceStep(what, 7, level, more.pop("role", "MIN"), **more)


def node(entered: TraceStep, left: TraceStep | None = None, *children: TracedNode, **more: Any) -> TracedNode:
    """A node of a search with its children."""
    below = more.pop("hidden", 0) + sum(child.below + 1 for child in children)
    node_class = TracedNode(
        entered, more.pop("parent", None), left, children=list(children), below=below, **more
    )
    for child in children:
        child.parent = node_class
    return node_class


def fields(drawn: DrawnNode) -> dict[str, Any]:
    """The nonempty fields of a drawn node."""
    results = {
        name: getattr(drawn, name)
        for name in DrawnNode.__dataclass_fields__
        if name not in ("node", "children")
    }
    return {name: value for name, value in results.items() if value}


def test_nodes_are_converted_to_drawn_nodes() -> None:
    cut = make_step("cut", name="alpha cutoff", proof="so", why="cutoff", left=3, unsearched=("x", "y"))
    leaf = node(make_step("enter", 2, word="c"), make_step("leave", 2, value=3, bound="lower"))
    inner = node(
        make_step("enter", word="b", role="chance", odds=0.16666, alpha=-2, name="PVS", proof="why"),
        make_step("leave", value=-1.5, bound="exact", terms=((0.5, 2.0),) * 12),
        leaf,
        steps=[
            make_step("table", value=4, bound="upper"),
            make_step("known", value=0, bound="exact"),
            make_step("extend", word="d", name="extended", proof="check"),
            make_step("reduce", name="reduced", proof="late"),
            make_step("skip", word="s", name="futile", proof="too low"),
            make_step("skip", name="nobody", proof="no word"),
            make_step("evaluate", value=9),
            cut,
        ],
        hidden=5,
    )  # fmt: skip
    many = node(
        make_step("enter", word="e", beta=5.0, player="bob"),
        make_step("leave", value=2, terms=((0.1, 1.0),) * 13),
    )
    root = node(
        make_step("enter", 0, role="MAX", name="search"),
        make_step("leave", 0, value=7, bound="lower"),
        inner,
        many,
    )
    nodes, counts = [], []
    for most in (1, 8, 9, 99):
        whole = prune_to_size(root, most, 1)
        nodes += [f"-- {most}: {whole.count()} drawn, {count_omitted(whole)} not"]
        counts.append((whole.count(), -count_omitted(whole)))
        waiting = [whole]
        while waiting:
            child = waiting.pop(0)
            nodes.append(str(fields(child)))
            waiting += child.children
    assert counts == sorted(counts) and counts[0][0] == 1 and counts[-1][1] == -5, "5 of them are hidden"
    kinds = {
        "entered only": node(make_step("enter", word="a")),
        "of a value": node(make_step("generate", word="a", value=12)),
        "entered with a value": node(make_step("enter", word="a", value=12)),
        "left without one": node(make_step("generate", word="a", value=12), make_step("leave")),
        "simulated": node(make_step("enter", word="a"), make_step("backup", value=0.25, visits=12)),
        "simulated root": node(make_step("enter", 0), make_step("backup", 0, value=0.25, visits=12)),
        "expanded": node(make_step("generate", word="a"), make_step("expand", value=12)),
        "at a threshold": node(make_step("threshold", 0), make_step("threshold", 0, value=7)),
        "of three": node(make_step("enter", word="a"), make_step("leave", value=1, values=(1.0, -2.0, 1.0))),
        "at most": node(make_step("enter", word="a"), make_step("leave", value=100, bound="upper"), leaf),
        "at most, a leaf": node(make_step("enter", word="a"), make_step("leave", value=100, bound="upper")),
        "decided": node(
            make_step("enter", word="a"), steps=[make_step("cut", name="decided", why="decided", proof="so")]
        ),
        "terms of a bound": node(
            make_step("enter", word="a"), make_step("leave", value=1, bound="lower", terms=((1.0, 2.0),))
        ),
        "named": node(make_step("enter", name="search"), parent=root),
        "below 0": node(make_step("enter", word="a", alpha=-math.inf, beta=4)),
    }
    for name, child in kinds.items():
        nodes += [f"-- {name}: {fields(prune_to_size(child, 9, 100))}"]
    proved = {"role": "OR", "player": "max", "name": "does max win?"}
    entered = make_step("enter", numbers=(math.inf, math.inf), **proved)
    stopped = make_step("leave", name="stopped", role="OR", player="max", numbers=(2, 3))
    numbers = {
        "not expanded": node(make_step("generate", word="a", numbers=(1, 1), role="AND", player="max")),
        "visited": node(entered, make_step("leave", numbers=(2, 3), proof="3 reached", **proved), visits=1),
        "visited more": node(entered, make_step("leave", numbers=(0, math.inf), **proved), visits=1234),
        "disproved": node(
            entered, make_step("leave", numbers=(math.inf, 0), **proved), visits=2, parent=root
        ),
        "stopped": node(
            entered, make_step("leave", numbers=(2, 3), proof="p", **proved), steps=[stopped], visits=3
        ),
    }
    for name, child in numbers.items():
        nodes += [f"-- {name}: {fields(prune_to_size(child, 9, 1))}"]
    golden("drawn_nodes", "\n".join(nodes) + "\n")
