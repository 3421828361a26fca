"""Positions that fit what a player knows, for games of OpenSpiel that offer no resampling.

A history as long as the true one is drawn move by move. The player's own moves stay; every other is drawn by
its chance probability, a hidden choice of another player as if all were alike, among those after which the
player knows the same as then, also after the player's next moves. Where none is left the last moves are drawn
again, now and then more of them.

Some games show a player the cards only when all are dealt, and no such history is found. Then the true one is
shuffled: two hidden moves change places, or one is drawn anew, as long as the player would know the same at
each time (a Metropolis walk). It must take so many steps that it forgets the true cards, or there is no
position.
"""

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any

MOST_TRIES = 10_000  # moves tried for one position
CARELESS = 8  # draws without success before cards seen later are left where they turned up
STEPS = 4  # of a walk, for each hidden move
PROPOSALS = 10  # for each step, at most

Known = Callable[[Any], Hashable]  # what the player observes in a state


class Sampler:
    """Draws histories that look to a player as a true one did."""

    def __init__(self, root: Any, history: Sequence[int], player: int, known: Known) -> None:
        self.root, self.history, self.player, self.known = root, history, player, known
        self.seen: list[Hashable] = []  # after each move
        self.open: list[bool] = []  # the player knows the move
        self.movers: list[int] = []
        state = root
        for action in history:
            self.movers.append(state.current_player())
            after = state.child(action)
            self.seen.append(self._facts(after))
            self.open.append(self._open(state, action, self.seen[-1]))
            state = after

    def _facts(self, state: Any) -> Hashable:
        over = state.is_terminal()
        return over, not over and state.current_player() == self.player, self.known(state)

    def _open(self, state: Any, action: int, seen: Hashable) -> bool:
        """True if every other move would look different to the player."""
        if state.current_player() == self.player:
            return True
        others = [other for other in state.legal_actions() if other != action]
        return all(self._facts(state.child(other)) != seen for other in others)

    def sample(self, rng: Random) -> Any | None:
        """A state at the end of such a history; None if none is found, and the walk is stuck."""
        states, fails, deepest, tries = [self.root], 0, 0, 0
        while len(states) <= len(self.history):
            ply = len(states) - 1
            after, tried = self._step(states[-1], ply, rng, careful=fails > CARELESS and fails % 2 == 1)
            tries += tried
            if after is not None:
                states.append(after)
                if ply > deepest:
                    deepest, fails = ply, 0
                continue
            if tries > MOST_TRIES:
                return self.shuffle(rng)
            fails += 1
            del states[max(1, ply + 1 - (fails & -fails)) :]  # 1, 2, 1, 4, 1, 2, 1, 8, ... of them
        return states[-1]

    def _step(self, state: Any, ply: int, rng: Random, careful: bool) -> tuple[Any | None, int]:
        """The state after a move that fits, None if there is none; and how many moves were tried.

        `careful`: cards that the player sees later are left where they turned up, as far as numbers of
        actions show it.
        """
        true = self.history[ply]
        actions, weights = self._choices(state)
        if self.open[ply]:
            after = state.child(true) if true in actions else None
            if after is not None and self._fits(after, ply):
                return after, 1
            if self.movers[ply] == self.player:
                return None, 1
        elif careful:
            later = {action for place, action in enumerate(self.history) if place > ply and self.open[place]}
            kept = [place for place, action in enumerate(actions) if action not in later or action == true]
            if true in later and true in actions:
                kept = [actions.index(true)]
            actions, weights = [actions[place] for place in kept], [weights[place] for place in kept]
        tried = 0
        while actions:
            place = rng.choices(range(len(actions)), weights)[0] if sum(weights) > 0 else 0
            tried += 1
            after = state.child(actions[place])
            if self._fits(after, ply):
                return after, tried
            del actions[place], weights[place]
        return None, tried + 1

    def _fits(self, state: Any, ply: int) -> bool:
        """True if the player knows the same after a move, and after the own moves that follow.

        A move made at the same time as the player's own is seen after that.
        """
        while self._facts(state) == self.seen[ply]:
            ply += 1
            if ply == len(self.history) or self.movers[ply] != self.player:
                return True
            if self.history[ply] not in state.legal_actions():
                return False
            state = state.child(self.history[ply])
        return False

    def shuffle(self, rng: Random) -> Any | None:
        """The state at the end of a history to which a walk from the true one leads; None if it is stuck."""
        hidden = [place for place, is_open in enumerate(self.open) if not is_open]
        path, states = list(self.history), self._replay(list(self.history), 0, [self.root])
        steps, odds = 0, self._odds(states, path)
        for _ in range(STEPS * PROPOSALS * len(hidden)):
            if states is None or steps >= STEPS * len(hidden):
                break
            proposed, place = self._proposed(path, states, hidden, rng)
            after = self._replay(proposed, place, states[: place + 1])
            if after is None or proposed == path:
                continue
            likely = self._odds(after, proposed)
            if rng.random() * odds < likely:
                path, states, odds, steps = proposed, after, likely, steps + 1
        return states[-1] if states and steps >= len(hidden) else None

    def _proposed(
        self, path: list[int], states: list[Any], hidden: list[int], rng: Random
    ) -> tuple[list[int], int]:
        """A history with two hidden moves exchanged or one drawn anew, and the first move that is another."""
        path = list(path)
        first, second = sorted((rng.choice(hidden), rng.choice(hidden)))
        if first == second:
            path[first] = rng.choice(states[first].legal_actions())
        else:
            path[first], path[second] = path[second], path[first]
        return path, first

    def _replay(self, path: list[int], place: int, states: list[Any]) -> list[Any] | None:
        """The states of a history whose first `place` moves led to `states`; None if it does not fit."""
        for ply in range(place, len(path)):
            state = states[-1]
            if state.is_terminal() or path[ply] not in state.legal_actions():
                return None
            after = state.child(path[ply])
            if self._facts(after) != self.seen[ply]:
                return None
            states.append(after)
        return states

    def _odds(self, states: list[Any] | None, path: list[int]) -> float:
        """The probability of the moves of chance."""
        odds = 1.0
        for state, action in zip(states or [], path, strict=False):
            if state.is_chance_node():
                odds *= dict(state.chance_outcomes()).get(action, 0.0)
        return odds

    @staticmethod
    def _choices(state: Any) -> tuple[list[int], list[float]]:
        if state.is_terminal():
            return [], []
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            return [action for action, _ in outcomes], [odds for _, odds in outcomes]
        actions = list(state.legal_actions())
        return actions, [1.0] * len(actions)
