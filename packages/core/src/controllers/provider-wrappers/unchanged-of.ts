import type { CloudProvider } from '../../cloudprovider/index.ts';

type Unchanged = Pick<
  CloudProvider,
  | 'name'
  | 'getSupportedNodeClasses'
  | 'labelCatalog'
  | 'repairPolicies'
  | 'registrationHooks'
  | 'interruptionOf'
  | 'launchTimeoutMs'
  | 'defaultTerminationGracePeriod'
  | 'unsupportedVolumes'
>;

/** Those that have a value. */
const given = <T extends object>(values: { readonly [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;

/** What a decorator passes on as it is: everything but the calls to the cloud. */
export const unchangedOf = (provider: CloudProvider): Unchanged => ({
  name: provider.name,
  getSupportedNodeClasses: () => provider.getSupportedNodeClasses(),
  labelCatalog: provider.labelCatalog,
  repairPolicies: provider.repairPolicies,
  ...given<Pick<CloudProvider, 'registrationHooks' | 'launchTimeoutMs' | 'defaultTerminationGracePeriod' | 'unsupportedVolumes'>>({
    registrationHooks: provider.registrationHooks,
    launchTimeoutMs: provider.launchTimeoutMs,
    defaultTerminationGracePeriod: provider.defaultTerminationGracePeriod,
    unsupportedVolumes: provider.unsupportedVolumes,
  }),
  ...(provider.interruptionOf !== undefined && { interruptionOf: (node) => provider.interruptionOf?.(node) }),
});
