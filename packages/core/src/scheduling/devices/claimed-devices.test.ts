import { expect, test } from '@jest/globals';
import { snapshotOf } from '../../cluster/index.ts';
import type { ResourceClaim } from '../../kube/index.ts';
import { defaultSchedulingPolicy } from '../policy.ts';
import { createWhatIf } from '../what-if.ts';
import { DRIVER, nodePool } from './testing/a-gpu-claim.ts';

const amounts = { cpu: '64', memory: '256Gi', pods: '110' };

/** Nodes with a GPU each, which the claim of their pod has; the last has no pod. */
const clusterOf = (count: number, reads: { count: number }) => {
  const names = Array.from({ length: count }, (_, index) => `node-${index}`);
  const used = names.slice(0, -1);
  const claimOn = (name: string): ResourceClaim => {
    const results = [{ request: 'r', driver: DRIVER, pool: name, device: 'gpu' }];
    const status = { allocation: { devices: { results } }, reservedFor: [{ resource: 'pods', name, uid: name }] };
    return {
      metadata: { name, namespace: 'default' },
      spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } },
      get status() {
        reads.count++;
        return status;
      },
    };
  };
  return snapshotOf({
    nodePools: [nodePool],
    instanceTypes: [],
    deviceClasses: [{ metadata: { name: 'gpu' }, spec: {} }],
    resourceClaims: used.map(claimOn),
    resourceSlices: names.map((name) => ({
      metadata: { name },
      spec: { driver: DRIVER, nodeName: name, pool: { name, resourceSliceCount: 1 }, devices: [{ name: 'gpu' }] },
    })),
    nodes: names.map((name) => ({
      metadata: { name },
      status: { capacity: amounts, allocatable: amounts, conditions: [{ type: 'Ready', status: 'True' }] },
    })),
    pods: used.map((name) => ({
      metadata: { name, namespace: 'default', uid: name },
      spec: { nodeName: name, containers: [{ name: 'main' }], resourceClaims: [{ name: 'gpu', resourceClaimName: name }] },
    })),
  });
};

test('a question about a node with devices reads as few claims among 400 nodes as among 40', () => {
  const readsOf = (count: number): number => {
    const reads = { count: 0 };
    const whatIf = createWhatIf(clusterOf(count, reads), defaultSchedulingPolicy);
    const placesOf = (name: string): readonly string[] => [...whatIf.ask(new Set([name])).placements.keys()];
    reads.count = 0;
    expect([placesOf('node-0'), placesOf('node-1'), placesOf('node-0')]).toEqual(Array(3).fill([`node-${count - 1}`]));
    return reads.count;
  };
  expect(readsOf(40)).toBeGreaterThan(0);
  expect(readsOf(400)).toBe(readsOf(40));
});
