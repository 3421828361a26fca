"""Games that other programs recorded, as ours, and ours as theirs: from PGN to GCG, and transcripts.

    .pgn   chess      tags and moves in SAN (`gameplay.store.formats.pgn`)
    .pdn   checkers   tags and moves in numbers of squares, `11-15 22x15`; read are also letters, `c3-d4`
    .txt   othello    a game a line, `f5d6c3d3c4`; passes may be left out
    .ggf   othello    games of the servers that speak the Generic Game Format (`gameplay.store.formats.ggf`)
    .mat   backgammon matches and single games (`gameplay.store.formats.mat`)
    .sgf   go         trees of moves (`gameplay.store.formats.sgf`)
    .phh   holdem     hands, one or several, then .phhs too (`gameplay.store.formats.phh`)
    .pbn   bridge     deals, auctions and plays (`gameplay.store.formats.pbn`)
    .gcg   scrabble   games of two to four (`gameplay.store.formats.gcg`)

A game's class names its format, `records = ".pgn"`. What an engine said stands behind its move as other
programs write it: `{+0.31/12 0.200s}` is the value for the mover in pawns, the depth, and the time; `+M5`
a win in 5 plies.

Who has won, `1-0`, is White in PGN. In PDN it is White too where a file names its GameType, as the standard
of 2009 asks; archives of English draughts from before it (CheckerBoard's) mean the side that moves first,
which is Black. Where the rules end a game, they decide; in SGF the result that is written, for players of Go
agree on which stones are dead.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from gameplay import __version__
from gameplay.capabilities import record_suffix
from gameplay.errors import BadInput, GameplayError, IllegalMove
from gameplay.knowledge.books import names
from gameplay.position import side
from gameplay.store.formats import gcg, ggf, mat, pbn, pgn, phh, sgf, text
from gameplay.store.formats.pgn import DRAWN, RESULTS, UNKNOWN, Line, Sheet, Step
from gameplay.store.lines import Kept, RunHeader
from gameplay.store.record import SCHEMA, Ply, Record, how_many
from gameplay.value import GUESS, MAX_PLY, WIN, is_counted, plies

PLAIN = ("", "standard", "chess", "normal", "fromposition")  # what the tag Variant says of plain chess
SHUFFLED = ("chess960", "fischerandom", "fischerrandom")
ENGLISH = "21,B,8,8,N1,0"  # the GameType of English draughts

# Why a game ended, in our words and in those of the tag Termination.
ENDS = {
    **{
        "rules": "normal",
        "counted": "normal",
        "resigned": "normal",
        "agreed": "normal",
        "claimed": "normal",
        "time": "time forfeit",
        "time_forfeit": "time forfeit",
    },
    **{"resign": "adjudication", "draw": "adjudication", "exact": "adjudication", "plies": "adjudication"},
    **{"illegal_move": "rules infraction", "protocol_error": "rules infraction"},
    **{"crash": "abandoned", "hang": "abandoned", "recorded": "normal"},
}
NULL_MOVES = ("--", "Z0", "@@@@")  # annotators let a side pass to show a threat
PLAYED_ON = {"automatic": "off"}  # the option of games that players went on with when they were over
RECORDED = "recorded"  # why a game ended of which only the result is known

_LONG = re.compile(r"(\S{50})\S{10,}")  # words of damaged files, for messages

_SAID = re.compile(
    r"([+-]?)(?:M(\d{1,5})|(\d{1,9}(?:\.\d{1,9})?))/(\d{1,9})(?: (\d{1,9}(?:\.\d{1,9})?)s)?$", re.ASCII
)


@dataclass(frozen=True)
class GameFormat:
    """A format of files: whose games it holds, how they are read and written."""

    suffix: str
    game: str  # as they are read: strict about nothing that players may let pass
    read: Callable[[Iterable[str], str], Iterator[Sheet]]
    write: Callable[[Sheet], str]
    tags: Callable[[Any], dict[str, str]] = field(default=lambda position: {})  # to begin from a position
    check: Callable[[dict[str, str]], None] = field(default=lambda tags: None)  # BadInput for another game
    terms: Callable[[Any], dict[str, str]] = field(default=lambda position: {})  # tags of every game written
    respell: Callable[[str], str] = field(default=str)  # another spelling of a move that real files use
    paired: bool = True  # it is played by white and black
    tagged: bool = True  # it has tags for date and names; else a saved game has them in a comment
    implied: tuple[str, ...] = ()  # moves that may be left out
    spec: Callable[[Sheet, Callable[[str], Any]], str] | None = None  # the game, where the tags decide that
    conceded: Callable[[Any, Step, list[Step]], list[str]] | None = (
        None  # what is omitted before a win that the file states
    )
    lines: Callable[[Path], Iterable[str]] = text.lines
    fit: Callable[[Sheet, Any], None] = field(default=lambda sheet, position: None)  # have it begin there
    annotate: Callable[[Sheet, Any, Record], None] = field(
        default=lambda sheet, start, record: None
    )  # the rest
    settle: Callable[[Sheet, Any], None] = field(
        default=lambda sheet, start: None
    )  # note what the writer needs in a sheet that was read
    first_wins: Callable[[dict[str, str]], bool] = field(default=lambda tags: False)  # 1-0 is who moves first
    agreed: bool = False  # a result that is written counts, although the rules say another
    margin: Callable[[dict[str, str], Any], tuple[float, ...] | None] = field(
        default=lambda tags, position: None
    )  # payoffs of games scored in points, if the tags state them
    reason: Callable[[dict[str, str]], str] = field(default=lambda tags: "")  # why it ended, if stated
    free: bool = False  # variations may hold illegal moves
    relaxed: tuple[dict[str, str], ...] = ()  # options that a game is read with if it broke today's rules

    def game_of(self, sheet: Sheet, find: Callable[[str], Any]) -> Any:
        """The game of a sheet."""
        return find(self.spec(sheet, find) if self.spec is not None else self.game)


# -- PGN ----------------------------------------------------------------------------------------


def _begins_chess(fen: str) -> tuple[int, int]:
    fields = [*fen.split(), "", "", "", "", "", ""]
    return int(fields[5]) if fields[5].isdecimal() and len(fields[5]) < 10 else 1, int(fields[1] == "b")


def _is_shuffled(fen: str) -> bool:
    """True if castling does not begin with the king on e and the rooks on a and h."""
    board, _, castling = fen.split()[:3]
    rows = board.split("/")
    for row, letters in ((rows[7], "KQ"), (rows[0], "kq")):
        squares = "".join("." * int(letter) if letter.isdecimal() else letter for letter in row)
        rook = "R" if letters == "KQ" else "r"
        for letter, corner in zip(letters, (7, 0), strict=True):
            if letter in castling and (squares[4], squares[corner]) != (letters[0], rook):
                return True
    return not set(castling) <= set("KQkq-")


_NATIVE = str.maketrans("DTLSFCA", "QRBNBNB")  # letters of pieces in German and Dutch, French and Spanish


def _in_english(word: str) -> str:
    """A move with the letters of pieces that English has; K and R are taken for its king and rook."""
    return word[:1].translate(_NATIVE) + word[1:-1] + word[-1:].translate(_NATIVE)


def _tags_chess(position: Any) -> dict[str, str]:
    fen = position.fen()
    variant = {"Variant": "Chess960"} if _is_shuffled(fen) else {}
    return variant | {"SetUp": "1", "FEN": fen}


def _check_chess(tags: dict[str, str]) -> None:
    variant = tags.get("Variant", "").lower().replace(" ", "")
    if variant not in (*PLAIN, *SHUFFLED):
        raise BadInput(f"the Variant '{tags['Variant']}' is not played here")


# -- PDN ----------------------------------------------------------------------------------------

COUNTED = RESULTS | {"2-0": "1-0", "0-2": "0-1", "1-1": DRAWN, "0-0": UNKNOWN}


_LETTERED = re.compile(r"[a-h][1-8](?:[-x:][a-h][1-8])+", re.IGNORECASE)
_LETTERED_SQUARE = re.compile("([a-h])([1-8])")


def _read_checkers(lines: Iterable[str], name: str) -> Iterator[Sheet]:
    for sheet in pgn.read(lines, name, COUNTED):
        _number(sheet)
        if fen := sheet.tags.get("FEN"):
            sheet.tags["FEN"] = _crowned(re.sub(r"\s", "", fen))
            if sheet.tags["FEN"].count("K") > fen.count("K"):
                sheet.warnings.append(f"line {sheet.at}: men on their last row are read as kings in {fen}")
        yield sheet


def _number(sheet: Sheet) -> None:
    """Replace squares in letters, `c3-d4`, by numbers, `11-15`.

    The side that moves first has a1 at its left, or White has: the GameType decides (A0, A3), else the first
    move, which starts in the lower half of the board or in the upper one.
    """
    notation = sheet.tags.get("GameType", "").split(",")[4:5]
    first = next((word for word in sheet.words if _LETTERED.fullmatch(word)), "a1")
    turned = notation == ["A3"] or (notation != ["A0"] and "FEN" not in sheet.tags and first[1] > "4")

    def number(square: re.Match[str]) -> str:
        column, row = ord(square[1]) - ord("a"), int(square[2]) - 1
        if (column + row) % 2:
            return square[0]  # a light square
        return str(29 - 4 * row + column // 2 if turned else 1 + 4 * row + (7 - column) // 2)

    if notation and notation[0].startswith("A") and sheet.tags["GameType"].startswith("21,"):
        sheet.tags["GameType"] = ENGLISH
    if fen := sheet.tags.get("FEN"):
        sheet.tags["FEN"] = _LETTERED_SQUARE.sub(number, fen)
    lines = [sheet.line]
    while lines:
        line = lines.pop()
        for step in line.steps:
            if _LETTERED.fullmatch(step.word):
                step.word = _LETTERED_SQUARE.sub(number, step.word.lower())
            lines += [note for note in step.notes if isinstance(note, Line)]


def _crowned(fen: str) -> str:
    """A FEN of draughts in which men on their last row are kings, as books of problems set them up."""
    fields = []
    for part in fen.split(":"):
        last = {"W": range(1, 5), "B": range(29, 33)}.get(part[:1], range(0))
        words = [
            f"K{word}" if word.isdecimal() and int(word) in last else word for word in part[1:].split(",")
        ]
        fields.append(part[:1] + ",".join(words))
    return ":".join(fields)


def _begins_checkers(fen: str) -> tuple[int, int]:
    return 1, int(fen.lstrip()[:1].upper() == "W")


def _tags_checkers(position: Any) -> dict[str, str]:
    return {"SetUp": "1", "FEN": position.fen()}


def _check_checkers(tags: dict[str, str]) -> None:
    kind = tags.get("GameType", ENGLISH)
    if kind.split(",")[0].strip() != "21":
        raise BadInput(f"GameType '{kind}' is not English draughts, which is 21")


def _sign(word: str) -> str:
    """Another spelling of a move: `10:14` takes; old files write 10x14 where nothing is taken, or 15-24."""
    if ":" in word:
        return word.replace(":", "x")
    return word.replace("-", "x") if "-" in word else word.replace("x", "-")


# -- transcripts --------------------------------------------------------------------------------

_SQUARE = re.compile(r"\s*([a-hA-H][1-8]|pass|--|@@)")


def _read_transcripts(lines: Iterable[str], name: str) -> Iterator[Sheet]:
    number = 0
    for at, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        number += 1
        sheet = Sheet(number=number)
        place = 0
        while found := _SQUARE.match(line, place):
            word = found[1].lower()
            sheet.line.steps.append(Step(word if word[0] in "abcdefghp" else "pass", at=at))
            place = found.end()
        if line[place:].strip():
            rest = line[place:].strip()[:20]
            sheet.problem = f"{name}, line {at}, game {number}: a game reads f5d6c3, not '{rest}'"
        yield sheet


def _write_transcript(sheet: Sheet) -> str:
    return "".join(word for word in sheet.words if word != "pass") + "\n"


def _tags_transcript(position: Any) -> dict[str, str]:
    raise BadInput(f"a transcript begins at the usual start of 8x8 squares, not at {position.text()}")


def _tags_match(position: Any) -> dict[str, str]:
    raise BadInput(f"a match begins with an opening roll, not at {position.text()}")


FORMS = {
    ".pgn": GameFormat(
        suffix=".pgn",
        game="chess:claims=off",
        read=pgn.read,
        write=lambda sheet: pgn.write(sheet, _begins_chess),
        tags=_tags_chess,
        check=_check_chess,
        respell=_in_english,
        relaxed=(PLAYED_ON,),
    ),
    ".pdn": GameFormat(
        suffix=".pdn",
        game="checkers",
        read=_read_checkers,
        write=lambda sheet: pgn.write(sheet, _begins_checkers),
        tags=_tags_checkers,
        check=_check_checkers,
        terms=lambda position: {"GameType": ENGLISH},
        respell=_sign,
        relaxed=(PLAYED_ON,),
        first_wins=lambda tags: "GameType" not in tags,
    ),
    ".txt": GameFormat(
        suffix=".txt",
        game="othello",
        read=_read_transcripts,
        write=_write_transcript,
        tags=_tags_transcript,
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
        tags=_tags_match,
        implied=("roll", "pass"),
        spec=lambda sheet, find: mat.spec(sheet.tags),
        annotate=lambda sheet, start, record: mat.note_points(sheet, start),
        settle=mat.note_points,
        conceded=mat.conceded,
    ),
    ".sgf": GameFormat(
        suffix=".sgf",
        game="go",
        read=sgf.read,
        write=sgf.write,
        tags=sgf.begins,
        terms=sgf.terms,
        spec=sgf.spec,
        lines=sgf.lines,
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


def form_of(path: Path | None) -> GameFormat | None:
    """The format that a file's suffix names."""
    return FORMS.get(path.suffix.lower()) if path is not None else None


# -- reading ------------------------------------------------------------------------------------


def read(path: Path, find: Callable[[str], Any]) -> Iterator[tuple[Sheet, Record | None]]:
    """The games of a file with their moves as the game writes them; None where a sheet has a `problem`.

    `find` gives the game of a spec (`registry.game`). Raises BadInput for what is no text, OSError.
    """
    form = FORMS[path.suffix.lower()]
    for sheet in form.read(form.lines(path), str(path)):
        yield sheet, _checked(sheet, form, form.game_of(sheet, find), str(path))


def openings(lines: Iterable[str], name: str, game: Any) -> Iterator[tuple[str, list[str], str]]:
    """How the games of a text begin: the start, the moves in the game's words, and where in the text it is.

    Raises BadInput for a game that is wrong.
    """
    form = FORMS[game.cls.records]
    for sheet in form.read(lines, name):
        record = _checked(sheet, form, game, name)
        if record is None:
            raise BadInput(sheet.problem)
        yield record.start, record.words, f"game {sheet.number}"


def pick(path: Path, number: int, find: Callable[[str], Any]) -> Record:
    """Game `number` of a file, from 1. Raises BadInput for what is wrong with it, or where it is missing."""
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
        f"{path} holds {how_many(count)}; there is no game {number}" if count else f"{path} holds no game"
    )


def _checked(sheet: Sheet, form: GameFormat, game: Any, name: str) -> Record | None:
    """The record of a sheet's game; None if there is a `problem`, which is then set in the sheet."""
    if not sheet.problem:
        try:
            return played(sheet, form, game)
        except _Wrong as wrong:
            sheet.problem = f"{name}, line {wrong.at}, game {sheet.number}: {wrong}"
        except GameplayError as error:
            line = f", line {sheet.at}" if sheet.at else ""
            sheet.problem = f"{name}{line}, game {sheet.number}: {error}"
    sheet.problem = name + _LONG.sub(r"\1...", sheet.problem.removeprefix(name))
    return None


class _Wrong(Exception):
    """A move that cannot be made, and the line of the file where it stands."""

    def __init__(self, at: int, message: str) -> None:
        super().__init__(" ".join(message.split()))
        self.at = at


def played(sheet: Sheet, form: GameFormat, game: Any) -> Record:
    """The record of a sheet's game, made by the rules. The sheet then has its moves in the game's words.

    Raises GameplayError for a start that is none.
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
            f"line {broken.at}: by today's rules {broken}; read as it was played, as {record.game}"
        )
        record.warnings = list(sheet.warnings)
        return record
    raise last


def _replayed(sheet: Sheet, form: GameFormat, game: Any) -> Record:
    """The record of a sheet's game by the rules of `game`. Raises _Wrong, GameplayError."""
    start = sheet.tags.get("FEN", "")
    position = game.new(start)
    if form.paired and set(position.sides) != {"white", "black"}:
        raise BadInput(f"{game.name} is not played by white and black")
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
            else f"'{step.word}' is no move of the game"
        )
        sheet.warnings.append(f"line {step.at}: {why}, which is read up to here")
    rules, written = position.outcome(), _payoffs(sheet, position, form, first)
    if form.agreed and written not in (None, rules):
        rules = None
    elif rules is not None and written not in (None, rules):
        how = f" ({position.ending()})" if position.ending() else ""
        sheet.warnings.append(
            f"the result is written {sheet.result}; by the rules{how} it is another, which counts"
        )
    payoffs = rules if rules is not None else written
    named = [sheet.tags[side.title()] for side in _sides(position)]
    return Record(
        schema=SCHEMA,
        game=game.spec,
        start=start,
        players=named,
        seed=0,
        moves=[_ply(step, step.mover, position.unit) for step in sheet.line.steps[:made]],
        result=list(payoffs) if payoffs is not None else None,
        reason="rules" if rules is not None else (form.reason(sheet.tags) or RECORDED) if payoffs else "",
        version=__version__,
        begun=_date(sheet.tags.get("Date", "")),
        warnings=list(sheet.warnings),
    )


def _sides(position: Any) -> list[str]:
    """What the players are called, one a seat."""
    return [side(position, player) for player in range(position.players)]


def _date(tag: str) -> str:
    """The day that the tag Date names in full, as 2026-11-22, or an empty string."""
    return tag.replace(".", "-") if re.fullmatch(r"\d{4}\.\d\d\.\d\d", tag, re.ASCII) else ""


def _play(line: Line, position: Any, form: GameFormat, warnings: list[str], main: bool = True) -> int:
    """Make the moves of a line; returns how many. Its variations are made and taken back.

    What follows a null move is kept as it is written; so is what follows an illegal one in a variation of a
    format that is `free`, with a warning.
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
            warnings.append(f"line {wrong.at}: a variation is kept as it is written: {wrong}")
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


def _move(step: Step, position: Any, form: GameFormat) -> int | None:
    """The move of a step; None where another one must be made before, which the file leaves out."""
    if position.outcome() is not None:
        how = position.ending()
        why = f" ({how})" if how else ""
        raise _Wrong(step.at, f"the game is over before '{_short(step.word)}'{why}")
    try:
        return int(position.parse(step.word))
    except IllegalMove as error:
        if form.conceded is not None and step.word == "pass" and form.implied[0] not in _legal(position):
            if len(position.moves()) == 1:
                return int(position.moves()[0])  # a forced turn that was not written
            raise _Wrong(step.at, "the turn is empty, and the roll can be played") from None
        other = form.respell(step.word)
        if other != step.word:
            with suppress(IllegalMove):
                return int(position.parse(other))
        if not set(form.implied).isdisjoint(_legal(position)):
            return None
        raise _Wrong(step.at, str(error)) from None


def _short(word: str) -> str:
    """A word of a file as an error shows it."""
    return word if len(word) <= 40 else word[:40] + "..."


def _legal(position: Any) -> list[str]:
    """The legal moves in words, where they are few."""
    moves = position.moves()
    return [position.format(move) for move in moves] if len(moves) <= 2 else []


def _payoffs(sheet: Sheet, position: Any, form: GameFormat, first: int) -> tuple[float, ...] | None:
    """What the result that is written down gives each seat; None if there is none."""
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


def _ply(step: Step, player: int, unit: int) -> Ply:
    """A move with what an engine said of it."""
    for comment in step.comments:
        if said := _SAID.match(comment.partition(", ")[0]):
            sign = -1 if said[1] == "-" else 1
            value = WIN - min(int(said[2]), MAX_PLY) if said[2] else min(GUESS, round(float(said[3]) * unit))
            seconds = float(said[5]) if said[5] else None
            return Ply(step.word, player, sign * value, int(said[4]), seconds=seconds)
    return Ply(step.word, player)


# -- writing ------------------------------------------------------------------------------------


def sheet_of(
    record: Record, game: Any, tags: dict[str, str], times: Sequence[float] = (), book: int = 0
) -> Sheet:
    """A record as a sheet of the format of its game. The first `book` moves were given.

    `times` are the seconds of each move, where the record does not have them. Raises BadInput where the
    format cannot hold it.
    """
    form = FORMS[game.cls.records]
    position = game.new(record.start)
    usual = game.new("") if form.spec is not None else game.cls()
    begun = {} if position.text() == usual.text() else form.tags(position)
    sides = _sides(position)
    called = {side.title(): name for side, name in zip(sides, record.called, strict=True)}
    extra = {**form.terms(position), **begun, "PlyCount": str(len(record.moves))}
    extra["Termination"] = "unterminated" if record.result is None else ENDS.get(record.reason, "normal")
    sheet = Sheet(tags=pgn.ROSTER | called | extra | tags)
    for number, ply in enumerate(record.moves):
        seconds = ply.seconds if ply.seconds is not None else times[number] if number < len(times) else None
        said = "book" if number < book else _said(ply, seconds, position.unit)
        sheet.line.steps.append(Step(ply.move, [said] if said else [], mover=ply.player))
    form.annotate(sheet, position, record)
    if record.reason == "agreed":
        notes = sheet.line.steps[-1].notes if sheet.line.steps else sheet.line.notes
        notes.append("Game drawn by agreement")
    if record.result is not None and form.paired:
        white, black = (record.result[sides.index(side)] for side in ("white", "black"))
        sheet.result = "1-0" if white > black else "0-1" if white < black else DRAWN
    return sheet


def _said(ply: Ply, seconds: float | None, unit: int) -> str:
    """What an engine said of its move, and how long it took."""
    took = f"{seconds:.3f}s" if seconds else ""
    return f"{said(ply.value, ply.depth, unit)} {took}".strip()


def said(value: float | None, depth: int | None, unit: int) -> str:
    """A value and its search depth in the notation of these files; "" if nothing was searched."""
    if value is None or not depth:
        return ""
    sign = "-" if value < 0 else "+"
    size = f"M{plies(value)}" if is_counted(value) else f"{abs(value) / unit:.2f}"
    return f"{sign}{size}/{depth}"


def encode(record: Record, game: Any) -> str:
    """A saved game in the format of its game, with the day it was begun if that was noted."""
    tags = {"Event": f"Game of {game.name}"}
    tags |= {"Date": record.date.replace("-", ".")} if record.date else {}
    tags |= {"TimeControl": record.clock} if record.clock else {}
    tags |= _opening(record, game)
    form = FORMS[game.cls.records]
    who = " - ".join(record.called)
    known = f", {tags['Opening']}" if "Opening" in tags else ""
    head = f"# {record.date} {who}{known}\n" if record.date and not form.tagged else ""
    return head + form.write(sheet_of(record, game, tags, [ply.spent or 0.0 for ply in record.moves]))


def _opening(record: Record, game: Any) -> dict[str, str]:
    """The tag Opening where the opening has a name, and ECO where it has a code."""
    if not names.named(game.cls):
        return {}
    position, moves = game.new(record.start), []
    for word in record.words[: names.DEEPEST]:
        moves.append(position.parse(word))
        position.make(moves[-1])
    found = names.opening(game.new(record.start), moves)
    if found is None:
        return {}
    return ({"ECO": found.code} if found.code else {}) | {"Opening": found.name}


def writer(game: Any, path: Path | None) -> Callable[[RunHeader, Kept], str] | None:
    """What writes a game of a run in the format that the file's suffix names, if that is the game's own."""
    suffix = path.suffix.lower() if path is not None else ""
    if suffix not in FORMS or record_suffix(game.cls) != FORMS[suffix].suffix:
        return None

    def write(header: RunHeader, kept: Kept) -> str:
        record = kept.read()
        if record is None:
            return ""
        job = msgspec.json.decode(kept.job)
        controls = [_control(seat) for seat in job["seats"]]
        tags = {
            "Event": header.title or header.id or "?",
            "Site": kept.host or "?",
            "Date": kept.finished[:10].replace("-", ".") or "????.??.??",
            "Round": f"{kept.pair + 1}.{kept.leg + 1}",
        }
        if len(set(controls)) == 1:
            tags["TimeControl"] = controls[0]
        else:
            sides = [side.title() for side in _sides(game.new())]
            tags |= {f"{side}TimeControl": words for side, words in zip(sides, controls, strict=True)}
        tags |= _opening(record, game)
        record.players = kept.names
        return FORMS[suffix].write(sheet_of(record, game, tags, kept.times, len(job.get("moves", ()))))

    return write


def _control(seat: dict[str, Any]) -> str:
    """A seat's clock, or its seconds a move; `-`: no time limits it."""
    return str(seat.get("clock") or (f"{seat['time']:g}/move" if seat.get("time") else "-"))
