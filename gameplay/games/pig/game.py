# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Pig, the dice game of roll or hold.  C types: game.pxd.

A move contains the pot that it clears, so that undo needs no history:

    at a decision    0         roll                        2n        hold, and keep a pot of n
    at a roll        2f        the face f, into the pot    2n + 1    a 1, which loses a pot of n

While the die is rolled `turn` is CHANCE and `roller` the player; otherwise `turn` equals `roller`.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import re

from gameplay.board import Board, Tray
from gameplay.errors import BadInput, check_players, check_range
from gameplay.evaluation import Evaluation, by_name
from gameplay.games.pig.evaluation import pig_chances
from gameplay.kernel import Kernel
from gameplay.plural import plural
from gameplay.position import side

if cython.compiled:
    from cython.cimports.gameplay.native.bits import M64
    from cython.cimports.gameplay.native.hashing import GOLDEN
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.gameplay.value import LOST, SCORED, USER_DEFINED
else:
    from gameplay.native.bits import M64
    from gameplay.native.hashing import GOLDEN
    from gameplay.position import CHANCE
    from gameplay.value import LOST, SCORED, USER_DEFINED

UNIT = cython.declare(cython.int, 900_000)
MAX_PLAYERS = 8
MAX_GOAL = 200  # points
TENTHS = 10  # columns of the board, a tenth of the goal each
PLAYER_SIGNS = "XOABCDEF"  # by player


class Pig(Kernel):
    """Roll and add up the faces, or hold and keep them; a one loses the points of the turn.

    Each turn begins with a roll. Rolls are added to the pot. `hold` adds the pot to the player's points and
    ends the turn; a one ends it without points. A player who holds with `goal` points or more wins.

    Moves are `roll` and `hold`; chance moves are the faces, `1` to `6`. A position is the points, the number
    of the player to move, and the pot, then `roll` if the die is to be rolled: `42-58 1 17`. Evaluation: the
    probability to win with best play of both, exact; with more than two players the share of the points.
    """

    chance = True
    evaluates_chance_nodes = True
    calibrated = True
    drawless = True
    unit = 900_000
    unit_names = ("win", "wins")
    evaluations = by_name(
        "pig",
        Evaluation(
            "optimal", "the chance to win if both play best; for more than two players as points", exact=True
        ),
        Evaluation("points", "the share of all points, the pot among them"),
        Evaluation("none", "0 until the end"),
    )

    def __init__(self, players: cython.int = 2, goal: cython.int = 100, faces: cython.int = 6):
        check_players("pig", players, MAX_PLAYERS)
        check_range("goal", goal, 2, MAX_GOAL)
        check_range("faces", faces, 2, 100)
        self.players = players
        self.goal = goal
        self.faces = faces
        Kernel.__init__(self, faces)
        self.pot = 0
        self.roller = 0
        self.table = None
        if not cython.compiled:
            self.totals = [0] * MAX_PLAYERS
        i: cython.int
        for i in range(MAX_PLAYERS):
            self.totals[i] = 0

    @staticmethod
    def fits(players=2, goal=100, faces=6):
        """True: the constructor refuses wrong parameters."""
        return True

    # -- slots ---------------------------------------------------------------------------------

    def gen(self, base):
        face: cython.int
        if self.turn == CHANCE:  # all faces are equally likely: gen_chances() is not needed
            self.stack[base] = 2 * self.pot + 1
            for face in range(2, self.faces + 1):
                self.stack[base + face - 1] = 2 * face
            return base + self.faces
        self.stack[base] = 0
        if not self.pot:
            return base + 1
        self.stack[base + 1] = 2 * self.pot
        return base + 2

    def push(self, move):
        if self.turn == CHANCE:
            if move & 1:
                self.pot = 0
                self.roller = self.next_player()
            else:
                self.pot += move >> 1
            self.turn = self.roller
        elif move:
            self.totals[self.roller] += self.pot
            self.pot = 0
            self.roller = self.next_player()
            self.turn = self.roller
        else:
            self.turn = CHANCE

    def pop(self, move):
        if self.turn == CHANCE:  # the die was rolled
            self.turn = self.roller
        elif self.pot:  # a face came into the pot
            self.pot -= move >> 1
            self.turn = CHANCE
        else:
            self.roller = self.previous_player()
            self.pot = move >> 1
            self.turn = CHANCE
            if not move & 1:
                self.totals[self.roller] -= self.pot
                self.turn = self.roller

    def next_player(self):
        """The player after the one on turn."""
        return 0 if self.roller == self.players - 1 else self.roller + 1

    def previous_player(self):
        """The player who held or rolled before the one on turn."""
        return (self.roller if self.roller else self.players) - 1

    def result(self):
        if self.totals[self.previous_player()] < self.goal:
            return 0
        return LOST if self.players == 2 else SCORED

    def payoff(self, player):
        if player == self.previous_player():
            return self.c_unit
        return -1.0 * self.c_unit / (self.players - 1)

    def score(self):
        if self.evaluation_index == USER_DEFINED:
            return self.user_score()
        return 0 if self.turn == CHANCE else self.score_for(self.turn)

    def score_for(self, player):
        if self.evaluation_index == USER_DEFINED:
            return self.user_score_for(player)
        if self.evaluation_index == 2:
            return 0
        if self.players > 2:
            return self.points_share(player)
        if self.evaluation_index == 1:
            value: cython.int = self.points_share(0)
            return value if player == 0 else -value
        if self.table is None:
            self.load_chances()
            if self.failed:
                return 0
        own: cython.int = self.totals[self.roller]
        other: cython.int = self.totals[1 - self.roller]
        if self.turn == CHANCE:
            wins: cython.double = self.table.roll(own, other, self.pot)
        else:
            wins = self.table.chance(own, other, self.pot)
        value = cython.cast(cython.int, 2.0 * UNIT * wins + 0.5) - UNIT
        return value if player == self.roller else -value

    def load_chances(self):
        """Load the probabilities; separate from score_for(), which would else take the GIL on each call."""
        with cython.gil:
            try:
                self.table = pig_chances(self.goal, self.faces)
            except BaseException as error:
                self.failed, self.error = True, error

    def points_share(self, player):
        """A player's payoff if the winner is drawn at random, in proportion to points plus one each."""
        total: cython.longlong = self.players + self.pot
        own: cython.longlong = self.totals[player] + 1 + (self.pot if player == self.roller else 0)
        others: cython.longlong = self.players - 1
        i: cython.int
        for i in range(self.players):
            total += self.totals[i]
        loss: cython.longlong = (UNIT + others - 1) // others
        return cython.cast(cython.int, self.players * UNIT * own // (total * others) - loss)

    def hash(self):
        key: cython.ulonglong = self.pot * 32 + self.roller * 2 + (self.turn == CHANCE)
        i: cython.int
        for i in range(self.players):
            key = ((key ^ (key >> 29)) * GOLDEN + self.totals[i]) & M64
        return key

    # -- notation and drawing --------------------------------------------------------------------

    def key(self):
        """The points, the player on turn, the pot, and whether the die is being rolled."""
        return (*self.scores(), self.roller, self.pot, self.turn)

    def scores(self):
        """The points of each player."""
        return [int(self.totals[i]) for i in range(self.players)]

    def format(self, move):
        """`roll`, `hold`, or the face of the die."""
        if self.turn == CHANCE:
            return "1" if move & 1 else str(move // 2)
        return "hold" if move else "roll"

    def news(self):
        """The result of the turn: the pot lost or kept."""
        last = self.made[len(self.made) - 1] if self.made else 0
        name = side(self, (self.roller + self.players - 1) % self.players)
        points = plural(last >> 1, "point")
        if last & 1:
            return (
                f"{name} rolls a 1 and loses {points}" if last > 1 else f"{name} rolls a 1: the turn ends",
            )
        if last and not self.pot and self.turn != CHANCE:
            kept = self.scores()[(self.roller + self.players - 1) % self.players]
            return (f"{name} holds and keeps {points}, {kept} in all",)
        return ()

    def why_illegal(self, text):
        """The reason why holding is illegal."""
        holds = text.strip().lower() == "hold" and self.turn != CHANCE
        return "the pot is empty; roll first" if holds else ""

    def text(self):
        """The points, the player's number, the pot: `42-58 1 17`, and `roll` if the die is being rolled."""
        scores = "-".join(map(str, self.scores()))
        return f"{scores} {self.roller + 1} {self.pot}" + (" roll" if self.turn == CHANCE else "")

    def setup(self, text):
        """Set up a position in the format of `text()`, or moves from the start."""
        if "-" not in text:
            Kernel.setup(self, text)
            return
        match = re.fullmatch(r"\s*(\d{1,4}(?:-\d{1,4})*)\s+(\d{1,4})\s+(\d{1,4})(\s+roll)?\s*", text)
        if not match:
            raise BadInput(
                f"'{text}' is not a position of pig, such as {self.text()}: points, player's number, pot"
            )
        scores = [int(word) for word in match[1].split("-")]
        number, pot, rolling = int(match[2]), int(match[3]), bool(match[4])
        if len(scores) != self.players:
            raise BadInput(f"'{text}' has the points of {len(scores)} players, expected {self.players}")
        if not 1 <= number <= self.players:
            raise BadInput(f"'{text}': the player's number must be from 1 to {self.players}, not {number}")
        winners = [i for i in range(self.players) if scores[i] >= self.goal]
        max_points = self.goal + self.faces * 10
        if max(scores) > max_points or pot > max_points or pot == 1:
            raise BadInput(
                f"'{text}': expected points and pot from 0 to {max_points}, and a pot other than 1"
            )
        if winners and (winners != [(number + self.players - 2) % self.players] or pot or rolling):
            raise BadInput(
                f"'{text}': a player with {self.goal} points has won; the next player must be on turn"
            )
        for i in range(self.players):
            self.totals[i] = scores[i]
        self.roller = number - 1
        self.turn = -1 if rolling else self.roller
        self.pot = pot
        self.made.clear()
        self.start = text

    def rolls(self):
        """The faces rolled in this turn, or in the last one if this one has not begun."""
        faces = []
        rolling = bool(self.start) and self.start.endswith("roll")
        over = False
        for move in self.made:
            if rolling:
                faces = [*([] if over else faces), "1" if move & 1 else str(move // 2)]
                over = bool(move & 1)
                rolling = False
            elif move:
                over = True
            else:
                rolling = True
        return faces

    def board(self, viewer=None, last=None):
        """The drawing of the position: each player's tenths of the goal, and the faces rolled."""
        scores = self.scores()
        rows = []
        for player in range(self.players):
            sign = PLAYER_SIGNS[player]
            kept = scores[player] * TENTHS // self.goal
            pot = (scores[player] + (self.pot if player == self.roller else 0)) * TENTHS // self.goal
            rows.append(tuple([sign if i < kept else sign.lower() if i < pot else "" for i in range(TENTHS)]))
        owners = {sign: player for player, sign in enumerate(PLAYER_SIGNS[: self.players])}
        faces = self.rolls()
        notes = {player: f"{points} points" for player, points in enumerate(scores)}
        if self.pot:
            notes[self.roller] += f", {self.pot} in the pot"
        return Board(
            cells=tuple(rows),
            columns=tuple([str(self.goal * (i + 1) // TENTHS) for i in range(TENTHS)]),
            rows=tuple([str(score) for score in scores]),
            owners=owners | {sign.lower(): player for sign, player in owners.items()},
            glyphs={"X": "●", "O": "○", "x": "◌", "o": "◌"},
            notes=notes,
            trays=(Tray("rolled", tuple(faces) or ("",)), Tray("pot", (str(self.pot),))),
        )

    def __str__(self):
        scores = " : ".join(map(str, self.scores()))
        action = "rolls" if self.turn == CHANCE else "is on turn"
        return f"{scores}, player {self.roller + 1} {action}, {self.pot} in the pot"
