export * from './a-daemon-set.ts';
export * from './a-node-pool.ts';
export * from './a-node.ts';
export * from './a-pod.ts';
export * from './a-snapshot.ts';
export * from './an-instance-type.ts';
export * from './pod-holdings.ts';
export * from './storage.ts';
