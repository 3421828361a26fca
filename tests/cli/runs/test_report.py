"""`gameplay run report`: figures of matches and tournaments on the terminal and as JSON."""

import io
import json
import re
from contextlib import redirect_stdout
from dataclasses import replace
from html import unescape
from types import SimpleNamespace

import msgspec
import pytest

from gameplay.cli.runs import report
from gameplay.display.pages.run import page
from gameplay.display.reports import crosstable, ending
from gameplay.display.theme import Theme
from gameplay.runs.pairing import Ranked
from gameplay.runs.plan import Entrant, Plan, Sprt
from gameplay.runs.played import MatchGame
from gameplay.search.limit import Limit
from gameplay.statistics.sprt import sprt
from gameplay.store import jsonl
from tests.support.commands import gameplay
from tests.support.facts.text import check_results, check_width
from tests.support.golden import golden
from tests.support.paths import TESTS
from tests.support.reports import game_files, match, match_game, pairs, summary

pytestmark = pytest.mark.once

assert game_files  # fixture


def games_of_three():
    """Nine pairs of games between a, b and c."""
    games, pair = [], 0
    for names, results in ((("a", "b"), "wwd"), (("b", "c"), "wdw"), (("a", "c"), "wwl")):
        for number, result in enumerate(results):
            for leg in (0, 1):
                moves = f"{1 + pair % 7} {1 + pair // 7} {1 + leg} {1 + number}"
                games.append(match_game(pair, leg, result, names, moves))
            pair += 1
    return games


def test_figures_of_a_match_by_hand():
    summary = match("ww wl dd wd lw ll")
    assert {two: tally.games for two, tally in summary.tallies.items()} == {
        ("new", "old"): [4, 3, 5],
        ("old", "new"): [5, 3, 4],
    }
    assert summary.match_tally.pairs == [1, 0, 3, 1, 1] and summary.tally("old", "new").pairs == [
        1,
        1,
        3,
        0,
        1,
    ]
    assert summary.seat_results("new", 0) == [2, 1, 3] and summary.seat_results("old", 1) == [3, 1, 2]
    assert summary.total_results("new") == [4, 3, 5] and summary.match_tally.points == 6.5
    assert summary.repeats == 0 and summary.faults == [] and summary.warnings == []
    assert summary.rating.score == pytest.approx(6.5 / 12)
    assert summary.lengths == {4: 12} and len(summary.openings) == 6
    assert summary.openings[0] == ("1 1", 2, 2.0)
    assert summary.work["new"].moves == 12 and summary.work["old"].moves == 12
    assert summary.work["new"].nodes == 6 * 100 + 6 * 150
    assert summary.work["new"].seconds == pytest.approx(6 * 0.01 + 6 * 0.02)
    assert "new scored 54.2 % against old (won 5, drawn 3, lost 4)" in summary.verdict
    assert "Which is the stronger is open" in summary.verdict


def test_swapping_the_players_mirrors_the_figures():
    first, second = match("ww wl dd wd lw ll wd"), match("ww wl dd wd lw ll wd", players=("old", "new"))
    assert first.rating.elo == pytest.approx(-second.rating.elo)
    assert (
        first.table["new"].elo
        == pytest.approx(second.table["new"].elo)
        == pytest.approx(-second.table["old"].elo)
    )
    assert first.rating.low == pytest.approx(-second.rating.high)


def test_the_course_of_the_test_is_that_of_the_counts():
    asked = Sprt(elo0=0, elo1=50)
    summary = match("ww wd dd wl lw wd ww wd", sprt=asked)
    assert [games for games, _ in summary.llr_curve] == [0, 2, 4, 6, 8, 10, 12, 14, 16]
    counts = [0] * 5
    for (_, llr), half_points in zip(summary.llr_curve[1:], (4, 3, 2, 2, 2, 3, 4, 3), strict=True):
        counts[half_points] += 1
        assert llr == pytest.approx(sprt(counts, 0, 50).llr)
    assert summary.sprt_verdict.decision is None and "The SPRT is undecided (LLR " in summary.verdict
    long = match(" ".join(["ww", "wd", "wd", "wl"] * 12), sprt=Sprt(elo0=0, elo1=200))
    assert long.sprt_verdict.decision == "H1" and "). H1 accepted (LLR " in long.verdict


def test_pairs_after_a_gap_do_not_count_for_the_test():
    whole = pairs("ww wd dd wl")
    torn = summary([g for g in whole if (g.pair, g.leg) != (1, 0)], sprt=Sprt(elo0=0, elo1=50))
    assert [games for games, _ in torn.llr_curve] == [0, 2]
    assert torn.complete_tally.pairs == [0, 0, 0, 0, 1] and torn.match_tally.pairs == [0, 0, 2, 0, 1]
    assert torn.table["new"].games == 6, "the half of a pair alone would favour whoever had the better side"


def test_inconclusive_results_are_named_so():
    same = summary([match_game(pair, leg, "w" if leg == 0 else "l") for pair in range(5) for leg in (0, 1)])
    assert same.repeats == 8 and same.refusal is not None
    assert isinstance(same.rating, str) and isinstance(same.table, str)
    assert "No conclusion can be drawn" in same.verdict
    assert "Elo: none" not in same.verdict
    late = match(" ".join(["wl"] * 20 + ["ww"]))
    assert not late.warnings
    few = match("wl dw wd", planned=100)
    assert [guard.name for guard in few.warnings] == ["peeking"]
    assert summary([]).verdict == "No game is finished."


def test_pairs_from_one_opening_are_refused():
    games = [
        match_game(pair, leg, "w", moves=f"1 1 {1 + pair} {1 + leg}") for pair in range(3) for leg in (0, 1)
    ]
    totals = summary(games)
    assert [guard.name for guard in totals.warnings] == ["openings"]
    assert "3 pairs began from only 1 different openings" in totals.rating == totals.table
    assert [guard.name for guard in summary(games[:2]).warnings] == []


def test_void_games_are_faults_and_no_results():
    void = MatchGame(0, 0, ("new", "old"), (), "void", None, state="void", fault="killed by signal 9")
    lost = match_game(1, 0, "l", termination="crash", offender="new", fault="it <crashed>")
    totals = summary([void, lost, match_game(1, 1, "w")])
    assert totals.match_tally.games == [1, 0, 1] and totals.faults == [void, lost]
    assert totals.verdict.endswith("Faults: new: 1 crash; this machine: 1 void game.")
    text = page(totals, None, [])
    assert "it &lt;crashed&gt;" in text and "killed by signal 9" in text and "it <crashed>" not in text


def test_a_table_of_three_has_ratings_and_their_order():
    games = games_of_three()
    totals = summary(games, players=("c", "b", "a"))
    assert totals.tally("a", "b").games == [0, 2, 4]
    assert [s.name for s in totals.table.standings] == ["a", "b", "c"]
    assert totals.verdict.startswith("a is first: Elo ")
    text = page(totals, None, [])
    assert text.count('<th scope="row">') >= 9 and "against 3" in text


# -- the command ------------------------------------------------------------------------------------------


def test_report_of_a_selfplay_file_on_terminal_and_as_json(game_files, capsys):
    assert gameplay("report", game_files["line"]) == 0
    out = capsys.readouterr().out
    for words in ("iterative scored ", "as blue", "Elo", "nodes a move", "Faults: none"):
        assert words in out
    assert gameplay("report", game_files["line"], "--json") == 0
    document = json.loads(capsys.readouterr().out)
    games = [json.loads(line) for line in game_files["line"].read_text().splitlines()[1:]]
    wins = sum(game["payoffs"][game["leg"]] > 0 for game in games)
    assert document["cross"][0]["wins"] == wins and document["games"] == 12
    assert document["verdict"].startswith("iterative scored")


def test_report_of_a_run_equals_that_of_its_export(home, tmp_path, capsys):
    words = ["--game", "tictactoe", "--games", "8", "--depth", "3", "--seed", "2", "--jobs", "1"]
    words += ["--title", "<b>&", "--sprt", "0,20"]
    assert gameplay("match", "deep=alphabeta", "luck=random", *words) in (0, 3, 4)
    capsys.readouterr()
    assert gameplay("report", "last", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["games"] == 8 and document["sprt"]["model"] == "normalized"
    assert [player["name"] for player in document["players"]] == ["deep", "luck"]
    assert gameplay("export", "last", "--out", tmp_path / "run.jsonl") == 0
    capsys.readouterr()
    assert gameplay("report", tmp_path / "run.jsonl", "--json") == 0
    assert json.loads(capsys.readouterr().out) == document
    (tmp_path / "run.jsonl").rename(tmp_path / "run")  # whatever it is called
    assert gameplay("report", tmp_path / "run", "--json") == 0
    assert json.loads(capsys.readouterr().out)["games"] == document["games"]
    assert gameplay("report", "last", "--html", tmp_path / "run.html") == 0
    text = (tmp_path / "run.html").read_text()
    assert "<b>&" not in text and "&lt;b&gt;&amp;" in text
    assert "The test (SPRT)" in text and "H1 at 2.94" in text


def test_report_lists_the_given_openings(tmp_path, capsys):
    """The given moves are the opening; players searched none of them."""
    (tmp_path / "begin.txt").write_text("moves a1 b1\nmoves a2 b1\nmoves c3 b1\n")
    words = ["--first", "random", "--second", "random:seed=3", "--games", "6", "--jobs", "1"]
    words += ["--openings", tmp_path / "begin.txt", "--out", tmp_path / "games.jsonl", "--json"]
    assert gameplay("selfplay", "tictactoe", *words) == 0
    played = json.loads(capsys.readouterr().out)
    run, games = report.read_run(str(tmp_path / "games.jsonl"), None)
    assert sorted(words for words, *_ in run.openings) == ["a1 b1", "a2 b1", "c3 b1"]
    assert run.refusal is None
    assert [work.moves for work in run.work.values()] == [effort["moves"] for effort in played["efforts"]]
    assert sum(effort["moves"] for effort in played["efforts"]) == sum(len(g.record.moves) - 2 for g in games)


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [(["none.jsonl"], 6, "there is no file none.jsonl"), (["nobody"], None, "nobody"), ([], 2, "RUN")],
)
def test_mistakes_are_one_line(words, status, complaint, capsys):
    code = gameplay("report", *words)
    err = capsys.readouterr().err
    assert code == status or (status is None and code in (2, 6))
    assert (complaint in err or "runs.db" in err) and "Traceback" not in err


def test_a_file_that_is_no_run_is_refused(tmp_path, capsys):
    (tmp_path / "x.jsonl").write_text('{"some": "thing"}\n')
    assert gameplay("report", tmp_path / "x.jsonl") == 6
    assert "x.jsonl, line 1" in capsys.readouterr().err


def test_a_game_that_cannot_be_is_named(game_files, tmp_path, capsys):
    header, games = jsonl.read(game_files["line"].read_bytes().splitlines(keepends=True), "")
    written = [jsonl.encode_line(header)]
    for number, game in enumerate(games):
        if number == 3:
            game.record = msgspec.Raw(bytes(game.record).replace(b'"move":"', b'"move":"9', 1))
        written.append(jsonl.encode_line(game))
    (tmp_path / "wrong.jsonl").write_bytes(b"".join(written))
    assert gameplay("report", tmp_path / "wrong.jsonl", "--html", tmp_path / "x.html") == 6
    assert "pair 2, game 2 cannot be drawn: " in capsys.readouterr().err
    assert not (tmp_path / "x.html").exists()


def runs():
    """Runs of every kind by name: long and short, with two, three and many seats, with and without faults."""
    void = MatchGame(0, 0, ("new", "old"), (), "void", None, state="void", fault="killed by signal 9")
    lost = match_game(1, 0, "l", termination="crash", offender="new", fault="it <crashed>", attempt=2)
    late = match_game(2, 1, "l", termination="time_forfeit", offender="old", fault="60 s over")
    claim = match_game(3, 0, "w", fault="believes that new lost", times=())
    games = games_of_three()
    seats = [
        MatchGame(pair, leg, order, pays, "rules", None, opening=0)
        for pair, pays in enumerate([(5.0, 2.0, -7.0), (1.0, 1.0, -2.0), (0.0, 4.0, -4.0), (3.0, -1.0, -2.0)])
        for leg, order in enumerate([("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")])
    ]
    long = "a player of a name too long for any table of a narrow terminal"
    asked = {"planned": 100, "sprt": Sprt(elo0=0, elo1=50)}
    facts = (("game", "connect4"), ("seed", "7"))
    return {
        "a match": match(
            "ww wl dd wd lw ll ww wd", facts=facts, specs={"new": "iterative", "old": "random"}, **asked
        ),
        "one that is decided": match(" ".join(["ww", "wd", "wd", "wl"] * 12), sprt=Sprt(elo0=0, elo1=200)),
        "few games": match("wl dw wd", planned=100),
        "the same again": summary([match_game(pair, leg, "wl"[leg]) for pair in range(5) for leg in (0, 1)]),
        "nothing": summary([]),
        "faults": summary(
            [void, lost, late, match_game(1, 1, "w"), match_game(2, 0, "d"), claim, match_game(3, 1, "d")]
        ),
        "faults of many": summary([void, *(replace(lost, pair=pair) for pair in range(1, 14))]),
        "three": summary(games, players=("c", "b", "a")),
        "three seats": summary(
            seats, players=("a", "b", "c"), sides=("south", "west", "north"), points="points", game="hearts"
        ),
        "discs": match("ww wl dd wd", points="discs", state="stopped", sides=("black", "white")),
        "a long name": summary(
            [
                match_game(pair, leg, "wd"[leg], (long, "b"), f"{1 + pair} 1 2")
                for pair in range(3)
                for leg in (0, 1)
            ]
            + [match_game(9, leg, "l", ("b", "c"), f"{1 + leg} 3 3") for leg in (0, 1)],
            players=(long, "b", "c"),
        ),
    }


# -- output --------------------------------------------------------------------------------------------------


def test_reports_of_every_kind_of_run_match_the_stored_screens(monkeypatch):
    """On a wide terminal, on a narrower one and in a pipe; also the text of their pages."""
    log = []
    for name, totals in runs().items():
        for columns, terminal in ((100, True), (64, True), (80, False)):
            monkeypatch.setenv("COLUMNS", str(columns))
            theme = Theme(colour=False, unicode=True, interactive=terminal)
            out = io.StringIO()
            with redirect_stdout(out):
                crosstable.show(theme, totals)
            lines = re.sub(r"\x1b\[[\d;]*m", "", out.getvalue()).splitlines()
            check_results(out.getvalue())
            check_width(lines if terminal else [], columns)
            log += [f"-- {name}, {columns} columns" if terminal else f"-- {name}, in a pipe"]
            log += [line.rstrip() for line in lines]
        text = re.sub(r"<(style|script|svg).*?</\1>", "", page(totals, None, []), flags=re.DOTALL)
        text = re.sub(r"</(tr|p|h1|h2|caption|summary|dt|dd)>", "\n", text)
        text = unescape(re.sub(r"</?t[hd][^>]*>", " ", text))
        log += [
            f"-- {name}, the page",
            *(line for raw in text.splitlines() if (line := " ".join(re.sub("<[^>]*>", "", raw).split()))),
        ]
    golden("runs", "\n".join(log) + "\n")


def test_a_report_holds_the_facts_of_its_run():
    """Title, limits, seed and other known facts; for a match the number of planned games."""
    facts = [("run", "an id"), ("begun", ""), ("file", "a file")]

    def run_of(title="", state="open", verdict="", **changes):
        given = {
            "game": "tictactoe",
            "players": [Entrant(player="minimax:depth=2"), Entrant(player="random")],
        }
        return report._summary(title, Plan(**(given | {"seed": 7} | changes)), state, verdict, facts)

    document = run_of(games=12)
    assert (document.title, document.game, document.players) == (
        "tictactoe: minimax:depth=2 against random", "tictactoe", ["minimax:depth=2", "random"],
    )  # fmt: skip
    assert (document.planned, document.state, document.sides, document.points) == (
        12,
        "not finished",
        ["x", "o"],
        "",
    )
    assert (
        document.specs == {"minimax:depth=2": "minimax:depth=2", "random": "random"} and document.sprt is None
    )
    kept = [("seed", "7"), ("run", "an id"), ("file", "a file")]
    assert document.facts == [("form", "match"), ("limits", "3,000 nodes"), *kept]
    timed = run_of(depth=4, state="stopped", verdict="by hand", title="mine")
    assert timed.facts == [("form", "match"), ("limits", str(Limit(depth=4))), *kept]
    assert (timed.title, timed.state) == ("tictactoe: mine", "stopped: by hand")
    tested = run_of(state="finished", verdict="H1", sprt=Sprt(elo0=0, elo1=5), games=12)
    assert tested.state == "finished" and tested.sprt is tested.plan.sprt is not None
    players = [Entrant(player="random", name=name) for name in "abc"]
    three = run_of(players=players, form="round-robin", games=4, clock="5+1", game="connect4:columns=5")
    assert three.title == "connect4: round-robin of 3 players" and three.planned is None
    assert three.game == "connect4:columns=5" and three.facts[1] == ("limits", "5+1")
    there = str(TESTS / "examples" / "games" / "sticks.py")
    assert run_of(game=there).game == "sticks" and run_of(game=there).title.startswith("sticks: ")


def run_report(summary, ranked=(), **more):
    """The report of the runner at the end of a run."""
    ranks = [Ranked(summary.players.index(name), 1.5 - n) for n, name in enumerate(ranked or summary.order)]
    plan = SimpleNamespace(form=more.pop("form", "match"), seed=7)
    game = more.pop("game", SimpleNamespace(name="connect4", spec="connect4:columns=9"))
    specs = ["iterative:table=64MB,order=hint+killer", "old", "c"][: len(summary.players)]
    facts = {
        "summary": summary, "plan": plan, "sides": summary.sides, "rating": summary.rating,
        "table": summary.table,
        "schedule": SimpleNamespace(total=more.pop("total", 100), game=game, specs=specs),
        "standing": SimpleNamespace(verdict=more.pop("verdict", None)), "warnings": [], "ranks": ranks,
        "is_match": len(summary.players) == len(summary.sides) == 2, "seconds": 61.25, "jobs": 2,
        "run": SimpleNamespace(id="r1"), "openings_description": "all from here",
    }  # fmt: skip
    return SimpleNamespace(**(facts | more))


def test_final_lines_of_every_kind_of_run_match_the_stored_screens(monkeypatch):
    """The lines include warnings; on a terminal and in a pipe."""
    kinds, alone = runs(), SimpleNamespace(name="mine.py:Mine", spec="/a/mine.py:Mine:size=3")
    warning = "a long sentence that warns of what the figures do not tell, and has to be folded somewhere"
    nine = "abcdefghi"
    legs = [(pair, leg) for pair in range(8) for leg in (0, 1)]
    games = [
        match_game(pair, leg, "wl"[leg], tuple(nine[pair : pair + 2]), f"{pair % 7 + 1} 2")
        for pair, leg in legs
    ]
    many = summary(games, players=tuple(nine))
    dice = summary([match_game(pair, leg, "wl"[leg]) for pair, leg in legs[:6]], points="points")
    shown = {
        "a match": run_report(kinds["a match"], verdict="H1 accepted", warnings=[warning, "short"], jobs=1),
        "without a total": run_report(kinds["few games"], total=None, game=alone),
        "nothing": run_report(kinds["nothing"]),
        "no rating": run_report(kinds["discs"], rating="there are too few games", total=4),
        "one game": run_report(summary([match_game(0, 0, "w")])),
        "the same again": run_report(kinds["the same again"]),
        "dice": run_report(dice),
        "three": run_report(kinds["three"], form="round robin", warnings=["short"]),
        "three, swiss": run_report(
            kinds["three"], form="swiss", table="all games repeat one another", jobs=1
        ),
        "three seats": run_report(kinds["three seats"], form="knockout", total=None),
        "nine": run_report(many, nine, form="gauntlet"),
        "eight": run_report(many, nine[:8], form="gauntlet"),
        "a long name": run_report(kinds["a long name"], form="gauntlet"),
    }
    narrow = ("a match", "three seats", "a long name")
    log = []
    for name, end in shown.items():
        for columns, terminal in ((60, True), (80, False), *([(34, True)] if name in narrow else [])):
            out = io.StringIO()
            theme = Theme(colour=True, unicode=True, interactive=terminal, depth="256")
            theme.__dict__["console"] = theme.console_on(out, columns)
            theme.console._force_terminal = terminal
            monkeypatch.setattr(ending, "detect_theme", lambda theme=theme: theme)
            ending.show(end)
            check_results(out.getvalue())
            check_width(out.getvalue().splitlines() if terminal else [], columns)
            lines = out.getvalue().replace("\x1b[0m", ">").replace("\x1b[1m", "<").splitlines()
            log += [f"-- {name}, {f'{columns} columns' if terminal else 'in a pipe'}"]
            log += [line.rstrip() for line in lines]
    golden("ended_runs", "\n".join(log) + "\n")
