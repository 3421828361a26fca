"""Imperfect information: the errors of searching open deals, better methods, and poker at equilibrium.

The trees and their exact values are in `lessons.fusion`; regrets are minimized by `search.cfr`. Every figure
is computed in the run.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from gameplay.engines.cfr.extensive import ExtensiveForm
from gameplay.engines.cfr.profile import Mixed
from gameplay.engines.cfr.training import Regrets
from gameplay.engines.ismcts.engine import Ismcts
from gameplay.games.tree import Tree
from gameplay.lessons import fusion
from gameplay.search.limit import Limit

ITERATIONS = (1, 10, 100, 1000, 10_000)
LEARNED = 2000  # iterations for the small trees
SIMULATIONS = 1000


@dataclass(frozen=True)
class Chosen:
    """What a method plays at MAX's first infoset of a tree, and its payoff against the best response."""

    name: str
    word: str
    guaranteed: float


def chosen(tree: Tree, infoset: str) -> list[Chosen]:
    """Three methods at the infoset called `known` of a tree; each plays the rest as it finds best."""
    leaves = fusion.endings(tree)
    words = next(one for one in ExtensiveForm(tree).infosets if one.known == (0, infoset)).words
    sampled = fusion.sampled(tree, 0)
    rows = [("deals searched open (pimc)", sampled)]
    searched: dict[Hashable, Sequence[float]] = {}
    for node in tree.nodes:
        if node.turn == 0 and node.infoset is not None and (0, node.infoset) not in searched:
            position = tree.initial()
            position.setup(" ".join(node.path()))
            move = Ismcts(seed=1).search(position, Limit(simulations=SIMULATIONS)).move
            searched[0, node.infoset] = [float(one == move) for one in range(len(node.branches))]
    rows.append((f"a tree of infosets (ismcts, {SIMULATIONS:,} deals)", searched))
    regrets = Regrets(ExtensiveForm(tree))
    regrets.iterate(LEARNED)
    average = regrets.average()
    rows.append(("regrets minimized (cfr)", first_of(average)))
    choices = []
    for name, strategy in rows:
        shares = strategy[0, infoset]
        word = words[max(range(len(words)), key=lambda move: shares[move])]
        choices.append(Chosen(name, word, fusion.guaranteed(leaves, 0, strategy)))
    return choices


def first_of(mixed: Mixed) -> dict[Hashable, Sequence[float]]:
    """The first player's part of a strategy, as `lessons.fusion` has it."""
    return {one.known: mixed.shares(one) for one in mixed.form.infosets if one.player == 0}


@dataclass(frozen=True)
class Stage:
    """Kuhn's poker after so many iterations: the first player's value, and how often moves are made."""

    iterations: int
    exploitability: float
    value: float
    bluff: float  # bet a jack
    bet: float  # bet a king
    call: float  # call with a queen
    others_bluff: float  # the second player: bet a jack after a check
    others_call: float  # ... call with a queen


def learned(variant: str = "cfr") -> list[Stage]:
    """How an equilibrium comes about. Kuhn's: a, 3a and a + 1/3 for any a up to 1/3; 1/3 and 1/3."""
    form = ExtensiveForm(fusion.kuhn())
    places = {one.known: one for one in form.infosets}
    asked = ((0, "J"), (0, "K"), (0, "Q-bet"), (1, "J-check"), (1, "Q-bet"))
    regrets, rows = Regrets(form, variant), []
    for count in ITERATIONS:
        regrets.iterate(count - regrets.iterations)
        average = regrets.average()
        shares = [average.shares(places[infoset])[1] for infoset in asked]  # of the second move: bet or call
        rows.append(Stage(count, average.exploitability(), average.values()[0], *shares))
    return rows


# -- telling ----------------------------------------------------------------------------------------


def lines(trees: int) -> Iterator[str]:
    """Fusion, locality, poker, and how the first goes on as trees grow."""
    yield from _figure()
    yield from _locality()
    yield from _equilibrium()
    yield from _published()
    yield from _grown(trees)


def _compared(tree: Tree, infoset: str) -> Iterator[str]:
    yield ""
    yield f"   {'who decides':<44} {'goes':<6} {'gets of the best opponent':>25}"
    for one in chosen(tree, infoset):
        yield f"   {one.name:<44} {one.word:<6} {one.guaranteed:>+25.2f}"
    yield ""


def _figure() -> Iterator[str]:
    tree = fusion.figure()
    leaves = fusion.endings(tree)
    infoset = (0, "start")
    values = fusion.believed(tree, 0)[infoset]
    moves = [branch.word for branch in tree.root.branches[0].branches]
    yield "1. Strategy fusion: five deals in one infoset of MAX; MIN knows which (Frank and others 1998)"
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
    yield "   move    believed by the sampling    truth"
    for move, word in enumerate(moves):
        truth = max(fusion.guaranteed(leaves, 0, one) for one in fusion.pure(leaves, 0) if one[infoset][move])
        yield f"   {word:<7} {values[move]:>24.1f} {truth:>8.1f}"
    sampled = fusion.sampled(tree, 0)
    word = moves[list(sampled[infoset]).index(1)]
    yield ""
    yield (
        f"   The sampling goes {word} and wins {5 * fusion.guaranteed(leaves, 0, sampled):.0f} deals of 5; "
        f"{5 * fusion.best(leaves, 0):.0f} can be won. In each deal one of a and b wins, so that it believes "
        "left to be won for sure; but a player who does not know the deal must choose alike in all of them. "
        "More deals searched change nothing. A tree whose nodes are infosets has one place for all five."
    )
    yield from _compared(tree, "start")


def _locality() -> Iterator[str]:
    tree = fusion.locality()
    values = fusion.believed(tree, 0)[0, "asked"]
    yield "2. Non-locality: two deals, as likely, and MIN, who sees the deal, moves first"
    yield ""
    for deal, stop, bet in (("good", "-1", "+2"), ("bad", "+1", "-1")):
        yield f"   {deal} deal: MIN"
        yield f"   |- stop: {stop}"
        yield f"   `- go: MAX, bet {bet}, pass 0"
    yield ""
    yield (
        f"   Asked, MAX takes both deals for as likely as they were: bet {values[0]:+.1f}, pass "
        f"{values[1]:+.1f}. But MIN stops wherever a bet would win, and goes on in the bad deal only. What a "
        "move is worth depends on a part of the tree that no search from here looks at: a tree of infosets "
        "deals as wrongly. Minimizing regrets starts at the root."
    )
    yield from _compared(tree, "asked")


def _equilibrium() -> Iterator[str]:
    yield "3. Kuhn's poker, from the rules to an equilibrium, by regrets (CFR, Zinkevich and others 2007)"
    yield ""
    yield "   Jack, queen, king; a card each, an ante, one bet of one chip. At first all moves are alike."
    yield ""
    yield "                exploit-  value of    first: how often       second"
    yield "   iterations    ability     first   J bet  K bet  Q call   J bet  Q call"
    for one in learned():
        yield (
            f"   {one.iterations:>10,} {one.exploitability:>10.5f} {one.value:>+9.5f} {one.bluff:>7.3f}"
            f"{one.bet:>7.3f} {one.call:>7.3f} {one.others_bluff:>7.3f} {one.others_call:>7.3f}"
        )
    a = one.bluff
    yield (
        f"   {'Kuhn 1950':>10} {0:>10.5f} {-1 / 18:>+9.5f} {a:>7.3f}{3 * a:>7.3f} {a + 1 / 3:>7.3f} "
        f"{1 / 3:>7.3f} {1 / 3:>7.3f}"
    )
    yield ""
    yield (
        "   There are many equilibria, one for each a up to 1/3: the first player bluffs with the jack at "
        "odds a, bets the king at 3a and calls with the queen at a + 1/3; the second bluffs and calls a "
        "third of the time. Bluffs and bets are in the proportion that makes the caller indifferent; "
        "this was learned, not programmed."
    )
    yield ""


def _published() -> Iterator[str]:
    yield "4. Kuhn's poker: chips a deal (Long and others 2010)"
    yield ""
    yield "                          of an equilibrium      of the best opponent"
    yield "   player          seat     ours  published         ours  published"
    for one in fusion.earnings():
        yield (
            f"   {one.name:<15} {('first', 'second')[one.seat]:<6} {one.equilibrium:>+6.3f} "
            f"{one.published[0]:>+10.3f} {one.guaranteed:>+12.3f} {one.published[1]:>+10.3f}"
        )
    yield ""
    yield (
        "   The sampling (Monte Carlo) holds its own against an equilibrium, which does not exploit it, and "
        "loses to who does: it never bluffs, since a bluff is called when cards lie open, so that its bets "
        "reveal the card. Ours are exact. -0.161 looks like a mean of deals played. -0.083 comes out "
        "if the first player, who may as well check a king, calls with the queen half the time "
        f"({fusion.half_called():+.3f}): of two deals one says call and one fold, a draw if deals vote; we "
        "add up what they pay, and call."
    )
    yield ""


def _grown(trees: int) -> Iterator[str]:
    yield f"5. Random trees, two moves each, MAX first and last, 5 deals: {trees} of each size"
    yield ""
    yield "   plies   right strategies   deals lost a tree"
    for plies in (1, 3, 5, 7, 9):
        right, lost = fusion.share_right(plies, trees)
        yield f"   {plies:>5} {right:>18.1%} {lost:>19.2f}"
    yield ""
    yield (
        "   Published: the chance of the sampling to find a best strategy goes to nothing as trees grow, and "
        f"in Bridge it solves {fusion.BRIDGE:.0%} of a textbook's problems (Frank and others 1998). Ours are "
        "other trees, whose leaves have nothing to do with one another; in trick-taking games, where "
        "neighbouring leaves are alike and each card played reveals something, it plays well (Long 2010)."
    )
