"""Custom evaluations: classes and functions, faults, players, options."""

import copy
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from gameplay import CHANCE, Evaluation, Position, registry, weights
from gameplay.cli import router, run
from gameplay.errors import BadInput, Fault, GameplayError, Usage
from gameplay.evaluation import files_of, is_file, placed_in, resolve_file, select_evaluation, split_file
from gameplay.games.othello import evaluation as othello
from gameplay.search.limit import Limit
from gameplay.usercode import plugin
from tests.support.evaluations import GAMES, SEARCHED, WEIGHED, new
from tests.support.paths import ROOT
from tests.support.searches import search_limited

OWN = '''
from gameplay import Evaluation

class Mobility(Evaluation):
    """How many moves there are."""

    def evaluate(self, position):
        for move in position.moves():
            position.make(move)
            if position.outcome() is None:
                position.noisy()
                position.moves()
            position.unmake()
        return len(position.moves())
'''
PLAIN = {
    "function.py": "def evaluate(position):\n    return len(position.moves())\n",
    "plain.py": "class Any:\n    def evaluate(self, position):\n        return len(position.moves())\n",
    "two.py": "class A:\n    def evaluate(self, position):\n        return 0\n"
    "class B:\n    def evaluate(self, position):\n        return len(position.moves())\n",
    "named.py": "def moves(position):\n    return len(position.moves())\n",
}


def own(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    return str(tmp_path / name)


@pytest.mark.parametrize("game", [*GAMES, "connect4:columns=12", f"{ROOT}/tests/examples/games/sticks.py"])
def test_custom_evaluation_works_in_every_game(game, tmp_path):
    """It requests moves, makes and unmakes them in the middle of a search, and disturbs nothing."""
    depth = 2 if game == "chess" else SEARCHED.get(game, 4)
    quiet = search_limited(
        f"iterative:eval={own(tmp_path, 'function.py', PLAIN['function.py'])}", new(game), depth
    )
    busy = search_limited(f"iterative:eval={own(tmp_path, 'own.py', OWN)}", new(game), depth)
    assert (busy.value, busy.nodes, busy.pv) == (quiet.value, quiet.nodes, quiet.pv)
    if game in GAMES:
        assert busy.value != search_limited("iterative", new(game), depth).value


@pytest.mark.parametrize("game", WEIGHED)
def test_custom_evaluation_equal_to_the_built_in_gives_the_same_search(game, tmp_path):
    """A Python evaluation that calls the game's own evaluation gives the same search."""
    text = "def evaluate(position):\n    return list(position.evaluations.values())[0].evaluate(position)\n"
    depth = SEARCHED[game] - 2
    first, second = (
        search_limited(f"selective:{e}table=1MB", new(game), depth)
        for e in ("", f"eval={own(tmp_path, 'o.py', text)},")
    )
    assert (first.value, first.nodes) == (second.value, second.nodes)


@pytest.mark.parametrize(
    "word", ["function.py", "plain.py", "two.py:B", "named.py:moves", "plain.py:Any", "function.py:evaluate"]
)
def test_own_evaluations_are_classes_or_functions(word, tmp_path):
    name = word.partition(":")[0]
    own(tmp_path, name, PLAIN[name])
    position = new("connect4")
    position.evaluation = select_evaluation(f"{tmp_path}/{word}", position)
    assert position.evaluate() == 7
    assert position.twin().evaluate() == 7
    position.evaluation = None
    assert position.evaluate() != 7


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("x = 3\n", BadInput, "holds no evaluation; expected a class with evaluate"),
        ("def evaluate(position:\n", BadInput, "is not Python: line 1"),
        ("import nothing_of_that_name\n", Fault, "when imported, raised ModuleNotFoundError"),
        (PLAIN["two.py"], Usage, r"holds several evaluations \(A, B\). Try:"),
        ("from gameplay import Evaluation\nclass A(Evaluation):\n    pass\n", Usage, "has no evaluate"),
        (
            "class A:\n    def __init__(self):\n        1 / 0\n    evaluate = 3\n",
            BadInput,
            "holds no evaluation",
        ),
        (
            "class A:\n    def __init__(self):\n        1 / 0\n    def evaluate(self, _):\n        0\n",
            Fault,
            "the constructor raised ZeroDivisionError",
        ),
    ],
)
def test_a_file_that_is_no_evaluation_is_refused(text, error, words, tmp_path):
    with pytest.raises(error, match=words) as refused:
        select_evaluation(own(tmp_path, "wrong.py", text), new("connect4"))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("return 1 / 0", r"evaluation own raised ZeroDivisionError: division by zero \(own.py, line 2\)"),
        ("return 1.5", "evaluation own returned 1.5: expected a whole number"),
        ("pass", "evaluation own returned None: expected a whole number"),
    ],
)
@pytest.mark.parametrize(
    "game", ["connect4", "chess", "connect4:columns=12", f"{ROOT}/tests/examples/games/sticks.py"]
)
def test_failing_evaluation_is_reported(game, text, words, tmp_path):
    position = new(game)
    before = str(position)
    with pytest.raises(Fault, match=words):
        path = own(tmp_path, "own.py", f"def evaluate(position):\n    {text}\n")
        search_limited(f"iterative:eval={path}", position, 3)
    assert str(position) == before
    assert position.evaluation is None
    assert search_limited("iterative", position, 2).nodes > 0  # and it is forgotten


def test_values_stay_below_wins(tmp_path):
    path = own(
        tmp_path, "own.py", "def evaluate(position):\n    return 10**30 if position.turn else -(10**30)\n"
    )
    report = search_limited(f"iterative:eval={path}", new("connect4"), 3)
    assert abs(report.value) < 999_745


EACH = {
    "function.py": "def evaluate_for(position, player):\n    return 10 * player - 5\n",
    "plain.py": "class Any:\n    def evaluate_for(self, position, player):\n        return 10 * player - 5\n",
    "own.py": "from gameplay import Evaluation\nclass Mine(Evaluation):\n"
    "    def evaluate_for(self, position, player):\n        return 10 * player - 5\n",
}


@pytest.mark.parametrize("word", EACH)
@pytest.mark.parametrize("game", ["connect4", f"{ROOT}/tests/examples/games/sticks.py"])
def test_an_evaluation_may_speak_for_each_player(word, game, tmp_path):
    position = new(game)
    position.evaluation = select_evaluation(own(tmp_path, word, EACH[word]), position)
    assert [position.evaluate_for(player) for player in (0, 1)] == [-5, 5]
    for _ in range(2):
        assert position.evaluate() == 10 * position.turn - 5
        position.make(position.moves()[0])


def test_custom_class_need_not_call_super_init(tmp_path):
    text = "import gameplay\nclass Seven(gameplay.Evaluation):\n"
    text += "    def __init__(self):\n        self.worth = 7\n"
    text += "    def evaluate(self, position):\n        return self.worth\n"
    evaluation = select_evaluation(own(tmp_path, "s.py", text), new("connect4"))
    assert (evaluation.name, evaluation.words, evaluation.game, evaluation.version) == ("seven", "", "", 1)
    assert (
        evaluation.exact,
        evaluation.max_weight,
        evaluation.size,
        evaluation.file,
        dict(evaluation.weights),
    ) == (
        False,
        10_000,
        0,
        None,
        {},
    )


@pytest.mark.parametrize(
    ("players", "zero_sum", "message"), [(2, True, True), (2, False, False), (3, True, False)]
)
def test_movers_evaluation_is_negated_in_zero_sum_games(players, zero_sum, message):
    class Mover(Evaluation):
        def evaluate(self, position):
            return 7

    position = SimpleNamespace(players=players, zero_sum=zero_sum)
    assert (Mover().suits(position), Evaluation().suits(position)) == (message, True)


def test_an_evaluation_of_the_mover_is_turned_for_two_and_refused_for_three(tmp_path):
    path = own(tmp_path, "mover.py", "def evaluate(position):\n    return 7\n")
    for spec in ("connect4", f"{ROOT}/tests/examples/games/sticks.py"):
        position = new(spec)
        position.evaluation = select_evaluation(path, position)
        assert position.evaluate_for(position.turn) == 7
        assert position.evaluate_for(1 - position.turn) == -7
    thrown = new("pig")
    thrown.evaluation = select_evaluation(path, thrown)
    thrown.make(thrown.parse("roll"))
    assert thrown.turn == CHANCE
    assert [thrown.evaluate_for(player) for player in (0, 1)] == [0, 0], "nobody moves who could be ahead"
    three = new("tree:three-players")
    three.evaluation = select_evaluation(path, three)
    with pytest.raises(Usage, match="mover has no evaluate_for"):
        Position.evaluate_for(three, 0)


@pytest.mark.parametrize("game", ["connect4", "othello", "chess", "tictactoe", "checkers"])
def test_evaluation_for_a_player_is_the_movers_or_its_negation(game):
    position = new(game)
    for _ in range(5):
        assert position.evaluate_for(position.turn) == position.evaluate()
        assert position.evaluate_for(1 - position.turn) == -position.evaluate()
        position.make(position.moves()[-1])


def test_a_slow_evaluation_does_not_hold_up_the_time(tmp_path):
    path = own(
        tmp_path, "own.py", "import time\ndef evaluate(position):\n    time.sleep(0.002)\n    return 0\n"
    )
    report = registry.engine(f"iterative:eval={path},table=off")[0].search(
        new("connect4"), Limit(seconds=0.2)
    )
    assert report.stopped == "time" and report.nodes < 1000  # 100 evaluations take so long


def test_ordering_by_custom_evaluation_needs_none_of_the_game(tmp_path):
    path = own(tmp_path, "own.py", "def evaluate(position):\n    return position.sticks % 4\n")
    sticks = registry.game(f"{ROOT}/tests/examples/games/sticks.py").new()
    assert search_limited(f"alphabeta:order=evaluation,eval={path}", sticks, 4).nodes > 0
    with pytest.raises(GameplayError, match="order=evaluation needs evaluate"):
        search_limited("alphabeta:order=evaluation", sticks, 4)


def test_an_installed_package_offers_evaluations(monkeypatch):
    class Seven(Evaluation):
        def evaluate(self, position):
            return 7

    point = SimpleNamespace(name="seven", value="x:Seven", module="x", load=lambda: Seven)
    monkeypatch.setattr(
        plugin, "entry_points", lambda group: {"seven": point} if group == "gameplay.evaluations" else {}
    )
    assert search_limited("alphabeta:eval=seven", new("connect4"), 1).value == -7
    with pytest.raises(Usage, match="choose from: none, seven, threats"):
        select_evaluation("sevn", new("connect4"))

    def broken():
        raise ImportError("no module x")

    point.load = broken
    with pytest.raises(Fault, match="evaluation seven: x:Seven raised ImportError: no module x"):
        select_evaluation("seven", new("connect4"))


class Even(Evaluation):
    """True for an even number of sticks."""

    weights = {"even": 3}

    def evaluate(self, position):
        return self.weights["even"] if position.sticks % 2 == 0 else 0


class Few(Position):
    """A Python game that lists its evaluations."""

    evaluations = {"even": Even(), "odd": Even(weights={"even": -5})}

    def __init__(self, sticks=8):
        super().__init__()
        self.sticks = sticks

    def moves(self):
        return [1, 2] if self.sticks > 1 else [1]

    def make(self, move):
        self.sticks -= move
        self.turn = 1 - self.turn
        self.past = [*getattr(self, "past", []), move]

    def unmake(self):
        self.sticks += self.past.pop()
        self.turn = 1 - self.turn

    def outcome(self):
        return None if self.sticks else ((1, -1) if self.turn else (-1, 1))


def test_games_in_python_list_evaluations_and_take_weights(tmp_path):
    game = Few()
    assert game.evaluate() == 3
    assert search_limited("alphabeta:eval=odd", game, 1).value == 5
    assert search_limited("alphabeta", game, 1).value == 0
    Even.game = "few"
    weights.write(game.evaluations["even"].with_weights({"even": -40}), tmp_path / "a.toml")
    assert search_limited(f"alphabeta:eval={tmp_path}/a.toml", game, 1).value == 40
    assert game.evaluate() == 3


def test_listed_evaluations_need_names():
    with pytest.raises(TypeError, match="evaluations is a mapping"):
        type("Wrong", (Position,), {"evaluations": ("guess",)})


def test_modules_hold_no_weights_of_their_own():
    assert not hasattr(othello, "WEIGHTS")
    assert not hasattr(othello, "LINEAR")


def test_games_show_their_evaluations(capsys):
    assert run(router, "gameplay", ["games", "chess"]) == 0
    shown = capsys.readouterr().out
    for name, evaluation in new("chess").evaluations.items():
        assert re.search(rf"^  {name} +{re.escape(evaluation.words)}$", shown, re.MULTILINE)


def test_twin_copies_a_position_that_was_set_up():
    position = registry.game("tictactoe").new("x.o/.x./...")
    position.make(8)
    assert position.twin().text() == "x.o/.x./..o" == position.text()


@pytest.mark.parametrize("game", GAMES)
def test_twin_of_a_position_within_a_search_is_refused(game, tmp_path):
    """The moves of a search are not in the position's history, so it cannot be another position's twin."""
    text = "def evaluate(position):\n    position.twin()\n    return 0\n"
    words = r"this position cannot be copied: moves were made on it without make\(\)"
    with pytest.raises(Fault, match=words):
        search_limited(f"alphabeta:eval={own(tmp_path, 'own.py', text)}", new(game), 1)


@pytest.mark.once
def test_declarations_of_an_evaluation():
    class Own(Evaluation):
        """Counts.

        And more.
        """

        max_weight = 5
        exact = True

    evaluation = Own()
    assert (
        evaluation.name,
        evaluation.words,
        evaluation.version,
        evaluation.max_weight,
        evaluation.exact,
    ) == (
        "own",
        "Counts.",
        1,
        5,
        True,
    )
    two = Own("two", "words", {"a": [1]}, version=3, max_weight=9)
    assert (two.name, two.words, two.version, two.max_weight, two.weights) == (
        "two",
        "words",
        3,
        9,
        {"a": (1,)},
    )
    assert repr(two) == f"Own('two', checksum {two.checksum})"
    plain = Evaluation()
    assert (plain.name, plain.exact, plain.max_weight, dict(plain.weights)) == (
        "evaluation",
        False,
        10_000,
        {},
    )
    assert plain.words == Evaluation.__doc__.partition("\n")[0] and Evaluation(exact=True).exact
    assert plain.inside and not type("A", (Own,), {"evaluate": len})().inside
    assert not type("B", (Own,), {"evaluate_for": len})().inside
    assert plain.checksum == Evaluation("x").checksum == Evaluation(weights={}).checksum != two.checksum
    known = [Evaluation(weights=held).checksum for held in ({"a": 1}, {"a": 2}, {"b": 1}, b"a", b"b")]
    assert len(set(known)) == 5 and all(re.fullmatch("[0-9a-f]{16}", evaluation) for evaluation in known)
    ordered = Evaluation(weights={"a": 1, "b": 2})
    more = ordered.with_weights({"b": 3, "a": 4})
    assert list(more.weights) == ["a", "b"] and more.file is None and ordered.weights == {"a": 1, "b": 2}
    again = more.with_weights({"a": 5, "b": 6}, Path("f"))
    assert again.file == Path("f") == again.with_weights({"a": 0, "b": 0}).file
    with pytest.raises(BadInput, match=r"^weights: a: a weight must be from -10000 to 10000, not 10001$"):
        ordered.with_weights({"a": 10_001, "b": 0})
    assert copy.deepcopy(ordered) is ordered


@pytest.mark.once
def test_values_of_the_evaluation_option(tmp_path, monkeypatch):
    files = {"a.toml": (Path("a.toml"), ""), "./m.py": (Path("m.py"), ""), "m.py:A": (Path("m.py"), "A")}
    for word, parts in files.items():
        assert is_file(word) and split_file(word) == parts
        assert files_of(word) == [parts[0]], "a file that is not there has nothing beside it"
    for word in ("classic", "none", "a.txt", "py", "toml"):
        assert not is_file(word) and resolve_file(word) == word and files_of(word) == []
    monkeypatch.chdir(tmp_path)
    assert (
        resolve_file("a.toml") == f"{tmp_path}/a.toml"
        and resolve_file("~/a.py:B", tmp_path) == f"{Path.home()}/a.py:B"
    )
    assert placed_in("iterative: eval= a.toml", tmp_path) == f"iterative: eval={tmp_path}/a.toml"
    position = new("connect4")
    assert (
        select_evaluation("", position) is None
        and select_evaluation("threats", position) is position.evaluations["threats"]
    )
    for word, message in (
        ("threat", "unknown evaluation 'threat'; did you mean 'threats'? (choose from: none, threats); "
         "for one of your own, give its file: ./NAME.py"),
        ("a.txt", "unknown evaluation 'a.txt' (choose from: none, threats)"),
    ):  # fmt: skip
        with pytest.raises(Usage) as refused:
            select_evaluation(word, position)
        assert str(refused.value) == message


NONE = "{} holds no evaluation; expected a class with evaluate(position) or a function evaluate"


@pytest.mark.once
@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("x = 3\n", "", NONE), ("def _evaluate(p): 0\n", "", NONE),
        (PLAIN["two.py"], "", "{0} holds several evaluations (A, B). Try: {0}:A"),
        (PLAIN["two.py"], "C", "{}: unknown evaluation 'C' (choose from: A, B)"),
        ("from gameplay import Evaluation\nclass A(Evaluation): pass\n", "", "evaluation {}: A has no "
         "evaluate(position)"),
        ("mine = 3\ndef evaluate(p): 0\n", "mine", "{}: unknown evaluation 'mine' (choose from: evaluate)"),
        ("class mine: pass\n", "mine", "evaluation {}:mine: mine is neither a class with evaluate(position) "
         "nor a function"),
        ("class A:\n  moves = 1\n  def evaluate(self, p): 0\n", "", NONE),
    ],
)  # fmt: skip
def test_invalid_evaluations_and_their_errors(text, name, message, tmp_path):
    path = own(tmp_path, "wrong.py", text)
    with pytest.raises(GameplayError) as refused:
        select_evaluation(f"{path}:{name}" if name else path, new("connect4"))
    assert str(refused.value) == message.format(path)


@pytest.mark.once
@pytest.mark.parametrize(
    ("text", "word", "name", "values"),
    [
        ("def evaluate(position):\n    'Seven.'\n    return 7\n", "", "mine", (7, None)),
        ("def evaluate_for(position, player):\n    return 5 + player\n", "", "mine", (5, 6)),
        ("def Other(position):\n    return 3\n", ":Other", "other", (3, None)),
        ("class Both:\n  def evaluate(self, p): return 1\n  def evaluate_for(self, p, player): return 8\n",
         "", "both", (8, 8)),
        ("class One:\n  def evaluate(self, p): return 4\n", ":One", "one", (4, None)),
    ],
)  # fmt: skip
def test_accepted_forms_of_custom_evaluations(text, word, name, values, tmp_path):
    evaluation = select_evaluation(own(tmp_path, "mine.py", text) + word, new("connect4"))
    position = SimpleNamespace(turn=0, players=2, zero_sum=True)
    assert evaluation.name == name and evaluation.words == ("Seven." if "Seven" in text else "")
    assert evaluation.evaluate(position) == values[0]
    assert evaluation.evaluate_for(position, 1) == (-values[0] if values[1] is None else values[1])
