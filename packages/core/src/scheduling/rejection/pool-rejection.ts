import { settledStates } from '../nodes/settled-states.ts';
import { firstRefusal } from '../topology/group.ts';
import type { CheckList, Checks, Group } from '../topology/group.ts';
import type { DomainTable } from '../topology/domain-table.ts';
import type { NodeState, NodeTemplate } from '../nodes/node-model.ts';
import {
  addBit,
  addCommonInto,
  amountAt,
  compareText,
  countBits,
  emptyBitSet,
  fullBitSet,
  hasBit,
  intersectInto,
  itemAt,
  nextBit,
  isNone,
} from '../../base/index.ts';
import type { BitSet, Steps } from '../../base/index.ts';
import { MOST_CLAIM_REQUIREMENTS } from '../../apis/index.ts';
import { minValuesOf, rankOf } from '../../catalog/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import { amountIn, firstUntolerated, firstUntoleratedPreference } from '../../kube/index.ts';
import { compatible, describeRequirement, isEmpty, merge } from '../../requirements/index.ts';
import type { Requirements } from '../../requirements/index.ts';
import type { PodClass } from '../pod-classes/pod-class.ts';
import { toleratesSoftTaints } from '../pod-classes/node-term.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';
import { openInState } from '../nodes/new-nodes/new-node.ts';
import type { IncomingPod } from '../nodes/new-nodes/new-node.ts';
import { claimEntries, internState, nextState } from '../nodes/node-state.ts';
import type { LimitLedger } from '../nodes/limits/limit-ledger.ts';
import type { InstanceTypeFilterCount, PoolRejection } from './rejection.ts';
import type { DeviceExplainer } from '../devices/device-explainer.ts';
import type { DeviceShortage } from '../devices/device-ledger.ts';

/** A constraint relative to other pods: its sort in words, and its topology key. */
interface UnmetConstraint {
  readonly constraint: string;
  readonly topologyKey: string;
}

/** One constraint, and checks for it alone. */
interface Single extends UnmetConstraint {
  readonly checks: Checks;
}

const NOTHING: CheckList = { antiAffinity: [], spreads: [], affinity: [] };
/** A host without pods. */
const NEW_HOST = Number.MAX_SAFE_INTEGER;

const affinityName = (group: Group | undefined): string =>
  group?.matcher.isOfVolume === true ? 'sharing a volume that is made where its first pod goes' : 'pod affinity';

const singlesOf = ({ keys }: Checks, list: CheckList, side: 'wide' | 'host'): readonly Single[] => {
  const only = (part: Partial<CheckList>): Checks => ({ keys, wide: NOTHING, host: NOTHING, [side]: { ...NOTHING, ...part } });
  return [
    ...list.affinity.map((join) => ({
      constraint: affinityName(join.groups[0]),
      topologyKey: itemAt(join.groups, 0).topologyKey,
      checks: only({ affinity: [join] }),
    })),
    ...list.spreads.map((spread) => ({
      constraint: 'topology spread',
      topologyKey: spread.group.topologyKey,
      checks: only({ spreads: [spread] }),
    })),
    ...list.antiAffinity.map((group) => ({
      constraint: 'pod anti-affinity',
      topologyKey: group.topologyKey,
      checks: only({ antiAffinity: [group] }),
    })),
  ];
};

/** The states in which a new node meets the checks. */
const statesLeft = (state: NodeState, checks: Checks, domains: DomainTable): Iterable<NodeState> =>
  firstRefusal(checks.host, () => NEW_HOST) === undefined ? settledStates(state, { checks, domains }) : [];

/**
 * The constraint that no domain of a new node can meet. Where each could be met alone but not all together, the first;
 * undefined where there are none.
 */
const unmetConstraint = (state: NodeState, checks: Checks, domains: DomainTable): UnmetConstraint | undefined => {
  const singles = [...singlesOf(checks, checks.wide, 'wide'), ...singlesOf(checks, checks.host, 'host')];
  const found = singles.find((single) => isNone(statesLeft(state, single.checks, domains))) ?? singles[0];
  return found && { constraint: found.constraint, topologyKey: found.topologyKey };
};

type Reason = PoolRejection['reason'];

const taintReason = ({ taints }: NodeTemplate, term: NodeTerm): Reason | undefined => {
  const soft = toleratesSoftTaints(term) ? undefined : firstUntoleratedPreference(taints, term.tolerations);
  const taint = firstUntolerated(taints, term.tolerations) ?? soft;
  if (taint === undefined) return undefined;
  return { kind: 'taint', key: taint.key, effect: taint.effect, ...(taint.value === undefined ? {} : { value: taint.value }) };
};

const requirementReason = (own: Requirements, { requirements }: NodeTerm, wellKnown: ReadonlySet<string>): Reason | undefined => {
  const contradiction = [...own.values()].find(isEmpty);
  if (contradiction !== undefined) {
    return {
      kind: 'requirement',
      key: contradiction.key,
      wanted: 'a node',
      offered: `${contradiction.key} with no value that it allows itself`,
    };
  }
  const conflict = compatible(own, requirements, { allowUndefined: wellKnown });
  if (conflict === undefined) return undefined;
  const offered = conflict.offered === undefined ? 'no such label' : describeRequirement(conflict.offered);
  return { kind: 'requirement', key: conflict.key, wanted: describeRequirement(conflict.wanted), offered };
};

/** The pod's requirements together with the pool's are more than a NodeClaim has room for. */
const tooManyReason = (wanted: Requirements, template: NodeTemplate): Reason | undefined => {
  const entries = claimEntries(wanted, template);
  if (entries <= MOST_CLAIM_REQUIREMENTS) return undefined;
  const offered = `room for ${MOST_CLAIM_REQUIREMENTS} in a NodeClaim`;
  return { kind: 'requirement', key: 'requirements', wanted: `${entries} requirements, the pool’s included`, offered };
};

interface NumberedType {
  readonly number: number;
  readonly type: InstanceType;
}

/** The pool's types that are left after each check, and how many each check removed. */
class Funnel {
  readonly removedBy: InstanceTypeFilterCount[] = [];
  readonly left: BitSet;

  constructor(total: number) {
    this.left = fullBitSet(total);
  }

  keep(types: BitSet | undefined, check: InstanceTypeFilterCount['check'], detail: string): void {
    const before = countBits(this.left);
    if (types === undefined) this.left.fill(0);
    else intersectInto(this.left, types);
    const removed = before - countBits(this.left);
    if (removed > 0) this.removedBy.push({ check, detail, removed });
  }

  types(all: readonly InstanceType[]): readonly NumberedType[] {
    const list: NumberedType[] = [];
    for (let number = nextBit(this.left, 0); number >= 0; number = nextBit(this.left, number + 1)) {
      const type = all[number];
      if (type !== undefined) list.push({ number, type });
    }
    return list;
  }
}

/** Keeps the types that have enough for the pod, then those that still do beside the daemon pods. */
const keepEnough = (funnel: Funnel, { resourceIds, amounts }: PodClass, { catalog, columns, resourceNames }: NodeTemplate): void => {
  resourceIds.forEach((resource, i) => {
    const name = itemAt(resourceNames, resource);
    const ranks = catalog.ranksOf(name);
    funnel.keep(ranks.atLeast[rankOf(ranks, amountAt(amounts, i))], 'resources', name);
  });
  resourceIds.forEach((resource, i) => {
    const { ranks } = itemAt(columns, resource);
    funnel.keep(ranks.atLeast[rankOf(ranks, amountAt(amounts, i))], 'daemons', itemAt(resourceNames, resource));
  });
};

/** The least that one of the types uses of a limit. */
const leastOf = (types: readonly InstanceType[], resource: string): number =>
  types.reduce((least, { capacity }) => Math.min(least, resource === 'nodes' ? 1 : amountIn(capacity, resource)), Number.POSITIVE_INFINITY);

/** The limit that even the smallest of the types would exceed; undefined when there is none. */
const limitReason = (types: readonly InstanceType[], ledger: LimitLedger): Reason | undefined => {
  const broken = ledger
    .limits()
    .map((limit) => ({ ...limit, least: leastOf(types, limit.resource) }))
    .find(({ limit, used, least }) => least > limit - used);
  if (broken === undefined) return undefined;
  const { pool, ...amounts } = broken;
  return { kind: 'limit', ...(pool === undefined && { of: 'cluster' }), ...amounts };
};

/** Only where some types are left: no types at all would fall short of anything. */
const minValuesReason = (wanted: Requirements, types: readonly InstanceType[]): Reason | undefined => {
  const answer = minValuesOf(wanted, types);
  const [shortfall] = answer.kind === 'short' && types.length > 0 ? answer.shortfalls : [];
  return shortfall && { kind: 'min-values', ...shortfall };
};

/** What a pod was tried with: the template of the pool and those of its reservations. */
interface TriedPool {
  readonly template: NodeTemplate;
  readonly reserved: readonly NodeTemplate[];
  readonly ledger: LimitLedger;
  /** Absent where no pod has topology constraints. */
  readonly domains: DomainTable | undefined;
  /** Absent where no pod claims devices. */
  readonly devices: DeviceExplainer | undefined;
  /** Absent where the pod claims none. */
  readonly shortage?: DeviceShortage | undefined;
}

/** A pod, and what a node for it has to be. */
interface Wanted {
  readonly podClass: PodClass;
  readonly requirements: Requirements;
}

/**
 * Keeps the types that bring what the pod's claims ask for. Returns why it may still lack devices: they are in use, or
 * its claims are bound to other places.
 */
function* keepingDevices(funnel: Funnel, { podClass, requirements }: Wanted, tried: TriedPool): Steps<string> {
  const { template, devices, shortage } = tried;
  const { catalog } = template;
  if (podClass.devices === undefined || devices === undefined) return '';
  const accepts = (each: Requirements, type: number): boolean => hasBit(soldTypes(each, tried).any, type);
  const node = { requirements, types: funnel.types(catalog.types), template, accepts };
  const { isBroughtBy, detail, shortageDetail } = yield* devices.explaining(podClass.devices, node, shortage);
  const bringing = emptyBitSet(catalog.types.length);
  catalog.types.forEach((type, number) => {
    if (isBroughtBy(type)) addBit(bringing, number);
  });
  funnel.keep(bringing, 'devices', detail);
  return shortageDetail;
}

/** The types that some offering sells as wanted: `outside` of reservations, and `any`. */
const soldTypes = (
  wanted: Requirements,
  { template, reserved }: TriedPool,
): { readonly outside: BitSet | undefined; readonly any: BitSet } => {
  const outside = internState(template, wanted)?.types;
  const any = outside?.slice() ?? emptyBitSet(template.catalog.types.length);
  for (const each of reserved) {
    const types = internState(each, merge(each.requirements, wanted))?.types;
    if (types !== undefined) addCommonInto(any, types, types);
  }
  return { outside, any };
};

const keepSold = (funnel: Funnel, wanted: Requirements, tried: TriedPool): void => {
  const { outside, any } = soldTypes(wanted, tried);
  funnel.keep(any, 'offerings', 'available in the zones and capacity types that are left');
  funnel.keep(outside, 'reservations', 'sold outside of reservations, which are used up');
};

function* explainingTypes(podClass: PodClass, wanted: Requirements, tried: TriedPool): Steps<Reason> {
  const { template, ledger } = tried;
  const { catalog } = template;
  const funnel = new Funnel(catalog.types.length);
  for (const requirement of [...wanted.values()].sort((a, b) => compareText(a.key, b.key)))
    funnel.keep(catalog.typesMeeting(requirement), 'requirements', describeRequirement(requirement));
  if (podClass.unknownResource !== undefined) funnel.keep(undefined, 'resources', podClass.unknownResource);
  keepEnough(funnel, podClass, template);
  keepSold(funnel, wanted, tried);
  const shortageDetail = yield* keepingDevices(funnel, { podClass, requirements: wanted }, tried);
  const suitable = funnel.types(catalog.types).map(({ type }) => type);
  const limit = suitable.length === 0 ? undefined : limitReason(suitable, ledger);
  if (limit !== undefined) return limit;
  funnel.keep(ledger.allowedTypes().types, 'limits', 'within what the limits leave');
  const shortfall = minValuesReason(
    wanted,
    funnel.types(catalog.types).map(({ type }) => type),
  );
  if (podClass.devices !== undefined && shortfall === undefined) funnel.keep(undefined, 'devices', shortageDetail);
  return (
    shortfall ?? {
      kind: 'instance-types',
      removedBy: funnel.removedBy,
      total: catalog.types.length,
    }
  );
}

/** Whether a new node in one of the states could carry the pod but for devices. */
const isCarriedIn = (states: Iterable<NodeState>, incoming: IncomingPod, { ledger }: TriedPool): boolean => {
  for (const state of states) if (openInState(state, incoming, ledger.allowedTypes()) !== undefined) return true;
  return false;
};

/**
 * The constraint that keeps the pod off a new node that could otherwise carry it; undefined when no such node could be
 * launched, and when a pod with claims could be carried where its constraints allow: then it lacks devices.
 */
const topologyReason = ({ podClass, term }: IncomingPod, tried: TriedPool): Reason | undefined => {
  const { template, domains } = tried;
  const checks = podClass.topology?.required;
  if (checks === undefined || domains === undefined || template.initial === undefined) return undefined;
  const next = nextState(template.initial, term);
  if (next === undefined || !isCarriedIn([next], { podClass, term }, tried)) return undefined;
  const allowed = podClass.devices === undefined ? [] : statesLeft(next, checks, domains);
  if (isCarriedIn(allowed, { podClass, term }, tried)) return undefined;
  const found = unmetConstraint(next, checks, domains);
  return found && { kind: 'topology', ...found };
};

/** Why a pool could not take a pod, judged by the last term of its relaxation order: the bare requirements. */
export function* explainingPool(podClass: PodClass, tried: TriedPool): Steps<Reason> {
  const { template } = tried;
  const term = podClass.terms.at(-1);
  if (term === undefined)
    return { kind: 'requirement', key: 'nodeSelectorTerms', wanted: 'no term that a node could meet', offered: 'any' };
  const own = template.requirements;
  return (
    taintReason(template, term) ??
    requirementReason(own, term, template.wellKnown) ??
    tooManyReason(merge(own, term.requirements), template) ??
    topologyReason({ podClass, term }, tried) ??
    (yield* explainingTypes(podClass, merge(own, term.requirements), tried))
  );
}
