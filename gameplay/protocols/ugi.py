"""The server side of UGI, for programs that use our engines.

The Universal Game Interface (https://github.com/kz04px/cutegames/blob/master/ugi.md) is UCI for any game of
two players:

    ugi                                          id, option ..., ugiok
    isready                                      readyok, also during a search
    setoption name NAME value VALUE              options of the engine, see `gameplay engines NAME`
    uginewgame
    position startpos|fen TEXT [moves WORD ...]  positions and moves in the game's notation, including dice
    query gameover|p1turn|result                 response true|false|p1win|p2win|draw|none
    go [p1time MS p2time MS p1inc MS p2inc MS movestogo N] [movetime MS] [depth N] [nodes N] [infinite]
                                                 info ..., bestmove WORD, or bestmove (none)
    stop                                         end the search with its best move so far
    quit                                         also at the end of input
"""

from gameplay.errors import Usage, brief, unknown_name
from gameplay.protocols.side import GoRequest, Side
from gameplay.search.limit import Limit, numeral
from gameplay.value import MAX_PLY

TIMES = ("p1time", "p2time", "p1inc", "p2inc")


class UgiSide(Side):
    """A UGI server; serves one connection."""

    commands = ("ugi", "isready", "setoption", "uginewgame", "position", "query", "go", "stop", "quit")

    def _ugi(self, tokens: list[str]) -> None:
        self._introduce("ugiok")

    def _uginewgame(self, tokens: list[str]) -> None:
        self._begin()

    def _query(self, tokens: list[str]) -> None:
        question = " ".join(tokens)
        if self.place is None:
            self.send("response none")
            return
        match = self.host.match(*self.place)
        payoffs = match.payoffs
        if question == "gameover":
            self.send(f"response {str(payoffs is not None).lower()}")
        elif question == "p1turn":
            self.send(f"response {str(match.position.turn == 0).lower()}")
        elif question == "result":
            first, second = payoffs or (0, 0)
            result = "p1win" if first > second else "p2win" if first < second else "draw"
            self.send(f"response {result if payoffs is not None else 'none'}")
        else:
            self.send("response none")
            raise Usage(unknown_name("question", question, ["gameover", "p1turn", "result"]))

    def _parse_go(self, tokens: list[str]) -> GoRequest:
        numbers: dict[str, int] = {}
        endless = False
        names = (*TIMES, "movestogo", "movetime", "depth", "nodes")
        pending = iter(tokens)
        for word in pending:
            if word == "infinite":
                endless = True
                continue
            if word not in names:
                raise Usage(unknown_name("limit", word, [*names, "infinite"]))
            text = next(pending, "")
            number = numeral(text.removeprefix("-"))
            if number is None:
                raise Usage(f"{word} must be a whole number, not '{brief(text)}'")
            numbers[word] = -number if text.startswith("-") else number
            if word == "movetime" and numbers[word] < 0:
                raise Usage(f"movetime must be a number from 0 up, not {text}")
        movetime = numbers.get("movetime")
        depth = numbers.get("depth")
        limit = Limit(
            None if depth is None else min(depth, MAX_PLY),
            numbers.get("nodes"),
            None if movetime is None else max(movetime, 1) / 1000,
        )
        times = None
        if "p1time" in numbers or "p2time" in numbers:
            first, second, more, other = (max(0, numbers.get(name, 0)) / 1000 for name in TIMES)
            times = ((first, more), (second, other), max(0, numbers.get("movestogo", 0)))
        return GoRequest(limit, times, endless)
