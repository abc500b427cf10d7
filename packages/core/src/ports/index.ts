export type * from './caches.ts';
export type * from './runtime.ts';
export type * from './decision.ts';
