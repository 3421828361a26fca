"""Books of whole games: every value equals that of minimax."""

from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from gameplay import registry
from gameplay.errors import Usage
from gameplay.kernel import compiled
from gameplay.knowledge.books import solved as whole_game
from gameplay.knowledge.books.book import Book
from gameplay.knowledge.books.book_file import VALUES, BookMove
from gameplay.knowledge.books.editable_book import EditableBook
from gameplay.knowledge.books.fingerprint import fingerprint, successor_fingerprints
from gameplay.knowledge.books.solved import check_supported, solve
from gameplay.position import Position, undoable
from gameplay.search.limit import Limit
from gameplay.value import EXACT, WIN
from tests.support.books import ANSWERS, TICTACTOE, _folder, solved_book, write_book

assert _folder and solved_book  # fixtures


def test_tictactoe_book_has_every_position(solved_book: EditableBook) -> None:
    known = ANSWERS["tictactoe"]
    assert len(solved_book) == known["positions"] - known["ended"]
    ended = {
        child
        for moves in solved_book.positions.values()
        for child, entry in moves.items()
        if not entry.backed_up
    }
    assert len(ended) == known["ended"]
    assert all(
        entry.solved and entry.bound == EXACT
        for moves in solved_book.positions.values()
        for entry in moves.values()
    )


def test_values_are_those_of_minimax(solved_book: EditableBook) -> None:
    engine, _ = registry.engine("alphabeta")
    rng = Random(3)
    for _ in range(60 if compiled() else 8):
        position = TICTACTOE.new()
        for _ in range(rng.randrange(2, 7)):
            if position.outcome() is None:
                position.make(rng.choice(position.moves()))
        if position.outcome() is not None:
            continue
        best = max(entry.value for entry in solved_book.positions[fingerprint(position)].values())
        assert best == engine.search(position, Limit(depth=9)).value


def test_nim_is_won_by_moving_to_nim_sum_zero() -> None:
    game = registry.game("nim:heaps=2+3+4")
    draft = solve(game)
    checked = 0
    for place in draft.walk():
        heaps = [int(size) for size in place.position.text().split()[0].split("+")]
        nimber = heaps[0] ^ heaps[1] ^ heaps[2]
        best = max(entry.value for _, entry in place.moves.values())
        assert (best > 0) == bool(nimber)  # Bouton 1901
        checked += 1
    assert checked == len(draft)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("pig", "dice or deals"),
        ("nim:players=3", "two-player zero-sum game"),
    ],
)
def test_unsolvable_games_are_refused(spec: str, words: str) -> None:
    with pytest.raises(Usage, match=words):
        solve(registry.game(spec))


@pytest.mark.once
def test_values_propagate_to_the_root() -> None:
    usual = {"players": 2, "zero_sum": True, "chance": False, "hidden": False}
    check_supported(SimpleNamespace(**usual))
    two = "solved books require a two-player zero-sum game"
    open_ = "solved books require a game without {}. Try: a book of games, or of lines"
    for other, words in (
        ({"players": 3}, two),
        ({"players": 1}, two),
        ({"zero_sum": False}, two),
        ({"chance": True}, open_.format("dice or deals")),
        ({"hidden": True}, open_.format("imperfect information")),
        ({"chance": True, "hidden": True}, open_.format("dice or deals")),
    ):
        with pytest.raises(Usage) as refused:
            check_supported(SimpleNamespace(**{**usual, **other}))
        assert str(refused.value) == words
    with pytest.raises(Usage) as refused:
        solve(TICTACTOE, "xxx/oo./...")
    assert str(refused.value) == "the game is over at that position: there is nothing to solve"


class Turns(Position):
    """Steps: 2 passes the turn, 1 keeps it; the player who makes the last one wins, or loses with `lost`."""

    def __init__(self, steps: int = 3, lost: bool = False) -> None:
        super().__init__()
        self.left, self.lost = steps, lost

    def moves(self) -> list[int]:
        return [1, 2]

    @undoable
    def make(self, move: int) -> None:
        self.left -= 1
        self.made = self.turn
        self.turn = self.turn if move == 1 else 1 - self.turn

    def outcome(self) -> tuple[int, int] | None:
        if self.left:
            return None
        return (1, -1) if (self.made == 0) != self.lost else (-1, 1)


@pytest.mark.once
@pytest.mark.parametrize("lost", [False, True])
def test_values_propagate_through_double_moves(lost: bool) -> None:
    """A winning player keeps the turn to the end; otherwise they pass it just before."""
    draft = solve(registry.Game("turns", "turns", Turns, {"lost": lost}), "")
    assert draft.facts.starts == [""] and draft.facts.weights == VALUES

    def moves(position: Turns) -> list[BookMove]:
        known = draft.positions[fingerprint(position)]
        return [known[child] for child in successor_fingerprints(position).values()]

    expected = {
        False: {3: (WIN - 3, 3 - WIN), 2: (WIN - 2, 2 - WIN), 1: (WIN - 1, WIN - 1)},
        True: {3: (WIN - 3, 3 - WIN), 2: (2 - WIN, WIN - 2), 1: (1 - WIN, 1 - WIN)},
    }
    position = Turns(3, lost)
    for left, (kept, handed) in expected[lost].items():
        best = max(kept, handed)
        assert moves(position) == [
            BookMove(
                weight=int(value == best),
                value=value,
                bound=EXACT,
                solved=True,
                backed_up=left > 1,
                same_mover=left > 1 and not number,
            )
            for number, value in enumerate((kept, handed))
        ]
        position.make(1)


class Fan(Position):
    """One of many branches, then one of two ends."""

    def __init__(self, branches: int = 1000) -> None:
        super().__init__()
        self.branches = branches
        self.at: int | None = None
        self.ended = False

    def moves(self) -> list[int]:
        return list(range(self.branches)) if self.at is None else [0, 1]

    @undoable
    def make(self, move: int) -> None:
        self.ended = self.at is not None
        self.at = move if self.at is None else self.at
        self.turn = 1 - self.turn

    def outcome(self) -> tuple[int, int] | None:
        return (0, 0) if self.ended else None


@pytest.mark.once
def test_solving_reports_progress_and_its_memory_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    fan = registry.Game("fan", "fan", Fan)
    assert len(solve(fan, watch=counts.append)) == 1001 and counts == [1000]
    words = (
        "too large to be solved; the limit is {} and {} plies. Try: a"
        " FILE.table of its first plies, with --plies N"
    )
    # The last of a thousand positions is checked when 999 are solved.
    monkeypatch.setattr(whole_game, "MAX_POSITIONS", 1000)
    assert len(solve(fan)) == 1001
    monkeypatch.setattr(whole_game, "MAX_POSITIONS", 999)
    with pytest.raises(Usage) as refused:
        solve(fan)
    assert str(refused.value) == words.format("999 positions", 240)
    for plies, fits in ((241, True), (242, False)):
        long = registry.Game("turns", "turns", Turns, {"steps": plies})
        monkeypatch.setattr(whole_game, "MAX_POSITIONS", 5_000_000)
        if fits:
            assert len(solve(long)) > plies
        else:
            with pytest.raises(Usage) as refused:
                solve(long)
            assert str(refused.value) == words.format("5,000,000 positions", 240)


class Ring(Position):
    """Step on or back on a ring of five; no player ever wins."""

    def __init__(self) -> None:
        super().__init__()
        self.at = 0

    def moves(self) -> list[int]:
        return [1, 4]

    @undoable
    def make(self, move: int) -> None:
        self.at = (self.at + move) % 5
        self.turn = 1 - self.turn

    def outcome(self) -> None:
        return None


def test_books_of_cyclic_games_are_built_without_solving() -> None:
    ring = registry.Game("ring", "ring", Ring)
    with pytest.raises(Usage, match="without repetitions"):
        solve(ring)
    draft = EditableBook(ring)
    draft.count("", ["1"] * 12 + ["4"], None, 99)
    assert sorted(draft.depths().values()) == list(range(10))
    draft.back_up()
    assert len(list(draft.walk())) == 10


def test_symmetric_moves_are_played_equally_often(solved_book: EditableBook, tmp_path: Path) -> None:
    source = Book(str(write_book(solved_book, tmp_path / "t.book")), TICTACTOE)
    advice = source.probe(TICTACTOE.new())
    assert advice is not None and advice.exact and advice.value == 0 and len(advice.moves) == 9
    weight = {TICTACTOE.new().format(m): w for m, w in zip(advice.moves, advice.weights, strict=True)}
    assert weight["b2"] == 4 * weight["a1"] == 4 * weight["b1"], "corner, edge and centre are as good"
    assert advice.facts == ("draw",) * 9
    assert source.probe(TICTACTOE.new("xx./oo./...").twin()) is not None
    over = TICTACTOE.new("b2 a1 a3 b1 c1")
    assert source.probe(over) is None
