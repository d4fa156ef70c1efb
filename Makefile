# Each target does its own set-up in .venv; only Python 3.11 or newer, a C++20 compiler and make are needed.
PYTHON ?= python3
BIN := .venv/bin
CXX ?= g++
SOURCES := pyproject.toml CMakeLists.txt $(shell find src -name '*.py' -o -name '*.?pp' -o -name py.typed \
	-o -name '*.js' -o -name '*.css' -o -name '*.html')
FUZZ := $(filter-out driver,$(basename $(notdir $(wildcard tests/fuzz/*.cpp))))
EXECUTIONS ?= 1000000
SANITIZE := -std=c++20 -g -ffp-contract=off -Wall -Wextra -Wno-psabi \
	-fsanitize=address,undefined -fno-sanitize-recover=all

# The core of the lab, by clang and the libraries for WebAssembly that the package ziglang brings.
LAB := src/rosenblatt/lab/page/core.wasm
WASM := --target=wasm32-wasi -mexec-model=reactor -std=c++20 -Os -s -msimd128 -ffp-contract=off \
	-fexceptions -fignore-exceptions -fno-rtti -Wall -Wextra -Wno-unused-value

MAKEFLAGS += -j2

# What the demo needs, unless the set-up of the tests is there, which has it all.
DEMO := $(or $(wildcard .venv/test),.venv/demo)
# It is first seen on the machine that compiled it: the widest level of the core will do.
LEVELS.demo := widest

.PHONY: demo figures claims lab test java attacks fuzz bench compare lint clean

demo: $(DEMO)
	$(BIN)/python examples/first_look.py
	$(BIN)/python examples/demo.py

figures: .venv/plots
	$(BIN)/python examples/figures.py docs/images

claims: $(DEMO)
	$(BIN)/python -m rosenblatt.theory.claims

# The page on which a perceptron is seen to learn, in the browser of this machine.
lab: .venv/lab
	$(BIN)/rosenblatt lab

test: .venv/test java build/core_tests $(FUZZ:%=build/fuzz/%)
	build/core_tests
	for target in $(FUZZ); do build/fuzz/$$target 10000 || exit 1; done
	$(BIN)/pytest -n auto --dist worksteal

# The tests of Spark start one, which needs Java 17 or later: that on the path, or Debian's.
java:
	@command -v java >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
		apt-get install -y openjdk-17-jre-headless; } || \
		{ echo "The tests of Spark need Java 17 or later: install openjdk-17-jre-headless." >&2; exit 1; }

# What SECURITY.md promises and docs/reliability.md lists; some minutes.
attacks: .venv/test
	$(BIN)/pytest -n auto tests/attacks tests/persistence/test_damaged_files.py \
		tests/readers/test_cache_files.py tests/cli/test_train.py

# Each parser and the loader of models on a million inputs; an hour.
fuzz: .venv/test $(FUZZ:%=build/fuzz/%)
	for target in $(FUZZ); do build/fuzz/$$target $(EXECUTIONS) || exit 1; done
	ROSENBLATT_MUTANTS=$(EXECUTIONS) $(BIN)/pytest tests/persistence/test_damaged_files.py -k any_way

bench: .venv/bench
	$(BIN)/python benchmarks/speed.py

# What is here, or the revision NEW, against the revision BASE; OPTIONS as compare.py has them.
compare: $(DEMO)
	$(BIN)/python benchmarks/compare.py $(BASE) $(or $(NEW),$(BIN)/python) $(OPTIONS)

lint: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy -p rosenblatt
	$(BIN)/clang-format --dry-run -Werror $(shell find src/core src/bindings src/wasm tests/core tests/fuzz -name "*.?pp") benchmarks/*.cpp

$(LAB): $(wildcard src/wasm/*.?pp src/bindings/levels/*.hpp src/bindings/levels/kinds/*.hpp src/core/*/*.hpp)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check ziglang
	$(BIN)/python -m ziglang c++ $(WASM) -Isrc/core $(wildcard src/wasm/*.cpp) -o $@

.venv/test .venv/lab: $(LAB)

# .venv/NAME is a stamp: the package is installed as it stands, with the extra NAME.
.venv/%: $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile '.[$*]' \
		--config-settings cmake.define.ROSENBLATT_LEVELS=$(or $(LEVELS.$*),own)
	touch $@

build/core_tests: tests/core/core_tests.cpp $(wildcard tests/core/*.hpp tests/core/*/*.hpp src/core/*/*.hpp)
	mkdir -p build
	$(CXX) $(SANITIZE) -O0 -Isrc/core -Itests/core $< -o $@

build/fuzz/%: tests/fuzz/%.cpp tests/fuzz/driver.cpp $(wildcard tests/fuzz/*.hpp tests/core/*.hpp tests/core/*/*.hpp src/core/*/*.hpp)
	mkdir -p build/fuzz
	$(CXX) $(SANITIZE) -O0 -Isrc/core -Itests/core $< tests/fuzz/driver.cpp -o $@

clean:
	rm -rf .venv build $(LAB)
