"""Imperfect-information games against OpenSpiel, and sampling of information sets."""

import gzip
import json
import re
from random import Random
from typing import Any

import pytest

from gameplay.errors import BadInput, IllegalMove, NoMoveMade
from gameplay.position import CHANCE
from gameplay.registry import game
from gameplay.search import worlds
from tests.support.conformance import BUILT_IN
from tests.support.game_trees import TwoMoves
from tests.support.paths import TESTS

FILE = TESTS / "answers" / "openspiel.json.gz"
RECORDS: dict[str, Any] = json.loads(gzip.decompress(FILE.read_bytes()))


def alike(numbers: dict[Any, Any], ours: Any, theirs: Any) -> bool:
    """True if two labellings induce the same partition."""
    return bool(numbers.setdefault(("ours", ours), theirs) == theirs) and bool(
        numbers.setdefault(("theirs", theirs), ours) == ours
    )


@pytest.mark.once
@pytest.mark.parametrize("spec", RECORDS)
def test_random_games_equal_openspiels_step_by_step(spec: str) -> None:
    """The same movers, moves and probabilities, the same information sets, the same payoffs."""
    numbers: dict[Any, Any] = {}
    for play in RECORDS[spec]["plays"]:
        position = game(spec).new()
        for ply, (action, mover, legal) in enumerate(
            zip(play["actions"], play["movers"], play["legal"], strict=True)
        ):
            assert position.outcome() is None
            assert position.turn == mover and sorted(position.moves()) == legal
            if mover == CHANCE:
                odds = play["odds"].get(str(ply), [1 / len(legal)] * len(legal))
                assert position.chances() == pytest.approx(odds)
            else:
                for seat, theirs in enumerate(play["known"][str(ply)]):
                    assert theirs is None or alike(numbers, (seat, position.infoset(seat)), theirs), (
                        ply,
                        play["actions"],
                    )
            position.make(action)
        assert position.outcome() == pytest.approx(play["returns"])


HIDING = [spec for spec in BUILT_IN if game(spec).new().hidden]


@pytest.mark.parametrize(
    "spec", [*HIDING, "bridge:contract=4S,declarer=E,vulnerable=ns", "hearts:players=3,jack=on,passing=right"]
)
def test_initial_keeps_parameters_and_drops_history(spec: str) -> None:
    """With all parameters and without history."""
    position = game(spec).new()
    while position.turn == CHANCE:
        position.make(position.moves()[-1])
    position.make(position.moves()[0])
    start, again = game(spec).new(), position.determinize(0, Random(1)).initial()
    for _ in range(60):
        assert (again.key(), again.turn, again.outcome()) == (start.key(), start.turn, start.outcome())
        if start.outcome() is not None:
            break
        assert list(again.moves()) == list(start.moves())
        for each in (start, again):
            each.make(each.moves()[0])


@pytest.mark.parametrize("spec", HIDING)
def test_unmake_stops_at_the_start(spec: str) -> None:
    position, rng, seen = game(spec).new(), Random(2), []
    while position.outcome() is None and len(seen) < 60:
        seen.append((position.turn, list(position.moves()), str(position)))
        position.make(rng.choice(seen[-1][1]))
    while seen:
        position.unmake()
        assert (position.turn, list(position.moves()), str(position)) == seen.pop()
        assert position.outcome() is None
    with pytest.raises(NoMoveMade, match="no move to take back"):
        position.unmake()


@pytest.mark.parametrize("spec", HIDING)
def test_illegal_moves_are_refused_and_change_nothing(spec: str) -> None:
    position, rng = game(spec).new(), Random(3)
    for _ in range(60):
        before = (position.turn, str(position), position.key())
        moves = [] if position.outcome() is not None else position.moves()
        for move in (None, "As", 1.5, -1, 10**6, 10**20, *({0, max(moves, default=0) + 1} - {*moves})):
            if not isinstance(move, int) or not position.allows(move):
                with pytest.raises(IllegalMove, match="is not a legal move here"):
                    position.make(move)
        assert (position.turn, str(position), position.key()) == before
        if not moves:
            break
        position.make(rng.choice(moves))


@pytest.mark.once
@pytest.mark.parametrize(
    ("spec", "plies"),
    [
        ("phantom-tictactoe", 4),
        ("battleship:rows=2,columns=2,ships=1+2", 6),
        ("liars-dice:dice=2,faces=2", None),
    ],
)
def test_determinize_samples_consistent_positions_by_probability(spec: str, plies: int | None) -> None:
    """Sampled positions against an enumeration of the information set."""
    states = worlds.enumerate_worlds(game(spec).new(), 50_000, plies)
    assert states is not None
    several = [each for each in states.values() if 1 < len(each.weights) <= 60]
    for each in several[:: len(several) // 12]:
        ways = list(each.lines)
        for moves in (ways[0], ways[-1]):
            position = game(spec).new()
            for move in moves:
                position.make(move)
            assert not each.sampling_error(position, seed=1)


@pytest.mark.parametrize(
    ("board", "ships", "fits"),
    [
        ("rows=6,columns=6", "+".join("1" * 26), True),
        ("rows=6,columns=6", "+".join("1" * 27), False),  # there are 26 letters
        ("rows=2,columns=2", "2+2", True),
        ("rows=2,columns=2", "2+2+1", False),
        ("rows=1,columns=4", "4", True),
        ("rows=4,columns=1", "4", True),
        ("rows=4,columns=3", "5", False),
        ("rows=3,columns=3", "3+3+2+1", True),
        ("rows=3,columns=3", "3+2+2+2", True),  # round the middle
        ("rows=26,columns=26", "26", True),
    ],
)
def test_number_of_placements(board: str, ships: str, fits: bool) -> None:
    spec = f"battleship:{board},ships={ships},shots=1000"
    if fits:
        position: Any = game(spec).new()
        count = len(ships.split("+"))
        assert (position.low, position.high) == (-count, count)
        assert position.shots == position.rows * position.columns, "nobody shoots twice at a cell"
    else:
        with pytest.raises(BadInput, match=f"^ships of {re.escape(ships)} do not fit on "):
            game(spec).new()


def test_finished_phantom_game_has_several_histories() -> None:
    """The player knows the result, and that the game had not ended before."""
    ends: dict[tuple[float, ...], int] = {}
    for seed in range(40):
        position, rng = game("phantom-tictactoe").new(), Random(seed)
        while (outcome := position.outcome()) is None:
            position.make(rng.choice(position.moves()))
        ends[outcome] = ends.get(outcome, 0) + 1
        for player in (0, 1):
            other = position.determinize(player, rng)
            assert other.outcome() == outcome and other.infoset(player) == position.infoset(player)
            other.unmake()
            assert other.outcome() is None
    assert len(ends) == 3, "won, lost and drawn"


class Doubles(TwoMoves):
    """Three binary moves: 1 + 2 + 4 + 8 distinct positions."""

    def outcome(self) -> tuple[float, ...] | None:
        return (0, 0) if len(self.path) == 3 else None

    def key(self) -> str:
        return self.path


def test_positions_are_counted_and_there_may_be_too_many() -> None:
    assert worlds.estimate_size(Doubles()) == 15
    assert 1 + 2 < worlds.estimate_size(Doubles(), 3) <= 6, "it looks no further than it must"
    assert worlds.enumerate_worlds(Doubles(), 14) is None
    states = worlds.enumerate_worlds(Doubles(), 15)
    assert states is not None and len(states) == 2 * 7
    assert worlds.enumerate_worlds(Doubles(), 2, plies=1) is None
    near = worlds.enumerate_worlds(Doubles(), 3, plies=1)
    assert near is not None and [list(each.lines) for each in near.values()][::2] == [[()], [(0,)], [(1,)]]


class Endless(Doubles):
    """One move, without end."""

    def moves(self) -> list[int]:
        return [0]

    def outcome(self) -> tuple[float, ...] | None:
        return None


class Odd(Doubles):
    """After a 1 the only move is 1."""

    def moves(self) -> list[int]:
        return [1] if self.path.endswith("1") else [0, 1]


@pytest.mark.once
def test_the_size_of_a_game_is_guessed_from_lines_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    """64 lines of at most 500 moves; an estimate of 1000 times the limit is refused at once."""
    assert worlds.estimate_size(Endless()) == 1 + 500
    rng, total = Random(0), 0
    for _ in range(64):
        bits, width = 0, 1
        for _ in range(3):
            width *= 1 if bits else 2
            total += width
            bits += rng.randrange(1 if bits else 2)
    assert worlds.estimate_size(Odd()) == 1 + total / 64
    for size, known in ((15_000.0, True), (15_001.0, False)):
        asked: list[float] = []
        monkeypatch.setattr(
            worlds, "estimate_size", lambda start, limit, asked=asked, size=size: asked.append(limit) or size
        )
        assert (worlds.enumerate_worlds(Doubles(), 15) is not None) is known and asked == [15_000]


class Drawing:
    """A position that samples one of a few keys by their weights."""

    def __init__(self, weights: dict[str, float]) -> None:
        self.weights = weights

    def determinize(self, player: int, rng: Random) -> "Drawing":
        self.drawn = rng.choices([*self.weights], [*self.weights.values()])[0]
        return self

    def key(self) -> str:
        return self.drawn


@pytest.mark.parametrize(
    ("weights", "wrong"),
    [
        ({"a": 0.5, "b": 0.25, "c": 0.25}, ""),
        ({"a": 0.6, "b": 0.2, "c": 0.2}, ""),  # too near to tell by 260 draws
        ({"a": 2, "b": 1, "c": 0}, "determinize() sampled c 0 times in 260; expected 65.0"),
        ({"a": 2, "b": 1, "d": 1}, "determinize() sampled d, which is not in the information set"),
    ],
)
def test_sampled_positions_match_their_probabilities(weights: dict[str, float], wrong: str) -> None:
    right = worlds.Worlds(0, {"a": 0.1, "b": 0.05, "c": 0.05})
    assert right.sampling_error(Drawing(weights), 1) == wrong


class AlternatingKeys(Drawing):
    """A position that samples the first of two keys n times, then the other."""

    def __init__(self, first: int) -> None:
        self.first, self.samples = first, 0

    def determinize(self, player: int, rng: Random) -> "Drawing":
        self.samples += 1
        self.drawn = "a" if self.samples <= self.first else "b"
        return self


def test_tolerance_of_sampled_frequencies() -> None:
    """Chi-square with one degree of freedom, at most 33.07: 120 + 44 of 240 samples pass, 120 + 45 do not."""
    even = worlds.Worlds(0, {"a": 3.0, "b": 3.0})
    assert (
        even.sampling_error(AlternatingKeys(120), 1)
        == even.sampling_error(AlternatingKeys(164), 1)
        == even.sampling_error(AlternatingKeys(76), 1)
        == ""
    )
    for first, text in ((165, "a 165"), (75, "a 75")):
        assert (
            even.sampling_error(AlternatingKeys(first), 1)
            == f"determinize() sampled {text} times in 240; expected 120.0"
        )
    alone = worlds.Worlds(0, {"a": 0.5})
    drawing = AlternatingKeys(1000)
    assert alone.sampling_error(drawing, 1) == "" and drawing.samples == 200 + 20 + 2
    assert (
        even.sampling_error(AlternatingKeys(241), 1)
        == "determinize() samples different positions from the same seed"
    )


@pytest.mark.parametrize(
    ("played", "payoffs", "ending"),
    [
        ("1 1 1x3 2x6 liar", (1, -1), "doubting 2x6: no dice count"),
        ("3 6 1x3 2x3 liar", (-1, 1), "bidding 2x3: 2 dice count"),
        ("3 1 1x3 2x3 liar", (1, -1), "doubting 2x3: 1 die counts"),
    ],
)
def test_a_game_of_liars_dice_ends_with_the_count(played: str, payoffs: tuple[int, int], ending: str) -> None:
    position = game("liars-dice").new(played)
    assert (position.outcome(), position.ending()) == (payoffs, ending)
