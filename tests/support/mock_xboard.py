"""A chess engine that speaks the protocol of xboard, plays a game that it is given, and has quirks.

    mock_xboard.py [--line "e2e4 e7e5 ..."] [--like KIND] [--fault KIND@ply:N] [--log FILE] [--mark ANYTHING]

It answers `go` after N moves with the move number N of the line. Everything that it reads goes to the log.
Quirks are those of engines of Debian 12, recorded from them:

    fairymax   no setboard, done=0 and done=1, options; "#" lines; complains of a late `?`
    phalanx    no usermove; commands that it does not know are illegal moves; no `sd`; long notation in lines
    sjeng      a banner with a board; lines in SAN with signs; "Move ordering" before its move
    gnuchess   a feature a line, between them answers; says its move twice; no `sd`
    hoichess   all features on one line, one of them with a quote within
    old        version 1: no features, its move as "1. ... e7e5"
    san        san=1, usermove=1, reuse=0, memory=1, smp=1, egt="syzygy"
    fischer    variants="normal,fischerandom", setboard=1, usermove=1
"""

import os
import signal
import sys
import time

NONE = 10**9

arguments = sys.argv[1:]
line, like, log = [], "san", None
faults = {}
while arguments:
    name, text = arguments.pop(0), arguments.pop(0)
    if name == "--line":
        line = text.split()
    elif name == "--like":
        like = text
    elif name == "--log":
        log = text
    elif name == "--fault":
        kind, _, ply = text.partition("@ply:")
        faults[kind] = int(ply) if ply else NONE

FEATURES = {
    "fairymax": [
        "tellics say     Fairy-Max 5.0b",
        'feature myname="Fairy-Max 5.0b"',
        "feature memory=1 exclude=1",
        "feature setboard=0 xedit=1 ping=1 done=0",
        'feature variants="normal,nocastle,shatranj"',
        'feature option="Resign -check 0"',
        'feature option="Resign Threshold -spin 800 200 1200"',
        'feature option="Clear Hash -button"',
        "feature done=1",
    ],
    "phalanx": [
        "Phalanx XXV",
        "[ white, 1 ]",
        "xboard mode on",
        'feature myname="Phalanx XXV"',
        "feature analyze=1 setboard=1 sigint=1 time=1 memory=1 draw=0 "
        'option="Randomizer (0-50) -slider 0 0 50" ping=1 ',
        "feature done=1",
    ],
    "sjeng": [
        "  +----+----+----+----+----+----+----+----+",
        "8 | *R | *N | *B | *Q | *K | *B | *N | *R |",
        "Sjeng: ",
        "tellics set f5 1=1",
        "feature ping=1 setboard=1 playother=0 san=0 usermove=0 time=1",
        "feature draw=0 sigint=0 sigterm=0 reuse=1 analyze=1",
        'feature variants="normal,bughouse,crazyhouse" colors=1 ics=0 name=0 pause=0 done=1',
    ],
    "gnuchess": [
        "Chess",
        "feature done=0",
        "feature colors=0",
        "TCMove = 35",
        *("feature ping=1", "feature san=0", "feature setboard=1", "feature sigint=0", "feature usermove=1"),
        'feature variants="normal"',
        "feature done=1",
    ],
    "hoichess": [
        "Reading (stdin)",
        "",
        'feature myname="HoiChess 0.22" variants="normal" ping=1 setboard=1 time=1 sigint=0 smp=1 '
        'option="verbose -spin 0 -2147483648 2147483647" option="debug -string it\'s off" done=1',
    ],
    "old": [],
    "san": ['feature ping=1 setboard=1 san=1 usermove=1 reuse=0 memory=1 smp=1 egt="syzygy" done=1'],
    "fischer": ['feature ping=1 setboard=1 usermove=1 variants="normal,fischerandom" done=1'],
}
THOUGHTS = {  # depth, value, hundredths, nodes and the line, as each writes them
    "fairymax": [
        "# times @ 553713768",
        "-1     15        0          3 {}",
        " 6      3        6     104514 {} d2d4",
    ],
    "phalanx": [
        "Setting average time to 1.000000 seconds",
        " 12     30    62   592012  {}  e2-e4  Nb8-c6  ",
    ],
    "sjeng": [
        "Opening phase.",
        " 2     -15     0       55  {} Nc3 ",
        " 3       0     0      441  {} <Nc3> <e5> !",
        "Move ordering : 86.856834%",
    ],
    "gnuchess": ["12& +13 200 2220000\t {} Nc3 d5"],
    "hoichess": ["", " 9. 58 48 765377 {} e4", "Iteration aborted after 0/20 moves (0%), 0.48 s wasted"],
    "old": ["6. 17 20 1234 1. {}"],
    "san": ["8 100003 5 999\t9 120 0\t{} e4"],
    "fischer": ["1 -7 0 1 {}"],
}
UNKNOWN = {
    "phalanx": "Illegal move: {}",
    "gnuchess": "Invalid move: {}",
    "fairymax": "Error (unknown command): {}",
    "hoichess": "Error (unknown command): {}",
}
NO_DEPTH = ("phalanx", "gnuchess")  # do not know `sd`

moves, thinking, editing = [], False, False
forced = True  # after `force`, until `go`: moves are made and not answered
if like == "phalanx":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it asks for it


def say(text):
    print(text, flush=True)


def now(kind):
    return faults.get(kind) == len(moves)


def think():
    """Answer `go` with a move or a fault."""
    global thinking
    if now("exit"):
        os._exit(1)
    if now("hang"):
        time.sleep(1000)
    if now("long"):
        os.write(1, b"x" * 200_000)
        time.sleep(1000)
    if now("garbage"):
        os.write(
            1,
            b"\xff\xfe\x00\x01 1 2 3 4 5\n" + b"9" * 5000 + b" 1 1 1\n1 99999999999999999999 1 1 e2e4\n",
        )
    for kind, text in (
        ("resign", "resign"),
        ("lost", f"{'01'[len(moves) % 2]}-{'10'[len(moves) % 2]} {{resigns}}"),
        ("won", f"{'10'[len(moves) % 2]}-{'01'[len(moves) % 2]} {{mates}}"),
        ("drawn", "1/2-1/2 {Draw by repetition}"),
        ("illegal", "move e1e8"),
        ("control", "move \x1b[2Je9"),
        ("nothing", "move "),
        ("refuse", f"Illegal move: {moves[-1] if moves else ''}"),
        ("error", "tellusererror out of \x1b[31mmemory"),
    ):
        if now(kind):
            say(text)
            return
    for text in THOUGHTS[like]:
        say(text.format(line[len(moves)]))
    if now("offer"):
        say("offer draw")
    if now("slow") or now("deep"):
        thinking = True
        if now("deep"):
            say("40 1 1 1 a7a6")
        return
    play()


def play():
    word = line[len(moves)]
    if like == "old":
        say(f"{len(moves) // 2 + 1}. ... {word}")
    elif like == "gnuchess":
        say(f"{len(moves) // 2 + 1}. ... {word}")
        say(f"My move is : {word}")
    else:
        say(f"move {word}")
    moves.append(word)
    if now("claim"):
        say("1-0 {White mates}")


def execute(text):
    global moves, thinking, editing, forced
    first, _, rest = text.partition(" ")
    if editing or first == "edit":
        editing = first != "."
        moves = []
        return
    if first == "protover" and like != "old":
        if "mute" in faults:
            time.sleep(1000)
        for feature in FEATURES[like]:
            say(feature)
    elif first == "ping" and like != "old":
        say(f"pong {rest}")
    elif first == "new":
        moves = []
    elif first == "usermove" and like in ("san", "fischer", "gnuchess"):
        moves.append(rest)
        if not forced:
            think()
    elif first == "force":
        forced = True
    elif first == "go":
        forced = False
        think()
    elif first == "?":
        if thinking:
            thinking = False
            play()
        elif like in UNKNOWN:
            say(UNKNOWN[like].format(text))
    elif first == "draw" and "agree" in faults:
        say("offer draw")
    elif first == "quit":
        sys.exit()
    elif first[:1] in "abcdefghKQRBNO" and first[-1:].isdigit() and first not in ("accepted", "black"):
        moves.append(first)
        if not forced:
            think()
    elif first == "sd" and like in NO_DEPTH:
        say(UNKNOWN[like].format(text))


for received in sys.stdin:
    received = received.rstrip("\n")
    if log:
        with open(log, "a") as file:
            file.write(received + "\n")
    execute(received)
