import { isFieldProblem, WeakMemory } from '../../base/index.ts';
import type { FieldProblem } from '../../base/index.ts';
import { labels } from '../../apis/index.ts';
import type { LabelCatalog } from '../../apis/index.ts';
import type { NodeSelectorRequirement, NodeSelectorTerm, PersistentVolume, StorageClass } from '../../kube/index.ts';
import { merge, parseRequirements } from '../../requirements/index.ts';
import type { Requirements } from '../../requirements/index.ts';
import { nodeTermUnits } from '../work/pod-work.ts';
import type { TermLengths } from '../work/pod-work.ts';
import { isTooComplex } from '../rejection/rejection.ts';
import type { TooComplex } from '../rejection/rejection.ts';
import { ANYWHERE, MOST_OF_VOLUMES, tooManyVolumeTerms } from './alternatives.ts';
import type { Alternatives } from './alternatives.ts';
import { united } from './united.ts';

/** Where the node of a volume may be, or why that is unknown. */
export type ReadAlternatives = Alternatives | FieldProblem | TooComplex;

const LEGACY = 'failure-domain.beta.kubernetes.io';
const LABELS = [labels.zone, labels.region, `${LEGACY}/zone`, `${LEGACY}/region`];

/**
 * Volumes of old carry their zones as labels; several are joined by `__`. Source: Kubernetes, scheduler plugin
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
  const zones = parseRequirements(labelExpressions(volume), catalog, field);
  if (isFieldProblem(zones)) return zones;
  const terms = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms;
  if (terms === undefined) return [zones];
  const alternatives: Requirements[] = [];
  for (const term of terms) {
    const parsed = parseRequirements(expressionsOf(volume, term), catalog, field);
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
    const parsed = parseRequirements(expressions, catalog, field);
    if (isFieldProblem(parsed)) return parsed;
    alternatives.push(parsed);
  }
  return alternatives;
};

/** Whether nothing can be decided by it. */
export const isRefused = (read: ReadAlternatives): read is FieldProblem | TooComplex => isTooComplex(read) || isFieldProblem(read);

const tooManyTerms = (terms: readonly TermLengths[], owner: string): TooComplex | undefined => {
  const units = terms.reduce((sum, term) => sum + nodeTermUnits(term), 0);
  return units > MOST_OF_VOLUMES ? tooManyVolumeTerms(units, `${terms.length.toLocaleString('en-US')} terms of ${owner}`) : undefined;
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
    const answer = isRefused(given) ? given : united(given);
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
