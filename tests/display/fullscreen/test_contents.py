"""The contents of the panes of the full screen, in windows of many sizes, without a terminal."""

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs

from gameplay import registry
from gameplay.display.fullscreen.areas import rows_around_body
from gameplay.display.fullscreen.contents import move_rows
from gameplay.display.fullscreen.view import FullScreen
from gameplay.display.theme import Theme
from gameplay.games.shared import pack
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.search.report import Candidate, Report
from tests.support.golden import golden

pytestmark = pytest.mark.once

SEARCHED = Report(
    value=5, depth=8, seldepth=11, nodes=1_234_567, seconds=0.5, pv=(2, 3, 2), probes=200, hits=50,
    fill=0.125, cutoffs=1000, first_cutoffs=910, branching=2.5, engine="alphabeta",
)  # fmt: skip


def make_screen(
    game: str, moves: str = "", *specs: str, reading: int | None = 0, start: str = ""
) -> FullScreen:
    """A full screen before a match, not yet opened."""
    match = registry.game(game)
    seats = specs or ("human", *["alphabeta:depth=8"] * (match.new().players - 1))
    full = FullScreen(Theme(colour=False, unicode=True, interactive=True), reading)
    full.match = Match(match, [EmptySeat(spec) for spec in seats], start, moves.split())
    full.buffer = SimpleNamespace(text="")
    drawn_again: list[int] = []
    full.app = SimpleNamespace(invalidate=lambda: drawn_again.append(1), again=drawn_again)
    return full


def ask_for_move(
    full: FullScreen, meaning: str = "e4: a move", cursor: Any = None, held: str = ""
) -> FullScreen:
    """Ask a player for a move, with or without a selected piece."""
    hand = SimpleNamespace(square=lambda text: text or held)
    full.entry = SimpleNamespace(prompt_text=lambda: meaning, selection=hand, cursor=cursor)
    return full


def pane(full: FullScreen, name: str, width: int, height: int) -> list[str]:
    """The lines of a pane; text in another style stands between stars."""
    full.app.output = SimpleNamespace(get_size=lambda: SimpleNamespace(columns=width, rows=height + 5))
    rows = getattr(full.contents, name)(width, height)
    rows = rows[:height]  # as a pane does
    lines = [
        "".join(f"*{text}*" if style and name != "board" else text for style, text in line) for line in rows
    ]
    return [f"-- {name}, {width} x {height}", *(line.rstrip() for line in lines)]


def states() -> dict[str, FullScreen]:
    """Games in various states."""
    begun, playing = ask_for_move(make_screen("connect4")), ask_for_move(make_screen("connect4", "4 4 3"))
    thinking, watched, tried = (
        make_screen("connect4", "4 4 3"),
        make_screen("connect4", "4 4 3", "mcts", "alphabeta"),
        make_screen("connect4"),
    )
    playing._remember(SEARCHED, 0, 2)
    playing.notice = "a sentence that is told below the moves, in as many lines as it takes"
    thinking.on_report(SEARCHED)
    watched.watching, watched.viewer = True, None
    watched._remember(SEARCHED.with_(value=-30), 0, 2)
    watched._remember(SEARCHED, 1, 3)
    tried.match = Match(registry.game("connect4"), [EmptySeat("human")] * 2, moves=["4", "4"])
    lines = (Candidate(3, 5, pv=(3, 2)), Candidate(2, -8, pv=(2, 3)), Candidate(6, -20, pv=(6, 6)))
    report = SEARCHED.with_(candidates=lines)
    tried.analysis = SimpleNamespace(state=lambda: "alphabeta", report=lambda: report)
    over = make_screen("tictactoe", "a1 a2 b1 b2 c1")
    looked = make_screen("othello", "f5 d6 c3 d3 c4 f4", "human", "human")
    looked.match.turns[2] = structs.replace(looked.match.turns[2], report=SEARCHED.with_(pv=()))
    looked.browsing.viewed_ply = 3
    first = make_screen("othello", "f5 d6 c3 d3 c4 f4", "human", "human")
    first.browsing.viewed_ply, first.report = 0, SEARCHED
    sums = make_screen("connect4", "4 4 3", "random", "human")
    sums.report, sums.at = SEARCHED.with_(bound="unknown"), 3
    counted = make_screen("connect4", "4 4 3", "random", "human")
    counted.report, counted.at = Report(), 3
    three = make_screen("connect4:players=3", "4 4 3 2", "human", "mcts", "mcts")
    three._remember(SEARCHED, 1, 3)
    return {
        "begun": begun, "playing": playing, "thinking": thinking, "watched": watched, "tried": tried,
        "over": over, "looked": looked, "looked at the start": first, "unknown": sums, "three": three,
        "nothing known": counted,
    }  # fmt: skip


def test_panel_shows_the_facts_that_fit() -> None:
    log = []
    for name, full in states().items():
        log.append(f"==== {name}")
        for width, height in (
            (60, 24),
            (46, 16),
            (40, 12),
            (30, 10),
            (30, 9),
            (28, 8),
            (24, 7),
            (20, 5),
            (40, 3),
        ):
            full.app.again.clear()
            before = full.contents.hidden
            log += pane(full, "panel", width, height)
            log.append(
                f"no room: {', '.join(full.contents.hidden)}; {sorted(full.contents.move_spans.items())}"
            )
            assert full.app.again == [1] * (full.contents.hidden != before), "the title is to tell it"
    golden("full_panels", "\n".join(log) + "\n")


@pytest.mark.parametrize("height", [3, 5, 8, 20])
def test_answer_is_shown_in_a_low_panel(height: int) -> None:
    full = make_screen("hearts", "", "human", "random", "random", "random")
    full.notice = "the answer to hint"
    assert pane(full, "panel", 40, height)[-1] == "the answer to hint"


def test_long_move_list_is_scrolled() -> None:
    """It scrolls to the last move, by scrolling, or to the viewed move."""
    full = make_screen("chess", "e4 e5 d4 d5 c4 c5 b4 b5 a4 a5 h4 h5 g4 g5 f4 f5 Nf3 Nf6", "human", "human")
    log = []
    for up, looked in (
        (0, None),
        (3, None),
        (99, None),
        (0, 1),
        (0, 2),
        (2, 3),
        (9, 14),
        (9, 18),
        (0, 17),
        (0, 0),
    ):
        full.browsing.scrolled, full.browsing.viewed_ply = up, looked
        log += [f"==== {up} up, {looked} looked at", *pane(full, "panel", 40, 8)]
        log.append(
            f"{full.browsing.scrolled} up of {full.browsing.list_length};"
            f" {sorted(full.contents.move_spans.items())}"
        )
    full.browsing.scrolled, full.browsing.viewed_ply = 0, None
    log += pane(full, "panel", 30, 9)
    full.notice = "what was said, in a line or two below all the moves"
    log += pane(full, "panel", 30, 9)
    golden("full_lists", "\n".join(log) + "\n")
    cards = " ".join(map(pack.card_text, pack.PACK)) + " 2s 2c 2d 2h 3s 3c 3d 3h 4s"
    full = make_screen("bridge:contract=3N", cards, "human", "random", "random", "random")
    full.browsing.viewed_ply = 30
    assert "52. (52 deals)" in pane(full, "panel", 40, 12), "one of them is looked at"


def test_move_list_uses_the_notation_of_the_game() -> None:
    log = []
    for game, start, moves in (
        ("chess", "", "e4 e5 Nf3"),
        ("chess", "8/8/8/8/8/p7/k7/7K b - - 0 1", "Kb2 Kg1 a2"),
        ("chess", "", ""),
        ("backgammon", "", "53"),
        ("kuhn", "", "K J check"),
        ("bridge:contract=3N", "", " ".join(map(pack.card_text, pack.PACK)) + " 2s 2c"),
        ("monopoly", "", "1-4 buy"),
        ("connect4:players=3", "", "4 4 3 2"),
    ):
        for width in (40, 18, 5):
            log.append(f"-- {game}, {width}")
            match = make_screen(game, moves, start=start, reading=None).match
            rows = move_rows(match, width)
            log += [repr(row) for row in rows]
            plies = [ply for row in rows for _, ply in row if ply]
            assert plies == sorted(plies) and set(plies) <= set(range(1, len(match.turns) + 1))
            if match.position.players == 2 and not match.position.chance:
                assert [text.split()[-1] for row in rows for text, ply in row if ply] == match.words()
    golden("full_rounds", "\n".join(log) + "\n")


def test_title_shows_game_and_state() -> None:
    log = []
    for name, full in states().items():
        full.contents.hidden = ["the search", "the moves"]
        for width in (79, 50, 40, 30, 22, 21, 12):
            log += [f"{name}:", *pane(full, "title", width, 1)[1:]]
    full = make_screen("connect4", "4", "mcts", "alphabeta")
    full.watch.paused = True
    log += ["paused:", *pane(full, "title", 40, 1)]
    full.watch.paused, full.contents.hidden = False, ["the moves"]
    full.browsing.open("a page")
    log += ["a page:", *pane(full, "title", 79, 1)]
    dice = make_screen("pig", "roll")
    assert dice.match.turn < 0
    log += ["dice:", *pane(dice, "title", 40, 1)]
    hidden = make_screen("kuhn", "K J", "human", "human", reading=None)
    assert pane(hidden, "title", 40, 1)[1:] == []
    golden("full_titles", "\n".join(log) + "\n")


def test_board_uses_the_largest_scale_that_fits() -> None:
    """With the cursor, the selected piece and the viewed cell; or there is a reason for no board."""
    log = []
    full = ask_for_move(make_screen("chess", "e4 e5"), cursor=(4, 0))
    for width, height in ((80, 30), (50, 20), (24, 10), (17, 9), (18, 9), (18, 8), (8, 4)):
        log += pane(full, "board", width, height)
        log.append(f"drawn: {full.contents.drawn and full.contents.drawn[1]}")
    for text, held, looked in (
        ("g1", "", None),
        ("", "b1", None),
        ("nothing", "", None),
        ("g1", "", 1),
        ("", "", 0),
    ):
        ask_for_move(full, held=held)
        full.buffer.text, full.browsing.viewed_ply = text, looked
        log += [f"-- {text or held or 'no'} piece, {looked} looked at", *pane(full, "board", 24, 10)[1:]]
        assert full.contents.drawn is not None
        drawn = full.contents.drawn[0]
        log.append(f"{len(drawn.moves)} moves, last {drawn.last}, {len(drawn.paths)} paths")
    full.flip = True
    log += ["-- turned round", *pane(full, "board", 24, 10)[1:]]
    full.entry = None
    full.buffer.text, full.browsing.viewed_ply = "g1", None
    log += ["-- nobody is asked", *pane(full, "board", 24, 10)[1:]]
    sticks = make_screen("nim:heaps=1+2", "")
    log += pane(sticks, "board", 40, 8)
    handover = make_screen("kuhn", "K J", "human", "human", reading=None)
    handover.handover = "first, press Enter to see the game; the others look away"
    log += [
        *pane(handover, "board", 40, 8),
        *pane(handover, "board", 12, 8),
        *pane(handover, "panel", 12, 8),
    ]
    words = make_screen("kuhn", "K J", "human", "random")
    log += [*pane(words, "board", 40, 8), *pane(words, "board", 6, 8)]
    words.browsing.viewed_ply = 0
    log += pane(words, "board", 40, 8)
    golden("full_boards", "\n".join(log) + "\n")
    assert full.contents.cell(9, 99) is None and words.contents.cell(1, 1) is None


def test_a_cell_is_where_it_is_drawn() -> None:
    full = make_screen("chess", "e4 e5")
    full.contents.board(60, 24)
    assert full.contents.cell_positions is None
    spots = [(at, full.contents.cell(round(at[0]), round(at[1]))) for at in ((1.0, 5.0), (4.0, 6.0))]
    assert full.contents.cell_positions and spots == [
        ((1.0, 5.0), full.contents.cell(1, 5)),
        ((4.0, 6.0), full.contents.cell(4, 6)),
    ]
    for cell, (line, character) in full.contents.cell_positions.items():
        assert full.contents.cell(round(line), round(character)) == cell
    kept = full.contents.cell_positions
    assert full.contents.cell(1, 5) is not None and full.contents.cell_positions is kept, (
        "asked once a drawing"
    )
    full.contents.board(60, 24)
    assert full.contents.cell_positions is None


def test_a_page_takes_the_place_of_the_game() -> None:
    log = []
    full = make_screen("connect4")
    words = [f"word{number:<6}  what that one does, in more words than fit" for number in range(7)]
    full.browsing.open("\n".join(["", *words, "the end"]))
    full.notice = "not while there is a page"
    for first, width, height in (
        *((0, 80, height) for height in (20, 9, 10, 11)),
        *((first, 80, 6) for first in (4, 99)),
        (2, 30, 7),
        (0, 4, 5),
    ):
        full.browsing.first = first
        log += [f"from {first}", *pane(full, "page", width, height)]
        log.append(f"then from {full.browsing.first}")
    golden("full_pages", "\n".join(log) + "\n")
    assert full.contents.message_lines(40) == []
    full.browsing.first = None
    full.contents.page(40, 5)
    assert full.browsing.first is None and full.contents.message_lines(14) == [
        "not while",
        "there is a",
        "page",
    ]
    full.notice = "a\n\nb" + "x" * 9
    assert full.contents.message_lines(9) == ["a", "", "bxxxxxxx", "xx"] == full.contents.message_lines(3)


def test_meaning_of_the_input_is_shown_below_it() -> None:
    full = ask_for_move(make_screen("connect4"), "4: a disc in column four, where it falls to the bottom")
    lines = [*pane(full, "meaning", 79, 2), *pane(full, "meaning", 30, 2), *pane(full, "meaning", 12, 2)]
    full.armed = "quit"
    lines += pane(full, "meaning", 79, 2)
    full.armed, full.handover = "", "somebody else's"
    assert full.contents.meaning(79, 2) == []
    full.handover, full.entry = "", None
    assert full.contents.meaning(79, 2) == []
    full.buffer.text = "4"
    lines += pane(full, "meaning", 79, 2)
    full.lines = ["5", "6"]
    lines += pane(full, "meaning", 79, 2)
    full.buffer.text = ""
    lines += pane(full, "meaning", 79, 2)
    full.watching = True
    assert full.contents.meaning(79, 2) == []
    full.watching = False
    full.match.leave()
    assert full.contents.meaning(79, 2) == []
    golden("full_meanings", "\n".join(lines) + "\n")
    assert [rows_around_body(rows) for rows in (10, 23, 24, 50)] == [4, 4, 5, 5]
