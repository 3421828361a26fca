"""Plain UCT: it never loses tic-tac-toe, finds the values of small trees, and plays every kind of game."""

import gc
from collections import Counter
from typing import Any

import pytest

from gameplay import CHANCE, Limit, Position, Report, registry
from gameplay.engines.mcts.arena import Arena
from gameplay.errors import Fault, Usage
from gameplay.games.tree import Tree
from gameplay.kernel import compiled
from gameplay.search.session import Session
from tests.support.paths import ROOT, TESTS

TREES = ROOT / "gameplay" / "games" / "tree" / "files"
GAMES = TESTS / "examples" / "games"


def search(position: Any, spec: str, limit: Limit | None = None, **more: Any) -> Report:
    engine, own = registry.engine(f"mcts:{spec}" if spec else "mcts")
    limit = Limit() if limit is None else limit
    return engine.search(position, limit.with_(simulations=limit.simulations or own.simulations), **more)


def tree(name: str) -> Any:
    return registry.game(str(TREES / f"{name}.toml")).new()


# -- tic-tac-toe ---------------------------------------------------------------------------------


def losses(position: Any, session: Session, side: int, known: dict[Any, int]) -> int:
    """The number of lines that `side` loses with the engine's moves; the other side tries everything."""
    payoffs = position.outcome()
    if payoffs is not None:
        return int(payoffs[side] < 0)
    lost = 0
    if position.turn == side:
        key = position.key()
        if key not in known:
            known[key] = session.search(position, Limit(simulations=3000)).move
        moves = [known[key]]
    else:
        moves = position.moves()
    for move in moves:
        position.make(move)
        lost += losses(position, session, side, known)
        position.unmake()
    return lost


@pytest.mark.skipif(not compiled(), reason="only quick enough when compiled")
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("seed", [1, 2])
def test_mcts_never_loses_tic_tac_toe(side: int, seed: int) -> None:
    session = Session(registry.engine(f"mcts:seed={seed}")[0])
    assert losses(registry.game("tictactoe").new(), session, side, {}) == 0


@pytest.mark.parametrize("seed", [1, 2])
def test_mcts_draws_against_perfect_play(seed: int) -> None:
    position = registry.game("tictactoe").new()
    players = [
        Session(registry.engine(f"mcts:seed={seed}")[0]),
        Session(registry.engine("alphabeta:table=1MB,depth=9")[0]),
    ]
    for first in (0, 1):
        while position.outcome() is None:
            limit = Limit(simulations=1500) if position.turn == first else Limit(depth=9)
            position.make(players[position.turn ^ first].search(position, limit).move)
        assert position.outcome() == (0, 0)
        while position.made:
            position.unmake()


# -- values --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "near", "move"),
    [
        *(("two-ply", 3, 0.4, None), ("chance", 2.1, 0.01, "a1"), ("chance-stretched", 40.9, 2, "a2")),
        *(("moves-again", 6, 0.4, None), ("lecture", 3, 0.4, None), ("deep-cutoff", 5, 0.01, None)),
    ],
)
def test_small_trees(name: str, value: float, near: float, move: str | None) -> None:
    """The mean includes bad moves that were tried, so it approaches the value slowly."""
    if not compiled() and near > 0.1:
        pytest.skip("only quick enough when compiled")
    position = tree(name)
    report = search(position, f"sims={20000 if compiled() else 4000}")
    assert report.value == pytest.approx(value, abs=near)
    assert move is None or position.format(report.move) == move
    best = registry.engine("expectiminimax")[0].search(position, Limit(depth=20))
    assert report.move == best.move


def test_three_players_each_for_themselves() -> None:
    """By hand: at b1 the second takes 5, so the first gets 2 there, and 3 by a2, where the third chooses."""
    data = {
        "players": ["A", "B", "C"],
        "A": {
            "a1": {"B": {"b1": [9, 1, 0], "b2": [2, 5, 0]}},
            "a2": {"C": {"c1": [3, 0, 4], "c2": [8, 0, 1]}},
        },
    }
    position = Tree.of(data)
    report = search(position, "sims=3000", Limit(multipv=2))
    assert position.format(report.move) == "a2"
    assert report.values == pytest.approx((3, 0, 4), abs=0.3)
    assert report.value == report.values[0]
    assert [len(candidate.values) for candidate in report.candidates] == [3, 3]
    assert [position.format(report.pv[0]), len(report.pv)] == ["a2", 2]


@pytest.mark.parametrize(("name", "values"), [("ultimatum", (3, 1)), ("chain-store", (2, 2))])
def test_two_players_of_a_general_sum_game(name: str, values: tuple[float, float]) -> None:
    report = search(tree(name), "sims=5000")
    assert report.values == pytest.approx(values, abs=0.3)


def test_single_player_games_are_searched() -> None:
    position = Tree.of({"players": ["solo"], "solo": {"a": {"chance": {"x": [4], "y": [0]}}, "b": [3]}})
    report = search(position, "sims=2000", Limit(multipv=2))
    assert position.format(report.move) == "b"
    assert {
        position.format(candidate.move): round(candidate.values[0]) for candidate in report.candidates
    } == {"a": 2, "b": 3}


# -- chance and lots -----------------------------------------------------------------------------


def test_rolls_are_sampled_by_probability_and_moves_uniformly() -> None:
    """The first simulations of many seeds: 0.9 * 1 + 0.1 * 11 = 2; and a third each of 0, 3 and 6."""
    thrown = Tree.of({"max": {"a": {"chance": {"x 0.9": 1, "y 0.1": 11}}}})
    chosen = Tree.of({"max": {"a": {"min": [0, 3, 6]}}})
    for position, mean, values in (
        (thrown, 2, {1: 0.9, 11: 0.1}),
        (chosen, 3, {0: 1 / 3, 3: 1 / 3, 6: 1 / 3}),
    ):
        seen = Counter(search(position, f"sims=1,memory=1MB,seed={seed}").value for seed in range(600))
        assert {value: n / 600 for value, n in seen.items()} == pytest.approx(values, abs=0.06)
        assert sum(value * n for value, n in seen.items()) / 600 == pytest.approx(mean, abs=0.4)


def test_a_seed_decides_everything() -> None:
    for game in ("connect4", str(GAMES / "pig.py"), str(GAMES / "thrice.py")):
        position = registry.game(game).new()
        first, again, other = (search(position, f"sims=300,seed={seed}") for seed in (7, 7, 8))
        assert (first.candidates, first.nodes, first.pv) == (again.candidates, again.nodes, again.pv)
        assert (first.candidates, first.nodes) != (other.candidates, other.nodes)


# -- limits, reports, refusals -------------------------------------------------------------------


@pytest.mark.parametrize("options", ["", ",root=halving"])
@pytest.mark.parametrize("spec", ["go:size=5", "tictactoe", "tictactoe:players=3"])
def test_few_candidates_are_the_first_of_all(spec: str, options: str) -> None:
    position = registry.game(spec).new()
    options = f"sims={400 if compiled() else 150}{options}"
    for _ in range(3):
        every = search(position, options, Limit(multipv=99))
        assert len(every.candidates) > 5
        few = search(position, options, Limit(multipv=2))
        assert few.candidates == every.candidates[:2]
        assert few.visited == every.visited
        position.make(position.moves()[0])


def test_simulations_are_counted() -> None:
    position = registry.game("tictactoe").new()
    before = (position.key(), position.turn)
    report = search(position, "sims=1000", Limit(multipv=9))
    assert (report.visits, report.stopped, report.bound, report.depth) == (
        1000,
        "simulations",
        "expectation",
        0,
    )
    assert sum(candidate.visits for candidate in report.candidates) == 1000
    visits = [candidate.visits for candidate in report.candidates]
    assert visits == sorted(visits, reverse=True)
    assert report.value == report.candidates[0].value
    assert -1 <= report.value <= 1
    assert report.pv == report.candidates[0].pv
    assert report.nodes > 1000
    assert (position.key(), position.turn) == before
    assert search(position, "sims=5").visits == 5


@pytest.mark.parametrize("game", ["connect4", "chess", "othello", "checkers", str(GAMES / "dice_race.py")])
def test_search_respects_the_node_limit(game: str) -> None:
    position = registry.game(game).new()
    before = (position.key(), position.turn, str(position))
    first = search(position, "c=1.0,sims=1").nodes
    for nodes in (1, 50, 3000):
        report = search(position, "c=1.0", Limit(nodes=nodes))
        assert max(1, nodes - 1) <= report.nodes <= max(nodes, 1 + len(position.moves()))
        assert (report.bound == "expectation") == (report.visits > 0) == (nodes >= first)
        assert report.stopped == "nodes"
        assert report.move in position.moves()
        assert (position.key(), position.turn, str(position)) == before


def test_reports_during_a_simulation_search_can_stop_it() -> None:
    position = registry.game(str(GAMES / "dice_race.py")).new()
    seen: list[Report] = []

    def watch(report: Report) -> bool:
        seen.append(report)
        return report.visits > 100

    report = registry.engine("mcts")[0].search(position, Limit(nodes=10**9), watch)
    assert report.stopped == "interrupted"
    assert report.final
    assert seen[-1].visits > 100
    assert [statistic.visits for statistic in seen] == sorted(statistic.visits for statistic in seen)
    assert len(seen[-1].values) == 3


def test_search_is_restricted_to_the_given_moves() -> None:
    position = registry.game("tictactoe").new()
    report = search(position, "sims=200", Limit(moves=(0, 8), multipv=9))
    assert {candidate.move for candidate in report.candidates} == {0, 8}


def test_mcts_refuses_imperfect_information() -> None:
    with pytest.raises(Usage, match="imperfect information"):
        search(registry.game(str(GAMES / "kuhn.py")).new(), "sims=1")


class Cheat(Position):
    """Raises, or returns invalid odds, at the call set by the test."""

    chance = True

    def __init__(self, odds=(0.5, 0.5), broken=""):
        super().__init__()
        self.odds, self.broken = odds, broken
        self.made = []

    def moves(self):
        return [0, 1]

    def make(self, move):
        self.made.append(self.turn)
        self.turn = CHANCE if self.turn == 0 else 1
        if self.broken == "make" and len(self.made) == 2:
            raise ValueError("no")

    def unmake(self):
        self.turn = self.made.pop()

    def chances(self):
        return self.odds

    def outcome(self):
        if len(self.made) < 3:
            return None
        return (1,) if self.broken == "outcome" else (1, -1)


@pytest.mark.parametrize("engine", ["mcts:sims=50", "expectiminimax"])
@pytest.mark.parametrize(
    ("odds", "wrong"),
    [
        ((0.5,), r"chances\(\) returned 1 probabilities for 2 moves"),
        ((0.5, 0.4), r"chances\(\) returned \[0.5, 0.4\]: probabilities are 0 or more and sum to 1"),
        ((1.5, -0.5), r"chances\(\) returned \[1.5, -0.5\]: probabilities"),
        ((float("nan"), 1), r"chances\(\) returned"),
    ],
)
def test_invalid_priors_are_reported_in_one_line(engine: str, odds: Any, wrong: str) -> None:
    with pytest.raises(Fault, match=wrong) as caught:
        searcher, limit = registry.engine(engine)
        searcher.search(Cheat(odds), limit or Limit(depth=4))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("broken", "error"), [("make", ValueError), ("outcome", Fault)])
@pytest.mark.parametrize("engine", ["mcts:sims=50", "expectiminimax"])
def test_exceptions_of_the_game_propagate(engine: str, broken: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        searcher, limit = registry.engine(engine)
        searcher.search(Cheat(broken=broken), limit or Limit(depth=4))


# -- who plays what ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "engine"),
    [
        *(
            ("connect4", "iterative"),
            ("chess", "selective"),
            ("go", "mcts"),
            ("thrice.py", "mcts"),
            ("dice_race.py", "mcts"),
        ),
        *(("pig.py", "mcts"), ("chance.toml", "expectiminimax"), ("three-players.toml", "maxn")),
        *(("ultimatum.toml", "maxn"), ("two-ply.toml", "iterative"), ("kuhn.py", "ismcts")),
    ],
)
def test_the_usual_engine_of_each_kind_of_game(game: str, engine: str) -> None:
    place = TREES / game if game.endswith(".toml") else GAMES / game if game.endswith(".py") else game
    assert registry.default_engine(registry.game(str(place)).new()).name == engine


# -- a game and an engine in a file of one's own, on all roads -------------------------------------


def play_match(game: str, specs: list[str], seed: int) -> tuple[tuple[float, ...], list[str]]:
    """The payoffs and the moves of a match."""
    from gameplay.matches.match import Match
    from gameplay.players import seats

    game_class = registry.game(game)
    players = [seats.player(spec, game_class, seed + number) for number, spec in enumerate(specs)]
    match = Match(game_class, players, seed=seed)
    match.play()
    assert match.payoffs is not None
    return match.payoffs, match.words()


RACE = str(GAMES / "dice_race.py")


def test_a_race_with_dice_for_three_keeps_the_laws() -> None:
    from tests.support.conformance import check

    verdict = check(registry.game(RACE), plays=30)
    assert verdict.broken == []
    assert verdict.finished == 30


def test_mcts_beats_random_play_in_a_race() -> None:
    """In every seat, against two random players: more total payoff than each of them."""
    sums = [0.0, 0.0]
    for seed in range(6):
        for seat in range(3):
            specs = ["random"] * 3
            specs[seat] = "mcts:sims=60"
            payoffs, _ = play_match(f"{RACE}:track=8", specs, seed)
            sums[0] += payoffs[seat]
            sums[1] += (sum(payoffs) - payoffs[seat]) / 2
    assert sums[0] > 1.3 * sums[1]


@pytest.mark.parametrize(
    "game", [RACE, str(GAMES / "pig.py"), str(TREES / "chance.toml"), str(GAMES / "thrice.py")]
)
def test_a_level_plays_these_games_reproducibly(game: str) -> None:
    count = registry.game(game).new().players
    specs = ["level:2", *["random"] * (count - 1)]
    assert play_match(game, specs, 5) == play_match(game, specs, 5)


def test_an_engine_in_a_file_plays_as_any_other() -> None:
    greedy = str(TESTS / "examples" / "engines" / "greedy.py")
    payoffs, words = play_match("tictactoe", [greedy, f"{greedy}:backwards=on"], 1)
    assert payoffs == (1, -1)
    assert words == ["a1", "c3", "b1", "b3", "c1"]
    assert len(play_match(RACE, [greedy, "mcts:sims=20", f"{greedy}:Greedy"], 1)[0]) == 3


def test_only_the_session_references_the_tree() -> None:
    """A tree that waits for the cycle collector would hold its memory, game after game."""
    gc.collect()
    gc.disable()
    try:
        for threads in (1, 2):
            session = Session(registry.engine(f"mcts:threads={threads},memory=1MB")[0])
            session.search(registry.game("connect4").new(), Limit(simulations=200))
            del session
        trees = [object for object in gc.get_objects() if isinstance(object, Arena)]
    finally:
        gc.enable()
    assert not trees


def test_game_without_hints_has_playouts_without_prior() -> None:
    from gameplay.lessons.uct import PGame

    engine: Any = registry.engine("mcts")[0]
    go, python = registry.game("go:size=5").new(), PGame(1, 12)
    values = [
        (engine.prior_in(searcher), engine.c_in(searcher), engine.rave_in(searcher))
        for searcher in (go, python)
    ]
    assert values == [("hint", 0.05, 200.0), ("off", 0.7, 0.0)]


AHEAD = "..X.O/..X.O/..X.O/..X.O/..X.O"  # 15 points for Black, 5 and komi for White, 5 for neither


@pytest.mark.parametrize(
    ("game", "position", "passes"),
    [
        ("go:size=5,komi=0.5", f"{AHEAD} white pass", True),
        ("go:size=5,komi=0.5,goal=points", "..XO./..XO./..XO./..XO./..XO. white pass", True),
        ("go:size=5,komi=0.5", f"{AHEAD} black pass", False),
        ("go:size=5,komi=10.5", f"{AHEAD} black pass", True),
        ("go", "pass", True),
    ],
)
def test_a_pass_after_a_pass_is_made_if_it_wins(game: str, position: str, passes: bool) -> None:
    """The pass ends the game: the leading side passes at once, the other plays on."""
    opened = registry.game(game).new(position)
    report = search(opened, "", Limit(simulations=200))
    assert (opened.format(report.move) == "pass") is passes
    opened.make(report.move)
    outcome = opened.outcome()
    assert outcome[1 - opened.turn] > 0 if passes else outcome is None
