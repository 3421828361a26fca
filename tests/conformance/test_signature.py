"""The signature of the search, and the lecture's table recomputed independently."""

import functools

import pytest

from gameplay.cli import router, run
from gameplay.cli.author import signature as command
from gameplay.conformance import signature
from gameplay.kernel import compiled
from gameplay.lessons import tictactoe as lecture

ROWS = ("012", "345", "678", "036", "147", "258", "048", "246")


SHORT, LONG = 5_000, 20_000  # nodes of a search that takes 0.1 and 0.5 seconds uncompiled


def test_signature_equals_the_stored_one():
    """Uncompiled: the short searches, and the shortest of each engine unless it is long."""
    kept = signature.load(command.SIGNATURE)
    if compiled():
        assert signature.differences(kept, signature.measure()) == []
    else:
        least: dict[str, int] = {}
        engines = {signature.search_name(*searche): searche[3] for searche in signature.searches()}
        for name, nodes in kept.items():
            least[engines[name]] = min(nodes, least.get(engines[name], nodes))
        searched = {
            name: nodes
            for name, nodes in kept.items()
            if nodes <= SHORT or nodes == least[engines[name]] <= LONG
        }
        assert len(searched) > 100 and len(set(least) - {engines[name] for name in searched}) < 4
        assert signature.differences(searched, signature.measure(searched)) == []


def test_every_engine_that_searches_is_in_the_signature():
    from gameplay import registry

    searching = {name for name in registry.engine_names() if registry.engine_class(name).thinks}
    assert {engine.partition(":")[0] for *_, engine in signature.searches()} == searching


def test_signature_searches_and_nodes_equal_the_stored_ones(tmp_path):
    kept = signature.load(command.SIGNATURE)
    assert list(kept) == [signature.search_name(*searche) for searche in signature.searches()]
    few = ["tictactoe:width=4,height=4,line=3, alphabeta, depth 4", "kuhn K J, cfr:iterations=50"]
    measurement = signature.measure(few)
    assert measurement == {name: kept[name] for name in few}
    file = tmp_path / "few.toml"
    signature.save(file, measurement)
    head, *rest = file.read_text().splitlines()
    assert head == f"# Nodes of each search of `gameplay signature`; in all {sum(measurement.values())}."
    assert rest == [f'"{name}" = {kept[name]}' for name in few]


def test_a_difference_is_named_and_has_its_exit_status(tmp_path, monkeypatch, capsys):
    results = {"tictactoe, minimax, depth 9": 549946}
    file = tmp_path / "signature.toml"
    signature.save(file, {"tictactoe, minimax, depth 9": 549945, "gone": 1})
    monkeypatch.setattr(command, "SIGNATURE", file)
    monkeypatch.setattr(signature, "measure", lambda: results)
    assert run(router, "gameplay", ["signature", "--check"]) == 3
    out, err = capsys.readouterr()
    assert "tictactoe, minimax, depth 9: 549945 nodes were kept, 549946 now" in out
    assert "gone: 1 nodes were kept, not searched now" in out
    assert "2 searches differ" in err
    assert run(router, "gameplay", ["signature", "--update"]) == 0
    assert run(router, "gameplay", ["signature", "--check"]) == 0
    assert run(router, "gameplay", ["signature", "--check", "--update"]) == 2
    file.write_text("no signature")
    assert run(router, "gameplay", ["signature", "--check"]) == 6


def test_the_command_prints_the_sum(monkeypatch, capsys):
    kept = signature.load(command.SIGNATURE)
    monkeypatch.setattr(signature, "measure", lambda: kept)
    assert run(router, "gameplay", ["signature"]) == 0
    assert f"signature {sum(kept.values())}" in capsys.readouterr().out


# -- the lecture's table --------------------------------------------------------------------------


def has_row(board, side):
    return any(all(board[int(cell)] == side for cell in row) for row in ROWS)


def over(board):
    return has_row(board, "x") or has_row(board, "o") or "." not in board


def children(board, order=range(9)):
    side = "xo"[board.count(".") % 2 == 0]
    return [board[:i] + side + board[i + 1 :] for i in order if board[i] == "."]


@functools.cache
def states(board):
    return 1 if over(board) else 1 + sum(map(states, children(board)))


def alphabeta(board, alpha, beta, order=range(9), nearer=True):
    """The value for the mover and the number of states visited by alpha-beta."""
    if over(board):
        lost = has_row(board, "x") or has_row(board, "o")
        return (-1 - board.count(".") * nearer if lost else 0), 1
    count, best = 1, -99
    for child in children(board, order):
        value, below = alphabeta(child, -beta, -alpha, order, nearer)
        count += below
        best = max(best, -value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, count


@functools.cache
def unfinished_boards():
    results = {0: {"." * 9}}
    for stones in range(8):
        results[stones + 1] = {c for b in results[stones] for c in children(b) if not over(c)}
    return results


positions = functools.cache(lecture.positions)


@functools.cache
def ours(engine, stones):
    """The own signature, computed once for all tests."""
    return lecture.average_nodes(engine, positions()[stones])


def test_the_positions_are_those_that_can_be_reached():
    counts = {stones: len(texts) for stones, texts in positions().items()}
    assert counts == {stones: len(boards) for stones, boards in unfinished_boards().items()}


@pytest.mark.parametrize("stones", lecture.LECTURE if compiled() else (6,))
def test_the_averages_are_those_of_an_independent_count(stones):
    boards = unfinished_boards()[stones]
    assert ours("minimax", stones) == sum(map(states, boards)) / len(boards)
    count = sum(alphabeta(board, -99, 99)[1] for board in boards)
    assert ours("alphabeta", stones) == count / len(boards)


@pytest.mark.skipif(not compiled(), reason="the same table; its first line takes five seconds uncompiled")
def test_the_table_shows_both(monkeypatch):
    stones = {tuple(texts): number for number, texts in positions().items()}
    known = {engine: ours(engine, 0) for engine in ("minimax", "alphabeta")}

    def averages(engine, texts):
        return 0.0 if stones[tuple(texts)] else known[engine]

    monkeypatch.setattr(lecture, "average_nodes", averages)
    first = next(line for line in lecture.lines() if line.split()[:1] == ["0"])
    assert first.split() == ["0", "1", "549946.0", "549946.0", "29019.0", "20866.0"]


@pytest.mark.once
def test_documented_effects_of_move_ordering_are_counted(monkeypatch):
    orders = ((range(9), True), (range(9), False), ((4, 0, 2, 6, 8, 1, 3, 5, 7), True))
    counts = [alphabeta("." * 9, -99, 99, *order)[1] for order in orders]
    assert [lecture.count_visits(*order) for order in orders] == counts
    monkeypatch.setattr(lecture, "average_nodes", lambda engine, texts: len(engine) + 0.25)
    *rows, prose = lecture.lines()
    assert (
        "From the empty board it visits {} states row by row if nearer wins have higher values, as in our "
        "search; {} row by row if all wins have the same value; {} if nearer wins have higher values and the "
        "centre is tried first, then the corners."
    ).format(*counts) in prose
    assert rows == [
        "stones  positions         minimax                alpha-beta",
        "                     lecture      ours       lecture      ours",
        "     0          1     549946.0       7.2       29019.0       9.2",
        "     2         72       7293.0       7.2        1308.0       9.2",
        "     4        756        176.2       7.2          81.8       9.2",
        "     6       1372         11.0       7.2           9.2       9.2",
        "     8        222          1.3       7.2           1.3       9.2",
        "",
    ]
