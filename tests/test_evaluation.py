"""Evaluations: listed by games, chosen by options, shared by copies and threads."""

import copy
import threading
from pathlib import Path

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.errors import Usage
from gameplay.evaluation import files_of, placed_in, resolve_file, select_evaluation
from gameplay.kernel import compiled
from gameplay.runs import plan, planning
from gameplay.specs import parse_list
from gameplay.store.runs import Store
from tests.support.evaluations import GAMES, SEARCHED, WEIGHED, new, write_weights
from tests.support.searches import search_limited

# -- what games list -----------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_game_lists_its_evaluations_with_a_line_each(game):
    listed = new(game).evaluations
    assert len(listed) >= 2
    for name, evaluation in listed.items():
        assert (evaluation.name, evaluation.game, evaluation.inside) == (name, game, True)
        assert evaluation.words
        assert "\n" not in evaluation.words


@pytest.mark.parametrize("game", GAMES)
def test_default_evaluation_is_the_first_and_can_be_restored(game):
    position = new(game)
    plain = position.evaluate()
    worths = []
    for evaluation in position.evaluations.values():
        position.evaluation = evaluation
        worths.append(position.evaluate())
        assert position.twin().evaluate() == worths[-1] == evaluation.evaluate(new(game))
    assert worths[0] == plain
    assert len(set(worths)) > 1
    position.evaluation = None
    assert position.evaluate() == plain


def test_copies_share_an_evaluation():
    evaluation = new("chess").evaluations["classic"]
    assert copy.deepcopy(evaluation) is evaluation
    with pytest.raises(TypeError):
        evaluation.weights["tempo"] = ((0, 0),)


def test_othello_on_small_boards_has_no_patterns(tmp_path):
    path = write_weights(tmp_path / "a.toml", "othello")
    with pytest.raises(Usage, match="the weights of patterns are for the 8x8 board, not 6x6"):
        search_limited(f"iterative:eval={path}", registry.game("othello:size=6").new(), 1)


# -- two sets of weights in one process ----------------------------------------------------------


@pytest.mark.parametrize("game", WEIGHED)
def test_sets_of_weights_are_independent(game, tmp_path):
    path, depth = write_weights(tmp_path / "a.toml", game), SEARCHED[game]
    plain = new(game).evaluate()
    other = select_evaluation(path, new(game)).evaluate(new(game))
    assert plain != other
    alone = (
        search_limited("iterative", new(game), depth),
        search_limited(f"iterative:eval={path}", new(game), depth),
    )
    assert alone[0].value != alone[1].value
    position, beside = new(game), new(game)
    beside.evaluation = select_evaluation(path, beside)
    for _ in range(2):
        reports = (
            search_limited("iterative", position, depth),
            search_limited(f"iterative:eval={path}", position, depth),
        )
        assert [(report.value, report.nodes, report.pv) for report in reports] == [
            (report.value, report.nodes, report.pv) for report in alone
        ]
        assert (position.evaluate(), beside.evaluate()) == (plain, other)


@pytest.mark.parametrize("game", WEIGHED)
def test_two_sets_of_weights_search_at_the_same_time(game, tmp_path):
    path, depth = write_weights(tmp_path / "a.toml", game), SEARCHED[game] - (not compiled())
    specs = ["iterative", f"iterative:eval={path}"]
    alone = [search_limited(spec, new(game), depth) for spec in specs]
    results = {}

    def work(number):
        results[number] = search_limited(specs[number % 2], new(game), depth)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(results[n].value, results[n].nodes) for n in range(4)] == [
        (report.value, report.nodes) for report in alone
    ] * 2


@pytest.mark.skipif(not compiled(), reason="threads need compiled games")
@pytest.mark.parametrize("game", WEIGHED)
def test_the_threads_of_a_search_share_its_weights(game, tmp_path):
    path, depth = write_weights(tmp_path / "a.toml", game), SEARCHED[game]
    single, both = (
        search_limited(f"iterative:eval={path},table=1MB,threads={n}", new(game), depth) for n in (1, 2)
    )
    assert single.value == both.value != search_limited("iterative:table=1MB", new(game), depth).value


@pytest.mark.once
def test_two_files_meet_in_a_match(tmp_path, capsys):
    """Through workers; the worse file has the sign of threats reversed."""
    good = write_weights(tmp_path / "a.toml", "connect4", right_row=13)
    bad = write_weights(tmp_path / "b.toml", "connect4", right_row=-300, wrong_row=-300)
    points = []
    for jobs in (1, 2):
        words = ["match", f"a=iterative:eval={good}", f"b=iterative:eval={bad}", "--game", "connect4"]
        words += [
            "--games",
            "12",
            "--nodes",
            "150",
            "--jobs",
            str(jobs),
            "--store",
            str(tmp_path / f"{jobs}.db"),
        ]
        assert run(router, "gameplay", words) == 0
        with Store(tmp_path / f"{jobs}.db") as store:
            kept = list(store.games(store.run("last").id))
        points.append({(report.pair, report.leg): report.payoffs for report in kept})
    assert len(points[0]) == 12
    assert points[0] == points[1]
    won = sum(payoffs[leg] for (_, leg), payoffs in points[0].items())
    assert won > 0


def test_files_of_a_plan_are_absolute_and_count_by_their_content(tmp_path, monkeypatch):
    write_weights(tmp_path / "a.toml", "othello")
    (tmp_path / "plan.toml").write_text(
        'game = "othello"\n[[players]]\nplayer = "iterative:eval=a.toml,depth=1"\n'
        '[[players]]\nplayer = "strong.toml"\n'
    )
    (tmp_path / "strong.toml").write_text('engine = "iterative"\neval = "a.toml"\n')
    monkeypatch.chdir("/")
    resolved_plan = planning.read(tmp_path / "plan.toml")
    assert resolved_plan.players[0].player == f"iterative:eval={tmp_path}/a.toml,depth=1"
    facts = resolved_plan.facts()
    for number in (1, 2):
        assert f"player {number}'s file {tmp_path}/a.toml" in facts
        assert f"player {number}'s file {tmp_path}/a.bin" in facts
    (tmp_path / "a.bin").write_bytes(b"")
    changed = plan.differences(facts, resolved_plan.facts())
    assert [line.partition(":")[0] for line in changed] == [
        f"player {n}'s file {tmp_path}/a.bin" for n in (1, 2)
    ]


def test_engine_names_the_file_of_its_weights(tmp_path, monkeypatch):
    write_weights(tmp_path / "a.toml", "connect4")
    monkeypatch.chdir(tmp_path)
    assert (
        str(registry.engine("iterative:eval=a.toml,table=off")[0])
        == f"iterative:table=off,eval={tmp_path}/a.toml"
    )
    assert str(registry.engine("iterative:eval=none")[0]) == "iterative:eval=none"
    assert resolve_file("./x.py:Name", Path("/a")) == "/a/x.py:Name"
    assert resolve_file("../x.py", Path("/a/b")) == "/a/x.py"
    assert placed_in("iterative:depth=3,eval=x.py:Name,table=off", Path("/a")) == (
        "iterative:depth=3,eval=/a/x.py:Name,table=off"
    )
    assert files_of("classic") == []
    assert parse_list("iterative:eval=x.py:Name,table=off,alphabeta:eval=y.toml,depth=3") == [
        "iterative:eval=x.py:Name,table=off",
        "alphabeta:eval=y.toml,depth=3",
    ]
