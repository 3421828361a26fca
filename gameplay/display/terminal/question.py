"""A quiz question on a terminal: its tree or board, and the trace that explains the answer."""

import textwrap
from typing import TYPE_CHECKING

from gameplay.display.reports.drawn_tree import DrawnNode, prune_to_size
from gameplay.display.reports.trace import INDENT, TraceLines
from gameplay.display.terminal.line import board_text
from gameplay.position import CHANCE
from gameplay.training.question import Question

if TYPE_CHECKING:
    from gameplay.games.tree.game import Node

LINES = 50  # maximum lines of an explanation
MAX_NODES = 200  # maximum nodes of a drawn tree


def question_tree(question: Question) -> DrawnNode:
    """The tree of a question, without the values to find."""

    position = question.tree()

    def grow(node: "Node", noisy: bool) -> DrawnNode:
        sides = position.sides if position.players > 2 else ("MAX", "MIN")
        role = "chance" if node.turn == CHANCE else sides[node.turn]
        drawn = DrawnNode((node.word or "root") + "!" * noisy, role)
        if node.parent is not None and node.parent.turn == CHANCE:
            drawn.odds = f"{float(node.odds):g}"
        if not node.branches and position.players > 2:
            drawn.value = f"({', '.join(f'{payoff:g}' for payoff in node.payoffs)})"
        elif not node.branches:
            drawn.value = f"{node.payoffs[0]:g}"
        elif node.guess:
            drawn.value = f"guess {node.guess[0]:g}"
        drawn.children = [grow(branch, branch.index in node.noisy) for branch in node.branches]
        return drawn

    return grow(position.root, False)


def searched_tree(question: Question) -> DrawnNode:
    """The tree after the search: windows, values and cutoffs."""
    return prune_to_size(question.visited(), MAX_NODES, 1)


def picture(question: Question, unicode: bool) -> list[str]:
    """The tree or the board as lines of text."""
    if question.game:
        position = question.make_position()
        board = position.board()
        moves = f"{question.game}" + (f", after {' '.join(question.words)}" if question.words else "")
        return [
            *textwrap.wrap(moves, 78),
            "",
            *(str(position) if board is None else board_text(board)).splitlines(),
        ]
    if question.data is None:
        return list(question.rows)
    tee, last, wall = ("├─ ", "└─ ", "│  ") if unicode else ("|- ", "`- ", "|  ")
    rows: list[str] = []

    def add_rows(node: DrawnNode, before: str, stem: str) -> None:
        word = f"{node.word}{f' ({node.odds})' if node.odds else ''}: " if stem else ""
        label = node.value if not node.children else ", ".join(filter(None, [node.role, node.value]))
        rows.append(f"{before}{stem}{word}{label}")
        below = before + {"": "", tee: wall, last: "   "}[stem]
        for number, child in enumerate(node.children, 1):
            add_rows(child, below, last if number == len(node.children) else tee)

    add_rows(question_tree(question), "", "")
    return rows


def explanation(question: Question) -> list[str]:
    """The correct search as `gameplay trace` prints it, to the depth that fits in LINES, and the note.

    For a position of a game, whose trace would be too long, only the note.
    """
    if question.data is None:
        return question.note.split("\n")
    trace_lines: list[str] = []
    unit = question.position().unit
    follow = TraceLines(lambda line: trace_lines.append(line.rstrip("\n")), unit)
    question.follow(follow)
    follow.close()
    start = max(
        number for number, line in enumerate(trace_lines) if not line.startswith(INDENT) and ":" in line
    )
    trace_lines = trace_lines[start:]
    deepest = max(map(_level, trace_lines))
    while deepest > 1 and sum(_level(line) <= deepest for line in trace_lines) > LINES:
        deepest -= 1
    shown = [line for line in trace_lines if _level(line) <= deepest]
    remaining = len(trace_lines) - len(shown)
    if remaining:
        shown.append(f"({remaining} deeper lines are left out)")
    return [*shown, *filter(None, [question.note])]


def _level(line: str) -> int:
    count = 0
    while line.startswith(INDENT, len(INDENT) * count):
        count += 1
    return count
