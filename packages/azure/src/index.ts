/** `@karpenter/azure`: the provider for AKS virtual machines. */
export * from './apis/index.ts';
