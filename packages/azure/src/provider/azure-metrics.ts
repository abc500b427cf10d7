import type { Counter, Gauge, Metrics } from '@karpenter/core/controllers';
import type { CircuitBreaker } from '@karpenter/core/provider-kit';

/** What the provider counts. */
export interface AzureMetrics {
  readonly launchesStarted: Counter;
  readonly launchesFailed: Counter;
  readonly priceAge: Gauge;
}

export const azureMetrics = (metrics: Pick<Metrics, 'counter' | 'gauge'>): AzureMetrics => ({
  launchesStarted: metrics.counter({
    name: 'karpenter_instance_vm_create_start_total',
    help: 'Machines that Azure was asked for.',
    labelNames: ['size', 'zone', 'capacity_type'],
  }),
  launchesFailed: metrics.counter({
    name: 'karpenter_instance_vm_create_failure_total',
    help: 'Machines that Azure refused or that failed after they were accepted.',
    labelNames: ['error_code'],
  }),
  priceAge: metrics.gauge({
    name: 'karpenter_pricing_age_seconds',
    help: 'How long ago prices were last read; those that came with this version count from their date.',
    labelNames: [],
  }),
});

/** Shows which calls to Azure are held back because so many failed. */
export const tellCircuits = (metrics: Pick<Metrics, 'gauge'>, circuits: Pick<CircuitBreaker, 'states'>): void => {
  const spec = {
    name: 'karpenter_azure_circuit_open',
    help: '1 while calls of a kind are held back because so many of them failed; 0 while they are made.',
    labelNames: ['circuit'],
  };
  metrics.gauge(spec, () => [...circuits.states()].map(([circuit, state]) => ({ labels: { circuit }, value: state === 'closed' ? 0 : 1 })));
};
