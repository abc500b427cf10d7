import { type Logger, silentLogger, yieldToEventLoop } from '@karpenter/runtime';
import { Registry } from 'prom-client';
import { ReadGauge } from './read-gauge.ts';

/** Series between two turns of the event loop: a few milliseconds of work. */
const SERIES = 500;

/**
 * A registry that is written a slice at a time: with a series for each pod a scrape takes seconds of a processor, and
 * leases, probes and watches must not wait for it. Series that are gone by the time they are written may still be
 * shown. A metric that cannot be read is left out and logged: the others are shown.
 */
export class SlicedRegistry extends Registry {
  readonly #logger: Logger;

  constructor(logger: Logger = silentLogger) {
    super();
    this.#logger = logger;
  }

  override async metrics(): Promise<string> {
    const texts: string[] = [];
    for (const metric of this.getMetricsAsArray()) {
      await yieldToEventLoop();
      try {
        texts.push(metric instanceof ReadGauge ? await this.#sliced(metric) : await this.getSingleMetricAsString(metric.name));
      } catch (error) {
        this.#logger.error('a metric could not be read', { metric: metric.name, error });
      }
    }
    return `${texts.join('\n\n')}\n`;
  }

  async #sliced(gauge: ReadGauge): Promise<string> {
    const pieces: string[] = [];
    for await (const piece of gauge.pieces(SERIES)) {
      pieces.push(piece);
      await yieldToEventLoop();
    }
    return pieces.join('').trimEnd();
  }
}
