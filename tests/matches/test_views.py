"""The view of a seat of a match: never more than its player may see, with any players and spectators."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.display.terminal import panel
from gameplay.display.terminal.line import PlainOutput
from gameplay.display.terminal.screen import Screen
from gameplay.display.terminal.stream import Stream
from gameplay.display.theme import Theme
from gameplay.errors import Fault
from gameplay.matches.match import Event, Match
from gameplay.matches.views import View, format_line
from gameplay.players import judge, seats
from gameplay.players.advice_commands import _describe_region
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.human import Human
from gameplay.players.interpreter import Interpreter
from gameplay.players.player import Choice, Player, Turn
from gameplay.position import Position
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.session import Session
from tests.support.conformance import check
from tests.support.paths import ROOT, TESTS
from tests.support.themes import PLAIN

KUHN, ROSHAMBO, TRICKS = (f"{TESTS}/examples/games/{name}.py" for name in ("kuhn", "roshambo", "tricks"))
CARDS = f"{ROOT}/gameplay/games/tree/files/card-game.toml"


class Spy(Player):
    """Examines and records all that it receives, and plays the first move."""

    spec = name = "spy"

    def __init__(self) -> None:
        self.received: list[Any] = []

    def choose(self, match: Any) -> Choice:
        moves = match.moves()
        self.received.append(
            {
                "position": match.position.key(),
                "replica": match.replica().key(),
                "knows": match.position.infoset(match.seat),
                "words": match.words(),
                "moves": [turn.move for turn in match.turns],
                "show": match.show(),
                "text": match.spell([moves[0]]),
            }
        )
        return Choice(moves[0])


class PlayerInput:
    """Input of prepared lines."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.received: list[str] = []
        self.messages: list[str] = []

    def read(self, match: Any, interpreter: Interpreter) -> str:
        self.received.append(match.show())
        return self.lines.pop(0)

    def show_answer(self, text: str) -> None:
        self.messages.append(text)


def test_player_receives_a_position_consistent_with_its_view() -> None:
    """The sampled deals are those consistent with the own card: sometimes the true one, never always."""
    true, drawn = 0, set()
    for seed in range(60):
        spies = [Spy(), Spy()]
        match = Match(registry.game(KUHN), spies, seed=seed)
        match.play()
        deal = match.turns[0].word
        for seat, spy in enumerate(spies):
            for seen in spy.received:
                assert seen["knows"][0] == deal[seat], "the own card is the true one"
                assert seen["position"] == seen["replica"] and seen["position"][seat] == deal[seat]
                assert seen["words"][0] == "?" and seen["moves"][0] == -1, "nobody sees both cards"
                assert seen["show"] == f"{match.side(seat)} knows: {seen['knows']}"
                true += seen["position"][:2] == deal
                drawn.add(seen["position"][:2])
        assert spies[1].received[0]["words"][1:] == ["pass"], "bets are made openly"
    assert drawn == {"JQ", "JK", "QJ", "QK", "KJ", "KQ"}
    assert 40 < true < 80, "of 120, half"


def test_the_same_match_hands_out_the_same_views() -> None:
    def play_spies() -> list[Any]:
        spies = [Spy(), Spy()]
        Match(registry.game(KUHN), spies, seed=7).play()
        return [spy.received for spy in spies]

    assert play_spies() == play_spies()


def test_views_of_perfect_information_copy_nothing() -> None:
    match = Match(registry.game("tictactoe"), [EmptySeat(), EmptySeat()], moves=["a1"])
    for seat in (0, 1, None):
        view = match.view(seat)
        assert view.position is match.position and view.turns is match.turns
        assert view.replica() is not match.position and view is match.view(seat)
        assert view.board() == match.board() and view.show() == str(match.position)


def test_when_the_game_has_ended_all_is_shown() -> None:
    match = Match(registry.game(KUHN), [EmptySeat(), EmptySeat()], moves=["KJ", "pass", "pass"])
    assert match.view(0).position is match.position and match.view(1).words() == ["KJ", "pass", "pass"]
    match.undo()
    assert match.view(1).words() == ["?", "pass"] and match.view(1).position is not match.position
    match.leave()
    assert match.view(1).words() == ["?", "pass"], "it may be resumed"
    assert match.view().words() == ["KJ", "pass"], "who has no seat sees all"


def test_engine_searches_its_players_view(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []
    search = Session.search

    def looks(self: Session, position: Any, *how: Any, copy: bool) -> Any:
        searched.append(position.deal)
        return search(self, position, *how, copy=copy)

    monkeypatch.setattr(Session, "search", looks)
    game = registry.game(KUHN)
    true = 0
    for seed in range(20):
        match = Match(game, [seats.player("random", game), seats.player("random", game)], seed=seed)
        match.play()
        deal = match.turns[0].word
        assert searched[0][0] == deal[0] and searched[1][1] == deal[1]
        true += searched[0] == deal
        searched.clear()
    assert 4 < true < 16, "of 20, half"


def test_random_choices_depend_on_known_information_only() -> None:
    """The same card and bets give the same move, whatever the opponent holds."""
    chosen: dict[str, set[str]] = {}
    game = registry.game(KUHN)
    for deal in ("JQ", "JK", "KQ", "KJ", "QJ", "QK"):
        match = Match(game, [seats.player("random", game, 5), seats.player("random", game, 6)], moves=[deal])
        match.step()
        chosen.setdefault(deal[0], set()).add(match.turns[-1].word)
    assert all(len(words) == 1 for words in chosen.values()) and len(chosen) == 3


def test_game_without_drawing_names_the_method_to_write(tmp_path: Path) -> None:
    source = Path(KUHN).read_text()
    before, _, after = source.partition("    def determinize")
    file = tmp_path / "kuhn.py"
    file.write_text(before + "    def format" + after.partition("    def format")[2])
    match = Match(registry.game(str(file)), [Spy(), Spy()], seed=1)
    with pytest.raises(Fault, match=r"Kuhn has imperfect information: it needs determinize\(player, rng\)"):
        match.play()


def test_board_without_a_viewer_argument_works_in_perfect_information_games(tmp_path: Path) -> None:
    text = (
        "from gameplay import Board, Position\n"
        "class Old(Position):\n"
        "    hidden = HIDDEN\n"
        "    def moves(self): return [0]\n"
        "    def make(self, move): self.turn = 1 - self.turn\n"
        "    def outcome(self): return None\n"
        "    def infoset(self, player): return self.turn\n"
        "    def determinize(self, player, rng): return self\n"
        "    def board(self, last=None):\n"
        "        return Board((('x',),), ('a',), ('1',), {'x': 0}, last=((0, 0),) if last == 0 else ())\n"
    )
    (tmp_path / "old.py").write_text(text.replace("HIDDEN", "False"))
    open_match = Match(registry.game(str(tmp_path / "old.py")), [EmptySeat(), EmptySeat()], moves=["0"])
    board = open_match.view(0).board()
    assert board is not None and board.last == ((0, 0),)
    (tmp_path / "secret.py").write_text(text.replace("HIDDEN", "True"))
    secret = registry.game(str(tmp_path / "secret.py"))
    with pytest.raises(Fault, match="unexpected keyword argument 'viewer'"):
        Match(secret, [EmptySeat(), EmptySeat()]).view(0).board()
    first = check(secret, 1).broken[0]
    assert first.law == "views" and "write def board(self, viewer=None, last=None)" in first.seen


# -- people ---------------------------------------------------------------------------------------


def play_output(match: Match, play: Callable[[], None]) -> str:
    out = io.StringIO()
    plain_output = PlainOutput(PLAIN, out)
    plain_output.match = match
    match.listeners = [plain_output]
    match.notify(Event("begin"))
    play()
    return out.getvalue()


def test_lines_show_a_player_only_their_information() -> None:
    match = Match(registry.game(KUHN), [EmptySeat("human"), EmptySeat("random")], seed=1)

    def play() -> None:
        match.make(Choice(match.position.parse("JQ")))
        listener: Any = match.listeners[0]
        listener.turn(match.view(0))
        match.make(Choice(0))
        match.make(Choice(1))
        match.undo()

    assert play_output(match, play).splitlines() == [
        f"game: {KUHN}:Kuhn",
        "first: human",
        "second: random",
        "chance makes a move that you do not see",
        "first knows: J",
        "first to move",
        "first plays pass",
        "second plays bet",
        "second takes back bet",
    ]


def test_shared_screen_hides_information_hidden_from_any_player() -> None:
    match = Match(registry.game(ROSHAMBO), [EmptySeat("human"), EmptySeat("human")])
    text = play_output(match, lambda: match.make(Choice(1)))
    assert "first makes a move that you do not see" in text and "paper" not in text


def test_stream_hides_information_hidden_from_users() -> None:
    for others, word in (("human", None), ("random", "JQ")):
        out = io.StringIO()
        match = Match(registry.game(KUHN), [EmptySeat(others), EmptySeat("random")], seed=1)
        stream = Stream(out)
        stream.match, match.listeners = match, [stream]
        match.make(Choice(match.position.parse("JQ")))
        assert json.loads(out.getvalue())["move"] == word
        match.listeners = []
        match.notify(Event("begin"))
    assert panel.human_viewers(match) == [], "engines among themselves have nothing to hide from who looks on"


def test_commands_of_a_player_reveal_nothing_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "Limit", lambda seconds, **more: Limit(simulations=50, **more))
    interpreter = Interpreter()
    player_input = PlayerInput(["show", "moves", "hint", "eval", "bet", "pass"])
    human = Human(player_input, interpreter)
    match = Match(registry.game(KUHN), [human, seats.player("random", registry.game(KUHN))], seed=3)
    match.step()
    match.step()
    looks = f"first knows: {match.turns[0].word[0]}"
    assert set(player_input.received) == {looks}
    assert player_input.messages[:2] == [looks, "2 legal moves: bet pass"] and len(player_input.messages) == 4
    hidden = match.turns[0].word
    assert "on average" in player_input.messages[2] and "simulations" in player_input.messages[3]
    assert all(hidden not in advice for advice in player_input.messages[2:])


def test_a_screen_shows_nothing_while_the_keyboard_is_passed() -> None:
    match = Match(registry.game(KUHN), [EmptySeat("human"), EmptySeat("human")], moves=["JQ"])
    screen = Screen(PLAIN)
    screen.match = match
    assert screen.needs_cover(0) and "knows" not in screen.ansi(80, 24)
    screen.holder = 0
    assert not screen.needs_cover(0) and "first knows: J" in screen.ansi(80, 24)
    match.make(Choice(0))
    assert screen.needs_cover(1) and "knows" not in screen.ansi(80, 24)
    screen.holder = 1
    text = screen.ansi(80, 24)
    assert "second knows: Qp" in text and "first [pass]" in text and "?" not in text and "J" not in text


def test_only_human_sees_their_hand_during_other_turns() -> None:
    match = Match(registry.game(KUHN), [EmptySeat("random"), EmptySeat("human")], moves=["JQ"])
    screen = Screen(PLAIN, viewer=1)
    screen.match = match
    assert "second knows: Q" in screen.ansi(80, 24) and not screen.needs_cover(1)


def test_a_finished_game_is_replayed_openly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    match = Match(registry.game(KUHN), [EmptySeat("human"), EmptySeat("human")], moves=["JQ", "pass", "pass"])
    from gameplay.store import trust
    from gameplay.store.record import record_of
    from gameplay.store.saved import write_record

    monkeypatch.setattr(trust, "_session", set())  # tests before it may have started games of this file
    write_record(record_of(match), file)
    assert run(router, "gameplay", ["replay", str(file), "--plain"]) == 6  # its game is a file of Python
    assert "gameplay trust" in capsys.readouterr().err
    trust.trust_started(KUHN, [])
    assert run(router, "gameplay", ["replay", str(file), "--plain"]) == 0
    assert "chance plays JQ" in capsys.readouterr().out
    match.undo()
    write_record(record_of(match), file)
    assert run(router, "gameplay", ["replay", str(file), "--plain"]) == 0
    assert "JQ" not in capsys.readouterr().out.replace(str(file), "")


# -- trees ----------------------------------------------------------------------------------------


def test_a_tree_shows_the_nodes_of_an_infoset() -> None:
    position = registry.game(CARDS).new("black raise")
    assert position.show(1).splitlines() == [
        "Myerson's card game",
        "",
        "start: chance",
        "|- red (1/2): first {red}",
        "|  |- raise: second {raised}  <- here?",
        "|  |  |- meet: 2",
        "|  |  `- pass: 1",
        "|  `- fold: 1",
        "`- black (1/2): first {black}",
        "   |- raise: second {raised}  <- here?",
        "   |  |- meet: -2",
        "   |  `- pass: 1",
        "   `- fold: -1",
    ]
    assert position.show(0) == registry.game(CARDS).new("black raise").show(0)
    assert position.show() == str(position)


def test_visibility_of_branches_of_a_tree() -> None:
    start = registry.game(CARDS).new()
    assert [start.sees(player, 0) for player in (0, 1)] == [True, False], "the card is the first one's"
    red = registry.game(CARDS).new("red")
    assert red.sees(1, 0), "that he raises is seen"
    assert not red.sees(1, 1), "nobody asks the second one then"
    assert registry.game("tictactoe").new().sees(1, 0)


# -- the view itself ------------------------------------------------------------------------------


def test_view_exposes_only_the_current_position() -> None:
    match = Match(registry.game(KUHN), [EmptySeat(), EmptySeat()], moves=["JQ", "pass"], seed=4)
    view = match.view(1)
    assert view.replica(2).key() == view.replica().key()
    with pytest.raises(ValueError, match="only the current position"):
        view.replica(0)
    assert view.spell([1, 1]) == ["bet", "bet"] and view.spell([1], 2) == ["bet"]
    assert view.spell([1], 1) == [] and match.view().spell([1], 1) == ["bet"]
    assert match.view(0).moves() == [], "it is the other's turn"
    assert view.moves() == [0, 1] and view.turn == 1


def test_undo_removes_sampled_chance_moves() -> None:
    match = Match(registry.game(KUHN), [EmptySeat(), EmptySeat()], moves=["JQ", "pass"], seed=4)
    view = match.view(1)
    assert view.position is view.position and view.position.bets == "p"
    view.undo()
    assert view.position.bets == "" and view.position.deal[1] == "Q"
    view.redo()
    assert view.position.bets == "p"
    view.restart()
    assert view.position.deal == ""


def test_seed_of_a_view_reveals_no_deal() -> None:
    match = Match(registry.game(KUHN), [EmptySeat(), EmptySeat()], moves=["JQ"], seed=4)
    assert len({match.view(0).seed, match.view(1).seed, match.seed}) == 3 and match.view().seed == 4
    assert Match(registry.game("tictactoe"), [EmptySeat(), EmptySeat()], seed=4).view(1).seed == 4


def test_report_is_visible_to_the_mover_only() -> None:
    match = Match(registry.game(KUHN), [EmptySeat(), EmptySeat()], moves=["JQ"])
    match.make(Choice(0, Report(move=0, value=-1)))
    assert match.view(0).turns[-1].report is not None and match.view(1).turns[-1].report is None
    assert match.view().turns[-1].report is not None


def test_hidden_move_is_not_marked_on_the_board() -> None:
    match = Match(
        registry.game(TRICKS), [EmptySeat(), EmptySeat()], moves=["K", "6", "9", "T", "7", "A", "9"]
    )
    first, second = match.view(0).board(), match.view(1).board()
    assert first is not None and second is not None
    assert first.trays[0].things == ("?",) * 3 and first.trays[2].things == ("7", "K")
    assert second.trays[0].things == ("?",) * 2 and second.trays[2].things == ("6", "T", "A")
    assert first.last == second.last == ((1, 0),) and not first.moves and len(second.moves) == 3
    requests: list[Any] = []
    match.undo()
    match.position.board = lambda viewer=None, last=None: requests.append((viewer, last))
    for seat in (0, 1, None):
        match.view(seat).board()
    last = match.turns[-1]
    assert last.word == "A" and requests == [(0, None), (1, last.move), (None, last.move)]


def test_default_visibility_of_a_move() -> None:
    class Secret(Position):
        hidden = True

    position = Secret()
    assert [position.sees(player, 0) for player in (0, 1)] == [True, False], "its mover"
    assert [Position().sees(player, 0) for player in (0, 1)] == [True, True]


def test_reports_about_own_cards_are_hidden() -> None:
    report = Report(move=1, value=5, depth=3, nodes=99, seconds=0.1, pv=(1,))
    for others, told_of in (("human", False), ("random", True)):
        match = Match(registry.game(KUHN), [EmptySeat(others), EmptySeat("mcts")], moves=["JQ", "pass"])
        screen = Screen(PLAIN, viewer=0)
        out = io.StringIO()
        plain_output = PlainOutput(PLAIN, out)
        screen.match = plain_output.match = match
        match.listeners = [screen, plain_output]
        match.make(Choice(1, report))
        assert (screen.report is not None) == told_of
        assert ("depth 3" in out.getvalue()) == told_of and "second plays bet" in out.getvalue()


def test_leaving_clears_the_hand_from_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    match = Match(registry.game(KUHN), [EmptySeat("human"), EmptySeat("human")], moves=["JQ"])
    screen = Screen(Theme(colour=False, unicode=True, interactive=False))
    screen.match, screen.holder = match, 0
    match.leave()
    screen.show_final()
    text = capsys.readouterr().out
    assert "the game is unfinished" in text and "knows" not in text


def test_a_nudge_names_no_card() -> None:
    match = Match(registry.game(TRICKS), [EmptySeat(), EmptySeat()], moves=["K", "6", "9", "T", "7", "A"])
    assert "leave the other few good answers" in _describe_region(match.view(0), match.moves()[0])


ASKED = ["over", "side", "call_game", "watch", "moves", "replica", "board", "show", "seed_for"]
DONE = ["undo", "redo", "restart", "resign", "draw", "count", "leave"]


class RecordingMatch:
    """Replaces a match: records its calls, and answers with their argument or name."""

    def __init__(self, secrets: bool) -> None:
        self.secrets = secrets
        self.calls: list[tuple[str, tuple[Any, ...]]] = []

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any) -> Any:
            self.calls.append((name, arguments))
            return name, arguments

        return call if name in ASKED + DONE else name


def test_view_forwards_requests_to_the_match() -> None:
    for secrets in (False, True):
        match: Any = RecordingMatch(secrets)
        view = View(match, 1)
        for name in ("game", "players", "start", "clock", "turn", "payoffs", "reason"):
            assert getattr(view, name) == name
        assert view.secrets == secrets and view.sees_all != secrets and View(match, None).sees_all
        for name, arguments in (
            ("over", ()),
            ("side", (1,)),
            ("call_game", ("parse()", int, "7")),
            ("watch", (Report(),)),
        ):
            assert getattr(view, name)(*arguments) == (name, arguments)
        assert view.undo() == ("undo", (1,)) and view.redo() == ("redo", (1,))
        assert view.undo(3) == ("undo", (3,)) and view.redo(3) == ("redo", (3,))
        match.calls.clear()
        view.restart()
        view.resign(1)
        view.draw()
        view.draw(True)
        view.count((1, -1), 2.5, "agreed")
        view.leave()
        assert match.calls == [
            ("restart", ()),
            ("resign", (1,)),
            ("draw", (False,)),
            ("draw", (True,)),
            ("count", ((1, -1), 2.5, "agreed")),
            ("leave", ()),
        ]
        seat = 1 if secrets else None
        assert view.board() == ("board", (seat,)) and view.show() == ("show", (seat,))
    assert view.seed == ("seed_for", ("player", 1)) and View(match, None).seed == "seed"
    assert View(match, None).replica(4) == ("replica", (4,)) and View(match, None).moves() == ("moves", ())


def test_line_is_cut_at_the_first_illegal_move() -> None:
    game = registry.game("tictactoe")
    words = ["a1", "b1", "a2", "b2", "a3"]
    line = [game.new().parse(word) for word in words]
    assert format_line(game.new(), [*line, line[0]]) == words, "then it is over"
    assert format_line(game.new(), [line[0], line[0], line[1]]) == ["a1"]
    assert format_line(game.new(), []) == []
    assert format_line(game.new("a1 b1 a2 b2 a3"), line) == []


def test_hidden_parts_of_a_turn_are_veiled_for_other_players() -> None:
    match = Match(registry.game(KUHN), [EmptySeat(), EmptySeat()], moves=["JQ"])
    report = Report(value=3)
    mine = Turn(0, 5, "bet", report, 1.5, (1,), ("news",))
    seen = Turn(0, 5, "bet", report, 1.5, (), ("news",))
    match.turns[:] = [mine, seen]
    assert match.view(0).turns == match.view().turns == [mine, seen]
    assert match.view(1).turns == [
        Turn(0, -1, "?", None, 1.5, (1,), ()),
        Turn(0, 5, "bet", None, 1.5, (), ("news",)),
    ]
