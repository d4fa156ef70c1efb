// The bound: how many mistakes there can be, and how many there are.
import { learnerOf, lengthOf } from "./learning.js";
import { widest } from "./margin.js";
import { change, learned } from "./state.js";
import { make, many, said } from "./svg.js";
import { columns, curve } from "./charts.js";

const SHUFFLES = 1000;
let counted = { key: null };

/** Mistakes of a thousand runs, each with an order of its own. */
function shuffles(state) {
  const key = JSON.stringify([state.intercept, state.unitLength, state.passes, state.apart]);
  if (counted.points === state.points && counted.key === key) return counted.found;
  const learner = learnerOf({ ...state, average: false, t: 0 }, { shuffle: "pass" });
  const found = [];
  let converged = 0;
  for (let seed = 0; seed < SHUFFLES; seed++) {
    learner.restart(seed);
    const end = learner.goTo(lengthOf(state));
    found.push(end.updates);
    converged += end.converged;
  }
  learner.restart();
  counted = { key, points: state.points, found: { updates: found, converged } };
  return counted.found;
}

function known(state) {
  const points = learned(state);
  if (!state.unitLength) return widest(points, state.intercept);
  const unit = points.map(({ x, y, k }) => {
    const length = Math.hypot(x, y, state.intercept ? 1 : 0) || 1;
    return { x: x / length, y: y / length, k, constant: 1 / length };
  });
  return widest(unit, state.intercept);
}

export function sentence(state, { end, points }) {
  const found = points.length ? known(state) : null;
  if (!found) return "There is only one class here: add points of the other.";
  if (found.margin > 0)
    return `The widest margin is γ = ${said(found.margin, 3)} and the longest example R = ${said(found.radius)}, so there are at most `
      + `(R/γ)² = ${many(Math.floor(found.bound * (1 + 1e-9)), "mistake")}, in any order. This order makes ${said(end.updates)}.`;
  const some = many(found.chosen.length, "point"), contradict = found.chosen.length === 1 ? "contradicts itself" : "contradict each other";
  return `No line ${state.intercept ? "" : "through the origin "}exists: these ${some} ${contradict}, whatever the order. It never converges.`;
}

export function draw(plane, state, { now }) {
  plane.grid();
  const points = learned(state), found = points.length ? known(state) : null;
  const { w, b } = now[0];
  if (found?.margin > 0 && !state.unitLength) {
    plane.side(found.w, found.b, 1, "side k1");
    plane.side(found.w, found.b, -1, "side k0");
    for (const level of [found.margin, -found.margin]) plane.line(found.w, found.b, "margin", level);
    plane.line(found.w, found.b, "widest");
  }
  if (Math.hypot(...w) > 0) plane.line(w, b, "boundary");
  if (!found) return;
  const lengths = points.map(({ x, y }) => Math.hypot(x, y)), radius = Math.max(...lengths);
  const farthest = points[lengths.indexOf(radius)], [cx, cy] = plane.to(0, 0), [fx, fy] = plane.to(farthest.x, farthest.y);
  if (found.margin > 0) {
    plane.under.append(make("circle", { class: "radius", cx, cy, r: radius * plane.unit }));
    plane.under.append(make("line", { class: "radius", x1: cx, y1: cy, x2: fx, y2: fy }));
    plane.write(cx + 0.45 * (fx - cx), cy + 0.45 * (fy - cy) - 6, "R");
    for (const k of found.chosen) plane.ring(points[k]);
  } else contradiction(plane, state, points, found);
}

/** The points whose shares cancel out: what lies between the ones lies between the others too. */
function contradiction(plane, state, points, { chosen, shares }) {
  const place = (k) => {
    const sign = state.intercept || points[k].k === 1 ? 1 : -1;
    return [sign * points[k].x, sign * points[k].y];
  };
  const groups = state.intercept ? [0, 1].map((label) => chosen.filter((k) => points[k].k === label)) : [chosen];
  for (const group of groups) {
    const corners = group.map((k) => plane.to(...place(k)).join(" ")).join(" ");
    plane.over.append(make("polygon", { class: `proof k${points[group[0]]?.k ?? 0}`, points: corners }));
  }
  const positive = chosen.map((k, i) => [k, shares[i]]).filter(([k]) => points[k].k === 1);
  const all = positive.reduce((sum, [, share]) => sum + share, 0);
  const meeting = state.intercept
    ? [0, 1].map((axis) => positive.reduce((sum, [k, share]) => sum + (share * [points[k].x, points[k].y][axis]) / all, 0)) : [0, 0];
  const [x, y] = plane.to(...meeting);
  plane.over.append(make("path", { class: "meeting", d: `M ${x - 7} ${y - 7} l 14 14 m 0 -14 l -14 14` }));
  for (const k of chosen) plane.ring(points[k], "ring wrong");
}

export function panel(box, state, { mistakes, end, progress, bracket }) {
  const found = learned(state).length ? known(state) : null;
  if (!found) return box.replaceChildren();
  const separable = found.margin > 0, { updates, converged } = shuffles(state);
  const { lower, upper } = bracket;
  const most = Math.max(...updates, 1), sorted = [...updates].sort((a, c) => a - c);
  const every = Math.ceil(mistakes.length / 500), some = mistakes.map(({ t }, k) => [t, k + 1]).filter((_, k) => k % every === 0);
  const bound = separable ? Math.floor(found.bound * (1 + 1e-9)) : null;
  box.replaceChildren(
    make("div", {}, make("h2", {}, "Mistakes against the bound"), curve({
      name: `Mistakes after each example: ${progress.mistakes} so far, ${end.mistakes} in the end${separable ? `, at most ${bound}` : ""}`,
      lines: [{ kind: "mistakes", places: [[0, 0], ...some, [end.examples, mistakes.length]], steps: true }],
      at: progress.examples, level: separable ? { value: bound, text: `at most ${bound.toLocaleString("en")}` } : null, across: "examples" }),
    make("p", { class: "small" }, progress.steps > 0 ? "What the run itself knows of γ: " : "The run knows nothing of γ before its first mistake",
      make("b", {}, progress.steps > 0 ? `${Number.isFinite(lower) ? `${said(lower, 3)} ≤ ` : ""}γ ≤ ${said(upper, 3)}` : ""),
      separable ? `. In truth γ = ${said(found.margin, 3)}.` : progress.steps > 0 ? "; the upper end goes to zero." : ".")),
    make("div", {}, make("h2", {}, "A thousand orders"), columns({
      name: `Mistakes in ${SHUFFLES} random orders: between ${sorted[0]} and ${most}, half of them at most ${sorted[SHUFFLES / 2]}`,
      values: updates, marked: end.updates, bound }),
    make("p", { class: "small" }, separable
      ? `${converged === SHUFFLES ? "All" : many(converged, "order")} came to rest within ${many(state.passes, "pass", "passes")}. Half of them made at most ${many(sorted[SHUFFLES / 2], "mistake")}, the worst ${most}; this order, marked, ${end.updates}.`
      : "None of a thousand orders came to rest: there is no bound, because there is no margin.")));
}

/** A slider that moves the clouds apart. */
export function controls(state) {
  return make("label", { class: "field" }, make("span", {}, "Clouds apart"),
    make("input", { type: "range", min: -20, max: 40, ".value": state.apart, "aria-label": "Move the clouds apart",
      oninput: (event) => change({ apart: Number(event.target.value), t: 0 }) }));
}
