// Several classes: regions of the winner, an arrow for each class, who is promoted and demoted.
import { NAMES, make, said, vector } from "./svg.js";

export function sentence(state, { progress, example, score, step, end, points }) {
  if (!points.length) return "There are no points: click on the plane, or choose a lesson.";
  if (!example) return "Nothing is learned yet: all scores are zero, and a tie counts as a mistake.";
  const rest = progress.examples === end.examples
    ? end.converged ? " A whole pass without a mistake: it has converged."
      : " The last pass is over and still made mistakes: it has not converged." : "";
  const scores = (score.length > 1 ? score : [-score[0], score[0]]).map((each, k) => `${NAMES[k]} ${said(each)}`).join(", ");
  const name = `Example ${progress.examples}, a ${NAMES[example.k]} at ${vector([example.x, example.y])}: ${scores}.`;
  if (!step) return `${name} The right class wins, so nothing changes.${rest}`;
  return `${name} A mistake: ${NAMES[step.right]} is promoted, its weights gain x; ${NAMES[step.rival]} is demoted, its weights lose x.${rest}`;
}

const both = (weights) => (weights.length > 1 ? weights
  : [{ w: weights[0].w.map((value) => -value), b: -weights[0].b }, weights[0]]);

/** The part of the plane where one class beats all others: a rectangle cut by every other class. */
function region(plane, weights, k) {
  const { left, right, bottom, top } = plane.extent;
  let places = [[left, bottom], [right, bottom], [right, top], [left, top]];
  weights.forEach((other, j) => {
    if (j === k) return;
    const lead = ([x, y]) => (weights[k].w[0] - other.w[0]) * x + (weights[k].w[1] - other.w[1]) * y + weights[k].b - other.b;
    const inside = [];
    places.forEach((from, at) => {
      const to = places[(at + 1) % places.length], a = lead(from), c = lead(to);
      if (a > 0 || (a === 0 && k < j)) inside.push(from);
      if ((a > 0 && c < 0) || (a < 0 && c > 0))
        inside.push([from[0] + (a / (a - c)) * (to[0] - from[0]), from[1] + (a / (a - c)) * (to[1] - from[1])]);
    });
    places = inside;
  });
  return places;
}

export function draw(plane, state, { now, mean, example, step }) {
  plane.grid();
  const weights = both(mean ?? now), flat = weights.every(({ w, b }) => w[0] === 0 && w[1] === 0 && b === 0);
  if (!flat) weights.forEach((_, k) => {
    const places = region(plane, weights, k);
    if (places.length < 3) return;
    plane.under.append(make("polygon", { class: `region k${k}`, points: places.map(([x, y]) => plane.to(x, y).join(" ")).join(" ") }));
  });
  const most = Math.max(...weights.map(({ w }) => Math.hypot(...w)));
  const by = most > 0 ? Math.min(1, ((plane.extent.right - plane.extent.left) * 0.24) / most) : 1;
  weights.forEach(({ w }, k) => {
    const kind = !step ? "" : step.right === k ? "promoted" : step.rival === k ? "demoted" : "";
    plane.arrow([0, 0], w.map((value) => by * value), `class k${k} ${kind}`, NAMES[k]);
  });
  if (example) plane.ring(example, step ? "ring wrong" : "ring");
}

export function panel(box, state, { now, mean, step }) {
  const weights = both(mean ?? now);
  const sum = [0, 1].map((axis) => weights.reduce((total, { w }) => total + w[axis], 0));
  box.replaceChildren(make("div", {}, make("h2", {}, "The weights of each class"),
    make("table", { class: "numbers" },
      make("thead", {}, make("tr", {}, ...["class", "w₁", "w₂", "b", "last step"].map((text) => make("th", { scope: "col" }, text)))),
      make("tbody", {}, ...weights.map(({ w, b }, k) => make("tr", {},
        make("th", { scope: "row", class: `k${k}` }, NAMES[k]),
        ...[...w, b].map((value) => make("td", {}, said(value))),
        make("td", {}, !step ? "" : step.right === k ? "promoted" : step.rival === k ? "demoted" : "")))),
      make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, "sum"),
        ...[...sum, weights.reduce((total, { b }) => total + b, 0)].map((value) => make("td", {}, said(value))), make("td", {})))),
    make("p", { class: "small" }, "What one class gains the other loses, so the weights of all classes add up to zero.")));
}
