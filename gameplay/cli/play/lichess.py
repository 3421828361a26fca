"""`gameplay lichess`: games on lichess.org or another server of its kind, by a person or as a bot.

Nothing is sent before one of its commands is run. `lichess games --json` prints {"games": [{"id", "opponent",
"side", "turn", "variant", "speed"}, ...]}.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli import Group
from gameplay.cli.common.options import COUNT, ENGINE, FILE, group, json_option
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
    gameplay lichess account
    gameplay lichess bot --engine selective --accept casual,standard

    The token is read from the variable LICHESS_TOKEN, or from the file lichess-token beside your settings,
    which must have mode 600. Create one at https://lichess.org/account/oauth/token, with the scope bot:play
    for a bot. It is sent to no other server and stored nowhere.
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


@command.command(short_help="Let an engine play the games of a bot account")
@ACCOUNT
@click.option(
    "--engine",
    type=ENGINE,
    default="selective",
    help="The engine, with its options after a colon [selective].",
)
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
            say_aside(f"{plural(waiting, 'game')} in progress; Ctrl-C again leaves to the server")
            with suppress(KeyboardInterrupt):
                player.wait()
        player.leave()
        raise
