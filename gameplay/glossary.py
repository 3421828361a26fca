"""The glossary: terms of panels, reports and help, for `gameplay glossary` and docs/glossary.md.

`python -m gameplay.glossary > docs/glossary.md` writes the page.
"""

from gameplay.errors import Usage, unknown_name

# A term, its synonyms, and its definition.
TERMS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "accuracy",
        (),
        "How close a player's moves came to the best ones, from 0 to 100 %, in a review: the mean over "
        "all moves that had an alternative. It falls with the expected points that each of them cost.",
    ),
    (
        "adjudicate",
        (),
        "To end a game before the rules do, because its result is clear. The report of a match names the "
        "rule: resignation, draw, or an exact result.",
    ),
    (
        "admissible",
        (),
        "Of a heuristic: it never overestimates the remaining cost. With an admissible heuristic the "
        "first solution that IDA* or A* finds is optimal.",
    ),
    (
        "alpha-beta",
        ("alphabeta", "alpha", "beta"),
        "Minimax that skips moves which cannot change the result. Alpha is the value that the mover has "
        "already secured, beta the value above which the opponent avoids the position.",
    ),
    (
        "AND/OR tree",
        ("OR node", "AND node", "OR", "AND", "attacker", "defender"),
        "A game tree that answers one question: can the attacker win? At an OR node the attacker moves, "
        "and one winning move is enough; at an AND node the defender moves, and every move must be "
        "answered.",
    ),
    (
        "aspiration window",
        ("aspiration",),
        "A narrow window around the value of the last iteration, searched first because narrow windows "
        "cut off more. If the value lies outside, the search is repeated with a wider one.",
    ),
    (
        "best-reply search",
        ("brs",),
        "Search for more than two players in which only one opponent replies, with the reply that is "
        "worst for the mover. It searches deeper than max^n and paranoid search at the same cost.",
    ),
    (
        "beta cutoff",
        ("beta cuts", "cutoff", "beta cutoffs", "alpha cutoff", "deep cutoff"),
        "Ending the search of a node early because a move reaches beta, so the opponent will avoid the "
        "position; `beta cuts` counts these nodes. Where values are from MAX's point of view, it is an "
        "alpha cutoff at a MIN node; it is deep if the bound comes from more than one ply up.",
    ),
    (
        "bound",
        ("lower bound", "upper bound", "at least", "at most"),
        "A limit on a value that is not known exactly: a lower bound (at least) or an upper bound (at "
        "most). A search that fails high or low returns a bound.",
    ),
    (
        "branching factor",
        ("branching", "effective branching factor"),
        "The factor by which each further ply multiplies the nodes. Reports show the effective branching "
        "factor, nodes to the power of 1 / depth: the lower, the better the pruning.",
    ),
    (
        "chance node",
        ("chance",),
        "A position decided by dice or cards. Its value is the mean over the outcomes, weighted by their "
        "probability.",
    ),
    (
        "continuation history",
        ("continuation",),
        "The history heuristic, kept separately for each preceding move. It learns which replies work.",
    ),
    (
        "counterfactual regret minimization",
        ("cfr", "regret", "regrets", "cfr+"),
        "Self-play that learns strategies for games of imperfect information. The regret of a move sums "
        "up how much more it would have gained than the strategy played; moves are chosen in proportion "
        "to their positive regrets, and the average strategy converges to an equilibrium.",
    ),
    (
        "countermove",
        (),
        "The move that refuted the opponent's last move elsewhere in the tree. It is tried early, "
        "because it often refutes that move again.",
    ),
    (
        "deal",
        ("deals", "determinization"),
        "A position from the player's information set: the real one with the hidden information sampled "
        "at random. Searches of imperfect-information games see only such positions.",
    ),
    (
        "delta pruning",
        ("delta",),
        "Skipping a capture in quiescence search whose gain cannot raise the evaluation to alpha. It "
        "saves nodes where one side is far behind.",
    ),
    (
        "depth",
        ("plies ahead",),
        "The number of plies searched by the last complete iteration, dice rolls not counted. Quiescence "
        "and extensions may search further, see seldepth.",
    ),
    (
        "Elo",
        (),
        "A scale of strength on which a difference gives the expected score: +100 is 64 %, +200 is 76 %. "
        "It is always relative to opponents, and means little without its interval.",
    ),
    (
        "endgame tables",
        ("tables", "tablebase", "syzygy"),
        "Precomputed exact values of all positions with few pieces.",
    ),
    (
        "equilibrium",
        ("best response", "nash equilibrium"),
        "Strategies of all players from which no player gains by deviating alone. A best response is the "
        "strategy that maximizes a player's payoff against those of the others.",
    ),
    (
        "equity",
        (),
        "The expected points of a backgammon position. +0.35 means an average gain of about a third of a "
        "point from there.",
    ),
    (
        "exact",
        (),
        "A value proved by the search or a table: every line was searched to its end. Everything else is "
        "an evaluation at a limited depth.",
    ),
    (
        "expanded",
        ("expand", "generated"),
        "Of a position: its moves were generated, and with them its successors. Single-agent searches "
        "report how many positions they expanded and how many they generated.",
    ),
    (
        "expectation",
        (),
        "A mean of payoffs over dice, deals or simulations, written as a decimal. In games without "
        "points a win counts 1 and a loss -1.",
    ),
    (
        "expected points",
        ("inaccuracy", "mistake", "blunder"),
        "The expected score of the player to move: 1 is a win, 0.5 a draw, 0 a loss. A move that costs "
        "0.05 of them is an inaccuracy, ?!; 0.10 a mistake, ?; 0.15 a blunder, ??.",
    ),
    (
        "exploitability",
        ("nashconv", "nash_conv"),
        "The average gain from switching to the best response against the strategies of the others; 0 at "
        "an equilibrium. NashConv is the sum of the gains of all players.",
    ),
    (
        "extension",
        ("extend", "singular extension", "singular"),
        "Searching a move deeper than others because it is forcing, as a check is. A singular move, "
        "better than all others by a margin, is extended too.",
    ),
    (
        "first-move share",
        ("first move",),
        "The share of beta cutoffs caused by the first move tried. It measures move ordering: above 90 % "
        "is good.",
    ),
    (
        "futility pruning",
        ("futility",),
        "Skipping quiet moves near the leaves that cannot raise the evaluation to alpha. The margin is "
        "more than a quiet move usually gains.",
    ),
    (
        "gammon",
        ("backgammon",),
        "A game of backgammon won before the loser has borne off a checker; it counts twice. A "
        "backgammon, with a checker of the loser still on the bar or in the winner's home board, counts "
        "three times.",
    ),
    (
        "group",
        (),
        "The games of one opening with the same dice, one for each seating: a pair for two players, n "
        "games for n players. Statistics count a group as one observation, because its games share their "
        "luck.",
    ),
    (
        "heuristic",
        ("estimate",),
        "In a puzzle, a lower bound on the remaining cost; it is consistent if no move lowers it by more "
        "than the move costs. `heuristic=` selects one of the game's heuristics.",
    ),
    (
        "history",
        ("history heuristic",),
        "Trying first the quiet moves that caused beta cutoffs anywhere in the tree. Deep cutoffs count "
        "more.",
    ),
    (
        "infoset",
        ("information set",),
        "Information set: all positions that a player cannot distinguish by what they have observed. In "
        "a game of perfect information it is the position alone.",
    ),
    (
        "iterative deepening",
        ("iteration",),
        "Searching one ply deep, then two, and so on until the limit. The time lost is small, because "
        "each iteration gives the next a better move ordering.",
    ),
    (
        "killer",
        ("killer move",),
        "A quiet move that caused a beta cutoff at the same ply elsewhere. It is tried before other "
        "quiet moves.",
    ),
    (
        "late move pruning",
        ("late",),
        "Skipping quiet moves near the leaves that come late in the move ordering. It relies on the "
        "ordering, and gives up the exact minimax value for depth.",
    ),
    (
        "late move reductions",
        ("LMR", "reduce"),
        "Searching late quiet moves less deep, and again at full depth if they turn out better than "
        "expected. It is among the strongest techniques of selective search.",
    ),
    (
        "leaf",
        (),
        "A position where the search stops and evaluates. With quiescence it is reached only when no "
        "noisy move is left to try.",
    ),
    (
        "likelihood of superiority",
        ("LOS",),
        "The probability that the first player is stronger, given the results. 95 % or more is commonly "
        "considered significant.",
    ),
    (
        "line",
        ("lines", "pv", "principal variation"),
        "The principal variation (PV): the moves that both sides are expected to play, the best move "
        "first. Several lines are shown by multipv.",
    ),
    (
        "LLR",
        ("log-likelihood ratio",),
        "The logarithm of the likelihood ratio of the two hypotheses of an SPRT. The test ends when it "
        "reaches the upper bound (H1 accepted) or the lower one (H0 accepted).",
    ),
    (
        "match",
        (),
        "Several games between the same players with one result: play --match. Examples are the best of "
        "N games, poker hands with the chips carried over, games to a number of points, and boards of "
        "bridge.",
    ),
    (
        "mate distance pruning",
        ("mates",),
        "Cutting lines that are longer than a win already found. It changes no value.",
    ),
    (
        "max^n",
        ("maxn",),
        "Minimax for any number of players: each maximizes their own payoff, and a value is one number "
        "per player. For two players of a zero-sum game it is minimax.",
    ),
    (
        "memory",
        ("open list", "closed"),
        "The bytes used by the stored positions of a search: the open list has those still to be "
        "expanded, the closed list the others. A* stops when its option `memory` is used up.",
    ),
    (
        "minimax",
        (),
        "Search of every move and every reply: the mover takes the maximum, the opponent the minimum. "
        "The other tree searches here are compared with it.",
    ),
    (
        "most-proving node",
        ("most-proving",),
        "The leaf that contributes to both the proof number and the disproof number of the root. It is "
        "reached by following the child with the least proof number at OR nodes, and the least disproof "
        "number at AND nodes.",
    ),
    (
        "move ordering",
        ("order",),
        "The order in which moves are searched. The better the first move, the more alpha-beta cuts off.",
    ),
    (
        "MTD(f)",
        ("mtdf",),
        "Search by null windows only: each returns a lower or an upper bound, and the next window is set "
        "at that bound, until both bounds meet. The transposition table keeps the results of earlier "
        "passes.",
    ),
    (
        "multipv",
        ("candidates",),
        "The number of best moves that a search reports, each with its value and line. More than one "
        "costs time.",
    ),
    (
        "node",
        ("nodes", "positions"),
        "A position visited by the search. `nodes` counts them, the root and the leaves included.",
    ),
    (
        "non-locality",
        (),
        "An error of searching sampled deals: opponents with better information may avoid the position "
        "in some of the deals, so the value of a move depends on parts of the tree outside its subtree.",
    ),
    (
        "normalized Elo",
        ("nElo",),
        "Elo measured in standard deviations of the results of pairs instead of the mean score alone. "
        "The same value takes the same number of games to detect, whatever the draw rate.",
    ),
    (
        "nps",
        ("nodes per second", "/s"),
        "Nodes per second, the speed of the search. It is low in the first short search of a game, which "
        "initializes the transposition table.",
    ),
    (
        "null move",
        ("null", "null move pruning"),
        "Letting the opponent move twice: if the position is still good enough, the search cuts off. It "
        "fails in zugzwang, and is verified deep in the tree.",
    ),
    (
        "null window",
        ("empty window", "zero window"),
        "A window without values between alpha and beta. It only tests whether a move is better than the "
        "best so far, which is cheap.",
    ),
    (
        "paranoid search",
        ("paranoid",),
        "Search for more than two players that treats all others as one opponent of the root player. It "
        "prunes like alpha-beta, and is too pessimistic where the others do not cooperate.",
    ),
    (
        "pattern database",
        ("pattern",),
        "Exact distances for a subset of a puzzle's tiles, computed once and looked up. If the subsets "
        "are disjoint, their distances may be added, and the sum is admissible.",
    ),
    (
        "pentanomial",
        (),
        "Counting results by pairs of games with the same opening and sides swapped: five outcomes from "
        "two losses to two wins. Its error estimates are correct, where counting single games "
        "overestimates the errors.",
    ),
    (
        "ply",
        ("plies",),
        "A move by one side. Two plies are one full move in chess; dice rolls are not counted.",
    ),
    (
        "proof number",
        ("proof", "disproof", "disproof number", "pn", "dn", "pns", "df-pn", "proof-number search"),
        "The least number of leaves that must be proved to prove a win; the disproof number is the least "
        "number that must be disproved to disprove it. Proof-number search expands the node where these "
        "numbers are least, until one of them is 0 at the root.",
    ),
    (
        "PVS",
        ("principal variation search",),
        "Searching all moves but the first with a null window, and again with the full window if they "
        "turn out better. With good move ordering this is rare.",
    ),
    (
        "quiescence",
        ("quiet", "noisy", "stand pat"),
        "Searching noisy moves, such as captures, beyond the depth until the position is quiet. A static "
        "evaluation in the middle of an exchange is unreliable.",
    ),
    (
        "reverse futility pruning",
        ("static null move",),
        "Stopping at a node whose static evaluation is so far above beta that a quiet move will not "
        "bring it back. It is used near the leaves only.",
    ),
    (
        "SEE",
        ("static exchange evaluation", "exchange"),
        "Static exchange evaluation: the net gain of a capture when both sides recapture on that square "
        "as long as it pays. Losing captures are searched last, or not at all.",
    ),
    (
        "seldepth",
        ("selective", "selective depth"),
        "The deepest ply reached, quiescence and extensions included. It is shown where it exceeds the "
        "depth.",
    ),
    (
        "simulation",
        ("simulations", "visits"),
        "One iteration of Monte Carlo tree search: from the root to a leaf, valued by a playout or an "
        "evaluation. `visits` counts them.",
    ),
    (
        "SPRT",
        (),
        "Sequential probability ratio test: games are played until they decide between two hypotheses of "
        "strength. It needs fewer games than a match of fixed length.",
    ),
    (
        "Star1, Star2",
        ("star1", "star2", "star", "star cuts", "prune"),
        "Pruning at chance nodes (Ballard 1983): the outcomes not yet searched lie within known bounds, "
        "and so does the mean. Star2 first probes one move of each outcome for closer bounds; `Star "
        "cuts` counts the chance nodes cut off by each.",
    ),
    (
        "static evaluation",
        ("evaluation", "eval"),
        "The estimated value of a position without search. Each game has its own; `eval=` selects another.",
    ),
    (
        "strategy fusion",
        ("fusion",),
        "An error of searching sampled deals with open cards: it assumes a different move in each deal "
        "where the player, who cannot distinguish them, must choose the same. Sampling more deals does "
        "not fix it.",
    ),
    (
        "threshold",
        ("thresholds",),
        "In IDA*, the maximum cost of a solution in this iteration, estimate included; if none is found, "
        "the search restarts with the next threshold. In proof-number search, the number at which a node "
        "is left because another one has become more promising; as an option of `selective`, reverse "
        "futility pruning.",
    ),
    (
        "transposition table",
        ("TT", "table", "hits", "fill", "found", "full"),
        "A hash table of searched positions, so that a position reached by another move order is not "
        "searched again. Reports show the share of lookups that hit, and how full the table is.",
    ),
    (
        "UCT",
        ("Monte Carlo tree search", "MCTS"),
        "Monte Carlo tree search that selects moves by their mean result plus an exploration bonus for "
        "rarely tried moves. `c` sets the weight of exploration.",
    ),
    (
        "unit",
        (),
        "The unit of a game's values: pawns, discs, points. A value of +0.35 in chess is about a third "
        "of a pawn.",
    ),
    (
        "value",
        ("score", "known"),
        "How good the position is, and for which side. A win is counted in plies, an evaluation is given "
        "in the game's unit.",
    ),
    (
        "window",
        (),
        "The interval between alpha and beta. Values outside it are only known as bounds.",
    ),
)


def definition(term: str) -> str:
    """The entry of a term or of one of its synonyms. Raises Usage for an unknown term."""
    wanted = term.lower().strip()
    for name, synonyms, text in TERMS:
        if wanted in (name.lower(), *map(str.lower, synonyms)):
            return f"{name}{_parenthesize(synonyms)}: {text}"
    names = [word for name, synonyms, _ in TERMS for word in (name, *synonyms)]
    raise Usage(unknown_name("term", term, names, "gameplay glossary"))


def markdown() -> str:
    """The text of docs/glossary.md."""
    intro = "The terms of panels, reports and help; `gameplay glossary WORD` shows one."
    lines = ["# Glossary", "", intro, ""]
    for name, synonyms, text in TERMS:
        lines += [f"**{name}**{_parenthesize(synonyms)}: {text}", ""]
    return "\n".join(lines)


def _parenthesize(synonyms: tuple[str, ...]) -> str:
    return f" ({', '.join(synonyms)})" if synonyms else ""


if __name__ == "__main__":
    print(markdown(), end="")
