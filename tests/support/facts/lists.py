"""Helps, lists, settings and documents: they are complete."""

import json
import math
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import click

from gameplay import registry
from gameplay.cli import commands, load, router
from tests.support.facts.output import Output


def helps(output: Output) -> None:
    """The help shows the options and subcommands of the command, and fits 80 columns."""
    names = output.words[:-1]
    command: click.Command = router
    for number, name in enumerate(names):
        command = load(name) if number == 0 else command.get_command(click.Context(command), name)
    assert output.text.startswith(" ".join(["Usage: gameplay", *names, "["]))
    options = {
        name
        for parameter in command.get_params(click.Context(command))
        if isinstance(parameter, click.Option) and not parameter.hidden
        for name in (*parameter.opts, *parameter.secondary_opts)
    }
    table = output.text.partition("\nOptions:\n")[2].partition("\n\n")[0]
    shown = {name for line in re.findall(r"^  (-.*?)(?:  |$)", table, re.MULTILINE) for name in _flags(line)}
    assert shown == options
    if isinstance(command, click.Group):
        below = set(commands() if not names else command.list_commands(click.Context(command)))
        assert set(re.findall(r"^  ([a-z]\w*)  +[A-Z]", output.text, re.MULTILINE)) == below
    long = [line for line in output.lines if len(line) > 80 and "  gameplay " not in line]
    assert not long, "examples are not folded, all else is"
    assert {0, 1, 2, 130} <= {
        int(number) for number in re.findall(r"^  (\d+) +\w", output.text, re.MULTILINE)
    }


def _flags(line: str) -> list[str]:
    return re.findall(r"(?<![\w-])--?[a-z][\w-]*", re.sub(r"\[.*?\]", "", line))


def check_names(names: list[str], pattern: str) -> Callable[[Output], None]:
    """All names are listed, in order."""

    def fact(output: Output) -> None:
        assert re.findall(pattern, output.text, re.MULTILINE) == sorted(names)

    return fact


def parameters(output: Output) -> None:
    """The page of a game or an engine has exactly the names of its options."""
    kind, name = output.words
    if kind == "engines":
        owner = registry.engine_class(name)
        assert re.match(rf"{name}( \(also called: .*\))?$", output.lines[0])
        shown = set(
            re.findall(
                r"^  ([a-z]\w*)(?:  +[A-Z].*|)$",
                output.text.partition("\nOptions")[2].partition("\nLimits")[0],
                re.MULTILINE,
            )
        )
        assert shown == set(owner.options())
    else:
        cls, _ = registry.game_class(name)
        body = output.text.partition("\nParameters:\n")[2].partition("\n\n")[0]
        shown = re.findall(r"^  (\w+) +(?:default \S|needed)", body, re.MULTILINE)
        from gameplay.position import parameters as declared

        assert shown == list(declared(cls))
        if name != "tree":
            assert f"Facts: {registry.game(name).new().players} players" in output.text


def levels(output: Output) -> None:
    """Levels are numbered from 1; each searches at least as deep and errs at most as often as the last."""
    if output.text.startswith("{"):
        rows = [
            (level["level"], level["nodes"] * level["depth"], level["slip"])
            for level in json.loads(output.text)["levels"]
        ]
    else:
        matches = re.findall(
            r"^ +(\d+)  ([\d,]+) (?:ply|plies|nodes|deals) +(\S+)", output.text, re.MULTILINE
        )
        rows = [
            (int(level), int(far.replace(",", "")), float("0" if odd == "none" else odd.rstrip("%")))
            for level, far, odd in matches
        ]
    assert [level for level, _, _ in rows] == list(range(1, len(rows) + 1)) and len(rows) > 1
    for (_, far, slip), (_, farther, less) in pairwise(rows):
        assert farther >= far and less <= slip and (farther, less) != (far, slip)


def openings(output: Output) -> None:
    """Every line shown begins with the given moves, and its moves are legal."""
    game = registry.game(output.words[1])
    begun = output.option("--moves")
    if output.text.startswith("{"):
        lines = [opening["moves"] for opening in json.loads(output.text)["openings"]]
    else:
        lines = [match[1] for line in output.lines if (match := re.match(r"\S.*?  +(\S.*)$", line))]
        lines = [line for line in lines if re.match(r"[a-hNBRQKO][\w-]", line)]
    assert lines and all(line.startswith(begun) for line in lines)
    for line in lines[:: max(1, len(lines) // 25)]:
        position = game.new()
        for word in line.split():
            assert word in {position.format(move) for move in position.moves()}
            position.make(position.parse(word))


def terms(output: Output) -> None:
    """Terms are in alphabetical order, and folded."""
    assert all(len(line) <= 80 for line in output.lines)
    names = re.findall(r"^(\S[^:(]*?)(?: \([^)]*\))?: ", output.text, re.MULTILINE)
    assert names and names == sorted(names, key=str.lower)


def document(output: Output) -> None:
    """A JSON schema whose references exist."""
    data = json.loads(output.text)
    references = set(re.findall(r'"#/\$defs/(\w+)"', output.text))
    assert references == set(data["$defs"]) and data["title"] == "gameplay theme"


def databases(output: Output) -> None:
    """A pattern of k tiles of the 15-puzzle has an entry for each placement of these tiles."""
    sizes = {"6-6-3": [6, 6, 3], "7-8": [7, 8]}
    if output.text.startswith("["):
        results = {load["name"]: load["bytes"] for load in json.loads(output.text)}
        for name, tiles in sizes.items():
            entries = sum(math.perm(16, count) for count in tiles)
            assert entries <= results[name] * 2 and results[name] < 1.01 * entries
    else:
        assert [line.split()[0] for line in output.lines] == list(sizes)


def settings(output: Output) -> None:
    """Every setting appears once, with its default; a change is confirmed."""
    if len(output.words) == 1:
        rows = re.findall(r"^(\w+) +\S+ +default  [A-Z]", output.text, re.MULTILINE)
        assert len(rows) == len(set(rows)) == 10
    elif "--preview" in output.words:
        boards = output.text.split("\n\n")
        assert len([board for board in boards if board.strip()]) == 7
        names = [board.split()[0].rstrip(":") for board in boards if board.strip()]
        assert names == ["wood", "night", "paper", "contrast", "blue", "mono", "ascii"]
        assert boards[6].isascii() and "night (set)" in output.text
    else:
        assert output.text.startswith(f"{output.words[1]} is {output.words[2]} now, in ")


def assignment(output: Output) -> None:
    """The marks of the tests sum up, and the nodes of minimax are those of brute force."""
    if output.text.startswith("{"):
        tests = json.loads(output.text)["tests"]
        marks = [int(test["most"]) for test in tests]
        assert sum(marks) == 16 and len(tests) == 11
        return
    marks = [
        int(number) for number in re.findall(r"^ +(\d+)  (?:laws|position|match) ", output.text, re.MULTILINE)
    ]
    assert sum(marks) == output.number(r"^ +(\d+) +marks in all")


def written_game(output: Output) -> None:
    """The number of games is that of the file."""
    name = next(word for word in output.words if "/" in word)
    games = Path(name).read_text().count("[Event ")
    assert f"{games} games written" in output.text + output.err
