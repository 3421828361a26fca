"""Interprets user input during a game and after it: moves, and commands such as `hint` or `undo`."""

from collections.abc import Sequence
from random import Random

from gameplay import rules
from gameplay.capabilities import HasBidding, OrdersMoves, PlacesPieces
from gameplay.errors import GameplayError, IllegalMove, nearest
from gameplay.players.advice_commands import AdviceCommands
from gameplay.players.commands import (
    OVER,
    PLAYING,
    SHARED_LINES,
    SHORT,
    UNLISTED,
    Answer,
    Command,
    help_line,
    is_over,
    is_supported,
    natural_key,
    unavailability,
)
from gameplay.players.game_commands import CARD_COMMANDS, SetupCommands, SetupFiles
from gameplay.players.match_commands import DRAW, RESIGN, MatchCommands, undefined_commands
from gameplay.players.move_order import SHOWN_MOVES, display_order
from gameplay.players.pieces import PieceInput
from gameplay.players.player import Choice, MatchControl
from gameplay.players.several import MoveQueue
from gameplay.plural import plural
from gameplay.spans import abridge

MAX_COMPLETIONS = 24  # completions shown while the user types
MOVES_WIDTH = 39  # columns of the moves in an invitation, which has at most 80
WIDTH = 76  # columns of the rules
COMMAND_CUTOFF = 0.7  # minimum similarity of a word to a suggested command, see errors.CUTOFF
AUTO, AGAIN = "auto", "again"  # commands that an empty line can mean
YES_OR_NO = {"y": True, "yes": True, "n": False, "no": False}
QUESTIONS = {DRAW: "a draw is offered:", RESIGN: "resign the game?"}
ENTER_MEANING = {  # what Enter does after no and after yes
    DRAW: ("Enter declines the draw", "Enter agrees to a draw"),
    RESIGN: ("Enter plays on", "Enter resigns the game"),
}


class Interpreter(PieceInput):
    """Executes user input. `more`: commands that affect more than the match, such as files and engines.

    `setups`: where set-ups of pieces are saved; None: nowhere.
    """

    onward = ""  # name of the next part of the match, such as `hand`, which Enter begins; "": none
    whole = "game"  # what `again` begins after the last part: a game, or a match of several
    withheld: frozenset[str] = frozenset()  # names of commands that are unavailable in this game
    escape_command = ""  # the command of Escape with nothing to cancel, and of Ctrl-C; "": none

    def __init__(self, more: tuple[Command, ...] = (), setups: SetupFiles | None = None) -> None:
        self.advice = AdviceCommands(self)
        self.queue = MoveQueue()
        self.setups = SetupCommands(self.queue, setups) if setups is not None else None
        self.match_commands = MatchCommands(self.queue)
        self.judge, self.tutor = self.advice.judge, self.advice.tutor
        general = (
            Command("help", "[WORD]", "this list; explain WORD; words: all", self._help),
            Command("moves", "", "the legal moves", self._moves),
            Command("rules", "", "the rules in brief", self._rules),
            Command("random", "", "play a random legal move", self._random, PLAYING),
            Command(AUTO, "", "place the rest at random", self._auto, PLAYING, required=PlacesPieces),
        )
        setup_commands = [self.setups.command] if self.setups is not None else []
        games = (*setup_commands, *self.advice.commands, *CARD_COMMANDS)
        match_commands = self.match_commands
        table = (*general, *games, *match_commands.undo_commands, *more, *match_commands.other_commands)
        self.table = {command.name: command for command in table}
        super().__init__()

    def forget(self) -> None:
        """Reset questions, offers, warnings and selections for another match."""
        super().forget()
        self.advice.forget()
        self.queue.forget()
        self.match_commands.forget()

    def proposal(self, match: MatchControl) -> str:
        """The question to the side to move after a draw offer: whether they accept it."""
        return self.match_commands.proposal(match)

    def execute(self, line: str, match: MatchControl) -> Answer:
        """Execute `line`. Errors are reported in the answer; no GameplayError or OSError is raised."""
        text = line.strip()
        if not text:
            return Answer(self.invitation(match))
        if self.match_commands.question(match) and text.lower() in YES_OR_NO:
            return self.match_commands.answer(match, YES_OR_NO[text.lower()])
        if text.lower() in self.promotions(match):
            return Answer(choice=Choice(self.promotions(match)[text.lower()]))
        if moves := self._saved_setups(match).get(text.lower()):
            return Answer(choice=Choice(self.queue.begin(moves, match)))
        try:
            choice = Choice(self.move_of(text, match))
            if text.lower() == "resign" and (question := self.match_commands.ask_to_resign(match)):
                return Answer(question)  # a move of this game
            if warning := self.advice.warning(match, choice.move):
                return Answer(warning)
            self.match_commands.forget()  # a move declines the draw offer
            return Answer(choice=choice)
        except IllegalMove as error:
            message = str(error)
        try:
            if moves := self.queue.read(text, match):
                return Answer(choice=Choice(self.queue.begin(moves, match)))
        except IllegalMove as error:
            return Answer(str(error))
        if self.open_promotion_question(self._promotions(text, match), match):
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
                return Answer(self.describe_targets(square, match))
            if self._moves_between(text, match):
                return Answer(message)  # it names the legal moves; no suggestion is added
            if reason := self.immobile(text, match):
                return Answer(reason)
            return Answer(self._with_suggestion(message, name, match))
        if reason := unavailability(command, argument.strip(), match):
            return Answer(reason)
        if command.name == "undo" and not argument and (steps := self.steps(match)):
            self.set_steps(steps[:-1], match)
            return Answer(self.invitation(match))
        try:
            return command.act(match, argument.strip())
        except GameplayError as error:
            return Answer(str(error))
        except OSError as error:
            return Answer(f"{argument.strip()}: {error.strerror or error}")

    def estimated_seconds(self, line: str, match: MatchControl) -> float:
        """Estimate the seconds that executing `line` takes; 0: negligible."""
        if self.move(line, match):
            return self.judge.estimated_seconds(match) if self.tutor.warns else 0.0
        word, _, argument = line.strip().lstrip(":/").partition(" ")
        command = self._command(word, match)
        name = command.name if command is not None else ""
        if name == "why" and not argument:
            return self.judge.estimated_seconds(match, self.tutor.last(match))
        searches = name in ("hint", "eval", "solve", "why") and not is_over(match)
        return self.judge.estimated_seconds(match) if searches else 0.0

    def move(self, line: str, match: MatchControl) -> str:
        """The move that `line` names, in the game's notation; an empty string if it names none."""
        try:
            return str(match.call_game("format()", match.position.format, self.move_of(line.strip(), match)))
        except IllegalMove:
            return ""

    def meaning(self, line: str, match: MatchControl) -> tuple[bool, str]:
        """While typing: whether `line` can be the start of valid input, and what it would do."""
        text = line.strip()
        if not text:
            return True, ""
        if (question := self.match_commands.question(match)) and text.lower() in YES_OR_NO:
            return True, ENTER_MEANING[question][YES_OR_NO[text.lower()]]
        if text.lower() in self._saved_setups(match):
            return True, f"Enter places your set-up {text.lower()}"
        name, _, _rest = text.lstrip(":/").partition(" ")
        command = self._command(name, match)
        try:
            move = self.promotions(match).get(text.lower())
            move = self.move_of(text, match) if move is None else move
            meaning = self.advice.meaning_of(match, move)
            return True, f"Enter plays {meaning or match.call_game('format()', match.position.format, move)}"
        except IllegalMove as error:
            if command is not None:
                return True, self._describe(command, match)
            if several := self._queued_meaning(text, match):
                return several
            promotions = self._promotions(text, match)
            if len(promotions) > 1:
                words = [match.call_game("format()", match.position.format, move) for move in promotions]
                return True, f"Enter asks which one: {' '.join(words)}"
            if step := self.step(text, match):
                return True, f"Enter moves from {step[0]} to {step[1]}, the first part of a move"
            if text.lower() == self.square(text, match):
                return True, self.describe_targets(text.lower(), match)
            if completions := self.completions(text, match):
                return True, "  ".join(completions[:MAX_COMPLETIONS])
            return False, self._with_suggestion(str(error), name, match)

    def _queued_meaning(self, text: str, match: MatchControl) -> tuple[bool, str] | None:
        """As `meaning`, for a line of several moves; None for any other line."""
        try:
            moves = self.queue.read(text, match)
        except IllegalMove as error:
            return False, str(error)
        words = [match.call_game("format()", match.position.format, move) for move in moves]
        return (True, f"Enter plays {' '.join(words)}") if words else None

    def completions(self, prefix: str, match: MatchControl) -> list[str]:
        """The legal moves and the commands that begin with `prefix`; squares for the selected piece first."""
        start = prefix.strip().lower()
        square = self.square(start, match)
        paths = [
            *self.targets(self.selected(match), match),
            *(square + end for end in self.targets(square, match)),
        ]
        more = (*self.available_commands(match), *self._concessions(match))
        candidates = dict.fromkeys(
            (*self.promotions(match), *self._saved_setups(match), *paths, *self._move_texts(match), *more)
        )
        return [word for word in candidates if word.lower().startswith(start)]

    def available_commands(self, match: MatchControl) -> dict[str, Command]:
        """The commands available now, by name."""
        excluded = PLAYING if match.over() else OVER
        is_puzzle = match.position.players == 1
        excluded_names = self.withheld.union(undefined_commands(match))
        return {
            name: command
            for name, command in self.table.items()
            if command.phase != excluded
            and command.multiplayer is not is_puzzle
            and is_supported(command, match)
            and name not in excluded_names
        }

    def after_leaving(self, match: MatchControl) -> str:
        """The message on what happens to a game that the user leaves."""
        return "the game is saved"

    def invitation(self, match: MatchControl) -> str:
        """A one-line prompt with the available input."""
        if question := self.match_commands.question(match):
            return f"{QUESTIONS[question]} type yes or no"
        if match.over():
            names = [
                name for name, command in self.available_commands(match).items() if command.phase == OVER
            ]
            replay = ["replay"] if "replay" in self.table and not match.secrets else []
            if self.onward:
                names = [name for name in names if name != "again"]
                options = ", ".join([*names, "score", *replay])
                return f"press Enter for the next {self.onward}, or type {options}, quit or help"
            return f"{self.whole} over; type {', '.join([*names, 'undo', *replay, 'quit'])} or help"
        if self.promotions(match):
            return self._question(match)
        if square := self.selected(match):
            return f"{self.describe_targets(square, match)}; type where, or another move"
        if steps := self.steps(match):
            entered = ", ".join(f"{start} to {end}" for start, end in steps)
            return f"{entered}; type the next start from {self._movable_squares(match)}, or another move"
        if match.position.examples:
            saved = [name for name in self._saved_setups(match) if name.isidentifier()]
            setups = f"; yours: {', '.join(saved)}" if saved else ""
            return f"type a move ({match.position.examples}{setups}) or help"
        words = self._move_texts(match)
        last = len(words) - 1
        if last > 3 * SHOWN_MOVES and words == sorted(words, key=natural_key):  # a1 a2 a3 would be uniform
            words = [words[number * last // (SHOWN_MOVES - 1)] for number in range(SHOWN_MOVES)]
        shown_moves = words[:SHOWN_MOVES]
        while len(" ".join(shown_moves)) > MOVES_WIDTH and len(shown_moves) > 1:
            shown_moves.pop()
        example = " ".join(shown_moves)
        if last >= SHOWN_MOVES or len(shown_moves) < len(words):
            example += " ..."
        return f"type a move ({example}) or help"

    def _with_suggestion(self, message: str, typed: str, match: MatchControl) -> str:
        """The error, with a suggested command if the word resembles one.

        No moves are suggested: similar ones are often blunders.
        """
        suggestion = nearest(typed, self.available_commands(match), COMMAND_CUTOFF) if typed.isalpha() else ""
        return f"{message.partition(';')[0].partition(' (')[0]}{suggestion}" if suggestion else message

    def _command(self, name: str, match: MatchControl) -> Command | None:
        name = SHORT.get(name.lower(), name.lower())
        if not match.over():
            return None if name in self.withheld else self.table.get(name)
        if name == "restart":  # would overwrite the game that has ended
            name = "again"
        table = {word: command for word, command in self.table.items() if word not in self.withheld}
        available = [command for command in table.values() if command.phase == OVER]
        matching = [command for command in available if name and command.name.startswith(name)]
        return table.get(name) or (matching[0] if len(matching) == 1 else None)

    def _move_texts(self, match: MatchControl) -> list[str]:
        """The legal moves in words, ordered for reading; empty when the game is over.

        Long lists are cut, see `spans.some`.
        """
        if match.over():
            return []
        position, moves = match.position, abridge(match.moves())
        if isinstance(position, OrdersMoves):
            return [position.format(move) for move in position.in_order(list(moves))]
        return display_order(match, moves)

    def _concessions(self, match: MatchControl) -> list[str]:
        """The legal resignations, in the game's notation."""
        if match.over():
            return []
        concessions: Sequence[int] | None = match.call_game("concessions()", match.position.concessions)
        return [
            match.call_game("format()", match.position.format, concession) for concession in concessions or ()
        ]

    def _help(self, match: MatchControl, argument: str) -> Answer:
        if argument:
            return Answer(self._explain(argument, match))
        return Answer(self.listing(match))

    def listing(self, match: MatchControl) -> str:
        """The available commands, one a line."""
        commands = self.available_commands(match)
        lines: dict[str, list[Command]] = {}
        for command in (command for command in commands.values() if command.name not in UNLISTED):
            shared_with = SHARED_LINES.get(command.name, "")
            lines.setdefault(shared_with if shared_with in commands else command.name, []).append(command)
        rows = [help_line(line) for line in lines.values()]
        if self._pieces(match) is not None:
            rows.insert(0, ("a square", "where its piece can go"))
        width = max(len(names) for names, _ in rows) + 2
        return "\n".join(f"{names:<{width}}{helped}" for names, helped in rows)

    def _rules(self, match: MatchControl, _: str) -> Answer:
        lines = rules.brief(type(match.position), WIDTH, match.game)
        return Answer("\n".join([*lines, "", f"full rules: gameplay games {match.game.spec}"]))

    def _random(self, match: MatchControl, _: str) -> Answer:
        moves = match.moves()
        return Answer(choice=Choice(moves[Random().randrange(len(moves))]))

    def _auto(self, match: MatchControl, _: str) -> Answer:
        moves = self._placements(match)
        if not moves:
            return Answer("all pieces are placed; undo takes them back")
        return Answer(choice=Choice(self.queue.begin(moves, match)))

    def _placements(self, match: MatchControl) -> list[int]:
        """Random moves that place the remaining pieces; [] if none remain."""
        position = match.position
        if match.over() or match.turn < 0 or not isinstance(position, PlacesPieces):
            return []
        return list(match.call_game("random_placements()", position.random_placements, Random()))

    def _saved_setups(self, match: MatchControl) -> dict[str, list[int]]:
        """The moves of the user's set-ups, by name."""
        return self.setups.placements(match) if self.setups is not None else {}

    def default_command(self, match: MatchControl) -> str:
        """The command executed by an empty line; "": none."""
        if match.over():
            return AGAIN if self.onward else ""
        open_question = self.selected(match) or self.promotions(match) or self.match_commands.question(match)
        return AUTO if not open_question and self._placements(match) else ""

    def _explain(self, word: str, match: MatchControl) -> str:
        """Explain a command or a term of the panel; `words`: all terms. Raises Usage."""
        from gameplay import glossary

        command = self._command(word.lower(), match)
        if command is not None:
            return self._describe(command, match)
        if isinstance(match.position, HasBidding) and (text := self.advice.call(match, word)):
            return text
        game_rules = rules.of(type(match.position))
        if game_rules is not None and (text := game_rules.meaning(word)):
            return text
        if word != "words":
            return glossary.definition(word.lower())
        return "\n".join(f"{name}: {text}" for name, _, text in glossary.TERMS)

    def _describe(self, command: Command, match: MatchControl) -> str:
        """A command and what it does; for `resign` also what else can be conceded."""
        others = self._concessions(match)[1:] if command.name == "resign" else []
        addition = f"; {' or '.join(others)} offers more" if others else ""
        return f"{command.name} {command.argument}".strip() + f": {command.help}{addition}"

    def _moves(self, match: MatchControl, _: str) -> Answer:
        if match.over():
            words = ["?" if turn.unseen and match.secrets else turn.word for turn in match.turns]
            return Answer(f"the game is over; its {plural(len(words), 'move')}: {' '.join(words)}")
        words, count = self._move_texts(match), len(match.moves())
        cut = " ..." if len(words) < count else ""
        return Answer(f"{plural(count, 'legal move')}: {' '.join(words)}{cut}")
