"""Chess games in PGN: the tags for start and variant, and localized moves."""

from typing import TYPE_CHECKING

from gameplay.errors import BadInput

if TYPE_CHECKING:
    from gameplay.games.chess.game import Chess

PLAIN = ("", "standard", "chess", "normal", "fromposition")  # values of the tag Variant for standard chess
SHUFFLED = ("chess960", "fischerandom", "fischerrandom")


def move_number(fen: str) -> tuple[int, int]:
    fields = [*fen.split(), "", "", "", "", "", ""]
    return int(fields[5]) if fields[5].isdecimal() and len(fields[5]) < 10 else 1, int(fields[1] == "b")


def is_shuffled(fen: str) -> bool:
    """True unless castling starts with the king on e and the rooks on a and h."""
    board, _, castling = fen.split()[:3]
    rows = board.split("/")
    for row, letters in ((rows[7], "KQ"), (rows[0], "kq")):
        squares = "".join("." * int(letter) if letter.isdecimal() else letter for letter in row)
        rook = "R" if letters == "KQ" else "r"
        for letter, corner in zip(letters, (7, 0), strict=True):
            if letter in castling and (squares[4], squares[corner]) != (letters[0], rook):
                return True
    return not set(castling) <= set("KQkq-")


_NATIVE = str.maketrans("DTLSFCA", "QRBNBNB")  # letters of pieces in German and Dutch, French and Spanish


def in_english(word: str) -> str:
    """A move with English piece letters; K and R are taken as English."""
    return word[:1].translate(_NATIVE) + word[1:-1] + word[-1:].translate(_NATIVE)


def start_tags(position: "Chess") -> dict[str, str]:
    fen = position.fen()
    variant = {"Variant": "Chess960"} if is_shuffled(fen) else {}
    return variant | {"SetUp": "1", "FEN": fen}


def check(tags: dict[str, str]) -> None:
    variant = tags.get("Variant", "").lower().replace(" ", "")
    if variant not in (*PLAIN, *SHUFFLED):
        raise BadInput(f"the Variant '{tags['Variant']}' is not supported")
