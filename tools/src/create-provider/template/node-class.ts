import type { NodeClassKind } from '@karpenter/core';
import { type ClassHash, type NodeClass, specHashOf } from '@karpenter/core/provider-kit';

/** A machine that stands ready, with kubelet installed. */
export interface Host {
  readonly name: string;
  /** For `ssh`: `root@10.0.0.7`. */
  readonly address: string;
  /** Quantities: `4`, `16Gi`. */
  readonly cpu: string;
  readonly memory: string;
  readonly zone: string;
}

/** Hosts, and the shell commands by which they join and leave the cluster. `PROVIDER_ID` is kubelet's `--provider-id`. */
export interface SshNodeClass extends NodeClass {
  readonly spec: { readonly join: string; readonly leave: string; readonly hosts: readonly Host[] };
}

export const sshNodeClassKind: NodeClassKind = { group: 'ssh.example.com', version: 'v1', kind: 'SshNodeClass', plural: 'sshnodeclasses' };

/** Nodes drift when they would join in another way now; a host more or less is no reason. */
export const sshHash: ClassHash<SshNodeClass> = {
  of: ({ spec }) => specHashOf({ ...spec, hosts: undefined }),
  version: 'v1',
  annotations: { hash: 'ssh.example.com/hash', version: 'ssh.example.com/hash-version' },
};
