"""The output and files of commands: figures are recomputed, and texts compared with stored screens.

`tests.support.facts` has what must be true of each command's output. How figures and words are put together
has no truth outside: where it differs and should, GAMEPLAY_SCREENS=write stores it again. Seconds and what
follows from them are left out, and so are the scripts and styles of pages.
"""

import io
import re
import shlex
import sys
from hashlib import blake2b
from pathlib import Path

import click
import pytest

from gameplay import registry
from gameplay.cli import Group, commands, load, router, run
from tests.support.facts import commands as facts
from tests.support.facts.drawn_trees import page_data
from tests.support.facts.output import Output
from tests.support.golden import golden
from tests.support.paths import ROOT, TESTS

RECORDS = TESTS / "examples" / "records"
CHESS = "--position '8/8/1p1k4/p1p2p2/P1P2P2/1PNK4/8/2n5 w - - 0 1'"
COMMANDS = commands()
BELOW = [
    f"{name} {word}"
    for name in COMMANDS
    if isinstance(group := load(name), Group)
    for word in group.list_commands(click.Context(group))
]
EXAMPLES = {
    "facts": (
        "openings chess --moves 'e4 c5 Nf3'",
        "openings othello tiger --plain",
        "openings othello --moves 'f5 d6 c3' --json",
        "show chess --moves 'e4 e5 Nf3' --plain",
        "show backgammon --plain",
        "show go:size=5 --moves 'C3 C4' --json",
        "show monopoly --moves '1-2' --json",
        "show puzzle15 --plain",
        "perft chess --depth 2 --divide",
        "perft pig --depth 3 --json",
        "perft tictactoe --depth 4 --json",
        "settings",
        "glossary seldepth",
        "levels connect4 --json",
        "book probe connect4 own --moves 4",
        "book probe othello own --json",
    ),
    "searches": (
        "analyse tictactoe --engines minimax,alphabeta,iterative,mcts:sims=50 --depth 3 --plain",
        "analyse connect4 --moves '4 4 3' --engines alphabeta,quiescence --depth 3 --json",
        f"analyse chess {CHESS} --engines selective --depth 4 --multipv 3 --plain",
        "analyse pig --engines expectiminimax --depth 3 --json",
        "analyse kuhn --moves 'K J' --engines cfr:iterations=20 --json",
        "measure tictactoe --engines minimax,alphabeta --positions 2 --depth 1-3 --svg FILE.svg --json",
        "measure connect4 --ablate alphabeta --positions 1 --depth 3 --json",
        "solve tictactoe --moves 'b2 a1' --plain",
        "solve connect4:columns=4,rows=4 --moves '2 3 2 3' --json",
        "tree tictactoe --moves 'b2 a1 c1 a3' --depth 2 --plain",
        "tree connect4:columns=4,rows=4 --depth 2 -o FILE.svg",
        "tree connect4:columns=4,rows=4 --depth 2 -o FILE.dot",
        "tree connect4:columns=4,rows=4 --depth 2 -o FILE.html",
        "tree tictactoe --engine mcts:sims=20 --plain",
        "exploit kuhn --engine cfr:iterations=20 --svg FILE.svg --out FILE.strategy",
        "exploit kuhn --engine random --json",
        *(f"quiz --seed {level} --sheet 2 --level {level} --game tree --plain" for level in range(1, 6)),
        "quiz --seed 4 --sheet 3 -o FILE.html",
        "quiz --seed 5 --count 4 --json",
        "check tictactoe --games 2 --json",
        "check random --game nim --positions 1",
    ),
    "runs": (
        f"run import {RECORDS}/run.jsonl",
        "run report last",
        "run report last --json",
        "run report last --html FILE.html",
        "run compare last last",
        "run compare last last --json",
        "run status",
        "run status last --json",
        "run export last --bare",
        *(
            f"replay {RECORDS}/{name}"
            for name in ("chess.pgn", "checkers.pdn", "backgammon.mat", "go.sgf --ply 20")
        ),
        f"replay {RECORDS}/checkers.pdn --json",
        f"run export {RECORDS}/checkers.pdn --out FILE.pdn",
        f"review {RECORDS}/checkers.pdn --depth 2 --plain",
        f"review {RECORDS}/checkers.pdn --depth 2 --html FILE2.html",
        f"review {RECORDS}/checkers.pdn --depth 2 --json",
        "puzzles --list",
        "puzzles --list --json",
        "stats",
        "games --saved",
    ),
    "sessions": (
        "play tictactoe --plain --players human,minimax:depth=2"
        " < moves|hint|hint|b2|why|why c3|eval|show|undo|redo|undo 9|x1|help hint|level 3|flip|draw|quit",
        "play connect4:columns=4,rows=4 --plain --players iterative:depth=2,human"
        " < 2|moves|undo|3|engine random|restart|quit",
        "play nim:heaps=1+2+3 --plain --players human,perfect --seed 1 < c1|b2|a1|c2|quit",
        "play othello:size=4 --plain --ascii --players human,alphabeta:depth=2 < moves|show|d3|b4|resign",
        "play puzzle15:rows=2,columns=3,seed=5 --plain < moves|hint|eval|up|left|undo|quit",
        "play kuhn --plain --players human,random --seed 3 < moves|bet|quit",
        "play liars-dice --plain --players random,human --seed 3 < moves|show|liar|quit",
        "play pig:goal=12 --plain --players human,random --seed 2 < roll|hold|roll|roll|hold|undo|quit",
        "play backgammon --plain --players human,random --seed 2 < moves|show|quit",
        "play chess --plain --players human,human < e4|e5|Qh5|Ke7|moves e5|Qxe5#|quit",
        "play go:size=5 --plain --players human,human --seed 1 < C3|pass|undo|D3|pass|pass",
        "play tictactoe:players=3 --plain --players human,random,random --seed 1 < a1|moves|resign",
        "stats",
        "stats --json",
    ),
    "tables": (
        "table build tictactoe --folder T --jobs 1 --json",
        "table stats tictactoe --folder T",
        "table stats tictactoe --folder T --json",
        "table probe tictactoe --folder T --position x../.o./...",
        "table probe tictactoe --folder T --json",
        "table verify tictactoe --folder T",
        "table verify tictactoe --folder T --json",
        "table probe nim --folder T",
    ),
    "books": (
        "book build tictactoe:width=3,height=2,line=2 --solve --out FILE.book",
        "book show FILE.book",
        "book show FILE.book --json",
        "book probe tictactoe:width=3,height=2,line=2 FILE.book",
        "book probe tictactoe:width=3,height=2,line=2 FILE.book --json",
        "book export FILE.book",
        "book build connect4:columns=4,rows=4 --expand 6 --nodes 50 --out OTHER.book",
        "book show OTHER.book --plies 3 --moves 1",
        "book prune OTHER.book --plies 1 --out LESS.book",
        "book show LESS.book --json",
        "book build tictactoe --plies 2 --out NONE.book",
        "book build tictactoe --solve --expand 3 --out NONE.book",
        "book build tictactoe --expand 3 --min-games 2 --out NONE.book",
        "book build tictactoe --solve --deviation 3 --out NONE.book",
        "book build tictactoe --solve --out NONE.bin",
        "book build tictactoe --solve --out NONE.table",
        "book build tictactoe --solve --plies 2 --moves b2 --out NONE.table",
        "book build tictactoe --solve --plies 2 --out NONE.book",
        "book build tictactoe --expand 3 --plies 2 --out NONE.book",
        "book build tictactoe --solve --width 3 --out NONE.book",
        "book build tictactoe lines.txt --moves a1 --out NONE.book",
        "book build tictactoe lines.txt --out FILE.book",
        "book build tictactoe --solve --out FILE.book",
        "book build tictactoe --expand 4 --nodes 20 --moves a1 --deviation 1 --out STARTS.book",
        "book build tictactoe --expand 4 --nodes 20 --moves b2 --out STARTS.book",
        "book show STARTS.book --plies 2 --moves 2",
        "book build tictactoe:width=2,height=2,line=2 --expand 99 --nodes 20 --out SMALL.book",
        "book build tictactoe:width=2,height=2,line=2 --expand 9 --nodes 20 --out SMALL.book",
        "book show SMALL.book",
        "book prune FILE.book --min-games 99 --out NEW.book",
        "book prune FILE.book --plies 0 --out NEW.book",
        "book merge FILE.book FILE.book --out TWICE.book",
        "book merge FILE.book OTHER.book --out NEW.book",
        "book merge FILE.book --out FILE.book",
        "book export STARTS.book --out LINES.txt",
        "book import tictactoe LINES.txt --out READ.book",
        "book show READ.book --json",
        "book probe tictactoe READ.book --moves a1",
        "book probe tictactoe own --moves 'a1 b1'",
        "book probe tictactoe own --moves 'a1 a2 b1 b2 c1'",
        "book show",
        "book show tictactoe",
        "book show nothing.book",
        "book export tictactoe",
    ),
    "helps": tuple(f"{name} --help" for name in ("", *COMMANDS)),
    "parts": tuple(f"{name} --help" for name in BELOW),
    "explained": (
        "games",
        "engines",
        "glossary",
        "levels",
        "openings checkers",
        *(f"games {name}" for name in registry.game_names()),
        "levels go",
        "levels hearts",
        *(f"engines {name}" for name in registry.engine_names()),
    ),
    "quizzes": (
        *(
            f"quiz --seed {seed} --kind {kind} --level {level} --count 2 --json"
            for seed, kind in enumerate(("value", "move", "cut", "window", "visits"), 1)
            for level in (2, 4)
        ),
        "quiz --seed 3 --kind quiescence --level 3 --game chess --sheet 2",
        "quiz --seed 4 --kind move --level 3 --game tictactoe --sheet 2",
        "quiz --seed 5 --kind visits --level 2 --game tictactoe --sheet 2 --plain",
        "quiz --seed 6 --kind cut --level 4 --game tictactoe --sheet 1",
        "quiz --seed 7 --kind window --level 5 --game tictactoe --sheet 1",
        "quiz --seed 8 --kind value --level 3 --game nim --sheet 1",
        "quiz --seed 9 --kind quiescence --game nim",
        "quiz --seed 1 --count 5 --level 1 --game tree --plain < nonsense|3||skip|a|quit",
    ),
    "trees": (
        f"tree chess {CHESS} --engine selective --depth 4 --most 150 -o FILE.html",
        f"tree chess {CHESS} --engine selective --depth 3 --most 60 --plain",
        "tree pig --engine expectiminimax --depth 2 --plain",
        "tree pig --engine expectiminimax --depth 3 --most 30 -o FILE.html",
        "tree backgammon --moves 61 --engine expectiminimax --depth 1 -o FILE.svg",
        "tree tictactoe:players=3 --engine maxn --depth 1 --plain",
        "tree tictactoe:players=3 --engine paranoid --depth 2 --most 9 -o FILE.svg",
        "tree tictactoe --moves 'b2 a1' --engine iterative --depth 4 --most 60 -o FILE.html",
        "tree tictactoe --moves 'b2 a1 c1 a3' --engine iterative:eval=none --depth 3 --plain",
        "tree puzzle15:rows=2,columns=3,seed=5 --engine idastar --most 40 --plain",
        "tree puzzle15:rows=2,columns=3,seed=5 --engine idastar -o FILE.html",
        "tree puzzle15:rows=2,columns=3,seed=5 --engine astar --most 30 -o FILE.svg",
        "tree puzzle15:rows=2,columns=2,seed=3 --engine dfid --plain",
        "tree connect4:columns=3,rows=3,connect=3 --engine pns --nodes 90 --most 25 --plain",
        "tree connect4:columns=3,rows=3,connect=3 --engine pns --nodes 90 -o FILE.html",
        "tree connect4:columns=4,rows=4 --engine quiescence --depth 3 --most 40 -o FILE.svg",
        "tree tictactoe --engine mcts:sims=60 --most 40 -o FILE.html",
        "tree kuhn --moves 'K J' --engine ismcts:sims=30 --plain",
        "tree tictactoe --engine selective --depth 2 --most 5 -o FILE.dot",
        f"trace chess {CHESS} --engine selective --depth 2 --plain",
        "trace pig --engine expectiminimax --depth 2 --json",
        "trace tictactoe --moves 'b2 a1 c1 a3' --engine iterative --depth 2 --json",
        "trace puzzle15:rows=2,columns=2,seed=3 --engine astar --plain",
        "trace puzzle15:rows=2,columns=2,seed=3 --engine idastar --json",
        "trace kuhn --moves 'K J' --engine mcts:sims=3",
        "trace tictactoe --moves 'b2 a1 c1 a3 a2 c2' --engine mcts:sims=4 --json",
    ),
    "refused": (
        "measure tictactoe --moves 'a1 a2 b1 b2 c1'",
        "measure pig --moves roll",
        "measure tictactoe --positions FILE.txt",
        "measure tictactoe --engines minimax --depth 3-1",
        "tree tictactoe --depth 1 -o nowhere/FILE.svg",
        "tree tictactoe --depth 1 -o FILE.png",
        "quiz --seed 4 --sheet 3 -o nowhere/FILE.txt",
        "quiz --seed 4 --sheet 3 --count 2",
        "quiz --level 9",
        "exploit kuhn --engine random --out nowhere/FILE.strategy",
        "exploit tictactoe",
        "solve kuhn --moves 'K J'",
        "solve tictactoe --moves 'a1 a2 b1 b2 c1'",
        "solve pig",
        "play tictactoe --multipv 3 --players human,random",
        "play tictactoe --ponder --players human,random",
        "play tictactoe --threads 2 --players human,random",
        "run export FILE.pgn --bare",
        "run export 1",
        "replay 1",
        "review 1",
        "run resume",
        "settings mode night",
        "settings theme nothing",
        "settings bell perhaps",
        "glossary xyzzy",
        "perft tictactoe --position xx",
        "openings pig",
        "openings chess nowhere",
        "check nothing.py",
        "book --solve",
        "stats",
        "run status",
        "run status 7",
        "run compare last 1",
        "run verify last",
        "run stop last",
        "run report last",
        "puzzles",
        "toml schema nothing",
        "toml check nowhere.toml",
        "engines nothing",
        "games nothing",
        "trace tictactoe --engine random",
        "trace pig --engine alphabeta --depth 2",
        "regress nowhere.toml",
        "assignment nowhere",
        "analyse tictactoe --moves 'a1 a2 b1 b2 c1'",
        "analyse kuhn --engines alphabeta",
        "analyse tictactoe --engines random",
        "match random --game tictactoe",
        "selfplay tictactoe --games 3",
        "run import nowhere.jsonl",
    ),
    "others": (
        "analyse tictactoe --engines minimax,alphabeta --depth 2",
        "exploit kuhn:players=3 --engine random",
        "show backgammon --ascii",
        "quiz --seed 4 --sheet 3 --level 2",
        "patterns puzzle15 --list",
        "patterns puzzle15 --list --json",
        "toml schema theme",
        "book show connect4",
        "settings theme night",
        "settings theme nowhere",
        "settings theme --preview",
        "match random random --game tictactoe --games 4 --seed 1 --jobs 1",
        "run status last",
        "run verify last",
        "run stop last",
        "match random cfr:iterations=20 --game kuhn --games 40 --seed 1 --jobs 1",
        f"assignment {ROOT}/configs/assignments/tictactoe",
        f"assignment {ROOT}/configs/assignments/tictactoe --json",
        "openings chess grob",
        "glossary pv",
        "glossary nothing",
    ),
}


@pytest.mark.once
@pytest.mark.parametrize("kind", EXAMPLES)
def test_output_of_commands_is_right_and_matches_the_stored_screens(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    kept = []
    for words in EXAMPLES[kind]:
        asked, _, typed = words.partition(" < ")
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed.replace("|", "\n") + "\n"))
        for drawing in drawings(words):  # of an earlier command
            drawing.unlink()
        status = run(router, "gameplay", shlex.split(asked))
        output, noted = capsys.readouterr()
        pages = {file.suffix: file.read_text() for file in drawings(words)}
        facts.check(Output(shlex.split(words), status, output, noted, pages))
        output = output.replace("}, {", "},\n  {")  # a line for each object, so that a difference can be read
        kept.append(f"$ gameplay {words.replace(str(ROOT), '.')}\n{output}{noted}")
        kept += [f"exit status {status}\n"] if status else []
        kept += [f"{suffix[1:]}: {digest(steady(page, tmp_path))}\n" for suffix, page in pages.items()]
    golden(f"commands_{kind}", steady("\n".join(kept), tmp_path))


def drawings(words: str) -> list[Path]:
    """The pages and pictures in this folder that a command should write."""
    files = sorted(Path().glob("FILE*.*"))
    return [file for file in files if file.name in words.split() and file.suffix in (".svg", ".dot", ".html")]


def digest(page: str) -> str:
    """The digest of the data drawn by the script of a page, else of the page without its style."""
    text = page_data(page) or re.sub(r"(?s)<style>.*?</style>|<meta [^>]*>", "", page)
    return f"{len(text):,} characters of data, {blake2b(text.encode(), digest_size=4).hexdigest()}"


def steady(text: str, folder: Path) -> str:
    """The text without details of the clock, the machine and the folder."""
    text = text.replace(str(folder), ".").replace(str(ROOT), ".")
    text = re.sub(r"\d+\.\d{7,}", lambda number: f"{float(number[0]):.6g}", text)
    text = re.sub(
        r'("(?:today|seconds|nps|cpu|started|ended|\w*time|host|memory|ms)": ?)[^,\n}]+', r"\1#", text
    )
    text = re.sub(r"\d{8}-\d{6}-([a-z]+(?:-[a-z]+)*\d*?)(-\d+)+\b", r"#-\1", text)  # the name of a saved game
    text = re.sub(r"\b(tictactoe|kuhn)-(?!kedamo)\w{6}\b", r"\1-#", text)  # and of a run, but of one imported
    text = re.sub(r"(by gameplay [\d.]+) \w+", r"\1 #", text)  # the code of a run
    text = re.sub(r"^(  seconds|  nodes a second)\b.*", r"\1 #", text, flags=re.MULTILINE)
    text = re.sub(r"^ +first +second$", "  first  second", text, flags=re.MULTILINE)
    text = re.sub(  # columns as wide as that speed
        r"^  (moves|nodes|nodes a move) +([\d,]+) +([\d,]+)$", r"  \1  \2  \3", text, flags=re.MULTILINE
    )
    text = re.sub(r"[\d,.]+ ?[kMG]?(?: nodes)?(/s| a second)", r"#\1", text)
    text = re.sub(r"\d+-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00)?", "#", text)
    text = re.sub(r"\d+(\.\d+)? (ms|s|seconds)\b", r"# \2", text)
    # Omitted where the time is 0 s.
    text = re.sub(r"( positions in # s), # a second$", r"\1", text, flags=re.MULTILINE)
    text = re.sub(r"/s [\d,.]+( [kM])?$", "/s #", text, flags=re.MULTILINE)
    return re.sub(r" +(\d+\.\d|\d+\.\d{3} +[\d,]+)$", " #", text, flags=re.MULTILINE)  # columns of tables
