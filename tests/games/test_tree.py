"""Explicit trees: file format, errors, and the known values of all installed trees."""

import itertools
import tomllib
from pathlib import Path
from random import Random

import pytest

from gameplay.errors import BadInput, IllegalMove, Usage
from gameplay.games.tree import Tree
from gameplay.position import CHANCE, side
from gameplay.registry import engine, game
from gameplay.search.limit import Limit
from gameplay.value import WIN
from tests.support.conformance import TREES
from tests.support.searches import after_moves, alphabeta, exact

FOLDER = Path(TREES[0]).parent


def tree(name, **unknown):
    return Tree(str(FOLDER / f"{name}.toml"), **unknown)


def expected_payoffs(position, policy):
    """Each player's payoff under `policy`: infoset of the mover -> probability of each branch, by name."""
    if position.outcome() is not None:
        return position.outcome()
    total = [0.0] * position.players
    odds = position.chances() if position.turn == CHANCE else None
    for index, move in enumerate(position.moves()):
        p = odds[index] if odds else policy[position.node.infoset].get(position.format(move), 0)
        position.make(move)
        total = [t + p * v for t, v in zip(total, expected_payoffs(position, policy), strict=True)]
        position.unmake()
    return tuple(total)


def best_reply(position, policy, player):
    """The best-response payoff of `player` against `policy`, over all pure strategies."""
    own = {n.infoset: [b.word for b in n.branches] for n in position.nodes if n.branches and n.turn == player}
    return max(
        expected_payoffs(position, policy | {i: {word: 1} for i, word in zip(own, words, strict=True)})[
            player
        ]
        for words in itertools.product(*own.values())
    )


def leaves_seen(position, deep=True):
    """The leaves that alpha-beta evaluates; deep=False: without deep cutoffs."""
    seen = []

    def leaf(at, _ply):
        if at.node.branches:
            return None
        seen.append(at.node)
        return at.node.payoffs[0]

    alphabeta(position, leaf, deep=deep)
    return seen


@pytest.mark.parametrize("file", TREES, ids=lambda file: Path(file).stem)
def test_every_tree_has_a_known_value_and_a_source(file):
    text = Path(file).read_text(encoding="utf-8")
    assert text.startswith("# ")
    document = tomllib.loads(text)["value"]
    position = Tree(file)
    if position.hidden and Path(file).stem != "guess-the-coin":
        return  # an equilibrium, tested below
    if Path(file).stem == "guess-the-coin":
        assert best_reply(position, {}, 0) == pytest.approx(document)
        return
    value = exact(position)
    assert value == pytest.approx(document if isinstance(document, list) else (document, -document))
    assert position.value == pytest.approx(value)


@pytest.mark.parametrize(
    ("name", "policy"),
    [
        ("matching-pennies", {None: {"heads": 0.5, "tails": 0.5}, "covered": {"heads": 0.5, "tails": 0.5}}),
        (
            "card-game",
            {
                "red": {"raise": 1},
                "black": {"raise": 1 / 3, "fold": 2 / 3},
                "raised": {"meet": 2 / 3, "pass": 1 / 3},
            },
        ),
    ],
)
def test_equilibrium_has_no_better_response(name, policy):
    position = tree(name)
    first, second = expected_payoffs(position, policy)
    assert first == pytest.approx(position.value[0])
    assert best_reply(position, policy, 0) == pytest.approx(first)
    assert best_reply(position, policy, 1) == pytest.approx(second)


@pytest.mark.parametrize(("x", "y"), [(7, 1), (-100, 100), (100, -100), (2, 2), (900_000, 900_000)])
def test_the_lecture_exercise_is_three_whatever_x_and_y_are(x, y):
    position = tree("lecture", x=x, y=y)
    assert exact(position) == (3, -3)
    seen = leaves_seen(position)
    assert [" ".join(leaf.path()) for leaf in seen] == ["1 1", "1 2", "1 3", "2 1", "3 1", "3 2", "3 3"]


def test_a_deep_cut_off_needs_the_bound_from_the_root():
    for x in (-90, 0, 4, 9, 90):
        position = tree("deep-cutoff", x=x)
        assert exact(position)[0] == 5
        assert "never" not in [leaf.word for leaf in leaves_seen(position)]
        assert "never" in [leaf.word for leaf in leaves_seen(position, deep=False)]


def test_best_order_needs_seven_leaves_and_worst_order_all():
    best, worst = tree("best-ordered"), tree("worst-ordered")
    assert len(leaves_seen(best)) == 2**2 + 2**2 - 1
    assert len(leaves_seen(worst)) == 16
    leaves = [sorted(n.payoffs for n in t.nodes if not n.branches) for t in (best, worst)]
    assert leaves[0] == leaves[1]


def test_both_three_player_and_stretched_trees_change_the_move():
    def first_best(position):
        value = exact(position)
        for move in position.moves():
            position.make(move)
            here = exact(position)
            position.unmake()
            if here == value:
                return position.format(move)
        raise AssertionError

    assert first_best(tree("chance")) == "a1"
    assert first_best(tree("chance-stretched")) == "a2"
    assert first_best(tree("three-players")) == "1"
    assert first_best(tree("horizon")) == "suffer"


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "iterative", "quiescence", "selective"])
@pytest.mark.parametrize("file", TREES, ids=lambda file: Path(file).stem)
def test_engines_agree_or_refuse(file, name):
    position = Tree(file)
    thinker, limit = engine(f"{name}:depth=20")
    if position.players != 2 or not position.zero_sum or position.chance or position.hidden:
        with pytest.raises(Usage):
            thinker.check(position)
        return
    thinker.check(position)
    assert thinker.search(position, limit).value == exact(position)[position.turn]


def test_quiescence_searches_beyond_the_horizon():
    seen = {"minimax": "delay", "alphabeta": "delay", "quiescence": "suffer", "selective": "suffer"}
    for name, move in seen.items():
        position = tree("horizon")
        thinker, limit = engine(f"{name}:depth=3")
        assert position.format(thinker.search(position, limit).move) == move


# -- the form -------------------------------------------------------------------------------------


def test_a_nested_mapping_is_a_game():
    position = Tree.of({"max": {"left": {"min": [3, 12]}, "right": 2}})
    assert [position.format(move) for move in position.moves()] == ["left", "right"]
    assert str(position).splitlines() == [
        "start: max",
        "|- left: min",
        "|  |- 1: 3",
        "|  `- 2: 12",
        "`- right: 2",
    ]
    position.setup("left 2")
    assert position.outcome() == (12, -12)
    assert str(position) == "start left 2: 12"
    assert position.text() == "left 2"


def test_declarations_follow_the_file():
    three = tree("three-players")
    assert (three.players, three.zero_sum, three.chance, three.hidden) == (3, False, False, False)
    assert [side(three, player) for player in range(3)] == ["A", "B", "C"]
    cards = tree("card-game")
    assert (cards.players, cards.zero_sum, cards.chance, cards.hidden) == (2, True, True, True)
    assert side(tree("lecture"), 0) == "max"
    assert tree("guess-the-coin").players == 1
    assert not hasattr(Tree, "root")
    assert Tree.players == 2 and not Tree.chance and not Tree.hidden


def test_odds_are_exact():
    position = Tree.of({"chance": {"one 1/3": 3, "two 0.5": 0, "three 1/6": 6}})
    assert position.chances() == [1 / 3, 0.5, 1 / 6]
    assert [position.format(move) for move in position.moves()] == ["one", "two", "three"]
    assert Tree.of({"chance": [1, 2, 3, 6]}).chances() == [0.25] * 4


def test_guesses_and_noisy_moves_are_the_movers():
    position = tree("horizon")
    position.setup("delay pawn retreat")
    assert position.evaluate() == 1, "min is to move, and the guess is -1 for max"
    assert [position.format(move) for move in position.noisy()] == ["capture"]


def test_unknown_leaves_are_parameters():
    file = FOLDER / "lecture.toml"
    assert game(f"{file}:x=40,y=2").new("2 2").outcome() == (40, -40)
    assert game(f"tree:{file},y=-5").new("2 3").outcome() == (-5, 5)
    with pytest.raises(Usage, match=r"unknown leaf 'z' \(choose from: x, y\)"):
        game(f"{file}:z=4").new()
    with pytest.raises(Usage, match="x must be a number from -900000 to 900000, not 'four'"):
        game(f"{file}:x=four").new()


def test_infosets_omit_hidden_information():
    first, second = (after_moves(tree("matching-pennies"), word) for word in ("heads", "tails"))
    assert first.infoset(1) == second.infoset(1)
    assert first.infoset(0) != second.infoset(0)
    rng = Random(1)
    drawn = {first.determinize(1, rng).text() for _ in range(50)}
    assert drawn == {"heads", "tails"}
    assert first.text() == "heads"


def test_hidden_nodes_are_drawn_by_their_odds():
    coin = tree("guess-the-coin")
    coin.setup("tails")
    rng = Random(1)
    heads = sum(coin.determinize(0, rng).text() == "heads" for _ in range(3000))
    assert 1900 < heads < 2100


def test_wrong_path_is_refused_and_changes_nothing():
    position = tree("two-ply")
    position.setup("a1")
    with pytest.raises(IllegalMove, match="move 2: 'c9' is not a legal move here"):
        position.setup("a2 c9")
    assert position.text() == "a1" and position.turn == 1
    with pytest.raises(IllegalMove, match="the game is over before it"):
        position.setup("a1 b1 b1")
    position.unmake()
    with pytest.raises(IndexError):
        position.unmake()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "holds no tree: begin with"),
        ("max = 3", "a mover needs branches"),
        ("max = []", "a mover needs branches"),
        (
            "[mx.a]\nb = 3",
            "unknown field 'mx' (choose from: chance, guess, infoset, max, min, noisy, players, scored, "
            "title, unknown, value)",
        ),
        ("titel = 3\n[max]\nb = 3", "unknown field 'titel'; did you mean 'title'? (choose from: chance, "),
        (
            "[max.a]\ninfset = 'x'\n[max.a.min]\nb = 3",
            "at a, unknown field 'infset'; did you mean 'infoset'? (choose from: chance, guess, infoset, "
            "max, min, noisy)",
        ),
        ("[max]\na = 1\n[min]\nb = 2", "max and min should move"),
        ("[max.a]\nguess = 3", "at a, no player should move"),
        ('[max.a.min]\nb = "x"', "at a b, the leaf 'x' has no value: add x = 4 under [unknown]"),
        ("[max.a.min]\nb = [1, 2, 3]", "at a b, a leaf needs 2 payoffs, one a player, like [1, 2]"),
        ("[max.a.min]\nb = true", "at a b, payoff is True: expected a number"),
        ("[max.a.min]\nb = 1e9", "at a b, payoff is 1000000000.0: expected a number"),
        ("[max.a.min]\nb = nan", "at a b, payoff is nan: expected a number"),
        ("[max.a.min]\nb = 2.5", "at a b, payoff 2.5: two players without chance need whole numbers"),
        ('[max]\n"a b" = 3', "the branch 'a b' should be one word"),
        ("[max]\na = 3\nA = 4", "two branches have the same name"),
        ('[max.c.chance]\n"a 1/2" = 3\nb = 4', "at c, give every branch its odds, or none"),
        ('[max.c.chance]\n"a 1/2" = 3\n"b 1/3" = 4', "at c, the odds sum to 5/6, not 1"),
        ('[chance]\n"a half" = 3', "at a, the odds 'half' should be like 1/6"),
        ('[chance]\n"a 1/0" = 3', "at a, the odds '1/0' should be like 1/6"),
        ('players = ["A", "chance"]', "no player can be called 'chance'"),
        ('players = ["A", "A"]', "no player can be called 'A'"),
        ("players = 3", "players must be a list of names"),
        (
            'players = ["A", "B", "C"]\nA = [1, 2]',
            "at 1, a leaf needs 3 payoffs, one a player, like [1, 2, 3]",
        ),
        ("infoset = 3\n[max]\na = 1", "infoset must be a word"),
        ("guess = 0.5\n[max]\na = 1", "a guess must be a whole number"),
        ('noisy = ["b"]\n[max]\na = 1', "noisy must be a list of branches of this node (a)"),
        ("unknown = 3\n[max]\na = 1", "unknown must be a table"),
        ('[unknown]\nx = "y"\n[max]\na = "x"', "unknown x is 'y': expected a number"),
        (
            'max = [{ infoset = "i", min = { a = 1 } }, { infoset = "i", min = { b = 1 } }]',
            "at 2, infoset i offers b, but a at 1: they must be the same",
        ),
        ("max = [", "is not TOML"),
        ("a = " + "[" * 5000, "is not TOML|is nested too deep"),
    ],
)
def test_a_mistake_in_a_file_is_one_line(tmp_path, text, line):
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        Tree(str(file))
    message = str(caught.value)
    assert "mine.toml" in message and "\n" not in message
    assert any(part in message for part in line.split("|"))


def test_missing_file_is_reported_in_one_line():
    with pytest.raises(BadInput, match=r"there is no file nowhere\.toml"):
        Tree("nowhere.toml")


def test_wide_trees_stay_within_a_screen():
    for file in TREES:
        assert max(map(len, str(Tree(file)).splitlines())) < 80


def test_the_example_in_the_description_is_a_tree():
    lines = Tree.__doc__.splitlines()
    example = [line.strip() for line in lines if line.startswith("        ")]
    position = Tree.of(tomllib.loads("\n".join(example)))
    assert exact(position) == (3, -3) == position.value


UNKNOWN = {
    "value": 3,
    "max": {"left": {"min": {"a": 3, "b": 12}}, "right": {"min": {"c": 5, "d": "x"}}},
    "unknown": {"x": 1},
}


@pytest.mark.parametrize(("x", "right"), [("1", 3), ("1.0", 3), ("4", 4), ("-2", 3), ("7", 5), (7, 5)])
def test_value_is_that_of_the_leaves_chosen(x, right):
    position = Tree.of(UNKNOWN, x=x)
    assert position.value == (right, -right) == exact(position)


@pytest.mark.parametrize("given", [{}, {"x": 1}, {"x": 7}])
def test_value_of_a_file_is_checked_with_its_own_leaves(given):
    with pytest.raises(BadInput, match=r"^tree: value = 5, but the leaves give 3 at the root$"):
        Tree.of(UNKNOWN | {"value": 5}, **given)


def test_value_of_three_players_follows_the_chosen_leaf():
    data = {"players": ["A", "B", "C"], "value": [4, 1, 0], "A": {"l": ["x", 1, 0], "r": [3, 2, 2]}}
    data["unknown"] = {"x": 4}
    assert Tree.of(data).value == (4, 1, 0)
    assert Tree.of(data, x="2").value == (3, 2, 2)
    tied = {"A": {"l": ["x", 1, 0], "r": [4, 2, 2]}}
    assert Tree.of(data | tied, x="5").value == (5, 1, 0)
    assert Tree.of(data | tied | {"unknown": {"x": 3}, "value": [4, 2, 2]}, x="4").value is None


def test_value_with_infosets_is_that_of_the_file_for_its_own_leaves_only():
    data = {
        "value": 0,
        "max": {
            "a": {"infoset": "i", "min": {"l": "x", "r": -1}},
            "b": {"infoset": "i", "min": {"l": -1, "r": 1}},
        },
        "unknown": {"x": 1},
    }
    assert Tree.of(data).value == Tree.of(data, x="1").value == (0, 0)
    assert Tree.of(data, x="3").value is None


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"y": "3"}, r"^tree: unknown leaf 'y' \(choose from: x\)$"),
        ({"x": "abc"}, r"^tree: x must be a number from -900000 to 900000, not 'abc'$"),
        ({"x": "nan"}, r"^tree: x must be a number from -900000 to 900000, not 'nan'$"),
        ({"x": "900001"}, r"^tree: x must be a number from -900000 to 900000, not '900001'$"),
    ],
)
def test_unknown_leaf_error_lists_the_known_ones(given, line):
    with pytest.raises(Usage, match=line):
        Tree.of(UNKNOWN, **given)


REPLY = {"guess": [5, -6], "B": {"p": [1, 1], "q": [2, 2]}}
SECRETS = {
    "title": "Secrets",
    "players": ["A", "B"],
    "chance": {
        "x 1/3": {"infoset": "i", "A": {"l": [4, -1], "r": [0, 2]}},
        "y 2/3": {"infoset": "i", "A": {"l": [-3, 1], "r": REPLY}},
    },
}


def test_declarations_of_a_tree() -> None:
    """Guesses and 0 count among the possible payoffs."""
    tree = Tree.of(SECRETS)
    assert (tree.low, tree.high, tree.total) == (-6, 5, 4)
    assert (tree.players, tree.sides, tree.zero_sum, tree.chance, tree.hidden) == (
        2,
        ("A", "B"),
        False,
        True,
        True,
    )
    plain = Tree.of({"max": {"a": 3, "b": {"guess": 1, "min": {"c": 2, "d": 5}}}})
    assert (plain.low, plain.high, plain.total, plain.zero_sum, plain.title) == (-5, 5, 0, True, "")
    assert (plain.chance, plain.hidden, plain.sides) == (False, False, ("max", "min"))
    with pytest.raises(IndexError, match="there is no move to take back"):
        plain.unmake()
    plain.setup("b")
    assert (plain.evaluate(), plain.evaluate_for(0), plain.evaluate_for(1)) == (-1, 1, -1)
    assert plain.initial().key() == 0 != plain.key()


def test_tree_shows_all_nodes_of_the_infoset() -> None:
    tree = Tree.of(SECRETS)
    tree.setup("y")
    assert str(tree).splitlines() == [
        "start y: A {i}",
        "|- l: (-3, 1)",
        "`- r: B, guess 5",
        "   |- p: (1, 1)",
        "   `- q: (2, 2)",
    ]
    assert tree.show(0).splitlines() == [
        "Secrets",
        "",
        "start: chance",
        "|- x (1/3): A {i}  <- here?",
        "|  |- l: (4, -1)",
        "|  `- r: (0, 2)",
        "`- y (2/3): A {i}  <- here?",
        "   |- l: (-3, 1)",
        "   `- r: B, guess 5",
        "      |- p: (1, 1)",
        "      `- q: (2, 2)",
    ]
    tree.make(1)
    assert tree.show(1).splitlines()[8] == "   `- r: B, guess 5  <- here"
    assert [tree.infoset(player) for player in (0, 1)] == [(0, ((0, "i"), 1)), (1, tree.key())]
    rng = Random(1)
    tree.unmake()
    drawn = [tree.determinize(0, rng).text() for _ in range(300)]
    assert 80 < drawn.count("x") < 120 and drawn.count("x") + drawn.count("y") == 300


def test_installed_trees_have_names() -> None:
    assert game("tree:lecture").new().title == "The lecture's exercise"
    assert game("tree:lecture").spec == "tree:lecture" == game("tree:file=lecture").spec
    assert game("tree:lecture,x=100").new().node.branches[1].branches[1].payoffs == (100, -100)
    with pytest.raises(Usage, match="unknown tree 'lectre'; did you mean 'lecture'"):
        game("tree:lectre").new()
    with pytest.raises(BadInput, match="there is no file lecture"):
        game("tree:lecture.toml").new()


def shape(node):
    return [shape(branch) for branch in node.branches]


def test_random_trees_are_the_same_for_the_same_options() -> None:
    words = "tree:random,depth=3,branching=2-3,seed=7"
    first, again, other = (game(text).new() for text in (words, words, words.replace("7", "8")))
    assert str(first) == str(again) != str(other) and game(words).spec == words
    assert {len(node.branches) for node in first.nodes if node.branches} == {2, 3}
    assert {len(node.path()) for node in first.nodes if not node.branches} == {3}
    assert all(abs(node.payoffs[0]) <= 9 for node in first.nodes if not node.branches)


def test_random_trees_follow_their_options() -> None:
    three = game("tree:random,players=3,depth=3").new()
    leaves = [node.payoffs for node in three.nodes if not node.branches]
    assert three.sides == ("A", "B", "C")
    ranks = list(range(1, len(leaves) + 1))
    assert all(sorted(leaf[player] for leaf in leaves) == ranks for player in range(3))
    dice = game("tree:random,chance=on,depth=2").new()
    assert dice.chance and not game("tree:random,depth=2").new().chance
    single = game("tree:random,branching=1,depth=4").new()
    assert len(single.nodes) == 5
    ties = game("tree:random,payoffs=1,depth=4").new()
    assert {node.payoffs[0] for node in ties.nodes if not node.branches} == {-1, 0, 1}
    uneven = game("tree:random,uneven=on,depth=4,seed=1").new()
    assert len({len(node.path()) for node in uneven.nodes if not node.branches}) > 1
    again = game("tree:random,again=on,depth=4").new()
    assert any(node.parent and node.turn == node.parent.turn for node in again.nodes if node.branches)
    guessed = game("tree:random,guesses=on,depth=4").new()
    inner = [node for node in guessed.nodes if node.branches]
    assert all(node.guess for node in inner) and any(node.noisy for node in inner)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("dept=3", "unknown option 'dept'; did you mean 'depth'"),
        ("depth=0", "depth must be a whole number of plies from 1 to 12, not '0'"),
        ("branching=3-2", "branching must be a number from 1 to 9 or a range of them, not '3-2'"),
        ("branching=0-2", "not '0-2'"),
        ("seed=x", "seed must be a whole number, not 'x'"),
        ("chance=perhaps", "chance must be on or off"),
        ("players=3,guesses=on", "guesses=on is for two players without chance"),
        ("players=3,payoffs=1", "payoffs=1 is for two players: .* expected no payoffs. Try: players=3"),
        ("wins=on,payoffs=5", "wins=on has leaves -1, 0 and 1: expected no payoffs"),
        ("depth=12,branching=9", "this tree has more than 20,000 nodes"),
    ],
)
def test_wrong_options_of_random_trees_are_refused(options: str, words: str) -> None:
    with pytest.raises((BadInput, Usage), match=words):
        game(f"tree:random,{options}").new()


def test_trees_may_be_won_and_lost() -> None:
    """Only the result counts: `scored = false`, and `wins=on` of random trees."""
    data = {"scored": False, "max": {"late": {"min": {"a": {"max": {"b": 2}}}}, "soon": 1}}
    report = engine("alphabeta")[0].search(Tree.of(data), Limit(depth=8))
    assert report.value == WIN - 1 and report.move == 1
    won = game("tree:random,wins=on,depth=3").new()
    assert not won.scored and {node.payoffs[0] for node in won.nodes if not node.branches} == {-1, 0, 1}
    with pytest.raises(BadInput, match="scored is 1: expected true or false"):
        Tree.of({"scored": 1, "max": {"a": 1}})
    with pytest.raises(BadInput, match="scored = false is for two players without chance"):
        Tree.of({"scored": False, "max": {"a": {"chance": {"x": 1, "y": 2}}}})
    with pytest.raises(Usage, match="wins=on is for two players; leave players, chance and guesses out"):
        game("tree:random,wins=on,chance=on").new()
