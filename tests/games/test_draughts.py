"""Draughts with flying kings: rules against published numbers and pydraughts, notation, drawing, draws."""

import tomllib
from random import Random
from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import BadInput, IllegalMove, Usage
from gameplay.games.draughts.variants import VARIANTS
from gameplay.kernel import compiled
from tests.support.paths import TESTS

PERFT = tomllib.loads((TESTS / "answers" / "draughts.toml").read_text())["perft"]
MOST = 3_000_000 if compiled() else 900  # leaves worth counting


def draughts(text: str = "", variant: str = "international") -> Any:
    return registry.game(f"draughts:variant={variant}").new(text)


def words(position: Any) -> list[str]:
    return sorted(position.format(move) for move in position.moves())


def play(position: Any, line: str) -> Any:
    for word in line.split():
        position.make(position.parse(word))
    return position


@pytest.mark.parametrize("entry", PERFT, ids=lambda entry: entry["game"] + entry["fen"])
def test_perft(entry: dict[str, Any]) -> None:
    position = registry.game(entry["game"]).new(entry["fen"])
    counted = 0
    for depth, leaves in enumerate(entry["leaves"], 1):
        if leaves < MOST:
            assert position.perft(depth) == leaves
            counted += 1
    assert counted >= 2


@pytest.mark.parametrize(
    ("variant", "fen", "legal"),
    [
        # Men capture backwards, and the most pieces must be captured, by whichever piece.
        ("international", "W:W28:B23,33", ["28x19", "28x39"]),
        ("international", "W:W28:B22,12,33", ["28x8"]),
        ("international", "W:W28,K50:B22,12,44", ["28x8"]),
        # A king captures from any distance and lands on any empty square behind the piece.
        ("international", "W:WK46:B32", ["46x10", "46x14", "46x19", "46x23", "46x28", "46x5"]),
        # Two pieces in a row are not jumped; a captured piece stays, and blocks, until the end of the move.
        ("international", "W:WK46:B32,28", ["46-37", "46-41"]),
        ("international", "W:WK25:B20,9,3,39", ["25x14", "25x43", "25x48"]),
        # A man that comes to the last row and captures on from there stays a man.
        ("international", "W:W12:B8,9", ["12x14"]),
        ("international", "W:W12:B8", ["12x3"]),
        ("international", "W:W6:B1", []),
        # Russian: any capture will do, and the man goes on as a king from the last row.
        ("russian", "W:Wc3:Bd4,f6,b4", ["c3xa5", "c3xg7"]),
        ("brazilian", "W:Wc3:Bd4,f6,b4", ["c3xg7"]),
        ("russian", "W:Wf6:Be7,c7", ["f6xa5", "f6xb6"]),
        ("brazilian", "W:Wf6:Be7,c7", ["f6xb6"]),
        # A king must land where it can capture on.
        ("russian", "W:WKa1:Bd4,g5", ["a1xh4"]),
        ("russian", "W:WKa1:Bd4,g5,h4", ["a1xe5", "a1xf6", "a1xg7", "a1xh8"]),
    ],
)
def test_moves(variant: str, fen: str, legal: list[str]) -> None:
    position = draughts(fen, variant)
    assert words(position) == sorted(legal)
    assert (position.outcome() == (-1, 1)) == (not legal)


@pytest.mark.parametrize(
    ("variant", "fen", "move", "after"),
    [
        ("international", "W:W12:B8,9,41", "12x14", "B:W14:B41"),  # it is still a man
        ("international", "W:W12:B8,41", "12x3", "B:WK3:B41"),
        ("russian", "W:Wf6:Bc7,e7,h4", "f6xb6", "B:WKb6:Bh4"),
        ("brazilian", "W:Wf6:Bc7,e7,h4", "f6xb6", "B:Wb6:Bh4"),
        ("international", "B:WK28,41:B3,37", "37x46", "W:WK28:B3,K46"),
    ],
)
def test_capture_and_its_undo(variant: str, fen: str, move: str, after: str) -> None:
    position = draughts(fen, variant)
    position.make(position.parse(move))
    assert position.fen() == after
    position.unmake()
    assert position.fen() == fen


def pydraughts_moves(game: Any) -> dict[tuple[int, int, tuple[int, ...]], Any]:
    """The moves of pydraughts, by start, end and captured squares."""
    return {
        (move[0][0], move[-1][1], tuple(sorted(square for square in taken if square is not None))): move
        for move, taken in zip(*game.legal_moves(), strict=True)
    }


def own_moves(position: Any) -> dict[tuple[int, int, tuple[int, ...]], int]:
    rules, captures = position.rules, {}
    for move in position.moves():
        taken = position.taken_by(move)
        squares = tuple(square for square in range(1, rules.squares + 1) if taken >> rules.bit(square) & 1)
        captures[rules.square(move & 63), rules.square(move >> 6 & 63), squares] = move
    return captures


KINGS = {  # positions with kings, that random games come to late
    "international": "W:WK46,K29,27,34:B8,9,12,K3,22,23,18,K1,39",
    "russian": "W:WKa1,Kc1,e3,g3:Bd6,f6,b6,Kh8,Kb8,e5",
    "brazilian": "W:WKa1,Kc1,e3,g3:Bd6,f6,b6,Kh8,Kb8,e5",
}


MEN = ("international", "W:W27,28,32,33,34,37,38,39,42,43,48:B3,8,9,12,13,14,17,18,19,23,24")


@pytest.mark.parametrize(("variant", "fen"), [MEN, ("russian", ""), ("brazilian", ""), *KINGS.items()])
def test_random_games_agree_with_pydraughts(variant: str, fen: str) -> None:
    """Equal moves and the same end, except draws by a rule that pydraughts counts differently."""
    core = pytest.importorskip("draughts.core.game")
    there = {"international": "standard"}.get(variant, variant)
    position = draughts(fen, variant)
    numbers = registry.game(f"draughts:variant={variant}").new(fen)
    text = _numbered(numbers) if fen else "startpos"
    game, rng, seen = core.Game(variant=there, fen=text), Random(4), 0
    while position.outcome() is None:
        moves, known = own_moves(position), pydraughts_moves(game)
        assert sorted(moves) == sorted(known), position.fen()
        chosen = rng.choice(sorted(moves))
        position.make(moves[chosen])
        game.push(known[chosen])
        seen += 1
    outcome = position.outcome()
    assert outcome in ({2: (1, -1), 1: (-1, 1), 0: (0, 0), None: (0, 0)}[game.get_winner()],)
    assert seen > (8 if "K" in fen else 25)


def _numbered(position: Any) -> str:
    """The FEN with numbers in place of letters."""
    rules = position.rules
    sides = []
    for letter, pieces in (("W", position.white), ("B", position.black)):
        names = [
            f"{'K' if position.kings >> rules.bit(square) & 1 else ''}{square}"
            for square in range(1, rules.squares + 1)
            if pieces >> rules.bit(square) & 1
        ]
        sides.append(letter + ",".join(names))
    return ":".join(["WB"[position.turn], *sides])


# -- draws --------------------------------------------------------------------------------------------


def shuffle_kings(position: Any, plies: int, seed: int = 0) -> int:
    """Move kings without repetition or capture; return the plies made until the game ended."""
    rng = Random(seed)
    for ply in range(plies):
        if position.outcome() is not None:
            return ply
        quiet = []
        for move in position.moves():
            position.make(move)
            lasting = position.ending() != "threefold repetition" and not any(
                reply >> 12 for reply in position.moves()
            )
            position.unmake()
            if lasting and not move >> 12 and position.kings >> (move & 63) & 1:
                quiet.append(move)
        position.make(rng.choice(quiet))
    return plies


@pytest.mark.parametrize(
    ("variant", "fen", "plies", "reason"),
    [
        ("international", "W:WK46,K47:BK5,K10", 50, "25 moves of each side by kings alone"),
        ("international", "W:WK36,K47,K48:BK5", 32, "16 moves of each side with this balance of pieces"),
        ("international", "W:WK36,K47:BK5", 10, "5 moves of each side with this balance of pieces"),
        ("international", "W:WK36:BK5", 10, "5 moves of each side with this balance of pieces"),
        ("international", "W:WK36,50:BK5", 10, "5 moves of each side with this balance of pieces"),
        ("russian", "W:Wa3,Ka1:Bh6,Kb8", 30, "15 moves of each side by kings alone"),
        ("russian", "W:WKb4:BKg7", 10, "5 moves of each side with this balance of pieces"),
    ],
)
def test_counted_draws(variant: str, fen: str, plies: int, reason: str) -> None:
    for seed in range(50):
        position = draughts(fen, variant)
        try:
            state = shuffle_kings(position, plies + 10, seed)
        except IndexError:  # every move of this line was a capture or allowed one
            continue
        assert (state, position.outcome(), position.ending()) == (plies, (0, 0), reason)
        return
    raise AssertionError("no line without a capture")


def test_a_king_on_the_long_diagonal_draws_against_three_in_5_moves() -> None:
    line = "d2-e1 a1-h8 e1-f2 h8-a1 f2-g1 a1-h8 g1-f2 h8-a1 f2-e1 a1-h8"
    position = play(draughts("W:WKd2,Ka5,Kb8:BKa1", "russian"), line)
    assert position.outcome() == (0, 0)


def test_a_repetition_draws_unless_draws_are_off() -> None:
    line = "50-44 1-7 44-50 7-1 " * 2
    position = play(draughts("W:WK50,45:BK1,6"), line)
    assert position.outcome() == (0, 0) and position.ending() == "threefold repetition"
    played_on = registry.game("draughts:automatic=off").new("W:WK50,45:BK1,6")
    assert play(played_on, line * 8).outcome() is None


def test_move_of_a_man_does_not_reset_the_lone_king_count() -> None:
    """FMJD, article 6: the moves with this material are counted, not those of kings alone."""
    position = play(draughts("W:WK36,50:BK5"), "50-45 5-46 45-40 46-5 40-35 5-46 35-30 46-5 30-24")
    assert position.outcome() is None and position.clock == 0
    assert play(position, "5-46").outcome() == (0, 0)


def test_text_sets_the_same_position_up_again() -> None:
    position = play(draughts("W:WK36,50:BK5"), "50-45 5-46 45-40 46-5 40-35")
    again = draughts(position.text())
    assert again.key() == position.key() and again.balance_clock == position.balance_clock == 5
    assert draughts("W:WK50,45:BK1,6:H12").clock == 12


# -- notation -----------------------------------------------------------------------------------------


def test_ambiguous_captures_name_the_squares_between() -> None:
    position = draughts("W:WK25:B8,9,18,19,20,22,29,30,31,39")
    assert len([word for word in words(position) if word.startswith("25x") and word.endswith("x12")]) > 1
    for move in position.moves():
        assert position.parse(position.format(move)) == move
    with pytest.raises(IllegalMove, match="is ambiguous"):
        position.parse("25x12")


@pytest.mark.parametrize(
    ("variant", "start", "text", "word"),
    [
        ("international", "32-28 19-23", "28:19", "28x19"),
        ("international", "W:W28:B22,12", "28x17x8", "28x8"),
        ("russian", "c3-d4 f6-e5", "D4:F6", "d4xf6"),
        ("russian", "c3-d4 f6-e5", "18x11", "d4xf6"),  # numbers are read, too
    ],
)
def test_other_spellings_are_read(variant: str, start: str, text: str, word: str) -> None:
    position = draughts(start, variant)
    assert position.format(position.parse(text)) == word


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("W:W3:B44", "a man on square 3 would be a king: write K3"),
        ("W:W31:B46", "a man on square 46 would be a king"),
        ("W:W31,51:B4", "'51' is not a square from 1 to 50"),
        ("W:W31:B31", "square 31 is given twice"),
        ("W:W31", "the list of B's pieces is missing"),
        ("W:W6-26:B1", "W has 21 pieces; the maximum is 20"),
        ("W:WK31:BK1:H50", "after 50 plies of kings alone the game is over"),
        ("X:W31:B1", "a FEN must begin with the side to move, W or B"),
    ],
)
def test_wrong_fens_are_refused(fen: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        draughts(fen)


def test_unknown_variants_are_refused() -> None:
    with pytest.raises(Usage, match="unknown variant 'frisian'"):
        draughts(variant="frisian")


# -- evaluation ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_evaluation_is_the_same_from_both_sides(variant: str) -> None:
    """With the board rotated and the colours exchanged every term has the same count."""
    position = draughts(KINGS[variant], variant)
    rules = position.rules
    top = rules.bit(rules.squares)
    white, black, kings = (
        sum(1 << top - bit for bit in range(top + 1) if pieces >> bit & 1)
        for pieces in (position.white, position.black, position.kings)
    )
    other = draughts("", variant)
    other.place_pieces(white, black, kings, 1 - position.turn, 0)
    evaluation = position.evaluations["terms"]
    counts = evaluation.counts(position)
    assert evaluation.counts(other) == counts and other.evaluate() == position.evaluate()
    total = sum(evaluation.weights[name] * count for name, count in counts.items())
    assert position.evaluate() == int(total / evaluation.scale)


def test_counts_of_terms() -> None:
    position = draughts("W:W48,33,38,39,K5:B3,K1,16")
    counts = position.evaluations["terms"].counts(position)
    assert (counts["man"], counts["king"]) == (4 - 2, 0)
    # 48 on row 0, 38 and 39 on 2, 33 on 3; black's 3 on row 0 and 16 on 3.
    assert counts["tempo"] == 0 + 2 + 2 + 3 - (0 + 3)
    assert counts["golden"] == 0 and counts["back"] == 0 and counts["diagonal"] == 1
    assert counts["edge"] == -1 and counts["turn"] == 1
    assert counts["support"] == 2 + 0 - 0
