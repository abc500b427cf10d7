import type { CloudProviderError, Machine, NodeClaim } from '@karpenter/core';
import { labels, unregisteredTaint } from '@karpenter/core';
import { specHashOf } from '@karpenter/core/provider-kit';
import type { KubeletNode } from '../cluster/kubelet/kubelet-node.ts';
import type { CloudMachine } from '../cluster/nodes/cloud-view.ts';
import type { SimulatedPurchase } from './purchases-for.ts';
import { simulatedLabelsOf, sizeOf } from './simulated-instance-type.ts';

const REGION = 'sim';
const DEVICES_AFTER_MS = 1_000;

/** On a claim: the hash of the tags that its machine was last brought to. */
export const TAGS_HASH_ANNOTATION = 'karpenter.simulated.test/tags-hash';

/** A machine of the simulated cloud. */
export interface SimulatedMachine {
  readonly claimName: string;
  readonly providerId: string;
  readonly purchase: SimulatedPurchase;
  readonly image: string;
  readonly createdAt: string;
  readonly isNeverReady: boolean;
  /** How the cloud failed to make it. */
  failure?: CloudProviderError;
  isTerminating: boolean;
  tags: Readonly<Record<string, string>>;
}

/** The machine as core sees it. */
export const asSimulatedMachine = ({
  claimName,
  providerId,
  purchase,
  image,
  createdAt,
  isTerminating,
  tags,
}: SimulatedMachine): Machine => ({
  ...{ claimName, providerId, createdAt, isTerminating, imageId: image },
  annotations: { [TAGS_HASH_ANNOTATION]: specHashOf(tags) },
  labels: {
    ...simulatedLabelsOf(purchase.type),
    [labels.region]: REGION,
    [labels.zone]: purchase.zone,
    [labels.capacityType]: purchase.capacityType,
  },
  ...sizeOf(purchase.type),
});

/** The machine as the cloud controller sees it. */
export const asCloudMachine = ({ providerId, purchase }: SimulatedMachine): CloudMachine => ({
  ...{ providerId, instanceType: purchase.instanceType, region: REGION, zone: purchase.zone },
});

/** What the machine's kubelet starts with: the claim's taints and the unregistered one. */
export const asKubelet = ({ providerId, claimName, purchase, isNeverReady }: SimulatedMachine, claim: NodeClaim): KubeletNode => ({
  name: claimName,
  labels: { ...claim.metadata.labels, [labels.capacityType]: purchase.capacityType },
  taints: [...(claim.spec.taints ?? []), ...(claim.spec.startupTaints ?? []), unregisteredTaint],
  ...sizeOf(purchase.type),
  arch: purchase.type.arch,
  providerId,
  volumeDrivers: Object.entries(purchase.type.volumeLimits ?? {}).map(([name, limit]) => ({ name, limit })),
  ...(purchase.type.dynamicResources && {
    devices: { resources: purchase.type.dynamicResources, afterMs: purchase.type.devicesAfterMs ?? DEVICES_AFTER_MS },
  }),
  isCloudManaged: true,
  isNeverReady,
});
