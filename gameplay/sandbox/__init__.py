"""Runs user code in a separate process, which can be killed and optionally is confined.

    engine, limit = sandbox.engine("./mine.py:plies=3")  an engine whose code runs in another process
    engine.at(match)                                     sets the position of the next search
    report = Session(engine).search(position, limit)     as of any engine; raises EngineFault
    engine.close()                                       releases the process

`Guest` (guest.py) starts the process, sends requests and receives replies with a deadline for each, and kills
the process group after a late, malformed or oversized one. `GuestEngine` (engine.py) is the judge's side of
an engine; `search.user_engine` verifies every move, value and line that it returns. `Host` (engine.py) owns
the process of an engine and replaces one that ended. `child.py` is the program of the guest. It receives
positions and limits, but no expected results. `messages.py` is the protocol: frames of JSON, at most 1 MB,
decoded into typed structs; nothing from a guest is unpickled.

A guest has only its own pipes. Its standard input is empty and its standard output is discarded; standard
error is the caller's, or discarded in a confined guest. It ends with the process that started it.

`confinement.py` restricts a guest before user code is loaded: hard resource limits, an unprivileged user id
if the caller is root, Landlock (landlock.py) and a seccomp filter (seccomp.py) on Linux, audit hooks and an
import barrier everywhere. `confinement.layers()` lists the layers available on this system; `gameplay doctor`
prints it.
"""

from gameplay.sandbox.confinement import Confinement
from gameplay.sandbox.engine import GuestEngine, Host, engine
from gameplay.sandbox.guest import Guest
from gameplay.sandbox.messages import Origin

__all__ = ["Confinement", "Guest", "GuestEngine", "Host", "Origin", "engine"]
