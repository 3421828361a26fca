"""Every game's board in every size and kind of terminal: a digest of each drawing.

What the drawings mean is tested piece by piece; where a digest differs, draw it before and after, and look.
"""

from dataclasses import replace
from hashlib import blake2b
from random import Random

import pytest
from rich.text import Text

from gameplay import registry
from gameplay.display.board import drawing as boards
from gameplay.display.board.palette import PALETTES
from gameplay.display.theme import Theme
from tests.support.golden import golden
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

GAMES = TESTS / "examples" / "games"
COLOUR = Theme(colour=True, unicode=True, interactive=True, depth="256")
THEMES = {
    "plain": replace(COLOUR, colour=False),
    "ascii": replace(COLOUR, colour=False, unicode=False),
    "ascii in colour": replace(COLOUR, unicode=False),
    "colour": COLOUR,
    "blocks": replace(COLOUR, pieces="blocks"),
    "letters": replace(COLOUR, pieces="letters", coordinates=False),
    "outline": replace(COLOUR, pieces="outline", palette=PALETTES["paper"]),
    "16 colours": replace(COLOUR, depth="standard", palette=PALETTES["contrast"]),
}


OWN = ("morris", "race", "tricks")


def drawings(name: str) -> list[str]:
    """All drawings of a game after some moves."""
    position = registry.game(str(GAMES / f"{name}.py") if name in OWN else name).new()
    rng, last, lines = Random(3), None, []
    for _ in range(13):
        if position.outcome() is None:
            last = rng.choice(sorted(position.moves()))
            position.make(last)
    board = position.board(last=last, **({"viewer": 0} if position.hidden else {}))
    assert board is not None
    cell = next(iter(board.moves), None)
    for kind, theme in THEMES.items():
        most = 4 if kind in ("colour", "blocks") else 1
        for scale in range(min(most, boards.largest(board, 120, 50, theme)) + 1):
            drawn = boards.draw(board, theme, scale, cell if scale % 2 else None, cell)
            size = boards.size(board, scale, theme)
            lines.append(f"{kind}, scale {scale}: {size[0]} x {size[1]}, {digest(drawn)}")
    lines.append(f"turned: {digest(boards.draw(boards.flip_board(board), COLOUR, 1))}")
    return lines


def digest(drawn: Text) -> str:
    """A short digest of the characters of a drawing and their styles."""
    styles = [(span.start, span.end, str(span.style)) for span in drawn.spans]
    return blake2b(f"{drawn.plain}{styles}".encode(), digest_size=4).hexdigest()


def test_boards_equal_the_stored_drawings() -> None:
    log = []
    for name in [*registry.game_names(), *OWN]:
        if name != "tree":  # it has no board
            log += [f"-- {name}", *drawings(name)]
    golden("boards", "\n".join(log) + "\n")


@pytest.mark.parametrize("game", ["checkers", "draughts"])
def test_numbered_squares_fit_into_40_columns_with_their_marks(game: str) -> None:
    board = registry.game(game).new().board()
    assert board is not None
    chosen = next(iter(board.moves))
    scale = boards.largest(board, 40, 20, COLOUR)
    drawn = boards.draw(board, COLOUR, scale, selected=chosen).plain
    assert max(map(len, drawn.splitlines())) <= 40
    assert drawn.count("+") == len(board.targets(chosen)) > 0
