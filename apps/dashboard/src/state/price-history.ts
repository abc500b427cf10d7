import type { PricePoint } from './dashboard-state.ts';

const MOST_POINTS = 720;
const FIRST_STEP_MS = 5_000;

/**
 * The price since the dashboard began, in a bounded number of points: once they are full, every second one goes and the
 * step doubles.
 */
export class PriceHistory {
  #points: PricePoint[] = [];
  #stepMs = FIRST_STEP_MS;

  /** Takes the point in unless the last one is too recent. */
  add(point: PricePoint): void {
    const last = this.#points.at(-1);
    if (last !== undefined && point.atMs - last.atMs < this.#stepMs) return;
    this.#points = [...this.#points, point];
    if (this.#points.length <= MOST_POINTS) return;
    this.#points = this.#points.filter((_, index) => index % 2 === 0);
    this.#stepMs *= 2;
  }

  /** Oldest first. The same array until a point is added. */
  points(): readonly PricePoint[] {
    return this.#points;
  }
}
