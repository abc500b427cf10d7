import type { NodePool, Pod, RequirementSpec } from '@karpenter/core';
import { expect } from '@jest/globals';
import { aNodePool, aPod, labelled, requesting, runningOn, spreadOver } from '../../builders/index.ts';
import type { PodTrait, SnapshotOptions } from '../../builders/index.ts';
import { placesOf, zone } from './places-of.ts';
import type { PlacesOfPods } from './places-of.ts';

export { zone };
export const hostname = 'kubernetes.io/hostname';
export const arch = 'kubernetes.io/arch';
export const [z1, z2, z3] = ['test-zone-1', 'test-zone-2', 'test-zone-3'] as const;

/** Makes a pod one of the app `web`. */
export const web = labelled({ app: 'web' });
/** Selects the pods of the app `web`. */
export const ofWeb = { labelSelector: { matchLabels: { app: 'web' } } };
export const small = requesting({ cpuMillis: 100 });
export const large = requesting({ cpuMillis: 900 });

/** A required spread of the app `web` over a key, with a skew of 1 by default. */
export const over = (topologyKey: string, how: Partial<Parameters<typeof spreadOver>[0]> = {}): PodTrait =>
  spreadOver({ topologyKey, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', ...ofWeb, ...how });

export const pool = (name: string, cluster: Parameters<typeof aNodePool>[0] = {}): NodePool => aNodePool({ name, ...cluster });

/** A requirement for one of some values. */
export const one = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values });

/** A cluster, and where its pending pods must be placed. */
export interface PlacementCase extends Pick<PlacesOfPods, 'placed'> {
  readonly name: string;
  readonly cluster: SnapshotOptions;
  readonly rejected?: number;
  /** Names of nodes that count as gone. */
  readonly without?: readonly string[];
}

export const check = ({ cluster, placed, rejected = 0, without = [] }: PlacementCase): void =>
  expect(placesOf(cluster, without)).toEqual({ placed, rejected });

/** A pod that runs on this node. */
export const boundTo = (node: string, ...traits: readonly PodTrait[]): Pod => aPod(...traits, runningOn(node));
