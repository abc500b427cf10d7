import { affinityAttacks } from './affinity-attacks.ts';
import type { Attack } from './attack.ts';
import { claimAttacks } from './claim-attacks.ts';
import { nodeAttacks } from './node-attacks.ts';
import { objectAttacks } from './object-attacks.ts';
import { podAttacks } from './pod-attacks.ts';

/** Name → what the attacker adds to the cluster. */
export const allAttacks: ReadonlyMap<string, () => Attack> = new Map([
  ...Object.entries(affinityAttacks),
  ...Object.entries(podAttacks),
  ...Object.entries(objectAttacks),
  ...Object.entries(claimAttacks),
  ...Object.entries(nodeAttacks),
]);
