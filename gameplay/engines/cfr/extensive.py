"""The extensive form of a game that fits in memory: its whole tree once, in flat arrays, from its start on.

A player's sequence is the list of their own choices on the path to a node, and nothing else
(Bernhard von Stengel, "Efficient computation of behavior strategies", Games and Economic Behavior 14, 1996).
With perfect recall exactly one sequence leads to an infoset. So a strategy is a number for each move of each
infoset, its reach probabilities are computed top-down along the sequences, and a leaf stores only the chance
probability of its path and the last choice of each player.

    slot       an index into arrays of numbers: `players` slots for the empty sequences, then one a move
    infosets   those of the first player first, each before those that lie below it
    leaves     the chance probability of the path, each player's last slot, each player's payoff
    nodes      the mover; then the children, contiguous; the infoset or the leaf; its chance probability
"""

import math
from array import array
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any

from gameplay.catalogue import name_of
from gameplay.errors import Usage
from gameplay.position import CHANCE, AbstractPosition
from gameplay.search.worlds import DEEPEST, FAR, Stopped, estimated

MOST = 4_000_000  # nodes of a tree: about a GB
LEAF = -2  # in place of the mover


@dataclass(frozen=True)
class Infoset:
    """An information set: all nodes that the player to move cannot distinguish."""

    player: int
    known: Hashable
    moves: tuple[int, ...]
    words: tuple[str, ...]  # the same for people
    way: tuple[int, ...]  # moves from the start to one of the nodes, chance's among them
    slot: int  # of the first move; those of the others follow
    before: int  # the slot of the choice that leads here

    def seen(self, start: AbstractPosition) -> str:
        """The moves that lead to one of its nodes as its player saw them, `?` for one that they did not."""
        words = []
        for move in self.way:
            visible = not start.hidden or start.sees(self.player, move)
            words.append(start.format(move) if visible else "?")
            start.make(move)
        for _ in self.way:
            start.unmake()
        return " ".join(words)


class ExtensiveForm:
    """The tree of the game of `position`. `watch(nodes)` returns true to stop.

    Raises Usage for a game that is too large, or whose players forget what they did; Stopped.
    """

    def __init__(
        self, position: AbstractPosition, watch: Callable[[int], bool] | None = None, most: int = MOST
    ) -> None:
        start = position.initial()
        self.game = name_of(start)
        self.players: int = start.players
        self.sides: tuple[str, ...] = start.sides
        self.hidden: bool = start.hidden
        self.two_player_zero_sum: bool = start.players == 2 and start.zero_sum
        self._most = most
        self._watch = watch
        about = estimated(start)
        if about > FAR * most:
            size = f"some {about:.0e}" if about < math.inf else "more than 1e+308"
            raise Usage(
                f"{self.game} is too large: its tree has {size} nodes, and only {most:,} are kept in memory"
            )
        self._plain = not start.scored and self.two_player_zero_sum  # only the sign counts
        self._found: dict[Hashable, int] = {}
        self._drafts: list[Infoset] = []  # slots not yet known: number of the infoset and of the move
        self.turn, self.first, self.count, self.ref = (array("i") for _ in range(4))
        self.share = array("d")  # of each node: how likely it is behind a node of chance
        self.odds, self.gain, self._last = array("d"), array("d"), array("q")
        self._node(1.0)
        self._grow(start, 0, (), [_none(player) for player in range(self.players)], 1.0)
        self._number()

    # -- growing ---------------------------------------------------------------------------------

    def _node(self, share: float) -> None:
        self.turn.append(LEAF)
        for column in (self.first, self.count, self.ref):
            column.append(0)
        self.share.append(share)

    def _grow(
        self, position: AbstractPosition, node: int, path: tuple[int, ...], last: list[int], odds: float
    ) -> None:
        """All below a node; `last` is each player's last choice."""
        if self._watch is not None and self._watch(len(self.turn)):
            raise Stopped
        outcome = position.outcome()
        if outcome is not None:
            self.ref[node] = len(self.odds)
            self.odds.append(odds)
            self.gain.extend((x > 0) - (x < 0) if self._plain else x for x in outcome)
            self._last.extend(last)
            return
        if len(path) >= DEEPEST:
            raise Usage(f"{self.game} is too large: a line of play has more than {DEEPEST} moves")
        moves = list(position.moves())
        first = len(self.turn)
        if first + len(moves) > self._most:
            raise Usage(
                f"{self.game} is too large: its tree has more than {self._most:,} nodes, "
                "and all of it is kept in memory"
            )
        mover = position.turn
        shares = position.chances() if mover == CHANCE else [1.0] * len(moves)
        for share in shares:
            self._node(share)
        self.turn[node], self.first[node], self.count[node] = mover, first, len(moves)
        places = range(len(moves))
        if mover != CHANCE:
            self.ref[node], places = self._infoset(position, node, mover, moves, path, last[mover])
        for move, place, share in zip(moves, places, shares, strict=True):
            position.make(move)
            if mover == CHANCE:
                self._grow(position, first + place, (*path, move), last, odds * share)
            else:
                kept, last[mover] = last[mover], _choice(self.ref[node], place)
                self._grow(position, first + place, (*path, move), last, odds)
                last[mover] = kept
            position.unmake()

    def _infoset(
        self,
        position: AbstractPosition,
        node: int,
        mover: int,
        moves: list[int],
        path: tuple[int, ...],
        before: int,
    ) -> tuple[int, Any]:
        """The number of the mover's infoset, and the place of each of the moves in it."""
        key = position.infoset(mover)
        # With perfect information every node is its own infoset, transpositions included.
        number = self._found.setdefault((mover, key) if self.hidden else node, len(self._drafts))
        if number == len(self._drafts):
            words = tuple(map(position.format, moves))
            self._drafts.append(Infoset(mover, key, tuple(moves), words, path, 0, before))
            return number, range(len(moves))
        infoset = self._drafts[number]
        if infoset.before != before:
            raise Usage(
                f"{self.game}: its {_side(self, mover)} player forgets what they did, at {key!r}: this "
                "needs perfect recall: an infoset holds all that its player has seen and done"
            )
        if sorted(infoset.moves) != sorted(moves):
            raise Usage(f"{self.game}: the moves at {key!r} are not always the same: see gameplay check")
        return number, [infoset.moves.index(move) for move in moves]

    # -- numbering -------------------------------------------------------------------------------

    def _number(self) -> None:
        """Give infosets and slots their numbers, player by player."""
        order = sorted(range(len(self._drafts)), key=lambda number: self._drafts[number].player)
        places = {number: place for place, number in enumerate(order)}
        slots: dict[int, int] = {_none(player): player for player in range(self.players)}
        self.infosets: list[Infoset] = []
        self.starts = array("i", [0] * (self.players + 1))  # where each player's infosets begin
        slot = self.players
        for number in order:
            draft = self._drafts[number]
            for place in range(len(draft.moves)):
                slots[_choice(number, place)] = slot + place
            self.infosets.append(replace(draft, slot=slot, before=slots[draft.before]))
            slot += len(draft.moves)
            self.starts[draft.player + 1] += 1
        for player in range(self.players):
            self.starts[player + 1] += self.starts[player]
        self.slots = slot
        self.slot = array("i", [one.slot for one in self.infosets] or [0])
        self.size = array("i", [len(one.moves) for one in self.infosets] or [0])
        self.before = array("i", [one.before for one in self.infosets] or [0])
        self.last = array("i", [slots[choice] for choice in self._last])
        for node, mover in enumerate(self.turn):
            if mover >= 0:
                self.ref[node] = places[self.ref[node]]
        self._found = {key: places[number] for key, number in self._found.items()}
        del self._drafts, self._last

    # -- asking ----------------------------------------------------------------------------------

    @property
    def nodes(self) -> int:
        """How many nodes the tree has."""
        return len(self.turn)

    @property
    def leaves(self) -> int:
        """How many of them end the game."""
        return len(self.odds)

    @property
    def bytes(self) -> int:
        """What the arrays take, without the infosets' words."""
        held = (self.turn, self.first, self.count, self.ref, self.share, self.odds, self.gain, self.last)
        return sum(one.itemsize * len(one) for one in (*held, self.slot, self.size, self.before))

    def find(self, player: int, infoset: Hashable) -> Infoset | None:
        """The infoset of `player` with this key, in games of imperfect information; None: there is none."""
        number = self._found.get((player, infoset))
        return None if number is None else self.infosets[number]


def _none(player: int) -> int:
    """The choice of a player who has chosen nothing."""
    return -1 - player


def _choice(infoset: int, place: int) -> int:
    """A choice as one number, until slots are known."""
    return infoset << 24 | place


def _side(form: ExtensiveForm, player: int) -> str:
    from gameplay.position import side

    return side(form, player)
