"""A tutor: warns before a mistake, explains the engine's last move, and evaluates alternatives.

All of it comes from the `Judge`, which searches all moves of a position equally; where its search reaches the
end of the game, its verdict is exact.
"""

from typing import TYPE_CHECKING

from gameplay import value as scale
from gameplay.errors import Usage
from gameplay.players.judge import Judge
from gameplay.players.player import MatchControl, Turn
from gameplay.players.verdict import VERDICTS, cost, verdict
from gameplay.plural import plural
from gameplay.position import CHANCE, AbstractPosition, side
from gameplay.search.report import Candidate, Report

if TYPE_CHECKING:
    from gameplay.registry import Game

SHOWN = 6  # moves of a line


class Tutor:
    """Warns of mistakes found by a judge. `warns`: a mistake is played only if it is typed twice."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.warns = False
        self.warned: tuple[list[str], int] = ([], -1)  # after these moves, of this one

    def warning(self, match: MatchControl, move: int) -> str:
        """The warning about a move; empty if it is good, was not searched, or was warned about before."""
        if not self.warns or match.over() or self.warned == (match.words(), move):
            return ""
        if move not in match.moves() or len(match.moves()) < 2:
            return ""
        report = self.judge.report(match)
        best, chosen = report.candidates[0], _of(report, move)
        position = match.position
        if chosen is None or (report.visits and not chosen.error and not chosen.proven):  # hardly looked at
            return ""
        lost = cost(position, best, chosen)
        called = verdict(lost, position.chance, position.mistake_thresholds)
        if called not in VERDICTS[1:]:
            return ""
        self.warned = (match.words(), move)
        chosen = self.judge.with_reply(match, chosen)
        values = f"{_figure(position, chosen)} instead of {_figure(position, best)}"
        line = match.spell(chosen.pv)[:SHOWN]
        refuted = f"; it is answered by {' '.join(line[1:])}" if len(line) > 1 else ""
        word = position.format(move)
        return f"{word} is a {called}: {values}{refuted}. Type it again to play it, or another move"

    def what_if(self, match: MatchControl, move: int) -> str:
        """The consequence of a move, beside the best one."""
        report = self.judge.report(match)
        best, chosen = report.candidates[0], _of(report, move)
        position = match.position
        if chosen is None:
            return "that move was not searched"
        chosen = self.judge.with_reply(match, chosen)
        text = (
            f"{position.format(move)}: {_worth(position, chosen, position.turn)} ({_search_extent(report)})"
        )
        if len(chosen.pv) > 1:
            text += f"; then {' '.join(match.spell(chosen.pv)[1:SHOWN])}"
        if chosen.move == best.move or best.value <= chosen.value:
            return f"{text}; no move is better"
        lost = cost(position, best, chosen)
        grade = verdict(lost, position.chance, position.mistake_thresholds)
        called = f", {'an' if grade[0] == 'i' else 'a'} {grade}" if grade else ""
        return f"{text}{called}; best is {position.format(best.move)} ({_figure(position, best)})"

    def why(self, match: MatchControl) -> str:
        """Why an engine made its last move: the expected line, the strongest reply, and the best alternative.

        Raises Usage if no engine has moved, or if the explanation would reveal hidden information.
        """
        at = self.last(match)
        if at is None:
            raise Usage("no engine has made a move yet")
        if match.secrets:
            raise Usage("the engine explains its moves in perfect-information games only")
        turn = match.turns[at]
        position = match.replica(at)
        sentences = [self._expected(match, at)]
        if position.turn != CHANCE and len(position.moves()) > 1:
            sentences.append(self._otherwise(match, at, turn.move))
        else:
            sentences.append(f"{turn.word} was the only move")
        return ". ".join(filter(None, sentences))

    def last(self, match: MatchControl) -> int | None:
        """The number of moves made before the last move of an engine."""
        engines = [seat for seat, player in enumerate(match.players) if player.spec != "human"]
        made = [at for at, turn in enumerate(match.turns) if turn.player in engines]
        return made[-1] if made else None

    def _expected(self, match: MatchControl, at: int) -> str:
        """What the engine expected when it made a move."""
        turn = match.turns[at]
        name, report = match.players[turn.player].name, turn.report
        if report is None or report.source == "random":
            return f"{name} played {turn.word} without a search"
        if report.known:
            return f"{name} knows {turn.word} from its {report.source}"
        words = match.spell(report.pv, at)[:SHOWN]
        position = match.replica(at)
        value = _worth(position, _move_played(turn), turn.player)
        text = f"{name} played {turn.word}: {value} ({_search_extent(report)})"
        if len(words) > 1:
            text += f". It expects {' '.join(words)}; the strongest reply is {words[1]}"
        return text

    def _otherwise(self, match: MatchControl, at: int, move: int) -> str:
        """The value and line of the best alternative."""
        report = self.judge.report(match, plies=at)
        position = match.replica(at)
        other = next((one for one in report.candidates if one.move != move), None)
        chosen = _of(report, move)
        if other is None or chosen is None:
            return ""
        other = self.judge.with_reply(match, other, at)
        line = match.spell(other.pv, at)[:SHOWN]
        then = f"; the strongest reply there is {line[1]}" if len(line) > 1 else ""
        if (
            verdict(cost(position, other, chosen), position.chance, position.mistake_thresholds)
            in VERDICTS[1:]
        ):
            better, worse = _figure(position, other), _figure(position, chosen)
            return f"A deeper search prefers {line[0]}: {better} instead of {worse}"
        alternative = f"{line[0]} gives {_figure(position, other)}{then}"
        made, figure = match.turns[at], _figure(position, chosen)
        if made.report is None or figure == _figure(position, _move_played(made)):
            return alternative
        extent = _search_extent(report)
        return f"With all moves searched equally ({extent}), {made.word} gives {figure}; {alternative}"


def check(game: "Game") -> None:
    """Raises Usage for a game in which no tutor can warn."""
    position = game.new()
    if position.players != 2 or not position.zero_sum or position.hidden:
        raise Usage(f"the tutor needs a two-player game of perfect information, which {game.name} is not")


def _move_played(turn: Turn) -> Candidate:
    """A move and its value as reported by the engine."""
    assert turn.report is not None
    return Candidate(turn.move, turn.report.value, turn.report.bound, proven=turn.report.exact)


def _of(report: Report, move: int) -> Candidate | None:
    return next((one for one in report.candidates if one.move == move and one.bound != "unknown"), None)


def _figure(position: AbstractPosition, one: Candidate) -> str:
    """The value of a move for the player who makes it."""
    return scale.format_score(one.value, position, one.proven, one.bound)


def _worth(position: AbstractPosition, one: Candidate, mover: int) -> str:
    """The same in full, from the mover's view."""
    if position.players != 2:
        return _figure(position, one)
    sides = [side(position, seat) for seat in range(2)]
    return scale.format_for_side(one.value, position, sides, mover, mover, one.proven, one.bound)


def _search_extent(report: Report) -> str:
    if report.visits:
        return report.simulated()
    plies = plural(report.depth, "ply", "plies")
    return "searched to the end" if report.exact else f"{plies} deep"
