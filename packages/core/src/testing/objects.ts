import { labels } from '../apis/index.ts';
import type { NodeClaim, NodePool, RequirementSpec } from '../apis/index.ts';
import type { Offering } from '../catalog/index.ts';
import type { Node, PersistentVolumeClaim, Pod } from '../kube/index.ts';
import { labelRequirements } from '../requirements/index.ts';

/** What a test states of an object; the builder adds what every object has. */
interface Stated<T extends { readonly metadata: object; readonly spec?: unknown; readonly status?: unknown }> {
  readonly metadata?: Partial<T['metadata']>;
  readonly spec?: Partial<Exclude<T['spec'], undefined>>;
  readonly status?: T['status'];
}

/** The NodeClass that the objects of tests name. */
export const nodeClassRef = { group: 'test.dev', kind: 'TestNodeClass', name: 'default' };

/** A pod of the namespace `default` with one container without requests. */
export const aPod = (name = 'p', { metadata, spec, status }: Stated<Pod> = {}): Pod => ({
  metadata: { name, namespace: 'default', uid: `uid-${name}`, ...metadata },
  spec: { containers: [{ name: 'main' }], ...spec },
  ...(status && { status }),
});

/** A pod whose only container requests these resources. */
export const aPodRequesting = (requests: Readonly<Record<string, string>>, name = 'p', stated: Stated<Pod> = {}): Pod =>
  aPod(name, { ...stated, spec: { containers: [{ name: 'main', resources: { requests } }], ...stated.spec } });

/** A pod that kube-scheduler found no place for. */
export const aPendingPod = (name: string, { metadata, spec }: Stated<Pod> = {}): Pod =>
  aPod(name, {
    metadata: { uid: name, ...metadata },
    spec: { containers: [], ...spec },
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
  });

/** Requires one of these values of a label. */
export const isIn = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values });

/** A Node object without labels. */
export const aKubeNode = (name = 'n', { metadata, spec, status }: Stated<Node> = {}): Node => ({
  metadata: { name, ...metadata },
  ...(spec && { spec }),
  ...(status && { status }),
});

/** A NodeClaim without requirements. */
export const aNodeClaim = (name = 'a', { metadata, spec, status }: Stated<NodeClaim> = {}): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name, uid: `uid-${name}`, ...metadata },
  spec: { requirements: [], nodeClassRef, ...spec },
  ...(status && { status }),
});

/** What a test states of a pool: its nodes' template apart from the rest. */
export interface StatedPool extends Stated<NodePool> {
  readonly labels?: Readonly<Record<string, string>>;
  /** Of each node: `spec.template.spec`. */
  readonly nodes?: Partial<NodePool['spec']['template']['spec']>;
}

/** A NodePool that requires nothing of its nodes and has no limits. */
export const aNodePool = (name = 'default', { metadata, spec, status, labels, nodes }: StatedPool = {}): NodePool => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name, ...metadata },
  spec: {
    template: { ...(labels && { metadata: { labels } }), spec: { requirements: [], nodeClassRef, ...nodes } },
    ...spec,
  },
  ...(status && { status }),
});

/** A PersistentVolumeClaim of the namespace `shop`. */
export const aVolumeClaim = (name: string, { metadata, spec }: Stated<PersistentVolumeClaim> = {}): PersistentVolumeClaim => ({
  metadata: { name, namespace: 'shop', ...metadata },
  ...(spec && { spec }),
});

/** An offering that can be bought. */
export const aPricedOffering = (zone: string, capacityType: string, pricePerHour: number): Offering => ({
  zone,
  capacityType,
  pricePerHour,
  isAvailable: true,
  requirements: labelRequirements({ [labels.zone]: zone, [labels.capacityType]: capacityType }),
});

/** The names of pods. */
export const podNames = (pods: Iterable<Pod> = []): readonly string[] => Array.from(pods, ({ metadata }) => metadata.name);
