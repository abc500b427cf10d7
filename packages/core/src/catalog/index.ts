export type * from './instance-type.ts';
export type * from './offering.ts';
