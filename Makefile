# make play [GAME=connect4] [ARGS="--engine iterative --time 2"]    set up, then play
# make test                                                        set up, then run every test
PYTHON ?= python3
GAME ?= connect4
ARGS ?=
BIN := .venv/bin
HOT := $(shell find gameplay -name '*.pxd')
SOURCES := pyproject.toml setup.py $(HOT) $(wildcard $(HOT:.pxd=.py))

.PHONY: play test check bench clean

play: .venv/ready
	@$(BIN)/play $(GAME) $(ARGS)

test: .venv/ready-dev
	$(BIN)/python -m pytest
	GAMEPLAY_PURE=1 $(BIN)/python -m pytest

check: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/gameplay bench --check
	$(BIN)/gameplay regress configs/regress/*.toml

bench: .venv/ready-dev
	$(BIN)/python -m benchmarks

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one: make PYTHON=python3.12 ..."; exit 2; }
	@echo "Setting up in .venv, once: about a minute."
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/ready: .venv/made $(SOURCES)
	@$(BIN)/python -m pip install --quiet --editable .
	@$(BIN)/python -c "from gameplay.kernel import compiled; compiled() or print( \
	  'Playing without compiled engines, about 50 times slower: no C compiler worked (try gcc, then make clean).')"
	@touch $@

.venv/ready-dev: .venv/ready
	@$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

clean:
	rm -rf .venv build dist *.egg-info
	find gameplay -name '*.so' -delete
