import type { ResourceSlice } from '../kube/index.ts';

/** The nodes that a slice belongs to: the one that it names and the one that owns it. */
export const ownerNodesOf = ({ metadata, spec }: ResourceSlice): readonly string[] => {
  const owners = (metadata.ownerReferences ?? []).filter(({ kind }) => kind === 'Node').map(({ name }) => name);
  return [...new Set([...(spec.nodeName === undefined || spec.nodeName === '' ? [] : [spec.nodeName]), ...owners])];
};

/** What of a slice says whether its pool is whole. */
type PoolPart = Pick<ResourceSlice['spec']['pool'], 'generation' | 'resourceSliceCount'>;

/** Whether all slices of the highest generation are there. */
const isWhole = (parts: readonly PoolPart[]): boolean => {
  const newest = Math.max(...parts.map(({ generation = 0 }) => generation));
  const current = parts.filter(({ generation = 0 }) => generation === newest);
  return current.length === (current[0]?.resourceSliceCount ?? 1);
};

/** The drivers with at least one complete pool in the slices. */
export const driversWithPools = (slices: readonly ResourceSlice[]): ReadonlySet<string> => {
  const pools = new Map<string, { readonly driver: string; readonly parts: PoolPart[] }>();
  for (const { spec } of slices) {
    const key = `${spec.driver}/${spec.pool.name}`;
    const pool = pools.get(key) ?? { driver: spec.driver, parts: [] };
    pool.parts.push(spec.pool);
    pools.set(key, pool);
  }
  return new Set([...pools.values()].filter(({ parts }) => isWhole(parts)).map(({ driver }) => driver));
};
