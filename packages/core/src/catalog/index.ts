export * from './allocatable.ts';
export * from './compatible-offerings.ts';
export * from './compiled-catalog.ts';
export type * from './instance-type.ts';
export * from './min-values.ts';
export type * from './offering.ts';
export * from './requirement-text.ts';
export * from './resource-ranks.ts';
