import type { LogFields } from '@karpenter/runtime';
import {
  type ProviderArguments,
  type ProviderParts,
  type ProviderPlugin,
  type ProviderWorld,
  StartError,
} from '@karpenter/core/provider-kit';
import { lackingInProvider } from './lacking.ts';

/** A plugin that has read its options. */
export interface ConfiguredPlugin extends Pick<ProviderPlugin, 'title' | 'nodeClassKinds' | 'kinds'> {
  readonly about: LogFields;
  /** A provider that is whole. Errors: StartError. */
  create(world: ProviderWorld): ProviderParts;
}

export type Configuration =
  { readonly ok: true; readonly plugin: ConfiguredPlugin } | { readonly ok: false; readonly problems: readonly string[] };

const wholeParts = ({ title }: ProviderPlugin, parts: ProviderParts): ProviderParts => {
  const lacking = lackingInProvider(parts.provider);
  if (lacking.length > 0) throw new StartError(`the provider of ${title} lacks ${lacking.join(', ')}`);
  return parts;
};

/** Lets a plugin read its options. */
export const configured = (plugin: ProviderPlugin, given: ProviderArguments): Configuration => {
  const choice = plugin.configure(given);
  if (!choice.ok) return choice;
  const { title, nodeClassKinds, kinds } = plugin;
  const create = (world: ProviderWorld): ProviderParts => wholeParts(plugin, choice.create(world));
  return { ok: true, plugin: { title, nodeClassKinds, kinds, about: choice.about, create } };
};
