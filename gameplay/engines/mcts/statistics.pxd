from gameplay.engines.mcts.arena cimport Arena
from gameplay.engines.mcts.tree cimport MonteCarloTree
