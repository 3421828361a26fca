"""What stands beside the board of Monopoly: the pending decision and all deeds by colour group."""

import pytest

from gameplay import registry
from gameplay.display.fullscreen.areas import Area
from gameplay.display.fullscreen.view import Full
from gameplay.display.terminal import panel
from gameplay.display.theme import Theme
from gameplay.games.monopoly.board import facts
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from tests.display.fullscreen.test_areas import window

pytestmark = pytest.mark.once

BOUGHT = "1-4 buy"  # anchor buys South Station


def match_of(moves: str, players: int = 2) -> Match:
    game = registry.game(f"monopoly:players={players}")
    return Match(game, [EmptySeat("human") for _ in range(players)], "", moves.split())


def test_each_square_is_listed_once_with_its_owner_and_owned_groups_come_first() -> None:
    board = match_of(BOUGHT).position.board()
    asked, *deeds = board.facts
    assert asked == "anchor may build, redeem, mortgage and sell"
    assert deeds[:2] == ["Station south A  west -  north -  east -", "Row acorn -  barley -"]
    named = [word for line in deeds for word in line.split()[1:] if len(word) > 2]
    squares = [at for at in range(40) if facts().groups[at] >= 0]
    assert sorted(named) == sorted(facts().short(at) for at in squares) and len(squares) == 28


def test_an_auction_is_named_with_its_square_and_price() -> None:
    board = match_of("1-4 auction").position.board()
    assert board.facts[0] == "South Station (price 200) is auctioned: no bid yet; bell to bid or pass"


def test_facts_are_cut_where_there_is_no_room() -> None:
    match = match_of(BOUGHT)
    whole = panel.facts(match, 60, 99)
    assert len(whole) == 11 == len(panel.facts(match, 60, 11))
    assert panel.facts(match, 60, 4) == [*whole[:3], "..."]
    assert panel.facts(match, 60, 1) == panel.facts(match, 60, 0) == []
    assert panel.facts(Match(registry.game("chess"), [EmptySeat("human")] * 2), 60, 99) == []


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (100, 30), (120, 40)])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_cash_places_and_deeds_of_all_are_seen(columns: int, rows: int, players: int) -> None:
    full = Full(Theme(colour=False, unicode=True, interactive=True), 0)
    full.match = match_of(BOUGHT, players)
    areas, drawn = window(full, columns, rows)
    text = "\n".join(drawn["panel"])
    assert isinstance(areas.panel, Area) and len(drawn["panel"]) <= areas.panel.height
    assert text.count(" of 1,500, at ") == players and "Station" in text
    if rows >= 30:
        assert all(group in text for group in ("Row acorn", "Park upland", "Works gasworks")) or players == 4
