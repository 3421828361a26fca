"""The public functions refuse arguments of a wrong type in one line, which names the argument."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gameplay
from gameplay.api.arguments import ARGUMENTS, check_arguments
from gameplay.errors import BadInput, GameplayError, Usage
from tests.examples.games.sticks import Sticks

pytestmark = pytest.mark.once

WRONG = [
    True,
    1.5,
    float("nan"),
    10**30,
    "\0",
    "\ud800",
    "a\n\x1b[31m",
    "ab" * 300,
    b"ab",
    [1],
    {"a": 1},
    object(),
    int,
    2j,
]
WRONG_TEST = gameplay.Sprt(elo0=0, elo1=object())
POSITION = gameplay.game("tictactoe").new()
CALLS: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "play_match": (["random", "random"], {"game": "tictactoe", "games": 2}),
    "selfplay": ([], {"game": "tictactoe", "first": "random", "second": "random", "games": 2}),
    "tournament": ([], {"players": ["random", "random"], "game": "tictactoe", "games": 2}),
    "play_plan": ([], {"file": "absent.toml"}),
    "resume": ([], {"run": "last", "store": "absent.db"}),
    "load_run": ([], {"run": "last", "store": "absent.db"}),
    "solve": ([], {"position": "tictactoe", "moves": ["a1", "b2", "c3", "a2", "c2"]}),
    "read_games": ([], {"file": "absent.pgn"}),
    "review": ([], {"game": None}),
    "trace": ([], {"position": POSITION, "engine": "minimax", "depth": 1}),
    "search_tree": ([], {"position": POSITION, "engine": "minimax", "depth": 1}),
}


def arguments(name: str) -> list[str]:
    declared = inspect.signature(getattr(gameplay, name)).parameters.values()
    return [name.name for name in declared if name.kind is not name.VAR_POSITIONAL and name.name != "watch"]


@pytest.mark.parametrize(
    ("name", "argument"), [(name, argument) for name in CALLS for argument in arguments(name)]
)
def test_wrong_values_raise_an_error_of_this_package_in_one_line(
    name: str, argument: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first, rest = CALLS[name]
    refused = 0
    for value in WRONG:
        try:
            getattr(gameplay, name)(*first, **rest | {argument: value})
        except GameplayError as error:
            assert str(error).isprintable() and 0 < len(str(error)) < 800
            refused += 1
    assert refused >= (2 if argument in ("title", "time", "seconds") else 6), "so many of them are wrong"


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("play_match", {"games": "ten"}, "games must be a whole number, not 'ten'. Try: games=100"),
        ("play_match", {"jobs": "2"}, "jobs must be a whole number, not '2'. Try: jobs=2"),
        ("play_match", {"books": 0}, "books must be True or False, not 0. Try: books=True"),
        (
            "play_match",
            {"openings": 1.5},
            "openings must be a number of random plies, a path, or a gameplay.Open",
        ),
        ("play_match", {"store": None}, "store must be True, for your own store, a path, or False, not None"),
        ("tournament", {"players": "random"}, "players must be a list of players, not 'random'"),
        ("solve", {"store": "runs.db"}, "store must be True or False, not 'runs.db'"),
        ("solve", {"moves": "a1"}, "moves must be a list of moves in words, not 'a1'"),
        ("trace", {"position": "tictactoe"}, "position must be a position of a game, not 'tictactoe'. Try: "),
        ("review", {"game": "a.pgn"}, "game must be a game of read_games or of a run, not 'a.pgn'"),
        ("play_match", {"sprt": WRONG_TEST}, "sprt: expected numbers, texts or paths, not {"),
    ],
)
def test_the_error_names_argument_value_and_an_example(name: str, given: dict[str, Any], words: str) -> None:
    first, rest = CALLS[name]
    with pytest.raises(Usage) as error:
        getattr(gameplay, name)(*first, **rest | given)
    assert str(error.value).startswith(words)


def test_paths_that_no_file_can_have_are_bad_input() -> None:
    for path in ("a\0b", "a" * 300):
        with pytest.raises(BadInput):
            gameplay.read_games(path)
        with pytest.raises(BadInput):
            gameplay.play_match("random", "random", game="tictactoe", games=2, store=path)


def test_numbers_and_paths_of_other_libraries_are_accepted(tmp_path: Path) -> None:
    class Four:
        def __index__(self) -> int:
            return 4

    file = tmp_path / "openings.txt"
    file.write_text("a1 b2\na2 b3\n")
    openings = gameplay.Openings(file=file)
    players = ("random", "random")
    played = gameplay.play_match(*players, game="tictactoe", games=Four(), openings=openings)
    assert len(played) == 4 and len(gameplay.selfplay("tictactoe", games=4, openings=file)) == 4


def test_only_arguments_of_the_table_are_checked_and_defaults_are_not() -> None:
    @check_arguments
    def example(games: int | None = None, other: object = 3, *, store: bool = False) -> tuple[object, ...]:
        """Words."""
        return games, other, store

    call: Callable[..., Any] = example
    assert example() == (None, 3, False) and call(5, "x", store=True) == (5, "x", True)
    assert (example.__doc__, list(inspect.signature(example).parameters)) == (
        "Words.",
        ["games", "other", "store"],
    )
    for wrong in ({"games": "x"}, {"store": 1}):
        with pytest.raises(Usage):
            call(**wrong)
    with pytest.raises(TypeError, match="unexpected keyword"):
        call(games=1, gmes=2)
    assert all(argument.read for argument in ARGUMENTS.values())


def test_searches_refuse_other_types_than_position_and_limit() -> None:
    engine: Any = gameplay.engine("minimax:depth=1")
    with pytest.raises(
        Usage, match=r"limit must be a gameplay.Limit or None, not 3. Try: limit=gameplay.Limit"
    ):
        engine.search(POSITION, 3)
    with pytest.raises(Usage, match="position must be a position of a game, not Game"):
        engine.search(gameplay.game("tictactoe"))
    with pytest.raises(Usage, match="text must be a position in the notation of the game, not 5"):
        gameplay.game("tictactoe").new(5)


def test_a_class_with_the_methods_of_a_game_but_another_base_is_refused() -> None:
    class Bare:
        turn = 0
        moves, make, outcome = Sticks.moves, Sticks.make, Sticks.outcome

    game = gameplay.game(Bare)
    with pytest.raises(BadInput, match=r"Bare is not a subclass of gameplay.Position: write class Bare\("):
        game.new()
    with pytest.raises(BadInput, match=r"Bare is not a subclass of gameplay.Position"):
        gameplay.play_match("random", "random", game=Bare, games=2)


@pytest.mark.parametrize("thing", [[], [1], {"a": 1}, {1}])
def test_values_without_a_hash_are_no_engines(thing: object) -> None:
    with pytest.raises(BadInput, match="is not an engine"):
        gameplay.engine(thing)


@pytest.mark.parametrize(
    ("name", "given"),
    [("env", {"max_steps": True}), ("gym", {"seat": True}), ("vector_env", {"num_envs": True})],
)
def test_environments_refuse_flags_for_numbers(name: str, given: dict[str, Any]) -> None:
    pytest.importorskip("pettingzoo")
    numbers = {"num_envs": 2} if name == "vector_env" else {}
    opponent = {"opponent": "random"} if name == "gym" else {}
    with pytest.raises(Usage, match=f"{next(iter(given))} must be a whole number, not True"):
        getattr(gameplay, name)("tictactoe", **opponent | numbers | given)
    assert gameplay.gym("chinese-checkers", opponent="random", rounds=5), "a parameter of the game"
