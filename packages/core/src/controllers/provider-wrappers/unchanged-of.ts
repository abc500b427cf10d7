import type { CloudProvider } from '../../cloudprovider/index.ts';

type Unchanged = Pick<
  CloudProvider,
  'name' | 'getSupportedNodeClasses' | 'labelCatalog' | 'repairPolicies' | 'registrationHooks' | 'interruptionOf'
>;

/** What a decorator passes on as it is: everything but the calls to the cloud. */
export const unchangedOf = (provider: CloudProvider): Unchanged => ({
  name: provider.name,
  getSupportedNodeClasses: () => provider.getSupportedNodeClasses(),
  labelCatalog: provider.labelCatalog,
  repairPolicies: provider.repairPolicies,
  ...(provider.registrationHooks !== undefined && { registrationHooks: provider.registrationHooks }),
  ...(provider.interruptionOf !== undefined && { interruptionOf: (node) => provider.interruptionOf?.(node) }),
});
