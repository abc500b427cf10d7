import { nodeClassStatusKeeping, type Verdict } from '@karpenter/core/provider-kit';
import type { Clock, Controller } from '@karpenter/runtime';
import { type AKSNodeClass, NODE_CLASS_FINALIZER, nodeClassConditions, readinessParts } from '../../apis/index.ts';
import type { ArmApi } from '../../arm/arm-api.ts';
import { releaseOf } from '../../images/index.ts';
import type { AzureOptions } from '../../options/index.ts';
import { aksNodeClassKind, type AzureKube } from '../../provider/azure-kube.ts';
import type { ImageDiscovery } from './image-discovery.ts';
import { localDnsState } from './local-dns-state.ts';
import { nodeImages } from './node-images.ts';
import { subnetVerdict } from './subnet-verdict.ts';
import { validationVerdict } from './validation-verdict.ts';

export interface NodeClassStatusDeps {
  readonly kube: Pick<AzureKube, 'get' | 'list' | 'patch' | 'patchStatus'>;
  readonly arm: Pick<ArmApi, 'subnetPrefixes' | 'hasDiskEncryptionSet'>;
  readonly options: AzureOptions;
  /** Base64 of PEM: whom nodes trust as API server. */
  readonly caBundle: string;
  readonly images: ImageDiscovery;
  /** `v1.33.4` of the API server. */
  readonly serverVersion: (signal: AbortSignal) => Promise<string>;
  readonly clock: Clock;
}

const RECHECK_MS = 180_000;

const numbersOf = (version: string): readonly number[] => version.split('.').map(Number);

/** Nodes never go back to an older version, whatever API server answers during an upgrade. */
const newerOf = (a: string, b: string | undefined): string => {
  if (b === undefined) return a;
  const [left, right] = [numbersOf(a), numbersOf(b)];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at === -1 || (left[at] ?? 0) > (right[at] ?? 0) ? a : b;
};

const resolve = async (nodeClass: AKSNodeClass, deps: NodeClassStatusDeps, signal: AbortSignal) => {
  const server = releaseOf(await deps.serverVersion(signal));
  const kubernetesVersion = newerOf(server, nodeClass.status?.kubernetesVersion);
  const { images, verdict } = await nodeImages(deps, { nodeClass, kubernetesVersion }, signal);
  const localDns = await localDnsState(deps, { nodeClass, kubernetesVersion }, signal);
  const verdicts: readonly (Verdict | undefined)[] = [
    { type: nodeClassConditions.kubernetesVersionReady, status: 'True' },
    verdict,
    await subnetVerdict(deps, nodeClass, signal),
    await validationVerdict({ ...deps, nodeClass, kubernetesVersion }, signal),
    localDns.verdict,
  ];
  return {
    verdicts: verdicts.filter((known) => known !== undefined),
    status: { images, kubernetesVersion, localDNSState: localDns.state },
  };
};

/** Resolves what a class asks for into its status: Kubernetes version, images, subnet; Ready when all of it is there. */
export const nodeClassStatus = (deps: NodeClassStatusDeps): Controller<AKSNodeClass> =>
  nodeClassStatusKeeping({
    ...{ kind: aksNodeClassKind, finalizer: NODE_CLASS_FINALIZER, parts: readinessParts, recheckMs: RECHECK_MS },
    ...{ kube: deps.kube, clock: deps.clock },
    resolve: (nodeClass, signal) => resolve(nodeClass, deps, signal),
  });
