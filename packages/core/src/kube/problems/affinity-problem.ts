import type { FieldProblem } from '../../base/index.ts';
import type { Affinity, NodeAffinity, PodAffinity, PodAffinityTerm } from '../pods/pod.ts';
import { firstProblem } from './first-problem.ts';
import { labelSelectorProblem } from './label-selector-problem.ts';

type Check = () => FieldProblem | undefined;

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

const weightProblem = (field: string, weight: number): FieldProblem | undefined =>
  Number.isInteger(weight) && weight >= 1 && weight <= 100
    ? undefined
    : { field: `${field}.weight`, value: String(weight), problem: 'must be a whole number from 1 to 100' };

const hasNone = (list: readonly unknown[] | undefined): boolean => list === undefined || list.length === 0;

const missingProblem = (field: string, value: unknown): FieldProblem | undefined =>
  value === undefined ? { field, value: 'undefined', problem: 'must be there' } : undefined;

const termChecks = (field: string, term: PodAffinityTerm): readonly Check[] => [
  () =>
    term.topologyKey
      ? undefined
      : { field: `${field}.topologyKey`, value: '', problem: 'must name a node label, such as kubernetes.io/hostname' },
  () => labelSelectorProblem(`${field}.labelSelector`, term.labelSelector),
  () => labelSelectorProblem(`${field}.namespaceSelector`, term.namespaceSelector),
];

const podAffinityChecks = (field: string, side: PodAffinity = {}): readonly Check[] => [
  ...(side[REQUIRED] ?? []).flatMap((term, i) => termChecks(`${field}.${REQUIRED}[${i}]`, term)),
  ...(side[PREFERRED] ?? []).flatMap(({ weight, podAffinityTerm }, i) => {
    const at = `${field}.${PREFERRED}[${i}]`;
    const missing = missingProblem(`${at}.podAffinityTerm`, podAffinityTerm);
    return [() => weightProblem(at, weight) ?? missing, ...(missing ? [] : termChecks(`${at}.podAffinityTerm`, podAffinityTerm))];
  }),
];

/** Terms themselves are judged where they are read into requirements. */
const nodeAffinityChecks = (field: string, side: NodeAffinity = {}): readonly Check[] => [
  () =>
    side[REQUIRED] !== undefined && hasNone(side[REQUIRED].nodeSelectorTerms)
      ? {
          field: `${field}.${REQUIRED}.nodeSelectorTerms`,
          value: '[]',
          problem: 'must hold at least one term; without one no node will do',
        }
      : undefined,
  ...(side[PREFERRED] ?? []).map(
    ({ weight, preference }, i) =>
      () =>
        weightProblem(`${field}.${PREFERRED}[${i}]`, weight) ?? missingProblem(`${field}.${PREFERRED}[${i}].preference`, preference),
  ),
];

/**
 * What is wrong with the affinity of a pod, the operators of node affinity excepted. Source: Kubernetes,
 * `validation.validateAffinity`.
 */
export const affinityProblem = (field: string, { nodeAffinity, podAffinity, podAntiAffinity }: Affinity = {}): FieldProblem | undefined =>
  firstProblem([
    ...nodeAffinityChecks(`${field}.nodeAffinity`, nodeAffinity),
    ...podAffinityChecks(`${field}.podAffinity`, podAffinity),
    ...podAffinityChecks(`${field}.podAntiAffinity`, podAntiAffinity),
  ]);
