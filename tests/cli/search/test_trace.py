"""`gameplay trace`: text, documents, limits and refusals."""

import io
import json
import sys
from hashlib import blake2b
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import Limit, registry
from gameplay.api import tracing as api
from gameplay.api.tracing import follower
from gameplay.cli.common import tracing
from gameplay.cli.search import trace, tree
from gameplay.display.reports.trace import TraceLines
from gameplay.errors import Unfinished
from gameplay.games.tree import Tree
from gameplay.matches.match import match_without_players
from gameplay.search.report import Report
from gameplay.tracing.trace import Follower, TraceStep
from tests.support.commands import gameplay
from tests.support.engine_options import TRACED
from tests.support.golden import golden

LECTURE = """\
search, depth 3: MAX [-inf, +inf]
| 1: MIN, depth 2 [-inf, +inf]
| | 1: leaf [-inf, +inf] = +3 (the game is over)
| | at 1: beta +inf -> +3, from leaf 1; now [-inf, +3]
| | 2: leaf [-inf, +3] = +12 (the game is over)
| | 3: leaf [-inf, +3] = +8 (the game is over)
| 1 = +3 by 1
| at the root: alpha -inf -> +3, from 1; now [+3, +inf]
| 2: MIN, depth 2 [+3, +inf]
| | 1: leaf [+3, +inf] = +2 (the game is over)
| | at 2: beta +inf -> +2, from leaf 1; now [+3, +2]: alpha >= beta
| | alpha cutoff: MIN can already hold MAX to +2 here; MAX has +3 elsewhere (by 1, 1 ply up); \
not searched: 2, 3
| 2 = +2 at most by 1
| 3: MIN, depth 2 [+3, +inf]
| | 1: leaf [+3, +inf] = +14 (the game is over)
| | at 3: beta +inf -> +14, from leaf 1; now [+3, +14]
| | 2: leaf [+3, +14] = +5 (the game is over)
| | at 3: beta +14 -> +5, from leaf 2; now [+3, +5]
| | 3: leaf [+3, +5] = +2 (the game is over)
| | at 3: beta +5 -> +2, from leaf 3; now [+3, +2]: alpha >= beta
| | alpha cutoff: MIN can already hold MAX to +2 here; MAX has +3 elsewhere (by 1, 1 ply up); \
it was the last move
| 3 = +2 at most by 3
root = +3 by 1
"""


# -- the words ---------------------------------------------------------------------------------------


def test_the_lecture_word_for_word() -> None:
    lines: list[str] = []
    engine, _ = registry.engine("alphabeta")
    game = registry.game("tree:lecture")
    write = TraceLines(lines.append)
    engine.search(game.new(), Limit(depth=3), trace=Follower(game.new(), engine, write))
    write.close()
    assert "".join(lines) == LECTURE


def test_sums_odds_and_vectors(capsys: pytest.CaptureFixture[str]) -> None:
    assert gameplay("trace", "tree:chance", "--engine", "expectiminimax") == 0
    out = capsys.readouterr().out
    assert "| | likely (9/10): MIN" in out and "| a1 = +2.10 = 9/10 x (+2.00) + 1/10 x (+3.00)" in out
    assert gameplay("trace", "tree:three-players", "--engine", "maxn") == 0
    assert "root = (+1.00, +2.00, +6.00) by 1" in capsys.readouterr().out


@pytest.mark.once
def test_iterations_searches_again_and_secondary_searches_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    engine = "selective:secondary=2,eval=classic"
    assert gameplay("trace", "chess", "--engine", engine, "--depth", "5") == 0
    out = capsys.readouterr().out
    for words in (
        *("search, depth 1: MAX [-inf, +inf]", "iteration, depth 5: MAX [", "PVS re-search", "null window"),
        *("secondary search", "stand pat: ", "late move pruning", "table lower", "null-move"),
    ):
        assert words in out, words


def test_stopped_search_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ((), ("--json",)):
        assert gameplay("trace", "connect4", "--engine", "alphabeta", "--nodes", "500", *words) == 0
        out = capsys.readouterr().out
        assert ("\nthe search was stopped" if not words else '"name":"stopped"') in out
    assert gameplay("tree", "connect4", "--engine", "alphabeta", "--nodes", "500") == 0
    assert "root MAX = " in capsys.readouterr().out, "the last search that was finished"


def test_trace_refuses_unsupported_engines(capsys: pytest.CaptureFixture[str]) -> None:
    for words, status, message in (
        (("connect4", "--engine", "random"), 2, "random does not search"),
        (("connect4", "--moves", "1 1 1 1 1 1 1"), 6, "move 7"),
        (("connect4", "--moves", "1 2 1 2 1 2 1"), 2, "the game is over"),
        (("pig", "--engine", "alphabeta"), 2, "pig"),
        (("connect4", "--engine", "iterative:threads=2"), 2, "several threads cannot be traced"),
        (("connect5",), 2, "connect4"),
        (("connect4", "--engine", "alphabeta", "--sims", "3"), 2, "alphabeta does not simulate"),
        (("backgammon",), 2, "it is chance's turn, there is no decision to search: make its moves first"),
        (("kuhn", "--moves", "J Q", "--engine", "ismcts"), 2, "Try: pimc"),
        (("kuhn", "--moves", "J Q", "--engine", "alphabeta"), 2, "kuhn has chance in it"),
        (("kuhn", "--moves", "J Q", "--engine", "pimc:by=rollout"), 2, "try: pimc:by=maxn"),
    ):
        for more in ((), ("--json",)):
            assert gameplay("trace", *words, *more) == status
            out, err = capsys.readouterr()
            assert message.lower() in err.lower() and err.count("\n") == 1, err
            assert out == "", "a refused search prints nothing"


@pytest.mark.once
def test_trace_of_imperfect_information_follows_one_deal(capsys: pytest.CaptureFixture[str]) -> None:
    """It is the deal of pimc, whatever the engine's name; the better card wins the bet, a worse one folds."""
    log = []
    for engine in ((), ("--engine", "pimc"), ("--engine", "expectiminimax"), ("--engine", "pimc:by=maxn")):
        assert gameplay("trace", "kuhn", "--moves", "J Q", *engine) == 0
        log.append(capsys.readouterr().out)
    first, second, other, shares = log
    assert first == second == other and "this search sees all cards" in first
    assert "| bet = -2.00 by call\nroot = -1.00 by check\n" in first
    assert "root = (-1.00, +1.00) by check\n" in shares
    assert not registry.engine("expectiminimax")[0].hidden, "to play it does not see what is hidden"
    assert tracing.prepare_search("battleship", "", "", None, Limit(depth=1)).engine.name == "maxn"


@pytest.mark.once
def test_trace_samples_initial_chance_moves_by_the_seed(capsys: pytest.CaptureFixture[str]) -> None:
    """The deal is that of a game with that seed; there is none if a player is to move."""
    moves = [
        tracing.prepare_search("kuhn", "", "", None, Limit(depth=1), seed).match.words() for seed in range(9)
    ]
    assert {len(words) for words in moves} == {2} and len({tuple(words) for words in moves}) > 2
    played = match_without_players(registry.game("backgammon"), seed=3)
    played.step()
    assert (
        tracing.prepare_search("backgammon", "", "", None, Limit(depth=1), 3).match.words() == played.words()
    )
    assert tracing.prepare_search("kuhn", "", "J", None, Limit(depth=1), 3).match.words()[0] == "J"
    assert tracing.prepare_search("tictactoe", "", "b2", None, Limit(depth=1), 3).match.words() == ["b2"]
    assert gameplay("tree", "backgammon", "--seed", "1", "--depth", "1") == 0
    assert capsys.readouterr().out.startswith("backgammon, after ")
    assert gameplay("trace", "backgammon", "--seed", "-1") == 2


@pytest.mark.once
def test_default_trace_limits_are_readable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The depth takes about 400 positions, at most four plies; engines without plies limit nodes."""
    requests: list[float] = []

    def deep(plies: int) -> None:
        monkeypatch.setattr(api, "affordable_depth", lambda position, nodes: requests.append(nodes) or plies)

    deep(3)
    puzzle = "puzzle15:rows=2,columns=2"
    for game, engine, limit, expected in (
        ("tictactoe", "alphabeta", Limit(), Limit(depth=3)),
        ("tictactoe", "mcts", Limit(), Limit(simulations=20)),
        ("tictactoe", "pns", Limit(), Limit(nodes=400)),
        (puzzle, "astar", Limit(), Limit(nodes=400)),
        (puzzle, "idastar", Limit(), Limit(nodes=400)),
        ("tictactoe", "alphabeta", Limit(nodes=7), Limit(nodes=7)),
        ("tictactoe", "alphabeta:depth=2", Limit(nodes=7), Limit(depth=2, nodes=7)),
        ("tictactoe", "iterative:threads=1", Limit(depth=1), Limit(depth=1)),
    ):
        search = tracing.prepare_search(game, "", "", engine, limit)
        assert (search.limit, search.game, search.engine.name) == (expected, game, engine.partition(":")[0])
        assert search.report is None
    for plies, expected in ((4, 4), (5, 4)):
        deep(plies)
        assert tracing.prepare_search("tictactoe", "", "", None, Limit()).limit == Limit(depth=expected)
    assert set(requests) == {400}
    usual = registry.default_engine(registry.game("tictactoe").new()).name
    search = tracing.prepare_search("tictactoe", "x../.../...", "b2, c3", None, Limit(depth=1))
    assert search.engine.name == usual and search.match.words() == ["b2", "c3"]
    assert search.match.start.startswith("x../.../...")


@pytest.mark.once
def test_a_search_is_followed_on_a_position_of_its_own_and_leaves_its_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[Any] = []

    def follower(engine: Any, position: Any, sink: Any, listed: int) -> Any:
        given.append((engine.name, position.text(), sink, listed))
        return lambda event: None

    monkeypatch.setattr(api, "follower", follower)
    search = tracing.prepare_search("tictactoe", "", "b2", "alphabeta", Limit(depth=2))
    report = search.run(print)
    assert report is search.report and report.nodes > 1
    search.run(print, 40)
    text = search.match.position.text()
    assert given == [("alphabeta", text, print, 8), ("alphabeta", text, print, 40)]


@pytest.mark.once
def test_steps_are_written_at_once_for_people_and_by_the_hundred_for_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Out(io.StringIO):
        def __init__(self, terminal: bool) -> None:
            super().__init__()
            self.terminal, self.lines = terminal, list[int]()

        def isatty(self) -> bool:
            return self.terminal

        def write(self, text: str) -> int:
            if text:
                self.lines.append(text.count("\n"))
            return super().write(text)

    texts = []
    for terminal in (True, False):
        out = Out(terminal)
        monkeypatch.setattr(sys, "stdout", out)
        asked = tracing.prepare_search("tictactoe", "", "", "alphabeta", Limit(depth=4))
        assert trace._print_json(asked) == 0
        texts.append(out.getvalue())
        if terminal:
            assert set(out.lines) == {1}
        else:
            assert len(out.lines) > 1 and set(out.lines[:-1]) == {500} and out.lines[-1] < 500
    assert texts[0] == texts[1]

    def interrupted_run(self: Any, sink: Any, listed: int = 8) -> Any:
        return SimpleNamespace(stopped="interrupted")

    monkeypatch.setattr(api.TracedSearch, "run", interrupted_run)
    monkeypatch.setattr("gameplay.tracing.documents.end", lambda match, report: {"name": "end"})
    monkeypatch.setattr("gameplay.display.reports.trace.result", lambda match, report: "the end")
    for printer in (trace._print_json, trace._print_lines):
        out = Out(False)
        monkeypatch.setattr(sys, "stdout", out)
        with pytest.raises(KeyboardInterrupt):
            printer(tracing.prepare_search("tictactoe", "", "", "alphabeta", Limit(depth=3)))
        assert "end" in out.getvalue().splitlines()[-1]


@pytest.mark.once
def test_a_tree_is_drawn_of_the_last_search_that_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no search ended, the tree of the last one; the number of searches and the stop are noted."""

    def notes_of(*names: Any, before: int = 0, view: str = "max", missed: int = 0) -> Any:
        entered = SimpleNamespace(what="enter")
        roots = [SimpleNamespace(left=name and SimpleNamespace(name=name), number=number, entered=entered)
                 for number, name in enumerate(names)]  # fmt: skip
        grove = SimpleNamespace(roots=roots, before=before, record=lambda root: [])
        monkeypatch.setattr(
            "gameplay.tracing.tree.SearchTreeBuilder",
            lambda *what, alone, drawn, recorded: moves.append((*what, alone, drawn, recorded)) or grove,
        )
        monkeypatch.setattr(
            "gameplay.display.reports.drawn_tree.prune_to_size",
            lambda root, most, unit: (
                moves.append((root.number, most, unit)) or SimpleNamespace(count=lambda: 1234)
            ),
        )
        monkeypatch.setattr("gameplay.display.reports.drawn_tree.count_omitted", lambda drawn: missed)
        asked: Any = SimpleNamespace(
            run=lambda sink, named: moves.append((sink is grove, named)) or SimpleNamespace(stopped="nodes"),
            match=SimpleNamespace(position=SimpleNamespace(unit=100)), engine=SimpleNamespace(view=view),
        )  # fmt: skip
        return tree._grow(asked, 30)[1]

    moves: list[Any] = []
    all_drawn, stop = "all 1,234 nodes are drawn", "the search was stopped: nodes"
    assert notes_of("value") == [all_drawn]
    assert moves == [(200_000, True, 30, 0), (True, 40), (0, 30, 100)]
    assert notes_of("value", missed=5678) == ["1,234 nodes drawn, 5,678 not drawn"]
    assert notes_of("value", "value", None) == [all_drawn, "the last of 3 searches of the root"]
    assert moves[-1][0] == 1
    assert notes_of("value", before=4) == [all_drawn, "the last of 5 searches of the root"]
    assert (
        notes_of(None, None) == [all_drawn, "the last of 2 searches of the root", stop] and moves[-1][0] == 1
    )
    assert notes_of("stopped") == [all_drawn, stop]
    assert notes_of("value", view="attacker") == [all_drawn]
    assert notes_of("value", "value", view="attacker") == [
        all_drawn, "the second question, after the answer no to the first",
    ]  # fmt: skip
    with pytest.raises(Unfinished, match="the search ended before it visited a node"):
        notes_of()


KEPT = [
    *("tree:chance --engine expectiminimax", "pig:goal=6 --engine mcts:sims=9"),
    *("tictactoe --moves b2,a1 --engine mcts:sims=8 --json", "nim:heaps=1+2,players=3 --engine paranoid"),
    "pig:goal=6 --engine expectiminimax:prune=star2,table=1MB --depth 2",
    *("tree:three-players --engine maxn", "nim:heaps=1+2,players=3 --engine maxn --json"),
    "nim:heaps=1+2,players=3 --engine brs --json",
    "connect4:columns=4,rows=4 --moves 1,1,2,2,3 --engine iterative:mtdf=on --depth 2",
    "chess --position 4k3/8/8/3p4/4P3/8/8/4K3~w~-~- --engine quiescence --depth 2",
    *(f"puzzle15:rows=3,columns=3 --engine {name}" for name in ("idastar", "astar", "idastar --json")),
    "puzzle15:rows=3,columns=3 --engine astar --json",
    "tictactoe --moves b2,a1,c2,a2,a3 --engine pns",
    *("nim:heaps=1+1 --engine pns --json", "nim:heaps=1+2 --engine pns:weak=off,mobility=off"),
    *("connect4 --engine alphabeta --nodes 1", "connect4 --engine alphabeta --nodes 9 --json"),
]


def test_traces_equal_the_stored_ones(capsys: pytest.CaptureFixture[str]) -> None:
    """Searches of all kinds, word for word, small enough to be read."""
    kept = []
    for words in KEPT:
        more = ["--position", "1 4 2 3 5 8 6 7 0"] if words.startswith("puzzle15") else []
        assert gameplay("trace", *(word.replace("~", " ") for word in words.split()), *more) == 0
        kept.append(f"$ gameplay trace {words}\n{capsys.readouterr().out}")
    golden("traces", "\n".join(kept))


@pytest.mark.once
def test_every_kind_of_trace_line_equals_the_stored_one(capsys: pytest.CaptureFixture[str]) -> None:
    """The first line of each kind of the selective search."""
    seen: dict[tuple[str, str], str] = {}
    engine = "selective:secondary=2,extend=on"
    for words in (
        ("chess", "--depth", "5", "--engine", f"{engine},eval=classic"),
        ("connect4", "--moves", "4 4 5 5", "--depth", "6", "--engine", engine),
    ):
        assert gameplay("trace", *words, "--json") == 0
        steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert gameplay("trace", *words) == 0
        lines = capsys.readouterr().out
        for step in steps:
            seen.setdefault((step["what"], step.get("name", "")), json.dumps(step))
        for line in lines.splitlines():
            words_of = tuple(word for word in line.split() if word.isalpha())
            seen.setdefault(("line", " ".join(words_of[:4])), line)
    golden("trace_lines", "\n".join(seen.values()) + "\n")


def followed_rightly(steps: list[TraceStep], report: Report, theorem: str) -> None:
    """Nodes are entered parent first and then left; the root's value is that of the report."""
    open_nodes = 0
    for step in steps:
        if step.what == "enter":
            assert step.level == open_nodes
        if step.what in ("enter", "leave"):
            open_nodes += 1 if step.what == "enter" else -1
    assert open_nodes == 0 or report.stopped == "nodes"
    roots = [
        step.value for step in steps if step.what == "leave" and step.level == 0 and step.bound == "exact"
    ]
    if roots and theorem == "minimax" and report.stopped == "depth" and report.bound == "exact":
        assert roots[-1] == report.value


@pytest.mark.once
def test_followed_searches_equal_the_stored_ones() -> None:
    """Every step of the searches whose reports are stored, complete and stopped in the middle."""
    rows = []
    for spec, name, text, far in TRACED:
        engine, limit = registry.engine(spec)
        limit = limit.with_(simulations=far) if engine.simulates else limit.with_(depth=far) if far else limit
        rows.append(f"{spec}, {name} {text}".strip())
        for asked in (limit.with_(nodes=1500), Limit(nodes=90)):
            results: list[TraceStep] = []
            game = registry.game(name)
            follow = follower(engine, game.new(text), results.append, 3)
            report = engine.search(game.new(text), asked, trace=follow)
            followed_rightly(results, report, engine.theorem)
            steps = "\n".join(f"{step}" for step in results)
            kinds = sorted({step.name for step in results if step.name})
            digest = blake2b(steps.encode(), digest_size=4).hexdigest()
            rows.append(f"    {len(results):>5} {digest} {', '.join(kinds)}".rstrip())
    golden("searches_followed", "\n".join(rows) + "\n")


PLAIN = [
    *("tictactoe minimax 3", "tictactoe alphabeta 9", "connect4:columns=4,rows=4 alphabeta:table=1MB 4"),
    *("pig:goal=30 expectiminimax:eval=none 3", "pig:goal=30 expectiminimax:eval=none,prune=star1 3"),
    *(
        "pig:goal=30 expectiminimax:eval=none,prune=star2 3",
        "pig:goal=30 expectiminimax:eval=none,prune=star2,table=1MB 3",
    ),
    *("nim:players=3,heaps=1+2 maxn 4", "nim:players=3,heaps=1+2 paranoid 4", "nim:heaps=2+2 iterative 4"),
]
# Outcomes that end the game, and an outcome after which chance moves again.
OUTCOMES = {
    "max": {
        "a": {"chance": {"x": 2, "y": 4}},
        "b": {"chance": {"x": 1, "y": {"min": [3, {"max": [1, 5]}]}, "z": {"chance": {"u": 0, "v": 2}}}},
        "c": {"chance": {"x": {"min": [5, 0]}, "y": {"max": [0, 5]}, "z": 5}},
        "d": {"min": [{"chance": {"x": 1, "y": 5}}, {"chance": {"x": 5, "y": {"max": [4, 3]}}}]},
    }
}
PLAIN += [f"outcomes expectiminimax{options} 4" for options in ("", *(f":prune=star{n}" for n in (1, 2)))]
PLAIN += ["outcomes expectiminimax:prune=star2,table=1MB 4", "outcomes expectiminimax:prune=star2 2"]
DEEPER = [
    *("nim:players=3,heaps=1+2 brs 4", "chess quiescence 2", "chess selective:secondary=2,extend=on 4"),
    *("othello:size=4 iterative 5", "connect4:columns=4,rows=4 selective 5", "othello:size=6 selective 4"),
]


# -- what a node is called -------------------------------------------------------------------------


@pytest.mark.parametrize("case", [*PLAIN, *DEEPER])
def test_trace_lines_name_the_type_of_their_node(case: str) -> None:
    """A finished game is a leaf, without a depth; other nodes have their mover and the plies left."""
    game, spec, depth = case.split()
    if game == "outcomes":
        position, own = Tree.of(OUTCOMES), Tree.of(OUTCOMES)
    else:
        position = registry.game(game).new("24-25 1 4" if game.startswith("pig") else "")
        own = position.twin()
    engine, _ = registry.engine(spec)
    # Is it terminal, is it a chance node, and the number of decisions before it.
    nodes: dict[int, tuple[bool, bool, int]] = {}
    open_: list[int] = []
    written: list[tuple[TraceStep, str]] = []
    lines = TraceLines(lambda line: written.append((lines.about, line.rstrip("\n"))), position.unit)

    def print_step(step: TraceStep) -> None:
        if step.what == "enter":
            del open_[step.level :]
            moves = 0
            if open_:
                over, chance, moves = nodes[open_[-1]]
                assert not over, "nothing lies below a finished game"
                moves += not chance
            open_.append(step.node)
            nodes[step.node] = (own.outcome() is not None, own.turn == -1, moves)
        lines(step)

    report = engine.search(
        position, Limit(depth=int(depth), nodes=3000), trace=Follower(own, engine, print_step)
    )
    lines.close()
    assert report.nodes > 12 and len(nodes) > 12
    roots, leaves = 0, 0
    for about, line in written:
        if about.what != "enter" or not about.level:
            roots = about.depth if about.what == "enter" else roots  # of this search of the root
            continue
        over, chance, words = nodes[about.node]
        if over:
            assert ": leaf" in line and line.count("(the game is over)") == 1, line
            leaves += 1
        elif ": leaf" in line:
            quiet = spec.startswith(("quiescence", "selective"))
            reason = "quiet position" if quiet else "depth limit"
            assert f"({reason}: the evaluation)" in line and ", depth" not in line, line
        else:
            assert f": {about.role}" in line and (about.role == "chance") == chance, line
            assert (f", depth {about.depth}" in line) == (about.depth > 0), line
            if case in PLAIN:
                assert about.depth == roots - words, line
    assert leaves > 0 or not game.startswith(("pig", "nim", "outcomes")), case


@pytest.mark.parametrize(
    "name", [name for name in registry.game_names() if name != "tree" and registry.game(name).new().chance]
)
def test_the_usual_search_of_a_game_of_chance_is_small(name: str) -> None:
    """For any number of lines: in hold'em all flops follow a call, none a raise."""
    asked = tracing.prepare_search(name, "", "", None, Limit(), seed=1)
    report = asked.engine.search(asked.match.replica(), asked.limit.with_(nodes=2 * api.MAX_CHANCE_POSITIONS))
    assert report.stopped != "nodes" and 1 <= report.nodes <= api.MAX_CHANCE_POSITIONS


def test_size_counts_the_positions_of_a_full_width_search() -> None:
    """1 + 9 + 9 x 8 + 9 x 8 x 7 in tic-tac-toe; counting ends one above the limit."""
    tictactoe = registry.game("tictactoe").new()
    assert [api._size(tictactoe, depth, 1000) for depth in range(4)] == [1, 10, 82, 586]
    assert api._size(tictactoe, 3, 500) == 501


@pytest.mark.once
@pytest.mark.parametrize("options", [("--plain",), ("--pseudocode",), ("--windows",)])
def test_lines_are_folded_between_words_at_a_terminal(
    options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Words stay complete and unbroken; in a pipe each step is one line."""
    command = ("trace", "tree:lecture", "--engine", "alphabeta", *options)
    assert gameplay(*command) == 0
    whole = capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    assert gameplay(*command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 60 < max(map(len, whole.splitlines()))
    steps = [line.replace("|", "") for line in lines if "|" in line]
    assert (
        " ".join(steps).split()
        == " ".join(line.replace("|", "") for line in whole.splitlines() if "|" in line).split()
    )
