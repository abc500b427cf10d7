import type { NodeClassRef } from './node-class-ref.ts';

/** The label by which claims and nodes name their NodeClass: `karpenter.azure.com/aksnodeclass`. */
export const nodeClassLabelKey = ({ group, kind }: Pick<NodeClassRef, 'group' | 'kind'>): string => `${group}/${kind.toLowerCase()}`;

/** That label and the name of the NodeClass. */
export const nodeClassLabel = (ref: NodeClassRef): readonly [string, string] => [nodeClassLabelKey(ref), ref.name];
