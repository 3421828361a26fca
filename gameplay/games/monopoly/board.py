"""The board of Monopoly from board.toml: squares, prices, rents and cards, as numbers."""

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

SIDES = ("anchor", "bell", "crown", "drum", "eagle", "fox")
KINDS = ("street", "station", "utility", "start", "fortune", "fund", "tax", "jail", "park", "arrest")
EFFECTS = ("gain", "each", "to", "nearest", "back", "jail", "pardon", "house")
DECKS = ("fortune", "fund")


class Facts(NamedTuple):
    """The data of board.toml, as numbers by square."""

    names: list[str]
    kinds: list[int]
    groups: list[int]
    prices: list[int]
    costs: list[int]  # of a building
    deeds: list[int]
    rents: list[int]
    visits: list[int]
    cards: list[tuple[int, int, int]]  # what it does, and two numbers; fortune, then fund
    words: list[str]  # of the cards
    salary: int
    cash: int
    fine: int
    interest: int
    houses: int
    hotels: int

    def short(self, square: int) -> str:
        """The name of a property in moves: the first word of its full name."""
        return self.names[square].split()[0].lower()


@cache
def facts() -> Facts:
    """The board."""
    data = tomllib.loads(Path(__file__).with_name("board.toml").read_text(encoding="utf-8"))
    squares = data["square"]
    names = [square["name"] for square in squares]
    kinds = [KINDS.index(square.get("kind", "street")) for square in squares]
    colours: list[str] = []  # the second words of the streets' names, in their order
    groups: list[int] = []
    deeds: list[int] = []
    for name, kind in zip(names, kinds, strict=True):
        if not kind and name.split()[1] not in colours:
            colours.append(name.split()[1])
        groups.append(-1 if kind > 2 else 7 + kind if kind else colours.index(name.split()[1]))
        deeds.append(-1 if kind > 2 else sum(deed >= 0 for deed in deeds))
    rents = [(*square.get("rents", ()), 0, 0, 0, 0, 0, 0)[:6] for square in squares]
    cards = [(card, names) for deck in DECKS for card in data[deck]]
    return Facts(
        names=names,
        kinds=kinds,
        groups=groups,
        prices=[square.get("price", 0) for square in squares],
        costs=[square.get("house", 0) for square in squares],
        deeds=deeds,
        rents=[rent for row in rents for rent in row],
        visits=data["visits"],
        cards=[_card(card, names) for card, names in cards],
        words=[card["word"] for card, _ in cards],
        salary=data["salary"],
        cash=data["cash"],
        fine=data["fine"],
        interest=data["interest"],
        houses=data["houses"],
        hotels=data["hotels"],
    )


def _card(card: dict[str, int | str], names: list[str]) -> tuple[int, int, int]:
    effect = next(n for n, word in enumerate(EFFECTS) if word in card)
    value = card[EFFECTS[effect]]
    if EFFECTS[effect] == "to":
        return effect, names.index(str(value)), 0
    if EFFECTS[effect] == "nearest":
        return effect, KINDS.index(str(value)), 0
    return effect, int(value), int(card.get("hotel", 0))
