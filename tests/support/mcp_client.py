"""Calls of a client that speaks MCP, by the library's own client and our server in one process."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
from mcp import Client
from mcp.types import CallToolResult

from gameplay.display.terminal.line import board_text
from gameplay.mcp_server.server import GameServer
from gameplay.mcp_server.tools import Toolset

Found = TypeVar("Found")


def toolset(**options: Any) -> Toolset:
    """The tools with the limits of the program, and a seed."""
    return Toolset(board_text, **({"seed": 1} | options))


def with_client(use: Callable[[Client], Awaitable[Found]], tools: Toolset | None = None) -> Found:
    """The result of `use` with a client that is connected to a server."""

    async def run() -> Found:
        async with Client(GameServer(tools or toolset()).server()) as client:
            return await use(client)

    return anyio.run(run)


def text_of(answer: CallToolResult) -> str:
    """The text of an answer."""
    return "".join(content.text for content in answer.content if content.type == "text")


def call_tools(
    *calls: tuple[str, dict[str, Any]], tools: Toolset | None = None
) -> list[tuple[bool, str, dict[str, Any]]]:
    """The answers of consecutive calls: whether it is an error, text and data."""

    async def use(client: Client) -> list[tuple[bool, str, dict[str, Any]]]:
        results = [await client.call_tool(name, arguments) for name, arguments in calls]
        return [
            (bool(result.is_error), text_of(result), result.structured_content or {}) for result in results
        ]

    return with_client(use, tools)


def call_tool(name: str, tools: Toolset | None = None, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """Text and data of one successful call."""
    ((wrong, text, data),) = call_tools((name, arguments), tools=tools)
    assert not wrong, text
    return text, data


def call_with_error(name: str, tools: Toolset | None = None, **arguments: Any) -> str:
    """The error line of one failing call."""
    ((wrong, text, _),) = call_tools((name, arguments), tools=tools)
    assert wrong, text
    assert text and "\n" not in text and "Traceback" not in text and len(text) <= 700
    return text
