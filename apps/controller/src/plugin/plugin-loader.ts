import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROVIDER_CONTRACT_VERSION } from '@karpenter/core/internal';
import { type ProviderPlugin, StartError } from '@karpenter/core/provider-kit';
import { systemClock, errorMessage } from '@karpenter/runtime';
import { withinStart } from '../start-deadline.ts';
import { lackingInPlugin } from './missing-members.ts';
import { optionClashes } from './option-clashes.ts';

/** Packages that are part of the controller's own bundle. */
const bundled: Readonly<Record<string, () => Promise<object>>> = {
  '@karpenter/azure': () => import('@karpenter/azure'),
  '@karpenter/kwok': () => import('@karpenter/kwok'),
};

const isPath = (name: string): boolean => isAbsolute(name) || name.startsWith('./') || name.startsWith('../');

const load = async (name: string): Promise<object> => {
  const own = bundled[name];
  if (own !== undefined) return own();
  const target = isPath(name) ? pathToFileURL(resolve(name)).href : name;
  try {
    return (await import(target)) as object;
  } catch (error) {
    const message = `--cloud-provider ${name} cannot be loaded: ${errorMessage(error)}; expected the name of a package that is installed beside the controller, or a path`;
    throw new StartError(message.replaceAll('\n', ' '), { cause: error });
  }
};

const isPlugin = (value: unknown): value is ProviderPlugin =>
  typeof value === 'object' && value !== null && lackingInPlugin(value).length === 0;

/**
 * Why the plugin is for another controller; undefined where it is for this one. Plugins from before there was a version
 * are of version 1.
 */
const versionProblem = (plugin: unknown): string | undefined => {
  if (typeof plugin !== 'object' || plugin === null) return undefined;
  const version: unknown = Reflect.get(plugin, 'contractVersion') ?? 1;
  if (version === PROVIDER_CONTRACT_VERSION) return undefined;
  return `its providerPlugin is written for contract version ${JSON.stringify(version)}, and this controller for version ${PROVIDER_CONTRACT_VERSION}: install a release of the plugin that is made for this controller`;
};

/** The plugin that a package of this name, or a module at this path, exports as `providerPlugin`. Errors: StartError. */
export const loadPlugin = async (name: string): Promise<ProviderPlugin> => {
  const who = `--cloud-provider ${name}`;
  const loaded = await withinStart({ clock: systemClock, signal: new AbortController().signal, who, run: () => load(name) });
  const plugin: unknown = Reflect.get(loaded, 'providerPlugin');
  const otherVersion = versionProblem(plugin);
  if (otherVersion !== undefined) throw new StartError(`${who}: ${otherVersion}`);
  if (isPlugin(plugin)) {
    const clashes = optionClashes(plugin);
    if (clashes.length === 0) return plugin;
    throw new StartError(`${who}: options of its providerPlugin are there twice, or are the controller's own: ${clashes.join(', ')}`);
  }
  if (typeof plugin !== 'object' || plugin === null)
    throw new StartError(`--cloud-provider ${name}: the package exports no providerPlugin, so it is no provider for this controller`);
  throw new StartError(`--cloud-provider ${name}: its providerPlugin lacks ${lackingInPlugin(plugin).join(', ')}`);
};
