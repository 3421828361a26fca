"""`gameplay lichess`: play on lichess.org or a compatible server, as a person or a bot.

Nothing is sent before one of these commands runs. `lichess games --json` prints {"games": [{"id", "opponent",
"side", "turn", "variant", "speed", "seconds"}, ...]}, `lichess tournaments --json` {"tournaments": [{"id",
"name", "clock": [seconds, increment], "variant", "rated", "players", "status", "seconds", "minutes",
"obstacle"}, ...]}.
"""

import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli import Group
from gameplay.cli.common.advice import command_line
from gameplay.cli.common.options import (
    COUNT,
    ENGINE,
    FILE,
    Drawing,
    choice,
    drawing_options,
    group,
    json_option,
)
from gameplay.cli.common.width import echo_err, echo_wrapped
from gameplay.errors import Fault, Usage, brief
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.lichess.bot import Bot
    from gameplay.lichess.server import LichessServer

DEFAULT_URL = "https://lichess.org"
USER = re.compile(r"[A-Za-z0-9_-]{2,30}$", re.ASCII)


@dataclass(frozen=True)
class Account:
    """The server and the token of a user."""

    url: str
    token_file: Path | None

    def server(self) -> "LichessServer":
        """The server with the user's token. Raises Usage, BadInput."""
        from gameplay.lichess.credentials import token
        from gameplay.lichess.server import LichessServer
        from gameplay.store import settings

        default_file = settings.path().with_name("lichess-token")
        secret = token(self.token_file, default_file, self.url)
        return LichessServer(self.url, secret, note=echo_err, suggest=self.command)

    def command(self, *words: str) -> str:
        """A subcommand of `gameplay lichess` for this server and token, as the user can type it."""
        options = [] if self.url == DEFAULT_URL else ["--server", self.url]
        options += [] if self.token_file is None else ["--token-file", str(self.token_file)]
        return command_line("gameplay", "lichess", *words, *options)


ACCOUNT = group(
    "account",
    Account,
    click.option(
        "--server",
        "url",
        metavar="URL",
        default=DEFAULT_URL,
        help=f"A compatible server [{DEFAULT_URL}].",
    ),
    click.option("--token-file", type=FILE, help="Read the token from FILE, which has mode 600."),
)


class LichessCommands(Group):
    """The commands at the server."""

    kind = "command"


@click.group(cls=LichessCommands, short_help="Play on lichess.org, or let an engine play as a bot")
def command() -> None:
    """Play on lichess.org, at the board of this program, or let an engine play as a bot.

    \b
    gameplay lichess challenge rival --clock 10+5
    gameplay lichess seek --clock 15+10 --rated
    gameplay lichess play
    gameplay lichess bot --engine selective --accept casual,standard

    The token is read from the variable LICHESS_TOKEN, or from the file lichess-token beside your settings,
    which must have mode 600. Create one at https://lichess.org/account/oauth/token, with the scopes
    board:play, challenge:read and challenge:write, or bot:play for a bot; for tournaments also
    tournament:write. It is sent to no other server and stored nowhere.
    """


def _user(word: str) -> str:
    """A user's name. Raises Usage."""
    if not USER.fullmatch(word):
        raise Usage(
            f"'{brief(word)}' is not the name of a user; expected 2 to 30 letters, digits, - and _. "
            "Try: the name in the address of their profile"
        )
    return word


DAYS = (1, 2, 3, 5, 7, 10, 14)  # per move, as the server accepts them


def _clock(text: str) -> tuple[int, int]:
    """Seconds and increment of --clock, as in 5+3. Raises Usage."""
    from gameplay.matches.clock import parse_time_control

    wrong = Usage(f"--clock is '{brief(text)}'; expected minutes and seconds a move. Try: --clock 5+3")
    try:
        parsed = parse_time_control(text, minutes=True)
    except Usage:
        raise wrong from None
    whole = parsed.main == int(parsed.main) and parsed.increment == int(parsed.increment)
    if parsed.moves or parsed.delay or parsed.byoyomi or not parsed.keeps or not whole:
        raise wrong
    if not 15 <= parsed.main <= 10_800 or parsed.increment > 60:
        raise Usage(
            f"--clock is '{brief(text)}'; expected 0:15 to 180 minutes, and at most 60 s a move. "
            "Try: --clock 5+3"
        )
    return int(parsed.main), int(parsed.increment)


@command.command(short_help="Show the account of the token")
@ACCOUNT
@json_option("the account")
def account(account: Account, as_json: bool) -> None:
    """Show the name and ratings of the token's account."""
    import json

    from gameplay.lichess.messages import text

    profile = account.server().get("/api/account")
    title, name = text(profile.get("title"), 10), text(profile.get("username"), 40)
    perfs = profile.get("perfs")
    ratings = {
        text(kind, 40): [perf["rating"], perf.get("games", 0)]
        for kind, perf in (perfs if isinstance(perfs, dict) else {}).items()
        if isinstance(perf, dict) and isinstance(perf.get("rating"), int) and perf.get("games", 0)
    }
    if as_json:
        click.echo(json.dumps({"name": name, "title": title, "ratings": ratings}))
        return
    echo_wrapped(f"{name}, a bot" if title == "BOT" else f"{title} {name}".strip())
    for kind, (rating, games) in ratings.items():
        echo_wrapped(f"  {kind}: {rating}, {plural(games, 'game')}")


@command.command(short_help="List your games in progress")
@ACCOUNT
@json_option("the list")
def games(account: Account, as_json: bool) -> None:
    """List your games in progress at the server, the most urgent first."""
    import json

    from gameplay.lichess.messages import time_left

    rows = _in_progress(account.server())
    if as_json:
        click.echo(json.dumps({"games": rows}))
        return
    if not rows:
        echo_wrapped("no game is in progress")
    for row in rows:
        turn = "your turn" if row["turn"] else "their turn"
        if row["speed"] == "correspondence" and row["seconds"] is not None:
            turn += f", {time_left(row['seconds'])} left"
        echo_wrapped(
            f"{row['id']}  {row['side']} against {row['opponent']}, {row['speed']}, {row['variant']}, {turn}"
        )


def _in_progress(server: "LichessServer") -> list[dict[str, Any]]:
    """The games in progress, as --json prints them."""
    from gameplay.lichess.messages import Malformed, Person, parse_count, parse_id, text

    answer = server.get(f"/api/account/playing?nb={MAX_LISTED_GAMES}")
    listed = answer.get("nowPlaying") if isinstance(answer, dict) else None
    if not isinstance(listed, list):
        raise Malformed(f"{server.host} sent no list of games")
    return [
        {
            "id": parse_id(arena.get("gameId")),
            "opponent": str(Person.of(arena.get("opponent") or {})),
            "side": "black" if arena.get("color") == "black" else "white",
            "turn": arena.get("isMyTurn") is True,
            "variant": text((arena.get("variant") or {}).get("key"), 40),
            "speed": text(arena.get("speed"), 40),
            "seconds": parse_count(arena.get("secondsLeft")),
        }
        for arena in listed
        if isinstance(arena, dict)
    ]


FULL_OPTION = click.option("--full", is_flag=True, help="Use the whole screen, with the mouse.")
PLAIN_HELP = "Print one fact per line and redraw nothing; read moves line by line."
DEFAULT_CLOCK = "10+5"
BOT_CLOCK = "5+3"  # of a challenge that a bot sends
MAX_LISTED_GAMES = 50  # of the server's list


@dataclass(frozen=True)
class WantedGame:
    """The game of a challenge or a seek."""

    clock: str | None
    days: str | None
    side: str | None
    rated: bool

    def form(self) -> dict[str, object]:
        """The form of a challenge, without the side. Raises Usage."""
        if self.days is None:
            limit, increment = self.times()
            return {"rated": self.rated, "clock.limit": limit, "clock.increment": increment}
        if self.clock is not None:
            raise Usage("--clock and --days exclude each other. Try: leave one out")
        return {"rated": self.rated, "days": int(self.days)}

    def times(self) -> tuple[int, int]:
        """Seconds and increment of the clock. Raises Usage."""
        return _clock(self.clock or DEFAULT_CLOCK)


WANTED = group(
    "wanted",
    WantedGame,
    click.option("--clock", metavar="TIME", help=f"Minutes, and seconds a move [{DEFAULT_CLOCK}]."),
    click.option(
        "--days",
        type=click.Choice([str(days) for days in DAYS]),
        help="Correspondence: days for each move, without a clock.",
    ),
    click.option("--as", "side", type=click.Choice(["white", "black", "random"]), help="Your side [random]."),
    click.option("--rated", is_flag=True, help="Play for ratings."),
)


@command.command(short_help="Continue a game in progress")
@click.argument("game", required=False, default="")
@ACCOUNT
@drawing_options(PLAIN_HELP)
@FULL_OPTION
def play(game: str, account: Account, drawing: Drawing, full: bool) -> int:
    """Continue GAME, an id of `gameplay lichess games`, or the game's address.

    Without GAME: the only game, or the most urgent one in which it is your turn.

    \b
    gameplay lichess play
    gameplay lichess play abcdefgh

    Type moves as in `gameplay play`, at any time also chat TEXT, undo (a takeback), draw, decline, resign,
    abort, claim. Hints and searches are withheld until the game is over. `quit` leaves the game in
    progress at the server. Without a terminal, moves are read line by line; a correspondence game is left
    after your move.
    """
    server, me = _check_person(account)
    if game:
        game = _parse_game(game, account)
    else:
        rows = _in_progress(server)
        if not rows:
            hint = account.command("challenge", "USER")
            raise Usage(f"no game is in progress at {server.host}. Try: {hint}")
        own_turns = [row for row in rows if row["turn"]] if len(rows) > 1 else rows
        if not own_turns:
            raise Usage(
                f"it is your turn in none of {len(rows)} games; expected the id of one. "
                f"Try: {account.command('play', rows[0]['id'])}"
            )
        game = own_turns[0]["id"]
    return _play_at_board(server, game, me, drawing, full)


def _parse_game(word: str, account: Account) -> str:
    """The id of a game: `abcdefgh`, or that of its address. Raises Usage."""
    address = rf"(?:{re.escape(account.url.rstrip('/'))}/)?([A-Za-z0-9]{{8}})(?:[A-Za-z0-9]{{4}})?(?:/\w*)?"
    if not (match := re.fullmatch(address, word, re.ASCII)):
        raise Usage(
            f"'{brief(word)}' is not the id of a game; expected 8 letters and digits, or the game's address. "
            f"Try: {account.command('games')}"
        )
    return match[1]


@command.command(short_help="Challenge a user, or the server's engine")
@click.argument("user")
@ACCOUNT
@WANTED
@drawing_options(PLAIN_HELP)
@FULL_OPTION
def challenge(user: str, account: Account, wanted: WantedGame, drawing: Drawing, full: bool) -> int:
    """Challenge USER, and play when they accept; ai:1 to ai:8 are levels of the server's own engine.

    \b
    gameplay lichess challenge rival --clock 10+5 --as white
    gameplay lichess challenge rival --days 3
    gameplay lichess challenge ai:3

    Ctrl-C withdraws the challenge, except one with --days, which waits at the server. For commands at the
    board see `gameplay lichess play --help`.
    """
    from gameplay.lichess.pairing import create_challenge

    form = wanted.form()
    if user.startswith("ai:"):
        if user not in [f"ai:{level}" for level in range(1, 9)]:
            raise Usage(f"'{brief(user)}' is not a level of the server's engine; expected ai:1 to ai:8")
        if wanted.rated:
            raise Usage(f"games against {user} are not rated. Try: leave --rated out")
    else:
        _user(user)
    server, me = _check_person(account)
    if not user.startswith("ai:") and not wanted.days:
        echo_wrapped(f"waiting for {user} to accept (Ctrl-C: withdraw)")
    game = create_challenge(server, user, form | {"color": wanted.side or "random"})
    if not game:
        click.echo(f"challenged {user}; once they accept, play: {account.command('play')}")
        return 0
    return _play_at_board(server, game, me, drawing, full)


@command.command(short_help="Seek an opponent")
@ACCOUNT
@WANTED
@drawing_options(PLAIN_HELP)
@FULL_OPTION
def seek(account: Account, wanted: WantedGame, drawing: Drawing, full: bool) -> int:
    """Seek an opponent among all users, and play. lichess.org pairs only rapid and slower games here.

    \b
    gameplay lichess seek --clock 15+10 --rated
    gameplay lichess seek --days 3

    Ctrl-C ends the search, except one with --days, which stays at the server until a user accepts it. For
    commands at the board see `gameplay lichess play --help`.
    """
    from gameplay.lichess.pairing import seek_game

    form = wanted.form()
    if wanted.days and wanted.side:
        raise Usage(
            f"--as is '{wanted.side}', and the server chooses the sides of games with --days. "
            "Try: leave --as out"
        )
    server, me = _check_person(account)
    if wanted.days:
        seek_game(server, form, set())
        click.echo(f"the seek is at {server.host}; once a user accepts it, play: {account.command('play')}")
        return 0
    echo_wrapped("seeking an opponent (Ctrl-C: stop)")
    in_progress = {row["id"] for row in _in_progress(server)}
    limit, increment = wanted.times()
    form = {"rated": wanted.rated, "time": f"{limit / 60:g}", "increment": increment}
    form["color"] = wanted.side or "random"
    return _play_at_board(server, seek_game(server, form, in_progress), me, drawing, full)


@command.command(short_help="List tournaments that you can play")
@ACCOUNT
@json_option("all tournaments")
def tournaments(account: Account, as_json: bool) -> None:
    """List the arenas in progress or about to begin that you can play here."""
    import json

    from gameplay.lichess.messages import control_text
    from gameplay.lichess.tournaments import list_tournaments

    server = account.server()
    bot = server.get("/api/account").get("title") == "BOT"
    arenas = [(arena, arena.obstacle(bot)) for arena in list_tournaments(server)]
    if as_json:
        names = ("id", "name", "clock", "variant", "rated", "players", "status", "seconds", "minutes")
        rows = [{name: getattr(arena, name) for name in names} | {"obstacle": why} for arena, why in arenas]
        click.echo(json.dumps({"tournaments": rows}))
        return
    playable = [arena for arena, why in arenas if not why]
    for arena in playable:
        rated = "rated" if arena.rated else "casual"
        length = f", {arena.minutes} min" if arena.minutes else ""
        facts = (
            f"{control_text(arena.clock)}, {rated}{length}, {plural(arena.players, 'player')}, {arena.when}"
        )
        echo_wrapped(f"{arena.id}  {arena.name}: {facts}", 10)
    others = len(arenas) - len(playable)
    reason = "do not allow bots" if bot else "are too fast"
    if others:
        echo_wrapped(f"{plural(others, 'tournament')} not listed: they {reason}, or of other variants")
    if playable:
        click.echo(f"Join one: {account.command('join', playable[0].id)}")


@command.command(short_help="Join a tournament and play its games")
@click.argument("tournament")
@ACCOUNT
@click.option("--password", metavar="WORD", help="The password of a private tournament.")
@click.option("--team", metavar="ID", help="The team that you play for, in a battle of teams.")
@drawing_options(PLAIN_HELP)
@FULL_OPTION
def join(
    tournament: str, account: Account, password: str | None, team: str | None, drawing: Drawing, full: bool
) -> int:
    """Join TOURNAMENT, and play the games that it pairs, until it is over.

    \b
    gameplay lichess join hL7vMrFQ
    gameplay lichess join swiss/j8rtJ5GL

    TOURNAMENT is the id of an arena (`gameplay lichess tournaments`), swiss/ID for a Swiss, or the address of
    either. Ctrl-C between games, or `quit` in a game, stops waiting; you stay in the tournament
    until `gameplay lichess withdraw`.
    """
    from gameplay.lichess.tournaments import SWISS, TournamentEntry, parse_tournament

    kind, name = parse_tournament(tournament, account.url, account.command)
    if team and kind == SWISS:
        raise Usage("--team is for arenas; a Swiss belongs to one team")
    server, me = _check_person(account)
    entry = TournamentEntry(server, kind, name, password=password, team=team)
    facts = entry.facts()
    if facts.status == "finished" or facts.obstacle(bot=False):
        raise Usage(f"{facts.name}: {facts.obstacle(bot=False) or 'it is over'}")
    entry.join()
    echo_wrapped(f"you are in {facts.name}, {facts.when}; waiting for a game (Ctrl-C: stop)")
    stay = f"you stay in {facts.name}; leave it: {account.command('withdraw', tournament)}"
    played: set[str] = set()
    try:
        while game := entry.next_game(played):
            played.add(game)
            if not _play_game(server, game, me, drawing, full)[1]:
                echo_err(stay)
                return 0
            echo_wrapped(f"waiting for the next game of {facts.name} (Ctrl-C: stop)")
    except KeyboardInterrupt:
        _echo_after_interrupt(stay)
        raise
    echo_wrapped(f"{facts.name} is over")
    return 0


@command.command(short_help="Leave a tournament, or pause in it")
@click.argument("tournament")
@ACCOUNT
def withdraw(tournament: str, account: Account) -> None:
    """Leave TOURNAMENT before it begins, or pause in one that is in progress; `join` returns to it."""
    from gameplay.lichess.tournaments import TournamentEntry, parse_tournament

    tournament_id = parse_tournament(tournament, account.url, account.command)
    TournamentEntry(account.server(), *tournament_id).withdraw()
    click.echo(f"you have left {tournament}; join it again: {account.command('join', tournament)}")


@command.command(short_help="Accept a challenge, and play")
@click.argument("challenge_id", metavar="[ID]", required=False, default="")
@ACCOUNT
@drawing_options(PLAIN_HELP)
@FULL_OPTION
def accept(challenge_id: str, account: Account, drawing: Drawing, full: bool) -> int:
    """Accept challenge ID, or the only pending one, and play. Several are listed with their ids."""
    server, me = _check_person(account)
    challenge_id = _pending_challenge(server, challenge_id, me)
    server.post(f"/api/challenge/{challenge_id}/accept")
    return _play_at_board(server, challenge_id, me, drawing, full)


@command.command(short_help="Decline a challenge")
@click.argument("challenge_id", metavar="[ID]", required=False, default="")
@ACCOUNT
def decline(challenge_id: str, account: Account) -> None:
    """Decline challenge ID, or the only pending one."""
    server, me = _check_person(account)
    challenge_id = _pending_challenge(server, challenge_id, me)
    server.post(f"/api/challenge/{challenge_id}/decline")
    echo_wrapped(f"declined {challenge_id}")


def _pending_challenge(server: "LichessServer", which: str, me: str) -> str:
    """The id of the pending challenge, or of the one named. Raises Usage."""
    from gameplay.lichess.pairing import pending_challenges

    challenges = {challenge.id: challenge for challenge in pending_challenges(server, me)}
    if which in challenges:
        return which
    rows = "; ".join(f"{name}: {challenge}" for name, challenge in challenges.items())
    if which:
        pending = f"expected one of these ({rows})" if rows else "none is"
        raise Usage(f"no challenge '{brief(which)}' is pending at {server.host}; {pending}")
    if not challenges:
        raise Usage(f"no challenge is pending at {server.host}. Try: {server.suggest('challenge', 'USER')}")
    if len(challenges) > 1:
        raise Usage(f"{len(challenges)} challenges are pending; expected an id ({rows})")
    return next(iter(challenges))


def _check_person(account: Account) -> "tuple[LichessServer, str]":
    """The server, and the account's name. Raises Usage for a bot account."""
    from gameplay.lichess.bot import check_account

    server = account.server()
    return server, check_account(server.get("/api/account"), engine=False, suggest=server.suggest)


def _play_at_board(server: "LichessServer", game: str, me: str, drawing: Drawing, full: bool) -> int:
    """Play a game to its end, or until the person leaves it; returns the exit status."""
    return _play_game(server, game, me, drawing, full)[0]


def _play_game(server: "LichessServer", game: str, me: str, drawing: Drawing, full: bool) -> tuple[int, bool]:
    """Play a game; returns the exit status and whether the game is over."""
    from gameplay.cli.common.lichess.session import LichessSession
    from gameplay.lichess.link import Link
    from gameplay.lichess.server import NotFound

    theme = drawing.theme()
    if full and not theme.interactive:
        raise Usage("--full requires a terminal to draw on, and there is none here. Try: leave --full out")
    link = Link(server, "board", game, me)
    try:
        link.open()
    except NotFound:
        raise Usage(f"{server.host} has no game '{game}'. Try: {server.suggest('games')}") from None
    try:
        session = LichessSession(theme, link, full)
        return session.run(), session.over
    finally:
        link.close()


@command.command(short_help="Let an engine play the games of a bot account")
@ACCOUNT
@click.option("--engine", type=ENGINE, default="selective", help="The engine, with its options [selective].")
@click.option(
    "--accept",
    metavar="A,B,...",
    default="",
    help="Challenges to accept: casual or rated; standard, chess960; bullet, blitz, rapid, "
    "classical, correspondence; people, bots [all but correspondence].",
)
@click.option("--challenge", "opponent", metavar="USER", help="Challenge USER, again after each game.")
@click.option("--clock", metavar="TIME", help=f"Time of a challenge to USER [{BOT_CLOCK}].")
@click.option("--rated", is_flag=True, help="Challenge USER to rated games.")
@click.option("--tournament", metavar="ID", help="Play a tournament that allows bots, until it is over.")
@click.option(
    "--games", "max_games", type=COUNT, help="Stop after N games [with --challenge 1, else unlimited]."
)
@click.option("--concurrent", type=COUNT, default=1, help="Games with a clock at once [1].")
@choice(
    "--draws",
    ["never", "level"],
    "Accept and offer draws: never, or when the engine values the position as level",
    "level",
)
@choice("--takebacks", ["never", "once", "always"], "Let opponents take back moves", "never")
def bot(
    account: Account,
    engine: str,
    accept: str,
    opponent: str | None,
    clock: str | None,
    rated: bool,
    tournament: str | None,
    max_games: int | None,
    concurrent: int,
    draws: str,
    takebacks: str,
) -> int:
    """Accept challenges to a bot account, and play them with an engine, until Ctrl-C.

    \b
    gameplay lichess bot --accept casual,standard,blitz,people
    gameplay lichess bot --engine selective:threads=2,book=own --concurrent 2
    gameplay lichess bot --challenge maia1 --clock 3+2 --games 4
    gameplay lichess bot --tournament hL7vMrFQ

    The engine manages the time of the game's clock. Games in progress are resumed, also after a lost
    connection. Every game is saved as lichess-ID. The first Ctrl-C accepts no more games and waits
    for those in progress, the second leaves them to the server. The exit status is 5 if a game could not be
    played to its end.
    """
    from gameplay import registry
    from gameplay.lichess.bot import Bot, Invitation, check_account
    from gameplay.lichess.policy import BotPolicy
    from gameplay.lichess.tournaments import TournamentEntry, parse_tournament
    from gameplay.players import seats

    policy = BotPolicy.of([word.strip() for word in accept.split(",") if word.strip()], draws, takebacks)
    if opponent is None and (clock is not None or rated):
        option = "--rated" if clock is None else "--clock"
        raise Usage(f"{option} requires --challenge. Try: --challenge USER")
    invitation = (
        Invitation(_user(opponent), _clock(clock or BOT_CLOCK), rated) if opponent is not None else None
    )
    tournament_id = parse_tournament(tournament, account.url, account.command) if tournament else None
    seats.player(engine, registry.game("chess")).close()  # raises an error of the spec
    server = account.server()
    me = check_account(server.get("/api/account"), engine=True, suggest=server.suggest)
    games = max_games or (1 if invitation else 0)
    entry = TournamentEntry(server, *tournament_id) if tournament_id else None
    player = Bot(server, me, engine, policy, echo_wrapped, concurrent, games, invitation, entry)
    if entry is not None:
        entry.join()
    echo_wrapped(
        f"{me} at {server.host} accepts {policy} (Ctrl-C: stop)"
        if invitation is None
        else f"{me} at {server.host} (Ctrl-C: stop)"
    )
    _run_bot(player)
    if player.failed_games:
        raise Fault(f"{plural(player.failed_games, 'game')} could not be played to the end")
    return 0


def _echo_after_interrupt(text: str) -> None:
    """Print a note below the ^C that a terminal shows."""
    if sys.stderr.isatty():
        click.echo(err=True)
    echo_err(text)


def _run_bot(player: "Bot") -> None:
    """Run a bot until its games are played. Raises KeyboardInterrupt."""
    try:
        player.run()
    except KeyboardInterrupt:
        waiting = player.stop()
        if waiting:
            leave = "leave it to the server" if waiting == 1 else "leave them to the server"
            _echo_after_interrupt(
                f"no new games; waiting for {plural(waiting, 'game')} in progress (Ctrl-C: {leave})"
            )
            with suppress(KeyboardInterrupt):
                player.wait()
        if waiting := player.stop():
            _echo_after_interrupt(
                f"{plural(waiting, 'game')} in progress at {player.server.host}: the same command resumes"
            )
        player.leave()
        raise
