import { describe, expect, test } from '@jest/globals';
import type { ApiObject } from '@karpenter/api-server';
import { crdServer } from './testing/crd-server.ts';

interface Written extends ApiObject {
  readonly spec: object;
}

const server = crdServer();

const nodeClassRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };

type Place = readonly [place: string, object: (key: string, name: string) => Written];

const exists = (key: string) => ({ key, operator: 'Exists' });
/** Everywhere that a user may name a label. */
const PLACES: readonly Place[] = [
  [
    'a requirement of a NodePool',
    (key, name) => ({
      ...{ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name } },
      spec: { template: { spec: { requirements: [exists(key)], nodeClassRef } } },
    }),
  ],
  [
    'a label of a NodePool’s nodes',
    (key, name) => ({
      ...{ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name } },
      spec: { template: { metadata: { labels: { [key]: 'x' } }, spec: { requirements: [], nodeClassRef } } },
    }),
  ],
  [
    'a requirement of a NodeClaim',
    (key, name) => ({
      ...{ apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', metadata: { name } },
      spec: { requirements: [exists(key)], nodeClassRef },
    }),
  ],
  [
    'a requirement of a NodeOverlay',
    (key, name) => ({
      ...{ apiVersion: 'karpenter.sh/v1alpha1', kind: 'NodeOverlay', metadata: { name } },
      spec: { requirements: [exists(key)], weight: 1, price: '1' },
    }),
  ],
];

let made = 0;
const refusalOf = (object: Place[1], key: string): string => {
  made += 1;
  try {
    server().local.create(object(key, `object-${made}`));
    return '';
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.message;
  }
};

const OWN = [
  ...['name', 'family', 'series', 'version', 'cpu', 'memory', 'networking-accelerated', 'gpu-name', 'gpu-manufacturer', 'gpu-count'],
  ...['storage-premium-capable', 'storage-ephemeralos-maxsize', 'storage-ultra-ssd'],
].map((name) => `karpenter.azure.com/sku-${name}`);

const AKS = [
  ...['mode', 'scalesetpriority', 'priority', 'fips_enabled', 'os-sku', 'cluster', 'sku-cpu', 'sku-memory'],
  ...['ebpf-dataplane', 'ebpf-host-routing', 'network-policy', 'hostedvm'],
].map((name) => `kubernetes.azure.com/${name}`);

const restricted = (domain: string): string => `label domain "${domain}" is restricted to its well-known labels`;
const ofAks = 'the labels agentpool, storageprofile, storagetier, accelerator belong to AKS';

/** What users may not name. Source: the original's `hack/validation/{labels,requirements}.sh`. */
const REFUSED: readonly (readonly [key: string, why: string])[] = [
  ['karpenter.azure.com/sku-hyperv-generation', restricted('karpenter.azure.com')],
  ['karpenter.azure.com/sku-colour', restricted('karpenter.azure.com')],
  ['sub.karpenter.azure.com/sku-name', restricted('karpenter.azure.com')],
  ['kubernetes.azure.com/role', restricted('kubernetes.azure.com')],
  ['kubernetes.azure.com/agentpool', restricted('kubernetes.azure.com')],
  ['kubernetes.azure.com/localdns-state', restricted('kubernetes.azure.com')],
  ['agentpool', ofAks],
  ['storageprofile', ofAks],
  ['storagetier', ofAks],
  ['accelerator', ofAks],
];

describe.each(PLACES)('the API server, asked for %s', (_, object) => {
  test.each([...OWN, 'karpenter.azure.com/placement-scope', 'karpenter.azure.com/aksnodeclass', ...AKS, 'example.com/agentpool'])(
    'takes %s',
    (key) => expect(refusalOf(object, key)).toBe(''),
  );

  test.each(REFUSED)('refuses %s', (key, why) => expect(refusalOf(object, key)).toContain(why));
});
