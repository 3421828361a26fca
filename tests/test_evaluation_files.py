"""Evaluations from files of weights: round trips, order, refusals."""

from pathlib import Path

import pytest

from gameplay import Evaluation, registry, weights
from gameplay.errors import BadInput, Usage
from gameplay.evaluation import select_evaluation
from tests.support.evaluations import WEIGHED, changed_weights, new, write_weights
from tests.support.paths import ROOT

# Of the weights that this program comes with: whoever fits them anew says so here, and raises the version.
CHECKSUMS = {
    "backgammon": {"learned": "787527786ac81403", "terms": "9dce2f42fdbc2309"},
    "checkers": {
        "strong": "46303c372c79cc5c",
        "samuel": "d0b698ca02d12594",
        "samuel-moves": "2c559d26eed488e0",
    },
    "chess": {"correction": "b24f59eba9c62eec", "classic": "d81565d14b098e3f", "linear": "f591f715efc749cc"},
    "chinese-checkers": {"travel": "7326ad8705df929e"},
    "connect4": {"threats": "82866a5925ca5579"},
    "draughts": {"terms": "b70cbcbca8f17df5"},
    "monopoly": {"rents": "cde6b485b8a65df5"},
    "othello": {"patterns": "28cb7fe9e05d8b4d", "linear": "2e78bf468c2590c5"},
    "scrabble": {"leaves": "ec72bfb6b5c59bc2"},
    "tictactoe": {"lines": "a0867be30906ac51"},
}


def test_the_weights_are_those_that_were_fitted():
    results = {}
    for game in registry.game_names():
        if game == "tree":
            continue
        for name, evaluation in new(game).evaluations.items():
            if evaluation.weights:
                results.setdefault(game, {})[name] = evaluation.checksum
    assert results == CHECKSUMS


@pytest.mark.parametrize("game", WEIGHED)
def test_weights_are_written_and_read(game, tmp_path):
    default = new(game).evaluations[WEIGHED[game]]
    other = default.with_weights(changed_weights(default.weights))
    weights.write(other, tmp_path / "a.toml", "Two lines\nof comment.")
    read = select_evaluation(str(tmp_path / "a.toml"), new(game))
    assert read.weights == other.weights != default.weights
    assert read.checksum == other.checksum != default.checksum
    assert (tmp_path / "a.toml").read_text().startswith("# Two lines\n# of comment.\n")


def test_comments_go_with_the_weights(tmp_path):
    text = Path(write_weights(tmp_path / "a.toml", "chess")).read_text()
    kept = [line for line in weights_of("chess").splitlines() if line.startswith("#")]
    assert len(kept) > 30
    assert [line for line in text.splitlines() if line.startswith("#")] == kept


@pytest.mark.once
@pytest.mark.parametrize(("game", "name"), [("chess", "classic"), ("scrabble", "leaves")])
def test_unchanged_weights_keep_their_lines(game, name, tmp_path):
    weights.write(registry.game(game).new().evaluations[name], tmp_path / "a.toml")
    assert (tmp_path / "a.toml").read_text() == weights_of(game)


@pytest.mark.once
def test_weights_fill_as_many_lines_as_they_need(tmp_path):
    """A hundred letters a line, including a margin of four; a longer row has its own line."""
    rows = {"whole": (1,) * 31 + (12, 3), "more": (1,) * 31 + (12, 34), "rows": ((7,) * 32, (8,) * 32)}
    evaluation = Evaluation("mine", weights={"one": 5, **rows})
    evaluation.game = "othello"
    weights.write(evaluation, tmp_path / "a.toml")
    ones_row = ", ".join("1" * 31)
    assert (tmp_path / "a.toml").read_text().splitlines() == [
        'game = "othello"',
        'evaluation = "mine"',
        "version = 1",
        f'checksum = "{evaluation.checksum}"',
        "",
        "[weights]",
        "one = 5",
        f"whole = [{ones_row}, 12, 3]",
        "more = [",
        "    " + ", ".join("1" * 24) + ",",
        "    " + ", ".join([*"1" * 7, "12", "34"]) + ",",
        "]",
        "rows = [",
        f"    [{', '.join('7' * 32)}],",
        f"    [{', '.join('8' * 32)}],",
        "]",
    ]


def weights_of(game):
    return (ROOT / "gameplay" / "games" / game / "weights.toml").read_text()


@pytest.mark.parametrize("game", ["chess", "othello"])
def test_the_defaults_are_files_like_others(game):
    default = new(game).evaluations[WEIGHED[game]]
    read = select_evaluation(str(ROOT / "gameplay" / "games" / game / "weights.toml"), new(game))
    assert read.checksum == default.checksum


def test_the_order_of_a_file_does_not_matter(tmp_path):
    path = Path(write_weights(tmp_path / "a.toml", "chess"))
    head, _, body = path.read_text().partition("[weights]\n")
    groups = ["\n".join(part) for part in blocks(body)]
    (tmp_path / "b.toml").write_text(head + "[weights]\n" + "\n".join(reversed(groups)) + "\n")
    first, second = (
        select_evaluation(str(path), new("chess")),
        select_evaluation(str(tmp_path / "b.toml"), new("chess")),
    )
    assert first.checksum == second.checksum
    assert first.evaluate(new("chess")) == second.evaluate(new("chess"))


def blocks(body):
    """The lines of each group of weights, with the comments before it."""
    block = []
    for line in body.splitlines():
        block.append(line)
        if line == "]":
            yield block
            block = []


def test_the_examples_are_weights_of_their_game():
    files = sorted((ROOT / "configs" / "evals").glob("*.toml"))
    assert len(files) >= 3
    for file in files:
        game = file.stem.partition("-")[0]
        example = select_evaluation(str(file), new(game))
        own = new(game).evaluations.get(example.name)  # none of a learned kind
        assert own is None or example.checksum != own.checksum


GOOD = """game = "connect4"
evaluation = "threats"
version = 2
checksum = "9b789bb903886945"

[weights]
open_lines = 1
right_row = 8
wrong_row = 8
"""
REFUSED = [
    ('game = "connect4"', 'game = "chess"', "holds weights for chess, and this is connect4"),
    ('game = "connect4"', 'game = "hex"', "holds weights for hex, and this is connect4"),
    ('game = "connect4"\n', "", 'game is missing. Try: game = "connect4"'),
    ('game = "connect4"', "game = 4", 'game is invalid. Try: game = "connect4"'),
    ('"threats"', '"treats"', r"unknown evaluation with weights 'treats'; did you mean 'threats'"),
    ('"threats"', '"none"', r"unknown evaluation with weights 'none'"),
    ("version = 2", "version = 1", "version 1 of threats; expected version 2"),
    ("version = 2", 'version = "2"', "version is invalid. Try: version = 1"),
    ("9b789bb903886945", "9b789bb903886946", 'not that of the weights.*checksum = "9b789bb903886945"'),
    ('checksum = "9b789bb903886945"\n', "", 'checksum is missing.*checksum = "9b789bb903886945"'),
    ("right_row = 8", "right_row = 9", 'not that of the weights.*checksum = "[0-9a-f]{16}"'),
    ("right_row = 8\n", "", "weights: right_row is missing"),
    ("right_row", "right_rows", "unknown right_rows in threats; did you mean 'right_row'"),
    ("right_row = 8", "right_row = 10001", "right_row: a weight must be from -10000 to 10000, not 10001"),
    ("right_row = 8", "right_row = -10001", "right_row: a weight must be from -10000 to 10000, not -10001"),
    ("right_row = 8", "right_row = 8.5", "right_row: a weight must be a whole number, not 8.5"),
    ("right_row = 8", "right_row = true", "right_row: a weight must be a whole number, not True"),
    ("right_row = 8", "right_row = [8]", "right_row: a weight must be a whole number"),
    ("[weights]", "[weight]", "unknown field 'weight'; did you mean 'weights'"),
    (
        "[weights]\nopen_lines = 1\nright_row = 8\nwrong_row = 8\n",
        "",
        r"weights are missing: add a table \[weights\]",
    ),
    (
        "[weights]\nopen_lines = 1\nright_row = 8\nwrong_row = 8\n",
        "weights = 3",
        "expected a table of weights",
    ),
    ("game =", "game", "is not TOML"),
]


@pytest.mark.parametrize(("old", "new_", "words"), REFUSED)
def test_a_wrong_file_is_refused_in_a_line(old, new_, words, tmp_path):
    assert old in GOOD
    path = tmp_path / "a.toml"
    path.write_text(GOOD)
    select_evaluation(str(path), new("connect4"))
    weights.read.cache_clear()
    path.write_text(GOOD.replace(old, new_, 1))
    with pytest.raises(BadInput, match=words) as refused:
        select_evaluation(str(path), new("connect4"))
    assert str(refused.value).startswith(str(path))
    assert "\n" not in str(refused.value)


def test_wrong_row_length_is_reported(tmp_path):
    path = Path(write_weights(tmp_path / "a.toml", "chess"))
    path.write_text(path.read_text().replace("bishop_pair = [\n", "bishop_pair = [\n    [1, 2],\n"))
    with pytest.raises(BadInput, match="weights: bishop_pair: 2 numbers; expected 1"):
        select_evaluation(str(path), new("chess"))
    path = Path(write_weights(tmp_path / "b.toml", "chess"))
    path.write_text(
        path.read_text()
        .replace("tempo = [\n", "tempo = [\n    [9999, 0],\n", 1)
        .replace("    [37, 30],\n", "")
    )
    with pytest.raises(BadInput, match="number 1, number 1: a weight must be from -2000 to 2000, not 9999"):
        select_evaluation(str(path), new("chess"))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (None, "there is no file"),
        (b"nothing", "not packed by zlib"),
        ("short", "bytes of weights; patterns has 1366668"),
        ("long", "1366669 bytes of weights; patterns has 1366668"),
        ("other", "checksum is not that of the weights"),
    ],
)
def test_wrong_weights_beside_a_file_are_refused(data, words, tmp_path):
    import zlib

    path = Path(write_weights(tmp_path / "a.toml", "othello"))
    packed = tmp_path / "a.bin"
    held = zlib.decompress(packed.read_bytes())
    packed.unlink()
    if data is not None:
        sent = {"short": held[:-1], "long": held + b"x" * 10**7, "other": held[::-1]}
        packed.write_bytes(data if isinstance(data, bytes) else zlib.compress(sent[data]))
    with pytest.raises(BadInput, match=words):
        select_evaluation(str(path), new("othello"))


def test_missing_and_binary_weight_files_are_refused(tmp_path):
    with pytest.raises(BadInput, match="there is no file"):
        select_evaluation(str(tmp_path / "a.toml"), new("chess"))
    (tmp_path / "b.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match="is not a text file"):
        select_evaluation(str(tmp_path / "b.toml"), new("chess"))
    with pytest.raises(Usage, match=r"unknown evaluation 'clasic'; did you mean 'classic'\?.*give its file"):
        select_evaluation("clasic", new("chess"))
