import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { labels } from '@karpenter/core';
import { kwokLabels } from '../apis/kwok-names.ts';
import { genericTypes } from './generic-types.ts';
import { instanceTypesOf, labelCatalogOf, typeLabels } from './instance-types.ts';
import { parseInstanceTypes } from './parse-instance-types.ts';

/** Of the same lines, made from `kwok/cloudprovider/instance_types.json` of kubernetes-sigs/karpenter v1.14.1. */
const ORIGINAL_TYPES = '308688a03372ca03cc6a0258021a197ad0c81a9ccc1fc525ea0b65969bb4e159';

describe('the generic instance types', () => {
  test('are the 144 of the original in every amount, zone and price', () => {
    const lines = genericTypes().flatMap(({ name, architecture, operatingSystem, resources, offerings }) => {
      const { cpu, memory, pods, 'ephemeral-storage': storage } = resources;
      const type = [name, architecture, operatingSystem, cpu, memory, storage, pods];
      return offerings.map(({ zone, capacityType, pricePerHour }) => [...type, zone, capacityType, pricePerHour.toFixed(9)].join('|'));
    });
    expect(lines).toHaveLength(144 * 8);
    expect(createHash('sha256').update(lines.sort().join('\n')).digest('hex')).toBe(ORIGINAL_TYPES);
  });

  test('keep 100 millicores and 10 MiB back', () => {
    const [type] = instanceTypesOf(genericTypes(), labelCatalogOf([]), () => true);
    expect(type?.overhead).toEqual({ cpu: 100, memory: 10 * 2 ** 20 });
  });
});

test('the file of types that the page on kwok shows is read', () => {
  const page = readFileSync(new URL('../../../../docs/kwok.md', import.meta.url), 'utf8');
  const [, file = ''] = /<<'END'\n([\s\S]*?)\nEND\n/.exec(page) ?? [];
  expect(parseInstanceTypes(file)).toMatchObject({ ok: true, entries: [{ name: 'odd-3x', offerings: [{ pricePerHour: 0.09 }] }] });
});

const anOffering = (price: number, ...requirements: readonly object[]) => ({
  Price: price,
  Available: false,
  Requirements: [
    { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
    { key: labels.zone, operator: 'In', values: ['zone-1'] },
    ...requirements,
  ],
});
const aType = (parts: object = {}) => ({
  name: 'm5.2xlarge',
  architecture: 'amd64',
  operatingSystems: ['linux'],
  resources: { cpu: 8, memory: '32Gi' },
  offerings: [anOffering(0.384, { key: 'example.com/rack', operator: 'In', values: ['r1'] })],
  ...parts,
});

describe('a file of instance types', () => {
  test('gives types with their offerings; pods are 110 where it says nothing', () => {
    const parsed = parseInstanceTypes(JSON.stringify([aType()]));
    if (!parsed.ok) throw new Error(parsed.problem);
    const [entry] = parsed.entries;
    expect(entry).toEqual({
      ...{ name: 'm5.2xlarge', architecture: 'amd64', operatingSystem: 'linux' },
      resources: { cpu: '8', memory: '32Gi', pods: '110' },
      offerings: [{ pricePerHour: 0.384, zone: 'zone-1', capacityType: 'on-demand', labels: { 'example.com/rack': 'r1' } }],
    });
    expect(entry && typeLabels(entry)).toMatchObject({ [kwokLabels.instanceFamily]: 'm5', [kwokLabels.instanceSize]: '2xlarge' });
    expect(labelCatalogOf(parsed.entries).wellKnown.has('example.com/rack')).toBe(true);
  });

  test.each([
    ['no JSON', '[', 'JSON'],
    ['an empty list', '[]', 'the file is no list with at least one element'],
    ['a type without memory', JSON.stringify([aType({ resources: { cpu: '8' } })]), '[0].resources.memory is missing'],
    [
      'a resource that is no quantity',
      JSON.stringify([aType({ resources: { cpu: 'much', memory: '1Gi' } })]),
      '[0].resources.cpu is no quantity',
    ],
    ['a negative resource', JSON.stringify([aType({ resources: { cpu: '-1', memory: '1Gi' } })]), '[0].resources.cpu is no quantity'],
    ['a price without end', JSON.stringify([aType()]).replace(/"Price":[0-9.]+/, '"Price":1e999'), '[0].offerings[0].Price is no number'],
    ['a type twice', JSON.stringify([aType(), aType()]), 'm5.2xlarge is there twice'],
    ['an offering without a price', JSON.stringify([aType({ offerings: [{}] })]), '[0].offerings[0].Price is no number'],
    ['reserved capacity', JSON.stringify([aType()]).replace('on-demand', 'reserved'), 'that is spot or on-demand'],
  ])('that has %s is refused with the place', (_, json, problem) => {
    const parsed = parseInstanceTypes(json);
    expect(parsed.ok ? '' : parsed.problem).toContain(problem);
  });
});
