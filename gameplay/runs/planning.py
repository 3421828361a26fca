"""From words to a plan that can be played: read from a TOML file, or built from a command line.

A well-formed plan may still be impossible: a player that cannot play the game, an odd number of games.
`problems` checks that game, players, form, openings and the rest are consistent.
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
from gameplay.registry import Game
from gameplay.runs import adjudication
from gameplay.runs.openings import balance_test, select_openings
from gameplay.runs.pairing import openings_needed
from gameplay.runs.plan import Adjudication, Entrant, Openings, Plan, Sprt, resolve_paths
from gameplay.store import toml

Question = tuple[list[str | int], Callable[[Game], Any]]


@dataclass(frozen=True)
class Problem:
    """What is wrong in a plan of the right form: where, as in ["players", 1, "clock"], and what."""

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
    """A plan from a command line: players as SPEC, NAME=SPEC or fields of `Entrant`, and fields of `Plan`.

    Options that are None were not given. Raises Usage, or BadInput for a file, saying what would be right.
    """
    entries: list[dict[str, Any]] = []
    for words in players:
        if isinstance(words, dict):
            entries.append(words)
            continue
        name, equals, spec = words.partition("=")
        named = equals and not set(name) & set(":,/.")
        entries.append({"player": spec.strip(), "name": name.strip()} if named else {"player": words})
    fields = {key: _plain_value(key, value) for key, value in options.items() if value is not None}
    data = {"game": game, "players": entries, **fields}
    try:
        plan = resolve_paths(convert(data, Plan), Path.cwd())
    except ValidationError as error:
        keys, words = toml.explain(error, Plan, data)
        raise Usage(f"{toml.format_keys(keys)}{words}") from None
    for problem in problems(plan):
        named = problem.keys[-1] == "player"  # the error itself says which one
        raise type(problem.error)(str(problem.error if named else problem))
    return plan


def _plain_value(key: str, value: Any) -> Any:
    """An option as plain data. Raises Usage for a value of a type that no plan has."""
    try:
        return to_builtins(value, enc_hook=os.fspath)
    except TypeError:
        wrong = brief(repr(value).partition("\n")[0])
        raise Usage(f"{key}: expected numbers, words and paths, not {wrong}") from None


def problems(plan: Plan, openings: bool = False) -> Iterator[Problem]:
    """What is wrong in a plan. Looks for game, players and clocks, starts nothing.

    With `openings` they are chosen as well, which may take a while. Raises Fault if the game's code fails.
    """
    try:
        game = registry.game(plan.game)
        game.new()
    except Fault:
        raise
    except GameplayError as error:
        yield Problem(["game"], error)
        return
    for keys, ask in _questions(plan, openings):
        try:
            ask(game)
        except Fault:
            raise
        except GameplayError as error:
            yield Problem(keys, error)


def _questions(plan: Plan, openings: bool) -> Iterator[Question]:
    """The checks of a plan, in the order in which it is read; each raises what is wrong."""
    for number, entry in enumerate(plan.players):
        yield ["players", number, "player"], partial(_player, plan, entry)
        for key in ("depth", "nodes", "sims", "time"):
            if getattr(entry, key) is not None:
                yield ["players", number, key], partial(_matters, entry, key)
        yield ["players", number, "clock"], partial(_clock, entry.clock)
    yield ["game"], partial(_finite, plan)
    yield ["clock"], partial(_clock, plan.clock)
    yield ["players"], partial(_enough, plan)
    yield ["form"], partial(_form, plan)
    yield ["games"], partial(_even, plan)
    yield ["rounds"], partial(_rounds, plan)
    for key in ("exact", "syzygy", "resign", "draw", "plies"):
        yield ["adjudicate", key], partial(_adjudicated, key, getattr(plan.adjudicate, key))
    yield ["sprt"], partial(_provable, plan, plan.sprt)
    yield ["openings"], partial(_openings, plan.openings)
    if openings:
        yield ["openings"], partial(_chosen, plan)


def _player(plan: Plan, entry: Entrant, game: Game) -> None:
    limit = plan.limit(entry) if seats.searches(entry.player) else None
    seats.player(entry.player, game, 0, limit).close()


def _matters(entry: Entrant, key: str, game: Game) -> None:
    try:
        searches = seats.searches(entry.player)
    except GameplayError:
        return  # reported for the player itself
    if not searches:
        raise Usage(f"{entry.player} does not search: leave {key} out")


def _enough(plan: Plan, game: Game) -> None:
    places, count = game.new().players, len(plan.players)
    if places < 2:
        raise Usage(
            f"{game.name} is for one player, without an opponent: gameplay match ENGINE ENGINE "
            f"--game {game.spec} lets several engines solve the same instances"
        )
    if count < places:
        raise Usage(f"{game.name} is for {places} players, and only {count} are named")
    if plan.form == "match" and count > places:
        raise Usage(f"a match of {game.name} is for {places} players, not {count}; try form round-robin")


def _finite(plan: Plan, game: Game) -> None:
    if not game.new().finite and plan.adjudicate.plies is None:
        raise Usage(
            f"{game.spec} has no rule that ends every game: adjudicate a draw after some plies "
            "(match --longest 400; in a plan adjudicate.plies = 400)"
        )


def _form(plan: Plan, game: Game) -> None:
    places = game.new().players
    if places > 2 and plan.form in ("knockout", "swiss"):
        raise Usage(
            f"{plan.form} is for games of two players, and {game.name} is for {places}; try round-robin"
        )


def _even(plan: Plan, game: Game) -> None:
    places = game.new().players
    if places > 1 and plan.games % places:
        noun = "an even number" if places == 2 else f"a multiple of {places}"
        raise Usage(f"each opening is played once with each seating: ask for {noun}, not {plan.games}")


def _rounds(plan: Plan, game: Game) -> None:
    if plan.rounds is None:
        return
    if plan.form != "swiss":
        raise Usage(
            f"only swiss has rounds; more games of each pairing are games = {plan.games * plan.rounds}"
        )
    most = len(plan.players) - 1 + len(plan.players) % 2
    if plan.rounds > most:
        raise Usage(
            f"{len(plan.players)} players can meet someone new in {most} rounds, not in {plan.rounds}"
        )


def _adjudicated(key: str, rule: Any, game: Game) -> None:
    adjudication.check(convert({key: to_builtins(rule)}, Adjudication), game.new())


def _provable(plan: Plan, test: Sprt | None, game: Game) -> None:
    if test is None:
        return
    if test.elo0 >= test.elo1:
        raise Usage(f"elo0 must be less than elo1, and {test.elo0:g} is not less than {test.elo1:g}")
    if test.alpha + test.beta >= 1:
        raise Usage(f"alpha and beta must add up to less than 1, not to {test.alpha + test.beta:g}")
    places = game.new().players
    if places > 2:
        raise Usage(
            f"an SPRT compares two players, and {game.name} is for {places}: leave it out; "
            "points and Elo have their intervals without it"
        )
    if plan.form != "match" or len(plan.players) != 2:
        raise Usage("an SPRT compares two players: give two and form match, or leave it out")


def _openings(openings: Openings, game: Game) -> None:
    if openings.file is None and (openings.start != 1 or openings.order != "random"):
        raise Usage("order and start are for openings in a file: name one, or leave them out")
    if openings.bound and openings.balance is None:
        raise Usage("bound needs an engine in balance, such as iterative:nodes=20000")
    if openings.balance is not None:
        if openings.plies == 0:
            raise Usage("with plies = 0 there is nothing to balance: give more, or leave balance out")
        balance_test(game, openings.balance, openings.bound)


def _chosen(plan: Plan, game: Game) -> None:
    select_openings(game, plan.openings, openings_needed(plan, game.new().players), plan.seed)


def _clock(words: str, game: Game) -> None:
    if words:
        parse_time_control(words)
