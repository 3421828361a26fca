"""The commands that search the position: hint, eval, why, solve."""

from gameplay import value as scale
from gameplay.capabilities import HasBidding, HasPatternDatabases
from gameplay.errors import GameplayError, IllegalMove, Usage
from gameplay.players.commands import PLAYING, Answer, Command, is_over
from gameplay.players.judge import Judge
from gameplay.players.pieces import PieceInput
from gameplay.players.player import MatchControl
from gameplay.players.tutor import Tutor
from gameplay.plural import plural
from gameplay.search.report import Candidate, Report

DOUBLES = ("x", "xx", "dbl", "rdbl", "double", "redouble")  # calls, not terms of the glossary
MAX_PATH = 12  # moves of a path to the goal shown in a hint


class AdviceCommands:
    """Answers questions about the position by searches; `pieces` parses the moves in them."""

    def __init__(self, pieces: PieceInput, judge: Judge | None = None) -> None:
        self.pieces = pieces
        self.judge = judge or Judge()
        self.tutor = Tutor(self.judge)
        self.commands = (
            Command("hint", "", "a hint; again: a stronger one", self._hint),
            Command("eval", "", "the value of the position", self._eval),
            Command("why", "[MOVE]", "explain MOVE, or the last move", self._why, multiplayer=True),
            Command("solve", "", "a shortest solution", self._solve, PLAYING, False),
        )
        self.forget()

    def forget(self) -> None:
        """Reset hints and warnings for another match."""
        self.last_request: tuple[int, str] = (-1, "")
        self.rung = 0
        self.tutor.warned = ([], -1)

    def _hint(self, match: MatchControl, _: str) -> Answer:
        if is_over(match):
            return Answer("the game is over, so there is no move to advise; undo takes back a move")
        request = (len(match.turns), " ".join(match.words()))
        self.rung = self.rung % 3 + 1 if self.last_request == request else 1
        self.last_request = request
        return Answer(self.hint(match, self.rung, again=True))

    def hint(self, match: MatchControl, rung: int, again: bool = False) -> str:
        """A general hint (rung 1), the best moves with their values (2), or the best line (3).

        `again`: append a description of the next rung.
        """
        report = self.judge.report(match, deeper=rung > 1)
        if report.thresholds:
            return self._path_hint(match, report, rung, again)
        if report.source in ("system", "rules") and report.move is not None:
            source = "system" if report.source == "system" else "rules of play"
            return f"{match.position.format(report.move)} by the {source}: {report.facts}"
        if rung == 1:
            return self._general_hint(match, report) + _next_hint("the moves with their values", again)
        if rung == 2:
            max_value = max(abs(candidate.value) for candidate in report.candidates)
            best_move, *others = report.candidates[:8]
            if best_move.bound == "expectation":  # listed by number of simulations
                others.sort(key=lambda candidate: candidate.value, reverse=True)
            words = [match.position.format(candidate.move) for candidate in (best_move, *others)]
            width = max(6, *map(len, words))
            lines = [
                f"{word:<{width}} {self._figure(match, candidate, max_value)}"
                for word, candidate in zip(words, (best_move, *others), strict=True)
            ]
            unit = scale.unit_name(match.position, report.bound, max_value)
            side, extent = match.side(self._view(match)), _search_extent(report)
            head = f"the best moves first, in {unit} for {side}, {extent}"
            return "\n".join([head + _next_hint("the best line", again), *lines])
        value = self._full_value(match, report)
        line = f"best line: {' '.join(match.spell(report.pv))} ({value}, {_search_extent(report)})"
        return f"{line}; {report.facts}" if ": " in report.facts else line

    def _path_hint(self, match: MatchControl, report: Report, rung: int, again: bool) -> str:
        """The hint for a puzzle: the distance to the goal, then the next move, then the next few."""
        text = _goal_distance(report, match)
        if not report.pv:
            return text
        if rung == 1:
            return text + _next_hint("the next move", again)
        words = match.spell(report.pv)
        if rung == 2:
            return f"{words[0]}; {text}"
        return f"{' '.join(words[:MAX_PATH])}; {text}" + (" (solve: all)" if again else "")

    def warning(self, match: MatchControl, move: int) -> str:
        """The tutor's warning about a move; empty if there is none, or no engine can judge the game."""
        try:
            return self.tutor.warning(match, move)
        except GameplayError:
            return ""

    def _why(self, match: MatchControl, argument: str) -> Answer:
        word = argument.removeprefix("if").strip() if argument.split()[:1] == ["if"] else argument
        if argument and not word:
            example = match.position.format(match.moves()[0]) if not match.over() else "MOVE"
            raise Usage(f"which move? for example: what if {example}")
        move = self.pieces.move_of(word, match) if word else None
        if text := self._call_meaning(match, move):
            return Answer(text)
        return Answer(self.tutor.why(match) if move is None else self.tutor.what_if(match, move))

    def _call_meaning(self, match: MatchControl, move: int | None) -> str:
        """The meaning of a call, by default the last, in the bidding system; empty if there is none."""
        position = match.position
        if not isinstance(position, HasBidding):
            return ""
        if move is None:
            return "; ".join(match.call_game("news()", match.position.news))
        return self.meaning_of(match, move)

    def meaning_of(self, match: MatchControl, move: int) -> str:
        """A call with its meaning in the bidding system; empty if it has none."""
        position = match.position
        text = (
            match.call_game("meaning()", position.meaning, move) if isinstance(position, HasBidding) else ""
        )
        return f"{position.format(move)}: {text}" if text else ""

    def call(self, match: MatchControl, word: str) -> str:
        """The meaning of a call, or why it is illegal; empty if `word` is not a call."""
        position = match.position
        if match.over() or not isinstance(position, HasBidding) or not position.calling:
            return ""
        try:
            move = self.pieces.move_of(word, match)
        except IllegalMove as error:
            return str(error) if word[:1].isdigit() or word.lower() in DOUBLES else ""
        no_meaning = f"{position.format(move)}: the bidding system gives it no meaning here"
        return self.meaning_of(match, move) or no_meaning

    def _solve(self, match: MatchControl, _: str) -> Answer:
        report = self.judge.report(match)
        text = _goal_distance(report, match)
        if not report.pv:
            return Answer(text)
        return Answer(f"{text}: {' '.join(match.spell(report.pv))}")

    def _view(self, match: MatchControl) -> int:
        """The player from whose point of view values are shown; the mover if several people play."""
        specs = [player.spec for player in match.players]
        if match.position.players != 2 or specs.count("human") > 1:
            return int(match.position.turn)
        return scale.viewing_seat(specs)

    def _figure(self, match: MatchControl, candidate: Candidate, max_value: float) -> str:
        if self._view(match) == match.position.turn:
            return scale.format_score(
                candidate.value, match.position, candidate.proven, candidate.bound, max_value
            )
        turned = scale.NEGATED.get(candidate.bound, candidate.bound)
        return scale.format_score(-candidate.value, match.position, candidate.proven, turned, max_value)

    def _full_value(self, match: MatchControl, report: Report) -> str:
        """The value of a search in full."""
        position = match.position
        if position.players != 2:
            text = scale.format_score(report.value, position, report.exact, report.bound)
            return (
                f"{match.side(position.turn)} {text} {scale.unit_name(position, report.bound, report.value)}"
            )
        sides = [match.side(seat) for seat in range(2)]
        view = self._view(match)
        return scale.format_for_side(
            report.value, position, sides, position.turn, view, report.exact, report.bound
        )

    def _general_hint(self, match: MatchControl, report: Report) -> str:
        candidates = report.candidates
        if len(candidates) == 1 and len(match.moves()) == 1:
            return f"there is only one move, {match.position.format(candidates[0].move)}"
        if candidates[0].bound == "expectation":
            text = self._full_value(match, report)
            board = match.position.board()
            location = (
                f"; look {_describe_region(match, candidates[0].move)}"
                if board is not None and board.cells
                else ""
            )
            suffix = "" if scale.is_share(match.position, report.bound, report.value) else ", on average"
            return f"with the best move: {text}{suffix}{location}"
        values = [candidate.value for candidate in candidates]
        best = values[0]
        best_count = sum(value == best for value in values)
        if best == scale.WIN - 1:
            return "you can win at once"
        if scale.is_win(best) and best > 0:
            count = f", in {scale.plies(best)} plies" if scale.is_counted(best) else ""
            return f"there is a forced win{count}; look for forcing moves"
        if scale.is_win(best):
            return "all moves lose against best play; play the longest defence"
        losing = sum(scale.is_win(value) and value < 0 for value in values)
        if losing:
            return f"careful: {losing} of {len(values)} moves lose{'' if losing > 1 else 's'} by force"
        if best_count == len(values):
            return "all moves are equally good"
        if candidates[0].proven:
            return f"{best_count} of {len(values)} moves {'keeps' if best_count == 1 else 'keep'} the value"
        return f"no forced win or loss is in sight; look {_describe_region(match, candidates[0].move)}"

    def _eval(self, match: MatchControl, _: str) -> Answer:
        if is_over(match):
            return Answer("the game is over: the result is its value; undo takes back a move")
        report = self.judge.report(match)
        position = match.position
        if report.thresholds:
            text = scale.format_goal_distance(report.value, position, report.bound)
            estimate = match.call_game("estimate()", position.estimate)
            return Answer(f"{text}; estimate: {estimate}")
        if report.values:
            values = enumerate(report.values)
            unit = position.unit
            text = ", ".join(
                f"{match.side(player)} {scale.format_amount(value, unit)}" for player, value in values
            )
            return Answer(f"{text} ({_search_extent(report)})")
        if report.bound == "unknown":
            return Answer("this game has no search, so there is no evaluation")
        guess = Report(value=match.call_game("evaluate()", position.evaluate))
        static = self._full_value(match, guess)
        return Answer(
            f"{self._full_value(match, report)} ({_search_extent(report)}); static evaluation: {static}"
        )


def _next_hint(what: str, again: bool) -> str:
    """A description of the next hint, if `again`."""
    return f" (hint again: {what})" if again else ""


def _search_extent(report: Report) -> str:
    """The depth of a search, in words."""
    if report.visits:
        return f"from {report.simulated()}"
    plies = plural(report.depth, "ply", "plies")
    return "searched to the end" if report.exact else f"searched {plies} deep"


def _goal_distance(report: Report, match: MatchControl) -> str:
    """The distance to the goal of a puzzle, with the pattern database that determined it, if any."""
    text = scale.format_goal_distance(report.value, match.position, report.bound)
    _, _, heuristic = report.engine.partition("heuristic=")
    if heuristic:
        text += f", by the pattern database ({heuristic})"
    if report.pv:
        return text
    text += f"; no solution was found in {report.seconds:.0f} s"
    if not heuristic and isinstance(match.position, HasPatternDatabases):
        text += f", a pattern database would help: gameplay patterns {match.game.spec}"
    return text


def _describe_region(match: MatchControl, move: int) -> str:
    """The approximate location of a move on the board."""
    board = match.board()
    cell = next((cell for cell, moves in board.moves.items() if move in moves), None) if board else None
    if board is None or cell is None or cell[0] >= len(board.cells):
        return "for moves that leave the other few good answers"
    if board.paths and board.cells[cell[0]][cell[1]]:
        return f"at what the piece on {board.cell_name(cell)} can do"
    if cell in board.names:
        return f"at {board.names[cell]}"
    if board.paths or "" in board.columns:  # a placement, or two boards
        return f"at {board.cell_name(cell)}"
    third = 3 * cell[1] // len(board.columns)
    return ("on the left", "in the middle", "on the right")[third]
