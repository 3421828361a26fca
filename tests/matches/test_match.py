"""The referee: legality, chance, faults, undo, and reproducibility by seed."""

import re
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from random import Random
from statistics import pvariance
from types import SimpleNamespace
from typing import Any, cast

import pytest

from gameplay import registry
from gameplay.errors import BadInput, Fault, Usage
from gameplay.matches.match import Event, Match
from gameplay.matches.views import format_line
from gameplay.players.commands import Answer
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.engine import EnginePlayer
from gameplay.players.human import Human
from gameplay.players.player import Choice, MatchControl, Player
from gameplay.players.several import MoveQueue
from gameplay.position import CHANCE
from gameplay.search.seeds import seed_of
from gameplay.store.record import decode, encode, record_of, restore
from tests.support.paths import TESTS
from tests.support.play import STICKS

pytestmark = pytest.mark.once

DICE = '''
from gameplay import CHANCE, Position, undoable


class Race(Position):
    """Roll a die and add it, or stop; four rolls each."""

    chance = True

    def __init__(self):
        super().__init__()
        self.points = [0, 0]
        self.rolls = 0
        self.mover = 0

    def moves(self):
        return [0, 1] if self.turn != CHANCE else list(range(1, 7))

    @undoable
    def make(self, move):
        if self.turn == CHANCE:
            self.points[self.mover] += move
            self.mover = 1 - self.mover
            self.turn = self.mover
        else:
            self.rolls += 1
            if move:
                self.turn = CHANCE
            else:
                self.mover = 1 - self.mover
                self.turn = self.mover

    def outcome(self):
        if self.rolls < 8 or self.turn == CHANCE:
            return None
        mine, theirs = self.points
        return ((mine > theirs) - (mine < theirs), (theirs > mine) - (theirs < mine))
'''

FAULTY = '''
from gameplay import Position, undoable


class Faulty(Position):
    """Goes wrong at its third move."""

    wrong = ""

    def __init__(self):
        super().__init__()
        self.made = 0

    def moves(self):
        if self.made == 2 and self.wrong == "raises":
            raise KeyError("here")
        if self.made == 2 and self.wrong == "hangs":
            while True:
                pass
        return [] if self.made == 2 and self.wrong == "empty" else [0, 1]

    @undoable
    def make(self, move):
        self.made += 1
        self.turn = 1 - self.turn
        if self.made == 2 and self.wrong == "turn":
            self.turn = 7

    def outcome(self):
        if self.made == 2 and self.wrong == "outcome":
            return (1,)
        return None if self.made < 4 else (0, 0)


class Raises(Faulty):
    wrong = "raises"


class Hangs(Faulty):
    wrong = "hangs"


class Empty(Faulty):
    wrong = "empty"


class Turn(Faulty):
    wrong = "turn"


class Outcome(Faulty):
    wrong = "outcome"
'''


class RandomPlayer(Player):
    """Plays random legal moves, by seed and ply."""

    spec = name = "drawn"

    def choose(self, match: Match) -> Choice:
        return Choice(Random(seed_of(match.seed, len(match.turns))).choice(match.moves()))


class ScriptedPlayer(Player):
    """Plays the given choices, one a turn."""

    spec = name = "does"

    def __init__(self, *deeds: Callable[[Match], Choice | None]) -> None:
        self.deeds = list(deeds)

    def choose(self, match: Match) -> Choice | None:
        return self.deeds.pop(0)(match)


def say(word: str) -> Callable[[Match], Choice]:
    return lambda match: Choice(match.position.parse(word))


@pytest.fixture
def tictactoe() -> registry.Game:
    return registry.game("tictactoe")


def game_of(tmp_path: Path, source: str, name: str) -> registry.Game:
    file = tmp_path / f"match_{abs(hash(source))}.py"
    file.write_text(source)
    return registry.game(f"{file}:{name}")


def test_whole_game_is_played_reported_and_recorded(tictactoe: registry.Game) -> None:
    log: list[str] = []
    x = ScriptedPlayer(say("a1"), say("b1"), say("c1"))
    o = ScriptedPlayer(say("a2"), say("b2"))
    match = Match(tictactoe, [x, o], listeners=[lambda event: log.append(event.kind)])
    match.play()
    assert match.payoffs == (1, -1)
    assert match.reason == "rules"
    assert match.words() == ["a1", "a2", "b1", "b2", "c1"]
    assert log == ["begin", *["move"] * 5, "end"]
    record = decode(encode(record_of(match)), "here")
    again = Match(tictactoe, [EmptySeat("does")] * 2, record.start, record.words, record.seed)
    restore(again, record)
    assert encode(record_of(again)) == encode(record_of(match))


def test_an_illegal_move_is_the_players_fault(tictactoe: registry.Game) -> None:
    match = Match(tictactoe, [ScriptedPlayer(say("a1")), ScriptedPlayer(lambda match: Choice(0))])
    with pytest.raises(Fault, match=r'does made an illegal move, 0, after the moves "a1"'):
        match.play()
    assert match.words() == ["a1"]


def test_a_player_that_raises_is_named(tictactoe: registry.Game) -> None:
    def stumble(match: Match) -> Choice:
        raise RuntimeError("no idea")

    with pytest.raises(Fault, match="does raised RuntimeError: no idea"):
        Match(tictactoe, [ScriptedPlayer(stumble), RandomPlayer()]).play()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Raises", r"raises: moves\(\) raised KeyError: 'here' \(match_.*line \d+\)"),
        ("Empty", r"empty: moves\(\) is empty although outcome\(\) is None"),
        ("Turn", "turn is 7, not a player from 0 to 1"),
        ("Outcome", r"outcome\(\) returned \(1,\), not one payoff per player"),
    ],
)
def test_failing_game_is_a_fault_with_its_place(tmp_path: Path, name: str, words: str) -> None:
    match = Match(game_of(tmp_path, FAULTY, name), [RandomPlayer(), RandomPlayer()], seed=5)
    with pytest.raises(Fault, match=words):
        match.play()
    assert len(match.turns) == 2


def test_a_game_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gameplay.matches.match.CALL_SECONDS", 0.2)
    with pytest.raises(Fault, match=r"moves\(\) did not return within 0.2 seconds"):
        Match(game_of(tmp_path, FAULTY, "Hangs"), [RandomPlayer(), RandomPlayer()]).play()


def test_seed_determines_the_match(tmp_path: Path) -> None:
    game = game_of(tmp_path, DICE, "Race")

    def moves_of_game(seed: int) -> list[str]:
        match = Match(game, [RandomPlayer(), RandomPlayer()], seed=seed)
        match.play()
        return match.words()

    assert moves_of_game(3) == moves_of_game(3)
    assert len({tuple(moves_of_game(seed)) for seed in range(8)}) > 4


def test_dice_keep_their_values_after_undo(tmp_path: Path) -> None:
    match = Match(game_of(tmp_path, DICE, "Race"), [RandomPlayer(), RandomPlayer()], seed=11)
    match.play()
    words, payoffs = match.words(), match.payoffs
    assert match.undo(len(words) + 5) == len(words)
    assert match.payoffs is None and match.reason == ""
    match.play()
    assert (match.words(), match.payoffs) == (words, payoffs)


def test_undo_and_redo_go_back_and_forth(tictactoe: registry.Game) -> None:
    match = Match(tictactoe, [RandomPlayer(), RandomPlayer()], moves=["a1", "b2", "c3"])
    before = str(match.position)
    assert match.undo(2) == 2
    assert match.words() == ["a1"]
    assert match.redo(5) == 2
    assert str(match.position) == before
    match.undo()
    match.make(Choice(match.position.parse("a3")))
    assert match.redo() == 0, "a new move forgets what was taken back"


def test_a_resignation_can_be_taken_back(tictactoe: registry.Game) -> None:
    match = Match(
        tictactoe, [ScriptedPlayer(lambda match: match.resign(0)), RandomPlayer()], moves=["a1", "b2"]
    )
    match.play()
    assert (match.payoffs, match.reason) == ((-1, 1), "resigned")
    assert match.undo() == 1
    assert (match.payoffs, match.reason, match.words()) == (None, "", ["a1", "b2"])


def test_leaving_ends_a_match_without_result(tictactoe: registry.Game) -> None:
    match = Match(tictactoe, [ScriptedPlayer(lambda match: match.leave()), RandomPlayer()])
    match.play()
    assert (match.payoffs, match.reason) == (None, "unfinished")


def test_a_replica_shares_nothing(tictactoe: registry.Game) -> None:
    match = Match(tictactoe, [RandomPlayer(), RandomPlayer()], moves=["a1", "b2"])
    replica = match.replica()
    replica.make(replica.moves()[0])
    assert len(match.position.moves()) == 7
    assert match.spell([2, 3, 3]) == ["c1", "a2"], "a line is spelled as far as it is legal"


def test_wrong_moves_and_wrong_numbers_of_players_are_refused(tictactoe: registry.Game) -> None:
    with pytest.raises(BadInput, match="move 2: 'a1' is not a legal move"):
        Match(tictactoe, [RandomPlayer(), RandomPlayer()], moves=["a1", "a1"])
    with pytest.raises(BadInput, match="move 6, 'c3': the game is over before it"):
        Match(tictactoe, [RandomPlayer(), RandomPlayer()], moves=["a1", "a2", "b1", "b2", "c1", "c3"])
    with pytest.raises(Usage, match="tictactoe must have 2 players, not 3"):
        Match(tictactoe, [RandomPlayer()] * 3)


def test_a_listener_can_stop_a_search(tictactoe: registry.Game) -> None:
    match = Match(
        tictactoe, [RandomPlayer(), RandomPlayer()], listeners=[lambda event: False, lambda event: True]
    )
    assert match.notify(Event("report"))
    match.listeners.pop()
    assert not match.notify(Event("report"))


def throws(match: Match, *kinds: int) -> list[str]:
    """The rolls in a match, of dice with this number of faces."""
    return [turn.word for turn in match.turns if turn.player == CHANCE and len(turn.dice) in kinds]


class Holder(Player):
    """Rolls in a game of pig until the pot has this number of points."""

    def __init__(self, pot: int) -> None:
        self.spec = self.name = f"hold at {pot}"
        self.pot = pot

    def choose(self, match: MatchControl) -> Choice:
        mine = match.position.points[match.turn]
        enough = match.position.pot >= min(self.pot, match.position.goal - mine)
        return Choice(1 if enough else 0)


def test_dice_of_a_seed_do_not_depend_on_the_moves() -> None:
    cube = registry.game("backgammon:cube=on")
    board = registry.game("monopoly:players=3,rounds=6")

    def play_game(game: registry.Game, seed: int, number: int) -> Match:
        engines = [registry.engine("random")[0] for _ in range(game.new().players)]
        players = [EnginePlayer(engine, seed=number + seat) for seat, engine in enumerate(engines)]
        match = Match(game, players, seed=seed)
        match.play()
        return match

    for game, faces in ((cube, (21, 30)), (board, (21,))):
        left, right = play_game(game, 7, 0), play_game(game, 7, 100)
        both = list(zip(throws(left, *faces), throws(right, *faces), strict=False))
        at = [match.turns.index([t for t in match.turns if t.dice][len(both) - 1]) for match in (left, right)]
        assert len(both) > 4 and all(first == second for first, second in both)
        assert game is cube or at[0] != at[1], "the plies differ, the dice do not"
        assert throws(play_game(game, 8, 0), *faces)[:8] != throws(left, *faces)[:8]


def test_undone_dice_are_rolled_again() -> None:
    pig = registry.game(str(TESTS / "examples" / "games" / "pig.py"))
    match = Match(pig, [Holder(6), Holder(8)], seed=3)
    match.play()
    words = match.words()
    assert match.undo(len(words) // 2)
    kept = Match(pig, match.players, moves=match.words(), seed=3)
    for session in (match, kept):
        session.undone.clear()
        while not session.over():
            session.step()
        assert session.words() == words
    match.restart()
    match.play()
    assert match.words() == words


def test_the_same_dice_for_both_shrink_the_spread_of_a_pair() -> None:
    pig = registry.game(f"{TESTS / 'examples' / 'games' / 'pig.py'}:goal=25")

    def points(seed: int, first: int, second: int) -> float:
        match = Match(pig, [Holder(first), Holder(second)], seed=seed)
        match.play()
        assert match.payoffs is not None
        return match.payoffs[0]

    paired, apart = [], []
    for seed in range(40):
        home = points(seed, 10, 11)
        paired.append((home - points(seed, 11, 10)) / 2)
        apart.append((home - points(1000 + seed, 11, 10)) / 2)
    assert pvariance(paired) < 0.6 * pvariance(apart)


def test_seeds_depend_on_every_part() -> None:
    assert seed_of(1, 23) != seed_of(12, 3)
    assert 0 <= seed_of("a") < 2**63
    assert seed_of(7, "chance", 0) == 1243441835655936639, "the same on every machine, for ever"


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("moves", None),
        ("moves", ["roll", "hold"]),
        ("chances", None),
        ("chances", [(face, 1 / 6) for face in range(6)]),
        ("outcome", 1),
        ("outcome", ("won", "lost")),
    ],
)
def test_wrong_return_values_are_faults_that_name_the_game(name: str, given: object) -> None:
    pig = registry.game(str(TESTS / "examples" / "games" / "pig.py")).cls
    wrong = type("Wrong", (pig,), {name: lambda self: given})
    players = [EnginePlayer(registry.engine("random")[0]) for _ in range(2)]
    with pytest.raises(Fault, match=rf"wrong: {name}\(\) returned "):
        Match(registry.Game("wrong", "wrong", wrong), players).play()


class RecordingPlayer(ScriptedPlayer):
    """Records the view it received, and fails as given."""

    failure: Fault | None = None

    def begin(self, match: MatchControl) -> None:
        self.received = match
        if self.failure is not None:
            raise self.failure


def test_begin_reaches_every_player_and_names_the_failing_one(tictactoe: registry.Game) -> None:
    players = [RecordingPlayer(), RecordingPlayer()]
    match = Match(tictactoe, players, moves=["a1", "a2", "b1", "b2", "c1"])
    match.play()
    assert [player.received for player in players] == [match.view(0), match.view(1)]
    for kind, seat, blamed in (("start", None, 1), ("start", 0, 0), ("", None, None)):
        players[1].failure = Fault("no", kind)
        players[1].failure.seat = seat
        with pytest.raises(Fault) as caught:
            match.play()
        assert caught.value.seat == blamed


@pytest.mark.parametrize(
    ("error", "kind", "seat"),
    [
        (OSError("full"), None, None),
        (Usage("wrong"), None, None),
        (Fault("gone", "crash"), "crash", 0),
        (Fault("the game", ""), "", None),
        (ZeroDivisionError("x"), "crash", 0),
        (SystemExit(3), "crash", 0),
    ],
)
def test_exceptions_of_players_propagate_or_become_faults(
    error: BaseException, kind: str | None, seat: int | None, tictactoe: registry.Game
) -> None:
    def fail(match: Match) -> Choice:
        raise error

    match = Match(tictactoe, [ScriptedPlayer(fail), RandomPlayer()])
    with pytest.raises(type(error) if kind is None else Fault) as caught:
        match.step()
    if isinstance(caught.value, Fault):
        assert (caught.value.kind, caught.value.seat) == (kind, seat)
        assert isinstance(error, Fault) or "does raised" in str(caught.value)
    else:
        assert caught.value is error


def test_first_invalid_seat_is_reported() -> None:
    match = Match(registry.game("tictactoe"), [RandomPlayer(), RandomPlayer()])
    match.position = Wrong()
    with pytest.raises(Fault, match="turn is 2, not a player from 0 to 1, at the start"):
        match.step()


class Wrong:
    """A position that expects a third player."""

    turn = 2


def test_resignation_move_is_made_by_the_player_to_move() -> None:
    match = Match(registry.game("backgammon:cube=on"), [RandomPlayer(), RandomPlayer()], "", ["31"])
    for seat in (1 - match.turn, match.turn):
        if seat == match.turn:
            break
        with pytest.raises(Usage, match="you cannot resign now; answer first, or wait for your turn"):
            match.resign(seat)
    match.resign(match.turn)
    assert match.words() == ["31", "resign"] and match.reason in ("", "rules")


@pytest.mark.parametrize("spec", ["kuhn", "tictactoe"])
def test_hidden_information_is_hidden_until_a_result(spec: str) -> None:
    hidden = spec == "kuhn"
    match = Match(registry.game(spec), [RandomPlayer(), RandomPlayer()], seed=1)
    assert match.secrets is hidden
    match.leave()
    assert match.secrets is hidden, "without a result"
    match.reason = ""
    match.play()
    assert match.payoffs and not match.secrets
    match.rewind(1)
    assert match.secrets is hidden
    match.revealed = True
    assert not match.secrets


def test_a_deal_is_not_taken_back_but_moves_are_and_are_counted() -> None:
    match = Match(registry.game("kuhn"), [RandomPlayer(), RandomPlayer()], seed=1)
    while match.turn < 0:
        match.step()
    dealt = match.words()
    for _ in range(2):
        match.step()
    assert match.undo() == 1 and match.undo(9) == 1 and match.undo() == 0
    assert (match.words(), match.taken_back) == (dealt, 2)
    battle = Match(registry.game("phantom-tictactoe"), [RandomPlayer(), RandomPlayer()], moves=["b2"])
    battle.resign(battle.turn)
    assert battle.undo(1) == 1 and battle.reason == "" and len(battle.words()) == 1
    battle.resign(battle.turn)
    assert battle.undo(9) == 2 and battle.words() == [] and battle.taken_back == 3
    log: list[str] = []
    match.listeners.append(lambda event: log.append(event.kind))
    match.restart()
    assert (match.words(), match.taken_back, log) == ([], 0, ["restart"])


def test_match_events_arrive_in_order(tictactoe: registry.Game) -> None:
    log: list[tuple[str, str]] = []
    match = Match(tictactoe, [RandomPlayer(), RandomPlayer()], moves=["a1", "b2"])
    match.listeners.append(lambda event: log.append((event.kind, event.turn.word if event.turn else "")))
    match.resign(0)
    assert match.note == "" and match.forfeit(0) == (-1, 1) and match.forfeit(1) == (1, -1)
    assert match.undo(2) == 2 and match.redo(1) == 1 and match.redo(0) == 0
    match.draw(claimed=True)
    assert match.undo() == 1
    match.restart()
    assert match.redo(1) == 0, "what was taken back is no part of the new game"
    assert log == [("reopen", ""), ("undo", "b2"), ("redo", "b2"), ("reopen", ""), ("restart", "")]
    assert match.redo() == 0 and match.words() == []


def test_players_agree_on_the_final_score(tictactoe: registry.Game) -> None:
    match = Match(tictactoe, [RandomPlayer(), RandomPlayer()], moves=["a1", "a2", "b1", "b2", "c1"])
    log: list[str] = []
    match.listeners.append(lambda event: log.append(event.kind))
    match.count([-1, 1], -2.5, "so we say")
    assert (match.payoffs, match.reason, match.margin, match.note) == ((-1, 1), "counted", -2.5, "so we say")
    assert log == ["end"] and match.undo() == 1
    assert (match.payoffs, match.reason, match.margin, match.note) == (None, "", None, "")
    assert len(match.words()) == 4, "it is no end before its rules: a move is taken back"


def test_defaults_of_a_player_with_choose_only() -> None:
    """It agrees to nothing, has no expectations, and is asked for moves only."""

    class One(Player):
        spec = name = "one"

    player = One()
    match: Any = None
    assert (player.display_name, player.limit, player.resigns, player.reusable, player.engine) == (
        "",
        None,
        True,
        False,
        None,
    )
    assert player.accepts_draw(match) is False and player.offers_draw(match) is False
    assert player.contradiction(match) == ""
    for call in (player.choose, player.use):
        with pytest.raises(NotImplementedError):
            call(match)
    nobody = EmptySeat("human", "Ann")
    assert (nobody.spec, nobody.display_name, nobody.name, EmptySeat("human").name) == (
        "human",
        "Ann",
        "Ann",
        "human",
    )


def test_human_is_prompted_until_a_move_is_made() -> None:
    prompts: list[str] = []
    choice = Choice(3)
    answers = {
        "what": Answer("what?"),
        "": Answer(),
        "go": Answer("", choice),
        "undo": Answer("taken back", done=True),
    }

    def session(*lines: str, proposal: str = "") -> Human:
        left = list(lines)
        player_input = SimpleNamespace(
            read=lambda match, interpreter: left.pop(0), show_answer=prompts.append
        )
        interpreter = SimpleNamespace(
            queue=MoveQueue(), proposal=lambda match: proposal, execute=lambda line, match: answers[line]
        )
        return Human(cast(Any, player_input), cast(Any, interpreter), "Ann")

    match = cast(Any, SimpleNamespace(clock=None))
    assert session("what", "", "go", "undo").choose(match) is choice and prompts == ["what?"]
    prompts.clear()
    assert session("undo", "go", proposal="a draw?").choose(match) is None
    assert prompts == ["a draw?", "taken back"]
    prompts.clear()
    for fallen, chosen in ((True, None), (False, choice)):
        timed = cast(Any, SimpleNamespace(clock=SimpleNamespace(flag_fallen=lambda fallen=fallen: fallen)))
        assert session("go").choose(timed) is chosen and prompts == []
    ann = session()
    assert (ann.spec, ann.display_name, ann.name) == ("human", "Ann", "Ann")
    plain = Human(ann.input, ann.interpreter)
    assert (plain.display_name, plain.name) == ("", "human")


def test_a_call_into_a_game_of_a_user_may_take_ten_seconds(
    tictactoe: registry.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games of the package are exempt: their code returns."""
    waited: list[tuple[float, str]] = []

    def time_limit(seconds: float, what: str) -> Any:
        waited.append((seconds, what))
        return nullcontext()

    monkeypatch.setattr("gameplay.matches.match.time_limit", time_limit)
    sticks = registry.game(str(STICKS))
    Match(sticks, [EmptySeat(), EmptySeat()]).show()
    assert set(waited) == {
        (10.0, f"{sticks.name}: {what}") for what in ("the start", "outcome()", "__str__()")
    }
    waited.clear()
    Match(tictactoe, [EmptySeat(), EmptySeat()]).show()
    assert waited == []


@pytest.mark.parametrize("length", [160, 161])
def test_wrong_return_values_are_quoted_up_to_a_length(length: int, tictactoe: registry.Game) -> None:
    match = Match(tictactoe, [EmptySeat(), EmptySeat()])
    text = "x" * (length - 2)
    match.position = SimpleNamespace(moves=lambda: text, outcome=lambda: None, turn=0)
    message = f"'{text}'" if length == 160 else f"'{text}"[:157] + "..."
    with pytest.raises(Fault, match=re.escape(f"moves() returned {message}, not moves, which are ints")):
        match.moves()


def test_lines_are_spelled_from_any_number_of_moves_as_from_a_replica() -> None:
    match = Match(registry.game("chess"), [EmptySeat("human")] * 2)
    for word in ("e4", "e5", "Nf3", "Nc6"):
        match.make(Choice(match.position.parse(word)))

    def check(*plies: int | None) -> None:
        for count in plies:
            position = match.replica(count)
            line = [position.moves()[-1]]
            position.make(line[0])
            line.append(position.moves()[0])
            assert match.spell([*line, 0], count) == format_line(match.replica(count), line)

    check(0, 3, 1, None, 4, 2)
    match.undo(2)
    check(None, 1)
    match.make(Choice(match.position.parse("f4")))
    check(None, 3, 2)
    match.restart()
    check(None, 0)
    match.redo(2)
    check(0, None)
