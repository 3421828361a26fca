"""Games recorded by other programs and by hand: PGN, PDN, SGF and EPD.

Read are all liberties that real files take, with a warning where a rule or the format is broken; written is
what strict readers accept: python-chess, sgfmill, and pgn-extract where it is installed. The small files of
`data/` are ours.
"""
# ruff: noqa: E501 - tables of inputs, a line each

import io
import os
import random
import shutil
import subprocess
from pathlib import Path

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf as sgfmill

from gameplay import registry
from gameplay.errors import BadInput
from gameplay.runs.frames import frames
from gameplay.store import saved
from gameplay.store.formats import conversion, epd, game_formats, sgf_tree, sgf_writer, text
from gameplay.store.formats import pgn as movetext
from gameplay.store.formats.pgn import Line, Sheet, Step
from tests.support.commands import run_printed
from tests.support.paths import TESTS
from tests.support.records import read

pytestmark = pytest.mark.once

DATA = Path(__file__).parent / "data"
RECORDS = TESTS / "examples" / "records"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def write_file(tmp_path, content, suffix=".pgn"):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


# -- small files that other programs read -------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "moves", "result", "warning"),
    [
        ("beyond-75-moves.pgn", "Rd4 Ke5 Rd5+", [1, -1], "line 5: by today's rules the game is over before 'Ke5' (75 moves"),
        ("comment-before-tags.pgn", "e4 e5", None, ""),
        ("dos-end-of-file.pgn", "e4 e5", None, ""),
        ("long-algebraic-castling.pgn", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O", None, ""),
        ("quotes-in-a-tag.pgn", "e4", None, ""),
        ("no-size.sgf", "D16 Q4", None, ""),
    ],
)  # fmt: skip
def test_small_files_are_read_as_other_programs_read_them(name, moves, result, warning):
    ((sheet, record),) = read(DATA / name)
    assert (sheet.problem, " ".join(record.words), record.result) == ("", moves, result)
    assert record.warnings[0].startswith(warning) if warning else record.warnings == []
    assert saved.read(DATA / name, None, registry.game) == record


# -- liberties of PGN ---------------------------------------------------------------------------

PGN = [  # text, moves, tags, words of a warning
    ('{ made by a tool }\n; and a line\n[Event "x"]\n\n1. e4 *', "e4", {"Event": "x"}, ""),
    ('[Event "x"] { note }\n[White "y"] ; more\n1. e4 *', "e4", {"Event": "x", "White": "y"}, ""),
    ('[Event "a\nb"]\n[Site\n"c"]\n1. e4 *', "e4", {"Event": "a b", "Site": "c"}, ""),
    ('[Event "x"][Site "y"] 1. e4 e5 *', "e4 e5", {"Event": "x", "Site": "y"}, ""),
    ('[Event "The "Big" Open"]\n[Site "C:\\"]\n[White "a\\b \\"c\\" \\\\"]\n1. e4 *', "e4",
     {"Event": 'The "Big" Open', "Site": "C:\\", "White": 'a\\b "c" \\'}, ""),
    ('[event "x"]\n[fen "8/8/4k3/8/8/3RK3/8/8 w - - 0 1"]\nRd4 *', "Rd4", {"Event": "x"}, ""),
    ('[Event "x]\n1. e4 *', "e4", {"Event": "x"}, "line 1: a quotation mark is missing"),
    ('1. e4 {see\n[Event "y"]\n[Site "z"]\nthere} e5 *', "e4 e5", {}, ""),
    ("% escaped\n1. e4\n%1. d4 {\ne5 *", "e4 e5", {}, ""),
    ("1.e4 e5 2.Nf3 2...Nc6 3. Bb5 3. ... a6 4…Ba4 *", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4", {}, ""),
    ("1. e2-e4 e7e5 2. Ng1-f3 Nb8c6 3. f1c4 Bf8:c5 4. Ke1-g1 *", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O", {}, ""),
    ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. e1-g1 Nf6 5. d3 0-0 *", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 O-O", {}, ""),
    ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. o-o Nf6 5. d3 Ke8xh8 *", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 O-O", {}, ""),
    ("1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O–O–O e8c8 *",
     "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O", {}, ""),
    ("1. e4 d5 2. ed Qd8:d5+ 3. ♘c3 Qa5!? 4. d4 ± e5?! 5. d4xe5 ∞ *", "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 e5 dxe5", {}, ""),
    ("1. e4 d5 2. e5 f5 3. exf6e.p. g6 4. f7+ Kd7 5. f7xg8(Q) *", "e4 d5 e5 f5 exf6 g6 f7+ Kd7 fxg8=Q", {}, ""),
    ("1. e4 d5 2. e5 f5 3. e5:f6 e.p. ef6: 4. Pd2-d4 *", "e4 d5 e5 f5 exf6 exf6 d4", {}, ""),
    ('[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\na8/Q+ *', "a8=Q+", {}, ""),
    ('[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\na7a8Q+ ch *', "a8=Q+", {}, ""),
    ('[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\na7-a8=R† *', "a8=R+", {}, ""),
    ("1. e4 e5 2. Lc4 Sc6 3. Dh5 *", "e4 e5 Bc4 Nc6 Qh5", {}, ""),
    ("1. e4 $0 $1 e5 N 2. Nf3 D Nc6 (=) += *", "e4 e5 Nf3 Nc6", {}, ""),
    ("(1. d4) $1 1. e4 (1. c4 (1. b4) 1... c5) e5 *", "e4 e5", {}, ""),
    ("1. e4 (1. d4 -- 2. c4) e5 2. Z0 Nc6 *", "e4 e5", {}, "line 1: 'Z0' is not a move of the game"),
    ("1. e2 - e4 e7 - e5 1 - 0", "e4 e5", {}, ""),
    ('[Result "1-0"]\n\n1. e4 e5 0-1', "e4 e5", {}, "line 3: the moves end with 0-1, which counts, but the tag"),
    ('[Result "1-0"]\n\n1. f3 e5 2. g4 Qh4# 1-0', "f3 e5 g4 Qh4#", {}, "the recorded result 1-0 differs from the result by the rules (checkmate)"),
    ('[Variant "Fischer Random"]\n[FEN "4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1"]\n1. e1g1 *', "O-O", {}, ""),
    ('[FEN "4k3/8/8/8/8/8/8/R3K2R w KQ -"]\n1. O-O-O+ *', "O-O-O", {}, ""),
    ('[FEN "8/8/8/4k3/8/8/4K3/8 w - - 0 1"]\n1. Kd3 Kd5 2. Ke3 *', "Kd3 Kd5 Ke3", {}, "line 2: by today's rules the game is over"),
    (" " + "\ufeff" + '[Event "x"]\r1. e4 *\r', "e4", {"Event": "x"}, ""),
]  # fmt: skip


@pytest.mark.parametrize(("content", "moves", "tags", "warning"), PGN)
def test_liberties_of_pgn_are_read(tmp_path, content, moves, tags, warning):
    ((sheet, record),) = read(write_file(tmp_path, content))
    assert sheet.problem == "" and " ".join(record.words) == moves
    assert {name: sheet.tags[name] for name in tags} == tags
    if warning:
        assert record.warnings[0].startswith(warning), record.warnings
    else:
        assert record.warnings == []


@pytest.mark.parametrize(("content", "moves", "tags", "warning"), PGN)
def test_lenient_input_is_written_strictly(tmp_path, content, moves, tags, warning):
    ((sheet, record),) = read(write_file(tmp_path, content))
    pgn = game_formats.FORMATS[".pgn"].write(sheet)
    strict = chess.pgn.read_game(io.StringIO(pgn))
    assert strict.errors == []
    board, plain = strict.board(), []
    for move in strict.mainline_moves():
        if not move:
            break
        plain.append(board.san(move))
        board.push(move)
    assert [word.rstrip("+#") for word in plain] == [word.rstrip("+#") for word in record.words]
    plain = {name: strict.headers[name].replace('\\"', '"').replace("\\\\", "\\") for name in tags}
    assert plain == tags  # python-chess leaves backslashes in
    assert strict.headers["Result"] == sheet.result
    ((again, copy),) = read(write_file(tmp_path, pgn))
    assert copy.words == record.words and game_formats.FORMATS[".pgn"].write(again) == pgn


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('[Event "a"]\n1. e4 e5 1-0 [Event "b"]\n1. d4 0-1\n[Event "c"]\n1. c4', ["e4 e5", "d4", "c4"]),
        ('[Event "a"]\n[Result "1-0"]\n\n[Event "b"]\n\n1. e4 *', ["", "e4"]),
        ("1. e4 e5 2. Nf3\n\n1. d4 d5\n\n2. c4\n", ["e4 e5 Nf3", "d4 d5 c4"]),
        ("1. e4 1-0 1. d4 1/2 – 1/2 1. c4 0:1", ["e4", "d4", "c4"]),
        ('[Event "a"]\n\n1. e4 {open\n\n[Event "b"]\n\n1. d4 {closed} *', [None, "d4"]),
        ('[Event "a\n[Event "b"]\n\n1. d4 *\n', [None]),
        ("1. e9 *\n\n[Event \"b\"]\n1. d4 d5 *", [None, "d4 d5"]),
    ],
)  # fmt: skip
def test_games_of_a_file_are_separated_and_a_bad_one_stops_no_other(tmp_path, content, words):
    games = read(write_file(tmp_path, content))
    assert [record and " ".join(record.words) for _, record in games] == words
    for sheet, record in games:
        assert bool(sheet.problem) == (record is None)


TEXTS = {
    "utf-8": "Müller – Ståhl “1–0”",
    "utf-8-sig": "Müller 马",
    "latin-1": "Müller, Ståhl, ½",
    "cp1252": "Müller – “Ståhl”",
    "utf-16": "Müller 马",
    "utf-16-le": "Müller 马",
    "utf-16-be": "Müller 马",
}


@pytest.mark.parametrize("encoding", TEXTS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends_are_recognised(tmp_path, encoding, end):
    lines = [f'[White "{TEXTS[encoding]}"]', "", "1. e4 {x}", "e5 *", ""]
    ((sheet, record),) = read(write_file(tmp_path, end.join(lines).encode(encoding)))
    assert sheet.tags["White"] == TEXTS[encoding] and record.words == ["e4", "e5"]


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        ("gb2312", "马晓春 对 李昌镐，黑棋中盘胜"), ("gb18030", "张栩"), ("cp932", "高川 格、これはいい"),
        ("cp932", "坂田栄男 本因坊戦"), ("euc_jp", "これはいいてです。高川 格"), ("euc_kr", "이창호 조훈현 국수전 결승"),
        ("big5", "張栩 周俊勳 這是一盤很好的棋"), ("latin-1", "Müller, José, Ça va"), ("cp1252", "don’t – “well”"),
        ("utf-16", "马晓春"), ("utf-16-le", "马晓春"), ("utf-8", "马晓春"), ("utf-8-sig", "Åsa"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("named", ["", "CA[{}]", "CA[UTF-8]"])
def test_sgf_is_read_in_the_encoding_that_it_has_whatever_it_names(tmp_path, encoding, words, named):
    charset = named.format({"utf-8-sig": "UTF-8", "utf-16-le": "UTF-16"}.get(encoding, encoding))
    content = f"(;GM[1]SZ[9]{charset}C[{words}];B[aa])".encode(encoding)
    ((sheet, record),) = read(write_file(tmp_path, content, ".sgf"))
    assert sheet.line.notes == [words] and record.words == ["A9"]
    assert sgfmill.Sgf_game.from_bytes(sgf_writer.write(sheet).encode()).get_root().get("C") == words


# -- PDN ----------------------------------------------------------------------------------------

SHUFFLE = "27-23 2-6 23-27 6-2 "


@pytest.mark.parametrize(
    ("content", "moves", "warning"),
    [
        ("1. 11-15 23-19 2. 8-11 22-17 1-0", "11-15 23-19 8-11 22-17", ""),
        ("1. 11 - 15 23 - 19 2. 8–11 22-17 2-0", "11-15 23-19 8-11 22-17", ""),
        ("1. 9-14 22-18 2. 5:9 *", None, ""),
        ("1. 11-15 22-18 2. 15-22 25x18 1-1", "11-15 22-18 15x22 25x18", ""),
        ("1. 11-15 22-18 2. 15:22 25:18 0-0", "11-15 22-18 15x22 25x18", ""),
        ("1. 11-15! 23-19* $8 (?!) 2. 8-11Whiteoverstepped. *", "11-15 23-19 8-11", ""),
        ('[FEN "B:W 27, 3:BK2."]\n*', "", "line 1: men on their last row are read as kings"),
        (f'[FEN "W:WK27:BK2"]\n{SHUFFLE * 4} 1/2-1/2', (SHUFFLE * 4).strip(),
         "line 2: by today's rules the game is over before '27-23' (threefold repetition)"),
    ],
)  # fmt: skip
def test_liberties_of_pdn_are_read(tmp_path, content, moves, warning):
    ((sheet, record),) = read(write_file(tmp_path, content, ".pdn"))
    if moves is None:
        assert record is None and sheet.problem.startswith(f"{tmp_path}/a.pdn, line 1, game 1: '5:9'")
        return
    assert sheet.problem == "" and " ".join(record.words) == moves
    assert record.warnings[0].startswith(warning) if warning else record.warnings == []
    pdn = game_formats.FORMATS[".pdn"].write(sheet)
    ((again, copy),) = read(write_file(tmp_path, pdn, ".pdn"))
    assert copy.words == record.words and game_formats.FORMATS[".pdn"].write(again) == pdn


# -- games that went on after an automatic end --------------------------------------------------

CONTINUED = {
    "fivefold.pgn": "1. Nf3 Nf6 2. Ng1 Ng8 " + "Nf3 Nf6 Ng1 Ng8 " * 5 + "e4 e5 1-0",
    "bare-kings.pgn": '[FEN "8/8/8/4k3/8/8/4K3/8 w - - 0 1"]\n1. Kd3 Kd5 2. Ke3 Ke5 1/2-1/2',
    "seventy-five.pgn": (DATA / "beyond-75-moves.pgn").read_text(),
    "passes.sgf": "(;SZ[5]RE[B+R];B[cc];W[];B[];W[bb];B[dd])",
    "threefold.pdn": f'[FEN "W:WK27:BK2"]\n{SHUFFLE * 4} 1/2-1/2',
    "threefold.sgf": "(;SZ[3]AB[ba][ab][bc]AW[cb]PL[B]RE[0];B[];W[];B[aa])",
}


@pytest.mark.parametrize("name", CONTINUED)
def test_games_played_on_are_replayed_reviewed_exported_and_resumed(tmp_path, capsys, name):
    path = tmp_path / name
    path.write_text(CONTINUED[name])
    ((_, record),) = read(path)
    assert "automatic=off" in record.game and len(record.warnings) == 1
    game = registry.game(record.game)
    assert len(frames(game, record)["plies"]) == len(record.moves)
    status, out, err = run_printed(capsys, "replay", path)
    assert status == 0 and err == f"note: {path}, {record.warnings[0]}\n"
    assert out.count(" plays ") == len(record.moves)
    status, out, err = run_printed(capsys, "review", path, "--nodes", "20")
    assert status == 0 and err.startswith(f"note: {path}, game 1, {record.warnings[0]}")
    status, out, err = run_printed(capsys, "export", path, "--out", tmp_path / "games.jsonl")
    assert status == 0
    assert saved.read(tmp_path / "games.jsonl", None, registry.game) == record
    status, out, err = run_printed(capsys, "export", path, "--out", tmp_path / f"again{path.suffix}")
    assert status == 0 and read(tmp_path / f"again{path.suffix}")[0][1].words == record.words


@pytest.mark.parametrize("spec", ["chess", "chess:claims=off", "checkers", "go:size=5,ko=simple"])
def test_option_automatic_changes_nothing_before_the_end(spec):
    rng = random.Random(5)
    usual = registry.game(spec).new()
    lasting = registry.game(spec).with_parameters({"automatic": "off"}).new()
    while usual.outcome() is None:
        assert lasting.outcome() is None and lasting.moves() == usual.moves() and lasting.key() == usual.key()
        move = rng.choice(usual.moves())
        usual.make(move)
        lasting.make(move)
    if usual.moves() and usual.ending():
        assert lasting.outcome() is None and str(lasting.twin()) == str(lasting)


# -- round trips of what we write ---------------------------------------------------------------

WORDS = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs", "Cf")), min_size=1, max_size=12
)
SPOKEN = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
TAGS = st.dictionaries(
    st.sampled_from(["Event", "Site", "White", "Black", "Opening", "Annotator"]), SPOKEN, max_size=6
)


def random_line(rng, position, depth, spoken):
    """A random line of legal moves with comments, marks and variations; leaves the position unchanged."""
    line = Line([rng.choice(spoken)] if rng.random() < 0.3 else [])
    moves = 0
    for _ in range(rng.randrange(1, 12)):
        if position.outcome() is not None:
            break
        move = rng.choice(position.moves())
        step = Step(position.format(move), mover=position.turn)
        if rng.random() < 0.3:
            step.notes.append(rng.choice((1, 2, 3, 4, 5, 6)))
        if rng.random() < 0.3:
            step.notes.append(rng.choice(spoken))
        if depth and rng.random() < 0.4:
            step.notes.append(random_line(rng, position, depth - 1, spoken))
        line.steps.append(step)
        position.make(move)
        moves += 1
    for _ in range(moves):
        position.unmake()
    return line


@pytest.mark.parametrize(("suffix", "spec"), [(".pgn", "chess"), (".pdn", "checkers"), (".sgf", "go:size=9")])
@given(tags=TAGS, spoken=st.lists(SPOKEN, min_size=1, max_size=5), seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_random_games_with_comments_and_variations_are_read_back_as_they_were_written(
    suffix, spec, tags, spoken, seed
):
    rng, game = random.Random(seed), registry.game(spec)
    form, position = game_formats.FORMATS[suffix], game.new()
    tags = {name: value for name, value in tags.items() if suffix != ".sgf" or name in sgf_tree.NAMES}
    sheet = Sheet(
        tags=movetext.ROSTER | form.game_tags(position) | tags, line=random_line(rng, position, 2, spoken)
    )
    content = form.write(sheet)
    (again,) = form.read(content.split("\n"), "x")
    record = conversion.replay(again, form, form.game_of(again, registry.game))
    assert record.words == sheet.words and record.warnings == []
    assert {name: again.tags[name] for name in tags} == tags
    assert again.line.steps == sheet.line.steps if suffix != ".sgf" else form.write(again) == content
    if suffix == ".pgn":
        strict = chess.pgn.read_game(io.StringIO(content))
        assert strict.errors == [] and len(list(strict.mainline_moves())) == len(record.words)
    if suffix == ".sgf":
        strict = sgfmill.Sgf_game.from_bytes(content.encode())
        assert len(strict.get_main_sequence()) - 1 == len(record.words)


@given(
    st.dictionaries(st.sampled_from(["id", "c0", "c9", "bm", "x"]), st.lists(SPOKEN, max_size=3), max_size=4)
)
@settings(max_examples=100, deadline=None)
def test_epd_operations_are_read_back_as_they_were_written(operations):
    entry = epd.EpdLine(START.removesuffix(" 0 1"), operations, 0)
    assert epd.parse(epd.write(entry)) == entry


def test_epd_that_we_write_is_read_by_python_chess():
    entry = epd.EpdLine(START.removesuffix(" 0 1"), {"bm": ["e4"], "id": ['a "b" \\ ; c'], "acd": ["12"]}, 0)
    board, operations = chess.Board.from_epd(epd.write(entry))
    assert board.fen() == START
    assert operations == {"bm": [chess.Move.from_uci("e2e4")], "id": 'a "b" \\ ; c', "acd": 12}


def test_exports_are_read_by_pgn_extract(tmp_path):
    program = shutil.which("pgn-extract", path=f"{os.environ['PATH']}{os.pathsep}/usr/games")
    if program is None:
        pytest.skip("pgn-extract is not installed: its reading of our exports is not tested")
    rng, form = random.Random(2), game_formats.FORMATS[".pgn"]
    spoken = ["plain", 'a "b" \\', "x; y", "(z)", "[%clk 0:01:00]", "é"]
    parts = []
    for number in range(20):
        line = random_line(rng, registry.game("chess").new(), 2, spoken)
        parts.append(
            form.write(Sheet(tags=movetext.ROSTER | {"Event": f"{number}", "White": 'a "b"'}, line=line))
        )
    path = write_file(tmp_path, "".join(parts))
    done = subprocess.run([program, "-r", str(path)], capture_output=True, text=True, timeout=60)
    assert "20 games matched out of 20." in done.stderr and "rror" not in done.stderr.replace("No errors", "")


# -- corruption and size ------------------------------------------------------------------------

SAMPLES = {
    ".pgn": (RECORDS / "chess.pgn").read_bytes()[:6000] + "".join(text for text, *_ in PGN[:8]).encode(),
    ".pdn": (RECORDS / "checkers.pdn").read_bytes()[:3000],
    ".sgf": (RECORDS / "go.sgf").read_bytes()[-1500:],
    ".epd": b"".join(f'{START} bm e4 d4; id "a; \\"b\\""; hmvc 3; ;D1 20\n'.encode() for _ in range(5)),
}
LETTERS = b'[](){};%$"\\*!?.\n\r\0\x1a 1-0x:/KQkq\xff\x81\xc3\xe2=#+eNBRO<>A'


def corrupt(rng, data):
    """A part of the data with some bytes changed, removed, doubled or moved."""
    begin = rng.randrange(len(data) - 300)
    data = bytearray(data[begin : begin + rng.randrange(100, 1200)])
    for _ in range(rng.randrange(1, 15)):
        place = rng.randrange(len(data))
        how = rng.randrange(4)
        if how == 0:
            data[place] = rng.choice(LETTERS)
        elif how == 1:
            del data[place : place + rng.randrange(1, 9)]
        elif how == 2:
            data[place:place] = bytes(rng.choice(LETTERS) for _ in range(rng.randrange(1, 5)))
        else:
            other = rng.randrange(len(data))
            data[place:place] = data[other : other + rng.randrange(1, 60)]
        data = data or bytearray(b"x")
    return bytes(data)


def test_names_of_tags_are_written_in_letters_digits_and_underscores(tmp_path):
    ((sheet, _),) = read(write_file(tmp_path, '[Gam;Type-é "x"]\n1. e4 *'))
    assert sheet.tags["Gam_Type__"] == "x"
    assert '[Gam_Type__ "x"]' in game_formats.FORMATS[".pgn"].write(sheet)


@pytest.mark.parametrize("suffix", SAMPLES)
def test_no_corruption_raises_anything_but_bad_input(tmp_path, suffix):
    rng, games, wrong = random.Random(11), 0, 0
    for number in range(500):
        path = write_file(tmp_path, corrupt(rng, SAMPLES[suffix]), suffix)
        try:
            if suffix == ".epd":
                games += len(list(epd.read(text.lines(path), str(path))))
                continue
            for sheet, record in read(path):
                assert (record is None) == bool(sheet.problem)
                assert "\n" not in sheet.problem and len(sheet.problem) < 600
                assert not sheet.problem or sheet.problem.startswith(f"{path}, line "), (
                    number,
                    sheet.problem,
                )
                games += record is not None
                wrong += record is None
        except BadInput as error:
            assert "\n" not in str(error) and str(path) in str(error)
            wrong += 1
    assert games > 20 and wrong > 20


def test_an_unreadable_file_gives_one_line_and_status_6(tmp_path, capsys):
    for suffix, content in (
        (".pgn", "1. e4 {"),
        (".pdn", "1. 1-99 *"),
        (".sgf", "(;B[aa"),
        (".sgf", "none"),
        (".pgn", b"\0\1"),
    ):
        path = write_file(tmp_path, content, suffix)
        status, out, err = run_printed(capsys, "replay", path)
        assert status == 6 and out == "" and err.count("\n") == 1 and str(path) in err


def test_long_lines_and_deep_variations_are_read_in_linear_time(tmp_path):
    """Readers with repeated scans or recursion took minutes, or the whole stack, for each of these."""
    deep = 10_000
    variations = "1. e4 " + "(1. d4 " * deep + ")" * deep + " e5 *"
    ((sheet, record),) = read(write_file(tmp_path, variations))
    assert record.words == ["e4", "e5"] and "more than 50 deep are omitted" in record.warnings[0]
    tree = "(;SZ[9];B[aa]" + "(;W[bb]" * deep + "(;B[])" + ")" * deep + ")"
    assert len(read(write_file(tmp_path, tree, ".sgf"))) == 1
    tree = "(;SZ[9]" + "(;B[aa](;W[bb])" * deep + ")" * deep + ")"
    assert len(read(write_file(tmp_path, tree, ".sgf"))) == 1
    size = 60_000
    for content in (
        "1. e4 {" + "x" * size + "} e5 *",
        '[Event "' + "x" * size + '"]\n1. e4 e5 *',
        '[Event "' + '\\"' * size + '"]\n1. e4 e5 *',
        "1. e4 e5 " + "x" * size,
        "1. e4 e5 " + "( " * (size // 2),
        "[" * size,
        '[Event "x\n' * (size // 20),
        "{" * size,
        ("1. e4 {\n" + '[Event "x"]\n') * (size // 40),
        "1. e4 e5 " + "$" * size,
        "1. e4 e5 " + "<" * size,
    ):
        for sheet, _ in read(write_file(tmp_path, content)):
            assert len(sheet.problem) < 600
    for content in (
        "(;C[" + "x\\]" * size + "];B[aa])",
        "(;C[" + "x" * size,
        "(" * size,
        "(;" * size,
        "(;B[aa]" + ";" * size + ")",
    ):
        for sheet, _ in read(write_file(tmp_path, content, ".sgf")):
            assert len(sheet.problem) < 600
