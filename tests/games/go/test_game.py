"""Go: rules against two other programs, ko and superko, parameters, notation, drawing."""

import random
import tomllib
import zlib

import pytest

from gameplay.errors import BadInput, IllegalMove
from gameplay.kernel import compiled
from gameplay.registry import engine, game
from gameplay.search.limit import Limit
from tests.support.go import Oracle, new, point_of
from tests.support.paths import TESTS

ANSWERS = TESTS / "answers"
GO = tomllib.loads((ANSWERS / "go.toml").read_text())
PERFT, VALUES, KOMI = GO["perft"], GO["value"], GO["komi"]
GAMES = [line.split() for line in (ANSWERS / "go.txt").read_text().splitlines() if line[:1] != "#"]


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
def test_random_games_equal_the_oracle(columns, rows, suicide, ko, plays):
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


def test_a_thousand_games_equal_another_programs():
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
        row = (str(ply), f"{crc:08x}", str(outcome[0] if outcome else 0))
        assert row == (plies, checksum, result), f"{size}x{size}, seed {seed}"


@pytest.mark.parametrize(
    "spec",
    [
        "size=3",
        "columns=4,rows=3,ko=situational,suicide=on",
        "size=4,ko=simple",
        "size=3,handicap=2,placement=free",
    ],
)
def test_make_accepts_exactly_the_legal_moves(spec):
    for seed in range(12):
        rng, position = random.Random(seed), new(spec)
        while position.outcome() is None and len(position.made) < 60:
            legal = position.moves()
            for move in {*range(-2, 40), 1 << 40} - set(legal):
                with pytest.raises(IllegalMove, match=f"{move} is not a legal move here"):
                    position.make(move)
            assert position.moves() == legal
            position.make(rng.choice([move for move in legal if move or rng.random() < 0.1] or legal))
        if position.outcome() is not None:
            with pytest.raises(IllegalMove):
                position.make(0)


def test_make_accepts_other_types_of_numbers():
    class Point(int):
        pass

    position = new("size=3")
    position.make(Point(5))
    assert position.text() == "A1"
    with pytest.raises(IllegalMove):
        position.make(Point(5))


@pytest.mark.parametrize("each", PERFT, ids=[each["game"] for each in PERFT])
def test_perft_equals_another_programs(each):
    position = game(each["game"]).new()
    for depth, leaves in enumerate(each["leaves"], 1):
        if compiled() or leaves < 6000:
            assert position.perft(depth) == leaves


def test_every_legal_position_can_be_set_up_and_no_other():
    letters = ".XO"
    count = 0
    for number in range(3**4):
        shown = "".join(letters[number // 3**i % 3] for i in range(4))
        try:
            new("size=2", f"{shown[:2]}/{shown[2:]} black")
            count += 1
        except BadInput:
            pass
    assert count == 57


@pytest.mark.parametrize("each", VALUES, ids=[each["game"] for each in VALUES])
def test_small_boards_have_the_published_values(each):
    """By alpha-beta with a table, which ignores superko."""
    for ko in ("positional",) if each.get("superko") else ("positional", "simple"):
        position = game(f"{each['game']},ko={ko},komi=0,goal=points").new()
        if compiled() or position.area < 4:
            report = engine("iterative:eval=none")[0].search(position, Limit(depth=each["depth"]))
            assert report.value == each["value"] * position.unit, ko


KO = "...../.XO../X.XO./.XO../..... white"  # White takes at B3


# -- ko --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
def test_simple_ko(ko):
    position = new(f"size=5,ko={ko}", KO)
    position.make(position.parse("B3"))
    with pytest.raises(IllegalMove, match="'C3' is not a legal move here: ko forbids recapturing at once"):
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
def test_superko_forbids_moves_that_simple_ko_allows(moves, word, allowed):
    for ko in ("simple", "positional", "situational"):
        position = new(f"size=2,ko={ko}", moves)
        if ko in allowed:
            position.make(position.parse(word))
        else:
            with pytest.raises(IllegalMove, match="the move would repeat an earlier board"):
                position.parse(word)


def test_threefold_repetition_ends_a_game_with_simple_ko():
    for goal in ("win", "points"):
        position = new(f"size=2,ko=simple,goal={goal}")
        rng = random.Random(1)
        while position.outcome() is None:
            position.make(rng.choice([move for move in position.moves() if move] or [0]))
        assert position.outcome() == (0, 0)
        assert position.ending() == "threefold repetition"
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


def test_empty_points_between_both_sides_are_neutral():
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
    results = {
        "ABCDEFGHJKLMNOPQRST"[x] + str(size - y) for y in range(size) for x in range(size) if rows[y][x]
    }
    assert results == set(points.split())
    assert position.turn == 1
    assert position.lead() == size * size - 0.5 - count  # White gets a point for each stone
    assert new(f"size={size},handicap={count},rules=tromp-taylor").lead() == size * size - 0.5


@pytest.mark.parametrize(("spec", "komi", "halves"), KOMI)
def test_komi_is_small_with_a_handicap_unless_it_is_given(spec, komi, halves):
    position = new(spec)
    assert position.komi == komi
    twin = position.twin()
    assert twin.komi == komi and position.initial().komi == komi
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


# -- words -----------------------------------------------------------------------------------------


def test_lenient_parsing_of_moves():
    position = new("size=19")
    for word, expected in (("d4", "D4"), ("T19", "T19"), ("j10", "J10"), ("PASS", "pass")):
        assert position.format(position.parse(word)) == expected


def test_set_up_board_round_trips_with_moves():
    position = new("size=3", ".OX/OX./... white ko=A3")
    with pytest.raises(IllegalMove, match="ko forbids"):
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


def test_the_score_of_a_finished_game_is_explained():
    """Five, four and no empty points of Black, of no side and of White: counted by hand on the drawing."""
    position = new("size=5,komi=7.5", ".XO../XXO../.XO../XXOOO/.XO.. black pass pass")
    lines = position.breakdown()
    assert lines == ["black: 7 stones + 3 territory = 10", "white: 7 stones + 8 territory + 7.5 komi = 22.5"]
    black, white = (float(line.rpartition("= ")[2]) for line in lines)
    assert black - white == position.lead() == -12.5
    level = new("size=3,komi=-1", "X.O/X.O/X.O black pass pass")
    assert level.breakdown()[1] == "white: 3 stones + 0 territory - 1 komi = 2"
    assert new("size=3").breakdown() == []
    handicap = new("size=9,handicap=2", "pass pass")
    assert handicap.breakdown()[1] == "white: 0 stones + 0 territory + 0.5 komi + 2 for the handicap = 2.5"


def test_the_explained_score_is_the_lead_in_random_games():
    rng = random.Random(5)
    for seed in range(10):
        position = new("size=5,komi=0.5")
        while position.outcome() is None:
            moves = (
                [move for move in position.moves() if move]
                if len(position.text().split()) < 12 + seed
                else []
            )
            position.make(rng.choice(moves) if moves else 0)
        black, white = (float(line.rpartition("= ")[2]) for line in position.breakdown())
        assert black - white == position.lead()
