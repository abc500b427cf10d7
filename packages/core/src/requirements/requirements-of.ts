import { isFieldProblem } from '../base/index.ts';
import type { FieldProblem } from '../base/index.ts';
import { defaultLabelCatalog } from '../apis/index.ts';
import type { LabelCatalog, RequirementSpec } from '../apis/index.ts';
import type { Labels } from '../kube/index.ts';
import { and } from './requirement-algebra.ts';
import { requirementOf } from './requirement-of.ts';
import type { Requirement } from './requirement.ts';
import type { Requirements } from './requirements.ts';

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

/** Each label as "exactly this value". */
export const labelRequirements = (labels: Labels, catalog: LabelCatalog = defaultLabelCatalog): Requirements =>
  requirementsOf(
    Object.entries(labels).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    catalog,
  );
