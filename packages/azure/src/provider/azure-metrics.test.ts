import { expect, test } from '@jest/globals';
import type { Metrics } from '@karpenter/core/controllers';
import type { Reading } from '@karpenter/core/internal';
import { reportReservations } from './azure-metrics.ts';

test('size and free places of capacity reservations are read at each scrape', () => {
  let read: (() => Iterable<Reading>) | undefined;
  const metrics = { gauge: (...[, collect]: Parameters<Metrics['gauge']>) => ((read = collect), { set: () => undefined }) };
  const reservation = { id: 'r-1', group: 'web', size: 'Standard_D4s_v3', zone: 'eastus-1', capacity: 5, remaining: 2 };
  const reservations = { offered: [reservation] };
  reportReservations(metrics, reservations);
  reservation.remaining = 1;
  const labels = { group: 'web', size: 'Standard_D4s_v3', zone: 'eastus-1' };
  expect([...(read?.() ?? [])]).toEqual([
    { labels: { ...labels, state: 'kept' }, value: 5 },
    { labels: { ...labels, state: 'free' }, value: 1 },
  ]);
});
