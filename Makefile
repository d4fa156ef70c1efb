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
# Levels of vector instructions for which the core's tests are compiled as well.
LEVELS := $(if $(filter x86_64,$(shell uname -m)),v3 v4)
# $(call under,SANITIZERS,TESTS): pytest with the bindings of build/under/SANITIZERS, whose runtime must
# be there before Python is; objects get memory of their own, which is watched. What is found in
# processes that tests start is read from the reports.
under = rm -f build/under/$1/report.*; LD_PRELOAD="$(foreach name,asan ubsan stdc++,$(shell \
	$(CXX) -print-file-name=lib$(name).so))" PYTHONMALLOC=malloc PYTHONPATH=$(CURDIR)/build/under/$1/package \
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:log_path=$(CURDIR)/build/under/$1/report \
	UBSAN_OPTIONS=print_stacktrace=1:log_path=$(CURDIR)/build/under/$1/report \
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not limits_memory and not forks_beside_threads" $2; \
	ended=$$?; ! grep -sE -A 40 "ERROR: |runtime error" build/under/$1/report.* && exit $$ended
# For the address sanitizer alone, which compiles in two thirds of the time, those that cost little: they
# hand the bindings what is damaged, out of bounds, changed meanwhile or shared by threads.
BOUNDED := $(addprefix tests/,$(foreach name,core_calls callers shared_vectorizers,attacks/test_$(name).py) \
	$(foreach name,svmlight_refused vw json_texts,readers/test_$(name).py) \
	inputs/test_one_example.py features/test_named.py)

# The core of the lab, by clang and the libraries for WebAssembly that the package ziglang brings.
LAB := src/rosenblatt/lab/page/core.wasm
WASM := --target=wasm32-wasi -mexec-model=reactor -std=c++20 -Os -s -msimd128 -ffp-contract=off \
	-fexceptions -fignore-exceptions -fno-rtti -Wall -Wextra -Wno-unused-value

MAKEFLAGS += -j2

# Where a machine says so, every program that a test starts would compile all that it imports anew.
unexport PYTHONDONTWRITEBYTECODE

# What the demo needs, unless the set-up of the tests is there, which has it all.
DEMO := $(or $(wildcard .venv/test),.venv/demo)
# It is first seen on the machine that compiled it: the widest level of the core will do.
LEVELS.demo := widest
LEVELS.docs := widest

.PHONY: demo figures claims lab docs test java sanitize attacks fuzz bench compare lint clean

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

# The documentation as pages for a browser, with the examples run and the lab in it; some minutes.
docs: .venv/docs
	$(BIN)/python docs/site/build.py

test: .venv/test java build/core_tests build/thread_tests $(FUZZ:%=build/fuzz/%) build/under/address/.done
	build/core_tests
	build/thread_tests
	for target in $(FUZZ); do build/fuzz/$$target 10000 || exit 1; done
	$(call under,address,$(BOUNDED))
	$(BIN)/pytest -n auto --dist worksteal

# The tests of Spark start one, which needs Java 17 or later: that on the path, or Debian's.
java:
	@suits() { test "$$(java -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p')" -ge 17; } 2>/dev/null; \
	suits || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
		apt-get install -y openjdk-17-jre-headless && suits; } || \
		{ echo "Tests of Spark need Java 17 or later on the path: install openjdk-17-jre-headless." >&2; exit 1; }

# The whole suite with the bindings under sanitizers, and the core at every level; takes long.
sanitize: .venv/test build/thread_tests $(LEVELS:%=build/core_tests_%) build/under/address+undefined/.done
	for level in $(LEVELS); do build/core_tests_$$level || exit 1; done
	build/thread_tests
	$(call under,address+undefined)

# What SECURITY.md promises and docs/reliability.md lists; some minutes.
attacks: .venv/test
	$(BIN)/pytest -n auto tests/readers/test_cache_files.py \
		$$(grep -o 'tests/[a-z_/]*\.py' SECURITY.md | sort -u)

# Each parser and the loader of models on a million inputs, forged headers and the guess at formats on
# ten thousand; an hour and more.
fuzz: .venv/test $(FUZZ:%=build/fuzz/%)
	for target in $(FUZZ); do build/fuzz/$$target $(EXECUTIONS) || exit 1; done
	ROSENBLATT_MUTANTS=$(EXECUTIONS) $(BIN)/pytest tests/persistence/test_damaged_files.py \
		tests/attacks/test_data_files.py -k "any_way or any_bytes"

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

.venv/test .venv/lab .venv/docs: $(LAB)

# .venv/NAME is a stamp: the package is installed as it stands, with the extra NAME.
.venv/%: $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile '.[$*]' \
		--config-settings cmake.define.ROSENBLATT_LEVELS=$(or $(LEVELS.$*),own)
	touch $@

build/core_tests: tests/core/core_tests.cpp $(wildcard tests/core/*.hpp tests/core/*/*.hpp src/core/*/*.hpp)
	mkdir -p build
	$(CXX) $(SANITIZE) -O0 -Isrc/core -Itests/core $< -o $@

build/core_tests_%: tests/core/core_tests.cpp $(wildcard tests/core/*.hpp tests/core/*/*.hpp src/core/*/*.hpp)
	mkdir -p build
	$(CXX) $(SANITIZE) -O0 -march=x86-64-$* -Isrc/core -Itests/core $< -o $@

build/thread_tests: tests/core/thread_tests.cpp $(wildcard tests/core/*.hpp tests/core/*/*.hpp src/core/*/*.hpp)
	mkdir -p build
	$(CXX) -std=c++20 -g -O1 -ffp-contract=off -Wall -Wextra -Wno-psabi -fsanitize=thread \
		-Isrc/core -Itests/core $< -o $@

comma := ,

# Installed apart, at the widest level alone; the name says which sanitizers, with + between them.
build/under/%/.done: $(SOURCES) .venv/test
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile --no-deps --upgrade \
		--target build/under/$*/package . \
		--config-settings build-dir=build/under/$*/build \
		--config-settings install.strip=false \
		--config-settings cmake.define.ROSENBLATT_LEVELS=widest \
		--config-settings cmake.define.ROSENBLATT_SANITIZE=$(subst +,$(comma),$*)
	touch $@

build/fuzz/%: tests/fuzz/%.cpp tests/fuzz/driver.cpp $(wildcard tests/fuzz/*.hpp tests/core/*.hpp tests/core/*/*.hpp src/core/*/*.hpp)
	mkdir -p build/fuzz
	$(CXX) $(SANITIZE) -O0 -Isrc/core -Itests/core $< tests/fuzz/driver.cpp -o $@

clean:
	rm -rf .venv build $(LAB)
