import type { PlainCluster } from '@karpenter/core/internal';
import { drawTypes } from './drawn-types.ts';
import type { QuestionType } from './drawn-types.ts';
import type { Draws } from './draws.ts';

export const ZONE = 'topology.kubernetes.io/zone';
export const HOSTNAME = 'kubernetes.io/hostname';
export const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
export const ARCH = 'kubernetes.io/arch';
/** A label that pools and nodes may have. */
export const TEAM = 'team';
export const teams: readonly string[] = ['blue', 'red'];
export const architectures: readonly string[] = ['amd64', 'arm64'];
export const capacityKinds: readonly string[] = ['on-demand', 'spot'];

/** What the parts of one question have in common. */
export interface Setting {
  readonly zones: readonly string[];
  readonly types: readonly QuestionType[];
  readonly namespaces: NonNullable<PlainCluster['namespaces']>;
  /** Values of the label `app`. */
  readonly apps: readonly string[];
}

const namespaceNamed = (name: string): Setting['namespaces'][number] => ({
  metadata: { name, labels: { 'kubernetes.io/metadata.name': name, env: name === 'dev' ? 'test' : 'live' } },
});

/** Zones, instance types, namespaces and apps. */
export const drawSetting = (draws: Draws): Setting => {
  const zones = ['z1', 'z2', 'z3', 'z4'].slice(0, draws.oneOf([1, 2, 3, 3, 3, 4]));
  return {
    zones,
    types: drawTypes(draws, zones),
    namespaces: ['default', 'prod', 'dev'].slice(0, draws.oneOf([1, 1, 2, 3])).map(namespaceNamed),
    apps: ['a', 'b', 'c', 'd', 'e'].slice(0, draws.oneOf([1, 2, 3, 5])),
  };
};

/** The name of one of the namespaces. */
export const drawNamespace = (draws: Draws, { namespaces }: Setting): string => draws.oneOf(namespaces).metadata.name;
