"""The record of a game: one JSON object on a line, enough to replay it exactly.

During a game further lines may follow: a move, as in `moves`, or {"undone": 1}, which removes the last one.
With imperfect information each is {"sealed": ...}. A truncated last line is ignored.

    schema    1
    game      the game with its parameters: "connect4:columns=8"
    start     the starting position, "" for the standard one
    players   the player on each seat, with options and limits: "human", "alphabeta:depth=6,order=killer"
    seed      source of chance moves and of the players' random choices
    moves     [{"move": "4", "player": 0, "value": 12, "depth": 8, "nodes": 4711, "seconds": 0.02}, ...]
              player -1 is chance; the rest only for moves of engines; value from the mover's view
              "line": the principal variation, and "exact": true, in games of people
              "remark": a comment of a review or a file
              "spent": seconds of the move by the game's clock, if there is one
    result    each player's payoff, or null
    reason    reason for the end: "rules", "counted" (by the rules, scored by agreement),
              "resigned", "time", "agreed" or "claimed" (a draw), "unfinished", or "" while in progress
    margin    points by which the first player won a counted game; negative: lost
    version   version of this package
    clock     the time control of each player, as in `matches.clock`, if any
    thought   seconds that the player to move had used for the next move
    begun     start time, as "2026-11-22T12:30:00+01:00"; omitted if unknown
    names     names of the people on each seat, "" for none; omitted if all are ""
    warnings  deviations accepted when the file of another program was read, a sentence each
    match     the match of several games that it belongs to, see `gameplay.scoring.scoresheet`; omitted
           for a single game
    taken_back  moves taken back after hidden information was revealed; omitted if 0
    sealed    replaces seed and moves while a game of imperfect information is in progress: the whole
           record, encoded so that it is not read by accident; the game resumes from it

Values are on the scale of `value`; moves and positions are in the game's notation.
"""

import base64
import zlib
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from gameplay import __version__
from gameplay.errors import BadInput, IllegalMove
from gameplay.position import AbstractPosition
from gameplay.scoring.scoresheet import Scoresheet
from gameplay.search.report import Report
from gameplay.store import document, trust

if TYPE_CHECKING:
    from gameplay.matches.match import Match
    from gameplay.players.player import Turn

SCHEMA = 1
MAX_SEALED = 1 << 26  # bytes of a decoded sealed record


class Ply(msgspec.Struct, omit_defaults=True, frozen=True):
    """One move of a record."""

    move: str
    player: int
    value: int | float | None = None
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    spent: float | None = None
    line: list[str] = []
    exact: bool = False
    remark: str = ""

    @property
    def report(self) -> Report | None:
        """The engine's report as far as stored; `restore` adds the line."""
        if self.value is None:
            return None
        return Report(
            value=self.value,
            depth=self.depth or 0,
            nodes=self.nodes or 0,
            seconds=self.seconds or 0.0,
            exact=self.exact,
            bound="expectation" if isinstance(self.value, float) else "exact",
            final=True,
        )


class Record(msgspec.Struct, omit_defaults=True):
    """The record of a game; fields as in the module docstring."""

    schema: int
    game: str
    start: str
    players: list[str]
    seed: int
    moves: list[Ply]
    result: list[int | float] | None
    reason: str
    version: str
    clock: str = ""
    thought: float | None = None
    begun: str = ""
    names: list[str] = []
    margin: float | None = None
    warnings: list[str] = []
    taken_back: int = 0
    match: Scoresheet | None = None
    sealed: str = ""

    @property
    def unfinished(self) -> bool:
        """True if the game is in progress or another game of its match follows."""
        between = self.match is not None and self.match.result is not None and not self.match.over
        return self.result is None or between

    @property
    def words(self) -> list[str]:
        """The moves in the game's notation."""
        return [ply.move for ply in self.moves]

    @property
    def display_names(self) -> list[str]:
        """The display name of each player: the name, or the spec if there is none."""
        names = self.names or [""] * len(self.players)
        return [name or spec for name, spec in zip(names, self.players, strict=True)]

    @property
    def date(self) -> str:
        """The start date, as 2026-11-22, or an empty string."""
        return self.begun[:10]


Lines = dict[int, tuple[Report, list[str]]]


def record_of(match: "Match", times: bool = True, lines: Lines | None = None, since: int = 0) -> Record:
    """The record of a `matches.match.Match`, with its moves from move `since` (from 0) on.

    times: False omits the seconds: the same seed then gives the same bytes. lines: also store the engines'
    lines of play; a cache of their notation for the next record.
    """
    clock = match.clock if times else None
    names = [player.display_name for player in match.players]
    return Record(
        schema=SCHEMA,
        game=match.game.spec,
        start=match.start,
        players=[player.spec for player in match.players],
        seed=match.seed,
        moves=[
            _ply(turn, times, _line(match, at, lines)) for at, turn in enumerate(match.turns[since:], since)
        ],
        result=None if match.payoffs is None else list(match.payoffs),
        reason=match.reason,
        version=__version__,
        clock=next((str(control) for control in clock.controls if control), "") if clock else "",
        thought=clock.thought if clock else None,
        begun=match.start_time,
        names=names if any(names) else [],
        margin=match.margin,
        taken_back=match.taken_back,
        match=replace(match.scoresheet) if match.scoresheet is not None else None,
    )


def _line(match: "Match", at: int, lines: Lines | None) -> list[str] | None:
    """The principal variation of a move's search, in notation; None: not stored."""
    report = match.turns[at].report
    if lines is None or report is None:
        return None
    if at not in lines or lines[at][0] is not report:
        lines[at] = (report, match.spell(report.pv, at))
    return lines[at][1]


def _ply(turn: "Turn", times: bool, line: list[str] | None) -> Ply:
    report = turn.report
    spent = round(turn.seconds, 6) if times and turn.seconds is not None else None
    if report is None:
        return Ply(turn.word, turn.player, spent=spent)
    seconds = round(report.seconds, 6) if times else None
    value = None if report.bound == "unknown" else report.value
    ply = Ply(turn.word, turn.player, value, report.depth, report.nodes, seconds, spent)
    return ply if line is None else msgspec.structs.replace(ply, line=line, exact=report.exact)


def encode(record: Record) -> bytes:
    """One line of JSON without the newline; fields within the sealed part are omitted."""
    if record.sealed:
        record = msgspec.structs.replace(record, seed=0, moves=[], thought=None)
    return msgspec.json.encode(record, enc_hook=str)  # for marked specs


def seal(record: Record) -> Record:
    """The record encoded so that hidden information is not read by accident."""
    whole = msgspec.structs.replace(record, sealed="")
    return msgspec.structs.replace(record, sealed=_seal(encode(whole)))


def _seal(line: bytes) -> str:
    return base64.b64encode(zlib.compress(line)).decode()


def _unseal(text: str, where: str) -> bytes:
    """Decode a sealed text. Raises BadInput if damaged."""
    packed = zlib.decompressobj()
    try:
        line = packed.decompress(base64.b64decode(text, validate=True), MAX_SEALED)
    except (ValueError, zlib.error):
        line = b""
    if not packed.eof:
        raise BadInput(f"{where}: the sealed part of the record is damaged")
    return line


class Addition(msgspec.Struct, omit_defaults=True, frozen=True):
    """A line after a record that undoes the last move or is sealed."""

    undone: int = 0
    sealed: str = ""


ADDITIONS = (b'{"move":', b'{"undone":', b'{"sealed":')  # prefixes of lines that modify the preceding record


def encode_addition(ply: Ply | None, secret: bool = False) -> bytes:
    """The line that adds a move to a record; None: that undoes its last move."""
    line = msgspec.json.encode(Addition(undone=1) if ply is None else ply)
    return (msgspec.json.encode(Addition(sealed=_seal(line))) if secret else line) + b"\n"


def _apply_line(record: Record, line: bytes, where: str) -> None:
    """Apply a line after a record to it. Raises BadInput, msgspec.DecodeError."""
    if line.startswith(ADDITIONS[2]):
        line = _unseal(msgspec.json.decode(line, type=Addition).sealed, where)
    if line.startswith(ADDITIONS[0]):
        record.moves.append(msgspec.json.decode(line, type=Ply))
    elif not msgspec.json.decode(line, type=Addition).undone or not record.moves:
        raise BadInput(f"{where}: a line of the record is neither a move nor an undo")
    else:
        record.moves.pop()


def decode(content: bytes, where: str) -> Record:
    """Decode a record and the lines that modify it. Raises BadInput, naming `where`, if invalid.

    Specs that name code the user has neither started nor confirmed are marked: see `store.trust`.
    """
    line, _, rest = content.partition(b"\n")
    added = rest.splitlines(keepends=True) if rest.startswith(b"{") else []
    record = _decode_line(line if added else content, where)
    if record.sealed:
        whole = _decode_line(_unseal(record.sealed, where), where)
        if whole.sealed:
            raise BadInput(f"{where}: the sealed part of the record is damaged")
        in_progress = whole.result is None  # otherwise a finished hand of a match, which is stored sealed
        record = msgspec.structs.replace(whole, sealed=record.sealed if in_progress else "")
    for number, line in enumerate(added, 2):
        try:
            _apply_line(record, line, where)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            if number == len(added) + 1 and not line.endswith(b"\n"):
                break  # the program was killed while writing this line
            raise BadInput(f"{where}: line {number} is not a move or an undo: {error}") from None
        record.thought = None
    return _check_players(record, where) if added else record


def _decode_line(line: bytes, where: str) -> Record:
    record = document.decode(line, Record, where, "the record of a game")
    if record.schema != SCHEMA:
        raise BadInput(f"{where}: the record has schema {record.schema}; this version reads {SCHEMA}")
    if record.names and len(record.names) != len(record.players):
        raise BadInput(f"{where}: {len(record.players)} players have {len(record.names)} names")
    if record.result is not None and len(record.result) != len(record.players):
        raise BadInput(f"{where}: {len(record.players)} players have {len(record.result)} payoffs")
    record.game, record.players = trust.mark_game(record.game), list(map(trust.mark_player, record.players))
    if (sheet := record.match) is not None:
        sheet.game, sheet.players = trust.mark_game(sheet.game), list(map(trust.mark_player, sheet.players))
    return _check_players(record, where)


def _check_players(record: Record, where: str) -> Record:
    """Return the record. Raises BadInput if the player of a move does not exist."""
    last = len(record.players) - 1
    for ply in record.moves:
        if not -1 <= ply.player <= last:
            raise BadInput(f"{where}: the player of a move is {ply.player}; expected -1 (chance) to {last}")
    return record


def restore(match: "Match", record: Record) -> None:
    """Add the reports, comments and times of a record to a match with its moves."""
    match.taken_back = record.taken_back
    position = match.replica(0) if any(ply.line for ply in record.moves) else None
    for number, (turn, ply) in enumerate(zip(match.turns, record.moves, strict=True)):
        report = ply.report
        if report is not None and ply.line and position is not None:
            report = report.with_(pv=_parse_line(position, ply.line))
        match.turns[number] = structs.replace(turn, report=report, seconds=ply.spent)
        if position is not None:
            position.make(turn.move)
    if match.clock is not None:
        match.clock.replay((turn.player, turn.seconds) for turn in match.turns)
        if not match.over() and match.turn >= 0:
            match.clock.think(match.turn, record.thought or 0.0)


def _parse_line(position: AbstractPosition, words: list[str]) -> tuple[int, ...]:
    """Parse a line of moves, up to the first illegal one."""
    moves: list[int] = []
    with suppress(IllegalMove):
        for word in words:
            if position.outcome() is not None:
                break
            move = position.parse(word)
            position.make(move)
            moves.append(move)
    for _ in moves:
        position.unmake()
    return tuple(moves)
