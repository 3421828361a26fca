"""Bridge scores: contracts, and par."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

STRAINS = "CDHSN"
SEATS = "NESW"


class Contract(NamedTuple):
    """A contract: level, strain, declarer, and doubles."""

    level: int  # tricks beyond six
    strain: int  # the trump suit from 0, clubs, to 3; 4: no trumps
    declarer: int
    times: int = 1  # 2 where it is doubled, 4 where it is redoubled

    @property
    def trump(self) -> int | None:
        """The trump suit, None in no trumps."""
        return None if self.strain == 4 else self.strain

    @property
    def dummy(self) -> int:
        """The declarer's partner."""
        return (self.declarer + 2) % 4

    @property
    def bid(self) -> str:
        """The contract without the declarer: `3Nx`."""
        return f"{self.level}{STRAINS[self.strain]}{ {1: '', 2: 'x', 4: 'xx'}[self.times] }"

    def __str__(self) -> str:
        return f"{self.bid} by {SEATS[self.declarer]}"


def score(contract: Contract, tricks: int, vulnerable: bool) -> int:
    """The score of the declarer's side for a number of tricks; negative if the defenders get it.

    Source: Laws of Duplicate Bridge (World Bridge Federation, 2017), law 77.
    """
    level, strain, _, times = contract
    over = tricks - 6 - level
    if over < 0:
        if times == 1:
            return over * (100 if vulnerable else 50)
        first, then, later = (200, 300, 300) if vulnerable else (100, 200, 300)
        down = -over
        return -(first + then * min(down - 1, 2) + later * max(0, down - 3)) * times // 2
    value = 20 if strain < 2 else 30
    for_tricks = (value * level + (10 if strain == 4 else 0)) * times
    total = for_tricks + {1: 0, 2: 50, 4: 100}[times]
    if times == 1:
        total += over * value
    else:
        total += over * (100 if vulnerable else 50) * times
    total += (500 if vulnerable else 300) if for_tricks >= 100 else 50
    if level >= 6:
        total += (750 if vulnerable else 500) * (level - 5)
    return total


class Par(NamedTuple):
    """The result of an auction in which neither side can improve."""

    score: int  # of north and south
    contracts: tuple[tuple[Contract, int], ...]  # the lowest par contracts; overtricks, below 0: down


def par(table: Sequence[Sequence[int]], vulnerable: Iterable[int], dealer: int) -> Par:
    """Par of a deal: table[strain][declarer] are the tricks, see `BridgeSolver.table`.

    Theorem: a side that may still bid gets at least the score of the current contract, and at least that of
    any higher bid after the best replies of the other side. So bids are evaluated from the highest down.
    Contracts that go down are doubled, no others. The dealer's side bids first, which matters if both sides
    could make the same contract.
    """
    sides = set(vulnerable)

    def play_bid(bid: int, side: int) -> tuple[int, Contract, int]:
        """The score of north and south if a side plays a bid; the better declarer of the two declares."""
        level, strain = bid // 5 + 1, bid % 5
        declarer = max((side, side + 2), key=lambda player: table[strain][player])
        tricks = table[strain][declarer]
        over = tricks - 6 - level
        contract = Contract(level, strain, declarer, 1 if over >= 0 else 2)
        points = score(contract, tricks, side in sides)
        return (points if side == 0 else -points), contract, over

    def best_for(side: int, *values: int) -> int:
        return max(values) if side == 0 else min(values)

    best = [play_bid(34, side)[0] for side in (0, 1)]  # for each side, with a bid of this level or higher
    for bid in range(33, -1, -1):
        after_reply = [best_for(1 - side, play_bid(bid, side)[0], best[1 - side]) for side in (0, 1)]
        best = [best_for(side, best[side], after_reply[side]) for side in (0, 1)]
    first = dealer % 2
    value = best_for(first, best_for(1 - first, 0, best[1 - first]), best[first])
    contracts: dict[tuple[int, int], tuple[Contract, int]] = {}
    for bid in range(35):
        for side in (0, 1):
            points, contract, over = play_bid(bid, side)
            later = [play_bid(higher, 1 - side)[0] for higher in range(bid + 1, 35)]
            if points == value != 0 and all(best_for(1 - side, value, reply) == value for reply in later):
                for player in (side, side + 2):
                    if table[bid % 5][player] == table[bid % 5][contract.declarer]:
                        contracts.setdefault((bid % 5, player), (contract._replace(declarer=player), over))
    return Par(value, tuple(contracts.values()))
