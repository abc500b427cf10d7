import { inspect } from 'node:util';
import type { MetricLabels } from '@karpenter/core/internal';
import type { LogFields, Logger } from '@karpenter/runtime';
import type { AzureProviderSource } from '../provider/azure-provider-source.ts';

/** Events, metrics and logs of a provider. */
export interface Observed {
  /** The labels of each time that a counter went up, by its name. */
  counted(name: string): readonly MetricLabels[];
  /** What a gauge was set to, in order, by its name. */
  gauged(name: string): readonly number[];
  /** Lines of the log with their level and all that their fields hold. */
  readonly lines: readonly string[];
}

/** `ears` record into `observed`. */
export const observing = (): { readonly observed: Observed; readonly ears: Pick<AzureProviderSource, 'events' | 'metrics' | 'logger'> } => {
  const lines: string[] = [];
  const counts: { readonly name: string; readonly labels: MetricLabels }[] = [];
  const gauges: { readonly name: string; readonly value: number }[] = [];
  const writing =
    (level: keyof Logger) =>
    (message: string, fields?: LogFields): void => {
      const line = inspect({ level, message, ...fields }, { depth: null });
      lines.push(line);
      (globalThis as { readonly loggedByTest?: string[] }).loggedByTest?.push(line);
    };
  const logger: Logger = { debug: writing('debug'), info: writing('info'), warn: writing('warn'), error: writing('error') };
  return {
    observed: {
      lines,
      counted: (name) => counts.filter((each) => each.name === name).map(({ labels }) => labels),
      gauged: (name) => gauges.filter((each) => each.name === name).map(({ value }) => value),
    },
    ears: {
      logger,
      events: { record: () => undefined },
      metrics: {
        counter: ({ name }) => ({ increment: (labels = {}) => void counts.push({ name, labels }) }),
        gauge: ({ name }) => ({ set: (value) => void gauges.push({ name, value }) }),
      },
    },
  };
};
