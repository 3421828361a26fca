"""Random questions about searches, each with its answer: on trees and on real positions.

The answers are the engines': `minimax` for values and moves, `alphabeta` for windows, cuts and visits,
`quiescence` beside a fixed depth. What they did is read from the trace of their search (`tracing.tree`), that
explains it too. Values and windows are from the view of MAX, the side to move at the root; moves are searched
in the given order; the root's window is infinite, and values are fail-soft.

    value       the value of the root
    move        the best move; in a position of level n a search of n plies finds it, and no shallower one
    cut         the branches that are cut off
    window      the window with which a node is entered
    visits      the leaves that are visited, or in a real position their number
    quiescence  the moves after which quiescence search and the evaluation differ

The other kinds, on trees with chance or three players, windows to fill in, killers and UCB1, are in
`worksheets`.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from gameplay import registry
from gameplay.errors import Usage
from gameplay.games.tree.game import Node, Tree
from gameplay.matches.random_moves import random_move
from gameplay.matches.views import format_line
from gameplay.players.verdict import SCORE_THRESHOLDS, cost
from gameplay.plural import plural
from gameplay.position import CHANCE, AbstractPosition, side
from gameplay.search.engine import has_noisy
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.session import Session
from gameplay.tracing.trace import format_traced
from gameplay.tracing.tree import TracedNode
from gameplay.training import random_trees, worksheets
from gameplay.training.answer import ALL, NUMBER, ONE, WINDOW, RightAnswer
from gameplay.training.question import Question, position_after
from gameplay.value import is_win

if TYPE_CHECKING:
    from gameplay.registry import Game

KINDS = ("value", "move", "cut", "window", "visits", "quiescence", *worksheets.KINDS)
DRAWN = "tree"  # in place of a game: random trees
MIXED = {
    "move": ("connect4", "chess", "tictactoe"),
    "quiescence": ("chess",),
}  # games if none is named
ENDINGS = ("tictactoe",)  # for the other kinds
TRIES = 200
MAX_PLIES = 60  # plies of the games; positions are from their first three quarters
SEARCHED_SHARE = 0.6  # share of their moves chosen by a search of 1 ply
NO_CUT_SHARE = 0.3  # share of trees without a cutoff that are used: "none" is a rare answer
CHOICES = 4  # moves to choose from
CONFIRMATION_NODES = 30_000  # nodes of the search that confirms a good move
MATERIAL = "material"  # the evaluation that a student can count


# -- drawing questions --------------------------------------------------------------------------


def make_question(kind: str, level: int, seed: int, number: int, game: str) -> Question:
    """Question `number` of a seed. `game`: a spec, DRAWN for random trees, "" for a mixture.

    Raises Usage if the game has no such questions.
    """
    rng = Random(f"{seed}/{kind}/{level}/{number}/{game}")
    if not game:
        real = kind not in worksheets.KINDS and rng.random() < (0.5 if kind in MIXED else 0.3)
        game = rng.choice(MIXED.get(kind, ENDINGS)) if real else DRAWN
    make = _random_question if game == DRAWN else _position_question
    for _ in range(TRIES):
        question = make(kind, level, rng, game)
        if question is not None:
            return question
    raise Usage(
        f"no question '{kind}' of level {level} was found in {game}: try another level, or --game {DRAWN}"
    )


def make_series(
    seed: int, level: int, count: int, chosen: Sequence[str] = (), game: str = ""
) -> Iterator[Question]:
    """A series of questions of these kinds in turn; by default of all that the game has at that level.

    Raises Usage where there are none, or none of a kind that is asked for.
    """
    check_game(game)
    left = list(chosen or KINDS)
    number = 0
    while number < count:
        kind = left[number % len(left)]
        try:
            question = make_question(kind, level, seed, number, game)
        except Usage:
            left.remove(kind)
            if chosen or not left:
                raise
            continue
        yield question
        number += 1


def check_game(game: str) -> None:
    """Raise Usage for a game that no question can be asked of. Raises as `registry.game`."""
    if game not in ("", DRAWN):
        position = registry.game(game).new()
        if position.players != 2 or not position.zero_sum or position.chance or position.hidden:
            raise Usage(f"{game}: questions need a two-player game of perfect information without chance")


def _random_question(kind: str, level: int, rng: Random, game: str) -> Question | None:
    if kind == "quiescence":
        return _tree_quiescence(level, random_trees.noisy_tree(rng, level))
    if kind in worksheets.KINDS:
        return worksheets.make_question(kind, level, rng)
    return _tree_question(kind, level, rng, random_trees.random_tree(rng, level))


def _position_question(kind: str, level: int, rng: Random, game: str) -> Question | None:
    if kind == "move":
        return _move(level, rng, game)
    if kind in worksheets.KINDS:
        raise Usage(f"{game}: questions of kind {kind} are drawn at random. Try: --game {DRAWN}")
    if kind == "quiescence":
        position = registry.game(game).new()
        if not has_noisy(position) or MATERIAL not in position.evaluations:
            raise Usage(f"{game}: questions on quiescence need noisy moves and an evaluation '{MATERIAL}'")
        return _position_quiescence(level, rng, game)
    drawn = random_trees.near_end(registry.game(game), rng, level)
    if drawn is None:
        raise Usage(
            f"{game}: no position was found that is near enough to its end for level {level}; "
            "kinds move and quiescence need none"
        )
    words, data = drawn
    return _tree_question(kind, level, rng, data, game, words)


def _tree_question(
    kind: str, level: int, rng: Random, data: random_trees.Data, game: str = "", words: Sequence[str] = ()
) -> Question | None:
    """A question on a whole tree; None if it is trivial."""
    engine = "minimax" if kind in ("value", "move") else "alphabeta"
    question = Question(
        kind, level, "", RightAnswer(ALL, ()), game, tuple(words), data, engine, random_trees.height(data)
    )
    root = question.visited()
    if kind == "value":
        asks = f"What does {_mover(question)} get, who moves?" if game else "What is the root worth?"
        return _with_answer(question, f"{asks}{_payoffs(game)}", RightAnswer(NUMBER, (_value_of(root),)))
    if kind == "move":
        values = [_value_of(child) for child in root.children]
        if values.count(max(values)) > 1:
            return None
        names = tuple(child.entered.word for child in root.children)
        answer = RightAnswer(ONE, (names[values.index(max(values))],), names)
        return _with_answer(question, "Which branch does MAX choose?", answer)
    cut = [_branch_name(node, word, game) for node in root.everything() for word, _ in node.pruned()]
    if not cut and (kind == "window" or rng.random() >= NO_CUT_SHARE):
        return None
    order = f"moves in the order {_order(question)}" if game else "branches in the order shown"
    mover = f"{_mover(question)} moves and is MAX. " if game else ""
    search = f"{mover}Alpha-beta tries {order}."
    if kind == "cut":
        names = _names(question.tree().root, bool(game))
        asks = f"{search} Which {'lines' if game else 'branches'} does it cut off?{_payoffs(game)}"
        return _with_answer(question, asks, RightAnswer(ALL, tuple(cut), names))
    if kind == "window":
        node = _windowed(root, rng)
        if node is None or node.parent is None:
            return None
        name = _branch_name(node.parent, node.entered.word, game)
        asks = f"{search} With what window [alpha, beta] of MAX's does it enter {name}?{_payoffs(game)}"
        return _with_answer(question, asks, RightAnswer(WINDOW, (node.entered.alpha, node.entered.beta)))
    leaves = [node.entered.word for node in root.everything() if not node.children]
    whole = [node.word for node in question.tree().nodes if not node.branches]
    if game:
        asks = f"{search} How many of the {len(whole)} ends of the game does it look at?{_payoffs(game)}"
        return _with_answer(question, asks, RightAnswer(NUMBER, (len(leaves),)))
    return _with_answer(
        question, f"{search} Which leaves does it look at?", RightAnswer(ALL, tuple(leaves), tuple(whole))
    )


def _value_of(node: TracedNode) -> float:
    assert node.left is not None and node.left.value is not None
    return node.left.value


def _windowed(root: TracedNode, rng: Random) -> TracedNode | None:
    """A node entered with a finite window bound: an inner node, if there is one."""
    nodes = [
        node
        for node in root.everything()
        if node.parent is not None and (node.entered.alpha > -math.inf or node.entered.beta < math.inf)
    ]
    inner = [node for node in nodes if node.children]
    return rng.choice(inner or nodes) if nodes else None


def _tree_quiescence(level: int, data: random_trees.Data) -> Question | None:
    """The branches of MAX whose value differs by quiescence search."""
    position = Tree.of(data)
    names = tuple(branch.word for branch in position.root.branches)
    values = [_both_values(position, move) for move in position.moves()]
    changed = tuple(name for name, (guess, calm) in zip(names, values, strict=True) if guess != calm)
    if not changed:
        return None
    text = ", ".join(
        f"{name} {format_traced(guess)}, quiescence {format_traced(calm)}"
        for name, (guess, calm) in zip(names, values, strict=True)
    )
    asks = (
        "A search of 1 ply takes the guesses below MAX's branches; quiescence search plays noisy branches "
        f"(!) on. Which of {', '.join(names)} does it value otherwise?"
    )
    answer = RightAnswer(ALL, changed, names)
    return Question(
        "quiescence", level, asks, answer, data=data, engine="quiescence", depth=1, note=f"guesses: {text}"
    )


# -- real positions -----------------------------------------------------------------------------


def _random_position(game: "Game", rng: Random) -> tuple[AbstractPosition, list[str]] | None:
    """A position of a game in which half the moves are sensible; None if the game ended."""
    position = game.new()
    engine = _engine(position)
    length = 0
    while length < MAX_PLIES and position.outcome() is None:
        position.make(random_move(position, rng))
        length += 1
    position, words = game.new(), []
    for _ in range(rng.randint(2, max(2, 3 * length // 4))):
        if position.outcome() is not None:
            return None
        move = random_move(position, rng)
        if rng.random() < SEARCHED_SHARE:
            best = Session(registry.engine(engine)[0]).search(position, Limit(depth=1)).move
            move = move if best is None else best
        words.append(position.format(move))
        position.make(move)
    if position.outcome() is not None or position.turn == CHANCE:
        return None
    return position, words


def _engine(position: AbstractPosition) -> str:
    return "quiescence" if has_noisy(position) else "iterative"


def _move(level: int, rng: Random, game: str) -> Question | None:
    """A position with one good move, found by a search of so many plies and by no shorter one."""
    played = _random_position(registry.game(game), rng)
    if played is None:
        return None
    position, words = played
    legal = tuple(map(position.format, position.moves()))
    engine = _engine(position)
    depth = level if engine == "iterative" else (level + 1) // 2
    if len(legal) < 3 or (depth > 1 and _only(position, engine, depth - 1) is not None):
        return None
    report = _only(position, engine, depth)
    closer = report and _only(position, engine, None)
    if report is None or closer is None or closer.move != report.move:
        return None
    line = format_line(position_after(game, words), report.pv)
    second = report.candidates[1]
    value, other = (format_traced(one, position.unit) for one in (report.value, second.value))
    note = f"{' '.join(line)} has the value {value}, {position.format(second.move)} at most {other}"
    plies = plural(depth, "ply", "plies")
    calm = " and quiescence search" if engine == "quiescence" else ""
    asks = (
        f"{side(position, position.turn)} moves. Which move alone is good? It takes {plies}{calm} to see it."
    )
    answer = RightAnswer(ONE, (line[0],), legal)
    return Question(
        "move", level, asks, answer, game=game, words=tuple(words), engine=engine, depth=depth, note=note
    )


def _only(position: AbstractPosition, engine: str, depth: int | None) -> Report | None:
    """The report of a search that finds one good move; None if it finds several."""
    limit = Limit(depth=depth, nodes=None if depth else CONFIRMATION_NODES, multipv=2)
    report = Session(registry.engine(engine)[0]).search(position, limit)
    if len(report.candidates) < 2 or cost(position, *report.candidates[:2]) < SCORE_THRESHOLDS[1]:
        return None
    return report


def _position_quiescence(level: int, rng: Random, game: str) -> Question | None:
    """Moves after which quiescence search sees another balance by a unit, among others."""
    played = _random_position(registry.game(game), rng)
    if played is None:
        return None
    position, words = played
    legal = list(position.moves())
    rng.shuffle(legal)
    changed: dict[str, tuple[float, float]] = {}
    calm: dict[str, tuple[float, float]] = {}
    wanted = rng.randint(1, 1 + level // 2)
    for move in legal[:24]:
        values = _both_values(position, move, f":eval={MATERIAL}")
        if any(map(is_win, values)):
            continue
        far = abs(values[0] - values[1])
        if far >= position.unit and len(changed) < wanted:
            changed[position.format(move)] = values
        elif far < position.unit and len(calm) < CHOICES - wanted:
            calm[position.format(move)] = values
    if not changed or len(calm) < 2:
        return None
    listed = sorted([*changed, *calm])
    both = changed | calm
    text = ", ".join(_entry(position_after(game, words), word, *both[word]) for word in listed)
    unit = position.unit_names[0]
    asks = (
        f"{side(position, position.turn)} moves. A search of 1 ply counts "
        f"{MATERIAL} after a move, quiescence search plays noisy moves on first. "
        f"After which of {', '.join(listed)} do the two differ by a {unit} or more?"
    )
    answer = RightAnswer(ALL, tuple(word for word in listed if word in changed), tuple(listed))
    return Question(
        *("quiescence", level, asks, answer, game, tuple(words)),
        engine=f"quiescence:eval={MATERIAL}",
        depth=1,
        note=f"counted at once, and after quiescence search: {text}",
    )


def _entry(position: AbstractPosition, word: str, fixed: float, calm: float) -> str:
    """Both values of a move, and the quiescence line if there is one."""
    engine = registry.engine(f"quiescence:eval={MATERIAL}")[0]
    limit = Limit(depth=1, moves=(position.parse(word),))
    line = format_line(position, Session(engine).search(position, limit).pv)[1:]
    by = f" by {' '.join(line)}" if line else ""
    return f"{word} {format_traced(fixed, position.unit)} and {format_traced(calm, position.unit)}{by}"


def _both_values(position: AbstractPosition, move: int, options: str = "") -> tuple[float, float]:
    """The value of a move by a search of fixed depth 1, and with quiescence search."""
    fixed, calm = (
        Session(registry.engine(name + options)[0]).search(position, Limit(depth=1, moves=(move,))).value
        for name in ("alphabeta", "quiescence")
    )
    return fixed, calm


# -- words --------------------------------------------------------------------------------------


def _with_answer(question: Question, asks: str, answer: RightAnswer) -> Question:
    return replace(question, asks=asks, answer=answer)


def _mover(question: Question) -> str:
    position = question.make_position()
    return side(position, position.turn)


def _order(question: Question) -> str:
    position = question.make_position()
    return ", ".join(map(position.format, position.moves())) + " and so on"


def _payoffs(game: str) -> str:
    if not game:
        return ""
    scored = registry.game(game).new().scored
    return " (values: points)" if scored else " (values: 1 a win, 0 a draw, -1 a loss)"


def _branch_name(node: TracedNode, word: str, game: str) -> str:
    """A branch of a node: its letter, or the moves that lead to it."""
    if not game:
        return word
    return " ".join([*(step.word for step in node.line() if step.word), word])


def _names(root: Node, paths: bool) -> tuple[str, ...]:
    """The names of the branches of a tree."""
    names: list[str] = []

    def walk(node: Node) -> None:
        for branch in node.branches:
            names.append(" ".join(branch.path()) if paths else branch.word)
            walk(branch)

    walk(root)
    return tuple(names)
