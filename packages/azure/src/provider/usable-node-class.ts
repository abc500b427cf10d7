import { CloudProviderError, conditionOf } from '@karpenter/core';
import { type AKSNodeClass, imagesOf, kubernetesVersionOf, nodeClassConditions, type NodeImage } from '../apis/index.ts';
import type { AzureKube } from './azure-kube.ts';

/** A class that machines may be made of. */
export interface UsableNodeClass {
  readonly nodeClass: AKSNodeClass;
  readonly kubernetesVersion: string;
  readonly images: readonly NodeImage[];
}

export const readNodeClass = (kube: Pick<AzureKube, 'get'>, name: string, signal: AbortSignal): Promise<AKSNodeClass | undefined> =>
  kube.get<AKSNodeClass>('AKSNodeClass', { name }, { signal });

const notReady = (name: string, reason: string, why: string): CloudProviderError =>
  new CloudProviderError('node-class-not-ready', `AKSNodeClass ${name} ${why}`, { reason });

const unresolved = (name: string): CloudProviderError =>
  new CloudProviderError('launch-failed', `AKSNodeClass ${name} has not been resolved yet`, { reason: 'NodeClassReadinessUnknown' });

/** Throws when a person or the controller has to act on the class first. */
const refuseUnready = ({ metadata: { name, deletionTimestamp }, status }: AKSNodeClass): void => {
  if (deletionTimestamp !== undefined) throw notReady(name, 'NodeClassTerminating', 'is being deleted');
  const ready = conditionOf(status?.conditions, nodeClassConditions.ready);
  if (ready?.status === 'False') throw notReady(name, ready.reason ?? 'NodeClassNotReady', `is not ready: ${ready.message ?? ''}`);
  if (ready?.status !== 'True') throw unresolved(name);
};

/** The class as launches need it; throws `node-class-not-ready`, or `launch-failed` while it is still being checked. */
export const usableNodeClass = (nodeClass: AKSNodeClass | undefined, name: string): UsableNodeClass => {
  if (nodeClass === undefined) throw notReady(name, 'NodeClassNotFound', 'does not exist');
  refuseUnready(nodeClass);
  const kubernetesVersion = kubernetesVersionOf(nodeClass);
  const images = imagesOf(nodeClass);
  if (kubernetesVersion === undefined || images === undefined) throw unresolved(name);
  return { nodeClass, kubernetesVersion, images };
};
