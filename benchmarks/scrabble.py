"""Scrabble: plays generated a second, scores of the static player, and solved endgames.

`python -m benchmarks scrabble` uses boards from self-play of the static player with ENABLE, on one core, in
CPU time; `scrabble:games=50` sets the number of games. `scrabble:quackle=FOLDER` also times Quackle, with the
same words on the same boards; FOLDER is a checkout of https://github.com/quackle/quackle, whose library is
compiled with g++, together with `peer_quackle.cpp`.
"""

import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any

from rich.table import Table

from benchmarks import environment, timing
from benchmarks.progress import progress
from gameplay.games.scrabble.game import FIRST, Scrabble
from gameplay.games.scrabble.layout import RACK
from gameplay.games.scrabble.lexicon import Lexicon
from gameplay.games.scrabble.plays import Placer
from gameplay.games.scrabble.proof import EndgameProver
from gameplay.games.scrabble.tiles import LETTER, POINTS, TILES, WORD

SMALLEST = ({"games": "1", "ends": "200"},)
MOST = 20_000  # positions of the search of an end
SOURCE = Path(__file__).with_name("peer_quackle.cpp")
PROGRAM = Path(__file__).parent / "build" / "quackle"


def turns(games: int) -> Iterator[Scrabble]:
    """All positions of so many games in which somebody moves."""
    for number in range(games):
        progress.count(number, games, "games")
        rng, position = Random(number), Scrabble()
        while position.outcome() is None:
            if position.turn < 0:
                position.make(rng.choices(position.moves(), position.chances())[0])
                continue
            yield position
            position.make(position.top_moves(1)[0][0])


def racks(position: Scrabble, rng: Random) -> Iterator[tuple[int, bytes]]:
    """A rack with no blank, one with one, and one with two."""
    pool = [kind for kind, count in enumerate(TILES) if kind for _ in range(count)]
    for blanks in range(3):
        yield blanks, bytes(sorted([0] * blanks + rng.sample(pool, RACK - blanks)))


def found(games: int) -> Table:
    """Plays found a second."""
    spent, counts = [0.0] * 3, [0] * 3
    rng, number = Random(0), 0
    for position in turns(games):
        number += 1
        placer = position.placer
        for blanks, rack in racks(position, rng):
            placer.set_board(bytes(225))
            began = time.process_time()
            counts[blanks] += len(placer.plays(position.state.cells, rack))
            spent[blanks] += time.process_time() - began
    table = Table(title=f"Scrabble, all plays of {number:,} racks of each kind", title_style="bold")
    for name in ("blanks", "plays a rack", "racks a second", "plays a second"):
        table.add_column(name, justify="right")
    for blanks in range(3):
        seconds, count = spent[blanks], counts[blanks]
        table.add_row(
            str(blanks), f"{count / number:,.0f}", f"{number / seconds:,.0f}", f"{count / seconds:,.0f}"
        )
    return table


def built(folder: Path) -> str:
    """Compile Quackle's library with what asks it; an empty string, or why that cannot be done."""
    lists = folder / "CMakeLists.txt"
    sources = re.search(r"LIBQUACKLE_SOURCES\s([^)]*)", lists.read_text()) if lists.exists() else None
    if sources is None:
        return f"no checkout of Quackle is in {folder}"
    compiler = environment.compiler("g++", "clang++")
    if compiler is None:
        return "no C++ compiler: install g++ to measure Quackle"
    PROGRAM.parent.mkdir(exist_ok=True)
    files = [folder / name for name in sources[1].split()]
    command = [compiler, "-std=c++17", "-O3", "-w", "-pthread", "-I", folder, SOURCE, *files, "-o", PROGRAM]
    try:
        environment.run(command, "the compiler on Quackle")
    except environment.PeerFailed as error:
        return str(error)
    return ""


def listed(lexicon: Lexicon, state: int, begun: str = "") -> Iterator[str]:
    """The words of an automaton, by the alphabet."""
    while state:
        edge = lexicon.edge_array[state]
        word = begun + chr(64 + (edge & 31))
        if edge >> 5 & 1:
            yield word
        yield from listed(lexicon, edge >> 7, word)
        state = 0 if edge >> 6 & 1 else state + 1


def compare_generators(games: int, folder: str) -> Table | str:
    """The same racks on the same boards by Quackle; of an empty board it lists the plays across alone."""
    trouble = built(Path(folder)) if folder else "quackle=FOLDER, a checkout of Quackle, has it measured too"
    if trouble:
        return f"scrabble: {trouble}"
    lines = ["".join(map(str, LETTER)) + " " + "".join(map(str, WORD))]
    ours: list[tuple[int, int, float]] = []  # blanks, plays, seconds
    rng, lexicon = Random(0), Scrabble().lexicon
    for position in turns(games):
        cells = position.state.cells
        if not any(cells):
            continue
        board = "".join("." if not cell else chr(64 + cell) for cell in cells)
        for blanks, rack in racks(position, rng):
            position.placer.set_board(bytes(225))
            began = time.process_time()
            count = len(position.placer.plays(cells, rack))
            ours.append((blanks, count, time.process_time() - began))
            lines.append(board + " " + "".join("?" if not tile else chr(64 + tile) for tile in rack))
    with tempfile.TemporaryDirectory() as place:
        words = Path(place) / "words.txt"
        words.write_text("\n".join(listed(lexicon, lexicon.root)) + "\n")
        told = environment.run([PROGRAM, words], "Quackle", text="\n".join(lines) + "\n")
    theirs = [line.split() for line in told.splitlines()]
    table = Table(title="Scrabble, all plays compared with Quackle's, CPU time", title_style="bold")
    for name in ("blanks", "racks", "the same number", "plays a second", "Quackle", "times as fast"):
        table.add_column(name, justify="right")
    for blanks in range(3):
        both = [(one, other) for one, other in zip(ours, theirs, strict=True) if one[0] == blanks]
        plays, same = sum(one[1] for one, _ in both), sum(one[1] == int(other[0]) for one, other in both)
        seconds = sum(one[2] for one, _ in both)
        other_seconds = sum(float(other[2]) for _, other in both)
        their_plays = sum(int(other[0]) for _, other in both)
        table.add_row(
            str(blanks),
            f"{len(both):,}",
            f"{same:,}",
            f"{plays / seconds:,.0f}",
            f"{their_plays / other_seconds:,.0f}",
            f"{other_seconds / seconds:.2f}",
        )
    return table


def scored(games: int) -> Table:
    """What is scored without a search."""
    points, bingos, made, totals = 0, 0, 0, []
    last: Any = None
    for position in turns(games):
        if last is not None and position.state.cells.count(0) == 225:
            totals += last
        move = position.top_moves(1)[0][0]
        play = position.play(move) if move >= FIRST else None
        made += 1
        points += play.score if play else 0
        bingos += bool(play and len(play.laid) == RACK)
        last = list(position.state.scores)
        last[position.turn] += play.score if play else 0
    totals += last
    table = Table(title=f"Scrabble, {games} games without a search", title_style="bold")
    for name in ("points a turn", "points a player", "bingos a player", "turns a player"):
        table.add_column(name, justify="right")
    both = 2 * games
    table.add_row(f"{points / made:.1f}", f"{mean(totals):.0f}", f"{bingos / both:.2f}", f"{made / both:.1f}")
    return table


def ended(games: int, most: int) -> Table:
    """The first position of each game with an empty bag, searched in `most` positions at most."""
    solved, nodes, spent, seen = 0, [], 0.0, 0
    before = None
    for position in turns(games):
        if position.bag_size() or before is position:
            continue
        before = position
        state = position.state
        solver = EndgameProver(Placer(position.lexicon, POINTS, LETTER, WORD), None, most)
        began = time.process_time()
        answer = solver.solve(
            state.cells, state.racks[position.turn], state.racks[1 - position.turn], state.scoreless
        )
        spent += time.process_time() - began
        seen += 1
        nodes.append(solver.nodes)
        solved += bool(answer and answer[2])
    table = Table(title=f"Scrabble, {seen} ends of up to {most:,} positions", title_style="bold")
    for name in ("solved", "positions, median", "positions a second"):
        table.add_column(name, justify="right")
    table.add_row(f"{solved / seen:.0%}", f"{median(nodes):,.0f}", f"{sum(nodes) / spent:,.0f}")
    return table


def tables(games: str = "20", quackle: str = "", ends: str = str(MOST)) -> Iterator[Table | str]:
    """All of them. `ends`: positions of the search of an end."""
    timing.pin()
    yield found(int(games))
    yield compare_generators(int(games), quackle)
    yield scored(int(games))
    yield ended(int(games), int(ends))
    timing.unpin()
