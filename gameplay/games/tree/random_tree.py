"""Random trees: `tree:random,depth=3,branching=2-3,seed=7` is a game like a tree from a file.

    depth=3           plies of decisions to every leaf
    branching=2-3     branches of a node, a number or a range; 1-3 has nodes with a single move
    seed=0            selects the tree
    payoffs=9         leaves are whole numbers from -9 to 9; payoffs=1 has many equal ones
    players=2         with three or more, leave `payoffs` out: the payoffs of each are a permutation of 1 to
                      the number of leaves, so that no two are equal
    chance=off        on: a chance node lies before every second decision
    again=off         on: a player may move twice in a row
    wins=off          on: leaves are won, drawn or lost, and the margin does not count
    uneven=off        on: some branches end before the last ply
    guesses=off       on: nodes have a guess near their value, and noisy branches, for quiescence and ordering

Branches are called 1, 2, 3, ... The same options give the same tree, on every machine.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

from gameplay.errors import BadInput, Usage, unknown_name
from gameplay.options import Whole, kind_of, read_option, refusal

NAME = "random"
MAX_NODES = 20_000
DEFAULTS: dict[str, Any] = {
    "depth": 3,
    "branching": "2-3",
    "seed": 0,
    "payoffs": 9,
    "players": 2,
    **dict.fromkeys(("chance", "again", "wins", "uneven", "guesses"), False),
}
RANGES = {
    "depth": Whole(1, 12, unit="plies"),
    "seed": Whole(),
    "payoffs": Whole(1, 1000),
    "players": Whole(2, 6),
}
MAX_BRANCHES = 9
NOISE = (-3, -2, -1, 0, 0, 1, 2, 3)  # of a guess relative to the value


def generate(options: Mapping[str, str]) -> dict[str, Any]:
    """A random tree in the form of a file. Raises Usage for an unknown option or a value out of range."""
    values = dict(DEFAULTS)
    for key, text in options.items():
        if key not in DEFAULTS:
            raise Usage(f"tree:random: {unknown_name('option', key, DEFAULTS)}")
        default = DEFAULTS[key]
        values[key] = read_option("tree:random", key, text, RANGES.get(key) or kind_of(default), default)
    if values["wins"]:
        if values["players"] > 2 or values["chance"] or values["guesses"]:
            raise Usage("tree:random: wins=on is for two players; leave players, chance and guesses out")
        if "payoffs" in options:
            raise Usage("tree:random: wins=on has leaves -1, 0 and 1: expected no payoffs. Try: wins=on")
        values["payoffs"] = 1
    if values["players"] > 2 and "payoffs" in options:
        raise Usage(
            f"tree:random: payoffs={options['payoffs']} is for two players: with three or more, those of "
            f"each are a permutation, expected no payoffs. Try: players={values['players']}"
        )
    if values["guesses"] and (values["players"] > 2 or values["chance"]):
        raise Usage("tree:random: guesses=on is for two players without chance; leave players and chance out")
    values["branching"] = _parse_branching(str(values["branching"]))
    return _Generator(values).tree()


def _parse_branching(text: str) -> range:
    low, dash, high = text.partition("-")
    try:
        branching = range(int(low), int(high if dash else low) + 1)
    except ValueError:
        branching = range(0)
    if not branching or not 1 <= branching[0] <= branching[-1] <= MAX_BRANCHES:
        expected = f"a number from 1 to {MAX_BRANCHES} or a range of them"
        raise refusal("tree:random", "branching", text, expected, "2-3")
    return branching


class _Generator:
    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = options
        words = ",".join(f"{key}={value}" for key, value in sorted(options.items()))
        self.rng = Random(words)
        count = options["players"]
        self.sides = ["max", "min"] if count == 2 else [chr(ord("A") + number) for number in range(count)]
        self.nodes = 0
        self.leaves: list[list[int]] = []  # of more than two players, filled in at the end

    def tree(self) -> dict[str, Any]:
        """The whole tree."""
        tree: dict[str, Any] = self._node(0, 0)
        if len(self.sides) == 2:
            return {"scored": False, **tree} if self.options["wins"] else tree
        for _ in self.sides:
            numbers = list(range(1, len(self.leaves) + 1))
            self.rng.shuffle(numbers)
            for leaf, number in zip(self.leaves, numbers, strict=True):
                leaf.append(number)
        return {"players": self.sides, **tree}

    def _node(self, mover: int, ply: int) -> Any:
        """A node of a player, or a leaf."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise BadInput(
                f"tree:random: this tree has more than {MAX_NODES:,} nodes; take less depth or branching"
            )
        depth, rng = self.options["depth"], self.rng
        if ply == depth or (self.options["uneven"] and ply and rng.random() < 0.25):
            return self._leaf()
        again = self.options["again"] and rng.random() < 0.4
        following = mover if again else (mover + 1) % len(self.sides)
        below = {str(number): self._child(following, ply + 1) for number in self._branch_numbers()}
        node = {self.sides[mover]: below}
        return self._add_guess(node, below) if self.options["guesses"] else node

    def _child(self, mover: int, ply: int) -> Any:
        """The node below a branch, or a chance node before it."""
        if not (self.options["chance"] and ply % 2 and ply < self.options["depth"]):
            return self._node(mover, ply)
        weights = [self.rng.randint(1, 3) for _ in range(self.rng.randint(2, 3))]
        whole = sum(weights)
        odds = {f"{number} {weight}/{whole}": weight for number, weight in enumerate(weights, 1)}
        return {"chance": {name: self._node(mover, ply) for name in odds}}

    def _branch_numbers(self) -> range:
        return range(1, self.rng.choice(self.options["branching"]) + 1)

    def _leaf(self) -> Any:
        if len(self.sides) == 2:
            return self.rng.randint(-self.options["payoffs"], self.options["payoffs"])
        self.leaves.append([])
        return self.leaves[-1]

    def _add_guess(self, node: dict[str, Any], below: Mapping[str, Any]) -> dict[str, Any]:
        """Add a guess to a node, its value plus NOISE, and one or two noisy branches."""
        noisy = [word for word in below if self.rng.random() < 0.4]
        return node | {"guess": _value(node) + self.rng.choice(NOISE), "noisy": noisy}


def _value(node: Any) -> int:
    """The minimax value of a two-player tree for max."""
    if not isinstance(node, dict):
        return int(node)
    side = "max" if "max" in node else "min"
    values = map(_value, node[side].values())
    return max(values) if side == "max" else min(values)
