"""One game of a bot: a local match between the engine and the opponent at the server."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from gameplay.errors import Fault, GameplayError, TryLater
from gameplay.lichess.link import CONFIRM_TIMEOUT, RULESETS, Link
from gameplay.lichess.policy import BotPolicy
from gameplay.lichess.server import Refused
from gameplay.matches.match import RULES, Match
from gameplay.players import seats
from gameplay.players.player import Choice, MatchControl, MatchView, Player
from gameplay.search.limit import Limit
from gameplay.search.seeds import seed_of
from gameplay.store import saved
from gameplay.store.saved import GameSaver

if TYPE_CHECKING:
    from gameplay.registry import Game

DEFAULT_MOVE_TIME = 10.0  # seconds a move without a clock and without a limit in the engine's spec
DRAW_TIMEOUT = 10.0  # seconds to wait until the server ends a game drawn by the rules
POLL_INTERVAL = 30.0  # maximum seconds to wait for an event

Reporter = Callable[[str], None]


class RemoteOpponent(Player):
    """The opponent at the server."""

    def __init__(self, game: "BotGame", name: str) -> None:
        self.spec, self.name, self.display_name = "lichess", name, name
        self.game = game

    def choose(self, match: MatchView) -> Choice | None:
        """The move that the server sends; None if the match changed otherwise."""
        game = self.game
        while True:
            game.follow()
            if game.match.over() or game.match.turn == game.link.seat:
                return None
            if (move := game.link.next_move(game.match)) is not None:
                return Choice(move)
            game.answer_offers()
            game.offer_draw()
            game.link.wait(POLL_INTERVAL)


class BotSeat(Player):
    """The engine; its moves are sent to the server before they are made locally."""

    def __init__(self, game: "BotGame", player: Player) -> None:
        self.game, self.player = game, player
        self.spec, self.name = player.spec, player.name

    def begin(self, match: MatchView) -> None:
        """Pass on to the engine."""
        self.player.begin(match)

    def close(self) -> None:
        """Pass on to the engine."""
        self.player.close()

    def offers_draw(self, match: MatchView) -> bool:
        """The engine's decision."""
        return self.player.offers_draw(match)

    def choose(self, match: MatchControl) -> Choice | None:
        """The engine's move, accepted by the server."""
        game, link = self.game, self.game.link
        game.follow()
        if game.match.over() or game.match.turn != link.seat:
            return None
        if (move := link.next_move(game.match)) is not None:
            return Choice(move)  # made before this program started
        game.answer_offers()
        choice = self.player.choose(match)
        if choice is None:
            link.send_action("resign")
            return None
        try:
            link.send(game.match, choice.move)
        except Refused as refused:
            if link.wait(CONFIRM_TIMEOUT):  # the game has ended or changed meanwhile
                return None
            raise Fault(f"{link.server.host} refuses a move: {refused}", "protocol_error") from None
        return choice


class BotGame:
    """Plays a game to its end, new or in progress. `report` receives messages."""

    def __init__(self, link: Link, spec: str, policy: BotPolicy, report: Reporter) -> None:
        self.link, self.spec, self.policy, self.report = link, spec, policy, report
        self.matches: list[Match] = []  # one for each ruleset tried; the last is current
        self.takebacks_granted = 0
        self.answered_offer: tuple[int, str] = (-1, "")  # the last offer answered: ply and kind
        self.draw_offer_ply = -1  # the ply of our last draw offer

    @property
    def match(self) -> Match:
        """The current match."""
        return self.matches[-1]

    def play(self) -> str:
        """Play the game; returns a line with its result. Raises GameplayError if it cannot be continued."""
        link = self.link
        full = link.open()
        opponent = full.players[1 - link.seat]
        side = ("white", "black")[link.seat]
        rated = "rated" if full.rated else "casual"
        self.report(f"{link.name}: {side} against {opponent}, {full.control}, {rated}")
        try:
            for number in range(len(RULESETS)):
                self.matches.append(self._match(*link.game(RULESETS[number:]), str(opponent)))
                self.match.play()
                if link.state.over or self.match.reason != RULES or self._claim_draw():
                    break
            self._follow_final_state()
        finally:
            link.close()
            for match in self.matches:
                for player in match.players:
                    player.close()
        return self._result()

    def _match(self, game: "Game", moves: list[str], opponent_name: str) -> Match:
        link = self.link
        assert link.full is not None
        engine_limit = seats.limit_of(self.spec)
        untimed = link.full.clock is None and engine_limit == Limit()
        limit = Limit(seconds=DEFAULT_MOVE_TIME) if untimed else None
        engine = seats.player(self.spec, game, seed_of(link.name), limit)
        engine.resigns = True
        own_seat, opponent = BotSeat(self, engine), RemoteOpponent(self, opponent_name)
        own_seat.display_name = link.full.players[link.seat].name
        players: list[Player] = [own_seat, opponent] if link.seat == 0 else [opponent, own_seat]
        match = Match(game, players, link.full.start, moves, clock=link.clock())
        match.start_time = saved.now()
        saving = GameSaver(self.report, saved.folder() / f"lichess-{link.name}.json")
        saving.match = match
        match.listeners.append(saving)
        return match

    def follow(self) -> None:
        """Bring the match to the server's state."""
        for text in self.link.follow(self.match):
            self.report(f"{self.link.name}: {text}")

    def answer_offers(self) -> None:
        """Accept or decline draw offers and takebacks, by the policy."""
        link, state = self.link, self.link.state
        opponent, ply = 1 - link.seat, len(state.moves)
        if state.draw_offers[opponent] and self.answered_offer != (ply, "draw"):
            unit = self.match.position.unit
            reports = [
                turn.report
                for turn in self.match.turns
                if turn.player == link.seat and turn.report is not None
            ]
            agreed = self.policy.accepts_draw(reports, unit)
            self.answered_offer = (ply, "draw")
            self._try("draw/yes" if agreed else "draw/no")
        if state.takeback_requests[opponent] and self.answered_offer != (ply, "takeback"):
            allowed = self.policy.allows_takeback(self.takebacks_granted)
            self.takebacks_granted += allowed
            self.answered_offer = (ply, "takeback")
            self._try("takeback/yes" if allowed else "takeback/no")

    def offer_draw(self) -> None:
        """Offer a draw if the engine does, at most once after a move."""
        match, link = self.match, self.link
        ply = len(match.turns)
        if (
            self.policy.draws == "never"
            or not ply
            or self.draw_offer_ply == ply
            or link.state.draw_offers[link.seat]
        ):
            return
        self.draw_offer_ply = ply
        seat = match.players[link.seat]
        is_own_move = match.turns[-1].player == link.seat and isinstance(seat, BotSeat)
        if is_own_move and seat.offers_draw(match.view(link.seat)):
            self._try("draw/yes")

    def _try(self, action: str) -> None:
        try:
            self.link.send_action(action)
        except (Refused, TryLater) as error:
            self.report(f"{self.link.name}: {action}: {error}")

    def _claim_draw(self) -> bool:
        """Claim a draw by the local rules; True if the server ends the game."""
        if self.match.payoffs == (0, 0):
            self._try("draw/yes")
        end = time.monotonic() + DRAW_TIMEOUT
        while not self.link.state.over and time.monotonic() < end and self.link.error is None:
            self.link.processed = self.link.number
            self.link.wait(end - time.monotonic())
        return self.link.state.over

    def _follow_final_state(self) -> None:
        """Take over the server's final state of the game."""
        try:
            self.follow()
        except GameplayError as error:
            self.report(f"{self.link.name}: {error}")

    def _result(self) -> str:
        match, seat = self.match, self.link.seat
        if match.payoffs is None:
            return match.note or "unfinished"
        payoff = match.payoffs[seat]
        result = "won" if payoff > 0 else "lost" if payoff < 0 else "drawn"
        ending = match.position.ending() if match.reason == RULES else match.reason
        return f"{result}, {ending}; {len(match.turns)} plies, saved as lichess-{self.link.name}"
