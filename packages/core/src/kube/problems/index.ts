export * from './device-shapes.ts';
export { labelSelectorProblem, spreadProblem } from './placement-problem.ts';
export * from './pod-spec-problem.ts';
