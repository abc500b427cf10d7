import {
  aksNodeClassKind,
  ArmError,
  AzureEnvironmentError,
  azureKinds,
  type AzureOptions,
  type AzureProvider,
  type AzureProviderSource,
  createAzureProvider,
} from '@karpenter/azure';
import type { ProviderPlugin, ProviderWorld } from './controller.ts';
import { StartError } from './start-error.ts';

/** How the provider signs in, and whom it trusts beside those that Node does. */
export type AzureIdentity = Pick<AzureProviderSource, 'variables' | 'caPem'>;

const create = (options: AzureOptions, identity: AzureIdentity, world: ProviderWorld): AzureProvider => {
  try {
    return createAzureProvider({ ...world, ...identity, options });
  } catch (error) {
    if (error instanceof AzureEnvironmentError) throw new StartError(error.message, { cause: error });
    throw error;
  }
};

const start = async (azure: AzureProvider, signal: AbortSignal): Promise<void> => {
  try {
    await azure.start(signal);
  } catch (error) {
    if (error instanceof ArmError) throw new StartError(`Azure does not answer as it should: ${error.message}`, { cause: error });
    throw error;
  }
};

/** The provider for AKS, as the controller plugs it in. */
export const azurePlugin = (options: AzureOptions, identity: AzureIdentity): ProviderPlugin => ({
  nodeClassKinds: [aksNodeClassKind],
  kinds: azureKinds,
  create: (world) => {
    const azure = create(options, identity, world);
    return {
      provider: azure.provider,
      controllers: [...azure.nodeClassControllers, ...azure.nodeControllers],
      singletons: azure.singletons,
      start: (signal) => start(azure, signal),
    };
  },
});
