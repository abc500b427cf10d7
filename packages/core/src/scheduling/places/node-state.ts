import { addBit, emptyBitSet, fullBitSet, hasBit, idAt, intersectInto, isEmptyBitSet, newTrie, nextBit } from '../../base/index.ts';
import { requirementText, requirementsText } from '../../catalog/index.ts';
import { firstUntolerated, firstUntoleratedPreference } from '../../kube/index.ts';
import { compatible, isEmpty, merge } from '../../requirements/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import { toleratesSoftTaints } from '../classes/node-term.ts';
import type { NodeTerm } from '../classes/node-term.ts';
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

const stateOf = (template: NodeTemplate, requirements: Requirements): NodeState => {
  const { catalog } = template;
  const types = fullBitSet(catalog.types.length);
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
 * What the requirements of a pod say about machines of the catalog: values that no machine has are left out. Without
 * that, thousands of pods that each exclude a zone of their own would each lead every planned node to a state of its
 * own.
 */
export const boundToCatalog = (requirements: Requirements, { catalog }: NodeTemplate): Requirements => {
  const bound = new Map<string, Requirement>();
  for (const [key, requirement] of requirements) {
    const left = boundTo(requirement, catalog.valuesOf(key));
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
