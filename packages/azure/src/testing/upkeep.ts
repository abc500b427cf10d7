import type { AzureProvider } from '../provider/create-azure-provider.ts';

/** One round of `instance.upkeep`. */
export const upkeep = async (azure: AzureProvider): Promise<void> => {
  const { signal } = new AbortController();
  for (const each of azure.singletons) if (each.name === 'instance.upkeep') await each.reconcile({ signal });
};
