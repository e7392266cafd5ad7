# Each target suffices on a fresh machine that has Python 3.11 or newer and make.
#
#   make setup   the environment in .venv, from the hashed lock
#   make site    the shipped example into _site/
#   make preview the shipped example, served on this machine; a save shows in the open page
#   make test    all tests
#   make nightly all tests, with sixteen times as many examples of each law
#   make fuzz    altered bytes for every reader, for ten minutes
#   make matrix  tests that may differ, and sites verified across, every Python from 3.11 to 3.14 that is found
#   make docs    the documentation as a site into _docs/, every link of it followed
#   make check   everything that must hold before a change is kept

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:

# One more than two cores: a test often waits for a browser or for a process of its own.
WORKERS ?= 3
PYTEST_ARGS ?=
MATRIX_ARGS ?=
# A file's tests stay with one worker, which makes what they share once; conftest.py has the long files first.
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
BIN := .venv/bin

# The first Python that is new enough and can make an environment; `make PYTHON=...` overrides it.
PYTHON ?= $(shell for python in python3.11 python3.12 python3.13 python3.14 python3; do \
	$$python -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)

.PHONY: help setup site preview test nightly lint types arrows check coverage wheel lock clean

help:
	@sed -n 's/^#   make/make/p' Makefile

# ---- the environment: made anew when the lock changes, linked anew when the package's metadata do

setup: .venv/linked

.venv/locked: requirements.lock
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or newer with venv found (make setup PYTHON=/path/to/python)" >&2; exit 1; }
	@echo "making .venv with $(PYTHON)"
	@$(PYTHON) -m venv --clear .venv
	@echo "fetching and installing $$(grep -c '^[a-z].*==' requirements.lock) packages of requirements.lock into .venv"
	@( n=0; while sleep 5; do n=$$((n + 5)); echo "  still at it ($$n s)"; done ) & said=$$!; \
		trap 'kill $$said 2>/dev/null' EXIT; \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.lock
	@touch $@

.venv/linked: .venv/locked pyproject.toml
	@echo "linking assay into .venv"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# ---- what it is for

site: setup
	$(BIN)/python build.py

preview: setup
	$(BIN)/python build.py preview

test: setup
	$(PYTEST) $(PYTEST_ARGS)

nightly: export ASSAY_HYPOTHESIS := assay-nightly
nightly: PYTEST_ARGS += -o faulthandler_timeout=3600
nightly: test

# ---- what keeps the house

lint: setup
	$(BIN)/ruff check .

types: setup
	$(BIN)/mypy

arrows: setup
	$(BIN)/lint-imports --no-logo

check: lint types arrows test

coverage: setup
	$(PYTEST) --cov --cov-report=term $(PYTEST_ARGS)

# Known mutations of the tree, one at a time: each must fail the tests that are named beside it.
.PHONY: mutants
mutants: setup
	$(BIN)/python -m tests.mutants

# What is found is kept in tests/fuzz/corpus, and tried by every run of the tests from then on.
.PHONY: fuzz
SECONDS_OF_FUZZ ?= 600
fuzz: setup
	$(BIN)/python -X faulthandler -m tests.fuzz --seconds $(SECONDS_OF_FUZZ)

# Each Python that is at hand, in an environment of its own: tests that may differ, and sites across all of them.
.PHONY: matrix
matrix: setup
	$(BIN)/python -m tests.matrix $(MATRIX_ARGS)

.PHONY: docs
docs: export NO_MKDOCS_2_WARNING := 1
docs: setup
	$(BIN)/mkdocs build --strict --quiet

# ---- for those who release

# Both ledgers, then the example's first edition, which is published under them. A row once written stays: where a
# contract's source changed and no number did, REVISE="why" adds its new digest, proved against the site in _site.
.PHONY: ledgers
ledgers: setup
	$(BIN)/python build.py lock --package $(if $(REVISE),--revise "$(REVISE)")
	$(BIN)/python build.py lock $(if $(REVISE),--revise "$(REVISE)")
	$(BIN)/python content/first_edition.py

# The charts of every kind of figure, made before they are shipped; a test says when they must be made anew.
.PHONY: charts
charts: setup
	$(BIN)/python -m tests.support.make_charts

wheel: setup
	$(BIN)/python -m hatchling build --directory dist

# Needs the package index. Keeps the versions that the lock has; `make lock UPGRADE=--upgrade` renews them.
UV := uv==0.13.9
UPGRADE ?=
lock:
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check $(UV)
	.venv-lock/bin/uv pip compile pyproject.toml --extra dev --extra dask --extra remote --universal --generate-hashes \
		--no-emit-index-url --custom-compile-command "make lock" $(UPGRADE) --quiet --output-file requirements.lock

clean:
	rm -rf .venv .venv-lock .venv-matrix _site _docs dist .assay-cache .coverage .coverage.* \
		.mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
