"""What a person may type: a move, or a command such as `hint` or `undo`, during a game and after it."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gameplay import value as scale
from gameplay.capabilities import HasBidding, HasClaims, HasDeadStones, HasPatternDatabases
from gameplay.errors import GameplayError, IllegalMove, Usage, nearest
from gameplay.players.judge import Judge
from gameplay.players.player import Choice, MatchControl
from gameplay.players.tutor import Tutor
from gameplay.plural import plural
from gameplay.search.report import Candidate, Report
from gameplay.spans import some

PLAYING, OVER = "playing", "over"  # when a command makes sense, if not always

ENOUGH = 24  # completions shown while the user types
FEW = 12  # moves listed in the invitation

SHORT = {
    "h": "help",
    "?": "help",
    "u": "undo",
    "q": "quit",
    "exit": "quit",
    "what": "why",
    "whatif": "why",
    "analyze": "analyse",
}  # other names of commands
BESIDE = {"redo": "undo", "load": "save", "resign": "draw"}  # shown on another command's help line
EARLY = {  # how `undo` calls what ended a match before the rules did, by `Match.reason`
    "resigned": "the resignation",
    "time": "the loss on time",
    "agreed": "the draw",
    "claimed": "the claim of a draw",
}
PROMOTION = re.compile(r"=([A-Z])\W*$")  # the promotion piece in the name of a move


@dataclass(frozen=True)
class Answer:
    """What came of it: text for the human, a move, or `done` if the match is no longer as it was."""

    text: str = ""
    choice: Choice | None = None
    done: bool = False


@dataclass(frozen=True)
class Command:
    """Its name, what may follow it, what it does with a match and that, and when it makes sense."""

    name: str
    argument: str
    help: str
    act: Callable[[MatchControl, str], Answer]
    when: str = ""  # PLAYING, OVER, or always
    company: bool | None = None  # true: only where others play, false: only for one alone; None: always
    needs: Any = object  # the capability of a game without which it is not offered


class Interpreter:
    """Reads what a person types. `more` are commands that reach beyond the match: files, engines."""

    way_out = ""  # what Escape means where there is nothing to let go, and Ctrl-C at once; "": neither

    def __init__(self, more: tuple[Command, ...] = ()) -> None:
        own = (
            Command("help", "[WORD]", "this list; explain WORD; words: all", self._help),
            Command("moves", "", "the legal moves", self._moves),
            Command("hint", "", "a nudge; again: more", self._hint),
            Command("eval", "", "how the game stands", self._eval),
            Command("why", "[MOVE]", "explain MOVE, or the last", self._why, company=True),
            Command("solve", "", "a cheapest way to the goal", self._solve, PLAYING, False),
            Command("undo", "[N]", "take back a move, or N", self._undo),
            Command("redo", "[N]", "make it again", self._redo, PLAYING),
            Command("restart", "", "begin anew", self._restart, PLAYING),
        )
        last = (
            Command("show", "", "the position as text", self._show),
            Command(
                "dead",
                "[POINT ...]",
                "take off dead stones; POINT: not as it seems",
                self._dead,
                OVER,
                needs=HasDeadStones,
            ),
            Command("draw", "", "offer a draw, or claim one", self._draw, PLAYING, True),
            Command("resign", "", "give up", self._resign, PLAYING, True),
            Command("quit", "", "leave; it stays saved", self._quit),
        )
        self.table = {command.name: command for command in (*own, *more, *last)}
        self.judge = Judge()
        self.tutor = Tutor(self.judge)
        self.forget()

    def forget(self) -> None:
        """Drop what was asked, offered, warned of and selected: another match begins."""
        self.asked: tuple[int, str] = (-1, "")
        self.rung = 0
        self.offer: list[str] | None = None  # the moves after which a draw was offered to a person
        self.pieces: tuple[list[str], dict[str, int]] = ([], {})  # after these moves, see `which`
        self.begun: tuple[list[str], list[tuple[str, str]]] = ([], [])  # ... steps entered so far
        self.picked: tuple[list[str], str] = ([], "")  # after these moves, the square of the piece to move
        self.tutor.warned = ([], -1)

    # -- a piece, and where it goes ------------------------------------------------------------

    def steps(self, match: MatchControl) -> list[tuple[str, str]]:
        """The steps of a move that were entered so far, by the names of their cells."""
        moves, steps = self.begun
        return steps if steps and moves == match.words() else []

    def set_steps(self, steps: list[tuple[str, str]], match: MatchControl) -> None:
        """Set the steps entered so far."""
        self.begun = (match.words(), steps)
        self.select("", match)

    def selected(self, match: MatchControl) -> str:
        """The square of the piece that was selected to move, or an empty string."""
        moves, square = self.picked
        return square if square and moves == match.words() else ""

    def select(self, square: str, match: MatchControl) -> None:
        """Select the piece on a square; an empty string selects none. No question is open any more."""
        self.picked = (match.words(), square)
        self.pieces = ([], {})

    def which(self, match: MatchControl) -> dict[str, int]:
        """The open question which piece a pawn becomes: letters, and the moves that they stand for."""
        moves, letters = self.pieces
        return letters if letters and moves == match.words() else {}

    def ask(self, moves: Sequence[int], match: MatchControl) -> bool:
        """Ask which of these moves is meant, where they differ in what a pawn becomes; false where not."""
        letters: dict[str, int] = {}
        for move in moves:
            found = PROMOTION.search(match.ask("format()", match.position.format, move))
            if found:
                letters[found[1].lower()] = move
        if len(moves) < 2 or len(letters) < len(moves):
            return False
        order = "qrbn"
        self.pieces = (match.words(), dict(sorted(letters.items(), key=lambda one: order.find(one[0]))))
        return True

    def _question(self, match: MatchControl) -> str:
        words = [
            f"{letter}: {match.ask('format()', match.position.format, move)}"
            for letter, move in self.which(match).items()
        ]
        return f"which piece? {'  '.join(words)}"

    def _promotions(self, text: str, match: MatchControl) -> tuple[int, ...]:
        """The moves that `text` names without the promotion piece: `a8`, `axb8`, `a7a8`, `a7 a8`."""
        found = self._travel(text, match)
        square = self.square(text, match)
        if not found and square:
            found = self.targets(square, match).get(text.lower()[len(square) :].lstrip("- "), ())
        if not found and not match.over():
            words = {move: match.ask("format()", match.position.format, move) for move in some(match.moves())}
            found = tuple(
                move for move, word in words.items() if PROMOTION.sub("", word).lower() == text.lower()
            )
        return found

    def square(self, text: str, match: MatchControl) -> str:
        """The square that `text` begins with, if a piece there can move; else an empty string."""
        board = self._pieces(match)
        start = text.strip().lower()
        if board is None or not start:
            return ""
        squares = [board.called(cell) for cell in board.moves]
        return max((name for name in squares if start.startswith(name)), key=len, default="")

    def targets(self, square: str, match: MatchControl) -> dict[str, tuple[int, ...]]:
        """Where the piece on a square can go: the squares, and the moves that lead there."""
        board = self._pieces(match)
        cell = board.find(square) if board is not None and square else None
        if board is None or cell is None:
            return {}
        found = {board.called(end): moves for end, moves in board.targets(cell).items()}
        return dict(sorted(found.items(), key=lambda item: _natural(item[0])))

    def ways(self, square: str, match: MatchControl) -> str:
        """What can be done with the piece on a square, in a line."""
        moves = [move for found in self.targets(square, match).values() for move in found]
        words = [match.ask("format()", match.position.format, move) for move in moves]
        return f"{square} can go to {' '.join(self.targets(square, match))} ({' '.join(words)})"

    def _still(self, text: str, match: MatchControl) -> str:
        """Why nothing can go from a square; an empty string if `text` is none."""
        board = self._pieces(match)
        cell = board.find(text) if board is not None else None
        if board is None or cell is None:
            return ""
        piece, name = board.cells[cell[0]][cell[1]], board.called(cell)
        if not piece:
            return f"there is no piece on {name}"
        if board.owners.get(piece) != match.position.turn:
            return f"the piece on {name} is not yours"
        return f"the piece on {name} cannot move now; these can: {self._movers(match)}"

    def _movers(self, match: MatchControl) -> str:
        """The squares of the pieces that can move, in a line."""
        board = self._pieces(match)
        return " ".join(sorted(map(board.called, board.moves), key=_natural)) if board is not None else ""

    def _pieces(self, match: MatchControl) -> Any:
        """The board, where pieces travel on it and the game goes on; else None."""
        board = match.board() if not match.over() else None
        if board is None or not board.paths:
            return None
        named = [(board.find(start), board.find(end)) for start, end in self.steps(match)]
        return board.after([(one, other) for one, other in named if one is not None and other is not None])

    def _travel(self, text: str, match: MatchControl) -> tuple[int, ...]:
        """The moves meant by a square for the selected piece, or by two squares."""
        start, end = self._squares(text, match)
        return self.targets(start, match).get(end, ())

    def _squares(self, text: str, match: MatchControl) -> tuple[str, str]:
        """The two squares of `text`; of one square, that of the selected piece and this; else none."""
        parts = re.split(r"[\s-]+", text.strip().lower())
        if len(parts) == 1:
            parts = [self.selected(match), *parts]
        return (parts[0], parts[1]) if len(parts) == 2 else ("", "")

    def step(self, text: str, match: MatchControl) -> tuple[str, str] | None:
        """The step that `text` means of a move of several, where it can become more than one move."""
        board = self._pieces(match)
        several = board is not None and bool(board.steps) and len(self._travel(text, match)) > 1
        return self._squares(text, match) if several else None

    def continues(self, text: str, match: MatchControl) -> bool:
        """True if `text` ends a move, or a step of one, that the selected piece begins."""
        start, end = self._squares(text, match)
        return start == self.selected(match) != "" and end in self.targets(start, match)

    def _move(self, text: str, match: MatchControl) -> int:
        """The move that `text` names. Raises IllegalMove."""
        if match.over():
            raise IllegalMove("the game is over; undo takes back a move")
        moves = self._travel(text, match)
        if len(moves) == 1:
            return moves[0]
        if moves:
            words = " ".join(match.ask("format()", match.position.format, move) for move in moves)
            raise IllegalMove(f"there are several ways to go there: {words}")
        return int(match.ask("parse()", match.position.parse, text))

    # -- understanding -------------------------------------------------------------------------

    def obey(self, line: str, match: MatchControl) -> Answer:
        """Execute `line`. Errors are reported in the answer; no GameplayError or OSError is raised."""
        text = line.strip()
        if not text:
            return Answer(self.invitation(match))
        if self.offered(match) and text.lower() in ("y", "yes", "n", "no"):
            self.offer = None
            if text.lower() in ("n", "no"):
                return Answer("the draw is declined")
            match.draw()
            return Answer(done=True)
        if text.lower() in self.which(match):
            return Answer(choice=Choice(self.which(match)[text.lower()]))
        try:
            choice = Choice(self._move(text, match))
            if warning := self._warned(match, choice.move):
                return Answer(warning)
            self.offer = None  # to move on is to decline
            return Answer(choice=choice)
        except IllegalMove as error:
            wrong = str(error)
        if self.ask(self._promotions(text, match), match):
            return Answer(self._question(match))
        if step := self.step(text, match):
            self.set_steps([*self.steps(match), step], match)
            return Answer(self.invitation(match))
        name, _, argument = text.lstrip(":/").partition(" ")
        command = self._command(name, match)
        if command is None:
            square = self.square(text, match)
            if square == text.lower():
                self.select(square, match)
                return Answer(self.ways(square, match))
            if self._travel(text, match):
                return Answer(wrong)  # it says what to type: no guess beside it
            if why := self._still(text, match):
                return Answer(why)
            return Answer(self._mend(wrong, name, match))
        if not _fits(command, match):
            return Answer(f"'{command.name}' is not for {match.game.name}")
        if command.company is (match.position.players == 1):
            who = "for games against others" if command.company else "for puzzles"
            return Answer(f"'{command.name}' is {who}")
        if command.when == PLAYING and match.over():
            return Answer(
                f"the game is over, and '{command.name}' is for one that goes on; undo takes back a move"
            )
        if command.when == OVER and not match.over():
            return Answer(f"'{command.name}' is for a game that is over")
        if argument.strip() and not command.argument:
            return Answer(f"'{command.name}' stands alone; type just {command.name}")
        if not argument.strip() and command.argument and not command.argument.startswith("["):
            return Answer(f"{command.name} what? type {command.name} {command.argument}")
        try:
            return command.act(match, argument.strip())
        except GameplayError as error:
            return Answer(str(error))
        except OSError as error:
            return Answer(f"{argument.strip()}: {error.strerror or error}")

    def takes(self, line: str, match: MatchControl) -> float:
        """Seconds that it may take to obey `line`; 0: none to speak of."""
        if self.move(line, match):
            return self.judge.takes(match) if self.tutor.warns else 0.0
        word, _, argument = line.strip().lstrip(":/").partition(" ")
        command = self._command(word, match)
        name = command.name if command is not None else ""
        if name == "why" and not argument:
            return self.judge.takes(match, self.tutor.last(match))
        searches = name in ("hint", "eval", "solve", "why") and not _ended(match)
        return self.judge.takes(match) if searches else 0.0

    def move(self, line: str, match: MatchControl) -> str:
        """The move that `line` means, in the game's own words; an empty string if it is none."""
        try:
            return str(match.ask("format()", match.position.format, self._move(line.strip(), match)))
        except IllegalMove:
            return ""

    def meaning(self, line: str, match: MatchControl) -> tuple[bool, str]:
        """While it is typed: whether `line` makes sense so far as it goes, and what it would do."""
        text = line.strip()
        if not text:
            return True, ""
        if self.offered(match) and text.lower() in ("y", "yes", "n", "no"):
            return True, "Enter agrees to a draw" if text.lower()[0] == "y" else "Enter declines the draw"
        name, _, _rest = text.lstrip(":/").partition(" ")
        command = self._command(name, match)
        try:
            move = self.which(match).get(text.lower())
            move = self._move(text, match) if move is None else move
            return True, f"Enter plays {match.ask('format()', match.position.format, move)}"
        except IllegalMove as error:
            if command is not None:
                return True, self._described(command, match)
            promotions = self._promotions(text, match)
            if len(promotions) > 1:
                words = [match.ask("format()", match.position.format, one) for one in promotions]
                return True, f"Enter asks which one: {' '.join(words)}"
            if step := self.step(text, match):
                return True, f"Enter moves from {step[0]} to {step[1]}, the first part of a move"
            if text.lower() == self.square(text, match):
                return True, self.ways(text.lower(), match)
            if found := self.completions(text, match):
                return True, "  ".join(found[:ENOUGH])
            return False, self._mend(str(error), name, match)

    def completions(self, prefix: str, match: MatchControl) -> list[str]:
        """The legal moves and the commands that begin with `prefix`; squares for the selected piece first."""
        start = prefix.strip().lower()
        square = self.square(start, match)
        ways = [
            *self.targets(self.selected(match), match),
            *(square + end for end in self.targets(square, match)),
        ]
        more = (*self.known(match), *self._offers(match))
        known = dict.fromkeys((*self.which(match), *ways, *self._formats(match), *more))
        return [word for word in known if word.lower().startswith(start)]

    def known(self, match: MatchControl) -> dict[str, Command]:
        """The commands that make sense now, by name."""
        other = PLAYING if match.over() else OVER
        alone = match.position.players == 1
        return {
            name: command
            for name, command in self.table.items()
            if command.when != other and command.company is not alone and _fits(command, match)
        }

    def invitation(self, match: MatchControl) -> str:
        """What can be typed now, in a line."""
        if self.offered(match):
            return "a draw is offered: type yes or no"
        if match.over():
            after = [name for name, command in self.known(match).items() if command.when == OVER]
            more = ["replay"] if "replay" in self.table else []
            return f"the game is over; type {', '.join([*after, 'undo', *more, 'quit'])} or help"
        if self.which(match):
            return self._question(match)
        if square := self.selected(match):
            return f"{self.ways(square, match)}; type where, or another move"
        if steps := self.steps(match):
            begun = ", ".join(f"{start} to {end}" for start, end in steps)
            return f"{begun}; type the next start from {self._movers(match)}, or another move"
        if match.position.examples:
            return f"type a move ({match.position.examples}) or help"
        words = self._formats(match)
        last = len(words) - 1
        if last > 3 * FEW:  # so many that the first few are all alike, such as A1 A2 A3 on a board of Go
            words = [words[number * last // (FEW - 1)] for number in range(FEW)]
        listed = " ".join(words[:FEW]) + (" ..." if last >= FEW else "")
        return f"type a move ({listed}) or help"

    def _mend(self, wrong: str, typed: str, match: MatchControl) -> str:
        """What was wrong, and the command that a word was meant for; else what the game said.

        No move is guessed: those that look alike are as often blunders.
        """
        near = nearest(typed, self.known(match)) if typed.isalpha() else ""
        return f"{wrong.partition(';')[0].partition(' (')[0]}{near}" if near else wrong

    def _command(self, name: str, match: MatchControl) -> Command | None:
        name = SHORT.get(name.lower(), name.lower())
        if not match.over():
            return self.table.get(name)
        if name == "restart":  # would write over the game that has ended
            name = "again"
        offered = [command for command in self.table.values() if command.when == OVER]
        begun = [command for command in offered if name and command.name.startswith(name)]
        return self.table.get(name) or (begun[0] if len(begun) == 1 else None)

    def _formats(self, match: MatchControl) -> list[str]:
        """The legal moves in words, in the order in which people look for them; none when it is over.

        Of very many only some, see `spans.some`.
        """
        if match.over():
            return []
        words = [match.ask("format()", match.position.format, move) for move in some(match.moves())]
        return sorted(words, key=_natural)

    def _offers(self, match: MatchControl) -> list[str]:
        """The offers to give up that can be made now, in words."""
        offers = () if match.over() else match.ask("concessions()", match.position.concessions) or ()
        return [match.ask("format()", match.position.format, offer) for offer in offers]

    # -- the commands --------------------------------------------------------------------------

    def _help(self, match: MatchControl, argument: str) -> Answer:
        if argument:
            return Answer(self._explained(argument.lower(), match))
        return Answer(self.listing(match))

    def listing(self, match: MatchControl) -> str:
        """What can be typed now, a line each."""
        known = self.known(match)
        lines: dict[str, list[Command]] = {}
        for one in known.values():
            beside = BESIDE.get(one.name, "")
            lines.setdefault(beside if beside in known else one.name, []).append(one)
        rows = [_listed(line) for line in lines.values()]
        if self._pieces(match) is not None:
            rows.insert(0, ("a square", "where its piece can go"))
        wide = max(len(names) for names, _ in rows) + 2
        return "\n".join(f"{names:<{wide}}{helped}" for names, helped in rows)

    def _explained(self, word: str, match: MatchControl) -> str:
        """What a command does, or what a word of the panel means; `words`: all of them. Raises Usage."""
        from gameplay import glossary

        command = self._command(word, match)
        if command is not None:
            return self._described(command, match)
        if word != "words":
            return glossary.meaning(word)
        return "\n".join(f"{name}: {text}" for name, _, text in glossary.WORDS)

    def _described(self, command: Command, match: MatchControl) -> str:
        """A command and what it does; where more can be given up than the game, the words for that."""
        more = self._offers(match)[1:] if command.name == "resign" else []
        also = f"; {' or '.join(more)} offers more" if more else ""
        return f"{command.name} {command.argument}".strip() + f": {command.help}{also}"

    def _moves(self, match: MatchControl, _: str) -> Answer:
        if match.over():
            return Answer(f"the game is over; its {_plies(len(match.turns))}: {' '.join(match.words())}")
        words, count = self._formats(match), len(match.moves())
        cut = " ..." if len(words) < count else ""
        return Answer(f"{plural(count, 'legal move')}: {' '.join(words)}{cut}")

    def _hint(self, match: MatchControl, _: str) -> Answer:
        if _ended(match):
            return Answer("the game is over, so there is no move to advise; undo takes back a move")
        here = (len(match.turns), " ".join(match.words()))
        self.rung = self.rung % 3 + 1 if self.asked == here else 1
        self.asked = here
        report = self.judge.report(match, deeper=self.rung > 1)
        if report.thresholds:
            return Answer(self._next_on_the_way(match, report))
        if report.source in ("system", "rules") and report.move is not None:
            by = "system" if report.source == "system" else "rules of play"
            return Answer(f"{match.position.format(report.move)} by the {by}: {report.facts}")
        if self.rung == 1:
            return Answer(self._nudge(match, report) + " (hint again: the moves with their values)")
        if self.rung == 2:
            most = max(abs(one.value) for one in report.candidates)
            lines = [
                f"{match.position.format(one.move):<6} {self._figure(match, one, most)}"
                for one in report.candidates[:8]
            ]
            counted = scale.measure(match.position, report.bound, most)
            head = f"the best moves first, in {counted} for {match.side(self._view(match))}, {_seen(report)}"
            return Answer("\n".join([f"{head} (hint again: the best line)", *lines]))
        return Answer(
            f"best line: {' '.join(match.spell(report.pv))} ({self._worth(match, report)}, {_seen(report)})"
            + (f"; {report.facts}" if ": " in report.facts else "")
        )

    def _next_on_the_way(self, match: MatchControl, report: Report) -> str:
        """The hint of a puzzle: how far it is, then the next move, then the next few."""
        text = _to_goal(report, match)
        if not report.pv:
            return text
        if self.rung == 1:
            return f"{text} (hint again: the next move)"
        words = match.spell(report.pv)
        return f"{words[0]}; {text}" if self.rung == 2 else f"{' '.join(words[:FEW])}; {text} (solve: all)"

    def _warned(self, match: MatchControl, move: int) -> str:
        """The tutor's warning of a move, if there is one; there is none where no engine can judge."""
        try:
            return self.tutor.warning(match, move)
        except GameplayError:
            return ""

    def _why(self, match: MatchControl, argument: str) -> Answer:
        wanted = argument.removeprefix("if").strip() if argument.split()[:1] == ["if"] else argument
        if argument and not wanted:
            example = match.position.format(match.moves()[0]) if not match.over() else "MOVE"
            raise Usage(f"which move? for example: what if {example}")
        move = self._move(wanted, match) if wanted else None
        if text := self._meaning(match, move):
            return Answer(text)
        return Answer(self.tutor.why(match) if move is None else self.tutor.what_if(match, move))

    def _meaning(self, match: MatchControl, move: int | None) -> str:
        """The meaning of a call, by default the last, in the bidding system; empty if there is none."""
        position = match.position
        if not isinstance(position, HasBidding):
            return ""
        if move is None:
            return "; ".join(match.ask("news()", match.position.news))
        text = match.ask("meaning()", position.meaning, move)
        return f"{match.position.format(move)}: {text}" if text else ""

    def _solve(self, match: MatchControl, _: str) -> Answer:
        report = self.judge.report(match)
        text = _to_goal(report, match)
        if not report.pv:
            return Answer(text)
        return Answer(f"{text}: {' '.join(match.spell(report.pv))}")

    def _view(self, match: MatchControl) -> int:
        """The player from whose view values are shown: as on the screen; with several people, the mover."""
        specs = [player.spec for player in match.players]
        if match.position.players != 2 or specs.count("human") > 1:
            return int(match.position.turn)
        return scale.viewer(specs)

    def _figure(self, match: MatchControl, one: Candidate, most: float) -> str:
        if self._view(match) == match.position.turn:
            return scale.figure(one.value, match.position, one.proven, one.bound, most)
        turned = scale.TURNED.get(one.bound, one.bound)
        return scale.figure(-one.value, match.position, one.proven, turned, most)

    def _worth(self, match: MatchControl, report: Report) -> str:
        """The value of a search in full."""
        position = match.position
        if position.players != 2:
            text = scale.figure(report.value, position, report.exact, report.bound)
            return f"{match.side(position.turn)} {text} {scale.measure(position, report.bound, report.value)}"
        sides = [match.side(seat) for seat in range(2)]
        view = self._view(match)
        return scale.worth(report.value, position, sides, position.turn, view, report.exact, report.bound)

    def _nudge(self, match: MatchControl, report: Report) -> str:
        found = report.candidates
        if len(found) == 1 and len(match.moves()) == 1:
            return f"there is only one move, {match.position.format(found[0].move)}"
        if found[0].bound == "expectation":
            worth = self._worth(match, report)
            board = match.position.board()
            where = f"; look {_region(match, found[0].move)}" if board is not None and board.cells else ""
            return f"with the best move: {worth}, on average{where}"
        values = [candidate.value for candidate in found]
        best = values[0]
        good = sum(value == best for value in values)
        if best == scale.WIN - 1:
            return "you can win at once"
        if scale.is_win(best) and best > 0:
            count = f", in {scale.plies(best)} plies" if scale.is_counted(best) else ""
            return f"there is a forced win{count}; look for moves that leave no choice"
        if scale.is_win(best):
            return "everything loses against best play; choose what takes longest"
        losing = sum(scale.is_win(value) and value < 0 for value in values)
        if losing:
            return f"careful: {losing} of {len(values)} moves lose{'' if losing > 1 else 's'} by force"
        if good == len(values):
            return "all moves are equally good"
        if found[0].proven:
            return f"{good} of {len(values)} moves {'keeps' if good == 1 else 'keep'} what you have"
        return f"nothing is decided yet; look {_region(match, found[0].move)}"

    def _eval(self, match: MatchControl, _: str) -> Answer:
        if _ended(match):
            return Answer("the game is over: the result is its value; undo takes back a move")
        report = self.judge.report(match)
        position = match.position
        if report.thresholds:
            text = scale.to_goal(report.value, position, report.bound)
            guess = match.ask("estimate()", position.estimate)
            return Answer(f"{text}; estimate: {guess}")
        if report.values:
            each = enumerate(report.values)
            unit = position.unit
            text = ", ".join(f"{match.side(player)} {scale.amount(value, unit)}" for player, value in each)
            return Answer(f"{text} ({_seen(report)})")
        if report.bound == "unknown":
            return Answer("this game has no search, so there is no evaluation")
        guess = Report(value=match.ask("evaluate()", position.evaluate))
        static = self._worth(match, guess)
        return Answer(f"{self._worth(match, report)} ({_seen(report)}); static evaluation: {static}")

    def _undo(self, match: MatchControl, argument: str) -> Answer:
        count = _number(argument)
        if count is None:
            return Answer(f"undo how many? '{argument}' is not a number from 1 up")
        end = EARLY.get(match.reason, "")
        taken = match.undo(count) if argument else self._until_human(match, match.undo)
        moves = _plies(taken - bool(end)) if taken > bool(end) else ""
        text = " and ".join(filter(None, [end, moves])) if taken else ""
        if text and match.secrets:
            text += "; what was seen is known now, and the record says so"
        if not text and match.turns and match.secrets:
            return Answer("what was dealt is not taken back")
        return Answer(f"took back {text}" if text else "there is nothing to take back", done=bool(taken))

    def _redo(self, match: MatchControl, argument: str) -> Answer:
        count = _number(argument)
        if count is None:
            return Answer(f"redo how many? '{argument}' is not a number from 1 up")
        made = match.redo(count) if argument else self._until_human(match, match.redo)
        return Answer(
            f"made again {_plies(made)}" if made else "there is nothing to make again", done=bool(made)
        )

    def _until_human(self, match: MatchControl, step: Callable[[int], int]) -> int:
        """Step through the moves until a human is on turn again."""
        steps = 0
        while step(1):
            steps += 1
            turn = match.position.turn
            if match.over() or (turn >= 0 and match.players[turn].spec == "human"):
                break
        return steps

    def _restart(self, match: MatchControl, _: str) -> Answer:
        match.restart()
        return Answer("a new game", done=True)

    def _show(self, match: MatchControl, _: str) -> Answer:
        lines = match.show().splitlines()
        if match.secrets:  # text and moves would reveal hidden information
            return Answer("\n".join(lines))
        text = match.ask("text()", match.position.text)
        if text:
            lines.append(f"--position '{text}'")
        if match.turns:
            start = f"--position '{match.start}' " if match.start else ""
            lines.append(f"{start}--moves '{' '.join(match.words())}'")
        return Answer("\n".join(lines))

    def offered(self, match: MatchControl) -> bool:
        """True if a person is asked whether they agree to a draw."""
        return self.offer == match.words() and not match.over()

    def proposal(self, match: MatchControl) -> str:
        """The question to the side to move after a draw offer: whether they accept it."""
        last = match.turns[-1] if match.turns and not match.over() else None
        if last is None or last.player < 0 or last.player == match.turn or match.secrets:
            return ""
        other = match.players[last.player]
        if not other.offers_draw(match):
            return ""
        self.offer = match.words()
        return f"{other.name} offers a draw; do you agree? yes or no"

    def _draw(self, match: MatchControl, _: str) -> Answer:
        seat, position = match.position.turn, match.position
        if match.secrets or position.players != 2 or not position.zero_sum:
            return Answer("draws by agreement need a two-player zero-sum game of perfect information")
        if isinstance(position, HasClaims) and match.ask("claim()", position.claim):
            match.draw(claimed=True)
            return Answer(done=True)
        other = match.players[1 - seat]
        if other.spec == "human":
            self.offer = match.words()
            who = f"{other.called} ({match.side(1 - seat)})" if other.called else match.side(1 - seat)
            return Answer(f"{match.side(seat)} offers a draw; {who}, do you agree? yes or no")
        if not other.accepts_draw(match):
            return Answer(f"{other.name} declines the draw")
        match.draw()
        return Answer(done=True)

    def _resign(self, match: MatchControl, _: str) -> Answer:
        match.resign(match.position.turn)
        return Answer(done=True)

    def _dead(self, match: MatchControl, argument: str) -> Answer:
        """Take stones off that are dead: what seems so, but for the chains of the points that are named.

        An engine goes by what seems so, unless a person gives up stones of their own.
        """
        position = match.position
        if match.reason not in ("rules", "counted"):
            return Answer("stones are dead or alive where both have passed; this game ended before")
        chains, gone = position.chains(), set(match.ask("dead_chains()", position.dead_chains))
        for word in argument.split():
            point = position.named(word)
            chain = next((chain for chain in chains if point in chain), None)
            if chain is None:
                return Answer(f"there is no stone on {word}")
            owner = position.owner(point)
            other = match.players[1 - owner if chain in gone else owner]
            if other.spec != "human":
                state = "alive" if chain in gone else "dead"
                return Answer(
                    f"{other.name} does not agree that {word.upper()} is {state}; undo 2 and play it out"
                )
            gone ^= {chain}
        if not gone:
            return Answer("no stone seems dead; name those that are, as in dead D4")
        lead = position.lead_without({point for chain in gone for point in chain})
        share = lead if position.scored else (lead > 0) - (lead < 0)
        match.count((share, -share), lead, dead_stones_text(position, gone))
        return Answer()

    def _quit(self, match: MatchControl, _: str) -> Answer:
        if not match.over():
            match.leave()
        return Answer(done=True)


def dead_stones_text(position: Any, gone: Iterable[tuple[int, ...]]) -> str:
    """What a game comes to without the chains that are dead, in words."""
    points = [point for chain in sorted(gone) for point in chain]
    words = " ".join(sorted(map(position.format, points), key=_natural))
    lead = position.lead_without(set(points))
    side = position.sides[int(lead < 0)]
    return f"without the dead stones {words}: {f'{side} wins by {abs(lead):g}' if lead else 'equal areas'}"


def _listed(commands: Sequence[Command]) -> tuple[str, str]:
    """Commands on one line of the help: their names, then their descriptions and aliases."""
    names = [one.name for one in commands]
    short = [word for word, name in SHORT.items() if name in names]
    helped = "; ".join(one.help for one in commands) + (f" ({', '.join(short)})" if short else "")
    return f"{', '.join(names)} {commands[0].argument}".rstrip(), helped


def _fits(command: Command, match: MatchControl) -> bool:
    """True if the game has what the command needs."""
    return isinstance(match.position, command.needs)


def _seen(report: Report) -> str:
    """How far a search saw, in words."""
    if report.visits:
        return f"from {report.simulated()}"
    plies = plural(report.depth, "ply", "plies")
    return "searched to the end" if report.exact else f"searched {plies} deep"


def _to_goal(report: Report, match: MatchControl) -> str:
    """How far it is to the goal of a puzzle, and what knew that, if it was a pattern database."""
    text = scale.to_goal(report.value, match.position, report.bound)
    _, _, heuristic = report.engine.partition("heuristic=")
    if heuristic:
        text += f", by the pattern database ({heuristic})"
    if report.pv:
        return text
    text += f"; no solution was found in {report.seconds:.0f} s"
    if not heuristic and isinstance(match.position, HasPatternDatabases):
        text += f", a pattern database would help: gameplay patterns {match.game.spec}"
    return text


def _ended(match: MatchControl) -> bool:
    """True if the rules have ended it, so that there is nothing to search."""
    return match.over() and match.ask("outcome()", match.position.outcome) is not None


def _region(match: MatchControl, move: int) -> str:
    """Where on the board a move is, roughly."""
    board = match.board()
    cell = next((cell for cell, moves in board.moves.items() if move in moves), None) if board else None
    if board is None or cell is None or cell[0] >= len(board.cells):
        return "for moves that leave the other few good answers"
    if board.paths and board.cells[cell[0]][cell[1]]:
        return f"at what the piece on {board.called(cell)} can do"
    if cell in board.names:
        return f"at {board.names[cell]}"
    if board.paths or "" in board.columns:  # something is put there, or there are two boards
        return f"at {board.called(cell)}"
    third = 3 * cell[1] // len(board.columns)
    return ("on the left", "in the middle", "on the right")[third]


def _natural(word: str) -> list[tuple[int, int, str]]:
    """A key by which 2 comes before 10, and a2 before a10."""
    return [
        (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"(\d+)", word) if part
    ]


def _number(text: str) -> int | None:
    """A number from 1 up; nothing means 1."""
    if not text:
        return 1
    return int(text) if text.isdecimal() and int(text) > 0 else None


def _plies(count: int) -> str:
    return plural(count, "move")
