"""Each tool of `gameplay mcp` by a client of the library: right, short, equal as data and as text."""

from typing import Any

import pytest
from mcp import Client

from gameplay import registry
from gameplay.matches.match import match_without_players
from gameplay.mcp_server.requests import read, schema
from gameplay.mcp_server.tools import TOOLS
from tests.support.mcp_client import call_tool, call_tools, toolset, with_client

pytestmark = pytest.mark.once

TRAP = "e4 e5 Qh5 Nc6 Bc4 Nf6"  # after which Qxf7 mates


def test_tools_are_described() -> None:
    async def use(client: Client) -> Any:
        return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in with_client(use)}
    assert list(tools) == list(TOOLS)
    playing = {name for name, tool in tools.items() if not tool.annotations.read_only_hint}
    assert playing == {"start_game", "play_move", "close_game"}
    for name, entry in tools.items():
        assert entry.title and entry.description and entry.input_schema["type"] == "object", name
        assert entry.output_schema["type"] == "object" and not entry.annotations.open_world_hint, name
        assert all("description" in part for part in entry.input_schema["properties"].values()), name
    lines = tools["best_lines"].input_schema["properties"]
    assert (lines["seconds"]["maximum"], lines["lines"]["maximum"]) == (30.0, 10)
    assert "anyOf" not in str(lines)


def test_every_schema_describes_what_is_read() -> None:
    for entry in TOOLS.values():
        required = schema(entry.arguments).get("required", [])
        arguments = read(entry.arguments, dict.fromkeys(required, "x"))
        assert type(arguments) is entry.arguments


def test_games_are_listed_and_described() -> None:
    (_, text, data), (_, few, _), (_, leduc, rules), (_, full, _) = call_tools(
        ("list_games", {}),
        ("list_games", {"filter": "POKER"}),
        ("describe_game", {"game": "leduc"}),
        ("describe_game", {"game": "Connect4:columns=8", "full": True}),
    )
    names = [game["name"] for game in data["games"]]
    assert names == sorted({*registry.game_names()} - {"tree", "strategy"})
    assert text.count("\n") == len(names) - 1 and len(text) < 3000
    assert [line.split(":")[0] for line in few.splitlines()] == ["holdem", "kuhn", "leduc"]
    assert rules["hidden_information"] and rules["sides"] == ["first", "second"] and rules["levels"] == 3
    assert "opponents: level:1 to level:3" in leduc and len(leduc) < 1500
    assert "columns=8" in full and "first moves: " in full and "8" in full.rpartition("first moves: ")[2]


@pytest.mark.parametrize("game", sorted({*registry.game_names()} - {"tree", "strategy"}))
def test_every_game_is_shown(game: str) -> None:
    (_, text, data), (_, _, rules) = call_tools(
        ("show_position", {"game": game}), ("describe_game", {"game": game})
    )
    assert not data["over"] and data["legal_moves"] and data["board"] in text
    assert len(text) < 4000 and len(str(rules)) < 8000
    assert not (rules["hidden_information"] and data.get("position"))


def test_a_position_is_shown() -> None:
    text, data = call_tool("show_position", game="chess", moves="1. e4 e5 2.Nf3")
    match = match_without_players(registry.game("chess"), "", ["e4", "e5", "Nf3"])
    assert data["moves_made"] == ["e4", "e5", "Nf3"] and data["turn"] == "black"
    assert data["legal_moves"] == [match.position.format(move) for move in match.moves()]
    assert "4 . . . . P . . ." in text and text.endswith(" ".join(data["legal_moves"]))
    text, data = call_tool("show_position", game="connect4", start=data_of("connect4", "4 4 3"), moves="5")
    assert data["position"] == data_of("connect4", "4 4 3 5")
    mate = "f3 e5 g4 Qh4"
    text, data = call_tool("show_position", game="chess", moves=mate)
    assert data["over"] and data["result"] == "black won by checkmate"
    assert data["legal_count"] == 0 if "legal_count" in data else True


def data_of(game: str, moves: str) -> str:
    """A position as text."""
    text = match_without_players(registry.game(game), "", moves.split()).position.text()
    assert text is not None
    return text


def test_chance_is_shown_with_its_odds() -> None:
    text, data = call_tool("show_position", game="backgammon")
    assert data["turn"] == "chance" and len(data["legal_moves"]) == len(data["chances"]) == 30
    assert abs(sum(data["chances"]) - 1) < 1e-4 and "outcomes: " in text


def test_exact_values_are_exact() -> None:
    text, data = call_tool("exact_value", game="connect4")
    assert data["kind"] == "exact" and data["value"] == "blue wins in 41 plies"  # Allis 1988, Allen 1988
    assert {move["move"]: move["value"] for move in data["moves"]} == {
        **{"4": "win in 41", "3": "draw", "5": "draw"},
        **{"2": "loss in 42", "6": "loss in 42", "1": "loss in 40", "7": "loss in 40"},
    }
    assert text.startswith("exact: blue wins in 41 plies (by the ")
    text, data = call_tool("exact_value", game="nim", start="", moves="a2")
    assert data["kind"] == "exact" and data["value"].startswith("first wins")  # 1 xor 4 xor 5 is 0


def test_an_estimate_is_marked_as_such() -> None:
    text, data = call_tool("exact_value", game="chess", nodes=5000)
    assert data["kind"] == "estimate" and data["nodes"] <= 5000 and data["depth"] >= 1
    assert "estimate" in text and "depth" in text and "not solved within the limits" in text


def test_best_lines_are_the_same_with_nodes() -> None:
    arguments = {"game": "chess", "moves": TRAP, "nodes": 20_000, "lines": 2}
    (_, text, data), (_, again, _) = call_tools(("best_lines", arguments), ("best_lines", arguments))
    assert text == again and "seconds" not in data
    assert data["moves"][0]["move"] == "Qxf7#" and len(data["moves"]) == 2
    assert data["moves"][0]["value"] == "win in 1" and data["value"] == "white wins in 1 ply"
    _, data = call_tool("best_lines", game="leduc", moves="Jh Ks bet", nodes=5000)
    assert data["kind"] == "estimate" and {move["move"] for move in data["moves"]} <= {
        "fold",
        "call",
        "raise",
    }
    _, data = call_tool("best_lines", game="tictactoe", engine="minimax", depth=9, lines=9)
    assert data["kind"] == "exact" and data["value"] == "draw" and len(data["moves"]) == 9


def test_hints_are_graded() -> None:
    hints = [("hint", {"game": "chess", "moves": TRAP, "level": level, "nodes": 3000}) for level in (1, 2, 3)]
    nudge, moves, line = (text for _, text, _ in call_tools(*hints))
    assert nudge == "you can win at once"
    assert "Qxf7#" not in nudge and moves.splitlines()[1].split()[:2] == ["Qxf7#", "win"]
    assert line.startswith("best line: Qxf7#") and "hint again" not in nudge + moves + line


def test_moves_are_explained() -> None:
    (_, good, _), (_, bad, _) = call_tools(
        ("explain_move", {"game": "chess", "moves": TRAP, "move": "Qxf7", "nodes": 3000}),
        ("explain_move", {"game": "connect4", "moves": "4 4 3", "move": "4", "nodes": 300_000}),
    )
    assert good.startswith("Qxf7#: white wins in 1 ply") and good.endswith("no move is better")
    assert bad.startswith("4: blue wins in 4 plies (searched to the end)")
    assert "a blunder; best is 5 (win in 37)" in bad


def test_reviews_find_mistakes_worst_first() -> None:
    (_, text, data), (_, _, pgn) = call_tools(
        ("review_game", {"game": "chess", "moves": f"{TRAP} Qxf7", "nodes": 2000}),
        ("review_game", {"text": '[Event "?"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n', "nodes": 2000}),
    )
    assert data["result"] == "white won" and data["plies"] == 7
    worst = data["mistakes"][0]
    assert (worst["ply"], worst["move"], worst["severity"]) == (6, "Nf6", "blunder")
    assert worst["answer"][0] == "Qxf7#" and "blunder: ply 6, black Nf6 (loss in 2" in text
    ranks = ["blunder", "mistake", "inaccuracy"]
    results = [ranks.index(mistake["severity"]) for mistake in data["mistakes"]]
    assert results == sorted(results)
    assert pgn["opening"].startswith("A00") and pgn["mistakes"][0]["move"] == "g4"
    sgf = "(;GM[1]FF[4]SZ[5];B[cc];W[aa];B[bb])"
    _, data = call_tool("review_game", text=sgf, format="sgf", nodes=50)
    assert data["plies"] == 3 and data["game"].startswith("go:")


def test_a_game_of_connect_four_is_played() -> None:
    tools = toolset()
    text, data = call_tool("start_game", tools, game="connect4", opponent="level:1", seat="orange")
    assert data["you"] == "orange" and len(data["moves_made"]) == 1 and "against level:1" in text
    for _ in range(21):
        if data["over"]:
            break
        best = call_tool("best_lines", tools, game_id="g1", nodes=3000)[1]["moves"][0]["move"]
        _, data = call_tool("play_move", tools, game_id="g1", move=best)
    assert data["over"] and data["result"].startswith("orange won")
    _, review = call_tool("review_game", tools, game_id="g1", nodes=20)
    assert review["result"] == "orange won"
    closed, _ = call_tool("close_game", tools, game_id="g1")
    assert closed.startswith("g1 is closed (orange won")


def test_a_model_may_move_for_every_side_and_resign() -> None:
    tools = toolset()
    begun, moved, other, resigned = call_tools(
        ("start_game", {"game": "tictactoe", "opponent": "none"}),
        ("play_move", {"game_id": "g1", "move": "b2"}),
        ("play_move", {"game_id": "g1", "move": "a1"}),
        ("play_move", {"game_id": "g1", "move": "resign"}),
        tools=tools,
    )
    assert begun[2]["you"] == "every side" and moved[2]["turn"] != other[2]["turn"]
    assert resigned[2]["over"] and "resigned" in resigned[2]["result"]


@pytest.mark.parametrize("word", ["resign gammon", "resign-gammon"])
def test_a_model_resigns_a_gammon(word: str) -> None:
    tools = toolset()
    _, resigned, accepted = call_tools(
        ("start_game", {"game": "backgammon", "opponent": "none", "start": "4HPwATDgc/ABMA 31"}),
        ("play_move", {"game_id": "g1", "move": word}),
        ("play_move", {"game_id": "g1", "move": "accept"}),
        tools=tools,
    )
    assert resigned[2]["legal_moves"] == ["accept", "decline"]
    assert accepted[2]["over"] and "a resigned gammon" in accepted[2]["result"]


def test_an_engine_explains_its_last_move() -> None:
    texts = [
        text
        for _, text, _ in call_tools(
            ("start_game", {"game": "tictactoe", "opponent": "alphabeta", "engine_nodes": 60_000}),
            ("play_move", {"game_id": "g1", "move": "b2"}),
            ("explain_move", {"game_id": "g1", "nodes": 60_000}),
        )
    ]
    assert texts[2].startswith("alphabeta played ") and "searched to the end" in texts[2]


def test_a_puzzle_is_played() -> None:
    (_, _, data), (_, hint, _) = call_tools(
        ("start_game", {"game": "puzzle15:columns=3,rows=2"}), ("hint", {"game_id": "g1", "level": 2})
    )
    assert data["you"] != "every side" and "opponent" not in data
    assert hint.split(";")[0] in data["legal_moves"]


def test_resources_and_prompts() -> None:
    async def use(client: Client) -> Any:
        addresses = [resource.uri for resource in (await client.list_resources()).resources]
        (template,) = (await client.list_resource_templates()).resource_templates
        rules = template.uri_template.replace("{game}", "nim")
        texts = {}
        for uri in [*addresses, rules]:
            (content,) = (await client.read_resource(uri)).contents
            texts[str(uri)] = content.text
        prompts = (await client.list_prompts()).prompts
        teach = await client.get_prompt("teach", {"game": "nim"})
        review = await client.get_prompt("review", {"game": "chess", "moves": "e4 {game}"})
        return texts, prompts, teach.messages[0].content, review.messages[0].content

    texts, prompts, teach, review = with_client(use)
    assert len(texts) == 4 and all(texts.values())
    assert "minimax: " in texts["gameplay://engines"] and "alpha-beta: " in texts["gameplay://glossary"]
    assert "last one wins" in texts["gameplay://rules/nim"] or "heap" in texts["gameplay://rules/nim"]
    assert [prompt.name for prompt in prompts] == ["teach", "review"]
    assert "Teach me to play nim" in teach.text and review.text.endswith("e4 {game}")
    named = {word for text in (teach.text, review.text) for word in text.replace(",", " ").split()}
    assert {"describe_game", "start_game", "review_game"} <= named <= named | {*TOOLS}
