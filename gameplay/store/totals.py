"""What the games of a run come to. Nothing of it is kept: every figure is a query."""

from dataclasses import dataclass

from gameplay.store.lines import COUNTED, ENDS, STATES
from gameplay.store.runs import Store


@dataclass(frozen=True)
class Score:
    """The results of a player on a seat (from 0). A win: more than every other; a draw: as much."""

    name: str
    seat: int
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """How many are counted."""
        return self.wins + self.draws + self.losses

    def __add__(self, other: "Score") -> "Score":
        return Score(
            self.name, -1, self.wins + other.wins, self.draws + other.draws, self.losses + other.losses
        )


@dataclass(frozen=True)
class Trouble:
    """A game that somebody spoiled. `offender` is a player's name, "" where it was the machine."""

    pair: int
    leg: int
    attempt: int
    state: str
    termination: str
    offender: str
    fault: str


def states(store: Store, run: str) -> dict[str, int]:
    """How many games are in each state."""
    found = dict(store.ask("SELECT state, count(*) FROM game WHERE run = ? GROUP BY state", run))
    return {state: found.get(state, 0) for state in STATES}


def scores(store: Store, run: str) -> list[Score]:
    """A line for each player on each seat, in the order in which they sat down first."""
    rows = store.ask(
        """
        SELECT name, seat, sum(mine > best), sum(mine = best), sum(mine < best) FROM (
            SELECT n.value AS name, n.key AS seat, p.value AS mine, pair, leg,
                (SELECT max(o.value) FROM json_each(payoffs) o WHERE o.key <> n.key) AS best
            FROM game, json_each(names) n, json_each(payoffs) p
            WHERE run = ? AND state = ? AND p.key = n.key
        ) GROUP BY name, seat ORDER BY min(pair), min(leg), seat
        """,
        run,
        COUNTED,
    )
    return [Score(*row) for row in rows]


def together(lines: list[Score]) -> list[Score]:
    """The scores of each player on all seats; their `seat` is -1."""
    found: dict[str, Score] = {}
    for line in lines:
        found[line.name] = found.get(line.name, Score(line.name, -1, 0, 0, 0)) + line
    return list(found.values())


def pairs(store: Store, run: str) -> list[tuple[int, float]]:
    """Each complete pair, in order, with the points of its first player: 0 to the number of its games."""
    return store.ask(
        """
        SELECT pair, sum(points) FROM game WHERE run = ? AND state = ?
        GROUP BY pair HAVING count(*) = max(json_array_length(names)) ORDER BY pair
        """,
        run,
        COUNTED,
    )


def pentanomial(store: Store, run: str) -> list[int]:
    """The counts of pairs of two games that brought the first player 0, 1/2, 1, 3/2 and 2 points.

    Only of the pairs before the first that is not complete: so they do not depend on the order in which
    games that run at the same time end.
    """
    counts = [0] * 5
    for due, (pair, points) in enumerate(pairs(store, run)):
        if pair != due:
            break
        counts[int(2 * points)] += 1
    return counts


def payoffs(store: Store, run: str) -> list[tuple[int, int, list[float]]]:
    """Pair, leg and the payoffs by seat of each game, in order."""
    import json

    query = "SELECT pair, leg, payoffs FROM game WHERE run = ? AND state = ? ORDER BY pair, leg"
    return [(pair, leg, json.loads(text)) for pair, leg, text in store.ask(query, run, COUNTED)]


def terminations(store: Store, run: str) -> dict[str, int]:
    """How the games ended, the most frequent first."""
    query = "SELECT termination, count(*) FROM game WHERE run = ? AND state = ? GROUP BY 1 ORDER BY 2 DESC, 1"
    return dict(store.ask(query, run, COUNTED))


def lengths(store: Store, run: str) -> tuple[float, int, float]:
    """Average plies, longest game in plies, and all seconds of play; zeros where there is no game."""
    query = """SELECT coalesce(avg(plies), 0), coalesce(max(plies), 0), coalesce(sum(seconds), 0)
        FROM game WHERE run = ? AND state = ?"""
    average, longest, seconds = store.ask(query, run, COUNTED)[0]
    return average, longest, seconds


def repeats(store: Store, run: str) -> int:
    """How many games are alike an earlier one, move for move, with the same players on the same seats."""
    query = """SELECT count(*) - count(DISTINCT trail || names) FROM game
        WHERE run = ? AND state = ? AND trail <> ''"""
    return int(store.ask(query, run, COUNTED)[0][0])


def troubles(store: Store, run: str) -> list[Trouble]:
    """The games in which somebody failed, counted or not, in order."""
    query = """SELECT pair, leg, attempt, state, termination, offender, fault FROM game
        WHERE run = ? AND (fault <> '' OR offender <> '' OR state IN ('void', 'quarantined'))
        ORDER BY pair, leg, attempt"""
    found = [Trouble(*row) for row in store.ask(query, run)]
    return [trouble for trouble in found if trouble.termination not in ENDS]


def claims(store: Store, run: str) -> list[Trouble]:
    """The games that ended as usual and whose result a program contradicted, in order."""
    query = """SELECT pair, leg, attempt, state, termination, offender, fault FROM game
        WHERE run = ? AND fault <> '' ORDER BY pair, leg, attempt"""
    found = [Trouble(*row) for row in store.ask(query, run)]
    return [claim for claim in found if claim.termination in ENDS]
