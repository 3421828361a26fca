"""A deal with all cards open, as a table on a terminal and as lines elsewhere."""

from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.cli.common import double_dummy as cli_double_dummy
from gameplay.display.reports import double_dummy
from gameplay.display.theme import Theme
from gameplay.games.bridge.game import Bridge
from tests.support.golden import golden

pytestmark = pytest.mark.once

HANDS = ("AJT4.86543.43.T5", "Q983..AKT7.QJ964", "K75.T972.52.A732", "62.AKQJ.QJ986.K8")
ROWS = {  # just what makes a game, or one trick less
    4: (9, 8, 10, 0), 3: (10, 9, 13, 4), 2: (9, 10, 4, 12), 1: (11, 10, 3, 2), 0: (10, 11, 13, 5),
}  # fmt: skip


def test_hands_are_placed_by_seat_and_game_contracts_are_bold() -> None:
    log = []
    for unicode, known in ((True, (4, 3, 2, 1, 0)), (False, (4, 2)), (True, ())):
        theme = Theme(colour=True, unicode=unicode, interactive=True)
        out = StringIO()
        rows = {strain: ROWS[strain] for strain in known}
        theme.console_on(out, 80).print(double_dummy.picture(HANDS, rows, theme))
        bold = out.getvalue().replace("\x1b[1m", "<").replace("\x1b[0m", ">").replace("\x1b[0;1m", "<")
        assert "\x1b" not in bold
        log += [f"-- {len(known)} strains", *(line.rstrip() for line in bold.splitlines())]
    golden("double_dummy", "\n".join(log) + "\n")


def test_in_lines_each_strain_that_is_known_has_one() -> None:
    sides = ("north", "east", "south", "west")
    assert double_dummy.plain({0: ROWS[0], 4: ROWS[4]}, sides) == [
        "no trumps: north 9, east 8, south 10, west 0",
        "clubs: north 10, east 11, south 13, west 5",
    ]
    assert double_dummy.plain(ROWS, sides)[1:4] == [
        "spades: north 10, east 9, south 13, west 4",
        "hearts: north 9, east 10, south 4, west 12",
        "diamonds: north 11, east 10, south 3, west 2",
    ]
    assert double_dummy.split_suits("AJ..T98.2") == ["A J", "-", "T 9 8", "2"]


class Bid:
    """A contract, as named by the score of bridge."""

    def __init__(self, bid: str, declarer: int) -> None:
        self.bid = bid
        self.declarer = declarer

    def __str__(self) -> str:
        return f"{self.bid} by {'NESW'[self.declarer]}"


def test_par_in_words() -> None:
    contracts = [(Bid("4S", 0), 0), (Bid("3N", 2), 1), (Bid("5Hx", 1), -2)]
    for score, text in (
        (420, "par     420 for north and south: 4S by N, 3N by S +1, 5Hx by E -2"),
        (-50, "par     50 for east and west: 4S by N, 3N by S +1, 5Hx by E -2"),
        (0, "par     0: no contract can be made, all pass"),
    ):
        par: Any = SimpleNamespace(score=score, contracts=contracts)
        assert cli_double_dummy._par_line(par) == text


def test_double_dummy_deal_has_the_requested_half_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its entries are twice as large; other arguments are passed on."""
    requests: list[Any] = []
    monkeypatch.setattr(cli_double_dummy, "solve", lambda *what: requests.append(what[1:3]) or 4)
    words = ["solve", "bridge", "--position", "N:" + " ".join(HANDS), "--table", "1MB", "--time", "3"]
    assert run(router, "gameplay", words) == 4
    assert requests == [(3.0, registry.engine("perfect:table=1MB")[0].table_bits - 1)]


class Playing(SimpleNamespace):
    """A position during the play of a contract."""

    declarer = Bridge.declarer
    declaring = Bridge.declaring


@pytest.mark.parametrize(
    ("hand", "declarer", "best"), [(0, 0, True), (2, 0, True), (1, 0, False), (0, 3, False)]
)
def test_cards_are_listed_in_order_of_play(
    hand: int, declarer: int, best: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Most tricks first for the declaring side, fewest first for the other; then the higher card."""
    state = SimpleNamespace(hand=hand, contract=Bid("4S", declarer))
    position: Any = Playing(
        sides=("north", "east", "south", "west"),
        state=state,
        format=lambda card: f"c{card}",
        text=lambda: "N:",
    )
    match: Any = SimpleNamespace(position=position, game=SimpleNamespace(spec="bridge"))
    known = {1: 9, 2: 10, 3: 9, 4: 8}
    cli_double_dummy._print_cards(match, position, known)
    side = position.sides[declarer]
    order = [(2, 10), (3, 9), (1, 9), (4, 8)] if best else [(4, 8), (3, 9), (1, 9), (2, 10)]
    lines = [f"c{card}: {side} takes {tricks} tricks" for card, tricks in order]
    assert capsys.readouterr().out.splitlines() == lines
    assert cli_double_dummy._document(match, position, known) == {
        "game": "bridge", "position": "N:", "declarer": side,
        "tricks": {"c1": 9, "c2": 10, "c3": 9, "c4": 8},
    }  # fmt: skip


def test_a_document_has_par_if_every_strain_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    position: Any = SimpleNamespace(
        sides=("north", "east", "south", "west"), text=lambda: "N:", declarer=None
    )
    match: Any = SimpleNamespace(position=position, game=SimpleNamespace(spec="bridge"))
    par = SimpleNamespace(score=-50, contracts=[(Bid("4S", 1), -1)])
    monkeypatch.setattr(cli_double_dummy, "_par", lambda deal, tricks: par)
    few = cli_double_dummy._document(match, position, {0: ROWS[0], 4: ROWS[4]})
    sides = dict(zip(position.sides, ROWS[4], strict=True))
    assert few["tricks"]["no trumps"] == sides and list(few["tricks"]) == ["clubs", "no trumps"]
    assert "par" not in few
    every = cli_double_dummy._document(match, position, ROWS)
    assert len(every["tricks"]) == 5
    assert every["par"] == {"score": -50, "contracts": [{"contract": "4S", "declarer": "east", "over": -1}]}
