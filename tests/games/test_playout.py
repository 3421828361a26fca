"""Playouts: legal moves to the end, undone completely, with all payoffs; by policy or uniform."""

import math
import random
import statistics
from collections import Counter
from typing import Any

import pytest

from gameplay import registry
from gameplay.adapter import kernel_of
from gameplay.kernel import compiled
from tests.support.paths import TESTS

GAMES = TESTS / "examples" / "games"
PLAYED = (
    *(
        "tictactoe",
        "connect4",
        "connect4:columns=5,rows=4",
        "connect4:connect=3",
        "othello",
        "othello:size=4",
    ),
    *("connect4:players=3", "tictactoe:players=3", "nim", "chess", "checkers", "pig", "pig:players=4"),
    *("backgammon", "monopoly:players=3,rounds=20", "chinese-checkers:players=3,rounds=30"),
    *(str(GAMES / "dice_race.py"), str(GAMES / "thrice.py")),
)


def kernel(game: str) -> Any:
    return kernel_of(registry.game(game).new())


@pytest.mark.parametrize("game", PLAYED)
def test_playout_is_a_legal_game_and_is_undone(game: str) -> None:
    played = kernel(game)
    replay = registry.game(game).new()
    rounds = 30 if compiled() else 3
    for seed in range(rounds):
        if seed == rounds // 2 and not game.endswith(".py"):
            for move in played.rollout(99)[0][:4]:  # from here on within a game
                played.make(move)
                replay.make(move)
        before = (played.key(), played.turn)
        moves, movers, gains = played.rollout(seed)
        assert (played.key(), played.turn) == before
        plies = 0
        for move, mover in zip(moves, movers, strict=True):
            assert replay.outcome() is None
            assert replay.turn == mover
            assert move in replay.moves()
            replay.make(move)
            plies += 1
        payoffs = replay.outcome()
        assert payoffs is not None
        assert [gain / replay.unit for gain in gains] == list(payoffs)
        for _ in range(plies):
            replay.unmake()
        assert played.rollout(seed) == (moves, movers, gains)


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "othello", str(GAMES / "thrice.py")])
def test_moves_are_sampled_uniformly(game: str) -> None:
    """Chi square of the first move, with a bound far beyond its 99.99 % point."""
    played = kernel(game)
    count = 1500 if compiled() else 300
    first = Counter(played.rollout(seed)[0][0] for seed in range(count))
    moves = registry.game(game).new().moves()
    expected = count / len(moves)
    assert set(first) <= set(moves)
    assert sum((first[move] - expected) ** 2 / expected for move in moves) < 30 + 2 * len(moves)


@pytest.mark.parametrize(
    ("game", "policy"), [("monopoly:rounds=20", "sense"), ("chinese-checkers:rounds=30", "forward")]
)
def test_a_policy_can_be_turned_off(game: str, policy: str) -> None:
    played = kernel(game)
    assert list(played.policies) == [policy]
    assert played.policy == 1
    sensible, uniform = ([played.rollout(seed, bits)[0] for seed in range(3)] for bits in (1, 0))
    assert sensible != uniform
    assert sensible == [played.rollout(seed)[0] for seed in range(3)]
    assert played.policy == 1


OWN = (
    "tictactoe",
    "tictactoe:misere=on",
    "tictactoe:width=5,height=4,line=4",
    "connect4",
    "othello",
    "othello:size=6",
)


@pytest.mark.parametrize("game", OWN)
def test_custom_playout_loops_match_the_default(game: str) -> None:
    """For games that override playout(): mean length and payoff equal those of uniformly random moves."""
    own, expected_result = kernel(game), registry.game(game).new()
    count = 1200 if compiled() else 60
    results, expected = [], []
    draw = random.Random(1)
    for seed in range(count):
        moves, _, gains = own.rollout(seed)
        results.append((len(moves), gains[0] / own.unit))
        while expected_result.outcome() is None:
            expected_result.make(draw.choice(expected_result.moves()))
        expected.append((len(expected_result.made), expected_result.outcome()[0]))
        while expected_result.made:
            expected_result.unmake()
    for result, two in zip(zip(*results, strict=True), zip(*expected, strict=True), strict=True):
        error = math.sqrt((statistics.pvariance(result) + statistics.pvariance(two)) / count)
        assert abs(statistics.mean(result) - statistics.mean(two)) < 4.5 * error


@pytest.mark.parametrize("game", OWN)
def test_playouts_go_on_from_any_position_to_its_end(game: str) -> None:
    """From each position of a game, including the last, a playout is legal."""
    played, replay = kernel(game), registry.game(game).new()
    for move in played.rollout(7)[0]:
        played.make(move)
        replay.make(move)
        moves, _, gains = played.rollout(3)
        for each in moves:
            assert each in replay.moves()
            replay.make(each)
        assert [gain / replay.unit for gain in gains] == list(replay.outcome())
        for _ in moves:
            replay.unmake()
    assert played.rollout(1)[0] == []


@pytest.mark.parametrize("game", ["nim", "connect4:columns=5,rows=4", "checkers", "tictactoe:players=3"])
def test_default_playout_policy_is_uniform(game: str) -> None:
    """Each move from the upper half of 64 bits of SplitMix64, scaled to the number of moves."""
    own, other = kernel(game), kernel(game)
    for seed in range(20 if compiled() else 3):
        other.rng_state = seed
        moves = []
        while other.outcome() is None:
            moves.append(step(other))
        assert own.rollout(seed)[0] == moves
        while other.made:
            other.unmake()


def step(played: Any) -> int:
    """A random move as in random_move(): the upper half of 64 bits, scaled to the number of moves."""
    moves = played.moves()
    state = played.rng_state = (played.rng_state + 0x9E3779B97F4A7C15) % 2**64
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) % 2**64
    chosen: int = moves[((state ^ (state >> 31)) >> 32) * len(moves) >> 32]
    played.make(chosen)
    return chosen


@pytest.mark.parametrize(
    ("spec", "wrong"),
    [
        ("mcts:policy=capture", "policy must be all.* none.*, not 'capture'"),
        ("mcts:policy=none+sense", "policy must be .*, not 'none[+]sense'"),
    ],
)
def test_unknown_policies_are_refused(spec: str, wrong: str) -> None:
    from gameplay.errors import Usage

    for game in ("connect4", "monopoly"):
        with pytest.raises(Usage, match=wrong):
            registry.engine(spec)[0].check(registry.game(game).new())


@pytest.mark.skipif(compiled(), reason="the pure build lets Python ask")
@pytest.mark.parametrize(
    "game",
    [
        "tictactoe",
        "tictactoe:misere=on",
        "connect4",
        "othello:size=4",
        "nim",
        "pig:goal=9",
        "connect4:players=3",
    ],
)
def test_shorter_playout_buffer_yields_a_prefix(game: str) -> None:
    played = kernel(game)
    moves, movers, _ = played.rollout(5)
    for room in (1, 2, len(moves) - 1, len(moves), len(moves) + 3):
        played.rng_state = 5
        end = played.playout(3, room)
        assert played.stack[3:end] == moves[:room] and played.weight[3:end] == movers[:room]
        assert played.finished == (room >= len(moves))


@pytest.mark.skipif(compiled(), reason="the pure build lets Python ask")
@pytest.mark.parametrize(
    "game", ["tictactoe", "othello:size=4", "pig:goal=9", "go:size=3", "go:size=5,handicap=2,placement=free"]
)
def test_random_moves_one_by_one_reach_the_end(game: str) -> None:
    rolled, again = kernel(game), registry.game(game).new()
    rolled.rng_state, rolled.policy, count = 7, 0, 0
    while again.outcome() is None and count < 60:
        move = rolled.push_random(0)
        assert move in again.moves()
        again.make(move)
        assert str(rolled) == str(again)
        count += 1
    assert (rolled.push_random(0) == -1) == (again.outcome() is not None)


@pytest.mark.skipif(compiled(), reason="compiled, they are functions of C")
def test_random_numbers_are_those_of_splitmix64() -> None:
    """The sequence from seed 1234567 of Vigna's program (2015); random_unit() has the upper 53 bits."""
    drawn = (
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431,
        16408922859458223821,
    )  # fmt: skip
    played = kernel("nim")
    played.rng_state = 1234567
    assert tuple(played.random_bits() for _ in drawn) == drawn
    played.rng_state = 1234567
    assert [played.random_unit() for _ in drawn] == [(number >> 11) / 2**53 for number in drawn]
    assert max(drawn) / 2**64 > 0.5
