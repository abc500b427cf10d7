export type * from './label-catalog.ts';
export type * from './requirement.ts';
export type * from './requirements.ts';
