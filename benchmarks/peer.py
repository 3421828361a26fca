"""One peer's search, timed. Run by the Python of the peers' own environment: `peer.py NAME GAME ROUNDS`.

Prints the value (null: the peer does not say) and the median of CPU seconds as JSON.
"""

import json
import statistics
import sys
import time

DEPTHS = {"tictactoe": 9, "connect4": 7}


def open_spiel(game):
    """Alpha-beta in Python over compiled states."""
    import pyspiel
    from open_spiel.python.algorithms import minimax

    rules = pyspiel.load_game({"tictactoe": "tic_tac_toe", "connect4": "connect_four"}[game])

    def search():
        return minimax.alpha_beta_search(
            rules, value_function=lambda state: 0, maximum_depth=DEPTHS[game], maximizing_player_id=0
        )[0]

    return search


def easyai(game, tabled=False):
    """Negamax, with its table or without, over the games that come with it."""
    from easyAI import AI_Player, Negamax, TranspositionTable
    from easyAI.games.ConnectFour import ConnectFour
    from easyAI.games.TicTacToe import TicTacToe

    class Hashed(ConnectFour):
        def ttentry(self):
            return self.board.tobytes()

    class HashedTicTacToe(TicTacToe):
        def ttentry(self):
            return bytes(self.board)

    kind = {"tictactoe": HashedTicTacToe, "connect4": Hashed}[game]

    def search():
        engine = Negamax(DEPTHS[game], tt=TranspositionTable() if tabled else None)
        position = kind([AI_Player(engine), AI_Player(engine)])
        engine(position)
        return engine.alpha

    return search


def easyai_table(game):
    """The same with its table."""
    return easyai(game, tabled=True)


def aima3(game):
    """Alpha-beta of the textbook's code, over its own games. It returns a move, and no value."""
    from aima3 import games

    rules = {"tictactoe": games.TicTacToe, "connect4": games.ConnectFour}[game]()

    def search():
        games.alphabeta_cutoff_search(rules.initial, rules, d=DEPTHS[game] - 1)

    return search


PEERS = {"open_spiel": open_spiel, "easyAI": easyai, "easyAI, table": easyai_table, "aima3": aima3}


def main(name, game, rounds):
    search = PEERS[name](game)
    times = []
    for _ in range(rounds):
        start = time.process_time()
        value = search()
        times.append(time.process_time() - start)
    print(json.dumps({"value": value, "seconds": statistics.median(times)}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
