"""The likelihood ratio as other programs compute it from losses, draws and wins; here only to compare.

BayesElo (R. Coulom, 2005) gives draws a width d, the same for all games:

    P(win) = 1 / (1 + 10 ** ((d - elo) / 400)),  P(loss) = 1 / (1 + 10 ** ((d + elo) / 400))

d is what the counts themselves show. This elo is not the logistic one, by a factor that depends on d, and it
knows nothing of pairs: matches take about a fifth more games than the models of `sprt`.
"""

import math
from collections.abc import Sequence

PRIOR = 0.5  # what cutechess adds to every count
_C = math.log(10) / 400


def score(counts: Sequence[float], elo: float) -> float:
    """The expected score at `elo` with the draw width estimated from the counts, as in Fastchess."""
    loss, _, win = (math.exp(x) for x in _logs(elo, _width(counts)))
    return (1 + win - loss) / 2


def legacy(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio with the draw width estimated from the counts, as in OpenBench."""
    return _ratio(counts, elo0, elo1, _width(counts))


def cutechess(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio as in Cute Chess.

    The bounds are in logistic Elo, scaled to BayesElo; half a game is added to each count.
    """
    counted = [count + PRIOR for count in counts]
    width = _width(counted)
    x = 10 ** (-width / 400)
    scale = 4 * x / (1 + x) ** 2
    return _ratio(counted, elo0 / scale, elo1 / scale, width)


def _width(counts: Sequence[float]) -> float:
    total = sum(counts)
    loss, win = counts[0] / total, counts[2] / total
    return 200 * math.log10((1 - loss) / loss * (1 - win) / win)


def _ratio(counts: Sequence[float], elo0: float, elo1: float, width: float) -> float:
    null, other = _logs(elo0, width), _logs(elo1, width)
    return sum(n * (b - a) for n, a, b in zip(counts, null, other, strict=True) if n)


def _logs(elo: float, width: float) -> tuple[float, float, float]:
    """Logarithms of the chances of loss, draw and win, that of the draw less a constant.

    P(draw) = P(win) P(loss) (10 ** (2 d / 400) - 1); the last factor is that constant, and in no ratio.
    """
    win, loss = -_softplus(_C * (width - elo)), -_softplus(_C * (width + elo))
    return loss, win + loss, win


def _softplus(x: float) -> float:
    """ln(1 + e^x)."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))
