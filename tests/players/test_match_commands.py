"""Commands of a match: offers and claims of draws, resignation."""

from typing import Any

import pytest

from gameplay import registry
from gameplay import value as scale
from gameplay.display.terminal import panel
from gameplay.errors import Usage
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.interpreter import Interpreter
from gameplay.players.player import Choice, Turn
from gameplay.search.report import Report
from tests.support.interpreter import GAMES, execute, match_of

pytestmark = pytest.mark.once


class Opponent(EmptySeat):
    """Accepts draws or declines them."""

    def __init__(self, agrees: bool) -> None:
        super().__init__("opponent")
        self.agrees = agrees

    def accepts_draw(self, match: Any) -> bool:
        return self.agrees

    def offers_draw(self, match: Any) -> bool:
        return self.agrees


@pytest.mark.parametrize("agrees", [True, False])
def test_draw_is_offered_to_the_opponent(agrees: bool) -> None:
    match = Match(registry.game("chess"), [EmptySeat("human"), Opponent(agrees)], moves=["e4", "e5"])
    answer = Interpreter().execute("draw", match)
    if not agrees:
        assert answer.text == "opponent declines the draw" and not match.over()
        return
    assert answer.done and match.payoffs == (0, 0) and match.reason == "agreed"
    assert panel.describe_result(match) == "draw agreed"
    assert match.undo() == 1 and not match.over() and match.words() == ["e4", "e5"]


def test_examples_of_moves_reveal_no_hidden_information() -> None:
    reply = Interpreter().invitation(match_of("scrabble", "A E I N R S T B C D E F G H"))
    assert reply == "type a move (8H word, H8 down, -AEI, -) or help"
    assert "(1 2 3 4 5 6 7)" in Interpreter().invitation(match_of("connect4"))


def test_human_is_prompted_to_accept_a_draw() -> None:
    interpreter, match = Interpreter(), match_of("chess", "e4")
    message = "black offers a draw; white, do you agree? yes or no"
    assert execute(interpreter, match, "draw") == message
    assert interpreter.invitation(match) == "a draw is offered: type yes or no"
    assert interpreter.meaning("yes", match) == (True, "Enter agrees to a draw")
    assert execute(interpreter, match, "no") == "the draw is declined"
    assert "not" in execute(interpreter, match, "yes"), "it is not offered any more"
    execute(interpreter, match, "draw")
    assert execute(interpreter, match, "e5") == "e5", "to move on is to decline"
    assert not interpreter.match_commands.question(match)
    execute(interpreter, match, "draw")
    assert interpreter.execute("y", match).done and match.reason == "agreed"


@pytest.mark.parametrize("game", ["thrice", "tricks"])
def test_draw_offers_require_two_players_and_perfect_information(game: str) -> None:
    game_class = registry.game(str(GAMES / f"{game}.py"))
    match = Match(game_class, [EmptySeat("human") for _ in range(game_class.new().players)])
    while match.turn < 0:
        match.step()
    assert "draws by agreement need a two-player zero-sum game of perfect information" in execute(
        Interpreter(), match, "draw"
    )


def test_a_draw_is_claimed_by_the_rule() -> None:
    match = match_of("chess:claims=off", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8")
    assert Interpreter().execute("draw", match).done
    assert match.reason == "claimed" and panel.describe_result(match) == "draw claimed: threefold repetition"


@pytest.mark.parametrize(
    ("start", "agrees"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", False),  # the engine, White, is a pawn ahead
        ("4k3/4p3/8/8/8/8/8/4K3 b - - 0 1", True),  # ... a pawn behind
        ("4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1", True),  # ... level
    ],
)
def test_an_engine_agrees_if_it_is_not_ahead(start: str, agrees: bool) -> None:
    engine, match = long_level(start)
    assert engine.accepts_draw(match.view(1)) is agrees


def long_level(start: str, *values: float, **last: Any) -> tuple[Any, Match]:
    """An engine and its match, in which its last moves had these values (default: eight times 0)."""
    engine = seats.player("minimax:depth=1", registry.game("chess"))
    match = Match(registry.game("chess"), [engine, EmptySeat("human")], start)
    engine.begin(match.view(0))
    for value in values or 8 * [0]:
        match.turns.append(Turn(0, 0, "Ke2", Report(value=value, depth=1, **last)))
    match.replica = lambda plies=None: registry.game("chess").new(start)
    return engine, match


@pytest.mark.parametrize(
    ("values", "facts", "agrees"),
    [
        (7 * [0], {}, False),  # too few of its own moves
        ([20, -20, 20, 0, -300, 20, 20, 20], {}, True),  # 20: 0.20 pawns
        ([0, 0, 21, 0, 0, 0, 0, 0], {}, False),  # it was ahead a moment ago
        ([300, *8 * [0]], {}, True),  # long ago
        ([0], {"exact": True}, True),  # it knows
        ([scale.WIN - 3], {"exact": True}, False),
    ],
)
def test_an_engine_agrees_after_a_while_of_level_values(
    values: list[float], facts: dict[str, Any], agrees: bool
) -> None:
    engine, match = long_level("4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1", *values, **facts)
    assert engine.accepts_draw(match.view(1)) is agrees


def test_a_move_from_a_book_is_no_search() -> None:
    engine, match = long_level("4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1", *(7 * [0]))
    match.turns.append(Turn(0, 0, "Ke2", Report(source="book")))
    assert not engine.accepts_draw(match.view(1))


@pytest.mark.parametrize(
    ("game", "values", "facts", "offers"),
    [
        ("chess", 19 * [0], {}, False),  # too soon
        ("chess", [300, *10 * [20], *10 * [-20]], {}, True),
        ("chess", [*19 * [0], 21], {}, False),  # ahead
        ("chess", [*19 * [0], -21], {}, False),  # behind: it would not be answered by yes
        ("chess", 21 * [0], {}, False),  # it has just offered one
        ("chess", 40 * [0], {}, True),
        ("chess", 20 * [0], {"source": "book"}, False),  # offered already, and a book's move since
        ("checkers", 20 * [0], {}, True),
        ("connect4", 20 * [0], {}, False),  # nobody agrees on draws there
    ],
)
def test_an_engine_offers_a_draw_after_a_long_while_of_level_values(
    game: str, values: list[float], facts: dict[str, Any], offers: bool
) -> None:
    game_class = registry.game(game)
    match = Match(game_class, [seats.player("minimax:depth=1", game_class), EmptySeat("human")])
    for value in values:
        match.turns.append(Turn(0, 0, "a1", Report(value=value, depth=1)))
    if facts:
        match.turns.append(Turn(0, 0, "a1", Report(**facts)))
    match.position.make(match.moves()[0])
    interpreter = Interpreter()
    assert match.players[0].offers_draw(match.view(1)) is offers
    message = "minimax offers a draw; do you agree? yes or no" if offers else ""
    assert interpreter.proposal(match) == message
    assert bool(interpreter.match_commands.question(match)) is offers


def test_offer_stays_open_during_commands_and_a_move_declines_it() -> None:
    players = [Opponent(True), EmptySeat("human")]
    match = Match(registry.game("chess"), players, moves=["e4"])
    interpreter = Interpreter()
    assert interpreter.proposal(match) == "opponent offers a draw; do you agree? yes or no"
    assert "20 legal moves" in execute(interpreter, match, "moves") and interpreter.match_commands.question(
        match
    )
    assert execute(interpreter, match, "e5") == "e5" and not interpreter.match_commands.question(match)
    assert interpreter.proposal(match) and execute(interpreter, match, "n") == "the draw is declined"
    assert interpreter.proposal(match) and interpreter.execute("yes", match).done
    assert match.reason == "agreed" and panel.describe_result(match) == "draw agreed"
    assert not interpreter.proposal(match), "it is over"


def test_engines_without_search_decline_draws() -> None:
    match = match_of("chess")
    assert not seats.player("random", registry.game("chess")).accepts_draw(match.view(0))
    assert not EmptySeat().accepts_draw(match.view(0))


def test_resignation_and_draws_need_defined_payoffs() -> None:
    three = Match(registry.game("tictactoe:players=3"), [EmptySeat("human") for _ in range(3)], "", [])
    with pytest.raises(Usage, match="there is no resignation in tictactoe"):
        three.resign(0)
    with pytest.raises(Usage, match="there are no draws by agreement in tictactoe"):
        three.draw()
    match = match_of("backgammon:cube=on", "", "4HPwATDgc/ABMA double")
    with pytest.raises(Usage, match="you cannot resign now; answer first, or wait for your turn"):
        match.resign(match.turn)


def test_resigning_asks_a_person_once() -> None:
    match = Match(registry.game("tictactoe"), [EmptySeat("human"), EmptySeat("human")], moves=["a1"])
    interpreter = Interpreter()
    interpreter.match_commands.confirms = True
    assert interpreter.execute("resign", match).text == "resign the game? yes or no"
    assert interpreter.invitation(match) == "resign the game? type yes or no"
    assert interpreter.meaning("y", match) == (True, "Enter resigns the game")
    assert interpreter.meaning("no", match) == (True, "Enter plays on")
    assert interpreter.execute("no", match).text == "the game goes on" and not match.over()
    assert interpreter.execute("yes", match).choice is None and not match.over()  # nothing is asked any more


def test_resignation_needs_no_confirmation_from_scripts_or_after_yes() -> None:
    for confirms, typed in ((False, ["resign"]), (True, ["resign yes"]), (True, ["resign", "resign"])):
        match = Match(registry.game("tictactoe"), [EmptySeat("human"), EmptySeat("human")], moves=["a1"])
        interpreter = Interpreter()
        interpreter.match_commands.confirms = confirms
        for line in typed:
            answer = interpreter.execute(line, match)
        assert answer.done and match.reason == "resigned" and match.payoffs == (1, -1), typed


def test_resigning_answers_no_offer_of_a_draw() -> None:
    match = Match(registry.game("chess"), [EmptySeat("human"), EmptySeat("human")], moves=["e4", "e5"])
    interpreter = Interpreter()
    interpreter.execute("draw", match)
    assert interpreter.execute("resign", match).done and match.reason == "resigned"


@pytest.mark.parametrize("name", [name for name in registry.game_names() if name != "tree"])
def test_confirmation_is_requested_only_if_yes_is_possible(name: str) -> None:
    """Draws and resignations that a game does not have are refused before the question."""
    game = registry.game(name)
    for word in ("draw", "resign"):
        match = Match(game, [EmptySeat("human") for _ in range(game.new().players)])
        while match.position.turn < 0:
            match.make(Choice(match.position.moves()[0]))
        interpreter = Interpreter()
        interpreter.match_commands.confirms = True
        answer = interpreter.execute(word, match)
        if interpreter.match_commands.question(match):
            assert interpreter.execute("yes", match).done, word
            assert match.over() or match.turns[-1].word == word, "in backgammon it is an offer"
        else:
            assert answer.text or answer.choice is not None or match.over(), word


def test_resignation_that_is_a_move_needs_confirmation() -> None:
    """In backgammon an offer to resign is a move: the same question, and only once."""
    for second in ("yes", "resign"):
        match = Match(registry.game("backgammon"), [EmptySeat("human"), EmptySeat("human")])
        interpreter = Interpreter()
        interpreter.match_commands.confirms = True
        while not match.concessions():
            match.step() if match.position.turn < 0 else match.make(Choice(match.moves()[0]))
        assert interpreter.execute("resign", match).text == "resign the game? yes or no"
        before = len(match.turns)
        answer = interpreter.execute(second, match)
        if answer.choice is not None:
            match.make(answer.choice)
        assert len(match.turns) > before and match.turns[before].word == "resign"


def backgammon_at_its_first_move() -> tuple[Interpreter, Match]:
    match = Match(registry.game("backgammon"), [EmptySeat("human"), EmptySeat("human")], seed=7)
    while match.position.turn < 0:
        match.step()
    return Interpreter(), match


def test_undo_takes_no_roll_back_before_the_first_move() -> None:
    """The same dice would be rolled again; after moves only these are counted."""
    interpreter, match = backgammon_at_its_first_move()
    rolls = len(match.turns)
    assert rolls and interpreter.execute("undo", match).text == "there is nothing to take back"
    assert len(match.turns) == rolls
    first = match.position.format(match.moves()[0])
    match.make(interpreter.execute(first, match).choice)
    while match.position.turn < 0:
        match.step()
    assert interpreter.execute("undo", match).text == "took back 1 move" and len(match.turns) == rolls


def test_undo_drops_the_step_entered_last() -> None:
    interpreter, match = backgammon_at_its_first_move()
    turns = len(match.turns)
    board = match.position.board()
    start, end = next(iter(board.steps.values()))[0][0]
    interpreter.set_steps([(board.cell_name(start), board.cell_name(end))], match)
    assert interpreter.steps(match)
    answer = interpreter.execute("undo", match)
    assert not interpreter.steps(match) and not answer.done and len(match.turns) == turns


@pytest.mark.parametrize(
    ("game", "offered"),
    [
        ("chess", {"draw", "resign"}),
        ("backgammon", {"resign"}),  # a single game, a gammon or a backgammon
        ("stratego", {"resign"}),
        ("holdem", set()),
        ("hearts", set()),
        ("nim:players=3", set()),
    ],
)
def test_help_lists_draw_and_resign_where_the_game_allows_them(game: str, offered: set[str]) -> None:
    found = registry.game(game)
    match = Match(found, [EmptySeat("human")] * found.new().players)
    commands = Interpreter().available_commands(match)
    assert commands.keys() & {"draw", "resign"} == offered
