import { expect, test } from '@jest/globals';
import { scrapedMetrics } from './scraped-metrics.ts';

const FIRST = `# HELP karpenter_nodeclaims_created_total Number of nodeclaims created.
# TYPE karpenter_nodeclaims_created_total counter
karpenter_nodeclaims_created_total{nodepool="default",reason="provisioned"} 26
# HELP karpenter_pods_bound_duration_seconds The time until the pod is bound.
# TYPE karpenter_pods_bound_duration_seconds histogram
karpenter_pods_bound_duration_seconds_bucket{le="0.005"} 0
karpenter_pods_bound_duration_seconds_bucket{le="+Inf"} 1000
karpenter_pods_bound_duration_seconds_sum 5.5e+03
karpenter_pods_bound_duration_seconds_count 1000
# TYPE operator_node_status_condition_count gauge
operator_node_status_condition_count{name="n",reason="KubeletReady, \\"it\\" says",status="True",type="Ready"} 1
# TYPE go_goroutines gauge
go_goroutines 300
`;
const SECOND = `# TYPE karpenter_nodeclaims_created_total counter
karpenter_nodeclaims_created_total{nodepool="default",reason="underutilized"} 3
karpenter_nodeclaims_created_total{nodepool="default",reason="provisioned"} 300
`;

test('scrapes in the text format › each metric of Karpenter with its type, labels, and values that are no names', () => {
  expect(scrapedMetrics([FIRST, SECOND])).toEqual({
    karpenter_nodeclaims_created_total: { type: 'counter', labels: { nodepool: [], reason: ['provisioned', 'underutilized'] } },
    karpenter_pods_bound_duration_seconds: { type: 'histogram', labels: {} },
    operator_node_status_condition_count: { type: 'gauge', labels: { name: [], reason: [], status: ['True'], type: [] } },
  });
});
