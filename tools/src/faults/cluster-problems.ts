import type { KubeObject } from '@karpenter/runtime';
import { ALONE, type FaultCluster, SHARED } from './fault-cluster.ts';

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

const sideProblems = ({ nodes, claims }: Seen, { real: { arm } }: FaultCluster): readonly string[] => {
  const counts = {
    ...{ claims: claims.length, nodes: nodes.length },
    ...{ vms: arm.vms().length, nics: arm.nics().length, disks: arm.disks().length },
  };
  const isEven = Object.values(counts).every((count) => count === counts.claims);
  const vms = new Set(arm.vms().map(({ providerId }) => providerId.toLowerCase()));
  const lost = claims.filter(({ status }) => !vms.has(status?.providerID?.toLowerCase() ?? ''));
  return [...(isEven ? [] : [`sides differ: ${JSON.stringify(counts)}`]), ...(lost.length > 0 ? [`no machine for ${named(lost)}`] : [])];
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
export const problemsOf = async (cluster: FaultCluster, wanted: WantedState): Promise<readonly string[]> => {
  const [pods, nodes, claims] = await Promise.all([cluster.pods(), cluster.nodes(), cluster.claims()]);
  const seen: Seen = { pods, nodes, claims };
  return [...podProblems(seen, wanted), ...claimProblems(seen), ...sideProblems(seen, cluster), ...poolProblems(seen, wanted)];
};

/** Machines that Azure made more than once under one name. */
export const doubledMachines = ({ real: { arm } }: FaultCluster): readonly string[] => {
  const made = arm.requests.of('VirtualMachines_CreateOrUpdate').filter(({ status }) => status === 201);
  return [...Map.groupBy(made, ({ path }) => path)].filter(([, requests]) => requests.length > 1).map(([path]) => path);
};
