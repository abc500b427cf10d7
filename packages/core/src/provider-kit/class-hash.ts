import { settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { nodeClaimConditions } from '../apis/index.ts';
import type { NodeClaim } from '../apis/index.ts';
import type { NodeClassKind } from '../cloudprovider/index.ts';
import { isConditionTrue } from '../kube/index.ts';
import { isOfClass } from './node-class.ts';
import type { ClassKube, NodeClass } from './node-class.ts';

/** How classes of one kind are hashed, and where it is written. */
export interface ClassHash<C extends NodeClass> {
  readonly of: (nodeClass: C) => string;
  /** Of the way of hashing: a hash of another version says nothing. */
  readonly version: string;
  readonly annotations: { readonly hash: string; readonly version: string };
}

/**
 * Whether a claim's machine was made by another class than there is now; not where hashes are missing or were made in
 * another way.
 */
export const hasClassHashDrifted = (
  claim: Pick<NodeClaim, 'metadata'>,
  nodeClass: Pick<NodeClass, 'metadata'>,
  { annotations: { hash, version } }: Pick<ClassHash<NodeClass>, 'annotations'>,
): boolean => {
  const [is, of] = [claim.metadata.annotations ?? {}, nodeClass.metadata.annotations ?? {}];
  const areKnown = [is[hash], of[hash], is[version], of[version]].every((text) => text !== undefined);
  return areKnown && is[version] === of[version] && is[hash] !== of[hash];
};

export interface ClassHashing<C extends NodeClass> {
  readonly kind: Pick<NodeClassKind, 'group' | 'kind'>;
  readonly hash: ClassHash<C>;
  readonly kube: Pick<ClassKube, 'list' | 'patch'>;
}

/**
 * Stamps classes with the hash of what machines are made by, and brings claims along when the way of hashing changed:
 * one that had drifted already stays so.
 */
export const nodeClassHashing = <C extends NodeClass>({ kind, hash, kube }: ClassHashing<C>): Controller<C> => {
  const { hash: hashKey, version: versionKey } = hash.annotations;
  const restamped = (claim: NodeClaim, text: string): Readonly<Record<string, string>> => ({
    [versionKey]: hash.version,
    ...(!isConditionTrue(claim.status?.conditions, nodeClaimConditions.drifted) && { [hashKey]: text }),
  });
  return {
    name: 'nodeclass.hash',
    kind: kind.kind,
    concurrency: 10,
    async reconcile(nodeClass, { signal }) {
      const stamped = nodeClass.metadata.annotations ?? {};
      const text = hash.of(nodeClass);
      if (stamped[versionKey] !== hash.version && stamped[versionKey] !== undefined) {
        const { items } = await kube.list<NodeClaim>('NodeClaim', { signal });
        for (const claim of items.filter((item) => isOfClass(item, nodeClass, kind))) {
          const body = { metadata: { annotations: restamped(claim, text) } };
          await kube.patch('NodeClaim', { name: claim.metadata.name }, { type: 'merge', body, signal });
        }
      }
      if (stamped[hashKey] !== text || stamped[versionKey] !== hash.version) {
        const body = { metadata: { annotations: { [hashKey]: text, [versionKey]: hash.version } } };
        await kube.patch(kind.kind, { name: nodeClass.metadata.name }, { type: 'merge', body, signal });
      }
      return settled;
    },
  };
};
