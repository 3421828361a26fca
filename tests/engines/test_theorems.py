"""Theorems of search: all engines and options agree with minimax and with published values."""

import tomllib
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gameplay import Limit, Position, registry
from gameplay.errors import Usage
from gameplay.kernel import compiled
from gameplay.value import WIN, is_win, plies
from tests.support.paths import TESTS
from tests.support.searches import search_limited

VALUES = tomllib.loads((TESTS / "answers" / "values.toml").read_text())["value"]
EXAMPLES = settings(
    max_examples=100 if compiled() else 25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)

GAMES = [
    "tictactoe",
    "tictactoe:width=4,height=3,line=3",
    "tictactoe:width=2,height=4,line=2",
    "tictactoe:width=5,height=5,line=4",
    "tictactoe:width=9,height=9,line=5",  # beyond 64 bits
    "connect4",
    "connect4:columns=4,rows=4",
    "connect4:columns=5,rows=4,connect=3",
    "connect4:columns=10,rows=8",  # beyond 64 bits
    str(TESTS / "examples" / "games" / "sticks.py"),
]
ORDERS = ["generated", "random", "killer", "history", "killer+history", "shallow", "evaluation"]


@st.composite
def positions(draw: Any) -> tuple[Any, int]:
    """An unfinished position of some game after random moves, and a search depth."""
    position = registry.game(draw(st.sampled_from(GAMES))).new()
    for choice in draw(st.lists(st.integers(0, 99), max_size=12)):
        moves = position.moves()
        position.make(moves[choice % len(moves)])
        if position.outcome() is not None:
            position.unmake()
            break
    return position, draw(st.integers(1, 4 if len(position.moves()) < 12 else 2))


def options_for(position: Any, name: str, draw: Any) -> str:
    """A random combination of every option of an engine."""
    guesses = bool(position.evaluations)
    order = draw(st.sampled_from(ORDERS if guesses else ORDERS[:-1]))
    parts = [f"order={order}", f"table={draw(st.sampled_from(['off', '16KB', '1MB']))}"]
    if "random" in order:
        parts.append(f"seed={draw(st.integers(0, 9))}")
    if guesses:
        parts.append(f"eval={draw(st.sampled_from(list(position.evaluations)))}")
    if name == "iterative":
        parts += [
            f"{switch}={draw(st.sampled_from(['on', 'off']))}" for switch in ("aspiration", "mtdf", "pvs")
        ]
    return f"{name}:{','.join(parts)}"


@EXAMPLES
@given(positions(), st.data(), st.sampled_from(["alphabeta", "iterative"]))
def test_every_option_keeps_the_value_of_minimax(case: tuple[Any, int], data: Any, name: str) -> None:
    position, depth = case
    engine = options_for(position, name, data.draw)
    guess = next((part for part in engine.partition(":")[2].split(",") if part.startswith("eval=")), "")
    truth = search_limited(f"minimax:{guess}" if guess else "minimax", position, depth)
    report = search_limited(engine, position, depth)
    assert report.value == truth.value
    if report.depth < depth:  # by proof only
        assert report.exact or plies(report.value) <= report.depth
    if truth.exact:
        assert report.value == truth.value
    # The line is legal, begins with the move, and leads to the value.
    assert report.pv[0] == report.move
    for move in report.pv:
        assert move in position.moves()
        position.make(move)
    for _ in report.pv:
        position.unmake()


@EXAMPLES
@given(positions())
def test_alphabeta_plays_the_first_best_move_of_minimax(case: tuple[Any, int]) -> None:
    position, depth = case
    truth = search_limited("minimax", position, depth)
    for engine in ("alphabeta", "alphabeta:table=1MB"):
        report = search_limited(engine, position, depth)
        assert (report.value, report.move) == (truth.value, truth.move)
        assert report.nodes <= truth.nodes


@EXAMPLES
@given(positions())
def test_search_restores_the_position(case: tuple[Any, int]) -> None:
    position, depth = case
    before = (position.key(), position.turn, list(position.moves()), str(position))
    for engine in ("minimax", "alphabeta:table=1MB", "iterative"):
        search_limited(engine, position, depth)
        assert (position.key(), position.turn, list(position.moves()), str(position)) == before
    registry.engine("iterative")[0].search(position, Limit(nodes=7))
    assert (position.key(), position.turn, list(position.moves()), str(position)) == before


@settings(EXAMPLES, max_examples=50 if compiled() else 8)  # six searches an example
@given(positions(), st.integers(1, 500))
def test_the_same_search_twice_is_the_same(case: tuple[Any, int], nodes: int) -> None:
    position, depth = case
    for spec, limit in product(
        ("alphabeta:order=random,seed=3", "iterative", "minimax"), (Limit(depth=depth), Limit(nodes=nodes))
    ):
        engine = registry.engine(spec)[0]
        first, again = (engine.search(position, limit) for _ in range(2))
        assert (first.move, first.value, first.pv, first.nodes) == (
            again.move,
            again.value,
            again.pv,
            again.nodes,
        )
        # The first ply is finished in any case, with PVS each move at most twice; then it stops at the root.
        least = 2 + len(position.moves()) * (1 + (spec == "iterative"))
        assert limit.nodes is None or first.nodes <= max(limit.nodes, least)


@EXAMPLES
@given(positions())
def test_quiescence_never_reports_a_false_win(case: tuple[Any, int]) -> None:
    position, depth = case
    if isinstance(position, Position) or len(position.moves()) > 8:
        return
    report = search_limited("selective", position, depth)
    if is_win(report.value):
        length = plies(report.value)
        if length <= 6 or (compiled() and length <= 9):
            assert search_limited("alphabeta:table=1MB,eval=none", position, length).value * report.value > 0


@pytest.mark.parametrize("answer", VALUES, ids=lambda answer: answer["game"])
def test_solved_boards(answer: dict[str, Any]) -> None:
    if answer.get("slow") and not compiled():
        pytest.skip("only quick enough when compiled")
    report = registry.engine("iterative")[0].search(registry.game(answer["game"]).new(), Limit(depth=255))
    assert report.exact or is_win(report.value)
    assert (report.value > 0) - (report.value < 0) == answer["value"]


def scores(kind: str) -> list[tuple[str, int]]:
    """Positions and published scores of one part of the file."""
    scores, part = [], ""
    for line in (TESTS / "answers" / "connect4.txt").read_text().splitlines():
        if line.startswith("["):
            part = line.strip("[]")
        elif part == kind and not line.startswith("#"):
            moves, score = line.split()
            scores.append((moves, int(score)))
    return scores


@pytest.mark.parametrize(
    "kind", ["end", pytest.param("middle", marks=pytest.mark.skipif(not compiled(), reason="slow"))]
)
def test_distances_of_published_positions(kind: str) -> None:
    game, engine = registry.game("connect4"), registry.engine("iterative:eval=none")[0]
    for moves, score in scores(kind)[:: 1 if compiled() else 6]:
        position = game.new(moves)
        value = engine.search(position, Limit(depth=255)).value
        played = len(moves)
        winner = (played + (score < 0)) % 2  # 0 if the winner moved first in the game
        stones = 2 * (22 - abs(score)) - (1 - winner)  # on the board at the end
        distance = stones - played
        assert value == (score > 0) * (WIN - distance) - (score < 0) * (WIN - distance), moves


def test_node_counts_equal_published_measurements() -> None:
    empty = registry.game("tictactoe").new()
    report = search_limited("minimax", empty, 9)
    assert (report.nodes, report.value, report.exact) == (549_946, 0, True)
    four = registry.game("connect4").new()
    depth, plain, tabled = (12, 777_501, 188_954) if compiled() else (8, 8_647, 4_107)
    assert search_limited("alphabeta:eval=none", four, depth).nodes == plain
    assert search_limited("alphabeta:eval=none,table=64MB", four, depth).nodes == tabled


def test_immediate_wins_and_blocks_are_noisy() -> None:
    position = registry.game("connect4").new("112233")
    assert (position.noisy(), position.forced()) == ([3], False)
    position = registry.game("connect4").new("1122334"[:5] + "7")  # x has 1 2 3 below
    report = search_limited("selective", position, 1)
    assert report.value == WIN - 1


def test_values_are_right_if_a_player_moves_twice() -> None:
    """Values change sign with the player, not with the ply."""

    class Twice(Position):
        """Each player adds two digits, 1 or 2 each, then the other; more points win."""

        scored = True

        def __init__(self) -> None:
            super().__init__()
            self.digits: list[int] = []

        def moves(self) -> list[int]:
            return [1, 2]

        def make(self, move: int) -> None:
            self.digits.append(move)
            self.turn = len(self.digits) // 2 % 2

        def unmake(self) -> None:
            self.digits.pop()
            self.turn = len(self.digits) // 2 % 2

        def outcome(self) -> tuple[int, int] | None:
            if len(self.digits) < 4:
                return None
            first = self.digits[0] * 3 + self.digits[1] - 2 * self.digits[2] - self.digits[3]
            return first, -first

    for engine in ("minimax", "alphabeta", "alphabeta:table=1MB", "iterative"):
        report = search_limited(engine, Twice(), 4)
        assert (report.value, report.pv, report.exact) == (8 - 6, (2, 2, 2, 2), True), engine


def test_engines_refuse_unsupported_games() -> None:
    sticks = registry.game(str(TESTS / "examples" / "games" / "sticks.py")).new()
    with pytest.raises(Usage, match=r"order=evaluation needs evaluate\(\)"):
        search_limited("alphabeta:order=evaluation", sticks, 2)
    with pytest.raises(Usage, match="unknown evaluation 'lines'"):
        search_limited("minimax:eval=lines", registry.game("connect4").new(), 2)
    with pytest.raises(Usage, match="the game is over"):
        search_limited("minimax", registry.game("connect4").new("1212121"), 2)
    for file, why in (("kuhn", "chance|hides"), ("pig", "chance"), ("thrice", "3|gain")):
        position = registry.game(str(TESTS / "examples" / "games" / f"{file}.py")).new()
        with pytest.raises(Usage, match=why):
            search_limited("alphabeta", position, 2)


def test_spec_of_an_engine_round_trips() -> None:
    for spec in ("iterative", "alphabeta:order=killer,table=16MB", "iterative:pvs=off", "random:seed=4"):
        assert str(registry.engine(spec)[0]) == spec
    assert str(registry.engine("alpha-beta")[0]) == "alphabeta"
    assert str(registry.engine("ID")[0]) == "iterative"


def test_unlimited_engines_end_soon_by_themselves() -> None:
    for name in registry.engine_names():
        engine = registry.engine(name)[0]
        games = [registry.game(game).new() for game in ("connect4", "kuhn", "scrabble", "holdem")]
        position = next((game for game in games if not engine.incompatibility(game)), None)
        if position is None:  # for one player: goes on until the way is found
            assert engine.players == range(1, 2)
            continue
        limit = engine.default_limit(position, Limit())
        assert not engine.thinks or name == "cfr" or (limit.seconds is not None and limit.seconds <= 2)
    assert registry.engine("minimax")[0].default_limit(registry.game("tictactoe").new(), Limit()).depth == 255
