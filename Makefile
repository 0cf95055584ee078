# Every task of the project; `make help` lists them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
CPP_BUILD := build/cpp
DOCS_VENV := build/docs-venv

export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)

# The tests build the package once more, in a copy, to try the demo: with ccache what
# was compiled here serves there, as paths count from the top of each copy.
ifneq ($(shell command -v ccache),)
export CMAKE_CXX_COMPILER_LAUNCHER ?= ccache
export CCACHE_BASEDIR := $(CURDIR)
endif

# Who changes the code is to see every warning as an error; who only installs it with a
# newer compiler is not. Most services for continuous integration set CI.
ifneq ($(CI),)
export SKBUILD_CMAKE_DEFINE ?= BRANCHWISE_WERROR=ON
endif

# What the compiled module is made of. The directories are listed too, because a
# deleted file changes only the directory it was in.
NATIVE := CMakeLists.txt $(shell find cpp/branchwise cpp/bindings)
# What the page of the studio is made of.
PAGE := tools/build_page.py $(shell find studio -path studio/node_modules -prune -o -print)
CPP_FILES := $(shell find cpp -name '*.hpp' -o -name '*.cpp')

# Pip and the tools start a dozen processes and the tests hundreds, which find compiled
# what the first has compiled.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(CURDIR)/build/pycache
PYTEST := $(BIN)/pytest \
	--numprocesses=$(JOBS) --dist=worksteal --benchmark-disable

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo wheel docs quick test lint test-cpp test-python fuzz mutants format bench measure clean

help: ## list the tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' \
		$(firstword $(MAKEFILE_LIST))

demo: $(VENV)/.installed ## solve the paper's example and write demo/illustrative.html
	@mkdir -p demo
	@$(BIN)/branchwise solve examples/illustrative.yaml --html demo/illustrative.html
	@echo && echo "The report is in demo/illustrative.html"

wheel: $(VENV)/.tools ## build a wheel in dist, and try it where nothing can be compiled
	rm -rf dist
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/pip wheel --quiet --no-build-isolation \
		--no-deps --wheel-dir dist .
	$(BIN)/python tools/try_wheel.py dist/*.whl

docs: $(DOCS_VENV)/.installed ## build the site of the documentation in build/docs/site
	PYTHONPATH=tools $(DOCS_VENV)/bin/python -m docs_site

quick: $(VENV)/.installed-dev ## test what needs no compiler, browser or solver: a minute
	$(PYTEST) -m quick tests src

# Pip and the types take one processor each, so the C++ tests are built beside them; and
# nicely, as what pip builds is waited for. Pytest comes last, so that its verdict is
# the last line printed.
test: $(VENV)/.tools ## run every check that CI runs
	@$(MAKE) --no-print-directory --jobs=$(JOBS) --output-sync=target \
		lint docs test-cpp
	@$(MAKE) --no-print-directory test-python

lint: $(VENV)/.installed-dev ## check format, style, types, imports and workflows
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows \
		$(wildcard .github/workflows/*.yml)
	$(BIN)/clang-format --dry-run --Werror $(CPP_FILES)
	$(BIN)/python tools/build_page.py --check

# Several sources at a time take half as long to compile, tests a third. What one of
# them forgets to include is seen where the package itself is built, one by one. With -Og they compile
# as fast as without, and run in a third of the time.
test-cpp: $(VENV)/.tools ## test the C++ core alone, with sanitizers
	@echo '#include <doctest/doctest.h>' | $(CXX) -E -x c++ - >/dev/null 2>&1 \
		|| tools/ensure_debian.sh doctest-dev
	$(BIN)/cmake -S . -B $(CPP_BUILD) -G Ninja \
		-D CMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -D CMAKE_BUILD_TYPE=Debug \
		-D CMAKE_CXX_FLAGS_DEBUG="-g1 -Og" \
		-D CMAKE_UNITY_BUILD=ON -D CMAKE_UNITY_BUILD_BATCH_SIZE=9 \
		-D BRANCHWISE_TESTS=ON -D BRANCHWISE_SANITIZE=ON -D BRANCHWISE_WERROR=ON
	nice $(BIN)/cmake --build $(CPP_BUILD)
	$(BIN)/ctest --test-dir $(CPP_BUILD) --output-on-failure

test-python: $(VENV)/.installed-dev ## test the Python package, the report in a browser
	@command -v chromium >/dev/null || tools/ensure_debian.sh chromium
	@case "$$(uname -sm)" in "Linux x86_64") command -v qemu-x86_64 >/dev/null \
		|| tools/ensure_debian.sh qemu-user;; esac
	$(PYTEST) --durations=30 -m 'not slow'

fuzz: $(VENV)/.installed-dev ## compare with brute force: FUZZ='--count 1000000 --seed 7'
	PYTHONPATH=tests $(BIN)/python -m trials.fuzz $(FUZZ)

mutants: $(VENV)/.installed-dev ## weaken every rule and see which test fails: an hour
	PYTHONPATH=tests $(BIN)/python -m trials.mutants --jobs $(JOBS)

format: $(VENV)/.installed-dev ## format the Python and C++ sources
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i $(CPP_FILES)

bench: $(VENV)/.installed-dev ## measure: run benchmarks/
	$(BIN)/pytest benchmarks

measure: $(VENV)/.installed-dev ## measure the engines and write the page about it: an hour
	$(BIN)/python benchmarks/measure.py $(MEASURE)

clean: ## remove everything that was made
	rm -rf $(VENV) build demo dist .nox .mypy_cache .ruff_cache .pytest_cache \
		.import_linter_cache .hypothesis .benchmarks
	rm -f src/branchwise/_core.*
	rm -rf src/branchwise/studio/page studio/node_modules
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The virtual environment with what the build itself needs. Keeping that there
# lets a changed C++ file be compiled alone, where pip would start from nothing.
# Python compiles what it imports; pip would compile all there is, for a quarter minute.
$(VENV)/.tools: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "branchwise needs Python 3.11 or newer; $(PYTHON) is" \
			"$$($(PYTHON) --version 2>&1)" >&2; \
		echo "    fix: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11" >&2; \
		exit 2; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", \
		"rb"))["build-system"]["requires"], "cmake>=3.26,<5", "ninja>=1.11,<2", sep="\n")' \
		>$(VENV)/build-requirements.txt
	PYTHONPATH=tools $(BIN)/python -c 'import build_page; \
		print(*build_page.required(), sep="\n")' >>$(VENV)/build-requirements.txt
	$(BIN)/pip install --quiet --no-compile --requirement $(VENV)/build-requirements.txt
	@touch $@

# What builds the site needs nothing of the package but its sources.
$(DOCS_VENV)/.installed: pyproject.toml
	test -x $(DOCS_VENV)/bin/python || $(PYTHON) -m venv $(DOCS_VENV)
	$(DOCS_VENV)/bin/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", \
		"rb"))["project"]["optional-dependencies"]["docs"], sep="\n")' \
		>$(DOCS_VENV)/requirements.txt
	$(DOCS_VENV)/bin/pip install --quiet --no-compile \
		--requirement $(DOCS_VENV)/requirements.txt
	@touch $@

# An editable install: Python sources are used where they are, so only what is
# compiled or declared asks for a new one.
$(VENV)/.installed: $(VENV)/.tools $(NATIVE) $(PAGE)
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/pip install --quiet --no-compile \
		--no-build-isolation --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.tools $(NATIVE) $(PAGE)
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/pip install --quiet --no-compile \
		--no-build-isolation --editable '.[dev]'
	@touch $(VENV)/.installed $@
