import type { ArmReply, ArmRequest } from './route.ts';
import { ok } from './replies.ts';
import type { ArmWorld } from '../world.ts';

/**
 * One page of a list, with `nextLink` while there is more; the link carries the whole query and a `$skiptoken`.
 * `pageSize` is what Azure uses for this list; the emulator's own overrides it.
 */
export const pagedList = (
  rows: readonly unknown[],
  request: ArmRequest,
  { world, pageSize = 100 }: { readonly world: ArmWorld; readonly pageSize?: number },
): ArmReply => {
  const from = Number(request.query.get('$skiptoken') ?? 0);
  const to = from + (world.pageSize ?? pageSize);
  const value = rows.slice(from, to);
  if (to >= rows.length) return ok({ value });
  const query = new URLSearchParams(request.query);
  query.set('$skiptoken', String(to));
  return ok({ value, nextLink: `${world.url}${request.path}?${query.toString()}` });
};
