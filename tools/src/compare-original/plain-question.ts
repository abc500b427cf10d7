import {
  type ClusterSnapshot,
  defaultSchedulingPolicy,
  type InstanceType,
  type Node,
  type NodePool,
  type Pod,
  resourcesOf,
  type SchedulingPolicy,
  snapshotOf,
} from '@karpenter/core';
import type { DaemonSet, PlainCluster, ResourceList } from '@karpenter/core/internal';
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
  /** Label → its one value; pods may require these labels of every pool. */
  readonly Labels?: Readonly<Record<string, readonly [string]>>;
  /** What the type has beside cores, memory and room for pods. */
  readonly Resources?: ResourceList;
}

/** Type and offering are the cheapest on which the node's pods fit. */
interface RecordedNode {
  readonly Pool: string;
  readonly Type: string;
  readonly Zone: string;
  readonly Ct: string;
  readonly Pods: readonly string[] | null;
}

type Storage = Pick<PlainCluster, 'persistentVolumeClaims' | 'persistentVolumes' | 'storageClasses'>;

/** A random or realistic question as it was recorded. */
export interface PlainQuestion extends Storage {
  readonly id: string;
  readonly pods: readonly Pod[];
  readonly nodePools: readonly NodePool[];
  /** Offered to each of the pools. */
  readonly types: readonly RecordedType[];
  readonly nodes: readonly Node[] | null;
  readonly bound: readonly Pod[] | null;
  readonly daemonSets: readonly DaemonSet[] | null;
  /** Absent: there is only `default`. */
  readonly namespaces?: PlainCluster['namespaces'];
  readonly preferences: 'Respect' | 'Ignore';
  /** Pods are named `namespace/name`, or by their name alone in `default`. */
  readonly answer: {
    readonly nodes: readonly RecordedNode[] | null;
    readonly existing: Readonly<Record<string, readonly string[]>> | null;
  };
}

/** What the original's test provider keeps of each machine for the system: 100 thousandths of a core and 10 MiB. */
const overhead = { cpu: 100, memory: 10 * 1024 ** 2 };

const typeOf = ({ Name, CpuMillis, Memory, Pods, Arch, Offerings, Labels = {}, Resources = {} }: RecordedType): InstanceType =>
  anInstanceType({
    name: Name,
    cpus: CpuMillis / 1000,
    memoryBytes: Memory,
    pods: Pods,
    arch: Arch,
    overhead,
    labels: Object.fromEntries(Object.entries(Labels).map(([key, [value]]) => [key, value])),
    others: resourcesOf(Resources),
    offerings: Offerings.map(({ Zone, CapacityType, Price }) => ({ zone: Zone, capacityType: CapacityType, pricePerHour: Price })),
  });

const DEFAULT_NAMESPACE = { metadata: { name: 'default' } };

const snapshotFor = (question: PlainQuestion): ClusterSnapshot => {
  const { nodePools, pods, nodes, bound, daemonSets, namespaces = [DEFAULT_NAMESPACE] } = question;
  const { persistentVolumeClaims = [], persistentVolumes = [], storageClasses = [] } = question;
  const snapshot = snapshotOf({
    nodePools,
    namespaces,
    ...{ persistentVolumeClaims, persistentVolumes, storageClasses },
    instanceTypes: [],
    pods: [...pods, ...(bound ?? [])],
    nodes: nodes ?? [],
    daemonSets: daemonSets ?? [],
  });
  const instanceTypes = question.types.map(typeOf);
  return { ...snapshot, nodePools: snapshot.nodePools.map((view) => ({ ...view, instanceTypes })) };
};

/** With the labels of the question's own types among the well-known ones. */
const policyFor = ({ types, preferences }: PlainQuestion): SchedulingPolicy => {
  const { labelCatalog } = defaultSchedulingPolicy;
  const ofTypes = types.flatMap(({ Labels = {} }) => Object.keys(Labels));
  const wellKnown = new Set([...labelCatalog.wellKnown, ...ofTypes]);
  return { ...defaultSchedulingPolicy, preferences, labelCatalog: { ...labelCatalog, wellKnown } };
};

const qualified = (pods: readonly string[]): readonly string[] => pods.map((name) => (name.includes('/') ? name : `default/${name}`));

/** The question that a recorded random or realistic one asks. */
export const plainQuestion = (question: PlainQuestion): OriginalQuestion => ({
  id: question.id,
  snapshot: snapshotFor(question),
  policy: policyFor(question),
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
