# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The doubling cube and match play of backgammon: offers, points, and what equity is worth.

Sources: R. Janowski, Take-points in money games, and his formulas of match equity.  C types: match_play.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay import value as scale
from gameplay.games.backgammon.movegen import BackgammonMoves

if cython.compiled:
    from cython.cimports.gameplay.position import CHANCE
else:
    from gameplay.games.backgammon.layout import *
    from gameplay.position import CHANCE

SCORED = cython.declare(cython.int, scale.SCORED)
LIVELY = cython.declare(cython.double, 0.68)  # how near a cube is to one turned at the very last moment


class BackgammonMatch(BackgammonMoves):
    """A turn's beginning, offers and their answers, the end of a game, and the next game of a match."""

    def begin(self, player):
        """A turn begins."""
        self.state[HIGH] = self.state[LOW] = 0
        self.state[MOVER] = player
        if self.may_double(player):
            self.state[STAGE] = OFFER
            self.turn = player
        else:
            self.state[STAGE] = ROLLING
            self.turn = CHANCE

    def may_double(self, player):
        """May a player double, and gain by it? Not if the cube as it stands already wins them the match."""
        if not self.cube or self.state[CRAWFORD] or self.state[OWNER] == 1 - player:
            return False
        if self.state[CUBE] >= HIGHEST:
            return False
        return not self.match or self.state[SCORE + player] + (1 << self.state[CUBE]) < self.match

    def say(self, word):
        """Offer, or answer an offer."""
        mover: cython.int = self.state[MOVER]
        if word == ROLL:
            self.state[STAGE] = ROLLING
            self.turn = CHANCE
        elif word == DOUBLE:
            self.state[STAGE] = ANSWER
            self.turn = 1 - mover
        elif word == TAKE:
            self.state[CUBE] += 1
            self.state[OWNER] = 1 - mover
            self.state[STAGE] = ROLLING
            self.turn = CHANCE
        elif word == DROP:
            self.won(mover, 1, OVER)
        elif word == ACCEPT:
            self.won(1 - mover, self.state[POINTS], GIVEN)
        elif word == DECLINE:
            self.state[POINTS] = 0
            if self.state[HIGH]:
                self.state[STAGE] = PLAY
                self.turn = mover
            else:
                self.begin(mover)
        else:
            self.state[POINTS] = word - RESIGN
            self.state[STAGE] = RESIGNED
            self.turn = 1 - mover

    def won(self, winner, points, stage):
        """The game is over, in its last stage, and in a match perhaps the next begins."""
        if self.jacoby and not self.state[CUBE]:
            points = 1
        if self.match:
            before: cython.int = self.state[SCORE + winner]
            score: cython.int = before + (points << self.state[CUBE])
            if score < self.match:
                self.state[SCORE + winner] = score
                self.state[CRAWFORD] = score == self.match - 1 and self.state[SCORE + 1 - winner] < score
                self.deal()
                return
            self.state[SCORE + winner] = self.match
        self.state[STAGE] = stage
        self.state[HIGH] = self.state[LOW] = 0
        self.state[POINTS] = points
        self.state[WINNER] = winner
        self.turn = 1 - winner

    def concessions(self):
        """The resignations that the player on roll may offer: not more than they can still lose."""
        if self.state[STAGE] not in (ROLLING, OFFER, PLAY):
            return []
        single: cython.bint = self.state[OTHER * self.state[MOVER]] > 0
        if self.jacoby and not self.state[CUBE]:
            single = True
        return [SAID | RESIGN | cubes for cubes in range(1, 2 if single else 4)]

    # -- results -----------------------------------------------------------------------------------

    def result(self):
        if self.state[STAGE] < OVER:
            return 0
        return 1 if self.match else SCORED

    def points(self):
        return -(self.state[POINTS] << self.state[CUBE]) * POINT

    def won_by(self):
        """The points that each player has won so far, in the match or the single game."""
        if self.match:
            return (self.state[SCORE], self.state[SCORE + 1])
        over = self.outcome() or (0, 0)
        return (max(0, over[0]), max(0, over[1]))

    # -- equity ------------------------------------------------------------------------------------

    def cubeful(self, equity, mover, owner, cube):
        """The equity, in cubes, including the value of owning the cube, or of a centred cube.

        Between a dead cube and one turned at the very last moment (R. Janowski, Take-points in money games).
        """
        if not self.cube or self.state[CRAWFORD] or cube >= HIGHEST:
            return equity
        even: cython.double = max(-1.0, min(1.0, equity))  # without gammons
        won: cython.double = (even + 1) / 2
        if owner == 2:
            live: cython.double = max(-1.0, min(1.0, (won - 0.5) / 0.3))
        elif owner == mover:
            live = min(1.0, 2.5 * won - 1)
        else:
            live = max(-1.0, 2.5 * (won - 0.2) - 1)
        return LIVELY * live + (1 - LIVELY) * even + (equity - even)

    def payment(self, player, equity, cube):
        """The payoff of an equity in cubes: points, or in a match twice the winning probability, less 1."""
        size: cython.int = 1 << cube
        if not self.match:
            if self.jacoby and not cube:
                equity = max(-1.0, min(1.0, equity))
            return equity * size
        up: cython.int = 1 if equity >= 0 else -1
        most: cython.double = equity * up
        if most <= 1:
            low: cython.double = self.standing_after(player, -up * size)
            high: cython.double = self.standing_after(player, up * size)
            return 2 * (low + (most + 1) / 2 * (high - low)) - 1
        part: cython.int = 2 if most > 2 else 1
        low = self.standing_after(player, up * size * part)
        high = self.standing_after(player, up * size * (part + 1))
        return 2 * (low + (most - part) * (high - low)) - 1

    def standing_after(self, player, points):
        """The odds that a player wins the match after winning, or losing, so many points.

        By the formulas of R. Janowski: 0.5 + 0.85 D / (T + 6) for the leader, where D is the lead and T what
        the trailer needs; 0.5 + 0.55 D / (T + 2) where the leader needs one point.
        """
        mine: cython.int = self.match - self.state[SCORE + player]
        theirs: cython.int = self.match - self.state[SCORE + 1 - player]
        if points > 0:
            mine -= points
        else:
            theirs += points
        if mine <= 0:
            return 1.0
        if theirs <= 0:
            return 0.0
        least: cython.int = min(mine, theirs)
        most: cython.int = max(mine, theirs)
        lead: cython.double = most - least
        lead = 0.55 * lead / (most + 2) if least == 1 else 0.85 * lead / (most + 6)
        return 0.5 + lead if mine < theirs else 0.5 - lead
