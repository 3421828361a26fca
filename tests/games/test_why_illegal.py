"""The reason for refusing a typed move, by game; the legal moves follow it."""

import re
from random import Random

import pytest

from gameplay import registry
from gameplay.errors import IllegalMove, brief
from gameplay.position import CHANCE, AbstractPosition

REASONS = [
    ("checkers", "", "22-18", "the piece on 22 is white's"),
    ("checkers", "", "1-5", "square 5 is occupied"),
    ("checkers", "", "14-18", "there is no piece on 14"),
    ("checkers", "", "9-18", "a piece moves one square diagonally; there is no piece of white to jump over"),
    ("checkers", "", "9-15", "a piece moves one square diagonally"),
    ("checkers", "11-15 22-18", "8-11", "jumps are mandatory"),
    ("checkers", "11-15 24-20 10-14 28-24", "15-10", "men do not move backwards; kings do"),
    ("chess", "", "Ke2", "a piece of yours stands on e2"),
    ("chess", "", "a1a2", "a piece of yours stands on a2"),
    ("chess", "", "e2e5", "the piece on e2 can go to e3, e4"),
    ("chess", "", "g1g3", "the piece on g1 can go to f3, h3"),
    ("chess", "e4 e5 Nf3 Nc6 Bc4 Bc5", "e1e3", "the piece on e1 can go to g1, f1, e2"),
    ("chess", "", "e7e5", "the piece on e7 is not White's, who is to move"),
    ("chess", "e4 f5 Qh5", "Kf7", "it would leave the king in check"),
    ("othello", "", "a1", "black flips no disc on a1"),
    ("othello", "", "d4", "there is a disc on d4 already"),
    ("othello", "", "j3", "the cells go from a1 to h8"),
    ("othello", "", "pass", "black cannot pass while there is a move, such as d3"),
    ("othello:size=6", "", "g1", "the cells go from a1 to f6"),
    ("go:size=5", "C3", "C3", "there is a stone on C3 already"),
    ("go:size=3", "A2 C3 B1", "A1", "suicide is forbidden; the stone would have no liberty"),
    ("connect4", "4 4 4 4 4 4", "4", "column 4 is full"),
    ("connect4", "", "8", "the columns go from 1 to 7"),
    ("connect4:players=3", "1 1 1 1 1 1", "1", "column 1 is full"),
    ("tictactoe", "b2", "b2", "x is on b2 already"),
    ("tictactoe", "b2", "d1", "the cells go from a1 to c3"),
    ("tictactoe:players=3", "a1 b1", "b1", "o is on b1 already"),
    ("nim", "", "a4", "heap a has 3 stones"),
    ("nim", "a3", "a1", "heap a is empty"),
    ("nim", "", "d1", "the heaps are a to c"),
    ("nim", "", "b0", "at least one stone must be taken"),
    ("nim", "", "b", "write also how many stones to take from b"),
    ("nim", "", "3", "write a heap and how many stones to take, as in a1"),
    ("pig", "", "hold", "the pot is empty; roll first"),
    ("liars-dice", "1 2 1x3", "1x2", "a bid must be higher than 1x3"),
    ("liars-dice", "1 2", "liar", "there is no bid to doubt"),
    ("liars-dice", "1 2", "3x1", "a bid is of 1 to 2 dice, as many as there are"),
    ("liars-dice", "1 2", "1x7", "the faces go from 1 to 6"),
    ("battleship:ships=2+3", "", "a1-c1", "this ship has 2 cells"),
    ("battleship:ships=2+3", "", "a1-b2", "a ship lies across or down, from one end to the other"),
    ("battleship:ships=2+3", "", "j10-j11", "the cells go from a1 to j10"),
    ("battleship:ships=2+3", "b1-b2 a1-a2", "a2-c2", "a ship of yours lies there"),
    ("battleship:ships=1", "a1 a1 c3 c4", "c3", "you have shot at c3 already"),
    ("battleship:rows=1,columns=3,ships=1+2", "", "b1", "your other ships would not fit"),
    ("phantom-tictactoe", "a1 b1", "a1", "you know that x is on a1"),
    ("phantom-tictactoe", "", "a4", "the cells go from a1 to c3"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "moves", "typed", "why"), REASONS)
def test_reason_of_a_refused_move(game: str, moves: str, typed: str, why: str) -> None:
    position = registry.game(game).new(moves)
    with pytest.raises(IllegalMove) as caught:
        position.parse(typed)
    refusal = str(caught.value)
    assert refusal.startswith(f"'{typed}' is not ") and f" here: {why}" in refusal
    assert typed not in [position.format(move) for move in position.moves()]


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("a1-a2", "a flag does not move"),
        ("a4-b4", "a piece of yours stands on b4"),
        ("c4-c5", "c5 is in a lake"),
        ("k4-k5", "the cells go from a1 to j10"),
        ("a4-a11", "the cells go from a1 to j10"),
        ("a10-a9", "the piece on a10 is not yours"),
        ("j5-j6", "there is no piece on j5"),
        ("a4-a6", "moves one cell along a row or a column"),
    ],
)
def test_reason_of_a_refused_move_of_stratego(typed: str, why: str) -> None:
    position = registry.game("stratego").new()
    while position.turn == CHANCE or position.placing() is not None:
        position.make(position.moves()[0])
    with pytest.raises(IllegalMove, match=f"here: .*{why}"):
        position.parse(typed)


def test_a_finished_game_has_no_reason() -> None:
    for game, moves in (
        ("nim:heaps=1", "a1"),
        ("tictactoe", "a1 a2 b1 b2 c1"),
        ("connect4", "1 2 1 2 1 2 1"),
    ):
        with pytest.raises(IllegalMove, match=r"^'a9': the game is over$"):
            registry.game(game).new(moves).parse("a9")


def _refusal(position: AbstractPosition, typed: str) -> str:
    try:
        return position.format(position.parse(typed))
    except IllegalMove as error:
        return str(error)


@pytest.mark.parametrize(
    "game",
    [
        "battleship:rows=4,columns=4,ships=1+2",
        *("bridge", "hearts", "holdem", "liars-dice:dice=4", "phantom-tictactoe", "scrabble", "stratego"),
    ],
)
def test_reasons_reveal_no_hidden_information(game: str) -> None:
    rng, position, words, compared = Random(1), registry.game(game).new(), ["zz"], 0
    for ply in range(130):
        if position.outcome() is not None:
            break
        if position.turn != CHANCE and (ply < 60 or ply % 10 == 0):
            other = position.determinize(position.turn, rng)
            for typed in words[-12:]:
                assert _refusal(position, typed) == _refusal(other, typed)
                compared += 1
        move = rng.choice(position.moves())
        words.append(position.format(move))
        position.make(move)
    assert compared > 20


@pytest.mark.parametrize(
    ("game", "moves", "typed"),
    [
        ("connect4", "", "9" * 5000),  # more digits than int() reads
        ("connect4", "", "04"),
        ("nim", "", "a01"),
        ("liars-dice", "1 2", "01x2"),
        ("liars-dice", "", "liar"),  # no player moves: the dice are rolled
        ("pig", "roll", "hold"),
    ],
)
def test_no_reason_for_text_that_is_not_a_move(game: str, moves: str, typed: str) -> None:
    position = registry.game(game).new(moves)
    with pytest.raises(
        IllegalMove, match=f"^'{re.escape(brief(typed))}' is not a legal move here( \\(|; did)"
    ):
        position.parse(typed)
