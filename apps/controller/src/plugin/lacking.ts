import type { CloudProvider } from '@karpenter/core';
import type { ProviderPlugin } from '@karpenter/core/provider-kit';

type Form = 'function' | 'string' | 'list' | 'object';

const isOfForm = (value: unknown, form: Form): boolean =>
  form === 'list' ? Array.isArray(value) : value !== null && typeof value === form;

/** One word for each member of which the object has nothing, or something else; the object may come from code that no compiler has seen. */
const lackingIn = (object: object, forms: Readonly<Record<string, Form>>): readonly string[] =>
  Object.entries(forms)
    .filter(([member, form]) => !isOfForm(Reflect.get(object, member), form))
    .map(([member, form]) => `${member} (a ${form})`);

const PLUGIN: Record<keyof ProviderPlugin, Form> = {
  title: 'string',
  options: 'list',
  nodeClassKinds: 'list',
  kinds: 'list',
  configure: 'function',
};

const PROVIDER: Record<Exclude<keyof CloudProvider, 'registrationHooks' | 'interruptionOf'>, Form> = {
  name: 'string',
  supportedNodeClasses: 'list',
  labelCatalog: 'object',
  create: 'function',
  delete: 'function',
  get: 'function',
  list: 'function',
  getInstanceTypes: 'function',
  isDrifted: 'function',
  repairPolicies: 'list',
};

/** What a plugin needs and does not have: `configure (a function)`. */
export const lackingInPlugin = (plugin: object): readonly string[] => lackingIn(plugin, PLUGIN);

/** What a CloudProvider needs and does not have. */
export const lackingInProvider = (provider: object): readonly string[] => lackingIn(provider, PROVIDER);
