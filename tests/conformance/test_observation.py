"""Planted mistakes are reported in the right words; correct games get no warning."""

import importlib.util
import statistics
from random import Random

import pytest

from gameplay.cli import router, run
from gameplay.conformance.observation import Observation, agreement
from gameplay.registry import game
from tests.support.conformance import BUILT_IN, check
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

FILE = TESTS / "examples" / "games" / "planted.py"
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
    verdict = check(game(f"{FILE}:{name}"), 30 if cls.law else 100)
    if cls.law:
        assert [broken.law for broken in verdict.broken] == [cls.law]
        assert cls.words in verdict.broken[0].seen
        assert verdict.warnings == []
    else:
        assert verdict.broken == []
        assert any(cls.warns in warning for warning in verdict.warnings)


def test_forgotten_attribute_is_shown_with_the_position_before_the_move():
    (broken,) = check(game(f"{FILE}:ForgetsCounter")).broken
    start = game(f"{FILE}:ForgetsCounter").new()
    assert (broken.moves, broken.drawing) == ((), str(start)) and "sticks 9" in broken.drawing


@pytest.mark.parametrize("name", ["Kept", "Cards", "Walk"])
def test_sound_game_is_checked_without_a_warning(name):
    verdict = check(game(f"{FILE}:{name}"), 20)
    assert (verdict.broken, verdict.warnings) == ([], [])


def test_check_prints_what_it_observed_and_warns(capsys):
    assert run(router, "gameplay", ["check", f"{FILE}:StuckTurn"]) == 0
    out = capsys.readouterr().out
    assert "  moves      " in out
    assert " 0 by second" in out
    assert "  warning    second never moved in 400 games" in out
    assert run(router, "gameplay", ["check", f"{FILE}:Kept", "--games", "30"]) == 0
    out = capsys.readouterr().out
    assert "warning" not in out
    assert "  last move  its player won 136, lost 0" in out


def test_check_lists_the_laws_that_it_did_not_test(capsys):
    worlds = check(game("phantom-tictactoe"), 4).untested
    assert [world.law for world in worlds if "more than 12,000 positions" in world.reason] == ["worlds"]
    assert "worlds" not in {law.law for law in check(game("kuhn"), 4).untested}
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


WORK = 3_000  # random moves of each game
EVALUATED = TESTS / "examples" / "games" / "evaluated.py"


def observe(name: str, work: int = WORK, games: int = 200) -> tuple[Observation, object]:
    """The observation of random games of at most so many moves, without the laws; and the start."""
    seen, start = Observation(), game(name).new()
    seen.begin(start.players)
    number = 0
    while work > 0 and seen.games < games:
        observations = []
        seen.play(
            game(name).new(),
            Random(f"{name}/{number}"),
            2_000,
            observations,
            lambda what, call, *rest: call(*rest),
        )
        work -= len(observations)
        number += 1
    seen.judge()
    return seen, start


TRUE = (  # warnings that are right
    "go:size=2",  # White does win each game on four points, by 7.5 points of komi
    "stratego:army=barrage,quiet=3",  # and three quiet moves, which end a game, come soon at random
    "stratego:army=barrage,start=chosen,quiet=3",
)


@pytest.mark.parametrize("name", [name for name in BUILT_IN if name not in TRUE])
def test_built_in_game_gives_no_false_warning(name):
    seen, start = observe(name)
    assert seen.warnings(start) == []
    assert seen.inverted == []


@pytest.mark.parametrize("name", ["Row", "Dash", "Capture"])
def test_evaluation_is_judged_by_player(name):
    """The share of agreeing pairs of games; for the games with mistakes, one less that share."""
    right = observe(f"{EVALUATED}:{name}")[0]
    assert right.inverted == [] and min(right.agreement) > 0.65
    wrong, start = observe(f"{EVALUATED}:{name}Swapped")
    assert wrong.inverted == [0, 1]
    assert [warning.partition(":")[2] for warning in wrong.warnings(start)] == [" is its sign wrong?"]
    half, start = observe(f"{EVALUATED}:{name}Fixed")
    assert half.inverted == [1]
    assert [warning.partition(":")[2] for warning in half.warnings(start)] == [
        " is it from the view of the player to move?"
    ]


def test_check_warns_of_a_swapped_sign(capsys):
    words = ["check", f"{EVALUATED}:CaptureSwapped", "--games", "12"]
    assert run(router, "gameplay", words) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  warning ")]
    assert line.startswith(
        "  warning    evaluate() at the last turn of first and second was higher before the"
    )
    assert line.endswith("of pairs of games: is its sign wrong?")
    assert run(router, "gameplay", ["check", f"{EVALUATED}:Capture", "--games", "12"]) == 0
    assert "warning" not in capsys.readouterr().out


def brute(samples):
    pairs = [(a, b) for number, a in enumerate(samples) for b in samples[:number] if a[1] != b[1]]
    agreed = [0.5 if a[0] == b[0] else float((a[0] > b[0]) == (a[1] > b[1])) for a, b in pairs]
    return sum(agreed) / len(agreed) if pairs else None


def test_agreement_counts_pairs_with_different_results():
    assert agreement([]) == agreement([(3, 1)]) == agreement([(3, 1), (5, 1)]) == (0.5, 0.0)
    assert agreement([(3, 1), (5, -1)])[0] == 0.0
    assert agreement([(5, 1), (3, -1), (5, 0)])[0] == pytest.approx(2.5 / 3)
    rng = Random(1)
    samples = [(rng.randrange(5), rng.choice((-1, 0, 1))) for _ in range(40)]
    assert agreement(samples)[0] == pytest.approx(brute(samples))


def test_deviation_of_agreement_is_that_of_independent_samples():
    """For two results that of Mann and Whitney; for three as measured by 2,000 shuffles."""
    samples = [(number, 1 if number < 7 else -1) for number in range(20)]
    assert agreement(samples)[1] == pytest.approx(((20 + 1) / 12 / (7 * 13)) ** 0.5)
    rng, results, shares = Random(2), [1] * 8 + [0] * 10 + [-1] * 12, []
    for _ in range(2_000):
        rng.shuffle(results)
        shares.append(agreement(list(enumerate(results)))[0])
    assert statistics.fmean(shares) == pytest.approx(0.5, abs=0.01)
    assert statistics.pstdev(shares) == pytest.approx(agreement(list(enumerate(results)))[1], rel=0.05)


def test_independent_evaluations_are_not_reported():
    """The false positive rate is below 1 in 30,000: with these seeds there is none."""
    for seed in range(200):
        rng, seen = Random(seed), Observation()
        seen.begin(2)
        for _ in range(60):
            winner = rng.choice((1, -1))
            seen.add([0, 1], [rng.randrange(-9, 10), rng.randrange(-9, 10)], (winner, -winner))
        seen.judge()
        assert seen.inverted == []


def test_observation_counts_results_movers_and_lengths():
    seen = Observation()
    seen.begin(2)
    seen.add([0, 1, 0], [1, 1, 1], (1, -1))
    seen.add([0, -1, 1, 0, 1], [1, None, 1, 1, -2], (1, -1))
    seen.add([0], [0], (0, 0))
    assert (seen.games, seen.wins, seen.draws) == (3, [2, 0], 1)
    assert (seen.last_won, seen.last_lost) == (1, 1)
    assert (seen.shortest, seen.mean_length, seen.longest) == (1, 3.0, 5)
    assert seen.moved == [5, 3]
    assert seen.samples == [[(1, 1), (1, 1), (0, 0)], [(1, -1), (-2, -1)]]
    seen.judge()
    assert seen.agreement == [1.0, None]
