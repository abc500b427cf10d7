import { failedReplacementText } from '../../../actions/index.ts';
import { timestampOf } from '../../../base/index.ts';
import { budgetProblems } from '../../../apis/index.ts';
import type { Budget } from '../../../apis/index.ts';
import type { Blocker, Prices } from '../../../disruption/index.ts';

/** What people read about a node that stays. */
export interface BlockerText {
  /** `DisruptionBlocked`: nothing may take the node. `Unconsolidatable`: nothing would be saved by it. */
  readonly reason: 'DisruptionBlocked' | 'Unconsolidatable';
  readonly message: string;
  /** Deduplicates instead of the message: for messages with an amount. */
  readonly sameAs?: string;
}

type Of<K extends Blocker['kind']> = Extract<Blocker, { readonly kind: K }>;
type Texts = { readonly [K in Blocker['kind']]: (blocker: Of<K>) => BlockerText | undefined };

const blocked = (message: string): BlockerText => ({ reason: 'DisruptionBlocked', message });
const unconsolidatable = (message: string): BlockerText => ({ reason: 'Unconsolidatable', message });

const dollars = (amount: number): string => `$${amount.toFixed(4)}`;

/** Said again only when something else is the matter, not with each change of a price or a name. */
const changing = (sameAs: string, message: string): BlockerText => ({ ...unconsolidatable(message), sameAs });
const detailed = (message: string, details: string): BlockerText => changing(message, `${message}: ${details}`);

const pricesText = ({ pricePerHour, cheapestReplacement }: Prices): string =>
  `it costs ${dollars(pricePerHour)} an hour, what its pods need at least ${dollars(cheapestReplacement)}`;

const podsText = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} and ${others.length} others`;

/** A budget by what is written in it. */
const budgetText = ({ nodes, schedule, duration }: Budget): string =>
  schedule === undefined ? `budget of "${nodes}"` : `budget of "${nodes}" (${schedule} for ${duration ?? '?'})`;

/**
 * Left out where people know already, or need only wait. The sentences hold no moment and no price, so that saying them
 * again changes nothing.
 */
const texts: Texts = {
  marked: () => undefined,
  stopped: () => undefined,
  'after-command': () => undefined,
  target: () => undefined,
  'others-settling': () => undefined,
  'not-initialized': () => blocked('Node is not initialized'),
  unreadable: ({ problem: { field, problem } }) => blocked(`Node cannot be read: ${field} ${problem}`),
  nominated: () => blocked('Node is nominated for a pending pod'),
  'unknown-node-pool': ({ nodePoolName = '' }) => blocked(`NodePool "${nodePoolName}" is not there`),
  'do-not-disrupt-node': () => blocked('Node has the annotation karpenter.sh/do-not-disrupt'),
  'do-not-disrupt-pod': ({ pod, untilMs }) =>
    blocked(`Pod "${pod}" has the annotation karpenter.sh/do-not-disrupt${untilMs === undefined ? '' : `, until ${timestampOf(untilMs)}`}`),
  pdb: ({ pod, budget }) => blocked(`PodDisruptionBudget "${budget}" prevents the eviction of pod "${pod}"`),
  budget: ({ nodePoolName, reason, allowed, disrupting, budget }) => {
    const [malformed] = budget === undefined ? [] : budgetProblems('budget', budget);
    if (malformed !== undefined) {
      const { field, value, problem } = malformed;
      return blocked(`NodePool "${nodePoolName}" allows no disruptions, because of a malformed budget: ${field} "${value}" ${problem}`);
    }
    const message = `NodePool "${nodePoolName}" allows no more disruptions for the reason ${reason}${budget === undefined ? '' : `, by its ${budgetText(budget)}`}`;
    return { ...blocked(`${message}: it allows ${allowed}, and ${disrupting} are not ready or on their way out`), sameAs: message };
  },
  static: () => unconsolidatable('NodePool has a fixed number of replicas'),
  surplus: ({ nodePoolName }) => blocked(`NodePool "${nodePoolName}" has more nodes than replicas`),
  limit: ({ nodePoolName, resource }) => blocked(`Limit of NodePool "${nodePoolName}" on ${resource} leaves no room for a replacement`),
  minimum: ({ nodePoolName, resource, minimum }) =>
    unconsolidatable(`NodePool "${nodePoolName}" keeps a minimum of ${minimum} ${resource}`),
  'replacement-failed': ({ untilMs, ...failed }) => {
    const message = failedReplacementText(failed);
    return { ...blocked(`${message}; it is tried again after ${timestampOf(untilMs)}`), sameAs: message };
  },
  'nothing-offered': ({ nodePoolName }) => blocked(`NodePool "${nodePoolName}" has no instance type to offer`),
  'capacity-buffer': ({ buffers }) => unconsolidatable(`Node has the room of CapacityBuffer "${podsText(buffers)}"`),
  policy: ({ policy }) => unconsolidatable(`NodePool consolidates only by the policy ${policy}`),
  'consolidate-after': ({ consolidateAfter }) =>
    consolidateAfter === 'Never' ? unconsolidatable('NodePool has consolidation disabled') : undefined,
  'unknown-price': () => unconsolidatable('Instance type, zone or capacity type is not offered, so the price is not known'),
  'unschedulable-pods': ({ pods, isDrifted = false }) =>
    isDrifted ? blocked(`Not all pods would schedule: ${podsText(pods)}`) : detailed('Not all pods would schedule', podsText(pods)),
  'costly-pods': ({ pods, isDrifted = false }) => {
    const message = 'Planning where pods would schedule costs too much';
    return isDrifted ? blocked(`${message}: ${podsText(pods)}`) : detailed(message, podsText(pods));
  },
  'uninitialized-target': ({ kind, nodeName }) => changing(kind, `Pods would schedule on node "${nodeName}", which is not initialized`),
  'settling-target': ({ kind, nodeName }) =>
    changing(kind, `Pods would schedule on node "${nodeName}", whose own pods have changed less than consolidateAfter ago`),
  'no-cheaper-replacement': ({ replacements, ...prices }) => {
    const message = replacements > 1 ? `Can't remove without creating ${replacements} nodes` : "Can't replace with a cheaper node";
    return detailed(message, pricesText(prices));
  },
  'small-saving': ({ savingsPerHour, moves }) =>
    detailed(
      'A replacement would save too little for a launch and the pods that would move',
      `${dollars(savingsPerHour)} an hour, ${moves} pods`,
    ),
  'not-worth-it': ({ nodePoolName, savingsPerHour }) =>
    detailed(`NodePool "${nodePoolName}" would save too little for the pods that would move`, `${dollars(savingsPerHour)} an hour`),
  'spot-to-spot-off': (prices) =>
    detailed("SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node", pricesText(prices)),
  'spot-to-spot': ({ cheaperTypes, ...prices }) =>
    detailed(
      "Can't replace a spot node with a spot node because too few types are cheaper",
      `there are ${cheaperTypes}, and ${pricesText(prices)}`,
    ),
  'min-values': ({ shortfalls, ...prices }) => {
    const keys = shortfalls.map(({ key, wanted, found }) => `minValues of ${key} asks for ${wanted}, found ${found}`);
    return detailed("Can't replace with a cheaper node, because too few kinds of it are", `${keys.join(', ')}, and ${pricesText(prices)}`);
  },
};

/** Why a node stays, as an event; undefined when the reason needs no event. */
export const blockerText = (blocker: Blocker): BlockerText | undefined =>
  // The table holds for each kind a function of that kind, which the compiler cannot follow through an index.
  (texts[blocker.kind] as (blocker: Blocker) => BlockerText | undefined)(blocker);
