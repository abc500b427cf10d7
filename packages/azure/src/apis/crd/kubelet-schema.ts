import type { JsonSchema } from '@karpenter/core';

export const SIZE_PATTERN = '^\\d+(E|P|T|G|M|K|Ei|Pi|Ti|Gi|Mi|Ki)$';

/** As kubelets take it. Source: Kubernetes, `pkg/kubelet/sysctl`. */
const SYSCTL_PATTERN = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]$';

const percent = (description: string): JsonSchema => ({ type: 'integer', format: 'int32', minimum: 0, maximum: 100, description });

/** `spec.kubelet` of an AKSNodeClass. Its defaults apply only where the object is given. */
export const kubeletSchema: JsonSchema = {
  type: 'object',
  description: 'Settings of the kubelet. Reserved resources, eviction thresholds and cluster DNS are computed.',
  properties: {
    cpuManagerPolicy: { type: 'string', enum: ['none', 'static'], default: 'none', description: 'CPU manager policy.' },
    cpuCFSQuota: { type: 'boolean', default: true, description: 'Enforce CPU limits of containers by CFS quota.' },
    cpuCFSQuotaPeriod: { type: 'string', default: '100ms', description: 'CFS quota period.' },
    imageGCHighThresholdPercent: percent('Disk usage above which images are always collected.'),
    imageGCLowThresholdPercent: percent('Disk usage below which images are never collected.'),
    topologyManagerPolicy: {
      type: 'string',
      enum: ['restricted', 'best-effort', 'none', 'single-numa-node'],
      default: 'none',
      description: 'Topology manager policy.',
    },
    allowedUnsafeSysctls: {
      type: 'array',
      maxItems: 100,
      items: { type: 'string', maxLength: 253, pattern: SYSCTL_PATTERN },
      description: 'Unsafe sysctls that pods may set; may end in `*`.',
    },
    containerLogMaxSize: {
      type: 'string',
      pattern: SIZE_PATTERN,
      default: '50Mi',
      description: 'Size at which a container log is rotated.',
    },
    containerLogMaxFiles: { type: 'integer', format: 'int32', minimum: 2, default: 5, description: 'Log files kept per container.' },
    podPidsLimit: { type: 'integer', format: 'int64', description: 'Most processes per pod; negative is unlimited.' },
    failSwapOn: { type: 'boolean', description: 'Refuse to start on a machine with swap.' },
  },
  'x-kubernetes-validations': [
    {
      rule: '!has(self.imageGCHighThresholdPercent) || !has(self.imageGCLowThresholdPercent) || self.imageGCHighThresholdPercent > self.imageGCLowThresholdPercent',
      message: 'imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent',
    },
  ],
};
