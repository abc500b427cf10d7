import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ClassApi, startClassApi } from '../../testing/class-api.ts';

let api: ClassApi;
beforeAll(async () => {
  api = await startClassApi();
});
afterAll(() => api.close());

type List = 'vnetDNSOverrides' | 'kubeDNSOverrides';

const entry = (zone: string, more: object = {}) => ({
  zone,
  queryLogging: 'Error',
  protocol: 'PreferUDP',
  forwardDestination: zone.endsWith('cluster.local') ? 'ClusterCoreDNS' : 'VnetDNS',
  forwardPolicy: 'Sequential',
  maxConcurrent: 1000,
  cacheDuration: '1h',
  serveStaleDuration: '1h',
  serveStale: 'Immediate',
  ...more,
});
const both = [entry('.'), entry('cluster.local')];
const localDNS = (parts: object = {}) => ({ localDNS: { mode: 'Required', vnetDNSOverrides: both, kubeDNSOverrides: both, ...parts } });
/** The answer to an entry among the two that there must be. */
const admitEntry = (list: List, one: object): string => api.admit(localDNS({ [list]: [...both, one] })).refusal;
const admitField = (field: string, value: unknown): string => admitEntry('kubeDNSOverrides', entry('example.com', { [field]: value }));

describe('the mode of the DNS cache', () => {
  test.each(['Preferred', 'Required', 'Disabled'])('may be %s', (mode) => {
    expect(api.admit(localDNS({ mode })).refusal).toBe('');
  });

  test.each<[string, object, string]>([
    ['is no other', { mode: 'On' }, 'spec.localDNS.mode: Unsupported value: "On"'],
    ['is required', { mode: undefined }, 'spec.localDNS.mode: Required'],
    ['is not enough: the list for the network is required', { vnetDNSOverrides: undefined }, 'spec.localDNS.vnetDNSOverrides: Required'],
    ['is not enough: the list for the cluster is required', { kubeDNSOverrides: undefined }, 'spec.localDNS.kubeDNSOverrides: Required'],
  ])('%s', (_, parts, refusal) => {
    expect(api.admit(localDNS(parts)).refusal).toContain(refusal);
  });
});

describe('a field of an entry', () => {
  test.each<[field: string, takes: readonly unknown[], refuses: readonly unknown[]]>([
    ['zone', ['a', 'corp.example.com', 'example.com.', `${'a'.repeat(60)}.${'b'.repeat(60)}`], ['', '..', '-a.b', 'a b', 'a'.repeat(255)]],
    ['queryLogging', ['Error', 'Log'], ['Info']],
    ['protocol', ['PreferUDP', 'ForceTCP'], ['UDP']],
    ['forwardDestination', ['ClusterCoreDNS', 'VnetDNS'], ['Internet']],
    ['forwardPolicy', ['Sequential', 'RoundRobin', 'Random'], ['First']],
    ['maxConcurrent', [0, 1000], [-1, '5']],
    ['cacheDuration', ['30s', '5m', '1h30m', '0s'], ['', '30', '1d', '1.5h']],
    ['serveStaleDuration', ['30s', '5m', '1h30m', '0s'], ['', '30', '1d', '1.5h']],
    ['serveStale', ['Verify', 'Immediate', 'Disable'], ['Never']],
  ])('%s', (field, takes, refuses) => {
    expect(takes.map((value) => admitField(field, value))).toEqual(takes.map(() => ''));
    const said = refuses.map((value) => admitField(field, value));
    expect(said.filter((refusal) => !refusal.includes(`spec.localDNS.kubeDNSOverrides[2].${field}`))).toEqual([]);
    expect(admitField(field, undefined)).toContain(`spec.localDNS.kubeDNSOverrides[2].${field}: Required`);
  });
});

describe('the lists of entries', () => {
  const toCluster = { forwardDestination: 'ClusterCoreDNS' };
  const toNetwork = { forwardDestination: 'VnetDNS' };
  const needed = "there must be entries for the zones '.' and 'cluster.local'";
  const notToCluster = 'in vnetDNSOverrides only zones within cluster.local can be forwarded to ClusterCoreDNS';
  const notToNetwork = 'a zone that ends in cluster.local cannot be forwarded to VnetDNS';
  const many = (count: number) => [...both, ...Array.from({ length: count - 2 }, (_, at) => entry(`z${at}.example.com`))];

  test.each<[string, List, readonly object[], string]>([
    ['for the network need the root', 'vnetDNSOverrides', [entry('cluster.local')], needed],
    ['for the network need the cluster', 'vnetDNSOverrides', [entry('.')], needed],
    ['for the cluster need the root', 'kubeDNSOverrides', [entry('cluster.local')], needed],
    ['for the cluster need the cluster', 'kubeDNSOverrides', [entry('.')], needed],
    [
      'for the network do not send the root to the cluster',
      'vnetDNSOverrides',
      [entry('.', toCluster), entry('cluster.local')],
      notToCluster,
    ],
    ['for the network do not send others to the cluster', 'vnetDNSOverrides', [...both, entry('example.com', toCluster)], notToCluster],
    ['for the network send zones of the cluster to it', 'vnetDNSOverrides', [...both, entry('svc.cluster.local', toCluster)], ''],
    ['for the cluster may send the root to it', 'kubeDNSOverrides', [entry('.', toCluster), entry('cluster.local')], ''],
    ['for the network keep the cluster from it', 'vnetDNSOverrides', [entry('.'), entry('cluster.local', toNetwork)], notToNetwork],
    ['for the cluster keep the cluster from the network', 'kubeDNSOverrides', [...both, entry('a.cluster.local', toNetwork)], notToNetwork],
    [
      'do not verify stale answers over TCP',
      'kubeDNSOverrides',
      [...both, entry('example.com', { serveStale: 'Verify', protocol: 'ForceTCP' })],
      'serveStale Verify cannot be combined with protocol ForceTCP',
    ],
    ['verify stale answers over UDP', 'kubeDNSOverrides', [...both, entry('example.com', { serveStale: 'Verify' })], ''],
    ['have one entry a zone', 'kubeDNSOverrides', [...both, entry('.')], 'Duplicate value'],
    ['have up to a hundred entries', 'kubeDNSOverrides', many(100), ''],
    ['have no more than a hundred', 'kubeDNSOverrides', many(101), 'Too many: 101: must have at most 100 items'],
  ])('%s', (...[, list, entries, refusal]) => {
    const said = api.admit(localDNS({ [list]: entries })).refusal;
    if (refusal === '') expect(said).toBe('');
    else expect(said).toContain(refusal);
  });
});
