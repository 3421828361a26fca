"""Monte Carlo tree search: proved values are exact, options, report, tree and memory."""

import random
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gameplay import CHANCE, Limit, registry
from gameplay.engines.mcts.engine import policy_bits
from gameplay.errors import Usage
from gameplay.games.tree import Tree
from gameplay.kernel import compiled
from gameplay.matches.match import Match
from gameplay.options import bytes_of
from gameplay.players import seats
from gameplay.search.session import Session
from gameplay.value import is_win
from tests.support.mcts import SMALL, random_tree, search
from tests.support.searches import exact


def play_moves(game: str, *words: str) -> Any:
    position = registry.game(game).new()
    for word in words:
        position.make(position.parse(word))
    return position


# -- exact values of random small trees -----------------------------------------------------------


@pytest.mark.parametrize("chance", [False, True])
def test_proved_values_are_exact(chance: bool) -> None:
    """In a small tree the solver proves the exact value, whatever the sampling."""
    for seed in range(400 if compiled() else 20):
        position = random_tree(seed, 2, chance)
        report = search(position, f"{SMALL},seed={seed}", 100_000)
        value = exact(position)[position.turn]
        assert report.exact and report.stopped == "proven"
        assert report.value == pytest.approx(value, abs=1e-9)
        assert exact_after(position, report.move) == pytest.approx(value, abs=1e-9)


def exact_after(position: Any, move: int) -> float:
    """The exact payoff of the mover after a move."""
    mover = position.turn
    position.make(move)
    value = exact(position)[mover]
    position.unmake()
    return value


def test_proved_values_of_three_players_are_exact() -> None:
    """All payoffs differ, so a mover's choice is unique."""
    proved = 0
    for seed in range(100 if compiled() else 10):
        position = random_tree(seed, 3, seed % 2 == 0, depth=3)
        report = search(position, SMALL, 3000)
        if report.exact:
            proved += 1
            assert report.values == pytest.approx(exact(position), abs=1e-6)
    assert proved >= (50 if compiled() else 5)


def test_no_proof_for_three_players_with_an_indifferent_mover() -> None:
    """B gets 5 in any case, and A's payoff depends on B's arbitrary choice."""
    data = {"players": ["A", "B", "C"], "A": {"a": {"B": [[9, 5, 0], [0, 5, 9]]}, "b": [4, 0, 0]}}
    report = search(Tree.of(data), "", 2000)
    assert not report.exact and report.bound == "expectation"


def is_decided(position: Any, gap: float) -> bool:
    """True if at each position one move is better than all others by more than `gap`."""
    if position.outcome() is not None:
        return True
    worths = []
    for move in position.moves():
        position.make(move)
        below = is_decided(position, gap)
        worths.append(exact(position))
        position.unmake()
        if not below:
            return False
    if position.turn == CHANCE:
        return True
    own = sorted(worth[position.turn] for worth in worths)
    return len(own) < 2 or own[-1] - own[-2] >= gap


@pytest.mark.parametrize(("players", "trees"), [(2, 300), (3, 250)])
def test_means_tend_to_the_exact_value(players: int, trees: int) -> None:
    """The mean and the move values are within 15 % of the range of payoffs.

    Of three no player may be almost indifferent: what the others get then depends on a choice that takes far
    more simulations to be made.
    """
    near = 0.15 * (18 if players == 2 else 2000)
    judged = 0
    for seed in range(trees if compiled() else 6):
        position = random_tree(seed, players, seed % 2 == 0, depth=3 if players == 2 else 2)
        if players == 3 and not is_decided(position, near):
            continue
        judged += 1
        report = search(position, f"{SMALL},c=1.41,solver=off,seed={seed}", 2000 * (players - 1))
        value = exact(position)[position.turn]
        assert abs((report.values[position.turn] if report.values else report.value) - value) < near
        assert exact_after(position, report.move) > value - near
    assert judged > (75 if compiled() else 1)


@settings(max_examples=40 if compiled() else 5, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=2, max_size=12), st.integers(0, 99))
def test_the_solver_agrees_with_alphabeta(columns: list[int], seed: int) -> None:
    """Connect Four on 4x4 after at least six moves: the same winner, and a legal reported line."""
    position = registry.game("connect4:columns=4,rows=4").new()
    for column in [1, 2, 1, 1, *columns]:
        if position.outcome() is None:
            position.make(position.moves()[column % len(position.moves())])
    if position.outcome() is not None:
        position.unmake()
    best = registry.engine("alphabeta:table=1MB")[0].search(position, Limit(depth=16))
    report = search(position, f"seed={seed}", 300_000)
    assert report.exact
    assert (is_win(report.value), report.value > 0) == (is_win(best.value), best.value > 0)
    for move in report.pv:
        assert move in position.moves()
        position.make(move)
    for _ in report.pv:
        position.unmake()


WINS = {"43213": "3", "12345": "3", "4231443": "4"}  # by columns played: the only move that wins


# -- wins that sampling alone misses --------------------------------------------------------------


@pytest.mark.skipif(not compiled(), reason="only quick enough when compiled")
def test_the_solver_finds_wins_that_sampling_misses() -> None:
    """On 5x4, positions with one winning move, chosen from 100 drawn at random and solved by alpha-beta: with
    20,000 simulations the solver finds it always, and sampling alone misses it more often than not."""
    missed = 0
    for columns, only in WINS.items():
        position = registry.game("connect4:columns=5,rows=4").new(columns)
        judge = registry.engine("alphabeta:table=1MB")[0]
        first, second = judge.search(position, Limit(depth=20, multipv=2)).candidates
        assert position.format(first.move) == only
        assert is_win(first.value) and first.value > 0 >= second.value
        for seed in range(3):
            assert position.format(search(position, f"seed={seed}", 20_000).move) == only
            report = search(position, f"solver=off,seed={seed}", 20_000).move
            missed += position.format(report) != only
    assert missed >= 5


@pytest.mark.once
def test_a_proved_draw_is_a_draw_and_ends_the_search() -> None:
    report, again = (search(play_moves("tictactoe"), "", 10**6) for _ in range(2))
    assert (report.exact, report.value, report.bound, report.stopped) == (True, 0, "exact", "proven")
    assert report.visits == again.visits < 10**5


def test_points_are_proved_too() -> None:
    """Othello on 4x4: white wins by 8 (11-3 and two empty squares, perfect play; solved since 1993)."""
    if not compiled():
        pytest.skip("only quick enough when compiled")
    position = registry.game("othello:size=4").new()
    best = registry.engine("alphabeta:table=16MB")[0].search(position, Limit(depth=20))
    report = search(position, "", 3_000_000)
    assert report.exact and report.value == best.value


# -- options --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        *("rave=300", "fpu=1.1", "c=0.3,fpu=0.9,rave=1000", "solver=off", "widen=1.5", "policy=none"),
        *("prior=hint", "prior=evaluation,weight=5", "leaf=evaluate", "leaf=mixed", "leaf=search:2"),
        *("prior=hint,widen=2,rave=100,leaf=mixed", "memory=1MB", "eval=none,leaf=evaluate"),
        *("root=halving", "root=halving,solver=off,threads=1"),
    ],
)
def test_every_option_plays_well_and_reproducibly(spec: str) -> None:
    """Each takes an immediate win and stops the opponent's."""
    count = 2000 if compiled() else 400
    win = play_moves("connect4", "4", "1", "4", "1", "4", "2")
    report = search(win, spec, count)
    assert win.format(report.move) == "4"
    stop = play_moves("connect4", "4", "1", "4", "1", "3", "1")
    first, again = search(stop, spec, count, 7), search(stop, spec, count, 7)
    assert stop.format(first.move) == "1"
    assert (first.candidates, first.nodes, first.visited) == (again.candidates, again.nodes, again.visited)


def test_sequential_halving_visits_the_better_half_once_more() -> None:
    """One pass over eight moves visits all 8, the best 4, then the best 2."""
    position = registry.game("tictactoe").new()
    position.make(position.moves()[0])
    report = registry.engine("mcts:root=halving,solver=off,seed=3")[0].search(
        position, Limit(simulations=8 + 4 + 2, multipv=8)
    )
    visits = sorted((candidate.visits for candidate in report.candidates), reverse=True)
    assert visits == [3, 3, 2, 2, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("game", "spec", "leaf", "prior"),
    [
        *(("connect4", "", "rollout", "off"), ("othello", "", "evaluate", "evaluation")),
        *(("othello", "eval=classic", "evaluate", "evaluation"), ("chess", "leaf=mixed", "mixed", "off")),
        *(("checkers", "prior=hint", "evaluate", "hint"), ("go", "", "rollout", "hint")),
        ("pig", "", "rollout", "off"),
    ],
)
def test_payoff_range_scales_the_results_of_simulations(game: str, spec: str, leaf: str, prior: str) -> None:
    position = registry.game(game).new()
    engine, _ = registry.engine(f"mcts:{spec}" if spec else "mcts")
    assert (engine.leaf_in(position), engine.prior_in(position)) == (leaf, prior)
    report = search(position, spec, 10)
    assert report.visits == 10 and report.move in position.moves()


@pytest.mark.parametrize(
    ("game", "spec", "c", "rave", "resign", "machine"),
    [
        *(("connect4", "", 0.7, 0, 0, 0), ("connect4", "prior=hint", 0.05, 0, 0, 0)),
        *(("connect4", "leaf=evaluate", 0.05, 0, 0, 0), ("connect4", "leaf=mixed", 0.7, 0, 0, 0)),
        *(("connect4", "leaf=search:2", 0.05, 0, 0, 0), ("connect4", "prior=evaluation", 0.7, 0, 0, 0)),
        *(("connect4", "c=0.3,rave=9,resign=0.2", 0.3, 9, 0.2, 0.2), ("othello", "", 0.05, 0, 0, 0)),
        *(("go", "", 0.05, 200, 0.05, 0), ("go", "prior=off", 0.7, 0, 0.05, 0)),
        *(("go", "prior=hint", 0.05, 0, 0.05, 0), ("go", "c=1,resign=0", 1, 200, 0, 0)),
        ("pig", "", 0.7, 0, 0, 0),
    ],
)  # fmt: skip
def test_automatic_options_by_game(
    game: str, spec: str, c: float, rave: float, resign: float, machine: float
) -> None:
    """The values are those documented by the options; the last one is against a program."""
    position = registry.game(game).new()
    engine, _ = registry.engine(f"mcts:{spec}" if spec else "mcts")
    given_up = engine.resign_in(position, False), engine.resign_in(position, True)
    assert (engine.c_in(position), engine.rave_in(position), given_up) == (c, rave, (resign, machine))


def test_proved_losses_are_played_on_without_resignation() -> None:
    game = registry.game("nim:heaps=1+1+1+1+1+1+1+1")
    match = Match(game, [seats.player("mcts:sims=3000", game) for _ in range(2)])
    match.play()
    assert (match.payoffs, match.reason, len(match.turns)) == ((-1, 1), "rules", 8)


def test_options_at_the_ends_of_their_range() -> None:
    go = registry.game("go").new()
    registry.engine("mcts:fpu=1000,widen=1e6,weight=1e6,c=1000,rave=1e9")
    registry.engine("mcts:fpu=0,widen=0,c=0,rave=0,resign=1,leaf=search:8")
    for memory, size in (("1MB", 2**20), ("256GB", 2**38), ("3m", 3 * 2**20), ("2 GiB", 2**31)):
        assert bytes_of(registry.engine(f"mcts:memory={memory}")[0].memory) == size
    names = list(go.policies)
    for policy, bits in (
        ("all", 2 ** len(names) - 1),
        ("none", 0),
        (names[1], 2),
        (f"{names[2]}+{names[0]}", 5),
    ):
        assert policy_bits(registry.engine(f"mcts:policy={policy}")[0], go.policies) == bits


def test_rave_finds_a_move_that_is_good_at_any_time() -> None:
    """With few simulations of many moves, the move that always wins stands out in the others' simulations."""
    few = [
        search(play_moves("connect4", "4", "1", "4", "1"), f"rave={k},seed={seed}", 60)
        for k in (0, 500)
        for seed in range(8)
    ]
    best = [report.candidates[0].visits for report in few]
    assert sum(best[8:]) != sum(best[:8])


def test_leaf_evaluation_without_playouts_is_reported() -> None:
    with pytest.raises(Usage, match="iterative does not simulate: limit depth, nodes or time"):
        registry.engine("iterative:sims=100")[0].search(play_moves("connect4"), Limit(simulations=100))


# -- what it reports ------------------------------------------------------------------------------


def test_the_error_is_that_of_a_mean() -> None:
    """Of many searches with different seeds nearly all are within four errors of their common mean."""
    tree = Tree.of({"max": {"a": {"chance": {"x 0.5": 0, "y 0.5": 10}}}})
    reports = [search(tree, f"solver=off,seed={seed}", 400) for seed in range(40)]
    assert all(report.error == pytest.approx(5 / 20, rel=0.05) for report in reports)
    assert sum(abs(report.value - 5) < 2 * report.error for report in reports) >= 32


def test_report_lists_the_five_most_visited_moves() -> None:
    report = search(play_moves("connect4"), "", 500)
    assert len(report.visited) == 5 and len(report.candidates) == 1
    assert report.visited[0] == report.candidates[0]
    counts = [entry.visits for entry in report.visited]
    assert counts == sorted(counts, reverse=True)


# -- the tree -------------------------------------------------------------------------------------


def test_full_tree_is_trimmed_and_reported() -> None:
    count = 60_000 if compiled() else 6_000
    position = play_moves("connect4")
    report = search(position, "memory=1MB", count, 7)
    again = search(position, "memory=1MB", count, 7)
    assert report.trims > 0 and report.visits == count
    assert (report.candidates, report.nodes, report.trims) == (again.candidates, again.nodes, again.trims)
    large = search(position, "memory=64MB", count)
    assert large.trims == 0
    assert abs(report.value - large.value) < 0.2


@pytest.mark.once
@pytest.mark.parametrize("game", ["connect4", "tests/examples/games/dice_race.py", "pig"])
def test_tree_is_reused_in_the_next_search(game: str) -> None:
    """After two moves and the rolls between them, the visits of the position remain."""
    position = registry.game(game).new()
    engine, _ = registry.engine("mcts:seed=3,solver=off")
    session, fresh = Session(engine), Session(registry.engine("mcts:seed=3,solver=off,reuse=off")[0])
    session.begin()
    fresh.begin()
    draw = random.Random(1)
    kept = 0
    for _ in range(6):
        if position.outcome() is not None:
            break
        if position.turn == CHANCE:
            position.make(draw.choice(position.moves()))
            continue
        report = session.search(position, Limit(simulations=400))
        again = fresh.search(position, Limit(simulations=400))
        assert report.visits == again.visits == 400
        total = sum(entry.visits for entry in report.visited)
        kept += total > 400
        assert sum(entry.visits for entry in again.visited) <= 400
        position.make(report.move)
    assert kept
    session.begin()
    assert (
        sum(
            entry.visits for entry in session.search(registry.game(game).new(), Limit(simulations=50)).visited
        )
        <= 50
    )


def test_tree_is_reused_along_the_moves_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gameplay.engines.mcts.engine.MAX_TRIED", 0)
    position = play_moves("connect4")
    session = Session(registry.engine("mcts:seed=3,solver=off")[0])
    session.begin()
    line = session.search(position, Limit(simulations=600)).pv
    for move in line[:2]:
        position.make(move)
    report = session.search(position, Limit(simulations=50))
    assert report.visits == 50 < sum(entry.visits for entry in report.visited)
    position.unmake()  # what was taken back came before the root
    assert sum(entry.visits for entry in session.search(position, Limit(simulations=50)).visited) <= 50


def test_memory_is_flat_over_a_long_game() -> None:
    position = play_moves("connect4")
    session = Session(registry.engine("mcts:memory=1MB,solver=off,seed=1")[0])
    session.begin()
    trims = 0
    for _ in range(30 if compiled() else 4):
        if position.outcome() is not None:
            break
        report = session.search(position, Limit(simulations=20_000 if compiled() else 60))
        assert 0 < report.fill <= 1
        trims += report.trims
        position.make(report.move)
    assert (trims > 0) == compiled()


@pytest.mark.parametrize("spec", ["threads=2", "threads=4,memory=1MB", "threads=3,rave=200,prior=hint"])
def test_threads_on_one_tree(spec: str) -> None:
    """They agree with one thread in clear cases, count their work, and leave the position unchanged."""
    count = 40_000 if compiled() else 400
    position = play_moves("connect4", "4", "1", "4", "1", "3", "1")
    before = (position.key(), position.turn)
    for seed in range(3 if compiled() else 1):
        report = search(position, f"{spec},seed={seed},solver=off", count)
        assert position.format(report.move) == "1"
        assert count <= report.visits <= count + 4
        assert sum(entry.visits for entry in report.visited) >= 0.5 * count
        assert (position.key(), position.turn) == before


@pytest.mark.skipif(not compiled(), reason="only quick enough when compiled")
def test_threads_prove_the_same() -> None:
    for seed in range(5):
        report = search(play_moves("tictactoe"), f"threads=3,seed={seed}", 10**6)
        assert (report.exact, report.value) == (True, 0)


def check_tree(session: Session, position: Any) -> int:
    """Check the nodes of a session's tree against the rules and their parents.

    A simulation that ends at a node, since it was a leaf then, visits no child.
    """
    arena = session._table.tree
    seen: set[int] = {0}

    def walk(node: int, visits: int) -> None:
        children = arena.children(node)
        if not children:
            return
        assert sorted(move for _, move, _ in children) == sorted(position.moves())
        below = 0
        for child, move, count in children:
            assert 0 < child < arena.node_count and child not in seen and count >= 0
            seen.add(child)
            below += count
            position.make(move)
            walk(child, count)
            position.unmake()
        assert visits < 0 or below <= visits

    walk(0, -1)
    return len(seen)


@pytest.mark.skipif(not compiled(), reason="only quick enough when compiled")
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_threads_hammer_a_tree_that_is_full(threads: int) -> None:
    """Trimmed often in a whole game: no node is lost, duplicated or miscounted; memory stays constant."""
    position = play_moves("connect4")
    session = Session(registry.engine(f"mcts:memory=1MB,solver=off,seed=1,threads={threads}")[0])
    session.begin()
    room = trims = kept = 0
    for _ in range(12):
        report = session.search(position, Limit(simulations=15_000))
        room = room or session._table.tree.capacity
        assert session._table.tree.capacity == room >= check_tree(session, position) > 1000
        assert all(-1 <= entry.value <= 1 for entry in report.visited)
        kept += sum(entry.visits for entry in report.visited) > report.visits
        trims += report.trims
        position.make(report.move)
        if position.outcome() is not None:
            break
    assert trims > 10 and kept


# -- the lecture ----------------------------------------------------------------------------------


def test_p_games_are_games_and_uct_errs_less_with_more_simulations() -> None:
    from gameplay.lessons import uct

    (curve,) = uct.curves(6 if compiled() else 2, (6,), 8)
    assert [count for count, _ in curve.errors] == [4, 16, 64, 256]
    assert curve.errors[-1][1] <= curve.errors[0][1]
    assert 2 <= curve.nodes < 2**7
    position = uct.PGame(3, 5)
    assert exact(position)[0] in (-1, 0, 1)
    for ply in range(5):  # MAX adds, MIN takes away, and the sign counts
        assert position.outcome() is None and position.turn == ply % 2
        position.make(ply % 2)
        added = position.sums[-1] - position.sums[-2]
        assert 0 < (added if ply % 2 == 0 else -added) <= 127
    assert position.outcome() == ((1, -1) if position.sums[-1] > 0 else (-1, 1))
    assert uct.PGame(3, 0).outcome() == (0, 0)
    numbers = set()
    for seed in range(2000):
        position = uct.PGame(seed, 1)
        position.make(0)
        numbers.add(position.sums[-1])
    assert numbers == set(range(128))


def test_nodes_of_a_p_game_have_distinct_keys() -> None:
    from gameplay.lessons import uct

    keys = []
    for seed in (1, 2):
        for way in product((0, 1), repeat=3):
            position = uct.PGame(seed, 3)
            keys.append(position.key())
            for move in way:
                position.make(move)
                keys.append(position.key())
    assert len(set(keys)) == 2 * (2**4 - 1)


def test_the_chain_has_its_reward_at_the_end_and_lures_away_from_it() -> None:
    from gameplay.lessons import uct

    position = uct.chain(4)
    assert exact(position) == (1,)
    assert position.format(search(position, "solver=off,c=1.41", 16).move) == "stop"
    position.make(position.parse("stop"))
    assert position.outcome() == (0.75,)
