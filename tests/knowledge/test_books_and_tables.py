"""Opening books and endgame tables: order of probes, moves played, reports and refusals."""

import os
import struct
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import BadInput, GameplayError, Usage
from gameplay.knowledge.kinds import supported_options
from gameplay.knowledge.knowledge import Advice
from gameplay.knowledge.polyglot import Polyglot
from gameplay.knowledge.syzygy import Syzygy
from gameplay.matches.hosted import Hosted
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.players.engine import EnginePlayer
from gameplay.protocols.uci import parse_move
from gameplay.protocols.uci_side import UciSide
from gameplay.registry import open_knowledge
from gameplay.runs import plan
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.specs import parse, parse_list
from gameplay.value import TB_WIN
from tests.support.paths import TESTS

GAME = registry.game("chess")
ENGINE = "alphabeta:eval=material,depth=1"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
BECOMES = "8/4P3/8/8/8/8/k7/7K w - - 0 1"


def chess() -> Any:
    pytest.importorskip("chess.polyglot")
    return pytest.importorskip("chess")


def entry(fen: str, move: int, weight: int) -> bytes:
    """An entry of a Polyglot book, see the docstring of knowledge/polyglot.py."""
    library = chess()
    return struct.pack(">QHHI", library.polyglot.zobrist_hash(library.Board(fen)), move, weight, 0)


def move(start: str, to: str, becomes: int = 0) -> int:
    """A move as in the book: promotion (knight 1 ... queen 4), from, to; a1 is 0, h8 is 63."""
    at, on = (ord(square[0]) - 97 + 8 * (int(square[1]) - 1) for square in (start, to))
    return becomes << 12 | at << 6 | on


def write_book(path: Path, *entries: bytes) -> Path:
    path.write_bytes(b"".join(sorted(entries)))
    return path


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return write_book(
        tmp_path / "small.bin",
        entry(START, move("e2", "e4"), 3),
        entry(START, move("d2", "d4"), 1),
        entry(START, move("a2", "a3"), 0),
        entry(START, move("a2", "a5"), 9),
        entry(CASTLES, move("e1", "h1"), 1),
        entry(BECOMES, move("e7", "e8", 1), 1),
    )


def choose(spec: str, fen: str = "", seed: int = 0) -> tuple[str, Report]:
    player = seats.player(spec, GAME, seed)
    match = Match(GAME, [player, player], fen)
    choice = player.choose(match)
    assert choice is not None and choice.report is not None
    return match.position.uci(choice.move), choice.report


# -- words --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "plain", "asked"),
    [
        ("selective", "selective", {}),
        ("selective:book=a.bin", "selective", {"book": "a.bin"}),
        ("level:5,syzygy=t,book=b", "level:5", {"syzygy": "t", "book": "b"}),
        ("ab:depth=6,book=b,order=killer", "ab:depth=6,order=killer", {"book": "b"}),
        ("my.toml:book=b", "my.toml", {"book": "b"}),
        ("uci:fish,book=b", "uci:fish,book=b", {}),
        ("script:e4 book=b", "script:e4 book=b", {}),
    ],
)
def test_a_spec_and_its_knowledge_part_and_join(spec: str, plain: str, asked: dict[str, str]) -> None:
    parsed = parse(spec)
    assert (str(parsed.with_knowledge({})), parsed.knowledge) == (plain, asked)
    assert parse(plain).with_knowledge(asked) == parse(str(parsed)) == parsed


def test_knowledge_belongs_to_the_player_before_them() -> None:
    specs = parse_list("selective:book=a.bin,syzygy=/t:/u,depth=3,level:4,book=b.bin,human")
    assert specs == ["selective:book=a.bin,syzygy=/t:/u,depth=3", "level:4,book=b.bin", "human"]
    assert [
        seats.with_knowledge(spec, {"book": "c"}) for spec in ("human", "uci:x", "level:4", specs[0])
    ] == [
        *("human", "uci:x", "level:4,book=c"),
        "selective:depth=3,book=a.bin,syzygy=/t:/u",
    ]
    assert seats.searches("selective:book=nowhere") and plan.is_limited("selective:book=b,depth=3")


def test_a_plan_resolves_book_paths_and_its_identity_covers_the_content(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"1")
    entries = [plan.Entrant(player="selective:depth=1,book=a.bin"), plan.Entrant(player="random")]
    resolved_plan = plan.resolve_paths(plan.Plan(game="chess", players=entries), tmp_path)
    assert resolved_plan.players[0].player == f"selective:depth=1,book={tmp_path / 'a.bin'}"
    before = resolved_plan.identity()
    (tmp_path / "a.bin").write_bytes(b"2")
    assert resolved_plan.identity() != before


# -- books --------------------------------------------------------------------------------------------


@pytest.mark.once
def test_a_book_is_played_by_weight_and_seed(book: Path) -> None:
    spec = f"{ENGINE},book={book}"
    counts = Counter(choose(spec, seed=seed)[0] for seed in range(200))
    assert set(counts) == {"e2e4", "d2d4"}, "not what weighs nothing or is illegal"
    assert 120 < counts["e2e4"] < 180, "3 to 1"
    word, report = choose(spec, seed=7)
    assert (word, report) == choose(spec, seed=7)
    assert (report.stopped, report.depth, report.nodes, report.known) == ("book", 0, 0, True)


def test_castling_and_promotion(book: Path) -> None:
    assert choose(f"{ENGINE},book={book}", CASTLES)[0] == "e1g1"
    assert choose(f"{ENGINE},book={book}", BECOMES)[0] == "e7e8n"


def test_outside_the_book_the_engine_searches(book: Path) -> None:
    word, report = choose(f"{ENGINE},book={book}", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1")
    assert word == "d1d8" and not report.known and report.nodes > 1


@pytest.mark.once
def test_a_level_knows_its_book_and_the_record_names_it(book: Path) -> None:
    player = seats.player(f"level:1,book={book}", GAME, 3)
    assert player.spec == f"level:1,book={book}" and seats.player(player.spec, GAME).spec == player.spec
    assert {choose(player.spec, seed=seed)[0] for seed in range(20)} == {"e2e4", "d2d4"}
    limited = seats.player(f"{ENGINE},book={book}", GAME, limit=Limit(nodes=9))
    assert seats.player(limited.spec, GAME).spec == limited.spec


def test_invalid_books_are_refused_in_one_line(tmp_path: Path, book: Path) -> None:
    (tmp_path / "cut.bin").write_bytes(book.read_bytes()[:-1])
    (tmp_path / "empty.bin").write_bytes(b"")
    (tmp_path / "text.bin").write_bytes(b"zzzzzzzzzzzzzzzzaaaaaaaaaaaaaaaa")
    for name, words in (
        ("none.bin", "there is no book"),
        ("", "is a folder, not a book"),
        ("cut.bin", "are not entries of 16"),
        ("empty.bin", "its 0 bytes"),
        ("text.bin", "not in order"),
    ):
        with pytest.raises(BadInput, match=words) as error:
            seats.player(f"{ENGINE},book={tmp_path / name}", GAME)
        assert "\n" not in str(error.value)


def test_book_reports_moves_with_weights(tmp_path: Path) -> None:
    """Entries of the same move add up."""
    twice = write_book(
        tmp_path / "twice.bin",
        entry(START, move("e2", "e4"), 3),
        entry(START, move("e2", "e4"), 4),
        entry(START, move("d2", "d4"), 1),
        entry(CASTLES, move("e1", "a1"), 2),
        entry(BECOMES, move("e7", "e8", 1), 0),
    )
    book = Polyglot(str(twice), GAME)
    position = GAME.new()
    entries = book.probe(position)
    assert (
        entries is not None and entries.source == "book" and (entries.value, entries.exact) == (None, False)
    )
    results = dict(zip(map(position.uci, entries.moves), entries.weights, strict=True))
    assert results == {"e2e4": 7, "d2d4": 1}
    castles = GAME.new(CASTLES)
    entries = book.probe(castles)
    assert entries is not None and (castles.uci(entries.moves[0]), entries.weights) == ("e1c1", (2,))
    assert book.probe(GAME.new(BECOMES)) is None, "entries of weight 0 are omitted"
    position.make(position.parse("e4"))
    assert book.probe(position) is None


def test_order_of_a_large_book_is_sampled(tmp_path: Path) -> None:
    """From at most 4096 of its entries, evenly spaced."""
    chess()

    def is_refused(name: str, *keys: int) -> bool:
        path = tmp_path / f"{name}.bin"
        path.write_bytes(b"".join(struct.pack(">QHHI", key, 0, 1, 0) for key in keys))
        try:
            Polyglot(str(path), GAME)
        except BadInput as error:
            assert str(error) == f"{path} is not a Polyglot book: its entries are not in order"
            return True
        return False

    assert not is_refused("equal", 5, 5, 5)
    assert is_refused("second", 0, 9999, *range(2, 4096))
    assert not is_refused("between", 0, 9999, *range(2, 4097)) and is_refused(
        "third", 0, 1, 9999, *range(3, 4097)
    )


def test_unreadable_book_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chess()
    for number, (error, words) in enumerate(((OSError(5, "not now"), "not now"), (OSError("torn"), "torn"))):

        def fails(path: str, error: OSError = error) -> None:
            raise error

        monkeypatch.setattr("chess.polyglot.open_reader", fails)
        path = tmp_path / f"{number}.bin"
        path.write_bytes(bytes(16))
        with pytest.raises(BadInput) as refused:
            Polyglot(str(path), GAME)
        assert str(refused.value) == f"{path}: {words}"


def test_players_without_book_support_are_refused() -> None:
    for spec, game, words in (
        ("selective:book=x", "othello", "for chess, and this is othello"),
        ("selective:syzygy=x", "connect4", "for chess, and this is connect4"),
        ("selective:book=", "chess", "book must be a file, not ''. Try: book=PATH"),
    ):
        with pytest.raises(Usage, match=words):
            seats.player(spec, registry.game(game))


def test_randomized_engine_refuses_knowledge(book: Path) -> None:
    with pytest.raises(Usage, match="random does not search"):
        seats.player(f"random:book={book}", GAME)


def test_missing_library_error_names_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.bin").write_bytes(bytes(16))
    for name in ("chess", "chess.polyglot", "chess.syzygy"):
        monkeypatch.setitem(sys.modules, name, None)
    for name, path in (("book", tmp_path / "a.bin"), ("syzygy", tmp_path)):
        with pytest.raises(Usage, match=r"pip install 'gameplay\[chess\]'"):
            seats.player(f"{ENGINE},{name}={path}", GAME)


# -- tables -------------------------------------------------------------------------------------------


class Tables:
    """Replaces a folder of tables of up to three pieces.

    A queen wins in twice as many plies as the kings are apart, unless she stands beside the other king; all
    else is drawn.
    """

    def __init__(self, distances: bool = True) -> None:
        self.distances = distances
        self.probes = 0

    def probe_wdl(self, board: Any) -> int:
        self.probes += 1
        library = chess()
        for colour in (True, False):
            for square in board.pieces(library.QUEEN, colour):
                beside = library.square_distance(square, board.king(not colour)) == 1
                return 0 if beside else 2 if board.turn == colour else -2
            if board.pieces(library.ROOK, colour):
                raise KeyError("KRvK")
        return 0

    def probe_dtz(self, board: Any) -> int:
        if not self.distances:
            raise KeyError("KQvK")
        apart = chess().square_distance(board.king(True), board.king(False))
        return int(self.probe_wdl(board) // 2 * (2 * apart))


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tables:
    chess()
    from gameplay.knowledge import syzygy

    tables = Tables()
    monkeypatch.setattr(syzygy, "_open_tables", lambda path: (tables, 3))
    return tables


WON = "8/8/8/4k3/8/8/8/KQ6 w - - {} 60"
LOST = "8/8/8/4k3/8/8/8/KQ6 b - - 0 60"
DRAWN = "8/8/8/4k3/8/8/P7/K7 b - - 0 60"


def test_the_quickest_win_is_played_at_once(tables: Tables) -> None:
    word, report = choose(f"{ENGINE},syzygy=x", WON.format(0))
    assert word == "a1b2", "the step that brings the kings together"
    assert (report.value, report.exact, report.stopped, report.depth) == (TB_WIN, True, "tables", 0)


def test_mate_is_preferred_to_longer_wins(tables: Tables) -> None:
    word, report = choose(f"{ENGINE},syzygy=x", "k7/7Q/1K6/8/8/8/8/8 w - - 0 60")
    assert word in ("h7a7", "h7b7", "h7g8", "h7h8") and report.value == TB_WIN


def test_the_slowest_loss_is_played(tables: Tables) -> None:
    word, report = choose(f"{ENGINE},syzygy=x", LOST)
    assert word in ("e5d6", "e5e6", "e5f6", "e5f4"), "away from the king"
    assert (report.value, report.depth) == (-TB_WIN, 0)


def test_fifty_moves_without_progress_draw_what_is_won(tables: Tables) -> None:
    """Seven plies are needed: twice the distance of three after the king's step, and the step."""
    assert choose(f"{ENGINE},syzygy=x", WON.format(100 - 7))[1].value == TB_WIN
    assert choose(f"{ENGINE},syzygy=x", WON.format(100 - 6))[1].value == 0


def test_without_distances_the_engine_searches_among_the_moves_that_win(tables: Tables) -> None:
    tables.distances = False
    _, report = choose(f"{ENGINE},syzygy=x", WON.format(0))
    assert report.value == TB_WIN and report.known and report.depth == 1 and report.nodes > 1
    player: Any = seats.player(f"{ENGINE},syzygy=x", GAME)
    match = Match(GAME, [player, player], WON.format(0))
    advised = {match.position.uci(move) for move in player.advise(match).moves}
    every = {match.position.uci(move) for move in match.moves()}
    assert every - advised == {"b1e4", "b1f5"}


def test_drawn_position_is_searched_among_drawing_moves(tables: Tables) -> None:
    word, report = choose(f"{ENGINE},syzygy=x", DRAWN)
    assert word[:2] == "e5" and report.value == 0 and report.exact and report.known and report.nodes > 1


def test_results_without_distance_ignore_the_move_counter(tables: Tables) -> None:
    known = Syzygy("x", GAME)
    assert known.max_pieces == 3 and known.in_search
    for fen, result, value in (
        (WON.format(0), 1, TB_WIN), (LOST, -1, -TB_WIN), (DRAWN, 0, 0),
        ("8/8/8/4k3/8/8/P7/KQ6 w - - 0 60", None, None), ("4k3/8/8/8/8/8/8/4K2R w K - 0 60", None, None),
        ("8/8/8/8/4k3/8/8/KR6 w - - 0 60", None, None),
    ):  # fmt: skip
        position = GAME.new(fen)
        assert known.result(position) == result
        outcome = known.probe(position)
        assert outcome == (None if value is None else Advice("tables", value=value, exact=True))
    position = GAME.new(WON.format(1))
    assert known.result(position) == 1 and known.probe(position) is None, "tables of results know no clock"
    assert known.advise(position) is not None


def test_fifty_move_draws_are_reported(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of five results two are wins and losses only without that rule."""
    known = Syzygy("x", GAME)
    for wdl, result, value in ((2, 1, TB_WIN), (1, 1, 0), (0, 0, 0), (-1, -1, 0), (-2, -1, -TB_WIN)):
        monkeypatch.setattr(tables, "probe_wdl", lambda board, wdl=wdl: wdl)
        position = GAME.new(WON.format(0))
        advice = known.probe(position)
        assert advice is not None and advice.value == value and known.result(position) == result


def test_lines_minimize_or_maximize_the_distance_to_zeroing(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Distances of moves are those of the positions after them; a capture or pawn move has one ply."""
    known = Syzygy("x", GAME)
    position = GAME.new("8/8/8/8/8/k7/7P/K7 w - - 0 60")
    words = {position.uci(move): move for move in position.moves()}
    assert set(words) == {"a1b1", "h2h3", "h2h4"}

    def advised_moves(results: dict[str, int], plies: dict[str, int]) -> tuple[list[str], int | None]:
        def after(board: Any) -> str:
            return next(word for word in words if board.board_fen() == placed[word])

        monkeypatch.setattr(tables, "probe_wdl", lambda board: -results[after(board)])
        monkeypatch.setattr(tables, "probe_dtz", lambda board: plies[after(board)])
        advice = known.advise(position)
        assert advice is not None and advice.exact and advice.source == "tables"
        return sorted(position.uci(move) for move in advice.moves), advice.value

    placed = {}
    for word, move in words.items():
        position.make(move)
        placed[word] = position.fen().split()[0]
        position.unmake()
    every = {"a1b1": 2, "h2h3": 2, "h2h4": 2}
    far = {"a1b1": -9, "h2h3": -9, "h2h4": -9}
    assert advised_moves(every, far) == (["h2h3"], TB_WIN), "one ply to progress, the first of two"
    assert advised_moves({**every, "h2h3": 0, "h2h4": 1}, far) == (["a1b1"], TB_WIN)
    assert advised_moves({**every, "a1b1": 1, "h2h3": 0, "h2h4": 0}, far) == (["a1b1"], 0)
    assert advised_moves({"a1b1": 0, "h2h3": 0, "h2h4": -1}, far) == (["a1b1", "h2h3"], 0)
    assert advised_moves({"a1b1": -2, "h2h3": -2, "h2h4": -2}, far) == (["a1b1"], -TB_WIN), "the longest"
    assert advised_moves({"a1b1": -1, "h2h3": -2, "h2h4": -2}, far) == (["a1b1"], 0)
    late = {**far, "a1b1": 99}
    assert advised_moves({**every, "h2h3": 0, "h2h4": 0}, late)[1] == TB_WIN
    assert advised_moves({**every, "h2h3": 0, "h2h4": 0}, {**far, "a1b1": 100})[1] == 0


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/4k3/8/8/P7/KQ6 w - - 0 60",  # four pieces
        "4k3/8/8/8/8/8/8/4K2R w K - 0 60",  # White may castle
        "8/8/8/8/4k3/8/8/KR6 w - - 0 60",  # there is no table
    ],
)
def test_engine_searches_without_a_table_entry(tables: Tables, fen: str) -> None:
    assert not choose(f"{ENGINE},syzygy=x", fen)[1].known


def test_a_folder_without_tables_or_with_broken_ones(tmp_path: Path) -> None:
    chess()
    with pytest.raises(BadInput, match="there is no folder"):
        seats.player(f"{ENGINE},syzygy={tmp_path / 'none'}", GAME)
    with pytest.raises(BadInput, match="holds no Syzygy tables"):
        seats.player(f"{ENGINE},syzygy={tmp_path}", GAME)
    (tmp_path / "KQvK.rtbw").write_bytes(b"\x71\xe8\x23\x5d" + bytes(75))
    with pytest.raises(BadInput, match="is not a Syzygy table, or it is cut off"):
        seats.player(f"{ENGINE},syzygy={tmp_path}{os.pathsep}{tmp_path}", GAME)


def test_only_complete_syzygy_files_are_used(tmp_path: Path) -> None:
    """They have the right header and blocks of 64 bytes plus 16; other files are ignored."""
    chess()
    from gameplay.knowledge import syzygy

    answers = TESTS / "answers"
    tables, most = syzygy._open_tables(str(answers))
    assert most == 3 and sorted(tables.wdl) == ["KRvK", "KvKR"]
    magic = {".rtbw": b"\x71\xe8\x23\x5d", ".rtbz": b"\xd7\x66\x0c\xa5"}
    for suffix, begin in magic.items():
        path = tmp_path / f"KQvK{suffix}"
        for text, whole in (
            (begin + bytes(12), True), (begin + bytes(76), True), (begin + bytes(75), False),
            (begin + bytes(60), False), (bytes(80), False), (begin[:3], False),
        ):  # fmt: skip
            path.write_bytes(text)
            assert syzygy._is_intact(str(path), begin) is whole
        folder = tmp_path / suffix[1:]
        folder.mkdir()
        (folder / f"other{suffix}").mkdir()
        with pytest.raises(BadInput) as refused:
            syzygy._open_tables(str(folder))
        assert str(refused.value) == f"{folder / f'other{suffix}'} is a folder, not a file"


def test_table_read_error_is_reported(tmp_path: Path) -> None:
    chess()
    (tmp_path / "KQvK.rtbw").write_bytes(b"\x71\xe8\x23\x5d" + bytes(76))
    with pytest.raises(GameplayError, match="a table of wdl cannot be read"):
        choose(f"{ENGINE},syzygy={tmp_path}", WON.format(0))


# -- where they are seen ------------------------------------------------------------------------------


def test_uci_options_for_book_and_tables_apply(book: Path, tmp_path: Path) -> None:
    rows: list[str] = []
    player = seats.player(ENGINE, GAME)
    host = Hosted(GAME, player, parse_move)
    opens = {name: partial(open_knowledge, name, game=GAME) for name in supported_options(GAME.new())}
    side = UciSide("gameplay", player, host, rows.append, opens=opens)

    def ask(*lines: str) -> list[str]:
        rows.clear()
        for line in lines:
            if "infinite" in line:
                side.inbox.put("stop")
            side.execute(line)
        return rows[:]

    offered = ask("uci")
    assert "option name BookFile type string default <empty>" in offered
    assert "option name OwnBook type check default true" in offered
    assert "option name TablesPath type string default <empty>" in offered
    by = "info string by the book"
    assert by not in ask("position startpos", "go")
    known = ask(f"setoption name BookFile value {book}", "go")
    assert known[-2] == by and known[-1] in ("bestmove e2e4", "bestmove d2d4")
    assert f"option name BookFile type string default {book}" in ask("uci")
    for line in ("go infinite", "go searchmoves a2a3", "go mate 1 depth 1"):
        assert by not in ask(line), "its own opinion is asked for"
    assert by not in ask("setoption name OwnBook value false", "go")
    assert by in ask("setoption name OwnBook value true", "go")
    assert ask(f"setoption name BookFile value {tmp_path / 'no'}") == [
        f"info string there is no book {tmp_path / 'no'}"
    ]
    assert by not in ask("setoption name BookFile value <empty>", "go")


def test_lines_and_panels_name_the_knowledge_source() -> None:
    from gameplay.display.terminal import search_panel

    match = Match(GAME, [SimpleNamespace(name="a", spec="a")] * 2, WON.format(0))
    move = match.moves()[0]
    for value, by, words in (
        (TB_WIN, "tables", "white wins by the tables"),
        (-TB_WIN, "tables", "black wins by the tables"),
        (0, "tables", "draw by the tables"),
        (0, "book", "by the opening book"),
    ):
        report = Report(move=move, value=value, pv=(move,), source=by, exact=by == "tables")
        assert words in str(search_panel.search_facts(match, report, 0, 60))


@pytest.mark.once
def test_play_accepts_book_and_tables_flags(book: Path, capfd: pytest.CaptureFixture[str]) -> None:
    import gameplay.cli as cli

    def play(*words: str) -> tuple[int, str, str]:
        status = cli.run(cli.router, "gameplay", ["play", "chess", "--plain", *words])
        return status, *capfd.readouterr()

    status, out, _ = play("--players", f"{ENGINE},{ENGINE}", "--book", str(book), "--position", CASTLES)
    assert status == 0 and "white plays O-O, by the book" in out
    status, _, err = play("--players", "human,human", "--book", str(book))
    assert status == 2 and "--book applies to built-in engines" in err and err.count("\n") == 1


def test_pondering_probes_knowledge_first(tables: Tables) -> None:
    player = seats.player(f"{ENGINE},syzygy=x", GAME)
    assert isinstance(player, EnginePlayer)
    ponderer: Any = seats.with_pondering(player)
    match = Match(GAME, [ponderer, ponderer], WON.format(0))
    ponderer.search = SimpleNamespace(expected_moves=(), end=lambda: None)
    choice = ponderer.choose(match)
    assert choice.report.stopped == "tables" and ponderer.search is None
