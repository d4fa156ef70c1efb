// Points added, dragged and deleted, by mouse, touch and keyboard.
import { rounded } from "./clouds.js";
import { MOST_POINTS, beforeDrag, change, current, drag } from "./state.js";
import { placed } from "./placed.js";
import { said } from "./svg.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Numbers of a usual plane are multiples of a twentieth, of others of a five-hundredth of it. */
function placeOn(plane, x, y) {
  const wide = plane.extent.right - plane.extent.left;
  if (wide <= 8.0001) return [rounded(x), rounded(y)];
  const digits = Math.max(0, 2 - Math.floor(Math.log10(wide)) + 1);
  return [Number(x.toFixed(digits)), Number(y.toFixed(digits))];
}

export function editable(plane, { chosen, say }) {
  const numberOf = (target) => [...plane.points.children].indexOf(target.closest?.(".point"));
  /** Of the points that a finger may mean. */
  const nearest = (event) => {
    if (numberOf(event.target) < 0) return -1;
    const [x, y] = plane.from(event), far = placed(current()).map((point) => Math.hypot(point.x - x, point.y - y));
    return far.indexOf(Math.min(...far));
  };
  const moved = (points, number, x, y) => {
    [x, y] = placeOn(plane, x, y);
    return points.map((point, k) => (k === number ? { ...point, x, y } : point));
  };
  const remove = (number) => {
    change({ points: placed(current()).filter((_, k) => k !== number) });
    const next = plane.points.children[Math.min(number, plane.points.childElementCount - 1)];
    (next ?? plane.svg).focus?.();
    say("The point is deleted; Undo brings it back.");
  };
  /** Adds a point by key or button, beside the one in hand or else in the middle, and takes it in hand. */
  const add = (number = -1) => {
    const points = placed(current()), { left, right, bottom, top } = plane.extent, by = (right - left) / 32;
    if (points.length >= MOST_POINTS) return say(`There is room for ${MOST_POINTS} points.`);
    let { x, y } = points[number] ?? { x: (left + right) / 2, y: (bottom + top) / 2 };
    const taken = () => points.some((point) => Math.hypot(point.x - x, point.y - y) < by / 2);
    for (let tries = 0; tries < 32 * 24 && taken(); tries++) {
      x += by;
      if (x < right) continue;
      x = left + by;
      y = y + by < top ? y + by : bottom + by;
    }
    [x, y] = placeOn(plane, x, y);
    change({ points: [...points, { x, y, k: chosen() }] });
    focusOn(points.length);
    say(`A point is added at ${said(x)}, ${said(y)}: arrows move it.`);
  };
  let held = null;

  plane.svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const number = event.pointerType === "mouse" ? numberOf(event.target) : nearest(event);
    if (number < 0) {
      held = { number: -1, from: [event.clientX, event.clientY] };
      return;
    }
    held = { number, from: [event.clientX, event.clientY], going: false };
    focusOn(number);
    plane.svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  // Else a finger on a point scrolls the page: browsers heed touch-action of no part of a picture.
  plane.svg.addEventListener("touchstart", (event) => numberOf(event.target) >= 0 && event.preventDefault(), { passive: false });
  plane.svg.addEventListener("pointermove", (event) => {
    if (!held || held.number < 0) return;
    if (!held.going && Math.hypot(event.clientX - held.from[0], event.clientY - held.from[1]) < 3) return;
    if (!held.going) {
      beforeDrag();
      held = { ...held, going: true };
      plane.still = true; // the scale stays while a point is on its way
    }
    drag(moved(placed(current()), held.number, ...plane.from(event)));
  });
  const letGo = (event) => {
    const added = held?.number === -1 && event.type === "pointerup"
      && Math.hypot(event.clientX - held.from[0], event.clientY - held.from[1]) < 6;
    const going = held?.going;
    held = null;
    plane.still = false;
    if (going) plane.redraw();
    if (!added) return;
    const points = placed(current());
    if (points.length >= MOST_POINTS) return say(`There is room for ${MOST_POINTS} points.`);
    const [x, y] = placeOn(plane, ...plane.from(event));
    change({ points: [...points, { x, y, k: chosen() }] });
  };
  plane.svg.addEventListener("pointerup", letGo);
  plane.svg.addEventListener("pointercancel", letGo);

  function focusOn(number) {
    for (const mark of plane.points.querySelectorAll('[tabindex="0"]')) mark.setAttribute("tabindex", "-1");
    const mark = plane.points.children[number];
    mark?.setAttribute("tabindex", "0");
    mark?.focus({ preventScroll: true });
  }

  plane.svg.addEventListener("keydown", (event) => {
    const number = numberOf(event.target);
    if (number < 0) return;
    const points = placed(current()), step = STEPS[event.key];
    if (step) {
      const by = (plane.extent.right - plane.extent.left) / (event.shiftKey ? 16 : 160);
      const { x, y } = points[number];
      change({ points: moved(points, number, x + by * step[0], y + by * step[1]) });
    } else if (event.key === "Delete" || event.key === "Backspace") remove(number);
    else if (event.key === "Insert" || event.key === "a") add(number);
    else if (event.key === "PageDown" || event.key === "n") focusOn((number + 1) % points.length);
    else if (event.key === "PageUp" || event.key === "p") focusOn((number + points.length - 1) % points.length);
    else if (event.key === " " || event.key === "Enter") {
      const classes = Math.max(2, ...points.map(({ k }) => k + 1));
      change({ points: points.map((point, k) => (k === number ? { ...point, k: (point.k + 1) % classes } : point)) });
    } else return;
    event.preventDefault();
  });
  return { add };
}
