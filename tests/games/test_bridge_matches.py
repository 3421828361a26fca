"""Matches of bridge: IMPs, vulnerability and rubbers by published tables; boards against par."""

import re
import tomllib
from typing import Any

import pytest

from gameplay.errors import BadInput
from gameplay.games.bridge.match_rules import Imps, Matchpoints, Rubbers, imps
from gameplay.games.bridge.rubber import Rubber, honors
from gameplay.games.bridge.score import STRAINS, Contract
from gameplay.matches.match import Match
from gameplay.matches.series import Series
from gameplay.players.empty_seat import EmptySeat
from gameplay.registry import game
from gameplay.scoring.scoresheet import PlayedGame, Scoresheet
from tests.support.paths import TESTS
from tests.support.play import Play, play

assert play  # fixture

DEAL = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
ANSWERS = tomllib.loads((TESTS / "answers" / "bridge_match.toml").read_text())


def contract(text: str, declarer: int = 0) -> Contract:
    return Contract(int(text[0]), STRAINS.index(text[1]), declarer, {0: 1, 1: 2, 2: 4}[text.count("x")])


def board(text: str, tricks: int, declarer: int = 0, honours: tuple[int, int] = (0, 0)) -> PlayedGame:
    facts = {
        "contract": list(contract(text, declarer)),
        "tricks": tricks,
        "honors": list(honours),
        "result": text,
    }
    return PlayedGame([0, 0, 0, 0], facts)


@pytest.mark.parametrize(("least", "most", "points"), ANSWERS["imps"])
def test_imps_are_those_of_the_published_table(least: int, most: int, points: int) -> None:
    assert imps(least) == imps(most) == points and imps(-least) == imps(-most) == -points


def test_dealer_and_vulnerability_rotate_as_on_duplicate_boards() -> None:
    rules = Imps(game("bridge").new(), 32)
    boards = []
    for number in range(17):
        fixture = rules.fixture([PlayedGame([0] * 4)] * number)
        assert fixture is not None and fixture.seats == (0, 1, 2, 3)
        boards.append((fixture.parameters["dealer"], fixture.parameters["vulnerable"]))
        game("bridge").with_parameters(fixture.parameters).new()
    assert [sides for _, sides in boards] == [*ANSWERS["vulnerable"].split(), "none"]
    assert "".join(dealer for dealer, _ in boards) == "NESW" * 4 + "N"


def played_board(score: int, par: int | None) -> PlayedGame:
    facts: dict[str, Any] = {"score": score, "result": "4S by N"}
    return PlayedGame([score, -score] * 2, facts | ({"par": par} if par is not None else {}))


def test_boards_are_compared_with_par() -> None:
    boards = [
        played_board(450, 420),
        played_board(-50, 420),
        played_board(-100, -100),
        played_board(620, None),
    ]
    teams = Imps(game("bridge").new(), 4)
    assert [teams.game_points(board)[:2] for board in boards] == [(1, 0), (0, 10), (0, 0), (0, 0)]
    pairs = Matchpoints(game("bridge").new(), 4)
    assert [pairs.game_points(board)[:2] for board in boards] == [(1, 0), (0, 1), (0.5, 0.5), (0, 0)]
    assert teams.fixture(boards) is None and teams.winners(boards) == [1, 3]
    assert teams.note(boards[1]) == "4S by N: 50 EW, par 420 NS"
    assert teams.note(boards[3]) == "4S by N: 620 NS, par not known yet"


def test_board_whose_par_is_not_known_yet_is_compared_later() -> None:
    """Par of an earlier board is solved from its stored hands while later boards are played."""
    result = played_board(620, None)
    result.facts["deal"] = DEAL
    sheet = Scoresheet("imps:4", "bridge", ["human"] * 4, [""] * 4, 1, "", played=[result])
    series = Series(sheet)
    assert "par not known yet" in series.table()[1] and series.parties[0][0] == "north-south"
    assert series.rules.scores(series.played)[:2] == (0, 0)
    series.solve(Match(game("bridge"), [EmptySeat("human")] * 4, DEAL))
    for solving in series.solved.values():
        solving.thread.join()
    row = series.table()[1]
    par = result.facts["par"]
    assert f"par {abs(par)} {'NS' if par > 0 else 'EW'}" in row
    assert series.rules.scores(series.played)[0] == max(0, imps(620 - par))


def test_stopped_solver_leaves_the_board_without_par() -> None:
    rules, position = Imps(game("bridge").new(), 4), game("bridge").new(DEAL)

    class Stopped:
        def expired(self) -> bool:
            return True

    result = played_board(620, None)
    result.facts.update(rules.solution(position, Stopped()), deal=DEAL)
    assert rules.note(result) == "4S by N: 620 NS, par not known: the solver was stopped"
    assert rules.unsolved_position(result) == "" and rules.game_points(result) == (0, 0, 0, 0)


@pytest.mark.parametrize("vulnerable", [False, True])
def test_contracts_of_a_rubber_count_as_in_the_published_table(vulnerable: bool) -> None:
    for text, tricks, below, above, others in ANSWERS["vulnerable_" * vulnerable + "contracts"]:
        rubber = Rubber()
        rubber.games = [int(vulnerable), 0]
        rubber.score(contract(text), tricks, (0, 0))
        bonus = 700 if vulnerable and below >= 100 else 0  # the second game
        assert rubber.points == [below + above + bonus, others], text
        assert rubber.below == ([below, 0] if below < 100 else [0, 0]), text
        assert rubber.games == ([0, 0] if bonus else [int(vulnerable) + (below >= 100), 0]), text


def test_a_rubber_from_deal_to_deal() -> None:
    """Part-scores add up to a game and are then reset; a side that has won a game is vulnerable."""
    rules = Rubbers(game("bridge").new(), 1)
    deals = [board("2H", 9), board("1N", 7, 1), board("2D", 8, 2)]  # 60 and 40 below the line: a game
    assert rules.rubber(deals).games == [1, 0] and rules.rubber(deals).below == [0, 0]
    assert rules.scores(deals)[:2] == (60 + 30 + 40, 40) and rules.vulnerable(deals) == "ns"
    deals += [board("3N", 9, 3)]
    assert rules.vulnerable(deals) == "both" and rules.fixture(deals) is not None
    assert rules.heading(deals) == ("deal 5, games 1-1, below the line 0-0, dealer N, vulnerable both")
    deals += [PlayedGame([0, 0, 0, 0], {"score": 0, "result": "passed out"}), board("4S", 10, 0, (100, 0))]
    assert rules.rubber(deals).finished == 1 and rules.fixture(deals) is None
    assert rules.scores(deals)[:2] == (130 + 120 + 100 + 500, 140)
    assert rules.winners(deals) == [0, 2]
    assert Rubbers(game("bridge").new(), 2).vulnerable(deals) == "none"


@pytest.mark.parametrize(
    ("text", "hand", "bonus"),
    [
        ("4S", "As Ks Qs Js Ts", [150, 0]),
        ("4S", "As Ks Qs Js 9s", [100, 0]),
        ("4S", "As Ks Qs 9s 8s", [0, 0]),
        ("4H", "As Ks Qs Js Ts", [0, 0]),
        ("3N", "As Ah Ad Ac 2c", [150, 0]),
        ("3N", "As Ah Ad Kc 2c", [0, 0]),
    ],
)
def test_honours_in_one_hand(text: str, hand: str, bonus: list[int]) -> None:
    cards = ["23456789TJQKA".index(card[0]) * 4 + "cdhs".index(card[1]) for card in hand.split()]
    assert honors([cards, [], [], []], contract(text, 1)) == bonus
    assert honors([[], cards, [], []], contract(text, 1)) == bonus[::-1]


def test_a_contract_that_is_given_is_refused() -> None:
    with pytest.raises(BadInput, match="leave contract out"):
        Imps(game("bridge:contract=4S").new(), 4)


@pytest.mark.once
def test_a_match_of_two_boards_in_lines(play: Play) -> None:
    players = "random,random,random,random"
    ran = play("bridge", "--players", players, "--match", "imps:2", "--seed", "4")
    assert ran.status == 0 and "game: bridge:dealer=E,vulnerable=ns" in ran.lines
    notes = re.findall(r"match: (.*): (\d+) (NS|EW), par (\d+) (NS|EW)", ran.out)
    table = [line for line in ran.lines if re.match(r"match: \d ", line)]
    assert len(table) == 2 and len(notes) >= 2
    for line in table:
        north, east, score, whose, par, side = re.match(
            r"match: \d +(\d+) +(\d+)  .*: (\d+) (NS|EW), par (\d+) (NS|EW)", line
        ).groups()
        signed = [int(points) * (1 if by == "NS" else -1) for points, by in ((score, whose), (par, side))]
        assert int(north) - int(east) == imps(signed[0] - signed[1])
    assert ran.lines[-1].startswith(("match: north-south wins", "match: east-west wins", "match: the match"))


@pytest.mark.once
def test_a_rubber_is_left_and_resumed(play: Play) -> None:
    four = ("--players", "human,human,human,human")
    ran = play("bridge", *four, "--match", "rubber", "--seed", "1", typed="pass\n" * 4 + "quit\n")
    assert "match: deal 1, games 0-0, below the line 0-0, dealer N, vulnerable none" in ran.out
    assert "passed out" in ran.out and "the match is saved" in ran.err
    assert "match: deal 2, games 0-0, below the line 0-0, dealer E, vulnerable none" in play("--resume").out


@pytest.mark.parametrize(
    "facts",
    [
        {"par": 20},
        {"score": "x", "par": 1, "result": ""},
        {"score": 50, "result": "4S by N", "deal": "N:A"},
    ],
)
def test_a_damaged_scoresheet_is_refused(facts: dict[str, Any]) -> None:
    sheet = Scoresheet("imps:4", "bridge", ["random"] * 4, [""] * 4, 0, "", "", [PlayedGame([0] * 4, facts)])
    with pytest.raises(BadInput, match="the scoresheet of the match is damaged"):
        Series(sheet)
    sheet.form, sheet.played[0].facts["contract"] = "rubber:1", [9]
    with pytest.raises(BadInput, match="the scoresheet of the match is damaged"):
        Series(sheet)
