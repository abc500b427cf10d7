import type { Machine, Node, NodeClaim, Pod } from '@karpenter/core';
import type { RebalancePlan } from '@karpenter/core/internal';
import type { KindRef, ApiObject } from '@karpenter/api-server';
import type { StoryCluster } from './story-cluster.ts';

const pods: KindRef<Pod & ApiObject> = { kind: 'Pod' };
const nodes: KindRef<Node & ApiObject> = { kind: 'Node' };
const claims: KindRef<NodeClaim & ApiObject> = { kind: 'NodeClaim' };
const rebalances: KindRef<RebalancePlan & ApiObject> = { kind: 'RebalancePlan' };

/** The cluster and the cloud as they are, read past Karpenter. */
export interface StoryPicture {
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly claims: readonly NodeClaim[];
  readonly machines: readonly Machine[];
  readonly rebalances: readonly RebalancePlan[];
}

/** Takes it. */
export const pictureOf = async ({ local, cloud }: StoryCluster): Promise<StoryPicture> => ({
  pods: local.list(pods, { namespace: 'default' }),
  nodes: local.list(nodes),
  claims: local.list(claims),
  machines: await cloud.list({ signal: new AbortController().signal }),
  rebalances: local.list(rebalances),
});

export const isRunning = ({ metadata, status }: Pod): boolean => status?.phase === 'Running' && metadata.deletionTimestamp === undefined;

export const isGoing = ({ metadata }: { readonly metadata: { readonly deletionTimestamp?: string } }): boolean =>
  metadata.deletionTimestamp !== undefined;

const isClosed = ({ spec }: Node): boolean => spec?.taints?.some(({ key }) => key === 'karpenter.sh/disrupted') ?? false;

export const hasCondition = ({ status }: NodeClaim, type: string): boolean =>
  status?.conditions?.some((each) => each.type === type && each.status === 'True') ?? false;

/**
 * What is left to do before nothing moves any more: for each thing out of place a few words; empty when all is in its
 * place.
 */
export const pendingWorkIn = ({ pods, nodes, claims, machines }: StoryPicture): readonly string[] => {
  const names = (items: readonly { readonly metadata: { readonly name: string } }[]) => items.map(({ metadata }) => metadata.name).sort();
  const machineNames = machines.map(({ claimName = '' }) => claimName).sort();
  return [
    ...pods.filter((pod) => !isRunning(pod)).map(({ metadata }) => `pod ${metadata.name} does not run`),
    ...[...nodes, ...claims].filter(isGoing).map(({ metadata }) => `${metadata.name} is still going`),
    ...nodes.filter(isClosed).map(({ metadata }) => `node ${metadata.name} is closed`),
    ...claims.filter((claim) => hasCondition(claim, 'DisruptionReason')).map(({ metadata }) => `claim ${metadata.name} is to be disrupted`),
    ...claims.filter((claim) => !hasCondition(claim, 'Initialized')).map(({ metadata }) => `claim ${metadata.name} is not initialized`),
    ...(names(nodes).join() === names(claims).join() ? [] : [`nodes ${names(nodes).join()} for claims ${names(claims).join()}`]),
    ...(machineNames.join() === names(claims).join() ? [] : [`machines ${machineNames.join()} for claims ${names(claims).join()}`]),
  ];
};
