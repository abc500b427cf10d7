export * from './unmet-preferences.ts';
export * from './validate-plan.ts';
export type * from './violation.ts';
