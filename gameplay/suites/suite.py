"""The format of regression suites: expectations of engines in a TOML file.

    title = "Connect Four"            # top-level keys are defaults for all tests
    game = "connect4"
    engine = "iterative"              # any player of `gameplay engines`, or ugi:COMMAND
    depth = 12                        # depth, nodes, sims, time (s); a test with a limit has no other

    [[position]]                      # one search
    name = "a win in three"
    position = "444333"               # in the game's notation; default: the standard start
    moves = ["5"]                     # from there
    source = "origin of the answer"
    expect = { move = "2", value = "win in 3" }
        # move; moves, one of these; not_moves, none of these; pv, how the expected line begins
        # value: a number, "win", "loss", "win in 3", "loss in 2", "draw", a mean as a fraction, "7/3";
        # value_at_least, value_at_most
        # points, the value in the points of a game that counts them
        # nodes, exactly; nodes_at_most

    [[match]]                         # games in pairs; expectations are of the first player
    name = "move ordering"
    players = ["iterative", "iterative:order=generated"]
    games = 20                        # openings, adjudicate, sprt, seed, clock: as in a plan
    nodes = 1000
    expect = { score = 0.5 }          # at least, 0 to 1; sprt, "H1" or "H0"; faults, at most [0]

    [[speed]]                         # both search the same positions: what the first needs of the second
    name = "a narrow window"
    players = ["iterative", "iterative:pvs=off"]
    positions = ["", "4455343"]
    depth = 8
    expect = { nodes = 1.0 }          # share of the nodes, at most; time the same, and depends on the machine

    [[signature]]                     # the sum of nodes of `gameplay signature`
    name = "the search is as it was"
    nodes = 744365

Every test may have `expected_failure = "why"`: its failure is not a regression, and its success is reported.
File names are relative to the suite's folder.
"""

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct, ValidationError, convert, field, structs

from gameplay import evaluation, specs
from gameplay.errors import BadInput, GameplayError
from gameplay.runs.plan import Adjudication, Count, Natural, Openings, Seconds, Sprt
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.store import toml
from gameplay.value import WIN, format_value, is_win

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

KINDS = ("signature", "position", "match", "speed")
Depth = Annotated[int, Meta(ge=1, le=255)]
Share = Annotated[float, Meta(ge=0, le=1)]
Ratio = Annotated[float, Meta(gt=0)]
VALUE = r"^(win|loss|draw|(win|loss) in [1-9][0-9]*|-?[0-9]+/[1-9][0-9]*)$"
VALUE_FORMS = 'a number, "win", "loss", "draw", "win in 3", "loss in 2" (plies), or a mean such as "7/3"'
Words = Annotated[
    str, Meta(pattern=VALUE, description='"win", "loss", "draw", "win in 3", "loss in 2"; a mean: "7/3"')
]
CLOSE = 1e-6  # a mean and the fraction that is expected


class Found(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The expected result of one search."""

    move: Annotated[str | None, Meta(description="The move")] = None
    moves: Annotated[list[str], Meta(description="The move is one of these")] = []
    not_moves: Annotated[list[str], Meta(description="The move is none of these")] = []
    pv: Annotated[list[str], Meta(description="How the expected line begins")] = []
    value: Annotated[
        int | Words | None,
        Meta(description='The value: a number, "win in 3", "loss", "draw", or a mean such as "7/3"'),
    ] = None
    value_at_least: Annotated[int | None, Meta(description="The least value")] = None
    value_at_most: Annotated[int | None, Meta(description="The greatest value")] = None
    points: Annotated[int | None, Meta(description="The value in points of the game")] = None
    nodes: Annotated[Natural | None, Meta(description="The number of nodes")] = None
    nodes_at_most: Annotated[Natural | None, Meta(description="The greatest number of nodes")] = None

    def wrong_moves(self, line: list[str]) -> list[str]:
        """The differences in moves, a phrase each."""
        wrong = []
        move = line[0]
        if self.move is not None and move != self.move:
            wrong.append(f"move {move}, expected {self.move}")
        if self.moves and move not in self.moves:
            wrong.append(f"move {move}, expected one of {', '.join(self.moves)}")
        if move in self.not_moves:
            wrong.append(f"move {move}, expected anything but {', '.join(self.not_moves)}")
        if self.pv and line[: len(self.pv)] != self.pv:
            wrong.append(f"line {' '.join(line[: len(self.pv)])}, expected {' '.join(self.pv)}")
        return wrong

    def in_notation(self, position: "AbstractPosition") -> "Found":
        """A copy with moves in the game's notation: `Qg6` for `Qg6+`. Raises IllegalMove."""

        def same(words: list[str]) -> list[str]:
            return [position.format(position.parse(word)) for word in words]

        move = same([self.move])[0] if self.move is not None else None
        pv = same(self.pv[:1]) + self.pv[1:]
        return structs.replace(self, move=move, moves=same(self.moves), not_moves=same(self.not_moves), pv=pv)

    def wrong(self, report: Report, line: list[str], unit: int = 1) -> list[str]:
        """The differences, a phrase each. line: the engine's line in notation, its move first.

        unit: the game's unit, a point on the scale of values.
        """
        wrong = self.wrong_moves(line)

        def valued_as(value: float, exact: bool = False) -> str:
            """A value as text, with the number that a suite contains if that differs."""
            words = format_value(value, exact, unit)
            return f"{words} ({value:+g})" if unit > 1 and not is_win(value) and value else words

        shown = valued_as(report.value, report.exact)
        if self.value is not None and not has_value(self.value, report):
            due = self.value if isinstance(self.value, str) else valued_as(self.value)
            wrong.append(f"value {shown}, expected {due}")
        if self.value_at_least is not None and report.value < self.value_at_least:
            wrong.append(f"value {shown}, expected at least {valued_as(self.value_at_least)}")
        if self.value_at_most is not None and report.value > self.value_at_most:
            wrong.append(f"value {shown}, expected at most {valued_as(self.value_at_most)}")
        if self.points is not None and report.value != self.points * unit:
            wrong.append(f"{_points(report.value / unit)}, expected {_points(self.points)}")
        if self.nodes is not None and report.nodes != self.nodes:
            wrong.append(f"{report.nodes:,} nodes, expected {self.nodes:,}")
        if self.nodes_at_most is not None and report.nodes > self.nodes_at_most:
            wrong.append(f"{report.nodes:,} nodes, expected at most {self.nodes_at_most:,}")
        return wrong


def _points(count: float) -> str:
    return f"{count:+g} point{'' if abs(count) == 1 else 's'}"


def has_value(expected: int | str, report: Report) -> bool:
    """True if the report has that value: a number, or the words of `Words`."""
    value = report.value
    if isinstance(expected, int):
        return value == expected
    if "/" in expected:
        return abs(value - Fraction(expected)) < CLOSE
    if expected == "draw":
        return value == 0 and report.exact
    kind, _, plies = expected.partition(" in ")
    won = is_win(value) and (value > 0) == (kind == "win")
    return won and (not plies or abs(value) == WIN - int(plies))


class Scored(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The expected result of a match."""

    score: Annotated[Share | None, Meta(description="The least score, 0 to 1")] = None
    sprt: Annotated[
        Annotated[str, Meta(pattern="^H[01]$")] | None,
        Meta(description='The accepted hypothesis: "H0" or "H1"'),
    ] = None
    faults: Annotated[Natural, Meta(description="How many games may be lost by a fault")] = 0


class Needed(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Limits of the first player's nodes and time relative to the second's, 1.0 for as much."""

    nodes: Annotated[Ratio | None, Meta(description="Share of the second player's nodes, at most")] = None
    time: Annotated[Ratio | None, Meta(description="Share of its time, at most; depends on the machine")] = (
        None
    )


class NamedTest(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Fields of every test. Missing `game` and limits are taken from the file."""

    name: Annotated[str, Meta(description="What reports call the test")]
    game: Annotated[str, Meta(description="A game by name or file, with options [that of all tests]")] = ""
    depth: Annotated[Depth | None, Meta(description="Search depth limit in plies")] = None
    nodes: Annotated[Count | None, Meta(description="Node limit of a search")] = None
    sims: Annotated[Count | None, Meta(description="Limit of simulations")] = None
    time: Annotated[Seconds | None, Meta(description="Time limit of a search, in seconds")] = None

    @property
    def limit(self) -> Limit:
        """The test's own limit per move, if it sets one."""
        return Limit(self.depth, self.nodes, self.time, simulations=self.sims)


class Case(NamedTest, frozen=True, kw_only=True):
    """A test of a suite."""

    source: Annotated[str, Meta(description="Where the answer is from")] = ""
    expected_failure: Annotated[
        str, Meta(description="Why it fails today: its failure is not a regression")
    ] = ""


class Puzzle(Case, frozen=True, kw_only=True):
    """One search of one position."""

    expect: Annotated[Found, Meta(description="What is expected")]
    engine: Annotated[str, Meta(description="A player [the suite's]")] = ""
    position: Annotated[str, Meta(description="The position, in the notation of the game [the start]")] = ""
    moves: Annotated[list[str], Meta(description="Moves made from there")] = []


class Meeting(Case, frozen=True, kw_only=True):
    """A match of two players; of as many as the game is for."""

    expect: Annotated[Scored, Meta(description="What is expected")]
    players: Annotated[list[str], Meta(min_length=2, description="Players; expectations are of the first")]
    games: Annotated[int, Meta(ge=2, description="Games, in pairs")] = 20
    seed: Annotated[int, Meta(description="Seed of everything that is random")] = 1
    clock: Annotated[str, Meta(description="Clock of a game, as in a plan")] = ""
    openings: Annotated[Openings, Meta(description="Where games begin, as in a plan")] = Openings()
    adjudicate: Annotated[Adjudication, Meta(description="What ends games early, as in a plan")] = (
        Adjudication()
    )
    sprt: Annotated[Sprt | None, Meta(description="Stop as soon as the result is significant")] = None


class Speed(Case, frozen=True, kw_only=True):
    """Two players search the same positions; the least time of `repeat` searches counts."""

    players: Annotated[list[str], Meta(min_length=2, max_length=2, description="Two engines")]
    positions: Annotated[list[str], Meta(min_length=1, description="Positions [the start]")] = field(
        default_factory=lambda: [""]
    )
    repeat: Annotated[int, Meta(ge=1, le=100, description="Searches of each; the fastest counts")] = 3
    expect: Annotated[Needed, Meta(description="What is expected")] = Needed()


class Signature(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The sum of nodes that `gameplay signature` prints."""

    name: Annotated[str, Meta(description="What reports call the test")]
    nodes: Annotated[Natural, Meta(description="The sum of nodes of all its searches")]
    source: Annotated[str, Meta(description="Where the number is from")] = ""
    expected_failure: Annotated[
        str, Meta(description="Why it fails today: its failure is not a regression")
    ] = ""


class BrokenLine(Struct, frozen=True, kw_only=True):
    """A test, a line or a field that cannot be read: it stands among the tests, and its verdict is `why`.

    `kind` and `line` where they do not follow from its place in the suite.
    """

    name: str
    why: str
    expected_failure: str = ""
    kind: str = ""
    line: int = 0


class Suite(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Tests of engines: expectations of searches and matches."""

    title: Annotated[str, Meta(description="What reports call the suite")] = ""
    game: Annotated[str, Meta(description="The game of tests that name none")] = ""
    engine: Annotated[str, Meta(description="The player of tests that name none")] = "iterative"
    depth: Annotated[Depth | None, Meta(description="Search depth limit in plies")] = None
    nodes: Annotated[Count | None, Meta(description="Node limit of a search")] = None
    sims: Annotated[Count | None, Meta(description="Limit of simulations")] = None
    time: Annotated[Seconds | None, Meta(description="Time limit of a search, in seconds")] = None
    position: Annotated[list[Puzzle], Meta(description="Single searches")] = []
    match: Annotated[list[Meeting], Meta(description="Matches")] = []
    speed: Annotated[list[Speed], Meta(description="Comparisons of two engines")] = []
    signature: Annotated[list[Signature], Meta(description="Node counts of `gameplay signature`")] = []

    @property
    def limit(self) -> Limit:
        """The default limit of a move."""
        return Limit(self.depth, self.nodes, self.time, simulations=self.sims)


def read(path: Path) -> tuple[Suite, str, Callable[[str, int], int]]:
    """The suite in a file, the file's name, and a function from kind and number of a test to its line.

    A test or a field that is wrong becomes a `BrokenLine`; the other tests stay as they are. Files are
    relative to the suite's folder. Raises BadInput if the file cannot be read as TOML.
    """
    data, text = toml.load(path)
    suite, broken = _convert(data, text)
    suite = _resolve_paths(suite, path.parent)
    for kind, number, case in broken:
        cases = [*getattr(suite, kind)]
        cases.insert(number, case)
        suite = structs.replace(suite, **{kind: cases})
    return suite, str(path), lambda kind, number: toml.line(text, [kind, number])


def _convert(data: dict[str, Any], text: str) -> tuple[Suite, list[tuple[str, int, BrokenLine]]]:
    """The suite without its invalid tests, and these: kind, index among the tests of the kind, `BrokenLine`.

    Sorted by index, so that they can be inserted again in order.
    """
    broken: list[tuple[str, int, BrokenLine]] = []
    numbers = {kind: list(range(len(data[kind]))) for kind in KINDS if isinstance(data.get(kind), list)}
    while True:
        try:
            return convert(data, Suite), sorted(broken, key=lambda problem: problem[:2])
        except ValidationError as error:
            keys, words = toml.explain(error, Suite, data, {"value": VALUE_FORMS})
        except GameplayError as error:
            raise BadInput(str(error)) from None
        kind = str(keys[0]) if keys else ""
        if len(keys) > 1 and kind in numbers:
            case = data[kind].pop(keys[1])
            keys[1] = number = numbers[kind].pop(int(keys[1]))
            name = str(case.get("name", "")) if isinstance(case, dict) else ""
            why = f"{toml.format_keys(keys)}{words}"
            name = name or toml.format_keys(keys[:2])[:-2]
            broken.append((kind, number, BrokenLine(name=name, why=why, line=toml.line(text, keys))))
        elif kind in data:
            del data[kind]
            numbers.pop(kind, None)
            where = toml.line(text, keys)
            why = f"{toml.format_keys(keys)}{words}"
            broken.append(("signature", 0, BrokenLine(name=kind, why=why, kind="field", line=where)))
        else:
            raise BadInput(f"{toml.format_keys(keys)}{words}")


def _resolve_paths(suite: Suite, folder: Path) -> Suite:
    """The suite with its relative paths made absolute, from `folder`."""

    def place(spec: str) -> str:
        file = re.match(r"([^:]+\.(py|toml))(:|$)", spec)
        spec = str((folder / file[1]).resolve()) + spec[file.end(1) :] if file else spec
        return spec if specs.is_program(spec) else evaluation.placed_in(spec, folder)

    def placed(case: Puzzle | Meeting | Speed) -> Puzzle | Meeting | Speed:
        fields: dict[str, Any] = {"game": place(case.game)}
        if isinstance(case, Puzzle):
            fields["engine"] = place(case.engine)
        else:
            fields["players"] = [place(spec) for spec in case.players]
        if isinstance(case, Meeting):
            openings, rules = case.openings, case.adjudicate
            if openings.file:
                openings = structs.replace(openings, file=str((folder / openings.file).resolve()))
            if openings.balance:
                openings = structs.replace(openings, balance=place(openings.balance))
            fields["openings"] = openings
            if rules.exact:
                rules = structs.replace(rules, exact=place(rules.exact))
            if rules.syzygy:
                rules = structs.replace(rules, syzygy=rules.syzygy.with_absolute_paths(folder))
            fields["adjudicate"] = rules
        return structs.replace(case, **fields)

    cases = {kind: [placed(case) for case in getattr(suite, kind)] for kind in ("position", "match", "speed")}
    return structs.replace(suite, game=place(suite.game), engine=place(suite.engine), **cases)
