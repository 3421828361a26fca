"""Specs of players: reading, writing, and errors."""

import os
from pathlib import Path

import pytest

from gameplay import registry
from gameplay.errors import Usage
from gameplay.players import seats
from gameplay.search.limit import Limit
from gameplay.specs import (
    EngineSpec,
    HumanSpec,
    LevelSpec,
    ProgramSpec,
    ScriptSpec,
    absolute,
    game_name,
    is_program,
    join,
    limit_options,
    parse,
    parse_list,
    split,
)

pytestmark = pytest.mark.once

GAME = registry.game("tictactoe")


def test_programs() -> None:
    spec = parse('ugi:./my\\ engine --book "a,b.txt",time=1.5,timeout=9,Hash=64,option.depth=3,Skill Level=2')
    assert isinstance(spec, ProgramSpec)
    assert spec.command == (os.path.abspath("my engine"), "--book", "a,b.txt")
    assert spec.limit == Limit(seconds=1.5) and spec.timeout == 9
    assert spec.options == {"Hash": "64", "depth": "3", "Skill Level": "2"}
    assert parse(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("human", HumanSpec()),
        ("selective", EngineSpec({}, "selective")),
        ("ab:order=killer,depth=6", EngineSpec({}, "ab", {"order": "killer", "depth": "6"})),
        ("x.toml:threads=2,book=b", EngineSpec({"book": "b"}, "x.toml", {"threads": "2"})),
        ("level:5", LevelSpec({}, 5)),
        ("level:5,syzygy=/t:/u,book=b", LevelSpec({"syzygy": "/t:/u", "book": "b"}, 5)),
        ("script:4 4 3", ScriptSpec(("4", "4", "3"))),
        ('script:"a1, b2"', ScriptSpec(("a1,", "b2"))),
        ("script:/moves.txt", ScriptSpec(file="/moves.txt")),
        ("uci:stockfish,nodes=10", ProgramSpec("uci", ("stockfish",), Limit(nodes=10))),
        ("gtp:gnugo -q,boardsize=9", ProgramSpec("gtp", ("gnugo", "-q"), options={"boardsize": "9"})),
        ("nboard:x,timeout=5,name=me", ProgramSpec("nboard", ("x",), timeout=5, name="me")),
    ],
)
def test_specs_round_trip(text: str, spec: object) -> None:
    assert parse(text) == spec
    assert str(spec) == text


def test_program_time_limit_defaults_to_a_minute() -> None:
    first, second, slow = (parse(f"uci:x{more}") for more in ("", ",timeout=60", ",timeout=999999"))
    assert isinstance(first, ProgramSpec) and isinstance(slow, ProgramSpec)
    assert first == second and first.timeout == 60.0 and slow.timeout == 999999.0
    assert (str(first), str(slow)) == ("uci:x", "uci:x,timeout=999999")


def test_lists_of_players() -> None:
    assert parse_list("human,ugi:./a --x,Hash=64,Path=/b:c,alphabeta:depth=3,order=killer,uci:b") == [
        "human",
        "ugi:./a --x,Hash=64,Path=/b:c",
        "alphabeta:depth=3,order=killer",
        "uci:b",
    ]
    assert parse_list("ugi:e 'a,b=c',depth=2, random") == ["ugi:e 'a,b=c',depth=2", "random"]
    assert parse_list("it's, random") == ["it's", "random"]
    assert parse_list("level:4,book=C:/b,human,") == ["level:4,book=C:/b", "human"]


def test_engine_from_a_file_takes_options(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text('engine = "iterative"\ndepth = 3\ntable = "off"\n')
    (tmp_path / "weak.toml").write_text('engine = "iterative"\ndepth = 3\n')
    spec = str(tmp_path / "my.toml")
    assert seats.player(spec, GAME).spec == "iterative:table=off,depth=3"
    assert seats.player(f"{spec}:depth=2,table=1MB", GAME).spec == "iterative:table=1MB,depth=2"
    assert seats.limit_of(spec) == Limit(depth=3) and seats.limit_of("level:4") == Limit()
    assert seats.with_threads(spec, 2) == f"{spec}:threads=2"
    assert seats.with_threads(f"{spec}:threads=1", 2) == f"{spec}:threads=1"
    assert seats.with_threads("level:4", 2) == "level:4" and seats.with_threads("minimax", 2) == "minimax"
    assert seats.all_with_threads(["human", "minimax", spec], 2) == ["human", "minimax", f"{spec}:threads=2"]


def test_files_are_found_from_everywhere(tmp_path: Path) -> None:
    assert str(parse("my.toml:book=b").absolute(tmp_path)) == f"{tmp_path}/my.toml:book={tmp_path}/b"
    assert parse("level:3,syzygy=a:b").absolute(tmp_path).knowledge == {
        "syzygy": f"{tmp_path}/a:{tmp_path}/b"
    }
    assert str(parse("script:./m").absolute(tmp_path)) == f"script:{tmp_path}/m"
    assert parse("script:a b").absolute(tmp_path) == parse("script:a b")
    assert absolute("./s.py:S:n=3", tmp_path) == f"{tmp_path}/s.py:S:n=3"
    assert absolute("connect4:columns=8", tmp_path) == "connect4:columns=8"
    assert parse("my.toml:book=b,syzygy=t").files == ["my.toml", "b"]
    assert parse("script:m.txt").files == ["m.txt"] and parse("script:m").files == []


def test_a_name_and_its_options() -> None:
    for text in ("connect4", "connect4:columns=8,rows=8", "/a/s.py:S", "/a/s.py:S:n=3"):
        assert join(*split(text)) == text
    assert split("tree:cards.toml") == ("tree", {"file": "cards.toml"})
    assert split("C:\\a.py:S:n=3") == ("C:\\a.py:S", {"n": "3"})


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a:b=c", ("a", {"b": "c"})),
        ("C:/a.py", ("C:/a.py", {})),
        ("C:/a.py:n=3", ("C:/a.py", {"n": "3"})),
        ("CD:/a", None),
        ("tree", ("tree", {})),
        ("tree:file=a.toml", ("tree", {"file": "a.toml"})),
        ("tree:lecture,x=7", ("tree", {"file": "lecture", "x": "7"})),
        ("strategy:a.toml,depth=3", ("strategy", {"file": "a.toml", "depth": "3"})),
        ("other:a.toml", None),
        ("./s.py", ("./s.py", {})),
        ("./s.py:n=3:4", ("./s.py", {"n": "3:4"})),
        ("./s.py:S:n=3,m=4", ("./s.py:S", {"n": "3", "m": "4"})),
        ("x: a = 1 ,, b=", ("x", {"a": "1", "b": ""})),
        ("x:=3", None),
        ("x: =3", None),
        ("x:a=1,b", None),
    ],
)
def test_a_name_is_parted_from_its_options(text: str, parts: tuple[str, dict[str, str]] | None) -> None:
    if parts is not None:
        assert split(text) == parts
        return
    wrong = text.partition(":")[2].rpartition(",")[2]
    with pytest.raises(Usage) as refused:
        split(text, "example:a=1")
    assert str(refused.value) == f"'{text}': '{wrong}' should read NAME=VALUE, as in example:a=1"


def test_only_custom_files_become_absolute(tmp_path: Path) -> None:
    for text, path in (
        ("a.toml", f"{tmp_path}/a.toml"), ("../a.py:S", f"{tmp_path.parent}/a.py:S"), ("/x/a.py", "/x/a.py"),
        ("a.pyc", "a.pyc"), ("a.txt", "a.txt"), ("tree:a.toml", "tree:a.toml"),
    ):  # fmt: skip
        assert absolute(text, tmp_path) == path
    home = os.path.expanduser("~")
    for text, path in (
        ("strategy:a.toml,depth=3", f"strategy:file={tmp_path}/a.toml,depth=3"),
        ("strategy:~/a.toml", f"strategy:file={home}/a.toml"),
        ("tree:depth=3", "tree:depth=3"),
        ("minimax:file=a", "minimax:file=a"),
        ("minimax:eval=w.toml,depth=2", f"minimax:eval={tmp_path}/w.toml,depth=2"),
        ("minimax:eval=material", "minimax:eval=material"),
        ("minimax:book=own", "minimax:book=own"),
        ("minimax:book=none,syzygy=~/t", f"minimax:book=none,syzygy={home}/t"),
        ("./m.py:book=b", f"{tmp_path}/m.py:book={tmp_path}/b"),
        ("level:3,book=b", f"level:3,book={tmp_path}/b"),
        ("human", "human"),
        ("uci:./x", f"uci:{os.path.abspath('x')}"),
    ):
        assert str(parse(text).absolute(tmp_path)) == path


def test_files_named_by_a_spec() -> None:
    for text, files in (
        ("human", []), ("uci:./x", []), ("minimax:book=own", []),
        ("minimax:book=none,knowledge=k.py", ["k.py"]),
        ("./m.py:C:book=b", ["./m.py", "b"]), ("strategy:s.toml,book=b", ["s.toml", "b"]), ("tree", []),
        ("minimax:file=x", []), ("level:3,book=b,syzygy=t", ["b"]),
    ):  # fmt: skip
        assert parse(text).files == files, text


def test_knowledge_suffixes_of_a_spec() -> None:
    spec = parse("level:3,book=a")
    assert str(spec.with_defaults({"book": "b", "syzygy": "t"})) == "level:3,book=a,syzygy=t"
    assert str(spec.with_knowledge({"syzygy": "t"})) == "level:3,syzygy=t"
    assert str(spec.without("book")) == "level:3" and spec.without("syzygy") == spec
    for text in ("human", "script:a b", "uci:x"):
        other = parse(text)
        assert other.knowledge == {} and other.with_defaults({"book": "b"}) is other is other.without("book")
    engine = parse("minimax:depth=3")
    assert isinstance(engine, EngineSpec)
    assert str(engine.with_option("seed", 4).with_defaults({"book": "b"})) == "minimax:depth=3,seed=4,book=b"
    assert str(engine.with_option("depth", 4)) == "minimax:depth=4" and str(engine) == "minimax:depth=3"


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("level: 7 , book = b", "level:7,book=b"),
        ("script: 'a b' ", "script:a b"),
        ("script:'a b", "script:'a b"),
        ("script:a, b", 'script:"a, b"'),
        ("script:a.b", "script:a.b"),
        ("script:a .5", "script:a .5"),
        ("script:../m", "script:../m"),
        ("uci:x 'a,b' \"it's,c\" 'd e'", "uci:x 'a,b' 'it'\"'\"'s,c' 'd e'"),
        (
            "gtp:x,depth=3,nodes=4,time=2,timeout=0.5,name=Me",
            "gtp:x,depth=3,nodes=4,time=2.0,timeout=0.5,name=Me",
        ),
        (
            "ugi:x,option.depth=3,option.name=a,option.timeout=b,option.Hash=1",
            "ugi:x,option.depth=3,option.name=a,option.timeout=b,Hash=1",
        ),
        ("uci", "uci"),
        ("minimax:book=b,depth=3,syzygy=s", "minimax:depth=3,book=b,syzygy=s"),
    ],
)
def test_written_specs_are_equivalent(text: str, again: str) -> None:
    assert str(parse(text)) == again and parse(again) == parse(text)


def test_kind_of_player_by_spec() -> None:
    assert parse("script:m.txt") == ScriptSpec(file="m.txt") and parse("script:./m") == ScriptSpec(file="./m")
    assert parse("script:~/m") == ScriptSpec(file=os.path.expanduser("~/m"))
    assert parse("script:1.5 e2e4") == ScriptSpec(("1.5", "e2e4"))
    assert parse("uci") == EngineSpec({}, "uci") and parse("scripts") == EngineSpec({}, "scripts")
    assert [is_program(text) for text in ("uci:x", "gtp:", "uci", "usi:x", "minimax:depth=3")] == [
        *(True, True, False, False, False)
    ]
    spec = parse("gtp:x y,depth=3,nodes=4")
    assert spec == ProgramSpec("gtp", ("x", "y"), Limit(3, 4)) and spec != parse("gtp:x,depth=3,nodes=4")


def test_a_player_list_is_split_at_player_names() -> None:
    for text, parts in (
        ("", []), (" , ", []), ("human,human", ["human", "human"]),
        ("minimax:depth=3, seed=4,human", ["minimax:depth=3,seed=4", "human"]),
        ("depth=3,human", ["depth=3", "human"]),
        ("minimax,eval=./a.py:B,random", ["minimax,eval=./a.py:B", "random"]),
        ("minimax,x=a:b,random", ["minimax", "x=a:b", "random"]),
        ("minimax,syzygy=C:/a,random", ["minimax,syzygy=C:/a", "random"]),
        ("minimax,Hash=4", ["minimax", "Hash=4"]), ("uci:x,Hash=4", ["uci:x,Hash=4"]),
        ("uci:x,Skill Level=a:b,minimax", ["uci:x,Skill Level=a:b", "minimax"]),
    ):  # fmt: skip
        assert parse_list(text) == parts, text


def test_a_limit_is_written_as_options() -> None:
    assert limit_options(Limit()) == {} and limit_options(Limit(multipv=1)) == {}
    assert limit_options(Limit(3, 4, 0.5, multipv=2, simulations=6)) == {
        "depth": 3, "nodes": 4, "time": 0.5, "sims": 6, "multipv": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("ugi:", "'ugi:' names no program: write ugi:COMMAND, as in ugi:./engine"),
        ("uci:", "'uci:' names no program: write uci:COMMAND, as in uci:./engine"),
        ("dxp:", "'dxp:' names no program: write dxp:HOST:PORT, as in dxp:127.0.0.1:27531"),
        ("ugi: ,depth=3", "'ugi: ,depth=3' names no program: write ugi:COMMAND, as in ugi:./engine"),
        ("UGI:'X", None),
        ("gtp:'X", "'gtp:'X': there is no closing quotation"),
        ("gtp:X\\", "'gtp:X\\': there is no escaped character"),
        ("uci:x,y", "'uci:x,y': 'y' should read NAME=VALUE (quote a comma that is part of the command)"),
        ("uci:x,=3", "'uci:x,=3': '=3' should read NAME=VALUE (quote a comma that is part of the command)"),
        (
            "uci:x,nodes=many",
            "'uci:x,nodes=many': nodes must be a whole number from 1 to 1,000,000,000,000,000, not 'many'."
            " Try: nodes=1",
        ),
        (
            "uci:x,timeout=-1",
            "'uci:x,timeout=-1': timeout must be a number of seconds over 0, up to 999,999, not '-1'."
            " Try: timeout=60",
        ),
        *(
            (
                f"{head},{name}=1,{name}=2",
                f"'{head},{name}=1,{name}=2' sets {name} twice, to '1' and to '2'; expected one value. "
                f"Try: leave {name}=2 out",
            )
            for head, name in (
                ("alphabeta:order=killer", "depth"),
                ("./greedy.py:Greedy:a=1", "seed"),
                ("selective:depth=3", "book"),
                ("level:5", "book"),
                ("uci:x", "depth"),
                ("uci:x", "Hash"),
                ("uci:x", "timeout"),
            )
        ),
        (
            "uci:x,Hash=1,option.Hash=2",
            "'uci:x,Hash=1,option.Hash=2' sets Hash twice, to '1' and to '2'; expected one value. "
            "Try: leave Hash=2 out",
        ),
        ("level:x", "'level:x': level must be a whole number from 1 up, not 'x'. Try: level=5"),
        (
            "level:5,depth=3",
            "'level:5,depth=3': a level accepts only the options bearoff, book, knowledge, "
            "syzygy, tables, not depth. Try: level:5,book=own",
        ),
        ("script: ", "'script: ' names no moves: write them in their order, as in script:4 4 3"),
        ("a:b", "'a:b': 'b' should read NAME=VALUE, as in alphabeta:depth=6,order=killer"),
    ],
)
def test_complaints_in_full(spec: str, words: str | None) -> None:
    if words is None:
        words = f"'{spec}': '{spec[4:]}' should read NAME=VALUE, as in alphabeta:depth=6,order=killer"
    with pytest.raises(Usage) as refused:
        parse(spec)
    assert str(refused.value) == words


@pytest.mark.parametrize(
    "text", ["human", "level:3", "script:a1", "uci:stockfish", "gtp:cat", "nboard:cat", "ugi:cat"]
)
def test_player_where_an_engine_is_expected_is_named_as_such(text: str) -> None:
    with pytest.raises(Usage, match=rf"^'{text}' is a player, and an engine of this program is expected"):
        registry.engine(text)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("connect4:columns=5,rows=4", "connect4"),
        ("chess", "chess"),
        ("tree:card-game", "tree:card-game"),
        ("openspiel:kuhn_poker(players=3)", "openspiel:kuhn_poker(players=3)"),
    ],
)
def test_game_names_identify_variants(spec, name):
    assert game_name(spec) == name
