"""CFR and best responses: against OpenSpiel, Kuhn's theory, and enumeration."""

import itertools
import time
import tomllib
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.engines.cfr.extensive import ExtensiveForm
from gameplay.engines.cfr.profile import StrategyProfile
from gameplay.engines.cfr.strategy_file import Strategy, format_strategy
from gameplay.engines.cfr.training import VARIANTS, RegretMinimizer
from gameplay.errors import BadInput, Usage
from gameplay.games.tree import Tree
from gameplay.kernel import compiled
from gameplay.lessons import fusion
from gameplay.position import CHANCE, Position, undoable
from gameplay.search.limit import Limit
from tests.support.cfr import form
from tests.support.golden import golden
from tests.support.paths import TESTS

ANSWERS = tomllib.loads((TESTS / "answers" / "cfr.toml").read_text())
FORGETFUL = {
    "max": {
        "left": {"infoset": "later", "max": {"a": 1, "b": 2}},
        "right": {"infoset": "later", "max": {"a": 3, "b": 4}},
    }
}
# Three players, one after the other, none of whom knows what the others chose; A and B like to agree.
AGREE = {
    "players": ["A", "B", "C"],
    "A": [
        {"infoset": "b", "B": [{"infoset": "c", "C": first}, {"infoset": "c", "C": second}]}
        for first, second in (
            ([[2, 2, -4], [1, 1, -2]], [[0, 0, 0]] * 2),
            ([[0, 0, 0]] * 2, [[1, 1, -2], [2, 2, -4]]),
        )
    ],
}


class Bids(Position):
    """Liar's dice with a die each: bids of one or two dice of a face go up until a player calls."""

    chance = hidden = True

    def __init__(self, faces: int = 2, joker: bool = False) -> None:
        super().__init__()
        self.faces, self.joker = faces, joker
        self.dice: tuple[int, ...] = ()
        self.bids: tuple[int, ...] = ()
        self.turn = CHANCE

    def moves(self) -> list[int]:
        if not self.dice:
            return list(range(self.faces**2))
        return list(range(self.bids[-1] + 1 if self.bids else 0, 2 * self.faces + bool(self.bids)))

    @undoable
    def make(self, move: int) -> None:
        if self.dice:
            self.bids += (move,)
        else:
            self.dice = divmod(move, self.faces)
        self.turn = len(self.bids) % 2

    def outcome(self) -> tuple[int, int] | None:
        if not self.bids or self.bids[-1] < 2 * self.faces:
            return None
        count, face = divmod(self.bids[-2], self.faces)
        true = sum(die == face or (self.joker and die == 0) for die in self.dice) > count
        caller = (len(self.bids) - 1) % 2
        return (1, -1) if true == (caller == 1) else (-1, 1)

    def infoset(self, player: int) -> tuple[Any, ...]:
        return (self.dice[player : player + 1], self.bids)


def by_words(mixed: StrategyProfile) -> dict[tuple[int, str], dict[str, float]]:
    """The strategy of `fusion.kuhn_tree`: player and name of the infoset -> probabilities by move."""
    results = {}
    for infoset in mixed.form.infosets:
        results[infoset.player, infoset.key[1]] = dict(
            zip(infoset.move_names, mixed.probabilities(infoset), strict=True)
        )
    return results


# -- beside another program -------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_trees_and_best_responses_are_those_of_another_program(game: str) -> None:
    tree_form = form(game)
    assert [len(tree_form.infosets), tree_form.leaves] == ANSWERS["sizes"][game]
    assert StrategyProfile(tree_form).exploitability() == pytest.approx(ANSWERS["uniform"][game], abs=1e-12)


@pytest.mark.parametrize("variant", VARIANTS[:3])
@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_each_iteration_is_that_of_another_program(game: str, variant: str) -> None:
    count, exploitability = ANSWERS["iterations"][game][variant]
    regrets = RegretMinimizer(form(game), variant)
    regrets.iterate(count)
    assert regrets.average().exploitability() == pytest.approx(exploitability, rel=1e-9)


def test_leduc_converges_to_its_published_value() -> None:
    """Within 1e-4, and exploitability below 1e-3; uncompiled with fewer iterations and a wider tolerance."""
    regrets = RegretMinimizer(form("leduc"))
    regrets.iterate(500 if compiled() else 40)
    average = regrets.average()
    bound, near = (1e-3, 1e-4) if compiled() else (0.06, 0.01)
    assert 0 < average.exploitability() < bound
    assert average.values()[0] == pytest.approx(ANSWERS["values"]["leduc"], abs=near)
    assert sum(average.values()) == pytest.approx(0, abs=1e-12)


@pytest.mark.skipif(not compiled(), reason="25,000 infosets")
def test_liars_dice_with_a_die_each_has_its_published_value() -> None:
    """It is -7/258, by OpenSpiel's linear program; best-response payoffs lie on either side of it."""
    regrets = RegretMinimizer(form("liars-dice"))
    regrets.iterate(200)
    first, second = regrets.average().best_response_values()
    assert -second < -7 / 258 < first and first + second < 0.004


@pytest.mark.parametrize("kind", ["normal", "joker"])
def test_liars_dice_converges_to_its_published_values(kind: str) -> None:
    """With two to four faces; uncompiled with two and three."""
    for faces, (top, bottom) in ANSWERS["dice"][kind].items():
        if faces == "4" and not compiled():
            continue
        regrets = RegretMinimizer(ExtensiveForm(Bids(int(faces), kind == "joker")))
        regrets.iterate(1000 if compiled() else 150)
        average = regrets.average()
        assert average.exploitability() < (1e-3 if compiled() else 0.02)
        assert average.values()[0] == pytest.approx(top / bottom, abs=1e-3 if compiled() else 0.02)


# -- beside theory ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "count", "bound"),
    [
        ("cfr", 2000, 1e-3),
        ("plus", 2000, 1e-4),
        ("linear", 2000, 1e-4),
        ("external", 200000, 0.01),
        ("outcome", 400000, 0.01),
    ],
)
def test_kuhn_poker_converges_to_one_of_its_equilibria(variant: str, count: int, bound: float) -> None:
    """The jack bluffs with probability a up to 1/3; the king bets with 3a, the queen calls with a + 1/3."""
    if not compiled():
        count //= 4 if variant in VARIANTS[:3] else 40
        bound *= 6
    regrets = RegretMinimizer(form("kuhn"), variant, seed=1)
    regrets.iterate(count)
    average = regrets.average()
    assert average.exploitability() < bound
    assert average.values()[0] == pytest.approx(ANSWERS["values"]["kuhn"], abs=bound)
    deep = RegretMinimizer(ExtensiveForm(fusion.kuhn_tree()), variant, seed=1)
    deep.iterate(count)
    played = by_words(deep.average())
    bluff, near = played[0, "J"]["bet"], 0.3 * bound**0.5 + 0.02
    assert -near <= bluff <= 1 / 3 + near
    assert played[0, "K"]["bet"] == pytest.approx(3 * bluff, abs=3 * near)
    assert played[0, "Q-bet"]["call"] == pytest.approx(bluff + 1 / 3, abs=3 * near)
    assert played[0, "Q"]["bet"] < near and played[1, "Q-check"]["bet"] < near
    assert played[1, "Q-bet"]["call"] == pytest.approx(1 / 3, abs=near)
    assert played[1, "J-check"]["bet"] == pytest.approx(1 / 3, abs=near)


def test_best_responses_are_those_of_all_pure_strategies() -> None:
    """By enumeration, for random strategies."""
    tree = fusion.kuhn_tree()
    tree_form, endings = ExtensiveForm(tree), fusion.lines_of_play(tree)
    rng = Random(5)
    for _ in range(5):
        mixed = StrategyProfile(tree_form)
        for infoset in tree_form.infosets:
            mixed.set_probabilities(infoset, [rng.random() + 1e-3 for _ in infoset.moves])
        mine = [
            {
                infoset.key: mixed.probabilities(infoset)
                for infoset in tree_form.infosets
                if infoset.player == player
            }
            for player in (0, 1)
        ]
        value = fusion.payoff(endings, *mine)
        assert mixed.values() == pytest.approx([value, -value])
        best = [-fusion.guaranteed_payoff(endings, 1 - player, mine[1 - player]) for player in (0, 1)]
        assert mixed.best_response_values() == pytest.approx(best)
        assert mixed.exploitability() == pytest.approx(sum(best) / 2)


def test_move_values_sum_to_the_value_of_the_game() -> None:
    """The move values, weighted by the mover's probabilities, sum to the value of the game."""
    tree = fusion.kuhn_tree()
    mixed = StrategyProfile(ExtensiveForm(tree))
    values = mixed.move_values(1)
    first = [infoset for infoset in mixed.form.infosets if infoset.player == 1]
    # The six deals are equally likely.
    total = sum(sum(values[infoset.slot + k] / 2 for k in (0, 1)) / 6 for infoset in first)
    assert total == pytest.approx(mixed.values()[1])


def test_move_values_are_none_at_infosets_that_are_never_reached() -> None:
    """Kuhn poker with uniform moves, by hand: a king that checks gets 1; after a bet half of -1 and 2."""
    mixed = StrategyProfile(ExtensiveForm(fusion.kuhn_tree()))
    places = {infoset.key: infoset for infoset in mixed.form.infosets}

    def values(player: int, known: str) -> list[float | None]:
        infoset, values = places[player, known], mixed.move_values(player)
        return [values[infoset.slot + k] for k in range(len(infoset.moves))]

    assert [values(0, card) for card in "JQK"] == [
        pytest.approx(worth) for worth in ([-1.25, -0.5], [-0.25, 0.5], [0.75, 1.5])
    ]
    assert values(0, "Q-bet") == pytest.approx([-1, 0]) and values(0, "K-bet") == pytest.approx([-1, 2])
    for card in "JQK":
        mixed.set_probabilities(places[1, f"{card}-check"], [3, 0])
    assert values(0, "K-bet") == [None, None] and values(0, "K") == pytest.approx([1, 1.5])


def test_three_players_are_measured_and_learn() -> None:
    form = ExtensiveForm(Tree.of(AGREE))
    regrets = RegretMinimizer(form, "cfr")
    regrets.iterate(200)
    average = regrets.average()
    assert sum(average.values()) == pytest.approx(0, abs=1e-12)
    assert average.exploitability() < 0.1 < StrategyProfile(form).exploitability() + 0.2
    assert len(average.values()) == 3


def test_both_builds_compute_identical_floats() -> None:
    values = {}
    for variant in VARIANTS:
        regrets = RegretMinimizer(form("kuhn"), variant, seed=3)
        regrets.iterate(50)
        values[variant] = regrets.average().exploitability().hex()
    assert values == BITS


BITS = {
    "cfr": "0x1.f14e90876dfc8p-7",
    "plus": "0x1.6ea427bb36b40p-9",
    "linear": "0x1.36eab84c84650p-9",
    "external": "0x1.758a063abc14bp-3",
    "outcome": "0x1.fb4e58d5821cfp-3",
}


def test_strategies_of_small_games_equal_the_stored_ones() -> None:
    """Each player's probability of each move, and the nodes visited, to nine figures."""
    rows = []
    for game in ("kuhn", "leduc", "liars-dice:dice=1,faces=2", "liars-dice:players=3,dice=1,faces=2"):
        for variant in VARIANTS:
            regrets = RegretMinimizer(form(game), variant, seed=3)
            regrets.iterate(4 if variant in ("cfr", "plus", "linear") else 40)
            average = regrets.average()
            assert all(
                sum(average.probabilities(infoset)) == pytest.approx(1) for infoset in form(game).infosets
            )
            assert sum(average.values()) == pytest.approx(0) and average.exploitability() >= 0
            text = " ".join(f"{share:.9f}" for share in average.played_array)
            digest = blake2b(text.encode(), digest_size=6).hexdigest()
            rows.append(
                f"{game} {variant}: {regrets.visited} nodes, {digest}, "
                f"{average.exploitability():.9f}, {' '.join(f'{value:.9f}' for value in average.values())}"
            )
    golden("regrets", "\n".join(rows) + "\n")


def test_cfr_iterations_can_be_split_in_any_way() -> None:
    once, often = (RegretMinimizer(form("kuhn"), "external", seed=2) for _ in range(2))
    once.iterate(30)
    for count in (1, 4, 25):
        often.iterate(count)
    assert (
        list(once.average().played_array) == list(often.average().played_array)
        and once.visited == often.visited
    )


# -- what cannot be ---------------------------------------------------------------------------------


def test_cfr_refuses_imperfect_recall() -> None:
    with pytest.raises(Usage, match=r"lacks perfect recall: the max player reaches .*later"):
        ExtensiveForm(Tree.of(FORGETFUL))


@pytest.mark.once
def test_cfr_refuses_games_that_are_too_large() -> None:
    with pytest.raises(Usage, match="kuhn is too large: its tree has more than 20 nodes"):
        ExtensiveForm(registry.game("kuhn").new(), most=20)
    with pytest.raises(
        Usage, match=r"holdem is too large: its tree has about \de\+\d\d nodes; expected at most 4,000,000"
    ):
        ExtensiveForm(registry.game("holdem").new(), watch=lambda nodes: True)
    with pytest.raises(Usage, match=r"its tree has more than 1e\+308 nodes"):
        ExtensiveForm(registry.game("battleship").new())


def test_cfr_refuses_perfect_information(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(router, "gameplay", ["exploit", "nim"]) == 2
    assert "nim has perfect information, and cfr learns games of imperfect" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 'is not a strategy: it lacks a field game = "NAME". Try: gameplay exploit GAME --out FILE'),
        ("gmae = 'kuhn'", r'lacks a field game = "NAME" \(it has: gmae\). Try: gameplay exploit'),
        ("game = 'kuhn'", r"it lacks a table for each player \(it has: game\). Try: gameplay exploit"),
        ("game = 3", "is not a strategy"),
        ("game = ", "is not TOML"),
        ('game = "kuhn"\n[first]\n"1" = { check = 0.5 }', "the probabilities sum to 0.5; expected 1"),
        (
            'game = "kuhn"\n[first]\n"1" = { check = -1, bet = 2 }',
            "expected a table of moves with probabilities",
        ),
        ('game = "kuhn"\n[first]\n"1" = 3', "expected a table of moves with probabilities"),
    ],
)
@pytest.mark.once
def test_files_that_are_no_strategies_are_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(BadInput, match=words):
        Strategy(str(tmp_path / "mine.toml"))


@pytest.mark.once
def test_a_table_of_no_player_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "kuhn.toml"
    file.write_text(
        format_strategy(StrategyProfile(form("kuhn")), {"game": "kuhn"}).replace("[first]", "[frist]")
    )
    engine, _ = registry.engine(f"strategy:{file}")
    with pytest.raises(BadInput) as caught:
        engine.check(registry.game("kuhn").new())
    assert str(caught.value) == (
        f"{file}: unknown player 'frist'; did you mean 'first'? (choose from: first, second)"
    )


@pytest.mark.once
def test_a_strategy_for_another_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "kuhn.toml"
    file.write_text(format_strategy(StrategyProfile(form("kuhn")), {"game": "kuhn"}))
    position = registry.game("leduc").new()
    position.setup("Ks Qh")
    with pytest.raises(BadInput, match=r"kuhn.toml is a strategy for kuhn; expected one for leduc\. Try: "):
        registry.engine(f"strategy:{file}")[0].search(position)
    file.write_text(format_strategy(StrategyProfile(form("kuhn")), {"game": "leduc"}))
    engine, _ = registry.engine(f"strategy:{file}")
    with pytest.raises(BadInput, match=r"made for leduc, has no entry for first's infoset here$"):
        engine.search(position)  # its opponent reads that
    with pytest.raises(BadInput, match=r"made for leduc, has no entry for first, \(2, \(4,\), "):
        engine.odds(position)
    with pytest.raises(Usage, match="strategy needs a file: strategy:FILE"):
        registry.engine("strategy")[0].search(position)


def dealt(words: str) -> Any:
    position = registry.game("kuhn").new()
    position.setup(words)
    return position


# -- the engine ---------------------------------------------------------------------------------------


def test_engine_mixes_by_its_strategy_independent_of_hidden_cards() -> None:
    """With the other's card swapped the same seeds give the same moves; over seeds a third are bluffs."""
    count, bets = 60 if compiled() else 12, 0
    for seed in range(count):
        engine = registry.engine(f"cfr:iterations=300,seed={seed}")[0]
        reports = [engine.search(dealt(f"{other} J check")) for other in "QK"]
        assert reports[0].move == reports[1].move and reports[0].value == reports[1].value
        assert reports[0].bound == "expectation" and reports[0].stopped == "done"
        bets += reports[0].move
    if compiled():
        assert 10 <= bets <= 30  # a third of 60


def test_the_engine_keeps_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = registry.engine("cfr:iterations=100000000")[0]
    report = engine.search(dealt("J K"), Limit(nodes=2000))
    assert report.stopped == "nodes" and report.move is not None and 1900 <= report.nodes <= 2000
    with monkeypatch.context() as patch:
        clock = itertools.count()
        patch.setattr(time, "monotonic", lambda: next(clock) / 10)  # a busy machine changes nothing
        report = engine.search(dealt("J K"), Limit(seconds=10))
    assert report.stopped == "time" and report.bound == "expectation"
    for limit, words in (
        (Limit(depth=3), "does not search ply by ply"),
        (Limit(simulations=3), "does not simulate"),
    ):
        with pytest.raises(Usage, match=words):
            engine.search(dealt("J K"), limit)
    for spec, words in (
        (
            "cfr:variant=cfrr",
            "variant must be cfr, plus, linear, external or outcome, not 'cfrr'",
        ),
        ("cfr:iterations=0", "1 to 1,000,000,000,000, not '0'"),
        (f"cfr:iterations={10**12 + 1}", f"1 to 1,000,000,000,000, not '{10**12 + 1}'"),
    ):
        with pytest.raises(Usage, match=words):
            registry.engine(spec)
