"""The search of beliefs at hold'em: what it may see, what it values, and what the types of opponents do."""

import pytest

from gameplay.games.holdem import lookahead
from gameplay.games.holdem.game import Holdem
from gameplay.games.holdem.hand_reading import CALL, FOLD, RAISE, Deed
from gameplay.games.holdem.lookahead import STYLES, Lookahead

pytestmark = pytest.mark.once


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("HANDS", 30), ("RUNS", 8), ("BOARDS", 2)):
        monkeypatch.setattr(lookahead, name, value)


def at(words: str) -> Holdem:
    position = Holdem()
    for word in words.split():
        position.make(position.parse(word))
    return position


def values(words: str) -> dict[str, float]:
    position = at(words)
    return {position.format(move): value for move, value in Lookahead(position).values().items()}


def test_values_do_not_depend_on_the_hidden_hand() -> None:
    rest = "call check Ks Qs 2d check bet4"
    assert values(f"7c 2h Ah Kd {rest}") == values(f"9c 9h Ah Kd {rest}") != values(f"7c 2h Ah Qd {rest}")


def test_the_position_is_left_as_it_was() -> None:
    position = at("Ah Kd 7c 2h raise6 call Ks Qs 2d")
    before, past = position.state, len(position.past)
    search = Lookahead(position)
    assert set(search.values()) == set(position.moves()) and search.nodes > 20
    assert position.state == before and len(position.past) == past


def test_a_fold_costs_what_was_paid() -> None:
    assert values("Ah Kd 7c 2h raise6")["fold"] == pytest.approx(-2)
    assert values("Ah Kd 7c 2h raise6 raise18")["fold"] == pytest.approx(-6)


def test_the_best_hand_calls_and_the_worst_one_folds() -> None:
    board = "call check Kc Qc Jc check check 2d check check 3h"
    nuts, nothing = (values(f"9s 9d {hand} {board} bet2 allin") for hand in ("Ac Tc", "4s 5d"))
    assert nuts["call"] == pytest.approx(200) and max(nuts, key=lambda word: nuts[word]) == "call"
    assert max(nothing, key=lambda word: nothing[word]) == "fold"


@pytest.mark.parametrize("style", STYLES)
def test_action_odds_sum_to_one(style: lookahead.Style) -> None:
    for bets in (0.0, 1.0, 3.5):
        for rank in (0.001, 0.3, 1.0):
            deed = Deed((), bets, True, True, CALL)
            each = [lookahead.odds(deed._replace(what=what), rank, style) for what in (FOLD, CALL, RAISE)]
            assert sum(each) == pytest.approx(1) and min(each) > 0


def test_a_large_bet_counts_as_several_bets() -> None:
    small, pot, all_in = (at(f"Ah Kd 7c 2h {bet}").deed(CALL).bets for bet in ("raise4", "raise6", "allin"))
    assert small == pot == 2 < 6 < all_in < 8
    assert Holdem(blinds="0/2").players == 2
