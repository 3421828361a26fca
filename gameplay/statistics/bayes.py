"""Log-likelihood ratios (LLR) as other programs compute them from losses, draws and wins, for comparison.

BayesElo (R. Coulom, 2005) has a draw width d, the same for all games:

    P(win) = 1 / (1 + 10 ** ((d - elo) / 400)),  P(loss) = 1 / (1 + 10 ** ((d + elo) / 400))

d is estimated from the counts. This elo differs from the logistic one by a factor that depends on d, and
pairs of games are ignored: matches take about a fifth more games than with the models of `sprt`.
"""

import math
from collections.abc import Sequence

from gameplay.statistics.rating import log_expected_score

PRIOR = 0.5  # added to every count by Cute Chess


def expected_score(counts: Sequence[float], elo: float) -> float:
    """The expected score (0 to 1) at `elo` with the draw width estimated from the counts, as in Fastchess."""
    loss, _, win = (math.exp(x) for x in _log_probabilities(elo, _draw_width(counts)))
    return (1 + win - loss) / 2


def llr(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio with the draw width estimated from the counts, as in OpenBench."""
    return _sum_log_ratios(counts, elo0, elo1, _draw_width(counts))


def cutechess_llr(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio as in Cute Chess.

    The bounds are in logistic Elo, scaled to BayesElo; half a game is added to each count.
    """
    smoothed = [count + PRIOR for count in counts]
    width = _draw_width(smoothed)
    x = 10 ** (-width / 400)
    scale = 4 * x / (1 + x) ** 2
    return _sum_log_ratios(smoothed, elo0 / scale, elo1 / scale, width)


def _draw_width(counts: Sequence[float]) -> float:
    total = sum(counts)
    loss, win = counts[0] / total, counts[2] / total
    return 200 * math.log10((1 - loss) / loss * (1 - win) / win)


def _sum_log_ratios(counts: Sequence[float], elo0: float, elo1: float, width: float) -> float:
    h0, h1 = _log_probabilities(elo0, width), _log_probabilities(elo1, width)
    return sum(n * (b - a) for n, a, b in zip(counts, h0, h1, strict=True) if n)


def _log_probabilities(elo: float, width: float) -> tuple[float, float, float]:
    """Logarithms of the probabilities of loss, draw and win; that of the draw minus a constant.

    P(draw) = P(win) P(loss) (10 ** (2 d / 400) - 1); the last factor cancels out in every ratio.
    """
    win, loss = log_expected_score(elo - width), log_expected_score(-elo - width)
    return loss, win + loss, win
