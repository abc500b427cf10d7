import type { NodeClassRef } from '../apis/index.ts';

/** The label by which claims and nodes name their NodeClass, as key and value: `karpenter.azure.com/aksnodeclass` and its name. */
export const nodeClassLabel = ({ group, kind, name }: NodeClassRef): readonly [string, string] => [`${group}/${kind.toLowerCase()}`, name];
