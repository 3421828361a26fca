"""The tutor: its warnings, moves without a warning, and explanations of moves."""

from types import SimpleNamespace

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.errors import Usage
from gameplay.matches.match import Match
from gameplay.players import judge, tutor, verdict
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.interpreter import Interpreter
from gameplay.players.judge import Judge
from gameplay.players.player import Choice
from gameplay.search.report import Candidate, Report

pytestmark = pytest.mark.once


SMALL = "connect4:columns=4,rows=4"


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    monkeypatch.setattr(judge, "SECONDS", 60.0)  # all here is small enough to be proven before


def match_of(game, moves="", start="", players=("human", "alphabeta:depth=2")):
    return Match(registry.game(game), [EmptySeat(spec) for spec in players], start, moves.split())


def warning_for(interpreter, match, text):
    """The warning instead of a move; an empty string if the move is played."""
    answer = interpreter.execute(text, match)
    assert (answer.choice is None) == bool(answer.text)
    return answer.text


def taught():
    interpreter = Interpreter()
    interpreter.tutor.warns = True
    return interpreter


def test_every_losing_move_of_tic_tac_toe_is_warned_of_and_no_other():
    """O answers a corner: all but the centre lose, by brute force and the literature."""
    interpreter, match = taught(), match_of("tictactoe", "a1")
    for word in ("b2", "a2", "a3", "b1", "b3", "c1", "c2", "c3"):
        warning = warning_for(interpreter, match, word)
        assert bool(warning) == (word != "b2"), word
        if warning:
            assert warning.startswith(f"{word} is a blunder: loss in 6 instead of draw; it is answered by ")
            assert warning.endswith("Type it again to play it, or another move")


def test_a_game_with_a_solver_is_judged_by_it_to_the_end():
    """It is 26 plies before the end, more than a search sees in a second; the refutation is the solver's."""
    interpreter, match = taught(), match_of("connect4", "5 2 5 7 4 6 2 4 3 2 3 5 1 1 4 3")
    assert interpreter.judge.estimated_seconds(match) == 120, (
        "the solver, and a search where it comes to nothing"
    )
    warning = warning_for(interpreter, match, "3")
    assert warning.startswith("3 is a blunder: loss in 24 instead of draw; it is answered by ")
    assert len(warning.partition("answered by ")[2].partition(".")[0].split()) == tutor.SHOWN - 1
    report = interpreter.judge.report(match)
    assert (report.exact, report.engine, len(report.candidates)) == (True, "perfect", 7)
    assert (
        interpreter.judge.report(match, deeper=True) is report
        and interpreter.judge.estimated_seconds(match) == 0
    )
    assert warning_for(interpreter, match, "4") == ""


def test_the_search_answers_if_the_solver_times_out():
    judge, match = Judge(), match_of(SMALL, "4 1 4 1 4")
    assert judge.report(match).engine == "perfect"
    judge, other_judge = Judge(), match_of("tictactoe")
    assert judge.estimated_seconds(other_judge) == 60 and judge.solver is None, "it brings none"
    assert judge.estimated_seconds(match) == 120
    judge.solver.search = lambda *asked: Report(move=0, bound="unknown")
    report = judge.report(match)
    assert report.exact and report.engine.startswith("iterative")
    assert judge.with_reply(match, report.candidates[-1]) is report.candidates[-1], "it has its line"


def test_repeated_move_is_played_and_another_warns_again():
    interpreter, match = taught(), match_of(SMALL, "4 1 4 1 4")
    assert "is a blunder" in warning_for(interpreter, match, "2")
    assert "is a blunder" in warning_for(interpreter, match, "3"), "another move is another mistake"
    assert "is a blunder" in warning_for(interpreter, match, "2")
    assert warning_for(interpreter, match, "2") == ""
    assert warning_for(interpreter, match, "4") == "", "the only move"
    match.make(Choice(match.position.parse("1")))
    match.undo(1)
    assert warning_for(interpreter, match, "3")


def test_no_warning_without_a_tutor():
    assert warning_for(Interpreter(), match_of(SMALL, "4 1 4 1 4"), "2") == ""


def test_what_if_command_prints_value_line_and_best_move():
    interpreter, match = Interpreter(), match_of(SMALL, "4 1 4 1 4")
    for text in ("why 2", "explain 2", "whatif 2", "what if 2", ":why 2"):
        message = interpreter.execute(text, match).text
        assert (
            message.startswith("2: blue wins in 2 plies (") and "; then 4, a blunder; best is 4 (" in message
        )
    assert interpreter.execute("whatif 4", match).text.endswith("; no move is better")
    assert "is not" in interpreter.execute("whatif 9", match).text
    assert interpreter.execute("what if", match).text == "which move? for example: what if 2"


def test_why_prints_the_line_and_the_refuted_alternative():
    interpreter, match = Interpreter(), match_of(SMALL, "4 1 4 1 4")
    for game, moves in (("connect4", ""), ("kuhn", "K J")):
        assert interpreter.execute("why", match_of(game, moves)).text == "no engine has made a move yet"
    position = match.position
    line = (position.parse("4"), 0)
    match.make(Choice(line[0], Report(line[0], 3, depth=5, pv=line, nodes=9)))
    message = interpreter.execute("why", match).text
    assert message.startswith("alphabeta:depth=2 played 4: orange +3")
    assert "(5 plies deep). It expects 4 1; the strongest reply is 1. " in message
    assert "With all moves searched equally (searched to the end), 4 gives " in message, "by no other search"
    assert "gives loss in 2; the strongest reply there is 4" in message
    match.make(Choice(position.parse("1")))
    assert interpreter.execute("why", match).text == message, "its last move is meant, whoever moved since"


def test_costs_are_those_of_reviews():
    chess, dice = registry.game("chess").new(), registry.game("backgammon").new()
    best, mine = Candidate(1, 300), Candidate(2, 0)
    assert verdict.cost(chess, best, mine) == pytest.approx(0.25)
    assert verdict.cost(chess, mine, best) == verdict.cost(chess, best, best) == 0.0
    means = [Candidate(1, 80.0, "expectation"), Candidate(2, 0.0, "expectation")]
    assert verdict.cost(dice, *means) == pytest.approx(0.08)
    vague = [Candidate(1, 8.0, "expectation", error=3.0), Candidate(2, 0.0, "expectation", error=3.0)]
    assert verdict.cost(registry.game("go").new(), *vague) == 0.0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("puzzle15", "--tutor"), "needs a two-player game of perfect information"),
        (("connect4", "--players", "random,random", "--tutor"), "no person plays"),
        (("connect4", "--clock", "1+1", "--tutor"), "expected one of them"),
    ],
)
def test_unsuitable_tutor_is_refused(words, message, capsys):
    assert run(router, "gameplay", ["play", *words]) == Usage.status
    assert message in capsys.readouterr().err


def test_the_tutor_is_for_two():
    with pytest.raises(Usage, match="two-player game"):
        tutor.check(registry.game("connect4:players=3"))


# -- texts for given searches ------------------------------------------------------------------------


class ScriptedJudge:
    """A judge with a finished search; called for the position after `plies` moves."""

    def __init__(self, report):
        self.given = report
        self.plies = []

    def report(self, match, deeper=False, plies=None):
        self.plies.append(plies)
        return self.given

    def with_reply(self, match, move, plies=None):
        return move


def teacher(report):
    warning = tutor.Tutor(ScriptedJudge(report))
    warning.warns = True
    return warning


def fake_report(match, *moves, **more):
    """A report with these values, by move, each with its line."""
    results = []
    for word, value, *line in moves:
        position, pv = match.replica(), []
        for step in (word, *line):
            pv.append(position.parse(step))
            position.make(pv[-1])
        results.append(
            Candidate(pv[0], value, more.get("bound", "exact"), pv=tuple(pv), error=more.get("error", 0))
        )
    fields = {key: value for key, value in more.items() if key not in ("bound", "error")}
    return Report(candidates=tuple(results), **fields)


@pytest.mark.parametrize(
    ("moves", "more", "message"),
    [
        ((("4", 30), ("1", -30, "4", "4")), {},
         "1 is a blunder: -30 instead of +30; it is answered by 4 4."),
        ((("4", 30), ("1", -30)), {}, "1 is a blunder: -30 instead of +30."),
        ((("4", 30), ("1", 8, "4")), {}, "1 is a mistake: +8 instead of +30; it is answered by 4."),
        ((("4", 12), ("1", 6, "4")), {}, ""),
        ((("4", 12), ("2", 0, "4")), {}, ""),
        ((("4", 0.6), ("1", -0.4)), {"bound": "expectation", "visits": 90}, ""),
        ((("4", 60), ("1", -40)), {"bound": "expectation", "visits": 90, "error": 3.0}, "1 is a blunder"),
        ((("4", 60), ("1", -40)), {"bound": "expectation", "visits": 90, "error": 90.0}, ""),
        ((("4", 60), ("1", -40)), {"bound": "unknown"}, ""),
    ],
)  # fmt: skip
def test_warning_names_the_move_its_loss_and_the_reply(moves, more, message):
    match = match_of("connect4", "4 4")
    result = teacher(fake_report(match, *moves, **more))
    move = match.position.parse("1")
    warning = result.warning(match, move)
    assert warning.startswith(message) and bool(warning) == bool(message)
    if message.endswith("."):
        assert warning == f"{message} Type it again to play it, or another move"
    if message:
        assert result.warned == (["4", "4"], move) and result.warning(match, move) == ""
        match.make(Choice(match.position.parse("2")))
        assert result.warning(match, move), "elsewhere it is another one"


def test_refutation_is_cut_to_a_readable_length():
    match = match_of("connect4", "4 4")
    line = list("4433225566")
    warning = teacher(fake_report(match, ("4", 90), ("1", -90, *line))).warning(
        match, match.position.parse("1")
    )
    assert f"; it is answered by {' '.join(line[: tutor.SHOWN - 1])}. Type" in warning
    match = match_of("connect4", "4 4", players=("human", "human"))
    row = teacher(fake_report(match, ("4", 90), ("1", 90, *line), depth=9)).what_if(
        match, match.position.parse("1")
    )
    follows = " ".join(line[: tutor.SHOWN - 1])
    assert row == f"1: blue +90 points (9 plies deep); then {follows}; no move is better"


@pytest.mark.parametrize(
    ("word", "value", "more", "message"),
    [
        ("4", 30, {"depth": 1}, "4: blue +30 points (1 ply deep); no move is better"),
        ("1", 30, {"depth": 2}, "1: blue +30 points (2 plies deep); no move is better"),
        ("1", 15, {"depth": 2}, "1: blue +15 points (2 plies deep), an inaccuracy; best is 4 (+30)"),
        ("1", 8, {"depth": 2}, "1: blue +8 points (2 plies deep), a mistake; best is 4 (+30)"),
        ("1", 29, {"depth": 2}, "1: blue +29 points (2 plies deep); best is 4 (+30)"),
        ("1", -30, {"exact": True}, "1: blue -30 points (searched to the end), a blunder; best is 4 (+30)"),
        ("1", -30, {"visits": 1234}, "1: blue -30 points (1,234 simulations), a blunder; best is 4 (+30)"),
        ("2", 0, {}, "that move was not searched"),
    ],
)
def test_consequence_of_a_move_is_printed_with_its_grade(word, value, more, message):
    match = match_of("connect4", "4 4")
    warning = teacher(fake_report(match, ("4", 30), ("1" if word == "2" else word, value), **more))
    assert warning.what_if(match, match.position.parse(word)) == message


@pytest.mark.parametrize(
    ("report", "others", "message"),
    [
        (None, (("4", 3), ("1", 3)), "{} played 4 without a search. 1 gives +3"),
        ({"source": "random"}, (("4", 3), ("1", 3)), "{} played 4 without a search. With all "
         "moves searched equally (5 plies deep), 4 gives +3; 1 gives +3"),
        ({"source": "book"}, (("4", 3),), "{} knows 4 from its book"),
        ({"value": 3, "depth": 4}, (("4", 3), ("1", 2, "4")),
         "{} played 4: orange +3 points (4 plies deep). 1 gives +2; the strongest reply there is 4"),
        ({"value": 3, "depth": 4, "pv": "4 3 2 2 1 1 1"}, (("4", 3), ("1", 2)),
         "{} played 4: orange +3 points (4 plies deep). It expects 4 3 2 2 1 1; the strongest "
         "reply is 3. 1 gives +2"),
        ({"value": 3, "depth": 4}, (("1", 30, "2", "3"), ("4", -30)),
         "{} played 4: orange +3 points (4 plies deep). A deeper search prefers 1: +30 instead of -30"),
        ({"value": 3, "depth": 4}, (("1", 5), ("4", 4)),
         "{} played 4: orange +3 points (4 plies deep). With all moves searched equally "
         "(5 plies deep), 4 gives +4; 1 gives +5"),
        ({"value": 3, "exact": True}, (("1", 5),), "{} played 4: orange +3 points (searched to the end)"),
    ],
)  # fmt: skip
def test_why_explains_an_engine_move_by_its_search(report, others, message):
    """It has the expected line, and the values of the other moves by a search of all moves."""
    match = match_of("connect4", "3")
    text = teacher(fake_report(match, *others, depth=5))
    if report is not None:
        pv = fake_report(match, ("4", 0, *report.pop("pv", "4").split()[1:])).candidates[0].pv
        report = Report(move=pv[0], pv=pv, **report)
    match.make(Choice(match.position.parse("4"), report))
    match.make(Choice(match.position.parse("7")))
    assert text.why(match) == message.format("alphabeta:depth=2")
    assert text.judge.plies == [1]


def test_only_move_is_named_as_such():
    single = match_of("checkers", start="B:W18,24:B12,15", players=("alphabeta:depth=2", "human"))
    single.make(Choice(next(iter(single.moves()))))
    assert (
        teacher(Report()).why(single)
        == "alphabeta:depth=2 played 15x22 without a search. 15x22 was the only move"
    )


@pytest.mark.parametrize(
    ("best", "mine", "facts", "lost"),
    [
        (Candidate(0, 1.0), Candidate(1, 0.2500004), {}, 0.75),
        (Candidate(0, 1.0), Candidate(1, -1.0), {}, 2.0),
        (Candidate(0, 6), Candidate(1, 2), {"unit": 2}, 2.0),
        (Candidate(0, 6), Candidate(1, 2), {"unit": 2, "scored": True, "stake": 4}, 0.5),
        (Candidate(0, 6), Candidate(1, 2), {"unit": 2, "scored": True}, 2.0),
        (Candidate(0, 6), Candidate(0, 2), {}, 0.0),
        (Candidate(0, 2), Candidate(1, 6), {}, 0.0),
        (Candidate(0, 6, "unknown"), Candidate(1, 2), {}, 0.0),
        (Candidate(0, 6), Candidate(1, 2, "unknown"), {}, 0.0),
        (Candidate(0, 1.0, "expectation", error=0.3), Candidate(1, 0.0, error=0.4), {}, 0.0),
        (Candidate(0, 1.0, "expectation", error=0.3), Candidate(1, 0.0, error=0.39), {}, 1.0),
        (Candidate(0, 1.0, error=0.3), Candidate(1, 0.0, error=0.4), {}, 1.0),
        (Candidate(0, 45), Candidate(1, -45), {"chance": False}, 0.5),
        (
            Candidate(0, 1),
            Candidate(1, 0),
            {"chance": False},
            round(3 ** (1 / 45) / (1 + 3 ** (1 / 45)) - 0.5, 6),
        ),
        (Candidate(0, 1, proven=True), Candidate(1, 0, proven=True), {"chance": False}, 0.5),
        (Candidate(0, 90, proven=True), Candidate(1, 0), {"chance": False}, 0.4),
    ],
)
def test_tutor_cost_of_a_move(best, mine, facts, lost):
    """In stakes in games with chance, else in expected points: odds of 3 at 45 in games without a score."""
    usual = {"chance": True, "scored": False, "stake": 0, "unit": 1, "calibrated": False}
    assert verdict.cost(SimpleNamespace(**{**usual, **facts}), best, mine) == lost


@pytest.mark.parametrize(
    ("lost", "called"),
    [
        (0.049, ""),
        (0.05, "inaccuracy"),
        (0.0999, "inaccuracy"),
        (0.1, "mistake"),
        (0.15, "blunder"),
        (1, "blunder"),
    ],
)
def test_costs_have_their_names(lost, called):
    assert verdict.verdict(lost) == called
    equity = {0.049: "inaccuracy", 0.05: "inaccuracy", 0.0999: "mistake", 0.1: "mistake", 0.15: "mistake"}
    assert verdict.verdict(lost, True) == equity.get(lost, "blunder")


def test_warning_of_a_mistake_among_two_legal_moves():
    """Tic-tac-toe with two empty cells: c3 completes O's row, a2 lets X complete the diagonal."""
    interpreter, match = taught(), match_of("tictactoe", "a1 c1 b1 c2 b2 b3 a3")
    assert warning_for(interpreter, match, "c3") == ""
    warning = "a2 is a blunder: loss in 2 instead of win in 1; it is answered by c3. "
    assert warning_for(interpreter, match, "a2") == warning + "Type it again to play it, or another move"


@pytest.mark.parametrize(
    ("players", "zero_sum", "hidden", "fits"),
    [
        (2, True, False, True),
        (1, True, False, False),
        (3, True, False, False),
        (2, False, False, False),
        (2, True, True, False),
        (2, False, True, False),
    ],
)
def test_tutor_requires_two_players_and_perfect_information(players, zero_sum, hidden, fits):
    position = SimpleNamespace(players=players, zero_sum=zero_sum, hidden=hidden)
    game = SimpleNamespace(name="mine", new=lambda: position)
    if fits:
        tutor.check(game)
        return
    with pytest.raises(Usage) as caught:
        tutor.check(game)
    assert str(caught.value) == "the tutor needs a two-player game of perfect information, which mine is not"
