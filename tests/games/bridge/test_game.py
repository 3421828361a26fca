"""Bridge: rules against OpenSpiel, the score table of the laws, imperfect information, notation."""

import _thread
import json
import random
import sys
import threading
import time
import tomllib
import zlib
from collections import Counter
from itertools import combinations

import pytest
from click.testing import CliRunner

from gameplay.cli import router, run
from gameplay.errors import BadInput, IllegalMove, Usage
from gameplay.games.bridge import card_play
from gameplay.games.bridge import game as bridge
from gameplay.games.bridge.game import VULNERABLE as VULNERABLE_SIDES
from gameplay.games.bridge.game import _parse_contract
from gameplay.games.bridge.score import par, score
from gameplay.games.shared import pack
from gameplay.games.shared.tricks import deal_uniformly
from gameplay.registry import game
from tests.answers.tricks import LETTERS, step
from tests.support.conformance import check_laws
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

HERE = TESTS / "answers"
SCORES = tomllib.loads((HERE / "bridge_score.toml").read_text())["scores"]
GAMES = [line.split() for line in (HERE / "tricks.txt").read_text().splitlines() if line.startswith("bridge")]
DEAL = "N:Q3.KT732.JT42.AK AK9762.84.8763.4 J4.AJ96.Q95.T853 T85.Q5.AK.QJ9762"
VULNERABLE = {"00": "none", "10": "ns", "01": "ew", "11": "both"}


def test_random_games_equal_openspiels_step_by_step():
    for _, vulnerable, north, crc, actions in GAMES:
        position, seen = game(f"bridge:vulnerable={VULNERABLE[vulnerable]}").new(), 0
        for letter in actions:
            seen = zlib.crc32(step(position.turn, position.moves()), seen)
            position.make(LETTERS.index(letter))
        points = int(north)
        assert position.outcome() == (points, -points, points, -points)
        assert f"{seen:08x}" == crc


@pytest.mark.parametrize("row", SCORES, ids=[f"{row[0]}-{row[1]}" for row in SCORES])
def test_contract_scores_equal_the_laws(row):
    contract, tricks, usual, vulnerable = row
    assert score(_parse_contract(contract, 0), tricks, False) == usual
    assert score(_parse_contract(contract, 0), tricks, True) == vulnerable


def test_a_declarer_without_a_contract_is_refused():
    with pytest.raises(BadInput, match=r"^a declarer needs a contract, as in contract=4S,declarer=E$"):
        game("bridge:declarer=W").new()


@pytest.mark.parametrize("spec", ["bridge", "bridge:contract=3N,declarer=E"])
def test_game_satisfies_the_contract(spec):
    check_laws(spec, 1)


def test_consistent_deals_are_equally_likely():
    cards, room, lacking = [0, 1, 2, 4, 5], [2, 2, 1], [{0, 4, 8}, set(), {2}]
    ways = [
        (combination, two)
        for combination in combinations(cards, 2)
        for two in combinations([card for card in cards if card not in combination], 2)
        if all(card % 4 for card in combination)
        and all(card % 4 != 2 for card in cards if card not in combination and card not in two)
    ]
    rng, seen = random.Random(5), Counter()
    for _ in range(300 * len(ways)):
        hands = deal_uniformly(cards, room, lacking, rng)
        seen[tuple(sorted(hands[0])), tuple(sorted(hands[1]))] += 1
    assert set(seen) == set(ways)
    assert sum((count - 300) ** 2 / 300 for count in seen.values()) < 3 * len(ways)  # chi squared


def test_determinize_respects_shown_voids():
    position = game("bridge:contract=2H,declarer=S").new(
        f"{DEAL} 5s 3s Ks 4s As Js 8s Qs 4c 3c 9c Ac Kc 8d".strip()
    )
    assert position.turn == position.state.contract.declarer or position.turn in (1, 3)
    for seed in range(20):
        other = position.determinize(2, random.Random(seed))
        assert not [card for card in other.state.hands[1] if card % 4 == 0]  # east had one club alone
        assert other.state.hands[0] == position.state.hands[0]  # dummy
        assert other.infoset(2) == position.infoset(2)
    known = {position.determinize(2, random.Random(seed)).state.hands for seed in range(5)}
    assert len(known) == 5


def test_dummy_is_visible_after_the_opening_lead():
    position = game("bridge:contract=2H,declarer=S").new(DEAL)
    assert "Q3" not in position.show(1)
    position.make(position.parse("5s"))
    assert "Q3.KT732.JT42.AK" in position.show(1) and "J4" not in position.show(1)
    assert position.turn == 2  # the declarer plays dummy's cards
    assert position.parse("3S") == position.parse("S3") == position.parse("3♠") == position.moves()[0]


def test_following_suit_is_compulsory():
    position = game("bridge:contract=2H,declarer=S").new(DEAL + " 5s")
    with pytest.raises(IllegalMove, match="a player with a spade must follow suit"):
        position.parse("Kh")


def test_the_auction_names_the_declarer():
    position = game("bridge").new(DEAL + " 1D 1S 2H 2S 3H p p p")
    assert str(position.state.contract) == "3H by S" and position.turn == 3
    assert game("bridge").new(DEAL + " 1D x xx p p p").state.contract.times == 4
    passed = game("bridge").new(DEAL + " p p p p")
    assert passed.outcome() == (0, 0, 0, 0) and passed.ending() == "passed out"


def solve(*arguments):
    return CliRunner().invoke(router, ["solve", *arguments], standalone_mode=False)


def test_solve_reports_tricks_of_each_declarer():
    result = solve("bridge", "--position", DEAL)
    assert result.return_value == 0
    *lines, nothing, effort = result.output.splitlines()
    assert lines == [
        "no trumps: north 5, east 6, south 5, west 6",
        "spades: north 3, east 10, south 3, west 10",
        "hearts: north 8, east 4, south 8, west 4",
        "diamonds: north 8, east 5, south 8, west 5",
        "clubs: north 4, east 9, south 4, west 9",
        "par     420 for east and west: 4S by E, 4S by W",
    ]
    assert not nothing and effort.startswith("effort  127,460 tricks looked at in ")


def test_par_is_reported_as_data_for_each_vulnerability():
    result = solve("bridge:vulnerable=both,dealer=E", "--json", "--position", DEAL)
    document = json.loads(result.output)
    assert list(document) == ["game", "position", "tricks", "par", "nodes", "seconds"]
    assert document["game"] == "bridge:vulnerable=both,dealer=E" and document["position"] == DEAL
    assert list(document["tricks"]) == ["no trumps", "spades", "hearts", "diamonds", "clubs"]
    assert document["tricks"]["diamonds"] == {"north": 8, "east": 5, "south": 8, "west": 5}
    contracts = [{"contract": "4S", "declarer": side, "over": 0} for side in ("east", "west")]
    assert document["par"] == {"score": -620, "contracts": contracts}


def test_par_equals_another_programs():
    """Scores and contracts of 200 deals, from that program's tables of tricks."""
    tables = [line.split()[-1] for line in (HERE / "bridge.txt").read_text().splitlines() if line[0] != "#"]
    rows = [line.split() for line in (HERE / "bridge_par.txt").read_text().splitlines() if line[0] != "#"]
    assert len(rows) == 200
    for number, vulnerable, dealer, points, *contracts in rows:
        digits = tables[int(number)]
        table = [[int(digit, 16) for digit in digits[4 * place : 4 * place + 4]] for place in (4, 3, 2, 1, 0)]
        result = par(table, VULNERABLE_SIDES[vulnerable], "NESW".index(dealer))
        assert result.score == int(points)
        texts = [f"{contract.bid}{'NESW'[contract.declarer]}{over:+d}" for contract, over in result.contracts]
        assert sorted(texts) == contracts


def test_par_is_a_pass_without_a_makeable_contract():
    assert par([[6] * 4] * 5, (), 0) == (0, ())
    assert par([[6, 7, 6, 7]] * 5, (), 0).contracts[0][0].bid == "1N"


def test_solve_reports_tricks_of_each_card():
    result = solve("bridge:contract=2H,declarer=S", "--position", DEAL + " 5s 3s")
    assert result.return_value == 0
    assert result.output.splitlines()[:-1] == [
        *(f"{card}s: south takes 8 tricks" for card in "AK"),
        *(f"{card}s: south takes 10 tricks" for card in "9762"),
        "",
    ], "the best first for who plays"
    result = solve("bridge:contract=1N,declarer=S", "--position", DEAL + " 5s 3s 2s Js")
    assert result.output.splitlines()[:-2] == [
        *(f"{card}: south takes 8 tricks" for card in ("Ah", "Jh", "Tc", "9h", "8c", "6h", "5c", "3c")),
        *(f"{card}: south takes 6 tricks" for card in ("Qd", "9d", "5d", "4s")),
    ]
    document = json.loads(solve("bridge:contract=2H,declarer=S", "--json", "--position", DEAL + " 5s").output)
    assert list(document) == ["game", "position", "declarer", "tricks", "nodes", "seconds"]
    assert document["declarer"] == "south" and document["tricks"] == {"3s": 8, "Qs": 8}


class Endless:
    """A solver that runs until it is stopped; interrupts: by Ctrl-C."""

    interrupts = False
    control, nodes = None, 0

    def __init__(self, bits):
        self.calls = 0

    def strain(self, hands, strain):
        self.calls += 1
        if self.calls == 1:
            return [7, 6, 7, 6]
        if self.interrupts:
            main = threading.main_thread().ident
            while sys._current_frames()[main].f_code.co_name not in ("_wait_for_tstate_lock", "join"):
                time.sleep(0.001)  # until it waits for this thread
            _thread.interrupt_main()
        while not self.control.stop:
            time.sleep(0.001)
        return None


def test_solve_reports_partial_results_at_its_time_limit(monkeypatch):
    monkeypatch.setattr(bridge, "BridgeSolver", Endless)
    result = solve("bridge", "--position", DEAL, "--time", "0.001")
    assert result.return_value == 4
    assert (
        result.output.startswith("no trumps: north 7, east 6, south 7, west 6\n")
        and "par" not in result.output
    )


def test_solve_reports_partial_results_when_interrupted(monkeypatch, capsys):
    monkeypatch.setattr(bridge, "BridgeSolver", Endless)
    monkeypatch.setattr(Endless, "interrupts", True)
    assert run(router, "gameplay", ["solve", "bridge", "--position", DEAL]) == 130
    output = capsys.readouterr()
    assert output.out.startswith("no trumps: north 7, east 6, south 7, west 6\n")


def test_a_deal_is_needed():
    assert isinstance(solve("bridge").exception, Usage)


class Scripted:
    """A solver with scripted results that records its calls."""

    def __init__(self, *tricks):
        self.left, self.calls = list(tricks), []

    def deal(self, hands, strain):
        self.deal_uniformly = hands, strain

    def tricks(self, leader, trick, guess):
        self.calls.append((leader, trick, guess))
        return self.left.pop(0)


@pytest.mark.parametrize(
    ("contract", "words", "script", "tricks", "queries"),
    [
        (
            "2H,declarer=S",  # west leads
            "",
            (5, 6, 4, 7, 3, None),
            {"2c": 5, "5h": 6, "5s": 4, "6c": 7, "7c": 7, "8s": 3, "9c": None},
            [((12,), 6), ((41,), 5), ((57,), 6), ((8,), 4), ((54,), 7), ((5,), 3)],
        ),
        (
            "1N,declarer=E",  # both sides have a trick, and eleven are left
            "3c 2c Kc 4c Jd 3d 5d Kd Qc",
            (4,),
            {"Ac": 1 + 11 - 4},
            [((2, 0), 5)],
        ),
    ],
)
def test_cards_are_valued_until_the_solver_is_stopped(contract, words, script, tricks, queries):
    """Adjacent cards are solved once; the guess is the last result."""
    position, solver = game(f"bridge:contract={contract}").new(f"{DEAL} {words}".strip()), Scripted(*script)
    assert {pack.card_text(card): taken for card, taken in position.double_dummy(solver)} == tricks
    assert solver.calls == [(3, *question) for question in queries]
    assert solver.deal_uniformly[1] == position.state.contract.strain


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("4S", "4S by E"),
        ("3nt", "3N by E"),
        ("7NTx", "7Nx by E"),
        ("1cXX", "1Cxx by E"),
        *((word, None) for word in ("4Sxxx", "0S", "8S", "4P", "4", "44S", "S4", "", "x")),
    ],
)
def test_words_of_contracts(word, message):
    if message:
        assert str(_parse_contract(word, 1)) == message
    else:
        with pytest.raises(BadInput, match=f"^'{word}' is not a contract: a level 1 to 7 and C, D, H, S or"):
            _parse_contract(word, 1)


# -- plain card play ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "trick", "trump", "card", "why"),
    [
        ("Tc 9c 2c 7d 3d", "", "", "Tc", "the highest of a sequence from a ten on"),
        ("9c 8c 2c 7d 3d", "", "", "2c", "no sequence: the longest suit, in which there is no fourth"),
        ("Qs Js Kd 7d 6d 5d 2d", "", "", "Qs", "a sequence in a shorter suit"),
        ("Ks Js Kd 7d 6d 5d 2d", "", "", "5d", "the fourth highest of five"),
        ("Kd 7d 6d 5d", "", "", "5d", "... and of four"),
        ("Ad Ah Kh Qc Jc Tc", "", "", "Qc", "of two sequences that of the longer suit"),
        ("Ks Qs Js Ts 7h 6d 3d", "", "s", "3d", "no trump, as long as there are others"),
        ("Ks Js 7s 4s 2s", "", "s", "4s", "... and else the fourth highest of them"),
        ("Ah 3h Ks", "Qh", "", "3h", "second hand plays low"),
        ("Ah Kh 3h", "4h Qh", "", "Ah", "third hand plays high"),
        ("Ah Kh 3h", "4h Qh 2h", "", "3h", "nobody beats their partner's trick when last"),
        ("Ah Kh 3h", "Qh 4h 2h", "", "Kh", "the last one takes it as cheaply as can be"),
        ("Jh Th", "Qh 4h 2h", "", "Th", "who cannot take it plays low"),
        ("Ah Kh 3h", "Jh 4h", "", "3h", "... nor as the third hand"),
        ("7s 9s 5c 4c 8d", "Qh", "s", "7s", "who cannot follow ruffs, with the lowest that wins"),
        ("7s 9s 5c 4c 8d", "Qh 8s", "s", "9s", "... which is above another's"),
        ("7s 5c 4c 8d", "Qh 8s", "s", "4c", "who cannot ruff throws the lowest of the longest side suit"),
        ("7s 9c 8c 2d", "Qh 8s", "s", "8c", "... which need not be the lowest card of all"),
        ("7s 5c 4c 8d 3d", "4h Qh 5h", "", "3d", "of two as long the lowest card"),
        ("7s 9s", "4h Ah", "s", "7s", "ruffs where the trick is the other side's"),
        ("7s 9s 8d", "Ah 4h", "s", "8d", "does not ruff what is the partner's"),
        ("7s 9s", "Ah 4h", "s", "7s", "... but with the lowest trump if there is nothing else"),
    ],
)  # fmt: skip
def test_beginner_rules_of_card_play(hand, trick, trump, card, why):
    def cards(text):
        return [pack.parse_card(word) for word in text.split()]

    suit = "cdhs".index(trump) if trump else None
    assert pack.card_text(card_play.card(sorted(cards(hand)), cards(trick), suit)) == card, why
