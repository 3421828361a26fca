"""Step through a finished game on a terminal.

Below the board: the values of all moves as a row of bars (high: the first player is ahead; reversed: the
current move), the current move with its value, and the keys.
"""

import asyncio
import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from gameplay.display.reports import review as reviewing
from gameplay.display.terminal import panel, search_panel
from gameplay.display.terminal.canvas import REVERSED, apply_style
from gameplay.display.terminal.prompt_loop import run_prompt
from gameplay.visible import visible

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyPressEvent

    from gameplay.display.terminal.screen import Screen
    from gameplay.players.player import Turn
    from gameplay.training.review import Review

BARS = "▁▂▃▄▅▆▇█"
DIGITS = "123456789"  # bars in ASCII
NONE = {True: "·", False: "."}  # a move without a value; key: whether Unicode is used
PACES = (4.0, 2.0, 1.0, 0.5, 0.25, 0.1)  # seconds a move stays while the game plays itself
LONGEST_REMARK = 300  # characters: the board needs the other lines
KEYS = "arrows Home End: step  N Enter: move N  a: autoplay  f: flip  q: leave"
ONWARD = "e: play from here against an engine  s: with the same players"
MISTAKES = "m: next mistake  r: try again, from before it"


class Replay:
    """Steps through `turns`, all taken back in `screen.match`. `end` sets the recorded result.

    ply: the first position to show. onward: offer to continue the game from the current position.
    review: adds its values, and lets the user retry mistakes. remarks: comments of the file, by move.
    """

    def __init__(
        self,
        screen: "Screen",
        turns: "Sequence[Turn]",
        end: Callable[[], None],
        ply: int = 0,
        onward: bool = True,
        review: "Review | None" = None,
        remarks: Sequence[str] = (),
    ) -> None:
        self.screen, self.match = screen, screen.match
        self.turns, self.end, self.remarks = turns, end, remarks
        self.onward, self.review = onward, review
        self.ply = 0
        self.number = ""  # digits typed so far of the move to go to
        self.error = ""
        self.playing = False
        self.pace = 2
        self.shares = (
            [panel.turn_share(self.match, turn) for turn in turns] if review is None else review.curve()
        )
        self.go(ply)

    def run(self) -> tuple[str, int] | None:
        """Run until the user leaves; None, or the opponent to play on with (`engine`, `same`) and the ply."""
        try:
            answer: tuple[str, int] | None = run_prompt(self.screen, self.frame, self._keys())
            return answer
        finally:
            self.screen.close()

    # -- moving ------------------------------------------------------------------------------------

    def go(self, ply: int) -> None:
        """Show the position after `ply` moves, clamped to the game."""
        self.number = self.error = ""
        self.ply = max(0, min(len(self.turns), ply))
        match = self.match
        match.payoffs, match.reason = None, ""  # clear a result that did not follow from the rules
        match.rewind(len(match.turns) - self.ply)
        match.redo(self.ply - len(match.turns))
        if self.ply == len(self.turns):
            self.end()
        self.screen.show_search(self.ply - 1)

    def enter(self) -> None:
        """Go to the move with the typed number; without a number to the next move."""
        number = self.number
        if not number:
            self.go(self.ply + 1)
        elif int(number) > len(self.turns):
            self.number = ""
            self.error = f"there is no move {number}: the game has {len(self.turns)}"
        else:
            self.go(int(number))

    def faster(self, steps: int) -> None:
        """Change the pace of autoplay."""
        self.pace = max(0, min(len(PACES) - 1, self.pace + steps))

    async def autoplay(self, redraw: Callable[[], None]) -> None:
        """Step forward until the end or until the user stops it."""
        while self.playing and self.ply < len(self.turns):
            await asyncio.sleep(PACES[self.pace])
            if self.playing:
                self.go(self.ply + 1)
                self.playing = self.ply < len(self.turns)
                redraw()

    # -- showing -----------------------------------------------------------------------------------

    def frame(self, width: int, height: int) -> tuple[list[str], None]:
        """The lines of the screen; without a cursor."""
        words = [*visible(self.where()).split("\n"), *self.keys().split("\n")]
        below = [line for word in words for line in textwrap.wrap(word, width)]
        if any(share is not None for share in self.shares):
            below.insert(0, self.values())
        above = self.screen.ansi(width, height - 2).split("\n")[: max(0, height - len(below))]
        return [*above, *below], None

    def where(self) -> str:
        """The current move, its value and remark, and the result after the last one."""
        if self.error:
            return self.error
        text = f"move {self.ply} of {len(self.turns)}"
        if self.ply:
            turn = self.turns[self.ply - 1]
            side = self.match.side(turn.player) if turn.player >= 0 else "chance"
            text += f": {side} {turn.word}"
            if turn.report is not None and turn.report.valued:
                text += f" ({search_panel.describe_value(self.match, turn.report, turn.player)}"
                text += f", depth {turn.report.depth})" if turn.report.depth else ")"
        remark = self.remarks[self.ply - 1] if self.ply and self.remarks else ""
        if remark:
            text += f". {textwrap.shorten(remark, LONGEST_REMARK, placeholder='...')}"
        if self.ply and self.review is not None:
            comment = reviewing.comment(self.review, self.match.position, self.review.moves[self.ply - 1])
            text += f". Review: {comment}" if comment and comment not in remark else ""
        if self.ply == len(self.turns) and self.match.over():
            text += f"; {panel.describe_result(self.match)}"
        return text

    def keys(self) -> str:
        """The lines that list the keys."""
        if self.number:
            return f"go to move {self.number}: Enter goes, Esc forgets it"
        if self.playing:
            return f"a move every {PACES[self.pace]:g} s; +: faster  -: slower  a: stop"
        more = [ONWARD] if self.onward else []
        more += [MISTAKES] if self.review is not None and self.review.mistakes else []
        return "\n".join([KEYS, *more])

    def next_mistake(self) -> None:
        """Go to the next mistake; after the last one to the first."""
        plies = [mistake.ply for mistake in self.review.mistakes] if self.review is not None else []
        if not plies:
            self.error = "no mistakes are known; gameplay review finds them"
        else:
            self.go(next((ply for ply in plies if ply > self.ply), plies[0]))

    def retry_ply(self) -> int | None:
        """The ply before the current mistake; None if the current move is not a mistake."""
        plies = [mistake.ply for mistake in self.review.mistakes] if self.review is not None else []
        return self.ply - 1 if self.ply in plies else None

    def values(self) -> str:
        """The values of the game as bars; several moves share a bar if the terminal is too narrow."""
        width = max(10, self.screen.theme.console.size.width - 1)
        marks = BARS if self.screen.theme.unicode else DIGITS
        step = -(-len(self.shares) // width) or 1
        line: list[str] = []
        for first in range(0, len(self.shares), step):
            shares = [share for share in self.shares[first : first + step] if share is not None]
            mark = marks[min(len(marks) - 1, int(shares[-1] * len(marks)))] if shares else NONE[marks is BARS]
            line.append(apply_style(mark, REVERSED) if first < self.ply <= first + step else mark)
        return "".join(line)

    # -- keys --------------------------------------------------------------------------------------

    def _keys(self) -> Any:
        from prompt_toolkit.key_binding import KeyBindings

        keys = KeyBindings()

        def key(*names: str, action: Callable[[Any], None]) -> None:
            for name in names:
                keys.add(name, eager=True)(action)

        def digit(event: "KeyPressEvent") -> None:
            self.playing, self.error = False, ""
            self.number = (self.number + event.data)[:4]

        def escape(event: "KeyPressEvent") -> None:
            if self.number:
                self.number = ""
            else:
                event.app.exit()

        def auto(event: "KeyPressEvent") -> None:
            self.playing = not self.playing
            if self.playing:
                if self.ply == len(self.turns):
                    self.go(0)
                event.app.create_background_task(self.autoplay(event.app.invalidate))

        def flip(event: "KeyPressEvent") -> None:
            self.screen.flip = not self.screen.flip

        def onward(how: str) -> Callable[[Any], None]:
            def leave(event: "KeyPressEvent") -> None:
                if self.ply == len(self.turns) and self.match.over():
                    self.error = "the game is over here; step back to play on"
                elif self.onward:
                    event.app.exit(result=(how, self.ply))

            return leave

        def stopping(action: Callable[[], None]) -> Callable[[Any], None]:
            def step(event: "KeyPressEvent") -> None:
                self.playing = False
                action()

            return step

        def retry(event: "KeyPressEvent") -> None:
            before = self.retry_ply()
            if before is None:
                self.error = "this move is not a mistake; m goes to the next one"
            elif self.onward:
                event.app.exit(result=("engine", before))

        key("right", "down", " ", "n", action=stopping(lambda: self.go(self.ply + 1)))
        key("left", "up", "backspace", "p", action=stopping(lambda: self.go(self.ply - 1)))
        key("home", action=stopping(lambda: self.go(0)))
        key("end", "G", action=stopping(lambda: self.go(len(self.turns))))
        key("enter", action=lambda event: self.enter())
        key(*"0123456789", action=digit)
        key("g", action=lambda event: setattr(self, "error", "type the number of a move, then Enter"))
        key("a", action=auto)
        key("+", "=", action=lambda event: self.faster(1))
        key("-", action=lambda event: self.faster(-1))
        key("f", action=flip)
        key("e", action=onward("engine"))
        key("s", action=onward("same"))
        key("m", action=stopping(self.next_mistake))
        key("r", action=retry)
        key("escape", action=escape)
        key("q", "c-c", "<sigint>", "c-d", action=lambda event: event.app.exit())
        return keys
