export * from './default-spread.ts';
export * from './handfuls.ts';
export * from './mutations.ts';
export * from './pods.ts';
export * from './snapshots.ts';
export * from './storage.ts';
export * from './topology.ts';
export * from './reservations.ts';
