"""Requests to a lichess server: JSON answers and streams of JSON lines, with limits, retries and one host.

Redirects are refused, so the token reaches the server that the user named and no other. After 429 (too many
requests) nothing is sent for a minute, as the API asks. A stream sends an empty line every few seconds; one
without lines for SILENCE seconds is broken.
"""

import http.client
import json
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from gameplay import __version__
from gameplay.errors import BadInput, TryLater, Usage, brief
from gameplay.lichess.credentials import Token, token_page
from gameplay.visible import one_line

LOOPBACK = ("localhost", "127.0.0.1", "::1")
TIMEOUT = 30.0  # seconds for an answer
SILENCE = 30.0  # seconds without a line of a stream
PAUSE = 60.0  # seconds to wait after status 429
ATTEMPTS = 4  # of a request with a transient error
MAX_ANSWER = 4_000_000  # bytes
MAX_LINE = 1_000_000  # bytes

Wait = Callable[[float], object]
Suggest = Callable[..., str]


def suggest(*words: str) -> str:
    """A subcommand of `gameplay lichess` with its arguments, as an error suggests it."""
    return " ".join(("gameplay lichess", *words))


class Refused(BadInput):
    """The server understood a request and refuses it."""


class NotFound(Refused):
    """The server has nothing of this name."""


class Lost(TryLater):
    """The server does not answer, or a stream has ended."""


class LichessServer:
    """A lichess server, accessed as one user.

    wait: sleeps. note: receives messages for the user. suggest: formats a command for this server and user.
    """

    def __init__(
        self,
        url: str,
        token: Token,
        wait: Wait = time.sleep,
        note: Callable[[str], object] = str,
        suggest: Suggest = suggest,
    ) -> None:
        """Raises Usage for a URL that is not https, except loopback."""
        parts = urlsplit(url)
        try:
            port = parts.port
        except ValueError:
            raise Usage(f"--server '{brief(url)}' has no valid port") from None
        local = parts.scheme == "http" and parts.hostname in LOOPBACK
        if not (parts.scheme == "https" or local) or not parts.hostname or parts.username or parts.query:
            raise Usage(
                f"--server is '{brief(url)}'; expected https://HOST, so that the token stays secret. "
                f"Try: --server https://{parts.hostname or brief(parts.path) or 'HOST'}"
            )
        self.secure, self.token_page = parts.scheme == "https", token_page(url)
        self.host, self.port, self.path = parts.hostname, port, parts.path.rstrip("/")
        self.token, self.wait, self.note, self.suggest = token, wait, note, suggest

    def get(self, path: str) -> Any:
        """The document at a path. Raises Refused, BadInput, Usage, TryLater."""
        return self._request("GET", path, None)

    def post(self, path: str, **form: object) -> Any:
        """Send a form; returns the document of the answer. Raises as `get`."""
        return self._request("POST", path, form)

    def stream(self, path: str, form: Mapping[str, object] | None = None) -> "LineStream":
        """Open a stream of lines. Raises as `get`, without retries."""
        connection, response, sock = self._open("GET" if form is None else "POST", path, form, SILENCE)
        try:
            self._check(response, path)
        except BaseException:
            response.close()
            connection.close()
            raise
        return LineStream(response, sock, self.host)

    def _request(self, method: str, path: str, form: Mapping[str, object] | None) -> Any:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._send_request(method, path, form)
            except RateLimited:
                if attempt == ATTEMPTS:
                    raise
                self.note(f"{self.host} limits the rate of requests; waiting {PAUSE:.0f} s")
                self.wait(PAUSE)
            except Lost:
                if attempt == ATTEMPTS:
                    raise
                self.wait(2.0 ** (attempt - 1))
        raise AssertionError("the last attempt returns or raises")

    def _send_request(self, method: str, path: str, form: Mapping[str, object] | None) -> Any:
        connection, response, _ = self._open(method, path, form, TIMEOUT)
        try:
            self._check(response, path)
            content = response.read(MAX_ANSWER + 1)
        except (OSError, http.client.HTTPException) as error:
            raise Lost(f"{self.host} does not answer: {_reason(error)}") from None
        finally:
            response.close()
            connection.close()
        if len(content) > MAX_ANSWER:
            raise BadInput(f"{self.host} answers with more than {MAX_ANSWER:,} bytes")
        try:
            return json.loads(content or b"{}")
        except (ValueError, RecursionError):
            raise Lost(f"{self.host} answers with invalid JSON") from None

    def _open(
        self, method: str, path: str, form: Mapping[str, object] | None, timeout: float
    ) -> "tuple[http.client.HTTPConnection, http.client.HTTPResponse, socket.socket]":
        connection: http.client.HTTPConnection
        if self.secure:
            context = ssl.create_default_context()
            connection = http.client.HTTPSConnection(self.host, self.port, timeout=timeout, context=context)
        else:
            connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        headers = {"Authorization": self.token.header(), "User-Agent": f"gameplay/{__version__}"}
        body = None
        if form is not None:
            body = urlencode({name: _form_value(value) for name, value in form.items() if value is not None})
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request(method, quote(self.path + path, safe="/?=&"), body, headers)
            sock = connection.sock  # the connection drops it once the answer begins
            assert sock is not None
            return connection, connection.getresponse(), sock
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise Lost(f"{self.host} does not answer: {_reason(error)}") from None

    def _check(self, response: http.client.HTTPResponse, path: str) -> None:
        status = response.status
        if 200 <= status < 300:
            return
        if 300 <= status < 400:
            raise BadInput(
                f"{self.host} redirects to {_one_line(response.getheader('Location', ''))}, which is not "
                "followed: the token goes to no other address. Try: --server with the right one"
            )
        if status == 429:
            raise RateLimited(f"{self.host} limits the rate of requests. Try: again in a minute")
        if status >= 500:
            raise Lost(f"{self.host} does not answer: status {status}")
        reason = _error_text(response)
        if status in (401, 403):
            why = f" ({reason})" if reason else ""
            raise Usage(f"{self.host} refuses the token{why}. Try: a new token from {self.token_page}")
        if status == 404:
            if reason.rstrip(".").lower() in ("", "not found"):
                reason = f"{self.host} has no {_one_line(self.path + path)}"
            raise NotFound(reason)
        raise Refused(reason or f"{self.host} answers with status {status}")


class RateLimited(TryLater):
    """The server limits the rate of requests."""


class LineStream:
    """The lines of a stream: JSON objects, None for keep-alive lines. Raises Lost at its end."""

    def __init__(self, response: http.client.HTTPResponse, sock: socket.socket, host: str) -> None:
        self.response = response
        self.sock = sock
        self.host = host

    def __iter__(self) -> Iterator[dict[str, Any] | None]:
        try:
            while line := self.response.readline(MAX_LINE + 1):
                if len(line) > MAX_LINE:
                    raise Lost(f"{self.host} sent a line of more than {MAX_LINE:,} bytes")
                if not line.endswith(b"\n"):
                    break  # cut short
                yield _object(line)
        except (OSError, ValueError, AttributeError, http.client.HTTPException) as error:
            raise Lost(f"the connection to {self.host} is lost: {_reason(error)}") from None
        finally:
            self.close()
            self.response.close()
        raise Lost(f"the connection to {self.host} is lost")

    def close(self) -> None:
        """Close the stream, from any thread; a blocked reader returns."""
        with suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)


def _object(line: bytes) -> dict[str, Any] | None:
    """Parse the object of a line; None for an empty line or another value."""
    try:
        value = json.loads(line) if line.strip() else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _form_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _error_text(response: http.client.HTTPResponse) -> str:
    """The server's error message."""
    try:
        answer = json.loads(response.read(10_000))
    except (OSError, ValueError, RecursionError, http.client.HTTPException):
        return ""
    message = answer.get("error", "") if isinstance(answer, dict) else ""
    return _one_line(message if isinstance(message, str) else json.dumps(message))


def _one_line(text: object, max_length: int = 200) -> str:
    return brief(one_line(str(text)), max_length)


def _reason(error: BaseException) -> str:
    return _one_line(getattr(error, "strerror", None) or error or type(error).__name__)
