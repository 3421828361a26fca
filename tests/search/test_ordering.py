"""Move orders, each by its effect: the order in which a search visits a tree made for it."""

import random
from itertools import permutations, product
from typing import Any

import pytest

from gameplay import Evaluation, Limit, Position, registry
from gameplay.kernel import compiled
from gameplay.search import ordering
from gameplay.search.session import Session
from gameplay.search.table import Table
from gameplay.search.trace import TraceEvent
from gameplay.value import KILLER, WIN


class SharedList(list[str]):
    """A list shared by a position and its copies, since a search uses a copy."""

    def __deepcopy__(self, memo: dict[int, Any]) -> "SharedList":
        return self


class Tree(Position):
    """Three moves everywhere, down to leaves of given values; records every move made.

    `worth` maps the moves that led to a position to what it is worth to who moved first; 0 where it is
    silent. `payoffs` maps ends of the game to what they are worth to the first player: 1 or -1.
    """

    evaluations = {"worth": Evaluation("worth")}

    def __init__(
        self, worth: dict[str, int], payoffs: dict[str, int] | None = None, twice: str = "-"
    ) -> None:
        super().__init__()
        self.worth = worth
        self.payoffs = payoffs or {}
        self.twice = twice  # after these moves the same player moves again
        self.path = ""
        self.entered = SharedList()

    def moves(self) -> list[int]:
        return [0, 1, 2]

    def turn_at(self) -> int:
        return (len(self.path) - self.path.startswith(self.twice)) % 2

    def make(self, move: int) -> None:
        self.path += str(move)
        self.turn = self.turn_at()
        self.entered.append(self.path)

    def unmake(self) -> None:
        self.path = self.path[:-1]
        self.turn = self.turn_at()

    def outcome(self) -> tuple[int, int] | None:
        first = self.payoffs.get(self.path)
        return None if first is None else (first, -first)

    def evaluate(self) -> int:
        value = self.worth.get(self.path, 0)
        return value if self.turn == 0 else -value


class Four(Tree):
    """The same with four moves."""

    def moves(self) -> list[int]:
        return [0, 1, 2, 3]


def visited_leaves(engine: str, tree: Tree, depth: int) -> list[str]:
    """The leaves in the order of their first visit."""
    registry.engine(engine)[0].search(tree, Limit(depth=depth))
    return list(dict.fromkeys(path for path in tree.entered if len(path) == depth))


def below(paths: list[str], parent: str) -> str:
    """The order in which the children of a position were entered, one letter a move."""
    moves = (path[len(parent)] for path in paths if path.startswith(parent) and len(path) > len(parent))
    return "".join(dict.fromkeys(moves))


def test_generated_is_as_the_game_lists_them() -> None:
    paths = visited_leaves("alphabeta:order=generated", Tree({}), 1)
    assert paths == ["0", "1", "2"]


def test_random_is_any_order_and_the_same_for_the_same_seed() -> None:
    def order(seed: int) -> str:
        return below(visited_leaves(f"alphabeta:order=random,seed={seed}", Tree({}), 1), "")

    assert {order(seed) for seed in range(60)} == {"".join(some) for some in permutations("012")}
    assert order(7) == order(7)


@pytest.mark.parametrize(
    ("tree", "order"),
    [
        (Tree({"0": 1, "1": 3, "2": 2}), "120"),
        (Tree({"0": 2, "1": 2, "2": 3}), "201"),  # ties as generated
        (Tree({"0": 1, "1": 3, "2": 2}, payoffs={"2": 1}), "10"),  # the win before all, which has no leaves
        (Tree({"0": 1, "1": -3, "2": 2}, payoffs={"1": -1}), "20"),
        (Tree({"0": 2, "1": 3, "2": 1}, twice="1"), "102"),  # who moves again judges as before
        (Tree({"0": 2, "1": -3, "2": 1}, twice="1"), "021"),
    ],
)
def test_evaluation_is_the_child_that_looks_best_first(tree: Tree, order: str) -> None:
    assert below(visited_leaves("alphabeta:order=evaluation", tree, 2), "") == order


def test_evaluation_puts_a_won_game_first_and_a_lost_one_last() -> None:
    for payoff, place in ((1, 0), (-1, 2)):
        tree = Tree({"0": 2, "2": 3}, payoffs={"1": payoff})
        registry.engine("alphabeta:order=evaluation")[0].search(tree, Limit(depth=1))
        assert [path for path in tree.entered[3:] if len(path) == 1][place] == "1"


def test_shallow_orders_the_root_by_a_search_of_two_plies() -> None:
    worth = {"0": 9, "1": 5, "2": 1}  # what one ply sees
    worth |= {"00": 1, "01": 4, "02": 8} | {"10": 7, "11": 6, "12": 5} | {"20": 3, "21": 3, "22": 3}
    tree = Tree(worth)
    registry.engine("alphabeta:order=shallow")[0].search(tree, Limit(depth=3))
    deep = [path for path in tree.entered if len(path) == 3]
    assert below(deep, "") == "120"  # 5, 3 and 1 after the best reply


def replies(**below: tuple[int, int, int]) -> dict[str, int]:
    """Values of leaves, by the moves above them: replies(_0=(1, 2, 3)) is {"00": 1, "01": 2, "02": 3}."""
    return {f"{name[1:]}{i}": value for name, values in below.items() for i, value in enumerate(values)}


CUT = replies(_0=(5, 5, 5), _1=(9, 9, 0), _2=(9, 9, 0))  # after 1 and after 2 only the third reply refutes


@pytest.mark.parametrize(("order", "last"), [("generated", "012"), ("killer", "2"), ("history", "2")])
def test_killer_moves_come_first(order: str, last: str) -> None:
    paths = visited_leaves(f"alphabeta:order={order}", Tree(CUT), 2)
    assert below(paths, "1") == "012"
    assert below(paths, "2") == last


def test_newer_killer_is_first() -> None:
    worth = {f"{i}{j}": 9 for i in range(4) for j in range(4)} | {f"0{j}": 5 for j in range(4)}
    tree = Four(worth | {"13": 0, "22": 0, "30": 9, "31": 0})
    paths = visited_leaves("alphabeta:order=killer", tree, 2)
    assert below(paths, "2") == "3012"  # 3 refuted before
    assert below(paths, "3") == "2301"  # 2 after it


# The root's mover refutes the reply 4 by 2, after 0 and after 1: each time the value of the reply 3 is less.
ANSWERED = replies(_03=(5, 5, 5), _04=(1, 2, 9), _05=(9, 9, 9)) | replies(
    _13=(7, 7, 7), _14=(1, 1, 9), _15=(9, 9, 9)
)


@pytest.mark.parametrize(
    ("order", "again", "other"),
    [
        ("generated", "012", "0"),
        ("killer", "2", "2"),  # at this ply whatever was answered
        ("history", "2", "2"),  # anywhere
        ("countermove", "2", "0"),  # in answer to this move only
        ("continuation", "2", "0"),
    ],
)
def test_countermove_is_first(order: str, again: str, other: str) -> None:
    class Apart(Tree):
        def moves(self) -> list[int]:
            return [3, 4, 5] if self.turn else [0, 1, 2]

    engine = f"iterative:table=off,pvs=off,aspiration=off,order={order}"
    paths = visited_leaves(engine, Apart(ANSWERED), 3)
    assert below(paths, "04") == "012"
    assert below(paths, "14") == again
    assert below(paths, "15") == other


def expected_leaves(tree: Tree, depth: int, orders: str) -> list[str]:
    """The leaves in the order of an alpha-beta with killers, then history, written from the description."""
    killers: dict[int, list[int]] = {}  # by ply, the newest first
    history: dict[tuple[int, int], int] = {}  # by who moves and the move: the squares of the depths
    leaves = []

    def visit(ply: int, alpha: int, beta: int) -> int:
        if ply == depth:
            leaves.append(tree.path)
            return tree.evaluate()
        mover = tree.turn
        moves = killers.setdefault(ply, [])
        ranks = {}
        for move in tree.moves():
            killer = moves.index(move) if "killer" in orders and move in moves else 2
            ranks[move] = (
                killer,
                -history.get((mover, move), 0) if "history" in orders and killer == 2 else 0,
            )
        best = -1000
        for move in sorted(tree.moves(), key=ranks.__getitem__):
            tree.make(move)
            best = max(best, -visit(ply + 1, -beta, -alpha))
            tree.unmake()
            alpha = max(alpha, best)
            if alpha >= beta:
                if moves[:1] != [move]:
                    moves[:] = [move, *moves[:1]]
                history[mover, move] = history.get((mover, move), 0) + (depth - ply) ** 2
                break
        return best

    visit(0, -1000, 1000)
    return leaves


@pytest.mark.parametrize("orders", ["generated", "killer", "history", "killer+history"])
def test_killers_and_history_equal_those_of_a_plain_program(orders: str) -> None:
    draw = random.Random(orders)
    for _ in range(10):
        tree = Four({"".join(path): draw.randint(-9, 9) for path in product("0123", repeat=5)})
        leaves = expected_leaves(tree, 5, orders)
        tree.entered.clear()
        registry.engine(f"alphabeta:order={orders}")[0].search(tree, Limit(depth=5))
        assert [path for path in tree.entered if len(path) == 5] == leaves


@pytest.mark.parametrize(
    ("fen", "first"),
    [
        ("4k3/8/8/2q1r3/3P4/8/8/7K w - - 0 1", "dxc5"),  # the queen before the rook
        ("4k3/8/8/2r1q3/3P4/8/8/7K w - - 0 1", "dxe5"),
        ("4k3/8/8/4r3/1B1P4/5N2/8/7K w - - 0 1", "dxe5"),  # by the pawn before the knight
        ("4k3/P7/8/2q5/3P4/8/8/7K w - - 0 1", "a8=Q+"),  # a new queen before all
    ],
)
def test_hints_order_moves(fen: str, first: str) -> None:
    """The first move that a search of one ply enters is the first of its order."""
    position = registry.game("chess").new(fen)
    steps: list[TraceEvent] = []
    registry.engine("iterative:order=hint")[0].search(position, Limit(depth=1), trace=steps.append)
    move = next(step.move for step in steps if step.what == "enter" and step.ply == 1)
    assert position.format(move) == first


def searched_moves(engine: str, fen: str) -> list[str]:
    """The moves of a search of one ply, in search order."""
    position = registry.game("chess").new(fen)
    steps: list[TraceEvent] = []
    registry.engine(engine)[0].search(position, Limit(depth=1), trace=steps.append)
    return [position.format(step.move) for step in steps if step.what == "enter" and step.ply == 1]


@pytest.mark.parametrize("order", ["hint", "hint+history", "hint+evaluation"])
def test_warned_moves_come_after_quiet_moves(order: str) -> None:
    """An underpromotion comes after every king move, although all of these seem to lose."""
    words = searched_moves(f"alphabeta:order={order}", "8/P7/6q1/6q1/8/8/8/K6k w - - 0 1")
    assert words[0].startswith("a8=Q")
    assert {word[:4] for word in words[1:]} == {"Ka2", "Kb2", "a8=R", "a8=B", "a8=N"}
    assert {word[:3] for word in words[1:3]} == {"Ka2", "Kb2"}


@pytest.mark.parametrize(("exchange", "place"), [("on", -1), ("off", 0)])
def test_losing_captures_come_last(exchange: str, place: int) -> None:
    words = searched_moves(f"selective:exchange={exchange}", "4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1")
    assert len(words) > 10 and words[place] == "Qxd5"


def test_even_exchanges_are_first_and_losing_quiet_moves_are_not_exchanges() -> None:
    fen = "4k3/1p6/p3p3/3n4/8/4N3/8/R3K3 w - - 0 1"
    position = registry.game("chess").new(fen)
    words = [position.format(move) for move in position.moves()]
    quiet = [word for word in words if "x" not in word]
    assert "Nf5" in quiet and "Ra5" in quiet, "where pawns and the knight take"
    assert searched_moves("selective:exchange=on,eval=classic", fen) == ["Nxd5", *quiet, "Rxa6"]


def play_and_search(spec: str, again: bool) -> list[int]:
    """The nodes of the searches of a chess player's first moves; `again`: each in its own session."""
    engine, position = registry.engine(spec)[0], registry.game("chess").new("e4 e5 Nf3 Nc6 Bb5 a6")
    session, nodes = Session(engine), []
    session.begin()
    for word in ("Ba4", "Nf6", "O-O", "Be7", "Re1"):
        if again:
            session = Session(engine)
            session.begin()
        nodes.append(session.search(position, Limit(depth=6)).nodes)
        position.make(position.parse(word))
    return nodes


def test_history_serves_the_next_search_of_a_game() -> None:
    """With the table it lasts for the game; the first search is that of a new session."""
    kept, fresh = (play_and_search("selective", again) for again in (False, True))
    assert kept[0] == fresh[0]
    assert sum(kept[1:]) < sum(fresh[1:])
    for spec in ("iterative:order=killer+history+continuation,depth=4", "selective:table=off"):
        kept, fresh = (play_and_search(spec, again) for again in (False, True))
        assert kept == fresh, "nothing is kept"


def test_table_has_an_ordering_for_each_thread_as_long_as_its_entries() -> None:
    def create() -> ordering.Ordering:
        return ordering.Ordering(["killer", "history"])

    table = Table(10)
    table.new_search()
    first, second = table.ordering(create), table.ordering(create)
    assert first is not second
    table.new_search(keep=True)
    assert table.ordering(create) is first and table.ordering(create) is second
    table.new_search()
    assert table.ordering(create) not in (first, second)


@pytest.mark.skipif(compiled(), reason="reads killers")
def test_killers_of_the_last_search_are_cleared() -> None:
    table = Table(10)
    for keep in (False, True):
        table.new_search(keep)
        moves = table.ordering(lambda: ordering.Ordering(["killer", "countermove"]))
        assert moves.killers[6] == -1
        moves.record_cutoff(3, 17, 5)
        assert moves.killers[6] == moves.countermoves[5] == 17
    table.new_search(keep=True)
    assert table.ordering(lambda: moves).countermoves[5] == 17


@pytest.mark.skipif(compiled(), reason="the pure build lets Python ask")
@pytest.mark.parametrize(
    ("gain", "bonus", "after"),
    [
        (0, 400, 12800),
        (0, -400, -12800),
        (16384, 400, 16384),
        (16384, -400, -9216),
        (-16384, 400, 9216),
        (-16384, -400, -16384),
        (1000, 3, 1091),  # 1000 + 96 - 5.86, which is rounded toward zero
        (-1000, -3, -1091),
        (-1000, 3, -899),
        (511, 1, 543),
        (512, 1, 543),
    ],
)
def test_history_gravity_draws_a_gain_toward_its_bound(gain: int, bonus: int, after: int) -> None:
    assert ordering.apply_gravity(gain, bonus) == after


class Six:
    """A kernel of six moves, 0 to 5, with values set by the test."""

    def __init__(self, turn: int = 0, hints: tuple[int, ...] = (0,) * 6, loses: tuple[int, ...] = ()) -> None:
        self.turn, self.hints, self.loses = turn, hints, loses
        self.stack, self.weight = [99, 0, 1, 2, 3, 4, 5, 98], [-7] * 8
        self.made: list[int] = []

    def hint(self, move: int) -> int:
        return self.hints[move]

    def see(self, move: int) -> int:
        return -1 if move in self.loses else 0

    def history_index(self, move: int) -> int:
        return 1024 + move  # which continuation does not tell from `move`

    def push(self, move: int) -> None:
        self.made.append(move)
        self.turn ^= move != 4  # who plays 4 moves again

    def pop(self, move: int) -> None:
        assert self.made.pop() == move
        self.turn ^= move != 4

    def result(self) -> int:
        return {0: 0, 1: 1, 2: 2, 3: 3, 4: 3, 5: 4}[self.made[-1]]

    def points(self) -> int:
        return 17

    def score_for(self, player: int) -> int:
        return 60 + player


FRONT = 1 << 30  # what weighs more than all else


def score_moves(order: Any, kernel: Six, ply: int = 3, first: int = -1, last: int = -1) -> list[int]:
    order.score_moves(kernel, 1, 7, ply, first, last)
    assert (kernel.weight[0], kernel.weight[7]) == (-7, -7), "of other moves"
    return kernel.weight[1:7]


PURE = pytest.mark.skipif(compiled(), reason="the pure build lets Python ask")


@PURE
def test_hints_and_exchanges_weigh_more_than_killers_and_these_more_than_counters() -> None:
    hints = (3, 0, -2, 5, 0, 0)
    every = ordering.Ordering(["hint", "killer", "countermove", "history"], uses_see=True)
    every.record_cutoff(3, 4, 4096 + 9)
    every.record_cutoff(3, 5, -1)
    every.record_cutoff(3, 5, -1)  # the same once more is no second killer
    every.record_cutoff(4, 1, 9)
    kernel = Six(1, hints, loses=(3,))
    good, killer = 2 * KILLER, KILLER
    assert score_moves(every, kernel) == [3 + good, 0, -2 - killer, 5 - killer, killer, killer + 1]
    weights = score_moves(every, kernel, ply=4, last=4096 + 9)
    assert weights == [3 + good, killer + 1, -2 - killer, 5 - killer, killer - 1, 0]
    weights = score_moves(every, kernel, ply=2, first=3, last=9)
    assert weights == [3 + good, killer - 1, -2 - killer, FRONT, 0, 0]
    plain, bare = ordering.Ordering(["hint"]), ordering.Ordering(["generated"], uses_see=True)
    assert score_moves(plain, kernel) == [3 + good, 0, -2 - killer, 5 + good, 0, 0]
    assert (
        score_moves(bare, kernel, first=0) == [FRONT, 0, 0, 0, 0, 0]
        and bare.keeps_order
        and not plain.keeps_order
    )
    assert (
        not ordering.Ordering(["hint"]).uses_previous_move
        and ordering.Ordering(["continuation"]).uses_previous_move
    )


@PURE
def test_history_grows_by_the_squared_depth_separately_for_each_side() -> None:
    order = ordering.Ordering(["history", "continuation"])
    kernel = Six(0)
    order.update_history(kernel, 0, 3, 2, -1)
    order.update_history(kernel, 2, 2, 2, 5)  # player 2 counts as player 0
    order.update_history(kernel, 1, 4, 3, 4096 + 5)
    assert score_moves(order, kernel) == [0, 0, 13, 0, 0, 0]
    assert score_moves(order, kernel, last=5) == [0, 0, 17, 16, 0, 0], "1024 entries are distinguished"
    assert score_moves(order, kernel, last=6) == [0, 0, 13, 0, 0, 0]
    assert score_moves(order, Six(1)) == [0, 0, 0, 16, 0, 0]
    for _ in range(70):
        order.update_history(kernel, 0, 250, 1, 7)
    assert (
        score_moves(order, kernel, last=7) == [0, 2 << 20, 13, 0, 0, 0]
        and score_moves(order, kernel)[1] == 1 << 20
    )
    order.adjust_history(kernel, 1, 5, 400, 9)
    order.adjust_history(kernel, 1, 5, -100, -1)
    assert score_moves(order, Six(1), last=9)[5] == 12800 - 3200 - 2500 + 12800
    silent = ordering.Ordering(["killer"])
    silent.update_history(kernel, 0, 3, 2, 5)
    silent.adjust_history(kernel, 0, 2, 100, 5)
    assert score_moves(silent, kernel, last=5) == [0] * 6


@PURE
def test_ordering_by_evaluation_is_from_the_movers_side() -> None:
    order = ordering.Ordering(["evaluation"])
    for turn in (0, 1):
        kernel = Six(turn)
        assert score_moves(order, kernel) == [60 + turn, WIN, 0, -WIN, WIN, -17]
        assert kernel.turn == turn and not kernel.made


@PURE
def test_random_orders_are_those_of_their_seed() -> None:
    """Marsaglia's xorshift with 13, 7 and 17, implemented here; a killer move consumes no number."""
    for seed in (0, 5):
        state = ((seed + 1) * 0x9E3779B97F4A7C15) % 2**64
        expected = []
        for _ in range(6):
            state ^= state << 13 & 2**64 - 1
            state ^= state >> 7
            state ^= state << 17 & 2**64 - 1
            expected.append(state >> 40)
        order = ordering.Ordering(["random", "killer"], seed)
        assert score_moves(order, Six())[:3] == expected[:3]
        order = ordering.Ordering(["random", "killer"], seed)
        order.record_cutoff(3, 1, -1)
        assert score_moves(order, Six()) == [expected[0], KILLER + 1, *expected[1:5]]
        order.begin_search()
        assert score_moves(order, Six()) == expected


@PURE
def test_moves_are_picked_the_best_first_and_the_others_keep_their_order() -> None:
    order, kernel = ordering.Ordering(["generated"]), Six()
    kernel.weight = [90, 3, 7, 7, 1, 9, 3, 95]
    assert order.pick(kernel, 1, 7) == 4
    assert (kernel.stack, kernel.weight) == ([99, 4, 0, 1, 2, 3, 5, 98], [90, 9, 3, 7, 7, 1, 3, 95])
    assert order.pick(kernel, 2, 7) == 1 and kernel.stack == [99, 4, 1, 0, 2, 3, 5, 98]
    assert order.pick(kernel, 6, 7) == 5 and kernel.stack[6] == 5
    order.sort(kernel, 1, 7, 0, 3, -1)
    assert kernel.stack == [99, 3, 4, 1, 0, 2, 5, 98]
