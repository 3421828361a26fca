"""Openings of a run: distinct positions, a few random plies from the start or from a file.

Deterministic engines repeat the same game from the same position, so a match between them is worth as many
pairs as it has openings. All openings are distinct positions (by key) that are not terminal, and those with
an immediate win are used only if there are too few others. The same seed draws the same openings. Games of
chance begin at the start by default, since their dice differ from pair to pair.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from gameplay import file_io, registry
from gameplay.capabilities import record_suffix
from gameplay.errors import BadInput, Usage
from gameplay.matches.match import Match, match_without_players
from gameplay.matches.random_moves import random_move
from gameplay.plural import plural
from gameplay.position import CHANCE, AbstractPosition
from gameplay.registry import Game
from gameplay.search.seeds import seed_of
from gameplay.store.formats import conversion, epd, text
from gameplay.store.formats.game_formats import FORMATS

if TYPE_CHECKING:
    from gameplay.runs.plan import Openings

MAX_PLIES = 8  # of a random opening by default; more random plies often decide a small game
Item = TypeVar("Item")
DRAW_SECONDS = 0.05  # of drawing openings between two checks of the match's time limit for user code
SAMPLE_FACTORS = (2, 8, 32)  # times the number requested, drawn until enough openings are balanced


@dataclass(frozen=True)
class Opening:
    """A position in the game's notation ("": the start) and the moves made from it."""

    start: str = ""
    moves: tuple[str, ...] = ()


def draw_openings(
    game: Game, count: int, seed: int, plies: int | None = None, fewer: bool = False
) -> list[Opening]:
    """Draw `count` distinct openings of `plies` random moves; None: the fewest plies, from 2, that suffice.

    With 0 plies every game begins at the start; None has the same effect in games of chance. Raises Usage if
    the game has too few openings, or with `fewer` only if it has none.
    """
    if plies == 0 or (plies is None and game.new().chance):
        return [Opening()] * count
    openings: list[Opening] = []
    best = 0
    for length in [plies] if plies else [*range(2, MAX_PLIES + 1), 1]:
        sample = _draw(game, count, length, Random(seed_of(seed, "openings", length)))
        if len(sample) == count:
            return sample
        if len(sample) > len(openings):
            openings, best = sample, length
    if openings and fewer:
        return openings
    if not openings:
        length = plural(plies or MAX_PLIES, "random ply", "random plies")
        raise Usage(f"{game.name} is over before {length}: give fewer, or 0 to begin every game at the start")
    noun = "ply finds" if best == 1 else "plies find"
    raise Usage(
        f"{game.name}: {best} random {noun} only {len(openings)} distinct openings, and {count} pairs of "
        f"games need {count}: ask for {2 * len(openings)} games, or for 0 plies to begin all at the start"
    )


def _draw(game: Game, count: int, plies: int, rng: Random) -> list[Opening]:
    """Draw up to `count` openings; fewer if many draws in a row repeat known positions."""
    match = match_without_players(game)  # enforces the time limit of the game's code
    position = match.position
    if match.call_game("outcome()", position.outcome) is None:
        match.moves()  # raises Fault if they are invalid
    quiet: list[Opening] = []
    decisive: list[Opening] = []  # with an immediate win
    seen: set[Hashable] = set()
    failures = 0  # draws since the last new position

    def draw_some() -> bool:
        """Draw for DRAW_SECONDS; false when drawing is finished."""
        nonlocal failures
        ends = monotonic() + DRAW_SECONDS
        while len(quiet) < count and len(seen) < 20 * count and failures < 300 + 2 * len(seen):
            if monotonic() > ends:
                return True
            words, key, wins = _random_play(position, plies, rng, seen)
            failures += 1
            if words and key not in seen:
                seen.add(key)
                failures = 0
                (decisive if wins else quiet).append(Opening(moves=tuple(words)))
        return False

    while match.call_game("random play", draw_some):
        pass
    return (quiet + decisive)[:count]


def match_after(game: Game, opening: Opening) -> Match:
    """A match without players after an opening. Raises BadInput for an invalid one."""
    return match_without_players(game, opening.start, opening.moves)


def _random_play(
    position: AbstractPosition, plies: int, rng: Random, seen: set[Hashable]
) -> tuple[list[str], Hashable, bool]:
    """Play and undo random moves: the moves (none if the game ended), the key, True for an immediate win."""
    words: list[str] = []
    while len(words) < plies and position.outcome() is None:
        move = random_move(position, rng)
        words.append(position.format(move))
        position.make(move)
    over, key = position.outcome() is not None, position.key()
    wins = not over and key not in seen and wins_at_once(position)
    for _ in words:
        position.unmake()
    return ([] if over else words), key, wins


def wins_at_once(position: AbstractPosition) -> bool:
    """True if a move of the player to move ends the game with the strictly highest payoff for them."""
    mover = position.turn
    if mover == CHANCE:
        return False
    for move in position.moves():
        position.make(move)
        payoffs = position.outcome()
        position.unmake()
        if payoffs and all(payoffs[mover] > pay for player, pay in enumerate(payoffs) if player != mover):
            return True
    return False


@dataclass(frozen=True)
class Selection:
    """Openings, and notes to report.

    `repeats`: some openings are repeated in a game without chance, so Elo cannot be estimated.
    """

    openings: list[Opening]
    notes: list[str] = field(default_factory=list)
    repeats: bool = False


def read(game: Game, lines: Iterable[str], name: str, plies: int | None = None, start: int = 1) -> Selection:
    """Read the openings of a text in order: a position in the game's notation on each line.

    The position may be followed by the word `moves` and moves; without a position they are made from the
    start: `moves 4 4 3`. Blank lines and comments (`#` at the start or after a space) are ignored. By the
    suffix of `name`, .epd lines are a position with operations, and a file of game records (.pgn, .pdn, .sgf)
    gives one opening per game. `plies` truncates the moves. Opening number `start` becomes the first; those
    before it are moved to the end.

    Terminal and duplicate positions are left out with a note. Raises BadInput, with `name` and the line, for
    an invalid opening.
    """
    openings: list[Opening] = []
    notes: list[str] = []
    seen: dict[Hashable, str] = {}
    for place, opening in _rotate(list(_parse_text(game, lines, name)), start):
        where = f"{name}, {place}"
        if plies is not None and not opening.moves and not _is_game_file(name):
            raise BadInput(f"{where}: a position has no moves to cut off. Try: {name} without :{plies}")
        opening = Opening(opening.start, opening.moves[:plies])
        try:
            match = match_without_players(game, opening.start, opening.moves)
        except BadInput as error:
            raise BadInput(f"{where}: {error}") from None
        if match.over():
            notes.append(f"{where}: the game is over in this position")
            continue
        key = match.call_game("key()", match.position.key)
        if key in seen:
            if not _is_game_file(name):  # games often share an opening
                notes.append(f"{where}: the same position as in {seen[key]}")
            continue
        seen[key] = place
        openings.append(opening)
    return Selection(openings, notes)


def _parse_text(game: Game, lines: Iterable[str], name: str) -> Iterator[tuple[str, Opening]]:
    """Yield the place in the text and the opening, parsed by the suffix of `name`."""
    suffix = Path(name).suffix.lower()
    if suffix == ".epd":
        for entry in epd.read(lines, name):
            yield f"line {entry.line}", Opening(entry.position)
    elif _is_game_file(name):
        if record_suffix(game.cls) != suffix:
            raise BadInput(f"{name}: {suffix} files contain no games of {game.name}")
        for start, words, place in conversion.openings(lines, name, game):
            yield place, Opening(start, tuple(words))
    elif suffix in FORMATS and suffix != ".txt":
        raise BadInput(f"{name}: games that give openings must be in .pgn, .pdn or .sgf files, not {suffix}")
    else:
        yield from _parse_lines(lines, name)


def _is_game_file(name: str) -> bool:
    return name.lower().endswith((".pgn", ".pdn", ".sgf"))


def _parse_lines(lines: Iterable[str], name: str) -> Iterator[tuple[str, Opening]]:
    """Yield the opening of each line: a position, then moves."""
    for number, line in enumerate(lines, 1):
        text = re.split(r"(?:^|\s)#", line)[0].strip()
        if not text:
            continue
        start, *moves = re.split(r"(?:^|\s+)moves(?:\s+|$)", text, maxsplit=1)
        words = tuple(" ".join(moves).split())
        if moves and not words:
            raise BadInput(f"{name}, line {number}: no moves follow the word moves")
        yield f"line {number}", Opening(start, words)


def select_openings(game: Game, wanted: "Openings", count: int, seed: int) -> Selection:
    """Select `count` openings for a plan; the opening of a pair depends only on the seed and its number.

    Raises BadInput for an invalid file; Usage for too few openings, unless the plan reuses them.
    """
    if wanted.file is not None:
        lines = read_lines(wanted.file)
        first = wanted.start if wanted.order == "sequential" else 1
        book = read(game, lines, wanted.file, wanted.plies, first)
        openings, notes = book.openings, [f"{note}: left out" for note in book.notes]
        if wanted.order == "random":
            openings = _rotate(_shuffle(openings, seed), wanted.start)
        if wanted.balance is not None:
            openings = list(filter(balance_test(game, wanted.balance, wanted.bound), openings))
        source = wanted.file + " holds"
    else:
        notes = []
        if wanted.balance:
            openings = _draw_balanced(game, wanted, count, seed)
        else:
            openings = draw_openings(game, count, seed, wanted.plies, fewer=wanted.reuse)
        source = f"{game.name} offers"
    condition = f" that {wanted.balance} values within {wanted.bound}" if wanted.balance else ""
    if not openings and wanted.file is not None and book.notes:
        raise BadInput(f"{source} no openings: {book.notes[0].removeprefix(f'{wanted.file}, ')}")
    if not openings:
        raise Usage(f"{source} no openings{condition}")
    if len(openings) < count and not wanted.reuse:
        games = len(openings) * game.new().players
        raise Usage(
            f"{source} only {_format_count(len(openings))}{condition}, and {count} are needed: "
            f"ask for {games} games, or give more openings "
            "(reuse = true in a plan file repeats them, without Elo)"
        )
    repeats = not game.new().chance and (len(openings) < count or (wanted.plies == 0 and count > 1))
    if len(openings) < count:
        verb = "is" if len(openings) == 1 else "are"
        note = f"{_format_count(len(openings))} {verb} repeated for {count} pairs"
        notes.append(note + (": Elo cannot be estimated" if repeats else ""))
    return Selection([openings[number % len(openings)] for number in range(count)], notes, repeats)


def count_distinct(game: Game, wanted: "Openings", most: int, seed: int) -> int:
    """The number of distinct openings for a plan, from 1 to `most`.

    With `balance` the result is `most`, since counting would require searches. Raises Usage or BadInput.
    """
    if wanted.balance is not None:
        return most
    if wanted.file is None:
        return len(draw_openings(game, most, seed, wanted.plies, fewer=True))
    return min(most, max(1, len(read(game, read_lines(wanted.file), wanted.file, wanted.plies).openings)))


def _format_count(count: int) -> str:
    return plural(count, "opening")


def balance_test(game: Game, spec: str, bound: int) -> Callable[[Opening], bool]:
    """A predicate: the engine of `spec` values the position after an opening from -`bound` to `bound`.

    Raises Usage for an engine that cannot play the game, or whose limit is not in plies or nodes.
    """
    from gameplay.runs.adjudication import solver

    search = solver(spec)
    registry.engine(spec)[0].check(game.new())
    return lambda opening: (
        abs(search(match_without_players(game, opening.start, opening.moves).position).value) <= bound
    )


def _draw_balanced(game: Game, wanted: "Openings", count: int, seed: int) -> list[Opening]:
    """Draw larger and larger samples until enough openings are balanced, or no more are found."""
    assert wanted.balance is not None
    is_balanced = balance_test(game, wanted.balance, wanted.bound)
    balanced: dict[Opening, bool] = {}
    openings: list[Opening] = []
    for factor in SAMPLE_FACTORS:
        pool = draw_openings(game, factor * count, seed, wanted.plies, fewer=True)
        balanced |= {opening: is_balanced(opening) for opening in pool if opening not in balanced}
        openings = [opening for opening in pool if balanced[opening]]
        if len(openings) >= count or len(pool) < factor * count:
            break
    return openings[:count]


def _rotate(items: list[Item], start: int) -> list[Item]:
    """The list rotated to begin with number `start`, counted from 1, modulo its length."""
    at = (start - 1) % max(1, len(items))
    return items[at:] + items[:at]


def _shuffle(openings: list[Opening], seed: int) -> list[Opening]:
    return Random(seed_of(seed, "openings")).sample(openings, len(openings))


def split_plies(text: str) -> tuple[str, int | None]:
    """Split `FILE:PLIES` into the file and the plies; None for plain `FILE`."""
    file, colon, plies = text.rpartition(":")
    return (file, int(plies)) if colon and plies.isdecimal() and Path(file).suffix else (text, None)


def read_lines(file: str) -> list[str]:
    """The lines of a file of openings. Raises BadInput if it is unreadable or empty."""
    try:
        lines = list(text.lines(Path(file)))
    except OSError as error:
        raise BadInput(file_io.unreadable(file, error)) from None
    if not any(lines):
        raise BadInput(f"{file} is empty")
    return lines
