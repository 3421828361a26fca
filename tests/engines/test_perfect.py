"""The engine `perfect`: exact values of every move, and the option `dial` for weaker moves."""

import io
import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from gameplay.cli import router, run
from gameplay.cli.search import solve as cli
from gameplay.display.theme import Theme
from gameplay.engines.iterative import Iterative
from gameplay.engines.perfect import AIMS, Perfect
from gameplay.kernel import compiled
from gameplay.matches.match import match_without_players
from gameplay.registry import engine, game
from gameplay.search.limit import Limit
from gameplay.search.solver import FOREVER
from gameplay.store import solutions
from gameplay.suites import solving
from gameplay.value import WIN, delay, is_win


def full(position):
    """The value from the mover's view by full search: wins by distance, points unscaled."""
    payoffs = position.outcome()
    if payoffs is not None:
        mine = payoffs[position.turn]
        return round(mine * position.unit) if position.scored else WIN * ((mine > 0) - (mine < 0))
    return max(after(position, move) for move in position.moves())


def after(position, move):
    """The value of a move for its mover."""
    mover = position.turn
    position.make(move)
    value = full(position)
    same = position.turn == mover
    position.unmake()
    return delay(value if same else -value)


ENDINGS = [
    ("tictactoe", "x.o/.x./..."),
    ("nim:heaps=1+2+2", ""),
    ("nim:heaps=1+2+2,misere=on", ""),
    ("connect4:columns=4,rows=4", "2233144"),
    ("connect4:columns=4,rows=3,connect=3", "2314"),
    ("othello:size=4", ""),
]


@pytest.mark.parametrize("spec, text", ENDINGS, ids=[spec for spec, _ in ENDINGS])
def test_every_move_has_its_exact_value(spec, text):
    position = game(spec).new(text)
    if spec == "othello:size=4":
        for _ in range(3 if compiled() else 6):
            position.make(position.moves()[0])
    report = Perfect(table="1MB").search(position, Limit(multipv=99))
    assert {candidate.move: candidate.value for candidate in report.candidates} == {
        move: after(position, move) for move in position.moves()
    }
    assert all(candidate.proven and candidate.bound == "exact" for candidate in report.candidates)
    assert report.exact and report.stopped == "solved" and report.source == "solver"
    assert report.value == max(candidate.value for candidate in report.candidates) == full(position)
    assert Perfect(table="1MB").search(position).value == report.value


def test_the_line_is_perfect_to_its_end():
    position = game("connect4").new(
        "5554224333234511764415115" if compiled() else "7422341735647741166133573473242"
    )
    report = Perfect(table="1MB").search(position)
    value = report.value
    for move in report.pv:
        assert Perfect(table="1MB").search(position).value == value
        position.make(move)
        value = -delay(value, -1)
    assert position.outcome() is not None
    assert is_win(report.value) and len(report.pv) == WIN - abs(report.value)


def values_of(position):
    report = Perfect(table="1MB").search(position, Limit(multipv=99))
    return {candidate.move: candidate.value for candidate in report.candidates}


@pytest.mark.parametrize("aim", AIMS)
def test_perfect_pursues_its_aim(aim):
    """In positions with winning, drawing and losing moves."""
    for text in ("223322", "2233", "22", "12341234"):
        position = game("connect4:columns=4,rows=4").new(text)
        values = values_of(position)
        best = max(values.values())
        value = values[Perfect(table="1MB", aim=aim).search(position).move]
        if aim == "win":
            assert value == best
        elif aim == "lose":
            assert value == min(values.values())
        elif aim == "level":
            assert abs(value) == min(abs(value) for value in values.values())
        else:
            same = [
                value for value in values.values() if (value > 0) - (value < 0) == (best > 0) - (best < 0)
            ]
            assert value == (max(same) if best < 0 else min(same))


def test_equal_moves_are_drawn_by_the_seed_and_errors_in_their_share():
    position = game("tictactoe").new("x.o/.../...")
    equal = dict.fromkeys(position.moves(), 0)
    drawn = Counter(Perfect(equal="random", seed=seed).choice(position, equal) for seed in range(100))
    assert set(drawn) == set(equal) and max(drawn.values()) < 40
    one_good = {move: -(move != 4) for move in equal}
    wrong = sum(Perfect(skill=50, seed=seed).choice(position, one_good) != 4 for seed in range(100))
    assert 25 < wrong < 60
    assert Perfect(skill=0, seed=3).choice(position, equal) == Perfect(skill=0, seed=3).choice(
        position, equal
    )
    spec = "perfect:table=1MB,equal=random,seed=5"
    position = game("tictactoe").new("xo./.o./.x.")
    assert engine(spec)[0].search(position).move == engine(spec)[0].search(position).move


@pytest.mark.once
def test_stopped_perfect_search_reports_known_values():
    position = game("connect4").new()
    report = Perfect(table="1MB").search(position, Limit(nodes=2000))
    assert (report.stopped, report.exact, report.source) == ("nodes", False, "search")
    assert report.depth >= 1 and report.move in position.moves() and 1500 < report.nodes <= 2000
    result = Perfect(table="1MB").search(position, Limit(nodes=2000, moves=(2,)))
    assert (result.move, result.bound, result.stopped) == (2, "unknown", "nodes"), (
        "there is nothing to choose"
    )
    report = Perfect(table="1MB").search(position, Limit(depth=3))
    assert (report.stopped, report.depth, report.exact, report.source) == ("depth", 3, False, "search")
    report = Perfect(table="1MB").search(game("chess").new(), Limit(nodes=3000))
    assert not report.exact and report.depth >= 1 and report.source == "search"


@pytest.mark.parametrize("dial", ["", "aim=hold", "aim=lose", "skill=50", "equal=random"])
def test_perfect_searches_positions_it_cannot_solve_in_time(dial):
    """At any `dial`: by a game's solver, or by searching the whole position."""
    playing, _ = engine(f"perfect:table=1MB{',' if dial else ''}{dial}")
    for spec, text, limit, same in (
        ("connect4", "367253532", Limit(nodes=200), Limit(nodes=50)),
        ("chess", "", Limit(depth=2), Limit(depth=2)),
        ("chess", "", Limit(depth=2, multipv=2), Limit(depth=2)),
    ):
        position = game(spec).new(text)
        report = playing.search(position, limit)
        assert report.source == "search" and not report.exact and report.depth >= 1
        assert report.move == Iterative(table="16KB").search(position, same).move


# -- gameplay solve ---------------------------------------------------------------------------------


def solve(*words):
    return run(router, "gameplay", ["solve", *words])


END = "7 4 2 2 3 4 1 7 3 5 6 4 7 7 4 1 1 6 6 1 3 3 5 7 3 4 7 3 2 4 2 5 6 6"  # with its last stone


def test_progress_of_solve_counts_all_moves_until_the_last_is_solved(capsys, monkeypatch):
    monkeypatch.setattr("gameplay.display.reports.solving.REPORT_INTERVAL", 0.0)
    assert solve("connect4", "--moves", END, "--plain") == 0
    out, err = capsys.readouterr()
    count = out.count("; line ")
    reported = [line.partition(" moves solved")[0] for line in err.splitlines()]
    assert count > 1 and {f"{solved} of {count}" for solved in range(count)} == set(reported)


def test_solve_reports_and_stores_every_move(capsys):
    words = ["connect4", "--moves", END, "--plain"]
    assert solve(*words) == 0
    output = capsys.readouterr().out
    assert "value   " in output and " positions in " in output
    assert solve(*words) == 0
    again = capsys.readouterr().out
    moves = [line for line in output.splitlines() if "; line " in line]
    assert moves and sorted(line for line in again.splitlines() if "; line " in line) == sorted(moves)
    assert f"{len(moves)} of {len(moves)} moves were solved before" in again
    assert "value   blue wins in 7 plies" in output
    assert solve(*words, "--again") == 0
    assert "solved before" not in capsys.readouterr().out


def test_solutions_of_a_game_without_text_are_stored_by_moves(capsys):
    """Such a position is defined by its start and its moves."""
    spec = f"{Path(__file__).parents[1]}/examples/games/sticks.py:sticks=7"
    for moves, value in (("", "first wins"), ("1", "second wins"), ("2", "first wins")):
        for again in (False, True):
            assert solve(spec, *(["--moves", moves] if moves else []), "--plain") == 0
            output = capsys.readouterr().out
            assert f"value   {value}" in output
            assert ("3 of 3 moves were solved before" in output) == again


def test_solve_draws_the_position(capsys):
    """The board has at most 14 lines; without a terminal there is only a line."""
    match = match_without_players(game("connect4"), words=["4", "4"])
    for interactive, unicode in ((True, True), (True, False), (False, True)):
        theme = Theme(colour=False, unicode=unicode, interactive=interactive)
        out = io.StringIO()
        theme.__dict__["console"] = theme.console_on(out, 100)
        cli._print_heading(match, theme)
        assert capsys.readouterr().out == "connect4: blue to move\n"
        drawn = out.getvalue().splitlines()
        assert bool(drawn) == interactive and len(drawn) <= 14
        if drawn:
            assert "1   2   3   4   5   6   7" in out.getvalue()


@pytest.mark.once
def test_solve_probes_tables_first(capsys):
    assert solve("nim", "--json", "--table", "1MB") == 0
    searched = json.loads(capsys.readouterr().out)
    assert searched["nodes"] > 0
    assert run(router, "gameplay", ["table", "build", "nim"]) == 0
    capsys.readouterr()
    assert solve("nim", "--json", "--again") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["nodes"] == 0
    for first, second in zip(searched["moves"], document["moves"], strict=True):
        assert (first["move"], first["value"]) == (second["move"], second["value"])
        assert len(first["line"]) == len(second["line"]) == WIN - abs(first["value"])
    assert solve("nim", "--tables", "nowhere") == 6
    capsys.readouterr()
    assert solve("nim:heaps=1+2,misere=on", "--json") == 0  # of which there are none
    assert json.loads(capsys.readouterr().out)["nodes"] > 0


@pytest.mark.once
def test_solve_prints_json(capsys):
    assert solve("nim", "--json", "--table", "1MB") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["stopped"] == "solved" and document["text"] == "first wins in 11 plies"
    values = [move["value"] for move in document["moves"]]
    assert document["value"] == WIN - 11 == values[0]
    assert values == sorted(values, reverse=True)


@pytest.mark.once
def test_ctrl_c_while_a_line_is_looked_for_ends_it(monkeypatch, capsys):
    class InterruptedSession(solving.Session):
        def search(self, *given, **named):
            report = super().search(*given, **named)
            self.interrupted = True
            return report

    with monkeypatch.context() as patched:
        patched.setattr(solving, "Session", InterruptedSession)
        assert solve("nim", "--plain", "--table", "1MB") == 130
    output = capsys.readouterr().out
    assert output.count("; line ") == 1 and "left    11 of 12 moves" in output
    assert solve("nim", "--plain", "--table", "1MB") == 0
    assert "1 of 12 moves were solved before" in capsys.readouterr().out


def test_unfinished_solve_continues_later(capsys):
    assert solve("connect4", "--no-book", "--time", "0.05", "--table", "1MB", "--plain") == 4
    output = capsys.readouterr().out
    assert "value   not known yet" in output
    assert "left    7 of 7 moves; the same command continues" in output


@pytest.mark.parametrize(
    "words, why",
    [
        (
            ["backgammon"],
            "without chance; backgammon has chance nodes. Try: gameplay analyse backgammon --seed 1",
        ),
        (["puzzle15"], "solve requires two players; puzzle15 is a puzzle. Try: gameplay selfplay puzzle15"),
        (["tictactoe", "--position", "xxx/oo./..."], "the game is over: there is nothing to solve"),
        (["nim", "--time", "0"], "--time is '0'; expected a number of seconds over 0"),
        (["nim", "--table", "off"], "--table is 'off'; expected a size from 16KB to 64GB"),
    ],
)
def test_solve_refuses_unsupported_games(words, why, capsys):
    assert solve(*words) == 2
    assert why in capsys.readouterr().err


def test_solution_is_stored_as_reported():
    known = solutions.Solution(game="nim", position="1 2")
    known.moves["2-1"] = solutions.SolvedMove(5, ["2-1", "1-1"], 12, 0.5)
    solutions.write(known)
    assert solutions.path_of("nim", "1 2").read_text() == (
        '{"schema":1,"game":"nim","position":"1 2",'
        '"moves":{"2-1":{"value":5,"line":["2-1","1-1"],"nodes":12,"seconds":0.5}}}\n'
    )
    assert solutions.read("nim", "1 2") == known
    assert solutions.read("nim", "3") == solutions.Solution(game="nim", position="3")


def test_solving_continues_move_by_move_in_the_remaining_time(monkeypatch):
    """Each search takes two seconds and finds a value, except the last one."""
    match = match_without_players(game("nim:heaps=1+2"))
    words = [match.position.format(move) for move in match.moves()]
    limits, sessions, watched, messages = [], [], [], []

    class Search:
        interrupted = began = False

        def __init__(self, engine):
            sessions.append(self)

        def begin(self):
            self.began = True

        def search(self, position, limit, hear):
            assert self.began and self.knowledge == ["tables"] and position.key() == match.position.key()
            limits.append(limit)
            hear(SimpleNamespace(nodes=5, seconds=1.0))
            results = {"nodes": 9, "seconds": 2.0, "exact": len(limits) < 3, "stopped": "time"}
            return SimpleNamespace(value=len(limits), pv=limit.moves, **results)

    def run_solver(seconds, known=lambda word: None):
        for log in (limits, sessions, watched, messages):
            log.clear()
        return solving.solve(
            match, None, ["tables"], seconds, known, lambda rows: watched.append(list(rows)), messages.append
        )

    monkeypatch.setattr(solving, "Session", Search)
    rows, why = run_solver(3)
    assert words == ["a1", "b1", "b2"] and len(sessions) == 1
    assert [limit.seconds for limit in limits] == [3, 1, 0.001]
    assert [limit.moves for limit in limits] == [(move,) for move in match.moves()]
    first, second = (solving.MoveSolved(word, n, (word,), 9, 2.0) for n, word in enumerate(words[:2], 1))
    assert (rows, why) == ([first, second, solving.MoveSolved("b2", None, (), 9, 2.0)], "time")
    assert messages == [first, second] and len(watched) == 6
    assert watched[0] == [solving.MoveSolved(word, None, (), 0, 0.0, False) for word in words]
    assert watched[1][0] == solving.MoveSolved("a1", None, (), 5, 1.0) and watched[2][0] == first
    before = solving.MoveSolved("b1", -7, ("b1",), kept=True)
    rows, why = run_solver(None, {"b1": before}.get)
    assert (rows[1], why) == (before, "solved") and [message.word for message in messages] == ["a1", "b2"]
    assert [limit.seconds for limit in limits] == [FOREVER] * 2
    assert solving.rank_moves([rows[1], solving.MoveSolved("x"), rows[0], rows[2]]) == [
        rows[2], rows[0], rows[1], solving.MoveSolved("x"),
    ]  # fmt: skip
    worth = [solving.MoveSolved(word, value) for word, value in (("a", 0), ("b", 1), ("c", -1), ("d", 0))]
    assert "".join(row.word for row in solving.rank_moves(worth)) == "badc"
    Search.interrupted = True
    rows, why = run_solver(9)
    assert why == "interrupted" and messages == [first] == [row for row in rows if row.value is not None]


@pytest.mark.once
def test_each_aim_selects_its_move_among_known_values() -> None:
    """Two wins in three plies, one in five; points for either side; two losses and a draw."""
    position = game("nim").new()
    values = {4: 0, 1: WIN - 5, 0: WIN - 3, 3: 4 - WIN, 5: WIN - 3, 6: 12, 7: -12, 2: 8 - WIN}
    lost = {3: 4 - WIN, 2: 8 - WIN}
    for aim, wanted, losing in (("win", 0, 2), ("lose", 3, 3), ("hold", 6, 2), ("level", 4, 2)):
        searcher = engine(f"perfect:aim={aim}")[0]
        assert (searcher.choice(position, values), searcher.choice(position, lost)) == (wanted, losing), aim
        assert searcher.needs_every_value == (aim != "win") and not searcher.draws
    drawn = [engine(f"perfect:equal=random,seed={n}")[0].choice(position, values) for n in range(40)]
    assert set(drawn) == {0, 5} and 12 < drawn.count(0) < 28
    blind = [engine(f"perfect:skill=0,seed={n}")[0].choice(position, values) for n in range(80)]
    assert set(blind) == set(values)
    half = [engine(f"perfect:skill=70,seed={n}")[0].choice(position, values) for n in range(200)]
    assert 130 < half.count(0) < 165  # 70 in 100, and an eighth of the others
    other = game("nim").new("1+2+3")
    assert [engine(f"perfect:skill=0,seed={n}")[0].choice(other, values) for n in range(80)] != blind
    searcher = engine("perfect:skill=30,table=2MB,seed=5")[0]
    assert searcher.draws and searcher.needs_every_value and searcher.plain().written() == {"table": "2MB"}
