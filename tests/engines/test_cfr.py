"""Regret minimization and best responses: beside another program, Kuhn's theory, and enumeration."""

import itertools
import json
import os
import time
import tomllib
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.cli.measure import exploit
from gameplay.engines.cfr.extensive import ExtensiveForm, Stopped
from gameplay.engines.cfr.profile import Mixed
from gameplay.engines.cfr.strategy_file import Strategy, written
from gameplay.engines.cfr.training import VARIANTS, Regrets
from gameplay.errors import BadInput, Usage
from gameplay.games.tree import Tree
from gameplay.kernel import compiled
from gameplay.lessons import fusion
from gameplay.position import CHANCE, Position, undoable
from gameplay.search.limit import Limit
from gameplay.suites import exploiting
from gameplay.suites.exploiting import Measured
from tests.support.golden import golden
from tests.support.paths import TESTS

ANSWERS = tomllib.loads((TESTS / "answers" / "cfr.toml").read_text())
GAMES = TESTS / "examples" / "games"
FORMS: dict[str, ExtensiveForm] = {}
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
        {"infoset": "b", "B": [{"infoset": "c", "C": one}, {"infoset": "c", "C": other}]}
        for one, other in (
            ([[2, 2, -4], [1, 1, -2]], [[0, 0, 0]] * 2),
            ([[0, 0, 0]] * 2, [[1, 1, -2], [2, 2, -4]]),
        )
    ],
}


class Bids(Position):
    """Liar's dice with a die each: bids of one or two dice of a face go up until somebody calls."""

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


def form(name: str) -> ExtensiveForm:
    """The tree of a game, built once."""
    if name not in FORMS:
        FORMS[name] = ExtensiveForm(registry.game(name).new())
    return FORMS[name]


def by_words(mixed: Mixed) -> dict[tuple[int, str], dict[str, float]]:
    """What a strategy of `fusion.kuhn` plays: player and infoset's word -> words of moves and shares."""
    found = {}
    for one in mixed.form.infosets:
        found[one.player, one.known[1]] = dict(zip(one.words, mixed.shares(one), strict=True))
    return found


# -- beside another program -------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_trees_and_best_responses_are_those_of_another_program(game: str) -> None:
    found = form(game)
    assert [len(found.infosets), found.leaves] == ANSWERS["sizes"][game]
    assert Mixed(found).exploitability() == pytest.approx(ANSWERS["uniform"][game], abs=1e-12)


@pytest.mark.parametrize("variant", VARIANTS[:3])
@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_each_iteration_is_that_of_another_program(game: str, variant: str) -> None:
    count, exploitability = ANSWERS["iterations"][game][variant]
    regrets = Regrets(form(game), variant)
    regrets.iterate(count)
    assert regrets.average().exploitability() == pytest.approx(exploitability, rel=1e-9)


def test_leduc_comes_to_its_published_value() -> None:
    """Within 1e-4, and exploitability below 1e-3; fewer iterations, and less, uncompiled."""
    regrets = Regrets(form("leduc"))
    regrets.iterate(500 if compiled() else 40)
    average = regrets.average()
    bound, near = (1e-3, 1e-4) if compiled() else (0.06, 0.01)
    assert 0 < average.exploitability() < bound
    assert average.values()[0] == pytest.approx(ANSWERS["values"]["leduc"], abs=near)
    assert sum(average.values()) == pytest.approx(0, abs=1e-12)


@pytest.mark.skipif(not compiled(), reason="25,000 infosets")
def test_liars_dice_with_a_die_each_has_its_published_value() -> None:
    """-7/258, by OpenSpiel's linear program: what best responses get lies on either side of it."""
    regrets = Regrets(form("liars-dice"))
    regrets.iterate(200)
    first, second = regrets.average().responses()
    assert -second < -7 / 258 < first and first + second < 0.004


@pytest.mark.parametrize("kind", ["normal", "joker"])
def test_liars_dice_comes_to_its_published_values(kind: str) -> None:
    """With two faces to four; uncompiled with two and three."""
    for faces, (top, bottom) in ANSWERS["dice"][kind].items():
        if faces == "4" and not compiled():
            continue
        regrets = Regrets(ExtensiveForm(Bids(int(faces), kind == "joker")))
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
def test_kuhns_poker_comes_to_one_of_kuhns_equilibria(variant: str, count: int, bound: float) -> None:
    """Bluff with the jack at any odds a up to 1/3; bet the king at 3a, call with the queen at a + 1/3."""
    if not compiled():
        count //= 4 if variant in VARIANTS[:3] else 40
        bound *= 6
    regrets = Regrets(form("kuhn"), variant, seed=1)
    regrets.iterate(count)
    average = regrets.average()
    assert average.exploitability() < bound
    assert average.values()[0] == pytest.approx(ANSWERS["values"]["kuhn"], abs=bound)
    deep = Regrets(ExtensiveForm(fusion.kuhn()), variant, seed=1)
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
    """By enumeration, for strategies drawn at random."""
    tree = fusion.kuhn()
    found, endings = ExtensiveForm(tree), fusion.endings(tree)
    rng = Random(5)
    for _ in range(5):
        mixed = Mixed(found)
        for one in found.infosets:
            mixed.play(one, [rng.random() + 1e-3 for _ in one.moves])
        mine = [
            {one.known: mixed.shares(one) for one in found.infosets if one.player == player}
            for player in (0, 1)
        ]
        value = fusion.payoff(endings, *mine)
        assert mixed.values() == pytest.approx([value, -value])
        best = [-fusion.guaranteed(endings, 1 - player, mine[1 - player]) for player in (0, 1)]
        assert mixed.responses() == pytest.approx(best)
        assert mixed.exploitability() == pytest.approx(sum(best) / 2)


def test_worths_are_those_of_the_moves_where_they_are_made() -> None:
    """A move's worth, times how likely the mover makes it, adds up to the value of the game."""
    tree = fusion.kuhn()
    mixed = Mixed(ExtensiveForm(tree))
    worths = mixed.worths(1)
    first = [one for one in mixed.form.infosets if one.player == 1]
    total = sum(sum(worths[one.slot + k] / 2 for k in (0, 1)) / 6 for one in first)  # six alike likely
    assert total == pytest.approx(mixed.values()[1])


def test_worths_are_those_of_the_cards_and_none_where_the_others_never_lead() -> None:
    """Kuhn's poker, all moves alike, by hand: a king that checks gets 1, after a bet half of -1 and 2."""
    mixed = Mixed(ExtensiveForm(fusion.kuhn()))
    places = {one.known: one for one in mixed.form.infosets}

    def worths(player: int, known: str) -> list[float | None]:
        one, found = places[player, known], mixed.worths(player)
        return [found[one.slot + k] for k in range(len(one.moves))]

    assert [worths(0, card) for card in "JQK"] == [
        pytest.approx(worth) for worth in ([-1.25, -0.5], [-0.25, 0.5], [0.75, 1.5])
    ]
    assert worths(0, "Q-bet") == pytest.approx([-1, 0]) and worths(0, "K-bet") == pytest.approx([-1, 2])
    for card in "JQK":
        mixed.play(places[1, f"{card}-check"], [3, 0])
    assert worths(0, "K-bet") == [None, None] and worths(0, "K") == pytest.approx([1, 1.5])


def test_three_players_are_measured_and_learn() -> None:
    found = ExtensiveForm(Tree.of(AGREE))
    regrets = Regrets(found, "cfr")
    regrets.iterate(200)
    average = regrets.average()
    assert sum(average.values()) == pytest.approx(0, abs=1e-12)
    assert average.exploitability() < 0.1 < Mixed(found).exploitability() + 0.2
    assert len(average.values()) == 3


def test_both_builds_come_to_the_same_bits() -> None:
    told = {}
    for variant in VARIANTS:
        regrets = Regrets(form("kuhn"), variant, seed=3)
        regrets.iterate(50)
        told[variant] = regrets.average().exploitability().hex()
    assert told == BITS


BITS = {
    "cfr": "0x1.f14e90876dfc8p-7",
    "plus": "0x1.6ea427bb36b40p-9",
    "linear": "0x1.36eab84c84650p-9",
    "external": "0x1.758a063abc14bp-3",
    "outcome": "0x1.fb4e58d5821cfp-3",
}


def test_what_is_learned_of_small_games_is_as_it_was_kept() -> None:
    """Each player's share of each move, and the nodes visited, to nine figures."""
    rows = []
    for game in ("kuhn", "leduc", "liars-dice:dice=1,faces=2", "liars-dice:players=3,dice=1,faces=2"):
        for variant in VARIANTS:
            regrets = Regrets(form(game), variant, seed=3)
            regrets.iterate(4 if variant in ("cfr", "plus", "linear") else 40)
            average = regrets.average()
            told = " ".join(f"{share:.9f}" for share in average.held)
            digest = blake2b(told.encode(), digest_size=6).hexdigest()
            rows.append(
                f"{game} {variant}: {regrets.visited} nodes, {digest}, "
                f"{average.exploitability():.9f}, {' '.join(f'{value:.9f}' for value in average.values())}"
            )
    golden("regrets", "\n".join(rows) + "\n")


def test_iterations_may_be_dealt_out_in_any_way() -> None:
    once, often = (Regrets(form("kuhn"), "external", seed=2) for _ in range(2))
    once.iterate(30)
    for count in (1, 4, 25):
        often.iterate(count)
    assert list(once.average().held) == list(often.average().held) and once.visited == often.visited


# -- what cannot be ---------------------------------------------------------------------------------


def test_who_forgets_is_refused() -> None:
    with pytest.raises(Usage, match=r"its max player forgets what they did, at .*later"):
        ExtensiveForm(Tree.of(FORGETFUL))


def test_what_is_too_large_is_refused() -> None:
    with pytest.raises(Usage, match="Kuhn is too large for this: its tree has more than 20 nodes"):
        ExtensiveForm(registry.game("kuhn").new(), most=20)
    with pytest.raises(
        Usage,
        match=r"Holdem is too large for this: its tree has some \de\+\d\d nodes, and only 4,000,000",
    ):
        ExtensiveForm(registry.game("holdem").new(), watch=lambda nodes: True)
    with pytest.raises(Usage, match=r"its tree has more than 1e\+308 nodes"):
        ExtensiveForm(registry.game("battleship").new())


def test_where_nothing_is_hidden_there_is_nothing_to_mix(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(router, "gameplay", ["exploit", "nim"]) == 2
    assert "Nim has perfect information: an equilibrium needs no mixed strategies" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 'is no strategy: it lacks a field game = "NAME". Try: gameplay exploit GAME --write FILE'),
        ("gmae = 'kuhn'", r'lacks a field game = "NAME" \(there are: gmae\). Try: gameplay exploit'),
        ("game = 'kuhn'", r"it lacks a table for each player \(there are: game\). Try: gameplay exploit"),
        ("game = 3", "is no strategy"),
        ("game = ", "is not TOML"),
        ('game = "kuhn"\n[first]\n"1" = { check = 0.5 }', "likely by 1 together, not by 0.5"),
        ('game = "kuhn"\n[first]\n"1" = { check = -1, bet = 2 }', "a table of moves and how likely they are"),
        ('game = "kuhn"\n[first]\n"1" = 3', "a table of moves and how likely they are"),
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
    file.write_text(written(Mixed(form("kuhn")), {"game": "kuhn"}).replace("[first]", "[frist]"))
    engine, _ = registry.engine(f"strategy:{file}")
    with pytest.raises(BadInput) as caught:
        engine.check(registry.game("kuhn").new())
    assert str(caught.value) == (
        f"{file}: there is no player 'frist'; did you mean 'first'? (there are: first, second)"
    )


@pytest.mark.once
def test_a_strategy_for_another_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "kuhn.toml"
    file.write_text(written(Mixed(form("kuhn")), {"game": "kuhn"}))
    position = registry.game("leduc").new()
    position.setup("Ks Qh")
    engine, _ = registry.engine(f"strategy:{file}")
    with pytest.raises(BadInput, match=r"made for kuhn, says nothing of what first knows here$"):
        engine.search(position)  # its opponent reads that
    with pytest.raises(BadInput, match=r"made for kuhn, says nothing of first, \(2, \(4,\), "):
        engine.odds(position)
    with pytest.raises(Usage, match="strategy plays from a file: strategy:FILE"):
        registry.engine("strategy")[0].search(position)


# -- the engine ---------------------------------------------------------------------------------------


def dealt(words: str) -> Any:
    position = registry.game("kuhn").new()
    position.setup(words)
    return position


def test_the_engine_mixes_as_its_strategy_does_and_never_by_what_it_does_not_see() -> None:
    """The same seeds, with the other's card swapped: the same moves; over seeds, a third of bluffs."""
    count, bets = 60 if compiled() else 12, 0
    for seed in range(count):
        engine = registry.engine(f"cfr:iterations=300,seed={seed}")[0]
        told = [engine.search(dealt(f"{other} J check")) for other in "QK"]
        assert told[0].move == told[1].move and told[0].value == told[1].value
        assert told[0].bound == "expectation" and told[0].stopped == "done"
        bets += told[0].move
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
            "variant is cfr, plus, linear, external or outcome, not 'cfrr'",
        ),
        ("cfr:iterations=0", "1 to 1,000,000,000,000, not '0'"),
        (f"cfr:iterations={10**12 + 1}", f"1 to 1,000,000,000,000, not '{10**12 + 1}'"),
    ):
        with pytest.raises(Usage, match=words):
            registry.engine(spec)


# -- the command ----------------------------------------------------------------------------------------


def test_a_strategy_is_learned_written_played_and_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, chart = tmp_path / "kuhn.toml", tmp_path / "kuhn.svg"
    words = ["exploit", "kuhn", "--engine", "cfr:iterations=200", "--write", str(file), "--svg", str(chart)]
    assert run(router, "gameplay", words) == 0
    told = capsys.readouterr().out
    assert "kuhn: 58 nodes, 30 of them ends, 12 infosets" in told and "\n         200        0.000" in told
    assert "Exploitability over iterations: cfr:iterations=200 0.000" in chart.read_text()
    assert run(router, "gameplay", ["exploit", "kuhn", "--engine", f"strategy:{file}", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    kept = tomllib.loads(file.read_text())
    assert found["exploitability"] == pytest.approx(kept["exploitability"], abs=1e-5)
    monkeypatch.chdir(tmp_path)
    words = ["play", "kuhn", "--players", "strategy:kuhn.toml,random", "--plain", "--seed", "1"]
    assert run(router, "gameplay", words) == 0
    assert "wins by" in capsys.readouterr().out


@dataclass
class Asked:
    """What an engine is asked of: it tells no odds, and draws or not."""

    draws: bool
    seed: int = 3

    def odds(self, position: Any) -> None:
        return None

    def options(self) -> set[str]:
        return {"seed"}


@pytest.mark.once
def test_who_draws_is_asked_with_other_seeds_and_nobody_twice_for_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a search that takes the first move, or the last one where its seed is odd."""
    seeds: list[int] = []
    limits: list[Limit] = []

    class Search:
        interrupted = False

        def __init__(self, engine: Asked) -> None:
            self.engine = engine

        def search(self, position: Any, limit: Limit) -> Any:
            seeds.append(self.engine.seed)
            limits.append(limit)
            return SimpleNamespace(move=position.moves()[-(self.engine.seed % 2)])

    monkeypatch.setattr(exploiting, "Session", Search)
    game = registry.game("kuhn")
    form = ExtensiveForm(game.new())
    for draws, times, shares in ((True, 3, (1 / 3, 2 / 3)), (False, 1, (0, 1))):
        seeds.clear()
        watched: list[int] = []
        mixed = exploiting.asked(Asked(draws), form, game.new, Limit(nodes=7), 3, watched.append)
        assert watched == list(range(len(form.infosets) + 1))
        assert seeds == [3, 4, 5][:times] * len(form.infosets) and set(limits) == {Limit(nodes=7)}
        for infoset in form.infosets:
            assert mixed.shares(infoset) == pytest.approx(shares)
    Search.interrupted = True
    with pytest.raises(KeyboardInterrupt):
        exploiting.asked(Asked(True), form, game.new, Limit(nodes=7), 3, watched.append)


@pytest.mark.once
def test_what_is_taken_is_what_all_could_gain_and_never_less_than_nothing() -> None:
    found = exploiting.Measured((1.0, -1.0), (1.5, -0.75), 3)
    assert (found.nash_conv, found.exploitability) == (0.75, 0.375)
    three = exploiting.Measured((0.5, 0.25, -0.75), (1.5, 0.25, -0.75), 0)
    assert three.exploitability == pytest.approx(1 / 3)
    assert exploiting.Measured((0.5, -0.5), (0.5, -0.5 - 1e-12), 0).nash_conv == 0.0


@pytest.mark.once
def test_odds_that_are_told_are_those_of_an_infosets_moves() -> None:
    """In the order of the infoset, at the position that its way leads to."""
    game = registry.game("kuhn")
    form = ExtensiveForm(game.new())
    asked: list[tuple[Any, ...]] = []

    class Told:
        def odds(self, position: Position) -> list[float]:
            asked.append((position.turn, position.infoset(position.turn)))
            return [0.25, 0.75]

    mixed = exploiting.asked(Told(), form, game.new, Limit(nodes=7), 3, lambda number: None)
    for infoset in form.infosets:
        assert mixed.shares(infoset) == pytest.approx((0.25, 0.75))
    assert len(set(asked)) == len(asked) == len({(one.player, one.known) for one in form.infosets})


@pytest.mark.once
def test_what_is_learned_is_measured_at_powers_of_two_until_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    form = ExtensiveForm(registry.game("kuhn").new())
    engine, _ = registry.engine("cfr:iterations=11")
    found = list(exploiting.learned(engine, form, None))
    assert [now.iterations for _, now in found] == [1, 2, 4, 8, 11]
    for mixed, now in found:
        assert (now.values, now.responses) == (tuple(mixed.values()), tuple(mixed.responses()))
        assert now.exploitability == pytest.approx(mixed.exploitability())
    clock = iter(range(100, 200))
    monkeypatch.setattr(exploiting.time, "monotonic", lambda: next(clock))
    assert [now.iterations for _, now in exploiting.learned(engine, form, 4)] == [1, 2]

    class Interrupted(Regrets):
        def iterate(self, count: int) -> None:
            if self.iterations == 3:
                raise KeyboardInterrupt
            super().iterate(count)

    monkeypatch.setattr(exploiting.time, "monotonic", lambda: 0)
    monkeypatch.setattr(type(engine), "learner", lambda self, form: Interrupted(form, "cfr", 1))
    told = []
    with pytest.raises(KeyboardInterrupt):
        for _, now in exploiting.learned(engine, form, None):
            told.append(now.iterations)
    assert told == [1, 2, 3]


@pytest.mark.once
def test_bars_fall_by_a_sixth_each_decade_where_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    def row(exploitability: float, columns: str = "64") -> str:
        monkeypatch.setenv("COLUMNS", columns)
        return exploit._row(Measured((-0.5, 0.5), (2 * exploitability, 0.0), 1234))

    assert row(1.0) == "       1,234        1.000000   -0.50000  " + "#" * 24
    counts = {10: 24, 0.5: 23, 0.1: 20, 1e-3: 12, 1e-5: 4, 1e-6: 0, 1e-9: 0}
    for exploitability, count in counts.items():
        bar = row(exploitability)
        assert bar.count("#") == count and bar == bar.rstrip()
    assert row(0.0) == "       1,234        0.000000   -0.50000"
    assert row(1.0, "63") == "       1,234        1.000000   -0.50000"
    monkeypatch.delenv("COLUMNS")
    monkeypatch.setattr("os.get_terminal_size", lambda number: os.terminal_size((0, 0)))
    assert "#" in exploit._row(Measured((0.0,), (1.0,), 1)), "80 columns where nobody tells"


@pytest.mark.once
def test_the_strategy_is_shown_as_long_as_it_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    def told(infosets: int, iterations: int, write: Path | None = None, seen: str = "s{}") -> str:
        known = [
            SimpleNamespace(
                player=number // 2 % 2,
                known=f"i{number}",
                words=["a", "bc"],
                seen=lambda start, number=number: seen.format(number),
            )
            for number in range(infosets)
        ]
        form: Any = SimpleNamespace(players=2, infosets=known, sides=("south", "north"))
        mixed: Any = SimpleNamespace(shares=lambda infoset: (0.25, 0.75))
        exploit._conclude(form, mixed, Measured((0.5, -0.5), (1.0, 0.0), iterations), write, None)
        return capsys.readouterr().out

    head = (
        "player      value  best response\n"
        "south    +0.50000       +1.00000\n"
        "north    -0.50000       +0.00000\n"
        "\nexploitability  0.500000\nNashConv        1.000000\n"
    )
    assert told(3, 0) == (
        f"{head}\nsouth plays\n s0  a 0.250 bc 0.750\n s1  a 0.250 bc 0.750\n"
        "north plays\n s2  a 0.250 bc 0.750\n"
    )
    assert "\nsouth plays\n -  a 0.250 bc 0.750\n" in told(1, 0, seen=""), "nothing was seen yet"
    assert " i0  a 0.250" in told(3, 0, seen="?"), "what was seen does not tell two of them apart"
    assert told(24, 1).startswith(f"\n{head}\nsouth plays\n s0   a ") and told(24, 1).count(" bc ") == 24
    assert told(25, 0) == f"{head}the strategy at 25 infosets: --write FILE\n"
    assert told(25, 0, Path("x")) == head


@pytest.mark.once
def test_facts_of_a_strategy_are_rounded_for_its_file() -> None:
    now = Measured((1 / 3, -1 / 3), (4 / 3, 0.0), 0)
    facts = {"values": [0.333333333, -0.333333333], "exploitability": 0.666666667}
    assert exploit._facts(now) == facts
    assert exploit._facts(replace(now, iterations=8)) == {"iterations": 8} | facts


@pytest.mark.once
def test_who_has_learned_enough_is_told_what_that_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C after some iterations; before any there is nothing to tell."""
    real = exploiting.learned

    def learned(*what: Any) -> Any:
        for number, found in enumerate(real(*what)):
            if number == stop:
                raise KeyboardInterrupt
            yield found

    monkeypatch.setattr(exploiting, "learned", learned)
    stop = 2
    file, svg = tmp_path / "kuhn.toml", tmp_path / "kuhn.svg"
    words = ["exploit", "kuhn", "--engine", "cfr:iterations=16", "--write", str(file), "--svg", str(svg)]
    assert run(router, "gameplay", words) == 130
    out, err = capsys.readouterr()
    rows = [line.split()[:1] for line in out.splitlines()[3:7]]
    assert rows == [["iterations"], ["1"], ["2"], []] and "NashConv" in out and "interrupted" in err
    assert "iterations = 2\n" in file.read_text() and svg.exists()
    stop = 0
    assert run(router, "gameplay", words[:4]) == 130
    assert "NashConv" not in capsys.readouterr().out
    stop = 9
    assert run(router, "gameplay", [*words[:4], "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["iterations"] for one in told["curve"]] == [1, 2, 4, 8, 16]
    assert told["exploitability"] == told["curve"][-1]["exploitability"]
    assert told["values"] == told["curve"][-1]["values"]


@pytest.mark.once
def test_where_no_equilibrium_is_sure_that_is_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not for two whose gains cancel; for two whose gains do not, and for three."""
    for paid, noted in (([1, -1], 0), ([1, 1], 1), ([1, -1, 0], 1)):
        file = tmp_path / "game.toml"
        file.write_text(f"players = {list('ABC')[: len(paid)]}\nA = [{paid}, {paid}]\n")
        status = run(router, "gameplay", ["exploit", str(file), "--engine", "random"])
        out, err = capsys.readouterr()
        note = "note: convergence to an equilibrium is guaranteed only for two-player zero-sum games\n\n"
        assert (status, out.count(note)) == (0, noted), err


def test_any_engine_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(router, "gameplay", ["exploit", "kuhn", "--engine", "random"]) == 0
    assert "exploitability  0.458333\nNashConv        0.916667" in capsys.readouterr().out
    rounds = f"{GAMES / 'roshambo.py'}:rounds=1"
    assert run(router, "gameplay", ["exploit", rounds, "--engine", "random", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nash_conv"] == 0
    assert run(router, "gameplay", ["exploit", "nim:heaps=1+2", "--engine", "minimax"]) == 0
    told = capsys.readouterr().out
    assert "exploitability  0.000000" in told and "first    +1.00000       +1.00000" in told


def test_what_cannot_be_measured_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, complaint in (
        (["kuhn", "--engine", "alphabeta"], "alphabeta cannot play this: Kuhn"),
        (["kuhn", "--engine", "random", "--svg", "x.svg"], "--svg draws how cfr learns, and random does not"),
        (["backgammon", "--engine", "random"], "too large"),
    ):
        assert run(router, "gameplay", ["exploit", *words]) == 2
        assert complaint in capsys.readouterr().err
    folder = tmp_path / "none" / "x.toml"
    assert run(router, "gameplay", ["exploit", "kuhn", "--engine", "random", "--write", str(folder)]) == 6
    assert "there is no folder" in capsys.readouterr().err
    assert run(router, "gameplay", ["exploit", "kuhn", "--engine", "cfr", "--write", str(tmp_path)]) == 6
    complaint = capsys.readouterr()
    assert "is a folder; name a file in it" in complaint.err and not complaint.out, "before it learns"


def test_what_plays_a_strategy_says_which_move_it_drew_and_nothing_else(tmp_path: Path) -> None:
    """By the shares of its file, or of those moves alone that are asked for; these alike if it plays none."""
    file = tmp_path / "kuhn.toml"
    jack, king = (registry.game("kuhn").new(deal).infoset(0) for deal in ("J Q", "K Q"))
    shares = f'"{jack!r}" = {{ check = 0.25, bet = 0.75 }}\n"{king!r}" = {{ check = 1 }}\n'
    file.write_text(f'game = "kuhn"\n[first]\n{shares}')
    drawn: dict[str, list[str]] = {}
    for seed in range(40):
        engine = registry.engine(f"strategy:file={file},seed={seed}")[0]
        for deal, moves in (("J Q", ()), ("K Q", ()), ("J Q", ("check",)), ("K Q", ("bet",))):
            position = registry.game("kuhn").new(deal)
            report = engine.search(position, Limit(moves=tuple(position.parse(move) for move in moves)))
            (told,) = report.candidates
            assert (report.nodes, report.pv, report.value, report.source) == (1, (report.move,), 0, "random")
            assert (report.bound, told.bound, told.pv) == ("unknown", "unknown", report.pv)
            drawn.setdefault(f"{deal} {moves}", []).append(position.format(report.move))
    assert 25 <= drawn["J Q ()"].count("bet") < 40 and set(drawn["K Q ()"]) == {"check"}
    assert set(drawn["J Q ('check',)"]) == {"check"} and set(drawn["K Q ('bet',)"]) == {"bet"}
    assert registry.engine(f"strategy:file={file}")[0].odds(registry.game("kuhn").new("J Q")) == [0.25, 0.75]


@pytest.mark.once
def test_a_tree_that_is_grown_is_looked_at_at_each_node_and_may_be_too_large() -> None:
    kuhn, leduc = registry.game("kuhn").new(), registry.game("leduc").new()
    whole = ExtensiveForm(kuhn)
    count = whole.nodes
    # Six deals, and 9 positions of each, of which 5 end the game; 12 infosets of two moves.
    assert (count, whole.leaves, whole.slots, len(whole.infosets)) == (1 + 3 + 6 + 6 * 8, 30, 2 + 24, 12)
    ints = 4 * count + 2 * whole.leaves + 3 * 12
    doubles = count + whole.leaves + 2 * whole.leaves
    assert whole.bytes == 4 * ints + 8 * doubles
    assert ExtensiveForm(kuhn, most=count).nodes == count
    with pytest.raises(Usage) as caught:
        ExtensiveForm(kuhn, most=count - 1)
    told = f"Kuhn is too large for this: its tree has more than {count - 1:,} nodes, and all of it is kept"
    assert str(caught.value) == f"{told} in memory"
    looks: list[int] = []
    ExtensiveForm(leduc, lambda nodes: bool(looks.append(nodes)))  # type: ignore[func-returns-value]
    nodes = ExtensiveForm(leduc).nodes
    assert len(looks) == nodes and looks == sorted(looks) and looks[0] == 1
    seen: list[int] = []

    def enough(nodes: int) -> bool:
        seen.append(nodes)
        return len(seen) == 3

    with pytest.raises(Stopped):
        ExtensiveForm(leduc, enough)
    assert seen == looks[:3]
    with pytest.raises(
        Usage, match=r"^Leduc is too large for this: its tree has some \de\+0\d nodes, and only 9 are"
    ):
        ExtensiveForm(leduc, most=9)


@pytest.mark.once
def test_shares_of_a_file_may_be_a_little_off_and_are_brought_to_one(tmp_path: Path) -> None:
    file, position = tmp_path / "mine.toml", registry.game("kuhn").new("J Q")
    known = f"{position.infoset(0)!r}"

    def read(table: str) -> Any:
        file.write_text(f'game = "kuhn"\n[first]\n"{known}" = {table}\n')
        try:
            return Strategy(str(file)).shares(position)
        except BadInput as error:
            return str(error).removeprefix(f"{file}")

    wrong = f": first, {known}: a table of moves and how likely they are, as in "
    wrong += "{ check = 0.25, bet = 0.75 }"
    off = f": first, {known}: the moves should be likely by 1 together, not by"
    for table, told in (
        ("{ check = 0.25, bet = 0.75 }", [0.25, 0.75]),
        ("{ bet = 1 }", [0.0, 1.0]),
        ("{ check = 0, bet = 1 }", [0.0, 1.0]),
        ("{ check = 0.2502, bet = 0.7506 }", [0.25, 0.75]),
        ("{ check = 0.25, bet = 0.7512 }", f"{off} 1.0012"),
        ("{ check = 0.25, bet = 0.7488 }", f"{off} 0.9988"),
        ("{ check = true, bet = 0 }", wrong),
        ("{ check = -0.5, bet = 1.5 }", wrong),
        ('{ check = "much" }', wrong),
        ("1", wrong),
        ("{ fold = 1 }", f": first, {known}: fold is none of check, bet"),
    ):
        found = read(table)
        assert found == (told if isinstance(told, str) else pytest.approx(told)), table
    file.write_text('game = "kuhn"\n[second]\n"x" = { check = 1 }\n')
    with pytest.raises(BadInput) as caught:
        Strategy(str(file)).shares(position)
    assert str(caught.value) == f"{file}, made for kuhn, says nothing of first, {known}"
    with pytest.raises(BadInput, match=r"none.toml: No such file or directory$"):
        Strategy(str(tmp_path / "none.toml"))


@pytest.mark.once
def test_a_strategy_is_written_with_six_digits_and_without_moves_that_are_not_played() -> None:
    class Known:
        def __init__(self, player: int, known: Any, *words: str) -> None:
            self.player, self.known, self.words = player, known, words

    one, two, three = Known(0, "a", "x", "y z", "w"), Known(0, (1, "é"), "x"), Known(1, 5, "-", "v")
    shares = {one: [0.5, 1 / 3, 0.0000004], two: [1.0], three: [0.25, 0.75]}
    form = SimpleNamespace(infosets=[one, two, three], players=2, sides=("first", "the other"))
    mixed: Any = SimpleNamespace(form=form, shares=shares.__getitem__)
    assert written(mixed, {"game": "mine", "how good": 0.5, "é": True}) == (
        'game = "mine"\n"how good" = 0.5\n"é" = true\n\n[first]\n'
        '"\'a\'" = { x = 0.5, "y z" = 0.333333 }\n"(1, \'é\')" = { x = 1 }\n\n'
        '["the other"]\n"5" = { - = 0.25, v = 0.75 }\n'
    )


@pytest.mark.once
def test_a_strategy_tells_what_players_saw_before(tmp_path: Path) -> None:
    start, file = registry.game("kuhn").new(), tmp_path / "kuhn.toml"
    text = written(Mixed(ExtensiveForm(start)), {"game": "kuhn"}, start)
    seen = [line.partition("  # ")[2] for line in text.splitlines() if "=" in line][1:]
    first = [f"{card} ?{rest}" for card in "JQK" for rest in ("", " check bet")]
    second = [f"? {card} {bet}" for card in "JQK" for bet in ("check", "bet")]
    assert sorted(seen) == sorted(first + second) and start.turn == CHANCE
    file.write_text(text)
    start.setup("J Q")
    assert Strategy(str(file)).shares(start) == [0.5, 0.5]
