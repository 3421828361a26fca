"""Knowledge without a search: text books of any game, custom files, and their use by players."""

from collections import Counter
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import BadInput, Fault, Usage
from gameplay.knowledge import kinds, knowledge
from gameplay.knowledge.books import lines
from gameplay.knowledge.books.lines import LineBook
from gameplay.knowledge.knowledge import Advice, Knowledge
from gameplay.knowledge.polyglot import Polyglot
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.players.knowledge import default_knowledge, search_knowledge
from gameplay.protocols.uci import format_score
from gameplay.registry import open_knowledge
from gameplay.runs import plan
from gameplay.specs import parse_list
from gameplay.value import EXACT, LOWER, MAX_EVAL, TB_WIN, WIN, delay, format_value, is_counted, is_win
from tests.support.paths import ROOT, TESTS

STICKS = registry.game(str(TESTS / "examples" / "games" / "sticks.py"))
FOURS = TESTS / "examples" / "knowledge" / "fours.py"
ENGINE = "alphabeta:depth=1"


def text(folder: Path, *rows: str) -> Path:
    file = folder / "book.txt"
    file.write_text("\n".join(rows), encoding="utf-8")
    return file


def choose(spec: str, game: Any, start: str = "", seed: int = 0, moves: tuple[str, ...] = ()) -> Any:
    player: Any = seats.player(spec, game, seed)
    match = Match(game, [player, player], start, moves)
    choice = player.choose(match)
    return match.position.format(choice.move), choice.report


def book_weights(file: Path, game: Any, moves: str = "", start: str = "") -> dict[str, int]:
    """The entries of a text book after some moves: weights by word."""
    position = game.new(start)
    for word in moves.split():
        position.make(position.parse(word))
    advice = LineBook(str(file), game).probe(position)
    if advice is None:
        return {}
    return dict(zip(map(position.format, advice.moves), advice.weights, strict=True))


# -- the scale ------------------------------------------------------------------------------------------


def test_win_without_distance_ranks_between_counted_wins_and_estimates() -> None:
    assert WIN - 255 > TB_WIN > TB_WIN - 255 > MAX_EVAL
    assert is_win(TB_WIN) and is_win(-TB_WIN) and is_win(TB_WIN - 255) and not is_win(MAX_EVAL)
    assert is_counted(WIN - 255) and is_counted(255 - WIN) and not is_counted(TB_WIN)
    assert delay(WIN - 1, 2) == WIN - 3 and delay(-TB_WIN) == 1 - TB_WIN and delay(MAX_EVAL) == MAX_EVAL
    assert (format_value(TB_WIN), format_value(-TB_WIN), format_value(WIN - 2)) == ("win", "loss", "win in 2")
    assert (format_score(TB_WIN - 9), format_score(-TB_WIN), format_score(WIN - 1)) == (
        "cp 20000",
        "cp -20000",
        "mate 1",
    )


# -- books of lines ---------------------------------------------------------------------------------------


def test_equal_rows_add_up_for_both_sides(tmp_path: Path) -> None:
    book = text(tmp_path, "# mine", "", "4 4 3 weight 5", "4 3   # one", "moves 4 4 5 weight 2", "1")
    game = registry.game("connect4")
    assert book_weights(book, game) == {"4": 8, "1": 1}
    assert list(book_weights(book, game)) == ["4", "1"] and list(book_weights(book, game, "4 4")) == [
        "3",
        "5",
    ], "heaviest first"
    assert book_weights(book, game, "4") == {"4": 7, "3": 1}
    assert book_weights(book, game, "4 4") == {"3": 5, "5": 2}
    assert book_weights(book, game, "4 4 3") == {} == book_weights(book, game, "7")


@pytest.mark.parametrize(
    ("name", "line", "other", "answer"),
    [
        ("chess", "d4 Nf6 c4 e6 Nc3", "c4 e6 d4 Nf6", "Nc3"),
        ("chess", "Nf3 Nf6 Nc3 Nc6 e4", "Nc3 Nc6 Nf3 Nf6", "e4"),
        ("othello", "f5 d6 c3 d3 c4 f4", "f5 d6 c4 d3 c3", "f4"),
        ("connect4", "1 2 3 4 5", "3 4 1 2", "5"),
        ("checkers", "9-13 24-20 10-14 28-24", "10-14 24-20 9-13", "28-24"),
    ],
)
def test_transposing_lines_share_positions(
    tmp_path: Path, name: str, line: str, other: str, answer: str
) -> None:
    book = text(tmp_path, line)
    assert book_weights(book, registry.game(name), other) == {answer: 1}


def test_a_row_may_begin_at_a_position_of_its_own(tmp_path: Path) -> None:
    fen = "8/8/8/4k3/8/8/8/KQ6 w - - 0 1"
    book = text(tmp_path, f"{fen} moves Kb2 weight 7", "e4")
    chess = registry.game("chess")
    assert book_weights(book, chess, start=fen) == {"Kb2": 7} and book_weights(book, chess) == {"e4": 1}


def test_no_book_move_is_recommended_at_chance_nodes(tmp_path: Path) -> None:
    pig = registry.game(str(TESTS / "examples" / "games" / "pig.py"))
    book = text(tmp_path, "roll 3 roll 5 hold")
    rolled = pig.new()
    for move in (0, 3, 0, 5):
        advice = LineBook(str(book), pig).probe(rolled)
        assert (advice is None) == (rolled.turn < 0)
        rolled.make(move)
    advice = LineBook(str(book), pig).probe(rolled)
    assert advice is not None and advice.moves == (1,)


def test_book_facts_do_not_depend_on_hidden_cards(tmp_path: Path) -> None:
    kuhn = registry.game(str(TESTS / "examples" / "games" / "kuhn.py"))
    first = kuhn.new().format(0)  # JQ: the first player has the jack
    book = text(tmp_path, f"{first} {_word(kuhn, 0, 1)}")
    log = []
    for deal in range(6):
        position = kuhn.new()
        position.make(deal)
        log.append(LineBook(str(book), kuhn).probe(position) is not None)
    assert log == [True, True, False, False, False, False], "the jack, whoever has what else"


def _word(game: Any, deal: int, move: int) -> str:
    position = game.new()
    position.make(deal)
    return str(position.format(move))


def test_book_moves_are_sampled_by_weight_and_seed(tmp_path: Path) -> None:
    book = text(tmp_path, "f5 weight 3", "d3")
    othello = registry.game("othello")
    counts = Counter(choose(f"{ENGINE},book={book}", othello, seed=seed)[0] for seed in range(200))
    assert set(counts) == {"f5", "d3"} and 120 < counts["f5"] < 180
    word, report = choose(f"{ENGINE},book={book}", othello, seed=3)
    assert word == choose(f"level:1,book={book}", othello, seed=3)[0]
    assert (report.stopped, report.nodes, report.known) == ("book", 0, True)


def test_the_openings_of_the_house_are_books() -> None:
    files = sorted((ROOT / "configs" / "openings").glob("*.txt"))
    assert files
    for file in files:
        name = file.stem.partition("-")[0]
        assert book_weights(file, registry.game(name)), file


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["4", "4 9"], "book.txt, line 2: move 2: '9' is not a legal move"),
        (["4 weight x"], "line 1: a weight must be a whole number from 0 to 4294967295, not 'x'"),
        (["4 weight 99999999999999"], "not '99999999999999'"),
        (["moves"], "line 1: no moves follow the word moves"),
        (["zz moves 4"], "line 1: "),
        (["4 3 4 3 4 3 4 3"], "move 8, '3': the game is over before it"),
        (["# nothing"], "holds no moves"),
    ],
)
def test_a_row_that_is_wrong_is_named(tmp_path: Path, rows: list[str], words: str) -> None:
    book = text(tmp_path, *rows)
    with pytest.raises(BadInput, match=words) as error:
        LineBook(str(book), registry.game("connect4"))
    assert "\n" not in str(error.value)


def test_binary_book_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "folder.txt").mkdir()
    for name, message in (
        ("none.txt", "there is no book"),
        ("binary.txt", "is not text"),
        ("folder.txt", "is a folder, not a book"),
    ):
        with pytest.raises(BadInput, match=message):
            seats.player(f"{ENGINE},book={tmp_path / name}", registry.game("othello"))


def test_book_for_another_game_suggests_the_right_suffix() -> None:
    with pytest.raises(Usage, match=r"for chess, and this is othello; .* book=FILE.txt"):
        seats.player(f"{ENGINE},book=a.bin", registry.game("othello"))


def test_book_kind_follows_from_the_suffix() -> None:
    assert kinds.class_for("book", "a.bin") is Polyglot and kinds.class_for("book", "a.txt") is LineBook


def test_knowledge_kinds_register_by_their_folder() -> None:
    results = {cls.__module__.removeprefix("gameplay.knowledge.") for cls in kinds.knowledge_classes()}
    assert results == {
        *("bearoff", "books.book", "books.first_plies", "books.lines", "polyglot", "syzygy", "tables.tables"),
    }
    assert kinds.options() == ("bearoff", "book", "knowledge", "syzygy", "tables")
    assert kinds.supported_options(registry.game("othello").new()) == ["book"]
    assert kinds.supported_options(registry.game("chess").new()) == ["book", "syzygy", "tables"]


@pytest.mark.once
def test_only_syzygy_tables_and_bearing_off_lie_in_folders() -> None:
    assert [kinds.takes_file(option) for option in kinds.options()] == [False, True, True, False, False]


@pytest.mark.once
def test_exact_counted_advice_is_settled() -> None:
    def is_settled(value: int | None, **facts: Any) -> bool:
        return Advice("tables", value=value, **{"exact": True, **facts}).settled

    assert is_settled(0) and is_settled(MAX_EVAL) and is_settled(WIN - 5) and is_settled(5 - WIN)
    assert not is_settled(None) and not is_settled(TB_WIN) and not is_settled(-TB_WIN)
    assert not is_settled(0, exact=False) and not is_settled(0, bound=LOWER)


@pytest.mark.once
def test_a_row_is_read_in_parts() -> None:
    """Parts as described in the module's docstring, including the largest possible."""
    assert lines.parse_row("e4 e5 Bb5 weight 3") == lines.LineRow("", (), ("e4", "e5", "Bb5"), 3)
    assert lines.parse_row("8/8/8/4k3/8/8/8/KQ6 w - - 0 1 moves Kb2") == lines.LineRow(
        "8/8/8/4k3/8/8/8/KQ6 w - - 0 1", (), ("Kb2",), 1
    )
    assert lines.parse_row("e4 e5 then Nc3 weight 2 games 9 won 4 value -12 solved") == lines.LineRow(
        "", ("e4", "e5"), ("Nc3",), 2, {"games": 9, "won": 4, "value": -12, "solved": 1}
    )
    assert (
        lines.parse_row("e4 weight 4294967295").weight == 2**32 - 1
        and lines.parse_row("e4 weight 0").weight == 0
    )
    for weight in ("4294967296", "-1", ""):
        with pytest.raises(BadInput, match=f"from 0 to 4294967295, not '{weight}'"):
            lines.parse_row(f"e4 weight {weight}")
    for row, word in (("e4 then", "then"), ("start moves", "moves")):
        with pytest.raises(BadInput, match=f"no moves follow the word {word}$"):
            lines.parse_row(row)


# -- a file of one's own -----------------------------------------------------------------------------------


def test_a_solver_in_one_file_plays_without_a_mistake() -> None:
    for sticks in range(2, 24):
        game = registry.game(f"{TESTS / 'examples' / 'games' / 'sticks.py'}:sticks={sticks}")
        word, report = choose(f"{ENGINE},knowledge={FOURS}", game)
        if sticks % 4 == 1:
            assert (report.value, report.exact, report.stopped) == (-TB_WIN, True, "solver")
        else:
            assert (sticks - int(word)) % 4 == 1
            assert report.value in (TB_WIN, WIN - 1) and report.exact and report.known


def test_the_moves_that_keep_a_value() -> None:
    class Some(Knowledge):
        """Knows only the values of some numbers of sticks."""

        def __init__(self, **values: int) -> None:
            super().__init__()
            self.values = {int(name[1:]): value for name, value in values.items()}
            self.bound = EXACT

        def probe(self, position: Any) -> Advice | None:
            value = self.values.get(position.sticks)
            return None if value is None else Advice("tables", value=value, bound=self.bound, exact=True)

    def moves(sticks: int, **values: int) -> tuple[int, ...] | None:
        position = STICKS.new()
        position.sticks = sticks
        advice = Some(**values).advise(position)
        assert position.sticks == sticks
        return advice and advice.moves

    assert moves(20) is None
    assert moves(7, _7=TB_WIN, _6=TB_WIN, _5=-TB_WIN) == (2,), "the one that wins"
    assert moves(7, _7=TB_WIN, _6=TB_WIN, _4=TB_WIN) == (2,), "it can be no other one"
    assert moves(7, _7=TB_WIN, _6=TB_WIN) == (2, 3)
    assert moves(7, _7=WIN - 5, _6=6 - WIN, _5=4 - WIN, _4=TB_WIN) == (2,), "the quickest"
    assert moves(5, _5=-TB_WIN, _4=WIN - 3, _3=WIN - 7, _2=TB_WIN) == (3,), (
        "nobody has counted how long it lasts"
    )
    assert moves(5, _5=6 - WIN, _4=WIN - 3, _3=WIN - 5, _2=WIN - 1) == (2,), "the slowest"
    assert moves(2, _2=TB_WIN) == (1,), "the end of the game is known to all"
    bounded = Some(_7=0, _6=0, _5=0)
    bounded.bound = LOWER
    position = STICKS.new()
    position.sticks = 7
    advice = bounded.advise(position)
    assert advice is not None and advice.moves == (1, 2, 3) and advice.bound == LOWER


def test_estimated_knowledge_is_passed_on_without_moves() -> None:
    class Guesses(Knowledge):
        def probe(self, position: Any) -> Advice:
            return Advice("book", value=7)

    advice = Guesses().advise(STICKS.new())
    assert advice == Advice("book", value=7)


def test_points_at_the_end_count_by_their_unit() -> None:
    class Points(STICKS.cls):
        """Sticks for three points."""

        scored, unit = True, 100

        def outcome(self) -> Any:
            ended = super().outcome()
            return ended and tuple(3 * payoff for payoff in ended)

    class Cheaper(Knowledge):
        """Leaving one stick costs less than taking both, by this amount."""

        def probe(self, position: Any) -> Advice | None:
            return Advice("tables", value=-250 if position.sticks == 2 else 250, exact=True)

    position = Points(2)
    advice = Cheaper().advise(position)
    assert advice is not None and advice.moves == (1,) and advice.value == -250
    position.unit = 50
    advice = Cheaper().advise(position)
    assert advice is not None and advice.moves == (2,), "a hundred and fifty"


def test_wrong_custom_knowledge_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "none.py").write_text("x = 1\n")
    (tmp_path / "two.py").write_text(FOURS.read_text() + "\n\nclass More(Fours):\n    pass\n")
    (tmp_path / "breaks.py").write_text("1 / 0\n")
    (tmp_path / "made.py").write_text(FOURS.read_text() + "\n    def __init__(self, *_):\n        1 / 0\n")
    for path, error, message in (
        ("", Usage, "knowledge must be a file, not ''. Try: knowledge=PATH"),
        ("fours.txt", Usage, "knowledge=FILE.py"),
        (tmp_path / "gone.py", BadInput, "there is no file"),
        (tmp_path / "none.py", BadInput, "found none"),
        (tmp_path / "two.py", BadInput, "found Fours, More"),
        (tmp_path / "breaks.py", Fault, "when imported, raised ZeroDivisionError"),
        (tmp_path / "made.py", Fault, "the constructor raised ZeroDivisionError"),
    ):
        with pytest.raises(error, match=message) as caught:
            seats.player(f"{ENGINE},knowledge={path}", STICKS)
        assert "\n" not in str(caught.value)


def test_a_file_in_the_home_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "mine.py").write_text(FOURS.read_text())
    word, _ = choose(f"{ENGINE},knowledge=~/mine.py", STICKS)
    assert word == choose(f"{ENGINE},knowledge={FOURS}", STICKS)[0]


def test_failing_knowledge_is_a_fault_of_the_player(tmp_path: Path) -> None:
    (tmp_path / "fails.py").write_text(FOURS.read_text().replace("position.sticks", "position.stones"))
    player = seats.player(f"{ENGINE},knowledge={tmp_path / 'fails.py'}", STICKS)
    with pytest.raises(Fault, match="raised AttributeError"):
        Match(STICKS, [player, player]).play()


def test_a_plan_resolves_the_knowledge_file_and_its_identity_covers_the_content(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FOURS.read_text())
    entries = [plan.Entrant(player=f"{ENGINE},knowledge=mine.py"), plan.Entrant(player="random")]
    resolved_plan = plan.resolve_paths(plan.Plan(game=STICKS.spec, players=entries), tmp_path)
    assert resolved_plan.players[0].player == f"{ENGINE},knowledge={file}"
    before = resolved_plan.identity()
    file.write_text(FOURS.read_text() + "\n")
    assert resolved_plan.identity() != before


def test_book_option_belongs_to_the_preceding_player() -> None:
    both = f"{ENGINE},knowledge={FOURS},book=C:/b.txt,random"
    assert parse_list(both) == [f"{ENGINE},knowledge={FOURS},book=C:/b.txt", "random"]
    with pytest.raises(Usage, match="random does not search"):
        seats.player(f"random:knowledge={FOURS}", STICKS)


def test_player_with_knowledge_beats_one_without() -> None:
    rng = Random(5)
    for _ in range(10):
        sticks = 4 * rng.randint(3, 9) + rng.randint(2, 4)
        game = registry.game(f"{TESTS / 'examples' / 'games' / 'sticks.py'}:sticks={sticks}")
        solver = seats.player(f"{ENGINE},knowledge={FOURS}", game)
        match = Match(game, [solver, seats.player("random", game, rng.getrandbits(30))])
        match.play()
        assert match.payoffs == (1, -1)


def test_terminal_value_is_a_win_a_loss_a_draw_or_points() -> None:
    plain, counted = SimpleNamespace(scored=False), SimpleNamespace(scored=True, unit=10.0)
    assert [knowledge.terminal_value(payoff, plain) for payoff in (2.0, 0.5, 0, -1.0)] == [
        WIN - 1,
        WIN - 1,
        0,
        1 - WIN,
    ]
    assert [knowledge.terminal_value(payoff, counted) for payoff in (2.0, 0, -0.5)] == [20, 0, -5]


def test_built_in_and_file_based_knowledge(tmp_path: Path) -> None:
    """`none` and `own` are words of a book only; unsupported requests are refused."""
    usual, wide = registry.game("connect4"), registry.game("connect4:columns=8")
    assert [type(open_knowledge("book", word, usual)).__name__ for word in ("none", "own")] == [
        "NoBook",
        "FirstPlies",
    ]
    assert open_knowledge("book", "own", usual).path == "own"
    chess = registry.game("chess")
    for path, game, words in (
        ("none", chess, "there is no folder .*/none of Syzygy tables"),
        ("own", chess, "there is no folder .*/own of Syzygy tables"),
        ("", chess, "^syzygy must be a folder, not ''. Try: syzygy=PATH$"),
        ("a,b", chess, "^syzygy must be a folder without a comma in its path, not 'a,b'$"),
        ("none", usual, "endgame tables of this format are for chess"),
    ):
        with pytest.raises((BadInput, Usage), match=words):
            open_knowledge("syzygy", path, game)
    perfect, plain = (registry.engine(name)[0] for name in ("perfect", "iterative"))
    assert default_knowledge(perfect, usual) == {"book": "own"}
    assert (
        default_knowledge(perfect, wide)
        == default_knowledge(perfect, registry.game("nim"))
        == default_knowledge(plain, usual)
        == {}
    )
    assert [source.path for source in search_knowledge(perfect, {}, usual)] == ["own"]
    assert [source.path for source in search_knowledge(plain, {"book": "none"}, usual)] == ["none"]
    lines = tmp_path / "book.txt"
    lines.write_text("4 4\n")
    with pytest.raises(Usage, match=f"^book={lines} is probed only before a search"):
        search_knowledge(plain, {"book": str(lines)}, usual)


@pytest.mark.once
def test_default_declarations_of_a_knowledge_source() -> None:
    class Nothing(Knowledge):
        pass

    knowledge = Nothing("/a")
    assert (knowledge.path, knowledge.option, knowledge.suffixes, knowledge.path_kind) == (
        "/a",
        "",
        (),
        "file",
    )
    assert (knowledge.complete, knowledge.in_search, knowledge.max_pieces) == (False, False, 0)
    with pytest.raises(NotImplementedError) as error:
        knowledge.probe(None)
    assert str(error.value) == "Nothing has no probe(position)"
