import { requirementText, requirementsText } from '../../catalog/index.ts';
import { allOf, firstConflict, isEmpty, isUnconstrained, merge, parseSelector } from '../../requirements/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import { isTooComplex } from '../rejection/rejection.ts';
import type { TooComplex } from '../rejection/rejection.ts';
import { addToGroup, groupedDigits, isFieldProblem, itemAt, WeakMemory } from '../../base/index.ts';
import type { FieldProblem } from '../../base/index.ts';
import { labels } from '../../apis/index.ts';
import type { LabelCatalog } from '../../apis/index.ts';
import type { NodeSelectorRequirement, NodeSelectorTerm, PersistentVolume, StorageClass } from '../../kube/index.ts';
import { nodeTermUnits } from '../work-budget/pod-work.ts';
import type { TermLengths } from '../work-budget/pod-work.ts';

/** What a volume asks of its node's labels; any one is enough, none: no node reaches it. */
export type Alternatives = readonly Requirements[];

/** A volume that every node reaches. */
export const ANYWHERE: Alternatives = [new Map()];

/**
 * Most units that the volumes of one pod may take, about 60 ms: those of the terms of a volume, and those of combining
 * volumes.
 */
export const MOST_OF_VOLUMES = 20_000;
/** Units of trying one pair of alternatives. */
const UNITS_A_PAIR = 4;

/** Units of combining alternatives of two volumes, so many of each. */
export const unitsOfPairs = (one: number, other: number): number => one * other * UNITS_A_PAIR;

/** Every pair that some node satisfies, each once. */
const bothOf = (a: Alternatives, b: Alternatives): Alternatives => {
  if (a === ANYWHERE || b === ANYWHERE) return a === ANYWHERE ? b : a;
  const found = new Map<string, Requirements>();
  for (const one of a) {
    for (const other of b) {
      if (firstConflict(one, other) !== undefined) continue;
      const both = merge(one, other);
      found.set(requirementsText(both), both);
    }
  }
  return [...found.values()];
};

/** Why a pod is refused whose volumes cost more than may be spent on them. */
export const tooManyVolumeTerms = (units: number, largest: string): TooComplex => ({
  ...{ kind: 'too-complex', units: Math.ceil(units), most: MOST_OF_VOLUMES },
  largest,
});

/** Longer alternatives are left as they are: comparing them without one of their keys costs the square of their length. */
const MOST_KEYS = 16;
/** Alternatives that unite after so many rounds are rare, and leaving them apart is sound. */
const MOST_ROUNDS = 8;

const isPlain = ({ values, minValues }: Requirement): boolean =>
  minValues === undefined && (values.kind === 'in' || (values.gte === undefined && values.lte === undefined));

/**
 * The requirement that a node meets exactly when it meets one of these, which are about one key; undefined where none
 * can say that.
 */
const eitherOf = (all: readonly Requirement[]): Requirement | undefined => {
  const [first] = all;
  if (first === undefined || !all.every(isPlain)) return undefined;
  const sets = (kind: 'in' | 'not-in'): readonly ReadonlySet<string>[] =>
    all.filter(({ values }) => values.kind === kind).map(({ values }) => values.values);
  const named = new Set(sets('in').flatMap((set) => [...set]));
  const excluding = sets('not-in');
  const mayBeAbsent = all.some((each) => each.mayBeAbsent);
  if (excluding.length > 0) {
    const values = excluding.reduce((common, set) => common.intersection(set)).difference(named);
    return { ...first, mayBeAbsent, values: { kind: 'not-in', values } };
  }
  // No node selector says "one of these values, or no label".
  return mayBeAbsent ? undefined : { ...first, values: { kind: 'in', values: new Set([...named].sort()) } };
};

const withoutKey = (alternative: Requirements, key: string): string =>
  Array.from(alternative.values())
    .filter((each) => each.key !== key)
    .map(requirementText)
    .sort()
    .join('\n');

/** The alternatives that say the same but for this key, together. */
const familiesOf = (alternatives: Alternatives, key: string): Iterable<Alternatives> =>
  Map.groupBy(alternatives, (alternative) => withoutKey(alternative, key)).values();

const uniteFamily = (family: Alternatives, key: string, current: Set<Requirements>): void => {
  const [first] = family;
  const either = family.length < 2 ? undefined : eitherOf(family.flatMap((each) => each.get(key) ?? []));
  if (first === undefined || either === undefined) return;
  const joined = new Map(first).set(key, either);
  if (isUnconstrained(either)) joined.delete(key);
  for (const each of family) current.delete(each);
  current.add(joined);
};

const byKey = (alternatives: Iterable<Requirements>): ReadonlyMap<string, Alternatives> => {
  const found = new Map<string, Requirements[]>();
  for (const alternative of alternatives) {
    if (alternative.size > MOST_KEYS) continue;
    for (const key of alternative.keys()) addToGroup(found, key, alternative);
  }
  return found;
};

const distinct = (alternatives: Alternatives): Alternatives => [
  ...new Map(alternatives.map((each) => [requirementsText(each), each])).values(),
];

/**
 * The same alternatives in fewer: "zone 1 or zone 2" is one requirement, so that the cheaper of the two zones is found
 * in one pass. Those that stay apart keep their order; what was united comes last. Costs about n log n of what the
 * alternatives say together.
 */
export const uniteAlternatives = (alternatives: Alternatives): Alternatives => {
  if (alternatives.length < 2) return alternatives;
  const current = new Set(distinct(alternatives));
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = current.size;
    for (const [key, having] of byKey(current)) {
      const left = having.filter((each) => current.has(each));
      for (const family of left.length < 2 ? [] : familiesOf(left, key)) uniteFamily(family, key, current);
    }
    for (const each of current) if (each.size === 0) return ANYWHERE;
    if (current.size === before) break;
  }
  return [...current];
};

/** Where the node of a volume may be, or why that is unknown. */
export type ReadAlternatives = Alternatives | FieldProblem | TooComplex;

const LEGACY = 'failure-domain.beta.kubernetes.io';
const LABELS = [labels.zone, labels.region, `${LEGACY}/zone`, `${LEGACY}/region`];

/**
 * Legacy volumes carry their zones as labels; several are joined by `__`. Source: Kubernetes, scheduler plugin
 * `VolumeZone`.
 */
const labelExpressions = ({ metadata }: PersistentVolume): readonly NodeSelectorRequirement[] =>
  LABELS.flatMap((key) => {
    const value = metadata.labels?.[key];
    return value === undefined ? [] : [{ key, operator: 'In' as const, values: value.split('__') }];
  });

/** A node's own disk is deleted with its node. The name of a deleted node must not keep its pods off other nodes. */
const expressionsOf = ({ spec }: PersistentVolume, { matchExpressions = [] }: NodeSelectorTerm): readonly NodeSelectorRequirement[] => {
  const isNodesOwn = spec?.local !== undefined || spec?.hostPath !== undefined;
  return isNodesOwn ? matchExpressions.filter(({ key }) => key !== labels.hostname) : matchExpressions;
};

const readVolume = (volume: PersistentVolume, catalog: LabelCatalog): Alternatives | FieldProblem => {
  const field = `PersistentVolume ${volume.metadata.name} spec.nodeAffinity`;
  const zones = parseSelector(labelExpressions(volume), catalog, field);
  if (isFieldProblem(zones)) return zones;
  const terms = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms;
  if (terms === undefined) return [zones];
  const alternatives: Requirements[] = [];
  for (const term of terms) {
    const parsed = parseSelector(expressionsOf(volume, term), catalog, field);
    if (isFieldProblem(parsed)) return parsed;
    alternatives.push(merge(parsed, zones));
  }
  return alternatives;
};

/** NodePools and nodes are judged by their labels, well-known or not. */
const readClass = ({ metadata, allowedTopologies = [] }: StorageClass, catalog: LabelCatalog): Alternatives | FieldProblem => {
  if (allowedTopologies.length === 0) return ANYWHERE;
  const field = `StorageClass ${metadata.name} allowedTopologies`;
  const alternatives: Requirements[] = [];
  for (const { matchLabelExpressions = [] } of allowedTopologies) {
    const expressions = matchLabelExpressions.map(({ key, values }) => ({ key, operator: 'In' as const, values }));
    const parsed = parseSelector(expressions, catalog, field);
    if (isFieldProblem(parsed)) return parsed;
    alternatives.push(parsed);
  }
  return alternatives;
};

/** Whether nothing can be decided by it. */
export const isRefused = (read: ReadAlternatives): read is FieldProblem | TooComplex => isTooComplex(read) || isFieldProblem(read);

const tooManyTerms = (terms: readonly TermLengths[], owner: string): TooComplex | undefined => {
  const units = terms.reduce((sum, term) => sum + nodeTermUnits(term), 0);
  return units > MOST_OF_VOLUMES ? tooManyVolumeTerms(units, `${groupedDigits(terms.length)} terms of ${owner}`) : undefined;
};

/** Object → what was read of it; once for each object and catalog. */
const remembering = <T extends object>(
  read: (object: T, catalog: LabelCatalog) => ReadAlternatives,
): ((object: T, catalog: LabelCatalog) => ReadAlternatives) => {
  const known = new WeakMemory<T, { readonly catalog: LabelCatalog; readonly answer: ReadAlternatives }>();
  return (object, catalog) => {
    const found = known.get(object);
    if (found?.catalog === catalog) return found.answer;
    const given = read(object, catalog);
    const answer = isRefused(given) ? given : uniteAlternatives(given);
    known.set(object, { catalog, answer });
    return answer;
  };
};

/** From where a volume that exists can be reached: the terms of its node affinity, each with its zone labels. */
export const alternativesOfVolume = remembering<PersistentVolume>((volume, catalog) => {
  const terms = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return tooManyTerms(terms, `PersistentVolume ${volume.metadata.name}`) ?? readVolume(volume, catalog);
});

/** Where a class allows volumes to be made. */
export const alternativesOfClass = remembering<StorageClass>((storageClass, catalog) => {
  const terms = (storageClass.allowedTopologies ?? []).map(({ matchLabelExpressions = [] }) => ({
    matchExpressions: matchLabelExpressions,
  }));
  return tooManyTerms(terms, `StorageClass ${storageClass.metadata.name}`) ?? readClass(storageClass, catalog);
});

/** A claim of a pod, and from where its volume can be reached. */
export interface ClaimedAlternatives {
  readonly field: string;
  readonly claim: string;
  readonly alternatives: Alternatives;
}

const unreachableVolume = ({ field, claim }: ClaimedAlternatives): FieldProblem => ({
  field,
  value: claim,
  problem: 'no node reaches this volume together with the others; keep them in one zone',
});

const requirementsOfAll = (volumes: readonly ClaimedAlternatives[]): Requirements =>
  allOf(volumes.flatMap(({ alternatives }) => alternatives.flatMap((each) => [...each.values()])));

const reachesAll = (volumes: readonly ClaimedAlternatives[]): boolean => ![...requirementsOfAll(volumes).values()].some(isEmpty);

/** The volume that no node reaches together with those before it, of some that no node reaches together. O(n log n). */
const firstUnreachable = (volumes: readonly ClaimedAlternatives[]): ClaimedAlternatives => {
  let [reached, beyond] = [0, volumes.length];
  while (beyond - reached > 1) {
    const middle = (reached + beyond) >> 1;
    if (reachesAll(volumes.slice(0, middle))) reached = middle;
    else beyond = middle;
  }
  return itemAt(volumes, reached);
};

/**
 * From where all volumes can be reached. Those with one alternative are taken at once, in time linear in their values;
 * the others pair by pair.
 */
export const alternativesOfAll = (volumes: readonly ClaimedAlternatives[]): ReadAlternatives => {
  const alone = volumes.filter(({ alternatives }) => alternatives.length === 1);
  if (!reachesAll(alone)) return unreachableVolume(firstUnreachable(alone));
  let combined = alone.every(({ alternatives }) => alternatives === ANYWHERE) ? ANYWHERE : [requirementsOfAll(alone)];
  const seen = new Set<string>();
  let units = 0;
  for (const volume of volumes) {
    if (volume.alternatives.length === 1) continue;
    const text = JSON.stringify(volume.alternatives.map(requirementsText));
    if (seen.has(text)) continue;
    seen.add(text);
    units += unitsOfPairs(combined.length, volume.alternatives.length);
    if (units > MOST_OF_VOLUMES) return tooManyVolumeTerms(units, `${seen.size} volumes with node affinities of their own`);
    combined = uniteAlternatives(bothOf(combined, volume.alternatives));
    if (combined.length === 0) return unreachableVolume(volume);
  }
  return combined;
};
