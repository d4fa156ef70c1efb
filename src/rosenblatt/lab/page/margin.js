// The widest margin of a few hundred points, or the points that contradict each other.

const dot = (a, b) => a.reduce((sum, value, k) => sum + value * b[k], 0);

/** Numbers a with Σ a = 1 for which Σ a p is shortest, by elimination with pivots. */
function shortestOf(points) {
  const n = points.length + 1;
  const rows = Array.from({ length: n }, (_, i) => Array.from({ length: n + 1 }, (_, j) => {
    if (j === n) return i === 0 ? 1 : 0;
    if (i === 0 || j === 0) return i === j ? 0 : 1;
    return dot(points[i - 1], points[j - 1]);
  }));
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[pivot][k])) pivot = i;
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    if (Math.abs(rows[k][k]) < 1e-14) return null;
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const by = rows[i][k] / rows[k][k];
      for (let j = k; j <= n; j++) rows[i][j] -= by * rows[k][j];
    }
  }
  return rows.slice(1).map((row, k) => row[n] / row[k + 1]);
}

/** The point nearest to the origin in the convex hull of the points (Wolfe, 1976). */
function nearest(points) {
  const largest = Math.max(...points.map((p) => dot(p, p)));
  const lengths = points.map((p) => dot(p, p));
  let chosen = [lengths.indexOf(Math.min(...lengths))], shares = [1], at = points[chosen[0]];
  for (let round = 0; round < 50 * points.length + 100; round++) {
    let next = 0, least = Infinity;
    points.forEach((p, k) => {
      const product = dot(at, p);
      if (product < least) [next, least] = [k, product];
    });
    if (dot(at, at) - least <= 1e-13 * largest || chosen.includes(next)) break;
    chosen = [...chosen, next];
    shares = [...shares, 0];
    for (;;) {
      const wanted = shortestOf(chosen.map((k) => points[k]));
      if (!wanted) {
        chosen.pop();
        shares.pop();
        return { chosen, shares, at };
      }
      if (wanted.every((share) => share > 1e-12)) {
        shares = wanted;
        break;
      }
      let part = 1;
      wanted.forEach((share, k) => {
        if (share <= 1e-12) part = Math.min(part, shares[k] / (shares[k] - share));
      });
      shares = shares.map((share, k) => (1 - part) * share + part * wanted[k]);
      const kept = shares.map((share) => share > 1e-12);
      chosen = chosen.filter((_, k) => kept[k]);
      shares = shares.filter((_, k) => kept[k]);
    }
    at = points[0].map((_, d) => chosen.reduce((sum, k, i) => sum + shares[i] * points[k][d], 0));
  }
  return { chosen, shares, at };
}

/**
 * Of points of two classes as the perceptron sees them, each with a constant feature of one if
 * there is an intercept: R, the widest margin and the weights of length one that have it; or no
 * margin, and the points with shares whose sum of y x is zero.
 */
export function widest(points, intercept) {
  const rows = points.map(({ x, y, k, constant = 1 }) => {
    const sign = k === 1 ? 1 : -1;
    return intercept ? [sign * x, sign * y, sign * constant] : [sign * x, sign * y];
  });
  const labels = new Set(points.map(({ k }) => k));
  if (labels.size < 2) return null;
  const squares = rows.map((row) => dot(row, row));
  const radius = Math.sqrt(Math.max(...squares));
  const { chosen, shares, at } = nearest(rows);
  const margin = Math.sqrt(dot(at, at));
  if (margin <= 1e-6 * radius) return { radius, margin: 0, chosen, shares };
  const [w1, w2, b = 0] = at.map((value) => value / margin);
  return { radius, margin, w: [w1, w2], b, bound: (radius / margin) ** 2, chosen };
}
