"""The words that panels, reports and help use, each in two sentences: `gameplay words`, docs/words.md.

`python -m gameplay.glossary > docs/words.md` writes the page.
"""

from gameplay.errors import Usage, unknown

# A word, what else it is called, and what it means.
WORDS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "accuracy",
        (),
        "How near somebody's moves came to the best ones, from 0 to 100 %, as a review tells it. It is "
        "the mean over all moves that had an alternative, and falls with the expected points that each "
        "of them cost.",
    ),
    (
        "adjudicate",
        (),
        "To end a game before the rules do, because its result is clear. A match says by which rule"
        " it adjudicated: resignation, draw, or an exact result.",
    ),
    (
        "admissible",
        (),
        "Of a heuristic: it never overestimates the cost of the rest of the way. With an admissible "
        "heuristic the first solution that IDA* or A* finds is optimal.",
    ),
    (
        "alpha-beta",
        ("alphabeta", "alpha", "beta"),
        "Minimax that leaves out moves which cannot change the result. Alpha is what the mover is "
        "sure of already, beta what the opponent will not let them exceed.",
    ),
    (
        "AND/OR tree",
        ("OR node", "AND node", "OR", "AND", "attacker", "defender"),
        "A game as a yes or no: can the attacker win? At an OR node the attacker moves, and one move that "
        "wins is enough; at an AND node the defender does, and every move has to be answered.",
    ),
    (
        "aspiration window",
        ("aspiration",),
        "A narrow window round the value of the last iteration, searched first because narrow "
        "windows cut off more. If the value lies outside, the search is repeated with a wider one.",
    ),
    (
        "best-reply search",
        ("brs",),
        "Search for more than two players that lets only one opponent answer, the one whose answer is"
        " worst for the mover. It looks further ahead than max^n and paranoid search at the same "
        "cost.",
    ),
    (
        "beta cutoff",
        ("beta cuts", "cutoff", "beta cutoffs", "alpha cutoff", "deep cutoff"),
        "A move so good that the opponent will not allow the position, so that its other moves need"
        " not be searched. `beta cuts` counts the nodes where that happened. Where values are MAX's "
        "throughout, it is an alpha cutoff at a MIN node; deep, if the better choice is more than a ply up.",
    ),
    (
        "bound",
        ("lower bound", "upper bound", "at least", "at most"),
        "What is known of a value that is not exact: a lower bound says at least, an upper bound at"
        " most. A search that fails high or low leaves a bound.",
    ),
    (
        "branching factor",
        ("branching", "effective branching factor"),
        "By how many times each further ply multiplies the nodes. Reports show the effective one, "
        "nodes to the power of 1 / depth: the lower, the better the pruning.",
    ),
    (
        "chance node",
        ("chance",),
        "A position where dice or cards decide. Its value is the mean over the outcomes, weighed by"
        " their probability.",
    ),
    (
        "continuation history",
        ("continuation",),
        "The history heuristic, kept separately for each move that was answered. It learns which "
        "replies work.",
    ),
    (
        "counterfactual regret minimization",
        ("cfr", "regret", "regrets", "cfr+"),
        "Everybody plays against everybody, and each move's regret sums up what it would have brought "
        "more than what was played. Moves are made in the proportion of their regrets; the average of "
        "the strategies comes to an equilibrium.",
    ),
    (
        "countermove",
        (),
        "The move that refuted the opponent's last move elsewhere in the tree. It is tried early, "
        "because it often refutes that move here too.",
    ),
    (
        "deal",
        ("deals", "determinization"),
        "A position that a player cannot tell from the real one, with what is hidden filled in by "
        "lot. Searches of games with secrets see such positions alone.",
    ),
    (
        "delta pruning",
        ("delta",),
        "Leaving out a capture in quiescence search whose gain cannot lift the evaluation to alpha."
        " It saves nodes where one side is far behind.",
    ),
    (
        "depth",
        ("plies ahead",),
        "How many plies the last finished search looked ahead, throws of dice not counted. Quiescence "
        "and extensions may look further, see seldepth.",
    ),
    (
        "Elo",
        (),
        "A scale of strength on which a difference tells the expected score: +100 is 64 %, +200 is "
        "76 %. It is always relative to opponents, and means little without its interval.",
    ),
    (
        "endgame tables",
        ("tables", "tablebase", "syzygy"),
        "Positions with few pieces, solved completely and stored. A value by the tables is exact.",
    ),
    (
        "equilibrium",
        ("best response", "nash equilibrium"),
        "Strategies of all players of which nobody's alone could be changed for a better one. A best "
        "response is the strategy that gets most out of those of the others.",
    ),
    (
        "equity",
        (),
        "What a position of backgammon is worth, in points, on average over all dice. +0.35 means to "
        "win about a third of a point a game from there.",
    ),
    (
        "exact",
        (),
        "A value that is the game's own, because every line was seen to its end. Everything else is"
        " an evaluation at a limited depth.",
    ),
    (
        "expanded",
        ("expand", "generated"),
        "Of a position: its moves were looked at, and the positions that they lead to are "
        "generated. A search of a way tells how many it expanded and how many it generated.",
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
        "What a position promises whoever moves: 1 is a win, 0.5 a draw, 0 a loss. A move that costs "
        "0.05 of them is an inaccuracy, ?!; 0.10 a mistake, ?; 0.15 a blunder, ??.",
    ),
    (
        "exploitability",
        ("nashconv", "nash_conv"),
        "What a player could gain on average by the best response to the strategies of the others; 0 "
        "at an equilibrium. NashConv is the sum of what all could gain.",
    ),
    (
        "extension",
        ("extend", "singular extension", "singular"),
        "Searching a move deeper than others because it forces matters, as a check does. A singular"
        " move, better than all others by a margin, is extended too.",
    ),
    (
        "first-move share",
        ("first move",),
        "The share of beta cutoffs made by the first move tried. It measures move ordering: above "
        "90 % is good.",
    ),
    (
        "futility pruning",
        ("futility",),
        "Leaving out quiet moves near the leaves that cannot lift the evaluation to alpha. The "
        "margin is what a quiet move seldom changes.",
    ),
    (
        "gammon",
        ("backgammon",),
        "A game of backgammon won before the loser has borne off a man; it counts twice. A "
        "backgammon, with a man of the loser still on the bar or in the winner's home, counts three "
        "times.",
    ),
    (
        "group",
        (),
        "The games of one opening with the same dice, one with each seating: two are a pair, in a "
        "game for n there are n. Statistics count a group as one observation, because its games share"
        " their luck.",
    ),
    (
        "heuristic",
        ("estimate",),
        "In a puzzle, a rule that says what the rest of the way costs at least; it is "
        "consistent if no move lowers it by more than the move costs. `heuristic=` names one of"
        " those that the game offers.",
    ),
    (
        "history",
        ("history heuristic",),
        "Trying first the quiet moves that caused beta cutoffs anywhere in the tree. Deep cutoffs "
        "count more.",
    ),
    (
        "infoset",
        ("information set",),
        "All positions that a player cannot tell apart by what they have seen. In a game without "
        "secrets it is the position alone.",
    ),
    (
        "iterative deepening",
        ("iteration",),
        "Searching one ply deep, then two, and so on until the limit. The time lost is small, "
        "because each iteration gives the next a better move ordering.",
    ),
    (
        "killer",
        ("killer move",),
        "A quiet move that caused a beta cutoff at the same ply elsewhere. It is tried before other"
        " quiet moves.",
    ),
    (
        "late move pruning",
        ("late",),
        "Leaving out quiet moves near the leaves that come late in the move ordering. It trusts the"
        " ordering, and gives up the exact value of minimax for depth.",
    ),
    (
        "late move reductions",
        ("LMR", "reduce"),
        "Searching late quiet moves less deep, and again in full if they turn out better than "
        "expected. It is among the strongest techniques of selective search.",
    ),
    (
        "leaf",
        (),
        "A position where the search stops and evaluates. With quiescence it is reached only when "
        "no noisy move is left to try.",
    ),
    (
        "likelihood of superiority",
        ("LOS",),
        "How probable it is that the first player is stronger, given the results. 95 % and more is "
        "usually taken for an answer.",
    ),
    (
        "line",
        ("lines", "pv", "principal variation"),
        "The principal variation (PV): the moves that both sides are expected to play, the best "
        "move first. Several lines are shown by multipv.",
    ),
    (
        "LLR",
        ("log-likelihood ratio",),
        "How strongly the games speak for one of two hypotheses of an SPRT. The test ends when it "
        "reaches the upper bound (H1 accepted) or the lower one (H0 accepted).",
    ),
    (
        "mate distance pruning",
        ("mates",),
        "Leaving out lines that are longer than a win already found. It changes no value.",
    ),
    (
        "max^n",
        ("maxn",),
        "Minimax for any number of players: everybody chooses what is best for themselves, and a "
        "value is one number for each player. For two whose gains cancel it is minimax.",
    ),
    (
        "memory",
        ("open list", "closed"),
        "Bytes that a search takes for the positions it keeps: the open list, which are still "
        "to be expanded, and those that are. A* ends where its option `memory` is used up.",
    ),
    (
        "minimax",
        (),
        "Looking at every move and every answer: the mover takes the best, the opponent the worst "
        "for them. All tree searches here are measured against it.",
    ),
    (
        "most-proving node",
        ("most-proving",),
        "The leaf that counts for the proof number of the root and for its disproof number. It is found by "
        "going down to the child with the least proof number at OR nodes, and the least disproof number at "
        "AND nodes.",
    ),
    (
        "move ordering",
        ("order",),
        "The order in which moves are tried. The better the first, the more alpha-beta cuts off.",
    ),
    (
        "MTD(f)",
        ("mtdf",),
        "Search by null windows alone: each tells that the value is at least or at most something, "
        "and the next asks there, until both meet. The table keeps what the searches have in common.",
    ),
    (
        "multipv",
        ("candidates",),
        "How many of the best moves a search reports, each with its value and line. More than one "
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
        "An error of searches that begin at the position: others, who know more, do not let every "
        "deal come so far. What a move is worth then depends on a part of the tree that is not below "
        "it.",
    ),
    (
        "normalized Elo",
        ("nElo",),
        "Elo that is measured in the spread of the results of pairs instead of their mean score alone. "
        "The same number of it takes the same number of games to show, whatever the share of draws.",
    ),
    (
        "nps",
        ("nodes per second", "/s"),
        "Nodes a second, the speed of the search, which says nothing of how well they were chosen. It is low "
        "in the first short search of a game, which waits for the memory of the table.",
    ),
    (
        "null move",
        ("null", "null move pruning"),
        "Letting the opponent move twice: if the position is still good enough, the search cuts "
        "off. It fails in zugzwang, and is verified deep in the tree.",
    ),
    (
        "null window",
        ("empty window", "zero window"),
        "A window with nothing between alpha and beta. It only asks whether a move is better than "
        "the best so far, which is cheap.",
    ),
    (
        "paranoid search",
        ("paranoid",),
        "Search for more than two players that takes all others for one enemy of the player at the "
        "root. It prunes like alpha-beta, and is too careful where the others do not cooperate.",
    ),
    (
        "pattern database",
        ("pattern",),
        "Exact distances of a part of a puzzle's tiles, computed once and looked up. Where the parts "
        "share no tile their distances may be added, and the sum is admissible.",
    ),
    (
        "pentanomial",
        (),
        "Counting results by pairs of games with the same opening and sides swapped: five outcomes "
        "from two losses to two wins. Its errors are right where counting single games exaggerates "
        "them.",
    ),
    (
        "ply",
        ("plies",),
        "A move by one side. Two plies are what chess players call a move; a throw of dice is none.",
    ),
    (
        "proof number",
        ("proof", "disproof", "disproof number", "pn", "dn", "pns", "df-pn", "proof-number search"),
        "The fewest leaves of a tree that would have to be won to prove that a side wins; the disproof "
        "number is the fewest to disprove it. Proof-number search goes where they are least, until "
        "one of them is 0.",
    ),
    (
        "PVS",
        ("principal variation search",),
        "Searching all moves but the first with a null window, and again in full those that turn "
        "out better. With good move ordering that is seldom.",
    ),
    (
        "quiescence",
        ("quiet", "noisy", "stand pat"),
        "Searching noisy moves, such as captures, beyond the depth until the position is quiet. An "
        "evaluation in the middle of an exchange is worth nothing.",
    ),
    (
        "reverse futility pruning",
        ("static null move",),
        "Stopping at a node whose static evaluation is so far above beta that a quiet move will not"
        " bring it back. It is used near the leaves only.",
    ),
    (
        "SEE",
        ("static exchange evaluation", "exchange"),
        "What is left of a capture when both sides have taken all they can on that square. Captures"
        " that lose material are tried last, or not at all.",
    ),
    (
        "seldepth",
        ("selective", "selective depth"),
        "The deepest ply that the search has seen, quiescence and extensions included. It is shown "
        "where it exceeds the depth.",
    ),
    (
        "simulation",
        ("simulations", "visits"),
        "One game played to its end by Monte Carlo tree search. `visits` counts them.",
    ),
    (
        "SPRT",
        (),
        "Sequential probability ratio test: it plays until the games decide between two hypotheses "
        "of strength. It needs fewer games than a match of fixed length.",
    ),
    (
        "Star1, Star2",
        ("star1", "star2", "star", "star cuts", "prune"),
        "Pruning where dice decide (Ballard 1983): the outcomes not yet searched lie within known bounds, "
        "and so does the mean. Star2 first probes one move of each outcome for closer bounds; `Star cuts` "
        "counts the throws that each of them cut off.",
    ),
    (
        "static evaluation",
        ("evaluation", "eval"),
        "What a position looks worth without searching. Each game has its own; `eval=` names another.",
    ),
    (
        "strategy fusion",
        ("fusion",),
        "An error of searching deals as if all lay open: it counts on another move in each deal where "
        "the player, who cannot tell them apart, must make the same. More deals do not mend it.",
    ),
    (
        "threshold",
        ("thresholds",),
        "In IDA*, what a way may cost at most, estimate included; where no goal lies within, "
        "the search begins anew with the next. In proof-number search, the number at which a node is left, "
        "since another one counts for less; as an option of `selective`, reverse futility pruning.",
    ),
    (
        "transposition table",
        ("TT", "table", "hits", "fill", "found", "full"),
        "A memory of positions already searched, which also finds them when they are reached by "
        "other moves. Reports show how many lookups found their position, and how full it is.",
    ),
    (
        "UCT",
        ("Monte Carlo tree search", "MCTS"),
        "A search that plays simulations and chooses, at each node, by the mean result and how "
        "seldom a move was tried. `c` says how much it explores.",
    ),
    (
        "unit",
        (),
        "What the game counts a value in: pawns, discs, points. A value of +0.35 in chess is about "
        "a third of a pawn.",
    ),
    (
        "value",
        ("score", "known"),
        "How good the position is, with the side named that is better. A win is counted in plies, "
        "an evaluation in the game's unit.",
    ),
    (
        "window",
        (),
        "The values between alpha and beta that still matter. What lies outside is only known as a bound.",
    ),
)


def meaning(word: str) -> str:
    """What a word means, after the word itself. Raises Usage, listing those that there are, for another."""
    wanted = word.lower().strip()
    for name, also, text in WORDS:
        if wanted in (name.lower(), *map(str.lower, also)):
            return f"{_title(name, also)}: {text}"
    raise Usage(unknown("word", word, [name for name, _, _ in WORDS]))


def markdown() -> str:
    """All words, as docs/words.md has them."""
    lines = ["# Words", "", "What panels, reports and help call things; `gameplay words WORD` tells one.", ""]
    for name, also, text in WORDS:
        lines += [f"**{name}**" + (f" ({', '.join(also)})" if also else "") + f": {text}", ""]
    return "\n".join(lines)


def _title(name: str, also: tuple[str, ...]) -> str:
    return name + (f" ({', '.join(also)})" if also else "")


if __name__ == "__main__":
    print(markdown(), end="")
