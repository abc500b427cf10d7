import type { Counter, Gauge, Metrics } from '@karpenter/core/controllers';

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
