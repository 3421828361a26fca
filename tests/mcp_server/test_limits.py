"""Refusals and limits of `gameplay mcp`: wrong and hostile arguments, cancellation, secrets."""

import threading
from pathlib import Path
from random import Random
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from gameplay import registry
from gameplay.errors import TryLater, Usage
from gameplay.mcp_server import limits, resources
from gameplay.mcp_server.limits import Bounds, Call, RateLimit, clip
from gameplay.mcp_server.tools import TOOLS, Toolset
from tests.support.mcp_client import call_tool, call_tools, call_with_error, text_of, toolset, with_client
from tests.support.play import STICKS

pytestmark = pytest.mark.once

# A tool, arguments, and what the line says.
WRONG: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("show_position", {}, 'game is missing: name one, or give game_id. Try: "game": "connect4"'),
    ("describe_game", {}, 'game is missing. Try: "game": "connect4"'),
    ("show_position", {"game": 3}, 'game must be a text, not 3. Try: "game": "connect4"'),
    ("show_position", {"game": ["chess"]}, "game must be a text, not ['chess']"),
    ("show_position", {"game": "conect4"}, "unknown game 'conect4'; did you mean 'connect4'?"),
    (
        "show_position",
        {"game": "connect4", "move": "3"},
        "unknown argument 'move'; did you mean 'moves'?",
    ),
    ("show_position", {"game": "connect4", "moves": "9"}, "move 1: '9' is not a legal move here"),
    ("show_position", {"game": "connect4:columns=x"}, "columns must be a whole number, not 'x'"),
    ("show_position", {"game": "connect4:columns=99999999"}, "1 to 64 columns"),
    ("show_position", {"game": "chess", "start": "x\x1b[31m"}, "'x\\u001b[31m' is neither a FEN"),
    ("show_position", {"game": "chess", "moves": "\u202e\x00e4"}, "\\u202e\\u0000"),
    ("show_position", {"game": "chess", "moves": "e4" * 500_000}, "at most 20,000 characters, not 1,000,000"),
    ("show_position", {"game": "chess", "moves": "4 " * 9_000}, "move 1: '4'"),
    ("show_position", {"game_id": "g9"}, "there is no open game 'g9' (open: none"),
    ("show_position", {"game_id": "g9", "game": "chess"}, "game is for a position without game_id"),
    ("play_move", {"game_id": "g\x07"}, "g\\u0007"),
    ("best_lines", {"game": "chess", "seconds": 31}, "seconds must be over 0, up to 30, not 31. Try: 30"),
    ("best_lines", {"game": "chess", "seconds": 0}, "seconds must be a number over 0, not 0"),
    ("best_lines", {"game": "chess", "seconds": "2"}, "seconds must be a number, not '2'"),
    ("best_lines", {"game": "chess", "nodes": 10**10}, "nodes must be a whole number at most 1e+09"),
    ("best_lines", {"game": "chess", "nodes": True}, "nodes must be a whole number, not True"),
    ("best_lines", {"game": "chess", "lines": 11}, "lines must be a whole number at most 10, not 11"),
    ("best_lines", {"game": "chess", "depth": 0}, "depth must be a whole number at least 1, not 0"),
    (
        "best_lines",
        {"game": "chess", "engine": "mcts:sims=9"},
        "an engine must be a name alone, not 'mcts:sims=9'",
    ),
    ("best_lines", {"game": "chess", "engine": "random"}, "random does not search"),
    ("best_lines", {"game": "backgammon"}, "chance is to move"),
    ("hint", {"game": "chess", "level": 4}, "level must be a whole number at most 3, not 4"),
    ("hint", {"game": "chess", "moves": "f3 e5 g4 Qh4"}, "the game is over"),
    ("explain_move", {"game": "chess"}, "move is missing"),
    ("explain_move", {"game": "chess", "move": "Ke4"}, "'Ke4' is not legal here: no king can go to e4"),
    ("exact_value", {"game": "leduc"}, "leduc has imperfect information. Try: best_lines"),
    ("exact_value", {"game": "pig"}, "pig has chance nodes. Try: best_lines"),
    ("exact_value", {"game": "puzzle15"}, "is a puzzle. Try: best_lines"),
    ("review_game", {"game": "chess"}, "there are no moves to review"),
    ("review_game", {"game": "leduc", "moves": "Jh Ks"}, "leduc cannot be reviewed"),
    (
        "review_game",
        {"text": "1. e4 e5 2. Kd5", "format": "pgn"},
        "text, line 1, game 1: 'Kd5' is not legal here",
    ),
    ("review_game", {"text": "x", "format": "exe"}, "unknown format 'exe'"),
    ("review_game", {"text": "x", "game": "chess"}, "game and text both name a game"),
    ("review_game", {"text": "x" * 300_000}, "text must be a text of at most 200,000 characters, not"),
    ("start_game", {"game": "chess", "seat": "red"}, "unknown side 'red'"),
    ("start_game", {"game": "chess", "opponent": "level:99"}, "a level of chess must be from 1 to 13"),
    ("start_game", {"game": "chess", "opponent": "human"}, "unknown engine 'human'"),
    (
        "start_game",
        {"game": "leduc", "opponent": "none"},
        "leduc has imperfect information: you play one side",
    ),
    ("start_game", {"game": "chess", "opponent": "puzzle"}, "unknown engine 'puzzle'"),
)


@pytest.mark.parametrize(("name", "arguments", "line"), WRONG)
def test_wrong_arguments_are_one_line(name: str, arguments: dict[str, Any], line: str) -> None:
    assert line in call_with_error(name, **arguments)


@pytest.mark.parametrize(
    "named",
    [
        {"game": "./evil.py"},
        {"game": "evil.py:Evil"},
        {"game": "{folder}/evil.py"},
        {"game": "evil.toml"},
        {"game": "tree:{folder}/evil.toml"},
        {"game": "scrabble:words={folder}/evil.py"},
        {"game": "bridge:system={folder}/evil.py"},
        {"game": "stratego:setups={folder}/evil.py"},
        {"game": "chess", "engine": "./evil.py"},
        {"game": "chess", "engine": "alphabeta:eval=evil.py"},
        {"game": "chess", "engine": "strategy:evil.toml"},
        {"game": "chess", "engine": "uci:{folder}/evil.py"},
        {"game": "chess", "opponent": "uci:{folder}/evil.py"},
        {"game": "chess", "opponent": "evil.py"},
        {"game": "chess", "opponent": "script:evil.toml"},
        {"game": "chess", "opponent": "level:1,book={folder}/evil.py"},
        {"game": "chess", "opponent": "strategy"},
    ],
)
def test_a_call_names_no_file(named: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text("open('ran', 'w')\nclass Evil: moves = make = outcome = None\n")
    (tmp_path / "evil.toml").write_text("")
    arguments = {name: text.replace("{folder}", str(tmp_path)) for name, text in named.items()}
    tool = "best_lines" if "engine" in named else "start_game"
    call_with_error(tool, **arguments)
    assert not (tmp_path / "ran").exists()


def test_games_that_the_user_gave_are_offered() -> None:
    tools = toolset(own=(registry.game(f"{STICKS}:sticks=7"),))
    data = call_tool("exact_value", tools, game="sticks")[1]
    assert data["kind"] == "exact" and data["value"].startswith("first wins in ")
    assert data["moves"][0]["move"] == "2"  # which leaves five
    assert "sticks" in call_tool("list_games", tools)[0]
    call_with_error("show_position", game="sticks")


def test_unknown_names_are_errors_of_the_protocol() -> None:
    async def use(client: Client) -> list[str]:
        results = []
        for ask in (
            lambda: client.call_tool("play_mov", {}),
            lambda: client.read_resource("gameplay://rule"),
            lambda: client.read_resource("file:///etc/passwd"),
            lambda: client.read_resource("gameplay://rules/..%2f..%2fetc"),
            lambda: client.get_prompt("teach", {}),
            lambda: client.get_prompt("teach", {"game": "x" * 201}),
            lambda: client.get_prompt("review", {"gam": "x"}),
            lambda: client.get_prompt("tech", {}),
        ):
            with pytest.raises(MCPError) as caught:
                await ask()
            results.append(str(caught.value))
        return results

    tool, resource, file, rules, missing, long, argument, prompt = with_client(use)
    assert "unknown tool 'play_mov'" in tool and "play_move" in tool
    assert "unknown resource" in resource and "unknown resource" in file
    assert "unknown game" in rules and "game is missing" in missing and "200 characters" in long
    assert "unknown argument 'gam'" in argument and "unknown prompt 'tech'" in prompt


def test_random_bytes_never_raise() -> None:
    rng, calls = Random(5), []
    letters = [
        '"',
        "\\",
        "\x00",
        "\x1b[2J",
        "é",
        "\u2028",
        "1",
        "e4",
        ":",
        "=",
        ",",
        " ",
        ".py",
        "/",
        "-",
        "%s",
    ]
    for _ in range(60):
        entry = rng.choice(list(TOOLS.values()))
        names = entry.arguments.__struct_fields__
        values: list[Any] = [
            "".join(rng.choices(letters, k=rng.randrange(30))),
            rng.randrange(-9, 9),
            None,
            [],
            {},
        ]
        calls.append(
            (entry.name, {name: rng.choice(values) for name in rng.sample(names, min(2, len(names)))})
        )
    for (wrong, text, _), call in zip(call_tools(*calls), calls, strict=True):
        assert text and text.replace("\n", "").isprintable(), call
        assert "internal error" not in text, (wrong, call)


# -- limits ---------------------------------------------------------------------------------------


def test_open_games_are_bounded() -> None:
    tools = toolset(bounds=Bounds(max_games=2))
    for _ in range(2):
        call_tool("start_game", tools, game="tictactoe", opponent="none")
    line = call_with_error("start_game", tools, game="tictactoe")
    assert line == "2 games are open, the maximum. Try: close_game (g1, g2)"
    call_tool("play_move", tools, game_id="g1", move="resign")
    call_tool("start_game", tools, game="tictactoe")  # in place of the one that is over
    assert call_with_error("show_position", tools, game_id="g1").startswith(
        "there is no open game 'g1' (open: g2"
    )
    call_tool("close_game", tools, game_id="g2")
    call_with_error("close_game", tools, game_id="g2")


def test_calls_a_minute_are_bounded() -> None:
    now = [0.0]
    rate = RateLimit(2, lambda: now[0])
    rate.count()
    now[0] = 30.0
    rate.count()
    with pytest.raises(TryLater, match=r"too many calls: 2 a minute are answered\. Try again in 30 s"):
        rate.count()
    now[0] = 60.0
    rate.count()
    *others, last = call_tools(*[("list_games", {})] * 4, tools=toolset(bounds=Bounds(calls_per_minute=3)))
    assert not any(wrong for wrong, _, _ in others) and last[0] and "too many calls" in last[1]


def test_time_is_bounded() -> None:
    call = Call(Bounds(seconds=5, default_seconds=2))
    assert call.seconds == 2 and call.limit().seconds is not None and call.limit().seconds <= 2
    assert Call(Bounds(seconds=5, default_seconds=2), nodes=9).seconds == 5  # a bound alone: nodes decide
    assert Call(Bounds(seconds=1, default_seconds=2)).seconds == 1
    assert Call(Bounds(seconds=5, default_seconds=9)).seconds == 5  # a game, a review
    with pytest.raises(Usage, match="seconds must be over 0, up to 5, not 6"):
        Call(Bounds(seconds=5), 6)
    call = Call(Bounds(), 1e-9)
    assert not call.stop.is_set() and call.over() and call.limit().seconds == 0.02
    _, data = call_tool("review_game", game="chess", moves="e4 e5 Nf3 Nc6", seconds=1e-9)
    assert "the time sufficed for the first 0 plies of 4" in data["note"] and data["mistakes"] == []


def test_answers_are_bounded() -> None:
    assert clip("x" * 20, 20) == "x" * 20
    assert clip("x" * 30, 20) == "x" * 20 + "\n... (cut: 10 of 30 characters left out)"
    assert clip("\x1b[2J") == "\\u001b[2J"
    text, data = call_tool("show_position", game="go:size=19")
    assert len(data["legal_moves"]) == limits.MAX_LISTED_MOVES and data["legal_count"] == 362
    assert "... (362 in all)" in text and len(text) < 3000


def test_calls_that_wait_are_bounded() -> None:
    tools = toolset(bounds=Bounds(max_running=1, max_waiting=1))
    gate = threading.Event()
    tools.draw = lambda board: str(gate.wait(5))  # a call that lasts until the gate opens

    async def use(client: Client) -> list[str]:
        texts: list[str] = []

        async def ask() -> None:
            texts.append(text_of(await client.call_tool("show_position", {"game": "nim"})))

        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(ask)
            while not texts:
                await anyio.sleep(0.001)
            gate.set()
        return texts

    first, *others = with_client(use, tools)
    assert "2 calls are running or waiting" in first and all("legal moves" in text for text in others)


# -- several calls at once --------------------------------------------------------------------------


def test_a_search_blocks_no_other_call_and_is_cancelled() -> None:
    """A search of 30 s ends at once when its caller cancels; others are answered meanwhile."""
    tools, ended, notes = toolset(), threading.Event(), []
    search = tools.best_lines

    def search_and_signal(asked: Any, call: Call) -> Any:
        try:
            return search(asked, call)
        finally:
            ended.set()

    async def use(client: Client) -> str:
        async def note(progress: float, total: float | None, message: str | None) -> None:
            notes.append((progress, total, message))

        async def ask() -> None:
            await client.call_tool("best_lines", {"game": "chess", "seconds": 30}, progress_callback=note)

        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            answer = text_of(await client.call_tool("show_position", {"game": "nim"}))
            assert not ended.is_set()
            while not notes:
                await anyio.sleep(0.01)
            group.cancel_scope.cancel()
        with anyio.fail_after(10):
            while not ended.is_set():
                await anyio.sleep(0.01)
        return answer

    entry = TOOLS["best_lines"]
    object.__setattr__(entry, "act", lambda tools, asked, call: search_and_signal(asked, call))
    try:
        assert "legal moves" in with_client(use, tools)
    finally:
        object.__setattr__(entry, "act", Toolset.best_lines)
    progress, total, message = notes[0]
    assert 0 < progress <= total == 30 and "nodes" in message and "depth" in message


def test_one_call_plays_in_a_game_at_a_time() -> None:
    tools = toolset()
    call_tool("start_game", tools, game="nim", opponent="none")
    game = tools.games.find("g1")
    with game.in_use(Call(Bounds())):
        assert call_with_error("play_move", tools, game_id="g1", move="a1").startswith(
            "g1 is in use by another call"
        )
        call_with_error("hint", tools, game_id="g1")
    call_tool("play_move", tools, game_id="g1", move="a1")
    assert "'z9' is not" in call_with_error("play_move", tools, game_id="g1", move="z9")
    call_tool("play_move", tools, game_id="g1", move="a1")  # the game is free again


def test_a_failure_inside_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    def fail(board: object) -> str:
        raise RuntimeError("boom\x1b")

    tools = toolset()
    tools.draw = fail
    line = call_with_error("show_position", tools, game="nim")
    assert line == "internal error: RuntimeError: boom\\u001b"
    out, err = capsys.readouterr()
    assert out == "" and "internal error: RuntimeError" in err and "Traceback" not in err


# -- imperfect information -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_a_player_sees_its_own_card_alone(seed: int) -> None:
    tools = toolset(seed=seed)
    text, data = call_tool("start_game", tools, game="leduc", opponent="random", seat="first")
    match = tools.games.find("g1").match
    mine, theirs = (turn.word for turn in match.turns[:2])
    answers = [text, str(data)]
    for name, more in (
        ("show_position", {}),
        ("hint", {"level": 3, "nodes": 500}),
        ("best_lines", {"nodes": 500}),
        ("explain_move", {"move": data["legal_moves"][0], "nodes": 500}),
    ):
        answers += map(str, call_tool(name, tools, game_id="g1", **more))
    assert mine in text and not any(theirs in answer for answer in answers)
    assert data["moves_made"] == [mine, "?"] and "position" not in data
    assert "imperfect information, and is reviewed when it is over" in call_with_error(
        "review_game", tools, game_id="g1"
    )
    call_tool("play_move", tools, game_id="g1", move="check")
    if not match.over():
        assert "perfect-information games only" in call_with_error("explain_move", tools, game_id="g1")


def test_the_other_cards_have_no_part_in_an_answer() -> None:
    """Deals that the player to move cannot distinguish give the same answer, others do not."""
    own = [("show_position", {"game": "leduc", "moves": f"Qs {card} bet"}) for card in ("Js", "Qh", "Kh")]
    assert len({text for _, text, _ in call_tools(*own)}) == 3  # second is to move, and sees its own card
    other = [
        ("show_position", {"game": "leduc", "moves": f"Qs {card} check check Jh"}) for card in ("Ks", "Kh")
    ]
    (first,) = {text for _, text, _ in call_tools(*other)}
    assert "?" in first


def test_no_two_games_have_the_same_deal_and_seeds_are_not_chosen() -> None:
    tools = toolset()
    deals = set()
    for _ in range(6):
        call_tool("start_game", tools, game="holdem", opponent="random")
    for name in range(1, 7):
        deals.add(tuple(turn.word for turn in tools.games.find(f"g{name}").match.turns[:4]))
    assert len(deals) == 6
    again = toolset()
    call_tool("start_game", again, game="holdem", opponent="random")
    assert tuple(turn.word for turn in again.games.find("g1").match.turns[:4]) in deals  # of the same seed
    assert "unknown argument 'seed'" in call_with_error("start_game", game="holdem", seed=1)


def test_prompts_and_resources_are_bounded() -> None:
    assert all(len(prompt.text) < 1500 for prompt in resources.PROMPTS)
    tools = toolset()
    assert all(len(resource.read(tools)) < resources.MAX_RESOURCE for resource in resources.RESOURCES)
    assert resources.complete_argument("game", "con", tools) == ["connect4"]
    assert resources.complete_argument("moves", "e", tools) == []
