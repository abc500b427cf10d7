import { addAt, amountAt, idAt } from '../../../base/index.ts';
import type { PodClass } from '../../pod-classes/pod-class.ts';
import type { NodeTerm } from '../../pod-classes/node-term.ts';
import type { Checks } from '../../topology/group.ts';
import { fitOf, keepsVariety } from '../fit.ts';
import { nextState } from '../node-state.ts';
import { needsOn } from '../existing-nodes/roomy-nodes.ts';
import type { ResourceNeeds } from '../existing-nodes/roomy-nodes.ts';
import type { AllowedTypes, Fit, NodeState } from '../node-model.ts';

/** The limits that a new node is charged to. */
export interface ChargedLimits {
  /** Whether `charge` would succeed. */
  readonly allows: (fit: Fit, before?: Fit) => boolean;
  /**
   * Charges a new node, or the change of a node's fit from `before`. False, with nothing charged, when the limits do
   * not allow it.
   */
  readonly charge: (fit: Fit, before?: Fit) => boolean;
}

/** Some members of one class on one node. */
export interface Run {
  readonly podClass: PodClass;
  readonly term: NodeTerm;
  /** What topology was checked when they were placed: the requirements and the preferences that were kept. */
  readonly checks?: Checks | undefined;
  count: number;
}

/** A node that the solver fills. It only ever fills up: a class that it refused once it refuses for good. */
export interface NewNode {
  fit: Fit;
  /** Fewer once pods with device claims have come: the types that bring the devices. */
  allowedTypes: AllowedTypes;
  /** Drivers whose devices its pods will have of the machine itself; absent: none. */
  deviceDrivers?: ReadonlySet<string>;
  /** Resource → what the pods take; daemon pods are in the columns of the template. */
  readonly used: Float64Array;
  readonly runs: Run[];
  podCount: number;
  /** The limits of its pool, asked before the node takes on another fit. Absent where there are none. */
  limits?: ChargedLimits;
}

/** A pod of a class that applies for a place by one term. */
export interface IncomingPod {
  readonly podClass: PodClass;
  readonly term: NodeTerm;
  /** What is checked of the topology; absent for pods without topology constraints. */
  readonly checks?: Checks | undefined;
}

/** What a new node becomes with a pod that claims devices. */
export interface NarrowedPlace {
  readonly state: NodeState;
  readonly types: AllowedTypes;
}

const addTo = (used: Float64Array, { resourceIds, amounts }: ResourceNeeds, times: number): void => {
  for (let i = 0; i < resourceIds.length; i++) {
    addAt(used, idAt(resourceIds, i), amountAt(amounts, i) * times);
  }
};

const exceeds = (used: Float64Array, { resourceIds, amounts }: ResourceNeeds, bound: Float64Array): boolean => {
  for (let i = 0; i < resourceIds.length; i++) {
    const resource = idAt(resourceIds, i);
    if (amountAt(used, resource) + amountAt(amounts, i) > amountAt(bound, resource)) return true;
  }
  return false;
};

/** Whether the run holds pods that were placed in the same way. */
export const continues = (run: Run | undefined, { podClass, term, checks }: IncomingPod): run is Run =>
  run?.podClass === podClass && run.term === term && run.checks === checks;

/** The first pods of a run. */
export const startRun = ({ podClass, term, checks }: IncomingPod, count: number): Run =>
  checks === undefined ? { podClass, term, count } : { podClass, term, checks, count };

const record = (newNode: NewNode, incoming: IncomingPod): void => {
  const last = newNode.runs.at(-1);
  if (continues(last, incoming)) last.count++;
  else newNode.runs.push(startRun(incoming, 1));
  newNode.podCount++;
};

/** The fit after one more pod; undefined when there is none. `used` is left as it was. */
const fitWith = ({ fit, used, allowedTypes }: NewNode, needs: ResourceNeeds, state: NodeState): Fit | undefined => {
  if (exceeds(used, needs, fit.most)) return undefined;
  if (state === fit.state && !exceeds(used, needs, fit.least)) return fit;
  addTo(used, needs, 1);
  const fresh = fitOf(state, used, allowedTypes);
  addTo(used, needs, -1);
  return fresh !== undefined && keepsVariety(fit, fresh) ? fresh : undefined;
};

const needsOnNewNode = ({ runs }: NewNode, podClass: PodClass): ResourceNeeds =>
  podClass.shared === undefined
    ? podClass
    : needsOn(podClass, (claim) => runs.some((run) => run.podClass.shared?.some((each) => each.claim === claim)));

/** What the pods of a new node take together with one more. */
export const useWith = (newNode: NewNode, podClass: PodClass): Float64Array => {
  const used = newNode.used.slice();
  addTo(used, needsOnNewNode(newNode, podClass), 1);
  return used;
};

/** The fit of the node with one more pod in the state; undefined when it has no room for it there. */
export const fitWithPod = (newNode: NewNode, { podClass }: IncomingPod, state: NodeState): Fit | undefined => {
  const fit = fitWith(newNode, needsOnNewNode(newNode, podClass), state);
  return fit === undefined || fit === newNode.fit || newNode.limits?.allows(fit, newNode.fit) !== false ? fit : undefined;
};

/** Puts one pod on the node, which takes on the state; false, and nothing changed, when the node has no room for it there. */
export const addInState = (newNode: NewNode, incoming: IncomingPod, state: NodeState): boolean => {
  const needs = needsOnNewNode(newNode, incoming.podClass);
  const fit = fitWith(newNode, needs, state);
  if (fit === undefined) return false;
  if (fit !== newNode.fit && newNode.limits?.charge(fit, newNode.fit) === false) return false;
  newNode.fit = fit;
  addTo(newNode.used, needs, 1);
  record(newNode, incoming);
  return true;
};

/** The fit of the node that takes on the state and keeps to the types with one more pod; undefined when it has no room. */
export const fitOnTypes = (newNode: NewNode, { podClass }: IncomingPod, { state, types }: NarrowedPlace): Fit | undefined => {
  const needs = needsOnNewNode(newNode, podClass);
  addTo(newNode.used, needs, 1);
  const fit = fitOf(state, newNode.used, types);
  addTo(newNode.used, needs, -1);
  return fit !== undefined && keepsVariety(newNode.fit, fit) ? fit : undefined;
};

/**
 * Puts one pod on the node, which takes on the state and keeps to the types; false, and nothing changed, when it has no
 * room for it there.
 */
export const addNarrowing = (newNode: NewNode, incoming: IncomingPod, place: NarrowedPlace): boolean => {
  const fit = fitOnTypes(newNode, incoming, place);
  if (fit === undefined || newNode.limits?.charge(fit, newNode.fit) === false) return false;
  newNode.fit = fit;
  newNode.allowedTypes = place.types;
  addTo(newNode.used, needsOnNewNode(newNode, incoming.podClass), 1);
  record(newNode, incoming);
  return true;
};

/** Puts one pod on the node; false, and nothing changed, when the node refuses it. */
export const addToNewNode = (newNode: NewNode, incoming: IncomingPod): boolean => {
  const state = nextState(newNode.fit.state, incoming.term);
  return state !== undefined && addInState(newNode, incoming, state);
};

/** What the first pod of a new node takes. */
export const useByFirst = ({ template }: NodeState, podClass: PodClass): Float64Array => {
  const used = new Float64Array(template.columns.length);
  addTo(
    used,
    needsOn(podClass, () => false),
    1,
  );
  return used;
};

/**
 * A new node with its first pod, in the state that the pod led to; undefined when no allowed type of that state can
 * carry it.
 */
export const openInState = (state: NodeState, incoming: IncomingPod, allowedTypes: AllowedTypes): NewNode | undefined => {
  const used = useByFirst(state, incoming.podClass);
  const fit = fitOf(state, used, allowedTypes);
  if (fit === undefined) return undefined;
  const newNode: NewNode = { fit, allowedTypes, used, runs: [], podCount: 0 };
  record(newNode, incoming);
  return newNode;
};

/** A new node with its first pod; undefined when it cannot join, or no allowed type can carry it. */
export const openNewNode = (initial: NodeState, incoming: IncomingPod, allowedTypes: AllowedTypes): NewNode | undefined => {
  const state = nextState(initial, incoming.term);
  return state && openInState(state, incoming, allowedTypes);
};

/** The sum of something over new nodes. */
export const sumOfNodes = (newNodes: readonly NewNode[], of: (fit: Fit) => number): number =>
  newNodes.reduce((total, { fit }) => total + of(fit), 0);
