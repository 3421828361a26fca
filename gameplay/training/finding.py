"""Finds puzzles in games, whether or not a mistake was made.

1. A short search of each position finds the two best moves. A position is rejected if the second is not a
   mistake, or if a search of SHALLOW_NODES already finds the first.
2. A search of CONFIRMATION_FACTOR times as many nodes confirms that only one move is good.
3. While the game follows the line of a puzzle, no other puzzle is made.

The node limits make the results reproducible, also over several runs: a completely searched game is skipped,
and in other games known puzzles are found again.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from gameplay import registry
from gameplay.matches.match import Event, Match
from gameplay.players import seats
from gameplay.position import CHANCE, AbstractPosition
from gameplay.search.limit import Limit
from gameplay.search.seeds import seed_of
from gameplay.search.session import Session
from gameplay.store.record import Record, record_of
from gameplay.training.practice import Exercise, Practice, has_only_move, identity, puzzle
from gameplay.training.review import NODES, engine_for

if TYPE_CHECKING:
    from gameplay.search.engine import Engine

SEARCH_NODES = NODES // 5  # default nodes of the first search
CONFIRMATION_FACTOR = 20  # nodes to confirm a puzzle, as a multiple of the first search
SHALLOW_NODES = 100  # a move found with so many nodes is too easy for a puzzle
MIN_MOVES = 3  # legal moves in a puzzle
LEVEL = 5  # of both sides in self-play; it makes human mistakes


def find_puzzles(
    record: Record,
    practice: Practice,
    source: str,
    nodes: int = SEARCH_NODES,
    watch: Callable[[int, int], object] | None = None,
) -> Iterator[Exercise]:
    """Yield the puzzles of a game that `practice` does not contain; it records rejected positions, and the
    game when it is finished.

    `watch` is called with the ply and the number of plies. Raises GameplayError for a game that cannot be
    reviewed, KeyboardInterrupt.
    """
    game = registry.game(record.game)
    engine = engine_for(game)
    session = Session(engine)
    game_id = identity(record.game, record.start, (*record.words, f"{nodes} nodes"))
    if game_id in practice.searched_games:
        return
    position = game.new(record.start)
    rejected = set(practice.rejected)
    lines = {stored.id: stored.line for stored in practice.exercises}
    line: list[str] = []  # the rest of the last puzzle's line while the game follows it
    for ply, word in enumerate(record.words):
        if watch is not None:
            watch(ply + 1, len(record.words))
        name = identity(record.game, record.start, record.words[:ply])
        if not line and name in lines:
            line = lines[name]
        elif not line and name not in rejected and _is_promising(position, engine, session, nodes):
            where = f"{source}, move {ply + 1}"
            exercise = puzzle(
                record.game, record.start, record.words[:ply], where, CONFIRMATION_FACTOR * nodes
            )
            if exercise is None:
                practice.rejected.append(name)
            else:
                exercise.missed = word if word != exercise.right else ""
                line = exercise.line
                yield exercise
        line = line[1:] if line and line[0] == word else []
        position.make(position.parse(word))
    practice.searched_games.append(game_id)


def _is_promising(position: AbstractPosition, engine: "Engine", session: Session, nodes: int) -> bool:
    """True if a short search finds one good move that a shallow search does not find."""
    if position.turn == CHANCE or len(position.moves()) < MIN_MOVES:
        return False
    report = session.search(position, Limit(nodes=nodes, multipv=2))
    if report.stopped == "interrupted":
        raise KeyboardInterrupt
    if not has_only_move(position, report):
        return False
    return bool(Session(engine).search(position, Limit(nodes=SHALLOW_NODES)).move != report.move)


def play_game(spec: str, number: int, level: int, seed: int) -> Record:
    """Play game `number` of self-play at a level: equal arguments give equal games.

    Raises GameplayError for a game without levels, KeyboardInterrupt.
    """
    game = registry.game(spec)
    player_seeds = [seed_of(seed, number, seat) for seat in range(2)]
    players = [seats.player(f"level:{level}", game, player_seed) for player_seed in player_seeds]
    match = Match(game, players, seed=seed_of(seed, number), listeners=[_check_interrupted])
    match.play()
    return record_of(match)


def _check_interrupted(event: Event) -> None:
    """A listener that raises KeyboardInterrupt after Ctrl-C during a search."""
    report = event.turn.report if event.turn is not None else None
    if report is not None and report.stopped == "interrupted":
        raise KeyboardInterrupt
