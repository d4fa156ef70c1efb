// What the page shows, as one value that also stands in its address.
import { LESSONS, lessonNamed } from "./lessons.js";
import { placed } from "./placed.js";
import { SENTENCE } from "./sample.js";

const VIEWS = ["stage", "bound", "compare", "classes", "text", "report"];
export const MOST_POINTS = 1000;
export const MOST_PASSES = 100;

/** What may be set, with how it is read from an address: anything else there is left out. */
const whole = (low, high) => (text) => {
  const number = Number(text);
  return Number.isInteger(number) && number >= low && number <= high ? number : undefined;
};
const flag = (text) => ({ 0: false, 1: true })[text];
const oneOf = (...names) => (text) => (names.includes(text) ? text : undefined);
const listOf = (known) => (text) => {
  const names = text.split(" ").filter((name) => known.includes(name));
  return names.length ? names : undefined;
};
const READ = {
  view: oneOf(...VIEWS),
  lesson: oneOf(...LESSONS.map(({ name }) => name)),
  t: whole(0, 1e7),
  passes: whole(1, MOST_PASSES),
  seed: whole(0, 2 ** 31),
  order: oneOf("pass", "once", "none", "sorted"),
  intercept: flag,
  unitLength: flag,
  average: flag,
  apart: whole(-20, 40),
  noise: whole(0, 40),
  features: whole(10, 200),
  text: (text) => text.slice(0, 2000),
  kernel: oneOf("2", "3", "4", "rbf"),
  learners: listOf(["plain", "averaged", "voted", "pa", "arow", "kernel", "pairs", "winnow"]),
};

let state = fromLesson(LESSONS[0]);
const listeners = new Set();
const undone = [];

export function fromLesson(lesson) {
  return {
    view: "stage", t: 0, passes: 20, seed: 1, order: "pass", intercept: true, unitLength: false,
    text: SENTENCE, average: false, apart: 0, noise: 0, features: 100, kernel: "2", learners: ["plain", "averaged"],
    ...lesson.settings, lesson: lesson.name, points: lesson.points(), edited: false,
  };
}

export const current = () => state;
export const listen = (listener) => listeners.add(listener);

/** Changes some of what is shown; points so changed can be taken back. */
export function change(some) {
  if (some.points) {
    beforeDrag();
    some = { edited: true, apart: 0, ...some };
  }
  replace({ ...state, ...some });
}

/** Changes points on their way, which cannot be taken back one by one. */
export const drag = (points) => replace({ ...state, points, edited: true, apart: 0 });

export function beforeDrag() {
  undone.push({ points: state.points, apart: state.apart });
  if (undone.length > 200) undone.shift();
}

export const canUndo = () => undone.length > 0;
export function undo() {
  const before = undone.pop();
  if (before) replace({ ...state, ...before, edited: true });
}

export function open(lesson) {
  undone.length = 0;
  replace({ ...fromLesson(lesson) });
}

let writing = 0;

function replace(next) {
  state = next;
  for (const listener of listeners) listener(state);
  clearTimeout(writing); // browsers refuse too many changes of the address in a second
  writing = setTimeout(() => history.replaceState(null, "", `#${address()}`), 250);
}

/** The address that shows exactly this. */
export function address() {
  const plain = fromLesson(lessonNamed(state.lesson));
  const said = new URLSearchParams();
  for (const name of Object.keys(READ)) {
    const value = state[name];
    const text = Array.isArray(value) ? value.join(" ") : typeof value === "boolean" ? Number(value) : value;
    if (name === "lesson" || name === "view" || String(value) !== String(plain[name])) said.set(name, text);
  }
  if (state.edited) said.set("points", state.points.map(({ x, y, k }) => `${x},${y},${k}`).join(";"));
  return said.toString();
}

/** Takes up what an address says, as far as it can be understood. */
export function read(hash) {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const lesson = lessonNamed(READ.lesson(said.get("lesson") ?? "") ?? LESSONS[0].name);
  const next = fromLesson(lesson);
  for (const [name, text] of said) {
    const value = READ[name]?.(text);
    if (value !== undefined) next[name] = value;
  }
  const points = said.has("points") ? pointsIn(said.get("points")) : null;
  if (points) Object.assign(next, { points, edited: true });
  replace(next);
}

function pointsIn(text) {
  const points = text.split(";").filter(Boolean).slice(0, MOST_POINTS).map((each) => {
    const [x, y, k] = each.split(",").map(Number);
    return { x, y, k };
  });
  const sound = ({ x, y, k }) => Math.abs(x) <= 1e9 && Math.abs(y) <= 1e9 && [0, 1, 2, 3, 4].includes(k);
  return points.every(sound) ? points : null;
}

/** Points in the order in which they are learned from. */
export function learned(state) {
  const points = placed(state);
  return state.order === "sorted" ? [...points].sort((a, b) => b.k - a.k) : points;
}

/** The settings of the core for these of the page. */
export function wanted({ order, seed, intercept, unitLength, average }) {
  return { shuffle: order === "sorted" ? "none" : order, seed, intercept, unitLength, average };
}
