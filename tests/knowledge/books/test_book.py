"""Book files: entries, damage, and what a book reports and plays during a game."""

import json
import struct
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gameplay import registry
from gameplay.display.terminal import search_panel
from gameplay.errors import BadInput, Usage
from gameplay.kernel import compiled
from gameplay.knowledge.books import book
from gameplay.knowledge.books.book import Book
from gameplay.knowledge.books.book_file import GAMES, MIXED, REST, VALUES, BookFile, BookMove
from gameplay.knowledge.books.editable_book import EditableBook
from gameplay.knowledge.books.fingerprint import fingerprint, successor_fingerprints
from gameplay.knowledge.books.solved import solve
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.specs import parse, parse_list
from gameplay.value import EXACT, LOWER, UPPER, WIN
from tests.support.books import (
    ENGINE,
    OTHELLO,
    TICTACTOE,
    _folder,
    encode_book,
    gameplay,
    search_book,
    solved_book,
    write_book,
)

assert _folder and gameplay and search_book and solved_book  # fixtures


# -- the file -------------------------------------------------------------------------------------------


@pytest.mark.once
def test_book_entry_has_the_documented_bytes(tmp_path: Path) -> None:
    draft = EditableBook(TICTACTOE, GAMES)
    draft.positions[7] = {9: BookMove(5, 4, 3, 2, 1, -6, 8, EXACT, True, False, True)}
    data = write_book(draft, tmp_path / "one.book").read_bytes()
    length = int.from_bytes(data[12:16], "little")
    assert data[:8] == bytes.fromhex("89475042 0d0a1a0a") and int.from_bytes(data[8:12], "little") == 1
    assert int.from_bytes(data[16:24], "little") == 1 and length % 8 == 0
    assert blake2b(data[:24] + data[40:], digest_size=16).digest() == data[24:40]
    facts = json.loads(data[40 : 40 + length])
    assert (facts["game"], facts["weights"], facts["starts"]) == ("tictactoe", "games", [""])
    numbers = struct.unpack("<QQ5IiBBH", data[40 + length :])
    assert numbers == (7, 9, 5, 4, 3, 2, 1, -6, 8, 1 | 4 | 16, 0)
    assert list(BookFile(str(tmp_path / "one.book"))) == [(7, 9, draft.positions[7][9])]


def test_every_position_is_found_and_no_other(solved_book: EditableBook, tmp_path: Path) -> None:
    pages = BookFile(str(write_book(solved_book, tmp_path / "t.book")))
    assert {key: pages.moves(key) for key in solved_book.positions} == solved_book.positions
    rng = Random(1)
    assert not any(pages.moves(rng.getrandbits(64)) for _ in range(200))
    assert pages.moves(0) == {} == pages.moves(2**64 - 1)


def test_the_same_book_is_the_same_bytes(solved_book: EditableBook) -> None:
    assert encode_book(solved_book) == encode_book(solve(TICTACTOE))


@pytest.mark.once
def test_truncated_and_changed_books_are_refused(search_book: EditableBook, tmp_path: Path) -> None:
    whole, path, rng = encode_book(search_book), tmp_path / "x.book", Random(7)

    def error_of(data: bytes) -> str:
        path.unlink(missing_ok=True)
        path.write_bytes(data)
        with pytest.raises(BadInput) as error:
            BookFile(str(path))
        assert "\n" not in str(error.value) and str(path) in str(error.value)
        return str(error.value)

    for length in [0, 1, 7, 39, 40, 100, len(whole) - 44, len(whole) - 1, *rng.sample(range(len(whole)), 40)]:
        error_of(whole[:length])
    for _ in range(200):
        at, data = rng.randrange(len(whole)), bytearray(whole)
        data[at] ^= 1 << rng.randrange(8)
        error_of(bytes(data))
    assert "not a book of this program" in error_of(b"PK\3\4" + bytes(100))
    assert "cut off or damaged" in error_of(whole + bytes(44))
    assert "format 2; this version reads 1" in error_of(whole[:8] + b"\2\0\0\0" + whole[12:])
    huge = whole[:16] + (2**63).to_bytes(8, "little") + whole[24:]
    assert "should have" in error_of(huge)
    for _ in range(60):  # what a checksum made anew would hide
        data = bytearray(whole)
        length = int.from_bytes(whole[12:16], "little")
        data[40 + rng.randrange(length)] = rng.randrange(256)
        data[24:40] = blake2b(bytes(data[:24]) + bytes(data[40:]), digest_size=16).digest()
        path.unlink(missing_ok=True)
        path.write_bytes(data)
        try:
            Book(str(path), OTHELLO).probe(OTHELLO.new())
        except BadInput as error:
            assert "\n" not in str(error)


def test_values_that_no_game_has_are_cut(tmp_path: Path) -> None:
    draft = EditableBook(TICTACTOE, GAMES)
    position = TICTACTOE.new()
    draft.positions[fingerprint(position)] = {
        successor_fingerprints(position)[4]: BookMove(weight=1, value=2**31 - 1, bound=EXACT)
    }
    advice = Book(str(write_book(draft, tmp_path / "t.book")), TICTACTOE).probe(position)
    assert advice is not None and advice.facts == (f"value win in {0}",)


@pytest.mark.once
@pytest.mark.parametrize(
    ("made_by", "asked", "words"),
    [
        ("tictactoe", "othello", "is a book of tictactoe, not othello"),
        (
            "tictactoe",
            "tictactoe:width=4",
            "is a book of tictactoe, whose start differs from that of tictactoe:width=4",
        ),
        ("connect4:columns=8", "connect4", "is a book of connect4:columns=8, whose start differs"),
    ],
)
def test_a_book_of_another_game_is_refused(made_by: str, asked: str, words: str, tmp_path: Path) -> None:
    file = write_book(EditableBook(registry.game(made_by)), tmp_path / "a.book")
    with pytest.raises(BadInput, match=words):
        seats.player(f"{ENGINE},book={file}", registry.game(asked))


# -- at play ----------------------------------------------------------------------------------------------


def test_known_moves_of_a_book_are_reported(tmp_path: Path) -> None:
    draft = EditableBook(OTHELLO)
    for _ in range(3):
        draft.count("", ["f5"], (1, -1), 9)
    draft.count("", ["f5"], (-1, 1), 9)
    file = write_book(draft, tmp_path / "o.book")
    player: Any = seats.player(f"{ENGINE},book={file}", OTHELLO)
    choice = player.choose(Match(OTHELLO, [player, player]))
    assert choice.report.source == "book" and choice.report.facts == "played 4 times, scored 75 %"


@pytest.mark.once
@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (BookMove(), ""),
        (BookMove(games=1), "played once"),
        (BookMove(games=1200, won=1, drawn=1, lost=2), "played 1,200 times, scored 38 %"),
        (
            BookMove(games=2, drawn=2, value=35, bound=EXACT, depth=14),
            "played 2 times, scored 50 %, value +0.35 at depth 14",
        ),
        (BookMove(value=-35, bound=EXACT), "value -0.35"),
        (BookMove(value=WIN - 3, bound=EXACT, depth=9, solved=True), "win in 3"),
        (BookMove(value=35, bound=LOWER, depth=1), "value >= +0.35 at depth 1"),
        (BookMove(value=35, bound=UPPER, depth=1), "value <= +0.35 at depth 1"),
    ],
)
def test_book_prints_each_fact_of_a_move_once(entry: BookMove, words: str) -> None:
    assert book.entry_text(entry, registry.game("chess").new()) == words


@pytest.mark.once
def test_the_best_values_are_played_those_that_won_more_often() -> None:
    draft = EditableBook(TICTACTOE, VALUES)
    draft.facts.deviation = 2
    best, good, bound = (
        BookMove(value=5, bound=EXACT, won=2, drawn=1),
        BookMove(value=3, bound=EXACT),
        BookMove(),
    )
    bad, over = BookMove(value=2, bound=EXACT, won=9), BookMove(value=9, bound=LOWER, won=9)
    seen, given = BookMove(games=3, won=2, lost=1), BookMove(weight=7)
    draft.positions = {1: {11: best, 12: good, 13: bound, 14: bad, 15: over}, 2: {21: seen, 22: given}}
    draft.set_weights()
    assert [entry.weight for entry in (best, good, bound, bad, over)] == [6, 1, 0, 0, 0]
    assert (seen.weight, given.weight) == (4, 7)


@pytest.mark.once
def test_pruned_moves_keep_the_value_of_omitted_ones() -> None:
    start = fingerprint(TICTACTOE.new())

    def new_book() -> EditableBook:
        draft = EditableBook(TICTACTOE, VALUES)
        few, rare = BookMove(games=2), BookMove(games=1)
        best, worse = BookMove(value=10, bound=EXACT), BookMove(value=7, bound=EXACT)
        rest = BookMove(value=1, bound=UPPER)
        draft.positions = {start: {1: few, 2: rare, 3: best, 4: worse, REST: rest}, 3: {5: BookMove(games=1)}}
        return draft

    pruned = new_book()
    pruned.prune(games=2, deviation=2)
    assert {key: sorted(known) for key, known in pruned.positions.items()} == {start: [REST, 1, 3]}
    assert pruned.positions[start][REST].value == 7
    pruned = new_book()
    pruned.prune(deviation=3)
    assert sorted(pruned.positions[start]) == [REST, 1, 2, 3, 4] and 3 in pruned.positions
    assert pruned.positions[start][REST].value == 1
    for plies, left in ((0, []), (1, [start]), (2, [start, 3])):
        pruned = new_book()
        pruned.prune(plies=plies)
        assert list(pruned.positions) == left and pruned.facts.starts == [""]


@pytest.mark.once
def test_merged_books_add_counts_and_keep_the_stronger_value() -> None:
    mine, theirs = EditableBook(TICTACTOE, VALUES), EditableBook(TICTACTOE, GAMES)
    mine.facts.starts, theirs.facts.starts = ["", "1"], ["1", "2"]
    mine.facts.made, theirs.facts.made = ["a", "b"], ["b", "c"]
    mine.facts.learned, theirs.facts.learned = ["x"], ["y"]
    theirs.facts.deviation, theirs.facts.width, theirs.facts.engine = 3, 2, "iterative"
    mine.positions = {
        1: {2: BookMove(1, 2, 3, 4, 5, 60, 9, LOWER), 3: BookMove(value=5, depth=4, bound=EXACT, solved=True)}
    }
    theirs.positions = {
        1: {
            2: BookMove(10, 20, 30, 40, 50, 6, 2, EXACT, True, True, True),
            3: BookMove(value=8, depth=9, bound=EXACT),
        },
        7: {8: BookMove(weight=3)},
    }
    mine.merge(theirs)
    assert mine.positions == {
        1: {
            2: BookMove(11, 22, 33, 44, 55, 6, 2, EXACT, True, True, True),
            3: BookMove(value=5, depth=4, bound=EXACT, solved=True),
        },
        7: {8: BookMove(weight=3)},
    }
    facts = mine.facts
    assert (facts.starts, facts.made, facts.learned) == (["", "1", "2"], ["a", "b", "c"], ["x", "y"])
    assert (facts.deviation, facts.width, facts.engine, facts.weights) == (3, 2, "iterative", MIXED)
    with pytest.raises(BadInput, match=r"count the same games \(1 collections\)"):
        mine.merge(theirs)


@pytest.mark.once
def test_screens_show_book_facts(gameplay: Any, tmp_path: Path) -> None:
    file = tmp_path / "c.book"
    draft = EditableBook(registry.game("chess"))
    draft.count("", ["e4", "e5"], (1, -1), 9)
    write_book(draft, file)
    words = ("play", "chess", "--players", f"{ENGINE},script:e5", "--book", str(file), "--plain")
    assert "\nwhite plays e4, by the book: played once, scored 100 %\n" in gameplay(*words)[1]
    player: Any = seats.player(f"{ENGINE},book={file}", draft.game)
    match = Match(draft.game, [player, player])
    choice = player.choose(match)
    match.make(choice)
    lines = search_panel.search_facts(match, choice.report, 0, 40).plain.splitlines()
    assert lines[:3] == ["known     by the opening book", "          played once", "          scored 100 %"]


@pytest.mark.once
def test_bundled_book_is_named_without_its_path() -> None:
    player: Any = seats.player(f"{ENGINE},book=own", TICTACTOE)
    assert player.spec == f"{ENGINE},book=own"
    asked = parse(player.spec)
    assert asked.files == [] and str(asked.absolute(Path("/x"))) == player.spec
    assert parse_list(f"{ENGINE},book=own,human") == [f"{ENGINE},book=own", "human"]
    with pytest.raises(Usage, match=r"no book of nim is included; included books: .*tictactoe"):
        seats.player(f"{ENGINE},book=own", registry.game("nim"))


def test_tictactoe_book_never_loses() -> None:
    results = set()
    for seed in range(12 if compiled() else 3):
        first = seats.player(f"{ENGINE},book=own", TICTACTOE, seed)
        second = seats.player(f"random:seed={seed + 1}", TICTACTOE, seed)
        players = [first, second] if seed % 2 else [second, first]
        match = Match(TICTACTOE, players, seed=seed)
        match.play()
        assert match.payoffs is not None
        results.add(match.payoffs[players.index(first)])
    assert -1 not in results and 1 in results


@pytest.mark.parametrize(
    "name", sorted(name for name, file in book.included_books().items() if file.suffix == ".book")
)
def test_bundled_books_are_complete_and_legal(name: str) -> None:
    game = registry.game(name)
    pages = BookFile(str(book.included_books()[name]))
    draft = EditableBook.of(pages, game)
    assert len(draft.depths()) == len(draft) and pages.facts.weights == VALUES
    before = encode_book(draft)
    draft.back_up()
    assert encode_book(draft) == before == book.included_books()[name].read_bytes()
    if compiled():
        walked = list(draft.walk())
        assert len(walked) == len(draft)
        assert sum(len(place.moves) for place in walked) == draft.moves(), "every move is legal"
