"""Aggregate queries on the games of a run; nothing is cached. Wins are counted in `runs.summary`."""

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta, MsgspecError, json

from gameplay.store.jsonl import COUNTED, NORMAL_TERMINATIONS, STATES
from gameplay.store.runs import Store

Natural = Annotated[int, Meta(ge=0, lt=1 << 53)]
Amount = Annotated[float, Meta(ge=0, lt=1e15)]
Fault = tuple[Natural, Natural, Natural, str, str, str, str]


@dataclass(frozen=True)
class FailedGame:
    """A failed game. offender: the player at fault, "" for the machine."""

    pair: int
    leg: int
    attempt: int
    state: str
    termination: str
    offender: str
    fault: str


def count_states(store: Store, run: str) -> dict[str, int]:
    """The number of games in each state."""
    query = "SELECT state, count(*) FROM game WHERE run = ? GROUP BY state"
    states = dict(store.query(query, run, kind=tuple[str, int]))
    return {state: states.get(state, 0) for state in STATES}


def results(store: Store, run: str) -> list[tuple[int, int, list[str], list[float]]]:
    """Pair, leg, names and payoffs by seat of each counted game, in order."""
    query = "SELECT pair, leg, names, payoffs FROM game WHERE run = ? AND state = ? ORDER BY pair, leg"
    results = []
    for pair, leg, names, payoffs in store.query(query, run, COUNTED, kind=tuple[Natural, Natural, str, str]):
        try:
            game = pair, leg, json.decode(names, type=list[str]), json.decode(payoffs, type=list[float])
        except MsgspecError as error:
            raise store.damage_error(f"pair {pair}, leg {leg}: {error}") from None
        if len(game[2]) != len(game[3]):
            raise store.damage_error(
                f"pair {pair}, leg {leg}: {len(game[2])} players have {len(game[3])} payoffs"
            )
        results.append(game)
    return results


def count_terminations(store: Store, run: str) -> dict[str, int]:
    """The number of games by termination, most frequent first."""
    query = "SELECT termination, count(*) FROM game WHERE run = ? AND state = ? GROUP BY 1 ORDER BY 2 DESC, 1"
    return dict(store.query(query, run, COUNTED, kind=tuple[str, int]))


def game_lengths(store: Store, run: str) -> tuple[float, int, float]:
    """The mean and maximum number of plies, and the total seconds; zeros without games."""
    query = """SELECT coalesce(avg(plies), 0), coalesce(max(plies), 0), coalesce(sum(seconds), 0)
        FROM game WHERE run = ? AND state = ?"""
    average, longest, seconds = store.query(query, run, COUNTED, kind=tuple[Amount, Natural, Amount])[0]
    return average, longest, seconds


def count_repeats(store: Store, run: str) -> int:
    """The number of games that repeat an earlier one: same moves, same players on the same seats."""
    query = """SELECT count(*) - count(DISTINCT trail || names) FROM game
        WHERE run = ? AND state = ? AND trail <> ''"""
    return int(store.query(query, run, COUNTED)[0][0])


def failed_games(store: Store, run: str) -> list[FailedGame]:
    """The games with a failure, counted or not, in order."""
    query = """SELECT pair, leg, attempt, state, termination, offender, fault FROM game
        WHERE run = ? AND (fault <> '' OR offender <> '' OR state IN ('void', 'quarantined'))
        ORDER BY pair, leg, attempt"""
    games = [FailedGame(*row) for row in store.query(query, run, kind=Fault)]
    return [game for game in games if game.termination not in NORMAL_TERMINATIONS]


def disputed_games(store: Store, run: str) -> list[FailedGame]:
    """The normally ended games whose result a program disputed, in order."""
    query = """SELECT pair, leg, attempt, state, termination, offender, fault FROM game
        WHERE run = ? AND fault <> '' ORDER BY pair, leg, attempt"""
    games = [FailedGame(*row) for row in store.query(query, run, kind=Fault)]
    return [game for game in games if game.termination in NORMAL_TERMINATIONS]
