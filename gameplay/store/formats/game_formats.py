"""The file formats of recorded games: the games of each, and how it is read and written.

    .pgn   chess      tags and moves in SAN (`gameplay.store.formats.pgn`)
    .pdn   checkers   tags and moves by square numbers, `11-15 22x15`; letters, `c3-d4`, are read;
           draughts   the tag GameType says which game it is (`gameplay.store.formats.pdn`)
    .txt   othello    one game per line, `f5d6c3d3c4`; passes may be omitted
    .ggf   othello    the Generic Game Format of Othello servers (`gameplay.store.formats.ggf`)
    .mat   backgammon matches and single games (`gameplay.store.formats.mat`)
    .xg    backgammon matches of eXtreme Gammon, read only (`gameplay.store.formats.xg`)
    .ogxm  backgammon matches in OGXM, read only (`gameplay.store.formats.ogxm`)
    .sgf   go         game trees (`gameplay.store.formats.sgf`)
    .phh   holdem     one hand, or several in .phhs (`gameplay.store.formats.phh`)
    .pbn   bridge     deals, auctions and plays (`gameplay.store.formats.pbn`)
    .gcg   scrabble   games of two to four players (`gameplay.store.formats.gcg`)

A game's class names its format, `records = ".pgn"`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from gameplay.position import AbstractPosition
from gameplay.store.formats import (
    gcg,
    ggf,
    mat,
    ogxm,
    pbn,
    pdn,
    pgn,
    pgn_chess,
    phh,
    sgf,
    sgf_reader,
    sgf_tree,
    sgf_writer,
    text,
    transcript,
    xg,
)
from gameplay.store.formats.pgn import Sheet, Step
from gameplay.store.record import Record

if TYPE_CHECKING:
    from gameplay.registry import Game

PLAYED_ON = {"automatic": "off"}  # for records of games that continued after their end by the rules

P = TypeVar("P", bound=AbstractPosition)


@dataclass(frozen=True)
class GameFormat(Generic[P]):
    """A file format for the games of one class, `P`."""

    suffix: str
    game: str  # the spec used for reading: lenient if players may be
    read: Callable[[Iterable[str], str], Iterator[Sheet]]
    write: Callable[[Sheet], str]
    # Tags of a starting position other than the usual one, and of every game written.
    start_tags: Callable[[P], dict[str, str]] = field(default=lambda position: {})
    game_tags: Callable[[P], dict[str, str]] = field(default=lambda position: {})
    # Raises BadInput if the tags are those of another game.
    check: Callable[[dict[str, str]], None] = field(default=lambda tags: None)
    respell: Callable[[str], str] = field(default=str)  # a move in an alternative spelling
    white_and_black: bool = True  # the players are white and black
    has_tags: bool = True  # for date and names; False: they are in a comment
    omittable: tuple[str, ...] = ()  # moves that may be omitted
    # The game, if the tags determine it; the moves omitted before a recorded win.
    spec: Callable[[Sheet, Callable[[str], "Game"]], str] | None = None
    concession: Callable[[P, Step, list[Step]], list[str]] | None = None
    lines: Callable[[Path], Iterable[str]] = text.lines
    location_unit: str = "line"  # of locations in the file
    # Prepare a sheet for replay from a position; add to a sheet what the writer needs of a start and a
    # record, or of a start alone.
    prepare: Callable[[Sheet, P], None] = field(default=lambda sheet, position: None)
    annotate: Callable[[Sheet, P, Record], None] = field(default=lambda sheet, start, record: None)
    annotate_start: Callable[[Sheet, P], None] = field(default=lambda sheet, start: None)
    # True if 1-0 is a win for the first player, by the tags.
    first_player_wins: Callable[[dict[str, str]], bool] = field(default=lambda tags: False)
    overrides_rules: bool = False  # the recorded result takes precedence over the rules
    # Payoffs of games scored in points, and the reason for the end, from the tags.
    payoffs: Callable[[dict[str, str], P], tuple[float, ...] | None] = field(
        default=lambda tags, position: None
    )
    reason: Callable[[dict[str, str]], str] = field(default=lambda tags: "")
    lenient_variations: bool = False  # variations may contain illegal moves
    fallback_options: tuple[dict[str, str], ...] = ()  # for games that violate today's rules

    def game_of(self, sheet: Sheet, find: Callable[[str], "Game"]) -> "Game":
        """The game of a sheet."""
        return find(self.spec(sheet, find) if self.spec is not None else self.game)


AnyFormat = GameFormat[Any]  # Any: each takes positions of its own game only

FORMATS: dict[str, AnyFormat] = {
    ".pgn": GameFormat(
        suffix=".pgn",
        game="chess:claims=off",
        read=pgn.read,
        write=lambda sheet: pgn.write(sheet, pgn_chess.move_number),
        start_tags=pgn_chess.start_tags,
        check=pgn_chess.check,
        respell=pgn_chess.in_english,
        fallback_options=(PLAYED_ON,),
    ),
    ".pdn": GameFormat(
        suffix=".pdn",
        game="checkers",
        read=pdn.read,
        write=pdn.write,
        start_tags=pdn.start_tags,
        check=pdn.check,
        game_tags=pdn.game_tags,
        respell=pdn.respell,
        spec=pdn.spec,
        prepare=pdn.prepare,
        fallback_options=(PLAYED_ON,),
        first_player_wins=lambda tags: "GameType" not in tags,
    ),
    ".txt": GameFormat(
        suffix=".txt",
        game="othello",
        read=transcript.read,
        write=transcript.write,
        start_tags=transcript.start_tags,
        has_tags=False,
        omittable=("pass",),
    ),
    ".ggf": GameFormat(
        suffix=".ggf",
        game="othello",
        read=ggf.read,
        write=ggf.write,
        check=ggf.check,
        omittable=("pass",),
        spec=lambda sheet, find: ggf.spec(sheet.tags),
        reason=ggf.reason,
        payoffs=ggf.payoffs,
    ),
    ".mat": GameFormat(
        suffix=".mat",
        game="backgammon",
        read=mat.read,
        write=mat.write,
        start_tags=mat.start_tags,
        omittable=("roll", "pass"),
        spec=mat.spec,
        annotate=mat.annotate,
        annotate_start=mat.note_points,
        concession=mat.concession,
    ),
    ".sgf": GameFormat(
        suffix=".sgf",
        game="go",
        read=sgf_reader.read,
        write=sgf_writer.write,
        start_tags=sgf.start_tags,
        game_tags=sgf.game_tags,
        spec=sgf.spec,
        lines=sgf_tree.lines,
        prepare=sgf.prepare,
        annotate=sgf.note_result,
        overrides_rules=True,
        lenient_variations=True,
        fallback_options=(PLAYED_ON, PLAYED_ON | {"ko": "simple", "suicide": "on"}),
        payoffs=sgf.payoffs,
        reason=sgf.reason,
    ),
    ".phh": GameFormat(
        suffix=".phh",
        game="holdem",
        read=phh.read,
        write=phh.write,
        game_tags=phh.game_tags,
        white_and_black=False,
        spec=lambda sheet, find: phh.spec(sheet),
        prepare=phh.prepare,
        annotate=lambda sheet, start, record: phh.annotate(sheet, start),
    ),
    ".pbn": GameFormat(
        suffix=".pbn",
        game="bridge",
        read=pbn.read,
        write=pbn.write,
        white_and_black=False,
        spec=lambda sheet, find: pbn.spec(sheet),
        prepare=pbn.prepare,
        annotate=lambda sheet, start, record: pbn.annotate(sheet, start),
        payoffs=pbn.payoffs,
    ),
    ".gcg": GameFormat(
        suffix=".gcg",
        game="scrabble",
        read=gcg.read,
        write=gcg.write,
        white_and_black=False,
        spec=lambda sheet, find: gcg.spec(sheet),
        prepare=gcg.prepare,
        annotate=lambda sheet, start, record: gcg.annotate(sheet, start),
        overrides_rules=True,
        payoffs=gcg.payoffs,
    ),
}
FORMATS[".phhs"] = FORMATS[".phh"]
FORMATS[".xg"] = replace(
    FORMATS[".mat"], read=xg.read, write=xg.write, lines=xg.lines, location_unit="record"
)
FORMATS[".ogxm"] = replace(
    FORMATS[".mat"], read=ogxm.read, write=ogxm.write, lines=ogxm.lines, location_unit="ply"
)


def format_of(path: Path | None) -> AnyFormat | None:
    """The format of a file's suffix; None if unknown."""
    return FORMATS.get(path.suffix.lower()) if path is not None else None
