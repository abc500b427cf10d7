/** `@karpenter/testkit`: what the author of a plugin, or of a test about scheduling, builds and checks with. */
export * from './builders/index.ts';
export * from './validator/index.ts';
export * from './arbitraries/index.ts';
export * from './oracle/index.ts';
export * from './binding/index.ts';
export * from './provider/index.ts';
