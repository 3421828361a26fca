"""The laws of a move: its notation, make and unmake, and the same moves leading to the same position."""

from collections.abc import Sequence
from typing import Any

from gameplay.conformance.checked_game import CheckedGame, LawBroken, as_list, brief, check_equal
from gameplay.conformance.puzzles import check_step
from gameplay.errors import BadInput, Fault, describe_exception
from gameplay.notation import in_uci
from gameplay.position import AbstractPosition, frozen
from gameplay.usercode.watchdog import time_limit

MAX_COMPARED = 300  # moves made and unmade to find the attribute that unmake() does not restore
INVALID_WORDS = ("", "?", "-1", "no such move")


class MoveLaws:
    """Tests every legal move of a position."""

    def __init__(self, subject: CheckedGame) -> None:
        self.subject = subject
        self.call = subject.call
        self.next_keys: dict[Any, tuple[Any, str]] = {}  # (key, move) -> the next key, and when

    def check_words(self, position: AbstractPosition, facts: dict[str, Any]) -> None:
        """Check that each move has a unique word, that parse() accepts it, and that it rejects others."""
        words: dict[str, int] = {}
        offers = self.call("concessions()", position.concessions) or ()
        for move in (*facts["moves()"], *offers):
            word = self.call(f"format({move})", position.format, move)
            if not isinstance(word, str) or len(word.split()) != 1 or word != word.strip():
                raise LawBroken("words", f"format({move}) is {word!r}, not one word")
            if word in words:
                raise LawBroken("words", f"format() is {word!r} for {words[word]} and for {move}")
            words[word] = move
            parsed = self.call(f"parse({word!r})", position.parse, word)
            if parsed != move:
                raise LawBroken("words", f"format({move}) is {word!r}, but parse({word!r}) is {parsed!r}")
            self._check_uci(position, move)
        for word in INVALID_WORDS:
            try:
                with time_limit(self.subject.seconds, f"parse({word!r})"):
                    parsed = position.parse(word)
            except BadInput:
                continue
            except Fault as fault:
                raise LawBroken("returns", str(fault)) from None
            except (Exception, SystemExit) as error:
                raise LawBroken("words", f"parse({word!r}) raised {describe_exception(error)}") from error
            if parsed not in (*facts["moves()"], *offers):
                raise LawBroken("words", f"parse({word!r}) is {parsed!r}, which is not a legal move")

    def _check_uci(self, position: AbstractPosition, move: int) -> None:
        """UCI notation, if the game has it, must round-trip."""
        if (chess := in_uci(position)) is not None:
            word = self.call(f"uci({move})", chess.uci, move)
            parsed = self.call(f"from_uci({word!r})", chess.from_uci, word)
            if parsed != move:
                raise LawBroken("words", f"uci({move}) is {word!r}, but from_uci({word!r}) is {parsed!r}")

    def try_moves(self, position: AbstractPosition, facts: dict[str, Any]) -> None:
        """Make and unmake every legal move: check the next keys, and that the position is restored."""
        original = self.call("moves()", position.moves)
        for move in facts["moves()"]:
            word = self.call(f"format({move})", position.format, move)
            cost = self.call(f"cost({move})", position.cost, move)
            self.call(f"make({move})", position.make, move)
            if as_list(original) != facts["moves()"]:
                raise LawBroken("asking", f"the list from moves() became {brief(list(original))} by {word}")
            if position.players == 1:
                check_step(self.call, position, facts, word, cost)
            key = self.call("key()", position.key)
            expected, earlier = self.next_keys.setdefault((facts["key()"], move), (key, self.subject.when()))
            self.call("unmake()", position.unmake)
            current_facts = {
                "turn": position.turn,
                "key()": self.call("key()", position.key),
                "moves()": as_list(self.call("moves()", position.moves)),
            }
            check_equal(
                "unmake",
                {name: facts[name] for name in current_facts},
                current_facts,
                f"after make and unmake of {word}",
            )
            self.call(f"make({move})", position.make, move)
            repeated_key = self.call("key()", position.key)
            self.call("unmake()", position.unmake)
            if repeated_key != key:
                raise LawBroken(
                    "replay", f"{word} led to key() {brief(key)}, and then to {brief(repeated_key)}"
                )
            if expected != key:
                observation = f"{word} led to key() {brief(expected)} and leads to {brief(key)}"
                raise LawBroken("futures", f"{observation} from an equal key (first met {earlier})")

    def find_unrestored(self, moves: Sequence[int], broken: LawBroken | None = None) -> None:
        """Raise LawBroken for an attribute that unmake() does not restore on the path of these moves, if any.

        A forgotten attribute may look like randomness in the rules.
        """
        position, compared = self.subject.new(), 0
        for number, move in enumerate((*moves, None)):
            if position.outcome() is not None:
                return
            is_last = broken is not None and number == len(moves) - 1
            for tested_move in [move] if is_last and move is not None else as_list(position.moves()):
                old_attributes, word = _attributes(position), position.format(tested_move)
                self.call(f"make({tested_move})", position.make, tested_move)
                self.call("unmake()", position.unmake)
                new_attributes = _attributes(position)
                unrestored = [
                    name
                    for name in old_attributes | new_attributes
                    if old_attributes.get(name) != new_attributes.get(name)
                ]
                if unrestored:
                    name = unrestored[0]
                    old_value = brief(old_attributes.get(name, "not there"))
                    new_value = brief(new_attributes.get(name, "not there"))
                    observation = (
                        f"unmake() does not restore {', '.join(unrestored)}: "
                        f"{name} was {old_value} and is {new_value}"
                    )
                    self.subject.replay(moves[:number])
                    raise LawBroken("unmake", f"{observation} after make and unmake of {word}")
                compared += 1
            if move is None or compared > MAX_COMPARED:
                return
            self.call(f"make({move})", position.make, move)


def _attributes(position: AbstractPosition) -> dict[str, Any]:
    """Snapshot of a position's attributes, by name. Compiled positions have none."""
    attributes = getattr(position, "__dict__", {})
    return {name: frozen(value) for name, value in attributes.items() if name != "_past"}
