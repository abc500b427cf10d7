import type { LocalApi } from '@karpenter/api-server';
import { nodes } from '../objects/node.ts';
import type { CsiNode, CsiNodeDriver } from '../objects/volume.ts';
import { csiNodes } from '../objects/volume.ts';
import type { KubeletNode, VolumeDriver } from './kubelet-node.ts';

const entryOf = ({ name, limit, topology }: VolumeDriver, nodeID: string): CsiNodeDriver => ({
  ...{ name, nodeID },
  ...(topology === undefined ? {} : { topologyKeys: Object.keys(topology) }),
  ...(limit === undefined ? {} : { allocatable: { count: limit } }),
});

/**
 * Writes what the drivers of the machine say into its CSINode, and their labels on its Node, which must be there.
 * Source: kubelet, `nodeinfomanager`.
 */
export const registerDrivers = (api: LocalApi, { name, volumeDrivers = [] }: KubeletNode): void => {
  const node = api.get(nodes, { name });
  if (node === undefined) return;
  const topology = Object.fromEntries(volumeDrivers.flatMap((driver) => Object.entries(driver.topology ?? {})));
  if (Object.keys(topology).length > 0) {
    api.update({ ...node, metadata: { ...node.metadata, labels: { ...node.metadata.labels, ...topology } } });
  }
  const spec = { drivers: volumeDrivers.map((driver) => entryOf(driver, name)) };
  const found = api.get(csiNodes, { name });
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid ?? '' }];
  if (found === undefined)
    api.create<CsiNode>({ apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name, ownerReferences }, spec });
  else api.update({ ...found, metadata: { ...found.metadata, ownerReferences }, spec });
};
