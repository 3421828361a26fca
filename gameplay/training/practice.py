"""Puzzles: positions with one good move, repeated at growing intervals (spaced repetition).

A mistake in a reviewed game becomes a puzzle if only one move is good and every other is at least a mistake,
which a longer search than the review's confirms. Other puzzles are found without a mistake
(`gameplay.training.finding`), or come from a file (`gameplay.training.puzzle_file`). Puzzles are scheduled by
SM-2 (P. Wozniak, "Optimization of learning", 1990): after 1 day, after 6 days, then the last interval times
the ease, which starts at 2.5 and is never below 1.3. An answer of quality q, 0 to 5, changes the ease by
0.1 - (5 - q)(0.08 + 0.02 (5 - q)); one below 3 restarts with an interval of one day and leaves the ease
unchanged.

All puzzles are in one file in the user's data folder, together with the keys of rejected positions.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from hashlib import blake2b
from pathlib import Path, PurePath
from typing import Protocol

import msgspec

from gameplay import registry
from gameplay import value as scale
from gameplay.errors import GameplayError
from gameplay.matches.views import format_line
from gameplay.players.verdict import EQUITY_THRESHOLDS, SCORE_THRESHOLDS, cost
from gameplay.position import CHANCE, AbstractPosition
from gameplay.search.engine import has_noisy
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.session import Session
from gameplay.store import document, trust
from gameplay.training import stored_reviews
from gameplay.training.review import NODES, Review, ReviewedMove, engine_for

SCHEMA = 1
CONFIRMATION = 4  # times the nodes of a review, to confirm a puzzle
EASE, MIN_EASE = 2.5, 1.3
FIRST, SECOND = 1, 6  # days
RIGHT_AT_ONCE, RIGHT_CHOICE, RIGHT_LATER, WRONG = 5, 4, 3, 1  # qualities of answers: CHOICE of several moves
# Kinds of puzzles, by the good move.
KINDS = {
    "win": "it wins by force",
    "save": "all other moves lose by force",
    "forcing": "it captures, threatens or gives check",
    "quiet": "it does not",
}


class Distractor(msgspec.Struct, frozen=True):
    """A tempting wrong move of a multiple-choice puzzle and its refutation.

    `why`: played, short, forcing or close.
    """

    move: str
    why: str
    answer: list[str]


class Exercise(msgspec.Struct, omit_defaults=True, rename={"distractors": "lures"}):
    """A position with one good move, the move played, and when it is due."""

    id: str
    game: str
    start: str
    words: list[str]  # the moves to the position
    right: str
    line: list[str]  # the line, `right` first
    missed: str  # the mistake played in the game; "": none
    answer: list[str]  # ... and its refutation
    source: str  # the game: players, date, move number
    kinds: list[str] = []  # of KINDS
    distractors: list[Distractor] = []  # the most tempting first (`training.drill`)
    themes: list[str] = []  # themes from a puzzle file, as `fork`
    whole: bool = False  # every solver's move in `line` is requested
    due: str = ""  # the day, as 2026-11-22; "": not shown yet
    interval: int = 0  # days
    ease: float = EASE
    streak: int = 0  # right answers in a row
    asked: int = 0
    wrong: int = 0


class Practice(msgspec.Struct, rename={"searched_games": "looked"}):
    """The stored puzzles."""

    schema: int = SCHEMA
    exercises: list[Exercise] = []
    rejected: list[str] = []  # hashes of positions that are not a puzzle
    searched_games: list[str] = []  # hashes of completely searched games (`training.finding`)

    @property
    def known(self) -> set[str]:
        """The ids of all positions searched so far."""
        return {exercise.id for exercise in self.exercises} | set(self.rejected)


def path() -> Path:
    """The file of the puzzles."""
    return stored_reviews.folder().parent / "puzzles.json"


def load() -> Practice:
    """Load the stored puzzles. Raises BadInput for a damaged file."""
    practice = document.read(path(), Practice)
    for exercise in practice.exercises:
        exercise.game = trust.mark_game(exercise.game)
    return practice


def save(practice: Practice) -> None:
    """Replace the stored puzzles. Raises OSError."""
    document.write(path(), practice)


def merge_and_save(practice: Practice, *changed: Exercise) -> None:
    """Save these puzzles and the searched positions, merged with changes by other processes.

    One terminal may find puzzles while another solves them. Raises OSError, and as `load`.
    """
    stored, new = load(), {exercise.id: exercise for exercise in changed}
    stored.exercises = [new.pop(exercise.id, exercise) for exercise in stored.exercises] + list(new.values())
    stored.rejected = list(dict.fromkeys([*stored.rejected, *practice.rejected]))
    stored.searched_games = list(dict.fromkeys([*stored.searched_games, *practice.searched_games]))
    save(stored)


# -- schedule -----------------------------------------------------------------------------------


class Scheduled(Protocol):
    """An item repeated at growing intervals, with attributes as in `Exercise`."""

    due: str
    interval: int
    ease: float
    streak: int
    asked: int
    wrong: int


def record_answer(item: Scheduled, quality: int, today: date) -> None:
    """Record an answer of this quality, 0 to 5, and schedule the next repetition."""
    item.asked += 1
    if quality < 3:
        item.wrong += 1
        item.streak, item.interval = 0, FIRST
    else:
        item.streak += 1
        item.interval = {1: FIRST, 2: SECOND}.get(item.streak) or round(item.interval * item.ease)
        item.ease = max(MIN_EASE, item.ease + 0.1 - (5 - quality) * (0.08 + (5 - quality) * 0.02))
    item.due = (today + timedelta(days=item.interval)).isoformat()


def base_game(game: str) -> str:
    """The name of a game without parameters; for a user's game, its file name."""
    return PurePath(game.partition(".py")[0]).name if ".py" in game else game.partition(":")[0]


def select_puzzles(practice: Practice, game: str = "", kind: str = "") -> list[Exercise]:
    """The puzzles of a game and a kind; "": all."""
    return [
        exercise
        for exercise in practice.exercises
        if (not game or base_game(exercise.game) == base_game(game)) and (not kind or kind in exercise.kinds)
    ]


def due_puzzles(practice: Practice, today: date, game: str = "", kind: str = "") -> list[Exercise]:
    """The puzzles for today: due ones, the longest overdue first, then new ones."""
    chosen = select_puzzles(practice, game, kind)
    waiting = sorted(
        (exercise for exercise in chosen if exercise.due and exercise.due <= today.isoformat()),
        key=lambda exercise: exercise.due,
    )
    return [*waiting, *(exercise for exercise in chosen if not exercise.due)]


# -- sources ------------------------------------------------------------------------------------


def candidates(reviews: Iterable[Review], names: set[str]) -> Iterator[tuple[str, Review, ReviewedMove]]:
    """Yield id, review and move of new mistakes: of human players, or of all if no player is human."""
    for review in reviews:
        if review.unit:  # imperfect information
            continue
        humans = [seat for seat, spec in enumerate(review.players) if spec == "human"]
        for mistake in review.mistakes:
            if mistake.verdict == "inaccuracy" or (humans and mistake.player not in humans):
                continue
            name = identity(review.game, review.start, review.words[: mistake.ply - 1])
            if name not in names:
                names.add(name)
                yield name, review, mistake


def identity(game: str, start: str, words: Sequence[str]) -> str:
    """An identifier of a position: 12 hex digits."""
    return blake2b("\0".join((game, start, *words)).encode(), digest_size=6).hexdigest()


def has_only_move(position: AbstractPosition, report: Report) -> bool:
    """True if a search for two moves finds one good move: the other is at least a mistake."""
    best, *others = report.candidates
    threshold = (EQUITY_THRESHOLDS if position.chance else SCORE_THRESHOLDS)[1]
    return bool(others) and cost(position, best, others[0]) >= threshold


def puzzle(
    game: str,
    start: str,
    words: Sequence[str],
    source: str,
    nodes: int,
    missed: str = "",
    answer: Sequence[str] = (),
) -> Exercise | None:
    """The puzzle of the position after these moves; None if a search of `nodes` nodes finds two good moves.

    `missed`: the mistake played there; `answer`: its refutation. Raises GameplayError if the game no longer
    exists, KeyboardInterrupt.
    """
    rules = registry.game(game)
    position = rules.new(start)
    for word in words:
        position.make(position.parse(word))
    report = Session(engine_for(rules)).search(position, Limit(nodes=nodes, multipv=2))
    if report.stopped == "interrupted":
        raise KeyboardInterrupt
    right = report.candidates[0].move
    if (missed and right == position.parse(missed)) or not has_only_move(position, report):
        return None
    kinds = _kinds(position, report)
    line = format_line(position, report.candidates[0].pv)
    return Exercise(
        id=identity(game, start, words),
        game=game,
        start=start,
        words=list(words),
        right=line[0],
        line=line,
        missed=missed,
        answer=list(answer),
        source=source,
        kinds=kinds,
    )


def _kinds(position: AbstractPosition, report: Report) -> list[str]:
    """The kinds of a puzzle, by its only good move."""
    best, second, *_ = report.candidates
    kinds = ["win"] if scale.is_win(best.value) and best.value > 0 else []
    if not kinds and scale.is_win(second.value) and second.value < 0:
        kinds.append("save")
    if has_noisy(position):
        kinds.append("forcing" if forcing(position, best.move) else "quiet")
    return kinds


def forcing(position: AbstractPosition, move: int) -> bool:
    """True if a move is noisy or forces a reply, according to the game (`noisy`, `forced`)."""
    if move in position.noisy():
        return True
    position.make(move)
    try:
        return position.outcome() is None and position.turn != CHANCE and bool(position.forced())
    finally:
        position.unmake()


def puzzle_of_mistake(review: Review, mistake: ReviewedMove, nodes: int = 0) -> Exercise | None:
    """The puzzle of a mistake; None if a search finds two good moves. Raises as `puzzle`.

    `nodes`: of the search; 0: CONFIRMATION times those of the review.
    """
    players = " - ".join(review.names)
    source = ", ".join(filter(None, [players, review.date, f"move {mistake.ply}"]))
    words = review.words[: mistake.ply - 1]
    nodes = nodes or CONFIRMATION * NODES
    return puzzle(review.game, review.start, words, source, nodes, mistake.move, mistake.answer)


def add_mistakes(
    practice: Practice,
    reviews: Iterable[Review],
    watch: Callable[[int], object] | None = None,
    nodes: int = 0,
    failed: Callable[[GameplayError], object] | None = None,
) -> int:
    """Make puzzles of the mistakes in reviews; return the number of new ones.

    watch: called with the number of mistakes searched so far. failed: called with the reason if a position
    of a review cannot be set up. Each mistake is stored at once, so that none is searched twice.
    """
    count = 0
    for number, (name, review, mistake) in enumerate(candidates(reviews, practice.known), 1):
        if watch is not None:
            watch(number)
        try:
            exercise = puzzle_of_mistake(review, mistake, nodes)
        except GameplayError as error:
            exercise = None
            if failed is not None:
                failed(error)
        if exercise is None:
            practice.rejected.append(name)
            merge_and_save(practice)
        else:
            practice.exercises.append(exercise)
            count += 1
            merge_and_save(practice, exercise)
    return count
