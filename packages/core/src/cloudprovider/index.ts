export * from './cloud-provider.ts';
export * from './cloud-provider-error.ts';
