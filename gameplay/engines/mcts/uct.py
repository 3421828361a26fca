# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Phase 1, selection: the UCT formula, with RAVE, and PUCT.  Types: uct.pxd.

A node with N visits selects the move with the greatest

    mean + c * sqrt(log(N) / n)

where n is the move's visits and `mean` the mover's mean payoff in them, scaled to 0..1 by the least and the
greatest payoff so far, so that c is comparable between games (UCB1: Auer, Cesa-Bianchi and Fischer,
"Finite-time analysis of the multiarmed bandit problem", Machine Learning 47, 2002; in trees, UCT: Levente
Kocsis and Csaba Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006). Options extend it:

- `prior`: an estimate of the move (see expansion.py) enters the mean as `weight` visits.
- `rave`: all moves as first (AMAF): a move's mean over all simulations in which its player made it at any
  later time, before any other player did, counts too, with less weight the more often it was visited
  itself. With n visits of its own, including those of the prior, a visits of AMAF and the option k, the
  weight of the AMAF mean is a / (n + a + n a / k): Sylvain Gelly and David Silver, "Combining online and
  offline knowledge in UCT", ICML 2007, with the schedule of least error of their article in Artificial
  Intelligence 175, 2011 (1 / k stands for their 4 b^2).
- `fpu`, first-play urgency: the score of unvisited moves; 0: each is visited once first. Yizao Wang and
  Sylvain Gelly, "Modifications of UCT and sequence-like simulations for Monte-Carlo Go", CIG 2007.
- `widen`, progressive widening: only the first moves are candidates, more with more visits. Rémi Coulom,
  "Computing Elo ratings of move patterns in the game of Go", 2007.

With a learned policy, which gives the move the probability p, it is PUCT: the move with the greatest

    mean + c * p * sqrt(N) / (1 + n)

where the mean of an untried move is `fpu`, by default that of a draw, and means are scaled by the least and
the greatest payoff there is (David Silver and others, "Mastering the game of Go without human knowledge",
Nature 550, 2017; "A general reinforcement learning algorithm that masters chess, shogi, and Go through
self-play", Science 362, 2018).

At the root, where only the best move counts and not the payoffs on the way to it, `root=halving` selects by
sequential halving instead: each remaining move once, then the better half of them by their means, and so on
down to two; then all again. It needs no number of simulations in advance (Zohar Karnin, Tomer Koren and Oren
Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013; Dominic Sagers, Mark Winands and
Dennis Soemers, "Anytime sequential halving in Monte-Carlo tree search", CG 2024).
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython


if cython.compiled:
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.gameplay.value import HUGE
    from cython.cimports.libc.math import log, sqrt
else:
    from math import log, sqrt

    from gameplay.position import CHANCE
    from gameplay.value import HUGE


def select(tree, kernel, node):
    """Return the child to visit: by UCT for a player, at random for chance."""
    nodes = tree.arena.nodes
    tallies = tree.arena.tallies
    first: cython.int = nodes[node].first
    end: cython.int = first + nodes[node].count
    mover: cython.int = nodes[node].mover
    i: cython.int
    if tree.halving and node == 0:
        return select_by_halving(tree)
    if mover == CHANCE:
        u: cython.double = kernel.random_unit()
        for i in range(first, end):
            u -= nodes[i].odds
            if u < 0:
                return i
        return end - 1
    span: cython.double = 1.0 / (tree.max_seen - tree.min_seen) if tree.max_seen > tree.min_seen else 0.0
    shift: cython.double = tree.floor - tree.min_seen
    parent_visits: cython.double = tallies[node].visits - 1
    spread: cython.double = 0.0
    if parent_visits > 0:
        spread = tree.c * (sqrt(parent_visits) if tree.guided else sqrt(log(parent_visits)))
    if tree.widen and end > first + 1 + tree.widen * sqrt(parent_visits):
        end = first + 1 + cython.cast(cython.int, tree.widen * sqrt(parent_visits))
    best: cython.double = -HUGE
    chosen: cython.int = -1
    for i in range(first, end):
        if tallies[i].dominated:
            continue
        visits: cython.double = tallies[i].visits
        mean: cython.double = 0.0
        has_value: cython.bint = visits > 0
        if has_value:
            mean = (tallies[i].mean + shift) * span
        if tree.prior_visits:
            mean = (mean * visits + nodes[i].odds * tree.prior_visits) / (visits + tree.prior_visits)
            has_value = True
        if tree.rave and nodes[i].amaf_visits:
            others: cython.double = nodes[i].amaf_visits
            tried: cython.double = visits + tree.prior_visits
            weight: cython.double = others / (tried + others + tried * others / tree.rave)
            mean += weight * ((nodes[i].amaf_sum / others + shift) * span - mean)
            has_value = True
        if not has_value and not tree.fpu and not tree.guided:
            tree.selected_score = 0.0
            return i
        score: cython.double = mean if has_value else tree.fpu
        if tree.guided:
            score += spread * nodes[i].odds / (1.0 + visits)
        elif has_value:
            score += spread * tallies[i].inv_sqrt
        if score > best:
            best = score
            chosen = i
    tree.selected_score = best
    return chosen if chosen >= 0 else first


def select_by_halving(tree):
    """Return the next child of the root; `order` holds the remaining ones first, the best first."""
    tallies = tree.arena.tallies
    chosen: cython.int
    while True:
        while tree.place < tree.remaining:
            chosen = tree.order[tree.place]
            tree.place += 1
            if not tallies[chosen].dominated:
                tree.selected_score = tallies[chosen].mean
                return chosen
        sort_root(tree)
        if tallies[tree.order[0]].dominated:
            return tree.order[0]  # all are dominated: the root is about to be proved
        tree.place = 0
        tree.remaining = tree.moves_total if tree.remaining <= 2 else (tree.remaining + 1) // 2


def sort_root(tree):
    """Sort `order` by the means, the greatest first; dominated moves come last."""
    tallies = tree.arena.tallies
    i: cython.int
    for i in range(1, tree.moves_total):
        moved: cython.int = tree.order[i]
        at: cython.int = i
        while at and (
            tallies[tree.order[at - 1]].dominated > tallies[moved].dominated
            or (
                tallies[tree.order[at - 1]].dominated == tallies[moved].dominated
                and tallies[tree.order[at - 1]].mean < tallies[moved].mean
            )
        ):
            tree.order[at] = tree.order[at - 1]
            at -= 1
        tree.order[at] = moved
