import type { LogFields } from '@karpenter/runtime';
import {
  type ProviderArguments,
  type ProviderParts,
  type ProviderPlugin,
  type ProviderWorld,
  StartError,
} from '@karpenter/core/provider-kit';
import { lackingInConfiguration, lackingInParts } from './lacking.ts';

/** A plugin that has read its options. */
export interface ConfiguredPlugin extends Pick<ProviderPlugin, 'title' | 'nodeClassKinds' | 'kinds'> {
  readonly about: LogFields;
  /** A provider that is whole. Errors: StartError. */
  create(world: ProviderWorld): ProviderParts;
}

export type Configuration =
  { readonly ok: true; readonly plugin: ConfiguredPlugin } | { readonly ok: false; readonly problems: readonly string[] };

/** The value, when it lacks nothing. Errors: StartError. */
const whole = <T>(what: string, value: T, lackingIn: (value: T) => readonly string[]): T => {
  const lacking = lackingIn(value);
  if (lacking.length > 0) throw new StartError(`${what} lacks ${lacking.join(', ')}`);
  return value;
};

/** Lets a plugin read its options. Errors: StartError, when its answer is none. */
export const configured = (plugin: ProviderPlugin, given: ProviderArguments): Configuration => {
  const { title, nodeClassKinds, kinds } = plugin;
  const choice = whole(`what ${title} makes of its options`, plugin.configure(given), lackingInConfiguration);
  if (!choice.ok) return choice;
  const create = (world: ProviderWorld): ProviderParts => whole(`the provider of ${title}`, choice.create(world), lackingInParts);
  return { ok: true, plugin: { title, nodeClassKinds, kinds, about: choice.about, create } };
};
