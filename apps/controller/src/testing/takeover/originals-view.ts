import type { Condition, NodeClaim } from '@karpenter/core';
import type { KindRef, ApiObject } from '@karpenter/api-server';
import { claimsOf, nodesOf } from '../clusters/cluster-census.ts';
import type { TestCluster } from '../clusters/test-cluster.ts';

export const LONG_POOL = 'a-node-pool-with-quite-a-long-name';

/**
 * What the original's own packages say of this story's class and pools: `AKSNodeClass.Hash()`, and `NodePool.Hash()` of
 * core 1.14.
 */
export const ORIGINALS_HASHES = { class: '11637731675550486674', pool: '7719316286182947569' };

/** By the pool of a claim. */
type Goals = Readonly<Record<string, string>>;

/**
 * What the goal hashes to in `pkg/controllers/nodeclaim/inplaceupdate/utils.go`, by a Go program: the tags of each
 * pool; of VMs, their identity too. By the tag `team` of the class.
 */
const GOALS: Readonly<Record<string, { readonly vms: Goals; readonly poolMachines: Goals }>> = {
  'web/shop': {
    vms: { general: '876665536', [LONG_POOL]: '1858506912' },
    poolMachines: { general: '3915855355', [LONG_POOL]: '2322346481' },
  },
  api: {
    vms: { general: '2123568295', [LONG_POOL]: '2244919687' },
    poolMachines: { general: '3236950838', [LONG_POOL]: '3015959028' },
  },
};

interface NodeClass extends ApiObject {
  readonly spec?: { readonly tags?: Readonly<Record<string, string>> };
  readonly status?: { readonly kubernetesVersion?: string; readonly images?: readonly { readonly id: string }[] };
}

const goalsOf = (nodeClass: NodeClass | undefined, machines: 'vms' | 'poolMachines'): Goals =>
  GOALS[nodeClass?.spec?.tags?.['team'] ?? '']?.[machines] ?? {};

const classes: KindRef<NodeClass> = { kind: 'AKSNodeClass' };

/** As `pkg/utils/image.go` names the version of a shared gallery's image. */
const nodeImageVersionOf = (id: string): string => {
  const [, gallery, definition, version] = /galleries\/([^/]+)\/images\/([^/]+)\/versions\/(.+)$/.exec(id) ?? [];
  return [gallery, definition, version].join('-');
};

const hasCondition = ({ status }: NodeClaim, type: string): boolean =>
  (status?.conditions ?? []).some((condition: Condition) => condition.type === type);

interface Seen {
  readonly cluster: TestCluster;
  readonly claim: NodeClaim;
  readonly nodeClass: NodeClass | undefined;
}

type Check = (seen: Seen) => boolean;

const annotationOf = ({ metadata }: NodeClaim, name: string): string | undefined => metadata.annotations?.[`karpenter.azure.com/${name}`];

const nodeOf = ({ cluster, claim }: Seen) => nodesOf(cluster).find(({ spec }) => spec?.providerID === claim.status?.providerID);

/** What the original would do to a claim or its machine → whether it would, by the rule that its source has. */
const ACTIONS: Readonly<Record<string, Check>> = {
  // nodeclaim/inplaceupdate/controller.go: by the annotation alone.
  'write tags': ({ claim, nodeClass }) => {
    const goals = goalsOf(nodeClass, annotationOf(claim, 'aks-machine-resource-id') === undefined ? 'vms' : 'poolMachines');
    return annotationOf(claim, 'in-place-update-hash') !== goals[claim.metadata.labels?.['karpenter.sh/nodepool'] ?? ''];
  },
  // nodeclass/hash and nodepool/hash: a claim with any condition Drifted keeps a hash that is then compared with
  // another rule's.
  'keep a foreign hash': ({ claim }) => hasCondition(claim, 'Drifted'),
  // The same controllers rewrite hashes of other versions: one of their own version must be the one that they would write.
  'compare hashes': ({ claim }) =>
    annotationOf(claim, 'aksnodeclass-hash-version') === 'v3' && annotationOf(claim, 'aksnodeclass-hash') !== ORIGINALS_HASHES.class,
  // cloudprovider/drift.go, isK8sVersionDrifted
  'replace for its version': (seen) =>
    nodeOf(seen)?.status?.nodeInfo?.kubeletVersion !== `v${seen.nodeClass?.status?.kubernetesVersion ?? ''}`,
  // cloudprovider/drift.go, isImageVersionDrifted
  'replace for its image': ({ claim, nodeClass }) => {
    const ids = (nodeClass?.status?.images ?? []).map(({ id }) => id);
    const versions = annotationOf(claim, 'aks-machine-resource-id') === undefined ? ids : ids.map(nodeImageVersionOf);
    return !versions.includes(claim.status?.imageID ?? '');
  },
  // cloudprovider/drift.go, isKubeletIdentityDrifted
  'replace for its identity': (seen) =>
    nodeOf(seen)?.metadata.labels?.['kubernetes.azure.com/kubelet-identity-client-id'] !== seen.cluster.arm.account.kubeletIdentityClientId,
  // azureresourcegraphlist.go finds machines by this tag; aksmachineinstanceutils.go finds the claim by another.
  'lose its machine': ({ cluster, claim }) => {
    const vm = cluster.arm.vms().find(({ providerId }) => providerId === claim.status?.providerID);
    const named = vm?.tags['karpenter.azure.com_aksmachine_nodeclaim'] ?? vm?.name.replace(/^aks-/, '');
    return vm?.tags['karpenter.sh_nodepool'] === undefined || named !== claim.metadata.name;
  },
};

/**
 * What the original would do to claims and machines if it were started now: `general-x: write tags`. Nothing, where
 * nothing has changed.
 */
export const originalWould = (cluster: TestCluster): readonly string[] => {
  const [nodeClass] = cluster.local.list(classes);
  const ofClaims = claimsOf(cluster).flatMap((claim) =>
    Object.entries(ACTIONS)
      .filter(([, isDue]) => isDue({ cluster, claim, nodeClass }))
      .map(([action]) => `${claim.metadata.name}: ${action}`),
  );
  // nodeclaim/garbagecollection: machines whose id no claim has.
  const known = new Set(claimsOf(cluster).map(({ status }) => status?.providerID));
  const unknown = cluster.arm.vms().filter(({ providerId }) => !known.has(providerId));
  return [...ofClaims, ...unknown.map(({ name }) => `${name}: collect`)];
};
