import type { JsonObject } from '../json/json.ts';

const apiVersion = 'rbac.authorization.k8s.io/v1';

const clusterRole = (name: string, rules: JsonObject[]): JsonObject => ({ apiVersion, kind: 'ClusterRole', metadata: { name }, rules });

const boundTo = (role: string, groups: readonly string[]): JsonObject => ({
  apiVersion,
  kind: 'ClusterRoleBinding',
  metadata: { name: role },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: groups.map((name) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name })),
});

/** The rules of an administrator. */
export const EVERYTHING: JsonObject[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];

const discovery = [
  '/api',
  '/api/*',
  '/apis',
  '/apis/*',
  '/openapi',
  '/openapi/*',
  '/healthz',
  '/livez',
  '/readyz',
  '/version',
  '/version/',
];

const reviews = [
  { apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'], verbs: ['create'] },
  { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] },
];

const publicInfo = ['/healthz', '/livez', '/readyz', '/version', '/version/'];

/**
 * The roles that every cluster starts with, as far as this server knows what they speak of. Source: kubernetes.io,
 * "Default roles".
 */
export const FIRST_ROLES: readonly JsonObject[] = [
  clusterRole('cluster-admin', EVERYTHING),
  boundTo('cluster-admin', ['system:masters']),
  clusterRole('system:discovery', [{ nonResourceURLs: discovery, verbs: ['get'] }]),
  boundTo('system:discovery', ['system:authenticated']),
  clusterRole('system:basic-user', reviews),
  boundTo('system:basic-user', ['system:authenticated']),
  clusterRole('system:public-info-viewer', [{ nonResourceURLs: publicInfo, verbs: ['get'] }]),
  boundTo('system:public-info-viewer', ['system:authenticated', 'system:unauthenticated']),
];
