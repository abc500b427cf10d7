import type { NodeView } from '../cluster/index.ts';
import { isReschedulable, namespacedNameOf } from '../kube/index.ts';
import type { Command, Validity } from './command.ts';
import { nodeBlocker } from './blockers/node-blocker.ts';
import { finish } from '../base/index.ts';
import type { Steps } from '../base/index.ts';
import { budgetLedger } from './budgets/budget-ledger.ts';
import type { Blocker } from './blockers/blocker.ts';
import { bySavings } from './candidates/candidate.ts';
import { totalPrice } from './consolidation/cheaper-replacement.ts';
import { savingBy } from './consolidation/consolidation.ts';
import type { DisruptionContext } from './disruption-context.ts';
import {
  consolidationBlocker,
  driftBlocker,
  emptinessBlocker,
  isDrifted,
  isEmptyNode,
  isStatic,
  targetBlocker,
} from './blockers/method-blocker.ts';
import { minimumLedger } from './pass/minimum-ledger.ts';
import { startingPass } from './pass/pass.ts';
import type { Pass } from './pass/pass.ts';
import type { PlannedNode } from '../scheduling/index.ts';
import { relocating } from './pass/relocation.ts';
import type { Relocation } from './pass/relocation.ts';
import { checkingPlaces } from './rebalance/rebalance.ts';
import type { DisruptionCandidate } from './pass/survey.ts';

/** Whether a pod that would need a new place has come to the node. */
const hasNewPods = (now: NodeView, { pods }: NodeView): boolean => {
  const known = new Set(pods.map(({ metadata }) => metadata.uid ?? namespacedNameOf(metadata)));
  return now.pods.some((pod) => isReschedulable(pod) && !known.has(pod.metadata.uid ?? namespacedNameOf(pod.metadata)));
};

/**
 * Whether events have overtaken a command since it was found or last confirmed. One of its nodes is gone, is another
 * machine, has new or nominated pods, or may no longer be disrupted. Costs a walk over the nodes; where their pods
 * would go is not asked again.
 */
export const isOvertaken = ({ candidates }: Command, nodes: readonly NodeView[], nowMs: number): boolean => {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  return candidates.some(({ node, nodePool }) => {
    const now = byName.get(node.name);
    if (now === undefined || now.claim?.metadata.name !== node.claim?.metadata.name) return true;
    return nodeBlocker(now, nodePool, nowMs) !== undefined || hasNewPods(now, node);
  });
};

const invalid = (why: Extract<Validity, { valid: false }>['why']): Validity => ({ valid: false, why });

const isForDrift = (method: Command['method']): boolean => method === 'drift' || method === 'static-drift';

/** Whether the node is still one that the command's method would take. */
const isStillCandidate = (candidate: DisruptionCandidate, { method }: Command): boolean => {
  const blockers: Record<Command['method'], () => Blocker | undefined> = {
    emptiness: () => emptinessBlocker(candidate),
    'static-drift': () => driftBlocker(candidate),
    drift: () => driftBlocker(candidate),
    rebalance: () => consolidationBlocker(candidate),
    'multi-node': () => consolidationBlocker(candidate),
    'single-node': () => consolidationBlocker(candidate),
  };
  if (method === 'emptiness' && !isEmptyNode(candidate)) return false;
  if (isForDrift(method))
    return isDrifted(candidate) && isStatic(candidate) === (method === 'static-drift') && blockers[method]() === undefined;
  return blockers[method]() === undefined;
};

const namesOf = ({ instanceTypes }: PlannedNode): readonly string[] => instanceTypes.map(({ name }) => name);

/**
 * Whether each old machine can be paired with a new one that offers all its instance types; those with the most types
 * are paired first.
 */
const areCoveredBy = (old: readonly PlannedNode[], fresh: readonly PlannedNode[]): boolean => {
  const left = [...fresh].sort((a, b) => a.instanceTypes.length - b.instanceTypes.length).map((each) => new Set(namesOf(each)));
  return [...old]
    .sort((a, b) => b.instanceTypes.length - a.instanceTypes.length)
    .every((each) => {
      const match = left.findIndex((offered) => namesOf(each).every((name) => offered.has(name)));
      if (match >= 0) left.splice(match, 1);
      return match >= 0;
    });
};

const needsTheSame = ({ method, replacements: old }: Command, { replacements: fresh }: Relocation): boolean =>
  fresh.length === old.length && (method === 'drift' || areCoveredBy(old, fresh));

/** A command, and its nodes as they are now. */
interface Confirmation {
  readonly command: Command;
  readonly candidates: readonly DisruptionCandidate[];
}

/**
 * The command with the fewer machines that its pods need now; undefined when it would save less than when it was found.
 * Differs: the original drops such a command and searches for another, which waits as long again.
 */
const withFewer = (pass: Pass, { command, candidates }: Confirmation, relocation: Relocation): Command | undefined => {
  const saving = savingBy(pass, candidates, relocation);
  return 'kind' in saving || saving.savingsPerHour < command.savingsPerHour ? undefined : { ...command, ...saving };
};

/**
 * The command if its pods would still be planned in the same way: on fewer replacements, or on as many, each still
 * offered with all its instance types. Otherwise undefined.
 */
function* confirming(pass: Pass, confirmation: Confirmation): Steps<Command | undefined> {
  const { command, candidates } = confirmation;
  if (command.method === 'static-drift') return command;
  if (command.method === 'rebalance')
    return (yield* checkingPlaces(pass, { candidates, replacements: command.replacements })) ? command : undefined;
  const packing = command.packing === undefined ? {} : { packing: command.packing };
  const relocation = yield* relocating(pass, candidates, { avoidsSettling: command.method !== 'drift', ...packing });
  if ('kind' in relocation) return undefined;
  const isFewer = relocation.replacements.length < command.replacements.length;
  if (isFewer && command.method !== 'drift') return withFewer(pass, confirmation, relocation);
  return needsTheSame(command, relocation) ? { ...command, targets: relocation.targets } : undefined;
}

const isGone = (command: Command, { snapshot }: DisruptionContext): boolean => {
  const claims = new Map(snapshot.nodes.map(({ name, claim }) => [name, claim?.metadata.name]));
  return command.candidates.some(({ node }) => claims.get(node.name) !== node.claim?.metadata.name);
};

/**
 * Empty nodes are independent. The command drops those that now have pods or the room of buffers, and those that are
 * targets of other commands. It also drops those that exceed the budgets or belong to a minimum.
 */
function* revalidatingEmptiness(pass: Pass, command: Command, candidates: readonly DisruptionCandidate[]): Steps<Validity> {
  const { hosts } = yield* pass.bufferPlaces();
  const claims = new Map(command.candidates.map(({ node }) => [node.name, node.claim?.metadata.name]));
  const same = candidates.filter(({ node }) => claims.get(node.name) === node.claim?.metadata.name);
  const isNeeded = (each: DisruptionCandidate): boolean => hosts.has(each.node.name) || targetBlocker(each, pass.context) !== undefined;
  const still = same.filter((each) => isStillCandidate(each, command) && !isNeeded(each)).sort(bySavings);
  if (still.length === 0) return invalid(same.length === 0 ? 'candidate-gone' : 'churn');
  const ledger = budgetLedger(pass.context, command.reason);
  const keptBy = minimumLedger(pass.context);
  const free = still.filter((each) => keptBy(each) === undefined);
  if (free.length === 0) return invalid('churn');
  const allowed = free.filter(({ nodePool }) => ledger.take(nodePool.nodePool.metadata.name));
  if (allowed.length === 0) return invalid('budget');
  return { valid: true, command: { ...command, candidates: allowed, savingsPerHour: totalPrice(allowed) } };
}

/**
 * Whether a command is still valid in a later snapshot: its nodes exist, nothing new blocks them, and budgets allow
 * them. Their pods would be placed as the command says, or on fewer new machines. Only then prices are compared
 * again. Source: the original's `disruption/validation.go`.
 */
export function* validating(command: Command, context: DisruptionContext): Steps<Validity> {
  const pass = yield* startingPass(context);
  const names = new Set(command.candidates.map(({ node }) => node.name));
  const candidates = pass.candidates.filter(({ node }) => names.has(node.name));
  if (command.method === 'emptiness') return yield* revalidatingEmptiness(pass, command, candidates);
  if (isGone(command, context)) return invalid('candidate-gone');
  if (candidates.length < names.size || !candidates.every((each) => isStillCandidate(each, command))) return invalid('churn');
  const ledger = budgetLedger(context, command.reason);
  if (!candidates.every(({ nodePool }) => ledger.take(nodePool.nodePool.metadata.name))) return invalid('budget');
  const confirmed = yield* confirming(pass, { command, candidates });
  if (confirmed === undefined) return invalid('scheduling');
  const byName = new Map(candidates.map((candidate) => [candidate.node.name, candidate]));
  return { valid: true, command: { ...confirmed, candidates: command.candidates.map((each) => byName.get(each.node.name) ?? each) } };
}

/** The answer of `validating`, without a pause. */
export const isStillValid = (command: Command, context: DisruptionContext): Validity => finish(validating(command, context));
