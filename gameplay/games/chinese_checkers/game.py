# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Chinese checkers on the star of 121 holes.  C types: game.pxd.

Holes are numbered row by row from the top, 0 the tip of the upper corner, 120 that of the lower one; corners
clockwise from the bottom, so that the goal of the player starting in corner c is corner c + 3:

                 0                                3
                1 2                              3 3
             ...                         2 2 2 2  .  4 4 4 4
       10 11 12 ... 22                    2 2 2  ...  4 4 4
             ...                         1 1 1 1  .  5 5 5 5
               118 119                           0 0
                 120                              0

A move is its start and end hole: all paths of hops between them lead to the same position and are one move.

    bits 0-6   the end hole                  bits 7-13  the start hole              bit 14  a pass

Moves toward the goal are listed first, the longest before the others.

A full corner counts as filled if it contains a peg of the player whose goal it is, so that no player can
block others by staying at home: Nathan Sturtevant, "On Strongly Solving Chinese Checkers", ACG 2019.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.errors import BadInput, check_range
from gameplay.evaluation import Evaluation, by_name
from gameplay.games.chinese_checkers import board as star
from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.gameplay.native.bits import ONE, lowest
    from cython.cimports.gameplay.native.hashing import fold, spread
    from cython.cimports.gameplay.value import DRAWN, SCORED, USER_DEFINED
else:
    from gameplay.native.bits import ONE, lowest
    from gameplay.native.hashing import fold, spread
    from gameplay.value import DRAWN, SCORED, USER_DEFINED

PEGS = cython.declare(cython.int, 10)
PASS = cython.declare(cython.int, 1 << 14)
MAX_MOVES = 446  # each peg reaches 6 holes by steps, and at most 37 by hops
GOAL_STEPS = cython.declare(cython.int, 20)  # the sum of the steps from the holes of a corner to its tip
MAX_STEPS = cython.declare(cython.int, 16)  # from a tip to the opposite one
HALF_PLACE_LEAD = cython.declare(cython.int, 150)  # in tenths of a step


class ChineseCheckers(Kernel):
    """Bring your ten pegs across the star before the others do; for 2, 3, 4 or 6 players.

    A peg steps to a neighbouring empty hole, or hops over one neighbouring peg of any player to the empty
    hole behind it. Hops can be chained. Nothing is captured. Each player moves to the corner opposite their
    own; a peg that is in it moves within it only. A player without a move passes.

    The first player whose target corner is full, with at least one of their own pegs in it, wins and ends
    the game: pegs left at home cannot block it. The game also ends after `rounds` rounds; then players are
    ranked by the steps that their pegs have left. Payoffs are by rank: 1 for each player behind, -1 for each
    player ahead.

    A move is two holes, `j4-i5`, for a step or a chain of hops; the holes between may be given, `m1-k3-m5`.
    A hole is its column, a to y from the left, and its row, 1 to 17 from the bottom. A position is each
    player's holes, / between players, and the number of moves made; or moves from the start. Clockwise from
    the bottom sit blue, orange, green, purple, white and red: two opposite each other, three in every second
    corner, four in two opposite pairs.
    """

    evaluations = by_name(
        "chinese-checkers",
        Evaluation(
            "travel",
            "the distance that the pegs have left, stragglers and pegs off the straight path counting more",
            # In tenths of a step: a step; a step of a peg 16 away, in addition; half a hole off the path.
            weights={"step": 10, "straggler": 8, "aside": 2},
        ),
        Evaluation("steps", "the steps that the pegs have left"),
        Evaluation("none", "0 until the end"),
    )
    low = property(lambda self: 1 - self.players)  # the payoff of the last place
    high = property(lambda self: self.players - 1)  # the payoff of the first place
    policies = {"forward": "move toward the goal seven times out of eight"}

    def __init__(self, players: cython.int = 2, rounds: cython.int = 200):
        if players not in star.SEATS:
            raise BadInput(f"chinese-checkers must have 2, 3, 4 or 6 players, not {players}")
        check_range("rounds", rounds, 1, 10000)
        self.players = players
        self.rounds = rounds
        Kernel.__init__(self, MAX_MOVES)
        if not cython.compiled:
            self.taken, self.peg_bits = [0] * 121, [0] * 12
            self.steps_left, self.weighted_steps, self.pegs_home, self.filled = (
                [0] * 6,
                [0] * 6,
                [0] * 6,
                [0] * 6,
            )
            self.goal, self.goal_offset, self.tip_distances, self.weighted_distance = (
                [0] * 6,
                [0] * 6,
                [0] * 726,
                [0] * 726,
            )
            self.step_stamp, self.hop_stamp, self.hop_stack = [0] * 121, [0] * 121, [0] * 128
            self.sort_buffer, self.sort_counts = [0] * 448, [0] * 34
            self.goal_owner = [-1] * 6
            self.links, self.corner, self.zobrist = star.neighbours(), star.corners(), star.zobrist()
        i: cython.int
        p: cython.int
        if cython.compiled:
            self.goal_owner = [-1, -1, -1, -1, -1, -1]
            for i in range(726):
                self.links[i], self.zobrist[i] = star.neighbours()[i], star.zobrist()[i]
            for i in range(121):
                self.corner[i] = star.corners()[i]
        self.stamp = 0
        for p in range(players):
            self.goal[p] = (star.SEATS[players][p] + 3) % 6
            self.goal_owner[self.goal[p]] = p
            steps = star.tip_distances(self.goal[p])
            for i in range(121):
                self.tip_distances[121 * p + i] = steps[i]
        self.load_weights(self.evaluations["travel"])
        self.begin()

    @staticmethod
    def fits(players=2, rounds=200):
        """True: there is one board."""
        return True

    @property
    def unit(self):
        """For two players a tenth of a step; for more a thousandth of a place."""
        return 10 if self.players == 2 else 1000

    @property
    def unit_names(self):
        """The name of the unit, singular and plural."""
        return ("step", "steps") if self.players == 2 else ("place", "places")

    @property
    def sides(self):
        """The names of the players."""
        return star.SIDES[: self.players]

    def begin(self):
        """Set up the start position."""
        taken = [0] * 121
        for player, corner in enumerate(star.SEATS[self.players]):
            for hole, part in enumerate(star.corners()):
                if part == corner:
                    taken[hole] = player + 1
        self.place_pegs(taken, 0)

    def place_pegs(self, taken, ply):
        """Set up a position without history."""
        i: cython.int
        for i in range(6):
            self.peg_bits[2 * i] = self.peg_bits[2 * i + 1] = 0
            self.steps_left[i], self.weighted_steps[i] = -GOAL_STEPS, -self.goal_offset[i]
            self.pegs_home[i] = self.filled[i] = 0
        self.zobrist_key = 0
        for i in range(121):
            self.taken[i] = taken[i]
            if not self.taken[i]:
                continue
            p: cython.int = self.taken[i] - 1
            self.peg_bits[2 * p + (i >> 6)] |= ONE << (i & 63)
            self.steps_left[p] += self.tip_distances[121 * p + i]
            self.weighted_steps[p] += self.weighted_distance[121 * p + i]
            self.zobrist_key ^= self.zobrist[121 * p + i]
            if self.corner[i] >= 0:
                self.filled[self.corner[i]] += 1
                self.pegs_home[p] += self.corner[i] == self.goal[p]
        self.winner = -1
        for p in range(self.players):
            if self.pegs_home[p] and self.filled[self.goal[p]] == PEGS:
                self.winner = p
        self.ply = ply
        self.turn = ply % self.players
        self.made.clear()

    # -- moves ---------------------------------------------------------------------------------

    def gen(self, base):
        end: cython.int = self.generate(base)
        self.sort_moves(base, end)
        return end

    def generate(self, base):
        """Write every move to stack[base:], peg by peg; return the end."""
        p: cython.int = self.turn
        end: cython.int = base
        word: cython.int
        i: cython.int
        for word in range(2):
            pegs: cython.ulonglong = self.peg_bits[2 * p + word]
            while pegs:
                hole: cython.int = lowest(pegs) + 64 * word
                pegs &= pegs - 1
                self.stamp += 1
                inside: cython.bint = self.corner[hole] == self.goal[p]
                for i in range(6 * hole, 6 * hole + 6):
                    to: cython.int = self.links[i]
                    if to >= 0 and not self.taken[to] and (not inside or self.corner[to] == self.goal[p]):
                        self.step_stamp[to] = self.stamp
                        self.stack[end] = (hole << 7) | to
                        end += 1
                end = self.generate_hops(end, hole, inside)
        if end == base:
            self.stack[end] = PASS
            end += 1
        return end

    def generate_hops(self, base, hole, inside):
        """Write the hops of a peg, except to holes that a step reaches; return the end."""
        count: cython.int = 1
        direction: cython.int
        peg: cython.int = self.taken[hole]
        self.taken[hole] = 0  # a peg cannot hop over itself
        self.hop_stamp[hole] = self.stamp
        self.hop_stack[0] = hole
        while count:
            count -= 1
            at: cython.int = self.hop_stack[count]
            for direction in range(6):
                over: cython.int = self.links[6 * at + direction]
                if over < 0 or not self.taken[over]:
                    continue
                to: cython.int = self.links[6 * over + direction]
                if to < 0 or self.taken[to] or self.hop_stamp[to] == self.stamp:
                    continue
                self.hop_stamp[to] = self.stamp
                self.hop_stack[count] = to
                count += 1
                if self.step_stamp[to] != self.stamp and (not inside or self.corner[to] == self.corner[hole]):
                    self.stack[base] = (hole << 7) | to
                    base += 1
        self.taken[hole] = peg
        return base

    def sort_moves(self, base, end):
        """Sort moves by progress, a stable counting sort."""
        if end - base < 2:
            return
        tip: cython.int = 121 * self.turn
        i: cython.int
        at: cython.int = 0
        for i in range(2 * MAX_STEPS + 2):
            self.sort_counts[i] = 0
        for i in range(base, end):
            move: cython.int = self.stack[i]
            self.sort_buffer[i - base] = move
            k: cython.int = (
                MAX_STEPS - self.tip_distances[tip + (move >> 7)] + self.tip_distances[tip + (move & 127)]
            )
            self.sort_counts[k + 1] += 1
        for i in range(1, 2 * MAX_STEPS + 2):
            self.sort_counts[i] += self.sort_counts[i - 1]
        for i in range(end - base):
            move = self.sort_buffer[i]
            k = MAX_STEPS - self.tip_distances[tip + (move >> 7)] + self.tip_distances[tip + (move & 127)]
            at = base + self.sort_counts[k]
            self.sort_counts[k] += 1
            self.stack[at] = move

    def move_peg(self, player, start, end):
        """Move a peg from hole to hole."""
        p: cython.int = 121 * player
        self.peg_bits[2 * player + (start >> 6)] ^= ONE << (start & 63)
        self.peg_bits[2 * player + (end >> 6)] ^= ONE << (end & 63)
        self.taken[start] = 0
        self.taken[end] = player + 1
        self.zobrist_key ^= self.zobrist[p + start] ^ self.zobrist[p + end]
        self.steps_left[player] += self.tip_distances[p + end] - self.tip_distances[p + start]
        self.weighted_steps[player] += self.weighted_distance[p + end] - self.weighted_distance[p + start]
        corner: cython.int = self.corner[start]
        if corner >= 0:
            self.filled[corner] -= 1
            self.pegs_home[player] -= corner == self.goal[player]
        corner = self.corner[end]
        if corner >= 0:
            self.filled[corner] += 1
            self.pegs_home[player] += corner == self.goal[player]

    def push(self, move):
        if move < PASS:
            self.move_peg(self.turn, move >> 7, move & 127)
            corner: cython.int = self.corner[move & 127]
            if corner >= 0 and self.filled[corner] == PEGS:
                who: cython.int = self.goal_owner[corner]
                if who >= 0 and self.pegs_home[who]:
                    self.winner = who
        self.ply += 1
        self.turn = self.turn + 1 if self.turn + 1 < self.players else 0

    def pop(self, move):
        self.ply -= 1
        self.turn = self.turn - 1 if self.turn else self.players - 1
        self.winner = -1
        if move < PASS:
            self.move_peg(self.turn, move & 127, move >> 7)

    def null_move(self):
        self.push(PASS)
        return True

    def undo_null_move(self):
        self.pop(PASS)

    # -- the end -------------------------------------------------------------------------------

    def result(self):
        if self.winner < 0 and self.ply < self.rounds * self.players:
            return 0
        return SCORED if self.players > 2 else DRAWN + self.rank_balance(self.turn)

    def points(self):
        return self.c_unit * self.rank_balance(self.turn)

    def payoff(self, player):
        return self.c_unit * self.rank_balance(player)

    def rank_balance(self, player):
        """The number of players behind this one, less those ahead."""
        i: cython.int
        own: cython.int = -1 if player == self.winner else self.steps_left[player]
        count: cython.int = 0
        for i in range(self.players):
            other: cython.int = -1 if i == self.winner else self.steps_left[i]
            count += (other > own) - (other < own)
        return count

    # -- for search ----------------------------------------------------------------------------

    def hash(self):
        h: cython.ulonglong = self.zobrist_key ^ spread(self.ply)
        h = fold(h, h >> 29)
        return h ^ (h >> 32)

    def hint(self, move):
        """Hops toward the goal first, the longest before the others."""
        if move >= PASS:
            return 0
        tip: cython.int = 121 * self.turn
        gained: cython.int = self.tip_distances[tip + (move >> 7)] - self.tip_distances[tip + (move & 127)]
        return gained if gained > 1 else 0

    def load_weights(self, evaluation):
        """Take the weights of `remaining_distance`."""
        if not evaluation.weights:
            return
        weights = evaluation.weights
        i: cython.int
        p: cython.int
        for p in range(self.players):
            path_offsets = star.path_offsets(self.goal[p])
            self.goal_offset[p] = 0
            for i in range(121):
                steps = self.tip_distances[121 * p + i]
                cost = weights["step"] * steps + weights["straggler"] * steps * (steps + 1) // 32
                self.weighted_distance[121 * p + i] = cost + weights["aside"] * path_offsets[i]
                if self.corner[i] == self.goal[p]:
                    self.goal_offset[p] += self.weighted_distance[121 * p + i]
            self.weighted_steps[p] = -self.goal_offset[p]
            for i in range(121):
                if self.taken[i] == p + 1:
                    self.weighted_steps[p] += self.weighted_distance[121 * p + i]

    def remaining_distance(self, player):
        """The distance of a player's pegs to their goal, in tenths of a step."""
        return 10 * self.steps_left[player] if self.evaluation_index == 1 else self.weighted_steps[player]

    def score(self):
        if self.evaluation_index == USER_DEFINED:
            return self.user_score()
        if self.players > 2:
            return self.score_for(self.turn)
        return (
            0
            if self.evaluation_index == 2
            else self.remaining_distance(1 - self.turn) - self.remaining_distance(self.turn)
        )

    def score_for(self, player):
        """With more than two players, a share of a place from each other player, growing with the lead."""
        if self.evaluation_index == USER_DEFINED:
            return self.user_score_for(player)
        if self.players == 2:
            return self.score() if player == self.turn else -self.score()
        i: cython.int
        value: cython.int = 0
        if self.evaluation_index == 2:
            return 0
        for i in range(self.players):
            ahead: cython.int = self.remaining_distance(i) - self.remaining_distance(player)
            if ahead >= 0:
                value += self.c_unit * ahead // (ahead + HALF_PLACE_LEAD)
            else:
                value -= self.c_unit * -ahead // (HALF_PLACE_LEAD - ahead)
        return value

    def push_random(self, base):
        """A random move toward the goal, one time in eight any move."""
        if self.result():
            return -1
        if not self.policy:
            return Kernel.push_random(self, base)
        end: cython.int = self.generate(base)
        bits: cython.ulonglong = self.random_bits()
        count: cython.int = 0
        tip: cython.int = 121 * self.turn
        i: cython.int
        move: cython.int = self.stack[base]
        if bits & 7 and move < PASS:
            for i in range(base, end):
                move = self.stack[i]
                if self.tip_distances[tip + (move >> 7)] > self.tip_distances[tip + (move & 127)]:
                    self.stack[base + count] = move
                    count += 1
        if not count:
            count = end - base
        i = base + cython.cast(cython.int, ((bits >> 32) * count) >> 32)
        move = self.stack[i]
        self.push(move)
        return move

    # -- for people ----------------------------------------------------------------------------

    def moves_by_holes(self):
        """The legal moves by (start, end) hole."""
        return {(move >> 7, move & 127): move for move in self.moves() if move < PASS}

    def pegs_by_hole(self):
        """The peg on each hole."""
        return [self.taken[i] for i in range(121)]

    def format(self, move):
        """A move as its two holes, `j4-i5`, or `pass`."""
        if move == PASS:
            return "pass"
        return f"{star.NAMES[move >> 7]}-{star.NAMES[move & 127]}"

    def parse(self, text):
        """The legal move that `text` names, by its two holes or all of its path."""
        moves = self.moves_by_holes()
        if text.strip().lower() == "pass" and not moves:
            return PASS
        return star.parse(text, moves, self.pegs_by_hole(), self.turn, self.sides[self.turn])

    def text(self):
        """Each player's holes, / between players, and the number of moves made."""
        return star.text(self.pegs_by_hole(), self.players, self.ply)

    def setup(self, text):
        """Set this position from holes, moves, or holes followed by moves."""
        words = text.split()
        self.start = None
        if words and "/" in words[0]:
            taken, ply = star.read(words, self.players, PEGS)
            if ply > self.rounds * self.players:
                raise BadInput(f"the game ends after {self.rounds * self.players} moves, not {ply}")
            self.place_pegs(taken, ply)
            self.start = " ".join(words[:2])
            words = words[2:]
        else:
            self.begin()
        Kernel.setup(self, " ".join(words))

    def ending(self):
        """The reason for the end of the game."""
        if self.winner >= 0:
            return f"{self.sides[self.winner]}'s corner is full"
        return f"{self.rounds} rounds are over"

    def board(self, viewer=None, last=None):
        """The drawing of the star, with the path of the last move."""
        notes = {
            player: f"{self.pegs_home[player]} home, {self.steps_left[player]} steps left"
            for player in range(self.players)
        }
        move = None if last is None or last >= PASS else (last >> 7, last & 127)
        moves = {} if self.result() else self.moves_by_holes()
        return star.board(self.pegs_by_hole(), moves, move, self.players, notes)

    def __str__(self):
        return star.drawing(self.pegs_by_hole())
