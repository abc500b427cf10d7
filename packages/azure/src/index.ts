/** `@karpenter/azure`: the provider for AKS virtual machines. */
export * from './apis/index.ts';
export { aksNodeClassV1alpha2 } from './convert/aks-node-class-v1alpha2.ts';
export { ArmError, type ArmErrorCode } from './arm/arm-error.ts';
export { AzureEnvironmentError } from './arm/azure-environment.ts';
export type { IdentityVariables } from './arm/sign-in/credential.ts';
export { type AzureOptions, type ParsedAzureOptions, parseAzureOptions } from './options/index.ts';
export * from './preflight/index.ts';
export { azurePluginTrusting, azureProviderPlugin as providerPlugin } from './plugin/azure-plugin.ts';
export { aksNodeClassKind, type AzureKube, azureKinds } from './provider/azure-kube.ts';
export type { AzureProviderSource } from './provider/azure-provider-source.ts';
export { type AzureProvider, createAzureProvider } from './plugin/create-azure-provider.ts';
