"""Runs that tests of reports share."""

import pytest

from gameplay.runs.played import MatchGame
from gameplay.runs.summary import Summary
from gameplay.store.record import Ply, Record
from tests.support.commands import gameplay


def match_game(pair, leg, result, names=("new", "old"), moves="1 2 1 2 1 2 1", **more):
    """A game of the first player's `result`, win w, draw d or loss l; they have seat 0 in leg 0."""
    pays = {"w": (1.0, -1.0), "d": (0.0, 0.0), "l": (-1.0, 1.0)}[result]
    words = moves.split()
    plies = [Ply(word, n % 2) for n, word in enumerate(words[:2])]
    plies += [Ply(word, n % 2, value=n, depth=3, nodes=100 + 50 * n) for n, word in enumerate(words[2:])]
    order, payoffs = (names, pays) if leg == 0 else (names[::-1], pays[::-1])
    record = Record(1, "connect4", "", list(order), pair, plies, list(payoffs), "rules", "0")
    more = {"termination": "rules", "times": (0.0,) * 2 + (0.01, 0.02) * 3, "opening": 2} | more
    return MatchGame(pair=pair, leg=leg, names=order, payoffs=payoffs, record=record, **more)


def summary(games, players=("new", "old"), **more):
    given = {"title": "t", "game": "connect4", "specs": {}, "sides": ("blue", "orange"), "planned": None}
    return Summary(players=players, games=games, **(given | more))


def match(results, **more):
    """Pairs from words such as `wl` and `dd`; each from a different opening, so that no game repeats."""
    return summary(pairs(results), **more)


def pairs(results):
    games = []
    for pair, result in enumerate(results.split()):
        opening = " ".join("1234567"[(pair // 7**n) % 7] for n in range(2))
        games += [
            match_game(pair, leg, outcome, moves=f"{opening} 4 {1 + leg}")
            for leg, outcome in enumerate(result)
        ]
    return games


def last_drawing(pictures):
    """The last drawing, reconstructed from the first one and the changes."""
    cells = list(pictures["cells"])
    for ply in pictures["plies"]:
        for at, piece in zip(ply[6][::2], ply[6][1::2], strict=True):
            cells[at] = piece
    return cells


@pytest.fixture(scope="module")
def game_files(tmp_path_factory):
    """A file of selfplay, and one of a game tree, which has no board."""
    folder = tmp_path_factory.mktemp("kept")
    line, tree = folder / "line.jsonl", folder / "nim.jsonl"
    words = ["--nodes", "60", "--seed", "3", "--jobs", "1", "--store", folder / "runs.db"]
    assert gameplay("selfplay", "connect4", "--games", "12", "--out", line, *words) == 0
    (folder / "nim.toml").write_text('title = "n"\n[max.A.min]\nx = 1\ny = -1\n[max.B.min]\nz = 2\nw = 3\n')
    assert (
        gameplay("selfplay", folder / "nim.toml", "--games", "2", "--openings", "0", "--out", tree, *words)
        == 0
    )
    return {"line": line, "tree": tree}
