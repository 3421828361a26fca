"""The texts beside and below a board, fact by fact, of searches and games of every kind."""

import re
from dataclasses import replace
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs

from gameplay import registry
from gameplay.display.reports import analysis, solving
from gameplay.display.terminal import panel, search_panel
from gameplay.display.terminal.live_picture import LivePicture
from gameplay.display.theme import Theme
from gameplay.errors import EngineFault, Usage
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.search.report import Candidate, Report
from gameplay.suites.solving import MoveSolved
from gameplay.value import WIN
from tests.support.facts.text import check_width
from tests.support.golden import golden
from tests.support.streams import FlushCounter
from tests.support.themes import ASCII, PLAIN

pytestmark = pytest.mark.once


def match_of(game: str, moves: str = "", start: str = "", seats: tuple[str, ...] = ()) -> Match:
    game_class = registry.game(game)
    count = game_class.new().players
    specs = seats or ("human", "alphabeta:depth=4", "random", "mcts")[:count]
    return Match(game_class, [EmptySeat(spec) for spec in specs], start, moves.split())


def parse_moves(match: Match, *words: str) -> tuple[int, ...]:
    """The moves of these words, made in order."""
    position, rows = match.replica(), []
    for word in words:
        rows.append(position.parse(word))
        position.make(rows[-1])
    return tuple(rows)


def connect4() -> Match:
    return match_of("connect4", "4 4")


def pair(seats: str, *moves: str) -> Match:
    return match_of("connect4", " ".join(moves), seats=tuple(seats.split()))


def lines_of(match: Match, *values: float, bound: str = "exact", **more: Any) -> tuple[Candidate, ...]:
    moves = list(match.moves())
    return tuple(
        Candidate(move, value, bound, pv=(move, *more.get("pv", ())), visits=300 // (n + 1) ** 2)
        for n, (move, value) in enumerate(zip(moves, values, strict=False))
    )


SEARCHED = Report(
    value=5, depth=8, seldepth=11, nodes=1_234_567, seconds=0.5, probes=200, hits=50, fill=0.125,
    cutoffs=1000, first_cutoffs=910, branching=2.5, pv=(2, 3, 2),
)  # fmt: skip


def reports() -> list[tuple[str, Match, Report]]:
    """Searches of every kind, each with its match."""
    four, ttt, maxn = connect4(), match_of("tictactoe", "b2"), match_of("tictactoe:players=3", "a1")
    puzzle = match_of("puzzle15:rows=2,columns=3,seed=5")
    chess, deal = match_of("chess", "e4 e5"), match_of("kuhn", "K J", seats=("human", "pimc"))
    best = parse_moves(
        chess, "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5", "Bb3", "O-O"
    )
    bare = Report(nodes=999, seconds=0.04, depth=3)
    means = lines_of(four, 0.31, -0.12, 0.05, bound="expectation")
    return [
        ("alpha-beta", four, SEARCHED),
        ("not deeper than its depth", four, SEARCHED.with_(seldepth=8, probes=0, cutoffs=0, branching=0)),
        ("no depth yet", four, Report(ahead=6, tried=2, choices=7, nodes=12, seconds=2.0)),
        ("no depth at all", four, Report(ahead=6, tried=2, choices=7, nodes=12, seconds=2, final=True)),
        ("no depth, and deep", four, Report(seldepth=5, nodes=12, seconds=2.0)),
        ("two lines", four, bare.with_(candidates=lines_of(four, 4, 3))),
        ("a win", four, bare.with_(value=WIN - 9, pv=parse_moves(four, "1", "2"))),
        ("a loss at least", four, bare.with_(value=10 - WIN, bound="upper")),
        ("at least", four, bare.with_(value=25, bound="lower")),
        ("billions", four, bare.with_(nodes=12_340_000_000, seconds=60.0)),
        ("exact", four, bare.with_(value=0, exact=True)),
        ("a long line", chess, bare.with_(value=31, pv=best)),
        ("lines", chess, bare.with_(value=31, candidates=lines_of(chess, 31, 20, -15), pv=best[:1])),
        ("a line that wins", four, bare.with_(candidates=lines_of(four, WIN - 3, 4, -WIN + 8))),
        ("simulations", four, Report(
            value=0.31, bound="expectation", error=0.034, visits=1360, visited=means, seldepth=9, nodes=5000,
            seconds=1.25, trims=2, candidates=means[:1], pv=(means[0].move,),
        )),
        ("simulations without a tree", ttt, Report(value=-0.2, bound="expectation", visits=40, nodes=90)),
        ("one move tried", ttt, Report(value=0.5, bound="expectation", visits=4, visited=means[:1], nodes=9)),
        ("deals", deal, Report(value=0.4, bound="expectation", deals=12, visits=400, nodes=800, seconds=0.1)),
        ("all deals", deal, Report(value=1, bound="expectation", deals=2, visits=2, every_deal=True)),
        ("three players", maxn, bare.with_(values=(1.0, -0.5, -0.5))),
        ("three players without values", maxn, bare.with_(value=2)),
        ("thresholds", puzzle, Report(
            value=-21, thresholds=tuple(range(9, 22, 2)), nodes=4321, seconds=0.5, expanded=1700, reopened=12,
            memory=34_560_000, exact=True, final=True,
        )),
        ("more thresholds than fit", puzzle, Report(
            value=-90, bound="upper", thresholds=tuple(range(10, 91, 2)), nodes=21, seconds=0.5, expanded=17
        )),
        ("a proof", four, Report(
            bound="unknown", claimant=1, proof=12, disproof=4000, seldepth=17, nodes=500, seconds=0.2
        )),
        ("a proof that none would do", four, Report(
            value=WIN - 5, claimant=0, proof=0, disproof=None, nodes=500, seconds=0.2, seldepth=5, exact=True
        )),
        ("a book", chess, Report(
            source="book", stopped="book", facts="white 55 %, 1,234 games", pv=best[:1], move=best[0]
        )),
        ("tables", four, Report(source="tables", stopped="tables", value=WIN - 13, exact=True)),
        ("a solver without the length", four, Report(source="solver", value=3, exact=True, nodes=7, depth=4)),
        ("rules of play", four, Report(source="rules", facts="take the middle", pv=(3,))),
        ("a fact of its own", four, bare.with_(facts="network: 3 nets")),
        ("no value", four, Report(bound="unknown", nodes=700, seconds=0.7, pv=(3,), final=True)),
        ("no value yet", four, Report(bound="unknown", depth=2, ahead=3, nodes=70, seconds=0.1, pv=(3,))),
        ("Star cuts", match_of("pig"), bare.with_(bound="expectation", star1_cuts=1200, star2_cuts=30)),
        ("Star1 alone", match_of("pig"), bare.with_(bound="expectation", star1_cuts=1200)),
    ]  # fmt: skip


def test_panel_shows_the_facts_of_every_kind_of_search() -> None:
    """In a wide column, in narrow ones, on a line of their own, and in an analysis."""
    log = []
    for name, match, report in reports():
        at = len(match.turns)
        for width in (78, 30, 18):
            log += [f"-- {name}, {width} columns", search_panel.search_facts(match, report, at, width).plain]
            check_width(log[-1].splitlines(), width)
        log += [f"thought    {search_panel.last_search_line(match, report, at, max(match.turn, 0), 78)}"]
        for rows, width in ((0, 78), (5, 34)):
            log += [
                f"analysed in {rows} rows of {width}",
                search_panel.analysis_lines(match, report, at, width, rows).plain,
            ]
    golden("panel_searches", "\n".join(log) + "\n")


def test_panel_values_are_from_the_side_of_the_only_human() -> None:
    """If a human moves second, all values are from their view, also the candidates'."""
    lines, values = [], {}
    for seats in ("human human", "human random", "random human", "random random"):
        for moves in ((), ("4",)):
            match = pair(seats, *moves)
            report = Report(value=9, depth=3, nodes=50, candidates=lines_of(match, 9, -3), bound="lower")
            lines += [f"-- {seats}, {match.side(match.turn)} to move"]
            lines += [search_panel.search_facts(match, report, len(moves), 60).plain]
            signs = re.findall(r"^(?:value|line \d).* ([-+]\d+)\b", lines[-1], re.MULTILINE)
            values[seats, moves] = [int(sign) for sign in signs]
            lines += [search_panel.analysis_heading(match, report, "depth 3", 60).plain]
            lines += [panel.evaluation_bar(match, PLAIN, report, match.turn, 40).plain]
    for moves in ((), ("4",)):
        first, second = values["human random", moves], values["random human", moves]
        assert len(first) > 1 and first == [-line for line in second], "the same, from the other side"
        assert values["human human", moves] == values["random random", moves] == first
    golden("panel_views", "\n".join(lines) + "\n")


def test_panel_shows_why_an_analysis_ended() -> None:
    match = connect4()
    log = []
    for stopped in ("proven", "solved", "only move", "time"):
        report = SEARCHED.with_(stopped=stopped, final=True)
        log.append(search_panel.analysis_lines(match, report, 2, 78).plain.splitlines()[0])
    assert log == [
        f"depth 8/11, 1.23 M nodes, 2.47 M/s, {words}"
        for words in ("seen to its end", "solved", "only move", "done")
    ]
    heads = [
        search_panel.analysis_lines(match, SEARCHED, 2, width).plain.splitlines()[0]
        for width in (44, 43, 37, 36, 27)
    ]
    assert heads == [
        "depth 8/11, 1.23 M nodes, 2.47 M/s, 0.5 s",
        "depth 8/11, 1.23 M nodes, 2.47 M/s, 0.5 s",
        "depth 8/11, 1.23 M nodes, 0.5 s",
        "depth 8/11, 1.23 M nodes, 0.5 s",
        "depth 8/11, 1.23 M nodes",
    ]


def test_analysis_heading_fits_the_width() -> None:
    match = connect4()
    headings = [
        search_panel.analysis_heading(match, None, "depth 3", width).plain
        for width in (80, 41, 40, 38, 37, 12)
    ]
    assert headings == [
        "depth 3: blue to move, values for blue",
        "depth 3: blue to move, values for blue",
        "depth 3: blue to move, values for blue",
        "depth 3: blue to move, values for blue",
        "depth 3: blue moves, values for blue",
        "depth 3, values for blue",
    ]
    over = match_of("tictactoe", "a1 a2 b1 b2 c1")
    assert search_panel.analysis_heading(over, None, "done", 80).plain == "done: x wins"
    assert search_panel.analysis_heading(over, None, "done", 9).plain == "done: x w"
    assert (
        search_panel.analysis_heading(match_of("pig", "roll"), None, "done", 80).plain == "done: chance moves"
    )
    three = match_of("tictactoe:players=3")
    report = Report(candidates=(Candidate(0, values=(1, 0, -1)),))
    assert (
        search_panel.analysis_heading(three, report, "d", 80).plain
        == f"d: x to move, values for {'/'.join(sides(three))}"
    )
    assert search_panel.analysis_heading(three, None, "d", 80).plain == "d: x to move, values for x"
    puzzle = match_of("puzzle15:rows=2,columns=3,seed=5")
    assert search_panel.analysis_heading(puzzle, None, "d", 80).plain == f"d: {puzzle.side(0)} to move"


def sides(match: Match) -> list[str]:
    return [match.side(seat) for seat in range(len(match.players))]


def test_counts_change_their_unit_at_a_million_and_a_milliard() -> None:
    assert list(
        map(panel.format_count, (0, 950, 12_345, 999_999, 1e6, 2_310_000, 999_000_000, 1e9, 5.678e10))
    ) == [
        *("0", "950", "12,345", "999,999", "1.00 M", "2.31 M", "999.00 M", "1.00 G", "56.78 G"),
    ]


def test_one_node_is_singular() -> None:
    counts = (0, 1, 2, 2_310_000)
    assert [panel.count_of(count, "node") for count in counts] == [
        *("0 nodes", "1 node", "2 nodes", "2.31 M nodes")
    ]


def test_shares_are_those_of_the_first_player() -> None:
    four, pig = connect4(), match_of("pig")
    assert [panel.win_share(four, Report(value=value), mover) for value, mover in (
        (0, 0), (0, 1), (WIN - 3, 0), (WIN - 3, 1), (4 - WIN, 0), (4 - WIN, 1),
    )] == [0.5, 0.5, 1, 0, 0, 1]  # fmt: skip
    assert panel.win_share(four, Report(value=10), 0) == pytest.approx(
        1 - panel.win_share(four, Report(value=10), 1)
    )
    half = Report(value=four.position.unit / 2, bound="expectation")
    assert (panel.win_share(four, half, 0), panel.win_share(four, half, 1)) == (0.75, 0.25)
    assert panel.win_share(pig, Report(value=pig.position.unit / 5, bound="expectation"), 0) == pytest.approx(
        0.6
    )
    assert panel.evaluation_bar(four, ASCII, Report(value=0), 0, 30).plain == "X #############............. O"
    assert panel.evaluation_bar(four, ASCII, Report(value=0), 0, 3).plain == "X ##.. O"


# -- who plays, and what was played ------------------------------------------------------------


def test_panel_shows_players_with_pieces_clocks_and_captures() -> None:
    log = []
    games: tuple[tuple[str, str, str], ...] = (
        ("tictactoe", "b2", ""),
        ("connect4", "4 4 3", ""),
        ("chess", "e4 d5 exd5 Qxd5 Nc3 Qxg2 Bxg2", ""),
        ("go:size=5", "C3 C4", ""),
        ("pig", "roll", ""),
        ("backgammon", "53", ""),
        ("monopoly", "1-2", ""),
        ("othello", "f5", ""),
        ("tictactoe:players=3", "a1", ""),
    )
    for game, moves, start in games:
        match = match_of(game, moves, start)
        for theme, reading, width in ((PLAIN, 0, 60), (ASCII, None, 20)):
            log += [f"-- {game}, {width} columns", panel.players_text(match, theme, reading, width).plain]
            check_width(log[-1].splitlines(), max(width, 31))  # no name is cut
            assert theme.unicode or log[-1].isascii()
            assert len(log[-1].splitlines()) >= match.position.players
        log += [f"moves      {line}" for line in panel.move_list(match, 30, 4).plain.splitlines()]
        log += [f"title      {panel.title(match)}", f"opening    {panel.opening_name(match)}"]
    golden("panel_players", "\n".join(log) + "\n")


def test_panel_shows_a_stopped_clock_at_the_mover() -> None:
    match = connect4()
    assert panel.format_clock(match, 0) == ""
    clock: Any = SimpleNamespace(paused=False, face=lambda player: ("1:00", "0:59")[player])
    match.clock = clock
    assert [panel.format_clock(match, seat) for seat in (0, 1)] == ["1:00", "0:59"]
    clock.paused = True
    assert [panel.format_clock(match, seat) for seat in (0, 1)] == ["1:00 paused", "0:59"]
    assert panel.players_text(match, ASCII).plain == (
        ">  X  blue human  1:00 paused\n   O  orange alphabeta:depth=4  0:59"
    )


def dealt(*words: str, hidden: bool = True) -> Any:
    """A match with these moves: chance moves in parentheses, others behind the seat, as in `0a`."""
    turns = [
        SimpleNamespace(
            player=-1 if word.startswith("(") else int(word[0]), word=word.strip("()").lstrip("01"), news=()
        )
        for word in words
    ]
    return SimpleNamespace(
        turns=turns, position=SimpleNamespace(chance=True, hidden=hidden), side=lambda player: "xo"[player]
    )


def test_consecutive_hidden_deals_are_counted() -> None:
    def move_text(match: Any) -> str:
        return panel.move_list(match, 80, 9).plain

    deals = [f"({letter})" for letter in "abcdefghi"]
    assert move_text(dealt(*deals, "0p", "0q", "1r", "(s)", "1t")) == "(9 deals)  x p q  o r  (s)  [t]"
    assert move_text(dealt(*deals[:8], "0p")) == "(a b c d e f g h)  x [p]"
    assert move_text(dealt(*deals, "0p", hidden=False)).startswith("(a b c d e f g h i)  x")
    assert move_text(dealt("(Qs)", "(5c)", "(?)", "(?)", "0p")) == "(Qs 5c)  x [p]", (
        "others' cards are left out"
    )
    assert move_text(dealt("(?)", "(?)")) == ""
    assert move_text(dealt(*deals)) == "(9 deals)"


def test_panel_shows_as_many_recent_moves_as_fit() -> None:
    turns = [SimpleNamespace(news=news) for news in (("a b c", "d"), (), ("e f",), ("g h i j",))]
    match: Any = SimpleNamespace(turns=turns)
    assert panel.event_lines(match, 5, 9) == ["a b c", "d", "e f", "g h i", "  j"]
    assert panel.event_lines(match, 5, 4) == ["e f", "g h i", "  j"]
    assert panel.event_lines(match, 5, 2) == ["g h i", "  j"]
    assert panel.event_lines(match, 5, 1) == ["  j"]
    assert panel.event_lines(SimpleNamespace(turns=[]), 5, 1) == []


def test_panel_summarizes_a_finished_game() -> None:
    match = match_of("connect4", "4 4 3", seats=("iterative:depth=3", "mcts"))
    for at, (nodes, engine) in enumerate(((300, "iterative"), (900, "mcts"), (500, "minimax"))):
        turn = match.turns[at]
        match.turns[at] = structs.replace(turn, report=Report(nodes=nodes, seconds=0.25, engine=engine))
    assert panel.match_summary(match) == [
        "3 moves",
        "iterative (blue): 300 positions in 0.2 s",
        "minimax (blue): 500 positions in 0.2 s",
        "mcts (orange): 900 positions in 0.2 s",
    ]
    match.turns[1] = structs.replace(match.turns[1], report=Report(nodes=1, seconds=1, engine="mcts"))
    match.note, match.taken_back, match.reason = "counted by hand", 1, "rules"
    assert panel.match_summary(match)[1:] == [
        "counted by hand",
        "1 move taken back, with what was seen by then",
        "iterative (blue): 300 positions in 0.2 s",
        "minimax (blue): 500 positions in 0.2 s",
    ]
    match.taken_back, match.reason = 2, "resigned"
    assert panel.match_summary(match)[1] == "2 moves taken back, with what was seen by then"
    assert panel.match_summary(match_of("connect4", "4")) == ["1 move"]


@pytest.mark.parametrize(
    ("game", "moves", "payoffs", "reason", "reading", "words"),
    [
        ("puzzle15:rows=2,columns=3,seed=5", "", (1,), "rules", None, "solved in 0 moves, in the least"),
        ("puzzle15:rows=2,columns=3,seed=5", "", (-1,), "rules", None,
         "no move is left after 0 moves: not solved, in the least"),
        ("othello", "f5", (10, -10), "rules", None, "black wins by 10 discs"),
        ("othello", "f5", (-1, 1), "rules", 1, "you win: white wins by 1 disc"),
        ("othello", "f5", (10, -10), "resigned", None, "black wins; white resigned"),
        ("go:size=5", "C3 pass pass", (1, -1), "rules", None, "black wins by 17.5 points"),
        ("go:size=5", "", (1, -1), "resigned", None, "black wins; white resigned"),
        ("chess", "f3 e5 g4 Qh4", (-1, 1), "rules", 0, "you lose: black wins by checkmate"),
        ("chess", "e4", (0, 0), "agreed", None, "draw agreed"),
        ("chess", "e4", (0, 0), "claimed", None, "draw claimed"),
        ("chess", "e4", (0, 0), "counted", None, "the game is a draw"),
        ("backgammon", "", (2, -2), "resigned", None, "{0} wins; {1} resigned"),
        ("tictactoe:players=3", "", (2, -1, -1), "rules", 0, "the game is over: {0} 2, {1} -1, {2} -1"),
    ],
)  # fmt: skip
def test_panel_shows_every_kind_of_result(
    game: str, moves: str, payoffs: tuple[float, ...], reason: str, reading: int | None, words: str
) -> None:
    match = match_of(game, moves)
    match.payoffs, match.reason, match.note = payoffs, reason, "in the least"
    assert panel.describe_result(match, reading) == words.format(*sides(match))


# -- tables that grow ---------------------------------------------------------------------------


def render(picture: Any, width: int) -> list[str]:
    """The lines of a renderable at this width."""
    from io import StringIO

    out = StringIO()
    PLAIN.console_on(out, width).print(picture)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_the_table_of_a_position_that_is_solved() -> None:
    match = connect4()
    rows = [
        MoveSolved("1", -3, ("1", "4", "2"), 1200, 0.5),
        MoveSolved("2", WIN - 7, tuple("23445566772344556677"), 300, 0.25),
        MoveSolved("3", None, (), 2_500_000, 3.4),
        MoveSolved("4", None),
        MoveSolved("5", 0, ("5", "5"), 99, 9.0, kept=True),
    ]
    log = []
    for width in (78, 60, 59, 56, 40):
        log += [f"-- {width} columns", *render(solving.picture(match, rows, width), width)]
        check_width(log[-5:], width)
        assert [line[0] for line in log[-5:]] == list("25134"), "wins, draws, losses, then the others"
    log += [f"-- {solving.MIN_WIDTH} columns of long words"]
    long = [replace(row, word=row.word * 24) for row in rows]
    log += render(solving.picture(match, long, solving.MIN_WIDTH), solving.MIN_WIDTH)
    log += ["-- lines", *solving.plain(match, rows), solving.format_effort(rows)]
    assert "2,501,500 positions" in log[-1], "1,200 + 300 + 2,500,000: those of now"
    golden("solving", "\n".join(log) + "\n")


def test_panel_shows_proved_values_before_the_solution_is_complete() -> None:
    match = connect4()
    won, drawn, lost, open_ = (MoveSolved("1", value) for value in (WIN - 7, 0, 8 - WIN, None))
    assert solving.verdict(match, []) == solving.verdict(match, [open_]) == ""
    assert solving.verdict(match, [won, open_]) == "blue wins in 7 plies at least"
    assert solving.verdict(match, [drawn, open_, lost]) == "draw at least"
    assert solving.verdict(match, [lost, open_]) == ""
    assert solving.verdict(match, [lost, drawn]) == "draw"
    assert solving.verdict(match, [lost]) == "orange wins in 8 plies"


def test_solving_cost_excludes_known_positions() -> None:
    rows = [MoveSolved("1", 0, (), 1000, 0.06), MoveSolved("2", 0, (), 3000, 0.04)]
    assert solving.format_effort(rows) == "4,000 positions in 0.1 s, 40,000 a second"
    assert solving.format_effort(rows[:1]) == "1,000 positions in 0.1 s"
    kept = replace(rows[1], kept=True)
    assert (
        solving.format_effort([rows[0], kept]) == "1 of 2 moves were solved before; 1,000 positions in 0.1 s"
    )
    assert solving.format_effort([kept]) == "1 of 1 moves were solved before"
    assert solving.format_effort([]) == ""


class LiveDouble:
    """Replaces rich's live display: keeps the last picture."""

    def update(self, picture: Any, refresh: bool) -> None:
        assert refresh
        self.picture = picture


def test_growing_output_is_redrawn_on_terminals_only() -> None:
    out = StringIO()
    with LivePicture(None, PLAIN) as nothing:
        assert nothing.live is None and not nothing.quiet
    terminal = Theme(colour=False, unicode=True, interactive=True)
    terminal.__dict__["console"] = terminal.console_on(out, 20)
    terminal.console._height = 3
    with LivePicture(None, terminal, quiet=True) as picture:
        assert picture.live.is_started and not picture.live.auto_refresh and picture.quiet
        picture.draw("first")
        assert "first" in out.getvalue() and "\x1b[2K" not in out.getvalue()
        picture.draw("second")
        assert out.getvalue().endswith("\r\x1b[2Ksecond")
        picture.draw("\n".join("abcd"))
        assert out.getvalue().endswith("\r\x1b[2Ka\nb\nc"), "what is too high is cropped"
    assert not picture.live.is_started
    assert out.getvalue().endswith("a\nb\nc\nd\n\x1b[?25h"), "and stays whole at the end"


def without_terminal(make: Any, live: Any, quiet: bool, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The lines that a growing table prints: none on a terminal with `live`."""
    out = FlushCounter()
    monkeypatch.setattr("sys.stdout", out)
    table = make(quiet)
    table.live = live
    yield table
    yield out.getvalue(), out.flushes


def test_growing_table_is_redrawn_on_a_terminal_and_printed_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = connect4()
    row = MoveSolved("1", 0, ("1", "4"))
    live = LiveDouble()
    for quiet, drawn, expected in (
        (False, None, ("1: draw; line 1 4\n", 1)),
        (True, None, ("", 0)),
        (False, live, ("", 0)),
    ):
        writing = without_terminal(
            lambda quiet: solving.SolvingShown(match, PLAIN, quiet), drawn, quiet, monkeypatch
        )
        table = next(writing)
        table.show([row])
        table.done(row)
        assert next(writing) == expected
    assert render(live.picture, 80)[1].split() == ["1", "draw", "1", "4"]


def test_a_move_that_takes_long_is_reported_where_nothing_is_redrawn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every ten seconds, on standard error, however often the search reports."""
    seconds = iter([100.0, 105.0, 110.0, 111.0, 120.5])
    monkeypatch.setattr(solving.time, "monotonic", lambda: next(seconds))
    shown = solving.SolvingShown(connect4(), PLAIN, quiet=True)
    rows = [MoveSolved("1", 0, ("1",), 10, 1.0), MoveSolved("2", None, (), 2_500_000, 12.4), MoveSolved("3")]
    for _ in range(5):
        shown.show(rows)
    shown.finish(rows)
    out, err = capsys.readouterr()
    assert out == "" and err.splitlines() == 2 * [
        "1 of 3 moves solved; 2: 2.50 M positions, 12 s; Ctrl-C keeps them"
    ]
    assert solving.progress([MoveSolved("1"), MoveSolved("2")]) == "0 of 2 moves solved"


def test_lines_are_beside_values_where_they_fit() -> None:
    """From 60 columns and 16 columns for them; a line is cut between its moves, with a mark."""
    match = connect4()

    def has_best_line(width: int, word: int) -> bool:
        row = MoveSolved("1" * word, 0, ("1", "4"))
        return "best line" in render(solving.picture(match, [row], width), width)[0]

    assert [has_best_line(width, 1) for width in (60, 59)] == [True, False]
    assert [has_best_line(78, word) for word in (50, 51)] == [True, False]
    lines = {room: solving._cut_line(["12", "345", "67", "8"], room) for room in (11, 10, 9, 6)}
    assert lines == {11: "12 345 67 8", 10: "12 345 ...", 9: "12 ...", 6: "12 ..."}
    out = StringIO()
    PLAIN.console_on(out, 60).print(solving.picture(match, [MoveSolved("1", 0, ("1",))], 60))
    assert out.getvalue().splitlines()[0] == "move  value  best line"
    assert len(render(solving.picture(match, [MoveSolved("1", 0, ("1",))], 60), 24)) == 2


def opinion(spec: str, report: Report | None, unfinished: bool = False, fault: Any = None) -> Any:
    return SimpleNamespace(spec=spec, report=report, unfinished=unfinished, fault=fault)


def test_engines_stand_side_by_side_with_their_lines_below() -> None:
    """In columns on a terminal, in lines elsewhere."""
    log = []
    for name, match, report in reports():
        done = report.with_(final=True, stopped="depth", move=report.move or next(iter(match.moves())))
        log += [
            f"-- {name}",
            *analysis.plain(match, opinion("one", report.with_(move=done.move))),
        ]
        log += analysis.plain(match, opinion("two", done, unfinished=True))
    match = connect4()
    lined = SEARCHED.with_(
        move=2, final=True, stopped="nodes", candidates=lines_of(match, 5, 3, -1), visits=12_345
    )
    several = [
        opinion("alphabeta", SEARCHED.with_(move=2)),
        opinion("mcts", lined),
        opinion("mine.py", None, fault=EngineFault("mine.py", "it fell")),
        opinion("perfect", None, fault=Usage("no")),
        opinion("later", None),
    ]
    for some in (several, several[1:2], several[4:]):
        log += ["-- side by side", *render(analysis.picture(match, some), 78)]
        check_width(log, 200)
        assert all(opinion.spec in "\n".join(log) for opinion in some)
    for row in several[2:]:
        log += analysis.plain(match, row)
    for stopped in ("simulations", "time", "interrupted"):
        log += analysis.plain(match, opinion(stopped, lined.with_(stopped=stopped, candidates=())))
    golden("analysis_pictures", "\n".join(log) + "\n")


def test_analysis_is_redrawn_on_a_terminal_and_printed_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    match = connect4()
    last_opinion = opinion("alphabeta", SEARCHED.with_(move=2))
    live, lines = LiveDouble(), "\n".join(analysis.plain(match, last_opinion)) + "\n"
    for quiet, drawn, expected in ((False, None, (lines, 1)), (True, None, ("", 0)), (False, live, ("", 0))):
        writing = without_terminal(
            lambda quiet: analysis.Shown(match, PLAIN, quiet), drawn, quiet, monkeypatch
        )
        table = next(writing)
        table.show([last_opinion])
        table.show([last_opinion], last_opinion)
        assert next(writing) == expected
    assert render(live.picture, 80)[0].strip() == "alphabeta"


def test_panel_shows_a_result_in_points_once() -> None:
    match = match_of("go:size=5,goal=points", "pass pass")
    match.over()
    assert panel.describe_result(match) == "white wins by 7.5 points"


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (80, "mcts is thinking: depth 6, 12,345 nodes, 24,690/s"),
        (45, "mcts is thinking: depth 6, 12,345 nodes"),
        (30, "mcts is thinking: depth 6"),
        (12, "mcts is t..."),
    ],
)
def test_progress_of_a_search_omits_facts_beyond_the_width(width: int, line: str) -> None:
    report = Report(depth=6, nodes=12_345, seconds=0.5)
    assert search_panel.format_progress(report, "mcts", True, width) == line
