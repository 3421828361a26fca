"""Pairings: each player as often as planned, independent of the order of results."""

from itertools import combinations, permutations
from random import Random

import pytest

from gameplay.runs.pairing import (
    Pair,
    Ranked,
    _Swiss,
    openings_needed,
    points,
    rounds,
    scheduled_pairs,
    standings,
)
from gameplay.runs.plan import Plan
from gameplay.runs.planning import build
from gameplay.search.seeds import seed_of

pytestmark = pytest.mark.once

FORMS = ["round-robin", "gauntlet", "knockout", "swiss"]


def plan(form: str, count: int, games: int = 4, **more: object) -> Plan:
    return build("connect4", ["random"] * count, form=form, games=games, **more)


def strength(player: int) -> int:
    return (player * 7 + 3) % 11


def result(pair, seed: int = 0) -> tuple[float, ...]:
    """Points of a pair: a function of the pair alone, like games with seeds."""
    lot = Random(seed_of(seed, pair.number, *pair.players))
    mine = lot.choice([0, 0.5, 1, 1.5, 2])
    return (mine, 2 - mine)


def play_pairs(of: Plan, order: int = 0, result=result, seats: int = 2):
    """All pairs and results; pairs in progress finish in a random order."""
    lot = Random(order)
    results: dict[int, tuple[float, ...]] = {}
    while True:
        pairs = scheduled_pairs(of, results, seats)
        assert [pair.number for pair in pairs] == list(range(len(pairs)))
        waiting = [pair for pair in pairs if pair.number not in results]
        if not waiting:
            return pairs, results
        pair = lot.choice(waiting)
        results[pair.number] = result(pair)


def encounters(pairs):
    return sorted({(pair.round, pair.players) for pair in pairs})


def test_a_match_is_pairs_with_the_seats_exchanged():
    pairs = scheduled_pairs(plan("match", 2, games=6), {})
    assert [(pair.number, pair.players, pair.opening) for pair in pairs] == [(n, (0, 1), n) for n in range(3)]
    assert [pairs[0].seating(leg) for leg in range(pairs[0].legs)] == [(0, 1), (1, 0)]


def test_round_robin_uses_the_same_openings_for_all_pairs():
    pairs = scheduled_pairs(plan("round-robin", 5, games=6), {})
    assert len(pairs) == 10 * 3
    for two in combinations(range(5), 2):
        assert sorted(pair.opening for pair in pairs if pair.players == two) == [0, 1, 2]
    assert {pair.players for pair in pairs[:10]} == set(combinations(range(5), 2))  # they take turns


def test_a_gauntlet_is_the_first_against_all():
    pairs = scheduled_pairs(plan("gauntlet", 4), {})
    assert {pair.players for pair in pairs} == {(0, 1), (0, 2), (0, 3)}
    assert len(pairs) == 6


def test_three_players_rotate_through_all_seats():
    tree = "tree:three-players"
    pairs = scheduled_pairs(build(tree, ["random"] * 4, form="round-robin", games=6), {}, seats=3)
    tables = [*combinations(range(4), 3)]
    assert [pair.players for pair in pairs] == [*tables, *((a, c, b) for a, b, c in tables)]
    orders = [pair.seating(leg) for pair in pairs for leg in range(pair.legs)]
    assert sorted(orders) == [*permutations(range(4), 3)]
    for pair in pairs:
        for seat in range(3):
            assert {pair.seating(leg)[seat] for leg in range(pair.legs)} == set(pair.players)


@pytest.mark.parametrize("payoffs, expected", [((1, -1), (1, 0)), ((0, 0), (0.5, 0.5)), ((3, 9), (0, 1))])
def test_points_of_two(payoffs, expected):
    assert points(payoffs) == expected


def test_points_of_three_sum_up_to_as_much():
    assert points((5, 1, 1)) == (1, 0.25, 0.25)
    assert points((2, 2, 2)) == (0.5, 0.5, 0.5)
    assert points((3, 2, 1)) == (1, 0.5, 0)


@pytest.mark.parametrize(
    "form, count", [("match", 2), *((form, n) for form in FORMS for n in (2, 3, 5, 6, 8))]
)
def test_the_order_of_results_changes_nothing(form, count):
    of = plan(form, count)
    pairs, results = play_pairs(of)
    assert all(play_pairs(of, order)[0] == pairs for order in range(1, 6))
    assert max(pair.opening for pair in pairs) < openings_needed(of)
    for two in encounters(pairs):
        openings = [pair.opening for pair in pairs if (pair.round, pair.players) == two]
        assert openings == [*range(len(openings))]
    for some in (0, len(results) // 2, len(results) - 1):  # what was known before stays as it was
        partial = scheduled_pairs(of, {number: results[number] for number in range(some)})
        assert partial == pairs[: len(partial)]


@pytest.mark.parametrize("count", [2, 3, 4, 5, 7, 8, 13, 16])
def test_a_knockout_loses_one_player_a_meeting(count):
    of = plan("knockout", count)
    pairs, results = play_pairs(of)
    meetings = encounters(pairs)
    assert len(meetings) == count - 1
    assert max(round for round, _ in meetings) + 1 == rounds(of)
    table = standings(of, results)
    assert table[0].score == rounds(of)
    champion = table[0].player
    assert any(champion in players for round, players in meetings if round == rounds(of) - 1)


def test_the_better_player_wins_a_knockout_and_the_first_seeds_meet_last():
    of = plan("knockout", 8)
    pairs, results = play_pairs(of, result=lambda pair: (2.0, 0.0))  # the one listed first always wins
    rounds = [[pair.players for pair in pairs if pair.round == n and pair.opening == 0] for n in range(3)]
    assert sorted(rounds[0]) == [(0, 7), (1, 6), (2, 5), (3, 4)]
    assert sorted(rounds[1]) == [(0, 3), (1, 2)]
    assert rounds[2] == [(0, 1)]
    assert [line.player for line in standings(of, results)][:2] == [0, 1]


def test_the_first_seeds_have_the_byes():
    pairs = scheduled_pairs(plan("knockout", 5), {})
    assert {pair.players for pair in pairs if pair.round == 0} == {(3, 4)}


def test_knockout_tie_is_extended_then_won_by_the_first_seed():
    of = plan("knockout", 2)
    pairs, results = play_pairs(of, result=lambda pair: (1.0, 1.0))
    assert len(pairs) == 2 + 4
    assert standings(of, results)[0].player == 0
    decisive = {3: (0.5, 1.5)}
    pairs, results = play_pairs(of, result=lambda pair: decisive.get(pair.number, (1.0, 1.0)))
    assert len(pairs) == 4  # the second extra pair decides
    assert standings(of, results)[0].player == 1


def test_an_extra_pair_is_for_the_tied_alone():
    pairs, _ = play_pairs(
        plan("knockout", 4), result=lambda p: (1.0, 1.0) if p.players == (0, 3) else (2.0, 0.0)
    )
    first = [pair for pair in pairs if pair.round == 0]
    assert [pair.players for pair in first].count((1, 2)) == 2
    assert [pair.players for pair in first].count((0, 3)) == 2 + 4


@pytest.mark.parametrize("count", [2, 3, 4, 6, 7, 9, 16])
def test_swiss_never_repeats_a_pairing(count):
    of = plan("swiss", count)
    for seed in range(5):
        pairs, _ = play_pairs(of, result=lambda pair, seed=seed: result(pair, seed))
        meetings = [players for _, players in encounters(pairs)]
        assert len({frozenset(two) for two in meetings}) == len(meetings) == rounds(of) * (count // 2)
        for round in range(rounds(of)):
            seated = [player for n, players in encounters(pairs) if n == round for player in players]
            assert len(seated) == len(set(seated)) == count - count % 2


def test_long_swiss_pairs_all_players_or_continues():
    of = plan("swiss", 6, rounds=5)
    for seed in range(10):
        pairs, _ = play_pairs(of, result=lambda pair, seed=seed: result(pair, seed))
        assert len(encounters(pairs)) == 15


def test_byes_go_round_from_the_last_and_are_worth_a_win():
    of = plan("swiss", 5, rounds=5)
    pairs, results = play_pairs(of)
    idle = [
        set(range(5)) - {player for n, players in encounters(pairs) if n == round for player in players}
        for round in range(5)
    ]
    assert idle[0] == {4}
    assert set().union(*idle) == set(range(5))  # nobody twice
    assert sum(line.score for line in standings(of, results)) == 5 * 3


def test_a_swiss_finds_the_strongest():
    of = plan("swiss", 8)

    def wins(pair):
        return (2.0, 0.0) if strength(pair.players[0]) > strength(pair.players[1]) else (0.0, 2.0)

    pairs, results = play_pairs(of, result=wins)
    table = standings(of, results)
    assert table[0].player == max(range(8), key=strength)
    assert table[0].score == 3
    opponents = [
        p for pair in pairs for p in pair.players if table[0].player in pair.players and pair.opening == 0
    ]
    scores = {line.player: line.score for line in table}
    assert table[0].buchholz == sum(scores[p] for p in opponents if p != table[0].player)


def test_the_first_round_pairs_the_upper_half_with_the_lower():
    pairs = scheduled_pairs(plan("swiss", 6), {})
    assert {pair.players for pair in pairs} == {(0, 3), (1, 4), (2, 5)}


def test_standings_of_a_round_robin_are_points():
    of = plan("round-robin", 3, games=2)
    table = standings(of, {0: (2.0, 0.0), 1: (1.0, 1.0), 2: (0.5, 1.5)})
    assert [(line.player, line.score) for line in table] == [(0, 3.0), (2, 2.5), (1, 0.5)]
    assert [line.score for line in standings(of, {0: (2.0, 0.0)})] == [2.0, 0.0, 0.0]


def test_a_swiss_of_six_by_hand():
    """Winners meet winners; no pair meets twice, so pairings cross."""
    games = {
        (0, 3): 2,
        (1, 4): 2,
        (2, 5): 1,
        (0, 1): 2,
        (2, 3): 2,
        (5, 4): 0,
        (0, 2): 1,
        (1, 5): 1,
        (4, 3): 1,
    }
    of = plan("swiss", 6, games=2)
    pairs, results = play_pairs(of, result=lambda pair: (games[pair.players], 2.0 - games[pair.players]))
    # In this order, three pairs a round.
    assert pairs == [Pair(number, number // 3, players, 0) for number, players in enumerate(games)]
    table = ((0, 2.5, 4.0), (2, 2.0, 4.0), (1, 1.5, 5.0), (4, 1.5, 3.0), (5, 1.0, 5.0), (3, 0.5, 6.0))
    assert standings(of, results) == [Ranked(*line) for line in table]
    pairs, results = play_pairs(plan("swiss", 3, games=2), result=lambda pair: (2.0, 0.0))
    assert [pair.players for pair in pairs] == [(0, 1), (0, 2)]
    table = standings(plan("swiss", 3, games=2), results)
    assert table == [Ranked(0, 2.0, 2.0), Ranked(1, 1.0, 2.0), Ranked(2, 1.0, 2.0)]


def test_a_knockout_of_four_pair_by_pair():
    """Each meeting is two pairs; that of 1 and 2 is level until they have played another opening."""
    of = plan("knockout", 4, games=4)
    points = {0: (2, 0), 1: (2, 0), 2: (1, 1), 3: (0, 2), 4: (0.5, 1.5), 5: (1, 1), 6: (0.5, 1.5)}
    pairs, results = play_pairs(of, result=lambda pair: points[pair.number])
    first = [Pair(0, 0, (0, 3), 0), Pair(1, 0, (1, 2), 0), Pair(2, 0, (0, 3), 1), Pair(3, 0, (1, 2), 1)]
    assert pairs == [*first, Pair(4, 0, (1, 2), 2), Pair(5, 1, (0, 2), 0), Pair(6, 1, (0, 2), 1)]
    assert standings(of, results) == [Ranked(*line) for line in ((2, 2), (0, 1), (1, 0), (3, 0))]
    assert [Pair(0, 0, (4, 5, 6), 0).seating(leg) for leg in range(3)] == [(4, 5, 6), (5, 6, 4), (6, 4, 5)]


@pytest.mark.parametrize(
    ("scores", "met", "pairing"),
    [
        ((1, 1, 1, 0), {}, [(0, 1), (2, 3)]),
        ((1, 1, 0, 0), {}, [(0, 1), (2, 3)]),
        ((1, 1, 1, 1), {}, [(0, 2), (1, 3)]),
        ((1, 1, 1, 1), {0: [2]}, [(0, 3), (1, 2)]),
        ((1, 1, 1, 1), {0: [2, 3]}, [(0, 1), (2, 3)]),
        ((2, 1, 1, 0), {}, [(0, 1), (2, 3)]),
        ((1, 1, 1, 1, 1, 1), {}, [(0, 3), (1, 4), (2, 5)]),
        ((1, 1, 1, 1, 1, 0), {}, [(0, 2), (1, 3), (4, 5)]),
    ],
)
def test_swiss_leader_meets_the_top_of_the_lower_half(scores, met, pairing):
    """Then come the pairings of the upper half from below, and those of lower scores."""
    swiss = object.__new__(_Swiss)
    swiss.score, swiss.steps = list(scores), 0
    swiss.met = [[] for _ in scores]
    for player, others in met.items():
        for other in others:
            swiss.met[player].append(other)
            swiss.met[other].append(player)
    assert swiss.match_players(list(range(len(scores))), False) == pairing
