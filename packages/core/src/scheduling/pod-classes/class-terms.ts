import { chunksOf, getOrMake } from '../../base/index.ts';
import type { VolumeNeeds } from '../volumes/volume-reader.ts';
import type { PodShape } from './pod-shape.ts';
import { narrowedTerm, preferringTerm } from './node-term.ts';
import type { NodeTerm, Relaxation, EqualTerms } from './node-term.ts';

export interface ClassTerms {
  /** By the requirements alone, in the order in which they are tried. */
  readonly terms: readonly NodeTerm[];
  /** The same, those that suit the pod equally well together. */
  readonly levels: readonly EqualTerms[];
  /** Term → terms that suit the pod equally well, itself among them. Those of `preferring` are added when they are made. */
  readonly equalTerms: ReadonlyMap<NodeTerm, EqualTerms>;
  /** The terms with these of the pod's preferences (a bit each) as requirements. Empty where they contradict every term. */
  readonly preferring: (terms: EqualTerms, preferences: number) => EqualTerms;
}

/**
 * Among how many equally good terms a pod that is moved may choose. Each is checked for each node, and few pods have
 * more than two.
 */
const MOST_EQUAL_TERMS = 16;

const termInterner = (): ((term: NodeTerm) => NodeTerm) => {
  const known = new Map<string, NodeTerm>();
  return (term) => getOrMake(known, term.text, () => term);
};

/** Each term once for each alternative of the volumes. */
const narrowed = (terms: EqualTerms, { alternatives }: VolumeNeeds): EqualTerms =>
  terms.flatMap((term) => alternatives.map((alternative) => narrowedTerm(term, alternative)));

/**
 * Terms and preferences → the terms with these preferences as requirements. Made one preference after the other, the
 * heaviest first, and remembered.
 */
const preferringReader = (
  preferred: PodShape['preferred'],
  { canonicalTerm, equalTerms }: { readonly canonicalTerm: (term: NodeTerm) => NodeTerm; readonly equalTerms: Map<NodeTerm, EqualTerms> },
): ClassTerms['preferring'] => {
  const known = new WeakMap<EqualTerms, Map<number, EqualTerms>>();
  /** Term → the preferences that it is known to meet. */
  const metBy = new Map<NodeTerm, number>();
  const make = (terms: EqualTerms, preferences: number): EqualTerms => {
    const lightest = 31 - Math.clz32(preferences);
    const without = preferring(terms, preferences ^ (1 << lightest));
    const requirements = preferred[lightest];
    return requirements === undefined ? without : without.flatMap((term) => preferringTerm(term, requirements) ?? []).map(canonicalTerm);
  };
  /** A term of several sets meets the preferences of all of them, and so must every term in its place. */
  const noteEqual = (made: EqualTerms, terms: EqualTerms, preferences: number): void => {
    for (const term of made) {
      const met = preferences | (metBy.get(term) ?? 0);
      metBy.set(term, met);
      equalTerms.set(term, met === preferences ? made : preferring(terms, met));
    }
  };
  const preferring: ClassTerms['preferring'] = (terms, preferences) => {
    if (preferences === 0) return terms;
    const ofTerms = getOrMake(known, terms, () => new Map<number, EqualTerms>());
    const found = ofTerms.get(preferences);
    if (found !== undefined) return found;
    const made = make(terms, preferences);
    // Before equals are searched for: the search may come back to this set.
    ofTerms.set(preferences, made);
    noteEqual(made, terms, preferences);
    return made;
  };
  return preferring;
};

/**
 * Shape and volumes → the terms of the relaxations that count. Interned: terms with the same text are one object, and
 * pods with the same relaxation order and equal volumes share their terms.
 */
export const termReader = (relaxations: ReadonlySet<Relaxation>): ((shape: PodShape, volumes: VolumeNeeds) => ClassTerms) => {
  const canonicalTerm = termInterner();
  const known = new Map<readonly EqualTerms[], Map<string, ClassTerms>>();
  const read = ({ relaxationOrder, preferred }: PodShape, volumes: VolumeNeeds): ClassTerms => {
    const levels = relaxationOrder
      .map((terms) => terms.filter(({ relaxation }) => relaxations.has(relaxation)))
      .filter((terms) => terms.length > 0)
      .map((terms) => narrowed(terms, volumes).map(canonicalTerm));
    const byTerm = levels.flatMap((terms) =>
      [...chunksOf(terms, MOST_EQUAL_TERMS)].flatMap((equals) => equals.map((term): [NodeTerm, EqualTerms] => [term, equals])),
    );
    // Reversed: where a term occurs twice, its earlier occurrence counts.
    const equalTerms = new Map(byTerm.reverse());
    return { terms: levels.flat(), levels, equalTerms, preferring: preferringReader(preferred, { canonicalTerm, equalTerms }) };
  };
  return (shape, volumes) => {
    const ofOrder = getOrMake(known, shape.relaxationOrder, () => new Map<string, ClassTerms>());
    return getOrMake(ofOrder, volumes.text, () => read(shape, volumes));
  };
};
