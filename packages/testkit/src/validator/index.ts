export * from './validate-plan.ts';
export type * from './violation.ts';
