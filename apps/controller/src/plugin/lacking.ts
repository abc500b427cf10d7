import type { CloudProvider } from '@karpenter/core';
import type { ConfiguredProvider, ProviderOption, ProviderParts, ProviderPlugin } from '@karpenter/core/provider-kit';

type Form = 'function' | 'string' | 'list' | 'object';

const isOfForm = (value: unknown, form: Form): boolean =>
  form === 'list' ? Array.isArray(value) : value !== null && typeof value === form;

/** One word for each member of which a value has nothing, or something else; the value may come from code that no compiler has seen. */
const lackingIn = (value: unknown, forms: Readonly<Record<string, Form>>): readonly string[] => {
  const memberOf = (member: string): unknown => (typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined);
  return Object.entries(forms)
    .filter(([member, form]) => !isOfForm(memberOf(member), form))
    .map(([member, form]) => `${member} (${form === 'object' ? 'an' : 'a'} ${form})`);
};

const PLUGIN: Record<keyof ProviderPlugin, Form> = {
  title: 'string',
  options: 'list',
  nodeClassKinds: 'list',
  kinds: 'list',
  configure: 'function',
};

const PROVIDER: Record<Exclude<keyof CloudProvider, 'registrationHooks' | 'interruptionOf'>, Form> = {
  name: 'string',
  getSupportedNodeClasses: 'function',
  labelCatalog: 'object',
  create: 'function',
  delete: 'function',
  get: 'function',
  list: 'function',
  getInstanceTypes: 'function',
  isDrifted: 'function',
  repairPolicies: 'list',
};

const OPTION: Record<Exclude<keyof ProviderOption, 'flag'>, Form> = { env: 'string', help: 'string', defaultText: 'string' };

type Chosen = Extract<ConfiguredProvider, { readonly ok: true }>;
type Refused = Extract<ConfiguredProvider, { readonly ok: false }>;
const CHOSEN: Record<Exclude<keyof Chosen, 'ok'>, Form> = { about: 'object', create: 'function' };
const REFUSED: Record<Exclude<keyof Refused, 'ok'>, Form> = { problems: 'list' };

const PARTS: Record<keyof ProviderParts, Form> = { provider: 'object', controllers: 'list', singletons: 'list', start: 'function' };

/** What a plugin needs and does not have: `configure (a function)`. */
export const lackingInPlugin = (plugin: Partial<ProviderPlugin>): readonly string[] => {
  const lacking = lackingIn(plugin, PLUGIN);
  if (lacking.length > 0 || plugin.options === undefined) return lacking;
  return plugin.options.flatMap((option, index) => lackingIn(option, OPTION).map((member) => `options[${index}].${member}`));
};

/** What the answer of `configure` needs and does not have. */
export const lackingInConfiguration = (configured: Partial<ConfiguredProvider> | undefined): readonly string[] =>
  lackingIn(configured, configured?.ok === false ? REFUSED : CHOSEN);

/** What the parts that a plugin makes need and do not have, their CloudProvider included. */
export const lackingInParts = (parts: Partial<ProviderParts> | undefined): readonly string[] => {
  const lacking = lackingIn(parts, PARTS);
  return lacking.length > 0 ? lacking : lackingIn(parts?.provider, PROVIDER);
};
