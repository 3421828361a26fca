"""Chinese checkers: moves against an independent program, end of the game, notation, drawing."""

import random
import re
from collections import Counter
from itertools import pairwise

import pytest

from gameplay.display.board import drawing as boards
from gameplay.display.board import pointing
from gameplay.display.terminal.line import board_text
from gameplay.display.terminal.screen import Screen
from gameplay.display.theme import Theme
from gameplay.errors import BadInput, IllegalMove
from gameplay.games.chinese_checkers import board as star
from gameplay.kernel import compiled
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.registry import engine, game
from tests.support.golden import golden

SEATS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
WAYS = [(1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1)]

# Holes as three numbers whose sum is 0: two overlapping triangles make the star.
STAR = {
    (x, y, -x - y)
    for x in range(-8, 9)
    for y in range(-8, 9)
    if min(x, y, -x - y) >= -4 or max(x, y, -x - y) <= 4
}


def corner(number):
    """The ten holes of a corner, clockwise from the bottom."""
    axis, sign = ((1, 1), (0, -1), (2, 1), (1, -1), (0, 1), (2, -1))[number]
    return {hole for hole in STAR if sign * hole[axis] > 4}


def name(hole):
    x, y, z = hole
    return "abcdefghijklmnopqrstuvwxy"[12 + x - z] + str(9 - y)


def plus(first, second):
    return tuple(a + b for a, b in zip(first, second, strict=True))


class Oracle:
    """The rules, implemented with sets of holes."""

    def __init__(self, players):
        self.homes = [corner(seat) for seat in SEATS[players]]
        self.goals = [corner((seat + 3) % 6) for seat in SEATS[players]]
        self.pegs = [frozenset(home) for home in self.homes]
        self.turn = 0

    def moves(self):
        full = frozenset().union(*self.pegs)
        goal = self.goals[self.turn]
        results = set()
        for peg in self.pegs[self.turn]:
            rest = full - {peg}
            ends = {plus(peg, way) for way in WAYS} - full
            seen, edge = {peg}, {peg}
            while edge:
                edge = {
                    plus(plus(at, way), way)
                    for at in edge
                    for way in WAYS
                    if plus(at, way) in rest and plus(plus(at, way), way) not in rest
                }
                edge = (edge & STAR) - seen
                seen |= edge
            ends = ((ends & STAR) | seen) - {peg}
            results |= {(peg, end) for end in ends if peg not in goal or end in goal}
        return results

    def after(self, move):
        other = Oracle.__new__(Oracle)
        other.homes, other.goals = self.homes, self.goals
        other.pegs = list(self.pegs)
        if move:
            other.pegs[self.turn] = self.pegs[self.turn] - {move[0]} | {move[1]}
        other.turn = (self.turn + 1) % len(self.pegs)
        return other

    def perft(self, depth):
        moves = self.moves() or {None}
        return len(moves) if depth == 1 else sum(self.after(move).perft(depth - 1) for move in moves)

    def won(self):
        """The player whose goal is full, with at least one own peg."""
        full = frozenset().union(*self.pegs)
        return [p for p, goal in enumerate(self.goals) if goal <= full and goal & self.pegs[p]]


def new(text=None, **parameters):
    spec = ",".join(f"{key}={value}" for key, value in parameters.items())
    return game(f"chinese-checkers:{spec}" if spec else "chinese-checkers").new(text)


def full(number):
    return sorted(name(hole) for hole in corner(number))


def test_the_star_has_121_holes():
    assert len(STAR) == 121
    assert {boards.Board.cell_name(new().board(), cell) for cell in new().board().places()} == set(
        map(name, STAR)
    )


@pytest.mark.parametrize("players", SEATS)
def test_perft_equals_the_oracle(players):
    depth = 3 if compiled() else 2
    assert new(players=players).perft(1) == 14, "eight steps of the front row, six hops over it"
    assert new(players=players).perft(depth) == Oracle(players).perft(depth)


@pytest.mark.parametrize("players", SEATS)
def test_whole_games_have_the_moves_of_the_oracle(players):
    rng = random.Random(players)
    position, oracle = new(players=players, rounds=60 if compiled() else 15), Oracle(players)
    while position.outcome() is None:
        words = {position.format(move): move for move in position.moves()}
        theirs = {f"{name(start)}-{name(end)}": (start, end) for start, end in oracle.moves()}
        assert set(words) == (set(theirs) or {"pass"})
        assert not oracle.won()
        word = rng.choice(sorted(words)[:: rng.choice((1, 1, -1))])
        position.make(words[word])
        oracle = oracle.after(theirs.get(word))
    assert bool(oracle.won()) == position.ending().endswith("corner is full")


def test_longest_advances_are_listed_first():
    position = new("l4-m5 l14-m13 n4-l6 n14-l12")
    steps = [int(position.board().notes[0].split()[2])]
    gained = []
    for move in position.moves():
        position.make(move)
        gained.append(steps[0] - int(position.board().notes[0].split()[2]))
        position.unmake()
    assert gained == sorted(gained, reverse=True) and gained[0] > 0 > gained[-1]


def test_filling_the_corner_wins():
    goal = [word for word in full(3) if word != "j14"]
    position = new(f"{','.join([*goal, 'i13'])}/{','.join(full(1))} 0")
    assert position.outcome() is None
    position.make(position.parse("i13-j14"))
    assert position.outcome() == (1, -1) and position.ending() == "blue's corner is full"
    position.unmake()
    assert position.outcome() is None


def test_a_position_with_a_full_corner_is_over_if_it_is_the_goal():
    """Blue goes from corner 0, at the top, to 3; red goes the other way."""
    rest = ",".join(["e9", "g9", "i9", "k9", "m9", "o9", "q9", "s9", "u9", "i11"])
    for number in range(6):
        corner = ",".join(full(number))
        assert new(f"{corner}/{rest} 0").outcome() == ((1, -1) if number == 3 else None)
        assert new(f"{rest}/{corner} 0").outcome() == ((-1, 1) if number == 0 else None)


def test_pegs_left_at_home_do_not_block_the_corner():
    home = full(3)
    almost = [word for word in home if word not in home[5:] and word != "j14"]
    position = new(
        f"{','.join([*almost, 'i13', 'g9', 'i9', 'k9', 'm9', 'o9'])}/"
        f"{','.join([*home[5:], 'a5', 'c5', 'e5', 'g5', 'i5'])} 0"
    )
    position.make(position.parse("i13-j14"))
    assert position.outcome() == (1, -1)


def test_corner_full_of_opposing_pegs_does_not_win():
    assert new().outcome() is None
    position = new(players=6)
    position.make(position.moves()[0])
    assert position.outcome() is None


def test_a_peg_in_its_goal_moves_within_it():
    blue = "j14,l2,n2,k3,m3,o3,j4,l4,n4,p4"
    position = new(f"{blue}/{','.join(['e9', 'g9', 'i9', 'k9', 'm9', 'o9', 'q9', 's9', 'u9', 'i13'])} 0")
    ends = {position.format(move) for move in position.moves() if position.format(move).startswith("j14-")}
    assert ends == {"j14-k15", "j14-l14"}


def test_players_are_ranked_by_remaining_steps_at_the_limit():
    position = new(players=3, rounds=2)
    for word in ("j4-i5", "d10-f10", "v10-t10", "k3-m5", "c11-g11", "u11-t10"):
        assert position.outcome() is None
        position.make(position.parse(word) if word != "u11-t10" else position.moves()[-1])
    steps = [int(position.board().notes[p].split()[2]) for p in range(3)]
    places = [sum((other > mine) - (other < mine) for other in steps) for mine in steps]
    assert position.outcome() == tuple(places) and sum(places) == 0
    assert position.ending() == "2 rounds are over"


def test_player_without_moves_passes():
    wall = "h6,j6,l6,n6,p6,r6,i5,k5,m5,o5"
    rest = "q5,v10,u11,w11,t12,v12,x12,s13,u13,w13"
    position = new(f"{','.join(full(0))}/{wall}/{rest} 0", players=3)
    assert [position.format(move) for move in position.moves()] == ["pass"]
    assert position.parse("pass") == position.moves()[0]
    with pytest.raises(IllegalMove) as error:
        position.parse("m1")
    assert (
        str(error.value)
        == "'m1' is not a move; a move is two holes, such as j4-i5; here only pass is possible"
    )
    before = position.key()
    position.make(position.moves()[0])
    assert position.turn == 1 and position.board(last=1 << 14).last == ()
    position.unmake()
    assert position.key() == before


@pytest.mark.parametrize("players", SEATS)
def test_guesses_sum_to_zero_within_the_payoffs(players):
    rng = random.Random(0)
    position = new(players=players)
    for _ in range(120):
        if position.outcome() is not None:
            break
        position.make(rng.choice(position.moves()[:9]))
        guesses = [position.evaluate_for(p) for p in range(players)]
        assert sum(guesses) == 0
        again = new(position.text(), players=players)
        assert again.key() == position.key() and again.evaluate() == position.evaluate()
        if players > 2:
            assert max(map(abs, guesses)) < (players - 1) * position.unit
            steps = [int(position.board().notes[p].split()[2]) for p in range(players)]
            assert position.evaluations["steps"].evaluate_for(position, steps.index(min(steps))) >= 0
    assert position.evaluations["none"].evaluate_for(position, 0) == 0


def test_wrong_move_lists_at_most_twelve_targets():
    moves = {(0, hole): hole for hole in range(50, 63)}
    with pytest.raises(IllegalMove) as error:
        star.parse(f"{star.NAMES[0]}-{star.NAMES[9]}", moves, [1] + [0] * 120, 0, "blue")
    assert str(error.value).endswith(f"(it can move to {', '.join(star.NAMES[50:62])})")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("m1,l2/m17 0", "blue must have 10 pegs, not 2"),
        (f"{','.join(full(0))} 0", "is not a move; a move is two holes"),
        (f"{','.join(full(0))}/{','.join(full(3))}/{','.join(full(1))} 0", "the holes of 2 players"),
        (f"{','.join(full(0))}/{','.join(full(0))} 0", "is given twice"),
        *(
            (f"{','.join(full(0))}/{','.join(full(3))}{ply}", "the number of moves made")
            for ply in ("", " -1", " x", " 1234567", " 1/2")
        ),
        (f"{','.join(full(0))}/{','.join(full(3))} 401", "the game ends after 400 moves, not 401"),
        (f"{','.join(full(0))[:-2]}z1/{','.join(full(3))} 0", "'z1' is not a hole"),
    ],
)
def test_wrong_positions_are_refused(text, message):
    with pytest.raises((BadInput, IllegalMove)) as error:
        new(text)
    assert message in str(error.value)


@pytest.mark.parametrize("spec", ["players=1", "players=5", "players=7", "rounds=0"])
def test_wrong_parameters_are_refused(spec):
    with pytest.raises(BadInput, match=r"2, 3, 4 or 6 players|1 to 10000"):
        game(f"chinese-checkers:{spec}").new()


def test_moves_may_name_intermediate_holes():
    position = new("l4-m5 l14-m13 n4-l6 n14-l12")
    chains = [move for move in position.moves() if len(position.board().paths[move]) > 1]
    assert chains
    for move in chains:
        board = position.board()
        whole = [board.cell_name(cell) for cell in board.paths[move]]
        start = position.format(move).split("-")[0]
        assert position.parse(" ".join([start, *whole])) == move
        position.make(move)
        seen = [position.board(last=move).cell_name(cell) for cell in position.board(last=move).last]
        position.unmake()
        assert seen == [start, *whole], "the way of the last move is shown"


@pytest.mark.parametrize("players", SEATS)
def test_reported_paths_are_one_step_or_hops(players):
    """Each path follows the rules, and each reachable hole has one."""
    position, rng = new(players=players), random.Random(players)
    by_name = {name(hole): hole for hole in STAR}
    for _ in range(60):
        if position.outcome() is not None:
            break
        board = position.board()
        taken = {by_name[board.cell_name(cell)] for cell in board.places() if board.piece(cell)}
        for move in position.moves():
            words = position.format(move).split("-")
            if len(words) < 2:
                continue
            start, end = (by_name[word] for word in words)
            way = [start, *(by_name[board.cell_name(cell)] for cell in board.paths[move])]
            assert way[-1] == end and not (taken - {start}) & set(way)
            steps = [
                tuple(b - a for a, b in zip(first, second, strict=True)) for first, second in pairwise(way)
            ]
            if steps[0] in WAYS:
                assert len(steps) == 1
                continue
            for at, (x, y, z) in zip(way, steps, strict=False):
                half = (x // 2, y // 2, z // 2)
                assert half in WAYS and plus(half, half) == (x, y, z)
                assert plus(at, half) in taken - {start}
            assert len(set(way)) == len(way)
        position.make(rng.choice(position.moves()))


@pytest.mark.parametrize("players", SEATS)
def test_evaluations_and_move_order_follow_the_remaining_distance(players):
    rng = random.Random(players)
    position, oracle = new(players=players), Oracle(players)
    tips = [max(goal, key=lambda hole: max(map(abs, hole))) for goal in oracle.goals]
    evaluations = position.evaluations

    def steps(player, hole):
        return max(abs(a - b) for a, b in zip(tips[player], hole, strict=True))

    def weighted_distance(player, hole):
        left = steps(player, hole)
        beside = star.path_offsets((SEATS[players][player] + 3) % 6)[star.hole(name(hole))]
        return 10 * left + 8 * left * (left + 1) // 32 + 2 * beside

    for number in range(30):
        tenths = [10 * sum(steps(p, peg) for peg in pegs) for p, pegs in enumerate(oracle.pegs)]
        travel = [
            sum(weighted_distance(p, peg) for peg in oracle.pegs[p])
            - sum(weighted_distance(p, hole) for hole in oracle.goals[p])
            for p in range(players)
        ]
        nearest = 10 * sum(steps(0, hole) for hole in oracle.goals[0])
        for way, left in (("travel", travel), ("steps", [tenth - nearest for tenth in tenths])):
            position.evaluation = evaluations[way]
            for player in range(players):
                leads = [other - left[player] for p, other in enumerate(left) if p != player]
                shares = [
                    (abs(lead) * position.unit // (abs(lead) + 150)) * (1 if lead > 0 else -1)
                    for lead in leads
                ]
                worth = leads[0] if players == 2 else sum(shares)
                assert position.evaluate_for(player) == worth, (way, position.text())
        there = {
            f"{name(a)}-{name(b)}": steps(oracle.turn, a) - steps(oracle.turn, b) for a, b in oracle.moves()
        }
        words = [position.format(move) for move in position.moves()]
        gains = [there[word] for word in words]
        assert gains == sorted(gains, reverse=True)
        word = rng.choice(words[: 1 + len(words) // (1 + number % 3)])
        chosen = next(move for move in oracle.moves() if f"{name(move[0])}-{name(move[1])}" == word)
        position.make(position.parse(word))
        oracle = oracle.after(chosen)


def test_distance_of_a_hole_from_the_axis():
    """On the axis two of the three coordinates are equal: their difference is twice the distance from it."""
    for number in range(6):
        axis = next(
            iter(axis for axis in range(3) if {abs(hole[axis]) for hole in corner(number)} == {5, 6, 7, 8})
        )
        first, second = (i for i in range(3) if i != axis)
        for hole in STAR:
            far = star.path_offsets(number)[star.hole(name(hole))]
            assert far == (0 if hole in corner(number) else abs(hole[first] - hole[second])), (number, hole)


@pytest.mark.parametrize("players", [2, 3, 6])
def test_playouts_move_forward_seven_times_out_of_eight(players):
    position, rng = new(players=players, rounds=13), random.Random(players)
    for _ in range(12 * players):
        position.make(rng.choice(position.moves()))
    forward = 0
    for at in range(players):
        far = star.tip_distances((SEATS[players][at] + 3) % 6)
        gains = {move: far[move >> 7] - far[move & 127] for move in position.moves()}
        assert position.turn == at and min(gains.values()) <= 0 < max(gains.values())
        seen = [position.rollout(seed)[0][0] for seed in range(60 // players)]
        forward += sum(gains[move] > 0 for move in seen)
        position.make(seen[0])
    assert 45 <= forward < 60


def test_names_of_the_game():
    assert game("chinese-checkers").name == game("ChineseCheckers").name == "chinese-checkers"
    assert game("chinese_checkers:players=4").spec == "chinese-checkers:players=4"


def test_rows_are_shifted_by_half_a_cell():
    board = new(players=6).board()
    for scale, theme in ((0, Theme(False, True, False)), (1, Theme(False, False, False))):
        wide, high = boards.size(board, scale, theme)
        drawn = boards.draw(board, theme, scale).plain.split("\n")
        assert len(drawn) == high and max(map(len, drawn)) <= wide
        row = drawn[1 + 4]
        gap = 2 if scale == 0 else 4
        assert [row.index("G") + gap * i for i in range(4)] == [
            at for at, sign in enumerate(row) if sign == "G"
        ]
        assert drawn[1 + 4].index("G") + gap // 2 == drawn[1 + 5].index("G")
    assert boards.size(board, 0, theme) == (30, 18), "beside the panel on 80 columns"
    assert boards.flip_board(boards.flip_board(board)) == board
    assert board_text(board).count("P") == 10


def test_the_cursor_goes_to_the_nearest_peg_on_a_side():
    board = new().board()
    cell = board.find
    assert pointing.next_cell(board, cell("j4"), 0, 1) == cell("l4")
    assert pointing.next_cell(board, cell("j4"), 1, 0) == cell("k3")
    assert pointing.next_cell(board, cell("k3"), -1, 0) in (cell("j4"), cell("l4"))
    assert pointing.next_cell(board, cell("p4"), 0, 1) == cell("p4")


def test_playouts_reach_the_goal():
    """Uniformly random moves would take until the limit: 200 rounds, 400 moves."""
    searcher, limit = engine("mcts:sims=8,seed=1")
    report = searcher.search(new(), limit)
    assert report.visits == 8 and report.nodes < 8 * 250


def test_depth_first_engines_agree():
    position = new("l4-m5 l14-m13 n4-l6 n14-l12")
    engines = [engine(f"{spec}:depth=2") for spec in ("minimax", "alphabeta", "iterative")]
    reports = [engine.search(position, limit) for engine, limit in engines]
    assert len({report.value for report in reports}) == 1
    assert reports[2].nodes < reports[0].nodes


@pytest.mark.parametrize(
    ("variant", "theme", "width", "height"),
    [
        ("colour", Theme(True, True, False, depth="256"), 80, 24),
        ("plain", Theme(False, True, False), 80, 24),
        ("narrow_ascii", Theme(False, False, False), 40, 24),
        ("wide", Theme(False, True, False), 140, 50),
    ],
)
def test_drawing_of_the_star(variant, theme, width, height):
    """Six players, the path of the last move, the targets of the selected peg."""
    words = ["k3-m5", "d8-f8", "c11-g11", "k15-i13", "w11-s11", "t6-s7"]
    players = [EmptySeat("human"), *[EmptySeat("random") for _ in range(5)]]
    screen = Screen(theme, viewer=0)
    screen.match = Match(game("chinese-checkers:players=6"), players, moves=words)
    text = screen.ansi(width, height, selected=screen.board().find("l2"), cursor=screen.board().find("l4"))
    rows = [line.rstrip() for line in re.sub(r"\x1b\[[\d;]*m", "", text).splitlines()]
    assert max(map(len, rows)) <= width and len(rows) <= height
    board = screen.board()
    pegs = Counter(board.owners[cell] for row in board.cells for cell in row if cell)
    assert pegs == dict.fromkeys(range(6), 10), "ten pegs each"
    golden(f"chinese_checkers_{variant}", "\n".join(rows) + "\n")


def test_the_mouse_finds_every_hole():
    board = new().board()
    for theme, scale in ((Theme(False, True, False), 0), (Theme(False, False, False), 1)):
        cells = pointing.cell_positions(board, theme, scale)
        assert set(cells) == set(board.places())
        for cell, (line, place) in cells.items():
            assert pointing.nearest_cell(cells, round(line), round(place)) == cell
