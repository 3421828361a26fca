"""Every game keeps the contract, and every way to break it is caught and told."""

import inspect
import json

import pytest
from click.testing import CliRunner
from conformance import BUILT_IN, FAMILIES, HERE, TREES, keeps

from gameplay.cli import router, run
from gameplay.conformance import check
from gameplay.errors import BadInput, Fault, Usage
from gameplay.kernel import compiled
from gameplay.laws import LAWS
from gameplay.position import CHANCE, parameters
from gameplay.registry import Game, game

BROKEN = {
    cls.__name__: cls
    for cls in (type(g.new()) for g in [game(f"{HERE}/games/broken.py:Sticks")])
    for cls in vars(inspect.getmodule(cls)).values()
    if inspect.isclass(cls) and getattr(cls, "breaks", "")
}

TWINS = ("chess:start=0", "chess:claims=off", "backgammon:match=3")  # slow, and hardly other code
SECRET = (
    "kuhn",
    "leduc",
    "holdem",
    "liars-dice",
    "phantom",
    "battleship",
    "stratego",
)  # plain Python in both builds


def broken(name, plays=20, seconds=10.0, plies=300):
    return check(game(f"{HERE}/games/broken.py:{name}"), plays, 0, seconds, plies)


@pytest.mark.parametrize("spec", [*BUILT_IN, *TREES, *FAMILIES])
def test_every_game_keeps_the_contract(spec):
    long = "=9,height" in spec or spec.startswith(("chess", "chinese", "monopoly", "backgammon"))
    few = 2 if spec.startswith("backgammon") or spec in TWINS else 3
    if spec in TWINS and not compiled():
        pytest.skip("the game without its option is played in this build")
    if spec.startswith("scrabble"):  # plain Python but for its plays, which tests/test_scrabble.py counts
        if not compiled():
            pytest.skip("it is played in the compiled build")
        keeps(spec, plays=1)
        return
    if spec.startswith("go:"):
        keeps(spec, plays=4 if compiled() else 2)
        return
    if spec.startswith(SECRET):
        dear = spec.startswith(("battleship", "holdem", "stratego"))
        keeps(spec, plays=(2 if dear else 8) if compiled() else 1 if dear else 2)
        return
    plays = (few if compiled() else 1) if long else (9 if compiled() else 4)
    keeps(spec, plays, seed=7 if spec == "chess" else 0)  # a game that is over soon


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_law_is_found_first(name):
    verdict = broken(name, seconds=0.2 if BROKEN[name].breaks == "returns" else 60)
    assert verdict.broken, "nothing was found"
    assert verdict.broken[0].law == BROKEN[name].breaks, verdict.broken[0]


def test_every_law_has_a_game_that_breaks_it():
    assert {cls.breaks for cls in BROKEN.values()} == set(LAWS)


@pytest.mark.parametrize("name", ["Sticks", "Coin", "Walk"])
def test_the_models_of_the_broken_games_are_whole(name):
    assert not broken(name).broken


def test_the_example_can_be_replayed_and_is_short():
    verdict = broken("Raises", plays=100)
    first = verdict.broken[0]
    assert len(first.moves) == 2, "the shortest way to five sticks from nine is in two moves"
    position = game(f"{HERE}/games/broken.py:Raises").new(" ".join(first.moves))
    with pytest.raises(KeyError):
        position.make(1)
    assert first.seen.startswith("make(1) raised KeyError: 5 (broken.py, line ")
    assert first.drawing == "Raises(sticks=5)"


def test_code_that_hangs_is_told_with_the_moves():
    verdict = broken("Loops", seconds=0.2)
    assert verdict.broken[0].seen == "moves() did not come back within 0.2 seconds"
    assert verdict.faulty


def test_the_same_seed_gives_the_same_verdict():
    spec = f"{HERE}/games/pig.py"
    assert check(game(spec), 10, 3) == check(game(spec), 10, 3)
    assert check(game(spec), 10, 3).positions != check(game(spec), 10, 4).positions


def test_languages_of_programs_that_a_game_does_not_speak_are_told():
    model = game(f"{HERE}/games/broken.py:Sticks").cls

    def first(**facts):
        return check(Game("words", "words", type("Words", (model,), facts))).broken[0]

    assert first(notations=("usi",)).seen == "notations is ('usi',), but there is no notation 'usi'"
    speaks = {"notations": ("uci",), "chess960": False, "fen": str, "uci": lambda self, move: f"m{move}"}
    assert first(**speaks).seen == "notations is ('uci',), but there is no from_uci"
    wrong = first(**speaks, from_uci=lambda self, word: 3)
    assert (wrong.law, wrong.seen) == ("words", "uci(1) is 'm1', but from_uci('m1') is 3")


def test_a_phase_that_is_none_is_told():
    model = game(f"{HERE}/games/broken.py:Sticks").cls
    facts = {"phases": ("early", "late"), "phase": lambda self: 2}
    first = check(Game("phases", "phases", type("Phases", (model,), facts))).broken[0]
    assert (first.law, first.seen) == ("facts", "phase() is 2, and there are 2 phases")


@pytest.mark.parametrize(("name", "number"), [("unit", 0), ("unit", 2.5), ("swing", -5), ("stake", -1)])
def test_a_scale_that_is_none_is_told(name, number):
    model = game(f"{HERE}/games/broken.py:Sticks").cls
    first = check(Game("scale", "scale", type("Scale", (model,), {name: number}))).broken[0]
    least = 1 if name == "unit" else 0
    assert first.law == "facts"
    assert first.seen == f"{name} is {number!r}, and not a whole number from {least} up"


def test_a_class_that_is_no_position_is_told_what_it_lacks():
    class Bare:
        turn = 0

        def moves(self):
            return [0]

        def make(self, move):
            pass

        def outcome(self):
            return None

    seen = check(Game("bare", "bare", Bare)).broken[0].seen
    assert seen.startswith("the class has no players, ")


def test_chance_moves_that_cannot_happen_are_not_played():
    positions = set()
    pig = game(f"{HERE}/games/pig.py").cls

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
        (["1/6"] * 6, "chances() holds 1/6, which is no number"),
        (None, "chances() is None, not a list"),
    ],
)
def test_chances_that_are_no_numbers_are_a_broken_law(given, seen):
    pig = game(f"{HERE}/games/pig.py").cls
    paired = type("Paired", (pig,), {"chances": lambda self: given})
    first = check(Game("paired", "paired", paired, {"goal": 4}), 5).broken[0]
    assert first.law == "chances" and first.seen.startswith(seen)


@pytest.mark.parametrize("spec", BUILT_IN)
def test_built_in_games_take_their_parameters(spec):
    g = game(spec)
    assert set(g.parameters) <= set(parameters(g.cls))


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


def checked(*arguments):
    return CliRunner().invoke(router, ["check", *arguments], standalone_mode=False)


def test_a_game_that_holds():
    result = checked("tictactoe", "--games", "3")
    assert result.return_value == 0
    assert "tictactoe: 3 random games to the end and back, seed 0" in result.output
    assert "laws       all hold" in result.output


def test_a_broken_game_is_told_with_its_moves_and_how_to_mend_it():
    spec = f"{HERE}/games/broken.py:Raises"
    result = checked(spec)
    assert result.return_value == 5
    assert "BROKEN: the game's code raises nothing on legal moves" in result.output
    assert f"gameplay show {spec} --moves '" in result.output
    assert "mend       " in result.output


def test_broken_rules_are_a_difference():
    assert checked(f"{HERE}/games/broken.py:Generous").return_value == 3


def test_the_verdict_as_json():
    verdict = json.loads(checked(f"{HERE}/games/broken.py:Twice", "--json").output)
    assert verdict["broken"][0]["law"] == "moves"
    assert verdict["broken"][0]["mend"]
    assert verdict["positions"] == 0 or verdict["plays"] >= 1


@pytest.mark.parametrize(
    ("spec", "status", "line"),
    [
        ("conect4", 2, "did you mean 'connect4'?"),
        ("nowhere.py", 6, "there is no file nowhere.py"),
        ("connect4:colums=3", 2, "did you mean 'columns'?"),
        ("tree", 2, "tree needs file"),
    ],
)
def test_what_cannot_be_checked_is_one_line(spec, status, line, capsys):
    assert run(router, "gameplay", ["check", spec]) == status
    told = capsys.readouterr().err.strip()
    assert line in told and "\n" not in told
