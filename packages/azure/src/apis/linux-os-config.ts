/** `spec.linuxOSConfig`. */
export interface LinuxOSConfig {
  readonly swapFileSize?: string;
  readonly transparentHugePageEnabled?: 'always' | 'madvise' | 'never';
  readonly transparentHugePageDefrag?: 'always' | 'defer' | 'defer+madvise' | 'madvise' | 'never';
  /** Sysctl by its AKS name (`netCoreSomaxconn`); which there are and their ranges: the CRD. */
  readonly sysctls?: Readonly<Record<string, number | boolean | string>>;
}
