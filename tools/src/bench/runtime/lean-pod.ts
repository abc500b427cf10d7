import type { KubeObject, KubeObjectMeta } from '@karpenter/runtime';
import { getOrMake } from '@karpenter/core/internal';

/** What a scheduler reads of a pod, with repeated text and repeated structures shared between pods. */
export interface LeanPod {
  readonly metadata: Pick<
    KubeObjectMeta,
    'name' | 'namespace' | 'uid' | 'labels' | 'ownerReferences' | 'creationTimestamp' | 'annotations'
  >;
  readonly nodeName: string | undefined;
  readonly phase: string;
  readonly priority: number;
  readonly requests: readonly Readonly<Record<string, string>>[];
  readonly scheduling: object;
  readonly isReady: boolean;
}

/** The parts of a raw pod that are read. */
export interface RawPod extends KubeObject {
  readonly spec: {
    readonly nodeName?: string;
    readonly priority?: number;
    readonly containers: readonly { readonly resources?: { readonly requests?: Readonly<Record<string, string>> } }[];
    readonly nodeSelector?: object;
    readonly affinity?: object;
    readonly tolerations?: object;
    readonly topologySpreadConstraints?: object;
    readonly volumes?: readonly { readonly persistentVolumeClaim?: object }[];
  };
  readonly status: { readonly phase: string; readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Gives back the first of equal values that it was given, so that the later ones can be collected. */
const interner = () => {
  const texts = new Map<string, string>();
  const structures = new Map<string, unknown>();
  return {
    text: (value: string): string => getOrMake(texts, value, () => value),
    structure: <T>(value: T): T => getOrMake(structures, JSON.stringify(value), () => value) as T,
  };
};

/** A projection with interning tables of its own. Annotations are cut to Karpenter's. */
export const leanPods = (): ((pod: RawPod) => LeanPod) => {
  const { text, structure } = interner();
  const annotationsOf = (all: Readonly<Record<string, string>> = {}) =>
    structure(Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith('karpenter.sh/'))));

  const metadataOf = (metadata: KubeObjectMeta): LeanPod['metadata'] => ({
    name: metadata.name,
    ...(metadata.namespace === undefined ? {} : { namespace: text(metadata.namespace) }),
    ...(metadata.uid === undefined ? {} : { uid: metadata.uid }),
    labels: structure(metadata.labels ?? {}),
    annotations: annotationsOf(metadata.annotations),
    ownerReferences: structure(metadata.ownerReferences ?? []),
    creationTimestamp: text(metadata.creationTimestamp ?? ''),
  });

  return ({ metadata, spec, status }) => ({
    metadata: metadataOf(metadata),
    nodeName: spec.nodeName === undefined ? undefined : text(spec.nodeName),
    phase: text(status.phase),
    priority: spec.priority ?? 0,
    requests: structure(spec.containers.map((container) => container.resources?.requests ?? {})),
    scheduling: structure({
      nodeSelector: spec.nodeSelector,
      affinity: spec.affinity,
      tolerations: spec.tolerations,
      topologySpreadConstraints: spec.topologySpreadConstraints,
      volumes: spec.volumes?.filter((volume) => volume.persistentVolumeClaim !== undefined),
    }),
    isReady: status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false,
  });
};
