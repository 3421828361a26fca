"""Runs prompt-toolkit, which reads and edits, while the canvas of the screen draws."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gameplay.display.terminal.canvas import NO_PASTE, PASTE
from gameplay.errors import Terminated

if TYPE_CHECKING:
    from gameplay.display.terminal.screen import Screen

TICK = 0.2  # seconds between updates of a running clock

Frame = Callable[[int, int], tuple[list[str], tuple[int, int] | None]]  # of columns and rows: lines, cursor


def run_prompt(
    screen: "Screen", frame: Frame, keys: Any, buffer: Any = None, expired: Callable[[], bool] | None = None
) -> Any:
    """Show a frame in place after each key until one of `keys` ends the prompt; returns its result.

    expired: called every TICK seconds with a redraw; ends the prompt with "" once true.
    prompt-toolkit reads and edits; the screen's canvas draws. Raises Terminated after SIGTERM.
    """
    from prompt_toolkit.application import Application
    from prompt_toolkit.layout import Layout, Window
    from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl
    from prompt_toolkit.output import DummyOutput
    from prompt_toolkit.renderer import Renderer

    class CanvasRenderer(Renderer):
        """Delegates all drawing to the screen."""

        def render(self, app: Any, layout: Any, is_done: bool = False) -> None:
            if not is_done:
                screen.keyboard.save_modes()
                size = screen.theme.console.size
                screen.paint(*frame(size.width, size.height))

        def erase(self, leave_alternate_screen: bool = True) -> None: ...

        def clear(self) -> None:
            screen.canvas.redraw()

        def request_absolute_cursor_position(self) -> None: ...

    shown = FormattedTextControl("", focusable=True) if buffer is None else BufferControl(buffer)
    keys.add("c-z")(lambda event: screen.keyboard.suspend())
    application: Any = Application(layout=Layout(Window(shown)), key_bindings=keys, output=DummyOutput())
    application.renderer = CanvasRenderer(application.renderer.style, application.output)

    def tick(app: Any) -> None:
        if expired is not None and expired() and app.is_running and not app.is_done:
            app.exit(result="")

    terminated: list[Terminated] = []  # raised in the event loop, asyncio would print its traceback

    def exit_if_terminated() -> None:
        if terminated and not application.is_done:
            application.exit()

    def on_sigterm(error: Terminated) -> None:
        terminated.append(error)
        if application.loop is not None:
            application.loop.call_soon_threadsafe(exit_if_terminated)

    if expired is not None:
        application.refresh_interval = TICK
        application.before_render += tick
    screen.keyboard.acquire()
    screen.keyboard.begin_prompt()
    screen.keyboard.on_sigterm = on_sigterm
    screen.canvas.send(PASTE)
    try:
        answer = application.run(pre_run=exit_if_terminated)
    finally:
        screen.keyboard.on_sigterm = None
        screen.canvas.send(NO_PASTE)
        screen.keyboard.end_prompt()
    if terminated:
        raise terminated[0]
    return answer


def unread_keys(keys: str) -> None:
    """Return keys to the input of the next prompt, after its own unread keys."""
    from prompt_toolkit.input.defaults import create_input
    from prompt_toolkit.input.typeahead import store_typeahead
    from prompt_toolkit.input.vt100_parser import Vt100Parser

    pressed: list[Any] = []
    parser = Vt100Parser(pressed.append)
    parser.feed_and_flush(keys.replace("\n", "\r"))  # between two questions the terminal turns Enter into \n
    store_typeahead(create_input(), pressed)
