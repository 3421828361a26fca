"""The messages between the judge and a guest: one struct per message, one JSON document per frame.

    +----------------+----------------------------+
    | length (4, BE) | JSON, at most MAX_FRAME_SIZE bytes |
    +----------------+----------------------------+

The judge sends `SetupRequest`, then `SearchRequest` and `StopRequest`. The guest replies to the first with a
`ProgressReply` once it is confined and a `ReadyReply` once the user's file is loaded; to a search with any
number of `ProgressReply` and one `AnswerReply`; or with a `RefusalReply` if it fails. Any other reply, or
one that violates the constraints of its struct, is a fault of the guest.
"""

import pickle
import struct
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from gameplay.search.limit import MAX_LIMIT, Limit

if TYPE_CHECKING:
    from gameplay.players.player import MatchView

MAX_FRAME_SIZE = 1 << 20  # bytes of a frame
HEADER = struct.Struct(">I")

Text = Annotated[str, Meta(max_length=4_000)]
Move = Annotated[int, Meta(ge=0, le=(1 << 62))]
Line = Annotated[tuple[Move, ...], Meta(max_length=1_000)]
Count = Annotated[int, Meta(ge=0, le=MAX_LIMIT)]
Number = Annotated[int, Meta(ge=-(10**15), le=10**15)] | Annotated[float, Meta(ge=-1e15, le=1e15)]
Name = Annotated[str, Meta(max_length=100, pattern=r"^[^\W\d]\w*$")]  # of Python
Bound = Literal["exact", "lower", "upper", "expectation", "unknown"]


# -- from the judge ---------------------------------------------------------------------------------


class Origin(Struct, frozen=True):
    """A position as data: moves made from a start; where they would reveal hidden state, a pickle."""

    game: str
    start: str = ""
    moves: tuple[int, ...] = ()
    state: bytes = b""  # pickled by the judge; empty: start and moves

    @classmethod
    def of_match(cls, view: "MatchView") -> "Origin":
        """The position that a match's view shows to its seat."""
        if view.seat is None or not view.secrets:
            return cls(view.game.spec, view.start, tuple(turn.move for turn in view.turns))
        return cls(view.game.spec, state=pickle.dumps(view.replica()))


class SetupRequest(Struct, frozen=True, tag="setup"):
    """The first message: the file to load, and the confinement."""

    file: str  # FILE.py or FILE.py:NAME
    games: tuple[str, ...] = ()  # loaded before the confinement
    confined: bool = False
    memory: int = 512  # megabytes beyond those of Python and gameplay
    cpu: int = 600  # seconds of processor time
    forbidden: tuple[str, ...] = ()  # modules that cannot be imported


class SearchRequest(Struct, frozen=True, tag="search"):
    """Search a position."""

    origin: Origin
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    simulations: int | None = None
    only: tuple[int, ...] = ()  # moves at the root
    multipv: int = 1
    options: dict[str, Any] = {}
    again: bool = False  # reuse the engine object of the previous search
    visits: bool = False  # report the visited lines
    withheld: bool = False  # without the game's static evaluation

    @property
    def limit(self) -> Limit:
        """The limit of the search."""
        return Limit(self.depth, self.nodes, self.seconds, self.only, self.multipv, self.simulations)


class StopRequest(Struct, frozen=True, tag="stop"):
    """Stop the current search."""


# -- from the guest ---------------------------------------------------------------------------------


class EngineOption(Struct, frozen=True):
    """An option of the engine: its name and default."""

    name: Name
    default: bool | Number | Text | None
    words: Text = ""


class ReadyReply(Struct, frozen=True, tag="ready", forbid_unknown_fields=True):
    """The file is loaded: the properties of its engine."""

    name: Text
    thing: Name  # the class or function in the file
    where: Text
    words: Text  # its docstring
    least: Annotated[int, Meta(ge=1, le=1_000)]  # players
    most: Annotated[int, Meta(ge=1, le=1_000)]
    chance: bool
    hidden: bool
    general_sum: bool
    thinks: bool
    respects_limits: bool
    samples: bool
    own: bool  # a user class or function, not built from `gameplay.search`
    multipv: bool
    priority: Annotated[int, Meta(ge=0, le=1_000)]
    options: Annotated[tuple[EngineOption, ...], Meta(max_length=100)] = ()
    layers: Annotated[tuple[Text, ...], Meta(max_length=20)] = ()  # of the confinement


class CandidateData(Struct, frozen=True, forbid_unknown_fields=True):
    """A candidate move."""

    move: Move
    value: Number
    bound: Bound
    pv: Line = ()
    visits: Count = 0


class ReportData(Struct, frozen=True, forbid_unknown_fields=True):
    """A report of the engine; see `search.report.Report`."""

    move: Move
    value: Number | None = None
    bound: Bound = "unknown"
    values: Annotated[tuple[Number, ...], Meta(max_length=100)] = ()
    pv: Line = ()
    exact: bool = False
    candidates: Annotated[tuple[CandidateData, ...], Meta(max_length=1_000)] = ()
    depth: Count = 0
    seldepth: Count = 0
    ahead: Count = 0
    tried: Count = 0
    choices: Count = 0
    visits: Count = 0
    nodes: Count = 0
    probes: Count = 0
    hits: Count = 0
    cutoffs: Count = 0
    first_cutoffs: Count = 0
    fill: Number = 0
    branching: Number = 0


class ProgressReply(Struct, frozen=True, tag="progress", forbid_unknown_fields=True):
    """The latest report of a search, and the line of user code being executed."""

    report: ReportData | None = None
    place: Text = ""


class AnswerReply(Struct, frozen=True, tag="answer", forbid_unknown_fields=True):
    """The result of a search."""

    report: ReportData
    made: Count = 0  # moves made on the position by the engine
    pv_error: Text = ""  # why the returned line was truncated
    disturbed: Text = ""  # how the position differs if it was not restored
    leaves_threads: bool = False  # threads of the engine still run
    lines: Annotated[tuple[Line, ...], Meta(max_length=5_000)] = ()  # to the positions visited, on request


class RefusalReply(Struct, frozen=True, tag="refusal", forbid_unknown_fields=True):
    """A request failed."""

    kind: Literal["usage", "bad input", "fault", "engine", "memory"]
    words: Text
    fault: Literal["", "crash", "hang", "illegal_move", "protocol_error"] = ""


Request = SetupRequest | SearchRequest | StopRequest
Reply = ReadyReply | ProgressReply | AnswerReply | RefusalReply

_requests = msgspec.json.Decoder(Request)
_replies = msgspec.json.Decoder(Reply)


def frame(message: Request | Reply) -> bytes:
    """A message with its length. Raises ValueError for one that is too large."""
    body = msgspec.json.encode(message)
    if len(body) > MAX_FRAME_SIZE:
        raise ValueError(f"a message of {len(body):,} bytes exceeds the limit of {MAX_FRAME_SIZE:,}")
    return HEADER.pack(len(body)) + body


def request(body: bytes) -> Request:
    """A message of the judge."""
    message: Request = _requests.decode(body)
    return message


def reply(body: bytes) -> Reply:
    """A message of a guest. Raises ValueError for one that is malformed."""
    try:
        message: Reply = _replies.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(str(error)) from None
    return message
