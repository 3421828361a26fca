"""Trees as drawn by commands, read back, and the required relations of their values."""

import json
import re
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf, nan
from typing import Any

from tests.support.facts.plain_games import AlphaBeta, Crosses, minimax

BRANCH = re.compile(r"^((?:[|] {2}| {3})*)[|`]- (.*)$")
END = 1e6  # of a win now


@dataclass
class Node:
    """A line of a drawn tree."""

    text: str
    below: list["Node"] = field(default_factory=list)

    @property
    def word(self) -> str:
        """The word of its branch."""
        return re.split(r"[ :]", self.text, maxsplit=1)[0]

    @property
    def role(self) -> str:
        """Its role: MAX, MIN, chance, leaf or another."""
        match = re.search(r" (MAX|MIN|chance|leaf|OR|AND)\b", f" {self.text}")
        return match[1] if match else ""

    @property
    def value_text(self) -> str:
        """The text after the equals sign."""
        return self.text.rpartition(" = ")[2] if " = " in self.text else ""

    def every(self) -> list["Node"]:
        return [self, *(node for child in self.below for node in child.every())]


def trees(text: str) -> list[Node]:
    """The trees in a text, by their branches; the root is the line above the first."""
    results: list[Node] = []
    above: list[Node] = []
    last = ""
    for line in text.splitlines():
        drawn = BRANCH.match(line)
        if drawn is None:
            above = []
        else:
            ply = len(drawn[1]) // 3
            if not above:
                results.append(Node(last.strip()))
                above = [results[-1]]
            node = Node(drawn[2])
            del above[ply + 1 :]
            above[ply].below.append(node)
            above.append(node)
        last = line
    return results


def without_margin(text: str) -> str:
    """A worksheet without its margin."""
    return re.sub(r"^   ", "", text, flags=re.MULTILINE)


def as_mapping(node: Node) -> Any:
    """A tree of a question as nested mappings."""
    if not node.below:
        return float(node.text.rpartition(": ")[2])
    return {node.role.lower(): {child.word: as_mapping(child) for child in node.below}}


def number(shown: str) -> float:
    """A displayed value in points: a win in n is END minus n; nan if there is none."""
    match = re.match(r"(?:[<>≤≥]=? )?(?:(win|loss) in (\d+)|([-+]?\d+(?:\.\d+)?|[-+]inf))", shown)
    if match is None:
        return nan
    if match[1]:
        return (END - int(match[2])) * (1 if match[1] == "win" else -1)
    return float(match[3])


def check_count(text: str, nodes: int) -> None:
    """The last line has the number of drawn nodes."""
    match = re.search(r"^(?:\S+: )?(?:all )?([\d,]+) nodes? (?:are )?drawn", text, re.MULTILINE)
    assert match is not None and int(match[1].replace(",", "")) == nodes, (text[-200:], nodes)


def check_minimax(node: Node, partly: bool = False) -> int:
    """MAX has the largest value of its branches, MIN the least, chance the mean; returns the checked nodes.

    partly: of a tree that is not drawn whole, or whose nodes may stand pat: at least the largest, at most the
    least.
    """
    checked = 0
    # A branch that is searched again counts anew; a null move is none of the moves.
    latest = {child.word: child for child in node.below if child.word != "pass"}
    values = [(node, number(node.value_text)) for node in latest.values()]
    values = [(node, value) for node, value in values if value == value]
    own = number(node.value_text)
    if values and own == own:
        numbers = [value for _, value in values]
        if node.role == "chance":
            odds = [_odds(node, len(values)) for node, _ in values]
            assert abs(sum(odds) - 1) < 0.01
            assert abs(sum(odd * value for odd, value in zip(odds, numbers, strict=True)) - own) < 0.002
            checked += 1
        elif node.role in ("MAX", "MIN"):
            best = (max if node.role == "MAX" else min)(numbers)
            assert own == best or (partly and (own > best) == (node.role == "MAX")), node.text
            checked += 1
    return checked + sum(check_minimax(child, partly) for child in node.below)


def check_costs(root: Node) -> None:
    """For a puzzle with a consistent heuristic: a move leaves cost plus estimate the same or adds 2."""
    limit = number(root.value_text)
    for node in root.every()[1:]:
        costs = [number(child.value_text) for child in node.below]
        assert (
            all(cost - number(node.value_text) in (0, 1, 2) for cost in costs)
            and number(node.value_text) <= limit + 2
        )


def _odds(node: Node, others: int) -> float:
    """The probability of a branch; without one shown, all are equally likely."""
    match = re.match(r"\S+ \(([\d.]+)\)", node.text)
    return float(match[1]) if match else 1 / others


def check_visits(node: Node) -> int:
    """A node has one visit more than its children together, the root none; means are those of results."""
    counts = [visits(child) for child in node.below]
    if not counts:
        return 0
    count, mean = visits(node)
    assert count == sum(node for node, _ in counts) + (node.value_text.endswith(" visits") is False)
    if mean == mean:  # what is left for the first simulation is a payoff
        assert abs(mean * count + sum(node * value for node, value in counts)) <= 1 + 0.01 * count
    return 1 + sum(map(check_visits, node.below))


def visits(node: Node) -> tuple[int, float]:
    """The visits of a node, and the mean result of the player who moved there."""
    match = re.match(r"(?:([-+]?[\d.]+) of )?(\d+)", node.value_text)
    assert match is not None, node.text
    return int(match[2]), float(match[1]) if match[1] else nan


def check_proofs(root: Node) -> int:
    """OR: least proof number, AND: least disproof number; the other number is the weak sum.

    Where the search was stopped, the numbers on the line to that place are those of before.
    """
    inner = [node for node in root.every() if node.below]
    stale = [node for node in inner if _proof(node) != _backed_up(node)]
    assert all(lower in upper.every() for upper, lower in pairwise(stale))
    return len(inner) - len(stale)


def _backed_up(node: Node) -> tuple[float, float]:
    proofs, disproofs = zip(*(_proof(child) for child in node.below if " dn " in child.text), strict=True)
    if node.role == "OR":
        return min(proofs), _weak(disproofs)
    return _weak(proofs), min(disproofs)


def _weak(numbers: tuple[float, ...]) -> float:
    """The weak sum: the largest, plus 1 for each other undecided number."""
    return max(numbers) + max(0, sum(number > 0 for number in numbers) - 1)


def _proof(node: Node) -> tuple[float, float]:
    match = re.search(r"pn (\d+|inf),? ?dn (\d+|inf)", node.text)
    assert match is not None, node.text
    return float(match[1]), float(match[2])


# -- pages -------------------------------------------------------------------------------------------


def page_data(page: str) -> str:
    """The data of a page's script, as JSON; "" for a page without a script."""
    match = re.search(r'(?s)<script type="application/json" id="\w+">(.*?)</script>', page)
    return match[1] if match else ""


def check_page(page: str) -> Node:
    """The data of a replay are a tree whose steps lead to its values. Returns the final tree."""
    data = json.loads(page_data(page))
    nodes, steps = data["nodes"], data["steps"]
    drawn = [Node(f"{node['word']} {node['role']}") for node in nodes]
    for place, child in enumerate(nodes):
        if place:
            assert 0 <= child["up"] < place and child["path"] == [*nodes[child["up"]]["path"], child["word"]]
            drawn[child["up"]].below.append(drawn[place])
        else:
            assert child["up"] == -1 and child["path"] == []
    values: dict[int, str] = {}
    for step in steps:
        assert 0 <= step["at"] < len(nodes) and all(0 <= node < len(nodes) for node in step["pruned"])
        for node, mark in step["marks"]:
            values[node] = mark.get("value", values.get(node, ""))
            assert mark.get("state", "open") in ("open", "done")
            if "best" in mark:
                assert nodes[mark["best"]]["up"] == node
    pruned = {node for step in steps for node in step["pruned"]}
    assert all(nodes[node]["role"] == "not searched" for node in pruned)
    assert not any(values.get(node) for node in pruned)
    for place, value in values.items():
        drawn[place].text += f" = {' '.join(value.split())}" if value else ""
    return drawn[0]


# -- questions ---------------------------------------------------------------------------------------


def check_answer(kind: str, tree: Any, asks: str, answer: list[Any]) -> None:
    """The answer to a question about a tree is that of textbook minimax and alpha-beta."""
    search = AlphaBeta(tree)
    assert search.value == minimax(tree)
    ((_, branches),) = tree.items()
    plain = "The" if " and so on" not in asks else ""

    def names(paths: list[tuple[str, ...]]) -> list[str]:
        return [path[-1] if plain else " ".join(path) for path in paths]

    if kind == "value":
        assert answer == [search.value]
    elif kind == "move":
        best = [word for word, branch in branches.items() if minimax(branch) == search.value]
        assert answer == best and len(best) == 1
    elif kind == "cut":
        assert sorted(answer) == sorted(names(search.cut))
    elif kind == "visits" and "How many" in asks:
        assert answer == [len(search.leaves)]
        stated = re.search(r"of the (\d+) ends", asks)
        assert stated is None or int(stated[1]) == ends(tree)
    elif kind == "visits":
        assert answer == names(search.leaves)
    else:
        assert kind == "window"
        entered = re.search(r"enter (.*?)\?", asks)
        assert entered is not None
        (window,) = {
            window for path, window in search.windows.items() if path and names([path]) == [entered[1]]
        }
        assert answer == [None if abs(end) == inf else end for end in window]


def ends(tree: Any) -> int:
    """The leaves of a tree."""
    if not isinstance(tree, dict):
        return 1
    return sum(ends(branch) for branches in tree.values() for branch in branches.values())


def crosses_tree(words: list[str]) -> Any:
    """The remaining tree of a game of tic-tac-toe, for the side to move."""
    game = Crosses()
    return game.tree(game.after(words))
