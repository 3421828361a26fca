"""`gameplay engines`: the table of engines, and every option of each explained."""

import json
from pathlib import Path

import pytest

from gameplay import Limit, Position, file_io, registry
from gameplay.cli import router, run
from gameplay.errors import Usage
from gameplay.search.control import Control
from gameplay.search.engine import (
    Engine,
    describe_player_counts,
    has_costs,
    has_evaluation,
    has_guesses,
    has_noisy,
)
from gameplay.search.ordering import ORDERS
from gameplay.search.session import SearchSetup
from tests.support.golden import golden


def engines(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(router, "gameplay", ["engines", *words]) == 0
    return capsys.readouterr().out


def test_engine_table_lists_the_games_of_each_engine(capsys: pytest.CaptureFixture[str]) -> None:
    lines = engines(capsys).splitlines()
    rows = {line.split()[0]: line.split()[1:] for line in lines if not line.startswith(" ") and line}
    assert rows["alphabeta"] == ["2", "no", "no", "no"]
    assert rows["mcts"][:5] == ["1", "up", "yes", "no", "yes"]
    assert rows["random"][:5] == ["1", "up", "yes", "yes", "yes"]
    assert max(map(len, lines)) <= 80 and "Also called ab." in "".join(lines)


def test_engines_are_listed_on_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gameplay.cli.play.engines.columns", lambda elsewhere: 40)
    assert run(router, "gameplay", ["engines"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 40
    assert "alphabeta: players 2" in lines and "cfr: players 2 up, chance, hidden," in lines


def test_the_list_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    results = {facts["name"]: facts for facts in json.loads(engines(capsys, "--json"))}
    assert set(registry.engine_names()) == set(results)
    assert results["mcts"]["players"] == [1, None] and results["minimax"]["players"] == [2, 2]
    assert results["iterative"]["aliases"] == ["id", "iterativedeepening", "deepening"]
    assert all(facts["summary"] for facts in results.values())


@pytest.mark.parametrize("name", ["alphabeta", "iterative", "selective"])
def test_an_option_lists_every_value_that_it_takes_and_no_other(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    order = json.loads(engines(capsys, name, "--json"))["options"]["order"]
    for value in ORDERS:
        taken = True
        try:
            registry.engine(f"{name}:order={value}")
        except registry.Usage:
            taken = False
        assert taken == (value in order["values"]), value


def test_the_evaluations_of_every_game_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(engines(capsys, "minimax", "--json"))["options"]["eval"]["values"]
    assert list(listed["connect4"]) == ["threats", "none"] and "classic" in listed["chess"]
    for game, own in listed.items():
        assert list(own) == list(registry.game(game).new().evaluations)
        assert all(own.values())


@pytest.mark.parametrize("name", registry.engine_names())
def test_each_option_is_explained(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    cls = registry.engine_class(name)
    out = engines(capsys, name)
    assert out.startswith(name) and max(map(len, out.splitlines())) <= 110
    for option, field in cls.options().items():
        assert f"\n  {option} " in out and field.metadata["words"]
    assert ("\n  nodes " in out) == cls.thinks
    assert ("\n  depth " in out) == (cls.thinks and not cls.samples)


def test_the_values_and_the_source_of_an_option_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from dataclasses import dataclass\nfrom gameplay.search.engine import Engine\n"
        "from gameplay.search.options import option\nfrom gameplay.search.report import Report\n"
        "@dataclass\nclass Mine(Engine):\n"
        "    'It is mine.'\n    thinks = False\n"
        "    style: str = option('calm', 'Choose a style', values={'calm': 'No risk', 'wild': 'All risk'},\n"
        "        source='Author 1999')\n"
        "    def at_once(self, position, limit):\n        return Report(move=position.moves()[0])\n"
    )
    out = engines(capsys, str(path))
    for words in (
        "mine\n\nIt is mine.",
        "Choose a style (default calm)",
        "calm          No risk",
        "wild          All risk",
        "Source: Author 1999",
    ):
        assert words in out


def test_measured_gains_are_listed_below_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    out = engines(capsys, "selective")
    shown = out.partition("\nMeasured gains")[2]
    rows = json.loads(engines(capsys, "selective", "--json"))["measurements"]
    own = (
        registry.engine_class("selective").options().keys()
        - registry.engine_class("iterative").options().keys()
    )
    assert len(own) == 13 and own <= {row["option"] for row in rows}
    for row in rows:
        assert row["option"] in shown and row["result"] in " ".join(shown.split())
        assert row.get("command", "gameplay match").startswith("gameplay match")
    assert "Measured gains" not in engines(capsys, "random")


def test_every_measurement_is_of_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    rows = file_io.toml(Path(registry.__file__).parent / "engines" / "measurements.toml")["measurements"]
    needed = {"engine", "option", "game", "compared", "result", "conditions", "date"}
    for row in rows:
        assert needed <= set(row) <= needed | {"commit", "command"}
        assert row["option"] in registry.engine_class(row["engine"]).options()
        words = row.get("command", "").split()
        for word in words[2:4]:
            registry.engine(word)
        if words:
            registry.game(words[words.index("--game") + 1])


@pytest.mark.parametrize(
    "spec", ["rollout:plies=0", "rollout:plies=100", "rollout:moves=1", "rollout:moves=60"]
)
def test_options_at_the_ends_of_their_range_are_taken(spec: str) -> None:
    assert str(registry.engine(spec)[0]) == spec


def test_engines_state_unsupported_games() -> None:
    few = "scrabble:words=tests/answers/few_words.txt"
    deal = registry.game(few).new("A A B E I O T C D E E F G N")
    heaps = registry.game("nim").new()
    for spec, position, limit, trace, words in (
        ("rollout", deal, Limit(depth=2), None, "rollout has plies as an option"),
        ("rollout", deal, Limit(simulations=2), print, "rollout cannot be traced"),
        ("perfect", heaps, Limit(), print, "perfect cannot be traced"),
        ("perfect", heaps, Limit(moves=(10**6,)), None, "none of the moves to search, 1000000, is legal"),
    ):
        with pytest.raises(Usage, match=words):
            registry.engine(spec)[0].search(position, limit, trace=trace)


def test_description_and_games_of_each_engine() -> None:
    """The facts by which engines are refused, limited and chosen; a change of one should be noticed."""
    rows = []
    games = {name: registry.game(name).new() for name in registry.game_names() if name != "tree"}
    for name in registry.engine_names():
        cls = registry.engine_class(name)
        facts = {
            fact: getattr(cls, fact)
            for fact in Engine.__annotations__
            if getattr(cls, fact) != getattr(Engine, fact) and (name, fact) != ("mcts", "keeps")
        }
        shown = {fact: "by options" if isinstance(text, property) else text for fact, text in facts.items()}
        rows.append(f"{name}: {', '.join(f'{fact} {text}' for fact, text in shown.items())}")
        ranks: dict[int, list[str]] = {}
        for game, position in games.items():
            ranks.setdefault(cls.suitability(position), []).append(game)
            fits = position.players in cls.players and (cls.hidden or not position.hidden)
            fits = fits and (cls.chance or not position.chance) and (cls.general_sum or position.zero_sum)
            assert fits or cls.incompatibility(position), "no engine takes a game that its facts exclude"
            assert bool(cls.suitability(position)) <= (not cls.incompatibility(position))
        rows += [f"    {rank:>3} {' '.join(them)}" for rank, them in sorted(ranks.items()) if rank]
        whys = {cls.incompatibility(game).replace(type(game).__name__, "...") for game in games.values()}
        rows += [f"    no: {why}" for why in sorted(whys) if why]
    golden("suits", "\n".join(rows) + "\n")


def test_default_description_of_an_engine() -> None:
    assert {fact: getattr(Engine, fact) for fact in Engine.__annotations__} == {
        "name": "", "players": range(2, 3), "chance": False, "hidden": False, "general_sum": False,
        "thinks": True, "samples": False, "respects_limits": True, "simulates": False, "anytime": False,
        "by_depth": True, "keeps": False,
        "theorem": "", "view": "mover", "prunes": True, "probes": False, "probes_root": False,
        "priority": 10,
        "growth": 1.0, "place": "", "where": "",
    }  # fmt: skip
    engine, heaps = Engine(), registry.game("nim").new()
    assert engine.resign_in(heaps, True) == 0.0 and engine.odds(heaps) is None
    assert not engine.draws and not engine.instant and engine.table_bits == 0 and engine.ordering() is None
    with pytest.raises(NotImplementedError):
        engine.open(None, None, None)
    with pytest.raises(NotImplementedError):
        engine.at_once(heaps, Limit())


# What is typed for an option: at its ends, beyond them, and what is not a number at all.
NUMBERS = (
    *("-1", "-0.5", "0", "0.5", "1", "2", "3", "4", "60", "61", "100", "101", "255", "256", "257", "1000"),
    *("1001", "10000000", "10000001", "1000000", "1000001", "1000000000", "1000000001", "1000000000000"),
    *("1000000000001", "1.5", "nan", "inf", "much", ""),
)
SIZES = (
    *("off", "0", "15KB", "16KB", "16 kib", "63KB", "64KB", "1MB", "64GB", "65GB", "256GB", "257GB", "1TB"),
    "",
)
USUAL: dict[type, tuple[str, ...]] = {int: NUMBERS, float: NUMBERS, bool: ("on", "YES", "off", "maybe", "")}
TYPED = {
    "table": SIZES,
    "memory": SIZES,
    "leaf": ("search:0", "search:1", "search:8", "search:9", "search:x", "maybe"),
    "order": ("maybe", "killer + History", "killer+"),
    **dict.fromkeys(("c", "rave", "resign"), (*NUMBERS, "auto")),
}


def spec_or_error(name: str, option: str, word: str) -> str:
    """The spec that an option results in, or the error."""
    try:
        return str(registry.engine_class(name).from_options({option: word}))
    except Usage as refusal:
        return f"refused: {refusal}"


def test_accepted_values_of_each_option() -> None:
    rows = []
    for name in registry.engine_names():
        for option, field in registry.engine_class(name).options().items():
            if option in ("eval", "file", "weights", "alliance", "heuristic", "policy"):  # checked later
                continue
            usual = USUAL.get(type(field.default), ("maybe", ""))
            words = (*TYPED.get(option, usual), *registry.engine_class(name).values(option))
            results: dict[str, list[str]] = {}
            for word in words:
                text = spec_or_error(name, option, word)
                text = text.replace(f"'{word}'", "so") if text.startswith("refused") else ""
                text = text.replace(f"not {word}", "not so") if word else text
                results.setdefault(text, []).append(word or "nothing")
                if "Try: " in text:  # what it advises is taken
                    advised = text.partition("Try: ")[2].partition("=")
                    assert not spec_or_error(name, option, advised[2]).startswith(
                        f"refused: {name}: {option} is"
                    )
            rows.append(f"{name} {option}: {' '.join(results.pop('', ['none']))}")
            rows += [f"    {text}: {' '.join(which)}" for text, which in results.items()]
    golden("options", "\n".join(rows) + "\n")


PLACES = (
    "tictactoe", "connect4", "chess", "go:size=5", "backgammon", "pig", "nim:players=3", "kuhn", "stratego",
    "bridge", "puzzle15", "monopoly", "chinese-checkers", "connect4:columns=20,rows=20", "scrabble",
)  # fmt: skip


def test_effective_options_and_limits_in_each_game() -> None:
    rows = []
    limits = (Limit(), Limit(depth=3), Limit(simulations=5), Limit(nodes=7, multipv=2), Limit(seconds=4))
    positions = [(spec, registry.game(spec).new()) for spec in PLACES]
    for name in registry.engine_names():
        if name == "strategy":
            continue
        engine = registry.engine(name)[0]
        results: dict[str, list[str]] = {}
        refused: dict[str, None] = {}
        for spec, position in positions:
            if engine.incompatibility(position):
                continue
            lines = []
            for limit in limits:
                try:
                    given = engine.default_limit(position, limit)
                    asked = (limit.depth, limit.nodes, limit.seconds, limit.simulations)
                    kept = (given.depth, given.nodes, given.seconds, given.simulations)
                    assert kept == asked or not limit, "what the user limits is left as it is"
                    lines.append(f"{given}, {given.multipv}" if given.multipv > 1 else f"{given}")
                except Usage as refusal:
                    refused[str(refusal)] = None
            for meaning in ("prior_in", "leaf_in", "c_in", "rave_in", "by_in"):
                if hasattr(engine, meaning):
                    lines.append(f"{meaning} {getattr(engine, meaning)(position)}")
            lines.append(f"resigns {engine.resign_in(position, True)} {engine.resign_in(position, False)}")
            results.setdefault("; ".join(lines), []).append(spec)
        rows.append(f"{name}: instant {engine.instant}, draws {engine.draws}, table {engine.table_bits}")
        rows += [f"    refused: {why}" for why in refused]
        rows += [f"    {' '.join(them)}: {text}" for text, them in results.items()]
    golden("limits", "\n".join(rows) + "\n")


def test_engine_help_states_the_number_of_players() -> None:
    texts = {
        (1, 2): "one player", (2, 3): "two players", (3, 4): "3 players", (2, 5): "2 to 4 players",
        (1, 3): "1 to 2 players", (2, 100): "2 to 99 players", (2, 101): "two players or more",
        (1, 1000): "one player or more", (5, 999): "5 players or more",
    }  # fmt: skip
    assert {(start, stop): describe_player_counts(range(start, stop)) for start, stop in texts} == texts


class Plain(Position):
    """A game with required members only."""


class Full(Position):
    """A game with all optional members."""

    def noisy(self) -> tuple[int, ...]:
        return ()

    def evaluate(self) -> int:
        return 0

    def evaluate_for(self, player: int) -> int:
        return 0

    def cost(self, move: int) -> int:
        return 2


def test_capabilities_follow_from_overridden_methods_or_slots() -> None:
    asked = (has_noisy, has_evaluation, has_costs, has_guesses)
    listed = type("Listed", (Plain,), {"evaluations": {"mine": object()}})()
    many = type("Many", (Full,), {"players": 3})()
    half = type("Half", (Plain,), {"zero_sum": False, "evaluate": Full.evaluate})()
    results = {
        name: "".join("-x"[bool(has(position))] for has in asked)
        for name, position in {
            "plain": Plain(), "full": Full(), "listed": listed, "many": many, "half": half,
            "chess": registry.game("chess").new(), "nim": registry.game("nim").new(),
            "puzzle15": registry.game("puzzle15").new(), "three": registry.game("connect4:players=3").new(),
            "monopoly": registry.game("monopoly").new(), "kuhn": registry.game("kuhn").new(),
        }.items()
    }  # fmt: skip
    assert results == {
        "plain": "----", "full": "xxxx", "listed": "-x-x", "many": "xxxx", "half": "-x--", "chess": "xx-x",
        "nim": "----", "puzzle15": "----", "three": "-x-x", "monopoly": "-x-x", "kuhn": "----",
    }  # fmt: skip


def test_the_searches_of_threads_share_what_is_allowed() -> None:
    position = registry.game("connect4").new("44")
    searcher = registry.engine("iterative:threads=3,table=16KB")[0]
    table = searcher.new_table(searcher.table_bits)
    limit = Limit(nodes=100, multipv=2, moves=(0, 3))
    searches = searcher.searches(SearchSetup(position, limit, Control(100, 0.0), table))
    # The first visits the first ply, at most 2 + 7 positions, and shares the rest.
    assert [search.node_limit for search in searches] == [40, 30, 30]
    assert [search.helper for search in searches] == [0, 1, 2]
    assert [(search.multipv, search.shared, search.deepens) for search in searches] == [(2, True, False)] * 3
    assert searches[0].helpers == searches[1:] and [search.helpers for search in searches[1:]] == [[], []]
    assert [search.report().move for search in searches] == [3] * 3, "the middle comes first"
    assert searches[0].kernel is not searches[1].kernel is not searches[2].kernel
    for spec, table_kept, limits, deepens, shared in (
        ("iterative:threads=2,table=off", None, Limit(nodes=9), False, False),
        ("minimax", None, Limit(depth=3), False, False),
        ("minimax", None, Limit(depth=3, nodes=9), True, False),
        ("alphabeta:table=16KB", table, Limit(seconds=1), True, False),
    ):
        engine = registry.engine(spec)[0]
        control = Control(limits.nodes or 0, 0.0)
        first = engine.searches(SearchSetup(position, limits, control, table_kept))[0]
        assert (first.deepens, first.shared) == (deepens, shared), spec
    assert registry.engine("minimax")[0].ordering() is None
    assert registry.engine("minimax")[0].ordering(always=True).keeps_order
    assert not registry.engine("alphabeta:order=killer")[0].ordering().keeps_order
