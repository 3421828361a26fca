"""Sampling of a player's information set, for games of OpenSpiel without resampling.

A history of the same length is sampled move by move. The player's own moves are kept; other moves are sampled
by their chance probability, hidden choices of others uniformly, among those that give the player the same
observations, also after the player's next moves. At a dead end the last moves are sampled again
(backtracking, sometimes by several moves).

If this fails, as in games that show cards only after the whole deal, a Metropolis walk starts at the true
history: two hidden moves are exchanged or one is sampled again, if all observations stay the same. The walk
must take enough steps to be independent of the true cards; otherwise sampling fails.
"""

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any

MAX_TRIES = 10_000  # moves tried per sample
FAILURES_BEFORE_CAREFUL = 8  # then cards observed later are kept in their place
STEPS = 4  # of a walk, per hidden move
PROPOSALS_PER_STEP = 10  # at most, per step

Observe = Callable[[Any], Hashable]  # the player's observation of a state


class Sampler:
    """Samples histories with the same observations of a player as a given one."""

    def __init__(self, root: Any, history: Sequence[int], player: int, observe: Observe) -> None:
        self.root, self.history, self.player, self.observe = root, history, player, observe
        self.observations: list[Hashable] = []  # after each move
        self.known_moves: list[bool] = []  # by ply: the player knows the move
        self.movers: list[int] = []
        state = root
        for action in history:
            self.movers.append(state.current_player())
            child = state.child(action)
            self.observations.append(self._observation(child))
            self.known_moves.append(self._is_known(state, action, self.observations[-1]))
            state = child

    def _observation(self, state: Any) -> Hashable:
        is_over = state.is_terminal()
        return is_over, not is_over and state.current_player() == self.player, self.observe(state)

    def _is_known(self, state: Any, action: int, observation: Hashable) -> bool:
        """True if every other move would give the player another observation."""
        if state.current_player() == self.player:
            return True
        others = [other for other in state.legal_actions() if other != action]
        return all(self._observation(state.child(other)) != observation for other in others)

    def sample(self, rng: Random) -> Any | None:
        """A state at the end of a sampled history; None if none is found and the walk is stuck."""
        states, failures, deepest, tries = [self.root], 0, 0, 0
        while len(states) <= len(self.history):
            ply = len(states) - 1
            child, count = self._step(
                states[-1], ply, rng, careful=failures > FAILURES_BEFORE_CAREFUL and failures % 2 == 1
            )
            tries += count
            if child is not None:
                states.append(child)
                if ply > deepest:
                    deepest, failures = ply, 0
                continue
            if tries > MAX_TRIES:
                return self.shuffle(rng)
            failures += 1
            del states[max(1, ply + 1 - (failures & -failures)) :]  # 1, 2, 1, 4, 1, 2, 1, 8, ... of them
        return states[-1]

    def _step(self, state: Any, ply: int, rng: Random, careful: bool) -> tuple[Any | None, int]:
        """The state after a consistent move, None if there is none; and the number of moves tried.

        careful: keep cards that the player observes later in their place, judging by action numbers.
        """
        true_action = self.history[ply]
        actions, weights = self._weighted_actions(state)
        if self.known_moves[ply]:
            child = state.child(true_action) if true_action in actions else None
            if child is not None and self._fits(child, ply):
                return child, 1
            if self.movers[ply] == self.player:
                return None, 1
        elif careful:
            later = {
                action for index, action in enumerate(self.history) if index > ply and self.known_moves[index]
            }
            allowed = [
                index for index, action in enumerate(actions) if action not in later or action == true_action
            ]
            if true_action in later and true_action in actions:
                allowed = [actions.index(true_action)]
            actions, weights = [actions[index] for index in allowed], [weights[index] for index in allowed]
        tries = 0
        while actions:
            index = rng.choices(range(len(actions)), weights)[0] if sum(weights) > 0 else 0
            tries += 1
            child = state.child(actions[index])
            if self._fits(child, ply):
                return child, tries
            del actions[index], weights[index]
        return None, tries + 1

    def _fits(self, state: Any, ply: int) -> bool:
        """True if the player's observations are the same after a move and after the own moves that follow.

        A simultaneous move is observed only after the player's own.
        """
        while self._observation(state) == self.observations[ply]:
            ply += 1
            if ply == len(self.history) or self.movers[ply] != self.player:
                return True
            if self.history[ply] not in state.legal_actions():
                return False
            state = state.child(self.history[ply])
        return False

    def shuffle(self, rng: Random) -> Any | None:
        """The state at the end of a Metropolis walk from the true history; None if it is stuck."""
        hidden = [ply for ply, known in enumerate(self.known_moves) if not known]
        path, states = list(self.history), self._replay(list(self.history), 0, [self.root])
        steps, current_probability = 0, self._chance_probability(states, path)
        for _ in range(STEPS * PROPOSALS_PER_STEP * len(hidden)):
            if states is None or steps >= STEPS * len(hidden):
                break
            proposed, ply = self._propose(path, states, hidden, rng)
            new_states = self._replay(proposed, ply, states[: ply + 1])
            if new_states is None or proposed == path:
                continue
            probability = self._chance_probability(new_states, proposed)
            if rng.random() * current_probability < probability:
                path, states, current_probability, steps = proposed, new_states, probability, steps + 1
        return states[-1] if states and steps >= len(hidden) else None

    def _propose(
        self, path: list[int], states: list[Any], hidden: list[int], rng: Random
    ) -> tuple[list[int], int]:
        """A history with two hidden moves exchanged or one sampled again, and the ply of the first change."""
        path = list(path)
        first, second = sorted((rng.choice(hidden), rng.choice(hidden)))
        if first == second:
            path[first] = rng.choice(states[first].legal_actions())
        else:
            path[first], path[second] = path[second], path[first]
        return path, first

    def _replay(self, path: list[int], start: int, states: list[Any]) -> list[Any] | None:
        """The states of a history whose first `start` moves led to `states`; None if it is inconsistent."""
        for ply in range(start, len(path)):
            state = states[-1]
            if state.is_terminal() or path[ply] not in state.legal_actions():
                return None
            child = state.child(path[ply])
            if self._observation(child) != self.observations[ply]:
                return None
            states.append(child)
        return states

    def _chance_probability(self, states: list[Any] | None, path: list[int]) -> float:
        """The probability of the chance moves."""
        odds = 1.0
        for state, action in zip(states or [], path, strict=False):
            if state.is_chance_node():
                odds *= dict(state.chance_outcomes()).get(action, 0.0)
        return odds

    @staticmethod
    def _weighted_actions(state: Any) -> tuple[list[int], list[float]]:
        if state.is_terminal():
            return [], []
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            return [action for action, _ in outcomes], [odds for _, odds in outcomes]
        actions = list(state.legal_actions())
        return actions, [1.0] * len(actions)
