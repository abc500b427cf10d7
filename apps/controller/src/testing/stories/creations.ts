import type { TestCluster } from '../clusters/test-cluster.ts';

/** Path of a machine → how often Azure created it. */
export const creationsOf = ({ arm }: TestCluster): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { path, status } of arm.requests.of('VirtualMachines_CreateOrUpdate')) {
    if (status === 201) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
};
