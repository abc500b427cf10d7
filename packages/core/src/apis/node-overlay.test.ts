import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog } from './label-catalog.ts';
import { labels } from './names.ts';
import { nodeOverlayProblems } from './node-overlay.ts';
import type { NodeOverlay } from './node-overlay.ts';

const fieldsOf = (spec: Partial<NodeOverlay['spec']>): readonly string[] =>
  nodeOverlayProblems(
    { apiVersion: 'karpenter.sh/v1alpha1', kind: 'NodeOverlay', metadata: { name: 'a' }, spec: { requirements: [], ...spec } },
    defaultLabelCatalog,
  ).map(({ field }) => field);

interface Case {
  readonly says: string;
  readonly spec: Partial<NodeOverlay['spec']>;
  readonly fields: readonly string[];
}

describe('nodeOverlayProblems', () => {
  test.each<Case>([
    { says: 'nothing about a price', spec: { price: '0.25' }, fields: [] },
    {
      says: 'nothing about the pool, which an overlay may name',
      spec: { requirements: [{ key: labels.nodePool, operator: 'Exists' }] },
      fields: [],
    },
    { says: 'that a price has no sign', spec: { price: '-1' }, fields: ['spec.price'] },
    { says: 'nothing about an amount to add', spec: { priceAdjustment: '+0.5' }, fields: [] },
    { says: 'nothing about the whole price off', spec: { priceAdjustment: '-100%' }, fields: [] },
    { says: 'that no more than all can be taken off', spec: { priceAdjustment: '-101%' }, fields: ['spec.priceAdjustment'] },
    { says: 'that an adjustment has a sign', spec: { priceAdjustment: '10%' }, fields: ['spec.priceAdjustment'] },
    { says: 'that price and adjustment exclude each other', spec: { price: '1', priceAdjustment: '+1' }, fields: ['spec.priceAdjustment'] },
    { says: 'that memory is the provider’s', spec: { capacity: { memory: '1Gi' } }, fields: ['spec.capacity.memory'] },
    { says: 'what is no quantity', spec: { capacity: { 'a.com/x': 'many' } }, fields: ['spec.capacity.a.com/x'] },
    { says: 'what is less than nothing', spec: { capacity: { 'a.com/x': '-1' } }, fields: ['spec.capacity.a.com/x'] },
    { says: "what is no machine's price", spec: { price: '9'.repeat(400) }, fields: ['spec.price'] },
    {
      says: 'an adjustment of 100,000 digits, at once',
      spec: { priceAdjustment: `+${'9'.repeat(100_000)}%` },
      fields: ['spec.priceAdjustment'],
    },
    { says: 'that weights end at 10000', spec: { weight: 10_001 }, fields: ['spec.weight'] },
    { says: 'that NotIn takes a value', spec: { requirements: [{ key: 'a', operator: 'NotIn' }] }, fields: ['spec.requirements[0]'] },
    { says: 'that In takes a value', spec: { requirements: [{ key: 'a', operator: 'In' }] }, fields: ['spec.requirements[0]'] },
    {
      says: 'which labels are restricted',
      spec: { requirements: [{ key: labels.hostname, operator: 'Exists' }] },
      fields: ['spec.requirements[0].key'],
    },
  ])('says $says', ({ spec, fields }) => expect(fieldsOf(spec)).toEqual(fields));
});
