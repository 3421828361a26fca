"""Searches, and the trees that they draw."""

import json
import math
import re
from typing import Any

from gameplay import registry
from tests.support.facts import drawn_trees
from tests.support.facts.drawn_trees import Node
from tests.support.facts.output import Output
from tests.support.facts.plain_games import Crosses, kuhn, minimax_nodes, slides


def check_analysis(output: Output) -> None:
    """Minimax visits every node; engines of one theorem agree; the move is that of the best line."""
    if not output.text.startswith("{"):
        for engine, depth, nodes in re.findall(
            r"^(\S+): search.*depth (\d+)/\d+, nodes ([\d,]+)", output.text, re.MULTILINE
        ):
            full = minimax_nodes(9, int(depth)) if output.words[1] == "tictactoe" else math.inf
            count = int(nodes.replace(",", ""))
            assert count == full if engine == "minimax" else count < full
        values = re.findall(r"^(?:minimax|alphabeta|iterative): .*value (.*?),", output.text, re.MULTILINE)
        assert len(set(values)) <= 1
        listed = re.findall(r"line \d+\. \w+ ([-+][\d.]+)", output.text)
        assert [float(entry) for entry in listed] == sorted(map(float, listed), reverse=True)
        return
    data = json.loads(output.text)
    position = registry.game(data["game"]).new()
    for word in data["made"]:
        position.make(position.parse(word))
    legal = {position.format(move) for move in position.moves()}
    for item in data["engines"]:
        assert item["move"] in legal and item["pv"][0] == item["move"] == item["candidates"][0]["move"]
        assert item["value"] == item["candidates"][0]["value"] and item["seldepth"] >= item["depth"]


def check_measurement(output: Output) -> None:
    """Full trees of minimax, fewer nodes of alpha-beta, equal values, and the theoretical bounds."""
    data = json.loads(output.text)
    for level in data["levels"]:
        depth, theory = level["depth"], level["theory"]
        full, cut = level["engines"]
        # after two moves there are 7 empty cells, and no line can end a game within the depth but the third
        trees = [minimax_nodes(9, depth, len(position["moves"])) for position in data["positions"]]
        assert depth == 3 or full["nodes"] == sum(trees)
        assert (
            full["nodes"] <= sum(trees) and cut["nodes"] <= full["nodes"] and cut["values"] == full["values"]
        )
        assert math.isclose(theory["full"], theory["b"] ** depth, rel_tol=1e-4)
        b = theory["b"]  # Knuth and Moore 1975
        assert math.isclose(theory["minimum"], b ** -(-depth // 2) + b ** (depth // 2) - 1, rel_tol=1e-4)
        if cut["cutoffs"]:
            assert math.isclose(cut["first_share"], cut["first_cutoffs"] / cut["cutoffs"], rel_tol=1e-4)


def check_solution(output: Output) -> None:
    """The value by brute force in tic-tac-toe; the length of a line follows from its value."""
    if output.text.startswith("{"):
        data = json.loads(output.text)
        for move in data["moves"]:
            assert move["line"][0] == move["move"]
            ahead = re.match(r"\w+ wins in (\d+) plies", move["text"])
            assert ahead is None or int(ahead[1]) == len(move["line"])
        assert data["value"] == max(move["value"] for move in data["moves"])
        assert data["nodes"] == sum(move["nodes"] for move in data["moves"])
        return
    moves = output.option("--moves").split()
    results = dict(re.findall(r"^(\w\d): (.*?);", output.text, re.MULTILINE))
    assert results == Crosses().worth(moves)
    for word, line in re.findall(r"^(\w\d): .*line (.*)$", output.text, re.MULTILINE):
        cells = Crosses().after([*moves, *line.split()])
        assert line.startswith(word) and "." not in cells and not Crosses().has_line(cells)


def check_drawing(output: Output) -> None:
    """The last line has the number of drawn nodes, and their values are consistent."""
    notes = output.err + output.text
    for suffix, page in output.pages.items():
        if suffix == ".html":
            root = drawn_trees.check_page(page)
            drawn_trees.check_count(notes, len(root.every()))
            _values(root, output)
        else:
            pattern = r'<g id="n\d+"' if suffix == ".svg" else r"^  n\d+ \["
            drawn_trees.check_count(notes, len(re.findall(pattern, page, re.MULTILINE)))
            assert (
                suffix == ".svg"
                or len(re.findall(r" -> ", page)) == len(re.findall(pattern, page, re.MULTILINE)) - 1
            )
    if not output.pages:
        (root,) = drawn_trees.trees(output.text)
        drawn_trees.check_count(output.text, len(root.every()))
        _values(root, output)


def _values(root: Node, output: Output) -> None:
    engine = output.option("--engine", "iterative").partition(":")[0]
    if engine == "mcts":
        hidden = output.option("--most") != ""  # of children that are not drawn
        assert hidden or drawn_trees.check_visits(root)
        assert drawn_trees.visits(root)[0] == int(re.search(r"sims=(\d+)", " ".join(output.words))[1])
    elif engine == "pns":
        assert drawn_trees.check_proofs(root) > 0
    elif engine in ("idastar", "dfid", "astar"):
        spec = " ".join(output.words)
        rows, columns = (int(re.search(rf"{name}=(\d)", spec)[1]) for name in ("rows", "columns"))
        tiles = tuple(map(int, registry.game(output.words[1]).new().text().split()))
        assert len(tiles) == rows * columns and drawn_trees.number(root.value_text) == slides(tiles, columns)
        drawn_trees.check_costs(root)
    elif engine == "maxn":
        assert _payoffs(root)[0] == max(_payoffs(child)[0] for child in root.below)
        assert all(abs(sum(_payoffs(node))) < 0.03 for node in root.every())
    else:
        partly = engine in ("selective", "quiescence") or " not drawn" in output.text + output.err
        assert drawn_trees.check_minimax(root, partly) > 0


def _payoffs(node: Node) -> list[float]:
    return [float(number) for number in re.findall(r"[-+]\d+\.\d+", node.value_text)]


def check_trace(output: Output) -> None:
    """Values follow from their children's; UCB1 by the formula of Auer, Cesa-Bianchi and Fischer (2002)."""
    if output.text.startswith("{"):
        _events(output.rows())
        return
    goal = re.search(r"^(.*): (\d+) moves to the goal", output.text, re.MULTILINE)
    if goal is not None:
        tiles = tuple(map(int, registry.game(output.words[1]).new().text().split()))
        assert len(goal[1].split()) == int(goal[2]) == slides(tiles, 2)
        assert int(goal[2]) == max(map(int, re.findall(r"threshold (\d+)", output.text)))
    for mean, c, count, tries, bound in re.findall(
        r"([\d.]+) \+ ([\d.]+) \* sqrt\(ln (\d+) / (\d+)\) = ([\d.]+)", output.text
    ):
        upper = float(mean) + float(c) * math.sqrt(math.log(int(count)) / int(tries))
        assert abs(upper - float(bound)) < 0.001
    known: dict[tuple[int, str], str] = {}  # by level and move
    for bars, word, value, best in re.findall(
        r"^([| ]*)(\S+?)(?:: leaf \[.*?)? = (\S+)(?: at \w+)?(?: by (\S+))?", output.text, re.MULTILINE
    ):
        level = bars.count("|")
        assert not best or known.get((level + 1, best), value) == value, (word, value, best)
        known[level, word] = value
    assert known or "goal" in output.text or "visit" in output.text


def _events(events: list[Any]) -> None:
    assert events[0]["what"] == "begin" and events[-1]["what"] == "end"
    below: list[dict[str, tuple[float, float]]] = [{}]
    for event in events:
        if event["what"] == "enter":
            below.append({})
            odds = event.get("odds", 1.0)
            below[-1][""] = (odds, 0.0)
        elif event["what"] == "leave":
            children = below.pop()
            odds = children.pop("", (1.0, 0.0))[0]
            values = [value for _, value in children.values()]
            if values and event["role"] in ("MAX", "MIN"):
                assert event["value"] == (max if event["role"] == "MAX" else min)(values)
            elif values:
                assert math.isclose(
                    event["value"], sum(odd * child for odd, child in children.values()), rel_tol=1e-3
                )
            below[-1][event.get("move", "root")] = odds, event["value"]
        elif event["what"] == "compare":
            for node in event["children"]:
                if node.get("visits"):
                    spread = math.sqrt(math.log(event["visits"]) / node["visits"])
                    assert math.isclose(node["compared"], node["mean"] + event["c"] * spread, rel_tol=1e-4)
    assert events[-1]["move"] == events[-1]["pv"][0]
    if events[0]["game"].startswith("puzzle15"):
        tiles = tuple(map(int, events[0]["position"].split()))
        assert slides(tiles, 2) == len(events[-1]["pv"]) == -events[-1]["value"] == events[-1]["depth"]


def check_exploitability(output: Output) -> None:
    """In two-player Kuhn poker all 64 replies of each side to the printed strategy, by brute force."""
    if "kuhn:players=3" in output.words:
        values = [
            float(number) for number in re.findall(r"^player \d +([-+][\d.]+)", output.text, re.MULTILINE)
        ]
        replies = [
            float(number) for number in re.findall(r"^player \d.*([-+][\d.]+)$", output.text, re.MULTILINE)
        ]
        gap = sum(replies) - sum(values)
        assert len(values) == 3 and abs(sum(values)) < 1e-4
        assert abs(output.number(r"^NashConv +([\d.]+)") - gap) < 1e-4
        assert abs(output.number(r"^exploitability +([\d.]+)") - gap / 3) < 1e-4
        return
    if output.text.startswith("{"):
        data = json.loads(output.text)
        value, first, second = kuhn(lambda card, history: 0.5)
        computed = [value, -value, first, second, first + second, (first + second) / 2]
        given = [*data["values"], *data["responses"], data["nash_conv"], data["exploitability"]]
        assert all(math.isclose(*pair, abs_tol=1e-6) for pair in zip(computed, given, strict=True))
        return
    odds: dict[tuple[str, str], float] = {}
    history = {"": "", "check bet": "pb", "check": "p", "bet": "b"}
    for row in re.findall(
        r"^ (?:([JQK]) \?|\? ([JQK])) ?(.*?)  +(?:check|fold) ([\d.]+) (?:bet|call) ([\d.]+)$",
        output.text,
        re.MULTILINE,
    ):
        card, moves = row[0] or row[1], row[2].strip()
        odds[card, history[moves]] = float(row[4])
        assert abs(float(row[3]) + float(row[4]) - 1) < 0.0015
    assert len(odds) == 12
    value, first, second = kuhn(lambda *infoset: odds[infoset])
    printed = [
        float(pair)
        for pair in re.findall(r"^(?:first|second) +([-+][\d.]+) +([-+][\d.]+)$", output.text, re.MULTILINE)[
            0
        ]
    ]
    assert abs(printed[0] - value) < 0.002 and abs(printed[1] - first) < 0.002
    assert abs(output.number(r"^NashConv +([\d.]+)") - first - second) < 0.003
    assert abs(value + 1 / 18) < 0.01, "the value of the game is -1/18 (Kuhn 1950)"
    assert output.number(r"^NashConv +([\d.]+)") == round(2 * output.number(r"^exploitability +([\d.]+)"), 6)


def check_report(output: Output) -> None:
    """The counts of games sum up."""
    if not output.text.startswith("{"):
        assert output.number(r"positions +(\d+)") == int(output.option("--positions"))
        return
    data = json.loads(output.text)
    seen = data["observed"]
    assert sum(seen["wins"]) + seen["draws"] == seen["games"] and sum(seen["moved"]) == seen["moves"]
    assert 5 <= seen["shortest"] <= seen["longest"] <= 9 and data["broken"] == []
    assert data["plays"] == data["finished"] == int(output.option("--games"))
