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
from gameplay.position import AbstractPosition
from gameplay.store.formats import pgn_commands
from gameplay.store.formats.game_formats import FORMS, AnyFormat
from gameplay.store.formats.pgn import DRAWN, UNKNOWN, Line, Sheet, Step
from gameplay.store.record import SCHEMA, Ply, Record, side_names
from gameplay.value import MAX_EVAL, MAX_PLY, WIN

if TYPE_CHECKING:
    from gameplay.registry import Game

NULL_MOVES = ("--", "Z0", "@@@@")  # null moves of annotators, which show a threat
BOOK = "book"  # the comment on an opening move
RECORDED = "recorded"  # reason of games of which only the result is known
_LONG = re.compile(r"(\S{50})\S{10,}")  # words of damaged files, for messages
_SAID = re.compile(
    r"([+-]?)(?:M(\d{1,5})|(\d{1,9}(?:\.\d{1,9})?))/(\d{1,9})(?: (\d{1,9}(?:\.\d{1,9})?)s)?$", re.ASCII
)


def read(path: Path, find: Callable[[str], "Game"]) -> Iterator[tuple[Sheet, Record | None]]:
    """The games of a file with their moves in the game's notation; None if a sheet has a `problem`.

    `find` gives the game of a spec (`registry.game`). Raises BadInput for a file that is not text; OSError.
    """
    form = FORMS[path.suffix.lower()]
    for sheet in form.read(form.lines(path), str(path)):
        yield sheet, _checked(sheet, form, form.game_of(sheet, find), str(path))


def openings(lines: Iterable[str], name: str, game: "Game") -> Iterator[tuple[str, list[str], str]]:
    """Each game of a text: its start, its moves in the game's notation, and its location in the text.
    Raises BadInput for an invalid game.
    """
    form = FORMS[record_suffix(game.cls)]
    for sheet in form.read(lines, name):
        record = _checked(sheet, form, game, name)
        if record is None:
            raise BadInput(sheet.problem)
        yield record.start, record.words, f"game {sheet.number}"


def pick(path: Path, number: int, find: Callable[[str], "Game"]) -> Record:
    """Game `number` of a file, from 1. Raises BadInput if it is invalid or missing."""
    form = FORMS[path.suffix.lower()]
    count = 0
    for sheet in form.read(form.lines(path), str(path)):
        count += 1
        if count == number:
            record = _checked(sheet, form, form.game_of(sheet, find), str(path))
            if record is None:
                raise BadInput(sheet.problem)
            return record
    raise BadInput(
        f"{path} holds {plural(count, 'game')}; there is no game {number}"
        if count
        else f"{path} holds no game"
    )


def _checked(sheet: Sheet, form: AnyFormat, game: "Game", name: str) -> Record | None:
    """The record of a sheet's game; None, with the sheet's `problem` set, if it is invalid."""
    if not sheet.problem:
        try:
            return played(sheet, form, game)
        except _Wrong as wrong:
            sheet.problem = f"{name}, {form.place} {wrong.at}, game {sheet.number}: {wrong}"
        except GameplayError as error:
            line = f", line {sheet.at}" if sheet.at else ""
            sheet.problem = f"{name}{line}, game {sheet.number}: {error}"
    sheet.problem = name + _LONG.sub(r"\1...", sheet.problem.removeprefix(name))
    return None


class _Wrong(Exception):
    """An illegal move, with its line in the file."""

    def __init__(self, at: int, message: str) -> None:
        super().__init__(" ".join(message.split()))
        self.at = at


def played(sheet: Sheet, form: AnyFormat, game: "Game") -> Record:
    """Replay a sheet's game by the rules; the sheet then has its moves in the game's notation.
    Raises GameplayError for an invalid starting position.
    """
    form.check(sheet.tags)
    steps = list(sheet.line.steps)
    try:
        return _replayed(sheet, form, game)
    except _Wrong as wrong:
        broken = last = wrong
    for options in form.relaxed:
        sheet.line.steps = list(steps)
        try:
            record = _replayed(sheet, form, game.varied(options))
        except _Wrong as wrong:
            last = wrong
            continue
        sheet.warnings.append(
            f"line {broken.at}: by today's rules {broken}; read with the rules of {record.game}"
        )
        record.warnings = list(sheet.warnings)
        return record
    raise last


def _replayed(sheet: Sheet, form: AnyFormat, game: "Game") -> Record:
    """The record of a sheet's game by the rules of `game`. Raises _Wrong, GameplayError."""
    start = sheet.tags.get("FEN", "")
    position = game.new(start)
    if form.paired and set(position.sides) != {"white", "black"}:
        raise BadInput(f"this format is for games of white and black, and {game.name} is not one")
    form.fit(sheet, position)
    first = position.turn
    warnings: list[str] = []
    made = _play(sheet.line, position, form, warnings)
    sheet.warnings += warnings
    form.settle(sheet, game.new(start))
    if made < len(sheet.line.steps):
        step = sheet.line.steps[made]
        why = (
            "stones are set up in the middle of the game"
            if step.more
            else f"'{step.word}' is not a move of the game"
        )
        sheet.warnings.append(f"line {step.at}: {why}; the game is read up to here")
    rules, written = position.outcome(), _payoffs(sheet, position, form, first)
    if form.agreed and written not in (None, rules):
        rules = None
    elif rules is not None and written not in (None, rules):
        how = f" ({position.ending()})" if position.ending() else ""
        sheet.warnings.append(
            f"the recorded result {sheet.result} differs from the result by the rules{how}, which counts"
        )
    payoffs = rules if rules is not None else written
    kept = sheet.line.steps[:made]
    times = pgn_commands.spent(
        [(step.mover, pgn_commands.commands(step.comments)) for step in kept],
        sheet.tags.get("TimeControl", ""),
    )
    white = position.sides.index("white") if form.paired else 0
    named = [sheet.tags[side.title()] for side in side_names(position)]
    return Record(
        schema=SCHEMA,
        game=game.spec,
        start=start,
        players=named,
        seed=0,
        moves=[
            _ply(step, step.mover == white, position.unit, took)
            for step, took in zip(kept, times, strict=True)
        ],
        result=list(payoffs) if payoffs is not None else None,
        reason="rules" if rules is not None else (form.reason(sheet.tags) or RECORDED) if payoffs else "",
        version=__version__,
        begun=_date(sheet.tags.get("Date", "")),
        warnings=list(sheet.warnings),
    )


def _date(tag: str) -> str:
    """The complete date in the tag Date, as 2026-11-22, or an empty string."""
    return tag.replace(".", "-") if re.fullmatch(r"\d{4}\.\d\d\.\d\d", tag, re.ASCII) else ""


def _play(
    line: Line, position: AbstractPosition, form: AnyFormat, warnings: list[str], main: bool = True
) -> int:
    """Make the moves of a line and return their number. Variations are made and unmade.
    Moves after a null move are kept as text; so, with a warning, are moves after an illegal one in a
    variation of a format that is `free`.
    """
    steps: list[Step] = []
    made = 0
    for number, step in enumerate(line.steps):
        if step.word in NULL_MOVES:
            steps += line.steps[number:]
            break
        if step.won is not None and form.conceded is not None:
            before = len(steps)
            try:
                words = form.conceded(position, step, steps)
            except BadInput as error:
                raise _Wrong(step.at, str(error)) from None
            for word in words:
                steps.append(Step(word, at=step.at, mover=position.turn))
                position.make(position.parse(word))
            made += len(steps) - before
            continue
        ends = number + 1 < len(line.steps) and line.steps[number + 1].won is not None
        if ends and step.word == "pass" and "pass" not in _legal(position):
            continue  # a roll after which a player resigned
        try:
            move = _move(step, position, form)
        except _Wrong as wrong:
            if main or not form.free:
                raise
            warnings.append(f"line {wrong.at}: a variation is kept as text: {wrong}")
            steps += line.steps[number:]
            break
        while move is None:
            left_out = next(word for word in form.implied if word in _legal(position))
            steps.append(Step(left_out, at=step.at, mover=position.turn))
            position.make(position.parse(left_out))
            made += 1
            move = _move(step, position, form)
        for note in step.notes:
            if isinstance(note, Line):
                for _ in range(_play(note, position, form, warnings, main=False)):
                    position.unmake()
        step.word, step.mover = position.format(move), position.turn
        steps.append(step)
        position.make(move)
        made += 1
    line.steps = steps
    return made


def _move(step: Step, position: AbstractPosition, form: AnyFormat) -> int | None:
    """The move of a step; None if a move that the file omits must be made first."""
    if position.outcome() is not None:
        how = position.ending()
        why = f" ({how})" if how else ""
        raise _Wrong(step.at, f"the game is over before '{_short(step.word)}'{why}")
    try:
        return position.parse(step.word)
    except IllegalMove as error:
        if form.conceded is not None and step.word == "pass" and form.implied[0] not in _legal(position):
            if len(position.moves()) == 1:
                return position.moves()[0]  # a forced turn that the file omits
            raise _Wrong(step.at, "the turn is empty, but the roll can be played") from None
        other = form.respell(step.word)
        if other != step.word:
            with suppress(IllegalMove):
                return position.parse(other)
        if not set(form.implied).isdisjoint(_legal(position)):
            return None
        raise _Wrong(step.at, str(error)) from None


def _short(word: str) -> str:
    """A word of a file, shortened for an error."""
    return word if len(word) <= 40 else word[:40] + "..."


def _legal(position: AbstractPosition) -> list[str]:
    """The notation of the legal moves, if there are few."""
    moves = position.moves()
    return [position.format(move) for move in moves] if len(moves) <= 2 else []


def _payoffs(
    sheet: Sheet, position: AbstractPosition, form: AnyFormat, first: int
) -> tuple[float, ...] | None:
    """Each player's payoff by the recorded result; None without one."""
    if sheet.result == UNKNOWN:
        return None
    if position.scored:
        return form.margin(sheet.tags, position)
    if sheet.result == DRAWN:
        return (0, 0)
    white = position.sides.index("white")
    winner = first if form.first_wins(sheet.tags) else white
    if sheet.result == "0-1":
        winner = 1 - winner
    return (1, -1) if winner == 0 else (-1, 1)


def _ply(step: Step, white: bool, unit: int, spent: float | None) -> Ply:
    """A move with its engine data, clock time and comments. white: True if White made it."""
    remark = pgn_commands.remark([_remark(one) for one in step.comments])
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
    return _SAID.match(comment.partition(", ")[0])


def _remark(comment: str) -> str:
    """A comment without the engine data in it."""
    if _engine_comment(comment):
        return comment.partition(", ")[2]
    return "" if comment == BOOK else comment
