# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Steps a batch of games of one kind with one call.  C types: stepping.pxd.

A step writes to flat arrays of the caller, game after game. `masks` and `seen` must be zero.

    actions   int64     of the player to move of each game
    masks     int8      `count` for each game, 1 for each action that is legal next
    seen      int8      the planes of each game, if only its cells are observed (`codes` is not 0)
    last      int8      the planes at the end of games that ended and were restarted
    rewards   float64   `players` for each game
    facts     int32     4 for each game, see TURN and the places after it

For observations or actions that need Python, `observe(game, position, player, last)` and `legal(position)`
are called. A game that ends is restarted within the step and continues its own random stream.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

if cython.compiled:
    from cython.cimports.gameplay.adapter import PositionKernel
    from cython.cimports.gameplay.kernel import Kernel
    from cython.cimports.gameplay.native.bits import M64
    from cython.cimports.gameplay.native.hashing import GOLDEN, finalize
    from cython.cimports.gameplay.native.pointers import doubles, ints, longlongs, schars, ulonglongs
    from cython.cimports.gameplay.position import CHANCE
else:
    from gameplay.adapter import PositionKernel
    from gameplay.kernel import Kernel
    from gameplay.native.bits import M64
    from gameplay.native.hashing import GOLDEN, finalize
    from gameplay.native.pointers import doubles, ints, longlongs, schars, ulonglongs
    from gameplay.position import CHANCE

TURN, MOVER, ENDED, ILLEGAL = range(4)  # in `facts`: player to move, who moved, how it ended, a bool
OVER, CUT = 1, 2  # how a game ended
FACTS = 4
MAX_CELLS = 512
ULP = cython.declare(cython.double, 2.0**-53)
KEYED, LISTED, CALLED = range(3)  # kinds of actions, see `gameplay.environments.actions`
BY_KEY = cython.declare(cython.int, KEYED)
BY_INDEX = cython.declare(cython.int, LISTED)


class BatchLayout:
    """The facts shared by the games of a batch.

    `kind`: KEYED, with `keys` sorted and the action of each in `numbers`; LISTED; or CALLED, by `legal`.
    `codes`: planes, the last `marks` of which are marks; 0: `observe` is called. `steps`: actions after which
    a game is truncated; 0: none. `win_loss`: rewards are 1, 0 or -1. `illegal_reward`: of an illegal action.
    `new_kernel(seed)`: the kernel of a new game; None: every game has the same start.
    """

    def __init__(
        self, players, count, kind, masks, keys, numbers, cells, codes, marks, steps, win_loss, illegal_reward
    ):
        """Raises ValueError for more than MAX_CELLS cells."""
        if cells > MAX_CELLS:
            raise ValueError(f"{cells} cells: expected at most {MAX_CELLS}")
        self.players, self.count, self.kind = players, count, kind
        self.low, self.shift, self.high = masks
        self.keys_owner = memoryview(bytearray(4 * max(1, len(keys)))).cast("i")
        self.numbers_owner = memoryview(bytearray(4 * max(1, len(keys)))).cast("i")
        for place, key in enumerate(keys):
            self.keys_owner[place], self.numbers_owner[place] = key, numbers[place]
        self.keys, self.numbers, self.length = ints(self.keys_owner), ints(self.numbers_owner), len(keys)
        self.cells, self.codes, self.marks, self.steps = cells, codes, marks, steps
        self.win_loss, self.illegal_reward = win_loss, illegal_reward
        self.new_kernel = self.legal = self.observe = None

    def number(self, move):
        """The action of a move by its key; -1 if it has none."""
        key: cython.int = move & self.low | (move >> self.shift) & self.high
        first: cython.int = 0
        end: cython.int = self.length
        while first < end:
            middle: cython.int = (first + end) // 2
            if self.keys[middle] < key:
                first = middle + 1
            else:
                end = middle
        return self.numbers[first] if first < self.length and self.keys[first] == key else -1


class GameBatch:
    """The games, each with its moves and its random stream."""

    def __init__(self, layout: BatchLayout, kernels, seeds):
        self.layout, self.kernels = layout, kernels
        self.size = len(kernels)
        self.histories = [[] for _ in kernels]
        self.legals = [{} for _ in kernels]
        self.steps_owner = memoryview(bytearray(4 * self.size)).cast("i")
        self.rng_states_owner = memoryview(bytearray(8 * self.size)).cast("Q")
        self.steps, self.rng_states = ints(self.steps_owner), ulonglongs(self.rng_states_owner)
        self.seed(seeds)

    def seed(self, seeds):
        """Seed the random stream of each game."""
        for game, seed in enumerate(seeds):
            self.rng_states_owner[game] = seed & M64

    def begin(self, masks, seen, facts):
        """Restart all games. Raises the exceptions of the game, `legal` or `observe`."""
        mask, planes, fact = schars(masks), schars(seen), ints(facts)
        game: cython.int
        for game in range(self.size):
            self.restart(game)
            self.write_next(game, mask, planes, fact)

    def step(self, actions, masks, seen, last, rewards, facts):
        """Take an action in each game. Raises as `begin`.

        An illegal action ends the game with `illegal_reward`; in a puzzle it changes nothing and costs 1.
        """
        mask, planes, lasts, fact = schars(masks), schars(seen), schars(last), ints(facts)
        action, gain = longlongs(actions), doubles(rewards)
        game: cython.int
        for game in range(self.size):
            self.step_game(game, action[game], lasts, gain, fact)
            self.write_next(game, mask, planes, fact)

    def step_game(self, game, action, lasts, gain, fact):
        layout: BatchLayout = self.layout
        kernel: Kernel = self.kernels[game]
        base: cython.int = game * layout.players
        mover: cython.int = kernel.turn
        move: cython.int = self.find_move(game, kernel, action)
        illegal: cython.bint = move < 0
        ended: cython.int = 0
        fact[FACTS * game + MOVER] = mover
        fact[FACTS * game + ILLEGAL] = illegal
        self.steps[game] += 1
        if layout.players == 1:
            gain[base] = -1.0 if illegal else -kernel.price(move)
        elif illegal:
            gain[base + mover] = layout.illegal_reward
            ended = OVER
        if not illegal:
            kernel.push(move)
            self.histories[game].append(move)
            self.make_chance_moves(game, kernel)
            if kernel.result():
                ended = OVER
                self.add_payoffs(kernel, base, gain)
        if kernel.failed:
            kernel.reraise()
        if not ended and 0 < layout.steps <= self.steps[game]:
            ended = CUT
        fact[FACTS * game + ENDED] = ended
        if ended:
            if layout.codes:
                self.draw_planes(kernel, lasts, game)
            else:
                layout.observe(game, position_of(kernel), mover, True)
            self.restart(game)
        return 0

    def add_payoffs(self, kernel, base, gain):
        layout: BatchLayout = self.layout
        player: cython.int
        for player in range(layout.players):
            payoff: cython.double = kernel.payoff(player) / kernel.c_unit
            if layout.win_loss:
                payoff = 1.0 if payoff > 0 else -1.0 if payoff < 0 else 0.0
            gain[base + player] += payoff

    def find_move(self, game, kernel, action):
        """The legal move of an action; -1 if there is none."""
        layout: BatchLayout = self.layout
        i: cython.int
        if layout.kind != BY_KEY and layout.kind != BY_INDEX:
            return self.legals[game].get(action, -1)
        end: cython.int = kernel.gen(0)
        if layout.kind == BY_INDEX:
            return kernel.stack[action] if 0 <= action < end else -1
        for i in range(end):
            if layout.number(kernel.stack[i]) == action:
                return kernel.stack[i]
        return -1

    def make_chance_moves(self, game, kernel):
        """Sample and make chance moves until a player is to move."""
        i: cython.int
        while kernel.turn == CHANCE and not kernel.failed and not kernel.result():
            end: cython.int = kernel.gen_chances(0)
            if kernel.failed or not end:
                break
            self.rng_states[game] = (self.rng_states[game] + GOLDEN) & M64
            u: cython.double = (finalize(self.rng_states[game]) >> 11) * ULP
            i = 0
            while i < end - 1 and u >= kernel.odds[i]:
                u -= kernel.odds[i]
                i += 1
            move: cython.int = kernel.stack[i]
            kernel.push(move)
            self.histories[game].append(move)
        return 0

    def restart(self, game):
        """Return to the start, or begin a new game, and make the first chance moves."""
        layout: BatchLayout = self.layout
        kernel: Kernel = self.kernels[game]
        history: list = self.histories[game]
        if layout.new_kernel is not None:
            self.rng_states[game] = (self.rng_states[game] + GOLDEN) & M64
            seed: cython.ulonglong = finalize(self.rng_states[game]) >> 34
            kernel = layout.new_kernel(seed)
            self.kernels[game] = kernel
        else:
            for move in reversed(history):
                kernel.pop(move)
        history.clear()
        self.steps[game] = 0
        self.make_chance_moves(game, kernel)
        if kernel.failed:
            kernel.reraise()
        return 0

    def write_next(self, game, mask, planes, fact):
        """Write the player to move, their legal actions and their observation."""
        layout: BatchLayout = self.layout
        kernel: Kernel = self.kernels[game]
        base: cython.longlong = cython.cast(cython.longlong, game) * layout.count
        fact[FACTS * game + TURN] = kernel.turn
        i: cython.int
        if layout.kind != BY_KEY and layout.kind != BY_INDEX:
            self.legals[game] = layout.legal(position_of(kernel))
            for number in self.legals[game]:
                mask[base + number] = 1
        else:
            end: cython.int = kernel.gen(0)
            if layout.kind == BY_INDEX and end > layout.count:
                raise IndexError(end)
            for i in range(end):
                action: cython.int = i if layout.kind == BY_INDEX else layout.number(kernel.stack[i])
                if action < 0:
                    raise IndexError(kernel.stack[i])
                mask[base + action] = 1
        if kernel.failed:
            kernel.reraise()
        if layout.codes:
            self.draw_planes(kernel, planes, game)
        else:
            layout.observe(game, position_of(kernel), kernel.turn, False)
        return 0

    def draw_planes(self, kernel, planes, game):
        """Write the planes of a game."""
        layout: BatchLayout = self.layout
        place: cython.longlong = cython.cast(cython.longlong, game) * layout.cells * layout.codes
        draw_cells(kernel, planes, place, layout.cells, layout.codes, layout.marks)
        return 0

    def position(self, game):
        """The position of a game."""
        return position_of(self.kernels[game])


def position_of(kernel):
    """The position of a kernel."""
    return kernel.position if isinstance(kernel, PositionKernel) else kernel


def write_planes(kernel, seen, cells, codes, marks):
    """Write the planes of one game into an array of zeros."""
    draw_cells(kernel, schars(seen), 0, cells, codes, marks)


def draw_cells(kernel, planes, place, cells, codes, marks):
    """Write `codes` planes from `place` on: 0 holds the player to move, others a 1 for each content, or mark.

    The last `marks` planes are those of `HasMarks.cell_marks`.
    """
    contents = cython.declare(cython.uchar[512])
    if not cython.compiled:
        contents = [0] * MAX_CELLS
    kernel.read_cells(contents)
    cell: cython.int
    at: cython.longlong = place
    turn: cython.int = kernel.turn if kernel.turn > 0 else 0
    for cell in range(cells):
        planes[at] = turn
        if contents[cell]:
            planes[at + contents[cell]] = 1
        at += codes
    if marks:
        at = place + codes - marks
        for mark in kernel.cell_marks():
            while mark:
                lowest = mark & -mark
                cell = lowest.bit_length() - 1
                planes[at + cython.cast(cython.longlong, cell) * codes] = 1
                mark ^= lowest
            at += 1
    return 0
