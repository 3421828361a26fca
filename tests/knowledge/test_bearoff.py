"""Bear-off tables: published expectations, probabilities and best play."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import BadInput
from gameplay.kernel import compiled
from gameplay.knowledge import bearoff
from gameplay.knowledge.tables import table_file as tablefile
from gameplay.knowledge.tables.table_file import Subject
from tests.support.endgame_tables import ANSWERS, bearoff_tables

assert bearoff_tables  # fixture


def test_bearoff_expectations_equal_the_published_ones(bearoff_tables: bearoff.Bearoff) -> None:
    for men, throws in ANSWERS["bearoff"]["throws"].items():
        points = [men.count(str(point)) for point in range(1, 7)]
        if sum(points) <= 3 or compiled():
            above, below = throws.split("/")
            assert bearoff_tables.roll_distribution(points)[0] == pytest.approx(
                int(above) / int(below), abs=1e-12
            )
    for men, of_36 in ANSWERS["bearoff"]["one"].items():
        points = [men.count(str(point)) for point in range(1, 7)]
        assert 36 * bearoff_tables.roll_distribution(points)[1][1] == pytest.approx(of_36, abs=1e-9)


def test_chances_of_bearing_off_are_those_of_the_game(bearoff_tables: bearoff.Bearoff) -> None:
    assert (
        bearoff.find_mismatch(bearoff_tables, registry.game("backgammon"), 12 if compiled() else 6, seed=5)
        == ""
    )
    assert bearoff_tables.win_probability([0] * 5 + [1], [1] + [0] * 5) == pytest.approx(27 / 36)
    assert sum(bearoff_tables.roll_distribution([1, 0, 0, 0, 1, 0])[1]) == pytest.approx(1)


def test_the_last_checkers_are_borne_off_optimally(bearoff_tables: bearoff.Bearoff) -> None:
    position = registry.game("backgammon").new()
    position.lay_out([0, 1, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0])
    position.make(position.parse("21"))
    chances = bearoff_tables.move_win_probabilities(position)
    advice = bearoff_tables.advise(position)
    assert advice is not None and {chances[move] for move in advice.moves} == {max(chances.values())}
    position = registry.game("backgammon").new()
    assert bearoff_tables.advise(position) is None


@pytest.mark.once
def test_men_at_home_are_those_on_six_points() -> None:
    for place, counts in (
        (0, [0] * 6),
        (1, [1, *[0] * 5]),
        (6, [*[0] * 5, 1]),
        (7, None),
        (24, None),
        (25, None),
    ):
        men = [0] * 26
        men[place] = 1
        asked: list[int] = []
        stub = SimpleNamespace(checkers=lambda player, men=men, asked=asked: asked.append(player) or men)
        assert bearoff.home_checkers(stub, 1) == counts and asked == [1]


class Throw:
    """A position after a roll; each turn leads to the checkers of both sides and the side to roll next."""

    turn, on_roll, cube, match = 1, 1, 0, 0

    def __init__(self, **after: tuple[list[int], list[int], int, Any]) -> None:
        self.after = {int(name[1:]): chance for name, chance in after.items()}
        self.made: int | None = None
        self.over: Any = None
        self.before = ([1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0])
        self.away = [0] * 26

    def checkers(self, player: int) -> list[int]:
        both = self.before if self.made is None else self.after[self.made][:2]
        at_home = both[player]
        return self.away if at_home is None else [0, *at_home, *[0] * 19]

    def lay_out(self, mine: Any, theirs: Any) -> None:
        raise NotImplementedError

    def moves(self) -> list[int]:
        return list(self.after)

    def make(self, move: int) -> None:
        self.made = move
        self.turn = self.after[move][2]

    def unmake(self) -> None:
        self.made, self.turn = None, type(self).turn

    def outcome(self) -> Any:
        return self.over if self.made is None else self.after[self.made][3]


@pytest.mark.once
def test_turns_are_ranked_by_the_remaining_bearoff(
    bearoff_tables: bearoff.Bearoff, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = [0, 0, 1, 0, 0, 0], [2, 0, 0, 0, 0, 0]

    def win_probability(who: list[int], other: list[int]) -> float | None:
        requests.append((who, other))
        return {1: 0.25, 2: 0.75, 3: 0.25 + 5e-13, 4: None}[sum(other)]

    def borne_off_to(count: int) -> list[int]:
        return [count, 0, 0, 0, 0, 0]

    requests: list[Any] = []
    monkeypatch.setattr(bearoff_tables, "win_probability", win_probability)
    usual: Any = {f"_{count}": (theirs, borne_off_to(count), -1, None) for count in (1, 2, 3)}
    position = Throw(**usual)
    assert bearoff_tables.move_win_probabilities(position) == {1: 0.75, 2: 0.25, 3: 0.75 - 5e-13}
    assert requests == [(theirs, borne_off_to(count)) for count in (1, 2, 3)] and position.made is None
    advice = bearoff_tables.probe(position)
    assert advice is not None and (advice.source, advice.moves) == ("tables", (1, 3)), (
        "as good but for rounding"
    )
    assert (
        bearoff_tables.move_win_probabilities(Throw(**usual, _9=(theirs, borne_off_to(0), 0, (-1, 1))))[9]
        == 1.0
    ), "the game is over"
    for unknown in (
        (theirs, borne_off_to(4), -1, None),  # too many men
        (theirs, borne_off_to(1), 0, None),  # the same player is asked again
        (None, borne_off_to(1), -1, None),
        (theirs, None, -1, None),
    ):
        position = Throw(**usual, _5=unknown)
        position.away[7] = 1
        assert (
            bearoff_tables.move_win_probabilities(position) == {} and bearoff_tables.probe(position) is None
        )
    for fact, value in (("turn", -1), ("over", (1, -1)), ("cube", 1), ("match", 3), ("before", (None, mine))):
        position = Throw(**usual)
        position.away[24] = 1
        setattr(position, fact, value)
        assert bearoff_tables.move_win_probabilities(position) == {}, fact


@pytest.mark.once
def test_win_probabilities_cover_up_to_max_checkers(bearoff_tables: bearoff.Bearoff) -> None:
    few, many = [0, bearoff_tables.max_checkers, 0, 0, 0, 0], [0, bearoff_tables.max_checkers, 1, 0, 0, 0]
    assert bearoff_tables.win_probability(few, few) is not None
    assert (
        bearoff_tables.win_probability(many, few) is None
        and bearoff_tables.win_probability(few, many) is None
    )


@pytest.mark.once
def test_a_value_of_bearing_off_that_is_wrong_is_found(bearoff_tables: bearoff.Bearoff) -> None:
    game = registry.game("backgammon")

    class Wrong:
        """The tables with a small error."""

        max_checkers = bearoff_tables.max_checkers
        move_win_probabilities = staticmethod(bearoff_tables.move_win_probabilities)

        def __init__(self, chance: float, throws: float) -> None:
            self.more = chance, throws

        def win_probability(self, mine: list[int], theirs: list[int]) -> float:
            return (bearoff_tables.win_probability(mine, theirs) or 0.0) + self.more[0]

        def roll_distribution(self, men: list[int]) -> tuple[float, list[float]]:
            mean, shares = bearoff_tables.roll_distribution(men)
            return mean + self.more[1] * (sum(men) == self.max_checkers), shares

    assert (
        bearoff.find_mismatch(Wrong(0.0, 0.0), game, 3)
        == ""
        == bearoff.find_mismatch(Wrong(1e-13, 0.0), game, 3)
    )
    for chance, throws in ((1e-11, 0.0), (-1e-11, 0.0), (0.0, 1e-6), (0.0, -1e-6)):
        text = bearoff.find_mismatch(Wrong(chance, throws), game, 20)
        assert text and game.new(text).text() == text


@pytest.mark.once
def test_files_of_another_game_are_no_tables_of_bearing_off(tmp_path: Path) -> None:
    game = registry.game("backgammon")
    with pytest.raises(BadInput) as refused:
        bearoff.Bearoff(str(tmp_path), game)
    assert str(refused.value) == (
        f"{tmp_path} holds no bear-off tables. Try: gameplay table build backgammon --folder {tmp_path}"
    )
    for wrong in (bearoff.ONE_SIDED, bearoff.TWO_SIDED):
        for name in (bearoff.ONE_SIDED, bearoff.TWO_SIDED):
            subject = Subject("nim" if name == wrong else "backgammon", (("all", 0, 1),), facts={"men": 2})
            tablefile.write(tmp_path / f"{name}.table", subject, {"means": [bytes(8)]})
        with pytest.raises(BadInput) as refused:
            bearoff.Bearoff(str(tmp_path), game)
        assert str(refused.value) == f"{tmp_path / wrong}.table is a table of nim; expected backgammon"
