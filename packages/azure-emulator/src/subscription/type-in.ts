const PROVIDERS = '/providers/';

/** A resource type of a path or of a route's template: provider, and type below it. */
export interface TypeIn {
  /** `Microsoft.Compute` */
  readonly namespace: string;
  /** `virtualMachines/extensions` */
  readonly type: string;
}

/** `POST …/agentPools/karpenter/deleteMachines`: the last segment is what to do, no type. */
const isNamedAction = (method: string, segments: readonly string[]): boolean =>
  method === 'POST' && segments.length > 2 && segments.length % 2 === 1;

/** The type that a request is about, also of a list; undefined for what no resource provider answers. */
export const typeIn = (method: string, path: string): TypeIn | undefined => {
  const at = path.lastIndexOf(PROVIDERS);
  const [namespace = '', ...segments] = at === -1 ? [] : path.slice(at + PROVIDERS.length).split('/');
  const types = segments.filter((_, index) => index % 2 === 0);
  if (isNamedAction(method, segments)) types.pop();
  return types.length === 0 ? undefined : { namespace, type: types.join('/') };
};

const VERBS: Readonly<Record<string, string>> = { GET: 'read', PUT: 'write', PATCH: 'write', DELETE: 'delete', POST: 'action' };

/**
 * What roles call a request: `Microsoft.Compute/virtualMachines/write`,
 * `Microsoft.ContainerService/managedClusters/agentPools/deleteMachines/action`.
 */
export const roleActionOf = (method: string, path: string): string => {
  const { namespace, type } = typeIn(method, path) ?? { namespace: 'Microsoft.Resources', type: '' };
  const segments = path
    .slice(path.lastIndexOf(PROVIDERS) + PROVIDERS.length)
    .split('/')
    .slice(1);
  const named = isNamedAction(method, segments) ? segments.at(-1) : undefined;
  return [namespace, type, named, VERBS[method] ?? 'read'].filter((part) => part !== undefined && part !== '').join('/');
};
