"""Analysis mode: an engine thinks on while moves are tried, and the game stays as it is."""

import io
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from gameplay import registry
from gameplay.cli import router, run
from gameplay.cli.common.session import analysis_mode
from gameplay.display.fullscreen.view import FullScreen
from gameplay.display.terminal import search_panel
from gameplay.display.terminal.prompt import Prompt
from gameplay.display.terminal.screen import Screen
from gameplay.display.theme import Theme
from gameplay.errors import GameplayError, Usage
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.match import Match, match_without_players
from gameplay.players.analysis import LINES, Analysis, Analyst, parse_analyse
from gameplay.players.empty_seat import EmptySeat
from gameplay.search.limit import MAX_LIMIT, Limit
from gameplay.search.report import Candidate, Report
from gameplay.search.session import Session
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

GAMES = TESTS / "examples" / "games"
TINY = "connect4:columns=4,rows=4,connect=3"


@pytest.fixture(autouse=True)
def no_search_left() -> Iterator[None]:
    """No search remains running."""
    yield
    assert not [thread for thread in threading.enumerate() if thread.name in ("ponder", "search")]


@pytest.fixture
def run_game(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    def run_it(*arguments: str, typed: str, seconds: float = 600.0) -> str:
        """The output; `seconds`: how long to wait for a search, which ends by itself in a small game."""
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        monkeypatch.setattr(analysis_mode, "SECONDS", seconds)
        run(router, "gameplay", ["play", *arguments])
        return capsys.readouterr().out

    return run_it


def match_of_humans(spec: str, moves: str = "", **more: Any) -> Match:
    game = registry.game(spec)
    return Match(game, [EmptySeat("human")] * game.new().players, moves=moves.split(), **more)


# -- thinking -------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["iterative", "alphabeta", "minimax"])
def test_its_lines_are_those_of_the_search(spec: str) -> None:
    match = match_of_humans("tictactoe", "b2 a1")
    analysis = Analysis(match.game, spec, 4)
    assert analysis.follow(match) and not analysis.follow(match), "one search a position"
    analysis.wait(60)
    report = analysis.report()
    assert report is not None and report.final and len(report.candidates) == 4
    limit = Limit(nodes=10**9, multipv=4)
    alone = Session(registry.engine(spec)[0]).search(match.replica(), limit)
    lines = [(candidate.move, candidate.value, candidate.pv) for candidate in report.candidates]
    assert lines == [(candidate.move, candidate.value, candidate.pv) for candidate in alone.candidates]
    analysis.end()


def test_analysis_runs_until_stopped() -> None:
    match = match_of_humans("chess")
    analysis = Analysis(match.game)
    analysis.follow(match)
    first = analysis.search
    assert first is not None and analysis.lines == LINES and first.limit.seconds is None
    while first.latest is None:
        first.done.wait(0.01)
    match.make(_choice(match, "e4"))
    assert analysis.follow(match), "another position, another search"
    assert first.done.is_set() and analysis.search is not first
    analysis.end()
    assert analysis.report() is None


def _choice(match: Match, word: str) -> Any:
    from gameplay.players.player import Choice

    return Choice(match.position.parse(word))


@pytest.mark.parametrize("spec", ["tictactoe", "pig", "sticks", "chinese_checkers:players=3", "puzzle15"])
def test_a_few_games_of_every_kind_are_searched(spec: str) -> None:
    spec = str(GAMES / "sticks.py") if spec == "sticks" else spec
    match = match_without_players(registry.game(spec))
    analysis = Analysis(match.game, "", 2)
    analysis.follow(match)
    while analysis.report() is None:
        analysis.wait(0.01)
    report = analysis.report()
    assert report is not None and report.move in match.moves()
    assert "to move" in search_panel.analysis_heading(match, report, analysis.state(), 100).plain
    assert search_panel.analysis_lines(match, report, 0, 60).plain
    analysis.end()
    assert not hasattr(analysis.report(), "nodes")


def test_analysis_pauses_at_chance_nodes_and_final_positions() -> None:
    for match in (match_of_humans("pig", "roll"), match_of_humans("tictactoe", "a1 a2 b1 b2 c1")):
        analysis = Analysis(match.game)
        analysis.follow(match)
        assert analysis.search is None and analysis.report() is None


@pytest.mark.parametrize("spec", ["random", "level:3", "human", "nonsense", "alphabeta:depth=0"])
def test_analysis_refuses_engines_without_search(spec: str) -> None:
    with pytest.raises(GameplayError):
        Analysis(registry.game("chess"), spec)


def test_analysis_prints_lines_and_engine() -> None:
    assert parse_analyse("") == (0, "") and parse_analyse("5") == (5, "")
    assert parse_analyse("5 alphabeta:depth=3") == (5, "alphabeta:depth=3") and parse_analyse("mcts") == (
        0,
        "mcts",
    )
    for wrong in ("0", "-2"):
        with pytest.raises(Usage, match="1 or more"):
            parse_analyse(wrong)
    assert Analysis(registry.game("chess"), "selective:multipv=4").lines == 4


def test_analysis_reports_a_failing_game_and_continues(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    source = (GAMES / "sticks.py").read_text()
    file.write_text(source + "\n    def evaluate(self):\n        return 1 // 0\n")
    match = match_of_humans(str(file))
    analysis = Analysis(match.game, "iterative")
    analysis.follow(match)
    analysis.wait(60)
    assert "ZeroDivisionError" in analysis.state()
    analysis.end()


# -- one point of view ------------------------------------------------------------------------------


def test_analysis_values_are_from_one_side_at_every_turn() -> None:
    match = match_of_humans(TINY, "1")  # the second player is on turn
    analysis = Analysis(match.game, "alphabeta", 2)
    analysis.follow(match)
    analysis.wait(60)
    report = analysis.report()
    assert report is not None
    best = report.candidates[0].value
    for width in (40, 100):
        assert (
            "values for blue" in search_panel.analysis_heading(match, report, analysis.state(), width).plain
        )
        first = search_panel.analysis_lines(match, report, 1, width).plain.splitlines()[1]
        assert first.split()[0] == ("loss" if best > 0 else "win" if best < 0 else "draw")
    analysis.end()


def test_analysis_names_the_player_of_values_with_more_than_two_players() -> None:
    match = match_of_humans("chinese_checkers:players=3")
    candidate = Candidate(match.moves()[0], 0.5, "expectation", values=(0.5, 0.0, -0.5))
    head = search_panel.analysis_heading(match, Report(candidates=(candidate,)), "mcts", 100).plain
    assert head == "mcts: blue to move, values for blue/orange/green"
    head = search_panel.analysis_heading(match, Report(candidates=(candidate,)), "mcts", len(head) - 1).plain
    assert head == "mcts: blue moves, values for blue/orange/green"
    candidate = structs.replace(candidate, values=())
    assert search_panel.analysis_heading(match, Report(candidates=(candidate,)), "brs", 100).plain.endswith(
        "values for blue"
    )


def test_analysis_lines_fill_the_available_rows() -> None:
    match = match_of_humans("chess")
    analysis = Analysis(match.game, "alphabeta:depth=5", 2)
    analysis.follow(match)
    analysis.wait(60)
    report = analysis.report()
    assert report is not None
    for width in (20, 40, 60):
        tight = search_panel.analysis_lines(match, report, 0, width, 3).plain.splitlines()
        loose = search_panel.analysis_lines(match, report, 0, width, 20).plain.splitlines()
        assert max(map(len, loose)) <= width and len(tight) <= len(loose)
        assert sum(line[:1] in "+-" for line in loose) == 2
    analysis.end()


# -- at a terminal ----------------------------------------------------------------------------------


def test_moves_are_tried_and_the_game_stays_as_it_is(run_game: Any) -> None:
    typed = "a1\nanalyse 2\nb2\nb1\nundo 9\nanalyse\nplay on\nb2\n"
    out = run_game("tictactoe", "--players", "human,human", typed=typed)
    message, after = out.split("back in the game, as it was")
    assert message.count("iterative: ") == 5, "each position that was tried, and once more"
    assert message.count("o plays") == 0 and "o plays b2" in after
    assert "  a b c\n1 . . .\n" in message.split("iterative: ")[3], "back beyond where the game stands"
    assert message.count("seen to its end\n") == 5 and "values for x" in message


def test_every_way_out_leads_to_the_game(run_game: Any) -> None:
    match = match_of_humans("tictactoe")
    for word in ("quit", "q", "exit", "play", "play on", ":quit"):
        analyst = Analyst(Analysis(match.game))
        assert analyst.execute(word, match).done and analyst.is_finished
    out = run_game("tictactoe", "--players", "human,human", typed="analyze\nquit\na1\n")
    assert "x plays a1" in out.split("back in the game")[1]


def test_repeated_request_keeps_the_analysis_search(run_game: Any) -> None:
    match = match_of_humans("tictactoe")
    first = Analysis(match.game)
    analyst = Analyst(first)
    assert analyst.execute("analyse", match).text == "" and analyst.analysis is first
    analyst.execute("analyse 2", match)
    assert analyst.analysis is not first and analyst.analysis.lines == 2
    analyst.execute("analyse minimax", match)
    assert (analyst.analysis.lines, analyst.analysis.player.name) == (2, "minimax")


def test_analysis_rejects_match_commands(run_game: Any) -> None:
    typed = "analyse\nresign\nhint\nhelp\nanalyse 0\nanalyse --5\nanalyse random\nz9\n"
    out = run_game("tictactoe", "--players", "human,human", typed=typed)
    assert "'resign' is a command of the game" in out and "'hint' is a command of the game" in out
    assert "play [on]" in out and "the number of lines must be 1 or more" in out
    assert "random does not search" in out and "unknown player '--5'" in out
    assert out.count("iterative: ") == 1, "nothing has changed"


def test_analysis_of_imperfect_information_searches_the_view_only(
    run_game: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the game ends the true position is not requested from the referee, and no move is tried."""

    def reveal(self: Match, plies: int | None = None) -> Any:
        raise AssertionError("that is for nobody to see")

    with monkeypatch.context() as patched:
        patched.setattr(Match, "replica", reveal)
        typed = "\nanalyse 2\nbet\nundo\nredo\nanalyse\nplay on\n"
        out = run_game("kuhn", "--players", "human,human", "--seed", "1", typed=typed, seconds=0.0)
    assert out.count("moves of an imperfect-information game") == 3 and "plays bet" not in out
    assert out.count("ismcts: first to move, values for first") == 2
    assert "back in the game" in out and "chance deals ? ?" in out


def test_analysis_refuses_a_full_view_of_hidden_information() -> None:
    match = match_of_humans("kuhn", seed=1)
    screen = Screen(Theme(colour=False, unicode=False, interactive=True))
    with pytest.raises(Usage, match="has imperfect information"):
        analysis_mode.analyse(screen, Prompt(screen), match, "", {})


def test_finished_games_with_hidden_information_are_analysed(run_game: Any) -> None:
    typed = "a1\na2\nb1\nb2\nc1\nanalyse\nundo\nquit\nquit\n"
    out = run_game("tictactoe", "--players", "human,human", typed=typed)
    assert "iterative: x wins" in out and "win in 1  c1" in out
    out = run_game(
        "kuhn",
        "--players",
        "human,random",
        "--seed",
        "1",
        typed="bet\nanalyse\nundo\nplay on\nquit\n",
        seconds=0.0,
    )
    assert "imperfect information" not in out and "back in the game" in out


def test_analysis_pauses_the_clock() -> None:
    now = [0.0]
    clock = Clock([parse_time_control("60")] * 2, now=lambda: now[0])
    match = match_of_humans("tictactoe", clock=clock)
    clock.start(0)
    screen = Screen(Theme(colour=False, unicode=False, interactive=True))
    screen.match = match

    class Slow:
        def read(self, tried: Any, analyst: Any) -> str:
            assert clock.paused and screen.match is tried is not match
            now[0] += 1000
            raise KeyboardInterrupt

        def show_answer(self, text: str) -> None: ...

    assert analysis_mode.analyse(screen, Slow(), match, "", {}) == "back in the game, as it was"
    assert not clock.paused and clock.remaining(0) == 60 and not clock.flag_fallen()
    assert screen.match is match and screen.analysis is None and screen.report is None


def test_paused_clock_stays_paused_after_analysis() -> None:
    clock = Clock([parse_time_control("60")] * 2, now=lambda: 0.0)
    match = match_of_humans("tictactoe", clock=clock)
    clock.start(0)
    clock.pause()
    screen = Screen(Theme(colour=False, unicode=False, interactive=True))
    screen.match = match

    class Leaving:
        def read(self, tried: Any, analyst: Any) -> str:
            return "play on"

        def show_answer(self, text: str) -> None: ...

    analysis_mode.analyse(screen, Leaving(), match, "", {})
    assert clock.paused


def test_leaving_analysis_restores_the_game_and_its_message() -> None:
    match = match_of_humans("tictactoe")
    screen = Screen(Theme(colour=False, unicode=False, interactive=True))
    before: Any = {
        "match": match,
        "report": Report(value=3),
        "mover": 1,
        "at": 7,
        "thinking": "x",
        "analysis": None,
    }
    for name, value in before.items():
        setattr(screen, name, value)
    typed, output = ["b2", "b2", "play on"], list[str]()

    class PlayerInput:
        def read(self, tried: Any, analyst: Any) -> str:
            assert screen.match is tried and screen.analysis is analyst.analysis and tried.revealed
            return typed.pop(0)

        def show_answer(self, text: str) -> None:
            output.append(text)

    analysis_mode.analyse(screen, PlayerInput(), match, "2 minimax:depth=1", {})
    assert {name: getattr(screen, name) for name in before} == before
    assert len(output) == 3 and output[0] == "" and "'b2'" in output[1] and match.words() == []


@pytest.mark.parametrize(("terminal", "width"), [(True, 33), (False, 10_000)])
def test_lines_are_as_wide_as_the_terminal_or_not_folded(
    terminal: bool, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    log: list[Any] = []
    match = match_of_humans("tictactoe")
    report: Any = SimpleNamespace(thresholds=())

    def plain(name: str) -> Any:
        return lambda *what: SimpleNamespace(plain=log.append((name, *what[2:])) or name)

    monkeypatch.setattr(search_panel, "analysis_heading", lambda match, result, state, wide: SimpleNamespace(
        plain=f"{state} {result is report} {wide}"))  # fmt: skip
    for name in ("search_facts", "analysis_lines"):
        monkeypatch.setattr(search_panel, name, plain(name))
    console = SimpleNamespace(size=SimpleNamespace(width=33))
    plain_output: Any = SimpleNamespace(
        turn=lambda tried: log.append("turn"), write=log.append, theme=SimpleNamespace(console=console),
        out=SimpleNamespace(isatty=lambda: terminal),
    )  # fmt: skip
    analysis: Any = SimpleNamespace(
        wait=lambda seconds: log.append(seconds), report=lambda: report, state=lambda: "thinking"
    )
    analysis_mode._print(plain_output, match, analysis, True)
    assert log == [
        "turn",
        analysis_mode.SECONDS,
        f"thinking True {width}",
        ("analysis_lines", 0, width),
        "analysis_lines",
    ]
    report.thresholds = (3,)
    log.clear()
    analysis_mode._print(plain_output, match, analysis, False)
    assert log == ["turn", f"thinking True {width}", ("search_facts", 0, width), "search_facts"]
    log.clear()
    report = None
    analysis_mode._print(plain_output, match, analysis, False)
    assert log == ["turn", f"thinking True {width}"]


def test_full_screen_shows_the_analysis_instead_of_players() -> None:
    for width, height in ((40, 20), (80, 24), (140, 40)):
        screen = Screen(Theme(colour=False, unicode=False, interactive=True))
        screen.match = match_of_humans(TINY, "1 1 2")
        screen.analysis = Analysis(screen.match.game, "iterative", 3)
        screen.analysis.follow(screen.match)
        screen.analysis.wait(60)
        screen.update_analysis()
        shown = screen.ansi(width, height)
        assert "iterative" in shown and "values for blue" in shown and "human" not in shown
        assert sum(line.find("win in") >= 0 or line.find("loss in") >= 0 for line in shown.splitlines()) == 3
        screen.analysis.end()


def test_full_screen_analysis_steps_by_keys_and_escape_returns() -> None:
    with create_pipe_input() as pipe:
        full = FullScreen(
            Theme(colour=False, unicode=False, interactive=True), input=pipe, output=DummyOutput()
        )
        match = match_of_humans("tictactoe", "b2")
        full.match, full.confirm = match, True  # which concerns moves of a game
        words: list[list[str]] = []
        ask = full._ask
        keys = ["a1\r", "<", "<", ">", "c2\r", "\x1b"]

        def asking(entry: Any, tried: Any) -> str:
            words.append(tried.words())
            names = [button.name for button in full.keys.buttons()]
            full.open()
            full.loop.call_later(0.01, lambda: pipe.send_text(keys.pop(0)))
            answer = ask(entry, tried)
            assert "Play on" not in names, "asked before there is an entry"
            return answer

        full._ask = asking
        message = analysis_mode.analyse(full, full, match, "", {})
        full.close()
    assert message == "back in the game, as it was" and match.words() == ["b2"]
    assert words == [["b2"], ["b2", "a1"], ["b2"], [], ["b2"], ["b2", "c2"]]


def test_help_in_analysis_lists_its_commands() -> None:
    match = match_of_humans("tictactoe")
    analyst = Analyst(Analysis(match.game))
    assert "Esc: back to the game" in analyst.invitation(match) and analyst.escape_command == "play on"
    rolling = match_of_humans("pig", "roll")
    assert "chance moves: type what comes" in Analyst(Analysis(rolling.game)).invitation(rolling)
    over = match_of_humans("tictactoe", "a1 a2 b1 b2 c1")
    assert "would be over" in analyst.invitation(over)


def test_small_analysis_shows_the_best_line_first() -> None:
    screen = Screen(Theme(colour=False, unicode=False, interactive=True))
    screen.match = match_of_humans("othello")
    screen.analysis = Analysis(screen.match.game, "alphabeta:depth=4", 9)
    screen.analysis.follow(screen.match)
    screen.analysis.wait(60)
    screen.update_analysis()
    for height, shown in ((16, 1), (18, 2), (24, 4)):
        lines = screen.ansi(40, height).splitlines()
        assert len(lines) <= height - 3
        assert sum(line[:1] in "+-" and line[1:2].isdigit() for line in lines if line) == shown
    screen.analysis.end()


def test_analysis_names_the_source_of_a_known_move() -> None:
    match = match_of_humans("tictactoe")
    known = Report(move=4, pv=(4,), source="system", facts="the middle first", final=True)
    assert search_panel.analysis_lines(match, known, 0, 60).plain == "b2 by the system: the middle first"


def test_analysis_distinguishes_number_of_lines_from_engine() -> None:
    """A number is the number of lines; any other word is an engine."""
    arguments = {
        "1": (1, ""),
        "5 minimax": (5, "minimax"),
        "12  mcts:c=1 ": (12, "mcts:c=1"),
        "mcts": (0, "mcts"),
    }
    arguments |= {"3x": (0, "3x"), "": (0, ""), "minimax 3": (0, "minimax 3")}
    assert {words: parse_analyse(words) for words in arguments} == arguments
    for wrong in ("0", "-1", "0 minimax"):
        with pytest.raises(Usage) as caught:
            parse_analyse(wrong)
        assert str(caught.value) == f"the number of lines must be 1 or more, not {wrong.split()[0]}"


def test_how_many_lines_and_how_long_an_analysis_searches() -> None:
    """A search is unlimited unless its spec has a limit, and has three lines unless the spec has several."""
    game = registry.game("tictactoe")
    for spec, lines, limit in (
        ("", 0, Limit(seconds=MAX_LIMIT, multipv=3)),
        ("iterative", 5, Limit(seconds=MAX_LIMIT, multipv=5)),
        ("iterative:multipv=2", 0, Limit(seconds=MAX_LIMIT, multipv=2)),
        ("iterative:multipv=2", 1, Limit(seconds=MAX_LIMIT, multipv=1)),
        ("alphabeta:depth=4", 0, Limit(depth=4, multipv=3)),
    ):
        analysis = Analysis(game, spec, lines)
        assert (analysis.lines, analysis.limit) == (limit.multipv, limit), spec
        assert analysis.search is None and analysis.report() is None and analysis.moves == ()
        analysis.wait(0.0)
        analysis.end()
    assert Analysis(game).player.name == registry.default_engine(game.new()).name


@pytest.mark.parametrize("word", ["resign", "hint", "/save game.json", "takeback"])
def test_a_command_of_the_game_names_the_way_back(word: str) -> None:
    match = match_of_humans("tictactoe")
    analyst = Analyst(Analysis(match.game), game_commands=["save", "undo"])
    known = word == "takeback"  # undo, which steps back here
    assert ("Try: play on" in analyst.execute(word, match).text) is not known
    assert analyst.meaning(word, match)[0] is known
