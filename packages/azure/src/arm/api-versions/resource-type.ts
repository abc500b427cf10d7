/** Where operations are followed: by links that Azure gave, at its own versions. */
const OPERATIONS = /\/(?:operations|operationStatuses|operationResults|asyncOperations)$/i;

const PROVIDERS = '/providers/';

/**
 * The resource type that a call is about: `Microsoft.Compute/virtualMachines/extensions`, also of a list. Undefined for
 * what has no type of a resource provider, and for the operations of one.
 */
export const resourceTypeOf = (method: string, url: string): string | undefined => {
  const path = new URL(url).pathname;
  const at = path.lastIndexOf(PROVIDERS);
  const [namespace = '', ...segments] = at === -1 ? [] : path.slice(at + PROVIDERS.length).split('/');
  const types = segments.filter((_, index) => index % 2 === 0);
  // The last segment of a POST is what is to be done.
  if (method === 'POST' && types.length > 1 && segments.length % 2 === 1) types.pop();
  const type = [namespace, ...types].join('/');
  return types.length === 0 || OPERATIONS.test(type) ? undefined : type;
};
