// Small charts: a curve over time, columns of counts, lines per pass.
import { make } from "./svg.js";

const WIDE = 340, HIGH = 150, LEFT = 40, RIGHT = 8, TOP = 12, BOTTOM = 24;

/** Round numbers from zero on for an axis that reaches so far. */
function ticks(most, about = 3) {
  const rough = most / about, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough * 0.999);
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, k) => Number((k * step).toPrecision(6)));
}

const short = (value) => (value >= 10000 ? `${Number((value / 1000).toFixed(1))}k` : String(value));

function frame(name, mostX, mostY, across, percent = false) {
  const x = (value) => LEFT + (value / mostX) * (WIDE - LEFT - RIGHT);
  const y = (value) => HIGH - BOTTOM - (value / mostY) * (HIGH - TOP - BOTTOM);
  const svg = make("svg", { class: "chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": name });
  for (const value of ticks(mostY)) {
    svg.append(make("line", { class: "tick", x1: LEFT, x2: WIDE - RIGHT, y1: y(value), y2: y(value) }),
      make("text", { class: "label", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" },
        percent ? `${Math.round(100 * value)}%` : short(value)));
  }
  for (const value of ticks(mostX, 4)) {
    if (value === 0 || x(value) > WIDE - 70) continue;
    svg.append(make("text", { class: "label", x: x(value), y: HIGH - 8, "text-anchor": "middle" }, short(value)));
  }
  svg.append(make("text", { class: "label", x: WIDE - RIGHT, y: HIGH - 8, "text-anchor": "end" }, across));
  return { svg, x, y };
}

export function curve({ name, lines, at, level, across, percent = false }) {
  const mostX = Math.max(1, ...lines.flatMap(({ places }) => places.map(([x]) => x)));
  const reached = Math.max(percent ? 0.05 : 1, ...lines.flatMap(({ places }) => places.map(([, y]) => y)));
  const inside = level && level.value <= 6 * reached;
  const mostY = 1.08 * (inside ? Math.max(level.value, reached) : reached);
  const { svg, x, y } = frame(name, mostX, mostY, across, percent);
  for (const { kind, places, steps } of lines) {
    const d = places.map(([px, py], k) => {
      const to = `${x(px).toFixed(2)} ${y(py).toFixed(2)}`;
      return k === 0 ? `M ${to}` : steps ? `L ${x(px).toFixed(2)} ${y(places[k - 1][1]).toFixed(2)} L ${to}` : `L ${to}`;
    });
    svg.append(make("path", { class: `curve ${kind}`, d: d.join(" ") }));
  }
  if (level) {
    const height = inside ? y(level.value) : TOP - 2;
    if (inside) svg.append(make("line", { class: "level", x1: LEFT, x2: WIDE - RIGHT, y1: height, y2: height }));
    svg.append(make("text", { class: "label strong", x: percent ? WIDE - RIGHT : LEFT + 4, "text-anchor": percent ? "end" : "start", y: Math.max(11, height + (inside && height > 24 ? -4 : 12)) },
      inside ? level.text : `↑ ${level.text}, far above`));
  }
  if (at != null) svg.append(make("line", { class: "now", x1: x(at), x2: x(at), y1: TOP, y2: HIGH - BOTTOM }));
  return svg;
}

/** How often each count came up, with the one shown marked and the bound drawn where it fits. */
export function columns({ name, values, marked, bound }) {
  const most = Math.max(...values), fits = bound != null && bound <= 4 * most;
  const end = Math.max(8, 1.05 * (fits ? Math.max(bound, most) : most)) + 1;
  const wide = Math.max(1, Math.ceil(end / 48)), counts = new Map();
  for (const value of values) {
    const place = Math.floor(value / wide);
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  const { svg, x, y } = frame(name, end, 1.1 * Math.max(...counts.values()), "mistakes");
  for (const [place, count] of counts) {
    const own = place === Math.floor(marked / wide);
    svg.append(make("rect", { class: own ? "column own" : "column", x: x(place * wide) + 0.5,
      width: Math.max(1, x(wide) - x(0) - 1), y: y(count), height: y(0) - y(count) }));
  }
  if (bound == null) return svg;
  const at = fits ? x(bound) : WIDE - RIGHT;
  if (fits) svg.append(make("line", { class: "level", x1: at, x2: at, y1: TOP, y2: HIGH - BOTTOM }));
  svg.append(make("text", { class: "label strong", x: at - 4, y: 22, "text-anchor": "end" },
    fits ? "the bound" : `the bound, ${bound.toLocaleString("en")} →`));
  return svg;
}
