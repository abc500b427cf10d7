import { hash } from 'node:crypto';
import { dropManagedFields } from '@karpenter/runtime';
import type { KubeObject } from '@karpenter/runtime';
import { memoByObject } from '../base/index.ts';
import { annotations } from '../apis/index.ts';
import { DELETION_COST, isTerminal, MIRROR, resizedSpec } from '../kube/index.ts';
import type {
  CSINode,
  Condition,
  Container,
  Node,
  ObjectMeta,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodSpec,
  PodStatus,
  PodTemplateSpec,
  StorageClass,
  Volume,
} from '../kube/index.ts';

/** Gives equal values one object. Holds them weakly: what nobody uses any more is forgotten. */
class Interner<T extends object> {
  readonly #byKey = new Map<string, WeakRef<T>>();
  #sweepAt = 1024;

  /** The value that was first given for `key` and is still in use, or `value` from now on. */
  intern(key: string, value: T): T {
    const known = this.#byKey.get(key)?.deref();
    if (known !== undefined) return known;
    this.#byKey.set(key, new WeakRef(value));
    if (this.#byKey.size >= this.#sweepAt) this.#sweep();
    return value;
  }

  #sweep(): void {
    for (const [key, ref] of this.#byKey) if (ref.deref() === undefined) this.#byKey.delete(key);
    this.#sweepAt = Math.max(1024, this.#byKey.size * 2);
  }
}

/** Beyond so many characters a key would cost as much as the value. */
const LONG_KEY = 1024;

/** Equal for equal texts. Node's own digest: every pod that is listed passes here, and a library's takes four times as long. */
const keyOf = (text: string): string => (text.length > LONG_KEY ? hash('sha256', text, 'base64') : text);

/** The named fields of an object, those that are there; undefined ones are left out. */
const pick = <T extends object, K extends keyof T>(object: T, names: readonly K[]): Pick<T, K> => {
  const picked: Partial<T> = {};
  for (const name of names) if (object[name] !== undefined) picked[name] = object[name];
  return picked as Pick<T, K>;
};

/** What a kubelet reports and nobody here reads: of a node's 20 kB the images alone are most. */
const UNREAD = new Set([
  'images',
  'volumesInUse',
  'volumesAttached',
  'addresses',
  'daemonEndpoints',
  'config',
  'runtimeHandlers',
  'features',
]);

/** A cache transform that drops of a node what nobody reads. */
export const nodeProjection = <T extends KubeObject & Node>(node: T): T => {
  const read = Object.entries(node.status ?? {}).filter(([name]) => !UNREAD.has(name));
  return { ...dropManagedFields(node), ...(node.status === undefined ? {} : { status: Object.fromEntries(read) }) };
};

const META = ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp'] as const;
const POD_META = [...META, 'deletionGracePeriodSeconds'] as const satisfies readonly (keyof ObjectMeta)[];

/** What pods of one workload have in common. */
const SHARED_META = ['labels', 'ownerReferences'] as const satisfies readonly (keyof ObjectMeta)[];

/** Annotations of pods that decisions read: of the others, whose authors may write 256 KiB, nothing is kept. */
const POD_ANNOTATIONS = [annotations.doNotDisrupt, annotations.podGroupMinMember, DELETION_COST, MIRROR];
/** No value that is valid is longer. */
const MOST_CHARACTERS = 256;

/** The mark keeps a value that is cut from being valid. */
const shortened = (value: string): string => (value.length > MOST_CHARACTERS ? `${value.slice(0, MOST_CHARACTERS)}…` : value);

const readAnnotations = (
  all: Readonly<Record<string, string>> = {},
  names: readonly string[] = POD_ANNOTATIONS,
): Pick<ObjectMeta, 'annotations'> => {
  const read = names.filter((name) => Object.hasOwn(all, name)).map((name) => [name, shortened(all[name] ?? '')] as const);
  return read.length === 0 ? {} : { annotations: Object.fromEntries(read) };
};

const SPEC = [
  'nodeSelector',
  'affinity',
  'tolerations',
  'topologySpreadConstraints',
  'overhead',
  'resources',
  'priority',
  'priorityClassName',
  'preemptionPolicy',
  'schedulerName',
  'terminationGracePeriodSeconds',
  'resourceClaims',
] as const satisfies readonly (keyof PodSpec)[];

/** What says of a pod without content whether it waits for Karpenter. */
const CUT_SPEC = ['nodeName', 'priority', 'schedulerName'] as const satisfies readonly (keyof PodSpec)[];

const CONDITIONS = new Set(['PodScheduled', 'Ready', 'PodResizePending', 'PodResizeInProgress']);
const CONDITION = ['type', 'status', 'reason', 'message', 'lastTransitionTime'] as const satisfies readonly (keyof Condition)[];

const containerOf = (container: Container): Container => pick(container, ['name', 'resources', 'ports', 'restartPolicy']);
const claimsStorage = (volume: Volume): boolean => volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined;

const sharedSpecOf = (spec: PodSpec): PodSpec => {
  const volumes = spec.volumes?.filter(claimsStorage).map((volume) => pick(volume, ['name', 'persistentVolumeClaim', 'ephemeral'])) ?? [];
  return {
    ...pick(spec, SPEC),
    containers: spec.containers.map(containerOf),
    ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(containerOf) }),
    ...(volumes.length === 0 ? {} : { volumes }),
  };
};

const statusOf = (status: PodStatus): PodStatus => {
  const conditions = status.conditions?.filter(({ type }) => CONDITIONS.has(type)).map((condition) => pick(condition, CONDITION));
  return {
    ...pick(status, ['phase', 'nominatedNodeName', 'startTime', 'resourceClaimStatuses', 'extendedResourceClaimStatus']),
    ...(conditions === undefined ? {} : { conditions }),
  };
};

/** A part of a pod with its text. */
interface Written<T extends object> {
  readonly value: T;
  readonly text: string;
}

const written = <T extends object>(value: T): Written<T> => ({ value, text: JSON.stringify(value) });

/** The metadata that pods of one workload have in common. */
const commonOf = (metadata: ObjectMeta): readonly (readonly [string, Written<object>])[] =>
  Object.entries({ ...pick(metadata, SHARED_META), ...readAnnotations(metadata.annotations) }).map(
    ([name, value]) => [name, written<object>(value)] as const,
  );

/** Beyond so many characters of labels, owners and spec, a pod that is on no node is kept by its name and owners. */
export const MOST_KEPT_CHARACTERS = 256 * 1024;

/** Whether decisions can do without the content: the pod has ended, or is refused for its length. */
const isOnNoNode = (pod: Pod): boolean => (pod.spec.nodeName ?? '') === '' || isTerminal(pod);

const keptPod = ({ metadata, status }: Pod, common: Partial<ObjectMeta>, spec: PodSpec): Pod => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { ...pick(metadata, POD_META), ...common }, spec },
  ...(status === undefined ? {} : { status: statusOf(status) }),
});

/** Beyond so many characters, a pod that is too long loses its owners too. A name has 253 at most. */
const MOST_OF_OWNERS = 1024;

/** What says whether the pod is of a DaemonSet or static, and so waits for no node of ours. */
const cutMeta = ({ ownerReferences, annotations: all }: ObjectMeta): Partial<ObjectMeta> => ({
  ...(ownerReferences !== undefined && JSON.stringify(ownerReferences).length <= MOST_OF_OWNERS && { ownerReferences }),
  ...readAnnotations(all, [MIRROR]),
});

/** What is kept of a pod that is too long. */
const cutPod = (pod: Pod, cutCharacters: number): Pod =>
  keptPod(pod, cutMeta(pod.metadata), { ...pick(pod.spec, CUT_SPEC), containers: [], cutCharacters });

/**
 * Gives equal specs on one node one object. A spec goes by a number: its text as a key would cost as much as the pod
 * itself.
 */
const boundSpecs = (): ((base: PodSpec, nodeName: string) => PodSpec) => {
  const bound = new Interner<PodSpec>();
  let last = 0;
  const numberOf = memoByObject((_: PodSpec) => (last += 1));
  return (base, nodeName) => bound.intern(`${numberOf(base)}/${nodeName}`, { ...base, nodeName });
};

/**
 * A cache transform that keeps of a pod what decisions read; its requests are what it holds while it is resized.
 * Equal pods share one `spec` object (bound ones: those of one node). The solver caches by identity of the spec, and
 * 50,000 pods are mostly copies. Anybody who may create pods may write a megabyte into each. An unbound pod beyond
 * 256 Ki characters is kept by its name and owners, and refused with the figure.
 */
export const podProjection = (): ((pod: Pod) => Pod) => {
  const specs = new Interner<PodSpec>();
  const parts = new Interner<object>();
  const specOn = boundSpecs();
  return (pod) => {
    const own = written(sharedSpecOf(resizedSpec(pod)));
    const common = commonOf(pod.metadata);
    const length = common.reduce((total, [, { text }]) => total + text.length, own.text.length);
    if (length > MOST_KEPT_CHARACTERS && isOnNoNode(pod)) return cutPod(pod, length);
    const base = specs.intern(keyOf(own.text), own.value);
    const { nodeName } = pod.spec;
    const shared = Object.fromEntries(common.map(([name, { value, text }]) => [name, parts.intern(keyOf(text), value)]));
    return keptPod(pod, shared, nodeName === undefined || nodeName === '' ? base : specOn(base, nodeName));
  };
};

/**
 * Keeps of a pod template what decisions read; equal templates share one object. Undefined beyond 256 Ki characters of
 * that.
 */
export const templateProjection = (): ((template: PodTemplateSpec) => PodTemplateSpec | undefined) => {
  const templates = new Interner<PodTemplateSpec>();
  return ({ metadata, spec }) => {
    const own = written<PodTemplateSpec>({ metadata: pick(metadata ?? {}, ['labels']), spec: sharedSpecOf(spec) });
    return own.text.length > MOST_KEPT_CHARACTERS ? undefined : templates.intern(keyOf(own.text), own.value);
  };
};

const STORAGE_META = [...META, 'labels', 'annotations'] as const satisfies readonly (keyof ObjectMeta)[];

/** Cache transforms that keep of storage what decisions read. */
export const storageProjection = {
  claim: ({ metadata, spec, status }: PersistentVolumeClaim): PersistentVolumeClaim => ({
    metadata: pick(metadata, STORAGE_META),
    ...(spec === undefined ? {} : { spec: pick(spec, ['storageClassName', 'volumeName', 'accessModes']) }),
    ...(status === undefined ? {} : { status: pick(status, ['phase']) }),
  }),
  volume: ({ metadata, spec }: PersistentVolume): PersistentVolume => ({
    metadata: pick(metadata, STORAGE_META),
    ...(spec === undefined ? {} : { spec }),
  }),
  storageClass: ({ metadata, provisioner, volumeBindingMode, allowedTopologies }: StorageClass): StorageClass => ({
    metadata: pick(metadata, STORAGE_META),
    provisioner,
    ...(volumeBindingMode === undefined ? {} : { volumeBindingMode }),
    ...(allowedTopologies === undefined ? {} : { allowedTopologies }),
  }),
  csiNode: ({ metadata, spec }: CSINode): CSINode => ({ metadata: pick(metadata, STORAGE_META), ...(spec === undefined ? {} : { spec }) }),
};
