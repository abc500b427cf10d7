import { getOrMake, groupedDigits, memoByKey } from '../../base/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { podGroupOf } from '../../cluster/index.ts';
import { resizedSpec } from '../../kube/index.ts';
import type { Pod, PodSpec } from '../../kube/index.ts';
import type { SchedulingPolicy } from '../policy.ts';
import { termReader } from './class-terms.ts';
import { needsReader, podClass } from './pod-class.ts';
import type { PodClass, ResourceTable } from './pod-class.ts';
import { isReadable } from './pod-shape.ts';
import type { PodShape } from './pod-shape.ts';
import type { Relaxation } from './node-term.ts';
import type { PodDevicesReader } from '../devices/pod-devices.ts';
import type { Slots } from '../nodes/node-slots.ts';
import type { Topology } from '../topology/topology.ts';
import { ANYWHERE, tooManyVolumeTerms, unitsOfPairs } from '../volumes/volume-alternatives.ts';
import type { VolumeNeeds } from '../volumes/volume-reader.ts';

const isSoftlyTainted = ({ nodePools, nodes }: ClusterSnapshot): boolean =>
  nodePools.some(({ nodePool }) => nodePool.spec.template.spec.taints?.some(({ effect }) => effect === 'PreferNoSchedule')) ||
  nodes.some(({ taints }) => taints.some(({ effect }) => effect === 'PreferNoSchedule'));

/** The relaxations that can make a difference: soft taints only where there are any. */
const relaxationsOf = (snapshot: ClusterSnapshot): ReadonlySet<Relaxation> =>
  new Set<Relaxation>(isSoftlyTainted(snapshot) ? ['required', 'soft-taints'] : ['required']);

/**
 * Most ways to combine what a pod and its volumes accept of a node: each is searched for. Pods whose volumes leave one
 * way are not counted here.
 */
const MOST_WAYS = 4096;

/** The volumes, or their refusal where they multiply the ways of the pod itself beyond measure. */
const boundedVolumes = (volumes: VolumeNeeds, { relaxationOrder }: PodShape): VolumeNeeds => {
  const { length } = volumes.alternatives;
  if (length < 2) return volumes;
  const ways = length * relaxationOrder.reduce((most, terms) => Math.max(most, terms.length), 1);
  if (ways <= MOST_WAYS) return volumes;
  const largest = `${groupedDigits(ways)} ways to combine its node affinity with those of its volumes`;
  return {
    ...volumes,
    text: `${volumes.text}\n${largest}`,
    alternatives: ANYWHERE,
    problem: tooManyVolumeTerms(unitsOfPairs(ways, 1), largest),
  };
};

/** No label and no claim holds them. */
const VIRTUAL = '\u0000';
const GROUP = '\u0001';

/** What classes are read with. */
export interface ClassContext {
  readonly resources: ResourceTable;
  readonly shapeOf: (spec: PodSpec) => PodShape;
  readonly topology: Topology | undefined;
  readonly slots: Slots;
  readonly devicesOf: PodDevicesReader;
  /** Of CapacityBuffers: a class of them has no other members. */
  readonly virtualPods: ReadonlySet<Pod>;
  /** The pod as kube-scheduler reads it. */
  readonly asScheduled: (pod: Pod) => Pod;
}

/** Pod → its class, in the numbers of one solve. Each distinct pod is compiled once. */
export const classReader = (
  snapshot: ClusterSnapshot,
  policy: SchedulingPolicy,
  { resources, shapeOf, topology, slots, devicesOf, asScheduled, virtualPods }: ClassContext,
): ((pod: Pod) => PodClass) => {
  const termsOf = termReader(relaxationsOf(snapshot));
  const respectsPreferences = policy.preferences !== 'Ignore';
  const rules = { resources, respectsPreferences, termsOf, needsOf: needsReader(resources), slotOfDriver: slots.ofDriver };
  const classesOf = memoByKey((_: PodShape) => new Map<string, PodClass>());
  /** Virtual pods and pod groups have classes of their own. */
  const markOf = (pod: Pod): string => {
    if (virtualPods.has(pod)) return VIRTUAL;
    const group = podGroupOf(pod, snapshot.podGroups);
    return group === undefined ? '' : `${GROUP}${group.name}`;
  };
  let count = 0;
  return (given) => {
    const pod = asScheduled(given);
    const shape = shapeOf(resizedSpec(pod));
    const volumes = boundedVolumes(slots.volumesOf(given), shape);
    const devices = isReadable(shape) ? devicesOf(given) : undefined;
    const seen = `${topology?.projectionOf(pod) ?? ''}${markOf(given)}`;
    // The lines of a projection are labels and claims, and what volumes and devices say is JSON, so that none with them
    // equals one without.
    const withVolumes = volumes.text === '' ? seen : `${seen}\n${volumes.text}`;
    // What selectors take is counted by namespace.
    const projection = devices === undefined ? withVolumes : `${withVolumes}\n${String(pod.metadata.namespace)}\n${devices.text}`;
    return getOrMake(classesOf(shape), projection, () =>
      podClass(
        shape,
        {
          id: count++,
          topology: topology?.classTopology(pod, shape),
          volumes,
          devices,
          slots: isReadable(shape) ? slots.takenBy(given) : {},
        },
        rules,
      ),
    );
  };
};
