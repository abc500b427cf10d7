import { describe, expect, test } from '@jest/globals';
import type { NodeView } from '../../cluster/index.ts';
import type { LabelSelector, Pod } from '../../kube/index.ts';
import { proposeCommand, proposing } from '../command-proposal.ts';
import { aCluster, aNode, aRunningPod } from '../testing/a-cluster.ts';
import { aContext } from '../testing/a-context.ts';
import { range } from '../../testing/range.ts';
const PODS_A_NODE = 20;

/** A pod that keeps away from those that the selectors pick, on its node. */
const apart = (index: number, selectors: readonly LabelSelector[]): Pod => {
  const terms = selectors.map((labelSelector) => ({ topologyKey: 'kubernetes.io/hostname', labelSelector }));
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } };
  const pod = aRunningPod(`pod-${index}`, 0.1, { spec: { affinity } });
  return { ...pod, metadata: { ...pod.metadata, labels: { app: `app-${index}` } } };
};

/** Each of its terms selects nearly every pod. */
const broad = (index: number, terms = 60): Pod =>
  apart(
    index,
    range(terms).map((each) => ({ matchExpressions: [{ key: `k-${index}-${each}`, operator: 'NotIn', values: ['x'] }] })),
  );

/** Its terms select the pods of its own workload only. */
const narrow = (index: number): Pod =>
  apart(
    index,
    range(8).map((each) => ({ matchLabels: { app: `app-${index}`, part: `${each}` } })),
  );

const nodesCarrying = (pods: readonly Pod[]): readonly NodeView[] =>
  range(Math.ceil(pods.length / PODS_A_NODE)).map((index) =>
    aNode(`node-${index}`, { cpus: 16, pods: pods.slice(index * PODS_A_NODE, (index + 1) * PODS_A_NODE) }),
  );

/** How often labels of these pods are looked up in one pass over nodes full of them, and in one step at most. */
const lookupsFor = (pods: readonly Pod[]): { readonly all: number; readonly inAStep: number } => {
  let lookups = 0;
  const counted = (pod: Pod): Pod => {
    const labels = new Proxy(pod.metadata.labels ?? {}, {
      getOwnPropertyDescriptor: (target, key) => {
        lookups += 1;
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
    });
    return { ...pod, metadata: { ...pod.metadata, labels } };
  };
  const steps = proposing(aContext(aCluster(nodesCarrying(pods.map(counted)))));
  let inAStep = 0;
  for (let before = 0; steps.next().done !== true; before = lookups) inAStep = Math.max(inAStep, lookups - before);
  return { all: lookups, inAStep };
};

const broadPods = (count: number, terms?: number): readonly Pod[] => range(count).map((index) => broad(index, terms));

describe('when the running pods of a namespace have thousands of terms that select nearly all of them', () => {
  test('twice the pods cost about twice the comparisons', () => {
    expect(lookupsFor(broadPods(200)).all / lookupsFor(broadPods(100)).all).toBeLessThan(2.5);
  });

  test('their nodes stay, and the reason names pods that cost much', () => {
    const { command, blocked } = proposeCommand(aContext(aCluster(nodesCarrying(broadPods(100)))));
    expect(command).toBeUndefined();
    expect([...blocked.values()].map(({ kind }) => kind)).toEqual(range(5).map(() => 'costly-pods'));
  });
});

test('when they have fewer, which are all read › a step compares few of the pods with all terms', () => {
  const lookupsOfAPod = 40 * 30 * 2;
  const { all, inAStep } = lookupsFor(broadPods(40, 30));
  expect(all).toBeGreaterThan(40 * lookupsOfAPod);
  expect(inAStep).toBeLessThan(10 * lookupsOfAPod);
});

test('when they have as many terms that select their own workload › a node of them may go', () => {
  const [first, ...others] = nodesCarrying(range(440).map(narrow));
  const kept = others.map((node) => ({ ...node, annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }));
  const { command, blocked } = proposeCommand(aContext(aCluster([...(first === undefined ? [] : [first]), ...kept])));
  expect([blocked.get('node-0'), command?.candidates.map(({ node }) => node.name)]).toEqual([undefined, ['node-0']]);
});
