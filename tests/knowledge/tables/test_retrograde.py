"""Retrograde analysis of games drawn at random, and what it says of those that contradict themselves.

Such a game is written in Python, and takes the place of one of ours: in the pure build only.
"""

from array import array
from random import Random

import pytest

from gameplay import value as scale
from gameplay.errors import Fault
from gameplay.kernel import compiled
from gameplay.knowledge.tables import retrograde
from gameplay.knowledge.tables.retrograde import NONE, Retrograde

pytestmark = pytest.mark.skipif(compiled(), reason="compiled code takes compiled games only")

FOREIGN, TWISTED = 1, 4  # of ERRORS
ENDS = {"lost": scale.LOST, "drawn": scale.DRAWN, "strange": 77, "unrank": scale.ONGOING}


class Graph:
    """A game of numbered places: the result or the moves of each, by slice and number."""

    max_moves = 300

    def __init__(self, places):
        self.places = places
        self.made, self.stack, self.weight, self.room = [], [], [], 0
        self.before = {}
        for place, moves in places.items():
            for to in moves if isinstance(moves, list) else []:
                self.before.setdefault(to, []).append(place)

    def reserve(self, room):
        self.room = room

    def slice_name(self, slice):
        return f"S{slice}"

    def unrank(self, slice, number):
        self.made = [(slice, number)]
        return (slice, number) in self.places

    def rank(self):
        if isinstance(self.made[-1], str):
            return -1
        self.slice, number = self.made[-1]
        return number

    def result(self):
        result = self.made[-1] if isinstance(self.made[-1], str) else self.places[self.made[-1]]
        return ENDS[result] if isinstance(result, str) else scale.ONGOING

    def gen(self, base):
        assert base == 0
        self.stack = list(range(len(self.places[self.made[-1]])))
        return len(self.stack)

    def push(self, move):
        self.made.append(self.places[self.made[-1]][move])

    def pop(self, move):
        self.made.pop()

    def gen_before(self, base):
        assert base == 0
        predecessors = self.before.get(self.made[-1], [])
        self.weight, self.stack = [slice for slice, _ in predecessors], [number for _, number in predecessors]
        return len(predecessors)

    def orbit_size(self):
        return 1 + (self.made[-1][1] == 0)


def solver(game, own, others=(), known=()):
    codes = retrograde.allocate_codes(sum(span for _, span in [*own, *others]))
    if known:
        codes[-len(known) :] = array("H", known)
    return Retrograde(game, list(own), list(others), codes)


def solve(game, own, others=(), known=()):
    """The codes of a game, computed in all three steps."""
    work = solver(game, own, others, known)
    for slice, (_, span) in enumerate(own):
        work.init_range(slice, 0, span)
    level = 1
    while level <= work.max_code:
        for slice, (_, span) in enumerate(own):
            work.step(slice, 0, span, level)
        level += 1
    work.mark_draws()
    return work


def codes_by_theorem(places, known):
    """The codes by the theorem alone, ply by ply."""
    codes = dict(known)
    for place, moves in places.items():
        if moves in ("lost", "drawn"):
            codes[place] = int(moves == "lost")
    for plies in range(1, 200):
        results = {}
        for place, moves in places.items():
            if place in codes:
                continue
            ends = {"lost": 1, "drawn": 0}
            after = [ends[to] if isinstance(to, str) else codes.get(to) for to in moves]
            won = plies % 2 == 1  # one is lost in a ply less, the code of which is the plies
            lost = not won and all(move and move % 2 == 0 for move in after) and max(after) == plies
            if lost or (won and plies in after):
                results[place] = plies + 1
        codes |= results
    return {place: codes.get(place, 0) for place in places}


def random_graph(rng):
    """Two slices with moves to each other, one solved; each has a number without a position."""
    own, known = [(7, 14), (3, 9)], [rng.randrange(7) for _ in range(5)]
    numbers = [(slice, number) for slice, span in own for number in range(span) if number != span // 2]
    ends = ["lost", "drawn", *((9, number) for number in range(5))]
    places = {}
    for place in numbers:
        if rng.random() < 0.15:
            places[place] = rng.choice(("lost", "lost", "drawn"))
            continue
        most = rng.choice((1, 2, 3, 5))
        places[place] = [
            rng.choice(ends) if rng.random() < 0.1 else rng.choice(numbers)
            for _ in range(rng.randint(1, most))
        ]
    return places, own, known


def test_retrograde_values_of_random_games_equal_the_theorem():
    rng, longest = Random(3), 0
    for _ in range(40):
        places, own, known = random_graph(rng)
        work = solve(Graph(places), own, [(9, 5)], known)
        right = codes_by_theorem(places, {(9, number): code for number, code in enumerate(known)})
        codes = [right.get((slice, number), NONE) for slice, span in own for number in range(span)]
        assert list(work.codes) == codes + known
        longest = max(longest, *(code for code in codes if code != NONE))
        for number, (_, span) in enumerate(own):
            assert work.find_mismatch(number, 0, span) == -1
        at = rng.choice([i for i in range(14) if i != 7])
        was = work.codes[at]
        work.codes[at] = rng.choice([code for code in range(6) if code != was])
        assert 0 <= work.find_mismatch(0, 0, 14) <= at or work.find_mismatch(1, 0, 9) >= 0
        work.codes[at] = was
        totals = array("q", bytes(8 * 2 * (NONE + 1)))
        for number, (_, span) in enumerate(own):
            work.census(number, 0, span, totals)
        for code in range(20):
            assert totals[2 * code] == codes.count(code)
        twice = sum(right[slice, 0] == 0 for slice, _ in own)
        assert totals[1] == codes.count(0) + twice and totals[2 * NONE] == 0
    assert longest == 12


CHAIN = {(0, 0): "lost", (0, 1): [(0, 0)], (0, 2): [(0, 1)], (0, 3): [(0, 2), (0, 3)]}
FAULTS = [  # places, how many numbers, what is wrong and with which number
    ({(0, 0): [(5, 1)]}, 1, 0, "a move leads to a position outside all slices"),
    ({(0, 0): "lost", (0, 1): ["unrank"]}, 2, 1, "a move leads to a position outside all slices"),
    ({(0, 0): [(9, 1)]}, 1, 0, "a move leads to a position outside all slices"),
    ({(0, 0): "strange"}, 1, 0, "a game ends with a result other than a draw or a loss for the mover"),
    ({(0, 0): ["strange"]}, 1, 0, "a game ends with a result other than a draw or a loss for the mover"),
    (
        {(0, 0): [(0, number) for number in range(255)]},
        255,
        0,
        "a position has more than 254 successors in its slices",
    ),
]


@pytest.mark.parametrize(("places", "span", "number", "words"), FAULTS)
def test_impossible_game_is_refused(places, span, number, words):
    work = solver(Graph(places), [(0, span)], [(9, 2)], [0, NONE])
    with pytest.raises(Fault) as fault:
        work.init_range(0, 0, span)
    assert str(fault.value) == f"number {number} of slice S0: {words}"
    assert work.error == 0


def test_the_maximum_number_of_successors_is_supported():
    places = {(0, number): "lost" for number in range(1, 255)}
    places[0, 0] = [(0, number) for number in range(1, 255)] * 2
    assert list(solve(Graph(places), [(0, 255)]).codes) == [2] + [1] * 254


NO_MOVE_LEFT = {(0, 0): [(0, 1), (0, 4)], (0, 1): [(0, 2)], (0, 4): [(0, 2)]}


@pytest.mark.parametrize(
    ("before", "number", "kind"),
    [
        ({(0, 0): [(5, 1)]}, 0, FOREIGN),  # no slice of ours
        ({(0, 0): [(9, 0)]}, 0, FOREIGN),  # one that is known already
        ({(0, 0): [(0, 1)], (0, 1): [(5, 1)]}, 1, FOREIGN),
        ({(0, 0): [(0, 4)], (0, 4): [(0, 1), (9, 0)]}, 4, FOREIGN),
        ({(0, 0): [(0, 5)]}, 0, TWISTED),  # no position
        (NO_MOVE_LEFT, 4, TWISTED),
    ],
)
def test_moves_and_the_moves_that_lead_back_must_agree(before, number, kind):
    game = Graph(CHAIN | {(0, 4): [(0, 0)]})
    game.before = before
    work = solver(game, [(0, 6)], [(9, 1)], [0])
    work.init_range(0, 0, 6)
    with pytest.raises(Fault) as fault:
        for level in (1, 2):
            work.step(0, 0, 6, level)
    assert str(fault.value) == f"number {number} of slice S0: {retrograde.ERRORS[kind]}"


def test_missing_position_is_reported():
    game = Graph(dict(CHAIN))
    work = solver(game, [(0, 4)])
    work.init_range(0, 0, 4)
    del game.places[0, 0]
    with pytest.raises(Fault, match="number 0 of slice S0: its moves and generated predecessors"):
        work.step(0, 0, 4, 1)


def test_plies_of_a_game_fit_the_table_code():
    work = solver(Graph(CHAIN), [(0, 4)])
    work.init_range(0, 0, 4)
    assert work.step(0, 1, 1, 65532) == 0
    with pytest.raises(Fault, match="number 1 of slice S0: a game is longer than 65533 plies"):
        work.step(0, 1, 1, 65533)
    assert work.step(0, 0, 4, 1) == 1


def test_memory_estimate_equals_the_slices():
    game = Graph(CHAIN)
    with pytest.raises(Fault) as fault:
        Retrograde(game, [(0, 4)], [(1, 2)], retrograde.allocate_codes(7))
    assert str(fault.value) == "7 codes for 6 numbers"
    slices = [(number, 1) for number in range(513)]
    with pytest.raises(Fault) as fault:
        Retrograde(game, slices[:3], slices[3:], retrograde.allocate_codes(513))
    assert str(fault.value) == "513 slices lead into one another; the maximum is 512"
    Retrograde(game, slices[:3], slices[3:512], retrograde.allocate_codes(512))
    assert game.room == 2 * 300 + 1024 and retrograde.allocate_codes(3) == array("H", [0, 0, 0])


def test_codes_are_packed_and_unpacked():
    """Numbers without a position repeat the previous code."""
    codes = [NONE, 0, 1, 2, NONE, 3, 256, 255, NONE]
    work = solver(Graph(CHAIN), [(0, 9)], (), codes)
    results, near = bytearray(3), bytearray(9)
    work.pack(0, 9, results, near)
    assert results == bytes([0b01_10_00_00, 0b10_01_10_01, 0b10])
    assert list(near) == [0, 0, 0, 1, 1, 2, 255, 254, 254]
    assert work.unpack(1, 5, results, near, 1, False) and list(work.codes[1:5]) == [0, 1, 2, 2]
    codes = [0, 300, 65534, NONE]
    work = solver(Graph(CHAIN), [(0, 4)], (), codes)
    results, near = bytearray(1), bytearray(8)
    work.pack(0, 4, results, near)
    assert results == bytes([0b01_01_01_00])
    assert list(near) == [0, 0, 43, 1, 253, 255, 253, 255]
    work.codes[:] = array("H", [9] * 4)
    assert work.unpack(0, 4, results, near, 0, True) and list(work.codes) == [0, 300, 65534, 65534]
    near[4] = 255
    assert not work.unpack(2, 3, results, near, 2, True), "lost in an even number of plies, won in an odd one"
    for result, plies, right in (
        (3, 1, False),
        (3, 2, False),
        (1, 1, True),
        (1, 2, False),
        (2, 2, True),
        (2, 3, False),
    ):
        assert work.unpack(0, 1, bytes([result]), bytes([plies]), 0, False) == right
    assert work.unpack(0, 1, b"\0", b"\7", 0, False) and work.codes[0] == 0
