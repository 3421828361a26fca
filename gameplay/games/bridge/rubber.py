"""The score of rubber bridge: points above and below the line, games, rubbers and honours.

Source: Laws of Contract Bridge (1993), laws 72 to 77.
"""

from collections.abc import Sequence

from gameplay.games.bridge.score import Contract, score

GAME = 100  # points below the line
HONORS = range(8, 13)  # ranks from ten to ace
ACE = 12
RUBBER_IN_TWO, RUBBER_IN_THREE = 700, 500  # for a rubber in two games, in three


def honors(hands: Sequence[Sequence[int]], contract: Contract) -> list[int]:
    """The bonus of each side for honours in one hand (law 76): 100 for four of trumps, 150 for all five.

    Without trumps 150 for the four aces.
    """
    bonus = [0, 0]
    for player, hand in enumerate(hands):
        if contract.trump is None:
            points = 150 * (sum(card // 4 == ACE for card in hand) == 4)
        else:
            count = sum(card % 4 == contract.trump and card // 4 in HONORS for card in hand)
            points = {4: 100, 5: 150}.get(count, 0)
        bonus[player % 2] += points
    return bonus


class Rubber:
    """Points of north and south, then of east and west; `finished` rubbers."""

    def __init__(self) -> None:
        self.points = [0, 0]
        self.below = [0, 0]  # of the current game
        self.games = [0, 0]  # of the current rubber
        self.finished = 0

    def score(self, contract: Contract, tricks: int, honors: Sequence[int]) -> None:
        """Count a contract.

        1. Honours, above the line. 2. Undertricks, above the line for the other side. 3. Tricks bid and made,
        below the line. 4. Overtricks, slams, and 50 or 100 for a doubled contract, above it. 5. A game
        is won with 100 points below the line, and both begin the next one at 0; two games win the rubber.
        """
        side = contract.declarer % 2
        vulnerable = self.games[side] > 0
        for each in (0, 1):
            self.points[each] += honors[each]
        if tricks < 6 + contract.level:
            self.points[1 - side] -= score(contract, tricks, vulnerable)
            return
        below = below_the_line(contract)
        self.points[side] += score(contract, tricks, vulnerable) - premium(contract, vulnerable)
        self.below[side] += below
        if self.below[side] >= GAME:
            self.win_game(side)

    def win_game(self, side: int) -> None:
        self.below, self.games[side] = [0, 0], self.games[side] + 1
        if self.games[side] == 2:
            self.points[side] += RUBBER_IN_THREE if self.games[1 - side] else RUBBER_IN_TWO
            self.games, self.finished = [0, 0], self.finished + 1


def below_the_line(contract: Contract) -> int:
    """The trick score of a made contract (law 72)."""
    value = 20 if contract.strain < 2 else 30
    return (value * contract.level + (10 if contract.strain == 4 else 0)) * contract.times


def premium(contract: Contract, vulnerable: bool) -> int:
    """The duplicate bonus for a game or a part-score, which rubber bridge does not have."""
    if below_the_line(contract) < GAME:
        return 50
    return 500 if vulnerable else 300
