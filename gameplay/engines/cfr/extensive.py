"""The extensive form of a game: its whole tree, in flat arrays.

A player's sequence is the list of their own choices on the path to a node, and nothing else
(Bernhard von Stengel, "Efficient computation of behavior strategies", Games and Economic Behavior 14, 1996).
With perfect recall exactly one sequence leads to an infoset. So a strategy is a number for each move of each
infoset, its reach probabilities are computed top-down along the sequences, and a leaf stores only the chance
probability of its path and the last choice of each player.

    slot       an index into arrays of numbers: `players` slots for the empty sequences, then one per move
    infosets   ordered by player; each before those below it
    leaves     the chance probability of the path, each player's last slot, each player's payoff
    nodes      the mover; the range of its children; its infoset or leaf; its chance probability
"""

import math
from array import array
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any

from gameplay.capabilities import unchecked
from gameplay.catalogue import name_of
from gameplay.errors import Usage
from gameplay.position import CHANCE, AbstractPosition, side
from gameplay.search.worlds import ESTIMATE_FACTOR, MAX_PLIES, Stopped, estimate_size

MAX_NODES = 4_000_000  # of a tree: about 1 GB
LEAF = -2  # in place of the mover


@dataclass(frozen=True)
class Infoset:
    """An information set: all nodes that the player to move cannot distinguish."""

    player: int
    key: Hashable
    moves: tuple[int, ...]
    move_names: tuple[str, ...]
    path: tuple[int, ...]  # moves from the start to one of the nodes, chance moves included
    slot: int  # of the first move; those of the others follow
    before: int  # the slot of the choice that leads here

    def observed_path(self, start: AbstractPosition) -> str:
        """The moves to one of its nodes as its player observes them; `?` is a hidden move."""
        names = []
        for move in self.path:
            visible = not start.hidden or start.sees(self.player, move)
            names.append(start.format(move) if visible else "?")
            start.make(move)
        for _ in self.path:
            start.unmake()
        return " ".join(names)


class ExtensiveForm:
    """The tree of the game of `position`.

    watch: called with the number of nodes so far; true stops, and raises Stopped.
    most: greatest number of nodes.

    Raises Usage if the game is too large or lacks perfect recall.
    """

    def __init__(
        self, position: AbstractPosition, watch: Callable[[int], bool] | None = None, most: int = MAX_NODES
    ) -> None:
        start = position.initial()
        self.game = name_of(start)
        self.players: int = start.players
        self.sides: tuple[str, ...] = start.sides
        self.hidden: bool = start.hidden
        self.two_player_zero_sum: bool = start.players == 2 and start.zero_sum
        self._most = most
        self._watch = watch
        estimate = estimate_size(start)
        if estimate > ESTIMATE_FACTOR * most:
            size = f"about {estimate:.0e}" if estimate < math.inf else "more than 1e+308"
            raise Usage(f"{self.game} is too large: its tree has {size} nodes; expected at most {most:,}")
        self._plain = not start.scored and self.two_player_zero_sum  # only the sign counts
        self._found: dict[Hashable, int] = {}
        self._drafts: list[Infoset] = []  # before slots are assigned: `before` is a choice
        self.turn, self.first, self.count, self.ref = (array("i") for _ in range(4))
        self.share = array("d")  # by node: its chance probability
        self.odds, self.gain, self._last = array("d"), array("d"), array("q")
        self._node(1.0)
        self._grow(start, 0, (), [_no_choice(player) for player in range(self.players)], 1.0)
        self._assign_slots()

    # -- construction ----------------------------------------------------------------------------

    def _node(self, share: float) -> None:
        self.turn.append(LEAF)
        for column in (self.first, self.count, self.ref):
            column.append(0)
        self.share.append(share)

    def _grow(
        self, position: AbstractPosition, node: int, path: tuple[int, ...], last: list[int], odds: float
    ) -> None:
        """Add the subtree of a node; `last` is each player's last choice."""
        if self._watch is not None and self._watch(len(self.turn)):
            raise Stopped
        outcome = position.outcome()
        if outcome is not None:
            self.ref[node] = len(self.odds)
            self.odds.append(odds)
            self.gain.extend((x > 0) - (x < 0) if self._plain else x for x in outcome)
            self._last.extend(last)
            return
        if len(path) >= MAX_PLIES:
            raise Usage(f"{self.game} is too large: expected at most {MAX_PLIES} moves in a line of play")
        moves = list(position.moves())
        first = len(self.turn)
        if first + len(moves) > self._most:
            raise Usage(
                f"{self.game} is too large: its tree has more than {self._most:,} nodes, which must fit in "
                "memory"
            )
        mover = position.turn
        shares = position.chances() if mover == CHANCE else [1.0] * len(moves)
        for share in shares:
            self._node(share)
        self.turn[node], self.first[node], self.count[node] = mover, first, len(moves)
        make, indices = unchecked(position), range(len(moves))
        if mover != CHANCE:
            self.ref[node], indices = self._infoset(position, node, mover, moves, path, last[mover])
        for move, index, share in zip(moves, indices, shares, strict=True):
            make(move)
            if mover == CHANCE:
                self._grow(position, first + index, (*path, move), last, odds * share)
            else:
                previous, last[mover] = last[mover], _choice(self.ref[node], index)
                self._grow(position, first + index, (*path, move), last, odds)
                last[mover] = previous
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
        """The number of the mover's infoset, and the index of each move in it."""
        key = position.infoset(mover)
        # With perfect information every node is its own infoset, transpositions included.
        number = self._found.setdefault((mover, key) if self.hidden else node, len(self._drafts))
        if number == len(self._drafts):
            names = tuple(map(position.format, moves))
            self._drafts.append(Infoset(mover, key, tuple(moves), names, path, 0, before))
            return number, range(len(moves))
        infoset = self._drafts[number]
        if infoset.before != before:
            raise Usage(
                f"{self.game} lacks perfect recall: the {side(self, mover)} player reaches {key!r} by "
                "different moves; expected an infoset to hold all that its player has seen and done"
            )
        if sorted(infoset.moves) != sorted(moves):
            raise Usage(
                f"{self.game}: legal moves differ within infoset {key!r}; expected the same at each of its "
                "positions. Try: gameplay check"
            )
        return number, [infoset.moves.index(move) for move in moves]

    def _assign_slots(self) -> None:
        """Number infosets and slots, player by player."""
        order = sorted(range(len(self._drafts)), key=lambda number: self._drafts[number].player)
        new_numbers = {number: i for i, number in enumerate(order)}
        slots: dict[int, int] = {_no_choice(player): player for player in range(self.players)}
        self.infosets: list[Infoset] = []
        self.starts = array("i", [0] * (self.players + 1))  # by player: number of the first infoset
        slot = self.players
        for number in order:
            draft = self._drafts[number]
            for i in range(len(draft.moves)):
                slots[_choice(number, i)] = slot + i
            self.infosets.append(replace(draft, slot=slot, before=slots[draft.before]))
            slot += len(draft.moves)
            self.starts[draft.player + 1] += 1
        for player in range(self.players):
            self.starts[player + 1] += self.starts[player]
        self.slots = slot
        self.slot = array("i", [infoset.slot for infoset in self.infosets] or [0])
        self.size = array("i", [len(infoset.moves) for infoset in self.infosets] or [0])
        self.before = array("i", [infoset.before for infoset in self.infosets] or [0])
        self.last = array("i", [slots[choice] for choice in self._last])
        for node, mover in enumerate(self.turn):
            if mover >= 0:
                self.ref[node] = new_numbers[self.ref[node]]
        self._found = {key: new_numbers[number] for key, number in self._found.items()}
        del self._drafts, self._last

    # -- queries ---------------------------------------------------------------------------------

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.turn)

    @property
    def leaves(self) -> int:
        """Number of nodes that end the game."""
        return len(self.odds)

    @property
    def bytes(self) -> int:
        """Size of the arrays, without the infosets' names."""
        arrays = (self.turn, self.first, self.count, self.ref, self.share, self.odds, self.gain, self.last)
        return sum(
            numbers.itemsize * len(numbers) for numbers in (*arrays, self.slot, self.size, self.before)
        )

    def find(self, player: int, infoset: Hashable) -> Infoset | None:
        """The infoset of `player` with this key, in games of imperfect information; None if there is none."""
        number = self._found.get((player, infoset))
        return None if number is None else self.infosets[number]


def _no_choice(player: int) -> int:
    """Marks a player who has not moved yet."""
    return -1 - player


def _choice(infoset: int, index: int) -> int:
    """A choice as one number, before slots are assigned."""
    return infoset << 24 | index
