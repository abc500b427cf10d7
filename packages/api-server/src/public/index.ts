export { type Access, type AccessControl, serviceAccountUser, type User } from './access.ts';
export type { AggregatedApi, ApiServer, ApiServerOptions } from './api-server.ts';
export type { ApiVerb, Fault, FaultEffect, Faults } from './faults.ts';
export type { KindRef, ApiObject, LocalKey, ApiObjectMeta } from './local-api.ts';
export type { LocalDeleteOptions, ListQuery, LocalApi, LocalEvent, LocalPatch, ServedKind } from './local-api.ts';
