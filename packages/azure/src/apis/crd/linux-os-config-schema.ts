import type { JsonSchema } from '@karpenter/core';
import { SIZE_PATTERN } from './kubelet-schema.ts';

/** Sysctl → least and greatest value. Source: AKS custom node configuration. */
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  fsAioMaxNr: [65536, 6553500],
  fsFileMax: [8192, 12000500],
  fsInotifyMaxUserWatches: [781250, 2097152],
  fsNrOpen: [8192, 20000500],
  kernelThreadsMax: [20, 513785],
  netCoreNetdevMaxBacklog: [1000, 3240000],
  netCoreOptmemMax: [20480, 4194304],
  netCoreRmemDefault: [212992, 134217728],
  netCoreRmemMax: [212992, 134217728],
  netCoreSomaxconn: [4096, 3240000],
  netCoreWmemDefault: [212992, 134217728],
  netCoreWmemMax: [212992, 134217728],
  netIPv4NeighDefaultGcThresh1: [128, 80000],
  netIPv4NeighDefaultGcThresh2: [512, 90000],
  netIPv4NeighDefaultGcThresh3: [1024, 100000],
  netIPv4TCPFinTimeout: [5, 120],
  netIPv4TCPKeepaliveProbes: [1, 15],
  netIPv4TCPKeepaliveTime: [30, 432000],
  netIPv4TCPMaxSynBacklog: [128, 3240000],
  netIPv4TCPMaxTwBuckets: [8000, 1440000],
  netIPv4TCPKeepaliveIntvl: [10, 90],
  netNetfilterNfConntrackBuckets: [65536, 524288],
  netNetfilterNfConntrackMax: [131072, 2097152],
  vmMaxMapCount: [65530, 262144],
  vmSwappiness: [0, 100],
  vmVfsCachePressure: [0, 100],
};

const ranged = Object.fromEntries(
  Object.entries(RANGES).map(([name, [minimum, maximum]]): [string, JsonSchema] => [
    name,
    { type: 'integer', format: 'int32', minimum, maximum, description: `Sysctl ${name}, ${minimum} to ${maximum}.` },
  ]),
);

const notAbove = (lower: string, upper: string) => ({
  rule: `!has(self.${lower}) || !has(self.${upper}) || self.${lower} <= self.${upper}`,
  message: `${lower} must not be greater than ${upper}`,
});

const ports = "int(self.split(' ')[0])";
const lastPort = "int(self.split(' ')[1])";

const sysctls: JsonSchema = {
  type: 'object',
  description: 'Kernel parameters by the names AKS gives them.',
  properties: {
    ...ranged,
    netIPv4IPLocalPortRange: {
      type: 'string',
      maxLength: 11,
      pattern: '^[0-9]{4,5} [0-9]{5}$',
      description: 'First and last local port, separated by a space.',
      'x-kubernetes-validations': [
        { rule: `${ports} >= 1024 && ${ports} <= 60999`, message: 'the first port must be within 1024 and 60999' },
        { rule: `${lastPort} >= 32768 && ${lastPort} <= 65535`, message: 'the last port must be within 32768 and 65535' },
        { rule: `${ports} <= ${lastPort}`, message: 'the first port must not be greater than the last' },
      ],
    },
    netIPv4TCPTwReuse: { type: 'boolean', description: 'Sysctl netIPv4TCPTwReuse.' },
  },
  'x-kubernetes-validations': [
    notAbove('netCoreRmemDefault', 'netCoreRmemMax'),
    notAbove('netCoreWmemDefault', 'netCoreWmemMax'),
    notAbove('netIPv4NeighDefaultGcThresh1', 'netIPv4NeighDefaultGcThresh2'),
    notAbove('netIPv4NeighDefaultGcThresh1', 'netIPv4NeighDefaultGcThresh3'),
    notAbove('netIPv4NeighDefaultGcThresh2', 'netIPv4NeighDefaultGcThresh3'),
  ],
};

/** `spec.linuxOSConfig` of an AKSNodeClass. */
export const linuxOSConfigSchema: JsonSchema = {
  type: 'object',
  description: 'Settings of the operating system.',
  properties: {
    swapFileSize: { type: 'string', pattern: SIZE_PATTERN, description: 'Size of a swap file; needs kubelet.failSwapOn false.' },
    transparentHugePageEnabled: { type: 'string', enum: ['always', 'madvise', 'never'], description: 'Transparent huge pages.' },
    transparentHugePageDefrag: {
      type: 'string',
      enum: ['always', 'defer', 'defer+madvise', 'madvise', 'never'],
      description: 'How the kernel makes room for huge pages.',
    },
    sysctls,
  },
};
