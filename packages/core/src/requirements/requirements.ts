import { defaultLabelCatalog } from '../apis/index.ts';
import type { LabelCatalog, RequirementSpec } from '../apis/index.ts';
import { isFieldProblem } from '../base/index.ts';
import type { FieldProblem } from '../base/index.ts';
import { labelOf } from '../kube/index.ts';
import type { Labels } from '../kube/index.ts';
import { requirementOf } from './requirement-of.ts';
import { admits, and, intersects } from './requirement.ts';
import type { Requirement } from './requirement.ts';

/** Label key → requirement. A key that is not there is unconstrained. */
export type Requirements = ReadonlyMap<string, Requirement>;

/** All of them at once: requirements on one key are ANDed. */
export const allOf = (each: Iterable<Requirement>): Requirements => {
  const all = new Map<string, Requirement>();
  for (const requirement of each) {
    const before = all.get(requirement.key);
    all.set(requirement.key, before === undefined ? requirement : and(before, requirement));
  }
  return all;
};

/** Both at once. Returns the argument itself where the other is empty. */
export const merge = (a: Requirements, b: Requirements): Requirements => {
  if (a.size === 0) return b;
  return b.size === 0 ? a : allOf([...a.values(), ...b.values()]);
};

/** What people wrote, or the first problem with it. */
export const parseRequirements = (
  specs: readonly RequirementSpec[],
  catalog: LabelCatalog,
  field?: string,
): Requirements | FieldProblem => {
  const parsed: Requirement[] = [];
  for (const spec of specs) {
    const requirement = requirementOf(spec, catalog, field);
    if (isFieldProblem(requirement)) return requirement;
    parsed.push(requirement);
  }
  return allOf(parsed);
};

/** The requirements of a NodePool or NodeClaim that the API server has admitted; a malformed one is a bug and throws. */
export const requirementsOf = (specs: readonly RequirementSpec[], catalog: LabelCatalog = defaultLabelCatalog): Requirements => {
  const parsed = parseRequirements(specs, catalog);
  if (isFieldProblem(parsed)) throw new Error(`${parsed.field} is ${parsed.value}: ${parsed.problem}`);
  return parsed;
};

/** Requirements that allow exactly these labels. */
export const labelRequirements = (labels: Labels, catalog: LabelCatalog = defaultLabelCatalog): Requirements =>
  requirementsOf(
    Object.entries(labels).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    catalog,
  );

/** Two requirements that no node satisfies at once. */
export interface Incompatibility {
  readonly key: string;
  readonly wanted: Requirement;
  /** Absent: the other side does not know the label, so the node will not have it. */
  readonly offered?: Requirement;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The first key, in the order of `incoming`, that both name and on which no node satisfies both; undefined when there
 * is none.
 */
export const firstConflict = (existing: Requirements, incoming: Requirements): Incompatibility | undefined => {
  for (const [key, wanted] of incoming) {
    const offered = existing.get(key);
    if (offered !== undefined && !intersects(offered, wanted)) return { key, wanted, offered };
  }
  return undefined;
};

/**
 * Why a node made by `existing` cannot satisfy `incoming`; undefined when it can. A label that `existing` does not name
 * will be missing, unless it is in `allowUndefined` (the well-known labels, for machines that are still to be chosen).
 */
export const compatible = (
  existing: Requirements,
  incoming: Requirements,
  { allowUndefined = NONE }: { readonly allowUndefined?: ReadonlySet<string> } = {},
): Incompatibility | undefined => {
  for (const [key, wanted] of incoming) {
    const offered = existing.get(key);
    if (offered === undefined ? !wanted.mayBeAbsent && !allowUndefined.has(key) : !intersects(offered, wanted)) {
      return offered === undefined ? { key, wanted } : { key, wanted, offered };
    }
  }
  return undefined;
};

/** The first requirement that a node with exactly these labels does not satisfy. */
export const firstUnmet = (requirements: Requirements, labels: Labels): Requirement | undefined => {
  for (const requirement of requirements.values()) if (!admits(requirement, labelOf(labels, requirement.key))) return requirement;
  return undefined;
};
