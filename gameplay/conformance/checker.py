"""Checks the laws of the contract by random games to the end and back.

`check` plays a game and tests the LAWS at every position. A broken law is reported with the shortest sequence
of moves that shows it, so that an author can replay it.
"""

import contextlib
from collections.abc import Sequence
from random import Random
from typing import Any

from gameplay.conformance.checked_game import CheckedGame, LawBroken, brief, check_equal, possible_moves
from gameplay.conformance.declarations import check_declarations
from gameplay.conformance.drawing import check_board
from gameplay.conformance.information import MAX_POSITIONS, InformationLaws
from gameplay.conformance.laws import Break, Conformance, Untested
from gameplay.conformance.moves import MoveLaws
from gameplay.conformance.observation import Observation
from gameplay.conformance.positions import PositionLaws
from gameplay.conformance.puzzles import SEARCH_MOVES, PuzzleLaws
from gameplay.position import CHANCE, AbstractPosition
from gameplay.registry import Game
from gameplay.usercode.watchdog import CALL_SECONDS, time_limit

MAX_TRIED = 20_000  # total moves made and unmade besides those of games
COMPARED_PLIES = 3  # plies during which a second, untouched position is compared after each move
MAX_UNFINISHED = 3  # unfinished games after which the law "ends" counts as broken
PUZZLE_PLIES = 60  # limit of a random play of a puzzle
INFINITE_PLIES = 200  # limit of a random game that declares `finite = False`
STATISTICS_GAMES = 400  # random games for statistics
STATISTICS_MOVES = 3  # moves made for statistics per position tested
CHECK_SECONDS = 1e6  # limit of a whole check


def check(
    game: Game, plays: int = 100, seed: int = 0, seconds: float = CALL_SECONDS, plies: int = 2000
) -> Conformance:
    """Play `game` at random `plays` times to the end and back, testing every law.

    A play stops after `plies` moves; each call into the game may take `seconds`. Equal seeds give equal
    results. Raises Usage or BadInput if the parameters or the file are invalid.
    """
    checker = Checker(CheckedGame(game, seconds), seed, plies)
    check_limit = time_limit(CHECK_SECONDS, "the check")  # the calls then share its alarm
    with contextlib.redirect_stdout(checker.subject.output), check_limit:
        return checker.check(plays)


class Checker:
    """Plays a game at random and collects the laws that it breaks, each with its shortest example."""

    def __init__(self, subject: CheckedGame, seed: int, plies: int) -> None:
        self.subject = subject
        self.positional = PositionLaws(subject)
        self.moves = MoveLaws(subject)
        self.information = InformationLaws(subject, seed)
        self.puzzle = PuzzleLaws(subject)
        self.seed = seed
        self.plies = plies
        self.plays = self.finished = self.positions = self.longest = 0  # see `Conformance`
        self.breaks: dict[str, Break] = {}
        self.tried_moves = 0
        self.unfinished = self.legal = 0  # positions in progress, and their legal moves in total
        self.observation = Observation()
        self.start: AbstractPosition | None = None  # the start position, for the declared facts
        self.untested_positions = 0  # positions at which the laws of moves were not tested

    def check(self, plays: int) -> Conformance:
        """Play `plays` games; fewer if a broken law makes further games pointless."""
        limit, must_end = self.plies, True
        try:
            self.start = start = self.subject.new()
            check_declarations(self.subject, start)
            self.observation.begin(start.players)
            if not start.finite:
                limit, must_end = min(limit, INFINITE_PLIES), False
            if start.players == 1 and not start.chance:
                limit, must_end = min(limit, PUZZLE_PLIES), False
                self.puzzle.check_near(start, [])
                self.puzzle.search_goal(start)
        except LawBroken as broken:
            self._record(broken)
            limit = -1
        while self.plays < plays and limit >= 0 and not {"returns", "apart"} & self.breaks.keys():
            try:
                self._play(Random(f"{self.seed}/{self.plays}"), limit)
            except LawBroken as broken:
                self._record(broken)
                limit = min(limit, len(self.breaks[broken.law].moves) - 1)  # only shorter examples
            self.plays += 1
            if must_end and not (self.breaks or self.finished) and self.plays == min(plays, MAX_UNFINISHED):
                self._record(LawBroken("ends", f"no random game ended within {self.plies} moves"))
                break
        if not self.breaks:
            try:
                self.information.check_sampling()
                self.information.check_worlds()
                self._observe()
            except LawBroken as broken:
                self._record(broken)
        return Conformance(
            self.subject.game.spec,
            self.seed,
            self.plays,
            self.finished,
            self.positions,
            keys=len(self.positional.futures),
            longest=self.longest,
            branching=self.legal / self.unfinished if self.unfinished else 0.0,
            observed=self.observation,
            warnings=self.observation.warnings(self.start)
            if self.start is not None and not self.breaks
            else [],
            untested=self._list_untested_laws() if not self.breaks else [],
            broken=sorted(self.breaks.values(), key=lambda broken_law: len(broken_law.moves)),
        )

    def _list_untested_laws(self) -> list[Untested]:
        """The applicable laws that were not, or not fully, tested, with reasons."""
        game, untested = self.start, list[Untested]()
        assert game is not None

        def add(law: str, reason: str) -> None:
            untested.append(Untested(law, reason))

        puzzle = game.players == 1 and not game.chance
        if not game.finite:
            add("ends", "the game declares that its rules need not end it (finite is False)")
        if puzzle and not self.puzzle.goals_reached:
            reason = f"no goal was reached, neither at random nor by a search of {SEARCH_MOVES:,} moves"
            add("estimate", f"never more than the rest costs: {reason}")
        if not self.finished and not (puzzle and self.puzzle.goals_reached):
            max_moves = PUZZLE_PLIES if puzzle else self.plies if game.finite else INFINITE_PLIES
            add("outcome", f"no play ended within {min(self.plies, max_moves)} moves")
        if not self.positional.equal_keys:
            add("futures", "no position was reached on two paths")
        if game.hidden:
            if not self.positional.equal_infosets:
                add("infoset", "no two positions were alike to the player to move")
            if not self.information.worlds_counted:
                reason = f"the game has more than {MAX_POSITIONS:,} positions"
                add("worlds", f"{reason}: draws were compared by infoset and views, not counted")
        if self.untested_positions:
            share = f"at {self.positions - self.untested_positions:,} of {self.positions:,} positions"
            add("words", f"the laws of single moves were tested {share}, up to {MAX_TRIED:,} moves")
        return untested

    def _record(self, broken: LawBroken) -> None:
        previous = self.breaks.get(broken.law)
        if previous is None or len(self.subject.path) < len(previous.moves):
            self.breaks[broken.law] = Break(
                broken.law, broken.observation, tuple(self.subject.path), self.subject.drawing
            )

    def _play(self, rng: Random, limit: int) -> None:
        self.subject.path, self.subject.drawing, self.subject.saw = [], "", set()
        position, untouched = self.subject.new(), self.subject.new()
        fresh = self.subject.facts_of(untouched)
        moves: list[int] = []
        self.information.begin(self.plays, position.players)
        history = [self._check_position(position, None, moves)]
        # By player: the infosets at their moves, and the moves.
        recalled: list[tuple[Any, ...]] = [()] * position.players
        while history[-1]["outcome()"] is None and len(moves) < limit:
            move, mover = rng.choice(possible_moves(history[-1])), history[-1]["turn"]
            if mover != CHANCE:
                recalled[mover] += (history[-1][f"infoset({mover})"], move)
            self.subject.make(position, move)
            moves.append(move)
            if len(moves) <= COMPARED_PLIES:
                check_equal(
                    "apart",
                    fresh,
                    self.subject.facts_of(untouched),
                    "in another position that was not touched",
                )
            history.append(self._check_position(position, move, moves))
            for player in range(position.players if position.perfect_recall else 0):
                self.information.check_recall(player, history[-1][f"infoset({player})"], recalled[player])
        check_equal(
            "apart", fresh, self.subject.facts_of(untouched), "in another position that was not touched"
        )
        if (payoffs := history[-1]["outcome()"]) is not None:
            self.finished += 1
            self.puzzle.goals_reached += position.players == 1 and payoffs[0] > 0
            guesses = [facts.get("evaluate()") for facts in history[:-1]]
            self.observation.add([facts["turn"] for facts in history[:-1]], guesses, payoffs)
        self.longest = max(self.longest, len(moves))
        replayed = self.subject.new()
        for move in moves:
            self.subject.call("make()", replayed.make, move)
        try:
            check_equal(
                "replay", history[-1], self.subject.facts_of(replayed), "with the same moves made once more"
            )
        except LawBroken:
            self.moves.find_unrestored(moves)
            raise
        for ply in range(len(moves) - 1, -1, -1):
            self.subject.drawing = history[ply]["str()"]
            self.subject.call("unmake()", position.unmake)
            now = f"after make and unmake of {self.subject.path[ply]}"
            try:
                check_equal("unmake", history[ply], self.subject.facts_of(position), now)
            except LawBroken as broken:
                self.moves.find_unrestored(moves[: ply + 1], broken)
                raise
            self.subject.path.pop()
        if position.hidden:
            self.information.replay_hidden(moves, rng)

    def _observe(self) -> None:
        """Play more random games for statistics, at most STATISTICS_MOVES moves per tested position."""
        work, number, game = STATISTICS_MOVES * self.positions, 0, self.start
        assert game is not None
        while game.finite and game.players > 1 and work > 0 and self.observation.games < STATISTICS_GAMES:
            rng, moves = Random(f"{self.seed}/observed/{number}"), list[int]()
            try:
                self.observation.play(self.subject.new(), rng, self.plies, moves, self.subject.call)
            except LawBroken:
                self.subject.replay(moves)
                raise
            work -= len(moves)
            number += 1
        self.observation.judge()

    def _check_position(
        self, position: AbstractPosition, last_move: int | None, moves: Sequence[int]
    ) -> dict[str, Any]:
        """Test every law that a single position shows, and return its facts."""
        facts = self.subject.facts_of(position)
        self.subject.drawing = facts["str()"]
        self.positions += 1
        self.positional.check(position, facts)
        check_equal("asking", facts, self.subject.facts_of(position), "when asked a second time")
        check_board(self.subject, position, facts, last=last_move)
        try:
            self.positional.compare(facts)
        except LawBroken as broken:
            if broken.law == "futures":
                self.moves.find_unrestored(moves)
            raise
        if position.hidden and facts["outcome()"] is None:  # at the end much may be revealed
            self.information.check_views(position, facts, last_move)
        if facts["outcome()"] is None:
            self.unfinished += 1
            self.legal += len(facts["moves()"])
            if self.tried_moves < MAX_TRIED:
                self.tried_moves += len(facts["moves()"])
                self.moves.check_words(position, facts)
                try:
                    self.moves.try_moves(position, facts)
                except LawBroken as broken:
                    if broken.law in ("unmake", "replay", "futures"):
                        self.moves.find_unrestored(moves)
                    raise
                if position.hidden:
                    for seat in range(position.players):
                        seen_move = last_move if seat in self.subject.saw else None
                        self.information.check_samples(position, facts, seat, seen_move)
            else:
                self.untested_positions += 1
        if self.subject.output.getvalue():
            raise LawBroken("prints", f"it printed {brief(repr(self.subject.output.getvalue()))}")
        is_due = len(moves) < 20 or len(moves) % 16 == 0 or facts["outcome()"] is not None
        if facts["text()"] is not None and is_due:
            restored = self.subject.new()
            self.subject.call(f"setup({facts['text()']!r})", restored.setup, facts["text()"])
            check_equal("text", facts, self.subject.facts_of(restored), f"after setup({facts['text()']!r})")
        return facts
