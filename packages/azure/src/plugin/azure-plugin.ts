import { type ProviderParts, type ProviderPlugin, type ProviderWorld, StartError } from '@karpenter/core/provider-kit';
import { ArmError } from '../arm/arm-error.ts';
import { AzureEnvironmentError } from '../arm/azure-environment.ts';
import { azureOptionNames, parseAzureOptions } from '../options/index.ts';
import { aksNodeClassKind, azureKinds } from '../provider/azure-kube.ts';
import type { AzureProviderSource } from '../provider/azure-provider-source.ts';
import { type AzureProvider, createAzureProvider } from './create-azure-provider.ts';

type Chosen = Pick<AzureProviderSource, 'options' | 'variables' | 'caPem'>;

const make = (world: ProviderWorld, chosen: Chosen): AzureProvider => {
  try {
    return createAzureProvider({ ...world, ...chosen });
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

const partsOf = (azure: AzureProvider): ProviderParts => ({
  provider: azure.provider,
  controllers: [...azure.nodeClassControllers, ...azure.nodeControllers],
  singletons: azure.singletons,
  start: (signal) => start(azure, signal),
});

/** The plugin, which also trusts `caPem` (PEM) on calls to Azure. */
export const azurePluginTrusting = (caPem: string | undefined): ProviderPlugin => ({
  contractVersion: 1,
  title: 'Azure',
  options: Object.values(azureOptionNames),
  nodeClassKinds: [aksNodeClassKind],
  kinds: azureKinds,
  configure: ({ flags, env }) => {
    const parsed = parseAzureOptions({ flags, env });
    if (!parsed.ok) return parsed;
    const { options } = parsed;
    const chosen = { options, variables: env, ...(caPem !== undefined && { caPem }) };
    return { ok: true, about: { location: options.location }, create: (world) => partsOf(make(world, chosen)) };
  },
});

/** The provider for AKS, as the controller loads it. */
export const azureProviderPlugin: ProviderPlugin = azurePluginTrusting(undefined);
