"""Perft of a peer, run by the Python of the peers: `count.py NAME GAME DEPTH [FEN]`.

Leaves are counted in bulk, as in gameplay. Prints nodes and CPU seconds as JSON.
"""

import json
import sys
import time


def python_chess(game, depth, position):
    """The library's move generator; `legal_moves.count()` is its fastest way to count leaves."""
    import chess

    board = chess.Board(position) if position else chess.Board()

    def count(depth):
        if depth == 1:
            return board.legal_moves.count()
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += count(depth - 1)
            board.pop()
        return total

    return lambda: count(depth)


def open_spiel(game, depth, position):
    """Compiled states, traversed from Python, the only interface of the package.

    In its checkers each jump is an action; here the jumps of one turn count as one ply.
    """
    import pyspiel

    spiel_game = pyspiel.load_game(game)
    root = spiel_game.new_initial_state(position) if position else spiel_game.new_initial_state()

    def count(state, depth):
        if state.is_terminal():
            return 0
        actions = state.legal_actions()
        if depth == 1:
            return len(actions)
        return sum(count(state.child(action), depth - 1) for action in actions)

    def count_turns(state, depth):
        if state.is_terminal():
            return 0
        mover, actions = state.current_player(), state.legal_actions()
        if depth == 1 and not is_jump(state, actions[0]):
            return len(actions)
        total = 0
        for action in actions:
            child = state.child(action)
            if not child.is_terminal() and child.current_player() == mover:  # the next jump of the turn
                total += count_turns(child, depth)
            else:
                total += count_turns(child, depth - 1) if depth > 1 else 1
        return total

    def is_jump(state, action):
        squares = state.action_to_string(action)  # origin and target: c3e5
        return abs(ord(squares[2]) - ord(squares[0])) == 2

    perft = count_turns if game == "checkers" else count
    return lambda: perft(root, depth)


PEERS = {"python-chess": python_chess, "open_spiel": open_spiel}


def main(name, game, depth, position):
    count = PEERS[name](game, depth, position)
    start = time.process_time()
    nodes = count()
    print(json.dumps({"nodes": nodes, "seconds": time.process_time() - start}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] if len(sys.argv) > 4 else "")
