"""Times one peer's perft. Run by the Python of the peers' environment: `count.py NAME GAME DEPTH [FEN]`.

Leaves are counted in bulk, as ours are. Prints nodes and CPU seconds as JSON.
"""

import json
import sys
import time


def python_chess(game, depth, position):
    """The library's own generator; its lazy count is the cheapest that it offers."""
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
    """Compiled states, traversed from Python, the package's only interface.

    Its checkers moves one jump at a time; a turn continues while the same player moves, and counts as one ply
    here.
    """
    import pyspiel

    rules = pyspiel.load_game(game)
    root = rules.new_initial_state(position) if position else rules.new_initial_state()

    def count(state, depth):
        if state.is_terminal():
            return 0
        actions = state.legal_actions()
        if depth == 1:
            return len(actions)
        return sum(count(state.child(action), depth - 1) for action in actions)

    def turns(state, depth):
        if state.is_terminal():
            return 0
        mover, actions = state.current_player(), state.legal_actions()
        if depth == 1 and not is_jump(state, actions[0]):
            return len(actions)
        total = 0
        for action in actions:
            after = state.child(action)
            goes_on = not after.is_terminal() and after.current_player() == mover
            total += turns(after, depth) if goes_on else turns(after, depth - 1) if depth > 1 else 1
        return total

    def is_jump(state, action):
        word = state.action_to_string(action)  # from and to: c3e5
        return abs(ord(word[2]) - ord(word[0])) == 2

    walk = turns if game == "checkers" else count
    return lambda: walk(root, depth)


PEERS = {"python-chess": python_chess, "open_spiel": open_spiel}


def main(name, game, depth, position):
    count = PEERS[name](game, depth, position)
    start = time.process_time()
    nodes = count()
    print(json.dumps({"nodes": nodes, "seconds": time.process_time() - start}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] if len(sys.argv) > 4 else "")
