import { expect, test } from '@jest/globals';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import type { DaemonSet, NodeSelectorTerm } from '../../kube/index.ts';
import { withBoundedDaemons } from './work-budget.ts';
import { range } from '../../testing/range.ts';

const term = (value: number): NodeSelectorTerm => ({ matchExpressions: [{ key: 'zone', operator: 'NotIn', values: [`z${value}`] }] });

const aDaemonSet = (name: string, terms: number, creationTimestamp = '2026-01-01T00:00:00Z'): DaemonSet => ({
  metadata: { name, namespace: 'shop', creationTimestamp },
  spec: {
    template: {
      spec: {
        containers: [{ name: 'main' }],
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: range(terms).map(term) } } },
      },
    },
  },
});

const daemonSnapshot = (daemonSets: readonly DaemonSet[]): ClusterSnapshot => ({
  ...{ nodePools: [], nodes: [], pendingPods: [], podDisruptionBudgets: [], namespaceLabels: new Map() },
  daemonSets,
});

const daemonSetNames = ({ daemonSets }: ClusterSnapshot): readonly string[] => daemonSets.map(({ metadata: { name } }) => name);

test('a snapshot with ordinary DaemonSets comes back unchanged', () => {
  const snapshot = daemonSnapshot(range(200).map((index) => aDaemonSet(`d-${index}`, 2)));
  expect(withBoundedDaemons(snapshot)).toBe(snapshot);
});

test('a DaemonSet with more terms than planning has time for is left out by name, with its figure', () => {
  const bounded = withBoundedDaemons(daemonSnapshot([aDaemonSet('huge', 12_000), aDaemonSet('plain', 1)]));
  expect(daemonSetNames(bounded)).toEqual(['plain']);
  expect(bounded.leftOut).toEqual([
    {
      ...{ kind: 'DaemonSet', name: 'shop/huge' },
      problem: {
        ...{ field: 'spec.template.spec', value: '12,000 node affinity terms' },
        problem: expect.stringMatching(/^costs \d+ units of planning; at most 20000 are spent on a DaemonSet$/),
      },
    },
  ]);
});

test('of more DaemonSets than planning has time for, the newest are left out', () => {
  const old = range(10).map((index) => aDaemonSet(`old-${index}`, 10));
  const flood = range(400).map((index) => aDaemonSet(`a-flood-${index}`, 10, '2026-01-02T00:00:00Z'));
  const bounded = withBoundedDaemons(daemonSnapshot([...flood, ...old]));
  expect(daemonSetNames(bounded)).toEqual(expect.arrayContaining(old.map(({ metadata: { name } }) => name)));
  expect(bounded.daemonSets.length + (bounded.leftOut ?? []).length).toBe(410);
});

test('a malformed DaemonSet costs nothing: it is judged later', () => {
  const snapshot = daemonSnapshot([{ metadata: { name: 'odd' }, spec: { template: null } } as unknown as DaemonSet]);
  expect(withBoundedDaemons(snapshot)).toBe(snapshot);
});
