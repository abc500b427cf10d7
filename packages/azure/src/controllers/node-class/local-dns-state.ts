import type { Verdict } from '@karpenter/core/provider-kit';
import { KubeError, type KubeObject } from '@karpenter/runtime';
import { type AKSNodeClass, nodeClassConditions } from '../../apis/index.ts';
import { minorOf, resolveFamily } from '../../images/index.ts';
import type { AzureOptions } from '../../options/index.ts';
import type { AzureKube } from '../../provider/azure-kube.ts';

type State = 'Enabled' | 'Disabled';

export interface LocalDnsDeps {
  readonly kube: Pick<AzureKube, 'get' | 'list'>;
  readonly options: Pick<AzureOptions, 'networkPlugin' | 'networkPolicy'>;
}

export interface LocalDnsSource {
  readonly nodeClass: AKSNodeClass;
  readonly kubernetesVersion: string;
}

/**
 * The first minor in which `Preferred` means more than nothing: AKS has not said when. Source: the original's constant
 * 1.99.0.
 */
const FIRST_MINOR = 99;

const POLICIES: Readonly<Record<string, readonly string[]>> = {
  cilium: ['NetworkPolicy', 'CiliumNetworkPolicy', 'CiliumClusterwideNetworkPolicy'],
  calico: ['NetworkPolicy', 'CalicoNetworkPolicy', 'CalicoGlobalNetworkPolicy'],
};

/** AKS's own, which lets the tunnel to the control plane through. */
const isOfAks = ({ metadata: { name, namespace } }: KubeObject): boolean => namespace === 'kube-system' && name === 'konnectivity-agent';

/** A kind that the cluster does not serve has no objects. */
const listed = async (kube: LocalDnsDeps['kube'], kind: string, signal: AbortSignal): Promise<readonly KubeObject[]> => {
  try {
    return (await kube.list(kind, { signal })).items;
  } catch (error) {
    if (error instanceof KubeError && error.code === 'not-found') return [];
    throw error;
  }
};

/** Policies that were written for a name service elsewhere would cut pods off from the one on their node. */
const hasPolicies = async ({ kube, options }: LocalDnsDeps, signal: AbortSignal): Promise<boolean> => {
  for (const kind of POLICIES[options.networkPolicy] ?? []) {
    if ((await listed(kube, kind, signal)).some((policy) => !isOfAks(policy))) return true;
  }
  return false;
};

const hasOwnCache = async ({ kube }: LocalDnsDeps, signal: AbortSignal): Promise<boolean> =>
  (await kube.get('DaemonSet', { namespace: 'kube-system', name: 'node-local-dns' }, { signal })) !== undefined;

/** Undefined: the version says nothing. */
const preferred = async (deps: LocalDnsDeps, source: LocalDnsSource, signal: AbortSignal): Promise<State | undefined> => {
  const { nodeClass, kubernetesVersion } = source;
  const minor = minorOf(kubernetesVersion);
  if (minor === undefined) return undefined;
  if (minor < FIRST_MINOR || deps.options.networkPlugin === 'none') return 'Disabled';
  if (resolveFamily(nodeClass.spec ?? {}, kubernetesVersion) === 'Ubuntu2004') return 'Disabled';
  return (await hasPolicies(deps, signal)) || (await hasOwnCache(deps, signal)) ? 'Disabled' : 'Enabled';
};

const stateOf = async (deps: LocalDnsDeps, source: LocalDnsSource, signal: AbortSignal): Promise<State | undefined> => {
  const { spec, status } = source.nodeClass;
  switch (spec?.localDNS?.mode) {
    case 'Required':
      return 'Enabled';
    case 'Preferred':
      return status?.localDNSState === 'Enabled' ? 'Enabled' : preferred(deps, source, signal);
    default:
      return 'Disabled';
  }
};

const type = nodeClassConditions.localDnsReady;

/** Whether nodes of a class get a DNS cache of their own, and what its condition says. */
export interface LocalDns {
  readonly state: State;
  readonly verdict: Verdict;
}

const unknownDns = (why: string): LocalDns => ({
  state: 'Disabled',
  verdict: {
    ...{ type, status: 'False', reason: 'CheckingClusterRequirementsFailed' },
    message: `cannot determine whether the cluster supports a DNS cache on its nodes: ${why}`,
  },
});

/**
 * Where `Preferred` has once come to mean yes it stays so: nodes would have to be replaced for each policy that comes
 * and goes.
 */
export const localDnsState = async (deps: LocalDnsDeps, source: LocalDnsSource, signal: AbortSignal): Promise<LocalDns> => {
  try {
    const state = await stateOf(deps, source, signal);
    return state === undefined
      ? unknownDns(`its version is "${source.kubernetesVersion}", expected one like 1.34.2`)
      : { state, verdict: { type, status: 'True' } };
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    return unknownDns(error.message);
  }
};
