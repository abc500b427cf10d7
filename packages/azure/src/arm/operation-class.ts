import { tokenBucket, type TokenBucket } from './token-bucket.ts';

/** What ARM counts apart. Queries of Resource Graph have a quota of their own. */
export type OperationClass = 'reads' | 'writes' | 'deletes' | 'queries';

/** Calls of each bucket that are left alone: others of the same principal, and calls that overtake each other, need them. */
export const RESERVED_CALLS = 5;

/** Azure's buckets for one principal of one subscription; Resource Graph grants fifteen queries in five seconds. */
const SIZES = {
  reads: { burst: 250 - RESERVED_CALLS, perSecond: 25 },
  writes: { burst: 200 - RESERVED_CALLS, perSecond: 10 },
  deletes: { burst: 200 - RESERVED_CALLS, perSecond: 10 },
  queries: { burst: 15 - RESERVED_CALLS, perSecond: 3 },
} as const;

export const operationClassOf = (method: string, url = ''): OperationClass => {
  switch (method) {
    case 'PUT':
    case 'PATCH':
      return 'writes';
    case 'DELETE':
      return 'deletes';
    case 'POST':
      return url.includes('/deleteMachines') ? 'deletes' : 'queries';
    default:
      return 'reads';
  }
};

/** A full bucket for each class. */
export const operationBuckets = (clock: { now(): number }): Readonly<Record<OperationClass, TokenBucket>> => ({
  reads: tokenBucket(SIZES.reads, clock),
  writes: tokenBucket(SIZES.writes, clock),
  deletes: tokenBucket(SIZES.deletes, clock),
  queries: tokenBucket(SIZES.queries, clock),
});
