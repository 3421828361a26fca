"""GNU Backgammon's position and match IDs.

A position ID is ten bytes, the lowest bit first, in base 64: for each of the points 1 to 24 and the bar a 1
per checker, then a 0; first for the side not on roll, then for the side on roll. A match ID is 67 bits, the
lowest first (GNU Backgammon manual, "A technical description of the Match ID"):

    4  the cube as a power of two      3  the game: 0 not started, 1 going, 2 over, 3 resigned, 4 dropped
    2  its owner, 3: centred           1  the player to decide
    1  the player on roll              1  a double is offered
    1  this is the Crawford game       2  a resignation is offered     15     length of the match
                                       3, 3  the dice                  15, 15 the scores
                                                                       1      without the Jacoby rule
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Sequence

from gameplay.errors import BadInput
from gameplay.games.backgammon.layout import *
from gameplay.position import CHANCE

EXAMPLE = "4HPwATDgc/ABMA:cAkAAAAAAAAE"


def _encode(bits: int, size: int) -> str:
    return b64encode(bits.to_bytes(size, "little")).decode().rstrip("=")


def _decode(word: str, size: int) -> int:
    return int.from_bytes(b64decode(word + "=" * (-len(word) % 4))[:size], "little")


def position_id(waiting: Sequence[int], rolling: Sequence[int]) -> str:
    """The position ID of both sides' checkers, each by point from 0, off, to 25, the bar."""
    bits = place = 0
    for checkers in (waiting, rolling):
        for point in range(1, 26):
            bits |= ((1 << checkers[point]) - 1) << place
            place += checkers[point] + 1
    return _encode(bits, 10)


def identity(state: Sequence[int], match: int, jacoby: bool) -> str:
    """The position ID and the match ID of a position."""
    mover, stage, turn = state[MOVER], state[STAGE], state[TURN]
    checkers = (state[0:26], state[26:52])
    dropped = stage == OVER and checkers[state[WINNER]][0] < 15
    game = {OPENING: 0, OVER: 4 if dropped else 2, GIVEN: 3}.get(stage, 1)
    owner = 3 if state[OWNER] == 2 else state[OWNER]
    fields = (
        (state[CUBE], 4),
        (owner, 2),
        (mover, 1),
        (state[CRAWFORD], 1),
        (game, 3),
        (mover if turn == CHANCE else turn, 1),
        (int(stage == ANSWER), 1),
        (state[POINTS] if stage in (RESIGNED, GIVEN) else 0, 2),
        (state[HIGH], 3),
        (state[LOW], 3),
        (match, 15),
        (state[SCORE], 15),
        (state[SCORE + 1], 15),
        (int(not jacoby), 1),
    )
    bits = place = 0
    for value, width in fields:
        bits |= value << place
        place += width
    return f"{position_id(checkers[1 - mover], checkers[mover])}:{_encode(bits, 9)}"


def is_identity(word: str) -> bool:
    """True if a word has the form of a position ID, not of a move."""
    return len(word) > 12 and re.fullmatch(r"[A-Za-z0-9+/]{13,15}=?=?(:.*)?", word) is not None


def read_identity(word: str, match: int, cube: bool) -> list[int]:
    """Parse an ID into a state, laid out as in `layout.py`. Raises BadInput.

    Without a match ID player 0 is on roll, in the first game, with a centred cube.
    """
    first, colon, second = word.partition(":")
    state = [0] * SIZE
    state[OWNER], state[STAGE], state[TURN] = 2, ROLLING, CHANCE
    if colon:
        _read_match(second.rstrip("="), match, cube, state)
    mover = state[MOVER]
    waiting, rolling = _checkers(first.rstrip("="))
    state[26 * mover : 26 * mover + 26] = rolling
    state[26 - 26 * mover : 52 - 26 * mover] = waiting
    finished = [player for player in (0, 1) if state[26 * player] == 15]
    if len(finished) > 1:
        raise BadInput(f"'{first}': both sides have borne off all checkers")
    if finished:
        state[STAGE], state[WINNER], state[TURN] = OVER, finished[0], 1 - finished[0]
        state[HIGH] = state[LOW] = 0
    elif state[STAGE] == OVER and not state[POINTS]:
        raise BadInput(f"'{word}' is of a finished game, but neither side has borne off all checkers")
    return state


def _checkers(word: str) -> tuple[list[int], list[int]]:
    """The checkers of a position ID: of the side not on roll, then of the side on roll."""
    if len(word) != 14:
        raise BadInput(f"'{word}': a position ID must have 14 characters, not {len(word)} ({EXAMPLE})")
    bits = _decode(word, 10)
    sides = []
    for who in ("the side that is not on roll", "the side on roll"):
        checkers = [0] * 26
        for point in range(1, 26):
            while bits & 1:
                checkers[point] += 1
                bits >>= 1
            bits >>= 1
        if sum(checkers) > 15:
            raise BadInput(f"'{word}': {who} has {sum(checkers)} checkers; expected at most 15")
        checkers[0] = 15 - sum(checkers)
        sides.append(checkers)
    if bits:
        raise BadInput(f"'{word}': bits are left over after the checkers of both sides")
    both = [point for point in range(1, 25) if sides[1][point] and sides[0][25 - point]]
    if both:
        raise BadInput(f"'{word}': both sides have checkers on point {both[0]} of the side on roll")
    return sides[0], sides[1]


def _read_match(word: str, match: int, cube: bool, state: list[int]) -> None:
    """Read a match ID into a state."""
    if len(word) != 12 or not re.fullmatch("[A-Za-z0-9+/]+", word):
        raise BadInput(
            f"'{word}': a match ID must have 12 letters, digits, + and /, not {len(word)} ({EXAMPLE})"
        )
    bits = _decode(word, 9)
    fields = []
    for width in (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15):
        fields.append(bits & ((1 << width) - 1))
        bits >>= width
    power, owner, mover, crawford, game, _, offered, resigned, one, other, length, *points = fields
    spec = f"backgammon:match={length}" if length else "backgammon"
    if length != match:
        what = f"a match to {length} points" if length else "a single game"
        raise BadInput(f"'{word}' is of {what}. Try: {spec}")
    if (power or owner != 3 or offered) and not cube:
        raise BadInput(f"'{word}' uses the doubling cube. Try: backgammon:cube=on")
    if power > 6:
        raise BadInput(f"'{word}': the cube shows {1 << power}; expected at most 64")
    if owner == 2 or (owner == 3 and power):
        raise BadInput(f"'{word}': a cube that was turned has owner 0 or 1")
    if match and max(points) >= match and game == 1:
        raise BadInput(f"'{word}': with {points[0]} to {points[1]} points the match is over")
    if max(one, other) > 6 or bool(one) != bool(other):
        raise BadInput(f"'{word}': {one} and {other} are not a roll of two dice")
    if resigned and (game not in (1, 3) or offered):
        raise BadInput(f"'{word}': no resignation can be pending in this state")
    if crawford and game == 1 and (not match or max(points) != match - 1):
        raise BadInput(f"'{word}': a Crawford game requires a player one point from winning the match")
    state[CUBE], state[OWNER], state[CRAWFORD] = power, 2 if owner == 3 else owner, crawford
    state[SCORE], state[SCORE + 1] = [min(each, match) for each in points]
    state[MOVER], state[TURN] = mover, CHANCE
    if game == 0:
        state[STAGE], state[MOVER] = OPENING, 0
    elif game == 3:
        state[STAGE], state[POINTS], state[WINNER], state[TURN] = GIVEN, resigned or 1, 1 - mover, mover
    elif game == 4:
        state[STAGE], state[POINTS], state[WINNER], state[TURN] = OVER, 1, mover, 1 - mover
    elif game != 1:
        state[STAGE] = OVER
    elif resigned:
        state[STAGE], state[POINTS], state[TURN] = RESIGNED, resigned, 1 - mover
        state[HIGH], state[LOW] = max(one, other), min(one, other)
    elif offered:
        state[STAGE], state[TURN] = ANSWER, 1 - mover
    elif one:
        state[STAGE], state[TURN] = PLAY, mover
        state[HIGH], state[LOW] = max(one, other), min(one, other)
