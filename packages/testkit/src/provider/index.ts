export * from './fake-cloud-provider.ts';
