import { describe, expect, test } from '@jest/globals';
import { apiVersions, type VersionFallback } from './api-versions.ts';
import { resourceTypeOf } from './resource-type.ts';

const TYPE = 'Microsoft.Compute/virtualMachines';
const MACHINES = 'Microsoft.ContainerService/managedClusters/agentPools/machines';

const book = (chosen: Readonly<Record<string, string>> = {}) => {
  const fallbacks: VersionFallback[] = [];
  return { fallbacks, versions: apiVersions({ chosen, onFallback: (fallback) => void fallbacks.push(fallback) }) };
};

describe('the api-version of a call', () => {
  test.each<[string, { offered: readonly string[]; own: string; used: string }]>([
    ['nothing is known of the type', { offered: [], own: '2026-04-01', used: '2026-04-01' }],
    ['it is offered', { offered: ['2025-04-01', '2026-04-01'], own: '2026-04-01', used: '2026-04-01' }],
    ['only older ones are offered', { offered: ['2024-11-01', '2025-04-01'], own: '2026-04-01', used: '2025-04-01' }],
    [
      'a preview is newer, and the wanted one is stable',
      { offered: ['2025-04-01', '2026-02-02-preview'], own: '2026-04-01', used: '2025-04-01' },
    ],
    ['only previews are older', { offered: ['2026-02-02-preview', '2026-06-02-preview'], own: '2026-04-01', used: '2026-02-02-preview' }],
    [
      'the wanted one is a preview',
      { offered: ['2026-05-01', '2026-06-02-preview'], own: '2026-08-02-preview', used: '2026-06-02-preview' },
    ],
    ['only newer ones are offered', { offered: ['2027-01-01', '2026-09-01'], own: '2026-04-01', used: '2026-09-01' }],
  ])('when %s › it is the nearest', (_, { offered, own, used }) => {
    const { versions } = book();
    versions.learn(TYPE.toLowerCase(), offered);
    expect(versions.versionFor(TYPE, own)).toBe(used);
  });

  test('is the stated one of the type, then of the provider', () => {
    const { versions } = book({ 'Microsoft.Compute': '2024-07-01', 'microsoft.compute/virtualmachines': '2025-04-01' });
    expect(versions.versionFor(TYPE, '2026-04-01')).toBe('2025-04-01');
    expect(versions.versionFor('Microsoft.Compute/disks', '2026-04-01')).toBe('2024-07-01');
    expect(versions.versionFor('Microsoft.Network/networkInterfaces', '2026-04-01')).toBe('2026-04-01');
  });

  test('when AKS offers an older preview › what classes cannot have is said once', () => {
    const { versions, fallbacks } = book();
    versions.learn(MACHINES, ['2026-06-02-preview']);
    versions.versionFor(MACHINES, '2026-08-02-preview');
    versions.versionFor(MACHINES, '2026-08-02-preview');
    expect(fallbacks).toEqual([
      {
        type: MACHINES.toLowerCase(),
        wanted: '2026-08-02-preview',
        used: '2026-06-02-preview',
        lacks: 'localDNS, ultra disks and encryption at the host of classes are refused by AKS',
      },
    ]);
  });

  test.each([
    { offered: '2023-09-01', lacks: expect.stringContaining('ephemeral OS disks on NVMe are refused') },
    { offered: '2024-03-01', lacks: undefined },
  ])('when Compute offers $offered only › what machines then cannot have is said', ({ offered, lacks }) => {
    const { versions, fallbacks } = book();
    versions.learn(TYPE, [offered]);
    versions.versionFor(TYPE, '2026-04-01');
    expect(fallbacks).toEqual([{ type: TYPE.toLowerCase(), wanted: '2026-04-01', used: offered, lacks }]);
  });
});

const SUBSCRIPTION = 'https://management.azure.com/subscriptions/s';

test.each<[string, string, string | undefined]>([
  ['GET', 'resourceGroups/g/providers/Microsoft.Compute/virtualMachines/a/extensions/e?api-version=1', `${TYPE}/extensions`],
  ['GET', 'resourceGroups/g/providers/Microsoft.Compute/virtualMachines', TYPE],
  ['GET', 'providers/Microsoft.Compute/locations/eastus/usages', 'Microsoft.Compute/locations/usages'],
  [
    'POST',
    'resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/c/agentPools/p/deleteMachines',
    'Microsoft.ContainerService/managedClusters/agentPools',
  ],
  ['GET', 'providers/Microsoft.Compute/locations/eastus/operations/1', undefined],
  ['GET', 'providers/Microsoft.Compute', undefined],
  ['GET', 'resourceGroups/g', undefined],
])('%s %s is about %s', (method, path, type) => {
  expect(resourceTypeOf(method, `${SUBSCRIPTION}/${path}`)).toBe(type);
});
