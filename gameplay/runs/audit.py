"""Verifies a stored game against the plan and the rules, and by playing it again."""

from collections.abc import Sequence

from gameplay import registry
from gameplay.errors import GameplayError
from gameplay.matches.match import RULES, Match
from gameplay.players import seats
from gameplay.players.empty_seat import EmptySeat
from gameplay.runs.job import GameResult, Job, is_timed, play
from gameplay.specs import is_program
from gameplay.store.jsonl import NORMAL_TERMINATIONS
from gameplay.store.record import Record

COMPARED_FIELDS = ("move", "player", "nodes", "value", "depth")  # of each ply, equal in every repetition


def has_external_player(job: Job) -> bool:
    """True if a player is an external program."""
    return any(is_program(seat.player) for seat in job.seats)


def variation_reason(job: Job, record: Record) -> str:
    """Why a repetition of the game may differ; "" if it must be equal."""
    if record.reason not in NORMAL_TERMINATIONS:
        return "ended by a fault"
    if has_external_player(job):
        return "played by another program"
    return "limited by time" if is_timed(job) else ""


def check_record(job: Job, record: Record) -> str:
    """The first violation of the plan's job or of the rules; "" if there is none."""
    words = tuple(record.words)
    fields: list[tuple[str, object, object]] = [
        ("game", record.game, registry.game(job.game).spec),
        ("players", record.players, record.players if has_external_player(job) else _specs(job)),
        ("seed", record.seed, job.seed),
        ("start", record.start, job.start),
        ("opening", words[: len(job.moves)], tuple(job.moves)),
    ]
    for name, actual, expected in fields:
        if actual != expected:
            return f"{name} is {_plain(actual)}; by the plan {_plain(expected)}"
    return _check_rules(record, words)


def _check_rules(record: Record, words: Sequence[str]) -> str:
    try:
        game = registry.game(record.game)
        match = Match(game, [EmptySeat() for _ in record.players], record.start, words)
    except GameplayError as error:
        return str(error)
    if record.reason != RULES:
        return f"ended by {record.reason or 'nothing'} after its end by the rules" if match.over() else ""
    if not match.over():
        return f"the game is not over after its {len(words)} moves"
    assert match.payoffs is not None
    if record.result is None or tuple(record.result) != match.payoffs:
        return f"result is {_plain(record.result)}; by the rules {_plain(match.payoffs)}"
    return ""


def replay_job(job: Job) -> GameResult | str:
    """Play the game again: its result, or an error message. Runs in a worker process."""
    try:
        return play(job)
    except GameplayError as error:
        return str(error)


def compare_replay(record: Record, game: GameResult | str) -> str:
    """The first difference between a record and the game played again; "" if there is none."""
    if isinstance(game, str) or game.record is None:
        return f"played again: {game if isinstance(game, str) else game.fault}"
    other = game.record
    for number, (old, new) in enumerate(zip(record.moves, other.moves, strict=False), 1):
        for name in COMPARED_FIELDS:
            old_value, new_value = getattr(old, name), getattr(new, name)
            if name == "value" and old_value == 0 and new_value is None:
                continue  # earlier versions stored 0 for an unknown value
            if old_value != new_value:
                place = f"move {number}" if name == "move" else f"{name} of move {number}"
                return f"{place} is {_plain(old_value)}; played again {_plain(new_value)}"
    if len(record.moves) != len(other.moves):
        return f"{len(record.moves)} moves; played again {len(other.moves)}"
    for name in ("reason", "result"):
        old_value, new_value = getattr(record, name), getattr(other, name)
        if old_value != new_value:
            return f"{name} is {_plain(old_value)}; played again {_plain(new_value)}"
    return ""


def _specs(job: Job) -> list[str]:
    game = registry.game(job.game)
    return [seats.player(seat.player, game, seat.seed, seat.limit).spec for seat in job.seats]


def _plain(value: object) -> str:
    if isinstance(value, (list, tuple)):
        value = " ".join(map(str, value))
    return "nothing" if value in (None, "") else str(value)
