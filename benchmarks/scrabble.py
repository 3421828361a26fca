"""Scrabble: speed of move generation, scores of the static player, and solved endgames.

`python -m benchmarks scrabble` uses boards from self-play of the static player with the ENABLE lexicon, on
one core, in CPU time; `scrabble:games=50` sets the number of games. `scrabble:quackle=FOLDER` also measures
Quackle with the same lexicon on the same boards; FOLDER is a checkout of https://github.com/quackle/quackle,
whose library is compiled together with `peer_quackle.cpp`.
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
from gameplay.games.scrabble.tiles import LETTER, TILES, WORD

SMALLEST = ({"games": "1", "ends": "200"},)
ENDGAME_NODES = 20_000  # of a search, at most
SOURCE = Path(__file__).with_name("peer_quackle.cpp")
PROGRAM = Path(__file__).parent / "build" / "quackle"


def decisions(games: int) -> Iterator[Scrabble]:
    """All positions of games of the static player, without chance nodes; one object, modified in place."""
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
    """Three random racks, with 0, 1 and 2 blanks; each with the number of blanks."""
    pool = [kind for kind, count in enumerate(TILES) if kind for _ in range(count)]
    for blanks in range(3):
        yield blanks, bytes(sorted([0] * blanks + rng.sample(pool, RACK - blanks)))


def generation_table(games: int) -> Table:
    """Speed of move generation by number of blanks."""
    times, counts = [0.0] * 3, [0] * 3
    rng, boards = Random(0), 0
    for position in decisions(games):
        boards += 1
        placer = position.placer
        for blanks, rack in racks(position, rng):
            placer.set_board(bytes(225))
            start = time.process_time()
            counts[blanks] += len(placer.plays(position.state.cells, rack))
            times[blanks] += time.process_time() - start
    table = Table(title=f"Scrabble: move generation, {boards:,} boards with a rack each", title_style="bold")
    for heading in ("blanks", "plays/rack", "racks/s", "plays/s"):
        table.add_column(heading, justify="right")
    for blanks in range(3):
        seconds, count = times[blanks], counts[blanks]
        table.add_row(
            str(blanks), f"{count / boards:,.0f}", f"{boards / seconds:,.0f}", f"{count / seconds:,.0f}"
        )
    return table


def build_quackle(folder: Path) -> str:
    """Compile Quackle's library with `peer_quackle.cpp`. Returns the reason of a failure, else ""."""
    cmake_file = folder / "CMakeLists.txt"
    cmake = cmake_file.read_text() if cmake_file.exists() else ""
    sources = re.search(r"LIBQUACKLE_SOURCES\s([^)]*)", cmake)
    if sources is None:
        return f"{folder} is not a checkout of Quackle"
    compiler = environment.find_compiler("g++", "clang++")
    if compiler is None:
        return "no C++ compiler found; try: install g++"
    PROGRAM.parent.mkdir(exist_ok=True)
    files = [folder / name for name in sources[1].split()]
    command = [compiler, "-std=c++17", "-O3", "-w", "-pthread", "-I", folder, SOURCE, *files, "-o", PROGRAM]
    try:
        environment.run(command, "the C++ compiler on Quackle")
    except environment.PeerFailed as error:
        return str(error)
    return ""


def words(lexicon: Lexicon, state: int, prefix: str = "") -> Iterator[str]:
    """The words below a state of the lexicon's automaton, in alphabetical order."""
    while state:
        edge = lexicon.edge_array[state]
        word = prefix + chr(64 + (edge & 31))
        if edge >> 5 & 1:
            yield word
        yield from words(lexicon, edge >> 7, word)
        state = 0 if edge >> 6 & 1 else state + 1


def quackle_table(games: int, folder: Path) -> Table | str:
    """Move generation compared with Quackle's on the same boards and racks; a string if it cannot be built.

    Empty boards are not compared: Quackle only lists their horizontal plays.
    """
    if failure := build_quackle(folder):
        return f"scrabble: Quackle skipped: {failure}"
    lines = ["".join(map(str, LETTER)) + " " + "".join(map(str, WORD))]
    results: list[tuple[int, int, float]] = []  # blanks, plays, seconds
    rng, lexicon = Random(0), Scrabble().lexicon
    for position in decisions(games):
        cells = position.state.cells
        if not any(cells):
            continue
        board = "".join("." if not cell else chr(64 + cell) for cell in cells)
        for blanks, rack in racks(position, rng):
            position.placer.set_board(bytes(225))
            start = time.process_time()
            count = len(position.placer.plays(cells, rack))
            results.append((blanks, count, time.process_time() - start))
            lines.append(board + " " + "".join("?" if not tile else chr(64 + tile) for tile in rack))
    with tempfile.TemporaryDirectory() as temporary:
        word_file = Path(temporary) / "words.txt"
        word_file.write_text("\n".join(words(lexicon, lexicon.root)) + "\n")
        output = environment.run([PROGRAM, word_file], "Quackle", text="\n".join(lines) + "\n")
    quackle_results = [
        (int(count), float(seconds)) for count, _, seconds in map(str.split, output.splitlines())
    ]
    table = Table(title="Scrabble: move generation compared with Quackle, CPU time", title_style="bold")
    for heading in ("blanks", "racks", "same number of plays", "plays/s", "Quackle plays/s", "speedup"):
        table.add_column(heading, justify="right")
    for number in range(3):
        pairs = [
            (plays, seconds, quackle_plays, quackle_seconds)
            for (blanks, plays, seconds), (quackle_plays, quackle_seconds) in zip(
                results, quackle_results, strict=True
            )
            if blanks == number
        ]
        same = sum(plays == quackle_plays for plays, _, quackle_plays, _ in pairs)
        plays, seconds, quackle_plays, quackle_seconds = map(sum, zip(*pairs, strict=True))
        table.add_row(
            str(number),
            f"{len(pairs):,}",
            f"{same:,}",
            f"{plays / seconds:,.0f}",
            f"{quackle_plays / quackle_seconds:,.0f}",
            f"{quackle_seconds / seconds:.2f}",
        )
    return table


def score_table(games: int) -> Table:
    """Scores of the static player in self-play."""
    points, bingos, turns, totals = 0, 0, 0, []
    scores: Any = None  # after the last move
    for position in decisions(games):
        if scores is not None and position.state.cells.count(0) == 225:
            totals += scores
        move = position.top_moves(1)[0][0]
        play = position.play(move) if move >= FIRST else None
        turns += 1
        points += play.score if play else 0
        bingos += bool(play and len(play.laid) == RACK)
        scores = list(position.state.scores)
        scores[position.turn] += play.score if play else 0
    totals += scores
    table = Table(title=f"Scrabble: {games} games of the static player", title_style="bold")
    for heading in ("points/turn", "points/player", "bingos/player", "turns/player"):
        table.add_column(heading, justify="right")
    players = 2 * games
    table.add_row(
        f"{points / turns:.1f}",
        f"{mean(totals):.0f}",
        f"{bingos / players:.2f}",
        f"{turns / players:.1f}",
    )
    return table


def endgame_table(games: int, max_nodes: int) -> Table:
    """Searches of the first position of each game with an empty bag."""
    solved, nodes, seconds, count = 0, [], 0.0, 0
    previous = None
    for position in decisions(games):
        if position.bag_size() or position is previous:
            continue
        previous = position
        state = position.state
        solver = EndgameProver(Placer(position.lexicon), None, max_nodes)
        start = time.process_time()
        result = solver.solve(
            state.cells, state.racks[position.turn], state.racks[1 - position.turn], state.scoreless
        )
        seconds += time.process_time() - start
        count += 1
        nodes.append(solver.nodes)
        solved += bool(result and result[2])
    table = Table(title=f"Scrabble: {count} endgames, at most {max_nodes:,} nodes each", title_style="bold")
    for heading in ("solved", "median nodes", "nodes/s"):
        table.add_column(heading, justify="right")
    table.add_row(f"{solved / count:.0%}", f"{median(nodes):,.0f}", f"{sum(nodes) / seconds:,.0f}")
    return table


def tables(games: str = "20", quackle: str = "", ends: str = str(ENDGAME_NODES)) -> Iterator[Table | str]:
    """Move generation, scores, endgames. quackle: a checkout to compare with; ends: nodes of an endgame."""
    timing.pin()
    yield generation_table(int(games))
    if quackle:
        yield quackle_table(int(games), Path(quackle))
    yield score_table(int(games))
    yield endgame_table(int(games), int(ends))
    timing.unpin()
