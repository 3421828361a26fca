"""Which methods of `gameplay learn` can learn a game."""

from typing import TYPE_CHECKING

from gameplay.errors import Usage

if TYPE_CHECKING:
    from gameplay.registry import Game

OF_TERMS = ("samuel", "rote", "logistic", "tdleaf", "spsa", "signature")  # for a sum of named terms

_TERMS = (*OF_TERMS, "td", "alphazero")
# The methods for built-in games, so that help loads no game; a test compares it with `supported_methods`.
BUILT_IN: dict[str, tuple[str, ...]] = {
    "chess": (*_TERMS, "correction"),
    **dict.fromkeys(("checkers", "connect4", "draughts", "othello", "tictactoe"), _TERMS),
    **dict.fromkeys(("chinese-checkers", "go", "nim"), ("td", "alphazero")),
    **dict.fromkeys(("backgammon", "monopoly", "pig"), ("td",)),
    **dict.fromkeys(("battleship", "holdem", "kuhn", "leduc", "liars-dice"), ("deepcfr",)),
    **dict.fromkeys(("phantom-tictactoe", "scrabble", "stratego"), ("deepcfr",)),
}


def methods_for(spec: str) -> tuple[str, ...]:
    """As `supported_methods`, for a spec. Raises Usage for an unknown game."""
    if spec in BUILT_IN:
        return BUILT_IN[spec]
    from gameplay import registry

    return supported_methods(registry.game(spec))


def supported_methods(game: "Game") -> tuple[str, ...]:
    """The methods for a game, the default first; of `deepcfr` also for games whose tree is too large."""
    position = game.new()
    if position.players != 2 or not position.zero_sum:
        return ()
    if position.hidden:
        return ("deepcfr",)
    if position.chance:
        return ("td",)
    linear = any(evaluation.scale for evaluation in position.evaluations.values())
    correction = ("correction",) if game.spec == "chess" else ()
    return (*(OF_TERMS if linear else ()), "td", "alphazero", *correction)


def check_supported(game: "Game", method: str, subject: str = "") -> None:
    """Raise Usage, with an alternative, for a game that the method cannot learn.

    subject: of the message; the method if it is empty.
    """
    methods = supported_methods(game)
    if method in methods:
        return
    position = game.new()
    if position.players == 1:
        raise Usage(f"learn requires two players; {game.spec} is a puzzle. Try: gameplay patterns")
    if not methods:
        why = f"is for {position.players} players" if position.players != 2 else "is not zero-sum"
        raise Usage(
            f"learn requires a zero-sum game for two; {game.spec} {why}. Try: gameplay play {game.spec}"
        )
    information, needed = (
        "imperfect" if imperfect else "perfect" for imperfect in (position.hidden, method == "deepcfr")
    )
    if information != needed:
        requirement, actual = f"{needed} information", f"has {information} information"
    elif method == "correction":
        requirement, actual = "chess from its usual start", "is another game"
    elif position.chance:
        requirement, actual = "a game without chance", "has chance"
    else:
        requirement, actual = "an evaluation that is a sum of named terms", "has none"
    raise Usage(
        f"{subject or f'learn --method {method}'} requires {requirement}; {game.spec} {actual}. "
        f"Try: gameplay learn {game.spec} --method {methods[0]}"
    )
