export * from './cluster-snapshot.ts';
export * from './daemon-overhead.ts';
export * from './do-not-disrupt.ts';
export * from './eviction-limits.ts';
export * from './left-out.ts';
export * from './node-usage.ts';
export type * from './node-view.ts';
export * from './reschedulable-pods.ts';
export * from './sound-snapshot.ts';
