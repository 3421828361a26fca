"""A search stepped through: each key, folding, finding, and the stored screens."""

import re
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from gameplay import Limit, registry
from gameplay.api.tracing import TracedSearch, follower
from gameplay.cli.common.tracing import prepare_search
from gameplay.cli.search import trace
from gameplay.display.reports.trace import TraceLines
from gameplay.display.terminal import stepping
from gameplay.display.terminal.screen import Screen
from gameplay.display.terminal.stepping import TooManyLines, TraceRows, TraceStepper
from gameplay.display.theme import detect_theme
from gameplay.tracing.pseudocode import pseudocode
from tests.support.golden import golden

pytestmark = pytest.mark.once

LECTURE = "tree:lecture"


@cache
def search_rows(spec: str, game: str, text: str, limit: Limit) -> list[Any]:
    engine, own = registry.engine(spec)
    game_class = registry.game(game)
    rows = TraceRows(game_class.new(text).unit, pseudocode(engine))
    trace = follower(engine, game_class.new(text), rows, 8)
    engine.search(game_class.new(text), own or limit, trace=trace)
    rows.lines.close()
    return rows.rows


def steps(
    spec: str, game: str, text: str = "", limit: Limit | None = None, ascii: bool = True
) -> TraceStepper:
    rows = search_rows(spec, game, text, limit or Limit(depth=3))
    theme = detect_theme("never", plain=True, ascii=ascii)
    code = pseudocode(registry.engine(spec)[0])
    position = registry.game(game).new(text)
    return TraceStepper(Screen(theme), f"{game}: {spec}", rows, position, spec == "astar", code)


def press(stepper: TraceStepper, keys: str) -> TraceStepper:
    """The stepper after these keys and one that quits."""
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(keys + ("" if keys[-1:] in "q\x03\x04" else "\x03"))
        stepper.run()
    return stepper


def lecture() -> TraceStepper:
    return steps("alphabeta", LECTURE)


def at(keys: str) -> int:
    """The cursor's line after these keys."""
    return press(lecture(), keys).at


# The cuts are lines 11 and 20 of the lecture, the end is 22; 1, 8, 13 are the moves of the root, 2, 4 and 5
# leaves, and 7 is the new alpha of the root.


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        *((" ", 1), ("n\x1b[C\x1b[B", 3), ("   b", 2), ("   \x1b[D\x1b[Ap", 0), ("b", 0)),
        *(("G", 22), ("\x1b[F", 22), ("GG", 22), ("G\x1b[H", 0), ("G b", 21)),
        *(("c", 11), ("cc", 20), ("ccc", 20), ("ccC", 11), ("cCC", 11), ("C", 0)),
        *(
            ("g4\r", 5),
            ("g 5 \r", 8),
            ("g99\r", 0),
            ("cg0\r", 0),
            ("gx\r", 0),
            ("g\r", 0),
            ("cg10\r", 18),
            ("cg11\r", 11),
        ),
        *(("/alpha c\r", 11), ("/ALPHA C\r.", 20), ("/alpha c\r..N", 11), ("/nothing\r", 0)),
        *((".", 0), ("N", 0), ("/3 1\r", 14), ("/3\r", 2), ("/alpha\rb/\r", 7)),
        *(("/alx\x7fp\x08pha\r", 7), ("/alpha\x1b ", 1), ("/q\x1bc", 11), ("gq\x1b  ", 2)),
    ],
)
def test_keys_move_the_cursor(keys: str, line: int) -> None:
    assert at(keys) == line


def test_pages_are_as_long_as_the_terminal_is_high() -> None:
    stepper = steps("alphabeta", "tictactoe", "b2 a1 c2")
    page = max(1, stepper.screen.theme.console.size.height - 5)
    assert press(stepper, "\x1b[6~\x1b[6~").at == 2 * page < len(stepper.rows)
    assert press(stepper, "\x1b[5~").at == page


@pytest.mark.parametrize("key", ["q", "\x03", "\x04"])
def test_these_keys_leave(key: str) -> None:
    assert press(lecture(), f" {key}").at == 1


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_these_leave_also_while_a_word_is_typed(key: str) -> None:
    stepper = press(lecture(), f"/q{key}")
    assert stepper.typing == "/q"


def test_search_pattern_is_shown_and_misses_are_reported() -> None:
    lines, _ = press(lecture(), "/al").frame(100, 20)
    assert lines[-1].startswith("/ al_ ") and lines[-1].endswith("Esc: cancel")
    assert press(lecture(), "g1").frame(60, 20)[0][-1].strip() == "g 1_"
    for keys, words in (
        *(("/zebra\r", "there is no 'zebra' from here on"), ("G/zz\rN", "there is no 'zz' before this")),
        *(("C", "there is no cut before this"), ("g77\r", "there is no node 77 from here on")),
    ):
        stepper = press(lecture(), keys)
        assert stepper.error == words == stepper.frame(80, 20)[0][-1]
    assert press(lecture(), "C ").error == "", "the next key forgets it"


def test_a_node_is_collapsed_and_opened_again() -> None:
    stepper = press(lecture(), "    \r")  # on a leaf: nothing lies below it
    assert (stepper.at, stepper.folded) == (4, set())
    stepper = press(lecture(), "cbb\x1b[Af")  # 8: the second move of the root
    assert (stepper.at, stepper.folded, stepper.shown) == (8, {8}, [*range(9), *range(13, 23)])
    assert "(4 lines)" in "\n".join(stepper.frame(80, 30)[0])
    assert press(stepper, " ").at == 13 and press(stepper, "b").at == 8
    assert press(stepper, "f").shown == list(range(23))
    for keys in ("c\r", "cb\r"):  # on the cut or on the new beta: the node whose it is
        stepper = press(lecture(), keys)
        assert (stepper.at, stepper.folded) == (8, {8})
    stepper = press(stepper, "g0\r\r")
    assert (stepper.at, stepper.shown) == (0, [0])
    assert press(stepper, "c").at == 11 and stepper.shown == list(range(23)), "what is gone to is opened"


def test_open_nodes_have_their_current_windows() -> None:
    """Beside the lines, in a narrow window below them: at the first cut alpha of the root is 3."""
    stepper = press(lecture(), "c")
    root, second = "root MAX [+3, +inf] (alpha from 1)", "2 MIN [+3, +2] (beta from 1)"
    for width in (120, 60):
        shown = "\n".join(stepper.frame(width, 30)[0])
        assert root in shown and second in shown
    shown = "\n".join(press(lecture(), "  ").frame(120, 30)[0])
    assert "root MAX [-inf, +inf]" in shown and "1 MIN [-inf, +inf]" in shown and "from 1)" not in shown


@pytest.mark.parametrize(("width", "height"), [(130, 34), (80, 30), (60, 30)])
def test_pseudocode_has_its_current_line_marked(width: int, height: int) -> None:
    """Beside the lines if the window is wide enough; else after the key s."""
    for keys, line in (
        (" b", "AB(node, depth, alpha, beta):"),
        ("  ", "return its payoff, or its evaluation"),
        ("   ", "beta := min(beta, v)"),
        ("c", "if alpha >= beta: leave the loop (alpha cut)"),
        ("G", "return best"),
    ):
        stepper = press(lecture(), keys)
        before = "\n".join(stepper.frame(width, height)[0])
        assert ("Alpha-beta:" in before) == (width == 130)
        stepper.code_shown = True
        shown = [re.sub(r"\x1b\[[\d;]*m", "", text) for text in stepper.frame(width, height)[0]]
        assert len(shown) <= height and all(len(text) <= width for text in shown)
        marked = [re.search(r"(?:^|  )> +(.*?) *$", text) for text in shown]
        assert [match[1] for match in marked if match] == [line]
    assert "Alpha-beta:" not in "\n".join(press(lecture(), "ss").frame(80, 30)[0])
    assert press(
        steps("astar", "puzzle15:rows=2,columns=3", "2 5 4 1 3 0", Limit(nodes=60)), "s"
    ).error.startswith("no pseudocode")


def test_stepping_a_graph_shows_each_line_at_its_position() -> None:
    text = "1 4 2 3 5 8 6 7 0"
    stepper = steps("astar", "puzzle15:rows=3,columns=3", text, Limit(nodes=60))
    keys: dict[int, object] = {}
    for number, row in enumerate(stepper.rows):
        position = registry.game("puzzle15:rows=3,columns=3").new(text)
        for step in stepper.path(number):
            position.make(position.parse(step.word))
        assert keys.setdefault(row.step.node, position.key()) == position.key()
    assert len({*keys.values()}) == len(keys) > 8


@pytest.mark.parametrize("width", [40, 80, 120])
def test_screens(width: int) -> None:
    height = {40: 20, 80: 24, 120: 30}[width]
    pictures = []
    for stepper, keys in (
        (lecture(), "c"),
        (steps("alphabeta", "tictactoe", "b2 a1 c2"), "g50\r"),
        (steps("mcts", "tictactoe", "b2 a1 c2", Limit(simulations=6)), "G   bb"),
        (steps("idastar", "puzzle15:rows=3,columns=3", "1 4 2 3 5 8 6 7 0", Limit(nodes=50)), "/threshold\r"),
        (steps("astar", "puzzle15:rows=3,columns=3", "1 4 2 3 5 8 6 7 0", Limit(nodes=9)), "  "),
        (steps("pns", "tictactoe", "b2 a1", Limit(nodes=90)), "/counts for less\r"),
        (steps("selective", "connect4", "4455", ascii=False), "/null\r"),
    ):
        lines, _ = press(stepper, keys).frame(width, height)
        assert len(lines) <= height
        assert all(len(re.sub(r"\x1b\[[\d;]*m", "", line)) <= width for line in lines)
        pictures += [*lines, "=" * width]
    golden(f"stepping_{width}", "\n".join(pictures).replace("\x1b", "^") + "\n")


def test_parts_disappear_in_order_with_little_room() -> None:
    """First the start of a long path, then the text beside the lines, full words of the line, and keys."""
    deep = steps("idastar", "puzzle15:rows=2,columns=3", "2 5 4 1 3 0", Limit(nodes=400))
    deep.at = max(range(len(deep.rows)), key=lambda number: len(deep.path(number)))
    pictures = [f"{len(deep.path(deep.at))} moves"]
    for width, height in ((90, 7), (90, 10), (90, 12), (90, 14), (65, 12), (12, 12), (2, 9), (1, 8)):
        lines, _ = deep.frame(width, height)
        shown = [re.sub(r"\x1b\[\d*m", "", line).rstrip() for line in lines]
        assert len(lines) <= max(height, 12) and all(len(line) <= width for line in shown)
        pictures += [f"-- {width} x {height}", *shown]
    golden("stepping_room", "\n".join(pictures) + "\n")


def test_pseudocode_that_is_higher_than_the_screen_shows_the_current_line() -> None:
    stepper = steps("expectiminimax:prune=star2", "tree:chance", limit=Limit(depth=9))
    assert stepper.code is not None and len(stepper.code.lines) > 30
    stepper.code_shown = True
    for number, row in enumerate(stepper.rows):
        stepper.at = number
        for width, height in ((80, 24), (60, 30), (150, 40)):
            lines = [re.sub(r"\x1b\[\d*m", "", line).rstrip() for line in stepper.frame(width, height)[0]]
            marked = [line for line in lines if line.startswith("> ")]
            assert row.code is not None and marked == [f"> {stepper.code.lines[row.code]}"]
            assert any(line.startswith("Star2 (Ballard 1983)") for line in lines) and len(lines) <= height
            whole = [line for line in lines if line in (row.text, f"{row.text[:56]}...")]
            assert whole or width > 60


def test_stepping_stores_a_bounded_number_of_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stepping, "MAX_LINES", 10)
    engine, _ = registry.engine("alphabeta")
    rows = TraceRows(1)
    game = registry.game(LECTURE)
    with pytest.raises(TooManyLines):
        engine.search(game.new(), Limit(depth=3), trace=follower(engine, game.new(), rows, 8))
    assert [row.text for row in rows.rows] == [row.text for row in lecture().rows[:10]]


@pytest.mark.parametrize(
    ("spec", "game", "text", "limit"),
    [
        ("alphabeta", "tictactoe", "b2 a1 c1 a3", Limit(depth=2)),
        ("pns", "connect4:columns=3,rows=3,connect=3", "", Limit(nodes=40)),
        ("astar", "puzzle15:rows=2,columns=3", "1 4 2 3 0 5", Limit(nodes=30)),
        ("idastar", "puzzle15:rows=2,columns=2", "2 1 3 0", Limit()),
        ("mcts", "tictactoe", "b2 a1 c1 a3", Limit(simulations=6)),
        ("maxn", "tictactoe:players=3,width=3", "a1", Limit(depth=1)),
        ("expectiminimax", "pig", "", Limit(depth=1)),
    ],
)
def test_trace_line_has_its_path_and_folds_its_subtree(
    monkeypatch: pytest.MonkeyPatch, spec: str, game: str, text: str, limit: Limit
) -> None:
    """For each line: the path from the root, with windows; its last descendant; where Enter collapses it."""
    monkeypatch.setenv("COLUMNS", "80")
    stepper, rows, entered = steps(spec, game, text, limit), [], list[str]()
    for number, row in enumerate(stepper.rows):
        stepper.folded.clear()
        stepper._update_shown()
        stepper.at = number
        way = ", ".join(stepper._step_text(step) for step in stepper.path(number))
        if spec in ("alphabeta", "maxn", "expectiminimax"):  # as of the lines above, one a level
            entered[row.step.level :] = (
                [row.step.word] if row.step.what == "enter" else entered[row.step.level :]
            )
            if row.step.what == "enter":
                assert [step.word for step in stepper.path(number) if step.word] == [
                    word for word in entered if word
                ]
        stepper.toggle_fold()
        rows.append(f"{number}: {row.text.strip()}")
        rows.append(
            f"    {way or 'the root'}; to {stepper._last_line(number)}; "
            f"Enter: {stepper.at}, {len(stepper.shown)} shown"
        )
        if number % 9 == 4:
            lines, _ = stepper.frame(*((40, 12), (100, 18))[number % 2])
            rows += [re.sub(r"\x1b\[\d*m", "", line).rstrip() for line in lines]
    golden(f"stepping_{spec}", "\n".join(rows) + "\n")


def test_path_of_a_simulation_shows_visits_and_means_without_windows() -> None:
    stepper = steps("mcts", "tictactoe", "b2 a1 c1 a3", Limit(simulations=15))
    texts = {stepper._step_text(step) for number in range(len(stepper.rows)) for step in stepper.path(number)}
    assert all(re.fullmatch(r"[a-c][1-3]( 1 visit, mean .*| \d visits, mean .*)?", word) for word in texts), (
        texts
    )
    assert any("1 visit, mean -1.00" in word for word in texts) and any(
        "2 visits, mean" in word for word in texts
    )


def test_trace_lines_that_can_be_stepped(monkeypatch: pytest.MonkeyPatch) -> None:
    """All lines, as without a terminal, up to the storage limit; none if the search stopped before them."""
    theme = detect_theme("never", plain=True, ascii=True)
    stepped: list[TraceStepper] = []
    monkeypatch.setattr(TraceStepper, "run", lambda stepper: stepped.append(stepper))
    limit = Limit(depth=2)
    assert trace._step_through(prepare_search("tictactoe", "", "b2 a1", "alphabeta", limit), theme) == 0
    text = "1 4 2 3 0 5"
    puzzle = "puzzle15:rows=2,columns=3"
    assert trace._step_through(prepare_search(puzzle, text, "", "astar", Limit(nodes=9)), theme) == 0
    monkeypatch.setattr(stepping, "MAX_LINES", 1_000)
    assert trace._step_through(prepare_search("chess", "", "", "alphabeta", Limit(depth=3)), theme) == 0
    whole, graph, part = stepped
    spec = registry.engine("alphabeta")[0]
    assert whole.title == f"tictactoe: {spec}, depth 2; MAX is x, MIN is o, after b2 a1" and not whole.graph
    assert graph.title.startswith(f"{puzzle}: astar, 9 nodes; figures: lower bounds of a path's cost")
    assert graph.title.endswith(f" from {text}")
    lines: list[str] = []
    asked = prepare_search("tictactoe", "", "b2 a1", "alphabeta", limit)
    plain_output = TraceLines(lines.append, 1)
    asked.run(plain_output)
    plain_output.close()
    assert [row.text for row in whole.rows[:-2]] == [line.rstrip("\n") for line in lines]
    leaves = sum("(depth limit: the evaluation)" in line for line in lines)
    assert whole.rows[-2].text == f"{leaves} leaves; what stopped the search there:"
    assert whole.rows[-1].text.split() == f"how many plies? {leaves} depth limit".split()
    assert whole.position.key() == asked.match.position.key() and graph.graph
    assert part.title.endswith(", depth 3 (the first 1,000 lines); MAX is white, MIN is black")
    assert len(part.rows) == 1_000

    def interrupt_search(self: TracedSearch, rows: Any) -> None:
        self.report = SimpleNamespace(stopped="interrupted")
        rows.rows += kept

    monkeypatch.setattr(TracedSearch, "run", interrupt_search)
    monkeypatch.setattr(TraceLines, "close", lambda self: None)
    kept: list[Any] = whole.rows[:1]
    assert trace._step_through(prepare_search("tictactoe", "", "", "alphabeta", limit), theme) == 0
    assert stepped[-1].rows == kept
    kept = []
    with pytest.raises(KeyboardInterrupt):
        trace._step_through(prepare_search("tictactoe", "", "", "alphabeta", limit), theme)
