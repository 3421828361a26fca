"""Files of other programs, mutated: whatever is read, written and read again is the same, and nothing raises.

`MUTATIONS=50000 pytest tests/store/formats/test_mutations.py` tries more of them.
"""

import os
import random

import pytest

from gameplay import registry
from gameplay.errors import BadInput
from gameplay.store.formats import conversion, epd, game_formats, pgn
from gameplay.value import MAX_EVAL
from tests.support.paths import ROOT, TESTS

pytestmark = pytest.mark.once

COUNT = int(os.environ.get("MUTATIONS", "500"))
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"

ENTRIES = [
    *(ROOT / "benchmarks" / "positions" / "bk.epd").read_text().splitlines(),
    f"{START} ;D1 20 ;D2 400",
    f'{START} hmvc 3; fmvn 9; id "x; y"; noop;',
    f"{START} 0 1 ce -31; acd 12; hmvc 3; fmvn 9;",
    "8/8/8/ - am Kd1; dm 2; ce -30; acd 5; hmvc 7; fmvn 10;",
    "B:W18,24:B12,K22 bm 12-16;",
]
GAMES = {
    ".pgn": [
        *(TESTS / "examples" / "records" / "chess.pgn").read_text().split("\n\n[Event"),
        "1. e4 e5 (1... c5 {x} $1) 2. Nf3! ; tail } %x\n1-0\n1. d4 *",
        '[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 7"]\n\n7. O-O {+0.31/12 0.2s} Ke7 {+M5/9} *',
    ],
    ".pdn": [
        *(TESTS / "examples" / "records" / "checkers.pdn").read_text().split("\n\n[Event"),
        "1. 11-15 23-\n18 2. 8-11 27-23 3.\n 4-8 1-0",
        "9-14 27-20* (!) 1/2-1/2 {good} 1/2-1/2",
        '[FEN "W:W31:B1"]\n[SetUp "1"]\n\n1. 31-27 {-1.20/11} 1-5 0-0',
    ],
}
LETTERS = '[](){};%$"\\*!?.\n 1-0½…<>x/#wbWB:,=+_~\t\r\x0b\x0c\x1c\x85\u2028\u00a0\u0663²'
LETTERS += "0123456789abcdefghKQRNO"
WORDS = [
    *("1-0", "0-1", "1/2-1/2", "*", "½", "2-0", "11-", "9x", "--", "Z0", "e.p.", "1.", "1...", "e8(Q)"),
    *("$5", "$999999999999", "%", "<a>", "( ", ") ", "{", "}", "-", "w", '[Event "x"]', '[Result "1-0"]'),
    *('[FEN "W:W1:B2"]', '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]', '[Variant "Chess960"]', '[GameType "21"]'),
    *("hmvc x;", "hmvc 5;", "fmvn 10;", "hmvc;", 'id "a b";', "bm e4;", "D1 20;", "{+0.20/9}", "{-M3/5 1s}"),
]  # fmt: skip


def mutate(rng: random.Random, text: str) -> str:
    """The text with one to eight changes of letters, words and passages."""
    letters = list(text)
    for _ in range(rng.choice((1, 1, 2, 3, 5, 8))):
        at, other = rng.randrange(len(letters) + 1), rng.randrange(len(letters) + 1)
        match rng.randrange(6):
            case 0:
                letters[at : at + 1] = rng.choice(LETTERS)
            case 1:
                letters[at:at] = rng.choice(LETTERS)
            case 2:
                del letters[at : at + rng.choice((1, 2, 5, 20))]
            case 3:
                letters[at:at] = rng.choice(("", " ")) + rng.choice(WORDS) + rng.choice(("", " "))
            case 4:
                letters[other:other] = letters[at : at + 60]
            case 5:
                letters[at:at] = rng.choice(LETTERS) * rng.choice((2, 10, 300, 5000))
    return "".join(letters)


def test_positions():
    rng, read = random.Random(1), 0
    for _ in range(4 * COUNT):
        line = mutate(rng, rng.choice(ENTRIES)).replace("\n", " ")
        try:
            entry = epd.parse(line)
        except BadInput:
            continue
        read += 1
        written = epd.write(entry)
        again = epd.parse(written)
        assert (again.position, list(again.operations.items())) == (
            entry.position,
            list(entry.operations.items()),
        ), line
        assert epd.write(again) == written, line
    assert read > COUNT


@pytest.mark.parametrize("suffix", GAMES)
@pytest.mark.parametrize("by_the_rules", [False, True])
def test_games(suffix, by_the_rules):
    rng, read = random.Random(2), 0
    form = game_formats.FORMATS[suffix]
    game = registry.game(form.game)
    for _ in range(COUNT):
        text = mutate(rng, "\n".join(rng.choice(GAMES[suffix]) for _ in range(rng.choice((1, 1, 2)))))
        for sheet in form.read(text.splitlines(keepends=rng.random() < 0.5), "x"):
            if sheet.problem or (by_the_rules and conversion._try_replay(sheet, form, game, "x") is None):
                continue
            read += 1
            written = form.write(sheet)
            [again] = form.read(written.splitlines(), "x")
            assert (again.problem, again) == ("", sheet), text
            assert form.write(again) == written, text
    assert read > COUNT / 20


# -- what was found so ----------------------------------------------------------------------------


@pytest.mark.parametrize("opcode", ["hmvc", "fmvn"])
@pytest.mark.parametrize("count", ["x", "-1", '"1 2"', '""', "²"])
def test_an_invalid_move_count_is_refused(opcode, count):
    counts = {"hmvc": "0", "fmvn": "10"} | {opcode: count}
    line = "8/8/8/ - am Kd1; dm 2; ce -30; acd 5; " + " ".join(f"{k} {v};" for k, v in counts.items())
    with pytest.raises(BadInput, match=f"EPD: {opcode} expects a number of moves, not "):
        epd.parse(line)


@pytest.mark.parametrize("word", ["[", "[1", "]", '"', "%", "%x", 'e5"'])
def test_mutated_text_never_becomes_a_tag_or_escape(word):
    [sheet] = pgn.read(["1. e4 e5 " + "Nf3 " * 30 + word], "x")
    assert sheet.problem.startswith("x, line 1, game 1: ")
    assert "has no meaning here" in sheet.problem or f", not {word}" in sheet.problem


def test_a_tag_behind_moves_begins_another_game_and_is_no_tag_of_the_first():
    form = game_formats.FORMATS[".pgn"]
    first, second = form.read(["1. e4 e5 " + "Nf3 " * 30 + '[FEN "x"]'], "x")
    assert "FEN" not in first.tags and len(first.words) == 32 and not first.problem
    assert second.tags["FEN"] == "x" and second.words == []
    [again] = form.read(form.write(first).splitlines(), "x")
    assert again == first


@pytest.mark.parametrize(
    ("text", "words", "result"),
    [
        ("9-14 1-0Blackresigned", ["9-14"], "1-0"),
        ("9-14 24-20 0-0rest", ["9-14", "24-20"], "*"),
        ("9-14 x* 24-20", ["9-14x24-20"], "*"),
        ("9-14 ch* 24-20", ["9-14", "24-20"], "*"),
        ("9-14 N= 24-20", ["9-14", "24-20"], "*"),
        ("9-14 e4+=+= 24-20", ["9-14", "e4+", "24-20"], "*"),
        ("9-14 1-0 ** 1-0*", ["9-14"], "1-0"),
        ("9-14 1-0 *", ["9-14"], "1-0"),
    ],
)
def test_suffixes_are_stripped_before_reading_a_move(text, words, result):
    form = game_formats.FORMATS[".pdn"]
    [sheet] = form.read([text], "x")
    assert (sheet.words, sheet.result, sheet.problem) == (words, result, "")
    [again] = form.read(form.write(sheet).splitlines(), "x")
    assert again == sheet


def test_names_of_tags_that_are_written_as_one_name_are_written_once():
    form = game_formats.FORMATS[".pgn"]
    [sheet] = form.read(['[A_b "1"]', '[A-b "2"]', '[A{c "3"]', '[A(c "4"]', "e4 *"], "x")
    written = form.write(sheet)
    assert '[A_b "2"]\n[A_c "4"]\n' in written and written.count("[A_") == 2
    [again] = form.read(written.splitlines(), "x")
    assert again == sheet and form.write(again) == written


@pytest.mark.parametrize(
    ("word", "result"), [("1-0*", "1-0"), ("1/2-1/2**", "1/2-1/2"), ("*", "*"), ("**", "*")]
)
def test_a_result_with_a_star_is_a_result(word, result):
    [sheet] = pgn.read([f"1. e4 {word}"], "x")
    assert (sheet.words, sheet.result, sheet.problem) == (["e4"], result, "")


@pytest.mark.parametrize("text", ["1. 9-14 2-\n *", "1. 9-14 2-*", "1. 9-14 2-\n1-0", "1. 9-14 2-\n**"])
def test_half_a_move_is_no_move_with_a_star(text):
    [sheet] = pgn.read(text.splitlines(), "x")
    assert "'2-' is half a move" in sheet.problem


@pytest.mark.parametrize(
    ("message", "value", "depth", "seconds"),
    [
        ("+0.31/12 0.2s", 31, 12, 0.2),
        ("+999999999/1", MAX_EVAL, 1, None),
        ("-999999999/1", -MAX_EVAL, 1, None),
        ("-M5/12", -999_995, 12, None),
        ("+M99999/1", 999_745, 1, None),
        (f"+{'9' * 400}/1", None, None, None),
        (f"+0.1/{'9' * 5000}", None, None, None),
        (f"+M{'9' * 5000}/1", None, None, None),
        (f"+0.1/1 {'9' * 400}s", None, None, None),
        ("+٣/1", None, None, None),
    ],
)
def test_engine_text_is_a_value_or_a_comment(message, value, depth, seconds):
    form = game_formats.FORMATS[".pgn"]
    [sheet] = form.read([f"1. e4 {{{message}}} *"], "x")
    ply = conversion.replay(sheet, form, registry.game(form.game)).moves[0]
    assert (ply.value, ply.depth, ply.seconds) == (value, depth, seconds)


def test_a_long_row_of_anything_costs_no_more_than_its_length():
    """At quadratic cost each of these would take minutes."""
    many = 100_000
    assert epd.parse(f"{START} bm e4;{' ' * many}").operations == {"bm": ["e4"]}
    for row in ("<", "<a", "1.", "1 ", "9", "e. ", " "):
        for sheet in pgn.read([row * many + "x"], "x"):
            assert sheet.problem or set(sheet.words) <= {"e", "x", "9" * many + "x"}


def test_a_game_from_a_position_with_an_endless_number_is_written():
    form = game_formats.FORMATS[".pgn"]
    [sheet] = form.read([f'[FEN "8/8/8/8/8/8/8/8 w - - 0 {"9" * 5000}"]', "e4 *"], "x")
    assert "\n1. e4 *" in form.write(sheet)
