import { labels, nodeClaimConditions } from '../../apis/index.ts';
import type { Disruption, NodePool } from '../../apis/index.ts';
import type { InstanceType, Offering } from '../../catalog/index.ts';
import type { ClusterSnapshot, NodePoolView, NodeView } from '../../cluster/index.ts';
import type { Condition, ObjectMeta, Pod, PodDisruptionBudget } from '../../kube/index.ts';
import { labelRequirements } from '../../requirements/index.ts';
import { aPodRequesting } from '../../testing/objects.ts';

/** The moment at which all tests of this folder evaluate their cluster. */
export const NOW = Date.UTC(2026, 10, 20, 9, 30);
const GIB = 1024 ** 3;

const anOffering = (capacityType: string, pricePerHour: number): Offering => ({
  zone: 'zone-1',
  capacityType,
  pricePerHour,
  isAvailable: true,
  requirements: labelRequirements({ [labels.zone]: 'zone-1', [labels.capacityType]: capacityType }),
});

/** `cpu-4`: four cpus for 40 cents on demand, 12 cents on spot. */
export const aType = (cpus: number, pricePerHour = cpus / 10): InstanceType => ({
  name: `cpu-${cpus}`,
  requirements: labelRequirements({
    [labels.instanceType]: `cpu-${cpus}`,
    [labels.arch]: 'amd64',
    [labels.os]: 'linux',
    [labels.zone]: 'zone-1',
  }),
  offerings: [anOffering('on-demand', pricePerHour), anOffering('spot', pricePerHour * 0.3)],
  capacity: { cpu: cpus * 1000, memory: cpus * 4 * GIB, pods: 110 },
  overhead: {},
});

const types = [1, 2, 4, 8, 16].map((cpus) => aType(cpus));

export interface PoolOptions {
  readonly name?: string;
  readonly disruption?: Disruption;
  readonly capacityTypes?: readonly string[];
  readonly replicas?: number;
  readonly minimum?: NodePool['spec']['minimum'];
  readonly instanceTypes?: readonly InstanceType[];
}

/** A pool that lets all its nodes go at once and takes on-demand machines only, by default. */
export const aPool = ({
  name = 'default',
  disruption,
  capacityTypes = ['on-demand'],
  replicas,
  minimum,
  instanceTypes = types,
}: PoolOptions = {}): NodePoolView => {
  const nodePool: NodePool = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: {
      template: {
        spec: {
          requirements: [{ key: labels.capacityType, operator: 'In', values: capacityTypes }],
          nodeClassRef: { group: 'test', kind: 'TestNodeClass', name: 'default' },
        },
      },
      disruption: { budgets: [{ nodes: '100%' }], ...disruption },
      ...(replicas === undefined ? {} : { replicas }),
      ...(minimum === undefined ? {} : { minimum }),
    },
  };
  return { nodePool, instanceTypes, usage: {} };
};

/** A running pod of so many cpus, in an app of its own. */
export const aRunningPod = (
  name: string,
  cpus = 1,
  { metadata = {}, spec = {} }: { metadata?: Partial<ObjectMeta>; spec?: Partial<Pod['spec']> } = {},
): Pod =>
  aPodRequesting({ cpu: `${cpus * 1000}m` }, name, {
    metadata: { uid: name, labels: { app: name }, ...metadata },
    spec,
    status: { phase: 'Running' },
  });

/** A budget for the pods of one app. */
export const aBudget = (app: string, disruptionsAllowed: number): PodDisruptionBudget => ({
  metadata: { name: `${app}-budget`, namespace: 'default' },
  spec: { selector: { matchLabels: { app } }, minAvailable: 1 },
  status: { disruptionsAllowed },
});

const isTrue = (type: string, lastTransitionTime: string): Condition => ({ type, status: 'True', lastTransitionTime });

export interface NodeOptions extends Partial<Omit<NodeView, 'name' | 'claim'>> {
  readonly cpus?: number;
  readonly capacityType?: string;
  /** RFC 3339; absent: not drifted. */
  readonly driftedAt?: string;
  readonly isConsolidatable?: boolean;
  readonly terminationGracePeriod?: string;
}

const claimOfNode = (name: string, { driftedAt, isConsolidatable = true, terminationGracePeriod }: NodeOptions): NodeView['claim'] => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: `claim-of-${name}` },
  spec: {
    requirements: [],
    nodeClassRef: { group: 'test', kind: 'TestNodeClass', name: 'default' },
    ...(terminationGracePeriod === undefined ? {} : { terminationGracePeriod }),
  },
  status: {
    conditions: [
      ...(isConsolidatable ? [isTrue(nodeClaimConditions.initialized, '2026-11-20T09:00:00Z')] : []),
      ...(driftedAt === undefined ? [] : [isTrue(nodeClaimConditions.drifted, driftedAt)]),
    ],
  },
});

/** A settled node of the pool `default` with 4 cpus on demand, that may be consolidated. */
export const aNode = (name: string, options: NodeOptions = {}): NodeView => {
  const {
    cpus = 4,
    capacityType = 'on-demand',
    nodePoolName = 'default',
    driftedAt: _,
    isConsolidatable: __,
    terminationGracePeriod: ___,
    ...view
  } = options;
  const amounts = { cpu: cpus * 1000, memory: cpus * 4 * GIB, pods: 110 };
  const claim = claimOfNode(name, options);
  return {
    name,
    labels: {
      [labels.nodePool]: nodePoolName,
      [labels.instanceType]: `cpu-${cpus}`,
      [labels.zone]: 'zone-1',
      [labels.capacityType]: capacityType,
      [labels.hostname]: name,
      [labels.arch]: 'amd64',
      [labels.os]: 'linux',
    },
    annotations: {},
    taints: [],
    capacity: amounts,
    allocatable: amounts,
    pods: [],
    ...(claim === undefined ? {} : { claim }),
    nodePoolName,
    hasNode: true,
    isRegistered: true,
    isInitialized: true,
    isReady: true,
    isMarkedForDeletion: false,
    ...view,
  };
};

export const aCluster = (nodes: readonly NodeView[], rest: Partial<ClusterSnapshot> = {}): ClusterSnapshot => ({
  nodePools: [aPool()],
  nodes,
  pendingPods: [],
  daemonSets: [],
  podDisruptionBudgets: [],
  namespaceLabels: new Map(),
  ...rest,
});

/** The names of the nodes of candidates. */
export const candidateNames = (candidates: readonly { readonly node: { readonly name: string } }[] = []): readonly string[] =>
  candidates.map(({ node }) => node.name);
