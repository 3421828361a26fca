"""The text of recorded games: real deviations are read, trees come back equal, errors are reported."""

import random
import tomllib

import pytest

from gameplay.store.formats import pgn, text
from gameplay.store.formats.pgn import Line, Sheet, Step
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

ANSWERS = tomllib.loads((TESTS / "answers" / "pgn.toml").read_text())

RECORDS = TESTS / "examples" / "records"


def begins(fen):
    return (1, int(fen.startswith("W:")))


def read(words, **options):
    return list(pgn.read(words.splitlines(), "x.pgn", **options))


def one(words, **options):
    (sheet,) = read(words, **options)
    assert not sheet.problem
    return sheet


@pytest.mark.parametrize("name", ["chess.pgn", "checkers.pdn"])
def test_real_games_are_written_back_byte_for_byte(name):
    file = RECORDS / name
    fens = {"chess.pgn": lambda fen: (1, 0), "checkers.pdn": begins}
    sheets = list(pgn.read(text.lines(file), name))
    assert [sheet.problem for sheet in sheets] == [""] * len(sheets)
    assert "".join(pgn.write(sheet, fens[name]) for sheet in sheets) == file.read_text()


def test_movetext_tree_preserves_order():
    sheet = one('[White "M\\"\\\\x"]\n\n{a\nb} 1. e4! {c} (1.d4 d5 (1... f5?!) {d}) $12 e5 ; f }\n*')
    inner = Line([], [Step("d5"), Step("")])
    assert sheet.tags["White"] == 'M"\\x' and sheet.tags["Event"] == "?"
    assert sheet.line.notes == ["a b"]
    first, second = sheet.line.steps
    inner = Line([], [Step("d4"), Step("d5", [Line([], [Step("f5", [6])]), "d"])])
    assert first == Step("e4", [1, "c", inner, 12]) and second == Step("e5", ["f }"])
    assert first.comments == ["c"] and sheet.words == ["e4", "e5"]


@pytest.mark.parametrize(("words", "moves", "result"), ANSWERS["liberties"])
def test_the_liberties_of_real_files(words, moves, result):
    sheet = one(words)
    assert (" ".join(sheet.words), sheet.result) == (moves, result)


def test_draughts_results_have_more_forms():
    ends = {"2-0": "1-0", "1-1": "1/2-1/2", "1-0": "1-0"}
    assert [sheet.result for sheet in read("1. 9-14 2-0\n1. 9-13 1-1", results=ends)] == ["1-0", "1/2-1/2"]


def test_games_without_tags_follow_each_other():
    assert [sheet.words for sheet in read("1. e4 e5 1-0 1. d4 0-1\n1. c4 *")] == [
        ["e4", "e5"],
        ["d4"],
        ["c4"],
    ]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("1. e4 (1. d4", "line 5, game 2: a variation is not closed"),
        ("1. e4 ) e5 *", "line 5, game 2: ')' closes no variation"),
        ("1. e4 {open", "line 5, game 2: a comment is not closed"),
        ("1. e4 } *", "line 5, game 2: '}' has no meaning here"),
        ('[White "Ann\n1. e4 *', 'line 5, game 2: a tag must be written [Name "value"]'),
        ("[White]\n1. e4 *", 'line 5, game 2: a tag must be written [Name "value"], not [White]'),
        ("1. e4 11-\n\n", "line 7, game 2: '11-' is half a move"),
        ("1. e4 " + "(e5 " * 60, "line 5, game 2: a variation is not closed"),
    ],
)
def test_reader_reports_an_error_with_its_line_and_reads_the_other_games(words, problem):
    good = '[Event "good"]\n\n1. e4 *\n\n'
    sheets = read(f"{good}{words}\n{good}{good}")
    assert sheets[1].problem.startswith(f"x.pgn, {problem}")
    assert [sheet.problem for sheet in sheets if sheet is not sheets[1]] == ["", "", ""]


def tree(rng, depth=2):
    """A random line with all optional elements."""
    words = ["plain", "a; b", "(c)", "[Event", "%x", '"q"', "1-0", "12.", "$1", "*", "é", "x" * 90]

    def some():
        return " ".join(rng.choice(words) for _ in range(rng.randrange(1, 30)))

    def notes(low):
        kinds = ["comment", "semicolon", "mark"][: 2 + low] + ["line"] * (low and depth > 0)
        results = []
        for kind in [rng.choice(kinds) for _ in range(rng.choice((0, 0, 0, 1, 3)))]:
            if kind == "line":
                results.append(tree(rng, depth - 1))
            else:
                results.append({"comment": some, "semicolon": lambda: some() + " } x",
                              "mark": lambda: rng.randrange(140)}[kind]())  # fmt: skip
        return results

    moves = [rng.choice(["e4", "O-O", "Nbd7+", "c8=Q#", "11-15"]) for _ in range(rng.randrange(1, 12))]
    return Line(notes(0), [Step(move, notes(1)) for move in moves])


@pytest.mark.parametrize(
    ("sign", "mark"),
    [("!", 1), ("?", 2), ("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("*", 8), (" $8", 8), (" $139", 139)],
)
def test_marks_have_the_numbers_of_the_standard(sign, mark):
    """Edwards' table, section 10: good, poor, very good, very poor, speculative, questionable; 8 singular."""
    sheet = one(f"1. 9-14 22-18{sign} 2. 5-9 *")
    assert [step.notes for step in sheet.line.steps] == [[], [mark], []]
    assert f"22-18 ${mark} 2. 5-9" in pgn.write(sheet, begins)
    if not sign.startswith((" ", "*")):
        assert one(f"1. 9-14 22-18 ({sign}) *").line.steps[1].notes == [mark]


@pytest.mark.parametrize("word", ["%eval", "[%clk", "[Event"])
@pytest.mark.parametrize("before", range(8))
def test_no_line_of_a_comment_begins_like_an_escape_or_a_tag(word, before):
    """Line-based readers skip a line that begins with %, and take one with [ for a tag."""
    words = ["x" * before, *[word, "0:00:01]", "and"] * 30]
    written = pgn.write(Sheet(line=Line([], [Step("e4", [" ".join(words).strip()])])), begins)
    lines = written[written.index("\n\n") + 2 :].splitlines()
    assert len(lines) > 5 and one(written).line.steps[0].notes == [" ".join(words).strip()]
    for line in lines:
        assert not line.startswith(("%", "["))
        assert len(line) < 80


def test_a_comment_that_begins_like_an_escape_stays_one():
    for words in ("%x", "[x", "%", "[ x"):
        written = pgn.write(Sheet(line=Line([words], [Step("e4")])), begins)
        assert f"\n{{{words}}} 1. e4 *\n" in written


@pytest.mark.parametrize("seed", range(60))
def test_written_movetext_is_read_as_the_same_tree(seed):
    rng = random.Random(seed)
    sheet = Sheet(line=tree(rng), result=rng.choice(["1-0", "0-1", "1/2-1/2", "*"]))
    sheet.tags |= {"White": 'a "b" \\c', "Zeta": "1", "FEN": rng.choice(["W:x", "B:x"])}
    written = pgn.write(sheet, begins)
    again = one(written)
    assert again == sheet
    assert pgn.write(again, begins) == written
    assert max(len(line) for line in written.splitlines() if "x" * 90 not in line and ";" not in line) < 80


def test_no_text_brings_more_than_a_problem():
    rng = random.Random(3)
    whole = (RECORDS / "chess.pgn").read_text()
    for _ in range(300):
        begin = rng.randrange(len(whole) - 400)
        letters = list(whole[begin : begin + 400])
        for _ in range(rng.randrange(1, 12)):
            letters[rng.randrange(len(letters))] = rng.choice('[](){};%$"\\*!?.\n 1-0½…<>x')
        for sheet in read("".join(letters)):
            if not sheet.problem:
                assert one(pgn.write(sheet, lambda fen: (1, 0))) == sheet


def test_long_files_are_read_in_one_pass():
    """An endless comment or line costs no more than its length."""
    lines = ["1. e4 {", *["word " * 10] * 3000, "} e5 *"]
    (sheet,) = pgn.read(lines, "x")
    assert len(sheet.line.steps[0].comments[0].split()) == 30_000
    assert len(one("e4 e5 " * 20_000).words) == 40_000
    assert len(read("1. e4 1-0 " * 20_000)) == 20_000


def test_position_in_a_file_does_not_affect_equality():
    assert Step("e4", at=7, mover=1, won=(0, 1, ())) == Step("e4") != Step("e4", ["so"])
    assert (Step("e4").at, Step("e4").mover, Step("e4").won) == (0, 0, None)
    assert Sheet(number=3, problem="torn") == Sheet() != Sheet(result="1-0")
    assert (Sheet().number, Sheet().problem, Sheet().words) == (1, "", [])


@pytest.mark.parametrize(
    ("text", "moves", "comments"),
    [
        ("1. e4 {a {b} c} e5 *", "e4 e5", [["a {b} c"], []]),  # as in the files of pgn-extract
        ("1. e4 {a {b\n{c} d} e}\ne5 {f} *", "e4 e5", [["a {b {c} d} e"], ["f"]]),
        ("1. e4 {a { b} e5 {c} *", "e4 e5", [["a { b"], ["c"]]),  # the standard: braces do not nest
        ("1. e4 {:-{ b} e5 {c {d} e} Nf3 *", "e4 e5 Nf3", None),  # no reading balances
        ("1. e4 {a {b} e5 ; c }\n*", "e4 e5", [["a {b"], ["c }"]]),
        ('1. e4 {a {b} *\n\n[Event "x"]\n\n1. d4 {c} d5} *', "e4", [["a {b"]]),  # closed in another game
    ],
)
def test_comments_are_nested_where_braces_balance_only_so(text, moves, comments):
    sheet = read(text)[0]
    if comments is None:
        assert "'}' has no meaning here" in sheet.problem
        return
    assert not sheet.problem
    assert " ".join(sheet.words) == moves
    assert [step.comments for step in sheet.line.steps] == comments
    nested = "}" in comments[0][0]
    assert sheet.warnings == ["line 1: a nested comment is read as part of the outer one"] * nested
    (again,) = read(pgn.write(sheet, lambda fen: (1, 0)))
    assert [step.comments for step in again.line.steps] == comments


def test_many_unbalanced_comments_are_read_in_one_pass():
    assert len(read("1. e4 {{} * " * 2_000)) == 2_000
    assert len(read("1. e4 {{}\n*\n" * 2_000)) == 2_000
