"""The protocol: tools, resources and prompts for a client that speaks MCP, with the library `mcp`.

A limited number of calls run concurrently on threads, while the event loop answers other requests. Cancelling
a call stops its search. Standard output has protocol messages only; other output goes to standard error.

The library is imported inside functions: this module can be imported without it.
"""

import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import IO, TYPE_CHECKING, Any, BinaryIO, TypeAlias, cast

import msgspec

from gameplay import __version__
from gameplay.errors import GameplayError, Terminated, TryLater, unknown_name
from gameplay.mcp_server import resources
from gameplay.mcp_server.answers import ToolAnswer
from gameplay.mcp_server.limits import Call, RateLimit, clip
from gameplay.mcp_server.requests import read, schema
from gameplay.mcp_server.tools import TOOLS, ToolEntry, Toolset

if TYPE_CHECKING:
    from mcp import types
    from mcp.server import Server, ServerRequestContext

    Context: TypeAlias = ServerRequestContext[Any, Any]

PROGRESS_INTERVAL = 0.5  # seconds between progress notifications
MAX_MESSAGE = 4_000_000  # bytes
INVALID_PARAMS = -32602  # JSON-RPC error code
MAX_ERROR = 600  # characters of an error
INSTRUCTIONS = (
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
        self.rate = RateLimit(tools.bounds.calls_per_minute)
        self.running = 0  # calls that run or wait
        self._turns = anyio.CapacityLimiter(tools.bounds.max_running)

    def server(self) -> "Server[Any]":
        """The server of the library, with our handlers."""
        from mcp.server import Server

        return Server(
            "gameplay",
            version=__version__,
            title="gameplay: games, engines and lessons",
            instructions=INSTRUCTIONS,
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
        """The tools, with the schemas of arguments and answers."""
        from mcp import types

        return types.ListToolsResult(tools=[self._tool(entry) for entry in TOOLS.values()])

    def _tool(self, entry: ToolEntry) -> "types.Tool":
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
            raise MCPError(INVALID_PARAMS, clip(unknown_name("tool", params.name, TOOLS), MAX_ERROR))
        try:
            self.rate.count()
            if self.running >= self.tools.bounds.max_running + self.tools.bounds.max_waiting:
                raise TryLater(f"{self.running} calls are running or waiting. Try again when one has ended")
            request = read(entry.arguments, params.arguments or {})
            given = msgspec.structs.asdict(request)
            call = Call(entry.bounded(self.tools.bounds), given.get("seconds"), given.get("nodes"))
        except GameplayError as error:
            return _error_result(error)
        return await self._run_call(context, call, partial(entry.act, self.tools, request, call))

    async def _run_call(
        self, context: "Context", call: Call, act: Callable[[], ToolAnswer]
    ) -> "types.CallToolResult":
        """The result of `act`, which runs on a thread, with progress notifications meanwhile."""
        import anyio
        import anyio.to_thread

        self.running += 1
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(_report_progress, context, call)
                try:
                    answer = await anyio.to_thread.run_sync(
                        partial(_run_tool, call, act), limiter=self._turns, abandon_on_cancel=True
                    )
                finally:
                    call.stop.set()
                group.cancel_scope.cancel()
        finally:
            self.running -= 1
        return answer

    # -- resources and prompts -------------------------------------------------------------------

    async def list_resources(self, context: "Context", params: object) -> "types.ListResourcesResult":
        """The resources at fixed URIs."""
        from mcp import types

        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=resource.uri,
                    name=resource.name,
                    description=resource.description,
                    mime_type="text/plain",
                )
                for resource in resources.RESOURCES
            ]
        )

    async def list_templates(self, context: "Context", params: object) -> "types.ListResourceTemplatesResult":
        """The URI template of the rules of a game."""
        from mcp import types

        rules = types.ResourceTemplate(
            uri_template=resources.TEMPLATE,
            name="rules",
            description="The rules of a game in full, its notation, symbols and parameters",
            mime_type="text/plain",
        )
        return types.ListResourceTemplatesResult(resource_templates=[rules])

    async def read_resource(
        self, context: "Context", params: "types.ReadResourceRequestParams"
    ) -> "types.ReadResourceResult":
        """The text of a resource."""
        from mcp import types

        uri = str(params.uri)
        text = await self._text(lambda: resources.read(uri, self.tools))
        content = types.TextResourceContents(uri=uri, mime_type="text/plain", text=text)
        return types.ReadResourceResult(contents=[content])

    async def list_prompts(self, context: "Context", params: object) -> "types.ListPromptsResult":
        """The prompts with their arguments."""
        from mcp import types

        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=prompt.name,
                    title=prompt.title,
                    description=prompt.description,
                    arguments=[
                        types.PromptArgument(name=name, description=text, required=not number)
                        for number, (name, text) in enumerate(prompt.arguments.items())
                    ],
                )
                for prompt in resources.PROMPTS
            ]
        )

    async def get_prompt(
        self, context: "Context", params: "types.GetPromptRequestParams"
    ) -> "types.GetPromptResult":
        """The text of a prompt."""
        from mcp import types

        given = params.arguments or {}
        text = await self._text(lambda: resources.render_prompt(params.name, given))
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(messages=[message])

    async def complete(
        self, context: "Context", params: "types.CompleteRequestParams"
    ) -> "types.CompleteResult":
        """The names of games that begin with what was typed."""
        from mcp import types

        names = resources.complete_argument(params.argument.name, params.argument.value, self.tools)
        return types.CompleteResult(completion=types.Completion(values=names[:100], total=len(names)))

    async def _text(self, make: Callable[[], str]) -> str:
        """A text that is made on a thread. Raises MCPError with the one line of an error."""
        import anyio.to_thread
        from mcp.shared.exceptions import MCPError

        try:
            self.rate.count()
            return await anyio.to_thread.run_sync(make, limiter=self._turns)
        except GameplayError as error:
            raise MCPError(INVALID_PARAMS, clip(str(error), MAX_ERROR)) from None


def _run_tool(call: Call, act: Callable[[], ToolAnswer]) -> "types.CallToolResult":
    """The answer of a tool; whatever goes wrong is an answer, too."""
    from mcp import types

    call.start()
    try:
        answer = act()
        return types.CallToolResult(
            content=[types.TextContent(text=clip(answer.text()))],
            structured_content=msgspec.to_builtins(answer),
        )
    except GameplayError as error:
        return _error_result(error)
    except (Exception, Terminated) as error:
        line = f"internal error: {type(error).__name__}: {error}"
        print(clip(f"gameplay: {line}", MAX_ERROR), file=sys.stderr)
        return _error_result(GameplayError(line))


def _error_result(error: GameplayError) -> "types.CallToolResult":
    """The result of a tool call that failed."""
    from mcp import types

    return types.CallToolResult(content=[types.TextContent(text=clip(str(error), MAX_ERROR))], is_error=True)


async def _report_progress(context: "Context", call: Call) -> None:
    """Send progress notifications of a call."""
    import anyio

    sent = ""
    while True:
        await anyio.sleep(PROGRESS_INTERVAL)
        if call.progress and call.progress != sent:
            sent = call.progress
            with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                await context.session.report_progress(min(call.elapsed, call.seconds), call.seconds, sent)


# -- standard input and output -------------------------------------------------------------------


class BoundedLines:
    """Lines of UTF-8 from a byte stream, as an asynchronous iterator. Lines over `most` bytes are dropped.

    Lines are read on daemon threads, which do not block the exit of the program.
    """

    def __init__(self, stream: BinaryIO, most: int = MAX_MESSAGE) -> None:
        self.stream = stream
        self.most = most

    def readline(self) -> str:
        """The next line; `too long` in place of a line that is too long; "" at the end."""
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
    """Serve the client that writes to `source` and reads `sink`, until the end of `source`.

    Raises BrokenPipeError if the client closed `sink`, KeyboardInterrupt after Ctrl-C.
    """
    import asyncio

    import anyio
    from mcp.server.stdio import stdio_server

    interrupted = False

    async def run() -> None:
        server = GameServer(tools).server()
        lines = cast("anyio.AsyncFile[str]", BoundedLines(source))  # only iteration is used
        try:
            async with stdio_server(lines, anyio.wrap_file(sink)) as (received, sent):
                await server.run(received, sent, server.create_initialization_options())
        finally:  # Ctrl-C cancels this task; a pending message may then fail with another error
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
