"""Samuel's terms and his learner, against numbers computed by hand."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import Evaluation, Position, registry, undoable
from gameplay.evaluation import by_name
from gameplay.learning import samuel
from gameplay.learning.samuel import Learner, Term, Trainer, coefficients, divisor
from gameplay.lessons import samuel as lesson

# Term, position, the mover's rating less the opponent's. Square s has the neighbours that the books give it.
TERMS = [
    ("man", "B:W32:B1,2,K3", 1),
    ("king", "B:W32:B1,2,K3", 1),
    ("adv", "B:W32:B9,17,21", 1),  # row 3: -1; rows 5 and 6: +1 each; white's man is on its first row
    ("adv", "W:W32:B9,17,21", -1),
    ("apex", "B:W7:B1", -1),
    ("apex", "B:W7:B26", 0),  # black holds 26, and white 7
    ("apex", "B:W7:BK1", 0),
    ("back", "B:W32:B1,3", 1),
    ("back", "B:WK32:B1,3", 0),
    ("back", "B:W30,32:B1,3", 0),
    ("cent", "B:W22:B10,14,1", 1),
    ("cent", "B:W22:BK10,K14,1", -1),
    ("cntr", "B:W32:B6", 1),  # to 9 and 10
    ("corn", "W:WK9:BK24,K27", 1),  # to 5
    ("corn", "B:WK9:BK24,K27", -1),
    ("corn", "W:WK14:BK24,K27", 0),
    ("cramp", "B:W17,21,22,25:B13,9", 2),
    ("cramp", "W:W20,24:B8,11,12,16", 2),
    ("cramp", "B:W17,21,22,26:B13,9", 0),
    ("mob", "B:W18:B10,K5", 2),  # 14, 15, 1, 9 less 14, 15
    ("mobil", "B:W18:B10,K5", 2),  # without 14 for black, and 14 for white
    ("deny", "B:W18:B10,K5", 0),
    ("dia", "B:W32:B1,6,2", 1),
    ("diav", "B:W32:B1,6,2", 3 + 3 + 2 - 3),
    ("dyke", "B:W32:B1,6,10", 1),
    ("dyke", "B:W32:B1,6,9", 0),
    ("exch", "B:W18:B10,5", 1),  # 10-14, 18x9, 5x14; after 10-15, 18x11 nothing takes
    ("recap", "B:W18:B10,5", 1),
    ("exch", "B:W18:B10", 0),
    ("expos", "B:W32:B10", 1),
    ("expos", "B:W32:B10,6,7", 2),  # 6 between 2 and 9, 7 between 2 and 11; 10 is backed on both diagonals
    ("fork", "B:W18,19:B10", 1),  # 10-15 attacks both
    ("fork", "B:W18,19,24:B10", 0),  # nothing behind 19 any more
    ("gap", "B:W32:B6,15", 2),  # 10; 1 and 2 at the edge; less white's 28
    ("guard", "B:W32:B2,3,7", 1),
    ("guard", "B:W32:B1,3", 1),
    ("guard", "B:WK32:B1,3", 0),
    ("hole", "B:W32:B6,7,14", 1),  # 10
    ("hole", "B:W32:B6,7", 0),
    ("kcent", "B:W32:BK18", 1),
    ("move", "B:W32:B1", 1),  # one piece in the files of 1 to 4
    ("move", "B:W28:B1", -1),
    ("move", "B:W28:B1,2", 0),
    ("node", "B:W32:B10", 1),
    ("node", "B:W32:B10,15", 2),
    ("node", "B:W32:B10,15,6", 2),  # 10 has 7 and 14 only
    ("oreo", "B:W32:B2,3,7", 1),
    ("oreo", "B:W32:B2,3,7,K20", 0),
    ("pole", "B:W32:B10", 1),
    ("pole", "B:W32:BK10", 0),
    ("thret", "B:W23:B15,10,11", 2),  # 15-18 and 15-19; white's steps threaten nothing: 10 and 11 are held
    ("demo", "B:W18:B10,K5", 0),  # DENY 0, MOB 2
    ("demmo", "B:W18:B10,K5", 0),
    ("ddemo", "B:W18:B10,K5", 1),
    ("ddmm", "B:W18:B10,K5", -1),
    ("mode1", "B:W18:B10,K5", 0),  # MOBIL 2, DENY 0
    ("mode2", "B:W18:B10,K5", 1),
    ("mode3", "B:W18:B10,K5", 0),
    ("mode4", "B:W18:B10,K5", -1),
    ("moc1", "B:W18:B10,K5", 0),  # MOBIL 2, CENT 0
    ("moc3", "B:W18:B10,K5", 1),
    ("moc2", "B:W18:B10,K5", 0),
    ("moc4", "B:W18:B10,K5", -1),
    ("moc1", "B:W32:B10,14", 1),  # MOBIL 4 less 2, CENT 2
]
POLYNOMIAL = registry.game("checkers").new().evaluations["samuel"]


@pytest.mark.parametrize(("term", "text", "count"), TERMS)
def test_term_is_the_count_on_paper(term: str, text: str, count: int) -> None:
    assert POLYNOMIAL.counts(registry.game("checkers").new(text))[term] == count


def test_every_term_of_the_paper_has_a_test() -> None:
    assert {term for term, _, _ in TERMS} == set(POLYNOMIAL.weights)
    assert len(samuel.learnable_terms(POLYNOMIAL)) == 38


def random_position(game: str, seed: int, plies: int) -> Any:
    """An unfinished position after random moves."""
    rng = random.Random(seed)
    position = registry.game(game).new()
    for _ in range(plies):
        position.make(rng.choice(list(position.moves())))
        if position.outcome() is not None:
            position.unmake()
            break
    return position


def linear() -> Iterator[tuple[str, str]]:
    for game in registry.game_names():
        if game == "tree":  # it needs a file
            continue
        for evaluation in getattr(registry.game(game).cls, "evaluations", {}).values():
            if evaluation.scale:
                yield game, evaluation.name


@pytest.mark.parametrize(("game", "name"), list(linear()))
def test_linear_evaluation_is_the_sum_of_weights_and_terms(game: str, name: str) -> None:
    rng = random.Random(5)
    for seed in range(20):
        position = random_position(game, seed, rng.randrange(60))
        evaluation = position.evaluations[name]
        counts = evaluation.counts(position)
        weights = {
            term: rng.randint(-evaluation.max_weight, evaluation.max_weight) // 10
            for term in evaluation.weights
        }
        position.evaluation = evaluation.with_weights(weights)
        total = sum(weights[term] * counts[term] for term in weights)
        assert position.evaluate() == int(total / evaluation.scale)
        assert list(evaluation.counts(position)) == list(evaluation.weights)


def test_terms_are_the_opposite_from_the_other_side() -> None:
    """The board is rotated by 180 degrees, with colours exchanged."""
    for seed in range(30):
        position = random_position("checkers", seed, 10 + seed)
        side, *colours = position.fen().partition(":H")[0].split(":")
        turned = registry.game("checkers").new(":".join([{"B": "W", "W": "B"}[side], *map(_rotate, colours)]))
        assert POLYNOMIAL.counts(position) == POLYNOMIAL.counts(turned)


def _rotate(pieces: str) -> str:
    names = [name for name in pieces[1:].split(",") if name]
    turned = [f"{name[: -len(name.lstrip('K'))]}{33 - int(name.lstrip('K'))}" for name in names]
    return {"B": "W", "W": "B"}[pieces[0]] + ",".join(turned)


# -- the learner ---------------------------------------------------------------------------------------


def test_steps_double_from_16_to_256() -> None:
    used = [0, 15, 16, 31, 32, 63, 64, 127, 128, 255, 256, 511, 512, 10_000]
    assert [divisor(number) for number in used] == [
        16,
        16,
        16,
        16,
        32,
        32,
        64,
        64,
        128,
        128,
        256,
        256,
        256,
        256,
    ]


def test_coefficients_of_the_paper_follow_from_its_correlations() -> None:
    """Appendix C, the polynomial after 42 games: correlations and powers of two."""
    correlations = [0.45, 0.40, 0.35, 0.33, 0.27, 0.19, 0.19, 0.19, 0.14, 0.13, 0.13, 0.10]
    powers = [18, 16, 14, 13, 11, 8, 8, 8, 6, 5, 5, 4]
    signs = [-1, 1, -1, -1, -1, 1, -1, -1, -1, 1, 1, 1]
    terms = [
        Term(str(at), sign * correlation)
        for at, (sign, correlation) in enumerate(zip(signs, correlations, strict=True))
    ]
    result = coefficients([*terms, Term("new")], 18)
    assert result == {str(at): signs[at] * 2**power for at, power in enumerate(powers)} | {"new": 0}
    assert coefficients([Term("a"), Term("b")], 18) == {"a": 0, "b": 0}


@dataclass
class LinearTerms:
    """Replaces an evaluation: terms a, b, c and a fixed one."""

    scale: int = 1
    max_weight: int = 256
    name: str = "counted"
    game: str = "none"
    fixed: tuple[str, ...] = ()

    @property
    def weights(self) -> dict[str, int]:
        return {"a": 1, "b": 1, "c": -1, "d": 0}


def trainer(active: list[Term], reserve: list[str], alpha: dict[str, int]) -> Trainer:
    trainer = Trainer(None, LinearTerms(), None, 1, 3, 70, 2)
    trainer.learner = Learner(active, reserve, alpha, dict(alpha))
    return trainer


def correct(trainer: Trainer, counts: dict[str, int], score: int, value: int) -> Any:
    report = SimpleNamespace(value=value, pv=())
    return trainer._correct(samuel._Remembered(0, counts, score), report, None, 0)


def test_correction_on_paper() -> None:
    """A negative delta moves all terms that contribute; N is 16, then 32 after 32 uses."""
    active = [Term("a", 0.5), Term("b", 0.25, used=40), Term("c", -0.5), Term("d", 0.0)]
    learner = trainer(active, [], {"a": 8, "b": 4, "c": -8, "d": 0})
    event = correct(learner, {"a": 2, "b": -1, "c": 0, "d": 3}, score=12, value=2)
    assert event.delta == -10 and event.weight == 1
    assert active[0].correlation == 0.5 - (0.5 + 1) / 16  # positive term, negative delta: they differ
    assert active[1].correlation == 0.25 - (0.25 - 1) / 32  # both negative: they agree
    assert active[2].correlation == -0.5 and active[2].used == 0  # it did not contribute
    assert active[3].correlation == 0.0 - (0.0 + 1) / 16
    # Exponents are 8 C / 0.5, rounded: 6.5 -> 7, 4.375 -> 4, 8, 1.
    assert learner.learner.alpha == {"a": 2**7, "b": 2**4, "c": -(2**8), "d": -(2**1)}


def test_positive_delta_corrects_only_terms_against_the_score() -> None:
    active = [Term("a", 0.5), Term("b", 0.5), Term("c", -0.5)]
    learner = trainer(active, [], {"a": 8, "b": 8, "c": -8})
    event = correct(learner, {"a": 3, "b": -1, "c": 0, "d": 0}, score=16, value=40)
    assert [name for name, *_ in event.terms] == ["b"]  # a contributed with the score
    assert active[1].correlation == 0.5 - (0.5 + 1) / 16
    assert correct(learner, {"a": 3, "b": -1, "c": 0, "d": 0}, score=0, value=40) is None


def test_contributions_are_coefficient_times_count() -> None:
    learner = trainer([Term("a", 0.5), Term("c", -0.5)], [], {"a": 8, "b": 0, "c": -4, "d": 0})
    event = correct(learner, {"a": 2, "b": 0, "c": 3, "d": 0}, score=4, value=-90)
    assert [name for name, *_ in event.terms] == ["a", "c"] and event.contributions == (16, -12)


def test_small_delta_corrects_nothing_and_a_decided_game_counts_four_times() -> None:
    active = [Term("a", 0.5)]
    learner = trainer(active, [], {"a": 100, "b": 0, "c": 0, "d": 0})
    assert learner.min_delta == 100
    assert correct(learner, {"a": 1}, score=100, value=1) is None and active[0].used == 0
    event = correct(learner, {"a": 1}, score=100, value=-1_000_000)
    assert event.weight == 4 and active[0].correlation == 0.5 - 4 * 1.5 / 16


def test_replacement_on_paper() -> None:
    """At the 32nd mark the least correlated term goes to the end of the reserve and its first one enters."""
    active = [Term("a", 0.5), Term("b", -0.1, used=7, marks=30)]
    learner = trainer(active, ["c", "d"], {"a": 256, "b": -4, "c": 0, "d": 0})
    assert learner._mark(0) is None and active[1].marks == 31
    event = learner._mark(5)
    assert (event.left, event.used, event.entered) == ("b", 7, "c")
    assert learner.learner.reserve == ["d", "b"] and learner.learner.discarded == {"b": 7}
    assert learner.learner.active == [Term("a", 0.5), Term("c", 0.0, 0, 0)]
    assert learner.learner.alpha == {"a": 256, "b": 0, "c": 0, "d": 0}


def test_third_loss_clears_the_leading_term() -> None:
    learner = trainer([Term("a", 0.5), Term("b", -0.25)], [], {"a": 256, "b": -16, "c": 0, "d": 0})
    assert [learner._end(at, 0, (), -1, ()).cleared for at in range(3)] == ["", "", "a"]
    assert learner.learner.alpha == {"a": 0, "b": -256, "c": 0, "d": 0} and learner.learner.losses == 0
    assert learner.learner.beta["a"] == 256 and learner.learner.results == [0, 0, 3]


@pytest.mark.parametrize(
    ("results", "adopted"),
    [
        ([1, 1], [1]),  # two wins
        ([1, -1, 1], [2]),
        ([-1, -1, 1, 1, 1], [4]),  # two wins are no majority of four
        ([0, 1, 0, 1, 1, 1], [3, 5]),  # draws count for neither; a new count after each adoption
        ([1, -1, -1, -1, 1, 1], [5]),  # a new count after the leading term was cleared
    ],
)
def test_a_majority_of_wins_gives_beta_the_polynomial(results: list[int], adopted: list[int]) -> None:
    learner = trainer([Term("a", 0.5), Term("b", -0.25)], [], {"a": 256, "b": -16, "c": 0, "d": 0})
    for number, result in enumerate(results):
        learner.learner.alpha = {**learner.learner.alpha, "d": number}
        before = learner.learner.beta
        assert learner._end(number, 0, (), result, ()).adopted == (number in adopted)
        assert learner.learner.beta == ({**learner.learner.alpha} if number in adopted else before)


class Income(Position):
    """Each turn adds the mover's income to its wealth; five other terms are irrelevant."""

    NAMES = ("wealth", "noise1", "noise2", "income", "noise3", "noise4", "noise5")
    evaluations = by_name(
        "income",
        Evaluation(
            "terms",
            "sums",
            dict.fromkeys(NAMES, 0) | {"wealth": 100},
            max_weight=100,
            scale=1,
            fixed=("wealth",),
        ),
    )

    def __init__(self) -> None:
        super().__init__()
        self.turn, self.plies = 0, 0
        self.terms = [[0] * 7, [0] * 7]

    def moves(self) -> list[int]:
        return [0, 1, 2]

    @undoable
    def make(self, move: int) -> None:
        rng = random.Random(f"{self.plies}/{self.terms}/{move}")
        wealth, *_ = own = self.terms[self.turn]
        income = max(0, own[3] + rng.choice((-1, 0, 0, 1)))
        noise = [rng.randrange(-3, 4) for _ in range(5)]
        self.terms[self.turn] = [wealth + income, *noise[:2], income, *noise[2:]]
        self.turn, self.plies = 1 - self.turn, self.plies + 1

    def outcome(self) -> tuple[int, int] | None:
        if self.plies < 24:
            return None
        difference = self.terms[0][0] - self.terms[1][0]
        return ((difference > 0) - (difference < 0), (difference < 0) - (difference > 0))

    def evaluate(self) -> int:
        weights = (self.evaluation or self.evaluations["terms"]).weights.values()
        mine, theirs = self.terms[self.turn], self.terms[1 - self.turn]
        return sum(weight * (own - other) for weight, own, other in zip(weights, mine, theirs, strict=True))


@pytest.mark.once
def test_learner_finds_the_one_term_that_is_not_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samuel, "LOSSES", 1000)  # or the leading term, once found, is set to zero
    game = registry.game(Income)
    trainer = Trainer(
        game, Income.evaluations["terms"], registry.engine("iterative:table=1MB")[0], 1, 2, 70, 2
    )
    for _ in samuel.play_games(trainer, 16):
        pass
    leading = max(trainer.learner.active, key=lambda term: abs(term.correlation))
    assert leading.name == "income" and leading.correlation > 0.5
    assert all(abs(term.correlation) < 0.3 for term in trainer.learner.active if term.name != "income")


@pytest.mark.once
def test_correlations_equal_an_independent_computation() -> None:
    """Weighted means of agreements, from the events of eight games with entering and leaving terms."""
    game = registry.game("checkers")
    evaluation = game.new().evaluations["samuel"]
    trainer = Trainer(game, evaluation, registry.engine("quiescence:table=1MB")[0], 5, 1, 60, 2)
    mean = {term.name: term.correlation for term in trainer.learner.active}
    used = dict.fromkeys(mean, 0)
    corrections = replacements = 0
    for played in samuel.play_games(trainer, 8):
        for event in played.events:
            if isinstance(event, samuel.Replacement):
                del mean[event.left]
                mean[event.entered], used[event.entered] = 0.0, 0
                replacements += 1
            elif isinstance(event, samuel.Correction):
                for name, count, *_ in event.terms:
                    size = min(256, max(16, 1 << max(0, used[name].bit_length() - 1)))
                    agreement = 1 if count * event.delta > 0 else -1
                    mean[name] = ((size - event.weight) * mean[name] + event.weight * agreement) / size
                    used[name] += 1
                    corrections += 1
        if played.cleared:
            mean[played.cleared] = 0.0
    assert {term.name: term.correlation for term in trainer.learner.active} == pytest.approx(mean)
    assert {term.name: term.used for term in trainer.learner.active} == {name: used[name] for name in mean}
    assert corrections > 100 and replacements


def test_search_of_the_learner_uses_its_polynomial() -> None:
    """With all weight on open lines the value is a multiple of it, unlike with other weights."""
    game = registry.game("connect4")
    threats = game.new().evaluations["threats"]
    trainer = Trainer(game, threats, registry.engine("quiescence:table=1MB")[0], 1, 3, 70, 2)
    position = game.new()
    weighed = threats.with_weights({"open_lines": 1000, "right_row": 0, "wrong_row": 0})
    value = trainer._search(position, weighed).value
    assert value and value % 1000 == 0
    assert trainer._search(position, threats.with_weights(dict.fromkeys(threats.weights, 0))).value == 0


# -- the lecture -----------------------------------------------------------------------------------------


@pytest.mark.once
def test_lecture_shows_corrections_coefficients_and_blame() -> None:
    learned = lesson.learn_games(4, depth=1)
    text = "\n".join(lesson.lines(4, learned))
    events = [event for game in learned.played for event in game.events]
    event = next(event for event in events if isinstance(event, samuel.Correction))
    for name, count, before, after in event.terms:
        assert f"{name:<8}{count:+3d}, delta" in text and f"{before:+.3f} - " in text
        assert after == pytest.approx(
            before - event.weight * (before - (1 if (count > 0) == (event.delta > 0) else -1)) / 16
        )
    last = learned.polynomials[-1]
    for name, weight in last.items():
        row = next(line for line in text.splitlines() if line.startswith(f"{name:<8}") and ":" not in line)
        power = f"{weight:+d}"[0] + str(abs(weight).bit_length() - 1)
        assert row.split()[-1] == (power if weight else "0")
    assert all(len(curve) >= 3 for curve in learned.curves().values())


@pytest.mark.once
def test_blamed_moves_stand_beside_exact_values() -> None:
    check_blame(lesson.judge_lost_game(lesson.learn_games(6, lesson.SOLVED, depth=1), lesson.solver_judge()))


@pytest.mark.once
def test_blamed_moves_of_a_checkers_ending_stand_beside_tables() -> None:
    learned = lesson.learn_games(4, depth=2, start=lesson.ENDING, plies=1000)
    with lesson.table_judge() as judge:
        moves = check_blame(lesson.judge_lost_game(learned, judge))
        position = registry.game("checkers").new("B:W18:BK14")  # it takes the last man
        assert judge(position) == 1 and judge(registry.game("checkers").new("W:WK1:BK32")) == 0
    assert moves[0].before == "drawn" and sum(move.is_error for move in moves) == 1
    assert any(move.is_blamed for move in moves)


def check_blame(result: Any) -> Any:
    """Check that the moves are judged consistently."""
    assert result is not None
    played, moves = result
    assert played.result == -1 and moves[-1].after == "lost"
    order = ["lost", "drawn", "won"]
    # No move improves the value.
    assert all(order.index(move.after) <= order.index(move.before) for move in moves)
    assert len({move.ply % 2 for move in moves}) == 1
    assert all(move.is_error == (move.before != move.after) for move in moves)
    return moves
