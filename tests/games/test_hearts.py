"""Hearts: rules against OpenSpiel, sampling of hidden cards, notation."""

import random
import zlib
from collections import Counter
from itertools import combinations

import pytest

from gameplay.errors import BadInput, IllegalMove
from gameplay.games.shared import pack
from gameplay.position import side
from gameplay.registry import game
from tests.answers.tricks import LETTERS, step
from tests.examples.engines import hearts
from tests.support.conformance import check_laws
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

LINES = (TESTS / "answers" / "tricks.txt").read_text().splitlines()
GAMES = [line.split() for line in LINES if line.startswith("hearts")]
DEAL = "J95.K87.AQ4.T862 A73.QJ5.K962.974 KQ6.A642.T85.QJ3 T842.T93.J73.AK5"
SUITS = "...AKQJT98765432 AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432."  # one each; clubs lead


def test_random_games_equal_openspiels_step_by_step():
    for _, rules, points, crc, actions in GAMES:
        passing, jack = rules.split(",")
        position, seen = game(f"hearts:passing={passing},jack={jack}").new(), 0
        for letter in actions:
            seen = zlib.crc32(step(position.turn, position.moves()), seen)
            position.make(LETTERS.index(letter))
        assert position.outcome() == tuple(-int(taken) for taken in points.split("/"))
        assert f"{seen:08x}" == crc
    assert len(GAMES) == 60


@pytest.mark.parametrize(
    "spec", ["hearts", "hearts:players=3,passing=right,jack=on,moon=own", "hearts:players=5,points=12"]
)
def test_game_satisfies_the_contract(spec):
    check_laws(spec, 1)


def at_random(spec, seed, cards):
    """A random game in which each player still holds `cards` cards."""
    position, rng = game(spec).new(), random.Random(seed)
    while not position.state.leads or max(map(len, position.state.hands)) > cards:
        position.make(rng.choice(position.moves()))
    return position


def could_be(position, player, hands):
    """True if the play was legal with these hands, for some passed cards."""
    state, count = position.state, position.players
    other = game(f"hearts:players={count},passing=off").new()
    whole = position._hands_at_start(hands)
    to = position._receiver(player)
    if position.step and not set(state.passed[player]) <= set(whole[to]):
        return False
    other.setup(" ".join(map(pack.hand_text, whole)))
    for card in state.played:
        if card not in other.moves():
            return False
        other.make(card)
    return True


@pytest.mark.parametrize(
    ("spec", "seed"), [("hearts", 1), ("hearts:passing=off", 4), ("hearts:players=3", 5)]
)
def test_consistent_deals_are_equally_likely(spec, seed):
    """Against an enumeration of all legal deals of the remaining cards."""
    position = at_random(spec, seed, 2)
    player, count = position.turn, position.players
    state = position.state
    others = [card for card in range(count) if card != player]
    rest = sorted(card for player in others for card in state.hands[player])
    fits = set()

    def share(left, hands):
        if len(hands) == len(others):
            held = list(state.hands)
            for engine_player, cards in zip(others, hands, strict=True):
                held[engine_player] = cards
            if could_be(position, player, held):
                fits.add(tuple(hands))
            return
        for cards in combinations(left, len(state.hands[others[len(hands)]])):
            share([card for card in left if card not in cards], [*hands, cards])

    share(rest, [])
    drawn, rng = Counter(), random.Random(seed)
    for _ in range(50 * len(fits)):
        world = position.determinize(player, rng).state
        drawn[tuple(world.hands[player] for player in others)] += 1
    assert len(fits) > 2 and set(drawn) == fits
    freedom = len(fits) - 1
    assert sum((times - 50) ** 2 / 50 for times in drawn.values()) < freedom + 5 * (2 * freedom) ** 0.5 + 25


def test_cards_passed_between_others_are_sampled_from_their_hands():
    position = at_random("hearts", 3, 6)
    state, times, rng = position.state, Counter(), random.Random(2)
    for _ in range(600):
        world = position.determinize(0, rng)
        assert world.state.passed[0] == state.passed[0] and world.state.passed[3] == state.passed[3]
        assert set(state.passed[0]) <= set(world._hands_at_start(world.state.hands)[1])
        assert world.infoset(0) == position.infoset(0)
        again = game("hearts").new(world.text())
        assert again.key() == world.key()  # the whole game can have been so
        times.update(world.state.passed[1])
    for card in position._hands_at_start(((), (), (), ()))[2]:  # south played it, who was given 3 of 13 cards
        assert 600 * 3 / 13 - 50 < times[card] < 600 * 3 / 13 + 50


def test_shown_point_cards_restrict_sampled_deals():
    """North's hearts fall to the first trick and are led: no sampled deal gives north anything else."""
    position = game("hearts:passing=off").new(
        "Q.AKQJT9875432.. AKJT98765432..2. .6.AKQJT3.KQJT98 ..987654.A765432 2c"
    )
    assert position.turn == 0
    position.make(position.parse("Ah"))
    for seed in range(30):
        world = position.determinize(2, random.Random(seed))
        north = world.state.hands[0]
        assert all(card % 4 == pack.HEARTS or card == 43 for card in north)
        assert world.state.hands[2] == position.state.hands[2]
    assert len({position.determinize(2, random.Random(seed)).state.hands for seed in range(9)}) > 1


def test_early_heart_lead_implies_only_hearts_in_sampled_deals():
    """North's ace of clubs takes the first trick; then north has only hearts to lead."""
    deal = ".AKQJT9876543..A AKQJT98765432... .2.AKQJT9876543. ..2.KQJT98765432"
    position = game("hearts:passing=off").new(f"{deal} 2c Ac As Ad")
    assert position.turn == 0 and len(position.moves()) == 12
    position.make(position.parse("3h"))
    for seed in range(20):
        world = position.determinize(3, random.Random(seed))
        assert all(card % 4 == pack.HEARTS for card in world.state.hands[0])
    followed = position.determinize(3, random.Random(1)).state.hands[1:3]
    assert any(card % 4 == pack.HEARTS for hand in followed for card in hand), "others may have some"


def test_first_leader_is_dealt_the_lowest_club():
    position = game("hearts:passing=off").new(DEAL)
    leader = position.turn
    for player in range(4):
        hands = {position.determinize(player, random.Random(seed)).state.hands for seed in range(9)}
        assert len(hands) == 9 and all(position.lowest in hand[leader] for hand in hands)


def test_before_the_play_others_may_hold_and_have_passed_anything():
    position = game("hearts").new(f"{DEAL} Js 9s 5s As")
    seen = Counter()
    for seed in range(200):
        world = position.determinize(0, random.Random(seed))
        assert world.infoset(0) == position.infoset(0) and world.turn == 1
        seen.update(world.state.passed[1])
    assert len(seen) == 39
    assert game("hearts").new(position.text()).key() == position.key()


def test_no_points_are_played_to_the_first_trick():
    position = game("hearts:passing=off").new(f"{SUITS} 2c")
    assert position.turn == 1 and len(position.moves()) == 12  # spades without the queen
    with pytest.raises(IllegalMove, match="no points are played to the first trick"):
        position.parse("Qs")
    position.make(position.parse("2s"))
    assert len(position.moves()) == 13  # south has nothing but hearts


@pytest.mark.parametrize(("moon", "payoffs"), [("others", (0, -26, -26, -26)), ("own", (26, 0, 0, 0))])
def test_taking_all_points_shoots_the_moon(moon, payoffs):
    position = game(f"hearts:passing=off,moon={moon}").new(SUITS)
    while position.outcome() is None:
        position.make(position.moves()[0])  # clubs take every trick
    assert position.outcome() == payoffs
    assert position.news()[-1] == "north shoots the moon"


@pytest.mark.parametrize(("players", "each", "first"), [(3, 17, "2c"), (4, 13, "2c"), (5, 10, "3c")])
def test_all_get_as_many_cards(players, each, first):
    position = at_random(f"hearts:players={players},passing=off", 1, each)
    assert {len(hand) for hand in position.state.hands} == {each}
    assert [position.format(move) for move in position.moves()] == [first]


def test_cards_that_are_left_out_are_in_no_deal():
    deal = "AKQJT9876543..AKQJT. 2.AKQJT98765432..432 ..98765432.AKQJT9876"
    with pytest.raises(BadInput, match=r"^2d is left out with 3 players$"):
        game("hearts:players=3").new(deal)


def test_visible_cards_of_a_hand():
    position = game("hearts").new(f"{DEAL} Js 9s 5s")
    assert "K962" not in position.show(0) and "north to east  5s 9s Js" in position.show(0)
    assert "Js" not in position.show(1)
    table = position.board(1).table
    assert [(seat.name, seat.hidden) for seat in table.seats][1:] == [
        ("south", 13),
        ("west", 13),
        ("north", 10),
    ]
    assert table.middle == ("to south", ("", "", "")) and len(position.board(1).trays) == 4
    assert position.board(0).table.middle == ("to east", ("5s", "9s", "Js"))
    assert position.sees(1, 13) and not position.sees(0, 13)


@pytest.mark.parametrize(
    ("spec", "ways"),
    [
        ("players=4,points=60", ["left", "right", "across", "off"]),
        ("players=4,passing=across,points=60,jack=on", ["across", "off", "left", "right"]),
        ("players=3,passing=right,points=40", ["right", "off", "left"]),
        ("players=5,points=40,jack=on", ["left", "right", "off"]),
    ],
)
def test_game_to_points_equals_its_deals(spec, ways):
    """Each deal is also played as a separate game; the points are added up."""
    position, rng = game(f"hearts:{spec}").new(), random.Random(7)
    rules = [word for word in spec.split(",") if not word.startswith(("points", "passing"))]
    totals, deals = [0] * position.players, 0
    while position.outcome() is None:
        assert max(totals) < position.points
        way = ways[deals % len(ways)]
        alone = game(",".join([f"hearts:passing={way}", *rules])).new()
        while alone.outcome() is None:
            assert (position.turn, position.moves()) == (alone.turn, alone.moves())
            text = position.text()
            if text is not None:
                again = game(f"hearts:{spec}").new(text)
                assert (again.state, again.turn, again.text()) == (position.state, position.turn, text)
            move = rng.choice(alone.moves())
            for state in (position, alone):
                state.make(move)
        totals = [total - int(gain) for total, gain in zip(totals, alone.outcome(), strict=True)]
        deals += 1
        score_line = ", ".join(f"{side(position, player)} {total}" for player, total in enumerate(totals))
        assert position.news() == [*alone.news(), f"after deal {deals}: {score_line}"]
    assert position.outcome() == tuple(-total for total in totals) and max(totals) >= position.points
    assert deals > 2
    for _ in range(len(position.earlier_states)):
        position.unmake()
    assert position.state == game(f"hearts:{spec}").new().state


def test_engine_searches_to_the_end_of_the_deal():
    position = game("hearts:points=100").new(f"2:97/3/0/4 {DEAL}")
    world, rng = position.determinize(0, random.Random(2)), random.Random(3)
    while world.outcome() is None:
        world.make(rng.choice(world.moves()))
    assert -sum(world.outcome()) in (104 + 26, 104 + 78) and (world.low, world.high) == (-125, 0)
    assert position.outcome() is None and position.initial().target == 100


def test_points_so_far_are_printed():
    position = game("hearts:points=100").new(f"2:40/3/0/9 {DEAL}")
    assert position.show().splitlines()[0] == "deal 2, before it 40 3 0 9"
    assert position.board(0).notes == {
        0: "40 of 100, passes 3 to west",
        1: "3 of 100, passes 3 to north",
        2: "0 of 100, passes 3 to east",
        3: "9 of 100, passes 3 to south",
    }
    assert position.evaluate_for(0) == -40 - 7 and position.infoset(0)[-2:] == ((40, 3, 0, 9), 1)
    for word in ["Js", "9s", "5s", "As", "7s", "3s", "Ks", "Qs", "6s", "Ts", "8s", "4s"]:
        position.make(position.parse(word))
    position.make(position.moves()[0])
    assert position.board(0).notes[3] == "9 of 100, 0 points"
    assert position.key() != game("hearts:points=100").new(position.text().replace("40", "41")).key()
    off = game("hearts:points=100").new(f"4:40/3/0/9 {DEAL}")
    assert off.board(0).notes[1] == "3 of 100, 0 points", "of the fourth deal no cards are passed on"


@pytest.mark.parametrize(
    ("rules", "low", "high", "total"),
    [
        ("", -26, 0, -26),
        (":jack=on", -26, 10, -16),
        (":moon=own", -26, 26, 26),
        (":moon=own,jack=on", -26, 36, 36),
        (":points=100", -125, 0, None),
        (":points=100,jack=on", -125, 120, None),
        (":players=3,points=50,jack=on", -75, 40, None),
    ],
)
def test_bounds_of_points_per_player_and_total(rules, low, high, total):
    position = game(f"hearts{rules}").new()
    assert (position.low, position.high, position.total) == (low, high, total)


def test_rule_based_player_takes_fewer_points_than_random() -> None:
    rng, taken = random.Random(4), [0.0] * 4
    for _ in range(40):
        position = game("hearts").new()
        while position.outcome() is None:
            moves = position.moves()
            careful = position.turn in (0, 2)
            position.make(hearts.careful(position) if careful else rng.choice(moves))
        taken = [points - paid for points, paid in zip(taken, position.outcome(), strict=True)]
    assert taken[0] + taken[2] < (taken[1] + taken[3]) / 2, taken
