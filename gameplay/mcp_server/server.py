"""The protocol: tools, resources and prompts for a client that speaks MCP, with the library `mcp`.

Calls run on threads, a few at a time; the loop answers meanwhile. A cancelled call ends its search. On
standard output stand messages of the protocol alone: what else is printed goes to standard error.

The library is imported inside functions: the package can be imported where it is not installed.
"""

import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import IO, TYPE_CHECKING, Any, BinaryIO, TypeAlias, cast

import msgspec

from gameplay import __version__
from gameplay.errors import GameplayError, Terminated, TryLater, unknown
from gameplay.mcp_server import material
from gameplay.mcp_server.answers import ToolAnswer
from gameplay.mcp_server.bounds import Call, Rate, clipped
from gameplay.mcp_server.requests import read, schema
from gameplay.mcp_server.tools import TOOLS, ToolEntry, Toolset

if TYPE_CHECKING:
    from mcp import types
    from mcp.server import Server, ServerRequestContext

    Context: TypeAlias = ServerRequestContext[Any, Any]

TICK = 0.5  # seconds between two notes of progress
LINE = 4_000_000  # bytes of a message at most
INVALID = -32602  # the error of JSON-RPC for wrong parameters
ERROR = 600  # characters of an error
GUIDE = (
    "Board, card and dice games with exact solvers and engines. Rules: describe_game. Moves are in the "
    "notation of each game; show_position lists legal ones. To play: start_game, then play_move. To analyse: "
    "exact_value (proven) or best_lines (search), explain_move, review_game. To teach: hint, level 1 first. "
    "Values are from the view of the side to move; never guess what a tool can compute."
)


class GameServer:
    """Answers the requests of one client."""

    def __init__(self, tools: Toolset) -> None:
        import anyio

        self.tools = tools
        self.rate = Rate(tools.bounds.a_minute)
        self.running = 0  # calls that run or wait
        self._turns = anyio.CapacityLimiter(tools.bounds.at_once)

    def server(self) -> "Server[Any]":
        """The server of the library, with our handlers."""
        from mcp.server import Server

        return Server(
            "gameplay",
            version=__version__,
            title="gameplay: games, engines and lessons",
            instructions=GUIDE,
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_list_prompts=self.list_prompts,
            on_get_prompt=self.get_prompt,
            on_completion=self.complete,
        )

    # -- tools ---------------------------------------------------------------------------------

    async def list_tools(self, context: "Context", params: object) -> "types.ListToolsResult":
        """All of them, with the schemas of arguments and answers."""
        from mcp import types

        return types.ListToolsResult(tools=[self._described(entry) for entry in TOOLS.values()])

    def _described(self, entry: ToolEntry) -> "types.Tool":
        from mcp import types

        return types.Tool(
            name=entry.name,
            title=entry.title,
            description=entry.description,
            input_schema=schema(entry.arguments, self.tools.bounds.seconds),
            output_schema=schema(entry.answer),
            annotations=types.ToolAnnotations(
                title=entry.title,
                read_only_hint=entry.reads,
                destructive_hint=entry.name == "close_game",
                idempotent_hint=entry.reads,
                open_world_hint=False,
            ),
        )

    async def call_tool(
        self, context: "Context", params: "types.CallToolRequestParams"
    ) -> "types.CallToolResult":
        """The answer of a tool, as data and as text; errors are answers, too."""
        from mcp.shared.exceptions import MCPError

        entry = TOOLS.get(params.name)
        if entry is None:
            raise MCPError(INVALID, clipped(unknown("tool", params.name, TOOLS), ERROR))
        try:
            self.rate.count()
            if self.running >= self.tools.bounds.at_once + self.tools.bounds.waiting:
                raise TryLater(f"{self.running} calls are running or waiting. Try again when one has ended")
            asked = read(entry.arguments, params.arguments or {})
            given = msgspec.structs.asdict(asked)
            call = Call(entry.bounded(self.tools.bounds), given.get("seconds"), given.get("nodes"))
        except GameplayError as error:
            return _refused(error)
        return await self._answered(context, call, partial(entry.act, self.tools, asked, call))

    async def _answered(
        self, context: "Context", call: Call, act: Callable[[], ToolAnswer]
    ) -> "types.CallToolResult":
        """What `act` returns, which runs on a thread of its own, with notes of progress meanwhile."""
        import anyio
        import anyio.to_thread

        self.running += 1
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(_report, context, call)
                try:
                    answer = await anyio.to_thread.run_sync(
                        partial(_acted, call, act), limiter=self._turns, abandon_on_cancel=True
                    )
                finally:
                    call.stop.set()
                group.cancel_scope.cancel()
        finally:
            self.running -= 1
        return answer

    # -- resources and prompts -------------------------------------------------------------------

    async def list_resources(self, context: "Context", params: object) -> "types.ListResourcesResult":
        """The texts at fixed addresses."""
        from mcp import types

        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=one.uri, name=one.name, description=one.description, mime_type="text/plain"
                )
                for one in material.RESOURCES
            ]
        )

    async def list_templates(self, context: "Context", params: object) -> "types.ListResourceTemplatesResult":
        """The address of the rules of a game."""
        from mcp import types

        rules = types.ResourceTemplate(
            uri_template=material.TEMPLATE,
            name="rules",
            description="The rules of a game in full, its notation, symbols and parameters",
            mime_type="text/plain",
        )
        return types.ListResourceTemplatesResult(resource_templates=[rules])

    async def read_resource(
        self, context: "Context", params: "types.ReadResourceRequestParams"
    ) -> "types.ReadResourceResult":
        """A text."""
        from mcp import types

        uri = str(params.uri)
        text = await self._text(lambda: material.read(uri, self.tools))
        content = types.TextResourceContents(uri=uri, mime_type="text/plain", text=text)
        return types.ReadResourceResult(contents=[content])

    async def list_prompts(self, context: "Context", params: object) -> "types.ListPromptsResult":
        """The prompts with their arguments."""
        from mcp import types

        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=one.name,
                    title=one.title,
                    description=one.description,
                    arguments=[
                        types.PromptArgument(name=name, description=text, required=not number)
                        for number, (name, text) in enumerate(one.arguments.items())
                    ],
                )
                for one in material.PROMPTS
            ]
        )

    async def get_prompt(
        self, context: "Context", params: "types.GetPromptRequestParams"
    ) -> "types.GetPromptResult":
        """The text of a prompt."""
        from mcp import types

        given = params.arguments or {}
        text = await self._text(lambda: material.prompt(params.name, given))
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(messages=[message])

    async def complete(
        self, context: "Context", params: "types.CompleteRequestParams"
    ) -> "types.CompleteResult":
        """The names of games that begin with what was typed."""
        from mcp import types

        names = material.completed(params.argument.name, params.argument.value, self.tools)
        return types.CompleteResult(completion=types.Completion(values=names[:100], total=len(names)))

    async def _text(self, make: Callable[[], str]) -> str:
        """A text that is made on a thread. Raises MCPError with the one line of an error."""
        import anyio.to_thread
        from mcp.shared.exceptions import MCPError

        try:
            self.rate.count()
            return await anyio.to_thread.run_sync(make, limiter=self._turns)
        except GameplayError as error:
            raise MCPError(INVALID, clipped(str(error), ERROR)) from None


def _acted(call: Call, act: Callable[[], ToolAnswer]) -> "types.CallToolResult":
    """The answer of a tool; whatever goes wrong is an answer, too."""
    from mcp import types

    call.start()
    try:
        answer = act()
        return types.CallToolResult(
            content=[types.TextContent(text=clipped(answer.text()))],
            structured_content=msgspec.to_builtins(answer),
        )
    except GameplayError as error:
        return _refused(error)
    except (Exception, Terminated) as error:
        line = f"internal error: {type(error).__name__}: {error}"
        print(clipped(f"gameplay mcp: {line}", ERROR), file=sys.stderr)
        return _refused(GameplayError(line))


def _refused(error: GameplayError) -> "types.CallToolResult":
    """An error as a tool returns it."""
    from mcp import types

    return types.CallToolResult(content=[types.TextContent(text=clipped(str(error), ERROR))], is_error=True)


async def _report(context: "Context", call: Call) -> None:
    """Note how far a call is, for a client that asked for that."""
    import anyio

    sent = ""
    while True:
        await anyio.sleep(TICK)
        if call.progress and call.progress != sent:
            sent = call.progress
            with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                await context.session.report_progress(min(call.elapsed, call.seconds), call.seconds, sent)


# -- standard input and output -------------------------------------------------------------------


class BoundedLines:
    """Lines of UTF-8 from a stream of bytes. One that is longer than `most` bytes is read and dropped.

    The loop iterates over them. A thread that waits for a line does not keep the program from ending.
    """

    def __init__(self, stream: BinaryIO, most: int = LINE) -> None:
        self.stream = stream
        self.most = most

    def readline(self) -> str:
        """The next line; one that is no message in place of a line that is too long; "" at the end."""
        line = self.stream.readline(self.most)
        if len(line) < self.most or line.endswith(b"\n"):
            return line.decode(errors="replace")
        while rest := self.stream.readline(self.most):
            if rest.endswith(b"\n"):
                break
        return "too long\n"

    def __aiter__(self) -> "BoundedLines":
        return self

    async def __anext__(self) -> str:
        import asyncio

        loop = asyncio.get_running_loop()
        future: asyncio.Future[str] = loop.create_future()

        def settle(line: str) -> None:
            if not future.done():
                future.set_result(line)

        def wait() -> None:
            line = self.readline()
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(settle, line)

        threading.Thread(target=wait, name="input", daemon=True).start()
        line = await future
        if not line:
            raise StopAsyncIteration
        return line


def serve(tools: Toolset, source: BinaryIO, sink: IO[str]) -> None:
    """Answer the client that writes to `source` and reads `sink`, until it leaves.

    Raises BrokenPipeError if it reads no more, KeyboardInterrupt after Ctrl-C.
    """
    import asyncio

    import anyio
    from mcp.server.stdio import stdio_server

    interrupted = False

    async def run() -> None:
        server = GameServer(tools).server()
        lines = cast("anyio.AsyncFile[str]", BoundedLines(source))  # of which iteration alone is used
        try:
            async with stdio_server(lines, anyio.wrap_file(sink)) as (received, sent):
                await server.run(received, sent, server.create_initialization_options())
        finally:  # Ctrl-C cancels this task; a message on its way may then fail with an error of its own
            nonlocal interrupted
            task = asyncio.current_task()
            interrupted = task is not None and task.cancelling() > 0

    try:
        anyio.run(run)
    except BaseExceptionGroup as errors:
        if interrupted:
            raise KeyboardInterrupt from None
        if errors.subgroup(BrokenPipeError) is None:
            raise
        raise BrokenPipeError from None
