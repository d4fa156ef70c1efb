// The same examples through several learners.
import { curve } from "./charts.js";
import { uniform } from "./clouds.js";
import { Learner } from "./core.js";
import { disjunction } from "./lessons.js";
import { change, current, learned, wanted } from "./state.js";
import { make, many, said } from "./svg.js";

const pair = ([x, y]) => [x, y, x * y];
export const LEARNERS = {
  plain: { title: "Plain", wanted: {} },
  averaged: { title: "Averaged", wanted: { average: true } },
  voted: { title: "Voted", wanted: { vote: true } },
  pa: { title: "PA-I, C = 0.1", wanted: { rule: "pa-1", C: 0.1 } },
  arow: { title: "AROW", wanted: { rule: "arow", r: 1 } },
  pairs: { title: "Plain, with x₁·x₂", wanted: {}, lift: pair },
  kernel: { title: "Kernel" },
  winnow: { title: "Winnow", wanted: { rule: "winnow" } },
};
export const KERNELS = {
  2: { title: "Kernel, degree 2", wanted: { kernel: { degree: 2, gamma: 1, coef0: 1 } } },
  3: { title: "Kernel, degree 3", wanted: { kernel: { degree: 3, gamma: 1, coef0: 1 } } },
  4: { title: "Kernel, degree 4", wanted: { kernel: { degree: 4, gamma: 1, coef0: 1 } } },
  rbf: { title: "Kernel, RBF", wanted: { kernel: { gamma: 1 } } },
};
const MOST = 4;

/** A learner as the page shows it, its kernel chosen. */
export const learnerNamed = (name, state) => (name === "kernel" ? KERNELS[state.kernel] : LEARNERS[name]);
const onFeatures = (state) => state.lesson === "irrelevant" && state.points.length === 0;
export const offered = (state) => Object.keys(LEARNERS).filter((name) => onFeatures(state)
  ? ["plain", "averaged", "pa", "arow", "winnow"].includes(name) : name !== "winnow");
const shown = (state) => state.learners.filter((name) => offered(state).includes(name)).slice(0, MOST);

/** Every third point is held out; some labels of the others are turned over. */
export function parts(state) {
  if (onFeatures(state)) {
    const { rows, labels } = disjunction(state.features, 600);
    return { train: rows.slice(0, 400), codes: labels.slice(0, 400), test: rows.slice(400), right: labels.slice(400), flipped: [] };
  }
  const points = learned(state), draw = uniform(state.seed + 77), of = (some) => some.map(({ x, y }) => [x, y]);
  const train = [], test = [], flipped = [];
  points.forEach((point, k) => {
    if (k % 3 === 2) return test.push(point);
    const turned = draw() * 100 < state.noise;
    if (turned) flipped.push(point);
    train.push(turned ? { ...point, k: 1 - Math.min(1, point.k) } : point);
  });
  return { train: of(train), codes: train.map(({ k }) => Math.min(1, k)), test: of(test), right: test.map(({ k }) => Math.min(1, k)), flipped };
}

let made = {};

function run(state) {
  const key = JSON.stringify([wanted(state), shown(state), state.noise, state.features, state.passes, state.apart, state.kernel]);
  if (made.points === state.points && made.key === key) return made.runs;
  for (const { learner } of made.runs ?? []) learner.close();
  const { train, codes, test, right } = parts(state);
  const runs = train.length && test.length ? shown(state).map((name) => {
    const { title, lift = (row) => row, wanted: own } = learnerNamed(name, state);
    const learner = new Learner(train.map(lift), codes, 2, { ...wanted(state), average: false, ...own });
    const errors = [], lifted = test.map(lift);
    for (let pass = 1; pass <= state.passes; pass++) {
      if (!learner.progress.converged) learner.goTo(pass * train.length);
      const wrong = learner.predict(lifted).filter((winner, k) => winner !== right[k]).length;
      errors.push(wrong / test.length);
    }
    return { title, learner, errors, progress: learner.progress, mistakes: learner.mistakes(),
      score: (rows) => learner.scores(rows.map(lift)).map((scores) => (scores.length > 1 ? scores[1] - scores[0] : scores[0])) };
  }) : [];
  made = { key, points: state.points, runs };
  return runs;
}

/** Where scores on a grid pass through zero, as short lines (marching squares). */
function contour(plane, score) {
  const wide = 48, high = 36, { left, right, bottom, top } = plane.extent, places = [];
  for (let j = 0; j <= high; j++) for (let i = 0; i <= wide; i++)
    places.push([left + (i * (right - left)) / wide, bottom + (j * (top - bottom)) / high]);
  const values = score(places), at = (i, j) => j * (wide + 1) + i, pieces = [];
  for (let j = 0; j < high; j++) for (let i = 0; i < wide; i++) {
    const corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)], crossed = [];
    corners.forEach((from, k) => {
      const to = corners[(k + 1) % 4], [a, b] = [values[from], values[to]];
      if ((a > 0) === (b > 0)) return;
      const part = a / (a - b), [p, q] = [places[from], places[to]];
      crossed.push(plane.to(p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])));
    });
    for (let k = 0; k + 1 < crossed.length; k += 2)
      pieces.push(`M ${crossed[k].map((v) => v.toFixed(1)).join(" ")} L ${crossed[k + 1].map((v) => v.toFixed(1)).join(" ")}`);
  }
  return pieces.join(" ");
}

export function sentence(state) {
  const runs = run(state);
  if (!runs.length) return "There are too few points to learn from and to hold out: click on the plane, or choose a lesson.";
  const ranked = [...runs].sort((a, b) => a.errors.at(-1) - b.errors.at(-1)), [best, worst] = [ranked[0], ranked.at(-1)];
  const error = ({ errors }) => `${said(100 * errors.at(-1), 1)}\u00a0%`, held = many(parts(state).test.length, onFeatures(state) ? "row" : "point");
  const after = `After ${many(state.passes, "pass", "passes")}, on ${held} held out`;
  if (best.errors.at(-1) === worst.errors.at(-1))
    return `${after}, ${runs.length > 1 ? `all ${runs.length} learners err` : `${best.title} errs`} on ${error(best)}.`;
  return `${after}, ${best.title} errs least, on ${error(best)} of them; ${worst.title} errs most, on ${error(worst)}.`;
}

export function draw(plane, state) {
  plane.grid();
  run(state).forEach(({ score }, k) => plane.under.append(make("path", { class: `against a${k}`, d: contour(plane, score) })));
  for (const point of parts(state).flipped) plane.ring(point, "ring wrong", 11);
}

export const hidesPlane = onFeatures;
export const kindOf = (k) => (k % 3 === 2 ? "held" : "");

export function panel(box, state) {
  const runs = run(state), onRows = onFeatures(state);
  const legend = make("ul", { class: "legend" }, ...runs.map(({ title, errors, progress }, k) => make("li", {},
    make("svg", { viewBox: "0 0 36 10", "aria-hidden": "true" }, make("path", { class: `against a${k}`, d: "M 1 5 H 35" })),
    make("b", {}, title),
    make("span", {}, ` ${many(progress.updates, "update")}, ${progress.converged ? "converged" : "not converged"}, ${said(100 * errors.at(-1), 1)} % held-out error`))));
  if (!runs.length) return box.replaceChildren(make("h2", {}, "Nothing to compare yet"));
  box.replaceChildren(make("div", {}, make("h2", {}, "Learners"), legend), make("div", {}, make("h2", {}, "Held-out error after each pass"), curve({ name: `Held-out error per pass: ${runs.map(({ title, errors }) => `${title} ${said(100 * errors.at(-1), 1)} %`).join(", ")}`,
      lines: runs.map(({ errors }, k) => ({ kind: `against a${k}`, places: errors.map((error, pass) => [pass + 1, error]) })),
      across: "passes", percent: true }),
    make("p", { class: "small" }, onRows
      ? `600 rows of ${state.features} features that are 0 or 1; the label says whether the first or the second is 1. A third is held out.`
      : "Every third point is held out, drawn hollow; rings mark labels turned over.")));
  if (!onRows) return;
  box.append(make("div", {}, make("h2", {}, "Mistakes, example by example"), curve({
    name: `Mistakes so far: ${runs.map(({ title, progress }) => `${title} ${progress.mistakes}`).join(", ")}`,
    lines: runs.map(({ mistakes, progress }, k) => ({ kind: `against a${k}`,
      places: [[0, 0], ...mistakes.map(({ t }, n) => [t, n + 1]), [progress.examples, progress.updates]] })), across: "examples" })));
}

export function controls(state) {
  const chosen = shown(state), onRows = onFeatures(state);
  const pick = (name) => make("label", { class: "check" },
    make("input", { type: "checkbox", ".checked": chosen.includes(name), ".disabled": !chosen.includes(name) && chosen.length >= MOST,
      onchange: (event) => {
        const now = shown(current());
        const learners = event.target.checked ? [...now, name] : now.filter((each) => each !== name);
        change({ learners: learners.length ? learners : now });
      } }), LEARNERS[name].title);
  return make("div", {}, make("fieldset", { class: "choices" }, make("legend", {}, "Learners, up to four"), ...offered(state).map(pick)),
    onRows ? "" : make("label", { class: "field" }, make("span", {}, "Kernel of"), make("select", { onchange: (event) => change({ kernel: event.target.value }) },
      ...Object.entries({ 2: "degree 2", 3: "degree 3", 4: "degree 4", rbf: "distances (RBF)" }).map(([value, text]) =>
        make("option", { value, ".selected": value === state.kernel }, text)))),
    onRows
      ? make("label", { class: "field" }, make("span", {}, `Features: ${state.features}`), make("input", { type: "range", min: 10, max: 200, step: 10,
        ".value": state.features, oninput: (event) => change({ features: Number(event.target.value) }) }))
      : make("label", { class: "field" }, make("span", {}, `Labels turned over: ${state.noise} %`), make("input", { type: "range", min: 0, max: 40,
        ".value": state.noise, oninput: (event) => change({ noise: Number(event.target.value) }) })));
}
