"""The laws of imperfect information: infosets, views, samples of determinize(), perfect recall."""

from collections.abc import Hashable, Sequence
from hashlib import blake2b
from random import Random
from typing import Any

from gameplay.conformance.checked_game import (
    CheckedGame,
    LawBroken,
    as_list,
    brief,
    check_equal,
    possible_moves,
)
from gameplay.conformance.drawing import checked_board
from gameplay.position import CHANCE, AbstractPosition
from gameplay.search import worlds

SAMPLES = 4  # samples for each player at each position of a game of imperfect information
MIN_SAMPLES = (
    8  # samples, all the true position, at two positions of one infoset: determinize() does not sample
)
MAX_POSITIONS = 12_000  # positions of a game up to which consistent positions are counted
MAX_WORLDS = 40  # consistent positions of an infoset up to which its samples are tested
TESTED_INFOSETS = 10  # infosets whose samples are tested against the counts

Knowledge = tuple[Hashable, str, bool]  # what a player knows after a move, its word, and whether they see it


class InformationLaws:
    """Tests what players know, what they are shown and what determinize() samples."""

    def __init__(self, subject: CheckedGame, seed: int) -> None:
        self.subject = subject
        self.call = subject.call
        self.seed = seed
        # (player, infoset) -> true key -> sampled keys
        self.sampled_keys: dict[tuple[int, Hashable], dict[Hashable, list[Any]]] = {}
        # (player, infoset) -> all they knew and chose before
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
        """Begin a play; its number is part of the seeds of its samples."""
        self.play = play
        self.story = [[] for _ in range(players)]

    def check_recall(self, player: int, infoset: Any, history: tuple[Any, ...]) -> None:
        """Raise LawBroken if the player reached this infoset before with another history."""
        before, earlier = self.recalled.setdefault((player, infoset), (history, self.subject.when()))
        if before != history:
            seen = f"player {player} knows {brief(infoset)} as {earlier}, where they"
            raise LawBroken("recall", f"{seen} had known or chosen something else")

    def check_views(self, position: AbstractPosition, facts: dict[str, Any], last: int | None) -> None:
        """Compare infosets with views: equal infosets need equal views, equal views so far equal infosets."""
        when = self.subject.when()
        for seat in range(position.players):
            infoset = facts[f"infoset({seat})"]
            view = self._view(position, facts, seat)
            before, earlier = self.viewed.setdefault((seat, infoset), (view, when))
            if before != view:
                seen = f"player {seat} is shown something else {when} than {earlier}"
                raise LawBroken("views", f"{seen}, and infoset({seat}) is {brief(infoset)} at both")
            word = self.subject.path[-1] if last is not None and seat in self.subject.saw else ""
            story = _history(self.story[seat][-1][2] if self.story[seat] else b"", word, view)
            self.story[seat].append((infoset, view, story))
            held, earlier = self.histories.setdefault((seat, story), (infoset, when))
            if held != infoset:
                seen = f"infoset({seat}) is {brief(infoset)} {when}, and {brief(held)} {earlier}"
                raise LawBroken("shown", f"{seen}: player {seat} was shown the same in both games")

    def _view(self, position: AbstractPosition, facts: dict[str, Any], seat: int) -> bytes:
        """A digest of what a player is shown."""
        board = checked_board(self.subject, position, facts, viewer=seat)
        return blake2b(f"{board}\n{self.call(f'show({seat})', position.show, seat)}".encode()).digest()

    def replay_hidden(self, made: Sequence[int], rng: Random) -> None:
        """Replay the game with other moves wherever a player does not see the move; compare what they know.

        While their infoset equals that of the first game, their view must be equal too; while all they were
        shown is equal, their infoset must be. Independent random games rarely meet such pairs.
        """
        for seat, story in enumerate(self.story):
            for keep in (0.0, 0.5, 0.9):
                position, seen_so_far, self.subject.path = self.subject.new(), b"", []
                for ply, (infoset, view, shown) in enumerate(story):
                    facts = self._facts_of(position, seat)
                    if facts["outcome()"] is not None:
                        break
                    self.subject.drawing = ""
                    now, new = facts[f"infoset({seat})"], self._view(position, facts, seat)
                    seen_so_far = _history(seen_so_far, self.word if ply else "", new)
                    if now == infoset and new != view:
                        seen = f"player {seat} is shown something else than in another game of the same moves"
                        raise LawBroken(
                            "views", f"{seen} for them, and infoset({seat}) is {brief(now)} in both"
                        )
                    if seen_so_far == shown and now != infoset:
                        both = f"{brief(now)}, and {brief(infoset)} in another game"
                        raise LawBroken("shown", f"infoset({seat}) is {both} where they were shown the same")
                    if ply == len(story) - 1:
                        break
                    move, legal = made[ply], facts["moves()"]
                    if move not in legal or not self.subject.sees(position, seat, move):
                        others = [
                            one for one in possible_moves(facts) if not self.subject.sees(position, seat, one)
                        ]
                        if not others:
                            break
                        if move not in others or rng.random() >= keep:
                            move = rng.choice(others)
                    self.word = position.format(move) if self.subject.sees(position, seat, move) else ""
                    self.subject.make(position, move)

    def _facts_of(self, position: AbstractPosition, seat: int) -> dict[str, Any]:
        """The facts of a position needed to play on and to compare what a player knows."""
        outcome = self.call("outcome()", position.outcome)
        facts: dict[str, Any] = {"turn": position.turn, "outcome()": outcome}
        if outcome is None:
            facts["moves()"] = as_list(self.call("moves()", position.moves))
            if position.turn == CHANCE:
                facts["chances()"] = self.subject.call_list("chances", position.chances, "chances()")
        facts[f"infoset({seat})"] = self.call(f"infoset({seat})", position.infoset, seat)
        return facts

    def check_samples(
        self, position: AbstractPosition, facts: dict[str, Any], seat: int, last: int | None
    ) -> None:
        """Check that a player cannot distinguish the position from samples of determinize()."""
        current = facts[f"infoset({seat})"]
        here = self._views_of(position, facts, seat, last)
        entries = self._knowledge_after_moves(position, seat)
        keys = self.sampled_keys.setdefault((seat, current), {}).setdefault(
            facts["key()"], [list(self.subject.path)]
        )
        for draw in range(SAMPLES):
            seed = f"{self.play}/{len(self.subject.path)}/{seat}/{draw}"
            other = self.call(f"determinize({seat})", position.determinize, seat, Random(seed))
            there = self.subject.facts_of(other)
            if not draw:
                again = self.call(f"determinize({seat})", position.determinize, seat, Random(seed))
                check_equal(
                    "determinize", there, self.subject.facts_of(again), "when drawn again with an equal seed"
                )
            infoset = f"infoset({seat})"
            if there[infoset] != current:
                raise LawBroken("determinize", f"{infoset} is {brief(current)}, then {brief(there[infoset])}")
            if seat == facts["turn"]:
                if (there["turn"], there["outcome()"]) != (seat, None):
                    raise LawBroken(
                        "determinize", f"player {seat} is on turn, and in the position it gave is not"
                    )
                true, given = ({"moves()": sorted(asked["moves()"])} for asked in (facts, there))
                check_equal("infoset", true, given, "in a position that determinize() gave")
            shown = self._views_of(other, there, seat, last)
            for name in here:
                if shown[name] != here[name]:
                    both = f"{brief(here[name])}, and {brief(shown[name])}"
                    raise LawBroken("views", f"{name} is {both} where infoset({seat}) is {brief(current)}")
            self._check_news(position, other, seat, current)
            self._check_sees(seat, entries, self._knowledge_after_moves(other, seat))
            keys.append(there["key()"])
            if there["outcome()"] is None:
                self.call("make()", other.make, there["moves()"][0])
            check_equal(
                "determinize", facts, self.subject.facts_of(position), "after a move in the position it gave"
            )

    def _check_news(
        self, position: AbstractPosition, other: AbstractPosition, seat: int, infoset: Hashable
    ) -> None:
        """Raise LawBroken if news() reveals hidden facts; a sampled position may have no last move."""
        here, there = (self.subject.call_list("views", one.news, "news()") for one in (position, other))
        if there and here != there:
            both = f"{brief(here)}, and {brief(there)}"
            raise LawBroken("views", f"news() is {both} where infoset({seat}) is {brief(infoset)}")

    def _views_of(
        self, position: AbstractPosition, facts: dict[str, Any], seat: int, last: int | None
    ) -> dict[str, Any]:
        """All that is shown to a player at a position, by name."""
        shown: dict[str, Any] = {
            f"board({seat})": checked_board(self.subject, position, facts, viewer=seat, last=last),
            f"show({seat})": self.call(f"show({seat})", position.show, seat),
        }
        if seat == facts["turn"] and "moves()" in facts:
            words = {move: self.call(f"format({move})", position.format, move) for move in facts["moves()"]}
            shown["the mover's list of words"] = words
        return shown

    def _knowledge_after_moves(self, position: AbstractPosition, seat: int) -> list[Knowledge]:
        """For each legal move: the player's infoset after it, its word, and whether they see it."""
        entries = []
        if position.outcome() is None:
            for move in as_list(position.moves()):
                word, sees = position.format(move), self.subject.sees(position, seat, move)
                self.call(f"make({move})", position.make, move)
                entries.append((self.call(f"infoset({seat})", position.infoset, seat), word, sees))
                self.call("unmake()", position.unmake)
        return entries

    def _check_sees(self, seat: int, here: list[Knowledge], there: list[Knowledge]) -> None:
        """Raise LawBroken if `sees` reveals more of a move to a player than their infoset holds."""
        met: dict[Hashable, list[tuple[str, bool]]] = {}
        for infoset, word, sees in there:
            met.setdefault(infoset, []).append((word, sees))
        for infoset, word, sees in here:
            for another, also in met.get(infoset, ()) if sees else ():
                if word != another or not also:
                    seen = f"player {seat} sees the move {word}"
                    raise LawBroken("sees", f"{seen}, but knows {brief(infoset)} after {another} too")

    def check_sampling(self) -> None:
        """Raise LawBroken if `determinize` always returned the true position of several alike."""
        for (seat, _), keys in self.sampled_keys.items():
            often = {true: drawn for true, (_, *drawn) in keys.items() if len(drawn) >= MIN_SAMPLES}
            if len(often) > 1 and all(set(drawn) == {true} for true, drawn in often.items()):
                one, another = list(often)[:2]
                self.subject.path = keys[one][0]
                alike = f"{brief(one)} and {brief(another)} are alike to player {seat}"
                raise LawBroken("determinize", f"{alike}, and each time it gave the true one")

    def check_worlds(self) -> None:
        """Raise LawBroken if the samples of `determinize` do not match the counted probabilities."""
        start = self.subject.new()
        if not start.hidden:
            return
        counted = self.call("the rules", worlds.enumerate_worlds, start, MAX_POSITIONS)
        self.counted = counted is not None
        sampled = counted or {}
        several = [each for each in sampled.values() if 1 < len(each.weights) <= MAX_WORLDS]
        for each in several[:: max(1, len(several) // TESTED_INFOSETS)]:
            paths = list(each.lines)
            for moves in (paths[0], paths[-1]):
                position = self.subject.replay(moves)
                if wrong := self.call("determinize()", each.sampling_error, position, self.seed):
                    raise LawBroken("worlds", wrong)


def _history(before: bytes, word: str, view: bytes) -> bytes:
    """A digest of all that a player was shown up to a move."""
    return blake2b(before + word.encode() + b"\n" + view).digest()
