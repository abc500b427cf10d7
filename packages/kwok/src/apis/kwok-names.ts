import { labels } from '@karpenter/core';

export const KWOK_GROUP = 'karpenter.kwok.sh';

/** Labels that every node of this provider has. Source: the original's `kwok/apis/v1alpha1/labels.go`. */
export const kwokLabels = {
  instanceSize: `${KWOK_GROUP}/instance-size`,
  instanceFamily: `${KWOK_GROUP}/instance-family`,
  instanceCpu: `${KWOK_GROUP}/instance-cpu`,
  instanceMemory: `${KWOK_GROUP}/instance-memory`,
} as const;

/** Label and annotation by which kwok finds the nodes that it keeps alive. */
export const KWOK_NODE = { key: 'kwok.x-k8s.io/node', value: 'fake' } as const;

/** Annotation of nodes: the image that the NodeClass named when the machine was made. */
export const IMAGE_ANNOTATION = `${KWOK_GROUP}/image`;

const PROVIDER_PREFIX = 'kwok://';

/** Node and machine have the name of the claim. */
export const providerIdOf = (claimName: string): string => `${PROVIDER_PREFIX}${claimName}`;

/** The claim that a machine was made for; undefined where the id is another provider's. */
export const claimNameOf = (providerId: string | undefined): string | undefined =>
  providerId?.startsWith(PROVIDER_PREFIX) === true ? providerId.slice(PROVIDER_PREFIX.length) : undefined;

/** Where a machine is and how it was bought. */
export const offeringLabels = (zone: string, capacityType: string): Readonly<Record<string, string>> => ({
  [labels.zone]: zone,
  [labels.capacityType]: capacityType,
});
