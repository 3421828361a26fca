# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Doubling cube and match play of backgammon: cube actions, scores, and equity.

Sources: R. Janowski, Take-points in money games, and his match equity formula; match_equity.py.
C types: match_play.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay import value as scale
from gameplay.games.backgammon import match_equity
from gameplay.games.backgammon.movegen import BackgammonMoves

if cython.compiled:
    from cython.cimports.gameplay.position import CHANCE
else:
    from gameplay.games.backgammon.layout import *
    from gameplay.position import CHANCE

SCORED = cython.declare(cython.int, scale.SCORED)
CUBE_LIFE = cython.declare(cython.double, 0.68)  # between a dead cube, 0, and a live one, 1 (Janowski)

MAX_NEED = cython.declare(cython.int, 12)  # points that the table covers
ROW = cython.declare(cython.int, 13)

if not cython.compiled:
    MATCH_EQUITY = [0.0] * 169


def _fill():
    """Fill the table of match equities: by the needs of leader, 0 after the Crawford game, and trailer."""
    for leader_need, row in enumerate(match_equity.LEADER, 1):
        for trailer_need, percent in enumerate(row, leader_need):
            MATCH_EQUITY[ROW * leader_need + trailer_need] = percent / 100
    for trailer_need, percent in enumerate(match_equity.POST_CRAWFORD, 1):
        MATCH_EQUITY[trailer_need] = percent / 100


_fill()


class BackgammonMatch(BackgammonMoves):
    """The start of a turn, cube actions, the end of a game, and the next game of a match."""

    def begin_turn(self, player):
        """Start a turn: the player may double, or rolls."""
        self.state[HIGH] = self.state[LOW] = 0
        self.state[MOVER] = player
        if self.may_double(player):
            self.state[STAGE] = OFFER
            self.turn = player
        else:
            self.state[STAGE] = ROLLING
            self.turn = CHANCE

    def may_double(self, player):
        """True if a player may double; false too if the current cube already wins the match."""
        if not self.cube or self.state[CRAWFORD] or self.state[OWNER] == 1 - player:
            return False
        if self.state[CUBE] >= HIGHEST:
            return False
        return not self.match or self.state[SCORE + player] + (1 << self.state[CUBE]) < self.match

    def apply_action(self, action):
        """Apply a cube action or a resignation."""
        mover: cython.int = self.state[MOVER]
        if action == ROLL:
            self.state[STAGE] = ROLLING
            self.turn = CHANCE
        elif action == DOUBLE:
            self.state[STAGE] = ANSWER
            self.turn = 1 - mover
        elif action == TAKE:
            self.state[CUBE] += 1
            self.state[OWNER] = 1 - mover
            self.state[STAGE] = ROLLING
            self.turn = CHANCE
        elif action == DROP:
            self.end_game(mover, 1, OVER)
        elif action == ACCEPT:
            self.end_game(1 - mover, self.state[POINTS], GIVEN)
        elif action == DECLINE:
            self.state[POINTS] = 0
            if self.state[HIGH]:
                self.state[STAGE] = PLAY
                self.turn = mover
            else:
                self.begin_turn(mover)
        else:
            self.state[POINTS] = action - RESIGN
            self.state[STAGE] = RESIGNED
            self.turn = 1 - mover

    def end_game(self, winner, points, stage):
        """End the game in `stage`; in a match that goes on, set up the next game."""
        if self.jacoby and not self.state[CUBE]:
            points = 1
        if self.match:
            before: cython.int = self.state[SCORE + winner]
            score: cython.int = before + (points << self.state[CUBE])
            if score < self.match:
                self.state[SCORE + winner] = score
                self.state[CRAWFORD] = score == self.match - 1 and self.state[SCORE + 1 - winner] < score
                self.place_start()
                return
            self.state[SCORE + winner] = self.match
        self.state[STAGE] = stage
        self.state[HIGH] = self.state[LOW] = 0
        self.state[POINTS] = points
        self.state[WINNER] = winner
        self.turn = 1 - winner

    def concessions(self):
        """The resignations open to the player on roll, at most what they can still lose."""
        if self.state[STAGE] not in (ROLLING, OFFER, PLAY):
            return []
        single: cython.bint = self.state[OTHER * self.state[MOVER]] > 0
        if self.jacoby and not self.state[CUBE]:
            single = True
        return [ACTION | RESIGN | cubes for cubes in range(1, 2 if single else 4)]

    # -- results -----------------------------------------------------------------------------------

    def result(self):
        if self.state[STAGE] < OVER:
            return 0
        return 1 if self.match else SCORED

    def points(self):
        return -(self.state[POINTS] << self.state[CUBE]) * POINT

    def won_by(self):
        """The points that each player has won, in the match or the single game."""
        if self.match:
            return (self.state[SCORE], self.state[SCORE + 1])
        over = self.outcome() or (0, 0)
        return (max(0, over[0]), max(0, over[1]))

    # -- equity ------------------------------------------------------------------------------------

    def cube_is_dead(self, cube):
        """True if no double follows, or none that matters: either wins the match with this cube."""
        if not self.cube or self.state[CRAWFORD] or cube >= HIGHEST:
            return True
        behind: cython.int = min(self.state[SCORE], self.state[SCORE + 1])
        return self.match > 0 and self.match - behind <= 1 << cube

    def cubeful(self, equity, mover, owner, cube):
        """The cubeful equity, in cubes, of a cubeless one.

        Interpolates between a dead and a live cube (R. Janowski, Take-points in money games).
        """
        if self.cube_is_dead(cube):
            return equity
        even: cython.double = max(-1.0, min(1.0, equity))  # without gammons
        won: cython.double = (even + 1) / 2
        if owner == 2:
            live: cython.double = max(-1.0, min(1.0, (won - 0.5) / 0.3))
        elif owner == mover:
            live = min(1.0, 2.5 * won - 1)
        else:
            live = max(-1.0, 2.5 * (won - 0.2) - 1)
        return CUBE_LIFE * live + (1 - CUBE_LIFE) * even + (equity - even)

    def payoff_of(self, player, equity, cube):
        """The payoff for an equity in cubes: points, or in a match 2 * winning probability - 1."""
        size: cython.int = 1 << cube
        if not self.match:
            if self.jacoby and not cube:
                equity = max(-1.0, min(1.0, equity))
            return equity * size
        up: cython.int = 1 if equity >= 0 else -1
        most: cython.double = equity * up
        if most <= 1:
            low: cython.double = self.win_probability(player, -up * size)
            high: cython.double = self.win_probability(player, up * size)
            return 2 * (low + (most + 1) / 2 * (high - low)) - 1
        part: cython.int = 2 if most > 2 else 1
        low = self.win_probability(player, up * size * part)
        high = self.win_probability(player, up * size * (part + 1))
        return 2 * (low + (most - part) * (high - low)) - 1

    def win_probability(self, player, points):
        """A player's probability to win the match after winning, or losing, `points`.

        Beyond the table R. Janowski's formula: 0.5 + 0.85 D / (T + 6) for the leader, where D is the lead and
        T what the trailer needs; 0.5 + 0.55 D / (T + 2) if the leader needs one point.
        """
        own_need: cython.int = self.match - self.state[SCORE + player]
        opponent_need: cython.int = self.match - self.state[SCORE + 1 - player]
        after_crawford: cython.bint = min(own_need, opponent_need) == 1
        if points > 0:
            own_need -= points
        else:
            opponent_need += points
        if own_need <= 0:
            return 1.0
        if opponent_need <= 0:
            return 0.0
        leader_need: cython.int = min(own_need, opponent_need)
        trailer_need: cython.int = max(own_need, opponent_need)
        lead: cython.double = trailer_need - leader_need
        if trailer_need > MAX_NEED:
            lead = 0.55 * lead / (trailer_need + 2) if leader_need == 1 else 0.85 * lead / (trailer_need + 6)
        elif after_crawford:
            lead = 0.5 - MATCH_EQUITY[trailer_need]
        else:
            lead = MATCH_EQUITY[ROW * leader_need + trailer_need] - 0.5
        return 0.5 + lead if own_need < opponent_need else 0.5 - lead
