"""What games answer, in games played at random: as it was kept, so that no change goes unseen.

Rules, values and laws are held against numbers of others elsewhere. Of the order of moves, of drawings,
guesses and tactics there is no truth outside: where they differ and should, GAMEPLAY_SCREENS=write keeps
them. Tactics are for searches, and Python sees them in the pure build: GAMEPLAY_PURE=1 keeps those.
"""

from collections.abc import Iterator
from dataclasses import fields
from hashlib import blake2b
from random import Random
from typing import Any

import pytest
from golden import golden

from gameplay.errors import BadInput, Usage
from gameplay.kernel import Kernel, compiled
from gameplay.position import CHANCE, parameters
from gameplay.registry import game

PLAYED = (
    "backgammon",
    "backgammon:cube=on,jacoby=on",
    "backgammon:match=2",
    "battleship:rows=3,columns=4,ships=1+2+3",
    "battleship:rows=3,columns=3,ships=2+3,shots=5",
    "bridge",
    "checkers",
    "chess",
    "chinese-checkers:rounds=30",
    "chinese-checkers:players=3,rounds=8",
    "chinese-checkers:players=6,rounds=4",
    "connect4",
    "connect4:columns=9,rows=5,connect=5",
    "connect4:columns=12,rows=4",
    "connect4:columns=20,rows=20",
    "connect4:players=3",
    "go:size=3,rules=tromp-taylor",
    "go:columns=4,rows=3,ko=situational,suicide=on,goal=points",
    "go:size=4,handicap=3,placement=free",
    "go:size=7,handicap=2,komi=0.5,goal=points",
    "go:size=9",
    "holdem",
    "holdem:bets=any,players=3,stacks=7/20/4",
    "holdem:players=6",
    "kuhn",
    "kuhn:players=3",
    "leduc",
    "leduc:players=3",
    "liars-dice",
    "liars-dice:players=3,dice=2,faces=4",
    "monopoly:rounds=20,trades=on",
    "monopoly:players=3,rounds=4",
    "nim",
    "nim:heaps=1+2+3,players=3,misere=on",
    "othello",
    "othello:size=6",
    "phantom-tictactoe",
    "pig:goal=30",
    "pig:players=3,goal=20",
    "puzzle15",
    "puzzle15:rows=2,columns=3,seed=5",
    "stratego",
    "stratego:army=barrage,start=chosen,quiet=3",
    "tictactoe",
    "tictactoe:players=3",
    "tictactoe:width=4,misere=on",
    "tictactoe:width=9,height=9,line=5",
)
GAMES = 2
PLIES = 200
OF_MOVES = ("hint", "gain", "exchange", "history_index", "threatens", "price")
OF_POSITIONS = ("hash", "threatened", "repeated", "near", "pieces", "patience", "remaining")
NUMBERS = (-1, *range(10), 16, 30, 64, 100, 256, 1000, 10_000)
LISTS = ("gen_noisy", "gen_threats")


class Digests:
    """Of the answers of a game, by their kind."""

    def __init__(self) -> None:
        self.kinds: dict[str, Any] = {}

    def add(self, answers: Iterator[tuple[str, str]]) -> None:
        for kind, told in answers:
            self.kinds.setdefault(kind, blake2b(digest_size=4)).update(told.encode())

    def rows(self, head: str) -> list[str]:
        return [head, *(f"    {kind:<15} {digest.hexdigest()}" for kind, digest in self.kinds.items())]


def test_games_answer_as_they_were_kept() -> None:
    rows = []
    for spec in PLAYED:
        digests, count = Digests(), 0
        for position, rng in positions(spec):
            digests.add(answers(position, rng))
            count += 1
        rows += digests.rows(f"{spec}, {count} positions")
    golden("playouts", "\n".join(rows) + "\n")


@pytest.mark.skipif(compiled(), reason="slots are seen in the pure build")
def test_tactics_are_as_they_were_kept() -> None:
    rows = []
    for spec in PLAYED:
        digests = Digests()
        for position, _ in positions(spec):
            if isinstance(position, Kernel):
                digests.add(tactics(position))
                text = position.text()
                if text is not None:
                    digests.add(iter([("hash set up", str(game(spec).new(text).hash()))]))
        if digests.kinds:
            rows += digests.rows(spec)
    golden("tactics", "\n".join(rows) + "\n")


@pytest.mark.once
def test_parameters_take_what_they_took() -> None:
    rows = []
    for name in sorted({spec.partition(":")[0] for spec in PLAYED}):
        for parameter, facts in parameters(game(name).cls).items():
            if isinstance(facts.default, bool) or not isinstance(facts.default, int):
                continue
            taken = [number for number in NUMBERS if takes(f"{name}:{parameter}={number}")]
            row = ranges(f"{name}:{parameter}", taken)
            rows.append(f"{name}:{parameter} (usually {facts.default}): {row}")
    golden("parameters", "\n".join(rows) + "\n")


def takes(spec: str) -> bool:
    try:
        game(spec).new()
    except (BadInput, Usage):
        return False
    return True


def ranges(spec: str, taken: list[int]) -> str:
    """Which numbers are taken, from those of NUMBERS: 2 to 4, 7."""
    runs: list[list[int]] = []
    for number in taken:
        if runs and NUMBERS.index(number) == NUMBERS.index(runs[-1][-1]) + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    told = []
    for run in runs:
        least, most, beyond = run[0], run[-1], NUMBERS[NUMBERS.index(run[-1]) + 1 :][:1] or (run[-1] + 1,)
        above = beyond[0]
        while above - most > 1:
            middle = (most + above) // 2
            most, above = (middle, above) if takes(f"{spec}={middle}") else (most, middle)
        told.append(f"{least} to {most}" if least < most else str(least))
    return ", ".join(told) or "none"


def positions(spec: str) -> Iterator[tuple[Any, Random]]:
    """Games at random: their first positions, some of the later ones, and their ends."""
    for seed in range(GAMES):
        rng = Random(seed)
        position = game(spec).new()
        for ply in range(PLIES):
            over = position.outcome() is not None
            if over or ply < 8 or ply % 10 == 0:
                yield position, rng
            if over:
                break
            position.make(rng.choice(list(position.moves())))


def answers(position: Any, rng: Random) -> Iterator[tuple[str, str]]:
    """What the contract asks, and the kind of each answer."""
    everybody = range(position.players)
    yield "rules", f"{position.turn} {position.outcome()} {position.news()}"
    yield "words", f"{position} {position.text()} {position.diagram()}"
    yield "drawing", "".join(drawing(position, viewer) for viewer in (None, *everybody))
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
        if position.turn != CHANCE or position.foresees:
            yield f"values {name}", str([position.evaluate_for(player) for player in everybody])
    position.evaluation = None
    if position.hidden:
        for player in everybody:
            drawn = position.determinize(player, rng)
            yield "secrets", f"{drawn} {drawn.diagram()} {[position.sees(player, move) for move in moves]}"
    if isinstance(position, Kernel) and position.players > 1 and rng.random() < 0.1:  # a puzzle has no end
        made, movers, gains = position.rollout(rng.randrange(1 << 32))
        yield "playouts", f"{made} {movers} {[round(float(gain), 9) for gain in gains]}"


def drawing(position: Any, viewer: int | None) -> str:
    """A board as somebody sees it, in whatever order its facts were written."""
    board = position.board(viewer)
    told = []
    for field in fields(board) if board else ():
        fact = getattr(board, field.name)
        if fact or type(fact) is int:  # what a board does not tell is left out
            told.append(f"{field.name} {sorted(map(repr, fact.items())) if isinstance(fact, dict) else fact}")
    return "\n".join([*told, position.show(viewer)])


def tactics(kernel: Any) -> Iterator[tuple[str, str]]:
    """What searches ask of a game beyond its rules, as far as it has answers of its own."""
    if kernel.outcome() is not None or kernel.turn == CHANCE:
        return
    moves = kernel.stack[: kernel.gen(0)]
    for slot in (*OF_POSITIONS, *OF_MOVES, *LISTS):
        ask = getattr(kernel, slot)
        if ask.__func__ is getattr(Kernel, slot):
            continue
        if slot in OF_MOVES:
            yield slot, str([ask(move) for move in moves])
        elif slot in LISTS:
            end = ask(0)
            yield slot, f"{kernel.stack[:end]} {kernel.is_forced}"
        else:
            yield slot, str(ask())
    if kernel.null_move():
        yield "null_move", f"{kernel.turn} {kernel.hash()} {kernel.score()}"
        kernel.undo_null_move()
