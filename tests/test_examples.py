"""What a newcomer runs first: the demo, the example in the README, the examples in the docs."""

import doctest
import io
import os
import re
import runpy
import subprocess
import sys
import warnings
from contextlib import redirect_stdout
from pathlib import Path

import matplotlib.pyplot  # noqa: F401  once for all scripts
import numpy as np
import pytest
from matplotlib.image import imread

from subprocesses import in_a_child

ROOT = Path(__file__).parent.parent
INDEX = ROOT / "examples" / "README.md"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", INDEX, *sorted((ROOT / "docs").glob("*.md"))]
LONGER = ("demo", "first_look", "spark_on_a_laptop")
SCRIPTS = sorted(path for path in (ROOT / "examples").glob("*.py") if path.stem not in LONGER)
EXAMPLES = [page for page in PAGES if ">>>" in page.read_text(encoding="utf-8")]


def printed_by(script, out):
    run = subprocess.run(
        [sys.executable, "-W", "error", ROOT / "examples" / script, out],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        check=True,
    )
    return run.stdout


def run_in(place, script):
    """What a short script prints, in a child that has imported already what takes longest."""

    def run():
        os.chdir(place)
        warnings.simplefilter("error")
        sys.argv = [script, "out"]
        with redirect_stdout(io.StringIO()) as output:
            runpy.run_path(str(ROOT / "examples" / f"{script}.py"), run_name="__main__")
        return output.getvalue()

    return in_a_child(run)


def assert_wrote_into_the_folder_it_was_given(place):
    assert [path.name for path in place.iterdir()] == ["out"]
    written = list((place / "out").iterdir())
    assert written
    assert all(path.stat().st_size > 1000 for path in written)


@pytest.fixture
def printed(request, tmp_path):
    text = run_in(tmp_path, request.param)
    assert_wrote_into_the_folder_it_was_given(tmp_path)
    return text


TOLD = set()
"""The scripts that have a test of what they print."""


def of(script):
    """A mark: the test looks at what this script prints."""
    TOLD.add(script)
    return pytest.mark.parametrize("printed", [script], indirect=True)


def assert_shows_something(path):
    picture = imread(path)[..., :3]
    height, width, _ = picture.shape
    assert height >= 500
    assert width >= 1000
    colours = np.unique(picture.reshape(-1, 3), axis=0)
    assert len(colours) > 100
    blank = (picture == 1).all(axis=2).mean()
    assert 0.2 < blank < 0.97


def test_the_first_look_prints_tables_that_fit_a_terminal_and_draws_pictures(tmp_path):
    """K2 (a class's weights are its prototype) and C7, C26 (error against passes)."""
    lines = printed_by("first_look.py", tmp_path).splitlines()

    assert max(map(len, lines)) <= 100
    assert sum(bool(re.match(r" +\d+ +\d+ +\d+( +\d+\.\d %){4}$", line)) for line in lines) == 30
    assert sum(bool(re.search(r" ms +\d+\.\d$", line)) for line in lines) == 10
    assert any("converged" in line for line in lines)
    for name in ("prototypes.png", "error_per_pass.png"):
        assert_shows_something(tmp_path / name)


def test_the_demo_goes_from_a_file_to_a_model_that_explains_itself(tmp_path):
    printed = printed_by("demo.py", tmp_path)

    commands = re.findall(r"^\$ rosenblatt (\w+)", printed, re.MULTILINE)
    assert commands[:3] == ["check", "train", "evaluate"]
    assert commands[-2:] == ["inspect", "explain"]
    assert max(map(len, printed.splitlines())) <= 100
    error = float(re.search(r"^error +([\d.]+) %", printed, re.MULTILINE)[1])
    assert error < 30
    assert "scikit-learn Perceptron" in printed
    for name in ("error_per_pass_of_text.png", "words.png"):
        assert (tmp_path / name).stat().st_size > 10_000


@of("xor_with_a_kernel")
def test_a_kernel_solves_exclusive_or(printed):
    """C27, C31."""
    assert re.search(r"a line +[5-7]\d% right", printed)
    assert re.search(r"products of two features +100% right", printed)
    assert re.search(r"distances +100% right", printed)


@of("learn_from_a_stream")
def test_the_stream_learns_a_subject_that_comes_late(printed):
    lines = printed.splitlines()

    assert max(map(len, lines)) <= 100
    counts = [[int(number.replace(",", "")) for number in line.split()] for line in lines[1:7]]
    assert [(number, classes) for number, _, classes, *_ in counts[:4]] == [
        (50, 2),
        (100, 2),
        (300, 2),
        (500, 3),
    ]
    assert all(wrong < 80 for wrong in counts[-1][3:])
    assert lines[9].split()[0] == "shipping"


def test_the_index_of_examples_lists_each_with_a_line():
    named = re.findall(r"^\| \[(\w+)\.py\]", INDEX.read_text(encoding="utf-8"), re.MULTILINE)

    assert sorted([*named, "figures"]) == [script.stem for script in SCRIPTS]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_an_example_is_short_enough_to_read_at_a_glance(script):
    longest = 150 if script.stem == "figures" else 60

    assert len(script.read_text(encoding="utf-8").splitlines()) <= longest


@of("winnow_finds_needles")
def test_winnow_makes_fewer_mistakes_than_the_perceptron_as_words_are_added(printed):
    """B7, B9: the number of irrelevant features enters by its logarithm only."""
    _, *lines = printed.splitlines()

    numbers = np.array([line.split()[1:4] for line in lines], dtype=float)
    perceptron, winnow, bound = numbers.T
    assert (winnow < bound).all()
    assert perceptron[-1] > 10 * winnow[-1]


@of("passive_or_aggressive")
def test_a_drifting_stream_wants_larger_steps_than_a_noisy_one(printed):
    """L10: passive-aggressive."""
    drifting, noisy = printed.splitlines()

    assert float(drifting.split()[-1]) >= 1
    assert float(noisy.split()[-1]) <= 0.01


@of("xor_with_combinations")
def test_xor_is_solved_with_its_product_as_third_feature(printed):
    """C27, C30: the perceptron ends after 12 passes and 29 updates."""
    plain, lifted, score = printed.splitlines()

    assert plain.endswith("still making mistakes")
    assert lifted.endswith("12 passes,  29 updates: converged")
    assert score == "score = +2 x1 +2 x2 -5 x1×x2 -1"


@of("when_to_stop")
def test_the_example_of_early_stopping_stops_at_a_better_pass(printed):
    """C7, C26: the held-out error of averaged weights rises again."""
    at_best, at_last = re.findall(r"Held-out error after .*?: +([\d.]+)%", printed)
    assert float(at_best) < float(at_last) - 2


@of("rare_and_costly")
def test_what_errors_cost_decides_better_than_plain_labels(printed):
    rows = [re.split(r"  +", line) for line in printed.splitlines()[1:5]]

    never, plain, by_weights, by_probability = (float(row[-1]) for row in rows)
    assert max(by_weights, by_probability) < plain < never
    rate, *said = map(float, re.findall(r"([\d.]+) % (?:are|by)", printed))
    assert said == pytest.approx([rate] * 2, abs=2)


@of("near_enough")
def test_what_is_near_enough_takes_no_step_and_costs_nothing(printed):
    always = float(re.search(r"off by ([\d.]+)", printed)[1])
    rows = [line.replace(",", "").split() for line in printed.splitlines()[3:]]

    steps, errors = np.array(rows, dtype=float).T[1:]
    assert (np.diff(steps) < 0).all()
    assert errors.max() < always
    assert errors[4] < errors[0]


@of("small_enough")
def test_of_as_many_bytes_coarse_weights_are_worth_more(printed):
    found = re.findall(r"(\d+) kB +[\d,]+ +([\d.]+) %", printed)

    few = [float(wrong) for size, wrong in found if size == "5"]
    assert few == sorted(few, reverse=True)
    assert float(found[-1][1]) < 4


@of("reading_the_weights")
def test_the_example_of_reading_weights_prints_four_tables_that_fit_a_terminal(printed):
    lines = printed.splitlines()

    assert max(map(len, lines)) <= 100
    assert (
        sum(bool(re.match(r"(Weights|Pushes|Mistakes) .*'positive' ", line)) for line in lines) == 4
    )
    assert sum("█" in line for line in lines) > 40


@of("voted_or_averaged")
def test_votes_and_averages_beat_the_last_weights_in_the_example(printed):
    """J3, C26: both predictors, on the same training run."""
    *_, line = printed.splitlines()
    last, votes, average = map(float, re.findall(r"(\d+\.\d+) %", line))
    assert max(votes, average) < last


def test_the_example_in_the_readme_runs_as_it_stands(capsys):
    code = re.search(r"```python\n(.*?)```", PAGES[0].read_text(encoding="utf-8"), re.DOTALL)[1]

    exec(compile(code, "README.md", "exec"), {})

    accuracy, first_pass = capsys.readouterr().out.splitlines()
    promised = float(re.search(r"score.*# (\d\.\d+)", code)[1])
    assert float(accuracy) == pytest.approx(promised, abs=0.005)
    assert first_pass.startswith("Pass(updates=")


@pytest.mark.parametrize("page", EXAMPLES, ids=lambda page: page.name)
def test_the_examples_in_the_docs_print_what_they_say(page):
    outcome = doctest.testfile(str(page), module_relative=False, encoding="utf-8")

    assert outcome.attempted > 5
    assert outcome.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8"))

    for path, section in links:
        target = page.parent / path if path else page
        assert target.exists(), path
        if section:
            assert section in sections(target), section


def sections(page):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]


@pytest.mark.parametrize("script", [path.stem for path in SCRIPTS if path.stem not in TOLD])
def test_any_other_script_writes_into_the_folder_it_is_given(script, tmp_path):
    run_in(tmp_path, script)

    assert_wrote_into_the_folder_it_was_given(tmp_path)
