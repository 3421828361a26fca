"""Every violation of the contract is found and reported."""

import inspect
import json
import random
import re
from dataclasses import asdict, replace
from functools import lru_cache

import pytest
from click.testing import CliRunner

from gameplay.board import Board
from gameplay.cli import router
from gameplay.conformance import checker
from gameplay.conformance.checked_game import CheckedGame, LawBroken, brief, is_integer, is_stable
from gameplay.conformance.information import InformationLaws
from gameplay.conformance.laws import LAWS
from gameplay.conformance.observation import Observation
from gameplay.errors import BadInput, Fault, Usage
from gameplay.position import CHANCE, undoable
from gameplay.registry import Game, game
from gameplay.value import MAX_EVAL
from tests.support.conformance import check
from tests.support.golden import golden
from tests.support.paths import TESTS

BROKEN = {
    cls.__name__: cls
    for cls in (type(g.new()) for g in [game(f"{TESTS}/examples/games/broken.py:Sticks")])
    for cls in vars(inspect.getmodule(cls)).values()
    if inspect.isclass(cls) and getattr(cls, "breaks", "")
}

pytestmark = pytest.mark.once


@lru_cache
def broken(name, plays=20, seconds=10.0, plies=300):
    random.seed(0)  # that one of them asks
    return check(game(f"{TESTS}/examples/games/broken.py:{name}"), plays, 0, seconds, plies)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_law_is_found_first(name):
    verdict = broken(name, seconds=0.2 if BROKEN[name].breaks == "returns" else 60)
    assert verdict.broken, "nothing was found"
    assert verdict.broken[0].law == BROKEN[name].breaks, verdict.broken[0]


def test_broken_law_is_reported_with_the_shortest_line():
    """For each broken game its law, the moves and the observation; for valid ones the counts."""
    log = []
    for name in BROKEN:
        if name in ("Loops", "DrawsItself"):  # a clock ends one, and the other asks chance of its own
            continue
        first = broken(name, seconds=60).broken[0]
        seen = re.sub(r"\.py, line \d+", ".py, line #", first.seen)
        log.append(f"{name}  {first.law}  [{' '.join(first.moves)}]  {seen}")
        assert first.law == BROKEN[name].breaks and len(first.moves) <= 6, "sticks: short lines do"
    for name in ("Sticks", "Coin", "Walk"):
        log.append(f"{name}  {replace(broken(name), game=name)}")
    golden("laws", "\n".join(log) + "\n")


STICKS, WALK = (game(f"{TESTS}/examples/games/broken.py:{name}").cls for name in ("Sticks", "Walk"))


def ends(payoffs):
    """An outcome() method of sticks."""
    return {"outcome": lambda self: None if self.sticks else payoffs}


def draws(**facts):
    """A board() method of sticks with one cell."""
    given = {"cells": (("|",),), "columns": ("1",), "rows": ("",)} | facts
    return {"board": lambda self, viewer=None, last=None: Board(**given)}


def reads(word, move):
    """A parse() method of sticks that accepts one more word."""
    return {"parse": lambda self, text: move if text == word else STICKS.parse(self, text)}


@pytest.mark.parametrize(
    ("base", "facts", "law", "seen"),
    [
        (STICKS, {"players": "2"}, "facts", "players is '2'"),
        (STICKS, {"players": 0}, "facts", "players is 0"),
        (STICKS, {"low": "none"}, "facts", "low is none, neither a number nor None"),
        (STICKS, {"total": (1,)}, "facts", "total is (1,), neither a number nor None"),
        (STICKS, {"low": 2, "high": 1}, "facts", "low is 2 and high is 1"),
        (STICKS, {"low": 0, "high": 0} | ends((0, 0)), "", ""),
        (
            STICKS,
            {"phases": ("a", "b"), "phase": lambda self: -1},
            "facts",
            "phase() is -1, and there are 2 phases",
        ),
        (STICKS, {"aliases": {"red": -1}}, "facts", "the alias red is for player -1"),
        (STICKS, ends([1, -1]), "", ""),
        (STICKS, ends((1, -1, 0)), "outcome", "outcome() is (1, -1, 0) for 2 players"),
        (STICKS, ends((float("inf"), -1)), "outcome", "outcome() is (inf, -1)"),
        (STICKS, ends(("a", "b")), "outcome", "outcome() is ('a', 'b')"),
        (STICKS, {"drawless": True} | ends((0, 0)), "outcome", "outcome() is (0, 0), and drawless is True"),
        (STICKS, {"drawless": True} | ends((1, -1)), "", ""),
        (STICKS, {"high": 0} | ends((1, -1)), "bounds", "outcome() is 1, -1, and high is 0"),
        (
            STICKS,
            {"zero_sum": False, "total": 1} | ends((1, 0.5)),
            "bounds",
            "outcome() is 1, 0.5, together 1.5, and total is 1",
        ),
        (STICKS, {"zero_sum": False, "total": 1.5} | ends((1, 0.5)), "", ""),
        (STICKS, {"zero_sum": False} | ends((1, 0.5)), "", ""),
        (STICKS, {"diagram": lambda self: "a\nb"}, "diagram", "diagram() is 'a\\nb'"),
        (STICKS, {"diagram": lambda self: 3}, "diagram", "diagram() is 3"),
        (STICKS, {"key": lambda self: (0, (float("nan"),))}, "key", "key() is (0, (nan,))"),
        (STICKS, {"key": lambda self: (self.turn, (self.sticks, None, b"", 0.5))}, "", ""),
        (STICKS, {"moves": lambda self: [1, 2**31]}, "moves", "moves() holds 2147483648"),
        (STICKS, {"moves": lambda self: [0, True]}, "moves", "moves() holds True"),
        (STICKS, {"noisy": lambda self: [1, 1]}, "noisy", "noisy() is [1, 1], moves() is [1, 2, 3]"),
        (STICKS, {"noisy": lambda self: None}, "noisy", "noisy() is None, not a list"),
        (STICKS, {"noisy": lambda self: [1]}, "", ""),
        (STICKS, {"policies": {"one": "one stick"}, "policy_moves": lambda self, policy: [policy]}, "", ""),
        (
            STICKS,
            {"policies": {"all": "any", "none": "no"}, "policy_moves": lambda self, policy: [1, 2][policy:]},
            "policies",
            "policy_moves() by none is [], moves() is [1, 2, 3]",
        ),
        (
            STICKS,
            {"policies": {"two": "twice"}, "policy_moves": lambda self, policy: [1, 1]},
            "policies",
            "policy_moves() by two is [1, 1], moves() is [1, 2, 3]",
        ),
        (STICKS, {"evaluate": lambda self: MAX_EVAL}, "", ""),
        (STICKS, {"evaluate": lambda self: -MAX_EVAL - 1}, "evaluate", f"evaluate() is {-MAX_EVAL - 1}"),
        (STICKS, {"evaluate_for": lambda self, player: 0.5}, "evaluate", "evaluate_for(0) is 0.5"),
        (
            STICKS,
            {"evaluate_for": lambda self, player: int(player != self.turn)},
            "evaluate",
            "evaluate_for() is 0 and 1, where gains cancel",
        ),
        (STICKS, reads("", 9), "words", "parse('') is 9, which is not a legal move"),
        (STICKS, reads("no such move", 0), "words", "parse('no such move') is 0, which is not a legal move"),
        (STICKS, reads("?", 1), "", ""),
        (
            STICKS,
            {"format": lambda self, move: "take", "parse": lambda self, text: 1},
            "words",
            "format() is 'take' for 1 and for 2",
        ),
        (STICKS, {"format": lambda self, move: f"{move} "}, "words", "format(1) is '1 ', not one word"),
        (STICKS, {"board": lambda self, viewer=None, last=None: "|||"}, "board", "board() is a str"),
        (STICKS, draws(owners={"|": 2}), "board", "owners names player 2"),
        (STICKS, draws(trays=("heap",)), "board", "trays holds heap, which is not a Tray of letters"),
        (STICKS, draws(names={(1, 0): "end"}), "board", "names names the cell (1, 0), outside the board"),
        (STICKS, draws(paths={1: ((0, 9),)}), "board", "paths names the cell (0, 9), outside the board"),
        (STICKS, draws(links=(((0, 0), (2, 0)),)), "board", "links names the cell (2, 0), outside the board"),
        (STICKS, draws(last=((0, -1),)), "board", "last names the cell (0, -1), outside the board"),
        (STICKS, draws(paths={1: ((0, 0), (0, 0))}), "board", "board() points at [1], not all of them legal"),
        (STICKS, draws(rows=()), "board", "board() has 1 rows of 1 cells for 0 row and 1 column labels"),
        (WALK, {"estimate": lambda self: -1}, "estimate", "estimate() is -1"),
        (WALK, {"estimate": lambda self: False}, "estimate", "estimate() is False"),
        (
            WALK,
            {"chance": True, "heuristics": {}, "estimate": lambda self: 1},
            "estimate",
            "estimate() is 1 at a goal",
        ),
        (
            WALK,
            {"cost": lambda self, move: 0.5, "estimate": lambda self: 0},
            "cost",
            "cost() of 0 is 0.5",
        ),
        (
            WALK,
            {
                "zero_sum": True,
                "outcome": lambda self: None if self.at else (0,),
                "evaluate_for": lambda self, player: 1,
            },
            "",
            "",
        ),
    ],
)  # fmt: skip
def test_valid_and_invalid_declarations_of_a_game(base, facts, law, seen):
    verdict = check(Game("own", "own", type("Own", (base,), facts)), 5)
    violation = verdict.broken[0] if verdict.broken else None
    assert (violation.law, violation.seen) == (law, seen) if violation else not law


def test_check_plays_a_hundred_games_by_default(monkeypatch):
    requests = []

    class Fake:
        def __init__(self, subject, *given):
            requests.append((subject.game, subject.seconds, *given))
            self.subject = subject

        def check(self, plays):
            return plays

    monkeypatch.setattr(checker, "Checker", Fake)
    sticks = Game("own", "own", STICKS)
    assert checker.check(sticks) == 100 and requests == [(sticks, 10.0, 0, 2000)]


def test_check_output_is_cut_at_160_characters():
    assert brief("x" * 160) == "x" * 160 and brief("x" * 161) == "x" * 157 + "..."
    assert brief([1, "a"]) == "[1, 'a']" and brief("a\nb") == "'a\\nb'" and brief(3) == "3"
    assert [is_integer(value) for value in (3, True, 3.0, "3")] == [True, False, False, False]
    stable = (3, 0.5, "a", b"b", None, (1, ("x", None)), True)
    assert all(map(is_stable, stable)) and is_stable(stable)
    assert not any(map(is_stable, ([1], {1}, float("nan"), (1, [2]), (float("nan"),), object())))


def test_determinize_that_always_returns_the_true_position_is_reported():
    """The two positions are indistinguishable for a player."""

    def check_keys(**by_key):
        laws = InformationLaws(CheckedGame(Game("own", "own", STICKS), 1.0), 0)
        laws.sampled_keys = {(1, "x"): {key: [[key.upper()], *keys] for key, keys in by_key.items()}}
        try:
            laws.check_sampling()
        except LawBroken as broken:
            return broken.law, broken.observation, laws.subject.path
        return None

    always = "a and b are alike to player 1, and each time it gave the true one"
    assert check_keys(a="a" * 8, b="b" * 8) == ("determinize", always, ["A"])
    assert check_keys(a="a" * 8, b="b" * 8, c="c" * 9)[1] == always
    assert check_keys(c="a", a="a" * 8, b="b" * 8)[1] == always, "one that was drawn seldom says nothing"
    for other in ({"b": "b" * 7}, {"b": "b" * 7 + "a"}, {}, {"b": "a" * 8}):
        assert check_keys(a="a" * 8, **other) is None


def test_news_name_only_what_all_players_know():
    """One player only knows the cell of a failed try; a sampled position without a last move has no news."""
    laws = InformationLaws(CheckedGame(Game("own", "own", STICKS), 1.0), 0)
    here, there = (game("phantom-tictactoe").new() for _ in range(2))
    for position, cells in ((here, (0, 1, 8, 0)), (there, (0, 1, 8, 8))):
        for cell in cells:
            position.make(cell)
    known = here.infoset(0)
    assert known == there.infoset(0) and here.news() == there.news() != []
    laws._check_news(here, there, 0, known)
    laws._check_news(here, game("phantom-tictactoe").new(), 0, known)
    there.news = lambda: [f"{there.format(8)} is taken"]
    with pytest.raises(LawBroken, match="news") as raised:
        laws._check_news(here, there, 0, known)
    assert raised.value.law == "views"


def test_check_reports_information_leaks():
    laws = InformationLaws(CheckedGame(Game("own", "own", STICKS), 1.0), 0)
    laws._check_sees(
        1, [("x", "roll", True), ("y", "hide", False)], [("x", "roll", True), ("y", "seek", True)]
    )
    for there in (("x", "hold", True), ("x", "roll", False)):
        with pytest.raises(LawBroken) as broken:
            laws._check_sees(1, [("x", "roll", True)], [("z", "a", True), there])
        assert (broken.value.law, broken.value.observation) == (
            "sees", f"player 1 sees the move roll, but knows x after {there[1]} too"
        )  # fmt: skip


def test_game_without_a_start_has_no_counts():
    verdict = check(Game("own", "own", type("Own", (STICKS,), {"players": 0})), 5, 3).as_dict()
    (law,) = verdict.pop("broken")
    statement, fix = LAWS["facts"]
    assert law == {
        "law": "facts", "seen": "players is 0", "moves": (), "drawing": "",
        "statement": statement, "fix": fix,
    }  # fmt: skip
    assert verdict == {
        "game": "own", "seed": 3, "plays": 0, "finished": 0, "positions": 0, "keys": 0, "longest": 0,
        "branching": 0.0, "observed": asdict(Observation()), "warnings": [], "untested": [],
    }  # fmt: skip


def test_late_shared_state_of_positions_is_detected():
    class Late(STICKS):
        """From its fifth move on, a game changes the start of later ones."""

        plies = 0
        seen = []

        @undoable
        def make(self, move):
            self.plies += 1
            if self.plies >= 5:
                self.seen.append(move)
            self.sticks -= move
            self.turn = 1 - self.turn

        def diagram(self):
            return f"{self.turn} {self.sticks} {0 if self.plies else len(self.seen)}"

    violations = check(Game("late", "late", Late), 1, seed=1).broken  # a play of five moves
    assert [violation.law for violation in violations] == ["apart"] and len(violations[0].moves) == 5
    assert violations[0].seen.endswith(" in another position that was not touched")


def test_equal_keys_lead_to_equal_keys():
    class Later(BROKEN["Forgetful"]):
        """The first move is in the key only for the last three sticks."""

        outcome = STICKS.outcome

        def key(self):
            return (self.turn, self.sticks, self.first if self.sticks < 4 else 0)

    violation = check(Game("later", "later", Later)).broken[0]
    assert violation.law == "futures"
    assert (
        violation.seen.startswith("1 led to key() (")
        and " from an equal key (first met after " in violation.seen
    )


def test_every_law_has_a_game_that_breaks_it():
    assert {cls.breaks for cls in BROKEN.values()} == set(LAWS)


@pytest.mark.parametrize("name", ["Sticks", "Coin", "Walk"])
def test_models_of_the_broken_games_satisfy_the_contract(name):
    assert not broken(name).broken


def test_the_example_can_be_replayed_and_is_short():
    verdict = broken("Raises", plays=100)
    first = verdict.broken[0]
    assert len(first.moves) == 2, "the shortest way to five sticks from nine is in two moves"
    position = game(f"{TESTS}/examples/games/broken.py:Raises").new(" ".join(first.moves))
    with pytest.raises(KeyError):
        position.make(1)
    assert first.seen.startswith("make(1) raised KeyError: 5 (broken.py, line ")
    assert first.drawing == "sticks 5\nfirst to move"


def test_check_reports_hanging_code_with_the_moves():
    verdict = broken("Loops", seconds=0.2)
    assert verdict.broken[0].seen == "moves() did not return within 0.2 seconds"
    assert verdict.faulty


def test_the_same_seed_gives_the_same_verdict():
    spec = f"{TESTS}/examples/games/pig.py"
    assert check(game(spec), 10, 3) == check(game(spec), 10, 3)
    assert check(game(spec), 10, 3).positions != check(game(spec), 10, 4).positions


def test_check_reports_unsupported_protocols():
    model = game(f"{TESTS}/examples/games/broken.py:Sticks").cls

    def first(**facts):
        return check(Game("words", "words", type("Words", (model,), facts))).broken[0]

    assert first(notations=("usi",)).seen == "notations is ('usi',), but there is no notation 'usi'"
    speaks = {"notations": ("uci",), "chess960": False, "fen": str, "uci": lambda self, move: f"m{move}"}
    assert first(**speaks).seen == "notations is ('uci',), but there is no from_uci"
    wrong = first(**speaks, from_uci=lambda self, word: 3)
    assert (wrong.law, wrong.seen) == ("words", "uci(1) is 'm1', but from_uci('m1') is 3")


def test_check_reports_an_invalid_phase():
    model = game(f"{TESTS}/examples/games/broken.py:Sticks").cls
    facts = {"phases": ("early", "late"), "phase": lambda self: 2}
    first = check(Game("phases", "phases", type("Phases", (model,), facts))).broken[0]
    assert (first.law, first.seen) == ("facts", "phase() is 2, and there are 2 phases")


@pytest.mark.parametrize(
    ("name", "number"), [("unit", 0), ("unit", 2.5), ("quiet_margin", -5), ("stake", -1)]
)
def test_check_reports_an_invalid_scale(name, number):
    model = game(f"{TESTS}/examples/games/broken.py:Sticks").cls
    first = check(Game("scale", "scale", type("Scale", (model,), {name: number}))).broken[0]
    least = 1 if name == "unit" else 0
    assert first.law == "facts"
    assert first.seen == f"{name} is {number!r}, and not a whole number from {least} up"


def test_check_refuses_a_class_that_is_no_position():
    class Bare:
        turn = 0

        def moves(self):
            return [0]

        def make(self, move):
            pass

        def outcome(self):
            return None

    with pytest.raises(BadInput, match=r"Bare is not a subclass of gameplay.Position: write class Bare\("):
        check(Game("bare", "bare", Bare))


def test_chance_moves_that_cannot_happen_are_not_played():
    positions = set()
    pig = game(f"{TESTS}/examples/games/pig.py").cls

    class Loaded(pig):
        def chances(self):
            return [0, 1, 0, 0, 0, 0]

        def make(self, move):
            if self.turn == CHANCE:
                positions.add(move)
            super().make(move)

    verdict = check(Game("loaded", "loaded", Loaded, {"goal": 4}), 5)
    assert not verdict.broken and verdict.finished == 5


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ([(face, 1 / 6) for face in range(6)], "chances() holds (0, 0.16"),
        (["1/6"] * 6, "chances() holds 1/6, which is not a number"),
        (None, "chances() is None, not a list"),
    ],
)
def test_chances_that_are_no_numbers_are_a_broken_law(given, seen):
    pig = game(f"{TESTS}/examples/games/pig.py").cls
    paired = type("Paired", (pig,), {"chances": lambda self: given})
    first = check(Game("paired", "paired", paired, {"goal": 4}), 5).broken[0]
    assert first.law == "chances" and first.seen.startswith(seen)


@pytest.mark.parametrize(
    ("text", "error", "line"),
    [
        ("raise SystemExit(0)", Fault, r"when imported, raised SystemExit: 0 \(mine.py, line 1\)"),
        ("raise ValueError('no')", Fault, r"when imported, raised ValueError: no \(mine.py, line 1\)"),
        ("x = (", BadInput, "is not Python: line 1"),
        ("\0", BadInput, "is not"),
    ],
)
def test_a_file_that_cannot_be_imported_is_one_line(tmp_path, text, error, line):
    file = tmp_path / "mine.py"
    file.write_text(text)
    with pytest.raises(error, match=line):
        game(str(file))


def test_a_constructor_that_fails_is_a_fault_and_one_that_refuses_is_not(tmp_path):
    file = tmp_path / "mine.py"
    body = "from gameplay import Position\nclass Mine(Position):\n    def __init__(self, size=3):\n        "
    file.write_text(body + "if size > 3: raise ValueError('size is at most 3')\n        None + 1\n")
    with pytest.raises(Usage, match="size is at most 3"):
        game(f"{file}:size=4").new()
    with pytest.raises(Fault, match=r"the constructor raised TypeError: .* \(mine.py, line 5\)"):
        game(str(file)).new()


# -- the command ----------------------------------------------------------------------------------


def run_check(*arguments):
    return CliRunner().invoke(router, ["check", *arguments], standalone_mode=False)


def test_correct_game_passes_the_check():
    result = run_check("nim", "--games", "9")
    assert result.return_value == 0
    assert "nim: 9 random games to the end and back, seed 0" in result.output
    assert "laws       all hold" in result.output


def test_check_reports_moves_and_fix_of_a_broken_game():
    spec = f"{TESTS}/examples/games/broken.py:Raises"
    result = run_check(spec)
    assert result.return_value == 5
    assert "BROKEN: the game's code raises no exception on legal moves" in result.output
    assert f"gameplay show {spec} --moves '" in result.output
    assert "  fix        " in result.output


def test_broken_rules_are_a_difference():
    assert run_check(f"{TESTS}/examples/games/broken.py:Generous").return_value == 3


def test_the_verdict_as_json():
    verdict = json.loads(run_check(f"{TESTS}/examples/games/broken.py:Twice", "--json").output)
    assert verdict["broken"][0]["law"] == "moves"
    assert verdict["broken"][0]["fix"]
    assert verdict["positions"] == 0 or verdict["plays"] >= 1
