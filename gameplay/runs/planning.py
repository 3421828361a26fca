"""Reads plans from TOML files, builds them from command lines, and validates them.

A well-formed plan may still be invalid: a player that cannot play the game, an odd number of games.
`problems` checks that game, players, form and openings are consistent.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import ValidationError, convert, to_builtins

from gameplay import registry
from gameplay.errors import BadInput, Fault, GameplayError, Usage, brief
from gameplay.matches.clock import parse_time_control
from gameplay.players import seats
from gameplay.plural import plural
from gameplay.registry import Game
from gameplay.runs import adjudication
from gameplay.runs.openings import balance_test, select_openings
from gameplay.runs.pairing import openings_needed
from gameplay.runs.plan import Adjudication, Entrant, Openings, Plan, Sprt, resolve_paths
from gameplay.store import toml

Check = tuple[list[str | int], Callable[[Game], Any]]  # keys, and a function that raises the problem


@dataclass(frozen=True)
class Problem:
    """An error in a well-formed plan. `keys`: its place, as in ["players", 1, "clock"]."""

    keys: list[str | int]
    error: GameplayError

    def __str__(self) -> str:
        return f"{toml.format_keys(self.keys)}{self.error}"


def read(path: Path) -> Plan:
    """The plan in a TOML file; paths in it are relative to its folder.

    Raises BadInput that names file, line and field, and what was expected.
    """
    plan, text = toml.read(path, Plan)
    plan = resolve_paths(plan, path.parent)
    for problem in problems(plan):
        raise BadInput(f"{path}, line {toml.line(text, problem.keys)}: {problem}")
    return plan


def build(game: str, players: Sequence[str | dict[str, Any]], **options: Any) -> Plan:
    """Build a plan from a command line: players as SPEC, NAME=SPEC or fields of `Entrant`, and fields of
    `Plan`.

    Options that are None have their default. Raises Usage, or BadInput for a file.
    """
    entries: list[dict[str, Any]] = []
    for player in players:
        if isinstance(player, dict):
            entries.append(player)
            continue
        name, equals, spec = player.partition("=")
        has_name = equals and not set(name) & set(":,/.")
        entries.append({"player": spec.strip(), "name": name.strip()} if has_name else {"player": player})
    fields = {key: _plain_value(key, value) for key, value in options.items() if value is not None}
    data = {"game": game, "players": entries, **fields}
    try:
        plan = resolve_paths(convert(data, Plan), Path.cwd())
        plan.encode()
    except UnicodeEncodeError as error:
        raise Usage(
            f"{brief(error.object)!r} is not valid Unicode; expected text without lone surrogates"
        ) from None
    except ValidationError as error:
        keys, words = toml.explain(error, Plan, data)
        raise Usage(f"{toml.format_keys(keys)}{words}") from None
    for problem in problems(plan):
        names_player = problem.keys[-1] == "player"  # the error itself contains the spec
        raise type(problem.error)(str(problem.error if names_player else problem))
    return plan


def _plain_value(key: str, value: Any) -> Any:
    """An option as plain data. Raises Usage for a value of an unsupported type."""
    try:
        return to_builtins(value, enc_hook=os.fspath)
    except TypeError:
        wrong = brief(repr(value).partition("\n")[0])
        raise Usage(f"{key}: expected numbers, texts or paths, not {wrong}") from None


def problems(plan: Plan, openings: bool = False) -> Iterator[Problem]:
    """Yield the errors in a plan, without starting programs or games.

    With `openings` they are selected as well, which may take long. Raises Fault if the game's code fails.
    """
    try:
        game = registry.game(plan.game)
        game.new()
    except Fault:
        raise
    except GameplayError as error:
        yield Problem(["game"], error)
        return
    for keys, check in _checks(plan, openings):
        try:
            check(game)
        except Fault:
            raise
        except GameplayError as error:
            yield Problem(keys, error)


def _checks(plan: Plan, openings: bool) -> Iterator[Check]:
    """The checks of a plan, in order; each raises GameplayError for a problem."""
    for number, entry in enumerate(plan.players):
        yield ["players", number, "player"], partial(_check_player, plan, entry)
        for key in ("depth", "nodes", "sims", "time"):
            if getattr(entry, key) is not None:
                yield ["players", number, key], partial(_check_limit, entry, key)
        yield ["players", number, "clock"], partial(_check_clock, entry.clock)
    yield ["game"], partial(_check_finite, plan)
    yield ["clock"], partial(_check_clock, plan.clock)
    yield ["players"], partial(_check_player_count, plan)
    yield ["form"], partial(_check_form, plan)
    yield ["games"], partial(_check_game_count, plan)
    yield ["rounds"], partial(_check_rounds, plan)
    for key in ("exact", "syzygy", "resign", "draw", "plies"):
        yield ["adjudicate", key], partial(_check_adjudication, key, getattr(plan.adjudicate, key))
    yield ["sprt"], partial(_check_sprt, plan, plan.sprt)
    yield ["openings"], partial(_check_openings, plan.openings)
    if openings:
        yield ["openings"], partial(_check_selection, plan)


def _check_player(plan: Plan, entry: Entrant, game: Game) -> None:
    limit = plan.limit(entry) if seats.searches(entry.player) else None
    seats.player(entry.player, game, 0, limit).close()


def _check_limit(entry: Entrant, key: str, game: Game) -> None:
    try:
        searches = seats.searches(entry.player)
    except GameplayError:
        return  # reported for the player itself
    if not searches:
        raise Usage(f"{entry.player} does not search. Try: leave {key} out")


def _check_player_count(plan: Plan, game: Game) -> None:
    places, count = game.new().players, len(plan.players)
    if places < 2:
        raise Usage(
            f"{game.name} is for one player, without an opponent: gameplay match ENGINE ENGINE "
            f"--game {game.spec} lets several engines solve the same instances"
        )
    if count < places:
        raise Usage(f"{game.name} must have {places} players, not {count}")
    if plan.form == "match" and count > places:
        raise Usage(
            f"a match of {game.name} must have {places} players, not {count}. Try: {places} of them, or "
            'gameplay tournament with a plan that has form = "round-robin"'
        )


def _check_finite(plan: Plan, game: Game) -> None:
    if not game.new().finite and plan.adjudicate.plies is None:
        raise Usage(
            f"{game.spec} has no rule that ends every game: adjudicate a draw after some plies "
            "(match --longest 400; in a plan adjudicate.plies = 400)"
        )


def _check_form(plan: Plan, game: Game) -> None:
    places = game.new().players
    if places > 2 and plan.form in ("knockout", "swiss"):
        raise Usage(
            f"{plan.form} is for games of two players, and {game.name} is for {places}. Try: round-robin"
        )


def _check_game_count(plan: Plan, game: Game) -> None:
    places = game.new().players
    if places > 1 and plan.games % places:
        noun = "an even number" if places == 2 else f"a multiple of {places}"
        more = plan.games + places - plan.games % places
        raise Usage(
            f"each opening is played once with each seating: ask for {noun}, not {plan.games}. Try: {more}"
        )


def _check_rounds(plan: Plan, game: Game) -> None:
    if plan.rounds is None:
        return
    if plan.form != "swiss":
        raise Usage(f"only the form swiss has rounds. Try: games = {plan.games * plan.rounds}")
    most = len(plan.players) - 1 + len(plan.players) % 2
    if plan.rounds > most:
        raise Usage(
            f"{len(plan.players)} players can meet new opponents in {plural(most, 'round')}, "
            f"not in {plan.rounds}"
        )


def _check_adjudication(key: str, rule: Any, game: Game) -> None:
    adjudication.check(convert({key: to_builtins(rule)}, Adjudication), game.new())


def _check_sprt(plan: Plan, test: Sprt | None, game: Game) -> None:
    if test is None:
        return
    if test.elo0 >= test.elo1:
        raise Usage(f"expected elo0 < elo1, not {test.elo0:g} and {test.elo1:g}")
    if test.alpha + test.beta >= 1:
        raise Usage(f"expected alpha + beta below 1, not {test.alpha + test.beta:g}")
    places = game.new().players
    if places > 2:
        raise Usage(
            f"an SPRT compares two players, and {game.name} is for {places}: leave it out; "
            "points and Elo have their intervals without it"
        )
    if plan.form != "match" or len(plan.players) != 2:
        raise Usage("an SPRT compares two players: give two and form match, or leave it out")


def _check_openings(openings: Openings, game: Game) -> None:
    if openings.file is None and (openings.start != 1 or openings.order != "random"):
        raise Usage("order and start need a file of openings. Try: leave them out")
    if openings.bound and openings.balance is None:
        raise Usage("bound needs an engine in balance, such as iterative:nodes=20000")
    if openings.balance is not None:
        if openings.plies == 0:
            raise Usage("plies = 0 leaves nothing to balance. Try: more plies, or leave balance out")
        balance_test(game, openings.balance, openings.bound)


def _check_selection(plan: Plan, game: Game) -> None:
    select_openings(game, plan.openings, openings_needed(plan, game.new().players), plan.seed)


def _check_clock(words: str, game: Game) -> None:
    if words:
        parse_time_control(words)
