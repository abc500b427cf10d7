import type { ClusterSnapshot, PlannedNode, Resources, Taint } from '@karpenter/core';
import type { NodeView } from '@karpenter/core/internal';
import type { ApiObject } from '@karpenter/api-server';
import { launchableNodes } from '../validator/launchable-node.ts';

type Labels = Readonly<Record<string, string>>;

interface Shape {
  readonly name: string;
  readonly labels: Labels;
  readonly taints: readonly Taint[];
  readonly allocatable: Resources;
}

const quantityOf = ([resource, amount]: readonly [string, number]): readonly [string, string] => [
  resource,
  resource === 'cpu' ? `${amount}m` : String(amount),
];

const readyNode = ({ name, labels, taints, allocatable }: Shape): ApiObject => {
  const amounts = Object.fromEntries(Object.entries(allocatable).map(quantityOf));
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
  const object = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { ...labels, 'kubernetes.io/hostname': name } },
    spec: { taints },
    status: { capacity: amounts, allocatable: amounts, conditions: [ready] },
  };
  return object;
};

/** A node of a snapshot as an object of the Kubernetes API. */
export const standingNode = (view: NodeView): ApiObject => readyNode(view);

/** The node of a planned node whose claim got its cheapest instance type in its cheapest offering. */
export const launchedNode = (planned: PlannedNode, name: string, { nodePools }: ClusterSnapshot): ApiObject => {
  const { instanceType, offering } = planned.cheapest;
  const machine = launchableNodes(planned).find((each) => each.type === instanceType && each.offering === offering);
  if (machine === undefined) throw new Error(`${name} cannot be launched as ${instanceType.name} in ${offering.zone}`);
  const pool = nodePools.find(({ nodePool }) => nodePool.metadata.name === planned.nodePoolName);
  const left = Object.entries(instanceType.capacity).map(([resource, amount]) => [
    resource,
    amount - (instanceType.overhead[resource] ?? 0),
  ]);
  const allocatable = Object.fromEntries(left) as Resources;
  return readyNode({ name, labels: machine.labels, taints: pool?.nodePool.spec.template.spec.taints ?? [], allocatable });
};
