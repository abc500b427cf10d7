export * from './cloud/index.ts';
export * from './cluster/index.ts';
export * from './devices/index.ts';
