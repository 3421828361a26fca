"""The terminal shows what was painted, whatever it showed before; pyte reads it."""

import io
import random

import pytest

from gameplay.display.terminal.canvas import Canvas, _spans, parse_cells

pytestmark = pytest.mark.once

pyte = pytest.importorskip("pyte")


class Paper:
    """A canvas and its terminal. `above`: lines of earlier output."""

    def __init__(self, width: int = 20, height: int = 6, above: int = 0, term: str = "xterm") -> None:
        self.screen = pyte.Screen(width, height)
        self.stream = pyte.Stream(self.screen)
        self.stream.feed("".join(f"above {n}\r\n" for n in range(above)))
        self.size = (width, height)
        self.out = io.StringIO()
        self.canvas = Canvas(self.out, lambda: self.size, term)

    def paint(self, *lines: str, cursor: tuple[int, int] | None = None) -> str:
        """Paint, and return the output written for it."""
        self.canvas.paint(lines, cursor)
        return self.read()

    def read(self) -> str:
        text = self.out.getvalue()
        self.out.seek(0)
        self.out.truncate()
        self.stream.feed(text)
        return text

    def lines(self) -> list[str]:
        shown = [line.rstrip() for line in self.screen.display]
        while shown and not shown[-1]:
            shown.pop()
        return shown


def test_only_changed_cells_are_written() -> None:
    paper = Paper()
    paper.paint("one", "two", "three")
    assert paper.lines() == ["one", "two", "three"]
    again = paper.paint("one", "too", "three")
    assert paper.lines() == ["one", "too", "three"]
    assert "o" in again and "tw" not in again and "one" not in again and "three" not in again
    assert len(again) < 60
    assert paper.paint("one", "too", "three") == "", "nothing changed, nothing is written"


@pytest.mark.parametrize(
    ("old", "new", "written"),
    [
        ("abc", "abc", []),
        ("abc", "axc", [(1, 2)]),
        ("abcdefghijklmnop", "xbcdefgxijklmnop", [(0, 8)]),  # six cells that stay lie between: over them
        ("abcdefghijklmnop", "xbcdefghxjklmnop", [(0, 1), (8, 9)]),
        ("ab", "abcd", [(2, 4)]),
        ("abcd", "ab", []),
        ("a日b", "a本b", [(1, 3)]),
        ("abcd", "a日d", [(1, 3)]),
        ("a日d", "abcd", [(1, 3)]),
        ("", "", []),
    ],
)
def test_only_changed_spans_of_a_row_are_rewritten(
    old: str, new: str, written: list[tuple[int, int]]
) -> None:
    assert _spans(parse_cells(old, 20), parse_cells(new, 20)) == written


def test_painting_less_erases_the_previous_lines() -> None:
    paper = Paper(above=1)
    paper.paint("a long line", "second", "third")
    paper.paint("a", "second")
    assert paper.lines() == ["above 0", "a", "second"]
    paper.paint("", "x")
    assert paper.lines() == ["above 0", "", "x"]


def test_frame_at_the_bottom_scrolls_the_lines_above() -> None:
    paper = Paper(height=4, above=3)
    paper.paint("1", "2", "3")
    assert paper.lines() == ["above 2", "1", "2", "3"]
    paper.paint("1", "2", "3", "4", "5")
    assert paper.lines() == ["1", "2", "3", "4"], "no more than there are rows"
    paper.paint("x", "2", "3", "y")
    assert paper.lines() == ["x", "2", "3", "y"]


def test_close_takes_it_away_and_keep_leaves_it() -> None:
    paper = Paper(above=1)
    paper.paint("1", "2")
    paper.canvas.close()
    paper.read()
    assert paper.lines() == ["above 0"] and not paper.screen.cursor.hidden
    paper.canvas.repaint()
    paper.read()
    assert paper.lines() == ["above 0", "1", "2"]
    paper.canvas.leave_below()
    paper.read()
    paper.paint("3")
    assert paper.lines() == ["above 0", "1", "2", "3"]


def test_wipe_clears_the_scrollback() -> None:
    paper = Paper(above=9)
    paper.paint("secret")
    paper.canvas.clear_scrollback()
    assert "\x1b[3J" in paper.read() and paper.lines() == []
    paper.paint("new")
    assert paper.lines() == ["new"]


def test_cursor_is_placed_as_requested() -> None:
    paper = Paper()
    paper.paint("one", "> d4", cursor=(1, 4))
    cursor = paper.screen.cursor
    assert (cursor.y, cursor.x, cursor.hidden) == (1, 4, False)
    paper.paint("one", "> d4", cursor=(1, 2))
    assert (cursor.y, cursor.x, cursor.hidden) == (1, 2, False)
    paper.paint("two", "> d4")
    assert paper.screen.cursor.hidden


def test_resize_redraws_the_whole_canvas() -> None:
    paper = Paper()
    paper.paint("x" * 20, "y")
    paper.size = (10, 4)
    paper.screen.resize(4, 10)
    paper.paint("x" * 20, "y")
    assert paper.lines() == ["x" * 10, "y"]


def test_canvas_preserves_colour_spans() -> None:
    paper = Paper()
    paper.paint("\x1b[31mred\x1b[0m plain")
    paper.paint("\x1b[31mred\x1b[0m \x1b[1;32mgreen\x1b[0m")
    row = paper.screen.buffer[0]
    assert row[0].fg == "red" and row[3].fg == "default" and row[4].fg == "green" and row[4].bold
    paper.paint("\x1b[31mred\x1b[0m", "below")
    assert paper.screen.buffer[1][0].fg == "default" and paper.lines() == ["red", "below"]


def test_wide_characters_take_two_cells() -> None:
    assert [sign for _, sign in parse_cells("a日b", 9)] == ["a", "日", "", "b"]
    assert [sign for _, sign in parse_cells("ab日", 3)] == ["a", "b"], "half of one is not shown"
    assert [sign for _, sign in parse_cells("e\u0301x", 9)] == ["e\u0301", "x"]
    paper = Paper()
    paper.paint("日本x")
    paper.paint("日a x")
    assert paper.lines() == ["日a x"]


def test_each_picture_is_shown_at_once_where_the_terminal_can() -> None:
    text = Paper().paint("one")
    assert text.startswith("\x1b[?2026h") and text.endswith("\x1b[?2026l")
    assert "2026" not in Paper(term="linux").paint("one")


@pytest.mark.parametrize("seed", range(20))
def test_any_frame_can_follow_any_other(seed: int) -> None:
    rng = random.Random(seed)
    paper = Paper(width=12, height=5, above=rng.randrange(6))
    signs = ["a", "b", " ", "  ", "日", "\x1b[7m", "\x1b[0m", "\x1b[34m"]
    for _ in range(30):
        lines = [
            "".join(rng.choices(signs, k=rng.randrange(14))) + "\x1b[0m" for _ in range(rng.randrange(7))
        ]
        paper.paint(*lines, cursor=rng.choice([None, (0, 3)]))
        fresh = Paper(width=12, height=5)
        fresh.paint(*lines)
        shown = min(5, len(lines))
        top = len(paper.screen.display) - 5
        first = paper.screen.cursor.y - paper.canvas.row + top
        for y in range(shown):
            for x in range(12):
                mine, whole = paper.screen.buffer[first + y][x], fresh.screen.buffer[y][x]
                assert (mine.data, mine.fg, mine.reverse) == (whole.data, whole.fg, whole.reverse)
        for y in range(first + shown, 5):
            assert not paper.screen.display[y].strip()


def test_colours_apply_to_following_text_including_combining_marks() -> None:
    assert parse_cells("\x1b[31me\u0301\x1b[1mx\x1b[mo ", 9) == [
        ("\x1b[31m", "e\u0301"), ("\x1b[31m\x1b[1m", "x"), ("", "o"),
    ]  # fmt: skip
    assert parse_cells("\u0301x \x1b[7m ", 9) == [("", "x"), ("", " "), ("\x1b[7m", " ")]


def test_the_cursor_is_hidden_and_shown_no_more_often_than_it_must() -> None:
    paper = Paper(above=1)
    paper.canvas.close()
    assert paper.read() == "", "there is nothing to take away, and the cursor is seen"
    begin, end = "\x1b[?2026h", "\x1b[?2026l"
    assert paper.paint("one", cursor=(0, 1)).count("\x1b[?25l") == 1
    assert paper.paint("one", cursor=(0, 2)) == f"{begin}\x1b[?25l\x1b[3G\x1b[?25h{end}"
    assert paper.paint("one") == f"{begin}\x1b[?25l{end}"
    assert "\x1b[?25" not in paper.paint("two"), "it is hidden still"
    paper.canvas.clear_scrollback()
    assert paper.read() == f"{begin}\x1b[H\x1b[2J\x1b[3J{end}"
    paper.canvas.close()
    assert paper.read() == f"{begin}\x1b[?25h{end}"


def test_canvas_is_redrawn_completely_at_the_top() -> None:
    paper = Paper(above=2)
    paper.paint("one", "> d4", cursor=(1, 4))
    paper.stream.feed("somebody else writes")
    paper.canvas.redraw()
    output = paper.read()
    assert "\x1b[?25l\x1b[H\x1b[2J\x1b[?25h" in output and paper.lines() == ["one", "> d4"]
    cursor = paper.screen.cursor
    assert (cursor.y, cursor.x, cursor.hidden) == (1, 4, False)
    paper.paint("one")
    paper.canvas.redraw()
    assert "\x1b[?25" not in paper.read() and paper.screen.cursor.hidden, "it was hidden before"


def test_each_frame_is_written_and_flushed_at_once() -> None:
    class Out(io.StringIO):
        def write(self, text: str) -> int:
            done.append("write")
            return super().write(text)

        def flush(self) -> None:
            done.append("flush")

    done: list[str] = []
    canvas = Canvas(Out(), lambda: (20, 6), "xterm")
    canvas.paint(["one", "two"], (1, 0))
    canvas.send("\x1b[?2004h")
    assert done == ["write", "flush"] * 2
