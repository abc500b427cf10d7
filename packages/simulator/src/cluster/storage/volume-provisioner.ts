import type { NodeSelectorRequirement } from '@karpenter/core/internal';
import type { LocalApi } from '@karpenter/api-server';
import { parseKey } from '@karpenter/runtime';
import { type StartController, together } from '../control/control-deps.ts';
import { createWorkLoop } from '../control/work-loop.ts';
import type { NodeObject } from '../objects/node.ts';
import { nodes } from '../objects/node.ts';
import { objectKeyText } from '../objects/object-key.ts';
import type { PersistentVolumeObject, PersistentVolumeClaimObject } from '../objects/volume.ts';
import { csiNodes, storageClasses, volumeClaims, volumes } from '../objects/volume.ts';
import { SELECTED_NODE } from '../scheduler/volumes/volume-views.ts';

const ZONE = 'topology.kubernetes.io/zone';
const PROVISION_MS = 1_000;
const PREFIX = 'pvc-';
const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';

/** Where a volume is to be made, and so where it can be used. */
interface Site {
  readonly provisioner: string;
  readonly reach: readonly NodeSelectorRequirement[];
}

const volumeFor = (claim: PersistentVolumeClaimObject, { provisioner, reach }: Site): PersistentVolumeObject => {
  const { name = '', namespace = '', uid = '' } = claim.metadata;
  const { accessModes = [], storageClassName, resources } = claim.spec;
  const volumeName = `${PREFIX}${uid}`;
  const spec = {
    capacity: resources?.requests,
    accessModes,
    persistentVolumeReclaimPolicy: 'Delete',
    storageClassName,
    claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
    csi: { driver: provisioner, volumeHandle: volumeName },
    ...(reach.length === 0 ? {} : { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: reach }] } } }),
  };
  return { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: volumeName }, spec };
};

/**
 * What the node has in common with all others that reach a volume made there: the labels that its driver names, else
 * its zone.
 */
const reachOf = (api: LocalApi, { metadata: { name = '', labels = {} } }: NodeObject, provisioner: string): Site['reach'] => {
  const driver = api.get(csiNodes, { name })?.spec.drivers.find((one) => one.name === provisioner);
  return (driver?.topologyKeys ?? [ZONE]).flatMap((key) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator: 'In' as const, values: [value] }];
  });
};

/** The node for which the volume was to be made is gone: its next consumer may be anywhere. */
const chooseAgain = (api: LocalApi, claim: PersistentVolumeClaimObject): void => {
  const { [SELECTED_NODE]: _, ...annotations } = claim.metadata.annotations ?? {};
  api.update({ ...claim, metadata: { ...claim.metadata, annotations } });
};

/** Undefined while its consumer has no node, or when nobody makes such volumes. */
const siteOf = (api: LocalApi, claim: PersistentVolumeClaimObject): Site | undefined => {
  const { spec, metadata } = claim;
  const storageClass = api.get(storageClasses, { name: spec.storageClassName ?? '' });
  const nodeName = metadata.annotations?.[SELECTED_NODE];
  if (storageClass === undefined) return undefined;
  const provisioner = storageClass.provisioner ?? 'simulator';
  if (nodeName !== undefined) {
    const node = api.get(nodes, { name: nodeName });
    if (node === undefined) chooseAgain(api, claim);
    return node && { provisioner, reach: reachOf(api, node, provisioner) };
  }
  return storageClass.volumeBindingMode === 'WaitForFirstConsumer' ? undefined : { provisioner, reach: [] };
};

/**
 * Makes volumes for claims: at once, or in the zone of the node that their first consumer was given. They go with their
 * claims.
 */
export const startVolumeProvisioner: StartController = ({ api, clock }) => {
  const loop = createWorkLoop(clock, (key) => {
    const claim = api.get(volumeClaims, parseKey(key));
    if (claim === undefined || (claim.spec.volumeName ?? '') !== '') return undefined;
    const site = siteOf(api, claim);
    if (site === undefined) return undefined;
    const volume = api.create(volumeFor(claim, site));
    const annotations = { ...claim.metadata.annotations, [BIND_COMPLETED]: 'yes' };
    const bound = api.update({
      ...claim,
      metadata: { ...claim.metadata, annotations },
      spec: { ...claim.spec, volumeName: volume.metadata.name ?? '' },
    });
    api.updateStatus({ ...volume, status: { phase: 'Bound' } });
    const { resources, accessModes } = claim.spec;
    api.updateStatus({ ...bound, status: { phase: 'Bound', capacity: resources?.requests, accessModes } });
    return undefined;
  });
  const reclaim = createWorkLoop(clock, (name) => {
    if (api.get(volumes, { name }) !== undefined) api.delete(volumes, { name });
    return undefined;
  });
  const watch = api.watch(volumeClaims, ({ type, object }) => {
    if (type !== 'DELETED') loop.addAfter(objectKeyText(object), PROVISION_MS);
    else if (object.spec.volumeName?.startsWith(PREFIX) === true) reclaim.add(object.spec.volumeName);
  });
  return together(watch, loop, reclaim);
};
