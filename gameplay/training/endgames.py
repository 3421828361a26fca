"""Endgame training: random positions of a difficulty, whose moves an oracle values exactly.

A position is a task if the mover wins or must hold a draw, the move is not forced, and some move loses the
result. Its difficulty is the number of the mover's moves until the end with best play on both sides, plus 1
for each of them where only one move keeps the result. A draw is held for HOLD moves.

In games of chance a task is one decision: the move may lose less than MAX_LOSS of equity (the expected
payoff). Its difficulty is 1 divided by the equity that the best move outside this limit loses.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from random import Random

from gameplay import catalogue
from gameplay import value as scale
from gameplay.capabilities import Endgames, Ending
from gameplay.errors import BadInput, Usage, unknown_name
from gameplay.position import CHANCE, AbstractPosition, side
from gameplay.registry import Game
from gameplay.training.oracles import MoveOracle, Values

LEVELS = range(1, 6)
HOLD = 8  # moves for which a draw must be held
MAX_LOSS = 0.01  # equity that a good move may lose, in games of chance
REPLY_NODES = 20_000  # of a solver, to count the losing replies to a defence
ROUNDS = 10  # endings take turns of `MoveOracle.tries` / ROUNDS tries
WIN, DRAW, BEST = "win", "draw", "best"  # goals


@dataclass(frozen=True)
class EndgameTask:
    """A position to train. `value`: from its mover's view, see `gameplay.training.oracles`."""

    ending: Ending
    start: str
    goal: str
    value: float
    level: int


@dataclass(frozen=True)
class MoveJudgement:
    """A move compared with the best. `text`: the verdict."""

    keeps_result: bool
    is_best: bool
    text: str


def endgames_of(game: Game) -> Endgames:
    """The endgames of a game that can be trained. Raises Usage."""
    modules = catalogue.endgames()
    if game.name not in modules:
        raise Usage(
            f"{game.name} has no endgames to train; expected one of {', '.join(modules)}. "
            f"Try: gameplay puzzles endgames {next(iter(modules))}"
        )
    endgames: Endgames = import_module(modules[game.name]).ENDGAMES
    return endgames


def select_endings(endgames: Endgames, names: Collection[str]) -> tuple[Ending, ...]:
    """The endings with these names, ignoring case. Raises Usage."""
    by_name = {ending.name.lower(): ending for ending in endgames.endings}
    for name in names:
        if name.lower() not in by_name:
            raise Usage(unknown_name("ending", name, [ending.name for ending in endgames.endings]))
    return tuple(by_name[name] for name in dict.fromkeys(map(str.lower, names)))


# -- values -------------------------------------------------------------------------------------------


def result(value: float) -> int:
    """1: the mover wins, 0: drawn, -1: loses."""
    return (value > 0) - (value < 0)


def moves_keeping_result(position: AbstractPosition, values: Values) -> list[int]:
    """The moves that keep the result; in games of chance, those that lose less than MAX_LOSS."""
    best = max(values.values())
    if position.chance:
        return [move for move, value in values.items() if best - value < MAX_LOSS * position.unit]
    return [move for move, value in values.items() if result(value) == result(best)]


def distance(value: float) -> int:
    """The number of the mover's moves until a win or a loss."""
    return (scale.plies(value) + 1) // 2


def format_move_value(position: AbstractPosition, value: float, win: str = "win") -> str:
    """Format a value: mate in 9, loss in 3, draw, win by 4; in games of chance the equity."""
    if position.chance:
        return f"{value / position.unit:+.3f}"
    if not value:
        return "draw"
    name = win if value > 0 else "loss"
    if position.scored:
        return f"{name} by {scale.format_payoff(abs(value) / position.unit)}"
    return f"{name} in {distance(value)}"


def judge_move(position: AbstractPosition, values: Values, move: int, win: str = "win") -> MoveJudgement:
    """Compare a move with the best one. `win`: as in `Endgames`."""
    best = max(values.values())
    move_value = values[move]
    keeps_result = move in moves_keeping_result(position, values)
    first_best = next(candidate for candidate, value in values.items() if value == best)
    text, best_text = format_move_value(position, move_value, win), format_move_value(position, best, win)
    if position.chance:
        if move_value == best:
            return MoveJudgement(True, True, f"the best: equity {text}")
        loss = (best - move_value) / position.unit
        return MoveJudgement(
            keeps_result,
            False,
            f"loses {loss:.3f} of equity: {text}; {position.format(first_best)} has {best_text}",
        )
    name = "win" if best > 0 else "draw"
    if not keeps_result:
        return MoveJudgement(
            False, False, f"throws the {name} away: {text}; {_format_best(position, first_best, best)}"
        )
    if not best:
        return MoveJudgement(True, True, "keeps the draw")
    if move_value == best:
        return MoveJudgement(True, True, f"keeps the win: {text}, the best")
    return MoveJudgement(True, False, f"keeps the win: {text}, best was {best_text.rpartition(' ')[2]}")


def _format_best(position: AbstractPosition, move: int, value: float) -> str:
    """The result of the best move."""
    word = position.format(move)
    if not value:
        return f"{word} draws"
    return f"{word} wins {format_move_value(position, value).removeprefix('win ')}"


# -- the other side -----------------------------------------------------------------------------------


def defence(position: AbstractPosition, oracle: MoveOracle, rng: Random, idle: str = "") -> int:
    """The move that resists longest or, in a drawn position, leaves the fewest drawing replies.

    In a game with an `idle` move (see `Endgames`): the move after which most replies lose the result, or the
    idle move if there is none. Ties are broken at random. Raises BadInput if the oracle has no values.
    """
    values = move_values(position, oracle)
    best = max(values.values())
    moves = [move for move, value in values.items() if value == best]
    if len(moves) > 1 and (idle or not best):
        count = _rank_by_mistakes if idle else _count_drawing_replies
        ranks = {move: count(position, oracle, move) for move in moves}
        moves = [move for move in moves if ranks[move] == min(ranks.values())]
        moves = [move for move in moves if position.format(move) == idle] or moves
    return rng.choice(moves)


def best_move(position: AbstractPosition, values: Values, idle: str = "") -> int:
    """The first of the best moves; the idle move if it is as good."""
    best = max(values.values())
    moves = [move for move, value in values.items() if value == best]
    return next((move for move in moves if position.format(move) == idle), moves[0])


def _rank_by_mistakes(position: AbstractPosition, oracle: MoveOracle, move: int) -> int:
    """Minus the number of replies that lose the result; 0 if counting takes more than REPLY_NODES nodes."""
    position.make(move)
    values = oracle.values(position, REPLY_NODES) if position.outcome() is None else {}
    count = len(moves_keeping_result(position, values)) - len(values) if values else 0
    position.unmake()
    return count


def _count_drawing_replies(position: AbstractPosition, oracle: MoveOracle, move: int) -> int:
    """The number of replies to a move that keep the draw."""
    position.make(move)
    values = oracle.values(position)
    count = len(moves_keeping_result(position, values)) if values else len(position.moves() or ())
    position.unmake()
    return count


def move_values(position: AbstractPosition, oracle: MoveOracle) -> Values:
    """The value of each move. Raises BadInput if the oracle has no values."""
    values = oracle.values(position)
    if not values:
        raise BadInput(f"the value of {position.text()} is unknown")
    return values


def best_line(position: AbstractPosition, oracle: MoveOracle, max_moves: int, idle: str = "") -> list[int]:
    """Best play of both sides, up to `max_moves` moves."""
    moves: list[int] = []
    while len(moves) < max_moves and position.outcome() is None and position.turn != CHANCE:
        values = move_values(position, oracle)
        moves.append(best_move(position, values, idle))
        position.make(moves[-1])
    for _ in moves:
        position.unmake()
    return moves


# -- positions ----------------------------------------------------------------------------------------


def goal(position: AbstractPosition, values: Values) -> str:
    """The goal of the mover; "" if all moves keep the result, or it is a loss."""
    if len(moves_keeping_result(position, values)) == len(values):
        return ""
    if position.chance:
        return BEST
    return {1: WIN, 0: DRAW, -1: ""}[result(max(values.values()))]


def difficulty(
    position: AbstractPosition,
    oracle: MoveOracle,
    values: Values,
    max_steps: int,
    nodes: int = 0,
    idle: str = "",
) -> int:
    """The difficulty as defined above, counted until it exceeds `max_steps`.

    `nodes` and `idle`: as in `Endgames`. 0 if a position of the line takes more nodes.
    """
    if position.chance:
        best = max(values.values())
        second = max(value for value in values.values() if best - value >= MAX_LOSS * position.unit)
        return round(position.unit / (best - second))
    mover, own_moves, only_moves, plies = position.turn, 0, 0, 0
    wins = max(values.values()) > 0
    while own_moves + only_moves <= max_steps and (wins or own_moves < HOLD):
        if position.turn == mover:
            own_moves += 1
            only_moves += len(values) > 1 == len(moves_keeping_result(position, values))
        position.make(best_move(position, values, idle))
        plies += 1
        if position.outcome() is not None:
            break
        values = oracle.values(position, nodes)
        if not values:
            own_moves = only_moves = 0
            break
    for _ in range(plies):
        position.unmake()
    return own_moves + only_moves


def level_of(steps: int, limits: Sequence[int]) -> int:
    """The level of a difficulty. `limits`: as in `Endgames.levels`."""
    return 1 + sum(steps > limit for limit in limits)


def make_task(
    game: Game,
    endgames: Endgames,
    ending: Ending,
    oracle: MoveOracle,
    start: str,
    level: int = 0,
    nodes: int = 0,
) -> EndgameTask | None:
    """The task of a position; None if it is not a task of this `level` (0: any), or takes too many nodes.

    `nodes`: limit to value a position; 0: `Endgames.nodes` with a level, else no limit.
    """
    if level and ending.level is not None and ending.level(start) != level:
        return None
    try:
        position = game.new(start)
    except BadInput:
        return None
    if position.outcome() is not None or position.turn == CHANCE or len(position.moves()) < 2:
        return None
    if position.forced() and not position.chance:
        return None
    nodes = nodes or (endgames.nodes if level else 0)
    values = oracle.values(position, nodes)
    target = goal(position, values) if values else ""
    if not target or (target == DRAW and not ending.holds):
        return None
    best = max(values.values())
    limits = (*endgames.levels, 1 << 30)
    if target == WIN and not position.scored and not _is_possible_level(distance(best), level, limits):
        return None
    if target == WIN and not position.scored and distance(best) < 2:
        return None
    steps = difficulty(position, oracle, values, limits[(level or 5) - 1], nodes, endgames.idle)
    task_level = level_of(steps, endgames.levels)
    return (
        EndgameTask(ending, start, target, best, task_level) if steps and level in (0, task_level) else None
    )


def _is_possible_level(moves: int, level: int, limits: Sequence[int]) -> bool:
    """True if a win in `moves` can be of this level: its difficulty is `moves` to twice that number."""
    return not level or (moves <= limits[level - 1] and (level == 1 or 2 * moves > limits[level - 2]))


def generate_tasks(
    game: Game,
    endgames: Endgames,
    endings: Sequence[Ending],
    oracle: MoveOracle,
    level: int,
    rng: Random,
    excluded: Collection[str] = (),
) -> Iterator[EndgameTask]:
    """Random positions of a level, of the endings in turn, without duplicates or mirror images.

    `excluded`: start positions to omit. The next ending follows after `MoveOracle.tries` / ROUNDS failures;
    the iterator ends after `tries` failures per ending.
    """
    diagrams = {game.new(text).diagram() for text in excluded}
    order = list(endings)
    rng.shuffle(order)
    failures = 0
    while failures < len(order) * oracle.tries:
        order.append(ending := order.pop(0))
        for _ in range(oracle.tries // ROUNDS):
            failures += 1
            task = make_task(game, endgames, ending, oracle, ending.draw(rng), level)
            if task is not None and (diagram := game.new(task.start).diagram()) not in diagrams:
                diagrams.add(diagram)
                failures = 0
                yield task
                break


def title(game: Game, task: EndgameTask) -> str:
    """Format a task in one line: White to move and win: king and rook against king."""
    position = game.new(task.start)
    mover = side(position, position.turn).capitalize()
    if task.goal == BEST:
        return f"{mover} to play the best move: {task.ending.words}"
    value = format_move_value(position, task.value).removeprefix("win ")
    margin = f" {value}" if position.scored and task.value else ""
    return f"{mover} to move and {task.goal}{margin}: {task.ending.words}"
