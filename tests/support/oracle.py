"""An independent runner: the same schedule in plain Python, one game after another.

It uses the rules (`registry.game`) and engines, but no code of matches, jobs or schedules.
"""

from hashlib import blake2b
from itertools import combinations
from random import Random

from gameplay import registry


def number(*parts):
    """The seed made from these words."""
    digest = blake2b("\0".join(map(str, parts)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1


def games(spec, engines, seed, starts, count):
    """Yield (pair, leg, moves, payoffs by player) of a round robin between the engines.

    `starts` are positions, shuffled by the seed; all pairs meet from each of them, both ways.
    """
    starts = Random(number(seed, "openings")).sample(starts, len(starts))
    pair = 0
    for opening in range(count // 2):
        for meeting in combinations(range(len(engines)), 2):
            for leg in (0, 1):
                seated = meeting if leg == 0 else meeting[::-1]
                moves, payoffs = game(spec, engines, seated, seed, pair, leg, starts[opening])
                yield pair, leg, moves, {player: payoffs[seat] for seat, player in enumerate(seated)}
            pair += 1


def game(spec, engines, seated, seed, pair, leg, start):
    """One game: its moves in words, and the payoffs by seat."""
    game = registry.game(spec)
    position = game.new(start)
    words, thrown = [], []
    while position.outcome() is None:
        if position.turn < 0:
            dice = tuple(position.moves())
            move = throw(position, number(seed, pair), thrown.count(dice))
            thrown.append(dice)
        else:
            mover = position.turn
            move = choose(game, engines[seated[mover]], start, words, number(seed, pair, leg, mover))
        words.append(position.format(move))
        position.make(move)
    return words, position.outcome()


def throw(position, seed, before):
    """The roll of these dice after that number of rolls."""
    return Random(number(seed, "chance", *position.moves(), before)).choices(
        position.moves(), position.chances()
    )[0]


def choose(choice, spec, start, words, seed):
    """The engine's move after those words; a random one is drawn from its seed and the ply."""
    name, _, rest = spec.partition(":")
    if name == "random":
        engine, limit = registry.engine(f"random:seed={number(seed, len(words))}")
    else:
        engine, limit = registry.engine(f"{name}:{rest}")
    position = choice.new(start)
    for word in words:
        position.make(position.parse(word))
    return engine.search(position, limit).move
