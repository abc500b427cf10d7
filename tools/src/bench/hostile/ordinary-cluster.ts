import type { ClusterSnapshot, Pod } from '@karpenter/core';
import type { NodeView } from '@karpenter/core/internal';
import { aNodePool, aSnapshot, inNamespace } from '@karpenter/testkit';
import { eastusTypes } from '../inputs/eastus.ts';
import { carryingNodes, runningNodes, nodesOnSpot } from '../inputs/running-nodes.ts';
import { mixedPods } from '../inputs/workloads.ts';
import { targetOf } from './attack.ts';
import type { Attack } from './attack.ts';

const NODES = 100;
const PODS_A_NODE = 20;
const ORDINARY_PODS = 500;

/** The name of every ordinary pod starts so. */
export const ORDINARY = 'ordinary';

const ordinaryPods = (): readonly Pod[] =>
  mixedPods(ORDINARY_PODS)
    .map(inNamespace('shop'))
    .map((pod, index) => ({
      ...pod,
      metadata: { ...pod.metadata, name: `${ORDINARY}-${index}`, uid: `${ORDINARY}-${index}`, creationTimestamp: '2026-01-01T01:00:00Z' },
    }));

/** The attacker's nodes. */
export const isHostileNode = ({ name }: Pick<NodeView, 'name'>): boolean => name.startsWith('hostile');

const hostileNodes = (pods: readonly Pod[]): readonly NodeView[] =>
  carryingNodes(pods, PODS_A_NODE, PODS_A_NODE).map((node) => {
    const name = `hostile-${node.name}`;
    return { ...node, name, labels: { ...node.labels, 'kubernetes.io/hostname': name } };
  });

const nodesUnder = ({ running = [], draining = [], disrupted }: Attack): readonly NodeView[] => {
  const full = runningNodes(NODES, PODS_A_NODE, PODS_A_NODE).map((node, index) => ({
    ...node,
    pods: [...node.pods, ...running.filter((_, number) => number % NODES === index)],
  }));
  const drained = hostileNodes(draining).map((node) => ({ ...node, isMarkedForDeletion: true }));
  return disrupted === undefined ? [...full, ...drained] : nodesOnSpot([...full, ...hostileNodes(disrupted)]);
};

/**
 * A cluster of 100 full nodes, 500 ordinary pods that wait (none for a disruption pass), and the attacker's objects. All
 * are new objects, as if just decoded.
 */
export const attackedCluster = (attack: Attack): ClusterSnapshot => {
  const { pods = [], daemonSets = [], podDisruptionBudgets = [], nodePools = [], instanceTypes = [] } = attack;
  const { storage, devices } = attack;
  const snapshot = aSnapshot({
    ...{
      nodes: nodesUnder(attack),
      daemonSets,
      podDisruptionBudgets,
      instanceTypes: [...eastusTypes(), ...instanceTypes],
      nodePools: [...nodePools, aNodePool()],
    },
    pending: [...pods, ...(targetOf(attack) === 'plan' ? ordinaryPods() : [])],
    ...(storage === undefined ? {} : { storage }),
    ...(devices === undefined ? {} : { devices }),
    namespaceLabels: new Map([['shop', {}], ['default', {}], ['hostile', {}], ...(attack.namespaceLabels ?? [])]),
  });
  // One by one, as a watch brings them: a copy of all at once would take more memory than the plan.
  const pendingPods = snapshot.pendingPods.map((pod) => structuredClone(pod));
  return { ...snapshot, pendingPods, nodes: snapshot.nodes.map((node) => structuredClone(node)) };
};
