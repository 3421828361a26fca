"""The teaching part of the web page: replayed search trees, the quiz and lectures, as data for scripts."""

from importlib import import_module
from typing import Any

from gameplay import registry
from gameplay.capabilities import IsExplicitTree
from gameplay.display.pages.tree_page import page
from gameplay.display.reports.drawn_tree import prune_to_size
from gameplay.display.reports.trace import legend, title
from gameplay.display.terminal import question as shown
from gameplay.errors import BadInput
from gameplay.matches.match import match_without_players
from gameplay.search.limit import Limit
from gameplay.search.session import Session
from gameplay.tracing.playback import playback
from gameplay.tracing.pseudocode import CodePointer, pseudocode
from gameplay.tracing.trace import Follower
from gameplay.tracing.tree import SearchTreeBuilder
from gameplay.training import quiz
from gameplay.training.question import Question

TREES = {
    "tree:lecture": "The lecture's exercise",
    "tree:alpha-cutoff": "An alpha cut-off",
    "tree:beta-cutoff": "A beta cut-off",
    "tree:deep-cutoff": "A deep cut-off",
    "tree:best-ordered": "Best moves first",
    "tree:chance": "With chance nodes",
}
LECTURES = {
    "alphabeta": "Exercises on alpha-beta with published answers",
    "connect4": "Minimax and alpha-beta in Connect Four on 8 columns, to 4 plies",
    "secrets": "Imperfect information: strategy fusion, non-locality, and bluffing in equilibrium",
    "pathology": "Games where a deeper search plays worse",
}
SIZES = {"connect4": (4,), "secrets": (40,), "pathology": (50,)}  # plies and trees: seconds in plain Python
MAX_NODES = 5_000  # nodes of a tree
MAX_DRAWN = 300  # ... of its picture


def contents() -> dict[str, dict[str, str]]:
    """The trees and lectures of the page, by name."""
    return {"trees": TREES, "lectures": LECTURES}


def tree(game: str) -> str:
    """The page that replays a search of an explicit tree. Raises GameplayError for wrong values."""
    match = match_without_players(registry.game(game))
    position = match.replica()
    engine = registry.engine("expectiminimax" if position.chance else "alphabeta")[0]
    grown = SearchTreeBuilder(MAX_NODES, alone=True, drawn=MAX_DRAWN)
    trace = Follower(match.replica(), engine, grown, listed=MAX_DRAWN)
    Session(engine).search(match.replica(), Limit(), trace=trace)
    drawn = prune_to_size(grown.roots[-1], MAX_DRAWN, position.unit)
    assert drawn.node is not None
    sides = [match.side(player) for player in range(position.players)]
    code = pseudocode(engine)
    pointer = CodePointer(code) if code is not None else lambda step: None
    steps = playback(drawn.node, drawn.nodes(), position.unit, sides, pointer)
    heading = position.title if isinstance(position, IsExplicitTree) else ""
    lines = [] if code is None else [code.title, *code.lines]
    notes = [f"{note[0].upper()}{note[1:]}." for note in legend(match, engine)]
    name = title(match, game, engine, Limit())
    return page(drawn, name, notes, lambda one: "", steps, heading, None, lines)


def lecture(name: str) -> str:
    """The text of a lecture, computed now."""
    return "\n".join(import_module(f"gameplay.lessons.{name}").lines(*SIZES.get(name, ())))


class Quiz:
    """Questions one after the other; the same seed asks the same ones."""

    def ask(self, seed: int, level: int, number: int) -> dict[str, str]:
        """The question of that number."""
        *_, self.question = quiz.make_series(seed, level, number, game="tree")
        one: Question = self.question
        return {
            "kind": one.kind,
            "picture": "\n".join(shown.picture(one, True)),
            "asks": one.text,
            "hint": one.answer.hint,
        }

    def grade(self, text: str) -> dict[str, Any]:
        """Whether an answer is right, and the search that explains it; a `message` if it is not an answer."""
        one = self.question
        try:
            right = one.answer.grade(text.strip())
        except BadInput as error:
            return {"message": str(error)}
        explained = "" if right else "\n".join(shown.explanation(one))
        return {"message": "", "right": right, "answer": str(one.answer), "explained": explained}


QUIZ = Quiz()
CALLS = {"contents": contents, "tree": tree, "lecture": lecture, "ask": QUIZ.ask, "grade": QUIZ.grade}
