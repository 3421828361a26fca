"""The formats of recorded games: whose games each holds, how it is read and written.

    .pgn   chess      tags and moves in SAN (`gameplay.store.formats.pgn`)
    .pdn   checkers   tags and moves in numbers of squares, `11-15 22x15`; read are also letters, `c3-d4`;
           draughts   the tag GameType says which game it is (`gameplay.store.formats.pdn`)
    .txt   othello    a game a line, `f5d6c3d3c4`; passes may be left out
    .ggf   othello    games of the servers that speak the Generic Game Format (`gameplay.store.formats.ggf`)
    .mat   backgammon matches and single games (`gameplay.store.formats.mat`)
    .xg    backgammon matches of eXtreme Gammon, which are only read (`gameplay.store.formats.xg`)
    .ogxm  backgammon matches in OGXM, which are only read (`gameplay.store.formats.ogxm`)
    .sgf   go         trees of moves (`gameplay.store.formats.sgf`)
    .phh   holdem     hands, one or several, then .phhs too (`gameplay.store.formats.phh`)
    .pbn   bridge     deals, auctions and plays (`gameplay.store.formats.pbn`)
    .gcg   scrabble   games of two to four (`gameplay.store.formats.gcg`)

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

PLAYED_ON = {"automatic": "off"}  # the option of games that players went on with when they were over


P = TypeVar("P", bound=AbstractPosition)


@dataclass(frozen=True)
class GameFormat(Generic[P]):
    """A format of files for games of one class, `P`: how they are read and written."""

    suffix: str
    game: str  # as they are read: strict about nothing that players may let pass
    read: Callable[[Iterable[str], str], Iterator[Sheet]]
    write: Callable[[Sheet], str]
    tags: Callable[[P], dict[str, str]] = field(default=lambda position: {})  # to begin from a position
    check: Callable[[dict[str, str]], None] = field(default=lambda tags: None)  # BadInput for another game
    terms: Callable[[P], dict[str, str]] = field(default=lambda position: {})  # tags of every game written
    respell: Callable[[str], str] = field(default=str)  # another spelling of a move that real files use
    paired: bool = True  # it is played by white and black
    tagged: bool = True  # it has tags for date and names; else a saved game has them in a comment
    implied: tuple[str, ...] = ()  # moves that may be left out
    # The game, where the tags decide that; what is omitted before a win that the file states.
    spec: Callable[[Sheet, Callable[[str], "Game"]], str] | None = None
    conceded: Callable[[P, Step, list[Step]], list[str]] | None = None
    lines: Callable[[Path], Iterable[str]] = text.lines
    place: str = "line"  # what the numbers of places in the file count
    # Prepare a sheet that was read to be played from a position; note in a sheet what the writer needs of a
    # start and a record, or of a start alone.
    fit: Callable[[Sheet, P], None] = field(default=lambda sheet, position: None)
    annotate: Callable[[Sheet, P, Record], None] = field(default=lambda sheet, start, record: None)
    settle: Callable[[Sheet, P], None] = field(default=lambda sheet, start: None)
    first_wins: Callable[[dict[str, str]], bool] = field(default=lambda tags: False)  # 1-0 is who moves first
    agreed: bool = False  # a result that is written counts, although the rules say another
    # Payoffs of games scored in points, if the tags state them.
    margin: Callable[[dict[str, str], P], tuple[float, ...] | None] = field(
        default=lambda tags, position: None
    )
    reason: Callable[[dict[str, str]], str] = field(default=lambda tags: "")  # why it ended, if stated
    free: bool = False  # variations may hold illegal moves
    relaxed: tuple[dict[str, str], ...] = ()  # options that a game is read with if it broke today's rules

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
    """The format that a file's suffix names."""
    return FORMS.get(path.suffix.lower()) if path is not None else None
