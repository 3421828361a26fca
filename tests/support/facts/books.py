"""Books and tables: small games by brute force."""

import json
import re
from collections import Counter

from tests.support.facts.output import Output
from tests.support.facts.plain_games import Crosses


def tables(output: Output) -> None:
    """All 5,478 positions of tic-tac-toe, solved by brute force."""
    game = Crosses()
    if output.words[1] == "build":
        (built,) = json.loads(output.text)
        assert built["positions"] == built["numbers"] == sum(map(len, game.positions_by_ply())) == 5478
    elif output.words[1] == "stats":
        every = [(number, cells) for number, ply in enumerate(game.positions_by_ply()) for cells in ply]
        counts = {
            side: Counter(
                (game.value(cells) > 0) - (game.value(cells) < 0)
                for number, cells in every
                if number % 2 == turn
            )
            for turn, side in enumerate("xo")
        }
        if output.text.startswith("["):
            rows = [
                (entry["name"][0], entry["won"], entry["drawn"], entry["lost"])
                for entry in json.loads(output.text)
            ]
        else:
            matches = re.findall(
                r"^(\w) to move: ([\d,]+) won, ([\d,]+) drawn, ([\d,]+) lost", output.text, re.MULTILINE
            )
            rows = [(side, *(int(entry.replace(",", "")) for entry in more)) for side, *more in matches]
        assert rows == [(side, counts[side][1], counts[side][0], counts[side][-1]) for side in "xo"]
    elif output.words[1] == "probe":
        moves = ["a1", "b2"] if "--position" in output.words else []
        if output.text.startswith("{"):
            assert json.loads(output.text)["moves"] == game.worth(moves)
        else:
            assert dict(re.findall(r"^  (\w\d) +(.*)$", output.text, re.MULTILINE)) == game.worth(moves)
    else:
        assert re.search(r"\b(ok|right)\b", output.text) and "wrong" not in output.text


def check_build(output: Output) -> None:
    """A written book has the counts of the printed line, and at most the moves of its positions."""
    match = re.search(
        r"(\d+) positions?, (\d+) moves?, ([\d,]+) bytes$", output.text + output.err, re.MULTILINE
    )
    if match is None:
        assert re.search(r"(is in|dropped|line left)", output.text + output.err)
        return
    positions, moves = int(match[1]), int(match[2])
    dropped = re.search(r"^(\d+) of (\d+) moves dropped", output.text + output.err, re.MULTILINE)
    assert dropped is None or moves == int(dropped[2]) - int(dropped[1])
    assert positions <= moves <= 9 * positions or "SMALL" in output.text


def check_probe(output: Output) -> None:
    """The values of solved moves are those of brute force; the shares of played moves add up to 100 %."""
    game = output.words[2]
    if game.startswith("tictactoe") and "READ" not in " ".join(output.words):
        size = [int(digit) for digit in re.findall(r"=(\d)", game)] or [3, 3, 3]
        crosses = Crosses(*size)
        worth = crosses.worth(output.option("--moves").split())
        if output.text.startswith("{"):
            values = {move["move"]: move["value"] for move in json.loads(output.text)["moves"]}
            assert all(crosses.says(value - 999_900) == worth[word] for word, value in values.items())
        else:
            rows = re.findall(r"^(\w\d) +\d+ % +(.*)$", output.text, re.MULTILINE)
            assert rows and all(worth[word] == value for word, value in rows)
    shares = [int(percentage) for percentage in re.findall(r" (\d+) %", output.text)]
    assert not shares or 98 <= sum(shares) <= 102


def check_export(output: Output) -> None:
    """Each move of a solved book has its value by brute force; each best move has weight 1."""
    crosses = Crosses(3, 2, 2)
    for line in output.lines[1:]:
        path, _, rest = line.partition(" weight ")
        weight, value = re.match(r"(\d) value ([-+]\d+)", rest).groups()
        words = path.replace(" then ", " ").split()
        worth = crosses.worth(words[:-1])
        sign = 1 if int(value) > 0 else -1
        assert crosses.says(sign * (abs(int(value)) - 999_900)) == worth[words[-1]]
        wins = [int(value.split()[-1]) for value in worth.values() if value.startswith("win")]
        best = f"win in {min(wins)}" if wins else "loss"
        assert int(weight) == worth[words[-1]].startswith(best)
    assert len(output.lines) - 1 == 56


def books(output: Output) -> None:
    """Positions by ply sum to the total; solved entries of tic-tac-toe are right."""
    if output.text.startswith("{"):
        data = json.loads(output.text)
        assert data["positions"] <= data["moves"] and data["root"] and data["bytes"] > 0
        return
    plies = re.search(r"^by ply +(.*)$", output.text, re.MULTILINE)
    if plies is None:  # the list of books
        assert (
            len(re.findall(r"^(checkers|connect4|othello|tictactoe) +[\d,]+ ", output.text, re.MULTILINE))
            == 4
        )
        return
    counts = [int(part.replace(",", "")) for part in plies[1].split(", ")]
    assert sum(counts) == output.number(r"^holds +([\d,]+) positions?")
    size = re.search(r"width=(\d),height=(\d),line=(\d)", output.text)
    crosses = Crosses(*map(int, size.groups())) if size else Crosses()
    if "every position of tictactoe" in output.text:
        kinds = [
            {_canonical_cells(cells, crosses) for cells in ply if crosses.moves(cells)}
            for ply in crosses.positions_by_ply()
        ]
        assert counts == [len(kind) for kind in kinds if kind]
    line: list[str] = []
    for spaces, ply, word, value in re.findall(
        r"^( *)(\d)\. (\S+) +(draw|(?:win|loss) in \d+)", output.text, re.MULTILINE
    ):
        del line[int(ply) - 1 :]
        assert len(spaces) == 2 * (int(ply) - 1) and crosses.worth(line)[word] == value
        line.append(word)


def _canonical_cells(cells: str, game: Crosses) -> str:
    """The same text for a board and all its reflections and rotations."""
    rows = [cells[start : start + game.width] for start in range(0, len(cells), game.width)]
    images = []
    for _ in range(4):
        rows = ["".join(row) for row in zip(*rows[::-1], strict=True)]
        if len(rows) == game.height:
            images += ["".join(rows), "".join(row[::-1] for row in rows)]
    return min(images)
