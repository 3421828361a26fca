# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Neural-network inputs for backgammon (Tesauro 1992), from the view of the player on roll.

98 numbers for each side, the player on roll first:

    0-95    four for each point 1 to 24, by the side's own count: 1 if it has at least 1, 2, 3 checkers;
            half the number beyond three
    96      half the number of checkers on the bar
    97      the fraction of checkers borne off

196 such inputs for each phase of the game (phases.py), of which those of the position's phase are used: each
phase has weights of its own, at no cost in time. Then the features of contact (contact_features.py).

Tesauro's last two inputs name the side to move; here that is always the first. The dice are not inputs: only
positions before a roll are learned.  C types: inputs.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.shared.network_inputs import NetworkInputs

if cython.compiled:
    from cython.cimports.gameplay.games.backgammon.contact_features import FEATURES, ContactFeatures
    from cython.cimports.gameplay.games.backgammon.layout import *
    from cython.cimports.gameplay.games.backgammon.phases import PHASES, phase_of
    from cython.cimports.gameplay.games.backgammon.state import BackgammonState
else:
    from gameplay.games.backgammon.contact_features import FEATURES, ContactFeatures
    from gameplay.games.backgammon.layout import *
    from gameplay.games.backgammon.phases import PHASES, phase_of

    BackgammonState = object

SIDE = cython.declare(cython.int, 98)  # inputs of a side


class BackgammonInputs(NetworkInputs):
    """196 inputs for each phase, at most 30 of them nonzero: one per checker. Then the features of contact.

    `plain`: Tesauro's 196 inputs only.
    """

    def __init__(self, plain=False):
        features: cython.int = 0 if plain else FEATURES
        NetworkInputs.__init__(self, 2 * SIDE * (1 if plain else PHASES) + features, 30 + features)
        self.plain = plain
        self.features = ContactFeatures()

    def view(self, position):
        return cython.cast(BackgammonState, position).state[MOVER]

    def trains_on(self, position):
        return cython.cast(BackgammonState, position).state[STAGE] == ROLLING

    def read(self, position, indices, amounts):
        mover: cython.int = cython.cast(BackgammonState, position).state[MOVER]
        number: cython.int = 0
        first: cython.int = 0
        side: cython.int
        point: cython.int
        unit: cython.int
        if not self.plain:
            first = 2 * SIDE * phase_of(cython.cast(BackgammonState, position).state, OTHER * mover)
        for side in range(2):
            me: cython.int = OTHER * (mover if side == 0 else 1 - mover)
            base: cython.int = first + SIDE * side
            for point in range(1, BAR):
                checkers: cython.int = cython.cast(BackgammonState, position).state[me + point]
                for unit in range(min(checkers, 3)):
                    indices[number] = base + 4 * point - 4 + unit
                    amounts[number] = 1.0
                    number += 1
                if checkers > 3:
                    indices[number] = base + 4 * point - 1
                    amounts[number] = 0.5 * (checkers - 3)
                    number += 1
            bar: cython.int = cython.cast(BackgammonState, position).state[me + BAR]
            if bar:
                indices[number] = base + SIDE - 2
                amounts[number] = 0.5 * bar
                number += 1
            off: cython.double = cython.cast(BackgammonState, position).state[me]
            if off > 0:
                indices[number] = base + SIDE - 1
                amounts[number] = cython.cast(cython.float, off / CHECKERS)
                number += 1
        return number if self.plain else self.add_features(position, mover, indices, amounts, number)

    def add_features(self, position, mover, indices, amounts, number):
        """Write the features of contact after `number` other inputs; return the number of all inputs."""
        features = cython.declare(cython.double[24])
        if not cython.compiled:
            features = [0.0] * FEATURES
        i: cython.int
        if self.features.read(cython.cast(BackgammonState, position).state, OTHER * mover, features):
            for i in range(FEATURES):
                if features[i]:
                    indices[number] = 2 * SIDE * PHASES + i
                    amounts[number] = cython.cast(cython.float, features[i])
                    number += 1
        return number
