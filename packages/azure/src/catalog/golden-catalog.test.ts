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

/** What a size is said to have, as Azure writes it. */
const nominalGiB = new Map(
  recorded.map(({ name, capabilities }) => [name, capabilities.find((capability) => capability.name === 'MemoryGB')?.value ?? '']),
);

/** By which a reader checks a line. */
const FORMULAS = `Memory reported: GiB × 1024 × 0.925 (the kernel's share is taken to be 7.5 % until a node reports its memory). Kept back of cpu: 6 % of the first core, 4 % of
the second, 2 % of the third and fourth, 1 % of the others, in whole millicores. Kept back of memory, from the nominal GiB:
25 % of the first 4, 20 % of the next 4, 10 % of the next 8, 6 % of the next 112; 2 % of the others, in whole Mi. The kubelet evicts below 750 Mi; these are kept back, too. For pods is what remains.
`;

/** One line a size: nominal figures, what is kept back and left of them, and how many pods each network mode allows. */
const tableOf = (): string => {
  const modes = MODES.map((mode) => typesOf(defaultMaxPodsOf(mode)));
  const lines = (modes[0] ?? []).map((type, index) => {
    const left = allocatableOf(type);
    const pods = modes.map((types) => allocatableOf(types[index] ?? type)['pods'] ?? 0);
    const cells = [
      type.name,
      `${(type.capacity['cpu'] ?? 0) / 1000}`,
      `${(type.capacity['cpu'] ?? 0) - (left['cpu'] ?? 0)}m`,
      `${left['cpu'] ?? 0}m`,
      nominalGiB.get(type.name) ?? '',
      `${((type.capacity['memory'] ?? 0) / MIB).toFixed(1)}Mi`,
      `${((type.capacity['memory'] ?? 0) - (left['memory'] ?? 0)) / MIB}Mi`,
      `${((left['memory'] ?? 0) / MIB).toFixed(1)}Mi`,
      ...pods.map(String),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head = [
    'size',
    'vCPU',
    'cpu kept back',
    'cpu for pods',
    'GiB',
    'memory reported',
    'memory kept back',
    'memory for pods',
    'pods, overlay',
    'pods, node subnet',
    'pods, no plugin',
  ];
  return [FORMULAS, `| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...lines, ''].join('\n');
};

test('what each size leaves for pods, network mode by network mode, is __golden__/allocatable.md', () => {
  expect(tableOf()).toBe(readFileSync(new URL('./__golden__/allocatable.md', import.meta.url), 'utf8'));
});

// The formulas, the original's and ours, ignore the family: until a node reports its memory, Azure Linux 2 and 3 leave
// what Ubuntu leaves.
test('the table holds for Azure Linux too', () => {
  const lefts = (spec: AKSNodeClassSpec) => new Map(typesOf(250, spec).map((type) => [type.name, allocatableOf(type)]));
  const [ubuntu, azureLinux] = [lefts({ imageFamily: 'Ubuntu' }), lefts({ imageFamily: 'AzureLinux' })];
  expect(azureLinux.size).toBeGreaterThan(10);
  for (const [name, left] of azureLinux) expect(left).toEqual(ubuntu.get(name));
});
