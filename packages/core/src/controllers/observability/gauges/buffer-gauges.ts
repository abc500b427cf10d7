import type { BufferRoom } from '../../../state/index.ts';
import type { CapacityBuffer } from '../../../apis/index.ts';
import type { Metrics, Reading } from '../../../ports/index.ts';

/** What the gauges of CapacityBuffers are read from. */
export interface BufferSourceOfGauges {
  readonly buffers: () => readonly CapacityBuffer[];
  readonly chunksOf: (buffer: CapacityBuffer) => number;
  readonly roomOf: (buffer: CapacityBuffer) => BufferRoom | undefined;
}

const BUFFER = ['namespace', 'name'];

/** Gauges with series for each CapacityBuffer: how many chunks there is room for, and what it costs. */
export const bufferGauges = (metrics: Metrics, { buffers, chunksOf, roomOf }: BufferSourceOfGauges): void => {
  const readings = function* (valuesOf: (buffer: CapacityBuffer) => Readonly<Record<string, number>>, label: string): Iterable<Reading> {
    for (const buffer of buffers()) {
      const { namespace = 'default', name } = buffer.metadata;
      for (const [key, value] of Object.entries(valuesOf(buffer)))
        yield { labels: { namespace, name, ...(label === '' ? {} : { [label]: key }) }, value };
    }
  };
  const chunks = (buffer: CapacityBuffer): Readonly<Record<string, number>> => {
    const { ready = 0, arriving = 0, onNewNodes = 0, failed = 0 } = roomOf(buffer) ?? {};
    return { wanted: chunksOf(buffer), ready, arriving: arriving + onNewNodes, failed };
  };
  metrics.gauge(
    {
      name: 'karpenter_capacity_buffers_chunks',
      help: 'The number of chunks of a CapacityBuffer: wanted, and of these ready on nodes that are up, arriving on nodes that come, and failed.',
      labelNames: [...BUFFER, 'state'],
    },
    () => readings(chunks, 'state'),
  );
  metrics.gauge(
    {
      name: 'karpenter_capacity_buffers_price_per_hour',
      help: 'What the room of a CapacityBuffer costs an hour, in the currency of the prices.',
      labelNames: BUFFER,
    },
    () => readings((buffer) => ({ '': roomOf(buffer)?.pricePerHour ?? 0 }), ''),
  );
};
