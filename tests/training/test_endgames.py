"""Endgames to train: sampled positions, difficulty, verdicts, the defender; the stored progress."""

from datetime import date
from random import Random

import pytest

from gameplay import registry
from gameplay import value as scale
from gameplay.errors import BadInput, Usage
from gameplay.kernel import compiled
from gameplay.matches.match import Match
from gameplay.players.commands import Answer
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.interpreter import Interpreter
from gameplay.training import endgame_progress, endgames
from gameplay.training.endgame_commands import EndgameInterpreter
from gameplay.training.endgames import DRAW, HOLD, LEVELS, WIN
from gameplay.training.oracles import ORACLES
from tests.support.endgame_tables import CHESS, building, sample, small_tables

assert small_tables  # fixture

TODAY = date(2026, 11, 27)
OFFERED = endgames.endgames_of(CHESS)
THREE_MEN = OFFERED.endings[:3]
needs_three_men = pytest.mark.skipif(not compiled(), reason="takes minutes to build in pure Python")


@pytest.fixture(scope="module")
def chess_tables(small_tables):
    return ORACLES["tables"](CHESS, small_tables / "chess")


def value(oracle, text):
    """The value of a position for its mover."""
    return max(oracle.values(CHESS.new(text)).values())


def draw_tasks(oracle, ending, level, count, seed=1):
    tasks = endgames.generate_tasks(CHESS, OFFERED, [ending], oracle, level, Random(seed))
    return [task for _, task in zip(range(count), tasks, strict=False)]


# -- what the oracle says, against published values ---------------------------------------------------


@needs_three_men
@pytest.mark.parametrize(
    "text, words",
    [
        ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", "draw"),  # Black has the opposition
        ("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", "loss"),  # White has it
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", "mate"),  # king on the sixth before its pawn
        ("4k3/4P3/5K2/8/8/8/8/8 w - - 0 1", "draw"),  # stalemate, or the pawn is lost
        ("7k/8/8/7P/7K/8/8/8 w - - 0 1", "draw"),  # a rook's pawn, the king in the corner
    ],
)
def test_known_positions(chess_tables, text, words):
    position = CHESS.new(text)
    assert words in endgames.format_move_value(position, value(chess_tables, text), "mate")


@needs_three_men
@pytest.mark.parametrize("name, longest", [("KQvK", 10), ("KRvK", 16), ("KPvK", 28)])
def test_the_longest_wins_are_the_published_ones(chess_tables, small_tables, name, longest):
    """From K. Thompson's lists; that of KBNK, 33, is in tests/answers/tables.toml in plies."""
    kernel = CHESS.new()
    (group,) = building.select_groups(kernel, building.groups(kernel, 3), [name])[-1:]
    rows = {row["name"]: row for row in building.count_results(group, kernel, small_tables / "chess")}
    number = value(chess_tables, rows[name]["position"])
    assert endgames.distance(number) == longest
    assert endgames.format_move_value(CHESS.new(), number, "mate") == f"mate in {longest}"
    wins = [
        endgames.distance(best)
        for text, _ in sample(CHESS, name, 300)
        if CHESS.new(text).outcome() is None and (best := value(chess_tables, text)) > 0
    ]
    assert 0 < max(wins) <= longest


# -- positions ----------------------------------------------------------------------------------------


@needs_three_men
@pytest.mark.parametrize("ending", THREE_MEN, ids=lambda ending: ending.name)
@pytest.mark.parametrize("level", [1, 2])
def test_positions_are_legal_different_and_of_their_level(chess_tables, ending, level):
    chess = pytest.importorskip("chess")
    tasks = draw_tasks(chess_tables, ending, level, 25)
    assert len(tasks) == 25
    assert len({CHESS.new(task.start).diagram() for task in tasks}) == 25
    for item in tasks:
        assert chess.Board(item.start).status() == chess.STATUS_VALID
        assert not chess.Board(item.start).is_check()
        assert item.level == level and item.ending is ending
        values = chess_tables.values(CHESS.new(item.start))
        results = {endgames.result(value) for value in values.values()}
        assert max(results) == {WIN: 1, DRAW: 0}[item.goal] and len(results) > 1
        assert item.goal == WIN or ending.holds


@needs_three_men
@pytest.mark.parametrize(
    "text",
    ["4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", "8/8/8/8/8/2k5/8/K6R w - - 0 1", "8/8/4k3/8/3K4/4P3/8/8 b - - 0 1"],
)
def test_the_difficulty_counts_the_moves_and_the_only_moves(chess_tables, text):
    position = CHESS.new(text)
    values = chess_tables.values(position)
    difficulty = endgames.difficulty(position, chess_tables, values, 100)
    assert position.text() == text
    best = max(values.values())
    moves = endgames.best_line(position, chess_tables, 2 * (endgames.distance(best) if best else HOLD))
    own = (len(moves) + 1) // 2
    assert own == endgames.distance(best) if best else own <= HOLD
    only = 0
    for number, move in enumerate(moves):
        values = chess_tables.values(position)
        results = [endgames.result(value) for value in values.values()]
        only += number % 2 == 0 and results.count(max(results)) == 1 < len(results)
        position.make(move)
    assert difficulty == own + only and (only > 0) == ("P" in text)


@needs_three_men
def test_no_choice_that_matters_is_no_task(chess_tables):
    lost = "8/8/8/8/8/1k6/1p6/1K6 w - - 0 1"
    assert endgames.make_task(CHESS, OFFERED, THREE_MEN[2], chess_tables, lost) is None
    mate_in_one = "k7/8/1K6/8/8/8/8/7R w - - 0 1"
    assert endgames.make_task(CHESS, OFFERED, THREE_MEN[1], chess_tables, mate_in_one) is None
    assert endgames.make_task(CHESS, OFFERED, THREE_MEN[1], chess_tables, "8/8/8/8/8/8/8/8 w - - 0 1") is None


@needs_three_men
def test_each_ending_has_its_turn(chess_tables):
    tasks = endgames.generate_tasks(CHESS, OFFERED, THREE_MEN, chess_tables, 1, Random(1))
    names = [next(tasks).ending.name for _ in range(30)]
    assert all(names.count(ending.name) >= 5 for ending in THREE_MEN)


@needs_three_men
def test_levels_are_ordered_and_the_same_seed_draws_the_same(chess_tables):
    king_and_pawn = THREE_MEN[2]
    means = []
    for level in LEVELS:
        tasks = draw_tasks(chess_tables, king_and_pawn, level, 8)
        wins = [endgames.distance(task.value) for task in tasks if task.goal == WIN]
        means.append(sum(wins) / max(1, len(wins)))
    assert means == sorted(means)
    same, other = (draw_tasks(chess_tables, king_and_pawn, 2, 6, seed) for seed in (1, 2))
    assert draw_tasks(chess_tables, king_and_pawn, 2, 6) == same != other


@needs_three_men
def test_known_positions_are_not_drawn_again(chess_tables):
    first = [task.start for task in draw_tasks(chess_tables, THREE_MEN[1], 2, 5)]
    tasks = endgames.generate_tasks(CHESS, OFFERED, THREE_MEN[1:2], chess_tables, 2, Random(1), first)
    assert not {next(tasks).start for _ in range(5)} & set(first)


def test_only_games_with_endgames_have_some():
    with pytest.raises(Usage, match=r"tictactoe has no endgames to train; expected one of .*chess"):
        endgames.endgames_of(registry.game("tictactoe"))
    with pytest.raises(Usage, match="unknown ending 'KRvX'"):
        endgames.select_endings(OFFERED, ["kqvk", "KRvX"])
    selected = endgames.select_endings(OFFERED, ["krvk", "KQvK", "KRVK"])
    assert [task.name for task in selected] == ["KRvK", "KQvK"]


# -- verdicts -----------------------------------------------------------------------------------------


@needs_three_men
@pytest.mark.parametrize("ending", THREE_MEN, ids=lambda ending: ending.name)
def test_the_judge_agrees_with_the_table_on_every_move(chess_tables, ending):
    """A winning move is never called a mistake, nor a losing one good."""
    rng = Random(7)
    checked = 0
    while checked < 150:
        try:
            position = CHESS.new(ending.draw(rng))
        except BadInput:
            continue
        if position.outcome() is not None or not (values := chess_tables.values(position)):
            continue
        checked += 1
        best = max(values.values())
        for move, mine in values.items():
            position.make(move)
            payoffs = position.outcome()
            if payoffs is not None:
                after = payoffs[1 - position.turn]
            else:
                result, _ = chess_tables.tables.lookup(position)
                after = {0: 0, 1: -1, 2: 1}[result]
            position.unmake()
            assert endgames.result(mine) == after  # the value is that of the table after the move
            verdict = endgames.judge_move(position, values, move)
            assert verdict.keeps_result == (after == endgames.result(best))
            assert verdict.is_best == (mine == best or (after == 0 == endgames.result(best)))
            assert ("throws" in verdict.text) != verdict.keeps_result


@needs_three_men
def test_verdicts_in_words(chess_tables):
    position = CHESS.new("8/8/8/8/8/2k5/8/K6R w - - 0 1")
    values = chess_tables.values(position)
    best = endgames.distance(max(values.values()))
    words = {
        position.format(move): endgames.judge_move(position, values, move, "mate").text for move in values
    }
    assert f"keeps the win: mate in {best}, the best" in words.values()
    assert any(text.endswith(f", best was {best}") for text in words.values())
    lost = CHESS.new("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")
    values = chess_tables.values(lost)
    words = {lost.format(move): endgames.judge_move(lost, values, move, "mate").text for move in values}
    assert words["Ka2"].startswith("keeps the win")
    king = CHESS.new("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1")
    values = chess_tables.values(king)
    words = {king.format(move): endgames.judge_move(king, values, move, "mate").text for move in values}
    assert words["Kf5"].startswith("throws the win away: draw; K") and " wins in " in words["Kf5"]


@pytest.mark.parametrize("plies, moves", [(1, 1), (3, 2), (19, 10), (31, 16), (65, 33), (2, 1), (4, 2)])
def test_distances_are_moves_of_the_mover(plies, moves):
    assert endgames.distance(scale.WIN - plies) == moves == endgames.distance(plies - scale.WIN)


# -- the defender -------------------------------------------------------------------------------------


@needs_three_men
@pytest.mark.parametrize("ending", THREE_MEN, ids=lambda ending: ending.name)
def test_best_play_against_the_defender_takes_exactly_the_distance(chess_tables, ending):
    for task in draw_tasks(chess_tables, ending, 2, 12):
        if task.goal != WIN:
            continue
        position, mover, own, rng = CHESS.new(task.start), CHESS.new(task.start).turn, 0, Random(5)
        while position.outcome() is None:
            if position.turn == mover:
                values = chess_tables.values(position)
                position.make(max(values, key=lambda move: values[move]))
                own += 1
            else:
                move = endgames.defence(position, chess_tables, rng)
                lengths = chess_tables.values(position)
                assert lengths[move] == max(lengths.values())
                position.make(move)
        assert position.outcome()[mover] > 0 and own == endgames.distance(task.value)


@needs_three_men
def test_the_attacker_of_a_draw_leaves_the_fewest_moves_that_hold_it(chess_tables):
    position = CHESS.new("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1")
    assert value(chess_tables, position.text()) == 0
    move = endgames.defence(position, chess_tables, Random(0))

    def holding(move):
        position.make(move)
        values = chess_tables.values(position)
        position.unmake()
        return len(endgames.moves_keeping_result(position, values))

    values = chess_tables.values(position)
    assert holding(move) == min(holding(value) for value in values if values[value] == 0)


@needs_three_men
def test_best_play_is_a_line_to_mate(chess_tables):
    position = CHESS.new("8/8/8/8/8/2k5/8/K6R w - - 0 1")
    best = max(chess_tables.values(position).values())
    moves = endgames.best_line(position, chess_tables, 100)
    assert len(moves) == scale.plies(best) and position.text() == "8/8/8/8/8/2k5/8/K6R w - - 0 1"
    assert len(endgames.best_line(position, chess_tables, 4)) == 4 and HOLD > 4


def test_a_position_without_a_table_is_refused(tmp_path):
    with pytest.raises(BadInput, match=r"no folder|no tables"):
        ORACLES["tables"](CHESS, tmp_path / "none")


# -- progress -----------------------------------------------------------------------------------------


def note(solved, helped=False, level=1, start="one", today=TODAY):
    return endgame_progress.note("chess", "KRvK", level, start, solved, helped, today)


def test_missed_positions_return_at_growing_intervals():
    assert note(True) == ""
    assert note(False) == "2026-11-28"
    own = endgame_progress.load().of("chess")
    assert own.due(TODAY) == [] and [task.start for task in own.due(date(2026, 11, 28))] == ["one"]
    days = [note(True, today=date(2026, 11, 28)) for _ in range(3)]
    assert days[:2] == ["2026-11-29", "2026-12-04"] and days[2] > days[1]
    assert note(False, today=date(2026, 12, 20)) == "2026-12-21"


def test_solved_and_tried_are_counted_by_ending_and_level():
    for solved in (True, True, False, True):
        note(solved, level=2, start=str(solved))
    own = endgame_progress.load().of("chess")
    assert (own.endings["KRvK"][2].solved, own.endings["KRvK"][2].tried) == (3, 4)
    assert (own.streak, own.best) == (1, 2)


def test_the_level_rises_with_two_thirds_of_three_positions():
    own = endgame_progress.GameProgress()
    assert own.level() == 1
    own.endings["KRvK"] = {1: endgame_progress.EndgameTally(1, 2)}
    assert own.level() == 1
    own.endings["KQvK"] = {1: endgame_progress.EndgameTally(1, 1)}
    assert own.level() == 2
    own.endings["KQvK"] |= {level: endgame_progress.EndgameTally(3, 3) for level in (2, 3, 4, 5)}
    assert own.level() == 5
    own.endings["KQvK"][1] = endgame_progress.EndgameTally(0, 5)
    assert own.level() == 1


def test_a_damaged_file_is_refused():
    path = endgame_progress.path()
    path.parent.mkdir(parents=True)
    path.write_text("{")
    with pytest.raises(BadInput, match=r"endgames\.json is damaged"):
        endgame_progress.load()


def test_answers_of_the_trainer_need_no_search() -> None:
    """Displays announce a search if the estimate is above 0, as for a hint in a game."""
    interpreter = EndgameInterpreter({"hint": lambda match: Answer("the best move begins with K")})
    match = Match(CHESS, [EmptySeat("human"), EmptySeat("tables")], "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1")
    assert Interpreter().estimated_seconds("hint", match) > 0
    assert interpreter.estimated_seconds("hint", match) == 0
