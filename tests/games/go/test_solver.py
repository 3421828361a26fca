"""The Go solver: published values, and safe points against exhaustive play."""

import itertools
import random
import tomllib

import pytest

from gameplay.errors import Usage
from gameplay.games.go.solver import GoSolver
from gameplay.kernel import compiled
from gameplay.registry import engine, game
from gameplay.search.limit import Limit
from tests.support.paths import TESTS

PROOFS = tomllib.loads((TESTS / "answers" / "go.toml").read_text())["proof"]
SMALL = 10  # points that the uncompiled search takes a second for


def empty(columns, rows):
    return [[""] * columns for _ in range(rows)]


@pytest.mark.parametrize("each", PROOFS, ids=[each["game"] for each in PROOFS])
def test_black_forces_the_published_value_and_no_more(each):
    position = game(each["game"]).new()
    if not compiled() and position.area > SMALL:
        return
    stones, superko = position.stones(), each.get("superko", False)
    solver = GoSolver(position.columns, position.rows, 18)
    assert solver.proves(stones, 0, 0, each["margin"], superko) is True
    if each["margin"] < position.area:
        assert solver.proves(stones, 0, 0, each["margin"] + 1, superko) is False


def test_both_builds_visit_the_same_positions():
    solver = GoSolver(3, 3, 12)
    assert solver.proves(empty(3, 3), 0, 0, 9)
    assert solver.nodes == 84
    solver = GoSolver(6, 1, 12)
    assert solver.proves(empty(6, 1), 0, 0, 1, True) and not solver.proves(empty(6, 1), 0, 0, 2, True)
    assert solver.nodes == 412


def test_solver_visits_of_random_positions_equal_the_stored_ones():
    """Negative if nothing is forced. The table is small, to test replacement."""
    rng, counts = random.Random(7), []
    for columns, rows, most in ((3, 3, 4), (4, 2, 4), (5, 1, 2), (2, 4, 3)):
        for number in range(8):
            position = game(f"go:columns={columns},rows={rows},komi=0,goal=points").new()
            for _ in range(rng.randrange(1, most)):
                position.make(rng.choice([move for move in position.moves() if move]))
            solver = GoSolver(columns, rows, 6)
            margin = (1, columns * rows, -2, 3)[number % 4]
            proven = solver.proves(position.stones(), position.turn, number // 2 % 2, margin, number % 3 == 2)
            counts.append(solver.nodes if proven else -solver.nodes)
    assert counts == VISITS


VISITS = [
    *(25, -45, 1401, 71, 75, -71, -71, 71, 6, -31, -15, -13, 99, -204, -9, 2),
    *(-21, -5, 5, 25, -5, -28, 5, -23, 9, 109, 185, -9, 29, 108, -10, -4),
]


@pytest.mark.parametrize(("side", "stone"), [(0, "O"), (1, "X")])
def test_margins_below_zero(side, stone):
    """A side without points trails by the whole area, not by one less."""
    rows = [[stone, stone, stone], [stone, "", stone], ["", stone, stone]]  # two eyes
    solver = GoSolver(3, 3)
    assert solver.proves(rows, side, side, -9) is True
    assert solver.proves(rows, side, side, -8) is False and solver.nodes == 0


class Rules:
    """A plain implementation of Go on a small board; boards are tuples, points are numbers."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.beside = []
        for y, x in itertools.product(range(rows), range(columns)):
            around = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
            self.beside.append([b * columns + a for a, b in around if 0 <= a < columns and 0 <= b < rows])

    def connected(self, board, point):
        """The chain or region of a point, and its neighbours."""
        stones, waiting = {point}, [point]
        around = set()
        while waiting:
            for other in self.beside[waiting.pop()]:
                if board[other] != board[point]:
                    around.add(other)
                elif other not in stones:
                    stones.add(other)
                    waiting.append(other)
        return stones, around

    def free(self, board, point):
        return any(not board[other] for other in self.connected(board, point)[1])

    def put(self, board, point, side):
        """The board after a move, and the ko point; None: suicide."""
        after = list(board)
        after[point] = side
        taken = set()
        for other in self.beside[point]:
            if after[other] == "OX"[side == "O"] and not self.free(after, other):
                taken |= self.connected(after, other)[0]
        for other in taken:
            after[other] = ""
        if not self.free(after, point):
            return None
        chain, around = self.connected(after, point)
        alone = len(taken) == len(chain) == 1 and not any(not after[p] for p in around - taken)
        return tuple(after), next(iter(taken)) if alone else None

    def lead(self, board):
        """Black's area less White's."""
        total = 0
        for point, stone in enumerate(board):
            owners = {stone} if stone else {board[p] for p in self.connected(board, point)[1]}
            total += (owners == {"X"}) - (owners == {"O"})
        return total

    def after(self, state):
        """The successors of a state: board, side to move, ko, whether the last move was a pass."""
        board, side, ko, passed = state
        other = "OX"[side == "O"]
        results = [] if passed else [(board, other, None, True)]
        for point, stone in enumerate(board):
            cells = None if stone or point == ko else self.put(board, point, side)
            if cells:
                results.append((cells[0], other, cells[1], False))
        return results


@pytest.mark.parametrize(("columns", "rows"), [(2, 2), (4, 1), (3, 2)])
def test_solver_agrees_with_forced_results_on_all_positions(columns, rows):
    """The positions from which a side can force a margin, as a least fixed point."""
    if not compiled() and columns * rows > 4:
        return
    rules = Rules(columns, rows)
    start = (("",) * (columns * rows), "X", None, False)
    leads, waiting = {start: rules.after(start)}, [start]
    while waiting:
        for state in leads[waiting.pop()]:
            if state not in leads:
                leads[state] = rules.after(state)
                waiting.append(state)
    areas = {state: rules.lead(state[0]) for state in leads}
    for attacker, margin in itertools.product((0, 1), (1, 2, columns * rows)):
        side, won, before = "XO"[attacker], set(), -1
        ended = {
            state
            for state in leads
            if state[3] and (areas[state] >= margin if side == "X" else -areas[state] >= margin)
        }
        while len(won) > before:
            before = len(won)
            for state, following in leads.items():
                good = [after in won for after in following]
                if state[1] == side:
                    yes = any(good) or state in ended
                else:
                    # A second pass is theirs too.
                    yes = all(good) and (not state[3] or state in ended)
                if yes:
                    won.add(state)
        assert before or margin > 2
        solver = GoSolver(columns, rows, 14)
        for state in leads:
            board, turn, ko, passed = state
            if ko is None and not passed:
                stones = [board[y * columns : (y + 1) * columns] for y in reversed(range(rows))]
                proven = solver.proves(stones, "XO".index(turn), attacker, margin)
                assert proven == (state in won), (state, side, margin)


@pytest.mark.parametrize("side", [0, 1])
def test_without_superko_results_by_repetition_are_not_proved(side):
    """On 2x2 both sides can capture for ever."""
    assert GoSolver(2, 2).proves(empty(2, 2), 0, side, 1) is False


def test_answers_are_invariant_under_symmetry_and_colours():
    rng = random.Random(3)
    for _ in range(10 if compiled() else 2):
        rows = [[rng.choice(["", "", "X", "O"]) for _ in range(3)] for _ in range(3)]
        try:
            game("go:size=3").new("/".join("".join(s or "." for s in row) for row in rows) + " black")
        except Exception:
            continue
        turned = [list(row) for row in zip(*rows[::-1], strict=True)]
        other = [[{"X": "O", "O": "X"}.get(stone, "") for stone in row] for row in rows]
        for margin in (1, 5, 9):
            proven = GoSolver(3, 3).proves(rows, 0, 0, margin)
            assert GoSolver(3, 3).proves(turned, 0, 0, margin) == proven
            assert GoSolver(3, 3).proves(other, 1, 1, margin) == proven


def positions(columns, rows, count, seed):
    """Positions of random games, each with its stones."""
    rng = random.Random(seed)
    while count:
        position = game(f"go:columns={columns},rows={rows},komi=0,goal=points,ko=simple").new()
        for _ in range(rng.randrange(5, 3 * columns * rows)):
            # Eyes are left alone, so that stones live.
            hints = position.hints()
            moves = [move for move in position.moves() if move and hints[position.format(move)] > -30]
            if not moves or position.outcome() is not None:
                break
            position.make(rng.choice(moves))
        if position.outcome() is None:
            count -= 1
            yield position


def is_capturable(position, side, stones):
    """True if the other side can capture one of these stones while `side` always passes."""
    seen, waiting = set(), [position.stones()]
    while waiting:
        board = waiting.pop()
        if board in seen:
            continue
        seen.add(board)
        text = "/".join("".join(stone or "." for stone in row) for row in board)
        rules = f"go:columns={position.columns},rows={position.rows},ko=simple"
        after = game(rules).new(f"{text} {('white', 'black')[side]}")
        for move in after.moves():
            after.make(move)
            now = after.stones()
            after.unmake()
            if any(not now[y][x] for x, y in stones):
                return True
            waiting.append(now)
    return False


def test_unconditionally_alive_stones_cannot_be_captured_and_others_can():
    """Benson's theorem and its converse: no other stones are unconditionally alive."""
    alive = dead = 0
    for position in positions(3, 3, 60 if compiled() else 6, 5):
        solver = GoSolver(3, 3)
        for side in (0, 1):
            living, _ = solver.safe_points(position.stones(), side)
            rows = position.stones()
            own = {(x, y) for x in range(3) for y in range(3) if rows[y][x] == "XO"[side]}
            assert living <= own
            if living:
                alive += 1
                assert not is_capturable(position, side, living)
            if own - living:
                dead += 1
                assert is_capturable(position, side, own - living)
    assert alive and dead


@pytest.mark.parametrize(
    ("below", "kept"),
    [
        (["...XX", "...XX"], True),  # a1 and b1 are not beside a stone: nobody has two eyes there
        (["O.OXX", "O..XX"], True),
        (["...XX", "OO.XX"], False),  # filled: what took them would leave room
        (["....X", "....X"], False),  # a1, b1, c1
        ([".X..X", "....X"], False),  # a1 and c1, apart
        (["..XXX", "..XXX"], True),  # a1 alone
        (["OXOXO", ".X.X."], True),  # none
    ],
)
def test_region_is_safe_where_few_points_do_not_touch_living_stones(below, kept):
    """Two eyes at the top, b2 and d2 counted from the top; points are (x, y) from the top left."""
    stones = [["" if stone == "." else stone for stone in row] for row in ["XXXXX", "X.X.X", "XXXXX", *below]]
    own = {(x, y) for x in range(5) for y in range(5) if stones[y][x] == "X"}
    living, safe = GoSolver(5, 5).safe_points(stones, 0)
    assert living == own
    points = {(x, y) for x in range(5) for y in range(5)}
    assert safe == (points if kept else own | {(1, 1), (3, 1)})


def test_safe_points_survive_play_without_knowledge():
    """By full search from positions with few moves left: the margin is not lower."""
    checked = 0
    for position in positions(4, 3, 40 if compiled() else 3, 9):
        side = 1 - position.turn
        _, safe = GoSolver(4, 3).safe_points(position.stones(), side)
        least = 2 * len(safe) - position.area
        if least <= 0:
            continue
        checked += 1
        for depth in range(2, 21):  # beyond it all is level, so that what is seen is certain
            report = engine("iterative:eval=none,table=16MB")[0].search(position, Limit(depth=depth))
            if -report.value >= least * position.unit:
                break
        else:
            pytest.fail(f"{position.text()}: {least} points")
    assert checked


@pytest.mark.skipif(not compiled(), reason="2 GB of a list")
def test_solver_table_may_exceed_32_bit_sizes():
    assert GoSolver(3, 3, 27).table.nbytes == 2**31
    assert engine("pns:table=2GB")[0].search(game("tictactoe").new(""), Limit(nodes=10)).memory == 2**31


def test_solver_refuses_large_boards_and_can_be_stopped():
    with pytest.raises(Usage, match="boards are solved up to 25 points, not 6x5"):
        GoSolver(6, 5)
    solver = GoSolver(3, 3)
    solver.stopped = True
    assert solver.proves(empty(3, 3), 0, 0, 9) is None
    solver.stopped = False
    assert solver.proves(empty(3, 3), 0, 0, 9) is True
