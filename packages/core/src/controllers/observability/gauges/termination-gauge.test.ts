import { expect, test } from '@jest/globals';
import type { Node } from '../../../kube/index.ts';
import { recordingMetrics } from '../../fixtures/recording-metrics.ts';
import { aKubeNode } from '../../../testing/objects.ts';
import { terminationGauge } from './state-metrics.ts';

const nodeOf = (name: string, nodePool: string, deletionTimestamp?: string): Node =>
  aKubeNode(name, { metadata: { labels: { 'karpenter.sh/nodepool': nodePool }, ...(deletionTimestamp && { deletionTimestamp }) } });

test('shows of each pool with terminating nodes for how long the oldest has been at it', () => {
  const { metrics, read } = recordingMetrics();
  const nodes = [
    nodeOf('a', 'web', '2026-01-01T11:00:00Z'),
    nodeOf('b', 'web', '2026-01-01T11:59:00Z'),
    nodeOf('c', 'web'),
    nodeOf('d', 'idle'),
  ];
  terminationGauge(metrics, { nodes: () => nodes, nowMs: () => Date.parse('2026-01-01T12:00:00Z') });
  expect(read('karpenter_nodes_oldest_termination_seconds')).toEqual([{ labels: { nodepool: 'web' }, value: 3600 }]);
});
