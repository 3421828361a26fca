"""Files of other programs as games of ours, and back: by the rules, and with each problem told."""

import json
import random
from pathlib import Path

import pytest

import gameplay.cli as cli
from gameplay import registry
from gameplay.errors import BadInput, Usage
from gameplay.matches.match import Match
from gameplay.players.nobody import Nobody
from gameplay.runs import openings
from gameplay.store import saved, sheets
from gameplay.store.movetext import Line
from gameplay.store.record import Ply, Record, decode
from gameplay.value import WIN

pytestmark = pytest.mark.once

RECORDS = Path(__file__).parent / "records"
TRANSCRIPT = (  # 60 moves in which nobody passes
    "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1"
    "f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6"
)


def found(path):
    return list(sheets.read(path, registry.game))


def run(capsys, *words):
    status = cli.run(cli.router, "gameplay", list(map(str, words)))
    out, err = capsys.readouterr()
    return status, out, err


@pytest.fixture
def written(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


# -- what is read -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["chess.pgn", "checkers.pdn"])
def test_real_games_are_legal_and_written_back_byte_for_byte(name):
    games = found(RECORDS / name)
    assert [sheet.problem for sheet, _ in games] == [""] * len(games)
    form = sheets.form_of(Path(name))
    assert "".join(form.write(sheet) for sheet, _ in games) == (RECORDS / name).read_text()
    for sheet, record in games:
        game = registry.game(record.game)
        match = Match(game, [Nobody(), Nobody()], record.start, record.words)
        assert match.words() == sheet.words


def test_who_sat_where_and_who_won_in_pgn():
    immortal, _, deep, *_, study = [record for _, record in found(RECORDS / "chess.pgn")]
    assert immortal.players == ["Anderssen, Adolf", "Kieseritzky, Lionel"]
    assert (immortal.result, immortal.reason) == ([1, -1], "rules")
    assert (deep.result, deep.reason, len(deep.moves)) == ([1, -1], "recorded", 37)
    assert study.start.startswith("8/8/1KP5/3r4/8/8/8/k7 w")


def test_who_sat_where_and_who_won():
    first, second, problem = [record for _, record in found(RECORDS / "checkers.pdn")]
    assert first.players == ["MF Tinsley", "A Bernstein"]
    assert first.result == [1, -1]  # 1-0 without a GameType is a win of Black, who moves first
    assert second.result == [-1, 1]
    assert problem.result is None and problem.moves[0].player == 1


@pytest.mark.parametrize(
    ("result", "kind", "payoffs"),
    [("1-0", "", [1, -1]), ("1-0", '[GameType "21"]\n', [-1, 1]), ("0-1", '[GameType "21"]\n', [1, -1]),
     ("2-0", "", [1, -1]), ("1-1", "", [0, 0]), ("0-0", "", None), ("*", "", None)],
)  # fmt: skip
def test_the_results_of_draughts(written, result, kind, payoffs):
    ((_, record),) = found(written("a.pdn", f'{kind}[Black "b"]\n1. 11-15 23-18 {result}\n'))
    assert record.result == payoffs


def test_moves_of_draughts_with_the_wrong_sign_are_understood(written):
    ((sheet, _),) = found(written("a.pdn", "1. 11x15 23x18 2. 8-11 27-23 3. 10-14 18-9 *"))
    assert sheet.words == ["11-15", "23-18", "8-11", "27-23", "10-14"] or sheet.problem
    ((sheet, record),) = found(written("b.pdn", "1. 10x14 24-19 2. 14-18 23-14 3. 9-18 *"))
    assert sheet.problem == "" and record.words == ["10-14", "24-19", "14-18", "23x14", "9x18"]


def test_transcripts_of_othello(written, tmp_path):
    path = written("a.txt", f"# comment\n{TRANSCRIPT.upper()}\n\nf5 d6 c3\n")
    (_, whole), (_, part) = found(path)
    assert (len(whole.moves), whole.reason, part.result) == (60, "rules", None)
    assert "".join(whole.words) == TRANSCRIPT


def test_passes_may_be_left_out(written):
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
    (sheet, record), (_, full) = found(written("a.txt", f"{bare}\n{''.join(words)}\n"))
    assert record.words == full.words == words
    assert sheets.FORMS[".txt"].write(sheet) == bare + "\n"


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.pdn", "1. 11-15\n23-19 2. 8-22 *", "a.pdn, line 2, game 1: '8-22' is not a legal move"),
        ("a.pdn", '[GameType "20"]\n1. 32-28 *', "a.pdn, game 1: GameType '20' is not English draughts"),
        ("a.pdn", '[FEN "B:W99"]\n*', "a.pdn, game 1: "),
        ("a.pdn", "1. 11-15 (11-16\n9-99) *", "a.pdn, line 2, game 1: "),
        ("a.txt", "f5d6z9", "a.txt, line 1, game 1: a game reads f5d6c3, not 'z9'"),
        ("a.txt", "f5a1", "a.txt, line 1, game 1: "),
        ("a.txt", TRANSCRIPT + "a1", "a.txt, line 1, game 1: the game is over before 'a1'"),
        ("a.pgn", "1. e4 e5\n2. Nxe9 *", "a.pgn, line 2, game 1: "),
        ("a.pgn", '[Variant "Atomic"]\n1. e4 *', "a.pgn, game 1: the Variant 'Atomic' is not played here"),
        ("a.pgn", '[FEN "8/8/8 w - -"]\n1. e4 *', "a.pgn, game 1: "),
        ("a.pgn", "1. e4 -- 2. d4 *", "a.pgn, line 1, game 1: '--' is not a move"),
    ],
)
def test_what_is_wrong_is_told_with_file_line_and_game(written, monkeypatch, name, text, problem):
    path = written(name, text)
    monkeypatch.chdir(path.parent)
    ((sheet, record),) = found(Path(name))
    assert record is None and sheet.problem.startswith(problem)
    assert "\n" not in sheet.problem
    with pytest.raises(BadInput):
        sheets.pick(path, 1, registry.game)


@pytest.mark.parametrize("name", ["chess.pgn", "checkers.pdn"])
def test_no_mutation_brings_more_than_a_problem(written, name):
    rng = random.Random(11)
    whole = (RECORDS / name).read_text()
    form = sheets.form_of(Path(name))
    right = 0
    for _ in range(12):
        letters = list(whole)
        for _ in range(rng.randrange(1, 25)):
            letters[rng.randrange(len(letters))] = rng.choice('[](){};%$"\\*!?.\n 1-0½xKNa8O=+')
        for sheet, record in found(written(name, "".join(letters))):
            assert (record is None) == bool(sheet.problem)
            if record is not None:
                right += 1
                ((again, same),) = found(written(f"b{name}", form.write(sheet)))
                assert again == sheet and same.words == record.words
    assert right > 3  # the good games among them are read


def test_a_variation_may_let_a_side_pass_pgn(written):
    words = "1. e4 e5 (1... -- 2. d4 -- {and so on}) (1... d5 2. Z0) 2. Nf3 1-0"
    ((sheet, record),) = found(written("a.pgn", words))
    assert sheet.problem == "" and record.words == ["e4", "e5", "Nf3"]
    assert words in sheets.FORMS[".pgn"].write(sheet)


def test_no_mutation_of_a_transcript_brings_more_than_a_problem(written):
    rng = random.Random(2)
    for _ in range(60):
        letters = list(TRANSCRIPT)
        for _ in range(rng.randrange(4)):
            letters[rng.randrange(len(letters))] = rng.choice("abh18 9-Zp\n#")
        for sheet, record in found(written("a.txt", "".join(letters))):
            assert (record is None) == bool(sheet.problem) and "\n" not in sheet.problem


def tree_of(line):
    """What an independent reader must find as well: moves, marks, variations."""
    return [
        (
            step.word,
            sorted({note for note in step.notes if isinstance(note, int)}),
            [tree_of(note) for note in step.notes if isinstance(note, Line)],
        )
        for step in line.steps
    ]


def test_another_reader_of_pgn_finds_the_same_trees():
    pgn = pytest.importorskip("chess.pgn")

    def theirs(node, board, first=None):
        steps = []
        if first is not None:
            steps.append((board.san(first.move), sorted(first.nags), []))
            board.push(first.move)
            node = first
        while node.variations:
            main, *others = node.variations
            lines = [theirs(None, board.copy(), other) for other in others]
            steps.append((board.san(main.move), sorted(main.nags), lines))
            board.push(main.move)
            node = main
        return steps

    with open(RECORDS / "chess.pgn") as file:
        for sheet, _ in found(RECORDS / "chess.pgn"):
            game = pgn.read_game(file)
            assert not game.errors and game.headers["Result"] == sheet.result
            assert theirs(game, game.board()) == tree_of(sheet.line)


# -- what is written ----------------------------------------------------------------------------


def checkers(words="11-15 23-18", **given):
    moves = [Ply(word, number % 2) for number, word in enumerate(words.split())]
    given = {"game": "checkers", "start": "", "players": ["a", "b"], "result": [1, -1]} | given
    return Record(schema=1, seed=0, moves=moves, reason="resigned", version="1", **given)


def test_what_engines_said_stands_behind_their_moves(written):
    record = checkers("11-15 23-18 8-11 27-23")
    said = [(31, 12, 0.2), (-31, 11, None), (WIN - 5, 9, 1.0), (7 - WIN, 9, 0.001)]
    record.moves = [
        Ply(ply.move, ply.player, value, depth, None, seconds)
        for ply, (value, depth, seconds) in zip(record.moves, said, strict=True)
    ]
    record.begun = "2026-11-21T20:15:00+01:00"
    text = sheets.encode(record, registry.game("checkers"))
    assert "1. 11-15 {+0.31/12 0.200s} 1... 23-18 {-0.31/11} 2. 8-11 {+M5/9 1.000s}" in text
    assert '[White "b"]\n[Black "a"]\n[Result "0-1"]\n' in text and '[Date "2026.11.21"]' in text
    ((_, again),) = found(written("a.pdn", text))
    assert again.moves == record.moves and again.players == record.players
    assert again.result == record.result


def test_a_game_from_a_position_says_so(written):
    start = registry.game("checkers").new("W:W18,24,K10:B12,K22").text()
    text = sheets.encode(checkers("10-7", start=start, result=None), registry.game("checkers"))
    assert f'[FEN "{start}"]\n' in text and '[SetUp "1"]' in text and '[Termination "unterminated"]' in text
    ((_, record),) = found(written("a.pdn", text))
    assert (record.start, record.words, record.result) == (start, ["10-7"], None)


def test_a_transcript_holds_no_other_start():
    record = checkers(game="othello:size=6", words="")
    with pytest.raises(BadInput, match="begins at the usual start"):
        sheets.encode(record, registry.game("othello:size=6"))


# -- the commands -------------------------------------------------------------------------------


def test_a_file_is_written_anew_and_what_is_wrong_left_out(capsys, written, tmp_path):
    good = (RECORDS / "checkers.pdn").read_text()
    path = written("a.pdn", good + '[Event "bad"]\n\n1. 11-15 11-15 *\n\n')
    out = tmp_path / "b.pdn"
    status, _, err = run(capsys, "export", path, "--out", out)
    assert status == 6 and out.read_text() == good
    first, second, third = err.splitlines()
    assert first.startswith(f"{path}, line {good.count(chr(10)) + 3}, game 4: '11-15' is not")
    assert second == f"{path}: 3 games written to {out}"
    assert third == f"gameplay: {path}: 1 of 4 games cannot be read, and are left out"
    status, text, _ = run(capsys, "export", out)
    assert status == 0 and decode(text.splitlines()[1].encode(), "").players == ["WF Ryan", "MF Tinsley"]
    lines = written("c.jsonl", text)
    out.unlink()
    assert run(capsys, "export", lines, "--out", out)[0] == 0
    assert [record.words for _, record in found(out)] == [json_words(line) for line in text.splitlines()]
    status, _, err = run(capsys, "export", lines, "--out", tmp_path / "d.pgn")
    assert status == 2 and "Checkers has no format '.pgn' (there is: .jsonl, .pdn)" in err
    status, _, err = run(capsys, "verify", out)
    assert status == 6 and "checks its games by the rules" in err
    status, _, err = run(capsys, "export", written("empty.pdn", "\n"), "--out", tmp_path / "e.pdn")
    assert status == 6 and "holds no game" in err and not (tmp_path / "e.pdn").exists()
    status, _, err = run(capsys, "import", path)
    assert status == 6 and "holds games and no run" in err


def json_words(line):
    return [move["move"] for move in json.loads(line)["moves"]]


def test_a_run_is_exported_with_names_openings_and_results(capsys, written, tmp_path):
    store = tmp_path / "runs.db"
    book = written("book.pdn", "1. 11-15 23-19 2. 8-11 22-17 *\n1. 9-14 22-18 2. 5-9 *")
    words = ["one=random", "two=iterative:depth=1", "--game", "checkers", "--games", "4", "--jobs", "1"]
    assert run(capsys, "match", *words, "--openings", f"{book}:2", "--store", store)[0] == 0
    out = tmp_path / "run.pdn"
    assert run(capsys, "export", "last", "--store", store, "--out", out)[0] == 0
    games = found(out)
    assert [sheet.tags["Round"] for sheet, _ in games] == ["1.1", "1.2", "2.1", "2.2"]
    assert {tuple(sorted(record.players)) for _, record in games} == {("one", "two")}
    assert {tuple(record.words[:2]) for _, record in games} == {("11-15", "23-19"), ("9-14", "22-18")}
    assert games[0][0].line.steps[0].notes == games[0][0].line.steps[1].notes == ["book"]
    assert games[0][0].line.steps[2].notes != ["book"]
    assert out.read_text() == "".join(sheets.FORMS[".pdn"].write(sheet) for sheet, _ in games)


def test_files_of_others_are_replayed(capsys):
    status, out, _ = run(capsys, "replay", RECORDS / "checkers.pdn", "--game", 2, "--plain")
    assert status == 0 and "result: white wins" in out
    status, _, err = run(capsys, "replay", RECORDS / "checkers.pdn", "--game", 9)
    assert status == 6 and "holds 3 games; there is no game 9" in err


def test_a_game_being_played_is_saved_in_the_format_of_its_suffix(tmp_path):
    path = tmp_path / "a.pdn"
    saved.keep(checkers(), path, registry.game("checkers"))
    assert saved.read(path, None, registry.game).words == ["11-15", "23-18"]


# -- openings -----------------------------------------------------------------------------------


def test_openings_from_games_and_positions(written):
    game = registry.game("checkers")
    path = RECORDS / "checkers.pdn"
    book = openings.read(game, openings.lines_of(str(path)), str(path), 4)
    assert [len(opening.moves) for opening in book.openings] == [4, 4, 2] and not book.notes
    twice = openings.read(game, ["1. 9-14 *", "1. 9-14 22-18 *"], "x.pdn", 1)
    assert len(twice.openings) == 1 and not twice.notes
    epd = openings.read(game, ['B:W18,24:B12,K22 id "a";', "# none"], "x.epd")
    assert [opening.start for opening in epd.openings] == ["B:W18,24:B12,K22"]
    with pytest.raises(BadInput, match=r"x.pdn, line 2, game 2: '9-14' is not"):
        openings.read(game, ["1. 9-14 *", "1. 9-14 9-14 *"], "x.pdn")
    with pytest.raises(BadInput, match=r"files called .pgn hold no games of checkers"):
        openings.read(game, ["1. e4 *"], "x.pgn")
    with pytest.raises(BadInput, match=r"x.epd, line 1: "):
        openings.read(game, ["B:W99 bm 9-14;"], "x.epd")


def test_a_file_and_its_plies():
    assert openings.named("a.pgn:8") == ("a.pgn", 8)
    assert openings.named("a.pgn") == ("a.pgn", None)
    assert openings.named("C:8") == ("C:8", None)


def test_suffixes_that_nobody_knows_are_refused(capsys, tmp_path):
    status, _, err = run(capsys, "export", RECORDS / "checkers.pdn", "--out", tmp_path / "a.sgf")
    assert status == Usage.status and "there is: .jsonl, .pdn" in err
