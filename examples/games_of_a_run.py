"""Store a match, load it again, and count how long its games were and who began the won ones."""

from collections import Counter
from pathlib import Path

import gameplay


def main(store: Path, games: int = 20) -> Counter[str]:
    """Play a match into the file `store`; the won games by the seat of the winner."""
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
