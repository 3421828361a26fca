"""Listeners of a match in `play`: the score of a match of several games, notices, the bell, Ctrl-C."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from gameplay import registry, specs
from gameplay.capabilities import HasDeadStones
from gameplay.display.terminal.line import PlainOutput
from gameplay.display.terminal.screen import Screen
from gameplay.matches.match import Event, Match
from gameplay.players.judge import PUZZLE_SECONDS, puzzle_options
from gameplay.players.match_commands import dead_stones_text
from gameplay.search.limit import Limit
from gameplay.store.saved import GameSaver
from gameplay.visible import terminal

if TYPE_CHECKING:
    from gameplay.display.terminal.listener import MatchListener
    from gameplay.matches.series import Series


class SessionListener:
    """Called with the events of its match; a true result ends a search."""

    match: Match

    def __call__(self, event: Event) -> bool:
        raise NotImplementedError


class SavedAsNotice(SessionListener):
    """Without a display: prints the name under which the game is saved and can be resumed."""

    def __init__(self, output: PlainOutput, saving: GameSaver) -> None:
        self.output = output
        self.saving = saving

    def __call__(self, event: Event) -> bool:
        if event.kind == "begin":
            self.output.note(f"saved as: {self.saving.name()}")
        return False


class ShortestSolution(SessionListener):
    """After a person has solved a puzzle, reports the length of the shortest solution.

    `thinking` is called during the search for it, with a message; if it returns true the search stops.
    """

    def __init__(self, thinking: Callable[[str], bool]) -> None:
        self.thinking = thinking

    def __call__(self, event: Event) -> bool:
        match = self.match
        if event.kind != "end" or not match.payoffs or match.position.players != 1:
            return False
        if match.players[0].spec != specs.HUMAN or match.payoffs[0] <= 0 or not match.turns:
            return False
        start = match.replica(0)
        engine = registry.default_engine(start)
        if engine.theorem != "a cheapest path":
            return False
        message = f"solved; looking for the fewest moves, up to {PUZZLE_SECONDS:.0f} s"
        limit = Limit(seconds=PUZZLE_SECONDS)
        report = engine(**puzzle_options(start)).search(start, limit, lambda report: self.thinking(message))
        cost = round(-report.value)
        match.note = f"the optimum is {cost:,}" if report.exact else f"the optimum is {cost:,} or more"
        return False


class DeadStonesNotice(SessionListener):
    """After a game with a human player, reports which stones seem dead."""

    def __init__(self, view: Screen | PlainOutput) -> None:
        self.view = view

    def __call__(self, event: Event) -> bool:
        match = self.match
        people = any(player.spec == specs.HUMAN for player in match.players)
        ended = event.kind == "end" and match.reason == "rules" and people
        if not ended or not isinstance(match.position, HasDeadStones):
            return False
        gone = match.call_game("dead_chains()", match.position.dead_chains)
        if gone:
            match.note = f"{dead_stones_text(match.position, gone)} (type dead if you agree)"
            if isinstance(self.view, Screen):
                self.view.territory = True
        return False


class TurnBell(SessionListener):
    """Rings the terminal's bell when a person's turn begins and when the game ends."""

    def __call__(self, event: Event) -> bool:
        match = self.match
        rings = event.kind == "end"
        if event.turn is not None and event.kind == "move" and not match.over() and match.turn >= 0:
            by_other = match.players[event.turn.player].spec != specs.HUMAN  # a person knows their own move
            rings = by_other and match.players[match.turn].spec == specs.HUMAN
        if rings:
            print("\a", end="", file=terminal(sys.stdout), flush=True)
        return False


class InterruptLeaves(SessionListener):
    """Without a human player: Ctrl-C during a search plays the best move so far and ends the game.

    A user who leaves by a key has left the match already.
    """

    def __call__(self, event: Event) -> bool:
        report = event.turn.report if event.turn is not None and event.kind == "move" else None
        if report is not None and report.stopped == "interrupted" and not self.match.reason:
            raise KeyboardInterrupt
        return False


class MatchScore(SessionListener):
    """Enters the result of each game, before the game is saved, and heads the view with the score.

    Games that are scored by a solver are solved on a thread while play continues. Only the end of the match
    waits for it, calling `thinking` with a message; a true result stops the solver.
    """

    def __init__(
        self, series: "Series", view: Callable[[], "MatchListener"], thinking: Callable[[str], bool]
    ) -> None:
        self.series = series
        self.view = view
        self.thinking = thinking

    def __call__(self, event: "Event") -> bool:
        match, series = self.match, self.series
        if event.kind == "report":
            return False
        if match.turn >= 0 or match.over():
            series.solve(match)
        if match.payoffs is not None and event.kind == "end":
            series.enter(match)
            series.wait(self.thinking)
        elif match.payoffs is None:
            series.withdraw()
        match.concealed = series.conceals and not series.over
        self.view().heading = series.line()
        return False


class ScoreNotice(SessionListener):
    """Without a display: prints the score after each game, and the table after the last one."""

    def __init__(self, series: "Series", output: PlainOutput) -> None:
        self.series = series
        self.output = output

    def __call__(self, event: "Event") -> bool:
        if event.kind == "end" and self.match.payoffs is not None:
            for line in [*(self.series.table() if self.series.over else []), *self.series.after()]:
                self.output.note(f"match: {line}")
        return False
