"""Runs user code in a process of its own, which can be killed and, on request, is confined.

    engine, limit = sandbox.engine("./mine.py:plies=3")  an engine whose code runs in another process
    engine.at(match)                                     sets the position of the next search
    report = Session(engine).search(position, limit)     as of any engine; raises EngineFault
    engine.close()                                       gives the process up

`Guest` (guest.py) starts the process, sends requests and receives replies with a deadline for each, and kills
the process group when one is late, malformed or too large. `GuestEngine` (engine.py) is the judge's side of
an engine; `search.user_engine` verifies every move, value and line that it returns.
`Host` (engine.py) keeps the process of an engine and replaces one that ended. `child.py` is the program of
the guest. It receives positions and limits, and nothing about what is expected. `messages.py` is the
protocol: frames of JSON, at most 1 MB, decoded into typed structs; nothing from a guest is unpickled.

A guest has only its own pipes. Its standard input is empty, what it writes to standard output is discarded;
standard error is the caller's, or discarded in a confined guest. It ends with the process that started it.

`confinement.py` restricts a guest before user code is loaded: hard resource limits, an unprivileged user id
where the caller is root, Landlock (landlock.py) and a seccomp filter (seccomp.py) on Linux, audit hooks and
an import barrier everywhere. `confinement.layers()` lists what this system has; `gameplay doctor` prints it.
"""

from gameplay.sandbox.confinement import Confinement
from gameplay.sandbox.engine import GuestEngine, Host, engine
from gameplay.sandbox.guest import Guest
from gameplay.sandbox.messages import Origin

__all__ = ["Confinement", "Guest", "GuestEngine", "Host", "Origin", "engine"]
