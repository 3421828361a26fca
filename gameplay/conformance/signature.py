"""The signature of the search: how many nodes each of a fixed set of searches visits.

The same on every machine and in both builds. A change that makes the search faster and no different leaves
it alone; one that changes it on purpose changes it too, and says so in its history (as Stockfish's bench).
"""

import tomllib
from collections.abc import Container
from pathlib import Path

from gameplay import registry
from gameplay.errors import BadInput

# Game, position and depth: openings, a fork, a forced win, small boards that are searched to their end.
POSITIONS = (
    ("tictactoe", "", 9),
    ("tictactoe:width=4,height=4,line=3", "", 4),
    ("connect4", "", 6),
    ("connect4", "4455343", 6),
    ("connect4", "44444265", 6),
    ("connect4:columns=4,rows=4", "2323", 12),
    ("connect4:columns=6,rows=7,connect=5", "3443", 5),
)

# Every engine that searches, and every option of each, both ways.
ENGINES = (
    "alphabeta",
    "alphabeta:eval=none,table=1MB",
    "alphabeta:order=random,seed=7",
    "alphabeta:order=evaluation,table=1MB",
    "alphabeta:order=shallow+killer+history",
    "iterative",
    "iterative:pvs=off,aspiration=off",
    "iterative:mtdf=on",
    "iterative:table=off,order=generated",
    "iterative:table=off,order=killer+countermove+history+continuation",
    "quiescence",
    "quiescence:table=off,order=evaluation",
    "selective:table=1MB",
    "selective:pvs=off,table=off,order=evaluation",
)
# Where selective search has something to select.
CLASSIC = (
    ("chess", "", 4),
    ("chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 3),
    ("checkers", "", 6),
    ("othello", "", 4),
)
SELECTIVE = (
    "iterative",
    "quiescence",
    "selective",
    "selective:null=off,reduce=off,late=off,futility=off,threshold=off",
)
# Deep enough for what selective search does only some plies above the leaves: singular moves from 7 plies, a
# null move checked by a search from 10.
DEEP = (
    ("chess", "8/8/1p1k4/p1p2p2/P1P2P2/1PNK4/8/2n5 w - - 0 1", 12),
    ("othello", "", 8),
    ("othello:size=6", "", 8),
)
# Puzzles: a cheapest way.
PUZZLES = (
    ("puzzle15:rows=3,columns=3", "8 7 6 0 4 1 2 5 3", 0, "astar"),
    ("puzzle15:rows=3,columns=3", "8 7 6 0 4 1 2 5 3", 0, "astar:heuristic=manhattan"),
    ("puzzle15:rows=3,columns=3", "1 4 2 3 7 5 6 0 8", 0, "dfid"),
    ("puzzle15", "9 4 6 1 12 5 11 8 2 14 13 3 10 0 15 7", 0, "idastar"),
    ("puzzle15", "9 4 6 1 12 5 11 8 2 14 13 3 10 0 15 7", 0, "idastar:heuristic=manhattan"),
)
# Dice and sampling: means are sums of doubles, the same on every machine.
CHANCE = (
    ("tictactoe", "", 5, "expectiminimax"),
    ("connect4", "4455343", 4, "expectiminimax"),
    ("tictactoe", "", 0, "mcts:sims=1000,seed=1"),
    ("connect4", "", 0, "mcts:sims=1000,seed=1"),
    ("othello", "", 0, "mcts:sims=100,c=1.0,leaf=rollout"),
    ("chess", "", 0, "mcts:sims=20,leaf=rollout,seed=3"),
)
# Positions solved, by a solver of the game's own and by deepening.
SOLVED = (
    ("connect4:columns=4,rows=4", "2323", 0, "perfect:table=1MB"),
    ("connect4", "5554224333234511764415115", 0, "perfect:table=1MB,aim=hold"),
    ("nim:heaps=1+2+3", "", 0, "perfect:table=1MB,aim=lose"),
)
# Who wins, yes or no: proof numbers, with ways that go round, and points.
PROVED = (
    ("tictactoe", "", 0, "pns:table=1MB"),
    ("connect4:columns=4,rows=4", "2323", 0, "pns:table=16KB"),
    ("connect4:columns=4,rows=4", "2323", 0, "pns:table=1MB,mobility=off"),
    ("connect4:columns=4,rows=4", "2323", 0, "pns:table=1MB,weak=off"),
    ("chess", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 0, "pns:table=1MB"),
    ("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 0, "pns:table=1MB"),
    ("othello:size=4", "", 0, "pns:table=1MB"),
)
# Three players.
MANY = (
    ("connect4:players=3", "", 4, "maxn"),
    ("connect4:players=3", "", 4, "maxn:prune=off"),
    ("tictactoe:players=3", "", 4, "maxn:table=1MB"),
    ("connect4:players=3", "", 5, "paranoid:order=killer+history"),
    ("tictactoe:players=3", "", 5, "paranoid:table=1MB"),
    ("connect4:players=3", "", 5, "brs:order=killer+history"),
    ("tictactoe:players=3", "", 4, "brs:others=move"),
)
# Secrets: deals, and a game as a whole.
SECRETS = (
    ("kuhn", "K J", 0, "cfr:iterations=50"),
    ("leduc", "Ks Qh", 0, "pimc:sims=5"),
    ("leduc", "Ks Qh", 0, "ismcts:sims=200,seed=1"),
    ("phantom-tictactoe", "", 0, "ismcts:sims=50,observers=single"),
    ("scrabble", "A A B E I O T C D E E F G N", 0, "rollout:sims=4,moves=2,plies=1"),
)
PLAIN = (
    ("tictactoe", "", 6),
    ("connect4", "4455343", 5),
)  # what minimax, which visits everything, can afford


def searches() -> list[tuple[str, str, int, str]]:
    """Game, position, depth (0: the engine's own options end it) and engine of every search."""
    plain = [(*place, "minimax") for place in PLAIN]
    classic = [(*place, engine) for place in CLASSIC for engine in SELECTIVE]
    small = [(*place, engine) for place in POSITIONS for engine in ENGINES if fits(place[0], engine)]
    deep = [(*place, "selective:table=1MB") for place in DEEP]
    return plain + small + classic + deep + list(CHANCE + PUZZLES + SOLVED + PROVED + MANY + SECRETS)


def fits(game: str, engine: str) -> bool:
    """Tic-tac-toe has neither noisy moves nor a second evaluation."""
    return not (
        game.startswith("tictactoe")
        and (engine.startswith(("quiescence", "selective")) or "eval=none" in engine)
    )


def called(game: str, text: str, depth: int, spec: str) -> str:
    """A search in words: `connect4 4455343, alphabeta, depth 6`."""
    return ", ".join([f"{game} {text}".strip(), spec, *[f"depth {depth}"] * bool(depth)])


def measure(only: Container[str] | None = None) -> dict[str, int]:
    """Nodes by search, by what it is `called`; `only` of these, None: of all."""
    found = {}
    for game, text, depth, spec in searches():
        name = called(game, text, depth, spec)
        if only is not None and name not in only:
            continue
        position = registry.game(game).new(text)
        engine, limit = registry.engine(spec)
        report = engine.search(position, limit.with_(depth=depth) if depth else limit)
        found[name] = report.nodes
    return found


def keep(file: Path, found: dict[str, int]) -> None:
    """Write a signature."""
    lines = [f'"{name}" = {nodes}' for name, nodes in found.items()]
    head = f"# Nodes of each search of `gameplay signature`; in all {sum(found.values())}.\n"
    file.write_text(head + "\n".join(lines) + "\n")


def kept(file: Path) -> dict[str, int]:
    """The signature in a file. Raises BadInput if it is not one."""
    try:
        return tomllib.loads(file.read_text())
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{file} is not TOML: {error}") from None


def differences(old: dict[str, int], new: dict[str, int]) -> list[str]:
    """A line for each search that visits another number of nodes, or is only in one of the two."""
    return [
        f"{name}: {old.get(name, 'not kept')} nodes were kept, {new.get(name, 'not searched')} now"
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name)
    ]
