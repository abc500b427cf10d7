import { conditionOf, isConditionTrue } from '@karpenter/core';
import type { Verdict } from '@karpenter/core/provider-kit';
import type { Clock } from '@karpenter/runtime';
import { type AKSNodeClass, imagesOf, isFips, nodeClassConditions, type NodeImage } from '../../apis/index.ts';
import { ArmError } from '../../arm/arm-error.ts';
import { keepingVersions, type MaintenanceWindow, maintenanceWindowOf } from '../../images/index.ts';
import type { AzureOptions } from '../../options/index.ts';
import type { AzureKube } from '../../provider/azure-kube.ts';
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

/**
 * A class that has no images yet takes the newest, and so does one whose cluster was upgraded: its nodes are replaced
 * anyway.
 */
const mayWait = ({ status }: AKSNodeClass, kubernetesVersion: string): boolean =>
  isConditionTrue(status?.conditions, type) && status?.kubernetesVersion === kubernetesVersion;

interface Resolving {
  readonly nodeClass: AKSNodeClass;
  readonly kubernetesVersion: string;
}

const UPGRADE = 'KubernetesUpgrade';

/** The cluster was upgraded, now or before, and the class has no images for its version yet. */
const isUpgraded = ({ nodeClass: { status }, kubernetesVersion }: Resolving): boolean =>
  (status?.kubernetesVersion !== undefined && status.kubernetesVersion !== kubernetesVersion) ||
  conditionOf(status?.conditions, type)?.reason === UPGRADE;

/**
 * What counts while Azure does not list images: those that are in force for the present spec and the present
 * version. After an upgrade of the cluster they are not: a machine would get the new version on an image of the old.
 */
const unlisted = (resolving: Resolving, { message: why }: ArmError): NodeImages => {
  const { nodeClass, kubernetesVersion } = resolving;
  const known = nodeClass.status?.images ?? [];
  if (isUpgraded(resolving)) {
    const message = `the cluster was upgraded, and images for Kubernetes ${kubernetesVersion} cannot be listed: ${why}`;
    return { images: known, verdict: { type, status: 'False', reason: UPGRADE, message } };
  }
  return imagesOf(nodeClass) === undefined
    ? { images: known, verdict: { type, status: 'Unknown', reason: 'ImagesUnknownError', message: `images cannot be listed: ${why}` } }
    : { images: known, verdict: { type, status: 'True' } };
};

/**
 * The newest images for a class, or outside of the maintenance window those that are in force. Differs: a window that
 * cannot be read counts as closed, and the condition says so; the original's controller fails. The condition of the
 * original also says nothing while images cannot be listed.
 */
export const nodeImages = async (deps: NodeImagesDeps, resolving: Resolving, signal: AbortSignal): Promise<NodeImages> => {
  const { nodeClass, kubernetesVersion } = resolving;
  let newest: readonly NodeImage[];
  try {
    newest = await deps.images.newest(nodeClass, kubernetesVersion, signal);
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
    return unlisted(resolving, error);
  }
  if (newest.length === 0) return { images: [], verdict: none(nodeClass, deps.options) };
  if (!mayWait(nodeClass, kubernetesVersion)) return { images: newest, verdict: { type, status: 'True' } };
  const window = await windowNow(deps, signal);
  const images = window.kind === 'open' ? newest : keepingVersions(newest, nodeClass.status?.images ?? []);
  const message = window.kind === 'unreadable' ? `newer images wait: in ConfigMap ${WINDOW} ${window.problem}` : '';
  return { images, verdict: { type, status: 'True', message } };
};
