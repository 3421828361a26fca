"""Pig: rules, optimal play against value iteration and a published result, text output."""

from typing import Any

import pytest

from gameplay import CHANCE, Limit, registry
from gameplay.games.pig.evaluation import PigChances
from gameplay.kernel import compiled


def new(text: str = "", spec: str = "pig") -> Any:
    return registry.game(spec).new(text or None)


def value_iteration(goal: int, faces: int) -> dict[tuple[int, int, int], float]:
    """Value iteration (Neller and Presser): update every state until none changes."""
    wins = {(i, j, k): 0.0 for i in range(goal) for j in range(goal) for k in range(goal - i)}

    def win(i: int, j: int, k: int) -> float:
        return 1.0 if i + k >= goal else wins[i, j, k]

    change = 1.0
    while change > 1e-14:
        change = 0.0
        for i, j, k in wins:
            value = (1 - win(j, i, 0) + sum(win(i, j, k + face) for face in range(2, faces + 1))) / faces
            if k:
                value = max(value, 1 - win(j, i + k, 0))
            change = max(change, abs(value - wins[i, j, k]))
            wins[i, j, k] = value
    return wins


@pytest.mark.parametrize(("goal", "faces"), [(2, 2), (5, 3), (12, 6)])
def test_optimal_play_equals_value_iteration(goal: int, faces: int) -> None:
    chances = PigChances(goal, faces)
    for state, value in value_iteration(goal, faces).items():
        assert chances[state] == pytest.approx(value, abs=1e-12)


@pytest.mark.skipif(compiled(), reason="slots are seen in the pure build")
@pytest.mark.parametrize(("goal", "faces", "rounds"), [(20, 6, 2.0), (25, 8, 2.0), (30, 3, 3.2)])
def test_pairs_of_states_are_solved_in_two_or_three_rounds(goal: int, faces: int, rounds: float) -> None:
    """The first round finds most best choices, the second confirms them."""
    requests = []

    class RecordingChances(PigChances):
        def improve_policy(self, i: int, j: int, lost: float) -> float:
            requests.append((i, j))
            return super().improve_policy(i, j, lost)

    RecordingChances(goal, faces)
    assert len(set(requests)) == goal * goal
    assert round(len(requests) / (goal * (goal + 1)), 1) == rounds


@pytest.mark.skipif(not compiled(), reason="505,000 states")
def test_the_published_chance_of_the_first_player() -> None:
    """Neller and Presser 2004: the first player wins 53.06 %; every state satisfies the equations."""
    chances = PigChances(100, 6)
    assert round(chances[0, 0, 0], 4) == 0.5306
    for i in range(0, 100, 7):
        for j in range(0, 100, 7):
            for k in range(100 - i):
                value = (1 - chances[j, i, 0] + sum(chances[i, j, k + face] for face in range(2, 7))) / 6
                if k:
                    value = max(value, 1 - chances[j, i + k, 0])
                assert chances[i, j, k] == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("eval_", ["optimal", "none"])
def test_the_engine_finds_the_same(eval_: str) -> None:
    """At depth one with the exact evaluation, and by search alone near the end."""
    truth = value_iteration(8, 6)
    position = new("3-4 1 2", "pig:goal=8")
    engine = registry.engine(f"expectiminimax:prune=star2,table=1MB,eval={eval_}")[0]
    report = engine.search(position, Limit(depth=1 if eval_ == "optimal" else 12, multipv=2))
    values = {
        position.format(candidate.move): candidate.value / position.unit / 2 + 0.5
        for candidate in report.candidates
    }
    thrown = [1.0 if 5 + face >= 8 else truth[3, 4, 2 + face] for face in range(2, 7)]
    expected = {"roll": (1 - truth[4, 3, 0] + sum(thrown)) / 6, "hold": 1 - truth[4, 5, 0]}
    assert values == pytest.approx(expected, abs=2e-6 if eval_ == "optimal" else 1e-2)
    assert report.exact == (eval_ == "optimal")


def test_the_rules() -> None:
    position = new()
    for word in ("roll", "6", "roll", "3", "hold", "roll", "5", "roll", "1", "roll"):
        position.make(position.parse(word))
    assert (position.text(), position.scores(), position.turn) == ("9-0 1 0 roll", [9, 0], CHANCE)
    assert position.chances() == [1 / 6] * 6
    position.make(position.parse("4"))
    assert [position.format(move) for move in position.moves()] == ["roll", "hold"]
    position.unmake()
    for _ in range(3):
        position.unmake()
    assert position.text() == "9-0 2 5"
    position = new("95-99 1 6")
    position.make(position.parse("hold"))
    assert position.outcome() == (1, -1)
    assert [new().format(move) for move in new().moves()] == ["roll"], "each turn begins with a roll"


def test_three_players() -> None:
    position = new("10-19-5 2 4", "pig:players=3,goal=20")
    position.make(position.parse("hold"))
    assert position.outcome() == (-0.5, 1, -0.5)
    position.unmake()
    guesses = [position.evaluate_for(player) / position.unit for player in range(3)]
    assert guesses[1] > guesses[0] > guesses[2]
    assert -1e-5 < sum(guesses) <= 0


def test_board_of_pig() -> None:
    position = new()
    for word in ("roll", "6", "roll", "5"):
        position.make(position.parse(word))
    board = position.board()
    assert board.cells[0][:2] == ("x", "")
    assert board.columns == tuple(str(10 * tenth) for tenth in range(1, 11)), "how far a tenth of the goal is"
    assert [tray.things for tray in board.trays] == [("6", "5"), ("11",)]
    assert board.notes == {0: "0 points, 11 in the pot", 1: "0 points"}
    for word in ("roll", "1"):
        position.make(position.parse(word))
    assert position.board().trays[0].things == ("6", "5", "1"), "what was lost is seen until the next throw"
    position.make(position.parse("roll"))
    position.make(position.parse("2"))
    assert position.board().trays[0].things == ("2",)


@pytest.mark.parametrize("text", ["160-12 2 0", "12-5 1 160", "100-5 2 0", "5-100 1 0", "99-99 2 2 roll"])
def test_bounds_of_positions(text: str) -> None:
    """At most the points of sixteen rolls; a winner must be the player before the one on turn."""
    position = new(text)
    assert position.text() == text
    assert (position.outcome() is None) == (max(position.scores()) < 100)


@pytest.mark.parametrize(
    ("moves", "news"),
    [
        ("roll 4 roll 1", "first rolls a 1 and loses 4 points"),
        ("roll 1", "first rolls a 1: the turn ends"),
        ("roll 4 hold roll 6 roll 1", "second rolls a 1 and loses 6 points"),
        ("roll 4 hold roll 6 hold roll 5 hold", "first holds and keeps 5 points, 9 in all"),
        ("roll 4", ""),
        ("roll 4 roll", ""),
        ("roll", ""),
    ],
)
def test_news_of_the_pot(moves: str, news: str) -> None:
    position = registry.game("pig").new(moves)
    assert tuple(position.news()) == ((news,) if news else ())
