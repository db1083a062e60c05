# Everything runs from a virtual environment of its own, made on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PEERS := $(VENV)/.peers

.PHONY: play test prove lint bench bench-short screenshots clean

play: $(STAMP)
	@$(BIN)/tui-casino

test: $(STAMP)
	$(BIN)/pytest -n 4 --dist worksteal

prove: $(STAMP)
	$(BIN)/pytest -m prove -n 2 --dist loadgroup --durations 12 --ignore=tests/tui
	$(BIN)/pytest -m prove -n 4 --dist worksteal --durations 5 tests/tui

lint: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(PEERS)
	@for bench in tests/bench/bench_*.py; do echo "$$bench"; $(BIN)/python $$bench || exit 1; done

bench-short: $(PEERS)
	@for bench in tests/bench/bench_*.py; do echo "$$bench"; $(BIN)/python $$bench --short || exit 1; done

screenshots: $(STAMP)
	$(BIN)/python screenshots/make.py

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] + "; say make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(STAMP)

$(PEERS): $(STAMP)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[bench]'
	@touch $(PEERS)
