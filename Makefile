# Each target does its own set-up in .venv; only Python 3.11 or newer, a C++20 compiler and make are needed.
PYTHON ?= python3
BIN := .venv/bin
CXX ?= g++
SOURCES := pyproject.toml CMakeLists.txt $(shell find src -name '*.py' -o -name '*.?pp' -o -name py.typed)
SANITIZE := -std=c++20 -g -O0 -ffp-contract=off -Wall -Wextra -Wno-psabi \
	-fsanitize=address,undefined -fno-sanitize-recover=all

.PHONY: demo figures claims test bench lint clean

demo: .venv/demo
	$(BIN)/python examples/first_look.py
	$(BIN)/python examples/demo.py

figures: .venv/demo
	$(BIN)/python examples/figures.py docs/images

claims: .venv/demo
	$(BIN)/python -m rosenblatt.claims

test: .venv/test build/core_tests
	build/core_tests
	$(BIN)/pytest

bench: .venv/bench
	$(BIN)/python benchmarks/speed.py

lint: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy -p rosenblatt
	$(BIN)/clang-format --dry-run -Werror src/core/*.hpp src/bindings/*.?pp tests/core/*.?pp

# .venv/NAME is a stamp: the package is installed as it stands, with the extra NAME.
.venv/%: $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check '.[$*]'
	touch $@

build/core_tests: tests/core/core_tests.cpp $(wildcard tests/core/*.hpp src/core/*.hpp)
	mkdir -p build
	$(CXX) $(SANITIZE) -Isrc/core $< -o $@

clean:
	rm -rf .venv build
