"""`gameplay lichess`: games on lichess.org or another server of its kind, by a person or as a bot.

Nothing is sent before one of its commands is run. `lichess games --json` prints {"games": [{"id", "opponent",
"side", "turn", "variant", "speed"}, ...]}.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli import Group
from gameplay.cli.common.options import COUNT, ENGINE, FILE, Drawing, drawing_options, group, json_option
from gameplay.cli.common.width import say, say_aside
from gameplay.errors import Fault, Usage, brief
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.lichess.bot import Bot
    from gameplay.lichess.server import LichessServer

USER = re.compile(r"[A-Za-z0-9_-]{2,30}$", re.ASCII)


@dataclass(frozen=True)
class Account:
    """Where the games are and who plays."""

    url: str
    token_file: Path | None

    def server(self) -> "LichessServer":
        """The server with the user's token. Raises Usage, BadInput."""
        from gameplay.lichess.credentials import token
        from gameplay.lichess.server import LichessServer
        from gameplay.store import settings

        usual = settings.path().with_name("lichess-token")
        return LichessServer(self.url, token(self.token_file, usual), note=say_aside)


ACCOUNT = group(
    "account",
    Account,
    click.option(
        "--server",
        "url",
        metavar="URL",
        default="https://lichess.org",
        help="Another server of this kind [https://lichess.org].",
    ),
    click.option("--token-file", type=FILE, help="Read the token from FILE, which has mode 600."),
)


class LichessCommands(Group):
    """What can be done at the server."""

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
    board:play and challenge:write, or bot:play for a bot. It is sent to no other server and stored nowhere.
    """


def _user(word: str) -> str:
    """A user's name. Raises Usage."""
    if not USER.fullmatch(word):
        raise Usage(f"'{brief(word)}' is not the name of a user; expected letters, digits, - and _")
    return word


def _clock(text: str) -> tuple[int, int]:
    """Seconds and increment of --clock, as 5+3. Raises Usage."""
    from gameplay.matches.clock import control

    parsed = control(text, minutes=True)
    whole = parsed.main == int(parsed.main) and parsed.increment == int(parsed.increment)
    if parsed.moves or parsed.delay or parsed.byoyomi or not parsed.keeps or not whole:
        raise Usage(f"--clock is '{brief(text)}'; expected minutes and seconds a move. Try: --clock 5+3")
    if not 15 <= parsed.main <= 10_800 or parsed.increment > 60:
        raise Usage(f"--clock is '{brief(text)}'; expected 0:15 to 180 minutes, and at most 60 s a move")
    return int(parsed.main), int(parsed.increment)


@command.command(short_help="Show whose token it is")
@ACCOUNT
@json_option("the account")
def account(account: Account, as_json: bool) -> None:
    """Show whose token it is, with the ratings of that account."""
    import json

    from gameplay.lichess.messages import text

    found = account.server().get("/api/account")
    title, name = text(found.get("title"), 10), text(found.get("username"), 40)
    perfs = found.get("perfs")
    ratings = {
        text(kind, 40): [perf["rating"], perf.get("games", 0)]
        for kind, perf in (perfs if isinstance(perfs, dict) else {}).items()
        if isinstance(perf, dict) and isinstance(perf.get("rating"), int) and perf.get("games", 0)
    }
    if as_json:
        click.echo(json.dumps({"name": name, "title": title, "ratings": ratings}))
        return
    say(f"{name}, a bot" if title == "BOT" else f"{title} {name}".strip())
    for kind, (rating, games) in ratings.items():
        say(f"  {kind}: {rating}, {plural(games, 'game')}")


@command.command(short_help="List your games in progress")
@ACCOUNT
@json_option("the list")
def games(account: Account, as_json: bool) -> None:
    """List your games in progress at the server."""
    import json

    rows = _in_progress(account.server())
    if as_json:
        click.echo(json.dumps({"games": rows}))
        return
    if not rows:
        say("no game is in progress")
    for row in rows:
        turn = "your turn" if row["turn"] else "their turn"
        say(f"{row['id']}  {row['side']} against {row['opponent']}, {row['speed']}, {row['variant']}, {turn}")


def _in_progress(server: "LichessServer") -> list[dict[str, Any]]:
    """The games in progress, as --json prints them."""
    from gameplay.lichess.messages import Malformed, Person, identity, text

    found = server.get("/api/account/playing")
    listed = found.get("nowPlaying") if isinstance(found, dict) else None
    if not isinstance(listed, list):
        raise Malformed(f"{server.host} sent no list of games")
    return [
        {
            "id": identity(one.get("gameId")),
            "opponent": str(Person.of(one.get("opponent") or {})),
            "side": "black" if one.get("color") == "black" else "white",
            "turn": one.get("isMyTurn") is True,
            "variant": text((one.get("variant") or {}).get("key"), 40),
            "speed": text(one.get("speed"), 40),
        }
        for one in listed
        if isinstance(one, dict)
    ]


FULL = click.option("--full", is_flag=True, help="Use the whole screen, with the mouse.")
PLAIN = "Print one fact a line and redraw nothing; read moves line by line."
CLOCK = click.option("--clock", metavar="TIME", default="10+5", help="Minutes, and seconds a move [10+5].")
COLOR = click.option(
    "--as",
    "side",
    type=click.Choice(["white", "black", "random"]),
    default="random",
    help="Your side [random].",
)
RATED = click.option("--rated", is_flag=True, help="Play for ratings.")


def new_game(function: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of a game that begins."""
    for option in (FULL, drawing_options(PLAIN), RATED, COLOR, CLOCK, ACCOUNT):
        function = option(function)
    return function


@command.command(short_help="Go on with a game in progress")
@click.argument("game", required=False, default="")
@ACCOUNT
@drawing_options(PLAIN)
@FULL
def play(game: str, account: Account, drawing: Drawing, full: bool) -> int:
    """Go on with GAME, an id of `gameplay lichess games`; without it with the only game in progress.

    \b
    gameplay lichess play
    gameplay lichess play abcdefgh

    Type moves as in `gameplay play`, at any time also chat TEXT, undo (a takeback), draw, decline, resign,
    abort, claim. Hints and searches are withheld until the game is over. `quit` leaves the game to the
    server, where it goes on. Without a terminal, moves are read line by line.
    """
    from gameplay.lichess.messages import identity

    server, me = _person(account)
    if not game:
        listed = [row["id"] for row in _in_progress(server)]
        if len(listed) != 1:
            which = f"there are {len(listed)} games in progress" if listed else "no game is in progress"
            raise Usage(f"{which}; expected one, or its id. Try: gameplay lichess games")
        game = listed[0]
    return _at_board(server, identity(game), me, drawing, full)


@command.command(short_help="Challenge a user, or the server's engine")
@click.argument("user")
@new_game
def challenge(
    user: str, account: Account, clock: str, side: str, rated: bool, drawing: Drawing, full: bool
) -> int:
    """Challenge USER, and play when they accept; ai:1 to ai:8 are levels of the server's own engine.

    \b
    gameplay lichess challenge rival --clock 10+5 --as white
    gameplay lichess challenge ai:3

    Ctrl-C withdraws the challenge. At the board as `gameplay lichess play`.
    """
    from gameplay.lichess.pairing import challenged

    limit, increment = _clock(clock)
    if user.startswith("ai:"):
        if user not in [f"ai:{level}" for level in range(1, 9)] or rated:
            raise Usage(f"'{brief(user)}' is not ai:1 to ai:8, in a game that is not rated")
    else:
        _user(user)
    server, me = _person(account)
    form = {"rated": rated, "clock.limit": limit, "clock.increment": increment, "color": side}
    if not user.startswith("ai:"):
        say(f"waiting for {user} to accept (Ctrl-C: withdraw)")
    return _at_board(server, challenged(server, user, form), me, drawing, full)


@command.command(short_help="Seek an opponent")
@new_game
def seek(account: Account, clock: str, side: str, rated: bool, drawing: Drawing, full: bool) -> int:
    """Seek an opponent among all users, and play. lichess.org pairs no faster games here than rapid ones.

    \b
    gameplay lichess seek --clock 15+10 --rated

    Ctrl-C ends the search. At the board as `gameplay lichess play`.
    """
    from gameplay.lichess.pairing import sought

    limit, increment = _clock(clock)
    server, me = _person(account)
    say("seeking an opponent (Ctrl-C: stop)")
    known = {row["id"] for row in _in_progress(server)}
    form = {"rated": rated, "time": f"{limit / 60:g}", "increment": increment, "color": side}
    return _at_board(server, sought(server, form, known), me, drawing, full)


@command.command(short_help="Accept a challenge, and play")
@click.argument("which", metavar="[ID]", required=False, default="")
@ACCOUNT
@drawing_options(PLAIN)
@FULL
def accept(which: str, account: Account, drawing: Drawing, full: bool) -> int:
    """Accept challenge ID, or the only one that waits, and play. More are listed with their ids."""
    server, me = _person(account)
    found = _challenge(server, which, me)
    server.post(f"/api/challenge/{found}/accept")
    return _at_board(server, found, me, drawing, full)


@command.command(short_help="Decline a challenge")
@click.argument("which", metavar="[ID]", required=False, default="")
@ACCOUNT
def decline(which: str, account: Account) -> None:
    """Decline challenge ID, or the only one that waits."""
    server, me = _person(account)
    found = _challenge(server, which, me)
    server.post(f"/api/challenge/{found}/decline")
    say(f"declined {found}")


def _challenge(server: "LichessServer", which: str, me: str) -> str:
    """The id of the challenge that waits, or of the one that is named. Raises Usage."""
    from gameplay.lichess.pairing import waiting

    listed = waiting(server, me)
    if which:
        if which not in [one.id for one in listed]:
            raise Usage(f"no challenge '{brief(which)}' waits. Try: gameplay lichess accept")
        return which
    if len(listed) != 1:
        rows = "; ".join(f"{one.id}: {one}" for one in listed)
        raise Usage(f"{len(listed)} challenges wait; name one ({rows})" if listed else "no challenge waits")
    return listed[0].id


def _person(account: Account) -> "tuple[LichessServer, str]":
    """The server, and the name of the person whose token it is. Raises Usage for a bot."""
    from gameplay.lichess.bot import check_account

    server = account.server()
    return server, check_account(server.get("/api/account"), engine=False)


def _at_board(server: "LichessServer", game: str, me: str, drawing: Drawing, full: bool) -> int:
    """Play a game to its end, or until the person leaves it."""
    from gameplay.cli.common.lichess.session import LichessSession
    from gameplay.lichess.link import Link

    theme = drawing.theme()
    if full and not theme.interactive:
        raise Usage("--full requires a terminal to draw on, and there is none here. Try: leave --full out")
    link = Link(server, "board", game, me)
    link.open()
    try:
        return LichessSession(theme, link, full).run()
    finally:
        link.close()


@command.command(short_help="Let an engine play the games of a bot account")
@ACCOUNT
@click.option("--engine", type=ENGINE, default="selective", help="The engine, with its options [selective].")
@click.option(
    "--accept",
    metavar="A,B,...",
    default="",
    help="Challenges that are accepted: casual or rated; standard, chess960; bullet, blitz, rapid, "
    "classical, correspondence; people, bots [all but correspondence].",
)
@click.option("--challenge", "rival", metavar="USER", help="Challenge USER, again after each game.")
@click.option("--clock", metavar="TIME", default="5+3", help="Time of a challenge to USER [5+3].")
@click.option("--rated", is_flag=True, help="Challenge USER to rated games.")
@click.option("--games", "count", type=COUNT, help="Stop after N games [with --challenge 1, else no end].")
@click.option("--concurrent", type=COUNT, default=1, help="Games at once [1].")
@click.option(
    "--draws",
    type=click.Choice(["never", "level"]),
    default="level",
    help="Agree to draws, and offer them, never or where the engine sees neither side ahead [level].",
)
@click.option(
    "--takebacks",
    type=click.Choice(["never", "once", "always"]),
    default="never",
    help="Let opponents take back moves [never].",
)
def bot(
    account: Account,
    engine: str,
    accept: str,
    rival: str | None,
    clock: str,
    rated: bool,
    count: int | None,
    concurrent: int,
    draws: str,
    takebacks: str,
) -> int:
    """Accept challenges to a bot account, and play them with an engine, until Ctrl-C.

    \b
    gameplay lichess bot --accept casual,standard,blitz,people
    gameplay lichess bot --engine selective:threads=2,book=own --concurrent 2
    gameplay lichess bot --challenge maia1 --clock 3+2 --games 4

    The engine shares out the time of the game's clock; a game in progress is resumed, also after the
    connection was lost. Every game is saved as lichess-ID. The first Ctrl-C accepts no more games and waits
    for those in progress, the second leaves them to the server. The exit status is 5 if a game could not be
    played to its end.
    """
    from gameplay import registry
    from gameplay.lichess.bot import Bot, Invitation, check_account
    from gameplay.lichess.policy import BotPolicy
    from gameplay.players import seats

    policy = BotPolicy.of([word.strip() for word in accept.split(",") if word.strip()], draws, takebacks)
    invitation = Invitation(_user(rival), _clock(clock), rated) if rival else None
    seats.player(engine, registry.game("chess")).close()  # what is wrong with it is found here
    server = account.server()
    me = check_account(server.get("/api/account"), engine=True)
    games = count or (1 if invitation else 0)
    player = Bot(server, me, engine, policy, say, concurrent, games, invitation)
    say(f"{me} at {server.host} accepts {policy}" if invitation is None else f"{me} at {server.host}")
    _run(player)
    if player.faults:
        raise Fault(f"{plural(player.faults, 'game')} could not be played to the end")
    return 0


def _run(player: "Bot") -> None:
    """Run a bot until its games are played. Raises KeyboardInterrupt."""
    try:
        player.run()
    except KeyboardInterrupt:
        waiting = player.stop()
        if waiting:
            say_aside(f"{plural(waiting, 'game')} in progress; Ctrl-C again: leave to the server")
            with suppress(KeyboardInterrupt):
                player.wait()
        player.leave()
        raise
