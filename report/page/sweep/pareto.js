// SPDX-License-Identifier: Apache-2.0
// Points that no other beats: none is at least as good in both measures and better in one.

// `points`: [{x, y, ..}]; a direction is 1 where less is better, -1 where more is. The front, from best x on.
export function paretoFront(points, xDirection, yDirection) {
  const sorted = [...points].sort((a, b) => xDirection * (a.x - b.x) || yDirection * (a.y - b.y));
  const front = [];
  let best = Infinity;
  for (const point of sorted) {
    const y = yDirection * point.y;
    const isSame = front.length > 0 && front.at(-1).x === point.x && front.at(-1).y === point.y;
    if (y < best || isSame) front.push(point);
    best = Math.min(best, y);
  }
  return front;
}
