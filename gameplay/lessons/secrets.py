"""Imperfect information: errors of perfect information Monte Carlo, better methods, and poker equilibria.

The trees and their exact values are in `lessons.fusion`; regrets are minimized by `engines.cfr`. All figures
are computed in the run.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from gameplay.engines.cfr.extensive import ExtensiveForm
from gameplay.engines.cfr.profile import StrategyProfile
from gameplay.engines.cfr.training import RegretMinimizer
from gameplay.engines.ismcts.engine import Ismcts
from gameplay.games.tree import Tree
from gameplay.lessons import fusion
from gameplay.search.limit import Limit

ITERATIONS = (1, 10, 100, 1000, 10_000)
TREE_ITERATIONS = 2000  # iterations for the small trees
SIMULATIONS = 1000


@dataclass(frozen=True)
class MethodChoice:
    """A method's move at one infoset of MAX, and its payoff against the best response."""

    name: str
    word: str
    guaranteed: float


def compare_methods(tree: Tree, infoset: str) -> list[MethodChoice]:
    """Compare three methods at an infoset of a tree; each method chooses all moves of MAX."""
    leaves = fusion.lines_of_play(tree)
    words = next(place for place in ExtensiveForm(tree).infosets if place.key == (0, infoset)).move_names
    sampled = fusion.sampled_strategy(tree, 0)
    rows = [("PIMC (all deals, with open cards)", sampled)]
    searched: dict[Hashable, Sequence[float]] = {}
    for node in tree.nodes:
        if node.turn == 0 and node.infoset is not None and (0, node.infoset) not in searched:
            position = tree.initial()
            position.setup(" ".join(node.path()))
            move = Ismcts(seed=1).search(position, Limit(simulations=SIMULATIONS)).move
            searched[0, node.infoset] = [float(number == move) for number in range(len(node.branches))]
    rows.append((f"ISMCTS ({SIMULATIONS:,} deals)", searched))
    regrets = RegretMinimizer(ExtensiveForm(tree))
    regrets.iterate(TREE_ITERATIONS)
    average = regrets.average()
    rows.append((f"CFR ({TREE_ITERATIONS:,} iterations)", first_strategy(average)))
    choices = []
    for name, strategy in rows:
        shares = strategy[0, infoset]
        word = words[max(range(len(words)), key=lambda move: shares[move])]
        choices.append(MethodChoice(name, word, fusion.guaranteed_payoff(leaves, 0, strategy)))
    return choices


def first_strategy(mixed: StrategyProfile) -> dict[Hashable, Sequence[float]]:
    """The first player's part of a strategy, in the form of `lessons.fusion.Strategy`."""
    return {place.key: mixed.probabilities(place) for place in mixed.form.infosets if place.player == 0}


@dataclass(frozen=True)
class Stage:
    """Kuhn's poker after a number of iterations: the first player's value, and probabilities of moves."""

    iterations: int
    exploitability: float
    value: float
    bluff: float  # bet a jack
    bet: float  # bet a king
    call: float  # call with a queen
    second_bluff: float  # the second player: bet a jack after a check
    second_call: float  # ... call with a queen


def convergence() -> list[Stage]:
    """Stages of convergence to an equilibrium. Kuhn's: a, 3a and a + 1/3 for any a up to 1/3; 1/3 and 1/3."""
    form = ExtensiveForm(fusion.kuhn_tree())
    places = {place.key: place for place in form.infosets}
    infosets = ((0, "J"), (0, "K"), (0, "Q-bet"), (1, "J-check"), (1, "Q-bet"))
    regrets, rows = RegretMinimizer(form, "cfr"), []
    for count in ITERATIONS:
        regrets.iterate(count - regrets.iterations)
        average = regrets.average()
        # The probability of the second move: bet or call.
        shares = [average.probabilities(places[infoset])[1] for infoset in infosets]
        rows.append(Stage(count, average.exploitability(), average.values()[0], *shares))
    return rows


# -- text -------------------------------------------------------------------------------------------


def lines(trees: int) -> Iterator[str]:
    """The text: strategy fusion, non-locality, poker, and strategy fusion in growing trees."""
    yield from _figure()
    yield from _locality()
    yield from _equilibrium()
    yield from _payoffs()
    yield from _random_trees(trees)


def _comparison(tree: Tree, infoset: str) -> Iterator[str]:
    yield ""
    yield f"   {'method':<44} {'move':<6} {'against the best response':>25}"
    for choice in compare_methods(tree, infoset):
        yield f"   {choice.name:<44} {choice.word:<6} {choice.guaranteed:>+25.2f}"
    yield ""


def _figure() -> Iterator[str]:
    tree = fusion.figure_tree()
    leaves = fusion.lines_of_play(tree)
    infoset = (0, "start")
    values = fusion.sampled_values(tree, 0)[infoset]
    moves = [branch.word for branch in tree.root.branches[0].branches]
    yield "1. Strategy fusion: five deals in one infoset of MAX; MIN knows the deal (Frank and others 1998)"
    yield ""
    yield "   MAX"
    yield "   |- left: MIN"
    yield "   |  |- up: MAX"
    yield "   |  |  |- a: won in deals 1 2"
    yield "   |  |  `- b: won in deals 3 4 5"
    yield "   |  `- down: MAX"
    yield "   |     |- a: won in deals 1 2"
    yield "   |     `- b: won in deals 3 4 5"
    yield "   `- right: won in deals 1 2 3 4"
    yield ""
    yield "   move    value by sampling    exact value"
    for move, word in enumerate(moves):
        exact = max(
            fusion.guaranteed_payoff(leaves, 0, strategy)
            for strategy in fusion.pure_strategies(leaves, 0)
            if strategy[infoset][move]
        )
        yield f"   {word:<7} {values[move]:>17.1f} {exact:>14.1f}"
    sampled = fusion.sampled_strategy(tree, 0)
    word = moves[list(sampled[infoset]).index(1)]
    yield ""
    yield (
        f"   Sampling plays {word} and wins {round(5 * fusion.guaranteed_payoff(leaves, 0, sampled))} deals "
        f"of 5; {round(5 * fusion.optimal_payoff(leaves))} can be won. In each deal one of a and b wins, "
        "so sampling values left as a certain win; but a player who does not know the deal must choose the "
        "same move in all of them. Searching more deals does not help. In an information-set tree one node "
        "represents all five deals."
    )
    yield from _comparison(tree, "start")


def _locality() -> Iterator[str]:
    tree = fusion.non_locality_tree()
    values = fusion.sampled_values(tree, 0)[0, "asked"]
    yield "2. Non-locality: two equally likely deals; MIN sees the deal and moves first"
    yield ""
    for deal, stop, bet in (("good", "-1", "+2"), ("bad", "+1", "-1")):
        yield f"   {deal} deal: MIN"
        yield f"   |- stop: {stop}"
        yield f"   `- go: MAX, bet {bet}, pass 0"
    yield ""
    yield (
        f"   At its turn MAX still values both deals as equally likely: bet {values[0]:+.1f}, pass "
        f"{values[1]:+.1f}. But MIN stops whenever a bet would win, and goes on only in the bad deal. The "
        "value of a move depends on a part of the tree above this node, which no search from here visits; "
        "ISMCTS samples deals with the same error. CFR starts at the root."
    )
    yield from _comparison(tree, "asked")


def _equilibrium() -> Iterator[str]:
    yield "3. Kuhn's poker: convergence of CFR to an equilibrium (Zinkevich and others 2007)"
    yield ""
    yield "   Jack, queen, king; one card each, an ante, one bet of one chip. Initial strategies are uniform."
    yield ""
    yield "                exploit-  value of    first: how often       second"
    yield "   iterations    ability     first   J bet  K bet  Q call   J bet  Q call"
    for stage in convergence():
        yield (
            f"   {stage.iterations:>10,} {stage.exploitability:>10.5f} {stage.value:>+9.5f} "
            f"{stage.bluff:>7.3f}{stage.bet:>7.3f} {stage.call:>7.3f} "
            f"{stage.second_bluff:>7.3f} {stage.second_call:>7.3f}"
        )
    a = stage.bluff
    yield (
        f"   {'Kuhn 1950':>10} {0:>10.5f} {-1 / 18:>+9.5f} {a:>7.3f}{3 * a:>7.3f} {a + 1 / 3:>7.3f} "
        f"{1 / 3:>7.3f} {1 / 3:>7.3f}"
    )
    yield ""
    yield (
        "   There is an equilibrium for each a up to 1/3: the first player bluffs with the jack with "
        "probability a, bets the king with 3a and calls with the queen with a + 1/3; the second player "
        "bluffs and calls a third of the time. The ratio of bluffs to bets makes the caller indifferent; it "
        "was learned, not programmed."
    )
    yield ""


def _payoffs() -> Iterator[str]:
    yield "4. Kuhn's poker: chips per deal (Long and others 2010)"
    yield ""
    yield " " * 25 + "against equilibrium   against best response"
    yield "   player          seat     ours  published         ours  published"
    for row in fusion.kuhn_payoffs():
        yield (
            f"   {row.name:<15} {('first', 'second')[row.seat]:<6} {row.equilibrium:>+6.3f} "
            f"{row.published[0]:>+10.3f} {row.guaranteed:>+12.3f} {row.published[1]:>+10.3f}"
        )
    yield ""
    yield (
        "   Sampling (Monte Carlo) breaks even against an equilibrium, which does not exploit it, and loses "
        "to an opponent that does: it never bluffs, since a bluff is called when the cards are open, so its "
        "bets reveal the card. Our figures are exact. -0.161 appears to be a mean over sampled deals. -0.083 "
        "results if the first player, for whom checking a king is as good as betting, calls with the queen "
        f"half the time ({fusion.tied_votes_payoff():+.3f}): of two deals one favours a call and one a fold, "
        "a tie if each deal has one vote; we add up the payoffs, and call."
    )
    yield ""


def _random_trees(trees: int) -> Iterator[str]:
    yield f"5. Random binary trees, MAX first and last, 5 deals: {trees} of each size"
    yield ""
    yield "   plies   right strategies   deals lost a tree"
    for plies in (1, 3, 5, 7, 9):
        right, lost = fusion.sampling_accuracy(plies, trees)
        yield f"   {plies:>5} {right:>18.1%} {lost:>19.2f}"
    yield ""
    yield (
        "   Published: the probability that sampling finds an optimal strategy tends to 0 as trees grow, "
        f"and in bridge it solves {fusion.BRIDGE:.0%} of a textbook's problems (Frank and others 1998). The "
        "leaves of our trees are independent; in trick-taking games, where neighbouring leaves have similar "
        "payoffs and each card played reveals information, sampling plays well (Long 2010)."
    )
