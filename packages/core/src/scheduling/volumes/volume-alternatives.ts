import { isFieldProblem } from '../../base/index.ts';
import type { FieldProblem } from '../../base/index.ts';
import { labels } from '../../apis/index.ts';
import type { LabelCatalog } from '../../apis/index.ts';
import type { NodeSelectorRequirement, NodeSelectorTerm, PersistentVolume, StorageClass } from '../../kube/index.ts';
import { merge, parseRequirements } from '../../requirements/index.ts';
import type { Requirements } from '../../requirements/index.ts';

/** What a volume asks of its node's labels; any one is enough, none: no node reaches it. */
export type Alternatives = readonly Requirements[];

/** A volume that every node reaches. */
export const ANYWHERE: Alternatives = [new Map()];

const LEGACY = 'failure-domain.beta.kubernetes.io';
const LABELS = [labels.zone, labels.region, `${LEGACY}/zone`, `${LEGACY}/region`];

/** Volumes of old carry their zones as labels; several are joined by `__`. Source: Kubernetes, scheduler plugin `VolumeZone`. */
const labelExpressions = ({ metadata }: PersistentVolume): readonly NodeSelectorRequirement[] =>
  LABELS.flatMap((key) => {
    const value = metadata.labels?.[key];
    return value === undefined ? [] : [{ key, operator: 'In' as const, values: value.split('__') }];
  });

/** A node's own disk is given up with its node: the name of a node that goes must not keep its pods from another. */
const expressionsOf = ({ spec }: PersistentVolume, { matchExpressions = [] }: NodeSelectorTerm): readonly NodeSelectorRequirement[] => {
  const isNodesOwn = spec?.local !== undefined || spec?.hostPath !== undefined;
  return isNodesOwn ? matchExpressions.filter(({ key }) => key !== labels.hostname) : matchExpressions;
};

/** From where a volume that exists can be reached: the terms of its node affinity, each with its zone labels. */
export const alternativesOfVolume = (volume: PersistentVolume, catalog: LabelCatalog): Alternatives | FieldProblem => {
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

/** Where a class allows volumes to be made. NodePools and nodes are judged by their labels, well-known or not. */
export const alternativesOfClass = (
  { metadata, allowedTopologies = [] }: StorageClass,
  catalog: LabelCatalog,
): Alternatives | FieldProblem => {
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
