export type { Access, AccessControl, User } from './access.ts';
export { serviceAccountUser } from './access.ts';
export type { ApiServer, ApiServerOptions } from './api-server.ts';
export type { ApiVerb, Fault, FaultEffect, Faults } from './faults.ts';
export type { KindRef, KubeObject, ObjectKey, ObjectMeta, OwnerReference } from './kube-object.ts';
export type { DeleteOptions, ListQuery, LocalApi, LocalEvent, Patch } from './local-api.ts';
