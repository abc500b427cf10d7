import {
  type ClusterSnapshot,
  defaultSchedulingPolicy,
  type InstanceType,
  type Node,
  type NodePool,
  type Pod,
  snapshotOf,
} from '@karpenter/core';
import type { DaemonSet } from '@karpenter/core/internal';
import { anInstanceType } from '@karpenter/testkit';
import type { OriginalQuestion } from './question.ts';

interface RecordedOffering {
  readonly Zone: string;
  readonly CapacityType: string;
  readonly Price: number;
}

interface RecordedType {
  readonly Name: string;
  readonly CpuMillis: number;
  /** In bytes. */
  readonly Memory: number;
  readonly Pods: number;
  readonly Arch: string;
  readonly Offerings: readonly RecordedOffering[];
}

/** Type and offering are the cheapest on which the node's pods fit. */
interface RecordedNode {
  readonly Pool: string;
  readonly Type: string;
  readonly Zone: string;
  readonly Ct: string;
  readonly Pods: readonly string[] | null;
}

/** A random or realistic question as it was recorded. All pods are in the namespace `default`. */
export interface PlainQuestion {
  readonly id: string;
  readonly pods: readonly Pod[];
  readonly nodePools: readonly NodePool[];
  /** Offered to each of the pools. */
  readonly types: readonly RecordedType[];
  readonly nodes: readonly Node[] | null;
  readonly bound: readonly Pod[] | null;
  readonly daemonSets: readonly DaemonSet[] | null;
  readonly preferences: 'Respect' | 'Ignore';
  readonly answer: {
    readonly nodes: readonly RecordedNode[] | null;
    readonly existing: Readonly<Record<string, readonly string[]>> | null;
  };
}

/** What the original's test provider keeps of each machine for the system: 100 thousandths of a core and 10 MiB. */
const overhead = { cpu: 100, memory: 10 * 1024 ** 2 };

const typeOf = ({ Name, CpuMillis, Memory, Pods, Arch, Offerings }: RecordedType): InstanceType =>
  anInstanceType({
    name: Name,
    cpus: CpuMillis / 1000,
    memoryBytes: Memory,
    pods: Pods,
    arch: Arch,
    overhead,
    offerings: Offerings.map(({ Zone, CapacityType, Price }) => ({ zone: Zone, capacityType: CapacityType, pricePerHour: Price })),
  });

const snapshotFor = (question: PlainQuestion): ClusterSnapshot => {
  const { pods, nodePools, nodes, bound, daemonSets } = question;
  const snapshot = snapshotOf({
    nodePools,
    instanceTypes: [],
    pods: [...pods, ...(bound ?? [])],
    nodes: nodes ?? [],
    daemonSets: daemonSets ?? [],
    namespaces: [{ metadata: { name: 'default' } }],
  });
  const instanceTypes = question.types.map(typeOf);
  return { ...snapshot, nodePools: snapshot.nodePools.map((view) => ({ ...view, instanceTypes })) };
};

const qualified = (pods: readonly string[]): readonly string[] => pods.map((name) => `default/${name}`);

/** The question that a recorded random or realistic one asks. */
export const plainQuestion = (question: PlainQuestion): OriginalQuestion => ({
  id: question.id,
  snapshot: snapshotFor(question),
  policy: { ...defaultSchedulingPolicy, preferences: question.preferences },
  answer: {
    nodes: (question.answer.nodes ?? []).map(({ Pool, Type, Zone, Ct, Pods }) => ({
      nodePoolName: Pool,
      instanceTypeNames: [Type],
      requirements: [
        { key: 'topology.kubernetes.io/zone', operator: 'In', values: [Zone] },
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: [Ct] },
      ],
      pods: qualified(Pods ?? []),
    })),
    existing: new Map(Object.entries(question.answer.existing ?? {}).map(([node, pods]) => [node, qualified(pods)])),
  },
});
