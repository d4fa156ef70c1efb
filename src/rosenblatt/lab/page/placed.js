// Points where they are shown: as they are, or with the two classes moved apart.
import { rounded } from "./clouds.js";

let last = { points: null, apart: 0, found: null };

export function placed({ points, apart }) {
  if (!apart) return points;
  if (last.points === points && last.apart === apart) return last.found;
  const mean = (k) => {
    const some = points.filter((point) => point.k === k), count = Math.max(1, some.length);
    return [some.reduce((sum, { x }) => sum + x, 0) / count, some.reduce((sum, { y }) => sum + y, 0) / count];
  };
  const [[ax, ay], [bx, by]] = [mean(0), mean(1)], length = Math.hypot(bx - ax, by - ay) || 1;
  const found = points.map(({ x, y, k }) => {
    const step = ((k === 1 ? 1 : -1) * apart * 0.05) / length;
    return { x: rounded(x + step * (bx - ax)), y: rounded(y + step * (by - ay)), k };
  });
  last = { points, apart, found };
  return found;
}
