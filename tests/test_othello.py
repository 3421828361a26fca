"""Othello: the rules against others' numbers and another program, positions and transcripts in words."""

import random
import tomllib
from pathlib import Path

import pytest

from gameplay import registry
from gameplay.errors import BadInput, IllegalMove
from gameplay.kernel import compiled
from gameplay.search.limit import Limit

PERFT = tomllib.loads(Path(__file__).with_name("answers").joinpath("perft.toml").read_text())["perft"]
ENDINGS = tomllib.loads(Path(__file__).with_name("answers").joinpath("othello.toml").read_text())["ending"]
START = "-" * 27 + "OX------XO" + "-" * 27


def othello(text="", size=8):
    position = registry.game(f"othello:size={size}").new()
    position.setup(text)
    return position


def at_random(position, seed):
    """Play to the end; the words of the moves."""
    rng = random.Random(seed)
    words = []
    while position.outcome() is None:
        move = rng.choice(position.moves())
        words.append(position.format(move))
        position.make(move)
    return words


def test_perft():
    """A game that ended before counts as one line, as in the tables: the first 228 end at ply 9."""
    leaves = next(answer["leaves"] for answer in PERFT if answer["game"] == "othello")
    position = othello()
    for depth, count in enumerate(leaves[: 11 if compiled() else 6], 1):
        assert position.perft(depth) == count


def test_every_flip_against_a_walk_over_the_board():
    """Square by square in all eight directions, as one does it by hand."""

    def turned(cells, size, move, mine):
        found = set()
        for down, right in ((d, r) for d in (-1, 0, 1) for r in (-1, 0, 1) if d or r):
            y, x = move // 8 + down, move % 8 + right
            run = []
            while 0 <= y < size and 0 <= x < size and cells[y * size + x] not in ("-", mine):
                run.append(y * size + x)
                y, x = y + down, x + right
            if 0 <= y < size and 0 <= x < size and cells[y * size + x] == mine:
                found.update(run)
        return found

    for seed in range(30 if compiled() else 6):
        size = (4, 6, 8)[seed % 3]
        position, rng = othello(size=size), random.Random(seed)
        while position.outcome() is None:
            cells, mine = position.text()[: size * size], "XO"[position.turn]
            squares = [8 * (i // size) + i % size for i in range(size * size) if cells[i] == "-"]
            flanking = {move: turned(cells, size, move, mine) for move in squares}
            legal = [move for move in squares if flanking[move]]
            assert sorted(position.moves()) == (legal or [64])
            move = rng.choice(position.moves())
            after = list(cells)
            for i in [*flanking.get(move, ()), *([] if move == 64 else [move // 8 * size + move % 8])]:
                after[i] = mine
            position.make(move)
            assert position.text()[: size * size] == "".join(after)


def test_games_at_random_as_open_spiel_plays_them():
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


@pytest.mark.parametrize(
    ("text", "error", "complaint"),
    [
        (START, BadInput, "does not say who moves"),
        (START[1:] + " X", BadInput, "does not say who moves: add X or O, or the square that is missing"),
        (START + " X O", BadInput, "character 68: 'O' after the side to move"),
        (START + " -", BadInput, "character 66: '-' is not X or O, the side to move"),
        ("-?" + START[2:] + " X", BadInput, "character 2: '\\?' is not X, O or -"),
        ("XO", BadInput, "'XO' has 2 squares; the board has 64"),
        ("f5d6z9", BadInput, "character 5: 'z9' is not a square from a1 to h8, or pass"),
        ("f5 d", BadInput, "character 4: 'd' is not a square"),
        ("f5d7", IllegalMove, "character 3: white turns over no disc on d7"),
        ("f5 e4", IllegalMove, "character 4: there is a disc on e4 already"),
        ("f5pass", IllegalMove, "character 3: white cannot pass while there is a move, such as f[46]"),
        ("e6f4e3f6g5d6e7f5c5g4", IllegalMove, "character 19: the game is over before 'g4'"),
    ],
)
def test_wrong_text_says_where_and_why(text, error, complaint):
    with pytest.raises(error, match=complaint):
        othello(text)


def test_the_small_boards_have_their_own_squares():
    with pytest.raises(BadInput, match="'a5' is not a square from a1 to d4"):
        othello("a5", size=4)
    with pytest.raises(BadInput, match="size is 4, 6 or 8, not 5"):
        registry.game("othello:size=5").new()


def test_no_text_brings_it_down():
    """Random damage to transcripts and positions is refused or read, and what is read can be played."""
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


def minimax(position):
    """The value, by looking at everything."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome[position.turn]
    values = []
    for move in position.moves():
        position.make(move)
        values.append(-minimax(position))
        position.unmake()
    return max(values)


def squares_left(position):
    return position.size**2 - (position.pos | position.opp).bit_count()


def near_the_end(seed, left):
    """A position with so many squares left, or None where the game ended before."""
    position = othello(size=(8, 6, 4)[seed % 3])
    rng = random.Random(seed)
    while position.outcome() is None and squares_left(position) > left:
        position.make(rng.choice(position.moves()))
    return position if position.outcome() is None else None


def test_the_end_is_solved_as_by_looking_at_everything():
    for seed in range(90 if compiled() else 24):
        position = near_the_end(seed, 1 + seed % (7 if compiled() else 5))
        if position is None:
            continue
        value = minimax(position)
        assert position.exact()[0] == value
        for low in (-12, -2, 0, 1, 10, 30, 50):
            found = position.exact(low, low + 2)[0]
            assert found == value or low >= found >= value or low + 2 <= found <= value


DEAD = [  # nobody can take a1, all lines from it are X's; and X's discs less O's, a1 with the winner's
    ("-XXXXXXXXXOOOOOOXOXOOOOOXOOXOOOOXOOOXOOOXOOOOXOOXOOOOOXOXOOOOOOX", 21 - 43),
    ("-XXXXXXX" + "X" * 48 + "XOOOOOOX", 58 - 6),
]


@pytest.mark.parametrize(("cells", "value"), DEAD)
def test_the_last_square_stays_empty_where_nobody_can_play(cells, value):
    """It counts for the winner on the board of 8x8, and for nobody on smaller ones."""
    assert cells.count("-") == 1
    for side, sign in (("X", 1), ("O", -1)):
        position = othello(cells + side)
        assert position.outcome() == (value, -value)
        assert position.exact()[0] == sign * value
        small = othello("-XXXXXOOXOXOXOOX" + side, size=4)  # nine discs to six
        assert small.outcome() == (3, -3)
        assert small.exact()[0] == sign * 3


def test_both_builds_look_at_the_same_positions():
    """The sum of the positions seen is the signature of the search."""
    seen = 0
    for seed in range(12):
        position = near_the_end(3 * seed, 8)
        seen += position.exact()[1] if position else 0
    assert seen == 8623


def test_the_board_of_4x4():
    """The second player wins by 8, as published: 3 discs to 11, and two squares stay empty."""
    value, seen = othello(size=4).exact()
    assert value == -8
    assert seen == 773  # what is kept in memory saves looking at most of them again: it is a few moves deep


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda ending: ending["name"])
def test_the_endings_of_others(ending):
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


def test_an_engine_sees_the_end_and_guesses_in_its_unit():
    """Ten squares before the end a search of one ply knows all; a guess is in hundredths of a disc."""
    position = near_the_end(0, 9)
    value = position.exact()[0]
    for name in ("iterative", "selective"):
        engine, _ = registry.engine(name)
        report = engine.search(position, Limit(depth=30))
        assert (report.value, report.exact) == (100 * value, True)
    for name in ("patterns", "classic"):
        engine, _ = registry.engine(f"alphabeta:eval={name}")
        assert abs(engine.search(othello("f5d6c3"), Limit(depth=2)).value) < 6400


def test_a_proven_line_goes_on_to_the_end_of_the_game():
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


@pytest.mark.parametrize("name", ["patterns", "classic"])
def test_a_guess_does_not_depend_on_how_the_board_lies(name):
    """Turned or mirrored the position is worth the same."""
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
