"""Keys and buttons of the full screen."""

from collections.abc import Callable
from functools import partial
from typing import Any

from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys as Key

from gameplay.display.fullscreen.panes import Button
from gameplay.display.fullscreen.state import FullScreenState
from gameplay.display.terminal import editing
from gameplay.display.terminal.line_input import PANEL_KEY, STEPS, TRICK_KEY

AFTER_GAME = ("again", "swap", "undo", "replay")  # commands with buttons after a game
HELP_WORDS = ("help", "h", "?", ":help", "/help")
HELP = """mouse       click a piece and where it goes, or drag it; a cell; a move of the list; a button
arrows      move a cursor on the board, Enter plays there (with an empty line)
Tab         completes a word; Ctrl-P, Ctrl-N: what was typed before
PgUp PgDn   scroll the list of moves, as the wheel does
< >         look at the position a move earlier, later; Esc: back to now; in an analysis they step
F1 or ?     this page; F2 hint, F3 undo, F4 flip, F6 panel, F7 last trick, F8 resign, F10 leave
Ctrl-C      while an engine thinks: it moves at once; else, twice: leave, the game is saved
Ctrl-L      draw the screen again; Ctrl-Z: to the shell, fg comes back
engines     p pause, space a step, + faster, - slower, q leave (games between engines)"""


class Keys:
    """The keys of the full screen, and the equivalent buttons on its last line."""

    def __init__(self, full: FullScreenState) -> None:
        self.full = full

    def typed(self) -> None:
        """Handle a change of the line."""
        if self.full.entry is not None:
            self.full.entry.changed()
            self.full.choices = []
        if self.full.buffer.text != self.full.armed:
            self.full.armed = ""

    def enter(self) -> None:
        """Handle Enter: close the page shown in place of the game, or execute the line."""
        full = self.full
        if full.handover:
            full.answer("")
        elif full.browsing.first is not None:
            full.browsing.first = None
        elif full.watching:
            full.interrupted = full.match.over()
        elif full.entry is None or full.pending_answer.done():
            full.lines.append(full.buffer.text)
            full.buffer.reset()
        elif full.buffer.text.strip().lower() in HELP_WORDS:
            full.buffer.reset()
            self.help()
        else:
            full.browsing.viewed_ply = None
            answer = full.entry.enter()
            if answer is not None:
                full.answer(answer)

    def paste(self, text: str) -> None:
        """Execute pasted lines until one is invalid; the last one stays in the input."""
        full = self.full
        *lines, rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for line in filter(str.strip, lines):
            if full.handover:
                return
            full.buffer.insert_text(line)
            self.enter()
            if full.buffer.text:
                return
        full.buffer.insert_text(rest)

    def escape(self) -> None:
        """Handle Esc: return to the current position and an empty line."""
        browsing, entry = self.full.browsing, self.full.entry
        elsewhere = browsing.first is not None or browsing.viewed_ply is not None
        browsing.back()
        if entry is not None:
            elsewhere = elsewhere or entry.cursor is not None
            out = entry.release_piece()
            entry.cursor = None
            self.full.choices, self.full.armed = [], ""
            if out and not elsewhere:
                self.full.answer(out)

    def interrupt(self) -> None:
        """Handle Ctrl-C: end a search; at the prompt the second one leaves."""
        full = self.full
        if full.pending_answer is None or full.watching:
            full.interrupted = True
        elif full.handover:
            full.pending_answer.set_exception(KeyboardInterrupt())
        elif full.entry is not None:
            warning = full.entry.leaving
            if (not warning or full.entry.error == warning) and not full.pending_answer.done():
                full.pending_answer.set_exception(KeyboardInterrupt())
            full.buffer.reset()
            full.entry.error, self.full.armed = warning, ""

    def word(self, word: str, sure: bool = True) -> None:
        """Execute a button's command; if not `sure`, only after Enter or a second click."""
        if self.full.entry is None:
            return
        if sure or self.full.armed == word:
            self.full.browsing.viewed_ply = None
            self.full.answer(word)
            return
        self.full.buffer.document = Document(word)
        self.full.armed = word

    def step(self, key: str, plies: int) -> None:
        """View an earlier or later position; in an analysis take back or redo a move."""
        if self.full.entry is not None and self.full.entry.escape_command:
            self.word(STEPS[key])
        else:
            self.full.look_by(plies)

    def flip(self) -> None:
        """Flip the board."""
        self.full.flip = not self.full.flip

    def trick(self) -> None:
        """Show the last trick, in trick-taking games."""
        if "trick" in self._commands():
            self.word("trick")

    def help(self) -> None:
        """Show the keys, mouse actions and commands."""
        asking = self.full.interpreter
        typed = ["", "type a move, or:", asking.listing(self.full.match)] if asking is not None else []
        self.full.browsing.open("\n".join([HELP, *typed]))

    def _commands(self) -> dict[str, Any]:
        """The commands that can be typed now, by name."""
        asking = self.full.interpreter
        return asking.available_commands(self.full.match) if asking is not None else {}

    def _arrow(self, key: str, down: int, right: int) -> None:
        """Make the move of an arrow key if the game has such moves, else move the cursor."""
        entry = self.full.entry
        if entry is None:
            return
        self.full.browsing.viewed_ply = None
        word = entry.arrow_move(key)
        if word is None:
            entry.move_cursor(down, right)
        elif word:
            self.full.answer(word)
        else:
            entry.error = f"{key} is not a legal move here"

    def buttons(self) -> list[Button]:
        """The buttons available now."""
        full = self.full
        if full.handover:
            return [Button("Show the game", "Enter", self.enter)]
        if self.full.choices:
            return [Button(word, "", partial(full.answer, word)) for word in self.full.choices]
        flip = Button("Flip", "F4", self.flip)
        if full.watching and full.pending_answer is None:
            leave = Button("Leave", "q", partial(full.watch.press, "q"))
            if full.match.over():
                return [flip, leave]
            keys = {"p": "Go on" if full.watch.paused else "Pause", " ": "Step", "+": "Faster", "-": "Slower"}
            steer = [
                Button(name, "Space" if key == " " else key, partial(full.watch.press, key))
                for key, name in keys.items()
            ]
            return [*steer, flip, leave]
        match = full.match
        if full.entry is not None and full.entry.escape_command:
            return [
                Button("Help", "F1", self.help),
                Button("Back", "<", partial(self.word, "undo")),
                Button("Forward", ">", partial(self.word, "redo")),
                flip,
                Button("Play on", "Esc", partial(self.word, full.entry.escape_command)),
            ]
        mover = match.players[match.turn] if match.turn >= 0 and not match.over() else None
        if full.entry is None and mover is not None and mover.spec != "human":
            return [Button("Move now", "Ctrl-C", self.interrupt), flip, Button("Help", "F1", self.help)]
        if match.over():
            commands = self._commands()
            after = [word for word in AFTER_GAME if word in commands]
            if full.entry is not None and full.entry.default_command():
                names = {"again": "Next"}
                return [
                    Button(
                        names.get(word, word.title()),
                        "Enter" if word in names else "",
                        partial(self.word, word),
                    )
                    for word in (*after, "quit")
                ]
            return [Button(word.title(), "", partial(self.word, word)) for word in (*after, "quit")]
        commands = self._commands()
        middle = flip
        if "trick" in commands:
            middle = Button("Last trick", "F7", self.trick)
        elif full.entry is not None and full.entry.default_command() == "auto":
            middle = Button("Place all", "Enter", partial(self.word, "auto"))
        buttons = {
            "hint": Button("Hint", "F2", partial(self.word, "hint")),
            "undo": Button("Undo", "F3", partial(self.word, "undo")),
            "": middle,
            "resign": Button("Resign", "F8", partial(self.word, "resign yes", False)),
        }
        return [
            Button("Help", "F1", self.help),
            *(button for name, button in buttons.items() if not name or name in commands),
            Button("Leave", "F10", partial(self.word, "quit", False)),
        ]

    def bindings(self) -> KeyBindings:
        """All keys, for prompt-toolkit."""
        full, buffer, browsing = self.full, self.full.buffer, self.full.browsing
        empty = Condition(lambda: not buffer.text and browsing.first is None and not full.handover)
        watching = Condition(lambda: full.watching and full.pending_answer is None)

        def refused() -> bool:
            return full.entry is not None and bool(
                buffer.text and (self.full.armed or full.entry.replaces_line())
            )

        keys = editing.bindings(buffer, refused)

        def bind(action: Callable[[], None], *names: str, **more: Any) -> None:
            for name in names:
                keys.add(name, **more)(lambda event: action())

        for name, down, right in (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1)):
            bind(partial(self._arrow, name, down, right), name, filter=empty)
        bind(partial(self.step, "<", -1), "<", filter=empty)
        bind(partial(self.step, ">", 1), ">", filter=empty)
        bind(self.help, "f1")
        bind(self.help, "?", filter=empty)
        bind(partial(self.word, "hint"), "f2")
        bind(partial(self.word, "undo"), "f3")
        bind(self.flip, "f4")
        bind(partial(self.word, "panel"), PANEL_KEY)
        bind(self.trick, TRICK_KEY)
        bind(partial(self.word, "resign yes", False), "f8")
        bind(partial(self.word, "quit", False), "f10")
        bind(partial(browsing.scroll, -5), "pageup")
        bind(partial(browsing.scroll, 5), "pagedown")
        bind(self.enter, "enter")
        bind(self.escape, "escape", eager=True)  # at once, not as Alt with the next key
        bind(self.interrupt, "c-c", "<sigint>")
        bind(partial(self.word, "quit", False), "c-d", filter=empty)
        for name in ("p", " ", "+", "-", "q"):
            bind(partial(full.watch.press, name), name, filter=watching, eager=True)
        keys.add("c-z")(lambda event: event.app.suspend_to_background())
        keys.add(Key.BracketedPaste)(lambda event: self.paste(event.data))
        keys.add("c-l")(lambda event: event.app.renderer.clear())
        return keys
