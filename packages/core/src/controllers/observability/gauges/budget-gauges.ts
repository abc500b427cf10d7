import type { DisruptionAllowance } from '../../../disruption/index.ts';
import type { Metrics, Reading } from '../../../ports/index.ts';

/** As the original shows that no budget applies. */
const NO_LIMIT = 2 ** 31 - 1;

const reading = ({ nodePoolName: nodepool, reason }: DisruptionAllowance, value: number): Reading => ({
  labels: { nodepool, reason },
  value,
});

/** Shows what budgets came to when they were last read: of the pools of that look, and no others. */
export const budgetGauges = (metrics: Metrics, last: () => readonly DisruptionAllowance[]): void => {
  metrics.gauge(
    {
      name: 'karpenter_nodepools_allowed_disruptions',
      help: 'The number of nodes of a NodePool that can be concurrently disrupting at a point in time, by reason.',
      labelNames: ['nodepool', 'reason'],
    },
    () => last().map((each) => reading(each, Math.min(each.allowed, NO_LIMIT))),
  );
  metrics.gauge(
    {
      name: 'karpenter_nodepools_nodes_consuming_budgets',
      help: 'The number of nodes of a NodePool that consume its disruption budgets at a point in time, by reason.',
      labelNames: ['nodepool', 'reason'],
    },
    () => last().map((each) => reading(each, each.disrupting)),
  );
};
