"""Output in notebooks: well-formed pictures and tables, right, escaped, and without hidden information."""

import re
import subprocess
import sys
from random import Random
from xml.etree import ElementTree

import pytest

import gameplay
from gameplay import catalogue
from gameplay.display.pages import board_svg, notebook
from gameplay.position import CHANCE
from gameplay.training.review import Review, ReviewedMove

pytestmark = pytest.mark.once
SVG = "{http://www.w3.org/2000/svg}"


def texts(xml: str) -> list[str]:
    return ["".join(element.itertext()) for element in ElementTree.fromstring(xml).iter() if element.text]


def drawing(position: gameplay.AbstractPosition) -> ElementTree.Element:
    picture = position._repr_svg_()
    assert picture is not None
    return ElementTree.fromstring(picture)


def words(html: str | None) -> str:
    assert html is not None
    ElementTree.fromstring(f"<div>{html}</div>")
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def after(game: str, moves: str) -> gameplay.AbstractPosition:
    position = gameplay.game(game).new()
    for word in moves.split():
        position.make(position.parse(word))
    return position


@pytest.mark.parametrize("game", [name for name in catalogue.games() if name != "tree"])
def test_every_game_is_shown(game: str) -> None:
    position, draw = gameplay.game(game).new(), Random(4)
    for _ in range(6):
        picture, html = position._repr_svg_(), position._repr_html_()
        assert (picture is None) != (html is None)
        ElementTree.fromstring(picture or f"<div>{html}</div>")
        if position.outcome() is not None:
            break
        position.make(draw.choice(list(position.moves())))


def test_the_pieces_of_chess_stand_on_their_squares() -> None:
    picture = drawing(gameplay.game("chess").new("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"))
    shown = [element for element in picture.iter(f"{SVG}text") if (element.text or "")[:1] in "♚♛♜♝♞♟"]
    assert sorted((element.text or "")[0] for element in shown) == ["♚", "♚", "♟"]
    pawn = next(element for element in shown if (element.text or "")[0] == "♟")
    label = next(element for element in picture.iter(f"{SVG}text") if element.text == "e")
    assert pawn.get("x") == label.get("x") and pawn.get("fill") == "#ffffff"
    kings = {
        element.get("fill"): float(element.get("y", 0)) for element in shown if (element.text or "")[0] == "♚"
    }
    assert kings["#1b1f24"] < kings["#ffffff"]  # black on top


def test_stones_and_discs_are_circles_of_their_colour() -> None:
    stones = [
        element
        for element in drawing(after("go", "D4 E5")).iter(f"{SVG}circle")
        if element.get("r") == "16.4"
    ]
    assert sorted(stone.get("fill", "") for stone in stones) == ["#1b1f24", "#ffffff"]
    discs = [
        element
        for element in drawing(after("connect4", "4 4 4")).iter(f"{SVG}circle")
        if element.get("r") == "16.4"
    ]
    colours = [disc.get("fill") for disc in discs]
    assert (colours.count(board_svg.PLAYERS[0]), colours.count(board_svg.PLAYERS[1])) == (2, 1)


def test_the_mover_sees_its_own_cards_only() -> None:
    position = after("kuhn", "J Q")  # the first has the jack, the second the queen
    shown = words(position._repr_html_())
    assert position.turn == 0 and "first to move" in shown and "J" in shown and "Q" not in shown
    position.make(position.moves()[0])
    shown = words(position._repr_html_())
    assert position.turn == 1 and "Q" in shown and not re.search(r"\bJ\b", shown)


@pytest.mark.parametrize("game", ["stratego", "battleship", "holdem", "bridge", "hearts", "liars-dice"])
def test_nothing_hidden_is_shown(game: str) -> None:
    """The display is the same for positions that differ only in facts hidden from the mover."""
    position, draw = gameplay.game(game).new(), Random(2)
    for _ in range(60):
        if position.outcome() is not None:
            break
        if position.turn != CHANCE:
            other = position.determinize(position.turn, draw)
            assert position._repr_svg_() == other._repr_svg_()
            if position._repr_svg_() is None:
                assert position._repr_html_() == other._repr_html_()
        elif position._repr_svg_() is None:
            assert notebook.CHANCE_NOTE in words(position._repr_html_())
        position.make(draw.choice(list(position.moves())))


def test_a_report_has_value_line_and_nodes() -> None:
    position = after("tictactoe", "a1 a2 b1 b2")
    report = gameplay.engine("alphabeta").search(position, gameplay.Limit(depth=1))
    shown = words(report._repr_html_())
    assert report.words == ("c1",) and "line c1" in shown and "win in 1" in shown
    assert f"nodes {report.nodes:,}" in shown
    assert "words" not in report.as_dict()


def test_a_run_shows_its_elo_with_the_interval() -> None:
    run = gameplay.play_match("minimax:depth=2", "random", game="tictactoe", games=20)
    shown = words(run._repr_html_())
    assert run.rating is not None and f"Elo {run.rating}" in shown
    assert f"won, drawn, lost {run.wins}, {run.draws}, {run.losses}" in shown
    players = ["minimax:depth=2", "random", "minimax:depth=1"]
    table = words(gameplay.tournament(players, "tictactoe", games=4)._repr_html_())
    assert "player points Elo" in table and all(name in table for name in players)


def test_a_review_a_solution_a_trace_and_a_tree() -> None:
    solved = words(gameplay.solve("nim:heaps=1+2", table="1MB")._repr_html_())
    assert "nim:heaps=1+2, first to move: win" in solved
    position = after("tictactoe", "a1 a2 b1 b2")
    trace = gameplay.trace(position, "minimax", depth=1)
    assert len(trace.steps) > 5 and "c1" in words(trace._repr_html_())
    tree = gameplay.search_tree(position, "minimax", depth=1)
    picture = tree._repr_svg_()
    assert picture is not None and tree._repr_html_() is None
    assert {"a3", "b3", "c1", "c2", "c3"} <= set(texts(picture)) and tree.report.words == ()
    with pytest.raises(gameplay.GameplayError, match="most must be a number of nodes from 1 up, not 0"):
        gameplay.search_tree(position, most=0)
    with pytest.raises(gameplay.GameplayError, match="does not search"):
        gameplay.trace(position, "random")


def test_texts_from_outside_make_no_element() -> None:
    evil = '<script>alert("x")</script>\x1b[2J'
    judged = ReviewedMove(1, 0, evil, 2, 0, 9, loss=0.4, verdict="blunder", better=evil, line=[evil])
    review = Review(1, "tictactoe", "", [evil, "b"], ["x", "o"], evil, "", [judged], opening=evil, date=evil)
    html = review._repr_html_()
    assert html is not None and "<script" not in html and "\x1b" not in html and "&lt;script&gt;" in html

    class Evil(gameplay.Position):
        sides = (evil, "b")

        def moves(self) -> list[int]:
            return [0]

        def make(self, move: int) -> None: ...

        def outcome(self) -> tuple[float, ...] | None:
            return None

        def board(self, viewer: int | None = None, last: int | None = None) -> gameplay.Board:
            return gameplay.Board(((evil,),), columns=(evil,), trays=(gameplay.Tray(evil, (evil,)),))

        def __str__(self) -> str:
            return evil

    picture = Evil()._repr_svg_()
    assert picture is not None and "<script" not in picture and "\x1b" not in picture
    ElementTree.fromstring(picture)


def test_the_renderer_is_loaded_only_by_a_notebook() -> None:
    program = (
        "import sys, gameplay\n"
        "p = gameplay.game('nim').new(); gameplay.engine('alphabeta:depth=2').search(p)\n"
        "print([n for n in sys.modules if n.startswith(('gameplay.display', 'gameplay.cli', 'rich'))])\n"
        "p._repr_svg_(); print('gameplay.display.pages.notebook' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[]", "True"]
