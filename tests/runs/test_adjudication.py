"""Games that are ended before their rules do: every count at its limit."""

from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import Usage
from gameplay.knowledge.syzygy import Syzygy
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.players.player import Choice, Player
from gameplay.position import CHANCE
from gameplay.runs.adjudication import Arbiter, Counts, Ruling, check
from gameplay.runs.plan import Adjudication, Draw, Resign, TableRule
from gameplay.search.report import Report
from gameplay.value import WIN
from tests.support.paths import TESTS

pytestmark = pytest.mark.once


def ruling_of(rules: Adjudication, values, first: int = 0, opened: int = 0) -> tuple[int, Ruling] | None:
    """The ply after the opening at which moves of these values end the game, and the ruling."""
    counts = Counts(rules, 2, 1, False)
    counts.add_opening(opened)
    for number, value in enumerate(values):
        verdict = counts.add_move((first + number) % 2, value)
        if verdict is not None:
            return number + 1, verdict
    return None


def resign(value: int = 500, moves: int = 3, both: bool = True) -> Adjudication:
    return Adjudication(resign=Resign(value=value, moves=moves, both=both))


def draw(value: int = 10, moves: int = 2, after: int = 0) -> Adjudication:
    return Adjudication(draw=Draw(value=value, moves=moves, after=after))


@pytest.mark.parametrize(
    ("unit", "scored", "short", "enough"),
    [(1, False, -0.89, -0.9), (10, False, -8.9, -9.0), (10, False, -179, -181), (10, True, -8, -9)],
)
def test_a_fraction_is_a_share_of_a_win_or_points(unit, scored, short, enough):
    """A fraction of means; of evaluations, with two units (30 without) as half a win; or of points."""
    for value, ends in ((short, False), (enough, True)):
        counts = Counts(resign(value=0.9, both=False), 2, unit, scored)
        verdicts = [counts.add_move(number % 2, 0 if number % 2 else value) for number in range(5)]
        assert (verdicts[-1] is not None) == ends, value


@pytest.mark.parametrize("first", [0, 1])
def test_resignation_needs_the_moves_of_both_sides(first):
    ended = ruling_of(resign(), [-500, 500] * 10, first)
    assert ended is not None
    ply, verdict = ended
    assert ply == 6  # the winner's third move
    assert (verdict.reason, verdict.loser) == ("resign", first)


def test_resignation_needs_both_sides_by_default():
    assert ruling_of(Adjudication(resign=Resign(value=500)), [-500, 0] * 10) is None


def test_resignation_of_one_side_ends_at_its_last_move():
    ply, verdict = ruling_of(resign(both=False), [-500, 0] * 10)
    assert (ply, verdict.loser) == (5, 0)


@pytest.mark.parametrize("values", [[-499, 500], [-500, 499], [-500, None], [None, 500], [-500, -500]])
def test_resignation_does_not_come_one_short_of_the_value(values):
    assert ruling_of(resign(), values * 20) is None


def test_interrupted_adjudication_count_restarts():
    assert ruling_of(resign(both=False), [-500, 0, -500, 0, -499, 0, -500, 0, -500, 0]) is None
    assert ruling_of(resign(both=False), [-500, 0, -500, 0, None, 0, -500, 0, -500, 0]) is None
    assert ruling_of(resign(both=False), [-500, 0, -500, 0, None, 0, -500, 0, -500, 0, -500])[0] == 11


def test_forced_wins_count_as_the_greatest_values():
    assert ruling_of(resign(value=5000), [5 - WIN, WIN - 4] * 3)[0] == 6


@pytest.mark.parametrize(
    "other, ends", [(WIN - 5, True), (0, True), (None, True), (5 - WIN, False), (-500, False)]
)
def test_no_resignation_against_a_contradicting_opponent_value(other, ends):
    assert (ruling_of(resign(both=False), [-500, other] * 4) is not None) == ends


def test_no_resignation_against_a_proven_draw():
    counts = Counts(resign(both=False), 2, 1, False)
    for _ in range(6):
        assert counts.add_move(0, -900) is None
        assert counts.add_move(1, 0, exact=True) is None


def test_both_sides_winning_is_no_resignation():
    assert ruling_of(resign(), [900, 900] * 10) is None


@pytest.mark.parametrize("word", [499, None, -500])
def test_interrupted_win_adjudication_restarts(word):
    """If both sides must agree, three moves in a row of the winner are needed, not three in total."""
    assert ruling_of(resign(), [-500, 500, -500, word, -500, 500, -500, 500, -500, 0]) is None
    assert ruling_of(resign(), [-500, 500, -500, word, -500, 500, -500, 500, -500, 500])[0] == 10


def test_a_proven_win_by_a_point_denies_nothing():
    """In a game of points +1 is a win, though the smallest."""
    counts = Counts(resign(both=False), 2, 1, False)
    for _ in range(2):
        assert counts.add_move(0, -900) is None
        assert counts.add_move(1, 1, exact=True) is None
    verdict = counts.add_move(0, -900)
    assert verdict is not None and (verdict.reason, verdict.loser) == ("resign", 0)


def test_without_the_other_side_only_the_loser_ends_the_game_by_a_move_of_his_own():
    """Without the opponent's disagreement, the loser's next move ends the game if its value is still lost."""
    denied = [-500, -500, -500, -500, -500, 0]
    assert ruling_of(resign(both=False), denied) is None
    assert ruling_of(resign(both=False), [*denied, -500])[0] == 7
    assert ruling_of(resign(both=False), [*denied, 0]) is None


@pytest.mark.parametrize("first", [0, 1])
def test_a_draw_needs_the_moves_of_both_sides(first):
    ply, verdict = ruling_of(draw(), [10, -10] * 10, first)
    assert (ply, verdict.reason, verdict.loser) == (4, "draw", None)


@pytest.mark.parametrize(
    "after, opened, ply", [(4, 0, 4), (5, 0, 5), (9, 0, 9), (9, 4, 5), (9, 5, 4), (9, 20, 4)]
)
def test_a_draw_waits_for_its_ply(after, opened, ply):
    assert ruling_of(draw(after=after), [0] * 20, opened=opened)[0] == ply


def test_a_draw_counts_moves_in_a_row():
    assert ruling_of(draw(), [0, 0, 0, 11, 0, 0, 0]) is None
    assert ruling_of(draw(), [0, 0, 0, None, 0, 0, 0]) is None
    assert ruling_of(draw(), [0, 0, 0, -11, 0, 0, 0, 0])[0] == 8


def test_dice_are_plies_without_a_player():
    counts = Counts(draw(after=8), 2, 1, False)
    for _ in range(3):
        assert counts.add_move(0, 0) is None
        assert counts.add_move(CHANCE) is None
    assert counts.add_move(1, 0) is None
    verdict = counts.add_move(CHANCE)
    assert verdict is not None and verdict.reason == "draw"


@pytest.mark.parametrize("opened, ply", [(0, 7), (3, 4), (6, 1), (9, 1)])
def test_length_counts_the_opening(opened, ply):
    ended = ruling_of(Adjudication(plies=7), [None] * 20, opened=opened)
    assert ended == (ply, Ruling("plies", None, f"{max(7, opened + 1)} plies"))


def test_the_order_of_reasons():
    every = Adjudication(resign=Resign(value=10, moves=1, both=False), draw=Draw(value=20, moves=1), plies=2)
    assert ruling_of(every, [0, -10])[1].reason == "resign"
    assert ruling_of(every, [0, -9])[1].reason == "draw"
    assert ruling_of(every, [0, 21])[1].reason == "plies"


class ScriptedPlayer(Player):
    """Plays the given moves with the given reports."""

    spec = name = "says"

    def __init__(self, words: str, value: int | None = None) -> None:
        self.words = words.split()
        self.value = value

    def choose(self, match: Match) -> Choice:
        word = self.words[len(match.turns) // 2]
        report = None if self.value is None else Report(value=self.value, depth=1)
        return Choice(match.position.parse(word), report)


def play_match(rules: Adjudication, first: ScriptedPlayer, second: ScriptedPlayer, **more: object) -> Match:
    match = Match(registry.game("tictactoe"), [first, second], **more)
    match.listeners.append(Arbiter(match, rules))
    match.play()
    return match


def test_means_of_simulations_end_a_match():
    game = registry.game("go:size=3,komi=-20")
    rules = Adjudication(resign=Resign(value=0.9, moves=2))
    match = Match(game, [seats.player("mcts:sims=20,solver=off", game) for _ in range(2)])
    match.listeners.append(Arbiter(match, rules))
    match.play()
    assert (match.reason, match.payoffs, len(match.turns)) == ("resign", (1, -1), 4)


def test_a_match_ends_by_resignation():
    match = play_match(resign(100, 2), ScriptedPlayer("a1 b1 c1", 100), ScriptedPlayer("a2 b2 c2", -100))
    assert (match.reason, match.payoffs, len(match.turns)) == ("resign", (1, -1), 4)
    assert "-100" in match.note and "both" in match.note


def test_the_rules_come_before_everything():
    first, second = ScriptedPlayer("a1 b1 c1", 0), ScriptedPlayer("a2 b2", 0)
    match = play_match(Adjudication(draw=Draw(value=0, moves=2, after=5), plies=5), first, second)
    assert (match.reason, match.payoffs) == ("rules", (1, -1))
    match = play_match(Adjudication(draw=Draw(value=0, moves=2, after=4), plies=4), first, second)
    assert (match.reason, match.payoffs, len(match.turns)) == ("draw", (0, 0), 4)


def test_opening_moves_count_as_length_without_values():
    match = play_match(
        Adjudication(plies=4), ScriptedPlayer("x b1 c1"), ScriptedPlayer("x b2"), moves=["a1", "a2"]
    )
    assert (match.reason, len(match.turns)) == ("plies", 4)


def test_random_moves_are_moves_without_a_value():
    game = registry.game("tictactoe")
    match = Match(game, [seats.player("random", game, 1), seats.player("random", game, 2)])
    match.listeners.append(Arbiter(match, draw(WIN, 1)))
    match.play()
    assert match.reason == "rules"


@pytest.mark.parametrize("depth, plies", [(3, 6), (4, 5)])
def test_solver_adjudicates_a_proven_draw(depth, plies):
    first, second = ScriptedPlayer("a1 c3 b3 c1 a2"), ScriptedPlayer("b2 b1 a3 c2")
    match = play_match(Adjudication(exact=f"alphabeta:depth={depth}"), first, second)
    assert (match.reason, match.payoffs, len(match.turns)) == ("exact", (0, 0), plies)
    assert f"alphabeta:depth={depth}" in match.note


@pytest.mark.parametrize("depth, plies", [(1, 4), (5, 2)])
def test_solver_adjudicates_a_proven_win(depth, plies):
    match = play_match(
        Adjudication(exact=f"alphabeta:depth={depth}"), ScriptedPlayer("a1 b1 c1"), ScriptedPlayer("b3 c3")
    )
    assert (match.reason, match.payoffs, len(match.turns)) == ("exact", (1, -1), plies)


def test_solver_adjudicates_for_either_side_to_move():
    match = play_match(
        Adjudication(exact="alphabeta:depth=1"), ScriptedPlayer("b1 c3 b2"), ScriptedPlayer("a1 a2 a3")
    )
    assert (match.reason, match.payoffs, len(match.turns)) == ("exact", (-1, 1), 5)


def test_solver_overrides_values_of_players():
    rules = Adjudication(exact="minimax:depth=9", resign=Resign(value=1, moves=1, both=False))
    match = play_match(rules, ScriptedPlayer("a1", -50), ScriptedPlayer("b2", -50))
    assert (match.reason, match.payoffs, len(match.turns)) == ("exact", (0, 0), 1)


def play_with_tables(fen: str, moves: str, **fields: Any) -> Match:
    """A game of chess adjudicated by the tables of king and rook against king."""
    pytest.importorskip("chess.syzygy")
    words = moves.split()
    players = [ScriptedPlayer(" ".join(words[side::2])) for side in range(2)]
    match = Match(registry.game("chess"), players, fen)
    rule = TableRule(folder=str(TESTS / "answers"), **fields)
    match.listeners.append(Arbiter(match, Adjudication(syzygy=rule, plies=len(words))))
    match.play()
    return match


TAKEN = "8/8/8/7n/8/8/8/k3K2R w - - 4 60"  # the rook takes the knight; then it is safe
RETAKEN = "8/8/6k1/7n/8/8/8/4K2R w - - 4 60"  # ... or lost, when the king attacks it


@pytest.mark.parametrize(
    ("fen", "moves", "fields", "end"),
    [
        (TAKEN, "Rxh5 Kb2", {}, ("exact", (1, -1), 1)),
        (TAKEN, "Rxh5 Kb2", {"pieces": 3, "results": "wins"}, ("exact", (1, -1), 1)),
        (TAKEN, "Rxh5 Kb2", {"results": "draws"}, ("plies", (0, 0), 2)),
        (TAKEN, "Rxh5 Kb2", {"pieces": 2}, ("plies", (0, 0), 2)),
        (TAKEN, "Rh2 Nf4", {}, ("plies", (0, 0), 2)),  # no table of four pieces
        (RETAKEN, "Rxh5 Kxh5", {}, ("exact", (0, 0), 1)),
        (RETAKEN, "Rxh5 Kf6", {"results": "wins"}, ("plies", (0, 0), 2)),  # a quiet move: not asked
        ("8/8/8/8/8/1k6/8/K6R w - - 0 1", "Rh3 Kc2", {}, ("plies", (0, 0), 2)),  # no capture before it
    ],
)
def test_endgame_tables_end_a_game_after_a_capture(fen, moves, fields, end):
    match = play_with_tables(fen, moves, **fields)
    assert (match.reason, match.payoffs, len(match.turns)) == end


def test_a_win_that_fifty_moves_spoil_is_drawn_unless_they_do_not_count(monkeypatch):
    monkeypatch.setattr(Syzygy, "_probe", lambda tables, what, board: -1)  # lost, but for fifty moves
    assert play_with_tables(TAKEN, "Rxh5 Kb2").payoffs == (0, 0)
    assert play_with_tables(TAKEN, "Rxh5 Kb2", fifty=False).payoffs == (1, -1)


@pytest.mark.parametrize(
    "rules, game, words",
    [
        (Adjudication(syzygy=TableRule(folder="x")), "tictactoe", "for chess, and this is tictactoe"),
        (Adjudication(exact="random:seed=1"), "tictactoe", "does not search"),
        (
            Adjudication(exact="iterative"),
            "tictactoe",
            "^'iterative' needs a limit in plies or nodes, not in time. Try: iterative:nodes=100000$",
        ),
        (
            Adjudication(exact="iterative:time=1"),
            "tictactoe",
            "^'iterative:time=1' needs a limit .* Try: iterative:time=1,nodes=100000$",
        ),
        (Adjudication(exact="iterative:nodes=10,time=1"), "tictactoe", "needs a limit"),
        (Adjudication(exact="nobody:depth=3"), "tictactoe", "unknown engine 'nobody'"),
        (Adjudication(exact="iterative:nodes=10"), "tests/examples/games/pig.py", "chance"),
        (resign(), "tests/examples/games/kuhn.py", "does not determine the payoffs"),
        (resign(1.0), "tictactoe", "^resign: expected a fraction below 1, a share of a win, not 1$"),
        (draw(1.5), "tictactoe", r"^draw: expected a fraction below 1, a share of a win, not 1\.5$"),
    ],
)
def test_unsuitable_games_are_refused(rules, game, words):
    with pytest.raises(Usage, match=words):
        check(rules, registry.game(game).new())


@pytest.mark.parametrize(
    "rules, game, words",
    [
        (resign(), "connect4", "does not determine the payoffs"),
        (resign(0.99), "connect4", "does not determine the payoffs"),
        (resign(1.5), "othello", "does not determine the payoffs"),
        (Adjudication(exact="iterative:nodes=10", plies=10), "tictactoe", "chance"),
        (Adjudication(exact="iterative:depth=3"), "tictactoe", "chance"),
    ],
)
def test_suitable_rules_are_accepted(rules, game, words):
    """The same rules are refused in a game that they do not fit."""
    assert check(rules, registry.game(game).new()) is None
    with pytest.raises(Usage, match=words):
        check(rules, registry.game("tests/examples/games/kuhn.py").new())
