import { plainText } from '../json/plain-text.ts';
import { asRecord } from '../json/json.ts';
import { objectsAt, textAt, valueAt } from '../json/value-at.ts';
import { selectorRequirements, selectorText } from '../selectors/label-selector.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { TableColumn } from './column.ts';
import { column, wideColumn } from './column.ts';
import { ageOf } from './human-duration.ts';
import { AGE, countColumn, CREATED_AT, labelCell, NAME, textColumn } from './shared-columns.ts';

const size = (path: string) => (object: StoredObject) => Object.keys(asRecord(valueAt(object, path))).length;

const SHORT_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const accessModes = (path: string) => (object: StoredObject) => {
  const modes = valueAt(object, path);
  return Array.isArray(modes) ? modes.map((mode) => SHORT_MODES[plainText(mode)] ?? plainText(mode)).join(',') : '';
};

const claimOf = (volume: StoredObject): string =>
  valueAt(volume, 'spec.claimRef') === undefined
    ? ''
    : `${textAt(volume, 'spec.claimRef.namespace')}/${textAt(volume, 'spec.claimRef.name')}`;

const portsOf = (service: StoredObject): string =>
  objectsAt(service, 'spec.ports')
    .map((port) => `${textAt(port, 'port')}/${textAt(port, 'protocol') || 'TCP'}`)
    .join(',') || '<none>';

const objectOf = (event: StoredObject): string =>
  `${textAt(event, 'involvedObject.kind').toLowerCase()}/${textAt(event, 'involvedObject.name')}`;

const lastSeen = (event: StoredObject, nowMs: number): string =>
  ageOf(
    textAt(event, 'series.lastObservedTime') ||
      textAt(event, 'lastTimestamp') ||
      textAt(event, 'eventTime') ||
      event.metadata.creationTimestamp,
    nowMs,
  );

/** Whether a claim has devices, and whether pods use them. Source: Kubernetes, `printResourceClaim`. */
const claimState = (claim: StoredObject): string => {
  if (valueAt(claim, 'status.allocation') === undefined) return 'pending';
  const states = ['allocated', ...(objectsAt(claim, 'status.reservedFor').length > 0 ? ['reserved'] : [])];
  return (claim.metadata.deletionTimestamp === undefined ? states : ['deleted', ...states]).join(',');
};

const nameOfClass = ({ metadata: { name, annotations = {} } }: StoredObject): string =>
  annotations['storageclass.kubernetes.io/is-default-class'] === 'true' ? `${name} (default)` : name;

/** Columns of the kinds that are neither pods, nodes nor workloads, by kind. */
export const PLATFORM_COLUMNS: Readonly<Record<string, readonly TableColumn[]>> = {
  Namespace: [NAME, textColumn('Status', 'status.phase'), AGE],
  ConfigMap: [NAME, column('Data', (map) => size('data')(map) + size('binaryData')(map)), AGE],
  Secret: [NAME, textColumn('Type', 'type'), column('Data', size('data')), AGE],
  ServiceAccount: [NAME, column('Secrets', (account) => objectsAt(account, 'secrets').length), AGE],
  Service: [
    NAME,
    textColumn('Type', 'spec.type'),
    textColumn('Cluster-IP', 'spec.clusterIP', '<none>'),
    column('External-IP', () => '<none>'),
    column('Port(s)', portsOf),
    AGE,
    wideColumn('Selector', (service) => labelCell(valueAt(service, 'spec.selector'))),
  ],
  Event: [
    column('Last Seen', lastSeen),
    textColumn('Type', 'type'),
    textColumn('Reason', 'reason'),
    column('Object', objectOf),
    wideColumn('Subobject', (event) => textAt(event, 'involvedObject.fieldPath')),
    wideColumn('Source', (event) => textAt(event, 'source.component') || textAt(event, 'reportingComponent')),
    column('Message', (event) => textAt(event, 'message').trim()),
    wideColumn('First Seen', (event, now) => ageOf(textAt(event, 'firstTimestamp') || event.metadata.creationTimestamp, now)),
    wideColumn('Count', (event) => textAt(event, 'count') || '1'),
    wideColumn('Name', (event) => event.metadata.name),
  ],
  PersistentVolume: [
    NAME,
    textColumn('Capacity', 'spec.capacity.storage'),
    column('Access Modes', accessModes('spec.accessModes')),
    textColumn('Reclaim Policy', 'spec.persistentVolumeReclaimPolicy'),
    textColumn('Status', 'status.phase'),
    column('Claim', claimOf),
    textColumn('StorageClass', 'spec.storageClassName'),
    textColumn('Reason', 'status.reason'),
    AGE,
    wideColumn('VolumeMode', (volume) => textAt(volume, 'spec.volumeMode')),
  ],
  PersistentVolumeClaim: [
    NAME,
    textColumn('Status', 'status.phase'),
    textColumn('Volume', 'spec.volumeName'),
    textColumn('Capacity', 'status.capacity.storage'),
    column('Access Modes', accessModes('status.accessModes')),
    textColumn('StorageClass', 'spec.storageClassName'),
    AGE,
    wideColumn('VolumeMode', (claim) => textAt(claim, 'spec.volumeMode')),
  ],
  StorageClass: [
    column('Name', nameOfClass),
    textColumn('Provisioner', 'provisioner'),
    textColumn('ReclaimPolicy', 'reclaimPolicy'),
    textColumn('VolumeBindingMode', 'volumeBindingMode'),
    textColumn('AllowVolumeExpansion', 'allowVolumeExpansion', 'false'),
    AGE,
  ],
  CSINode: [NAME, column('Drivers', (node) => objectsAt(node, 'spec.drivers').length), AGE],
  VolumeAttachment: [
    NAME,
    textColumn('Attacher', 'spec.attacher'),
    textColumn('PV', 'spec.source.persistentVolumeName'),
    textColumn('Node', 'spec.nodeName'),
    textColumn('Attached', 'status.attached', 'false'),
    AGE,
  ],
  ResourceClaim: [NAME, column('State', claimState), AGE],
  ResourceSlice: [
    NAME,
    textColumn('Node', 'spec.nodeName'),
    textColumn('Driver', 'spec.driver'),
    textColumn('Pool', 'spec.pool.name'),
    AGE,
  ],
  Lease: [NAME, textColumn('Holder', 'spec.holderIdentity'), AGE],
  PriorityClass: [
    NAME,
    countColumn('Value', 'value'),
    textColumn('Global-Default', 'globalDefault', 'false'),
    AGE,
    textColumn('PreemptionPolicy', 'preemptionPolicy'),
  ],
  NetworkPolicy: [
    NAME,
    column('Pod-Selector', (policy) => selectorText(selectorRequirements(valueAt(policy, 'spec.podSelector')) ?? []) || '<none>'),
    AGE,
  ],
  CustomResourceDefinition: [NAME, CREATED_AT],
  Role: [NAME, CREATED_AT],
  ClusterRole: [NAME, CREATED_AT],
  RoleBinding: [NAME, column('Role', (binding) => `${textAt(binding, 'roleRef.kind')}/${textAt(binding, 'roleRef.name')}`), AGE],
  ClusterRoleBinding: [NAME, column('Role', (binding) => `${textAt(binding, 'roleRef.kind')}/${textAt(binding, 'roleRef.name')}`), AGE],
  LimitRange: [NAME, CREATED_AT],
  ControllerRevision: [
    NAME,
    column('Controller', ({ metadata }) => {
      const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
      return owner === undefined ? '<none>' : `${owner.kind.toLowerCase()}/${owner.name}`;
    }),
    countColumn('Revision', 'revision'),
    AGE,
  ],
};
