"""Stepping through a saved game, and playing on from it, without a terminal."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec import structs
from prompt_toolkit.keys import Keys

from gameplay import Report, registry
from gameplay.cli import router, run
from gameplay.cli.common import options, saved_games
from gameplay.cli.common.saved_games import describe_result, open_match, set_result
from gameplay.cli.common.session import game_session
from gameplay.cli.common.session.seating import Seating, branch, resume_seating
from gameplay.display.terminal import panel
from gameplay.display.terminal.replay import BARS, KEYS, MISTAKES, ONWARD, Replay
from gameplay.display.terminal.screen import Screen
from gameplay.display.theme import Theme, detect_theme
from gameplay.errors import BadInput
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.player import Choice
from gameplay.search.limit import Limit
from gameplay.store import saved
from gameplay.store.record import Record, decode, encode, record_of
from gameplay.training.review import engine_for, review
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

STICKS = str(TESTS / "examples" / "games" / "sticks.py")


def record_with(game: str = "tictactoe", players: tuple[str, str] = ("human", "minimax:depth=3")) -> Record:
    """A game of four moves with values of the second player's; the first player resigned."""
    match = Match(registry.game(game), [EmptySeat(spec, "Ann" * (spec == "human")) for spec in players])
    for word, value in (("b2", None), ("a1", -2), ("c1", None), ("a3", 999_996)):
        move = match.position.parse(word)
        report = None if value is None else Report(move=move, value=value, depth=3, pv=(move,), final=True)
        match.make(Choice(move, report))
    match.resign(0)
    return record_of(match, lines={})


def replay(record: Record, ply: int = 0) -> Replay:
    match, turns = open_match(record)
    screen = Screen(detect_theme(ascii=False))
    screen.match = match
    return Replay(screen, turns, lambda: set_result(match, record), ply)


def test_a_result_not_made_by_the_rules_is_shown_at_the_last_move_only() -> None:
    game = replay(record_with(), 4)
    assert game.match.over() and game.where().endswith("; o wins; x resigned")
    game.go(3)
    assert not game.match.over() and game.match.words() == ["b2", "a1", "c1"]
    assert game.where() == "move 3 of 4: x c1"
    game.go(99)
    assert game.match.over() and game.ply == 4
    game.go(-1)
    assert game.ply == 0 and game.where() == "move 0 of 4" and not game.match.over()


def test_replay_prints_moves_with_their_search_reports() -> None:
    game = replay(record_with(), 4)
    assert game.where().startswith("move 4 of 4: o a3 (o wins in 4 plies, depth 3)")
    assert game.match.turns[3].report.pv == (game.turns[3].move,)
    assert game.shares[0] is None and game.shares[3] == 0.0
    assert game.shares[1] is not None and 0.5 < game.shares[1] < 0.6, "o was a little behind"


def test_enter_goes_to_the_number_that_was_typed() -> None:
    game = replay(record_with())
    game.number = "3"
    game.enter()
    assert game.ply == 3 and game.number == ""
    game.enter()
    assert game.ply == 4
    game.number = "12"
    game.enter()
    assert game.ply == 4 and game.where() == "there is no move 12: the game has 4"


def test_value_bars_of_a_long_game_fit() -> None:
    game = replay(record_with(), 2)
    game.shares = [number / 500 for number in range(500)]
    bars = game.values().replace("\x1b[7m", "").replace("\x1b[0m", "")
    assert len(bars) < game.screen.theme.console.size.width
    assert bars[0] in (BARS[0], "1") and sorted(bars) == list(bars)


@pytest.mark.parametrize("length", [4, 500])
def test_the_bar_of_the_last_move_is_marked(length: int) -> None:
    game = replay(record_with())
    game.shares = [0.5] * length
    for ply in range(5):
        game.go(ply)
        marked = game.values().split("\x1b[7m")
        assert len(marked) == 1 + (ply > 0)
        step = -(-length // max(10, game.screen.theme.console.size.width - 1))
        assert len(marked[0]) == ((ply - 1) // step if ply else -(-length // step))


@pytest.mark.parametrize(("ply", "players"), [(0, ["human", "iterative"]), (3, ["iterative", "human"])])
def test_continuing_against_an_engine_takes_the_side_to_move(ply: int, players: list[str]) -> None:
    table = branch(record_with(), "engine", ply)
    assert table.specs == players and table.moves == ["b2", "a1", "c1"][:ply]
    assert table.names == (["Ann", ""] if ply == 0 else ["", ""]) and table.record is None


def test_continuing_at_a_chance_node_takes_the_first_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """It uses a new four-byte seed, from the start of the record."""
    monkeypatch.setattr("os.urandom", lambda count: bytes(range(1, count + 1)))
    match = Match(
        registry.game("pig"), [EmptySeat("random", "Ann"), EmptySeat("random", "Bo")], moves=["roll"]
    )
    seating = branch(record_of(match), "engine", 1)
    assert seating.specs == ["human", seats.opponent(match.game)] and seating.names == ["Ann", ""]
    assert (seating.seed, seating.start, seating.moves) == (0x04030201, "", ["roll"])
    nameless = structs.replace(record_of(match), names=[], start="1-0 1 0")
    seating = branch(nameless, "same", 0)
    assert (seating.specs, seating.names, seating.start) == (["random"] * 2, ["", ""], "1-0 1 0")
    bare = Seating(match.game, ["random"] * 3)
    assert (bare.names, bare.seed, bare.moves, bare.clock, bare.start_time) == (["", "", ""], 0, [], "", "")


def test_replayed_game_continues_as_saved(tmp_path: Path, home: Path) -> None:
    """The last unfinished game or the named one continues; that of another program's file in a new game."""
    with pytest.raises(BadInput) as refused:
        resume_seating("")
    assert str(refused.value) == f"there is no unfinished game in {home}/games"
    (home / "games").mkdir(parents=True)
    over, left = home / "games" / "over.json", home / "games" / "left.json"
    over.write_bytes(encode(record_with()))
    record = structs.replace(
        record_with(), result=None, reason="", names=[], clock="5+3", begun="2026-11-22T12:30", seed=9
    )
    left.write_bytes(encode(record))
    for which in ("", "left", str(left)):
        seating = resume_seating(which)
        assert (seating.path, seating.record, seating.names) == (left, record, ["", ""])
        assert (seating.specs, seating.moves) == (["human", "minimax:depth=3"], ["b2", "a1", "c1", "a3"])
        assert (seating.clock, seating.start_time, seating.seed) == ("5+3", "2026-11-22T12:30", 9)
        assert seating.game.spec == "tictactoe" and seating.start == ""
    with pytest.raises(BadInput) as refused:
        resume_seating("over")
    ended = "that game is over (o won, x resigned); step through it: gameplay replay over"
    assert str(refused.value) == ended
    file = tmp_path / "other.pdn"
    file.write_text('[White "Bo"]\n[Black "Ann"]\n[Date "2026.11.21"]\n[Result "*"]\n\n1. 11-15 *\n')
    seating = resume_seating(str(file))
    assert seating.record is None and seating.path is None and seating.game.name == "checkers"
    assert seating.specs == [seats.opponent(seating.game), "human"] and seating.names == ["", ""]
    assert (seating.moves, seating.start_time) == (["11-15"], "2026-11-21")


def test_the_same_players_continue_if_they_exist_here() -> None:
    table = branch(record_with(), "same", 2)
    assert table.specs == ["human", "minimax:depth=3"] and table.names == ["Ann", ""]
    table = branch(record_with(players=("Kasparov, G", "Karpov")), "same", 2)
    assert table.specs == ["human", "human"] and table.names == ["Kasparov, G", "Karpov"]


def test_state_of_a_saved_game() -> None:
    record = record_with()
    assert describe_result(record) == "o won, x resigned"
    record.result, record.reason = [0, 0], "rules"
    assert describe_result(record) == "draw"
    record.reason = "agreed"
    assert describe_result(record) == "draw agreed"
    record.result, record.game = [1, -1], "./gone.py"
    assert describe_result(record) == "player 1 won"
    record.result = None
    assert describe_result(record) == "unfinished"


@pytest.mark.parametrize(
    ("game", "result", "reason", "message"),
    [
        ("tictactoe", [1, -1], "rules", "x won"),
        ("tictactoe", [-1, 1], "rules", "o won"),
        ("tictactoe", [-1, 1], "time", "o won, x lost on time"),
        ("tictactoe", [1, -1], "resigned", "x won, o resigned"),
        ("tictactoe", [0, 0], "claimed", "draw claimed"),
        ("tictactoe", [0, 0], "time", "draw"),
        ("go", [3.5, -3.5], "rules", "black won by 3.5"),
        ("go", [-0.5, 0.5], "rules", "white won by 0.5"),
        ("go", [7, -7], "resigned", "black won, white resigned"),
        ("go", [2, -2], "rules", "black won by 2"),
        ("tictactoe:players=3", [1, -0.5, -0.5], "rules", "x 1, o -0.5, t -0.5"),
        ("tictactoe", [1, 1], "rules", "x 1, o 1"),
        ("tictactoe", [1, 0], "rules", "x 1, o 0"),
        ("puzzle15", [1], "rules", "solver 1"),
    ],
)
def test_replay_states_the_result_by_payoffs(
    game: str, result: list[float], reason: str, message: str
) -> None:
    record = record_with()
    record.game, record.result, record.reason = game, list(result), reason
    assert describe_result(record) == message


def saved_game(count: int, moves: int, **facts: Any) -> saved.Saved:
    """A saved game as an entry of a list."""
    record = record_with()
    record.moves = record.moves[:1] * moves
    record.begun = "2026-11-22T12:30:15"
    return saved.Saved(Path(f"/kept/{count}.json"), structs.replace(record, **facts), 0.0)


def test_saved_games_stand_in_columns_and_fit_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    results = [
        saved_game(1, 1, game="go", names=[], result=None),
        saved_game(2, 10, names=["Ann", "Bo"]),
        *[saved_game(number, 9) for number in range(3, 11)],
    ]
    monkeypatch.setattr(saved, "scan_folder", lambda: (results, []))
    saved_games.show_list()
    lines = capsys.readouterr().out.splitlines()
    first, second, *rest = [*reversed(lines[:10]), *lines[10:]]  # the newest last
    assert first == " 1  2026-11-22 12:30  go         human - minimax:depth=3    1 move  unfinished"
    assert second == " 2  2026-11-22 12:30  tictactoe  Ann - Bo                 10 moves  o won, x resigned"
    assert rest[7:] == [
        "10  2026-11-22 12:30  tictactoe  Ann - minimax:depth=3     9 moves  o won, x resigned",
        "",
        f"Folder: {home}/games",
        "Step through one: gameplay replay N",
        "Resume one: play --resume N",
    ]
    line = " 1  2026-11-22 12:30  tictactoe  Ann - Bo               10 moves  o won, x resigned"
    for width, lines in ((len(line), [line]), (len(line) - 1, [line[:-9], "    resigned"]), (0, [line])):
        monkeypatch.setattr(saved_games, "columns", lambda width=width: width)
        monkeypatch.setattr(saved, "scan_folder", lambda: ([*results[1:3], results[9]] * 4, []))
        saved_games.show_list()
        out = capsys.readouterr().out.splitlines()
        assert out[-3 - len(lines) : -3] == lines
        assert out[-1] == "Step through one: gameplay replay N", "all of them are over"
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((100, 12)))
    monkeypatch.setattr(saved_games, "columns", lambda: 100)
    saved_games.show_list()
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "6 older games: gameplay games --saved --all" and len(out) <= 11, (
        "a line is left for the prompt"
    )
    assert [line.split()[0] for line in out[1:7]] == ["6", "5", "4", "3", "2", "1"]
    saved_games.show_list(show_all=True)
    assert len(capsys.readouterr().out.splitlines()) == 12 + 3
    saved_games.show_list(as_json=True)
    document = json.loads(capsys.readouterr().out)
    assert document["folder"] == f"{home}/games" and [game["number"] for game in document["games"]] == list(
        range(1, 13)
    )
    assert document["games"][0] == {
        "number": 1, "name": "2", "file": "/kept/2.json", "game": "tictactoe", "players": ["Ann", "Bo"],
        "date": "2026-11-22 12:30", "moves": 10, "unfinished": False, "stands": "o won, x resigned",
    }  # fmt: skip


def test_a_result_not_made_by_the_rules_is_that_of_the_record() -> None:
    """The players may have agreed on another result than that of the rules."""
    for moves, result, reason, ended in (
        (3, [-1, 1], "resigned", ((-1, 1), "resigned")),
        (3, None, "", (None, "")),
        (3, [0, 0], "rules", ((0, 0), "rules")),
        (5, [0, 0], "rules", ((1, -1), "rules")),
        (5, [0, 0], "", ((1, -1), "rules")),
        (5, None, "agreed", ((1, -1), "rules")),
        (5, [0, 0], "agreed", ((0, 0), "agreed")),
    ):
        words = ["a1", "a2", "b1", "b2", "c1"][:moves]
        match = Match(registry.game("tictactoe"), [EmptySeat("human"), EmptySeat("human")], moves=words)
        match.over()
        record = structs.replace(record_with(), result=result, reason=reason)
        set_result(match, record)
        assert (match.payoffs, match.reason) == ended, (moves, result, reason)


def test_replay_up_to_a_ply_ends_with_the_command_to_continue(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With imperfect information the command appears only if no fact is hidden from the viewer."""
    file = tmp_path / "game.json"

    def replay_lines(
        ply: int, game: str, *players: str, moves: str = "K J bet", start: str = ""
    ) -> list[str]:
        seats = [EmptySeat(spec) for spec in players]
        match = Match(registry.game(game), seats, start, moves.split())
        file.write_bytes(encode(record_of(match)))
        assert run(router, "gameplay", ["replay", str(file), "--ply", str(ply), "--plain"]) == 0
        return capsys.readouterr().out.splitlines()[3:]

    onward = "play on from here: play"
    assert replay_lines(2, "tictactoe", "human", "human", moves="b2 a1 c1") == [
        "x plays b2", "o plays a1", "  a b c", "1 O . .", "2 . X .", "3 . . .",
        f"{onward} tictactoe --moves 'b2 a1'",
    ]  # fmt: skip
    assert replay_lines(0, "tictactoe", "human", "human", moves="b2") == [
        "  a b c", "1 . . .", "2 . . .", "3 . . .", f"{onward} tictactoe",
    ]  # fmt: skip
    assert replay_lines(0, "tictactoe", "human", "human", moves="b1", start="x../.o./...")[-1] == (
        f"{onward} tictactoe --position x../.o./..."
    )
    shown = ["pot 2", "actions: check bet"]
    assert replay_lines(2, "kuhn", "random", "random") == [
        "chance deals K J", "second (1 chip in): J", "first (1 chip in): K", *shown,
        f"{onward} kuhn --moves 'K J'",
    ]  # fmt: skip
    assert replay_lines(2, "kuhn", "human", "random") == [
        "chance deals K ?", "second (1 chip in): ?", "first (you, 1 chip in): K", *shown,
    ]  # fmt: skip
    assert replay_lines(2, "kuhn", "human", "human") == ["chance deals ? ?"]


def test_names_that_fit_no_players_are_refused() -> None:
    record = record_with()
    record.names = ["Ann"]
    with pytest.raises(BadInput, match="2 players have 1 names"):
        decode(encode(record), "here")


def test_replay_of_a_reviewed_game_offers_its_mistakes() -> None:
    match = Match(registry.game("connect4"), [EmptySeat("human"), EmptySeat("human")], "", list("4141424"))
    record = record_of(match)
    result = review(record, engine_for(match.game), Limit(nodes=500))
    match, turns = open_match(record)
    screen = Screen(detect_theme(ascii=False))
    screen.match = match
    game = Replay(screen, turns, lambda: None, review=result)
    plies = [mistake.ply for mistake in result.mistakes]
    shown = game.keys()
    assert "m: next mistake" in shown and game.retry_ply() is None
    game.next_mistake()
    assert game.ply == plies[0] and 6 in plies
    while game.ply != 6:
        game.next_mistake()
    assert ". Review: loss in 2 for orange. blunder, costs" in game.where() and game.retry_ply() == 5
    for _ in plies[plies.index(6) :]:
        game.next_mistake()
    assert game.ply == plies[0], "after the last one the first again"
    assert game.shares == result.curve()


def test_every_key_that_is_shown_does_something() -> None:
    match, turns = open_match(record_with())
    screen = Screen(detect_theme(ascii=False))
    screen.match = match
    game = Replay(screen, turns, lambda: None, onward=True)
    bound = {key for binding in game._keys().bindings for key in binding.keys}
    assert {"a", "f", "e", "s", "m", "r", "q", "g", "+", "-", *"0123456789"} <= bound


class KeyEvent:
    """A key event in an application, which it may end."""

    def __init__(self, data: str = "") -> None:
        self.app = self
        self.data = data
        self.ended: Any = "goes on"
        self.tasks: list[Any] = []

    def exit(self, result: Any = None) -> None:
        self.ended = result

    def create_background_task(self, task: Any) -> None:
        task.close()
        self.tasks.append(task)

    def invalidate(self) -> None:
        """Nothing is drawn here."""


def press(game: Replay, *names: str) -> KeyEvent:
    """Press keys one after the other; return the effect of the last one on the application."""
    event = KeyEvent()
    for name in names:
        event = KeyEvent(name)
        bound = [binding for binding in game._keys().bindings if binding.keys == (NAMED.get(name, name),)]
        assert len(bound) == 1, name
        bound[0].handler(event)
    return event


NAMED = {
    "left": Keys.Left,
    "right": Keys.Right,
    "home": Keys.Home,
    "end": Keys.End,
    "enter": Keys.Enter,
    "escape": Keys.Escape,
}


def test_keys_step_type_numbers_turn_and_play_by_themselves() -> None:
    game = replay(record_with())
    for names, ply in (
        (("right",), 1), (("right", "right"), 3), (("left",), 2), (("end",), 4), (("right",), 4),
        (("home",), 0), (("left",), 0), (("enter",), 1), (("3", "enter"), 3),
        (("0", "1", "enter"), 1), (("9", "enter"), 1),
    ):  # fmt: skip
        game.playing = True
        assert press(game, *names).ended == "goes on"
        assert (game.ply, game.playing) == (ply, False) or names[-1] == "enter"
        assert game.ply == ply, names
    assert game.error == "there is no move 9: the game has 4" == game.where() and game.number == ""
    press(game, *"12345")
    assert game.number == "1234" and game.error == ""
    assert game.keys() == "go to move 1234: Enter goes, Esc forgets it"
    assert press(game, "escape").ended == "goes on" and game.number == ""
    assert press(game, "escape").ended is None and press(game, "q").ended is None
    press(game, "f")
    assert game.screen.flip is True
    press(game, "f")
    assert game.screen.flip is False


def test_autoplay_of_a_finished_game_begins_at_its_start() -> None:
    game = replay(record_with())
    assert len(press(game, "a").tasks) == 1 and game.playing and game.ply == 0
    assert game.keys() == "a move every 1 s; +: faster  -: slower  a: stop"
    press(game, "+", "+")
    assert game.keys().startswith("a move every 0.25 s")
    press(game, *"+++++++")
    assert game.keys().startswith("a move every 0.1 s")
    press(game, *"---------")
    assert game.keys().startswith("a move every 4 s")
    assert press(game, "a").tasks == [] and not game.playing
    game.go(4)
    assert len(press(game, "a").tasks) == 1 and game.ply == 0
    game.go(2)
    game.playing = False
    press(game, "a")
    assert game.ply == 2


def test_each_press_makes_it_a_step_faster_or_slower() -> None:
    game = replay(record_with())
    game.playing = True
    log = []
    for key in "---++++++":
        press(game, key)
        log.append(game.keys().partition(";")[0].removeprefix("a move every "))
    assert log == ["2 s", "4 s", "4 s", "2 s", "1 s", "0.5 s", "0.25 s", "0.1 s", "0.1 s"]


def test_replay_bars_show_values_of_moves() -> None:
    game = replay(record_with(), 0)
    game.shares = [None, 0.0, 0.124, 0.5, 0.99, 1.0]
    for unicode, bars in ((True, "·▁▁▅██"), (False, ".12599")):
        game.screen.theme = Theme(colour=False, unicode=unicode, interactive=False)
        assert game.values() == bars
    report = Report(value=3, depth=3)
    three = Match(registry.game("connect4:players=3"), [EmptySeat()] * 3, moves=["4"])
    two = Match(registry.game("connect4"), [EmptySeat()] * 2, moves=["4"])
    for match, result, known in (
        (two, report, True),
        (two, report.with_(depth=0), False),
        (two, report.with_(bound="unknown"), False),
        (two, None, False),
        (three, report, False),
    ):
        assert (panel.turn_share(match, structs.replace(match.turns[0], report=result)) is not None) is known


def test_leaving_a_continued_game_prints_the_resume_command() -> None:
    game = replay(record_with(), 2)
    assert press(game, "e").ended == ("engine", 2) and press(game, "s").ended == ("same", 2)
    game.onward = False
    assert press(game, "e").ended == "goes on" and game.error == ""
    assert game.keys().count("\n") == 0
    game.onward = True
    assert game.keys().split("\n")[1:] == [ONWARD]
    game.go(4)
    assert press(game, "e").ended == "goes on"
    assert game.error == "the game is over here; step back to play on" == game.where()
    press(game, "m")
    assert game.error == "no mistakes are known; gameplay review finds them"
    press(game, "r")
    assert game.error == "this move is not a mistake; m goes to the next one"


def test_mistake_command_goes_before_the_mistake() -> None:
    game = replay(record_with())
    game.review = cast(
        Any, SimpleNamespace(mistakes=[SimpleNamespace(ply=2), SimpleNamespace(ply=3)], moves=[])
    )
    game.where = lambda: ""
    for ply in (2, 3, 2):
        game.playing = True
        press(game, "m")
        assert (game.ply, game.playing, game.retry_ply()) == (ply, False, ply - 1)
    assert press(game, "r").ended == ("engine", 1)
    game.onward = False
    assert press(game, "r").ended == "goes on" and game.error == ""
    game.go(1)
    keys = game.keys()
    assert game.retry_ply() is None and keys.endswith(MISTAKES)


def test_replay_frame_has_values_and_text_rows() -> None:
    game = replay(record_with(), 4)
    lines, cursor = game.frame(100, 24)
    assert cursor is None and lines[-3].endswith("; o wins; x resigned") and lines[-2:] == [KEYS, ONWARD]
    assert lines[-4] == game.values() and len(lines) <= 24
    small, _ = game.frame(40, 8)
    assert len(small) == 8 and "resigned" in "".join(small)
    game.shares = [None] * 4
    assert len(game.frame(100, 24)[0]) == len(lines) - 1


def test_replay_starts_at_any_ply_and_continues_on_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(encode(record_with()))
    assert run(router, "gameplay", ["replay", str(file), "--ply", "4", "--plain"]) == 0
    assert run(router, "gameplay", ["replay", str(file), "--ply", "5", "--plain"]) == 6
    assert "--ply is 5; the game has 4 moves. Try: --ply 4" in capsys.readouterr().err
    done: list[Any] = []
    chosen: list[Any] = [None, ("engine", 3)]
    theme = replace(detect_theme(), interactive=True)
    monkeypatch.setattr(options.Drawing, "theme", lambda self: theme)
    monkeypatch.setattr(
        saved_games, "step_through", lambda record, theme, ply: done.append(ply) or chosen.pop(0)
    )

    class GameSession:
        def __init__(self, theme: Any, table: Any) -> None:
            done.append((theme.interactive, table.moves, table.specs))

        def run(self) -> None:
            done.append("played")

    monkeypatch.setattr(game_session, "GameSession", GameSession)
    assert run(router, "gameplay", ["replay", str(file)]) == 0
    assert run(router, "gameplay", ["replay", str(file), "--ply", "2"]) == 0
    assert done == [0, 2, (True, ["b2", "a1", "c1"], ["iterative", "human"]), "played"]
