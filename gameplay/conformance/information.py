"""The laws of imperfect information: infosets, views, samples of determinize(), perfect recall."""

from collections.abc import Hashable, Sequence
from hashlib import blake2b
from random import Random
from typing import Any

from gameplay.conformance.checked_game import CheckedGame, LawBroken, likely, same, short, written_out
from gameplay.conformance.drawing import drawn_board
from gameplay.position import CHANCE, AbstractPosition
from gameplay.search import worlds

DRAWS = 4  # samples for each player at each position of a game of imperfect information
ENOUGH = 8  # samples, all the true position, at two positions of one infoset: determinize() does not sample
COUNTED = 12_000  # positions of a game of imperfect information, up to which its worlds are counted
WORLDS = 40  # ... of a player, up to which they are drawn from
SAMPLED = 10  # infosets of which positions are drawn

Knowledge = tuple[Hashable, str, bool]  # what a player knows after a move, its word, and whether they see it


class InformationLaws:
    """Compares what players know, what they are shown and what determinize() samples."""

    def __init__(self, subject: CheckedGame, seed: int) -> None:
        self.subject = subject
        self.call = subject.call
        self.seed = seed
        # (player, infoset) -> true key -> keys drawn there
        self.drawn: dict[tuple[int, Hashable], dict[Hashable, list[Any]]] = {}
        # (player, infoset) -> all that they knew and chose
        self.recalled: dict[Hashable, tuple[Hashable, str]] = {}
        self.counted = False  # the worlds of the players were counted
        # (player, infoset) -> a digest of their view, and when.
        self.viewed: dict[Hashable, tuple[bytes, str]] = {}
        # (player, all they were shown) -> infoset, and when
        self.histories: dict[Hashable, tuple[Hashable, str]] = {}
        # By player, at each position of this play: infoset, digest of the view, digest of all views so far.
        self.story: list[list[tuple[Hashable, bytes, bytes]]] = []
        self.play = 0  # the number of this play
        self.word = ""  # of the last move of a varied game, "" if the player did not see it

    def begin(self, play: int, players: int) -> None:
        """A play begins, with a number that the seeds of its samples are made of."""
        self.play = play
        self.story = [[] for _ in range(players)]

    def check_recall(self, player: int, infoset: Any, history: tuple[Any, ...]) -> None:
        """Fails if a player may have known or chosen something else on the way to what they know now."""
        before, earlier = self.recalled.setdefault((player, infoset), (history, self.subject.when()))
        if before != history:
            seen = f"player {player} knows {short(infoset)} as {earlier}, where they"
            raise LawBroken("recall", f"{seen} had known or chosen something else")

    def check_views(self, position: AbstractPosition, look: dict[str, Any], last: int | None) -> None:
        """Compare infosets with views: equal infosets need equal views, equal views so far equal infosets."""
        when = self.subject.when()
        for seat in range(position.players):
            infoset = look[f"infoset({seat})"]
            view = self._view(position, look, seat)
            before, earlier = self.viewed.setdefault((seat, infoset), (view, when))
            if before != view:
                seen = f"player {seat} is shown something else {when} than {earlier}"
                raise LawBroken("views", f"{seen}, and infoset({seat}) is {short(infoset)} at both")
            word = self.subject.path[-1] if last is not None and seat in self.subject.saw else ""
            story = _history(self.story[seat][-1][2] if self.story[seat] else b"", word, view)
            self.story[seat].append((infoset, view, story))
            held, earlier = self.histories.setdefault((seat, story), (infoset, when))
            if held != infoset:
                seen = f"infoset({seat}) is {short(infoset)} {when}, and {short(held)} {earlier}"
                raise LawBroken("shown", f"{seen}: player {seat} was shown the same in both games")

    def _view(self, position: AbstractPosition, look: dict[str, Any], seat: int) -> bytes:
        """A digest of what a player is shown."""
        board = drawn_board(self.subject, position, look, viewer=seat)
        return blake2b(f"{board}\n{self.call(f'show({seat})', position.show, seat)}".encode()).digest()

    def vary(self, made: Sequence[int], rng: Random) -> None:
        """Play the same game again with other moves where a player sees none, and compare what they know.

        As long as their infoset is the same as at that move of the first game, their view must be; and as
        long as all that they were shown is the same, their infoset must be. Random games alone seldom meet
        two positions that are nearly alike to a player.
        """
        for seat, story in enumerate(self.story):
            for keep in (0.0, 0.5, 0.9):
                position, seen_so_far, self.subject.path = self.subject.new(), b"", []
                for ply, (infoset, view, shown) in enumerate(story):
                    look = self._facts_of(position, seat)
                    if look["outcome()"] is not None:
                        break
                    self.subject.drawing = ""
                    now, new = look[f"infoset({seat})"], self._view(position, look, seat)
                    seen_so_far = _history(seen_so_far, self.word if ply else "", new)
                    if now == infoset and new != view:
                        seen = f"player {seat} is shown something else than in another game of the same moves"
                        raise LawBroken(
                            "views", f"{seen} for them, and infoset({seat}) is {short(now)} in both"
                        )
                    if seen_so_far == shown and now != infoset:
                        both = f"{short(now)}, and {short(infoset)} in another game"
                        raise LawBroken("shown", f"infoset({seat}) is {both} where they were shown the same")
                    if ply == len(story) - 1:
                        break
                    move, legal = made[ply], look["moves()"]
                    if move not in legal or not self.subject.sees(position, seat, move):
                        others = [one for one in likely(look) if not self.subject.sees(position, seat, one)]
                        if not others:
                            break
                        if move not in others or rng.random() >= keep:
                            move = rng.choice(others)
                    self.word = position.format(move) if self.subject.sees(position, seat, move) else ""
                    self.subject.make(position, move)

    def _facts_of(self, position: AbstractPosition, seat: int) -> dict[str, Any]:
        """What of a position is needed to play on and to compare what a player knows."""
        outcome = self.call("outcome()", position.outcome)
        look: dict[str, Any] = {"turn": position.turn, "outcome()": outcome}
        if outcome is None:
            look["moves()"] = written_out(self.call("moves()", position.moves))
            if position.turn == CHANCE:
                look["chances()"] = self.subject.listed("chances", position.chances, "chances()")
        look[f"infoset({seat})"] = self.call(f"infoset({seat})", position.infoset, seat)
        return look

    def check_samples(
        self, position: AbstractPosition, look: dict[str, Any], seat: int, last: int | None
    ) -> None:
        """Hold what a player sees here against other positions that they take for possible."""
        current = look[f"infoset({seat})"]
        here = self._shown(position, look, seat, last)
        entries = self._known(position, seat)
        keys = self.drawn.setdefault((seat, current), {}).setdefault(look["key()"], [list(self.subject.path)])
        for draw in range(DRAWS):
            seed = f"{self.play}/{len(self.subject.path)}/{seat}/{draw}"
            other = self.call(f"determinize({seat})", position.determinize, seat, Random(seed))
            there = self.subject.look(other)
            if not draw:
                again = self.call(f"determinize({seat})", position.determinize, seat, Random(seed))
                same("determinize", there, self.subject.look(again), "when drawn again with an equal seed")
            infoset = f"infoset({seat})"
            if there[infoset] != current:
                raise LawBroken("determinize", f"{infoset} is {short(current)}, then {short(there[infoset])}")
            if seat == look["turn"]:
                if (there["turn"], there["outcome()"]) != (seat, None):
                    raise LawBroken(
                        "determinize", f"player {seat} is on turn, and in the position it gave is not"
                    )
                true, given = ({"moves()": sorted(asked["moves()"])} for asked in (look, there))
                same("infoset", true, given, "in a position that determinize() gave")
            shown = self._shown(other, there, seat, last)
            for name in here:
                if shown[name] != here[name]:
                    both = f"{short(here[name])}, and {short(shown[name])}"
                    raise LawBroken("views", f"{name} is {both} where infoset({seat}) is {short(current)}")
            self._check_news(position, other, seat, current)
            self._leaks(seat, entries, self._known(other, seat))
            keys.append(there["key()"])
            if there["outcome()"] is None:
                self.call("make()", other.make, there["moves()"][0])
            same("determinize", look, self.subject.look(position), "after a move in the position it gave")

    def _check_news(
        self, position: AbstractPosition, other: AbstractPosition, seat: int, infoset: Hashable
    ) -> None:
        """Fails if news name what a player does not know; a sampled position may have no last move."""
        here, there = (self.subject.listed("views", one.news, "news()") for one in (position, other))
        if there and here != there:
            both = f"{short(here)}, and {short(there)}"
            raise LawBroken("views", f"news() is {both} where infoset({seat}) is {short(infoset)}")

    def _shown(
        self, position: AbstractPosition, look: dict[str, Any], seat: int, last: int | None
    ) -> dict[str, Any]:
        """All that is shown to a player at a position, by name."""
        shown: dict[str, Any] = {
            f"board({seat})": drawn_board(self.subject, position, look, viewer=seat, last=last),
            f"show({seat})": self.call(f"show({seat})", position.show, seat),
        }
        if seat == look["turn"] and "moves()" in look:
            words = {move: self.call(f"format({move})", position.format, move) for move in look["moves()"]}
            shown["the mover's list of words"] = words
        return shown

    def _known(self, position: AbstractPosition, seat: int) -> list[Knowledge]:
        """For each move that could be made: what a player knows then, its word, and whether they see it."""
        entries = []
        if position.outcome() is None:
            for move in written_out(position.moves()):
                word, sees = position.format(move), self.subject.sees(position, seat, move)
                self.call(f"make({move})", position.make, move)
                entries.append((self.call(f"infoset({seat})", position.infoset, seat), word, sees))
                self.call("unmake()", position.unmake)
        return entries

    def _leaks(self, seat: int, here: list[Knowledge], there: list[Knowledge]) -> None:
        """Fails if `sees` reveals more of a move to a player than their infoset holds."""
        met: dict[Hashable, list[tuple[str, bool]]] = {}
        for infoset, word, sees in there:
            met.setdefault(infoset, []).append((word, sees))
        for infoset, word, sees in here:
            for another, also in met.get(infoset, ()) if sees else ():
                if word != another or not also:
                    seen = f"player {seat} sees the move {word}"
                    raise LawBroken("sees", f"{seen}, but knows {short(infoset)} after {another} too")

    def check_sampling(self) -> None:
        """Fails if `determinize` always returned the true position in infosets of several positions."""
        for (seat, _), keys in self.drawn.items():
            often = {true: drawn for true, (_, *drawn) in keys.items() if len(drawn) >= ENOUGH}
            if len(often) > 1 and all(set(drawn) == {true} for true, drawn in often.items()):
                one, another = list(often)[:2]
                self.subject.path = keys[one][0]
                alike = f"{short(one)} and {short(another)} are alike to player {seat}"
                raise LawBroken("determinize", f"{alike}, and each time it gave the true one")

    def check_worlds(self) -> None:
        """Fails if `determinize` does not draw what fits, as often as is right, where that can be counted."""
        start = self.subject.new()
        if not start.hidden:
            return
        counted = self.call("the rules", worlds.of, start, COUNTED)
        self.counted = counted is not None
        sampled = counted or {}
        several = [each for each in sampled.values() if 1 < len(each.weights) <= WORLDS]
        for each in several[:: max(1, len(several) // SAMPLED)]:
            paths = list(each.ways)
            for moves in (paths[0], paths[-1]):
                position = self.subject.replay(moves)
                if wrong := self.call("determinize()", each.drawn, position, self.seed):
                    raise LawBroken("worlds", wrong)


def _history(before: bytes, word: str, view: bytes) -> bytes:
    """A digest of all that a player was shown up to a move."""
    return blake2b(before + word.encode() + b"\n" + view).digest()
