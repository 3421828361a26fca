"""The 15-puzzle: its rules, its heuristics, pattern databases and their files, and Korf's counts."""

import dataclasses
import io
import json
import re
from collections import Counter
from types import SimpleNamespace
from typing import Any, cast

import pytest
from click.testing import CliRunner

from gameplay import registry
from gameplay.cli import router, run
from gameplay.cli.common import solving
from gameplay.cli.teach import lecture
from gameplay.errors import BadInput, IllegalMove, Usage
from gameplay.games.puzzle15 import game as tiles
from gameplay.games.puzzle15.heuristics import PatternDatabase, min_removals, partitions
from gameplay.kernel import compiled
from gameplay.lessons import korf
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.interpreter import Interpreter
from gameplay.runs.planning import build
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from tests.support.golden import golden

FAST = pytest.mark.skipif(not compiled(), reason="minutes in plain Python")
SMALL = "puzzle15:rows=3,columns=3"
# Positions of the 8-puzzle, the blank in a corner of the goal, by the length of a shortest solution: A.
# Reinefeld, "Complete solution of the eight-puzzle and the benefit of node ordering in IDA*", IJCAI 1993.
REINEFELD = (
    *(1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878),
    *(16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2),
)


@pytest.mark.parametrize("seed", [2**32 - 1, 2**63 - 1])  # what `play` draws, and `seed_of` returns
def test_puzzle_accepts_every_seed_of_the_program(seed: int) -> None:
    game = registry.game("puzzle15")
    assert str(game.with_seed(seed).new()) != str(game.with_seed(seed - 1).new())


def new(text: str = "", spec: str = SMALL) -> Any:
    return registry.game(spec).new(text)


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Any:
    """An empty user cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(tiles, "_cache", {})
    return tmp_path / "gameplay" / "patterns"


# -- rules ----------------------------------------------------------------------------------------


def test_the_blank_moves_up_left_right_and_down() -> None:
    position = new("3 1 2 4 0 5 6 7 8")
    assert [position.format(move) for move in position.moves()] == ["up", "left", "right", "down"]
    position.make(position.parse("up"))
    assert position.text() == "3 0 2 4 1 5 6 7 8"
    position.make(position.parse("L"))
    assert position.text() == "0 3 2 4 1 5 6 7 8" and position.outcome() is None
    with pytest.raises(IllegalMove, match="the blank cannot go up here \\(it can go right, down\\)"):
        position.parse("u")
    position.unmake()
    position.unmake()
    assert position.text() == "3 1 2 4 0 5 6 7 8"


def test_the_goal_is_the_order_of_the_tiles() -> None:
    position = new("1 0 2 3 4 5 6 7 8")
    position.make(position.parse("left"))
    assert position.outcome() == (1,)
    assert new("0 1 2 3 4 5 6 7 8").outcome() == (1,)


def test_seeds_select_distinct_solvable_starts() -> None:
    starts = [new(spec=f"{SMALL},seed={seed}").text() for seed in range(40)]
    assert len(set(starts)) > 35
    for start in starts:
        new(start)  # refused if it could not be solved
    near = new(spec="puzzle15:shuffle=6,seed=3")
    assert 0 < len(registry.engine("idastar")[0].search(near).pv) <= 6


# -- heuristics -----------------------------------------------------------------------------------


def exact(rows: int = 3, columns: int = 3) -> list[int]:
    """The optimal cost by placement: a pattern of all tiles."""
    everything = PatternDatabase("", rows, columns, "all", [range(1, rows * columns)])
    return list(everything.compute_costs(0))


@FAST
def test_the_8_puzzle_has_its_published_distances() -> None:
    counts = Counter(exact())
    assert counts.pop(255) == 181_440, "as many cannot be reached"
    assert tuple(counts[distance] for distance in range(32)) == REINEFELD
    assert sum(counts.values()) == 181_440 and max(counts) == 31


def test_the_2x3_puzzle_has_its_published_distances() -> None:
    # 360 positions, 21 moves the farthest (OEIS A151944: 1, 6, 21).
    counts = Counter(exact(2, 3))
    counts.pop(255)
    assert sum(counts.values()) == 360 and max(counts) == 21


@pytest.mark.parametrize("name", ["manhattan", "linear-conflict", "pattern"])
def test_estimates_are_admissible_and_consistent(name: str, cache: Any) -> None:
    """Along a shortest solution the true distance is known."""
    position = new()
    position.database().build()
    promised = position.heuristics[name].consistent
    for seed in range(12 if compiled() else 3):
        position = new(spec=f"{SMALL},seed={seed}")
        line = registry.engine("astar")[0].search(position).pv
        position.heuristic = name
        for left in range(len(line), 0, -1):
            before = position.estimate()
            assert before <= left and (left - before) % 2 == 0
            for move in position.moves():
                position.make(move)
                assert before <= 1 + position.estimate() or not promised
                position.unmake()
                assert position.estimate() == before
            position.make(line[-left])
        assert position.estimate() == 0


def test_linear_conflicts() -> None:
    assert [min_removals(line) for line in ([1, 2, 3], [2, 1], [3, 2, 1], [2, 3, 1], [])] == [0, 1, 2, 1, 0]
    position = new("0 2 1 4 3 5 6 7 8")
    position.heuristic = "manhattan"
    assert position.estimate() == 4
    position.heuristic = "linear-conflict"
    assert position.estimate() == 8, "2 and 1 are in conflict, and so are 4 and 3"


def test_every_tile_is_in_one_pattern() -> None:
    for rows in range(2, 6):
        for columns in range(2, 6):
            for name, parts in partitions(rows, columns).items():
                held = sorted(tile for part in parts for tile in part)
                assert held == list(range(1, rows * columns))
                assert name == "-".join(str(len(part)) for part in parts)


@pytest.mark.parametrize(
    ("spec", "commands"),
    [
        ("puzzle15", ["puzzle15", "puzzle15 7-8"]),
        ("puzzle15:rows=2,columns=4", ["puzzle15:rows=2,columns=4"]),
        ("puzzle15:rows=5,columns=5", ["puzzle15:rows=5,columns=5"]),
    ],
)
def test_each_database_is_built_by_a_command(spec: str, commands: list[str]) -> None:
    assert [database.game for database in new(spec=spec).databases().values()] == commands


def test_pattern_progress_counts_placements_of_all_patterns(cache: Any) -> None:
    database, values = new().database(), []
    database.build(lambda done, total: values.append((done, total)))
    done = [count for count, _ in values]
    assert {total for _, total in values} == {2 * 9 * 8 * 7 * 6} and done == sorted(done)
    assert done[0] < 20 and 9 * 8 * 7 * 6 <= done[-1] <= 2 * 9 * 8 * 7 * 6


# -- files ----------------------------------------------------------------------------------------


def test_missing_pattern_database_names_the_command_to_build_it(cache: Any) -> None:
    position = new()
    with pytest.raises(Usage, match="4-4 is not built yet: gameplay patterns puzzle15:rows=3,columns=3"):
        registry.engine("idastar:heuristic=pattern")[0].search(position)
    assert position.heuristic is None and position.estimate() > 0, "it is as it was"


@pytest.mark.parametrize("harm", ["cut", "flip", "version", "empty"])
def test_a_broken_file_is_refused(harm: str, cache: Any) -> None:
    database = new().database()
    database.build()
    whole = database.path.read_bytes()
    broken = {
        "cut": whole[:-1],
        "flip": whole[:-1] + bytes([whole[-1] ^ 1]),
        "version": whole.replace(b"patterns 1", b"patterns 0"),
        "empty": b"",
    }[harm]
    database.path.write_bytes(broken)
    with pytest.raises(BadInput, match="is damaged or of another version: rebuild it with gameplay patterns"):
        database.load()


def test_the_command_builds_and_lists_it(cache: Any) -> None:
    listed = json.loads(CliRunner().invoke(router, ["patterns", SMALL, "--list", "--json"]).output)
    assert [position["state"] for position in listed] == ["not built"]
    out = CliRunner().invoke(router, ["patterns", SMALL]).output
    assert out.startswith("4-4: 0.0 MB in ") and str(cache) in out
    assert [file.name for file in cache.iterdir()] == ["tiles-3x3-4-4.bin"]
    listed = CliRunner().invoke(router, ["patterns", SMALL, "--list"]).output
    assert "whole" in listed
    report = registry.engine("idastar:heuristic=pattern")[0].search(new(spec=f"{SMALL},seed=5"))
    assert (report.value, report.stopped) == (-16, "solved")


def test_pattern_databases_are_listed_line_by_line(
    cache: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Missing, built or broken; as a table or a document, without changing anything."""

    def patterns(*words: str) -> str:
        assert run(router, "gameplay", ["patterns", *words]) == 0
        return capsys.readouterr().out

    (small,) = new().databases().values()
    small.build()
    places = [str(database.path) for database in registry.game("puzzle15").new().databases().values()]
    assert patterns("--list") == (
        f"6-6-3            11.5 MB  not built  {places[0]}\n"
        f"7-8             576.6 MB  not built  {places[1]}\n"
    )
    assert patterns(SMALL, "--list") == f"4-4               0.0 MB  whole      {small.path}\n"
    facts = {"name": "4-4", "bytes": small.size, "state": "broken", "file": str(small.path)}
    small.path.write_bytes(b"")
    monkeypatch.setattr(tiles, "_cache", {})
    assert patterns(SMALL, "--list") == f"4-4               0.0 MB  broken     {small.path}\n"
    assert patterns(SMALL, "--list", "--json") == json.dumps([facts], indent=2) + "\n"
    assert small.path.read_bytes() == b""


def test_built_pattern_databases_are_reported_with_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = [10.0]

    def build(watch: Any) -> None:
        clock[0] += 1.2345678
        watch(1, 3)
        watch(1234, 1234)

    requests: list[str] = []
    aside: list[str] = []
    database = SimpleNamespace(name="4-4", size=1_250_000, path="a place", build=build)
    position = SimpleNamespace(
        databases=lambda: {"4-4": database},
        database=lambda name: requests.append(name) or database,
        built_heuristics=list,
    )
    monkeypatch.setattr(registry, "game", lambda spec: SimpleNamespace(name=spec, new=lambda: position))
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    monkeypatch.setattr(
        "gameplay.cli.common.progress_line.ProgressLine.__call__", lambda self, words: aside.append(words)
    )
    assert run(router, "gameplay", ["patterns", SMALL]) == 0
    assert capsys.readouterr().out == "4-4: 1.2 MB in 1.2 s, kept in a place\n"
    assert aside == ["4-4: 33% of 3 placements", "4-4: 100% of 1,234 placements"]
    assert run(router, "gameplay", ["patterns", SMALL, "4-4", "--json"]) == 0
    row = {"name": "4-4", "bytes": 1_250_000, "file": "a place", "seconds": 1.235}
    assert capsys.readouterr().out == json.dumps(row, indent=2) + "\n" and requests == ["", "4-4"]

    def large(watch: Any) -> None:
        raise MemoryError

    database.build = large
    assert run(router, "gameplay", ["patterns", SMALL]) == 75
    expected = "building 4-4, 1 MB\ngameplay: there is not enough memory to build 4-4\n"
    assert capsys.readouterr() == ("", expected)


def test_game_without_patterns_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(router, "gameplay", ["patterns", "chess"]) == 2
    assert "chess has no pattern databases. Try: gameplay patterns puzzle15" in capsys.readouterr().err
    assert run(router, "gameplay", ["patterns", "puzzle15", "5-5"]) == 2
    assert "unknown pattern database 5-5 of 4x4 (choose from: 6-6-3, 7-8)" in capsys.readouterr().err


# -- Korf's table ---------------------------------------------------------------------------------


def test_korf_table_is_complete() -> None:
    table = korf.instances()
    assert [instance.number for instance in table] == list(range(1, 101))
    assert sum(instance.published != instance.measured for instance in table) == 4
    for row in table:
        position = registry.game("puzzle15").new(row.position)
        position.heuristic = "manhattan"
        assert position.estimate() == row.estimate or row.number == 89


@FAST
def test_quick_instances_have_their_published_counts(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["lecture", "korf", "--only", "12,42,55,79", "--heuristic", "manhattan"]
    assert run(router, "gameplay", words) == 0
    out = capsys.readouterr().out
    for number, length, nodes in ((12, 45, "546,344"), (42, 42, "877,823"), (79, 42, "540,860")):
        assert any(line.split()[:3] == [str(number), str(length), nodes] for line in out.splitlines())
    assert "4 instances: all instances as known" in out


KORF = (
    ("79,12", "manhattan,linear-conflict", ""),
    ("79,12,79", "linear-conflict, manhattan", "40"),
    ("12", "linear-conflict", ""),
    ("79", "manhattan,linear-conflict,pattern", ""),
    ("79", "pattern", ""),
    ("79 --json", "manhattan,linear-conflict,pattern", ""),
    ("79", "manhattan", "wrong"),
    ("12 --json", "manhattan", "wrong"),
    ("12-12", "manhattan,linear-conflict", "misprinted"),
    ("79", "manhattan", "stopped"),
)


@FAST
@pytest.mark.once
def test_korf_table_has_sums_and_differences(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cache: Any
) -> None:
    """With real searches; one row takes a quarter of a second, and other lengths and counts are reported."""
    solve, chosen, lines = korf.solve, korf.select_instances, []
    for words, heuristics, how in KORF:

        def solve_in_fixed_time(
            instance: Any, heuristic: str, watch: Any = None, how: str = how
        ) -> korf.SolvedInstance:
            solution = dataclasses.replace(solve(instance, heuristic, watch), seconds=0.25)
            return dataclasses.replace(solution, stopped="memory") if how == "stopped" else solution

        def instances_of(only: str, how: str = how) -> list[korf.Instance]:
            instances = chosen(only)
            if how == "wrong":
                return [dataclasses.replace(result, length=40, measured=5) for result in instances]
            return (
                [dataclasses.replace(result, published=5) for result in instances]
                if how == "misprinted"
                else instances
            )

        monkeypatch.setattr(korf, "solve", solve_in_fixed_time)
        monkeypatch.setattr(korf, "select_instances", instances_of)
        monkeypatch.setattr(lecture, "columns", lambda wide, how=how: int(how) if how.isdecimal() else wide)
        only, _, json_ = words.partition(" ")
        arguments = ["lecture", "korf", "--only", only, "--heuristic", heuristics, *json_.split()]
        status = run(router, "gameplay", arguments)
        out, err = capsys.readouterr()
        lines.append(f"-- {words}, {heuristics} {how}\n{out}{err}exit status {status}\n")
        if words == "79,12" and not how:
            assert "manhattan: 1,087,204 nodes" in out, "540,860 + 546,344, as Korf (1985) counted them"
    golden("korf", "".join(lines).replace(str(cache), "."))


def test_wrong_instances_are_reported_in_order() -> None:
    instance = korf.instances()[11]
    right = korf.SolvedInstance(instance, "manhattan", instance.length, instance.measured, 9, 0.5, "solved")
    assert (instance.length, instance.measured, right.difference) == (45, 546_344, "")
    wrong = dataclasses.replace(right, length=46, nodes=7)
    assert dataclasses.replace(wrong, stopped="memory").difference == "not solved: memory"
    assert wrong.difference == "length 46, expected 45"
    assert dataclasses.replace(right, nodes=7).difference == "7 nodes, expected 546,344"
    assert dataclasses.replace(right, nodes=7, heuristic="pattern").difference == ""
    assert korf.totals([right, dataclasses.replace(right, stopped="memory"), wrong]) == {
        "manhattan": {"solved": 2, "nodes": 2 * 546_344 + 7, "seconds": 1.5}
    }
    assert korf.select_instances("") == list(korf.instances())
    assert [instance.number for instance in korf.select_instances("3-5, 100,4,1")] == [3, 4, 5, 100, 1]


def test_progress_goes_to_stderr_after_a_third_of_a_second() -> None:
    lines: list[str] = []
    watch = lecture._progress_callback(cast(Any, lines.append), "instance 7, pattern")
    for thresholds, nodes, seconds in (((), 9, 9.0), ((40,), 9, 0.3), ((40, 42), 1_234_567_890, 0.31)):
        assert watch(Report(thresholds=thresholds, nodes=nodes, seconds=seconds)) is False
    assert lines == ["instance 7, pattern: threshold 42, 1,235 million nodes"]


@pytest.mark.parametrize("only", ["0", "1-101", "x", "3-", ","])
def test_unknown_instances_are_refused(only: str) -> None:
    with pytest.raises(Usage, match="numbers from 1 to 100"):
        korf.select_instances(only)


# -- playing --------------------------------------------------------------------------------------


def play_puzzle(monkeypatch: pytest.MonkeyPatch, tmp_path: Any, typed: str, *words: str) -> tuple[int, str]:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    status = run(router, "gameplay", ["play", *words])
    return status, out.getvalue()


def test_human_solves_the_puzzle_and_sees_the_optimum(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    typed = "hint\nhint\nsolve\neval\nresign\ndown\nup\nl\nquit\n"
    _, out = play_puzzle(monkeypatch, tmp_path, typed, SMALL, "--position", "1 0 2 3 4 5 6 7 8")
    assert "1 move to the goal (hint again: the next move)" in out
    assert out.count("thinking, up to 10 s") == 1, "one search of a position"
    assert "hint: thinking, up to 10 s\n1 move to the goal" in out
    assert "left; 1 move to the goal" in out and "1 move to the goal: left" in out
    assert "'resign' is for games against others" in out
    assert "result: solved in 3 moves, the optimum is 1" in out


def test_hints_use_a_built_pattern_database(cache: Any) -> None:
    position = new()
    assert position.built_heuristics() == []
    position.database().build()
    assert position.built_heuristics() == ["pattern"]
    match = Match(registry.game(SMALL), [EmptySeat("human")], "1 0 2 3 4 5 6 7 8")
    interpreter = Interpreter()
    reply = interpreter.execute("solve", match).text
    assert reply == "1 move to the goal, by the pattern database (pattern): left"
    assert interpreter.judge.report(match).engine == "idastar:heuristic=pattern"


def test_interrupted_solving_prints_results_so_far() -> None:
    """The expected time is announced; the watch callback stops the search."""
    hard = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
    match = Match(registry.game("puzzle15"), [EmptySeat("human")], hard)
    interpreter = Interpreter()
    assert [interpreter.estimated_seconds(word, match) for word in ("solve", "hint", "moves", "up")] == [
        10,
        10,
        0,
        0,
    ]
    interpreter.judge.watch = lambda report: True
    reply = interpreter.execute("solve", match).text
    assert "no solution was found in" in reply and reply.startswith("at least ")
    assert interpreter.estimated_seconds("hint", match) == 0, "it has been searched"
    chess = Match(registry.game("chess"), [EmptySeat("human"), EmptySeat("human")])
    assert [interpreter.estimated_seconds(word, chess) for word in ("hint", "eval", "e4", "")] == [1, 1, 0, 0]


def test_engine_plays_its_solution(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    status, out = play_puzzle(monkeypatch, tmp_path, "", f"{SMALL},seed=5", "--players", "idastar")
    assert status == 0
    assert "value 16 moves to the goal, thresholds 14 16, 57 nodes, 36 expanded" in out
    later = re.findall(r"plays (\w+), value (\d+) moves? to the goal, line (\w+)", out)
    assert [int(left) for _, left, _ in later] == list(range(15, 0, -1)), "only the first took a search"
    assert all(move == line for move, _, line in later)
    assert "result: solved in 16 moves\n" in out


def test_a_puzzle_has_no_opponent(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--engine", "idastar"], ["--level", "3"]):
        assert run(router, "gameplay", ["play", "puzzle15", *words]) == 2
        assert "puzzle15 is for one player, who has no opponent" in capsys.readouterr().err


def test_selfplay_solves_instances_by_seed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(router, "gameplay", ["selfplay", SMALL, "--games", "3", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [(game["seed"], game["length"], game["nodes"]) for game in document["games"]] == [
        (1, 22, 2_805),
        (2, 21, 1_053),
        (3, 26, 1_902),
    ]
    assert run(router, "gameplay", ["selfplay", "puzzle15", "--games", "1", "--nodes", "1000"]) == 4
    assert "solved   0 of 1" in capsys.readouterr().out
    for words in (["--second", "astar"], ["--openings", "2"], ["--out", "games.jsonl"]):
        assert run(router, "gameplay", ["selfplay", SMALL, *words]) == 2
        assert capsys.readouterr().err == (
            "gameplay: puzzle15 is for one player, who solves it: leave out --second, --openings and --out\n"
        )


def test_engines_solve_the_same_instances_in_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", "astar", "idastar", "--game", SMALL, "--games", "3"]
    assert run(router, "gameplay", [*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [game["length"] for game in document["games"]] == [22, 22, 21, 21, 26, 26]
    assert document["engines"]["idastar"]["solved"] == 3
    assert document["engines"]["idastar"]["nodes"] == 2_805 + 1_053 + 1_902
    assert run(router, "gameplay", [*words, "--nodes", "1500"]) == 4
    out = capsys.readouterr().out
    assert re.search(r"^astar +3 of 3 ", out, re.MULTILINE)
    assert re.search(r"^idastar +1 of 3 ", out, re.MULTILINE)
    assert run(router, "gameplay", [*words, "--sprt", "0,10"]) == 2
    assert "its engines solve the same instances. Options for that: --games" in capsys.readouterr().err


class Solver:
    """An engine that returns given reports, one per search, and records its requests."""

    def __init__(self, name: str, *reports: Report) -> None:
        self.name = name
        self.reports = list(reports)
        self.requests: list[tuple[str, Limit]] = []

    def __str__(self) -> str:
        return self.name

    def check(self, position: Any) -> None:
        self.requests.append(("checked", Limit()))

    def combine_limits(self, own: Limit, common: Limit) -> Limit:
        return own.within(common)

    def search(self, position: Any, limit: Limit) -> Report:
        self.requests.append((position.text(), limit))
        return self.reports.pop(0)


def way(length: int, nodes: int, seconds: float) -> Report:
    """A report of an optimal solution of this length."""
    return Report(
        value=-length, pv=(0,) * length, exact=True, nodes=nodes, expanded=nodes // 2, seconds=seconds,
        stopped="solved",
    )  # fmt: skip


def unproven_report(nodes: int, seconds: float, stopped: str = "nodes") -> Report:
    """A report of an unproven solution."""
    return Report(value=-9, pv=(0,) * 9, nodes=nodes, expanded=nodes // 2, seconds=seconds, stopped=stopped)


def run_instances(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], solvers: list[Solver],
    count: int = 2, seed: int = 5, own: Limit | None = None, as_json: bool = False, spec: str = SMALL,
) -> tuple[int, str]:  # fmt: skip
    """The exit status and the output of these solvers; the last has its own limit."""
    named = {solver.name: solver for solver in solvers}
    monkeypatch.setattr(
        registry, "engine", lambda name: (named[name], own if own and name == solvers[-1].name else Limit())
    )
    status = solving.solve(registry.game(spec), list(named), count, seed, Limit(nodes=9), as_json)
    return status, capsys.readouterr().out


def test_instances_of_one_engine_are_printed_with_their_mean(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    solver = Solver("one", way(22, 2_805, 0.25), unproven_report(1_000, 0.5), way(21, 1_053, 0.25))
    status, out = run_instances(monkeypatch, capsys, [solver], 3)
    assert status == 4
    assert out == (
        "puzzle15:rows=3,columns=3, solved by one\n"
        "\n"
        "  seed  length            nodes         expanded   seconds\n"
        "     5      22            2,805            1,402      0.25\n"
        "     6       -            1,000              500      0.50  nodes\n"
        "     7      21            1,053              526      0.25\n"
        "\n"
        "solved   2 of 3\n"
        "length   21.50 on average, 21 to 22\n"
        "nodes    4,858 in 1.0 s, 0.0 million a second\n"
    )
    starts = [new(spec=f"{SMALL},seed={seed}").text() for seed in (5, 6, 7)]
    assert solver.requests == [("checked", Limit()), *((start, Limit(nodes=9)) for start in starts)]
    status, out = run_instances(monkeypatch, capsys, [Solver("one", unproven_report(3_000_000, 0.5))], 1)
    sums = ["solved   0 of 1", "nodes    3,000,000 in 0.5 s, 6.0 million a second"]
    assert (status, out.splitlines()[-2:]) == (4, sums)
    solver = Solver("one", way(4, 3_000_000, 1.5))
    status, out = run_instances(monkeypatch, capsys, [solver], 9, spec="tictactoe")
    length = "length   4.00 on average, 4 to 4"
    sums = ["solved   1 of 1", length, "nodes    3,000,000 in 1.5 s, 2.0 million a second"]
    assert (status, out.splitlines()[-3:]) == (0, sums), "without a seed there is but one"


def test_instances_of_several_engines_are_printed_side_by_side(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def both() -> list[Solver]:
        return [
            Solver("one", way(22, 2_805, 0.25), way(21, 1_053, 0.25)),
            Solver("another", way(22, 900, 0.5), unproven_report(1_000, 0.5)),
        ]

    solvers = both()
    status, out = run_instances(monkeypatch, capsys, solvers, own=Limit(nodes=7))
    assert status == 4
    assert out == (
        "puzzle15:rows=3,columns=3, solved by one, another\n"
        "\n"
        "  seed  engine   length            nodes         expanded   seconds\n"
        "     5  one          22            2,805            1,402      0.25\n"
        "     5  another      22              900              450      0.50\n"
        "     6  one          21            1,053              526      0.25\n"
        "     6  another       -            1,000              500      0.50  nodes\n"
        "\n"
        "engine      solved            nodes   seconds\n"
        "one         2 of 2            3,858      0.50\n"
        "another     1 of 2            1,900      1.00\n"
        "\n"
        "Each solution is proven optimal; all engines agree.\n"
    )
    assert [limit.nodes for solver in solvers for _, limit in solver.requests] == [None, 9, 9, None, 7, 7]
    status, out = run_instances(monkeypatch, capsys, both(), as_json=True)
    row = {"seed": 5, "length": 22, "cost": 22, "nodes": 2805, "expanded": 1402, "seconds": 0.25}
    document = json.loads(out)
    assert out.startswith('{\n  "game": ') and status == 4
    assert {**document, "games": document["games"][::3]} == {
        "game": "puzzle15:rows=3,columns=3",
        "engines": {
            "one": {"solved": 2, "nodes": 3_858, "seconds": 0.5},
            "another": {"solved": 1, "nodes": 1_900, "seconds": 1.0},
        },
        "games": [
            {"engine": "one", **row, "stopped": "solved"},
            {"engine": "another", "seed": 6, "length": None, "cost": None, "nodes": 1000, "expanded": 500,
             "seconds": 0.5, "stopped": "nodes"},
        ],
    }  # fmt: skip
    status, out = run_instances(monkeypatch, capsys, [Solver("one", way(22, 2_805, 0.25))], 1, as_json=True)
    assert status == 0
    assert json.loads(out) == {
        "game": "puzzle15:rows=3,columns=3", "engine": "one", "games": [{**row, "stopped": "solved"}],
        "solved": 1, "nodes": 2805, "seconds": 0.25,
    }  # fmt: skip


def test_no_instances_are_refused_and_ctrl_c_ends_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Usage, match="--games is 0; expected a number from 1 up"):
        run_instances(monkeypatch, capsys, [Solver("one")], 0)
    with pytest.raises(KeyboardInterrupt):
        run_instances(monkeypatch, capsys, [Solver("one", unproven_report(10, 0.5, "interrupted"))], 1)


def test_contradictory_proven_costs_are_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    solvers = [
        Solver("one", way(20, 1, 0.1), way(20, 1, 0.1)),
        Solver("two", way(20, 1, 0.1), way(22, 1, 0.1)),
    ]
    status, out = run_instances(monkeypatch, capsys, solvers)
    assert status == 3
    assert out.endswith("\n\nTheir costs differ for seed 6: at least one is not a shortest path.\n")


def test_a_tournament_of_a_puzzle_is_refused_with_the_command_that_does_it() -> None:
    with pytest.raises(Usage, match=f"gameplay match ENGINE ENGINE --game {SMALL}"):
        build(SMALL, ["astar", "idastar"], form="round-robin", games=2)
