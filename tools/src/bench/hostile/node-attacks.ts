import type { ClusterSnapshot, Pod } from '@karpenter/core';
import { HOSTILE, hostilePods, range } from './attack.ts';
import type { Attack, HostilePod } from './attack.ts';

/** About 12,000 units of planning. */
const tolerations = (index: number): HostilePod => ({
  tolerations: range(4000).map((each) => ({ key: `key-${index}-${each}`, operator: 'Exists' })),
});

const antiAffinity =
  (terms: number) =>
  (index: number): HostilePod => ({
    labels: { app: `app-${index}` },
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: range(terms).map((each) => ({
          topologyKey: 'kubernetes.io/hostname',
          labelSelector: { matchExpressions: [{ key: `k-${index}-${each}`, operator: 'NotIn', values: [`${each}`] }] },
        })),
      },
    },
  });

/** A quarter of a core each: twenty fit on a node. */
const small = (pods: readonly Pod[]): readonly Pod[] =>
  pods.map((pod) => ({
    ...pod,
    spec: { ...pod.spec, containers: [{ name: 'main', resources: { requests: { cpu: '250m', memory: '512Mi' } } }] },
    status: { phase: 'Running' },
  }));

const running = (count: number, of: (index: number) => HostilePod): readonly Pod[] => small(hostilePods(count, of));

const plain = (index: number): HostilePod => ({ labels: { app: `app-${index}` } });

const budgets = (count: number, valuesEach: number): ClusterSnapshot['podDisruptionBudgets'] =>
  range(count).map((index) => ({
    metadata: { name: `budget-${index}`, namespace: HOSTILE },
    spec: {
      minAvailable: '100%',
      selector: { matchExpressions: [{ key: 'app', operator: 'In', values: range(valuesEach).map((each) => `none-${index}-${each}`) }] },
    },
    status: { disruptionsAllowed: 0 },
  }));

/** Attacks by pods that run, on nodes that drain or that a disruption pass evaluates. */
export const nodeAttacks: Readonly<Record<string, () => Attack>> = {
  'draining nodes, 60 pods, 4,000 tolerations each': () => ({ draining: running(60, tolerations) }),
  'draining nodes, 200 pods, 300 anti-affinity terms each': () => ({ draining: running(200, antiAffinity(300)) }),
  'draining nodes, 500 plain pods, 5,000 disruption budgets that select none': () => ({
    draining: running(500, plain),
    podDisruptionBudgets: budgets(5000, 1),
  }),
  'draining nodes, 500 plain pods, 100 disruption budgets with 10,000 values': () => ({
    draining: running(500, plain),
    podDisruptionBudgets: budgets(100, 10_000),
  }),
  '500 running pods, 100 anti-affinity terms each': () => ({ running: running(500, antiAffinity(100)) }),
  'disruption, 100 pods, 4,000 tolerations each': () => ({ disrupted: running(100, tolerations) }),
  'disruption, 100 pods, 100 anti-affinity terms each': () => ({ disrupted: running(100, antiAffinity(100)) }),
  'disruption, 100 pods, 25 anti-affinity terms each': () => ({ disrupted: running(100, antiAffinity(25)) }),
  'disruption, 400 pods, 100 anti-affinity terms each': () => ({ disrupted: running(400, antiAffinity(100)) }),
  'disruption, 500 plain pods, 5,000 disruption budgets that select none': () => ({
    disrupted: running(500, plain),
    podDisruptionBudgets: budgets(5000, 1),
  }),
  'disruption, 500 plain pods, 100 disruption budgets with 10,000 values': () => ({
    disrupted: running(500, plain),
    podDisruptionBudgets: budgets(100, 10_000),
  }),
};
