"""Books made from games: counts, refused sources, imperfect information."""

from pathlib import Path

import pytest

from gameplay import registry
from gameplay.errors import BadInput, Usage
from gameplay.knowledge.books import book, formats
from gameplay.knowledge.books.book import Book
from gameplay.knowledge.books.book_file import VALUES
from gameplay.knowledge.books.editable_book import EditableBook
from gameplay.knowledge.books.fingerprint import fingerprint
from gameplay.runs import collected, stored
from gameplay.runs.expansion import Expansion
from gameplay.runs.job import GameResult, Job, Seat
from gameplay.runs.plan import Entrant, Plan
from gameplay.runs.played import to_store
from gameplay.search.limit import Limit
from gameplay.store import saved
from gameplay.store.record import SCHEMA, Ply, Record
from gameplay.store.runs import Store
from tests.support.books import _FOLDER, NODES, OTHELLO, TICTACTOE, _folder, write_book, write_collection
from tests.support.paths import TESTS

assert _folder  # fixture


def test_symmetric_games_are_counted_together(tmp_path: Path) -> None:
    draft = EditableBook(OTHELLO)
    counts = collected.count(draft, [str(write_collection(tmp_path))], 4)
    assert (counts.games, counts.moves, counts.notes) == (4, 15, [])
    (first,) = draft.positions[book.start_fingerprint(OTHELLO)].values()
    assert (first.games, first.weight, first.won + first.drawn + first.lost) == (4, 4, 0)
    second = draft.positions[fingerprint(OTHELLO.new("f5"))]
    assert sorted(entry.games for entry in second.values()) == [1, 3], "d3 c5 is f5 d6"
    again = collected.count(draft, [str(tmp_path / "games.txt")], 4)
    assert again.games == 0 and "are counted in this book already" in again.notes[0]


@pytest.mark.once
def test_skipped_games_of_a_book_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of games of other games, games that cannot be read or played, and empty sources."""

    def record(game: str, *words: str) -> Record:
        return Record(SCHEMA, game, "", ["", ""], 0, [Ply(word, 0) for word in words], [1, -1], "rules", "")

    good, bad, none = record("othello", "f5", "d6"), record("othello", "f5", "a1"), record("othello")
    others = [record(f"connect4:columns={columns}") for columns in (5, 6, 5, 8, 4, 6, 5)]
    others += [record("nowhere"), record("othello:size=6")]
    message = "3 of connect4:columns=5, 2 of connect4:columns=6, 1 of connect4:columns=8, ..."
    held = {
        "one": [(1, good, ""), (2, None, "one, line 3: no move"), (3, bad, ""), (4, none, "")],
        "many": [(number, other, "") for number, other in enumerate(others)] + [(10, good, "")],
        "others": [(number, other, "") for number, other in enumerate(others)],
        "wrong": [(1, None, "wrong, line 1: what"), (2, None, "wrong, line 2: no")],
        "bad": [(7, bad, "")],
        "empty": [],
    }
    monkeypatch.setattr(collected, "_read_source", lambda source, store: iter(held[source]))
    draft = EditableBook(OTHELLO)
    counts = collected.count(draft, ["one", "many"], 4)
    illegal = "one, game 3: 'a1' is not a legal move"
    assert (counts.games, counts.moves) == (2, 4)
    assert counts.notes[0] == "one, line 3: no move: left out"
    assert counts.notes[1].startswith("one, game 3: ") and counts.notes[1].endswith(": left out"), illegal
    assert counts.notes[2:] == [f"many: games of other games or boards are left out ({message})"]
    assert len(draft.facts.learned) == len(set(draft.facts.learned)) == 2
    again = collected.learn(draft, ["many", "one"])
    before = "its games are counted in this book already, and are left out"
    assert (again.games, again.moves) == (0, 0)
    assert [note for note in again.notes if before in note] == [f"many: {before}", f"one: {before}"]
    for source, words in (
        ("others", f"others holds no game of othello (but {message})"),
        ("wrong", "wrong, line 1: what"),
        ("empty", "empty holds no game of othello"),
    ):
        with pytest.raises(BadInput) as refused:
            collected.count(EditableBook(OTHELLO), [source], 4)
        assert str(refused.value) == words
    with pytest.raises(BadInput, match=r"^bad, game 7: "):
        collected.count(EditableBook(OTHELLO), ["bad"], 4)


@pytest.mark.once
def test_invalid_sources_of_games_are_refused(tmp_path: Path) -> None:
    wrong = {
        str(tmp_path): f"{tmp_path} is a folder; name the files in it",
        "none.pgn": "there is no file none.pgn",
        "last": "last is not a file, the number of a saved game, or a run: ",
    }
    for source, words in wrong.items():
        with pytest.raises(BadInput) as refused:
            collected.count(EditableBook(OTHELLO), [source], 4, tmp_path / "runs.db")
        assert str(refused.value).startswith(words) and (words.endswith(": ") or str(refused.value) == words)
    assert not (tmp_path / "runs.db").exists(), "no store is made to look into"


@pytest.mark.once
def test_games_come_from_files_saved_games_and_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From runs those that count and were stored completely, numbered from 1."""
    plan = Plan(game="tictactoe", players=[Entrant(player="minimax"), Entrant(player="random")], games=8)
    chairs = tuple(Seat(player="random", name=entry.name, seed=1) for entry in plan.players)

    def resigned_game(leg: int, word: str) -> tuple[Job, GameResult]:
        job = Job(pair=0, leg=leg, attempt=1, game="tictactoe", seats=chairs, seed=1)
        record = Record(SCHEMA, "tictactoe", "", ["x", "y"], 1, [Ply(word, 0)], [1, -1], "resign", "0")
        return job, GameResult(0, leg, 1, "resign", record, 1.0, (1.0, -1.0))

    games = [resigned_game(0, "a1"), resigned_game(1, "b2")]
    lost, dead = Job(1, 0, 1, "tictactoe", chairs, 1), Job(1, 1, 1, "tictactoe", chairs, 1)
    store = tmp_path / "runs.db"
    with Store(store) as kept:
        run = kept.create(stored.new(plan))
        kept.record(run, [to_store(*game) for game in games])
        kept.record(run, [to_store(lost, GameResult(1, 0, 1, "crash", None, 0.0, (-1.0, 1.0)))])
        kept.record(run, [to_store(dead, GameResult(1, 1, 1, "void", resigned_game(0, "c3")[1].record))])
    first, second = (done.record for _, done in games)
    assert list(collected._read_source(run, store)) == [(1, first, ""), (2, second, "")]
    saved.folder().mkdir(parents=True, exist_ok=True)
    assert first is not None
    saved.write_record(first, saved.folder() / "007.json")
    assert list(collected._read_source("1", store)) == [(1, first, "")]
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "mine.txt").write_text("f5d6\n")
    ((number, record, problem),) = collected._read_source("~/mine.txt", store)
    assert (number, problem) == (1, "") and record is not None and record.words == ["f5", "d6"]


def test_a_game_by_other_rules_leaves_the_book_unchanged() -> None:
    file = str(TESTS / "examples" / "records" / "backgammon.mat")
    draft = EditableBook(registry.game("backgammon"))
    with pytest.raises(BadInput, match=r"backgammon.mat, game 1: 'roll' is not a roll here"):
        collected.count(draft, [file], 20)
    assert not draft.positions
    match = EditableBook(registry.game("backgammon:match=3"))
    assert collected.count(match, [file], 6).games == 1 and len(match.depths()) == 6


def test_winning_moves_gain_weight_and_losing_ones_get_none() -> None:
    draft = EditableBook(TICTACTOE)
    for words, payoffs in (
        ("b2 a1", (1, -1)),
        ("b2 b1", (-1, 1)),
        ("a1 b2", (0, 0)),
        ("b1", (-1, 1)),
        ("a1", None),
    ):
        draft.count("", words.split(), payoffs, 9)
    known = Book(str(write_book(draft, _FOLDER[0] / "t.book")), TICTACTOE).entries_of(TICTACTOE.new())
    weights = {TICTACTOE.new().format(move): entry.weight for move, entry in known.items()}
    assert (weights["b2"], weights["a1"], weights["b1"]) == (2, 2, 0)
    entry = known[TICTACTOE.new().parse("b2")]
    assert (entry.games, entry.won, entry.drawn, entry.lost, entry.score) == (2, 1, 0, 1, 0.5)
    assert known[0].score == 0.5 and known[1].score == 0.0


def test_a_book_contains_rolls_as_positions_not_as_moves(tmp_path: Path) -> None:
    pig = registry.game(str(TESTS / "examples" / "games" / "pig.py"))
    draft = EditableBook(pig)
    draft.count("", ["roll", "3", "roll", "5", "hold"], None, 9)
    assert len(draft.depths()) == 5
    source = Book(str(write_book(draft, tmp_path / "pig.book")), pig)
    position = pig.new()
    for move in (0, 3, 0, 5):
        advice = source.probe(position)
        assert (advice is None) == (position.turn < 0)
        position.make(move)
    advice = source.probe(position)
    assert advice is not None and advice.moves == (1,)


def test_book_facts_do_not_depend_on_hidden_cards(tmp_path: Path) -> None:
    kuhn = registry.game(str(TESTS / "examples" / "games" / "kuhn.py"))
    draft = EditableBook(kuhn)
    position = kuhn.new()
    deal = position.format(0)  # JQ: the first player has the jack
    position.make(0)
    draft.count("", [deal, position.format(1)], None, 9)
    draft.drop_unreachable()
    source = Book(str(write_book(draft, tmp_path / "kuhn.book")), kuhn)
    log = []
    for number in range(6):
        position = kuhn.new()
        position.make(number)
        log.append(source.probe(position) is not None)
    assert log == [True, True, False, False, False, False]
    with pytest.raises(Usage, match="imperfect information"):
        list(formats.to_text(draft))


def test_played_games_weigh_the_moves_of_unsearched_positions() -> None:
    draft = EditableBook(OTHELLO)
    draft.count("", ["f5", "d6", "c3", "d3", "c4", "f4"], (1, -1), 9)
    Expansion(draft, "iterative", Limit(nodes=NODES), 3).grow(3, lambda: None)
    plies = draft.depths()
    assert draft.facts.weights == VALUES and draft.count_valued() == 3
    for key, known in draft.positions.items():
        if not any(entry.bound for entry in known.values()):
            (item,) = known.values()
            assert item.weight == (2 if plies[key] % 2 == 0 else 0)
        else:
            assert all(entry.bound for entry in known.values() if entry.weight)
