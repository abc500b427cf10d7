import { explainLeftOut, simulate, snapshotOf } from '@karpenter/core';
import type { DaemonSet, Node, NodePool, PlainCluster, Pod } from '@karpenter/core';
import { expect, test } from '@jest/globals';

const pool = (name: string): NodePool => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name },
  spec: { template: { spec: { requirements: [], nodeClassRef: { group: 'example.com', kind: 'NodeClass', name: 'default' } } } },
});
const pod = (name: string, cpu: string, nodeName?: string): Pod => ({
  metadata: { name },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu } } }], ...(nodeName === undefined ? {} : { nodeName }) },
});
const node: Node = {
  metadata: { name: 'there', labels: { 'karpenter.sh/nodepool': 'default' } },
  status: { capacity: { cpu: '4', memory: '8Gi', pods: '110' }, allocatable: { cpu: '3900m', memory: '7Gi', pods: '110' } },
};
const small = { name: 'small', capacity: { cpu: '2', memory: '8Gi' }, pricePerHour: { 'on-demand': 0.1, spot: 0.03 }, zones: ['a', 'b'] };
const cluster = (change: Partial<PlainCluster>): PlainCluster => ({
  nodePools: [pool('default')],
  instanceTypes: [small],
  pods: [],
  ...change,
});

test('pods that are bound take room of their nodes, those that ended take none, the others are planned', () => {
  const ended: Pod = { ...pod('ended', '3', 'there'), status: { phase: 'Succeeded' } };
  const plan = simulate(
    snapshotOf(cluster({ nodes: [node], pods: [pod('old', '3', 'there'), ended, pod('fits', '900m'), pod('more', '900m')] })),
  );
  expect([...plan.placements].map(([name, pods]) => [name, pods.map(({ metadata }) => metadata.name)])).toEqual([['there', ['fits']]]);
  expect(plan.plannedNodes.map(({ cheapest }) => [cheapest.offering.zone, cheapest.offering.capacityType])).toEqual([['a', 'spot']]);
});

test('what the nodes of a pool have counts against its limits', () => {
  const limited = { ...pool('default'), spec: { ...pool('default').spec, limits: { cpu: '5' } } };
  expect(
    simulate(snapshotOf(cluster({ nodePools: [limited], nodes: [node], pods: [pod('web', '3900m'), pod('more', '1')] }))).rejections,
  ).toHaveLength(1);
});

test('what is malformed is named, and the rest is planned', () => {
  const daemon = { metadata: { name: 'logs' }, spec: { template: { spec: pod('', 'lots').spec } } } satisfies DaemonSet;
  const plan = simulate(snapshotOf(cluster({ daemonSets: [daemon], pods: [pod('web', '1')] })));
  expect(plan.plannedNodes).toHaveLength(1);
  expect(plan.leftOut?.map(explainLeftOut)).toEqual([
    expect.stringContaining('DaemonSet default/logs is left out: spec.template.spec.containers[0]'),
  ]);
});

test('an amount of a size that is no quantity is thrown, with the text', () => {
  expect(() => snapshotOf(cluster({ instanceTypes: [{ ...small, capacity: { cpu: 'two' } }] }))).toThrow('"two" is no Kubernetes quantity');
});
