"""Parts of the full screen: rich's styles for prompt-toolkit, and rows of buttons."""

import pytest
from prompt_toolkit.output import ColorDepth
from rich.text import Text

from gameplay.display.fullscreen.panes import Button, button_row, color_depth, render_lines
from gameplay.display.theme import Theme
from tests.support.golden import golden

pytestmark = pytest.mark.once


STYLES = (
    *(
        "",
        "bold",
        "reverse",
        "dim",
        "bold reverse dim",
        "italic",
        "red",
        "bright_white",
        "color(7)",
        "color(8)",
    ),
    *("color(15)", "color(16)", "color(231)", "#102030 on #a0b0c0", "default on default", "black on yellow"),
    "bold color(26) on color(233)",
)


def theme(colours: str | None = "truecolor") -> Theme:
    return Theme(colour=colours is not None, unicode=True, interactive=True, depth=colours or "auto")


def test_styles_of_every_kind_are_put_into_words() -> None:
    log = []
    for colours in ("256", None):
        for style in STYLES:
            ((drawn_style, text),) = render_lines(theme(colours), Text("x", style=style), 5)[0]
            assert text == "x"
            log.append(f"{colours}, {style or 'nothing'}: {drawn_style or 'nothing'}")
    golden("pane_styles", "\n".join(log) + "\n")
    assert render_lines(theme(), Text("abcd efgh"), 4) == [[("", "abcd")], [("", "efgh")]]
    assert (
        render_lines(theme(), Text("ab"), 0)
        == [[("", "a")], [("", "b")]]
        == render_lines(theme(), Text("ab"), 1)
    )


def test_there_are_as_many_colours_as_the_terminal_has() -> None:
    results = [color_depth(theme(colours)) for colours in ("standard", "windows", "256", "truecolor", None)]
    assert results == [
        ColorDepth.DEPTH_4_BIT,
        ColorDepth.DEPTH_4_BIT,
        ColorDepth.DEPTH_8_BIT,
        ColorDepth.DEPTH_24_BIT,
        ColorDepth.DEPTH_1_BIT,
    ]


def test_buttons_that_do_not_fit_are_omitted() -> None:
    """Their keys are omitted first, then the buttons before the last one, which leaves."""
    log = []
    names = (("Help", "F1"), ("Hint", "F2"), ("Undo", "F3"), ("a8=Q", ""), ("Leave", "F10"))
    for count in (1, 2, 3, 5):
        buttons = [Button(name, key, lambda: None) for name, key in [*names[: count - 1], names[-1]]]
        before = None
        for width in range(52, 0, -1):
            line, places = button_row(buttons, width)
            shown = "".join(f"[{text}]" if style else text for style, text in line)
            ends = [(start, end, button.name) for start, end, button in places]
            assert all("".join(text for _, text in line)[start:end].strip() for start, end, _ in ends)
            if (shown, ends) != before:
                log.append(f"{count} in {width}: {shown}| {ends}")
            before = (shown, ends)
        assert len(buttons) == count, "they are not lost for the next time"
    golden("button_rows", "\n".join(log) + "\n")
    assert Button("Help", "F1", lambda: None).text == " F1 Help "
    assert Button("a8=Q", "", lambda: None).text == " a8=Q "
