"""English draughts: rules against published numbers and other programs, notation, drawing."""

import re
import tomllib
from collections.abc import Callable
from itertools import count, product
from random import Random
from typing import Any, NamedTuple

import pytest

from gameplay import registry
from gameplay.errors import BadInput
from gameplay.evaluation import Evaluation
from gameplay.games.checkers.notation import squares_of
from gameplay.kernel import compiled
from gameplay.search.limit import Limit
from gameplay.value import WIN, format_amount
from tests.support.paths import TESTS

ANSWERS = tomllib.loads((TESTS / "answers" / "checkers.toml").read_text())
MOST = 90_000_000 if compiled() else 40_000  # leaves worth counting


def checkers(text: str = "") -> Any:
    return registry.game("checkers").new(text)


def words(position: Any) -> list[str]:
    return sorted(position.format(move) for move in position.moves())


@pytest.mark.parametrize("answer", ANSWERS["perft"], ids=lambda answer: answer["fen"])
def test_perft(answer: dict[str, Any]) -> None:
    position = checkers(answer["fen"])
    for depth, leaves in enumerate(answer["leaves"], 1):
        if leaves < MOST:
            assert position.perft(depth) == leaves


def test_counting_without_writing_agrees_with_making_every_move() -> None:
    """`perft` counts the last ply without generating it; here each move is made."""

    def lines(position: Any, depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for move in position.moves():
            position.make(move)
            total += lines(position, depth - 1) if position.outcome() is None or depth == 1 else 0
            position.unmake()
        return total

    for fen in ("W:WK14,K18,22:BK5,6,7,15,K19,24,26", "B:WK6,7,15,16,23,24,K31:BK1,K10,12"):
        position = checkers(fen)
        assert position.perft(3) == lines(position, 3)


@pytest.mark.parametrize(
    ("fen", "legal"),
    [
        ("B:W18,14:B10", ["10x17"]),  # forwards only, and a jump must be taken
        ("B:W15,24:B10,1", ["10x19x28"]),  # it goes on while it can
        ("B:W15,24,23:B10", ["10x19x26", "10x19x28"]),  # either way round
        ("B:W24,23:B19", ["19x26", "19x28"]),
        ("B:W25,26:B22", ["22x29", "22x31"]),  # the man is crowned and stops, though 29x22 would go on
        ("B:W6,15,14,7:BK1", ["1x10x3", "1x10x17", "1x10x19"]),
        ("W:W6,7,14:BK1,K2,K3,K4", ["14-10", "14-9"]),
        ("B:W6,7,14,15:BK2", ["2x11x18x9x2", "2x9x18x11x2"]),  # a round trip, both ways
        ("B:W32:B28", ["28-32"][:0]),  # blocked: lost
    ],
)
def test_moves(fen: str, legal: list[str]) -> None:
    position = checkers(fen)
    assert words(position) == sorted(legal)
    assert (position.outcome() == (-1, 1)) == (not legal)


def test_random_games_agree_with_openspiel() -> None:
    """OpenSpiel splits jumps into single steps: whole turns are compared."""
    pyspiel = pytest.importorskip("pyspiel")

    def square(name: str) -> int:
        row, column = int(name[1]) - 1, 7 - "abcdefgh".index(name[0])
        return 4 * row + column // 2 + 1

    def turns(state: Any) -> dict[tuple[int, ...], Any]:
        results: dict[tuple[int, ...], Any] = {}
        for action in state.legal_actions():
            name = state.action_to_string(action)
            path = (square(name[:2]), square(name[2:]))
            below = state.clone()
            below.apply_action(action)
            if below.is_terminal() or below.current_player() != state.current_player():
                results[path] = below
            else:
                results |= {(path[0], *rest): end for rest, end in turns(below).items()}
        return results

    compare(lambda: pyspiel.load_game("checkers").new_initial_state(), turns, 30)


def compare(start: Callable[[], Any], turns: Callable[[Any], dict[tuple[int, ...], Any]], games: int) -> None:
    """Play at random; both programs have the same moves until one of them ends the game."""
    compared = 0
    for seed in range(games):
        rng = Random(seed)
        position, state = checkers(), start()
        while position.outcome() is None:
            theirs = turns(state)
            if not theirs:
                break
            ours = {tuple(squares_of(move)): move for move in position.moves()}
            assert sorted(ours) == sorted(theirs), position.fen()
            path = rng.choice(sorted(ours))
            position.make(ours[path])
            state = theirs[path]
            compared += 1
    assert compared > 40 * games


def test_endings_of_two_pieces() -> None:
    """All positions with one piece a side, by retrograde analysis, and some by search."""
    answer = ANSWERS["endings"][0]
    position = checkers()
    men = {"B": range(1, 29), "W": range(5, 33)}
    pieces = {side: [*map(str, men[side]), *(f"K{square}" for square in range(1, 33))] for side in men}
    after: dict[str, list[str]] = {}
    for turn, white, black in product("BW", pieces["W"], pieces["B"]):
        if white.lstrip("K") != black.lstrip("K"):
            fen = f"{turn}:W{white}:B{black}"
            position.setup(fen)
            after[fen] = []
            for move in position.moves():
                position.make(move)
                after[fen].append(position.fen())
                position.unmake()
    plies = worked_back(after)

    def counts(kings_only: bool) -> list[int]:
        ends = [plies.get(fen) for fen in after if not kings_only or fen.count("K") == 2]
        won, lost = (sum(end is not None and end % 2 == odd for end in ends) for odd in (1, 0))
        return [won, len(ends) - won - lost, lost, max(end for end in ends if end is not None)]

    assert counts(kings_only=False) == answer["two"]
    assert counts(kings_only=True) == answer["kings"]
    engine = registry.engine("iterative:eval=samuel,table=16MB")[0]
    won = sorted(fen for fen in after if plies.get(fen, 0) in ((9, 11, 13) if compiled() else (3, 5)))
    for fen in Random(0).sample(won, 6):
        report = engine.search(checkers(fen), Limit(depth=plies[fen]))
        assert report.value == WIN - plies[fen], fen


def worked_back(after: dict[str, list[str]]) -> dict[str, int]:
    """The distance to the forced end of each position by retrograde analysis, without draws."""
    before: dict[str, list[str]] = {}
    for fen, children in after.items():
        for child in children:
            before.setdefault(child, []).append(fen)
    escapes = {fen: len(children) for fen, children in after.items()}
    layer = [fen for fen in {*after, *before} if not after.get(fen)]
    plies = dict.fromkeys(layer, 0)
    for ply in count(1):
        results = []
        for child in layer:
            for fen in before.get(child, ()):
                escapes[fen] -= 1
                if fen not in plies and (ply % 2 or not escapes[fen]):
                    plies[fen] = ply
                    results.append(fen)
        if not results:
            return plies
        layer = results
    raise AssertionError


def test_draws_are_counted() -> None:
    position = checkers("B:WK32:BK1:H70")
    for ply, word in enumerate(["1-6", "32-27", "6-1", "27-32", "1-6", "32-27", "6-1"]):
        assert position.clock == 70 + ply
        position.make(position.parse(word))
        assert position.outcome() is None
    position.make(position.parse("27-32"))  # here for the third time
    assert position.outcome() == (0, 0)
    position.unmake()
    assert position.outcome() is None
    position.setup("B:WK32:BK1:H79")
    position.make(position.parse("1-5"))
    assert position.outcome() == (0, 0)
    position.setup("B:W32,31,30,K26:BK1,28:H79")
    position.setup("B:W32,K27:BK1,28:H79")
    position.make(position.parse("1-5"))
    assert position.outcome() == (0, 0)
    position.setup("W:W32:BK24,28:H79")  # the last move before the draw leaves nothing to move: lost
    assert position.outcome() is None


def test_key_has_positions_since_the_last_irreversible_move() -> None:
    """Each position as bitboards of black, white and kings, and the turn."""

    def bits(*squares: int) -> int:
        return sum(1 << (square - 1 + (square - 1) // 8) for square in squares)

    position = checkers("W:W25,K32:BK1,15")
    assert isinstance(position.key(), int)
    before = []
    for word, king, white in (("32-27", 1, 32), ("1-5", 1, 27), ("27-32", 5, 27)):
        before.append((bits(king, 15), bits(25, white), bits(king, white), position.turn))
        position.make(position.parse(word))
        assert position.key()[1:] == (len(before), *sum(sorted(before), ()))


def test_progress_stops_the_count() -> None:
    position = checkers("B:WK32:BK1,10:H40")
    position.make(position.parse("10-15"))
    assert position.clock == 0
    assert position.text() == "W:WK32:BK1,15"
    position.make(position.parse("32-27"))
    assert position.text() == "W:WK32:BK1,15 32-27"
    again = checkers(position.text())
    assert (again.key(), again.fen()) == (position.key(), position.fen())
    assert again.twin().key() == position.key()


@pytest.mark.parametrize(
    ("fen", "same"),
    [
        ("B:W18,24,K10:B12,K22", "B:WK10,18,24:B12,K22"),
        ("w:b1-4,k7:wK29-30, 32.", "W:WK29,K30,32:B1,2,3,4,K7"),
        ('"B:W21-32:B1-12."', "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"),
        ("B:W32:B:H0:F1", "B:W32:B"),
        ("11-15 23-19 8-11", "W:W19,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,9,10,11,12,15"),
        ("1. 11-15 22-18 2. 15x22 25x18", "B:W18,21,23,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12"),
        ("W:W24:B19,1 24x15 1-6", "W:W15:B6"),
    ],
)
def test_positions_are_read(fen: str, same: str) -> None:
    assert checkers(fen).fen() == same
    assert checkers(same).fen() == same


def test_jump_by_its_start_and_end() -> None:
    position = checkers("B:W15,24:B10,1")
    assert position.format(position.parse(" 10X28 ")) == "10x19x28"


def test_parsers_survive_anything() -> None:
    rng = Random(0)
    seeds = [
        "B:W18,24,K10:B12,K22",
        "W:WK1-4,32:BK29:H12.",
        "11-15 23-19 8-11",
        "22x15x8",
        "W:W24:B19,1 24x15",
    ]
    position = checkers()
    for _ in range(2000):
        text = rng.choice(seeds)
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice("BWKxHF:,-. 0123456789\n\u0664é") + text[at + rng.randrange(3) :]
        for read in (position.setup, position.parse):
            try:
                read(text)
            except BadInput as error:
                assert "\n" not in str(error) or "\n" in text


def test_the_evaluation_of_the_lecture() -> None:
    """f = 6 K + 4 M + U, times 25."""
    position = checkers("B:W32:BK1")
    position.evaluation = position.evaluations["samuel"]
    assert position.evaluate() == 25 * (6 - 4 + (2 - 2))
    position.setup("B:W18:B10,K5")  # 10-14 can be taken, 10-15 not: 18 would go to 22 and 23
    position.evaluation = position.evaluations["samuel"]
    assert position.evaluate() == 25 * (6 + 4 - 4 + len({15, 1, 9}) - len({15}))


def test_mobility_in_squares_and_in_moves() -> None:
    """14 and 15 can both step to 18: one square, two moves; white's king has two of each."""
    position = checkers("B:WK32:B14,15")
    squares, moves = position.evaluations["samuel"], position.evaluations["samuel-moves"]
    assert squares.counts(position)["mobil"] == len({17, 18, 19}) - len({27, 28})
    assert moves.counts(position) == {"man": 2, "king": -1, "moves": len((17, 18, 18, 19)) - 2}
    for evaluation, u in ((squares, 1), (moves, 2)):
        position.evaluation = evaluation
        assert position.evaluate() == 25 * (4 * 2 - 6 + u)


def test_evaluations_are_symmetric() -> None:
    """Rotated by 180 degrees with the colours exchanged, a position has the same value."""
    position, turned = checkers(), checkers()
    for seed in range(10):
        rng = Random(seed)
        position.setup("")
        while position.outcome() is None:
            position.make(rng.choice(position.moves()))
            turn, white, black = position.fen().split(":")
            swap = {
                side: ",".join(
                    re.sub(r"\d+", lambda match: str(33 - int(match[0])), word) for word in squares.split(",")
                )
                for side, squares in (("B", white[1:]), ("W", black[1:]))
            }
            turned.setup(f"{'W' if turn == 'B' else 'B'}:W{swap['W']}:B{swap['B']}")
            for evaluation in position.evaluations.values():
                position.evaluation = turned.evaluation = evaluation
                assert position.evaluate() == turned.evaluate(), position.fen()


class Piece(NamedTuple):
    """A piece by column and row from black's side, the direction of its men, and whether it is a king."""

    x: int
    y: int
    way: int
    king: bool

    @property
    def ways(self) -> list[tuple[int, int]]:
        return [(x, y) for x in (1, -1) for y in ((1, -1) if self.king else (self.way,))]


def place(square: int) -> tuple[int, int]:
    y, k = divmod(square - 1, 4)
    return 2 * k + (y % 2 == 0), y


PLACES = {place(square): square for square in range(1, 33)}


def can_jump(board: dict[tuple[int, int], Piece], piece: Piece, x: int, y: int) -> bool:
    """True if a piece could jump over that square."""
    return any(
        (piece.x + dx, piece.y + dy) == (x, y)
        and (x + dx, y + dy) in PLACES
        and (x + dx, y + dy) not in board
        for dx, dy in piece.ways
    )


def safe_steps(board: dict[tuple[int, int], Piece], way: int) -> list[tuple[tuple[int, int], Piece]]:
    """The steps of a side to squares where the piece cannot be jumped at once: target and piece."""
    steps = []
    for piece in board.values():
        for dx, dy in piece.ways if piece.way == way else ():
            to = piece.x + dx, piece.y + dy
            if to in board or to not in PLACES:
                continue
            after = {at: man for at, man in board.items() if man != piece}
            if not any(can_jump(after, piece, *to) for piece in after.values() if piece.way != way):
                steps.append((to, piece))
    return steps


def term(weights: dict[str, Any], name: str, index: int, count: int) -> int:
    opening, ending = weights[name][0][index], weights[name][1][index]
    return round((opening * count + ending * (24 - count)) / 24)


def strong_value(board: dict[tuple[int, int], Piece], turn: int, weights: dict[str, Any]) -> int:
    """The terms of `strong`, computed one by one from their descriptions."""
    n, value = len(board), 0
    sides = {way: [piece for piece in board.values() if piece.way == way] for way in (1, -1)}
    for way, own in sides.items():
        steps = safe_steps(board, way)
        squares, movers = {to for to, _ in steps}, {piece for _, piece in steps}
        men = [piece for piece in own if not piece.king]
        kings = [piece for piece in own if piece.king]
        worth = len(squares) * term(weights, "terms", 1, n)
        worth += sum(not piece.king for piece in set(own) - movers) * term(weights, "terms", 2, n)
        worth += sum(piece.king for piece in set(own) - movers) * term(weights, "terms", 3, n)
        guard = 0
        for piece in own:
            square = PLACES[piece.x, piece.y] if way == 1 else 33 - PLACES[piece.x, piece.y]
            worth += term(weights, "king" if piece.king else "man", square - 1, n)
            guard += 1 << (square - 1) if not piece.king and square < 5 else 0
        worth += term(weights, "back", guard, n)
        behind = [
            piece
            for piece in men
            if any(
                board.get((piece.x + x, piece.y - way), piece).way == way
                and (piece.x + x, piece.y - way) in board
                for x in (1, -1)
            )
        ]
        worth += len(behind) * term(weights, "terms", 4, n)
        hole, lid = (28, 32) if way == 1 else (5, 1)
        holed = board.get(place(hole)), board.get(place(lid))
        if holed[0] in men and holed[1] is not None and holed[1].way != way:
            worth += term(weights, "terms", 5, n)
        others = sides[-way]
        for man in men:
            steps = 7 - man.y if way == 1 else man.y
            ahead = [way * (position.y - man.y) - abs(position.x - man.x) for position in others]
            if steps < 7 and max(ahead) < 0:
                worth += term(weights, "terms", 5 + steps, n)
        if len(own) > len(others):
            worth += 24 * (len(own) - len(others)) // n * term(weights, "terms", 13, n)
            if n <= 10:
                nearest = [min(max(abs(a.x - b.x), abs(a.y - b.y)) for b in others) for a in kings]
                worth += sum(7 - steps for steps in nearest) * term(weights, "terms", 14, n)
                cornered = [
                    position
                    for position in others
                    if position.king and PLACES[position.x, position.y] in (1, 5, 28, 32)
                ]
                worth += len(cornered) * term(weights, "terms", 15, n)
        value += way * worth
    value = -value if turn else value
    value += term(weights, "terms", 0, n)
    if len(sides[1]) == len(sides[-1]):
        odd = sum(piece.y % 2 == turn for piece in board.values()) % 2
        value += (1 if odd else -1) * term(weights, "terms", 12, n)
    mine, theirs = (sides[-1], sides[1]) if turn else (sides[1], sides[-1])
    jumping = [
        position for position in theirs if any(can_jump(board, position, own.x, own.y) for own in mine)
    ]
    return value + len(jumping) * term(weights, "terms", 16, n)


def test_the_evaluations_are_the_sums_of_their_terms() -> None:
    rng = Random(1995)
    sizes = {"man": 28, "king": 32, "back": 16}
    loose: dict[str, Any] = {
        f"{name}_{end}": tuple(rng.randint(-40, 90) for _ in range(size))
        for name, size in sizes.items()
        for end in ("opening", "ending")
    }
    loose["terms"] = tuple((rng.randint(-40, 40), rng.randint(-40, 40)) for _ in range(17))
    weights = {name: (loose[f"{name}_opening"], loose[f"{name}_ending"]) for name in sizes}
    weights["terms"] = tuple(zip(*loose["terms"], strict=True))
    evaluation = Evaluation("strong", "at random", loose, max_weight=100_000)
    for number in range(300 if compiled() else 100):
        squares = rng.sample(range(1, 33), rng.choice((3, 4, 6, 9, 10, 11, 16, 22)))
        board, words = {}, {1: [], -1: []}
        for at, square in enumerate(squares):
            way = 1 if at < max(1, len(squares) // 2 + rng.randint(-1, 1)) else -1
            king = rng.random() < 0.4 or square in (range(29, 33) if way == 1 else range(1, 5))
            board[place(square)] = Piece(*place(square), way, king)
            words[way].append(f"{'K' if king else ''}{square}")
        position = checkers(f"{'BW'[number % 2]}:W{','.join(words[-1])}:B{','.join(words[1])}")
        position.evaluation = evaluation
        assert position.evaluate() == strong_value(board, number % 2, weights), position.fen()
        position.evaluation = position.evaluations["samuel"]
        lead = sum(piece.way * (6 if piece.king else 4) for piece in board.values())
        ours, theirs = safe_steps(board, 1), safe_steps(board, -1)
        u = len({to for to, _ in ours}) - len({to for to, _ in theirs})
        assert position.evaluate() == 25 * (lead + u) * (-1) ** number, position.fen()
        position.evaluation = position.evaluations["samuel-moves"]
        assert position.evaluate() == 25 * (lead + len(ours) - len(theirs)) * (-1) ** number, position.fen()


@pytest.mark.parametrize(
    ("fen", "steps"),
    [
        ("B:W32:B1", 0),  # in its way
        ("B:WK1,K2:B27", 1),
        ("B:WK1,K2:B22", 2),
        ("B:WK1,K2:B10", 5),
        ("B:WK1,K2:B6", 6),
        ("B:WK1,K3:B2", 0),  # seven steps are too many to tell
        ("B:WK14,K2:B17", 3),  # beside it
        ("B:WK30,K2:B14", 0),
        ("W:W6:BK31,K32", 1),
        ("W:W23:BK31,K32", 5),
    ],
)
def test_runaway_man_counts_by_its_steps(fen: str, steps: int) -> None:
    position = checkers(fen)
    weights = dict(position.evaluations["strong"].weights)
    plain, counted = [
        Evaluation("strong", "", weights | {"terms": tuple(terms)}, max_weight=1000)
        for terms in (
            [(0, 0)] * 17,
            [(10 * (at - 5), 10 * (at - 5)) if 6 <= at < 12 else (0, 0) for at in range(17)],
        )
    ]
    position.evaluation = plain
    before = position.evaluate()
    position.evaluation = counted
    assert position.evaluate() - before == 10 * steps


def test_board_has_the_facts_of_a_display() -> None:
    position = checkers("B:W15,24:B10,1 10x19x28")
    position.unmake()
    move = position.moves()[0]
    board = position.board()
    assert board.names[(0, 1)] == "1" and board.names[(7, 6)] == "32" and len(board.names) == 32
    assert board.cells[0][1] == "b" and board.cells[3][4] == "w"
    assert board.moves == {(2, 3): (move,)}
    assert board.paths == {move: ((4, 5), (6, 7))}
    assert board.notes == {0: "2 men", 1: "2 men"}
    position.make(move)
    board = position.board(last=move)
    assert board.last == ((2, 3), (6, 7))
    assert board.taken == {0: "ww", 1: ""}
    assert not board.moves
    assert checkers("B:W15:BK7,1").board().notes == {0: "1 man, 1 king", 1: "1 man"}


def test_values_are_printed_in_men() -> None:
    """A man is 100, displayed as 1.00."""
    assert format_amount(100, checkers().unit) == "+1.00"
