import type { Steps } from '../../base/index.ts';
import { compareText, ROUNDING } from '../../base/index.ts';
import { labels } from '../../apis/index.ts';
import { withoutVirtualPods } from '../../scheduling/index.ts';
import type { Plan, PlannedNode } from '../../scheduling/index.ts';
import { bySavings, countMoves, plannedPrice } from '../candidates/candidate.ts';
import { cheaperReplacements, totalPrice } from '../consolidation/cheaper-replacement.ts';
import type { RebalanceLimits } from '../disruption-context.ts';
import type { Pass } from '../pass/pass.ts';
import type { DisruptionCandidate } from '../pass/survey.ts';

/** Nodes that go together, and the machines that their pods need. */
export interface Leavers {
  readonly candidates: readonly DisruptionCandidate[];
  readonly machines: readonly PlannedNode[];
  readonly savingsPerHour: number;
}

/** Differences in price below this, per hour, are rounding errors. */
/** A set whose pods find no place loses the nodes of these pods, and is tried again so often. */
const MOST_TRIES = 4;

/** The candidates that save most for their disruption, as far as their pods stay within the limit. */
const withinLimit = (candidates: readonly DisruptionCandidate[], { mostMoves }: RebalanceLimits): readonly DisruptionCandidate[] => {
  let left = mostMoves;
  return [...candidates].sort(bySavings).filter(({ reschedulablePods }) => {
    if (reschedulablePods.length > left) return false;
    left -= reschedulablePods.length;
    return true;
  });
};

const kindOf = (...parts: readonly (string | undefined)[]): string => parts.join(' ');

/** Takes one of what a kind has left; false when there is none. */
const take = (left: Map<string, number>, kind: string): boolean => {
  const count = left.get(kind) ?? 0;
  if (count > 0) left.set(kind, count - 1);
  return count > 0;
};

/**
 * The candidates without those in whose place the plan makes a machine of the same kind: of several, the ones that are
 * disrupted most stay. Two sets: of the same zone only, and of any zone.
 */
const withoutEqual = (
  candidates: readonly DisruptionCandidate[],
  machines: readonly PlannedNode[],
): readonly (readonly DisruptionCandidate[])[] => {
  const [inZone, anywhere] = [new Map<string, number>(), new Map<string, number>()];
  for (const { nodePoolName, cheapest } of machines) {
    const { instanceType, offering } = cheapest;
    const kind = kindOf(nodePoolName, instanceType.name, offering.capacityType);
    inZone.set(kindOf(kind, offering.zone), (inZone.get(kindOf(kind, offering.zone)) ?? 0) + 1);
    anywhere.set(kind, (anywhere.get(kind) ?? 0) + 1);
  }
  const byDisruption = [...candidates].sort((a, b) => b.disruptionCost - a.disruptionCost || compareText(a.node.name, b.node.name));
  const kindOfNode = ({ node: { nodePoolName, labels: own } }: DisruptionCandidate): string =>
    kindOf(nodePoolName, own[labels.instanceType], own[labels.capacityType]);
  const same = byDisruption.filter((each) => take(inZone, kindOf(kindOfNode(each), each.node.labels[labels.zone])));
  const staying = new Set(same);
  const exact = candidates.filter((each) => !staying.has(each));
  for (const each of same) take(anywhere, kindOfNode(each));
  for (const each of byDisruption) if (!staying.has(each) && take(anywhere, kindOfNode(each))) staying.add(each);
  return [exact, candidates.filter((each) => !staying.has(each))];
};

/** The plan without the nodes, fewer of them where pods would find no place; undefined when none is left. */
function* askingWithout(
  pass: Pass,
  given: readonly DisruptionCandidate[],
): Steps<{ readonly candidates: readonly DisruptionCandidate[]; readonly plan: Plan } | undefined> {
  const mayStayUnplaced = yield* pass.mayStayUnplaced();
  const closed = new Set([
    ...pass.settling,
    ...pass.context.snapshot.nodes.filter(({ name }) => pass.isComingUp(name)).map(({ name }) => name),
  ]);
  let candidates = given;
  for (let tries = 0; tries < MOST_TRIES && candidates.length > 0; tries++) {
    const without = new Set(candidates.map(({ node }) => node.name));
    const plan = yield* pass.asking(without, { packing: 'cheapest', closed, isPatient: true });
    const homeless = new Set(plan.rejections.flatMap(({ pod }) => (mayStayUnplaced.has(pod) ? [] : [pod])));
    if (homeless.size === 0) return { candidates, plan };
    candidates = candidates.filter(({ reschedulablePods }) => !reschedulablePods.some((pod) => homeless.has(pod)));
  }
  return undefined;
}

/** What the set saves; undefined where it saves nothing, or its machines might cost more. */
function* weighing(
  pass: Pass,
  given: readonly DisruptionCandidate[],
): Steps<{ readonly leavers?: Leavers; readonly fewer: ReturnType<typeof withoutEqual> } | undefined> {
  const answer = yield* askingWithout(pass, given);
  if (answer === undefined) return undefined;
  const { candidates, plan } = answer;
  const { settled, all } = yield* pass.bufferPlaces();
  const moved = new Set([...candidates.flatMap(({ reschedulablePods }) => reschedulablePods), ...settled]);
  const planned = plan.plannedNodes.filter(({ pods }) => pods.some((pod) => moved.has(pod)));
  const fewer = withoutEqual(candidates, planned);
  const machines = planned.length === 0 ? [] : cheaperReplacements(planned, candidates, pass.context);
  if ('kind' in machines) return { fewer };
  const savingsPerHour = totalPrice(candidates) - plannedPrice(machines, pass.context.policy);
  return { fewer, leavers: { candidates, machines: machines.map((each) => withoutVirtualPods(each, all)), savingsPerHour } };
}

const better = (a: Leavers | undefined, b: Leavers | undefined): Leavers | undefined => {
  if (a === undefined || b === undefined) return a ?? b;
  if (Math.abs(a.savingsPerHour - b.savingsPerHour) > ROUNDING) return a.savingsPerHour > b.savingsPerHour ? a : b;
  return countMoves(b.candidates) < countMoves(a.candidates) ? b : a;
};

/** A set, and the same without the nodes that would be replaced by their like. */
function* weighingAll(pass: Pass, candidates: readonly DisruptionCandidate[]): Steps<Leavers | undefined> {
  const first = yield* weighing(pass, candidates);
  let best = first?.leavers;
  let { length } = candidates;
  for (const fewer of first?.fewer ?? []) {
    if (fewer.length === length || fewer.length === 0) continue;
    best = better(best, (yield* weighing(pass, fewer))?.leavers);
    ({ length } = fewer);
  }
  return best;
}

/** All candidates, then the better half of them, and so on: a few that save much may beat all together. */
const setsOf = (candidates: readonly DisruptionCandidate[]): readonly (readonly DisruptionCandidate[])[] => {
  const sets: (readonly DisruptionCandidate[])[] = [];
  for (let size = candidates.length; size > 0; size = Math.floor(size / 2)) sets.push(candidates.slice(0, size));
  return sets;
};

/** The set of nodes that saves most; undefined when none saves anything. Once time is up, the best of those tried. */
export function* choosingLeavers(
  pass: Pass,
  candidates: readonly DisruptionCandidate[],
  limits: RebalanceLimits,
): Steps<Leavers | undefined> {
  let best: Leavers | undefined;
  for (const set of setsOf(withinLimit(candidates, limits))) {
    if (best !== undefined && pass.context.shouldStop()) break;
    best = better(best, yield* weighingAll(pass, set));
  }
  return best !== undefined && best.savingsPerHour > ROUNDING ? best : undefined;
}
