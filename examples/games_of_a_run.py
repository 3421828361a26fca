"""Store a match, load it again, print its games and count the winners by seat."""

from collections import Counter
from pathlib import Path

import gameplay


def main(store: Path, games: int = 20) -> Counter[str]:
    """Play a match, stored in the file `store`, and return the number of wins by seat."""
    played = gameplay.play_match(
        "minimax:depth=3", "random", game="tictactoe", games=games, openings=2, store=store
    )
    run = gameplay.load_run(played.id, store=store)
    winners: Counter[str] = Counter()
    for game in run.games:
        assert game.record is not None
        winners["first" if game.payoffs[0] > 0 else "second" if game.payoffs[1] > 0 else "draw"] += 1
        print(" ".join(game.record.words), game.payoffs)
    return winners


if __name__ == "__main__":
    main(Path("runs.db"))
