import { isConditionTrue } from '@karpenter/core';
import type { Clock } from '@karpenter/core/controllers';
import type { Verdict } from '@karpenter/core/provider-kit';
import { type AKSNodeClass, isFips, nodeClassConditions, type NodeImage } from '../apis/index.ts';
import { keepingVersions, type MaintenanceWindow, maintenanceWindowOf } from '../images/index.ts';
import type { AzureOptions } from '../options/index.ts';
import type { AzureKube } from '../provider/azure-kube.ts';
import type { ImageDiscovery } from './image-discovery.ts';

export interface NodeImagesDeps {
  readonly kube: Pick<AzureKube, 'get'>;
  readonly options: Pick<AzureOptions, 'systemNamespace' | 'sharedGalleries'>;
  readonly images: ImageDiscovery;
  readonly clock: Clock;
}

/** The images of a class, and what its condition says about them. */
export interface NodeImages {
  readonly images: readonly NodeImage[];
  readonly verdict: Verdict;
}

interface ConfigMap {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
}

const WINDOW = 'upcoming-maintenance-window';
const type = nodeClassConditions.imagesReady;

const windowNow = async ({ kube, options, clock }: NodeImagesDeps, signal: AbortSignal): Promise<MaintenanceWindow> => {
  const namespace = options.systemNamespace;
  if (namespace === undefined) return { kind: 'open' };
  const said = await kube.get<ConfigMap>('ConfigMap', { namespace, name: WINDOW }, { signal });
  return maintenanceWindowOf(said?.data, clock.now());
};

const none = (nodeClass: AKSNodeClass, { sharedGalleries }: NodeImagesDeps['options']): Verdict =>
  isFips(nodeClass) && sharedGalleries === undefined
    ? {
        type,
        status: 'False',
        reason: 'SIGRequiredForFIPS',
        message: 'images with FIPS are in the shared image galleries only: expected --use-sig (USE_SIG)',
      }
    : { type, status: 'False', reason: 'ImagesNotFound', message: 'no image of the family is published in this region' };

/** A class that has no images yet takes the newest, and so does one whose cluster was upgraded: its nodes are replaced anyway. */
const mayWait = ({ status }: AKSNodeClass, kubernetesVersion: string): boolean =>
  isConditionTrue(status?.conditions, type) && status?.kubernetesVersion === kubernetesVersion;

/**
 * The newest images for a class, or outside of the maintenance window those that are in force.
 * Differs: a window that cannot be read counts as closed, and the condition tells; the original's controller fails.
 */
export const nodeImages = async (
  deps: NodeImagesDeps,
  { nodeClass, kubernetesVersion }: { readonly nodeClass: AKSNodeClass; readonly kubernetesVersion: string },
  signal: AbortSignal,
): Promise<NodeImages> => {
  const newest = await deps.images.newest(nodeClass, kubernetesVersion, signal);
  if (newest.length === 0) return { images: [], verdict: none(nodeClass, deps.options) };
  if (!mayWait(nodeClass, kubernetesVersion)) return { images: newest, verdict: { type, status: 'True' } };
  const window = await windowNow(deps, signal);
  const images = window.kind === 'open' ? newest : keepingVersions(newest, nodeClass.status?.images ?? []);
  const message = window.kind === 'unreadable' ? `newer images wait: in ConfigMap ${WINDOW} ${window.problem}` : '';
  return { images, verdict: { type, status: 'True', message } };
};
