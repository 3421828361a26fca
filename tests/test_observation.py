"""Planted mistakes are reported in the right words, and sound games without a warning."""

import importlib.util
from pathlib import Path
from random import Random

import pytest
from conformance import BUILT_IN

from gameplay.cli import router, run
from gameplay.conformance import check
from gameplay.observation import Observation
from gameplay.position import CHANCE
from gameplay.registry import game

pytestmark = pytest.mark.once

FILE = Path(__file__).parent / "games" / "planted.py"
spec = importlib.util.spec_from_file_location("planted", FILE)
planted = importlib.util.module_from_spec(spec)
spec.loader.exec_module(planted)
MISTAKES = [
    name for name, cls in vars(planted).items() if getattr(cls, "law", "") or getattr(cls, "warns", "")
]


def test_there_are_a_dozen_planted_mistakes_of_different_kinds():
    assert len(MISTAKES) >= 12
    assert len({(cls.law, cls.warns, cls.words) for cls in map(vars(planted).get, MISTAKES)}) >= 12


@pytest.mark.parametrize("name", MISTAKES)
def test_check_reports_a_planted_mistake(name):
    cls = vars(planted)[name]
    verdict = check(game(f"{FILE}:{name}"))
    if cls.law:
        assert [broken.law for broken in verdict.broken] == [cls.law]
        assert cls.words in verdict.broken[0].seen
        assert verdict.warnings == []
    else:
        assert verdict.broken == []
        assert any(cls.warns in warning for warning in verdict.warnings)


@pytest.mark.parametrize("name", ["Kept", "Cards", "Walk"])
def test_sound_game_is_checked_without_a_warning(name):
    verdict = check(game(f"{FILE}:{name}"), 60)
    assert (verdict.broken, verdict.warnings) == ([], [])


def test_check_prints_what_it_observed_and_warns(capsys):
    assert run(router, "gameplay", ["check", f"{FILE}:StuckTurn"]) == 0
    out = capsys.readouterr().out
    assert "  moves      " in out
    assert " 0 by second" in out
    assert "  warning    second never moved in 100 games" in out
    assert run(router, "gameplay", ["check", f"{FILE}:Kept", "--games", "30"]) == 0
    out = capsys.readouterr().out
    assert "warning" not in out
    assert "  last move  its player won 30, lost 0" in out


def test_check_lists_the_laws_that_it_did_not_test(capsys):
    worlds = check(game("phantom-tictactoe"), 4).untested
    assert [one.law for one in worlds if "more than 12,000 positions" in one.reason] == ["worlds"]
    assert "worlds" not in {one.law for one in check(game("kuhn"), 4).untested}
    assert run(router, "gameplay", ["check", "phantom-tictactoe", "--games", "3"]) == 0
    out = capsys.readouterr().out
    assert "all hold" not in out
    assert "laws       all that were tested hold" in out


def test_estimate_of_a_puzzle_without_a_goal_in_reach_is_listed_as_untested():
    class Endless(planted.Walk):
        def outcome(self):
            return None

    from gameplay.registry import Game

    verdict = check(Game("endless", "endless", Endless), 3)
    assert verdict.untested[0].law == "estimate"
    assert "no goal was reached" in verdict.untested[0].reason


def observed(name: str, games: int = 40, plies: int = 600) -> tuple[Observation, object]:
    """Random games of a game, without the laws, and its start."""
    rng, seen, start = Random(name), Observation(), game(name).new()
    seen.begin(start.players)
    for _ in range(games):
        position, turns, guesses = game(name).new(), [], []
        while position.outcome() is None and len(turns) < plies:
            moves = position.moves()
            chance = position.turn == CHANCE
            turns.append(position.turn)
            guesses.append(None if chance else position.evaluate())
            position.make(rng.choices(moves, position.chances())[0] if chance else rng.choice(moves))
        if position.outcome() is not None:
            seen.add(turns, guesses, position.outcome())
    return seen, start


SLOW = ("stratego", "monopoly", "bridge", "scrabble", "hearts", "chinese", "chess", "connect4:columns=20")
KOMI = "go:size=2"  # White does win each game on four points, by 7.5 points of komi


@pytest.mark.parametrize("name", [name for name in BUILT_IN if name != KOMI])
def test_built_in_game_gives_no_false_warning(name):
    seen, start = observed(name, 4 if name.startswith(SLOW) else 40)
    assert seen.warnings(start) == []


def test_observation_counts_results_movers_and_lengths():
    seen = Observation()
    seen.begin(2)
    seen.add([0, 1, 0], [1, 1, 1], (1, -1))
    seen.add([0, -1, 1, 0, 1], [1, None, 1, 1, -2], (1, -1))
    seen.add([0], [0], (0, 0))
    assert (seen.games, seen.wins, seen.draws) == (3, [2, 0], 1)
    assert (seen.last_won, seen.last_lost) == (1, 1)
    assert (seen.shortest, seen.mean, seen.longest) == (1, 3.0, 5)
    assert seen.moved == [5, 3]
    assert (seen.right, seen.wrong) == ([1, 1], [0, 0])
