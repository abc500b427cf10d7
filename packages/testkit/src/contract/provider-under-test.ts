import type { CloudProvider, Machine, Node, NodeClaim, NodePool, Offering } from '@karpenter/core';

/** One way to buy a machine. */
export type Purchase = Pick<Offering, 'zone' | 'capacityType'> & { readonly instanceType: string };

/** A provider with the cloud that it talks to, fresh for one test. */
export interface ProviderUnderTest extends AsyncDisposable {
  readonly provider: CloudProvider;
  /** One that the provider can launch for; its NodeClass is there and ready. */
  readonly nodePool: NodePool;
  /** Runs a call to its end: a fake cloud that lives on a fake clock is moved forward meanwhile. */
  readonly run: <T>(call: () => Promise<T>) => Promise<T>;
  /** R35: from now on every call of the cloud fails. */
  readonly cutOff: () => void;
  /** R26: from now on the cloud has no machine of this purchase. */
  readonly withhold?: (purchase: Purchase) => void;
  /** R27: the NodeClass now asks for something that machines made before are not. */
  readonly outdate?: () => Promise<void>;
  /** R28: a node that carries the cloud's announcement. */
  readonly interruptedNode?: Node;
  /** R31: how many calls the cloud was sent so far to launch machines. */
  readonly launchCalls: () => number;
  /** R31: it asks its cloud for several machines by one call. Left out: for each by itself. */
  readonly launchesTogether?: boolean;
  /** R29: the node of the claim joins, where hooks search for what comes with it. */
  readonly join?: (claim: NodeClaim) => Promise<void>;
  /** R32: what is changed in place. */
  readonly inPlace?: InPlaceUnderTest;
  /** R33: machines that are accepted and do not come. */
  readonly lateFailures?: LateFailuresUnderTest;
}

/** A cloud that fails after it has accepted a launch, and the cluster in which the provider reports it to core. */
export interface LateFailuresUnderTest {
  /** The cluster has this claim. */
  readonly put: (claim: NodeClaim) => void;
  /** The claim as the cluster has it now. */
  readonly read: (claimName: string) => NodeClaim | undefined;
  /** The next launch is accepted, and its machine not made. */
  readonly fail: () => void;
  /** The same, because there are no more machines of what it buys. Left out: this cloud says so at once. */
  readonly runOut?: () => void;
  /** The provider has seen to their end the launches that were accepted so far. */
  readonly settle: () => Promise<void>;
  /** How many things there are in the cloud that somebody may have to pay for: machines, and parts that no list shows. */
  readonly left: () => Promise<number>;
}

/** Something of a NodeClass that machines get while they run. */
export interface InPlaceUnderTest {
  /** The NodeClass now asks for something else of it. */
  readonly edit: () => Promise<void>;
  /** The provider's own controller has looked, with this claim in the cluster; its node has joined. */
  readonly update: (claim: NodeClaim) => Promise<void>;
  /** Whether the claim's machine is as its NodeClass asks for. */
  readonly isDone: (claim: NodeClaim) => boolean;
}

/** A claim for one cpu of the provider's pool, as core would write it. */
export const claimFor = (
  { nodePool }: Pick<ProviderUnderTest, 'nodePool'>,
  name: string,
  spec: Partial<NodeClaim['spec']> = {},
): NodeClaim => {
  const { nodeClassRef, requirements } = nodePool.spec.template.spec;
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name,
      uid: `uid-of-${name}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'karpenter.sh/nodepool': nodePool.metadata.name },
      annotations: {},
    },
    spec: { requirements, nodeClassRef, resources: { requests: { cpu: '1', memory: '1Gi', pods: '2' } }, ...spec },
  };
};

/** The claim once it has learnt what was launched for it. */
export const claimWithMachine = (claim: NodeClaim, { providerId, labels, annotations, imageId }: Machine): NodeClaim => ({
  ...claim,
  metadata: {
    ...claim.metadata,
    labels: { ...labels, ...claim.metadata.labels },
    annotations: { ...claim.metadata.annotations, ...annotations },
  },
  status: { providerID: providerId, ...(imageId !== undefined && { imageID: imageId }) },
});
