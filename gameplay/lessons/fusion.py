"""Strategy fusion: the errors of perfect information Monte Carlo, in trees small enough to be solved exactly.

Perfect information Monte Carlo samples deals, searches each as a perfect-information game, and plays the move
with the best average. Ian Frank and David Basin, "Search in games with incomplete information: a case study
using Bridge card play", Artificial Intelligence 100, 1998, name two errors that remain however many deals are
searched: strategy fusion, which assumes a different move in each deal where one strategy must serve all deals
of an infoset; and non-locality, which ignores that a better-informed opponent does not let every deal reach
this node. They assume the best defence: MIN knows the deal and the strategy of MAX.

With Hitoshi Matsubara, "Finding optimal strategies for imperfect information games", AAAI 1998: sampling
solves 66 % of the problems of a bridge textbook. Jeffrey Long, Nathan Sturtevant, Michael Buro and Timothy
Furtak, "Understanding the success of perfect information Monte Carlo sampling in game tree search", AAAI
2010: the payoffs of sampling in Kuhn's poker.

All deals are searched instead of a sample, so every error is due to the method.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from random import Random
from typing import Any

from gameplay.games.tree import Tree
from gameplay.position import CHANCE

BRIDGE = 0.66  # share of problems solved by Monte Carlo sampling, Frank, Basin and Matsubara 1998

# The five deals of Frank, Basin and Matsubara's figure: MAX's payoff at each of the five leaves, by deal.
LEAVES = ((1, 1, 0, 0, 0), (0, 0, 1, 1, 1), (1, 1, 0, 0, 0), (0, 0, 1, 1, 1), (1, 1, 1, 1, 0))

# Long and others 2010: a player's payoff in Kuhn's poker against an equilibrium and the best response.
KUHN = {
    ("random", 0): (-0.161, -0.417),
    ("random", 1): (-0.130, -0.500),
    ("Monte Carlo", 0): (-0.056, -0.083),
    ("Monte Carlo", 1): (0.056, -0.166),
    ("equilibrium", 0): (-0.056, -0.056),
    ("equilibrium", 1): (0.056, 0.056),
}

# The paper does not report which equilibrium was used; this one reproduces the result of the random player.
BLUFF = 2 / 9

Strategy = Mapping[Hashable, Sequence[float]]  # by infoset: the probability of each move


# -- exact values and values by sampling ------------------------------------------------------------


@dataclass(frozen=True)
class LineOfPlay:
    """A path to a leaf: its chance probability, the choices of both players, the first player's payoff."""

    odds: float
    choices: tuple[tuple[int, Hashable, int], ...]  # player, infoset, move
    payoff: float


def lines_of_play(tree: Tree) -> list[LineOfPlay]:
    """All leaves of a two-player zero-sum tree."""
    leaves: list[LineOfPlay] = []

    def walk(odds: float, choices: tuple[tuple[int, Hashable, int], ...]) -> None:
        outcome = tree.outcome()
        if outcome is not None:
            leaves.append(LineOfPlay(odds, choices, outcome[0]))
            return
        mover = tree.turn
        infoset = None if mover == CHANCE else tree.infoset(mover)
        shares = tree.chances() if mover == CHANCE else [1.0] * len(tree.moves())
        for move, share in zip(tree.moves(), shares, strict=True):
            tree.make(move)
            walk(odds * share, choices if mover == CHANCE else (*choices, (mover, infoset, move)))
            tree.unmake()

    walk(1.0, ())
    return leaves


def infosets(leaves: Sequence[LineOfPlay], player: int) -> dict[Hashable, int]:
    """The infosets of `player`, each with its number of moves."""
    counts: dict[Hashable, int] = {}
    for line in leaves:
        for mover, infoset, move in line.choices:
            if mover == player:
                counts[infoset] = max(counts.get(infoset, 0), move + 1)
    return counts


def pure_strategies(leaves: Sequence[LineOfPlay], player: int) -> Iterator[dict[Hashable, Sequence[float]]]:
    """Yield all pure strategies: each combination of one move per infoset."""
    counts = infosets(leaves, player)
    for chosen in product(*(range(count) for count in counts.values())):
        yield {
            infoset: [float(move == choice) for move in range(counts[infoset])]
            for infoset, choice in zip(counts, chosen, strict=True)
        }


def payoff(leaves: Sequence[LineOfPlay], first: Strategy, second: Strategy) -> float:
    """The first player's expected payoff if both follow these strategies."""
    total = 0.0
    for line in leaves:
        share = line.odds
        for mover, infoset, move in line.choices:
            share *= (first, second)[mover][infoset][move]
        total += share * line.payoff
    return total


def guaranteed_payoff(leaves: Sequence[LineOfPlay], player: int, strategy: Strategy) -> float:
    """The payoff of a strategy against the best response to it."""
    if player == 0:
        return min(payoff(leaves, strategy, other) for other in pure_strategies(leaves, 1))
    return min(-payoff(leaves, other, strategy) for other in pure_strategies(leaves, 0))


def optimal_payoff(leaves: Sequence[LineOfPlay]) -> float:
    """The exact value: the first player's highest payoff by a pure strategy against the best defence."""
    return max(guaranteed_payoff(leaves, 0, strategy) for strategy in pure_strategies(leaves, 0))


def perfect_information_value(tree: Tree) -> float:
    """The first player's payoff with perfect information and best play."""
    outcome = tree.outcome()
    if outcome is not None:
        return outcome[0]
    values = []
    for move in tree.moves():
        tree.make(move)
        values.append(perfect_information_value(tree))
        tree.unmake()
    if tree.turn == CHANCE:
        return sum(odds * value for odds, value in zip(tree.chances(), values, strict=True))
    return max(values) if tree.turn == 0 else min(values)


def sampled_values(tree: Tree, player: int) -> dict[Hashable, list[float]]:
    """By infoset, the value that sampling assigns to each move of `player`: the mean over the deals."""
    sums: dict[Hashable, list[float]] = {}
    weights: dict[Hashable, float] = {}

    def walk(odds: float) -> None:
        if tree.outcome() is not None:
            return
        shares: Sequence[float] = tree.chances() if tree.turn == CHANCE else [1.0] * len(tree.moves())
        own = tree.turn == player
        infoset = tree.infoset(player) if own else None
        if own:
            sums.setdefault(infoset, [0.0] * len(shares))
            weights[infoset] = weights.get(infoset, 0.0) + odds
        for move, share in zip(tree.moves(), shares, strict=True):
            tree.make(move)
            if own:
                sums[infoset][move] += odds * (
                    perfect_information_value(tree) if player == 0 else -perfect_information_value(tree)
                )
            walk(odds * share)
            tree.unmake()

    walk(1.0)
    return {infoset: [total / weights[infoset] for total in totals] for infoset, totals in sums.items()}


def sampled_strategy(tree: Tree, player: int) -> dict[Hashable, Sequence[float]]:
    """The strategy of perfect information Monte Carlo; ties go to the last move: bet rather than check."""
    chosen_moves: dict[Hashable, Sequence[float]] = {}
    for infoset, values in sampled_values(tree, player).items():
        chosen = max(move for move, value in enumerate(values) if value > max(values) - 1e-9)
        chosen_moves[infoset] = [float(move == chosen) for move in range(len(values))]
    return chosen_moves


def uniform_strategy(tree: Tree, player: int) -> dict[Hashable, Sequence[float]]:
    """The uniform random strategy."""
    return {infoset: [1 / count] * count for infoset, count in infosets(lines_of_play(tree), player).items()}


# -- the tree of the figure -------------------------------------------------------------------------


def figure_tree() -> Tree:
    """MAX goes right and wins four deals of five, or left, where MIN selects one of two choices for MAX."""

    def deal(number: int) -> dict[str, Any]:
        up_a, up_b, down_a, down_b, right = (leaf[number] for leaf in LEAVES)
        upper = {"infoset": "upper", "max": {"a": up_a, "b": up_b}}
        lower = {"infoset": "lower", "max": {"a": down_a, "b": down_b}}
        return {"infoset": "start", "max": {"left": {"min": {"up": upper, "down": lower}}, "right": right}}

    return Tree.of({"chance": {f"deal{number + 1}": deal(number) for number in range(len(LEAVES))}})


def non_locality_tree() -> Tree:
    """MIN stops or goes on; MAX, who cannot distinguish two deals, then bets on one of them or passes."""

    def deal(stop: int, bet: int) -> dict[str, Any]:
        return {"min": {"stop": stop, "go": {"infoset": "asked", "max": {"bet": bet, "pass": 0}}}}

    return Tree.of({"chance": {"good": deal(-1, 2), "bad": deal(1, -1)}})


# -- Kuhn's poker -----------------------------------------------------------------------------------


def kuhn_tree() -> Tree:
    """Three cards, one each, an ante and a bet of 1 (H. W. Kuhn, "A simplified two-person poker", 1950)."""

    def deal(first: str, second: str) -> dict[str, Any]:
        wins = 1 if "JQK".index(first) > "JQK".index(second) else -1
        after_check = {
            "infoset": f"{second}-check",
            "min": {
                "check": wins,
                "bet": {"infoset": f"{first}-bet", "max": {"fold": -1, "call": 2 * wins}},
            },
        }
        after_bet = {"infoset": f"{second}-bet", "min": {"fold": 1, "call": 2 * wins}}
        return {"infoset": first, "max": {"check": after_check, "bet": after_bet}}

    return Tree.of({"chance": {a + b: deal(a, b) for a, b in permutations("JQK", 2)}})


def equilibrium_strategy(tree: Tree, player: int) -> dict[Hashable, Sequence[float]]:
    """One of Kuhn's equilibria: the first player bets a jack with any probability up to 1/3, here BLUFF."""
    rules: dict[str, Sequence[float]] = (
        {
            **{"J": (1 - BLUFF, BLUFF), "Q": (1, 0), "K": (1 - 3 * BLUFF, 3 * BLUFF)},
            **{"J-bet": (1, 0), "Q-bet": (2 / 3 - BLUFF, 1 / 3 + BLUFF), "K-bet": (0, 1)},
        }
        if player == 0
        else {
            **{"J-check": (2 / 3, 1 / 3), "Q-check": (1, 0), "K-check": (0, 1)},
            **{"J-bet": (1, 0), "Q-bet": (2 / 3, 1 / 3), "K-bet": (0, 1)},
        }
    )
    return {(player, word): odds for word, odds in rules.items()}


@dataclass(frozen=True)
class KuhnPayoffs:
    """A player's payoffs against an equilibrium and against the best response; ours and published."""

    name: str
    seat: int
    equilibrium: float
    guaranteed: float
    published: tuple[float, float]


def kuhn_payoffs() -> Iterator[KuhnPayoffs]:
    """Recompute the table of Long and others for Kuhn's poker."""
    tree = kuhn_tree()
    leaves = lines_of_play(tree)
    strategies = {
        "random": uniform_strategy,
        "Monte Carlo": sampled_strategy,
        "equilibrium": equilibrium_strategy,
    }
    for (name, seat), published in KUHN.items():
        strategy = strategies[name](tree, seat)
        other = equilibrium_strategy(tree, 1 - seat)
        against_equilibrium = (
            payoff(leaves, strategy, other) if seat == 0 else -payoff(leaves, other, strategy)
        )
        yield KuhnPayoffs(
            name, seat, against_equilibrium, guaranteed_payoff(leaves, seat, strategy), published
        )


# -- frequency of errors as trees grow --------------------------------------------------------------

Deals = int  # a bit for each deal that MAX wins


@dataclass(frozen=True)
class RandomTree:
    """A random binary tree of MAX and MIN: the deals MAX can win, and those that sampling wins."""

    wins: frozenset[Deals]  # deals won by each undominated strategy of MAX against the best defence
    open_wins: Deals  # deals won with perfect information
    sampled_wins: Deals  # deals won by the strategy of sampling


def random_tree(rng: Random, plies: int, deals: int) -> RandomTree:
    """A random tree of `plies` choices, the last MAX's; a leaf is won in each deal with probability 0.5."""
    if not plies:
        leaf = rng.getrandbits(deals)
        return RandomTree(frozenset([leaf]), leaf, leaf)
    left, right = random_tree(rng, plies - 1, deals), random_tree(rng, plies - 1, deals)
    if plies % 2:  # MAX, who knows the deal only in `open_wins`
        better = left if left.open_wins.bit_count() >= right.open_wins.bit_count() else right
        return RandomTree(
            _remove_dominated(left.wins | right.wins), left.open_wins | right.open_wins, better.sampled_wins
        )
    wins = frozenset(a & b for a in left.wins for b in right.wins)
    return RandomTree(
        _remove_dominated(wins), left.open_wins & right.open_wins, left.sampled_wins & right.sampled_wins
    )


def _remove_dominated(wins: frozenset[Deals]) -> frozenset[Deals]:
    """Remove strategies whose won deals are a subset of another's."""
    return frozenset(
        deals for deals in wins if not any(deals != other and deals & other == deals for other in wins)
    )


def sampling_accuracy(plies: int, trees: int) -> tuple[float, float]:
    """The share of trees where sampling is optimal, and the mean number of five deals it loses per tree."""
    deals = 5
    rng = Random(f"1/{plies}/{deals}")
    right = lost = 0
    for _ in range(trees):
        tree = random_tree(rng, plies, deals)
        missed = max(deals_won.bit_count() for deals_won in tree.wins) - tree.sampled_wins.bit_count()
        right += not missed
        lost += missed
    return right / trees, lost / trees


def tied_votes_payoff() -> float:
    """The first player's guaranteed payoff in Kuhn's poker if kings check and queens call half the time."""
    tree = kuhn_tree()
    strategy = sampled_strategy(tree, 0)
    strategy[0, "K"], strategy[0, "Q-bet"] = (1, 0), (0.5, 0.5)
    return guaranteed_payoff(lines_of_play(tree), 0, strategy)
