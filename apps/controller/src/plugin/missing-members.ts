import type { CloudProvider, LabelCatalog, NodeClassKind } from '@karpenter/core';
import type { ConfiguredProvider } from '@karpenter/core/internal';
import type { ProviderOption, ProviderParts, ProviderPlugin } from '@karpenter/core/provider-kit';
import type { ResourceKind } from '@karpenter/runtime';

type Form = 'function' | 'string' | 'boolean' | 'list' | 'object' | 'Set' | 'Map';

const isOfForm = (value: unknown, form: Form): boolean => {
  switch (form) {
    case 'list':
      return Array.isArray(value);
    case 'Set':
      return value instanceof Set;
    case 'Map':
      return value instanceof Map;
    default:
      return value !== null && typeof value === form;
  }
};

/** One word for each member that a value lacks or has with another type. The value may come from untyped code. */
const lackingIn = (value: unknown, forms: Readonly<Record<string, Form>>): readonly string[] => {
  const memberOf = (member: string): unknown => (typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined);
  return Object.entries(forms)
    .filter(([member, form]) => !isOfForm(memberOf(member), form))
    .map(([member, form]) => `${member} (${form === 'object' ? 'an' : 'a'} ${form})`);
};

/** The same of each element of a list. */
const lackingInEach = (name: string, elements: readonly unknown[], forms: Readonly<Record<string, Form>>): readonly string[] =>
  elements.flatMap((element, index) => lackingIn(element, forms).map((member) => `${name}[${index}].${member}`));

const PLUGIN: Record<Exclude<keyof ProviderPlugin, 'contractVersion'>, Form> = {
  title: 'string',
  options: 'list',
  nodeClassKinds: 'list',
  kinds: 'list',
  configure: 'function',
};

const OPTION: Record<Exclude<keyof ProviderOption, 'flag'>, Form> = { env: 'string', help: 'string', defaultText: 'string' };

const NODE_CLASS_KIND: Record<keyof NodeClassKind, Form> = { group: 'string', version: 'string', kind: 'string', plural: 'string' };

const KIND: Record<keyof ResourceKind, Form> = { ...NODE_CLASS_KIND, namespaced: 'boolean' };

type Optional = 'registrationHooks' | 'interruptionOf' | 'launchTimeoutMs' | 'defaultTerminationGracePeriod' | 'unsupportedVolumes';

const PROVIDER: Record<Exclude<keyof CloudProvider, Optional>, Form> = {
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

const LABEL_CATALOG: Record<Exclude<keyof LabelCatalog, 'reservationId'>, Form> = {
  wellKnown: 'Set',
  restrictedDomains: 'Set',
  restrictedLabels: 'Set',
  normalizedKeys: 'Map',
  normalizedValues: 'Map',
  knownValues: 'Map',
};

type Chosen = Extract<ConfiguredProvider, { readonly ok: true }>;
type Refused = Extract<ConfiguredProvider, { readonly ok: false }>;
const CHOSEN: Record<Exclude<keyof Chosen, 'ok'>, Form> = { about: 'object', create: 'function' };
const REFUSED: Record<Exclude<keyof Refused, 'ok'>, Form> = { problems: 'list' };

const PARTS: Record<keyof ProviderParts, Form> = { provider: 'object', controllers: 'list', singletons: 'list', start: 'function' };

/** NodeClasses that no client would serve. */
const unservedIn = ({ nodeClassKinds, kinds }: Pick<ProviderPlugin, 'nodeClassKinds' | 'kinds'>): readonly string[] =>
  nodeClassKinds
    .filter(({ group, kind }) => !kinds.some((served) => served.kind === kind && served.group === group))
    .map(({ kind }) => `${kind} in its kinds`);

/** What a plugin needs and does not have: `configure (a function)`. */
export const lackingInPlugin = (plugin: Partial<ProviderPlugin>): readonly string[] => {
  const lacking = lackingIn(plugin, PLUGIN);
  const { options = [], nodeClassKinds = [], kinds = [] } = plugin;
  if (lacking.length > 0) return lacking;
  const inside = [
    ...lackingInEach('options', options, OPTION),
    ...lackingInEach('nodeClassKinds', nodeClassKinds, NODE_CLASS_KIND),
    ...lackingInEach('kinds', kinds, KIND),
  ];
  return inside.length > 0 ? inside : unservedIn({ nodeClassKinds, kinds });
};

/** What the answer of `configure` needs and does not have. */
export const lackingInConfiguration = (configured: Partial<ConfiguredProvider> | undefined): readonly string[] => {
  if (configured?.ok !== false) return lackingIn(configured, CHOSEN);
  const lacking = lackingIn(configured, REFUSED);
  return lacking.length === 0 && configured.problems?.length === 0 ? ['problems (at least one)'] : lacking;
};

/** What the parts that a plugin makes need and do not have, their CloudProvider included. */
export const lackingInParts = (parts: Partial<ProviderParts> | undefined): readonly string[] => {
  const lacking = lackingIn(parts, PARTS);
  if (lacking.length > 0) return lacking;
  const inProvider = lackingIn(parts?.provider, PROVIDER);
  return inProvider.length > 0
    ? inProvider
    : lackingIn(parts?.provider?.labelCatalog, LABEL_CATALOG).map((member) => `labelCatalog.${member}`);
};
