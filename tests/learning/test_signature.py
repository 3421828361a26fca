"""Signature tables: a second implementation, an interaction that no polynomial learns, runs."""

import itertools
import json
from math import prod
from pathlib import Path

import pytest

from gameplay import Limit, file_io, registry
from gameplay.adapter import kernel_of
from gameplay.errors import BadInput, Usage
from gameplay.evaluation import select_evaluation
from gameplay.learning.signature import training
from gameplay.learning.signature.run import SignaturePoint, SignatureRun, SignatureSettings
from gameplay.learning.signature.samples import Samples
from gameplay.signatures import evaluation as signature
from gameplay.signatures.tables import SignatureTables
from gameplay.terms.reader import CountsReader, term_reader
from tests.support import learning_runs
from tests.support.learning import learn_status

RECORDS = Path(__file__).parents[1] / "examples" / "records"
SMALL = SignatureSettings("checkers", "samuel", games=20, depth=1, plies=16)


@pytest.fixture(scope="module")
def finished_run(tmp_path_factory):
    """The folder of a small, finished run."""
    folder = tmp_path_factory.mktemp("run") / "whole"
    assert [point.games for point in SignatureRun.begin(folder, SMALL).learn()][-1] == 20
    return folder


# -- terms -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "name"), [("checkers", "samuel"), ("chess", "linear"), ("othello", "linear")]
)
def test_terms_in_one_pass_are_those_counted_one_by_one(spec, name):
    position = registry.game(spec).new()
    position.evaluation = {"checkers": position.evaluations.get("samuel-moves")}.get(spec)
    terms = position.evaluations[name]
    reader = term_reader(terms, position)
    assert not isinstance(reader, CountsReader)
    for number in range(16):
        counts = dict(zip(reader.names, reader.of(kernel_of(position)), strict=True))
        assert counts == terms.counts(position)
        position.make(list(position.moves())[number * 7 % len(position.moves())])


def test_terms_of_any_other_game_are_asked_for():
    position = registry.game("connect4").new("4 4 3")
    terms = position.evaluations["threats"]
    reader = term_reader(terms, position)
    assert isinstance(reader, CountsReader)
    assert reader.of(kernel_of(position)) == list(terms.counts(position).values())
    with pytest.raises(Usage, match="not a sum of named terms"):
        term_reader(registry.game("checkers").new().evaluations["strong"], registry.game("checkers").new())


# -- tables ----------------------------------------------------------------------------------------------


def plain(rows_of_samples, layout, names):
    """The same training, implemented from its description, with dictionaries of signatures."""

    def node_ranges(row):
        results = []
        for name, cuts in layout.slots:
            count = row[names.index(name)]
            results.append((1 if count > 0 else -1) * sum(abs(count) >= cut for cut in cuts))
        return results

    inputs = [[node_ranges(row) for row in rows] for rows in rows_of_samples]
    while True:
        outputs = [[[] for _ in rows] for rows in inputs]
        for begin in range(0, len(inputs[0][0]), 3):
            agree, differ = {}, {}
            for rows in inputs:
                for number, row in enumerate(rows):
                    for sign in (1, -1):
                        counts = agree if (number == 0) == (sign == 1) else differ
                        key = tuple(sign * value for value in row[begin : begin + 3])
                        counts[key] = counts.get(key, 0) + (len(rows) - 1 if number == 0 else 1)
            keys = {*agree, *differ}
            masses = {key: agree.get(key, 0) + differ.get(key, 0) for key in keys}
            c = {key: (agree.get(key, 0) - differ.get(key, 0)) / masses[key] for key in keys}
            for rows, written in zip(inputs, outputs, strict=True):
                for row, into in zip(rows, written, strict=True):
                    into.append(tuple(row[begin : begin + 3]))
            total = sum(masses.values())
            middle = {
                value: (
                    sum(masses[key] for key in keys if c[key] < value)
                    + sum(masses[key] for key in keys if c[key] == value) / 2
                )
                / total
                for value in set(c.values())
            }

            def feature_of(key, c=c, middle=middle):
                if c[key] == 0:
                    return 0
                sign = 1 if c[key] > 0 else -1
                return sign * max(0, min(2, int(5 * middle[abs(c[key])] + 1e-9) - 2))

            last = len(inputs[0][0]) <= 3
            for written in outputs:
                for into in written:
                    into[-1] = c[into[-1]] if last else feature_of(into[-1])
        if last:
            return [[row[0] for row in rows] for rows in outputs]
        inputs = outputs


def test_tables_are_those_of_a_plain_implementation(finished_run):
    run = SignatureRun.load(finished_run)
    samples = run.open_learner().learned
    names = list(term_reader(run.terms, run.game.new()).names)
    data, lengths = samples.data.tolist(), samples.lengths.tolist()
    rows = [data[at : at + samples.size] for at in range(0, len(data), samples.size)]
    ends = list(itertools.accumulate(lengths))
    given = [rows[end - length : end] for end, length in zip(ends, lengths, strict=True)]
    expected = [value for number in plain(given, run.learned.layout, names) for value in number]
    tables = run.learned.estimator(run.game.new())
    assert len(expected) == len(rows) > 500
    assert samples.table_ratings(tables).tolist() == pytest.approx(
        [1000 * value for value in expected], abs=0.51
    )


def test_table_learns_an_interaction_that_a_polynomial_cannot():
    """A move is good if the product of three signs is positive: no single term is informative."""
    samples = Samples(3)
    signs = list(itertools.product((-1, 1), repeat=3))
    good, bad = [s for s in signs if prod(s) > 0], [s for s in signs if prod(s) < 0]
    for left, second in itertools.product(good, bad):
        samples.add([left, second])
    reader = CountsReader(registry.game("tictactoe").new().evaluations["lines"])
    layout = training.layout_of(reader.names, samples)
    tables = SignatureTables(reader, layout, [0, 0, 0], 1, 1)
    training.train(tables, layout, samples)
    assert samples.measure_ranking(samples.table_ratings(tables)) == (16.0, 16.0, 16, 0)
    assert samples.table_ratings(tables).tolist() == [1000, -1000] * 16
    first, _, lower, higher = samples.measure_ranking(
        samples.polynomial_ratings(training.polynomial(samples))
    )
    assert (first, lower, higher) == (8.0, 0, 0)  # all moves are alike to it: half of them first by chance


def test_measures_share_places_among_equal_moves():
    samples = Samples(1)
    samples.add([[2], [2], [3], [1]])
    samples.add([[5], [1]])
    ratings = samples.polynomial_ratings([1.0])
    assert samples.measure_ranking(ratings) == (1.0, 1.5, 2, 1)
    assert samples.agreements(0) == (2, 1)


def test_ranges_are_equally_frequent_and_cuts_grow():
    assert training.cuts_of([30, 20, 20, 20, 10], 7) == (1, 2, 3)  # 30, 50 and 70 % for 14, 43 and 71 %
    assert training.cuts_of([0, 100], 3) == (1,)  # a term that is never 0 has two ranges in use
    assert training.cuts_of([100, 0, 0], 5) == (1, 2)
    assert training.ranges([5, 0, 3, 1, 0], [0, 1, 3, 0, 5])[2] == 2


# -- runs ------------------------------------------------------------------------------------------------


def test_arrangement_of_checkers_is_samuels(finished_run):
    layout = SignatureRun.load(finished_run).learned.layout
    assert len(layout.slots) == 27 and layout.levels == (9, 3, 1)
    assert layout.sizes == (*[105] * 9, *[125] * 4)
    assert SignatureRun.load(finished_run).learned.checksum == "61939b7a68d0b60c"  # in both builds


def test_run_that_is_interrupted_ends_with_the_same_bytes(finished_run, tmp_path, monkeypatch):
    learning_runs.check_interrupted(SignatureRun, finished_run, tmp_path / "killed", 9, 9, monkeypatch)


def test_tables_evaluate_positions_of_a_search(finished_run):
    game = registry.game("checkers")
    position = game.new()
    evaluation = select_evaluation(str(finished_run / "weights.toml"), position)
    engine, _ = registry.engine(f"alphabeta:eval={finished_run / 'weights.toml'}")
    report = engine.search(game.new(), Limit(depth=3))
    assert report.move in position.moves() and abs(report.value) < 1000
    position.make(position.parse("11-15"))
    assert evaluation.evaluate_for(position, 0) == -evaluation.evaluate_for(position, 1)


@pytest.mark.parametrize("name", ["games.jsonl", "state.json", "run.json", "weights.toml", "tables-20.bin"])
def test_damaged_files_are_refused(finished_run, tmp_path, name):
    folder = learning_runs.damage_file(finished_run, tmp_path / "damaged", name)
    with pytest.raises(BadInput):
        run = SignatureRun.load(folder)
        run.open_learner()
        assert run.learned


def test_crafted_files_of_tables_are_refused(finished_run, tmp_path):
    text = (finished_run / "weights.toml").read_text()
    game = registry.game("checkers").cls
    for number, (old, new, message) in enumerate(
        [
            ('["man"', '["woman"', "unknown term 'woman'"),
            ("span = 50", "span = 0", "span is 0"),
            ("span = 50", "span = 100001", "span is 100001: expected 1 to 100000"),
            ('    "2', '    "7', "digits from 0 to 4"),
            ("values = [\n    ", "values = [\n    5000, ", "expected 125 whole numbers"),
            ("fixed = { ", 'fixed = { "adv" = 1, ', "expected a weight of man, king"),
            ('game = "checkers"', 'game = "chess"', "this is checkers"),
            ("span = 50", "span = 51", "checksum"),
        ]
    ):
        path = tmp_path / f"{number}.toml"
        path.write_text(text.replace(old, new, 1))
        with pytest.raises(BadInput, match=message):
            signature.read(path, game)


def test_recorded_games_are_learned_and_their_run_says_so(tmp_path, capsys):
    folder, file = tmp_path / "run", str(RECORDS / "checkers.pdn")
    words = f"checkers --method signature --json --from {file} --out {folder}"
    assert learn_status(words.split()) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["source"] == "checkers.pdn" and facts["played"] == facts["games"] == 2
    assert facts["published"]["correlation"] == 0.48
    last = SignaturePoint(**facts["curve"][-1])
    assert last.games == 2 and last.moves > 60 and last.held_out == 0  # the fifth of five games would be
    (folder / "games.jsonl").write_text('{"moves": [1, 2], "random": 0}\n')
    with pytest.raises(BadInput, match="its games are not those of"):
        SignatureRun.load(folder).open_learner()


def test_settings_out_of_range_and_games_without_terms_are_refused(tmp_path):
    with pytest.raises(ValueError, match="out of range"):
        SignatureRun(tmp_path, SignatureSettings("checkers", "samuel", games=0))
    with pytest.raises(Usage, match=r"imperfect information\. Try: gameplay learn kuhn --method deepcfr"):
        SignatureRun(tmp_path, SignatureSettings("kuhn", "", games=1))
    with pytest.raises(ValueError, match="out of range"):
        SignaturePoint(1, 1, 1, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    with pytest.raises(BadInput):
        file_io.read_checked(tmp_path / "state.json")


def test_games_from_other_positions_are_left_out(tmp_path, capsys):
    other = '[Event ""]\n[FEN "B:W21,22:B1,2"]\n[Result "*"]\n\n1. 1-5 *\n\n'
    usual = '[Result "*"]\n\n1. 11-15 23-19 *\n'
    (tmp_path / "games.pdn").write_text(other)
    words = ["checkers", "--method", "signature", "--json", "--out", str(tmp_path / "run"), "--from"]
    assert learn_status([*words, str(tmp_path / "games.pdn")]) == BadInput.status
    assert "holds no game of checkers from its start, but 1 game from another" in capsys.readouterr().err
    (tmp_path / "games.pdn").write_text(other + usual)
    assert learn_status([*words, str(tmp_path / "games.pdn")]) == 0
    shown = capsys.readouterr()
    assert "games.pdn: 1 game from another position left out" in shown.err
    assert json.loads(shown.out)["played"] == 1  # without a result: its moves count all the same
