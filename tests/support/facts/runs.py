"""Runs, replays and reviews: recounted from the files."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from tests.support.facts import drawn_trees
from tests.support.facts.output import Output, check_error
from tests.support.paths import TESTS


def points_of(lines: list[Any]) -> Counter[str]:
    """Each player's points in the counted games of a run, from its lines."""
    points: Counter[str] = Counter()
    for line in lines[1:]:
        for name, payoff in zip(line["names"], line["payoffs"], strict=True):
            points[name] += (payoff > 0) + 0.5 * (payoff == 0)
    return points


def check_run(output: Output, lines: list[Any]) -> None:
    """The points of a run are the sum of those of its games."""
    points, games = points_of(lines), len(lines) - 1
    if output.words[1] == "import":
        assert f"{games} games imported" in output.text
    elif output.words[1] == "export":
        rows = output.rows()
        assert [row.get("payoffs") for row in rows[1:]] == [line["payoffs"] for line in lines[1:]]
        assert not any(row["finished"] or row["times"] for row in rows[1:])
    elif output.text.startswith("{"):
        data = json.loads(output.text)
        if output.words[1] == "report":
            won = {row["first"]: row["wins"] + row["draws"] / 2 for row in data["cross"]}
            assert won == {"deep": points["deep"], "luck": points["luck"]} and data["games"] == games
        elif output.words[1] == "status":
            assert {
                player["name"]: player["wins"] + player["draws"] / 2 for player in data["players"]
            } == dict(points)
            assert data["counted"] == games and sum(data["pairs"]) == games // 2
        else:
            assert data["better"] + data["equal"] + data["worse"] == data["pairs"] == games // 2
    elif output.text:
        share = 100 * points["deep"] / games
        assert f"{share:.1f} %" in output.text
        if output.words[1] == "report":
            assert f"won {points['deep']:g}" in output.text
            cross = re.findall(r"\+(\d+) =(\d+) -(\d+), ([\d.]+) %", output.text)
            for won, tied, lost, scored in cross:
                total = int(won) + int(tied) + int(lost)
                assert f"{100 * (int(won) + int(tied) / 2) / total:.1f}" == scored
            assert sum(int(cell) for row in cross for cell in row[:3]) == 2 * games
            moves = sum(map(int, re.findall(r"^  (?:deep|luck) +(\d+) +\d+", output.text, re.MULTILINE)))
            assert moves == sum(line["plies"] - len(line["job"]["moves"]) for line in lines[1:])
    for page in output.pages.values():
        drawn_games = json.loads(drawn_trees.page_data(page))["games"]
        assert len(drawn_games) == games
        assert [game["names"] for game in drawn_games] == [line["names"] for line in lines[1:]]
        scores = {1.0: "1-0", -1.0: "0-1", 0.0: "1/2-1/2"}
        assert [game["score"] for game in drawn_games] == [scores[line["payoffs"][0]] for line in lines[1:]]
        assert [len(game["plies"]) for game in drawn_games] == [line["plies"] for line in lines[1:]]


def run_of_record(output: Output) -> None:
    """Apply `check_run` to the run in the examples."""
    check_run(output, output.rows((TESTS / "examples" / "records" / "run.jsonl").read_text()))


def check_replay(output: Output) -> None:
    """The moves of the file in order, and its result."""
    name = next(word for word in output.words if "/" in word)
    text = Path(name).read_text()
    moves = re.findall(r"^\S+ plays (\S+)", output.text, re.MULTILINE)
    if name.endswith(".sgf"):
        points = re.findall(r";[BW]\[(\w)(\w)\]", text)[: len(moves)]
        letters = "ABCDEFGHJKLMNOPQRST"
        assert moves == [f"{letters[ord(x) - 97]}{19 - (ord(y) - 97)}" for x, y in points]
        assert len(moves) == int(output.option("--ply"))
    elif name.endswith((".pgn", ".pdn")):
        game = re.split(r"\n\n(?=\[)", text)[0]
        body = re.sub(r"\[[^\n]*\]|\([^)]*\)|\d+\.+|\{[^}]*\}|\$\d+", " ", game).split()
        if output.text.startswith("{"):
            moves = [move["move"] for move in output.rows()[0]["moves"]]
        assert moves == body[:-1]
    else:
        assert f"summary: {len(moves)} moves" in output.text and len(moves) == len(
            re.findall(r"plays", output.text)
        )
        assert output.number(r"^white: (\d) of 3") == 3


def check_review(output: Output) -> None:
    """Moves, thirds and mistakes of the tables sum up; a page has the curve of each game."""
    if output.text.startswith("{"):
        for game in output.rows():
            for move in game["moves"]:
                if "left" in move:
                    assert abs(move["loss"] - max(0, move["stood"] - move["left"])) < 2e-6
                    assert move["best"] >= move["value"] and move["choices"] > 1
                else:
                    assert move["choices"] == 1, "a forced move"
        return
    tables = re.findall(
        r"^(\S.*?) +(\d+) .*\n  1st third +(\d+).*\n  2nd third +(\d+)(?:.*\n  3rd third +(\d+))?",
        output.text,
        re.MULTILINE,
    )
    assert tables and all(
        int(total) == sum(int(third or 0) for third in thirds) for _, total, *thirds in tables
    )
    totals = output.text.rpartition("games  moves")[2]
    players = re.findall(r"^(\S.*?)  +(\d+) +(\d+) ", totals, re.MULTILINE)
    assert sum(int(moves) for _, _, moves in players) == sum(int(total) for _, total, *_ in tables)
    for page in output.pages.values():
        games = json.loads(drawn_trees.page_data(page))["games"]
        curves = [[point for point in game["curve"] if point is not None] for game in games]
        counts = [int(total) for _, total, *_ in tables]  # of both sides, without forced moves
        assert [len(curve) for curve in curves] == [
            sum(two) for two in zip(counts[::2], counts[1::2], strict=True)
        ]
        assert all(0 <= point <= 1 for curve in curves for point in curve)


def check_match(output: Output) -> None:
    """Wins, draws and losses by seat and by pair, and the points, sum to the totals of the games."""
    games = int(output.option("--games"))
    rows = {
        name.strip(): [int(number) for number in numbers]
        for name, *numbers in re.findall(
            r"^  (as \w+|together) +(\d+) +(\d+) +(\d+) +[\d.]+ %", output.text, re.MULTILINE
        )
    }
    together = rows.pop("together")
    assert sum(together) == games and together == [sum(column) for column in zip(*rows.values(), strict=True)]
    pairs = re.findall(r"(\d(?:\.5)?): (\d+)", re.search(r"^pairs +(.*)$", output.text, re.MULTILINE)[1])
    assert sum(int(count) for _, count in pairs) == games // 2
    assert sum(float(points) * int(count) for points, count in pairs) == together[0] + together[1] / 2


def check_end(output: Output) -> None:
    """The status and the verification of the previous match, of 4 games."""
    if output.words[1] == "status":
        results = re.search(r": (\d) won, (\d) drawn, (\d) lost, ([\d.]+) %", output.text)
        assert "4 of 4 games" in output.text and results is not None
        won, drawn, lost = map(int, results.group(1, 2, 3))
        assert won + drawn + lost == 4 and float(results[4]) == 100 * (won + drawn / 2) / 4
    else:
        assert "4 games: moves, results and node counts are as recorded" in output.text


def unknown(output: Output) -> None:
    assert output.status == 4 and output.text.endswith("the book has no entry for it\n")


def of_a_run(output: Output) -> None:
    """The imported run, or the match that was played."""
    if output.status:
        check_error(output)
    elif "kedamo" in output.text or "kept since the first day" in output.text:
        run_of_record(output)
    else:
        check_end(output)


def _regress(output: Output) -> None:
    assert output.status == 6 and "1 test: 1 bad input" in output.text
