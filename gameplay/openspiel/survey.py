"""A survey of OpenSpiel's games: which are playable, and which laws and features hold.

`python -m gameplay.openspiel.survey` examines all games, or the named ones, each in a subprocess, and writes
`survey.toml`. `--page docs/how-to/openspiel.md` writes the table into that page.
"""

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from gameplay import file_io, registry
from gameplay.conformance.checker import check
from gameplay.errors import GameplayError, Usage
from gameplay.openspiel.game import OpenSpiel
from gameplay.openspiel.library import EXAMPLES, HEAD, names, resamples
from gameplay.position import CHANCE, AbstractPosition

FILE = Path(__file__).with_name("survey.toml")
MARK = "<!-- table -->"  # in the page, before the table
PLAYS, PLIES = 1, 25  # games and plies of the check; some games take seconds per move
DECISIONS = 12  # information sets to sample from
SECONDS = 600  # per game: in yacht a roll has 7,776 outcomes
MAX_MOVES = 3000  # of a random game
ENGINES = ("minimax", "alphabeta", "expectiminimax", "mcts", "ismcts", "pimc", "cfr", "maxn", "random")
SAMPLES = {  # of the files that games read: matching pennies
    "efg_game": """EFG 2 R "Matching pennies" { "Even" "Odd" } ""
p "" 1 1 "" { "heads" "tails" } 0
p "" 2 1 "" { "heads" "tails" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { -1 1 }
p "" 2 1 "" { "heads" "tails" } 0
t "" 3 "" { -1 1 }
t "" 4 "" { 1 -1 }
""",
    "nfg_game": 'NFG 1 R "Matching pennies" { "Even" "Odd" } { 2 2 }\n\n1 -1 -1 1 -1 1 1 -1\n',
}


def examine(name: str) -> dict[str, Any]:
    """Properties of a game, its engines, broken and untested laws; or the reason why it is not playable."""
    if name in SAMPLES:
        with TemporaryDirectory() as folder:
            sample = Path(folder) / "sample"
            sample.write_text(SAMPLES[name], encoding="utf-8")
            return _examine_game(f"{name}(filename={sample})")
    return _examine_game(f"{name}{EXAMPLES.get(name, '')}")


def _examine_game(text: str) -> dict[str, Any]:
    """As `examine`, for a game with parameters."""
    try:
        game = registry.game(f"{HEAD}:{text}")
        start = game.new()
    except Usage as error:
        return {"reason": str(error).partition(" be played here: ")[2] or str(error)}
    assert isinstance(start, OpenSpiel)
    verdict = check(game, PLAYS, 0, SECONDS, PLIES)
    facts: dict[str, Any] = {"players": start.players, "information": "hidden" if start.hidden else "perfect"}
    facts |= {"chance": start.chance, "simultaneous": start.loaded.turn_based, "zero_sum": start.zero_sum}
    facts |= {"board": start.board() is not None, "ends": _random_game_ends(game.new())}
    if start.hidden:
        facts["samples"] = _sampling_source(start.initial())
    facts["engines"] = [word for word in ENGINES if registry.engine_class(word).suitability(start)]
    broken = [each.law for each in verdict.broken if each.law != "ends"]
    return facts | {"broken": broken, "untested": [each.law for each in verdict.untested]}


def _random_game_ends(position: AbstractPosition) -> bool:
    """True if a random game ends."""
    rng = Random(1)
    for _ in range(MAX_MOVES):
        if position.outcome() is not None:
            return True
        _make_random_move(position, rng)
    return position.outcome() is not None


def _make_random_move(position: AbstractPosition, rng: Random) -> None:
    moves = position.moves()
    odds = position.chances() if position.turn == CHANCE else None
    position.make(rng.choices(moves, odds)[0])


def _sampling_source(position: OpenSpiel) -> str:
    """The program that samples information sets in a random game; "" if none can."""
    rng, decisions = Random(1), 0
    program = "OpenSpiel" if resamples(position.loaded.text) else "gameplay"
    while position.outcome() is None and decisions < DECISIONS:
        if position.turn != CHANCE:
            decisions += 1
            try:
                position.determinize(position.turn, rng)
            except GameplayError:
                return ""
        _make_random_move(position, rng)
    return program if decisions else ""


def read() -> dict[str, Any]:
    """The stored table: `version` of OpenSpiel, and `games` by name."""
    return file_io.toml(FILE)


def format_toml(games: Mapping[str, Mapping[str, Any]], version: str) -> str:
    """The table as TOML."""
    lines = ["# Written by `python -m gameplay.openspiel.survey`.", "", f'version = "{version}"']
    for name, facts in sorted(games.items()):
        lines += ["", f"[games.{json.dumps(name)}]"]
        lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in facts.items()]
    return "\n".join(lines) + "\n"


def format_markdown(games: Mapping[str, Mapping[str, Any]]) -> str:
    """The table in Markdown: a row for each game that can be played, then the others with their reasons."""
    lines = ["| game | players | information | moves | samples | engines | broken laws |", "|---" * 7 + "|"]
    for name, facts in sorted(games.items()):
        if "reason" not in facts:
            lines.append(f"| `{name}` | {' | '.join(_cells(facts))} |")
    lines += ["", "| not examined | reason |", "|---|---|"]
    reasons = {name: facts["reason"] for name, facts in sorted(games.items()) if "reason" in facts}
    lines += [f"| `{name}` | {reason} |" for name, reason in reasons.items()]
    return "\n".join(lines)


def write_page(page: Path) -> None:
    """Write the table to the page, after its mark."""
    text, mark, _ = page.read_text(encoding="utf-8").partition(MARK)
    page.write_text(f"{text}{mark}\n\n{format_markdown(read()['games'])}\n", encoding="utf-8")


def _cells(facts: Mapping[str, Any]) -> list[str]:
    moves = ["simultaneous"] if facts["simultaneous"] else []
    moves += ["chance"] if facts["chance"] else []
    samples = facts.get("samples")
    return [
        str(facts["players"]),
        facts["information"],
        ", ".join(moves) or "in turn",
        "" if samples is None else samples or "none",
        ", ".join(facts["engines"]),
        ", ".join(facts["broken"]) or "none",
    ]


def _examine_in_process(name: str) -> dict[str, Any]:
    """`examine` in a subprocess, which may crash or time out."""
    command = [sys.executable, "-m", "gameplay.openspiel.survey", "--one", name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return {"reason": f"not examined within {SECONDS} seconds"}
    if done.returncode:
        return {"reason": f"failed: {done.stderr.strip().splitlines()[-1][:80]}"}
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


def main(words: Sequence[str]) -> None:
    """Examine the games named, all by default, and write the table."""
    if words[:1] == ["--page"]:
        write_page(Path(words[1]))
        return
    if words[:1] == ["--one"]:
        print(json.dumps(examine(words[1])))
        return
    from importlib.metadata import version

    games: dict[str, Any] = dict(read()["games"]) if FILE.is_file() and words else {}
    chosen: Iterable[str] = words or names()
    for name in chosen:
        games[name] = _examine_in_process(name)
        print(name, games[name].get("reason") or games[name]["broken"], flush=True)
        FILE.write_text(format_toml(games, version("open_spiel")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
