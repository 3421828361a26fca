"""Games of Scrabble in GCG: unknown tiles, round trips, errors."""

import random
import re
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from gameplay.errors import IllegalMove
from gameplay.games.scrabble import game as scrabble
from gameplay.games.scrabble import layout, tiles
from gameplay.position import CHANCE
from gameplay.registry import game
from gameplay.store.formats import conversion, encoding, game_formats, gcg, pgn
from gameplay.store.record import SCHEMA, Ply, Record
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

DOUBTED = """\
#character-encoding UTF-8
#player1 ann Ann  Miller
#player2 bob
#title never mind
#note before the game
>ann: ?EHORTW 8D WOTHER +32 32
#note no word
#note and the blank is kept
>ann: ?EHORTW -- -32 0
>bob: AEIQSUZ -QZ +0 0
>ann: ?EHORTW 8C THROWEr +82 82
because of the blank
>bob: AEI C7 A. +3 3
>bob: AEI -- -3 0
#note it is a word here
>ann: ABC -A +0 82
"""
WHOLE = (TESTS / "examples" / "records" / "scrabble.gcg").read_text()


def test_gcg_scores_and_racks_equal_those_of_the_game() -> None:
    assert (gcg.KINDS, gcg.RACK, gcg.SIDE, gcg.BONUS) == (
        tiles.KINDS,
        layout.RACK,
        layout.SIDE,
        scrabble.BONUS,
    )


def read(folder: Path, text: str) -> list[tuple[pgn.Sheet, Record | None]]:
    file = folder / "a.gcg"
    file.write_text(text)
    return list(conversion.read(file, game))


def again(folder: Path, record: Record) -> Record:
    """The record after it was written and read."""
    ((sheet, game_record),) = read(folder, encoding.encode(record, game(record.game)))
    assert game_record is not None, sheet.problem
    return game_record


def test_unknown_tiles_are_deduced(tmp_path: Path) -> None:
    ((sheet, record),) = read(tmp_path, WHOLE)
    assert record is not None, sheet.problem
    assert (record.game, record.players) == ("scrabble:challenge=double", ["Ann", "Bob"])
    position = game(record.game).new(" ".join(record.words))
    assert [word for word in record.words if len(word) > 1] == ["8D:HORSE", "7C:BAT"]
    assert record.words[:7] == sorted(record.words[:7]) and set("EHORS") <= set(record.words[:7])
    assert set("ABT") <= set(record.words[7:14])
    assert position.state.scores == (24, 15) and record.result is None
    assert sheet.tags["Termination"] == "unterminated"
    assert again(tmp_path, record).words == record.words, "what they hold in the end is written, too"
    assert encoding.encode(record, game(record.game)).splitlines()[-2:] == [
        "#rack1 ?DEINPT",
        "#rack2 ?DEINQT",
    ]
    assert sheet.line.steps[-1].comments == ["-10 points for time"]


def test_gcg_withdrawn_plays_are_challenges_or_passes(tmp_path: Path) -> None:
    ((sheet, record),) = read(tmp_path, DOUBTED)
    assert record is not None, sheet.problem
    steps = [step for step in sheet.line.steps if step.mover != CHANCE]
    assert [(step.mover, step.word, step.comments) for step in steps] == [
        (0, "8D:WOTHER", ["no word", "and the blank is kept"]),
        (1, "challenge", []),
        (1, "-QZ", []),
        (0, "8C:THROWEr", ["because of the blank"]),
        (1, "-", ["C7:AT was taken back", "it is a word here"]),
        (0, "-A", []),
    ]
    assert sheet.line.notes == ["before the game"] and record.players == ["Ann Miller", "bob"]
    assert encoding.encode(record, game(record.game)).splitlines()[:10] == [
        "#character-encoding UTF-8",
        "#player1 Ann_Miller Ann Miller",
        "#player2 bob bob",
        "#title Game of scrabble",
        "#incomplete",
        ">Ann_Miller: ?EHORTW 8D WOTHER +32 32",
        ">Ann_Miller: ?EHORTW -- -32 0",
        ">bob: AEIQSUZ -QZ +0 0",
        ">Ann_Miller: ?EHORTW 8C THROWEr +82 82",
        ">bob: AAEILSU - +0 0",
    ]


def test_tiles_on_the_board_may_be_written_out(tmp_path: Path) -> None:
    ((_, dotted),) = read(tmp_path, DOUBTED)
    ((sheet, whole),) = read(tmp_path, DOUBTED.replace("C7 A. ", "C7 AT "))
    assert dotted is not None and whole is not None, sheet.problem
    assert whole.words == dotted.words


def test_several_games_of_a_file_are_separated(tmp_path: Path) -> None:
    games = read(tmp_path, WHOLE + DOUBTED)
    assert [sheet.number for sheet, _ in games] == [1, 2]
    assert [record.players for _, record in games if record] == [["Ann", "Bob"], ["Ann Miller", "bob"]]


def at_random(spec: str, seed: int, plies: int) -> Record:
    """A game of random moves, including invalid plays and challenges."""
    position, rng = game(spec).new(), random.Random(seed)
    moves: list[Ply] = []
    while position.outcome() is None and len(moves) < plies:
        legal = position.moves()
        move = rng.choice(legal)
        if position.turn != CHANCE and len(legal) > 2:
            move = max(rng.sample(legal, min(20, len(legal))), key=lambda move: move >= 5_379_617)
            if rng.random() < 0.5 and ":" in (word := position.format(move)):
                place, letters = word.split(":")
                with suppress(IllegalMove):
                    move = position.parse(f"{place}:{letters[::-1]}")
        moves.append(Ply(position.format(move), position.turn))
        position.make(move)
    payoffs = position.outcome()
    names = ["Ann Lee", "Bob", "Ann Lee", "Dan"][: position.players]
    return Record(
        schema=SCHEMA,
        game=game(spec).spec,
        start="",
        players=names,
        seed=0,
        moves=moves,
        result=list(payoffs) if payoffs else None,
        reason="rules" if payoffs else "",
        version="",
    )


@pytest.mark.parametrize(
    ("spec", "seed"),
    [
        ("scrabble:challenge=double", 1),
        ("scrabble:challenge=double", 2),
        ("scrabble:challenge=five", 3),
        ("scrabble:challenge=ten,players=3", 4),
        ("scrabble:challenge=double,players=4", 5),
    ],
)
def test_games_are_the_same_when_they_were_written_and_read(spec: str, seed: int, tmp_path: Path) -> None:
    record = at_random(spec, seed, 400)
    game_record = again(tmp_path, record)
    played = [ply.move for ply in record.moves if ply.player != CHANCE]
    got = [ply.move for ply in game_record.moves if ply.player != CHANCE]
    assert all(
        first == second or (first, second) == ("-", "challenge")
        for first, second in zip(got, played, strict=True)
    )
    assert (game_record.result, game_record.players) == (record.result, record.players)
    assert encoding.encode(game_record, game(game_record.game)) == encoding.encode(record, game(spec))


@pytest.mark.parametrize(
    ("spec", "seed", "end"),
    [
        (
            "scrabble",
            1,
            ">Bob: I 1G .I +6 225\n>Ann_Lee: QV (QV) -14 239\n>Bob:  (QV) +14 239\n",
        ),
        (
            "scrabble:players=3",
            2,
            ">Ann_Lee-3: E 2E .E +4 132\n>Ann_Lee-1: Z (Z) -10 122\n>Bob: Q (Q) -10 120\n"
            ">Ann_Lee-3:  (QZ) +20 152\n",
        ),
    ],
)
def test_gcg_rack_points_go_to_the_player_who_went_out(spec: str, seed: int, end: str) -> None:
    assert encoding.encode(at_random(spec, seed, 400), game(spec)).endswith(end)


def passed_out(record: Record, plays: str) -> Record:
    """The game with these plays added, then passes until it is over."""
    position = game(record.game).new(" ".join(record.words))
    moves = [*record.moves]

    def make(word: str) -> None:
        moves.append(Ply(word, position.turn))
        position.make(position.parse(word))

    for word in [*plays.split(), *["-"] * 9]:
        while position.outcome() is None and position.turn == CHANCE:
            make(position.format(position.moves()[-1]))
        if position.outcome() is None:
            make(word)
    paid = position.outcome()
    assert paid is not None
    return msgspec.structs.replace(record, moves=moves, result=list(paid), reason="rules")


def test_final_racks_determine_held_tiles(tmp_path: Path) -> None:
    """In a game ended by passes, with tiles in the bag, each player loses the points after the last pass."""
    ((_, begun),) = read(tmp_path, WHOLE)
    assert begun is not None
    record = passed_out(begun, "")
    text = encoding.encode(record, game(record.game))
    *_, first, second = text.splitlines()
    assert re.fullmatch(r">Ann: [A-Z?]{7} \([A-Z?]{7}\) -\d+ \d+", first) and second.startswith(">Bob: ")
    bare = re.sub(r"(?m)^(>\w+: )[A-Z?]+ (?=[-(])", r"\1", text)
    assert bare.count("(") == 2 and "- +0" in bare and bare != text
    ((sheet, game_record),) = read(tmp_path, bare)
    assert game_record is not None, sheet.problem
    assert game_record.result == record.result
    assert encoding.encode(game_record, game(game_record.game)).splitlines()[-2:] == [first, second]


def test_pass_after_going_out_is_not_an_event(tmp_path: Path) -> None:
    """It only accepts the last play, and is not written."""
    record = at_random("scrabble:challenge=five", 3, 400)
    assert record.result and record.words[-2:] == ["15M:YE", "-"]
    lines = encoding.encode(record, game(record.game)).splitlines()
    assert " 15M .E +5 " in lines[-3] and "(" in lines[-2] and "(" in lines[-1]
    assert again(tmp_path, record).words[-2:] == record.words[-2:]


def moves_of(record: Record) -> list[str]:
    """The moves of the players."""
    return [ply.move for ply in record.moves if ply.player != CHANCE]


REAL = """\
#title Round 1
#lexicon CSW21
#player1 ann Ann
#player2 bob Bob
>ann: AEIOUUU -4 +0 0
>bob: AEINRST 8D RETAINS +66 66 words behind the total
>bob: UNKNOWN (challenge) +5 71
>ann: UNKNOWN h7 Z(I)z +11 11 ZIZ
#note and this one
#- goes on
>ann: UNKNOWN  -- +0 0
>bob: - +0 71
>ann: Qs H7 QIs +11 11
"""


def test_unknown_tiles_and_remarks_of_real_files_are_read(tmp_path: Path) -> None:
    """Exchanges by number, UNKNOWN racks, words after the total, continued notes, tiles in parentheses."""
    ((sheet, record),) = read(tmp_path, REAL)
    assert record is not None, sheet.problem
    exchange, *rest = moves_of(record)
    assert re.fullmatch("-[AEIOU]{4}", exchange), "of the tiles that are listed"
    assert rest == ["8D:RETAINS", "challenge", "H7:ZIz", "challenge", "-", "H7:QIs"]
    assert [step.comments for step in sheet.line.steps if step.comments] == [["and this one goes on"]]
    assert game(record.game).new(" ".join(record.words)).state.scores == (11, 71)
    text = encoding.encode(record, game(record.game))
    assert again(tmp_path, record).words == record.words
    assert game_formats.FORMATS[".gcg"].write(sheet).splitlines()[3:5] == ["#title Round 1", "#lexicon CSW21"]
    assert ">Bob: " in text and "(challenge) +5 71" in text


def test_a_challenged_play_stands_though_the_list_lacks_it(tmp_path: Path) -> None:
    text = (
        "#player1 ann Ann\n#player2 bob Bob\n>ann: EFOOOSX 8D FOXExS +38 38\n"
        ">ann: EF (challenge) +5 43\n>bob: - +0 0\n"
    )
    ((sheet, record),) = read(
        tmp_path, text.replace("FOXXES", "FOXExS").replace("+55 55", "+38 38").replace("+5 60", "+5 43")
    )
    assert record is not None, sheet.problem
    assert record.game == "scrabble:challenge=five"
    assert moves_of(record) == ["8D:FOXExS", "upheld", "-"]
    assert gcg.UNLISTED in sheet.line.steps[-2].comments
    position = game(record.game).new(" ".join(record.words))
    assert position.state.scores == (43, 0)
    assert again(tmp_path, record).words == record.words


def test_a_penalty_for_time_changes_the_result_alone(tmp_path: Path) -> None:
    record = at_random("scrabble:challenge=double", 1, 400)
    assert record.result is not None
    text = encoding.encode(record, game(record.game)) + ">Bob: (time) -10 0\n"
    ((_, game_record),) = read(tmp_path, text)
    assert game_record is not None and game_record.result == [record.result[0] + 10, record.result[1] - 10]
    assert len(game_record.moves) == len(record.moves)


def test_an_exchange_of_tiles_that_cannot_be_there_is_one_of_unknown_tiles(tmp_path: Path) -> None:
    text = "#player1 a A\n#player2 b B\n>a: - +0 0\n>b: QQ -QQ +0 0\n>a: QUIZ 8H QUIZ +44 44\n"
    ((sheet, record),) = read(tmp_path, text)
    assert record is not None, sheet.problem
    exchange = moves_of(record)[1]
    assert len(exchange) == 3 and exchange != "-QQ" and moves_of(record)[2] == "8H:QUIZ"
    assert "not all of QQ can have been exchanged" in [
        note for step in sheet.line.steps for note in step.comments
    ]


def test_players_of_one_nickname_take_turns(tmp_path: Path) -> None:
    ((sheet, record),) = read(tmp_path, WHOLE.replace("bob", "ann"))
    assert record is not None, sheet.problem
    assert [step.mover for step in sheet.line.steps if step.mover != CHANCE] == [0, 1, 0, 1]


def without_racks(text: str) -> str:
    """A file in which each rack lists only the tiles that are played or exchanged."""
    lines = []
    for line in text.splitlines():
        event = re.fullmatch(r"(>\S+) ([A-Z?]+) (\S+) (.*)", line)
        if event and not event[3].startswith("("):
            word = event[4].split()[0] if event[3].isalnum() else event[3].strip("-")
            tiles = "".join("?" if letter.islower() else letter for letter in word if letter != ".")
            line = " ".join(filter(None, (event[1], tiles, event[3], event[4])))
        lines += [] if line.startswith("#rack") else [line]
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(12))
def test_games_are_read_with_the_racks_reduced_to_what_is_used(seed: int, tmp_path: Path) -> None:
    spec = ("double", "five", "double,players=3", "ten,players=4")[seed % 4]
    record = at_random(f"scrabble:challenge={spec}", 100 + seed, 250 if seed % 3 else 400)
    ((sheet, game_record),) = read(tmp_path, without_racks(encoding.encode(record, game(record.game))))
    assert game_record is not None, sheet.problem
    assert all(
        first == second or (first, second) == ("-", "challenge")
        for first, second in zip(moves_of(game_record), moves_of(record), strict=True)
    )
    assert game_record.result == record.result


GRAMMAR = (
    r"#character-encoding UTF-8",
    r"#player[1-4] [^\s:]+ \S.*",
    r"#(title|description|lexicon|id|note) \S.*",
    r"#incomplete",
    r"#rack[1-4] [A-Z?]{1,7}",
    r">[^\s:]+: [A-Z?]{1,7} (\d\d?[A-O]|[A-O]\d\d?) [A-Za-z.]{2,15} \+\d+ -?\d+",
    r">[^\s:]+: [A-Z?]{1,7} --? [+-]\d+ -?\d+",
    r">[^\s:]+: [A-Z?]{1,7} -[A-Z?]{1,7} \+0 -?\d+",
    r">[^\s:]+: [A-Z?]{0,7} \(([A-Z?]+|challenge|time)\) [+-]\d+ -?\d+",
)


def test_exports_have_only_lines_of_the_format(tmp_path: Path) -> None:
    """The forms in the specification of the format; the encoding comes first, players before events."""
    for seed, spec in enumerate(("scrabble:challenge=five", "scrabble:challenge=double,players=3")):
        lines = encoding.encode(at_random(spec, seed, 300), game(spec)).splitlines()
        assert lines[0] == "#character-encoding UTF-8" and lines[1].startswith("#player1")
        for line in lines:
            assert any(re.fullmatch(form, line) for form in GRAMMAR), line


def test_remarks_and_pragmas_are_written_once_each(tmp_path: Path) -> None:
    """Remarks of the reader return as notes; a second reading adds none."""
    text = f"#title one\n#title two\n#tournament first\n#tournament second\n{DOUBTED}"
    path = tmp_path / "a.gcg"
    for _ in range(3):
        path.write_text(text)
        [(sheet, record)] = conversion.read(path, game)
        assert record is not None, sheet.problem
        text = game_formats.FORMATS[".gcg"].write(sheet)
        assert text.count("was taken back") == 1
        lines = text.splitlines()
        assert [line for line in lines if line.startswith(("#title", "#tournament"))] == [
            "#title one", "#title two", "#title never mind", "#tournament first", "#tournament second"
        ]  # fmt: skip
