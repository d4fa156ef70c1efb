// The plane that points lie on: its scale, its points, lines across it, arrows.
import { NAMES, WORDS, dress, glyph, make, said } from "./svg.js";

const MARGIN = 0.06;

/** The part of the plane to show: the usual one, or more where points lie outside. */
function extentOf(points) {
  let [left, right, bottom, top] = [-4, 4, -3, 3];
  const xs = points.map(({ x }) => x), ys = points.map(({ y }) => y);
  const fits = points.every(({ x, y }) => Math.abs(x) <= 4 && Math.abs(y) <= 3);
  const wide = Math.max(...xs) - Math.min(...xs), high = Math.max(...ys) - Math.min(...ys);
  const tiny = points.length > 1 && Math.max(wide, high) < 0.8;
  if (points.length && (!fits || tiny)) {
    const cx = (Math.max(...xs) + Math.min(...xs)) / 2, cy = (Math.max(...ys) + Math.min(...ys)) / 2;
    const half = Math.max(wide / 2 / 4, high / 2 / 3, 1e-6) * (1 + 2 * MARGIN);
    [left, right, bottom, top] = [cx - 4 * half, cx + 4 * half, cy - 3 * half, cy + 3 * half];
  }
  return { left, right, bottom, top };
}

export class Plane {
  /** In a box of the page; name says to those who do not see it what it is. */
  constructor(box, name) {
    this.svg = make("svg", { class: "plane", role: "group", "aria-label": name });
    this.under = make("g", { "aria-hidden": "true" });
    this.points = make("g");
    this.over = make("g", { "aria-hidden": "true" });
    this.svg.append(this.under, this.points, this.over);
    box.append(this.svg);
    this.extent = extentOf([]);
    this.resize();
    new ResizeObserver(() => {
      this.resize();
      this.redraw?.();
    }).observe(this.svg);
  }

  resize() {
    this.width = Math.max(240, Math.round(this.svg.clientWidth || 720));
    this.height = Math.round(this.width * 0.75);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
  }

  fit(points) {
    this.extent = extentOf(points);
    this.unit = this.width / (this.extent.right - this.extent.left);
  }

  to(x, y) {
    return [(x - this.extent.left) * this.unit, (this.extent.top - y) * this.unit];
  }

  /** Where on the plane a pointer is. */
  from({ clientX, clientY }) {
    const box = this.svg.getBoundingClientRect(), by = this.width / box.width;
    return [this.extent.left + ((clientX - box.left) * by) / this.unit,
      this.extent.top - ((clientY - box.top) * by) / this.unit];
  }

  clear() {
    this.under.replaceChildren();
    this.over.replaceChildren();
  }

  /** Faint lines at whole numbers, and the axes. */
  grid() {
    const { left, right, bottom, top } = this.extent;
    const step = 10 ** Math.floor(Math.log10((right - left) / 3));
    const lines = [];
    for (let x = Math.ceil(left / step) * step; x <= right; x += step) {
      const [at] = this.to(x, 0);
      lines.push(`M ${at} 0 V ${this.height}`);
    }
    for (let y = Math.ceil(bottom / step) * step; y <= top; y += step) {
      const [, at] = this.to(0, y);
      lines.push(`M 0 ${at} H ${this.width}`);
    }
    const [x0, y0] = this.to(0, 0);
    this.under.append(make("path", { class: "grid", d: lines.join(" ") }),
      make("path", { class: "axes", d: `M ${x0} 0 V ${this.height} M 0 ${y0} H ${this.width}` }));
  }

  /** The two ends of w·x + b = level on the plane, or null if it passes by. */
  ends([w1, w2], b, level = 0) {
    const { left, right, bottom, top } = this.extent, found = [];
    const add = (x, y) => {
      const inside = x >= left - 1e-9 && x <= right + 1e-9 && y >= bottom - 1e-9 && y <= top + 1e-9;
      const known = found.some(([u, v]) => Math.hypot(u - x, v - y) < 1e-9 * (right - left));
      if (inside && !known) found.push([x, y]);
    };
    if (w2 !== 0) for (const x of [left, right]) add(x, (level - b - w1 * x) / w2);
    if (w1 !== 0) for (const y of [bottom, top]) add((level - b - w2 * y) / w1, y);
    return found.length >= 2 ? [this.to(...found[0]), this.to(...found[1])] : null;
  }

  line(w, b, kind, level = 0) {
    const ends = this.ends(w, b, level);
    if (!ends) return null;
    const [[x1, y1], [x2, y2]] = ends;
    const line = make("line", { class: kind, x1, y1, x2, y2 });
    this.under.append(line);
    return line;
  }

  /** The side of the line where w·x + b has this sign, tinted. */
  side([w1, w2], b, sign, kind) {
    const { left, right, bottom, top } = this.extent;
    const corners = [[left, bottom], [right, bottom], [right, top], [left, top]], inside = [];
    corners.forEach((from, k) => {
      const to = corners[(k + 1) % 4];
      const [a, c] = [from, to].map(([x, y]) => sign * (w1 * x + w2 * y + b));
      if (a >= 0) inside.push(from);
      if ((a < 0) !== (c < 0)) {
        const part = a / (a - c);
        inside.push([from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])]);
      }
    });
    const places = inside.map(([x, y]) => this.to(x, y).join(" ")).join(" ");
    if (inside.length > 2) this.under.prepend(make("polygon", { class: kind, points: places }));
  }

  /** Its label stands beside its middle, on the side away from a place, or else at its tip. */
  arrow([x1, y1], [x2, y2], kind, label, away) {
    const [fx, fy] = this.to(x1, y1), [tx, ty] = this.to(x2, y2);
    const length = Math.hypot(tx - fx, ty - fy);
    if (length < 2) return;
    const [ux, uy] = [(tx - fx) / length, (ty - fy) / length], head = Math.min(10, length / 2);
    const d = `M ${fx} ${fy} L ${tx} ${ty} M ${tx - head * (ux - 0.5 * uy)} ${ty - head * (uy + 0.5 * ux)} `
      + `L ${tx} ${ty} L ${tx - head * (ux + 0.5 * uy)} ${ty - head * (uy - 0.5 * ux)}`;
    this.over.append(make("path", { class: `arrow ${kind}`, d }));
    if (label && away) {
      const [mx, my] = [fx + 0.6 * (tx - fx), fy + 0.6 * (ty - fy)], [ax, ay] = this.to(...away);
      const side = -uy * (mx - ax) + ux * (my - ay) < 0 ? -1 : 1;
      const [nx, ny] = [-uy * side, ux * side];
      this.write(mx + 14 * nx - (nx < -0.3 ? 8 * label.length : nx < 0.3 ? 3.5 * label.length : 0), my + 14 * ny + 5, label, kind);
    } else if (label) this.write(tx + 12 * ux + (ux < -0.3 ? -6 : 6), ty + 12 * uy + 5, label, kind);
  }

  write(x, y, text, kind = "") {
    const across = Math.min(Math.max(x, 8), this.width - 8), down = Math.min(Math.max(y, 14), this.height - 8);
    const anchor = across > this.width * 0.82 ? "end" : "start";
    this.over.append(make("text", { class: `note ${kind}`, x: across, y: down, "text-anchor": anchor }, text));
  }

  ring({ x, y }, kind = "ring", size = 13) {
    const [cx, cy] = this.to(x, y);
    this.over.append(make("circle", { class: kind, cx, cy, r: size }));
  }

  /** Draws the points; those that were there before are only moved. */
  place(points, { kind = () => "", asButtons = false } = {}) {
    while (this.points.childElementCount > points.length) this.points.lastChild.remove();
    points.forEach((point, k) => {
      let mark = this.points.children[k];
      if (!mark) {
        mark = make("g", asButtons ? { role: "button", tabindex: -1 } : {});
        mark.append(make("path", {}), make("circle", { class: "reach" })); // what a finger may touch
        this.points.append(mark);
      }
      const [x, y] = this.to(point.x, point.y);
      const place = `translate(${x} ${y})`, dressed = `point k${point.k} ${kind(k)}`.trim();
      if (mark.at !== place) mark.setAttribute("transform", (mark.at = place));
      if (mark.dressed !== dressed) {
        mark.setAttribute("class", (mark.dressed = dressed));
        mark.firstChild.setAttribute("d", glyph(point.k));
      }
      const name = `${WORDS[point.k]} ${NAMES[point.k]} at ${said(point.x)}, ${said(point.y)}`;
      if (asButtons && mark.name !== name) dress(mark, { "aria-label": (mark.name = name) });
    });
    if (asButtons && points.length && !this.points.querySelector('[tabindex="0"]'))
      this.points.firstChild.setAttribute("tabindex", "0");
  }
}
