"""Books pruned, merged, converted to text and to Polyglot."""

import json
import os
import struct
from pathlib import Path
from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import BadInput, Usage
from gameplay.kernel import compiled
from gameplay.knowledge.books import book, formats
from gameplay.knowledge.books.book import Book
from gameplay.knowledge.books.book_file import GAMES, LINES, REST, VALUES, BookFacts, BookMove
from gameplay.knowledge.books.editable_book import EditableBook
from gameplay.knowledge.books.fingerprint import fingerprint, successor_fingerprints
from gameplay.knowledge.books.lines import parse_row
from gameplay.players import seats
from gameplay.runs.expansion import Expansion
from gameplay.search.limit import Limit
from gameplay.value import EXACT, LOWER, UPPER, WIN
from tests.support.books import (
    ENGINE,
    MANY,
    NODES,
    OTHELLO,
    TICTACTOE,
    _folder,
    _pages,
    encode_book,
    search_book,
    solved_book,
    write_book,
)

assert _folder and search_book and solved_book  # fixtures


def test_pruning_drops_rare_bad_and_late_moves_with_successors(search_book: EditableBook) -> None:
    draft = EditableBook.of(_pages(search_book), OTHELLO)
    draft.prune(deviation=0)
    for known in draft.positions.values():
        assert len({entry.value for entry in known.values() if entry.bound == EXACT}) == 1
    assert set(draft.depths()) == set(draft.positions) and len(draft) < len(search_book)
    draft = EditableBook.of(_pages(search_book), OTHELLO)
    draft.prune(plies=3)
    assert max(draft.depths().values()) == 2
    games = EditableBook(OTHELLO)
    for line in ("f5 d6 c3", "f5 d6 c5", "f5 f6"):
        games.count("", line.split(), None, 9)
    games.prune(games=2)
    assert len(games) == 2 == games.moves()


def test_merging_adds_up_and_does_not_care_for_the_order(search_book: EditableBook) -> None:
    other = EditableBook(OTHELLO, VALUES)
    Expansion(other, "iterative", Limit(nodes=3 * NODES), 2).grow(MANY // 2, lambda: None)
    both = []
    for first, second in ((search_book, other), (other, search_book)):
        draft = EditableBook.of(_pages(first), OTHELLO)
        draft.merge(EditableBook.of(_pages(second), OTHELLO))
        both.append(draft.positions)
    assert both[0] == both[1] and len(both[0]) >= len(search_book)
    twice = EditableBook.of(_pages(search_book), OTHELLO)
    twice.merge(search_book)
    assert encode_book(twice) == encode_book(search_book), "values do not add up"
    games = EditableBook(OTHELLO)
    games.count("", ["f5", "d6"], (1, -1), 9)
    games.merge(EditableBook.of(_pages(games), OTHELLO))
    (entry,) = games.positions[book.start_fingerprint(OTHELLO)].values()
    assert (entry.games, entry.won, entry.weight) == (2, 2, 4)
    with pytest.raises(BadInput, match="is a book of tictactoe"):
        games.merge(EditableBook(TICTACTOE))
    games.facts.learned = ["ab"]
    with pytest.raises(BadInput, match="count the same games"):
        games.merge(EditableBook.of(_pages(games), OTHELLO))


def test_lines_of_text_lose_nothing(
    solved_book: EditableBook, search_book: EditableBook, tmp_path: Path
) -> None:
    games = EditableBook(registry.game("chess"))
    games.count("", ["e4", "e5", "Nf3"], (1, -1), 9)
    games.count("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", ["Kb2"], None, 9)
    games.facts.made = ["two games – ♟"]
    for draft in (search_book, games, *([solved_book] if compiled() else [])):
        file = tmp_path / "lines.txt"
        file.write_text("\n".join(formats.to_text(draft)), encoding="utf-8")
        assert encode_book(formats.from_text(str(file), draft.game)) == encode_book(draft)


@pytest.mark.once
def test_text_lines_become_a_book(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("e4 e5 Nf3 weight 5 # mine\ne4 e5 then f4 weight 2 games 9 won 4\n")
    chess = registry.game("chess")
    draft = formats.from_text(str(file), chess)
    source = Book(str(write_book(draft, tmp_path / "c.book")), chess)
    position = chess.new("e4 e5")
    entries = {position.format(move): entry for move, entry in source.entries_of(position).items()}
    assert (entries["Nf3"].weight, entries["f4"].weight, entries["f4"].games, entries["f4"].won) == (
        5,
        2,
        9,
        4,
    )
    assert source.entries_of(chess.new("e4"))  # the move f4 is not listed twice
    (entry,) = source.entries_of(chess.new()).values()
    assert entry.weight == 5
    text = seats.player(f"{ENGINE},book={file}", chess)
    assert isinstance(text, object)


@pytest.mark.once
@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("e4 e5 then", "no moves follow the word then"),
        ("e4 weight 3 beauty 9", "'beauty' after a weight is unknown"),
        ("e4 weight 3 games many", "'games' after a weight"),
        ("e4 weight 3 value 99999999999", "'value' after a weight"),
        ("e4 e6 e9", "move 3: 'e9'"),
        ("e4 weight", "no|'weight'"),
    ],
)
def test_a_row_that_is_wrong_is_named(row: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text(f"d4\n{row}\n")
    with pytest.raises(BadInput, match=f"line 2: .*({words})"):
        formats.from_text(str(file), registry.game("chess"))


@pytest.mark.once
def test_polyglot_books_are_imported_and_exported(tmp_path: Path) -> None:
    library: Any = pytest.importorskip("chess.polyglot")
    chess: Any = pytest.importorskip("chess")
    game = registry.game("chess")
    draft = EditableBook(game)
    castles, becomes = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "8/4P3/8/8/8/8/k7/7K w - - 0 1"
    lines: list[tuple[str, str]] = [("", "e4 e5 Nf3 Nc6"), ("", "d4 d5"), ("", "e4 c5")]
    lines += [(castles, "O-O O-O-O"), (castles, "O-O-O O-O"), (becomes, "e8=N"), (becomes, "e8=Q")]
    for start, words in lines:
        draft.count(start, words.split(), None, 9)
    file = tmp_path / "b.bin"
    file.write_bytes(formats.to_polyglot(draft))
    with library.open_reader(str(file)) as reader:
        entries = list(reader)
        assert [entry.key for entry in entries] == sorted(entry.key for entry in entries)
        assert len(entries) == draft.moves()
        weights = {entry.move.uci(): entry.weight for entry in reader.find_all(chess.Board())}
        assert weights == {"e2e4": 2, "d2d4": 1}
        weights = {entry.move.uci() for entry in reader.find_all(chess.Board(castles))}
        assert weights == {"e1g1", "e1c1"}
        assert {entry.move.uci() for entry in reader.find_all(chess.Board(becomes))} == {"e7e8q", "e7e8n"}
    back, beside = formats.from_polyglot(str(file), game)
    assert beside == 6 and back.moves() == draft.moves() - 6
    for key, known in back.positions.items():
        assert {child: entry.weight for child, entry in known.items()} == {
            child: entry.weight for child, entry in draft.positions[key].items()
        }
    with pytest.raises(Usage, match="for chess, and this is othello"):
        formats.to_polyglot(EditableBook(OTHELLO))


@pytest.mark.once
def test_a_changed_book_file_is_read_again(tmp_path: Path) -> None:
    """A change of its modification time, size or inode; otherwise the book is not read again."""
    path = write_book(EditableBook(TICTACTOE), tmp_path / "a.book")
    first = book.open_book(str(path))
    assert book.open_book(str(path)) is first
    for number, change in enumerate(
        (
            lambda: os.utime(path, ns=(1, 1)),
            lambda: os.replace(write_book(EditableBook(TICTACTOE), tmp_path / "b.book"), path),
        )
    ):
        change()
        again = book.open_book(str(path))
        assert again is not first and book.open_book(str(path)) is again, number
        first = again
    with pytest.raises(BadInput) as refused:
        book.open_book(str(tmp_path / "none.book"))
    assert str(refused.value) == f"there is no book {tmp_path / 'none.book'}"


@pytest.mark.once
def test_a_book_has_the_start_of_its_game_unless_that_is_random() -> None:
    nim, puzzle = registry.game("nim"), registry.game("puzzle15:seed=3")
    right = BookFacts("nim", "nim", book.start_fingerprint(nim), GAMES)
    book.check_game(right, nim, "x")
    book.check_game(BookFacts("puzzle15", "puzzle15", 5, GAMES), puzzle, "x")
    for facts, game, words in (
        (right, puzzle, "x is a book of nim, not puzzle15"),
        (
            BookFacts("nim", "nim:heaps=1", 5, GAMES),
            nim,
            "x is a book of nim:heaps=1, whose start differs from that of nim",
        ),
    ):
        with pytest.raises(BadInput) as refused:
            book.check_game(facts, game, "x")
        assert str(refused.value) == words
    assert {"connect4", "tictactoe"} <= set(book.included_books())
    assert book.included_path(TICTACTOE).endswith("tictactoe.book")
    with pytest.raises(Usage) as none:
        book.included_path(nim)
    assert str(none.value) == (
        f"no book of nim is included; included books: {', '.join(book.included_books())}"
    )


@pytest.mark.once
def test_moves_of_weight_0_are_listed_but_not_played(tmp_path: Path) -> None:
    draft = EditableBook(OTHELLO, LINES)
    start = OTHELLO.new("f5")
    words = {start.format(move): child for move, child in successor_fingerprints(start).items()}
    assert len(words) == 3
    known = draft.positions.setdefault(fingerprint(start), {})
    for child, weight in zip(words.values(), (0, 2, 5), strict=True):
        known[child] = BookMove(weight=weight, value=3, bound=EXACT)
    source = Book(str(write_book(draft, tmp_path / "o.book")), OTHELLO)
    assert len(source.entries_of(start)) == 3
    advice = source.probe(start)
    assert advice is not None and [start.format(move) for move in advice.moves] == list(words)[:0:-1]
    assert advice.weights == (5, 2) and advice.value is None and advice.facts == ("value +0.03",) * 2
    for entry in known.values():
        entry.weight = 0
    assert Book(str(write_book(draft, tmp_path / "p.book")), OTHELLO).probe(start) is None
    assert source.entries_of(OTHELLO.new("f5 d6")) == {} and source.probe(OTHELLO.new("f5 d6")) is None


@pytest.mark.once
def test_book_facts_behind_a_move() -> None:
    for entry, text in (
        (BookMove(), "weight 0"),
        (BookMove(5, 4, 3, 2, 1), "weight 5 games 4 won 3 drawn 2 lost 1"),
        (BookMove(1, 2, 0, 0, 3), "weight 1 games 2 lost 3"),
        (BookMove(value=7, depth=9), "weight 0"),
        (BookMove(value=7, depth=9, bound=EXACT), "weight 0 value +7 depth 9"),
        (BookMove(value=0, bound=EXACT, solved=True), "weight 0 value 0 solved"),
        (BookMove(value=-7, bound=LOWER, backed_up=True), "weight 0 value -7 least linked"),
        (BookMove(value=-7, depth=1, bound=UPPER, same_mover=True), "weight 0 value -7 depth 1 most again"),
    ):
        assert " ".join(formats._fields(entry)) == text
        again = BookMove()
        facts = parse_row(f"a {text}")
        formats._add_facts(again, facts.facts)
        again.weight = facts.weight
        if entry.bound:
            assert again == entry
        else:
            assert (again.games, again.won, again.drawn, again.lost, again.bound) == (
                *(entry.games, entry.won, entry.drawn, entry.lost, 0),
            )  # fmt: skip


@pytest.mark.once
def test_a_book_as_lines_row_by_row() -> None:
    """From the usual start and from another; entries omitted in a position are last."""
    draft = EditableBook(TICTACTOE)
    draft.count("", ["b2", "a1"], (1, -1), 9)
    draft.count("xo./.../...", ["b2"], None, 9)
    rest = BookMove(value=3, bound=UPPER)
    draft.positions[book.start_fingerprint(TICTACTOE)][REST] = rest
    head, *rows = formats.to_text(draft)
    assert head.startswith("# book {") and json.loads(head.removeprefix("# book "))["starts"] == [
        "",
        "xo./.../...",
    ]
    assert rows == [
        "b2 weight 2 games 1 won 1",
        "others weight 0 value +3 most",
        "xo./.../... moves b2 weight 1 games 1",
        "b2 then a1 weight 0 games 1 lost 1",
    ]


@pytest.mark.once
def test_weights_of_polyglot_are_at_most_two_bytes(tmp_path: Path) -> None:
    """If one is larger, all are scaled down, rounding up; entries of weight 0 are omitted."""
    pytest.importorskip("chess.polyglot")
    game = registry.game("chess")
    for weights, kept in (
        ((65535, 1, 0), (65535, 1)),
        ((65536, 2, 0), (65535, 2)),
        ((131070, 3, 1), (65535, 2, 1)),
        ((3, 2, 1), (3, 2, 1)),
    ):
        draft = EditableBook(game)
        for word, weight in zip(("e4", "d4", "c4"), weights, strict=True):
            draft.count("", [word], None, 9)
            draft.entry(book.start_fingerprint(game), fingerprint(game.new(word))).weight = weight
        data = formats.to_polyglot(draft)
        results = list(struct.iter_unpack(">QHHI", data))
        assert tuple(weight for _, _, weight, _ in results) == kept, "the heaviest first"
        assert {learn for *_, learn in results} == {0} and len({key for key, *_ in results}) == 1
    assert formats.to_polyglot(EditableBook(game)) == b""
    path = tmp_path / "a.bin"
    path.write_bytes(struct.pack(">QHHI", 5, 796, 1, 0))
    with pytest.raises(BadInput) as refused:
        formats.from_polyglot(str(path), game)
    assert str(refused.value) == (
        f"{path} has no entry for the start of the game; other entries cannot be decoded"
    )


@pytest.mark.once
def test_castling_is_written_to_the_square_of_the_rook() -> None:
    chess: Any = pytest.importorskip("chess")
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    squares = {name: chess.SQUARE_NAMES.index(name) for name in chess.SQUARE_NAMES}

    def encoded_move(board: Any, word: str) -> tuple[int, int, int]:
        number = formats._encode_move(board, chess.Move.from_uci(word))
        return number >> 12, number >> 6 & 63, number & 63

    for word, to in (("e1g1", "h1"), ("e1c1", "a1"), ("e1e2", "e2"), ("h1g1", "g1")):
        assert encoded_move(board, word) == (0, squares[word[:2]], squares[to])
    board.turn = False
    for word, to in (("e8g8", "h8"), ("e8c8", "a8")):
        assert encoded_move(board, word) == (0, squares["e8"], squares[to])
    shuffled = chess.Board("4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1", chess960=True)
    assert encoded_move(shuffled, "e1g1") == (0, squares["e1"], squares["g1"])
    becomes = chess.Board("8/4P3/8/8/8/8/k7/7K w - - 0 1")
    for letter, number in zip("nbrq", (1, 2, 3, 4), strict=True):
        assert encoded_move(becomes, f"e7e8{letter}") == (number, squares["e7"], squares["e8"])


@pytest.mark.once
def test_depth_of_a_position_is_its_shortest_path() -> None:
    """From any start of the book; positions without a path from a start have no depth."""
    draft = EditableBook(TICTACTOE)
    draft.positions = {
        1: {2: BookMove(), 3: BookMove()},
        2: {4: BookMove()},
        3: {4: BookMove(), 9: BookMove()},
    }
    draft.positions |= {4: {1: BookMove()}, 7: {8: BookMove()}}
    first = fingerprint(TICTACTOE.new())
    draft.positions = {first if key == 1 else key: known for key, known in draft.positions.items()}
    draft.positions[4] = {first: BookMove()}
    assert draft.depths() == {first: 0, 2: 1, 3: 1, 4: 2}
    draft.facts.starts = ["", "b2"]
    draft.positions[fingerprint(TICTACTOE.new("b2"))] = {4: BookMove()}
    assert draft.depths() == {first: 0, fingerprint(TICTACTOE.new("b2")): 0, 2: 1, 3: 1, 4: 1}
    assert draft.moves() == 8 and len(draft) == 6 and draft.count_valued() == 0
    draft.positions[2][REST] = BookMove(bound=UPPER)
    assert draft.moves() == 8 and draft.count_valued() == 1
    draft.drop_unreachable()
    assert 7 not in draft.positions and draft.facts.starts == ["", "b2"]
    draft.facts.starts = ["a1"]
    draft.drop_unreachable()
    assert draft.positions == {} and draft.facts.starts == [""]


@pytest.mark.once
def test_values_are_backed_up_one_ply_at_a_time() -> None:
    """The best exact value, negated; proved if it wins, or if all are proved."""
    for below, facts, expected in (
        ([BookMove(value=5, depth=3, bound=EXACT)], {}, (-5, 4, False)),
        ([BookMove(value=5, depth=3, bound=EXACT)], {"same_mover": True}, (5, 4, False)),
        ([BookMove(value=5, depth=255, bound=EXACT)], {}, (-5, 255, False)),
        (
            [BookMove(value=5, depth=3, bound=EXACT), BookMove(value=4, depth=9, bound=EXACT, solved=True)],
            {},
            (-5, 4, False),
        ),
        ([BookMove(value=5, bound=EXACT, solved=True), BookMove(value=9, bound=LOWER)], {}, (-5, 1, False)),
        ([BookMove(value=5, bound=EXACT, solved=True)], {}, (-5, 0, True)),
        (
            [BookMove(value=WIN - 2, bound=EXACT, solved=True), BookMove(value=1, depth=2, bound=EXACT)],
            {},
            (3 - WIN, 0, True),
        ),
        (
            [
                BookMove(value=2 - WIN, bound=EXACT, solved=True),
                BookMove(value=-WIN + 4, depth=2, bound=EXACT),
            ],
            {},
            (WIN - 5, 3, False),
        ),
    ):
        entry = BookMove(**facts)
        EditableBook._set_backed_up_value(entry, dict(enumerate(below)))
        assert (entry.value, entry.depth, entry.solved) == expected
        assert (entry.bound, entry.backed_up) == (EXACT, True)
    entry = BookMove(value=3)
    EditableBook._set_backed_up_value(entry, {1: BookMove(value=9, bound=LOWER), 2: BookMove()})
    assert entry == BookMove(value=3)
