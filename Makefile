.PHONY: help demo test test-lab test-fast test-all test-extras test-scispacy gate check archive ready up docs site
PYTHON ?= python3
VENV := .venv
EXTRAS := build/extras-venv
SCISPACY := build/scispacy-venv
PIP_INSTALL := $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# Two workers, each with servers of its own; tests that share what a server holds go to one of them, the longest first.
# Compiled code is kept whatever the environment says: the tests start Python many times.
WORKERS ?= 2
PYTEST := PYTHONDONTWRITEBYTECODE= $(VENV)/bin/python -m pytest --numprocesses $(WORKERS) --dist loadgroup --no-loadscope-reorder

help: ## list what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 8

demo: $(VENV)/.installed ## set everything up and print a cited answer
	@$(VENV)/bin/medgraph quickstart

up: $(VENV)/.installed ## start the embedded Neo4j with the schema and the sample
	@$(VENV)/bin/medgraph quickstart > /dev/null
	@$(VENV)/bin/medgraph neo4j status

check: $(VENV)/.installed-dev ## lint, type-check, and compare sizes with docs/size.tsv
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@link=$$(mktemp -d) && ln -s "$(CURDIR)" "$$link/medgraph" && \
	  MYPYPATH="$$link" $(VENV)/bin/mypy --strict -p medgraph; \
	  status=$$?; rm -rf "$$link"; exit $$status
	@$(VENV)/bin/python -m pytest -q --no-header -p no:cacheprovider tests/test_size.py tests/test_words.py

archive: $(VENV)/.installed
	@$(VENV)/bin/python -m tests.support.archive

# What lets servers start fast is made beside the set-up and the checks, which keep one processor busy.
ready:
	@$(MAKE) --no-print-directory --jobs 2 check archive

test: ready ## lint, type-check and test the product against a real Neo4j
	@$(PYTEST) --ignore tests/lab

test-lab: $(VENV)/.installed-dev ## test what measures and trains
	@$(PYTEST) tests/lab

test-fast: $(VENV)/.installed-dev ## test of the product what needs neither Neo4j nor a browser
	@$(PYTEST) --ignore tests/lab -m "not server and not slow and not thorough and not extra and not scispacy"

test-all: ready ## what `test` and `test-lab` do, every point of an interruption, many more examples, the extras, and the gate
	@$(PYTEST) -m "not extra and not scispacy" --hypothesis-profile thorough
	@$(MAKE) --no-print-directory test-extras
	@$(MAKE) --no-print-directory test-scispacy
	@$(MAKE) --no-print-directory gate

# One process: torch takes all processors by itself.
test-extras: $(EXTRAS)/.installed ## test what takes torch and other extras, in an environment that has all of them
	@$(EXTRAS)/bin/python -m pytest -m extra

test-scispacy: $(SCISPACY)/.installed ## test what takes scispaCy, which needs numpy 1 and Python 3.11 or 3.12
	@$(SCISPACY)/bin/python -m pytest -m scispacy tests/linking

# In a precision that every processor has, so that all machines compute the same.
gate: $(VENV)/.installed-dev ## tell whether answers, search or linking are worse than when they were frozen
	@MEDGRAPH_PRECISION=f32 $(VENV)/bin/medgraph evaluate gate

docs: $(VENV)/.installed ## write the pages of docs/reference/ anew from the code
	@$(VENV)/bin/python docs/generate.py

site: docs ## build the documentation as a website in build/site
	@$(PIP_INSTALL) --editable '.[docs]'
	@$(VENV)/bin/mkdocs build --strict --quiet --site-dir build/site

$(VENV)/.installed: pyproject.toml lab/pyproject.toml constraints.txt
	@echo "installing into $(VENV)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	@$(PIP_INSTALL) --editable . --editable lab
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@$(PIP_INSTALL) --editable '.[dev]'
	@touch $@

$(EXTRAS)/.installed: pyproject.toml lab/pyproject.toml constraints.txt
	@echo "installing all extras into $(EXTRAS)"
	@test -x $(EXTRAS)/bin/python || $(PYTHON) -m venv $(EXTRAS)
	@$(EXTRAS)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt \
	  --editable '.[clients,dev,docs,evaluate,files,kge,local,models,pandas,parquet,py2neo,ray,sentence-transformers,train]' --editable lab 'transformers[serving]'
	@touch $@

$(SCISPACY)/.installed: pyproject.toml lab/pyproject.toml
	@echo "installing the extra scispacy into $(SCISPACY)"
	@test -x $(SCISPACY)/bin/python || $(PYTHON) -m venv $(SCISPACY)
	@$(SCISPACY)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,scispacy]' --editable lab
	@touch $@
