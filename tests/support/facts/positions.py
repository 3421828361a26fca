"""Counts of positions, boards, and games that are played."""

import json
import math
import re

from tests.support.facts.output import Output
from tests.support.facts.plain_games import pig, slides


def perft(output: Output) -> None:
    """Counted by hand: 20 and 400 in chess, 9 * 8 * 7 * 6 in tic-tac-toe, and Pig by its rules."""
    game = output.words[1]
    expected = {
        "chess": [20, 400],
        "pig": [pig(depth) for depth in (1, 2, 3)],
        "tictactoe": [math.perm(9, depth) for depth in (1, 2, 3, 4)],
    }[game]
    if output.text.startswith("{"):
        assert [depth["nodes"] for depth in json.loads(output.text)["depths"]] == expected
    else:
        table = [line.split() for line in output.lines if re.match(r" +\d", line)]
        assert [int(row[1].replace(",", "")) for row in table] == expected
        divided = [int(line.split()[1]) for line in output.lines if re.match(r"\S+ +\d+$", line)]
        assert len(divided) == expected[-2] and sum(divided) == expected[-1]


def check_moves(output: Output) -> None:
    """The number of legal moves is that of the board."""
    if output.text.startswith("{"):
        data = json.loads(output.text)
        moves, words = data["legal"], data["made"]
    else:
        moves = re.search(r"^legal: +(.*)$", output.text, re.MULTILINE)[1].split()
        words = output.option("--moves").split()
    count = {
        "chess": 29,  # black after 1. e4 e5 2. Nf3: 15 pawn moves, 5 of knights, 5 of the bishop, 4 and 1
        "backgammon": 15 + 15,  # two different dice, for each side as the one that begins
        "go:size=5": 25 - len(words) + 1,  # and pass
        "monopoly": 2,
        "puzzle15": 4,  # the blank stands in the middle
    }[output.words[1]]
    assert len(moves) == len(set(moves)) == count
    if not output.text.startswith("{"):
        boards(output)


def boards(output: Output) -> None:
    """A board has the pieces of its game: fifteen checkers a side, each tile once, those of a FEN."""
    for table in re.findall(r"^ 13 .*off\n((?: .*\n){2}) 12 ", output.text, re.MULTILINE):
        counts = {side: sum(map(int, re.findall(rf"\b{side}(\d+)", table))) for side in "XO"}
        assert counts["X"] == 15 and counts["O"] == 15
    for fen, more in re.findall(
        r"^position: +((?:\w+/){7}\w+) \S+ \S+ \S+ \S+ \S+(.*)", output.text, re.MULTILINE
    ):
        given = re.sub(r"\d", lambda digit: "." * int(digit[0]), fen).replace("/", "")
        drawn = "".join(re.findall(r"^[1-8] ((?:\S ?){8})$", output.text, re.MULTILINE)).replace(" ", "")
        changed = sum(first != second for first, second in zip(given, drawn, strict=True))
        assert changed == 2 * len(more.split()[1:]), "by each of the moves after the FEN"
    for tiles in re.findall(r"^position: +((?:\d+ ){15}\d+)$", output.text, re.MULTILINE):
        assert sorted(map(int, tiles.split())) == list(range(16))
        drawn = output.text.partition("position")[0].replace(".", "0").split()
        assert drawn == tiles.split()
    for drawn, black, white in re.findall(
        r"((?:^\d(?: [.XO])+\n)+)black: (\d+) discs\nwhite: (\d+) discs", output.text, re.MULTILINE
    ):
        assert (drawn.count("X"), drawn.count("O")) == (int(black), int(white))
    if (
        re.match(r"(show|play) (tictactoe|connect4)", " ".join(output.words))
        and "players=3" not in output.words[1]
    ):
        for drawn in re.findall(r"(?:^(?:\d )?[.XO](?: [.XO])+\n)+", output.text, re.MULTILINE):
            assert drawn.count("X") - drawn.count("O") in (0, 1)


def session(output: Output) -> None:
    """The number of legal moves is the printed one; the move count is made minus unmade moves."""
    for count, moves in re.findall(r"^(\d+) legal moves: (.*)$", output.text, re.MULTILINE):
        assert len(moves.split()) == len(set(moves.split())) == int(count)
    boards(output)
    if output.words[1].startswith("puzzle15"):
        rows = re.findall(r"^[\d.] [\d.] [\d.]$", output.text, re.MULTILINE)[:2]
        tiles = tuple(int(number.replace(".", "0")) for row in rows for number in row.split())
        assert f"\n{slides(tiles, 3)} moves to the goal" in output.text
    summaries = re.findall(r"^summary: (\d+) moves?$", output.text, re.MULTILINE)
    if not summaries:
        assert output.status == 4 and "the input ended" in output.err
        return
    names = re.findall(r"^([a-z]\w*)(?: \(\w\))?: [a-z]+(?::\S+)?$", output.text, re.MULTILINE)
    since = output.text.rpartition("a new game\n")[2]
    words = re.findall(rf"^(?:{'|'.join(names)}) (plays|holds|takes back) ", since, re.MULTILINE)
    assert words.count("plays") + words.count("holds") - words.count("takes back") == int(summaries[-1])


def statistics(output: Output) -> None:
    """Each row sums up, and both tables have the same games."""
    if output.text.startswith("{"):
        data = json.loads(output.text)
        rows = list(data["by"]["game"].values())
        assert sum(row["games"] for row in rows) == data["games"]
        for row in rows:
            assert row["won"] + row["drawn"] + row["lost"] == row["games"]
            assert row["score"] == (row["won"] + row["drawn"] / 2) / row["games"]
        return
    matches = re.findall(r"^(\S.*?) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) %$", output.text, re.MULTILINE)
    for _, games, *results, share in matches:
        won, drawn, lost = map(int, results)
        assert won + drawn + lost == int(games) and round(100 * (won + drawn / 2) / int(games)) == int(share)
    by_game = sum(int(games) for name, games, *_ in matches if ":" not in name)
    assert by_game == sum(int(games) for name, games, *_ in matches if ": " in name) > 0
