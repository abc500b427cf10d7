import { describe, expect, test } from '@jest/globals';
import { aNodePool } from '../testing/objects.ts';
import { nodePoolHash, withDefaults } from './node-pool.ts';
import type { NodeClaimTemplate, NodePool, NodePoolSpec } from './node-pool.ts';

const template: NodeClaimTemplate = {
  metadata: { labels: { team: 'a', tier: 'web' } },
  spec: {
    requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
    nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
    taints: [
      { key: 'a', effect: 'NoSchedule' },
      { key: 'b', effect: 'NoExecute' },
    ],
  },
};
const poolWithSpec = (spec: Partial<NodePoolSpec> = {}): NodePool => aNodePool('default', { spec: { template, ...spec } });
const withTemplateSpec = (change: Partial<NodeClaimTemplate['spec']>): NodePool =>
  poolWithSpec({ template: { ...template, spec: { ...template.spec, ...change } } });

describe('nodes drift when the pool changes', () => {
  test.each<[string, NodePool]>([
    ['its labels', poolWithSpec({ template: { ...template, metadata: { labels: { team: 'b' } } } })],
    ['its annotations', poolWithSpec({ template: { ...template, metadata: { ...template.metadata, annotations: { a: 'b' } } } })],
    ['its taints', withTemplateSpec({ taints: [] })],
    ['its startup taints', withTemplateSpec({ startupTaints: [{ key: 'c', effect: 'NoSchedule' }] })],
    ['its node class', withTemplateSpec({ nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'other' } })],
    ['its expiry', withTemplateSpec({ expireAfter: 'Never' })],
    ['its grace period', withTemplateSpec({ terminationGracePeriod: '1h' })],
  ])('%s', (_, pool) => expect(nodePoolHash(pool)).not.toBe(nodePoolHash(poolWithSpec())));
});

describe('nodes stay when', () => {
  test.each<[string, NodePool]>([
    ['defaults are written out', withDefaults(poolWithSpec())],
    ['the default expiry is written another way', withTemplateSpec({ expireAfter: '43200m' })],
    ['taints change places', withTemplateSpec({ taints: [...(template.spec.taints ?? [])].reverse() })],
    ['requirements change, which are compared with the labels of the node', withTemplateSpec({ requirements: [] })],
    ['limits, weight and disruption change', poolWithSpec({ limits: { cpu: '10' }, weight: 5, disruption: { consolidateAfter: 'Never' } })],
    ['an empty list is written', withTemplateSpec({ startupTaints: [] })],
  ])('%s', (_, pool) => expect(nodePoolHash(pool)).toBe(nodePoolHash(poolWithSpec())));

  test('the library is updated: the value itself is a promise', () =>
    expect(nodePoolHash(poolWithSpec())).toMatchInlineSnapshot(`"4556946946563445012"`));
});

test('filling defaults in twice changes nothing', () =>
  expect(withDefaults(withDefaults(poolWithSpec()))).toEqual(withDefaults(poolWithSpec())));
