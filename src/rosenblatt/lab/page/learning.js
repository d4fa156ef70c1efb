// One learner for the points on the page, led to any example of its run.
import { Learner } from "./core.js";
import { learned, wanted } from "./state.js";

let held = {};

/** The learner of these settings, not yet led anywhere; the last one is kept while it will do. */
export function learnerOf(state, more = {}) {
  const points = learned(state);
  const classes = Math.max(2, ...points.map(({ k }) => k + 1));
  const settings = { ...wanted(state), ...more };
  const key = JSON.stringify([settings, state.order, state.apart]);
  if (held.learner && held.points === state.points && held.key === key) return held.learner;
  held.learner?.close();
  const learner = new Learner(points.map(({ x, y }) => [x, y]), points.map(({ k }) => k), classes, settings);
  held = { key, points: state.points, learner };
  return learner;
}

/** How many examples a run of these settings looks at, at most. */
export const lengthOf = ({ points, passes }) => points.length * passes;

/** Where the run stands after t examples: what was looked at last, and what that did. */
export function standing(state, more) {
  const learner = learnerOf(state, more);
  const end = learner.goTo(lengthOf(state));
  const last = Math.min(state.t, end.examples), mistakes = learner.mistakes();
  const before = last > 0 ? (learner.goTo(last - 1), learner.weights(false)) : null;
  const progress = learner.goTo(last);
  const points = learned(state), example = last > 0 ? points[progress.last] : null;
  const score = before && example && (last > 0)
    ? before.map(({ w, b }) => w[0] * example.x + w[1] * example.y + (state.intercept ? b : 0)) : null;
  const made = mistakes.filter(({ t }) => t <= last);
  const step = made.length && made.at(-1).t === last ? made.at(-1) : null;
  return {
    learner, end, mistakes, made, progress, points, example, score, step, before,
    bracket: learner.bracket, now: learner.weights(false), mean: state.average ? learner.weights(true) : null,
  };
}
