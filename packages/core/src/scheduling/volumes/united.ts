import { requirementText } from '../../catalog/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import type { Alternatives } from './volume-alternatives.ts';

const eitherOf = (a: Requirement, b: Requirement): Requirement | undefined => {
  if (a.values.kind !== 'in' || b.values.kind !== 'in' || a.mayBeAbsent || b.mayBeAbsent) return undefined;
  return { ...a, values: { kind: 'in', values: new Set([...a.values.values, ...b.values.values].sort()) } };
};

/** One set of requirements that a node meets exactly when it meets one of the two; undefined where there is none. */
const inOne = (a: Requirements, b: Requirements): Requirements | undefined => {
  if (a.size !== b.size) return undefined;
  const different = [...a.values()].filter((own) => {
    const other = b.get(own.key);
    return other === undefined || requirementText(own) !== requirementText(other);
  });
  const [own, ...others] = different;
  if (own === undefined) return a;
  const other = b.get(own.key);
  const either = others.length > 0 || other === undefined ? undefined : eitherOf(own, other);
  return either && new Map(a).set(own.key, either);
};

/** The same alternatives in fewer: "zone 1 or zone 2" is one requirement, so that the cheaper of the two zones is found in one look. */
export const united = (alternatives: Alternatives): Alternatives => {
  const result: Requirements[] = [];
  for (const alternative of alternatives) {
    let joined = alternative;
    for (let at = 0; at < result.length; at++) {
      const both = inOne(result[at] ?? joined, joined);
      if (both === undefined) continue;
      joined = both;
      result.splice(at, 1);
      at = -1;
    }
    result.push(joined);
  }
  return result;
};
