"""`gameplay table`: build, verify, probe; messages, units and refusals."""

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import cli, registry
from gameplay.cli.common import tables as cli_tables
from gameplay.errors import Usage
from gameplay.knowledge import bearoff
from gameplay.knowledge.syzygy import Syzygy
from gameplay.knowledge.tables import building, tables
from gameplay.runs import tables as work
from tests.support.endgame_tables import CHECKERS, bearoff_tables, build_tables
from tests.support.golden import golden

assert bearoff_tables  # fixture


# -- refusals ----------------------------------------


@pytest.mark.once
@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("connect4", "the memory limit of 20 MB"),
        ("chess KRvKR", "MB; --memory is 20. Try: --memory"),
    ],
)
def test_tables_that_take_more_memory_are_not_built(words: str, line: str, home: Path, capsys: Any) -> None:
    assert cli.run(cli.router, "gameplay", ["table", "build", *words.split(), "--memory", "20"]) == 2
    assert line in capsys.readouterr().err


@pytest.mark.once
def test_table_commands_print_their_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))

    def read_output(*words: str) -> str:
        status = cli.run(cli.router, "gameplay", ["table", *words])
        assert status == 0
        out: str = capsys.readouterr().out
        return out

    assert "KvM" in read_output("build", "checkers", "--pieces", "2")
    assert "3 of them exist" in read_output("build", "checkers", "--pieces", "2")
    assert read_output("verify", "checkers").split() == ["KvK", "ok", "KvM", "ok", "MvM", "ok"]
    assert "KvK: 230 won, 654 drawn, 108 lost" in read_output("stats", "checkers", "KvK")
    document = json.loads(read_output("probe", "checkers", "--position", "B:WK18:BK14", "--json"))
    assert document["turn"] == "black" and document["value"] == "win in 1 ply"
    assert cli.run(cli.router, "gameplay", ["table", "probe", "checkers"]) == 4
    capsys.readouterr()
    read_output("build", "tictactoe")
    assert "x to move: 1,830 won" in read_output("stats", "tictactoe")
    assert "ok" in read_output("verify", "tictactoe")
    assert read_output("probe", "tictactoe").startswith("x to move: draw")


EXAMPLES = (
    "build checkers --pieces 2 --folder CH --jobs 1",
    "build checkers --pieces 2 --folder CH",
    "build checkers KvM --folder OTHER --jobs 1",
    "build checkers --pieces 2 --folder WHOLE --json --jobs 1",
    "stats checkers KvM mvm --folder CH",
    "stats checkers KvK --folder CH --json",
    "stats checkers MMvK --folder CH",
    "verify checkers MvK --folder CH --json",
    "probe checkers --position B:WK18:BK14 --folder CH",
    "probe checkers --position W:W30:B25 --folder CH",
    "probe checkers --position B:WK1:BK10 --folder CH --json",
    "probe checkers --position B:WK1,K2:BK10,K30 --folder CH",
    "probe checkers --folder CH/KvM.table",
    "build tictactoe --folder T",
    "build tictactoe --folder T --cluster tcp://nobody:1",
    "build checkers KKKKKKKKKKKKKKKKKvK --folder CH",
    "build checkers --folder CH",
    "build backgammon --pieces 2 --folder BG",
    "build backgammon --pieces 2 --folder BG --json",
    "probe backgammon --folder BG",
    "probe backgammon --folder BG --position OFF",
    "probe backgammon --folder BG --position THROWN",
    "probe backgammon --folder BG --position THROWN --json",
    "verify backgammon --folder BG",
    "verify backgammon --folder BG --json",
    "verify backgammon all --folder BG",
)


# -- output ----------------------------------------------------------------------------------------


def tables_add_up(text: str) -> None:
    """Placements counted by hand, consistent results, and known probabilities of bearing off two checkers."""
    counts = {"KvK": 32 * 31, "KvM": 2 * 28 * 31, "MvM": 28 * 28 - 24}  # a man stands on 28 squares
    for parts in re.findall(r"^ending .*\n((?:\wv\w .*\n)+)together +([\d,]+)", text, re.MULTILINE):
        totals = {row.split()[0]: int(row.split()[1].replace(",", "")) for row in parts[0].splitlines()}
        assert totals == {name: counts[name] for name in totals}
        assert sum(totals.values()) == int(parts[1].replace(",", ""))
    results = re.findall(r"^(\wv\w): (\d+) won, (\d+) drawn, (\d+) lost", text, re.MULTILINE)
    sums = {name: sum(map(int, numbers)) for name, *numbers in results}
    assert sums == {"KvM": 28 * 31, "MvK": 28 * 31, "MvM": 28 * 28 - 24}
    for length, line in re.findall(r"^  longest win: (\d+) plies.*\n  ((?:\S+ ?)+)$", text, re.MULTILINE):
        assert len(line.split()) == int(length) or f"... ({length} plies)" in line
    assert "white needs 1.6512 rolls: 1 36.1%" in text, "checkers on 6 and 2 are off in 13 of 36 throws"
    assert "black needs 1.0556 rolls: 1 94.4%" in text, "... and on 3 and 1 in 34 of 36"


@pytest.mark.once
def test_table_facts_match_the_stored_screens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """A second of work counts as half a second, and backgammon has three checkers a side."""
    build_all, build_reached, build_off = work.build_all, building.build_reachable, bearoff.build
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bearoff, "MAX_CHECKERS", 3)
    monkeypatch.setattr(cli_tables, "BEAROFF_SAMPLE", 20)
    monkeypatch.setattr(cli_tables, "time", SimpleNamespace(monotonic=iter(range(1000)).__next__))
    monkeypatch.setattr(work, "build_all", lambda *how: (set_seconds(group) for group in build_all(*how)))
    monkeypatch.setattr(building, "build_reachable", lambda *how: set_seconds(build_reached(*how)))
    monkeypatch.setattr(bearoff, "build", lambda *how: (set_seconds(group) for group in build_off(*how)))
    off = registry.game("backgammon").new()
    off.lay_out([0, 1, 0, 0, 0, 1], [1, 0, 1, 0, 0, 0])
    positions = {"OFF": off.text()}
    off.make(off.parse("21"))
    positions["THROWN"] = off.text()
    log = []
    for columns in (80, 59):
        monkeypatch.setenv("COLUMNS", str(columns))
        for words in EXAMPLES if columns == 80 else ("build checkers MvM --folder N --jobs 1", EXAMPLES[17]):
            arguments = [positions.get(word, word) for word in words.split()]
            status = cli.run(cli.router, "gameplay", ["table", *arguments])
            out, err = capsys.readouterr()
            log.append(f"$ gameplay table {words}\n{out}{err}exit status {status}\n\n")
    tables_add_up("".join(log))
    golden("tables", "".join(log).replace(str(tmp_path), "."))


def set_seconds(group: Any) -> Any:
    """Build the same group in half a second."""
    return replace(group, seconds=0.5)


@pytest.mark.once
def test_units_are_those_that_fit() -> None:
    sizes = (0, 1536, 2**20 - 1, 2**20, 5.25 * 2**20, 2**30, 1234.5 * 2**30)
    assert [cli_tables._format_size(size) for size in sizes] == [
        *("0.0 KB", "1.5 KB", "1,024.0 KB", "1.0 MB", "5.2 MB", "1.0 GB", "1,234.5 GB"),
    ]
    times = (0, 60, 61, 119, 120, 7199, 7200, 9000, 172_799, 172_800, 864_000_000)
    assert [cli_tables._format_duration(seconds) for seconds in times] == [
        *("a minute", "a minute", "two minutes", "two minutes", "2 minutes", "120 minutes"),
        *("2 hours", "2 hours", "48 hours", "2 days", "10,000 days"),
    ]
    words = list("abcdefghijklm")
    assert cli_tables._format_line(words[:12]) == " ".join(words[:12])
    assert cli_tables._format_line(words) == f"{' '.join(words[:12])} ... (13 plies)"


@pytest.mark.once
def test_table_progress_is_printed_on_a_terminal_only() -> None:
    class Looking(list[str]):
        shown = True
        __call__ = list.append

    aside: Any = Looking()
    cli_tables._progress_callback(aside)("KvK", "back", 1200, 34_567)
    cli_tables._table_progress(aside, "MvM")("forward", 3, 4)
    assert aside == ["KvK: back 1,200 of 34,567", "MvM: forward 3 of 4"]
    aside.shown = False
    assert cli_tables._progress_callback(aside) is None and cli_tables._table_progress(aside, "KvK") is None


@pytest.mark.once
def test_an_ending_of_more_numbers_than_a_table_holds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """By name or among all groups; the pieces of a name are counted on both sides."""
    kernel = CHECKERS.new()
    assert {group.name for group in cli_tables.select_groups(kernel, ["MvM"], None)} == {"KvK", "KvM", "MvM"}
    assert [group.name for group in cli_tables.select_groups(kernel, ["KKvM"], 2)] == [
        *("KvK", "KvM", "MvM", "KKvK", "KKvM"),
    ], "what either asks for"
    assert [group.name for group in cli_tables.select_groups(kernel, ["KKvM"], None)] == [
        "KvK",
        "KvM",
        "KKvK",
        "KKvM",
    ]
    span = {"KvM": 1 << 31, "KvK": (1 << 31) - 1}

    class Wide:
        """Checkers whose kings and men have this many squares."""

        def __getattr__(self, name: str) -> Any:
            return getattr(kernel, name)

        def span(self, slice: int) -> int:
            return span.get(str(kernel.slice_name(slice)), 9)

    wide = Wide()
    assert [group.name for group in cli_tables.select_groups(wide, ["KvK"], None)] == ["KvK"]
    refused = "^KvM has more than 2,147,483,647 numbers, the maximum of a table$"
    with pytest.raises(Usage, match=refused):
        cli_tables.select_groups(wide, ["MvM"], None)
    with pytest.raises(Usage, match=refused):
        cli_tables.select_groups(wide, [], 2)


@pytest.mark.once
def test_wrong_table_is_reported_with_status_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    build_tables(CHECKERS, tmp_path, 2)
    monkeypatch.setattr(building, "verify", lambda group, *_: "B:WK1:BK2" if group.name == "KvM" else "")
    monkeypatch.setattr(
        building, "compare", lambda group, *_: (1234, "B:WK1:BK2" if group.name == "MvM" else "")
    )
    monkeypatch.setattr(bearoff, "find_mismatch", lambda *_: "2 and 1")
    monkeypatch.setattr("gameplay.registry.open_knowledge", lambda *_: Syzygy.__new__(Syzygy))
    log = []
    for words in (
        "checkers",
        "checkers --json",
        "checkers --syzygy .",
        "checkers --syzygy . --json",
        "checkers KvK",
    ):
        status = cli.run(
            cli.router, "gameplay", ["table", "verify", *words.split(), "--folder", str(tmp_path)]
        )
        log.append((status, capsys.readouterr().out))
    assert log == [
        (3, "KvK        ok\nKvM        WRONG at B:WK1:BK2\nMvM        ok\n"),
        (3, '{\n  "KvK": "right",\n  "KvM": "B:WK1:BK2",\n  "MvM": "right"\n}\n'),
        (
            3,
            "KvK        right in 1,234 positions\nKvM        right in 1,234 positions\n"
            "MvM        WRONG at B:WK1:BK2\n",
        ),
        (
            3,
            '{\n  "KvK": "right in 1,234 positions",\n  "KvM": "right in 1,234 positions",\n'
            '  "MvM": "WRONG at B:WK1:BK2"\n}\n',
        ),
        (0, "KvK        ok\n"),
    ]
    monkeypatch.setattr(bearoff, "MAX_CHECKERS", 3)
    list(bearoff.build(tmp_path / "off", 2))
    for words, line in (("", "bearoff    WRONG at 2 and 1\n"), ("--json", '{"bearoff": "2 and 1"}\n')):
        arguments = ["table", "verify", "backgammon", *words.split(), "--folder", str(tmp_path / "off")]
        assert cli.run(cli.router, "gameplay", arguments) == 3
        assert capsys.readouterr().out == line


@pytest.mark.once
def test_build_memory_defaults_to_two_gigabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[Any] = []
    monkeypatch.setattr(cli_tables, "build", lambda game, **options: requests.append(options) or 0)
    cli.run(cli.router, "gameplay", ["table", "build", "nim"])
    cli.run(cli.router, "gameplay", ["table", "build", "nim", "--memory", "7", "--json", "--jobs", "2"])
    given = [{key: value for key, value in options.items() if value} for options in requests]
    assert given == [{"memory": 2048}, {"jobs": 2, "memory": 7, "as_json": True}]


@pytest.mark.once
@pytest.mark.parametrize(
    ("count", "message"),
    [
        (2**30, "1.0 GB"), (5 * 2**30 // 2, "2.5 GB"), (2**30 - 1, "1,024.0 MB"), (2**20, "1.0 MB"),
        (2**20 - 1, "1,024.0 KB"), (512, "0.5 KB"), (0, "0.0 KB"),
    ],
)  # fmt: skip
def test_sizes_have_the_unit_that_fits_them(count: int, message: str) -> None:
    assert cli_tables._format_size(count) == message


@pytest.mark.once
@pytest.mark.parametrize(
    ("seconds", "message"),
    [
        (259_200, "3 days"), (172_800, "2 days"), (172_799, "48 hours"), (7_200, "2 hours"),
        (7_199, "120 minutes"), (120, "2 minutes"), (119, "two minutes"), (61, "two minutes"),
        (60, "a minute"), (0, "a minute"),
    ],
)  # fmt: skip
def test_times_have_the_unit_that_fits_them(seconds: float, message: str) -> None:
    assert cli_tables._format_duration(seconds) == message


@pytest.mark.once
def test_table_rows_show_rates_where_they_fit_without_division_by_zero(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    some, none = (
        building.BuildResult("KRvK", 20, 12_345, 9, 45_678, 1.5),
        building.BuildResult("KvK", 0, 0, 0, 7, 0.0),
    )
    monkeypatch.setenv("COLUMNS", "60")
    heads = "ending        positions plies    CPU s     pos/s  B/pos"
    assert cli_tables._heading() == heads
    assert cli_tables._row(some) == "KRvK             12,345     9     1.50     8,230   3.70"
    assert cli_tables._row(none) == "KvK                   0     0     0.00         0   7.00"
    fast = building.BuildResult("KvK", 0, 1, 1, 7, 0.0)
    assert cli_tables._row(fast).endswith("     1,000   7.00")
    monkeypatch.setenv("COLUMNS", "59")
    assert cli_tables._heading() == "ending        positions plies    CPU s"
    assert cli_tables._row(some) == "KRvK             12,345     9     1.50"


@pytest.mark.once
def test_table_results_and_lines_are_printed() -> None:
    won, lost = cli_tables.WON, cli_tables.WON + 1
    assert [cli_tables._result_text(result, 1) for result in (cli_tables.DRAWN, won, lost)] == [
        "draw", "win in 1 ply", "loss in 1 ply",
    ]  # fmt: skip
    assert (cli_tables._result_text(won, 2), cli_tables._result_text(lost, 0)) == (
        "win in 2 plies",
        "loss in 0 plies",
    )
    assert [cli_tables._value_text(value) for value in ((1, 5), (2, 0), (2, -3), (0, 3), (0, 0))] == [
        "draw", "win in 1 ply", "win in 4 plies", "loss in 4 plies", "loss in 1 ply",
    ]  # fmt: skip
    assert cli_tables._format_line(["m"] * 12) == " ".join("m" * 12)
    assert cli_tables._format_line(["m"] * 13) == " ".join("m" * 12) + " ... (13 plies)"


@pytest.mark.once
def test_best_line_of_a_table_ends_at_the_end_or_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    class Countdown:
        left = 9

        def make(self, move: int) -> None:
            self.left -= 1

        def unmake(self) -> None:
            self.left += 1

        def format(self, move: int) -> str:
            return f"{move}at{self.left}"

    known: Any = SimpleNamespace(lookup=lambda position: None if position.left < 4 else (cli_tables.WON, 1))
    monkeypatch.setattr(
        tables, "rank_moves", lambda known, position: [(position.left, 0)] if position.left > 6 else []
    )
    position = Countdown()
    assert cli_tables.best_line(known, position) == ["9at9", "8at8", "7at7"] and position.left == 9
    assert cli_tables.best_line(known, position, 2) == ["9at9", "8at8"] and position.left == 9
    monkeypatch.setattr(tables, "rank_moves", lambda known, position: [(position.left, 0), (77, 0)])
    assert len(cli_tables.best_line(known, position)) == 6 and position.left == 9, "nothing is known below"
    position.left = 5000
    assert len(cli_tables.best_line(known, position)) == 600 and position.left == 5000
    drawn: Any = SimpleNamespace(lookup=lambda position: (cli_tables.DRAWN, 0))
    assert cli_tables.best_line(drawn, position) == []


@pytest.mark.once
def test_wrong_tables_are_reported_with_their_exit_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Errors by the rules, by other tables, and in bearing off."""

    def table(*words: str) -> tuple[int, str]:
        status = cli.run(cli.router, "gameplay", ["table", *words])
        return status, capsys.readouterr().out

    monkeypatch.chdir(tmp_path)
    folder = ("--folder", "CH")
    assert table("build", "checkers", "--pieces", "2", *folder, "--jobs", "1")[0] == 0
    monkeypatch.setattr(building, "verify", lambda group, *how: "a place" if group.name == "KvM" else "")
    assert table("verify", "checkers", *folder) == (
        3, "KvK        ok\nKvM        WRONG at a place\nMvM        ok\n"
    )  # fmt: skip
    status, out = table("verify", "checkers", "KvM", *folder, "--json")
    assert status == 3 and out == '{\n  "KvM": "WRONG at a place"\n}\n'.replace("WRONG at a place", "a place")
    theirs: Any = Syzygy.__new__(Syzygy)
    theirs.result = "theirs"
    monkeypatch.setattr("gameplay.registry.open_knowledge", lambda *what: theirs)
    held: list[Any] = []

    def compare_group(
        group: Any, kernel: Any, place: Path, result: Any, lots: int | None, message: Any
    ) -> tuple[int, str]:
        held.append((group.name, result, lots))
        return 0 if group.name == "KvM" else 1234, "there" if group.name == "MvM" else ""

    monkeypatch.setattr(building, "compare", compare_group)
    assert table("verify", "checkers", *folder, "--syzygy", ".") == (
        3,
        "KvK        right in 1,234 positions\nKvM        not compared: Syzygy has no table for it\n"
        "MvM        WRONG at there\n",
    )
    assert held == [(name, "theirs", 10_000) for name in ("KvK", "KvM", "MvM")]
    status, out = table("verify", "checkers", "kvk", *folder, "--syzygy", ".", "--all", "--json")
    assert (status, out) == (0, '{\n  "KvK": "right in 1,234 positions"\n}\n')
    assert held[3:] == [("KvK", "theirs", None)]
    assert table("verify", "checkers", "kvm", *folder, "--syzygy", ".")[0] == 4, "nothing was compared"
    assert cli.run(cli.router, "gameplay", ["table", "verify", "checkers", *folder, "--all"]) == 2
    assert "--all compares every position with --syzygy" in capsys.readouterr().err
    monkeypatch.setattr(bearoff, "Bearoff", lambda *what: None)
    for wrong, text, status in (
        ("here", "WRONG at here", 3), ("", f"ok ({cli_tables.BEAROFF_SAMPLE} random positions)", 0),
    ):  # fmt: skip
        monkeypatch.setattr(bearoff, "find_mismatch", lambda known, game, sample, wrong=wrong: wrong)
        assert table("verify", "backgammon", "--folder", ".") == (status, f"bearoff    {text}\n")
        assert table("verify", "backgammon", "--folder", ".", "--json") == (
            status, json.dumps({"bearoff": wrong or "right"}) + "\n"
        )  # fmt: skip
