import { annotations } from '../apis/index.ts';
import type { NodePool } from '../apis/index.ts';
import { nodePoolHash, NODE_POOL_HASH_VERSION } from '../apis/index.ts';

/** What a pool, and each claim made from it, says about the template's content: the two differ once the template was edited. */
export const hashAnnotations = (pool: NodePool): Readonly<Record<string, string>> => ({
  [annotations.nodePoolHash]: nodePoolHash(pool),
  [annotations.nodePoolHashVersion]: NODE_POOL_HASH_VERSION,
});
