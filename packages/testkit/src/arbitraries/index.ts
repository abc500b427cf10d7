export * from './pods.ts';
export * from './snapshots.ts';
