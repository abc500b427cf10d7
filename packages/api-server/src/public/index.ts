export { type Access, type AccessControl, serviceAccountUser, type User } from './access.ts';
export type { ApiServer, ApiServerOptions } from './api-server.ts';
export type { ApiVerb, Fault, FaultEffect, Faults } from './faults.ts';
export type {
  ApiObject,
  ApiObjectMeta,
  KindRef,
  ListQuery,
  LocalApi,
  LocalDeleteOptions,
  LocalEvent,
  LocalKey,
  LocalPatch,
} from './local-api.ts';
