"""Collections of positions in the formats of their fields are suites like our own."""

import json

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.errors import BadInput
from gameplay.suites import puzzles
from tests.support.files import find_files
from tests.support.paths import ROOT

pytestmark = pytest.mark.once

POSITIONS = ROOT / "benchmarks" / "positions"
LAST = "OOOOOOOOOXXXXXXOOXXXXXXOOXXXXXXOOXXXXXXOOXXXXXXOOXXXXX-OOOOOOOOO"  # g7 is left
MATE = "6k1/5ppp/8/8/8/8/8/4R2K w - -"


def file_of(tmp_path, text, name="set.epd"):
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return file


def run_puzzles(capsys, file, *words):
    status = run(router, "gameplay", ["regress", str(file), "--jobs", "1", *words])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_best_moves_moves_to_avoid_and_mates_are_expected(tmp_path):
    text = f'# a comment\n{MATE} bm Re8# Re7; id "back rank";\n\n{MATE} am Kg1;\n{MATE} dm 3;\n'
    suite, name, line = puzzles.read(file_of(tmp_path, text))
    assert suite.game == "chess" and name.endswith("set.epd")
    first, second, third = suite.position
    assert (first.name, first.expect.moves, first.position) == ("back rank", ["Re8#", "Re7"], MATE + " 0 1")
    assert (second.name, second.expect.not_moves) == ("line 4", ["Kg1"])
    assert third.expect.value == "win in 5"
    assert [line("position", number) for number in range(3)] == [2, 4, 5]


def test_mates_are_in_a_number_of_moves_that_a_search_can_see(tmp_path):
    lines = [f"{MATE} dm {word};" for word in ("1", "128", "129", "0", "-1", "two")]
    tasks = puzzles.read(file_of(tmp_path, "\n".join(lines)))[0].position
    assert [puzzle.expect.value for puzzle in tasks[:2]] == ["win in 1", "win in 255"]
    assert [puzzle.why for puzzle in tasks[2:]] == [
        f"dm expects a number of moves to mate, not '{word}'" for word in ("129", "0", "-1", "two")
    ]
    assert [puzzle.name for puzzle in tasks] == [f"line {number}" for number in range(1, 7)]


def test_wrong_expectations_are_reported_with_their_line(tmp_path):
    """A FEN retains its counters."""
    whole = "6k1/5ppp/8/8/8/8/8/4R2K w - - 3 40"
    file = file_of(tmp_path, f"{whole} bm Re8#;\n\n# nothing\n{MATE} c0 x;\n")
    suite, name, line = puzzles.read(file)
    assert (suite.title, suite.game, name) == ("set", "chess", str(file))
    assert suite.position[0].position == whole
    assert (suite.position[1].name, suite.position[1].why) == (
        "line 4", "nothing is expected: give bm, am or dm"
    )  # fmt: skip
    assert [line("position", number) for number in (0, 1)] == [1, 4]
    lines = ["# no comment here", "%", "a X; A1:3", "b X; A1=3;", "c X;", ""]
    suite, _, line = puzzles.read(file_of(tmp_path, "\n".join(lines), "set.OBF"))
    assert [getattr(puzzle, "why", "") for puzzle in suite.position] == [
        "", "'A1=3' is not a move with its score such as A2:+38",
        "nothing is expected: give moves with scores, A2:+38;",
    ]  # fmt: skip
    assert [line("position", number) for number in range(3)] == [3, 4, 5] and suite.game == "othello"
    with pytest.raises(BadInput, match=r"^there is no file .*gone\.epd$"):
        puzzles.read(tmp_path / "gone.epd")
    with pytest.raises(BadInput, match=r"empty\.epd contains no positions$"):
        puzzles.read(file_of(tmp_path, "# nothing\n", "empty.epd"))


def test_scores_of_all_moves_give_best_move_and_value(tmp_path):
    board = "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O"
    text = f"% a comment\n{board}; G3:-12; C7:-12; H4:-22;\n"
    puzzle = puzzles.read(file_of(tmp_path, text, "ffo.obf"))[0]
    assert puzzle.game == "othello"
    case = puzzle.position[0]
    assert case.position == board and case.name == "line 2"
    assert case.expect.moves == ["G3", "C7"] and case.expect.points == -12


def test_puzzle_collection_of_any_game_is_tested(tmp_path, capsys):
    """Two stones in the middle: 4 is the only move that does not lose at once."""
    file = file_of(tmp_path, '121212 bm 1; id "win";\n4444 am 1; id "not";\n121212 bm 2; id "wrong";\n')
    words = ("--game", "connect4", "--engine", "alphabeta", "--depth", "4")
    status, out, _ = run_puzzles(capsys, file, *words)
    assert status == 3
    assert "ok  win: move 1, win in 1, depth " in out
    assert "ok  not: move " in out
    assert "XX  wrong: regression: move 1, expected one of 2 [win in 1, depth " in out
    assert out.splitlines()[-1].startswith("3 tests: 2 met, 1 regression, in ")
    document = json.loads(run_puzzles(capsys, file, *words, "--json")[1])
    facts = document["tests"][0]["facts"]
    assert facts["found"]["depth"] == facts["depth"] and document["tests"][0]["line"] == 1


def test_moves_are_expected_in_any_spelling(tmp_path, capsys):
    """The game's own name `22x15` of a jump is found however the collection writes it."""
    file = file_of(tmp_path, "B:W18,24:B12,K22 bm 22X15;\n")
    status, out, _ = run_puzzles(capsys, file, "--game", "checkers", "--depth", "3")
    assert status == 0 and "move 22x15" in out


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("set.epd", f'{MATE} id "nothing";\n', "nothing is expected: give bm, am or dm"),
        ("set.epd", f"{MATE} dm soon;\n", "dm expects a number of moves to mate, not 'soon'"),
        ("set.epd", f"{MATE} dm 0;\n", "dm expects a number"),
        ("set.epd", f'{MATE} bm Re8; id "open\n', "EPD: a quotation mark is not closed"),
        ("set.epd", "8/8/8 w - - bm e4;\n", "FEN"),
        ("set.epd", "8/8/8/8 w\n", "expected side to move"),
        ("set.obf", "---- X;\n", "nothing is expected: give moves with scores"),
        ("set.obf", "---- X; A1:+3; B1=4;\n", "'B1=4' is not a move with its score"),
    ],
)
def test_broken_line_is_reported_and_others_run(name, text, complaint, tmp_path, capsys):
    good = f"{MATE} bm Re8;" if name == "set.epd" else f"{LAST} O; G7:+38;"
    file = file_of(tmp_path, f"{good}\n\n{text}{good}\n", name)
    status, out, err = run_puzzles(capsys, file, "--engine", "alphabeta", "--depth", "1")
    first, broken, last, summary = out.splitlines()
    assert (status, err) == (6, "")
    assert first.startswith(("ok  line 1: ", "XX  line 1: regression: ")), "it was searched"
    assert last.startswith(("ok  line 4: ", "XX  line 4: regression: "))
    assert broken.startswith("XX  line 3: bad input: ") and complaint in broken
    assert broken.endswith(f" ({file}:3)")
    assert summary.startswith("3 tests: ") and "1 bad input" in summary
    document = json.loads(run_puzzles(capsys, file, "--engine", "alphabeta", "--depth", "1", "--json")[1])
    assert [test["line"] for test in document["tests"]] == [1, 3, 4] and document["status"] == 6


def test_a_collection_of_broken_lines_only_or_of_none(tmp_path, capsys):
    assert (
        run_puzzles(capsys, file_of(tmp_path, "8/8 w\n8/8 b\n"))[1]
        .splitlines()[-1]
        .startswith("2 tests: 2 bad input")
    )
    with pytest.raises(BadInput, match="contains no positions"):
        puzzles.read(file_of(tmp_path, "# nothing\n"))


def test_illegal_solution_is_an_error_of_the_collection(tmp_path, capsys):
    file = file_of(tmp_path, "4444 bm 9;\n")
    status, out, _ = run_puzzles(capsys, file, "--game", "connect4", "--depth", "2")
    assert status == 6 and "XX  line 1: bad input: " in out and "9" in out


def test_suite_defaults_apply_to_tests(tmp_path, capsys):
    text = (
        'game = "tictactoe"\ndepth = 3\n'
        '[[position]]\nname = "open"\nexpect = { nodes_at_most = 1000000 }\n'
        '[[position]]\nname = "own"\ndepth = 2\nengine = "minimax"\nexpect = { nodes = 82 }\n'
    )
    file = file_of(tmp_path, text, "own.toml")
    document = json.loads(run_puzzles(capsys, file, "--engine", "minimax", "--depth", "1", "--json")[1])
    assert [test["facts"]["nodes"] for test in document["tests"]] == [10, 82]
    assert run_puzzles(capsys, file, "--engine", "nobody")[0] == 6
    assert run_puzzles(capsys, file, "--depth", "0")[0] == 2


@pytest.mark.parametrize("file", find_files(POSITIONS, "*.epd"), ids=lambda file: file.stem)
def test_included_collections_name_legal_moves(file):
    """300 positions of Win at Chess, 24 of Bratko and Kopec, each with a unique name."""
    cases = puzzles.read(file)[0].position
    assert len(cases) == {"wac": 300, "bk": 24}[file.stem]
    assert len({case.name for case in cases}) == len(cases)
    position = registry.game("chess").new()
    for case in cases:
        position.setup(case.position)
        moves = {position.format(move) for move in position.moves()}
        assert case.expect.moves
        assert set(case.expect.in_notation(position).moves) <= moves


def test_mates_are_expected_by_plies(tmp_path, capsys):
    text = f"{MATE} bm Re8+; id 'spelling';\n{MATE} dm 1;\n{MATE} am Re8#;\n{MATE} dm 2;\n"
    file = file_of(tmp_path, text.replace("'", '"'))
    status, out, _ = run_puzzles(capsys, file, "--depth", "4")
    assert status == 3
    assert "ok  spelling: move Re8#, win in 1, " in out and "ok  line 2: " in out
    assert "XX  line 3: regression: move Re8#, expected anything but Re8#" in out
    assert "XX  line 4: regression: value win in 1, expected win in 3" in out
