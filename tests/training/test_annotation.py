"""Reviews written back into records: marks, lines, values."""

from types import SimpleNamespace

import msgspec
import pytest

from gameplay import registry
from gameplay import value as scale
from gameplay.store.formats import conversion, pgn
from gameplay.store.formats.pgn import Line, Step
from gameplay.store.record import Ply, Record, decode
from gameplay.training import annotation
from gameplay.training.review import ReviewedMove
from tests.support.commands import gameplay
from tests.support.reviews import GAMES, games_folder

pytestmark = pytest.mark.once  # that searches are the same in both builds is proved where they are tested

assert games_folder  # fixture

OTHER = Line(steps=[Step("e5")])
BETTER = Line(steps=[Step("d5"), Step("exd5")])  # Black's, as whose is not compared


@pytest.mark.parametrize(
    ("there", "more", "noted"),
    [
        ([], {}, ["+0.25/7, why"]),
        ([], {"verdict": "blunder"}, [4, "+0.25/7, why"]),
        ([], {"verdict": "blunder", "line": ["d5", "exd5"]}, [4, "+0.25/7, why", BETTER]),
        ([], {"line": ["d5", "exd5"]}, ["+0.25/7, why"]),
        ([], {"verdict": "", "score_before": 0.5, "second_score": 0.3, "choices": 2}, [8, "+0.25/7, why"]),
        (["said", OTHER], {"verdict": "mistake"}, [2, "said", "+0.25/7, why", OTHER]),
        ([OTHER], {}, ["+0.25/7, why", OTHER]),
        ([14, "said"], {"verdict": "inaccuracy"}, [6, 14, "said", "+0.25/7, why"]),
        ([1], {"verdict": "mistake"}, [1, "+0.25/7, why"]),
        ([6], {"verdict": "mistake"}, [6, "+0.25/7, why"]),
        ([7], {"verdict": "mistake"}, [2, 7, "+0.25/7, why"]),
        (["?"], {"verdict": "mistake"}, [2, "?", "+0.25/7, why"]),
        ([1], {"score_before": 0.5, "second_score": 0.3, "choices": 2}, [8, 1, "+0.25/7, why"]),
        (["it is +0.25/7, why not", 2], {"verdict": "mistake"}, ["it is +0.25/7, why not", 2]),
        ([BETTER], {"verdict": "mistake", "line": ["d5", "exd5"]}, [2, "+0.25/7, why", BETTER]),
        ([OTHER], {"verdict": "mistake", "line": ["d5", "exd5"]}, [2, "+0.25/7, why", OTHER, BETTER]),
        ([], {"depth": 0}, ["why"]),
    ],
)
def test_annotation_orders_marks_comments_and_lines_without_duplicates(there, more, noted):
    """A mark that grades a move, 1 to 6, replaces ours."""
    step = Step("e4", notes=list(there))
    move = ReviewedMove(**({"ply": 2, "player": 1, "move": "e4", "value": 25, "depth": 7} | more))
    annotation._annotate_step(step, move, registry.game("chess").new(), "why")
    assert step.notes == noted
    lines = [
        note for note in step.notes if isinstance(note, Line) and note is not OTHER and note is not BETTER
    ]
    assert all([each.mover for each in line.steps] == [1, 0] for line in lines)


def test_only_judged_moves_are_annotated_in_a_record():
    """An expectation is a number with a decimal point, which distinguishes means in records."""
    words = ("a1", "b1", "c1", "a2")
    plies = [Ply(word, at % 2, 1, 2, 3) for at, word in enumerate(words)]
    old = Record(1, "tictactoe", "", ["ann", "bob"], 0, plies, None, "rules", "0")
    moves = [
        ReviewedMove(1, 0, "a1", 9, 7, depth=4, nodes=50, answer=["b2"], exact=True),
        ReviewedMove(2, 1, "b1", 1),
        ReviewedMove(3, 0, "c1", 7, 25, bound="expectation", depth=5, nodes=60),
        ReviewedMove(4, 1, "a2", 6, 0, bound="expectation", depth=6, nodes=70),
    ]
    comments = annotation.annotate_record(old, SimpleNamespace(moves=moves), lambda move: f"move {move.ply}")
    assert comments.moves == [
        Ply("a1", 0, 7, 4, 50, line=["a1", "b2"], exact=True, remark="move 1"),
        plies[1],
        Ply("c1", 0, 25.0, 5, 60, line=["c1"], remark="move 3"),
        Ply("a2", 1, 0.0, 6, 70, line=["a2"], remark="move 4"),
    ]
    assert [type(ply.value) for ply in comments.moves] == [int, int, float, float]
    assert old.moves == plies and msgspec.structs.replace(comments, moves=plies) == old


@pytest.mark.parametrize("suffix", GAMES)
def test_annotations_are_read_again_and_the_original_stays(suffix, tmp_path, capsys):
    source, target = tmp_path / f"game{suffix}", tmp_path / f"noted{suffix}"
    source.write_text(GAMES[suffix])
    words = ["--nodes", 2_000]
    assert gameplay("review", source, "--annotate", target, *words) == 0
    assert source.read_text() == GAMES[suffix]
    ((before, plain),) = conversion.read(source, registry.game)
    ((sheet, noted),) = conversion.read(target, registry.game)
    assert noted.words == plain.words and noted.result == plain.result
    for old, new in zip(before.line.steps, sheet.line.steps, strict=True):
        assert all(any(note in own for own in new.comments) for note in old.comments)
    again = tmp_path / f"again{suffix}"
    assert gameplay("review", target, "--annotate", again, *words) == 0
    assert again.read_text() == target.read_text(), "to annotate what is annotated changes nothing"
    assert gameplay("export", target, "--out", tmp_path / f"clean{suffix}") == 0
    assert (tmp_path / f"clean{suffix}").read_text() == target.read_text()


def test_a_blunder_is_marked_with_its_better_line(tmp_path):
    source, target = tmp_path / "game.pgn", tmp_path / "noted.pgn"
    source.write_text(GAMES[".pgn"])
    assert gameplay("review", source, "--annotate", target, "--nodes", 2_000) == 0
    ((sheet, noted),) = conversion.read(target, registry.game)
    step = sheet.line.steps[2]
    assert step.word == "g4" and step.notes[0] == 4
    assert step.comments[0].startswith("-M2/") and "blunder, costs" in step.comments[0]
    assert noted.moves[2].value == -scale.WIN + 2, "the values of the copy are read again"
    assert isinstance(step.notes[-1], pgn.Line) and step.notes[-1].steps


def test_our_own_format_takes_the_values(games_folder, tmp_path):
    target = tmp_path / "noted"
    assert gameplay("review", games_folder, "--annotate", target, "--nodes", 500) == 0
    record = decode((target / "a.json").read_bytes().strip(), "a")
    assert record.words == ["4", "1", "4", "1", "4", "2", "4"]
    assert record.moves[5].value == -scale.WIN + 2 and record.moves[5].remark.startswith("blunder")
    assert len((target / "b.jsonl").read_bytes().splitlines()) == 2
    assert gameplay("replay", target / "a.json", "--plain") == 0
