// Points drawn from a seed: the same on every machine.

/** Coordinates that a person can read: multiples of a twentieth. */
export const rounded = (value) => Math.round(value * 20) / 20 || 0;

/** Uniform numbers between 0 and 1 (mulberry32). */
export function uniform(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Nearly normal, and the same everywhere: a sum of twelve needs no logarithm. */
function normal(draw) {
  let sum = -6;
  for (let k = 0; k < 12; k++) sum += draw();
  return sum;
}

/** Around each centre [x, y, k] so many points of class k, mixed. */
export function clouds(seed, centres, { each = 12, spread = 0.6, keep = () => true } = {}) {
  const draw = uniform(seed);
  const points = [];
  for (let n = 0; n < each; n++) {
    for (const [cx, cy, k] of centres) {
      for (;;) {
        const x = rounded(cx + spread * normal(draw)), y = rounded(cy + spread * normal(draw));
        if (Math.abs(x) > 3.9 || Math.abs(y) > 2.9 || !keep(x, y, k)) continue;
        points.push({ x, y, k });
        break;
      }
    }
  }
  return points;
}

/** Anywhere on the plane, of the class that a line w·x + b gives, none nearer to it than gap. */
export function beside(seed, count, [w1, w2, b], gap) {
  const draw = uniform(seed), length = Math.hypot(w1, w2), points = [];
  while (points.length < count) {
    const x = rounded(7.4 * draw() - 3.7), y = rounded(5.4 * draw() - 2.7);
    const distance = (w1 * x + w2 * y + b) / length;
    if (Math.abs(distance) > gap) points.push({ x, y, k: Number(distance > 0) });
  }
  return points;
}
