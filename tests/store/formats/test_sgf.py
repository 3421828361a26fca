"""Games of Go in SGF: real ones, the contents of their trees, refusals with their place, and our own.

The moves of records/go.sgf: Shusaku against Gennan Inseki 1846 (325 moves, the 127th is K11, in the middle),
and AlphaGo against Lee Sedol 2016, game 4 (180 moves, the 78th is L11), as both are published everywhere; the
rest is ours.
"""

import random
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gameplay import registry
from gameplay.errors import BadInput
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.runs import openings
from gameplay.store import saved
from gameplay.store.formats import encoding, game_formats, sgf, sgf_reader
from gameplay.store.formats.pgn import Line, Sheet, Step
from gameplay.store.record import Ply, Record, decode, encode
from tests.support.commands import run_printed
from tests.support.paths import TESTS
from tests.support.records import read

pytestmark = pytest.mark.once

RECORDS = TESTS / "examples" / "records" / "go.sgf"
FORM = game_formats.FORMATS[".sgf"]


def one(tmp_path, text):
    path = tmp_path / "a.sgf"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    ((sheet, record),) = read(path)
    return sheet, record


# -- real games ---------------------------------------------------------------------------------


def test_real_games_are_legal_and_written_back_byte_for_byte():
    games = read(RECORDS)
    assert [sheet.problem for sheet, _ in games] == [""] * 4
    assert "".join(FORM.write(sheet) for sheet, _ in games) == RECORDS.read_text()
    shusaku, lee, *_ = [record for _, record in games]
    assert (len(shusaku.moves), shusaku.words[126], shusaku.begun) == (325, "K11", "1846-09-11")
    assert (len(lee.moves), lee.words[77]) == (180, "L11")
    assert shusaku.players == ["Yasuda Shusaku", "Inoue Gennan Inseki"]
    assert (shusaku.result, shusaku.reason, shusaku.game) == (
        [1, -1],
        "recorded",
        "go:size=19,komi=0,ko=simple",
    )
    assert (lee.result, lee.reason, lee.game) == ([-1, 1], "resigned", "go:size=19,komi=7.5,rules=chinese")


def test_the_long_ko_of_1846_takes_what_was_counted():
    record = read(RECORDS)[0][1]
    position = registry.game(record.game).new(record.start)
    for word in record.words:
        position.make(position.parse(word))
    assert (position.captures(0), position.captures(1)) == (31, 29)


def test_comments_markup_and_variations_are_preserved():
    sheet, record = read(RECORDS)[2]
    assert record.game == "go:size=9,komi=0.5,rules=chinese,handicap=2"
    assert sheet.line.notes == ["Comments have [brackets], back\\slashes: and\nseveral lines."]
    assert sheet.words == ["E5", "E3", "G5", "E4", "F5", "F7"]
    third, answer = sheet.line.steps[2], sheet.line.steps[3]
    variation, comment = third.notes
    assert comment == "kept" and third.more == {"LB": ["ee:A", "gc:B"]}
    assert [step.word for step in variation.steps] == ["F7", "G6"] and variation.steps[1].notes == [
        "not good"
    ]
    (other,) = answer.notes
    assert [step.word for step in other.steps] == ["F5", "F6", "F4"]
    assert other.steps[0].notes == [2]  # a bad move
    ((doubtful,),) = [[note for note in step.notes if isinstance(note, Line)] for step in other.steps[2:]]
    assert [step.notes for step in doubtful.steps] == [[6], [5, "better"]]


def test_setup_stones_are_a_start_and_preserved_in_variations():
    sheet, record = read(RECORDS)[3]
    assert record.start == "XXO..../.XO..../.XO..../.XO..../.OO.... white"
    assert record.game == "go:columns=7,rows=5,komi=0,ko=simple" and record.moves[0].player == 1
    *_, odd = [note for note in sheet.line.steps[3].notes if isinstance(note, Line)]
    assert [step.word for step in odd.steps] == ["--", "A1"] and odd.steps[0].more["AE"] == ["ab"]


# -- liberties of real files --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "game", "words"),
    [
        ("mail\n(;SZ[9]GaMe[1];Black[aa];White[])\nbye", "go:size=9,komi=0,ko=simple", ["A9", "pass"]),
        ("(;GM[1];B[tt];W[dd])", "go:size=19,komi=0,ko=simple", ["pass", "D16"]),
        ("(;SZ[9];B[aa];B[bb])", "go:size=9,komi=0,ko=simple", ["A9", "pass", "B8"]),
        ("(;SZ[5:3]RU[Tromp-Taylor];B[ec])", "go:columns=5,rows=3,komi=0,rules=tromp-taylor", ["E1"]),
        ("(;SZ[9]RU[NZ])", "go:size=9,komi=0,rules=tromp-taylor,ko=situational", []),
        ("(;SZ[9]RU[New Zealand])", "go:size=9,komi=0,rules=tromp-taylor,ko=situational", []),
        ("(;SZ[9]RU[Chinese suicide=on])", "go:size=9,komi=0,rules=chinese,suicide=on", []),
        ("(;SZ[9]KM[3.75])", "go:size=9,komi=7.5,ko=simple", []),
        ("(;SZ[9]KM[375])", "go:size=9,komi=7.5,ko=simple", []),
        ("(;SZ[9]KM[650])", "go:size=9,komi=6.5,ko=simple", []),
        ("(;SZ[9]HA[0];AB[aa]PL[B];B[bb])", "go:size=9,komi=0,ko=simple", ["B8"]),
        (
            "(;SZ[9]HA[2]AB[cg][gc])",
            "go:size=9,komi=0,ko=simple,handicap=2",
            [],
        ),
        (
            "(;SZ[9]HA[2]AB[aa][bb];W[ee])",
            "go:size=9,komi=0,ko=simple,handicap=2,placement=free",
            ["A9", "B8", "E5"],
        ),
        (
            "(;SZ[9]HA[2];B[aa];B[bb];W[ee])",
            "go:size=9,komi=0,ko=simple,handicap=2,placement=free",
            ["A9", "B8", "E5"],
        ),
        ("(;SZ[9];(;C[only words])(;B[aa]))", "go:size=9,komi=0,ko=simple", ["A9"]),
    ],
)
def test_real_sgf_files_are_read(tmp_path, text, game, words):
    sheet, record = one(tmp_path, text)
    assert sheet.problem == ""
    assert (record.game, record.words) == (game, words)


@pytest.mark.parametrize(
    ("words", "result", "reason"),
    [("B+3.5", [1, -1], "recorded"), ("W+R", [-1, 1], "resigned"), ("W+Resign", [-1, 1], "resigned"),
     ("B+T", [1, -1], "time"), ("B+Time", [1, -1], "time"), ("W+", [-1, 1], "recorded"),
     ("0", [0, 0], "recorded"), ("Draw", [0, 0], "recorded"), ("Jigo", [0, 0], "recorded"),
     ("Void", None, ""), ("?", None, ""), ("", None, "")],
)  # fmt: skip
def test_results(tmp_path, words, result, reason):
    _, record = one(tmp_path, f"(;SZ[9]KM[0.5]RE[{words}];B[aa])")
    assert (record.result, record.reason) == (result, reason)


def test_agreed_result_overrides_the_board(tmp_path, capsys):
    text = "(;SZ[9]KM[0.5]RE[W+5.5];B[aa];W[];B[])"  # alone on the board, and dead
    sheet, record = one(tmp_path, text)
    assert (record.result, record.reason) == ([-1, 1], "recorded")
    assert "RE[W+5.5]" in FORM.write(sheet)
    status, out, _ = run_printed(capsys, "replay", tmp_path / "a.sgf")
    assert status == 0 and "result: white wins\n" in out
    _, record = one(tmp_path, text.replace("W+5.5", "?"))
    assert (record.result, record.reason) == ([1, -1], "rules")


def test_charsets_are_read_as_they_are_named(tmp_path):
    text = "(;SZ[9]CA[%s]PB[%s])"
    sheet, _ = one(tmp_path, (text % ("GB2312", "马晓春")).encode("gb2312"))
    assert sheet.tags["Black"] == "马晓春"
    assert "CA[UTF-8]" in FORM.write(sheet) and "马晓春" in FORM.write(sheet)
    sheet, _ = one(tmp_path, (text % ("UTF-8", "Åsa")).encode())
    assert sheet.tags["Black"] == "Åsa"
    sheet, _ = one(tmp_path, (text % ("no-such", "Åsa")).encode("latin-1"))
    assert sheet.tags["Black"] == "Åsa"


LENIENT = [  # text, moves, the words of a warning
    *tomllib.loads((TESTS / "answers" / "sgf.toml").read_text())["lenient"],
    ("(;SZ[9]" + "(;B[aa];W[bb](;AE[aa]" * 150 + "))" * 150 + ")", "A9 B8", "line 1: stones are set up"),
]


@pytest.mark.parametrize(("text", "words", "warning"), LENIENT)
def test_deviations_are_read_with_a_warning_if_they_break_a_rule(tmp_path, text, words, warning):
    sheet, record = one(tmp_path, text)
    assert not sheet.problem and " ".join(record.words) == words
    assert record.warnings[0].startswith(warning) if warning else record.warnings == []
    position = registry.game(record.game).new(record.start)
    for word in record.words:  # as every screen replays it
        assert position.outcome() is None
        position.make(position.parse(word))


@pytest.mark.parametrize("text", [text for text, *_ in LENIENT])
def test_exports_pass_the_strict_reader_sgfmill_and_read_back_the_same(tmp_path, text):
    from sgfmill import sgf as strict

    sheet, record = one(tmp_path, text)
    written = FORM.write(sheet)
    game = strict.Sgf_game.from_bytes(written.encode())
    assert game.get_root().get("SZ") == game.get_size() and game.get_root().get("FF") == 4
    assert re.search(r"SZ\[\d+\]", written)
    for node in game.get_main_sequence()[1:]:
        assert not {"SZ", "FF", "GM", "CA", "AP"} & set(node.properties())
    again, copy = one(tmp_path, written)
    assert (copy.words, copy.start, copy.result, FORM.write(again)) == (
        record.words,
        record.start,
        record.result,
        written,
    )


# -- what is refused, and where -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", None),
        ("no game\n", "line 1, game 1: no game begins here"),
        ("(;SZ[9]\n;B[aa", "line 2, game 1: column 3: a value is not closed: ']' is missing"),
        ("(;SZ[9]\n;B[aa]%)", "line 2, game 1: column 7: '%)' has no meaning here"),
        ("(;SZ[9]\n;B W[aa])", "line 2, game 1: B has no value"),
        ("(;SZ[9]\n;[aa])", "line 2, game 1: '[aa]' is a value without a property"),
        ("(;SZ[9]\n;B[aa];W[\njj])", "line 2, game 1: W[jj] is not a point of this board of 9x9, aa to ii"),
        (
            "(;SZ[9];B[aa]\n;W[aa])",
            "line 2, game 1: 'A9' is not a legal move here: there is a stone",
        ),
        ("(;GM[2]SZ[8])", "line 1, game 1: GM[2] is another game; Go is GM[1]"),
        ("(;SZ[21])", "line 1, game 1: SZ[21]: boards up to 19x19 are supported"),
        ("(;SZ[big])", "line 1, game 1: SZ[big] is not a board size"),
        ("(;SZ[2]AB[aa][ab][ba][bb]PL[W])", "line 1, game 1: "),
        (
            "(;SZ[9]" + "(;B[aa]" * 300 + ")" * 301,
            "line 1, game 1: 'A9' is not a legal move here: there is a stone on A9 already",
        ),
    ],
)
def test_broken_sgf_errors_name_their_place(tmp_path, monkeypatch, text, problem):
    monkeypatch.chdir(tmp_path)
    Path("a.sgf").write_text(text)
    games = read(Path("a.sgf"))
    if problem is None:
        assert games == []
        return
    ((sheet, record),) = games
    assert record is None and sheet.problem.startswith(f"a.sgf, {problem}"), sheet.problem


def test_a_broken_game_costs_none_of_the_others(tmp_path):
    path = tmp_path / "a.sgf"
    path.write_text(
        "(;SZ[9];B[aa])\n(;SZ[9];B[zz])\n(;FF[4]SZ[9];B[\n(;FF[4]SZ[9](;B)(;W[aa]))\n(;SZ[9];B[bb])\n"
    )
    words = ["broken" if sheet.problem else record.words[0] for sheet, record in read(path)]
    assert words[0] == "A9" and words[1] == "broken" and words[-1] in ("B8", "broken")
    assert "A9" in words and "broken" in words


def test_export_skips_and_reports_wrong_games(tmp_path, capsys):
    path = tmp_path / "a.sgf"
    path.write_text("(;SZ[9];B[aa])\n(;SZ[9];B[zz])")
    status, out, err = run_printed(capsys, "export", path, "--out", tmp_path / "b.sgf")
    assert status == 6 and "line 2, game 2: B[zz] is not a point" in err and not out
    assert "1 of 2 games cannot be read" in err
    assert read(tmp_path / "b.sgf")[0][1].words == ["A9"]
    status, _, err = run_printed(capsys, "import", path)
    assert status == 6 and "holds games and no run" in err


# -- our own games ------------------------------------------------------------------------------

GAMES = st.sampled_from(
    [
        *("go", "go:size=5", "go:columns=7,rows=4,komi=-3", "go:size=9,rules=tromp-taylor"),
        *("go:size=9,handicap=3", "go:size=5,handicap=2,placement=free", "go:size=3,ko=simple"),
        "go:size=4,suicide=on,ko=situational",
    ]
)


def random_match(spec, seed, plies):
    game = registry.game(spec)
    rng = random.Random(seed)
    match = Match(game, [EmptySeat("ann"), EmptySeat("bob")])
    while not match.over() and len(match.turns) < plies:
        move = rng.choice(match.moves())
        match.make(type("Made", (), {"move": move, "report": None})())
    return match


@settings(max_examples=40, deadline=None)
@given(GAMES, st.integers(0, 2**32), st.integers(0, 60))
def test_games_round_trip(tmp_path_factory, spec, seed, plies):
    match = random_match(spec, seed, plies)
    from gameplay.store.record import record_of

    record = record_of(match)
    text = encoding.encode(record, match.game)
    path = tmp_path_factory.mktemp("sgf") / "a.sgf"
    path.write_text(text)
    ((sheet, again),) = read(path)
    assert sheet.problem == ""
    assert again.result == record.result and again.reason == record.reason
    first, second = match.game.new(record.start), registry.game(again.game).new(again.start)
    for name in ("columns", "rows", "komi", "ko", "suicide", "handicap"):
        assert getattr(first, name) == getattr(second, name)
    assert again.words == record.words
    assert FORM.write(sheet) == text


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_a_tree_that_was_written_is_read_as_the_same_tree(seed):
    rng = random.Random(seed)

    def line(position, depth, most):
        row = Line()
        plies = 0
        for _ in range(rng.randint(1, most)):
            if position.outcome() is not None:
                break
            step = Step("", mover=position.turn)
            if row.steps and depth and rng.random() < 0.3:
                other = line(position, depth - 1, 3)
                step.notes += [other] if other.steps else []
            if rng.random() < 0.3:
                step.notes.append(rng.choice([1, 2, 3, 4, 5, 6]))
            if rng.random() < 0.3:
                step.notes.append(rng.choice(["a]b", "c\\", "d:e", "two\nlines", "[", "馬"]))
            if rng.random() < 0.2:
                step.more = {"LB": ["aa:1"], "CR": ["bb", "cc"]}
            move = rng.choice(position.moves())
            step.word = position.format(move)
            position.make(move)
            plies += 1
            row.steps.append(step)
        for _ in range(plies):
            position.unmake()
        return row

    sheet = Sheet(line=line(registry.game("go:size=9").new(), 3, 12))
    sheet.tags |= {"SZ": "9", "Black": "x]y\\", "Date": "2026.11.22"}
    text = FORM.write(sheet)
    (again,) = sgf_reader.read(text.splitlines(), "a.sgf")
    assert again.problem == ""
    assert again.line.steps == sheet.line.steps
    assert again.tags["Black"] == "x]y\\" and again.tags["Date"] == "2026.11.22"
    assert FORM.write(again) == text


def record(**changes):
    plain = {"schema": 1, "game": "go:size=9", "start": "", "players": ["a", "b"], "seed": 0, "moves": []}
    return Record(**{**plain, "result": None, "reason": "", "version": "1", **changes})


@pytest.mark.parametrize(
    ("result", "reason", "words", "message"),
    [([1, -1], "resigned", "", "RE[B+R]"), ([-1, 1], "time", "", "RE[W+T]"), ([0, 0], "agreed", "", "RE[0]"),
     ([1, -1], "illegal_move", "", "RE[B+F]"), ([1, -1], "resign", "", "RE[B+]"), (None, "", "", ""),
     ([1, -1], "rules", "E5 pass pass", "RE[B+73.5]"), ([-1, 1], "rules", "pass pass", "RE[W+7.5]")],
)  # fmt: skip
def test_sgf_result_is_written(result, reason, words, message):
    moves = [Ply(word, number % 2) for number, word in enumerate(words.split())]
    text = encoding.encode(record(result=result, reason=reason, moves=moves), registry.game("go:size=9"))
    assert message in text and (message or "RE[" not in text)


@pytest.mark.parametrize(
    ("spec", "result", "margin", "message"),
    [
        ("go:size=9", [-1, 1], -3.5, "RE[W+3.5]"),
        ("go:size=9,goal=points", [3.5, -3.5], 3.5, "RE[B+3.5]"),
        ("go:size=9,komi=7,goal=points", [0, 0], 0.0, "RE[0]"),
    ],
)
def test_agreed_margin_is_preserved(tmp_path, spec, result, margin, message):
    moves = [Ply("pass", 0), Ply("pass", 1)]
    counted = record(game=spec, result=result, reason="counted", margin=margin, moves=moves)
    assert decode(encode(counted), "here").margin == margin
    text = encoding.encode(counted, registry.game(spec))
    assert message in text and ("goal=points" in text) == ("goal" in spec)
    _, again = one(tmp_path, text)
    assert again.result == result and registry.game(again.game).new().goal == registry.game(spec).new().goal


@pytest.mark.parametrize(
    ("words", "result"),
    [
        ("B+3.5", [3.5, -3.5]),
        ("W+12", [-12, 12]),
        ("W+R", [-89, 89]),
        ("Jigo", [0, 0]),
        ("B+", None),
        ("?", None),
    ],
)
def test_results_in_points_are_read_if_points_are_the_goal(tmp_path, words, result):
    _, record = one(tmp_path, f"(;SZ[9]KM[7.5]RU[Chinese goal=points]RE[{words}];B[aa])")
    assert record.result == result


@pytest.mark.parametrize(
    ("spec", "start", "message"),
    [
        ("go:size=3", ".X./O../... white", ["AB[ba]AP", "AW[ab]", "PL[W]"]),
        ("go:size=3", "B2 A1", [";B[bb];W[ac];B[aa])"]),
        ("go:size=3", ".X./O../... white C1 pass", ["PL[W]", ";W[cc];B[];W[aa])"]),
        ("go:size=9,handicap=2", "E5", ["HA[2]", "AB[gc][cg]", ";W[ee];B[aa])"]),
    ],
)
def test_any_start_is_written_as_stones_and_moves(spec, start, message):
    game = registry.game(spec)
    position = game.new(start)
    word = f"A{position.rows}"
    text = encoding.encode(record(game=spec, start=start, moves=[Ply(word, position.turn)]), game)
    assert all(part in text.replace("\n", "") for part in message), text


def test_a_ko_that_is_set_up_has_no_word():
    game = registry.game("go:size=3")
    with pytest.raises(BadInput, match="forbidden by ko"):
        encoding.encode(record(start=".X./O../... white ko=B2"), game)


def test_games_are_saved_and_loaded_by_their_ending(tmp_path, capsys):
    match = random_match("go:size=5", 1, 8)
    saving = saved.GameSaver(print, tmp_path / "mine.sgf")
    saving.match = match
    saving.write()
    assert (tmp_path / "mine.sgf").read_text().startswith("(;FF[4]AP[gameplay:")
    assert saved.read(tmp_path / "mine.sgf", find=registry.game).words == match.words()
    status, out, _ = run_printed(capsys, "replay", tmp_path / "mine.sgf")
    assert status == 0 and match.words()[-1] in out


def test_games_are_openings(tmp_path):
    game = registry.game("go:size=9")
    chosen = openings.read(game, ["(;SZ[9];B[ee];W[gc])", "(;SZ[9];B[dd])"], "a.sgf")
    assert [opening.moves for opening in chosen.openings] == [("E5", "G7"), ("D6",)]
    with pytest.raises(BadInput, match="on a board of 19x19, not 9x9"):
        openings.read(game, ["(;B[ee])"], "a.sgf")
    with pytest.raises(BadInput, match="a handicap of 2, not 0"):
        openings.read(game, ["(;SZ[9]HA[2]AB[gc][cg])"], "a.sgf")


@pytest.mark.parametrize(
    ("options", "tags"),
    [
        ("", {"RU": "Chinese"}),
        ("rules=tromp-taylor", {"RU": "Tromp-Taylor"}),  # it allows suicide
        ("rules=tromp-taylor,suicide=off", {"RU": "Tromp-Taylor suicide=off"}),
        ("suicide=on,ko=simple", {"RU": "Chinese ko=simple suicide=on"}),
        ("columns=9,rows=7,komi=0.5,goal=points", {"SZ": "9:7", "KM": "0.5", "RU": "Chinese goal=points"}),
        ("handicap=2", {"HA": "2", "AB": "gc cg", "AW": "", "KM": "0.5"}),
        ("handicap=2,komi=6.5", {"HA": "2", "AB": "gc cg", "AW": "", "KM": "6.5"}),
        ("handicap=3,placement=free", {"HA": "3", "Free": "yes", "KM": "0.5"}),
    ],
)
def test_terms_are_written_where_they_differ_from_the_defaults(options: str, tags: dict[str, str]) -> None:
    position = registry.game(f"go:{options}".rstrip(":")).new()
    assert sgf.game_tags(position) == {"SZ": "9", "KM": "7.5", "RU": "Chinese"} | tags
