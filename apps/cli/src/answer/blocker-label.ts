import type { Command } from '@karpenter/core';
import type { Blocker } from '@karpenter/core/internal';

type Kind = Blocker['kind'];
type Labels = { readonly [K in Kind]: (blocker: Extract<Blocker, { readonly kind: K }>) => string };

const podsLabel = ([first = '', ...others]: readonly string[]): string => (others.length > 0 ? `${first} +${others.length}` : first);

const labels: Labels = {
  marked: () => 'leaving',
  'not-initialized': () => 'not initialized',
  unreadable: ({ problem }) => `unreadable: ${problem.field}`,
  nominated: () => 'a pod is expected',
  'unknown-node-pool': ({ nodePoolName = '' }) => `no NodePool ${nodePoolName}`,
  'do-not-disrupt-node': () => 'do-not-disrupt',
  'do-not-disrupt-pod': ({ pod }) => `do-not-disrupt: ${pod}`,
  pdb: ({ budget }) => `PDB ${budget}`,
  static: () => 'static pool',
  surplus: () => 'surplus of a static pool',
  limit: ({ resource }) => `limit on ${resource}`,
  minimum: ({ resource, minimum }) => `minimum of ${minimum} ${resource}`,
  'replacement-failed': ({ times }) => `its replacement failed, ${times} ${times === 1 ? 'time' : 'times'} in a row`,
  'nothing-offered': () => 'nothing offered',
  policy: ({ policy }) => `policy ${policy}`,
  'consolidate-after': ({ consolidateAfter }) => (consolidateAfter === 'Never' ? 'consolidation is off' : `settling, ${consolidateAfter}`),
  'unknown-price': () => 'price not known',
  budget: ({ budget }) => `budget ${budget?.nodes ?? 'of the pool'}`,
  'unschedulable-pods': ({ pods }) => `no other place: ${podsLabel(pods)}`,
  'costly-pods': ({ pods }) => `too costly to plan: ${podsLabel(pods)}`,
  'uninitialized-target': ({ nodeName }) => `waits for ${nodeName}`,
  'settling-target': ({ nodeName }) => `waits for ${nodeName}`,
  'capacity-buffer': ({ buffers }) => `room of buffer ${buffers[0] ?? ''}`,
  'no-cheaper-replacement': () => 'nothing cheaper',
  'spot-to-spot-off': () => 'spot-to-spot is off',
  'spot-to-spot': () => 'too few cheaper spot types',
  'min-values': () => 'minValues',
  'small-saving': () => 'saves too little',
  'not-worth-it': () => 'saves too little',
  target: () => 'next, after a command',
  'others-settling': () => 'next, with other nodes',
  'after-command': () => 'next, after another node',
  stopped: () => 'not evaluated in time',
};

/** Why a node stays, in a few words. `blockerText` has the sentence. */
export const blockerLabel = (blocker: Blocker): string =>
  // The table holds for each kind a function of that kind, which the compiler cannot follow through an index.
  (labels[blocker.kind] as (blocker: Blocker) => string)(blocker);

/** What is about to happen to the nodes of a command, in a few words. */
export const commandLabel = ({ reason, decision, replacements }: Command): string => {
  const cause = reason.toLowerCase();
  return decision === 'delete' ? `${cause}: can go` : `${cause}: ${replacements.length} in its place`;
};
