"""Corrupted files of Scrabble, backgammon, bridge, poker and Othello: each game is read or refused."""

import random
from pathlib import Path

import pytest

from gameplay.errors import BadInput
from gameplay.registry import game
from gameplay.store.formats import conversion, game_formats

pytestmark = pytest.mark.once

TIMES = 200
SAMPLES = {
    ".gcg": """#character-encoding UTF-8
#player1 ann Ann Lee
#player2 bob Bob
>ann: AEIOUUU -4 +0 0
>bob: AEINRST 8D RETAINS +66 66 RE
>bob: UNKNOWN (challenge) +5 71
>ann: ?Z H7 Z(I)z +11 11
#note a remark
>ann: ?Z -- -11 0
>bob: - +0 71
>ann: QS H7 Q.S +12 12
>ann: (time) -10 2
#rack1 ABCDEFG
""",
    ".mat": """; [Site "Club"]
 5 point match

 Game 1
 Ann : 0                        Bob : 0
  1)                             31: 8/5 6/5
  2) 22: 24/22 24/22 13/11 13/11 65: 24/18 18/13
  3)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Ann : 1                        Bob : 0
  1) 31: 8/5 6/5                 64: 24/14
  2) 52: ????
                                  Wins 2 points
""",
    ".pbn": """% PBN 2.1
[Event "x"] { note } [Date "2020.03.09"]
[Dealer "E"] [Vulnerable "NS"] [Deal "W:A8.K95.T863.AT63 63.T76.K7.QJ8754
KQJ5.QJ2.AQJ94.2 -"]
[Auction "E"]
P 1H* =1= PASS 1NT AP
[Note "1:five"]
[Play "E"]
S5 S2 SA S3
*

[Deal "#"] [Contract "2D"] [Declarer "N"]
""",
    ".phhs": """[1]
variant = "NT"
antes = [2.5, 2.5, 2.5]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [1158.50, 1755, 1510.25]
actions = ["d dh p1 ????", "d dh p2 AsKd", "d dh p3 ????", "p3 cbr 47.5", "p1 f", "p2 cc",
  "d db 7dQh6h", "p2 cc", "p3 cc", "d db 2c", "p2 cc", "p3 cc", "d db 3c", "p2 cc", "p3 cc", "p3 sm ????"]
players = ["a", "b", "c"]
time = 00:01:48
[2]
variant = "FT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
small_bet = 2
big_bet = 4
starting_stacks = [200, 100]
actions = ["d dh p2 2s3d", "d dh p1 2d3s", "p2 cc", "p1 cbr 4", "p2 cc"]
""",
    ".ggf": """2 (;GM[Othello]PC[GGS/os]DT[2003.12.15]PB[a\\]b]PW[bob]RE[+4.000:r]TI[5//2]KM[-2]TY[8]
BO[8 ---------------------------O*------*O--------------------------- *]B[F5/1.20/0.5]W[d6//3]B[C3];)
(;GM[Othello]PB[eve]PW[fay]RE[?]TY[6]BO[6 --------------O*----*O-------------- *]B[C2];)
""",
}
SIGNS = "".join(sorted({sign for text in SAMPLES.values() for sign in text})) + "\t\0\x1b\x85\xa0½é²٣\u202e😀"


def corrupt(text: str, rng: random.Random) -> bytes:
    """The text with some characters or lines changed, removed, doubled or swapped."""
    for _ in range(rng.choice((1, 1, 2, 5))):
        at, end = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
        end = min(end, at + rng.choice((0, 1, 1, 3, 40)))
        kind = rng.randrange(5)
        if kind == 4:
            lines = text.splitlines(keepends=True)
            rng.shuffle(lines) if rng.random() < 0.1 else lines.insert(
                rng.randrange(len(lines) + 1), rng.choice(lines)
            )
            text = "".join(lines)
        else:
            new = (
                "",
                rng.choice(SIGNS),
                text[at:end] * rng.choice((2, 30)),
                "9" * rng.choice((1, 20, 5000)),
            )[kind]
            text = text[:at] + new + text[end:]
        text = text or "x"
    raw = text.encode(rng.choice(("utf-8", "utf-8", "utf-16")), "replace")
    return raw if rng.random() < 0.9 else raw + bytes(rng.randrange(256) for _ in range(8))


@pytest.mark.parametrize("suffix", SAMPLES)
def test_samples_are_sound(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_text(SAMPLES[suffix])
    results = list(conversion.read(path, game))
    assert results and [sheet.problem for sheet, _ in results] == [""] * len(results)


@pytest.mark.parametrize("suffix", SAMPLES)
def test_a_corrupted_file_is_read_or_refused_with_file_and_game(suffix: str, tmp_path: Path) -> None:
    """Only BadInput is raised; an accepted text is written and replays to the same result."""
    rng, path = random.Random(suffix), tmp_path / f"a{suffix}"
    games = refused = 0
    for _ in range(TIMES):
        path.write_bytes(corrupt(SAMPLES[suffix], rng))
        try:
            for sheet, record in conversion.read(path, game):
                games += 1
                if record is None:
                    refused += 1
                    assert str(path) in sheet.problem and f"game {sheet.number}" in sheet.problem
                    assert "\n" not in sheet.problem and len(sheet.problem) < 500
                else:
                    position = game(record.game).new(record.start)
                    for word in record.words:
                        position.make(position.parse(word))
                    game_formats.FORMATS[suffix].write(sheet)
        except BadInput as error:
            assert str(path) in str(error)
    assert games > TIMES / 2 and TIMES / 20 < refused < games, "some are read, some refused"
