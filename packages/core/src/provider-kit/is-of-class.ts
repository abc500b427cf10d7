import type { NodeClaim } from '../apis/index.ts';
import type { NodeClassKind } from '../cloudprovider/index.ts';
import type { NodeClass } from './node-class.ts';

/** Whether the claim names this class. */
export const isOfClass = (
  { spec: { nodeClassRef } }: NodeClaim,
  { metadata }: Pick<NodeClass, 'metadata'>,
  { group, kind }: Pick<NodeClassKind, 'group' | 'kind'>,
): boolean => nodeClassRef.group === group && nodeClassRef.kind === kind && nodeClassRef.name === metadata.name;
