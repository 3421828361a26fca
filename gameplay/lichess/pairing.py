"""Starts a person's games: challenges and seeks."""

import threading
from typing import Any

from gameplay.errors import GameplayError, TryLater, Unfinished
from gameplay.lichess.messages import Challenge, Malformed, parse_id, text
from gameplay.lichess.server import LichessServer, LineStream
from gameplay.lichess.tournaments import EVENTS


def create_challenge(server: LichessServer, user: str, form: dict[str, object]) -> str:
    """Challenge a user, or `ai:LEVEL`; returns the id of the game. Raises Unfinished if it is declined.

    With a clock the challenge is open while its stream is: Ctrl-C withdraws it. With `days` it stays open
    until it is answered, and the result is "".
    """
    if user.startswith("ai:"):
        form = {key: value for key, value in form.items() if key != "rated"}
        answer = server.post("/api/challenge/ai", level=user.removeprefix("ai:"), **form)
        return parse_id(answer.get("id"))
    if "days" in form:
        server.post(f"/api/challenge/{user}", **form)
        return ""
    name = ""
    stream = server.stream(f"/api/challenge/{user}", {**form, "keepAliveStream": True})
    try:
        for line in stream:
            part = (line or {}).get("challenge", line or {})
            name = name or (parse_id(part["id"]) if isinstance(part, dict) and "id" in part else "")
            done = (line or {}).get("done")
            if done == "accepted" and name:
                return name
            if done is not None:
                raise Unfinished(f"{user} did not accept: {text(done)}")
    finally:
        stream.close()
    raise AssertionError("a stream ends with Lost")


def seek_game(server: LichessServer, form: dict[str, object], known_games: set[str]) -> str:
    """Seek an opponent; returns the id of a game not in `known_games`.

    Raises the server's error if it refuses. With `days` the seek stays open until a user accepts it, and
    the result is "".
    """
    if "days" in form:
        server.post("/api/board/seek", **form)
        return ""
    failed: list[GameplayError] = []
    events = server.stream(EVENTS)
    seek = server.stream("/api/board/seek", form)

    def hold() -> None:
        """Keep the seek open by reading its stream, which ends when the game begins."""
        try:
            for _ in seek:
                pass
        except TryLater:
            pass
        except GameplayError as error:
            failed.append(error)
            events.close()

    threading.Thread(target=hold, name="seek", daemon=True).start()
    try:
        for event in events:
            game = (event or {}).get("game")
            if (event or {}).get("type") == "gameStart" and isinstance(game, dict):
                name = parse_id(game.get("gameId", game.get("id")))
                if name not in known_games:
                    return name
    except TryLater:
        raise (failed[0] if failed else TryLater(f"{server.host} ended the search")) from None
    finally:
        _close(events, seek)
    raise AssertionError("a stream ends with Lost")


def pending_challenges(server: LichessServer, me: str) -> list[Challenge]:
    """The open challenges to user `me`."""
    answer: Any = server.get("/api/challenge")
    entries = answer.get("in") if isinstance(answer, dict) else None
    if not isinstance(entries, list):
        raise Malformed(f"{server.host} sent no list of challenges")
    challenges = [Challenge.of(entry) for entry in entries if isinstance(entry, dict)]
    return [challenge for challenge in challenges if challenge.user != me.lower()]


def _close(*streams: LineStream) -> None:
    for stream in streams:
        stream.close()
