export type * from './cloud-provider.ts';
export * from './cloud-provider-error.ts';
export * from './failed-launch.ts';
export * from './managed.ts';
