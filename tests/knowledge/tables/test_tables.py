"""Endgame tables: published counts, plain search, probing within searches, and ranked moves."""

import re
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import Limit, Position, cli, registry
from gameplay.errors import BadInput, Usage
from gameplay.kernel import compiled
from gameplay.knowledge.tables import building, tables
from gameplay.knowledge.tables import table_file as tablefile
from gameplay.knowledge.tables.table_file import LOST, WON, TableFile
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.players.knowledge import search_knowledge
from gameplay.search.session import Session
from gameplay.value import TB_WIN, WIN, is_win, plies
from tests.support.endgame_tables import ANSWERS, CHECKERS, CHESS, build_tables, sample, small_tables
from tests.support.paths import TESTS

assert small_tables  # fixture


def counts(game: Any, folder: Path) -> dict[str, dict[str, Any]]:
    """The counts of every slice in a folder, by name."""
    kernel = game.new()
    shelf = building.TableFolder(folder, tables.table_name(game))
    most = max(file.subject.pieces for file in shelf.files)
    groups = [group for group in building.groups(kernel, most) if group.slices[0] in shelf.by_slice]
    return {row["name"]: row for group in groups for row in building.count_results(group, kernel, folder)}


# -- the counts of others ----------------------------------------


@pytest.mark.skipif(not compiled(), reason="takes minutes")
def test_chess_three_piece_counts_equal_published_ones(small_tables: Path) -> None:
    counted = counts(CHESS, small_tables / "chess")
    for name in ("KQvK", "KRvK", "KBvK", "KNvK", "KPvK"):
        first, second, *longest = ANSWERS["chess"][name]
        mirror = counted["v".join(reversed(name.split("v")))]
        row = counted[name]
        assert [row["won"], row["drawn"], row["lost"]] == first
        assert [mirror["won"], mirror["drawn"], mirror["lost"]] == second
        if longest:
            assert [row["plies"], row["longest"], row["numbers"]] == longest[0]


def test_checkers_counts_equal_published_ones(small_tables: Path) -> None:
    counted = counts(CHECKERS, small_tables / "checkers")
    kernel = CHECKERS.new()
    for pieces in (2, 3) if compiled() else (2,):
        names = [kernel.slice_name(item) for group in kernel.slices(pieces) for item in group]
        sums = [2 * sum(counted[name][word] for name in names) for word in ("won", "drawn", "lost")]
        assert sums == ANSWERS["checkers"][str(pieces)][:3]
    for name in ("KvK", "KKvK") if compiled() else ("KvK",):
        assert [counted[name][word] for word in ("won", "drawn", "lost")] == ANSWERS["checkers"][name]
    files = building.TableFolder(small_tables / "checkers", "checkers").files
    plies = max(file.subject.facts["plies"] for file in files)
    assert plies == ANSWERS["checkers"]["3" if compiled() else "2"][3]


def test_every_value_is_the_best_of_its_successors(small_tables: Path) -> None:
    for game in (CHESS, CHECKERS):
        folder = small_tables / game.name
        kernel = game.new()
        for group in building.groups(kernel, 3 if compiled() else 2):
            assert building.verify(group, kernel, folder) == ""


@pytest.mark.skipif(not compiled(), reason="needs more than one block")
def test_block_cache_is_bounded(small_tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A decided entry uses a block of results and one of distances, and both fit into a cache of two."""
    monkeypatch.setattr(tablefile, "MAX_UNPACKED", 2)
    with closing(TableFile(building.table_path(small_tables / "chess", "KQvK"))) as file:
        decided = next(place for place in range(file.subject.entries) if file.result_at(place)[1])
        file._clear_cache()
        file.result_at(decided)
        assert {plane for plane, blocks in file._cache.items() if any(blocks)} == {"results", "distances"}


def test_a_value_that_is_wrong_is_found(tmp_path: Path) -> None:
    build_tables(CHECKERS, tmp_path, 2)
    kernel = CHECKERS.new()
    group = building.groups(kernel, 2)[0]
    path = building.table_path(tmp_path, group.name)
    file = TableFile(path)
    results = bytearray(file.block("results", 0))
    distances = bytearray(file.block("distances", 0))
    place = next(i for i in range(file.subject.entries) if file.result_at(i)[0] == WON)
    distances[place] += 2
    tablefile.write(path, file.subject, {"results": [bytes(results)], "distances": [bytes(distances)]})
    file.close()
    assert building.verify(group, kernel, tmp_path).startswith("B:W")
    distances[place] += 1  # a win in an even number of plies
    tablefile.write(path, file.subject, {"results": [bytes(results)], "distances": [bytes(distances)]})
    with pytest.raises(BadInput, match="its distances do not fit its results"):
        building.verify(group, kernel, tmp_path)


@pytest.mark.once
def test_results_are_compared_with_syzygy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`answers/KRvK.rtbw` is Ronald de Man's, 208 bytes."""
    monkeypatch.setattr("gameplay.cli.common.tables.COMPARED_POSITIONS", 300)
    build_tables(CHESS, tmp_path, 0, "KRvK")
    words = [
        "table",
        "verify",
        "chess",
        "KRvK",
        "--folder",
        str(tmp_path),
        "--syzygy",
        str(TESTS / "answers"),
    ]
    assert cli.run(cli.router, "gameplay", words) == 0
    output = capsys.readouterr().out
    assert re.fullmatch(r"KRvK +right in \d{3} positions\n", output), output
    file = TableFile(tmp_path / "KRvK.table")
    planes = {plane: [file.block(plane, n) for n in range(len(file.planes[plane]))] for plane in file.planes}
    planes["results"] = [bytes(len(block)) for block in planes["results"]]  # all drawn
    tablefile.write(file.path, file.subject, planes)
    assert cli.run(cli.router, "gameplay", words) == 3
    assert "WRONG at " in capsys.readouterr().out


def test_table_is_verified_at_all_positions_or_a_random_sample(tmp_path: Path) -> None:
    build_tables(CHECKERS, tmp_path, 2)
    kernel = CHECKERS.new()
    known, others = tables.Tables(str(tmp_path), CHECKERS), []
    group = next(group for group in building.groups(kernel, 2) if group.name == "KvK")

    def table_value(position: Any) -> int | None:
        others.append(position.slice_index()[1])
        return (0, 1, -1)[known.lookup(position)[0]]

    span = kernel.span(group.slices[0])
    positions = [number for number in range(span) if kernel.set_index(group.slices[0], number)]
    assert building.compare(group, kernel, tmp_path, table_value, None) == (len(positions), "")
    assert others == positions
    others.clear()
    count, wrong = building.compare(group, kernel, tmp_path, table_value, 100)
    assert 0 < count <= 100 and not wrong and set(others) <= set(positions) and others != sorted(others)
    assert building.compare(group, kernel, tmp_path, lambda position: None, None) == (0, "")
    count, wrong = building.compare(
        group, kernel, tmp_path, lambda message: -(table_value(message) or 0), None
    )
    assert 0 < count < len(positions) and wrong.startswith("B:W")


# -- by plain search ----------------------------------------


def test_values_are_those_of_plain_search(small_tables: Path) -> None:
    for game, name, most in ((CHECKERS, "KvM", 9), (CHESS, "KQvK", 5), (CHESS, "KvKP", 4)):
        if not compiled() and game is CHESS:
            continue
        known = tables.Tables(str(small_tables / game.name), game)
        for text, _ in sample(game, name, 60):
            position = game.new(text)
            result = known.lookup(position)
            assert result is not None
            if position.outcome() is not None or result[0] == 0 or result[1] > (most if compiled() else 4):
                continue
            report = registry.engine("iterative")[0].search(position, Limit(depth=result[1]))
            assert report.value == (WIN - result[1]) * (1 if result[0] == WON else -1), text


# -- in searches ----------------------------------------


@pytest.mark.skipif(not compiled(), reason="there are no tables of three men")
def test_search_probes_positions_it_reaches(small_tables: Path) -> None:
    text = "8/8/4k3/8/8/8/3nQ3/K7 b - - 0 1"  # the queen goes, or the knight
    reports = []
    for spec in (f"selective:depth=6,tables={small_tables / 'chess'}", "selective:depth=6"):
        player: Any = seats.player(spec, CHESS)
        choice = player.choose(Match(CHESS, [player, player], text))
        reports.append(choice.report)
    assert reports[0].nodes < reports[1].nodes


def test_search_with_fewer_tables_is_sound(small_tables: Path) -> None:
    pieces = 3 if compiled() else 2
    kernel = CHECKERS.new()
    whole = tables.Tables(str(small_tables / "checkers"), CHECKERS)
    fewer = tables.Tables(str(small_tables / "checkers"), CHECKERS)
    for group in kernel.slices(pieces):
        for slice in group:
            del fewer.folder.by_slice[slice]
    fewer.max_pieces = pieces - 1
    seen = 0
    for name in ("KKvM", "KvMM") if compiled() else ("KvM",):
        for text, _ in sample(CHECKERS, name, 40):
            position = CHECKERS.new(text)
            result = whole.lookup(position)
            if position.outcome() is not None or result is None:
                continue
            session = Session(registry.engine("iterative")[0])
            session.knowledge = (fewer,)
            value = session.search(position, Limit(depth=6)).value
            if is_win(value):
                seen += 1
                assert result[0] == (WON if value > 0 else LOST) and plies(value) >= result[1], text
    assert seen > 3


def test_search_probes_tables_below_a_known_root(small_tables: Path) -> None:
    """The root was not probed before, unlike in play; a promotion leaves the number of pieces unchanged."""
    name = "KKvM" if compiled() else "KvM"
    known = tables.Tables(str(small_tables / "checkers"), CHECKERS)
    for text, _ in sample(CHECKERS, name, 40):
        position = CHECKERS.new(text)
        result = known.lookup(position)
        if position.outcome() is None and result is not None and result[0] == WON:
            break
    session = Session(registry.engine("iterative")[0])
    session.knowledge = (known,)
    report = session.search(position, Limit(nodes=1000))
    assert report.depth == 1 and is_win(report.value) and plies(report.value) == result[1]


def test_engines_that_do_not_probe_are_reported(small_tables: Path) -> None:
    paths = {"tables": str(small_tables / "checkers")}
    for name in ("iterative", "quiescence", "selective", "pns", "perfect"):
        (knowledge,) = search_knowledge(registry.engine(name)[0], paths, CHECKERS)
        assert knowledge.in_search
    for name in ("minimax", "alphabeta", "mcts"):
        with pytest.raises(Usage, match=f"^{name} probes no knowledge within its search. Try: leave tables="):
            search_knowledge(registry.engine(name)[0], paths, CHECKERS)


def test_a_win_cut_by_the_move_counter_is_named_without_a_value(small_tables: Path) -> None:
    known = tables.Tables(str(small_tables / "checkers"), CHECKERS)
    position = CHECKERS.new("B:WK1:BK10")
    for text, _ in sample(CHECKERS, "KvK", 200):
        position = CHECKERS.new(text)
        result = known.lookup(position)
        if result == (WON, 9):
            break
    else:
        raise AssertionError
    late = CHECKERS.new(text + ":H75")
    assert known.probe(position) is not None and known.probe(position).value == WIN - 9
    assert known.probe(late) is None
    advice, whole = known.advise(late), known.advise(position)
    assert advice is not None and not advice.exact and advice.value is None
    assert whole is not None and set(advice.moves) == set(whole.moves)


# -- what tables say, in full ----------------------------------------


@pytest.mark.once
def test_results_become_values() -> None:
    """Wins longer than a search can count have the value of a sure win."""
    for known, value in (
        ((0, 0), 0), ((WON, 1), WIN - 1), ((LOST, 2), 2 - WIN), ((WON, 255), WIN - 255), ((WON, 256), TB_WIN),
        ((LOST, 256), -TB_WIN),
    ):  # fmt: skip
        assert tables._value(*known) == value
        advice = tables._advice(*known)
        assert (advice.source, advice.value, advice.exact, advice.moves) == ("tables", value, True, ())


@pytest.mark.once
def test_moves_are_ranked_by_what_they_lead_to() -> None:
    """For the mover: first wins, the quickest first; then draws; then losses, the slowest first."""

    class Fork(Position):
        """Every move leads to a different place, some of them to the end."""

        after = {
            1: (1, (WON, 4), None), 2: (1, (LOST, 7), None), 3: (1, (0, 0), None), 4: (1, (LOST, 3), None),
            5: (0, (WON, 9), None), 6: (0, (LOST, 8), None), 7: (1, None, (1, -1)), 8: (1, None, (-1, 1)),
            9: (0, None, (0, 0)), 10: (1, (WON, 6), None),
        }  # fmt: skip

        def __init__(self) -> None:
            super().__init__()
            self.at = 0

        def moves(self) -> list[int]:
            return list(self.after)

        def make(self, move: int) -> None:
            self.at, self.turn = move, self.after[move][0]

        def unmake(self) -> None:
            self.at = self.turn = 0

        def outcome(self) -> Any:
            return self.after[self.at][2] if self.at else None

    known: Any = SimpleNamespace(lookup=lambda position: Fork.after[position.at][1])
    assert tables.rank_moves(known, Fork()) == [
        (7, (2, 0)), (4, (2, -3)), (2, (2, -7)), (5, (2, -9)), (3, (1, 0)), (9, (1, 0)), (6, (0, 8)),
        (10, (0, 6)), (1, (0, 4)), (8, (0, 0)),
    ]  # fmt: skip
    Fork.after = {**Fork.after, 11: (1, None, None)}
    assert tables.rank_moves(known, Fork()) == [], "what one leads to is in no table"
    over = Fork()
    over.outcome = lambda: (1, -1)
    assert tables.rank_moves(known, over) == []


@pytest.mark.once
def test_for_which_games_there_can_be_tables() -> None:
    class Plain(Position):
        pass

    tables.check_supported(Plain())
    for facts, words in (
        ({"players": 3}, "endgame tables require a two-player zero-sum game; plain is not"),
        (
            {"zero_sum": False},
            "endgame tables require a two-player zero-sum game; plain is not",
        ),
        (
            {"chance": True},
            "endgame tables require a game of perfect information without chance, unlike plain",
        ),
        (
            {"hidden": True},
            "endgame tables require a game of perfect information without chance, unlike plain",
        ),
        ({"scored": True}, "endgame tables store win, draw or loss; plain is scored in points"),
        (
            {"remembers": True},
            "endgame tables are indexed by position; results of plain depend on its history",
        ),
    ):
        with pytest.raises(Usage) as refused:
            tables.check_supported(type("Plain", (Position,), facts)())
        assert str(refused.value) == words
    tables.check_supported(CHESS.new())  # it remembers, and its positions have numbers
    names = {"chess": "chess", "tictactoe": "tictactoe", "nim:heaps=1+2": "nim:heaps=1+2"}
    names |= {"tictactoe:width=4,height=3": "tictactoe:height=3,width=4", "checkers": "checkers"}
    assert {spec: tables.table_name(registry.game(spec)) for spec in names} == names


@pytest.mark.once
def test_move_counter_draws_leave_results_unknown(small_tables: Path) -> None:
    """If the fifty-move rule may end the game first there are moves, but no value."""
    known = tables.Tables(str(small_tables / "chess"), CHESS)
    assert known.max_pieces == 3 and known.in_search and known.path_kind == "folder"
    fen = "8/8/8/4k3/8/8/8/KQ6 w - - {} 60"
    result, plies = known.lookup(CHESS.new(fen.format(0))) or (0, 0)
    waits = CHESS.new(fen.format(0)).plies_until_draw()
    assert result == WON and 10 < plies < waits
    for clock, drawn in ((waits - plies, True), (waits - plies + 1, False)):
        position = CHESS.new(fen.format(clock))
        assert position.plies_until_draw() == waits - clock
        value = known.probe(position)
        assert (value is not None and value.value == WIN - plies) == drawn
        advice = known.advise(position)
        assert advice is not None and advice.value == (WIN - plies if drawn else None)
        best = [move for move, good in tables.rank_moves(known, position) if good == (2, 1 - plies)]
        assert set(advice.moves) == set(best)
    assert known.lookup(CHESS.new()) is None and known.probe(CHESS.new()) is None
    assert known.advise(CHESS.new()) is None
    with pytest.raises(BadInput) as refused:
        tables.Tables(str(small_tables), CHESS)
    assert str(refused.value) == (
        f"{small_tables} holds no tables for chess. Try: gameplay table build chess --folder {small_tables}"
    )
