import type { LocalApi } from '../../api/door/index.ts';
import { together } from '../control/deps.ts';
import type { StartController } from '../control/deps.ts';
import { createWorkLoop } from '../control/work-loop.ts';
import { nodes } from '../objects/node.ts';
import { keyOf, parseKey } from '../objects/pod-state.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../objects/volume.ts';
import { storageClasses, volumeClaims, volumes } from '../objects/volume.ts';
import { SELECTED_NODE } from '../scheduler/claim-nominator.ts';

const ZONE = 'topology.kubernetes.io/zone';
const PROVISION_MS = 1_000;
const PREFIX = 'pvc-';
const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';

const volumeFor = (claim: PersistentVolumeClaim, provisioner: string, zone: string | undefined): PersistentVolume => {
  const { name = '', namespace, uid = '' } = claim.metadata;
  const volumeName = `${PREFIX}${uid}`;
  const term = { matchExpressions: [{ key: ZONE, operator: 'In' as const, values: [zone ?? ''] }] };
  const spec = {
    capacity: claim.spec.resources?.requests,
    accessModes: claim.spec.accessModes,
    persistentVolumeReclaimPolicy: 'Delete',
    storageClassName: claim.spec.storageClassName,
    claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
    csi: { driver: provisioner, volumeHandle: volumeName },
    ...(zone === undefined ? {} : { nodeAffinity: { required: { nodeSelectorTerms: [term] } } }),
  };
  return { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: volumeName }, spec };
};

type Decision = { readonly provisioner: string; readonly zone: string | undefined } | undefined;

/** Whether a volume can be made now, and where; undefined while its consumer has no node, or when nobody makes such volumes. */
const decide = (api: LocalApi, { spec, metadata }: PersistentVolumeClaim): Decision => {
  const storageClass = api.get(storageClasses, { name: spec.storageClassName ?? '' });
  const nodeName = metadata.annotations?.[SELECTED_NODE];
  if (storageClass === undefined) return undefined;
  const provisioner = storageClass.provisioner ?? 'simulator';
  if (nodeName !== undefined) return { provisioner, zone: api.get(nodes, { name: nodeName })?.metadata.labels?.[ZONE] };
  return storageClass.volumeBindingMode === 'WaitForFirstConsumer' ? undefined : { provisioner, zone: undefined };
};

/** Makes volumes for claims: at once, or in the zone of the node that their first consumer was given. They go with their claims. */
export const startVolumeProvisioner: StartController = ({ api, clock }) => {
  const loop = createWorkLoop(clock, (key) => {
    const claim = api.get(volumeClaims, parseKey(key));
    if (claim === undefined || (claim.spec.volumeName ?? '') !== '') return undefined;
    const decision = decide(api, claim);
    if (decision === undefined) return undefined;
    const volume = api.create(volumeFor(claim, decision.provisioner, decision.zone));
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
    if (type !== 'DELETED') loop.addAfter(keyOf(object), PROVISION_MS);
    else if (object.spec.volumeName?.startsWith(PREFIX) === true) reclaim.add(object.spec.volumeName);
  });
  return together(watch, loop, reclaim);
};
