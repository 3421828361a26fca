"""Compares the plays on random racks and boards with those of a plain generator.

`python tests/answers/scrabble.py 1000` goes through boards of up to 23 turns with the words that come along,
which takes some 15 minutes. Racks with two blanks, and three of five with one, are left out: plain as it is,
the generator takes a minute for each. Tests do the same for few boards and few words.
"""

import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2]))

from gameplay.games.scrabble.game import FIRST, Scrabble
from tests.games.scrabble.test_plays import plain
from tests.support.scrabble import random_position


def words_from(lexicon: object, state: int, begun: bytes = b"") -> list[bytes]:
    """The words of an automaton, with letters as numbers."""
    results: list[bytes] = []
    while state:
        edge = lexicon.edge_array[state]
        word = begun + bytes([edge & 31])
        results += [word] if edge >> 5 & 1 else []
        results += words_from(lexicon, edge >> 7, word)
        state = 0 if edge >> 6 & 1 else state + 1
    return results


def main(boards: int) -> None:
    lexicon = Scrabble().lexicon
    words = frozenset(words_from(lexicon, lexicon.root))
    done = plays = blanks = seed = 0
    while done < boards:
        seed += 1
        rng = Random(seed)
        position = random_position(seed, rng.randrange(24))
        if position.outcome() is not None:
            continue
        rack = position.state.racks[position.turn]
        if rack.count(0) == 2 or (0 in rack and rng.random() < 0.6):
            continue
        moves = [position.play(move) for move in position.moves() if move >= FIRST]
        ours = {frozenset(play.laid): play.score for play in moves}
        assert len(ours) == len(moves) and ours == plain(position, words), f"seed {seed}: {position}"
        done, plays, blanks = done + 1, plays + len(ours), blanks + (0 in rack)
        print(f"\r{done:,} boards, {plays:,} plays, {blanks} racks with a blank", end="", flush=True)
    print()


if __name__ == "__main__":
    main(int(sys.argv[1]))
