import {
  addBit,
  emptyBitSet,
  fullBitSet,
  getOrMake,
  hasBit,
  haveCommonBit,
  idAt,
  intersectInto,
  isEmptyBitSet,
  newTrie,
  nextBit,
  onlyCommonBit,
} from '../../base/index.ts';
import { labels, MOST_CLAIM_REQUIREMENTS } from '../../apis/index.ts';
import { requirementText, requirementsText } from '../../catalog/index.ts';
import type { CompiledCatalog } from '../../catalog/index.ts';
import type { BitSet } from '../../base/index.ts';
import { firstUntolerated, firstUntoleratedPreference } from '../../kube/index.ts';
import { allOf, and, compatible, implies, isEmpty, isUnconstrained, merge, specCount, absentLabel } from '../../requirements/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import { toleratesSoftTaints } from '../pod-classes/node-term.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';
import { joinedLabels, NO_OFFERING } from './node-model.ts';
import type { MeetingOfferings, NodeState, NodeTemplate, PricedType } from './node-model.ts';

/** The offerings, with their types. Costs a walk over them. */
const withTypes = (offerings: BitSet, { typeOfOffering, types: all }: CompiledCatalog): MeetingOfferings => {
  const types = emptyBitSet(all.length);
  const cheapest = new Int32Array(all.length).fill(NO_OFFERING);
  for (let i = nextBit(offerings, 0); i >= 0; i = nextBit(offerings, i + 1)) {
    const type = idAt(typeOfOffering, i);
    addBit(types, type);
    if (i < idAt(cheapest, type)) cheapest[type] = i;
  }
  return { offerings, types, cheapest };
};

const meetingOfferings = ({ catalog, launchable }: NodeTemplate, asked: readonly Requirement[]): MeetingOfferings => {
  const offerings = launchable.slice();
  for (const requirement of asked) intersectInto(offerings, catalog.offeringsMeeting(requirement));
  return withTypes(offerings, catalog);
};

/**
 * Thousands of states may differ in labels of types only, and share what offerings they have. Walking those costs
 * more than the rest of a state.
 */
const offeringsMeeting = (template: NodeTemplate, requirements: Requirements): MeetingOfferings => {
  const { catalog, wellKnown, meetingOfferings: known } = template;
  const asked: Requirement[] = [];
  for (const key of catalog.offeringKeys) {
    const requirement = requirements.get(key) ?? (wellKnown.has(key) ? undefined : absentLabel(key));
    if (requirement !== undefined) asked.push(requirement);
  }
  const text = asked.map(requirementText).join('\n');
  return getOrMake(known, text, () => meetingOfferings(template, asked));
};

/** Whether every node of the template meets the requirement: the label may be missing, and no node of it has the label. */
const isAlwaysMet = ({ key, mayBeAbsent }: Requirement, { requirements, wellKnown, catalog }: NodeTemplate): boolean =>
  mayBeAbsent && !requirements.has(key) && !wellKnown.has(key) && !catalog.states(key);

/** Requirements of the NodeClaim of such a node: those that say something about the machine. */
export const claimRequirements = (requirements: Requirements, template: NodeTemplate): readonly Requirement[] =>
  [...requirements.values()].filter((requirement) => !(requirement.key in joinedLabels) && !isAlwaysMet(requirement, template));

/** Each claim has one entry for its types and one for its capacity types. */
const OWN_KEYS: ReadonlySet<string> = new Set([labels.instanceType, labels.capacityType]);
/** Values that pods may add to a claim together: at 63 characters each, the object stays below 1 MB. */
const MOST_ADDED_VALUES = 10_000;

/** How many entries the NodeClaim of such a node needs for its requirements. */
export const claimEntries = (requirements: Requirements, template: NodeTemplate): number =>
  claimRequirements(requirements, template).reduce((sum, each) => sum + (OWN_KEYS.has(each.key) ? 0 : specCount(each)), OWN_KEYS.size);

/** How many values a claim lists. Of a label that machines state, only their values are kept. */
const valuesIn = (requirements: Requirements, { catalog }: NodeTemplate): number => {
  let count = 0;
  for (const { key, values } of requirements.values()) if (!catalog.states(key)) count += values.values.size;
  return count;
};

/** A requirement has three entries at most. */
const isShort = (requirementCount: number): boolean => requirementCount * 3 < MOST_CLAIM_REQUIREMENTS;

/** Whether the API server takes a NodeClaim with these requirements. */
const fitsInClaim = (requirements: Requirements, template: NodeTemplate): boolean =>
  valuesIn(requirements, template) - valuesIn(template.requirements, template) <= MOST_ADDED_VALUES &&
  (isShort(requirements.size) || claimEntries(requirements, template) <= MOST_CLAIM_REQUIREMENTS);

/** The same for both together. */
const fitTogether = (requirements: Requirements, further: Requirements, template: NodeTemplate): boolean =>
  (isShort(requirements.size + further.size) && valuesIn(requirements, template) + valuesIn(further, template) <= MOST_ADDED_VALUES) ||
  fitsInClaim(merge(requirements, further), template);

const stateOf = (template: NodeTemplate, requirements: Requirements): NodeState => {
  const { catalog } = template;
  const types = fitsInClaim(requirements, template) ? fullBitSet(catalog.types.length) : emptyBitSet(catalog.types.length);
  for (const requirement of requirements.values()) {
    // Types without the label would otherwise accept a contradiction about it.
    if (isEmpty(requirement)) types.fill(0);
    else intersectInto(types, catalog.typesMeeting(requirement));
  }
  const { offerings, types: sold, cheapest: cheapestOfType } = offeringsMeeting(template, requirements);
  intersectInto(types, sold);
  return { template, requirements, types, offerings, cheapestOfType, next: new Map(), fits: newTrie(), typesByPrice: undefined };
};

/** The state with these requirements; undefined when no instance type is left. */
export const internState = (template: NodeTemplate, requirements: Requirements): NodeState | undefined => {
  const text = requirementsText(requirements);
  const known = template.states.get(text);
  const state = known ?? stateOf(template, requirements);
  if (known === undefined) template.states.set(text, state);
  return isEmptyBitSet(state.types) ? undefined : state;
};

const isSoldIn = ({ typeOfOffering }: CompiledCatalog, types: BitSet, offerings: BitSet): boolean => {
  for (let i = nextBit(offerings, 0); i >= 0; i = nextBit(offerings, i + 1)) if (hasBit(types, idAt(typeOfOffering, i))) return true;
  return false;
};

/** Whether some machine of the state meets these requirements too. No state is made, and nothing is remembered. */
export const mayBeLaunched = ({ template, requirements, types, offerings }: NodeState, further: Requirements): boolean => {
  const { catalog } = template;
  const left = types.slice();
  let sold = offerings;
  for (const [key, requirement] of further) {
    const own = requirements.get(key);
    if (own !== undefined && implies(own, requirement)) continue;
    const both = own === undefined ? requirement : and(own, requirement);
    if (isEmpty(both)) return false;
    intersectInto(left, catalog.typesMeeting(both));
    if (!catalog.offeringKeys.has(key)) continue;
    sold = sold.slice();
    intersectInto(sold, catalog.offeringsMeeting(both));
  }
  // Each type of a state has one of its offerings.
  const isSold = sold === offerings ? !isEmptyBitSet(left) : isSoldIn(catalog, left, sold);
  return isSold && fitTogether(requirements, further, template);
};

/** The state that meets these requirements too; undefined when no instance type is left. */
export const narrowedState = ({ template, requirements }: NodeState, further: readonly Requirement[]): NodeState | undefined =>
  internState(template, allOf([...requirements.values(), ...further]));

const isRefusedByTaint = ({ taints }: NodeTemplate, term: NodeTerm): boolean =>
  firstUntolerated(taints, term.tolerations) !== undefined ||
  (!toleratesSoftTaints(term) && firstUntoleratedPreference(taints, term.tolerations) !== undefined);

/**
 * A pod that requires a label needs a pool that defines it. An earlier pod's `NotIn` on the node does not define the label.
 */
const isRefusedByTemplate = ({ initial, wellKnown }: NodeTemplate, { requirements }: NodeTerm): boolean =>
  initial !== undefined && compatible(initial.requirements, requirements, { allowUndefined: wellKnown }) !== undefined;

const advance = (state: NodeState, term: NodeTerm): NodeState | undefined => {
  const { template, requirements } = state;
  if (isRefusedByTaint(template, term)) return undefined;
  if (term.requirements.size === 0) return state;
  if (isRefusedByTemplate(template, term)) return undefined;
  if (compatible(requirements, term.requirements, { allowUndefined: template.wellKnown }) !== undefined) return undefined;
  return internState(template, merge(requirements, boundToCatalog(term.requirements, template)));
};

/**
 * The values of a requirement that some machine of the catalog may have; the requirement itself where that changes nothing.
 */
const boundTo = (requirement: Requirement, known: ReadonlySet<string> | undefined): Requirement => {
  const { values } = requirement;
  if (known === undefined || !('values' in values)) return requirement;
  const left = new Set([...values.values].filter((value) => known.has(value)));
  return left.size === values.values.size ? requirement : { ...requirement, values: { ...values, values: left } };
};

/**
 * The part of a pod's requirements that matters for machines of the catalog. Left out are values that no machine has,
 * and requirements that every node of the template meets. Without that, thousands of pods that each exclude a zone of
 * their own would each lead every new node to a state of its own.
 */
export const boundToCatalog = (requirements: Requirements, template: NodeTemplate): Requirements => {
  const bound = new Map<string, Requirement>();
  for (const [key, requirement] of requirements) {
    if (isAlwaysMet(requirement, template)) continue;
    const left = boundTo(requirement, template.catalog.valuesOf(key));
    if (left === requirement || !isUnconstrained(left)) bound.set(key, left);
  }
  return bound;
};

/** The state of a node once it has taken a pod by this term; undefined when it cannot. */
export const nextState = (state: NodeState, term: NodeTerm): NodeState | undefined => {
  const known = state.next.get(term);
  if (known !== undefined || state.next.has(term)) return known;
  const fresh = advance(state, term);
  state.next.set(term, fresh);
  return fresh;
};

/** What is left of a state where more is required: less than a state, and made in a hundredth of its time. */
export interface Remainder {
  /** Undefined where there is only one. */
  readonly types: BitSet | undefined;
  /** The only type; `SEVERAL` where there are more. */
  readonly onlyType: number;
  readonly offerings: BitSet;
  readonly cheapestOfType: Int32Array;
  /** The number of its cheapest offering. */
  readonly cheapest: number;
}

export const SEVERAL = -1;

type Sold = Pick<Remainder, 'offerings' | 'cheapestOfType'>;

const ofOneType = (type: number, { offerings, cheapestOfType }: Sold): Remainder => ({
  ...{ types: undefined, onlyType: type, offerings, cheapestOfType },
  cheapest: idAt(cheapestOfType, type),
});

const ofTypes = (types: BitSet, { offerings, cheapestOfType }: Sold): Remainder | undefined => {
  const first = nextBit(types, 0);
  if (first < 0) return undefined;
  let cheapest = idAt(cheapestOfType, first);
  let last = first;
  for (let type = nextBit(types, first + 1); type >= 0; type = nextBit(types, type + 1)) {
    cheapest = Math.min(cheapest, idAt(cheapestOfType, type));
    last = type;
  }
  if (last === first) return ofOneType(first, { offerings, cheapestOfType });
  return { types, onlyType: SEVERAL, offerings, cheapestOfType, cheapest };
};

export const remainderOf = ({ types, offerings, cheapestOfType }: NodeState): Remainder | undefined =>
  ofTypes(types, { offerings, cheapestOfType });

/** Whether some of the types is left. */
export const hasTypeOf = ({ types, onlyType }: Remainder, some: BitSet): boolean =>
  types === undefined ? hasBit(some, onlyType) : haveCommonBit(types, some);

const withTypesOf = ({ types, onlyType }: Remainder, some: BitSet, sold: Sold): Remainder | undefined => {
  if (types === undefined) return hasBit(some, onlyType) ? ofOneType(onlyType, sold) : undefined;
  const only = onlyCommonBit(types, some);
  if (only !== undefined) return ofOneType(only, sold);
  const left = types.slice();
  intersectInto(left, some);
  return ofTypes(left, sold);
};

/** Narrows remainders of states of one template. */
export class Narrowing {
  readonly #catalog: CompiledCatalog;
  /** Offerings → requirement on a label of offerings → those that meet it. Few sets, asked for by thousands of remainders. */
  readonly #meeting = new Map<BitSet, Map<string, MeetingOfferings>>();

  constructor({ catalog }: NodeTemplate) {
    this.#catalog = catalog;
  }

  /**
   * What is left with the requirement, which admits nothing on its label that was not admitted before. Undefined: nothing.
   */
  narrowed(before: Remainder, requirement: Requirement): Remainder | undefined {
    if (isEmpty(requirement)) return undefined;
    const left = withTypesOf(before, this.#catalog.typesMeeting(requirement), before);
    if (left === undefined || !this.#catalog.offeringKeys.has(requirement.key)) return left;
    const { types, offerings, cheapest: cheapestOfType } = this.#offeringsMeeting(before.offerings, requirement);
    return withTypesOf(left, types, { offerings, cheapestOfType });
  }

  #offeringsMeeting(offerings: BitSet, requirement: Requirement): MeetingOfferings {
    const known = getOrMake(this.#meeting, offerings, () => new Map<string, MeetingOfferings>());
    return getOrMake(known, requirementText(requirement), () => {
      const left = offerings.slice();
      intersectInto(left, this.#catalog.offeringsMeeting(requirement));
      return withTypes(left, this.#catalog);
    });
  }
}

/** The types of a state, cheapest first; ties by name. */
export const typesByPrice = (state: NodeState): readonly PricedType[] => {
  if (state.typesByPrice !== undefined) return state.typesByPrice;
  const { types, cheapestOfType } = state;
  const cheapest: number[] = [];
  for (let type = nextBit(types, 0); type >= 0; type = nextBit(types, type + 1)) {
    const offering = idAt(cheapestOfType, type);
    if (offering !== NO_OFFERING) cheapest.push(offering);
  }
  const { typeOfOffering } = state.template.catalog;
  const list = Array.from(Int32Array.from(cheapest).sort(), (offering) => ({ type: idAt(typeOfOffering, offering), offering }));
  state.typesByPrice = list;
  return list;
};
