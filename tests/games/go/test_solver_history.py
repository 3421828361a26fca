"""The Go solver with superko histories, against exhaustive search without table or pruning."""

import random

import pytest

from gameplay.games.go.solver import GoSolver
from gameplay.kernel import compiled
from tests.games.go.test_solver import Rules

WORK = 500  # positions that a full search of one question may visit


class SearchTooLarge(Exception):
    """A full search visited more than WORK positions."""


class Lines:
    """The lead that Black can force under positional superko, by exhaustive search."""

    def __init__(self, rules, work=WORK):
        self.rules, self.visited, self.work = rules, 0, work

    def value(self, board, side, passed, seen):
        """The value of a position; seen: its board and the earlier ones."""
        self.visited += 1
        if self.visited > self.work:
            raise SearchTooLarge
        other = "OX"[side == "O"]
        results = [self.rules.lead(board) if passed else self.value(board, other, True, seen)]
        for point, stone in enumerate(board):
            cells = None if stone else self.rules.put(board, point, side)
            if cells and cells[0] not in seen:
                results.append(self.value(cells[0], other, False, seen | {cells[0]}))
        return max(results) if side == "X" else min(results)


def legal_boards(rules, area):
    """All boards on which every stone has a liberty."""
    boards = [()]
    for _ in range(area):
        boards = [(*board, stone) for board in boards for stone in ("", "X", "O")]
    return [board for board in boards if all(not s or rules.free(board, p) for p, s in enumerate(board))]


def position_of_game(rules, rng, area):
    """A position of a random game under superko: board, side to move, a pass before, earlier boards."""
    board, side, passed, seen = ("",) * area, "X", False, [("",) * area]
    for _ in range(rng.randrange(3 * area)):
        moves = [rules.put(board, point, side) for point, stone in enumerate(board) if not stone]
        boards = [move[0] for move in moves if move and move[0] not in seen]
        side = "OX"[side == "O"]
        if not boards or (not passed and rng.random() < 0.2):
            if passed:
                continue
            passed = True
        else:
            board, passed = rng.choice(boards), False
            seen.append(board)
    return board, side, passed, seen[:-1] if seen[-1] == board else seen


def random_case(rules, rng, boards):
    """A random position with random earlier boards."""
    share = rng.random()
    past = [board for board in boards if rng.random() < share]
    return rng.choice(boards), rng.choice("XO"), rng.random() < 0.3, past


def rows_of(board, columns, rows):
    return [board[y * columns : (y + 1) * columns] for y in reversed(range(rows))]


def wrong_answers(columns, rows, count, seed, one_table):
    """The number of questions, and of wrong answers."""
    area, rng = columns * rows, random.Random(seed)
    rules = Rules(columns, rows)
    boards = legal_boards(rules, area)
    asked, wrong = 0, []
    kept = {}
    for number in range(count):
        state = random_case(rules, rng, boards) if number % 2 else position_of_game(rules, rng, area)
        board, side, passed, past = state
        try:
            lead = Lines(rules).value(board, side, passed, {*past, board})
        except SearchTooLarge:
            continue
        stones = rows_of(board, columns, rows)
        before = [rows_of(each, columns, rows) for each in past]
        for attacker in (0, 1):
            for margin in range(-area, area + 2):
                if one_table:
                    solver = kept.setdefault((attacker, margin), GoSolver(columns, rows, 8))
                else:
                    solver = GoSolver(columns, rows, 6)
                right = (-lead if attacker else lead) >= margin
                asked += 1
                proven = solver.proves(stones, "XO".index(side), attacker, margin, True, passed, 0, before)
                if proven is not right:
                    wrong.append((state, attacker, margin, proven))
    return asked, wrong


@pytest.mark.parametrize(
    ("columns", "rows", "count"), [(2, 1, 20), (3, 1, 20), (4, 1, 20), (2, 2, 24), (3, 2, 10)]
)
def test_solver_agrees_with_exhaustive_search_for_any_history(columns, rows, count):
    """Path-dependent results are not used for other histories: one table serves all positions."""
    asked, wrong = wrong_answers(columns, rows, count if compiled() else count // 3, 11, True)
    assert asked and not wrong
