"""Compiles the hot modules with Cython; if compilation fails, installs them as plain Python.

Hot modules have a `# cython:` directive in their first line, and a `.pxd` with their types beside them. A
`.pxd` beside any other module is a header: compiled modules use its C code instead of the Python code (bits,
search/descend).

Environment variables:

    GAMEPLAY_PURE=1              compile nothing
    GAMEPLAY_REQUIRE_COMPILED=1  raise an error if compilation fails
    GAMEPLAY_LOCAL=1             use this processor's bit and vector instructions (x86-64 since 2013);
                                 set by `make`, not for wheels, which run on every processor
    GAMEPLAY_SANITIZE=1          add gcc's address and undefined-behaviour sanitizers; set by `make sanitize`

Cython's utility functions (calls, arguments, imports, exceptions) are compiled once, into SHARED, instead of
into each module: small modules have a third less code. SHARED has no source in the package.

Modules in OPTIMIZED run faster with -O3. Others, and SHARED, are as fast with -O1, which compiles in half the
time.
"""

import gc
import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

REQUIRED = bool(os.environ.get("GAMEPLAY_REQUIRE_COMPILED"))
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
SANITIZE = bool(os.environ.get("GAMEPLAY_SANITIZE"))
LOCAL = bool(os.environ.get("GAMEPLAY_LOCAL"))
LOCAL_OPTIONS = {  # by processor flag
    "popcnt": "-mpopcnt",
    "bmi1": "-mbmi",
    "bmi2": "-mbmi2",
    "avx2": "-mavx2",
}
SHARED = "gameplay.native.cython_shared"
OPTIMIZED = (
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
HOT_MODULES = sorted(p for p in Path("gameplay").rglob("*.py") if p.read_bytes().startswith(b"# cython:"))


class BuildAllOrNone(build_ext):
    """Removes all compiled modules if one fails: C slots are invisible to Python, so a mix cannot work."""

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


def local_options():
    """The compiler options for the bit and vector instructions of this processor."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    flags = next((line.split() for line in lines if line.startswith("flags")), [])
    return [option for name, option in LOCAL_OPTIONS.items() if name in flags]


def extensions():
    """The modules to compile: none without Cython or with GAMEPLAY_PURE=1."""
    if os.environ.get("GAMEPLAY_PURE"):
        return []
    try:
        from Cython.Build import cythonize
        from Cython.Compiler import Options
    except ImportError:
        if REQUIRED:
            raise
        return []
    Options.warning_errors = True  # a method that does not override its C slot is only a warning
    # -w: C warnings concern generated code only.
    # -ffp-contract=off: without fused multiply-add, sums and node counts are equal on all machines.
    compile_args = ["-g0", "-w", "-fno-wrapv", "-ffp-contract=off"]
    optimized, base = ["-O3"], ["-O1"]
    if LOCAL:
        compile_args += local_options()
    if sys.platform == "win32":
        compile_args, optimized, base = ["/O2"], [], []
    link_args = ["-s"] if sys.platform == "linux" else []
    if SANITIZE:
        compile_args = ["-g", "-fno-wrapv", "-ffp-contract=off", "-fno-omit-frame-pointer", *SANITIZERS]
        optimized = base
        link_args = SANITIZERS
    sources = {".".join(path.with_suffix("").parts): str(path) for path in HOT_MODULES}
    sources[SHARED] = SHARED.replace(".", "/") + ".c"
    modules = [
        Extension(
            name,
            [source],
            extra_compile_args=compile_args
            + (optimized if name.startswith(OPTIMIZED) and name != SHARED else base),
            extra_link_args=link_args,
        )
        for name, source in sources.items()
    ]
    processes = os.cpu_count() or 1 if sys.platform == "linux" else 0
    gc.disable()  # Cython takes 40 % less time, and up to 600 MB in each process
    compiled = cythonize(
        modules,
        nthreads=processes,
        build_dir="build/cython",
        shared_utility_qualified_name=SHARED,
        compiler_directives={"auto_pickle": False},  # kernels define `__reduce__`; nothing else is pickled
        show_all_warnings=False,
        quiet=True,
    )
    gc.enable()
    # Largest first, so that the parallel build does not end with a large one.
    return sorted(compiled, key=lambda module: os.path.getsize(module.sources[0]), reverse=True)


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildAllOrNone})
