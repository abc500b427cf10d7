import { armTokenBucket, type ArmTokenBucket } from './token-bucket.ts';

/** What ARM counts apart. Queries of Resource Graph have a quota of their own. */
export type OperationClass = 'reads' | 'writes' | 'deletes' | 'queries';

/** Whose buckets there are: Resource Manager's for each class, and for AKS one more, smaller than any of these. */
export type BucketName = OperationClass | 'calls to AKS';

/** Calls of each bucket that are left alone: others of the same principal, and calls that overtake each other, need them. */
export const RESERVED_CALLS = 5;

/**
 * Azure's buckets for one principal of one subscription; Resource Graph grants fifteen queries in five seconds. AKS
 * does not say what it grants the API of machines: this is what it grants calls that it does not name. Source: AKS,
 * "Throttling limits on AKS resource provider APIs".
 */
const SIZES = {
  reads: { burst: 250 - RESERVED_CALLS, perSecond: 25 },
  writes: { burst: 200 - RESERVED_CALLS, perSecond: 10 },
  deletes: { burst: 200 - RESERVED_CALLS, perSecond: 10 },
  queries: { burst: 15 - RESERVED_CALLS, perSecond: 3 },
  'calls to AKS': { burst: 60 - RESERVED_CALLS, perSecond: 1 },
} as const;

export const operationClassOf = (method: string, url = ''): OperationClass => {
  switch (method) {
    case 'PUT':
    case 'PATCH':
      return 'writes';
    case 'DELETE':
      return 'deletes';
    case 'POST':
      // Source: Azure, "Spot Placement Score": part of the quota of GET calls.
      if (url.includes('/placementScores/')) return 'reads';
      return url.includes('/deleteMachines') ? 'deletes' : 'queries';
    default:
      return 'reads';
  }
};

/** Which bucket a call is taken from. */
export const bucketNameOf = (method: string, url: string): BucketName =>
  url.includes('/providers/Microsoft.ContainerService/') ? 'calls to AKS' : operationClassOf(method, url);

/** All buckets, full. */
export const operationBuckets = (clock: { now(): number }): Readonly<Record<BucketName, ArmTokenBucket>> => ({
  reads: armTokenBucket(SIZES.reads, clock),
  writes: armTokenBucket(SIZES.writes, clock),
  deletes: armTokenBucket(SIZES.deletes, clock),
  queries: armTokenBucket(SIZES.queries, clock),
  'calls to AKS': armTokenBucket(SIZES['calls to AKS'], clock),
});
