"""The panel beside the Monopoly board: the pending decision and all deeds by colour group."""

import pytest

from gameplay import registry
from gameplay.display.board import drawing as boards
from gameplay.display.board import ring
from gameplay.display.fullscreen.areas import Area
from gameplay.display.fullscreen.view import FullScreen
from gameplay.display.terminal import panel
from gameplay.display.theme import Theme
from gameplay.games.monopoly.board import facts
from gameplay.games.monopoly.drawing import cell_of
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from tests.display.fullscreen.test_areas import window
from tests.support.themes import ASCII, COLOUR, PLAIN

pytestmark = pytest.mark.once

BOUGHT = "1-4 buy"  # anchor buys South Station


def match_of(moves: str, players: int = 2) -> Match:
    game = registry.game(f"monopoly:players={players}")
    return Match(game, [EmptySeat("human") for _ in range(players)], "", moves.split())


def test_each_square_is_listed_once_with_its_owner_and_owned_groups_come_first() -> None:
    board = match_of(BOUGHT).position.board()
    (asked,), deeds = board.facts, list(board.middle)
    assert asked == "anchor may build, redeem, mortgage and sell"
    assert deeds[0] == "Station south A  west -  north -  east -"
    assert deeds[1].startswith("unsold: Row acorn barley; Lane cedar daisy elm; ") and len(deeds) == 2
    words = [word.strip(";") for line in deeds for word in line.split()]
    named = [word for word in words if word.islower() and word.isalpha()]
    squares = [at for at in range(40) if facts().groups[at] >= 0]
    assert sorted(named) == sorted(facts().short(at) for at in squares) and len(squares) == 28


def test_an_auction_is_named_with_its_square_and_price() -> None:
    board = match_of("1-4 auction").position.board()
    assert board.facts[0] == "South Station (price 200) is auctioned: no bid yet; bell to bid or pass"


def test_facts_are_cut_to_the_available_width() -> None:
    match = match_of(BOUGHT)
    whole = panel.board_facts(match, 60, 99)
    assert len(whole) == len(panel.board_facts(match, 60, len(whole))) < 8
    assert panel.board_facts(match, 60, 4) == [*whole[:3], panel.MORE_HINT]
    assert panel.board_facts(match, 60, 99, scale=1) == whole[:1], "the ring has room for the rest"
    assert panel.board_facts(match, 60, 1) == panel.board_facts(match, 60, 0) == []
    assert panel.board_facts(Match(registry.game("chess"), [EmptySeat("human")] * 2), 60, 99) == []


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (100, 30), (120, 40)])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_cash_places_and_deeds_of_all_are_seen(columns: int, rows: int, players: int) -> None:
    full = FullScreen(Theme(colour=False, unicode=True, interactive=True), 0)
    full.match = match_of(BOUGHT, players)
    areas, drawn = window(full, columns, rows)
    text = "\n".join(drawn["panel"])
    assert isinstance(areas.panel, Area) and len(drawn["panel"]) <= areas.panel.height
    assert text.count(" at ") == players and text.count("1,500 at Start") == players - 1
    seen = " ".join([*" ".join(drawn["board"]).split(), *" ".join(drawn["panel"]).split()])
    if columns > 80 or players == 2:
        assert all(group in seen for group in ("Station south A", "Row acorn", "Works gasworks"))
    assert "..." not in text or columns == 80


@pytest.mark.parametrize("theme", [PLAIN, ASCII, COLOUR])
@pytest.mark.parametrize("scale", [1, 2, 3, 4])
def test_ring_has_the_name_of_every_square_its_owner_and_price(scale: int, theme: Theme) -> None:
    board = match_of("1-4 buy end", 3).position.board()
    wide, tall = ring.SCALES[scale]
    lines = boards.draw(board, theme, scale).plain.splitlines()
    data = facts()
    for at in range(40):
        y, x = cell_of(at)
        square = [line[1 + x * (wide + 1) :][:wide] for line in lines[y * tall : (y + 1) * tall]]
        assert square[0].strip() == data.short(at)[:wide]
        rest = " ".join(square[1:])
        if at == 5:
            assert "a" in rest or "A" in rest, "anchor has South Station"
        elif data.prices[at] and data.groups[at] >= 0:
            assert str(data.prices[at]) in rest
    middle = " ".join(line[wide + 1 : -wide - 1] for line in lines).split()
    words = " ".join(board.middle).split()
    assert any(middle[at : at + len(words)] == words for at in range(len(middle)))


def test_names_of_a_group_have_its_colour() -> None:
    board = match_of("").position.board()
    text = boards.draw(board, COLOUR, 2)
    styles = {text.plain[span.start : span.end].strip(): str(span.style) for span in text.spans}
    data = facts()
    named = {
        group: {styles[data.short(at)] for at in range(40) if data.groups[at] == group} for group in range(10)
    }
    assert all(len(number) == 1 for number in named.values())
    assert len({next(iter(number)) for number in named.values()}) == 10
