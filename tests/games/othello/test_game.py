"""Othello: rules against published numbers and another program, positions and transcripts."""

import random
import struct
import tomllib
from functools import cache
from itertools import product

import pytest

from gameplay import registry
from gameplay.errors import BadInput
from gameplay.games.othello.evaluation import EVALUATIONS, KINDS
from gameplay.kernel import compiled
from gameplay.search.limit import Limit
from tests.support.paths import TESTS
from tests.support.searches import exact

PERFT = tomllib.loads((TESTS / "answers" / "perft.toml").read_text())["perft"]
ENDINGS = tomllib.loads((TESTS / "answers" / "othello.toml").read_text())["ending"]
START = "-" * 27 + "OX------XO" + "-" * 27


def othello(text="", size=8):
    position = registry.game(f"othello:size={size}").new()
    position.setup(text)
    return position


def at_random(position, seed):
    """Play a random game; return its moves as text."""
    rng = random.Random(seed)
    words = []
    while position.outcome() is None:
        move = rng.choice(position.moves())
        words.append(position.format(move))
        position.make(move)
    return words


def test_perft():
    """A finished game counts as one line, as in published tables: the first 228 end at ply 9."""
    leaves = next(answer["leaves"] for answer in PERFT if answer["game"] == "othello")
    position = othello()
    for depth, count in enumerate(leaves[: 11 if compiled() else 6], 1):
        assert position.perft(depth) == count


def test_every_flip_against_a_walk_over_the_board():
    """Square by square in all eight directions."""

    def flipped_discs(cells, size, move, mine):
        results = set()
        for down, right in ((d, r) for d in (-1, 0, 1) for r in (-1, 0, 1) if d or r):
            y, x = move // 8 + down, move % 8 + right
            run = []
            while 0 <= y < size and 0 <= x < size and cells[y * size + x] not in ("-", mine):
                run.append(y * size + x)
                y, x = y + down, x + right
            if 0 <= y < size and 0 <= x < size and cells[y * size + x] == mine:
                results.update(run)
        return results

    for seed in range(30 if compiled() else 6):
        size = (4, 6, 8)[seed % 3]
        position, rng = othello(size=size), random.Random(seed)
        while position.outcome() is None:
            cells, mine = position.text()[: size * size], "XO"[position.turn]
            squares = [8 * (i // size) + i % size for i in range(size * size) if cells[i] == "-"]
            flanking = {move: flipped_discs(cells, size, move, mine) for move in squares}
            legal = [move for move in squares if flanking[move]]
            assert sorted(position.moves()) == (legal or [64])
            move = rng.choice(position.moves())
            after = list(cells)
            for i in [*flanking.get(move, ()), *([] if move == 64 else [move // 8 * size + move % 8])]:
                after[i] = mine
            position.make(move)
            assert position.text()[: size * size] == "".join(after)


def test_random_games_equal_openspiels():
    spiel = pytest.importorskip("pyspiel").load_game("othello")
    for seed in range(100):
        rng, position, state = random.Random(seed), othello(), spiel.new_initial_state()
        while not state.is_terminal():
            assert position.turn == state.current_player()
            assert sorted(position.moves()) == sorted(state.legal_actions())
            move = rng.choice(position.moves())
            position.make(move)
            state.apply_action(move)
        assert [(x > 0) - (x < 0) for x in position.outcome()] == state.returns()


def test_empty_squares_count_for_the_winner_on_the_large_board():
    lone = "X" + "-" * 63 + " O"
    assert othello(lone).outcome() == (64, -64)
    assert othello("X" + "-" * 15 + " O", size=4).outcome() == (1, -1)
    assert othello("XO" + "-" * 62 + " O").outcome() is None, "white passes, black moves"
    assert othello("X-O" + "-" * 61 + " X").outcome() == (0, 0)


def test_a_pass_is_a_move():
    position = othello("XO" + "-" * 62 + " O")
    assert [position.format(move) for move in position.moves()] == ["pass"]
    position.make(position.parse("PASS"))
    assert position.turn == 0
    assert [position.format(move) for move in position.moves()] == ["c1"]


def test_transcripts_with_passes_written_or_not():
    passes = 0
    for seed in range(40 if compiled() else 20):
        position = othello()
        words = at_random(position, seed)
        passes += words.count("pass")
        end = position.text()
        assert othello("".join(words)).text() == end
        assert othello(" ".join(words).upper()).text() == end
        silent = [word for word in words if word != "pass"]
        if words[-1] != "pass":
            assert othello("".join(silent)).text() == end
    assert passes


def test_positions_in_words():
    assert othello(START + " X").text() == othello().text()
    assert othello(START.replace("-", ".").replace("X", "*").lower() + "\nb").text() == othello().text()
    assert othello(START.replace("O", "w").replace("X", "B") + "W").turn == 1
    rows = "\n".join(START[i : i + 8] for i in range(0, 64, 8))
    assert othello(rows + "\nx").text() == othello().text()
    position = othello("f5d6")
    twin = position.twin()
    twin.make(twin.parse("c3"))
    assert twin.text() == othello("f5d6c3").text() != position.text()
    position = othello(position.text())
    position.make(position.parse("c3"))
    assert position.twin().text() == twin.text()


def test_the_small_boards_have_their_own_squares():
    with pytest.raises(BadInput, match="'a5' is not a square from a1 to d4"):
        othello("a5", size=4)
    with pytest.raises(BadInput, match="size must be 4, 6 or 8, not 5"):
        registry.game("othello:size=5").new()


def test_parsers_survive_damaged_text():
    """Randomly damaged transcripts and positions are refused or parsed; parsed ones can be played."""
    rng = random.Random(7)
    letters = "abcdefgh12345678XO-.*pass \n?é٣"
    for _ in range(3000 if compiled() else 600):
        words = list(rng.choice(["f5d6c3d3c4f4f6f3e6e7", START + " X", "pass", ""]))
        for _ in range(rng.randrange(4)):
            place = rng.randrange(len(words) + 1)
            words[place : place + rng.randrange(2)] = rng.choice(letters)
        position = registry.game("othello").new()
        try:
            position.setup("".join(words))
        except BadInput:
            continue
        assert position.outcome() is not None or position.moves()


def test_the_board_to_draw():
    position = othello("f5")
    board = position.board(last=position.made[-1])
    assert board.cells[4] == ("", "", "", "X", "X", "X", "", "")
    assert board.last == ((4, 5),)
    assert board.notes == {0: "4 discs", 1: "1 disc"}
    assert board.moves == {(3, 5): (29,), (5, 3): (43,), (5, 5): (45,)}
    assert str(position).splitlines()[5] == "5 . . . X X X . ."


def squares_left(position):
    return position.size**2 - (position.pos | position.opp).bit_count()


def near_the_end(seed, left):
    """A position with this number of empty squares, or None if the game ended before."""
    position = othello(size=(8, 6, 4)[seed % 3])
    rng = random.Random(seed)
    while position.outcome() is None and squares_left(position) > left:
        position.make(rng.choice(position.moves()))
    return position if position.outcome() is None else None


def test_endgames_equal_full_search():
    for seed in range(90 if compiled() else 24):
        position = near_the_end(seed, 1 + seed % (7 if compiled() else 5))
        if position is None:
            continue
        value = exact(position)[position.turn]
        assert position.exact()[0] == value
        for low in (-12, -2, 0, 1, 10, 30, 50):
            number = position.exact(low, low + 2)[0]
            assert number == value or low >= number >= value or low + 2 <= number <= value


DEAD = [  # nobody can take a1, all lines from it are X's; and X's discs less O's, a1 with the winner's
    ("-XXXXXXXXXOOOOOOXOXOOOOOXOOXOOOOXOOOXOOOXOOOOXOOXOOOOOXOXOOOOOOX", 21 - 43),
    ("-XXXXXXX" + "X" * 48 + "XOOOOOOX", 58 - 6),
]


@pytest.mark.parametrize(("cells", "value"), DEAD)
def test_game_ends_with_an_empty_square_if_no_player_can_move(cells, value):
    """Empty squares count for the winner on 8x8, for no player on smaller boards."""
    assert cells.count("-") == 1
    for side, sign in (("X", 1), ("O", -1)):
        position = othello(cells + side)
        assert position.outcome() == (value, -value)
        assert position.exact()[0] == sign * value
        small = othello("-XXXXXOOXOXOXOOX" + side, size=4)  # nine discs to six
        assert small.outcome() == (3, -3)
        assert small.exact()[0] == sign * 3


def test_both_builds_visit_the_same_positions():
    """The total of positions visited is the signature of the search."""
    seen = 0
    for seed in range(12):
        position = near_the_end(3 * seed, 8)
        seen += position.exact()[1] if position else 0
    assert seen == 8623


def test_the_board_of_4x4():
    """The second player wins by 8, as published: 3 discs to 11, with two squares empty."""
    value, seen = othello(size=4).exact()
    assert value == -8
    assert seen == 773  # what is kept in memory saves looking at most of them again: it is a few moves deep


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda ending: ending["name"])
def test_published_endgames(ending):
    position = othello(ending["position"])
    if not compiled() or squares_left(position) > 20:
        pytest.skip("takes seconds or more; python -m benchmarks ffo solves all")
    assert position.exact()[0] == ending["value"]
    engine, _ = registry.engine("iterative")
    report = engine.search(position, Limit(depth=60))
    assert (position.format(report.move), report.value) in [
        (b, 100 * ending["value"]) for b in ending["best"]
    ]
    assert report.exact


def test_engine_solves_the_end_and_evaluates_in_discs():
    """Ten squares before the end a search of one ply is exact; evaluations are in hundredths of a disc."""
    position = near_the_end(0, 9)
    value = position.exact()[0]
    for name in ("iterative", "selective"):
        engine, _ = registry.engine(name)
        report = engine.search(position, Limit(depth=30))
        assert (report.value, report.exact) == (100 * value, True)
    for name in ("patterns", "classic"):
        engine, _ = registry.engine(f"alphabeta:eval={name}")
        assert abs(engine.search(othello("f5d6c3"), Limit(depth=2)).value) < 6400


def test_proven_line_reaches_the_end_of_the_game():
    for seed in range(6 if compiled() else 3):
        position = near_the_end(3 * seed, 5)
        if position is None:
            continue
        for name in ("iterative", "selective"):
            report = registry.engine(name)[0].search(position, Limit(depth=30))
            assert report.exact and report.value == 100 * position.exact()[0]
            played = position.twin()
            for move in report.pv:
                assert played.outcome() is None
                played.make(move)
            assert played.outcome()[position.turn] * 100 == report.value


def laid_out(position):
    """The squares of the mover, of the opponent, and the empty ones, by row and column."""
    cells, side = position.text().split()
    size = position.size
    squares = {divmod(at, size): cell for at, cell in enumerate(cells)}
    return [{at for at, cell in squares.items() if cell == what} for what in (side, "OX"[side == "O"], "-")]


def beside(squares, size):
    ways = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if y or x]
    near = {(y + dy, x + dx) for y, x in squares for dy, dx in ways}
    return {(y, x) for y, x in near if 0 <= y < size and 0 <= x < size}


def replies(position):
    """The number of moves of the mover, and of the opponent if it were their turn."""
    cells, side = position.text().split()
    counts = []
    for who in (side, "OX"[side == "O"]):
        other = othello(cells + " " + who, size=position.size)
        words = [] if other.outcome() is not None else [other.format(move) for move in other.moves()]
        counts.append(len([word for word in words if word != "pass"]))
    return counts


def stable(own, filled):
    """The discs that can never be flipped: by the border, full lines and stable neighbours."""
    everywhere = set(product(range(8), repeat=2))
    ways = ((0, 1), (1, 0), (1, 1), (1, -1))

    def line(at, way):
        return {(at[0] + n * way[0], at[1] + n * way[1]) for n in range(-7, 8)} & everywhere

    full = {(at, way) for at in own for way in ways if line(at, way) <= filled}
    discs, before = set(), None
    while discs != before:
        before = discs
        discs = {
            at
            for at in own
            if all(
                (at, way) in full
                or any(
                    end not in everywhere or end in before
                    for end in ((at[0] + n * way[0], at[1] + n * way[1]) for n in (1, -1))
                )
                for way in ways
            )
        }
    return discs


@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_classic_evaluation_is_the_sum_of_its_terms(size):
    rng = random.Random(size)
    steady = 0
    last = size - 1
    for _ in range(60 if compiled() else 25):
        position = othello(size=size)
        for _ in range(rng.randint(1, size * size - 5)):
            if position.outcome() is None:
                position.make(rng.choice(position.moves()))
        own, other, empty = laid_out(position)
        if position.outcome() is not None:
            continue
        mine, theirs = replies(position)
        value = 2000 // (mine + theirs + 2) * (mine - theirs)
        value -= 35 * (len(own & beside(empty, size)) - len(other & beside(empty, size)))
        for corner in ((0, 0), (0, last), (last, 0), (last, last)):
            if corner in empty:
                near = beside({corner}, size)
                before = {(y, x) for y, x in near if y != corner[0] and x != corner[1]}
                value -= 350 * (len(own & before) - len(other & before))
                value -= 120 * (len(own & near - before) - len(other & near - before))
            else:
                value += 700 if corner in own else -700
        left, area = len(empty), size * size
        if 2 * left < area:
            value += 100 * (area - 2 * left) // area * (len(own) - len(other))
        value += 150 * (left % 2)
        if size == 8:  # no disc of the small boards is called stable
            sure = len(stable(own, own | other)) - len(stable(other, own | other))
            value += 90 * sure
            steady += bool(sure)
        position.evaluation = position.evaluations["classic"]
        assert position.evaluate() == max(-6400, min(6400, value)), position.text()
    assert steady > 8 or size < 8


def mirrors():
    """The eight symmetries of the board."""
    for swap, up, across in product((0, 1), repeat=3):

        def mirror(y, x, swap=swap, up=up, across=across):
            y, x = (x, y) if swap else (y, x)
            return 7 - y if up else y, 7 - x if across else x

        yield mirror


MIRRORS = list(mirrors())


@cache
def pattern(number):
    """The images of a pattern, the class of each of its contents, and the number of classes."""
    kind = [divmod(square, 8) for square in KINDS[number]]
    images = list({frozenset(mirror(*at) for at in kind): mirror for mirror in MIRRORS}.values())
    same = [[mirror(*at) for at in kind] for mirror in MIRRORS]
    twin = next((disc for disc in same if set(disc) == set(kind) and disc != kind), kind)
    turned = [twin.index(at) for at in kind]
    classes, count = {}, 0
    for digits in product(range(3), repeat=len(kind)):
        content = digits[::-1]  # the first square changes first
        mirrored = tuple(content[at] for at in turned)
        if mirrored not in classes:
            classes[content], count = count, count + 1
        else:
            classes[content] = classes[mirrored]
    return kind, images, classes, count


def test_patterns_equal_the_sum_of_their_weights():
    data = EVALUATIONS["patterns"].weights
    linear = struct.unpack("<72h", data[:144])
    starts = [144]
    for number in range(len(KINDS)):
        starts.append(starts[-1] + 12 * pattern(number)[3])
    assert starts[-1] == len(data) and sum(len(pattern(number)[1]) for number in range(10)) == 38
    rng = random.Random(2002)
    for _ in range(40 if compiled() else 15):
        position = othello()
        for _ in range(rng.randint(0, 58)):
            if position.outcome() is None:
                position.make(rng.choice(position.moves()))
        if position.outcome() is not None:
            continue
        own, other, empty = laid_out(position)
        discs = 64 - len(empty)
        phase = min((discs - 4) // 5, 11)
        mine, theirs = replies(position)
        facts = (
            mine,
            theirs,
            len(empty & beside(other, 8)),
            len(empty & beside(own, 8)),
            1 - discs % 2,
            discs % 2,
        )
        value = sum(weight * fact for weight, fact in zip(linear[6 * phase :], facts, strict=False))
        for number, start in enumerate(starts[:-1]):
            kind, images, classes, count = pattern(number)
            for mirror in images:
                there = [mirror(*at) for at in kind]
                content = tuple(1 if at in own else 2 if at in other else 0 for at in there)
                weight = data[start + phase * count + classes[content]]
                value += 10 * (weight - 256 if weight > 127 else weight)
        assert position.evaluate() == max(-6400, min(6400, value)), position.text()


@pytest.mark.parametrize("name", ["patterns", "classic"])
def test_evaluation_is_invariant_under_symmetry(name):
    """All symmetric images have the same value."""
    for seed in range(6):
        position = near_the_end(3 * seed, 30)
        position.evaluation = position.evaluations[name]
        cells, side = position.text().split()
        rows = [cells[i : i + 8] for i in range(0, 64, 8)]
        columns = ["".join(column) for column in zip(*rows, strict=True)]
        for image in (rows[::-1], [row[::-1] for row in rows], columns):
            other = othello("".join(image) + side)
            other.evaluation = position.evaluation
            assert other.evaluate() == position.evaluate() != 0
