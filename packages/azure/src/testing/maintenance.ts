import type { AzureProvider } from '../plugin/create-azure-provider.ts';

/** One round of a singleton controller. */
export const roundOf = async (azure: AzureProvider, name: string): Promise<void> => {
  const { signal } = new AbortController();
  for (const each of azure.singletons) if (each.name === name) await each.reconcile({ signal });
};

/** One round of `instance.maintenance`. */
export const maintenance = (azure: AzureProvider): Promise<void> => roundOf(azure, 'instance.maintenance');
