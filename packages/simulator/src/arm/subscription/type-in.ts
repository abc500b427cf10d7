const PROVIDERS = '/providers/';

/** A resource type of a path or of a route's template: provider, and type below it. */
export interface TypeIn {
  /** `Microsoft.Compute` */
  readonly namespace: string;
  /** `virtualMachines/extensions` */
  readonly type: string;
}

/** The type that a request is about, also of a list; undefined for what no resource provider answers. */
export const typeIn = (method: string, path: string): TypeIn | undefined => {
  const at = path.lastIndexOf(PROVIDERS);
  const [namespace = '', ...segments] = at === -1 ? [] : path.slice(at + PROVIDERS.length).split('/');
  const types = segments.filter((_, index) => index % 2 === 0);
  if (method === 'POST' && types.length > 1 && segments.length % 2 === 1) types.pop();
  return types.length === 0 ? undefined : { namespace, type: types.join('/') };
};
