"""`gameplay toml`: the keys of TOML files of tournaments, tests, assignments, settings and themes."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli import Group
from gameplay.cli.common.options import FILE
from gameplay.errors import BadInput, GameplayError

if TYPE_CHECKING:
    from gameplay.runs.plan import Plan
    from gameplay.suites.suite import Puzzle

ASSIGNMENT_KEYS = {"random", "laws", "template", "evaluation", "reference"}  # keys that only assignments have
KINDS = ("plan", "regress", "assignment", "settings", "theme")


@click.group(cls=Group, short_help="Check TOML files, or print the schema of their keys")
def command() -> None:
    """Check files of tournaments (plan), tests (regress), assignments, settings and themes; print their
    schema.
    """


@command.command()
@click.argument("kind", type=click.Choice(KINDS), default="plan")
def schema(kind: str) -> None:
    """Print the JSON Schema of a file, for editors: of plan, regress, assignment, settings or theme.

    With the schema, an editor for TOML completes the fields and underlines mistakes.
    """
    import json
    from inspect import cleandoc

    import msgspec

    names = {"plan": "match or tournament", "regress": "test suite"}
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"gameplay {names.get(kind, kind)}",
    }
    document = msgspec.json.schema(_schema_class(kind))
    for definition in document["$defs"].values():
        if "description" in definition:
            # msgspec before 0.23 keeps the indentation.
            definition["description"] = cleandoc(definition["description"])
    click.echo(json.dumps(head | document, indent=2))


@command.command()
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")
def check(files: tuple[Path, ...]) -> int:
    """Check files without playing: a line for each mistake.

    In plans and tests, games, players, positions and openings are resolved; no program is started. The exit
    status is 0 if all files are valid, else 6.
    """
    mistake_count = 0
    for file in files:
        mistakes = list(_find_mistakes(file))
        mistake_count += len(mistakes)
        for line in mistakes or [f"{file}: right"]:
            click.echo(line)
    return BadInput.status if mistake_count else 0


def _schema_class(kind: str) -> Any:
    if kind == "plan":
        from gameplay.runs.plan import Plan

        return Plan
    if kind == "settings":
        from gameplay.store.settings import Settings

        return Settings
    if kind == "theme":
        from gameplay.store.themes import ThemeFile

        return ThemeFile
    if kind == "assignment":
        from gameplay.suites.assignment import Assignment

        return Assignment
    from gameplay.suites.suite import Suite

    return Suite


def _find_mistakes(file: Path) -> Iterator[str]:
    """The mistakes in a file, one line each."""
    from gameplay.store import settings, themes, toml

    kind = _kind_of(file)
    try:
        if kind == "theme":
            themes.read(file)
            return
        if kind == "settings":
            settings.read(file)
            return
        if kind == "assignment":
            yield from _check_assignment(file)
            return
        if kind == "plan":
            from gameplay.runs.plan import Plan

            plan, text = toml.read(file, Plan)
        else:
            plan, text = None, toml.load(file)[1]
    except BadInput as error:
        yield str(error)
        return

    def format_error(keys: list[str | int], error: GameplayError) -> str:
        return f"{file}, line {toml.line(text, keys)}: {toml.format_keys(keys)}{error}"

    yield from _check_plan(plan, file, format_error) if plan is not None else _check_suite(file, format_error)


def _kind_of(file: Path) -> str:
    """The kind of a file, by its name and keys."""
    from gameplay import file_io
    from gameplay.store.settings import FILE as SETTINGS

    if file.name == SETTINGS:
        return "settings"
    try:
        keys = set(file_io.toml(file))
    except BadInput:
        return "plan"  # reading it reports what is wrong
    from gameplay.store.themes import ThemeFile

    if file.parent.name == "themes" or keys & set(ThemeFile.__struct_fields__):
        return "theme"
    if file.name == "assignment.toml" or keys & ASSIGNMENT_KEYS:
        return "assignment"
    tests = "players" not in keys and bool(keys & {"position", "match", "speed", "signature"})
    return "regress" if tests else "plan"


ErrorFormatter = Callable[[list[str | int], GameplayError], str]


def _check_plan(plan: "Plan", file: Path, format_error: ErrorFormatter) -> Iterator[str]:
    from gameplay.runs import plan as plans
    from gameplay.runs.planning import problems
    from gameplay.store import trust

    trust.check(plan.game, plan.engines, file.parent)  # checking a file must not run untrusted code
    for problem in problems(plans.resolve_paths(plan, file.parent), openings=True):
        yield format_error(problem.keys, problem.error)


def _check_assignment(file: Path) -> Iterator[str]:
    from gameplay import specs
    from gameplay.suites import assignment, comparison

    _, tests = assignment.read(file)
    safe = []  # no code is run here
    for test in tests[1:]:
        games = [test.case.game, *comparison.files(test.case)]
        if not any(specs.game_code(game) for game in games if game):
            safe.append(test)
    yield from comparison.check(file, safe)


def _check_suite(file: Path, format_error: ErrorFormatter) -> Iterator[str]:
    from gameplay.runs.planning import problems
    from gameplay.store import trust
    from gameplay.suites.regress import plan_of, tests
    from gameplay.suites.suite import BrokenLine, Meeting, Puzzle, read

    suite, name, line = read(file)  # with its files' places
    for test in tests(suite, name, line):
        if isinstance(test.case, BrokenLine):
            yield f"{file}, line {test.line}: {test.case.why}"
    for test in tests(suite, str(file), lambda kind, number: number):
        case = test.case
        keys: list[str | int] = [test.kind, test.line]
        if isinstance(case, Meeting):
            trust.check(case.game, plan_of(case).engines)
            for problem in problems(plan_of(case), openings=True):
                yield format_error(keys + problem.keys, problem.error)
        elif isinstance(case, Puzzle):
            trust.check(case.game, [case.engine])
            yield from _check_position(case, keys, format_error)


def _check_position(case: "Puzzle", keys: list[str | int], format_error: ErrorFormatter) -> Iterator[str]:
    from gameplay import registry
    from gameplay.matches.match import match_without_players
    from gameplay.players import seats

    key = "game"
    try:
        game = registry.game(case.game)
        key = "engine"
        seats.player(case.engine, game, limit=case.limit)
        key = "position"
        match_without_players(game, case.position)
        key = "moves"
        match = match_without_players(game, case.position, case.moves)
        key = "expect"
        expect = case.expect
        for word in filter(None, [expect.move, *expect.moves, *expect.not_moves, *expect.pv[:1]]):
            match.position.parse(word)
    except GameplayError as error:
        yield format_error([*keys, key], error)
