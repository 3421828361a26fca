"""A search of a peer, run by the Python of the peers: `peer.py NAME GAME ROUNDS`.

Prints the value (null if the peer does not return it) and the median of the CPU seconds as JSON.
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

    spiel_game = pyspiel.load_game({"tictactoe": "tic_tac_toe", "connect4": "connect_four"}[game])

    def search():
        return minimax.alpha_beta_search(
            spiel_game, value_function=lambda state: 0, maximum_depth=DEPTHS[game], maximizing_player_id=0
        )[0]

    return search


def easyai(game, use_table=False):
    """Negamax of easyAI on its own games, with or without its transposition table."""
    from easyAI import AI_Player, Negamax, TranspositionTable
    from easyAI.games.ConnectFour import ConnectFour
    from easyAI.games.TicTacToe import TicTacToe

    class HashedConnectFour(ConnectFour):
        def ttentry(self):
            return self.board.tobytes()

    class HashedTicTacToe(TicTacToe):
        def ttentry(self):
            return bytes(self.board)

    game_class = {"tictactoe": HashedTicTacToe, "connect4": HashedConnectFour}[game]

    def search():
        engine = Negamax(DEPTHS[game], tt=TranspositionTable() if use_table else None)
        position = game_class([AI_Player(engine), AI_Player(engine)])
        engine(position)
        return engine.alpha

    return search


def easyai_table(game):
    """`easyai` with the transposition table."""
    return easyai(game, use_table=True)


def aima3(game):
    """Alpha-beta of the AIMA textbook's code on its own games. It returns a move without a value."""
    from aima3 import games

    aima_game = {"tictactoe": games.TicTacToe, "connect4": games.ConnectFour}[game]()

    def search():
        games.alphabeta_cutoff_search(aima_game.initial, aima_game, d=DEPTHS[game] - 1)

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
