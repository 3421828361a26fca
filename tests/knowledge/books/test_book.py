"""Books in the format of this program: what is in them, how they grow, what comes back, what is refused."""

import json
import os
import signal
import struct
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import blake2b
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.cli.common import book_building
from gameplay.display.reports import book as shown
from gameplay.display.terminal import panel
from gameplay.errors import BadInput, Usage
from gameplay.kernel import compiled
from gameplay.knowledge.books import book, carried, first_plies
from gameplay.knowledge.books import solved as whole_game
from gameplay.knowledge.books.book import Book
from gameplay.knowledge.books.draft import Draft
from gameplay.knowledge.books.fingerprint import after, fingerprint
from gameplay.knowledge.books.lines import parsed
from gameplay.knowledge.books.pages import GAMES, LINES, MIXED, REST, VALUES, BookFacts, BookMove, Pages
from gameplay.knowledge.books.solved import solved, suits
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.position import Position, undoable
from gameplay.runs import collected, stored
from gameplay.runs.expansion import Expansion
from gameplay.runs.job import GameResult, Job, Seat
from gameplay.runs.plan import Entrant, Plan
from gameplay.runs.played import to_store
from gameplay.search.limit import Limit
from gameplay.specs import parse, parse_list
from gameplay.store import saved
from gameplay.store.record import SCHEMA, Ply, Record
from gameplay.store.runs import Store
from gameplay.value import EXACT, INF, LOWER, UPPER, WIN, describe, later
from tests.support.golden import golden
from tests.support.paths import TESTS

ANSWERS = tomllib.loads((TESTS / "answers" / "books.toml").read_text(encoding="utf-8"))
TICTACTOE = registry.game("tictactoe")
OTHELLO = registry.game("othello")
CHESS = registry.game("chess")
ENGINE = "alphabeta:depth=1"
MANY, NODES = (40, 300) if compiled() else (20, 60)  # positions of a book of searches, and of a search


def written(draft: Draft, path: Path) -> Path:
    path.write_bytes(b"".join(draft.parts()))
    return path


def bytes_of(draft: Draft) -> bytes:
    return b"".join(draft.parts())


@pytest.fixture(scope="module")
def whole() -> Draft:
    """Tic-tac-toe."""
    return solved(TICTACTOE)


@pytest.fixture(scope="module")
def grown() -> Draft:
    """A small book of searches."""
    draft = Draft(OTHELLO, VALUES)
    Expansion(draft, "iterative", Limit(nodes=NODES), 3).grow(MANY, lambda: None)
    return draft


# -- what positions are known by ------------------------------------------------------------------------


@pytest.mark.parametrize("start", ANSWERS["start"], ids=lambda start: str(start["game"]))
def test_fingerprints_stay_what_they_are(start: dict[str, str]) -> None:
    position = registry.game(start["game"]).new()
    told = blake2b(start["diagram"].encode(), digest_size=8).digest()
    assert position.diagram() == start["diagram"]
    assert f"{fingerprint(position):016x}" == start["fingerprint"] == told[::-1].hex()


@pytest.mark.parametrize(
    ("spec", "plays", "plies"),
    [
        ("tictactoe", 60, 9),
        ("tictactoe:width=4,height=3", 30, 6),
        ("connect4:columns=4,rows=4", 40, 12),
        ("othello", 12, 5),
        ("go:size=5", 20, 4),
        ("nim:heaps=2+2+3", 40, 7),
        ("chess", 8, 4),
        ("checkers", 20, 6),
    ],
)
def test_what_has_one_diagram_plays_alike(spec: str, plays: int, plies: int) -> None:
    game, rng = registry.game(spec), Random(spec)
    told: dict[str, tuple[Any, ...]] = {}
    met = 0
    for _ in range(plays if compiled() else plays // 4):
        position = game.new()
        for _ in range(plies):
            if position.outcome() is not None:
                break
            diagram = position.diagram()
            future = (position.turn, len(position.moves()), sorted(_diagrams(position)))
            met += diagram in told
            assert told.setdefault(diagram, future) == future, diagram
            position.make(rng.choice(position.moves()))
    assert met, "no position came again"


def _diagrams(position: Any) -> Iterator[str]:
    for move in position.moves():
        position.make(move)
        yield f"{position.diagram()} {position.outcome()}"
        position.unmake()


@pytest.mark.parametrize(
    ("spec", "lines"),
    [
        ("tictactoe", ["a1 b2", "c1 b2", "a3 b2", "c3 b2"]),
        ("connect4", ["3 1", "5 7"]),
        ("othello", ["f5 d6", "e6 f4", "c4 e3", "d3 c5"]),
        ("go:size=9", ["C3 G4", "G3 C4", "C7 G6", "C3 D7", "G7 F3"]),
        ("nim:heaps=3+4+4", ["b1", "c1"]),
    ],
)
def test_what_symmetry_makes_one_has_one_fingerprint(spec: str, lines: list[str]) -> None:
    game = registry.game(spec)
    found = set()
    for line in lines:
        position = game.new()
        for word in line.split():
            position.make(position.parse(word))
        found.add(fingerprint(position))
    assert len(found) == 1


def test_a_pass_and_a_ko_are_part_of_a_position() -> None:
    go = registry.game("go:size=5")
    told = {go.new(text).diagram() for text in ("C3", "C3 pass", "C3 pass pass")}
    assert len(told) == 3
    rows = ".XO../XO.O./.XO../...../....."
    taken, other = go.new(f"{rows} black C4"), go.new(".XO../X.XO./.XO../...../..... white")
    assert "k" in taken.diagram() and taken.diagram().replace("k", ".") == other.diagram()


# -- the file -------------------------------------------------------------------------------------------


@pytest.mark.once
def test_an_entry_lies_in_the_file_as_it_is_written_down(tmp_path: Path) -> None:
    draft = Draft(TICTACTOE, GAMES)
    draft.positions[7] = {9: BookMove(5, 4, 3, 2, 1, -6, 8, EXACT, True, False, True)}
    data = written(draft, tmp_path / "one.book").read_bytes()
    length = int.from_bytes(data[12:16], "little")
    assert data[:8] == bytes.fromhex("89475042 0d0a1a0a") and int.from_bytes(data[8:12], "little") == 1
    assert int.from_bytes(data[16:24], "little") == 1 and length % 8 == 0
    assert blake2b(data[:24] + data[40:], digest_size=16).digest() == data[24:40]
    facts = json.loads(data[40 : 40 + length])
    assert (facts["game"], facts["weights"], facts["starts"]) == ("tictactoe", "games", [""])
    numbers = struct.unpack("<QQ5IiBBH", data[40 + length :])
    assert numbers == (7, 9, 5, 4, 3, 2, 1, -6, 8, 1 | 4 | 16, 0)
    assert list(Pages(str(tmp_path / "one.book"))) == [(7, 9, draft.positions[7][9])]


def test_every_position_is_found_and_no_other(whole: Draft, tmp_path: Path) -> None:
    pages = Pages(str(written(whole, tmp_path / "t.book")))
    assert {key: pages.moves(key) for key in whole.positions} == whole.positions
    rng = Random(1)
    assert not any(pages.moves(rng.getrandbits(64)) for _ in range(200))
    assert pages.moves(0) == {} == pages.moves(2**64 - 1)


def test_the_same_book_is_the_same_bytes(whole: Draft) -> None:
    assert bytes_of(whole) == bytes_of(solved(TICTACTOE))


@pytest.mark.once
def test_what_is_cut_or_changed_is_refused(grown: Draft, tmp_path: Path) -> None:
    whole, path, rng = bytes_of(grown), tmp_path / "x.book", Random(7)

    def refused(data: bytes) -> str:
        path.unlink(missing_ok=True)
        path.write_bytes(data)
        with pytest.raises(BadInput) as told:
            Pages(str(path))
        assert "\n" not in str(told.value) and str(path) in str(told.value)
        return str(told.value)

    for length in [0, 1, 7, 39, 40, 100, len(whole) - 44, len(whole) - 1, *rng.sample(range(len(whole)), 40)]:
        refused(whole[:length])
    for _ in range(200):
        at, data = rng.randrange(len(whole)), bytearray(whole)
        data[at] ^= 1 << rng.randrange(8)
        refused(bytes(data))
    assert "not a book of this program" in refused(b"PK\3\4" + bytes(100))
    assert "cut off or damaged" in refused(whole + bytes(44))
    assert "format 2; this version reads 1" in refused(whole[:8] + b"\2\0\0\0" + whole[12:])
    huge = whole[:16] + (2**63).to_bytes(8, "little") + whole[24:]
    assert "should have" in refused(huge)
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
    draft = Draft(TICTACTOE, GAMES)
    position = TICTACTOE.new()
    draft.positions[fingerprint(position)] = {
        after(position)[4]: BookMove(weight=1, value=2**31 - 1, known=EXACT)
    }
    advice = Book(str(written(draft, tmp_path / "t.book")), TICTACTOE).probe(position)
    assert advice is not None and advice.facts == (f"value win in {0}",)


@pytest.mark.once
@pytest.mark.parametrize(
    ("made", "asked", "words"),
    [
        ("tictactoe", "othello", "is a book of tictactoe, and this is othello"),
        (
            "tictactoe",
            "tictactoe:width=4",
            "is a book of tictactoe, which begins otherwise than tictactoe:width=4",
        ),
        ("connect4:columns=8", "connect4", "is a book of connect4:columns=8, which begins otherwise"),
    ],
)
def test_a_book_of_another_game_is_refused(made: str, asked: str, words: str, tmp_path: Path) -> None:
    file = written(Draft(registry.game(made)), tmp_path / "a.book")
    with pytest.raises(BadInput, match=words):
        seats.player(f"{ENGINE},book={file}", registry.game(asked))


# -- a whole game ---------------------------------------------------------------------------------------


def test_tictactoe_is_known_whole(whole: Draft) -> None:
    known = ANSWERS["tictactoe"]
    assert len(whole) == known["positions"] - known["ended"]
    ended = {child for moves in whole.positions.values() for child, one in moves.items() if not one.linked}
    assert len(ended) == known["ended"]
    assert all(
        entry.solved and entry.known == EXACT
        for moves in whole.positions.values()
        for entry in moves.values()
    )


def test_values_are_those_of_minimax(whole: Draft) -> None:
    engine, _ = registry.engine("alphabeta")
    rng = Random(3)
    for _ in range(60 if compiled() else 8):
        position = TICTACTOE.new()
        for _ in range(rng.randrange(2, 7)):
            if position.outcome() is None:
                position.make(rng.choice(position.moves()))
        if position.outcome() is not None:
            continue
        best = max(entry.value for entry in whole.positions[fingerprint(position)].values())
        assert best == engine.search(position, Limit(depth=9)).value


def test_nim_is_won_by_who_moves_to_a_sum_of_nothing() -> None:
    game = registry.game("nim:heaps=2+3+4")
    draft = solved(game)
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
        ("nim:players=3", "where two play"),
    ],
)
def test_what_cannot_be_solved_whole_is_refused(spec: str, words: str) -> None:
    with pytest.raises(Usage, match=words):
        solved(registry.game(spec))


@pytest.mark.once
def test_what_has_values_that_come_up() -> None:
    usual = {"players": 2, "zero_sum": True, "chance": False, "hidden": False}
    suits(SimpleNamespace(**usual))
    two = "values come up through a book where two play and one's gain is the other's loss"
    open_ = "values come up through a book in games without {}; make one of games, or of lines"
    for other, words in (
        ({"players": 3}, two),
        ({"players": 1}, two),
        ({"zero_sum": False}, two),
        ({"chance": True}, open_.format("dice or deals")),
        ({"hidden": True}, open_.format("secrets")),
        ({"chance": True, "hidden": True}, open_.format("dice or deals")),
    ):
        with pytest.raises(Usage) as refused:
            suits(SimpleNamespace(**{**usual, **other}))
        assert str(refused.value) == words
    with pytest.raises(Usage) as refused:
        solved(TICTACTOE, "xxx/oo./...")
    assert str(refused.value) == "the game is over at that position: there is nothing to solve"


class Turns(Position):
    """Steps: 2 hands the turn over, 1 keeps it; who makes the last one has won, or with `lost` lost."""

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
def test_values_come_up_where_somebody_moves_again(lost: bool) -> None:
    """Who is to move keeps the turn to the end; or, where it is lost there, hands it over just before."""
    draft = solved(registry.Game("turns", "turns", Turns, {"lost": lost}), "")
    assert draft.facts.starts == [""] and draft.facts.weights == VALUES

    def moves(position: Turns) -> list[BookMove]:
        known = draft.positions[fingerprint(position)]
        return [known[child] for child in after(position).values()]

    wanted = {
        False: {3: (WIN - 3, 3 - WIN), 2: (WIN - 2, 2 - WIN), 1: (WIN - 1, WIN - 1)},
        True: {3: (WIN - 3, 3 - WIN), 2: (2 - WIN, WIN - 2), 1: (1 - WIN, 1 - WIN)},
    }
    position = Turns(3, lost)
    for left, (kept, handed) in wanted[lost].items():
        best = max(kept, handed)
        assert moves(position) == [
            BookMove(
                weight=int(value == best),
                value=value,
                known=EXACT,
                solved=True,
                linked=left > 1,
                again=left > 1 and not number,
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
def test_how_far_it_is_and_what_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    fan = registry.Game("fan", "fan", Fan)
    assert len(solved(fan, watch=told.append)) == 1001 and told == [1000]
    words = (
        "this is too large to be solved whole: {}, {} plies at most; of its first plies there can be a"
        " FILE.table, with --plies N"
    )
    monkeypatch.setattr(whole_game, "MOST", 1000)  # the last of a thousand is looked at, and 999 are done
    assert len(solved(fan)) == 1001
    monkeypatch.setattr(whole_game, "MOST", 999)
    with pytest.raises(Usage) as refused:
        solved(fan)
    assert str(refused.value) == words.format("999 positions", 240)
    for plies, fits in ((241, True), (242, False)):
        long = registry.Game("turns", "turns", Turns, {"steps": plies})
        monkeypatch.setattr(whole_game, "MOST", 5_000_000)
        if fits:
            assert len(solved(long)) > plies
        else:
            with pytest.raises(Usage) as refused:
                solved(long)
            assert str(refused.value) == words.format("5,000,000 positions", 240)


class Ring(Position):
    """Step on or back on a ring of five; nobody ever wins."""

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


def test_where_positions_come_again_nothing_is_solved_and_a_book_of_games_goes_round() -> None:
    ring = registry.Game("ring", "ring", Ring)
    with pytest.raises(Usage, match="positions come again"):
        solved(ring)
    draft = Draft(ring)
    draft.count("", ["1"] * 12 + ["4"], None, 99)
    assert sorted(draft.plies().values()) == list(range(10))
    draft.back_up()
    assert len(list(draft.walk())) == 10


def test_of_moves_that_are_one_each_is_played_as_often(whole: Draft, tmp_path: Path) -> None:
    source = Book(str(written(whole, tmp_path / "t.book")), TICTACTOE)
    advice = source.probe(TICTACTOE.new())
    assert advice is not None and advice.exact and advice.value == 0 and len(advice.moves) == 9
    weight = {TICTACTOE.new().format(m): w for m, w in zip(advice.moves, advice.weights, strict=True)}
    assert weight["b2"] == 4 * weight["a1"] == 4 * weight["b1"], "corner, edge and centre are as good"
    assert advice.facts == ("draw",) * 9
    assert source.probe(TICTACTOE.new("xx./oo./...").twin()) is not None
    over = TICTACTOE.new("b2 a1 a3 b1 c1")
    assert source.probe(over) is None


# -- searches -------------------------------------------------------------------------------------------


def test_a_book_grows_to_what_is_wanted_and_values_come_up(grown: Draft) -> None:
    assert len(grown) == MANY == grown.valued()
    plies, linked = grown.plies(), 0
    for key, known in grown.positions.items():
        best = max(one.value for one in known.values() if one.known == EXACT)
        played = [one.value == best and one.known == EXACT for one in known.values()]
        assert [one.weight > 0 for one in known.values()] == played
        for child, one in known.items():
            if plies.get(child, -1) > plies[key]:
                linked += 1
                below = max(two.value for two in grown.positions[child].values() if two.known == EXACT)
                assert one.linked and one.value == later(below if one.again else -below)
            else:
                assert not one.linked
    assert linked == len(grown) - 1 + (linked - len(grown) + 1) and linked >= len(grown) - 1


def test_the_cheapest_end_is_searched_next(grown: Draft) -> None:
    growing = Expansion(Draft.of(_pages(grown), OTHELLO), "iterative", Limit(nodes=NODES), 3)
    step = 200 // 8
    prices = []
    for start, way in growing._cheapest(12):
        position, price = OTHELLO.new(start), 0
        for key in way:
            known = grown.positions[fingerprint(position)]
            price += step + max(one.value for one in known.values() if one.known == EXACT) - known[key].value
            position.make(next(move for move, child in after(position).items() if child == key))
        known = grown.positions.get(fingerprint(position), {})
        told = [one.value for one in known.values() if one.known == EXACT]
        assert not told or known[REST].value > max(told)
        prices.append(price)
    assert prices == sorted(prices) and len(prices) == 12


_FOLDER: list[Path] = []


def _pages(draft: Draft) -> Pages:
    return Pages(str(written(draft, _FOLDER[0] / f"{id(draft)}.book")))


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path) -> None:
    _FOLDER[:] = [tmp_path]


def _kept(draft: Draft, path: Path) -> None:
    written(draft, path)


def _killed(draft: Draft, path: Path, rounds: int) -> bool:
    """Let a book grow for some rounds. False: it was not done by then."""
    left = iter(range(rounds))

    def watch(progress: Any) -> None:
        next(left)

    try:
        growing = Expansion(draft, "iterative", Limit(nodes=NODES), 3)
        return growing.grow(MANY, partial(_kept, draft, path), watch)
    except StopIteration:
        return False


def test_what_was_left_out_is_worth_no_more_or_searched(grown: Draft) -> None:
    doubtful = 0
    for place in grown.walk():
        known = grown.positions[place.key]
        complete = set(after(place.position).values()) <= known.keys()
        assert complete != (REST in known)
        if not complete:
            assert (known[REST].known, known[REST].weight) == (UPPER, 0)
            doubtful += known[REST].value > max(one.value for _, one in place.moves.values())
    assert doubtful < len(grown) / 4
    draft = Draft.of(_pages(grown), OTHELLO)
    place = next(place for place in draft.walk() if REST in draft.positions[place.key])
    known = draft.positions[place.key]
    before = known.keys() - {REST}
    for child in before:
        known[child].value -= 1000
    growing = Expansion(draft, "iterative", Limit(nodes=NODES), 3)
    assert place.key in [way[-1] for _, way in growing._cheapest(1000) if way]
    growing._search(place.position)
    assert known.keys() - {REST} > before, "those that were left out before"


def test_whoever_stops_it_and_when_the_same_book_grows(grown: Draft, tmp_path: Path) -> None:
    rng, path = Random(5), tmp_path / "o.book"
    draft, stops = Draft(OTHELLO, VALUES), 0
    while draft.valued() < MANY:
        stops += not _killed(draft, path, rng.randrange(1, MANY // 5))
        draft = Draft.of(Pages(str(path)), OTHELLO)
    assert stops > 2 and bytes_of(draft) == bytes_of(grown)


def test_a_small_game_is_searched_to_its_ends() -> None:
    draft, start = Draft(TICTACTOE, VALUES), "x../.o./..."
    draft.facts.starts = [start]
    assert not Expansion(draft, "iterative", Limit(depth=9), 9).grow(1000, lambda: None)
    best = draft.positions[fingerprint(TICTACTOE.new(start))]
    assert max(one.value for one in best.values()) == 0 and all(one.solved for one in best.values())


@pytest.mark.once
@pytest.mark.parametrize(
    ("game", "spec", "words"),
    [
        ("backgammon", "expectiminimax", "without dice"),
        ("connect4", "mcts", "gives none"),
        ("connect4", "random", "gives none"),
        ("tictactoe:players=3", "maxn", "where two play"),
    ],
)
def test_what_gives_no_values_makes_no_book(game: str, spec: str, words: str) -> None:
    with pytest.raises(Usage, match=words):
        Expansion(Draft(registry.game(game), VALUES), spec, Limit(), 4)


def test_it_goes_on_with_the_same_engine_alone(grown: Draft) -> None:
    with pytest.raises(BadInput, match=f"grows by iterative, {NODES} nodes, width 3"):
        Expansion(Draft.of(_pages(grown), OTHELLO), "iterative", Limit(nodes=500), 3)


# -- games ----------------------------------------------------------------------------------------------

PLAYED = ["f5d6c3d3c4", "f5d6c3d3c4f4", "d3c5f6", "f5f6e6f4"]


def collection(folder: Path) -> Path:
    file = folder / "games.txt"
    file.write_text("\n".join(PLAYED) + "\n")
    return file


def test_games_are_counted_however_the_board_lies(tmp_path: Path) -> None:
    draft = Draft(OTHELLO)
    found = collected.count(draft, [str(collection(tmp_path))], 4)
    assert (found.games, found.moves, found.notes) == (4, 15, [])
    (first,) = draft.positions[book.root(OTHELLO)].values()
    assert (first.seen, first.weight, first.won + first.drawn + first.lost) == (4, 4, 0)
    second = draft.positions[fingerprint(OTHELLO.new("f5"))]
    assert sorted(entry.seen for entry in second.values()) == [1, 3], "d3 c5 is f5 d6"
    again = collected.count(draft, [str(tmp_path / "games.txt")], 4)
    assert again.games == 0 and "were counted in this book before" in again.notes[0]


@pytest.mark.once
def test_what_is_left_out_of_a_book_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of other games by how many, games that cannot be read or played, sources that hold nothing."""

    def record(game: str, *words: str) -> Record:
        return Record(SCHEMA, game, "", ["", ""], 0, [Ply(word, 0) for word in words], [1, -1], "rules", "")

    good, bad, none = record("othello", "f5", "d6"), record("othello", "f5", "a1"), record("othello")
    others = [record(f"connect4:columns={columns}") for columns in (5, 6, 5, 8, 4, 6, 5)]
    others += [record("nowhere"), record("othello:size=6")]
    told = "3 of connect4:columns=5, 2 of connect4:columns=6, 1 of connect4:columns=8, ..."
    held = {
        "one": [(1, good, ""), (2, None, "one, line 3: no move"), (3, bad, ""), (4, none, "")],
        "many": [(number, other, "") for number, other in enumerate(others)] + [(10, good, "")],
        "others": [(number, other, "") for number, other in enumerate(others)],
        "wrong": [(1, None, "wrong, line 1: what"), (2, None, "wrong, line 2: no")],
        "bad": [(7, bad, "")],
        "empty": [],
    }
    monkeypatch.setattr(collected, "_records", lambda source, store: iter(held[source]))
    draft = Draft(OTHELLO)
    found = collected.count(draft, ["one", "many"], 4)
    illegal = "one, game 3: 'a1' is not a legal move"
    assert (found.games, found.moves) == (2, 4)
    assert found.notes[0] == "one, line 3: no move: left out"
    assert found.notes[1].startswith("one, game 3: ") and found.notes[1].endswith(": left out"), illegal
    assert found.notes[2:] == [f"many: games of other games or boards are left out ({told})"]
    assert len(draft.facts.learned) == len(set(draft.facts.learned)) == 2
    again = collected.learn(draft, ["many", "one"])
    before = "its games were counted in this book before, and are left out"
    assert (again.games, again.moves) == (0, 0)
    assert [note for note in again.notes if before in note] == [f"many: {before}", f"one: {before}"]
    for source, words in (
        ("others", f"others holds no game of othello (but {told})"),
        ("wrong", "wrong, line 1: what"),
        ("empty", "empty holds no game of othello"),
    ):
        with pytest.raises(BadInput) as refused:
            collected.count(Draft(OTHELLO), [source], 4)
        assert str(refused.value) == words
    with pytest.raises(BadInput, match=r"^bad, game 7: "):
        collected.count(Draft(OTHELLO), ["bad"], 4)


@pytest.mark.once
def test_sources_of_games_that_are_none_are_refused(tmp_path: Path) -> None:
    wrong = {
        str(tmp_path): f"{tmp_path} is a folder; name the files in it",
        "none.pgn": "there is no file none.pgn",
        "last": "last is no file, no saved game by number and no run: ",
    }
    for source, words in wrong.items():
        with pytest.raises(BadInput) as refused:
            collected.count(Draft(OTHELLO), [source], 4, tmp_path / "runs.db")
        assert str(refused.value).startswith(words) and (words.endswith(": ") or str(refused.value) == words)
    assert not (tmp_path / "runs.db").exists(), "no store is made to look into"


@pytest.mark.once
def test_games_come_from_files_saved_games_and_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a run those that count and were kept whole, numbered from 1."""
    plan = Plan(game="tictactoe", players=[Entrant(player="minimax"), Entrant(player="random")], games=8)
    chairs = tuple(Seat(player="random", name=entry.name, seed=1) for entry in plan.players)

    def played(leg: int, word: str) -> tuple[Job, GameResult]:
        job = Job(pair=0, leg=leg, attempt=1, game="tictactoe", seats=chairs, seed=1)
        record = Record(SCHEMA, "tictactoe", "", ["x", "y"], 1, [Ply(word, 0)], [1, -1], "resign", "0")
        return job, GameResult(0, leg, 1, "resign", record, 1.0, (1.0, -1.0))

    games = [played(0, "a1"), played(1, "b2")]
    lost, dead = Job(1, 0, 1, "tictactoe", chairs, 1), Job(1, 1, 1, "tictactoe", chairs, 1)
    store = tmp_path / "runs.db"
    with Store(store) as kept:
        run = kept.create(stored.new(plan))
        kept.record(run, [to_store(*game) for game in games])
        kept.record(run, [to_store(lost, GameResult(1, 0, 1, "crash", None, 0.0, (-1.0, 1.0)))])
        kept.record(run, [to_store(dead, GameResult(1, 1, 1, "void", played(0, "c3")[1].record))])
    first, second = (done.record for _, done in games)
    assert list(collected._records(run, store)) == [(1, first, ""), (2, second, "")]
    saved.folder().mkdir(parents=True, exist_ok=True)
    assert first is not None
    saved.keep(first, saved.folder() / "007.json")
    assert list(collected._records("1", store)) == [(1, first, "")]
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "mine.txt").write_text("f5d6\n")
    ((number, record, problem),) = collected._records("~/mine.txt", store)
    assert (number, problem) == (1, "") and record is not None and record.words == ["f5", "d6"]


def test_a_game_that_other_rules_allow_leaves_nothing_behind() -> None:
    file = str(TESTS / "examples" / "records" / "backgammon.mat")
    draft = Draft(registry.game("backgammon"))
    with pytest.raises(BadInput, match=r"backgammon.mat, game 1: 'roll' is not a roll here"):
        collected.count(draft, [file], 20)
    assert not draft.positions
    match = Draft(registry.game("backgammon:match=3"))
    assert collected.count(match, [file], 6).games == 1 and len(match.plies()) == 6


def test_what_won_is_played_more_and_what_only_lost_no_more() -> None:
    draft = Draft(TICTACTOE)
    for words, payoffs in (
        ("b2 a1", (1, -1)),
        ("b2 b1", (-1, 1)),
        ("a1 b2", (0, 0)),
        ("b1", (-1, 1)),
        ("a1", None),
    ):
        draft.count("", words.split(), payoffs, 9)
    known = Book(str(written(draft, _FOLDER[0] / "t.book")), TICTACTOE).known(TICTACTOE.new())
    weights = {TICTACTOE.new().format(move): entry.weight for move, entry in known.items()}
    assert (weights["b2"], weights["a1"], weights["b1"]) == (2, 2, 0)
    entry = known[TICTACTOE.new().parse("b2")]
    assert (entry.seen, entry.won, entry.drawn, entry.lost, entry.score) == (2, 1, 0, 1, 0.5)
    assert known[0].score == 0.5 and known[1].score == 0.0


def test_dice_lie_on_the_way_and_are_not_played(tmp_path: Path) -> None:
    pig = registry.game(str(TESTS / "examples" / "games" / "pig.py"))
    draft = Draft(pig)
    draft.count("", ["roll", "3", "roll", "5", "hold"], None, 9)
    assert len(draft.plies()) == 5
    source = Book(str(written(draft, tmp_path / "pig.book")), pig)
    position = pig.new()
    for move in (0, 3, 0, 5):
        advice = source.probe(position)
        assert (advice is None) == (position.turn < 0)
        position.make(move)
    advice = source.probe(position)
    assert advice is not None and advice.moves == (1,)


def test_who_does_not_see_a_card_is_told_the_same_whatever_it_is(tmp_path: Path) -> None:
    kuhn = registry.game(str(TESTS / "examples" / "games" / "kuhn.py"))
    draft = Draft(kuhn)
    position = kuhn.new()
    deal = position.format(0)  # JQ: the first player has the jack
    position.make(0)
    draft.count("", [deal, position.format(1)], None, 9)
    draft.tidy()
    source = Book(str(written(draft, tmp_path / "kuhn.book")), kuhn)
    told = []
    for number in range(6):
        position = kuhn.new()
        position.make(number)
        told.append(source.probe(position) is not None)
    assert told == [True, True, False, False, False, False]
    with pytest.raises(Usage, match="imperfect information"):
        list(carried.text(draft))


def test_games_count_on_where_nothing_was_searched() -> None:
    draft = Draft(OTHELLO)
    draft.count("", ["f5", "d6", "c3", "d3", "c4", "f4"], (1, -1), 9)
    Expansion(draft, "iterative", Limit(nodes=NODES), 3).grow(3, lambda: None)
    plies = draft.plies()
    assert draft.facts.weights == VALUES and draft.valued() == 3
    for key, known in draft.positions.items():
        if not any(one.known for one in known.values()):
            (one,) = known.values()
            assert one.weight == (2 if plies[key] % 2 == 0 else 0)
        else:
            assert all(one.known for one in known.values() if one.weight)


# -- less, more, elsewhere --------------------------------------------------------------------------------


def test_what_is_rare_bad_or_late_is_dropped_and_what_it_leads_to(grown: Draft) -> None:
    draft = Draft.of(_pages(grown), OTHELLO)
    draft.prune(deviation=0)
    for known in draft.positions.values():
        assert len({one.value for one in known.values() if one.known == EXACT}) == 1
    assert set(draft.plies()) == set(draft.positions) and len(draft) < len(grown)
    draft = Draft.of(_pages(grown), OTHELLO)
    draft.prune(plies=3)
    assert max(draft.plies().values()) == 2
    games = Draft(OTHELLO)
    for line in ("f5 d6 c3", "f5 d6 c5", "f5 f6"):
        games.count("", line.split(), None, 9)
    games.prune(games=2)
    assert len(games) == 2 == games.moves()


def test_merging_adds_up_and_does_not_care_for_the_order(grown: Draft) -> None:
    other = Draft(OTHELLO, VALUES)
    Expansion(other, "iterative", Limit(nodes=3 * NODES), 2).grow(MANY // 2, lambda: None)
    both = []
    for one, two in ((grown, other), (other, grown)):
        draft = Draft.of(_pages(one), OTHELLO)
        draft.merge(Draft.of(_pages(two), OTHELLO))
        both.append(draft.positions)
    assert both[0] == both[1] and len(both[0]) >= len(grown)
    twice = Draft.of(_pages(grown), OTHELLO)
    twice.merge(grown)
    assert bytes_of(twice) == bytes_of(grown), "values do not add up"
    games = Draft(OTHELLO)
    games.count("", ["f5", "d6"], (1, -1), 9)
    games.merge(Draft.of(_pages(games), OTHELLO))
    (entry,) = games.positions[book.root(OTHELLO)].values()
    assert (entry.seen, entry.won, entry.weight) == (2, 2, 4)
    with pytest.raises(BadInput, match="is a book of tictactoe"):
        games.merge(Draft(TICTACTOE))
    games.facts.learned = ["ab"]
    with pytest.raises(BadInput, match="count the same games"):
        games.merge(Draft.of(_pages(games), OTHELLO))


def test_lines_of_text_lose_nothing(whole: Draft, grown: Draft, tmp_path: Path) -> None:
    games = Draft(registry.game("chess"))
    games.count("", ["e4", "e5", "Nf3"], (1, -1), 9)
    games.count("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", ["Kb2"], None, 9)
    games.facts.made = ["two games – ♟"]
    for draft in (grown, games, *([whole] if compiled() else [])):
        file = tmp_path / "lines.txt"
        file.write_text("\n".join(carried.text(draft)), encoding="utf-8")
        assert bytes_of(carried.from_text(str(file), draft.game)) == bytes_of(draft)


@pytest.mark.once
def test_lines_that_people_wrote_become_a_book(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("e4 e5 Nf3 weight 5 # mine\ne4 e5 then f4 weight 2 games 9 won 4\n")
    chess = registry.game("chess")
    draft = carried.from_text(str(file), chess)
    source = Book(str(written(draft, tmp_path / "c.book")), chess)
    position = chess.new("e4 e5")
    told = {position.format(move): entry for move, entry in source.known(position).items()}
    assert (told["Nf3"].weight, told["f4"].weight, told["f4"].seen, told["f4"].won) == (5, 2, 9, 4)
    assert source.known(chess.new("e4"))  # the way to f4 is not told twice
    (entry,) = source.known(chess.new()).values()
    assert entry.weight == 5
    text = seats.player(f"{ENGINE},book={file}", chess)
    assert isinstance(text, object)


@pytest.mark.once
@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("e4 e5 then", "no moves follow the word then"),
        ("e4 weight 3 beauty 9", "'beauty' behind a weight is none of what may stand there"),
        ("e4 weight 3 games many", "'games' behind a weight"),
        ("e4 weight 3 value 99999999999", "'value' behind a weight"),
        ("e4 e6 e9", "move 3: 'e9'"),
        ("e4 weight", "no|'weight'"),
    ],
)
def test_a_row_that_is_wrong_is_named(row: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text(f"d4\n{row}\n")
    with pytest.raises(BadInput, match=f"line 2: .*({words})"):
        carried.from_text(str(file), registry.game("chess"))


@pytest.mark.once
def test_polyglot_books_come_and_go(tmp_path: Path) -> None:
    library: Any = pytest.importorskip("chess.polyglot")
    chess: Any = pytest.importorskip("chess")
    game = registry.game("chess")
    draft = Draft(game)
    castles, becomes = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "8/4P3/8/8/8/8/k7/7K w - - 0 1"
    lines: list[tuple[str, str]] = [("", "e4 e5 Nf3 Nc6"), ("", "d4 d5"), ("", "e4 c5")]
    lines += [(castles, "O-O O-O-O"), (castles, "O-O-O O-O"), (becomes, "e8=N"), (becomes, "e8=Q")]
    for start, words in lines:
        draft.count(start, words.split(), None, 9)
    file = tmp_path / "b.bin"
    file.write_bytes(carried.polyglot(draft))
    with library.open_reader(str(file)) as reader:
        entries = list(reader)
        assert [entry.key for entry in entries] == sorted(entry.key for entry in entries)
        assert len(entries) == draft.moves()
        told = {entry.move.uci(): entry.weight for entry in reader.find_all(chess.Board())}
        assert told == {"e2e4": 2, "d2d4": 1}
        told = {entry.move.uci() for entry in reader.find_all(chess.Board(castles))}
        assert told == {"e1g1", "e1c1"}
        assert {entry.move.uci() for entry in reader.find_all(chess.Board(becomes))} == {"e7e8q", "e7e8n"}
    back, beside = carried.from_polyglot(str(file), game)
    assert beside == 6 and back.moves() == draft.moves() - 6
    for key, known in back.positions.items():
        assert {child: one.weight for child, one in known.items()} == {
            child: one.weight for child, one in draft.positions[key].items()
        }
    with pytest.raises(Usage, match="for chess, and this is othello"):
        carried.polyglot(Draft(OTHELLO))


@pytest.mark.once
def test_a_book_is_read_anew_where_its_file_has_changed(tmp_path: Path) -> None:
    """By its time, its size or its place on the disk; not otherwise."""
    path = written(Draft(TICTACTOE), tmp_path / "a.book")
    first = book.opened(str(path))
    assert book.opened(str(path)) is first
    for number, change in enumerate(
        (
            lambda: os.utime(path, ns=(1, 1)),
            lambda: os.replace(written(Draft(TICTACTOE), tmp_path / "b.book"), path),
        )
    ):
        change()
        again = book.opened(str(path))
        assert again is not first and book.opened(str(path)) is again, number
        first = again
    with pytest.raises(BadInput) as refused:
        book.opened(str(tmp_path / "none.book"))
    assert str(refused.value) == f"there is no book {tmp_path / 'none.book'}"


@pytest.mark.once
def test_a_book_begins_where_its_game_does_unless_that_is_drawn() -> None:
    nim, puzzle = registry.game("nim"), registry.game("puzzle15:seed=3")
    right = BookFacts("nim", "nim", book.root(nim), GAMES)
    book.check(right, nim, "x")
    book.check(BookFacts("puzzle15", "puzzle15", 5, GAMES), puzzle, "x")
    for facts, game, words in (
        (right, puzzle, "x is a book of nim, and this is puzzle15"),
        (
            BookFacts("nim", "nim:heaps=1", 5, GAMES),
            nim,
            "x is a book of nim:heaps=1, which begins otherwise than nim",
        ),
    ):
        with pytest.raises(BadInput) as refused:
            book.check(facts, game, "x")
        assert str(refused.value) == words
    assert {"connect4", "tictactoe"} <= set(book.shipped())
    assert book.own(TICTACTOE).endswith("tictactoe.book")
    with pytest.raises(Usage) as none:
        book.own(nim)
    assert str(none.value) == (
        f"no book of nim comes with this program (there are books of: {', '.join(book.shipped())})"
    )


@pytest.mark.once
def test_moves_that_weigh_nothing_are_known_and_not_played(tmp_path: Path) -> None:
    draft = Draft(OTHELLO, LINES)
    start = OTHELLO.new("f5")
    words = {start.format(move): child for move, child in after(start).items()}
    assert len(words) == 3
    known = draft.positions.setdefault(fingerprint(start), {})
    for child, weight in zip(words.values(), (0, 2, 5), strict=True):
        known[child] = BookMove(weight=weight, value=3, known=EXACT)
    source = Book(str(written(draft, tmp_path / "o.book")), OTHELLO)
    assert len(source.known(start)) == 3
    advice = source.probe(start)
    assert advice is not None and [start.format(move) for move in advice.moves] == list(words)[:0:-1]
    assert advice.weights == (5, 2) and advice.value is None and advice.facts == ("value +0.03",) * 2
    for entry in known.values():
        entry.weight = 0
    assert Book(str(written(draft, tmp_path / "p.book")), OTHELLO).probe(start) is None
    assert source.known(OTHELLO.new("f5 d6")) == {} and source.probe(OTHELLO.new("f5 d6")) is None


@pytest.mark.once
def test_what_is_told_behind_a_move() -> None:
    for entry, told in (
        (BookMove(), "weight 0"),
        (BookMove(5, 4, 3, 2, 1), "weight 5 games 4 won 3 drawn 2 lost 1"),
        (BookMove(1, 2, 0, 0, 3), "weight 1 games 2 lost 3"),
        (BookMove(value=7, depth=9), "weight 0"),
        (BookMove(value=7, depth=9, known=EXACT), "weight 0 value +7 depth 9"),
        (BookMove(value=0, known=EXACT, solved=True), "weight 0 value 0 solved"),
        (BookMove(value=-7, known=LOWER, linked=True), "weight 0 value -7 least linked"),
        (BookMove(value=-7, depth=1, known=UPPER, again=True), "weight 0 value -7 depth 1 most again"),
    ):
        assert " ".join(carried._fields(entry)) == told
        again = BookMove()
        facts = parsed(f"a {told}")
        carried._add_facts(again, facts.facts)
        again.weight = facts.weight
        if entry.known:
            assert again == entry
        else:
            assert (again.seen, again.won, again.drawn, again.lost, again.known) == (
                *(entry.seen, entry.won, entry.drawn, entry.lost, 0),
            )  # fmt: skip


@pytest.mark.once
def test_a_book_as_lines_row_by_row() -> None:
    """From the usual start and from another; what is left out in a position comes last there."""
    draft = Draft(TICTACTOE)
    draft.count("", ["b2", "a1"], (1, -1), 9)
    draft.count("xo./.../...", ["b2"], None, 9)
    rest = BookMove(value=3, known=UPPER)
    draft.positions[book.root(TICTACTOE)][REST] = rest
    head, *rows = carried.text(draft)
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
    """Where one is more all are cut in proportion, upwards; what weighs nothing is left out."""
    pytest.importorskip("chess.polyglot")
    game = registry.game("chess")
    for weights, kept in (
        ((65535, 1, 0), (65535, 1)),
        ((65536, 2, 0), (65535, 2)),
        ((131070, 3, 1), (65535, 2, 1)),
        ((3, 2, 1), (3, 2, 1)),
    ):
        draft = Draft(game)
        for word, weight in zip(("e4", "d4", "c4"), weights, strict=True):
            draft.count("", [word], None, 9)
            draft.entry(book.root(game), fingerprint(game.new(word))).weight = weight
        data = carried.polyglot(draft)
        found = list(struct.iter_unpack(">QHHI", data))
        assert tuple(weight for _, _, weight, _ in found) == kept, "the heaviest first"
        assert {learn for *_, learn in found} == {0} and len({key for key, *_ in found}) == 1
    assert carried.polyglot(Draft(game)) == b""
    path = tmp_path / "a.bin"
    path.write_bytes(struct.pack(">QHHI", 5, 796, 1, 0))
    with pytest.raises(BadInput) as refused:
        carried.from_polyglot(str(path), game)
    assert str(refused.value) == (
        f"{path} knows no move at the start of the game, so that no line leads into it"
    )


@pytest.mark.once
def test_castling_is_written_to_the_square_of_the_rook() -> None:
    chess: Any = pytest.importorskip("chess")
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    squares = {name: chess.SQUARE_NAMES.index(name) for name in chess.SQUARE_NAMES}

    def coded(board: Any, word: str) -> tuple[int, int, int]:
        number = carried._coded(board, chess.Move.from_uci(word))
        return number >> 12, number >> 6 & 63, number & 63

    for word, to in (("e1g1", "h1"), ("e1c1", "a1"), ("e1e2", "e2"), ("h1g1", "g1")):
        assert coded(board, word) == (0, squares[word[:2]], squares[to])
    board.turn = False
    for word, to in (("e8g8", "h8"), ("e8c8", "a8")):
        assert coded(board, word) == (0, squares["e8"], squares[to])
    shuffled = chess.Board("4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1", chess960=True)
    assert coded(shuffled, "e1g1") == (0, squares["e1"], squares["g1"])
    becomes = chess.Board("8/4P3/8/8/8/8/k7/7K w - - 0 1")
    for letter, number in zip("nbrq", (1, 2, 3, 4), strict=True):
        assert coded(becomes, f"e7e8{letter}") == (number, squares["e7"], squares["e8"])


@pytest.mark.once
def test_positions_lie_as_deep_as_the_shortest_way() -> None:
    """Counted from every start that the book has; what no start leads to is nowhere."""
    draft = Draft(TICTACTOE)
    draft.positions = {
        1: {2: BookMove(), 3: BookMove()},
        2: {4: BookMove()},
        3: {4: BookMove(), 9: BookMove()},
    }
    draft.positions |= {4: {1: BookMove()}, 7: {8: BookMove()}}
    first = fingerprint(TICTACTOE.new())
    draft.positions = {first if key == 1 else key: known for key, known in draft.positions.items()}
    draft.positions[4] = {first: BookMove()}
    assert draft.plies() == {first: 0, 2: 1, 3: 1, 4: 2}
    draft.facts.starts = ["", "b2"]
    draft.positions[fingerprint(TICTACTOE.new("b2"))] = {4: BookMove()}
    assert draft.plies() == {first: 0, fingerprint(TICTACTOE.new("b2")): 0, 2: 1, 3: 1, 4: 1}
    assert draft.moves() == 8 and len(draft) == 6 and draft.valued() == 0
    draft.positions[2][REST] = BookMove(known=UPPER)
    assert draft.moves() == 8 and draft.valued() == 1
    draft.tidy()
    assert 7 not in draft.positions and draft.facts.starts == ["", "b2"]
    draft.facts.starts = ["a1"]
    draft.tidy()
    assert draft.positions == {} and draft.facts.starts == [""]


@pytest.mark.once
def test_values_come_up_a_ply_at_a_time() -> None:
    """The best of those that are exact, turned; proved if it wins, or all of them are."""
    for below, facts, told in (
        ([BookMove(value=5, depth=3, known=EXACT)], {}, (-5, 4, False)),
        ([BookMove(value=5, depth=3, known=EXACT)], {"again": True}, (5, 4, False)),
        ([BookMove(value=5, depth=255, known=EXACT)], {}, (-5, 255, False)),
        (
            [BookMove(value=5, depth=3, known=EXACT), BookMove(value=4, depth=9, known=EXACT, solved=True)],
            {},
            (-5, 4, False),
        ),
        ([BookMove(value=5, known=EXACT, solved=True), BookMove(value=9, known=LOWER)], {}, (-5, 1, False)),
        ([BookMove(value=5, known=EXACT, solved=True)], {}, (-5, 0, True)),
        (
            [BookMove(value=WIN - 2, known=EXACT, solved=True), BookMove(value=1, depth=2, known=EXACT)],
            {},
            (3 - WIN, 0, True),
        ),
        (
            [
                BookMove(value=2 - WIN, known=EXACT, solved=True),
                BookMove(value=-WIN + 4, depth=2, known=EXACT),
            ],
            {},
            (WIN - 5, 3, False),
        ),
    ):
        entry = BookMove(**facts)
        Draft._link(entry, dict(enumerate(below)))
        assert (entry.value, entry.depth, entry.solved) == told
        assert (entry.known, entry.linked) == (EXACT, True)
    entry = BookMove(value=3)
    Draft._link(entry, {1: BookMove(value=9, known=LOWER), 2: BookMove()})
    assert entry == BookMove(value=3)


# -- at play ----------------------------------------------------------------------------------------------


def test_what_the_book_knows_is_told(tmp_path: Path) -> None:
    draft = Draft(OTHELLO)
    for _ in range(3):
        draft.count("", ["f5"], (1, -1), 9)
    draft.count("", ["f5"], (-1, 1), 9)
    file = written(draft, tmp_path / "o.book")
    player: Any = seats.player(f"{ENGINE},book={file}", OTHELLO)
    choice = player.choose(Match(OTHELLO, [player, player]))
    assert choice.report.source == "book" and choice.report.facts == "played 4 times, scored 75 %"


@pytest.mark.once
@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (BookMove(), ""),
        (BookMove(seen=1), "played once"),
        (BookMove(seen=1200, won=1, drawn=1, lost=2), "played 1,200 times, scored 38 %"),
        (
            BookMove(seen=2, drawn=2, value=35, known=EXACT, depth=14),
            "played 2 times, scored 50 %, value +0.35 at depth 14",
        ),
        (BookMove(value=-35, known=EXACT), "value -0.35"),
        (BookMove(value=WIN - 3, known=EXACT, depth=9, solved=True), "win in 3"),
        (BookMove(value=35, known=LOWER, depth=1), "value >= +0.35 at depth 1"),
        (BookMove(value=35, known=UPPER, depth=1), "value <= +0.35 at depth 1"),
    ],
)
def test_each_fact_of_a_move_is_told_once(entry: BookMove, words: str) -> None:
    assert book.entry_text(entry, registry.game("chess").new()) == words


@pytest.mark.once
def test_the_best_values_are_played_those_that_won_more_often() -> None:
    draft = Draft(TICTACTOE, VALUES)
    draft.facts.deviation = 2
    best, good, bound = (
        BookMove(value=5, known=EXACT, won=2, drawn=1),
        BookMove(value=3, known=EXACT),
        BookMove(),
    )
    bad, over = BookMove(value=2, known=EXACT, won=9), BookMove(value=9, known=LOWER, won=9)
    seen, given = BookMove(seen=3, won=2, lost=1), BookMove(weight=7)
    draft.positions = {1: {11: best, 12: good, 13: bound, 14: bad, 15: over}, 2: {21: seen, 22: given}}
    draft.weigh()
    assert [one.weight for one in (best, good, bound, bad, over)] == [6, 1, 0, 0, 0]
    assert (seen.weight, given.weight) == (4, 7)


@pytest.mark.once
def test_what_is_pruned_is_worth_what_was_left_out() -> None:
    start = fingerprint(TICTACTOE.new())

    def grown() -> Draft:
        draft = Draft(TICTACTOE, VALUES)
        few, rare = BookMove(seen=2), BookMove(seen=1)
        best, worse = BookMove(value=10, known=EXACT), BookMove(value=7, known=EXACT)
        rest = BookMove(value=1, known=UPPER)
        draft.positions = {start: {1: few, 2: rare, 3: best, 4: worse, REST: rest}, 3: {5: BookMove(seen=1)}}
        return draft

    pruned = grown()
    pruned.prune(games=2, deviation=2)
    assert {key: sorted(known) for key, known in pruned.positions.items()} == {start: [REST, 1, 3]}
    assert pruned.positions[start][REST].value == 7
    pruned = grown()
    pruned.prune(deviation=3)
    assert sorted(pruned.positions[start]) == [REST, 1, 2, 3, 4] and 3 in pruned.positions
    assert pruned.positions[start][REST].value == 1
    for plies, left in ((0, []), (1, [start]), (2, [start, 3])):
        pruned = grown()
        pruned.prune(plies=plies)
        assert list(pruned.positions) == left and pruned.facts.starts == [""]


@pytest.mark.once
def test_of_two_books_counts_add_up_and_the_better_founded_value_stays() -> None:
    mine, theirs = Draft(TICTACTOE, VALUES), Draft(TICTACTOE, GAMES)
    mine.facts.starts, theirs.facts.starts = ["", "1"], ["1", "2"]
    mine.facts.made, theirs.facts.made = ["a", "b"], ["b", "c"]
    mine.facts.learned, theirs.facts.learned = ["x"], ["y"]
    theirs.facts.deviation, theirs.facts.width, theirs.facts.engine = 3, 2, "iterative"
    mine.positions = {
        1: {2: BookMove(1, 2, 3, 4, 5, 60, 9, LOWER), 3: BookMove(value=5, depth=4, known=EXACT, solved=True)}
    }
    theirs.positions = {
        1: {
            2: BookMove(10, 20, 30, 40, 50, 6, 2, EXACT, True, True, True),
            3: BookMove(value=8, depth=9, known=EXACT),
        },
        7: {8: BookMove(weight=3)},
    }
    mine.merge(theirs)
    assert mine.positions == {
        1: {
            2: BookMove(11, 22, 33, 44, 55, 6, 2, EXACT, True, True, True),
            3: BookMove(value=5, depth=4, known=EXACT, solved=True),
        },
        7: {8: BookMove(weight=3)},
    }
    facts = mine.facts
    assert (facts.starts, facts.made, facts.learned) == (["", "1", "2"], ["a", "b", "c"], ["x", "y"])
    assert (facts.deviation, facts.width, facts.engine, facts.weights) == (3, 2, "iterative", MIXED)
    with pytest.raises(BadInput, match=r"count the same games \(1 collections\)"):
        mine.merge(theirs)


@pytest.mark.once
def test_screens_tell_it(gameplay: Any, tmp_path: Path) -> None:
    file = tmp_path / "c.book"
    draft = Draft(registry.game("chess"))
    draft.count("", ["e4", "e5"], (1, -1), 9)
    written(draft, file)
    words = ("play", "chess", "--players", f"{ENGINE},script:e5", "--book", str(file), "--plain")
    assert "\nwhite plays e4, by the book: played once, scored 100 %\n" in gameplay(*words)[1]
    player: Any = seats.player(f"{ENGINE},book={file}", draft.game)
    match = Match(draft.game, [player, player])
    choice = player.choose(match)
    match.make(choice)
    told = panel.search(match, choice.report, 0, 40).plain.splitlines()
    assert told[:3] == ["known     by the opening book", "          played once", "          scored 100 %"]


@pytest.mark.once
def test_the_book_that_comes_along_is_named_and_not_its_path() -> None:
    player: Any = seats.player(f"{ENGINE},book=own", TICTACTOE)
    assert player.spec == f"{ENGINE},book=own"
    asked = parse(player.spec)
    assert asked.files == [] and str(asked.placed(Path("/x"))) == player.spec
    assert parse_list(f"{ENGINE},book=own,human") == [f"{ENGINE},book=own", "human"]
    with pytest.raises(
        Usage, match=r"no book of nim comes with this program .there are books of: .*tictactoe"
    ):
        seats.player(f"{ENGINE},book=own", registry.game("nim"))


def test_nobody_beats_the_book_of_tictactoe() -> None:
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
    "name", sorted(name for name, file in book.shipped().items() if file.suffix == ".book")
)
def test_books_that_come_along_are_whole_and_legal(name: str) -> None:
    game = registry.game(name)
    pages = Pages(str(book.shipped()[name]))
    draft = Draft.of(pages, game)
    assert len(draft.plies()) == len(draft) and pages.facts.weights == VALUES
    before = bytes_of(draft)
    draft.back_up()
    assert bytes_of(draft) == before == book.shipped()[name].read_bytes()
    if compiled():
        walked = list(draft.walk())
        assert len(walked) == len(draft)
        assert sum(len(place.moves) for place in walked) == draft.moves(), "every move is legal"


# -- the command --------------------------------------------------------------------------------------------


@pytest.fixture
def gameplay(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    def call(*words: str) -> tuple[int, str, str]:
        status = run(router, "gameplay", [str(word) for word in words])
        out, err = capfd.readouterr()
        return status, out, err

    return call


@pytest.mark.once
def test_from_games_to_a_book_and_on(gameplay: Any, tmp_path: Path) -> None:
    file, games = str(tmp_path / "o.book"), str(collection(tmp_path))
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
    assert status == 0 and "counted in this book before" in err and out.startswith("0 games counted")
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
    assert status == 0 and "the same book once more" in err and merged.read_bytes() == back.read_bytes()


@pytest.mark.once
def test_a_polyglot_book_is_asked_written_and_taken_in(gameplay: Any, tmp_path: Path) -> None:
    """Its entries have weights; what no line from the start comes to is left out, and counted."""
    pytest.importorskip("chess.polyglot")
    draft = Draft(registry.game("chess"))
    for start, words in (
        ("", "e4 e5"),
        ("", "d4 d5"),
        ("", "e4 c5"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O O-O-O"),
    ):
        draft.count(start, words.split(), None, 9)
    file, book, again = (tmp_path / name for name in ("a.bin", "a.book", "again.bin"))
    file.write_bytes(carried.polyglot(draft))
    told = json.loads(gameplay("book", "probe", "chess", file, "--json")[1])
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
    assert told["moves"] == [{"move": "e4", "weight": 2, **row}, {"move": "d4", "weight": 1, **row}]
    assert gameplay("book", "probe", "chess", file, "--moves", "h4", "--json")[0] == 4
    mated = "f3 e5 g4 Qh4#"
    assert gameplay("book", "probe", "chess", file, "--moves", mated)[0] == 4
    status, out, err = gameplay("book", "import", "chess", file, "--out", book)
    assert (status, out) == (0, "")
    assert err == (
        f"{file}: 2 entries that no line from the start comes to are left out\n"
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
def test_books_that_do_not_go_together_are_told(gameplay: Any, tmp_path: Path) -> None:
    games = collection(tmp_path)
    one, other, chess = (tmp_path / f"{name}.book" for name in ("one", "other", "chess"))
    assert gameplay("book", "build", "othello", games, "--plies", "2", "--out", one)[0] == 0
    assert gameplay("book", "build", "othello", games, "--plies", "3", "--out", other)[0] == 0
    status, out, err = gameplay("book", "merge", one, other, "--out", tmp_path / "both.book")
    assert (status, out) == (6, "") and err.startswith(f"gameplay: {other}: ") and err.count("\n") == 1
    text = tmp_path / "chess.txt"
    text.write_text("moves e4 e5\n")
    assert gameplay("book", "import", "chess", text, "--out", chess)[0] == 0
    assert json.loads(gameplay("book", "show", chess, "--json")[1])["made"] == ["imported from chess.txt"]
    status, _, err = gameplay("book", "merge", one, chess, "--out", tmp_path / "both.book")
    assert status == 6 and err.startswith(f"gameplay: {chess} is a book of chess, and this is ")
    assert not (tmp_path / "both.book").exists()


@pytest.mark.once
def test_ctrl_c_leaves_a_book_that_goes_on(
    gameplay: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said depends on whether a round was written; a table keeps all that was solved."""
    file = tmp_path / "o.book"

    def grow(self: Any, wanted: int, keep: Any, watch: Any) -> int:
        watch(SimpleNamespace(positions=1234, wanted=5678, value=3, line=["a1", "b2"]))
        if written:
            keep()
        raise KeyboardInterrupt

    monkeypatch.setattr(Expansion, "grow", grow)
    again = "the same command goes on: gameplay book build tictactoe ...\n"
    rounds = (False, "nothing was written yet"), (True, f"{file} is kept as it was after the last round")
    for written, kept in rounds:
        status, out, err = gameplay("book", "build", "tictactoe", "--expand", "3", "--out", file)
        assert (status, out) == (130, "") and err.replace("\n\n", "\n") == f"{kept}; {again}interrupted\n"
        assert file.exists() == written

    def build(game: Any, plies: int, out: Path, value: Any, tell: Any) -> int:
        tell("solved", 3, 9)
        raise KeyboardInterrupt

    monkeypatch.setattr(first_plies, "build", build)
    words = ("book", "build", "connect4", "--solve", "--plies", "3", "--out", tmp_path / "c.table")
    status, out, err = gameplay(*words)
    again = "what is solved is kept; the same command goes on: gameplay book build connect4 ...\n"
    assert (status, out) == (130, "") and err.replace("\n\n", "\n") == f"{again}interrupted\n"


@pytest.mark.once
def test_how_far_a_book_is_is_told_with_its_first_moves() -> None:
    game = registry.game("othello")
    for count, line in ((8, "m m m m m m m m"), (9, "m m m m m m m m ...")):
        progress: Any = SimpleNamespace(positions=1234, wanted=5678, value=0, line=["m"] * count)
        worth = describe(0, False, game.new().unit)
        assert book_building._progress(progress, game) == f"1,234 of 5,678 positions, value {worth}, {line}"
    assert (book_building.games(1), book_building.games(2), book_building.games(1200)) == (
        "1 game",
        "2 games",
        "1,200 games",
    )
    assert book_building.units(registry.game("chess"), 0.256) == 26


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
def test_searches_go_on_where_they_were(gameplay: Any, tmp_path: Path) -> None:
    file, once = str(tmp_path / "c.book"), str(tmp_path / "once.book")
    words = ("book", "build", "connect4", "--engine", "iterative:nodes=200", "--out")
    assert gameplay(*words, file, "--expand", "5")[0] == 0
    assert gameplay(*words, file, "--expand", "12")[0] == 0
    assert gameplay(*words, once, "--expand", "12")[0] == 0
    assert Path(file).read_bytes() == Path(once).read_bytes()
    status, _, err = gameplay(*words, file, "--expand", "20", "--width", "2")
    assert status == 6 and "go on with the same" in err


@pytest.mark.once
@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (["build", "othello", "--out", "x.book"], 2, "a book is made of something"),
        (
            ["build", "othello", "--solve", "--expand", "5", "--out", "x.book"],
            2,
            "leave out GAMES and --expand",
        ),
        (
            ["build", "othello", "--solve", "--engine", "mcts", "--out", "x.book"],
            2,
            "--engine goes with --expand",
        ),
        (["build", "othello", "--expand", "5", "--out", "x.txt"], 2, "ends in .book"),
        (["build", "othello", "none.pgn", "--out", "x.book"], 6, "there is no file none.pgn"),
        (
            ["build", "othello", "nobody", "--out", "x.book"],
            6,
            "nobody is no file, no saved game by number and no run",
        ),
        (["build", "pig", "--solve", "--out", "x.book"], 2, "dice or deals"),
        (["build", "chess", "games.txt", "--out", "x.book"], 6, "holds no game of chess (but 4 of othello)"),
        (
            ["build", "othello", "games.txt", "--moves", "f5", "--out", "x.book"],
            2,
            "games begin where they begin",
        ),
        (["build", "othello", "games.txt", "--out", "there.book"], 2, "there.book exists"),
        (["build", "othello", "games.txt", "--min-games", "9", "--out", "x.book"], 2, "smaller --min-games"),
        (["learn", "none.book", "games.txt"], 6, "there is no book none.book"),
        (["learn", "games.txt", "games.txt"], 6, "is not a book"),
        (["probe", "nim", "own"], 2, "no book of nim comes with this program"),
        (["probe", "othello", "none.book"], 6, "there is no book"),
        (["probe", "othello", "there.book"], 6, "is a book of tictactoe, and this is othello"),
        (["show", "games.txt"], 6, "is not a book"),
        (["show", "nowhere"], 6, "there is no book nowhere"),
        (["prune", "there.book", "--out", "y.book"], 2, "say what is to be dropped"),
        (["prune", "there.book", "--plies", "2", "--out", "there.book"], 2, "there.book exists"),
        (["merge", "there.book", "games.txt", "--out", "y.book"], 6, "is not a book"),
        (["export", "there.book", "--out", "y.pgn"], 2, "is written as .txt"),
        (["export", "there.book", "--out", "y.bin"], 2, "for chess, and this is tictactoe"),
        (["import", "othello", "there.book", "--out", "y.book"], 6, "is no text"),
        (["import", "othello", "none.bin", "--out", "y.book"], 2, "for chess, and this is othello"),
        (["open"], 2, "there is no command 'open'"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(
    words: list[str], status: int, told: str, gameplay: Any, whole: Draft, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    collection(tmp_path)
    written(whole, tmp_path / "there.book")
    found, _, err = gameplay("book", *words)
    assert (found, told in err, err.count("\n")) == (status, True, 1), err
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
    told = json.loads(gameplay(*words, "--jobs", "1", "--json")[1])
    assert [one["player"] for one in told["players"]] == [f"{ENGINE},book=own"] * 2
    assert told["efforts"][0]["nodes"] == 0
    told = json.loads(gameplay(*words, "--jobs", "1", "--no-book", "--json")[1])
    assert [one["player"] for one in told["players"]] == [ENGINE] * 2
    assert told["efforts"][0]["nodes"] > 0


@pytest.mark.once
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_what_is_killed_leaves_a_whole_book_that_grows_on(number: int, tmp_path: Path) -> None:
    file, status = tmp_path / "c.book", []
    words = [sys.executable, "-m", "gameplay", "book", "build", "connect4", "--engine", "iterative:nodes=200"]
    for _ in range(2):
        before = len(Draft.of(Pages(str(file)), registry.game("connect4"))) if file.exists() else 0
        process = subprocess.Popen([*words, "--expand", "100000", "--out", str(file)], stderr=subprocess.PIPE)
        while process.poll() is None and _positions(file) <= before + 4:
            time.sleep(0.01)
        process.send_signal(number)
        status.append((process.wait(), process.communicate()[1].decode()))
        assert _positions(file) > before
    for code, told in status:
        assert code == (130 if number == signal.SIGINT else -signal.SIGKILL)
        assert ("is kept as it was after the last round" in told) == (number == signal.SIGINT)


def _positions(file: Path) -> int:
    return len({key for key, _, _ in Pages(str(file))}) if file.exists() else 0


# -- as it is shown -----------------------------------------------------------------------------------------


def shown_draft() -> Draft:
    """A book of a few games of chess, and of moves of which all is known that can be."""
    draft = Draft(CHESS)
    draft.count("", ["e4", "e5", "Nf3"], (1, -1), 3)
    draft.count("", ["e4", "c5"], (0, 0), 9)
    draft.count("", ["e4", "e5"], None, 9)
    draft.count("", ["d4"], (-1, 1), 9)
    start = CHESS.new()
    places = {start.format(move): child for move, child in after(start).items()}
    known = draft.positions[fingerprint(start)]
    known[places["d4"]].value, known[places["d4"]].known = -20, EXACT
    for word, entry in (
        ("c4", BookMove(value=25, known=LOWER, depth=7)),
        ("a3", BookMove(value=30, known=UPPER)),
        ("f3", BookMove(value=3 - WIN, known=EXACT, solved=True, depth=2)),
        ("g4", BookMove(seen=1234)),
        ("h4", BookMove(seen=2)),
    ):
        known[places[word]] = entry
    draft.begin("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    return draft


@pytest.mark.once
def test_a_book_is_shown_in_facts_moves_and_a_tree() -> None:
    told: list[str] = []
    draft = shown_draft()
    for position in (CHESS.new(), CHESS.new("e4"), CHESS.new("e4 e5")):
        known = draft.positions[fingerprint(position)]
        legal = {move: known[child] for move, child in after(position).items() if child in known}
        for width in (0, 40):
            told += [f"-- after {position.text()}, {width}", *shown.moves(legal, position, width)]
    told += ["-- values alone", *shown.moves({0: BookMove(value=30, known=UPPER)}, CHESS.new())]
    draft.facts.made = ["one.pgn, 3 games", "two.pgn"]
    told += ["-- facts", *shown.facts(draft.facts, draft, 12_345)]
    for weights, deviation, engine in (
        (VALUES, 0, ""),
        (VALUES, 2, "iterative, depth 3"),
        (LINES, 2, ""),
        ("", 0, ""),
    ):
        draft.facts.weights, draft.facts.deviation, draft.facts.engine, draft.facts.width = (
            *(weights, deviation, engine, 4),
        )
        told += [f"-- {weights}", *shown.facts(draft.facts, draft, 12_345, 50)]
    draft.facts.starts = ["", "e4", "d4"]
    told += [line for line in shown.facts(draft.facts, draft, 9) if line.startswith("begins")]
    draft.facts.starts = ["e4"]
    told += [line for line in shown.facts(draft.facts, draft, 9) if line.startswith("begins")]
    for way, plies, most in (([], 3, 9), ([], 1, 2), (["e4"], 2, 9), (["e4", "e5"], 0, 9), (["c4"], 3, 3)):
        told += [f"-- after {way}, {plies} plies, {most} moves", *shown.tree(draft, "", way, plies, most)]
    ring = Draft(TICTACTOE)
    for words in (["b2", "b1", "a1", "a2"], ["a1", "b1", "b2", "a2"], ["a1", "b1", "a2", "b2", "a3"]):
        ring.count("", words, (1, -1), 9)
    told += ["-- two ways to a position", *shown.tree(ring, "", [], 9, 9)]
    whole, narrow = list(shown.tree(draft, "", [], 3, 9)), list(shown.tree(draft, "", [], 3, 9, 30))
    assert narrow == [line[:29] for line in whole] and max(map(len, whole)) > 30
    golden("shown_book", "\n".join(told) + "\n")
    assert shown.ordered(BookMove(weight=2, seen=5, value=7)) == (-2, INF, -5)
    assert shown.ordered(BookMove(weight=2, seen=5, value=7, known=EXACT)) == (-2, -7, -5)
