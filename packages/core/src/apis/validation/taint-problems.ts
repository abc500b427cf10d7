import type { FieldProblem } from '../../base/index.ts';
import { isLabelKey } from '../../kube/index.ts';
import type { Taint } from '../../kube/index.ts';
import { labelValueProblems } from './label-problems.ts';

const EFFECTS: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

const ownProblems = (field: string, { key, value = '', effect }: Taint): readonly FieldProblem[] => [
  ...(isLabelKey(key) ? [] : [{ field: `${field}.key`, value: key, problem: 'must be a key such as example.com/dedicated' }]),
  ...labelValueProblems(`${field}.value`, value),
  ...(EFFECTS.includes(effect) ? [] : [{ field: `${field}.effect`, value: effect, problem: `must be one of ${EFFECTS.join(', ')}` }]),
];

export interface Taints {
  readonly taints?: readonly Taint[];
  readonly startupTaints?: readonly Taint[];
}

/** What is wrong with the taints of a machine: each by itself, and any pair of key and effect that occurs twice. */
export const taintProblems = (field: string, { taints = [], startupTaints = [] }: Taints): readonly FieldProblem[] => {
  const seen = new Set<string>();
  const problemsOf = (name: string) => (taint: Taint, index: number) => {
    const at = `${field}.${name}[${index}]`;
    const pair = `${taint.key}:${taint.effect}`;
    const repeated = seen.has(pair)
      ? [{ field: at, value: pair, problem: 'occurs twice; a key and effect may be named only once in taints and startupTaints' }]
      : [];
    seen.add(pair);
    return [...ownProblems(at, taint), ...repeated];
  };
  return [...taints.flatMap(problemsOf('taints')), ...startupTaints.flatMap(problemsOf('startupTaints'))];
};
