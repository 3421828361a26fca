"""`gameplay book`: from games to a book, refusals, interruption, display."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import registry
from gameplay.cli.common import book_building
from gameplay.display.reports import book as shown
from gameplay.knowledge.books import first_plies, formats
from gameplay.knowledge.books.book_file import LINES, VALUES, BookFile, BookMove
from gameplay.knowledge.books.editable_book import EditableBook
from gameplay.knowledge.books.fingerprint import fingerprint, successor_fingerprints
from gameplay.runs.expansion import Expansion
from gameplay.value import EXACT, INF, LOWER, UPPER, WIN, format_value
from tests.support.books import (
    ENGINE,
    TICTACTOE,
    _folder,
    gameplay,
    solved_book,
    write_book,
    write_collection,
)
from tests.support.golden import golden

assert _folder and gameplay and solved_book  # fixtures

CHESS = registry.game("chess")


# -- the command --------------------------------------------------------------------------------------------


@pytest.mark.once
def test_from_games_to_a_book_and_on(gameplay: Any, tmp_path: Path) -> None:
    file, games = str(tmp_path / "o.book"), str(write_collection(tmp_path))
    assert gameplay("book", "build", "othello", games, "--plies", "3", "--out", file)[0] == 0
    status, out, err = gameplay("book", "probe", "othello", file, "--moves", "d3")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "othello, d3",
        "move  plays  games  won  drawn  lost",
        "c5     75 %      3    0      0     0",
        "c3     25 %      1    0      0     0",
    ]
    status, out, _ = gameplay("book", "probe", "othello", file, "--moves", "d3 e3", "--json")
    assert status == 4 and json.loads(out)["moves"] == []
    status, out, _ = gameplay("book", "show", file)
    assert status == 0 and "made by     4 games, 3 plies of each" in out and "\n  2. c5" in out
    assert json.loads(gameplay("book", "show", file, "--json")[1])["moves"] == 5
    status, out, err = gameplay("book", "learn", file, games)
    assert status == 0 and "counted in this book already" in err and out.startswith("0 games counted")
    more = tmp_path / "more.txt"
    more.write_text("f5d6c3\nf5f4e3\n")
    assert (
        gameplay("book", "learn", file, str(more))[1] == "2 games counted, 5 moves in positions of the book\n"
    )
    assert gameplay("book", "prune", file, "--min-games", "2", "--out", str(tmp_path / "p.book"))[0] == 0
    assert gameplay("book", "export", file, "--out", str(tmp_path / "o.txt"))[0] == 0
    back = tmp_path / "b.book"
    assert gameplay("book", "import", "othello", str(tmp_path / "o.txt"), "--out", str(back))[0] == 0
    assert back.read_bytes() == Path(file).read_bytes()
    merged = tmp_path / "m.book"
    status, _, err = gameplay("book", "merge", file, str(back), "--out", str(merged))
    assert status == 0 and "a copy of another book, skipped" in err
    assert merged.read_bytes() == back.read_bytes()


@pytest.mark.once
def test_polyglot_book_is_probed_exported_and_imported(gameplay: Any, tmp_path: Path) -> None:
    """Entries have weights; those that no line from the start reaches are omitted and counted."""
    pytest.importorskip("chess.polyglot")
    draft = EditableBook(registry.game("chess"))
    for start, words in (
        ("", "e4 e5"),
        ("", "d4 d5"),
        ("", "e4 c5"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O O-O-O"),
    ):
        draft.count(start, words.split(), None, 9)
    file, book, again = (tmp_path / name for name in ("a.bin", "a.book", "again.bin"))
    file.write_bytes(formats.to_polyglot(draft))
    document = json.loads(gameplay("book", "probe", "chess", file, "--json")[1])
    row = {
        "games": 0,
        "won": 0,
        "drawn": 0,
        "lost": 0,
        "value": None,
        "depth": 0,
        "known": "",
        "solved": False,
    }
    assert document["moves"] == [{"move": "e4", "weight": 2, **row}, {"move": "d4", "weight": 1, **row}]
    assert gameplay("book", "probe", "chess", file, "--moves", "h4", "--json")[0] == 4
    mated = "f3 e5 g4 Qh4#"
    assert gameplay("book", "probe", "chess", file, "--moves", mated)[0] == 4
    status, out, err = gameplay("book", "import", "chess", file, "--out", book)
    assert (status, out) == (0, "")
    assert err == (
        f"{file}: left out 2 entries that no line from the start reaches\n"
        f"{book}: 3 positions, 5 moves, {book.stat().st_size:,} bytes\n"
    )
    assert json.loads(gameplay("book", "show", book, "--json")[1])["made"] == ["imported from a.bin"]
    assert gameplay("book", "export", book, "--out", again) == (0, "", f"{book} is in {again}\n")
    clean = tmp_path / "clean.book"
    status, _, err = gameplay("book", "import", "chess", again, "--out", clean)
    assert status == 0 and err.startswith(f"{clean}: 3 positions"), "nothing is left out"
    lines = tmp_path / "lines.txt"
    assert gameplay("book", "export", book, "--out", lines)[2] == f"{book} is in {lines}\n"
    assert lines.read_text() == gameplay("book", "export", book)[1]


@pytest.mark.once
def test_incompatible_books_are_refused(gameplay: Any, tmp_path: Path) -> None:
    games = write_collection(tmp_path)
    first, second, chess = (tmp_path / f"{name}.book" for name in ("one", "other", "chess"))
    assert gameplay("book", "build", "othello", games, "--plies", "2", "--out", first)[0] == 0
    assert gameplay("book", "build", "othello", games, "--plies", "3", "--out", second)[0] == 0
    status, out, err = gameplay("book", "merge", first, second, "--out", tmp_path / "both.book")
    assert (status, out) == (6, "") and err.startswith(f"gameplay: {second}: ") and err.count("\n") == 1
    text = tmp_path / "chess.txt"
    text.write_text("moves e4 e5\n")
    assert gameplay("book", "import", "chess", text, "--out", chess)[0] == 0
    assert json.loads(gameplay("book", "show", chess, "--json")[1])["made"] == ["imported from chess.txt"]
    status, _, err = gameplay("book", "merge", first, chess, "--out", tmp_path / "both.book")
    assert status == 6 and err.startswith(f"gameplay: {chess} is a book of chess, not ")
    assert not (tmp_path / "both.book").exists()


@pytest.mark.once
def test_interrupted_build_leaves_a_book_that_continues(
    gameplay: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message depends on whether a round was written; a table contains all solved positions."""
    file = tmp_path / "o.book"

    def grow(self: Any, wanted: int, keep: Any, watch: Any) -> int:
        watch(SimpleNamespace(positions=1234, target=5678, value=3, line=["a1", "b2"]))
        if saved:
            keep()
        raise KeyboardInterrupt

    monkeypatch.setattr(Expansion, "grow", grow)
    again = "the same command continues: gameplay book build tictactoe ...\n"
    rounds = (False, "nothing was written yet"), (True, f"{file} is kept as it was after the last round")
    for saved, kept in rounds:
        status, out, err = gameplay("book", "build", "tictactoe", "--expand", "3", "--out", file)
        assert (status, out) == (130, "") and err.replace("\n\n", "\n") == f"{kept}; {again}interrupted\n"
        assert file.exists() == saved

    def build(game: Any, plies: int, out: Path, value: Any, tell: Any) -> int:
        tell("solved", 3, 9)
        raise KeyboardInterrupt

    monkeypatch.setattr(first_plies, "build", build)
    words = ("book", "build", "connect4", "--solve", "--plies", "3", "--out", tmp_path / "c.table")
    status, out, err = gameplay(*words)
    again = "solved positions are kept; the same command continues: gameplay book build connect4 ...\n"
    assert (status, out) == (130, "") and err.replace("\n\n", "\n") == f"{again}interrupted\n"


@pytest.mark.once
def test_book_progress_shows_its_first_moves() -> None:
    game = registry.game("othello")
    for count, line in ((8, "m m m m m m m m"), (9, "m m m m m m m m ...")):
        progress: Any = SimpleNamespace(positions=1234, target=5678, value=0, line=["m"] * count)
        worth = format_value(0, False, game.new().unit)
        assert (
            book_building._format_progress(progress, game)
            == f"1,234 of 5,678 positions, value {worth}, {line}"
        )
    assert book_building.to_units(registry.game("chess"), 0.256) == 26


@pytest.mark.once
def test_a_run_teaches_a_book(gameplay: Any, tmp_path: Path) -> None:
    words = (
        "match",
        "alphabeta",
        "random",
        "--game",
        "tictactoe",
        "--games",
        "6",
        "--depth",
        "2",
        "--jobs",
        "1",
    )
    assert gameplay(*words)[0] == 0
    file = str(tmp_path / "t.book")
    assert gameplay("book", "build", "tictactoe", "last", "--out", file)[0] == 0
    facts = json.loads(gameplay("book", "show", file, "--json")[1])
    assert facts["made"] == ["6 games, 20 plies of each"] and len(facts["learned"]) == 1


@pytest.mark.once
def test_book_searches_resume(gameplay: Any, tmp_path: Path) -> None:
    file, once = str(tmp_path / "c.book"), str(tmp_path / "once.book")
    words = ("book", "build", "connect4", "--engine", "iterative:nodes=200", "--out")
    assert gameplay(*words, file, "--expand", "5")[0] == 0
    assert gameplay(*words, file, "--expand", "12")[0] == 0
    assert gameplay(*words, once, "--expand", "12")[0] == 0
    assert Path(file).read_bytes() == Path(once).read_bytes()
    status, _, err = gameplay(*words, file, "--expand", "20", "--width", "2")
    assert status == 6 and "continue with the same" in err


@pytest.mark.once
@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["build", "othello", "--out", "x.book"], 2, "the book has no source"),
        (
            ["build", "othello", "--solve", "--expand", "5", "--out", "x.book"],
            2,
            "so GAMES and --expand add nothing",
        ),
        (
            ["build", "othello", "--solve", "--engine", "mcts", "--out", "x.book"],
            2,
            "sets a search of --expand",
        ),
        (["build", "othello", "--expand", "5", "--out", "x.txt"], 2, "ends in .book"),
        (["build", "othello", "none.pgn", "--out", "x.book"], 6, "there is no file none.pgn"),
        (
            ["build", "othello", "nobody", "--out", "x.book"],
            6,
            "nobody is not a file, the number of a saved game, or a run",
        ),
        (["build", "pig", "--solve", "--out", "x.book"], 2, "dice or deals"),
        (["build", "chess", "games.txt", "--out", "x.book"], 6, "holds no game of chess (but 4 of othello)"),
        (
            ["build", "othello", "games.txt", "--moves", "f5", "--out", "x.book"],
            2,
            "GAMES begin at their start",
        ),
        (["build", "othello", "games.txt", "--out", "there.book"], 2, "there.book exists"),
        (["build", "othello", "games.txt", "--min-games", "9", "--out", "x.book"], 2, "smaller --min-games"),
        (["learn", "none.book", "games.txt"], 6, "there is no book none.book"),
        (["learn", "games.txt", "games.txt"], 6, "is not a book"),
        (["probe", "nim", "own"], 2, "no book of nim is included"),
        (["probe", "othello", "none.book"], 6, "there is no book"),
        (["probe", "othello", "there.book"], 6, "is a book of tictactoe, not othello"),
        (["show", "games.txt"], 6, "is not a book"),
        (["show", "nowhere"], 6, "there is no book nowhere"),
        (["prune", "there.book", "--out", "y.book"], 2, "no limit is given; expected --min-games"),
        (["prune", "there.book", "--plies", "2", "--out", "there.book"], 2, "there.book exists"),
        (["merge", "there.book", "games.txt", "--out", "y.book"], 6, "is not a book"),
        (["export", "there.book", "--out", "y.pgn"], 2, "is written as .txt"),
        (["export", "there.book", "--out", "y.bin"], 2, "for chess, and this is tictactoe"),
        (["import", "othello", "there.book", "--out", "y.book"], 6, "is not text"),
        (["import", "othello", "none.bin", "--out", "y.book"], 2, "for chess, and this is othello"),
        (["open"], 2, "unknown command 'open'"),
    ],
)
def test_errors_are_one_line(
    words: list[str],
    status: int,
    message: str,
    gameplay: Any,
    solved_book: EditableBook,
    tmp_path: Path,
    monkeypatch: Any,
) -> None:
    monkeypatch.chdir(tmp_path)
    write_collection(tmp_path)
    write_book(solved_book, tmp_path / "there.book")
    code, _, err = gameplay("book", *words)
    assert (code, message in err, err.count("\n")) == (status, True, 1), err
    assert not (tmp_path / "x.book").exists() and not (tmp_path / "y.book").exists()


@pytest.mark.once
def test_a_match_closes_the_books(gameplay: Any, tmp_path: Path) -> None:
    words = (
        "match",
        "a=alphabeta:depth=1,book=own",
        f"{ENGINE},book=own",
        "--game",
        "tictactoe",
        "--games",
        "2",
    )
    document = json.loads(gameplay(*words, "--jobs", "1", "--json")[1])
    assert [player["player"] for player in document["players"]] == [f"{ENGINE},book=own"] * 2
    assert document["efforts"][0]["nodes"] == 0
    document = json.loads(gameplay(*words, "--jobs", "1", "--no-book", "--json")[1])
    assert [player["player"] for player in document["players"]] == [ENGINE] * 2
    assert document["efforts"][0]["nodes"] > 0


@pytest.mark.once
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_killed_build_leaves_a_complete_book_that_can_grow(number: int, tmp_path: Path) -> None:
    file, status = tmp_path / "c.book", []
    words = [sys.executable, "-m", "gameplay", "book", "build", "connect4", "--engine", "iterative:nodes=200"]
    for _ in range(2):
        before = len(EditableBook.of(BookFile(str(file)), registry.game("connect4"))) if file.exists() else 0
        process = subprocess.Popen([*words, "--expand", "100000", "--out", str(file)], stderr=subprocess.PIPE)
        while process.poll() is None and _positions(file) <= before + 4:
            time.sleep(0.01)
        process.send_signal(number)
        status.append((process.wait(), process.communicate()[1].decode()))
        assert _positions(file) > before
    for code, message in status:
        assert code == (130 if number == signal.SIGINT else -signal.SIGKILL)
        assert ("is kept as it was after the last round" in message) == (number == signal.SIGINT)


def _positions(file: Path) -> int:
    return len({key for key, _, _ in BookFile(str(file))}) if file.exists() else 0


def shown_draft() -> EditableBook:
    """A book of a few chess games, and of moves with all optional facts."""
    draft = EditableBook(CHESS)
    draft.count("", ["e4", "e5", "Nf3"], (1, -1), 3)
    draft.count("", ["e4", "c5"], (0, 0), 9)
    draft.count("", ["e4", "e5"], None, 9)
    draft.count("", ["d4"], (-1, 1), 9)
    start = CHESS.new()
    places = {start.format(move): child for move, child in successor_fingerprints(start).items()}
    known = draft.positions[fingerprint(start)]
    known[places["d4"]].value, known[places["d4"]].bound = -20, EXACT
    for word, entry in (
        ("c4", BookMove(value=25, bound=LOWER, depth=7)),
        ("a3", BookMove(value=30, bound=UPPER)),
        ("f3", BookMove(value=3 - WIN, bound=EXACT, solved=True, depth=2)),
        ("g4", BookMove(games=1234)),
        ("h4", BookMove(games=2)),
    ):
        known[places[word]] = entry
    draft.add_start("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    return draft


# -- as it is shown -----------------------------------------------------------------------------------------


@pytest.mark.once
def test_a_book_is_shown_in_facts_moves_and_a_tree() -> None:
    log: list[str] = []
    draft = shown_draft()
    for position in (CHESS.new(), CHESS.new("e4"), CHESS.new("e4 e5")):
        known = draft.positions[fingerprint(position)]
        legal = {
            move: known[child] for move, child in successor_fingerprints(position).items() if child in known
        }
        for width in (0, 40):
            log += [f"-- after {position.text()}, {width}", *shown.move_table(legal, position, width)]
    log += ["-- values alone", *shown.move_table({0: BookMove(value=30, bound=UPPER)}, CHESS.new())]
    draft.facts.made = ["one.pgn, 3 games", "two.pgn"]
    log += ["-- facts", *shown.facts(draft.facts, draft, 12_345)]
    for weights, deviation, engine in (
        (VALUES, 0, ""),
        (VALUES, 2, "iterative, depth 3"),
        (LINES, 2, ""),
        ("", 0, ""),
    ):
        draft.facts.weights, draft.facts.deviation, draft.facts.engine, draft.facts.width = (
            *(weights, deviation, engine, 4),
        )
        log += [f"-- {weights}", *shown.facts(draft.facts, draft, 12_345, 50)]
    draft.facts.starts = ["", "e4", "d4"]
    log += [line for line in shown.facts(draft.facts, draft, 9) if line.startswith("begins")]
    draft.facts.starts = ["e4"]
    log += [line for line in shown.facts(draft.facts, draft, 9) if line.startswith("begins")]
    for way, plies, most in (([], 3, 9), ([], 1, 2), (["e4"], 2, 9), (["e4", "e5"], 0, 9), (["c4"], 3, 3)):
        log += [
            f"-- after {way}, {plies} plies, {most} moves",
            *shown.tree_lines(draft, "", way, plies, most),
        ]
    ring = EditableBook(TICTACTOE)
    for words in (["b2", "b1", "a1", "a2"], ["a1", "b1", "b2", "a2"], ["a1", "b1", "a2", "b2", "a3"]):
        ring.count("", words, (1, -1), 9)
    log += ["-- two ways to a position", *shown.tree_lines(ring, "", [], 9, 9)]
    whole, narrow = (
        list(shown.tree_lines(draft, "", [], 3, 9)),
        list(shown.tree_lines(draft, "", [], 3, 9, 30)),
    )
    assert narrow == [line[:29] for line in whole] and max(map(len, whole)) > 30
    golden("shown_book", "\n".join(log) + "\n")
    assert shown.sort_key(BookMove(weight=2, games=5, value=7)) == (-2, INF, -5)
    assert shown.sort_key(BookMove(weight=2, games=5, value=7, bound=EXACT)) == (-2, -7, -5)
