"""Finds the games and engines of this package by their files, importing none of them.

A game is `games/NAME.py` or `games/NAME/game.py`. An engine is a file below `engines/` that defines
ALIASES; it has the name of the file, or of its folder where the file is `engine.py`.
"""

from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent
COMMON_NAMES = {  # what players call games, without spaces and hyphens
    "reversi": "othello",
    "englishdraughts": "checkers",
    "americancheckers": "checkers",
    "internationaldraughts": "draughts",
    "polishdraughts": "draughts",
    "dammen": "draughts",
    "poker": "holdem",
    "texasholdem": "holdem",
    "noughtsandcrosses": "tictactoe",
    "xo": "tictactoe",
    "fourinarow": "connect4",
    "connectfour": "connect4",
    "fifteenpuzzle": "puzzle15",
    "15puzzle": "puzzle15",
    "igo": "go",
    "baduk": "go",
    "weiqi": "go",
    "nimm": "nim",
    "perudo": "liars-dice",
    "dudo": "liars-dice",
    "kuhnpoker": "kuhn",
    "leducpoker": "leduc",
    "battleships": "battleship",
}


MORE_PLAYERS = "games.shared.rows"  # module of games for three or more, also on wide boards: ManyConnect4


@cache
def games() -> dict[str, str]:
    """By name (`liars-dice`), the module of each game."""
    folder = PACKAGE / "games"
    modules = {file.stem: f"gameplay.games.{file.stem}" for file in folder.glob("[!_]*.py")}
    modules |= {
        file.parent.name: f"gameplay.games.{file.parent.name}.game" for file in folder.glob("*/game.py")
    }
    return {name.replace("_", "-"): modules[name] for name in sorted(modules)}


@cache
def _names() -> dict[str, str]:
    """By module, the name of each game."""
    return {module: name for name, module in games().items()}


def rules_file(name: str) -> Path | None:
    """The file of a game's rules in brief (`rules.py`), None where it has none."""
    stem = name.replace("-", "_")
    files = (PACKAGE / "games" / stem / "rules.toml", PACKAGE / "games" / f"{stem}.rules.toml")
    return next((file for file in files if file.is_file()), None)


@cache
def endgames() -> dict[str, str]:
    """By name of a game, the module of its endgames to train (`capabilities.Endgames`)."""
    return {
        name: module.removesuffix("game") + "endgames"
        for name, module in games().items()
        if (PACKAGE / "games" / name.replace("-", "_") / "endgames.py").is_file()
    }


@cache
def engines() -> dict[str, str]:
    """By name, the module of each engine."""
    modules = {}
    for file in (PACKAGE / "engines").rglob("*.py"):
        if "\nALIASES" in file.read_text(encoding="utf-8"):
            name = file.parent.name if file.stem == "engine" else file.stem
            modules[name] = ".".join(("gameplay", *file.relative_to(PACKAGE).with_suffix("").parts))
    return dict(sorted(modules.items()))


def game_by_alias(word: str) -> str:
    """The name of the game of this package that players call `word`, "" if there is none.

    Case, spaces and hyphens do not matter: `Connect 4`, `tic-tac-toe`, `reversi`.
    """
    plain = "".join(character for character in word.lower() if character not in " -_'")
    plain = COMMON_NAMES.get(plain, plain)
    return next((name for name in games() if plain == name.replace("-", "")), "")


def game_of(cls: type) -> str:
    """The name of the game of this package that a class is, "" for any other class."""
    return _names().get(cls.__module__, "")


def name_of(game: object) -> str:
    """The name of the game of a position or class in messages; a user's class in lower case."""
    cls = game if isinstance(game, type) else type(game)
    name = game_of(cls) or cls.__name__.lower()
    return name.removeprefix("many") if cls.__module__.endswith(MORE_PLAYERS) else name
