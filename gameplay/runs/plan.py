"""The plan of a match or a tournament, as given by a TOML file or a command line.

    game = "connect4" form = "match"                    # match, round-robin, gauntlet, knockout, swiss games
    = 400                       # of each pairing; the two games of a pair have one opening, seats exchanged
    seed = 1 nodes = 3000                      # depth, nodes, sims, time (s a move): default of players
    without a limit books = false                     # without opening books, except those of external
    programs clock = "10+0.1"                  # instead of a limit per move; see `gameplay.matches.clock`

    [[players]]                       # two or more; results are shown for the first
    name = "new"
    player = "iterative:order=killer" # an engine with options, level:5, ugi:COMMAND, ...

    [openings]                        # plies (random) or file, order, start; balance excludes unbalanced ones
    [adjudicate.resign]               # resign, draw, syzygy; in [adjudicate]: plies, exact
    [sprt]                            # stop as soon as a hypothesis is accepted

A plan is plain data that can be written as JSON and read again. It excludes settings of the machine, such as
the number of concurrent games.
"""

import os
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Literal

from msgspec import DecodeError, Meta, Struct, json, structs

from gameplay import __version__, evaluation, file_io, specs
from gameplay.errors import BadInput, Usage
from gameplay.search.limit import Limit

Form = Literal["match", "round-robin", "gauntlet", "knockout", "swiss"]
Model = Literal["normalized", "logistic", "trinomial"]
Order = Literal["random", "sequential"]
Decided = Literal["all", "wins", "draws"]

Count = Annotated[int, Meta(ge=1, le=2**62)]
Natural = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(gt=0, le=1_000_000)]
Error = Annotated[float, Meta(gt=0, lt=1)]
Value = Annotated[int, Meta(gt=0)] | Annotated[float, Meta(gt=0)]
Level = Natural | Annotated[float, Meta(ge=0)]
Elo = Annotated[float, Meta(ge=-1000, le=1000)]

GAMES = 100
NODES = 3_000  # per move, without a limit or a clock


class Entrant(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A player of the plan. Its default name is its spec."""

    player: Annotated[str, Meta(description="A player: an engine with options, level:5, ugi:COMMAND, ...")]
    name: Annotated[str, Meta(description="What results call the player [its spec]")] = ""
    depth: Annotated[
        Annotated[int, Meta(ge=1, le=255)] | None, Meta(description="Search depth limit in plies, a move")
    ] = None
    nodes: Annotated[Count | None, Meta(description="Node limit, a move")] = None
    sims: Annotated[Count | None, Meta(description="Limit of simulations, a move")] = None
    time: Annotated[Seconds | None, Meta(description="Time limit of a move, in seconds")] = None
    clock: Annotated[str, Meta(description="Clock of this player [the plan's]")] = ""

    @property
    def limit(self) -> Limit | None:
        """The entry's limit of a move; None without one."""
        return Limit(self.depth, self.nodes, self.time, simulations=self.sims) or None


class Openings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The openings of a run. Without `plies` and `file`: the fewest random plies that suffice; none with
    dice.

    With both, `plies` truncates the moves of the lines and games in the file.

    `balance` names an engine; openings that it values outside -`bound` to `bound` are left out. `reuse`
    repeats openings if there are too few; Elo is not reported then.

    Openings of a file are played in random order by the seed, or in the order of the file (sequential);
    `start` is the number of the first one in that order, from 1.
    """

    plies: Annotated[Natural | None, Meta(description="Random plies, or moves of the file's lines")] = None
    file: Annotated[str | None, Meta(description="Lines, positions or games to begin with")] = None
    order: Annotated[Order, Meta(description="Order of the file's openings: random, sequential")] = "random"
    start: Annotated[Count, Meta(description="Number of the file's first opening, in that order")] = 1
    reuse: Annotated[bool, Meta(description="Play openings again when there are too few; no Elo then")] = (
        False
    )
    balance: Annotated[
        str | None, Meta(description="An engine that values openings: unbalanced ones are left out")
    ] = None
    bound: Annotated[Natural, Meta(description="The largest value by it, either side, that is balanced")] = 0


class Resign(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A side has lost when its value was `-value` or worse in its last `moves` moves.

    A fraction is in points, or a share of a win in games without points; see `runs.adjudication`.

    With `both`, the opponent's value must have been `value` or better in its last `moves` moves.
    """

    value: Annotated[
        Value,
        Meta(
            description="How far below level the losing side is: a whole number is a value, a "
            "fraction points, or a share of a win"
        ),
    ]
    moves: Annotated[Count, Meta(description="In so many of its last moves in a row")] = 3
    both: Annotated[bool, Meta(description="The other side must have seen it as well")] = True


class Draw(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A draw when each side's last `moves` values were within `value` of 0, from ply `after` on."""

    value: Annotated[
        Level, Meta(description="How far from level the values of both sides may be, as in `resign`")
    ]
    moves: Annotated[Count, Meta(description="In each side's last so many moves")] = 8
    after: Annotated[Natural, Meta(description="From this ply on")] = 0


class TableRule(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Directly after a capture or pawn move, a chess position has the result given by Syzygy tables.

    With `fifty`, wins that the fifty-move rule prevents are draws.
    """

    folder: Annotated[str, Meta(description="Folder of Syzygy tables; several are joined by :")]
    pieces: Annotated[Count | None, Meta(description="Of at most so many pieces [all tables]")] = None
    fifty: Annotated[bool, Meta(description="The fifty-move rule counts")] = True
    results: Annotated[Decided, Meta(description="Which results end games: all, wins, draws")] = "all"

    def with_absolute_paths(self, folder: Path) -> "TableRule":
        """The same tables with absolute paths; relative ones are resolved from `folder`."""
        absolute = [str((folder / part).resolve()) for part in self.folder.split(os.pathsep)]
        return structs.replace(self, folder=os.pathsep.join(absolute))


class Adjudication(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Criteria that end a game early. `plies` draws a game of that length; `exact` names a solver."""

    resign: Annotated[Resign | None, Meta(description="When a side has lost")] = None
    draw: Annotated[Draw | None, Meta(description="When the game is drawn")] = None
    plies: Annotated[Count | None, Meta(description="Draw a game of this length")] = None
    exact: Annotated[str | None, Meta(description="An engine whose proven values end games")] = None
    syzygy: Annotated[TableRule | None, Meta(description="Endgame tables whose results end games")] = None


class Sprt(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A sequential probability ratio test: the first player is `elo1` (H1) or `elo0` (H0) Elo better."""

    elo0: Annotated[Elo, Meta(description="H0: the first player is this many Elo better")]
    elo1: Annotated[Elo, Meta(description="H1: it is this many better")]
    alpha: Annotated[Error, Meta(description="Probability of accepting H1 if H0 is true")] = 0.05
    beta: Annotated[Error, Meta(description="Probability of accepting H0 if H1 is true")] = 0.05
    model: Annotated[
        Model, Meta(description="What Elo means: normalized by the variance, or of the score")
    ] = "normalized"


class Plan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A match or a tournament."""

    game: Annotated[str, Meta(description="A game with its parameters: connect4:columns=8")]
    players: Annotated[
        list[Entrant], Meta(min_length=2, description="Two or more; the results shown are those of the first")
    ]
    form: Annotated[Form, Meta(description="How players are paired")] = "match"
    games: Annotated[int, Meta(ge=2, description="Games of each pairing; the most with sprt")] = GAMES
    rounds: Annotated[int, Meta(ge=1, description="Rounds of swiss [enough to find one winner]")] | None = (
        None
    )
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1, description="Seed of everything that is random")] = 1
    depth: Annotated[int, Meta(ge=1, le=255, description="Search depth limit in plies, a move")] | None = None
    nodes: (
        Annotated[int, Meta(ge=1, le=2**62, description="Node limit, a move [3000 if nothing else limits]")]
        | None
    ) = None
    sims: Annotated[int, Meta(ge=1, le=10**15, description="Limit of simulations, a move")] | None = None
    time: (
        Annotated[float, Meta(gt=0, le=1_000_000, description="Time limit of a move, in seconds")] | None
    ) = None
    clock: Annotated[
        str, Meta(description="Clock of a game: 60+0.6, 40/60, 5/move, 60+2delay, 5m+30byoyomi")
    ] = ""
    openings: Annotated[Openings, Meta(description="Where games begin")] = Openings()
    adjudicate: Annotated[Adjudication, Meta(description="What ends games early")] = Adjudication()
    sprt: Annotated[Sprt | None, Meta(description="Stop as soon as the result is significant")] = None
    margin: Annotated[
        float, Meta(ge=0, le=1_000_000, description="Seconds that a clock may be overstepped")
    ] = 0.05
    patience: Annotated[
        float, Meta(gt=0, le=1_000_000, description="Time limit of a move where no clock runs, in seconds")
    ] = 60.0
    faults: Annotated[int, Meta(ge=1, description="Faults of one player that end the run")] = 3
    strict: Annotated[bool, Meta(description="A wrong claim of the result ends the run")] = False
    books: Annotated[bool, Meta(description="Players of this program may use their opening books")] = True
    title: Annotated[str, Meta(description="What reports call the run")] = ""

    def __post_init__(self) -> None:
        names = number_duplicates([entry.name or entry.player for entry in self.players])
        named = [structs.replace(entry, name=name) for entry, name in zip(self.players, names, strict=True)]
        structs.force_setattr(self, "players", named)

    def limit(self, entry: Entrant) -> Limit | None:
        """The move limit of a player in addition to its spec: the entry's, else the plan's.

        None if only the spec or a clock limits it. Without any limit or clock a move has `NODES` nodes.
        """
        common = Limit(self.depth, self.nodes, self.time, simulations=self.sims)
        if entry.limit is not None or common:
            return entry.limit or common
        return None if self.clock_of(entry) or is_limited(entry.player) else Limit(nodes=NODES)

    def clock_of(self, entry: Entrant) -> str:
        """The clock of this player, as written; "" without one."""
        return entry.clock or self.clock

    @property
    def engines(self) -> list[str]:
        """The specs of all players, and of the engines that balance openings and adjudicate."""
        others = [self.openings.balance, self.adjudicate.exact]
        return [*(entry.player for entry in self.players), *filter(None, others)]

    def facts(self) -> dict[str, str]:
        """Everything that determines the games, formatted by name: a run resumes only with equal facts.

        Files are represented by a hash of their contents.
        """
        from gameplay import registry

        facts = {"version": __version__, "game": registry.game(self.game).spec}
        for key in (
            "form",
            "games",
            "rounds",
            "seed",
            "margin",
            "patience",
            "openings",
            "adjudicate",
            "sprt",
        ):
            facts[key] = json.encode(getattr(self, key), order="sorted", enc_hook=str).decode()
        head = self.game.partition(":")[0]
        if head.endswith((".py", ".toml")):
            facts["the game's file"] = _hash_content(Path(head))
        if self.openings.file:
            facts["the openings' file"] = _hash_content(Path(self.openings.file))
        for use, engine in (("balance", self.openings.balance), ("exact", self.adjudicate.exact)):
            for path in _files(engine) if engine else ():
                facts[f"the file {path} of {use}"] = _hash_content(path)
        for number, entry in enumerate(self.players, 1):
            fact = f"{entry.name} = {entry.player}, {self.limit(entry) or 'no limit'}"
            clock = self.clock_of(entry)
            facts[f"player {number}"] = fact + (f", clock {clock}" if clock else "")
            for path in _files(entry.player):
                facts[f"player {number}'s file {path}"] = _hash_content(path)
        return facts

    def identity(self) -> str:
        """A hash of `facts`, 32 hex digits."""
        return blake2b(json.encode(self.facts(), order="sorted"), digest_size=16).hexdigest()

    def encode(self) -> bytes:
        """One line of JSON that `decode` reads."""
        return json.encode(self, enc_hook=str)


def decode(text: bytes) -> Plan:
    """The plan in a line of JSON written by `Plan.encode`. Raises BadInput if it is damaged.

    The plan may be imported: specs in it that name code are marked as untrusted, see `store.trust`.
    """
    from gameplay.store import trust

    try:
        plan = json.decode(text, type=Plan)
    except (DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"this version cannot read the plan of this run: {error}") from None
    marked = {
        "players": [structs.replace(entry, player=trust.mark_player(entry.player)) for entry in plan.players],
        "openings": structs.replace(plan.openings, balance=_mark(plan.openings.balance)),
        "adjudicate": structs.replace(plan.adjudicate, exact=_mark(plan.adjudicate.exact)),
    }
    return structs.replace(plan, game=trust.mark_game(plan.game), **marked)


def _mark(spec: str | None) -> str | None:
    from gameplay.store import trust

    return None if spec is None else trust.mark_player(spec)


def differences(old: dict[str, str], new: dict[str, str]) -> list[str]:
    """The differences between the facts of two plans, one line each."""
    keys = list(dict.fromkeys([*old, *new]))
    return [
        f"{key}: {old.get(key, 'none')} before, {new.get(key, 'none')} now"
        for key in keys
        if old.get(key) != new.get(key)
    ]


def is_limited(spec: str) -> bool:
    """True if a player's spec itself limits its moves."""
    from gameplay.players import seats

    return bool(seats.limit_of(spec))


def resolve_paths(plan: Plan, folder: Path) -> Plan:
    """The plan with file paths made absolute from `folder`, and with books removed if `books` is false.

    External programs are looked up on the PATH.
    """
    from gameplay.players import seats

    def resolve_spec(text: str) -> str:
        try:
            spec = specs.parse(text)
            resolved = (spec if plan.books else specs.parse(seats.without_book(text))).absolute(folder)
        except Usage:
            return text  # reported by `problems`
        return text if resolved == spec else str(resolved)

    def resolve_entry(entry: Entrant) -> Entrant:
        player = resolve_spec(entry.player)
        same = entry.name == entry.player and not plan.books
        return structs.replace(entry, player=player, name=player if same else entry.name)

    players = [resolve_entry(entry) for entry in plan.players]
    openings, adjudicate = plan.openings, plan.adjudicate
    if openings.file is not None:
        openings = structs.replace(openings, file=str((folder / openings.file).resolve()))
    if openings.balance is not None:
        openings = structs.replace(openings, balance=resolve_spec(openings.balance))
    if adjudicate.exact is not None:
        adjudicate = structs.replace(adjudicate, exact=resolve_spec(adjudicate.exact))
    if adjudicate.syzygy is not None:
        adjudicate = structs.replace(adjudicate, syzygy=adjudicate.syzygy.with_absolute_paths(folder))
    game = specs.absolute(plan.game, folder)
    return structs.replace(plan, game=game, players=players, openings=openings, adjudicate=adjudicate)


def number_duplicates(names: Sequence[str]) -> list[str]:
    """The names, with numbers appended to duplicates: a, b, a (2)."""
    numbered: list[str] = []
    for name in names:
        number, candidate = 2, name
        while candidate in numbered:
            candidate = f"{name} ({number})"
            number += 1
        numbered.append(candidate)
    return numbered


def _files(spec: str) -> list[Path]:
    """The files of a player's spec: TOML, book, evaluation, moves, or the program that it starts."""
    parsed = specs.parse(spec)
    if isinstance(parsed, specs.EngineSpec):
        from gameplay import registry

        engine, _ = registry.engine(str(parsed.with_knowledge({})))
        return [*map(Path, parsed.files), *evaluation.files_of(engine.eval)]
    if not isinstance(parsed, specs.ProgramSpec):
        return [Path(path) for path in parsed.files]
    from gameplay.players import process

    name, *arguments = parsed.command
    program = process.find_program(name)
    return [Path(path) for path in [*([program] if program else []), *filter(os.path.isfile, arguments)]]


def _hash_content(path: Path) -> str:
    try:
        return blake2b(file_io.content(path), digest_size=16).hexdigest()
    except OSError as error:
        return f"unreadable: {error.strerror}"
