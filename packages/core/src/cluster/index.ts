export type * from './cluster-snapshot.ts';
export type * from './node-view.ts';
