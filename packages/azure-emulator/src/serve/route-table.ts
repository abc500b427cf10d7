import type { ArmRoute } from './route.ts';

interface Compiled {
  readonly route: ArmRoute;
  readonly pattern: RegExp;
}

export type RouteMatch =
  | { readonly kind: 'route'; readonly route: ArmRoute; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong-method' }
  | { readonly kind: 'unknown' };

const compile = (route: ArmRoute): Compiled => {
  const pattern = route.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return { route, pattern: new RegExp(`^${pattern}/?$`, 'i') };
};

const decodeGroups = (groups: Record<string, string> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]));

/** Finds the route of a request; the first in the list wins. */
export const routeTable = (routes: readonly ArmRoute[]): ((method: string, path: string) => RouteMatch) => {
  const compiled = routes.map(compile);
  return (method, path) => {
    let seen = false;
    for (const { route, pattern } of compiled) {
      const match = pattern.exec(path);
      if (!match) continue;
      if (route.method === method) return { kind: 'route', route, params: decodeGroups(match.groups) };
      seen = true;
    }
    return { kind: seen ? 'wrong-method' : 'unknown' };
  };
};
