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

PLAYED_ON = {"automatic": "off"}  # the option of games that were continued after their end


P = TypeVar("P", bound=AbstractPosition)


@dataclass(frozen=True)
class GameFormat(Generic[P]):
    """A file format for the games of one class, `P`."""

    suffix: str
    game: str  # the spec used for reading: lenient where players may be
    read: Callable[[Iterable[str], str], Iterator[Sheet]]
    write: Callable[[Sheet], str]
    tags: Callable[[P], dict[str, str]] = field(default=lambda position: {})  # the starting position
    check: Callable[[dict[str, str]], None] = field(default=lambda tags: None)  # BadInput if of another game
    terms: Callable[[P], dict[str, str]] = field(default=lambda position: {})  # tags of every game written
    respell: Callable[[str], str] = field(default=str)  # a move in an alternative spelling
    paired: bool = True  # played by white and black
    tagged: bool = True  # has tags for date and names; otherwise they are in a comment
    implied: tuple[str, ...] = ()  # moves that may be omitted
    # The game, if the tags determine it; the moves omitted before a recorded win.
    spec: Callable[[Sheet, Callable[[str], "Game"]], str] | None = None
    conceded: Callable[[P, Step, list[Step]], list[str]] | None = None
    lines: Callable[[Path], Iterable[str]] = text.lines
    place: str = "line"  # the unit of locations in the file
    # Prepare a sheet for replay from a position; add to a sheet what the writer needs of a start and a
    # record, or of a start alone.
    fit: Callable[[Sheet, P], None] = field(default=lambda sheet, position: None)
    annotate: Callable[[Sheet, P, Record], None] = field(default=lambda sheet, start, record: None)
    settle: Callable[[Sheet, P], None] = field(default=lambda sheet, start: None)
    first_wins: Callable[[dict[str, str]], bool] = field(default=lambda tags: False)  # 1-0: first player
    agreed: bool = False  # the recorded result overrides the rules
    # Payoffs of games scored in points, from the tags.
    margin: Callable[[dict[str, str], P], tuple[float, ...] | None] = field(
        default=lambda tags, position: None
    )
    reason: Callable[[dict[str, str]], str] = field(
        default=lambda tags: ""
    )  # the recorded reason for the end
    free: bool = False  # variations may hold illegal moves
    relaxed: tuple[dict[str, str], ...] = ()  # options tried for games that break today's rules

    def game_of(self, sheet: Sheet, find: Callable[[str], "Game"]) -> "Game":
        """The game of a sheet."""
        return find(self.spec(sheet, find) if self.spec is not None else self.game)


AnyFormat = GameFormat[Any]  # Any: each takes positions of its own game only

FORMS: dict[str, AnyFormat] = {
    ".pgn": GameFormat(
        suffix=".pgn",
        game="chess:claims=off",
        read=pgn.read,
        write=lambda sheet: pgn.write(sheet, pgn_chess.begins),
        tags=pgn_chess.tags,
        check=pgn_chess.check,
        respell=pgn_chess.in_english,
        relaxed=(PLAYED_ON,),
    ),
    ".pdn": GameFormat(
        suffix=".pdn",
        game="checkers",
        read=pdn.read,
        write=pdn.write,
        tags=pdn.tags,
        check=pdn.check,
        terms=pdn.terms,
        respell=pdn.respell,
        spec=pdn.spec,
        fit=pdn.fit,
        relaxed=(PLAYED_ON,),
        first_wins=lambda tags: "GameType" not in tags,
    ),
    ".txt": GameFormat(
        suffix=".txt",
        game="othello",
        read=transcript.read,
        write=transcript.write,
        tags=transcript.tags,
        tagged=False,
        implied=("pass",),
    ),
    ".ggf": GameFormat(
        suffix=".ggf",
        game="othello",
        read=ggf.read,
        write=ggf.write,
        check=ggf.check,
        implied=("pass",),
        spec=lambda sheet, find: ggf.spec(sheet.tags),
        reason=ggf.reason,
        margin=ggf.margin,
    ),
    ".mat": GameFormat(
        suffix=".mat",
        game="backgammon",
        read=mat.read,
        write=mat.write,
        tags=mat.begins,
        implied=("roll", "pass"),
        spec=mat.spec,
        annotate=mat.annotate,
        settle=mat.note_points,
        conceded=mat.conceded,
    ),
    ".sgf": GameFormat(
        suffix=".sgf",
        game="go",
        read=sgf_reader.read,
        write=sgf_writer.write,
        tags=sgf.begins,
        terms=sgf.terms,
        spec=sgf.spec,
        lines=sgf_tree.lines,
        fit=sgf.fit,
        annotate=sgf.note_result,
        agreed=True,
        free=True,
        relaxed=(PLAYED_ON, PLAYED_ON | {"ko": "simple", "suicide": "on"}),
        margin=sgf.margin,
        reason=sgf.reason,
    ),
    ".phh": GameFormat(
        suffix=".phh",
        game="holdem",
        read=phh.read,
        write=phh.write,
        terms=phh.terms,
        paired=False,
        spec=lambda sheet, find: phh.spec(sheet),
        fit=phh.fit,
        annotate=lambda sheet, start, record: phh.annotate(sheet, start),
    ),
    ".pbn": GameFormat(
        suffix=".pbn",
        game="bridge",
        read=pbn.read,
        write=pbn.write,
        paired=False,
        spec=lambda sheet, find: pbn.spec(sheet),
        fit=pbn.fit,
        annotate=lambda sheet, start, record: pbn.annotate(sheet, start),
        margin=pbn.margin,
    ),
    ".gcg": GameFormat(
        suffix=".gcg",
        game="scrabble",
        read=gcg.read,
        write=gcg.write,
        paired=False,
        spec=lambda sheet, find: gcg.spec(sheet),
        fit=gcg.fit,
        annotate=lambda sheet, start, record: gcg.annotate(sheet, start),
        agreed=True,
        margin=gcg.margin,
    ),
}
FORMS[".phhs"] = FORMS[".phh"]
FORMS[".xg"] = replace(FORMS[".mat"], read=xg.read, write=xg.write, lines=xg.lines, place="record")
FORMS[".ogxm"] = replace(FORMS[".mat"], read=ogxm.read, write=ogxm.write, lines=ogxm.lines, place="ply")


def form_of(path: Path | None) -> AnyFormat | None:
    """The format of a file's suffix; None if unknown."""
    return FORMS.get(path.suffix.lower()) if path is not None else None
