"""Compiles the hot modules with Cython; where that fails, installs them as the plain Python they are.

A module is hot if its first line speaks to Cython; its types lie in a `.pxd` beside it. Beside others a
`.pxd` is a header: C that compiled modules use in place of the plain Python (bits, search/descend).
GAMEPLAY_PURE=1 compiles nothing, GAMEPLAY_REQUIRE_COMPILED=1 makes a failure an error. GAMEPLAY_SANITIZE=1
puts in gcc's address and undefined-behaviour sanitizers (`make sanitize` builds so, in a folder of its own).

Cython's own functions (for calls, arguments, imports, exceptions) are compiled once, into SHARED, instead of
into each module: a third less to compile where a module is small. SHARED has no source in the package.

GAMEPLAY_LOCAL=1 compiles for this machine alone: bits are counted and found by single instructions, if its
processor has them (x86-64 since 2013). `make` compiles so; wheels run on every processor.

FAST lists the packages that run faster with -O3. Other modules run as fast with -O1, which compiles them in
half the time.
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

REQUIRED = bool(os.environ.get("GAMEPLAY_REQUIRE_COMPILED"))
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
SANITIZE = bool(os.environ.get("GAMEPLAY_SANITIZE"))
LOCAL = bool(os.environ.get("GAMEPLAY_LOCAL"))
BITS = {"popcnt": "-mpopcnt", "bmi1": "-mbmi", "bmi2": "-mbmi2"}  # options by the names in /proc/cpuinfo
SHARED = "gameplay.native.cython_shared"
FAST = (
    "gameplay.games.backgammon.",
    "gameplay.games.bridge.",
    "gameplay.games.checkers.",
    "gameplay.games.chess.",
    "gameplay.games.go.",
    "gameplay.games.othello.",
    "gameplay.games.puzzle15.",
    "gameplay.games.shared.draughts.",
    "gameplay.kernel",
    "gameplay.learning.deepcfr.",
    "gameplay.native.",
    "gameplay.networks.",
)
HOT = sorted(p for p in Path("gameplay").rglob("*.py") if p.read_bytes().startswith(b"# cython:"))


class AllOrNothing(build_ext):
    """A half-compiled package cannot work (C slots are invisible to Python), so one failure drops all."""

    def run(self):
        self.parallel = self.parallel or os.cpu_count()
        try:
            super().run()
        except Exception as error:
            if REQUIRED:
                raise
            print(f"gameplay: not compiled ({error}); installing plain Python", file=sys.stderr)
            for ext in self.extensions:
                for folder in (Path(), Path(self.build_lib)):
                    (folder / self.get_ext_filename(ext.name)).unlink(missing_ok=True)
            self.extensions = []

    def get_outputs(self):
        return [file for file in super().get_outputs() if os.path.exists(file)]


def bit_options():
    """The options for instructions on bits that this processor has."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    flags = next((line.split() for line in lines if line.startswith("flags")), [])
    return [option for name, option in BITS.items() if name in flags]


def extensions():
    if os.environ.get("GAMEPLAY_PURE"):
        return []
    try:
        from Cython.Build import cythonize
        from Cython.Compiler import Options
    except ImportError:
        if REQUIRED:
            raise
        return []
    Options.warning_errors = True  # a def that fails to override a C slot is only a warning otherwise
    # -w: warnings are of generated code.
    # No fused multiply-add: a sum is then the same number on every machine, and so are node counts.
    compiling = ["-g0", "-w", "-fno-wrapv", "-ffp-contract=off"]
    fast, base = ["-O3"], ["-O1"]
    if LOCAL:
        compiling += bit_options()
    if sys.platform == "win32":
        compiling, fast, base = ["/O2"], [], []
    linking = ["-s"] if sys.platform == "linux" else []
    if SANITIZE:
        compiling = ["-g", "-fno-wrapv", "-ffp-contract=off", "-fno-omit-frame-pointer", *SANITIZERS]
        fast = base
        linking = SANITIZERS
    sources = {".".join(path.with_suffix("").parts): str(path) for path in HOT}
    sources[SHARED] = SHARED.replace(".", "/") + ".c"
    modules = [
        Extension(
            name,
            [source],
            extra_compile_args=compiling + (fast if name.startswith(FAST) else base),
            extra_link_args=linking,
        )
        for name, source in sources.items()
    ]
    side_by_side = os.cpu_count() or 1 if sys.platform == "linux" else 0
    made = cythonize(
        modules,
        nthreads=side_by_side,
        build_dir="build/cython",
        shared_utility_qualified_name=SHARED,
        compiler_directives={"auto_pickle": False},  # kernels have a `__reduce__`; nothing else is pickled
        show_all_warnings=False,
        quiet=True,
    )
    # Largest first, so that no large module is left for the end.
    return sorted(made, key=lambda module: os.path.getsize(module.sources[0]), reverse=True)


setup(ext_modules=extensions(), cmdclass={"build_ext": AllOrNothing})
