// Elements of pages and pictures, made in one line each.

export function make(name, attributes = {}, ...children) {
  const element = ["svg", "g", "path", "line", "circle", "rect", "text", "polyline", "polygon", "title", "image"].includes(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  return dress(element, attributes, ...children);
}

/** Sets attributes, listeners (on...) and properties (.name); children are nodes or text. */
export function dress(element, attributes, ...children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith(".")) element[name.slice(1)] = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null && child !== false));
  return element;
}

/** A number as people write it: few digits, a true minus. */
export function said(value, digits = 2) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "?" : value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const text = size >= 1e6 || (size > 0 && size < 10 ** -digits / 2)
    ? value.toExponential(1) : String(Number(value.toFixed(digits)));
  return text.replace("-", "−");
}

export const vector = (numbers, digits) => `(${numbers.map((each) => said(each, digits)).join(", ")})`;
export const many = (count, one, more = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

const GLYPHS = {
  0: "M -6 0 a 6 6 0 1 0 12 0 a 6 6 0 1 0 -12 0 Z",
  1: "M 0 -7.4 L 6.8 5 L -6.8 5 Z",
  2: "M -5.4 -5.4 H 5.4 V 5.4 H -5.4 Z",
  3: "M 0 -7.6 L 7.6 0 L 0 7.6 L -7.6 0 Z",
  4: "M -2.3 -6.8 H 2.3 V -2.3 H 6.8 V 2.3 H 2.3 V 6.8 H -2.3 V 2.3 H -6.8 V -2.3 H -2.3 Z",
};
export const NAMES = ["●", "▲", "■", "◆", "✚"];
export const WORDS = ["circle", "triangle", "square", "diamond", "cross"];
export const glyph = (k) => GLYPHS[k];
