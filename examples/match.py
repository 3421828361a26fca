"""Play two engines against each other and print the Elo difference with its interval."""

import gameplay


def main(games: int = 200, time: float = 0.1, jobs: int = 1) -> gameplay.RunResult:
    """Play `games` games with `time` seconds a move, `jobs` games at a time."""
    result = gameplay.play_match("alphabeta", "mcts", game="connect4", games=games, time=time, jobs=jobs)
    print(f"won {result.wins}, drawn {result.draws}, lost {result.losses}")
    if result.rating is None:
        print(f"no Elo: {result.no_rating}")
    else:
        print(f"Elo {result.rating.elo:+.0f}, 95 %: {result.rating.low:+.0f} to {result.rating.high:+.0f}")
    return result


if __name__ == "__main__":
    main()
