"""An engine that plays the first free cell of tic-tac-toe, and fails as requested.

    mock_engine.py [--protocol ugi|uci|gtp] [--fault KIND[@ply:N]] ... [--mark ANYTHING]

A fault with a ply happens when a move is asked for after so many moves. Needs nothing but Python; run it with
`-I -S` and it is up in 20 ms. KIND is one of

    mute       never says ugiok                     exit, segv, kill   dies while thinking
    banner     greets with garbage and blank lines  hang               thinks for ever, deaf to stop
    dienew     exits at each new game               slow               moves only when stopped
    dieonce    exits after each move                late               moves after 0.2 s
    unready    hangs in isready                     stubborn           hangs, deaf to SIGTERM, with a child
    illegal    answers a cell that is taken         malformed, none, null     no cell at all
    twice      says bestmove twice                  flood              100 MB without a line's end
    chatter    says info for ever                   nostdin, nostdout  closes one pipe
    claim      believes that the first player won   noscore, flip      no score, or a wrong one
    complain   writes 200 lines to stderr, exits
"""

import os
import signal
import subprocess
import sys
import time

CELLS = [column + row for row in "123" for column in "abc"]
NONE = 10**9

arguments = sys.argv[1:]
protocol = "ugi"
faults = {}
while arguments:
    name, text = arguments.pop(0), arguments.pop(0)
    if name == "--protocol":
        protocol = text
    elif name == "--fault":
        kind, _, ply = text.partition("@ply:")
        faults[kind] = int(ply) if ply else NONE

moves = []
pending = ""  # the move of a search that waits for `stop`


def say(line):
    print(line, flush=True)


def now(kind):
    return faults.get(kind) == len(moves)


def sleep():
    while True:
        time.sleep(1000)


def die():
    """End a search without a move, in one of several ways."""
    if now("complain"):
        for number in range(200):
            print(f"complaint {number}", file=sys.stderr)
        sys.stderr.flush()
        os._exit(3)
    if now("exit"):
        os._exit(1)
    if now("segv"):
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGSEGV)
    if now("kill"):
        os.kill(os.getpid(), signal.SIGKILL)
    if now("hang"):
        sleep()
    if now("stubborn"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(1000)", *sys.argv[1:]])
        sleep()
    if now("flood"):
        try:
            for _ in range(100):
                os.write(1, b"x" * 1_000_000)
        except OSError:
            os._exit(0)
        sleep()
    if now("chatter"):
        try:
            while True:
                os.write(1, b"info depth 1 nodes 1 score cp 0 time 0 nps 0 hashfull 0\n" * 1000)
        except OSError:
            os._exit(0)
    if now("nostdout"):
        os.close(1)
        sleep()


def choice():
    free = [cell for cell in CELLS if cell not in moves]
    if now("illegal"):
        return moves[0] if moves else "a9"
    for kind, word in (("malformed", ""), ("none", "(none)"), ("null", "0000")):
        if now(kind):
            return word
    return free[0] if free else ""


def go():
    global pending
    die()
    if now("late"):
        time.sleep(0.2)
    if now("slow"):
        pending = choice()
        return
    if now("nostdin"):
        os.close(0)
    if "noscore" not in faults:
        value = -50 if "flip" in faults else 50
        say(f"info depth 3 seldepth 4 score cp {value} nodes 17 pv {choice()} zz")
    say(f"bestmove {choice()}")
    if now("twice"):
        say("bestmove c3")
    if now("nostdin"):
        sleep()
    if now("dieonce"):
        os._exit(0)


def speak(line):
    global moves, pending
    words = line.split()
    if not words:
        return
    if words[0] in ("ugi", "uci"):
        if "mute" in faults:
            sleep()
        if "banner" in faults:
            os.write(1, b"\n\nMock 1.0 \xff\xfe by nobody\n\nbestmove a1\nreadyok\n\n")
        say("id name Mock")
        say("option name Skill Level type spin default 3 min 0 max 20")
        say(words[0] + "ok")
    elif words[0] == "isready":
        if now("unready"):
            sleep()
        say("readyok")
    elif words[0] == "setoption":
        print(line.strip(), file=sys.stderr, flush=True)
    elif words[0] in ("uginewgame", "ucinewgame"):
        if "dienew" in faults:
            os._exit(4)
        moves = []
    elif words[0] == "position":
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
    elif words[0] == "query":
        if "claim" in faults:
            say("response p1win")
    elif words[0] == "go":
        go()
    elif words[0] == "stop" and pending:
        word, pending = pending, ""
        say(f"bestmove {word}")
    elif words[0] == "quit":
        sys.exit()


def speak_gtp(line):
    global moves
    number, *words = line.split()
    answer, done = "", True
    if words[0] == "name":
        answer = "Mock"
    elif words[0] == "protocol_version":
        answer = "2"
    elif words[0] == "clear_board":
        moves = []
    elif words[0] == "play":
        moves.append(words[2].lower())
    elif words[0] == "genmove":
        die()
        answer = "resign" if now("none") else choice().upper()
        moves.append(answer.lower())
    elif words[0] == "boardsize":
        done = words[1] == "3"
        answer = "" if done else "unacceptable size"
    elif words[0] == "quit":
        say(f"={number}\n")
        sys.exit()
    else:
        answer, done = "unknown command", False
    say(f"{'=' if done else '?'}{number} {answer}\n")


for received in sys.stdin:
    if protocol == "gtp":
        speak_gtp(received)
    else:
        speak(received)
