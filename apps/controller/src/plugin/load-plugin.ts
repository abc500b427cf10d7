import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ProviderPlugin, StartError } from '@karpenter/core/provider-kit';
import { lackingInPlugin } from './lacking.ts';

/** Packages that are part of the controller's own bundle. */
const bundled: Readonly<Record<string, () => Promise<object>>> = { '@karpenter/azure': () => import('@karpenter/azure') };

const isPath = (name: string): boolean => isAbsolute(name) || name.startsWith('./') || name.startsWith('../');

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const load = async (name: string): Promise<object> => {
  const own = bundled[name];
  if (own !== undefined) return own();
  const target = isPath(name) ? pathToFileURL(resolve(name)).href : name;
  try {
    return (await import(target)) as object;
  } catch (error) {
    const message = `--cloud-provider ${name} cannot be loaded: ${messageOf(error)}; expected the name of a package that is installed beside the controller, or a path`;
    throw new StartError(message.replaceAll('\n', ' '), { cause: error });
  }
};

const isPlugin = (value: unknown): value is ProviderPlugin =>
  typeof value === 'object' && value !== null && lackingInPlugin(value).length === 0;

/** The plugin that a package of this name, or a module at this path, exports as `providerPlugin`. Errors: StartError. */
export const loadPlugin = async (name: string): Promise<ProviderPlugin> => {
  const plugin: unknown = Reflect.get(await load(name), 'providerPlugin');
  if (isPlugin(plugin)) return plugin;
  if (typeof plugin !== 'object' || plugin === null)
    throw new StartError(`--cloud-provider ${name}: the package exports no providerPlugin, so it is no provider for this controller`);
  throw new StartError(`--cloud-provider ${name}: its providerPlugin lacks ${lackingInPlugin(plugin).join(', ')}`);
};
