import { chunksOf } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { LabelCatalog } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import type { ClusterSnapshot, Daemon, NodeView, StorageView } from '../../cluster/index.ts';
import { addResources, amountIn, hostPortsOf, sumResources } from '../../kube/index.ts';
import type { Pod, Resources } from '../../kube/index.ts';
import { isReadable } from '../pod-classes/pod-shape.ts';
import type { PodShape } from '../pod-classes/pod-shape.ts';
import { readingPorts } from './host-port-slots.ts';
import type { PortSlots } from './host-port-slots.ts';
import { attachedVolumesOf, attachmentLimits } from '../volumes/attachment-limits.ts';
import type { AttachmentLimits } from '../volumes/attachment-limits.ts';
import { readingClaimUsers, unboundClaimsReader } from '../volumes/volume-claims.ts';
import type { UnsupportedVolumes } from '../volumes/unsupported-volumes.ts';
import { volumeReader } from '../volumes/volume-reader.ts';
import type { VolumeNeeds } from '../volumes/volume-reader.ts';

/**
 * What a node has a fixed number of besides its allocatable resources: each host port once, and so many volumes per CSI
 * driver. Slots are counted like resources, but no NodeClaim requests them. Where none can run short there are none,
 * and they cost nothing.
 */
export interface Slots {
  readonly names: readonly string[];
  readonly volumesOf: (pod: Pod) => VolumeNeeds;
  /** Unbound claims of the pod that others use as well: their volumes will be created where the first of these pods goes. */
  readonly unboundClaimsOf: (pod: Pod) => readonly string[];
  /** What the pod takes wherever it goes. */
  readonly takenBy: (pod: Pod) => Resources;
  readonly ofDaemon: (daemon: Daemon) => Resources;
  /** What is left on the node beside its pods. */
  readonly freeOn: (node: NodeView) => Resources;
  /** The claims that the node's pods have attached, as `namespace/name`. */
  readonly claimsOn: (node: NodeView) => readonly string[];
  readonly ofType: (type: InstanceType) => Resources;
  /** The slot in which volumes of the driver count; undefined where it has no limit anywhere. */
  readonly ofDriver: (driver: string) => string | undefined;
}

const NO_STORAGE: StorageView = { claims: new Map(), volumes: new Map(), classes: new Map() };

const slotOf = (driver: string): string => `volumes of ${driver}`;

interface Parts {
  readonly ports: PortSlots;
  readonly limits: AttachmentLimits;
  readonly volumesOf: (pod: Pod) => VolumeNeeds;
  readonly unboundClaimsOf: Slots['unboundClaimsOf'];
  readonly storage: StorageView;
}

/** Driver → the distinct claims of the node's pods. */
const attachedOn = ({ pods }: NodeView, storage: StorageView): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  for (const { claim, driver } of pods.flatMap((pod) => attachedVolumesOf(pod, storage))) {
    if (!seen.has(claim)) counts.set(driver, (counts.get(driver) ?? 0) + 1);
    seen.add(claim);
  }
  return counts;
};

const slotsFrom = ({ ports, limits, volumesOf, unboundClaimsOf, storage }: Parts, drivers: readonly string[]): Slots => {
  const known = new Set(drivers);
  const byDriver = (amountOf: (driver: string) => number): Resources =>
    Object.fromEntries(drivers.map((driver) => [slotOf(driver), amountOf(driver)]));
  return {
    names: [...ports.names, ...drivers.map(slotOf)].sort(),
    volumesOf,
    unboundClaimsOf,
    takenBy: (pod) => {
      const taken = ports.takenBy(hostPortsOf(pod.spec));
      if (drivers.length === 0 || pod.spec.volumes === undefined) return taken;
      const { own } = volumesOf(pod);
      return { ...taken, ...byDriver((driver) => amountIn(own, driver)) };
    },
    ofDaemon: (daemon) => ports.takenBy(daemon.ports),
    freeOn: (node) => {
      const taken = ports.names.length === 0 ? {} : sumResources(node.pods.map(({ spec }) => ports.takenBy(hostPortsOf(spec))));
      const attached = drivers.length === 0 ? new Map<string, number>() : attachedOn(node, storage);
      const free = Object.fromEntries(Object.entries(ports.onNode).map(([name, amount]) => [name, amount - amountIn(taken, name)]));
      return addResources(
        free,
        byDriver((driver) => limits.ofNode(node, driver) - (attached.get(driver) ?? 0)),
      );
    },
    claimsOn: ({ pods }) => pods.flatMap((pod) => attachedVolumesOf(pod, storage)).map(({ claim }) => claim),
    ofType: (type) => ({ ...ports.onNode, ...byDriver((driver) => limits.ofType(type, driver)) }),
    ofDriver: (driver) => (known.has(driver) ? slotOf(driver) : undefined),
  };
};

/** Drivers with a limit whose volumes some pod of the snapshot uses. */
function* findingDrivers({ nodes, pendingPods }: ClusterSnapshot, { limits, volumesOf, storage }: Parts): Steps<readonly string[]> {
  const used = new Set<string>();
  if (limits.drivers.length === 0) return [];
  for (const { pods } of nodes) {
    for (const { driver } of pods.flatMap((pod) => attachedVolumesOf(pod, storage))) used.add(driver);
    yield;
  }
  for (const pod of pendingPods) {
    const { own, shared } = volumesOf(pod);
    for (const driver of [...Object.keys(own), ...shared.map((volume) => volume.driver)]) used.add(driver);
    yield;
  }
  return limits.drivers.filter((driver) => used.has(driver));
}

/** What reading slots needs besides the snapshot. */
export interface SlotContext {
  readonly daemons: readonly Daemon[];
  readonly catalog: LabelCatalog;
  readonly unsupported?: UnsupportedVolumes | undefined;
  readonly shapeOf: (spec: Pod['spec']) => PodShape;
}

/** About a millisecond of pods that were never read before. */
const PODS_A_STEP = 256;

const hasPortsOrVolumes = ({ spec }: Pod): boolean => spec.volumes !== undefined || hostPortsOf(spec).length > 0;

/**
 * The snapshot with only those pending pods that may take a slot: usually few, so that nothing walks over the others again.
 */
function* keepingTakers(snapshot: ClusterSnapshot, shapeOf: SlotContext['shapeOf']): Steps<ClusterSnapshot> {
  const pendingPods: Pod[] = [];
  for (const chunk of chunksOf(snapshot.pendingPods, PODS_A_STEP)) {
    for (const pod of chunk) if (isReadable(shapeOf(pod.spec)) && hasPortsOrVolumes(pod)) pendingPods.push(pod);
    yield;
  }
  return { ...snapshot, pendingPods };
}

/** The slots of a snapshot: a walk over its pods that checks ports and volumes only. */
export function* readingSlots(given: ClusterSnapshot, { daemons, catalog, unsupported, shapeOf }: SlotContext): Steps<Slots> {
  const snapshot = yield* keepingTakers(given, shapeOf);
  const { storage = NO_STORAGE } = snapshot;
  const users = yield* readingClaimUsers(snapshot);
  const parts: Parts = {
    storage,
    ports: yield* readingPorts(snapshot, daemons),
    limits: attachmentLimits(snapshot),
    volumesOf: volumeReader({ storage, catalog, unsupported, users }),
    unboundClaimsOf: unboundClaimsReader(storage, users),
  };
  return slotsFrom(parts, yield* findingDrivers(snapshot, parts));
}
