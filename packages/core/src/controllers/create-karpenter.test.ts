import { expect, test } from '@jest/globals';
import { fakeClock, silentLogger } from '@karpenter/runtime';
import { defaultLabelCatalog } from '../apis/index.ts';
import type { CloudProvider } from '../cloudprovider/index.ts';
import { FakeCluster } from '../ports/fixtures/fake-cluster.ts';
import type { Metrics, Reading } from '../ports/index.ts';
import { defaultSchedulingPolicy } from '../scheduling/index.ts';
import { createKarpenter } from './create-karpenter.ts';

const nothing: CloudProvider = {
  ...{ name: 'test', labelCatalog: defaultLabelCatalog, repairPolicies: [] },
  getSupportedNodeClasses: () => [],
  create: () => Promise.reject(new Error('nothing is for sale')),
  ...{ delete: () => Promise.resolve('gone'), get: () => Promise.resolve(undefined), list: () => Promise.resolve([]) },
  ...{ getInstanceTypes: () => Promise.resolve([]), isDrifted: () => Promise.resolve(undefined) },
};

test('each metric that is read at a scrape leaves a mark while it is read, and none afterwards', () => {
  const reads = new Map<string, () => Iterable<Reading>>();
  const metric = { increment: () => undefined, set: () => undefined, observe: () => undefined };
  const metrics: Metrics = {
    ...{ counter: () => metric, histogram: () => metric },
    gauge: ({ name }, read) => {
      if (read !== undefined) reads.set(name, read);
      return metric;
    },
  };
  const noted: (string | undefined)[] = [];
  const note = (text?: string): boolean => noted.push(text) > 0;
  const cluster = new FakeCluster();
  createKarpenter({
    ...{ kube: cluster, caches: cluster.caches, provider: nothing, clock: fakeClock(), metrics, logger: silentLogger },
    ...{ events: { record: () => undefined }, policy: defaultSchedulingPolicy },
    planMarks: { read: () => undefined, write: note, clear: note },
  });
  expect([...reads.keys()]).toEqual(
    expect.arrayContaining(['karpenter_nodepools_cost_total', 'karpenter_nodepools_allowed_disruptions', 'karpenter_pods_state']),
  );
  for (const [name, read] of reads) {
    noted.length = 0;
    Array.from(read());
    expect([name, ...noted]).toEqual([name, expect.stringContaining('"metrics"'), undefined]);
  }
});
