"""SPRT against published numbers, against scipy, and by simulation of matches whose truth is known."""

import itertools
import math
import random
import tomllib
from statistics import NormalDist

import pytest

from gameplay.errors import Usage
from gameplay.statistics import guards
from gameplay.statistics.rating import NELO, deviation, elo, rate
from gameplay.statistics.sprt import MODELS, bounds, check_parameters, llr, sprt
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

Z = NormalDist().inv_cdf(0.975)

ANSWERS = tomllib.loads((TESTS / "answers" / "sprt.toml").read_text())


def name(answer):
    return f"{answer['counts']}-{answer.get('model', '')}{answer.get('elo', '')}".replace(" ", "")


# -- known answers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ANSWERS["llr"], ids=name)
def test_llr(answer):
    ratio = llr(answer["counts"], *answer["elo"], answer["model"])
    assert ratio == pytest.approx(answer["llr"], abs=0.6 * 10 ** -answer.get("digits", 9))
    if "published" in answer:
        assert ratio == pytest.approx(answer["published"], abs=answer.get("tolerance", 0.00501))


@pytest.mark.parametrize("answer", ANSWERS["rating"], ids=name)
def test_ratings(answer):
    """The published normal approximation has the same mean and deviation; it is narrower than Student's t."""
    counts, near = answer["counts"], 0.6 * 10 ** -answer["digits"]
    rating, pairs = rate(counts), sum(counts)
    error = deviation(counts) / math.sqrt(pairs * (len(counts) - 1) // 2)
    normal = {
        "elo": (elo(rating.score + Z * error) - elo(rating.score - Z * error)) / 2,
        "nelo": Z * NELO / math.sqrt(pairs * (len(counts) - 1) // 2),
    }
    for word, low, high in (("elo", rating.low, rating.high), ("nelo", rating.nelo_low, rating.nelo_high)):
        if word in answer:
            assert getattr(rating, word) == pytest.approx(answer[word][0], abs=near)
            assert normal[word] == pytest.approx(answer[word][1], abs=near)
            assert 1 < (high - low) / 2 / normal[word] < 1 + 4 / pairs + 0.35 / math.sqrt(pairs)
    if "los" in answer:
        assert NormalDist().cdf((rating.score - 0.5) / error) == pytest.approx(answer["los"], abs=near)
        assert rating.los == pytest.approx(answer["los"], abs=3e-3)


@pytest.mark.parametrize("answer", ANSWERS["bounds"])
def test_bounds(answer):
    limits = bounds(answer["alpha"], answer["beta"])
    assert limits == pytest.approx((answer["lower"], answer["upper"]), abs=0.6e-9)


# -- an independent oracle -------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["logistic", "normalized"])
@pytest.mark.parametrize(
    "counts",
    [(34, 54, 63, 64, 75), (3, 0, 7, 1, 0), (0, 0, 0, 0, 20), (96, 111, 136), (5, 0, 2), (1, 2, 4, 2, 1)],
)
def test_llr_by_general_optimization(model, counts):
    """The likeliest distribution under the constraint, straight from the definition."""
    optimize = pytest.importorskip("scipy.optimize")
    import numpy as np

    shares = np.array([count or 1e-3 for count in counts])
    total = shares.sum()
    shares = shares / total
    scores = np.linspace(0, 1, len(counts))
    root = math.sqrt(2) if len(counts) == 5 else 1

    def best(elo):
        def off(logs):
            q = np.exp(logs)
            mean = q @ scores
            if model == "logistic":
                return mean - 1 / (1 + 10 ** (-elo / 400))
            return mean - 0.5 - elo / NELO * root * math.sqrt(q @ (scores - mean) ** 2)

        optimum = optimize.minimize(
            lambda logs: -(shares @ logs),
            np.log((shares + 0.2) / (shares + 0.2).sum()),
            constraints=[
                {"type": "eq", "fun": off},
                {"type": "eq", "fun": lambda logs: np.exp(logs).sum() - 1},
            ],
            method="SLSQP",
            options={"maxiter": 1000, "ftol": 1e-14},
        )
        assert abs(off(optimum.x)) < 1e-9
        return -optimum.fun

    expected = total * (best(30) - best(-10))
    assert llr(counts, -10, 30, model) == pytest.approx(expected, abs=1e-4 + 1e-5 * abs(expected))


def test_constraint_is_met_by_root_finding():
    """The logistic model is solved by scipy's root finder."""
    optimize = pytest.importorskip("scipy.optimize")
    counts = (7, 30, 41, 35, 12)
    shares = [count / sum(counts) for count in counts]

    def fit_probabilities(elo):
        values = [i / 4 - 1 / (1 + 10 ** (-elo / 400)) for i in range(5)]
        ends = (-1 / max(values) + 1e-9, -1 / min(values) - 1e-9)

        def f(x):
            return sum(p * v / (1 + x * v) for p, v in zip(shares, values, strict=True))

        x = optimize.brentq(f, *ends, xtol=1e-15)
        return [p / (1 + x * v) for p, v in zip(shares, values, strict=True)]

    pairs = zip(shares, fit_probabilities(-5), fit_probabilities(5), strict=True)
    expected = sum(counts) * sum(p * math.log(b / a) for p, a, b in pairs)
    assert llr(counts, -5, 5, "logistic") == pytest.approx(expected, abs=1e-9)


# -- properties ------------------------------------------------------------------------------------

SMALL = [c for c in itertools.product((0, 1, 7), repeat=5) if any(c)][::7]


@pytest.mark.parametrize("model", MODELS)
def test_swapping_the_players_mirrors_the_test(model):
    rng = random.Random(1)
    for _ in range(50):
        counts = [rng.choice((0, 1, 5, 60)) for _ in range(5 if model in ("normalized", "logistic") else 3)]
        ours = llr(counts, -3, 20, model)
        assert llr(counts[::-1], -20, 3, model) == pytest.approx(-ours, abs=1e-7 * (1 + abs(ours)))


def test_swapping_the_players_swaps_the_hypotheses():
    assert sprt([0, 5, 20, 40, 30], 0, 30).decision == "H1"
    assert sprt([30, 40, 20, 5, 0], -30, 0).decision == "H0"


@pytest.mark.parametrize("model", ["normalized", "logistic"])
@pytest.mark.parametrize("counts", SMALL)
def test_llr_vanishes_with_the_distance_of_the_hypotheses(model, counts):
    far, near, nearer = (abs(llr(counts, 5, 5 + gap, model)) for gap in (8, 0.08, 0.0008))
    assert near < 0.1 * far + 1e-3
    assert nearer < 1e-3 * sum(counts)


@pytest.mark.parametrize("model", MODELS)
def test_always_a_number(model):
    """With zeros, one-sided results and extreme bounds: never infinite, never nan."""
    rng = random.Random(2)
    size = 5 if model in ("normalized", "logistic") else 3
    for _ in range(150):
        counts = [rng.choice((0, 0, 1, 30, 100_000)) for _ in range(size)]
        elo0 = rng.uniform(-1000, 990)
        assert math.isfinite(llr(counts, elo0, rng.uniform(elo0 + 1, 1000), model)), counts


@pytest.mark.parametrize("model", ["normalized", "logistic"])
def test_only_wins_are_accepted_and_only_losses_rejected(model):
    assert sprt([0, 0, 0, 0, 500], 0, 10, model=model).decision == "H1"
    assert sprt([500, 0, 0, 0, 0], 0, 10, model=model).decision == "H0"
    assert sprt([0] * 5, 0, 10, model=model).decision is None
    assert sprt([0] * 5, 0, 10, model=model).llr == 0


def test_trinomial_is_normalized_on_games():
    assert llr([20, 50, 30], 0, 10, "trinomial") == llr([20, 50, 30], 0, 10, "normalized")


def test_bayes_factor_is_undefined_without_wins_or_losses():
    assert llr([0, 5, 9], 0, 10, "bayes") == llr([3, 0, 0], 0, 10, "bayes-legacy") == 0


# -- error rates -----------------------------------------------------------------------------------


def run_match(rng, weights, elo0, elo1, alpha, beta, model="normalized"):
    """A match with these probabilities of results, tested after every fourth pair: decision and length."""
    counts = [0] * len(weights)
    for total in range(4, 20_000, 4):
        for result in rng.choices(range(len(weights)), weights, k=4):
            counts[result] += 1
        decision = sprt(counts, elo0, elo1, alpha, beta, model).decision
        if decision:
            return decision, total
    raise AssertionError("endless")


def weights_of(nelo):
    """The probabilities of the five results of a pair with this normalized Elo: an even match, tilted."""
    even = (0.05, 0.2, 0.5, 0.2, 0.05)
    low, high = -5.0, 5.0
    for _ in range(60):
        rate = (low + high) / 2
        weights = [w * math.exp(rate * i) for i, w in enumerate(even)]
        mean = sum(w * i / 4 for i, w in enumerate(weights)) / sum(weights)
        variance = sum(w * (i / 4 - mean) ** 2 for i, w in enumerate(weights)) / sum(weights)
        if NELO * (mean - 0.5) / math.sqrt(2 * variance) < nelo:
            low = rate
        else:
            high = rate
    return weights


@pytest.mark.parametrize("truth, wrong", [(0, "H1"), (50, "H0")])
def test_error_rates(truth, wrong):
    """With an allowed error of 10 %, 200 matches have 20 errors; 30 is 2.4 standard deviations more."""
    rng = random.Random(3)
    runs = [run_match(rng, weights_of(truth), 0, 50, 0.1, 0.1) for _ in range(200)]
    errors = sum(decision == wrong for decision, _ in runs)
    assert 3 <= errors <= 30, "too many errors, or so few that it plays far too long"
    games = 2 * sum(total for _, total in runs) / 200
    assert games == pytest.approx(170, rel=0.25), "Wald: of the LLR as Brownian motion"


def test_a_wrong_test_would_be_found():
    """With a doubled LLR, as if every pair were counted twice, the error exceeds the allowed one."""
    rng = random.Random(3)
    narrow = 0.25  # bounds of alpha = 0.25 are half of those of 0.1
    runs = [run_match(rng, weights_of(0), 0, 50, narrow, narrow) for _ in range(400)]
    assert sum(decision == "H1" for decision, _ in runs) > 55


# -- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments, words",
    [
        ((5, 5, 0.05, 0.05), "elo0 must be less than elo1, not 5 and 5"),
        ((5, 0, 0.05, 0.05), "elo0 must be less than elo1"),
        ((0, 5, 0, 0.05), "alpha must be an error rate between 0 and 1, not 0"),
        ((0, 5, 0.05, 1), "beta must be an error rate"),
        ((0, 5, 0.5, 0.5), "sum of alpha and beta"),
        ((math.nan, 5, 0.05, 0.05), "elo0 must be from"),
        ((-1000.5, 5, 0.05, 0.05), "elo0 must be from -1000 to 1000, not -1000.5"),
        ((0, 1000.5, 0.05, 0.05), "elo1 must be from -1000 to 1000, not 1000.5"),
        ((0, math.inf, 0.05, 0.05), "elo1 must be from"),
        ((0, 5, math.nan, 0.05), "alpha"),
        ((0, 5, 0.05, 0.05, "logistc"), "did you mean 'logistic'"),
    ],
)
def test_no_such_test(arguments, words):
    with pytest.raises(Usage, match=words) as error:
        check_parameters(*arguments)
    assert "\n" not in str(error.value)
    with pytest.raises(Usage):
        sprt([1, 1, 1, 1, 1], *arguments)


def test_the_widest_sprt_parameters_are_accepted():
    check_parameters(-1000, 1000, 0.001, 0.998)


@pytest.mark.parametrize("counts", [[1, 2], [1, 2, 3, 4], [1, -1, 0], []])
def test_no_such_counts(counts):
    with pytest.raises(Usage, match="counts must be 3 of games or 5 of pairs"):
        sprt(counts, 0, 5)


@pytest.mark.parametrize("model", ["trinomial", "bayes", "bayes-legacy", "cutechess"])
def test_models_of_games_refuse_pairs(model):
    with pytest.raises(Usage, match="for games, not for pairs"):
        sprt([1, 2, 3, 2, 1], 0, 5, model=model)


# -- words -----------------------------------------------------------------------------------------


def test_verdict_names_model_bounds_and_perspective():
    verdict = sprt([34, 54, 63, 64, 75], 0, 10)
    assert str(verdict) == (
        "undecided (LLR 2.48, bounds ±2.94): normalized Elo of the first player (H0: 0, H1: 10)"
    )
    text = str(sprt([0, 0, 0, 0, 500], -5, 10, alpha=0.05, beta=0.1))
    assert text.startswith("H1 accepted (LLR ") and ", bounds -2.25 and 2.89)" in text
    assert text.endswith("): the first player has more than -5 normalized Elo (H0: -5, H1: 10)")
    text = str(sprt([500, 0, 0, 0, 0], 0, 10))
    assert text.startswith("H0 accepted (LLR -") and ", bounds ±2.94)" in text
    assert text.endswith("): the first player has less than +10 normalized Elo (H0: 0, H1: 10)")
    assert verdict.as_dict()["llr"] == 2.483695


# -- guards ----------------------------------------------------------------------------------------


def test_duplicates():
    assert guards.duplicates(0, 0) is None
    assert guards.duplicates(1000, 10) is None
    assert guards.duplicates(1000, 11).refuses is False
    assert guards.duplicates(1000, 50).refuses is False, "5 % are just shown"
    assert guards.duplicates(1000, 51).refuses is True
    assert "51 of 1000 games repeat" in str(guards.duplicates(1000, 51))


def test_openings():
    assert guards.openings(50, 50) is None
    warning = guards.openings(50, 20)
    assert warning.refuses
    assert "50 pairs began from only 20" in warning.reason
    assert "play 40 games" in warning.remedy


def test_forfeits():
    assert guards.forfeits(0, 0) is None
    assert guards.forfeits(200, 2) is None
    warning = guards.forfeits(200, 3, "slow")
    assert "3 of 200 games were lost on time by slow, more than 1 %" in str(warning) and not warning.refuses


def test_variety():
    assert not guards.variety([0, 0, 10, 0, 0]).refuses, "there are bounds"
    assert "all 10 pairs ended alike" in str(guards.variety([0, 10, 0, 0, 0]))
    assert guards.variety([0, 0, 0, 2, 0]) is not None
    assert "all 2 games ended alike" in str(guards.variety([0, 2, 0]))
    assert guards.variety([0, 0, 1, 0, 0]) is None, "one pair is simply too few"
    assert guards.variety([0, 0, 0, 0, 10]) is None, "there is a bound"
    assert guards.variety([0, 1, 9, 0, 0]) is None


def test_peeking():
    assert guards.peeking(100, 100) is None
    assert guards.peeking(100, 40, sprt=True) is None
    assert "only 40 of 100" in str(guards.peeking(100, 40)) and not guards.peeking(100, 40).refuses


def test_optional_stopping_has_the_stated_error_rate():
    """Two equal players, tested every 20 games up to 2000: a third of all matches are significant."""
    rng = random.Random(4)
    false = 0
    for _ in range(300):
        counts = [0, 0, 0]
        for _ in range(100):
            for result in rng.choices(range(3), (0.3, 0.4, 0.3), k=20):
                counts[result] += 1
            error_rate = rate(counts)
            if error_rate.low > 0 or error_rate.high < 0:
                false += 1
                break
    assert 0.28 < false / 300 < 0.43
