"""Random worksheet questions with answers.

    bounds       alpha and beta of inner nodes when alpha-beta leaves them
    expectation  the value of a tree with chance nodes
    vector       the payoffs of three players by max^n
    killer       the move that alpha-beta with killer moves tries first
    ucb          the child that UCT selects, by UCB1

Engines search the trees, and the answers are read from the trace. The numbers of `ucb` are computed by
mean + c * sqrt(ln N / n), where N is the number of visits of the node and n that of the child.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

from gameplay.tracing.windows import NodeWindow, WindowTable
from gameplay.training import random_trees
from gameplay.training.answer import NUMBER, ONE, VECTOR, WINDOWS, RightAnswer
from gameplay.training.question import Question

KINDS = ("bounds", "expectation", "vector", "killer", "ucb")
MAX_WINDOWS = 4  # inner nodes with windows to fill in
PROBABILITIES = {
    2: ((0.5, 0.5), (0.25, 0.75), (0.2, 0.8), (0.9, 0.1), (0.4, 0.6)),
    3: ((0.5, 0.25, 0.25), (0.2, 0.3, 0.5)),
}
SIDES = ("A", "B", "C")
CONSTANTS = (0.5, 0.7, 1.0, 1.4)  # c of UCB1
MARGIN = 0.03  # minimum difference of the two largest UCB1 values
NO_ANSWER = RightAnswer(ONE, ())


def make_question(kind: str, level: int, rng: Random) -> Question | None:
    """Make a question of this kind; None if it is trivial."""
    make = {
        "bounds": _bounds,
        "expectation": _expectation,
        "vector": _vector,
        "killer": _killer,
        "ucb": _ucb,
    }
    return make[kind](level, rng)


# -- alpha and beta to fill in ------------------------------------------------------------------


def _bounds(level: int, rng: Random) -> Question | None:
    """The windows of the root and the first inner nodes, at least one with a cutoff."""
    data = random_trees.random_tree(rng, level)
    height = random_trees.height(data)
    question = Question("bounds", level, "", NO_ANSWER, data=data, depth=height)
    table = WindowTable(1_000)
    question.follow(table)
    rows = [row for row in table.rows if not row.leaf and row.level < 2][:MAX_WINDOWS]
    if not any(row.cut for row in rows):
        return None
    names = tuple(map(_name, rows))
    ends = tuple(end for row in rows for end in row.exit)
    text = (
        "Alpha-beta tries branches in the order shown, the root with [-inf, inf]. Fill in alpha and beta, "
        f"from MAX's view, when the search leaves each node: {', '.join(names)}."
    )
    return replace(question, text=text, answer=RightAnswer(WINDOWS, ends, names))


def _name(row: NodeWindow) -> str:
    return row.path[-1] if row.path else "root"


# -- chance, and three players --------------------------------------------------------------------


def _expectation(level: int, rng: Random) -> Question:
    """MAX, then chance, and from level 3 on MIN."""
    names = random_trees.letters()
    widths = 3 if level in (2, 4, 5) else 2

    def leaf() -> int:
        return rng.randint(*random_trees.SPANS[level])

    def reply() -> Any:
        return {"min": {next(names): leaf() for _ in range(2)}} if level > 2 else leaf()

    def chance() -> Any:
        odds = rng.choice(PROBABILITIES[3 if level == 5 else 2])
        return {"chance": {f"{next(names)} {share:g}": reply() for share in odds}}

    words = [next(names) for _ in range(widths)]
    data = {"max": {word: chance() for word in words}}
    question = Question("expectation", level, "", NO_ANSWER, data=data, engine="expectiminimax", depth=9)
    exit_step = question.visited().left
    assert exit_step is not None and exit_step.value is not None
    text = "Chance takes each branch with the probability in brackets. What is the value of the root for MAX?"
    return replace(question, text=text, answer=RightAnswer(NUMBER, (round(exit_step.value, 6),)))


def _vector(level: int, rng: Random) -> Question:
    """Three players move in turn. The payoffs of a player are distinct, so there are no ties."""
    names = random_trees.letters()
    plies, width = (2 if level == 1 else 3), (3 if level in (1, 5) else 2)
    leaves = width**plies
    payoffs = zip(*(rng.sample(range(max(10, leaves + 1)), leaves) for _ in SIDES), strict=True)

    def grow(ply: int) -> Any:
        if ply == plies:
            return list(next(payoffs))
        words = [next(names) for _ in range(width)]
        return {SIDES[ply]: {word: grow(ply + 1) for word in words}}

    data = {"players": [*SIDES], **grow(0)}
    question = Question("vector", level, "", NO_ANSWER, data=data, engine="maxn:prune=off", depth=plies)
    exit_step = question.visited().left
    assert exit_step is not None
    text = (
        "Players A, B and C move in turn. Leaves hold the payoffs (A, B, C), and each player maximizes their "
        "own payoff (max^n). What are the payoffs of the root?"
    )
    return replace(question, text=text, answer=RightAnswer(VECTOR, exit_step.values))


# -- killer moves ---------------------------------------------------------------------------------


def _killer(level: int, rng: Random) -> Question | None:
    """All nodes of MIN have the same moves; at the last one a killer may be tried first."""
    replies = [*islice(random_trees.letters(), 2 + (level + 1) // 2)]
    words = [f"{number}" for number in range(1, 3 + (level + 1) // 2)]
    span = random_trees.SPANS[level]
    data = {"max": {word: {"min": {reply: rng.randint(*span) for reply in replies}} for word in words}}
    engine = "alphabeta:order=killer"
    question = Question("killer", level, "", NO_ANSWER, data=data, engine=engine, depth=2)
    root = question.visited()
    cuts = [child.cut is not None for child in root.children[:-1]]
    first = root.children[-1].children[0].entered.word
    if (first == replies[0] or not any(cuts)) and rng.random() < 0.8:
        return None
    text = (
        "Alpha-beta with killer moves: at each node of MIN the last two moves that cut off at this ply are "
        "tried first, the latest before the other, then the others in the order shown. Branches of the same "
        f"letter are the same move. Which move does it try first at node {words[-1]}?"
    )
    return replace(question, text=text, answer=RightAnswer(ONE, (first,), tuple(replies)))


# -- UCB1 -----------------------------------------------------------------------------------------


def ucb1(mean: float, visits: int, total: int, c: float) -> float:
    """The UCB1 value of a child with `visits` of the `total` visits of its node."""
    return mean + c * math.sqrt(math.log(total) / visits)


def _ucb(level: int, rng: Random) -> Question | None:
    """One child is selected by a margin; from level 3 on not the child with the largest mean."""
    count = 2 + (level + 1) // 2
    names = [*islice(random_trees.letters(), count)]
    visits = [rng.randint(1, 4 + 6 * level) for _ in names]
    means = [rng.randint(10, 90) / 100 for _ in names]
    c, total = rng.choice(CONSTANTS), sum(visits)
    scores = [ucb1(mean, n, total, c) for mean, n in zip(means, visits, strict=True)]
    best, second = sorted(scores, reverse=True)[:2]
    chosen = scores.index(best)
    if best - second < MARGIN or (level > 2 and means[chosen] == max(means)):
        return None
    rows = [f"N = {total} visits of the node, c = {c:g}", "", "child  visits n  mean"]
    rows += [f"{name:<5}  {n:>8}  {mean:.2f}" for name, n, mean in zip(names, visits, means, strict=True)]
    text = "UCT selects a child by UCB1 = mean + c * sqrt(ln N / n). Which one?"
    note = "\n".join(_ucb_lines(names, visits, means, scores, c))
    answer = RightAnswer(ONE, (names[chosen],), tuple(names))
    return Question("ucb", level, text, answer, note=note, rows=tuple(rows))


def _ucb_lines(
    names: list[str], visits: list[int], means: list[float], scores: list[float], c: float
) -> Iterator[str]:
    """Yield the formula with numbers for each child."""
    for name, n, mean, score in zip(names, visits, means, scores, strict=True):
        yield f"{name}: {mean:.2f} + {c:g} * sqrt(ln {sum(visits)} / {n}) = {score:.3f}"
