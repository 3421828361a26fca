"""The judges of endgames, by game: values against independent ones, tasks and best defence."""

from random import Random

import pytest

from gameplay import registry
from gameplay import value as scale
from gameplay.errors import BadInput
from gameplay.games.go import endgames as go_endgames
from gameplay.games.othello import endgames as othello_endgames
from gameplay.kernel import compiled
from gameplay.position import CHANCE
from gameplay.training import endgames
from gameplay.training.endgames import BEST, DRAW, WIN
from gameplay.training.oracles import ORACLES, SOLVER_NODES, BearoffOracle, SolverOracle, TableOracle
from tests.support.endgame_tables import ANSWERS, CHECKERS, bearoff_tables, small_tables
from tests.support.paths import TESTS
from tests.support.searches import exact, successors

assert small_tables and bearoff_tables  # fixtures

CONNECT4, OTHELLO = registry.game("connect4"), registry.game("othello")
BACKGAMMON, GO = registry.game("backgammon"), registry.game(go_endgames.ENDGAMES.spec)
needs_build = pytest.mark.skipif(not compiled(), reason="takes minutes in pure Python")


@pytest.fixture(scope="module")
def oracles(small_tables, bearoff_tables):
    return {
        "checkers": TableOracle(CHECKERS, small_tables / "checkers"),
        "connect4": SolverOracle(CONNECT4, small_tables),
        "othello": SolverOracle(OTHELLO, small_tables),
        "backgammon": BearoffOracle(BACKGAMMON, bearoff_tables.path),
    }


# -- values -------------------------------------------------------------------------------------------


def test_every_king_against_a_king_of_checkers(oracles):
    """Counts of wins, draws and losses by a separate program, tests/answers/tables.toml."""
    counts, longest = {1: 0, 0: 0, -1: 0}, 0
    for white in range(1, 33):
        for black in {*range(1, 33)} - {white}:
            position = CHECKERS.new(f"B:WK{white}:BK{black}")
            if position.outcome() is not None:
                counts[endgames.result(position.outcome()[0])] += 1
                continue
            best = max(oracles["checkers"].values(position).values())
            counts[endgames.result(best)] += 1
            longest = max(longest, scale.plies(best) if best else 0)
    assert [counts[1], counts[0], counts[-1]] == ANSWERS["checkers"]["KvK"]
    assert 9 < longest <= ANSWERS["checkers"]["2"][3]  # of all endings of two pieces


@needs_build
def test_connect_four_agrees_with_published_scores(oracles):
    """P. Pons, http://blog.gamesolver.org: positions of many discs, with the score of the side to move."""
    lines = [line.split() for line in (TESTS / "answers" / "connect4.txt").read_text().splitlines()]
    late = [line for line in lines if len(line) == 2 and line[0].isdigit() and len(line[0]) >= 26][:25]
    assert late
    for moves, score in late:
        best = max(oracles["connect4"].values(CONNECT4.new(moves)).values())
        assert endgames.result(best) == endgames.result(int(score))


def test_othello_agrees_with_trying_everything(oracles):
    rng = Random(3)
    for _ in range(8 if compiled() else 2):
        position = OTHELLO.new(othello_endgames.random_position(6 if compiled() else 4, rng))
        if position.outcome() is not None:
            continue
        values, mover = oracles["othello"].values(position), position.turn
        for move in successors(position):
            assert values[move] == exact(position)[mover] * position.unit


# The probability that one checker on a point is borne off in one roll: 36, 34, 31, 27 of 36 rolls.
@needs_build
@pytest.mark.parametrize("point, dice, leaves, rolls", [(1, "21", 4, 34), (3, "31", 5, 31), (3, "32", 4, 34)])
def test_backgammon_agrees_with_counted_rolls(oracles, point, dice, leaves, rolls):
    """One checker each is left and the other side is on roll, on its 6 point: 27 rolls bear it off, and
    after the other 9 it is sure to go next time. So the mover wins 9/36 of the rolls that bear off theirs.
    """
    position = BACKGAMMON.new()
    position.lay_out([int(die in (point, 6)) for die in range(1, 7)], [0, 0, 0, 0, 0, 1])
    position.make(position.parse(dice))
    results = {}
    mover = position.turn
    for move, value in oracles["backgammon"].values(position).items():
        position.make(move)
        men = list(position.checkers(mover))[1:7]
        position.unmake()
        if sum(men) == 1:
            results[men.index(1) + 1] = value / position.unit
    assert results[leaves] == pytest.approx(2 * (9 / 36) * (rolls / 36) - 1, abs=1e-9)


# -- tasks --------------------------------------------------------------------------------------------


def draw_tasks(oracles, game, level, count):
    offered = endgames.endgames_of(game)
    endings = [ending for ending in offered.endings if ending.offered and ending.name != "bearoff-6"]
    tasks = endgames.generate_tasks(game, offered, endings, oracles[game.name], level, Random(level))
    return [task for _, task in zip(range(count), tasks, strict=False)]


@needs_build
@pytest.mark.parametrize("level", [1, 3])
@pytest.mark.parametrize("game", [CHECKERS, CONNECT4, OTHELLO, BACKGAMMON], ids=lambda game: game.name)
def test_positions_have_a_choice_that_matters(oracles, game, level):
    tasks = draw_tasks(oracles, game, level, 2)
    assert len(tasks) == 2 == len({game.new(task.start).diagram() for task in tasks})
    assert level < 3 or tasks == draw_tasks(oracles, game, level, 2), "equal seeds draw equal positions"
    for item in tasks:
        position = game.new(item.start)
        assert position.outcome() is None and position.turn != CHANCE
        values = oracles[game.name].values(position)
        assert set(values) == set(position.moves())
        keep = endgames.moves_keeping_result(position, values)
        assert 0 < len(keep) < len(values)
        assert item.goal == (BEST if position.chance else WIN if max(values.values()) > 0 else DRAW)
        for move, value in values.items():
            verdict = endgames.judge_move(position, values, move)
            assert verdict.keeps_result == (move in keep) and ("away" in verdict.text) <= (
                not verdict.keeps_result
            )
            if not position.chance:
                assert verdict.keeps_result == (
                    endgames.result(value) == endgames.result(max(values.values()))
                )
        assert item.ending.words in endgames.title(game, item)


@needs_build
@pytest.mark.parametrize("game", [CHECKERS, CONNECT4, OTHELLO], ids=lambda game: game.name)
def test_best_play_reaches_the_value_of_the_position(oracles, game):
    """The defender errs nowhere: the win takes exactly as long, or is exactly as large, as before."""
    oracle = oracles[game.name]
    for task in draw_tasks(oracles, game, 2, 5):
        if task.goal != WIN:
            continue
        position, rng, plies = game.new(task.start), Random(1), 0
        mover = position.turn
        while position.outcome() is None:
            values = oracle.values(position)
            if position.turn == mover:
                move = max(values, key=values.__getitem__)
            else:
                move = endgames.defence(position, oracle, rng)
                assert values[move] == max(values.values())
            position.make(move)
            plies += 1
        payoff = position.outcome()[mover]
        if position.scored:
            assert payoff * position.unit == task.value
        else:
            assert payoff > 0 and plies == scale.plies(task.value)


def test_unknown_positions_are_refused(oracles):
    assert oracles["backgammon"].values(BACKGAMMON.new()) == {}
    with pytest.raises(BadInput, match=r"the value of .* is unknown"):
        endgames.move_values(CHECKERS.new(), oracles["checkers"])
    assert set(ORACLES) == {"tables", "solver", "game solver", "bearoff"}
    assert endgames.best_move(GO.new(), {0: 5, 12: 5, 13: 4}, "pass") == 0


def test_verdicts_of_points_and_of_equity():
    position = OTHELLO.new()
    first, second, third, fourth = position.moves()
    values = {first: 1000, second: 400, third: 0, fourth: -200}
    words = [endgames.judge_move(position, values, move).text for move in values]
    best = position.format(first)
    assert words == [
        "keeps the win: win by 10, the best",
        "keeps the win: win by 4, best was 10",
        f"throws the win away: draw; {best} wins by 10",
        f"throws the win away: loss by 2; {best} wins by 10",
    ]
    rolled = BACKGAMMON.new()
    rolled.make(rolled.moves()[0])
    first, second, third = list(rolled.moves())[:3]
    values = {first: 250.0, second: 245.0, third: -100.0}
    results = [endgames.judge_move(rolled, values, move) for move in values]
    assert [result.keeps_result for result in results] == [True, True, False]
    assert results[0].text == "the best: equity +0.250"
    assert results[2].text == f"loses 0.350 of equity: -0.100; {rolled.format(first)} has +0.250"


# -- Go -----------------------------------------------------------------------------------------------


class OutOfNodesError(Exception):
    """The search exceeded its node budget."""


def reaches(position, player, points, nodes):
    """True if a player can force a number of points, by exhaustive search; `nodes`: the budget."""
    payoffs = position.outcome()
    if payoffs is not None:
        return payoffs[player] >= points
    nodes[0] -= 1
    if nodes[0] < 0:
        raise OutOfNodesError
    hints, own = position.hints(), position.turn == player
    for word in sorted(hints, key=lambda word: (word != "pass", -hints[word])):
        position.make(position.parse(word))
        try:
            outcome = reaches(position, player, points, nodes)
        finally:
            position.unmake()
        if outcome == own:
            return own
    return not own


def is_forced(position, value, nodes=3000):
    """True if the mover can force a value in points; None if that takes more nodes."""
    left = [nodes]
    try:
        return reaches(position, position.turn, value, left) and not reaches(
            position, position.turn, value + 1, left
        )
    except OutOfNodesError:
        return None


def test_shipped_endgames_of_go_agree_with_trying_everything():
    """Positions of the file with few enough lines."""
    few = [exercise for exercise in go_endgames.exercises() if exercise[3].split()[0].count(".") <= 5]
    results = [is_forced(GO.new(text), points, 400) for _, _, points, text in few if points in (0.5, 3.5)]
    assert results.count(True) >= 1 and False not in results


@needs_build
def test_the_solver_of_go_agrees_with_trying_everything():
    """Shipped positions after 12 random moves, own eyes excluded, with few enough lines."""
    oracle, rng, count = ORACLES["game solver"](GO, TESTS), Random(0), 0
    for _, _, _, text in rng.sample(go_endgames.exercises(), 60):
        position = GO.new(text)
        for _ in range(12):
            hints = position.hints() if position.outcome() is None else {}
            words = [word for word, hint in hints.items() if hint > -30 and word != "pass"]
            if words:
                position.make(position.parse(rng.choice(words)))
        values = oracle.values(position)
        right = is_forced(position, max(values.values()) / position.unit, 1000) if values else None
        assert right is not False
        count += right is True
    assert count >= 5


@needs_build
def test_shipped_endgames_of_go_are_of_their_level_and_value():
    oracle = ORACLES["game solver"](GO, TESTS)
    offered = go_endgames.ENDGAMES
    for name, level, points, text in go_endgames.exercises()[::12]:
        (ending,) = endgames.select_endings(offered, [name])
        task = endgames.make_task(GO, offered, ending, oracle, text, level)
        assert task is not None and task.value == points * GO.new().unit
        values = oracle.values(GO.new(text))
        assert values[0] < 0 < max(values.values())  # passing does not win
    lines = [GO.new(text).diagram() for *_, text in go_endgames.exercises()]
    assert len(set(lines)) == len(lines) > 70


@needs_build
def test_moves_of_go_are_judged_and_answered_within_a_number_of_nodes():
    oracle, rng = ORACLES["game solver"](GO, TESTS), Random(2)
    position = GO.new(go_endgames.random_position("life", rng))
    mover = position.turn
    while position.outcome() is None:
        before = oracle.solver.nodes
        values = oracle.values(position)
        assert values and oracle.solver.nodes - before < SOLVER_NODES
        if position.turn == mover:
            position.make(endgames.best_move(position, values, "pass"))
        else:
            position.make(endgames.defence(position, oracle, rng, "pass"))
    assert position.outcome()[mover] > 0
