"""Perft agrees with published counts, reads their files, and reports where a count differs."""

import json
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.errors import Usage
from gameplay.suites import perft
from tests.support.paths import TESTS

GAMES = TESTS / "examples" / "games"
ANSWERS = TESTS / "answers"
TICTACTOE = [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]  # tests/answers/perft.toml


def run_perft(capsys, *words):
    status = run(router, "gameplay", ["perft", *words])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_each_depth_has_a_row(capsys):
    status, out, _ = run_perft(capsys, "tictactoe", "--depth", "5")
    assert status == 0
    rows = [line.split() for line in out.splitlines()]
    assert rows[0][:2] == ["depth", "nodes"]
    assert [int(row[1].replace(",", "")) for row in rows[1:6]] == TICTACTOE[:5]
    assert [int(row[2].replace(",", "")) for row in rows[1:6]] == TICTACTOE[:5], "the published ones"
    assert out.splitlines()[-1].startswith("published: ")


def test_perft_prints_the_published_count(capsys):
    status, out, _ = run_perft(capsys, "connect4", "--depth", "6")
    assert status == 0
    assert out.splitlines()[6].split()[:3] == ["6", "117,649", "117,649"]
    assert "kudchuet" in out.splitlines()[-1]
    kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    out = run_perft(capsys, "chess", "--depth", "2", "--position", kiwipete)[1]
    assert out.splitlines()[2].split()[:3] == ["2", "2,039", "2,039"]


@pytest.mark.parametrize("words", [["connect4", "--position", "4"], ["connect4:columns=8"]])
def test_games_without_published_perft_are_named(words, capsys):
    status, out, _ = run_perft(capsys, *words, "--depth", "1")
    assert status == 0
    assert out.splitlines()[1].split()[2] == "none" and "published: " not in out
    document = json.loads(run_perft(capsys, *words, "--depth", "1", "--json")[1])
    assert document["depths"][0]["published"] is None and document["source"] is None


def test_a_count_that_differs_from_the_published_one_is_status_3(capsys, monkeypatch):
    wrong = perft.Published((9, 73), "a book")
    monkeypatch.setattr(perft, "published_counts", lambda game, position: wrong)
    status, out, _ = run_perft(capsys, "tictactoe", "--depth", "3")
    assert status == 3
    assert [line.endswith("differs") for line in out.splitlines()[1:4]] == [False, True, False]
    assert out.splitlines()[3].split()[2] == "none"
    assert out.splitlines()[-1] == "published: a book"
    assert run_perft(capsys, "tictactoe", "--depth", "2", "--json")[0] == 3


def test_included_perft_counts_equal_those_of_the_tests():
    known = {}
    for entry in tomllib.loads(Path(perft.__file__).with_name("perft.toml").read_text())["perft"]:
        assert entry["source"]
        known[entry["game"], entry.get("position", "")] = entry["leaves"]
    start = registry.game("chess").new().fen()
    for name in ("perft", "chess_perft", "checkers", "draughts"):
        for answer in tomllib.loads(ANSWERS.joinpath(f"{name}.toml").read_text())["perft"]:
            game = answer.get("game", name.partition("_")[0])
            position = answer.get("fen", "")
            place = game, "" if game == "checkers" or position == start else position
            if place in known:
                most = min(len(known[place]), len(answer["leaves"]))
                assert known[place][:most] == answer["leaves"][:most], place
                known[place] = []
    assert not any(known.values()), "each is held against an answer"


def test_the_document_has_the_same(capsys):
    words = ["tictactoe", "--depth", "4", "--position", "x../.../...", "--divide", "--json"]
    document = json.loads(run_perft(capsys, *words)[1])
    assert [row["nodes"] for row in document["depths"]] == [8, 56, 336, 1680]
    assert len(document["moves"]) == 8 and sum(document["moves"].values()) == 1680
    assert set(document["moves"].values()) == {210}


def test_divided_counts_sum_to_the_total(capsys):
    out = run_perft(capsys, "connect4", "--depth", "3", "--divide")[1]
    assert sorted(line.split() for line in out.splitlines()[5:]) == [[str(n), "49"] for n in range(1, 8)]
    out = run_perft(capsys, "connect4", "--depth", "1", "--divide")[1]
    assert sorted(out.splitlines()[3:]) == [f"{n:<8} 1" for n in range(1, 8)]


def test_a_game_that_ends_has_an_end(capsys):
    """Take 1 to 3 of 20, the last taker loses: no game has more than 20 plies."""
    out = run_perft(capsys, f"{GAMES / 'sticks.py'}:Sticks", "--depth", "6")[1]
    assert out.splitlines()[-1].split()[:2] == ["6", "729"]
    kernel = registry.game("tictactoe").new("xxo/oox/xo.")
    assert perft.count(kernel, 1).nodes == 1
    assert perft.count(kernel, 2).nodes == 0
    assert list(perft.divide(registry.game("tictactoe").new("xxx/oo./..."), 2)) == []


def test_failing_python_game_is_reported(tmp_path, capsys):
    file = tmp_path / "bad.py"
    file.write_text(
        "from gameplay import Position, undoable\n"
        "class Bad(Position):\n"
        "    def moves(self): return [0, 1]\n"
        "    @undoable\n"
        "    def make(self, move): self.turn = 1 - self.turn; self.count = {0: 1}[move]\n"
        "    def outcome(self): return None\n"
    )
    status, _, err = run_perft(capsys, str(file), "--depth", "3")
    assert status == 5
    assert err == "gameplay: bad: KeyError: 1 (bad.py, line 5)\n"


FORMS = {
    "semicolons": "44 ;D1 7 ;D2 49 ;D3 343\n",
    "tight": "\ufeff44;D1 7;D2 49;D3 343\n",
    "opcodes": "# known\n44 perft1 7; perft2 49; perft3 343;\n",
    "blocks": "id 0\nepd 44\nperft 1 7\nperft 2 49\nperft 3 343\n\nid 1\nepd 44 # a comment\nperft 3 343\n",
    "start": ";D1 7 ;D2 49\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_known_counts_are_read_in_every_form(form, tmp_path, capsys):
    file = tmp_path / "suite.epd"
    file.write_text(FORMS[form], encoding="utf-8")
    counts, wrong = perft.read(file)
    assert wrong == []
    assert len(counts) == (2 if form == "blocks" else 1)
    assert counts[0].position == ("" if form == "start" else "44")
    assert counts[0].nodes == ({1: 7, 2: 49} if form == "start" else {1: 7, 2: 49, 3: 343})
    status, out, _ = run_perft(capsys, "connect4", "--check", str(file))
    assert status == 0 and " 0 wrong: " in out


def test_different_count_is_reported_with_its_place(tmp_path, capsys):
    file = tmp_path / "suite.epd"
    file.write_text("44 ;D1 7 ;D2 49\n\n44444 ;D1 7 ;D2 47 ;D3 330\n")
    status, out, _ = run_perft(capsys, "connect4", "--check", str(file))
    assert status == 3
    assert "ok  line 1: to depth 2, 56 nodes" in out
    assert "XX  line 3: depth 2: 48 nodes, expected 47 (44444)" in out
    assert out.splitlines()[-1].startswith("2 positions, 1 wrong: ")
    assert run_perft(capsys, "connect4", "--check", str(file), "--depth", "1")[0] == 0
    status, out, _ = run_perft(capsys, "connect4", "--check", str(file), "--json")
    document = json.loads(out)
    assert status == 3 and document["wrong"] == 1
    assert document["positions"][1]["line"] == 3
    assert document["positions"][1]["wrong"]["2"] == {"found": 48, "expected": 47}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "there is no position with counts in"),
        ("44\n", "line 1: no counts: they read ';D1 20 ;D2 400' or 'perft1 20;'"),
        ("44 ;D1 seven\n", "line 1: no counts"),
        ("44 ;D1 7 ;D2 many\n", "line 1: no counts"),
        ("44 ;D0 1\n", "line 1: no counts"),
        ("perft 1 7\n", "line 1: counts without a position before them"),
        ("44 ;D1 7\n49 ;D1 7\n", "line 2: '49', character 2: '9' is not a column"),
    ],
)
def test_wrong_perft_file_is_refused(text, complaint, tmp_path, capsys):
    file = tmp_path / "suite.epd"
    file.write_text(text)
    status, out, err = run_perft(capsys, "connect4", "--check", str(file), "--json")
    assert status == 6 and (out == "" or json.loads(out)["unread"])
    assert str(file) in err and complaint in err and err.count("\n") == 1


def test_broken_line_is_reported_at_the_end_and_others_run(tmp_path, capsys):
    file = tmp_path / "suite.epd"
    file.write_text("44 ;D1 7\n44 ;D1 seven\n49 ;D1 7\n444 ;D1 7 ;D2 48\n")
    status, out, err = run_perft(capsys, "connect4", "--check", str(file))
    assert status == 6, "worse than a count that differs"
    assert out.splitlines()[0].startswith("ok  line 1: ")
    assert out.splitlines()[1].startswith("XX  line 4: depth 2: 49 nodes, expected 48 ")
    assert out.splitlines()[2].startswith("2 positions, 1 wrong: ")
    assert err.splitlines() == [
        f"gameplay: {file}, line 2: no counts: they read ';D1 20 ;D2 400' or 'perft1 20;'",
        f"gameplay: {file}, line 3: '49', character 2: '9' is not a column from 1 to 7",
    ]
    document = json.loads(run_perft(capsys, "connect4", "--check", str(file), "--json")[1])
    assert len(document["unread"]) == 2 and len(document["positions"]) == 2


def test_a_check_has_its_own_positions(tmp_path, capsys):
    file = tmp_path / "none.epd"
    assert run_perft(capsys, "connect4", "--check", str(file))[0] == 6
    assert run_perft(capsys, "connect4", "--check", str(file), "--divide")[0] == 2
    assert run_perft(capsys, "connect4", "--check", str(file), "--position", "4")[0] == 2
    file.write_bytes(b"\xff\xfe\x00")
    assert "is not a text file" in run_perft(capsys, "connect4", "--check", str(file))[2]


def test_documents_keep_microseconds(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(perft, "count", lambda position, depth: perft.Count(depth, 6 + depth, 2 / 3))
    file = tmp_path / "known.epd"
    file.write_text(".../.../... ;D1 7 ;D2 9\n.../.../... ;D2 8\n")
    status, out, _ = run_perft(capsys, "tictactoe", "--check", str(file), "--json")
    assert status == 3
    known = {"file": str(file), "position": ".../.../..."}
    assert json.loads(out) == {
        "game": "tictactoe",
        "positions": [
            known
            | {"line": 1, "nodes": 15, "seconds": 1.333333, "wrong": {"2": {"found": 8, "expected": 9}}},
            known | {"line": 2, "nodes": 8, "seconds": 0.666667, "wrong": {}},
        ],
        "wrong": 1,
        "unread": [],
        "nodes": 23,
        "seconds": 2.0,
        "nps": 12,
    }


def test_perft_deepens_until_a_depth_takes_a_second_or_is_empty(capsys, monkeypatch):
    def count_plies(seconds, nodes=lambda depth: 1000 * depth):
        counts = []
        monkeypatch.setattr(
            perft,
            "count",
            lambda position, depth: counts.append(depth) or perft.Count(depth, nodes(depth), seconds(depth)),
        )
        return counts

    monkeypatch.setattr(perft, "published_counts", lambda game, position: perft.Published((1000, 2000), ""))
    count_plies(lambda depth: depth / 4)
    assert run_perft(capsys, "tictactoe") == (
        0,
        "depth             nodes            published    seconds    nodes a second\n"
        "    1             1,000                1,000      0.250             4,000\n"
        "    2             2,000                2,000      0.500             4,000\n"
        "    3             3,000                 none      0.750             4,000\n"
        "    4             4,000                 none      1.000             4,000\n",
        "",
    )
    for nodes, deepest in ((lambda depth: max(0, 3 - depth), 3), (lambda depth: 1, 99)):
        counts = count_plies(lambda depth: 0.9, nodes)
        run_perft(capsys, "tictactoe", "--json")
        assert counts == list(range(1, deepest + 1))
    counts = count_plies(lambda depth: 9.0)
    run_perft(capsys, "tictactoe", "--depth", "4")
    assert counts == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("width", "names"),
    [
        (73, ["depth", "nodes", "published", "seconds", "nodes a second"]),
        (70, ["depth", "nodes", "published", "seconds", "nodes a second"]),
        (60, ["depth", "nodes", "published", "seconds"]),
        (40, ["depth", "nodes", "published"]),
        (25, ["depth", "nodes"]),
    ],
)
def test_a_narrow_table_lacks_the_last_columns(width, names, capsys, monkeypatch):
    for module in ("cli.common.width", "cli.author.perft"):
        monkeypatch.setattr(f"gameplay.{module}.columns", lambda elsewhere=0: width)
    wrong = perft.Published((9, 73), "")
    monkeypatch.setattr(perft, "published_counts", lambda game, position: wrong)
    head, *rows = run_perft(capsys, "tictactoe", "--depth", "3")[1].splitlines()
    assert re.split(r"\s{2,}", head.strip()) == names
    assert max(map(len, (head, *rows))) <= width
    assert "differs" in "".join(rows) and len(rows[0].split()) == len(names)


def test_perft_check_prints_line_by_line(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(perft, "count", lambda position, depth: perft.Count(depth, 1000 * depth, depth / 4))
    file, other = tmp_path / "known.epd", tmp_path / "other.epd"
    file.write_text("x../.../... ;D1 1000 ;D2 2001\n.../.../... ;D3 3000\n")
    other.write_text(".../.../... ;D1 1000\n")
    words = ("tictactoe", "--check", str(file), "--check", str(other), "--depth", "2")
    assert run_perft(capsys, *words) == (
        3,
        "XX  line 1: depth 2: 2,000 nodes, expected 2,001 (x../.../...)\n"
        "ok  line 2: no count to compare at this depth, 0 nodes in 0.000 s\n"
        "ok  line 1: to depth 1, 1,000 nodes in 0.250 s\n"
        "3 positions, 1 wrong: 4,000 nodes in 1.0 s, 4,000 a second\n",
        "",
    )
    assert run_perft(capsys, "tictactoe", "--check", str(other))[1].splitlines()[1] == (
        "1 position, 0 wrong: 1,000 nodes in 0.2 s, 4,000 a second"
    )
    monkeypatch.setattr(perft, "count", lambda position, depth: perft.Count(depth, 1000 * depth, 0.0))
    assert run_perft(capsys, "tictactoe", "--check", str(other))[1].endswith("nodes in 0.0 s, 0 a second\n")


def test_counts_rates_and_published_counts_by_depth():
    assert perft.Count(3, 21, 4.0).as_dict() == {"depth": 3, "nodes": 21, "seconds": 4.0, "nps": 5}
    assert perft.Count(3, 21, 1 / 3).as_dict()["seconds"] == 0.333333
    assert perft.Count(3, 21, 0.0).nps == 0.0 and perft.Count(3, 21, 0.5).nps == 42.0
    known = perft.Published((9, 72), "a book")
    assert [known.at(depth) for depth in (1, 2, 3)] == [9, 72, None]


def test_a_position_is_divided_and_put_back(monkeypatch):
    position = registry.game("tictactoe").new("xxo/o.x/...")
    words = [position.format(move) for move in position.moves()]
    assert list(perft.divide(position, 1)) == [(word, perft.Count(1, 1, 0.0)) for word in words]
    requests = []

    def count(position, depth):
        requests.append((position.text().count("."), depth))
        if len(requests) == 6:
            raise KeyboardInterrupt
        return perft.Count(depth, 10 + len(requests), 0.25)

    monkeypatch.setattr(perft, "count", count)
    text = position.text()
    results = list(perft.divide(position, 3))
    assert results == [(word, perft.Count(3, number, 0.25)) for number, word in enumerate(words, 11)]
    assert requests == [(3, 2)] * 4 and position.text() == text
    with pytest.raises(KeyboardInterrupt):
        list(perft.divide(position, 3))
    assert position.text() == text


def test_known_error_is_reported_unchanged(monkeypatch):
    class LimitedKernel:
        def perft(self, depth):
            raise Usage("not so deep")

    monkeypatch.setattr(perft, "kernel_of", lambda position: LimitedKernel())
    with pytest.raises(Usage, match=r"^not so deep$"):
        perft.count(registry.game("tictactoe").new(), 3)


def test_perft_reports_nodes_and_seconds(monkeypatch):
    clock = iter([5.0, 7.5])
    monkeypatch.setattr(perft, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    assert perft.count(registry.game("tictactoe").new(), 2) == perft.Count(2, 72, 2.5)
