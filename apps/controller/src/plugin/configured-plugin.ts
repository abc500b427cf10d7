import type { ProviderArguments } from '@karpenter/core/internal';
import { type ProviderParts, type ProviderPlugin, type ProviderWorld, StartError } from '@karpenter/core/provider-kit';
import type { LogFields } from '@karpenter/runtime';
import { lackingInConfiguration, lackingInParts } from './missing-members.ts';

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

/** What the plugin's own code throws beside a StartError is its bug: the message names the plugin, the cause has the stack. */
const bugOf = (where: string, error: unknown): unknown => {
  if (error instanceof StartError) return error;
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new StartError(`${where} failed, which is a bug of the plugin: ${said}`.replaceAll(/\s+/g, ' '), { cause: error });
};

const ran = <T>(where: string, run: () => T): T => {
  try {
    return run();
  } catch (error) {
    throw bugOf(where, error);
  }
};

/** The options as the plugin of the named package reads them. Errors: StartError, if it returns no configuration. */
export const configurePlugin = (plugin: ProviderPlugin, given: ProviderArguments, packageName: string): Configuration => {
  const { title, nodeClassKinds, kinds } = plugin;
  const of = (what: string): string => `--cloud-provider ${packageName}: ${what}`;
  const answer = ran(of('its configure'), () => plugin.configure(given));
  const choice = whole(of(`what ${title} makes of its options`), answer, lackingInConfiguration);
  if (!choice.ok) return choice;
  const create = (world: ProviderWorld): ProviderParts => {
    const parts = whole(
      of(`the provider of ${title}`),
      ran(of('its create'), () => choice.create(world)),
      lackingInParts,
    );
    const start = async (signal: AbortSignal): Promise<void> => {
      try {
        await parts.start(signal);
      } catch (error) {
        throw signal.aborted ? error : bugOf(of('its start'), error);
      }
    };
    const { provider, controllers, singletons } = parts;
    return { provider, controllers, singletons, start };
  };
  return { ok: true, plugin: { title, nodeClassKinds, kinds, about: choice.about, create } };
};
