"""Digests of a game's answers."""

from collections.abc import Iterator
from hashlib import blake2b
from random import Random
from typing import Any

from msgspec import structs

from gameplay.kernel import Kernel
from gameplay.position import CHANCE


class Digests:
    """Digests of the answers of a game, by kind."""

    def __init__(self) -> None:
        self.kinds: dict[str, Any] = {}

    def add(self, answers: Iterator[tuple[str, str]]) -> None:
        for kind, text in answers:
            self.kinds.setdefault(kind, blake2b(digest_size=4)).update(text.encode())

    def rows(self, head: str) -> list[str]:
        return [head, *(f"    {kind:<15} {digest.hexdigest()}" for kind, digest in self.kinds.items())]


def answers(position: Any, rng: Random, last: int | None) -> Iterator[tuple[str, str]]:
    """The queries of the contract, and the kind of each answer."""
    everybody = range(position.players)
    yield "rules", f"{position.turn} {position.outcome()} {position.news()}"
    yield "words", f"{position} {position.text()} {position.diagram()}"
    viewers = everybody if position.hidden else everybody[-1:]
    yield "drawing", "".join(drawing(position, viewer) for viewer in (None, *viewers))
    if last is not None and (board := position.board(None, last)) and board.last:
        yield "last move", str(board.last)
    if position.phases:
        yield "phase", str(position.phase())
    if position.outcome() is not None:
        yield "ending", position.ending()
        return
    moves = list(position.moves())
    yield "rules", " ".join(position.format(move) for move in moves)
    yield "packing", str(moves)
    if position.turn == CHANCE:
        yield "odds", str([round(odd, 12) for odd in position.chances()])
    else:
        yield "rules", f"{position.noisy()} {position.forced()} {position.concessions()}"
    for name in position.evaluations or ("",):
        position.evaluation = position.evaluations.get(name)
        if position.turn != CHANCE:
            yield f"values {name}", str(position.evaluate())
        if position.turn != CHANCE or position.evaluates_chance_nodes:
            yield f"values {name}", str([position.evaluate_for(player) for player in everybody])
    position.evaluation = None
    if position.hidden:
        for player in everybody:
            drawn = position.determinize(player, rng)
            yield "secrets", f"{drawn} {drawn.diagram()} {[position.sees(player, move) for move in moves]}"
    if isinstance(position, Kernel) and position.players > 1 and rng.random() < 0.1:  # a puzzle has no end
        plies, movers, gains = position.rollout(rng.randrange(1 << 32))
        yield "playouts", f"{plies} {movers} {[round(float(gain), 9) for gain in gains]}"


def drawing(position: Any, viewer: int | None) -> str:
    """A board as a player sees it, independent of the order of its facts."""
    board = position.board(viewer)
    log = []
    for name, fact in structs.asdict(board).items() if board else ():
        if fact or type(fact) is int:  # what a board does not tell is left out
            log.append(f"{name} {sorted(map(repr, fact.items())) if isinstance(fact, dict) else fact}")
    return "\n".join([*log, position.show(viewer)])
