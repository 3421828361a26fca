"""The positions at which the laws of engines are checked, and the report of each broken law."""

from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from gameplay import registry
from gameplay.cli.common import template
from gameplay.errors import EngineFault, Usage
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.suites import conduct, payoff_trees
from gameplay.value import WIN
from tests.support.custom_engines import BREAKS, FIRST

pytestmark = pytest.mark.once

OFFENCES = {  # law: searches of two positions, whether it loses games, what is seen
    "moves": (2, True, "mine returned the move 99, which is illegal: position.moves() is [0, 1, 2, 3, 4, 5, "
              "6, 7, ...] (mine.py, line 1)"),
    "raises": (2, True, "mine raised ZeroDivisionError: integer division or modulo by zero (mine.py, line "
               "1)"),
    "repeat": (8, False, "move 0 with depth 2, 300 nodes, and then 1"),
    "pv": (6, False, "its move is 0, and its line begins with 77"),
    "depth": (8, False, "it reported depth 9, and limit.depth was 2"),
    "nodes": (8, False, "it reported 1,000,000 nodes, and limit.nodes was 300"),
    "position": (6, False, "turn and key were 0, 0; 1, 4096"),
}  # fmt: skip


@pytest.mark.parametrize("law", BREAKS)
def test_broken_law_is_reported(law, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(BREAKS[law])
    report = conduct.check(str(file), ["tictactoe"], positions=2, timed=False)
    searches, faulty, seen = OFFENCES[law]
    assert (report.engine, report.games, report.seed) == (str(file), ("tictactoe",), 0)
    assert (report.positions, report.searches, report.faulty) == (2, searches, faulty)
    drawing = registry.game("tictactoe").new().show(0)
    assert report.broken == [conduct.Offence(law, seen, (), drawing, "tictactoe")]


def test_hung_engine_is_not_searched_again(tmp_path, monkeypatch):
    """The first search has its own time; if it must stop at once, another law is broken."""
    file = tmp_path / "mine.py"
    file.write_text("def choose(position):\n  return position.moves()[0]\n")

    class Hung:
        hang_timeout = None

        def __init__(self, engine):
            pass

        def search(self, position, limit, watch=None, copy=True):
            if (watch is not None) == self.when:
                raise EngineFault("it hung", "hang")
            return Report(move=position.moves()[0], pv=(position.moves()[0],))

    for when, law, positions in ((False, "returns", 1), (True, "stop", 3)):
        monkeypatch.setattr(Hung, "when", when, raising=False)
        monkeypatch.setattr(conduct, "Session", Hung)
        report = conduct.check(str(file), ["tictactoe", "connect4"], positions=3, timed=False)
        assert [(violation.law, violation.seen) for violation in report.broken] == [(law, "it hung")]
        assert report.positions == (positions if when is False else 6)


POSITIONS = {
    "tictactoe": ["", "c3 b2", "c3 b2 b3", "c3 b2 b3 b1 a1 c1 c2", "a2", "a2 c2 b2", "a2 c2 b2 b1 c3"],
    "pig": ["", *(f"roll 4 hold roll 5 hold roll 1 roll 3 roll 5 roll 2{more}" for more in ("", " roll 2"))],
}


@pytest.mark.parametrize("game", POSITIONS)
def test_laws_are_checked_at_the_start_and_in_random_games(game, monkeypatch):
    seen = []
    monkeypatch.setattr(
        conduct._Examiner,
        "_check_laws",
        lambda self, position, words, limits: seen.append((" ".join(words), limits)),
    )
    conduct.check("random", [game], positions=len(POSITIONS[game]), seed=2)
    assert seen == [(words, not number) for number, words in enumerate(POSITIONS[game])]


def test_game_without_decisions_is_skipped(monkeypatch):
    """A hundred games are enough to see that only chance moves."""
    starts = []

    class DiceGame:
        turn, players = conduct.CHANCE, 2

        def __init__(self):
            self.thrown = 0
            starts.append(self)

        def outcome(self):
            return (0, 0) if self.thrown == 3 else None

        def moves(self):
            return [0, 1]

        def format(self, move):
            return str(move)

        def make(self, move):
            self.thrown += 1

    examiner = conduct._Examiner("random", "tictactoe", conduct.Conduct("random", 0), {}, True)
    examiner.game = SimpleNamespace(name="thrown", spec="thrown", new=DiceGame)
    examiner.inspect(5)
    assert len(starts) == 101 and all(start.thrown == 3 for start in starts)


def test_conduct_is_checked_in_games_the_engine_supports(tmp_path):
    report = conduct.check("random", positions=1, timed=False)
    assert report.games == ("tictactoe", "connect4", "othello", "checkers", "chess") and report.positions == 5
    assert report.broken == []
    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n  players = 3\n  def search(self, p): return p.moves()[0]\n")
    with pytest.raises(Usage) as refused:
        conduct.check(str(file))
    games = "tictactoe, connect4, othello, checkers, chess"
    assert str(refused.value) == f"mine plays none of {games}: name a game that it plays, --game GAME"
    with pytest.raises(Usage):
        conduct.check(str(file), ["nim:players=3", "tictactoe"])


def verdict_on(monkeypatch, law, timed=True, took=0.0, spec="iterative", game="tictactoe", **message):
    """The verdict on a search with this report and duration; nothing where the law holds."""
    clock = count(0, took)
    requests = []
    monkeypatch.setattr(conduct, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    report = Report(move=0, **message)

    def search(self, position, limit, watch=None, copy=True):
        requests.append((limit, watch and watch(report)))
        return report

    monkeypatch.setattr(conduct._Examiner, "_search", search)
    examiner = conduct._Examiner(spec, game, conduct.Conduct(spec, 0), {}, timed)
    try:
        getattr(examiner, law)(examiner.game.new())
    except conduct._Violation as broken:
        return requests, (broken.law, str(broken))
    return requests, None


def test_limits_of_nodes_depth_and_time_are_checked(monkeypatch):
    depth, nodes, stop = Limit(depth=2), Limit(nodes=300), Limit(seconds=30)
    late = conduct.MAX_GRACE + 0.2
    cases = [
        ("_depth", {"depth": 2}, [(depth, None)], None),
        ("_depth", {"depth": 3}, [(depth, None)], ("depth", "it reported depth 3, and limit.depth was 2")),
        ("_depth", {"depth": 3, "spec": "mcts"}, [], None),
        ("_depth", {"depth": 3, "spec": "astar", "game": "puzzle15"}, [], None),
        ("_nodes", {"nodes": 5300}, [(nodes, None)], None),
        (
            "_nodes",
            {"nodes": 5301},
            [(nodes, None)],
            ("nodes", "it reported 5,301 nodes, and limit.nodes was 300"),
        ),
        ("_stops", {"took": conduct.MAX_GRACE}, [(stop, True)], None),
        (
            "_stops",
            {"took": late},
            [(stop, True)],
            ("stop", f"it continued for {late:.1f} s after the request to stop"),
        ),
        ("_stops", {"took": late, "timed": False}, [(stop, True)], None),
        ("_time", {"took": late - 0.01}, [(Limit(seconds=0.2), None)], None),
        (
            "_time",
            {"took": late + 0.1},
            [(Limit(seconds=0.2), None)],
            ("time", f"it took {late + 0.1:.1f} s, and limit.seconds was 0.2"),
        ),
        ("_repeats", {"nodes": 4}, [(Limit(depth=2, nodes=300), None)] * 2, None),
        ("_repeats", {"nodes": 4, "spec": "mcts"}, [(nodes, None)] * 2, None),
    ]
    for law, given, searches, message in cases:
        assert verdict_on(monkeypatch, law, **given) == (searches, message), (law, given)


def test_nondeterminism_is_reported(monkeypatch):
    for name, values in (("move", (3, 4)), ("value", (5, -5)), ("nodes", (300, 301))):
        reports = iter(Report(**({"move": 0} | {name: value})) for value in values)
        monkeypatch.setattr(conduct._Examiner, "_search", lambda *given, reports=reports: next(reports))
        examiner = conduct._Examiner("mcts", "tictactoe", conduct.Conduct("mcts", 0), {}, True)
        with pytest.raises(conduct._Violation) as broken:
            examiner._repeats(examiner.game.new())
        assert broken.value.law == "repeat"
        assert str(broken.value) == f"{name} {values[0]} with 300 nodes, and then {values[1]}"


@pytest.mark.parametrize(
    ("move", "pv", "message"),
    [
        (0, (0,), None),
        (0, (0, 1, 2, 3), None),
        (0, (1, 0), "its move is 0, and its line begins (1,)"),
        (0, (), "its move is 0, and its line begins ()"),
        (0, (0, 4, 4), "its line is (0, 4, 4), of which the move at 2 is illegal"),
        (0, (0, 3, 1, 4, 2, 5), "its line is (0, 3, 1, 4, 2, 5), of which the move at 5 is illegal"),
    ],
)
def test_a_line_is_played_and_taken_back(move, pv, message):
    examiner = conduct._Examiner("iterative", "tictactoe", conduct.Conduct("iterative", 0), {}, True)
    position = examiner.game.new()
    try:
        examiner._line(position, Report(move=move, pv=pv))
        assert message is None
    except conduct._Violation as broken:
        assert (broken.law, str(broken)) == ("pv", message)
    assert position.key() == examiner.game.new().key()


def test_values_end_with_an_immediate_win_except_in_games_of_points(tmp_path):
    """In games with points only trees of won and lost positions show it."""
    for value, game, broken in (
        (WIN, "tictactoe", []),
        (-WIN - 1, "tictactoe", [("raises", "tictactoe")]),
        (WIN + 1, "othello", [("raises", f"{payoff_trees.__file__}:WinLoss:seed=0")]),
    ):
        file = tmp_path / f"mine{abs(value)}{game[:2]}.py"
        file.write_text(FIRST.replace("[0]", f"[0], {value}"))
        report = conduct.check(f"{file}", [game], positions=1, timed=False)
        assert [(violation.law, violation.game) for violation in report.broken] == broken, (value, game)


def test_searches_without_time_limit_have_a_hang_timeout(monkeypatch):
    given = []
    real = conduct.Session.search

    def search(self, position, limit, watch=None, copy=True):
        given.append((limit.seconds, self.hang_timeout))
        return real(self, position, limit, watch)

    monkeypatch.setattr(conduct.Session, "search", search)
    assert conduct.check("random", ["tictactoe"], positions=1).broken == []
    assert given[:5] == [(None, 10.0)] * 2 + [(30, None), (None, 10.0), (0.2, None)], "random has no depth"


def test_built_in_searches_are_checked_against_the_laws(monkeypatch):
    """The session of a custom engine checks the same laws earlier."""
    log = []

    class Wrong:
        hang_timeout = None

        def __init__(self, engine):
            pass

        def search(self, position, limit, watch=None, copy=True):
            return log[0]

    monkeypatch.setattr(conduct, "Session", Wrong)
    subject = conduct.Conduct("minimax", 0)
    examiner = conduct._Examiner("minimax", "tictactoe", subject, {}, True)
    position = registry.game("tictactoe").new("a1 b1 c1 b2 a2 c2 b3")  # 6 and 8 are left
    moves = f"position.moves() is {list(position.moves())}"
    for report, law, seen in (
        (Report(move=3, pv=(3,)), "moves", f"it returned the move 3: {moves}"),
        (Report(move=6, pv=(8,)), "pv", "its move is 6, and its line begins (8,)"),
        (Report(move=6, pv=(6, 6)), "pv", "its line is (6, 6), of which the move at 1 is illegal"),
        (Report(move=6, pv=(6,), value=WIN + 1), "value",
         "it reported the value 1,000,001; expected 1,000,000 at most"),
    ):  # fmt: skip
        log[:] = [report]
        with pytest.raises(conduct._Violation) as broken:
            examiner._search(position, Limit(depth=1))
        assert (broken.value.law, str(broken.value)) == (law, seen)
    log[:] = [Report(move=6, pv=(6, 8), value=WIN)]
    assert examiner._search(position, Limit(depth=1)) == log[0] and subject.searches == 5


# -- the law of minimax ----------------------------------------------------------------------------------

TEMPLATE = (Path(template.__file__)).read_text()
KINDS = ["MovesAgain", "Points", "ScaledPoints", "WinLoss"]
WINS = ["MovesAgain", "WinLoss"]
MISTAKES = {  # in the template: the payoffs whose values are wrong
    "payoffs times WIN": (
        "terminal_value(position), ()",
        "int(position.outcome()[position.turn] * 1_000_000), ()",
        ["Points", "ScaledPoints", "WinLoss"],
    ),
    "points without their unit": (
        "terminal_value(position), ()",
        "(int(position.outcome()[position.turn]) if position.scored else terminal_value(position)), ()",
        ["ScaledPoints"],
    ),
    "always negated": ("value if same else -value", "-value", ["MovesAgain"]),
    "never negated": ("value if same else -value", "value", KINDS),
    "wins without a distance": ("delay(value if same else -value)", "(value if same else -value)", WINS),
    "the first player's payoff": (
        "terminal_value(position), ()",
        "terminal_value(position, 0), ()",
        KINDS,
    ),
    "the worst move": ("return max(results)", "return min(results)", KINDS),
}  # fmt: skip


def broken_kinds(monkeypatch, file, kinds):
    """The kinds of payoffs, among these, on whose trees a law is broken: minimax, or the range of a value."""
    broken, references = [], conduct.PAYOFFS
    for kind in kinds:
        monkeypatch.setattr(conduct, "PAYOFFS", {kind: references[kind]})
        report = conduct.check(str(file), ["tictactoe"], positions=1, timed=False)
        broken += [kind for violation in report.broken if f":{kind}:" in violation.game]
    return broken


@pytest.mark.parametrize("mistake", MISTAKES)
def test_law_of_minimax_finds_mistakes_by_the_payoffs_they_concern(mistake, tmp_path, monkeypatch):
    change, by, kinds = MISTAKES[mistake]
    assert change in TEMPLATE
    file = tmp_path / "mine.py"
    file.write_text(TEMPLATE.replace(change, by))
    engine = registry.engine(str(file))[0]
    # In this process, which is faster.
    with registry.override_engines(file, lambda spec: (type(engine)(), Limit())):
        assert broken_kinds(monkeypatch, file, KINDS) == kinds


def test_law_of_minimax_holds_for_the_template_and_reports_its_scope(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(TEMPLATE)
    report = conduct.check(str(file), ["tictactoe"], positions=1, timed=False)
    assert (report.broken, report.untested) == ([], "")
    assert report.payoffs == ("WinLoss", "Points", "ScaledPoints", "MovesAgain")
    for text, reason in (
        (FIRST, "it reports no value"),
        (FIRST.replace("[0]", "[0], 3"), "it reports no depth to which its value holds"),
    ):
        other = tmp_path / f"mine{len(reason)}.py"
        other.write_text(text)
        report = conduct.check(str(other), ["tictactoe"], positions=1, timed=False)
        assert (report.payoffs, report.untested, report.broken) == ((), reason, [])
    assert conduct.check("random", ["nim"], positions=1, timed=False).untested == "it does not search"


def expectation(position, player):
    """The final payoff of a player, by definition; a mean at chance nodes."""
    if position.outcome() is not None:
        return position.outcome()[player]
    mover, best, values = position.turn, None, []
    for move in position.moves():
        position.make(move)
        outcome = [expectation(position, seat) for seat in (0, 1)]
        position.unmake()
        values.append(outcome[player])
        if mover >= 0 and (best is None or outcome[mover] > best[mover]):
            best = outcome
    return sum(values) / len(values) if mover < 0 else best[player]


@pytest.mark.parametrize("kind", conduct.PAYOFFS)
def test_trees_have_the_values_that_their_payoffs_define(kind):
    seen = set()
    for seed in range(conduct.TREES):
        game = registry.game(f"{payoff_trees.__file__}:{kind}:seed={seed}")
        position = game.new()
        report = registry.engine(conduct.PAYOFFS[kind])[0].search(position, Limit(depth=8))
        right = expectation(position, 0)
        seen.add(right)
        if position.scored:
            assert report.value == pytest.approx(right * position.unit)
        else:
            assert (report.value > 0) - (report.value < 0) == (right > 0) - (right < 0)
        if kind == "GeneralSum":
            assert report.values == (right, expectation(position, 1))
    assert len(seen) > 1


def test_check_reports_an_engine_that_leaves_its_own_position_modified(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def choose(position):\n  m = position.moves()[0]\n  position.make(m)\n  return m\n")
    report = conduct.check(str(file), ["tictactoe"], positions=2, timed=False)
    assert [broken.law for broken in report.broken] == ["position"]
