import type { ArmReply, ArmRequest } from './route.ts';
import { ok } from './replies.ts';

/** One page of a list, with `nextLink` while there is more; the link carries the whole query and a `$skiptoken`. */
export const pagedList = (
  rows: readonly unknown[],
  request: ArmRequest,
  paging: { readonly url: string; readonly pageSize: number },
): ArmReply => {
  const from = Number(request.query.get('$skiptoken') ?? 0);
  const to = from + paging.pageSize;
  const value = rows.slice(from, to);
  if (to >= rows.length) return ok({ value });
  const query = new URLSearchParams(request.query);
  query.set('$skiptoken', String(to));
  return ok({ value, nextLink: `${paging.url}${request.path}?${query.toString()}` });
};
