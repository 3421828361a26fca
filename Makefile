# make play [GAME=chess] [ARGS="--engine iterative --time 2"]    set up, then play
# make test                                                        set up, then run every test
# make docs                                                        the documentation site and man pages, in build
# make dist [KINDS=pure]                                           make the wheels and the source distribution
# make web                                                         the page to play in a browser, in build/web
# make web-test                                                    play every game there in headless Chromium
# make mutate [SEED=7 COUNT=40 FILES="gameplay/runs"]              change the code here and there: do the tests notice?
PYTHON ?= python3
GAME ?=
ARGS ?=
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile
HOT := $(shell find gameplay -name '*.pxd')
SOURCES := pyproject.toml setup.py $(HOT) $(wildcard $(HOT:.pxd=.py))

SANE := build/sanitized
# Engines in sandboxes cannot start there: the sanitizers want more address space than a submission may have.
SANDBOXED := $(addprefix --ignore=tests/,test_packaging.py suites/test_assignment.py hostile/test_submissions.py)
TESTS ?= tests $(SANDBOXED)
SEED ?= 1
COUNT ?= 20

# Programs that write no bytecode compile the package anew each time, and tests start hundreds of programs.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play test once once-first once-second compiled pure check docs bench \
  mutate sanitize dist web web-test clean

MAKEFLAGS += --jobs=4  # while modules compile the libraries load, and many tests only wait

play: .venv/ready
	@GAMEPLAY_MAKE=play $(BIN)/play $(GAME) $(ARGS)

test: once pure compiled

# Tests marked "once" touch no module that is compiled, or only to have something to show, run or store. Most of
# them wait for programs and terminals, so that two halves of them take half the time. Every second file is in
# one half: files beside each other test similar things and take about as long.
ONCE := $(shell grep -rl --include='test_*.py' 'mark\.once' tests | sort)
FIRST := $(shell printf '%s\n' $(ONCE) | awk 'NR % 2')
SECOND := $(filter-out $(FIRST),$(ONCE))
once: once-first once-second

# Run tests with the arguments $(1) in the environment $(2). To have each `assert` of 90,000 lines show its values
# takes pytest longer than all tests of games: only tests that failed run again with it.
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

# Warnings are errors: a link to a page or a heading that is not there, a page that no other lists.
SPHINX := $(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --doctree-dir build/doctrees docs
docs: .venv/site
	$(SPHINX) -b html build/docs
	$(SPHINX) -b man build/man

bench: .venv/ready-dev
	$(BIN)/python -m benchmarks

# The source distribution, the wheels and the SBOM, in dist/; KINDS=pure compiles nothing.
dist: .venv/ready-dev
	$(BIN)/python -m release.dist $(KINDS)

# Pyodide comes from GAMEPLAY_PYODIDE, a folder, from node_modules, or from npm: see docs/contributing/browser.md.
web: .venv/ready-dev
	$(BIN)/python -m web.build

web-test: web
	$(BIN)/python -m pytest tests/web

mutate: .venv/ready-dev
	$(BIN)/python tests/mutate.py --seed $(SEED) --count $(COUNT) $(FILES)

# The same tests under gcc's address and undefined-behaviour sanitizers, with bounds checked; in a copy.
sanitize: .venv/made
	mkdir -p $(SANE)
	git ls-files -z | xargs -0 cp --parents -t $(SANE)
	grep -rl '^# cython: .*boundscheck=False' $(SANE)/gameplay --include='*.py' | \
	  xargs sed -i '1s/boundscheck=False/boundscheck=True/; 1s/initializedcheck=False/initializedcheck=True/'
	cd $(SANE) && { test -d .venv || $(PYTHON) -m venv .venv; } && \
	  GAMEPLAY_SANITIZE=1 GAMEPLAY_REQUIRE_COMPILED=1 .venv/bin/python -m pip install --quiet --editable '.[dev]'
	cd $(SANE) && LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
	  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc \
	  .venv/bin/python -m pytest -o faulthandler_timeout=7200 $(TESTS)

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one: make PYTHON=python3.12 ..."; exit 2; }
	@echo "Setting up in .venv, once: one to two minutes."
	@$(PYTHON) -m venv .venv
	@touch $@

# Install what $(1) of pyproject.toml lists, one after the other: pip does not expect another pip beside it.
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
	@# compat puts this folder on the path; the import hook of the usual mode costs each program 30 ms
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
	  'Playing without compiled engines, about 50 times slower: no C compiler worked (try gcc, then make clean).')"
	@touch $@

.venv/ready-dev: .venv/ready .venv/tools
	@touch $@

clean:
	rm -rf .venv build dist *.egg-info
	find gameplay -name '*.so' -delete
