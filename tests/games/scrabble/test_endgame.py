"""The Scrabble endgame solver against every line of play."""

from random import Random

import pytest

from gameplay import registry
from gameplay.games.scrabble.endgame import EndgameSolver
from gameplay.games.scrabble.game import FIRST, Scrabble
from gameplay.games.scrabble.plays import Placer
from gameplay.position import CHANCE
from gameplay.search.limit import Limit
from gameplay.search.session import Session
from tests.support.golden import golden
from tests.support.scrabble import FEW, empty_bag, position_of, random_position, tiles


def endgame_position(seed: int, most: int) -> Scrabble | None:
    """The position of a game of top-ranked moves, once at most so many tiles are on the racks."""
    position = random_position(seed, 18)
    while position.outcome() is None and (position.turn == CHANCE or position.bag_size()):
        position.make(position.top_moves(1)[0][0] if position.turn >= 0 else position.moves()[0])
    while position.outcome() is None and sum(map(len, position.state.racks)) > most:
        position.make(position.top_moves(1)[0][0])
    return position if position.outcome() is None else None


def best(position: Scrabble) -> float:
    """The first player's payoff under best play, by searching every line to its end."""
    payoffs = position.outcome()
    if payoffs is not None:
        return payoffs[0]
    mover, values = position.turn, []
    for move in position.moves():
        position.make(move)
        values.append(best(position))
        position.unmake()
    return max(values) if mover == 0 else min(values)


def check_solution(position: Scrabble) -> None:
    """Fail unless the value of the endgame search is that of every line to the end, and its move keeps it."""
    position.state = position.state._replace(scoreless=4)  # two more turns without points end it
    mover, number = position.turn, position.finish(None, 0)
    assert number is not None
    move, value, exact, _ = number
    worth = best(position) * (1 if mover == 0 else -1)
    assert (value, exact) == (100 * worth, True)
    position.make(move)
    assert best(position) * (1 if mover == 0 else -1) == worth


@pytest.mark.once
def test_endgame_value_equals_exhaustive_search() -> None:
    positions = [position for seed in range(8) if (position := endgame_position(seed, 3)) is not None]
    assert len(positions) >= 2
    for position in positions:
        check_solution(position)


@pytest.mark.parametrize("racks", [("AE", "D"), ("E", "AN"), ("?", "T")])
def test_the_end_is_solved_in_both_builds(racks: tuple[str, str]) -> None:
    check_solution(empty_bag(position_of({8: ".......AD"}, racks, words=FEW)))


@pytest.mark.parametrize("seed", range(4))
def test_random_racks_are_solved_like_every_line(seed: int) -> None:
    rng = Random(seed)
    letters = "AADDEEHILNNORSTT"
    held = tuple("".join(rng.sample(letters, count)) for count in rng.choice(((3, 2), (2, 3), (3, 1))))
    check_solution(empty_bag(position_of({7: "......H..T", 8: "......AID"}, held, words=FEW)))


# The racks, the turns without points so far, and where to stop: after so many plies, or positions (0: never).
ENDS = (
    ("AE", "D", 0, 60, 0),
    ("?", "TI", 4, 60, 0),
    ("??", "ET", 5, 60, 0),
    ("A??", "LR", 4, 2, 0),
    ("ILT?", "AES", 3, 1, 0),
    ("ENOT", "D?", 0, 2, 0),
    ("RESINOI", "ADEN", 0, 1, 0),
    ("AE", "ND", 0, 60, 5),
    ("AE", "ND", 0, 60, 1),
    ("X", "O", 5, 60, 0),
    ("T", "", 0, 60, 0),
)


def test_endgame_searches_equal_the_stored_ones() -> None:
    log = []
    for mine, theirs, turns, depth, most in ENDS:
        position = position_of({7: "......H..T", 8: "......AID"}, (mine, theirs), words=FEW)
        solver = EndgameSolver(Placer(position.lexicon), None, most)
        state = position.state
        result = solver.solve(state.cells, *map(tiles, (mine, theirs)), turns, depth)
        again = solver.solve(state.cells, *map(tiles, (mine, theirs)), turns, depth)  # the table is filled
        if result is not None and again is not None and result[2] and again[2]:
            assert result[1] == again[1], "an exact value does not depend on what the table holds"
        assert result is None or result[0] in position.moves()
        says = [
            f"{position.format(move)} {value} {exact}" if result else "nothing"
            for result in (result, again)
            for move, value, exact in (result or (0, 0, False),)
        ]
        log.append(
            f"{mine} {theirs} {turns} {depth} {most}: {', '.join(says)}, {solver.nodes} nodes, {solver.depth}"
        )
    golden("scrabble_ends", "\n".join(log) + "\n")


@pytest.mark.parametrize("challenge", ["free", "double"])
def test_endgame_is_solved_with_challenges(challenge: str) -> None:
    position = empty_bag(position_of({8: ".......AD"}, ("AE", "ND"), words=FEW, challenge=challenge))
    position.make(next(move for move in position.moves() if move >= FIRST))
    assert position.state.before_play is not None
    check_solution(position)
    position.state = position.state._replace(valid=False)
    assert position.finish(None, 0) is None, "it is challenged"


@pytest.mark.once
def test_the_end_is_played_out_by_search_within_its_limits() -> None:
    position = next(filter(None, (endgame_position(seed, 4) for seed in range(20))))
    engine, _ = registry.engine("rollout")
    report = Session(engine).search(position, Limit(simulations=400))
    assert report.exact and report.bound == "exact" and report.value == report.candidates[0].value
    assert position.finish(None, 1) is None, "nothing is known after one position"
    three = random_position(1, 4, words=FEW, players=3)
    assert three.finish(None, 0) is None and random_position(1, 2).finish(None, 0) is None
