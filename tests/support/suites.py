"""Suites that tests share."""

from gameplay.cli import router, run
from gameplay.runs.job import GameResult


def run_suite(tmp_path, text, capsys, *words):
    file = tmp_path / "suite.toml"
    file.write_text(text)
    status = run(router, "gameplay", ["regress", str(file), "--jobs", "1", *words])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def game_result(pair, leg, points, termination="rules", fault="", trail=""):
    return GameResult(
        pair, leg, 1, termination, points=points, fault=fault, moves_hash=trail or f"{pair}/{leg}"
    )
