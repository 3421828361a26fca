"""The laws of the contract, checked by playing at random to the end and back.

`check` plays a game, looks at every position on the way and holds what it sees against LAWS. A law that is
broken comes back with the shortest sequence of moves that shows it, so that an author can replay it.
"""

import contextlib
from collections.abc import Sequence
from random import Random
from typing import Any

from gameplay.conformance.checked_game import CheckedGame, LawBroken, likely, same, short
from gameplay.conformance.declarations import check_declarations
from gameplay.conformance.drawing import drawn_board
from gameplay.conformance.information import COUNTED, InformationLaws
from gameplay.conformance.laws import Break, Conformance, Untested
from gameplay.conformance.moves import MoveLaws
from gameplay.conformance.observation import Observation
from gameplay.conformance.positions import PositionLaws
from gameplay.conformance.puzzles import SEARCHED, PuzzleLaws
from gameplay.position import CHANCE, AbstractPosition
from gameplay.registry import Game
from gameplay.usercode.watchdog import PATIENCE, patience

TRIED = 20_000  # moves tried beside those played, in all
SHALLOW = 3  # plies after which a second position is compared only at the end
PATIENT = 3  # plays without an end before the game counts as endless
AIMLESS = 60  # plies of a random play of a puzzle, which need not end
UNENDING = 200  # ... of a game whose rules do not end it
OBSERVED = 400  # random games from which statistics are taken
OBSERVING = 3  # moves made for statistics alone, for each position that the laws were tested at
WHOLE = 1e6  # seconds that a check may take


def check(
    game: Game, plays: int = 100, seed: int = 0, seconds: float = PATIENCE, plies: int = 2000
) -> Conformance:
    """Play `game` at random `plays` times to the end and back, and hold every law against it.

    A play stops after `plies` moves; each call into the game may take `seconds`. The same seed gives the
    same verdict. Raises Usage or BadInput if the parameters or the file do not let the game begin.
    """
    checker = Checker(CheckedGame(game, seconds), seed, plies)
    whole = patience(WHOLE, "the check")  # the calls then share its alarm
    with contextlib.redirect_stdout(checker.subject.printed), whole:
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
        self.found: dict[str, Break] = {}
        self.tried = 0
        self.asked = self.open = 0  # positions not over, and their moves
        self.observed = Observation()
        self.facts: AbstractPosition | None = None  # the start, for what the class says
        self.unlooked = 0  # positions at which the laws of moves were not tested

    def check(self, plays: int) -> Conformance:
        """Play so many games, or fewer where a law is broken that leaves nothing more to find."""
        limit, must_end = self.plies, True
        try:
            self.facts = start = self.subject.new()
            check_declarations(self.subject, start)
            self.observed.begin(start.players)
            if not start.finite:
                limit, must_end = min(limit, UNENDING), False
            if start.players == 1 and not start.chance:
                limit, must_end = min(limit, AIMLESS), False
                self.puzzle.check_near(start, [])
                self.puzzle.search_goal(start)
        except LawBroken as broken:
            self._keep(broken)
            limit = -1
        while self.plays < plays and limit >= 0 and not {"returns", "apart"} & self.found.keys():
            try:
                self._play(Random(f"{self.seed}/{self.plays}"), limit)
            except LawBroken as broken:
                self._keep(broken)
                limit = min(limit, len(self.found[broken.law].moves) - 1)  # from now on only shorter examples
            self.plays += 1
            if must_end and not (self.found or self.finished) and self.plays == min(plays, PATIENT):
                self._keep(LawBroken("ends", f"no random game ended within {self.plies} moves"))
                break
        if not self.found:
            try:
                self.information.check_sampling()
                self.information.check_worlds()
                self._observe()
            except LawBroken as broken:
                self._keep(broken)
        return Conformance(
            self.subject.game.spec,
            self.seed,
            self.plays,
            self.finished,
            self.positions,
            keys=len(self.positional.futures),
            longest=self.longest,
            branching=self.open / self.asked if self.asked else 0.0,
            observed=self.observed,
            warnings=self.observed.warnings(self.facts) if self.facts is not None and not self.found else [],
            untested=self._untested() if not self.found else [],
            broken=sorted(self.found.values(), key=lambda each: len(each.moves)),
        )

    def _untested(self) -> list[Untested]:
        """The laws that apply to this game and were not tested, or not everywhere, and why."""
        game, untested = self.facts, list[Untested]()
        assert game is not None

        def skipped(law: str, reason: str) -> None:
            untested.append(Untested(law, reason))

        puzzle = game.players == 1 and not game.chance
        if not game.finite:
            skipped("ends", "the game declares that its rules need not end it (finite is False)")
        if puzzle and not self.puzzle.reached:
            reason = f"no goal was reached, neither at random nor by a search of {SEARCHED:,} moves"
            skipped("estimate", f"never more than the rest costs: {reason}")
        if not self.finished and not (puzzle and self.puzzle.reached):
            most = AIMLESS if puzzle else self.plies if game.finite else UNENDING
            skipped("outcome", f"no play ended within {min(self.plies, most)} moves")
        if not self.positional.again:
            skipped("futures", "no position was reached on two paths")
        if game.hidden:
            if not self.positional.alike:
                skipped("infoset", "no two positions were alike to the player to move")
            if not self.information.counted:
                reason = f"the game has more than {COUNTED:,} positions"
                skipped("worlds", f"{reason}: draws were compared by infoset and views, not counted")
        if self.unlooked:
            share = f"at {self.positions - self.unlooked:,} of {self.positions:,} positions"
            skipped("words", f"the laws of single moves were tested {share}, up to {TRIED:,} moves")
        return untested

    def _keep(self, broken: LawBroken) -> None:
        old = self.found.get(broken.law)
        if old is None or len(self.subject.path) < len(old.moves):
            self.found[broken.law] = Break(
                broken.law, broken.seen, tuple(self.subject.path), self.subject.drawing
            )

    def _play(self, rng: Random, limit: int) -> None:
        self.subject.path, self.subject.drawing, self.subject.saw = [], "", set()
        position, other = self.subject.new(), self.subject.new()
        fresh = self.subject.look(other)
        made: list[int] = []
        self.information.begin(self.plays, position.players)
        looks = [self._study(position, None, made)]
        own: list[tuple[Any, ...]] = [()] * position.players  # what each knew and chose when they moved
        while looks[-1]["outcome()"] is None and len(made) < limit:
            move, mover = rng.choice(likely(looks[-1])), looks[-1]["turn"]
            if mover != CHANCE:
                own[mover] += (looks[-1][f"infoset({mover})"], move)
            self.subject.make(position, move)
            made.append(move)
            if len(made) <= SHALLOW:
                same("apart", fresh, self.subject.look(other), "in another position that was not touched")
            looks.append(self._study(position, move, made))
            for player in range(position.players if position.perfect_recall else 0):
                self.information.check_recall(player, looks[-1][f"infoset({player})"], own[player])
        same("apart", fresh, self.subject.look(other), "in another position that was not touched")
        if (payoffs := looks[-1]["outcome()"]) is not None:
            self.finished += 1
            self.puzzle.reached += position.players == 1 and payoffs[0] > 0
            guesses = [look.get("evaluate()") for look in looks[:-1]]
            self.observed.add([look["turn"] for look in looks[:-1]], guesses, payoffs)
        self.longest = max(self.longest, len(made))
        again = self.subject.new()
        for move in made:
            self.subject.call("make()", again.make, move)
        try:
            same("replay", looks[-1], self.subject.look(again), "with the same moves made once more")
        except LawBroken:
            self.moves.blame(made)
            raise
        for ply in range(len(made) - 1, -1, -1):
            self.subject.drawing = looks[ply]["str()"]
            self.subject.call("unmake()", position.unmake)
            now = f"after make and unmake of {self.subject.path[ply]}"
            try:
                same("unmake", looks[ply], self.subject.look(position), now)
            except LawBroken as broken:
                self.moves.blame(made[: ply + 1], broken)
                raise
            self.subject.path.pop()
        if position.hidden:
            self.information.vary(made, rng)

    def _observe(self) -> None:
        """Play more random games for the statistics, in less time than the laws took."""
        work, number, game = OBSERVING * self.positions, 0, self.facts
        assert game is not None
        while game.finite and game.players > 1 and work > 0 and self.observed.games < OBSERVED:
            rng, made = Random(f"{self.seed}/observed/{number}"), list[int]()
            try:
                self.observed.play(self.subject.new(), rng, self.plies, made, self.subject.call)
            except LawBroken:
                self.subject.replay(made)
                raise
            work -= len(made)
            number += 1
        self.observed.judge()

    def _study(self, position: AbstractPosition, last: int | None, made: Sequence[int]) -> dict[str, Any]:
        """Look at a position and hold it against every law that can be seen there."""
        look = self.subject.look(position)
        self.subject.drawing = look["str()"]
        self.positions += 1
        self.positional.check(position, look)
        same("asking", look, self.subject.look(position), "when asked a second time")
        drawn_board(self.subject, position, look, last=last)
        try:
            self.positional.compare(look)
        except LawBroken as broken:
            if broken.law == "futures":
                self.moves.blame(made)
            raise
        if position.hidden and look["outcome()"] is None:  # at the end much may be revealed
            self.information.check_views(position, look, last)
        if look["outcome()"] is None:
            self.asked += 1
            self.open += len(look["moves()"])
            if self.tried < TRIED:
                self.tried += len(look["moves()"])
                self.moves.check_words(position, look)
                try:
                    self.moves.try_moves(position, look)
                except LawBroken as broken:
                    if broken.law in ("unmake", "replay", "futures"):
                        self.moves.blame(made)
                    raise
                if position.hidden:
                    for seat in range(position.players):
                        seen = last if seat in self.subject.saw else None
                        self.information.check_samples(position, look, seat, seen)
            else:
                self.unlooked += 1
        if self.subject.printed.getvalue():
            raise LawBroken("prints", f"it printed {short(repr(self.subject.printed.getvalue()))}")
        often = len(made) < 20 or len(made) % 16 == 0 or look["outcome()"] is not None
        if look["text()"] is not None and often:
            again = self.subject.new()
            self.subject.call(f"setup({look['text()']!r})", again.setup, look["text()"])
            same("text", look, self.subject.look(again), f"after setup({look['text()']!r})")
        return look
