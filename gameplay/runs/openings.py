"""Where the games of a series begin: distinct positions, a few random plies from the start or from a list.

Deterministic engines play one game from one position; a series between them is worth as many games as it
has openings. So no two openings here are the same position (by key), none is over, and none gives the
mover a win at once unless the game offers too few others. The same seed draws the same openings.
In games of chance the dice make every pair of games differ: they begin at the start unless set otherwise.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from gameplay import file_io, registry
from gameplay.capabilities import record_suffix
from gameplay.errors import BadInput, Usage
from gameplay.matches.match import Match, seed_of
from gameplay.matches.random_moves import random_move
from gameplay.players.empty_seat import EmptySeat
from gameplay.plural import plural
from gameplay.position import CHANCE, AbstractPosition
from gameplay.registry import Game
from gameplay.store.formats import conversion, epd, text

if TYPE_CHECKING:
    from gameplay.runs.plan import Openings

MAX_PLIES = 8  # plies; beyond that, random play decides a small game rather than opens it
Kind = TypeVar("Kind")
AT_ONCE = 0.05  # seconds of drawing that the referee watches over as one question
MORE = (2, 8, 32)  # how many more openings than wanted are drawn until enough are even


@dataclass(frozen=True)
class Opening:
    """A start in the game's own notation ("": the usual one) and the moves made from it."""

    start: str = ""
    moves: tuple[str, ...] = ()


def draw_opening(
    game: Game, count: int, seed: int, plies: int | None = None, fewer: bool = False
) -> list[Opening]:
    """`count` distinct openings of `plies` random moves; None: the fewest plies, from 2, that give enough.

    0 plies begin every game at the start, as None does in games of chance, where dice make them differ.
    Raises Usage if the game has too few openings, or with `fewer` only if it has none.
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
    """Up to `count` openings; fewer when long drawing finds no more."""
    match = _empty(game)  # its referee watches over the game's code
    position = match.position
    quiet: list[Opening] = []
    sharp: list[Opening] = []  # the mover wins at once: only taken where there is nothing else
    seen: set[Hashable] = set()
    dry = 0  # draws since the last new position

    def go_on() -> bool:
        """Draw for a while; False when that was all."""
        nonlocal dry
        until = monotonic() + AT_ONCE
        while len(quiet) < count and len(seen) < 20 * count and dry < 300 + 2 * len(seen):
            if monotonic() > until:
                return True
            words, key, wins = _random_play(position, plies, rng, seen)
            dry += 1
            if words and key not in seen:
                seen.add(key)
                dry = 0
                (sharp if wins else quiet).append(Opening(moves=tuple(words)))
        return False

    while match.ask("random play", go_on):
        pass
    return (quiet + sharp)[:count]


def _empty(game: Game, start: str = "", moves: Sequence[str] = ()) -> Match:
    return Match(game, [EmptySeat() for _ in range(game.new().players)], start, moves)


def opened_positions(game: Game, opening: Opening) -> Match:
    """A match without players after an opening. Raises BadInput for an invalid one."""
    return _empty(game, opening.start, opening.moves)


def _random_play(
    position: AbstractPosition, plies: int, rng: Random, seen: set[Hashable]
) -> tuple[list[str], Hashable, bool]:
    """Moves at random and back: their words (none if the game ended), the key, if the mover wins at once."""
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
    """True if the player on turn has a move that ends the game with the highest payoff of all."""
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
    """Openings, and what to report of them.

    `repeats`: some come more than once, and no dice make the games differ, so no Elo is honest.
    """

    openings: list[Opening]
    notes: list[str] = field(default_factory=list)
    repeats: bool = False


def read(game: Game, lines: Iterable[str], name: str, plies: int | None = None, start: int = 1) -> Selection:
    """The openings in a text, in its order: a position in the game's own notation on each line.

    Moves may follow it after the word `moves`, or stand alone for the usual start: `moves 4 4 3`. Blank lines
    and what follows `#` behind a blank are passed over. In a file called .epd operations follow a position;
    one in the format of the game's records (.pgn, .pdn, .sgf) holds games, each of which opens with all its
    moves. `plies` cuts the moves off after so many. Number `start` is the first; those before it come last.

    Positions that are over or duplicates are left out, and reported in the notes. Raises BadInput, naming
    `name` and the line, for an invalid one.
    """
    openings: list[Opening] = []
    notes: list[str] = []
    seen: dict[Hashable, str] = {}
    for place, opening in _rotated(list(_written(game, lines, name)), start):
        where = f"{name}, {place}"
        opening = Opening(opening.start, opening.moves[:plies])
        try:
            match = _empty(game, opening.start, opening.moves)
        except BadInput as error:
            raise BadInput(f"{where}: {error}") from None
        if match.over():
            notes.append(f"{where}: the game is over in this position")
            continue
        key = match.ask("key()", match.position.key)
        if key in seen:
            if not _holds_games(name):  # many games open alike, and that is no mistake
                notes.append(f"{where}: the same position as in {seen[key]}")
            continue
        seen[key] = place
        openings.append(opening)
    return Selection(openings, notes)


def _written(game: Game, lines: Iterable[str], name: str) -> Iterator[tuple[str, Opening]]:
    """What a text holds, by the suffix of its `name`: where in it, and the opening."""
    suffix = Path(name).suffix.lower()
    if suffix == ".epd":
        for entry in epd.read(lines, name):
            yield f"line {entry.line}", Opening(entry.position)
    elif _holds_games(name):
        if record_suffix(game.cls) != suffix:
            raise BadInput(f"{name}: files called {suffix} hold no games of {game.name}")
        for start, words, place in conversion.openings(lines, name, game):
            yield place, Opening(start, tuple(words))
    else:
        yield from _positions(lines, name)


def _holds_games(name: str) -> bool:
    return name.lower().endswith((".pgn", ".pdn", ".sgf"))


def _positions(lines: Iterable[str], name: str) -> Iterator[tuple[str, Opening]]:
    """Positions with moves behind them, one a line."""
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
    """`count` openings as a plan wants them. Which one a pair gets depends on the seed and its number only.

    Raises BadInput for a file that is wrong; Usage for too few openings, unless the plan reuses them.
    """
    if wanted.file is not None:
        lines = lines_of(wanted.file)
        first = wanted.start if wanted.order == "sequential" else 1
        book = read(game, lines, wanted.file, wanted.plies, first)
        openings, notes = book.openings, [f"{note}: left out" for note in book.notes]
        if wanted.order == "random":
            openings = _rotated(_shuffled(openings, seed), wanted.start)
        if wanted.balance is not None:
            openings = list(filter(balanced(game, wanted.balance, wanted.bound), openings))
        what = wanted.file + " holds"
    else:
        notes = []
        openings = (
            _drawn_even(game, wanted, count, seed) if wanted.balance else _drawn(game, wanted, count, seed)
        )
        what = f"{game.name} offers"
    even = f" that {wanted.balance} finds level within {wanted.bound}" if wanted.balance else ""
    if not openings:
        raise Usage(f"{what} no openings{even}")
    if len(openings) < count and not wanted.reuse:
        games = len(openings) * game.new().players
        raise Usage(
            f"{what} only {_openings(len(openings))}{even}, and {count} are needed: ask for {games} games, "
            "or give more openings (a plan file may say reuse = true and do without Elo)"
        )
    repeats = not game.new().chance and (len(openings) < count or (wanted.plies == 0 and count > 1))
    if len(openings) < count:
        again = f"{_openings(len(openings))} {'is' if len(openings) == 1 else 'are'} played again and again"
        notes.append(f"{again} for {count}" + (": Elo cannot be estimated" if repeats else ""))
    return Selection([openings[number % len(openings)] for number in range(count)], notes, repeats)


def distinct(game: Game, wanted: "Openings", most: int, seed: int) -> int:
    """How many openings there are for a plan that wants them so, `most` at most and one at least.

    Those that an engine has to find level are not counted beforehand: `most` then. Raises Usage or BadInput.
    """
    if wanted.balance is not None:
        return most
    if wanted.file is None:
        return len(draw_opening(game, most, seed, wanted.plies, fewer=True))
    return min(most, max(1, len(read(game, lines_of(wanted.file), wanted.file, wanted.plies).openings)))


def _openings(count: int) -> str:
    return plural(count, "opening")


def balanced(game: Game, spec: str, bound: int) -> Callable[[Opening], bool]:
    """Whether the engine of `spec` values the position after an opening within `bound` of level.

    Raises Usage for an engine that cannot play the game, or whose limit is not in plies or nodes.
    """
    from gameplay.runs.adjudication import solver

    search = solver(spec)
    registry.engine(spec)[0].check(game.new())
    return lambda opening: abs(search(_empty(game, opening.start, opening.moves).position).value) <= bound


def _drawn(game: Game, wanted: "Openings", count: int, seed: int) -> list[Opening]:
    return draw_opening(game, count, seed, wanted.plies, fewer=wanted.reuse)


def _drawn_even(game: Game, wanted: "Openings", count: int, seed: int) -> list[Opening]:
    """Draw more and more until enough are even, or no more are found."""
    assert wanted.balance is not None
    even = balanced(game, wanted.balance, wanted.bound)
    verdicts: dict[Opening, bool] = {}
    openings: list[Opening] = []
    for times in MORE:
        pool = draw_opening(game, times * count, seed, wanted.plies, fewer=True)
        verdicts |= {opening: even(opening) for opening in pool if opening not in verdicts}
        openings = [opening for opening in pool if verdicts[opening]]
        if len(openings) >= count or len(pool) < times * count:
            break
    return openings[:count]


def _rotated(items: list[Kind], start: int) -> list[Kind]:
    """A list from number `start` on, counted from 1 and beyond its end again from its beginning."""
    at = (start - 1) % max(1, len(items))
    return items[at:] + items[:at]


def _shuffled(openings: list[Opening], seed: int) -> list[Opening]:
    return Random(seed_of(seed, "openings")).sample(openings, len(openings))


def split_plies(text: str) -> tuple[str, int | None]:
    """The file and the plies of `FILE:PLIES`; plain `FILE` has no plies."""
    file, colon, plies = text.rpartition(":")
    return (file, int(plies)) if colon and plies.isdecimal() and Path(file).suffix else (text, None)


def lines_of(file: str) -> list[str]:
    """The lines of a file of openings. Raises BadInput if it cannot be read, or holds nothing."""
    try:
        lines = list(text.lines(Path(file)))
    except OSError as error:
        raise BadInput(file_io.unreadable(file, error)) from None
    if not any(lines):
        raise BadInput(f"{file} is empty")
    return lines
