import { labelOf } from '../kube/index.ts';
import type { Labels } from '../kube/index.ts';
import { admits, intersects } from './requirement-algebra.ts';
import type { Requirement } from './requirement.ts';
import type { Requirements } from './requirements.ts';

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
