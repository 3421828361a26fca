"""Imports games recorded by other programs: replays the moves of each sheet by the rules.

The result `1-0` is a win for White in PGN. In PDN too if the file has a GameType, as the standard of 2009
requires; older archives of English draughts (CheckerBoard's) mean the side that moves first, Black. If the
rules end a game they decide the result, except in SGF, where players agree on dead stones and the recorded
result counts. Engine comments on moves are read in the notation of `gameplay.store.formats.encoding`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from gameplay import __version__
from gameplay.capabilities import record_suffix
from gameplay.errors import BadInput, GameplayError, IllegalMove
from gameplay.plural import plural
from gameplay.position import AbstractPosition, side_names
from gameplay.store.formats import pgn_commands
from gameplay.store.formats.game_formats import FORMATS, AnyFormat
from gameplay.store.formats.pgn import DRAWN, UNKNOWN, Line, Sheet, Step
from gameplay.store.record import SCHEMA, Ply, Record
from gameplay.value import MAX_EVAL, MAX_PLY, WIN

if TYPE_CHECKING:
    from gameplay.registry import Game

NULL_MOVES = ("--", "Z0", "@@@@")  # null moves of annotators, which show a threat
BOOK = "book"  # the comment on an opening move
RECORDED = "recorded"  # reason of games of which only the result is known
_LONG_WORD = re.compile(r"(\S{50})\S{10,}")  # shortened in messages: damaged files have them
_ENGINE_COMMENT = re.compile(
    r"([+-]?)(?:M(\d{1,5})|(\d{1,9}(?:\.\d{1,9})?))/(\d{1,9})(?: (\d{1,9}(?:\.\d{1,9})?)s)?$", re.ASCII
)


def read(path: Path, find: Callable[[str], "Game"]) -> Iterator[tuple[Sheet, Record | None]]:
    """The games of a file with their moves in the game's notation; None if a sheet has a `problem`.

    `find` gives the game of a spec (`registry.game`). Raises BadInput for a file that is not text; OSError.
    """
    file_format = FORMATS[path.suffix.lower()]
    for sheet in file_format.read(file_format.lines(path), str(path)):
        yield sheet, _try_replay(sheet, file_format, file_format.game_of(sheet, find), str(path))


def openings(lines: Iterable[str], name: str, game: "Game") -> Iterator[tuple[str, list[str], str]]:
    """Each game of a text: its start, its moves in the game's notation, and its location in the text.
    Raises BadInput for an invalid game.
    """
    file_format = FORMATS[record_suffix(game.cls)]
    for sheet in file_format.read(lines, name):
        record = _try_replay(sheet, file_format, game, name)
        if record is None:
            raise BadInput(sheet.problem)
        yield record.start, record.words, f"game {sheet.number}"


def pick(path: Path, number: int, find: Callable[[str], "Game"]) -> Record:
    """Game `number` of a file, from 1. Raises BadInput if it is invalid or missing."""
    file_format = FORMATS[path.suffix.lower()]
    count = 0
    for sheet in file_format.read(file_format.lines(path), str(path)):
        count += 1
        if count == number:
            record = _try_replay(sheet, file_format, file_format.game_of(sheet, find), str(path))
            if record is None:
                raise BadInput(sheet.problem)
            return record
    raise BadInput(
        f"{path} holds {plural(count, 'game')}; there is no game {number}"
        if count
        else f"{path} holds no game"
    )


def _try_replay(sheet: Sheet, file_format: AnyFormat, game: "Game", name: str) -> Record | None:
    """The record of a sheet's game; None, with the sheet's `problem` set, if it is invalid."""
    if not sheet.problem:
        try:
            return replay(sheet, file_format, game)
        except _IllegalStep as error:
            sheet.problem = f"{name}, {file_format.location_unit} {error.at}, game {sheet.number}: {error}"
        except GameplayError as error:
            line = f", line {sheet.at}" if sheet.at else ""
            sheet.problem = f"{name}{line}, game {sheet.number}: {error}"
    sheet.problem = name + _LONG_WORD.sub(r"\1...", sheet.problem.removeprefix(name))
    return None


class _IllegalStep(Exception):
    """An illegal move, with its line in the file."""

    def __init__(self, at: int, message: str) -> None:
        super().__init__(" ".join(message.split()))
        self.at = at


def replay(sheet: Sheet, file_format: AnyFormat, game: "Game") -> Record:
    """Replay a sheet's game by the rules; the sheet then has its moves in the game's notation.
    Raises GameplayError for an invalid starting position.
    """
    file_format.check(sheet.tags)
    steps = list(sheet.line.steps)
    try:
        return _replay_with(sheet, file_format, game)
    except _IllegalStep as error:
        first_error = last_error = error
    for options in file_format.fallback_options:
        sheet.line.steps = list(steps)
        try:
            record = _replay_with(sheet, file_format, game.with_parameters(options))
        except _IllegalStep as error:
            last_error = error
            continue
        sheet.warnings.append(
            f"line {first_error.at}: by today's rules {first_error}; read with the rules of {record.game}"
        )
        record.warnings = list(sheet.warnings)
        return record
    raise last_error


def _replay_with(sheet: Sheet, file_format: AnyFormat, game: "Game") -> Record:
    """The record of a sheet's game by the rules of `game`. Raises _IllegalStep, GameplayError."""
    start = sheet.tags.get("FEN", "")
    position = game.new(start)
    if file_format.white_and_black and set(position.sides) != {"white", "black"}:
        raise BadInput(f"this format is for games of white and black, and {game.name} is not one")
    file_format.prepare(sheet, position)
    first = position.turn
    warnings: list[str] = []
    count = _play(sheet.line, position, file_format, warnings)
    sheet.warnings += warnings
    file_format.annotate_start(sheet, game.new(start))
    if count < len(sheet.line.steps):
        step = sheet.line.steps[count]
        why = (
            "stones are set up in the middle of the game"
            if step.more
            else f"'{step.word}' is not a move of the game"
        )
        sheet.warnings.append(f"line {step.at}: {why}; the game is read up to here")
    by_rules, recorded = position.outcome(), _payoffs(sheet, position, file_format, first)
    if file_format.overrides_rules and recorded not in (None, by_rules):
        by_rules = None
    elif by_rules is not None and recorded not in (None, by_rules):
        reason = f" ({position.ending()})" if position.ending() else ""
        sheet.warnings.append(
            f"the recorded result {sheet.result} differs from the result by the rules{reason}, which counts"
        )
    payoffs = by_rules if by_rules is not None else recorded
    steps = sheet.line.steps[:count]
    times = pgn_commands.move_times(
        [(step.mover, pgn_commands.commands(step.comments)) for step in steps],
        sheet.tags.get("TimeControl", ""),
    )
    white = position.sides.index("white") if file_format.white_and_black else 0
    names = [sheet.tags[side.title()] for side in side_names(position)]
    return Record(
        schema=SCHEMA,
        game=game.spec,
        start=start,
        players=names,
        seed=0,
        moves=[
            _ply(step, step.mover == white, position.unit, spent)
            for step, spent in zip(steps, times, strict=True)
        ],
        result=list(payoffs) if payoffs is not None else None,
        reason="rules"
        if by_rules is not None
        else (file_format.reason(sheet.tags) or RECORDED)
        if payoffs
        else "",
        version=__version__,
        begun=_date(sheet.tags.get("Date", "")),
        warnings=list(sheet.warnings),
    )


def _date(tag: str) -> str:
    """The complete date in the tag Date, as 2026-11-22, or an empty string."""
    return tag.replace(".", "-") if re.fullmatch(r"\d{4}\.\d\d\.\d\d", tag, re.ASCII) else ""


def _play(
    line: Line, position: AbstractPosition, file_format: AnyFormat, warnings: list[str], main: bool = True
) -> int:
    """Make the moves of a line and return their number. Variations are made and unmade.
    Moves after a null move are kept as text; so, with a warning, are moves after an illegal one in a
    variation of a format that is `free`.
    """
    steps: list[Step] = []
    count = 0
    for number, step in enumerate(line.steps):
        if step.word in NULL_MOVES:
            steps += line.steps[number:]
            break
        if step.won is not None and file_format.concession is not None:
            before = len(steps)
            try:
                words = file_format.concession(position, step, steps)
            except BadInput as error:
                raise _IllegalStep(step.at, str(error)) from None
            for word in words:
                steps.append(Step(word, at=step.at, mover=position.turn))
                position.make(position.parse(word))
            count += len(steps) - before
            continue
        is_last = number + 1 < len(line.steps) and line.steps[number + 1].won is not None
        if is_last and step.word == "pass" and "pass" not in _legal(position):
            continue  # a roll after which a player resigned
        try:
            move = _move(step, position, file_format)
        except _IllegalStep as error:
            if main or not file_format.lenient_variations:
                raise
            warnings.append(f"line {error.at}: a variation is kept as text: {error}")
            steps += line.steps[number:]
            break
        while move is None:
            omitted = next(word for word in file_format.omittable if word in _legal(position))
            steps.append(Step(omitted, at=step.at, mover=position.turn))
            position.make(position.parse(omitted))
            count += 1
            move = _move(step, position, file_format)
        for note in step.notes:
            if isinstance(note, Line):
                for _ in range(_play(note, position, file_format, warnings, main=False)):
                    position.unmake()
        step.word, step.mover = position.format(move), position.turn
        steps.append(step)
        position.make(move)
        count += 1
    line.steps = steps
    return count


def _move(step: Step, position: AbstractPosition, file_format: AnyFormat) -> int | None:
    """The move of a step; None if a move that the file omits must be made first."""
    if position.outcome() is not None:
        reason = f" ({position.ending()})" if position.ending() else ""
        raise _IllegalStep(step.at, f"the game is over before '{_shorten(step.word)}'{reason}")
    try:
        return position.parse(step.word)
    except IllegalMove as error:
        if (
            file_format.concession is not None
            and step.word == "pass"
            and file_format.omittable[0] not in _legal(position)
        ):
            if len(position.moves()) == 1:
                return position.moves()[0]  # a forced turn that the file omits
            raise _IllegalStep(step.at, "the turn is empty, but the roll can be played") from None
        alternative = file_format.respell(step.word)
        if alternative != step.word:
            with suppress(IllegalMove):
                return position.parse(alternative)
        if not set(file_format.omittable).isdisjoint(_legal(position)):
            return None
        raise _IllegalStep(step.at, str(error)) from None


def _shorten(word: str) -> str:
    """A word of a file, shortened for an error."""
    return word if len(word) <= 40 else word[:40] + "..."


def _legal(position: AbstractPosition) -> list[str]:
    """The notation of the legal moves, if there are few."""
    moves = position.moves()
    return [position.format(move) for move in moves] if len(moves) <= 2 else []


def _payoffs(
    sheet: Sheet, position: AbstractPosition, file_format: AnyFormat, first: int
) -> tuple[float, ...] | None:
    """Each player's payoff by the recorded result; None without one."""
    if sheet.result == UNKNOWN:
        return None
    if position.scored:
        return file_format.payoffs(sheet.tags, position)
    if sheet.result == DRAWN:
        return (0, 0)
    white = position.sides.index("white")
    winner = first if file_format.first_player_wins(sheet.tags) else white
    if sheet.result == "0-1":
        winner = 1 - winner
    return (1, -1) if winner == 0 else (-1, 1)


def _ply(step: Step, white: bool, unit: int, spent: float | None) -> Ply:
    """A move with its engine data, clock time and comments. white: True if White made it."""
    remark = pgn_commands.remark([_remark(comment) for comment in step.comments])
    ply = Ply(step.word, step.mover, spent=spent, remark=remark)
    for comment in step.comments:
        if match := _engine_comment(comment):
            sign = -1 if match[1] == "-" else 1
            value = (
                WIN - min(int(match[2]), MAX_PLY)
                if match[2]
                else min(MAX_EVAL, round(float(match[3]) * unit))
            )
            seconds = float(match[5]) if match[5] else None
            return replace(ply, value=sign * value, depth=int(match[4]), seconds=seconds)
    evaluation = pgn_commands.value(pgn_commands.commands(step.comments).get("eval", ""), white, unit)
    return ply if evaluation is None else replace(ply, value=evaluation[0], depth=evaluation[1] or None)


def _engine_comment(comment: str) -> re.Match[str] | None:
    return _ENGINE_COMMENT.match(comment.partition(", ")[0])


def _remark(comment: str) -> str:
    """A comment without the engine data in it."""
    if _engine_comment(comment):
        return comment.partition(", ")[2]
    return "" if comment == BOOK else comment
