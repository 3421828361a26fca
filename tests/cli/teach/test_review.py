"""`gameplay review`: folders, terminal, page, refusals."""

import json
import re
import shutil
import subprocess
from hashlib import blake2b
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from gameplay import __version__, registry
from gameplay.cli.teach import review as cli
from gameplay.display.pages import review as review_page
from gameplay.display.reports import review as shown
from gameplay.display.reports.review import brief_lines
from gameplay.display.theme import Theme
from gameplay.errors import BadInput, Usage
from gameplay.runs.frames import frames
from gameplay.search.limit import Limit
from gameplay.store.record import encode
from gameplay.training import annotation, stored_reviews
from gameplay.training import review as lesson
from gameplay.training.review import engine_for, review
from tests.support.commands import gameplay
from tests.support.facts.drawn_trees import page_data
from tests.support.golden import golden
from tests.support.paths import TESTS
from tests.support.reviews import GAMES, games_folder, record, review_moves

pytestmark = pytest.mark.once  # that searches are the same in both builds is proved where they are tested

assert games_folder  # fixture


# -- kept, and gone on with -----------------------------------------------------------------------


def test_review_of_a_folder_resumes_after_an_interruption(games_folder, capsys, monkeypatch):
    calls = []
    real = lesson.review

    def stopping(record, *rest):
        calls.append(record.game)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(record, *rest)

    monkeypatch.setattr(lesson, "review", stopping)
    assert gameplay("review", games_folder, "--nodes", 500, "--json") == 130
    first = capsys.readouterr().out.splitlines()
    assert len(first) == 1 and len(stored_reviews.scan()[0]) == 1
    assert gameplay("review", games_folder, "--nodes", 500, "--json") == 0
    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert json.loads(first[0]) == results[0] and len(results) == 3
    for path in stored_reviews.folder().iterdir():  # as versions wrote them that knew no phases
        older = stored_reviews.read_review(path)
        older.phases, older.phase = [], []
        assert older.player_figures(0).moves
        stored_reviews.write_review(older, path)
    assert gameplay("review", games_folder, "--nodes", 500, "--json") == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == results
    assert calls == ["connect4", "tictactoe", "tictactoe", "tictactoe"], (
        "what was reviewed is not searched again"
    )
    assert [(result["game"], result.get("number", 1)) for result in results] == [
        ("connect4", 1),
        ("tictactoe", 1),
        ("tictactoe", 2),
    ]
    assert results[0]["figures"][0]["moves"] and len(results[0]["figures"][0]["phases"]) == 3


def test_the_terminal_shows_curve_moves_and_figures(games_folder, capsys):
    assert gameplay("review", games_folder, "--nodes", 500) == 0
    out = capsys.readouterr().out
    for words in (
        "ann - eve, blue won",
        "reviewed by iterative, 500 nodes a search",
        "6  orange  2??",
        "1st third",
    ):
        assert words in out
    assert re.search(r"^ann +3 +\d+", out, re.M), "at the end all games together"


def test_in_brief_there_is_a_line_a_side():
    review = review_moves("connect4", "4 1 4 1 4 2 4")
    blue, orange = brief_lines(review)
    assert blue.startswith("blue: ") and blue.endswith(" %, 0 ?!, 0 ?, 0 ??")
    assert orange.endswith("1 ??")


def test_another_limit_and_other_moves_are_other_reviews():
    first, second = record("tictactoe", "a1 b1"), record("tictactoe", "a1 b2")
    places = [
        stored_reviews.path_of(*words)
        for words in ((first, "x", "1"), (first, "x", "2"), (first, "y", "1"), (second, "x", "1"))
    ]
    assert len(set(places)) == 4
    of_game = blake2b(b"tictactoe\0\0a1\0b1", digest_size=10).hexdigest()
    assert re.fullmatch(rf"{of_game}-[0-9a-f]{{20}}\.json", places[0].name), "what was kept is found again"
    assert stored_reviews.read_review(places[0]) is None
    places[0].parent.mkdir(parents=True)
    places[0].write_text("{}")
    assert stored_reviews.read_review(places[0]) is None and stored_reviews.scan()[0] == []


CHROMIUM = shutil.which("chromium")


@pytest.fixture
def write_page(games_folder):
    page = games_folder / "page.html"
    assert gameplay("review", games_folder / "a.json", "--html", page, "--nodes", 500) == 0
    return page


# -- the page -------------------------------------------------------------------------------------


def test_review_page_has_every_move_and_no_external_resources(write_page):
    text = write_page.read_text()
    for words in ("blunder, costs", "ann", "default-src 'none'", "accuracy", "costs are in"):
        assert words in text, words
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "") and "https://" not in text


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
def test_a_browser_steps_to_the_blunder(write_page, tmp_path):
    flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync"
    command = [CHROMIUM, *flags.split(), f"--user-data-dir={tmp_path / 'chromium'}", "--dump-dom"]
    address = f"file://{write_page}?game=1&ply=6"
    dom = subprocess.run([*command, address], capture_output=True, text=True, timeout=60).stdout
    assert 'data-script="ran"' in dom and 'data-shown="game 1 ply 6"' in dom
    match = re.search(r'<p id="said".*?>(.*?)</p>', dom)[1]
    assert match.startswith("6. orange (eve): 2; loss in 2 for orange. blunder, costs"), match
    assert "<polyline" in re.search(r'<div id="curve">(.*?)</div>', dom, re.S)[1]
    assert 'aria-label="6. orange 2, loss in 2' in dom and ">2??<" in dom


def check_error(capsys, status, words, *command):
    assert gameplay("review", *command) == status
    output = capsys.readouterr().err
    assert words in output and "Traceback" not in output and len(output.splitlines()) <= 2, output


# -- refusals -------------------------------------------------------------------------------------


def test_review_refuses_unsupported_games_in_one_line(games_folder, tmp_path, capsys):
    check_error(capsys, 6, "there is no file or saved game nothing.pgn", "nothing.pgn")
    check_error(capsys, 2, "does not search", games_folder / "a.json", "--engine", "random")
    check_error(capsys, 2, "unknown engine", games_folder / "a.json", "--engine", "deepblue")
    match = tmp_path / "x.mat"
    match.write_text(" 1 point match\n\n Game 1\n a : 0                 b : 0\n  1) 31: 8/5 6/5\n")
    check_error(capsys, 6, "cannot hold comments", match, "--annotate", tmp_path / "y.mat")
    check_error(capsys, 2, "exists", games_folder / "a.json", "--annotate", games_folder / "a.json")
    check_error(capsys, 2, "name it copy.json", games_folder / "a.json", "--annotate", tmp_path / "copy.pgn")
    check_error(capsys, 2, "name a folder", games_folder, "--annotate", match)
    for spec in ("puzzle15", str(TESTS / "examples" / "games" / "kuhn.py")):
        with pytest.raises(Usage, match="two-player game"):
            engine_for(registry.game(spec))
    with pytest.raises(BadInput, match="not a review"):
        lesson.decode(b"{}", "x")
    with pytest.raises(BadInput, match="comments"):
        annotation.check(".txt")


def test_games_that_are_wrong_are_reported_and_the_others_reviewed(tmp_path, capsys):
    file = tmp_path / "two.pgn"
    file.write_text('[White "A"]\n\n1. e4 e4 *\n\n' + GAMES[".pgn"])
    assert gameplay("review", file, "--nodes", 300, "--json") == 6
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1 and "line 3, game 1" in err
    assert msgspec.json.decode(out)["number"] == 2


def test_unsupported_games_are_reported_with_their_files(tmp_path, capsys):
    """A single such file is refused; among others it is skipped, and no copy of it is written."""
    folder, noted = tmp_path / "games", tmp_path / "far" / "noted"
    folder.mkdir()
    puzzle, good = folder / "a.json", folder / "b.json"
    puzzle.write_bytes(encode(record("puzzle15:rows=2,columns=2,seed=3", "up", players=("ann",))))
    good.write_bytes(encode(record("tictactoe", "a1 b1")))
    assert gameplay("review", puzzle) == 2
    out, err = capsys.readouterr()
    why = "puzzle15 cannot be reviewed: reviews need a two-player game of perfect information"
    assert (out, err) == ("", f"gameplay: {why}\n")
    words = ("--nodes", 300, "--json", "--annotate", noted)
    assert gameplay("review", folder, *words) == 6
    out, err = capsys.readouterr()
    (row,) = map(json.loads, out.splitlines())
    assert (row["file"], row.get("number", 1), len(row["figures"])) == (str(good), 1, 2)
    assert row["figures"][0].keys() - {"phases"} == row["figures"][0]["phases"][0].keys()
    first, last = err.splitlines()
    assert first == f"gameplay: {puzzle}: {why}"
    assert last == f"{good}: annotated in {noted / 'b.json'}"
    assert [path.name for path in noted.iterdir()] == ["b.json"]
    assert noted.joinpath("b.json").read_bytes().count(b"\n") == 1
    twice = (folder, tmp_path / "other", "--annotate", tmp_path / "both")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "b.json").write_bytes(good.read_bytes())
    assert gameplay("review", *twice) == 2
    row = "gameplay: two of the files have the same name: annotate them one after the other\n"
    assert capsys.readouterr().err == row
    assert gameplay("review", folder, *words) == 2, "a copy is there"
    assert f"{noted / 'b.json'} exists" in capsys.readouterr().err


def test_annotated_copy_is_named_after_its_file_or_written_to_a_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    first, second = tmp_path / "one.PGN", tmp_path / "two.json"
    assert cli._copies([first], None) is None
    assert cli._copies([first], Path("~/noted.pgn")) == {first: tmp_path / "noted.pgn"}
    with pytest.raises(Usage, match=r"the copy has the format of one\.PGN: name it noted\.PGN"):
        cli._copies([first], tmp_path / "noted.json")
    folder = tmp_path / "noted"
    folder.mkdir()
    assert cli._copies([first], folder) == {first: folder / "one.PGN"}
    assert cli._copies([first, second], folder) == {first: folder / "one.PGN", second: folder / "two.json"}
    new = tmp_path / "new" / "noted"
    assert cli._copies([first, second], new)[second] == new / "two.json" and new.is_dir()
    (tmp_path / "file").write_text("")
    with pytest.raises(Usage, match="is a file, and there are 2 to annotate: name a folder"):
        cli._copies([first, second], tmp_path / "file")


def test_summary_follows_the_reviews(capsys, monkeypatch):
    """For two games or more; separately for other kinds of costs, and with the columns that apply."""
    log = []
    monkeypatch.setattr(shown, "lines", lambda *what: [f"a review, {what[3]} columns"])
    monkeypatch.setattr(shown, "fit_table", lambda *what: log.append(what) or ["end"])
    monkeypatch.setattr(shown, "figures_row", lambda name, sum_, graded: [name, sum_.moves, graded])
    review = review_moves("connect4", "4 1 4 1 4 2 4")
    review.names = ["ann", "bob"]
    other = msgspec.structs.replace(review, equity=True, names=["bob", "ann"])

    def close(*reviews, as_json=False, interactive=False):
        log.clear()
        console = SimpleNamespace(size=SimpleNamespace(width=70))
        plain_output = cli._Output(SimpleNamespace(interactive=interactive, console=console), as_json)
        for review in reviews:
            plain_output.show(review, None, review.engine)
        plain_output.close()
        assert plain_output.count == len(reviews)
        return capsys.readouterr().out, plain_output

    assert close(review)[0] == "a review, 0 columns\n" and log == []
    out, plain_output = close(review, review, other, interactive=True)
    assert out == "a review, 70 columns\n\na review, 70 columns\n\na review, 70 columns\n\nend\n\nend\n"
    assert plain_output.page_games == [(review, review.engine)] * 2 + [(other, other.engine)]
    moves = [review.player_figures(seat).moves for seat in (0, 1)]
    heads, costs = (
        ["", "games", "moves", figure, "cost", "?!", "?", "??"] for figure in ("accuracy", "cost a move")
    )
    assert log == [
        ([["ann", "1", moves[1], False], ["bob", "1", moves[0], False]], costs, 70),
        ([["ann", "2", 2 * moves[0], True], ["bob", "2", 2 * moves[1], True]], heads, 70),
    ]
    assert close(review, review)[0] == "a review, 0 columns\n\na review, 0 columns\n\nend\n"
    assert close(review, review, as_json=True)[0].count("\n") == 2 and log == []
    monkeypatch.setattr(cli, "MAX_PAGE_GAMES", 2)
    assert len(close(review, review, review)[1].page_games) == 2


def test_a_page_shows_the_games_of_one_game(games_folder, capsys):
    page = games_folder / "page.html"
    assert gameplay("review", games_folder, "--html", page, "--nodes", 300, "--json") == 0
    first, last = capsys.readouterr().err.splitlines()
    assert first == f"{page}: the page shows the games of connect4; give each game a page"
    assert last == f"{page}: {len(page.read_bytes()) / 1000:,.0f} kB"
    other = games_folder / "other.html"
    assert gameplay("review", games_folder / "b.jsonl", "--html", other, "--nodes", 300, "--json") == 0
    assert capsys.readouterr().err == f"{other}: {len(other.read_bytes()) / 1000:,.0f} kB\n"
    assert gameplay("review", games_folder / "b.jsonl", "--html", other) == 2


def test_review_matches_the_stored_screens_at_every_width():
    """With and without mistakes, in points and in equity; won, drawn and unfinished."""
    log = []
    games = {
        "tictactoe": (
            review_moves("tictactoe", "b2 a2 c3 a1 c1 a3"),
            review_moves("tictactoe", "b2 a1 c1 a3 a2 c2 b1 b3 c3"),
        ),
        "connect4": (
            review_moves("connect4", "4 1 4 1 4 2 4", nodes=500),
            review_moves("connect4", "4", nodes=50),
        ),
        "backgammon": (review_moves("backgammon", ["31", "8/5,6/5", "64", "24/14"], nodes=20),),
        "chess": (
            review_moves("chess", "e4 f6 d4 g5 Qh5", nodes=300),
            review_moves("chess", "e4 e5", nodes=200),
        ),
    }
    for spec, reviews in games.items():
        position = registry.game(spec).new()
        for number, reviewed in enumerate(reviews, 1):
            for width, unicode in ((0, True), (76, True), (44, False)):
                theme = Theme(colour=False, unicode=unicode, interactive=bool(width))
                log += [
                    f"-- {spec} {number}, {width} columns",
                    *shown.lines(reviewed, position, theme, width),
                ]
                assert not width or max(map(len, shown.lines(reviewed, position, theme, width))) <= width
            log += [
                *shown.brief_lines(reviewed),
                *(shown.comment(reviewed, position, move) for move in reviewed.moves),
            ]
    golden("reviews", "\n".join(line.rstrip() for line in log) + "\n")


def test_page_of_reviews_equals_the_stored_one():
    """One game and several, some of them in part; also the data, without the style and the script."""
    log = []
    game_record = record("tictactoe", "b2 a2 c3 a1 c1 a3")
    two = record("connect4", "4 1 4 1 4 2 4")
    dice = record("backgammon", ["31", "8/5,6/5", "64", "24/14"])
    for counted, nodes, records in (
        (1, 3000, [game_record]),
        (1200, 500, [two, record("connect4", "4 4")]),
        (1, 20, [dice]),
    ):
        games = []
        for result in records:
            game = registry.game(result.game)
            judged = review(result, engine_for(game), Limit(nodes=nodes))
            games.append((judged, frames(game, result), game.new()))
        text = review_page.page(games, {"rows": ["1"]}, counted)
        for result, drawn in zip(records, json.loads(page_data(text))["games"], strict=True):
            assert [ply[0] for ply in drawn["plies"]] == result.words
            assert len(drawn["curve"]) == len(drawn["signs"]) == len(result.words)
            assert all(point is None or 0 <= point <= 1 for point in drawn["curve"])
            if result.result is not None:  # the first player's points in the end
                assert drawn["curve"][-1] in (None, (result.result[0] + 1) / 2)
        text = re.sub(r"(?s)<(style|script)>.*?</\1>", "", text.replace(__version__, "1.2"))
        log += [f"-- {records[0].game}", re.sub(r"'sha256-[^']*'", "HASH", text)]
    golden("review_pages", "\n".join(log))
