"""The contract's defaults: undo, keys, notation, positions as text."""

import enum
from array import array
from collections import deque
from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from msgspec import structs

from gameplay import CHANCE, Board, Position, Tray, undoable
from gameplay.errors import BadInput, IllegalMove, Usage
from gameplay.position import AbstractPosition, parameters, side
from gameplay.registry import game
from tests.support.paths import TESTS


def sticks(count=7):
    return game(f"{TESTS}/examples/games/sticks.py:sticks={count}").new()


class Piece(enum.Enum):
    MAN = 1
    KING = 2


@dataclass(slots=True)
class Slotted:
    count: int


class Rich(Position):
    """A position with every kind of mutable state."""

    def __init__(self):
        super().__init__()
        self.grid = [[0, 0], [0, 0]]
        self.row = self.grid[0]  # the same list under two names
        self.hands = {"north": [1, 2], "south": {3}}
        self.pile = deque([1, 2, 3])
        self.nested = ([1], (2, [3]))
        self.thing = SimpleNamespace(list=[1], owner=self)
        self.slotted = Slotted(1)
        self.piece = Piece.MAN

    def moves(self):
        return [0, 1]

    @undoable
    def make(self, move):
        self.row[0] += 1
        self.hands["north"].append(9)
        self.hands["south"].add(9)
        self.pile.append(9)
        self.nested[0].append(9)
        self.nested[1][1].append(9)
        self.thing.list.append(9)
        self.slotted.count += 1
        self.piece = Piece.KING
        self.extra = move
        self.turn = 1 - self.turn

    def outcome(self):
        return None


def state(position):
    return (
        position.turn,
        [list(row) for row in position.grid],
        {name: sorted(hand) for name, hand in position.hands.items()},
        list(position.pile),
        (list(position.nested[0]), position.nested[1][0], list(position.nested[1][1])),
        list(position.thing.list),
        position.slotted.count,
        position.piece,
        hasattr(position, "extra"),
    )


# -- undoable -------------------------------------------------------------------------------------


def test_unmake_restores_everything():
    position = Rich()
    seen = []
    for move in (0, 1, 0):
        seen.append(state(position))
        position.make(move)
    assert state(position) != seen[0]
    while seen:
        position.unmake()
        assert state(position) == seen.pop()


def test_aliased_lists_stay_aliased_after_unmake():
    position = Rich()
    position.make(0)
    position.unmake()
    assert position.row is position.grid[0]
    assert position.thing.owner is position
    position.make(0)
    assert position.grid[0][0] == 1


def test_unmake_restores_a_recursive_list():
    position = Rich()
    position.loop = [1]
    position.loop.append(position.loop)
    position.make(0)
    position.unmake()
    assert position.loop[1] is position.loop


def test_attribute_created_by_a_move_is_removed_by_unmake():
    position = Rich()
    position.make(0)
    assert position.extra == 0
    position.unmake()
    assert not hasattr(position, "extra")


def test_a_move_that_raises_leaves_the_position_as_it_was():
    class Careless(Rich):
        @undoable
        def make(self, move):
            self.grid[0][0] = 99
            self.turn = 1
            raise ValueError("no")

    position = Careless()
    before = state(position)
    with pytest.raises(ValueError, match="no"):
        position.make(0)
    assert state(position) == before
    with pytest.raises(IndexError):
        position.unmake()


def test_a_move_that_calls_its_parents_is_one_move():
    class Longer(Rich):
        @undoable
        def make(self, move):
            self.before = True
            super().make(move)
            self.after = True

    position = Longer()
    start = state(position)
    position.make(0)
    middle = state(position)
    position.make(1)
    position.unmake()
    assert state(position) == middle and position.after
    position.unmake()
    assert state(position) == start and not hasattr(position, "before")
    with pytest.raises(IndexError, match="no move to take back"):
        position.unmake()


def test_unmake_before_any_move():
    position = sticks()
    with pytest.raises(IndexError, match="no move to take back"):
        position.unmake()
    position.make(1)
    position.unmake()
    with pytest.raises(IndexError, match="no move to take back"):
        position.unmake()


def test_game_without_unmake_is_explained():
    class Bare(Position):
        def make(self, move):
            pass

    position = Bare()
    position.make(0)
    with pytest.raises(NotImplementedError, match=r"Bare needs unmake\(\), or @undoable on make"):
        position.unmake()
    for missing, words in (
        (position.moves, "Bare has no moves()"),
        (position.outcome, "Bare has no outcome()"),
        (lambda: Position().make(0), "Position has no make(move)"),
    ):
        with pytest.raises(NotImplementedError) as error:
            missing()
        assert str(error.value) == words


def test_the_wrapped_make_keeps_its_name():
    assert Rich.make.__name__ == "make"


# -- keys -----------------------------------------------------------------------------------------


def test_keys_distinguish_positions_only():
    first, second = Rich(), Rich()
    first.thing = second.thing = None
    assert first.key() == second.key()
    hash(first.key())
    for change in (
        lambda p: p.grid[1].__setitem__(1, 5),
        lambda p: p.hands["south"].add(4),
        lambda p: p.pile.append(1),
        lambda p: setattr(p, "piece", Piece.KING),
        lambda p: setattr(p.slotted, "count", 7),
        lambda p: setattr(p, "turn", 1),
    ):
        other = Rich()
        other.thing = None
        change(other)
        assert other.key() != first.key()


def test_keys_do_not_see_the_past_or_the_order_of_dicts():
    first, second = sticks(7), sticks(6)
    first.make(1)
    first.make(1)
    second.make(1)
    second.turn = first.turn
    assert first.key() == second.key()
    first.seen, second.seen = {"a": 1, "b": 2}, {"b": 2, "a": 1}
    assert first.key() == second.key()
    first.seen, second.seen = {3, 1, 2}, {2, 3, 1}
    assert first.key() == second.key()


def test_keys_include_unhashable_values():
    first, second = sticks(), sticks()
    first.seen, second.seen = array("b", [1, 2]), array("b", [1, 2])
    assert first.key() == second.key()
    hash(first.key())
    second.seen[1] = 3
    assert first.key() != second.key()


def test_keys_are_stable_parts():
    key = sticks().key()
    assert key == (0, ("sticks", 7))
    assert sticks().infoset(0) == key


def test_default_determinize_returns_a_copy():
    position = sticks()
    position.make(2)
    other = position.determinize(0, None)
    assert other.key() == position.key()
    other.make(1)
    assert position.sticks == 5
    position.unmake()
    assert position.sticks == 7

    class Secret(Position):
        hidden = True

    with pytest.raises(NotImplementedError, match="Secret has imperfect information"):
        Secret().determinize(0, None)


# -- words ----------------------------------------------------------------------------------------


class Named(Position):
    names = ("a", "A", "bishop", "Knight")

    def moves(self):
        return range(len(self.names))

    def outcome(self):
        return None

    def format(self, move):
        return self.names[move]


@pytest.mark.parametrize(("text", "move"), [("a", 0), ("A", 1), (" Bishop ", 2), ("KNIGHT", 3)])
def test_parsing_is_lenient_but_prefers_exact_words(text, move):
    assert Named().parse(text) == move


def test_wrong_parameter_error_lists_valid_ones():
    with pytest.raises(IllegalMove) as caught:
        Named().parse("bishp")
    assert str(caught.value) == (
        "'bishp' is not a legal move here; did you mean 'bishop'? (legal: a, A, bishop, Knight)"
    )
    assert isinstance(caught.value, BadInput)

    class Many(Named):
        names = tuple(f"m{i}" for i in range(30))

    with pytest.raises(IllegalMove, match=r"m11, \.\.\.\)"):
        Many().parse("zz")
    Many.names = Many.names[:12]
    with pytest.raises(IllegalMove, match=r"m11\)$"):
        Many().parse("zz")


def test_a_position_is_a_list_of_moves():
    position = sticks()
    position.setup("3 1")
    assert (position.sticks, position.turn) == (3, 0)
    assert position.text() is None
    with pytest.raises(IllegalMove, match="move 2: '4' is not a legal move here"):
        sticks().setup("1 4")
    with pytest.raises(IllegalMove, match="move 4, '1': the game is over before it"):
        sticks().setup("3 3 1 1")


def test_repr_of_a_position_lists_its_attributes():
    position = sticks()
    position.make(1)
    assert str(position) == "sticks 6\nsecond to move"


# -- facts ----------------------------------------------------------------------------------------


def test_defaults():
    position = Position()
    assert (position.players, position.zero_sum, position.chance, position.hidden) == (2, True, False, False)
    assert position.evaluate() == 0 and not position.noisy() and not position.forced()
    assert position.board() is None
    assert Named().chances() == [0.25] * 4
    assert (position.cost(0), position.estimate(), position.phase(), position.ending()) == (1, 0, 0, "")
    assert position.top_moves(3) == position.news() == () and position.text() is None
    nobody = [
        position.advice(),
        position.finish(None, 5),
        position.dealt_solver(None),
        position.concessions(),
        position.rule_of_thumb(),
    ]
    assert nobody == [None] * 5 and not position.allows(0)
    assert position.sees(0, 1) and position.sees(1, 1)
    position.hidden = True
    assert position.sees(0, 1) and not position.sees(1, 1), "who moves sees the move"


def test_parameters_come_from_the_constructor():
    result = parameters(game(f"{TESTS}/examples/games/pig.py").cls)
    assert {name: p.default for name, p in result.items()} == {"goal": 12, "faces": 6}
    assert list(parameters(game("connect4").cls)) == ["columns", "rows", "connect", "players"]
    assert list(parameters(game("tree:nowhere.toml").cls)) == ["file"]


def test_initial_position_is_rebuilt_from_stored_parameters():
    class Heap(Position):
        def __init__(self, left=3, most=2):
            super().__init__()
            self.left, self.kept = left, most

    heap = Heap(5)
    with pytest.raises(Usage) as refused:
        heap.initial()
    assert str(refused.value) == "Heap has no attribute most: add it, or override initial()"
    heap.most = 4
    start = heap.initial()
    assert (type(start), start.left, start.kept) == (Heap, 5, 4)


def test_sides_have_names():
    assert side(sticks(), 0) == "first" and side(sticks(), 1) == "second"
    assert side(sticks(), CHANCE) == "chance"
    assert side(game("tictactoe").new(), 1) == "o"
    three = game(f"{TESTS}/examples/games/thrice.py").new()
    assert side(three, 2) == "west"
    three.sides = ()
    assert side(three, 2) == "player 3"


# -- boards ---------------------------------------------------------------------------------------


BOARD = Board(
    cells=(("a", "", None), ("", "B", "a")),
    columns=("x", "y", "z"),
    rows=("2", "1"),
    owners={"a": 0, "B": 1},
    trays=(Tray("bar", ("", "b")), Tray("dice", ())),
    names={(1, 2): "corner"},
)


def test_cells_of_a_board_and_its_trays():
    assert [BOARD.piece(cell) for cell in ((0, 0), (0, 2), (1, 1), (2, 0), (2, 1))] == [
        "a",
        None,
        "B",
        "",
        "b",
    ]
    there = [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]
    assert BOARD.places() == there
    assert [(y, x) for y in range(-1, 6) for x in range(-1, 5) if BOARD.holds((y, x))] == there
    names = ["x2", "y2", "x1", "y1", "corner", "bar", "bar"]
    assert [BOARD.cell_name(cell) for cell in there] == names
    for word, cell in (
        ("Y1", (1, 1)),
        ("CORNER", (1, 2)),
        ("bar", (2, 0)),
        ("z2", None),
        ("z1", None),
        ("", None),
    ):
        assert BOARD.find(word) == cell
    assert Board(cells=(("",),), columns=("",), rows=("",)).find("") is None


def test_lines_of_a_lattice_go_to_the_next_point():
    def links(*edges):
        return Board(links=edges).lattice()

    assert links(((0, 0), (0, 1)), ((0, 0), (1, 0)), ((3, 3), (2, 3))) is True
    assert links() is False
    for other in ((1, 1), (0, 2), (2, 0), (0, 0)):
        assert links(((0, 0), (0, 1)), ((0, 0), other)) is False


def test_default_paths_and_steps_of_moves():
    board = Board(
        moves={(0, 0): (1, 2, 3, 4), (1, 1): (5,)},
        paths={1: ((0, 1), (0, 2)), 2: ((0, 2),), 5: ((3, 3),)},
        steps={3: ((((0, 0), (0, 2)), ((0, 0), (0, 3))), (((9, 9), (0, 4)),))},
    )
    assert board.targets((0, 0)) == {(0, 2): (1, 2, 3), (0, 3): (3,)}
    assert board.targets((1, 1)) == {(3, 3): (5,)} and board.targets((7, 7)) == {}


def test_board_with_partial_steps_of_a_move():
    """Two checkers on a point, an opponent's blot, and a bar on each side, as in backgammon."""
    away, hit, home = (0, 0), (0, 1), (0, 2)
    board = Board(
        cells=(("a", "b", "", "a", ""), ("", "")),
        owners={"a": 0, "b": 1},
        counts={away: 2, hit: 1, (0, 3): 1},
        hit={1: (1, 0), 0: (1, 1)},
        moves={away: (7, 8, 9)},
        paths={7: (home,), 8: (hit,), 9: (home,)},
        steps={
            7: (((away, hit), (hit, home)), ((away, home),)),
            8: (((away, hit), (away, hit)),),
            9: (((away, home), (away, home)),),
        },
    )
    assert board.after([]) is board
    moved_board = board.after([(away, hit)])
    assert moved_board.cells == (("a", "a", "", "a", ""), ("b", ""))
    assert moved_board.counts == {away: 1, hit: 1, (0, 3): 1, (1, 0): 1}
    assert moved_board.steps == {7: (((hit, home),),), 8: (((away, hit),),)}
    assert moved_board.moves == {away: (8,), hit: (7,)} and moved_board.paths == {7: (home,), 8: (hit,)}
    assert moved_board.last == (hit,) and board.counts[away] == 2
    both = board.after([(away, hit), (away, hit)])
    assert both.cells == (("", "a", "", "a", ""), ("b", ""))
    assert both.counts == {hit: 2, (0, 3): 1, (1, 0): 1} and both.steps == {8: ((),)} and both.moves == {}
    moved = board.after([(away, home)])
    assert moved.cells == (("a", "b", "a", "a", ""), ("", ""))
    assert moved.counts == {away: 1, hit: 1, home: 1, (0, 3): 1}
    assert moved.steps == {7: ((),), 9: (((away, home),),)} and moved.moves == {away: (9,)}
    without = structs.replace(board, hit={}).after([(away, hit)])
    assert without.cells == (("a", "a", "", "a", ""), ("", "")) and (1, 0) not in without.counts
    bare = structs.replace(board, counts={}).after([(away, home)])
    assert bare.cells == (("", "b", "a", "a", ""), ("", "")) and bare.counts == {home: 1}


def test_infoset_as_text():
    class Secret(Position):
        hidden = True

        def infoset(self, player):
            return ("K", "", None, (), 3 + player) if player else "alone"

        def __str__(self):
            return "all of it"

    assert [Secret().show(viewer) for viewer in (None, 0, 1)] == [
        "all of it", "first knows: alone", "second knows: K 4",
    ]  # fmt: skip
    Secret.hidden = False
    assert Secret().show(1) == "all of it"
    Secret.hidden, Secret.infoset = True, lambda self, player: ("", ())
    assert Secret().show(0) == "first knows:"


def test_custom_evaluation_evaluates_a_position():
    def evaluation_of(value, inside=False):
        return SimpleNamespace(
            inside=inside,
            evaluate=lambda position: value,
            evaluate_for=lambda position, player: 10 * value + player,
        )

    class Own(Position):
        evaluations = {"first": evaluation_of(3), "second": evaluation_of(5)}

    position = Own()
    assert (position.evaluate(), position.evaluate_for(0), position.evaluate_for(1)) == (3, 30, 31)
    position.evaluation = evaluation_of(7)
    assert (position.evaluate(), position.evaluate_for(1)) == (7, 71)
    position.evaluation = evaluation_of(7, inside=True)
    assert (position.evaluate(), position.evaluate_for(1)) == (0, 0)

    class Guess(Position):
        def evaluate(self):
            return 4

    for facts, expected in (
        ({}, [4, -4]), ({"turn": 1}, [-4, 4]), ({"turn": CHANCE}, [0, 0]), ({"zero_sum": False}, [0, 0]),
        ({"players": 3}, [0, 0]), ({"players": 1}, [0, 0]),
    ):  # fmt: skip
        position = Guess()
        for name, value in facts.items():
            setattr(position, name, value)
        assert [position.evaluate_for(player) for player in (0, 1)] == expected


def test_an_error_lists_captures_first_and_bets_in_their_order() -> None:
    chess = game("chess").new("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    with pytest.raises(IllegalMove, match=r"\(legal: exd5, a3, "):
        AbstractPosition.parse(chess, "x")
    leduc = game("leduc").new("Ks Qh bet")
    with pytest.raises(IllegalMove, match=r"\(legal: fold, call, raise\)"):
        leduc.parse("x")
