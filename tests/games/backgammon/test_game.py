"""Backgammon: rules against GNU Backgammon and OpenSpiel, doubling cube, matches, resignation, drawing."""

import base64
import re
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gameplay import registry
from gameplay.cli import router
from gameplay.display.board import drawing as boards
from gameplay.display.terminal.line import board_text
from gameplay.display.theme import detect_theme
from gameplay.engines.expectiminimax.engine import Expectiminimax
from gameplay.errors import IllegalMove
from gameplay.games.backgammon.identity import position_id
from gameplay.kernel import compiled
from gameplay.position import CHANCE, side
from gameplay.search.limit import Limit
from tests.support.backgammon import (
    ANSWERS,
    POSITIONS,
    backgammon,
    checkers,
    match_id,
    play_cube_game,
    with_moves,
    with_roll,
)
from tests.support.golden import golden
from tests.support.themes import BOARDS, draw_match, print_lines

THROWS = [f"{high}{low}" for high in range(1, 7) for low in range(1, high + 1)]


def after(position: Any) -> list[str]:
    """The position IDs after the legal turns, the mover's checkers last."""
    me, results = position.turn, []
    for move in position.moves():
        position.make(move)
        results.append(position_id(position.checkers(1 - me), position.checkers(me)))
        position.unmake()
    return results


# -- the rules ------------------------------------------------------------------------------------


def test_turns_lead_to_the_same_positions_as_gnu_backgammon() -> None:
    for text, count, digest in POSITIONS if compiled() else POSITIONS[::10]:
        results = sorted(after(backgammon(text)))
        assert len(results) == len(set(results)) == int(count), text
        assert blake2b(" ".join(results).encode(), digest_size=8).hexdigest() == digest, text


def test_roll_counts_from_the_start_equal_the_published_ones() -> None:
    start = ANSWERS["start"]
    counts = {throw: len(with_roll(backgammon(start["position"]), throw).moves()) for throw in THROWS}
    assert counts == start["results"]
    assert sum(counts.values()) == 447


@pytest.mark.skipif(not compiled(), reason="200,000 positions")
def test_two_ply_counts_equal_the_published_ones() -> None:
    position = backgammon(ANSWERS["start"]["position"])
    assert position.perft(4) == ANSWERS["start"]["second"]


@pytest.mark.parametrize("game", ANSWERS["game"], ids=lambda game: str(game["payoffs"]))
def test_games_of_openspiel(game: dict[str, Any]) -> None:
    position, counts = backgammon(), list(map(int, game["turns"].split()))
    for word in game["moves"].split():
        if position.turn != CHANCE:
            assert len(position.moves()) == counts.pop(0)
        position.make(position.parse(word))
    assert not counts
    assert list(position.outcome()) == game["payoffs"]


def test_opening_roll_decides_the_first_player() -> None:
    position = backgammon()
    assert position.turn == CHANCE
    assert position.chances() == [1 / 30] * 30
    assert side(position, with_roll(backgammon(), "31").turn) == "white"
    black = with_roll(backgammon(), "13")
    assert side(black, black.turn) == "black"
    assert black.parse("8/5 6/5") in black.moves()


def test_cube_is_in_play_on_request_and_in_longer_matches() -> None:
    for given, cube in (("", False), (":cube=on", True), (":match=1", False), (":match=2", True)):
        position = backgammon(spec=f"backgammon{given}")
        for _ in range(2):  # the first throw, and how it is played
            position.make(position.moves()[0])
        assert ("double" in map(position.format, position.moves())) == cube, given


def test_rolls_have_their_probabilities() -> None:
    position = backgammon("4HPwATDgc/ABMA")
    odds = dict(zip(map(position.format, position.moves()), position.chances(), strict=True))
    assert len(odds) == 21
    assert odds["66"] == 1 / 36
    assert odds["65"] == 2 / 36


def test_taking_back_brings_everything_back() -> None:
    position = backgammon(spec="backgammon:match=3")
    seen = []
    for number in range(400):
        if position.outcome() is not None:
            break
        seen.append((position.key(), position.text(), position.moves()))
        position.make(seen[-1][2][number * 7 % len(seen[-1][2])])
    for key, text, moves in reversed(seen):
        position.unmake()
        assert (position.key(), position.text(), position.moves()) == (key, text, moves)


# -- the cube and matches -------------------------------------------------------------------------


def test_a_dropped_double_pays_the_cube() -> None:
    position = backgammon("4HPwATDgc/ABMA", "backgammon:cube=on")
    for word in ("double", "take"):
        assert word in map(position.format, position.moves())
        position.make(position.parse(word))
    assert position.turn == CHANCE
    with_roll(position, "31").make(position.parse("8/5 6/5"))
    position.make(position.parse("double"))
    position.make(position.parse("drop"))
    assert position.outcome() == (-2, 2)
    assert position.ending() == "a dropped double"


def test_only_the_owner_of_the_cube_may_double() -> None:
    position = backgammon("4HPwATDgc/ABMA double take 31 8/5;6/5", "backgammon:cube=on")
    assert side(position, position.turn) == "black"
    position.make(position.parse("roll"))
    with_roll(position, "31").make(position.parse("8/5 6/5"))
    assert position.turn == CHANCE, "white gave the cube away"


def test_the_crawford_game_has_no_cube() -> None:
    """A match to 3: black drops twice, and white needs one point; then black may double again."""
    position = backgammon("4HPwATDgc/ABMA double drop", "backgammon:match=3")
    assert position.board().notes[0].startswith("1 of 3 points")
    for word in ("31", "8/5;6/5", "roll", "31", "8/5;6/5", "double", "drop", "31", "8/5;6/5"):
        position.make(position.parse(word))
    assert position.board().notes[0].startswith("2 of 3 points")
    assert position.turn == CHANCE, "nobody is asked in the Crawford game"
    assert position.outcome() is None


def test_the_cube_is_worth_nothing_in_the_crawford_game() -> None:
    """The same board at 6-2 in a match to 7: in any other game the available cube has a value."""
    guesses = [
        backgammon(match_id(crawford=crawford, mine=6, theirs=2), "backgammon:match=7,cube=on").evaluate_for(
            0
        )
        for crawford in (0, 1)
    ]
    assert guesses == [72380, 70382]


# Who is on roll has borne off none, and the other side bears off its last two: a gammon.
LOST = f"{position_id(checkers({1: 2}), checkers({7: 5, 8: 5, 9: 5}))} 31"


# -- giving up ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spoken", "payoffs", "ending"),
    [
        ("resign", (-2, 2), "resignation"),
        ("resign gammon", (-4, 4), "a resigned gammon"),
        ("Resign backgammon", (-6, 6), "a resigned backgammon"),
    ],
)
def test_resignation_loses_the_accepted_points(spoken: str, payoffs: tuple[int, int], ending: str) -> None:
    start = "4HPwATDgc/ABMA double take 31 8/5;6/5 roll 31 8/5;6/5 31"
    position = backgammon(start, "backgammon:cube=on")
    assert side(position, position.turn) == "white"
    before = position.key()
    for word in (spoken, "decline"):
        with_moves(position, word)
    assert position.key() == before, "the same throw is to be played"
    with_moves(position, spoken)
    assert side(position, position.turn) == "black"
    assert list(map(position.format, position.moves())) == ["accept", "decline"]
    again = backgammon(position.text(), "backgammon:cube=on")
    assert again.key() == position.key(), "a match ID holds the offer"
    with_moves(position, "agree")
    assert position.outcome() == payoffs
    assert position.ending() == ending
    assert backgammon(position.text(), "backgammon:cube=on").outcome() == payoffs
    for _ in range(4):
        position.unmake()
    assert position.key() == before


def test_a_game_that_is_given_up_is_one_of_the_match() -> None:
    position = backgammon("4HPwATDgc/ABMA roll 31 resign-gammon accept", "backgammon:match=3")
    assert position.outcome() is None
    assert [position.board().notes[seat][0] for seat in range(2)] == ["0", "2"]
    assert with_moves(position, "31").concessions(), "the next game goes on"
    with_moves(position, "resign", "accept")
    assert position.outcome() == (-1, 1)
    assert position.ending() == "3 points to 0"


def test_resignation_is_bounded_and_in_turn() -> None:
    position = backgammon("4HPwATDgc/ABMA double", "backgammon:cube=on")
    assert position.concessions() == []
    with pytest.raises(IllegalMove, match="take, drop"):
        position.parse("resign")
    position = backgammon("4HPwATDgc/ABMA 31 resign")
    with pytest.raises(IllegalMove, match="accept, decline"):
        position.parse("resign gammon")
    off = backgammon(position_id(checkers({1: 2, 2: 1}), checkers({1: 3})))
    assert [off.format(move) for move in off.concessions()] == ["resign"]
    with pytest.raises(IllegalMove, match="'resign gammon' is not possible here: a checker is borne off"):
        off.parse("resign gammon")
    with pytest.raises(IllegalMove, match="expected resign, resign gammon or resign backgammon"):
        off.parse("resign all")
    jacoby = backgammon("4HPwATDgc/ABMA roll 31", "backgammon:cube=on,jacoby=on")
    with pytest.raises(IllegalMove, match=r"gammons do not count before the cube is turned\. Try: resign"):
        jacoby.make(jacoby.parse("resign gammon"))


def test_an_offer_is_no_move_that_a_search_looks_at() -> None:
    position = backgammon("4HPwATDgc/ABMA 31")
    assert not set(position.concessions()) & set(position.moves())


@pytest.mark.parametrize(
    ("start", "offer", "answer"),
    [
        ("4HPwATDgc/ABMA 31", "resign", "accept"),  # the game is even: a point is more than it is worth
        (LOST, "resign", "decline"),
        (LOST, "resign gammon", "accept"),
    ],
)
def test_expectiminimax_answers_offers_by_expectation(start: str, offer: str, answer: str) -> None:
    position = with_moves(backgammon(start), offer)
    report = Expectiminimax().search(position, Limit(depth=1))
    assert position.format(report.move) == answer


def test_a_person_gives_up_a_gammon(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    flags = ["--seed", "3", "--players", "human,expectiminimax:depth=1"]
    ran = CliRunner().invoke(
        router, ["play", "backgammon:match=1", *flags], input="help resign\nresign gammon\n"
    )
    assert ran.exit_code == 0, ran.output
    assert "black wins by 1 point to 0" in ran.output


@pytest.mark.parametrize(
    ("parameters", "moves", "reason"),
    [
        ("cube=on,jacoby=on", "31 8/5;6/5 roll 62", "gammons do not count before the cube is turned"),
        ("match=5", "31 8/5;6/5 double", "you cannot resign now; answer first"),
    ],
)
def test_a_person_is_given_the_reason_against_a_gammon(
    parameters: str, moves: str, reason: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    flags = ["--players", "human,human", "--moves", moves, "--plain"]
    ran = CliRunner().invoke(router, ["play", f"backgammon:{parameters}", *flags], input="resign gammon\n")
    assert reason in ran.output


# -- the board ------------------------------------------------------------------------------------


def test_the_board_has_piles_between_walls() -> None:
    board = backgammon("4HPwATDgc/ABMA 31 8/5;6/5").board()
    text = boards.draw(board, detect_theme(color="never", ascii=True), 1).plain
    assert text.split("\n")[:15] == BOARD.split("\n")[1:16]
    assert boards.size(board, 1, detect_theme(color="never")) == (48, 16)


BOARD = """
  12 11 10  9  8  7  bar  6  5  4  3  2  1  off
 +------------------+---+------------------+---+
 | X  .  .  .  O  . |   | O  .  .  .  .  X |   |
 | X           O    |   | O              X |   |
 | X           O    |   | O                |   |
 | X                |   | O                |   |
 | X                |   | O                |   |
 |                  |   |                  |   |
 | O                |   |                  |   |
 | O                |   | X                |   |
 | O                |   | X                |   |
 | O           X    |   | X [X]          O |   |
 | O  .  .  .  X  . |   | X  X  .  .  .  O |   |
 +------------------+---+------------------+---+
  13 14 15 16 17 18  bar 19 20 21 22 23 24  off
"""


def test_turn_is_drawn_step_by_step() -> None:
    """31 played 8/5, then 6/5; and 24/20 via either point."""
    position = with_roll(backgammon("4HPwATDgc/ABMA"), "31")
    board = position.board()
    cells = {name: board.find(name) for name in ("24", "23", "21", "20", "8", "6", "5")}
    assert cells["5"] in board.targets(cells["8"])
    begun = board.after([(cells["8"], cells["5"])])
    assert begun.counts[cells["8"]] == 2
    assert begun.counts[cells["5"]] == 1
    (move,) = begun.targets(cells["6"])[cells["5"]]
    assert position.format(move) == "8/5;6/5"
    for between in ("23", "21"):
        half = board.after([(cells["24"], cells[between])])
        (move,) = half.targets(cells[between])[cells["20"]]
        assert position.format(move) == "24/20"


def test_checker_hit_on_the_way_goes_to_the_bar() -> None:
    text = position_id(checkers({6: 1, 24: 14}), checkers({24: 1, 8: 14}))
    board = with_roll(backgammon(text), "53").board()
    start, end = board.find("24"), board.find("19")
    begun = board.after([(start, end)])
    assert begun.piece(end) == "X"
    assert begun.counts[board.hit[1]] == 1


# -- how it looks -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", BOARDS)
def test_board_equals_the_stored_drawing(board: str) -> None:
    golden(f"backgammon_{board}", draw_match(play_cube_game(24), board, narrow=60))


def test_a_whole_game_in_lines() -> None:
    game = play_cube_game()
    text = print_lines(game)
    rolls = sum(turn.player < 0 for turn in game.turns)
    assert text.count("the dice show") == rolls and text.count(" plays ") == len(game.turns) - rolls
    position: Any = game.position
    winner = max((0, 1), key=lambda player: position.outcome()[player])
    shown = re.findall(r"pips (\d+)", text)
    assert [int(result) == 0 for result in shown[-2:]] == [winner == 0, winner == 1], (
        "the winner has none left"
    )
    golden("backgammon_game", "\n".join([text, board_text(game.board()), ""]))


def men_of(waiting: dict[int, int], rolling: dict[int, int], more: int = 0) -> str:
    """A position ID of the checkers of two sides, by points; `more`: other bits."""
    bits, at = more, 0
    for counts in (waiting, rolling):
        for point in range(1, 26):
            bits |= ((1 << counts.get(point, 0)) - 1) << at
            at += counts.get(point, 0) + 1
    return base64.b64encode(bits.to_bytes(10, "little")).decode().rstrip("=")


# -- positions that cannot be ----------------------------------------------------------------------------


def test_a_position_of_few_men_is_read_as_it_was_written() -> None:
    position = registry.game("backgammon").new(men_of({1: 2, 25: 1}, {23: 3, 2: 1}))
    assert position.text().startswith(men_of({1: 2, 25: 1}, {23: 3, 2: 1}) + ":")
    over = registry.game("backgammon").new(men_of({1: 2}, {}))
    assert over.outcome() == (1, -1)
    with pytest.raises(IllegalMove) as refused:
        over.parse("1/off")
    assert str(refused.value) == "'1/off': the game is over"


@pytest.mark.parametrize(
    ("text", "legal"),
    [
        (
            "xLvgIGCzfI4AEA:MAEbAAAAAAAE",
            "11/5 8/2(3), 23/17*/5 8/2, 23/17*/5 11/5, 23/17* 8/2(3), 23/17*/11 8/2(2), 23/17* 11/5 8/2(2)",
        ),
        (
            "zrURAwGfD0ABJg:MIEOAAAAAAAE",
            "13/5, 22/14, 14/6*, 14/9 13/10, 14/11 13/8, 22/17 14/11, ...",
        ),
    ],
)
def test_wrong_turn_lists_at_most_six_legal_turns(text, legal):
    with pytest.raises(IllegalMove) as error:
        registry.game("backgammon").new(text).parse("24/1 24/1 24/1")
    assert (
        str(error.value)
        == f"'24/1 24/1 24/1' is not a legal move here: you have no checker on point 24 (legal: {legal})"
    )
