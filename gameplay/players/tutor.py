"""A tutor: warns before a mistake, explains the engine's last move, and evaluates alternatives.

Its values are those of the `Judge`, which searches all moves of a position equally; they are exact where its
search reaches the end of the game.
"""

from typing import TYPE_CHECKING

from gameplay import value as scale
from gameplay.errors import Usage
from gameplay.players.judge import Judge
from gameplay.players.player import MatchControl, Turn
from gameplay.players.verdict import VERDICTS, cost, verdict
from gameplay.plural import plural
from gameplay.position import CHANCE, AbstractPosition, side_names
from gameplay.search.report import Candidate, Report

if TYPE_CHECKING:
    from gameplay.registry import Game

SHOWN = 6  # moves of a line


class Tutor:
    """Warns of mistakes found by a judge. `warns`: a mistake must be typed twice to be played."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.warns = False
        self.warned: tuple[list[str], int] = ([], -1)  # previous moves, and the move that was warned about

    def warning(self, match: MatchControl, move: int) -> str:
        """The warning about a move; empty if it is good, was not searched, or was warned about before."""
        if not self.warns or match.over() or self.warned == (match.words(), move):
            return ""
        if move not in match.moves() or len(match.moves()) < 2:
            return ""
        report = self.judge.report(match)
        best, chosen = report.candidates[0], _candidate(report, move)
        position = match.position
        if chosen is None or (report.visits and not chosen.error and not chosen.proven):  # too few visits
            return ""
        loss = cost(position, best, chosen)
        grade = verdict(loss, position.chance, position.mistake_thresholds)
        if grade not in VERDICTS[1:]:
            return ""
        self.warned = (match.words(), move)
        chosen = self.judge.with_reply(match, chosen)
        values = f"{_format_value(position, chosen)} instead of {_format_value(position, best)}"
        line = match.spell(chosen.pv)[:SHOWN]
        refutation = f"; it is answered by {' '.join(line[1:])}" if len(line) > 1 else ""
        word = position.format(move)
        return f"{word} is a {grade}: {values}{refutation}. Type it again to play it, or another move"

    def what_if(self, match: MatchControl, move: int) -> str:
        """The value and line of a move, compared with the best one."""
        report = self.judge.report(match)
        best, chosen = report.candidates[0], _candidate(report, move)
        position = match.position
        if chosen is None:
            return "that move was not searched"
        chosen = self.judge.with_reply(match, chosen)
        value = _format_full_value(position, chosen, position.turn)
        text = f"{position.format(move)}: {value} ({_search_extent(report)})"
        if len(chosen.pv) > 1:
            text += f"; then {' '.join(match.spell(chosen.pv)[1:SHOWN])}"
        if chosen.move == best.move or best.value <= chosen.value:
            return f"{text}; no move is better"
        loss = cost(position, best, chosen)
        grade = verdict(loss, position.chance, position.mistake_thresholds)
        grade_text = f", {'an' if grade[0] == 'i' else 'a'} {grade}" if grade else ""
        return f"{text}{grade_text}; best is {position.format(best.move)} ({_format_value(position, best)})"

    def why(self, match: MatchControl) -> str:
        """Why an engine made its last move: the expected line, the strongest reply, and the best alternative.

        Raises Usage if no engine has moved, or if the explanation would reveal hidden information.
        """
        ply = self.last(match)
        if ply is None:
            raise Usage("no engine has made a move yet")
        if match.secrets:
            raise Usage("the engine explains its moves in perfect-information games only")
        turn = match.turns[ply]
        position = match.replica(ply)
        sentences = [self._expected_line(match, ply)]
        if position.turn != CHANCE and len(position.moves()) > 1:
            sentences.append(self._best_alternative(match, ply, turn.move))
        else:
            sentences.append(f"{turn.word} was the only move")
        return ". ".join(filter(None, sentences))

    def last(self, match: MatchControl) -> int | None:
        """The number of moves made before the last move of an engine."""
        engines = [seat for seat, player in enumerate(match.players) if player.spec != "human"]
        engine_plies = [ply for ply, turn in enumerate(match.turns) if turn.player in engines]
        return engine_plies[-1] if engine_plies else None

    def _expected_line(self, match: MatchControl, ply: int) -> str:
        """The value and line that the engine expected when it made a move."""
        turn = match.turns[ply]
        name, report = match.players[turn.player].name, turn.report
        if report is None or report.source == "random":
            return f"{name} played {turn.word} without a search"
        if report.known:
            return f"{name} knows {turn.word} from its {report.source}"
        words = match.spell(report.pv, ply)[:SHOWN]
        position = match.replica(ply)
        value = _format_full_value(position, _move_played(turn), turn.player)
        text = f"{name} played {turn.word}: {value} ({_search_extent(report)})"
        if len(words) > 1:
            text += f". It expects {' '.join(words)}; the strongest reply is {words[1]}"
        return text

    def _best_alternative(self, match: MatchControl, ply: int, move: int) -> str:
        """The value and line of the best alternative."""
        report = self.judge.report(match, plies=ply)
        position = match.replica(ply)
        alternative = next((candidate for candidate in report.candidates if candidate.move != move), None)
        chosen = _candidate(report, move)
        if alternative is None or chosen is None:
            return ""
        alternative = self.judge.with_reply(match, alternative, ply)
        line = match.spell(alternative.pv, ply)[:SHOWN]
        reply = f"; the strongest reply there is {line[1]}" if len(line) > 1 else ""
        if (
            verdict(cost(position, alternative, chosen), position.chance, position.mistake_thresholds)
            in VERDICTS[1:]
        ):
            better, worse = _format_value(position, alternative), _format_value(position, chosen)
            return f"A deeper search prefers {line[0]}: {better} instead of {worse}"
        text = f"{line[0]} gives {_format_value(position, alternative)}{reply}"
        turn, figure = match.turns[ply], _format_value(position, chosen)
        if turn.report is None or figure == _format_value(position, _move_played(turn)):
            return text
        extent = _search_extent(report)
        return f"With all moves searched equally ({extent}), {turn.word} gives {figure}; {text}"


def check(game: "Game") -> None:
    """Raises Usage for a game in which no tutor can warn."""
    position = game.new()
    if position.players != 2 or not position.zero_sum or position.hidden:
        raise Usage(f"the tutor needs a two-player game of perfect information, which {game.name} is not")


def _move_played(turn: Turn) -> Candidate:
    """A move and its value as reported by the engine."""
    assert turn.report is not None
    return Candidate(turn.move, turn.report.value, turn.report.bound, proven=turn.report.exact)


def _candidate(report: Report, move: int) -> Candidate | None:
    """The candidate of a move; None if the move was not searched."""
    candidates = (
        candidate
        for candidate in report.candidates
        if candidate.move == move and candidate.bound != "unknown"
    )
    return next(candidates, None)


def _format_value(position: AbstractPosition, candidate: Candidate) -> str:
    """The value of a move for the player who makes it."""
    return scale.format_score(candidate.value, position, candidate.proven, candidate.bound)


def _format_full_value(position: AbstractPosition, candidate: Candidate, mover: int) -> str:
    """The value in full, from the mover's point of view."""
    if position.players != 2:
        return _format_value(position, candidate)
    sides = side_names(position)
    return scale.format_for_side(
        candidate.value, position, sides, mover, mover, candidate.proven, candidate.bound
    )


def _search_extent(report: Report) -> str:
    if report.visits:
        return report.simulated()
    plies = plural(report.depth, "ply", "plies")
    return "searched to the end" if report.exact else f"{plies} deep"
