import { expect, test } from '@jest/globals';
import { nodeProjection } from './node-projection.ts';

test('a node is kept without its images, and otherwise as it is', () => {
  const status = {
    capacity: { cpu: '4' },
    conditions: [{ type: 'Ready', status: 'True' as const }],
    nodeInfo: { kubeletVersion: 'v1.34.2' },
  };
  const node = {
    ...{ apiVersion: 'v1' as const, kind: 'Node' as const, metadata: { name: 'a', managedFields: [{}] }, spec: { providerID: 'x' } },
    status: { ...status, images: [{ names: ['web:1'], sizeBytes: 1 }], addresses: [] },
  };
  expect(nodeProjection(node)).toEqual({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, spec: { providerID: 'x' }, status });
});
