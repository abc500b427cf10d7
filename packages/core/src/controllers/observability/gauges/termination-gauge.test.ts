import { expect, test } from '@jest/globals';
import type { Node } from '../../../kube/index.ts';
import { recordingMetrics } from '../../fixtures/recording-metrics.ts';
import { aKubeNode } from '../../../testing/objects.ts';
import { terminationGauge } from './state-metrics.ts';

const kubeNodeOfPool = (name: string, nodePool: string, deletionTimestamp?: string): Node =>
  aKubeNode(name, { metadata: { labels: { 'karpenter.sh/nodepool': nodePool }, ...(deletionTimestamp && { deletionTimestamp }) } });

test('shows of each pool with terminating nodes for how long the oldest has been at it', () => {
  const { metrics, read } = recordingMetrics();
  const nodes = [
    kubeNodeOfPool('a', 'web', '2026-01-01T11:00:00Z'),
    kubeNodeOfPool('b', 'web', '2026-01-01T11:59:00Z'),
    kubeNodeOfPool('c', 'web'),
    kubeNodeOfPool('d', 'idle'),
  ];
  terminationGauge(metrics, { nodes: () => nodes, nowMs: () => Date.parse('2026-01-01T12:00:00Z') });
  expect(read('karpenter_nodes_oldest_termination_seconds')).toEqual([{ labels: { nodepool: 'web' }, value: 3600 }]);
});
