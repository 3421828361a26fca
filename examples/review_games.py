"""Review the games of a file (PGN, SGF, ...) and print the mistakes."""

import sys

import gameplay


def main(file: str, nodes: int = 100_000) -> int:
    """Print the mistakes of all games and return their number."""
    count = 0
    for record in gameplay.read_games(file):
        review = gameplay.review(record, nodes=nodes)
        for judged in review.mistakes:
            count += 1
            better = f"; {judged.better} was better" if judged.better else ""
            print(f"ply {judged.ply}: {judged.move}, {judged.verdict}, cost {judged.loss:.2f}{better}")
    return count


if __name__ == "__main__":
    main(sys.argv[1])
