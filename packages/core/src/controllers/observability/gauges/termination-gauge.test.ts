import { expect, test } from '@jest/globals';
import type { Node } from '../../../kube/index.ts';
import { recordingMetrics } from '../../fixtures/recording-metrics.ts';
import { terminationGauge } from './state-metrics.ts';

const aNode = (name: string, nodePool: string, deletionTimestamp?: string): Node => ({
  metadata: { name, labels: { 'karpenter.sh/nodepool': nodePool }, ...(deletionTimestamp && { deletionTimestamp }) },
});

test('shows of each pool with terminating nodes for how long the oldest has been at it', () => {
  const { metrics, read } = recordingMetrics();
  const nodes = [
    aNode('a', 'web', '2026-01-01T11:00:00Z'),
    aNode('b', 'web', '2026-01-01T11:59:00Z'),
    aNode('c', 'web'),
    aNode('d', 'idle'),
  ];
  terminationGauge(metrics, { nodes: () => nodes, nowMs: () => Date.parse('2026-01-01T12:00:00Z') });
  expect(read('karpenter_nodes_oldest_termination_seconds')).toEqual([{ labels: { nodepool: 'web' }, value: 3600 }]);
});
