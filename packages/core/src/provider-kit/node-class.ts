import type { KubeClient } from '@karpenter/runtime';
import type { NodeClaim } from '../apis/index.ts';
import type { NodeClassKind } from '../cloudprovider/index.ts';
import type { Condition, ObjectMeta } from '../kube/index.ts';

/** As much of a NodeClass as is the same for all clouds. */
export interface NodeClass {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: object;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Whether the claim names this class. */
export const isOfClass = (
  { spec: { nodeClassRef } }: NodeClaim,
  { metadata }: Pick<NodeClass, 'metadata'>,
  { group, kind }: Pick<NodeClassKind, 'group' | 'kind'>,
): boolean => nodeClassRef.group === group && nodeClassRef.kind === kind && nodeClassRef.name === metadata.name;

/** What the controllers of a NodeClass do with the cluster's API. */
export type ClassKube = Pick<KubeClient, 'list' | 'patch' | 'patchStatus'>;

const isZero = (value: unknown): boolean =>
  value === undefined || value === null || value === false || value === 0 || value === '' || value === '[]' || value === '{}';

/** One text for values that mean the same: keys in order, lists as sets, zero values left out. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).sort().join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .map(([key, member]): [string, unknown] => [key, typeof member === 'object' ? canonical(member) : member])
      .filter(([, member]) => !isZero(member))
      .map(([key, member]) => `${JSON.stringify(key)}:${typeof member === 'string' ? member : JSON.stringify(member)}`);
    return `{${members.sort().join(',')}}`;
  }
  return JSON.stringify(value);
};

const fnv64 = (text: string): bigint => {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
};

/**
 * Decimal text of a 64-bit hash over what machines are made by: a class's spec, without what is changed in place. The
 * same for specs that mean the same: the order of members and of lists, and members that say nothing, make no
 * difference.
 */
export const specHashOf = (spec: object): string => fnv64(canonical(spec)).toString();

type Tags = Readonly<Record<string, string>>;

/** Tags of a machine and what belongs to it: the cluster's, over them its class's, over them the provider's own marks. */
export interface TagLayers {
  readonly cluster: Tags;
  readonly nodeClass: Tags;
  readonly own: Tags;
}

/**
 * One set of tags. `legalKey` gives a key in the cloud's alphabet; of keys that become one, the upper layer's value counts.
 */
export const layeredTags = ({ cluster, nodeClass, own }: TagLayers, legalKey: (key: string) => string = (key) => key): Tags =>
  Object.fromEntries([cluster, nodeClass, own].flatMap(Object.entries<string>).map(([key, value]) => [legalKey(key), value]));
