"""`gameplay mcp` as a process: only protocol messages on its output, for any input."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

from gameplay.cli import router, run
from gameplay.mcp_server.server import BoundedLines
from tests.support.mcp_client import text_of

pytestmark = pytest.mark.once

COMMAND = [sys.executable, "-m", "gameplay", "mcp"]
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
# A game that prints, as it is loaded and as it is played.
NOISY = """
import os
from gameplay import Position, undoable

print("noise")
os.write(1, b"noise\\n")


class Noisy(Position):
    "Prints."

    def __init__(self):
        super().__init__()
        self.made = 0

    def moves(self):
        print("noise")
        os.write(1, b"noise\\n")
        return [0, 1]

    @undoable
    def make(self, move):
        self.made += 1
        self.turn = 1 - self.turn

    def outcome(self):
        return (1, -1) if self.made == 3 else None
"""


def request(number: int, method: str, **params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message).encode() + b"\n"


def test_the_client_of_the_library_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    (tmp_path / "noisy.py").write_text(NOISY)
    words = ["--seed", "1", "--save", "--game", str(tmp_path / "noisy.py")]
    server = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], *words], env={"GAMEPLAY_HOME": str(tmp_path)}
    )

    async def use() -> list[str]:
        async with Client(server) as client:
            return [
                text_of(await client.call_tool("start_game", {"game": "nim", "opponent": "perfect"})),
                text_of(await client.call_tool("play_move", {"game_id": "g1", "move": "a2"})),
                text_of(await client.call_tool("show_position", {"game": "noisy"})),
                text_of(await client.call_tool("best_lines", {"game": "noisy", "depth": 3})),
            ]

    begun, moved, noisy, searched = anyio.run(use)
    assert begun.startswith("g1: nim, you are first against perfect") and "second: " in moved
    assert "legal moves: 0 1" in noisy and searched.startswith("exact: ")
    (saved,) = (tmp_path / "games").glob("*.json")
    assert json.loads(saved.read_text().splitlines()[0])["game"] == "nim"


def test_malformed_lines_cost_nothing_but_themselves() -> None:
    """Malformed text, invalid UTF-8 and a line of 5 MB stand between two requests."""
    lines = [
        request(1, "initialize", **HELLO),
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
        *(b"{nonsense\n", b"[1,2\n", b'"text"\n', b"\xff\xfe\n", b"\n", b"x" * 5_000_000 + b"\n"),
        *(b'{"jsonrpc":"2.0","id":2}\n', b'{"jsonrpc":"2.0","id":[],"method":"ping"}\n'),
        request(3, "tools/call", name="show_position", arguments={"game": "nim"}),
        request(4, "tools/call", name="nope", arguments={}),
        request(5, "tools/call", name="hint", arguments=[]),
        request(6, "nope"),
        request(7, "tools/call", name="show_position", arguments={"game": "chess", "moves": "e4" * 500_000}),
    ]
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdin.write(b"".join(lines))
    process.stdin.flush()
    answers: dict[Any, Any] = {}
    while len(answers) < 6:
        answer = json.loads(process.stdout.readline())
        answers[answer["id"]] = answer
    process.stdin.close()
    rest, complaints = process.stdout.read(), process.stderr.read().decode()
    assert (process.wait(), rest) == (0, b"") and "Traceback" not in complaints
    assert answers[1]["result"]["serverInfo"]["name"] == "gameplay"
    assert answers[3]["result"]["structuredContent"]["turn"] == "first"
    assert "unknown tool 'nope'" in answers[4]["error"]["message"]
    assert answers[5]["error"]["code"] == -32602 and answers[6]["error"]["code"] == -32601
    assert answers[7]["result"]["isError"]


def test_a_closed_input_is_an_empty_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert run(router, "gameplay", ["mcp"]) == 0
    assert capsys.readouterr() == ("", "")


def test_long_lines_are_dropped(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_bytes(b"one\n" + b"x" * 25 + b"\n" + b"y" * 9 + b"\n" + b"z" * 40)
    with file.open("rb") as stream:
        lines = BoundedLines(stream, 10)
        assert [lines.readline() for _ in range(5)] == [
            "one\n",
            "too long\n",
            "yyyyyyyyy\n",
            "too long\n",
            "",
        ]


def test_a_missing_library_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    assert run(router, "gameplay", ["mcp"]) == 2
    assert capsys.readouterr().err == "gameplay: gameplay mcp needs mcp: pip install 'gameplay[mcp]'\n"


@pytest.mark.parametrize(
    ("words", "status", "line"),
    [
        (["chess"], 2, "chess"),
        (["--time", "0"], 2, "--time: '0.0' is not a number from 0.1 to 3600"),
        (["--time", "x"], 2, "--time: 'x' is not"),
        (["--seed", "-1"], 2, "--seed: '-1' is not"),
        (["--game", "ches"], 2, "unknown game 'ches'; did you mean 'chess'?"),
        (["--game", "./none.py"], 6, "none.py"),
    ],
)
def test_wrong_options(words: list[str], status: int, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(router, "gameplay", ["mcp", *words]) == status
    out, err = capsys.readouterr()
    assert out == "" and line in err and len(err.splitlines()) <= 2


@pytest.mark.parametrize("how", ["interrupt", "reader gone"])
def test_the_server_ends_at_once(how: str) -> None:
    """During a search of 30 s, and before the client closes the input."""
    if how == "interrupt" and sys.platform == "win32":
        pytest.skip("a process cannot be sent SIGINT there")
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(request(1, "initialize", **HELLO))
        process.stdin.flush()
        assert b'"gameplay"' in process.stdout.readline()
        search = request(2, "tools/call", name="best_lines", arguments={"game": "chess", "seconds": 30})
        process.stdin.write(search)
        process.stdin.flush()
        if how == "interrupt":
            process.send_signal(signal.SIGINT)
        else:
            process.stdout.close()
            process.stdin.write(request(3, "ping"))
            process.stdin.flush()
        status = process.wait(20)
        complaint = process.stderr.read().strip()
    assert (status, complaint) == ((130, b"interrupted") if how == "interrupt" else (141, b""))
