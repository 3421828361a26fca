"""The picture of a game in windows of many sizes: the parts shown, and the order in which they disappear."""

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs

from gameplay import registry
from gameplay.display.terminal import screen as screens
from gameplay.display.terminal.screen import Screen
from gameplay.display.theme import Theme
from gameplay.matches.match import Event, Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.search.report import Candidate, Report
from tests.support.golden import golden

pytestmark = pytest.mark.once

PLAIN = Theme(colour=False, unicode=True, interactive=True)
SEARCHED = Report(
    value=5, depth=8, seldepth=11, nodes=1_234_567, seconds=0.5, pv=(2, 3, 2), probes=200, hits=50,
    fill=0.125, cutoffs=1000, first_cutoffs=910, branching=2.5, engine="alphabeta",
)  # fmt: skip
SIZES = ((120, 40), (80, 24), (66, 20), (65, 16), (44, 24), (40, 18), (40, 14), (30, 12), (24, 9), (80, 12))
TALK = "a sentence that is told beside the board, or below it\nanother line"


def make_screen(
    game: str, moves: str = "", *specs: str, theme: Theme = PLAIN, reading: int | None = 0
) -> Screen:
    game_class = registry.game(game)
    seats = specs or ("human", *["alphabeta:depth=8"] * (game_class.new().players - 1))
    screen = Screen(theme, reading)
    screen.match = Match(game_class, [EmptySeat(spec) for spec in seats], "", moves.split())
    return screen


def draw(screen: Screen, width: int, height: int, **how: Any) -> list[str]:
    """A picture as text, with the geometry that the screen remembers."""
    text = screen.ansi(width, height, **how).replace("\x1b[1m", "").replace("\x1b[0m", "")
    lines = [line.rstrip() for line in text.splitlines()]
    assert "\x1b" not in text and all(len(line) <= width for line in lines)
    facts = f"{len(lines)} lines" + ", tight" * screen.tight + f", {screen.pages} pages" * bool(screen.pages)
    return [f"-- {width} x {height}: {facts}", *lines]


def states() -> dict[str, Screen]:
    """Screens in various states."""
    begun, playing, thinking = (
        make_screen("connect4"),
        make_screen("connect4", "4 4 3"),
        make_screen("connect4", "4 4 3"),
    )
    playing._remember(SEARCHED, 0, 2)
    thinking.on_report(SEARCHED)
    thinking.thinking = True
    watched = make_screen("connect4", "4 4 3", "mcts", "alphabeta", reading=None)
    watched.watching = True
    watched._remember(SEARCHED.with_(value=-30), 0, 2)
    watched._remember(SEARCHED, 1, 3)
    tried = make_screen("connect4", "4 4")
    tried.analysis = SimpleNamespace(state=lambda: "alphabeta", report=lambda: None)
    lines = (Candidate(3, 5, pv=(3, 2)), Candidate(2, -8, pv=(2, 3)), Candidate(6, -20, pv=(6, 6)))
    tried.report, tried.at, tried.thinking = SEARCHED.with_(candidates=lines), 2, True
    over = make_screen("tictactoe", "a1 a2 b1 b2 c1")
    return {
        "begun": begun,
        "playing": playing,
        "thinking": thinking,
        "watched": watched,
        "tried": tried,
        "over": over,
    }


@pytest.mark.parametrize("name", ["begun", "playing", "thinking", "watched", "tried", "over"])
def test_screen_shows_the_parts_that_fit(name: str) -> None:
    screen = states()[name]
    log = []
    for width, height in SIZES:
        for message in ("", TALK) if name in ("playing", "over") else ("",):
            log += draw(screen, width, height, message=message)
    golden(f"screen_{name}", "\n".join(log) + "\n")


def test_parts_disappear_in_order_in_lower_windows() -> None:
    """Those beside the board, those below it, and the board itself if there is no room."""
    log = []
    for name in ("playing", "thinking", "watched", "tried"):
        screen, before = states()[name], list[str]()
        for width, heights in ((64, range(18, 8, -1)), (26, range(26, 8, -1)), (13, range(22, 10, -1))):
            for height in heights:
                head, *lines = draw(screen, width, height, message=TALK if name == "playing" else "")
                log += [f"{head}, {name}", *(lines if lines != before else [])]
                before = lines
    golden("screen_lower", "\n".join(log) + "\n")


def test_a_long_message_replaces_the_board() -> None:
    screen = make_screen("tictactoe", "b2")
    words = "\n".join(f"{number}. a line of some words" for number in range(1, 23))
    log = []
    for width, height in ((80, 24), (80, 30), (40, 16), (40, 30)):
        for page in (0, 1, 2, 9):
            screen.page = page
            log += [f"page {page}", *draw(screen, width, height, message=words)]
    golden("screen_pages", "\n".join(log) + "\n")


@pytest.mark.parametrize(
    ("message", "width", "parted"),
    [
        ("one line " * 20, 20, False),
        ("two lines\nof prose that is folded", 12, False),
        ("a  table\nof columns", 10, False),
        ("a  table of some\nof columns", 10, True),
        ("   indented prose here\nmore", 12, False),
        ("averyveryverylongword\nb", 12, True),
        ("averyveryverylongword", 12, False),
        ("a1234567890\nb", 11, False),
    ],
)
def test_text_whose_columns_would_break_is_detected(message: str, width: int, parted: bool) -> None:
    assert screens.breaks_layout(message, width) is parted


def test_small_window_states_the_required_size() -> None:
    needed = "The board needs a window of 15 columns and 8 rows; this one has 10 and 6. "
    assert screens.too_small_message(15, 8, 10, 6, "") == f"{needed}Enlarge it."
    assert screens.too_small_message(15, 8, 10, 6, "quit") == f"{needed}Enlarge it, or type quit."
    screen = make_screen("tictactoe")
    assert draw(screen, 8, 8)[-3:] == ["  show", "  or", "  moves."]
    screen.accepts_commands = False
    assert draw(screen, 8, 8)[-2:] == ["  Enlarg", "  e it."]
    screen.accepts_commands = True
    lines = [
        draw(screen, width, height) for width, height in ((15, 8), (8, 8), (7, 8), (8, 6), (8, 5), (40, 3))
    ]
    golden("screen_small", "".join("\n".join(line) + "\n" for line in lines))


def test_candidate_points_and_territory_are_drawn() -> None:
    screen = make_screen("go:size=4", "B2 C3 B3 C2 B1 C1 B4 C4", reading=None)
    position = screen.match.position
    tried = tuple(Candidate(position.parse(word), 0.5, visits=9) for word in ("A1", "D4", "A3"))
    log = []
    screen.report, screen.at = Report(visits=27, visited=tried, bound="expectation"), 8
    for thinking, at, territory in ((True, 8, False), (False, 8, False), (True, 7, False), (False, 8, True)):
        screen.thinking, screen.at, screen.territory = thinking, at, territory
        board = screen.board()
        log.append((len(board.ranks), len(board.owned)))
    assert log == [(3, 0), (0, 0), (0, 0), (0, 16)]
    screen.thinking = True
    assert {screen.board().ranks[cell] for cell in screen.board().ranks} == {1, 2, 3}
    estimate = screen.estimate
    assert screen.board().owned == estimate[1].owned and screen.estimate is estimate, "asked once a position"
    chess = make_screen("chess")
    chess.territory = True
    assert chess.board().owned == {}


def test_only_the_player_to_move_can_select_cells() -> None:
    assert make_screen("tictactoe").board().moves and make_screen("tictactoe").board() is not None
    assert make_screen("tictactoe", "a1").board().moves == {}
    assert make_screen("tictactoe", "a1 a2 b1 b2 c1").board().moves == {}
    assert make_screen("pig", "roll").match.turn == -1
    chess = make_screen("chess")
    chess.entered_steps = (0, [("e2", "e4")])
    assert chess.board() != make_screen("chess").board()
    chess.entered_steps = (1, [("e2", "e4")])
    assert chess.board() == make_screen("chess").board()
    chess.entered_steps = (0, [("e2", "nowhere")])
    assert chess.board().cells == make_screen("chess").board().cells


# -- what is listened to -----------------------------------------------------------------------


class TerminalDouble:
    """Replaces canvas and keyboard: records the pictures, and presses keys."""

    def __init__(self, screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
        self.messages: list[str] = []
        self.rests = 0
        monkeypatch.setattr(screen, "_show", lambda message="": self.messages.append(message))
        monkeypatch.setattr(screen.watch, "wait_after_move", lambda show: self.rest())

    def rest(self) -> None:
        self.rests += 1


def test_search_panel_redraws_at_a_bounded_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(screens, "time", SimpleNamespace(monotonic=lambda: now[0]))
    for watching, message in ((False, "Ctrl-C: move now"), (True, "")):
        screen = make_screen("connect4", "4")
        screen.watching, screen.drawn = watching, 0.0
        painted = TerminalDouble(screen, monkeypatch)
        for at in (100.0, 100.089, 100.09, 100.1):
            now[0] = at
            assert (
                screen(SimpleNamespace(kind="report", report=SEARCHED.with_(depth=int(1000 * at)))) is False
            )
            assert screen.report is not None and screen.report.depth == int(1000 * at)
        assert painted.messages == [message] * 2 and screen.thinking and screen.match.reason == ""
        assert (screen.mover, screen.at, screen.drawn) == (1, 1, 100.09)
        screen.keyboard.interrupted = True
        assert screen(SimpleNamespace(kind="report", report=SEARCHED)) is True
        assert screen(SimpleNamespace(kind="report", report=SEARCHED)) is False


def test_move_ends_a_search_and_is_displayed_for_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = make_screen("connect4", "4", "random", "random", reading=None)
    painted = TerminalDouble(screen, monkeypatch)
    turn = SimpleNamespace(player=0, report=SEARCHED, news=())
    screen.thinking = True
    assert screen(SimpleNamespace(kind="move", turn=turn)) is False
    assert not screen.thinking and (screen.report, screen.mover, screen.at) == (SEARCHED, 0, 0)
    assert painted.messages == [] and painted.rests == 0
    screen.watching = True
    for report in (None, Report(nodes=9)):
        turn.report = report
        assert screen(SimpleNamespace(kind="move", turn=turn)) is False
        assert screen.report is SEARCHED, "nobody thought of that"
    assert painted.messages == ["", ""] and painted.rests == 2
    turn.report = book = Report(source="book", move=3)
    assert screen(SimpleNamespace(kind="move", turn=turn)) is False and screen.report is book
    screen.keyboard.interrupted = True
    with pytest.raises(KeyboardInterrupt):
        screen(SimpleNamespace(kind="move", turn=turn))
    screen.watch.leaving, screen.keyboard.interrupted = True, True
    assert screen(SimpleNamespace(kind="move", turn=turn)) is False
    assert screen.match.reason == "unfinished"
    screen.match.reason = "rules"
    assert screen(SimpleNamespace(kind="move", turn=turn)) is False
    assert screen.match.reason == "rules", "it had ended already"
    screen.match.reason = "unfinished"
    for kind in ("undo", "restart"):
        screen.report = SEARCHED
        assert screen(Event(kind)) is False and screen.report is None
    screen.report = SEARCHED
    assert screen(Event("begin")) is False and screen.report is SEARCHED and painted.messages[6:] == [""]


@pytest.mark.parametrize(
    ("report", "valued"),
    [
        (Report(value=9, depth=1), True),
        (Report(value=9, bound="expectation", visits=1), True),
        (Report(value=9, exact=True), True),  # proof-number search
        (Report(source="tables"), True),
        (Report(bound="unknown", depth=1), False),
        (Report(source="random"), False),
    ],
)
def test_search_too_short_to_report_replaces_the_value_before(report: Report, valued: bool) -> None:
    screen = make_screen("connect4", "4", "random", "random", reading=None)
    screen._remember(SEARCHED, 1, 0)
    screen.on_move(SimpleNamespace(player=0, report=report))
    assert screen.report is (report if valued else SEARCHED)


def test_engine_thoughts_are_hidden_from_opponents() -> None:
    screen = make_screen("kuhn", "K J", "human", "random")
    screen.on_report(SEARCHED)
    screen.on_move(SimpleNamespace(player=1, report=SEARCHED))
    assert screen.report is None and screen.last_searches == {}
    open_ = make_screen("kuhn", "K J", "random", "random")
    open_.on_report(SEARCHED)
    assert open_.report is SEARCHED


def test_comment_of_a_move_can_be_shown_again() -> None:
    screen = make_screen("connect4", "4 4")
    screen.match.turns[1] = structs.replace(screen.match.turns[1], report=SEARCHED)
    for number, report, mover in ((1, SEARCHED, 1), (0, None, 0), (-1, None, 0)):
        screen.show_search(number)
        assert (screen.report, screen.mover, screen.at) == (report, mover, number)
    screen.update_analysis()
    assert screen.at == -1
    screen.analysis = SimpleNamespace(report=lambda: SEARCHED)
    screen.update_analysis()
    assert (screen.report, screen.thinking, screen.mover, screen.at) == (SEARCHED, True, 0, 2)


def test_two_people_at_one_screen_see_it_while_they_have_the_keyboard() -> None:
    screen = make_screen("kuhn", "K J", "human", "human", reading=None)
    assert screen.view() is None and screen.board() is None
    assert screen.needs_cover(0) and screen.needs_cover(1)
    screen.holder = 1
    assert screen.view() is None and screen.needs_cover(0) and not screen.needs_cover(1)
    screen.holder = 0
    assert screen.view() is not None
    assert draw(screen, 60, 12, message="the keyboard, please") != ["the keyboard, please"]
    screen.holder = None
    assert draw(screen, 60, 12, message="the keyboard, please")[1:] == ["the keyboard, please"]
    shown_screen = make_screen("kuhn", "K J", "human", "random")
    assert not shown_screen.needs_cover(0) and shown_screen.view() is not None
