# make play [GAME=chess] [ARGS="--engine iterative --time 2"]    set up, then play
# make test                                                        set up, then run every test
# make docs                                                        the documentation site and man pages, in build
# make dist [KINDS=pure]                                           build the wheels and the source distribution
# make web                                                         the browser version, in build/web
# make web-test                                                    play every game in it in headless Chromium
# make mutate [SEED=7 COUNT=40 FILES="gameplay/runs"]              mutation testing: do the tests fail for random changes?
PYTHON ?= python3
GAME ?=
ARGS ?=
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile
HOT := $(shell find gameplay -name '*.pxd')
SOURCES := pyproject.toml setup.py $(HOT) $(wildcard $(HOT:.pxd=.py))

SANITIZED := build/sanitized
# Sandboxed engines cannot start there: the sanitizers need more address space than a sandbox allows.
SANDBOXED := $(addprefix --ignore=tests/,test_packaging.py suites/test_assignment.py hostile/test_submissions.py)
TESTS ?= tests $(SANDBOXED)
SEED ?= 1
COUNT ?= 20

# Without bytecode files, each of the hundreds of programs that tests start would compile the package again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play test once once-first once-second compiled pure check docs bench \
  mutate sanitize dist web web-test clean

MAKEFLAGS += --jobs=4  # libraries are installed while modules compile, and many tests mostly wait

play: .venv/ready
	@GAMEPLAY_MAKE=play $(BIN)/play $(GAME) $(ARGS)

test: once pure compiled

# Tests marked "once" give the same result in both builds, so they run compiled only. Most of them wait for
# programs and terminals, so two halves in parallel take half the time. Files alternate between the halves,
# since neighbours take about as long.
ONCE := $(shell grep -rl --include='test_*.py' 'mark\.once' tests | sort)
FIRST := $(shell printf '%s\n' $(ONCE) | awk 'NR % 2')
SECOND := $(filter-out $(FIRST),$(ONCE))
once: once-first once-second

# Run tests with the arguments $(1) in the environment $(2). Rewriting the `assert`s of 90,000 lines takes pytest
# longer than all tests of games, so only failed tests run again with it.
define pytest
$(2) $(BIN)/python -m pytest --assert=plain -o cache_dir=.pytest_cache/$@ $(1) || { $(2) $(BIN)/python -m pytest \
  -o cache_dir=.pytest_cache/$@ --last-failed --last-failed-no-failures=none $(1); exit 1; }
endef

once-first: .venv/ready-dev
	$(call pytest,-m once $(FIRST))

once-second: .venv/ready-dev
	$(call pytest,-m once $(SECOND))

compiled: .venv/ready-dev
	$(call pytest,-m 'not once')

pure: .venv/ready-dev
	$(call pytest,-m 'not once',GAMEPLAY_PURE=1)

check: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Warnings are errors: missing link targets, pages in no table of contents.
SPHINX := $(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --doctree-dir build/doctrees docs
docs: .venv/site
	$(SPHINX) -b html build/docs
	$(SPHINX) -b man build/man

bench: .venv/ready-dev
	$(BIN)/python -m benchmarks

# The source distribution, the wheels and the SBOM, in dist/; KINDS=pure compiles nothing.
dist: .venv/ready-dev
	$(BIN)/python -m release.dist $(KINDS)

# Pyodide is taken from the folder GAMEPLAY_PYODIDE, node_modules or npm: see docs/contributing/browser.md.
web: .venv/ready-dev
	$(BIN)/python -m web.build

web-test: web
	$(BIN)/python -m pytest tests/web

mutate: .venv/ready-dev
	$(BIN)/python tests/mutate.py --seed $(SEED) --count $(COUNT) $(FILES)

# The tests under gcc's address and undefined-behaviour sanitizers, with bounds checks, in a copy.
sanitize: .venv/made
	mkdir -p $(SANITIZED)
	git ls-files -z | xargs -0 cp --parents -t $(SANITIZED)
	grep -rl '^# cython: .*boundscheck=False' $(SANITIZED)/gameplay --include='*.py' | \
	  xargs sed -i '1s/boundscheck=False/boundscheck=True/; 1s/initializedcheck=False/initializedcheck=True/'
	cd $(SANITIZED) && { test -d .venv || $(PYTHON) -m venv .venv; } && \
	  GAMEPLAY_SANITIZE=1 GAMEPLAY_REQUIRE_COMPILED=1 .venv/bin/python -m pip install --quiet --editable '.[dev]'
	cd $(SANITIZED) && LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
	  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc \
	  .venv/bin/python -m pytest -o faulthandler_timeout=7200 $(TESTS)

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is required. Try: make PYTHON=python3.12 ..."; exit 2; }
	@echo "Setting up .venv, once: one to two minutes."
	@$(PYTHON) -m venv .venv
	@touch $@

# Install the packages listed in $(1) of pyproject.toml. These targets form a chain: pip must not run in parallel.
define libraries
@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))$(1), sep="\n")' > $@.txt
@$(PIP) -r $@.txt
@touch $@
endef

.venv/compilers: .venv/made pyproject.toml
	$(call libraries,["build-system"]["requires"])

.venv/libraries: .venv/compilers
	$(call libraries,["project"]["dependencies"])

.venv/installed: .venv/libraries
	@# compat adds this folder to the path; the import hook of the default mode costs each program 30 ms
	@GAMEPLAY_PURE=1 $(PIP) --no-build-isolation --config-settings editable_mode=compat --no-deps --editable .
	@touch $@

.venv/tools: .venv/installed
	$(call libraries,["project"]["optional-dependencies"]["dev"])

.venv/site: .venv/ready-dev
	$(call libraries,["project"]["optional-dependencies"]["docs"])

.venv/compiled: .venv/compilers $(SOURCES)
	@GAMEPLAY_LOCAL=1 $(BIN)/python setup.py --quiet build_ext --inplace
	@touch $@

.venv/ready: .venv/installed .venv/compiled
	@$(BIN)/python -c "from gameplay.kernel import compiled; compiled() or print( \
	  'Engines are not compiled, about 50 times slower: no working C compiler. Try: install gcc, then make clean')"
	@touch $@

.venv/ready-dev: .venv/ready .venv/tools
	@touch $@

clean:
	rm -rf .venv build dist *.egg-info
	find gameplay -name '*.so' -delete
