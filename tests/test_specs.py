"""How players are named: what is read, what is written again, and what is told of a wrong one."""

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
    completed,
    join,
    parse,
    parse_list,
    placed,
    split,
)

pytestmark = pytest.mark.once

GAME = registry.game("tictactoe")


def test_programs() -> None:
    one = parse('ugi:./my\\ engine --book "a,b.txt",time=1.5,timeout=9,Hash=64,option.depth=3,Skill Level=2')
    assert isinstance(one, ProgramSpec)
    assert one.command == (os.path.abspath("my engine"), "--book", "a,b.txt")
    assert one.limit == Limit(seconds=1.5) and one.timeout == 9
    assert one.options == {"Hash": "64", "depth": "3", "Skill Level": "2"}
    assert parse(str(one)) == one


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
def test_what_is_read_is_written_again(text: str, spec: object) -> None:
    assert parse(text) == spec
    assert str(spec) == text


def test_a_program_may_take_a_minute_where_nobody_says_otherwise() -> None:
    one, other, slow = (parse(f"uci:x{more}") for more in ("", ",timeout=60", ",timeout=999999"))
    assert isinstance(one, ProgramSpec) and isinstance(slow, ProgramSpec)
    assert one == other and one.timeout == 60.0 and slow.timeout == 999999.0
    assert (str(one), str(slow)) == ("uci:x", "uci:x,timeout=999999")


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


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("ugi:", "'ugi:' names no program: write ugi:COMMAND"),
        ("ugi:'x", "there is no closing quotation"),
        ("uci:x,y", "'y' should read NAME=VALUE"),
        ("uci:x,depth=many", "depth is a whole number, not 'many'"),
        ("uci:x,time=soon", "time is a number, not 'soon'"),
        ("uci:x,depth=0", "depth must be 1"),
        ("uci:x,timeout=0", "timeout is a number of seconds over 0"),
        ("uci:x,timeout=1000000", "over 0, not 1e[+]06"),
        ("uci:x,timeout=long", "timeout is a number, not 'long'"),
        ("ugi:sh,time=nan", "more than 0 seconds"),
        ("level", "'level': a level is a number, as in level:5"),
        ("level:x", "a level is a number"),
        ("level:5,depth=3", "'level:5,depth=3': a level is a number"),
        ("script", "'script' names no moves"),
        ('script:""', "names no moves"),
        ("alphabeta:killer", "'killer' should read NAME=VALUE, as in alphabeta:depth=6"),
        ("alphabeta:depth=deep", "alphabeta: depth is a whole number, not 'deep'"),
        ("alfabeta", "there is no player 'alfabeta'; did you mean 'alphabeta'"),
        ("human", "there is no player 'human'"),
        ("human:3", "'human:3': '3' should read NAME=VALUE"),
    ],
)
def test_wrong_specs(spec: str, complaint: str) -> None:
    with pytest.raises(Usage, match=complaint):
        seats.player(spec, GAME)


def test_an_engine_from_a_file_takes_what_is_said_behind_it(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text('engine = "iterative"\ndepth = 3\ntable = "off"\n')
    (tmp_path / "weak.toml").write_text('engine = "iterative"\ndepth = 3\n')
    spec = str(tmp_path / "my.toml")
    assert seats.player(spec, GAME).spec == "iterative:table=off,depth=3"
    assert seats.player(f"{spec}:depth=2,table=1MB", GAME).spec == "iterative:table=1MB,depth=2"
    assert seats.own_limit(spec) == Limit(depth=3) and seats.own_limit("level:4") == Limit()
    assert seats.threaded(spec, 2) == f"{spec}:threads=2"
    assert seats.threaded(f"{spec}:threads=1", 2) == f"{spec}:threads=1"
    assert seats.threaded("level:4", 2) == "level:4" and seats.threaded("minimax", 2) == "minimax"
    assert seats.all_threaded(["human", "minimax", spec], 2) == ["human", "minimax", f"{spec}:threads=2"]


def test_files_are_found_from_everywhere(tmp_path: Path) -> None:
    assert str(parse("my.toml:book=b").placed(tmp_path)) == f"{tmp_path}/my.toml:book={tmp_path}/b"
    assert parse("level:3,syzygy=a:b").placed(tmp_path).knowledge == {"syzygy": f"{tmp_path}/a:{tmp_path}/b"}
    assert str(parse("script:./m").placed(tmp_path)) == f"script:{tmp_path}/m"
    assert parse("script:a b").placed(tmp_path) == parse("script:a b")
    assert placed("./s.py:S:n=3", tmp_path) == f"{tmp_path}/s.py:S:n=3"
    assert placed("connect4:columns=8", tmp_path) == "connect4:columns=8"
    assert parse("my.toml:book=b,syzygy=t").files == ["my.toml", "b"]
    assert parse("script:m.txt").files == ["m.txt"] and parse("script:m").files == []


def test_a_name_and_its_options() -> None:
    for text in ("connect4", "connect4:columns=8,rows=8", "/a/s.py:S", "/a/s.py:S:n=3"):
        assert join(*split(text)) == text
    assert split("tree:cards.toml") == ("tree", {"file": "cards.toml"})
    assert split("C:\\a.py:S:n=3") == ("C:\\a.py:S", {"n": "3"})


def test_a_limit_is_completed_by_another() -> None:
    full = Limit(3, 400, 5.0, multipv=6, simulations=7)
    other = Limit(30, 4000, 50.0, multipv=60, simulations=70)
    assert completed(full, other) == completed(full, Limit()) == completed(Limit(), full) == full
