"""Explicit game trees for teaching, from a TOML file or a nested mapping, or random."""

import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gameplay import file_io
from gameplay.errors import BadInput, NoMoveMade, Usage, brief, unknown_name
from gameplay.games.shared.legality import checked
from gameplay.games.tree import random_tree
from gameplay.games.tree.random_tree import MAX_NODES
from gameplay.position import CHANCE, Position

if TYPE_CHECKING:
    from random import Random

HEAD = {  # keys that only the top of a file has
    "title": "The name shown on screens",
    "value": "The value of the tree by backward induction; a wrong one is refused",
    "players": "Names of the players; without it max and min",
    "unknown": "A value for each leaf that is a name instead of a number",
    "scored": "`false`: leaves are won, drawn or lost, and the margin does not count",
}
EXTRAS = {  # keys of a node besides that of the mover
    "infoset": "Its mover cannot distinguish it from other nodes with the same word",
    "guess": "The static evaluation, used if a search stops here",
    "noisy": "Names of branches that a quiescence search follows",
}
MAX_DEPTH, MAX_FILE_BYTES = 200, 400_000  # plies, bytes
INSTALLED = Path(__file__).parent / "files"  # installed trees
MAX_ERROR = 300  # characters of an error
_NAME = re.compile(r"[a-z][a-z0-9-]*")  # of an installed tree; files have a suffix or a folder
_ODDS = re.compile(r"\d{1,9}/\d{1,9}|\d{0,9}\.?\d{1,12}")
MAX_PAYOFF = 900_000  # payoffs and guesses stay below the values of forced wins

Path_ = tuple[str, ...]  # branch names from the root


@dataclass(eq=False)
class Node:
    """A decision or chance node if it has `branches`, else a leaf with `payoffs`.

    Nodes are immutable once the tree is read; the positions of a tree share them.
    """

    number: int  # in the order of the file, the root 0
    turn: int
    parent: "Node | None"
    index: int  # of the branch in the parent
    word: str = ""  # the name of the branch to this node
    odds: Fraction = Fraction(1)  # of that branch at a chance node
    branches: list["Node"] = field(default_factory=list)
    payoffs: tuple[float, ...] = ()
    names: tuple[str, ...] = ()  # for each payoff, the name of the unknown in the file, or ""
    infoset: str | None = None
    guess: tuple[float, ...] = ()
    noisy: tuple[int, ...] = ()

    def __deepcopy__(self, memo: dict[int, Any]) -> "Node":
        return self

    def path(self) -> Path_:
        """The names of the branches from the root to here."""
        return (*self.parent.path(), self.word) if self.parent else ()


class Tree(Position):
    """An explicit game tree, written by hand in a TOML file.

    A node is a table with one key, the mover: `max`, `min` or `chance`; its value is a table of branches by
    name. A number is a leaf: the payoff of max, and min gets its opposite.

        title = "Two moves each"
        value = 3                       # if known: what the first player gets
        [max.left.min]                  # max moves; after `left`, min does
        a = 3
        b = 12
        [max.right.min]
        c = 2
        d = "x"                         # an unknown leaf, with a default value below
        [unknown]
        x = 4                           # another value: `play FILE.toml:x=7`

    A list of branches gives them the names 1, 2, ...: `max = [{min = [3, 12]}, {min = [2, "x"]}]`.
    Branches of chance have odds after the name, `chance = {"six 1/6" = 5, "not 5/6" = -1}`, or are equally
    likely. Other players are named at the top, `players = ["A", "B", "C"]`; a leaf is then a list with one
    payoff each, `[1, 2, 6]` (two players may give one number, as above).
    A node may also have an `infoset`: its mover cannot distinguish it from others with the same name;
    a `guess`, the payoff that a search sees if it stops here; and `noisy`, a list of branch names that a
    quiescence search follows. Moves and positions are written as branch names: `left b`.

    With `scored = false` at the top, for two players, leaves are won (above 0), drawn or lost: a sooner win
    is better, and the margin does not count.

    `value`, at the top only, is the value of the tree by backward induction, the expectation if there is
    chance; a wrong one is refused. Unknown leaves count with their values in the file; with other values,
    `FILE.toml:x=7`, the value is recomputed. With infosets it is the equilibrium value, and with several
    best moves for more than two players one of several values; these are not checked.

    A tree has at most 20,000 nodes and 200 plies, its file at most 400,000 bytes.

    Textbook trees are installed: `tree:lecture`, `tree:lecture,x=100,y=-100`; `gameplay trees` lists them.
    `tree:random,depth=3,branching=2-3,seed=7` is a random tree: depth
    (1 to 12 plies), branching (1 to 9 branches, a number or a range), seed, payoffs (the largest, 9, of two
    players), players (2 to 6; the payoffs of each of three or more are a permutation of 1 to the number of
    leaves), and chance, again (a player may move twice), wins (leaves won, drawn or lost), uneven
    (leaves at different depths) and guesses (static evaluations and noisy branches), each on or off.
    """

    scored = True

    def __init__(self, file: str, **unknown: Any) -> None:
        super().__init__()
        if file == random_tree.NAME:
            self._read_data(random_tree.generate(unknown), f"tree:{file}", {})
            return
        path = installed_file(file) if _NAME.fullmatch(file) else Path(file)
        self._read_data(file_io.toml(path, MAX_FILE_BYTES), path.name, unknown)

    @classmethod
    def of(cls, data: Mapping[str, Any], **unknown: Any) -> "Tree":
        """Make a tree from a nested mapping in the form of the file: `Tree.of({"max": {"a": 3}})`."""
        tree = cls.__new__(cls)
        Position.__init__(tree)
        tree._read_data(data, "tree", unknown)
        return tree

    def _read_data(self, data: Mapping[str, Any], name: str, given: Mapping[str, Any]) -> None:
        reader = _Reader(name, data, given)
        self.root = self.node = reader.root
        self.nodes = reader.nodes
        self.title = str(data.get("title", ""))
        self.scored = reader.scored
        self.value = reader.value
        self.sides = reader.players
        self.players = len(reader.players)
        leaves = [node.payoffs for node in self.nodes if not node.branches]
        self.zero_sum = self.players > 1 and all(math.isclose(sum(leaf), 0, abs_tol=1e-9) for leaf in leaves)
        shares = leaves + [node.guess for node in self.nodes if node.guess] + [(0,) * self.players]
        self.low = min(min(each) for each in shares)
        self.high = max(max(each) for each in shares)
        self.total = max(sum(each) for each in shares)
        self.chance = any(node.turn == CHANCE for node in self.nodes)
        self.hidden = any(node.infoset is not None for node in self.nodes)
        self.turn = self.root.turn
        if self.players == 2 and self.zero_sum and not self.chance and not self.hidden:
            reader.check_whole_numbers()
        if not self.hidden:
            reader.check_value()
        if reader.unknown != reader.defaults:
            self.value = (
                None if self.hidden or self.value is None else reader.backward_induction(reader.unknown)
            )

    # -- the contract ------------------------------------------------------------------------

    def moves(self) -> list[int]:
        return list(range(len(self.node.branches)))

    @checked
    def make(self, move: int) -> None:
        self.node = self.node.branches[move]
        self.turn = self.node.turn

    def unmake(self) -> None:
        if self.node.parent is None:
            raise NoMoveMade()
        self.node = self.node.parent
        self.turn = self.node.turn

    def outcome(self) -> tuple[float, ...] | None:
        return None if self.node.branches else self.node.payoffs

    def chances(self) -> list[float]:
        return [float(branch.odds) for branch in self.node.branches]

    def key(self) -> int:
        return self.node.number

    def infoset(self, player: int) -> tuple[Any, ...]:
        """The infoset's word when `player` moves, else their own choices so far."""
        return self._view(self.node, player)

    def _view(self, node: Node, player: int) -> tuple[Any, ...]:
        if not self.hidden or (node.turn == player and node.branches and node.infoset is None):
            return (player, node.number)
        if node.turn == player and node.branches:
            return (player, node.infoset)
        own: list[tuple[Any, ...]] = []
        while node.parent:
            if node.parent.turn == player:
                own.append((self._view(node.parent, player), node.index))
            node = node.parent
        return (player, *reversed(own))

    def determinize(self, player: int, rng: "Random") -> "Tree":
        """Sample a node indistinguishable for `player`, by the odds of the chance moves on its path."""
        same = [
            node
            for node in self._indistinguishable(player)
            if bool(node.branches) == bool(self.node.branches)
        ]
        return self._at(rng.choices(same, [float(_reach(node)) for node in same])[0])

    def initial(self) -> "Tree":
        """The same tree at its root."""
        return self._at(self.root)

    def _at(self, node: Node) -> "Tree":
        """The same tree at another node."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.node, other.turn = node, node.turn
        return other

    def _indistinguishable(self, player: int) -> list[Node]:
        """The nodes that `player` cannot distinguish from this one."""
        view = self.infoset(player)
        return [node for node in self.nodes if self._view(node, player) == view]

    def sees(self, player: int, move: int) -> bool:
        """True if `player` can distinguish the branch from the others in their information set."""
        if not self.hidden:
            return True
        branch = self.node.branches[move]
        view = self._view(branch, player)
        after = [there for node in self._indistinguishable(player) for there in node.branches]
        return {there.word for there in after if self._view(there, player) == view} == {branch.word}

    def evaluate(self) -> int:
        """The node's `guess` from the mover's view, 0 if it has none."""
        return int(self.node.guess[max(self.turn, 0)]) if self.node.guess else 0

    def evaluate_for(self, player: int) -> int:
        """The node's `guess` for a player, 0 if it has none."""
        return int(self.node.guess[player]) if self.node.guess else 0

    def noisy(self) -> tuple[int, ...]:
        return self.node.noisy

    def format(self, move: int) -> str:
        return self.node.branches[move].word

    def text(self) -> str:
        return " ".join(self.node.path())

    def setup(self, text: str) -> None:
        before = self.node
        self.node, self.turn = self.root, self.root.turn
        try:
            super().setup(text)
        except BadInput:
            self.node, self.turn = before, before.turn
            raise

    def __str__(self) -> str:
        """The path so far and the subtree below, one branch a line."""
        title = [self.title, ""] if self.title and self.node is self.root else []
        head = " ".join(("start", *self.node.path()))
        return "\n".join(
            [*title, f"{head}: {self._describe(self.node)}", *self._subtree_lines(self.node, "")]
        )

    def show(self, viewer: int | None = None) -> str:
        """The whole tree, with the nodes marked where `viewer` may be; None: as `str`."""
        if viewer is None or not self.hidden:
            return str(self)
        here = {node.number for node in self._indistinguishable(viewer)}
        lines = list(self._subtree_lines(self.root, "", here))
        start = f"start: {self._describe(self.root)}" + self._mark(self.root, here)
        return "\n".join([*([self.title, ""] if self.title else []), start, *lines])

    def _mark(self, node: Node, here: Collection[int]) -> str:
        sure = "" if len(here) == 1 else "?"
        return f"  <- here{sure}" if node.number in here else ""

    def _subtree_lines(self, node: Node, indent: str, here: Collection[int] = ()) -> Iterator[str]:
        for branch in node.branches:
            last = branch.index == len(node.branches) - 1
            odds = f" ({branch.odds})" if node.turn == CHANCE else ""
            says = self._describe(branch) + self._mark(branch, here)
            yield f"{indent}{'`-' if last else '|-'} {branch.word}{odds}: {says}"
            yield from self._subtree_lines(branch, indent + ("   " if last else "|  "), here)

    def _describe(self, node: Node) -> str:
        if not node.branches:
            named = zip(node.payoffs, node.names, strict=True)
            numbers = [f"{name} = {x:g}" if name else f"{x:g}" for x, name in named]
            alone = self.players == 2 and self.zero_sum
            return numbers[0] if alone or self.players == 1 else f"({', '.join(numbers)})"
        who = "chance" if node.turn == CHANCE else self.sides[node.turn]
        infoset = f" {{{node.infoset}}}" if node.infoset is not None else ""
        guess = f", guess {node.guess[0]:g}" if node.guess else ""
        return f"{who}{infoset}{guess}"


def names() -> list[str]:
    """The installed trees."""
    return sorted(path.stem for path in INSTALLED.glob("*.toml"))


def installed_file(name: str) -> Path:
    """The file of an installed tree. Raises Usage for an unknown name."""
    if name not in names():
        choices = [*names(), random_tree.NAME]
        raise Usage(
            unknown_name("tree", name, choices, "gameplay trees", "for a tree of your own, NAME.toml")
        )
    return INSTALLED / f"{name}.toml"


def _reach(node: Node) -> Fraction:
    """The chance probability of the path to a node."""
    return node.odds * _reach(node.parent) if node.parent else node.odds


class _Reader:
    """Reads nodes from a nested mapping. An error is one line: the file, the path, what was expected."""

    def __init__(self, file: str, data: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        self.file = file
        self.nodes: list[Node] = []
        self.players = self._players(data)
        self.defaults = self._defaults(data.get("unknown", {}))
        self.unknown = self._unknown_values(given)
        body = {key: part for key, part in data.items() if key not in HEAD}
        if not body:
            raise self._error(
                (), f"holds no tree: begin with [{self.players[0]}.NAME] or {self.players[0]} = ..."
            )
        self.root = self._node(body, (), Node(0, 0, None, 0))
        self.scored = self._scored(data.get("scored", True))
        self._check_infosets()
        self.value = self._payoffs(data["value"], (), Node(0, 0, None, 0)) if "value" in data else None

    def _error(self, path: Path_, words: str) -> BadInput:
        where = f"at {' '.join(path)}, " if path else ""
        line = f"{where}{words}"
        return BadInput(f"{self.file}: {line if len(line) < MAX_ERROR else line[:MAX_ERROR] + '...'}")

    def _players(self, data: Mapping[str, Any]) -> tuple[str, ...]:
        names = data.get("players", ["max", "min"])
        if (
            not isinstance(names, list)
            or not names
            or not all(isinstance(n, str) and len(n.splitlines()) == 1 for n in names)
        ):
            raise self._error((), 'players must be a list of names, as in players = ["A", "B", "C"]')
        taken = [
            name for i, name in enumerate(names) if name in (*HEAD, *EXTRAS, "chance") or name in names[:i]
        ]
        if taken:
            raise self._error((), f"no player can be called '{taken[0]}': that word is taken")
        return tuple(names)

    def _defaults(self, table: Any) -> dict[str, float]:
        """The values of unknown leaves in the file."""
        if not isinstance(table, Mapping):
            raise self._error((), "unknown must be a table of names and numbers: [unknown], then x = 4")
        return {name: self._number(x, (), f"unknown {name}") for name, x in table.items()}

    def _scored(self, value: Any) -> bool:
        """True if payoffs are points, false if they are won, drawn and lost."""
        if not isinstance(value, bool):
            raise self._error((), f"scored is {value!r}: expected true or false")
        chance = any(node.turn == CHANCE for node in self.nodes)
        if not value and (len(self.players) != 2 or chance):
            raise self._error((), "scored = false is for two players without chance; leave it out")
        return value

    def _unknown_values(self, given: Mapping[str, Any]) -> dict[str, float]:
        """The values of unknown leaves, including those given by the user."""
        values = dict(self.defaults)
        for name, text in given.items():
            if name not in values:
                raise Usage(f"{self.file}: {unknown_name('leaf', name, values)}")
            try:
                number = float(text)
                values[name] = self._number(int(number) if number.is_integer() else number, (), name)
            except (ValueError, OverflowError):
                bounds = f"a number from -{MAX_PAYOFF} to {MAX_PAYOFF}"
                raise Usage(f"{self.file}: {name} must be {bounds}, not '{brief(str(text))}'") from None
        return values

    def _number(self, x: Any, path: Path_, what: str) -> float:
        if isinstance(x, bool) or not isinstance(x, (int, float)) or not abs(x) <= MAX_PAYOFF:
            raise self._error(path, f"{what} is {x!r}: expected a number from -{MAX_PAYOFF} to {MAX_PAYOFF}")
        return x

    def _payoffs(self, data: Any, path: Path_, node: Node) -> tuple[float, ...]:
        count = len(self.players)
        parts = data if isinstance(data, list) else [data]
        names = [part if isinstance(part, str) else "" for part in parts]
        for name in filter(None, names):
            if name not in self.unknown:
                choices = f"; known are {', '.join(self.unknown)}" if self.unknown else ""
                raise self._error(
                    path, f"the leaf '{name}' has no value: add {name} = 4 under [unknown]{choices}"
                )
        both = zip(parts, names, strict=True)
        numbers = [self.unknown[n] if n else self._number(x, path, "payoff") for x, n in both]
        if len(numbers) == 1 and count == 2 and not isinstance(data, list):
            numbers, names = [numbers[0], -numbers[0]], [names[0], f"-{names[0]}" if names[0] else ""]
        if len(numbers) != count:
            like = ", ".join(str(n + 1) for n in range(count))
            raise self._error(path, f"a leaf needs {count} payoffs, one a player, like [{like}]")
        node.names = tuple(names)
        return tuple(numbers)

    def _node(self, data: Any, path: Path_, node: Node) -> Node:
        node.number = len(self.nodes)
        if node.number == MAX_NODES:
            raise self._error((), f"has more than {MAX_NODES:,} nodes, the most that a tree may have")
        if len(path) > MAX_DEPTH:
            raise self._error((), f"is deeper than {MAX_DEPTH} plies, the most that a tree may have")
        self.nodes.append(node)
        if not isinstance(data, Mapping):
            node.payoffs = self._payoffs(data, path, node)
            return node
        movers = [key for key in data if key not in EXTRAS]
        players = (*self.players, "chance")
        for key in movers:
            if key not in players:
                fields = (*players, *EXTRAS) if path else (*HEAD, *players, *EXTRAS)
                raise self._error(path, unknown_name("field", key, fields))
        if len(movers) != 1:
            named = " and ".join(movers) if movers else "no player"
            raise self._error(path, f"{named} should move: name exactly one of {', '.join(players)}")
        node.turn = CHANCE if movers[0] == "chance" else self.players.index(movers[0])
        self._branches(data[movers[0]], path, node)
        self._extras(data, path, node)
        return node

    def _branches(self, data: Any, path: Path_, node: Node) -> None:
        if isinstance(data, list):
            data = {str(number): part for number, part in enumerate(data, 1)}
        if not isinstance(data, Mapping) or not data:
            raise self._error(path, "a mover needs branches: a table of names, or a list")
        if len(self.nodes) + len(data) > MAX_NODES:
            raise self._error((), f"has more than {MAX_NODES:,} nodes, the most that a tree may have")
        words = []
        odds = []
        for key in data:
            word, *rest = key.split() or [""]
            if not word or len(rest) > (1 if node.turn == CHANCE else 0):
                right = "'NAME ODDS', like 'six 1/6'" if node.turn == CHANCE else "one word without spaces"
                raise self._error(path, f"the branch '{key}' should be {right}")
            words.append(word)
            odds.append(self._odds(rest[0], (*path, word)) if rest else None)
        if len({word.lower() for word in words}) < len(words):
            raise self._error(path, "two branches have the same name (names are case-insensitive)")
        if node.turn == CHANCE:
            given = [part for part in odds if part is not None]
            if given and len(given) < len(odds):
                raise self._error(path, "give every branch its odds, or none")
            if given and abs(float(sum(given)) - 1) > 1e-9:
                raise self._error(path, f"the odds sum to {sum(given)}, not 1")
        for index, (word, part) in enumerate(zip(words, data.values(), strict=True)):
            turn = (node.turn + 1) % len(self.players)  # of a leaf; decision nodes set their own
            chance = (odds[index] or Fraction(1, len(words))) if node.turn == CHANCE else Fraction(1)
            node.branches.append(self._node(part, (*path, word), Node(0, turn, node, index, word, chance)))

    def _odds(self, text: str, path: Path_) -> Fraction:
        try:
            odds = Fraction(text) if _ODDS.fullmatch(text) else Fraction(0)
        except ZeroDivisionError:
            odds = Fraction(0)
        if not 0 < odds <= 1:
            raise self._error(path, f"the odds '{text}' should be like 1/6 or 0.25")
        return odds

    def _extras(self, data: Mapping[str, Any], path: Path_, node: Node) -> None:
        if "infoset" in data:
            if not isinstance(data["infoset"], str) or node.turn == CHANCE:
                raise self._error(path, 'infoset must be a word at a player\'s node, as in infoset = "king"')
            node.infoset = data["infoset"]
        if "guess" in data:
            node.guess = self._payoffs(data["guess"], path, Node(0, 0, None, 0))
            if not all(float(x).is_integer() for x in node.guess):
                raise self._error(path, "a guess must be a whole number")
        if "noisy" in data:
            words = [branch.word for branch in node.branches]
            if not isinstance(data["noisy"], list) or not all(word in words for word in data["noisy"]):
                raise self._error(path, f"noisy must be a list of branches of this node ({', '.join(words)})")
            node.noisy = tuple(words.index(word) for word in data["noisy"])

    def _check_infosets(self) -> None:
        seen: dict[tuple[int, str], Node] = {}
        for node in self.nodes:
            if node.infoset is None:
                continue
            first = seen.setdefault((node.turn, node.infoset), node)
            here, there = ([branch.word for branch in n.branches] for n in (node, first))
            if here != there:
                raise self._error(
                    node.path(),
                    f"infoset {node.infoset} offers {', '.join(here)}, but {', '.join(there)} "
                    f"at {' '.join(first.path()) or 'the start'}: they must be the same",
                )

    def check_value(self) -> None:
        """Compare the file's `value` with its leaves, unknown ones with their values in the file."""
        value = self.backward_induction(self.defaults)
        if (
            self.value is None
            or value is None
            or all(
                math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-6) for a, b in zip(value, self.value, strict=True)
            )
        ):
            return
        alone = len(value) == 1 or (len(value) == 2 and value[0] == -value[1])
        given, right = (
            self._format_payoffs(payoffs[:1] if alone else payoffs) for payoffs in (self.value, value)
        )
        raise self._error((), f"value = {given}, but the leaves give {right} at the root")

    def backward_induction(self, unknown: Mapping[str, float]) -> tuple[float, ...] | None:
        """The value by backward induction with these values of unknown leaves; None if it is not unique."""
        values: dict[int, tuple[float, ...]] = {}
        tied = False  # a mover has several best branches, which differ for the others
        for node in reversed(self.nodes):
            below = [values[branch.number] for branch in node.branches]
            if not below:
                own = [unknown.get(n, x) for x, n in zip(node.payoffs, node.names, strict=True)]
                if len(own) == 2 and node.names[1] == f"-{node.names[0]}":
                    own[1] = -own[0]
                values[node.number] = tuple(own)
            elif node.turn == CHANCE:
                odds = [float(branch.odds) for branch in node.branches]
                values[node.number] = tuple(
                    math.fsum(share * payoff for share, payoff in zip(odds, payoffs, strict=True))
                    for payoffs in zip(*below, strict=True)
                )
            else:
                best = max(below, key=lambda payoffs: payoffs[node.turn])
                tied |= any(payoffs[node.turn] == best[node.turn] and payoffs != best for payoffs in below)
                values[node.number] = best
        return None if tied else values[self.root.number]

    def _format_payoffs(self, payoffs: tuple[float, ...]) -> str:
        numbers = ", ".join(f"{x:g}" for x in payoffs)
        return numbers if len(payoffs) == 1 else f"[{numbers}]"

    def check_whole_numbers(self) -> None:
        """Raise BadInput unless payoffs of two players are whole numbers, as engines need."""
        for node in self.nodes:
            for x in node.payoffs:
                if not float(x).is_integer():
                    raise self._error(
                        node.path(),
                        f"payoff {x:g}: two players without chance need whole numbers "
                        "(multiply all payoffs by the same factor)",
                    )
