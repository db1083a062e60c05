# All targets use a virtual environment, which is created on first use. `make play` installs only the
# program; the other targets add what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --quiet --disable-pip-version-check install
PROGRAM := $(VENV)/.program
DEV := $(VENV)/.dev
PEERS := $(VENV)/.peers
SITE := $(VENV)/.site
MERMAID := $(VENV)/mermaid-12.3.0/package/dist/mermaid.min.js

# programs that tests start read this package's bytecode; without it, each of them would compile it
export PYTHONDONTWRITEBYTECODE :=
PYTEST := $(BIN)/python -m compileall -q tui_casino && $(BIN)/pytest
TESTS := $(PYTEST) -rs -n 3 --dist worksteal
PROOFS := $(PYTEST) -m prove -rs -n 2 --dist loadgroup --durations 12
PROVE ?= tests/games

.PHONY: play test test-retry test-kernels prove prove-programs prove-files prove-all lint bench bench-short studies compat \
  dist sbom packages release equilibrium screenshots site clean

play: $(PROGRAM)
	@$(BIN)/tui-casino

test: $(DEV)
	$(TESTS)

# As `make test`, but up to five tests that fail run a second time, alone and in one process.
test-retry: $(DEV)
	rm -rf .pytest_cache
	$(TESTS) || $(BIN)/python .ci/second_try.py $$?

# The tests of figures that could depend on the processor, with the plainest kernels of NumPy.
test-kernels: $(DEV)
	$(BIN)/python .ci/kernels.py

# The proofs of the games, or only of PROVE, such as `make prove PROVE=tests/games/cribbage`.
prove: $(DEV)
	$(PROOFS) $(PROVE)

# The proofs of screens and server, which drive real programs, and of the pictures.
prove-programs: $(DEV)
	$(PROOFS) tests/host
	$(BIN)/pytest -m prove -rs -n 4 --dist worksteal --durations 5 tests/tui
	$(BIN)/python screenshots/make.py --check

# The other proofs: contracts, files, records, documents and installations.
prove-files: $(DEV)
	$(PROOFS) $(addprefix --ignore=,tests/games tests/host tests/tui)

prove-all: prove prove-files prove-programs

lint: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.prose

# How fast the program is: the figures of docs/benchmarks.md.
bench: $(PEERS)
	@for bench in tests/bench/bench_*.py; do echo "$$bench"; $(BIN)/python $$bench || exit 1; done

# How well computer players play: the matches of docs/theory.
studies: $(DEV)
	@for study in tests/studies/*.py; do echo "$$study"; $(BIN)/python $$study || exit 1; done

bench-short: $(PEERS)
	@for bench in tests/bench/bench_*.py tests/studies/*.py; do \
	  echo "$$bench"; $(BIN)/python $$bench --short || exit 1; done

compat: $(DEV)
	$(BIN)/python .ci/compat.py

# Build the packages, the manual page and the completions, reproducibly for each commit.
dist: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 1577836800)
dist: $(DEV)
	rm -rf dist
	$(BIN)/python -m hatchling build
	cp packaging/share/man/man1/tui-casino.1 dist
	tar -C packaging/share --exclude=man --sort=name --owner=0 --group=0 --numeric-owner \
	  --mode=u=rwX,go=rX --mtime=@$$SOURCE_DATE_EPOCH -cf - . | gzip -n >dist/completions.tar.gz

# Write a bill of materials (CycloneDX) of the dependencies and of the third-party files in the wheel.
sbom: dist
	$(BIN)/uv venv --quiet --clear .compat/sbom
	$(BIN)/uv pip install --quiet --python .compat/sbom dist/*.whl
	$(BIN)/uvx --quiet --from 'cyclonedx-bom>=7,<8' cyclonedx-py environment .compat/sbom \
	  --pyproject pyproject.toml --output-reproducible --output-format JSON --output-file dist/sbom.cdx.json
	$(BIN)/python -m tests.release.sbom dist/sbom.cdx.json

# Build everything that is published, with checksums, and print the commit and the files.
packages: sbom
	@cd dist && sums=$$(sha256sum -- *) && echo "$$sums" >SHA256SUMS
	@git log -1 --format='built in dist from commit %h of %cs:' 2>/dev/null || echo "built in dist:"
	@cd dist && wc -c -- * | sed 's/ total$$/ bytes in total/'

# Release a version: run all checks, then build the packages.
release: export ALL_PROGRAMS = 1
release:
	@[ ! -e .git ] || git diff --quiet HEAD -- || { echo "commit your changes first: packages are built from a commit"; exit 1; }
	bash .ci/run
	$(MAKE) site
	npm install --silent --prefix $(VENV)/player asciinema-player@3.18.0 jsdom@29.1.1
	$(MAKE) prove-all
	$(MAKE) bench-short
	$(MAKE) compat
	$(MAKE) packages

equilibrium: $(PROGRAM)
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.build_data.five_card_draw

screenshots: $(DEV)
	$(BIN)/python screenshots/make.py

# Build the documents as a site in build/site/html. Pages are copied with their folders, so that links
# between them work both on the site and in the repository. Without npm, browsers fetch mermaid themselves.
site: $(SITE)
	rm -rf build/site && mkdir -p build/site/source/mermaid
	tar -cf - *.md LICENSE docs screenshots/*.svg screenshots/*.png screenshots/*.cast \
	  tui_casino/host/web/page/vendor/README.md | tar -xf - -C build/site/source
	if command -v npm >/dev/null; then $(MAKE) $(MERMAID) && cp $(MERMAID) build/site/source/mermaid; fi
	$(BIN)/zensical build --strict --clean

$(MERMAID):
	@mkdir -p $(VENV)/mermaid-12.3.0
	npm pack --silent --pack-destination $(VENV)/mermaid-12.3.0 mermaid@12.3.0
	tar -xzf $(VENV)/mermaid-12.3.0/*.tgz -C $(VENV)/mermaid-12.3.0 package/dist/mermaid.min.js

$(SITE): $(DEV)
	@echo "Installing the site generator ..."
	@$(PIP) -e '.[docs]'
	@touch $@

clean:
	rm -rf $(VENV) .cache .compat dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] + "; use make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	@echo "Creating a virtual environment in $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)

$(PROGRAM): pyproject.toml | $(BIN)/pip
	@echo "Installing TUI Casino and its dependencies (about 125 MB on disk). This takes up to a minute the first time ..."
	@$(PIP) -e .
	@touch $@

$(DEV): pyproject.toml | $(BIN)/pip
	@echo "Installing TUI Casino and the development tools (about 290 MB on disk). This takes a minute or two the first time ..."
	@$(PIP) -e '.[dev]'
	@touch $(PROGRAM) $@

$(PEERS): $(DEV)
	@echo "Installing the packages that the benchmarks compare with ..."
	@$(PIP) -e '.[bench]'
	@touch $@
