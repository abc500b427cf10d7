import { conditionOf } from '@karpenter/core';
import { type Clock, type Controller, requeueAfter } from '@karpenter/core/controllers';
import { type AKSNodeClass, type AKSNodeClassStatus, NODE_CLASS_FINALIZER, nodeClassConditions } from '../apis/index.ts';
import type { ArmApi } from '../arm/arm-api.ts';
import type { AzureOptions } from '../options/index.ts';
import type { AzureKube } from '../provider/azure-kube.ts';
import { settled } from '@karpenter/core/controllers';
import type { ImageDiscovery } from './image-discovery.ts';
import { nodeImages } from './node-images.ts';
import { judgedConditions, type Verdict } from './node-class-readiness.ts';
import { subnetVerdict } from './subnet-verdict.ts';

export interface NodeClassStatusDeps {
  readonly kube: Pick<AzureKube, 'get' | 'patch' | 'patchStatus'>;
  readonly arm: Pick<ArmApi, 'hasSubnet'>;
  readonly options: AzureOptions;
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

/** Which nodes would get the DNS cache; `Preferred` waits for a Kubernetes version that does not exist yet. */
const localDnsState = (nodeClass: AKSNodeClass): 'Enabled' | 'Disabled' =>
  nodeClass.spec?.localDNS?.mode === 'Required' || nodeClass.status?.localDNSState === 'Enabled' ? 'Enabled' : 'Disabled';

/** As text: the API server gives members back in alphabetical order, and ours are written in it. */
const isSameStatus = (a: AKSNodeClassStatus | undefined, b: AKSNodeClassStatus): boolean => JSON.stringify(a) === JSON.stringify(b);

const resolve = async (nodeClass: AKSNodeClass, deps: NodeClassStatusDeps, signal: AbortSignal): Promise<AKSNodeClassStatus> => {
  const { options, clock } = deps;
  const server = (await deps.serverVersion(signal)).replace(/^v/, '').replace(/[+-].*$/, '');
  const kubernetesVersion = newerOf(server, nodeClass.status?.kubernetesVersion);
  const { images, verdict } = await nodeImages(deps, { nodeClass, kubernetesVersion }, signal);
  const verdicts: readonly Verdict[] = [
    { type: nodeClassConditions.kubernetesVersionReady, status: 'True' },
    verdict,
    await subnetVerdict(deps, nodeClass.spec?.vnetSubnetID ?? options.vnetSubnetId, signal),
    { type: nodeClassConditions.validationSucceeded, status: 'True' },
    { type: nodeClassConditions.localDnsReady, status: 'True' },
  ];
  const observation = { generation: nodeClass.metadata.generation ?? 0, nowMs: clock.now() };
  return {
    conditions: judgedConditions(nodeClass.status?.conditions, verdicts, observation),
    images,
    kubernetesVersion,
    localDNSState: localDnsState(nodeClass),
  };
};

const keepUntilUnused = async (nodeClass: AKSNodeClass, kube: NodeClassStatusDeps['kube'], signal: AbortSignal): Promise<void> => {
  const finalizers = nodeClass.metadata.finalizers ?? [];
  if (finalizers.includes(NODE_CLASS_FINALIZER)) return;
  const { name, resourceVersion } = nodeClass.metadata;
  const metadata = { ...(resourceVersion !== undefined && { resourceVersion }), finalizers: [...finalizers, NODE_CLASS_FINALIZER] };
  await kube.patch('AKSNodeClass', { name }, { type: 'merge', body: { metadata }, signal });
};

/** Resolves what a class asks for into its status: Kubernetes version, images, subnet; Ready when all of it is there. */
export const nodeClassStatus = (deps: NodeClassStatusDeps): Controller<AKSNodeClass> => ({
  name: 'nodeclass.status',
  kind: 'AKSNodeClass',
  concurrency: 10,
  async reconcile(nodeClass, { signal }) {
    if (nodeClass.metadata.deletionTimestamp !== undefined) return settled;
    await keepUntilUnused(nodeClass, deps.kube, signal);
    const status = await resolve(nodeClass, deps, signal);
    if (!isSameStatus(nodeClass.status, status)) {
      const { name } = nodeClass.metadata;
      await deps.kube.patchStatus('AKSNodeClass', { name }, { type: 'merge', body: { status }, signal });
    }
    const isReady = conditionOf(status.conditions, nodeClassConditions.ready)?.status === 'True';
    return requeueAfter(isReady ? RECHECK_MS : RECHECK_MS / 3);
  },
});
