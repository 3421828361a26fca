"""Options of fastchess and cutechess-cli: the same plans as ours make, and refusals in one line."""

import json
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gameplay.cli import router, run
from gameplay.cli.common.options import Running
from gameplay.cli.measure import match
from gameplay.errors import Usage
from gameplay.runs import planning
from gameplay.runs.dialects import cutechess
from gameplay.runs.plan import Draw, Plan, Resign, Sprt
from tests.support.paths import TESTS

pytestmark = [pytest.mark.once, pytest.mark.skipif(os.name != "posix", reason="outside engines need POSIX")]

MOCK = TESTS / "support" / "mock_xboard.py"
TWO = "-engine cmd=sh name=new -engine cmd=cat"
BOOK = """rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -
"""

Planned = Callable[[str], tuple[Plan, Running, Path | None]]


@pytest.fixture
def capture_plans(monkeypatch: pytest.MonkeyPatch) -> Planned:
    """Record the plans of `gameplay match` instead of playing them."""
    results: list[tuple[Plan, Running, Path | None]] = []

    def begin(plan: Plan, running: Running, out: Path | None = None) -> int:
        results.append((plan, running, out))
        return 0

    monkeypatch.setattr(match, "start_run", begin)

    def call(words: str) -> tuple[Plan, Running, Path | None]:
        assert run(router, "gameplay", ["match", *shlex.split(words)]) == 0
        return results.pop()

    return call


SPELLINGS = [  # behind two engines, theirs and ours
    ("-each tc=60+0.6 -rounds 50", "--games 100 --clock 60+0.6"),
    ("-each tc=0/60+0.6 -rounds 50 -games 2 -repeat -recover", "--games 100 --clock 60+0.6"),
    ("-each tc=40/1:30 -games 4 -srand 7", "--games 4 --clock 40/1:30 --seed 7"),
    ("-each st=5 -games 2 -event 'a title'", "--games 2 --clock 5/move --title 'a title'"),
    ("-each nodes=5000 tc=inf -games 2", "--games 2 --nodes 5000"),
    ("-each depth=6 -games 2 -ratinginterval 10", "--games 2 --depth 6"),
    (
        "-each tc=1 -sprt elo0=0 elo1=5.5 alpha=0.05 beta=0.1 model=logistic -rounds 500",
        "--clock 1 --sprt 0,5.5 --alpha 0.05 --beta 0.1 --model logistic --games 1000",
    ),
    (
        "-each tc=1 -resign movecount=4 score=600 twosided=true -maxmoves 200 -games 2",
        "--clock 1 --resign 600,4 --longest 400 --games 2",
    ),
    (
        "-each tc=1 -draw movecount=8 score=10 -games 4 -openings file=BOOK format=epd order=random plies=4",
        "--clock 1 --draw 10,8 --openings BOOK:4 --games 4",
    ),
    (
        "-each plies=6 -games 2 -openings file=BOOK order=random start=1 policy=round",
        "--depth 6 --openings BOOK --games 2",
    ),
]


@pytest.mark.parametrize(("theirs", "ours"), SPELLINGS)
def test_the_plan_is_that_of_our_options(
    capture_plans: Planned, tmp_path: Path, theirs: str, ours: str
) -> None:
    book = tmp_path / "book.epd"
    book.write_text(BOOK)
    spellings = (f"{TWO} {theirs}", f"new=uci:sh uci:cat {ours} --game chess")
    plan, wanted = (capture_plans(words.replace("BOOK", str(book)))[0] for words in spellings)
    assert plan.encode() == wanted.encode() and plan == wanted


def test_commands_are_quoted_as_in_our_specs(capture_plans: Planned) -> None:
    theirs = "-engine cmd=sh args='-c \"a b\"' option.Hash=64 'option.Skill Level=3' "
    theirs += "-engine cmd=cat arg=-x 'arg=y z' proto=xboard -each option.Hash=16 tc=1 -games 2"
    ours = "\"uci:sh -c 'a b',Hash=64,Skill Level=3\" \"xboard:cat -x 'y z',Hash=16\""
    assert (
        capture_plans(theirs)[0].encode()
        == capture_plans(f"{ours} --game chess --games 2 --clock 1")[0].encode()
    )


def test_ponder_stands_alone_or_has_a_value(capture_plans: Planned) -> None:
    theirs = "-engine cmd=sh ponder -engine cmd=cat ponder=off proto=xboard -each ponder=on tc=1 -games 2"
    ours = "uci:sh,ponder=on xboard:cat --game chess --games 2 --clock 1"
    assert capture_plans(theirs)[0].encode() == capture_plans(ours)[0].encode()


def test_settings_without_an_option_are_in_the_plan(capture_plans: Planned) -> None:
    plan, running, out = capture_plans(
        "-engine cmd=sh tc=10 timemargin=250 -engine cmd=cat nodes=99 tc=10+1 timemargin=250 "
        "-engine cmd=sh st=2 timemargin=250 -tournament gauntlet -rounds 3 -resign movecount=3 score=600 "
        "-draw movenumber=40 movecount=8 score=10 -concurrency 2 -pgnout games.pgn --json --store x.db"
    )
    assert (plan.form, plan.games, plan.margin, plan.clock) == ("gauntlet", 6, 0.25, "")
    assert [(entry.clock, entry.nodes) for entry in plan.players] == [
        ("10", None),
        ("10+1", 99),
        ("2/move", None),
    ]
    assert plan.adjudicate.resign == Resign(value=600, moves=3, both=False)
    assert plan.adjudicate.draw == Draw(value=10, moves=8, after=80)
    assert (running.jobs, running.as_json, running.store, out) == (2, True, Path("x.db"), Path("games.pgn"))
    assert capture_plans(f"{TWO} -engine cmd=cat -each tc=1 -games 2")[0].form == "round-robin"
    assert capture_plans(f"{TWO} -each tc=1 -tournament round-robin -games 2 -pgnout file=a.pgn")[2] == Path(
        "a.pgn"
    )
    plan = capture_plans(f"{TWO} -each tc=1 -sprt elo0=-5 elo1=0 -rounds 5")[0]
    assert plan.sprt == Sprt(elo0=-5, elo1=0) and plan.form == "match"


PLANS = [  # behind two engines, theirs; and the parts of a plan in TOML
    ("-openings file=BOOK", '[openings]\nfile = "BOOK"\norder = "sequential"'),
    ("-openings file=BOOK policy=default", '[openings]\nfile = "BOOK"\norder = "sequential"'),
    (
        "-openings file=BOOK order=sequential start=2 plies=3",
        '[openings]\nfile = "BOOK"\norder = "sequential"\nstart = 2\nplies = 3',
    ),
    ("-openings file=BOOK order=random start=2", '[openings]\nfile = "BOOK"\nstart = 2'),
    ("-tb TABLES", '[adjudicate.syzygy]\nfolder = "TABLES"'),
    ("-tb TABLES;TABLES -tbpieces 0", '[adjudicate.syzygy]\nfolder = "TABLES:TABLES"'),
    (
        "-tb TABLES:TABLES -tbpieces 4 -tbignore50 -tbadjudicate WIN_LOSS",
        '[adjudicate.syzygy]\nfolder = "TABLES:TABLES"\npieces = 4\nfifty = false\nresults = "wins"',
    ),
    ("-tb TABLES -tbadjudicate DRAW", '[adjudicate.syzygy]\nfolder = "TABLES"\nresults = "draws"'),
]


@pytest.mark.parametrize(("theirs", "ours"), PLANS)
def test_the_plan_is_that_of_a_file(capture_plans: Planned, tmp_path: Path, theirs: str, ours: str) -> None:
    if "TABLES" in theirs:
        pytest.importorskip("chess.syzygy")
    book, plan = tmp_path / "book.epd", tmp_path / "plan.toml"
    book.write_text(BOOK)
    theirs, ours = (
        words.replace("BOOK", str(book)).replace("TABLES", str(TESTS / "answers")) for words in (theirs, ours)
    )
    names = ('name = "new"\nplayer = "uci:sh"', 'player = "uci:cat"')
    players = "\n".join(f"[[players]]\n{name}" for name in names)
    plan.write_text(f'game = "chess"\ngames = 4\nclock = "1"\n{players}\n{ours}\n')
    resolved_plan = capture_plans(f"{TWO} -each tc=1 -games 4 " + theirs.replace(";", "\\;"))[0]
    assert resolved_plan.encode() == planning.read(plan).encode()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("-tb nowhere", "there is no folder "),
        ("-tb", "-tb: expected one value, not none"),
        ("-tbpieces 5", "-tbpieces goes with -tb PATHS, the folders of the tables"),
        ("-tb x -tbignore50 5", "-tbignore50 takes no value, not 5"),
        ("-tb x -tbpieces five", "-tbpieces: expected a whole number from 0 up, not 'five'"),
        ("-tb x -tbadjudicate ALL", "-tbadjudicate: unknown kind of result 'ALL'"),
        ("-noswap", "-noswap has no counterpart here. Nearest: each opening"),
        ("-repeat 4", "-repeat 4 has no counterpart here. Nearest: -repeat"),
        ("-sprtt elo0=0", "unknown option '-sprtt'; did you mean '-sprt'?"),
        ("-games", "-games: expected one value, not none"),
        ("-games 2 3", "-games: expected one value, not 2 3"),
        ("-games many", "-games: expected a whole number from 1 up, not 'many'"),
        ("-games 3", "ask for an even number, not 3"),
        ("-concurrency 0", "-concurrency: expected a whole number from 1 up, not '0'"),
        ("-each tc", "-each: 'tc' should read KEY=VALUE"),
        ("-each nodes=1 nodes=2", "-each sets nodes twice; expected one value. Try: leave nodes=2 out"),
        ("-each ponder=never", "-engine: ponder must stand alone or be on or off, not 'never'"),
        ("-each ponder proto=ugi", "ponder=on is for uci, xboard, hub; leave it out"),
        ("-each proto=cecp", "-engine: unknown proto 'cecp'"),
        ("-each restart=on", "restart=on has no counterpart here. Nearest: restart=auto"),
        ("-each st=3", "tc and st exclude each other"),
        ("-each tc=soon", "'soon' is not a time control"),
        ("-each depth=x", "depth: expected a whole number from 1 up, not 'x'"),
        ("-engine name=x", "-engine needs its program: -engine cmd=stockfish"),
        ("-engine cmd=sh timemargin=3", "timemargin is the same for all engines here"),
        ("-engine cmd=sh args='", "there is no closing quotation"),
        ("-openings plies=3", "-openings needs file=FILE"),
        ("-pgnout", "-pgnout needs file=FILE"),
        ("-each tc=", "-each: tc has no value; expected tc=VALUE"),
        ("-openings file=nowhere.epd", "there is no file nowhere.epd"),
        ("-openings file=a.txt format=epd", "a file is read by its ending: call a.txt something.epd"),
        ("-openings file=a.epd order=shuffled", "-openings: unknown order 'shuffled'"),
        ("-openings file=a.epd start=0", "start: expected a whole number from 1 up, not '0'"),
        ("-openings file=a.epd policy=pair", "-openings: unknown policy 'pair'"),
        ("-openings file=a.epd policy=encounter", "policy=encounter, one opening for all games of two"),
        ("-engine cmd=sh -openings file=a.epd policy=default", "has no counterpart here. Nearest: policy=r"),
        ("-sprt elo0=0", "-sprt needs elo0=N and elo1=N, and elo1 is missing"),
        ("-sprt elo0=0 elo1=x", "elo1: expected a number, not 'x'"),
        ("-sprt elo0=0 elo1=5 model=bayesian", "no counterpart here. Nearest: model=logistic"),
        ("-resign score=3", "-resign needs movecount=N and score=N, and movecount is missing"),
        ("-resign movecount=3 score=600 twosided=maybe", "twosided must be true or false, not 'maybe'"),
        ("-draw movecount=3 score=-1", "score: expected a whole number from 0 up, not '-1'"),
        ("-variant fischerandom", "needs positions. Try: -openings file=FILE.epd"),
        ("-variant atomic", "-variant: unknown variant 'atomic'"),
        ("-tournament swiss", "-tournament: unknown form 'swiss'"),
        ("--games 4", "--games does not go with options of fastchess; expected --store, --json, --cluster"),
    ],
)  # fmt: skip
def test_refusals_are_one_line_and_name_the_nearest(
    capture_plans: Planned, capsys: pytest.CaptureFixture[str], more: str, words: str
) -> None:
    lexer = shlex.split(more) if more.count("'") != 1 else more.split()
    status = run(router, "gameplay", ["match", *shlex.split(f"{TWO} -each tc=1"), *lexer])
    err = capsys.readouterr().err
    assert status in (2, 6) and words in err and len(err.splitlines()) == 1


def test_one_engine_is_not_enough(capture_plans: Planned, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(router, "gameplay", ["match", "-engine", "cmd=sh", "-each", "tc=1"]) == 2
    assert capsys.readouterr().err == (
        "gameplay: a match needs two engines or more: add another -engine cmd=PROGRAM\n"
    )


def test_every_refused_option_names_something() -> None:
    for option, nearest in cutechess.UNSUPPORTED.items():
        assert (
            option not in cutechess.KEYS
            and option not in cutechess.SINGLE_VALUE
            and option not in cutechess.NO_EFFECT
        )
        with pytest.raises(Usage, match="has no counterpart here"):
            cutechess.parse_words(["-engine", "cmd=sh", option])
        assert nearest
    for option in cutechess.NO_EFFECT:
        assert cutechess.parse_words(["-engine", "cmd=sh", option]).engines == [{"cmd": "sh"}]


def test_the_page_lists_every_option() -> None:
    page = (TESTS.parent / "docs" / "how-to" / "other-programs.md").read_text()
    for option in (*cutechess.KEYS, *cutechess.SINGLE_VALUE, *cutechess.FLAGS, *cutechess.NO_EFFECT):
        assert f"`{option}" in page, option


def test_a_match_is_played_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path / "book.epd"
    book.write_text(BOOK.splitlines()[0] + "\n")
    mock = [sys.executable, "-I", "-S", str(MOCK), "--like", "fischer", "--line", "f2f3 e7e5 g2g4 d8h4"]
    engine = [f"cmd={mock[0]}", f"args={shlex.join(mock[1:])}", "proto=xboard"]
    words = ["-engine", *engine, "name=a", "-engine", *engine, "name=b", "-each", "tc=10+0.1", "-rounds", "1"]
    words += ["-openings", f"file={book}", "-concurrency", "1", "-pgnout", str(tmp_path / "games.pgn")]
    assert run(router, "gameplay", ["match", *words, "--store", str(tmp_path / "x.db"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["wins"], report["losses"], report["faults"]) == (
        1,
        1,
        [],
    )
    text = (tmp_path / "games.pgn").read_text()
    assert text.count('[Result "0-1"]') == 2 and "Qh4#" in text
