# The one front door. Every target creates .venv by itself.
PYTHON ?= python3
VENV := .venv
PACKAGE ?= behaviors
COUNT ?= 150
SECONDS ?= 3600
SEED ?= 0
FILES ?=
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help mutate peers placo fuzz soak demo test quick check format bench reproduce evidence docs wheel external lock audit clean

help:
	@echo "make demo       install Poise into .venv and run the forest walk; results in out/forest/"
	@echo "make test       run the tests"
	@echo "make quick      the same without those that take long"
	@echo "make check      format, lint, types, layers"
	@echo "make format     rewrite files in the project's format"
	@echo "make bench      speed against the bare physics step"
	@echo "make peers      other readers of BVH beside ours: odd files read right, and speed (FILES=folder of more .bvh)"
	@echo "make placo      one person's program beside that of placo, a whole-body solver in C++: accelerations and time"
	@echo "make reproduce  every check of the papers, and motion quality"
	@echo "make evidence   the same, each again with the method it credits switched off, in JOBS=2 processes"
	@echo "make mutate     break one thing at a time, PACKAGE=behaviors COUNT=150, and list what no test notices"
	@echo "make fuzz       mutated clips and scenes through the whole pipeline, SECONDS=3600 SEED=0"
	@echo "make soak       SECONDS=3600 of one run in bounded memory: memory, time of a tick and distances stay as they are"
	@echo "make docs       the site, in build/site/"
	@echo "make wheel      build a wheel with compiled kernels, install it in a clean environment and run the demo from it"
	@echo "make lock       choose anew the releases that tests, types and docs run with (requirements.lock)"
	@echo "make audit      ask whether any of those has a known vulnerability"
	@echo "make external   checks that need big third-party programs (Blender)"
	@echo "make clean      remove .venv and caches"

# What users get is free within the bounds of pyproject.toml; tests, checks and docs run with the very releases of the lock.
LOCKED := -c requirements.lock

$(VENV)/.user: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	touch $@

$(VENV)/.dev: pyproject.toml requirements.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check $(LOCKED) -e '.[dev]'
	touch $(VENV)/.user $@

demo: $(VENV)/.user
	$(BIN)/poise demo

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --dist worksteal

quick: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --dist worksteal -m 'not slow and not external'

check: $(VENV)/.dev
	$(BIN)/ruff format --check src tests examples tools
	$(BIN)/ruff check src tests examples tools
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_layers.py tests/test_public_names.py

format: $(VENV)/.dev
	$(BIN)/ruff format src tests examples tools
	$(BIN)/ruff check --fix src tests examples tools

bench: $(VENV)/.user
	$(BIN)/poise bench

$(VENV)/.peers: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[peers]'
	touch $(VENV)/.user $@

peers: $(VENV)/.peers
	$(BIN)/python tools/peers.py $(FILES)

reproduce: $(VENV)/.user
	$(BIN)/poise reproduce

JOBS ?= 2

evidence: $(VENV)/.user
	$(BIN)/poise reproduce --ablate --jobs $(JOBS)

$(VENV)/.docs: pyproject.toml requirements.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check $(LOCKED) -e '.[docs]'
	touch $(VENV)/.user $@

docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q --strict

wheel: $(VENV)/.dev
	rm -rf build/wheel
	$(BIN)/python -m build -q --wheel --outdir build/wheel
	$(PYTHON) -m venv build/wheel/venv
	build/wheel/venv/bin/python -m pip install -q --disable-pip-version-check build/wheel/*.whl
	build/wheel/venv/bin/python tools/ship_kernels.py build/wheel/*.whl
	build/wheel/venv/bin/python -m pip install -q --disable-pip-version-check --force-reinstall --no-deps build/wheel/*.whl
	cd build/wheel && NUMBA_CACHE_DIR=compiled XDG_CACHE_HOME=$$PWD/kept venv/bin/poise demo --out forest
	test -s build/wheel/forest/report.html
	! find build/wheel/compiled -name '*.nbc' | grep .

# Blender as a Python module: 430 MB, for Python 3.11 only.
$(VENV)-blender/.done:
	$(PYTHON) -m venv $(VENV)-blender
	$(VENV)-blender/bin/python -m pip install -q --disable-pip-version-check bpy==5.0.1
	touch $@

mutate: $(VENV)/.dev
	$(BIN)/python tools/mutate.py $(PACKAGE) --count $(COUNT)

external: $(VENV)/.dev $(VENV)-blender/.done
	POISE_BLENDER_PYTHON=$(VENV)-blender/bin/python $(BIN)/python -m pytest -m external tests

# Tools of their own, so that they do not change what is tested. One lock holds for every system and Python.
$(VENV)-lock/.done:
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install -q --disable-pip-version-check 'uv>=0.9,<1' 'pip-audit>=2.9,<3'
	touch $@

lock: $(VENV)-lock/.done
	$(VENV)-lock/bin/uv pip compile -q --upgrade --universal --python-version 3.11 --no-annotate --no-emit-index-url \
	    --custom-compile-command 'make lock' --all-extras pyproject.toml -o requirements.lock

# placo asks for a NumPy of its own.
$(VENV)-placo/.done:
	$(PYTHON) -m venv $(VENV)-placo
	$(VENV)-placo/bin/python -m pip install -q --disable-pip-version-check 'placo>=0.10,<0.11'
	touch $@

placo: $(VENV)/.user $(VENV)-placo/.done
	$(BIN)/python tools/against_placo.py $(VENV)-placo/bin/python

audit: $(VENV)-lock/.done
	$(VENV)-lock/bin/python tools/audit.py requirements.lock

clean:
	rm -rf $(VENV) $(VENV)-blender $(VENV)-lock $(VENV)-placo build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

fuzz: $(VENV)/.dev
	$(BIN)/python tools/fuzz.py --seconds $(SECONDS) --seed $(SEED)

soak: $(VENV)/.dev
	$(BIN)/python tools/soak.py --seconds $(SECONDS)
