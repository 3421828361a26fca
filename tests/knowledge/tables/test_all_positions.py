"""Tables of games without numbered positions: all reachable positions, solved."""

import random
from pathlib import Path

from gameplay import Limit, registry
from gameplay.kernel import compiled
from gameplay.knowledge.tables import building, tables
from gameplay.knowledge.tables.table_file import LOST, WON, TableFile
from tests.support.endgame_tables import ANSWERS, build_reachable_tables
from tests.support.paths import TESTS


def test_all_positions_of_small_games_are_found(tmp_path: Path) -> None:
    names = ["tictactoe", "connect4:columns=4,rows=4"] if compiled() else ["tictactoe"]
    for name in names:
        game, path = build_reachable_tables(name, tmp_path)
        assert path.positions == ANSWERS["reached"][name]
        known = tables.Tables(str(tmp_path), game)
        assert known.lookup(game.new()) == (0, 0)


def test_custom_game_is_solved_completely(tmp_path: Path) -> None:
    game, _ = build_reachable_tables(f"{TESTS / 'examples' / 'games' / 'sticks.py'}:sticks=12", tmp_path)
    known = tables.Tables(str(tmp_path), game)
    for sticks in range(1, 13):
        position = registry.game(f"{TESTS / 'examples' / 'games' / 'sticks.py'}:sticks={sticks}").new()
        result = known.lookup(position)
        if sticks == 11:  # the first to move never has as many
            assert result is None
            continue
        assert result is not None and result[0] == (LOST if sticks % 4 == 1 else WON)
        advice = known.advise(position)
        assert advice is not None
        if sticks % 4 != 1:
            assert all((sticks - move) % 4 == 1 for move in advice.moves) or sticks <= 4
    file = TableFile(tmp_path / "sticks-sticks-12.table")
    assert building.verify_reachable(game.new(), file, 1 << 30) == ""


def test_values_of_all_positions_are_those_of_minimax(tmp_path: Path) -> None:
    game, _ = build_reachable_tables("nim:heaps=1+2+3", tmp_path)
    known = tables.Tables(str(tmp_path), game)
    position = game.new()
    rng = random.Random(3)
    for _ in range(30):
        while position.made:
            position.unmake()
        while position.outcome() is None and rng.random() < 0.8:
            position.make(rng.choice(position.moves()))
        if position.outcome() is None:
            report = registry.engine("iterative")[0].search(position, Limit(depth=20))
            advice = known.probe(position)
            assert advice is not None and advice.value == report.value
