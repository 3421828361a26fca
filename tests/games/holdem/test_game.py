"""Texas hold'em: hand classes by known counts, and betting against another program."""

import gzip
import json
import tomllib
from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

import pytest

from gameplay.engines.random import RandomMover
from gameplay.errors import BadInput, IllegalMove, Usage
from gameplay.games.holdem.game import CALL, LIMIT, Holdem
from gameplay.games.shared import poker_hands
from gameplay.kernel import compiled
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.interpreter import Interpreter
from gameplay.position import CHANCE
from gameplay.registry import game
from gameplay.search.limit import Limit
from gameplay.spans import Span
from tests.examples.engines import poker
from tests.support.paths import TESTS

BETS = tomllib.loads((TESTS / "answers" / "holdem_bets.toml").read_text())

FILE = TESTS / "answers" / "holdem.json.gz"
HANDS: list[dict[str, Any]] = json.loads(gzip.decompress(FILE.read_bytes()))
BITS = [1 << card for card in range(52)]

# How many of the 2,598,960 hands of five cards are of each class, from a high card up.
# https://en.wikipedia.org/wiki/Poker_probability, which counts the four royal flushes apart.
KNOWN = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36 + 4]


def worth(text: str) -> int:
    """The rank of a hand in words."""
    return int(poker_hands.strength(sum(map(poker_hands.bit, text.split()))))


# -- hands of cards -----------------------------------------------------------------------------


@pytest.mark.skipif(not compiled(), reason="two and a half million hands")
def test_counts_of_hand_classes() -> None:
    counts: Counter[int] = Counter()
    strength = poker_hands.strength
    for two in combinations(BITS, 2):
        three = [sum(rest) for rest in combinations(BITS[two[1].bit_length() :], 3)]
        both = two[0] | two[1]
        counts.update(map((26).__rrshift__, map(strength, map(both.__or__, three))))
    assert [counts[kind] for kind in range(9)] == KNOWN
    assert sum(KNOWN) == 2_598_960


def test_best_five_of_seven_cards_count() -> None:
    rng = Random(5)
    for _ in range(400 if compiled() else 40):
        cards = rng.sample(BITS, rng.choice((6, 7)))
        best = max(poker_hands.strength(sum(five)) for five in combinations(cards, 5))
        assert poker_hands.strength(sum(cards)) == best


def test_higher_cards_win_within_a_hand_class() -> None:
    falling = [
        *("As Ks Qs Js Ts", "Kh Qh Jh Th 9h", "5c 4c 3c 2c Ac"),
        *("As Ad Ac Ah 2c", "Ks Kd Kc Kh Ac", "Ks Kd Kc Kh Qc"),
        *("As Ad Ac 2h 2c", "Ks Kd Kc Ah Ac", "Ks Kd Kc Qh Qc"),
        *("As Js 9s 7s 5s", "Ah Jh 9h 7h 4h", "Kc Qc Jc Tc 8c"),
        *("As Kd Qs Js Ts", "6h 5h 4c 3c 2c", "As 2d 3s 4s 5s"),
        *("Qs Qd Qc As Ks", "Qs Qd Qc As Js", "Js Jd Jc As Ks"),
        *("As Ad 3s 3d 2c", "Ks Kd Qs Qd Jc", "Ks Kd Js Jd Ac"),
        *("As Ad Ks Qs Jc", "As Ad Ks Qs Tc", "2s 2d As Ks Qd"),
        *("As Ks Qs Js 9d", "As Ks Qs Js 8d", "7s 5s 4s 3s 2d"),
    ]
    strengths = [worth(five) for five in falling]
    assert strengths == sorted(strengths, reverse=True) and len(set(strengths)) == len(falling)
    assert worth("As Ks Qs Js 9d") == worth("Ad Kd Qd Jd 9s")


@pytest.mark.parametrize(
    ("cards", "called"),
    [
        ("As Ks Qs Js Ts", "a royal flush"),
        ("5s 4s 3s 2s As", "a straight flush, five high"),
        ("As Ah Ad Ac Ks", "four of a kind, aces"),
        ("2s 2h 2d Ks Kc", "a full house, twos over kings"),
        ("As Ks Qs Js 9s", "a flush, ace high"),
        ("6s 5d 4s 3s 2s", "a straight, six high"),
        ("6s 6d 6h Ac Kc", "three of a kind, sixes"),
        ("As Ad 6h 6c 2s", "two pair, aces and sixes"),
        ("6s 6h Ac Kc Qc", "a pair of sixes"),
        ("Jc Th 8d 6s 2h", "jack high"),
    ],
)
def test_hands_are_described(cards: str, called: str) -> None:
    assert poker_hands.hand_name(worth(cards)) == called


# -- bets, against another program ------------------------------------------------------------------


def dealt(position: Holdem, cards: list[str]) -> None:
    """Deal until a player must act."""
    while position.turn == CHANCE:
        position.make(position.parse(cards.pop(0)))


def test_random_hands_equal_pokerkits() -> None:
    """The same players to act, chips to call, range of raises and payoffs.

    Three things are otherwise there. Who has nothing but to check against players without chips is asked.
    Before the flop, or where the first bet is short, the big blind does not count as a bet: who was asked
    already may raise what is less than a full one. And who is nearest to the button's left gets all chips
    that are left over of a pot, not one of them.
    """
    short = shared = count = 0
    for hand in HANDS[::2] if compiled() else HANDS[::8]:
        stacks, blinds = ("/".join(map(str, hand[name])) for name in ("stacks", "blinds"))
        players = len(hand["stacks"])
        position = Holdem(players, stacks, blinds, LIMIT if hand["limit"] else "any")
        cards = list(hand["cards"])
        dealt(position, cards)
        for mover, owed, least, most, move in hand["steps"]:
            if (owed, least) == (0, 0) and (position.state.over or position.turn != mover):
                count += 1
                continue
            moves = position.moves()
            raises = [move - 1 for move in moves if move > 1] or [0]
            assert position.turn == mover
            assert (0 in moves) == bool(owed)
            if raises == [0] and least and 0 < owed < position.state.min_raise:
                assert mover in position.state.acted
                short += 1
            else:
                assert (raises[0], raises[-1]) == (least, most)
            before = position.state.paid[mover]
            if move not in moves:
                break
            position.make(move)
            assert move > 1 or position.state.paid[mover] - before == move * owed
            dealt(position, cards)
        else:
            outcome = position.outcome()
            assert outcome is not None and not cards
            off = [ours - theirs for ours, theirs in zip(outcome, hand["payoffs"], strict=True)]
            shared += any(off)
            assert sorted(off) in ([0] * players, [-1, *[0] * (players - 2), 1])
    assert short < len(HANDS) / 40 and shared < len(HANDS) / 100 and count < len(HANDS) / 100


# -- bets, by the rules ------------------------------------------------------------------------------


def at(spec: str, words: str) -> Holdem:
    """The position after some moves, with arbitrary cards."""
    position: Any = game(spec).new()
    for card in PACK[: 2 * position.players]:
        position.make(position.parse(card))
    position.setup(words)
    assert isinstance(position, Holdem)
    return position


# Two cards each; later hands are higher.
PACK = ("2c", "7d", "3c", "8d", "4c", "9d", "5c", "Td", "6c", "Jd", "7c", "Qd")


def legal_words(position: Any) -> list[str]:
    return [position.format(move) for move in position.moves()]


def test_heads_up_button_is_small_blind_and_acts_last_after_the_flop() -> None:
    position = at("holdem", "")
    assert (position.sides, position.turn, position.state.paid) == (("button", "big-blind"), 0, (1, 2))
    position.setup("call check As Ks Qs")
    assert position.turn == 1


def test_big_blind_has_the_option_to_raise() -> None:
    position = at("holdem:players=3", "call call")
    assert position.turn == 1 and legal_words(position) == ["check", "raise5", "raise8", "allin"]


def test_any_bet_size_of_huge_stacks_without_listing_them() -> None:
    """A list of all bet sizes would not fit into memory."""
    match = Match(game("holdem:bets=any,stacks=2000000000"), [EmptySeat(), EmptySeat()], moves=PACK[:4])
    moves, interpreter = match.moves(), Interpreter()
    assert isinstance(moves, Span) and len(moves) == 1_999_999_999
    assert list(moves[:4]) == [0, 1, 5, 6] and moves[-1] == 2_000_000_001 < 2**31
    assert interpreter.invitation(match).startswith("type a move (fold call raise4 raise2002005 ")
    answer = interpreter.execute("moves", match).text
    assert answer.startswith("1,999,999,999 legal moves: ") and answer.endswith(" ...")
    assert "allin" in interpreter.completions("all", match)
    assert interpreter.execute("frold", match).text == (
        "'frold' is not a legal move here; did you mean 'fold'? (legal: fold, call, raise4, raise5, raise6,"
        " raise7, raise8, raise9, raise10, raise11, raise12, raise13, ...)"
    )
    board = match.board()
    assert board is not None and list(board.names.values()) == [
        *("fold", "call", "raise4", "raise666666670", "raise1333333336", "allin")
    ]
    with pytest.raises(Usage, match=r"there are 1,999,999,999 legal moves here; a search can list 20,0"):
        list(moves)
    choice = interpreter.execute("1234567890", match).choice
    assert choice is not None and match.position.format(choice.move) == "raise1234567890"
    match.make(choice)
    assert RandomMover().at_once(match.position, Limit()).move in match.moves()


def test_bets_are_shares_of_the_pot_after_a_call_and_a_full_raise_at_least() -> None:
    assert legal_words(at("holdem", "")) == ["fold", "call", "raise4", "raise6", "allin"]
    assert legal_words(at("holdem:bets=min/0.75/2/allin", "raise10")) == [
        *("fold", "call", "raise18", "raise25", "raise50", "allin")
    ]
    assert legal_words(at("holdem:bets=any,stacks=5", "")) == ["fold", "call", "raise4", "allin"]


def test_incomplete_raise_does_not_reopen_the_betting() -> None:
    position = at("holdem:players=4,stacks=200/200/200/16,bets=any", "raise10 allin call")
    assert (position.turn, legal_words(position)[:3]) == (1, ["fold", "call", "raise24"])  # was not asked yet
    position.make(position.parse("call"))
    assert (position.turn, legal_words(position)) == (2, ["fold", "call"])


def test_short_raises_together_are_a_full_one() -> None:
    position = at("holdem:players=5,stacks=22/200/200/16/200,bets=any", "raise10 allin call allin")
    position.make(position.parse("fold"))
    assert (position.turn, legal_words(position)[:3]) == (2, ["fold", "call", "raise30"])  # 12 more to call
    position.make(position.parse("call"))
    assert (position.turn, legal_words(position)) == (4, ["fold", "call"])  # 6 more, and a full raise is 8


def test_fixed_limits_double_after_the_turn_and_end_at_four_bets() -> None:
    position = at("holdem:bets=limit", "raise raise raise")
    assert position.state.bets == (8, 6) or position.state.bets == (6, 8)
    assert legal_words(position) == ["fold", "call"]
    position.setup("call As Ks Qs check bet raise raise raise call Js")
    assert position.state.paid == (16, 16)
    position.make(position.parse("bet"))
    assert position.state.bets[1] == 4


def test_legal_actions_are_offered_to_the_player_to_act() -> None:
    position: Any = game("holdem").new()
    while position.turn == CHANCE:
        position.make(position.moves()[0])
    says = ("fold", "call", "raise4", "raise6", "allin")
    for viewer in (None, position.turn):
        board = position.board(viewer)
        assert tuple(board.names.values()) == board.trays[-1].things == says
        assert [move for (move,) in board.moves.values()] == position.moves()
    assert not position.board(1 - position.turn).names


def test_few_bet_sizes_are_offered_of_many() -> None:
    position = at("holdem:bets=any,stacks=100", "")
    tray = position.board(0).trays[-1]
    assert tray.things == ("fold", "call", "raise4", "raise36", "raise68", "allin")
    assert len(position.moves()) == 99 and position.format(position.parse("raise 7")) == "raise7"
    pointed = position.board(0).moves.values()
    assert [position.format(move) for (move,) in pointed] == list(tray.things)


def test_side_pots_go_to_the_best_eligible_hand() -> None:
    # The small blind has the best hand and 10 chips, the big blind the second best and 30.
    position: Any = game("holdem:players=3,stacks=10/30/80").new("As Ad Ks Kd 7c 2d")
    position.setup("allin call call 8h 9s 3c 4d 6h")
    assert position.outcome() == (20, 10, -30)
    assert position.ending() == "a pair of aces"
    assert [position.board().notes[player] for player in range(3)] == ["+20", "+10", "-30"]


def test_equal_hands_split_the_pot_and_odd_chips_go_behind_the_button() -> None:
    position: Any = game("holdem:players=3,blinds=1/3").new("2s 3d 2d 3s 2c 3c")
    position.setup("call fold check Ah Kh Qs check check Jd check check Td check check")
    assert position.outcome() == (-1, 1, 0)
    position = game("holdem").new("2s 3d 2d 3s")
    position.setup("call check Ah Kh Qs check check Jd check check Td check check")
    assert position.outcome() == (0, 0)


def test_players_without_a_decision_are_skipped() -> None:
    position = at("holdem:stacks=5/200", "allin call")
    assert position.turn == CHANCE
    for word in ("As", "Ks", "Qs", "Js", "9d"):
        position.make(position.parse(word))
    assert position.outcome() is not None


def test_all_others_folded() -> None:
    position = at("holdem", "raise6 fold")
    assert position.outcome() == (2, -2) and position.ending() == "the others' folding"


# -- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        *(("raise to 18", "raise18"), ("raise 18", "raise18"), ("RAISE18", "raise18"), ("18", "raise18")),
        *(("bet 18", "raise18"), ("all in", "allin"), ("All-in", "allin"), ("raise 200", "allin")),
    ],
)
def test_bets_are_parsed_as_people_write_them(typed: str, move: str) -> None:
    position = at("holdem:bets=any", "")
    assert position.format(position.parse(typed)) == move


def test_all_in_call() -> None:
    position = at("holdem:stacks=200/80", "allin")
    assert position.parse("all in") == position.parse("call") == CALL and legal_words(position) == [
        "fold",
        "call",
    ]
    with pytest.raises(IllegalMove) as caught:
        at("holdem:bets=limit", "").parse("all in")
    assert str(caught.value) == (
        "'all in' is not a legal move here; did you mean 'call'? (legal: fold, call, raise)"
    )


@pytest.mark.parametrize(("spec", "words", "typed", "message"), BETS["refused"])
def test_wrong_bets_are_refused_with_the_reason(spec: str, words: str, typed: str, message: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        at(spec, words).parse(typed)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("options", "taken"),
    [
        *(("stacks=2000000000", True), ("stacks=2000000001", False)),
        *(("stacks=0", False), ("stacks=1", True)),
        *(("blinds=2/2", True), ("blinds=0/2", True), ("blinds=1/2/3", False), ("stacks=200/2", True)),
        *(("bets=99.125", True), ("bets=0.001", True), ("bets=100", False), ("bets=0", False)),
        *(("bets=0.1251", False), ("bets=half/any", True), ("bets=half/limit", False), ("bets=min/", False)),
    ],
)
def test_chips_and_bet_sizes(options: str, taken: bool) -> None:
    if taken:
        assert game(f"holdem:{options}").new().turn == CHANCE
        return
    with pytest.raises(BadInput, match=f"^{options.partition('=')[0]} (is|has) '"):
        game(f"holdem:{options}").new()


def test_rule_based_players_make_legal_moves() -> None:
    """All three rule-based players at one table; `tight` plays one hand in seven."""
    rng, names = Random(1), Counter[str]()
    for _ in range(30):
        position = Holdem(players=3, bets=LIMIT)
        while position.outcome() is None:
            if position.turn == CHANCE:
                position.make(rng.choice(position.moves()))
                continue
            move = (poker.caller, poker.raiser, poker.tight)[position.turn](position)
            assert move in position.moves()
            names[f"{position.turn} {position.format(move)}"] += 1
            position.make(move)
    assert {"0 call", "1 raise", "2 raise", "2 fold"} <= set(names)
    assert not {"0 raise", "0 bet", "0 fold", "1 fold"} & set(names)
    assert sum(map(poker.good, combinations(range(52), 2))) == 178  # of 1,326


@pytest.mark.parametrize(
    ("blinds", "order"),
    [
        ("1/2", "under-the-gun cutoff button small-blind big-blind"),
        ("1/2/4", "cutoff button small-blind big-blind under-the-gun"),
        ("1/2/4/8", "button small-blind big-blind under-the-gun cutoff"),
        ("1/2/0/0/4", "small-blind big-blind under-the-gun cutoff button"),
        ("1/2/0/2", "under-the-gun cutoff button small-blind big-blind"),
        ("0/0/0/0/4", "small-blind big-blind under-the-gun cutoff button"),
    ],
)
def test_straddles_act_last_before_the_flop_and_blinds_to_enter_in_turn(blinds: str, order: str) -> None:
    position = at(f"holdem:players=5,bets=any,blinds={blinds}", "")
    least = max(map(int, blinds.split("/")))
    assert (
        position.format(position.moves()[1 + (position._amount_to_call() > 0)])
        == f"raise{least + position.big}"
    )
    acted = []
    while position.turn != CHANCE:
        acted.append(position.sides[position.turn])
        position.make(CALL)
    assert " ".join(acted) == order
    assert set(position.state.paid) == {least}


def test_player_with_less_than_a_blind_plays_for_the_main_pot() -> None:
    position = at("holdem:players=3,stacks=1/200/200,blinds=5/10,antes=3", "")
    assert position.state.paid == (1, 13, 3)
    position = at("holdem:players=3,stacks=4/200/200,blinds=5/10,antes=3", "")
    assert position.state.bets == (1, 10, 0) and position.state.paid == (4, 13, 3)
