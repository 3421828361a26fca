"""The progress of a run: a bar with the score so far, from the first player's view."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gameplay.display.terminal.progress import Progress

if TYPE_CHECKING:
    from gameplay.runs.runner import Finished
    from gameplay.runs.schedule import Schedule
    from gameplay.runs.standing import Standing


class RunProgressBar(Progress):
    """A `runs.runner.Listener`. done: number of games finished before."""

    def __init__(self, schedule: "Schedule", done: int) -> None:
        self.schedule = schedule
        total = schedule.total
        super().__init__(total if total is not None else sum(pair.legs for pair in schedule.pairs({})), done)
        self.is_match = len(schedule.plan.players) == 2

    def games_stored(self, played: "Sequence[Finished]", standing: "Standing") -> None:
        """See `runs.runner.Listener`."""
        for _, result in played:
            if result.counts:
                self.advance(self._score(standing))
        if self.bar is not None and self.schedule.total is None:
            self.bar.update(self.task, total=sum(pair.legs for pair in standing.pairs))

    def _score(self, standing: "Standing") -> str:
        if not self.is_match:
            complete, places = len(standing.results), self.schedule.places
            return f"{complete} {'pairs' if places == 2 else f'groups of {places} games'} complete"
        lost, drawn, won = standing.tally.games
        text = f"+{won} ={drawn} -{lost}" if self.narrow else f"won {won}, drawn {drawn}, lost {lost}"
        verdict = standing.verdict
        if verdict is not None:
            text += f", {verdict.decision} accepted" if verdict.decision else f", {verdict.figures}"
        return text
