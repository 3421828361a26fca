"""Files of other programs as games of ours, and back: by the rules, and with each problem reported."""

import json
import random
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from gameplay import registry
from gameplay.errors import BadInput, Usage
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.runs import openings
from gameplay.store import saved
from gameplay.store.formats import conversion, encoding, game_formats, pdn, pgn_chess, transcript
from gameplay.store.formats.pgn import Line, Step
from gameplay.store.record import Ply, Record, decode
from gameplay.value import MAX_EVAL, MAX_PLY, WIN
from tests.support.commands import run_printed
from tests.support.paths import TESTS
from tests.support.records import read

pytestmark = pytest.mark.once

PDN = tomllib.loads((TESTS / "answers" / "pgn.toml").read_text())

RECORDS = TESTS / "examples" / "records"
TRANSCRIPT = (  # 60 moves in which nobody passes
    "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1"
    "f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6"
)


@pytest.fixture
def write_file(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


# -- what is read -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["chess.pgn", "checkers.pdn"])
def test_real_games_are_legal_and_written_back_byte_for_byte(name):
    games = read(RECORDS / name)
    assert [sheet.problem for sheet, _ in games] == [""] * len(games)
    form = game_formats.format_of(Path(name))
    assert "".join(form.write(sheet) for sheet, _ in games) == (RECORDS / name).read_text()
    for sheet, record in games:
        game = registry.game(record.game)
        match = Match(game, [EmptySeat(), EmptySeat()], record.start, record.words)
        assert match.words() == sheet.words


def test_pgn_players_and_result():
    immortal, _, deep, *_, study = [record for _, record in read(RECORDS / "chess.pgn")]
    assert immortal.players == ["Anderssen, Adolf", "Kieseritzky, Lionel"]
    assert (immortal.result, immortal.reason) == ([1, -1], "rules")
    assert (deep.result, deep.reason, len(deep.moves)) == ([1, -1], "recorded", 37)
    assert study.start.startswith("8/8/1KP5/3r4/8/8/8/k7 w")


def test_players_and_result():
    first, second, problem = [record for _, record in read(RECORDS / "checkers.pdn")]
    assert first.players == ["MF Tinsley", "A Bernstein"]
    assert first.result == [1, -1]  # 1-0 without a GameType is a win of Black, who moves first
    assert second.result == [-1, 1]
    assert problem.result is None and problem.moves[0].player == 1


@pytest.mark.parametrize(
    ("result", "kind", "payoffs"),
    [("1-0", "", [1, -1]), ("1-0", '[GameType "21"]\n', [-1, 1]), ("0-1", '[GameType "21"]\n', [1, -1]),
     ("2-0", "", [1, -1]), ("1-1", "", [0, 0]), ("0-0", "", None), ("*", "", None)],
)  # fmt: skip
def test_the_results_of_draughts(write_file, result, kind, payoffs):
    ((_, record),) = read(write_file("a.pdn", f'{kind}[Black "b"]\n1. 11-15 23-18 {result}\n'))
    assert record.result == payoffs


def test_moves_of_draughts_with_the_wrong_sign_are_understood(write_file):
    ((sheet, _),) = read(write_file("a.pdn", "1. 11x15 23x18 2. 8-11 27-23 3. 10-14 18-9 *"))
    assert sheet.words == ["11-15", "23-18", "8-11", "27-23", "10-14"] or sheet.problem
    ((sheet, record),) = read(write_file("b.pdn", "1. 10x14 24-19 2. 14-18 23-14 3. 9-18 *"))
    assert sheet.problem == "" and record.words == ["10-14", "24-19", "14-18", "23x14", "9x18"]


def test_transcripts_of_othello(write_file, tmp_path):
    path = write_file("a.txt", f"# comment\n{TRANSCRIPT.upper()}\n\nf5 d6 c3\n")
    (_, whole), (_, part) = read(path)
    assert (len(whole.moves), whole.reason, part.result) == (60, "rules", None)
    assert "".join(whole.words) == TRANSCRIPT


def test_passes_may_be_left_out(write_file):
    position = registry.game("othello").new()
    rng, words = random.Random(1), []
    while "pass" not in words or position.moves() == [64]:
        if position.outcome() is not None:
            position, words = registry.game("othello").new(), []
        move = rng.choice(position.moves())
        words.append(position.format(move))
        position.make(move)
    words.append(position.format(position.moves()[0])) if position.outcome() is None else None
    bare = "".join(word for word in words if word != "pass")
    (sheet, record), (_, full) = read(write_file("a.txt", f"{bare}\n{''.join(words)}\n"))
    assert record.words == full.words == words
    assert game_formats.FORMATS[".txt"].write(sheet) == bare + "\n"


def test_draughts_is_read_in_letters_from_the_side_of_either_player(write_file):
    """The side to move first plays up the board, as in Russian draughts, or down if White is below."""
    for head, moves, fen in PDN["draughts"]:
        ((sheet, record),) = read(write_file("a.pdn", f"{head}\n{moves}\n"))
        assert record is not None, sheet.problem
        assert record.words == (["11-15"] if fen else ["11-15", "22-18", "15x22", "26x17"])
        if not fen:
            (variation,) = [note for note in sheet.line.steps[-1].notes if isinstance(note, Line)]
            assert [step.word for step in variation.steps] == ["25x18"]
        text = game_formats.FORMATS[".pdn"].write(sheet)
        assert "GameType" not in sheet.tags or sheet.tags["GameType"] == pdn.ENGLISH
        assert sheet.tags.get("FEN", "") == fen
        ((_, again),) = read(write_file("b.pdn", text))
        assert again.words == record.words


@pytest.mark.parametrize("name", ["chess.pgn", "checkers.pdn"])
def test_no_mutation_brings_more_than_a_problem(write_file, name):
    rng = random.Random(11)
    whole = (RECORDS / name).read_text()
    form = game_formats.format_of(Path(name))
    right = 0
    for _ in range(12):
        letters = list(whole)
        for _ in range(rng.randrange(1, 25)):
            letters[rng.randrange(len(letters))] = rng.choice('[](){};%$"\\*!?.\n 1-0½xKNa8O=+')
        for sheet, record in read(write_file(name, "".join(letters))):
            assert (record is None) == bool(sheet.problem)
            if record is not None:
                right += 1
                ((again, same),) = read(write_file(f"b{name}", form.write(sheet)))
                assert again == sheet and same.words == record.words
    assert right > 3  # the good games among them are read


def test_a_variation_may_let_a_side_pass_pgn(write_file):
    words = "1. e4 e5 (1... -- 2. d4 -- {and so on}) (1... d5 2. Z0) 2. Nf3 1-0"
    ((sheet, record),) = read(write_file("a.pgn", words))
    assert sheet.problem == "" and record.words == ["e4", "e5", "Nf3"]
    assert words in game_formats.FORMATS[".pgn"].write(sheet)


def test_no_mutation_of_a_transcript_brings_more_than_a_problem(write_file):
    rng = random.Random(2)
    for _ in range(60):
        letters = list(TRANSCRIPT)
        for _ in range(rng.randrange(4)):
            letters[rng.randrange(len(letters))] = rng.choice("abh18 9-Zp\n#")
        for sheet, record in read(write_file("a.txt", "".join(letters))):
            assert (record is None) == bool(sheet.problem) and "\n" not in sheet.problem


def tree_of(line):
    """The moves, marks and variations, by an independent reader."""
    return [
        (
            step.word,
            sorted({note for note in step.notes if isinstance(note, int)}),
            [tree_of(note) for note in step.notes if isinstance(note, Line)],
        )
        for step in line.steps
    ]


def test_python_chess_reads_the_same_pgn_trees():
    pgn = pytest.importorskip("chess.pgn")

    def walk_their_tree(node, board, first=None):
        steps = []
        if first is not None:
            steps.append((board.san(first.move), sorted(first.nags), []))
            board.push(first.move)
            node = first
        while node.variations:
            main, *others = node.variations
            lines = [walk_their_tree(None, board.copy(), other) for other in others]
            steps.append((board.san(main.move), sorted(main.nags), lines))
            board.push(main.move)
            node = main
        return steps

    with open(RECORDS / "chess.pgn") as file:
        for sheet, _ in read(RECORDS / "chess.pgn"):
            game = pgn.read_game(file)
            assert not game.errors and game.headers["Result"] == sheet.result
            assert walk_their_tree(game, game.board()) == tree_of(sheet.line)


# -- what is written ----------------------------------------------------------------------------


def checkers(words="11-15 23-18", **given):
    moves = [Ply(word, number % 2) for number, word in enumerate(words.split())]
    given = {"game": "checkers", "start": "", "players": ["a", "b"], "result": [1, -1]} | given
    return Record(schema=1, seed=0, moves=moves, reason="resigned", version="1", **given)


def test_engine_comments_follow_their_moves(write_file):
    record = checkers("11-15 23-18 8-11 27-23")
    values = [(31, 12, 0.2), (-31, 11, None), (WIN - 5, 9, 1.0), (7 - WIN, 9, 0.001)]
    record.moves = [
        Ply(ply.move, ply.player, value, depth, None, seconds)
        for ply, (value, depth, seconds) in zip(record.moves, values, strict=True)
    ]
    record.begun = "2026-11-21T20:15:00+01:00"
    text = encoding.encode(record, registry.game("checkers"))
    assert "1. 11-15 {+0.31/12 0.200s} 1... 23-18 {-0.31/11} 2. 8-11 {+M5/9 1.000s}" in text
    assert '[White "b"]\n[Black "a"]\n[Result "0-1"]\n' in text and '[Date "2026.11.21"]' in text
    ((_, again),) = read(write_file("a.pdn", text))
    assert again.moves == record.moves and again.players == record.players
    assert again.result == record.result


def test_game_from_a_position_has_its_fen(write_file):
    start = registry.game("checkers").new("W:W18,24,K10:B12,K22").text()
    text = encoding.encode(checkers("10-7", start=start, result=None), registry.game("checkers"))
    assert f'[FEN "{start}"]\n' in text and '[SetUp "1"]' in text and '[Termination "unterminated"]' in text
    ((_, record),) = read(write_file("a.pdn", text))
    assert (record.start, record.words, record.result) == (start, ["10-7"], None)


def test_transcript_keeps_date_and_players(write_file):
    head = "# 2026-11-22 ann - bob, Parallel Opening\n"
    (sheet, record), (second, _) = read(write_file("a.txt", f"{head}f5d6\nf5d6\n"))
    assert (record.begun, record.display_names) == ("2026-11-22", ["ann", "bob"])
    form = game_formats.FORMATS[".txt"]
    assert encoding.saved_text(sheet, form) == f"{head}f5d6\n"
    assert encoding.saved_text(second, form) == "f5d6\n"


def test_a_transcript_holds_no_other_start():
    record = checkers(game="othello:size=6", words="")
    with pytest.raises(BadInput, match="begins at the standard position"):
        encoding.encode(record, registry.game("othello:size=6"))


BOARD = "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR"
SHUFFLED = [
    (f"{BOARD} w KQkq - 0 1", False),
    (f"{BOARD} w - - 0 1", False),
    (f"{BOARD} w HAha - 0 1", True),
    (f"{BOARD} w Kq - 0 1", False),
    ("rnbqkbnr/8/8/8/8/8/8/RNBK1BNR w kq - 0 1", False),
    ("rnbqkbnr/8/8/8/8/8/8/RNBK1BNR w K - 0 1", True),
    ("rnbqkbnr/8/8/8/8/8/8/RNBK1BNR w Q - 0 1", True),
    ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", False),
    ("r3k1r1/8/8/8/8/8/8/R3K2R b KQk - 0 1", True),
    ("r3k1r1/8/8/8/8/8/8/R3K2R b KQq - 0 1", False),
    ("1r2k2r/8/8/8/8/8/8/R3K2R b q - 0 1", True),
    ("1r2k2r/8/8/8/8/8/8/1R2K2R b Q - 0 1", True),
    ("1r2k2r/8/8/8/8/8/8/1R2K2R b K - 0 1", False),
    ("r3k2r/8/8/8/8/8/8/R3KR2 b K - 0 1", True),
]


@pytest.mark.parametrize(("fen", "shuffled"), SHUFFLED)
def test_castling_from_other_squares_is_chess960(fen, shuffled):
    assert pgn_chess.is_shuffled(fen) == shuffled


def test_moves_are_counted_from_where_a_game_begins():
    for fen, at in {
        "": (1, 0),
        f"{BOARD} w KQkq - 0 1": (1, 0),
        f"{BOARD} b KQkq - 3 17": (17, 1),
        f"{BOARD} b KQkq - 3": (1, 1),
        f"{BOARD} w KQkq - 3 x": (1, 0),
        f"{BOARD} w KQkq - 0 999999999": (999_999_999, 0),
        f"{BOARD} w KQkq - 0 1000000000": (1, 0),
    }.items():
        assert pgn_chess.move_number(fen) == at, fen
    for fen, at in {"W:W18:B12": (1, 1), "B:W18:B12": (1, 0), " w:W18": (1, 1), "": (1, 0)}.items():
        assert pdn.move_number(fen, "W") == at, fen
    assert [pdn.move_number(fen, "B") for fen in ("W:W18:B12", "B:W18:B12", "")] == [(1, 0), (1, 1), (1, 0)]


@pytest.mark.parametrize(
    ("check", "tags", "message"),
    [
        *((pgn_chess.check, {"Variant": word}, "") for word in ("From Position", "Chess 960", "normal", "")),
        (pgn_chess.check, {}, ""),
        (pgn_chess.check, {"Variant": "Atomic"}, "the Variant 'Atomic' is not supported"),
        *((pdn.check, {"GameType": word}, "") for word in ("20", "21", " 21 ,W", "21,B,8,8,N1,0")),
        (pdn.check, {}, ""),
        (
            pdn.check,
            {"GameType": "22,W"},
            "GameType '22,W' is not supported; expected 20 international, 21 English, 25 Russian, "
            "26 Brazilian draughts",
        ),
    ],
)
def test_pgn_variations_are_separate_from_the_game(check, tags, message):
    try:
        check(tags)
    except BadInput as error:
        assert str(error) == message
    else:
        assert not message


ENGINE_COMMENTS = [  # in units of 100: what is written, and what was meant: value, depth, seconds
    ("+0.31/12 0.200s", (31, 12, 0.2)),
    ("-0.31/11", (-31, 11, None)),
    ("0.07/3", (7, 3, None)),
    ("2/3", (200, 3, None)),
    ("+M5/9 1s", (WIN - 5, 9, 1.0)),
    ("-M12/9", (12 - WIN, 9, None)),
    ("M7/1 2.5s, so they say", (WIN - 7, 1, 2.5)),
    ("+M99999/4", (WIN - MAX_PLY, 4, None)),
    ("+999999999/4", (MAX_EVAL, 4, None)),
    ("-999999999/4", (-MAX_EVAL, 4, None)),
    *((words, None) for words in ("good +0.31/12", "+0.31", "+0.31/12 0.2", "+1.1234567890/4", "book")),
]


@pytest.mark.parametrize(("words", "expected"), ENGINE_COMMENTS)
def test_engine_comments_are_parsed(words, expected):
    ply = conversion._ply(Step("e4", ["a remark", words], mover=1), False, 100, None)
    kept = words.partition(", ")[2] if expected else words.removeprefix("book")
    remark = f"a remark {kept}".strip()
    if expected is None:
        assert ply == Ply("e4", 1, remark=remark)
    else:
        assert ply == Ply("e4", 1, expected[0], expected[1], seconds=expected[2], remark=remark)


@pytest.mark.parametrize(
    ("value", "depth", "seconds", "words"),
    [
        (31, 12, 0.2, "+0.31/12 0.200s"),
        (-5, 1, None, "-0.05/1"),
        (0, 4, 0.0, "+0.00/4"),
        (WIN - 5, 9, 1.2345, "+M5/9 1.234s"),
        (6 - WIN, 9, None, "-M6/9"),
        (31, None, 2.0, "2.000s"),
        (31, 0, None, ""),
        (None, 3, None, ""),
    ],
)
def test_engine_comments_are_written(value, depth, seconds, words):
    assert encoding._engine_comment(Ply("e4", 0, value, depth), seconds, 100) == words


def test_dates_are_written_only_if_complete():
    days = {"2026.11.21": "2026-11-21", "2026.??.??": "", "": "", "2026.11.2": "", "2026.11.211": ""}
    assert {tag: conversion._date(tag) for tag in days} == days


def test_clocks_stand_in_the_tags():
    clocks = {"5+3": {"clock": "5+3", "time": 2.0}, "2.5/move": {"time": 2.5}, "-": {"nodes": 9}}
    assert {words: encoding._control(seat) for words, seat in clocks.items()} == {
        word: word for word in clocks
    }


def test_transcripts_hold_squares_and_passes():
    lines = ["# remark", "", "f5D6 pass--@@ C3", "f5 x9 what comes after it is long", "  "]
    first, second = transcript.read(lines, "a.txt")
    assert [(step.word, step.at) for step in first.line.steps] == [
        (word, 3) for word in ("f5", "d6", "pass", "pass", "pass", "c3")
    ]
    assert (first.number, first.problem, second.number) == (1, "", 2)
    assert second.problem == "a.txt, line 4, game 2: a game reads f5d6c3, not 'x9 what comes after '"


def saved_game(spec, words, **other):
    game = registry.game(spec)
    match = Match(game, [EmptySeat(), EmptySeat()], other.get("start", ""), words.split())
    moves = [Ply(word, number % 2) for number, word in enumerate(match.words())]
    usual = {"schema": 1, "game": game.spec, "start": "", "players": ["ann", "bob"], "seed": 0}
    usual |= {"moves": moves, "result": None, "reason": "", "version": ""}
    return Record(**(usual | other)), game


def test_saved_game_is_exported_completely():
    """With its date, clock and opening in tags, or before the moves if a format has no tags."""
    day = {"begun": "2026-11-21T20:15:00+01:00", "clock": "5+3"}
    text = encoding.encode(*saved_game("chess", "e4 c5 Nf3", **day, result=[0, 0], reason="agreed"))
    roster = '[Event "Game of chess"]\n[Site "?"]\n[Date "2026.11.21"]\n[Round "?"]\n'
    more = '[PlyCount "3"]\n[Termination "normal"]\n[TimeControl "5+3"]\n'
    opening = '[ECO "B27"]\n[Opening "Sicilian Defense"]\n'
    names = '[White "ann"]\n[Black "bob"]\n[Result "1/2-1/2"]\n'
    moves = "1. e4 c5 2. Nf3 {Game drawn by agreement} 1/2-1/2\n\n"
    assert text == roster + names + opening + more + "\n" + moves
    shuffled = "nrbqkbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBRN w KQkq - 0 1"
    text = encoding.encode(*saved_game("chess", "e4", start=shuffled, result=[-1, 1], reason="time"))
    for line in ('[Variant "Chess960"]', '[SetUp "1"]', f'[FEN "{shuffled}"]', '[Result "0-1"]'):
        assert f"{line}\n" in text, text
    assert '[Date "????.??.??"]\n' in text and "TimeControl" not in text
    text = encoding.encode(*saved_game("othello", "f5 d6 c3 d3 c4", **day))
    assert text == "# 2026-11-21 ann - bob, Tiger\nf5d6c3d3c4\n"
    assert encoding.encode(*saved_game("othello", "f5 d6 c3 d3 c4")) == "f5d6c3d3c4\n"


def test_the_moves_that_were_given_are_book_and_times_stand_beside_others():
    record, game = saved_game("chess", "e4 c5 Nf3 d6")
    record.moves[3] = Ply("d6", 1, 12, 3, seconds=0.5)
    sheet = encoding.sheet_of(record, game, {}, [1.0, 2.0, 3.0, 4.0], 2)
    assert [step.notes for step in sheet.line.steps] == [["book"], ["book"], ["3.000s"], ["+0.12/3 0.500s"]]
    assert [step.notes for step in encoding.sheet_of(record, game, {}, [1.0]).line.steps[:2]] == [
        ["1.000s"],
        [],
    ]


def test_a_game_of_a_run_is_written_with_its_place_and_clocks():
    record, game = saved_game("checkers", "11-15 23-18 8-11", result=[1, -1], reason="rules")
    seats = [{"clock": "5+3"}, {"time": 2.5}]
    kept = SimpleNamespace(
        read=lambda: record,
        job=json.dumps({"seats": seats, "moves": ["11-15", "23-18"]}),
        host="here",
        finished="2026-11-21T20:15:00",
        pair=3,
        leg=1,
        names=["one", "two"],
        times=[0.0, 0.0, 0.25],
    )
    write = encoding.writer(game, Path("run.PDN"))
    head = '[Event "{}"]\n[Site "{}"]\n[Date "{}"]\n[Round "4.2"]\n'
    head += '[White "two"]\n[Black "one"]\n[Result "0-1"]\n'
    text = write(SimpleNamespace(title="A match", id="r7"), kept)
    assert text.startswith(head.format("A match", "here", "2026.11.21"))
    assert '[BlackTimeControl "5+3"]\n' in text and '[WhiteTimeControl "2.5/move"]\n' in text
    assert "[TimeControl " not in text and text.endswith(
        "1. 11-15 {book} 1... 23-18 {book} 2. 8-11 {0.250s} 0-1\n\n"
    )
    kept.host = kept.finished = ""
    kept.job = json.dumps({"seats": [seats[0]] * 2})
    text = write(SimpleNamespace(title="", id="r7"), kept)
    assert text.startswith(head.format("r7", "?", "????.??.??")) and '[TimeControl "5+3"]\n' in text
    assert text.endswith("1. 11-15 23-18 2. 8-11 {0.250s} 0-1\n\n")
    assert write(SimpleNamespace(title="", id=""), kept).startswith('[Event "?"]')
    kept.read = lambda: None
    assert write(SimpleNamespace(title="", id=""), kept) == ""
    for path in (None, Path("run.pgn"), Path("run.jsonl"), Path("run")):
        assert encoding.writer(game, path) is None


def test_a_game_of_a_file_is_picked_by_its_number(write_file):
    file = write_file("a.txt", "f5d6\nf5f6e6\nf5a1\n")
    assert conversion.pick(file, 2, registry.game).words == ["f5", "f6", "e6"]
    for number, words in ((3, ", line 3, game 3: "), (4, " holds 3 games; there is no game 4")):
        with pytest.raises(BadInput) as error:
            conversion.pick(file, number, registry.game)
        assert str(error.value).startswith(f"{file}{words}")
    with pytest.raises(BadInput, match="holds 3 games; there is no game 0"):
        saved.read(file, 0, registry.game)
    with pytest.raises(BadInput) as error:
        conversion.pick(write_file("b.txt", "# nothing\n"), 1, registry.game)
    assert str(error.value) == f"{file.parent}/b.txt holds no game"


# -- the commands -------------------------------------------------------------------------------


def test_conversion_omits_invalid_games(capsys, write_file, tmp_path):
    good = (RECORDS / "checkers.pdn").read_text()
    path = write_file("a.pdn", good + '[Event "bad"]\n\n1. 11-15 11-15 *\n\n')
    out = tmp_path / "b.pdn"
    status, _, err = run_printed(capsys, "export", path, "--out", out)
    assert status == 6 and out.read_text() == good
    first, second, third = err.splitlines()
    assert first.startswith(f"gameplay: {path}, line {good.count(chr(10)) + 3}, game 4: '11-15' is not")
    assert second == f"{path}: 3 games written to {out}"
    assert third == f"gameplay: {path}: 1 of 4 games cannot be read, and are left out"
    status, text, _ = run_printed(capsys, "export", out)
    assert status == 0 and decode(text.splitlines()[1].encode(), "").players == ["WF Ryan", "MF Tinsley"]
    lines = write_file("c.jsonl", text)
    out.unlink()
    assert run_printed(capsys, "export", lines, "--out", out)[0] == 0
    assert [record.words for _, record in read(out)] == [json_words(line) for line in text.splitlines()]
    status, _, err = run_printed(capsys, "export", lines, "--out", tmp_path / "d.pgn")
    assert status == 2 and "checkers has no format '.pgn' (choose from: .jsonl, .pdn)" in err
    status, _, err = run_printed(capsys, "verify", out)
    assert status == 6 and "games can be checked by the rules" in err
    status, _, err = run_printed(capsys, "export", write_file("empty.pdn", "\n"), "--out", tmp_path / "e.pdn")
    assert status == 6 and "holds no game" in err and not (tmp_path / "e.pdn").exists()
    status, _, err = run_printed(capsys, "import", path)
    assert status == 6 and "holds games and no run" in err


def json_words(line):
    return [move["move"] for move in json.loads(line)["moves"]]


def test_a_run_is_exported_with_names_openings_and_results(capsys, write_file, tmp_path):
    store = tmp_path / "runs.db"
    book = write_file("book.pdn", "1. 11-15 23-19 2. 8-11 22-17 *\n1. 9-14 22-18 2. 5-9 *")
    words = ["one=random", "two=iterative:depth=1", "--game", "checkers", "--games", "4", "--jobs", "1"]
    assert run_printed(capsys, "match", *words, "--openings", f"{book}:2", "--store", store)[0] == 0
    out = tmp_path / "run.pdn"
    assert run_printed(capsys, "export", "last", "--store", store, "--out", out)[0] == 0
    games = read(out)
    assert [sheet.tags["Round"] for sheet, _ in games] == ["1.1", "1.2", "2.1", "2.2"]
    assert {tuple(sorted(record.players)) for _, record in games} == {("one", "two")}
    assert {tuple(record.words[:2]) for _, record in games} == {("11-15", "23-19"), ("9-14", "22-18")}
    assert games[0][0].line.steps[0].notes == games[0][0].line.steps[1].notes == ["book"]
    assert games[0][0].line.steps[2].notes != ["book"]
    assert out.read_text() == "".join(game_formats.FORMATS[".pdn"].write(sheet) for sheet, _ in games)


def test_files_of_others_are_replayed(capsys):
    status, out, _ = run_printed(capsys, "replay", RECORDS / "checkers.pdn", "--game", 2, "--plain")
    assert status == 0 and "result: white wins" in out
    status, _, err = run_printed(capsys, "replay", RECORDS / "checkers.pdn", "--game", 9)
    assert status == 6 and "holds 3 games; there is no game 9" in err


def test_a_game_being_played_is_saved_in_the_format_of_its_suffix(tmp_path):
    path = tmp_path / "a.pdn"
    saved.write_record(checkers(), path, registry.game("checkers"))
    assert saved.read(path, None, registry.game).words == ["11-15", "23-18"]


# -- openings -----------------------------------------------------------------------------------


def test_openings_from_games_and_positions(write_file):
    game = registry.game("checkers")
    path = RECORDS / "checkers.pdn"
    book = openings.read(game, openings.read_lines(str(path)), str(path), 4)
    assert [len(opening.moves) for opening in book.openings] == [4, 4, 2] and not book.notes
    twice = openings.read(game, ["1. 9-14 *", "1. 9-14 22-18 *"], "x.pdn", 1)
    assert len(twice.openings) == 1 and not twice.notes
    epd = openings.read(game, ['B:W18,24:B12,K22 id "a";', "# none"], "x.epd")
    assert [opening.start for opening in epd.openings] == ["B:W18,24:B12,K22"]
    with pytest.raises(BadInput, match=r"x.pdn, line 2, game 2: '9-14' is not"):
        openings.read(game, ["1. 9-14 *", "1. 9-14 9-14 *"], "x.pdn")
    with pytest.raises(BadInput, match=r".pgn files contain no games of checkers"):
        openings.read(game, ["1. e4 *"], "x.pgn")
    with pytest.raises(BadInput, match=r"x.mat: games that give openings must be in .pgn, .pdn or"):
        openings.read(registry.game("backgammon"), [" 3 point match"], "x.mat")
    with pytest.raises(BadInput, match=r"x.epd, line 1: "):
        openings.read(game, ["B:W99 bm 9-14;"], "x.epd")


def test_a_file_and_its_plies():
    assert openings.split_plies("a.pgn:8") == ("a.pgn", 8)
    assert openings.split_plies("a.pgn") == ("a.pgn", None)
    assert openings.split_plies("C:8") == ("C:8", None)


def test_unknown_suffixes_are_refused(capsys, tmp_path):
    status, _, err = run_printed(capsys, "export", RECORDS / "checkers.pdn", "--out", tmp_path / "a.sgf")
    assert status == Usage.status and "choose from: .jsonl, .pdn" in err


def test_a_match_that_was_read_is_exported_with_its_games(write_file):
    """Written as one game it would be illegal where the next game begins from the start."""
    text = """ 3 point match

 Game 1
 ann : 0                        bob : 0
  1)                             42: 13/9 6/4
  2) 53: 8/3 6/3                 22: 13/11(2) 11/9 8/6
  3)  Doubles => 2                Drops
     Wins 1 point

 Game 2
 ann : 1                        bob : 0
  1) 31: 8/5 6/5
"""
    ((sheet, record),) = read(write_file("a.mat", text))
    out = game_formats.FORMATS[".mat"].write(sheet)
    assert [line for line in out.splitlines() if "Game" in line or "ann :" in line] == [
        " Game 1",
        " ann : 0                        bob : 0",
        " Game 2",
        " ann : 1                        bob : 0",
    ]
    ((_, again),) = read(write_file("b.mat", out))
    assert again.words == record.words
