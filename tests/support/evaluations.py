"""Evaluations and weights that tests share."""

from gameplay import registry, weights

WEIGHED = {"connect4": "threats", "checkers": "strong", "chess": "classic", "othello": "patterns"}
GAMES = [*WEIGHED, "tictactoe"]
MIDDLE = {
    "tictactoe": "x../.../...",
    "connect4": "574234527",
    "checkers": "11-15 23-19 8-11",
    "chess": "e4 d5 Nc3",
    "othello": "f5d6c3d3",
}
SEARCHED = {"connect4": 5, "checkers": 6, "chess": 3, "othello": 4, "tictactoe": 5}


def new(game):
    return registry.game(game).new(MIDDLE.get(game))


def changed_weights(weights):
    """Other weights of the same form, within their ranges."""
    if isinstance(weights, bytes):
        return bytes(reversed(weights))
    if isinstance(weights, int):
        return weights * 3 // 2
    return (
        tuple(map(changed_weights, weights))
        if isinstance(weights, tuple)
        else {k: changed_weights(v) for k, v in weights.items()}
    )


def write_weights(path, game, **changed):
    """A file of weights for Connect Four, or of another game's weights, all 1.5 times as large."""
    default = new(game).evaluations[WEIGHED[game]]
    weights.write(
        default.with_weights(
            dict(default.weights) | changed if changed else changed_weights(default.weights)
        ),
        path,
    )
    return str(path)
