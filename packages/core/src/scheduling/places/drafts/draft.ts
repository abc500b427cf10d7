import type { PodClass } from '../../classes/pod-class.ts';
import type { Rung } from '../../classes/rung.ts';
import { fitOf } from '../fit.ts';
import type { Allowance, Fit } from '../fit.ts';
import { keepsVariety } from '../keeps-variety.ts';
import { nextState } from '../node-state.ts';
import type { NodeState } from '../node-state.ts';
import { loadOn } from '../existing/shared-volumes.ts';
import type { Load } from '../existing/shared-volumes.ts';

/** Some members of one class on one node. */
export interface Run {
  readonly podClass: PodClass;
  readonly rung: Rung;
  count: number;
}

/** A node that is being planned. It only ever fills up: a class that it refused once it refuses for good. */
export interface Draft {
  fit: Fit;
  readonly allowance: Allowance;
  /** Resource → what the pods take; daemon pods are in the columns of the template. */
  readonly used: Float64Array;
  readonly runs: Run[];
  podCount: number;
  /** Asked before the node takes on another fit; absent where the pool has no limits. */
  mayTurn?: (fit: Fit, before: Fit) => boolean;
}

/** One pod of a class, by one rung. */
export interface Applicant {
  readonly podClass: PodClass;
  readonly rung: Rung;
}

const addTo = (used: Float64Array, { resourceIds, amounts }: Load, times: number): void => {
  for (let i = 0; i < resourceIds.length; i++) {
    const resource = resourceIds[i] ?? 0;
    used[resource] = (used[resource] ?? 0) + (amounts[i] ?? 0) * times;
  }
};

const exceeds = (used: Float64Array, { resourceIds, amounts }: Load, bound: Float64Array): boolean => {
  for (let i = 0; i < resourceIds.length; i++) {
    const resource = resourceIds[i] ?? 0;
    if ((used[resource] ?? 0) + (amounts[i] ?? 0) > (bound[resource] ?? 0)) return true;
  }
  return false;
};

const record = (draft: Draft, { podClass, rung }: Applicant): void => {
  const last = draft.runs.at(-1);
  if (last?.podClass === podClass && last.rung === rung) last.count++;
  else draft.runs.push({ podClass, rung, count: 1 });
  draft.podCount++;
};

/** The fit after one more pod; undefined when there is none. `used` is left as it was. */
const fitWith = ({ fit, used, allowance }: Draft, load: Load, state: NodeState): Fit | undefined => {
  if (exceeds(used, load, fit.most)) return undefined;
  if (state === fit.state && !exceeds(used, load, fit.least)) return fit;
  addTo(used, load, 1);
  const fresh = fitOf(state, used, allowance);
  addTo(used, load, -1);
  return fresh !== undefined && keepsVariety(fit, fresh) ? fresh : undefined;
};

const loadOnDraft = ({ runs }: Draft, podClass: PodClass): Load =>
  podClass.shared === undefined
    ? podClass
    : loadOn(podClass, (claim) => runs.some((run) => run.podClass.shared?.some((each) => each.claim === claim)));

/** Puts one pod on the node, which takes on the state; false, and nothing changed, when the node has no room for it there. */
export const addInState = (draft: Draft, applicant: Applicant, state: NodeState): boolean => {
  const load = loadOnDraft(draft, applicant.podClass);
  const fit = fitWith(draft, load, state);
  if (fit === undefined) return false;
  if (fit !== draft.fit && draft.mayTurn?.(fit, draft.fit) === false) return false;
  draft.fit = fit;
  addTo(draft.used, load, 1);
  record(draft, applicant);
  return true;
};

/** Puts one pod on the node; false, and nothing changed, when the node refuses it. */
export const addToDraft = (draft: Draft, applicant: Applicant): boolean => {
  const state = nextState(draft.fit.state, applicant.rung);
  return state !== undefined && addInState(draft, applicant, state);
};

/** A new node of a state that its first pod has led to; undefined when no allowed type of the state can carry it. */
export const openInState = (state: NodeState, applicant: Applicant, allowance: Allowance): Draft | undefined => {
  const used = new Float64Array(state.template.columns.length);
  addTo(
    used,
    loadOn(applicant.podClass, () => false),
    1,
  );
  const fit = fitOf(state, used, allowance);
  if (fit === undefined) return undefined;
  const draft: Draft = { fit, allowance, used, runs: [], podCount: 0 };
  record(draft, applicant);
  return draft;
};

/** A new node with its first pod; undefined when no allowed type of the state can carry it. */
export const openDraft = (initial: NodeState, applicant: Applicant, allowance: Allowance): Draft | undefined => {
  const state = nextState(initial, applicant.rung);
  return state && openInState(state, applicant, allowance);
};
