"""The start menu of `play`: an unfinished game, or one with its players, opponent, side, clock or match.

The default answer of each question comes first, so that Enter alone starts a game. The answers are options of
the command `play`, which is printed: the menu offers nothing that the command line does not.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from gameplay import registry
from gameplay.capabilities import HasBeginnings
from gameplay.cli.common.saved_games import describe_standing
from gameplay.display.terminal.menu import Entry, Menu, choose
from gameplay.errors import GameplayError
from gameplay.players import strength
from gameplay.position import parameters, side_names
from gameplay.scoring.rules import kinds
from gameplay.store import saved

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.registry import Game

FAMILIES = {
    "Board games": "chess checkers draughts othello go connect4 tictactoe chinese-checkers nim",
    "Dice and luck": "backgammon monopoly pig liars-dice",
    "Cards and words": "bridge hearts holdem leduc kuhn scrabble",
    "Hidden pieces": "battleship stratego phantom-tictactoe",
    "For one player": "puzzle15",
}
SKIPPED = ("tree",)  # it needs a file
OTHERS = "Others"
MAX_UNFINISHED = 3  # saved games in the menu
MAX_PLAYERS = 6
CLOCKS = ("no clock", "10+5", "15+10", "5+3", "3+2", "1+0")
PERSON = "person"


class _Back(Exception):
    """The user leaves a question by Escape."""


def choose_arguments(theme: "Theme", choice: Callable[[Menu], int | None] | None = None) -> list[str] | None:
    """Ask what to play: the arguments of the command `play`; None if the user leaves by Escape.

    `choice` asks one question (default: on the terminal). Raises KeyboardInterrupt.
    """
    choice = choice or (lambda menu: choose(menu, theme))

    def choose_from(menu: Menu) -> int:
        number = choice(menu)
        if number is None:
            raise _Back
        return number

    while True:
        names, menu = _games()
        try:
            name = names[choose_from(menu)]
        except _Back:
            return None
        if name.startswith("--"):
            return name.split()
        with suppress(_Back):  # to the games again
            return _options(name, choose_from)


def _games() -> tuple[list[str], Menu]:
    """The first question: unfinished games and games by family, and the arguments that each answers."""
    names: list[str] = []
    entries: list[Entry] = []
    games, _damaged = saved.scan_folder()
    for number, game_file in enumerate(games, 1):
        if game_file.unfinished and len(names) < MAX_UNFINISHED:
            names.append(f"--resume {number}")
            against = ", ".join(game_file.record.display_names)
            name = game_file.record.game.rpartition("/")[2]  # of a file: without its folder
            text = f"{name}: {against}; {describe_standing(game_file)}, {game_file.date}"
            entries.append(Entry("resume" if not names[1:] else f"resume {number}", text, "Unfinished"))
    playable = [name for name in registry.game_names() if name not in SKIPPED]
    with_family = {name for family in FAMILIES.values() for name in family.split()}
    families = {heading: family.split() for heading, family in FAMILIES.items()}
    families[OTHERS] = [name for name in playable if name not in with_family]
    for heading, family in families.items():
        for name in family:
            names.append(name)
            entries.append(Entry(name, registry.summary(name), heading))
    return names, Menu("What would you like to play?", entries)


def _options(name: str, choose_from: Callable[[Menu], int]) -> list[str]:
    """Ask the remaining questions about a game; returns the arguments. Raises _Back."""
    game = registry.game(name)
    counts = list(_player_counts(game))
    if len(counts) > 1:
        default_count = game.new().players
        counts.sort(key=lambda count: (count != default_count, count))
        entries = [Entry(f"{count} players") for count in counts]
        count = counts[choose_from(Menu("How many players?", entries, back=True))]
        if count != default_count:
            game = registry.game(f"{name}:players={count}")
    if isinstance(game.cls, HasBeginnings):
        beginnings = game.cls.beginnings
        entries = [Entry(beginning.name, beginning.words) for beginning in beginnings]
        game = game.with_parameters(
            beginnings[choose_from(Menu(game.cls.beginning, entries, back=True))].options
        )
    start = game.new()
    if start.players == 1:
        return [game.spec]
    return [game.spec, *_seats(game, choose_from), *_length(game, choose_from), *_clock(game, choose_from)]


def _seats(game: "Game", choose_from: Callable[[Menu], int]) -> list[str]:
    """The options of the opponent and of the side that the user chooses."""
    start = game.new()
    opponents = _opponents(game)
    entries = [Entry(word, text) for word, text in opponents]
    word = opponents[choose_from(Menu("Against whom?", entries, back=True))][0]
    if word == PERSON:
        return ["--players", ",".join(["human"] * start.players)]
    sides = side_names(start)
    orders = ["moves first", "moves second", "moves third", "moves fourth", "moves fifth", "moves sixth"]
    entries = [Entry(name, order) for name, order in zip(sides, orders, strict=False)]
    seat = choose_from(Menu("Which side do you take?", entries, back=True))
    return ["--level", word, *(["--as", sides[seat]] if seat else [])]


def _opponents(game: "Game") -> list[tuple[str, str]]:
    """The strength words, casual first, and another person."""
    words = [(word, meaning) for word, _, meaning in strength.choices(game)]
    words.sort(key=lambda pair: pair[0] != strength.CASUAL)
    return [*words, (PERSON, "another person at this keyboard")]


def _player_counts(game: "Game") -> Iterator[int]:
    """The possible numbers of players, if the game has that parameter."""
    if "players" not in parameters(game.cls):
        return
    for count in range(2, MAX_PLAYERS + 1):
        try:
            registry.game(f"{game.name}:players={count}").new()
        except GameplayError:
            continue
        yield count


def _length(game: "Game", choose_from: Callable[[Menu], int]) -> list[str]:
    """The `--match` option that the user chooses; none for a single game."""
    lengths = [(kind, length) for kind in kinds(game.cls) for length in kind.menu_lengths]
    forms = [(f"{kind.name}:{length}", kind, length) for kind, length in lengths]
    entries = [Entry(form, kind.words.format(length)) for form, kind, length in forms]
    single_game = Entry(f"one {forms[0][1].game_name}")
    number = choose_from(Menu("How long?", [single_game, *entries], back=True))
    return ["--match", forms[number - 1][0]] if number else []


def _clock(game: "Game", choose_from: Callable[[Menu], int]) -> list[str]:
    """The `--clock` option that the user chooses; none for a game without loss on time."""
    start = game.new()
    if start.players != 2 or start.chance or start.hidden or not start.zero_sum:
        return []
    entries = [Entry(CLOCKS[0])]
    for word in CLOCKS[1:]:
        minutes, seconds = word.split("+")
        added = f", {seconds} s added a move" if seconds != "0" else ""
        entries.append(Entry(word, f"{minutes} min for each side{added}"))
    number = choose_from(Menu("With a clock?", entries, back=True))
    return ["--clock", CLOCKS[number]] if number else []
