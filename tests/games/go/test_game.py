"""Go: its rules beside two other programs, ko and superko, its words, its drawing, its playouts."""

import random
import tomllib
import zlib
from functools import cache

import pytest

from gameplay.errors import BadInput, IllegalMove
from gameplay.games.go import notation
from gameplay.kernel import compiled
from gameplay.registry import engine, game
from gameplay.search.limit import Limit
from tests.support.paths import TESTS

ANSWERS = TESTS / "answers"
PERFT = tomllib.loads((ANSWERS / "go.toml").read_text())["perft"]
GAMES = [line.split() for line in (ANSWERS / "go.txt").read_text().splitlines() if line[:1] != "#"]


def new(spec="", text=None):
    return game(f"go:{spec}" if spec else "go").new(text)


class Oracle:
    """The rules by sets of points, without haste."""

    def __init__(self, columns, rows, suicide=False, ko="positional"):
        self.points = {(x, y) for x in range(columns) for y in range(rows)}
        self.suicide, self.ko = suicide, ko
        self.board, self.turn, self.passes = {}, 0, 0
        self.past = {self.situation(self.board, 0)}

    def situation(self, board, turn):
        return (frozenset(board.items()), turn if self.ko == "situational" else 0)

    def beside(self, point):
        x, y = point
        return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & self.points

    def chain(self, board, point):
        found, waiting = {point}, [point]
        while waiting:
            more = {p for p in self.beside(waiting.pop()) if board.get(p) == board[point]} - found
            found |= more
            waiting += more
        return found, {p for stone in found for p in self.beside(stone)} - set(board)

    def after(self, point):
        """The board after a move, or None for suicide that is not allowed, and the stones taken."""
        board, lost = {**self.board, point: self.turn}, set()
        for other in self.beside(point):
            if board.get(other) == 1 - self.turn:
                chain, liberties = self.chain(board, other)
                lost |= chain if not liberties else set()
        board = {p: stone for p, stone in board.items() if p not in lost}
        chain, liberties = self.chain(board, point)
        if not liberties:
            if not self.suicide:
                return None, lost
            board = {p: stone for p, stone in board.items() if p not in chain}
        return board, lost

    def legal(self):
        found = set()
        for point in self.points - set(self.board):
            board, _ = self.after(point)
            if board is not None and self.situation(board, 1 - self.turn) not in self.past:
                found.add(point)
        return found

    def make(self, point):
        self.passes = self.passes + 1 if point is None else 0
        if point is not None:
            self.board, _ = self.after(point)
        self.turn = 1 - self.turn
        self.past.add(self.situation(self.board, self.turn))

    def score(self):
        total, seen = 0, set()
        for point in self.points:
            if point in self.board:
                total += 1 - 2 * self.board[point]
            elif point not in seen:
                region, waiting, owners = {point}, [point], set()
                while waiting:
                    for p in self.beside(waiting.pop()):
                        if p in self.board:
                            owners.add(self.board[p])
                        elif p not in region:
                            region.add(p)
                            waiting.append(p)
                seen |= region
                total += len(region) * (1 - 2 * min(owners)) if len(owners) == 1 else 0
        return total


def point_of(position, move):
    word = position.format(move)
    return None if word == "pass" else ("ABCDEFGHJKLMNOPQRST".index(word[0]), int(word[1:]) - 1)


@pytest.mark.parametrize(
    ("columns", "rows", "suicide", "ko", "plays"),
    [
        (2, 2, True, "positional", 40),
        (2, 2, False, "situational", 40),
        (3, 1, True, "situational", 30),
        (3, 2, True, "situational", 30),
        (3, 3, True, "positional", 20),
        (4, 3, True, "situational", 15),
        (5, 4, True, "positional", 8),
        (7, 7, False, "positional", 2),
    ],
)
def test_random_games_are_those_of_the_oracle(columns, rows, suicide, ko, plays):
    switch = "on" if suicide else "off"
    for seed in range(plays):
        rng = random.Random(seed)
        position = new(f"columns={columns},rows={rows},ko={ko},suicide={switch},komi=0,goal=points")
        oracle = Oracle(columns, rows, suicide, ko)
        for _ in range(300):
            if position.outcome() is not None:
                break
            moves = {point_of(position, move): move for move in position.moves()}
            assert set(moves) == oracle.legal() | {None}, position.text()
            chosen = rng.choice(sorted(moves, key=str))
            position.make(moves[chosen])
            oracle.make(chosen)
        if position.outcome() is not None:
            assert oracle.passes == 2
            assert position.outcome()[0] == oracle.score(), position.text()


def test_a_thousand_games_are_those_of_another_program():
    for line in GAMES if compiled() else GAMES[::50]:
        size, seed, plies, checksum, result = map(str, line)
        position, rng, crc, ply = new(f"size={size}"), random.Random(int(seed)), 0, 0
        number, stride = int(size), int(size) + 1
        while position.outcome() is None and ply < 400:
            # The other program numbers points row by row from A1, and the pass after them.
            legal = sorted(
                (move // stride * number - number + move % stride - 1 if move else number**2, move)
                for move in position.moves()
            )
            crc = zlib.crc32(" ".join(str(action) for action, _ in legal).encode(), crc)
            position.make(legal[int(rng.random() * len(legal))][1])
            ply += 1
        outcome = position.outcome()
        told = (str(ply), f"{crc:08x}", str(outcome[0] if outcome else 0))
        assert told == (plies, checksum, result), f"{size}x{size}, seed {seed}"


@pytest.mark.parametrize("each", PERFT, ids=[each["game"] for each in PERFT])
def test_lines_are_as_many_as_those_of_another_program(each):
    position = game(each["game"]).new()
    for depth, leaves in enumerate(each["leaves"], 1):
        if compiled() or leaves < 6000:
            assert position.perft(depth) == leaves


@pytest.mark.parametrize(("size", "count"), [(1, 1), (2, 57), (3, 12675), (4, 24318165)])
def test_legal_positions_are_as_many_as_published(size, count):
    """J. Tromp and G. Farnebaeck, Combinatorics of Go, 2007, table 1."""
    if size < 4 or compiled():
        assert new(f"size={size}").arrangements() == count


def test_arrangements_are_those_of_the_empty_board():
    with pytest.raises(BadInput, match="counted from an empty board"):
        new("size=2", "A1").arrangements()


def test_every_legal_position_can_be_set_up_and_no_other():
    letters = ".XO"
    found = 0
    for number in range(3**4):
        shown = "".join(letters[number // 3**i % 3] for i in range(4))
        try:
            new("size=2", f"{shown[:2]}/{shown[2:]} black")
            found += 1
        except BadInput:
            pass
    assert found == 57


VALUES = tomllib.loads((ANSWERS / "go.toml").read_text())["value"]


@pytest.mark.parametrize("each", VALUES, ids=[each["game"] for each in VALUES])
def test_small_boards_have_the_published_values(each):
    """By alpha-beta with a table, which does not know what must not come again."""
    for ko in ("positional",) if each.get("superko") else ("positional", "simple"):
        position = game(f"{each['game']},ko={ko},komi=0,goal=points").new()
        if compiled() or position.area < 4:
            report = engine("iterative:eval=none")[0].search(position, Limit(depth=each["depth"]))
            assert report.value == each["value"] * position.unit, ko


# -- ko --------------------------------------------------------------------------------------------

KO = "...../.XO../X.XO./.XO../..... white"  # White takes at B3


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
def test_a_stone_is_not_taken_back_at_once(ko):
    position = new(f"size=5,ko={ko}", KO)
    position.make(position.parse("B3"))
    with pytest.raises(IllegalMove, match="C3: ko: that takes back at once what was taken"):
        position.parse("C3")
    for word in ("E1", "A1", "C3"):
        position.make(position.parse(word))
    assert position.captures(0) == position.captures(1) == 1


@pytest.mark.parametrize(
    ("moves", "word", "allowed"),
    [
        # the board after Black's first move, with White to move as then
        ("A2 B2 A1 B1 A2 A1", "A2", ["simple"]),
        # a board of before, but with the other side to move
        ("A2 B2 A1 pass B1 B2", "A2", ["simple", "situational"]),
    ],
)
def test_superko_bars_what_simple_ko_allows(moves, word, allowed):
    for ko in ("simple", "positional", "situational"):
        position = new(f"size=2,ko={ko}", moves)
        if ko in allowed:
            position.make(position.parse(word))
        else:
            with pytest.raises(IllegalMove, match="superko: the board would be as it was before"):
                position.parse(word)


def test_a_position_that_comes_for_the_third_time_ends_a_game_with_simple_ko():
    for goal in ("win", "points"):
        position = new(f"size=2,ko=simple,goal={goal}")
        rng = random.Random(1)
        while position.outcome() is None:
            position.make(rng.choice([move for move in position.moves() if move] or [0]))
        assert position.outcome() == (0, 0)
        assert position.ending() == "the position came for the third time"
        count = 0
        key = position.stones(), position.turn
        while position.made:
            position.unmake()
            count += (position.stones(), position.turn) == key
        assert count == 2


# -- terms -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("komi", "goal", "black"),
    [
        (7.5, "points", -12.5),
        (-5, "points", 0),
        (-6, "win", 1),
        (-5, "win", 0),
        (0.5, "win", -1),
    ],
)
def test_the_area_counts_and_white_gets_the_komi(komi, goal, black):
    """Two columns against three."""
    position = new(f"size=5,komi={komi},goal={goal}", ".XO../XXO../.XO../XXOOO/.XO.. black pass pass")
    assert position.outcome() == (black, -black)
    assert position.lead() == -5 - komi
    assert (
        position.ending() == {7.5: "12.5 points", -6: "1 point", -5: "equal areas", 0.5: "5.5 points"}[komi]
    )


def test_empty_points_between_both_sides_are_nobodys():
    position = new("size=3,komi=0,goal=points", "X.O/X.O/X.O black pass pass")
    assert position.outcome() == (0, 0) and position.ending() == "equal areas"


@pytest.mark.parametrize(
    ("size", "count", "points"),
    [
        (9, 2, "C3 G7"),
        (9, 5, "C3 G7 G3 C7 E5"),
        (9, 6, "C3 G7 G3 C7 C5 G5"),
        (19, 9, "D4 Q16 Q4 D16 D10 Q10 K4 K16 K10"),
        (19, 7, "D4 Q16 Q4 D16 D10 Q10 K10"),
        (13, 4, "D4 K10 K4 D10"),
        (8, 4, "C3 F6 F3 C6"),
    ],
)
def test_a_fixed_handicap_is_that_of_the_protocol(size, count, points):
    """GTP 2, section 4.1.1."""
    position = new(f"size={size},handicap={count}")
    rows = position.stones()
    found = {"ABCDEFGHJKLMNOPQRST"[x] + str(size - y) for y in range(size) for x in range(size) if rows[y][x]}
    assert found == set(points.split())
    assert position.turn == 1
    assert position.lead() == size * size - 0.5 - count  # White gets a point for each stone
    assert new(f"size={size},handicap={count},rules=tromp-taylor").lead() == size * size - 0.5


@pytest.mark.parametrize(
    ("spec", "komi", "halves"),
    [
        ("size=19", 7.5, 15),
        ("size=19,handicap=4", 0.5, 9),
        ("size=19,handicap=4,rules=tromp-taylor", 0.5, 1),
        ("size=19,handicap=4,komi=usual", 0.5, 9),
        ("size=19,handicap=4,komi=7.5", 7.5, 23),
        ("size=19,handicap=4,komi=0", 0, 8),
        ("size=19,handicap=9,placement=free", 0.5, 19),
        ("size=9,komi=-3", -3, -6),
        ("size=9,komi=6.5,rules=tromp-taylor", 6.5, 13),
    ],
)
def test_komi_is_small_with_a_handicap_unless_it_is_given(spec, komi, halves):
    position = new(spec)
    assert position.komi == komi
    twin = position.twin()
    assert twin.komi == komi and position.anew().komi == komi
    free = 9 if "free" in spec else 0
    for point in ["D4", "Q16", "Q4", "D16", "D10", "Q10", "K4", "K16", "K10"][:free]:
        position.make(position.parse(point))
    black = not position.handicap
    stones = position.handicap or 1
    if black:
        position.make(position.parse("D4"))
    position.make(position.parse("pass"))
    position.make(position.parse("pass"))
    assert stones and position.lead() == position.columns * position.rows - halves / 2
    assert position.outcome() == (1, -1)


def test_a_free_handicap_is_placed_by_black():
    position = new("size=5,handicap=3,placement=free")
    with pytest.raises(IllegalMove, match="black places 3 more handicap stones before passes are allowed"):
        position.parse("pass")
    for word in ("A1", "B2", "C3"):
        assert position.turn == 0
        position.make(position.parse(word))
    assert position.turn == 1
    assert position.twin().key() == position.key()


@pytest.mark.parametrize(
    ("spec", "wrong"),
    [
        ("size=20", "size is 1 to 19, not 20"),
        ("columns=9,rows=30", "rows is 1 to 19, not 30"),
        ("komi=7.3", "komi is a number of whole or half points, such as 7.5, not '7.3'"),
        ("ko=super", "ko is simple, positional or situational, not 'super'"),
        ("rules=japanese", "rules is chinese or tromp-taylor, not 'japanese'"),
        ("suicide=maybe", "suicide is on, off or rules, not 'maybe'"),
        ("handicap=1", "handicap is 0, or 2 to 9 on a board of 9x9, not 1"),
        ("size=5,handicap=2", "there are no usual points for a handicap on a board of 5x5"),
        ("goal=area", "goal is win or points, not 'area'"),
    ],
)
def test_terms_that_are_none_are_refused(spec, wrong):
    with pytest.raises(BadInput) as caught:
        new(spec)
    assert str(caught.value).startswith(wrong)


# -- words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("I5", "move 1: 'I5': there is no column I, J comes after H"),
        ("D4", "move 1: 'D4' is not on this board, which ends at C3"),
        ("A1 a1", "move 2: A1: there is a stone on A1 already"),
        ("A1 here", "move 2: 'here' is not a point from A1 to C3, or pass"),
        ("pass pass A1", "move 3, 'A1': the game is over before it"),
        (".X./O..", "'.X./O..' has 2 rows; the board has 3"),
        (".X./O../...", "'.X./O../...' does not say who moves: add black or white"),
        ("X.X/XO/... b", "row 2, 'XO', has 2 points; the board has 3 columns"),
        ("X.X/XO#/... b", "row 2, point 3: '#' is not X, O or ."),
        ("XXX/XXX/XXX b", "'XXX/XXX/XXX': a chain of stones has no liberty"),
        (".OX/OX./... w ko=B3", "ko=B3: there is a stone on that point"),
        (".OX/OX./... w b", "'b' after the side to move"),
        ("XXX/X.X/.XX white B2", "move 1: B2: suicide: the stone would have no liberty and takes nothing"),
    ],
)
def test_words_that_are_none_are_refused(text, wrong):
    with pytest.raises(BadInput) as caught:
        new("size=3", text)
    assert str(caught.value) == wrong


def test_moves_are_read_as_people_type_them():
    position = new("size=19")
    for word, told in (("d4", "D4"), ("T19", "T19"), ("j10", "J10"), ("PASS", "pass")):
        assert position.format(position.parse(word)) == told


def test_a_board_that_was_set_up_is_told_with_its_moves():
    position = new("size=3", ".OX/OX./... white ko=A3")
    with pytest.raises(IllegalMove, match="A3: ko"):
        position.parse("A3")
    position.make(position.parse("B1"))
    assert position.text() == ".OX/OX./... white ko=A3 B1"
    assert new("size=3", position.text()).key() == position.key() == position.twin().key()


def test_the_drawing_marks_the_last_move():
    position = new("size=5", "B2 C3 pass C2 D4")
    assert (
        str(position)
        == """\
    A B C D E
 5  . . . . . 5
 4  . . .(X). 4
 3  . . O . . 3
 2  . X O . . 2
 1  . . . . . 1
    A B C D E"""
    )


# -- playouts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec", ["", "size=5", "columns=7,rows=4,goal=points", "size=6,handicap=4,placement=free"]
)
def test_a_playout_is_a_game_to_its_end_and_leaves_the_position(spec):
    position = new(spec)
    for word in ("C3", "D4", "D3"):
        position.make(position.parse(word))
    before = position.key(), position.moves(), str(position)
    for seed in range(20 if compiled() else 4):
        moves, movers, gains = position.rollout(seed, seed % 16)  # all but mercy
        assert (position.key(), position.moves(), str(position)) == before
        assert position.rollout(seed, seed % 16) == (moves, movers, gains)
        other = position.twin()
        for move, mover in zip(moves, movers, strict=True):
            assert other.turn == mover
            if move not in other.moves():
                break  # superko, which playouts do not know
            other.make(move)
        else:
            if len(moves) < 3 * position.area:
                assert other.outcome() == tuple(gain / position.unit for gain in gains)


CAPTURE, ESCAPE, PATTERN, CARE, MERCY = (1 << bit for bit in range(5))


def first_moves(position, policy, count=40):
    return {position.format(position.rollout(seed, policy)[0][0]) for seed in range(count)}


@pytest.mark.parametrize(
    ("rows", "move", "policy", "answers"),
    [
        ("...../...../.OX../..O../..... white", "D3", ESCAPE, {"C4"}),  # run
        ("...../.XX../XOX../.OO../..... white", "D3", ESCAPE, None),  # there is nothing to save
        ("...../...../...../...../.X... white", "A1", CAPTURE, {"A2"}),
        ("...../...../...../...../.X... white", "A1", ESCAPE, None),
    ],
)
def test_playouts_answer_a_move_that_puts_stones_in_atari(rows, move, policy, answers):
    position = new("size=5", rows)
    position.make(position.parse(move))
    if answers is None:
        assert len(first_moves(position, policy)) > 5
    else:
        assert first_moves(position, policy) == answers
        assert len(first_moves(position, 0)) > 5


def test_playouts_answer_beside_the_last_move_where_the_shape_is_common():
    position = new("", "E5 D4")
    assert first_moves(position, PATTERN) <= {"C3", "C4", "C5", "D3", "D5", "E3", "E4"}
    far = new("", "E5 A9")
    assert len(first_moves(far, PATTERN)) > 5


def test_playouts_with_care_do_not_put_their_own_stones_in_atari():
    position = new("size=5", "..XXO/OOOOO/...../XXXXX/..... white pass")
    assert "B5" in first_moves(position, 0, 80)
    assert "B5" not in first_moves(position, CARE, 80)


def test_mercy_ends_a_playout_early_and_never_for_the_loser():
    position = new("size=7")
    shorter = 0
    for seed in range(60 if compiled() else 8):
        full, _, ends = position.rollout(seed, 0)
        cut, _, stops = position.rollout(seed, MERCY)
        assert cut == full[: len(cut)]
        shorter += len(cut) < len(full)
        assert len(cut) < len(full) or stops == ends
    assert shorter


def test_moves_that_take_or_save_are_looked_at_first():
    found = [
        ("...../...../.OX../..O../..... white", "D3", "C4"),
        ("...../...../...../...../.X... white", "A1", "A2"),
    ]
    for rows, move, best in found:
        position = new("size=5", rows)
        position.make(position.parse(move))
        hints = position.hints()
        assert max(hints, key=lambda word: hints[word]) == best
        assert hints["pass"] < max(hints.values())


@cache
def has_shape(seen, mover):
    """Has the mover a shape there, turned and mirrored as may be?"""
    rows = [seen[:3], seen[3:6], seen[6:]]
    views = set()
    for _ in range(4):
        rows = [tuple(row) for row in zip(*rows[::-1], strict=True)]
        views |= {sum(rows, ()), sum((row[::-1] for row in rows), ())}
    for text in (*notation.HANE, *notation.CUT, *notation.SIDE, *notation.X_ALONE):
        for x in (mover,) if text in notation.X_ALONE else (0, 1):
            means = {"X": {x}, "O": {1 - x}, ".": {2}, "#": {3}, "?": {0, 1, 2, 3}}
            means |= {"x": {1 - x, 2, 3}, "o": {x, 2, 3}}
            signs = text.replace(" ", "")
            for view in views:
                if all(at == 4 or view[at] in means[sign] for at, sign in enumerate(signs)):
                    return True
    return False


class Adviser(Oracle):
    """What playouts and the order of moves know, by sets of points."""

    def signs(self, point):
        """The rows around a point from above: stones by number, 2 where there is none, 3 off the board."""
        x, y = point
        around = [(x + across, y + up) for up in (1, 0, -1) for across in (-1, 0, 1)]
        return tuple(self.board.get(p, 2) if p in self.points else 3 for p in around)

    def shaped(self, point, mover):
        return has_shape(self.signs(point), mover)

    def eye(self, point, mover):
        x, y = point
        across = {(x + 1, y + 1), (x - 1, y + 1), (x + 1, y - 1), (x - 1, y - 1)}
        wrong = sum(self.board.get(p) == 1 - mover for p in across) + bool(across - self.points)
        return all(self.board.get(p) == mover for p in self.beside(point)) and wrong < 2

    def gasps(self, point, mover, crowd):
        """Does a move take nothing and leave its chain, with so many stones beside it, one liberty?"""
        own = [p for p in self.beside(point) if self.board.get(p) == mover]
        board, lost = self.after(point)
        if lost:
            return False
        after = {**self.board, point: mover} if board is None else board
        return sum(len(self.chain(self.board, p)[0]) for p in own) >= crowd and (
            len(self.chain(after, point)[1]) <= 1
        )

    def atari(self, point, colour):
        """The chain of a point and its liberty, if it is of that colour and has one."""
        if self.board.get(point) == colour:
            chain, liberties = self.chain(self.board, point)
            if len(liberties) == 1:
                return chain, next(iter(liberties))
        return None

    def hint(self, point, mover, last, before):
        if point is None:
            return -20
        if self.eye(point, mover):
            return -30
        found = [(colour, self.atari(p, colour)) for p in self.beside(point) for colour in (0, 1)]
        taken = sum(len(each[0]) for colour, each in found if each and colour != mover)
        saved = sum(len(each[0]) for colour, each in found if each and colour == mover)
        value = 15 + 2 * min(taken, 5) if taken else 0
        if self.gasps(point, mover, 1):
            value -= 15
        elif saved:
            value += 12 + 2 * min(saved, 5)
        value += 8 * self.shaped(point, mover)
        for weight, other in ((1, last), (2, before)):
            if other:
                across, up = abs(point[0] - other[0]), abs(point[1] - other[1])
                value += max(0, 8 - across - up - max(across, up)) // weight
        columns, rows = max(self.points)
        line = min(point[0], columns - point[0], point[1], rows - point[1])
        return value + (-6, -2, 1)[min(line, 2)]

    def urgent(self, last, banned):
        """The moves that take the last stone's chain, or save a chain of the mover beside it."""
        found, mover = set(), self.turn
        aimed = self.atari(last, 1 - mover)
        if aimed:
            found.add(aimed[1])
        for p in self.beside(last):
            own = self.atari(p, mover)
            if own:
                run = own[1]
                if self.after(run)[0] is not None and not self.gasps(run, mover, 0):
                    found.add(run)
                others = [self.atari(q, 1 - mover) for stone in own[0] for q in self.beside(stone)]
                found |= {each[1] for each in others if each and each[1] != run}
        return found - {banned}


def advised(columns, rows, plays, length):
    """Positions of random games, the oracle beside them, and the last two moves."""
    for seed in range(plays):
        rng = random.Random(seed)
        position = new(f"columns={columns},rows={rows},ko=simple")
        adviser = Adviser(columns, rows)
        past = [None, None]
        for _ in range(length):
            moves = {move: point_of(position, move) for move in position.moves()}
            move = rng.choice([move for move in moves if move or rng.random() < 0.1] or [0])
            position.make(move)
            adviser.make(moves[move])
            past.append(moves[move])
            if position.outcome() is not None:
                break
            yield position, adviser, past[-1], past[-2]


def test_hints_are_those_of_the_oracle():
    for columns, rows, plays, length in ((5, 5, 2, 40), (7, 4, 2, 30), (2, 3, 4, 12), (9, 9, 1, 12)):
        for position, adviser, last, before in advised(columns, rows, plays, length):
            hints = position.hints()
            for move in position.moves():
                point = point_of(position, move)
                wanted = adviser.hint(point, position.turn, last, before)
                assert hints[position.format(move)] == wanted, (position.text(), position.format(move))


@pytest.mark.skipif(compiled(), reason="compiled, what playouts choose from is no Python object")
def test_playouts_choose_among_the_moves_of_the_oracle():
    for position, adviser, last, _ in advised(5, 4, 5, 40):
        mover, colour = position.turn, position.turn + 1
        names = {
            point: p for p, point in ((p, point_of(position, p)) for p in position.order[: position.area])
        }
        banned = point_of(position, position.banned)
        free = [p for p in adviser.points - set(adviser.board) if p != banned]
        free = [p for p in free if adviser.after(p)[0] is not None]

        # 1. An answer to the last move: what takes or saves, else a shape beside it.
        answers = {}
        if last:
            urgent = adviser.urgent(last, banned)
            near = [p for p in free if max(abs(p[0] - last[0]), abs(p[1] - last[1])) == 1]
            shaped = {p for p in near if adviser.shaped(p, mover) and not adviser.gasps(p, mover, 0)}
            answers = {
                CAPTURE | ESCAPE: urgent,
                PATTERN: shaped,
                CAPTURE | ESCAPE | PATTERN: urgent or shaped,
            }

        # 2. Any move but an eye, with care none that puts two stones or more in atari.
        for policy in (0, CARE, CAPTURE | ESCAPE, PATTERN, CAPTURE | ESCAPE | PATTERN):
            wanted = answers.get(policy, set()) or {
                p
                for p in free
                if not adviser.eye(p, mover) and not (policy & CARE and adviser.gasps(p, mover, 2))
            }
            position.policy = policy
            found = {position.choose(colour) for _ in range(40 if len(wanted) < 5 else 10)}
            right = {names[p] for p in wanted} or {0}
            assert found == right if len(right) < 5 else found <= right, position.text()


# -- dead stones, territory -----------------------------------------------------------------------

ENDED = "...XO../.O.XO../..XXO../XXXXO../XX.XOO./XXXXO.X/.X.XO.O black"  # B6 and G2 are dead


def test_dead_stones_are_found_and_taken_off():
    position = new("size=7", ENDED)
    before = (position.key(), position.turn, position.stones(), position.moves())
    dead = position.dead_chains()
    assert sorted(map(position.format, (point for chain in dead for point in chain))) == ["B6", "G2"]
    assert (position.key(), position.turn, position.stones(), position.moves()) == before
    rows = ENDED.replace(".O.XO", "...XO").replace("O.X/", "O../")
    assert position.lead_without({point for chain in dead for point in chain}) == new("size=7", rows).lead()
    assert position.lead_without(set()) == position.lead()
    position.make(0)
    position.make(0)
    assert position.dead_chains() == dead  # also when the game is over


def test_points_are_whose_they_seem_to_be():
    position = new("size=7", ENDED)
    owned = position.ownership(60, 5)
    assert owned == position.ownership(60, 5) and len(owned) == 49
    assert all(-1 <= share <= 1 for share in owned.values())
    found = position.territory()
    assert found.owned[0, 0] == found.owned[0, 3] == found.owned[1, 1] == 0  # A7, a stone, a dead one
    assert found.owned[0, 6] == found.owned[0, 4] == found.owned[5, 6] == 1
    assert found.lead == sum(1 - 2 * who for who in found.owned.values()) - 7.5
    assert set(new("size=3").territory().owned.values()) <= {0}


@pytest.mark.parametrize(
    ("spec", "moves", "playouts", "shares"),
    [
        ("size=4", "B2 C3 C2", 12, [6, 6, 10, 10, 6, 6, 6, 8, 8, 10, 10, 10, 6, 7, 10, 10]),
        (
            "size=5,suicide=on,ko=simple",
            "C3 B2 B3 C2 pass D3",
            7,
            [-3, -3, -3, -7, -7, -3, -3, -7, -7, -3, -5, -7, -7, -3, -3, -3, *[-7] * 5, -3, -3, -7, -7],
        ),
        ("columns=4,rows=3,goal=points", "B2 C2 B3 pass", 5, [5, 1, 5, 3, 3, 1, 5, 1, 5, 1, 5, 1]),
    ],
)
def test_whose_points_are_is_counted_as_it_was_kept(spec, moves, playouts, shares):
    """Of so many playouts those that end with a point Black's, less those with it White's."""
    position = new(spec, moves)
    assert [round(share * playouts) for share in position.ownership(playouts, 3).values()] == shares
    assert position.text() == moves


def test_a_point_is_somebodys_in_more_than_two_playouts_of_three():
    shares = {5: 0.34, 6: -0.34, 7: 1 / 3, 9: -1.0, 10: 0.0, 11: 1.0}  # A1 to C2
    found = notation.territory(shares, 2, 3, 15)
    assert found.owned == {(1, 0): 0, (1, 1): 1, (0, 0): 1, (0, 2): 0} and found.lead == -7.5


def test_fewer_playouts_tell_whose_points_are_on_large_boards():
    assert [new(f"size={size}").enough() for size in (9, 12, 13, 19)] == [100, 100, 95, 44]
