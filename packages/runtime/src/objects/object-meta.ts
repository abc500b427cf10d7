import type { KubeOwnerReference } from './owner-reference.ts';

/**
 * Standard object metadata. Times are RFC 3339 strings, as the API server writes them. What only the server sets is
 * optional.
 */
export interface KubeObjectMeta {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly KubeOwnerReference[];
}
