"""Words of backgammon: turns as people write them, and GNU Backgammon's position and match IDs.

A position ID is ten bytes, the lowest bit first, in base 64: for the points 1 to 24 and the bar a 1 for each
man and then a 0, first of the side that is not on roll, then of the side that is. A match ID is 67 bits, the
lowest first (GNU Backgammon manual, "A technical description of the Match ID"):

    4  the cube as a power of two      3  the game: 0 not begun, 1 on, 2 over, 3 given up, 4 dropped
    2  its owner, 3: neither           1  who is to decide
    1  who is on roll                  1  a double is offered
    1  this is the Crawford game       2  a resignation is offered     15     points of the match
                                       3, 3  the dice                  15, 15 of player 0, of player 1
                                                                       1      without the Jacoby rule
"""

import re
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from gameplay.errors import BadInput, IllegalMove, nearest
from gameplay.position import CHANCE

Step = tuple[int, int, bool]  # the point a man leaves, 25 the bar; the one it comes to, 0 off; does it hit?

BAR = 25
EXAMPLE = "4HPwATDgc/ABMA:cAkAAAAAAAAE"
OPENING, ROLLING, PLAY, OFFER, ANSWER, RESIGNED, OVER, GIVEN = range(
    8
)  # as in gameplay.games.backgammon.game
HIGH, LOW, MOVER, STAGE, CUBE, OWNER, SCORE = range(52, 59)
CRAWFORD, POINTS, WINNER, TURN = range(60, 64)
LATER = 1 << 20  # in a turn: the lower die is played first
MOST = 15  # the greatest exponent of the cube that a match ID can hold

Way = tuple[tuple[int, int], tuple[int, int]]  # from a cell of the board to a cell

SPOKEN = {
    **{0: "roll", 1: "double", 2: "take", 3: "drop", 4: "accept", 5: "decline"},
    **{9: "resign", 10: "resign-gammon", 11: "resign-backgammon"},
}
ALSO = {"agree": "accept", "reject": "decline", "resign-single": "resign", "resign-normal": "resign"}

NAMES = {BAR: "bar", 0: "off"}
POINTS_OF = {"bar": BAR, "b": BAR, "off": 0, "o": 0}
_MOVED = re.compile(r"(\w+)((?:/\w+\*?)+)(?:\(([1-4])\))?")


def spoken(text: str) -> str:
    """What is said, as one word: `resign gammon` is `resign-gammon`."""
    word = "-".join(text.lower().split())
    return ALSO.get(word, word)


# -- turns -------------------------------------------------------------------------------------------


def steps(state: Sequence[int], move: int) -> list[Step]:
    """The steps of a turn that is played in a state."""
    mover, dice = state[MOVER], [state[HIGH], state[LOW]]
    own, other = list(state[26 * mover : 26 * mover + 26]), list(state[26 - 26 * mover : 52 - 26 * mover])
    if move & LATER:
        dice.reverse()
    found = []
    for number in range(4):
        source = move >> (5 * number) & 31
        if not source:
            break
        to = max(0, source - dice[number & 1])
        hit = bool(to and other[BAR - to])
        if hit:
            other[BAR - to] -= 1
        own[source] -= 1
        own[to] += 1
        found.append((source, to, hit))
    return found


def written(steps: Sequence[Step]) -> str:
    """A turn as one word: `24/18;13/8*`, `8/5(2)`, `bar/22`, `6/off`; `pass` if it has no steps."""
    chains: list[list[tuple[int, bool]]] = []
    for source, to, hit in steps:
        chain = next((one for one in chains if one[-1][0] == source), None)
        if chain is None:
            chain = [(source, False)]
            chains.append(chain)
        chain.append((to, hit))
    routes: dict[tuple[int, ...], list[set[int]]] = {}
    for chain in chains:
        kept = [chain[0], *(stop for stop in chain[1:-1] if stop[1]), chain[-1]]
        hits = {point for point, hit in kept if hit}
        routes.setdefault(tuple(point for point, _ in kept), []).append(hits)
    moved = []
    for route, hits_of in sorted(routes.items(), reverse=True):
        hits = set().union(*hits_of)
        names = [NAMES.get(point, str(point)) + ("*" if point in hits else "") for point in route]
        moved.append("/".join(names) + (f"({len(hits_of)})" if len(hits_of) > 1 else ""))
    return ";".join(moved) or "pass"


def meant(text: str, turns: dict[int, list[Step]], names: dict[str, int]) -> int:
    """Parse `text` as one of `turns`, by steps or by name. Raises IllegalMove."""
    word = text.strip()
    spelled = ";".join(re.split(r"[\s,;]+", word.lower()))
    if spelled in names:
        return names[spelled]
    if "pass" in names:
        raise IllegalMove(f"'{word}' is not possible: no man can move; write pass")
    routes = _read(word)
    net = _net([(route[0], route[-1], False) for route, _ in routes])
    fitting = [move for move, steps in turns.items() if _net(steps) == net]
    if not fitting:
        raise IllegalMove(_misfit(word, net, turns))
    # Several turns can move men to the same points if one of them hits on the way: the text decides.
    starred = {point for _, stars in routes for point in stars}
    stops = {point for route, _ in routes for point in route[1:]}
    if len(fitting) > 1:
        fitting = [move for move in fitting if stops <= {to for _, to, _ in turns[move]}] or fitting
    hitting = [move for move in fitting if starred <= _hits(turns[move])]
    if not hitting:
        raise IllegalMove(f"'{word}': nothing is hit on {_list(starred - _hits(turns[fitting[0]]))}")
    exact = [move for move in hitting if starred == _hits(turns[move])] if len(hitting) > 1 else hitting
    if len(exact) != 1:
        raise IllegalMove(
            f"'{word}' can be several moves: {' or '.join(written(turns[move]) for move in hitting)}"
        )
    return exact[0]


def _read(word: str) -> list[tuple[list[int], list[int]]]:
    """What a text moves: for each man its points, and those of them where it is said to hit."""
    routes = []
    for part in re.split(r"[\s,;]+", word.lower()):
        if not part:
            continue
        match = _MOVED.fullmatch(part)
        if match is None:
            raise IllegalMove(f"'{part}' is not a man's move; write as 13/10, bar/22, 6/off or 8/5(2)")
        route = []
        for name in [match[1], *match[2].replace("*", "")[1:].split("/")]:
            if name in POINTS_OF:
                route.append(POINTS_OF[name])
            elif len(name) <= 2 and name.isdecimal() and int(name) <= BAR:
                route.append(int(name))
            else:
                raise IllegalMove(f"'{part}': there is no point {name}; they go from 1 to 24, bar and off")
        if any(one <= other for one, other in pairwise(route)):
            raise IllegalMove(f"'{part}' goes the wrong way: men go from higher points to lower ones")
        stars = [
            point
            for point, name in zip(route[1:], match[2][1:].split("/"), strict=True)
            if name.endswith("*")
        ]
        routes += [(route, stars)] * int(match[3] or 1)
    if not routes:
        raise IllegalMove("write where men go, as 13/10 8/5")
    return routes


def _net(steps: Sequence[Step]) -> Counter[int]:
    """How many men more, or fewer, there are on each point; a Counter compares what is missing as 0."""
    change: Counter[int] = Counter()
    for source, to, _ in steps:
        change[source] -= 1
        change[to] += 1
    return change


def _hits(steps: Sequence[Step]) -> set[int]:
    return {to for _, to, hit in steps if hit}


def _list(points: set[int]) -> str:
    return " and ".join(str(point) for point in sorted(points, reverse=True))


def _misfit(word: str, net: Counter[int], turns: dict[int, list[Step]]) -> str:
    """Why no turn is the one that was written."""
    longer = [
        written(steps)
        for steps in turns.values()
        for count in range(1, len(steps))
        if any(_net(part) == net for part in (steps[:count], steps[count:]))
    ]
    names = sorted(dict.fromkeys(written(steps) for steps in turns.values()), key=len)
    if longer:
        return f"'{word}' is not the whole turn: {_some(list(dict.fromkeys(longer)))}"
    return f"'{word}' is not a legal move here{nearest(word, names)} (legal: {_some(names)})"


def _some(names: list[str]) -> str:
    return ", ".join(name.replace(";", " ") for name in names[:6]) + (", ..." if len(names) > 6 else "")


def refusal(text: str, names: list[str], rolled: bool) -> str:
    """What is wrong with a word where no man moves."""
    if rolled:
        return f"'{text.strip()}' is not a roll here (possible: {' '.join(names)})"
    return f"'{text.strip()}' is not a legal move here (legal: {', '.join(names)})"


# -- identities --------------------------------------------------------------------------------------


def _encoded(bits: int, size: int) -> str:
    return b64encode(bits.to_bytes(size, "little")).decode().rstrip("=")


def _decoded(word: str, size: int) -> int:
    return int.from_bytes(b64decode(word + "=" * (-len(word) % 4))[:size], "little")


def position_id(waiting: Sequence[int], rolling: Sequence[int]) -> str:
    """The position ID of the men of both sides, each by the points 0, off, to 25, the bar."""
    bits = place = 0
    for men in (waiting, rolling):
        for point in range(1, 26):
            bits |= ((1 << men[point]) - 1) << place
            place += men[point] + 1
    return _encoded(bits, 10)


def identity(state: Sequence[int], match: int, jacoby: bool) -> str:
    """The position ID and the match ID of a position."""
    mover, stage, turn = state[MOVER], state[STAGE], state[TURN]
    men = (state[0:26], state[26:52])
    dropped = stage == OVER and men[state[WINNER]][0] < 15
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
    return f"{position_id(men[1 - mover], men[mover])}:{_encoded(bits, 9)}"


def is_identity(word: str) -> bool:
    """True if a word is meant to be a position, not a move."""
    return len(word) > 12 and re.fullmatch(r"[A-Za-z0-9+/]{13,15}=?=?(:.*)?", word) is not None


def identified(word: str, match: int, cube: bool) -> list[int]:
    """The state encoded by an ID, laid out as in `gameplay.games.backgammon.game`. Raises BadInput.

    Without a match ID player 0 is on roll, in the first game, with the cube in the middle.
    """
    first, colon, second = word.partition(":")
    state = [0] * 64
    state[OWNER], state[STAGE], state[TURN] = 2, ROLLING, CHANCE
    if colon:
        _read_match(second.rstrip("="), match, cube, state)
    mover = state[MOVER]
    waiting, rolling = _men(first.rstrip("="))
    state[26 * mover : 26 * mover + 26] = rolling
    state[26 - 26 * mover : 52 - 26 * mover] = waiting
    done = [player for player in (0, 1) if state[26 * player] == 15]
    if len(done) > 1:
        raise BadInput(f"'{first}': both sides have borne off all men")
    if done:
        state[STAGE], state[WINNER], state[TURN] = OVER, done[0], 1 - done[0]
        state[HIGH] = state[LOW] = 0
    elif state[STAGE] == OVER and not state[POINTS]:
        raise BadInput(f"'{word}' is of a game that is over, and neither side has borne off all men")
    return state


def _men(word: str) -> tuple[list[int], list[int]]:
    """The men of a position ID: of the side that waits, of the side on roll."""
    if len(word) != 14:
        raise BadInput(f"'{word}': a position ID has 14 characters, not {len(word)} ({EXAMPLE})")
    bits = _decoded(word, 10)
    sides = []
    for who in ("the side that is not on roll", "the side on roll"):
        men = [0] * 26
        for point in range(1, 26):
            while bits & 1:
                men[point] += 1
                bits >>= 1
            bits >>= 1
        if sum(men) > 15:
            raise BadInput(f"'{word}': {who} has {sum(men)} men; 15 are the most")
        men[0] = 15 - sum(men)
        sides.append(men)
    if bits:
        raise BadInput(f"'{word}': there is more in it than the men of two sides")
    both = [point for point in range(1, 25) if sides[1][point] and sides[0][25 - point]]
    if both:
        raise BadInput(f"'{word}': both sides have men on the point {both[0]} of the side on roll")
    return sides[0], sides[1]


def _read_match(word: str, match: int, cube: bool, state: list[int]) -> None:
    """Read a match ID into a state."""
    if len(word) != 12 or not re.fullmatch("[A-Za-z0-9+/]+", word):
        raise BadInput(f"'{word}': a match ID has 12 letters, digits, + and /, not {len(word)} ({EXAMPLE})")
    bits = _decoded(word, 9)
    fields = []
    for width in (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15):
        fields.append(bits & ((1 << width) - 1))
        bits >>= width
    power, owner, mover, crawford, game, _, offered, resigned, one, other, length, *points = fields
    spec = f"backgammon:match={length}" if length else "backgammon"
    if length != match:
        what = f"a match to {length} points" if length else "a single game"
        raise BadInput(f"'{word}' is of {what}: play {spec}")
    if (power or owner != 3 or offered) and not cube:
        raise BadInput(f"'{word}' has the doubling cube in play: play backgammon:cube=on")
    if power > 6:
        raise BadInput(f"'{word}': the cube goes to 64, not to {1 << power}")
    if owner == 2 or (owner == 3 and power):
        raise BadInput(f"'{word}': a cube that is turned belongs to player 0 or 1")
    if match and max(points) >= match and game == 1:
        raise BadInput(f"'{word}': with {points[0]} to {points[1]} points the match is over")
    if max(one, other) > 6 or bool(one) != bool(other):
        raise BadInput(f"'{word}': {one} and {other} are not two dice")
    if resigned and (game not in (1, 3) or offered):
        raise BadInput(f"'{word}': a resignation cannot be offered there")
    if crawford and game == 1 and (not match or max(points) != match - 1):
        raise BadInput(f"'{word}': a Crawford game needs a player one point from winning the match")
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


# -- pictures ----------------------------------------------------------------------------------------


ROWS = (range(13, 25), range(12, 0, -1))  # the points of player 0 from the left, above and below


def cell(point: int, player: int) -> tuple[int, int]:
    """The row and the column where a point of a player is drawn; player 0 goes home below, player 1 above."""
    if point == BAR:
        return player, 6
    if point == 0:
        return 1 - player, 13
    ours = point if player == 0 else 25 - point
    row = int(ours <= 12)
    column = ROWS[row].index(ours)
    return row, column + (column >= 6)


def ways(steps: Sequence[Step], other: Sequence[int], mover: int) -> tuple[tuple[Way, ...], ...]:
    """The step sequences that enter a turn on the board: as it is, or for one man the other die first."""
    found = [[(source, to) for source, to, _ in steps]]
    if len(steps) == 2 and steps[0][1] == steps[1][0] and not steps[0][2]:
        (start, stop, _), (_, end, _) = steps
        between = start - (stop - end)
        if between != stop and end and other[BAR - between] == 0:
            found.append([(start, between), (between, end)])
    return tuple(tuple((cell(source, mover), cell(to, mover)) for source, to in way) for way in found if way)


def drawn(men: Sequence[Sequence[int]], mover: int) -> str:
    """The position in plain characters, the points as `mover` counts them: X white, O black."""
    rows = []
    for order in ROWS:
        cells = []
        for point in order:
            white, black = (men[0][point], men[1][25 - point])
            cells.append(f"X{white}" if white else f"O{black}" if black else ".")
        names = [str(point if mover == 0 else 25 - point) for point in order]
        line = " ".join(f"{name:>3}" for name in names)
        body = " ".join(f"{cell:>3}" for cell in cells)
        rows += [line, body] if order is ROWS[0] else [body, line]
    bar = f"bar X{men[0][BAR]} O{men[1][BAR]}, off X{men[0][0]} O{men[1][0]}"
    return "\n".join([*rows, bar])
