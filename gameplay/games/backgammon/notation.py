"""Backgammon notation: plays, cube actions, and explanations of illegal moves."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from gameplay.errors import IllegalMove, nearest
from gameplay.games.backgammon.layout import *

Step = tuple[int, int, bool]  # start (25: bar), end (0: off), whether it hits

ACTION_NAMES = {
    **{ROLL: "roll", DOUBLE: "double", TAKE: "take", DROP: "drop", ACCEPT: "accept", DECLINE: "decline"},
    **{RESIGN + 1: "resign", RESIGN + 2: "resign-gammon", RESIGN + 3: "resign-backgammon"},
}
ALIASES = {"agree": "accept", "reject": "decline", "resign-single": "resign", "resign-normal": "resign"}

NAMES = {BAR: "bar", 0: "off"}
POINTS_OF = {"bar": BAR, "b": BAR, "off": 0, "o": 0}
_LOOSE = re.compile(r"\s+(\([1-4]\))")  # a repetition after a blank: 8/5 (2)
_MOVED = re.compile(r"(\w+)((?:/\w+\*?)+)(?:\(([1-4])\))?")

UNTIMELY_ACTIONS = {  # actions that are no plays, with the reason
    "pass": "some checker can move",
    "roll": "the dice are rolled",
    "double": "a double is offered before the roll, in a game with the cube",
    "take": "no double is offered",
    "drop": "no double is offered",
    "accept": "no resignation is offered",
    "decline": "no resignation is offered",
}


def action_name(text: str) -> str:
    """Normalize the name of an action: `resign gammon` is `resign-gammon`."""
    word = "-".join(text.lower().split())
    return ALIASES.get(word, word)


def steps(state: Sequence[int], move: int) -> list[Step]:
    """The steps of a play from a state."""
    mover, dice = state[MOVER], [state[HIGH], state[LOW]]
    own, other = list(state[26 * mover : 26 * mover + 26]), list(state[26 - 26 * mover : 52 - 26 * mover])
    if move & LATER:
        dice.reverse()
    steps: list[Step] = []
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
        steps.append((source, to, hit))
    return steps


def format_turn(steps: Sequence[Step]) -> str:
    """A play as one word: `24/18;13/8*`, `8/5(2)`, `bar/22`, `6/off`; `pass` if it has no steps."""
    chains: list[list[tuple[int, bool]]] = []
    for source, to, hit in steps:
        chain = next((chain_part for chain_part in chains if chain_part[-1][0] == source), None)
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


def parse_turn(text: str, turns: dict[int, list[Step]], names: dict[str, int], state: Sequence[int]) -> int:
    """Parse one of the legal `turns`, by steps or by name. Raises IllegalMove with the reason."""
    word = text.strip()
    spelled = ";".join(re.split(r"[\s,;]+", word.lower()))
    if spelled in names:
        return names[spelled]
    if "pass" in names:
        raise IllegalMove(f"'{word}' is not a legal move here: no checker can move; write pass")
    if (reason := UNTIMELY_ACTIONS.get(action_name(word))) is not None:
        raise IllegalMove(f"'{word}' is not a legal move here: {reason}. Try: moves")
    routes = _read_routes(word)
    net = _net([(route[0], route[-1], False) for route, _ in routes])
    fitting = [move for move, steps in turns.items() if _net(steps) == net]
    if not fitting:
        raise IllegalMove(
            _partial_turn_error(word, net, turns) or _illegal_turn_error(word, routes, turns, state)
        )
    # Plays with the same result may differ in a hit on an intermediate point: the text decides.
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
            f"'{word}' can be several moves: {' or '.join(format_turn(turns[move]) for move in hitting)}"
        )
    return exact[0]


def _read_routes(word: str) -> list[tuple[list[int], list[int]]]:
    """Parse a play: for each checker its points, and those marked as hits. Raises IllegalMove."""
    routes = []
    for part in re.split(r"[\s,;]+", _LOOSE.sub(r"\1", word.lower())):
        if not part:
            continue
        match = _MOVED.fullmatch(part.replace("-", "/"))  # some programs write 13-10
        if match is None:
            raise IllegalMove(f"'{part}' is not a checker's move; write as 13/10, bar/22, 6/off or 8/5(2)")
        route = []
        for name in [match[1], *match[2].replace("*", "")[1:].split("/")]:
            if name in POINTS_OF:
                route.append(POINTS_OF[name])
            elif len(name) <= 2 and name.isdecimal() and int(name) <= BAR:
                route.append(int(name))
            else:
                raise IllegalMove(f"'{part}': there is no point {name}; points are 1 to 24, bar and off")
        if any(one <= other for one, other in pairwise(route)):
            raise IllegalMove(f"'{part}' moves backwards; checkers move from higher to lower points")
        stars = [
            point
            for point, name in zip(route[1:], match[2][1:].split("/"), strict=True)
            if name.endswith("*")
        ]
        routes += [(route, stars)] * int(match[3] or 1)
    if not routes:
        raise IllegalMove("no play given; write it as 13/10 8/5")
    return routes


def _net(steps: Sequence[Step]) -> Counter[int]:
    """The change in the number of checkers by point; missing points are 0."""
    change: Counter[int] = Counter()
    for source, to, _ in steps:
        change[source] -= 1
        change[to] += 1
    return change


def _hits(steps: Sequence[Step]) -> set[int]:
    return {to for _, to, hit in steps if hit}


def _list(points: set[int]) -> str:
    return " and ".join(str(point) for point in sorted(points, reverse=True))


def _partial_turn_error(word: str, net: Counter[int], turns: dict[int, list[Step]]) -> str:
    """The error if `word` is part of legal plays, with these; "" if it is not."""
    longer = [
        format_turn(steps)
        for steps in turns.values()
        for count in range(1, len(steps))
        if any(_net(part) == net for part in (steps[:count], steps[count:]))
    ]
    return f"'{word}' is only part of a play: {_first_names(list(dict.fromkeys(longer)))}" if longer else ""


def _illegal_turn_error(
    word: str, routes: list[tuple[list[int], list[int]]], turns: dict[int, list[Step]], state: Sequence[int]
) -> str:
    """The error for a play that is not legal."""
    names = sorted(dict.fromkeys(format_turn(steps) for steps in turns.values()), key=len)
    reason = _obstacle([route for route, _ in routes], state)
    wrong = f": {reason}" if reason else nearest(word, names)
    return f"'{word}' is not a legal move here{wrong} (legal: {_first_names(names)})"


def _obstacle(routes: list[list[int]], state: Sequence[int]) -> str:
    """The reason why checkers cannot move along these points; "" if each alone can."""
    mover = state[MOVER]
    own, other = list(state[26 * mover : 26 * mover + 26]), state[26 - 26 * mover : 52 - 26 * mover]
    dice = [state[HIGH], state[LOW]] * (2 if state[HIGH] == state[LOW] else 1)
    if own[BAR] > sum(route[0] == BAR for route in routes):
        return "a checker on the bar enters first"
    for route in routes:
        if not own[route[0]]:
            return f"you have no checker {'on the bar' if route[0] == BAR else f'on point {route[0]}'}"
        own[route[0]] -= 1
        own[route[-1]] += 1
    if any(not route[-1] for route in routes) and any(own[7:]):
        return "checkers are borne off only when all are on points 1 to 6"
    for route in routes:
        if reason := _blocked_reason(route, other, dice):
            return reason
    total = sum(route[0] - route[-1] for route in routes)
    if total > sum(dice) and all(route[-1] for route in routes):
        return f"the checkers move {total} points in all, but the dice are {dice[0]} and {dice[1]}"
    return ""


def _blocked_reason(route: list[int], other: Sequence[int], dice: list[int]) -> str:
    """The reason why the dice or the opponent do not allow a checker's route; "" if they do."""
    blocked = [point for point in route[1:] if point and other[BAR - point] > 1]
    if blocked:
        return f"point {blocked[0]} is blocked by {other[BAR - blocked[0]]} checkers"
    start, end = route[0], route[-1]
    if not end:
        return ""
    double = len(dice) == 4
    if start - end not in ([dice[0] * count for count in range(1, 5)] if double else [*dice, sum(dice)]):
        rolled = f"the dice are {dice[0]} and {dice[1]}"
        return f"{NAMES.get(start, start)}/{end} moves {start - end} points, but {rolled}"
    if start - end in dice:
        return ""
    stops = range(start - dice[0], end, -dice[0]) if double else [start - die for die in dice]
    blocked = [point for point in stops if other[BAR - point] > 1]
    if double and blocked:
        return f"the intermediate point {blocked[0]} is blocked"
    both = len(blocked) == 2
    return f"the intermediate points {blocked[0]} and {blocked[1]} are blocked" if both else ""


def _first_names(names: list[str]) -> str:
    return ", ".join(name.replace(";", " ") for name in names[:6]) + (", ..." if len(names) > 6 else "")


def resignation_error(text: str, borne_off: bool) -> str:
    """The error for a resignation that is not open to the mover; borne_off: they have a checker off."""
    if action_name(text) not in ACTION_NAMES.values():
        return f"'{text.strip()}' is no resignation; expected resign, resign gammon or resign backgammon"
    why = "a checker is borne off" if borne_off else "gammons do not count before the cube is turned"
    return f"'{text.strip()}' is not possible here: {why}. Try: resign"


def illegal_action_error(text: str, names: list[str], rolled: bool) -> str:
    """The error for an illegal roll or action."""
    if rolled:
        return f"'{text.strip()}' is not a roll here (possible: {' '.join(names)})"
    return f"'{text.strip()}' is not a legal move here (legal: {', '.join(names)})"
