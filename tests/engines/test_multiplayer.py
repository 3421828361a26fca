"""Multiplayer searches: by hand, and against their definitions on random games."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gameplay import CHANCE, Limit, Position, registry
from gameplay.cli import router, run
from gameplay.engines.multiplayer.alliance import teams
from gameplay.errors import Usage
from gameplay.games.tree import Tree
from gameplay.search.trace import TraceEvent
from tests.support.conformance import check
from tests.support.paths import ROOT
from tests.support.searches import search_limited

COUNTED = {
    "maxn": 7381,
    "maxn:table=1MB": 7381,
    "paranoid": 462,
    "paranoid:order=killer,table=1MB": 449,
    "brs": 1116,
}
WIDE = 4  # places on a level: fewer than paths, so that lines meet again


class Lattice(Position):
    """Walk down `levels` of nodes; the movers and the payoffs of leaves are drawn from the seed.

    `kind`: zero (payoffs sum to 0), split (they sum to 12), general (they sum to anything).
    """

    def __init__(
        self, players: int = 3, levels: int = 4, kind: str = "zero", seed: int = 0, dice: bool = False
    ):
        super().__init__()
        self.players, self.levels, self.kind, self.seed, self.dice = players, levels, kind, seed, dice
        self.zero_sum = kind == "zero"
        self.scored = True
        self.chance = dice
        if kind == "zero":
            self.low, self.high = -6 * (players - 1), 6 * (players - 1)
        elif kind == "split":
            self.low, self.high, self.total = 0, 12, 12
        self.level, self.place = 0, 0
        self.past: list[int] = []
        self.arrive()

    def random(self, what: str) -> Random:
        return Random(f"{self.seed}/{what}/{self.level}/{self.place}")

    def arrive(self) -> None:
        rng = self.random("turn")
        movers = list(range(self.players))
        if self.dice and 0 < self.level < self.levels:
            movers += [CHANCE, CHANCE]
        self.turn = rng.choice(movers)

    def shares(self, what: str) -> tuple[int, ...]:
        rng = self.random(what)
        if self.kind == "general":
            return tuple(rng.randint(-3, 9) for _ in range(self.players))
        parts = [rng.randint(0, 6) for _ in range(self.players - 1)]
        if self.kind == "zero":
            return (*[6 - 2 * part for part in parts], -sum(6 - 2 * part for part in parts))
        left, shares = 12, []
        for part in parts:
            shares.append(min(left, part))
            left -= shares[-1]
        return (*shares, left)

    def moves(self) -> list[int]:
        return list(range(2 if self.turn == CHANCE else self.random("moves").randint(1, 3)))

    def chances(self) -> list[float]:
        return [0.25, 0.75]

    def make(self, move: int) -> None:
        self.past.append(self.place)
        self.place = self.random(f"to/{move}").randrange(WIDE)
        self.level += 1
        self.arrive()

    def unmake(self) -> None:
        self.place = self.past.pop()
        self.level -= 1
        self.arrive()

    def outcome(self) -> tuple[int, ...] | None:
        return None if self.level < self.levels else self.shares("payoffs")

    def evaluate_for(self, player: int) -> int:
        return self.shares("guess")[player]

    def evaluate(self) -> int:
        return self.evaluate_for(self.turn)

    def key(self) -> int:
        return self.level * 100 + self.place


# -- the definitions ---------------------------------------------------------------------------------


def after(position: Position, move: int, call: Any, *arguments: Any) -> Any:
    position.make(move)
    value = call(position, *arguments)
    position.unmake()
    return value


def maxn(position: Position, depth: int, team: list[int]) -> tuple[float, ...]:
    """All payoffs if each player takes the first of the moves that are best for their alliance."""
    payoffs = position.outcome()
    if payoffs is not None:
        return payoffs
    if depth <= 0 and position.turn != CHANCE:
        return tuple(position.evaluate_for(player) for player in range(position.players))
    left = depth - (position.turn != CHANCE)
    results = [after(position, move, maxn, left, team) for move in position.moves()]
    if position.turn == CHANCE:
        return tuple(
            sum(odds * each[player] for odds, each in zip(position.chances(), results, strict=True))
            for player in range(position.players)
        )
    ours = [player for player in range(position.players) if team[player] == team[position.turn]]
    return max(results, key=lambda each: sum(each[player] for player in ours))


def gain(position: Position, team: list[int], root: int, payoffs: Any) -> float:
    ours = [player for player in range(position.players) if team[player] == team[root]]
    return sum(payoffs[player] if payoffs else position.evaluate_for(player) for player in ours)


def paranoid(position: Position, depth: int, team: list[int], root: int) -> float:
    """The payoff of the root's mover against all others."""
    payoffs = position.outcome()
    if payoffs is not None or (depth <= 0 and position.turn != CHANCE):
        return gain(position, team, root, payoffs)
    left = depth - (position.turn != CHANCE)
    results = [after(position, move, paranoid, left, team, root) for move in position.moves()]
    if position.turn == CHANCE:
        return sum(odds * each for odds, each in zip(position.chances(), results, strict=True))
    return max(results) if team[position.turn] == team[root] else min(results)


def brs(
    position: Position,
    depth: int,
    team: list[int],
    root: int,
    replied: bool = False,
    left: frozenset[int] = frozenset(),
) -> float:
    """The same where only one of the others replies; the rest make their first move, which costs no depth.

    Unless they have made one since the root's team moved: `left` are those who have.
    """
    depth -= position.turn in left
    payoffs = position.outcome()
    if payoffs is not None or (depth <= 0 and position.turn != CHANCE):
        return gain(position, team, root, payoffs)
    moves = position.moves()
    if position.turn == CHANCE:
        results = [after(position, move, brs, depth, team, root, replied, left) for move in moves]
        return sum(odds * each for odds, each in zip(position.chances(), results, strict=True))
    if team[position.turn] == team[root]:
        return max(after(position, move, brs, depth - 1, team, root, False) for move in moves)
    idle = left | {position.turn}
    if replied:
        return after(position, moves[0], brs, depth, team, root, True, idle)
    results = [after(position, move, brs, depth - 1, team, root, True, left) for move in moves]
    if after(position, moves[0], may_reply, team, root):
        results.append(after(position, moves[0], brs, depth, team, root, False, idle))
    return min(results)


def may_reply(position: Position, team: list[int], root: int) -> bool:
    over = position.outcome() is not None
    return not over and (position.turn == CHANCE or team[position.turn] != team[root])


LATTICES = st.builds(
    Lattice,
    players=st.integers(2, 4),
    levels=st.integers(1, 5),
    kind=st.sampled_from(["zero", "split", "general"]),
    seed=st.integers(0, 10**6),
    dice=st.booleans(),
).filter(lambda lattice: lattice.turn != CHANCE)
ALLIED = st.sampled_from(["", "1+2"])


# -- the theorems ------------------------------------------------------------------------------------


@given(LATTICES, st.integers(1, 6), ALLIED)
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_maxn_has_the_vector_of_its_definition(position: Lattice, depth: int, allied: str) -> None:
    """With and without pruning and table: the same vector and move, and never more nodes."""
    team = teams(allied, position)
    expected = maxn(position, depth, team)
    plain = search_limited(f"maxn:prune=off,alliance={allied}", position, depth)
    assert plain.values == expected
    assert plain.value == sum(expected[p] for p in range(position.players) if team[p] == team[position.turn])
    assert after(position, plain.move, maxn, depth - 1, team) == expected
    for options in ("prune=shallow", "prune=off,table=16KB", "prune=shallow,table=16KB"):
        other = search_limited(f"maxn:{options},alliance={allied}", position, depth)
        assert (other.values, other.move) == (plain.values, plain.move), options
        assert other.nodes <= plain.nodes, options
        assert other.exact >= plain.exact, "who has all there is need not look further"


@given(LATTICES, st.integers(1, 6), ALLIED, st.sampled_from(["paranoid", "brs"]))
@settings(max_examples=160, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_paranoid_and_brs_have_the_value_of_their_definition(
    position: Lattice, depth: int, allied: str, name: str
) -> None:
    team = teams(allied, position)
    expected = {"paranoid": paranoid, "brs": brs}[name](position, depth, team, position.turn)
    orders = ("order=random,seed=3", "table=16KB", "order=killer+history,table=16KB")
    for options in ("order=generated", *orders):
        report = search_limited(f"{name}:{options},alliance={allied}", position, depth)
        assert report.value == expected, options
    assert search_limited("paranoid", position, depth).value <= search_limited("maxn", position, depth).value


@given(
    LATTICES,
    st.integers(1, 7),
    st.sampled_from(["maxn", "paranoid", "brs"]),
    st.sampled_from(["off", "16KB"]),
)
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example(Lattice(3, 4, "zero", 89223, False), 5, "brs", "off")
def test_iterative_multiplayer_search_has_the_value_of_its_depth_and_detects_completeness(
    position: Lattice, depth: int, name: str, table: str
) -> None:
    """Table entries of shallower searches change nothing; a proven value has searched every leaf."""
    team = teams("", position)
    root = position.turn

    def expected_value(deep: int) -> float:
        if name == "maxn":
            return maxn(position, deep, team)[root]
        return {"paranoid": paranoid, "brs": brs}[name](position, deep, team, root)

    report = search_limited(f"{name}:table={table}", position, depth, nodes=10**7)
    assert report.fill == 0 or table != "off"
    if report.stopped == "proven":
        assert report.depth <= depth and report.value == expected_value(99)
    if report.stopped != "proven" or name != "brs":  # brs: 4 plies of which a turn repeats need depth 5
        assert report.value == expected_value(report.depth)
    if report.stopped != "proven":
        assert (report.depth, report.stopped) == (depth, "depth")
    if depth > position.levels and name != "brs":
        assert report.stopped == "proven" and report.depth <= position.levels


@given(LATTICES, st.integers(1, 5), st.sampled_from(["maxn", "paranoid", "brs", "paranoid:table=16KB"]))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_multiplayer_pv_is_legal_and_ends_at_its_value(position: Lattice, depth: int, spec: str) -> None:
    report = search_limited(spec, position, depth)
    root = position.turn
    assert report.pv[0] == report.move
    for move in report.pv:
        assert position.turn != CHANCE and position.outcome() is None and move in position.moves()
        position.make(move)
    if not position.dice:
        payoffs = position.outcome()
        assert payoffs is not None or len(report.pv) == depth or spec == "brs"
        assert spec == "brs" or gain(position, teams("", position), root, payoffs) == report.value
    for _ in report.pv:
        position.unmake()


@given(LATTICES, st.integers(1, 5), st.sampled_from(["maxn", "maxn:prune=off", "paranoid", "brs"]))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_several_lines_have_the_values_of_their_moves(position: Lattice, depth: int, spec: str) -> None:
    every = search_limited(spec, position, depth, multipv=9).candidates
    assert {report.move for report in every} == set(position.moves())
    for result in every:
        alone = search_limited(spec, position, depth, moves=(result.move,))
        assert (alone.value, alone.values) == (result.value, result.values)
    best = search_limited(spec, position, depth)
    assert (best.move, best.value, best.values) == (every[0].move, every[0].value, every[0].values)


@given(st.integers(0, 10**6), st.integers(1, 5))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_multiplayer_searches_equal_minimax_in_two_player_zero_sum_games(seed: int, depth: int) -> None:
    position = Lattice(2, 5, "zero", seed)
    value = search_limited("minimax", position, depth).value
    for spec in ("maxn", "maxn:prune=off", "paranoid", "expectiminimax"):
        assert search_limited(spec, position, depth).value == value, spec


def test_best_reply_search_equals_alphabeta_for_two_players() -> None:
    position = registry.game("connect4:columns=4,rows=4").new("2213")
    for depth in (1, 2, 5):
        expected = search_limited("expectiminimax", position, depth).value
        for spec in ("brs", "brs:others=move", "paranoid", "maxn"):
            assert search_limited(spec, position, depth).value == expected


@pytest.mark.parametrize("kind", ["zero", "split", "general"])
def test_the_lattice_keeps_the_contract(kind: str) -> None:
    verdict = check(registry.Game("lattice", "lattice", Lattice, {"kind": kind, "dice": True}), 20)
    assert not verdict.broken, verdict.broken[0]


# -- by hand -----------------------------------------------------------------------------------------


def leaf_tree(**extra: Any) -> Tree:
    """Korf's example of shallow pruning: payoffs are at least 0 and sum to 10."""
    return Tree.of(
        {
            "players": ["A", "B", "C"],
            "A": [{"B": [[3, 5, 2], [4, 4, 2]]}, {"B": [[1, 7, 2], [6, 3, 1], [8, 2, 0]]}],
        }
        | extra
    )


def test_shallow_pruning_cuts_where_the_chooser_gets_no_more() -> None:
    """A has 3; B, with 7 of 10, leaves A at most 3: the other two leaves of B are irrelevant."""
    tree = leaf_tree()
    assert (tree.low, tree.high, tree.total) == (0, 8, 10)
    report = search_limited("maxn", tree, 5)
    assert report.values == (3, 5, 2)
    assert (report.nodes, search_limited("maxn:prune=off", tree, 5).nodes) == (6, 8)


def test_multiplayer_search_is_traced() -> None:
    events: list[TraceEvent] = []
    registry.engine("maxn")[0].search(leaf_tree(), Limit(depth=5), trace=events.append)
    cuts = [event for event in events if event.what == "cut"]
    assert [(cut.ply, cut.why, cut.values) for cut in cuts] == [(1, "shallow", (1, 7, 2))]
    leaves = [event.values for event in events if event.what == "leave" and event.ply == 2]
    assert leaves == [(3, 5, 2), (4, 4, 2), (1, 7, 2)]
    assert events[-1].values == (3, 5, 2)
    events.clear()
    registry.engine("paranoid")[0].search(leaf_tree(), Limit(depth=5), trace=events.append)
    assert [(cut.ply, cut.why, cut.value) for cut in events if cut.what == "cut"] == [(1, "beta", 1)]


def test_search_ends_once_a_player_has_the_maximum() -> None:
    tree = leaf_tree(A=[[3, 5, 2], [10, 0, 0], [1, 2, 7]])
    report = search_limited("maxn", tree, 2)
    assert (report.values, report.nodes) == ((10, 0, 0), 3)


def test_an_alliance_is_named_by_number_or_name() -> None:
    tree = leaf_tree()
    assert teams("", tree) == [0, 1, 2]
    assert teams("1+3", tree) == teams("a+C", tree) == [0, 1, 0]
    for wrong, words in {
        "1+4": "unknown player '4'",
        "1": "1 is alone",
        "1+2/2+3": "names a player twice",
        "1+x": "player",
    }.items():
        with pytest.raises(Usage, match=words):
            search_limited(f"maxn:alliance={wrong}", tree, 2)


FORMING = {
    "maxn": ((6, 4, 2), "join join yield break"),
    "maxn:alliance=A+B": ((5, 5, 2), "join join yield share"),
    "maxn:prune=off,alliance=1+2": ((5, 5, 2), "join join yield share"),
}


@pytest.mark.parametrize("spec", FORMING)
def test_alliance_forms_breaks_or_persists(spec: str) -> None:
    position = registry.game(str(ROOT / "gameplay" / "games" / "tree" / "files" / "alliance.toml")).new()
    report = search_limited(spec, position, 9)
    values, line = FORMING[spec]
    words = []
    for move in report.pv:
        words.append(position.format(move))
        position.make(move)
    assert (report.values, " ".join(words)) == (values, line)


def test_analysis_shows_payoffs_and_compares_equal_kinds_of_values(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tree = str(ROOT / "gameplay" / "games" / "tree" / "files" / "alliance.toml")
    assert (
        run(
            router,
            "gameplay",
            ["analyse", tree, "--engines", "maxn,maxn:alliance=A+B,maxn:prune=off", "--plain"],
        )
        == 0
    )
    output = capsys.readouterr().out
    assert "value A +6.00, B +4.00, C +2.00" in output
    assert "value A +5.00, B +5.00, C +2.00" in output
    assert "maxn and maxn:prune=off have the same value" in output


def test_the_paranoid_do_not_join() -> None:
    position = registry.game(str(ROOT / "gameplay" / "games" / "tree" / "files" / "alliance.toml")).new()
    report = search_limited("paranoid", position, 9)
    assert (position.format(report.move), report.value) == ("alone", 3)


def test_three_at_connect_four_and_tic_tac_toe() -> None:
    """Rules by hand, the definitions on compiled games, and equal nodes in both builds."""
    position = registry.game("connect4:players=3").new("123123123")
    assert (position.turn, position.sides, position.outcome()) == (0, ("blue", "orange", "green"), None)
    position.make(position.parse("1"))
    assert position.outcome() == (2, -1, -1)
    assert set(position.board().line) == {(row, 0) for row in range(2, 6)}
    for spec, text in (
        ("connect4:players=3,columns=5", "33224"),
        ("tictactoe:players=3", "xo../.t../..../...x"),
    ):
        position = registry.game(spec).new(text)
        before = str(position)
        vector = maxn(position, 2, [0, 1, 2])
        report = search_limited("maxn", position, 2)
        assert report.values == vector
        assert report.value == vector[position.turn]
        assert search_limited("paranoid:table=16KB", position, 2).value == paranoid(
            position, 2, [0, 1, 2], position.turn
        )
        assert (str(position), position.outcome()) == (before, None)
    nodes = [
        search_limited(spec, registry.game("connect4:players=3").new("5544"), 4).nodes for spec in COUNTED
    ]
    assert dict(zip(COUNTED, nodes, strict=True)) == COUNTED


def test_deepening_ends_with_a_complete_iteration() -> None:
    position = Lattice(3, 5, "split", 1)
    for spec in ("maxn", "paranoid", "brs"):
        report = registry.engine(spec)[0].search(position, Limit(nodes=10))
        assert report.depth >= 1
        whole = search_limited(spec, position, report.depth)
        assert (report.value, report.values) == (whole.value, whole.values)


def test_brs_terminates_with_repeated_turns_of_an_opponent() -> None:
    """In pig a player who rolls well moves again."""
    position = registry.game("pig").new()
    report = registry.engine("brs")[0].search(position, Limit(depth=4))
    assert report.depth == 4 and report.nodes == 6211
