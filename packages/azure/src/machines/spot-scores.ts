import type { Clock, Logger } from '@karpenter/runtime';
import type { ArmApi, PlacementScore } from '../arm/arm-api.ts';
import { ArmError } from '../arm/arm-error.ts';
import { logicalZoneOf } from '../zones/index.ts';

/** Azure takes no more sizes in one call. */
export const SCORED_SIZES = 5;

/** Azure says to keep scores for 15 to 30 minutes. */
const FRESH_MS = 15 * 60_000;

/** What a price counts for when one of several machines is chosen: an unlikely one is worth it at half the price. */
const FACTORS: Readonly<Record<PlacementScore['score'], number>> = { High: 1, Medium: 1.25, Low: 2 };

interface Known {
  readonly sinceMs: number;
  /** Logical zone → factor. */
  readonly factors: ReadonlyMap<string, number>;
}

export interface SpotScoresSource {
  readonly arm: Pick<ArmApi, 'spotPlacementScores'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Scores of spot sizes. Prices in plans stay as they are: scores change every quarter of an hour, and nodes must not be
 * replaced for that.
 */
export class SpotScores {
  readonly #source: SpotScoresSource;
  /** Size → what Azure said of it; without factors where it said nothing. */
  readonly #known = new Map<string, Known>();
  #reading: Promise<void> = Promise.resolve();

  constructor(source: SpotScoresSource) {
    this.#source = source;
  }

  /** Reads the scores of sizes that are not known or too old, up to five. Without an answer prices alone count. */
  async learn(sizes: readonly string[], signal: AbortSignal): Promise<void> {
    const turn = this.#reading.then(() => this.#learn(sizes.slice(0, SCORED_SIZES), signal));
    this.#reading = turn.catch(() => undefined);
    await turn;
  }

  /** What the price of a spot machine is multiplied by. A machine without a zone may come in any: the best of them counts. */
  factorOf(size: string, zone: string): number {
    const factors = this.#known.get(size)?.factors ?? new Map<string, number>();
    const logical = logicalZoneOf(zone);
    const best = factors.size === 0 ? 1 : Math.min(...factors.values());
    return logical === undefined ? best : (factors.get(logical) ?? best);
  }

  async #learn(sizes: readonly string[], signal: AbortSignal): Promise<void> {
    const { arm, clock, logger } = this.#source;
    const sinceMs = clock.now();
    const wanted = sizes.filter((size) => (this.#known.get(size)?.sinceMs ?? Number.NEGATIVE_INFINITY) + FRESH_MS <= sinceMs);
    if (wanted.length === 0) return;
    let scores: readonly PlacementScore[] = [];
    try {
      scores = await arm.spotPlacementScores(wanted, signal);
    } catch (error) {
      if (!(error instanceof ArmError)) throw error;
      logger.warn('spot placement scores could not be read: spot sizes are chosen by price alone', { sizes: wanted, error });
    }
    for (const size of wanted) {
      const own = scores.filter((each) => each.size.toLowerCase() === size.toLowerCase());
      this.#known.set(size, { sinceMs, factors: new Map(own.map(({ zone, score }) => [zone, FACTORS[score]])) });
    }
  }
}
