import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { allocatableOf, type InstanceType } from '@karpenter/core';
import recorded from '../../data/resource-skus.southcentralus.json' with { type: 'json' };
import type { AKSNodeClassSpec } from '../apis/index.ts';
import { defaultMaxPodsOf } from '../options/index.ts';
import { staticPricesOf } from '../pricing/index.ts';
import { instanceTypeCatalog } from './instance-type-catalog.ts';
import { facetsOf } from './node-class-facets.ts';
import { unavailableOfferings } from './unavailable-offerings.ts';

const location = 'southcentralus';
const MIB = 1024 ** 2;

const typesOf = (maxPods: number, spec: AKSNodeClassSpec = {}): readonly InstanceType[] => {
  const settings = { location, clusterLabel: 'MC_rg_main', vmMemoryOverheadPercent: 0.075 };
  const unavailable = unavailableOfferings({ now: () => 0 });
  const catalog = instanceTypeCatalog({ settings, prices: staticPricesOf(location), unavailable, clock: { now: () => 0 } });
  catalog.setSkus(recorded);
  return catalog.typesFor(facetsOf({ spec }, maxPods));
};

const MODES = [
  { networkPlugin: 'azure', networkPluginMode: 'overlay' },
  { networkPlugin: 'azure', networkPluginMode: '' },
  { networkPlugin: 'none', networkPluginMode: '' },
] as const;

/** One line a size: nominal figures, what is left of them for pods, and how many pods each network mode allows. */
const tableOf = (): string => {
  const modes = MODES.map((mode) => typesOf(defaultMaxPodsOf(mode)));
  const lines = (modes[0] ?? []).map((type, index) => {
    const left = allocatableOf(type);
    const pods = modes.map((types) => allocatableOf(types[index] ?? type)['pods'] ?? 0);
    const cells = [
      type.name,
      `${(type.capacity['cpu'] ?? 0) / 1000}`,
      `${left['cpu'] ?? 0}m`,
      `${((type.capacity['memory'] ?? 0) / MIB).toFixed(1)}Mi`,
      `${((left['memory'] ?? 0) / MIB).toFixed(1)}Mi`,
      ...pods.map(String),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head = [
    'size',
    'vCPU',
    'cpu for pods',
    'memory reported',
    'memory for pods',
    'pods, overlay',
    'pods, node subnet',
    'pods, no plugin',
  ];
  return [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...lines, ''].join('\n');
};

test('what each size leaves for pods, network mode by network mode, is __golden__/allocatable.md', () => {
  expect(tableOf()).toBe(readFileSync(new URL('./__golden__/allocatable.md', import.meta.url), 'utf8'));
});

// Neither the original's formulas nor ours know the family: Azure Linux 2 and 3 leave what Ubuntu leaves, as long as no node has told.
test('the table holds for Azure Linux too', () => {
  const lefts = (spec: AKSNodeClassSpec) => new Map(typesOf(250, spec).map((type) => [type.name, allocatableOf(type)]));
  const [ubuntu, azureLinux] = [lefts({ imageFamily: 'Ubuntu' }), lefts({ imageFamily: 'AzureLinux' })];
  expect(azureLinux.size).toBeGreaterThan(10);
  for (const [name, left] of azureLinux) expect(left).toEqual(ubuntu.get(name));
});
