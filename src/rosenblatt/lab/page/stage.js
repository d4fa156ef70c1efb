// The stage: one example at a time, and in words what it did.
import { NAMES, many, said, vector } from "./svg.js";

/** What the last example did, in words and numbers. */
export function sentence(state, { progress, example, score, step, end, now, points }) {
  if (!points.length) return "There are no points: click on the plane, or choose a lesson.";
  if (progress.overflow >= 0) return "The numbers grew too large to go on: bring the points nearer to the origin.";
  const { w, b } = now[0];
  const weights = `w = ${vector(w)}${state.intercept ? `, b = ${said(b)}` : ""}`;
  if (progress.examples === 0)
    return `Nothing is learned yet: ${weights}. A score of zero counts as a mistake, so the first example moves the line.`;
  const name = `Example ${progress.examples}, a ${NAMES[example.k]} at ${vector([example.x, example.y])},`;
  const scored = `scored ${said(score[0])}`;
  const rest = progress.examples === end.examples
    ? end.converged ? ` A whole pass without a mistake: it has converged, after ${many(end.updates, "update")} in all.`
      : " The last pass is over and still made mistakes: it has not converged." : "";
  const lines = state.average ? " The solid line is that of the average, the dotted one of the last weights." : "";
  if (!step) return `${name} ${scored}: right, so nothing changes. ${weights}.${lines}${rest}`;
  const added = example.k === 1;
  const scale = step.amount / step.step;
  const x = scale === 1 ? vector([example.x, example.y]) : `${said(scale, 3)} · ${vector([example.x, example.y])}`;
  return `${name} ${scored}: ${score[0] === 0 ? "a tie, which counts as a mistake" : "a mistake"}. `
    + `w ${added ? "grows" : "shrinks"} by ${x} to ${vector(w)}`
    + `${state.intercept ? `, and b ${added ? "rises" : "falls"} to ${said(b)}` : ""}.${lines}${rest}`;
}

/** The line, its sides and margin, the weights as an arrow, and the last update as a sum of arrows. */
export function draw(plane, state, { now, mean, before, step, example, points }) {
  plane.grid();
  const shown = (mean ?? now)[0], length = Math.hypot(...shown.w);
  if (length > 0) {
    plane.side(shown.w, shown.b, 1, "side k1");
    plane.side(shown.w, shown.b, -1, "side k0");
    const margins = points.map(({ x, y, k }) => (2 * k - 1) * (shown.w[0] * x + shown.w[1] * y + shown.b));
    const least = Math.min(...margins);
    if (least > 0) for (const level of [least, -least]) plane.line(shown.w, shown.b, "margin", level);
    if (mean && Math.hypot(...now[0].w) > 0) plane.line(now[0].w, now[0].b, "boundary faint");
    plane.line(shown.w, shown.b, "boundary");
  }
  if (!example) return;
  const sign = 2 * example.k - 1, old = before[0].w, amount = step ? step.amount : 0;
  const most = Math.max(Math.hypot(...now[0].w), Math.hypot(...old), step ? amount * Math.hypot(example.x, example.y) : 0);
  const by = most > 0 ? Math.min(1, ((plane.extent.right - plane.extent.left) * 0.3) / most) : 1;
  const tip = ([x, y]) => [by * x, by * y];
  if (step) {
    const end = [old[0] + sign * amount * example.x, old[1] + sign * amount * example.y];
    const apart = Math.hypot(...tip(old)) > 0 ? tip(old) : [0, -1];
    plane.arrow([0, 0], tip(old), "old", "old w", tip(end));
    plane.arrow(tip(old), tip(end), `added k${example.k}`, sign > 0 ? "+ x" : "− x", [0, 0]);
    plane.arrow([0, 0], tip(now[0].w), "new", "new w", apart);
  } else plane.arrow([0, 0], tip(now[0].w), "new", "w");
  plane.ring(example, step ? "ring wrong" : "ring");
}

