import { objectsAt, textAt, valueAt } from '../json/value-at.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { TableColumn } from './column.ts';
import { column, wideColumn } from './column.ts';
import { AGE, NAME } from './shared-columns.ts';

const status = (node: StoredObject): string => {
  const condition = objectsAt(node, 'status.conditions').find(({ type }) => type === 'Ready');
  const word = condition === undefined ? 'Unknown' : condition['status'] === 'True' ? 'Ready' : 'NotReady';
  return valueAt(node, 'spec.unschedulable') === true ? `${word},SchedulingDisabled` : word;
};

const ROLE = 'node-role.kubernetes.io/';

const roles = ({ metadata }: StoredObject): string =>
  Object.keys(metadata.labels ?? {})
    .filter((label) => label.startsWith(ROLE))
    .map((label) => label.slice(ROLE.length))
    .toSorted()
    .join(',') || '<none>';

const address =
  (type: string) =>
  (node: StoredObject): string =>
    textAt(
      objectsAt(node, 'status.addresses').find((one) => one['type'] === type),
      'address',
    ) || '<none>';

const info = (name: string) => (node: StoredObject) => textAt(node, `status.nodeInfo.${name}`) || '<unknown>';

/** What `kubectl get nodes` shows. */
export const NODE_COLUMNS: readonly TableColumn[] = [
  NAME,
  column('Status', status),
  column('Roles', roles),
  AGE,
  column('Version', (node) => textAt(node, 'status.nodeInfo.kubeletVersion')),
  wideColumn('Internal-IP', address('InternalIP')),
  wideColumn('External-IP', address('ExternalIP')),
  wideColumn('OS-Image', info('osImage')),
  wideColumn('Kernel-Version', info('kernelVersion')),
  wideColumn('Container-Runtime', info('containerRuntimeVersion')),
];
