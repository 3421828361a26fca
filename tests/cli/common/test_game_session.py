"""A game session at a terminal: commands beyond the match, bells, notes, another screen."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import registry
from gameplay.cli.common.session import commands, display_settings, game_session, listeners
from gameplay.cli.common.session.game_session import GameSession
from gameplay.cli.common.session.seating import Seating
from gameplay.display.fullscreen.view import FullScreen
from gameplay.display.terminal import search_panel
from gameplay.display.terminal.line import PlainOutput
from gameplay.display.terminal.prompt import Prompt
from gameplay.display.terminal.screen import Screen
from gameplay.display.theme import Theme
from gameplay.errors import BadInput
from gameplay.matches.match import Event
from gameplay.players import strength
from gameplay.players.human import Human
from gameplay.players.player import Choice
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.store import settings
from gameplay.training import review as reviewing

pytestmark = pytest.mark.once

LINES = Theme(colour=False, unicode=True, interactive=False)
SCREEN = Theme(colour=False, unicode=True, interactive=True)

Sit = Callable[..., GameSession]


@pytest.fixture
def sit(monkeypatch: pytest.MonkeyPatch) -> Sit:
    """Start a game session; questions and moves begin only when the test requests them."""
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("LINES", "24")

    def make_session(
        theme: Theme, game: str, *specs: str, moves: str = "", clock: str = "", **how: Any
    ) -> GameSession:
        return GameSession(
            theme, Seating(registry.game(game), list(specs), 1, "", moves.split(), clock), **how
        )

    return make_session


def answers(session: GameSession, *typed: str) -> list[str]:
    """The answers to lines of input, in order."""
    return [session.interpreter.execute(words, session.match).text for words in typed]


def test_commands_without_effect_are_answered(sit: Sit) -> None:
    two = sit(LINES, "tictactoe", "human", "human")
    assert answers(two, "replay", "engine random") == [
        "no move has been made yet",
        "no engine plays in this game",
    ]
    session = sit(LINES, "tictactoe", "human", "random")
    levels, word, eleven = answers(session, "level", "level x", "level 11")
    assert levels == strength.describe_levels(session.seating.game)
    assert (
        word == "a level of tictactoe must be 1 to 3, beginner, casual, club, strong or full, not 'x'"
        and eleven == "a level of tictactoe must be 1 to 3, beginner, casual, club, strong or full, not '11'"
    )
    assert "pause" not in session.interpreter.table
    secret = sit(LINES, "kuhn", "human", "random", moves="K J bet")
    assert answers(secret, "replay") == [
        "the game has imperfect information until it is over: replay it then"
    ]


def test_clock_pauses_and_resumes(sit: Sit) -> None:
    session = sit(LINES, "tictactoe", "human", "human", clock="5+3")
    assert session.match.clock is not None
    session.match.clock.start(0)
    assert answers(session, "pause", "pause") == [
        "clock paused; `pause` or a move resumes it",
        "the clock runs again",
    ]
    session.match.clock = None
    assert answers(session, "pause") == ["no clock runs in this game"]


def test_theme_command_applies_and_stores_the_theme(sit: Sit, tmp_path: Path) -> None:
    session = sit(SCREEN, "tictactoe", "human", "random")
    assert answers(session, "theme night") == ["theme: night"] and settings.settings().theme == "night"
    assert session.theme.palette.name == session.view.theme.palette.name == "night"
    (tmp_path / "own.toml").write_text('base = "paper"\n')
    (message,) = answers(session, f"theme {tmp_path}/own.toml")
    folder = settings.path().parent / "themes"
    assert message == f"not remembered; to keep it, copy the file to {folder}"
    assert session.theme.palette.name == session.view.theme.palette.name != "night"
    (message,) = answers(session, "theme nowhere")
    assert message.startswith("unknown theme 'nowhere'")
    assert answers(session, "theme") == ["theme: wood"], "the first one after a theme by path"
    themes = folder / "broken.toml", folder / "mine.toml"
    folder.mkdir()
    for file, text in zip(themes, ("white = 5\n", "white = 50\n"), strict=True):
        file.write_text(text)
    answers(session, "theme ascii")
    assert answers(session, "theme") == ["theme: mine"], "broken files are skipped"
    assert answers(session, "theme") == ["theme: wood"]


def test_territory_is_drawn_until_toggled(sit: Sit) -> None:
    for theme in (SCREEN, LINES):
        session = sit(theme, "go:size=4", "human", "human", moves="B2 C3 B3 C2 B1 C1 B4 C4")
        text = [
            "points: black 8, white 8; ahead with komi: white by 7.5 (an estimate from playouts)",
            "the board is shown without territory",
        ]
        assert answers(session, "territory") == text[:1]
        if isinstance(session.view, Screen):
            assert session.view.territory is True
            assert answers(session, "territory") == text[1:] and session.view.territory is False
        else:
            assert answers(session, "territory") == text[:1]
    even = sit(LINES, "go:size=4,komi=0", "human", "human", moves="B2 C3 B3 C2 B1 C1 B4 C4")
    assert answers(even, "territory") == [
        "points: black 8, white 8; ahead with komi: neither (an estimate from playouts)"
    ]


def over(sit: Sit, theme: Theme, **how: Any) -> GameSession:
    """A finished game of tic-tac-toe that white lost by a mistake."""
    session = sit(theme, "tictactoe", "human", "human", moves="a1 b2 c3 c1 b1", **how)
    session.match.listeners = []
    session.match.make(Choice(session.match.position.parse("a3")))
    assert session.match.over()
    return session


@pytest.mark.parametrize("mistakes", [True, False])
def test_review_fills_the_available_rows(sit: Sit, monkeypatch: pytest.MonkeyPatch, mistakes: bool) -> None:
    """Plain output prints all lines, a screen also how to continue, and the full screen the values."""
    monkeypatch.setattr(reviewing, "NODES", 300)
    widths: list[int] = []

    def lines(review: Any, position: Any, theme: Theme, width: int) -> list[str]:
        widths.append(width)
        return ["a curve", "a table"]

    monkeypatch.setattr("gameplay.display.reports.review.lines", lines)
    monkeypatch.setattr("gameplay.display.reports.review.brief_lines", lambda review: ["x: 9 %", "o: 8 %"])
    result = SimpleNamespace(mistakes=["a1"] if mistakes else [])
    held: list[str] = []

    def of(record: Any, engine: Any, limit: Limit, watch: Any, failed: Any) -> Any:
        assert record.words == ["a1", "b2", "c3", "c1", "b1", "a3"] and limit == Limit(nodes=300)
        watch(3, 6)
        return result

    monkeypatch.setattr("gameplay.training.stored_reviews.load_or_review", of)
    for kind in (Screen, FullScreen):
        monkeypatch.setattr(kind, "show_message", lambda self, message="": held.append(message))
        monkeypatch.setattr(kind, "poll_interrupt", lambda self: False)
    steps = ["replay: m goes to the next mistake, r plays from before it"] if mistakes else []
    assert answers(over(sit, LINES), "review") == ["a curve\na table"] and held == []
    assert answers(over(sit, SCREEN), "review") == ["\n".join(["a curve", "a table", *steps])]
    assert answers(over(sit, SCREEN, full=True), "review") == ["\n".join(["x: 9 %", "o: 8 %", *steps])]
    assert held == ["review: move 3 of 6; Ctrl-C: stop"] * 2
    assert widths == [0, 60, 60]
    monkeypatch.setattr(Screen, "poll_interrupt", lambda self: True)
    assert answers(over(sit, SCREEN), "review") == ["the review was stopped"]


def test_switching_screens_continues_the_match(sit: Sit) -> None:
    session = sit(SCREEN, "tictactoe", "human", "random", moves="a1")
    before: Any = session.view
    assert isinstance(before, Screen) and isinstance(session.input, Prompt)
    assert "full" in session.interpreter.table and "line" not in session.interpreter.table
    report = Report(value=3, depth=2)
    before.flip, before.territory, before.report, before.mover, before.at = True, True, report, 1, 7
    before.holder = 0
    assert answers(session, "full") == [""]
    after: Any = session.view
    assert isinstance(after, FullScreen) and session.input is after and after in session.match.listeners
    assert before not in session.match.listeners and after.match is session.match
    assert (after.flip, after.territory, after.report, after.mover, after.at) == (True, True, report, 1, 7)
    assert (after.viewer, after.watching, after.holder) == (0, False, 0)
    human: Any = session.match.players[0]
    assert human.input is after
    assert "line" in session.interpreter.table and "full" not in session.interpreter.table
    assert answers(session, "line", "flip") == ["", "the board is turned around"]
    assert type(session.view) is Screen and isinstance(session.input, Prompt) and not session.view.flip


def test_engines_alone_are_watched_and_ctrl_c_ends_their_game(sit: Sit) -> None:
    session = sit(SCREEN, "tictactoe", "random", "random")
    view: Any = session.view
    assert view.watching and view.viewer is None
    (leave,) = [
        listener for listener in session.match.listeners if isinstance(listener, listeners.InterruptLeaves)
    ]
    turn = SimpleNamespace(report=None)
    event: Any = SimpleNamespace(kind="move", turn=turn)
    assert leave(event) is False
    for kind, stopped, reason in (
        ("move", "depth", ""),
        ("undo", "interrupted", ""),
        ("move", "interrupted", "left"),
    ):
        event.kind, turn.report, session.match.reason = kind, Report(stopped=stopped), reason
        assert leave(event) is False
    session.match.reason, event.kind = "", "move"
    with pytest.raises(KeyboardInterrupt):
        leave(event)
    seen = sit(SCREEN, "tictactoe", "human", "random")
    assert not any(isinstance(listener, listeners.InterruptLeaves) for listener in seen.match.listeners)
    assert seen.view.viewer == 0 and not isinstance(seen.view, PlainOutput) and not seen.view.watching
    assert sit(SCREEN, "tictactoe", "human", "human").view.viewer is None
    assert sit(SCREEN, "tictactoe", "random", "human").view.viewer == 1


def test_the_bell_rings_when_it_has_become_a_persons_turn(
    sit: Sit, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bell rings before a human's turn and at the end, not after their own or between engines' moves."""
    monkeypatch.setattr(game_session, "settings", lambda: settings.Settings(bell=True))
    session = sit(SCREEN, "tictactoe:players=3", "human", "random", "random")
    (ring,) = [listener for listener in session.match.listeners if isinstance(listener, listeners.TurnBell)]
    assert not any(
        isinstance(listener, listeners.TurnBell)
        for listener in sit(LINES, "tictactoe", "human", "random").match.listeners
    )
    match = session.match
    match.listeners = [ring]
    rung = []
    for word in ("a1", "a2", "b1", "b2"):
        match.make(Choice(match.position.parse(word)))
        rung.append(capsys.readouterr().out)
    match.notify(Event("undo"))
    rung.append(capsys.readouterr().out)
    match.notify(Event("end"))
    assert [*rung, capsys.readouterr().out] == ["", "", "\a", "", "", "\a"]
    two = sit(SCREEN, "tictactoe", "human", "human").match
    (two.listeners,) = [[listener for listener in two.listeners if isinstance(listener, listeners.TurnBell)]]
    two.make(Choice(0))
    assert capsys.readouterr().out == ""


def test_search_results_stay_on_the_screen(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[str] = []
    monkeypatch.setattr(Screen, "show_message", lambda self, message="": held.append(message))
    monkeypatch.setattr(Screen, "poll_interrupt", lambda self: len(held) > 1)
    session = sit(SCREEN, "tictactoe", "human", "random")
    assert [session._show_thinking("looking"), session._show_thinking("looking")] == [False, True]
    assert held == ["looking; Ctrl-C: answer now"] * 2
    assert sit(LINES, "tictactoe", "human", "random")._show_thinking("looking") is False and len(held) == 2


def test_errors_go_to_the_screen_or_else_to_stderr(
    sit: Sit, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines: list[str] = []
    monkeypatch.setattr(Prompt, "show_answer", lambda self, text: lines.append(text))
    for theme, players in (
        (SCREEN, ("human", "random")),
        (SCREEN, ("random", "random")),
        (LINES, ("human", "random")),
    ):
        session = sit(theme, "tictactoe", *players)
        session._report_save_error("the disk is full")
        assert session.save_error == "the disk is full"
    assert lines == ["the disk is full"]
    assert capsys.readouterr().err == "gameplay: the disk is full\n" * 2


def test_solved_puzzle_is_compared_with_the_fewest_moves(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    session = sit(LINES, "puzzle15:rows=2,columns=2,seed=3", "human")
    optimum = listeners.ShortestSolution(lambda message: bool(lines.append(message)))
    optimum.match = match = session.match
    fewest = registry.default_engine(match.replica(0))().search(match.replica(0), Limit(seconds=9))
    for move in fewest.pv:
        match.make(Choice(move))
    match.note, match.payoffs = "", (1,)
    assert optimum(Event("end")) is False
    assert match.note == f"the optimum is {len(fewest.pv)}" and len(fewest.pv) > 1
    match.note = ""
    for change in ({"payoffs": None}, {"payoffs": (-1,)}, {"turns": []}):
        with monkeypatch.context() as patch:
            for name, value in change.items():
                patch.setattr(match, name, value)
            assert optimum(Event("end")) is False
    assert optimum(Event("move")) is False and match.note == ""
    monkeypatch.setattr(registry.default_engine(match.replica(0)), "theorem", "none")
    assert optimum(Event("end")) is False and match.note == ""


def test_dead_stones_are_marked_for_humans_after_two_passes(sit: Sit) -> None:
    gone = ("...XO../.O.XO../..XXO../XXXXO../XX.XOO./XXXXO.X/.X.XO.O black",)
    for theme, players, reason, note in (
        (SCREEN, ("human", "random"), "rules", True),
        (LINES, ("human", "random"), "rules", True),
        (SCREEN, ("human", "random"), "resigned", False),
        (SCREEN, ("random", "random"), "rules", False),
    ):
        session = GameSession(theme, Seating(registry.game("go:size=7"), list(players), 1, *gone))
        match = session.match
        (dead,) = [
            listener for listener in match.listeners if isinstance(listener, listeners.DeadStonesNotice)
        ]
        match.listeners = []
        for _ in range(2):
            match.make(Choice(match.position.parse("pass")))
        match.reason, match.note = reason, ""
        assert dead(Event("move")) is False and match.note == ""
        assert dead(Event("end")) is False
        message = "without the dead stones B6 G2: white wins by 0.5 (type dead if you agree)"
        assert match.note == (message if note else "")
        assert getattr(session.view, "territory", False) is (note and theme is SCREEN)


def test_listeners_follow_from_the_output_options(sit: Sit, tmp_path: Path) -> None:
    notices = ["ShortestSolution", "DeadStonesNotice"]
    kinds = {
        (): [*notices, "GameSaver", "Screen"],
        (("file", str(tmp_path / "a.json")),): [*notices, "GameSaver", "GameSaver", "Screen"],
        (("ponder", True),): [*notices, "GameSaver", "Screen", "PonderListener"],
    }
    for how, names in kinds.items():
        session = sit(SCREEN, "tictactoe", "human", "random", **dict(how))
        assert [type(listener).__name__ for listener in session.match.listeners] == names
        assert all(listener.match is session.match for listener in session.match.listeners)
    stream = sit(LINES, "tictactoe", "human", "random", output="jsonl")
    last = [type(listener).__name__ for listener in stream.match.listeners[3:]]
    assert last == ["PlainOutput", "SavedAsNotice", "Stream"]
    nobody = sit(LINES, "tictactoe", "random", "random")
    assert [type(listener).__name__ for listener in nobody.match.listeners] == [
        *notices,
        "GameSaver",
        "InterruptLeaves",
        "PlainOutput",
    ]
    assert stream.view.out is sys.stderr and nobody.view.out is sys.stdout


def test_loaded_game_keeps_the_players_of_the_session(sit: Sit, tmp_path: Path) -> None:
    file = tmp_path / "other.pgn"
    file.write_text('[White "Ann"]\n[Black "Bob"]\n[Result "*"]\n\n1. e4 e5 *\n')
    session = sit(LINES, "chess", "human", "random")
    assert answers(session, f"load {file}") == [f"loaded {file}"]
    table = session.seating
    assert (table.specs, table.names, table.moves) == (["human", "random"], ["", ""], ["e4", "e5"])
    assert session.starts_new_match and session.match.payoffs is None
    file.write_text('[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n')
    with pytest.raises(BadInput, match=r"^that game is over"):
        session._load(session.match, str(file))


def test_rematch_swaps_sides_and_changes_seeds(sit: Sit) -> None:
    session = sit(LINES, "tictactoe:players=3", "human", "random", "mcts")
    session.seating.names = ["Ann", "", ""]
    assert session._swap(session.match, "").done and session.starts_new_match
    table = session.seating
    assert (table.specs, table.names, table.seed) == (["random", "mcts", "human"], ["", "", "Ann"], 2)
    assert session._play_again(session.match, "").done and (table.specs[2], table.seed) == ("human", 3)


def test_another_engine_takes_the_seats_of_all_engines(sit: Sit) -> None:
    session = sit(LINES, "tictactoe:players=3", "random", "human", "mcts")
    person = session.match.players[1]
    assert answers(session, "engine maxn") == [f"{session.match.players[0].name} plays now"]
    assert (
        session.seating.specs
        == ["maxn", "human", "maxn"]
        == [player.spec for player in session.match.players]
    )
    assert session.match.players[1] is person and session.match.players[0].name == "maxn"
    assert answers(session, "level 3") == [f"{session.match.players[0].name} plays now"]
    assert session.seating.specs == ["level:3", "human", "level:3"]


def test_a_redone_move_names_the_engine_that_searched_it(sit: Sit) -> None:
    theme = replace(SCREEN, panel="quiet")
    session = sit(theme, "tictactoe", "iterative:depth=3", "human")
    assert isinstance(session.view, Screen)
    session.match.step()
    before = session.view.progress_line(session.match, 80)
    assert before.startswith("iterative: depth 3, ")
    session.match.undo(1)
    assert answers(session, "engine mcts:sims=5") == ["mcts plays now"]
    assert session.view.progress_line(session.match, 80) == ""
    session.match.redo(1)
    assert session.view.progress_line(session.match, 80) == before
    assert search_panel.last_search_line(session.match, session.match.turns[0].report, 0, 0, 80).startswith(
        "iterative (x): "
    )


def test_points_are_counted_for_each_side(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    session = sit(LINES, "go:size=4", "human", "human")
    for lead, ahead in ((2.5, "black by 2.5"), (-3.0, "white by 3"), (0.0, "neither")):
        territory = SimpleNamespace(owned={(0, 0): 0, (0, 1): 0, (0, 2): 1, (0, 3): None}, lead=lead)
        monkeypatch.setattr(
            session.match, "replica", lambda: SimpleNamespace(territory=lambda: None, ownership=dict)
        )
        monkeypatch.setattr(session.match, "call_game", lambda what, how, territory=territory: territory)
        monkeypatch.setattr(session.view, "show_territory", lambda match, owned: None)
        message = f"points: black 2, white 1; ahead with komi: {ahead} (an estimate from playouts)"
        assert session._territory(session.match, "").text == message


def test_leaving_a_clocked_game_saves_the_time_used(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Any] = []
    monkeypatch.setattr(game_session.GameSaver, "write", lambda self: written.append(self))
    for clock, kept, times in (("5+3", True, 1), ("5+3", False, 0), ("", True, 0)):
        session = sit(LINES, "tictactoe", "human", "human", clock=clock)
        (saving,) = [
            listener for listener in session.match.listeners if isinstance(listener, game_session.GameSaver)
        ]
        monkeypatch.setattr(saving, "kept", kept)
        written.clear()
        session._save_clock()
        assert written == [saving] * times


def test_continued_game_equals_the_saved_one(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    before = sit(LINES, "tictactoe", "human", "random")
    move = before.match.position.parse("b2")
    before.match.make(Choice(move, Report(move=move, value=3, depth=4)))
    record = game_session.record_of(before.match, lines={})
    resumed: list[Any] = []
    monkeypatch.setattr(Human, "resume", lambda self, match: resumed.append(match))
    table = Seating(
        registry.game("tictactoe"), ["human", "random"], 1, "", ["b2"], record=record, start_time="then"
    )
    session = GameSession(LINES, table)
    assert (
        resumed == [session.match] and session.match.words() == ["b2"] and session.match.start_time == "then"
    )
    report = session.match.turns[0].report
    assert report is not None and (report.value, report.depth) == (3, 4)
    assert (table.record, table.moves, table.start_time) == (None, [], "")


def test_matches_follow_until_the_user_declines(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    session = sit(LINES, "tictactoe", "human", "human")
    done: list[str] = []
    matches = [session.match]

    def play() -> None:
        done.append("play")
        matches.append(session.match)
        session.starts_new_match = len(done) == 1  # another game was loaded in the midst of it

    def goes_on() -> bool:
        done.append("goes on")
        session.starts_new_match = len(done) == 3
        return len(done) < 7

    monkeypatch.setattr(session, "_play", play)
    monkeypatch.setattr(session, "_goes_on", goes_on)
    monkeypatch.setattr(session.view, "close", lambda: done.append("close"))
    session.run()
    assert done == ["play", "play", "goes on", "play", "goes on", "play", "goes on", "close"]
    first, *played = matches
    assert played[0] is first and len({id(move) for move in played}) == 3 and played[2] is played[3]


def test_final_position_stays_on_the_terminal(
    sit: Sit, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """(player, display, continuation): the last picture stays or not; the printed text."""
    done: list[str] = []
    monkeypatch.setattr(Screen, "show_final", lambda self: done.append("final"))
    for kind in (Screen, FullScreen):
        monkeypatch.setattr(kind, "close", lambda self: done.append("close"))
    again = "step through the game: gameplay replay 1\n"
    for players, theme, full, more, left, message in (
        (("human", "human"), SCREEN, False, "another", ["final"], ("\n", "")),
        (("human", "human"), SCREEN, False, "the same", [], ("", "")),  # a move was taken back
        (("human", "human"), SCREEN, False, "", ["final"], ("", "")),
        (("human", "human"), SCREEN, True, "another", [], ("", "")),
        (("random", "random"), SCREEN, False, "another", ["final", "close"], ("", again)),
        (("human", "human"), LINES, False, "another", [], ("", "")),
    ):
        session = sit(theme, "tictactoe", *players, moves="a1 b2 c3 c1 b1", full=full)
        session.match.listeners = []
        session.match.make(Choice(session.match.position.parse("a3")))
        session.match.payoffs = (1, -1)
        session.starts_new_match = more == "another"
        monkeypatch.setattr(session, "_execute_after_match", lambda more=more: bool(more))
        done.clear()
        capsys.readouterr()
        assert session._goes_on() is (bool(more) and "human" in players)
        assert done == left and capsys.readouterr() == message, (players, full, more)
    left_one = sit(SCREEN, "tictactoe", "human", "human", moves="a1")
    assert left_one._goes_on() is False and done == ["final", "close"]
    assert capsys.readouterr().err.startswith("the game is saved; resume it: ")
    left_one.interpreter.judge.watch(None)
    left_one.view.keyboard.interrupted = True
    assert left_one.interpreter.judge.watch(None) is True
    assert left_one.interpreter.judge.watch(None) is False


def test_session_steps_through_a_match_and_starts_another(
    sit: Sit, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played_session = sit(LINES, "tictactoe", "human", "random", moves="b2 a1")
    capsys.readouterr()
    assert answers(played_session, "replay") == [""] and not played_session.starts_new_match
    out = capsys.readouterr().out
    assert out.startswith("game: tictactoe\n") and "x plays b2\n" in out and "o plays a1\n" in out
    chosen: list[Any] = [None, ("engine", 1)]
    closed: list[str] = []
    monkeypatch.setattr(commands, "step_through", lambda record, theme: chosen.pop(0))
    monkeypatch.setattr(Screen, "close", lambda self: closed.append("close"))
    session = sit(SCREEN, "tictactoe", "human", "random", moves="b2 a1")
    assert answers(session, "replay") == [""] and closed == ["close"] and not session.starts_new_match
    answer = session._replay(session.match, "")
    assert (
        answer.done
        and answer.text == ""
        and session.starts_new_match
        and session.match.reason == "unfinished"
    )
    assert session.seating.moves == ["b2"] and session.seating.specs[1] == "human"


def screen_after_search(session: GameSession) -> Screen:
    """The screen of a game session in which an engine has just searched."""
    screen = session.view
    assert isinstance(screen, Screen)
    match = session.match
    report = Report(value=-20, depth=5, pv=(0,), nodes=99, bound="exact", final=True)
    match.make(Choice(match.moves()[0]))
    match.make(Choice(match.moves()[0], report))
    assert screen.report is report and screen.last_searches and "99" in screen.ansi(80, 24)
    screen.territory, screen.estimate, screen.entered_steps = True, ((), 1), (2, [("a", "b")])
    return screen


@pytest.mark.parametrize(
    "word", ["again", "swap", "engine minimax:depth=2", "level 2", "load", "undo 2", "restart"]
)
@pytest.mark.parametrize("full", [False, True])
def test_a_search_is_shown_in_its_own_game_only(
    sit: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, full: bool
) -> None:
    monkeypatch.setattr(FullScreen, "_refresh", lambda self: None)  # no terminal is opened
    session = sit(SCREEN, "connect4", "human", "minimax:depth=1", full=full)
    screen = screen_after_search(session)
    if word == "load":
        session.interpreter.execute(f"save {tmp_path / 'game.json'}", session.match)
        word = f"load {tmp_path / 'game.json'}"
    if word in ("again", "swap"):
        session.interpreter.execute("resign yes", session.match)
    session.interpreter.execute(word, session.match)
    if session.starts_new_match:
        session.match = session._new_match()
        assert screen.match is session.match and not screen.territory
        assert screen.entered_steps == (0, []) and screen.estimate is None
    assert screen.report is None and screen.last_searches == {}
    drawn = screen.ansi(80, 24)
    assert "value" not in drawn and "-20" not in drawn and "99" not in drawn


def test_a_redone_move_restores_its_search(sit: Sit) -> None:
    session = sit(SCREEN, "connect4", "human", "minimax:depth=1")
    screen = screen_after_search(session)
    report = screen.report
    session.match.undo(2)
    assert screen.report is None
    session.match.redo(1)
    assert screen.report is None
    session.match.redo(1)
    assert screen.report is report and (screen.mover, screen.at) == (1, 1)


def test_analysis_leaves_the_search_of_the_game_as_it_was(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    session = sit(SCREEN, "connect4", "human", "minimax:depth=1")
    screen = screen_after_search(session)
    before = screen.report, screen.mover, screen.at, screen.last_searches, screen.territory
    monkeypatch.setattr(session.input, "read", lambda match, interpreter: "quit")
    session.interpreter.execute("analyse", session.match)
    assert (screen.report, screen.mover, screen.at, screen.last_searches, screen.territory) == before


def test_selection_and_offers_end_with_the_match(sit: Sit) -> None:
    session = sit(LINES, "chess", "human", "human")
    asking = session.interpreter
    asking.execute("e2", session.match)
    asking.execute("draw", session.match)
    assert asking.selected(session.match) == "e2" and asking.match_commands.question(session.match)
    session._play_again(session.match, "")
    session.match = session._new_match()
    assert asking.selected(session.match) == "" and not asking.match_commands.question(session.match)


def test_lines_of_a_new_match_begin_with_its_position(sit: Sit, capsys: pytest.CaptureFixture[str]) -> None:
    session = sit(LINES, "chess", "human", "human", moves="e4 e5")
    view = session.view
    assert isinstance(view, PlainOutput)
    session.match.make(Choice(session.match.position.parse("Nf3")))
    view.turn(session.match)
    assert "opening: " in capsys.readouterr().out and view.opening
    session._play_again(session.match, "")
    session.match = session._new_match()
    view.turn(session.match)
    session.match.make(Choice(session.match.position.parse("a3")))
    out = capsys.readouterr().out
    assert "8 r n b q k b n r" in out and "opening: \n" not in out


@pytest.mark.parametrize(("game", "alike"), [("checkers", True), ("othello", True), ("chess", False)])
def test_pieces_that_change_nothing_are_named(game: str, alike: bool) -> None:
    """Discs stay filled and large with all pieces but letters; chess pieces are large only as blocks."""
    board = registry.game(game).new().board()
    filled = Theme(colour=True, unicode=True, interactive=True, depth="256", pieces="filled")
    filled.console.size = (120, 50)
    blocks, letters = replace(filled, pieces="blocks"), replace(filled, pieces="letters")
    assert display_settings.is_same_drawing(board, filled, blocks) is alike
    assert not display_settings.is_same_drawing(
        board, filled, letters
    ) and not display_settings.is_same_drawing(board, filled, filled)
