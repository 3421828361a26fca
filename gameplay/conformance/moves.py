"""The laws of a move: its notation, make and unmake, and the same moves leading to the same position."""

from collections.abc import Sequence
from typing import Any

from gameplay.conformance.checked_game import CheckedGame, LawBroken, same, short, written_out
from gameplay.conformance.puzzles import check_step
from gameplay.errors import BadInput, Fault, raised
from gameplay.notation import in_uci
from gameplay.position import AbstractPosition, frozen
from gameplay.usercode.watchdog import patience

BLAMED = 300  # moves made and taken back, to find the attribute that unmake() does not restore
NONSENSE = ("", "?", "-1", "no such move")


class MoveLaws:
    """Tests every legal move of a position."""

    def __init__(self, subject: CheckedGame) -> None:
        self.subject = subject
        self.call = subject.call
        self.following: dict[Any, tuple[Any, str]] = {}  # (key, move) -> the next key, and when

    def check_words(self, position: AbstractPosition, look: dict[str, Any]) -> None:
        """Each move has a word of its own, which parse() reads as that move; parse() refuses other words."""
        words: dict[str, int] = {}
        offers = self.call("concessions()", position.concessions) or ()
        for move in (*look["moves()"], *offers):
            word = self.call(f"format({move})", position.format, move)
            if not isinstance(word, str) or len(word.split()) != 1 or word != word.strip():
                raise LawBroken("words", f"format({move}) is {word!r}, not one word")
            if word in words:
                raise LawBroken("words", f"format() is {word!r} for {words[word]} and for {move}")
            words[word] = move
            back = self.call(f"parse({word!r})", position.parse, word)
            if back != move:
                raise LawBroken("words", f"format({move}) is {word!r}, but parse({word!r}) is {back!r}")
            self._outside(position, move)
        for word in NONSENSE:
            try:
                with patience(self.subject.seconds, f"parse({word!r})"):
                    back = position.parse(word)
            except BadInput:
                continue
            except Fault as fault:
                raise LawBroken("returns", str(fault)) from None
            except (Exception, SystemExit) as error:
                raise LawBroken("words", f"parse({word!r}) raised {raised(error)}") from error
            if back not in (*look["moves()"], *offers):
                raise LawBroken("words", f"parse({word!r}) is {back!r}, which is not a legal move")

    def _outside(self, position: AbstractPosition, move: int) -> None:
        """The same for the words of programs outside."""
        if (chess := in_uci(position)) is not None:
            word = self.call(f"uci({move})", chess.uci, move)
            back = self.call(f"from_uci({word!r})", chess.from_uci, word)
            if back != move:
                raise LawBroken("words", f"uci({move}) is {word!r}, but from_uci({word!r}) is {back!r}")

    def try_moves(self, position: AbstractPosition, look: dict[str, Any]) -> None:
        """Make and unmake every legal move: check the next keys, and that nothing is left behind."""
        given = self.call("moves()", position.moves)
        for move in look["moves()"]:
            word = self.call(f"format({move})", position.format, move)
            cost = self.call(f"cost({move})", position.cost, move)
            self.call(f"make({move})", position.make, move)
            if written_out(given) != look["moves()"]:
                raise LawBroken("asking", f"the list from moves() became {short(list(given))} by {word}")
            if position.players == 1:
                check_step(self.call, position, look, word, cost)
            key = self.call("key()", position.key)
            expected, earlier = self.following.setdefault((look["key()"], move), (key, self.subject.when()))
            self.call("unmake()", position.unmake)
            now = {
                "turn": position.turn,
                "key()": self.call("key()", position.key),
                "moves()": written_out(self.call("moves()", position.moves)),
            }
            same("unmake", {name: look[name] for name in now}, now, f"after make and unmake of {word}")
            self.call(f"make({move})", position.make, move)
            again = self.call("key()", position.key)
            self.call("unmake()", position.unmake)
            if again != key:
                raise LawBroken("replay", f"{word} led to key() {short(key)}, and then to {short(again)}")
            if expected != key:
                seen = f"{word} led to key() {short(expected)} and leads to {short(key)}"
                raise LawBroken("futures", f"{seen} from an equal key (first met {earlier})")

    def blame(self, made: Sequence[int], broken: LawBroken | None = None) -> None:
        """Fails with the attribute that unmake() does not restore on the path of these moves, if any.

        What a forgotten attribute leads to may look like randomness in the rules.
        """
        position, tried = self.subject.new(), 0
        for number, move in enumerate((*made, None)):
            if position.outcome() is not None:
                return
            last = broken is not None and number == len(made) - 1
            for other in [move] if last and move is not None else written_out(position.moves()):
                before, word = _attributes(position), position.format(other)
                self.call(f"make({other})", position.make, other)
                self.call("unmake()", position.unmake)
                after = _attributes(position)
                wrong = [name for name in before | after if before.get(name) != after.get(name)]
                if wrong:
                    name = wrong[0]
                    was, now = short(before.get(name, "not there")), short(after.get(name, "not there"))
                    seen = f"unmake() does not restore {', '.join(wrong)}: {name} was {was} and is {now}"
                    self.subject.replay(made[:number])
                    raise LawBroken("unmake", f"{seen} after make and unmake of {word}")
                tried += 1
            if move is None or tried > BLAMED:
                return
            self.call(f"make({move})", position.make, move)


def _attributes(position: AbstractPosition) -> dict[str, Any]:
    """The attributes of a position by name, such that they can be compared later. Compiled ones have none."""
    held = getattr(position, "__dict__", {})
    return {name: frozen(value) for name, value in held.items() if name != "_past"}
