import { kubeTime } from '@karpenter/runtime';
import { type ControlDeps, every, together } from '../control/control-deps.ts';
import { createWorkLoop } from '../control/work-loop.ts';
import { conditionIn, putCondition } from '../objects/conditions.ts';
import type { NodeObject } from '../objects/node.ts';
import { leases, nodes } from '../objects/node.ts';
import { countsAsReplica, isReady } from '../objects/pod.ts';
import { NODE_LEASE_NAMESPACE } from '../kubelet/node-object.ts';
import { conditionTaints } from './condition-taints.ts';

const MONITOR_MS = 5_000;

const unknown = (node: NodeObject, now: string): NodeObject => {
  const condition = {
    type: 'Ready',
    status: 'Unknown',
    reason: 'NodeStatusUnknown',
    message: 'Kubelet stopped posting node status.',
  } as const;
  return { ...node, status: { ...node.status, conditions: putCondition(node.status?.conditions, condition, now) } };
};

/**
 * Keeps taints in step with node conditions, and marks a node unreachable whose lease is not renewed for `graceMs`:
 * Ready becomes Unknown, and its pods lose their readiness.
 */
export const startNodeLifecycle = ({ api, clock, pods }: ControlDeps, graceMs: number): Disposable => {
  const heardAtMs = new Map<string, number>();

  const taint = createWorkLoop(clock, (name) => {
    const node = api.get(nodes, { name });
    const taints = node === undefined ? undefined : conditionTaints(node, kubeTime(clock.now()));
    if (node !== undefined && taints !== undefined) api.update({ ...node, spec: { ...node.spec, taints } });
    return undefined;
  });

  const abandon = (node: NodeObject): void => {
    const now = kubeTime(clock.now());
    api.updateStatus(unknown(node, now));
    for (const pod of pods.onNode(node.metadata.name ?? '')) {
      if (!countsAsReplica(pod) || !isReady(pod)) continue;
      const conditions = putCondition(pod.status?.conditions, { type: 'Ready', status: 'False' }, now);
      api.updateStatus({ ...pod, status: { ...pod.status, conditions } });
    }
  };

  const monitor = every(clock, MONITOR_MS, () => {
    for (const node of api.list(nodes)) {
      const heardMs = heardAtMs.get(node.metadata.name ?? '') ?? clock.now();
      const isKnown = conditionIn(node.status?.conditions, 'Ready')?.status !== 'Unknown';
      if (isKnown && clock.now() - heardMs > graceMs) abandon(node);
    }
  });

  const nodeWatch = api.watch(nodes, ({ type, object }) => {
    const name = object.metadata.name ?? '';
    if (type === 'DELETED') heardAtMs.delete(name);
    else {
      if (!heardAtMs.has(name)) heardAtMs.set(name, clock.now());
      taint.add(name);
    }
  });
  const leaseWatch = api.watch(leases, ({ type, object }) => {
    if (type !== 'DELETED' && object.metadata.namespace === NODE_LEASE_NAMESPACE) heardAtMs.set(object.metadata.name ?? '', clock.now());
  });
  return together(nodeWatch, leaseWatch, monitor, taint);
};
