# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Backgammon with matches and the doubling cube.  C types: game.pxd.

The class is built in layers: the position and checker steps (`state.py`), legal moves (`movegen.py`), cube
and match (`match_play.py`), and here moves, evaluation and text. `layout.py` draws positions and moves.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.errors import BadInput, IllegalMove, Usage
from gameplay.games.backgammon import drawing, identity, notation
from gameplay.games.backgammon.evaluation import EVALUATIONS
from gameplay.games.backgammon.inputs import BackgammonInputs
from gameplay.games.backgammon.match_play import BackgammonMatch
from gameplay.games.backgammon.match_rules import ToPoints
from gameplay.plural import plural

if cython.compiled:
    from cython.cimports.gameplay.games.backgammon.contact_terms import ContactTerms
    from cython.cimports.gameplay.games.backgammon.learned_network import LearnedNetwork
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.gameplay.value import USER_DEFINED
    from cython.cimports.libc.math import floor
else:
    from math import floor

    from gameplay.games.backgammon.contact_terms import ContactTerms
    from gameplay.games.backgammon.layout import *
    from gameplay.games.backgammon.learned_network import LearnedNetwork
    from gameplay.position import CHANCE
    from gameplay.value import USER_DEFINED

MAX_MATCH = 64  # the longest match, in points


def round_half_up(value):
    """The nearest integer, halves upwards."""
    return cython.cast(cython.int, floor(value + 0.5))


class Backgammon(BackgammonMatch):
    """Backgammon: bear off your fifteen checkers before the opponent does.

    White moves from point 24 to point 1 and then off; black moves the other way and counts from their own
    side. A roll is two dice. Each die moves one checker by its number of points, but not to a point where
    two or more opposing checkers stand. A double is played four times. A player who can play both dice must
    do so; a player who can play only one of them must play the higher if possible.

    A single checker that is hit goes to the bar. It must enter on points 24 to 19 before any other checker
    moves. When all fifteen checkers are on points 6 to 1 they are borne off; a number that is too high bears
    off only from the highest point. A win pays 1 point; 2 (a gammon) if the opponent has borne off no
    checker; 3 (a backgammon) if the opponent also has a checker on the bar or on the winner's points 1 to 6.

    At the start each player rolls one die, and the higher one plays both. `match=7` is a match to 7 points,
    with the doubling cube and the Crawford rule. `cube=on` is one game with the cube, `jacoby=on` one with
    the Jacoby rule: gammons count only if the cube was turned. Before a roll `double` offers to double the
    stake; the opponent answers `take` and owns the cube, or `drop` and loses the previous stake. The cube
    goes up to 64.

    `resign` offers to lose what the cube shows, `resign gammon` twice and `resign backgammon` three times as
    much. The opponent answers `accept`, or `decline` and the game goes on. A match continues with its next
    game.

    A move is the whole turn: `13/10 8/5*`, `bar/22 6/4`, `6/off(2)`, `24/18`, in any order; or `pass`. A
    position is GNU Backgammon's position ID and match ID: `4HPwATDgc/ABMA:cAkAAAAAAAAE`.
    """

    sides = ("white", "black")
    cell_shape = (1, 28)  # off, the points 1 to 24 of the first player, both bars, off
    cell_letters = ("", "X1", "X2", "X3", "X4", "O1", "O2", "O3", "O4")  # on the points; elsewhere numbers
    drawless = True
    records = ".mat"  # the format of its files
    match_rules = (ToPoints,)
    aliases = {"w": 0, "b": 1, "x": 0, "o": 1}
    chance = True
    evaluates_chance_nodes = True
    evaluations = EVALUATIONS
    phases = ("contact", "race")

    def __init__(self, match: cython.int = 0, cube: cython.bint = False, jacoby: cython.bint = False):
        if not 0 <= match <= MAX_MATCH:
            raise BadInput(
                f"match must be from 1 to {MAX_MATCH} points, not {match}; match=0 is a single game"
            )
        if jacoby and match:
            raise BadInput("the Jacoby rule is for single games, not for matches")
        if jacoby and not cube:
            raise BadInput("the Jacoby rule needs the cube: cube=on,jacoby=on")
        BackgammonMatch.__init__(self, match, cube, jacoby)
        self.evaluator = LearnedNetwork(EVALUATIONS["learned"].weights)
        self.turn_names = None

    @staticmethod
    def fits(match=0, cube=False, jacoby=False):
        """True: the board is always the same."""
        return True

    @property
    def unit(self):
        """1000 to a point; 100,000 to a match of several, of which one game decides a small share."""
        return 1000 if self.match < 2 else 100_000

    @property
    def calibrated(self):
        """True if values are winning probabilities, not points: in a match."""
        return bool(self.match)

    @property
    def high(self):
        """The highest payoff: three times the cube."""
        return 1 if self.match else 3 << (HIGHEST if self.cube else 0)

    @property
    def low(self):
        """The lowest payoff."""
        return -self.high

    @property
    def scored(self):
        """True if points count; a match is only won or lost."""
        return not self.match

    @property
    def stake(self):
        """The points lost by a player who resigns a single game: the cube."""
        return 1 << self.state[CUBE]

    @property
    def on_roll(self):
        """The player who rolls or has rolled."""
        return self.state[MOVER]

    # -- moves -------------------------------------------------------------------------------------

    def make(self, move):
        """Play a legal move. Raises IllegalMove for any other, before anything has changed."""
        self.reserve_plies()
        BackgammonMatch.make(self, move)

    def push(self, move):
        self.save_state()
        self.ply += 1
        stage: cython.int = self.state[STAGE]
        mover: cython.int = self.state[MOVER]
        if move & ACTION:
            self.apply_action(move & 15)
        elif stage == PLAY:
            self.play(move)
            if self.state[OTHER * mover] == CHECKERS:
                self.end_game(mover, self.margin(1 - mover), OVER)
            else:
                self.begin_turn(1 - mover)
        else:
            high: cython.int = move & 7
            if stage == OPENING and high < (move >> 3 & 7):
                self.state[MOVER] = mover = 1
                self.state[LOW] = high
                self.state[HIGH] = move >> 3 & 7
            else:
                if stage == OPENING:
                    self.state[MOVER] = mover = 0
                self.state[HIGH] = high
                self.state[LOW] = move >> 3 & 7
            self.state[STAGE] = PLAY
            self.turn = mover

    def play(self, move):
        """Move the checkers of a play."""
        me: cython.int = OTHER * self.turn
        first: cython.int = self.state[LOW] if move & LATER else self.state[HIGH]
        second: cython.int = self.state[HIGH] if move & LATER else self.state[LOW]
        i: cython.int
        for i in range(4):
            source: cython.int = move >> (5 * i) & 31
            if not source:
                break
            self.step(me, source, second if i & 1 else first)

    # -- evaluation --------------------------------------------------------------------------------

    def score(self):
        if self.evaluation_index == USER_DEFINED:
            return self.user_score()
        return self.score_for(self.turn) if self.turn != CHANCE else 0

    def score_for(self, player):
        """A player's expected payoff before the roll; dice already rolled are ignored."""
        if self.evaluation_index == USER_DEFINED:
            return self.user_score_for(player)
        stage: cython.int = self.state[STAGE]
        if stage == OPENING and not self.match:
            return 0
        mover: cython.int = self.state[MOVER]
        equity: cython.double = 0.0
        if stage != OPENING:
            equity = self.evaluator.equity(self.state, OTHER * mover) / 1000.0
        cube: cython.int = self.state[CUBE]
        owner: cython.int = self.state[OWNER]
        if stage == ANSWER:
            cube += 1
            owner = 1 - mover
        elif self.jacoby and not cube:  # gammons do not count
            equity = self.evaluator.chances[0] - self.evaluator.chances[3]
        if self.match and stage != OPENING and self.cube_is_dead(cube):
            value: cython.double = self.mean_payoff(mover, cube)
        else:
            value = self.payoff_of(mover, self.cubeful(equity, mover, owner, cube), cube)
        if stage == ANSWER:  # the opponent takes or drops, whichever is worse for the mover
            value = min(value, self.payoff_of(mover, 1.0, cube - 1))
        elif stage == RESIGNED:
            value = min(value, self.payoff_of(mover, -self.state[POINTS], cube))
        points: cython.int = round_half_up(self.c_unit * value)
        return points if player == mover else -points

    def mean_payoff(self, player, cube):
        """The mean payoff in a match for the player on roll, with a dead cube, by the `chances`."""
        chance: cython.p_double = self.evaluator.chances
        won: cython.double = 0.0  # the match
        k: cython.int
        for k in range(3):
            more: cython.double = chance[k + 1] if k < 2 else 0.0
            won += (chance[k] - more) * self.win_probability(player, (k + 1) << cube)
            more = chance[k + 4] if k < 2 else 0.0
            won += (chance[k + 3] - more) * self.win_probability(player, -((k + 1) << cube))
        return 2 * won - 1

    def load_weights(self, evaluation):
        """Select an evaluation of the game, with its weights."""
        if evaluation.name in EVALUATIONS:
            evaluator = LearnedNetwork if evaluation.name == "learned" else ContactTerms
            self.evaluator = evaluator(evaluation.weights)

    def terms(self):
        """The terms of `terms`, the side on roll first, as pairs (index, amount in 16ths)."""
        terms: ContactTerms = ContactTerms(EVALUATIONS["terms"].weights)
        terms.collect(self.state, OTHER * self.state[MOVER])
        return terms.last_terms()

    def phase(self):
        """1 in a race, without contact; else 0."""
        highest: cython.int = BAR
        opponent_highest: cython.int = BAR
        while highest and not self.state[highest]:
            highest -= 1
        while opponent_highest and not self.state[OTHER + opponent_highest]:
            opponent_highest -= 1
        return 1 if highest + opponent_highest < BAR else 0

    # -- texts -------------------------------------------------------------------------------------

    def steps(self, move):
        """The steps of a play: the point that a checker leaves, the point where it lands, whether it hits."""
        return notation.steps(self.snapshot(), move)

    def turns(self):
        """The legal plays with their steps, and by name. Cached for the last position."""
        if self.turn_names is None or self.turn_names[0] != self.hash():
            steps = {move: self.steps(move) for move in self.moves()}
            names = {notation.format_turn(turn): move for move, turn in steps.items()}
            self.turn_names = (self.hash(), steps, names)
        return self.turn_names[1:]

    def format(self, move):
        """A legal move as one word: `13/10;8/5*`, `pass`, `31` for a roll, `double`."""
        if move & ACTION:
            return notation.ACTION_NAMES[move & 15]
        if move & ROLLED:
            return f"{move & 7}{move >> 3 & 7}"
        return notation.format_turn(self.steps(move))

    def parse(self, text):
        """Parse a legal move in any usual form: `8/5 13/10`, `13/10;8/5*`, `24/20/18`."""
        stage: cython.int = self.state[STAGE]
        if stage >= OVER:
            raise IllegalMove(f"'{text.strip()}': the game is over")
        offers = {self.format(move): move for move in self.concessions()}
        word = notation.action_name(text)
        if word in offers:
            return offers[word]
        if offers and word.startswith("resign"):
            raise IllegalMove(notation.resignation_error(text, self.state[OTHER * self.state[MOVER]] > 0))
        if stage == PLAY:
            return notation.parse_turn(text, *self.turns(), self.snapshot())
        names = {self.format(move): move for move in self.moves()}
        if stage == ROLLING and len(word) == 2 and word[::-1] in names:
            return names[word[::-1]]
        if word in names:
            return names[word]
        raise IllegalMove(notation.illegal_action_error(text, list(names), self.turn == CHANCE))

    def text(self):
        """GNU Backgammon's position and match ID, then `roll` if the player has declined to double."""
        state = self.snapshot()
        state[TURN] = self.turn
        rolling = " roll" if self.state[STAGE] == ROLLING and self.may_double(self.state[MOVER]) else ""
        return identity.identity(state, self.match, self.jacoby) + rolling

    def opening(self, score, crawford):
        """The start of a later game of the match as text; crawford: there was no Crawford game yet."""
        state = type(self)(match=self.match).snapshot()
        state[SCORE], state[SCORE + 1] = score
        state[CRAWFORD] = int(crawford and max(score) == self.match - 1 > min(score))
        state[TURN] = CHANCE
        return identity.identity(state, self.match, self.jacoby)

    def setup(self, text):
        """Set this position from an ID, moves, or an ID followed by moves."""
        first, _, moves = " ".join(text.split()).partition(" ")
        self.ply = 0
        self.made.clear()
        self.start = None
        i: cython.int
        for i in range(SCORE, SIZE):
            self.state[i] = 0
        self.place_start()
        if identity.is_identity(first):
            state = identity.read_identity(first, self.match, self.cube)
            for i in range(SIZE):
                self.state[i] = state[i]
            self.turn = self.state[TURN]
            self.update_sum()
            if self.state[STAGE] == ROLLING:
                self.begin_turn(self.state[MOVER])
            elif self.state[STAGE] >= OVER and not self.state[POINTS]:
                self.state[POINTS] = 1 if self.jacoby and not self.state[CUBE] else self.margin(self.turn)
            self.start = first
        else:
            moves = text
        BackgammonMatch.setup(self, moves)

    def lay_out(self, own_home, opponent_home):
        """Set up a bear-off: player 0 to roll, these numbers of checkers on points 1 to 6, the others off."""
        own, other = [
            [CHECKERS - sum(checkers), *checkers, *[0] * 19] for checkers in (own_home, opponent_home)
        ]
        self.setup(identity.position_id(other, own))

    def ending(self):
        """The kind of ending, "" for a single win; the score of a match."""
        if self.state[STAGE] < OVER:
            return ""
        winner: cython.int = self.state[WINNER]
        if self.match:
            return f"{plural(self.state[SCORE + winner], 'point')} to {self.state[SCORE + 1 - winner]}"
        if self.state[STAGE] == GIVEN:
            return ("resignation", "a resigned gammon", "a resigned backgammon")[self.state[POINTS] - 1]
        if self.state[OTHER * winner] < CHECKERS:
            return "a dropped double"
        return ("", "a gammon", "a backgammon")[self.margin(1 - winner) - 1]

    def network_inputs(self):
        """The inputs of neural networks. Raises Usage for a game in which the cube or the score matters."""
        if self.cube or self.match > 1:
            raise Usage(
                "networks see neither the cube nor the score: expected no cube, and match=0 or match=1"
            )
        return BackgammonInputs()

    # -- drawing -----------------------------------------------------------------------------------

    def read_cells(self, codes):
        point: cython.int
        for point in range(1, 25):  # from player 0's side; four checkers or more have one code
            own: cython.int = self.state[point]
            opponent: cython.int = self.state[OTHER + 25 - point]
            codes[point] = min(own, 4) if own else 4 + min(opponent, 4) if opponent else 0
        codes[25] = min(self.state[BAR], 8)
        codes[26] = min(self.state[OTHER + BAR], 8)
        codes[0] = min((self.state[0] + 1) // 2, 8)
        codes[27] = min((self.state[OTHER] + 1) // 2, 8)

    def board(self, viewer=None, last=None):
        """The drawing of the position; points are numbered from the side of the player on roll."""
        moves = self.moves() if self.state[STAGE] == PLAY else ()
        return drawing.board(self.snapshot(), self.match, self.cube, moves, self.landing_cells())

    def landing_cells(self):
        """The cells where checkers landed in the last play; later rolls and cube actions are skipped."""
        for back in range(1, min(4, len(self.made)) + 1):
            state = self.earlier_state(back)
            if state[STAGE] == PLAY:
                move = self.made[len(self.made) - back]
                if self.state[STAGE] == OPENING:
                    return ()  # the play belongs to the previous game
                return tuple([drawing.cell(to, state[MOVER]) for _, to, _ in notation.steps(state, move)])
        return ()

    def __str__(self):
        return drawing.text(self.snapshot())
