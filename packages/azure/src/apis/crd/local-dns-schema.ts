import type { CelRule, JsonSchema } from '@karpenter/core';

const DURATION: JsonSchema = { type: 'string', maxLength: 100, pattern: '^([0-9]+(s|m|h))+$' };

const zoneSchema: JsonSchema = {
  type: 'object',
  required: [
    'cacheDuration',
    'forwardDestination',
    'forwardPolicy',
    'maxConcurrent',
    'protocol',
    'queryLogging',
    'serveStale',
    'serveStaleDuration',
    'zone',
  ],
  properties: {
    zone: {
      type: 'string',
      minLength: 1,
      maxLength: 254,
      pattern: '^(\\.|[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?)*\\.?)$',
      description: 'Domain that the entry is about; `.` is the root.',
    },
    queryLogging: { type: 'string', enum: ['Error', 'Log'], description: 'What is logged.' },
    protocol: { type: 'string', enum: ['PreferUDP', 'ForceTCP'], description: 'Protocol towards the upstream server.' },
    forwardDestination: { type: 'string', enum: ['ClusterCoreDNS', 'VnetDNS'], description: 'Where queries are forwarded.' },
    forwardPolicy: { type: 'string', enum: ['Sequential', 'RoundRobin', 'Random'], description: 'How queries choose an upstream server.' },
    maxConcurrent: { type: 'integer', format: 'int32', minimum: 0, description: 'Most concurrent queries.' },
    cacheDuration: { ...DURATION, description: 'How long answers are kept.' },
    serveStaleDuration: { ...DURATION, description: 'How long expired answers may still be given.' },
    serveStale: { type: 'string', enum: ['Verify', 'Immediate', 'Disable'], description: 'Whether expired answers are given.' },
  },
  'x-kubernetes-validations': [
    {
      rule: "!(self.serveStale == 'Verify' && self.protocol == 'ForceTCP')",
      message: 'serveStale Verify cannot be combined with protocol ForceTCP',
    },
    {
      rule: "!(self.zone.endsWith('cluster.local') && self.forwardDestination == 'VnetDNS')",
      message: 'a zone that ends in cluster.local cannot be forwarded to VnetDNS',
    },
  ],
};

const bothZones: CelRule = {
  rule: "self.exists(z, z.zone == '.') && self.exists(z, z.zone == 'cluster.local')",
  message: "there must be entries for the zones '.' and 'cluster.local'",
};

const vnetForwarding: CelRule = {
  rule: "self.all(z, z.zone.endsWith('cluster.local') || z.forwardDestination != 'ClusterCoreDNS')",
  message: 'in vnetDNSOverrides only zones within cluster.local can be forwarded to ClusterCoreDNS',
};

const overrides = (description: string, rules: readonly CelRule[]): JsonSchema => ({
  type: 'array',
  description,
  maxItems: 100,
  items: zoneSchema,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['zone'],
  'x-kubernetes-validations': rules,
});

/** `spec.localDNS` of an AKSNodeClass. */
export const localDnsSchema: JsonSchema = {
  type: 'object',
  description: 'A DNS cache on each node.',
  required: ['kubeDNSOverrides', 'mode', 'vnetDNSOverrides'],
  properties: {
    mode: { type: 'string', enum: ['Preferred', 'Required', 'Disabled'], description: 'Whether nodes get the cache.' },
    vnetDNSOverrides: overrides('Queries of pods with dnsPolicy Default.', [bothZones, vnetForwarding]),
    kubeDNSOverrides: overrides('Queries of pods with dnsPolicy ClusterFirst.', [bothZones]),
  },
};
