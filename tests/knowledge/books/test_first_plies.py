"""Books of all first plies: published counts and values, the same after any interruption, asked first."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.solver import TROMP, first_positions, pons_score
from gameplay import registry
from gameplay.adapter import kernel_of
from gameplay.cli import router, run
from gameplay.display.terminal import search_panel
from gameplay.engines.perfect import Perfect
from gameplay.errors import BadInput, Usage
from gameplay.kernel import compiled
from gameplay.knowledge.books import book, first_plies
from gameplay.knowledge.books.first_plies import FirstPlies
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.registry import open_knowledge
from gameplay.search.limit import Limit
from gameplay.search.session import Session
from gameplay.value import WIN

SMALL = registry.game("connect4:columns=4,rows=4")
USUAL = registry.game("connect4")
once = pytest.mark.once


@pytest.fixture
def gameplay(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command: its status, output and errors."""

    def call(*words: str) -> tuple[int, str, str]:
        capfd.readouterr()
        status = run(router, "gameplay", list(words))
        return (status, *capfd.readouterr())

    return call


def solver(game: Any) -> Any:
    return Perfect(table="1MB").new_table(10).solver(kernel_of(game.new())).value


def ignore_progress(what: str, done: int, whole: int) -> None:
    pass


def build_book(folder: Path, game: Any = SMALL, plies: int = 3) -> Path:
    out = folder / "small.table"
    first_plies.build(game, plies, out, solver(game), ignore_progress)
    return out


@pytest.fixture(scope="module")
def own() -> FirstPlies:
    """The included book of Connect Four."""
    return FirstPlies(book.included_path(USUAL), USUAL)


def test_every_position_has_its_value_and_so_has_its_mirror_image(tmp_path: Path) -> None:
    known = FirstPlies(str(build_book(tmp_path)), SMALL)
    solve, lots = solver(SMALL), Random(3)
    for _ in range(30):
        position, mirrored = SMALL.new(), SMALL.new()
        for _ in range(lots.randrange(4)):
            move = lots.choice(position.moves())
            position.make(move)
            mirrored.make(3 - move)
        if position.outcome() is not None:
            continue
        assert known.value(position) == known.value(mirrored) == solve(position)
    deeper = SMALL.new("12344")
    assert known.value(deeper) is None and known.probe(deeper) is None
    last = SMALL.new("123")
    advice = known.probe(last)
    assert advice is not None and advice.settled and not advice.moves and known.advise(last) is None


def test_any_game_that_can_be_solved_has_one(tmp_path: Path) -> None:
    game = registry.game("tictactoe")
    out = tmp_path / "t.table"
    first_plies.build(game, 2, out, solver(game), ignore_progress)
    known = FirstPlies(str(out), game)
    assert known.file.subject.facts["counts"] == [1, 9, 72]
    exact = open_knowledge("book", "own", game)
    position = game.new()
    for move in (0, 1):
        advice = exact.probe(position)
        assert advice is not None and known.value(position) == advice.value
        position.make(move)


@pytest.mark.parametrize("cut", [0, 3])
def test_resumed_build_ends_with_the_same_bytes(tmp_path: Path, cut: int) -> None:
    whole = build_book(tmp_path).read_bytes()
    (tmp_path / "again").mkdir()
    out = tmp_path / "again" / "small.table"
    beside = out.with_name("small.table.solving")
    solve, asked = solver(SMALL), []

    def solve_first_nine(position: Any) -> int | None:
        asked.append(position.key())
        return None if len(asked) > 9 else solve(position)

    with pytest.raises(KeyboardInterrupt):
        first_plies.build(SMALL, 3, out, solve_first_nine, ignore_progress)
    assert not out.exists()
    data = beside.read_bytes()
    beside.write_bytes(data[: len(data) - cut])  # killed in the middle of a line
    first = len(asked) - 1
    asked.clear()

    def solve_next(position: Any) -> int | None:
        asked.append(position.key())
        return solve(position)

    first_plies.build(SMALL, 3, out, solve_next, ignore_progress)
    assert out.read_bytes() == whole and not beside.exists()
    assert (
        len(asked) == len(set(asked))
        and len(asked) + first - bool(cut) == FirstPlies(str(out), SMALL).subject.facts["counts"][-1]
    )


def completing(p: int) -> int:
    """The cells that complete four of these stones, on a board with seven bits a column."""
    cells = p << 1 & p << 2 & p << 3
    for s in (6, 7, 8):
        cells |= p << s & p << 2 * s & (p << 3 * s | p >> s) | p >> s & p >> 2 * s & (p << s | p >> 3 * s)
    return cells


@once
def test_bundled_connect4_book_has_tromps_counts(own: FirstPlies) -> None:
    """All positions of eight plies in which the next move is not forced; values of the first player."""
    stones, masks = [0] * (1 << 14), [0] * (1 << 14)  # of two columns, by their part of a key
    for pattern in range(1 << 14):
        for column in (0, 7):
            height = ((pattern >> column & 127) + 1).bit_length() - 1
            stones[pattern] += height
            masks[pattern] |= (1 << height) - 1 << column
    low = (1 << 14) - 1
    results = {1: 0, -1: 0, 0: 0}
    bottom = sum(1 << 7 * column for column in range(7))
    board = 63 * bottom
    keys = (own.file._load_block("keys", at) for at in range(len(own.file.planes["keys"])))
    for place, key in enumerate(key for part in keys for key in part):
        a, b, c, d = key & low, key >> 14 & low, key >> 28 & low, key >> 42
        if stones[a] + stones[b] + stones[c] + stones[d] != 8:
            continue
        mask = masks[a] | masks[b] << 14 | masks[c] << 28 | masks[d] << 42
        mine = key - mask  # a key is both added up
        if not (completing(mine) | completing(mine ^ mask)) & mask + bottom & board:
            results[(0, 1, -1)[own.file.result_at(place)[0]]] += 1
    assert results == TROMP
    assert own.subject.facts["counts"] == [1, 4, 25, 121, 568, 2144, 8231, 27109, 91295, 269531]


def test_bundled_connect4_book_has_the_published_values(own: FirstPlies) -> None:
    held = 0
    for rows in first_positions(1000).values():
        for moves, known in rows:
            if len(moves) <= 9:
                value = own.value(USUAL.new(moves))
                assert value is not None and pons_score(value, len(moves)) == known
                held += 1
    assert held > 10
    start = own.entries_of(USUAL.new())
    ends = {"1": -40, "2": -42, "3": 0, "4": 41, "5": 0, "6": -42, "7": -40}  # Allis 1988, Tromp 1995
    assert {USUAL.new().format(move): entry.value for move, entry in start.items()} == {
        word: WIN - n if n > 0 else -WIN - n if n else 0 for word, n in ends.items()
    }


def opening(plies: int, lots: Random) -> Any:
    """An unfinished position after this number of plies."""
    while True:
        position = USUAL.new()
        while position.outcome() is None and len(position.text()) < plies:
            position.make(lots.choice(position.moves()))
        if position.outcome() is None:
            return position


def test_any_opening_is_answered_with_few_nodes(own: FirstPlies) -> None:
    lots, session = Random(5), Session(Perfect(table="16MB"))
    session.begin()
    session.knowledge = (own,)
    for plies in range(9):
        advice = own.advise(opening(plies, lots))
        assert advice is not None and advice.moves and advice.settled
    for plies in (9, 9, 10) * 3 if compiled() else ():
        position = opening(plies, lots)
        report = session.search(position, Limit(nodes=8_000_000))
        assert report.exact, position.text()
        assert report.value == (own.value(position) if plies == 9 else report.value)


def test_perfect_uses_the_bundled_book_and_names_it() -> None:
    few = Limit(nodes=1000)  # a solver would need more for one move
    player = seats.player("perfect", USUAL, limit=few)
    assert player.spec == "perfect:nodes=1000,book=own"
    match = Match(USUAL, [player, seats.player("perfect:aim=lose", USUAL, limit=few)], moves=["4"])
    worst = match.players[1].choose(match)
    assert worst.report.source == "book" and worst.report.facts == "loss in 34"
    assert match.position.format(worst.move) in ("1", "7"), "its aim goes before the book's best move"
    match = Match(USUAL, [player, player])
    choice = player.choose(match)
    assert match.position.format(choice.move) == "4"
    text = search_panel.search_facts(match, choice.report, 0, 60).plain
    assert "by the opening book" in text and "win in 41" in text


def test_first_plies_book_can_be_switched_off() -> None:
    assert seats.player("perfect:book=none", USUAL).spec == "perfect:book=none"
    assert seats.player("perfect:book=none", USUAL).knowledge["book"].probe(USUAL.new()) is None
    assert seats.player("perfect", SMALL).spec == "perfect", "of another board there is none"
    assert seats.player("iterative", USUAL).spec == "iterative"
    assert seats.without_book("perfect:skill=50") == "perfect:skill=50,book=none"
    assert seats.without_book("selective:book=own") == "selective"


def test_solved_path_is_not_a_win_of_a_two_player_game() -> None:
    """In a solved two-player game each move is searched again, and the winner reported."""
    player = seats.player("perfect", SMALL)
    match = Match(SMALL, [player, player])
    match.play()
    texts = [search_panel.describe_value(match, turn.report, turn.player) for turn in match.turns]
    assert not any("goal" in words for words in texts)


# -- the command ------------------------------------------------------------------------------------


def test_first_plies_book_is_built_shown_and_probed(gameplay: Any, tmp_path: Path) -> None:
    out = str(tmp_path / "small.table")
    build = ("book", "build", SMALL.spec, "--solve", "--plies", "3", "--out", out)
    status, _, err = gameplay(*build)
    assert status == 0 and err.startswith(f"{out}: 37 positions, ")
    assert gameplay(*build)[0] == 2, "it exists"
    assert "by ply      1, 2, 8, 26\n" in gameplay("book", "show", out)[1]
    document = json.loads(gameplay("book", "show", out, "--json")[1])
    assert document["game"] == SMALL.spec and document["positions"] == sum(document["counts"]) == 37
    asked = json.loads(gameplay("book", "probe", SMALL.spec, out, "--moves", "1", "--json")[1])
    assert [move["value"] for move in asked["moves"]] == [0, 0, 0, 0]
    assert gameplay("book", "probe", SMALL.spec, out, "--moves", "1 2 3")[0] == 4
    assert "every position of connect4 up to ply 9, solved" in gameplay("book", "show")[1]
    assert "\n3       0 %  loss in 38\n" in gameplay("book", "probe", "connect4", "own", "--moves", "4 4")[1]


def test_a_file_that_is_foreign_or_damaged_is_refused(gameplay: Any, tmp_path: Path) -> None:
    path = build_book(tmp_path)
    data = path.read_bytes()
    assert gameplay("book", "prune", str(path), "--plies", "2", "--out", str(tmp_path / "o.book"))[0] == 2
    path.write_bytes(data[:-1])
    with pytest.raises(BadInput, match="cut off"):
        FirstPlies(str(path), SMALL)
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    known = FirstPlies(str(path), SMALL)
    with pytest.raises(BadInput, match="fails its checksum"):
        known.probe(SMALL.new())
    gameplay("table", "build", "nim", "--folder", str(tmp_path))
    with pytest.raises(BadInput, match="holds endgame tables of nim"):
        open_knowledge("book", str(tmp_path / "nim.table"), registry.game("nim"))
    beside = path.with_name("other.table.solving")
    beside.write_text("connect4 9\n")
    with pytest.raises(BadInput, match="belongs to another book, connect4 9"):
        first_plies.build(SMALL, 2, path.with_name("other.table"), solver(SMALL), ignore_progress)
    with pytest.raises(Usage, match="occur at several plies"):
        first_plies.build(registry.game("nim"), 9, tmp_path / "n.table", solver(SMALL), ignore_progress)
