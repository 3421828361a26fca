"""Random questions about searches, each with its answer: on trees and on real positions.

The answers are computed by engines: `minimax` for values and moves, `alphabeta` for windows, cuts and visits,
and `quiescence` beside a search of fixed depth. They are read from the trace of the search (`tracing.tree`),
which also explains them. Values and windows are from the view of MAX, the side to move at the root; moves are
searched in the given order; the root's window is infinite, and values are fail-soft.

    value       the value of the root
    move        the best move; in a position of level n a search of n plies finds it, but no shallower one
    cut         the branches that are cut off
    window      the window with which a node is entered
    visits      the leaves that are visited; in a real position their number
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
RANDOM_TREES = "tree"  # in place of a game
# Used if no game is named.
DEFAULT_GAMES = {"move": ("connect4", "chess", "tictactoe"), "quiescence": ("chess",)}
OTHER_GAMES = ("tictactoe",)  # for the other kinds
TRIES = 200  # attempts to make a question
MAX_PLIES = 60  # of random games; positions are from their first three quarters
SEARCHED_SHARE = 0.6  # of their moves that a search of 1 ply chooses
NO_CUT_SHARE = 0.3  # of trees without a cutoff that are used, where the answer is "none"
CHOICES = 4  # moves to choose from
CONFIRMATION_NODES = 30_000  # nodes of the search that confirms a good move
MATERIAL = "material"  # an evaluation that students can compute


# -- making questions ---------------------------------------------------------------------------


def make_question(kind: str, level: int, seed: int, number: int, game: str) -> Question:
    """Make question `number` of a seed. `game`: a spec, RANDOM_TREES, or "" for a mixture.

    Raises Usage if the game has no such questions.
    """
    rng = Random(f"{seed}/{kind}/{level}/{number}/{game}")
    if not game:
        real = kind not in worksheets.KINDS and rng.random() < (0.5 if kind in DEFAULT_GAMES else 0.3)
        game = rng.choice(DEFAULT_GAMES.get(kind, OTHER_GAMES)) if real else RANDOM_TREES
    make = _random_question if game == RANDOM_TREES else _position_question
    for _ in range(TRIES):
        question = make(kind, level, rng, game)
        if question is not None:
            return question
    raise Usage(
        f"no question '{kind}' of level {level} was found in {game}. "
        f"Try: another level, or --game {RANDOM_TREES}"
    )


def make_series(
    seed: int, level: int, count: int, chosen: Sequence[str] = (), game: str = ""
) -> Iterator[Question]:
    """Yield a series of questions of these kinds in turn; by default of all kinds that the game supports.

    Raises Usage if there are none, or none of a requested kind.
    """
    check_game(game)
    kinds = list(chosen or KINDS)
    number = 0
    while number < count:
        kind = kinds[number % len(kinds)]
        try:
            question = make_question(kind, level, seed, number, game)
        except Usage:
            kinds.remove(kind)
            if chosen or not kinds:
                raise
            continue
        yield question
        number += 1


def check_game(game: str) -> None:
    """Raise Usage for a game without questions. Raises as `registry.game`."""
    if game not in ("", RANDOM_TREES):
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
        return _move_question(level, rng, game)
    if kind in worksheets.KINDS:
        raise Usage(f"{game}: questions of kind {kind} use random trees. Try: --game {RANDOM_TREES}")
    if kind == "quiescence":
        position = registry.game(game).new()
        if not has_noisy(position) or MATERIAL not in position.evaluations:
            raise Usage(f"{game}: questions on quiescence need noisy moves and an evaluation '{MATERIAL}'")
        return _position_quiescence(level, rng, game)
    found = random_trees.near_end(registry.game(game), rng, level)
    if found is None:
        raise Usage(
            f"{game}: no position was found near enough to its end for level {level}. "
            "Try: --kind move or quiescence"
        )
    words, data = found
    return _tree_question(kind, level, rng, data, game, words)


def _tree_question(
    kind: str, level: int, rng: Random, data: random_trees.Data, game: str = "", words: Sequence[str] = ()
) -> Question | None:
    """A question on a whole tree; None if it is trivial."""
    engine = "minimax" if kind in ("value", "move") else "alphabeta"
    question = Question(
        kind, level, "", RightAnswer(ALL, ()), game, tuple(words), data, engine, random_trees.height(data)
    )
    root, payoffs = question.visited(), _format_payoff_note(game)
    if kind == "value":
        mover = _mover_name(question) if game else ""
        text = f"{mover} moves. What is the value for {mover}?" if game else "What is the value of the root?"
        return _with_answer(question, f"{text}{payoffs}", RightAnswer(NUMBER, (_value_of(root),)))
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
    order = f"moves in the order {_format_order(question)}" if game else "branches in the order shown"
    mover = f"{_mover_name(question)} moves and is MAX. " if game else ""
    search = f"{mover}Alpha-beta tries {order}."
    if kind == "cut":
        names = _names(question.tree().root, bool(game))
        text = f"{search} Which {'lines' if game else 'branches'} does it cut off?{payoffs}"
        return _with_answer(question, text, RightAnswer(ALL, tuple(cut), names))
    if kind == "window":
        node = _choose_window_node(root, rng)
        if node is None or node.parent is None:
            return None
        name = _branch_name(node.parent, node.entered.word, game)
        text = f"{search} With which window [alpha, beta], from MAX's view, does it enter {name}?{payoffs}"
        return _with_answer(question, text, RightAnswer(WINDOW, (node.entered.alpha, node.entered.beta)))
    leaves = [node.entered.word for node in root.everything() if not node.children]
    whole = [node.word for node in question.tree().nodes if not node.branches]
    if game:
        text = f"{search} How many of the {len(whole)} terminal positions does it visit?{payoffs}"
        return _with_answer(question, text, RightAnswer(NUMBER, (len(leaves),)))
    return _with_answer(
        question, f"{search} Which leaves does it visit?", RightAnswer(ALL, tuple(leaves), tuple(whole))
    )


def _value_of(node: TracedNode) -> float:
    assert node.left is not None and node.left.value is not None
    return node.left.value


def _choose_window_node(root: TracedNode, rng: Random) -> TracedNode | None:
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
    changed = tuple(name for name, (guess, quiet) in zip(names, values, strict=True) if guess != quiet)
    if not changed:
        return None
    values_text = ", ".join(
        f"{name} {format_traced(guess)}, quiescence {format_traced(quiet)}"
        for name, (guess, quiet) in zip(names, values, strict=True)
    )
    text = (
        "A search of 1 ply values MAX's branches by the guesses below them; quiescence search continues "
        f"with noisy branches (!). Which of {', '.join(names)} does it value differently?"
    )
    answer = RightAnswer(ALL, changed, names)
    return Question(
        "quiescence",
        level,
        text,
        answer,
        data=data,
        engine="quiescence",
        depth=1,
        note=f"guesses: {values_text}",
    )


# -- real positions -----------------------------------------------------------------------------


def _random_position(game: "Game", rng: Random) -> tuple[AbstractPosition, list[str]] | None:
    """A position of a game with random and searched moves; None if the game ended."""
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


def _move_question(level: int, rng: Random, game: str) -> Question | None:
    """A position with one good move that a search of the level's depth finds, but no shallower one."""
    played = _random_position(registry.game(game), rng)
    if played is None:
        return None
    position, words = played
    legal = tuple(map(position.format, position.moves()))
    engine = _engine(position)
    depth = level if engine == "iterative" else (level + 1) // 2
    if len(legal) < 3 or (depth > 1 and _find_only_move(position, engine, depth - 1) is not None):
        return None
    report = _find_only_move(position, engine, depth)
    closer = report and _find_only_move(position, engine, None)
    if report is None or closer is None or closer.move != report.move:
        return None
    line = format_line(position_after(game, words), report.pv)
    second = report.candidates[1]
    value, other = (format_traced(traced, position.unit) for traced in (report.value, second.value))
    note = f"{' '.join(line)} has the value {value}, {position.format(second.move)} at most {other}"
    plies = plural(depth, "ply", "plies")
    extra = " and quiescence search" if engine == "quiescence" else ""
    mover = side(position, position.turn)
    text = f"{mover} moves. Which is the only good move? Finding it takes {plies}{extra}."
    answer = RightAnswer(ONE, (line[0],), legal)
    return Question(
        "move", level, text, answer, game=game, words=tuple(words), engine=engine, depth=depth, note=note
    )


def _find_only_move(position: AbstractPosition, engine: str, depth: int | None) -> Report | None:
    """The report of a search that finds one good move; None if it finds several."""
    limit = Limit(depth=depth, nodes=None if depth else CONFIRMATION_NODES, multipv=2)
    report = Session(registry.engine(engine)[0]).search(position, limit)
    if len(report.candidates) < 2 or cost(position, *report.candidates[:2]) < SCORE_THRESHOLDS[1]:
        return None
    return report


def _position_quiescence(level: int, rng: Random, game: str) -> Question | None:
    """Moves whose static and quiescence values differ by a unit, among others."""
    played = _random_position(registry.game(game), rng)
    if played is None:
        return None
    position, words = played
    legal = list(position.moves())
    rng.shuffle(legal)
    changed: dict[str, tuple[float, float]] = {}
    quiet: dict[str, tuple[float, float]] = {}
    wanted = rng.randint(1, 1 + level // 2)
    for move in legal[:24]:
        values = _both_values(position, move, f":eval={MATERIAL}")
        if any(map(is_win, values)):
            continue
        difference = abs(values[0] - values[1])
        if difference >= position.unit and len(changed) < wanted:
            changed[position.format(move)] = values
        elif difference < position.unit and len(quiet) < CHOICES - wanted:
            quiet[position.format(move)] = values
    if not changed or len(quiet) < 2:
        return None
    choices = sorted([*changed, *quiet])
    both = changed | quiet
    values_text = ", ".join(
        _format_values(position_after(game, words), word, *both[word]) for word in choices
    )
    unit = position.unit_names[0]
    text = (
        f"{side(position, position.turn)} moves. A search of 1 ply counts "
        f"{MATERIAL} after a move; quiescence search plays noisy moves first. "
        f"After which of {', '.join(choices)} do the two differ by a {unit} or more?"
    )
    answer = RightAnswer(ALL, tuple(word for word in choices if word in changed), tuple(choices))
    return Question(
        *("quiescence", level, text, answer, game, tuple(words)),
        engine=f"quiescence:eval={MATERIAL}",
        depth=1,
        note=f"before and after quiescence search: {values_text}",
    )


def _format_values(position: AbstractPosition, word: str, fixed: float, quiet: float) -> str:
    """Both values of a move, and the quiescence line if there is one."""
    engine = registry.engine(f"quiescence:eval={MATERIAL}")[0]
    limit = Limit(depth=1, moves=(position.parse(word),))
    line = format_line(position, Session(engine).search(position, limit).pv)[1:]
    by = f" by {' '.join(line)}" if line else ""
    return f"{word} {format_traced(fixed, position.unit)} and {format_traced(quiet, position.unit)}{by}"


def _both_values(position: AbstractPosition, move: int, options: str = "") -> tuple[float, float]:
    """The value of a move by a search of fixed depth 1, and with quiescence search."""
    fixed, quiet = (
        Session(registry.engine(name + options)[0]).search(position, Limit(depth=1, moves=(move,))).value
        for name in ("alphabeta", "quiescence")
    )
    return fixed, quiet


# -- texts --------------------------------------------------------------------------------------


def _with_answer(question: Question, text: str, answer: RightAnswer) -> Question:
    return replace(question, text=text, answer=answer)


def _mover_name(question: Question) -> str:
    position = question.make_position()
    return side(position, position.turn)


def _format_order(question: Question) -> str:
    position = question.make_position()
    return ", ".join(map(position.format, position.moves())) + " and so on"


def _format_payoff_note(game: str) -> str:
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
