import { addBit, emptyBitSet, fullBitSet, hasBit, idAt, intersectInto, isEmptyBitSet, newTrie, nextBit } from '../../base/index.ts';
import { labels, MOST_CLAIM_REQUIREMENTS } from '../../apis/index.ts';
import { requirementText, requirementsText } from '../../catalog/index.ts';
import { firstUntolerated, firstUntoleratedPreference } from '../../kube/index.ts';
import { compatible, isEmpty, merge, specCount } from '../../requirements/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import { toleratesSoftTaints } from '../classes/node-term.ts';
import type { NodeTerm } from '../classes/node-term.ts';
import { joinedLabels } from './node-model.ts';
import type { MeetingOfferings, NodeState, NodeTemplate, PricedType } from './node-model.ts';

const ABSENT = (key: string): Requirement => ({ key, values: { kind: 'in', values: new Set() }, mayBeAbsent: true });

const meetingOfferings = ({ catalog, launchable }: NodeTemplate, asked: readonly Requirement[]): MeetingOfferings => {
  const { typeOfOffering } = catalog;
  const offerings = launchable.slice();
  for (const requirement of asked) intersectInto(offerings, catalog.offeringsMeeting(requirement));
  const types = emptyBitSet(catalog.types.length);
  for (let i = nextBit(offerings, 0); i >= 0; i = nextBit(offerings, i + 1)) addBit(types, idAt(typeOfOffering, i));
  return { offerings, types };
};

/**
 * Thousands of states may differ in labels of types only, and share what offerings they have: walking those costs more
 * than the rest of a state.
 */
const offeringsMeeting = (template: NodeTemplate, requirements: Requirements): MeetingOfferings => {
  const { catalog, wellKnown, meetingOfferings: known } = template;
  const asked: Requirement[] = [];
  for (const key of catalog.offeringKeys) {
    const requirement = requirements.get(key) ?? (wellKnown.has(key) ? undefined : ABSENT(key));
    if (requirement !== undefined) asked.push(requirement);
  }
  const text = asked.map(requirementText).join('\n');
  const found = known.get(text) ?? meetingOfferings(template, asked);
  known.set(text, found);
  return found;
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

/** Whether the API server takes a NodeClaim with these requirements. */
const fitsInClaim = (requirements: Requirements, template: NodeTemplate): boolean => {
  let added = 0;
  // Of a label that machines state, only their values are kept.
  for (const { key, values } of requirements.values())
    if (!template.catalog.states(key)) added += values.values.size - (template.requirements.get(key)?.values.values.size ?? 0);
  // A requirement has three entries at most.
  const isShort = requirements.size * 3 < MOST_CLAIM_REQUIREMENTS;
  return added <= MOST_ADDED_VALUES && (isShort || claimEntries(requirements, template) <= MOST_CLAIM_REQUIREMENTS);
};

const stateOf = (template: NodeTemplate, requirements: Requirements): NodeState => {
  const { catalog } = template;
  const types = fitsInClaim(requirements, template) ? fullBitSet(catalog.types.length) : emptyBitSet(catalog.types.length);
  for (const requirement of requirements.values()) {
    // Types without the label would otherwise accept a contradiction about it.
    if (isEmpty(requirement)) types.fill(0);
    else intersectInto(types, catalog.typesMeeting(requirement));
  }
  const meeting = offeringsMeeting(template, requirements);
  intersectInto(types, meeting.types);
  return { template, requirements, types, offerings: meeting.offerings, next: new Map(), fits: newTrie(), typesByPrice: undefined };
};

/** The state with these requirements; undefined when no instance type is left. */
export const internState = (template: NodeTemplate, requirements: Requirements): NodeState | undefined => {
  const text = requirementsText(requirements);
  const known = template.states.get(text);
  const state = known ?? stateOf(template, requirements);
  if (known === undefined) template.states.set(text, state);
  return isEmptyBitSet(state.types) ? undefined : state;
};

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

const isUnconstrained = ({ values, mayBeAbsent }: Requirement): boolean =>
  mayBeAbsent && values.kind === 'not-in' && values.values.size === 0 && values.gte === undefined && values.lte === undefined;

/**
 * What the requirements of a pod say about machines of the catalog: values that no machine has are left out, and so are
 * requirements that every node of the template meets. Without that, thousands of pods that each exclude a zone of their
 * own would each lead every planned node to a state of its own.
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

/** The cheapest offering of a state. Allocates no list: a pod may lead to a thousand states, and only one is used. */
export const cheapestOfferingOf = ({ template: { catalog }, types, offerings }: NodeState): number | undefined => {
  for (let offering = nextBit(offerings, 0); offering >= 0; offering = nextBit(offerings, offering + 1))
    if (hasBit(types, idAt(catalog.typeOfOffering, offering))) return offering;
  return undefined;
};

/** The types of a state, cheapest first; ties by name. */
export const typesByPrice = (state: NodeState): readonly PricedType[] => {
  if (state.typesByPrice !== undefined) return state.typesByPrice;
  const { typeOfOffering, types } = state.template.catalog;
  const seen = emptyBitSet(types.length);
  const list: PricedType[] = [];
  for (let offering = nextBit(state.offerings, 0); offering >= 0; offering = nextBit(state.offerings, offering + 1)) {
    const type = idAt(typeOfOffering, offering);
    if (hasBit(seen, type) || !hasBit(state.types, type)) continue;
    addBit(seen, type);
    list.push({ type, offering });
  }
  state.typesByPrice = list;
  return list;
};
