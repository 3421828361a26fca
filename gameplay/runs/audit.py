"""Verifies a stored game: against the plan, by the rules, and by playing it again."""

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
    """True if an external program plays."""
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
    due: list[tuple[str, object, object]] = [
        ("game", record.game, registry.game(job.game).spec),
        ("players", record.players, record.players if has_external_player(job) else _specs(job)),
        ("seed", record.seed, job.seed),
        ("start", record.start, job.start),
        ("opening", words[: len(job.moves)], tuple(job.moves)),
    ]
    for what, actual, right in due:
        if actual != right:
            return f"{what} is {_plain(actual)}, and the plan makes it {_plain(right)}"
    return _check_rules(record, words)


def _check_rules(record: Record, words: Sequence[str]) -> str:
    try:
        game = registry.game(record.game)
        match = Match(game, [EmptySeat() for _ in record.players], record.start, words)
    except GameplayError as error:
        return str(error)
    if record.reason != RULES:
        return f"ended as {record.reason or 'nothing'}, and by the rules before" if match.over() else ""
    if not match.over():
        return f"the game is not over after its {len(words)} moves"
    assert match.payoffs is not None
    if record.result is None or tuple(record.result) != match.payoffs:
        return f"result {_plain(record.result)}, and by the rules {_plain(match.payoffs)}"
    return ""


def replay_job(job: Job) -> GameResult | str:
    """Play the game again: its result, or an error message. Runs in a worker process."""
    try:
        return play(job)
    except GameplayError as error:
        return str(error)


def search_again(record: Record, game: GameResult | str) -> str:
    """The first difference between a game and its repetition; "" if there is none."""
    if isinstance(game, str) or game.record is None:
        return f"played again: {game if isinstance(game, str) else game.fault}"
    other = game.record
    for number, (old, new) in enumerate(zip(record.moves, other.moves, strict=False), 1):
        for what in COMPARED_FIELDS:
            old_value, new_value = getattr(old, what), getattr(new, what)
            if what == "value" and old_value == 0 and new_value is None:
                continue  # earlier versions wrote 0 where no value was known
            if old_value != new_value:
                at = f"move {number}" if what == "move" else f"{what} of move {number}"
                return f"{at} is {_plain(old_value)}, and played again {_plain(new_value)}"
    if len(record.moves) != len(other.moves):
        return f"{len(record.moves)} moves, and played again {len(other.moves)}"
    for what in ("reason", "result"):
        old_value, new_value = getattr(record, what), getattr(other, what)
        if old_value != new_value:
            return f"{what} is {_plain(old_value)}, and played again {_plain(new_value)}"
    return ""


def _specs(job: Job) -> list[str]:
    game = registry.game(job.game)
    return [seats.player(seat.player, game, seat.seed, seat.limit).spec for seat in job.seats]


def _plain(value: object) -> str:
    if isinstance(value, (list, tuple)):
        value = " ".join(map(str, value))
    return "nothing" if value in (None, "") else str(value)
