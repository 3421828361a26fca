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
from gameplay.conformance.drawing import check_board
from gameplay.position import CHANCE, AbstractPosition
from gameplay.search import worlds

SAMPLES = 4  # samples for each player at each position of a game of imperfect information
MIN_SAMPLES = 8  # samples per position to detect that determinize() always returns the true position
MAX_POSITIONS = 12_000  # positions of a game up to which consistent positions are counted
MAX_WORLDS = 40  # consistent positions of an infoset up to which its samples are tested
TESTED_INFOSETS = 10  # infosets whose samples are tested against the counts

Knowledge = tuple[Hashable, str, bool]  # a player's infoset after a move, its word, whether they see it


class InformationLaws:
    """Tests infosets, views and samples of determinize()."""

    def __init__(self, subject: CheckedGame, seed: int) -> None:
        self.subject = subject
        self.call = subject.call
        self.seed = seed
        # (player, infoset) -> true key -> sampled keys
        self.sampled_keys: dict[tuple[int, Hashable], dict[Hashable, list[Any]]] = {}
        # (player, infoset) -> previous infosets and choices
        self.recalled_histories: dict[Hashable, tuple[Hashable, str]] = {}
        self.worlds_counted = False  # the consistent positions of the players were counted
        # (player, infoset) -> a digest of their view, and when
        self.viewed: dict[Hashable, tuple[bytes, str]] = {}
        # (player, digest of all views) -> infoset, and when
        self.histories: dict[Hashable, tuple[Hashable, str]] = {}
        # By player, at each position of this play: infoset, digest of the view, digest of all views so far.
        self.histories_by_seat: list[list[tuple[Hashable, bytes, bytes]]] = []
        self.play = 0  # the number of this play
        self.last_word = ""  # last move of a varied game; "": hidden from the player

    def begin(self, play: int, players: int) -> None:
        """Begin a play; its number is part of the seeds of its samples."""
        self.play = play
        self.histories_by_seat = [[] for _ in range(players)]

    def check_recall(self, player: int, infoset: Any, history: tuple[Any, ...]) -> None:
        """Raise LawBroken if the player reached this infoset before with another history."""
        previous, earlier = self.recalled_histories.setdefault(
            (player, infoset), (history, self.subject.when())
        )
        if previous != history:
            observation = f"player {player} knows {brief(infoset)} as {earlier}, where they"
            raise LawBroken("recall", f"{observation} had known or chosen something else")

    def check_views(self, position: AbstractPosition, facts: dict[str, Any], last_move: int | None) -> None:
        """Check that equal infosets have equal views, and equal histories of views equal infosets."""
        when = self.subject.when()
        for seat in range(position.players):
            infoset = facts[f"infoset({seat})"]
            view = self._view(position, facts, seat)
            previous, earlier = self.viewed.setdefault((seat, infoset), (view, when))
            if previous != view:
                observation = f"player {seat} is shown something else {when} than {earlier}"
                raise LawBroken("views", f"{observation}, and infoset({seat}) is {brief(infoset)} at both")
            word = self.subject.path[-1] if last_move is not None and seat in self.subject.saw else ""
            seat_history = _history(
                self.histories_by_seat[seat][-1][2] if self.histories_by_seat[seat] else b"", word, view
            )
            self.histories_by_seat[seat].append((infoset, view, seat_history))
            previous_infoset, earlier = self.histories.setdefault((seat, seat_history), (infoset, when))
            if previous_infoset != infoset:
                observation = (
                    f"infoset({seat}) is {brief(infoset)} {when}, and {brief(previous_infoset)} {earlier}"
                )
                raise LawBroken("shown", f"{observation}: player {seat} was shown the same in both games")

    def _view(self, position: AbstractPosition, facts: dict[str, Any], seat: int) -> bytes:
        """A digest of a player's view."""
        board = check_board(self.subject, position, facts, viewer=seat)
        return blake2b(f"{board}\n{self.call(f'show({seat})', position.show, seat)}".encode()).digest()

    def replay_hidden(self, moves: Sequence[int], rng: Random) -> None:
        """Replay the game with other hidden moves; compare each player's infosets and views.

        An infoset equal to that of the first game requires an equal view; an equal history of views requires
        an equal infoset. Independent random games rarely contain such pairs.
        """
        for seat, seat_histories in enumerate(self.histories_by_seat):
            for keep_probability in (0.0, 0.5, 0.9):
                position, current_history, self.subject.path = self.subject.new(), b"", []
                for ply, (infoset, view, history) in enumerate(seat_histories):
                    facts = self._facts_of(position, seat)
                    if facts["outcome()"] is not None:
                        break
                    self.subject.drawing = ""
                    current_infoset, current_view = (
                        facts[f"infoset({seat})"],
                        self._view(position, facts, seat),
                    )
                    current_history = _history(current_history, self.last_word if ply else "", current_view)
                    if current_infoset == infoset and current_view != view:
                        observation = (
                            f"player {seat} is shown something else than in another game of the same moves"
                        )
                        raise LawBroken(
                            "views",
                            f"{observation} for them, and infoset({seat}) is {brief(infoset)} in both",
                        )
                    if current_history == history and current_infoset != infoset:
                        infosets = f"{brief(current_infoset)}, and {brief(infoset)} in another game"
                        raise LawBroken(
                            "shown", f"infoset({seat}) is {infosets} where they were shown the same"
                        )
                    if ply == len(seat_histories) - 1:
                        break
                    move, legal = moves[ply], facts["moves()"]
                    if move not in legal or not self.subject.sees(position, seat, move):
                        hidden_moves = [
                            move
                            for move in possible_moves(facts)
                            if not self.subject.sees(position, seat, move)
                        ]
                        if not hidden_moves:
                            break
                        if move not in hidden_moves or rng.random() >= keep_probability:
                            move = rng.choice(hidden_moves)
                    self.last_word = position.format(move) if self.subject.sees(position, seat, move) else ""
                    self.subject.make(position, move)

    def _facts_of(self, position: AbstractPosition, seat: int) -> dict[str, Any]:
        """The facts of a position needed to continue the game and to compare infosets."""
        outcome = self.call("outcome()", position.outcome)
        facts: dict[str, Any] = {"turn": position.turn, "outcome()": outcome}
        if outcome is None:
            facts["moves()"] = as_list(self.call("moves()", position.moves))
            if position.turn == CHANCE:
                facts["chances()"] = self.subject.call_list("chances", position.chances, "chances()")
        facts[f"infoset({seat})"] = self.call(f"infoset({seat})", position.infoset, seat)
        return facts

    def check_samples(
        self, position: AbstractPosition, facts: dict[str, Any], seat: int, last_move: int | None
    ) -> None:
        """Check that a player cannot distinguish the position from samples of determinize()."""
        current = facts[f"infoset({seat})"]
        expected_views = self._views_of(position, facts, seat, last_move)
        entries = self._knowledge_after_moves(position, seat)
        keys = self.sampled_keys.setdefault((seat, current), {}).setdefault(
            facts["key()"], [list(self.subject.path)]
        )
        for draw in range(SAMPLES):
            seed = f"{self.play}/{len(self.subject.path)}/{seat}/{draw}"
            sample = self.call(f"determinize({seat})", position.determinize, seat, Random(seed))
            sample_facts = self.subject.facts_of(sample)
            if not draw:
                repeated = self.call(f"determinize({seat})", position.determinize, seat, Random(seed))
                check_equal(
                    "determinize",
                    sample_facts,
                    self.subject.facts_of(repeated),
                    "when drawn again with an equal seed",
                )
            infoset = f"infoset({seat})"
            if sample_facts[infoset] != current:
                raise LawBroken(
                    "determinize", f"{infoset} is {brief(current)}, then {brief(sample_facts[infoset])}"
                )
            if seat == facts["turn"]:
                if (sample_facts["turn"], sample_facts["outcome()"]) != (seat, None):
                    raise LawBroken(
                        "determinize", f"player {seat} is on turn, and in the position it gave is not"
                    )
                expected, actual = (
                    {"moves()": sorted(facts_of["moves()"])} for facts_of in (facts, sample_facts)
                )
                check_equal("infoset", expected, actual, "in a position that determinize() gave")
            sample_views = self._views_of(sample, sample_facts, seat, last_move)
            for name in expected_views:
                if sample_views[name] != expected_views[name]:
                    views = f"{brief(expected_views[name])}, and {brief(sample_views[name])}"
                    raise LawBroken("views", f"{name} is {views} where infoset({seat}) is {brief(current)}")
            self._check_news(position, sample, seat, current)
            self._check_sees(seat, entries, self._knowledge_after_moves(sample, seat))
            keys.append(sample_facts["key()"])
            if sample_facts["outcome()"] is None:
                self.call("make()", sample.make, sample_facts["moves()"][0])
            check_equal(
                "determinize", facts, self.subject.facts_of(position), "after a move in the position it gave"
            )

    def _check_news(
        self, position: AbstractPosition, sample: AbstractPosition, seat: int, infoset: Hashable
    ) -> None:
        """Raise LawBroken if news() reveals hidden facts; a sampled position may have no last move."""
        news, sample_news = (
            self.subject.call_list("views", source.news, "news()") for source in (position, sample)
        )
        if sample_news and news != sample_news:
            both_news = f"{brief(news)}, and {brief(sample_news)}"
            raise LawBroken("views", f"news() is {both_news} where infoset({seat}) is {brief(infoset)}")

    def _views_of(
        self, position: AbstractPosition, facts: dict[str, Any], seat: int, last_move: int | None
    ) -> dict[str, Any]:
        """A player's views of a position, by name."""
        views: dict[str, Any] = {
            f"board({seat})": check_board(self.subject, position, facts, viewer=seat, last=last_move),
            f"show({seat})": self.call(f"show({seat})", position.show, seat),
        }
        if seat == facts["turn"] and "moves()" in facts:
            words = {move: self.call(f"format({move})", position.format, move) for move in facts["moves()"]}
            views["the mover's list of words"] = words
        return views

    def _knowledge_after_moves(self, position: AbstractPosition, seat: int) -> list[Knowledge]:
        """For each legal move: the player's infoset after it, its word, and whether they see it."""
        entries = []
        if position.outcome() is None:
            for move in as_list(position.moves()):
                word, is_seen = position.format(move), self.subject.sees(position, seat, move)
                self.call(f"make({move})", position.make, move)
                entries.append((self.call(f"infoset({seat})", position.infoset, seat), word, is_seen))
                self.call("unmake()", position.unmake)
        return entries

    def _check_sees(self, seat: int, entries: list[Knowledge], sample_entries: list[Knowledge]) -> None:
        """Raise LawBroken if `sees` reveals more of a move than the player's infoset contains."""
        by_infoset: dict[Hashable, list[tuple[str, bool]]] = {}
        for infoset, word, is_seen in sample_entries:
            by_infoset.setdefault(infoset, []).append((word, is_seen))
        for infoset, word, is_seen in entries:
            for other_word, other_is_seen in by_infoset.get(infoset, ()) if is_seen else ():
                if word != other_word or not other_is_seen:
                    observation = f"player {seat} sees the move {word}"
                    raise LawBroken(
                        "sees", f"{observation}, but knows {brief(infoset)} after {other_word} too"
                    )

    def check_sampling(self) -> None:
        """Raise LawBroken if `determinize` always returned the true position of several in an infoset."""
        for (seat, _), keys in self.sampled_keys.items():
            frequent = {
                true_key: sampled for true_key, (_, *sampled) in keys.items() if len(sampled) >= MIN_SAMPLES
            }
            if len(frequent) > 1 and all(
                set(sampled) == {true_key} for true_key, sampled in frequent.items()
            ):
                first_key, second_key = list(frequent)[:2]
                self.subject.path = keys[first_key][0]
                observation = f"{brief(first_key)} and {brief(second_key)} are alike to player {seat}"
                raise LawBroken("determinize", f"{observation}, and each time it gave the true one")

    def check_worlds(self) -> None:
        """Raise LawBroken if the samples of `determinize` do not match the counted probabilities."""
        start = self.subject.new()
        if not start.hidden:
            return
        infosets = self.call("the rules", worlds.enumerate_worlds, start, MAX_POSITIONS)
        self.worlds_counted = infosets is not None
        tested = [infoset for infoset in (infosets or {}).values() if 1 < len(infoset.weights) <= MAX_WORLDS]
        for infoset in tested[:: max(1, len(tested) // TESTED_INFOSETS)]:
            paths = list(infoset.lines)
            for moves in (paths[0], paths[-1]):
                position = self.subject.replay(moves)
                if mismatch := self.call("determinize()", infoset.sampling_error, position, self.seed):
                    raise LawBroken("worlds", mismatch)


def _history(previous: bytes, word: str, view: bytes) -> bytes:
    """A digest of all views of a player up to a move."""
    return blake2b(previous + word.encode() + b"\n" + view).digest()
