"""Monopoly: published facts of the board, turns, conservation of money, and drawings."""

import re
import tomllib
from collections import Counter
from functools import cache
from hashlib import blake2b
from random import Random
from typing import Any

import pytest

from benchmarks.monopoly import count_landings
from gameplay import registry
from gameplay.display.terminal.line import board_text
from gameplay.errors import BadInput, IllegalMove
from gameplay.games.monopoly import board, layout
from gameplay.games.monopoly.drawing import Town
from gameplay.games.monopoly.news import _format_payments
from gameplay.kernel import compiled
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.player import Choice
from gameplay.position import CHANCE
from tests.support.golden import golden
from tests.support.paths import TESTS
from tests.support.themes import BOARDS, draw_match, print_lines

ANSWERS = tomllib.loads((TESTS / "answers" / "monopoly.toml").read_text())
FACTS = board.facts()


NUMBER = re.compile(r"\d+")


def new(moves: str = "", **parameters: Any) -> Any:
    spec = ",".join(f"{key}={value}" for key, value in parameters.items())
    return registry.game("monopoly" + (f":{spec}" if spec else "")).new(moves)


def cash(position: Any) -> list[int]:
    return list(position.town().state[layout.CASH : layout.CASH + position.players])


def words(position: Any) -> list[str]:
    return [position.format(move) for move in position.moves()]


def place(position: Any, player: int) -> str:
    return FACTS.names[position.town().state[layout.PLACE + player]]


# -- facts ------------------------------------------------------------------------------------------


@cache
def ends(at: int) -> dict[int, float]:
    """The final square of a visit after all cards, with its probability; 30 is jail by arrest."""
    results: dict[int, float] = {}
    kind, stay = board.KINDS[FACTS.kinds[at]], 1.0
    first = 16 * board.DECKS.index(kind) if kind in board.DECKS else 32
    for effect, x, _ in FACTS.cards[first : first + 16]:
        what = board.EFFECTS[effect]
        if what in ("to", "back", "nearest", "jail"):
            ahead = ((at + 1 + n) % 40 for n in range(40))
            near = next((square for square in ahead if FACTS.kinds[square] == x), 0)
            goal = {"to": x, "back": at - x, "nearest": near, "jail": 30}[what]
            for square, share in ends(goal).items():
                results[square] = results.get(square, 0.0) + share / 16
            stay -= 1 / 16
    results[at] = results.get(at, 0.0) + stay
    return results


def visits(sides: int = 6) -> list[float]:
    """The frequency of each square after a roll, if a player leaves jail at once; by the rules alone."""
    throws: dict[tuple[int, bool], float] = {}
    for number in range(1, sides + 1):
        for two in range(1, sides + 1):
            throws[number + two, number == two] = (
                throws.get((number + two, number == two), 0.0) + 1 / sides**2
            )
    state = {(0, 0): 1.0}  # square and doubles thrown in a row
    for _ in range(60):
        results: dict[tuple[int, int], float] = {}
        for (at, doubles), share in state.items():
            for (steps, double), odds in throws.items():
                count = doubles + 1 if double else 0
                for goal, part in ends(30 if count == 3 else (at + steps) % 40).items():
                    to = (10, 0) if goal == 30 else (goal, count)
                    results[to] = results.get(to, 0.0) + share * odds * part
        state = results
    return [sum(share for (at, _), share in state.items() if at == square) for square in range(40)]


def test_squares_are_visited_as_often_as_published() -> None:
    counts = visits()
    published = {int(square): share for square, share in ANSWERS["visits"]["dice6"].items()}
    assert sorted(range(40), key=lambda square: -counts[square])[:3] == list(published)
    for square, share in published.items():
        assert 100 * counts[square] == pytest.approx(share, abs=0.025)
    assert [round(10000 * share) for share in counts] == FACTS.visits
    four = visits(4)
    assert sorted(range(40), key=lambda square: -four[square])[:3] == ANSWERS["visits"]["dice4"]


@pytest.mark.skipif(not compiled(), reason="thousands of rolls")
def test_frequencies_of_landings_match_the_published_ones() -> None:
    rolls, counts = 8000, count_landings(8000)
    for square in range(40):
        expected = rolls * FACTS.visits[square] / 10000
        assert abs(counts[square] - expected) <= 5 * expected**0.5 + 1, FACTS.names[square]


def test_the_board_is_the_published_one() -> None:
    streets = [at for at in range(40) if board.KINDS[FACTS.kinds[at]] == "street"]
    table = [[FACTS.prices[at], FACTS.costs[at], *FACTS.rents[6 * at : 6 * at + 6]] for at in streets]
    assert table == ANSWERS["streets"]["table"]
    assert streets == ANSWERS["streets"]["squares"]
    assert len(FACTS.cards) == 32
    assert [FACTS.names[at][0] for at in streets] == list("ABCDEFGHIJKLMNOPQRSTUV")
    kinds = [board.KINDS[kind] for kind in FACTS.kinds]
    assert [at for at, kind in enumerate(kinds) if kind == "station"] == [5, 15, 25, 35]
    assert [at for at, kind in enumerate(kinds) if kind == "utility"] == [12, 28]


def test_doubles_are_half_as_likely_as_other_rolls() -> None:
    position = new()
    for word, odds in zip(words(position), position.chances(), strict=True):
        assert odds == pytest.approx((1 if word[0] == word[2] else 2) / 36), word
    position = new("3-4")  # to a card: each is as likely as the others
    assert position.turn == CHANCE
    assert position.chances() == pytest.approx([1 / 16] * 16)


# -- the turn ---------------------------------------------------------------------------------------


def test_landing_on_a_street_pays_rent() -> None:
    position = new("1-2 buy end 1-2")
    assert cash(position) == [1500 - 60 + 4, 1500 - 4]
    assert position.news() == ("bell rolls 1-2 to Barley Row", "bell pays anchor 4")


def test_complete_set_doubles_the_rent_and_is_built_evenly() -> None:
    start = "3-3 buy roll 1-1 buy roll 4-6 auction pass pass pass end 4-5 auction pass bid-10 pass end 3-5"
    position = new(start, players=3)
    assert position.news() == ("crown rolls 3-5 to Daisy Lane", "crown pays anchor 12")
    position = new(f"{start} end 1-2 auction pass pass pass", players=3)
    assert {"build-cedar", "build-daisy", "build-elm"} < set(words(position))
    position.make(position.parse("build cedar"))
    assert "build-cedar" not in words(position)
    assert not {"mortgage-daisy", "sell-cedar"} & set(words(position))  # it was built on in this turn
    for word in ("build-elm", "build-daisy", "build-cedar"):
        position.make(position.parse(word))
    assert cash(position)[0] == 1500 - 100 - 100 - 10 + 12 - 4 * 50


def test_the_third_double_leads_to_jail() -> None:
    position = new("2-2 roll 3-3 roll 1-1")
    assert place(position, 0) == "Jail"
    assert cash(position)[0] == 1300  # income tax, and nothing for the way
    assert position.news() == ("anchor rolls 1-1 and goes to jail",)
    assert words(position) == ["end"]


WAITS = "roll 1-2 end 1-2 auction pass pass end"


@pytest.mark.parametrize(
    ("moves", "left", "at"),
    [
        ("pay 1-2", 1250, "Garden Road"),
        ("roll 1-1", 1300, "Gasworks"),
        ("roll 1-2", 1300, "Jail"),
        (f"{WAITS} {WAITS} roll 1-2", 1250, "Garden Road"),
    ],
)
def test_ways_out_of_jail(moves: str, left: int, at: str) -> None:
    position = new(f"2-2 roll 3-3 roll 1-1 end 4-6 end {moves}")
    assert (cash(position)[0], place(position, 0)) == (left, at)


def test_double_out_of_jail_gives_no_second_roll() -> None:
    position = new("2-2 roll 3-3 roll 1-1 end 4-6 end roll 1-1 buy")
    assert "end" in words(position)
    assert "roll" not in words(position)


def test_a_pardon_opens_the_jail() -> None:
    position = new("1-1 pardon roll 4-4 roll 1-1 end 4-6 end")
    assert words(position) == ["card", "pay", "roll"]
    assert "in jail, 1 jail card" in str(position)
    position.make(position.parse("card"))
    assert "jail card" not in str(position).partition("Row")[0]
    assert cash(position)[0] == 1500
    assert position.turn == CHANCE


def test_bids_go_round_until_all_but_one_have_passed() -> None:
    position = new("1-2 auction bid-20 pass bid-70 bid-80 pass", players=3)
    assert position.news() == ("bell gets Barley Row for 80",)
    assert cash(position) == [1500, 1420, 1500]
    position = new("1-2 auction pass pass pass", players=3)
    assert position.news() == ("no player buys Barley Row",)
    assert cash(position) == [1500] * 3


def test_cards_send_on_for_twice_the_rent_or_ten_times_the_dice() -> None:
    way = "end 1-2 auction pass pass end 2-3 buy end 1-3 next-station"
    position = new(f"4-6 {way}")
    assert cash(position) == [1500 - 200 + 50, 1500 - 50]
    way = "end 1-2 auction pass pass end 1-1 buy roll 1-2 auction pass pass end 1-3 next-utility"
    position = new(f"4-6 {way}")
    assert position.turn == CHANCE
    position.make(position.parse("5-6"))
    assert cash(position) == [1500 - 150 + 110, 1500 - 110]


def test_a_mortgage_brings_half_and_costs_a_tenth_more() -> None:
    position = new("1-2 buy mortgage-barley")
    assert cash(position)[0] == 1500 - 60 + 30
    assert words(position) == ["end"]  # what was mortgaged is not redeemed at once
    position = new("1-2 buy mortgage-barley end 1-2")
    assert cash(position)[1] == 1500  # no rent
    position = new("1-2 buy mortgage-barley end 1-2 end 1-3 shares-50 redeem-barley")
    assert cash(position)[0] == 1500 - 60 + 30 + 50 - 33


def test_trade_offers_are_answered() -> None:
    position = new("1-2 buy end 2-3 buy end 1-3 shares-50 want-south give-barley add-100", trades="on")
    assert position.turn == 1
    assert "bell is offered Barley Row and 100 for South Station" in str(position)
    before = cash(position)
    position.make(position.parse("accept"))
    assert cash(position) == [before[0] - 100, before[1] + 100]
    row = position.town().state
    assert (row[layout.OWNER + 3], row[layout.OWNER + 5]) == (2, 1)
    assert not [word for word in words(position) if word.startswith("want")]


SCRIPTS = (  # options, and moves
    ({}, "4-6 end 1-2 auction pass pass end 1-1 buy roll 1-2 auction pass pass end 1-3 next-utility 5-6 end"),
    ({}, "4-6 end 1-2 auction pass pass end 2-3 buy end 1-3 next-station end"),
    ({}, "1-1 pardon roll 4-4 roll 1-1 end 4-6 end card 1-2"),
    ({}, "2-2 roll 3-3 roll 1-1 end 4-6 end pay 1-2"),
    ({}, "2-2 roll 3-3 roll 1-1 end 4-6 end roll 1-2 end 1-2 buy end roll 3-3"),
    ({"players": 3}, "1-2 auction bid-20 pass bid-70 bid-80 pass"),
    ({"trades": "on"}, "1-2 buy end 2-3 buy end 1-3 shares-50 want-south give-barley add-100 accept"),
    ({"trades": "on"}, "1-2 buy end 2-3 buy end 1-3 shares-50 want-south give-barley add-100 refuse"),
    ({}, "1-2 buy mortgage-barley end 1-2 end 1-3 shares-50 redeem-barley"),
)


def check_town(position: Any) -> None:
    """Of 32 houses and 12 hotels those not built are in the bank; payoffs and probabilities sum up."""
    row = position.town().state
    levels = Counter(row[layout.LEVEL : layout.LEVEL + 40])
    assert sum(count * levels[count] for count in range(1, 5)) + row[layout.HOUSES] == 32
    assert levels[5] + row[layout.HOTELS] == 12
    assert all(row[layout.CASH + player] >= 0 for player in range(position.players))
    if position.outcome() is not None:
        assert abs(sum(position.outcome())) < 1e-9
    elif position.turn == CHANCE:
        assert abs(sum(position.chances()) - 1) < 1e-9


def test_questions_and_their_results_equal_the_stored_ones() -> None:
    rows = []
    for options, moves in SCRIPTS:
        position = new(**options)
        rows.append(f"-- {options}")
        for word in moves.split():
            assert word in {position.format(move) for move in position.moves()}
            position.make(position.parse(word))
            check_town(position)
            notes = "; ".join(position.board().notes.values())
            rows += [
                f"{word}: {position.town().decision_text()}",
                *(f"    {line}" for line in position.news()),
                f"    ({notes})",
            ]
    golden("monopoly_told", "\n".join(rows) + "\n")


@pytest.mark.parametrize(
    ("money", "message"),
    [
        ([-1, 0], "anchor pays 1"),
        ([0, 1], "bell gets 1"),
        ([0, -1, 1], "bell pays crown 1"),
        ([-5, 4], "anchor -5, bell +4"),
        ([-10, 5, 5], "anchor -10, bell +5, crown +5"),
        ([10, -5, -5], "anchor +10, bell -5, crown -5"),
    ],
)
def test_payments_name_payer_and_receiver(money: list[int], message: str) -> None:
    assert _format_payments(money) == message


def test_moves_may_contain_spaces_and_wrong_ones_are_refused() -> None:
    position = new("1-2 auction")
    assert position.format(position.parse("bid 50")) == "bid-50"
    with pytest.raises(IllegalMove, match=r"'bid-60' is not a legal move here"):
        position.parse("bid 60")
    with pytest.raises(BadInput, match="2 to 6 players, not 7"):
        new(players=7)
    with pytest.raises(BadInput, match="rounds must be from 1 to 10000, not 0"):
        new(rounds=0)


# -- laws -------------------------------------------------------------------------------------------


def hold(town: Town) -> None:
    """Invariants of every position."""
    row = town.state
    levels = [row[layout.LEVEL + at] for at in range(40)]
    assert row[layout.HOUSES] + sum(level for level in levels if 0 < level < 5) == FACTS.houses
    assert row[layout.HOTELS] + levels.count(5) == FACTS.hotels
    assert min(row[layout.HOUSES], row[layout.HOTELS], *row[layout.CASH : layout.CASH + 6]) >= 0
    for group in range(10):
        squares = [at for at in range(40) if FACTS.groups[at] == group]
        built = [levels[at] for at in squares]
        if max(built) > 0:
            assert group < 8
            assert max(built) - min(built) <= 1
            assert min(built) >= 0
            assert len({row[layout.OWNER + at] for at in squares} - {0}) == 1
    for player in range(town.players):
        if row[layout.OUT + player]:
            assert row[layout.CASH + player] == 0
            assert player + 1 not in row[layout.OWNER : layout.OWNER + 40]
            assert player + 1 not in row[layout.JAIL_CARD : layout.JAIL_CARD + 2]


def dues(before: Town, move: int, after: Town) -> int | None:
    """The sum that a move transfers from the bank to all players; None if debts or cards are involved."""
    was, now, what, x = before.state, after.state, move & 31, move >> 5
    bankrupt = was[layout.OUT : layout.OUT + 6] != now[layout.OUT : layout.OUT + 6]
    if bankrupt or was[layout.DEBTS] or now[layout.DEBTS] or what == layout.ACCEPT:
        return None
    mover = was[layout.MOVER]
    if what == layout.BUY:
        return -FACTS.prices[was[layout.PLACE + mover]]
    if what == layout.BUILD:
        return -FACTS.costs[x]
    if what == layout.SELL:
        levels = range(layout.LEVEL, layout.LEVEL + 40)
        return FACTS.costs[x] // 2 * sum(max(0, was[at] - now[at]) for at in levels)
    if what == layout.MORTGAGE:
        return FACTS.prices[x] // 2
    if what == layout.REDEEM:
        return -(FACTS.prices[x] // 2 + -(-FACTS.prices[x] // 20))
    if what == layout.PAY:
        return -FACTS.fine
    if what in (layout.BIDS, layout.PASS) and now[layout.LOT] != was[layout.LOT]:
        paid = x if what == layout.BIDS else was[layout.BID]
        return -paid if now[layout.OWNER + was[layout.LOT]] else 0
    if what == layout.CARD:
        effect, amount, _ = FACTS.cards[16 * was[layout.PILE] + x]
        return {"gain": amount, "each": 0, "jail": 0, "pardon": 0}.get(board.EFFECTS[effect])
    if what != layout.DICE or was[layout.PHASE] != layout.ROLLING:
        return 0
    cell, double = was[layout.CELL + mover], x >> 3 == x & 7
    if (cell in (1, 2) and not double) or (not cell and double and was[layout.DOUBLES] == 2):
        return 0  # jail: nobody moves
    fine = FACTS.fine if cell == 3 and not double else 0
    goal = was[layout.PLACE + mover] + (x >> 3) + (x & 7)
    tax = FACTS.prices[goal % 40] if board.KINDS[FACTS.kinds[goal % 40]] == "tax" else 0
    return (FACTS.salary if goal >= 40 else 0) - tax - fine


BID_STEPS = (10, 20, 50, 100, 200)
EXTRAS = (25, 50, 100, 150, 200, 300, 400, 500, 700, 1000)


def lawful(town: Town, trades: bool) -> set[int]:
    """The legal moves of a player's decision by the rules, read from the state by a plain implementation."""
    row, turn = town.state, town.state[layout.TURN]
    owner = {at: row[layout.OWNER + at] - 1 for at in range(40) if FACTS.groups[at] >= 0}
    level = {at: row[layout.LEVEL + at] for at in owner}
    money = row[layout.CASH : layout.CASH + 6]
    group = {at: [other for other in owner if FACTS.groups[other] == FACTS.groups[at]] for at in owner}
    own = [at for at in owner if owner[at] == turn]

    def bare(at: int) -> bool:
        return all(level[other] <= 0 for other in group[at])

    def may(at: int, barred: int) -> bool:
        return level[at] >= 0 and not barred >> FACTS.deeds[at] & 1

    def raising(barred: int) -> set[int]:
        results = {layout.MORTGAGE | at << 5 for at in own if may(at, barred) and bare(at)}
        tall = [at for at in own if may(at, barred) and not bare(at)]
        return results | {
            layout.SELL | at << 5 for at in tall if level[at] == max(level[other] for other in group[at])
        }

    phase = row[layout.PHASE]
    if phase == layout.JAILED:
        pardoned = turn + 1 in row[layout.JAIL_CARD : layout.JAIL_CARD + 2]
        return {
            layout.ROLL,
            *([layout.USE] if pardoned else []),
            *([layout.PAY] if money[turn] >= 50 else []),
        }
    if phase == layout.BUYING:
        price = FACTS.prices[row[layout.PLACE + turn]]
        free = [at for at in own if level[at] >= 0]
        assets = sum(FACTS.prices[at] // 2 + level[at] * (FACTS.costs[at] // 2) for at in free)
        results = {layout.AUCTION}
        if money[turn] >= price:
            results.add(layout.BUY)
        elif money[turn] + assets >= price:
            results |= raising(0)
        return results
    if phase == layout.BIDDING:
        bids = [row[layout.BID] + step for step in BID_STEPS]
        return {layout.PASS, *(layout.BIDS | bid << 5 for bid in bids if bid <= money[turn])}
    if phase == layout.RAISING:
        return raising(0)
    if phase == layout.ANSWERING:
        return {layout.ACCEPT, layout.REFUSE}
    if phase == layout.TRADING:
        other = owner[row[layout.WANTED]]
        rich = money[turn] >= EXTRAS[0]
        if row[layout.OFFERED] == 1:
            given = [at for at in own if bare(at)] + ([63] if rich else [])  # 63: nothing
            return {layout.GIVE | at << 5 for at in given}
        sums = {sum_ for sum_ in EXTRAS if sum_ <= money[turn]}
        if row[layout.GIVEN]:
            sums |= {0} | {-sum_ for sum_ in EXTRAS if sum_ <= money[other]}
        return {layout.MONEY | (4096 + sum_) << 5 for sum_ in sums}
    assert phase == layout.MANAGING
    results = {layout.END} | raising(row[layout.SPENT])
    for at in own:
        if row[layout.RAISED] >> FACTS.deeds[at] & 1:
            continue
        if level[at] < 0:
            cost = FACTS.prices[at] // 2 + -(-(FACTS.prices[at] // 2) // 10)
            results |= {layout.REDEEM | at << 5} if money[turn] >= cost else set()
        elif FACTS.groups[at] < 8 and level[at] < 5 and money[turn] >= FACTS.costs[at]:
            mine = all(owner[other] == turn for other in group[at])
            stock = row[layout.HOTELS] if level[at] == 4 else row[layout.HOUSES]
            if mine and stock and all(level[other] >= level[at] for other in group[at]):
                results.add(layout.BUILD | at << 5)
    if trades and not row[layout.OFFERED] and (money[turn] >= EXTRAS[0] or any(map(bare, own))):
        results |= {layout.WANT | at << 5 for at in owner if owner[at] not in (-1, turn) and bare(at)}
    return results


def prospects(town: Town) -> list[float]:
    """The value of each player by the evaluation `rents`, by the terms of its weights."""
    row, values = town.state, []
    still = [player for player in range(town.players) if not row[layout.OUT + player]]
    for player in range(town.players):
        worth = income = 0
        own = [at for at in range(40) if FACTS.groups[at] >= 0 and row[layout.OWNER + at] == player + 1]
        for at in own:
            level, price = row[layout.LEVEL + at], FACTS.prices[at]
            if level < 0:
                worth += price // 2
                continue
            count = sum(FACTS.groups[other] == FACTS.groups[at] for other in own)
            whole = count == FACTS.groups.count(FACTS.groups[at])
            rents = FACTS.rents[6 * at : 6 * at + 6]
            if FACTS.groups[at] < 8:
                rent = rents[level] * (2 if whole and not level else 1)
                worth += price * 3 // 2 if whole else price
            else:
                rent = rents[count - 1] * (7 if board.KINDS[FACTS.kinds[at]] == "utility" else 1)
                worth += price
            worth += level * FACTS.costs[at]
            income += FACTS.visits[at] * rent
        rents_due = income * (len(still) - 1) * 200 // 100000
        values.append(row[layout.CASH + player] + worth + rents_due if player in still else 0)
    return values


@pytest.mark.parametrize(
    "spec", ["players=2,rounds=40", "players=4,rounds=25", "players=6,rounds=15,trades=on"]
)
def test_money_and_buildings_go_nowhere_but_to_the_bank(spec: str) -> None:
    ended = built = 0
    for seed in range(6 if compiled() else 2):
        position, rng, lot = registry.game(f"monopoly:{spec}").new(), Random(seed), Random(seed)
        before = position.town()
        count = position.players
        while position.outcome() is None:
            if position.turn == CHANCE:
                move = rng.choices(position.moves(), position.chances())[0]
            else:
                assert set(position.moves()) == lawful(before, "trades" in spec), str(position)
                shares = prospects(before) if lot.random() < 0.2 else []
                for player in range(len(shares)):
                    guess = position.evaluate_for(player)
                    if count > 2 or player == position.turn:
                        assert guess == 1000 * count * shares[player] // sum(shares) - 1000
                move = sensible(position, rng)
            position.make(move)
            after = position.town()
            hold(after)
            change = dues(before, move, after)
            if change is not None:
                assert sum(after.state[:6]) - sum(before.state[:6]) == change, position.news()
            built += after.state[layout.HOUSES] < 32
            before = after
        ended += max(before.state[layout.OUT : layout.OUT + 6]) > 0
        payoffs = position.outcome()
        assert sum(payoffs) == 0
        ranks = sorted(range(position.players), key=lambda p: payoffs[p])
        out = [before.state[layout.OUT + p] for p in ranks]
        assert [n for n in out if n] == sorted(n for n in out if n)
        rich = [before.wealth(p) for p in ranks if not before.state[layout.OUT + p]]
        assert rich == sorted(rich)
    assert built or not compiled()


@pytest.mark.parametrize(("players", "seed", "plies"), [(2, 5, 600), (3, 8, 900), (4, 2, 500)])
def test_long_games_equal_the_stored_ones(players: int, seed: int, plies: int) -> None:
    trades = "off" if players == 3 else "on"
    position, rng = new(players=players, rounds=200, trades=trades), Random(seed)
    rows, hashes, news = [], blake2b(digest_size=8), Counter[str]()
    while position.outcome() is None and len(rows) < plies:
        if position.turn == CHANCE:
            move = rng.choices(position.moves(), position.chances())[0]
        else:
            move = sensible(position, rng)
        rows.append(position.format(move))
        position.make(move)
        if len(rows) % 8 == 0:
            check_town(position)
        lines = position.news()
        hashes.update(f"{list(position.town().state)} {lines} {position.town().decision_text()}".encode())
        if len(rows) % 8 == 0:
            hashes.update(f"{position} {position.board(None, move)}".encode())
        news.update(NUMBER.sub("#", line) for line in lines)
        if len(rows) % 50 == 0 and position.turn != CHANCE:
            rows[-1] += f" {[position.evaluate_for(player) for player in range(players)]}"
    table = [f"{count:>4} {line}" for line, count in sorted(news.items())]
    table += [f"{len(rows)} moves, {hashes.hexdigest()}, {position.outcome()}", str(position), *rows[49::50]]
    golden(f"monopoly_long_{players}", "\n".join(table) + "\n")


def sensible(position: Any, rng: Random) -> int:
    """Buy and build, else move at random, so that games reach houses and bankruptcies."""
    moves = {position.format(move): move for move in position.moves()}
    builds = [word for word in moves if word.startswith("build")]
    for word in ("buy", *builds, "accept"):
        if word in moves and rng.random() < 0.8:
            return moves[word]
    quiet = [word for word in ("end", "roll", "pass") if word in moves]
    return moves[quiet[0]] if quiet and rng.random() < 0.7 else rng.choice(list(moves.values()))


def test_bankrupt_player_leaves_everything_to_the_creditor() -> None:
    count = 0
    for seed in range(40):
        position, rng = new(players=3, rounds=200), Random(seed)
        while position.outcome() is None and not count:
            before = position.town()
            move = (
                rng.choices(position.moves(), position.chances())[0]
                if position.turn == CHANCE
                else sensible(position, rng)
            )
            position.make(move)
            after = position.town()
            gone = [p for p in range(3) if after.state[layout.OUT + p] > before.state[layout.OUT + p]]
            if not gone:
                continue
            left = [at for at in range(40) if before.state[layout.OWNER + at] == gone[0] + 1]
            heirs = {after.state[layout.OWNER + at] for at in left}
            assert len(heirs) <= 1, "all goes to one creditor"
            assert any("is bankrupt" in line for line in position.news())
            kept = str(before), str(after)
            position.unmake()
            assert str(position.town()) == kept[0]
            position.make(move)
            assert str(position.town()) == kept[1]
            count += 1
        if count:
            break
    assert count


# -- engines ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4])
def test_evaluation_is_each_players_share(players: int) -> None:
    position = new("2-3 buy", players=players)
    guesses = [position.evaluate_for(player) for player in range(players)]
    assert position.evaluate() == guesses[0]
    assert guesses[0] > 0 > max(guesses[1:])
    assert -players <= sum(guesses) <= 0


def test_mcts_is_the_default_engine_of_monopoly() -> None:
    assert [registry.default_engine(new(players=players)).name for players in (2, 5)] == ["mcts", "mcts"]


def test_simulations_are_the_same_each_time() -> None:
    engine, limit = registry.engine("mcts:sims=20")
    position = new("1-2", players=3)
    first, second = (engine.search(position, limit) for _ in range(2))
    assert (first.move, first.nodes, first.values) == (second.move, second.nodes, second.values)
    assert first.nodes == 10337  # in both builds


# -- how it looks -----------------------------------------------------------------------------------

WHOLE = 29  # the seed of the whole game
PLAYED = (
    "3-5 buy end 2-3 buy end 4-6 end 5-6 buy mortgage-daisy end 5-6 auction pass bid-100 pass end"
    " 1-2 auction pass pass pass"
)


def match() -> Match:
    players: list[Any] = [EmptySeat("human"), EmptySeat("mcts"), EmptySeat("mcts")]
    return Match(registry.game("monopoly:players=3"), players, moves=PLAYED.split())


@pytest.mark.parametrize("board", BOARDS)
def test_ring_equals_the_stored_drawing(board: str) -> None:
    golden(f"monopoly_{board}", draw_match(match(), board, narrow=40))


def test_the_game_in_lines_and_in_words() -> None:
    game = match()
    text = print_lines(game, end=False)
    assert len(text.splitlines()) >= len(game.turns), "a line or more for each turn"
    golden("monopoly_plain", "\n".join([text, board_text(game.board()), "", str(game.position)]) + "\n")


def test_a_whole_game_in_lines() -> None:
    """Streets are bought, built on and mortgaged, a jail card is used; all but one player go bankrupt."""
    players: list[Any] = [EmptySeat(name) for name in ("human", "mcts", "mcts")]
    game = Match(registry.game("monopoly:players=3,rounds=40"), players, seed=WHOLE)
    rng = Random(WHOLE)
    while not game.over():
        if game.position.turn < 0:
            game.step()
        else:
            game.make(Choice(sensible(game.position, rng)))
    text = print_lines(game)
    out = [game.position.town().state[layout.OUT + player] for player in range(3)]
    assert sum(bool(line) for line in out) == 2 and max(game.payoffs) == game.payoffs[out.index(0)]
    golden("monopoly_game", "\n".join([text, board_text(game.board()), ""]))


@pytest.mark.parametrize("players", [2, 4, 6])
def test_last_player_gets_the_least_payoff(players: int) -> None:
    position = registry.game(f"monopoly:players={players}").new()
    assert (position.low, position.high) == (1 - players, players - 1)
