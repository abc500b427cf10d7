import type { DiskRecord, NicRecord, VmRecord } from '@karpenter/azure-emulator';
import type { KubeObject } from '@karpenter/runtime';
import { type FaultCluster } from './fault-cluster.ts';
import { ALONE, SHARED } from './fault-workloads.ts';

/** What Azure has. */
export interface AzureState {
  vms(): readonly Pick<VmRecord, 'id' | 'name' | 'providerId'>[];
  nics(): readonly Pick<NicRecord, 'name' | 'vmId'>[];
  disks(): readonly Pick<DiskRecord, 'name' | 'managedBy'>[];
}

/** What is read of a cluster to judge it. */
export interface JudgedCluster extends Pick<FaultCluster, 'pods' | 'nodes' | 'claims'> {
  readonly real: { readonly arm: AzureState };
}

/** How a cluster must be in the end. */
export interface WantedState {
  /** Pods of each of the two deployments. */
  readonly alone: number;
  readonly shared: number;
  /** Nodes of the pool whose pods share nodes; left out: any number. */
  readonly sharedNodes?: number;
  /** The label that the template of pools has. */
  readonly generation: string;
}

const OWN_TAINT = /^karpenter\.sh\//;

const named = (objects: readonly KubeObject[]): string => objects.map(({ metadata }) => metadata.name).join(', ');

interface Seen {
  readonly pods: Awaited<ReturnType<FaultCluster['pods']>>;
  readonly nodes: Awaited<ReturnType<FaultCluster['nodes']>>;
  readonly claims: Awaited<ReturnType<FaultCluster['claims']>>;
}

const podProblems = ({ pods, nodes }: Seen, wanted: WantedState): readonly string[] => {
  const names = new Set(nodes.map(({ metadata }) => metadata.name));
  return [[ALONE.name, wanted.alone] as const, [SHARED.name, wanted.shared] as const].flatMap(([app, count]) => {
    const own = pods.filter(({ metadata }) => metadata.labels?.['app'] === app);
    const running = own.filter(({ spec, status }) => status?.phase === 'Running' && names.has(spec.nodeName ?? ''));
    const isRight = own.length === count && running.length === count;
    return isRight ? [] : [`${running.length} of ${own.length} pods of ${app} run on a node, wanted ${count}`];
  });
};

const claimProblems = ({ nodes, claims }: Seen): readonly string[] => {
  const deleting = [...nodes, ...claims].filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const tainted = nodes.filter(({ spec }) => (spec?.taints ?? []).some(({ key }) => OWN_TAINT.test(key)));
  const marked = claims.filter(({ status }) =>
    status?.conditions?.some(({ type, status: is }) => type === 'DisruptionReason' && is === 'True'),
  );
  return [
    ...(deleting.length > 0 ? [`still being deleted: ${named(deleting)}`] : []),
    ...(tainted.length > 0 ? [`tainted by Karpenter: ${named(tainted)}`] : []),
    ...(marked.length > 0 ? [`still chosen for disruption: ${named(marked)}`] : []),
  ];
};

const sideProblems = ({ nodes, claims }: Seen, arm: AzureState): readonly string[] => {
  const [vms, nics, disks] = [arm.vms(), arm.nics(), arm.disks()];
  const counts = { claims: claims.length, nodes: nodes.length, vms: vms.length, nics: nics.length, disks: disks.length };
  const isEven = Object.values(counts).every((count) => count === counts.claims);
  const machines = new Set(vms.map(({ providerId }) => providerId.toLowerCase()));
  const hasNone = (providerId: string | undefined): boolean => !machines.has(providerId?.toLowerCase() ?? '');
  const lost = [...claims.filter(({ status }) => hasNone(status?.providerID)), ...nodes.filter(({ spec }) => hasNone(spec?.providerID))];
  const claimed = new Set(claims.map(({ status }) => status?.providerID?.toLowerCase()));
  const ids = new Set(vms.map(({ id }) => id.toLowerCase()));
  const isLoose = (vmId: string | undefined): boolean => !ids.has(vmId?.toLowerCase() ?? '');
  const left = [
    ...vms.filter(({ providerId }) => !claimed.has(providerId.toLowerCase())).map(({ name }) => `machine ${name}`),
    ...nics.filter(({ vmId }) => isLoose(vmId)).map(({ name }) => `interface ${name}`),
    ...disks.filter(({ managedBy }) => isLoose(managedBy)).map(({ name }) => `disk ${name}`),
  ];
  return [
    ...(isEven ? [] : [`sides differ: ${JSON.stringify(counts)}`]),
    ...(lost.length > 0 ? [`no machine for ${named(lost)}`] : []),
    ...(left.length > 0 ? [`left over: ${left.join(', ')}`] : []),
  ];
};

const poolProblems = ({ nodes }: Seen, { alone, sharedNodes, generation }: WantedState): readonly string[] => {
  const inPool = (pool: string) => nodes.filter(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === pool);
  const [small, mixed] = [inPool(ALONE.pool), inPool(SHARED.pool)];
  const old = nodes.filter(({ metadata }) => metadata.labels?.['generation'] !== generation);
  return [
    ...(small.length === alone ? [] : [`${small.length} nodes of ${ALONE.pool}, wanted ${alone}`]),
    ...(sharedNodes === undefined || mixed.length === sharedNodes
      ? []
      : [`${mixed.length} nodes of ${SHARED.pool}, wanted ${sharedNodes}`]),
    ...(old.length === 0 ? [] : [`drifted: ${named(old)}`]),
  ];
};

/** What is not as it must be in the end; empty when all is. Throws while the API server does not answer. */
export const problemsOf = async (cluster: JudgedCluster, wanted: WantedState): Promise<readonly string[]> => {
  const [pods, nodes, claims] = await Promise.all([cluster.pods(), cluster.nodes(), cluster.claims()]);
  const seen: Seen = { pods, nodes, claims };
  return [...podProblems(seen, wanted), ...claimProblems(seen), ...sideProblems(seen, cluster.real.arm), ...poolProblems(seen, wanted)];
};
