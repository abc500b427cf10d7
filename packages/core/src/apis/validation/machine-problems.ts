import type { FieldProblem } from '../../base/index.ts';
import type { LabelCatalog } from '../label-catalog.ts';
import type { NodeClaimTemplateSpec } from '../node-pool.ts';
import { durationProblems } from './duration-problems.ts';
import { requirementProblems } from './requirement-problems.ts';
import { taintProblems } from './taint-problems.ts';

/** What is wrong with what NodePool templates and NodeClaims say alike. */
export const machineProblems = (
  field: string,
  spec: NodeClaimTemplateSpec,
  options: { readonly catalog: LabelCatalog; readonly forNodePool: boolean },
): readonly FieldProblem[] => {
  const { group, kind, name } = spec.nodeClassRef;
  const empty = Object.entries({ group, kind, name }).filter(([, value]) => value === '');
  return [
    ...taintProblems(field, spec),
    ...spec.requirements.flatMap((requirement, i) => requirementProblems(`${field}.requirements[${i}]`, requirement, options)),
    ...empty.map(([part]) => ({ field: `${field}.nodeClassRef.${part}`, value: '', problem: 'must not be empty' })),
    ...(group.includes('/') ? [{ field: `${field}.nodeClassRef.group`, value: group, problem: 'must be a group without version' }] : []),
    ...durationProblems(`${field}.expireAfter`, spec.expireAfter, 'or Never'),
    ...durationProblems(`${field}.terminationGracePeriod`, spec.terminationGracePeriod, 'never'),
  ];
};
