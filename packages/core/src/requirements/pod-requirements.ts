import { isFieldProblem } from '../base/index.ts';
import type { FieldProblem } from '../base/index.ts';
import type { LabelCatalog } from '../apis/index.ts';
import type { NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from '../kube/index.ts';
import { canBeMet, labelRequirements, merge, parseSelector } from './requirements.ts';
import type { Requirements } from './requirements.ts';

/** What a pod asks of its node's labels. */
export interface PodRequirements {
  /** Each alternative holds the node selector and one required affinity term; one is enough. Empty: no node will do. */
  readonly alternatives: readonly Requirements[];
  /**
   * Heaviest first, in the written order where weights are equal; without the node selector. `index`: the position in
   * the spec.
   */
  readonly preferred: readonly { readonly weight: number; readonly index: number; readonly requirements: Requirements }[];
  /** Required terms with `matchFields`, beside the alternatives. No node is planned for them; spread constraints count by them. */
  readonly byName: readonly NamedNodes[];
}

/** The nodes that one required term with `matchFields` allows. */
export interface NamedNodes {
  readonly matchFields: readonly NodeSelectorRequirement[];
  /** The node selector and the expressions of the term. */
  readonly requirements: Requirements;
}

/** A preferred node affinity term, and its position in the spec. */
export interface PreferredNodeTerm {
  readonly weight: number;
  readonly index: number;
  readonly preference: NodeSelectorTerm;
}

const isEmptyTerm = ({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): boolean =>
  matchExpressions.length === 0 && matchFields.length === 0;

const NAME = 'metadata.name';

/** Whether a node of this name meets the fields. `name` undefined: a node that is still to be made. */
export const meetsFields = (matchFields: readonly NodeSelectorRequirement[], name: string | undefined): boolean =>
  matchFields.every(({ key, operator, values = [] }) => {
    const isListed = name !== undefined && values.includes(name);
    return key === NAME && (operator === 'NotIn' ? !isListed : operator === 'In' && isListed);
  });

/** Speaks of one node that exists: no new one will do, and kube-scheduler sees to the one. */
const namesNode = ({ matchFields = [] }: NodeSelectorTerm): boolean => matchFields.length > 0;

const termRequirements = (term: NodeSelectorTerm, catalog: LabelCatalog, field: string): Requirements | FieldProblem => {
  const [matchField] = term.matchFields ?? [];
  if (matchField !== undefined) {
    return { field: `${field}.matchFields`, value: matchField.key, problem: 'matchFields names a node that exists; use matchExpressions' };
  }
  return parseSelector(term.matchExpressions ?? [], catalog, `${field}.matchExpressions`);
};

const REQUIRED = 'spec.affinity.nodeAffinity.required';

const alternativesIn = (
  terms: readonly NodeSelectorTerm[],
  selected: Requirements,
  catalog: LabelCatalog,
): readonly Requirements[] | FieldProblem => {
  const alternatives: Requirements[] = [];
  for (const term of terms) {
    const parsed = termRequirements(term, catalog, REQUIRED);
    if (isFieldProblem(parsed)) return parsed;
    alternatives.push(merge(selected, parsed));
  }
  return alternatives;
};

const namedIn = (
  terms: readonly NodeSelectorTerm[],
  selected: Requirements,
  catalog: LabelCatalog,
): readonly NamedNodes[] | FieldProblem => {
  const byName: NamedNodes[] = [];
  for (const { matchFields = [], ...expressions } of terms) {
    const parsed = termRequirements(expressions, catalog, REQUIRED);
    if (isFieldProblem(parsed)) return parsed;
    byName.push({ matchFields, requirements: merge(selected, parsed) });
  }
  return byName;
};

/** The required terms. A pod with terms by name alone has a problem. */
const requiredOf = (spec: PodSpec, catalog: LabelCatalog): Pick<PodRequirements, 'alternatives' | 'byName'> | FieldProblem => {
  const selected = labelRequirements(spec.nodeSelector ?? {}, catalog);
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (terms === undefined) return { alternatives: [selected], byName: [] };
  // A term without content matches no node. Source: Kubernetes, `nodeaffinity.NewNodeSelector`.
  const filled = terms.filter((each) => !isEmptyTerm(each));
  const labelled = filled.filter((each) => !namesNode(each));
  const alternatives = alternativesIn(labelled.length > 0 ? labelled : filled, selected, catalog);
  if (isFieldProblem(alternatives)) return alternatives;
  const byName = namedIn(filled.filter(namesNode), selected, catalog);
  return isFieldProblem(byName) ? byName : { alternatives, byName };
};

/** The preferred node affinity terms that say something about labels that a node may have, in the written order. */
export const preferredNodeTerms = ({ affinity }: PodSpec): readonly PreferredNodeTerm[] =>
  (affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
    .map(({ weight, preference }, index) => ({ weight, index, preference }))
    .filter(({ preference }) => !isEmptyTerm(preference) && !namesNode(preference) && (preference.matchExpressions ?? []).every(canBeMet));

const preferredOf = (spec: PodSpec, catalog: LabelCatalog): PodRequirements['preferred'] | FieldProblem => {
  const preferred: { weight: number; index: number; requirements: Requirements }[] = [];
  for (const { weight, index, preference } of preferredNodeTerms(spec)) {
    const requirements = termRequirements(preference, catalog, 'spec.affinity.nodeAffinity.preferred');
    if (isFieldProblem(requirements)) return requirements;
    preferred.push({ weight, index, requirements });
  }
  return preferred.sort((a, b) => b.weight - a.weight);
};

/** What the pod asks of a node's labels, or why it cannot be read. */
export const podRequirements = (spec: PodSpec, catalog: LabelCatalog): PodRequirements | FieldProblem => {
  const required = requiredOf(spec, catalog);
  if (isFieldProblem(required)) return required;
  const preferred = preferredOf(spec, catalog);
  return isFieldProblem(preferred) ? preferred : { ...required, preferred };
};
