export { serviceAccountUser } from './api/door/index.ts';
export type {
  Access,
  AccessControl,
  ApiServer,
  ApiServerOptions,
  ApiVerb,
  DeleteOptions,
  Fault,
  FaultEffect,
  Faults,
  KindRef,
  KubeObject,
  ListQuery,
  LocalApi,
  LocalEvent,
  ObjectKey,
  ObjectMeta,
  OwnerReference,
  Patch,
  User,
} from './api/door/index.ts';
export type { ApiErrorCode, StatusCause, StatusDetails } from './api/status/api-error.ts';
export { ApiError } from './api/status/api-error.ts';
export { startApiServer } from './api/start-api-server.ts';
export * from './cloud/index.ts';
export * from './cluster/index.ts';
export * from './devices/index.ts';
