"""Rote learning: positions stored, used, refreshed and discarded, against values computed by hand."""

import json
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

from gameplay import Evaluation, registry
from gameplay.errors import BadInput
from gameplay.evaluation import RoteEvaluation, by_name, select_evaluation
from gameplay.knowledge.books.fingerprint import fingerprint
from gameplay.knowledge.rote import RoteRecord, discount
from gameplay.learning.rote import RoteMemory, RoteTrainer, first_age
from gameplay.learning.run import LearningRun, LearningSettings
from gameplay.value import MAX_EVAL, WIN
from tests.support.game_trees import TwoMoves
from tests.support.learning import finish_run, learn_status

FILES = ("run.json", "records.rote", "games.jsonl")
SMALL = LearningSettings(
    "checkers", "samuel", "rote", games=3, depth=1, plies=30, opening=1, records=40, age=12
)


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


# -- the memory --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "plies", "result"),
    [
        (100, 3, 97),
        (-100, 3, -97),
        (2, 3, 0),  # never of the other sign
        (0, 3, 0),
        (WIN - 5, 3, MAX_EVAL - 8),  # a win in 5, seen from 3 plies earlier
        (5 - WIN, 3, 8 - MAX_EVAL),
    ],
)
def test_value_is_smaller_for_each_ply(value: int, plies: int, result: int) -> None:
    assert discount(value, plies) == result


def test_nearer_win_is_preferred_and_farther_loss() -> None:
    assert discount(WIN - 3, 2) > discount(WIN - 5, 2) > discount(900, 2) > discount(900, 4)
    assert discount(3 - WIN, 2) < discount(5 - WIN, 2)


def test_ages_on_paper() -> None:
    """With 8 ages a new record has age 6: it is discarded after two, or after five if it was used once."""
    memory = RoteMemory(most=100, oldest=8)
    assert first_age(8) == 6
    assert memory.store(1, 50, 3) and memory.store(2, -50, 3)
    memory.refresh({2})
    assert (memory.records[1].age, memory.records[2].age) == (6, 3)
    memory.age()
    assert (memory.records[1].age, memory.records[2].age) == (7, 4)
    memory.age()
    assert set(memory.records) == {2} and memory.forgotten == 1
    memory.refresh({2})  # 5 // 2
    assert memory.records[2].age == 2
    for _ in range(5):
        memory.age()
    assert memory.records[2].age == 7
    memory.age()
    assert memory.records == {} and memory.forgotten == 2


def test_record_keeps_the_value_of_more_plies() -> None:
    memory = RoteMemory(most=100, oldest=8)
    assert memory.store(1, 50, 6)
    assert not memory.store(1, 20, 3)
    assert memory.records[1] == RoteRecord(50, 6, 6)
    assert not memory.store(1, 30, 9)
    assert memory.records[1] == RoteRecord(30, 9, 6)


def test_records_of_the_fewest_plies_are_discarded() -> None:
    """Down to three quarters of the limit; of equal plies the oldest are discarded first."""
    memory = RoteMemory(most=4, oldest=8)
    for key, plies in ((1, 3), (2, 9), (3, 3), (4, 6)):
        memory.store(key, 0, plies)
    memory.refresh({1})
    memory.cull()
    assert set(memory.records) == {1, 2, 3, 4}  # four are not too many
    memory.store(5, 0, 12)
    memory.cull()
    assert set(memory.records) == {2, 4, 5} and memory.discarded == 2
    memory = RoteMemory(most=4, oldest=8)
    for key in range(5):
        memory.store(key, 0, 3)
    memory.refresh({1, 2, 4})
    memory.cull()
    assert set(memory.records) == {1, 2, 4}


# -- searches ----------------------------------------------------------------------------------------------


class Trap(TwoMoves):
    """Two moves each turn. After 0 0 the position looks level and is lost for the first player."""

    values = {"00": 10, "01": 10, "10": 5, "11": 5} | {
        "00" + "".join(rest): -50 for rest in product("01", repeat=2)
    }
    evaluations = by_name("trap", Evaluation("terms", "a value", {"value": 1}, max_weight=100, scale=1))

    def outcome(self) -> tuple[int, int] | None:
        return (0, 0) if len(self.path) == 8 else None

    def evaluate(self) -> int:
        value = self.values.get(self.path, 0)
        return value if self.turn == 0 else -value


def trainer(game: Any, depth: int, engine: str = "iterative:table=off") -> RoteTrainer:
    rules = registry.game(game)
    evaluation = next(evaluation for evaluation in rules.new().evaluations.values() if evaluation.scale)
    return RoteTrainer(rules, evaluation, registry.engine(engine)[0], 1, depth, 70, 1)


def test_stored_position_changes_a_later_move() -> None:
    """Two plies find 10 after move 0. With 0 0 stored as -50 they find -48 there and 5 after move 1."""
    learner = trainer(Trap, 2)
    root, lost = Trap(), Trap()
    lost.make(0), lost.make(0)
    first = learner.think(root, 0)
    assert (first.move, first.value, first.plies, first.source, first.new) == (0, 10, 2, 0, True)
    assert learner.think(lost, 2).value == -50
    second = learner.think(root, 0)
    assert (second.move, second.value, second.plies, second.source) == (1, 5, 2, 0)
    assert (second.used, second.new) == (1, False)
    age = first_age(learner.learner.oldest)
    records = learner.learner.records
    assert records[fingerprint(root)] == RoteRecord(5, 2, age // 2)  # stored again
    assert records[fingerprint(lost)] == RoteRecord(-50, 2, age // 2)  # used


def test_value_of_a_record_has_the_plies_of_both_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Trap, "values", Trap.values | {"10": -60, "11": -60})
    learner = trainer(Trap, 2)
    root, lost = Trap(), Trap()
    lost.make(0), lost.make(0)
    learner.think(lost, 2)
    stored = learner.think(root, 0)
    assert (stored.move, stored.value, stored.plies, stored.source) == (0, -48, 4, 2)
    assert learner.learner.recalled == 1


def test_search_over_stored_leaves_has_the_value_of_the_deeper_search() -> None:
    """Connect Four: each position after three plies is stored by a search of three plies."""
    learner = trainer("connect4:columns=5,rows=5", 3)
    learner.evaluation = learner.evaluation.with_weights({"open_lines": 100, "right_row": 0, "wrong_row": 0})
    root = learner.game.new()
    for first, second, third in product(range(5), repeat=3):
        position = learner.game.new()
        for move in (first, second, third):
            position.make(move)
        learner.think(position, 3)
    shallow, deep = (learner._search(root, learner.evaluation, depth).value for depth in (3, 6))
    stored = learner.think(root, 0)
    assert shallow != deep != 0
    assert stored.value == discount(deep, 3)
    assert (stored.plies, stored.source) == (6, 3)


def test_evaluation_without_records_changes_no_search() -> None:
    learner = trainer("checkers", 2, "quiescence:table=off")
    position = learner.game.new()
    for move in (0, 3, 1):
        position.make(list(position.moves())[move])
    plain = learner._search(position, learner.evaluation)
    stored = learner._search(position, RoteEvaluation(learner.evaluation, {}, 2))
    assert (plain.value, plain.nodes, plain.pv) == (stored.value, stored.nodes, stored.pv)


# -- runs --------------------------------------------------------------------------------------------------


def test_run_is_the_same_in_both_builds_and_after_an_interruption(tmp_path: Path) -> None:
    run = finish_run(tmp_path / "whole", SMALL)
    memory = run.learner
    assert 0 < len(memory.records) <= 60 and memory.forgotten and memory.discarded and memory.lookups
    assert json.loads((tmp_path / "whole/records.rote").read_text())["checksum"] == "bee5464baee458c5"
    games: Iterator[Any] = LearningRun.begin(tmp_path / "killed", SMALL).learn()
    list(islice(games, 2))
    games.close()
    with (tmp_path / "killed/games.jsonl").open("ab") as file:
        file.write(b'{"game": 3, "result": 1, "al')
    resumed = LearningRun.load(tmp_path / "killed")
    assert resumed.learner.games == 2
    assert [played.number for played in resumed.learn()] == [2]
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


def test_records_are_an_evaluation(tmp_path: Path) -> None:
    run = finish_run(tmp_path / "run", SMALL)
    file = str(tmp_path / "run/records.rote")
    position = registry.game("checkers").new()
    evaluation = select_evaluation(file, position)
    assert isinstance(evaluation, RoteEvaluation) and evaluation.records == run.learner.records
    engine, limit = registry.engine(f"quiescence:depth=2,eval={file}")
    assert engine.search(position, limit).depth == 2
    with pytest.raises(BadInput, match="stored positions of checkers, not of connect4"):
        select_evaluation(file, registry.game("connect4").new())


def test_damage_is_reported_and_nothing_is_changed(tmp_path: Path) -> None:
    finish_run(tmp_path / "run", SMALL)
    path = tmp_path / "run/records.rote"
    whole = path.read_text()
    key = next(iter(json.loads(whole)["records"]))
    for text in ("", "{", "[]", whole.replace(f'"{key}": "', f'"{key}": "1'), whole[: len(whole) // 2]):
        path.write_text(text)
        before = contents(tmp_path / "run")
        with pytest.raises(BadInput, match=r"records\.rote is damaged"):
            LearningRun.load(tmp_path / "run")
        with pytest.raises(BadInput, match=r"records\.rote is damaged"):
            select_evaluation(str(path), registry.game("checkers").new())
        assert contents(tmp_path / "run") == before


@pytest.mark.once
def test_screens_of_rote_learning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "run")
    assert learn_status(["tictactoe", "--method", "rote", "--games", "6", "--out", folder, "--explain"]) == 0
    shown = capsys.readouterr().out
    assert "  ply 2, before " in shown and ": stored with " in shown and "from a stored position" in shown
    assert learn_status(["status", folder, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    records = json.loads((tmp_path / "run/records.rote").read_text())["records"]
    assert facts["records"] == len(records) and facts["played"] == 6 and facts["recalled"] > 0
    assert learn_status(["status", folder]) == 0
    shown = capsys.readouterr().out
    counts: dict[int, int] = {}
    for row in records.values():
        plies = int(row.split()[1])
        counts[plies] = counts.get(plies, 0) + 1
    for plies, count in counts.items():
        assert f"\n{plies:>5}{count:>11} " in shown


@pytest.mark.once
def test_rote_learning_begins_with_a_learned_polynomial(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--games", "3", "--depth", "1", "--plies", "20"]
    assert learn_status(["checkers", *options, "--out", str(tmp_path / "first")]) == 0
    weights = str(tmp_path / "first/weights.toml")
    rote = ["--method", "rote", "--eval", weights, "--out", str(tmp_path / "second")]
    assert learn_status(["checkers", *options, *rote]) == 0
    learned = LearningRun.load(tmp_path / "first").learned.weights
    assert LearningRun.load(tmp_path / "second").trainer.evaluation.weights == learned
    assert learn_status(["checkers", "--records", "5"]) == 2
    assert "--records is for --method rote" in capsys.readouterr().err
