"""Data files from other people: none of them starts a program or loads code."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gameplay import registry, specs
from gameplay.cli import router, run
from gameplay.errors import Untrusted, Usage
from gameplay.store import jsonl, run_export, trust
from gameplay.store.record import decode, encode
from gameplay.store.runs import Store
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

CODE = "from pathlib import Path\nPath({mark!r}).touch()\n"
CODE += (TESTS / "examples" / "games" / "sticks.py").read_text()
ENGINE = """
from pathlib import Path
Path({mark!r}).touch()

def choose(position):
    return position.moves()[0]
"""
COMMANDS = (
    "replay FILE --plain",
    "review FILE --nodes 50",
    "export FILE",
    "verify FILE",
    "resume FILE",
    "play --resume FILE --plain",
    "puzzles FILE",
    "stats FILE",
    "import FILE",
    "report FILE",
    "book build connect4 FILE --out OUT",
    "match random random --game connect4 --games 2 --openings FILE --jobs 1",
    "games --saved",
)


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """A file that exists if anything was executed."""
    return tmp_path / "executed"


@pytest.fixture
def specs_of(tmp_path: Path, mark: Path) -> dict[str, str]:
    """Specs that run code, by kind; `game` is a game's, the others are players'."""
    (tmp_path / "evil.py").write_text(CODE.format(mark=str(mark)))
    (tmp_path / "engine.py").write_text(ENGINE.format(mark=str(mark)))
    (tmp_path / "engine.toml").write_text(f'engine = "{tmp_path}/engine.py"\n')
    touch = f"touch {mark}"
    return {
        "game": f"{tmp_path}/evil.py",
        "game with class": f"{tmp_path}/evil.py:Sticks:sticks=4",
        **{kind: f'{kind}:sh -c "{touch}"' for kind in specs.PROTOCOLS},
        "engine": f"{tmp_path}/engine.py:choose",
        "engine file": f"{tmp_path}/engine.toml",
        "evaluation": f"alphabeta:depth=1,eval={tmp_path}/engine.py",
        "evaluation by name": f"alphabeta:depth=1,eval={tmp_path}/engine.py:choose",
        "knowledge": f"alphabeta:depth=1,knowledge={tmp_path}/engine.py",
        "level": f"level:1,knowledge={tmp_path}/engine.py",
    }


KINDS = (
    *("game", "game with class", *specs.PROTOCOLS, "engine", "engine file", "evaluation"),
    *("evaluation by name", "knowledge", "level"),
)


def record(game: str = "connect4", player: str = "human", result: str = "null") -> bytes:
    move = "1" if ".py" in game else "4"
    return json.dumps(
        {"schema": 1, "game": game, "start": "", "players": ["human", player], "seed": 1, "version": "1"}
        | {"moves": [{"move": move, "player": 0}], "result": json.loads(result), "reason": ""}
    ).encode()


def hostile(kind: str, spec: str) -> bytes:
    return record(game=spec) if kind.startswith("game") else record(player=spec)


@pytest.mark.parametrize("kind", KINDS)
def test_no_command_executes_what_a_record_names(
    kind: str, specs_of: dict[str, str], mark: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(hostile(kind, specs_of[kind]) + b"\n")
    (tmp_path / "home" / "games").mkdir(parents=True)
    (tmp_path / "home" / "games" / "copied.json").write_bytes(file.read_bytes())
    for number, command in enumerate(COMMANDS):
        words = command.replace("OUT", str(tmp_path / f"{number}.book")).split()
        status = run(router, "gameplay", [str(file) if word == "FILE" else word for word in words])
        assert status != 1 and not mark.exists(), (command, capsys.readouterr())


@pytest.mark.parametrize("kind", KINDS)
def test_resuming_such_a_record_names_the_command_that_allows_it(
    kind: str, specs_of: dict[str, str], mark: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(hostile(kind, specs_of[kind]))
    assert run(router, "gameplay", ["play", "--resume", str(file)]) == 6
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "gameplay trust" in error and "--players" in error
    assert not mark.exists()


def test_marked_specs_are_shown_and_written_as_they_are(specs_of: dict[str, str]) -> None:
    for kind in KINDS:
        line = hostile(kind, specs_of[kind])
        read = decode(line, "game.json")
        assert decode(encode(read), "game.json") == read and json.loads(encode(read))["game"] == read.game
        marked = read.game if kind.startswith("game") else read.players[1]
        assert marked == specs_of[kind] and isinstance(marked, specs.Recorded)


def test_registry_and_parser_refuse_marked_specs(specs_of: dict[str, str], mark: Path) -> None:
    for kind, spec in specs_of.items():
        calls: list[Callable[[str], object]] = [specs.parse, specs.engine, registry.engine]
        for call in [registry.game] if kind.startswith("game") else calls:
            if call is not specs.parse and kind in (*specs.PROTOCOLS, "level"):
                continue
            with pytest.raises(Untrusted, match="gameplay trust"):
                call(specs.Recorded(spec))
    assert not mark.exists()


def test_harmless_specs_are_not_marked() -> None:
    for spec in ("human", "level:5", "alphabeta:depth=6,order=hint+killer", "script:4 4", "perfect:book=own"):
        assert not isinstance(trust.mark_player(spec), specs.Recorded)
    for spec in ("connect4:columns=8", "holdem:blinds=1/2", "go:size=9,komi=7.5", "tree:file=a.toml"):
        assert not isinstance(trust.mark_game(spec), specs.Recorded)


def test_game_that_the_user_began_with_a_file_resumes_without_a_question(
    specs_of: dict[str, str],
    mark: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    words = ["play", specs_of["game"], "--players", f"human,{specs_of['engine']}", "--plain"]
    run(router, "gameplay", [*words, "--save", str(tmp_path / "mine.json")])
    assert mark.exists() and trust.items() == [specs_of["game"], str(tmp_path / "engine.py")]
    capsys.readouterr()
    assert run(router, "gameplay", ["play", "--resume", str(tmp_path / "mine.json"), "--json"]) == 4
    assert "trust" not in capsys.readouterr().err
    trust.remove(trust.items())
    assert run(router, "gameplay", ["play", "--resume", str(tmp_path / "mine.json"), "--json"]) == 6


def test_players_and_game_named_by_the_user_replace_those_of_a_record(
    specs_of: dict[str, str], mark: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(record(player=specs_of["ugi"]))
    assert (
        run(router, "gameplay", ["play", "--resume", str(file), "--players", "random,random", "--json"]) == 0
    )
    played = json.loads(capsys.readouterr().out)
    assert played["players"] == ["random", "random"] and played["moves"][0]["move"] == "4"
    file.write_bytes(record(player=specs_of["ugi"]))
    assert run(router, "gameplay", ["play", "--resume", str(file), "--players", "random"]) == 2
    assert not mark.exists()
    elsewhere = record(game="/home/ann/evil.py:Sticks", player="random").replace(b'"human"', b'"random"')
    file.write_bytes(elsewhere)
    assert run(router, "gameplay", ["play", specs_of["game"], "--resume", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["result"] in ([1, -1], [-1, 1])


def test_trust_lists_adds_and_removes(
    specs_of: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def gameplay(*words: str) -> tuple[int, str]:
        status = run(router, "gameplay", ["trust", *words])
        return status, "".join(capsys.readouterr())

    assert "no program and no Python file" in gameplay()[1]
    assert gameplay(specs_of["engine"], specs_of["ugi"])[0] == 0
    assert trust.items() == [str(tmp_path / "engine.py"), specs.player_code(specs_of["ugi"])[0]]
    assert not isinstance(trust.mark_player(specs_of["ugi"] + ",depth=3,name=x"), specs.Recorded)
    assert isinstance(trust.mark_player(specs_of["ugi"] + ",Hash=64"), specs.Recorded)
    assert isinstance(trust.mark_player(specs_of["uci"]), specs.Recorded)
    assert gameplay("--remove", specs_of["engine"])[0] == 0 and len(trust.items()) == 1
    assert gameplay("--remove", specs_of["engine"])[0] == 2
    assert gameplay("connect4")[0] == 2 and gameplay("./nothing.py")[0] == 6
    with pytest.raises(Usage):
        trust.add(["uci:a\n/home/ann/evil.py"])


def test_relative_arguments_are_trusted_in_their_folder_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("mine", "theirs"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "engine.sh").touch()
    monkeypatch.chdir(tmp_path / "mine")
    trust.trust_started("connect4", ["ugi:sh engine.sh"])
    assert not isinstance(trust.mark_player("ugi:sh engine.sh"), specs.Recorded)
    monkeypatch.chdir(tmp_path / "theirs")
    trust._code.cache_clear()
    assert isinstance(trust.mark_player("ugi:sh engine.sh"), specs.Recorded)


def test_trust_is_confirmed_once_and_remembered(
    specs_of: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(record(game=specs_of["game"]))
    requests = []

    def confirm(text: str, **_: object) -> bool:
        requests.append(text)
        return True

    monkeypatch.setattr("click.confirm", confirm)
    for stream in (sys.stdin, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    assert run(router, "gameplay", ["replay", str(file), "--json"]) == 0
    assert specs_of["game"] in capsys.readouterr().err and len(requests) == 1
    assert run(router, "gameplay", ["replay", str(file), "--json"]) == 0 and len(requests) == 1


@pytest.mark.parametrize("kind", ("game", "ugi", "engine", "evaluation"))
def test_imported_runs_are_reported_but_not_played(
    kind: str, specs_of: dict[str, str], mark: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, spec = tmp_path / "run.jsonl", specs_of[kind]
    words = ["match", "random", "random", "--game", "connect4", "--games", "2", "--jobs", "1"]
    assert run(router, "gameplay", [*words, "--openings", "2"]) == 0
    with Store() as store:  # the same run, as if another person had played it with other players
        stored = store.run("last")
        plan = json.loads(stored.plan)
        plan |= (
            {"game": spec}
            if kind == "game"
            else {"players": [{"player": spec, "name": "random"}, plan["players"][1]]}
        )
        header = run_export.header(stored)
        header.plan, header.id = type(header.plan)(json.dumps(plan).encode()), "evil"
        out.write_bytes(jsonl.encode_line(header) + b"".join(map(jsonl.encode_line, store.games(stored.id))))
    assert run(router, "gameplay", ["import", str(out)]) == 0
    refused = 6 if kind == "game" else 0
    for words, status in (
        (["status", "evil"], 0),
        (["report", "evil"], refused),
        (["report", str(out)], refused),
        (["export", "evil", "--out", str(tmp_path / "again.jsonl")], 0),
        (["verify", "evil"], 6),
        (["verify", str(out), "--quick"], 6),
        (["resume", "evil"], 6),
    ):
        capsys.readouterr()
        assert run(router, "gameplay", words) == status, (words, capsys.readouterr())
        if status:
            assert "gameplay trust" in capsys.readouterr().err
    assert not mark.exists()


def test_checking_a_plan_executes_nothing(
    specs_of: dict[str, str], mark: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "plan.toml"
    for kind in ("ugi", "engine", "evaluation"):
        plan.write_text(
            f"game = 'connect4'\n[[players]]\nplayer = '{specs_of[kind]}'\n[[players]]\nplayer = 'random'\n"
        )
        assert run(router, "gameplay", ["config", "check", str(plan)]) == 6
    suite = tmp_path / "suite.toml"
    suite.write_text(f"[[position]]\nname = 'a'\ngame = '{specs_of['game']}'\nexpect = {{}}\n")
    assert run(router, "gameplay", ["config", "check", str(suite)]) == 6
    assert "gameplay trust" in capsys.readouterr().err and not mark.exists()


def test_puzzles_that_name_code_are_refused(
    specs_of: dict[str, str], mark: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    puzzle = {"id": "a", "game": specs_of["game"], "start": "", "words": [], "right": "1", "line": ["1"]}
    puzzle |= {"missed": "2", "answer": [], "source": "x"}
    home.mkdir(exist_ok=True)
    (home / "puzzles.json").write_text(json.dumps({"schema": 1, "exercises": [puzzle]}))
    for words in (["puzzles"], ["puzzles", "--list"], ["puzzles", "--json"]):
        assert run(router, "gameplay", words) != 1
    assert not mark.exists()
