import type { Counter, Gauge, Metrics } from '@karpenter/core/controllers';
import type { CircuitBreaker } from '@karpenter/core/provider-kit';
import { machineTags, type VmFacts } from '../machines/index.ts';
import type { ReservationBook } from '../reservations/index.ts';

/** What the provider counts. */
export interface AzureMetrics {
  readonly launchesStarted: Counter;
  readonly launchesFailed: Counter;
  readonly imageSelectionErrors: Counter;
  readonly priceAge: Gauge;
  readonly updatesLeft: Gauge;
}

const LAUNCH = ['image', 'size', 'zone', 'capacity_type', 'nodepool'];

/** The labels of a launch. */
export const launchMetricLabelsOf = ({ imageId = '', size, zone, capacityType, tags }: VmFacts): Readonly<Record<string, string>> => ({
  image: imageId,
  size,
  zone,
  capacity_type: capacityType,
  nodepool: tags[machineTags.nodePool] ?? '',
});

export const azureMetrics = (metrics: Pick<Metrics, 'counter' | 'gauge'>): AzureMetrics => ({
  launchesStarted: metrics.counter({
    name: 'karpenter_instance_vm_create_start_total',
    help: 'Machines requested from Azure.',
    labelNames: LAUNCH,
  }),
  launchesFailed: metrics.counter({
    name: 'karpenter_instance_vm_create_failure_total',
    help: 'Machines that Azure refused (phase sync) or that failed after they were accepted (async).',
    labelNames: [...LAUNCH, 'phase', 'error_code'],
  }),
  imageSelectionErrors: metrics.counter({
    name: 'karpenter_image_selection_error_count',
    help: 'Launches for whose size the class has no image.',
    labelNames: ['family'],
  }),
  priceAge: metrics.gauge({
    name: 'karpenter_pricing_age_seconds',
    help: 'How long ago prices were last read; those that came with this version count from their date.',
    labelNames: [],
  }),
  updatesLeft: metrics.gauge({
    name: 'karpenter_azure_in_place_updates_left',
    help: 'Machines whose tags or identities are still to be brought to what their class and the options say.',
    labelNames: ['nodeclass'],
  }),
});

/** Shows what capacity reservations keep, and what of it is free. */
export const reportReservations = (metrics: Pick<Metrics, 'gauge'>, reservations: Pick<ReservationBook, 'offered'>): void => {
  const spec = {
    name: 'karpenter_azure_capacity_reservation_machines',
    help: 'Machines that a capacity reservation keeps (state kept), and how many of them may still be launched (free).',
    labelNames: ['group', 'size', 'zone', 'state'],
  };
  metrics.gauge(spec, () =>
    reservations.offered.flatMap(({ group, size, zone, capacity, remaining }) => [
      { labels: { group, size, zone, state: 'kept' }, value: capacity },
      { labels: { group, size, zone, state: 'free' }, value: remaining },
    ]),
  );
};

/** Shows which circuits for calls to Azure are open because so many failed. */
export const reportCircuits = (metrics: Pick<Metrics, 'gauge'>, circuits: Pick<CircuitBreaker, 'states'>): void => {
  const spec = {
    name: 'karpenter_azure_circuit_open',
    help: '1 while calls of a kind are refused because so many of them failed; 0 while they are made.',
    labelNames: ['circuit'],
  };
  metrics.gauge(spec, () => [...circuits.states()].map(([circuit, state]) => ({ labels: { circuit }, value: state === 'closed' ? 0 : 1 })));
};
