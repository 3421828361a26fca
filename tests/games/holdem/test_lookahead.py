"""Hold'em belief search: its information, its values, and the opponent types."""

import pytest

from gameplay.games.holdem import lookahead
from gameplay.games.holdem.game import Holdem
from gameplay.games.holdem.hand_reading import CALL, FOLD, RAISE, Action
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
    values = Lookahead(position).values(position.moves(), 1, 0)
    assert values is not None
    return {position.format(move): value for move, value in values.items()}


def test_values_do_not_depend_on_the_hidden_hand() -> None:
    rest = "call check Ks Qs 2d check bet4"
    assert values(f"7c 2h Ah Kd {rest}") == values(f"9c 9h Ah Kd {rest}") != values(f"7c 2h Ah Qd {rest}")


def test_position_is_restored() -> None:
    position = at("Ah Kd 7c 2h raise6 call Ks Qs 2d")
    before, past = position.state, len(position.earlier_states)
    search = Lookahead(position)
    values = search.values(position.moves(), 1, 0)
    assert values is not None and list(values) == list(position.moves()) and search.nodes > 20
    assert position.state == before and len(position.earlier_states) == past


def test_a_fold_costs_the_chips_paid() -> None:
    assert values("Ah Kd 7c 2h raise6")["fold"] == pytest.approx(-2)
    assert values("Ah Kd 7c 2h raise6 raise18")["fold"] == pytest.approx(-6)


def test_the_best_hand_calls_and_the_worst_one_folds() -> None:
    board = "call check Kc Qc Jc check check 2d check check 3h"
    nuts, nothing = (values(f"9s 9d {hand} {board} bet2 allin") for hand in ("Ac Tc", "4s 5d"))
    assert nuts["call"] == pytest.approx(200) and max(nuts, key=lambda word: nuts[word]) == "call"
    assert max(nothing, key=lambda word: nothing[word]) == "fold"


def test_samples_are_reproducible_and_sample_0_is_of_this_round() -> None:
    search = Lookahead(at("Ah Kd 7c 2h raise6 call Ks Qs 2d"))
    moves = search.moves()
    estimate, nodes = search.values(moves, 0, 0), search.nodes
    first, second = (search.values(moves, sample, 0) for sample in (1, 2))
    assert estimate != first != second and search.nodes > 4 * nodes
    assert search.values(moves, 1, 0) == first == Lookahead(search.position).values(moves, 1, 0)


def test_a_search_ends_at_the_limit_of_nodes() -> None:
    search = Lookahead(at("Ah Kd 7c 2h raise6"))
    assert search.values(search.moves(), 1, 30) is None and search.nodes == 30


def test_unequal_antes_are_in_the_pot() -> None:
    """The best hand wins the opponent's chips, the worst loses its own, antes included."""
    board = "call check Kc Qc Jc check check 2d check check 3h check"
    for hand, won in (("Ac Tc", 5), ("4s 5d", -3)):
        position = Holdem(antes="1/3")
        for word in f"{hand} 9s 9d {board}".split():
            position.make(position.parse(word))
        search = Lookahead(position)
        values = search.values([CALL], 1, 0)
        assert values is not None and values[CALL] == pytest.approx(won, abs=1e-6 if won > 0 else 0.5)


def test_few_moves_represent_all_bet_sizes() -> None:
    position = Holdem(bets="any")
    for word in ("Ah", "Kd", "7c", "2h", "raise37", "call", "Ks", "Qs", "2d"):
        position.make(position.parse(word))
    words = [position.format(move) for move in Lookahead(position).moves()]
    assert words == ["check", "bet2", "bet37", "bet74", "allin"]


@pytest.mark.parametrize("style", STYLES)
def test_action_odds_sum_to_one(style: lookahead.Style) -> None:
    ranks = (0.001, 0.3, 1.0)
    for bets, owed, free in ((0.0, True, True), (3.5, True, False), (1.0, False, True), (1.0, False, False)):
        for each in zip(*lookahead.odds(Action((), bets, owed, free, CALL), ranks, style), strict=True):
            assert sum(each) == pytest.approx(1) and min(each) >= 0
            assert (each[FOLD] > 0, each[RAISE] > 0) == (owed, free)


def test_a_large_bet_counts_as_several_bets() -> None:
    small, pot, all_in = (
        at(f"Ah Kd 7c 2h {bet}").describe_action(CALL) for bet in ("raise4", "raise6", "allin")
    )
    assert small.bets == pot.bets == all_in.bets == 2
    assert small.extra_bets == pot.extra_bets == 0 and 4 < all_in.extra_bets < 6
    assert Holdem(blinds="0/2").players == 2


def test_one_type_plays_few_hands_but_never_folds_them() -> None:
    """Before the flop one hand in seven, whatever the bet; it prefers raises to calls."""
    tight = next(style for style in STYLES if style.few)
    hands = [i / 1000 for i in range(1000)]
    for bets, over in ((1, 0.0), (4, 0.0), (1, 5.0)):
        folds, calls, raises = lookahead.odds(Action((), bets, True, True, CALL, over), hands, tight)
        assert sum(folds) / 1000 == pytest.approx(6 / 7, abs=0.05) and sum(calls) < sum(raises)
    strong = [0.01, 0.1, 0.3]
    assert max(lookahead.odds(Action((1, 2, 3), 5, True, True, CALL), strong, tight)[FOLD]) < 0.1


@pytest.mark.parametrize("style", [style for style in STYLES if not style.few])
def test_loose_type_folds_to_an_all_in(style: lookahead.Style) -> None:
    raised, all_in = (
        lookahead.odds(Action((), 1, True, True, CALL, over), [0.3], style)[FOLD][0] for over in (0.0, 5.0)
    )
    assert raised < 0.3 < 0.9 < all_in
