import type { LocalApi } from '../../api/door/index.ts';

const NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** Creates those of the namespaces of every cluster that are missing. */
export const ensureNamespaces = (api: LocalApi): void => {
  for (const name of NAMESPACES) {
    if (api.get('Namespace', { name }) === undefined) api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
};
