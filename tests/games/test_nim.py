"""Nim: Bouton's theorem, any number of players, and refusals."""

from functools import reduce
from itertools import combinations_with_replacement
from operator import xor

import pytest

from gameplay import Limit, Report, registry
from gameplay.errors import BadInput
from gameplay.kernel import compiled

HEAPS, LARGEST = (4, 7) if compiled() else (3, 5)
STARTS = [
    heaps for n in range(1, HEAPS + 1) for heaps in combinations_with_replacement(range(1, LARGEST + 1), n)
]


def solve(spec: str, heaps: str, engine: str = "maxn:table=1MB") -> Report:
    searcher, _ = registry.engine(engine)
    report = searcher.search(registry.game(f"nim:heaps={heaps}{spec}").new(), Limit(depth=200))
    assert report.exact or report.stopped == "proven"
    return report


@pytest.mark.parametrize("misere", [False, True], ids=["normal", "misere"])
def test_bouton_for_every_start(misere: bool) -> None:
    """C. L. Bouton, "Nim, a game with a complete mathematical theory", Annals of Mathematics 3, 1901-02."""
    for heaps in STARTS:
        total = reduce(xor, heaps)
        wins = total == 0 if misere and max(heaps) == 1 else total != 0
        report = solve(",misere=on" if misere else "", "+".join(map(str, heaps)))
        assert report.values == ((1, -1) if wins else (-1, 1)), heaps
    assert len(STARTS) == (329 if compiled() else 55)


@pytest.mark.parametrize("heaps", ["2+3+4", "1+2+3", "1+1+1", "2+2", "5", "1+4+5"])
@pytest.mark.parametrize("misere", ["off", "on"])
def test_two_player_engines_agree(heaps: str, misere: str) -> None:
    value = solve(f",misere={misere}", heaps).value
    for engine in ("iterative", "alphabeta", "expectiminimax", "paranoid:table=1MB", "brs:table=1MB"):
        number = solve(f",misere={misere}", heaps, engine).value
        assert (number > 0) == (value > 0), engine


def by_hand(heaps: tuple[int, ...], turn: int, players: int, misere: bool) -> tuple[int, ...]:
    """The payoffs if each player makes the first of their best moves."""
    if not any(heaps):
        last = (turn - 1) % players
        return tuple((players - 1 if p == last else -1) * (-1 if misere else 1) for p in range(players))
    results = []
    for heap, size in enumerate(heaps):
        for take in range(1, size + 1):
            after = (*heaps[:heap], size - take, *heaps[heap + 1 :])
            results.append(by_hand(after, (turn + 1) % players, players, misere))
    return max(results, key=lambda payoffs: payoffs[turn])


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("misere", ["off", "on"])
def test_three_and_more_take_the_first_of_their_best_moves(players: int, misere: str) -> None:
    for heaps in ((2, 2), (1, 2, 3), (3, 3), (1, 1, 1, 1)):
        spec = f",players={players},misere={misere}"
        values = by_hand(heaps, 0, players, misere == "on")
        for engine in ("maxn", "maxn:prune=off", "maxn:table=1MB"):
            assert solve(spec, "+".join(map(str, heaps)), engine).values == values


def best_reply(heaps: tuple[int, ...], depth: int, players: int, turn: int = 0, done: bool = False) -> int:
    """Best-reply search by definition, with player 0 at the root: one opponent replies, the others pass."""
    if not any(heaps):
        return players - 1 if (turn - 1) % players == 0 else -1
    if depth == 0:
        return 0
    if turn and done:
        return best_reply(heaps, depth, players, (turn + 1) % players, True)
    results = []
    for heap, size in enumerate(heaps):
        for take in range(1, size + 1):
            after = (*heaps[:heap], size - take, *heaps[heap + 1 :])
            results.append(best_reply(after, depth - 1, players, (turn + 1) % players, turn != 0))
    if turn == 0:
        return max(results)
    if turn < players - 1:
        results.append(best_reply(heaps, depth, players, turn + 1, False))
    return min(results)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_best_reply_search_lets_one_opponent_reply(players: int) -> None:
    for heaps in ((2, 2), (1, 2, 3), (3, 3), (1, 1, 1, 1)):
        for depth in (1, 2, 3, 4, 9):
            position = registry.game(f"nim:heaps={'+'.join(map(str, heaps))},players={players}").new()
            for spec in ("brs", "brs:table=16KB", "brs:order=killer+history"):
                report = registry.engine(spec)[0].search(position, Limit(depth=depth))
                assert report.value == best_reply(heaps, depth, players), (heaps, depth, spec)
                for move in report.pv:  # it ends where somebody passes, which the rules do not know
                    assert move in position.moves()
                    position.make(move)
                for _ in report.pv:
                    position.unmake()


def test_position_text_has_the_heaps_and_the_player_to_move() -> None:
    game = registry.game("nim:players=3")
    position = game.new("1+0+5 3")
    assert (position.text(), position.turn, len(position.moves())) == ("1+0+5 3", 2, 6)
    assert position.key() == (2, 1, 0, 5) and position.diagram() == "0+1+5 3"
    assert [position.format(move) for move in position.moves()][:2] == ["a1", "c1"]
    position.make(position.parse("C5"))
    assert (position.text(), position.turn) == ("1+0+0", 0)
    assert game.new("a3 b4").text() == "0+0+5 3"
    position.make(position.parse("a1"))
    assert position.outcome() == (2, -1, -1)
    position.setup("0+0+2 2")
    with pytest.raises(IndexError, match="there is no move to take back"):
        position.unmake()
    assert position.text() == "0+0+2 2", "what was played before is not a move of it"
    position.make(position.parse("c1"))
    assert position.twin().text() == position.text() == "0+0+1 3"
    assert str(game.new()) == "a:   3  ooo\nb:   4  oooo\nc:   5  ooooo"


def test_heaps_that_are_too_high_are_not_drawn() -> None:
    board = registry.game("nim:heaps=12+1").new("2+1").board()
    assert board is not None and len(board.cells) == len(board.rows) == 12 and board.rows[0] == "12"
    assert board.moves == {(11, 0): (1,), (10, 0): (2,), (11, 1): (256 + 1,)}
    assert registry.game("nim:heaps=1+13").new("1+1").board() is None


def test_there_may_be_sixteen_heaps() -> None:
    position = registry.game("nim:heaps=" + "+".join("1" * 16)).new()
    assert len(position.moves()) == 16 and position.format(position.moves()[-1]) == "p1"


def test_payoffs_and_their_description() -> None:
    facts = {
        spec: registry.game(f"nim:heaps=2+1,{spec}").new("1+2")
        for spec in ("players=3", "players=3,misere=on")
    }
    plain, misere = facts.values()
    assert (plain.low, plain.high, misere.low, misere.high) == (-1, 2, -2, 1)
    assert (plain.turn, plain.diagram(), misere.diagram()) == (0, "1+2 1", "1+2 1 misere")
    board = plain.board()
    assert (board.cells, board.columns, board.rows) == ((("", "o"), ("o", "o")), ("a", "b"), ("2", "1"))
    words = {cell: [plain.format(move) for move in moves] for cell, moves in board.moves.items()}
    assert words == {(1, 0): ["a1"], (1, 1): ["b1"], (0, 1): ["b2"]}


def test_heap_is_drawn_as_far_as_it_fits() -> None:
    """Up to twelve stones on a board, sixty in a line of text."""
    assert registry.game("nim:heaps=12+1").new().board() is not None
    assert registry.game("nim:heaps=13+1").new().board() is None
    lines = str(registry.game("nim:heaps=60+61").new()).splitlines()
    assert lines == ["a:  60  " + 60 * "o", "b:  61  " + 60 * "o"]


def test_a_heap_is_counted_in_the_singular():
    with pytest.raises(BadInput, match=r"^'5' has 1 heap, and this game has 3$"):
        registry.game("nim").new("5")
    with pytest.raises(BadInput, match=r"^'x' has 1 row; the board has 9$"):
        registry.game("go:size=9").new("x b")
