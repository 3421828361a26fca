"""Openings are known by position: their names on the screen, in the lines of a game, in its file."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.cli.play import openings
from gameplay.display.terminal import panel
from gameplay.knowledge.books import names
from gameplay.learning.names import table
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.player import Choice
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

FILE = Path(names.__file__).with_name("chess_names.tsv")
LISTED = TESTS / "answers" / "othello_openings.tsv"
# By other collections too: the names that players know.
KNOWN = [
    ("e4", "B00 King's Pawn Game"),
    ("e4 e5 Nf3 Nc6 Bb5", "C60 Ruy Lopez"),
    ("e4 e5 Nf3 Nc6 Bb5 Nf6", "C65 Ruy Lopez: Berlin Defense"),
    ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "B90 Sicilian Defense: Najdorf Variation"),
    ("d4 d5 c4 e6", "D30 Queen's Gambit Declined"),
    ("c4 e6 d4 d5", "D30 Queen's Gambit Declined"),  # by transposition
    ("d4 Nf6 c4 g6 Nc3 d5", "D80 Grünfeld Defense"),
]


def match_after(words: str, game: str = "chess") -> Match:
    return Match(registry.game(game), [EmptySeat(), EmptySeat()], moves=words.split())


@pytest.mark.parametrize(("words", "name"), KNOWN)
def test_openings_are_known_by_their_positions(words: str, name: str) -> None:
    assert panel.opening_name(match_after(words)) == name


def test_a_game_keeps_the_last_name_that_it_had() -> None:
    match = match_after("e4 e5 Nf3 Nc6 Bb5 Nf6 a3 a6 h3 h6 Rh2 Rh7")
    assert panel.opening_name(match).startswith("C65 Ruy Lopez: Berlin Defense")


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("f5", ""),
        ("f5 d6 c3 d3 c4", "Tiger"),
        ("c4 e3 f6 e6 f5", "Tiger"),  # the same on the other three first moves
        ("d3 c5 f6 f5 e6", "Tiger"),
        ("e6 f4 c3 c4 d3", "Tiger"),
        ("f5 f6 e6 d6 c5", "Cow"),
        ("f5 f6 e6 f4 e3", "Cow"),  # by transposition and a mirror
        ("f5 d6 c3 d3 c4 f4 f6 f3", "Comp'Oth"),
        ("f5 f6 e6 f4 g5 e7 e3 c5", "Heath-Bat"),
    ],
)
def test_openings_of_othello_are_known_by_all_first_moves(words: str, name: str) -> None:
    assert panel.opening_name(match_after(words, "othello")) == name


def test_the_names_of_othello_are_those_of_the_list_and_all_its_moves_are_legal() -> None:
    file = FILE.with_name("othello_names.tsv")
    assert table("othello", [LISTED]) == file.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in LISTED.read_text(encoding="utf-8").splitlines()]
    listed = [row for row in rows if not row[0].startswith("#")][1:]
    assert len(listed) == 86 == len({name for _, name, _ in listed})
    for _, name, moves in listed:
        assert panel.opening_name(match_after(moves, "othello")) == name


def test_a_smaller_board_has_no_names() -> None:
    match = match_after("", "othello:size=6")
    while len(match.turns) < 8:
        match.make(Choice(match.moves()[0]))
    assert panel.opening_name(match) == ""


@pytest.mark.parametrize("game", ["connect4", "checkers", "tests/examples/games/sticks.py"])
def test_other_games_have_no_names(game: str) -> None:
    match = match_after("", game)
    match.make(Choice(match.moves()[0]))
    assert panel.opening_name(match) == "" and not names.has_names(type(match.position))


def test_opening_names_file_names_its_source_and_is_complete() -> None:
    head, *rows = FILE.read_text(encoding="utf-8").splitlines()
    assert head.startswith("#") and rows[0].startswith("#") and "CC0" in rows[0]
    fields = [row.split("\t") for row in rows[1:]]
    assert len(fields) > 2_500 and len({field[0] for field in fields}) == len(fields)
    assert all(
        len(field) == 4 and len(field[0]) == 12 and field[1][0] in "ABCDE" and all(field) for field in fields
    )


def test_line_mode_prints_an_opening_name_when_it_changes(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    specs = "script:e4 Nf3 Bb5 a3,script:e5 Nc6 Nf6 a6"
    file = tmp_path / "game.pgn"
    words = ["play", "chess", "--players", specs, "--plain", "--save", str(file)]
    run(router, "gameplay", words)
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("opening: ")]
    assert lines[0] == "opening: B00 King's Pawn Game"
    assert "opening: C65 Ruy Lopez: Berlin Defense" in lines and len(lines) == len(set(lines))
    pgn = file.read_text()
    assert '[ECO "C65"]' in pgn and '[Opening "Ruy Lopez: Berlin Defense' in pgn
    assert run(router, "gameplay", ["replay", str(file), "--plain"]) == 0
    assert "opening: C65 Ruy Lopez: Berlin Defense" in capsys.readouterr().out


def test_screen_shows_the_opening_above_the_moves() -> None:
    lines = panel.move_list(match_after("e4 e5 Nf3 Nc6 Bb5 Nf6"), 40, 6).plain.splitlines()
    assert lines[0] == "C65 Ruy Lopez: Berlin Defense" and lines[1].startswith("1. e4 e5")
    assert panel.move_list(match_after("e4 e5"), 40, 2).plain.startswith("1. ")


def test_the_file_is_made_of_rows_with_moves(tmp_path: Path) -> None:
    rows = "# From nowhere.\neco\tname\tpgn\nC60\tRuy Lopez\t1. e4 e5 2. Nf3 Nc6 3. Bb5\n"
    (tmp_path / "c.tsv").write_text(rows + "C60\tAnother\t1. Nf3 Nc6 2. e4 e5 3. Bb5 Nf6 4. Bf1 Ng8 5. Bb5\n")
    head, source, row = table("chess", [tmp_path / "c.tsv"])
    assert head.startswith("# Names of the openings of chess") and source == "# From nowhere."
    assert row.split("\t")[1:] == ["C60", "Ruy Lopez", "e4 e5 Nf3 Nc6 Bb5"] and row in FILE.read_text(
        encoding="utf-8"
    )


def test_a_transcript_names_its_opening_in_its_comment(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    file = tmp_path / "game.txt"
    words = ["play", "othello", "--players", "script:f5 c3 c4,script:d6 d3", "--plain", "--save", str(file)]
    run(router, "gameplay", words)
    assert "opening: Tiger" in capsys.readouterr().out.splitlines()
    head, moves = file.read_text().splitlines()
    assert head.endswith(", Tiger") and moves == "f5d6c3d3c4"
    assert run(router, "gameplay", ["replay", str(file), "--plain"]) == 0
    assert "opening: Tiger" in capsys.readouterr().out.splitlines()


# -- the catalogue ----------------------------------------------------------------------------------------


def run_openings(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = run(router, "gameplay", ["openings", *words])
    output = capsys.readouterr()
    return status, output.out, output.err


def test_every_line_of_the_catalogue_leads_to_its_position() -> None:
    for game in names.games():
        every = names.catalogue(registry.game(game).cls)
        assert len(every) == len(names._names(game))
        for opening in every[:: 1 if game == "othello" else 40]:
            position = registry.game(game).new(" ".join(opening.moves))
            assert names.name(position) == opening


def test_openings_are_found_by_name_code_and_moves(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_openings(capsys, "chess", "grunfeld", "defense", "D80")
    assert status == 0 and "D80 Grünfeld Defense " in out
    status, out, _ = run_openings(capsys, "chess", "grunfeld defense")
    assert status == 0 and out.startswith("D80 Grünfeld Defense\nd4 Nf6 c4 g6 Nc3 d5\n")
    assert "play it: " in out and "chess --moves 'd4 Nf6 c4 g6 Nc3 d5'" in out
    status, out, _ = run_openings(capsys, "chess", "--moves", "Nf3 Nf6 d4 g6 c4", "kings", "INDIAN", "--json")
    document = json.loads(out)["openings"]
    assert status == 0 and document and all("King's Indian" in opening["name"] for opening in document)
    status, out, _ = run_openings(capsys, "othello", "--moves", "d3 c5", "tiger")
    assert status == 0 and out.startswith("Tiger\nf5 d6 c3 d3 c4\n") and "\nMainline Tiger " in out


def test_without_words_families_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_openings(capsys, "chess")
    (row,) = [row for row in out.splitlines() if " Sicilian Defense " in row]
    assert status == 0 and row.startswith("B20-B99 Sicilian Defense ") and row.endswith("  e4 c5")
    assert len(run_openings(capsys, "othello")[1].splitlines()) > 80


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["go"], 2, "the openings of go have no names; expected chess or othello"),
        (["chess", "xyzzy"], 2, "no opening of chess is called xyzzy"),
        (["chess", "sicilan"], 2, "no opening of chess is called sicilan; did you mean 'Sicilian'?"),
        (["chess", "grunfeld", "rusian"], 2, "is called grunfeld rusian; did you mean 'grunfeld Russian'?"),
        (["chess", "najdorf", "grunfeld"], 2, "called najdorf grunfeld. Try: gameplay openings chess"),
        (["chess", "C6x"], 2, "is called C6x. Try: gameplay openings chess"),
        (["chess", "--moves", "e4", "e5"], 2, 'those that these moves lead to: --moves "e4 e5"'),
        (["chess", "--moves", "e4 e9"], 6, "move 2: 'e9'"),
        (["chess", "--moves", "a3 h6 a4 h5", "tiger"], 2, "is called tiger after a3 h6 a4 h5"),
        (["chss"], 2, "unknown game 'chss'; did you mean 'chess'?"),
    ],
)
def test_missing_file_is_reported(
    words: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run_openings(capsys, *words)
    assert code == status and message in out + err and (out + err).count("\n") == 1


FEW = [
    names.OpeningName("B20", "Sicilian Defense", ("e4", "c5")),
    names.OpeningName("B27", "Sicilian Defense: Hungarian Variation", ("e4", "c5", "Nf3", "g6")),
    names.OpeningName("A04", "Sicilian Defense: Invitation", ("Nf3", "c5", "e4")),
    names.OpeningName("D10", "Slav Défense", ("d4", "d5", "c4", "c6")),
    names.OpeningName("", "Anderssen's Opening", ("a3",)),
]


def test_openings_are_printed_in_columns_that_fit_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(names, "catalogue", lambda cls: FEW)
    families = [
        "A04-B27 Sicilian Defense       3  e4 c5",
        "D10     Slav Défense           1  d4 d5 c4 c6",
        "Anderssen's Opening    1  a3",
    ]
    assert run_openings(capsys, "chess") == (0, "\n".join(families) + "\n", "")
    monkeypatch.setattr(openings, "columns", lambda: 46)
    assert run_openings(capsys, "chess")[1].splitlines() == families
    monkeypatch.setattr(openings, "columns", lambda: 45)
    assert run_openings(capsys, "chess")[1].splitlines() == [families[0], families[1][:-1], families[2]]
    hungarian, invitation = "B27 Sicilian Defense: Hungarian Variation", "A04 Sicilian Defense: Invitation"
    for width in (0, len(hungarian) + 32):
        monkeypatch.setattr(openings, "columns", lambda width=width: width)
        assert run_openings(capsys, "chess", "i", "sicilian", "n:")[1].splitlines() == [
            f"B20 Sicilian Defense{' ' * 21}  e4 c5",
            f"{hungarian}  e4 c5 Nf3 g6",
            f"{invitation}{' ' * 9}  Nf3 c5 e4",
        ], width
    monkeypatch.setattr(openings, "columns", lambda: len(hungarian) + 31)
    lines = run_openings(capsys, "chess", "--moves", "e4,c5")[1].splitlines()
    assert lines == ["B20 Sicilian Defense", "    e4 c5", hungarian, "    e4 c5 Nf3 g6"]
    monkeypatch.setattr(openings, "columns", lambda: 13)
    lines = run_openings(capsys, "chess", "--moves", "e4 c5 Nf3")[1].splitlines()
    moves = [line for line in lines if line.startswith("    ")]
    assert moves == ["    e4 c5 Nf3", "    g6", "    Nf3 c5 e4"], "by another way too"
    assert max(map(len, lines)) <= 13


def test_an_opening_with_exactly_this_name_is_drawn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Openings with its words in their names are listed below it."""
    monkeypatch.setattr(names, "catalogue", lambda cls: FEW)
    out = run_openings(capsys, "chess", "sicilian", "defense", "--plain")[1].splitlines()
    assert out[:3] == ["B20 Sicilian Defense", "e4 c5", ""]
    assert out[-5:-1] == [
        "",
        "play it: play chess --moves 'e4 c5'",
        "",
        "B27 Sicilian Defense: Hungarian Variation  e4 c5 Nf3 g6",
    ]
    assert out[7].split() == ["5", ".", ".", "p", ".", ".", ".", ".", "."]
    for words in (("slav", "defense"), ("d1",), ("D10", "slav"), ("--moves", "d4 d5 c4 c6")):
        out = run_openings(capsys, "chess", *words, "--plain")[1].splitlines()
        assert out[:2] == ["D10 Slav Défense", "d4 d5 c4 c6"] and out[-1].endswith("'d4 d5 c4 c6'")
    out = run_openings(capsys, "chess", "anderssens", "--plain")[1].splitlines()
    assert out[0] == "Anderssen's Opening" and out[-1].startswith("play it: ")
    document = json.loads(run_openings(capsys, "chess", "opening", "--json")[1])
    assert document == {
        "game": "chess", "openings": [{"code": "", "name": "Anderssen's Opening", "moves": "a3"}],
    }  # fmt: skip
    assert run_openings(capsys, "chess", "slav", "--json")[1].count("Défense") == 1
    assert run_openings(capsys, "chess", "none", "such") == (
        2, "", "gameplay: no opening of chess is called none such. Try: gameplay openings chess\n"
    )  # fmt: skip
    assert run_openings(capsys, "chess", "--moves", "h3") == (
        4,
        "no opening of chess has a name after h3\n",
        "",
    )
    assert run_openings(capsys, "chess", "h3", "h6") == (
        2, "",
        'gameplay: no opening of chess is called h3 h6; those that these moves lead to: --moves "h3 h6"\n',
    )  # fmt: skip


def test_an_opening_is_its_name_whatever_line_leads_there():
    first, second = (names.OpeningName("C20", "King's Pawn", moves) for moves in (("e4", "e5"), ("e3", "e5")))
    assert first == second and hash(first) == hash(second)
    assert first != names.OpeningName("C21", "King's Pawn", ("e4", "e5"))


def test_opening_names_are_searched_to_the_deepest_known_ply(monkeypatch: pytest.MonkeyPatch) -> None:
    """Along the lines of the files, for at most 40 plies."""
    every = [opening for game in names.games() for opening in names.catalogue(registry.game(game).cls)]
    assert max(len(opening.moves) for opening in every) <= 40
    late = names.OpeningName("", "Late")
    for ply, expected_name in ((40, late), (41, None)):
        requests: list[int] = []
        monkeypatch.setattr(names, "key", lambda position, requests=requests: len(requests))
        monkeypatch.setattr(names, "_names", lambda module, ply=ply: {ply: late})
        assert names.opening(SimpleNamespace(make=requests.append), range(50)) == expected_name
        assert requests == list(range(40))


def test_only_games_of_ours_have_names() -> None:
    assert [names.has_names(type("Chess", (), {"__module__": f"{package}.chess.game"})) for package in (
        "gameplay.games", "mine", "gameplay.wide_games", "gameplay_games",
    )] == [True, False, False, False]  # fmt: skip
    assert not names.has_names(type("Chess", (), {"__module__": "chess"}))
    assert names.games() == ["chess", "othello"]
    opening = names.OpeningName("C65", "Ruy Lopez: Berlin Defense: Rio", ("e4",))
    assert (opening.family, str(opening)) == ("Ruy Lopez", "C65 Ruy Lopez: Berlin Defense: Rio")
    other = names.OpeningName("", "Tiger")
    assert (other.family, str(other), other.moves) == ("Tiger", "Tiger", ())


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 200])
def test_list_of_openings_fits_the_terminal(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gameplay.cli.play.openings.columns", lambda: width)
    assert run(router, "gameplay", ["openings", "chess", "najdorf", "--plain"]) == 0
    listed = capsys.readouterr().out.rpartition("play it:")[2].splitlines()[1:]
    assert len(listed) > 20 and max(map(len, listed)) <= width
