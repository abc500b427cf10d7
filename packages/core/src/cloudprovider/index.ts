export * from './time-limited-provider.ts';
export type * from './cloud-provider.ts';
export * from './cloud-provider-error.ts';
export * from './failed-launch.ts';
export * from './managed.ts';
export * from './measured-provider.ts';
export * from './overlaid-provider.ts';
export * from './overlay-verdicts.ts';
