import type { FieldProblem } from '../../base/index.ts';
import type { TopologySpreadConstraint } from '../pods/pod.ts';
import { choiceProblem, firstProblem, requiredChoiceProblem } from './first-problem.ts';
import { labelSelectorProblem } from './label-selector-problem.ts';

const WHEN = ['DoNotSchedule', 'ScheduleAnyway'];
const POLICIES = ['Honor', 'Ignore'];

const countProblem = (field: string, count: number): FieldProblem | undefined =>
  Number.isInteger(count) && count >= 1 ? undefined : { field, value: String(count), problem: 'must be a whole number from 1 on' };

const minDomainsProblem = (field: string, { minDomains, whenUnsatisfiable }: TopologySpreadConstraint): FieldProblem | undefined => {
  if (minDomains === undefined) return undefined;
  const at = `${field}.minDomains`;
  if (whenUnsatisfiable !== 'DoNotSchedule')
    return { field: at, value: String(minDomains), problem: 'goes only with whenUnsatisfiable DoNotSchedule' };
  return countProblem(at, minDomains);
};

/** What is wrong with a spread constraint. Source: Kubernetes, `validation.validateTopologySpreadConstraints`. */
export const spreadProblem = (field: string, constraint: TopologySpreadConstraint): FieldProblem | undefined =>
  firstProblem([
    () => countProblem(`${field}.maxSkew`, constraint.maxSkew),
    () =>
      constraint.topologyKey
        ? undefined
        : { field: `${field}.topologyKey`, value: '', problem: 'must name a node label, such as topology.kubernetes.io/zone' },
    () => requiredChoiceProblem(`${field}.whenUnsatisfiable`, constraint.whenUnsatisfiable, WHEN),
    () => minDomainsProblem(field, constraint),
    () => choiceProblem(`${field}.nodeAffinityPolicy`, constraint.nodeAffinityPolicy, POLICIES),
    () => choiceProblem(`${field}.nodeTaintsPolicy`, constraint.nodeTaintsPolicy, POLICIES),
    () => labelSelectorProblem(`${field}.labelSelector`, constraint.labelSelector),
  ]);
