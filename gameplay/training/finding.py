"""Puzzles found in any games, independent of the players and of whether a mistake was made.

1. A short search of each position finds the two best moves. If the second is not a mistake, or a very short
   search (GLANCE) already finds the first, there is no puzzle.
2. A search of DEEPER times as many nodes confirms that only one move is good.
3. As long as the game follows the line of a puzzle, no other puzzle is taken from it.

With these node limits the same games give the same puzzles, also over several runs: a game that was searched
to its end is not searched again, and in any other game the known puzzles keep their places.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from gameplay import registry
from gameplay.matches.match import Event, Match, seed_of
from gameplay.players import seats
from gameplay.position import CHANCE, AbstractPosition
from gameplay.search.limit import Limit
from gameplay.search.session import Session
from gameplay.store.record import Record, record_of
from gameplay.training.practice import Exercise, Practice, has_only_move, identity, puzzle
from gameplay.training.review import NODES, engine_for

if TYPE_CHECKING:
    from gameplay.search.engine import Engine

LOOK = NODES // 5  # nodes of the first search of a position, by default
DEEPER = 20  # times these nodes to confirm a puzzle
GLANCE = 100  # nodes: a move found with these is too easy for a puzzle
MIN_MOVES = 3  # legal moves in a puzzle
LEVEL = 5  # of both sides in self-play, with human mistakes


def find_puzzles(
    record: Record,
    practice: Practice,
    source: str,
    nodes: int = LOOK,
    watch: Callable[[int, int], object] | None = None,
) -> Iterator[Exercise]:
    """The puzzles in a game that `practice` does not contain. Rejected positions are recorded there, and the
    game itself when it is finished.

    `watch` is called with the ply and the number of plies. Raises GameplayError for a game that cannot be
    reviewed, KeyboardInterrupt.
    """
    game = registry.game(record.game)
    engine = engine_for(game)
    session = Session(engine)
    whole = identity(record.game, record.start, (*record.words, f"{nodes} nodes"))
    if whole in practice.looked:
        return
    position = game.new(record.start)
    rejected = set(practice.rejected)
    lines = {one.id: one.line for one in practice.exercises}
    line: list[str] = []  # the rest of the last puzzle's line while the game follows it
    for ply, word in enumerate(record.words):
        if watch is not None:
            watch(ply + 1, len(record.words))
        name = identity(record.game, record.start, record.words[:ply])
        if not line and name in lines:
            line = lines[name]
        elif not line and name not in rejected and _promising(position, engine, session, nodes):
            where = f"{source}, move {ply + 1}"
            one = puzzle(record.game, record.start, record.words[:ply], where, DEEPER * nodes)
            if one is None:
                practice.rejected.append(name)
            else:
                one.missed = word if word != one.right else ""
                line = one.line
                yield one
        line = line[1:] if line and line[0] == word else []
        position.make(position.parse(word))
    practice.looked.append(whole)


def _promising(position: AbstractPosition, engine: "Engine", session: Session, nodes: int) -> bool:
    """True if there seems to be one good move, and a glance does not find it."""
    if position.turn == CHANCE or len(position.moves()) < MIN_MOVES:
        return False
    looked = session.search(position, Limit(nodes=nodes, multipv=2))
    if looked.stopped == "interrupted":
        raise KeyboardInterrupt
    if not has_only_move(position, looked):
        return False
    return bool(Session(engine).search(position, Limit(nodes=GLANCE)).move != looked.move)


def play_game(spec: str, number: int, level: int, seed: int) -> Record:
    """Play game `number` of self-play at a level: equal arguments give equal games.

    Raises GameplayError for a game that has no levels, KeyboardInterrupt.
    """
    game = registry.game(spec)
    drawn = [seed_of(seed, number, seat) for seat in range(2)]
    players = [seats.player(f"level:{level}", game, player_seed) for player_seed in drawn]
    match = Match(game, players, seed=seed_of(seed, number), listeners=[_stopped])
    match.play()
    return record_of(match)


def _stopped(event: Event) -> None:
    """A listener: Ctrl-C during a search ends the game."""
    report = event.turn.report if event.turn is not None else None
    if report is not None and report.stopped == "interrupted":
        raise KeyboardInterrupt
