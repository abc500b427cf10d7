import type { Steps } from '../../base/index.ts';
import type { PodSet, PodClass } from '../pod-classes/pod-class.ts';
import type { EqualTerms, NodeTerm } from '../pod-classes/node-term.ts';
import { openNewNode } from '../nodes/new-nodes/new-node.ts';
import type { ClassTopology } from '../topology/class-topology.ts';
import type { CheckList, Checks } from '../topology/group.ts';
import { mustStartTogether } from './topology-placement.ts';
import type { TopologyWorkingSet } from './topology-placement.ts';
import { PreferenceSearch } from './preference-search.ts';
import type { RelaxedBy } from './relaxed-tally.ts';

/** How many searches are made without a pause. */
const SEARCHES_A_STEP = 128;
/** How many alternatives are tried without a pause. */
const ALTERNATIVES_A_STEP = 8;

const noConstraints: CheckList = { antiAffinity: [], spreads: [], affinity: [] };
const noChecks: Checks = { keys: [], host: noConstraints, wide: noConstraints };
/** The topology of pods whose only preferences are about labels. */
const noTopology: ClassTopology = {
  countedBy: [],
  required: noChecks,
  preferences: 0,
  checksWith: () => noChecks,
  checksOfPreference: () => undefined,
};

/** Whether some node, existing or new, could take a pod by the term, pods that are placed meanwhile and topology aside. */
export const isMeetable = (
  podClass: PodClass,
  term: NodeTerm,
  { existing, templates }: Pick<TopologyWorkingSet, 'existing' | 'templates'>,
): boolean => {
  const canLaunch = templates.some(
    ({ initial, everyType }) => initial !== undefined && openNewNode(initial, { podClass, term }, everyType) !== undefined,
  );
  if (canLaunch) return true;
  const accepted = existing.acceptedBy(term);
  for (let node = accepted.indexOf(1); node >= 0; node = accepted.indexOf(1, node + 1))
    if (existing.roomOn(node, podClass, 1) > 0) return true;
  return false;
};

/** Of how many ORed alternatives preferences are tried with: the first that some node could meet. */
const MOST_ALTERNATIVES = 16;

/** The terms that pods are placed by. */
interface LevelTerms {
  /** By the requirements alone: all but those that no node could meet. */
  readonly terms: EqualTerms;
  /** The first of them, which preferences are added to. */
  readonly preferable: EqualTerms;
}

/** Looks for terms that no node could meet, until enough of the others are known. One term alone is not worth the question. */
function* keepingMeetable(podClass: PodClass, terms: EqualTerms, set: TopologyWorkingSet): Steps<LevelTerms> {
  if (terms.length < 2) return { terms, preferable: terms };
  const kept: NodeTerm[] = [];
  for (const [index, term] of terms.entries()) {
    if (isMeetable(podClass, term, set)) kept.push(term);
    if (kept.length === MOST_ALTERNATIVES) return { terms: [...kept, ...terms.slice(index + 1)], preferable: kept };
    if (index % ALTERNATIVES_A_STEP === 0) yield;
  }
  const left = kept.length === terms.length ? terms : kept;
  return { terms: left, preferable: left };
}

type NoteRelaxed = (relaxed: readonly RelaxedBy[]) => void;

/** Places the first of `wanted` pods. False when there is no place. */
const placeFirst = (search: PreferenceSearch, wanted: number, note: NoteRelaxed): boolean => {
  const found = search.next(wanted);
  if (found === undefined) return false;
  note(search.take(found));
  return true;
};

function* placingLevel(search: PreferenceSearch, wanted: number, note: NoteRelaxed): Steps<number> {
  let placed = 0;
  let pauseAt = SEARCHES_A_STEP;
  while (placed < wanted) {
    if (!placeFirst(search, wanted - placed, note)) return placed;
    placed++;
    if (search.searches < pauseAt) continue;
    pauseAt = search.searches + SEARCHES_A_STEP;
    yield;
  }
  return placed;
}

/** The terms of the pod set: those without soft taints, then those that tolerate them. */
export const levelsOf = ({ podClass, terms }: PodSet): readonly EqualTerms[] =>
  terms === undefined
    ? podClass.levels
    : (['required', 'soft-taints'] as const).map((each) => terms.filter(({ relaxation }) => relaxation === each));

/**
 * Places up to `wanted` pods of a class with preferences, off soft taints if possible. It meets the heaviest
 * preferences that are possible together, or under `Weigh` those that are worth their cost. Pods that must share a
 * host start where there is room for all, whatever soft taints and preferences that costs. Again as long as that
 * places some: a pod may open a domain for the next. Returns how many it placed.
 */
export function* placingByPreference(podSet: PodSet, wanted: number, set: TopologyWorkingSet): Steps<number> {
  const { podClass } = podSet;
  const { preferencePricePerHour: pricePerHour } = set;
  const levels: LevelTerms[] = [];
  for (const terms of levelsOf(podSet)) levels.push(yield* keepingMeetable(podClass, terms, set));
  const classTopology = podClass.topology ?? noTopology;
  const note = (relaxed: readonly RelaxedBy[]): void => set.relaxed.add(podClass, relaxed);
  const searchIn = (level: LevelTerms, isTogether: boolean): PreferenceSearch =>
    new PreferenceSearch(set, { podClass, classTopology, ...level, pricePerHour, isTogether });
  const startIn = (level: LevelTerms): boolean => placeFirst(searchIn(level, true), wanted, note);
  let placed = wanted > 1 && mustStartTogether(classTopology.required) && levels.some(startIn) ? 1 : 0;
  for (let before = -1; before < placed;) {
    before = placed;
    for (const level of levels) {
      placed += yield* placingLevel(searchIn(level, false), wanted - placed, note);
      yield;
    }
  }
  return placed;
}
